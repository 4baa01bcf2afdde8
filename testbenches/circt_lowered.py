"""Compiles kernels by way of CIRCT's dataflow graphs: `circt_lowered.py SLUICE [FOLDER...]`.

Each kernel is lowered by mlir-opt 19 to basic blocks, and by CIRCT to a graph of `handshake`, with and without CIRCT's buffers,
with loops by registers and by merges. `sluice sim` runs the graph on the kernel's data. Prints the faults, then cycles and
cells.

Two faults of CIRCT are known: memories of more than two dimensions are flattened to wrong addresses, and loops of one block (from
`scf.while` with an empty body) get cycles without a token, which Sluice reports.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPT = shutil.which("mlir-opt-19") or "/usr/lib/llvm-19/bin/mlir-opt"
# By name: options of the lowering, and CIRCT's strategy for buffers.
VARIANTS = {
    "placed": ("", None),
    "merges": ("disable-task-pipelining=true", None),
    "cycles": ("", "cycles"),
    "all": ("", "all"),
}


def lowered(kernel, flags, strategy):
    """Returns a graph as text; lowers it in a separate process, because CIRCT ends the process on some inputs."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        with os.fdopen(writer, "w") as out:
            out.write(graph(kernel, flags, strategy))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as text:
        text = text.read()
    os.waitpid(child, 0)
    return text


def graph(kernel, flags, strategy):
    from pycde import circt
    from pycde.circt.ir import Context, Module
    from pycde.circt.passmanager import PassManager

    steps = [OPT, kernel, "--lower-affine", "--convert-scf-to-cf", "--canonicalize", "--mlir-print-op-generic"]
    blocks = subprocess.run(steps, capture_output=True, text=True)
    if blocks.returncode:
        return ""
    buffers = f",handshake-insert-buffers{{strategy={strategy}}}" if strategy else ""
    passes = (
        "func.func(handshake-legalize-memrefs),flatten-memref,flatten-memref-calls,canonicalize,insert-merge-blocks,"
        f"lower-cf-to-handshake{{{flags}}},handshake.func(handshake-materialize-forks-sinks{buffers})"
    )
    with Context() as context:
        circt.register_dialects(context)
        # Passes load the dialects of the text.
        PassManager.parse(f"builtin.module({passes})").run(Module.parse("").operation)
        try:
            module = Module.parse(blocks.stdout)
            PassManager.parse(f"builtin.module({passes})").run(module.operation)
            return str(module)
        except Exception:
            return ""


def flat(words):
    return [word for part in words for word in flat(part)] if isinstance(words, list) else [words]


def data_file(kernel, data, text):
    """Returns the kernel's data in the form for a graph: its arguments are in0, in1, ..., followed by the control token."""
    name = data["function"]
    header = re.search(r"func\.func (?:\w+ )?@%s\((.*?)\)\s*(->|\{|attributes)" % re.escape(name), kernel, re.S)
    arguments = re.findall(r"%(\w+)\s*:\s*(memref|\w+)", header.group(1))
    results = re.search(r"handshake\.func @\w+\(.*?\) -> (.*?) attributes", text, re.S).group(1).count(",")
    cases = []
    for case in data["cases"]:
        outputs = case.get("outputs", {})
        memories, expected, streams = {}, {}, {}
        for i, (argument, kind) in enumerate(arguments):
            given = case["inputs"].get(argument)
            if kind != "memref":
                streams[f"in{i}"] = [given]
                continue
            if given is not None:
                memories[f"in{i}"] = flat(given)
            if argument in outputs:
                expected[f"in{i}"] = flat(outputs[argument])
        streams[f"in{len(arguments)}"] = 1
        for i in range(results):
            streams[f"out{i}"] = [outputs.get(f"result{i}", outputs.get("result"))]
        streams[f"out{results}"] = 1
        all_of = {"streams": streams, "cycles": 3000000}
        if memories:
            all_of["memories"] = memories
        if expected:
            all_of["expect"] = {"memories": expected}
        cases.append(all_of)
    return {"module": name, "reset": "reset", "cases": cases}


def run(sluice, path, text, data):
    """Returns cycles, cells and proof of a graph, or the fault."""
    path.write_text(text)
    path.with_suffix(".json").write_text(json.dumps(data))
    simulated = subprocess.run([sluice, "sim", path, "--data", path.with_suffix(".json")], capture_output=True, text=True)
    reported = subprocess.run([sluice, "report", path, "--json"], capture_output=True, text=True)
    if reported.returncode:
        return None, reported.stderr.strip()[:300]
    report = json.loads(reported.stdout)
    proof = report["network"].get("deadlock_free") or ""
    if simulated.returncode:
        said = [line for line in simulated.stderr.splitlines() if line.startswith("data set")]
        deadlock = " (Sluice says: deadlock)" if "deadlock:" in simulated.stderr else ""
        return None, (said or [simulated.stderr.strip()])[0][:200] + deadlock
    cycles = re.search(r"data sets, (.*) cycles", simulated.stdout).group(1)
    lut, flip_flops = (round(report["estimate"][kind]["value"]) for kind in ("lut", "ff"))
    return (cycles, lut, flip_flops, "proved" if proof.startswith("proved") else "not proved"), None


def main():
    sluice = pathlib.Path(sys.argv[1]).resolve()
    folders = [pathlib.Path(folder) for folder in sys.argv[2:]]
    folders = folders or [ROOT / "examples", ROOT / "examples" / "peers", ROOT / "examples" / "irregular"]
    kernels = sorted(kernel for folder in folders for kernel in folder.glob("*/kernel.mlir"))
    print("| kernel | " + " | ".join(f"{name}: cycles | LUT / FF" for name in VARIANTS) + " |")
    print("|---|" + "--:|--:|" * len(VARIANTS))
    n_right, wrong = 0, []
    with tempfile.TemporaryDirectory() as scratch:
        for kernel in kernels:
            name, data = kernel.parent.name, kernel.parent / "data.yaml"
            if not data.exists():
                continue
            data = yaml.safe_load(data.read_text())
            row = []
            for variant, (flags, strategy) in VARIANTS.items():
                text = lowered(kernel, flags, strategy)
                if not text:
                    wrong.append(f"{name} ({variant}): CIRCT makes no graph of it")
                    row.append("- | -")
                    continue
                path = pathlib.Path(scratch) / f"{variant}_{name}.mlir"
                found, why = run(sluice, path, text, data_file(kernel.read_text(), data, text))
                if why:
                    wrong.append(f"{name} ({variant}): {why}")
                    row.append("- | -")
                    continue
                cycles, luts, flip_flops, proof = found
                n_right += 1
                row.append(f"{cycles} | {luts} / {flip_flops}")
                if proof != "proved":
                    wrong.append(f"{name} ({variant}): right, but {proof}")
            print(f"| {name} | " + " | ".join(row) + " |", flush=True)
    print("\n".join(["", f"{n_right} runs right"] + wrong))


main()
