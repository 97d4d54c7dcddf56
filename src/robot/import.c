/* import.c - a robot in URDF becomes the text of a model file */
#include "core.h"
#include "robot.h"
#include "file/yaml/document.h"
#include <errno.h>
#include <stdio.h>

enum { BYTES = 16*1024*1024 };

/* ---- from a path, or from memory ---- */
static char *text_of(epi_import *r, const char *text, size_t *n)
{
  long long size = 0;
  if (!text) {
    int plain = epi_file_plain(r->path, &size);
    if (plain) return epi_robot_wrong(r, NULL, plain == -1 ? "there is no such file" : "this is no plain file"), NULL;
    *n = (size_t)size;
  }
  if (*n > BYTES) return epi_robot_wrong(r, NULL, "it has more than 16 MB"), NULL;
  char *room = epi_pool_room(&r->pool, *n + 1, 1);
  if (room && text) return memcpy(room, text, *n);
  FILE *f = room ? fopen(r->path, "rb") : NULL;
  if (room && !f) return epi_robot_wrong(r, NULL, "it cannot be read: %s", strerror(errno)), NULL;
  if (!f) return NULL;
  *n = fread(room, 1, *n, f);
  int bad = ferror(f);
  fclose(f);
  return bad ? epi_robot_wrong(r, NULL, "it cannot be read"), NULL : room;
}

/* in canonical form, as it is read: what could not be read is not handed out */
static void settle(epi_import *r)
{
  epi_file *file = epi_file_read_text(r->text, strlen(r->text), r->path);
  size_t n = file && !epi_file_sentences(file) ? epi_file_text(file, NULL, 0) : 0;
  char *text = n ? epi_pool_room(&r->pool, n + 1, 1) : NULL;
  if (text && epi_file_text(file, text, n + 1) != n) text = NULL;
  if (file && epi_file_sentences(file)) epi_robot_wrong(r, NULL, "as a model file it is wrong: %s", epi_file_sentence(file, 0)->words);
  else if (!text) epi_robot_wrong(r, NULL, "out of memory");
  epi_file_free(file);
  r->text = text;
}

epi_import *epi_import_urdf(const char *path, const char *text, size_t n, const char *const *start, int free_root)
{
  epi_import *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  char why[300] = "";
  r->path = epi_pool_text(&r->pool, "%s", path);
  r->free = free_root;
  char *all = text_of(r, text, &n);
  xml *x = all ? epi_xml_read(&r->pool, all, n, why, sizeof why) : NULL;
  if (why[0]) epi_robot_wrong(r, NULL, "%s", why);
  if (x && !epi_robot_read(r, x) && !epi_robot_tree(r, start) && !epi_robot_masses(r)) epi_robot_write(r);
  if (!r->why[0] && !r->pool.out) settle(r);
  if (r->pool.out && !r->why[0]) epi_robot_wrong(r, NULL, "out of memory");
  return r;
}

const char *epi_import_error(const epi_import *r) { return r->why[0] ? r->why : NULL; }
const char *epi_import_text(const epi_import *r) { return r->why[0] ? "" : r->text; }
const char *epi_import_note(const epi_import *r, int i) { return i >= 0 && i < r->notes ? r->note[i] : NULL; }

void epi_import_free(epi_import *r)
{
  if (!r) return;
  epi_pool_free(&r->pool);
  free(r);
}
