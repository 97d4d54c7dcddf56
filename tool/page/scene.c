/* scene.c - what the model of a run looked like at the rows that were kept, as JSON for the page
 *
 * Numbers travel as 32-bit floats beside a base in the middle of their range: seven digits of how they change, whatever they change about. */
#include "page.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- text and numbers ---- */
/* inside a script no < may begin a tag */
void page_text(FILE *f, const char *s)
{
  char *all = NULL;
  size_t n = 0;
  FILE *m = open_memstream(&all, &n);
  if (!m) no_room();
  json_text(m, s);
  fclose(m);
  for (size_t i = 0; i < n; i++) {
    if (all[i] == '<') fputs("\\u003c", f);
    else fputc(all[i], f);
  }
  free(all);
}

static void base64(FILE *f, const unsigned char *x, size_t n)
{
  static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    unsigned long three = (unsigned long)x[i] << 16 | (i + 1 < n ? (unsigned long)x[i+1] << 8 : 0) | (i + 2 < n ? x[i+2] : 0);
    char four[] = {letter[three >> 18], letter[three >> 12 & 63], i + 1 < n ? letter[three >> 6 & 63] : '=', i + 2 < n ? letter[three & 63] : '='};
    fwrite(four, 1, sizeof four, f);
  }
}

/* the base is a float itself, so that zero comes back as zero */
static double middle(const double *x, size_t stride, int n)
{
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < n; i++) {
    double v = x[(size_t)i*stride];
    if (!isfinite(v)) continue;
    least = fmin(least, v);
    most = fmax(most, v);
  }
  if (!(least < most)) return least;
  double mid = least/2 + most/2;
  return fabs(mid) < 3e38 ? (double)(float)mid : 0;
}

static int constant(const double *x, size_t stride, int n)
{
  for (int i = 1; i < n; i++) if (!(x[(size_t)i*stride] == x[0])) return 0;
  return n > 0 && isfinite(x[0]);
}

void page_numbers(FILE *f, const double *x, size_t stride, int n)
{
  int flat = constant(x, stride, n);
  double base = flat ? x[0] : middle(x, stride, n);
  if (!isfinite(base)) base = 0;
  fprintf(f, "\"n\":%d,\"base\":", n);
  json_number(f, base);
  if (flat || !n) return;
  unsigned char *bytes = need(4*(size_t)n);
  for (int i = 0; i < n; i++) {
    float v = (float)(x[(size_t)i*stride] - base);
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    for (int k = 0; k < 4; k++) bytes[4*i + k] = (unsigned char)(bits >> 8*k);
  }
  fputs(",\"f32\":\"", f);
  base64(f, bytes, 4*(size_t)n);
  fputc('"', f);
  free(bytes);
}

/* ---- shapes ---- */
enum { AT = 0, ATTITUDE = 3, TO = 7, CHANNELS = 10 };
static const struct { const char *name; int ends; } kinds[] = {
  [EPI_BALL] = {"ball", 0}, [EPI_BOX] = {"box", 0}, [EPI_CYLINDER] = {"cylinder", 0}, [EPI_CONE] = {"cone", 0}, [EPI_RING] = {"ring", 0},
  [EPI_RACE] = {"race", 0}, [EPI_CAGE] = {"cage", 0}, [EPI_BAR] = {"bar", 1}, [EPI_COIL] = {"coil", 1}, [EPI_ARROW] = {"arrow", 1}, [EPI_FLOOR] = {"floor", 0},
};
enum { NKIND = sizeof kinds/sizeof *kinds };
static const char *const looks[] = {"plain", "steel", "brass", "dark", "glass", "bright"};
enum { NLOOK = sizeof looks/sizeof *looks };

/* the state of a row: the phase follows the time */
static epi_state state_of(const job *j, double *row)
{
  const epi_case *c = j->c;
  return (epi_state){.t = row[0], .y = row + 1, .theta = c->theta + c->system.phase_rate*(row[0] - c->t)};
}

static void put_channels(FILE *f, const char *key, const double *x, int shapes, int rows, int first, int n)
{
  fprintf(f, ",\"%s\":[", key);
  for (int k = 0; k < n; k++) {
    fputs(k ? ",{" : "{", f);
    page_numbers(f, x + first + k, (size_t)shapes*CHANNELS, rows);
    fputc('}', f);
  }
  fputc(']', f);
}

static void put_shape(FILE *f, const epi_shape *s, const double *x, int shapes, int rows)
{
  int kind = s->kind >= 0 && s->kind < NKIND ? s->kind : EPI_BALL, ends = kinds[kind].ends;
  fputs("{\"name\":", f);
  page_text(f, s->name ? s->name : "");
  fprintf(f, ",\"kind\":\"%s\",\"look\":\"%s\",\"unit\":", kinds[kind].name, looks[s->appearance >= 0 && s->appearance < NLOOK ? s->appearance : 0]);
  page_text(f, s->unit ? s->unit : "");
  fprintf(f, ",\"trail\":%s,\"size\":[", s->trail ? "true" : "false");
  for (int i = 0; i < 5; i++) {
    if (i) fputc(',', f);
    json_number(f, s->size[i]);
  }
  fputc(']', f);
  put_channels(f, "at", x, shapes, rows, AT, 3);
  if (ends) put_channels(f, "to", x, shapes, rows, TO, 3);
  else put_channels(f, "attitude", x, shapes, rows, ATTITUDE, 4);
  fputc('}', f);
}

static void channels_of(const epi_shape *s, double *x)
{
  static const double still[4] = {1, 0, 0, 0};
  const double *a = s->attitude;
  memcpy(x + AT, s->at, sizeof s->at);
  memcpy(x + ATTITUDE, a[0] == 0 && a[1] == 0 && a[2] == 0 && a[3] == 0 ? still : a, sizeof still);
  memcpy(x + TO, s->to, sizeof s->to);
}

/* ---- floors reach under everything that moves: a plane has no end ---- */
/* how far x lies from the place of a shape along its own x and y */
static void along(const epi_shape *s, const double *x, double *out)
{
  const double *q = s->attitude, d[3] = {x[0] - s->at[0], x[1] - s->at[1], x[2] - s->at[2]};
  double w = q[0], a = q[1], b = q[2], c = q[3], n = w*w + a*a + b*b + c*c;
  if (n == 0) w = n = 1;
  out[0] = ((w*w + a*a - b*b - c*c)*d[0] + 2*(a*b + w*c)*d[1] + 2*(a*c - w*b)*d[2])/n;
  out[1] = (2*(a*b - w*c)*d[0] + (w*w - a*a + b*b - c*c)*d[1] + 2*(b*c + w*a)*d[2])/n;
}

static void widen(epi_shape *s, const epi_shape *all, const double *x, int n, int rows)
{
  for (int i = 0; i < n; i++) {
    double far[2], size = all[i].kind == EPI_BALL ? all[i].size[0] : 0;
    if (all[i].kind == EPI_FLOOR || all[i].kind == EPI_ARROW) continue;
    for (int r = 0; r < rows; r++) {
      along(s, x + ((size_t)r*(size_t)n + (size_t)i)*CHANNELS + AT, far);
      for (int k = 0; k < 2; k++) if (isfinite(far[k])) s->size[k] = fmax(s->size[k], 2*fabs(far[k]) + 4*size);
    }
  }
}

int scene_shapes(const job *j)
{
  epi_scene none = {0};
  if (j->crashed || !j->kept.rows) return 0;
  epi_state s = state_of(j, j->kept.x);
  int n = epi_case_draw(j->c, &s, &none);
  return n > 0 ? n : 0;
}

void scene_write(FILE *f, const job *j)
{
  int n = scene_shapes(j), rows = j->kept.rows;
  if (!n) { fputs("null", f); return; }
  epi_shape *first = need((size_t)n*sizeof *first), *now = need((size_t)n*sizeof *now);
  double *x = need((size_t)n*(size_t)rows*CHANNELS*sizeof *x);
  for (int r = 0; r < rows; r++) {
    epi_state s = state_of(j, j->kept.x + (size_t)r*(size_t)j->kept.n);
    epi_scene scene = {.room = n, .shape = r ? now : first};
    int there = epi_case_draw(j->c, &s, &scene);
    for (int i = 0; i < n; i++) channels_of(i < there ? &scene.shape[i] : &first[i], x + ((size_t)r*(size_t)n + (size_t)i)*CHANNELS);
  }
  fputs("{\"shapes\":[", f);
  for (int i = 0; i < n; i++) {
    if (first[i].kind == EPI_FLOOR) widen(&first[i], first, x, n, rows);
    if (i) fputs(",\n", f);
    put_shape(f, &first[i], x + (size_t)i*CHANNELS, n, rows);
  }
  fputs("]}", f);
  free(x);
  free(now);
  free(first);
}
