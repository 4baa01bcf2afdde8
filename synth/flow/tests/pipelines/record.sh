#!/bin/bash
# Records what mlir-opt 19 answers to each pipeline of `pipelines.txt` on `module.mlir`, for `synth/flow/tests/suite/pipelines.rs` to compare.
#
# `answers.txt` has for each pipeline a line `accepted` with the module behind it, or a line `refused`; the answers are divided by lines `----`.
set -uo pipefail
cd "$(dirname "$0")"
opt=${MLIR_OPT:-mlir-opt-19}
first=1
while IFS= read -r line; do
    case "$line" in '#'*) continue ;; esac
    pipeline=${line%%  #*}
    pipeline=${pipeline%%  ~*}
    [ $first = 1 ] || echo '----'
    first=0
    if answer=$("$opt" --allow-unregistered-dialect --pass-pipeline="$pipeline" module.mlir 2> /dev/null); then
        echo accepted
        echo "$answer"
    else
        echo refused
    fi
done < pipelines.txt > answers.txt
