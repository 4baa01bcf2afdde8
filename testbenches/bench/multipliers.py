#!/usr/bin/env python3
"""Compiles kernels for 1, 4, 16 and 64 multipliers, with copies and banks chosen by Sluice; prints their utilisation.

The utilisation is the number of multiplications of the kernel, divided by multipliers and cycles; loop-invariant ones count
once. Cycles are those of `sluice sim` on random data, where the circuit and the interpreter must agree and the prediction must
hold, and with --cosim also those of Verilator.
"""

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples" / "polybench"))

import generate  # noqa: E402
from polybench import cycles, run  # noqa: E402

# Sizes, and the kernel's number of multiplications for them.
KERNELS = {
    "gemm": ({"NI": 32, "NJ": 32, "NK": 32}, lambda n: n["NI"] * (n["NJ"] * n["NK"] + n["NJ"] + n["NK"])),
    "2mm": (
        {"NI": 32, "NJ": 32, "NK": 32, "NL": 32},
        lambda n: n["NI"] * (n["NJ"] * n["NK"] + n["NJ"] + n["NL"] * n["NJ"] + n["NL"]),
    ),
    "atax": ({"M": 256, "N": 256}, lambda n: 2 * n["M"] * n["N"]),
    "bicg": ({"M": 256, "N": 256}, lambda n: 2 * n["M"] * n["N"]),
    "mvt": ({"N": 256}, lambda n: 2 * n["N"] ** 2),
    "gesummv": ({"N": 256}, lambda n: 2 * n["N"] ** 2 + 2 * n["N"]),
}


def measure(options, name, n_multipliers, folder):
    sizes, multiplications = KERNELS[name]
    kernel, config = Path(folder, f"{name}.mlir"), Path(folder, f"{n_multipliers}.yaml")
    kernel.write_text(generate.expand(generate.template(name), sizes))
    config.write_text(f"device: {options.device}\nlimits: {{multiply: {n_multipliers}}}\nparallel: auto\n")
    target = ["--config", config]
    simulated = cycles(run([options.sluice, "sim", kernel, *target]))
    if options.cosim and cycles(run([options.sluice, "cosim", kernel, *target])) != simulated:
        raise SystemExit(f"{name}: Verilator and the simulator take different numbers of cycles")
    out = Path(folder, f"{name}{n_multipliers}")
    run([options.sluice, "compile", kernel, *target, "-o", out])
    report = json.loads(next(out.glob("*.report.json")).read_text())
    verilog = next(out.glob("*.v")).read_text()
    used = len(re.findall(r"^  \w+_mul_\w+ \w+ \(", verilog, re.MULTILINE))
    banks = ", ".join(f"{array['array']} {array['banks']}" for array in report.get("banks", []))
    size = "x".join(str(size) for size in sizes.values())
    busy = multiplications(sizes) / (n_multipliers * simulated)
    return [name, size, n_multipliers, used, simulated, f"{busy:.3f}", report.get("copies", "-"), banks or "-"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sluice", default=ROOT / "target" / "release" / "sluice", help="the program")
    parser.add_argument("--device", default="generic")
    parser.add_argument("--multipliers", type=int, nargs="*", default=[1, 4, 16, 64])
    parser.add_argument("--kernels", nargs="*", default=list(KERNELS), choices=list(KERNELS))
    parser.add_argument("--cosim", action="store_true", help="run Verilator too")
    options = parser.parse_args()
    titles = ["kernel", "size", "allowed", "used", "cycles", "busy", "copies", "banks"]
    print(f"| {' | '.join(titles)} |\n|---|---|--:|--:|--:|--:|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in options.kernels:
            for n_multipliers in options.multipliers:
                row = measure(options, name, n_multipliers, folder)
                print(f"| {' | '.join(map(str, row))} |", flush=True)


if __name__ == "__main__":
    main()
