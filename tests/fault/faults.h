/* faults.h - calls that are counted, and fail on demand */
#ifndef FAULTS_H
#define FAULTS_H

enum { ONCE, FROM_THEN_ON, KINDS };    /* only the k-th call fails, or all from the k-th on */
typedef struct faults { long calls, at, refused; int kind; } faults;

static inline int faults_refuse(faults *f) {
  f->calls++;
  int no = f->at && (f->kind == ONCE ? f->calls == f->at : f->calls >= f->at);
  f->refused += no;
  return no;
}
#endif
