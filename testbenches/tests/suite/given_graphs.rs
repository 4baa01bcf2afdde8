//! Dataflow graphs that are given as such: without forks, sinks and buffers, in several functions, they do under random traffic what they mean.

use sluice_flow::config::Config;
use sluice_flow::graphs::Graph;
use sluice_flow::pipeline::Failure;
use sluice_ir::Diagnostics;
use sluice_ir::text::parse_module;
use sluice_testbenches::streams::{Random, Streams, Traffic};

/// A graph, its inputs with the number of different values of their tokens, and what its outputs give for one token of each.
struct Case {
    text: &'static str,
    inputs: &'static [(&'static str, u64)],
    meaning: fn(&[u64]) -> Vec<u64>,
}

const N_TOKENS: usize = 30;

/// How often tokens are offered and taken, in 16ths.
const PACES: &[(u64, u64)] = &[(16, 16), (5, 5), (16, 4), (4, 16)];

const CASES: &[Case] = &[
    // Several uses, and none.
    Case {
        text: "handshake.func @t(%a: i8, %b: i8, %c: i8) -> (i8, i8) {
  %p = arith.muli %a, %a : i8
  %unused = arith.addi %p, %b : i8
  %s = arith.addi %p, %a : i8
  return %s, %b : i8, i8
}",
        inputs: &[("a", 256), ("b", 256), ("c", 256)],
        meaning: |t| vec![(t[0] * t[0] + t[0]) & 255, t[1]],
    },
    // The sum of the numbers up to one: a ring without registers but for the first choice.
    Case {
        text: "handshake.func @t(%n: i8) -> i8 {
  %s = source
  %zero = constant %s {value = 0 : i8} : i8
  %one = constant %s {value = 1 : i8} : i8
  %again = buffer [1] seq %go {initValues = [0]} : i1
  %left = mux %again [%n, %next] : i1, i8
  %sum = mux %again [%zero, %more] : i1, i8
  %go = arith.cmpi ne, %left, %zero : i8
  %left_in, %left_out = cond_br %go, %left : i8
  %sum_in, %sum_out = cond_br %go, %sum : i8
  %next = arith.subi %left_in, %one : i8
  %more = arith.addi %sum_in, %left_in : i8
  return %sum_out : i8
}",
        inputs: &[("n", 20)],
        meaning: |t| vec![t[0] * (t[0] + 1) / 2],
    },
    // Instances, of which one has another inside, and a product that takes time.
    Case {
        text: "handshake.func private @square(%x: i16) -> i16 {
  %y = arith.muli %x, %x : i16
  return %y : i16
}
handshake.func @fourth(%x: i16) -> i16 {
  %y = instance @square(%x) : (i16) -> i16
  %z = instance @square(%y) : (i16) -> i16
  return %z : i16
}
handshake.func @t(%a: i16, %b: i16) -> i16 {
  %c = instance @fourth(%a) : (i16) -> i16
  %d = arith.addi %c, %b : i16
  return %d : i16
}",
        inputs: &[("a", 1 << 16), ("b", 1 << 16)],
        meaning: |t| vec![(t[0].wrapping_pow(4) + t[1]) & 0xffff],
    },
    // Quotients get their latencies from the clock.
    Case {
        text: "handshake.func @t(%a: i8, %b: i8) -> i8 {
  %s = source
  %one = constant %s {value = 1 : i8} : i8
  %d = arith.ori %b, %one : i8
  %q = arith.divui %a, %d : i8
  return %q : i8
}",
        inputs: &[("a", 256), ("b", 256)],
        meaning: |t| vec![t[0] / (t[1] | 1)],
    },
    // Structures go over channels as their bits, the first field above.
    Case {
        text: "handshake.func @t(%a: i4, %b: i8) -> (!hw.struct<x: i4, y: i8>, i8) {
  %p = hw.struct_create (%a, %b) : !hw.struct<x: i4, y: i8>
  %y = hw.struct_extract %p[\"y\"] : !hw.struct<x: i4, y: i8>
  return %p, %y : !hw.struct<x: i4, y: i8>, i8
}",
        inputs: &[("a", 16), ("b", 256)],
        meaning: |t| vec![t[0] << 8 | t[1], t[1]],
    },
];

fn graph(text: &str, config: &Config) -> Result<Graph, String> {
    match Graph::read(text, "graph.mlir", config) {
        Ok(graph) => graph.ok_or_else(|| "there is no graph".to_owned()),
        Err(Failure::Input(why) | Failure::Internal(why)) => Err(why),
    }
}

#[test]
fn graphs_of_any_form_do_what_they_mean() {
    for case in CASES {
        let text = case.text;
        let graph = graph(text, &Config::default()).unwrap_or_else(|why| panic!("{text}\n{why}"));
        let context = sluice_dialects::context();
        let mut found = Diagnostics::new();
        let circuit = parse_module(&context, &graph.circuit.text(), "c.mlir", &mut found);
        let circuit = circuit.unwrap_or_else(|| panic!("{}", found.to_text(&context)));
        let streams = Streams::new(&context, &circuit, "t");
        let mut streams = streams.unwrap_or_else(|why| panic!("{text}\n{why}"));
        for (seed, (offer, take)) in (0..).zip(PACES) {
            let mut random = Random::new(seed);
            let rounds: Vec<Vec<u64>> = (0..N_TOKENS)
                .map(|_| case.inputs.iter().map(|(_, n)| random.below(*n)).collect())
                .collect();
            let column = |rounds: &[Vec<u64>], at: usize| -> Vec<u64> {
                rounds.iter().map(|round| round[at]).collect()
            };
            let names = case.inputs.iter().map(|(name, _)| *name).enumerate();
            let tokens: Vec<(&str, Vec<u64>)> = names
                .map(|(at, name)| (name, column(&rounds, at)))
                .collect();
            let tokens: Vec<(&str, &[u64])> = tokens
                .iter()
                .map(|(name, all)| (*name, all.as_slice()))
                .collect();
            let traffic = Traffic {
                offer: *offer,
                take: *take,
                seed,
            };
            let seen = streams.run(&tokens, &[], traffic, 20_000);
            let seen = seen.unwrap_or_else(|why| panic!("{text}\n{traffic:?}: {why}"));
            let expected: Vec<Vec<u64>> = rounds.iter().map(|t| (case.meaning)(t)).collect();
            for at in 0..expected[0].len() {
                let found = seen.data(&format!("out{at}"));
                assert_eq!(found, column(&expected, at), "{text}\n{traffic:?}: out{at}");
            }
        }
    }
}

#[test]
fn the_graph_on_top_is_one_that_no_other_needs() {
    let text = "handshake.func @one(%a: i8) -> i8 {
  %b = instance @two(%a) : (i8) -> i8
  return %b : i8
}
handshake.func @two(%a: i8) -> i8 {
  return %a : i8
}
";
    let chosen = graph(text, &Config::default()).expect("it has a circuit");
    assert_eq!(
        (chosen.circuit.top.as_str(), chosen.warnings.as_str()),
        ("one", "")
    );
    assert!(chosen.proof().is_some());
    let wish = |top: &str| Config {
        top: Some(top.to_owned()),
        ..Config::default()
    };
    let chosen = graph(text, &wish("two")).expect("it has a circuit");
    // Who says which it is knows that the other one is left out.
    assert_eq!(
        (chosen.circuit.top.as_str(), chosen.warnings.as_str()),
        ("two", "")
    );
    let apart = text.replace("instance @two(%a) : (i8) -> i8", "br %a : i8");
    let chosen = graph(&apart, &Config::default()).expect("it has a circuit");
    assert_eq!(chosen.circuit.top, "two");
    let expected = "graph.mlir:1:1: remark: `@one` is not compiled, the graph is `@two`";
    assert!(chosen.warnings.contains(expected), "{}", chosen.warnings);
    let why = graph(text, &wish("tow")).err().expect("there is none");
    assert_eq!(
        why,
        "graph.mlir: error: there is no `handshake.func @tow` with a body; did you mean `two`?\n"
    );
    // A private one is the last resort, and that it is left out goes without saying.
    let hidden = "handshake.func @one(%a: i8) -> i8 {
  return %a : i8
}
handshake.func private @two(%a: i8) -> i8 {
  return %a : i8
}
";
    let chosen = graph(hidden, &Config::default()).expect("it has a circuit");
    assert_eq!(
        (chosen.circuit.top.as_str(), chosen.warnings.as_str()),
        ("one", "")
    );
    let alone = &hidden[hidden.find("handshake.func private").expect("it is there")..];
    let chosen = graph(alone, &Config::default()).expect("it has a circuit");
    assert_eq!(chosen.circuit.top, "two");
}

/// Only one side of a conditional gets a token: who waits for both waits for ever, which is said, and the circuit is made.
#[test]
fn a_graph_that_can_stand_still_has_a_warning() {
    let text = "handshake.func @t(%a: i1, %b: i8) -> i8 {
  %c, %d = cond_br %a, %b : i8
  %e = arith.addi %c, %d : i8
  return %e : i8
}
";
    // That somebody wrote it was proved is no proof.
    let claimed = text.replace(
        " {\n  %c",
        " attributes {sluice.deadlock_free = \"proved: by hand\"} {\n  %c",
    );
    assert_ne!(claimed, text);
    for text in [text, &claimed] {
        let made = graph(text, &Config::default()).expect("it has a circuit");
        assert_eq!(made.proof(), None);
        assert!(
            made.warnings.contains("warning: deadlock"),
            "{}",
            made.warnings
        );
    }
}
