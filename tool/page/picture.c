/* picture.c - the panels of a run as one SVG drawing, or each by itself inside a page */
#include "picture.h"
#include "plot.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 12, COLOURS = PLOT_GREY };

char *escaped(const char *s)
{
  char *out = need(6*strlen(s) + 1), *p = out;
  for (; *s; s++) {
    const char *entity = *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : *s == '&' ? "&amp;" : *s == '"' ? "&quot;" : NULL;
    if (entity) p += sprintf(p, "%s", entity);
    /* no page and no drawing may hold these */
    else if ((unsigned char)*s < 0x20 && *s != '\n' && *s != '\t') *p++ = ' ';
    else *p++ = *s;
  }
  return out;
}

/* rad^2/s^2 with raised digits; a fraction stays as it is written */
char *raised(const char *unit)
{
  static const char *const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074", "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  char *e = escaped(unit), *out = need(3*strlen(e) + 1), *p = out;
  for (const char *at = e; *at; ) {
    size_t n = *at == '^' ? strspn(at + 1 + (at[1] == '-'), "0123456789") : 0;
    if (!n || at[1 + (at[1] == '-') + n] == '.') { *p++ = *at++; continue; }
    if (*++at == '-') p += sprintf(p, "\u207b"), at++;
    for (; n; n--) p += sprintf(p, "%s", digits[*at++ - '0']);
  }
  free(e);
  return out;
}

static char *axis_name(const char *name, const char *unit)
{
  char *n = escaped(name), *u = raised(unit), *all = *u && *n ? text("%s  [%s]", n, u) : *u ? text("[%s]", u) : text("%s", n);
  free(n);
  free(u);
  return all;
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

/* the words are new memory, freed by unmake */
static plot_panel make(const album *a, const panel *p)
{
  plot_line *l = need((size_t)p->nline*sizeof *l);
  int colour = 0;
  for (int i = 0; i < p->nline; i++) {
    const curve *c = a->curve[p->line[i].run];
    int faint = p->line[i].style == STYLE_FAINT;
    l[i] = (plot_line){.name = p->nline > 1 ? escaped(p->line[i].name) : NULL, .n = c[p->line[i].y].n, .x = c[p->line[i].x].x, .y = c[p->line[i].y].x,
                       .colour = faint ? PLOT_GREY : (plot_colour)(colour++ % COLOURS)};
  }
  plot_panel out = {.title = escaped(p->title), .x = {.name = axis_name(p->xname, p->xunit)},
                    .y = {.name = axis_name(p->yname, p->yunit), .log = p->log}, .nline = p->nline, .line = l};
  if (p->kind == PORTRAIT) widen(&out);
  return out;
}

static void unmake(plot_panel *p)
{
  for (int i = 0; i < p->nline; i++) free((char *)p->line[i].name);
  free((plot_line *)p->line);
  free((char *)p->title);
  free((char *)p->x.name);
  free((char *)p->y.name);
}

int picture_panel(const album *a, int which, FILE *f)
{
  plot_panel p = make(a, &a->panel[which]);
  /* the page has its own caption */
  char *title = (char *)p.title;
  p.title = NULL;
  int bad = plot_write(&(plot_page){.columns = 1, .npanel = 1, .panel = &p, .width = 420, .height = 220}, f);
  p.title = title;
  unmake(&p);
  return bad;
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

int picture_write(const char *path, const job *j)
{
  const job *one[] = {j};
  album a = album_of(one, 1);
  plot_panel p[MOST_PANELS];
  int n = choose(&a, p);
  errno = 0;
  FILE *f = fopen(path, "w");
  int bad = !f || plot_write(&(plot_page){.columns = n > 1 ? 2 : 1, .npanel = n, .panel = p, .width = 420, .height = 220}, f);
  if (f && fclose(f)) bad = 1;
  if (bad) say(FAILED, "cannot write %s: %s; the run itself is not touched by it", path, errno ? strerror(errno) : "the disk is full");
  for (int i = 0; i < n; i++) unmake(&p[i]);
  album_free(&a);
  return bad ? FAILED : 0;
}
