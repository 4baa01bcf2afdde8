#!/usr/bin/env python3
"""Compares the time that two programs take to compile the examples, in alternating runs: the cost of a change of code or build.

    testbenches/bench/compile_times.py BEFORE AFTER [--runs N]

BEFORE and AFTER are two programs, such as the `target/release/sluice` of two commits. Prints the shortest of N runs of the whole
process in ms, and AFTER / BEFORE. Other load on the machine can only make a run slower, so the shortest run has the least noise.
"""
import argparse
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def milliseconds(program, kernel, folder):
    start = time.perf_counter()
    subprocess.run([program, "compile", kernel, "-o", folder], check=True, capture_output=True)
    return 1000 * (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    programs = [options.before.resolve(), options.after.resolve()]
    quotients = []
    print("| example | before, ms | after, ms | after / before |\n|---|--:|--:|--:|")
    for kernel in sorted(ROOT.glob("examples/*/kernel.mlir")):
        with tempfile.TemporaryDirectory() as folder:
            runs = [[milliseconds(program, kernel, folder) for program in programs] for _ in range(options.runs)]
        before, after = (min(times) for times in zip(*runs))
        quotients.append(after / before)
        print(f"| {kernel.parent.name} | {before:.1f} | {after:.1f} | {quotients[-1]:.3f} |")
    mean = statistics.geometric_mean(quotients)
    print(f"geometric mean {mean:.3f} of {len(quotients)}, least {min(quotients):.3f}, most {max(quotients):.3f}")


if __name__ == "__main__":
    main()
