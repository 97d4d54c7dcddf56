#!/bin/sh
# deb.sh BUILD - Debian packages of the tarball in BUILD, into BUILD/deb; lintian looks at them where it is installed
set -eu
cd "$(dirname "$0")/.."
build=$(cd "$1" && pwd)
stop() { echo "deb: $*" >&2; exit 1; }
for needed in dpkg-buildpackage dh dh_python3; do
  command -v $needed >/dev/null || stop "$needed is missing: apt-get install debhelper dh-python"
done
tarball=$(ls "$build"/epicycle-*.tar.gz | tail -n 1)
version=$(basename "$tarball" .tar.gz | sed 's/^epicycle-//')
rm -rf "$build/deb"
mkdir -p "$build/deb"
tar xzf "$tarball" -C "$build/deb"
cp "$tarball" "$build/deb/epicycle_$version.orig.tar.gz"
cd "$build/deb/epicycle-$version"
cp -r packaging/debian debian
sed -i "1s/(.*)/($version-1)/" debian/changelog
dpkg-buildpackage -b -us -uc -d >"$build/deb/log" 2>&1 || { tail -n 20 "$build/deb/log" >&2; stop "the build failed: $build/deb/log"; }
cd ..
ls *.deb | sed "s|^|$build/deb/|"
if command -v lintian >/dev/null; then lintian --allow-root --fail-on error *.changes
else echo "lintian is not installed: not looked at"; fi
