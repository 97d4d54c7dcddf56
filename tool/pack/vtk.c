/* vtk.c - bodies for ParaView: a list of frames (.pvd), each a file of faces and lines (.vtp, VTK's XML for PolyData)
 *
 * Arrays are in base64 after their number of bytes. Every point says which shape it is of, from 0 in the order of the names in the field
 * data, and its appearance; an arrow is a point with its vector. */
#include "mesh.h"
#include "pack.h"
#include "page/draft.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TO = 7 };

/* all shapes one after the other, as every frame has them; points move */
typedef struct scene {
  const epi_drawing *d;
  mesh *part;
  int points, dots;
  double *x, *vector;
  int *shape, *look;
  long long *face, *line, *dot, nface, nline;
} scene;

static void base64(FILE *f, const unsigned char *x, size_t n)
{
  static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    unsigned long three = (unsigned long)x[i] << 16 | (i + 1 < n ? (unsigned long)x[i+1] << 8 : 0) | (i + 2 < n ? x[i+2] : 0);
    const char four[] = {letter[three >> 18], letter[three >> 12 & 63], i + 1 < n ? letter[three >> 6 & 63] : '=',
                         i + 2 < n ? letter[three & 63] : '='};
    fwrite(four, 1, sizeof four, f);
  }
}

static void put_array(FILE *f, const char *type, const char *name, int width, const void *x, size_t bytes)
{
  uint64_t size = bytes;
  unsigned char *all = need(sizeof size + bytes);
  memcpy(all, &size, sizeof size);
  if (bytes) memcpy(all + sizeof size, x, bytes);
  fprintf(f, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">", type, name, width);
  base64(f, all, sizeof size + bytes);
  fputs("</DataArray>\n", f);
  free(all);
}

static void put_cells(FILE *f, const char *kind, const long long *corner, long long n, int corners)
{
  long long *end = need(((size_t)n + 1)*sizeof *end);
  for (long long i = 0; i < n; i++) end[i] = (i + 1)*corners;
  fprintf(f, "<%s>\n", kind);
  put_array(f, "Int64", "connectivity", 1, corner, (size_t)(n*corners)*sizeof *corner);
  put_array(f, "Int64", "offsets", 1, end, (size_t)n*sizeof *end);
  fprintf(f, "</%s>\n", kind);
  free(end);
}

/* words have the numbers of their letters, with a 0 after each */
static void put_names(FILE *f, const epi_drawing *d)
{
  fprintf(f, "<Array type=\"String\" Name=\"names\" NumberOfTuples=\"%d\" format=\"ascii\">", d->shapes);
  for (int i = 0; i < d->shapes; i++) {
    for (const char *c = d->shape[i].name ? d->shape[i].name : ""; *c; c++) fprintf(f, "%d ", (unsigned char)*c);
    fputs("0 ", f);
  }
  fputs("</Array>\n", f);
}

static scene scene_of(const epi_drawing *d)
{
  scene s = {.d = d, .part = need((size_t)d->shapes*sizeof *s.part)};
  for (int i = 0; i < d->shapes; i++) {
    s.part[i] = mesh_of(&d->shape[i]);
    s.points += s.part[i].points;
    s.dots += s.part[i].dots;
    s.nface += s.part[i].faces;
    s.nline += s.part[i].lines;
  }
  s.x = need(((size_t)s.points + 1)*6*sizeof *s.x);
  s.vector = s.x + 3*(size_t)s.points;
  s.shape = need(((size_t)s.points + 1)*2*sizeof *s.shape);
  s.look = s.shape + s.points;
  s.face = need((size_t)(4*s.nface + 2*s.nline + s.dots + 1)*sizeof *s.face);
  s.line = s.face + 4*s.nface;
  s.dot = s.line + 2*s.nline;
  long long *face = s.face, *line = s.line, *dot = s.dot, first = 0;
  for (int i = 0; i < d->shapes; i++) {
    const mesh *m = &s.part[i];
    for (int k = 0; k < 4*m->faces; k++) *face++ = first + m->face[k];
    for (int k = 0; k < 2*m->lines; k++) *line++ = first + m->line[k];
    for (int k = 0; k < m->dots; k++) *dot++ = first + k;
    for (int k = 0; k < m->points; k++, first++) s.shape[first] = i, s.look[first] = d->shape[i].appearance;
  }
  return s;
}

static void scene_free(scene *s)
{
  for (int i = 0; i < s->d->shapes; i++) mesh_free(&s->part[i]);
  free(s->part);
  free(s->x);
  free(s->shape);
  free(s->face);
}

static void place(scene *s, int row)
{
  long long first = 0;
  for (int i = 0; i < s->d->shapes; i++) {
    const double *at = s->d->x + ((size_t)row*(size_t)s->d->shapes + (size_t)i)*EPI_CHANNELS;
    mesh_place(&s->part[i], s->d->shape[i].kind, at, s->x + 3*first);
    if (s->part[i].dots) memcpy(s->vector + 3*first, at + TO, 3*sizeof *at);
    first += s->part[i].points;
  }
}

static const char *order(void) { const int one = 1; return *(const char *)&one ? "LittleEndian" : "BigEndian"; }

static void put_frame(FILE *f, const scene *s, double t)
{
  size_t n = (size_t)s->points;
  fprintf(f, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n<PolyData>\n"
          "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%s</DataArray>\n", order(),
          shortest(t).text);
  put_names(f, s->d);
  fprintf(f, "</FieldData>\n<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"%lld\" NumberOfStrips=\"0\" "
          "NumberOfPolys=\"%lld\">\n<PointData>\n", s->points, s->dots, s->nline, s->nface);
  put_array(f, "Int32", "shape", 1, s->shape, n*sizeof *s->shape);
  put_array(f, "Int32", "appearance", 1, s->look, n*sizeof *s->look);
  if (s->dots) put_array(f, "Float64", "vector", 3, s->vector, 3*n*sizeof *s->vector);
  fputs("</PointData>\n<Points>\n", f);
  put_array(f, "Float64", "Points", 3, s->x, 3*n*sizeof *s->x);
  fputs("</Points>\n", f);
  put_cells(f, "Verts", s->dot, s->dots, 1);
  put_cells(f, "Lines", s->line, s->nline, 2);
  put_cells(f, "Polys", s->face, s->nface, 4);
  fputs("</Piece>\n</PolyData>\n</VTKFile>\n", f);
}

/* ---- the files ---- */
static int write_frame(const scene *s, double t, const char *path)
{
  epi_draft d;
  int bad = epi_draft_begin(&d, path);
  if (!bad) put_frame(d.f, s, t);
  return bad ? bad : epi_draft_end(&d, 0);
}

static void put_xml(FILE *f, const char *s)
{
  for (; *s; s++) {
    if (strchr("&<>\"", *s)) fprintf(f, "&#%d;", *s);
    else fputc(*s, f);
  }
}

static int write_list(const epi_result *r, const char *path, const char *folder)
{
  epi_draft d;
  const char *slash = strrchr(folder, '/');
  int bad = epi_draft_begin(&d, path);
  if (bad) return bad;
  fprintf(d.f, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"%s\">\n<Collection>\n", order());
  for (int i = 0; i < r->drawing->rows; i++) {
    fprintf(d.f, "<DataSet timestep=\"%s\" part=\"0\" file=\"", shortest(r->kept.x[(size_t)i*(size_t)r->kept.n]).text);
    put_xml(d.f, slash ? slash + 1 : folder);
    fprintf(d.f, "/%06d.vtp\"/>\n", i);
  }
  fputs("</Collection>\n</VTKFile>\n", d.f);
  return epi_draft_end(&d, 0);
}

int vtk_write(const epi_result *r, const char *path, char *why, size_t size)
{
  if (!r->drawing)
    return snprintf(why, size, "%s is not written: this model has no bodies to be seen; give --out a .csv, .npz or .h5", path), -1;
  char *folder = text("%.*s", (int)(strlen(path) - 4), path);
  scene s = scene_of(r->drawing);
  errno = 0;
  int bad = mkdir(folder, 0777) && errno != EEXIST;
  for (int i = 0; i < r->drawing->rows && !bad; i++) {
    char *file = text("%s/%06d.vtp", folder, i);
    place(&s, i);
    bad = write_frame(&s, r->kept.x[(size_t)i*(size_t)r->kept.n], file);
    free(file);
  }
  if (!bad) bad = write_list(r, path, folder);
  if (bad) snprintf(why, size, "cannot write %s and its folder %s: %s", path, folder, strerror(errno ? errno : EIO));
  scene_free(&s);
  free(folder);
  return bad ? -1 : 0;
}
