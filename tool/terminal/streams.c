/* streams.c - the three standard streams: a closed one is not taken by a file, no file is one of them by another name, and what was written
 * into them arrived */
#include "terminal.h"
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* the first file that is opened takes the lowest number that is free: sentences would go into it. What nobody wants to hear is dropped;
   rows for a standard output that is closed are not written, and that is told */
void streams_guard(void)
{
  const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
  for (int fd = 0; fd < 3; fd++) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    int got = open("/dev/null", modes[fd]);
    if (got < 0) got = open("/", O_RDONLY);
    if (got != fd) _exit(FAILED);
  }
  /* a limit on the size of files is told as a full disk is */
  signal(SIGXFSZ, SIG_IGN);
}

int streams_end(int code, int json)
{
  if (code == REFUSED && json) {
    fputs("{\"status\": \"refused\", \"error\": ", stdout);
    json_text(stdout, sentences());
    fputs("}\n", stdout);
  }
  /* a full disk shows itself at the last moment */
  int lost = fflush(stdout) || ferror(stdout);
  if (clock_unread()) clock_leave_unread();
  if (lost && code == DONE)
    return say(FAILED, "standard output could not be written: make room, or write to another place");
  return code;
}

int streams_output(const char *path)
{
  static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
  for (size_t i = 0; path && i < sizeof names/sizeof *names; i++) if (!strcmp(path, names[i])) return 1;
  return 0;
}

const char *streams_same(const char *path)
{
  static const char *const names[] = {"standard input", "standard output", "standard error"};
  struct stat file, stream;
  if (stat(path, &file) || !S_ISREG(file.st_mode)) return NULL;
  for (int fd = 1; fd < 3; fd++)
    if (!fstat(fd, &stream) && file.st_dev == stream.st_dev && file.st_ino == stream.st_ino) return names[fd];
  return NULL;
}
