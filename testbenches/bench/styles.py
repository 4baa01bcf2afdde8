#!/usr/bin/env python3
"""Compiles kernels as static circuits, as elastic circuits and with Sluice's choice (`style: auto`); prints the results.

Cycles are the most of any shipped data set, by `sluice sim` (with --cosim also by Verilator); LUT, FF and clock are the
estimates of the report. The time of a kernel is the cycles of all its data sets times the clock period, or times the expected
period if that is longer. The time of the choice should be within 5 % of the better style.
"""

import argparse
import json
import math
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from polybench import ROOT, run

STYLES = ["static", "elastic", "auto"]
FOLDERS = ["irregular", "peers", ".", "polybench"]


def kernels(folders):
    """Returns the kernels in these folders of the examples that have no configuration of their own."""
    found = []
    for folder in folders:
        paths = sorted((ROOT / "examples" / folder).glob("*/kernel.mlir"))
        found += [path for path in paths if not path.with_name("kernel.yaml").exists()]
    return found


def most_cycles(said):
    """Returns the most cycles of a data set, from the output of `sluice sim`: `5 cycles`, `5 to 7 cycles`."""
    numbers = re.findall(r"\d+", re.search(r"^@.* data sets?, ([^,\n]*) cycles", said, re.M)[1])
    return int(numbers[-1])


def all_cycles(said):
    """Returns the cycles of all data sets together, from the output of `sluice sim --stalls`: `459 in all; in ...`."""
    return int(re.search(r"(\d+) in all", said)[1])


def measure(options, kernel, style):
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "style.yaml")
        config.write_text(f"style: {style}\n")
        target = ["--config", config, "--device", options.device]
        if options.clock_period_ns:
            target += ["--clock-period-ns", options.clock_period_ns]
        try:
            said = run([options.sluice, "sim", kernel, "--stalls", *target])
            cycles = most_cycles(said)
            if options.cosim and most_cycles(run([options.sluice, "cosim", kernel, *target])) != cycles:
                raise RuntimeError("Verilator takes another number of cycles")
            run([options.sluice, "compile", kernel, *target, "-o", Path(folder, "out")])
        except RuntimeError as why:
            return {"error": str(why)}
        report = json.loads(next(Path(folder, "out").glob("*.report.json")).read_text())
    estimate = report["estimate"]
    fmax_mhz = estimate["fmax_mhz"]["value"]
    period_ns = max(report["clock_period_ns"], 1000 / fmax_mhz)
    return {
        "cycles": cycles,
        "lut": round(estimate["lut"]["value"]),
        "ff": round(estimate["ff"]["value"]),
        "fmax_mhz": round(fmax_mhz),
        "time_ns": all_cycles(said) * period_ns,
    }


def share(row):
    """Returns the time of the choice divided by that of the better style; `None` if figures are missing."""
    times = [row[style].get("time_ns") for style in STYLES]
    ways = [time for time in times[:2] if time is not None]
    return None if times[2] is None or not ways else times[2] / min(ways)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=FOLDERS[:2], help="folders of examples (irregular, peers, polybench, `.`)")
    parser.add_argument("--cosim", action="store_true", help="confirm the cycles with Verilator")
    parser.add_argument("--json", metavar="FILE", help="write the rows to this file")
    parser.add_argument("--sluice", default=ROOT / "target" / "release" / "sluice", metavar="FILE")
    parser.add_argument("--device", default="generic")
    parser.add_argument("--clock-period-ns", metavar="NS")
    options = parser.parse_args()
    options.sluice = os.path.abspath(options.sluice)
    jobs = [(kernel, style) for kernel in kernels(options.folders) for style in STYLES]
    with ThreadPoolExecutor(2) as threads:
        measured = list(threads.map(lambda job: measure(options, *job), jobs))
    rows = {}
    for (kernel, style), found in zip(jobs, measured):
        rows.setdefault(kernel.parent.name, {})[style] = found
    print("| kernel | static cycles | LUT | FF | MHz | elastic cycles | LUT | FF | MHz | auto cycles | auto / better |")
    print("|---|" + "--:|" * 10)
    shares = []
    for name, row in rows.items():
        cells = []
        for style in STYLES[:2]:
            keys = ["cycles", "lut", "ff", "fmax_mhz"]
            cells += [str(row[style].get(key, "")) for key in keys]
        this = share(row)
        cells += [str(row["auto"].get("cycles", "")), "" if this is None else f"{this:.3f}"]
        print(f"| {name} | " + " | ".join(cells) + " |")
        if this is not None:
            shares.append((this, name))
    if shares:
        mean = math.exp(sum(math.log(value) for value, _ in shares) / len(shares))
        most, name = max(shares)
        print(f"\nauto / better: geometric mean {mean:.3f} of {len(shares)}, most {most:.3f} ({name})")
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=2) + "\n")
    for name, row in rows.items():
        for style in STYLES:
            if "error" in row[style]:
                print(f"{name}, {style}: {row[style]['error']}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
