#!/usr/bin/env python3
"""Compares the time of `sluice opt` with `mlir-opt-19 --mlir-disable-threading` on generated modules, for docs/BENCHMARKS.md.

    testbenches/bench/mlir.py [--sluice PATH] [--runs N]

Every pair runs alternately, N (5) times; the table has the median seconds, the median of the ratios and the peak memory, of
Sluice on one thread and on two.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MARK = "## Reading and writing modules\n"


def measure(command, n_threads=1):
    """Returns seconds and peak KiB of a command."""
    start = time.monotonic()
    threads = {"RAYON_NUM_THREADS": str(n_threads)}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **threads})
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(map(str, command))} fails")
    return time.monotonic() - start, usage.ru_maxrss


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sluice", default=ROOT / "target/release/sluice")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, functions, operations in (("1.0 M ops, 2,000 functions", 2000, 500), ("200 k ops, 1 function", 1, 200000)):
            text = pathlib.Path(folder, "m.mlir")
            data = pathlib.Path(folder, "m.mlirbc")
            generator = [sys.executable, ROOT / "testbenches/bench/gen_mlir.py", text, str(functions), str(operations)]
            subprocess.run(generator, check=True, stdout=subprocess.DEVNULL)
            subprocess.run(["mlir-opt-19", text, "--emit-bytecode", "-o", data], check=True)
            tasks = [
                ("parse, verify, print", text, [], []),
                ("text to bytecode", text, ["--emit-bytecode"], ["--emit-bytecode"]),
                ("bytecode to text", data, [], []),
                ("bytecode to bytecode", data, ["--emit-bytecode"], ["--emit-bytecode"]),
                ("canonicalize", text, ["--canonicalize"], ["--pass", "canonicalize"]),
                ("cse", text, ["--cse"], ["--pass", "cse"]),
            ]
            for task, source, theirs, ours in tasks:
                a, b, c = [], [], []
                for _ in range(arguments.runs):
                    a.append(measure(["mlir-opt-19", "--mlir-disable-threading", source, *theirs, "-o", "/dev/null"]))
                    b.append(measure([arguments.sluice, "opt", source, *ours]))
                    c.append(measure([arguments.sluice, "opt", source, *ours], 2))
                ratio, ratio_of_two = (statistics.median(x[0] / y[0] for x, y in zip(a, own)) for own in (b, c))
                seconds = [statistics.median(run[0] for run in runs) for runs in (a, b, c)]
                memory = [max(run[1] for run in runs) / 1024 for runs in (a, b)]
                rows.append(f"| {name} | {task} | {seconds[0]:.2f} | {seconds[1]:.2f} | {ratio:.1f} | "
                            f"{seconds[2]:.2f} | {ratio_of_two:.1f} | "
                            f"{memory[0]:.0f} | {memory[1]:.0f} | {memory[1] / memory[0]:.2f} |")
                print(rows[-1], flush=True)
    table = (MARK + "\nRepeat with `cargo build --release && python3 testbenches/bench/mlir.py`: mlir-opt 19.1.7 without threads and Sluice "
             "on one\nthread and on two, in turn; medians. What canonicalize and cse leave is not the same on both sides: the "
             "patterns differ.\n\n| module | task | mlir-opt s | sluice s | times faster | two threads s | times faster | "
             "mlir-opt MiB | sluice MiB | of it |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n" + "\n".join(rows) + "\n")
    page = ROOT / "docs/BENCHMARKS.md"
    before, _, after = page.read_text().partition(MARK)
    # The sections after this one are kept.
    _, heading, after = after.partition("\n## ")
    page.write_text(before.rstrip("\n") + "\n\n" + table + heading + after)


main()
