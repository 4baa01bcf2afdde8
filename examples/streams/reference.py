#!/usr/bin/env python3
"""Writes the data.yaml of the kernels of this folder: inputs, and answers computed here, independently of Sluice.

    examples/streams/reference.py            write all files
    examples/streams/reference.py --check    fail if a file is missing or differs
"""

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

from reference import Source, entry, rows, wrap  # noqa: E402


def smooth(i):
    padded = [0, 0, 0] + i["x"]
    windows = zip(padded, padded[1:], padded[2:], padded[3:])
    return {"y": [3 * a + 5 * b + 5 * c + 3 * d for a, b, c, d in windows]}


def pipeline(i):
    sums = []
    for row in rows(i["x"], 8):
        padded = [0, 0] + [wrap(word * i["gain"], 32) for word in row]
        sums.append(wrap(sum(7 * a + 9 * b + c for a, b, c in zip(padded, padded[1:], padded[2:])), 32))
    return {"sums": sums}


def block_mean(i):
    result = []
    for block in rows(i["x"], 8):
        mean = wrap(sum(block), 32) // 8
        result += [wrap(word - mean, 32) for word in block]
    return {"y": result}


REFERENCES = {"smooth": smooth, "pipeline": pipeline, "block_mean": block_mean}


def cases(name, source):
    match name:
        case "smooth":
            yield {"x": source.signed(64, 16), "y": [0] * 64}
            yield {"x": [32767, -32768] * 32, "y": [7] * 64}
        case "pipeline":
            yield {"x": source.signed(64, 32), "gain": -3, "sums": [0] * 8}
            yield {"x": list(range(64)), "gain": 1, "sums": [5] * 8}
        case "block_mean":
            yield {"x": source.signed(64, 32), "y": [0] * 64}
            yield {"x": [100 * (n // 8) + n for n in range(64)], "y": [1] * 64}


def document(name):
    lines = ["# Written by examples/streams/reference.py.", f"function: {name}", "cases:"]
    for inputs in cases(name, Source(list(REFERENCES).index(name) + 401)):
        lines.append("  - inputs:")
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
    stale = []
    for name in REFERENCES:
        path, text = FOLDER / name / "data.yaml", document(name)
        if not given:
            path.write_text(text)
        elif not path.is_file() or path.read_text() != text:
            stale.append(f"{name}/data.yaml")
    for path in stale:
        print(f"{path}: differs from the reference; accept: examples/streams/reference.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
