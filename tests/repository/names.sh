#!/usr/bin/env bash
# holds: exported names have their prefix and declaration, and the library has no globals, prints or exits
# names.sh - the naming page and the manners of the library, checked on what was built
# label: plain
set -u
. "$(dirname "$0")/../common/none.sh"
: "${SOURCE:?the source folder}" "${BUILD:?the build folder}"
shared="$BUILD/libepicycle.so $BUILD/libepicycle-file.so" static="$BUILD/libepicycle.a $BUILD/libepicycle-file.a"
headers=$(echo "$SOURCE"/include/epicycle.h "$SOURCE"/include/epicycle/*.h)


# a check of nothing is no check
exported=$(nm -D --defined-only $shared | awk 'NF == 3 { print $NF }')
declared=$(grep -o '^EPI_API .*' $headers | grep -oE "epi_[a-zA-Z_]*\(" | tr -d '(' | sort -u)
[ "$(echo "$exported" | wc -w)" -ge 10 ] && [ "$(echo "$declared" | wc -w)" -ge 10 ] || { echo "no symbols in $shared or the headers";
  exit 1; }

echo "$exported" | grep -v '^epi_' | none "exported without the prefix epi_"
echo "$exported" | sort -u | comm -13 - <(echo "$declared") | none "declared in the header and not exported"
echo "$exported" | sort -u | comm -23 - <(echo "$declared") | none "exported and not declared in the header"
nm -g --defined-only $static | awk 'NF == 3 { print $3 }' | grep -v '^epi_' | none "external names of the static library without epi_"
echo "$declared" | grep -E '_(get|set|do|is)(_|$)' | none "object, then verb; no get and set"
{
  sed 's|/\*.*||' $headers | tr '\n' ' ' | grep -o 'enum *{[^}]*}' | sed 's/enum *{//; s/}//' | tr ',' '\n' | awk 'NF { print $1 }'
  sed -n 's/^#define \([A-Za-z_]*\).*/\1/p' $headers
} | grep -vE '^(EPI_[A-Z_]+|EPICYCLE_[A-Z_]*H|epi_(make|make_named|case_make|case_of|world_make|result_make|file_read|file_read_text))$' |
  none "constants that are not EPI_ and capitals"
grep -nE 'typedef [^({]*\*+ *[a-z_]+;' $headers "$SOURCE"/src/*/*.h | none "pointers hidden by a typedef"

# every header can be the only one of a program
for h in $headers; do
  for c in "${CC:-cc} -std=c11 -x c" "c++ -std=c++11 -x c++"; do
    command -v ${c%% *} > /dev/null || continue
    echo "#include \"$h\"" | $c -Wall -Werror -fsyntax-only -I"$SOURCE"/include - > /dev/null 2>&1 || echo "$h by $c"
  done
done | none "headers that do not stand alone"

# the library returns sentences: it does not print, leave, ask the surroundings or draw lots
nm -u $static | awk '{ print $2 }' | sed 's/@.*//' | sort -u |
  grep -xE \
    '(__)?v?printf(_chk)?|puts|putchar|perror|stdout|stderr|_?_?exit|_Exit|quick_exit|atexit|abort|__assert_fail|raise|signal|sigaction|getenv|setlocale|s?rand(om)?|strtok|system' |
  none "the library calls"

# no globals: only constants have a place of their own
objdump -t $static | awk '
  /file format/ { file = $1 }
  $1 ~ /^[0-9a-f]+$/ && / O /  {
    for (i = 2; i < NF; i++)
      if ($i ~ /^(\.data|\.bss|\.tbss|\.tdata|\*COM\*)/ && $i !~ /^\.data\.rel\.ro/) print file, $NF, $i
  }' |
  none "variables that can change outside any object"

# words that say nothing about a file
find "$SOURCE/src" "$SOURCE/tool" "$SOURCE/include" -name '*.[ch]' |
  grep -E '/[^/]*(utils?|helpers?|impl|manager|misc|common)[-_.][^/]*$' | none "file names that say nothing"

# an idea fits a file
find "$SOURCE/src" "$SOURCE/tool" -name '*.[ch]' -exec awk 'END { if (NR > 650) print FILENAME ": " NR " lines" }' {} \; |
  none "files that hold more than one idea"

# pages carry the code of others, and rows what a run left: neither belongs here
{ git -C "$SOURCE" ls-files '*.html' '*.npy' '*.checkpoint' ':(top,glob)*.csv' ':(top,glob)*.svg' 2>/dev/null || true; } |
  none "what runs left behind"

looked && [ "$checks" -ge 12 ]
