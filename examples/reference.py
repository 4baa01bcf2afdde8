#!/usr/bin/env python3
"""Writes every example's data.yaml: inputs, and answers computed here, independently of Sluice.

    examples/reference.py            write all files
    examples/reference.py --check    fail if a file is missing or differs

Only the standard library is used. The inputs come from a fixed generator, so the same bytes are written everywhere.
"""

import math
import sys
import zlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
LINE_WIDTH = 118


class Source:
    """A SplitMix64 generator: small, and the same on every Python version."""

    def __init__(self, seed):
        self.state = seed

    def word(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & (2**64 - 1)
        word = self.state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & (2**64 - 1)
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & (2**64 - 1)
        return word ^ (word >> 31)

    def between(self, low, high):
        wide = self.word() << 64 | self.word()
        return low + wide % (high - low + 1)

    def list(self, count, low, high):
        return [self.between(low, high) for _ in range(count)]

    def signed(self, count, width_bits):
        half = 1 << (width_bits - 1)
        return self.list(count, -half, half - 1)


def wrap(value, width_bits):
    """The value in two's complement at the given width."""
    half = 1 << (width_bits - 1)
    return (value + half) % (2 * half) - half


def unsigned(value, width_bits):
    return value % (1 << width_bits)


def vector_add(inputs):
    return {"sum": [wrap(a + b, 32) for a, b in zip(inputs["a"], inputs["b"])]}


def dot(inputs):
    return {"result0": wrap(sum(a * b for a, b in zip(inputs["a"], inputs["b"])), 32)}


def fir(inputs):
    samples, taps = inputs["samples"], inputs["taps"]
    # Each window is as long as the taps; the newest sample meets the first tap.
    windows = (samples[n : n + 64] for n in range(256))
    return {"filtered": [wrap(sum(s * t for s, t in zip(reversed(w), taps)), 32) for w in windows]}


def rows(flat, width):
    return [flat[i : i + width] for i in range(0, len(flat), width)]


def gemm(inputs):
    columns = list(zip(*rows(inputs["B"], 16)))
    products = [sum(a * b for a, b in zip(row, column)) for row in rows(inputs["A"], 16) for column in columns]
    return {"C": [wrap(c + p, 32) for c, p in zip(inputs["C"], products)]}


def conv3x3(inputs):
    image, weights = rows(inputs["image"], 32), inputs["weights"]
    result = []
    for top in range(30):
        for left in range(30):
            patch = [pixel for row in image[top : top + 3] for pixel in row[left : left + 3]]
            result.append(wrap(sum(p * w for p, w in zip(patch, weights)), 32))
    return {"result": result}


def matvec(result_width_bits):
    def reference(inputs):
        vector = inputs["vector"]
        matrix = rows(inputs["matrix"], len(vector))
        return {"result": [wrap(sum(m * v for m, v in zip(row, vector)), result_width_bits) for row in matrix]}

    return reference


def prefix_sum(inputs):
    values = inputs["values"]
    return {"sums": [wrap(sum(values[: i + 1]), 32) for i in range(64)]}


def histogram(inputs):
    found = [unsigned(byte, 8) // 8 for byte in inputs["data"]]
    return {"bins": [found.count(bin) for bin in range(32)]}


def insertion_sort(inputs):
    return {"values": sorted(inputs["values"])}


def gcd(inputs):
    return {"result0": wrap(math.gcd(unsigned(inputs["a"], 32), unsigned(inputs["b"], 32)), 32)}


def sobel(inputs):
    image = rows(inputs["image"], 32)
    across, along = (-1, 0, 1), (1, 2, 1)
    edges = []
    for top in range(30):
        for left in range(30):
            patch = [(r, c, image[top + r][left + c]) for r in range(3) for c in range(3)]
            horizontal = sum(across[c] * along[r] * pixel for r, c, pixel in patch)
            vertical = sum(across[r] * along[c] * pixel for r, c, pixel in patch)
            edges.append(min(abs(horizontal) + abs(vertical), 255))
    return {"edges": edges}


def crc32(inputs):
    return {"result0": wrap(zlib.crc32(bytes(unsigned(byte, 8) for byte in inputs["buffer"])), 32)}


def chain(inputs):
    scaled = [max(-32768, min(32767, element * inputs["gain"] // 256)) for element in inputs["source"]]
    return {"scaled": scaled, "result0": sum(scaled)}


def matvec_cases(source, size, width_bits):
    lowest = -(1 << (width_bits - 1))
    yield {
        "matrix": source.signed(size * size, width_bits),
        "vector": source.signed(size, width_bits),
        "result": source.signed(size, width_bits),
    }
    # The largest products there are: nothing may overflow but what is meant to.
    yield {"matrix": [lowest] * (size * size), "vector": [lowest] * size, "result": [0] * size}


def cases(name, source):
    """The inputs of each case of one example."""
    match name:
        case "vector_add":
            yield {"a": source.list(64, -1000, 1000), "b": source.list(64, -1000, 1000), "sum": [0] * 64}
            yield {"a": source.signed(64, 32), "b": source.signed(64, 32), "sum": source.signed(64, 32)}
        case "dot":
            yield {"a": source.list(64, -1000, 1000), "b": source.list(64, -1000, 1000)}
            yield {"a": source.signed(64, 32), "b": source.signed(64, 32)}
        case "fir":
            yield {"samples": source.signed(319, 16), "taps": source.signed(64, 16), "filtered": [0] * 256}
        case "gemm":
            yield {key: source.list(256, -100, 100) for key in ("A", "B", "C")}
        case "conv3x3":
            image, weights = source.list(1024, 0, 255), [-1, 2, -1, 2, 12, 2, -1, 2, -1]
            yield {"image": image, "weights": weights, "result": [0] * 900}
        case "matvec_i13":
            yield from matvec_cases(source, 16, 13)
        case "matvec_i27":
            yield from matvec_cases(source, 16, 27)
        case "matvec_i96":
            yield from matvec_cases(source, 8, 96)
        case "prefix_sum":
            yield {"values": source.list(64, -1000, 1000), "sums": [0] * 64}
            yield {"values": source.signed(64, 32), "sums": [0] * 64}
        case "histogram":
            yield {"data": source.signed(256, 8), "bins": source.signed(32, 32)}
            # One bin takes everything: each count depends on the one just before.
            yield {"data": [-1] * 256, "bins": [0] * 32}
        case "insertion_sort":
            yield {"values": source.list(32, -100, 100)}
            yield {"values": list(range(32, 0, -1))}
        case "gcd":
            yield {"a": 3528, "b": 3780}
            yield {"a": 1836311903, "b": 1134903170}
            yield {"a": -2, "b": -2147483648}
            yield {"a": 17, "b": 0}
        case "sobel":
            # A bright disc on a dark ground, with a little noise: flat parts, edges, and saturation.
            yield {
                "image": [
                    (180 if (row - 14) ** 2 + (column - 17) ** 2 < 90 else 20) + source.between(0, 40)
                    for row in range(32)
                    for column in range(32)
                ],
                "edges": [0] * 900,
            }
        case "crc32":
            yield {"buffer": [wrap(byte, 8) for byte in b"123456789".ljust(64, b".")]}
            yield {"buffer": source.signed(64, 8)}
        case "chain":
            yield {"source": source.list(64, -1000, 1000), "gain": 640, "scaled": [0] * 64}
            yield {"source": source.signed(64, 16), "gain": -32768, "scaled": [0] * 64}
        case _:
            raise ValueError(f"no inputs for `{name}`")


REFERENCES = {
    "vector_add": vector_add,
    "dot": dot,
    "fir": fir,
    "gemm": gemm,
    "conv3x3": conv3x3,
    "matvec_i13": matvec(30),
    "matvec_i27": matvec(58),
    "matvec_i96": matvec(96),
    "prefix_sum": prefix_sum,
    "histogram": histogram,
    "insertion_sort": insertion_sort,
    "gcd": gcd,
    "sobel": sobel,
    "crc32": crc32,
    "chain": chain,
}

# The range of random inputs where not every value of the type is meaningful.
RANDOM = {"sobel": {"image": (0, 255)}}


def number(value):
    # YAML readers keep 64 bits at best; wider values are quoted, and so stay exact.
    return str(value) if -(2**63) <= value < 2**63 else f'"{value}"'


def entry(indent, key, value):
    """One `key: value` or `key: [values]`, in flow style, folded at the line width."""
    if isinstance(value, int):
        return [f"{indent}{key}: {number(value)}"]
    lines, line = [], f"{indent}{key}: ["
    for position, item in enumerate(value):
        text = number(item) + ("," if position + 1 < len(value) else "]")
        if len(line) + len(text) + 1 > LINE_WIDTH:
            lines.append(line.rstrip())
            line = indent + "  "
        line += text + " "
    return [*lines, line.rstrip()]


def document(name):
    lines = ["# Written by examples/reference.py.", f"function: {name}"]
    if name in RANDOM:
        lines.append("random:")
        for argument, (low, high) in RANDOM[name].items():
            lines.append(f"  {argument}: {{min: {low}, max: {high}}}")
    lines.append("cases:")
    seed = list(REFERENCES).index(name) + 1
    for inputs in cases(name, Source(seed)):
        lines.append("  - inputs:")
        for key, value in inputs.items():
            lines += entry("      ", key, value)
        lines.append("    outputs:")
        for key, value in REFERENCES[name](inputs).items():
            lines += entry("      ", key, value)
    return "\n".join(lines) + "\n"


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    folders = sorted(path.parent.name for path in FOLDER.glob("*/kernel.mlir"))
    if folders != sorted(REFERENCES):
        print(f"folders and references differ: {sorted(set(folders) ^ set(REFERENCES))}", file=sys.stderr)
        return 1
    stale = []
    for name in REFERENCES:
        path, text = FOLDER / name / "data.yaml", document(name)
        if not arguments:
            path.write_text(text)
        elif not path.is_file() or path.read_text() != text:
            stale.append(f"{name}/data.yaml")
    for path in stale:
        print(f"{path}: differs from the reference; accept: examples/reference.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
