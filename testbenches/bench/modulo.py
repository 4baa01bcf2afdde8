#!/usr/bin/env python3
"""Solves modulo scheduling problems: pipelined loops of the examples in several configurations, random loops of known least II.

The problems are written to a folder (--keep sets it); `sluice schedule` minimises the II and tells how many results are proved
optimal.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATIONS = {
    "generic": [],
    "ecp5": ["device: ecp5"],
    "one multiplier": ["device: ecp5", "limits: {multiply: 1}"],
    "loops apart": ["flatten: false", "limits: {multiply: 1, add: 1}"],
    "fast": ["clock_period_ns: 3", "limits: {multiply: 2, add: 2}"],
}
PROBLEM = re.compile(r'^problem: "(.*)"$', re.M)
MIN_OPERATIONS = 10


def kernels():
    return sorted(ROOT.glob("examples/*/kernel.mlir")) + sorted(ROOT.glob("examples/*/*/kernel.mlir"))


def export(options, folder):
    """Writes every distinct pipelined loop to a file; returns their number."""
    seen = set()
    for title, lines in CONFIGURATIONS.items():
        config = Path(folder).parent / "config.yaml"
        config.write_text("".join(line + "\n" for line in lines))
        for kernel in kernels():
            command = [options.sluice, "compile", kernel, "--config", config, "--emit", "yaml"]
            done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                print(f"{kernel.parent.name}, {title}: not feasible", file=sys.stderr)
                continue
            for problem in done.stdout.split("---\n"):
                problem = problem[: problem.find("\nschedule:") + 1] if "\nschedule:" in problem else problem
                n_operations = len(re.findall(r"^  o\d+:", problem, re.M))
                content = PROBLEM.sub("", problem)
                if "min_ii" in problem and n_operations >= MIN_OPERATIONS and content not in seen:
                    seen.add(content)
                    Path(folder, f"{kernel.parent.name}-{len(seen)}.yaml").write_text(problem)
    return len(seen)


def solve(options, folder, title):
    command = [options.sluice, "schedule", "--summary", "--objective", "ii", "--threads", "2"]
    if options.time_limit_s:
        command += ["--time-limit", options.time_limit_s]
    done = subprocess.run([str(part) for part in [*command, folder]], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stdout + done.stderr)
    last = done.stdout.strip().splitlines()[-1]
    print(f"{title}: {last}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sluice", default=ROOT / "target" / "release" / "sluice", help="the program to measure")
    parser.add_argument("--random", type=Path, metavar="FOLDER", help="problems of `cargo run -p sluice-schedule --example random_loops`")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the problems of the kernels go")
    parser.add_argument("--time-limit-s", metavar="S", help="wall-clock limit of each problem; without it effort is counted")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch, "loops")
        folder.mkdir(parents=True, exist_ok=True)
        export(options, folder)
        solve(options, folder, "loops of kernels")
        if options.random:
            solve(options, options.random, "random loops")


if __name__ == "__main__":
    main()
