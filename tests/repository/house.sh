#!/usr/bin/env bash
# holds: lines, functions and files keep their lengths, and no file of src includes or calls upward or in a circle
# house.sh - the rules of the house that a machine can check: lines, functions, files, and who may know whom
# label: plain
set -u
. "$(dirname "$0")/../common/none.sh"
: "${SOURCE:?the source folder}" "${BUILD:?the build folder}"
cd "$SOURCE" || exit 1

columns=140          # of a line, in characters
body=60              # lines of a function; about 40 is the rule
length=650           # lines of a file; about 600 is the rule
# the library from the ground up: a file may use what stands left of its own room, or in it
rooms="core text method average wrap time registry.c make.c lanes.c scene.c measure body case.c model models.c choose file robot"
rooms="$rooms result emit sweep page request handle"


# ---- the text ----
files() { find . -name 'build*' -prune -o -name node_modules -prune -o -name .git -prune -o -path ./tests/data -prune -o -type f \( "$@" \) -print; }
# cases of users are as their users wrote them
code() { files -name '*.c' -o -name '*.h' | grep -v '^./tests/cases/'; }
text() {
  code
  files -name '*.sh' -o -name '*.js' -o -name '*.mjs' -o -name '*.css' -o -name '*.cmake' -o -name CMakeLists.txt -o -name '*.py'
}
[ "$(text | wc -l)" -gt 200 ] || { echo "no files in $SOURCE"; exit 1; }

# a pattern or a program in quotes that is longer than most of a line stays whole
text | LC_ALL=C.UTF-8 xargs grep -nE "^.{$((columns + 1)),}" | grep -vE "\.sh:[0-9]+:.*'[^']{80,}" | cut -c1-100 |
  none "lines of more than $columns characters"
text | xargs grep -nP '\t' | cut -c1-100 | none "tabs"
text | xargs grep -nE '[[:blank:]]+$' | cut -c1-100 | none "blanks at the end of a line"
text | xargs grep -nwE 'TODO|FIXME|XXX' | grep -v '^./tests/repository/house.sh' | none "left to do"
text | xargs wc -l | awk -v most=$length '$2 != "total" && $1 > most { print $2 ": " $1 }' | none "files of more than $length lines"

# a function begins with a brace at the left edge, or at the end of its head, and ends with one at the left edge
code | xargs awk -v most=$body '
  FNR == 1 { from = 0 }
  /^\{/ || (/^[a-z].*\) \{$/ && !/=/) { from = FNR }
  /^\}/ { if (from && FNR - from - 1 > most) print FILENAME ":" from ": " FNR - from - 1; from = 0 }' |
  none "functions of more than $body lines"

# ---- who knows whom ----
# uses: file, file, name - from the objects as they were built
uses() {
  for folder in "$BUILD"/CMakeFiles/epicycle*.dir; do
    find "$folder" -name '*.c.o' | while read -r object; do
      file=${object#"$folder"/} file=${file%.o}
      # what was built of a file that is gone says nothing
      [ -e "$file" ] && nm "$object" | awk -v file="$file" '$2 ~ /^[TDRBCVW]$/ { print "has", $3, file } $1 == "U" { print "uses", $2, file }'
    done
  done | awk '$1 == "has" { home[$2] = $3; next } { use[++n] = $3; name[n] = $2 }
    END { for (i = 1; i <= n; i++) if (name[i] in home && home[name[i]] != use[i]) print use[i], home[name[i]], name[i] }' | sort -u
}
# the same from what they include
includes() {
  find src -name '*.[ch]' | while read -r file; do
    sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file" | while read -r name; do
      for place in "$(dirname "$file")/$name" "src/$name" "src/core/$name"; do
        [ -e "$place" ] && { echo "$file $place include"; break; }
      done
    done
  done
}
known=$(uses)
[ "$(echo "$known" | wc -l)" -gt 300 ] || { echo "no objects in $BUILD"; exit 1; }

# upward: file, file, name -> those that reach above their own room
upward() {
  awk -v rooms="$rooms" '
    BEGIN { n = split(rooms, room, " "); for (i = 1; i <= n; i++) rank[room[i]] = i }
    function of(file, part) { split(file, part, "/"); sub(/\.h$/, ".c", part[2]); return part[1] == "src" ? part[2] : "" }
    { a = of($1); b = of($2) }
    a == "" || b == "" { next }
    !(a in rank) { print $1 " is in no room of this house: give " a " its place in tests/repository/house.sh"; next }
    !(b in rank) { next }
    rank[b] > rank[a] { print $1 " uses " $3 " of " $2 }' | sort -u
}
{ echo "$known"; includes; } | upward | none "upward"

# a node is asked for its facets and claims: nobody but the text compares the name of its record
find src tool -name '*.[ch]' ! -path 'src/text/*' -print0 | xargs -0 grep -nE 'str(n?cmp|str)\([^;]*\brecord\)?->name\b' |
  none "records compared by their names"

# private: room, room, name -> names of another room that is not core, and that no public header has
private() {
  awk 'function room(file, part) { split(file, part, "/"); return part[1] == "src" ? part[2] : "" }
    $1 == "public" { public[$2] = 1; next }
    { a = room($1); b = room($2) }
    # the lists of records and of models name all of them
    a != "" && b != "" && a != b && b != "core" && a !~ /^(registry|models)\.c$/ && !($3 in public) { print a, b, $3 }' | sort -u
}
{ grep -rohE '\bepi_[A-Za-z0-9_]+' include | sort -u | sed 's/^/public /'; echo "$known"; } | private >"${TMPDIR:-/tmp}/private.$$"
echo "private names across rooms: $(wc -l <"${TMPDIR:-/tmp}/private.$$") in" \
  "$(cut -d' ' -f1,2 "${TMPDIR:-/tmp}/private.$$" | sort -u | wc -l) pairs of rooms"
rm -f "${TMPDIR:-/tmp}/private.$$"

# circles: uses from which a way leads back. Files that nobody in the rest uses, or that use nobody in the rest, are taken away first
circles() {
  awk '{ from[NR] = $1; to[NR] = $2; name[NR] = $3; live[NR] = 1 }
    END {
      do {
        split("", out); split("", in_)
        for (i = 1; i <= NR; i++) if (live[i]) { out[from[i]] = 1; in_[to[i]] = 1 }
        gone = 0
        for (i = 1; i <= NR; i++) if (live[i] && (!(from[i] in in_) || !(to[i] in out))) { live[i] = 0; gone++ }
      } while (gone)
      for (i = 1; i <= NR; i++) if (live[i]) { way[from[i], to[i]] = 1; file[from[i]] = file[to[i]] = 1 }
      for (k in file) for (a in file) if ((a, k) in way) for (b in file) if ((k, b) in way) way[a, b] = 1
      for (i = 1; i <= NR; i++) if (live[i] && (to[i], from[i]) in way) print from[i] " uses " name[i] " of " to[i]
    }'
}
echo "$known" | grep '^src/' | grep ' src/' | circles | none "circles between files of src"
echo "$known" | grep '^tool/' | grep ' tool/' | circles | none "circles between files of tool"
echo "$known" | grep '^papers/' | grep ' papers/' | circles | none "circles between files of papers"
# nothing in the library knows the programs, nothing in the command the papers
echo "$known" | grep -E '^src/.* (tool|papers|bench)/' | none "the library uses a program"
echo "$known" | grep -E '^tool/.* (papers|bench)/' | none "the command uses the papers"

# ---- what programs decide by ----
# a message is for people: programs decide by its cause. What is looked for: a comparison whose first argument is named as messages are,
# or is one of the functions that return them; a message under another name is not found
grep -rnP '\bstr(str|n?cmp|n?casecmp)\((\*?epi_(error|warning|world_error|sweep_error|job_error)\(|(\w+(\[\w+\])?(->|\.))*(why|error|said|warning|sentence|failure)(\.words)?,)' \
  src tool fmu --include='*.[ch]' | cut -c1-120 | none "decisions by the words of a message"

looked
