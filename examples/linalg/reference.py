#!/usr/bin/env python3
"""Writes the data of the examples with linalg, or compares it (--check). It knows nothing of Sluice or MLIR."""

import pathlib
import random
import sys

HERE = pathlib.Path(__file__).parent


def array(rng, n, low=-128, high=127):
    return [rng.randint(low, high) for _ in range(n)]


def layer(rng):
    x, w, bias = array(rng, 4 * 16), array(rng, 16 * 8), array(rng, 8, -5000, 5000)
    y = []
    for i in range(4):
        for j in range(8):
            total = sum(x[i * 16 + k] * w[k * 8 + j] for k in range(16)) + bias[j]
            y.append(max(total, 0))
    return {"x": x, "w": w, "bias": bias, "y": [0] * 32}, {"y": y}


def conv_pool(rng):
    x, k = array(rng, 8 * 8 * 3), array(rng, 3 * 3 * 3 * 4)
    sums = {}
    for i in range(6):
        for j in range(6):
            for f in range(4):
                sums[i, j, f] = sum(
                    x[((i + u) * 8 + j + v) * 3 + c] * k[((u * 3 + v) * 3 + c) * 4 + f]
                    for u in range(3) for v in range(3) for c in range(3)
                )
    y = []
    for i in range(3):
        for j in range(3):
            for f in range(4):
                y.append(max(sums[2 * i + u, 2 * j + v, f] for u in range(2) for v in range(2)))
    return {"x": x, "k": k, "y": [0] * 36}, {"y": y}


def text(name, function):
    rng = random.Random(name)
    lines = ["# Written by examples/linalg/reference.py.", f"function: {name}", "cases:"]
    for _ in range(3):
        inputs, outputs = function(rng)
        for title, values in (("- inputs", inputs), ("  outputs", outputs)):
            lines.append(f"  {title}:")
            for key, value in values.items():
                lines.append(f"      {key}: [{', '.join(map(str, value))}]")
    return "\n".join(lines) + "\n"


def main():
    is_check = sys.argv[1:] == ["--check"]
    for function in (layer, conv_pool):
        name = function.__name__
        path = HERE / name / "data.yaml"
        new = text(name, function)
        if is_check and path.read_text() != new:
            sys.exit(f"{path} differs from what reference.py computes")
        if not is_check:
            path.write_text(new)


main()
