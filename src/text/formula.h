/* formula.h - a formula as a program for a stack, shared by what reads it and what runs it */
#ifndef EPI_FORMULA_H
#define EPI_FORMULA_H
#include "epicycle/formula.h"
#include "core.h"

/* the most that a formula has: steps of its program, numbers on its stack */
enum { EPI_FORMULA_STEPS = 1000, EPI_FORMULA_STACK = 64 };
typedef enum {
  OP_NUMBER, OP_PLACE, OP_CALL, OP_MINUS, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_POW,
  OP_SIN, OP_COS, OP_TAN, OP_ASIN, OP_ACOS, OP_ATAN, OP_SINH, OP_COSH, OP_TANH, OP_EXP, OP_LOG, OP_LOG10, OP_SQRT, OP_ABS, OP_SIGN,
  OP_STEP, OP_FLOOR, OP_MIN, OP_MAX, OP_ATAN2, OP_HYPOT
} epi_op_code;
typedef struct {
  epi_op_code code;
  int column, place;                   /* place: of a variable; of a call: which function */
  double number;
} epi_op;
typedef struct { int (*of)(const void *data, double x, double out[3]); const void *data; } epi_called;
struct epi_formula {
  char *text;
  epi_op *op;
  epi_called *call;
  int n, calls;
  char unit[60];                       /* of its value, in powers of m, kg and s; empty: it goes with everything, or nobody knows */
};
#endif
