#!/usr/bin/env bash
# holds: help, man page, completion, colours, progress and JSON suit terminals and programs
# manners.sh - help, man page, completion, colours, progress, JSON, wrong use: the command as a terminal and as another program meet it
#   manners.sh EPICYCLE
. "$(dirname "$0")/../common/command.sh"
export TERM=xterm
unset NO_COLOR

same() { if [ "$2" = "$3" ]; then good; else bad "$1: '$3', not '$2'"; fi; }
# ended CODE WHAT: well; ./err tells why not
ended() { if [ "$1" -eq 0 ]; then good; else bad "exit $1: $2: $(head -n 1 err)"; fi; }
# says PATTERN WORDS ... : exit 2, one sentence on stderr that holds the pattern, nothing on standard output
says() {
  local pattern=$1 code
  shift
  "$e" "$@" >o 2>err </dev/null; code=$?
  if [ $code -ne 2 ]; then bad "exit $code, not 2: epicycle $* : $(cat err)"
  elif [ "$(wc -l <err)" -ne 1 ] || ! has err '^epicycle: '; then bad "not one sentence: epicycle $* : $(cat err)"
  elif ! has err "$pattern"; then bad "no '$pattern' in: $(cat err)"
  elif [ -s o ]; then bad "more than a sentence: epicycle $*"
  else good; fi
}
# json FILE: it is one JSON value; field FILE KEY: a value at the top of it
json() { python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1" 2>py.err; }
field() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1" "$2" 2>&1; }

echo "# help"
"$e" help >page
"$e" >o; holds "alone it prints the page of help" cmp o page
"$e" --help >o; holds "--help too" cmp o page
lines=$(wc -l <page)
holds "the page fits a screen: $lines lines" test "$lines" -ge 15 -a "$lines" -le 40
wide() { awk 'length($0) > 80 && !/^Example:/ { exit 1 }' "$1"; }
holds "the page fits 80 columns" wide page
sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' page >verbs
for v in list show run check resume export import schema reproduce help man completion; do holds "$v on the page" grep -qx $v verbs; done

# every example of every page runs, one after the other in an empty folder
mkdir bin && ln -s "$e" bin/epicycle
examples=0
# try WHERE < lines
try() {
  mkdir -p "$1"
  while IFS= read -r line; do
    examples=$((examples + 1))
    (cd "$1" && PATH=$dir/bin:$PATH timeout 1000 bash -o pipefail -c "$line" >../o 2>../err </dev/null)
    ended $? "$line"
  done
}
while read -r v; do
  "$e" help "$v" >o; cp o "help-$v"
  "$e" "$v" --help >o2; holds "$v --help is help $v" cmp o o2
  holds "help $v begins with the use" has o "^Use: epicycle $v"
  holds "help $v has the exit codes" has o '^Exit code: 0 done; .*'
  holds "help $v fits 80 columns" wide o
  n=$(grep -c "^Example:  epicycle " o)
  holds "help $v has 2 to 4 examples, not $n" test "$n" -ge 2 -a "$n" -le 4
  try "try-$v" < <(sed -n 's/^Example:  //p' "help-$v")
done <verbs
try try-page < <(sed -n 's/^\(Try:\|    \)  \(epicycle .*[^ ]\)   *[a-z].*/\2/p' page)
holds "at least 25 examples ran, not $examples" test $examples -ge 25
"$e" help kepler >o; holds "help of a model" has o '^kepler is a model: see `epicycle show kepler`$'
"$e" help verlet >o; holds "help of a method" has o 'epicycle show verlet'

echo "# wrong use"
says 'did you mean `epicycle check`' chek
says 'did you mean `epicycle check`' help chek
says 'kepler is a model, not a verb: write `epicycle run kepler`' kepler
says 'epicycle show verlet' verlet
says 'needs a model.*, for example `epicycle run kepler`' run
says 'needs a model.*, for example `epicycle check kepler`' check
says 'needs one name, for example `epicycle show kepler`' show
says 'needs one file.*epicycle resume' resume
says 'needs one shell, for example `epicycle completion bash`' completion
says 'did you mean bash' completion bas
says 'say bash, zsh or fish' completion powershell
says 'takes no words' man 7
says 'one verb' help run check
says "run has no option '--claims': it belongs to check;" run kepler --claims
says "list has no option '--quiet': it belongs to run, sweep, resume, export and import;" list --quiet
says "check has no option '--figures': it belongs to reproduce;" check kepler --figures x
says 'did you mean --claims' check kepler --clams
says 'did you mean vibrations' reproduce vibration
says 'did you mean 2.2' reproduce vibrations 2.22
says 'did you mean systems' list sytems

echo "# JSON"
if command -v python3 >o; then
  mkdir j && cd j || exit 1
  # parses CODE WORDS ... : that exit code, and one JSON value on standard output
  parses() {
    local want=$1 code
    shift
    "$e" "$@" >o 2>err </dev/null; code=$?
    if [ $code -ne "$want" ]; then bad "exit $code, not $want: epicycle $* : $(cat err)"
    elif ! json o; then bad "not one JSON value: epicycle $*: $(tail -n 1 py.err)"
    else good; fi
  }
  parses 0 list --json
  parses 0 list systems --json
  parses 0 show kepler --json
  parses 0 check kepler --json
  parses 0 check kepler --flow verlet --claims --json
  parses 1 check kepler --flow 'compose(kick, drift, weights=[0.5, 1, 0.5], order=4)' --claims --json
  parses 0 run kepler --end 1 --json --checkpoint k.checkpoint; same "status" done "$(field o status)"
  parses 0 resume k.checkpoint --json; same "status of what is complete" done "$(field o status)"
  parses 1 run kepler e=0 --flow euler --step 1e300 --end 1e303 --every 1e300 --force --json; same "a failed run" failed "$(field o status)"
  parses 0 reproduce --json
  parses 0 reproduce thesis density --json
  parses 0 --version --json; same "version" "$("$e" --version)" "epicycle $(field o epicycle)"
  parses 0 help run --json
  parses 0 run --help --json
  parses 0 help kepler --json
  parses 0 --help --json
  parses 0 help --json
  # the tables behind the pages: as many verbs, and no value of an option without what holds when it is not given
  python3 - o >o2 <<'P'
import json, sys
verbs = json.load(open(sys.argv[1]))["verbs"]
print(" ".join(v["name"] for v in verbs))
print([v["name"] + o["name"] for v in verbs for o in v["options"] if o["value"] and not o["default"]])
print(min(len(v["examples"]) for v in verbs) >= 2, sum(len(v["options"]) for v in verbs) > 20)
P
  same "the tables" "$(echo $(cat ../verbs)) [] True True" "$(echo $(cat o2))"
  # refused: the sentence in both places, one object, exit code 2
  refused() {
    parses 2 "$@"
    same "status of epicycle $*" refused "$(field o status)"
    same "sentence of epicycle $*" "$(cat err)" "epicycle: $(field o error)"
  }
  refused list modls --json
  refused show keplr --json
  refused run --json
  refused run keplr --json
  refused run kepler --flow 'verlet("' --json
  refused run kepler --json --stpe 1
  refused run kepler --out - --json
  refused run kepler --out no/such/folder.csv --json
  refused check kepler e=2 --json
  refused resume nothing --json
  refused reproduce thesis nothing --json
  refused help nothing --json
  refused frobnicate --json
  "$e" show keplr >o 2>err; holds "without --json nothing on standard output" test ! -s o
  cd ..
else echo "no python3: JSON is not read back"; fi

echo "# the manual page"
"$e" man >epicycle.1
for s in NAME SYNOPSIS DESCRIPTION VERBS OPTIONS FILES 'EXIT STATUS' ENVIRONMENT EXAMPLES 'SEE ALSO'; do
  holds "section $s" grep -qx ".SH $s" epicycle.1; done
while read -r v; do
  holds "$v in the manual" grep -qx ".SS $v" epicycle.1
  for o in $(sed -n 's/^  \(--[a-z-]*\).*/\1/p' "help-$v"); do
    holds "$v $o in the manual" grep -qF -e "\\fB${o//-/\\-}\\fR" epicycle.1
  done
done <verbs
if command -v groff >o; then
  groff -man -Tutf8 -ww epicycle.1 >man.txt 2>err; ended $? groff; holds "groff warns: $(head -n 1 err)" test ! -s err
  holds "examples as they are typed" grep -qF "epicycle run kepler e=0.6 --flow 'symmetric(verlet, order=6)' --step 0.05" \
    <(groff -man -Tascii -P-c epicycle.1 | sed 's/.\x08//g')
else echo "no groff: the manual page is not set"; fi
if command -v mandoc >o; then mandoc -Tlint -Werror epicycle.1 >err 2>&1; ended $? mandoc; else echo "no mandoc"; fi

echo "# completion in bash"
"$e" completion bash >script
touch file.yaml file.c file.txt; mkdir folder
# replies WORDS ... : what bash would offer for the last of them
replies() {
  bash -c \
    'source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _epicycle; ((${#COMPREPLY[@]})) && printf "%s\n" "${COMPREPLY[@]}"' _ \
      "$e" "$@" 2>err | sort | tr '\n' ' '
  cat err
}
offers() { local want=$1; shift; same "bash: $*" "$want" "$(replies "$@")"; }
offers "reproduce resume run " r
offers "kepler " run kep
offers "M0= a= e= mu= " run kepler ''
offers "M0= a= mu= " run kepler e = 0.5 ''
offers "M0= a= mu= " run kepler e=0.5 ''
offers "verlet " run kepler --flow verl
offers "verlet " run kepler --flow = verl
offers "--claims " check kepler --c
offers "--figures " reproduce thesis --f
offers "semi-explicit stiff stroboscopic thesis vibrations " reproduce ''
offers "2.1 2.1-alpha 2.1-theta0 2.2 2.3 " reproduce vibrations 2
offers "methods models " list m
offers "bash fish zsh " completion ''
offers "check completion " help c
offers "symmetric " show symm
offers "file.c file.yaml " run fi
offers "folder " run fol
offers "file.c file.txt file.yaml folder " resume f
offers "folder " reproduce thesis --figures fo
offers "" frobnicate ''
# all that is offered for a model is one: what is no word of the registry is a file
for m in $(replies run ''); do [ -e "$m" ] || "$e" show "$m" >o 2>&1 || bad "offered, and no model: $m"; done
good
# a word that is one of a few
replies run bearing '' >o; holds "parameters of the bearing" has o '='

echo "# completion in zsh and fish"
"$e" completion zsh >_epicycle; holds "zsh begins with its tag" test "$(head -n 1 _epicycle)" = "#compdef epicycle"
if command -v zsh >o; then
  zsh -n _epicycle 2>err; ended $? zsh
else echo "no zsh: its script is not read"; fi
"$e" completion fish >epicycle.fish
if command -v fish >o; then
  fish -n epicycle.fish 2>err; ended $? fish
  # fished LINE: what fish would offer
  fished() { HOME=$dir PATH=$dir/bin:$PATH fish --no-config -c 'source epicycle.fish; complete -C "$argv[1]"' "$1" 2>&1 | cut -f1 | sort |
    tr '\n' ' '; }
  same "fish: verbs" "reproduce resume run " "$(fished 'epicycle r')"
  same "fish: models" "kepler " "$(fished 'epicycle run kep')"
  same "fish: parameters" "M0= a= mu= " "$(fished 'epicycle run kepler e=0.5 ')"
  same "fish: options" "--claims " "$(fished 'epicycle check kepler --c')"
  same "fish: files" "file.c file.yaml " "$(fished 'epicycle run fi')"
  same "fish: all files" "file.c file.txt file.yaml folder/ " "$(fished 'epicycle resume f')"
else echo "no fish: its script is not read"; fi

echo "# colours and progress"
esc=$(printf '\033')
plain() { ! grep -q "$esc" "$@"; }
"$e" run keplr >o 2>err; holds "no colours in a pipe" plain o err
"$e" reproduce thesis density >o 2>err; holds "no progress in a pipe" test ! -s err; holds "no colours in a table" plain o
if script -qec true /dev/null >o 2>err; then
  # seen COMMAND: what a terminal gets
  seen() { script -qec "$1" /dev/null </dev/null >o 2>&1; }
  seen "'$e' run keplr"; holds "red, on a terminal" has o "^$esc\[31mepicycle:$esc\[0m no model is called"
  seen "'$e' check stiff-springs --flow verlet --step 0.0025 >of"
  holds "a warning is yellow" has o "^$esc\[33mepicycle:$esc\[0m the step"; holds "what goes to a file stays plain" plain of
  seen "'$e' run keplr 2>of"; holds "each stream for itself" plain of
  seen "'$e' help"; holds "heads are bold" has o "$esc\[1mUse:$esc\[0m"
  seen "'$e' list models"; holds "sections are bold" has o "$esc\[1mmodels$esc\[0m"
  seen "'$e' reproduce thesis density"; holds "what is true is green" has o "$esc\[32mtrue$esc\[0m"
  seen "'$e' check kepler --flow 'compose(kick, drift, weights=[0.5, 1, 0.5], order=4)' --claims"
  holds "what fails is red" has o "$esc\[31mfails$esc\[0m"
  seen "NO_COLOR=1 '$e' run keplr"; holds "NO_COLOR" plain o; holds "and the sentence" has o '^epicycle: no model is called'
  seen "NO_COLOR= '$e' run keplr"; holds "an empty NO_COLOR forbids nothing" has o "$esc\[31m"
  seen "TERM=dumb '$e' run keplr"; holds "a dumb terminal" plain o
  seen "TERM=dumb '$e' reproduce thesis density"; holds "no line to wipe on a dumb one" plain o
  seen "'$e' reproduce thesis density >of"; holds "how far: $(tr '\r\033' '<^' <o)" has o "thesis: 2 of 2 claims"
  holds "wiped at the end" has o "claims.*$esc\[K\$"
  seen "'$e' check kepler --flow verlet --claims >of"; holds "how far the claims are" has o "measured: 5 of 5 claims"
  holds "wiped" has o "claims.*$esc\[K\$"
  # a flow is chosen: how far that is, and Ctrl-C; on a busy machine it may come before anything has begun
  slow_model slow.c; touch hold
  for wait in 1 3 9 27; do
    seen "timeout --foreground -s INT $wait '$e' run slow.c --end 40 --tol 1e-6 --out chosen.csv"; has o "epicycle:" && break
  done
  rm hold
  holds "how far the choice is" has o "choosing a flow: trying .* % "
  holds "Ctrl-C while it is chosen: $(tr '\r\033' '<^' <o)" has o "stopped while a flow was chosen: nothing was run"
  holds "nothing is made" test ! -e chosen.csv
else echo "no script(1): the terminal side is not seen"; fi

counted
