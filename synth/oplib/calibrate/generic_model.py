#!/usr/bin/env python3
"""Writes devices/generic.yaml: a made-up device whose every figure is a formula stated in its row.

The formulas: a route from one cell to the next 0.40 ns, a 6-input look-up table 0.10 ns, a carry 0.02 ns per bit,
an 18 by 18 multiplier block 2.60 ns.
"""

import math
import os

from device_text import row_text

ROUTE, LUT, CARRY, BLOCK, BLOCK_FRONT = 0.40, 0.10, 0.02, 2.60, 1.60
LEVEL = ROUTE + LUT
WIDTHS = [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128]
MULTIPLY_WIDTHS = [1, 4, 8, 16, 18, 19, 24, 32, 36, 37, 48, 54, 55, 64, 72, 96, 128]
LEGEND = "route 0.4, lut 0.1, level = route + lut, carry 0.02 per bit; w = width"


def levels(width, fan_in):
    """Levels of a tree of cells over `width` leaves."""
    count = 0
    while width > 1:
        width = math.ceil(width / fan_in)
        count += 1
    return max(count, 1)


def products(width):
    """Blocks that the low `width` bits of a product need: limbs of 18 bits."""
    limbs = math.ceil(width / 18)
    return limbs * (limbs + 1) // 2


def tree(width):
    """Levels of a binary tree over the partial products."""
    return math.ceil(math.log2(products(width)))


def adder(width):
    return LEVEL + CARRY * width


def combinational(name, formula, area, delay, lut, widths=WIDTHS, dsp=lambda w: 0):
    points = [{"width_bits": w, "delay_ns": delay(w), "lut": lut(w), "dsp": dsp(w)} for w in widths]
    head = [("class", name), ("structure", "combinational")]
    return row_text(head, f"model: delay = {formula}, lut = {area}; {LEGEND}", points)


def simple_rows():
    shift_levels = lambda w: max(1, math.ceil(math.log2(w) / 2))
    order = lambda w: LEVEL + CARRY * math.ceil(w / 2)
    rows = combinational("add", "level + carry * w", "w", adder, lambda w: w)
    rows += combinational("subtract", "level + carry * w", "w", adder, lambda w: w)
    rows += combinational("logic", "level", "w", lambda w: LEVEL, lambda w: w)
    rows += combinational(
        "reduce", "level * levels of a tree of 6", "ceil(w / 5)",
        lambda w: LEVEL * levels(w, 6), lambda w: math.ceil(w / 5))
    rows += combinational(
        "compare_equal", "level + carry * ceil(w / 3)", "ceil(w / 3)",
        lambda w: LEVEL + CARRY * math.ceil(w / 3), lambda w: math.ceil(w / 3))
    rows += combinational("compare_order", "level + carry * ceil(w / 2)", "ceil(w / 2)", order, lambda w: math.ceil(w / 2))
    rows += combinational("mux", "level", "w", lambda w: LEVEL, lambda w: w)
    rows += combinational(
        "shift_variable", "level * ceil(log2(w) / 2), 4 to 1 per level", "w * levels",
        lambda w: LEVEL * shift_levels(w), lambda w: w * shift_levels(w))
    rows += combinational(
        "minimum_maximum", "2 * level + carry * ceil(w / 2)", "w + ceil(w / 2)",
        lambda w: order(w) + LEVEL, lambda w: w + math.ceil(w / 2))
    rows += combinational("absolute", "level + carry * w", "w", adder, lambda w: w)
    rows += combinational(
        "bit_count", "level * levels of a tree of 3 + carry * log2(w)", "w",
        lambda w: LEVEL * levels(w, 3) + CARRY * math.log2(w), lambda w: w)
    return rows


def multiply_rows():
    limbs = "limbs of 18 bits, p = limbs * (limbs + 1) / 2 products, t = ceil(log2(p)) adders deep"
    legend = f"block 2.6 beyond a route; {limbs}; {LEGEND}"
    product = ROUTE + BLOCK
    whole = lambda w: product + tree(w) * adder(w)
    adders = lambda w: (products(w) - 1) * w
    rows = combinational(
        "multiply", "route + block + t * (level + carry * w)", f"(p - 1) * w, dsp = p; block 2.6; {limbs}",
        whole, adders, MULTIPLY_WIDTHS, products)
    registered = [
        {"width_bits": w, "input_delay_ns": ROUTE + BLOCK_FRONT, "stage_delay_ns": 0,
         "output_delay_ns": BLOCK - BLOCK_FRONT + tree(w) * adder(w), "lut": adders(w), "ff": 0, "dsp": products(w)}
        for w in MULTIPLY_WIDTHS]
    rows += row_text(
        [("class", "multiply"), ("structure", "output_registers"), ("latency_cycles", 1)],
        "model: the register moves into the blocks, 1.6 before it and 1 behind; input = route + 1.6, "
        f"output = 1 + t * (level + carry * w); lut = (p - 1) * w, dsp = p; {limbs}; {LEGEND}",
        registered)
    for latency in (1, 2, 3, 4, 5, 6, 7):
        points = []
        for w in [w for w in MULTIPLY_WIDTHS if w > 18]:
            deepest = math.ceil(tree(w) / max(latency - 1, 1)) * adder(w)
            points.append({
                "width_bits": w, "input_delay_ns": product, "stage_delay_ns": deepest if latency > 1 else 0,
                "output_delay_ns": 0 if latency > 1 else deepest,
                "lut": adders(w), "ff": sum(registers(w, latency)), "dsp": products(w)})
        name = f"stage = ceil(t / {latency - 1})" if latency > 1 else "output = t"
        rows += row_text(
            [("class", "multiply"), ("structure", "partial_products"), ("latency_cycles", latency)],
            f"model: input = route + block, {name} * (level + carry * w); lut = (p - 1) * w, "
            f"ff = w for each sum or product that crosses a clock edge, dsp = p; {legend}",
            points)
    return rows


def registers(width, latency):
    """Flip-flops after each cycle of the partial-product structure."""
    yield products(width) * width
    remaining, stages = tree(width), latency - 1
    for stage in range(stages):
        remaining -= tree(width) // stages + (1 if stage < tree(width) % stages else 0)
        yield 2 ** remaining * width


def divide_rows():
    rows = []
    for name, signed in (("divide_unsigned", 0), ("divide_signed", 1), ("remainder_unsigned", 0), ("remainder_signed", 1)):
        points = [{
            "width_bits": w, "input_delay_ns": LEVEL + signed * adder(w), "stage_delay_ns": adder(w) + LEVEL,
            "output_delay_ns": 0, "lut": (3 + 2 * signed) * w + 8, "ff": 4 * w + math.ceil(math.log2(w + 1)) + 2,
        } for w in WIDTHS]
        sign = " + adder" if signed else ""
        rows += row_text(
            [("class", name), ("structure", "iterative_restoring"), ("latency_cycles", 2), ("latency_per_bit_cycles", 1)],
            f"model: input = level{sign}, stage = adder + level, adder = level + carry * w; lut = {3 + 2 * signed} * w + 8, "
            f"ff = 4 * w + log2(w + 1) + 2; {LEGEND}",
            points)
    return rows


def multiplexer_rows():
    rows = []
    kinds = [
        ("first_that_holds", "level * ceil(n / 3)", "ceil((n - 1) * 2 / 3)",
         lambda n: LEVEL * math.ceil(n / 3), lambda n: math.ceil((n - 1) * 2 / 3)),
        ("one_hot", "level * levels of a tree of 6 over 2 * n", "ceil(2 * n / 5)",
         lambda n: LEVEL * levels(2 * n, 6), lambda n: math.ceil(2 * n / 5)),
    ]
    for selection, delay_text, lut_text, delay, lut in kinds:
        for n in (2, 3, 4, 6, 8, 16, 32, 64):
            points = [{"width_bits": w, "delay_ns": delay(n), "lut": w * lut(n)} for w in (1, 64)]
            rows += row_text(
                [("n_inputs", n), ("selection", selection)],
                f"model: delay = {delay_text}, lut = w * {lut_text}; n = inputs; {LEGEND}", points)
    return rows


HEAD = """# Written by calibrate/generic_model.py; change that, not this.
device: generic
description: "A made-up FPGA with 6-input look-up tables, fast carries and 18 by 18 multiplier blocks"
clock:
  default_period_ns: 5.0
  uncertainty_ns: 0.25
  source: "model: 200 MHz; 5 % kept back"
register:
  clock_to_output_ns: 0.10
  setup_ns: 0.10
  source: "model: as one look-up table each"
capacity:
  lut: 100000
  ff: 200000
  dsp: 240
  bram: 240
  source: "model: a device of middling size"
operators:"""

MEMORIES = """memories:
  - kind: distributed
    cell_words: 64
    cell_width_bits: 1
    cell_lut: 1
    up_to_bits: 2048
    read_input_delay_ns: 0.5
    read_output_delay_ns: 0
    write_input_delay_ns: 0.5
    source: "model: a 6-input look-up table holds 64 bits; route + lut to read, the same to write"
  - kind: block
    shapes:
      - { words: 512, width_bits: 36 }
      - { words: 1024, width_bits: 18 }
      - { words: 2048, width_bits: 9 }
      - { words: 4096, width_bits: 4 }
      - { words: 8192, width_bits: 2 }
      - { words: 16384, width_bits: 1 }
    read_input_delay_ns: 0.6
    read_output_delay_ns: 1.5
    write_input_delay_ns: 0.6
    source: "model: blocks of 18 kbit; route + 0.2 to the address, clock to data 1.1 above a register, route 0.4\""""


def main():
    lines = HEAD.splitlines() + simple_rows() + multiply_rows() + divide_rows()
    lines += ["multiplexers:"] + multiplexer_rows() + MEMORIES.splitlines()
    target = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "devices", "generic.yaml")
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
