#!/usr/bin/env python3
"""Writes the circuits on which simulators are compared, as MLIR: designs.py FOLDER

Each has a `clock`, a `reset` and a 32-bit output `checksum` that depends on every part of the circuit; it generates its own
stimulus.

* fir64: 64 taps of 16 bits, transposed, one sample per cycle.
* keccak: Keccak-f[1600], one round per cycle (FIPS 202), the state permuted again and again.
* riscv: RV32I without memory beyond 64 words, one instruction per cycle, running a sieve and a checksum over it.
* wide256: a datapath of 256 bits: sums, products of halves, rotations, comparisons.
"""

import sys
from pathlib import Path


class Circuit:
    """The lines of one hw.module."""

    def __init__(self):
        self.lines, self.serial = [], 0

    def line(self, text):
        self.lines.append("    " + text)

    def new(self, text, width):
        name = f"%v{self.serial}"
        self.serial += 1
        self.line(f"{name} = {text}")
        return name, width

    def constant(self, value, width):
        if width == 1:
            return self.new(f"hw.constant {'true' if value & 1 else 'false'}", 1)
        value &= (1 << width) - 1
        if value >= 1 << (width - 1):
            value -= 1 << width
        return self.new(f"hw.constant {value} : i{width}", width)

    def op(self, name, *operands):
        width = operands[0][1]
        return self.new(f"comb.{name} {', '.join(o[0] for o in operands)} : i{width}", width)

    def compare(self, predicate, a, b):
        return self.new(f"comb.icmp {predicate} {a[0]}, {b[0]} : i{a[1]}", 1)

    def mux(self, condition, a, b):
        return self.new(f"comb.mux {condition[0]}, {a[0]}, {b[0]} : i{a[1]}", a[1])

    def extract(self, a, low, width):
        if low == 0 and width == a[1]:
            return a
        return self.new(f"comb.extract {a[0]} from {low} : (i{a[1]}) -> i{width}", width)

    def concat(self, *parts):
        types = ", ".join(f"i{p[1]}" for p in parts)
        return self.new(f"comb.concat {', '.join(p[0] for p in parts)} : {types}", sum(p[1] for p in parts))

    def zext(self, a, width):
        return a if a[1] == width else self.concat(self.constant(0, width - a[1]), a)

    def sext(self, a, width):
        if a[1] == width:
            return a
        sign = self.extract(a, a[1] - 1, 1)
        many = self.new(f"comb.replicate {sign[0]} : (i1) -> i{width - a[1]}", width - a[1])
        return self.concat(many, a)

    def rotate(self, a, by):
        by %= a[1]
        return a if by == 0 else self.concat(self.extract(a, 0, a[1] - by), self.extract(a, a[1] - by, by))

    def register(self, name, width, initial=0):
        """Creates a register that is connected later; returns its value, and the function that connects it."""
        value = f"%{name}"

        def connect(data, enable=None):
            first = self.constant(initial, width)
            if enable:
                self.line(f"{value} = seq.compreg.ce {data[0]}, %clock, {enable[0]} reset %reset, {first[0]} : i{width}")
            else:
                self.line(f"{value} = seq.compreg {data[0]}, %clock reset %reset, {first[0]} : i{width}")

        return (value, width), connect

    def random(self, name, width=32):
        """Creates a 32-bit xorshift register (G. Marsaglia, 2003); returns its low bits."""
        state, connect = self.register(name, 32, 2463534242)

        def moved(value, by, left):
            if left:
                return self.op("xor", value, self.concat(self.extract(value, 0, 32 - by), self.constant(0, by)))
            return self.op("xor", value, self.zext(self.extract(value, by, 32 - by), 32))

        connect(moved(moved(moved(state, 13, True), 17, False), 5, True))
        return self.extract(state, 0, width)

    def text(self, checksum):
        body = "\n".join(self.lines)
        return (f"module {{\n  hw.module @bench(in %clock : !seq.clock, in %reset : i1, out checksum : i32) {{\n{body}\n"
                f"    hw.output {checksum[0]} : i32\n  }}\n}}\n")


def fir(n_taps):
    c = Circuit()
    sample = c.sext(c.random("noise", 16), 32)
    total = None
    for tap in range(n_taps):
        coefficient = c.constant((tap * 2654435761) % 65536 - 32768, 32)
        product = c.op("mul", sample, coefficient)
        sum_, connect = c.register(f"tap{tap}", 32)
        connect(product if total is None else c.op("add", total, product))
        total = sum_
    checksum, connect = c.register("sum", 32)
    connect(c.op("xor", c.rotate(checksum, 1), total))
    return c.text(checksum)


def keccak():
    c = Circuit()
    constants, state = [], 1
    for _ in range(24):
        constant = 0
        for j in range(7):
            constant ^= (state & 1) << ((1 << j) - 1)
            state = (state << 1) ^ (0x171 if state & 0x80 else 0)
        constants.append(constant)
    lanes = {(x, y): c.register(f"lane{x}{y}", 64, x + 5 * y + 1) for x in range(5) for y in range(5)}
    a = {place: lane[0] for place, lane in lanes.items()}
    round_, connect_round = c.register("round", 5)
    last = c.compare("eq", round_, c.constant(23, 5))
    connect_round(c.mux(last, c.constant(0, 5), c.op("add", round_, c.constant(1, 5))))
    signed = [value - (1 << 64) if value >> 63 else value for value in constants]
    fields = ", ".join(f"{value} : i64" for value in reversed(signed + [0] * 8))
    c.line(f"%constants = hw.aggregate_constant [{fields}] : !hw.array<32xi64>")
    iota = c.new(f"hw.array_get %constants[{round_[0]}] : !hw.array<32xi64>, i5", 64)
    columns = []
    for x in range(5):
        column = a[x, 0]
        for y in range(1, 5):
            column = c.op("xor", column, a[x, y])
        columns.append(column)
    theta = [c.op("xor", columns[(x - 1) % 5], c.rotate(columns[(x + 1) % 5], 1)) for x in range(5)]
    offsets, (x, y) = {(0, 0): 0}, (1, 0)
    for t in range(24):
        offsets[x, y] = (t + 1) * (t + 2) // 2
        x, y = y, (2 * x + 3 * y) % 5
    b = {}
    for (x, y), lane in a.items():
        b[y, (2 * x + 3 * y) % 5] = c.rotate(c.op("xor", lane, theta[x]), offsets[x, y])
    ones = c.constant(-1, 64)
    for (x, y), (_, connect) in lanes.items():
        chi = c.op("and", c.op("xor", b[(x + 1) % 5, y], ones), b[(x + 2) % 5, y])
        lane = c.op("xor", b[x, y], chi)
        connect(c.op("xor", lane, iota) if (x, y) == (0, 0) else lane)
    return c.text(c.op("xor", c.extract(a[0, 0], 0, 32), c.extract(a[4, 4], 32, 32)))


def wide256():
    c = Circuit()
    noise = c.random("noise")
    words = [c.register(f"word{i}", 256, 0x9E3779B97F4A7C15F39CC0605CEDC835 * (i + 1)) for i in range(4)]
    a, b, d, e = (word[0] for word in words)
    mixed = c.concat(*[c.op("xor", noise, c.constant(i * 0x01234567, 32)) for i in range(8)])
    words[0][1](c.op("add", c.op("xor", a, c.rotate(d, 77)), mixed))
    product = c.op("mul", c.zext(c.extract(a, 0, 128), 256), c.zext(c.extract(b, 64, 128), 256))
    words[1][1](c.op("sub", product, e))
    words[2][1](c.mux(c.compare("ult", a, b), c.rotate(e, 131), c.op("and", a, d)))
    shifted = c.op("shru", d, c.zext(c.extract(b, 3, 8), 256))
    words[3][1](c.op("or", shifted, c.mux(c.compare("slt", d, e), a, b)))
    checksum, connect = c.register("sum", 32)
    connect(c.op("xor", c.rotate(checksum, 3), c.op("add", c.extract(e, 200, 32), c.extract(d, 17, 32))))
    return c.text(checksum)


def assemble(program):
    """Assembles RV32I words (the ISA manual, volume I, chapter 2) from (name, operands) tuples; labels are strings."""
    labels, lines = {}, []
    for line in program:
        if isinstance(line, str):
            labels[line] = 4 * len(lines)
        else:
            lines.append(line)
    words = []
    alu = {"add": (0, 0), "sub": (0, 32), "sll": (1, 0), "slt": (2, 0), "sltu": (3, 0), "xor": (4, 0), "srl": (5, 0),
           "sra": (5, 32), "or": (6, 0), "and": (7, 0)}
    immediate = {"addi": 0, "slti": 2, "xori": 4, "ori": 6, "andi": 7}
    branches = {"beq": 0, "bne": 1, "blt": 4, "bge": 5, "bltu": 6, "bgeu": 7}
    for at, (name, *o) in enumerate(lines):
        at *= 4
        if name in alu:
            function, seven = alu[name]
            words.append(seven << 25 | o[2] << 20 | o[1] << 15 | function << 12 | o[0] << 7 | 0x33)
        elif name in immediate:
            words.append((o[2] & 0xFFF) << 20 | o[1] << 15 | immediate[name] << 12 | o[0] << 7 | 0x13)
        elif name == "slli":
            words.append(o[2] << 20 | o[1] << 15 | 1 << 12 | o[0] << 7 | 0x13)
        elif name == "lw":
            words.append((o[2] & 0xFFF) << 20 | o[1] << 15 | 2 << 12 | o[0] << 7 | 0x03)
        elif name == "sw":
            offset = o[2] & 0xFFF
            words.append(offset >> 5 << 25 | o[0] << 20 | o[1] << 15 | 2 << 12 | (offset & 31) << 7 | 0x23)
        elif name in branches:
            offset = (labels[o[2]] - at) & 0x1FFF
            words.append(offset >> 12 << 31 | (offset >> 5 & 63) << 25 | o[1] << 20 | o[0] << 15 | branches[name] << 12
                         | (offset >> 1 & 15) << 8 | (offset >> 11 & 1) << 7 | 0x63)
        elif name == "jal":
            offset = (labels[o[1]] - at) & 0x1FFFFF
            words.append(offset >> 20 << 31 | (offset >> 1 & 0x3FF) << 21 | (offset >> 11 & 1) << 20 | (offset >> 12 & 0xFF) << 12
                         | o[0] << 7 | 0x6F)
        else:
            raise ValueError(name)
    return words


# Marks the multiples of 2 to 7 among 64 words, adds up the unmarked ones with weights, and starts again with the sum.
PROGRAM = [
    ("addi", 10, 0, 1),
    "again",
    ("addi", 1, 0, 0), ("addi", 2, 0, 256),
    "clear", ("sw", 0, 1, 0), ("addi", 1, 1, 4), ("bltu", 1, 2, "clear"),
    ("addi", 3, 0, 2), ("addi", 4, 0, 8), ("addi", 5, 0, 1),
    "outer", ("slli", 6, 3, 2), ("add", 7, 6, 6),
    "inner", ("bgeu", 7, 2, "next"), ("sw", 5, 7, 0), ("add", 7, 7, 6), ("jal", 0, "inner"),
    "next", ("addi", 3, 3, 1), ("bltu", 3, 4, "outer"),
    ("addi", 1, 0, 0),
    "add", ("lw", 8, 1, 0), ("bne", 8, 0, "marked"),
    ("xor", 10, 10, 1), ("slli", 9, 10, 5), ("sub", 10, 9, 10),
    "marked", ("addi", 1, 1, 4), ("bltu", 1, 2, "add"),
    ("sra", 11, 10, 5), ("xor", 10, 10, 11), ("ori", 10, 10, 1), ("jal", 0, "again"),
]


def riscv():
    c = Circuit()
    words = assemble(PROGRAM)
    words += [0x13] * (64 - len(words))
    pc, connect_pc = c.register("pc", 32)
    fields = ", ".join(f"{word - (1 << 32) if word >> 31 else word} : i32" for word in reversed(words))
    c.line(f"%program = hw.aggregate_constant [{fields}] : !hw.array<64xi32>")
    address = c.extract(pc, 2, 6)
    word = c.new(f"hw.array_get %program[{address[0]}] : !hw.array<64xi32>, i6", 32)
    opcode, rd, function = c.extract(word, 0, 7), c.extract(word, 7, 5), c.extract(word, 12, 3)
    rs1, rs2, modified = c.extract(word, 15, 5), c.extract(word, 20, 5), c.extract(word, 30, 1)

    def one_of(*codes):
        found = [c.compare("eq", opcode, c.constant(code, 7)) for code in codes]
        return found[0] if len(found) == 1 else c.op("or", *found)

    is_register, is_immediate = one_of(0x33), one_of(0x13)
    is_load, is_store, is_branch, is_jump = one_of(0x03), one_of(0x23), one_of(0x63), one_of(0x6F)
    c.line("%registers = seq.hlmem @registers %clock, %reset : <32xi32>")
    c.line("%memory = seq.hlmem @memory %clock, %reset : <64xi32>")
    zero, true = c.constant(0, 32), c.constant(1, 1)

    def read(register):
        value = c.new(f"seq.read %registers[{register[0]}] rden {true[0]} {{latency = 0}} : !seq.hlmem<32xi32>", 32)
        return c.mux(c.compare("eq", register, c.constant(0, 5)), zero, value)

    a, b = read(rs1), read(rs2)
    of_immediate = c.sext(c.extract(word, 20, 12), 32)
    of_store = c.sext(c.concat(c.extract(word, 25, 7), c.extract(word, 7, 5)), 32)
    bit = c.constant(0, 1)
    of_branch = c.sext(c.concat(c.extract(word, 31, 1), c.extract(word, 7, 1), c.extract(word, 25, 6), c.extract(word, 8, 4), bit), 32)
    of_jump = c.sext(c.concat(c.extract(word, 31, 1), c.extract(word, 12, 8), c.extract(word, 20, 1), c.extract(word, 21, 10), bit), 32)
    other = c.mux(is_register, b, of_immediate)
    amount = c.zext(c.extract(other, 0, 5), 32)
    subtract = c.op("and", is_register, modified)
    choices = [
        c.mux(subtract, c.op("sub", a, other), c.op("add", a, other)),
        c.op("shl", a, amount),
        c.zext(c.compare("slt", a, other), 32),
        c.zext(c.compare("ult", a, other), 32),
        c.op("xor", a, other),
        c.mux(modified, c.op("shrs", a, amount), c.op("shru", a, amount)),
        c.op("or", a, other),
        c.op("and", a, other),
    ]

    def choose(list_):
        for level in range(3):
            select = c.extract(function, level, 1)
            list_ = [c.mux(select, high, low) for low, high in zip(list_[::2], list_[1::2])]
        return list_[0]

    result = choose(choices)
    equal, less, below = c.compare("eq", a, b), c.compare("slt", a, b), c.compare("ult", a, b)
    inverted = [c.op("xor", flag, true) for flag in (equal, less, below)]
    taken = c.op("and", is_branch, choose([equal, inverted[0], bit, bit, less, inverted[1], below, inverted[2]]))
    place = c.op("add", a, c.mux(is_store, of_store, of_immediate))
    index = c.extract(place, 2, 6)
    loaded = c.new(f"seq.read %memory[{index[0]}] rden {true[0]} {{latency = 0}} : !seq.hlmem<64xi32>", 32)
    c.line(f"seq.write %memory[{index[0]}] {b[0]} wren {is_store[0]} {{latency = 1}} : !seq.hlmem<64xi32>")
    after = c.op("add", pc, c.constant(4, 32))
    written = c.mux(is_load, loaded, c.mux(is_jump, after, result))
    writes = c.op("or", is_register, is_immediate, is_load, is_jump)
    c.line(f"seq.write %registers[{rd[0]}] {written[0]} wren {writes[0]} {{latency = 1}} : !seq.hlmem<32xi32>")
    connect_pc(c.mux(is_jump, c.op("add", pc, of_jump), c.mux(taken, c.op("add", pc, of_branch), after)))
    checksum, connect = c.register("sum", 32)
    connect(c.op("xor", c.rotate(checksum, 1), written), writes)
    return c.text(checksum)


DESIGNS = {"fir64": lambda: fir(64), "keccak": keccak, "riscv": riscv, "wide256": wide256}


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in DESIGNS.items():
        (folder / f"{name}.mlir").write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main()
