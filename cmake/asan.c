/* asan.c - the checked command looks for leaks only where a test asks by ASAN_OPTIONS=detect_leaks=1: the search walks
   the whole address space, seconds on some machines, and scripts run the command hundreds of times */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }
