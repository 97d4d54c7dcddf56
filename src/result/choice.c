/* choice.c - how a flow was chosen, as JSON */
#include "recorder.h"

static void put_numbers(FILE *f, const char *indent, const epi_chosen *a, double turn)
{
  const struct { const char *key; double x; } all[] = {
    {"tol", a->tol}, {"end", a->end}, {"turns", a->turns}, {"fast_period", turn}, {"fastest_period", 2*EPI_PI/a->fastest},
    {"slow", a->slow}, {"error", a->found}, {"at", a->at}, {"spent", (double)a->spent},
    {"longest_step", a->longest > 0 ? a->longest : NAN}, {"observable_error", a->observed},
    {"observable_at", a->observed > 0 ? a->observed_at : NAN}};
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    fprintf(f, "%s%s\"%s\": ", i ? ",\n" : "", indent, all[i].key);
    epi_json_number(f, all[i].x);
  }
}

static void put_way(FILE *f, const char *indent, const epi_way *w, int i)
{
  fprintf(f, "%s\n%s  {\"flow\": ", i ? "," : "", indent);
  epi_json_text(f, w->flow);
  fputs(", \"evaluations\": ", f);
  epi_json_number(f, w->calls);
  fputs(", \"seconds\": ", f);
  epi_json_number(f, w->seconds);
  fprintf(f, ", \"predicted\": %s, \"averages\": %s, \"why_not\": ", i ? "true" : "false", w->averages ? "true" : "false");
  epi_json_text(f, w->why[0] ? w->why : NULL);
  fputc('}', f);
}

void epi_trace_json(const epi_chosen *a, FILE *f, const char *indent)
{
  fputc('[', f);
  for (int i = 0; i < a->traced; i++) {
    const epi_traced *x = &a->trace[i];
    const struct { const char *key; double x; } numbers[] = {{"tolerance", x->tol}, {"error", x->error}, {"evaluations", x->calls}};
    fprintf(f, "%s\n%s  {\"what\": ", i ? "," : "", indent);
    epi_json_text(f, x->what);
    fputs(", \"candidate\": ", f);
    epi_json_text(f, x->candidate);
    for (int k = 0; k < 3; k++) {
      fprintf(f, ", \"%s\": ", numbers[k].key);
      epi_json_number(f, numbers[k].x);
    }
    fputs(", \"cause\": ", f);
    epi_json_text(f, epi_cause_word(x->cause));
    fputc('}', f);
  }
  fprintf(f, "\n%s]", indent);
}

void epi_chosen_json(const epi_chosen *a, FILE *f, const char *indent)
{
  put_numbers(f, indent, a, a->turns > 0 ? a->period : NAN);
  const struct { const char *key, *words; } all[] = {{"flow", a->flow}, {"motion", a->slow_part ? "slow" : "full"}, {"scales", a->scales},
                                                    {"reason", a->reason}, {"observable", a->observed > 0 ? a->observable : ""}};
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    fprintf(f, ",\n%s\"%s\": ", indent, all[i].key);
    epi_json_text(f, all[i].words[0] ? all[i].words : NULL);
  }
  fprintf(f, ",\n%s\"ways\": [", indent);
  for (int i = 0; i < a->ways; i++) put_way(f, indent, &a->way[i], i);
  fprintf(f, "\n%s]", indent);
}
