/* ends.c - the two ends of what stands between bodies */
#include "file/model-file.h"

/* ---- what acts ---- */
/* between two bodies, or a body and the ground */
int epi_file_ends_read(source *s, const item *it, const char *what, int a, int b)
{
  if (!epi_item_of(it, "a")) return epi_field_missing(s->d, it, what, "a", "the name of a body");
  if (a < 0) return epi_document_wrong(s->d, epi_item_of(it, "a"), "a is the ground: write the body there, and the ground at b");
  if (a == b)
    return epi_document_wrong(s->d, epi_item_of(it, "b"), "a and b are both '%s': %s is between two bodies, or a body and the ground",
                              s->body.name[a], what);
  return 0;
}

const epi_body *epi_file_body(const described *w, int body) { return body < 0 ? NULL : &w->body[body].body; }

double epi_file_apart(const described *w, int a, const double *at_a, int b, const double *at_b)
{
  double x[3], y[3];
  epi_file_out_of(epi_file_body(w, a), at_a, x);
  epi_file_out_of(epi_file_body(w, b), at_b, y);
  return epi_file_distance(x, y);
}

int epi_file_stiff(const item *it, int told) { return !epi_item_of(it, "stiff") ? 0 : told ? 1 : -1; }

/* ---- the axes of a joint that have one meaning ---- */
int epi_joint_free(const epi_joint *j)
{
  if (j->hold == EPI_UNIVERSAL) return EPI_RX | EPI_RZ | EPI_SWING;
  if (j->hold & ~EPI_ALL || (j->kind && j->kind->rows)) return 0;
  int turns = EPI_TURNS & ~j->hold, one = !(turns & (turns - 1));
  return (EPI_POINT & ~j->hold) | (one ? turns : EPI_SWING);
}
