/* scene.c - the drawing of a run as JSON for the page
 *
 * Numbers travel as 32-bit floats beside a base in the middle of their range: seven digits of how they change, whatever they change
 * about. */
#include "page.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- text and numbers ---- */
/* inside a script no < may begin a tag */
void epi_page_text(FILE *f, const char *s)
{
  char letter[8];
  if (!s) { fputs("null", f); return; }
  fputc('"', f);
  while (*s) {
    s += epi_json_letter(s, letter);
    fputs(*letter == '<' ? "\\u003c" : letter, f);
  }
  fputc('"', f);
}

static void base64(FILE *f, const unsigned char *x, size_t n)
{
  static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    unsigned long three = (unsigned long)x[i] << 16 | (i + 1 < n ? (unsigned long)x[i+1] << 8 : 0) | (i + 2 < n ? x[i+2] : 0);
    char four[] = {letter[three >> 18], letter[three >> 12 & 63],
                   i + 1 < n ? letter[three >> 6 & 63] : '=', i + 2 < n ? letter[three & 63] : '='};
    fwrite(four, 1, sizeof four, f);
  }
}

/* what is farther is in no picture: a run that went there is lost, and a place on a scale of floats it has not */
static const double FAR = 1e30;

/* the base is a float itself, so that zero comes back as zero */
static double middle(const double *x, size_t stride, int n)
{
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < n; i++) {
    double v = x[(size_t)i*stride];
    if (!(fabs(v) < FAR)) continue;
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
  return n > 0 && fabs(x[0]) < FAR;
}

void epi_page_numbers(FILE *f, epi_arena *m, const double *x, size_t stride, int n)
{
  int flat = constant(x, stride, n);
  double base = flat ? x[0] : middle(x, stride, n);
  if (!isfinite(base)) base = 0;
  fprintf(f, "\"n\":%d,\"base\":", n);
  epi_json_number(f, base);
  if (flat || !n) return;
  unsigned char *bytes = epi_arena_room(m, 4*(size_t)n);
  for (int i = 0; i < n; i++) {
    float v = fabs(x[(size_t)i*stride]) < FAR ? (float)(x[(size_t)i*stride] - base) : NAN;
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    for (int k = 0; k < 4; k++) bytes[4*i + k] = (unsigned char)(bits >> 8*k);
  }
  fputs(",\"f32\":\"", f);
  base64(f, bytes, 4*(size_t)n);
  fputc('"', f);
}

/* ---- shapes ---- */
enum { AT = 0, ATTITUDE = 3, TO = 7 };
static const struct { const char *name; int ends; } kinds[] = {
  [EPI_BALL] = {"ball", 0}, [EPI_BOX] = {"box", 0}, [EPI_CYLINDER] = {"cylinder", 0}, [EPI_CONE] = {"cone", 0}, [EPI_RING] = {"ring", 0},
  [EPI_RACE] = {"race", 0}, [EPI_CAGE] = {"cage", 0}, [EPI_BAR] = {"bar", 1},
  [EPI_COIL] = {"coil", 1}, [EPI_ARROW] = {"arrow", 1}, [EPI_FLOOR] = {"floor", 0},
};
enum { NKIND = sizeof kinds/sizeof *kinds };
static const char *const looks[] = {"plain", "steel", "brass", "dark", "glass", "bright"};
enum { NLOOK = sizeof looks/sizeof *looks };

static void put_channels(FILE *f, epi_arena *m, const char *key, const double *x, int shapes, int rows, int first, int n)
{
  fprintf(f, ",\"%s\":[", key);
  for (int k = 0; k < n; k++) {
    fputs(k ? ",{" : "{", f);
    epi_page_numbers(f, m, x + first + k, (size_t)shapes*EPI_CHANNELS, rows);
    fputc('}', f);
  }
  fputc(']', f);
}

static void put_shape(FILE *f, epi_arena *m, const epi_shape *s, const double *x, int shapes, int rows)
{
  int kind = s->kind >= 0 && s->kind < NKIND ? s->kind : EPI_BALL, ends = kinds[kind].ends;
  fputs("{\"name\":", f);
  epi_page_text(f, s->name ? s->name : "");
  fprintf(f, ",\"kind\":\"%s\",\"look\":\"%s\",\"unit\":", kinds[kind].name,
          looks[s->appearance >= 0 && s->appearance < NLOOK ? s->appearance : 0]);
  epi_page_text(f, s->unit ? s->unit : "");
  fprintf(f, ",\"trail\":%s,\"size\":[", s->trail ? "true" : "false");
  for (int i = 0; i < 5; i++) {
    if (i) fputc(',', f);
    epi_json_number(f, s->size[i]);
  }
  fputc(']', f);
  put_channels(f, m, "at", x, shapes, rows, AT, 3);
  if (ends) put_channels(f, m, "to", x, shapes, rows, TO, 3);
  else put_channels(f, m, "attitude", x, shapes, rows, ATTITUDE, 4);
  fputc('}', f);
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
      along(s, x + ((size_t)r*(size_t)n + (size_t)i)*EPI_CHANNELS + AT, far);
      for (int k = 0; k < 2; k++) if (isfinite(far[k])) s->size[k] = fmax(s->size[k], 2*fabs(far[k]) + 4*size);
    }
  }
}

void epi_page_ways(FILE *f, const char *way, int n)
{
  fputc('"', f);
  for (int i = 1, many = 1; i < n; i++, many++) {
    if (i + 1 < n && way[i+1] == way[i]) continue;
    fprintf(f, "%c%d", way[i], many);
    many = 0;
  }
  fputc('"', f);
}

void epi_page_scene(FILE *f, epi_arena *m, const epi_drawing *d, const char *way)
{
  if (!d) { fputs("null", f); return; }
  fputs("{\"way\":", f);
  epi_page_ways(f, way, d->rows);
  fputs(",\"shapes\":[", f);
  for (int i = 0; i < d->shapes; i++) {
    epi_shape s = d->shape[i];
    if (s.kind == EPI_FLOOR) widen(&s, d->shape, d->x, d->shapes, d->rows);
    if (i) fputs(",\n", f);
    put_shape(f, m, &s, d->x + (size_t)i*EPI_CHANNELS, d->shapes, d->rows);
  }
  fputs("]}", f);
}
