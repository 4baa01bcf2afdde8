#!/usr/bin/env python3
"""Cells of the data paths in data_paths/ after synthesis for ECP5, for one or more builds of Sluice.

    testbenches/bench/data_paths.py [--period NS] [SLUICE...]

SLUICE is a program, `target/release/sluice` by default. Needs Yosys. Prints look-up tables (LUT4, and two for each CCU2C), flip-flops,
multiplier blocks (MULT18X18D) and the latency in cycles.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "data_paths"
ROOT = FOLDER.parents[2]


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def measured(sluice, kernel, period_ns):
    """Returns LUT, FF, DSP and cycles of a kernel."""
    top = re.search(r"func\.func @(\w+)", kernel.read_text(encoding="utf-8"))[1]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "kernel.yaml").write_text(f"device: ecp5\nclock_period_ns: {period_ns}\n", encoding="utf-8")
        said = run([sluice, "compile", kernel, "--config", "kernel.yaml", "-o", "out"], path)
        script = f"read_verilog out/{top}.v; synth_ecp5 -abc9 -top {top}; tee -o cells.txt stat"
        run(["yosys", "-q", "-p", script], path)
        cells = (path / "cells.txt").read_text(encoding="utf-8")

    def count(cell):
        found = re.findall(rf"^ +{cell} +(\d+)$", cells, re.MULTILINE)
        return int(found[-1]) if found else 0

    cycles = re.search(r"latency (\d+)", said)
    lut = count("LUT4") + 2 * count("CCU2C")
    return lut, count("TRELLIS_FF"), count("MULT18X18D"), int(cycles[1]) if cycles else "?"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--period", type=float, default=10.0)
    parser.add_argument("sluice", nargs="*", default=[str(ROOT / "target/release/sluice")])
    arguments = parser.parse_args()
    programs = [pathlib.Path(sluice).resolve() for sluice in arguments.sluice]
    print("kernel: LUT/FF/DSP/cycles of " + ", ".join(map(str, programs)))
    for kernel in sorted(FOLDER.glob("*.mlir")):
        figures = ["/".join(map(str, measured(sluice, kernel, arguments.period))) for sluice in programs]
        print(f"{kernel.stem:12}", *(f"{text:>18}" for text in figures))


main()
