//! Small Verilog modules, each with one operator between registers, as the emitter builds it; every top module is `t`.

use std::fmt::Write;

use crate::implementation::{limb_products, tree_levels};

fn bits(width: u32) -> String {
    format!("[{}:0]", width - 1)
}

/// Returns a module: registered inputs (name and width), the logic between, a registered result.
pub(crate) fn module(
    inputs: &[(String, u32)],
    declarations: &str,
    result_bits: u32,
    result: &str,
    clocked: &str,
) -> String {
    let mut ports = String::new();
    let mut registers = String::new();
    let mut loads = Vec::new();
    for (name, width) in inputs {
        let _ = write!(ports, ", input {} {name}_port", bits(*width));
        let _ = writeln!(registers, "reg {} {name};", bits(*width));
        loads.push(format!("{name} <= {name}_port;"));
    }
    format!(
        "module t(input clk{ports}, output reg {} q);\n{registers}{declarations}always @(posedge clk) begin {} {clocked} q <= {result}; end\nendmodule\n",
        bits(result_bits),
        loads.join(" ")
    )
}

fn inputs(list: &[(&str, u32)]) -> Vec<(String, u32)> {
    list.iter()
        .map(|(name, width)| ((*name).to_owned(), *width))
        .collect()
}

/// Returns one operator without registers, by the name of its class.
pub(crate) fn combinational(class: &str, w: u32) -> Option<String> {
    let two = |text: &str, result_bits: u32| {
        module(&inputs(&[("a", w), ("b", w)]), "", result_bits, text, "")
    };
    let one =
        |text: &str, result_bits: u32| module(&inputs(&[("a", w)]), "", result_bits, text, "");
    Some(match class {
        "add" => two("a + b", w),
        "subtract" => two("a - b", w),
        "multiply" => two("a * b", w),
        "logic" => two("a ^ b", w),
        "reduce" => one("^a", 1),
        "compare_equal" => two("a == b", 1),
        "compare_order" => two("$signed(a) < $signed(b)", 1),
        "mux" => module(
            &inputs(&[("a", w), ("b", w), ("s", 1)]),
            "",
            w,
            "s ? a : b",
            "",
        ),
        "shift_variable" => {
            let amount = log2_up(w).max(1);
            module(
                &inputs(&[("a", w), ("b", amount)]),
                "",
                w,
                "$signed(a) >>> b",
                "",
            )
        }
        "minimum_maximum" => two("$signed(a) < $signed(b) ? a : b", w),
        "absolute" => one("$signed(a) < 0 ? -a : a", w),
        "bit_count" => ones(w),
        _ => return None,
    })
}

fn log2_up(number: u32) -> u32 {
    number.next_power_of_two().trailing_zeros()
}

/// Returns the sum of the bits of `a` as a balanced tree of additions, each as wide as its value needs.
fn ones(width: u32) -> String {
    let mut text = String::new();
    let mut terms: Vec<String> = (0..width).map(|i| format!("a[{i}]")).collect();
    let (mut span, mut serial) = (1_u32, 0);
    while terms.len() > 1 {
        span *= 2;
        let mut out = Vec::new();
        for pair in terms.chunks(2) {
            let [left, right] = pair else {
                out.push(pair[0].clone());
                continue;
            };
            let width = bits(span.ilog2() + 1);
            let _ = writeln!(text, "wire {width} s{serial} = {left} + {right};");
            out.push(format!("s{serial}"));
            serial += 1;
        }
        terms = out;
    }
    module(&inputs(&[("a", width)]), &text, width, &terms[0], "")
}

/// Returns a multiplexer with one condition for each input but the last; the first true condition wins.
pub(crate) fn first_that_holds(n_inputs: u32, w: u32) -> String {
    let mut list: Vec<(String, u32)> = (0..n_inputs).map(|k| (format!("i{k}"), w)).collect();
    list.push(("c".to_owned(), n_inputs - 1));
    let text = (0..n_inputs - 1)
        .rev()
        .fold(format!("i{}", n_inputs - 1), |text, k| {
            format!("(c[{k}] ? i{k} : {text})")
        });
    module(&list, "", w, &text, "")
}

/// Returns a multiplexer with one condition for each input, exactly one of which is true: and, then or.
pub(crate) fn one_hot(n_inputs: u32, w: u32) -> String {
    let mut list: Vec<(String, u32)> = (0..n_inputs).map(|k| (format!("i{k}"), w)).collect();
    list.push(("c".to_owned(), n_inputs));
    let terms: Vec<String> = (0..n_inputs)
        .map(|k| format!("({{{w}{{c[{k}]}}}} & i{k})"))
        .collect();
    module(&list, "", w, &terms.join(" | "), "")
}

/// Returns one product, then `latency` registers; the last of them is the result register of the frame.
pub(crate) fn multiply_registers(latency: u32, w: u32) -> String {
    let chain: String = (0..latency)
        .map(|k| format!("reg {} r{k};\n", bits(w)))
        .collect();
    let moves: Vec<String> = (1..latency)
        .map(|k| format!("r{k} <= r{};", k - 1))
        .collect();
    let moves = format!("r0 <= a * b; {}", moves.join(" "));
    let last = format!("r{}", latency - 1);
    module(&inputs(&[("a", w), ("b", w)]), &chain, w, &last, &moves)
}

/// A product divided into limbs.
#[derive(Clone, Copy)]
pub(crate) struct Limbs {
    /// Width of operands and result.
    pub width: u32,
    /// Width of a limb.
    pub limb_bits: u32,
}

impl Limbs {
    /// Returns the limb products that contribute to the result.
    pub(crate) fn products(self) -> Vec<(u32, u32)> {
        limb_products(self.width, self.limb_bits)
    }

    fn limb(self, name: &str, index: u32) -> String {
        let top = self.width.min((index + 1) * self.limb_bits) - 1;
        format!("{name}[{top}:{}]", index * self.limb_bits)
    }

    /// Returns the number of bits of a limb product that contribute to the result.
    pub(crate) fn product_width(self, left: u32, right: u32) -> u32 {
        let Self { width, limb_bits } = self;
        let size = |index: u32| width.min((index + 1) * limb_bits) - index * limb_bits;
        (size(left) + size(right)).min(width - limb_bits * (left + right))
    }

    fn shifted_terms(self) -> Vec<String> {
        let shifted = |(i, j)| format!("(p{i}_{j} << {})", self.limb_bits * (i + j));
        self.products().into_iter().map(shifted).collect()
    }

    fn n_products(self) -> u32 {
        u32::try_from(self.products().len()).expect("few limbs")
    }

    fn n_levels(self) -> u32 {
        log2_up(self.n_products())
    }

    /// Returns registers that hold every product, each declared with `attribute`.
    fn held_products(self, attribute: &str) -> (String, String) {
        let (mut text, mut clocked) = (String::new(), String::new());
        for (left, right) in self.products() {
            let size = bits(self.product_width(left, right));
            let _ = writeln!(text, "{attribute}reg {size} p{left}_{right};");
            let (a, b) = (self.limb("a", left), self.limb("b", right));
            let _ = write!(clocked, "p{left}_{right} <= {a} * {b}; ");
        }
        (text, clocked)
    }
}

/// Returns the structure `partial_products` with its registers, except that the last cycle ends in the frame's result register.
pub(crate) fn partial_products(latency: u32, limbs: Limbs) -> String {
    let w = limbs.width;
    let (mut text, mut clocked) = limbs.held_products("");
    let mut terms = limbs.shifted_terms();
    let n_stages = latency - 1;
    let levels = tree_levels(limbs.n_products(), n_stages);
    for (stage, count) in levels.into_iter().enumerate() {
        let (added, after) = add_levels(terms, count, w, &format!("s{stage}_"));
        text += &added;
        terms = after;
        if stage + 1 < usize::try_from(n_stages).expect("few stages") {
            let held: Vec<String> = (0..terms.len()).map(|k| format!("h{stage}_{k}")).collect();
            for (name, term) in held.iter().zip(&terms) {
                let _ = writeln!(text, "reg {} {name};", bits(w));
                let _ = write!(clocked, "{name} <= {term}; ");
            }
            terms = held;
        }
    }
    module(
        &inputs(&[("a", w), ("b", w)]),
        &text,
        w,
        &terms[0],
        &clocked,
    )
}

/// Returns wires that add neighbours, level by level, and the remaining terms.
fn add_levels(
    mut terms: Vec<String>,
    n_levels: u32,
    width: u32,
    prefix: &str,
) -> (String, Vec<String>) {
    let (mut text, mut serial) = (String::new(), 0);
    for _ in 0..n_levels {
        let mut out = Vec::new();
        for pair in terms.chunks(2) {
            let [one, other] = pair else {
                out.push(pair[0].clone());
                continue;
            };
            let size = bits(width);
            let _ = writeln!(text, "wire {size} {prefix}{serial} = {one} + {other};");
            out.push(format!("{prefix}{serial}"));
            serial += 1;
        }
        terms = out;
    }
    (text, terms)
}

/// Returns the first cycle of `partial_products`: every limb product goes to a register that is kept although it is not read.
pub(crate) fn products_only(limbs: Limbs) -> String {
    let (text, clocked) = limbs.held_products("(* keep *) ");
    module(
        &inputs(&[("a", limbs.width), ("b", limbs.width)]),
        &text,
        1,
        "p0_0[0]",
        &clocked,
    )
}

/// Returns all the additions of `partial_products` in one cycle.
pub(crate) fn tree_only(limbs: Limbs) -> String {
    let list: Vec<(String, u32)> = limbs
        .products()
        .into_iter()
        .map(|(i, j)| (format!("p{i}_{j}"), limbs.product_width(i, j)))
        .collect();
    let (text, terms) = add_levels(limbs.shifted_terms(), limbs.n_levels(), limbs.width, "s");
    module(&list, &text, limbs.width, &terms[0], "")
}

/// Returns a memory with one write and one read port; address and result registers have separate clocks.
pub(crate) fn memory(words: u32, is_block: bool, w: u32) -> String {
    let address = bits(log2_up(words).max(1));
    let style = if is_block { "block" } else { "distributed" };
    let read = if is_block {
        "always @(posedge clk) if (en) data <= cells[at];"
    } else {
        "always @(posedge clk) data <= cells[at];"
    };
    let after = if is_block {
        "always @(posedge clk_out) q <= data;"
    } else {
        "always @* q = data;"
    };
    let size = bits(w);
    format!(
        "module t(input clk, input clk_in, input clk_out, input en_port, input we_port,\n  \
         input {address} at_port, input {address} to_port, input {size} d_port, output reg {size} q);\n\
         (* ram_style = \"{style}\" *) reg {size} cells [0:{}];\n\
         reg en, we; reg {address} at, to; reg {size} d, data;\n\
         always @(posedge clk_in) begin en <= en_port; we <= we_port; at <= at_port; to <= to_port; d <= d_port; end\n\
         always @(posedge clk) if (we) cells[to] <= d;\n{read}\n{after}\nendmodule\n",
        words - 1
    )
}
