#!/usr/bin/env python3
"""Compiles every example with a release build and writes docs/BENCHMARKS.md.

Cycles and cells come from the report (for kernels with data-dependent latency, from `sluice sim` on the shipped data);
time is the median of five compilations, memory the peak of one; both are of the whole process.
"""
import json, os, re, resource, statistics, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SLUICE = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "target", "release", "sluice")

def peak_kib(command):
    """Returns the peak memory of a separate process, in KiB."""
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(subprocess.run([sys.executable, "-c", code] + command, capture_output=True, text=True, check=True).stdout)

def row(name, device):
    kernel = os.path.join("examples", name, "kernel.mlir")
    with tempfile.TemporaryDirectory() as out:
        command = [SLUICE, "compile", kernel, "-o", out, "--device", device]
        times = []
        for _ in range(5):
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
            times.append(time.perf_counter() - start)
        os.chdir(ROOT)
        memory = peak_kib(command)
        report_name = next(file for file in os.listdir(out) if file.endswith(".report.json"))
        with open(os.path.join(out, report_name)) as f:
            report = json.load(f)
    cycles = report["latency_cycles"]
    if cycles is None:
        said = subprocess.run([SLUICE, "sim", kernel, "--device", device], cwd=ROOT, capture_output=True, text=True, check=True)
        cycles = re.search(r"data sets, (.*) cycles", said.stdout).group(1) + " (data)"
    total = report["area"]["total"]
    ii = ", ".join(str(b["ii"]) for b in report["blocks"] if b["ii"]) or "-"
    return (f"| {name} | {cycles} | {ii} | {total['lut']:.0f} | {total['ff']:.0f} | {total['dsp']:.0f} "
            f"| {1000 * statistics.median(times):.0f} | {memory / 1024:.0f} |")

names = sorted(n for n in os.listdir(os.path.join(ROOT, "examples"))
               if os.path.exists(os.path.join(ROOT, "examples", n, "kernel.mlir")))
text = ["# Benchmarks", "",
        "Repeat with `cargo build --release && python3 testbenches/bench/examples.py`.", "",
        "Cycles from `start` to `done`; II of the pipelined loops in text order; cells from the device's tables, memory",
        "arguments outside; time is the median of five compilations and memory the peak, of the whole process. Times are of one",
        "machine with two cores and move from run to run; cycles and cells do not.", ""]
for device, clock in (("generic", "5 ns"), ("ecp5", "10 ns")):
    text += [f"## Device `{device}` at {clock}", "",
             "| example | cycles | II | LUT | FF | DSP | compile ms | peak MiB |", "|---|--:|--:|--:|--:|--:|--:|--:|"]
    text += [row(name, device) for name in names] + [""]
# The sections of the other benchmarks are kept.
MARK = "## Beside other compilers\n"
with open(os.path.join(ROOT, "docs", "BENCHMARKS.md")) as f:
    kept = MARK.join([""] + f.read().split(MARK)[1:])
with open(os.path.join(ROOT, "docs", "BENCHMARKS.md"), "w") as f:
    f.write("\n".join(text) + ("\n" + kept if kept else ""))
print("\n".join(text))
