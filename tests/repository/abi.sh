#!/usr/bin/env bash
# holds: objects compiled with another version of the header are refused with a sentence
# abi.sh EPICYCLE - objects compiled with another header get a sentence: older and newer ones, programs and models of the command
# label: plain
set -u
. "$(dirname "$0")/../common/command.sh"
: "${SOURCE:?}" "${BUILD:?}" "${CC:?}"

# header FOLDER SED: the headers with a change
header() {
  mkdir -p "$1"
  cp -r "$SOURCE"/include/. "$1"
  sed -i "$2" "$1"/epicycle.h
  ! cmp -s "$1"/epicycle.h "$SOURCE"/include/epicycle.h || { echo "the header was not changed by $2"; exit 1; }
}
header older '/epi_batch batch;/d; /epi_uncoupled_modes modes;/d'
header newer 's|^  int nq, nv, nz, nc;|  int nq, nv, nz, nc, later;|'
header next 's|EPI_ABI_VERSION 4|EPI_ABI_VERSION 5|; s|EPI_VERSION "[0-9.]*"|EPI_VERSION "9.8.7"|'

header sibling 's|EPI_VERSION "[0-9.]*"|EPI_VERSION "9.8.7"|'

cat > program.c <<'END'
#include <epicycle.h>
static int force(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -q[0]; return 0; }
int main(void) {
  double y[] = {1, 0};
  epi_system m = {.nq = 1, .force = force, .names = (const char *const[]){"q", "v"}};
  epi_flow *f = epi_make("verlet", &m), *g = epi_make_named("verlet", (epi_name[]){{.name = "model", .system = &m}, {0}});
  epi_state s = {.y = y};
  int bad = epi_run(f, &s, 1, 0.1);
  puts(epi_error(f) ? epi_error(f) : "all is well");
  if (epi_error(g)) puts(epi_error(g));
  epi_world *w = epi_world_make();
  if (epi_world_error(w)) puts(epi_world_error(w));
  epi_world_free(w);
  epi_free(f);
  epi_free(g);
  return bad ? 3 : 0;
}
END
# build NAME FOLDER [SOURCE]
build() { "$CC" -std=gnu11 -I"$2" "${3:-program.c}" "$BUILD"/libepicycle.so -Wl,-rpath,"$BUILD" -lm -o "$1" || bad "$1 cannot be built"; }
build same "$SOURCE"/include
./same > out; holds "the same header: all is well" test "$?/$(cat out)" = "0/all is well"
build sibling-program sibling
./sibling-program > out; holds "another release with the same structs: all is well" test "$?/$(cat out)" = "0/all is well"
for kind in older newer next; do
  build "$kind-program" $kind
  ./$kind-program > out; code=$?
  holds "$kind: exit 3, not $code" test $code -eq 3
  holds "$kind: three sentences, not $(wc -l < out)" test "$(grep -c 'compile it again with the header of this library' out)" -eq 3
done
./older-program > out; holds "what differs: $(head -1 out)" grep -q '(epi_system has [0-9]* bytes, not [0-9]*)' out
./next-program > out; holds "the version: $(head -1 out)" grep -q 'header of Epicycle 9.8.7, and the library is' out

# options of a run, and model files
header longer 's|^#define EPI_ABI_VERSION 4|&  |'
sed -i 's|^  double every;  |  double between, every;|' longer/epicycle/result.h
cmp -s longer/epicycle/result.h "$SOURCE"/include/epicycle/result.h && bad "result.h was not changed"
cat > results.c <<'END'
#include <epicycle/file.h>
int main(void) {
  epi_case *c = epi_case_make("kepler");
  if (c->error[0]) puts(c->error);
  epi_result *r = epi_result_make(c, "verlet", &(epi_run_options){.step = 0.01, .end = 1});
  puts(r->error);
  epi_file *f = epi_file_read("none.yaml");
  puts(epi_file_sentence(f, 0)->text);
  epi_file_free(f);
  epi_result_free(r);
  epi_case_free(c);
  return 0;
}
END
for kind in older longer; do
  "$CC" -std=gnu11 -I$kind results.c "$BUILD"/libepicycle-file.so "$BUILD"/libepicycle.so -Wl,-rpath,"$BUILD" -lm -o results ||
    bad "results of $kind"
  ./results > out; holds "$kind: $(head -1 out)" test "$(grep -c 'this program was compiled with the header' out)" -ge 2
done

# a program from before headers were compared knows the plain names only
cat > ancient.c <<'END'
#include <stdio.h>
void *epi_make(const char *, void *), *epi_make_named(const char *, const void *), *epi_world_make(void);
const char *epi_error(const void *), *epi_world_error(const void *);
int main(void) {
  long junk[200] = {1};
  void *f = epi_make("verlet", junk), *g = epi_make_named("verlet", junk), *w = epi_world_make();
  printf("%s\n%s\n%s\n", epi_error(f), epi_error(g), epi_world_error(w));
  return 0;
}
END
build ancient . ancient.c
./ancient > out; holds "ancient: exit 0" test $? -eq 0
holds "ancient: three sentences" test "$(grep -c 'compile it again' out)" -eq 3

# models of the command
"$e" new mymodel > mymodel.c
for kind in older newer next; do
  "$CC" -std=gnu11 -fPIC -shared -I$kind mymodel.c -o $kind.so || bad "a model cannot be built"
  "$e" run $kind.so > out 2> err; code=$?
  holds "$kind.so: exit 2, not $code" test $code -eq 2
  holds "$kind.so: $(head -1 err)" grep -q 'compile it again' err
done
counted
