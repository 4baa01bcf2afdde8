//! Tests of properties of signals: their results on given traces.

use proptest::prelude::*;
use sluice_ir::bits::Bits;
use sluice_sim::properties::{
    Monitor, NamedMemory, NamedValue, Property, Subjects, Values, Verdict,
};

/// Ports `a` and `b` of eight bits, `c` of one bit; internal signals, of which `x.y.s` is 5; memories `m`, whose word `n` is 10
/// `n`, and `one`.
fn subjects() -> Subjects {
    let values = |list: &[(&str, u32)]| {
        let list = list.iter();
        list.map(|(name, width_bits)| NamedValue::new(name, *width_bits))
            .collect()
    };
    let memory = |name: &str, shape: &[u64]| NamedMemory {
        name: name.to_owned(),
        shape: shape.to_vec(),
        width_bits: 8,
    };
    Subjects {
        ports: values(&[("a", 8), ("b", 8), ("c", 1)]),
        signals: values(&[
            ("x.y.s", 4),
            ("x.a", 8),
            ("x.t", 1),
            ("z.t", 1),
            ("x.q-1", 4),
        ]),
        memories: vec![memory("m", &[2, 3]), memory("x.one", &[])],
    }
}

/// The values of the ports; all other values are those described at `subjects`.
struct Ports([u64; 3]);

impl Values for Ports {
    fn value(&self, number: usize) -> Bits {
        let [a, b, c] = self.0;
        let all = [
            (8, a),
            (8, b),
            (1, c),
            (4, 5),
            (8, 6),
            (1, 0),
            (1, 1),
            (4, 9),
        ];
        let (width_bits, value) = all[number];
        Bits::from_u64(width_bits, value)
    }

    fn word(&self, memory: usize, word: u64) -> Bits {
        Bits::from_u64(8, if memory == 0 { 10 * word } else { 77 })
    }
}

fn monitor(text: &str) -> Monitor {
    let property = Property::parse(text).unwrap_or_else(|why| panic!("{text}: {why}"));
    let monitor = property.resolve(&subjects());
    monitor.unwrap_or_else(|why| panic!("{text}: {why}"))
}

fn step(monitor: &mut Monitor, cycle: u64, now: &Ports) -> Verdict {
    let verdict = monitor.look(cycle, now);
    monitor.advance(now);
    verdict
}

/// Returns the cycles in which a property does not hold, each with the cycle of its left side. The end of the run counts as the
/// cycle after the last.
fn broken(text: &str, trace: &[[u64; 3]]) -> Vec<(u64, u64)> {
    let mut monitor = monitor(text);
    let mut found = Vec::new();
    let mut cycle = 0;
    for now in trace {
        if let Verdict::Broken { since } = step(&mut monitor, cycle, &Ports(*now)) {
            found.push((cycle, since));
        }
        cycle += 1;
    }
    if let Verdict::Broken { since } = monitor.end() {
        found.push((cycle, since));
    }
    found
}

/// Returns whether an expression is true for a=200, b=7, c=1.
fn is_true(text: &str) -> bool {
    broken(text, &[[200, 7, 1]]).is_empty()
}

#[test]
fn expressions_are_of_whole_numbers() {
    for text in [
        "a + b == 207 && a + a == 400 && a * a == 40000",
        "b - a == -193 && b - a < 0 && -b < 0",
        "signed(a) == -56 && signed(a) < b && a > b",
        "~b == 0xf8 && ~c == 0 && ~8'h0f == 8'hf0",
        "(a & 0x0f) == 8 && (a | b) == 207 && (a ^ b) == 207 && ~(a & 15) == 247",
        "a[3] == 1 && a[7:4] == 12 && {a[3:0], b} == 0x807 && {c, c, c} == 7",
        "b << 3 == 56 && a << 8 == 51200 && a >> 4 == 12 && (b - a) >> 2 == -49",
        "c ? a == 200 : a == 3",
        "c ? b : a == 7",
        "!0 && !!a && !(a == b)",
        "a / b == 28 && a % b == 4 && -a / b == -28 && -a % b == -4 && a / -b == -28 && a % -b == 4",
        "signed(a) / -1 == 56 && signed(8'h80) / -1 == 128 && signed(8'h80) % -1 == 0",
        "a / (b - 7) == 0 && a % (b - 7) == 200 && -a % (c - 1) == -200",
        "2 + 12 / 4 * 3 % 5 == 6 && 100000000000000000000 / 10000000000000000000 == 10",
        "&8'hff && !&a && |a && !|8'h00 && ^b && ^a && !^8'h03 && ~&a && ~|8'h00 && ~^8'h03",
        "&b[2:0] + |a == 2 && a && &b[2:0] && (a | |c) == 201",
        "{3{c}} == 7 && {2{b[2:0], c}} == 0xff && {a[3:0], {2{2'b10}}} == 0x8a && {8'd2{c}} == 3",
        "onehot(8'h10) && !onehot(b) && onehot0(8'h00) && countones(b) == 3 && $countones(a) == 3",
        "0 -> 0 -> 0",
        "1_000 == 10'd1000 && 0b111 == b && 12'o17 == 15",
        // Precedence of operators.
        "1 + 2 * 3 == 7 && 7 - 2 - 1 == 4 && a + b >> 1 == 103",
        "2 | 1 == 1",
        "1 || 0 && 0",
        "0 && 0 || 1",
        "a == 200 == 1",
        // Internal signals and memories.
        "x.y.s == 5 && y.s == 5 && s == 5 && s[2] == 1 && x.a == 6 && \\x.q-1 == 9",
        "m[1][2] == 50 && m[0][1] == 10 && m[1][2][5:4] == 3 && m[1][2][1] && one == 77",
        "m[c][b - 5] == 50 && m[a][0] == 0 && m[1][b] == 0 && m[0][m[0][0]] == 0",
        "{m[0][2], b[2:0]} == 167 && signed(m[1][2]) == 50",
    ] {
        assert!(is_true(text), "{text}");
    }
    assert!(!is_true("a + b < a"));
    assert!(!is_true("1 -> 1 -> 0"));
}

#[test]
fn right_sides_are_asked_for_in_their_cycles() {
    //                a  b  c
    let trace = [[1, 0, 0], [0, 0, 0], [1, 0, 1], [0, 0, 0], [0, 0, 1]];
    for (text, expected) in [
        ("c", &[(0, 0), (1, 1), (3, 3)][..]),
        ("a |-> c", &[(0, 0)]),
        ("a -> c", &[(0, 0)]),
        ("a |=> c", &[(1, 0), (3, 2)]),
        ("a |-> ##1 c", &[(1, 0), (3, 2)]),
        ("a |-> ##2 c", &[]),
        ("a |=> ##1 c", &[]),
        ("a |-> ##[1:2] c", &[]),
        ("a |-> ##[0:1] c", &[(1, 0)]),
        ("a |-> ##[3:4] c", &[]),
        // A window that reaches beyond the end of the run is not checked,
        ("a |-> ##[3:9] c", &[]),
        ("c |-> ##[1:9] a", &[]),
        // unless it has no upper limit.
        ("c |-> ##[1:$] a", &[(5, 2)]),
        ("a |-> ##[1:$] c", &[]),
        ("1 |-> ##[0:$] c", &[]),
        ("c |-> ##[0:$] b", &[(5, 2)]),
        // A name does not change the result.
        ("answer: a |=> c", &[(1, 0), (3, 2)]),
        ("c: c", &[(0, 0), (1, 1), (3, 3)]),
        // A disabled cycle starts no check, and cancels the checks that are pending.
        ("disable iff (c) a |=> c", &[(1, 0)]),
        ("disable iff (!a) c", &[(0, 0)]),
        ("answer: disable iff (c) 1 |=> b", &[(1, 0)]),
        ("disable iff (c) a |-> ##[1:$] b", &[]),
        ("disable iff (b) c |-> ##[1:$] a", &[(5, 2)]),
        ("disable iff (past(a)) !c", &[(2, 2), (4, 4)]),
        // There is one failure for each cycle in which the left side is true.
        ("1 |-> ##[0:1] b", &[(1, 0), (2, 1), (3, 2), (4, 3)]),
    ] {
        assert_eq!(broken(text, &trace), expected, "{text}");
    }
}

#[test]
fn the_past_is_looked_at_once_it_is_there() {
    //                a  b  c
    let trace = [[1, 9, 0], [2, 9, 1], [3, 8, 1], [5, 8, 0], [8, 8, 0]];
    for (text, expected) in [
        ("a == past(a) + 1", &[(3, 3), (4, 4)][..]),
        ("a == past(a) + past(a, 2)", &[]),
        ("past(past(a), 1) == past(a, 2)", &[]),
        ("past(a, 0) == a", &[]),
        ("past(a, 5) == 0", &[]),
        ("stable(b)", &[(2, 2)]),
        ("changed(b) -> a == 3", &[]),
        ("rose(c) -> a == 2", &[]),
        ("fell(c) -> a == 5", &[]),
        ("$rose(c) |=> stable(c)", &[]),
        ("changed(c) |=> stable(c)", &[]),
        ("stable(c) |=> stable(c)", &[(3, 2)]),
        ("stable(past(b))", &[(3, 3)]),
        // The cycles between the left and the right side count as past cycles of the right side.
        ("a == 1 |=> stable(a)", &[(1, 0)]),
        ("a == 1 |-> ##2 past(a, 2) == 5", &[(2, 0)]),
        ("a == 1 |-> stable(a)", &[]),
    ] {
        assert_eq!(broken(text, &trace), expected, "{text}");
    }
    let mut monitor = monitor("stable(a)");
    assert_eq!(step(&mut monitor, 0, &Ports([1, 0, 0])), Verdict::Holds);
    monitor.restart();
    assert_eq!(step(&mut monitor, 1, &Ports([2, 0, 0])), Verdict::Holds);
    let broken = Verdict::Broken { since: 2 };
    assert_eq!(step(&mut monitor, 2, &Ports([3, 0, 0])), broken);
    assert_eq!(monitor.n_asked(), 1);
}

#[test]
fn what_is_no_property_is_said_with_its_column() {
    let deep = "(".repeat(200) + "a";
    let nots = "!".repeat(200) + "a";
    for (text, column, message) in [
        (
            "",
            1,
            "a name, a number, a function or `(` is expected, not the end",
        ),
        (
            "a b",
            3,
            "an operator, `|->`, `|=>` or the end is expected, not `b`",
        ),
        (
            "a |-> b |-> c",
            9,
            "an operator or the end is expected, not `|->`",
        ),
        ("a = b", 3, "`=` is no operator; `==` compares"),
        ("a @ b", 3, "`@` is no part of a property"),
        ("(a", 3, "`)` is expected, not the end"),
        ("a[b:0]", 3, "the number of a bit is a number from 0 to"),
        (
            "a[1:2] == 0",
            5,
            "a slice names the higher bit first: `[2:1]`",
        ),
        ("a[1:b]", 5, "the number of a bit is a number from 0 to"),
        (
            "a[]",
            3,
            "a name, a number, a function or `(` is expected, not `]`",
        ),
        ("\\ == 3", 1, "a name is expected after `\\`"),
        ("a |-> ##b c", 9, "a number of cycles is expected, not `b`"),
        (
            "a |-> ##[2:1] c",
            12,
            "the last cycle of a window is not before the first",
        ),
        (
            "a |-> ##9999999 c",
            9,
            "9999999 cycles, but the limit `assertion_cycles` is 1000000: `--limit assertion_cycles=N` raises it, up to 16777216",
        ),
        (
            "a && &&b",
            6,
            "a value is expected, not `&&`; the `and` of all bits of one is `&x`",
        ),
        (
            "{b{a}} == 0",
            2,
            "how often bits are repeated, as in `{4{x}}`, is a number from 1 to 65536",
        ),
        ("{0{a}}", 2, "how often bits are repeated"),
        ("{2{a} == 0", 7, "`}` is expected, not `==`"),
        (
            "disable if (a) b",
            9,
            "`iff`, as in `disable iff (reset)`, is expected, not `if`",
        ),
        ("disable iff a |-> b", 13, "`(` is expected, not `a`"),
        (
            "a |-> disable iff (b) c",
            7,
            "`disable iff (...)` is allowed at the beginning, or after the name",
        ),
        (
            "a: b: c",
            5,
            "an operator, `|->`, `|=>` or the end is expected, not `:`",
        ),
        ("old(a)", 1, "there is no function `old`; there is: `past`"),
        ("$a", 3, "`(` is expected, not the end"),
        ("past(a, b)", 9, "a number of cycles is expected, not `b`"),
        (
            "12ab",
            1,
            "`12ab` is no number; numbers are as `12`, `0xff`, `0b101`, `8'hff`",
        ),
        ("4'hff", 1, "`4'hff` does not fit into 4 bits"),
        (
            "4'ff",
            1,
            "`4'ff` has no base: `b`, `o`, `d` or `h` after the `'`",
        ),
        ("0'h1", 1, "the width of `0'h1` is a number from 1 to 65536"),
        (
            &deep,
            101,
            "expressions in each other have 101 levels, but the limit `assertion_levels` is 100: `--limit assertion_levels=N` raises it, up to 1000",
        ),
        (
            &nots,
            101,
            "expressions in each other have 101 levels, but the limit `assertion_levels` is 100: `--limit assertion_levels=N` raises it, up to 1000",
        ),
    ] {
        let found = Property::parse(text).expect_err(text);
        assert_eq!(found.column, column, "{text}: {found}");
        assert!(found.message.starts_with(message), "{text}: {found}");
    }
    let all = subjects();
    for (text, column, message) in [
        (
            "aa == 1",
            1,
            "there is no port, signal or memory `aa`; did you mean `a`?",
        ),
        (
            "c && y.t",
            6,
            "there is no port, signal or memory `y.t`; did you mean",
        ),
        ("c && t", 6, "2 signals are called `t`: `x.t`, `z.t`"),
        ("a[b]", 3, "the number of a bit is a number from 0 to"),
        ("m == 3", 1, "`m` is a memory; `m[0][0]` is a word"),
        ("c -> m[0]", 7, "`m` is a memory; `m[0][0]` is a word"),
        ("m[0][3]", 6, "`m` has 3 words here, from 0 on"),
        ("m[0][2][8]", 8, "bit 8 does not exist: there are 8 bits"),
        ("one[8]", 4, "bit 8 does not exist: there are 8 bits"),
        ("c && m[z][0]", 8, "there is no port, signal or memory `z`"),
        ("c && a[8]", 7, "bit 8 does not exist: there are 8 bits"),
        ("~3 == a", 2, "`~` takes a number with a width, as `8'hff`"),
        (
            "~(a + b) == 3",
            5,
            "`~` takes bits, of signals and literals with a width, and this is a number",
        ),
        ("{a, b - 1} == 3", 7, "`{...}` takes bits"),
        ("a / 0", 5, "the divisor is 0"),
        ("&(a + b) == 0", 5, "`&` before a value takes bits"),
        ("{2{a + b}}", 6, "`{...}` takes bits"),
        ("{65536{a}} == 0", 1, "more than 65536 bits"),
        (
            "disable iff (z) a",
            14,
            "there is no port, signal or memory `z`",
        ),
        (
            "a << b",
            3,
            "an amount of a shift is a number from 0 to 65536",
        ),
        ("a << 65536 << 1 == 3", 3, "a value of more than 65536 bits"),
    ] {
        let property = Property::parse(text).unwrap_or_else(|why| panic!("{text}: {why}"));
        let found = property.resolve(&all).expect_err(text);
        assert_eq!(found.column, column, "{text}: {found}");
        assert!(found.message.starts_with(message), "{text}: {found}");
    }
}

/// The text of an expression, and its value computed from A, B and C by the arithmetic of the host.
#[derive(Clone, Debug)]
struct Sample {
    text: String,
    value: i128,
}

const A: i128 = 200;
const B: i128 = 7;
const C: i128 = 1;

fn samples() -> impl Strategy<Value = Sample> {
    let leaf = prop_oneof![
        Just(("a".to_owned(), A)),
        Just(("b".to_owned(), B)),
        Just(("c".to_owned(), C)),
        Just(("signed(a)".to_owned(), A - 256)),
        Just(("~b".to_owned(), 255 - B)),
        Just(("a[6:2]".to_owned(), (A >> 2) & 31)),
        (0..1000_i128).prop_map(|n| (n.to_string(), n)),
    ];
    let leaf = leaf.prop_map(|(text, value)| Sample { text, value });
    leaf.prop_recursive(4, 24, 3, |inner| {
        let binary = (inner.clone(), inner.clone(), 0..18_usize).prop_map(|(l, r, which)| {
            let (x, y) = (l.value, r.value);
            let truth = i128::from;
            let (sign, value) = match which {
                0 => ("+", x + y),
                1 => ("-", x - y),
                2 => ("&", x & y),
                3 => ("|", x | y),
                4 => ("^", x ^ y),
                5 => ("==", truth(x == y)),
                6 => ("!=", truth(x != y)),
                7 => ("<", truth(x < y)),
                8 => ("<=", truth(x <= y)),
                9 => (">", truth(x > y)),
                10 => (">=", truth(x >= y)),
                11 => ("&&", truth(x != 0 && y != 0)),
                12 => ("||", truth(x != 0 || y != 0)),
                13 => ("->", truth(x == 0 || y != 0)),
                14 => (">> 3 +", (x >> 3) + y),
                16 => ("/", if y == 0 { 0 } else { x / y }),
                17 => ("%", if y == 0 { x } else { x % y }),
                _ => ("*", x.clamp(-99, 99) * y.clamp(-99, 99)),
            };
            let text = match which {
                14 => format!("((({}) >> 3) + ({}))", l.text, r.text),
                // Factors of a product stay small, so that the product does not overflow on the host.
                15 => format!(
                    "(({x} < -99 ? -99 : {x} > 99 ? 99 : {x}) * ({y} < -99 ? -99 : {y} > 99 ? 99 : {y}))",
                    x = format_args!("({})", l.text),
                    y = format_args!("({})", r.text)
                ),
                // A literal 0 as divisor would be an error.
                16 | 17 => format!("({} {sign} ({} + 0))", l.text, r.text),
                _ => format!("({} {sign} {})", l.text, r.text),
            };
            Sample { text, value }
        });
        let unary = (inner.clone(), any::<bool>()).prop_map(|(of, minus)| match minus {
            true => Sample {
                text: format!("-({})", of.text),
                value: -of.value,
            },
            false => Sample {
                text: format!("!({})", of.text),
                value: i128::from(of.value == 0),
            },
        });
        let choice = (inner.clone(), inner.clone(), inner).prop_map(|(c, x, y)| Sample {
            text: format!("(({}) ? ({}) : ({}))", c.text, x.text, y.text),
            value: if c.value == 0 { y.value } else { x.value },
        });
        prop_oneof![6 => binary, 1 => unary, 1 => choice]
    })
}

proptest! {
    #[test]
    fn expressions_have_the_values_of_the_host(sample in samples()) {
        // Products make the texts longer; an expression that is nested too deeply must be reported as an error.
        let text = format!("({}) == {}", sample.text, sample.value);
        match Property::parse(&text) {
            Ok(_) => prop_assert!(is_true(&text), "{}", text),
            Err(why) => prop_assert!(why.message.starts_with("more than 100"), "{}", why),
        }
    }
}
