/* report.c - one page that needs nothing beside it: what was run, what came out, pictures
 *
 * The tables are plain HTML, written here. The script, where it was built, draws curves and bodies from the data behind them; without it
 * every picture stands in the page as SVG. */
#define _XOPEN_SOURCE 700
#include "page.h"
#include "draft.h"
#include "embedded.h"
#include <errno.h>
#include <string.h>

static int has_script(void) { return epi_page_script[0] != 0; }

static void put_escaped(FILE *f, const char *before, const char *s, const char *after)
{
  fputs(before, f);
  epi_page_escaped(f, s ? s : "");
  fputs(after, f);
}

/* ---- chapters: runs of one model with the same columns ---- */
static int alike(const epi_result *a, const epi_result *b)
{
  int n = 1 + a->nq + a->nv + a->nz + a->nobs;
  if (strcmp(a->model_name, b->model_name) || n != 1 + b->nq + b->nv + b->nz + b->nobs || a->ninvariant != b->ninvariant) return 0;
  for (int i = 0; i < n; i++) if (strcmp(a->column[i].name, b->column[i].name)) return 0;
  for (int i = 0; i < a->ninvariant; i++) if (strcmp(a->invariant[i].name, b->invariant[i].name)) return 0;
  return 1;
}

/* a run that was refused has nothing to show */
static int shows(const epi_result *r) { return r && r->kept.x && r->kept.rows > 0; }

static int chapters_of(epi_arena *m, const epi_result *const *all, int n, const epi_result *against, chapter *out)
{
  char *done = epi_arena_room(m, (size_t)n);
  int count = 0;
  for (int i = 0; i < n; i++) {
    int k = 0;
    if (done[i] || !shows(all[i])) continue;
    const epi_result **same = epi_arena_room(m, (size_t)n*sizeof *same);
    for (int r = i; r < n; r++)
      if (!done[r] && shows(all[r]) && alike(all[i], all[r])) {
        same[k++] = all[r];
        done[r] = 1;
      }
    out[count] = (chapter){.album = epi_album_of(m, same, k, against), .model = all[i]->model_name};
    for (int r = 0; r < k; r++) if (same[r]->drawing) out[count].seen = 1;
    count++;
  }
  return count;
}

/* ---- the visible part ---- */
static void put_figure(FILE *f, const album *a, int g, int i)
{
  fprintf(f, "<figure class=\"plot\" data-group=\"%d\" data-panel=\"%d\">", g, i);
  put_escaped(f, "<figcaption>", a->panel[i].title, "</figcaption>");
  if (!has_script()) epi_picture_panel(a, i, 1000*g + i, f);
  fputs("</figure>\n", f);
}

/* those of one fold follow one another */
static void put_figures(FILE *f, const album *a, int g)
{
  const char *fold = NULL;
  fputs("<div class=\"plots\">\n", f);
  for (int i = 0; i < a->npanel; i++) {
    const char *here = a->panel[i].fold;
    if (here && (!fold || strcmp(here, fold))) {
      fputs(fold ? "</div></details>\n" : "</div>\n", f);
      put_escaped(f, "<details class=\"more\"><summary>", here, "</summary><div class=\"plots\">\n");
      fold = here;
    }
    put_figure(f, a, g, i);
  }
  fputs(fold ? "</div></details>\n" : "</div>\n", f);
}

static void put_chapter(FILE *f, const char *title, const chapter *c, int g, const epi_result *against)
{
  fprintf(f, "<section class=\"group\" id=\"group-%d\" data-group=\"%d\">\n", g, g);
  if (strcmp(c->model, title)) put_escaped(f, "<h2>", c->model, "</h2>\n");
  put_escaped(f, "<p class=\"doc\">", c->album.run[0]->doc, "</p>\n");
  for (int r = 0; r < c->album.nrun; r++) epi_page_trouble(f, c->album.run[r], c->album.nrun > 1 ? c->album.run[r]->name : NULL);
  if (c->seen && has_script()) fprintf(f, "<figure class=\"view\" data-group=\"%d\"></figure>\n", g);
  epi_page_tables(f, c, against);
  epi_page_balls(f, &c->album, 1000*g + 500);
  put_figures(f, &c->album, g);
  for (int r = 0; r < c->album.nrun; r++) epi_page_choice(f, c->album.run[r], c->album.nrun > 1 ? c->album.run[r]->name : NULL);
  for (int r = 0; r < c->album.nrun; r++) epi_page_events(f, c->album.run[r], c->album.nrun > 1 ? c->album.run[r]->name : NULL);
  for (int r = 0; r < c->album.nrun; r++) epi_page_run(f, c->album.arena, c->album.run[r], c->album.nrun == 1);
  fputs("</section>\n", f);
}

/* ---- the data ---- */
static const char *const panel_kinds[] = {[OVER_TIME] = "time", [PORTRAIT] = "portrait", [STEPS] = "steps"};
static const char *const line_styles[] = {[STYLE_LINE] = "line", [STYLE_FAINT] = "faint"};

static void put_key(FILE *f, const char *key, const char *value)
{
  fputs(key, f);
  epi_page_text(f, value);
}

static void put_panel(FILE *f, const album *a, const panel *p)
{
  fprintf(f, "{\"kind\":\"%s\"", panel_kinds[p->kind]);
  put_key(f, ",\"title\":", p->title);
  put_key(f, ",\"x\":{\"name\":", p->xname);
  put_key(f, ",\"unit\":", p->xunit);
  put_key(f, "},\"y\":{\"name\":", p->yname);
  put_key(f, ",\"unit\":", p->yunit);
  fprintf(f, ",\"log\":%s},\"banded\":%s,\"lines\":[", p->log ? "true" : "false", epi_panel_banded(a, p) ? "true" : "false");
  for (int i = 0; i < p->nline; i++) {
    const line *l = &p->line[i];
    fprintf(f, "%s{\"run\":%d,\"x\":%d,\"y\":%d,\"hue\":%d,\"look\":\"%s\",\"name\":", i ? "," : "", l->run, l->x, l->y, l->hue,
            line_styles[l->style]);
    epi_page_text(f, l->name);
    fputc('}', f);
  }
  fputs("]}", f);
}

/* how the pieces between rows go: letters with how many there are of each; and of bands alone, the least and the largest */
static void put_ways(FILE *f, epi_arena *m, const curve *c)
{
  int bands = 0;
  if (!c->way || c->n < 2) return;
  for (int i = 1; i < c->n; i++) bands += c->way[i] == WAY_BAND;
  fputs(",\"way\":", f);
  epi_page_ways(f, c->way, c->n);
  if (c->rate) fprintf(f, ",\"rate\":%d", c->rate_of);
  if (c->scattered) {
    fputs(",\"one\":{", f);
    epi_page_numbers(f, m, c->one, 1, c->n);
    fputs("},\"next\":{", f);
    epi_page_numbers(f, m, c->next, 1, c->n);
    fputc('}', f);
  }
  double *low = epi_arena_room(m, (size_t)(2*bands + 1)*sizeof *low), *high = low + bands;
  for (int i = 1, k = 0; i < c->n; i++) if (c->way[i] == WAY_BAND) low[k] = c->low[i], high[k++] = c->high[i];
  if (!bands) return;
  fputs(",\"low\":{", f);
  epi_page_numbers(f, m, low, 1, bands);
  fputs("},\"high\":{", f);
  epi_page_numbers(f, m, high, 1, bands);
  fputc('}', f);
}

static void put_run(FILE *f, const album *a, int r)
{
  const epi_result *j = a->run[r];
  put_key(f, "{\"name\":", j->name ? j->name : j->flow);
  put_key(f, ",\"flow\":", j->flow);
  put_key(f, ",\"status\":", j->status);
  fputs(",\"columns\":[", f);
  for (int i = 0; i < a->ncurve[r]; i++) {
    const curve *c = &a->curve[r][i];
    put_key(f, i ? ",\n{\"name\":" : "\n{\"name\":", c->name);
    put_key(f, ",\"unit\":", c->unit);
    fputc(',', f);
    epi_page_numbers(f, a->arena, c->x, 1, c->n);
    put_ways(f, a->arena, c);
    fputc('}', f);
  }
  fputs("],\n\"scene\":", f);
  epi_page_scene(f, a->arena, j->drawing, j->drawing ? epi_curve_motion(a->arena, a->curve[r], j->nq) : NULL);
  fputc('}', f);
}

static void put_data(FILE *f, const char *title, const chapter *c, int n)
{
  fputs("<script type=\"application/json\" id=\"epicycle-data\">", f);
  put_key(f, "{\"version\":\"" EPI_VERSION "\",\"title\":", title);
  fputs(",\"groups\":[", f);
  for (int g = 0; g < n; g++) {
    put_key(f, g ? ",\n{\"model\":" : "\n{\"model\":", c[g].model);
    fputs(",\"runs\":[", f);
    for (int r = 0; r < c[g].album.nrun; r++) {
      if (r) fputs(",\n", f);
      put_run(f, &c[g].album, r);
    }
    fputs("],\n\"panels\":[", f);
    for (int i = 0; i < c[g].album.npanel; i++) {
      if (i) fputs(",\n", f);
      put_panel(f, &c[g].album, &c[g].album.panel[i]);
    }
    fputs("]}", f);
  }
  fputs("]}</script>\n", f);
}

/* ---- all of it ---- */
/* what is to be written, and where: in one place, so that it can be left from any depth */
typedef struct report {
  epi_arena arena;
  const char *path, *title;
  const epi_result *const *all;
  int n, against;
  epi_draft draft;
} report;

/* runs that never began have no chapter, but they are told of */
static void put_refused(FILE *f, const epi_result *const *all, int n)
{
  for (int i = 0; i < n; i++) if (all[i] && !shows(all[i])) epi_page_trouble(f, all[i], all[i]->name ? all[i]->name : all[i]->model);
}

static void put_page(FILE *f, const char *title, const chapter *c, int n, const report *p, const epi_result *against)
{
  fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n", f);
  put_escaped(f, "<title>", title, "</title>\n<style>\n");
  fputs((const char *)epi_page_style, f);
  fputs("</style></head>\n<body>\n", f);
  put_escaped(f, "<header><h1>", title, "</h1><p class=\"about\">Epicycle " EPI_VERSION "</p></header>\n<main>\n");
  put_refused(f, p->all, p->n);
  for (int g = 0; g < n; g++) put_chapter(f, title, &c[g], g, against);
  fputs("</main>\n", f);
  if (has_script()) {
    fputs("<noscript><p class=\"failure\">The curves and the bodies of this page are drawn by a script, and scripts are switched off."
          "</p></noscript>\n", f);
    put_data(f, title, c, n);
    fputs("<script>\n", f);
    fputs((const char *)epi_page_script, f);
    fputs("\n</script>\n", f);
  }
  fputs("</body></html>\n", f);
}

/* a world has no name but that of its file */
static const char *title_of(const epi_result *r)
{
  const char *file = r->source && !epi_page_own_code(r->source) ? r->source : NULL, *slash = file ? strrchr(file, '/') : NULL;
  return slash ? slash + 1 : file ? file : r->model_name;
}

/* an old report is replaced by a whole one or not at all */
static int write_report(report *p)
{
  epi_arena *m = &p->arena;
  chapter *c = epi_arena_room(m, (size_t)p->n*sizeof *c);
  const epi_result *against = p->against >= 0 && p->against < p->n ? p->all[p->against] : NULL;
  int count = chapters_of(m, p->all, p->n, against, c);
  errno = 0;
  if (epi_draft_begin(&p->draft, p->path)) return -1;
  put_page(p->draft.f, p->title ? p->title : count ? title_of(c[0].album.run[0]) : "nothing was run", c, count, p, against);
  return epi_draft_end(&p->draft, 0);
}

/* 1: memory ran out */
static int attempt(report *p) { return setjmp(p->arena.out) ? 1 : write_report(p); }

int epi_report_write(const char *path, const char *title, const epi_result *const *all, int n, int against, char *error, size_t size)
{
  report p = {.path = path, .title = title, .all = all, .n = n, .against = against};
  int kept = 0;
  for (int i = 0; i < n; i++) kept += all[i] && all[i]->kept.x;
  if (!kept) return snprintf(error, size, "there are no rows to show in %s: make the results with .pictures = 1", path), -1;
  if (against >= n) return snprintf(error, size, "result %d, to compare with, is not one of the %d of %s", against, n, path), -1;
  int bad = attempt(&p);
  if (bad > 0) snprintf(error, size, "out of memory: %s is not written; the run itself is not touched by it", path);
  if (bad < 0)
    snprintf(error, size, "cannot write %s: %s; the run itself is not touched by it", path, errno ? strerror(errno) : "the disk is full");
  epi_draft_end(&p.draft, bad);
  epi_arena_free(&p.arena);
  return bad ? -1 : 0;
}
