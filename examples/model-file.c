/* model-file.c - a model file from C: what is wrong with it, or the last state of its first run */
#include <epicycle/file.h>

/* one coordinate a line, by its name */
static void print_state(const epi_case *c, const epi_state *s)
{
  printf("t = %.15g\n", s->t);
  for (int i = 0; i < epi_size(&c->system); i++) printf("%s = %.15g\n", c->system.names ? c->system.names[i] : "y", s->y[i]);
}

int main(int argc, char **argv)
{
  if (argc != 2) return fprintf(stderr, "give one model file, as in: model-file examples/pendulum.yaml\n"), 2;
  epi_file *file = epi_file_read(argv[1]);
  for (int i = 0; i < epi_file_sentences(file); i++) fprintf(stderr, "%s\n", epi_file_sentence(file, i)->text);

  int bad = 2;
  if (epi_file_runs(file)) {
    epi_case *c = epi_file_case(file, 0);
    epi_flow *f = epi_file_flow(file, 0, c);
    epi_state s = epi_case_state(c);
    bad = epi_error(f) || epi_run(f, &s, c->end, c->step) ? 1 : 0;
    if (bad) fprintf(stderr, "%s\n", epi_error(f));
    else print_state(c, &s);
    epi_free(f);
    epi_case_free(c);
  }
  epi_file_free(file);
  return bad;
}
