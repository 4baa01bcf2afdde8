//! The structure `iterative_restoring` as Verilog: what `synth/bind` emits, between registers of clocks of their own.

use std::fmt::Write;

use crate::implementation::division_steps;

/// A divider with one step of so many bits (1 to 3) per cycle. Operands come from registers of `clk_in` and the result goes into one of
/// `clk_out`, so that paths tell apart.
pub(crate) fn divider(signed: bool, remainder: bool, step_bits: u32, w: u32) -> String {
    let n_steps = division_steps(w, step_bits);
    let lead = w.saturating_sub(n_steps * step_bits);
    let top = w - 1;
    let mut text = format!(
        "module t(input clk, input clk_in, input clk_out, input go_port, input [{top}:0] a_port, input [{top}:0] b_port,\n  \
         output reg [{top}:0] q);\nreg go; reg [{top}:0] a, b, rest, quotient; reg negate;\n\
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
            "wire n = ~b[{top}];\nwire [{top}:0] left = (a ^ {{{w}{{a[{top}]}}}}) + a[{top}];\n\
             wire [{top}:0] right = b ^ {{{w}{{n}}}};"
        );
    } else {
        let _ = writeln!(text, "wire [{top}:0] left = a;\nwire [{top}:0] right = b;");
    }
    if lead > 0 {
        text += &leading(signed, lead, w);
    }
    let digit_sign = if remainder { "1'b0" } else { "negate" };
    let (next_rest, digits) = if n_steps > 0 {
        text += &multiples(signed, step_bits, w);
        text += &step(signed, step_bits, w);
        let kept = if w > step_bits {
            format!("quotient[{}:0], ", top - step_bits)
        } else {
            String::new()
        };
        let digit = if remainder {
            format!("{step_bits}'d0")
        } else {
            format!("digit ^ {{{step_bits}{{{digit_sign}}}}}")
        };
        ("next".to_owned(), format!("{{{kept}{digit}}}"))
    } else {
        ("rest".to_owned(), "quotient".to_owned())
    };
    let low = if w > lead {
        format!("left[{}:0]", top - lead)
    } else {
        String::new()
    };
    let lead_sign = if remainder { "1'b0" } else { &sign };
    let first = if lead > 0 {
        format!("lead_digit ^ {{{lead}{{{lead_sign}}}}}")
    } else {
        String::new()
    };
    let comma = if low.is_empty() || first.is_empty() {
        ""
    } else {
        ", "
    };
    let lead_rest = if lead > 0 { "lead_rest" } else { "1'b0" };
    let result = match (signed, remainder) {
        (true, true) => format!("(rest ^ {{{w}{{negate}}}}) + negate"),
        (true, false) => "quotient + negate".to_owned(),
        (false, true) => "rest".to_owned(),
        (false, false) => "quotient".to_owned(),
    };
    let _ = writeln!(
        text,
        "always @(posedge clk) begin\n  if (go) negate <= {sign};\n  rest <= go ? {lead_rest} : {next_rest};\n  \
         quotient <= go ? {{{low}{comma}{first}}} : {digits};\nend\nalways @(posedge clk_out) q <= {result};\nendmodule"
    );
    text
}

/// Digit and rest of the leading bits.
fn leading(signed: bool, lead: u32, w: u32) -> String {
    let top = w - 1;
    let zero = |low: u32| match low {
        0 => "1'b1".to_owned(),
        _ => format!("(a[{}:0] == 0)", low - 1),
    };
    let mut text = String::new();
    let below = if w > 1 {
        format!("a[{}]", w - 2)
    } else {
        "1'b0".to_owned()
    };
    let second = if w > 1 { "b[1]" } else { "1'b0" };
    let _ = if signed {
        let low = zero(w.saturating_sub(2));
        writeln!(
            text,
            "wire t1 = a[{top}] & {}; wire t0 = {below} ^ (a[{top}] & ~{low});\n\
             wire d1 = {second} ^ (b[{top}] & b[0]);",
            zero(top)
        )
    } else {
        writeln!(
            text,
            "wire t1 = a[{top}]; wire t0 = {below}; wire d1 = {second};"
        )
    };
    let small = match (w > 2, signed) {
        (false, _) => "1'b1".to_owned(),
        (true, false) => format!("b[{top}:2] == 0"),
        (true, true) => format!("b[{top}:2] == 0 | (&b[{top}:2] & (b[0] | b[1]))"),
    };
    let _ = writeln!(
        text,
        "wire small = {small};\nwire zero = small & ~b[0] & ~d1, one = small & b[0] & ~d1;\n\
         wire two = small & ~b[0] & d1, three = small & b[0] & d1;"
    );
    text += if lead == 1 {
        "wire lead_digit = zero | one & t1; wire lead_rest = t1 & ~one;\n"
    } else {
        "wire [1:0] lead_digit = {zero | one & t1, zero | one & t0 | two & t1 | three & t1 & t0};\n\
         wire [1:0] lead_rest = {t1 & ~(one | two | three & t0), t0 & ~(one | three & t1)};\n"
    };
    text
}

/// The odd multiples, `m1` and on, held from `go` on.
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
        "reg n_held; reg [{}:0] once; wire [{top}:0] wide = {{{{{extra}{{{fill}}}}}, right}};\n\
         wire [{top}:0] m1 = {{{{{extra}{{{}}}}}, once}};\nalways @(posedge clk) if (go) once <= right;",
        w - 1,
        fill.replace("right", "once")
    );
    if signed {
        text += "always @(posedge clk) if (go) n_held <= n;\n";
    }
    for (multiple, doublings, less) in [(3, 1, false), (5, 2, false), (7, 3, true)] {
        if multiple >= 1 << step_bits {
            break;
        }
        let large = format!(
            "{{wide[{}:0], {{{doublings}{{{}}}}}}}",
            top - doublings,
            if signed { "n" } else { "1'b0" }
        );
        let _ = match (signed, less) {
            (true, false) => writeln!(
                text,
                "wire [{wide}:0] n{multiple} = {{{large}, 1'b1}} + {{wide, n}};"
            ),
            (true, true) => writeln!(
                text,
                "wire [{wide}:0] n{multiple} = {{{large}, 1'b1}} + {{~wide, ~n}};"
            ),
            (false, false) => writeln!(
                text,
                "wire [{wide}:0] n{multiple} = {{{large} + wide, 1'b0}};"
            ),
            (false, true) => writeln!(
                text,
                "wire [{wide}:0] n{multiple} = {{{large} - wide, 1'b0}};"
            ),
        };
        let _ = writeln!(
            text,
            "reg [{top}:0] m{multiple}; always @(posedge clk) if (go) m{multiple} <= n{multiple}[{wide}:1];"
        );
    }
    text
}

/// All multiples subtracted at once, and the choice among the differences.
fn step(signed: bool, step_bits: u32, w: u32) -> String {
    let wide = w + step_bits + 1;
    let top = wide - 1;
    let mut text = format!(
        "wire [{top}:0] s = {{1'b0, rest, quotient[{}:{}]}};\nwire [{}:0] e0 = s[{}:0];\n",
        w - 1,
        w - step_bits,
        w - 1,
        w - 1
    );
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
                "wire [{wide}:0] x{n} = {{s, 1'b1}} + {{{multiple}, n_held}}; wire [{}:0] e{n} = x{n}[{w}:1]; \
                 wire c{n} = ~x{n}[{wide}];",
                w - 1
            )
        } else {
            writeln!(
                text,
                "wire [{top}:0] x{n} = s - {multiple}; wire [{}:0] e{n} = x{n}[{}:0]; wire c{n} = ~x{n}[{top}];",
                w - 1,
                w - 1
            )
        };
    }
    let size = w - 1;
    text += &match step_bits {
        1 => format!("wire digit = c1; wire [{size}:0] next = c1 ? e1 : e0;\n"),
        2 => format!(
            "wire [1:0] digit = {{c2, c2 ? c3 : c1}};\n\
             wire [{size}:0] next = c2 ? (c3 ? e3 : e2) : (c1 ? e1 : e0);\n"
        ),
        _ => format!(
            "wire [2:0] digit = {{c4, c4 ? c6 : c2, c4 ? (c6 ? c7 : c5) : (c2 ? c3 : c1)}};\n\
             wire [{size}:0] next = ({{{w}{{~c2}}}} & (c1 ? e1 : e0)) | ({{{w}{{c2 & ~c4}}}} & (c3 ? e3 : e2))\n  \
             | ({{{w}{{c4 & ~c6}}}} & (c5 ? e5 : e4)) | ({{{w}{{c6}}}} & (c7 ? e7 : e6));\n"
        ),
    };
    text
}
