#!/bin/sh
# dist.sh BUILD [COMMIT] - the source as epicycle-VERSION.tar.gz in BUILD, with the script of the reports inside: it builds without npm and
# network. What is not committed is not in it
set -eu
build=$1 commit=${2:-HEAD}
cd "$(dirname "$0")/.."
stop() { echo "dist: $*" >&2; exit 1; }
git rev-parse --git-dir >/dev/null 2>&1 || stop "this is no repository: a tarball is made from one"
[ -s "$build/page.js" ] || stop "$build/page.js is missing or empty: reports would have still pictures; install npm and make build"
version=$(git show "$commit:include/epicycle.h" | sed -n 's/#define EPI_VERSION "\(.*\)"/\1/p')
name=epicycle-$version
# the script belongs to the sources of this commit
[ "$commit" != HEAD ] || git diff --quiet HEAD -- web cmake/page.cmake || stop "web/ has changes that are not committed"
git archive --format=tar --prefix="$name/web/" --add-file="$build/page.js" --prefix="$name/" "$commit" | gzip -n >"$build/$name.tar.gz"
echo "$build/$name.tar.gz"
