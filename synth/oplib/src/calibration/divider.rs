//! The structure `iterative_restoring` as Verilog, as `synth/bind` emits it, between registers that have separate clocks.

use std::fmt::Write;

use crate::implementation::division_steps;

/// Returns a divider with one step of `step_bits` bits (1 to 3) per cycle. Operands come from registers of `clk_in`, and the
/// result goes to a register of `clk_out`, so that the paths can be distinguished.
pub(crate) fn divider(signed: bool, remainder: bool, step_bits: u32, w: u32) -> String {
    let n_steps = division_steps(w, step_bits);
    let lead = w.saturating_sub(n_steps * step_bits);
    let top = w - 1;
    let mut text = format!(
        "module t(input clk, input clk_in, input clk_out, input go_port, input [{top}:0] a_port, input [{top}:0] b_port,\n  \
         output reg [{top}:0] q);\nreg go; reg [{top}:0] a, b;\n\
         always @(posedge clk_in) begin go <= go_port; a <= a_port; b <= b_port; end\n"
    );
    let sign = match (signed, remainder) {
        (false, _) => "1'b0".to_owned(),
        (true, true) => format!("a[{top}]"),
        (true, false) => format!("(a[{top}] ^ b[{top}])"),
    };
    if signed {
        let _ = writeln!(
            text,
            "reg negate; always @(posedge clk) if (go) negate <= {sign};\n\
             wire n = ~b[{top}];\nwire [{top}:0] left = (a ^ {{{w}{{a[{top}]}}}}) + a[{top}];\n\
             wire [{top}:0] right = b ^ {{{w}{{n}}}};"
        );
    } else {
        let _ = writeln!(
            text,
            "wire negate = 1'b0;\nwire [{top}:0] left = a;\nwire [{top}:0] right = b;"
        );
    }
    if lead > 0 {
        text += &leading(signed, lead, w);
    }
    if n_steps > 0 {
        text += &multiples(signed, step_bits, w);
    }
    let low = match w - lead {
        0 => String::new(),
        low => format!("left[{}:0]", low - 1),
    };
    let comma = match (low.is_empty(), lead) {
        (true, _) | (_, 0) => "",
        _ => ", ",
    };
    let first = match (lead, remainder) {
        (0, _) => String::new(),
        (_, true) => "lead_digit".to_owned(),
        (_, false) => format!("lead_digit ^ {{{lead}{{{sign}}}}}"),
    };
    let loaded = format!("{{{low}{comma}{first}}}");
    let result = match (remainder, n_steps) {
        (true, _) => restoring(step_bits, n_steps, signed, w, &loaded, lead),
        (false, 0) => {
            let _ = writeln!(
                text,
                "reg [{top}:0] quotient; always @(posedge clk) if (go) quotient <= {loaded};"
            );
            "quotient".to_owned()
        }
        (false, _) => non_restoring(step_bits, n_steps, signed, w, &loaded, lead),
    };
    // The declarations of a structure come before its result.
    let (declared, result) = result.rsplit_once('\n').unwrap_or(("", &result));
    text += declared;
    let result = match (signed, remainder) {
        (true, true) => format!("({result} ^ {{{w}{{negate}}}}) + negate"),
        (true, false) => format!("{result} + negate"),
        (false, _) => result.to_owned(),
    };
    let _ = writeln!(
        text,
        "\nalways @(posedge clk_out) q <= {result};\nendmodule"
    );
    text
}

/// Returns the registers of the restoring steps; the last line is the remainder.
fn restoring(
    step_bits: u32,
    n_steps: u32,
    signed: bool,
    w: u32,
    loaded: &str,
    lead: u32,
) -> String {
    let top = w - 1;
    let mut text = format!("reg [{top}:0] rest, quotient;\n");
    let (mut next, mut moved) = ("rest".to_owned(), "quotient".to_owned());
    if n_steps > 0 {
        text += &restoring_step(signed, step_bits, w);
        next = "next".to_owned();
        moved = match w - step_bits {
            0 => format!("{step_bits}'d0"),
            kept => format!("{{quotient[{}:0], {step_bits}'d0}}", kept - 1),
        };
    }
    let first = if lead > 0 { "lead_rest" } else { "1'b0" };
    let _ = write!(
        text,
        "always @(posedge clk) begin\n  rest <= go ? {first} : {next};\n  \
         quotient <= go ? {loaded} : {moved};\nend\nrest"
    );
    text
}

/// Returns the registers of the non-restoring steps; the last line is the quotient.
fn non_restoring(
    step_bits: u32,
    n_steps: u32,
    signed: bool,
    w: u32,
    loaded: &str,
    lead: u32,
) -> String {
    let bits = lead + n_steps * step_bits;
    let rest_top = w - 1 - u32::from(signed);
    let (top, below) = (bits - 1, bits - step_bits);
    let mut text = format!("reg [{rest_top}:0] rest; reg [{top}:0] quotient; reg sign;\n");
    text += &non_restoring_step(signed, step_bits, w, rest_top, bits);
    let kept = |name: &str| match below {
        0 => String::new(),
        _ => format!(", {name}[{}:0]", below - 1),
    };
    let turned = |name: &str, by: &str| {
        format!(
            "{{{name}[{top}:{below}] ^ {{{step_bits}{{{by}}}}}{}}}",
            kept(name)
        )
    };
    let moved = match below {
        0 => String::new(),
        _ => format!("quotient[{}:0], ", below - 1),
    };
    let _ = writeln!(
        text,
        "wire next_sign = sign ^ negative;\n\
         wire [{top}:0] moved = {{{moved}digit ^ {{{step_bits}{{sign ^ negate}}}}}};"
    );
    let first = if lead > 0 { "lead_rest" } else { "1'b0" };
    let digits = n_steps * step_bits;
    let high = match lead {
        0 => String::new(),
        _ => format!("raw[{top}:{digits}], "),
    };
    let low = match digits - 1 {
        0 => String::new(),
        low => format!("raw[{}:0], ", low - 1),
    };
    let all = format!("{{{high}{low}~sign ^ negate}}");
    let _ = write!(
        text,
        "always @(posedge clk) begin\n  rest <= go ? {first} : next;\n  sign <= go ? 1'b0 : next_sign;\n  \
         quotient <= go ? {loaded} : {};\nend\nwire [{top}:0] raw = {};\n\
         wire [{top}:0] all = {all};\nall[{}:0]",
        turned("moved", "next_sign"),
        turned("quotient", "sign"),
        w - 1,
    );
    text
}

/// Returns the quotient digit and the remainder of the leading bits.
fn leading(signed: bool, lead: u32, w: u32) -> String {
    let top = w - 1;
    let below = if w > 1 {
        format!("left[{}]", w - 2)
    } else {
        "1'b0".to_owned()
    };
    let second = if w > 1 { "b[1]" } else { "1'b0" };
    // A one-bit divisor is its own magnitude.
    let flips = match (signed, w) {
        (true, 2..) => format!(" ^ (b[{top}] & b[0])"),
        (true | false, _) => String::new(),
    };
    let mut text =
        format!("wire t1 = left[{top}]; wire t0 = {below}; wire d1 = {second}{flips};\n");
    let small = match (w > 2, signed) {
        (false, _) => "1'b1".to_owned(),
        (true, false) => format!("b[{top}:2] == 0"),
        (true, true) => format!("(&right[{top}:2]) & (n | b[0] | d1)"),
    };
    let _ = writeln!(
        text,
        "wire is_small = {small};\nwire zero = is_small & ~b[0] & ~d1, one = is_small & b[0] & ~d1;\n\
         wire two = is_small & ~b[0] & d1, three = is_small & b[0] & d1;"
    );
    text += if lead == 1 {
        "wire lead_digit = zero | one & t1; wire lead_rest = t1 & ~one;\n"
    } else {
        "wire [1:0] lead_digit = {zero | one & t1, zero | one & t0 | two & t1 | three & t1 & t0};\n\
         wire [1:0] lead_rest = {t1 & ~(one | two | three & t0), t0 & ~(one | three & t1)};\n"
    };
    text
}

/// Returns the odd multiples of the divisor, `m1` and up, held from `go` on.
fn multiples(signed: bool, step_bits: u32, w: u32) -> String {
    let wide = w + step_bits + 1;
    let (top, extra) = (wide - 1, step_bits + 1);
    let mut text = String::new();
    let fill = if signed {
        format!("right[{}]", w - 1)
    } else {
        "1'b0".to_owned()
    };
    let _ = writeln!(
        text,
        "wire [{top}:0] wide = {{{{{extra}{{{fill}}}}}, right}};"
    );
    if signed {
        text += "reg n_held; always @(posedge clk) if (go) n_held <= n;\n";
    }
    for (multiple, doublings, more_bits) in [(1, 0, 0), (3, 1, 2), (5, 2, 3), (7, 3, 3)] {
        if multiple >= 1 << step_bits {
            break;
        }
        let large = format!(
            "{{wide[{}:0], {{{doublings}{{{}}}}}}}",
            top - doublings,
            if signed { "n" } else { "1'b0" }
        );
        let _ = match (signed, multiple) {
            (_, 1) => writeln!(text, "wire [{wide}:0] n1 = {{wide, 1'b0}};"),
            (true, 7) => writeln!(
                text,
                "wire [{wide}:0] n{multiple} = {{{large}, 1'b1}} + {{~wide, ~n}};"
            ),
            (true, _) => writeln!(
                text,
                "wire [{wide}:0] n{multiple} = {{{large}, 1'b1}} + {{wide, n}};"
            ),
            (false, 7) => writeln!(
                text,
                "wire [{wide}:0] n{multiple} = {{{large} - wide, 1'b0}};"
            ),
            (false, _) => writeln!(
                text,
                "wire [{wide}:0] n{multiple} = {{{large} + wide, 1'b0}};"
            ),
        };
        let bits = w + more_bits - u32::from(signed);
        let _ = writeln!(
            text,
            "reg [{0}:0] h{multiple}; always @(posedge clk) if (go) h{multiple} <= n{multiple}[{bits}:1];\n\
             wire [{top}:0] m{multiple} = {{{{{1}{{1'b{2}}}}}, h{multiple}}};",
            bits - 1,
            wide - bits,
            u32::from(signed),
        );
    }
    text
}

/// Returns the partial remainder minus the multiples of the divisor: the differences `e`, and the bits `c` that say if they are
/// not negative.
fn differences(signed: bool, step_bits: u32, w: u32, rest_top: u32, shifted: &str) -> String {
    let wide = w + step_bits + 1;
    let top = wide - 1;
    let mut text = format!("wire [{top}:0] s = {shifted};\n");
    for n in 1_u32..1 << step_bits {
        let doublings = n.trailing_zeros();
        let odd = n >> doublings;
        let fill = if signed { "n_held" } else { "1'b0" };
        let multiple = match doublings {
            0 => format!("m{odd}"),
            _ => format!(
                "{{m{odd}[{}:0], {{{doublings}{{{fill}}}}}}}",
                top - doublings
            ),
        };
        let _ = if signed {
            writeln!(
                text,
                "wire [{wide}:0] x{n} = {{s, 1'b1}} + {{{multiple}, n_held}}; wire [{rest_top}:0] e{n} = x{n}[{}:1]; \
                 wire c{n} = ~x{n}[{wide}];",
                rest_top + 1
            )
        } else {
            writeln!(
                text,
                "wire [{top}:0] x{n} = s - {multiple}; wire [{rest_top}:0] e{n} = x{n}[{rest_top}:0]; \
                 wire c{n} = ~x{n}[{top}];"
            )
        };
    }
    text
}

/// Returns a non-restoring step: subtracts the nearest odd multiple, and inverts a negative result.
fn non_restoring_step(signed: bool, step_bits: u32, w: u32, rest_top: u32, bits: u32) -> String {
    let fill = w + step_bits + 1 - (rest_top + 1) - step_bits;
    let shifted = format!(
        "{{{fill}'d0, rest, quotient[{}:{}]}}",
        bits - 1,
        bits - step_bits
    );
    let mut text = differences(signed, step_bits, w, rest_top, &shifted);
    let next = format!(" ^ {{{}{{negative}}}}", rest_top + 1);
    text += &match step_bits {
        1 => format!(
            "wire digit = 1'b1; wire negative = ~c1; wire [{rest_top}:0] next = e1{next};\n"
        ),
        2 => format!(
            "wire [1:0] digit = {{1'b1, c2}}; wire negative = c2 ? ~c3 : ~c1;\n\
             wire [{rest_top}:0] next = (c2 ? e3 : e1){next};\n"
        ),
        _ => format!(
            "wire [2:0] digit = {{1'b1, c4, c4 ? c6 : c2}};\n\
             wire negative = c4 ? (c6 ? ~c7 : ~c5) : (c2 ? ~c3 : ~c1);\n\
             wire [{rest_top}:0] next = (c4 ? (c6 ? e7 : e5) : (c2 ? e3 : e1)){next};\n"
        ),
    };
    text
}

/// Returns a restoring step: subtracts all multiples at once, and selects among the differences.
fn restoring_step(signed: bool, step_bits: u32, w: u32) -> String {
    let size = w - 1;
    let shifted = format!("{{1'b0, rest, quotient[{size}:{}]}}", w - step_bits);
    let mut text = differences(signed, step_bits, w, size, &shifted);
    let _ = writeln!(text, "wire [{size}:0] e0 = s[{size}:0];");
    text += &match step_bits {
        1 => format!("wire [{size}:0] next = c1 ? e1 : e0;\n"),
        2 => format!("wire [{size}:0] next = c2 ? (c3 ? e3 : e2) : (c1 ? e1 : e0);\n"),
        _ => format!(
            "wire [{size}:0] next = ({{{w}{{~c2}}}} & (c1 ? e1 : e0)) | ({{{w}{{c2 & ~c4}}}} & (c3 ? e3 : e2))\n  \
             | ({{{w}{{c4 & ~c6}}}} & (c5 ? e5 : e4)) | ({{{w}{{c6}}}} & (c7 ? e7 : e6));\n"
        ),
    };
    text
}
