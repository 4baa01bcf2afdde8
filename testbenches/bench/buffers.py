#!/usr/bin/env python3
"""Compares buffers of elastic circuits placed by rules and by an integer linear program (`buffers: exact`), on the shipped data.

Prints a table of both: cycles of the longest data set, buffers and their slots, seconds of a whole compilation, what the linear
program proved. `--once` prints instead how long one placement by rules takes in each graph (a compilation tries several).
`--effort` prints instead the results of `effort: low` next to `normal`. Needs a build with HiGHS: `cargo build --release
--features highs`.
"""
import argparse, json, math, os, re, subprocess, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARSER = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
PARSER.add_argument("--sluice", metavar="FILE", default=os.path.join(ROOT, "target", "release", "sluice"))
PARSER.add_argument("--once", action="store_true", help="how long one placing by rules takes")
PARSER.add_argument("--effort", action="store_true", help="low effort beside normal, by rules")
PARSER.add_argument("kernels", nargs="*", metavar="KERNEL", help="folders of examples; without, all")
OPTIONS = PARSER.parse_args()
SLUICE, ONLY = OPTIONS.sluice, OPTIONS.kernels
LIMIT_S = 4
FOLDERS = ["examples/irregular", "examples", "examples/peers"]
AIM = 1.03

def kernels():
    for folder in FOLDERS:
        for name in sorted(os.listdir(os.path.join(ROOT, folder))):
            kernel = os.path.join(folder, name, "kernel.mlir")
            if os.path.exists(os.path.join(ROOT, kernel)) and (not ONLY or name in ONLY):
                yield name, kernel

def own(kernel):
    """Returns the kernel's configuration without style, device and clock, which are those of the table."""
    path = os.path.join(ROOT, os.path.dirname(kernel), "kernel.yaml")
    if not os.path.exists(path):
        return ""
    dropped = ("style", "device", "clock_period_ns", "limits", "parallel", "buffers", "effort", "solver")
    kept, keeps = [], True
    for line in open(path):
        if re.match(r"\w", line):
            keeps = line.split(":")[0] not in dropped
        kept += [line] if keeps else []
    return "".join(kept).rstrip("\n") + "\n"

def run(kernel, how):
    """Returns cycles, buffers, slots, seconds, period in ns, cells and a sentence of the report; `how` is configuration text."""
    with tempfile.TemporaryDirectory() as out:
        config = os.path.join(out, "kernel.yaml")
        with open(config, "w") as f:
            f.write(own(kernel).lstrip("\n") + f"style: elastic\n{how}\n")
        start = time.perf_counter()
        command = [SLUICE, "compile", kernel, "--config", config, "-o", out]
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        seconds = time.perf_counter() - start
        if said.returncode:
            return None, said.stderr.strip().splitlines()[:1]
        json_name = next(f for f in os.listdir(out) if f.endswith(".report.json"))
        with open(os.path.join(out, json_name)) as f:
            report = json.load(f)
        with open(os.path.join(out, json_name.removesuffix("json") + "txt")) as f:
            text = f.read()
        graph = next(f for f in os.listdir(out) if f.endswith(".scheduled.mlir"))
        with open(os.path.join(out, graph)) as f:
            buffers = re.findall(r"= buffer \[(\d+)\]", f.read())
        sim = subprocess.run([SLUICE, "sim", kernel, "--config", config], cwd=ROOT, capture_output=True, text=True)
        if sim.returncode:
            return None, (sim.stderr + sim.stdout).strip().splitlines()[:1]
        sentence = re.search(r"buffers: by .*", text)
        mhz = re.search(r"(\d+) MHz", said.stdout)
        cells = re.search(r"about (\d+) LUT, (\d+) FF", said.stdout)
        return dict(cycles=cycles(sim.stdout), buffers=len(buffers), slots=sum(map(int, buffers)), seconds=seconds,
                    period=1000 / float(mhz.group(1)) if mhz else 0.0, cells=sum(map(int, cells.groups())), said=sentence.group(0) if sentence else "", report=report), None

def cycles(text):
    """Returns the cycles of the data set that takes longest."""
    return int(re.search(r"(\d+) cycles", text).group(1))

def once(kernel):
    """Returns the milliseconds of one placement by rules."""
    command = [SLUICE, "opt"]
    listed = subprocess.run(command + ["--list"], capture_output=True, text=True).stdout
    names = [line.split()[0] for line in listed.splitlines() if line.strip()]
    only_schedules = ("reuse", "bypass", "schedule", "bind", "tidy-circuit")
    before = [name for name in names[:names.index("place-buffers")] if name not in only_schedules]
    with tempfile.TemporaryDirectory() as out:
        config, graph = os.path.join(out, "kernel.yaml"), os.path.join(out, "graph.mlir")
        with open(config, "w") as f:
            f.write(own(kernel).lstrip("\n") + "style: elastic\n")
        def seconds(module, target, passes):
            start = time.perf_counter()
            run = command + [module, "--config", config, "-o", target] + [part for name in passes for part in ("--pass", name)]
            subprocess.run(run, cwd=ROOT, capture_output=True, check=True)
            return time.perf_counter() - start
        seconds(kernel, graph, ["lift-cf-to-scf"] + before)
        placed = os.path.join(out, "placed.mlir")
        with_buffers = min(seconds(graph, placed, ["place-buffers"]) for _ in range(3))
        return 1000 * (with_buffers - min(seconds(graph, placed, []) for _ in range(3)))

def print_once():
    times = sorted((once(kernel), name) for name, kernel in kernels())
    middle, (most, name) = times[len(times) // 2][0], times[-1]
    print(f"one placing by rules: {middle:.1f} ms in the middle of {len(times)} kernels, {most:.1f} ms at most ({name})")

def print_efforts():
    """Prints both efforts; the time is the cycles times the period, or times 5 ns if the circuit meets that clock."""
    def time_ns(found):
        return found["cycles"] * max(found["period"], 5.0)
    rows = []
    print("| kernel | s, normal | s, low | cycles, normal | cycles, low | ns, normal | ns, low | LUT + FF, normal | LUT + FF, low |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name, kernel in kernels():
        (normal, why), (low, why_low) = run(kernel, "effort: normal"), run(kernel, "effort: low")
        if normal is None or low is None:
            print(f"| {name} | {why or ''} {why_low or ''} |", flush=True)
            continue
        rows.append((normal, low))
        print(f"| {name} | {normal['seconds']:.2f} | {low['seconds']:.2f} | {normal['cycles']} | {low['cycles']} "
              f"| {normal['period']:.1f} | {low['period']:.1f} | {normal['cells']} | {low['cells']} |", flush=True)
    def mean(of):
        return math.exp(sum(math.log(of(low) / of(normal)) for normal, low in rows) / max(len(rows), 1))
    print(f"\nlow / normal, geometric means of {len(rows)}: seconds {mean(lambda f: f['seconds']):.2f}, time of the circuit "
          f"{mean(time_ns):.2f}, LUT + FF {mean(lambda f: f['cells']):.2f}")

def main():
    if OPTIONS.once:
        return print_once()
    if OPTIONS.effort:
        return print_efforts()
    limit = f"solver: {{time_limit_s: {LIMIT_S}}}"
    quotients = []
    print("| kernel | cycles, rules | cycles, programme | rules / programme | ns, rules | ns, programme | buffers (slots), rules | buffers (slots), programme | s, rules | s, programme | proved |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|")
    for name, kernel in kernels():
        (rules, why), (exact, why_exact) = run(kernel, f"buffers: rules\n{limit}"), run(kernel, f"buffers: exact\n{limit}")
        if rules is None or exact is None:
            print(f"| {name} | {why or ''} {why_exact or ''} |", flush=True)
            continue
        quotient = rules["cycles"] / max(exact["cycles"], 1)
        quotients.append((quotient, name))
        proved = re.sub(r"buffers: by a linear program; ", "", exact["said"])
        print(f"| {name} | {rules['cycles']} | {exact['cycles']} | {quotient:.3f} | {rules['period']:.1f} | {exact['period']:.1f} "
              f"| {rules['buffers']} ({rules['slots']}) | {exact['buffers']} ({exact['slots']}) "
              f"| {rules['seconds']:.2f} | {exact['seconds']:.2f} | {proved} |", flush=True)
    mean = math.exp(sum(math.log(q) for q, _ in quotients) / max(len(quotients), 1))
    worst = max(quotients, default=(1.0, "none"))
    print(f"\n{len(quotients)} kernels; geometric mean of rules / programme {mean:.3f}, worst {worst[0]:.3f} ({worst[1]}); "
          f"above {AIM}: {', '.join(n for q, n in quotients if q > AIM) or 'none'}")

main()
