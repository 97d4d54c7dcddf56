/* table.c - the table of a sweep, from its journal: a row for each case, in their order */
#include "sweeps.h"
#include "pack/pack.h"
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const outcomes[] = {"", "done", "doubtful", "failed", "refused", "too long", "crashed"};

/* one row as it is written */
typedef struct line { long long number; const double *value, *kept; int outcome; const char *why; } line;
typedef struct paper { FILE *f; const epi_sweep *s; int axes, keeps; } paper;
typedef struct format { const char *ending; void (*head)(paper *), (*row)(paper *, const line *); const char *tail; } format;

/* ---- CSV ---- */
static void csv_text(FILE *f, const char *s)
{
  int plain = !s[strcspn(s, ",\"\n\r")];
  if (!plain) fputc('"', f);
  for (; *s; s++) {
    if (*s == '"') fputc('"', f);
    fputc(*s == '\n' || *s == '\r' ? ' ' : *s, f);
  }
  if (!plain) fputc('"', f);
}

static void csv_head(paper *p)
{
  fputs("case", p->f);
  for (int i = 0; i < p->axes; i++) { fputc(',', p->f); csv_text(p->f, epi_sweep_axis(p->s, i, NULL, NULL)); }
  for (int i = 0; i < p->keeps; i++) { fputc(',', p->f); csv_text(p->f, epi_sweep_kept(p->s, i, NULL)); }
  fputs(",outcome,why\n", p->f);
}

static void csv_row(paper *p, const line *d)
{
  fprintf(p->f, "%lld", d->number);
  for (int i = 0; i < p->axes; i++) fprintf(p->f, ",%s", shortest(d->value[i]).text);
  for (int i = 0; i < p->keeps; i++) fprintf(p->f, ",%s", isnan(d->kept[i]) ? "" : shortest(d->kept[i]).text);
  fprintf(p->f, ",%s,", outcomes[d->outcome]);
  csv_text(p->f, d->why);
  fputc('\n', p->f);
}

/* ---- NPY: an array of records with names; sentences have no room in it, their outcome has: 1 done, 2 doubtful, ... ---- */
static void put_name(FILE *f, const char *name, const char *type)
{
  fputs("('", f);
  for (; *name; name++) fputc(*name == '\'' || *name == '\\' ? '_' : *name, f);
  fprintf(f, "', '%s'), ", type);
}

/* the length of its head is known when it is written: a second time, padded */
static void npy_dictionary(paper *p, FILE *f)
{
  const int one = 1;
  char real[4] = {*(const char *)&one ? '<' : '>', 'f', '8'}, whole[4] = {real[0], 'i', '8'};
  fputs("{'descr': [", f);
  put_name(f, "case", whole);
  for (int i = 0; i < p->axes; i++) put_name(f, epi_sweep_axis(p->s, i, NULL, NULL), real);
  for (int i = 0; i < p->keeps; i++) put_name(f, epi_sweep_kept(p->s, i, NULL), real);
  put_name(f, "outcome", whole);
  fprintf(f, "], 'fortran_order': False, 'shape': (%lld,), }", epi_sweep_cases(p->s));
}

static void npy_head(paper *p)
{
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (!f) no_room();
  npy_dictionary(p, f);
  if (fclose(f)) no_room();
  /* version 2 has four bytes for the length; all of it is a multiple of 64 */
  uint32_t all = (uint32_t)((12 + n + 1 + 63)/64*64 - 12);
  const unsigned char size[4] = {all & 255, all >> 8 & 255, all >> 16 & 255, all >> 24};
  fwrite("\x93NUMPY\x02\x00", 1, 8, p->f);
  fwrite(size, 1, 4, p->f);
  fprintf(p->f, "%s%*s\n", text, (int)(all - n - 1), "");
  free(text);
}

static void npy_row(paper *p, const line *d)
{
  int64_t which = d->number, how = d->outcome;
  fwrite(&which, sizeof which, 1, p->f);
  fwrite(d->value, sizeof *d->value, (size_t)p->axes, p->f);
  fwrite(d->kept, sizeof *d->kept, (size_t)p->keeps, p->f);
  fwrite(&how, sizeof how, 1, p->f);
}

/* ---- JSON ---- */
static void json_head(paper *p)
{
  fputs("{\"columns\": [\"case\"", p->f);
  for (int i = 0; i < p->axes; i++) { fputs(", ", p->f); json_text(p->f, epi_sweep_axis(p->s, i, NULL, NULL)); }
  for (int i = 0; i < p->keeps; i++) { fputs(", ", p->f); json_text(p->f, epi_sweep_kept(p->s, i, NULL)); }
  fputs(", \"outcome\", \"why\"],\n \"rows\": [", p->f);
}

static void json_row(paper *p, const line *d)
{
  fprintf(p->f, "%s\n  [%lld", d->number ? "," : "", d->number);
  for (int i = 0; i < p->axes; i++) { fputs(", ", p->f); json_number(p->f, d->value[i]); }
  for (int i = 0; i < p->keeps; i++) { fputs(", ", p->f); json_number(p->f, d->kept[i]); }
  fprintf(p->f, ", \"%s\", ", outcomes[d->outcome]);
  json_text(p->f, d->why);
  fputc(']', p->f);
}

/* ---- what is written when all of it is known: .npz and .h5 ---- */
typedef struct sheet { int n; pack_list *list; long long *which; char **outcome, **why; double *x; } sheet;

static sheet sheet_of(const epi_sweep *s, int axes, int keeps)
{
  long long rows = epi_sweep_cases(s), room = rows ? rows : 1;
  sheet a = {.n = axes + keeps + 3, .list = need((size_t)(axes + keeps + 3)*sizeof *a.list), .which = need((size_t)room*sizeof *a.which),
             .outcome = need((size_t)room*sizeof *a.outcome), .why = need((size_t)room*sizeof *a.why),
             .x = need((size_t)room*(size_t)(axes + keeps + 1)*sizeof *a.x)};
  for (int i = 0; i < axes + keeps; i++) {
    const char *unit = NULL, *name = i < axes ? epi_sweep_axis(s, i, &unit, NULL) : epi_sweep_kept(s, i - axes, &unit);
    a.list[1+i] = (pack_list){.name = name, .unit = unit, .n = rows, .stride = axes + keeps, .number = a.x + i};
  }
  a.list[0] = (pack_list){.name = "case", .n = rows, .whole = a.which};
  a.list[a.n-2] = (pack_list){.name = "outcome", .n = rows, .word = a.outcome};
  a.list[a.n-1] = (pack_list){.name = "why", .n = rows, .word = a.why};
  return a;
}

static void sheet_free(sheet *a, long long rows)
{
  for (long long i = 0; i < rows; i++) free(a->why[i]);
  free(a->list), free(a->which), free(a->outcome), free(a->why), free(a->x);
}

static int write_pack(const epi_sweep *s, journal *j, const char *path, const char *about)
{
  int axes = epi_sweep_axes(s), keeps = epi_sweep_keeps(s), bad = 0;
  long long rows = epi_sweep_cases(s);
  sheet a = sheet_of(s, axes, keeps);
  char why[500] = "";
  for (long long i = 0; i < rows && !bad; i++) {
    double *x = a.x + i*(axes + keeps);
    kept_case e = {.kept = x + axes};
    if ((bad = journal_read(j, i, &e))) break;
    epi_sweep_values(s, i, x);
    a.which[i] = i;
    a.outcome[i] = (char *)outcomes[e.outcome];
    a.why[i] = e.why ? e.why : text("%s", "");
  }
  if (bad) snprintf(why, sizeof why, "cannot write %s: %s", path, strerror(bad));
  else bad = pack_write(&(pack){.lists = a.n, .list = a.list, .about = about}, path, why, sizeof why);
  sheet_free(&a, rows);
  return bad ? say(FAILED, "%s; make room, and resume", why) : 0;
}

static const format formats[] = {{".csv", csv_head, csv_row, ""}, {".npy", npy_head, npy_row, ""}, {".json", json_head, json_row,
    "\n ]}\n"}};
enum { FORMATS = sizeof formats/sizeof *formats };

static const format *format_of(const char *path)
{
  for (int i = 0; i < FORMATS; i++) if (ends_with(path, formats[i].ending)) return &formats[i];
  return NULL;
}

int table_ending(const char *path) { return format_of(path) || pack_ending(path); }

static int write_rows(const epi_sweep *s, journal *j, const format *form, FILE *f)
{
  paper p = {.f = f, .s = s, .axes = epi_sweep_axes(s), .keeps = epi_sweep_keeps(s)};
  double *value = need((size_t)(p.axes + p.keeps)*sizeof *value);
  int bad = 0;
  form->head(&p);
  for (long long i = 0; i < epi_sweep_cases(s) && !bad && !ferror(f); i++) {
    kept_case e = {.kept = value + p.axes};
    if ((bad = journal_read(j, i, &e))) break;
    epi_sweep_values(s, i, value);
    form->row(&p, &(line){i, value, e.kept, e.outcome, e.why ? e.why : ""});
    free(e.why);
  }
  fputs(form->tail, f);
  free(value);
  return bad ? bad : ferror(f) ? errno ? errno : EIO : 0;
}

/* beside itself, and renamed: there is a whole table or the one before */
int table_write(const epi_sweep *s, journal *j, const char *path, const char *about)
{
  if (pack_ending(path)) return write_pack(s, j, path, about);
  char *draft = text("%s.new", path);
  errno = 0;
  FILE *f = fopen(draft, "wb");
  int bad = f ? write_rows(s, j, format_of(path), f) : errno;
  if (f && disk_sync(f) && !bad) bad = errno;
  if (f && fclose(f) && !bad) bad = errno;
  if (!bad && rename(draft, path)) bad = errno;
  if (bad) remove(draft);
  free(draft);
  return bad ? say(FAILED, "cannot write %s: %s; make room, and resume", path, strerror(bad)) : 0;
}
