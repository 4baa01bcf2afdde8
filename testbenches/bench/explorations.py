#!/usr/bin/env python3
"""Measures time and memory of explorations of a small kernel by their number of points.

    testbenches/bench/explorations.py [--sluice FILE] [N ...]

Default: 1,000 and 10,000 points. Each exploration runs twice: the second run reads the points of the first.
"""

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KERNEL = """func.func @sums(%a: memref<8xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> (i32) {
    %x = affine.load %a[%i] : memref<8xi32>
    %next = arith.addi %acc, %x : i32
    affine.yield %next : i32
  }
  return %sum : i32
}
"""

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--sluice", type=Path, default=ROOT / "target/release/sluice")
parser.add_argument("points", nargs="*", type=int, default=[1000, 10000])
options = parser.parse_args()


def explore(folder):
    """Returns the seconds and the MB of an exploration of the space in a folder."""
    begin = time.perf_counter()
    call = [options.sluice.resolve(), "explore", "k.mlir", "--config", "space.yaml"]
    process = subprocess.Popen(call, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, f"{call} failed"
    return time.perf_counter() - begin, usage.ru_maxrss / 1024


for n in options.points:
    with tempfile.TemporaryDirectory() as folder:
        periods = ", ".join(f"{2 + k / 1000:.3f}" for k in range(n // 4))
        space = f"clock_period_ns: [{periods}]\nunroll: {{i: [1, 2, 4, 8]}}\n"
        Path(folder, "k.mlir").write_text(KERNEL, encoding="utf-8")
        Path(folder, "space.yaml").write_text(space, encoding="utf-8")
        for name in ["compiled", "again"]:
            seconds, megabytes = explore(folder)
            print(f"{n} points, {name}: {seconds:.1f} s, {megabytes:.0f} MB", flush=True)
