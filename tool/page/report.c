/* report.c - one page that needs nothing beside it: what was run, what came out, pictures
 *
 * The tables are plain HTML, written here. The script, where it was built, draws curves and bodies from the data behind them; without it every
 * picture stands in the page as SVG. */
#include "page.h"
#include "embedded.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int has_script(void) { return PAGE_SCRIPT[0] != 0; }

static void put_escaped(FILE *f, const char *before, const char *s, const char *after)
{
  char *e = escaped(s ? s : "");
  fprintf(f, "%s%s%s", before, e, after);
  free(e);
}

/* ---- chapters: runs of one model with the same columns ---- */
static int alike(const job *a, const job *b)
{
  int n = 1 + epi_size(&a->c->system) + a->nobs;
  if (strcmp(a->c->model->name, b->c->model->name) || n != 1 + epi_size(&b->c->system) + b->nobs || a->ndrift != b->ndrift) return 0;
  for (int i = 0; i < n; i++) if (strcmp(a->column[i], b->column[i])) return 0;
  for (int i = 0; i < a->ndrift; i++) if (strcmp(a->drift[i].what->name, b->drift[i].what->name)) return 0;
  return 1;
}

/* a run that was refused has nothing to show */
static int shows(const job *j) { return j->kept.x && j->kept.rows > 0; }

static int chapters_of(const job *j, int n, chapter *out)
{
  const job **same = need((size_t)n*sizeof *same);
  char *done = need((size_t)n);
  int m = 0;
  for (int i = 0; i < n; i++) {
    int k = 0;
    if (done[i] || !shows(&j[i])) continue;
    for (int r = i; r < n; r++)
      if (!done[r] && shows(&j[r]) && alike(&j[i], &j[r])) {
        same[k++] = &j[r];
        done[r] = 1;
      }
    out[m] = (chapter){.album = album_of(same, k), .model = j[i].c->model->name};
    for (int r = 0; r < k; r++) if (scene_shapes(same[r])) out[m].seen = 1;
    m++;
  }
  free(same);
  free(done);
  return m;
}

/* ---- the visible part ---- */
static void put_figure(FILE *f, const album *a, int g, int i)
{
  fprintf(f, "<figure class=\"plot\" data-group=\"%d\" data-panel=\"%d\">", g, i);
  put_escaped(f, "<figcaption>", a->panel[i].title, "</figcaption>");
  if (!has_script()) picture_panel(a, i, f);
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

static void put_chapter(FILE *f, const char *title, const chapter *c, int g, const job *against)
{
  const epi_model *m = c->album.run[0]->c->model;
  fprintf(f, "<section class=\"group\" id=\"group-%d\" data-group=\"%d\">\n", g, g);
  if (strcmp(c->model, title)) put_escaped(f, "<h2>", c->model, "</h2>\n");
  put_escaped(f, "<p class=\"doc\">", m->doc, "</p>\n");
  if (c->seen && has_script()) fprintf(f, "<figure class=\"view\" data-group=\"%d\"></figure>\n", g);
  tables_write(f, c, against);
  put_figures(f, &c->album, g);
  for (int r = 0; r < c->album.nrun; r++) run_write(f, c->album.run[r], c->album.nrun == 1);
  fputs("</section>\n", f);
}

/* ---- the data ---- */
static const char *const panel_kinds[] = {[OVER_TIME] = "time", [PORTRAIT] = "portrait", [STEPS] = "steps"};
static const char *const line_styles[] = {[STYLE_LINE] = "line", [STYLE_FAINT] = "faint"};

static void put_key(FILE *f, const char *key, const char *value)
{
  fputs(key, f);
  page_text(f, value);
}

static void put_panel(FILE *f, const panel *p)
{
  fprintf(f, "{\"kind\":\"%s\"", panel_kinds[p->kind]);
  put_key(f, ",\"title\":", p->title);
  put_key(f, ",\"x\":{\"name\":", p->xname);
  put_key(f, ",\"unit\":", p->xunit);
  put_key(f, "},\"y\":{\"name\":", p->yname);
  put_key(f, ",\"unit\":", p->yunit);
  fprintf(f, ",\"log\":%s},\"lines\":[", p->log ? "true" : "false");
  for (int i = 0; i < p->nline; i++) {
    const line *l = &p->line[i];
    fprintf(f, "%s{\"run\":%d,\"x\":%d,\"y\":%d,\"look\":\"%s\",\"name\":", i ? "," : "", l->run, l->x, l->y, line_styles[l->style]);
    page_text(f, l->name);
    fputc('}', f);
  }
  fputs("]}", f);
}

static void put_run(FILE *f, const album *a, int r)
{
  const job *j = a->run[r];
  put_key(f, "{\"name\":", j->ask.name ? j->ask.name : j->text);
  put_key(f, ",\"flow\":", j->text);
  put_key(f, ",\"status\":", j->status);
  fputs(",\"columns\":[", f);
  for (int i = 0; i < a->ncurve[r]; i++) {
    const curve *c = &a->curve[r][i];
    put_key(f, i ? ",\n{\"name\":" : "\n{\"name\":", c->name);
    put_key(f, ",\"unit\":", c->unit);
    fputc(',', f);
    page_numbers(f, c->x, 1, c->n);
    fputc('}', f);
  }
  fputs("],\n\"scene\":", f);
  scene_write(f, j);
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
      put_panel(f, &c[g].album.panel[i]);
    }
    fputs("]}", f);
  }
  fputs("]}</script>\n", f);
}

/* ---- all of it ---- */
static void put_page(FILE *f, const char *title, const chapter *c, int n, const job *against)
{
  fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n", f);
  put_escaped(f, "<title>", title, "</title>\n<style>\n");
  fputs((const char *)PAGE_STYLE, f);
  fputs("</style></head>\n<body>\n", f);
  put_escaped(f, "<header><h1>", title, "</h1><p class=\"about\">Epicycle " EPI_VERSION "</p></header>\n<main>\n");
  for (int g = 0; g < n; g++) put_chapter(f, title, &c[g], g, against);
  fputs("</main>\n", f);
  if (has_script()) {
    fputs("<noscript><p class=\"failure\">The curves and the bodies of this page are drawn by a script, and scripts are switched off.</p></noscript>\n", f);
    put_data(f, title, c, n);
    fputs("<script>\n", f);
    fputs((const char *)PAGE_SCRIPT, f);
    fputs("\n</script>\n", f);
  }
  fputs("</body></html>\n", f);
}

/* a world has no name but that of its file */
static const char *title_of(const job *j)
{
  const char *file = j->ask.own && j->ask.source && !load_names(j->ask.source) ? j->ask.source : NULL, *slash = file ? strrchr(file, '/') : NULL;
  return slash ? slash + 1 : file ? file : j->c->model->name;
}

int report_write(const char *path, const char *title, const job *j, int n, int against)
{
  chapter *c = need((size_t)n*sizeof *c);
  int m = chapters_of(j, n, c), bad = 0;
  /* beside itself and renamed: an old report is replaced by a whole one or not at all */
  char *fresh = disk_size(path) == -2 ? text("%s", path) : text("%s.new", path);
  errno = 0;
  FILE *f = fopen(fresh, "w");
  if (f) put_page(f, title ? title : m ? title_of(c[0].album.run[0]) : "nothing was run", c, m, against >= 0 ? &j[against] : NULL);
  bad = !f || ferror(f);
  if (f && fclose(f)) bad = 1;
  if (!bad && strcmp(fresh, path)) bad = disk_replace(fresh, path);
  if (bad) say(FAILED, "cannot write %s: %s; the run itself is not touched by it", path, errno ? strerror(errno) : "the disk is full");
  if (bad && strcmp(fresh, path)) remove(fresh);
  for (int i = 0; i < m; i++) album_free(&c[i].album);
  free(fresh);
  free(c);
  return bad ? FAILED : 0;
}
