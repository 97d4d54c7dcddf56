#!/bin/bash
# holds: the JSON schema accepts every model file that `check` accepts, and refuses wrong keys, kinds and words
# schema.sh - the JSON schema of model files takes every file that `epicycle check` takes, and refuses wrong keys, kinds and words
# label: plain
# cost: 5
set -eu
: "${SOURCE:?the source folder}"
epicycle=$1
python=/usr/bin/python3
"$python" -c 'import jsonschema, yaml' 2>/dev/null ||
  { echo "schema: needs python3-jsonschema and python3-yaml: ./setup.sh test installs them"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$epicycle" schema >"$dir/schema.json"
"$epicycle" list models --json >"$dir/models.json"
for model in $("$python" -c 'import json, sys; [print(m["name"]) for m in json.load(open(sys.argv[1]))["models"]]' "$dir/models.json"); do
  "$epicycle" show "$model" --yaml >"$dir/$model.yaml"
done
"$python" "$SOURCE/tests/common/schema.py" "$dir" "$SOURCE" "$epicycle"
