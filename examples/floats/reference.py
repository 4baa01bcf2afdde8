#!/usr/bin/env python3
"""Writes the data of the examples with floats, or compares it (--check). It knows nothing of Sluice or MLIR.

Sums, products, quotients and roots of f32 are computed in f64 and rounded: f64 has more than twice as many bits and two more, so
rounding twice gives the same result. A fused product and sum is computed exactly with fractions.
"""

import fractions
import math
import pathlib
import random
import struct
import sys

HERE = pathlib.Path(__file__).parent


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def nearest_f32(exact):
    """The f32 nearest to a fraction; ties to even."""
    low = f32(float(exact))
    candidates = []
    bits = struct.unpack("<i", struct.pack("<f", low))[0]
    for step in (-1, 0, 1):
        candidates.append(struct.unpack("<f", struct.pack("<i", bits + step))[0])
    return min(candidates, key=lambda c: (abs(fractions.Fraction(c) - exact), struct.unpack("<i", struct.pack("<f", c))[0] & 1))


def vector(rng, n, single=True):
    values = [rng.uniform(-8, 8) for _ in range(n)]
    return [f32(v) for v in values] if single else values


def dot(rng):
    a, b = vector(rng, 16), vector(rng, 16)
    total = 0.0
    for left, right in zip(a, b):
        total = f32(total + f32(left * right))
    return {"a": a, "b": b}, {"result0": total}


def saxpy(rng):
    a, x, y = vector(rng, 1)[0], vector(rng, 16), vector(rng, 16)
    exact = fractions.Fraction
    new = [nearest_f32(exact(a) * exact(u) + exact(v)) for u, v in zip(x, y)]
    return {"a": a, "x": x, "y": y}, {"y": new}


def jacobi_1d(rng):
    x, y = vector(rng, 16, single=False), vector(rng, 16, single=False)
    new = list(y)
    for i in range(1, 15):
        new[i] = 0.33333 * (x[i - 1] + x[i] + x[i + 1])
    return {"x": x, "y": y}, {"y": new}


def normalise(rng):
    x = vector(rng, 8)
    squares = 0.0
    for value in x:
        squares = f32(squares + f32(value * value))
    length = f32(math.sqrt(squares))
    units = [f32(value / length) for value in x]
    return {"x": x, "y": [0.0] * 8}, {"y": units, "result0": sum(unit > 0.5 for unit in units)}


def softmax(rng):
    scores = vector(rng, 16)
    powers = [f32(math.exp(f32(score - max(scores)))) for score in scores]
    total = 0.0
    for power in powers:
        total = f32(total + power)
    inverse = f32(1.0 / total)
    return {"scores": scores, "weights": [0.0] * 16}, {"weights": [f32(power * inverse) for power in powers]}


def perceptron(rng):
    def layer(matrix, inputs):
        sums = []
        for row in matrix:
            total = 0.0
            for weight, value in zip(row, inputs):
                total = f32(total + f32(weight * value))
            sums.append(total)
        return sums

    # Positive weights behind the hidden layer: no sum cancels, so the errors of its functions stay small.
    x = vector(rng, 8)
    w = [[f32(rng.uniform(0, 0.1)) for _ in range(8)] for _ in range(16)]
    v = [[f32(rng.uniform(0, 1)) for _ in range(16)] for _ in range(4)]
    x = [abs(value) for value in x]
    y = layer(v, [f32(math.tanh(total)) for total in layer(w, x)])
    return {"x": x, "w": w, "v": v, "y": [0.0] * 4}, {"y": y}


# Units in the last place by which results may differ: functions such as exp are right to one.
TOLERANCES_ULP = {"softmax": 4, "perceptron": 4}


def text(value):
    if isinstance(value, list):
        return "[" + ", ".join(text(one) for one in value) + "]"
    return str(value) if isinstance(value, int) else repr(value)


def data(name, kernel):
    rng = random.Random(name)
    lines = ["# Written by examples/floats/reference.py.", f"function: {name}"]
    if name in TOLERANCES_ULP:
        lines.append(f"tolerance_ulp: {TOLERANCES_ULP[name]}")
    lines.append("cases:")
    for _ in range(2):
        inputs, outputs = kernel(rng)
        for key, values in (("- inputs", inputs), ("  outputs", outputs)):
            lines.append(f"  {key}:")
            lines += [f"      {argument}: {text(value)}" for argument, value in values.items()]
    return "\n".join(lines) + "\n"


def main():
    wrong = []
    for kernel in (dot, saxpy, jacobi_1d, normalise, softmax, perceptron):
        path, new = HERE / kernel.__name__ / "data.yaml", data(kernel.__name__, kernel)
        if "--check" not in sys.argv:
            path.write_text(new)
        elif path.read_text() != new:
            wrong.append(str(path))
    sys.exit("\n".join(f"{path} differs" for path in wrong) or 0)


main()
