/* map.c - numbers over a plane as colours: a PNG of a palette, in the SVG itself */
#include "map.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SHADES = 255, NONE = 255, BLOCK = 65535, BAR = 120, STRIPES = 24 };

/* from dark to light: told apart in grey too, and by those who see red and green alike */
static void shade(double part, unsigned char out[3])
{
  static const double stop[][3] = {{36, 20, 84}, {38, 76, 140}, {26, 130, 142}, {70, 176, 118}, {170, 214, 80}, {252, 236, 90}};
  double x = part*5;
  int k = x >= 5 ? 4 : (int)x;
  for (int i = 0; i < 3; i++) out[i] = (unsigned char)(stop[k][i] + (x - k)*(stop[k + 1][i] - stop[k][i]) + 0.5);
}

/* ---- PNG: chunks with their sums; the pixels are not compressed ---- */
typedef struct bytes { unsigned char *x; size_t n; uint32_t crc; } bytes;

static void put(bytes *b, const void *data, size_t n)
{
  const unsigned char *x = data;
  for (size_t i = 0; i < n; i++) {
    b->crc ^= x[i];
    for (int k = 0; k < 8; k++) b->crc = b->crc >> 1 ^ (b->crc & 1 ? 0xedb88320u : 0);
  }
  memcpy(b->x + b->n, data, n);
  b->n += n;
}

static void put_32(bytes *b, uint32_t v) { put(b, (const unsigned char[]){v >> 24, v >> 16 & 255, v >> 8 & 255, v & 255}, 4); }

static void begin_chunk(bytes *b, const char *kind, size_t n)
{
  put_32(b, (uint32_t)n);
  b->crc = 0xffffffffu;
  put(b, kind, 4);
}

static void end_chunk(bytes *b) { put_32(b, ~b->crc); }

/* of rows, each behind a zero that says "no filter" */
static void put_pixels(bytes *b, const unsigned char *raw, size_t n)
{
  uint32_t low = 1, high = 0;
  size_t blocks = (n + BLOCK - 1)/BLOCK;
  begin_chunk(b, "IDAT", 2 + 5*blocks + n + 4);
  put(b, "\x78\x01", 2);
  for (size_t at = 0; at < n; at += BLOCK) {
    unsigned m = (unsigned)(n - at < BLOCK ? n - at : BLOCK);
    put(b, (const unsigned char[]){at + m == n, m & 255, m >> 8, ~m & 255, ~m >> 8 & 255}, 5);
    put(b, raw + at, m);
  }
  for (size_t i = 0; i < n; i++) low = (low + raw[i]) % 65521, high = (high + low) % 65521;
  put_32(b, high << 16 | low);
  end_chunk(b);
}

static bytes png_of(const plot_map *m, const unsigned char *raw)
{
  size_t n = (size_t)m->ny*((size_t)m->nx + 1);
  bytes b = {.x = malloc(n + 5*(n/BLOCK + 2) + 2048)};
  unsigned char colour[3];
  if (!b.x) return b;
  put(&b, "\x89PNG\r\n\x1a\n", 8);
  begin_chunk(&b, "IHDR", 13);
  put_32(&b, (uint32_t)m->nx);
  put_32(&b, (uint32_t)m->ny);
  put(&b, "\x08\x03\x00\x00\x00", 5);
  end_chunk(&b);
  begin_chunk(&b, "PLTE", 3*(SHADES + 1));
  for (int i = 0; i < SHADES; i++) {
    shade(i/(SHADES - 1.0), colour);
    put(&b, colour, 3);
  }
  put(&b, "\xd0\xd4\xd8", 3);
  end_chunk(&b);
  put_pixels(&b, raw, n);
  begin_chunk(&b, "IEND", 0);
  end_chunk(&b);
  return b;
}

static void put_base64(FILE *f, const bytes *b)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < b->n; i += 3) {
    size_t left = b->n - i;
    uint32_t v = (uint32_t)b->x[i] << 16 | (left > 1 ? (uint32_t)b->x[i + 1] << 8 : 0) | (left > 2 ? b->x[i + 2] : 0);
    char out[4] = {digits[v >> 18], digits[v >> 12 & 63], left > 1 ? digits[v >> 6 & 63] : '=', left > 2 ? digits[v & 63] : '='};
    fwrite(out, 1, 4, f);
  }
}

/* ---- the scale ---- */
static void put_scale(FILE *f, double low, double high, double right, double y)
{
  unsigned char c[3];
  fprintf(f, "<text x='%.1f' y='%.1f' text-anchor='end'>%.4g</text>", right - BAR - 56, y, low);
  for (int i = 0; i < STRIPES; i++) {
    shade(i/(STRIPES - 1.0), c);
    fprintf(f, "<rect x='%.1f' y='%.1f' width='%.1f' height='10' fill='#%02x%02x%02x'/>", right - BAR - 50 + i*(double)BAR/STRIPES, y - 9,
            (double)BAR/STRIPES + 0.3, c[0], c[1], c[2]);
  }
  fprintf(f, "<text x='%.1f' y='%.1f'>%.4g</text>\n", right - 46, y, high);
}

void epi_map_write(const plot_map *m, double x, double y, double w, double h, FILE *f)
{
  double low = INFINITY, high = -INFINITY;
  long n = (long)m->nx*m->ny;
  for (long i = 0; i < n; i++) if (isfinite(m->z[i])) low = fmin(low, m->z[i]), high = fmax(high, m->z[i]);
  unsigned char *raw = malloc((size_t)m->ny*((size_t)m->nx + 1));
  for (int r = 0; raw && r < m->ny; r++) {
    unsigned char *to = raw + (size_t)(m->ny - 1 - r)*((size_t)m->nx + 1);
    *to++ = 0;
    for (int c = 0; c < m->nx; c++) {
      double z = m->z[(long)r*m->nx + c], part = high > low ? (z - low)/(high - low) : 0.5;
      to[c] = isfinite(z) ? (unsigned char)lround(part*(SHADES - 1)) : NONE;
    }
  }
  bytes b = raw ? png_of(m, raw) : (bytes){0};
  fprintf(f, "<image x='%.1f' y='%.1f' width='%.1f' height='%.1f' preserveAspectRatio='none' style='image-rendering:pixelated' "
          "href='data:image/png;base64,", x, y, w, h);
  if (b.x) put_base64(f, &b);
  fputs("'/>\n", f);
  if (low <= high) put_scale(f, low, high, x + w, y - 9);
  free(b.x);
  free(raw);
}
