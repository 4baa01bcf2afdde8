"""Small Verilog modules, each one operator between registers, as Sluice emits it."""

import math

LIMB = 18


def module(inputs, declarations, result_bits, result, clocked=""):
    """Registered inputs (name to width), what is between, a registered result; top module `t`."""
    ports = "".join(f", input {bits(w)} {name}_port" for name, w in inputs.items())
    registers = "".join(f"reg {bits(w)} {name};\n" for name, w in inputs.items())
    loads = " ".join(f"{name} <= {name}_port;" for name, w in inputs.items())
    return (
        f"module t(input clk{ports}, output reg {bits(result_bits)} q);\n{registers}{declarations}"
        f"always @(posedge clk) begin {loads} {clocked} q <= {result}; end\nendmodule\n")


def bits(width):
    return f"[{width - 1}:0]"


def expression(text, result_bits=lambda w: w, **inputs):
    """A function from width to module for one expression; inputs give the width of each operand as a function."""
    operands = inputs or {"a": lambda w: w, "b": lambda w: w}
    return lambda w: module({name: of(w) for name, of in operands.items()}, "", result_bits(w), text)


SAME = lambda w: w
ONE = lambda w: 1


def ones(width):
    """The sum of the bits of `a` as a balanced tree of additions, each as wide as its value needs."""
    text, terms, span, serial = "", [f"a[{i}]" for i in range(width)], 1, 0
    while len(terms) > 1:
        span *= 2
        out = []
        for left, right in zip(terms[::2], terms[1::2]):
            text += f"wire {bits(math.floor(math.log2(span)) + 1)} s{serial} = {left} + {right};\n"
            out.append(f"s{serial}")
            serial += 1
        terms = out + terms[len(terms) - len(terms) % 2:]
    return module({"a": width}, text, width, terms[0])


COMBINATIONAL = {
    "add": expression("a + b"),
    "subtract": expression("a - b"),
    "multiply": expression("a * b"),
    "logic": expression("a ^ b"),
    "reduce": expression("^a", ONE, a=SAME),
    "compare_equal": expression("a == b", ONE),
    "compare_order": expression("$signed(a) < $signed(b)", ONE),
    "mux": expression("s ? a : b", a=SAME, b=SAME, s=ONE),
    "shift_variable": expression("$signed(a) >>> b", a=SAME, b=lambda w: max(1, math.ceil(math.log2(w)))),
    "minimum_maximum": expression("$signed(a) < $signed(b) ? a : b"),
    "absolute": expression("$signed(a) < 0 ? -a : a", a=SAME),
    "bit_count": ones,
}


def multiplexer(n_inputs):
    """A choice by one condition for each input but the last; the first condition that holds wins."""
    def build(w):
        inputs = {f"i{k}": w for k in range(n_inputs)}
        text = f"i{n_inputs - 1}"
        for k in reversed(range(n_inputs - 1)):
            text = f"(c[{k}] ? i{k} : {text})"
        return module({**inputs, "c": n_inputs - 1}, "", w, text)

    return build


def one_hot_multiplexer(n_inputs):
    """A choice by one condition for each input, exactly one of which holds: and, then or."""
    def build(w):
        inputs = {f"i{k}": w for k in range(n_inputs)}
        text = " | ".join(f"({{{w}{{c[{k}]}}}} & i{k})" for k in range(n_inputs))
        return module({**inputs, "c": n_inputs}, "", w, text)

    return build


def multiply_registers(latency):
    """One product, then `latency` registers; the last of them is the result register of the frame."""
    def build(w):
        chain = "".join(f"reg {bits(w)} r{k};\n" for k in range(latency))
        moves = "r0 <= a * b; " + " ".join(f"r{k} <= r{k - 1};" for k in range(1, latency))
        return module({"a": w, "b": w}, chain, w, f"r{latency - 1}", moves)

    return build


def limb_products(width):
    """As `limb_products` of the library: by weight, then by left limb."""
    limbs = math.ceil(width / LIMB)
    return [(left, weight - left) for weight in range(limbs) for left in range(weight + 1)]


def limb(name, index, width):
    return f"{name}[{min(width, (index + 1) * LIMB) - 1}:{index * LIMB}]"


def product_width(left, right, width):
    """Bits of a limb product that count."""
    size = lambda index: min(width, (index + 1) * LIMB) - index * LIMB
    return min(size(left) + size(right), width - LIMB * (left + right))


def partial_products(latency):
    """The structure `partial_products` with registers where it has them, but the last cycle ends in the frame's result."""
    def build(w):
        products = limb_products(w)
        text, clocked = "", ""
        for left, right in products:
            text += f"reg {bits(product_width(left, right, w))} p{left}_{right};\n"
            clocked += f"p{left}_{right} <= {limb('a', left, w)} * {limb('b', right, w)}; "
        terms = [f"(p{i}_{j} << {LIMB * (i + j)})" for i, j in products]
        depth, stages = tree_depth(products), latency - 1
        for stage in range(stages):
            count = depth // stages + (1 if stage < depth % stages else 0)
            added, terms = add_levels(terms, count, w, f"s{stage}_")
            text += added
            if stage + 1 < stages:
                held = [f"h{stage}_{k}" for k in range(len(terms))]
                text += "".join(f"reg {bits(w)} {name};\n" for name in held)
                clocked += "".join(f"{name} <= {term}; " for name, term in zip(held, terms))
                terms = held
        return module({"a": w, "b": w}, text, w, terms[0], clocked)

    return build


def tree_depth(products):
    return math.ceil(math.log2(len(products)))


def add_levels(terms, n_levels, width, prefix):
    """Wires that add neighbours, level by level, and the terms that are left."""
    text, serial = "", 0
    for _ in range(n_levels):
        out = []
        for one, other in zip(terms[::2], terms[1::2]):
            text += f"wire {bits(width)} {prefix}{serial} = {one} + {other};\n"
            out.append(f"{prefix}{serial}")
            serial += 1
        terms = out + terms[len(terms) - len(terms) % 2:]
    return text, terms


def products_only(w):
    """The first cycle of `partial_products`: every limb product into registers that are kept though nobody reads them."""
    text, clocked = "", ""
    for left, right in limb_products(w):
        name, size = f"p{left}_{right}", product_width(left, right, w)
        text += f"(* keep *) reg {bits(size)} {name};\n"
        clocked += f"{name} <= {limb('a', left, w)} * {limb('b', right, w)}; "
    return module({"a": w, "b": w}, text, 1, "p0_0[0]", clocked)


def tree_only(w):
    """All the additions of `partial_products` in one cycle."""
    products = limb_products(w)
    inputs = {f"p{i}_{j}": product_width(i, j, w) for i, j in products}
    text, terms = add_levels([f"(p{i}_{j} << {LIMB * (i + j)})" for i, j in products], tree_depth(products), w, "s")
    return module(inputs, text, w, terms[0])


def divider(signed, remainder):
    """The structure `iterative_restoring`; operands come from registers of another clock, so that paths tell apart."""
    def build(w):
        left = "(a[W-1] ? -a : a)" if signed else "a"
        right = "(b[W-1] ? -b : b)" if signed else "b"
        sign = ("a[W-1]" if remainder else "a[W-1] ^ b[W-1]") if signed else "1'b0"
        raw = "rest" if remainder else "quotient"
        return f"""module t(input clk, input clk_in, input go_port, input {bits(w)} a_port, input {bits(w)} b_port,
  output reg {bits(w)} q);
localparam W = {w};
reg go; reg {bits(w)} a, b;
always @(posedge clk_in) begin go <= go_port; a <= a_port; b <= b_port; end
reg {bits(w)} quotient, rest, divisor; reg negate;
wire [W:0] shifted = {{rest, quotient[W-1]}};
wire fits = shifted >= {{1'b0, divisor}};
wire [W:0] kept = fits ? shifted - {{1'b0, divisor}} : shifted;
wire [W:0] grown = {{quotient, fits}};
always @(posedge clk) begin
  if (go) begin divisor <= {right}; negate <= {sign}; end
  rest <= go ? {w}'d0 : kept[W-1:0];
  quotient <= go ? {left} : grown[W-1:0];
  q <= negate ? -{raw} : {raw};
end
endmodule
"""

    return build


def memory(words, style):
    """A memory with one write and one read port; address and result registers have clocks of their own."""
    address = max(1, math.ceil(math.log2(words)))
    is_block = style == "block"
    attribute = f'(* ram_style = "{style}" *) ' if style else ""
    read = "always @(posedge clk) if (en) data <= cells[at];" if style != "distributed" else (
        "always @(posedge clk) data <= cells[at];")

    def build(w):
        after = f"always @(posedge clk_out) q <= data;" if is_block else "always @* q = data;"
        return f"""module t(input clk, input clk_in, input clk_out, input en_port, input we_port,
  input {bits(address)} at_port, input {bits(address)} to_port, input {bits(w)} d_port, output reg {bits(w)} q);
{attribute}reg {bits(w)} cells [0:{words - 1}];
reg en, we; reg {bits(address)} at, to; reg {bits(w)} d, data;
always @(posedge clk_in) begin en <= en_port; we <= we_port; at <= at_port; to <= to_port; d <= d_port; end
always @(posedge clk) if (we) cells[to] <= d;
{read}
{after}
endmodule
"""

    return build
