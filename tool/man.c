/* man.c - the verb man: the manual page, roff with the macros of man(7), from the tables of the command */
#include "tool.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* text as roff: what it would take for a command or a hyphen is spelled out; `words` in ticks are bold */
static void roff(const char *s)
{
  int bold = 0, start = 1;
  for (; *s; s++) {
    if (start && (*s == '.' || *s == '\'')) fputs("\\&", stdout);
    start = *s == '\n';
    if (*s == '\\') fputs("\\e", stdout);
    else if (*s == '-') fputs("\\-", stdout);
    else if (*s == '\'') fputs("\\(aq", stdout);
    else if (*s == '~') fputs("\\(ti", stdout);
    else if (*s == '^') fputs("\\(ha", stdout);
    else if (*s == '`') fputs((bold = !bold) ? "\\fB" : "\\fR", stdout);
    else if (*s == '\n' && s[1]) fputs("\n.br\n", stdout);
    else putchar(*s);
  }
  if (bold) fputs("\\fR", stdout);
  putchar('\n');
}

/* the docs of the tables begin small and end without a stop */
static void sentence(const char *words, const char *otherwise, const char *stop)
{
  char *all = text("%s%s%s%s", words, otherwise ? "; default: " : "", otherwise ? otherwise : "", stop);
  all[0] = (char)toupper((unsigned char)all[0]);
  roff(all);
  free(all);
}

/* capitals stand for something: they are italic; the rest is bold */
static void use(const char *words)
{
  while (*words) {
    size_t n = strspn(words, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), m = strcspn(words, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (n) printf("\\fI%.*s\\fR", (int)n, words);
    else {
      fputs("\\fB", stdout);
      for (size_t i = 0; i < m; i++) fputs(words[i] == '-' ? "\\-" : (char[]){words[i], 0}, stdout);
      fputs("\\fR", stdout);
    }
    words += n ? n : m;
  }
}

static void print_option(const option *o)
{
  puts(".TP");
  use(o->name);
  if (o->value) putchar(' '), use(o->value);
  putchar('\n');
  sentence(o->doc, o->otherwise, ".");
}

static void print_examples(const example *e)
{
  for (const char *apart = ""; e->line; e++, apart = ".PP\n") {
    fputs(apart, stdout);
    sentence(e->doc, NULL, ":");
    fputs(".PP\n.RS 4\n.nf\n", stdout);
    roff(e->line);
    puts(".fi\n.RE");
  }
}

static void print_verb(const verb *v)
{
  printf(".SS %s\n.B epicycle\n", v->name);
  use(v->use);
  puts("\n.PP");
  sentence(v->doc, NULL, ".");
  if (v->more) puts(".PP"), roff(v->more);
  for (const option *o = v->options; o && o->name; o++)
    if (!o->instead) print_option(o);
  if (v->fails) fputs(".PP\nExit status 1: ", stdout), sentence(v->fails, NULL, ".");
  puts(".PP");
  print_examples(v->examples);
}

/* a term and what it means, as .TP has it */
typedef struct term { const char *name, *doc; } term;

static void print_terms(const char *section, const term *t)
{
  printf(".SH %s\n", section);
  for (; t->name; t++) {
    printf(".TP\n.B ");
    roff(t->name);
    roff(t->doc);
  }
}

static const term OPTIONS[] = {
  {"--help", "Of every verb: its use, its options with their defaults, examples."},
  {"--version", "The version; with `--json` as JSON."},
  {"--json",
   "Of the verbs that have it: what a machine may read. A refused request prints {\"status\": \"refused\", \"error\": sentence}."},
  {"--", "What follows is no option."},
  {0}
};
static const term FILES[] = {
  {"FILE.csv, FILE.npy, FILE.json", "Rows of a run. The names of the columns of FILE.npy stand in FILE.npy.columns.txt."},
  {"FILE.npz, FILE.h5", "Rows with units and parameters, made at the end of what stood in FILE.part.npy."},
  {"FILE.pvd", "Bodies for ParaView: a list of the frames, which stand in the folder FILE."},
  {"FILE.checkpoint, epicycle.checkpoint", "What Ctrl-C leaves, with and without an output FILE; `epicycle resume` goes on from it. The "
   "second one without an output is epicycle-2.checkpoint, and so on: none replaces that of another run."},
  {0}
};
static const term EXITS[] = {
  {"0", "Done."},
  {"1", "The run failed or was interrupted, and what was computed is kept; or a claim or a printed entry does not hold."},
  {"2", "The request was wrong: nothing was run, no file was touched."},
  {0}
};
static const term SURROUNDINGS[] = {
  {"NO_COLOR", "Where it is set and not empty there are no colours. In a pipe there are none in any case."},
  {"TERM", "dumb, or nothing: no colours."},
  {0}
};

int act_man(const request *r)
{
  if (r->nword) return say(REFUSED, "man takes no words: `epicycle man > epicycle.1`, then `man ./epicycle.1`");
  puts(".TH EPICYCLE 1 \"\" \"epicycle " EPI_VERSION "\" \"User Commands\"\n"
       ".SH NAME\nepicycle \\- time integration of mechanical systems by composition\n.SH SYNOPSIS");
  for (const verb *v = r->book->verbs; v->name; v++) {
    if (!v->act) continue;
    if (v != r->book->verbs) puts(".br");
    fputs(".B epicycle\n", stdout);
    use(v->use);
    puts(v->options ? " [options]" : "");
  }
  puts(".SH DESCRIPTION\n"
       "Epicycle moves mechanical systems in time: fast ones by averages, all of them by flows that are composed of methods and wrappers,\n"
       "with their structure kept. A flow is a text such as \\fBsymmetric(verlet, order=6)\\fR; a model has a name and parameters.\n"
       "Errors are one sentence on standard error, with the remedy. On a terminal a long run shows how far it is.\n.SH VERBS");
  for (const verb *v = r->book->verbs; v->name; v++)
    if (v->act) print_verb(v);
  print_terms("OPTIONS", OPTIONS);
  print_terms("FILES", FILES);
  print_terms("EXIT STATUS", EXITS);
  print_terms("ENVIRONMENT", SURROUNDINGS);
  puts(".SH EXAMPLES");
  print_examples(r->book->first);
  puts(".SH SEE ALSO\n.BR bash (1),\n.BR zsh (1),\n.BR fish (1),\nand docs/command.md of the source.");
  return DONE;
}
