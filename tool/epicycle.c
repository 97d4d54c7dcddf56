/* epicycle.c - the command: its verbs and options, its reserved names. What help, the man page and completion say stands in these tables */
#include "tool.h"
#include "sweep/sweeps.h"
#include <string.h>

#define MODEL_WORDS "MODEL [name=value ...]"

static const option list_options[] = {
  {.name = "--json", .doc = "print JSON"},
  {0}
};
static const option show_options[] = {
  {.name = "--json", .doc = "print JSON"},
  {.name = "--no-code", .doc = "load no code: a model in C, a shared object and what names one are refused"},
  {.name = "--yaml", .doc = "print a model file to begin with: `epicycle show kepler --yaml > kepler.yaml`"},
  {0}
};
static const option run_options[] = {
  {.name = "--flow", .value = "TEXT", .doc = "how the state is moved", .otherwise = "the model's own"},
  {.name = "--with", .value = "FILE", .otherwise = "none",
   .doc = "what you bring: methods, kernels, functions; contacts, joints, loads of a world; C file or shared object with EPI_NAMES"},
  {.name = "--step", .value = "H", .doc = "the step; tolerance(...) chooses its own, and H then only spaces the rows",
   .otherwise = "the model's own"},
  {.name = "--end", .value = "T", .doc = "the last time; the last step is shortened to land there", .otherwise = "the model's own"},
  {.name = "--out", .value = "FILE", .otherwise = "no rows",
   .doc = "rows as .csv, .npy, .json, .npz or .h5 (HDF5); bodies for ParaView as .pvd; - is CSV on standard output"},
  {.name = "--events", .value = "FILE", .doc = "the events of at(...) as .csv, .npy or .json: number, event, t, direction (1: up), state",
   .otherwise = "no file of events"},
  {.name = "--every", .value = "DT", .doc = "time between rows; 0: a row after every step",
   .otherwise = "the smallest multiple of the step that gives at most 1000 rows"},
  {.name = "--stats", .value = "FILE", .doc = "counters per node, wall time, errors and drift of the invariants, steps, as JSON",
   .otherwise = "none"},
  {.name = "--checkpoint", .value = "FILE", .doc = "keep a file from which `epicycle resume FILE` resumes, bit for bit",
   .otherwise = "none"},
  {.name = "--checkpoint-every", .value = "SECONDS", .doc = "how often it is written; 0: after every step", .otherwise = "10"},
  {.name = "--fast", .doc = "for strobe, hmm and revolve: also the oscillating solution, in columns fast-NAME"},
  {.name = "--multipliers", .doc = "of constraints: their multipliers too, M v' = forces + G^T lambda, in columns lambda1, lambda2, ..."},
  {.name = "--actions", .doc = "of stiff modes: energy over frequency of each too, in columns J1, J2, ..., and frequencies om1, om2, ..."},
  {.name = "--force", .doc = "runs also what its start shows to be wrong, such as a step that is too long, with a warning"},
  {.name = "--no-code", .doc = "load no code: a model in C, a shared object and what names one are refused"},
  {.name = "--quiet", .doc = "no progress, no summary"},
  {.name = "--json", .doc = "print the summary as JSON"},
  {.name = "--tol", .value = "TOL", .otherwise = "fixed steps",
   .doc = "a flow is chosen whose solution is right to this, as estimated from two solutions; with --flow: the error of a step of it"},
  {.name = "--full", .doc = "of a stiff system: a flow for all of the motion, its fast oscillation too, whatever it costs"},
  {.name = "--slow", .doc = "of a stiff system: a flow for the slow part of the motion alone, where that is cheaper"},
  {.name = "--plot", .value = "FILE", .doc = "a picture of the curves, .svg", .otherwise = "none"},
  {.name = "--report", .value = "FILE", .doc = "one page with everything: curves, bodies that move, tables, .html", .otherwise = "none"},
  {0}
};
static const option check_options[] = {
  {.name = "--flow", .value = "TEXT", .doc = "the flow to compose", .otherwise = "the model's own, or one that is chosen"},
  {.name = "--with", .value = "FILE", .otherwise = "none",
   .doc = "what you bring: methods, kernels, functions; contacts, joints, loads of a world; C file or shared object with EPI_NAMES"},
  {.name = "--step", .value = "H", .doc = "the step it is meant for", .otherwise = "the model's own"},
  {.name = "--end", .value = "T", .doc = "the last time of the run it is meant for", .otherwise = "the model's own"},
  {.name = "--tol", .value = "TOL", .otherwise = "none",
   .doc = "which flow gives a solution that is right to this, what others would cost, and the error as estimated"},
  {.name = "--full", .doc = "of a stiff system: a flow for all of the motion, its fast oscillation too, whatever it costs"},
  {.name = "--slow", .doc = "of a stiff system: a flow for the slow part of the motion alone, where that is cheaper"},
  {.name = "--trace", .doc = "with --tol: every attempt and check of the choice, with its error, evaluations and why it is no answer"},
  {.name = "--claims", .doc = "measure on this model what the flow claims: order, symmetry, reversibility, symplecticity"},
  {.name = "--format", .doc = "of a model file: print it, in canonical form"},
  {.name = "--no-code", .doc = "load no code: a model in C, a shared object and what names one are refused"},
  {.name = "--json", .doc = "print JSON"},
  {0}
};
static const option sweep_options[] = {
  {.name = "--keep", .value = "NAMES", .otherwise = "every column, at the end",
   .doc = "what is kept of each run: x, x.max, .min, .mean, .rms, .first, .at(3); of events at(NAME).count, .first, .last; evaluations"},
  {.name = "--out", .value = "FILE", .doc = "the table, as .csv, .npy, .json, .npz or .h5 (HDF5)", .otherwise = "sweep.csv"},
  {.name = "--flow", .value = "TEXT", .doc = "how the state is moved; {h} in it is what is swept as h", .otherwise = "the model's own"},
  {.name = "--with", .value = "FILE", .otherwise = "none",
   .doc = "what you bring: methods, kernels, functions; contacts, joints, loads of a world; C file or shared object with EPI_NAMES"},
  {.name = "--step", .value = "H", .doc = "the step", .otherwise = "the model's own"},
  {.name = "--end", .value = "T", .doc = "the last time", .otherwise = "the model's own"},
  {.name = "--every", .value = "DT", .doc = "time between the rows that .max, .mean and the like are taken of",
   .otherwise = "at most 1000 rows"},
  {.name = "--tol", .value = "TOL", .otherwise = "none", .doc = "in each case a flow is chosen whose solution is right to this"},
  {.name = "--samples", .value = "N", .doc = "how often to draw, where something is drawn: uniform(1, 2), loguniform, normal",
   .otherwise = "none"},
  {.name = "--seed", .value = "S", .doc = "another one draws other numbers", .otherwise = "1"},
  {.name = "--latin", .doc = "draw a Latin hypercube: once from each of N equal parts of every range"},
  {.name = "--workers", .value = "N", .doc = "cases at once", .otherwise = "as many as there are cores"},
  {.name = "--on", .value = "WHERE", .otherwise = "one by one, by the library",
   .doc = "many cases at once, by a program made of the flow and the C source of the model: compiled (for this machine), or gpu"},
  {.name = "--limit", .value = "SECONDS", .doc = "a case that takes longer is ended, and its row says so", .otherwise = "none"},
  {.name = "--plot", .value = "FILE", .doc = "what is kept over one number as lines, over two as maps, of what is drawn as points, .svg",
   .otherwise = "none"},
  {.name = "--report", .value = "FILE", .doc = "the same as a page: each case under the pointer, and the command that runs it alone, .html",
   .otherwise = "none"},
  {.name = "--yes", .doc = "starts more than ten million cases"},
  {.name = "--no-code", .doc = "load no code: a model in C, a shared object and what names one are refused"},
  {.name = "--quiet", .doc = "no progress, no summary"},
  {.name = "--json", .doc = "print the summary as JSON"},
  {0}
};
static const option resume_options[] = {
  {.name = "--force", .doc = "goes on also after a checkpoint of another version or build, or with a model in C that has changed"},
  {.name = "--no-code", .doc = "load no code: a model in C, a shared object and what names one are refused"},
  {.name = "--quiet", .doc = "no progress, no summary"},
  {.name = "--json", .doc = "print the summary as JSON"},
  {0}
};
static const option export_options[] = {
  {.name = "--fmu", .value = "FILE", .doc = "a unit for co-simulation by the Functional Mock-up Interface 2.0, .fmu", .otherwise = "none"},
  {.name = "--flow", .value = "TEXT", .doc = "how the state is moved", .otherwise = "the model's own"},
  {.name = "--step", .value = "H", .doc = "the step inside of it; it also lands on the communication points",
   .otherwise = "the model's own"},
  {.name = "--end", .value = "T", .doc = "where the experiment ends that it proposes", .otherwise = "the model's own"},
  {.name = "--tol", .value = "TOL", .otherwise = "fixed steps",
   .doc = "a flow is chosen whose solution is right to this, as for run"},
  {.name = "--multipliers", .doc = "of constraints: their multipliers too, as outputs lambda1, lambda2, ..."},
  {.name = "--no-code", .doc = "load no code: a model in C, a shared object and what names one are refused"},
  {.name = "--quiet", .doc = "no summary"},
  {0}
};
static const option import_options[] = {
  {.name = "--example", .doc = "print a small robot instead, to begin with"},
  {.name = "--free", .doc = "the root link is a body that moves; otherwise it is part of the ground"},
  {.name = "--quiet", .doc = "no sentences of what is taken how, and of what is not carried over; they stand in the file too"},
  {0}
};
static const option reproduce_options[] = {
  {.name = "--json", .doc = "print JSON"},
  {.name = "--data", .value = "FILE", .doc = "read the printed tables from a file of the form of papers/*.csv",
   .otherwise = "those built in"},
  {.name = "--figures", .value = "DIR", .doc = "draw the figures of the paper again, as SVG files into this folder",
   .otherwise = "no figures"},
  {0}
};
static const option help_options[] = {
  {.name = "--json", .doc = "print JSON: verbs, options, examples"},
  {0}
};
static const option completion_options[] = {
  {.name = "--words", .doc = "print what may stand for the last of the words after `--`; the scripts ask so"},
  {0}
};

static const verb VERBS[] = {
  {.name = "list", .use = "list [models|methods|averages|wrappers|systems]", .doc = "what there is: name, one line, source",
   .options = list_options, .act = act_list,
   .more = "A word after it prints one kind only.",
   .examples = {{"epicycle list", "everything"},
                {"epicycle list methods", "what moves a state"},
                {"epicycle list models --json", "for another program"}}},
  {.name = "show", .use = "show NAME", .doc = "one model or method: parameters, claims, source, an example",
   .options = show_options, .act = act_show,
   .examples = {{"epicycle show kepler", "a model, its parameters with units and defaults"},
                {"epicycle show symmetric", "a wrapper, its options"},
                {"epicycle show verlet --json", "for another program"}}},
  {.name = "run", .use = "run " MODEL_WORDS, .doc = "simulate a model",
   .options = run_options, .act = act_run, .fails = "the run failed or was interrupted (what was computed is kept)",
   .more = "MODEL is a name, a model file FILE.yaml (`epicycle show NAME --yaml` begins one), or a model of your own, FILE.c or FILE.so "
           "(`epicycle new` begins one). What stands here overrides the file; a parameter may have a unit, width='16 mm'.\n"
           "Columns: t, the coordinates, the observables; the first row is the start, the last one the end.\n"
           "Ctrl-C keeps the rows so far and leaves a checkpoint.",
   .examples = {{"epicycle run kepler", "as the model itself proposes"},
                {"epicycle run kepler e=0.6 --flow 'symmetric(verlet, order=6)' --step 0.05 --end 100 --out orbit.csv",
                 "another orbit, another flow, rows in a file"},
                {"epicycle run kepler --tol 1e-10 --plot orbit.svg --stats stats.json --quiet",
                 "steps by a tolerance, a picture, counts in a file"},
                {"epicycle run bearing --end 1e-3 --report bearing.html", "a page for the browser: bodies that move, curves, tables"}}},
  {.name = "check", .use = "check " MODEL_WORDS, .doc = "compose a flow, print its tree and claims; --claims measures them",
   .options = check_options, .act = act_check, .fails = "a claim that was measured does not hold",
   .more = "Warns when the step nears the stability limit of the fastest oscillation at the start of the model.",
   .examples = {{"epicycle check kepler --flow 'tolerance(dopri5, rtol=1e-9)'", "the tree of a flow"},
                {"epicycle check kepler --flow verlet --claims", "is it what it claims?"},
                {"epicycle check kepler e=0.5 --json", "for another program"}}},
  {.name = "sweep", .use = "sweep MODEL name=values ... [name=value ...]",
   .doc = "a model many times with other numbers, on all cores, as one table",
   .options = sweep_options, .act = act_sweep, .fails = "a case failed, or it was interrupted (what was computed is kept)",
   .more = "Values: from:to:step, from:to/count, [a,b,c], log(from,to,count); drawn: uniform(a,b), loguniform(a,b), "
           "normal(mean,deviation). All of one go with all of the others.\n"
           "Names: parameters of the model, step, end, tol, start.COORDINATE, or {name} in the flow. One number is a parameter of every "
           "case.\n"
           "A row has the case, what was swept, what is kept, its outcome (done, doubtful, failed, refused, too long, crashed) and why. "
           "The table is the same however many workers there are.\n"
           "Ctrl-C or a crash leave FILE.part: `epicycle resume FILE.part` does the rest.",
   .examples = {{"epicycle sweep kepler e=0.1:0.9:0.1 --keep x,energy.max --out orbits.csv", "nine orbits"},
                {"epicycle sweep inverted-pendulum w='log(100,1e6,5)' q0='[0.2,0.5]' --tol 1e-6 --keep q,evaluations", "a flow for each"},
                {"epicycle sweep pendulum 'q0=uniform(0, 3)' --samples 100 --seed 7 --end 10 --keep q.max,q", "a hundred that are drawn"}}},
  {.name = "resume", .use = "resume FILE", .doc = "resume from a checkpoint, bit for bit",
   .options = resume_options, .act = act_resume, .fails = "the run failed or was interrupted again (what was computed is kept)",
   .more = "FILE is what --checkpoint or Ctrl-C left: OUT.checkpoint, or epicycle.checkpoint, epicycle-2.checkpoint, ... of runs without "
           "an output; Ctrl-C says which. The finished output has the bytes of a run that was never stopped.",
   .examples = {{"epicycle run kepler --out orbit.csv --checkpoint orbit.checkpoint", "a run that may be stopped or killed"},
                {"epicycle resume orbit.checkpoint", "goes on, or says that the run is complete"}}},
  {.name = "export", .use = "export " MODEL_WORDS, .doc = "a model for other simulators, as an FMU",
   .options = export_options, .act = act_export, .fails = "the file could not be written",
   .more = "MODEL is a name or a model file with one run; a model of your own in C is not code that a unit could hold.\n"
           "Outputs are the columns of `run`, parameters are parameters.NAME: set them before the initialisation ends.",
   .examples = {{"epicycle export kepler e=0.6 --flow verlet --step 0.01 --fmu orbit.fmu", "for a master that reads FMI 2.0"},
                {"epicycle export four-bar --step 1e-4 --end 2 --fmu linkage.fmu", "a mechanism, its joint forces as outputs"}}},
  {.name = "import", .use = "import ROBOT.urdf [joint=value ...]", .doc = "a robot in URDF as a model file",
   .options = import_options, .act = act_import,
   .more = "It is printed: `epicycle import arm.urdf > arm.yaml`, then `epicycle run arm.yaml`. Joints start at 0, or where it is said "
           "here, elbow='30 deg'.\n"
           "What is taken how, and what is not carried over, is said on standard error, and in the file.",
   .examples = {{"epicycle import --example > arm.urdf", "a robot to begin with"},
                {"epicycle import arm.urdf > arm.yaml", "links are bodies, joints are joints"},
                {"epicycle import arm.urdf shoulder='30 deg' lift=0.1 > arm.yaml", "from another start"},
                {"epicycle run arm.yaml --end 0.5 --report arm.html", "it falls"}}},
  {.name = "reproduce", .use = "reproduce [PAPER [TABLE]]", .doc = "the printed tables or the claims of a paper, computed again",
   .options = reproduce_options, .act = act_reproduce, .fails = "an entry or a claim differs, or a run failed",
   .more = "Alone it lists papers and tables. Verdicts: agrees (to the printed digits), a label with its reason, or differs.\n"
           "Of claims: true, true with a correction, false, not reproduced (another case or reading stood in), or differs "
           "where a number misses its bar. Runs that `run` would warn of or refuse are run all the same, and flagged.",
   .examples = {{"epicycle reproduce", "the papers and their tables"},
                {"epicycle reproduce vibrations 2.2", "one table"},
                {"epicycle reproduce thesis pendulum --json", "for another program"}}},
  {.name = "help", .use = "help [VERB]", .doc = "this page, or a verb with its options and examples", .options = help_options,
   .act = act_help,
   .more = "`epicycle VERB --help` prints the same. Of a model or a method it says where to look.",
   .examples = {{"epicycle help run", "one verb"},
                {"epicycle help --json", "all verbs, for another program"}}},
  {.name = "man", .use = "man", .doc = "the manual page, for man(1)", .act = act_man,
   .examples = {{"epicycle man > epicycle.1", "to be read by `man ./epicycle.1`"},
                {"epicycle man | gzip > epicycle.1.gz", "as folders of man pages keep it"}}},
  {.name = "completion", .use = "completion bash|zsh|fish", .doc = "a script that completes words in a shell",
   .options = completion_options, .act = act_completion,
   .more = "bash: source <(epicycle completion bash), also in ~/.bashrc. zsh: write it to a file _epicycle in a folder of $fpath.\n"
           "fish: epicycle completion fish > ~/.config/fish/completions/epicycle.fish\n"
           "The scripts ask `epicycle completion --words -- WORD ...`: a line a word, a tab, what it is; a line `:files .csv .npy` stands "
           "for files of these endings, `:files` for all, `:folders` for folders.",
   .examples = {{"epicycle completion bash > epicycle.bash", "the script"},
                {"epicycle completion --words -- run kepler ''", "the parameters of a model"}}},
  {.name = "schema", .use = "schema", .doc = "the keys of model files as a JSON schema, for editors", .act = act_schema,
   .more = "An editor with the YAML language server takes it by a first line `# yaml-language-server: $schema=epicycle.json`.",
   .examples = {{"epicycle schema > epicycle.json", "keys are completed and checked while they are typed"},
                {"epicycle schema | wc -c", "how long it is"}}},
  {.name = "new", .use = "new MYMODEL", .doc = "a model of your own in C, to begin with", .act = act_new,
   .more = "It is printed: `epicycle new MYMODEL > MYMODEL.c`, then `epicycle run MYMODEL.c`, which compiles it with the compiler of the "
           "system (CC, CFLAGS).",
   .examples = {{"epicycle new mymodel > mymodel.c", "a whole model that runs"},
                {"epicycle run mymodel.c k=2", "compiled, loaded and run"}}},
  {.name = "upgrade", .use = "upgrade FILE.c ...", .doc = "C code for an earlier version, rewritten for this one", .act = act_upgrade,
   .more = "Members of epi_system that have moved into records are found by the compiler of the system (CC, CFLAGS), and written anew in "
           "the files that are named, headers too: s->theta0 becomes s->phase.theta0. Keep a copy, or look at the difference.",
   .examples = {{"epicycle new mymodel > mymodel.c", "a model"},
                {"epicycle upgrade mymodel.c", "nothing to do: it is of this version"}}},
  {.name = "bench", .instead = "use `make bench` instead"},
  {0}
};

static const example FIRST[] = {
  {"epicycle run bearing --report bearing.html", "a page to look at"},
  {"epicycle run kepler --out orbit.csv", "an orbit, as rows"},
  {"epicycle show kepler", "what this model is"},
  {"epicycle check kepler --flow verlet --claims", "does it keep its word?"},
  {0}
};

static const book BOOK = {VERBS, FIRST};

static int asks_help(const char *word) { return !strcmp(word, "--help") || !strcmp(word, "-h"); }

/* 1: the word stands among the options */
static int asks(int argc, char **argv, int (*is)(const char *))
{
  for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
    if (is(argv[i])) return 1;
  return 0;
}
static int is_json(const char *word) { return !strcmp(word, "--json"); }

static int version(const char *json)
{
  puts(json ? "{\"epicycle\": \"" EPI_VERSION "\"}" : "epicycle " EPI_VERSION);
  return DONE;
}

static int obey(int argc, char **argv)
{
  const char *json = asks(argc, argv, is_json) ? "" : NULL;
  if (argc < 2 || asks_help(argv[1]) || is_json(argv[1])) return help_page(&BOOK, json);
  if (!strcmp(argv[1], "--version")) return version(json);
  const verb *v = verb_of(&BOOK, argv[1]);
  if (!v || !v->act) return verb_unknown(&BOOK, argv[1]);
  if (asks(argc - 1, argv + 1, asks_help)) return help_verb(v, json);
  request r;
  int code = request_read(&r, &BOOK, v, argc - 2, argv + 2);
  if (!code && given(&r, "--no-code")) load_forbid();
  if (!code) code = v->act(&r);
  request_free(&r);
  return code;
}

int main(int argc, char **argv)
{
  streams_guard();
  return streams_end(obey(argc, argv), asks(argc, argv, is_json));
}
