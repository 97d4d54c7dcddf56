/* command.h - the command under preload.c: run it in a folder of its own, and look at what it said and left */
#ifndef COMMAND_H
#define COMMAND_H
#include "test.h"
#include "place.h"
#include "board.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_ROOM = 300, PATIENCE = 60, MOST_WORDS = 48 };

typedef struct outcome { int code; char said[6000]; } outcome;     /* the exit code, or minus the signal */

static struct { char root[PATH_ROOM]; const char *command, *preload; board *board; unsigned long long seed; } stage;

/* ---- files ---- */
static inline const char *path_in(char *path, const char *folder, const char *name) {
  snprintf(path, PATH_ROOM, "%.120s/%.120s/%.50s", stage.root, folder, name);
  return path;
}

typedef struct content { char *text; size_t size; } content;       /* NULL: no such file; else with a zero behind it */

static inline content content_of(const char *folder, const char *name) {
  char path[PATH_ROOM];
  FILE *f = fopen(path_in(path, folder, name), "rb");
  content c = {0};
  if (!f) return c;
  fseek(f, 0, SEEK_END);
  c.size = (size_t)ftell(f);
  rewind(f);
  c.text = malloc(c.size + 1);
  if (!c.text || fread(c.text, 1, c.size, f) != c.size) test_stop("a file of the test cannot be read");
  c.text[c.size] = 0;
  fclose(f);
  return c;
}

static inline void put_content(const char *folder, const char *name, const char *text, size_t size) {
  char path[PATH_ROOM];
  FILE *f = fopen(path_in(path, folder, name), "wb");
  if (!f || fwrite(text, 1, size, f) != size || fclose(f)) test_stop("a file of the test cannot be written");
}

static inline void each_file(const char *folder, void (*act)(const char *folder, const char *name, const char *to), const char *to) {
  char path[PATH_ROOM];
  DIR *d = opendir(path_in(path, folder, ""));
  for (const struct dirent *e; d && (e = readdir(d)); ) if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) act(folder, e->d_name, to);
  if (d) closedir(d);
}

static inline void drop_one(const char *folder, const char *name, const char *to) {
  char path[PATH_ROOM];
  (void)to;
  unlink(path_in(path, folder, name));
}
static inline void copy_one(const char *folder, const char *name, const char *to) {
  content c = content_of(folder, name);
  put_content(to, name, c.text, c.size);
  free(c.text);
}

/* an empty folder, or a copy of another */
static inline void folder_make(const char *folder, const char *like) {
  char path[PATH_ROOM];
  mkdir(path_in(path, folder, ""), 0777);
  each_file(folder, drop_one, NULL);
  if (like) each_file(like, copy_one, folder);
}

/* ---- the command ---- */
static inline int stage_begin(void) {
  char path[PATH_ROOM];
  stage.command = getenv("EPICYCLE");
  stage.preload = getenv("PRELOAD");
  if (!stage.command || !stage.preload || access(stage.command, X_OK) || access(stage.preload, R_OK)) return -1;
  snprintf(stage.root, sizeof stage.root, "%.100s/epicycle-faults-XXXXXX", test_place());
  if (!mkdtemp(stage.root)) test_stop("no temporary folder");
  int fd = open(path_in(path, ".", "board"), O_RDWR | O_CREAT, 0666);
  if (fd < 0 || ftruncate(fd, sizeof(board))) test_stop("no file for the board");
  stage.board = mmap(NULL, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (stage.board == MAP_FAILED) test_stop("no memory for the board");
  close(fd);
  stage.seed = 1;
  return 0;
}

static inline void stage_end(void) {
  char line[PATH_ROOM + 20];
  snprintf(line, sizeof line, "rm -rf '%s'", stage.root);
  check_count(system(line), 0);
}

/* nothing fails; a look at the clock takes two milliseconds, so that checkpoints fall on the same steps every time */
static inline board *board_clear(void) {
  *stage.board = (board){.room = -1, .tick = 2000000};
  return stage.board;
}

/* words as in a shell without quotes, but for '...' */
static inline void split(char *line, char **word) {
  int n = 0;
  for (char *at = line; *at && n < MOST_WORDS - 1; ) {
    at += strspn(at, " ");
    char end = *at == '\'' ? '\'' : ' ';
    at += *at == '\'';
    if (*at) word[n++] = at;
    at += strcspn(at, (char[]){end, 0});
    if (*at) *at++ = 0;
  }
  word[n] = NULL;
}

static inline void become(const char *folder, const char *line, const char *journal) {
  char path[PATH_ROOM], words[2000], *word[MOST_WORDS];
  snprintf(words, sizeof words, "%.800s %.1000s", stage.command, line);
  split(words, word);
  setenv("LD_PRELOAD", stage.preload, 1);
  setenv(BOARD, path_in(path, ".", "board"), 1);
  if (journal) setenv(JOURNAL, path_in(path, ".", journal), 1);
  if (chdir(path_in(path, folder, ""))) _exit(126);
  int out = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666), err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (out < 0 || err < 0) _exit(126);
  dup2(out, 1);
  dup2(err, 2);
  close(out);
  close(err);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  /* what hangs is ended, and told from a crash by its signal */
  alarm(PATIENCE);
  execv(stage.command, word);
  _exit(126);
}

static inline pid_t command_start(const char *folder, const char *line, const char *journal) {
  fflush(stdout);
  pid_t child = fork();
  if (!child) become(folder, line, journal);
  if (child < 0) test_stop("no process");
  return child;
}

static inline outcome command_wait(pid_t child, const char *folder) {
  int status = 0;
  outcome o = {0};
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  o.code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  content c = content_of(folder, "stderr");
  snprintf(o.said, sizeof o.said, "%s", c.text ? c.text : "");
  free(c.text);
  return o;
}

static inline outcome command(const char *folder, const char *line) { return command_wait(command_start(folder, line, NULL), folder); }

/* numbers that are the same every time: splitmix64 */
static inline long draw(long n) {
  unsigned long long z = stage.seed += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30))*0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27))*0x94d049bb133111ebu;
  return n > 0 ? (long)((z ^ (z >> 31))%(unsigned long long)n) : 0;
}

/* ---- what is left ---- */
static inline int has_ending(const char *name, const char *ending) {
  size_t n = strlen(name), m = strlen(ending);
  return n > m && !strcmp(name + n - m, ending);
}

/* a number, or on a page two cells: the seconds that it took, and the evaluations, of which a new start repeats some */
static inline void wipe_number(char *text, const char *key) {
  for (char *at = text; (at = strstr(at, key)); )
    for (at += strlen(key); *at && strchr("0123456789.e+-", *at); at++) *at = '#';
}
static inline void wipe_between(char *text, const char *from, const char *to, int times, const char *what) {
  char *at = strstr(text, from), *end = at;
  for (int i = 0; end && i < times; i++) end = strstr(end + 1, to);
  for (; end && at < end; at++) if (strchr(what, *at)) *at = '#';
}
static inline void squeeze(char *text) {
  char *to = text;
  for (const char *from = text; *from; from++) if (*from != '#') *to++ = *from;
  *to = 0;
}

static inline char *bare_stats(char *text) {
  static const char *const keys[] = {"\"wall_s\": ", "\"calls\": ", "\"calls_for_rows\": "};
  for (size_t i = 0; i < sizeof keys/sizeof *keys; i++) wipe_number(text, keys[i]);
  /* an average: its micro-steps */
  if (strstr(text, "\"name\": \"hmm\"") || strstr(text, "\"name\": \"strobe\"")) wipe_number(text, "\"steps\": ");
  squeeze(text);
  return text;
}
static inline char *bare_page(char *text) {
  wipe_between(text, "class=\"done\">done</td>", "</td>", 3, "0123456789.+-e");
  wipe_between(text, "refused</th><th>claims", "</table>", 1, "0123456789");
  return text;
}

/* what of a count is left: how it is spaced */
static inline int same_page(char *a, char *b) {
  for (bare_page(a), bare_page(b); *a && *b; a++, b++) {
    a += strspn(a, "#&;");
    b += strspn(b, "#&;");
    if (*a != *b) return 0;
  }
  return *a == *b;
}

/* statistics and pages up to what a new start changes; everything else to the byte */
static inline int same_file(const char *folder, const char *other, const char *name) {
  content a = content_of(folder, name), c = content_of(other, name);
  int same = a.text && c.text;
  if (same && !strcmp(name, "stats.json")) same = !strcmp(bare_stats(a.text), bare_stats(c.text));
  else if (same && has_ending(name, ".html")) same = same_page(a.text, c.text);
  else if (same) same = a.size == c.size && !memcmp(a.text, c.text, a.size);
  free(a.text);
  free(c.text);
  return same;
}

/* the length of the part of `got` that stands in `want` */
static inline size_t common(content got, content want) {
  size_t n = 0;
  while (n < got.size && n < want.size && got.text[n] == want.text[n]) n++;
  return n;
}

static inline int csv_whole(content got, content want) {
  if (!got.size) return 1;
  if (got.text[got.size - 1] != '\n') return 0;
  /* all rows are those of the whole run, but for a last one where it stopped; that one has as many columns */
  size_t n = common(got, want), columns = 1, here = 1;
  for (const char *at = got.text; *at != '\n'; at++) columns += *at == ',';
  while (n > 0 && got.text[n - 1] != '\n') n--;
  if (n == got.size) return 1;
  const char *end = strchr(got.text + n, '\n');
  for (const char *at = got.text + n; at < end; at++) here += *at == ',';
  return end == got.text + got.size - 1 && here == columns;
}

static inline int npy_whole(content got, content want) {
  long rows = -1, columns = -1;
  if (!got.size) return 1;
  const char *shape = got.size >= 128 ? strstr(got.text + 10, "'shape': (") : NULL;
  if (!shape || sscanf(shape, "'shape': (%ld, %ld)", &rows, &columns) != 2) return 0;
  size_t size = (size_t)rows*(size_t)columns*8, all = got.size - 128, row = (size_t)columns*8;
  if (rows < 0 || columns < 1 || size != all) return 0;
  size_t sure = all > row ? all - row : 0;
  return sure <= want.size - 128 && !memcmp(got.text + 128, want.text + 128, sure);
}

static inline int json_whole(content got, content want) {
  static const char tail[] = "\n ]}\n";
  if (!got.size) return 1;
  if (!has_ending(got.text, tail)) return 0;
  size_t n = common(got, want), end = got.size - strlen(tail);
  if (n >= end) return strchr("[]", got.text[end - 1]) != NULL;
  /* what differs is one last row */
  while (n > 0 && got.text[n - 1] != '\n') n--;
  const char *row = got.text + n;
  return n > 0 && !strncmp(row, "  [", 3) && strchr(row, ']') == got.text + end - 1;
}

/* a file that can be read: whole rows, a head that counts them, an end */
static inline int file_whole(const char *folder, const char *like, const char *name) {
  content got = content_of(folder, name), want = content_of(like, name);
  int whole = !got.text || !want.text;
  if (!whole && !strcmp(name, "stats.json")) whole = !got.size || (got.text[0] == '{' && has_ending(got.text, "\n}\n"));
  else if (!whole && has_ending(name, ".csv")) whole = csv_whole(got, want);
  else if (!whole && has_ending(name, ".npy")) whole = npy_whole(got, want);
  else if (!whole && has_ending(name, ".json")) whole = json_whole(got, want);
  else if (!whole && has_ending(name, ".svg")) whole = has_ending(got.text, "</svg>\n");
  else if (!whole && has_ending(name, ".html")) whole = has_ending(got.text, "</html>\n");
  else whole = 1;
  free(got.text);
  free(want.text);
  return whole;
}

static inline int file_there(const char *folder, const char *name) {
  char path[PATH_ROOM];
  struct stat s;
  return !stat(path_in(path, folder, name), &s) && s.st_size > 0;
}
#endif
