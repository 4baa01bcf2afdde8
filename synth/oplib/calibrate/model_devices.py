#!/usr/bin/env python3
"""Writes devices/generic.yaml, xilinx7.yaml and ultrascale_plus.yaml: every figure is a formula stated in its row.

The formulas are the same for all: a route from one cell to the next, a 6-input look-up table, a carry per bit, a multiplier
block for 18 by 18 bits. The generic device is made up; for the others the times of cells are public figures, named in each
row, and the route is an assumption, stated too. Nothing was measured with the tools of these devices.
"""

import math
import os
from dataclasses import dataclass

from device_text import row_text

WIDTHS = [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128]
MULTIPLY_WIDTHS = [1, 4, 8, 16, 18, 19, 24, 32, 36, 37, 48, 54, 55, 64, 72, 96, 128]


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


def adder(d, width):
    return d.level + d.carry * width


def combinational(d, name, formula, area, delay, lut, widths=WIDTHS, dsp=lambda w: 0):
    points = [{"width_bits": w, "delay_ns": delay(w), "lut": lut(w), "dsp": dsp(w)} for w in widths]
    head = [("class", name), ("structure", "combinational")]
    return row_text(head, f"model: delay = {formula}, lut = {area}; {d.legend}", points)


def simple_rows(d):
    shift_levels = lambda w: max(1, math.ceil(math.log2(w) / 2))
    order = lambda w: d.level + d.carry * math.ceil(w / 2)
    rows = combinational(d, "add", "level + carry * w", "w", lambda w: adder(d, w), lambda w: w)
    rows += combinational(d, "subtract", "level + carry * w", "w", lambda w: adder(d, w), lambda w: w)
    rows += combinational(d, "logic", "level", "w", lambda w: d.level, lambda w: w)
    rows += combinational(
        d, "reduce", "level * levels of a tree of 6", "ceil(w / 5)",
        lambda w: d.level * levels(w, 6), lambda w: math.ceil(w / 5))
    rows += combinational(
        d, "compare_equal", "level + carry * ceil(w / 3)", "ceil(w / 3)",
        lambda w: d.level + d.carry * math.ceil(w / 3), lambda w: math.ceil(w / 3))
    rows += combinational(d, "compare_order", "level + carry * ceil(w / 2)", "ceil(w / 2)", order, lambda w: math.ceil(w / 2))
    rows += combinational(d, "mux", "level", "w", lambda w: d.level, lambda w: w)
    rows += combinational(
        d, "shift_variable", "level * ceil(log2(w) / 2), 4 to 1 per level", "w * levels",
        lambda w: d.level * shift_levels(w), lambda w: w * shift_levels(w))
    rows += combinational(
        d, "minimum_maximum", "2 * level + carry * ceil(w / 2)", "w + ceil(w / 2)",
        lambda w: order(w) + d.level, lambda w: w + math.ceil(w / 2))
    rows += combinational(d, "absolute", "level + carry * w", "w", lambda w: adder(d, w), lambda w: w)
    rows += combinational(
        d, "bit_count", "level * levels of a tree of 3 + carry * log2(w)", "w",
        lambda w: d.level * levels(w, 3) + d.carry * math.log2(w), lambda w: w)
    return rows


def multiply_rows(d):
    limbs = "limbs of 18 bits, p = limbs * (limbs + 1) / 2 products, t = ceil(log2(p)) adders deep"
    legend = f"block {d.block:g} beyond a route; {limbs}; {d.legend}"
    product = d.route + d.block
    whole = lambda w: product + tree(w) * adder(d, w)
    adders = lambda w: (products(w) - 1) * w
    rows = combinational(
        d, "multiply", "route + block + t * (level + carry * w)", f"(p - 1) * w, dsp = p; block {d.block:g}; {limbs}",
        whole, adders, MULTIPLY_WIDTHS, products)
    registered = [
        {"width_bits": w, "input_delay_ns": d.route + d.block_front, "stage_delay_ns": 0,
         "output_delay_ns": d.block - d.block_front + tree(w) * adder(d, w), "lut": adders(w), "ff": 0, "dsp": products(w)}
        for w in MULTIPLY_WIDTHS]
    rows += row_text(
        [("class", "multiply"), ("structure", "output_registers"), ("latency_cycles", 1)],
        f"model: the register moves into the blocks, {d.block_front:g} before it and {d.block - d.block_front:g} behind; input = route + {d.block_front:g}, "
        f"output = {d.block - d.block_front:g} + t * (level + carry * w); lut = (p - 1) * w, dsp = p; {limbs}; {d.legend}",
        registered)
    for latency in (1, 2, 3, 4, 5, 6, 7):
        points = []
        for w in [w for w in MULTIPLY_WIDTHS if w > 18]:
            deepest = math.ceil(tree(w) / max(latency - 1, 1)) * adder(d, w)
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


def divide_rows(d):
    rows = []
    for name, signed in (("divide_unsigned", 0), ("divide_signed", 1), ("remainder_unsigned", 0), ("remainder_signed", 1)):
        points = [{
            "width_bits": w, "input_delay_ns": d.level + signed * adder(d, w), "stage_delay_ns": adder(d, w) + d.level,
            "output_delay_ns": 0, "lut": (3 + 2 * signed) * w + 8, "ff": 4 * w + math.ceil(math.log2(w + 1)) + 2,
        } for w in WIDTHS]
        sign = " + adder" if signed else ""
        rows += row_text(
            [("class", name), ("structure", "iterative_restoring"), ("latency_cycles", 2), ("latency_per_bit_cycles", 1)],
            f"model: input = level{sign}, stage = adder + level, adder = level + carry * w; lut = {3 + 2 * signed} * w + 8, "
            f"ff = 4 * w + log2(w + 1) + 2; {d.legend}",
            points)
    return rows


def multiplexer_rows(d):
    rows = []
    kinds = [
        ("first_that_holds", "level * ceil(n / 3)", "ceil((n - 1) * 2 / 3)",
         lambda n: d.level * math.ceil(n / 3), lambda n: math.ceil((n - 1) * 2 / 3)),
        ("one_hot", "level * levels of a tree of 6 over 2 * n", "ceil(2 * n / 5)",
         lambda n: d.level * levels(2 * n, 6), lambda n: math.ceil(2 * n / 5)),
    ]
    for selection, delay_text, lut_text, delay, lut in kinds:
        for n in (2, 3, 4, 6, 8, 16, 32, 64):
            points = [{"width_bits": w, "delay_ns": delay(n), "lut": w * lut(n)} for w in (1, 64)]
            rows += row_text(
                [("n_inputs", n), ("selection", selection)],
                f"model: delay = {delay_text}, lut = w * {lut_text}; n = inputs; {d.legend}", points)
    return rows


@dataclass
class Model:
    """A device: times in ns, cells there are, and where the times come from."""

    name: str
    description: str
    default_period: float
    uncertainty: float
    clock_to_output: float
    setup: float
    route: float
    lut: float
    carry: float
    block: float
    block_front: float
    memory_input: float
    memory_output: float
    capacity: dict
    capacity_source: str
    clock_source: str
    register_source: str
    memory_source: str
    origin: str
    # Results by expected ones: look-up tables, flip-flops, blocks, memories, period.
    intervals: dict
    interval_source: str
    table_bits: int = 64

    @property
    def level(self):
        return self.route + self.lut

    @property
    def legend(self):
        times = f"route {self.route:g}, lut {self.lut:g}, level = route + lut, carry {self.carry:g} per bit; w = width"
        return times + (f"; {self.origin}" if self.origin else "")


GENERIC_INTERVALS = {"lut": (0.6, 1.6), "ff": (0.8, 1.2), "dsp": (0.75, 1.25), "bram": (0.75, 1.25), "period": (0.6, 1.6)}
XILINX_INTERVALS = {"lut": (0.5, 1.7), "ff": (0.75, 1.25), "dsp": (0.5, 1.34), "bram": (0.5, 1.5), "period": (0.6, 1.7)}
XRAY = "cells: Project X-Ray's timings of Artix-7 at speed grade -1 as in techlibs/xilinx/cells_sim.v of Yosys"
ZYNQ = "cells: Vivado 2021.2 timing reports for xczu3eg at speed grade -1, published in gussmith23/lakeroad-evaluation"

MODELS = [
    Model(
        name="generic",
        description="A made-up FPGA with 6-input look-up tables, fast carries and 18 by 18 multiplier blocks",
        default_period=5.0, uncertainty=0.25, clock_to_output=0.10, setup=0.10,
        route=0.40, lut=0.10, carry=0.02, block=2.60, block_front=1.60, memory_input=0.6, memory_output=1.5,
        capacity={"lut": 100000, "ff": 200000, "dsp": 240, "bram": 240},
        capacity_source="model: a device of middling size",
        clock_source="model: 200 MHz; 5 % kept back", register_source="model: as one look-up table each",
        memory_source="model: blocks of 18 kbit; route + 0.2 to the address, clock to data 1.1 above a register, route 0.4",
        origin="", intervals=GENERIC_INTERVALS,
        interval_source="model: nothing is measured; an uncertainty that is stated, not fitted"),
    Model(
        name="xilinx7",
        description="Xilinx 7 series, Artix-7 XC7A100T, speed grade -1, from public cell times",
        default_period=10.0, uncertainty=0.5, clock_to_output=0.303, setup=0,
        route=0.60, lut=0.42, carry=0.0285, block=2.823, block_front=1.416, memory_input=1.17, memory_output=2.75,
        capacity={"lut": 63400, "ff": 126800, "dsp": 240, "bram": 270},
        capacity_source="data sheet: Xilinx DS180, 7 Series FPGAs Overview, the table of Artix-7 devices, XC7A100T; block memories of 18 kbit",
        clock_source="choice: 100 MHz; 5 % kept back",
        register_source=f"model: FDRE, C to Q 0.303, set-up below 0; {XRAY}",
        memory_source=f"model: RAMB18 as RAMB36; route 0.6 + set-up 0.566 to the address, clock to data 2.454 less that of a register 0.303, route 0.6; {XRAY}",
        origin=f"lut: the mean of the six inputs of a LUT6, 0.127 to 0.642; carry: CARRY4, CI to CO[3], by 4; block: DSP48E1, A to P without registers; {XRAY}; route: an assumption",
        intervals=XILINX_INTERVALS,
        interval_source="model: nothing was measured with the tools of this device; an uncertainty that is stated, not fitted"),
    Model(
        name="ultrascale_plus",
        description="Xilinx UltraScale+, Zynq XCZU3EG, speed grade -1, from public timing reports",
        default_period=5.0, uncertainty=0.25, clock_to_output=0.096, setup=0,
        route=0.20, lut=0.12, carry=0.0064, block=1.923, block_front=1.083, memory_input=0.6, memory_output=1.3,
        capacity={"lut": 70560, "ff": 141120, "dsp": 360, "bram": 432},
        capacity_source="data sheet: Xilinx DS891, Zynq UltraScale+ MPSoC Overview, the table of EG devices, ZU3EG; block memories of 18 kbit",
        clock_source="choice: 200 MHz; 5 % kept back",
        register_source=f"model: FDRE, C to Q 0.096, set-up below 0; {ZYNQ}",
        memory_source="model: an assumption, for no public report with a block memory was at hand: address 0.6, clock to data and a route 1.3 above a register",
        origin=f"lut: within 0.039 to 0.202 of the pins seen; carry: CARRY8, CI to CO[7] 0.023 and its route 0.028, by 8; block: DSP48E2, the parts from B to P without registers; route: about the median of the routes seen, 0.1 to 0.4; {ZYNQ}",
        intervals=XILINX_INTERVALS,
        interval_source="model: nothing was measured with the tools of this device; an uncertainty that is stated, not fitted"),
]


def head(d):
    capacity = "\n".join(f"  {key}: {count}" for key, count in d.capacity.items())
    chain = f"""  chain_input_delay_ns: {d.lut:g}
  carry_delay_ns: {d.carry:g}
  chain_output_delay_ns: 0"""
    text = f"""# Written by calibrate/model_devices.py; change that, not this.
device: {d.name}
description: "{d.description}"
clock:
  default_period_ns: {d.default_period:.1f}
  uncertainty_ns: {d.uncertainty:g}
  source: "{d.clock_source}"
register:
  clock_to_output_ns: {d.clock_to_output:g}
  setup_ns: {d.setup:g}
  source: "{d.register_source}"
capacity:
{capacity}
  source: "{d.capacity_source}"
mapping:
  lut_inputs: 6
  joined_inputs: 6
  unchained_bits: 1
  cells_per_table: 1
  cells_per_chain: 0
  multiplier_left_bits: 18
  multiplier_right_bits: 18
  lut_delay_ns: {d.lut:g}
  choice_delay_ns: 0
  wire_delay_ns: {d.route:g}
  wire_delay_per_doubling_ns: 0
  last_wire_delay_ns: 0
{chain}
  multiplier_delay_ns: {d.block:g}
  source: "model: as the operators; block {d.block:g}, {d.legend}"
estimate:"""
    lines = text.splitlines()
    for figure, (low, high) in d.intervals.items():
        lines += [f"  {figure}:", "    scale: 1", f"    low: {low:g}", f"    high: {high:g}", f"    source: \"{d.interval_source}\""]
    return lines + ["operators:"]


def memories(d):
    read = d.route + d.lut
    return f"""memories:
  - kind: distributed
    cell_words: {d.table_bits}
    cell_width_bits: 1
    cell_lut: 1
    up_to_bits: 2048
    read_input_delay_ns: {read:g}
    read_output_delay_ns: 0
    write_input_delay_ns: {read:g}
    source: "model: a 6-input look-up table holds {d.table_bits} bits; route + lut to read, the same to write"
  - kind: block
    shapes:
      - {{ words: 512, width_bits: 36 }}
      - {{ words: 1024, width_bits: 18 }}
      - {{ words: 2048, width_bits: 9 }}
      - {{ words: 4096, width_bits: 4 }}
      - {{ words: 8192, width_bits: 2 }}
      - {{ words: 16384, width_bits: 1 }}
    read_input_delay_ns: {d.memory_input:g}
    read_output_delay_ns: {d.memory_output:g}
    write_input_delay_ns: {d.memory_input:g}
    source: "{d.memory_source}\"""".splitlines()


def main():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "devices")
    for d in MODELS:
        lines = head(d) + simple_rows(d) + multiply_rows(d) + divide_rows(d)
        lines += ["multiplexers:"] + multiplexer_rows(d) + memories(d)
        with open(os.path.join(folder, d.name + ".yaml"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
