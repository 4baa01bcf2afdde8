#!/bin/bash
# Records what mlir-opt 19 answers to the files of `dialects/tests/<dialect>`, for `dialects/tests/suite/upstream.rs` to compare.
#
# Each file is divided by lines `// -----`. `.out` gets what mlir-opt prints for each part, or `error at LINE:COLUMN: ...`,
# the first message, where it refuses the part. Parts at which mlir-opt crashes must not be in a file. What stands in an
# `.irdl` beside the file is loaded before; the parts in `definitions` are such definitions themselves.
#
# `newer` holds what MLIR 20 and later added; there, name the files and set MLIR_OPT to an opt of that version: 20 and 21 for
# `stored_20.mlir` and `stored_21.mlir`, one of 2026-09 or later for `later.mlir`, 22 for the others. `iree-opt` is such an opt: the
# releases 3.2, 3.6, 3.10 and 3.12 have MLIR 20, 21, 22 and a later one. `--emit-bytecode` made `stored_NN.mlirbc`.
set -euo pipefail
cd "$(dirname "$0")"
opt=${MLIR_OPT:-mlir-opt-19}
parts=$(mktemp -d)
trap 'rm -r "$parts"' EXIT
files=("$@")
# The dialects of circuits are recorded by `record_circt.py`.
[ $# -gt 0 ] || mapfile -t files < <(find . -name '*.mlir' | grep -Ev '^./(hw|comb|seq|fsm|handshake|newer)/' | LC_ALL=C sort)
for file in "${files[@]}"; do
    rm -f "$parts"/*
    awk -v folder="$parts" '
        BEGIN { part = sprintf("%s/%04d.mlir", folder, n); printf "" > part }
        /^\/\/ -----$/ { close(part); n += 1; part = sprintf("%s/%04d.mlir", folder, n); printf "" > part; next }
        { print > part }' "$file"
    first=1
    for part in "$parts"/*.mlir; do
        [ $first = 1 ] || echo '// -----'
        first=0
        arguments=("$part")
        if [ -f "${file%.mlir}.irdl" ]; then
            arguments+=("--irdl-file=${file%.mlir}.irdl")
        elif [ "$(basename "$(dirname "$file")")" = definitions ]; then
            arguments=(/dev/null "--irdl-file=$part")
        fi
        if "$opt" --allow-unregistered-dialect "${arguments[@]}" > "$parts/out" 2> "$parts/err"; then
            cat "$parts/out"
        else
            message=$(grep -a -m1 ': error: ' "$parts/err" | tr -d '\0') || { echo "$file: mlir-opt crashed" >&2; exit 1; }
            message=${message#*.mlir:}
            echo "error at ${message/: error: /: }"
        fi
    done > "${file%.mlir}.out"
done
