/* replay.c - a fuzz target without a fuzzer: replay NAME N SEEDS ... runs every seed, then N inputs made of them by chance, the same ones
   each time. A finding ends the process, after the input was written to NAME.found
   label: long */
#include "fuzz.h"
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEEDS = 400, LARGEST = 1 << 16, WORDS = 2000 };
typedef struct seed { uint8_t *data; size_t size; } seed;
static struct {
  seed seed[SEEDS];
  int n, nword;
  char *word[WORDS], found[4400];      /* found: where an input is kept that must not be lost */
  uint64_t state;
  uint8_t now[LARGEST];
  size_t size;
  long tried;
} all;

static uint64_t chance(uint64_t n)
{
  all.state ^= all.state << 13;
  all.state ^= all.state >> 7;
  all.state ^= all.state << 17;
  return n ? all.state % n : 0;
}

static void keep_input(int which)
{
  FILE *o = fopen(all.found, "wb");
  dprintf(2, "input %ld is in %s\n", all.tried, all.found);
  if (o) {
    fwrite(all.now, 1, all.size, o);
    fclose(o);
  }
  signal(which, SIG_DFL);
  raise(which);
}

static int read_seed(const char *path)
{
  FILE *f = fopen(path, "rb");
  if (!f) return -1;
  seed *s = &all.seed[all.n];
  s->data = malloc(LARGEST);
  if (!s->data) abort();
  s->size = fread(s->data, 1, LARGEST, f);
  fclose(f);
  return all.n++ < SEEDS - 1 ? 0 : -1;
}

static int plain(const struct dirent *e) { return e->d_name[0] != '.'; }
static int read_seeds(const char *path)
{
  struct stat s;
  struct dirent **names;
  char file[4096];
  if (stat(path, &s)) return -1;
  if (S_ISREG(s.st_mode)) return read_seed(path);
  int n = scandir(path, &names, plain, alphasort), bad = n < 1;
  for (int i = 0; i < n; i++) {
    snprintf(file, sizeof file, "%s/%s", path, names[i]->d_name);
    bad |= read_seed(file);
    free(names[i]);
  }
  if (n >= 0) free(names);
  return bad;
}

/* words of the seeds: what stands between other characters */
static void find_words(void)
{
  for (int i = 0; i < all.n; i++) {
    const seed *s = &all.seed[i];
    for (size_t from = 0, to; from < s->size && all.nword < WORDS; from = to + 1) {
      for (to = from; to < s->size && strchr("abcdefghijklmnopqrstuvwxyz0123456789.-_=", s->data[to]) && s->data[to]; ) to++;
      if (to - from < 2 || to - from > 30) continue;
      char *word = calloc(to - from + 1, 1);
      if (!word) abort();
      memcpy(word, s->data + from, to - from);
      all.word[all.nword++] = word;
    }
  }
}

static void remove_at(size_t at, size_t n)
{
  if (at + n > all.size) n = all.size - at;
  memmove(all.now + at, all.now + at + n, all.size - at - n);
  all.size -= n;
}

static void insert_at(size_t at, const void *what, size_t n)
{
  if (all.size + n > LARGEST) return;
  memmove(all.now + at + n, all.now + at, all.size - at);
  memcpy(all.now + at, what, n);
  all.size += n;
}

static void mutate(void)
{
  static const char *const strange[] = {"1e300", "-1", "0", "nan", "1e-320", "9223372036854775808", "4294967296", "(", ")", ",", "=", "\"",
                                        "\n", ":", "[", "{", "&a ", "*a", "-", "#", "inf", "1e17", "2147483648", "\\", "%s", "\xff"};
  size_t at = (size_t)chance(all.size + 1);
  const seed *s = &all.seed[chance((uint64_t)all.n)];
  uint8_t byte = (uint8_t)chance(256);
  const char *word = chance(2) && all.nword ? all.word[chance((uint64_t)all.nword)] : strange[chance(sizeof strange/sizeof *strange)];
  switch (chance(7)) {
  case 0: if (at < all.size) all.now[at] = byte; break;
  case 1: if (at < all.size) all.now[at] ^= (uint8_t)(1u << byte % 8); break;
  case 2: insert_at(at, &byte, 1); break;
  case 3: remove_at(at, 1 + (size_t)chance(chance(4) ? 4 : 40)); break;
  case 4: insert_at(at, word, strlen(word)); break;
  case 5: remove_at(at, 1 + (size_t)chance(8)), insert_at(at < all.size ? at : all.size, word, strlen(word)); break;
  default: {
    size_t from = (size_t)chance(s->size + 1), n = (size_t)chance(s->size - from + 1);
    insert_at(at, s->data + from, n < 200 ? n : 200);
  }
  }
}

static void take(const seed *s)
{
  memcpy(all.now, s->data, all.size = s->size);
}

/* in a block of its own length, so that a sanitiser sees what is read beyond it */
static void try(void)
{
  uint8_t *data = malloc(all.size + 1);
  if (!data) abort();
  memcpy(data, all.now, all.size);
  all.tried++;
  uint8_t *exact = realloc(data, all.size ? all.size : 1);
  LLVMFuzzerTestOneInput(exact, all.size);
  free(exact);
}

int main(int argc, char **argv)
{
  if (argc < 4) { fprintf(stderr, "use: replay NAME N SEEDS ...\n"); return 2; }
  long n = strtol(argv[2], NULL, 10);
  FILE *out = fdopen(dup(1), "w");
  all.state = 88172645463325252u;
  /* a target may go to a folder of its own */
  char here[4096];
  if (!getcwd(here, sizeof here)) return 2;
  snprintf(all.found, sizeof all.found, "%s/%s.found", here, argv[1]);
  for (int i = 3; i < argc; i++) if (read_seeds(argv[i])) { fprintf(stderr, "there are no seeds in %s\n", argv[i]); return 2; }
  find_words();
  signal(SIGABRT, keep_input);
  for (int i = 0; i < all.n; i++) take(&all.seed[i]), try();
  for (long i = 0; i < n; i++) {
    take(&all.seed[chance((uint64_t)all.n)]);
    for (uint64_t k = 1 + chance(6); k; k--) mutate();
    try();
  }
  if (out) fprintf(out, "%s: %d seeds and %ld inputs made of them, nothing found\n", argv[1], all.n, n), fclose(out);
  for (int i = 0; i < all.n; i++) free(all.seed[i].data);
  for (int i = 0; i < all.nword; i++) free(all.word[i]);
  return 0;
}
