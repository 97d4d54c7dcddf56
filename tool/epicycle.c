/* epicycle.c - the command: its verbs, its help, its reserved names */
#include "papers.h"
#include <string.h>

#define MODEL_WORDS "MODEL [name=value ...]"

static const option list_options[] = {
  {.name = "--json", .doc = "print JSON"},
  {0}
};
static const option show_options[] = {
  {.name = "--json", .doc = "print JSON"},
  {.name = "--yaml", .instead = "use --json instead"},
  {0}
};
static const option run_options[] = {
  {.name = "--flow", .value = "TEXT", .doc = "how the state is moved; default: the model's own"},
  {.name = "--step", .value = "H", .doc = "the step; default: the model's own; tolerance(...) chooses its own"},
  {.name = "--end", .value = "T", .doc = "the last time; default: the model's own"},
  {.name = "--out", .value = "FILE", .doc = "rows as .csv, .npy or .json; - is CSV on standard output"},
  {.name = "--every", .value = "DT", 
   .doc = "time between rows; 0: a row after every step; default: a multiple of the step, at most 1000 rows"},
  {.name = "--stats", .value = "FILE", .doc = "counters per node, wall time, errors and drift of the invariants, steps, as JSON"},
  {.name = "--checkpoint", .value = "FILE", .doc = "keep a file from which `epicycle resume FILE` goes on, same bits"},
  {.name = "--checkpoint-every", .value = "SECONDS", .doc = "how often; default: 10"},
  {.name = "--fast", .doc = "for strobe and hmm: also the oscillating solution, in columns fast-NAME"},
  {.name = "--quiet", .doc = "no progress, no summary"},
  {.name = "--json", .doc = "print the summary as JSON"},
  {.name = "--tol", .value = "TOL", .instead = "use --flow 'tolerance(dopri5, rtol=TOL)' instead"},
  {.name = "--plot", .value = "FILE", .instead = "use --out FILE.csv and plot its columns instead"},
  {.name = "--report", .value = "FILE", .instead = "use --stats FILE.json instead"},
  {0}
};
static const option check_options[] = {
  {.name = "--flow", .value = "TEXT", .doc = "the flow to compose; default: the model's own"},
  {.name = "--step", .value = "H", .doc = "the step it is meant for; default: the model's own"},
  {.name = "--claims", .doc = "measure on this model what the flow claims: order, symmetry, reversibility, symplecticity"},
  {.name = "--json", .doc = "print JSON"},
  {0}
};
static const option resume_options[] = {
  {.name = "--quiet", .doc = "no progress, no summary"},
  {.name = "--json", .doc = "print the summary as JSON"},
  {0}
};

static const option reproduce_options[] = {
  {.name = "--json", .doc = "print JSON"},
  {.name = "--data", .value = "FILE", .doc = "the printed tables from a file of the form of papers/*.csv, not the built-in ones"},
  {.name = "--figures", .value = "DIR", .doc = "thesis: draw its figures as SVG files into this folder"},
  {0}
};

static int act_help(const request *);

static const verb verbs[] = {
  {.name = "list", .use = "list [models|methods|averages|wrappers]", .doc = "what there is: name, one line, source",
   .options = list_options, .act = act_list,
   .example = "epicycle list methods"},
  {.name = "show", .use = "show NAME", .doc = "one model or method: parameters, claims, source, an example",
   .options = show_options, .act = act_show,
   .example = "epicycle show kepler"},
  {.name = "run", .use = "run " MODEL_WORDS " [options]", .doc = "move a model from its start to the end",
   .options = run_options, .act = act_run,
   .more = "Columns: t, the coordinates, the observables; the first row is the start, the last one the end.\n"
           "Ctrl-C keeps the rows so far and leaves a checkpoint.",
   .example = "epicycle run kepler e=0.6 --flow 'symmetric(verlet, order=6)' --step 0.05 --end 100 --out orbit.csv"},
  {.name = "check", .use = "check " MODEL_WORDS " [--flow TEXT]",
   .doc = "compose a flow, print its tree and claims; --claims measures them", .options = check_options, .act = act_check,
   .more = "Warns when the step nears what the flow bears of the fastest oscillation at the start of the model.\n"
           "Exit code 1 when a claim that was measured does not hold.",
   .example = "epicycle check kepler --flow 'tolerance(dopri5, rtol=1e-9)'"},
  {.name = "resume", .use = "resume FILE", .doc = "go on from a checkpoint, with the same bits",
   .options = resume_options, .act = act_resume,
   .more = "FILE is what --checkpoint or Ctrl-C left. The finished output has the bytes of a run that was never stopped.",
   .example = "epicycle resume orbit.csv.checkpoint"},
  {.name = "reproduce", .use = "reproduce [PAPER [TABLE]]", .doc = "the printed tables or the claims of a paper, computed again",
   .options = reproduce_options, .act = act_reproduce,
   .more = "Alone it lists papers and tables. Verdicts: agrees (to the printed digits), a label with its reason, or differs.\n"
           "Of claims: true, true with a correction, false, or differs where a number misses its bar.\n"
           "Exit code 1 when an entry or a claim differs.",
   .example = "epicycle reproduce vibrations 2.2"},
  {.name = "help", .use = "help [VERB]", .doc = "this page, or the options of a verb", .act = act_help,
   .example = "epicycle help run"},
  {.name = "new", .instead = "start from the C program in the README instead"},
  {.name = "bench", .instead = "use `make bench` instead"},
};
enum { NVERB = sizeof verbs/sizeof *verbs };

static const verb *verb_of(const char *name)
{
  for (int i = 0; i < NVERB; i++)
    if (!strcmp(verbs[i].name, name)) return &verbs[i];
  return NULL;
}

static int no_verb(const char *name)
{
  const char *names[NVERB + 1] = {0};
  int n = 0;
  for (int i = 0; i < NVERB; i++)
    if (verbs[i].act) names[n++] = verbs[i].name;
  const char *near = nearest(name, names);
  if (near) return say(REFUSED, "there is no verb '%s'; did you mean `epicycle %s`?", name, near);
  return say(REFUSED, "there is no verb '%s': `epicycle help` prints them", name);
}

static int reserved(const verb *v)
{
  return say(REFUSED, "the verb %s is reserved for a later version; %s", v->name, v->instead);
}

static void print_page(void)
{
  puts("epicycle " EPI_VERSION " - time integration of mechanical systems by composition\n\nUse: epicycle VERB ...");
  for (int i = 0; i < NVERB; i++)
    if (verbs[i].act) printf("  %-42s %s\n", verbs[i].use, verbs[i].doc);
  puts("\nOptions of a verb: `epicycle help VERB`. `epicycle --version` prints the version.\n"
       "Exit codes: 0 done, 1 the run failed (what was computed is kept), 2 the request was wrong.\n\n"
       "Try:  epicycle run kepler --out orbit.csv");
}

static void print_verb(const verb *v)
{
  printf("Use: epicycle %s\n%s\n", v->use, v->doc);
  if (v->options) puts("");
  for (const option *o = v->options; o && o->name; o++) {
    if (o->instead) continue;
    char head[40];
    snprintf(head, sizeof head, "%s %s", o->name, o->value ? o->value : "");
    printf("  %-28s %s\n", head, o->doc);
  }
  if (v->more) printf("\n%s\n", v->more);
  printf("\nExample:  %s\n", v->example);
}

static int act_help(const request *r)
{
  if (!r->nword) return print_page(), DONE;
  const verb *v = verb_of(r->word[0]);
  if (!v) return no_verb(r->word[0]);
  if (!v->act) return reserved(v);
  print_verb(v);
  return DONE;
}

static int asks_help(const char *word) { return !strcmp(word, "--help") || !strcmp(word, "-h"); }

static int obey(int argc, char **argv)
{
  if (argc < 2 || asks_help(argv[1])) return print_page(), DONE;
  if (!strcmp(argv[1], "--version")) return puts("epicycle " EPI_VERSION), DONE;
  const verb *v = verb_of(argv[1]);
  if (!v) return no_verb(argv[1]);
  if (!v->act) return reserved(v);
  for (int i = 2; i < argc && strcmp(argv[i], "--"); i++)
    if (asks_help(argv[i])) return print_verb(v), DONE;
  request r;
  int code = request_read(&r, v, argc - 2, argv + 2);
  if (!code) code = v->act(&r);
  request_free(&r);
  return code;
}

int main(int argc, char **argv)
{
  int code = obey(argc, argv);
  /* a full disk shows itself at the last moment */
  if ((fflush(stdout) || ferror(stdout)) && code == DONE)
    return say(FAILED, "standard output could not be written: make room, or write to another place");
  return code;
}
