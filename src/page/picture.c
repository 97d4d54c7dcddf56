/* picture.c - the panels of a run as one SVG drawing, or each by itself inside a page */
#include "picture.h"
#include "draft.h"
#include "plot.h"
#include <errno.h>
#include <math.h>
#include <string.h>

enum { MOST_PANELS = 12, COLOURS = PLOT_GREY };

/* no page and no drawing may hold control letters */
epi_letter epi_entity(char c)
{
  if ((unsigned char)c < 0x20 && c != '\n' && c != '\t') c = ' ';
  return c == '<' ? (epi_letter){"&lt;"} : c == '>' ? (epi_letter){"&gt;"} : c == '&' ? (epi_letter){"&amp;"}
       : c == '"' ? (epi_letter){"&quot;"} : (epi_letter){{c}};
}

char *epi_escaped(epi_arena *m, const char *s)
{
  char *out = epi_arena_room(m, 6*strlen(s) + 1), *p = out;
  for (; *s; s++) p += sprintf(p, "%s", epi_entity(*s).text);
  return out;
}

/* rad^2/s^2 with raised digits; a fraction stays as it is written */
char *epi_raised(epi_arena *m, const char *unit)
{
  static const char *const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074", "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  char *e = epi_escaped(m, unit), *out = epi_arena_room(m, 3*strlen(e) + 1), *p = out;
  for (const char *at = e; *at; ) {
    size_t n = *at == '^' ? strspn(at + 1 + (at[1] == '-'), "0123456789") : 0;
    if (!n || at[1 + (at[1] == '-') + n] == '.') { *p++ = *at++; continue; }
    if (*++at == '-') p += sprintf(p, "\u207b"), at++;
    for (; n; n--) p += sprintf(p, "%s", digits[*at++ - '0']);
  }
  return out;
}

static char *axis_name(epi_arena *m, const char *name, const char *unit)
{
  char *n = epi_escaped(m, name), *u = epi_raised(m, unit);
  return *u && *n ? epi_arena_text(m, "%s  [%s]", n, u) : *u ? epi_arena_text(m, "[%s]", u) : n;
}

/* a portrait is not cut off at its sides */
static void widen(plot_panel *p)
{
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < p->nline; i++)
    for (int k = 0; k < p->line[i].n; k++)
      if (isfinite(p->line[i].x[k])) least = fmin(least, p->line[i].x[k]), most = fmax(most, p->line[i].x[k]);
  if (!(most > least)) return;
  p->x.from = least - 0.04*(most - least);
  p->x.to = most + 0.04*(most - least);
}

/* the pieces of both columns as those of one line: bent where both are known, apart where one of them is a band */
static void join(const album *a, const line *l, plot_line *out, int portrait)
{
  const curve *all = a->curve[l->run], *x = &all[l->x], *y = &all[l->y];
  const double *t = portrait ? all[0].x : x->x;
  size_t n = (size_t)y->n + 1;
  char *way = epi_arena_room(a->arena, n);
  double *bend = epi_arena_room(a->arena, 4*n*sizeof *bend), s[2];
  for (int i = 1; i < y->n; i++) {
    char here = y->way[i], across = x->way ? x->way[i] : WAY_CUBIC;
    double h = (t[i] - t[i-1])/3;
    int bent = (here == WAY_OWN || here == WAY_CUBIC) && (across == WAY_OWN || across == WAY_CUBIC);
    way[i] = here == WAY_BAND || across == WAY_BAND ? PLOT_BAND : bent ? PLOT_BENT : WAY_LINE;
    if (!bent) continue;
    epi_curve_slopes(y, t, i, s);
    bend[4*i + 1] = h*s[0];
    bend[4*i + 3] = h*s[1];
    s[0] = s[1] = 1;
    if (x->way) epi_curve_slopes(x, t, i, s);
    bend[4*i] = h*s[0];
    bend[4*i + 2] = h*s[1];
  }
  out->way = way;
  out->bend = bend;
  if (!portrait) { out->low = y->low; out->high = y->high; return; }
  double *one = epi_arena_room(a->arena, 4*n*sizeof *one);
  for (int i = 0; i < y->n; i++) memcpy(one + 4*i, (double[]){x->one[i], y->one[i], x->next[i], y->next[i]}, 4*sizeof *one);
  out->one = one;
}

static plot_panel make(const album *a, const panel *p)
{
  epi_arena *m = a->arena;
  plot_line *l = epi_arena_room(m, (size_t)p->nline*sizeof *l);
  for (int i = 0; i < p->nline; i++) {
    const line *from = &p->line[i];
    const curve *c = a->curve[from->run];
    l[i] = (plot_line){.name = p->nline > 1 ? epi_escaped(m, from->name) : NULL, .n = c[from->y].n, .x = c[from->x].x,
                       .y = c[from->y].x, .colour = (plot_colour)(from->hue % COLOURS), .opacity = from->style == STYLE_FAINT ? 0.45 : 0};
    if (c[from->y].way) join(a, from, &l[i], p->kind == PORTRAIT);
  }
  plot_panel out = {.title = epi_escaped(m, p->title), .x = {.name = axis_name(m, p->xname, p->xunit)},
                    .y = {.name = axis_name(m, p->yname, p->yunit), .log = p->log}, .nline = p->nline, .line = l};
  if (epi_panel_banded(a, p)) out.note = p->kind == PORTRAIT ? "single steps: faster than the rows" : "band: faster than the rows";
  if (p->kind == PORTRAIT) widen(&out);
  return out;
}

int epi_picture_panel(const album *a, int which, int number, FILE *f)
{
  plot_panel p = make(a, &a->panel[which]);
  /* the page has its own caption */
  p.title = NULL;
  return epi_plot_write(&(plot_page){.columns = 1, .npanel = 1, .panel = &p, .width = 420, .height = 220, .first = number}, f);
}

/* what is put away in a page stays out of the drawing, unless there is nothing else */
static int choose(const album *a, plot_panel *p)
{
  int n = 0;
  for (int away = 0; away < 2 && !n; away++)
    for (int i = 0; i < a->npanel && n < MOST_PANELS; i++)
      if (!a->panel[i].fold == !away) p[n++] = make(a, &a->panel[i]);
  return n;
}

typedef struct drawing { epi_arena arena; const char *path; const epi_result *r; epi_draft draft; } drawing;

/* everything is there before the file is touched, and an old one is replaced by a whole one */
static int write_plot(drawing *d)
{
  album a = epi_album_of(&d->arena, &d->r, 1, NULL);
  plot_panel p[MOST_PANELS];
  int n = choose(&a, p);
  errno = 0;
  if (epi_draft_begin(&d->draft, d->path)) return -1;
  int bad = epi_plot_write(&(plot_page){.columns = n > 1 ? 2 : 1, .npanel = n, .panel = p, .width = 420, .height = 220}, d->draft.f);
  return epi_draft_end(&d->draft, bad);
}

/* 1: memory ran out */
static int attempt(drawing *d) { return setjmp(d->arena.out) ? 1 : write_plot(d); }

int epi_plot_file(const char *path, const epi_result *r, char *error, size_t size)
{
  drawing d = {.path = path, .r = r};
  if (!r->kept.x) return snprintf(error, size, "there are no rows to draw in %s: make the result with .pictures = 1", path), -1;
  int bad = attempt(&d);
  if (bad > 0) snprintf(error, size, "out of memory: %s is not written; the run itself is not touched by it", path);
  if (bad < 0)
    snprintf(error, size, "cannot write %s: %s; the run itself is not touched by it", path, errno ? strerror(errno) : "the disk is full");
  epi_draft_end(&d.draft, bad);
  epi_arena_free(&d.arena);
  return bad ? -1 : 0;
}
