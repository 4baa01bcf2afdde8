//! Dataflow graphs given as input, without forks, sinks and buffers and in several functions: under random traffic they compute
//! the expected tokens.

use sluice_config::Config;
use sluice_flow::graphs::Graph;
use sluice_ir::Diagnostics;
use sluice_ir::text::parse_module;
use sluice_kernel::compiled::Failure;
use sluice_testbenches::streams::{Random, Streams, Traffic};

/// A graph, its inputs with the number of different values of their tokens, and a function that gives the outputs for one token
/// on each input.
struct Case {
    text: &'static str,
    inputs: &'static [(&'static str, u64)],
    meaning: fn(&[u64]) -> Vec<u64>,
}

const N_TOKENS: usize = 30;

/// Paces of the environment: how often tokens are offered and taken, in 16ths.
const PACES: &[(u64, u64)] = &[(16, 16), (5, 5), (16, 4), (4, 16)];

const CASES: &[Case] = &[
    // Values with several uses, and with none.
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
    // The sum of the numbers up to an argument: a loop whose only register is at its first mux.
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
    // Instances, one of which contains another one, and a multiplication with a latency.
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
    // The latency of divisions follows from the clock.
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
    // Structures are transferred as their bits, the first field in the highest bits.
    Case {
        text: "handshake.func @t(%a: i4, %b: i8) -> (!hw.struct<x: i4, y: i8>, i8) {
  %p = hw.struct_create (%a, %b) : !hw.struct<x: i4, y: i8>
  %y = hw.struct_extract %p[\"y\"] : !hw.struct<x: i4, y: i8>
  return %p, %y : !hw.struct<x: i4, y: i8>, i8
}",
        inputs: &[("a", 16), ("b", 256)],
        meaning: |t| vec![t[0] << 8 | t[1], t[1]],
    },
    // A selector beyond the last input selects the last one, whatever the sign of its source.
    Case {
        text: "handshake.func @t(%s: i2) -> (i8, i8) {
  %source = source
  %one = constant %source {value = 1 : i8} : i8
  %a = constant %source {value = 10 : i8} : i8
  %b = constant %source {value = 20 : i8} : i8
  %c = constant %source {value = 30 : i8} : i8
  %n = arith.extsi %s : i2 to i8
  %x = mux %n [%a, %b, %c] : i8, i8
  %low = arith.andi %n, %one : i8
  %y = mux %low [%a, %b, %c] : i8, i8
  return %x, %y : i8, i8
}",
        inputs: &[("s", 4)],
        meaning: |t| {
            let number = |n: u64| 10 * (n.min(2) + 1);
            vec![number(t[0]), number(t[0] & 1)]
        },
    },
    // Constants that are always available are added to tokens: there is one result per token.
    Case {
        text: "handshake.func @t(%a: i8, %start: none) -> (i8, i8, none) {
  %source = source
  %one = constant %source {value = 1 : i8} : i8
  %two = constant %source {value = 2 : i8} : i8
  %five = constant %start {value = 5 : i8} : i8
  %three = arith.addi %one, %two : i8
  %sum = arith.addi %three, %five : i8
  return %sum, %a, %start : i8, i8, none
}",
        inputs: &[("a", 256), ("start", 1)],
        meaning: |t| vec![8, t[0], 0],
    },
];

/// Graphs in the form of CIRCT's `lower-cf-to-handshake`, with a control token as first argument and last result: blocks that are
/// joined by merges.
const OF_BLOCKS: &[Case] = &[
    // The absolute value of a difference, with a buffer on the path of the index.
    Case {
        text: "handshake.func @t(%a: i8, %b: i8, %start: none) -> (i8, none) {
  %c = arith.cmpi ult, %a, %b : i8
  %at, %ae = cond_br %c, %a : i8
  %bt, %be = cond_br %c, %b : i8
  %st, %se = cond_br %c, %start : none
  %up = arith.subi %bt, %at : i8
  %down = arith.subi %ae, %be : i8
  %slow = buffer [3] seq %se : none
  %ctl, %index = control_merge %st, %slow : none, index
  %held = buffer [2] fifo %index : index
  %d = mux %held [%up, %down] : index, i8
  return %d, %ctl : i8, none
}",
        inputs: &[("a", 256), ("b", 256), ("start", 1)],
        meaning: |t| vec![t[0].abs_diff(t[1]), 0],
    },
    // The same sum as above in a loop that starts with a merge and continues while the condition is false.
    Case {
        text: "handshake.func @t(%n: i8, %start: none) -> (i8, none) {
  %zero = constant %start {value = 0 : i8} : i8
  %bound = constant %start {value = 0 : i8} : i8
  %one = constant %start {value = 1 : i8} : i8
  %ctl, %index = control_merge %back, %start : none, index
  %left = mux %index [%next, %n] : index, i8
  %sum = mux %index [%more, %zero] : index, i8
  %end = mux %index [%end_at, %bound] : index, i8
  %step = mux %index [%step_at, %one] : index, i8
  %ends = arith.cmpi eq, %left, %end : i8
  %done, %back = cond_br %ends, %ctl : none
  %left_out, %left_in = cond_br %ends, %left : i8
  %sum_out, %sum_in = cond_br %ends, %sum : i8
  %end_out, %end_at = cond_br %ends, %end : i8
  %step_out, %step_at = cond_br %ends, %step : i8
  %next = arith.subi %left_in, %step_at : i8
  %more = arith.addi %sum_in, %left_in : i8
  return %sum_out, %done : i8, none
}",
        inputs: &[("n", 20), ("start", 1)],
        meaning: |t| vec![t[0] * (t[0] + 1) / 2, 0],
    },
    // Counts Collatz steps to 1: a conditional in a loop, with another one that only numbers other than 1 reach.
    Case {
        text: "handshake.func @t(%n: i8, %start: none) -> (i8, none) {
  %source = source
  %zero = constant %source {value = 0 : i16} : i16
  %one = constant %source {value = 1 : i16} : i16
  %three = constant %source {value = 3 : i16} : i16
  %begin = arith.extui %n : i8 to i16
  %first = constant %start {value = 0 : i8} : i8
  %ctl, %index = control_merge %start, %back : none, index
  %x = mux %index [%begin, %next] : index, i16
  %count = mux %index [%first, %counted] : index, i8
  %goes = arith.cmpi ugt, %x, %one : i16
  %xi, %xo = cond_br %goes, %x : i16
  %ci, %co = cond_br %goes, %count : i8
  %si, %so = cond_br %goes, %ctl : none
  %low = arith.andi %xi, %one : i16
  %odd = arith.cmpi ne, %low, %zero : i16
  %xt, %xe = cond_br %odd, %xi : i16
  %ct, %ce = cond_br %odd, %ci : i8
  %st, %se = cond_br %odd, %si : none
  %big = arith.muli %xt, %three : i16
  %up = arith.addi %big, %one : i16
  %down = arith.shrui %xe, %one : i16
  %back, %way = control_merge %se, %st : none, index
  %next = mux %way [%down, %up] : index, i16
  %ticks = mux %way [%ce, %ct] : index, i8
  %unit = constant %source {value = 1 : i8} : i8
  %counted = arith.addi %ticks, %unit : i8
  return %co, %so : i8, none
}",
        inputs: &[("n", 40), ("start", 1)],
        meaning: |t| {
            let (mut x, mut count) = (t[0], 0);
            while x > 1 {
                x = match x % 2 {
                    0 => x / 2,
                    _ => 3 * x + 1,
                };
                count += 1;
            }
            vec![count, 0]
        },
    },
    // Only the control token starts the loop: it counts to 3, once for each call.
    Case {
        text: "handshake.func @t(%start: none) -> (i8, none) {
  %zero = constant %start {value = 0 : i8} : i8
  %end = constant %start {value = 3 : i8} : i8
  %one = constant %start {value = 1 : i8} : i8
  %go = buffer [1] seq %again {initValues = [0]} : i1
  %ctl = mux %go [%start, %back] : i1, none
  %i = mux %go [%zero, %next] : i1, i8
  %n = mux %go [%end, %n_at] : i1, i8
  %step = mux %go [%one, %step_at] : i1, i8
  %again = arith.cmpi ult, %i, %n : i8
  %back, %done = cond_br %again, %ctl : none
  %at, %last = cond_br %again, %i : i8
  %n_at, %n_gone = cond_br %again, %n : i8
  %step_at, %step_gone = cond_br %again, %step : i8
  %next = arith.addi %at, %step_at : i8
  return %last, %done : i8, none
}",
        inputs: &[("start", 1)],
        meaning: |_| vec![3, 0],
    },
    // Maps a number to one of three by two conditions; the second is evaluated only if the first is false. The index is also an
    // output.
    Case {
        text: "handshake.func @t(%a: i8, %start: none) -> (i8, i2, none) {
  %source = source
  %ten = constant %source {value = 10 : i8} : i8
  %hundred = constant %source {value = 100 : i8} : i8
  %small = arith.cmpi ult, %a, %ten : i8
  %as, %al = cond_br %small, %a : i8
  %ss, %sl = cond_br %small, %start : none
  %medium = arith.cmpi ult, %al, %hundred : i8
  %am, %ab = cond_br %medium, %al : i8
  %sm, %sb = cond_br %medium, %sl : none
  %less = arith.subi %ab, %hundred : i8
  %more = arith.addi %as, %ten : i8
  %ctl, %index = control_merge %sm, %ss, %sb : none, i2
  %x = mux %index [%am, %more, %less] : i2, i8
  return %x, %index, %ctl : i8, i2, none
}",
        inputs: &[("a", 256), ("start", 1)],
        meaning: |t| match t[0] {
            a @ ..10 => vec![a + 10, 1, 0],
            a @ ..100 => vec![a, 0, 0],
            a => vec![a - 100, 2, 0],
        },
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
    let cases = CASES.iter().chain(OF_BLOCKS);
    for (case, keep_buffers) in cases.flat_map(|case| [(case, true), (case, false)]) {
        let text = case.text;
        let config = Config {
            keep_buffers,
            ..Config::default()
        };
        let graph = graph(text, &config).unwrap_or_else(|why| panic!("{text}\n{why}"));
        let context = sluice_dialects::context();
        let mut found = Diagnostics::new();
        let circuit = parse_module(&context, &graph.circuit.text(), "c.mlir", &mut found);
        let circuit = circuit.unwrap_or_else(|| panic!("{}", found.to_text(&context)));
        let streams = Streams::new(&context, &circuit, "t");
        let mut streams = streams.unwrap_or_else(|why| panic!("{text}\n{why}"));
        for (seed, (offer, take)) in (0..).zip(PACES) {
            let mut random = Random::new(seed);
            let tuples: Vec<Vec<u64>> = (0..N_TOKENS)
                .map(|_| case.inputs.iter().map(|(_, n)| random.below(*n)).collect())
                .collect();
            let column = |tuples: &[Vec<u64>], at: usize| -> Vec<u64> {
                tuples.iter().map(|tuple| tuple[at]).collect()
            };
            let names = case.inputs.iter().map(|(name, _)| *name).enumerate();
            let tokens: Vec<(&str, Vec<u64>)> = names
                .map(|(at, name)| (name, column(&tuples, at)))
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
            let expected: Vec<Vec<u64>> = tuples.iter().map(|t| (case.meaning)(t)).collect();
            for at in 0..expected[0].len() {
                let found = seen.data(&format!("out{at}"));
                assert_eq!(found, column(&expected, at), "{text}\n{traffic:?}: out{at}");
            }
        }
    }
}

/// Merges whose tokens arrive in a known order become muxes controlled by conditions, so the graph is proved to be free of
/// deadlocks.
#[test]
fn merges_of_blocks_become_choices() {
    for case in OF_BLOCKS {
        let made = graph(case.text, &Config::default()).expect("it has a circuit");
        assert!(!made.graph.contains("merge"), "{}", made.graph);
        assert!(made.proof().is_some(), "{}\n{}", case.text, made.warnings);
        assert!(
            !made.warnings.contains("not simplified"),
            "{}",
            made.warnings
        );
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
    let config_for = |top: &str| Config {
        top: Some(top.to_owned()),
        ..Config::default()
    };
    let chosen = graph(text, &config_for("two")).expect("it has a circuit");
    // Choosing one graph explicitly gives no remark about the other one.
    assert_eq!(
        (chosen.circuit.top.as_str(), chosen.warnings.as_str()),
        ("two", "")
    );
    let apart = text.replace("instance @two(%a) : (i8) -> i8", "br %a : i8");
    let chosen = graph(&apart, &Config::default()).expect("it has a circuit");
    assert_eq!(chosen.circuit.top, "two");
    let expected = "graph.mlir:1:1: remark: `@one` is not compiled, the graph is `@two`";
    assert!(chosen.warnings.contains(expected), "{}", chosen.warnings);
    let why = graph(text, &config_for("tow"))
        .err()
        .expect("there is none");
    assert_eq!(
        why,
        "graph.mlir: error: there is no `handshake.func @tow` with a body; did you mean `two`?\n"
    );
    // A private graph is chosen only if there is no other; no remark tells that it is left out.
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

/// Only one side of a conditional gets a token, so an operation that needs both waits for ever. There is a warning, and the
/// circuit is still built.
#[test]
fn a_graph_that_can_deadlock_has_a_warning() {
    let text = "handshake.func @t(%a: i1, %b: i8) -> i8 {
  %c, %d = cond_br %a, %b : i8
  %e = arith.addi %c, %d : i8
  return %e : i8
}
";
    // An attribute in the text that claims a proof is ignored.
    let claimed = text.replace(
        " {\n  %c",
        " attributes {sluice.deadlock_free = \"proved: by hand\"} {\n  %c",
    );
    assert_ne!(claimed, text);
    for text in [text, &claimed] {
        warns_of_a_deadlock(text);
    }
}

/// A loop of buffers without an initial token never gets one. There is a warning.
#[test]
fn a_cycle_of_buffers_is_a_warning() {
    let text = "handshake.func @t(%a: i8, %b: i8) -> i8 {
  %s = buffer [1] fifo %r : i1
  %r = buffer [1] seq %s : i1
  %x = mux %s [%a, %b] : i1, i8
  return %x : i8
}
";
    warns_of_a_deadlock(text);
}

/// Checks that a graph gives a circuit, no proof, and a warning.
fn warns_of_a_deadlock(text: &str) {
    let made = graph(text, &Config::default()).expect("it has a circuit");
    assert_eq!(made.proof(), None);
    assert!(
        made.warnings.contains("warning: deadlock"),
        "{}",
        made.warnings
    );
}
