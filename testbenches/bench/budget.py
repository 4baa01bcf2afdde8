#!/usr/bin/env python3
"""Compiles kernels whose search does not end by itself, with several time budgets; prints their time and the skipped work.

    testbenches/bench/budget.py [--sluice PROGRAM] [--seconds N ...] [FOLDER ...]

Each FOLDER holds a `kernel.mlir` and optionally a `kernel.yaml`; the default is those of `testbenches/tests/slow`. Prints CPU
seconds, peak memory, and the alternatives that were not tried completely. Fails if a compilation fails, or takes more than its
budget and 20 s of CPU time: necessary work, such as the deadlock proof and the Verilog, has no budget.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ANYWAY_S = 20


def compiled(program, folder, seconds):
    """Returns the exit status, the CPU seconds, and the skipped work."""
    with tempfile.TemporaryDirectory() as output:
        command = [program, "compile", folder / "kernel.mlir", "--limit", f"compile_seconds={seconds}", "-o", output]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
            said = running.stderr.read()
            _, status, took = os.wait4(running.pid, 0)
            running.returncode = os.waitstatus_to_exitcode(status)
    used = took.ru_utime + took.ru_stime
    cut = re.search(r"not tried to the end: ([^;]*);", said)
    return running.returncode, used, took.ru_maxrss / 1024, cut.group(1) if cut else "nothing"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--sluice", default=ROOT / "target/release/sluice", help="the program")
    parser.add_argument("--seconds", nargs="+", type=int, default=[1, 5, 60], help="budgets")
    options = parser.parse_args()
    folders = options.folders or sorted(path.parent for path in (ROOT / "testbenches/tests/slow").glob("*/kernel.mlir"))
    wrong = 0
    print("| kernel | budget s | processor s | peak MiB | not tried to the end |\n|--|--|--|--|--|")
    for folder in folders:
        for seconds in options.seconds:
            status, used, peak, cut = compiled(options.sluice, folder, seconds)
            wrong += status != 0 or used > seconds + ANYWAY_S
            print(f"| {folder.name} | {seconds} | {used:.1f} | {peak:.0f} | {cut if status == 0 else f'exit status {status}'} |", flush=True)
    sys.exit(1 if wrong else 0)


main()
