/* completion.c - the verb completion: scripts for shells, and the words that they ask for. The shells know nothing of the command: what may
 * stand for a word is told by the use of its verb and the values of its options */
#include "tool.h"
#include <stdlib.h>
#include <string.h>

/* the words so far, the last of them unfinished */
typedef struct line {
  const book *book;
  const verb *verb;
  int nword;
  const char *const *word;             /* those that are no options */
  const char *before, *prefix;         /* "--flow=" and "ver" of --flow=ver; else "" and the word */
} line;

static void offer(line *l, const char *word, const char *doc)
{
  if (strncmp(word, l->prefix, strlen(l->prefix))) return;
  printf("%s%s\t%s\n", l->before, word, doc ? doc : "");
}

/* ---- what the words of a use stand for ---- */
static void models(line *l)
{
  for (const epi_model *const *m = epi_models(); *m; m++) offer(l, (*m)->name, (*m)->doc);
  puts(":files .yaml .yml .c .so");
}

static void flows(line *l)
{
  for (const epi_record *const *r = epi_records(); *r; r++) offer(l, (*r)->name, (*r)->doc);
}

static void names(line *l)
{
  for (const epi_model *const *m = epi_models(); *m; m++) offer(l, (*m)->name, (*m)->doc);
  flows(l);
}

static void robots(line *l) { (void)l; puts(":files .urdf .xml"); }
static void files(line *l) { (void)l; puts(":files"); }
static void folders(line *l) { (void)l; puts(":folders"); }

static void verbs(line *l)
{
  for (const verb *v = l->book->verbs; v->name; v++)
    if (v->act) offer(l, v->name, v->doc);
}

static void parameter(line *l, const epi_param *p)
{
  char room[64];
  const char *unit = p->unit && *p->unit ? p->unit : NULL, *range = epi_range_text(&p->range, room, sizeof room);
  char *name = text("%s=", p->name), *in = unit ? text(" [%s]", unit) : text("%s", "");
  char *ends = *range ? text(" (%s)", range) : text("%s", "");
  char *doc = text("%s%s%s", p->doc ? p->doc : "", in, ends);
  if (!strchr(l->prefix, '=')) offer(l, name, doc);
  for (int i = 0; strchr(l->prefix, '=') && p->words && p->words[i]; i++) {
    char *whole = text("%s%s", name, p->words[i]);
    offer(l, whole, doc);
    free(whole);
  }
  free(name);
  free(in);
  free(ends);
  free(doc);
}

/* of the model that stands before them; one that has its value is not offered again */
static void parameters(line *l)
{
  const epi_model *const *m = epi_models();
  size_t n = l->nword ? strcspn(l->word[0], "(") : 0;
  while (*m && (strlen((*m)->name) != n || strncmp((*m)->name, l->word[0], n))) m++;
  for (const epi_param *p = *m ? (*m)->params : NULL; p && p->name; p++) {
    int there = 0;
    for (int i = 1; i < l->nword; i++) there += !strncmp(l->word[i], p->name, strlen(p->name)) && l->word[i][strlen(p->name)] == '=';
    if (!there) parameter(l, p);
  }
}

/* papers, or the tables of one; nothing where the program that has them is missing */
static void of_papers(line *l, const char *paper)
{
  char word[1024];
  FILE *f = reproduce_words(paper);
  while (f && fgets(word, sizeof word, f)) {
    char *doc = strchr(word, '\t');
    if (!doc) continue;
    word[strcspn(word, "\n")] = 0;
    *doc = 0;
    offer(l, word, doc + 1);
  }
  if (f) pclose(f);
}
static void papers(line *l) { of_papers(l, NULL); }
static void tables(line *l) { of_papers(l, l->nword ? l->word[0] : ""); }

static const struct { const char *name; void (*offers)(line *); } KINDS[] = {
  {"MODEL", models}, {"name=value", parameters}, {"NAME", names}, {"TEXT", flows}, {"VERB", verbs}, {"PAPER", papers}, {"TABLE", tables},
  {"ROBOT.urdf", robots}, {"FILE", files}, {"DIR", folders},
};

/* a kind, or a|b|c */
static void offer_kind(line *l, const char *kind)
{
  for (size_t i = 0; i < sizeof KINDS/sizeof *KINDS; i++)
    if (!strcmp(KINDS[i].name, kind)) KINDS[i].offers(l);
  for (const char *p = strchr(kind, '|') ? kind : NULL; p; p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL) {
    char *word = text("%.*s", (int)strcspn(p, "|"), p);
    offer(l, word, "");
    free(word);
  }
}

/* the k-th word of a use after its verb, without brackets; dots repeat the one before them; NULL: none */
static char *word_of_use(const char *use, int k)
{
  char *word = NULL;
  use += strcspn(use, " ");
  for (int i = 0; *use && i <= k; i++) {
    use += strspn(use, " []");
    size_t n = strcspn(use, " []");
    if (!strncmp(use, "...", 3)) return word;
    free(word);
    word = n ? text("%.*s", (int)n, use) : NULL;
    if (i == k) return word;
    use += n + strspn(use + n, " []");
  }
  /* beyond the last */
  return free(word), NULL;
}

/* ---- the words asked for ---- */
static void offer_options(line *l, const request *r)
{
  for (const option *o = l->verb->options; o && o->name; o++) {
    int there = 0;
    for (int i = 1; i < r->nword - 1; i++) there += !strcmp(r->word[i], o->name);
    if (!o->instead && !there) offer(l, o->name, o->doc);
  }
  offer(l, "--help", "the use of this verb, its options, examples");
}

/* the option whose value the word is, alone or as --name=value; NULL: none */
static const option *option_before(line *l, const char *previous)
{
  size_t n = strcspn(l->prefix, "=");
  for (const option *o = l->verb->options; o && o->name; o++) {
    if (!o->value) continue;
    if (!strcmp(o->name, previous)) return o;
    if (l->prefix[0] != '-' || l->prefix[n] != '=' || strlen(o->name) != n || strncmp(o->name, l->prefix, n)) continue;
    l->before = l->prefix;
    l->prefix += n + 1;
    return o;
  }
  return NULL;
}

/* the finished words that are no options and no values of options; returns the option whose value comes next, or "" */
static const char *sort_words(line *l, const request *r, const char **word)
{
  const char *owner = "";
  for (int i = 1; i < r->nword - 1; i++) {
    const char *w = r->word[i];
    int free_word = !owner[0] && (w[0] != '-' || !w[1]), takes = 0;
    if (free_word) word[l->nword++] = w;
    for (const option *o = l->verb->options; !owner[0] && o && o->name; o++) takes += o->value && !strcmp(o->name, w);
    owner = takes ? w : "";
  }
  l->word = word;
  return owner;
}

static void offer_of_verb(line *l, const request *r)
{
  const char **word = need((size_t)r->nword*sizeof *word), *last = l->prefix;
  const option *o = option_before(l, sort_words(l, r, word));
  char *before = text("%.*s", l->before == last ? (int)(l->prefix - last) : 0, last);
  char *kind = o ? text("%s", o->value) : last[0] == '-' ? NULL : word_of_use(l->verb->use, l->nword);
  l->before = before;
  if (kind) offer_kind(l, kind);
  else offer_options(l, r);
  free(kind);
  free(before);
  free(word);
}

static void offer_words(const request *r)
{
  line l = {.book = r->book, .before = "", .prefix = r->nword ? r->word[r->nword - 1] : ""};
  if (r->nword > 1) {
    l.verb = verb_of(r->book, r->word[0]);
    if (l.verb && l.verb->act) offer_of_verb(&l, r);
    return;
  }
  verbs(&l);
  offer(&l, "--help", "the first page");
  offer(&l, "--version", "the version");
}

/* ---- the scripts ---- */
static const char BASH[] =
  "# completion of epicycle for bash: source <(epicycle completion bash)\n"
  "_epicycle_files() {\n"
  "  local file ending\n"
  "  compopt -o filenames 2>/dev/null\n"
  "  while IFS= read -r file; do\n"
  "    if [ -d \"$file\" ] || [ $# = 0 ]; then COMPREPLY+=(\"$file\"); continue; fi\n"
  "    for ending in \"$@\"; do case $file in *\"$ending\") COMPREPLY+=(\"$file\") ;; esac; done\n"
  "  done < <(compgen -f -- \"${cur#*=}\")\n"
  "}\n"
  "_epicycle() {\n"
  "  local words=() n=-1 i word line cur\n"
  "  # bash cuts words at =: here they are whole again\n"
  "  for ((i = 1; i <= COMP_CWORD; i++)); do\n"
  "    word=${COMP_WORDS[i]//[\\'\\\"]/}\n"
  "    if ((n >= 0)) && [[ $word == = || ${COMP_WORDS[i - 1]} == = ]]; then words[n]+=$word\n"
  "    else words[++n]=$word; fi\n"
  "  done\n"
  "  cur=${words[n]}\n"
  "  COMPREPLY=()\n"
  "  while IFS= read -r line; do\n"
  "    case $line in\n"
  "      :files*) _epicycle_files ${line#:files} ;;\n"
  "      :folders) compopt -o filenames 2>/dev/null; while IFS= read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -d -- "
  "\"${cur#*=}\") ;;\n      *) line=${line%%$'\\t'*}; [[ $COMP_WORDBREAKS == *=* && $cur == *=* ]] && line=${line#*=}; "
  "COMPREPLY+=(\"$line\") ;;\n    esac\n"
  "  done < <(\"${COMP_WORDS[0]}\" completion --words -- \"${words[@]}\" 2>/dev/null)\n"
  "  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
  "  return 0\n"
  "}\n"
  "complete -F _epicycle epicycle\n";

static const char ZSH[] =
  "#compdef epicycle\n"
  "# completion of epicycle for zsh: a file _epicycle in a folder of $fpath\n"
  "_epicycle() {\n"
  "  local line word\n"
  "  local -a offers open endings\n"
  "  for line in \"${(@f)$(\"${(Q)words[1]}\" completion --words -- \"${(@Q)words[2,CURRENT]}\" 2>/dev/null)}\"; do\n"
  "    case $line in\n"
  "      (:files) compset -P '*='; _files ;;\n"
  "      (:files*) endings=(${=line#:files}); _files -g \"*(${(j:|:)endings})\" ;;\n"
  "      (:folders) compset -P '*='; _files -/ ;;\n"
  "      ('') ;;\n"
  "      (*) word=${line%%$'\\t'*}\n"
  "         if [[ $word == *= ]]; then open+=(\"${word//:/\\\\:}:${line#*$'\\t'}\"); else offers+=(\"${word//:/\\\\:}:${line#*$'\\t'}\"); "
  "fi ;;\n    esac\n"
  "  done\n"
  "  (( $#open )) && _describe -t parameters parameter open -S ''\n"
  "  (( $#offers )) && _describe -t words word offers\n"
  "}\n"
  "if [[ $funcstack[1] == _epicycle ]]; then _epicycle \"$@\"; else compdef _epicycle epicycle; fi\n";

static const char FISH[] =
  "# completion of epicycle for fish: ~/.config/fish/completions/epicycle.fish\n"
  "function __epicycle_words\n"
  "    set -l words (commandline -opc)\n"
  "    set -l last (commandline -ct)\n"
  "    set -q last[1]; or set last ''\n"
  "    for line in (command $words[1] completion --words -- $words[2..-1] $last 2>/dev/null)\n"
  "        switch $line\n"
  "            case ':files*'\n"
  "                set -l endings (string split -n ' ' -- (string replace ':files' '' -- $line))\n"
  "                for file in (__fish_complete_path $last)\n"
  "                    set -l name (string split -f1 \\t -- $file)\n"
  "                    if not set -q endings[1]; or string match -q -- '*/' $name; or contains -- (string match -r '\\.[^.]*$' -- $name) "
  "$endings\n                        echo $file\n"
  "                    end\n"
  "                end\n"
  "            case ':folders'\n"
  "                __fish_complete_directories $last\n"
  "            case '*'\n"
  "                echo $line\n"
  "        end\n"
  "    end\n"
  "end\n"
  "complete -c epicycle -f -a '(__epicycle_words)'\n";

static const struct { const char *name, *script; } SHELLS[] = {{"bash", BASH}, {"zsh", ZSH}, {"fish", FISH}};
enum { NSHELL = sizeof SHELLS/sizeof *SHELLS };

int act_completion(const request *r)
{
  const char *near[NSHELL + 1] = {0};
  if (given(r, "--words")) return offer_words(r), DONE;
  if (r->nword != 1)
    return say(REFUSED, "completion needs one shell, for example `epicycle completion bash`; there are bash, zsh and fish");
  for (int i = 0; i < NSHELL; i++) {
    if (!strcmp(SHELLS[i].name, r->word[0])) return fputs(SHELLS[i].script, stdout), DONE;
    near[i] = SHELLS[i].name;
  }
  const char *name = nearest(r->word[0], near);
  return say(REFUSED, "there is no completion for '%s': %s%s", r->word[0], name ? "did you mean " : "say bash, zsh or fish",
             name ? name : "");
}
