/* reproduce_figures.c - the figures of a paper drawn again: its album, page by page, into a folder */
#include "figures.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const album *const ALBUMS[] = {&FIGURES_THESIS, &FIGURES_VIBRATIONS, &FIGURES_STIFF, &FIGURES_STROBE, &FIGURES_SEMI, NULL};

static int count_curves(const pane *a)
{
  int n = 0;
  while (n < LINES && (a->curve[n].run || a->curve[n].table || a->curve[n].make)) n++;
  return n;
}

static int write_page(const plot_page *g, const char *folder, const char *name)
{
  char *path = text("%s/%s.svg", folder, name);
  FILE *f = fopen(path, "wb");
  int bad = !f || epi_plot_write(g, f);
  if (f) bad |= fclose(f) != 0;
  if (bad) say(0, "%s could not be written: make room, or give another folder", path);
  free(path);
  return bad;
}

/* the panels of a figure; one for which this build has no run is left out */
typedef struct canvas {
  plot_panel panel[PANES];
  plot_line line[PANES][LINES];
  points data[PANES][LINES];
  char *name[PANES][LINES];            /* with its order, where it is measured */
  int n;
} canvas;

static void add_line(canvas *s, int k, const curve *c, points q)
{
  char **name = &s->name[s->n][k];
  if (c->order && q.n > 1) *name = text("%s (order %.1f)", c->name, points_slope(&q, c->order));
  s->data[s->n][k] = q;
  s->line[s->n][k] = (plot_line){.name = *name ? *name : c->name, .n = q.n, .x = q.x, .y = q.y, .colour = c->colour, .style = c->style,
                                 .radius = 0.1};
}

static void drop_panel(canvas *s)
{
  for (int k = 0; k < LINES; k++) {
    points_free(&s->data[s->n][k]);
    free(s->name[s->n][k]);
    s->name[s->n][k] = NULL;
  }
}

static void add_panel(artist *by, const pane *a, canvas *s)
{
  int lines = count_curves(a), any = 0;
  for (int k = 0; k < lines; k++) {
    points q = curve_points(by, a, &a->curve[k]);
    add_line(s, k, &a->curve[k], q);
    any += q.n;
  }
  if (!any) {
    drop_panel(s);
    return;
  }
  s->panel[s->n] = (plot_panel){.title = a->title, .x = {a->x, a->log & X_LOG, a->across[0], a->across[1]},
                                .y = {a->y, a->log & Y_LOG, a->up[0], a->up[1]},
                                .nline = lines, .line = s->line[s->n]};
  s->n++;
}

static int draw(artist *by, const drawing *d, const char *folder)
{
  canvas *s = need(sizeof *s);
  for (int i = 0; i < PANES && d->pane[i].x; i++) add_panel(by, &d->pane[i], s);
  plot_page page = {.columns = d->columns, .npanel = s->n, .panel = s->panel, .width = d->width, .height = d->height};
  int bad = write_page(&page, folder, d->name);
  while (s->n-- > 0) drop_panel(s);
  free(s);
  return bad;
}

/* ---- the folder, and what is said ---- */
int figures_folder(const char *folder)
{
  struct stat s;
  if (mkdir(folder, 0777) && errno != EEXIST) return say(FAILED, "the folder %s cannot be made: give one that can be written to", folder);
  if (stat(folder, &s) || !S_ISDIR(s.st_mode)) return say(FAILED, "%s is not a folder: give another name to --figures", folder);
  return DONE;
}

static void print_list(const album *a, const char *folder)
{
  printf("the figures are in %s\n", folder);
  for (int i = 0; i < a->n; i++) printf("  %-20s %s\n", a->drawing[i].name, a->drawing[i].about);
  for (const left_out *l = a->left_out; l && l->name; l++) printf("  not drawn: %s: %s\n", l->name, l->because);
  if (a->remark) printf("  %s\n", a->remark);
}

/* goes on inside the object of the paper */
static void print_json(const album *a, const char *folder, int drawn)
{
  fputs(",\n  \"figures\": [", stdout);
  for (int i = 0; i < drawn; i++) {
    char *path = text("%s/%s.svg", folder, a->drawing[i].name);
    fputs(i ? ",\n    {\"file\": " : "\n    {\"file\": ", stdout);
    json_text(stdout, path);
    fputs(", \"about\": ", stdout);
    json_text(stdout, a->drawing[i].about);
    putchar('}');
    free(path);
  }
  fputs("],\n  \"not_drawn\": [", stdout);
  for (const left_out *l = a->left_out; l && l->name; l++) {
    fputs(l == a->left_out ? "\n    {\"figure\": " : ",\n    {\"figure\": ", stdout);
    json_text(stdout, l->name);
    fputs(", \"because\": ", stdout);
    json_text(stdout, l->because);
    putchar('}');
  }
  putchar(']');
}

int figures_draw(const paper *p, tracks *all, run_store *runs, const char *folder, const char *json)
{
  const album *const *a = ALBUMS;
  while (*a && strcmp((*a)->paper, p->name)) a++;
  if (!*a) return say(REFUSED, "%s has no figures here: leave --figures out", p->name);
  artist by = {.paper = p, .tracks = all, .store = runs, .album = *a};
  int drawn = 0;
  progress bar = progress_begin(p->name, "figures", (*a)->n);
  while (drawn < (*a)->n && (progress_step(&bar), !draw(&by, &(*a)->drawing[drawn], folder))) drawn++;
  progress_wipe(&bar);
  takes_free(by.first);
  if (json) print_json(*a, folder, drawn);
  else if (drawn == (*a)->n) print_list(*a, folder);
  return drawn == (*a)->n && !by.failed ? DONE : FAILED;
}
