#!/usr/bin/env python3
"""Writes the data.yaml of the kernels of this folder: inputs, and answers computed here, independently of Sluice.

    examples/irregular/reference.py            write all files
    examples/irregular/reference.py --check    fail if a file is missing or differs
"""

import math
import sys
from itertools import groupby
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

from reference import Source, entry, rows, unsigned, wrap  # noqa: E402


def bubble_sort(i):
    values = i["values"]
    # Each pass moves an element one place down that has a larger one before it; the last pass finds nothing.
    larger_before = [sum(other > value for other in values[:place]) for place, value in enumerate(values)]
    return {"values": sorted(values), "result0": max(larger_before) + 1}


def binary_search(i):
    def find(table, key, offset):
        if not table:
            return -1
        middle = (offset + offset + len(table)) // 2 - offset
        if table[middle] == key:
            return offset + middle
        if table[middle] < key:
            return find(table[middle + 1 :], key, offset + middle + 1)
        return find(table[:middle], key, offset)

    return {"places": [find(i["table"], key, 0) for key in i["queries"]]}


def histogram_hazard(i):
    pairs = list(zip(i["features"], i["weights"]))[: i["n"]]
    sums = [sum(weight for feature, weight in pairs if feature == bin) for bin in range(16)]
    return {"bins": [wrap(old + more, 32) for old, more in zip(i["bins"], sums)]}


def spmv(i):
    entries = [value * i["vector"][column] for column, value in zip(i["columns"], i["values"])]
    return {"result": [wrap(sum(entries[start:end]), 32) for start, end in zip(i["starts"], i["starts"][1:])]}


def bfs(i):
    starts, distances = i["starts"], {}
    level, distance = {i["root"]}, 0
    while level:
        distances |= dict.fromkeys(level, distance)
        edges = [target for node in level for target in i["targets"][starts[node] : starts[node + 1]]]
        level, distance = {target for target in edges if target not in distances}, distance + 1
    return {"distances": [distances.get(node, -1) for node in range(16)], "result0": len(distances)}


def string_match(i):
    return {"result0": sum(i["text"][place : place + 4] == i["pattern"] for place in range(61))}


def get_tanh(i):
    table = [round(256 * math.tanh((row + 4.5) / 4)) for row in range(12)]

    def tanh(x):
        size = abs(x)
        if size >= 1024:
            y = 256
        elif size >= 256:
            y = table[(size - 256) // 64]
        else:
            y = size - size * size // 256 * size // 256 * 85 // 256
        return y if x >= 0 else -y

    values, total = list(i["values"]), 0
    for at in i["addresses"]:
        values[at] = tanh(values[at])
        total += values[at]
    return {"values": values, "result0": total}


def if_loop_store(i):
    differences = [x - y for x, y in zip(i["a"], i["b"])][: i["n"]]
    stored = {place: difference for place, difference in enumerate(differences) if difference > 0}
    kept = [wrap(stored.get(place, old), 32) for place, old in enumerate(i["c"])]
    return {"c": kept, "result0": wrap(sum(stored.values()), 32)}


def matrix_power(i):
    matrix = [[0] * 8 for _ in range(8)]
    for row, column, value in zip(i["rows"], i["columns"], i["entries"]):
        matrix[row][column] += value
    x = rows(list(i["x"]), 8)
    for before, after in zip(x, x[1:]):
        after[:] = [old + sum(map(int.__mul__, row, before)) for old, row in zip(after, matrix)]
    return {"x": [wrap(value, 32) for row in x for value in row]}


def while_bounds(i):
    def total(numbers):
        ends = [place for place, number in enumerate(numbers) if number < 0]
        return wrap(sum(numbers[: min(ends, default=None)]), 32)

    return {"sums": [total(i["data"][start:end]) for start, end in rows(i["bounds"], 2)]}


def collatz(i):
    def steps(n):
        return 0 if n <= 1 else 1 + steps(3 * n + 1 if n % 2 else n // 2)

    return {"lengths": [steps(n) for n in i["starts"]]}


def gcd_many(i):
    return {"divisors": [wrap(math.gcd(unsigned(a, 32), unsigned(b, 32)), 32) for a, b in zip(i["a"], i["b"])]}


def hash_probe(i):
    place_of, taken = {}, set()

    def probe(key):
        place = 13 * key % 32
        while place in taken:
            place = (place + 1) % 32
        return place

    for key in i["keys"]:
        if key not in place_of:
            place_of[key] = probe(key)
            taken.add(place_of[key])
    return {"places": [place_of.get(query, -1) for query in i["queries"]]}


def linked_list(i):
    nodes, node = [], i["head"]
    while node >= 0 and len(nodes) < i["most"]:
        nodes.append(node)
        node = i["next"][node]
    return {"result0": wrap(sum(i["values"][node] for node in nodes), 32), "result1": len(nodes)}


def run_length(i):
    runs = [(symbol, len(list(run))) for symbol, run in groupby(i["bytes"][: i["n"]])]
    return {
        "symbols": [symbol for symbol, _ in runs] + i["symbols"][len(runs) :],
        "lengths": [length for _, length in runs] + i["lengths"][len(runs) :],
        "result0": len(runs),
    }


def rc4(i):
    state, last = list(range(256)), 0
    for place in range(256):
        last = (last + i["key"][place % i["length"]] + state[place]) % 256
        state[place], state[last] = state[last], state[place]
    mixed, stream, sum_ = last, list(i["stream"]), 0
    for t in range(i["n"]):
        place = (t + 1) % 256
        sum_ = (sum_ + state[place]) % 256
        state[place], state[sum_] = state[sum_], state[place]
        stream[t] = wrap(state[(state[place] + state[sum_]) % 256], 8)
    return {"state": [wrap(byte, 8) for byte in state], "stream": stream, "result0": wrap(mixed, 8)}


def degrees(i):
    edges = list(zip(i["from"], i["to"], i["weights"]))[: i["n"]]
    loops = [source % 32 for source, _, weight in edges if weight == 0]
    given = [(source % 32, weight) for source, _, weight in edges] + [(to % 32, -weight) for _, to, weight in edges]
    sums = [
        old + loops.count(node) + sum(weight for at, weight in given if at == node) for node, old in enumerate(i["sums"])
    ]
    return {"sums": [wrap(value, 32) for value in sums], "result0": len(loops)}


def prime_sieve(i):
    primes = [n for n in range(2, i["n"]) if all(n % divisor for divisor in range(2, n))]
    return {"primes": primes + i["primes"][len(primes) :], "result0": len(primes)}


def products(a, b, limit):
    """Products of pairs up to the first one that is at least 1000, `limit` of them at most."""
    all_products = [wrap(x * y, 32) for x, y in zip(a[:limit], b[:limit])]
    large = [n for n, product in enumerate(all_products) if product >= 1000]
    return all_products[: large[0] + 1] if large else all_products


def single_loop(i):
    found = products(i["a"], i["b"], 600)
    return {"c": found + i["c"][len(found) :]}


def nested_loop(i):
    found = products(i["a"], i["b"], 400)
    rest = len(found)
    return {"c": found + i["c"][rest:400] + found + i["c"][400 + rest :]}


def sparse_sum(i):
    sums = [wrap(sum(u * v for u, v in zip(i["a"][:n], i["x"][:n])), 32) for n in range(1, 129)]
    terms = next((n for n, total in enumerate(sums, 1) if total < 0), 128)
    return {"result0": sums[terms - 1], "result1": terms}


def subdiagonal(i):
    limits = [wrap(3 * wrap(x + y, 32), 32) for x, y in zip(i["d1"], i["d2"][1:])]
    small = [n for n, (entry, limit) in enumerate(zip(i["e"][1:], limits), 1) if entry <= limit]
    return {"result0": min(small + [127])}


def if_convert(i):
    b, place = list(i["b"]), 1
    while True:
        place += 2 if wrap(place * i["a"][place], 32) < 10000 else 1
        b[place] = 1
        if place >= 199:
            return {"b": b}


REFERENCES = {
    "bubble_sort": bubble_sort,
    "binary_search": binary_search,
    "histogram_hazard": histogram_hazard,
    "spmv": spmv,
    "bfs": bfs,
    "string_match": string_match,
    "get_tanh": get_tanh,
    "if_loop_store": if_loop_store,
    "matrix_power": matrix_power,
    "while_bounds": while_bounds,
    "collatz": collatz,
    "gcd_many": gcd_many,
    "hash_probe": hash_probe,
    "linked_list": linked_list,
    "run_length": run_length,
    "prime_sieve": prime_sieve,
    "single_loop": single_loop,
    "nested_loop": nested_loop,
    "sparse_sum": sparse_sum,
    "subdiagonal": subdiagonal,
    "if_convert": if_convert,
    "rc4": rc4,
    "degrees": degrees,
}


def compressed(lists, room):
    """Starts and targets of rows that are lists; the targets filled up with zeros."""
    starts = [sum(map(len, lists[:n])) for n in range(len(lists) + 1)]
    flat = [target for row in lists for target in row]
    return starts, flat + [0] * (room - len(flat))


def cases(name, source):
    """The inputs of each case of one kernel: an ordinary one first, then those on the edge."""
    match name:
        case "bubble_sort":
            yield {"values": source.list(16, -100, 100)}
            yield {"values": list(range(16, 0, -1))}
            yield {"values": list(range(16))}
            yield {"values": [7] * 16}
        case "binary_search":
            table = sorted({3 * n + source.between(0, 2) for n in range(64)})
            queries = source.list(12, 0, 191) + [table[0], table[63], -1, 1000]
            yield {"table": table, "queries": queries, "places": [0] * 16}
            yield {"table": table, "queries": table[::4], "places": [0] * 16}
            yield {"table": [5] * 64, "queries": [4, 5, 6] * 5 + [5], "places": [0] * 16}
        case "histogram_hazard":
            features, weights = source.list(64, 0, 15), source.list(64, -1000, 1000)
            yield {"n": 64, "features": features, "weights": weights, "bins": [0] * 16}
            # One bin takes everything: each sum depends on the one just before.
            yield {"n": 64, "features": [3] * 64, "weights": source.signed(64, 32), "bins": source.signed(16, 32)}
            pairs = [n // 2 % 16 for n in range(64)]
            yield {"n": 63, "features": pairs, "weights": [1] * 64, "bins": [100] * 16}
            yield {"n": 1, "features": features, "weights": weights, "bins": [0] * 16}
            yield {"n": 0, "features": features, "weights": weights, "bins": source.list(16, 0, 9)}
        case "spmv":
            # Rows of 0 to 5 entries.
            lists = [[c for c in range(16) if source.between(0, 5) == 0][:5] for _ in range(16)]
            starts, columns = compressed(lists, 64)
            values, vector = source.list(64, -100, 100), source.list(16, -100, 100)
            yield {"starts": starts, "columns": columns, "values": values, "vector": vector, "result": [0] * 16}
            # No entry at all.
            yield {"starts": [0] * 17, "columns": columns, "values": values, "vector": vector, "result": [9] * 16}
            # All entries in one row, of one column.
            yield {
                "starts": [0] * 8 + [64] * 9,
                "columns": [15] * 64,
                "values": source.signed(64, 32),
                "vector": source.signed(16, 32),
                "result": [0] * 16,
            }
        case "bfs":
            lists = [source.list(source.between(0, 4), 0, 15) for _ in range(16)]
            starts, targets = compressed(lists, 48)
            yield {"starts": starts, "targets": targets[:48], "root": 0, "distances": [0] * 16}
            # A ring, each edge doubled and with a loop at each node.
            starts, targets = compressed([[n, (n + 1) % 16, (n + 1) % 16] for n in range(16)], 48)
            yield {"starts": starts, "targets": targets, "root": 5, "distances": [0] * 16}
            # A root without edges.
            yield {"starts": [0] * 17, "targets": [0] * 48, "root": 15, "distances": [0] * 16}
        case "string_match":
            yield {"pattern": list(b"abab"), "text": list((b"ab" * 5 + b"abacaba" * 9)[:64])}
            yield {"pattern": list(b"aaaa"), "text": list(b"a" * 64)}
            yield {"pattern": list(b"aaab"), "text": list(b"aaaaaaab" * 8)}
            yield {"pattern": [-1, 0, 1, 2], "text": [0] * 64}
        case "get_tanh":
            order = sorted(range(32), key=lambda _: source.word())
            yield {"values": source.list(32, -1200, 1200), "addresses": order}
            yield {"values": source.list(32, -255, 255), "addresses": list(range(32))}
            edges = [0, 1, -1, 255, -255, 256, -256, 1023, -1023, 1024, -1024, 2**31 - 1, -(2**31)]
            yield {"values": edges + [319, 320] + [0] * 17, "addresses": list(range(32))}
            # One place again and again: each result is the next argument.
            yield {"values": [-250] * 32, "addresses": [9] * 32}
        case "if_loop_store":
            a, b, c = (source.list(32, -100, 100) for _ in range(3))
            yield {"n": 32, "a": a, "b": b, "c": c}
            yield {"n": 32, "a": a, "b": a, "c": c}
            yield {"n": 32, "a": [value + 1 for value in a], "b": a, "c": c}
            yield {"n": 0, "a": a, "b": b, "c": c}
        case "matrix_power":
            x = source.list(8, -9, 9) + [0] * 56
            entries = source.list(16, -3, 3)
            yield {"x": x, "rows": source.list(16, 0, 7), "columns": source.list(16, 0, 7), "entries": entries}
            # One row takes everything, from the column that it is.
            yield {"x": source.list(64, -9, 9), "rows": [2] * 16, "columns": [2] * 16, "entries": [1] * 16}
            yield {"x": source.signed(64, 32), "rows": [7] * 16, "columns": [0, 7] * 8, "entries": source.signed(16, 32)}
        case "while_bounds":
            data = [-1 if n % 11 == 10 else source.between(0, 1000) for n in range(64)]
            yield {"bounds": source.list(16, 0, 64), "data": data, "sums": [0] * 8}
            yield {"bounds": [0, 64, 0, 0, 64, 64, 9, 3, 10, 20, 63, 64, 1, 2, 0, 11], "data": data, "sums": [7] * 8}
            yield {"bounds": [0, 64] * 8, "data": [-1] * 64, "sums": [7] * 8}
            yield {"bounds": [0, 64] * 8, "data": [2**31 - 1] * 64, "sums": [0] * 8}
        case "collatz":
            yield {"starts": [1, 2, 3, 6, 7, 9, 19, 27], "lengths": [0] * 8}
            yield {"starts": [0, 1, 1, 0, 1, 0, 0, 1], "lengths": [5] * 8}
            yield {"starts": [97] * 8, "lengths": [0] * 8}
        case "gcd_many":
            # Two neighbours of Fibonacci take longest.
            yield {
                "a": [3528, 1836311903, -2, 17, 0, 1, 123456789, 1024],
                "b": [3780, 1134903170, -(2**31), 0, 17, 1, 987654321, 48],
                "divisors": [0] * 8,
            }
            yield {"a": [0] * 8, "b": [0] * 8, "divisors": [1] * 8}
            yield {"a": [42] * 8, "b": [42] * 8, "divisors": [0] * 8}
        case "hash_probe":
            keys = source.list(16, 0, 1000)
            yield {"keys": keys, "queries": keys[::2] + source.list(8, 0, 1000), "places": [0] * 16}
            # All keys have one hash, close to the end of the table.
            clash = [15 + 32 * n for n in range(24)]
            yield {"keys": clash[:16], "queries": clash[8:], "places": [0] * 16}
            yield {"keys": [77] * 16, "queries": [77, 78] * 8, "places": [0] * 16}
        case "linked_list":
            order = sorted(range(32), key=lambda _: source.word())
            after = dict(zip(order, order[1:] + [-1]))
            chain = [after[node] for node in range(32)]
            values = source.list(32, -1000, 1000)
            yield {"next": chain, "values": values, "head": order[0], "most": 64}
            yield {"next": chain, "values": values, "head": -1, "most": 64}
            yield {"next": chain, "values": values, "head": order[0], "most": 0}
            # A ring of one node, and of all.
            yield {"next": list(range(32)), "values": values, "head": 7, "most": 40}
            ring = [(node + 1) % 32 for node in range(32)]
            yield {"next": ring, "values": source.signed(32, 32), "head": 31, "most": 50}
        case "run_length":
            zeros = {"symbols": [0] * 64, "lengths": [0] * 64}
            some = [symbol for symbol in source.list(24, -9, 9) for _ in range(source.between(1, 6))]
            yield {"n": 64, "bytes": some[:64], **zeros}
            yield {"n": 64, "bytes": [7] * 64, **zeros}
            yield {"n": 64, "bytes": list(range(64)), **zeros}
            yield {"n": 1, "bytes": [5] * 64, "symbols": source.signed(64, 8), "lengths": [3] * 64}
            yield {"n": 0, "bytes": [5] * 64, "symbols": source.signed(64, 8), "lengths": [3] * 64}
        case "rc4":
            zeros = {"state": [0] * 256, "stream": [0] * 64}
            yield {"length": 16, "n": 64, "key": [source.between(0, 255) for _ in range(16)], **zeros}
            # All places are swapped with themselves, or each with the next but one.
            yield {"length": 1, "n": 64, "key": [0] * 16, **zeros}
            yield {"length": 5, "n": 0, "key": [source.between(0, 255) for _ in range(16)], **zeros}
        case "degrees":
            nodes = [source.between(0, 31) for _ in range(128)]
            weights = [source.between(-200, 200) * source.between(0, 1) for _ in range(64)]
            yield {"n": 64, "from": nodes[:64], "to": nodes[64:], "weights": weights, "sums": source.signed(32, 20)}
            # One node alone, two in turns, no edge.
            yield {"n": 64, "from": [3] * 64, "to": [3] * 64, "weights": weights, "sums": [0] * 32}
            yield {"n": 64, "from": [1, 2] * 32, "to": [2, 1] * 32, "weights": [5] * 64, "sums": [0] * 32}
            yield {"n": 0, "from": nodes[:64], "to": nodes[64:], "weights": weights, "sums": [7] * 32}
        case "prime_sieve":
            for n in (100, 128, 3, 2, 0):
                yield {"n": n, "primes": [0] * 32}
        case "single_loop":
            yield {"a": [2] * 600, "b": list(range(600)), "c": [0] * 600}
            # Left at once, behind the first round, and never.
            yield {"a": [1000] * 600, "b": [1] * 600, "c": source.signed(600, 32)}
            yield {"a": [0, 1000] * 300, "b": [1] * 600, "c": source.signed(600, 32)}
            yield {"a": source.list(600, -9, 9), "b": source.list(600, -9, 9), "c": [7] * 600}
        case "nested_loop":
            yield {"a": [5] * 400, "b": list(range(400)), "c": [0] * 800}
            yield {"a": [1000] * 400, "b": [1] * 400, "c": source.signed(800, 32)}
            yield {"a": source.list(400, -9, 9), "b": source.list(400, -9, 9), "c": [7] * 800}
        case "sparse_sum":
            yield {"a": [40 - n for n in range(128)], "x": [1] * 128}
            yield {"a": [-1] * 128, "x": [1] * 128}
            yield {"a": source.list(128, 0, 9), "x": source.list(128, 0, 9)}
            yield {"a": source.signed(128, 32), "x": source.signed(128, 32)}
        case "subdiagonal":
            yield {"d1": list(range(128)), "d2": list(range(128)), "e": [3 * (300 - n) for n in range(128)]}
            yield {"d1": [0] * 128, "d2": [0] * 128, "e": [0] * 128}
            yield {"d1": [0] * 128, "d2": [0] * 128, "e": [1] * 128}
            yield {"d1": source.signed(128, 32), "d2": source.signed(128, 32), "e": source.signed(128, 32)}
        case "if_convert":
            yield {"a": source.list(200, 0, 4999), "b": [0] * 201}
            yield {"a": [0] * 200, "b": source.list(201, 2, 9)}
            yield {"a": [2**31 - 1] * 200, "b": [0] * 201}
        case _:
            raise ValueError(f"no inputs for `{name}`")


# The range of each random argument where not every value of the type is meaningful.
RANGES = {
    "histogram_hazard": {"n": (0, 64), "features": (0, 15)},
    "spmv": {"starts": (0, 64), "columns": (0, 15)},
    "bfs": {"starts": (0, 48), "targets": (0, 15), "root": (0, 15)},
    "string_match": {"pattern": (0, 1), "text": (0, 1)},
    "get_tanh": {"values": (-1200, 1200), "addresses": (0, 31)},
    "if_loop_store": {"n": (0, 32)},
    "matrix_power": {"rows": (0, 7), "columns": (0, 7)},
    "while_bounds": {"bounds": (0, 64), "data": (-10, 100)},
    "collatz": {"starts": (0, 1000)},
    "hash_probe": {"keys": (0, 1000), "queries": (0, 1000)},
    "linked_list": {"next": (-1, 31), "head": (-1, 31), "most": (0, 64)},
    "run_length": {"n": (0, 64), "bytes": (0, 1)},
    "prime_sieve": {"n": (0, 128)},
    "rc4": {"length": (1, 16), "n": (0, 64)},
    "degrees": {"n": (0, 64)},
}


def document(name):
    lines = ["# Written by examples/irregular/reference.py.", f"function: {name}"]
    ranges = RANGES.get(name, {})
    if ranges:
        lines.append("random:")
        lines += [f"  {argument}: {{min: {low}, max: {high}}}" for argument, (low, high) in ranges.items()]
    lines.append("cases:")
    for inputs in cases(name, Source(list(REFERENCES).index(name) + 201)):
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
        print(f"{path}: differs from the reference; accept: examples/irregular/reference.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
