//! Circuits of dataflow graphs: under random traffic, every operation gives the tokens that its definition requires. Latencies
//! and capacities are those of `docs/ELASTIC.md`.

use std::collections::BTreeMap;

use sluice_dialects::interface::Interface;
use sluice_ir::text::parse_module;
use sluice_ir::{Context, Diagnostics, Module, View};
use sluice_sim::cycle::{CycleSimulator, Settings};
use sluice_testbenches::streams::{Random, Seen, Streams, Traffic};

type Tokens = BTreeMap<&'static str, Vec<u64>>;

/// A graph with stream ports, and the function that it computes on tokens.
struct Case {
    name: &'static str,
    text: &'static str,
    /// Inputs, with the number of different values of their tokens.
    inputs: &'static [(&'static str, u64)],
    /// Computes all output tokens from the input tokens.
    meaning: fn(&Tokens) -> Tokens,
}

const N_TOKENS: usize = 40;

/// Paces of the environment (offer, take): always, often, rarely; and with one side slow.
const PACES: &[(u64, u64)] = &[(16, 16), (12, 12), (5, 5), (16, 4), (4, 16)];

pub(crate) fn compiled(text: &str) -> Result<(Context, Module), String> {
    let context = sluice_dialects::context();
    let mut found = Diagnostics::new();
    let graphs = parse_module(&context, text, "graph.mlir", &mut found);
    let graphs = graphs.ok_or_else(|| found.to_text(&context))?;
    let circuits = sluice_elastic::circuits(&context, &graphs);
    let circuits = circuits.map_err(|errors| errors.to_text(&context))?;
    sluice_ir::verifier::verify(&context, &circuits, &mut found);
    match found.has_errors() {
        true => Err(found.to_text(&context)),
        false => Ok((context, circuits)),
    }
}

/// Returns the interface of the kernel `@t`, and a simulator of it with its memories.
pub(crate) fn kernel(context: &Context, circuits: &Module) -> (Interface, CycleSimulator) {
    let op = circuits.lookup_symbol(context, "t").expect("it is there");
    let attribute = View::new(context, circuits.inner(), op).attribute("sluice.interface");
    let interface = attribute.and_then(|a| Interface::from_attribute(context, "t", a));
    let interface = interface.expect("a kernel says its interface");
    let made = CycleSimulator::of_kernel(context, circuits, &interface, &Settings::default());
    let simulator = made.unwrap_or_else(|why| panic!("{}", why.to_text(context)));
    (interface, simulator)
}

fn streams(text: &str) -> Streams {
    let (context, circuits) = compiled(text).unwrap_or_else(|why| panic!("{text}\n{why}"));
    let made = Streams::new(&context, &circuits, "t");
    made.unwrap_or_else(|why| panic!("{text}\n{why}"))
}

fn pairs(tokens: &Tokens, of: fn(u64, u64) -> u64) -> Vec<u64> {
    let both = tokens["a"].iter().zip(&tokens["b"]);
    both.map(|(a, b)| of(*a, *b)).collect()
}

fn one(tokens: Vec<u64>) -> Tokens {
    Tokens::from([("out0", tokens)])
}

const CASES: &[Case] = &[
    Case {
        name: "addition",
        text: "handshake.func @t(%a: i8, %b: i8) -> i8 { %c = arith.addi %a, %b : i8 return %c : i8 }",
        inputs: &[("a", 256), ("b", 256)],
        meaning: |t| one(pairs(t, |a, b| (a + b) & 255)),
    },
    Case {
        name: "addition in registers",
        text: "handshake.func @t(%a: i8, %b: i8) -> i8 { %c = arith.addi %a, %b {sluice.latency = 3 : i64} : i8 return %c : i8 }",
        inputs: &[("a", 256), ("b", 256)],
        meaning: |t| one(pairs(t, |a, b| (a + b) & 255)),
    },
    Case {
        name: "product in registers",
        text: "handshake.func @t(%a: i8, %b: i8) -> i8 { %c = arith.muli %a, %b {sluice.latency = 2 : i64} : i8 return %c : i8 }",
        inputs: &[("a", 256), ("b", 256)],
        meaning: |t| one(pairs(t, |a, b| (a * b) & 255)),
    },
    Case {
        name: "product of limbs",
        text: "handshake.func @t(%a: i40, %b: i40) -> i40 { %c = arith.muli %a, %b {sluice.latency = 4 : i64, sluice.structure = \"partial_products\"} : i40 return %c : i40 }",
        inputs: &[("a", 1 << 40), ("b", 1 << 40)],
        meaning: |t| one(pairs(t, |a, b| a.wrapping_mul(b) & ((1 << 40) - 1))),
    },
    Case {
        name: "division",
        text: "handshake.func @t(%a: i8, %b: i8) -> i8 { %c = arith.divui %a, %b {sluice.latency = 9 : i64} : i8 return %c : i8 }",
        inputs: &[("a", 256), ("b", 256)],
        meaning: |t| one(pairs(t, |a, b| a.checked_div(b).unwrap_or(255))),
    },
    Case {
        name: "remainder in few cycles",
        text: "handshake.func @t(%a: i8, %b: i8) -> i8 { %c = arith.remui %a, %b {sluice.latency = 5 : i64} : i8 return %c : i8 }",
        inputs: &[("a", 256), ("b", 256)],
        meaning: |t| one(pairs(t, |a, b| a.checked_rem(b).unwrap_or(a))),
    },
    Case {
        name: "division whose answers are always taken",
        text: "handshake.func @t(%a: i8, %b: i8) -> i8 { %c = arith.divui %a, %b {sluice.latency = 12 : i64} : i8 %f:2 = fork [2] %c : i8 sink %f#1 : i8 return %f#0 : i8 }",
        inputs: &[("a", 256), ("b", 256)],
        meaning: |t| one(pairs(t, |a, b| a.checked_div(b).unwrap_or(255))),
    },
    Case {
        name: "fork",
        text: "handshake.func @t(%a: i8) -> (i8, i8, i8) { %c:3 = fork [3] %a : i8 return %c#0, %c#1, %c#2 : i8, i8, i8 }",
        inputs: &[("a", 256)],
        meaning: |t| ["out0", "out1", "out2"].map(|o| (o, t["a"].clone())).into(),
    },
    Case {
        name: "lazy fork",
        text: "handshake.func @t(%a: i8) -> (i8, i8) { %c:2 = lazy_fork [2] %a : i8 return %c#0, %c#1 : i8, i8 }",
        inputs: &[("a", 256)],
        meaning: |t| ["out0", "out1"].map(|o| (o, t["a"].clone())).into(),
    },
    Case {
        name: "fork of which one output is dropped",
        text: "handshake.func @t(%a: i8) -> (i8, i8) { %c:3 = fork [3] %a : i8 sink %c#1 : i8 return %c#0, %c#2 : i8, i8 }",
        inputs: &[("a", 256)],
        meaning: |t| ["out0", "out1"].map(|o| (o, t["a"].clone())).into(),
    },
    Case {
        name: "fork into one operation",
        text: "handshake.func @t(%a: i8) -> i8 { %c:2 = fork [2] %a : i8 %d = arith.muli %c#0, %c#1 : i8 return %d : i8 }",
        inputs: &[("a", 256)],
        meaning: |t| one(t["a"].iter().map(|a| (a * a) & 255).collect()),
    },
    Case {
        name: "join",
        text: "handshake.func @t(%a: i8, %b: none) -> none { %c = join %a, %b : i8, none return %c : none }",
        inputs: &[("a", 256), ("b", 1)],
        meaning: |t| one(t["a"].iter().map(|_| 0).collect()),
    },
    Case {
        name: "sync",
        text: "handshake.func @t(%a: i8, %b: i4) -> (i8, i4) { %c:2 = sync %a, %b : i8, i4 return %c#0, %c#1 : i8, i4 }",
        inputs: &[("a", 256), ("b", 16)],
        meaning: |t| [("out0", t["a"].clone()), ("out1", t["b"].clone())].into(),
    },
    Case {
        name: "pack: the first part is in the highest bits",
        text: "handshake.func @t(%a: i8, %b: i4) -> tuple<i8, i4> { %c = pack %a, %b : tuple<i8, i4> return %c : tuple<i8, i4> }",
        inputs: &[("a", 256), ("b", 16)],
        meaning: |t| one(pairs(t, |a, b| a << 4 | b)),
    },
    Case {
        name: "unpack",
        text: "handshake.func @t(%a: tuple<i8, none, i4>) -> (i8, none, i4) { %c:3 = unpack %a : tuple<i8, none, i4> return %c#0, %c#1, %c#2 : i8, none, i4 }",
        inputs: &[("a", 4096)],
        meaning: |t| {
            let all = &t["a"];
            let out0 = all.iter().map(|a| a >> 4).collect();
            let out1 = all.iter().map(|_| 0).collect();
            let out2 = all.iter().map(|a| a & 15).collect();
            [("out0", out0), ("out1", out1), ("out2", out2)].into()
        },
    },
    Case {
        name: "constant",
        text: "handshake.func @t(%a: none) -> i8 { %c = constant %a {value = 77 : i8} : i8 return %c : i8 }",
        inputs: &[("a", 1)],
        meaning: |t| one(t["a"].iter().map(|_| 77).collect()),
    },
    Case {
        name: "constants of one source",
        text: "handshake.func @t(%a: i8) -> i8 { %s = source %f:2 = fork [2] %s : none %c = constant %f#0 {value = 7 : i8} : i8 %d = constant %f#1 {value = 3 : i8} : i8 %e = arith.muli %a, %d : i8 %g = arith.addi %c, %e : i8 return %g : i8 }",
        inputs: &[("a", 256)],
        meaning: |t| one(t["a"].iter().map(|a| (a * 3 + 7) & 255).collect()),
    },
    Case {
        name: "branch and sink",
        text: "handshake.func @t(%a: i8, %b: i8) -> i8 { %c = br %a : i8 sink %b : i8 return %c : i8 }",
        inputs: &[("a", 256), ("b", 256)],
        meaning: |t| one(t["a"].clone()),
    },
    Case {
        name: "never",
        text: "handshake.func @t(%a: i8) -> i8 { %n = never : i8 %c = arith.addi %a, %n : i8 return %c : i8 }",
        inputs: &[("a", 256)],
        meaning: |_| one(Vec::new()),
    },
    Case {
        name: "conditional branch",
        text: "handshake.func @t(%a: i1, %b: i8) -> (i8, i8) { %c, %d = cond_br %a, %b : i8 return %c, %d : i8, i8 }",
        inputs: &[("a", 2), ("b", 256)],
        meaning: |t| {
            let of = |wanted: u64| {
                let all = t["a"].iter().zip(&t["b"]);
                let mine = all.filter(|(a, _)| **a == wanted);
                mine.map(|(_, b)| *b).collect()
            };
            [("out0", of(1)), ("out1", of(0))].into()
        },
    },
    Case {
        name: "conditional branch of which one side is dropped",
        text: "handshake.func @t(%a: i1, %b: i8) -> i8 { %c, %d = cond_br %a, %b : i8 sink %d : i8 return %c : i8 }",
        inputs: &[("a", 2), ("b", 256)],
        meaning: |t| {
            let all = t["a"].iter().zip(&t["b"]);
            one(all.filter(|(a, _)| **a == 1).map(|(_, b)| *b).collect())
        },
    },
    Case {
        name: "products that take turns, of two widths and numbers of credits",
        text: "handshake.func @t(%a: i8, %b: i8, %x: i5, %y: i5) -> (i8, i5) {
                 %c = arith.muli %a, %b {sluice.latency = 3 : i64, sluice.shared = 4 : i64, sluice.credits = 2 : i64} : i8
                 %d = arith.muli %x, %y {sluice.latency = 3 : i64, sluice.shared = 4 : i64, sluice.credits = 5 : i64} : i5
                 return %c, %d : i8, i5 }",
        inputs: &[("a", 256), ("b", 256), ("x", 32), ("y", 32)],
        meaning: |t| {
            let both = t["x"].iter().zip(&t["y"]);
            let narrow = both.map(|(x, y)| (x * y) & 31).collect();
            [("out0", pairs(t, |a, b| (a * b) & 255)), ("out1", narrow)].into()
        },
    },
    Case {
        name: "a product after another one at the same unit",
        text: "handshake.func @t(%a: i8, %b: i8) -> i8 {
                 %c = arith.muli %a, %b {sluice.latency = 1 : i64, sluice.shared = 0 : i64, sluice.credits = 1 : i64} : i8
                 %f:2 = fork [2] %c : i8
                 %d = arith.muli %f#0, %f#1 {sluice.latency = 1 : i64, sluice.shared = 0 : i64, sluice.credits = 1 : i64} : i8
                 return %d : i8 }",
        inputs: &[("a", 256), ("b", 256)],
        meaning: |t| one(pairs(t, |a, b| (a * b * a * b) & 255)),
    },
    Case {
        name: "divisions that take turns, of two widths",
        text: "handshake.func @t(%a: i8, %b: i8, %x: i5, %y: i5) -> (i8, i5) {
                 %c = arith.divui %a, %b {sluice.latency = 9 : i64, sluice.shared = 0 : i64, sluice.credits = 1 : i64} : i8
                 %d = arith.divui %x, %y {sluice.latency = 9 : i64, sluice.shared = 0 : i64, sluice.credits = 3 : i64} : i5
                 return %c, %d : i8, i5 }",
        inputs: &[("a", 256), ("b", 256), ("x", 32), ("y", 32)],
        meaning: |t| {
            let both = t["x"].iter().zip(&t["y"]);
            let narrow = both.map(|(x, y)| x.checked_div(*y).unwrap_or(31)).collect();
            let wide = pairs(t, |a, b| a.checked_div(b).unwrap_or(255));
            [("out0", wide), ("out1", narrow)].into()
        },
    },
    Case {
        name: "index and its casts",
        text: "handshake.func @t(%a: index, %b: i8) -> index { %c = arith.index_castui %b : i8 to index %d = arith.addi %a, %c : index return %d : index }",
        inputs: &[("a", 1 << 60), ("b", 256)],
        meaning: |t| one(pairs(t, |a, b| a + b)),
    },
    Case {
        name: "instance",
        text: "handshake.func @twice(%x: i8) -> i8 { %c:2 = fork [2] %x : i8 %d = arith.addi %c#0, %c#1 : i8 return %d : i8 }
               handshake.func @t(%a: i8) -> i8 { %c = instance @twice(%a) : (i8) -> i8 %d = instance @twice(%c) : (i8) -> i8 return %d : i8 }",
        inputs: &[("a", 256)],
        meaning: |t| one(t["a"].iter().map(|a| (a * 4) & 255).collect()),
    },
    Case {
        name: "a sum over a loop of tokens",
        text: "handshake.func @t(%a: i8) -> i8 { %s = buffer [1] seq %f#0 {initValues = [5]} : i8 %c = arith.addi %a, %s : i8 %f:2 = fork [2] %c : i8 return %f#1 : i8 }",
        inputs: &[("a", 256)],
        meaning: |t| {
            let mut sum = 5;
            let next = t["a"].iter().map(|a| {
                sum = (sum + a) & 255;
                sum
            });
            one(next.collect())
        },
    },
];

/// Returns the texts of all graphs, each a function `@t`.
pub(crate) fn cases() -> impl Iterator<Item = &'static str> {
    CASES.iter().map(|case| case.text)
}

fn tokens(case: &Case, seed: u64) -> Tokens {
    let mut random = Random::new(seed);
    let inputs = case.inputs.iter();
    inputs
        .map(|(name, n)| (*name, (0..N_TOKENS).map(|_| random.below(*n)).collect()))
        .collect()
}

fn run(streams: &mut Streams, tokens: &Tokens, traffic: Traffic, n_cycles: u64) -> Seen {
    let tokens: Vec<(&str, &[u64])> = tokens.iter().map(|(n, t)| (*n, t.as_slice())).collect();
    let seen = streams.run(&tokens, &[], traffic, n_cycles);
    seen.unwrap_or_else(|why| panic!("{traffic:?}: {why}"))
}

/// Returns every pace with several seeds.
pub(crate) fn traffics(n_seeds: u64) -> impl Iterator<Item = Traffic> {
    let paces = PACES.iter();
    paces.flat_map(move |(offer, take)| {
        (0..n_seeds).map(move |seed| Traffic {
            offer: *offer,
            take: *take,
            seed,
        })
    })
}

#[test]
fn tokens_out_are_what_the_operation_makes_of_tokens_in() {
    for case in CASES {
        let mut streams = streams(case.text);
        for traffic in traffics(4) {
            let tokens = tokens(case, traffic.seed);
            let seen = run(&mut streams, &tokens, traffic, 1200);
            for (output, expected) in (case.meaning)(&tokens) {
                let found = seen.data(output);
                assert_eq!(found, expected, "{}: `{output}`, {traffic:?}", case.name);
            }
        }
    }
}

#[test]
fn buffers_of_every_kind_keep_the_order() {
    for kind in ["seq", "fifo", "data"] {
        for slots in [1, 2, 3, 4, 5, 8, 11] {
            let mut streams = streams(&buffer(kind, slots));
            for traffic in traffics(3) {
                let mut random = Random::new(traffic.seed);
                let all: Vec<u64> = (0..N_TOKENS).map(|_| random.below(256)).collect();
                let tokens = Tokens::from([("a", all.clone())]);
                let seen = run(&mut streams, &tokens, traffic, 900);
                assert_eq!(seen.data("out0"), all, "{kind} {slots}, {traffic:?}");
            }
        }
    }
}

pub(crate) fn buffer(kind: &str, slots: usize) -> String {
    let (kind, cut) = match kind {
        "data" => ("seq", " {sluice.cut = \"data\"}"),
        _ => (kind, ""),
    };
    format!(
        "handshake.func @t(%a: i8) -> i8 {{ %c = buffer [{slots}] {kind} %a{cut} : i8 return %c : i8 }}"
    )
}

/// Returns the latency of a token, the capacity, and the cycles between tokens, in an environment that never stalls.
fn figures(text: &str) -> (u64, usize, u64) {
    let mut streams = streams(text);
    let all: Vec<u64> = (1..=N_TOKENS as u64).collect();
    let tokens = Tokens::from([("a", all.clone()), ("b", all)]);
    let n_inputs = text.matches("i8").count().min(2);
    let only_a = Tokens::from([("a", tokens["a"].clone())]);
    let tokens = if text.contains("%b: ") && n_inputs == 2 {
        tokens
    } else {
        only_a
    };
    let seen = run(&mut streams, &tokens, Traffic::EAGER, 900);
    let (taken, given) = (&seen.taken["a"], &seen.given["out0"]);
    assert_eq!(given.len(), N_TOKENS, "{text}");
    let latency = given[0].0 - taken[0].0;
    let spacing = given[N_TOKENS - 1].0 - given[N_TOKENS - 2].0;
    let blocked = Traffic {
        take: 0,
        ..Traffic::EAGER
    };
    let seen = run(&mut streams, &tokens, blocked, 200);
    (latency, seen.taken["a"].len(), spacing)
}

#[test]
fn latency_and_capacity_are_exact() {
    for slots in [1, 2, 3, 4, 5, 8, 11] {
        let n = slots as u64;
        assert_eq!(figures(&buffer("seq", slots)), (n, 2 * slots, 1), "seq {n}");
        assert_eq!(figures(&buffer("data", slots)), (n, slots, 1), "data {n}");
        assert_eq!(figures(&buffer("fifo", slots)), (0, slots, 1), "fifo {n}");
    }
    let operation = |name: &str, latency: u64| {
        format!(
            "handshake.func @t(%a: i8, %b: i8) -> i8 {{ %c = arith.{name} %a, %b {{sluice.latency = {latency} : i64}} : i8 return %c : i8 }}"
        )
    };
    for latency in [1, 2, 4] {
        let n = usize::try_from(latency).expect("it is small");
        for name in ["addi", "muli"] {
            assert_eq!(figures(&operation(name, latency)), (latency, n, 1));
        }
    }
    for latency in [5, 9, 12] {
        let found = figures(&operation("divsi", latency));
        assert_eq!(found, (latency, 1, latency));
    }
}

#[test]
fn initial_tokens_come_first() {
    for cut in ["", ", sluice.cut = \"data\""] {
        let text = format!(
            "handshake.func @t(%a: i8) -> i8 {{ %c = buffer [3] seq %a {{initValues = [11, 12, 13]{cut}}} : i8 return %c : i8 }}"
        );
        let mut streams = streams(&text);
        for traffic in traffics(3) {
            let tokens = Tokens::from([("a", vec![1, 2, 3])]);
            let seen = run(&mut streams, &tokens, traffic, 200);
            assert_eq!(seen.data("out0"), [11, 12, 13, 1, 2, 3]);
        }
    }
}

#[test]
fn a_mux_takes_tokens_where_they_are_wanted() {
    for n in [1usize, 2, 3, 4, 5] {
        for select in ["i3", "index"] {
            let names: Vec<String> = (0..n).map(|i| format!("d{i}")).collect();
            let ports: Vec<String> = names.iter().map(|d| format!("%{d}: i8")).collect();
            let inputs: Vec<String> = names.iter().map(|d| format!("%{d}")).collect();
            let text = format!(
                "handshake.func @t(%s: {select}, {}) -> i8 {{ %c = mux %s [{}] : {select}, i8 return %c : i8 }}",
                ports.join(", "),
                inputs.join(", ")
            );
            let mut streams = streams(&text);
            for traffic in traffics(3) {
                let mut random = Random::new(traffic.seed);
                let choices: Vec<u64> = (0..N_TOKENS).map(|_| random.below(8)).collect();
                let data: Vec<Vec<u64>> = (0..n)
                    .map(|_| (0..N_TOKENS).map(|_| random.below(256)).collect())
                    .collect();
                let mut next = vec![0; n];
                let expected: Vec<u64> = choices
                    .iter()
                    .map(|choice| {
                        let input = usize::try_from(*choice).expect("it is small").min(n - 1);
                        next[input] += 1;
                        data[input][next[input] - 1]
                    })
                    .collect();
                let mut tokens = vec![("s", choices.as_slice())];
                tokens.extend(
                    names
                        .iter()
                        .map(String::as_str)
                        .zip(data.iter().map(Vec::as_slice)),
                );
                let seen = streams.run(&tokens, &[], traffic, 900);
                let seen = seen.unwrap_or_else(|why| panic!("{n} inputs, {traffic:?}: {why}"));
                assert_eq!(seen.data("out0"), expected, "{n} inputs, {traffic:?}");
                for (name, count) in names.iter().zip(next) {
                    assert_eq!(seen.taken[name].len(), count, "{n} inputs, {traffic:?}");
                }
            }
        }
    }
}

#[test]
fn merges_pass_every_token_once() {
    for n in [1usize, 2, 3, 4] {
        let names: Vec<String> = (0..n).map(|i| format!("d{i}")).collect();
        let ports: Vec<String> = names.iter().map(|d| format!("%{d}: i8")).collect();
        let inputs: Vec<String> = names.iter().map(|d| format!("%{d}")).collect();
        let (ports, inputs) = (ports.join(", "), inputs.join(", "));
        let plain = format!(
            "handshake.func @t({ports}) -> i8 {{ %c = merge {inputs} : i8 return %c : i8 }}"
        );
        let control = format!(
            "handshake.func @t({ports}) -> (i8, index) {{ %c, %i = control_merge {inputs} : i8, index return %c, %i : i8, index }}"
        );
        // Copies that are taken at different times show whether an offer stays stable.
        let forked = format!(
            "handshake.func @t({ports}) -> (i8, i8) {{ %c = merge {inputs} : i8 %f:2 = fork [2] %c : i8 return %f#0, %f#1 : i8, i8 }}"
        );
        for text in [plain, control, forked] {
            let mut streams = streams(&text);
            for traffic in traffics(4) {
                // The upper bits identify the input, the lower ones the number of the token.
                let data: Vec<Vec<u64>> = (0..n as u64)
                    .map(|i| (0..N_TOKENS as u64).map(|t| i << 6 | t).collect())
                    .collect();
                let names = names.iter().map(String::as_str);
                let tokens: Vec<_> = names.zip(data.iter().map(Vec::as_slice)).collect();
                let seen = streams.run(&tokens, &[], traffic, 3000);
                let seen = seen.unwrap_or_else(|why| panic!("{text}\n{traffic:?}: {why}"));
                let found = seen.data("out0");
                assert_eq!(found.len(), n * N_TOKENS, "{text}\n{traffic:?}");
                for (i, all) in data.iter().enumerate() {
                    let mine = found.iter().copied().filter(|d| d >> 6 == i as u64);
                    assert!(mine.eq(all.iter().copied()), "{text}\n{traffic:?}");
                }
                if text.contains("control") {
                    let inputs: Vec<u64> = found.iter().map(|d| d >> 6).collect();
                    assert_eq!(seen.data("out1"), inputs, "{traffic:?}");
                }
                if text.contains("fork") {
                    assert_eq!(seen.data("out1"), found, "{traffic:?}");
                }
            }
        }
    }
}
