#!/usr/bin/env python3
"""Writes the data.yaml of the kernels of this folder: inputs, and answers computed here, independently of Sluice.

    examples/peers/reference.py            write all files
    examples/peers/reference.py --check    fail if a file is missing or differs
"""

import math
import sys
from itertools import accumulate
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
sys.path.insert(0, str(FOLDER.parent / "polybench"))

import generate as polybench  # noqa: E402
from generate import arguments, flat, multiply, words  # noqa: E402
from reference import Source, entry, rows, wrap  # noqa: E402


def inner(left, right):
    return wrap(sum(a * b for a, b in zip(left, right)), 32)


def patch(image, top, left, side):
    return [pixel for row in image[top : top + side] for pixel in row[left : left + side]]


def vadd(i):
    return {"sum": words(a + b for a, b in zip(i["a"], i["b"]))}


def dot(i):
    return {"result0": inner(i["a"], i["b"])}


def fir_8_taps(i):
    return {"filtered": [inner(i["samples"][start : start + 8], i["taps"]) for start in range(64)]}


def gemm(size):
    return lambda i: {"C": flat(multiply(rows(i["A"], size), rows(i["B"], size)))}


def atax(i):
    return polybench.atax(i, {"M": 8, "N": 8})


def conv3x3(i):
    image = rows(i["image"], 16)
    return {"result": [inner(patch(image, top, left, 3), i["weights"]) for top in range(14) for left in range(14)]}


def prefix_sum(i):
    return {"sums": words(accumulate(i["values"]))}


def histogram(i):
    return {"bins": words(old + i["data"].count(value) for value, old in enumerate(i["bins"]))}


def gcd(i):
    return {"result0": math.gcd(i["a"], i["b"])}


def fir_1000(i):
    return {"result0": inner(reversed(i["samples"]), i["taps"])}


def gaussian(i):
    a = rows(i["A"], 20)
    for j in range(1, 19):
        for row in a[j + 1 : 19]:
            row[1:] = [old - i["factors"][j] * above for old, above in zip(row[1:], a[j][1:])]
    return {"A": flat(a)}


def insertion_sort(i):
    return {"values": sorted(i["values"])}


def two_mm(i):
    return polybench.two_mm(i, dict.fromkeys(("NI", "NJ", "NK", "NL"), 10))


def stencil_2d(i):
    image = rows(i["image"], 30)
    return {"result": [inner(patch(image, 0, column, 3), i["weights"]) for column in range(28)]}


def cnn(i):
    images = [[rows(plane, 13) for plane in rows(image, 169)] for image in rows(i["images"], 338)]
    return {
        "maps": [
            inner(patch(first, top, left, 4) + patch(second, top, left, 4), weights)
            for first, second in images
            for weights in rows(i["weights"], 32)
            for top in range(10)
            for left in range(10)
        ]
    }


REFERENCES = {
    "vadd_64": vadd,
    "dot_64": dot,
    "fir_8_taps": fir_8_taps,
    "gemm_8": gemm(8),
    "gemm_16": gemm(16),
    "atax_8": atax,
    "conv3x3_16": conv3x3,
    "prefix_sum_64": prefix_sum,
    "histogram_64": histogram,
    "gcd_subtractive": gcd,
    "cnn": cnn,
    "fir_1000": fir_1000,
    "gaussian_20": gaussian,
    "gcd_binary": gcd,
    "insertion_sort_30": insertion_sort,
    "2mm_10": two_mm,
    "matrix_30": gemm(30),
    "stencil_2d": stencil_2d,
}

# The range of each argument where it is not from -20 to 20; the other kernels take every value of the type.
RANGES = {
    "histogram_64": {"data": (0, 15)},
    "gcd_subtractive": {"a": (1, 1000), "b": (1, 1000)},
    "gcd_binary": {"a": (1, 2**31 - 1), "b": (1, 2**31 - 1)},
}


def document(name):
    kernel = (FOLDER / name / "kernel.mlir").read_text()
    function = kernel.split("func.func @")[1].split("(")[0]
    source, ranges, inputs = Source(list(REFERENCES).index(name) + 101), RANGES.get(name, {}), {}
    for argument, shape in arguments(kernel):
        low, high = ranges.get(argument, (-20, 20))
        inputs[argument] = source.list(math.prod(shape), low, high) if shape else source.between(low, high)
    lines = ["# Written by examples/peers/reference.py.", f"function: {function}"]
    if ranges:
        lines.append("random:")
        lines += [f"  {argument}: {{min: {low}, max: {high}}}" for argument, (low, high) in ranges.items()]
    lines += ["cases:", "  - inputs:"]
    for key, value in inputs.items():
        lines += entry("      ", key, value)
    lines.append("    outputs:")
    for key, value in REFERENCES[name](inputs).items():
        lines += entry("      ", key, value)
    return "\n".join(lines) + "\n"


def main(given):
    if given not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    folders = sorted(path.parent.name for path in FOLDER.glob("*/kernel.mlir"))
    if folders != sorted(REFERENCES):
        print(f"folders and references differ: {sorted(set(folders) ^ set(REFERENCES))}", file=sys.stderr)
        return 1
    stale = []
    for name in REFERENCES:
        path, text = FOLDER / name / "data.yaml", document(name)
        if not given:
            path.write_text(text)
        elif not path.is_file() or path.read_text() != text:
            stale.append(f"{name}/data.yaml")
    for path in stale:
        print(f"{path}: differs from the reference; accept: examples/peers/reference.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
