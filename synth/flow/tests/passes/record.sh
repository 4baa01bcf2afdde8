#!/bin/bash
# Records what mlir-opt 19 makes of the files beside it, for `synth/flow/tests/suite/passes.rs` to compare.
#
# The first line of a file is `// pipeline: ...`, and the second one may be `// options: --mlir-print-debuginfo`; its parts are divided by lines `// -----`, and so are those of `.out`.
set -euo pipefail
cd "$(dirname "$0")"
opt=${MLIR_OPT:-mlir-opt-19}
parts=$(mktemp -d)
trap 'rm -r "$parts"' EXIT
files=("$@")
[ $# -gt 0 ] || mapfile -t files < <(find . -name '*.mlir' | LC_ALL=C sort)
for file in "${files[@]}"; do
    rm -f "$parts"/*
    pipeline=$(sed -n '1s/^\/\/ pipeline: //p' "$file")
    options=$(sed -n '2s/^\/\/ options: //p' "$file")
    awk -v folder="$parts" '
        BEGIN { part = sprintf("%s/%04d.mlir", folder, n); printf "" > part }
        /^\/\/ -----$/ { close(part); n += 1; part = sprintf("%s/%04d.mlir", folder, n); printf "" > part; next }
        { print > part }' "$file"
    first=1
    for part in "$parts"/*.mlir; do
        [ $first = 1 ] || echo '// -----'
        first=0
        "$opt" --allow-unregistered-dialect $options --pass-pipeline="$pipeline" "$part"
    done > "${file%.mlir}.out"
done
