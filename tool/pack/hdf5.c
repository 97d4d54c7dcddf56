/* hdf5.c - the same as an HDF5 file, by libhdf5 where it is: it is loaded when it is wanted, so nothing here needs it to be built */
#include "pack.h"
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* as in HDF5 1.10 and later; before, identifiers had 32 bits */
typedef int64_t hid_t;
typedef unsigned long long hsize_t;
enum { TRUNCATE = 2, SCALAR = 0, UTF8 = 1 };
#define VARIABLE ((size_t)-1)

typedef struct hdf5 {
  void *library;
  hid_t number, whole, text, string;   /* types; string: a copy of text, of any length, UTF-8 */
  int (*leave)(void), (*open)(void), (*version)(unsigned *, unsigned *, unsigned *), (*quiet)(hid_t, void *, void *);
  hid_t (*file_create)(const char *, unsigned, hid_t, hid_t), (*group_create)(hid_t, const char *, hid_t, hid_t, hid_t);
  hid_t (*space_simple)(int, const hsize_t *, const hsize_t *), (*space)(int);
  hid_t (*data_create)(hid_t, const char *, hid_t, hid_t, hid_t, hid_t, hid_t);
  hid_t (*attribute_create)(hid_t, const char *, hid_t, hid_t, hid_t, hid_t);
  hid_t (*type_copy)(hid_t);
  int (*type_size)(hid_t, size_t), (*type_letters)(hid_t, int);
  int (*data_write)(hid_t, hid_t, hid_t, hid_t, hid_t, const void *), (*attribute_write)(hid_t, hid_t, const void *);
  int (*file_close)(hid_t), (*group_close)(hid_t), (*space_close)(hid_t), (*data_close)(hid_t), (*attribute_close)(hid_t);
  int (*type_close)(hid_t);
} hdf5;

static const struct { const char *name; size_t at; } functions[] = {
  {"H5dont_atexit", offsetof(hdf5, leave)}, {"H5open", offsetof(hdf5, open)}, {"H5get_libversion", offsetof(hdf5, version)},
  {"H5Eset_auto2", offsetof(hdf5, quiet)}, {"H5Fcreate", offsetof(hdf5, file_create)}, {"H5Gcreate2", offsetof(hdf5, group_create)},
  {"H5Screate_simple", offsetof(hdf5, space_simple)}, {"H5Screate", offsetof(hdf5, space)}, {"H5Dcreate2", offsetof(hdf5, data_create)},
  {"H5Acreate2", offsetof(hdf5, attribute_create)}, {"H5Tcopy", offsetof(hdf5, type_copy)}, {"H5Tset_size", offsetof(hdf5, type_size)},
  {"H5Tset_cset", offsetof(hdf5, type_letters)}, {"H5Dwrite", offsetof(hdf5, data_write)},
  {"H5Awrite", offsetof(hdf5, attribute_write)}, {"H5Fclose", offsetof(hdf5, file_close)}, {"H5Gclose", offsetof(hdf5, group_close)},
  {"H5Sclose", offsetof(hdf5, space_close)}, {"H5Dclose", offsetof(hdf5, data_close)}, {"H5Aclose", offsetof(hdf5, attribute_close)},
  {"H5Tclose", offsetof(hdf5, type_close)},
};
static const struct { const char *name; size_t at; } types[] = {
  {"H5T_NATIVE_DOUBLE_g", offsetof(hdf5, number)}, {"H5T_NATIVE_LLONG_g", offsetof(hdf5, whole)}, {"H5T_C_S1_g", offsetof(hdf5, text)},
};

/* where systems have it; EPICYCLE_HDF5 names another */
static void *find_library(void)
{
  static const char *const names[] = {"libhdf5_serial.so.103", "libhdf5_serial.so.310", "libhdf5_serial.so", "libhdf5.so.103",
                                      "libhdf5.so.200", "libhdf5.so.310", "libhdf5.so.320", "libhdf5.so", "libhdf5.dylib"};
  const char *mine = getenv("EPICYCLE_HDF5");
  void *it = NULL;
  if (mine && *mine) return dlopen(mine, RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; !it && i < sizeof names/sizeof *names; i++) it = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  return it;
}

/* 0, or the sentence */
static int load(hdf5 *h, char *why, size_t size)
{
  unsigned major = 0, minor = 0, release = 0;
  /* the draft that it writes is locked by us */
  setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
  *h = (hdf5){.library = find_library()};
  if (!h->library)
    return snprintf(why, size, "an .h5 file needs libhdf5, which is not to be found: install it (Debian: libhdf5-103-1, or "
                    "EPICYCLE_HDF5=FILE says where it is), or use .npz or .csv"), -1;
  int whole = 1;
  for (size_t i = 0; i < sizeof functions/sizeof *functions; i++) {
    void *f = dlsym(h->library, functions[i].name);
    memcpy((char *)h + functions[i].at, &f, sizeof f);
    whole &= f != NULL;
  }
  /* at the end of the program it would write once more to what could not be written, and crash: all that is whole is closed by then */
  if (whole) h->leave();
  if (!whole || h->open() < 0 || h->version(&major, &minor, &release) < 0 || major < 1 || (major == 1 && minor < 10)) {
    dlclose(h->library);
    return snprintf(why, size, "the libhdf5 that was found is older than 1.10, or none: install a newer one, or use .npz or .csv"), -1;
  }
  for (size_t i = 0; i < sizeof types/sizeof *types; i++) {
    const void *t = dlsym(h->library, types[i].name);
    if (t) memcpy((char *)h + types[i].at, t, sizeof(hid_t));
  }
  h->quiet(0, NULL, NULL);
  h->string = h->type_copy(h->text);
  h->type_size(h->string, VARIABLE);
  h->type_letters(h->string, UTF8);
  return 0;
}

int hdf5_missing(char *why, size_t size)
{
  hdf5 h;
  int bad = load(&h, why, size);
  if (!bad) h.type_close(h.string);
  return bad;
}

/* ---- writing: 0, or -1 ---- */
static int attribute(const hdf5 *h, hid_t of, const char *name, const char *word)
{
  hid_t space = h->space(SCALAR), a = h->attribute_create(of, name, h->string, space, 0, 0);
  int bad = a < 0 || h->attribute_write(a, h->string, &word) < 0;
  if (a >= 0 && h->attribute_close(a) < 0) bad = 1;
  h->space_close(space);
  return bad ? -1 : 0;
}

/* a slash would be a folder */
static char *data_name(const char *name)
{
  char *all = text("%s", name);
  for (char *c = all; *c; c++) if (*c == '/') *c = '|';
  if (!strcmp(all, ".")) *all = '_';
  return all;
}

static int data(const hdf5 *h, hid_t in, const pack_list *l, hid_t space)
{
  double *x = l->number ? malloc((size_t)(l->n ? l->n : 1)*sizeof *x) : NULL;
  if (l->number && !x) return -1;
  for (long long i = 0; x && i < l->n; i++) x[i] = l->number[i*(l->stride ? l->stride : 1)];
  const void *from = l->word ? (const void *)l->word : l->whole ? (const void *)l->whole : x;
  hid_t type = l->word ? h->string : l->whole ? h->whole : h->number;
  char *name = data_name(l->name);
  hid_t d = h->data_create(in, name, type, space, 0, 0, 0);
  int bad = d < 0 || (l->n && h->data_write(d, type, 0, 0, 0, from) < 0) || attribute(h, d, "unit", l->unit ? l->unit : "");
  if (d >= 0 && h->data_close(d) < 0) bad = 1;
  free(name);
  free(x);
  return bad ? -1 : 0;
}

static int column(const hdf5 *h, hid_t in, const pack_list *l)
{
  hsize_t n = (hsize_t)l->n;
  hid_t space = h->space_simple(1, &n, NULL);
  int bad = space < 0 || data(h, in, l, space);
  if (space >= 0) h->space_close(space);
  return bad;
}

/* HDF5 lists by name: this is the order of the columns */
static int order(const hdf5 *h, hid_t f, const pack *p)
{
  char **name = need(((size_t)p->lists + 1)*sizeof *name);
  for (int i = 0; i < p->lists; i++) name[i] = data_name(p->list[i].name);
  int bad = column(h, f, &(pack_list){.name = "_columns", .n = p->lists, .word = name});
  for (int i = 0; i < p->lists; i++) free(name[i]);
  free(name);
  return bad;
}

static int parameters(const hdf5 *h, hid_t f, const pack *p)
{
  hid_t group = h->group_create(f, "_parameters", 0, 0, 0), space = h->space(SCALAR);
  int bad = group < 0;
  for (int i = 0; i < p->parameters && !bad; i++) bad = data(h, group, &p->parameter[i], space);
  h->space_close(space);
  if (group >= 0 && h->group_close(group) < 0) bad = 1;
  return bad;
}

int hdf5_write(const pack *p, FILE *open_file, const char *path, char *why, size_t size)
{
  hdf5 h;
  (void)open_file;
  if (load(&h, why, size)) return -1;
  hid_t f = h.file_create(path, TRUNCATE, 0, 0);
  int bad = f < 0;
  for (int i = 0; i < p->lists && !bad; i++) bad = column(&h, f, &p->list[i]);
  if (!bad) bad = parameters(&h, f, p);
  if (!bad) bad = order(&h, f, p);
  if (!bad) bad = attribute(&h, f, "about", p->about ? p->about : "");
  if (f >= 0 && h.file_close(f) < 0) bad = 1;
  h.type_close(h.string);
  if (bad) snprintf(why, size, "libhdf5 could not write it; is the disk full?");
  return bad ? -1 : 0;
}
