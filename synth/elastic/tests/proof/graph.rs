//! Generates small random graphs, as text and as a list of operations for the brute-force reference model.

use std::fmt::Write as _;

/// An operation of a random graph.
#[derive(Clone, Debug)]
pub enum Op {
    /// Two outputs.
    Fork,
    /// Select, then the data for 0 and 1.
    Mux,
    /// Condition and data; outputs for 1 and 0.
    Branch,
    /// The conjunction of both bits.
    And,
    /// An unconstrained bit.
    Compare,
    Fifo(usize),
    /// Registers of one slot if `is_cut`, else of two slots, with initial tokens.
    Row {
        n: usize,
        is_cut: bool,
        initial: Vec<bool>,
    },
    Sink,
    /// All inputs; the result is returned.
    End,
}

/// Channels 0 and 1 are arguments of one bit, 2 is the start.
#[derive(Clone, Debug)]
pub struct Graph {
    pub n_channels: usize,
    pub ops: Vec<(Op, Vec<usize>, Vec<usize>)>,
}

/// A pseudo-random number generator; G. Marsaglia, Xorshift RNGs, 2003.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 20) % u64::try_from(n).expect("small")).expect("small")
    }
}

fn buffer(random: &mut Random, may_hold: bool) -> Op {
    match random.below(3) {
        0 if !may_hold => Op::Fifo(1 + random.below(2)),
        kind => {
            let n = 1 + random.below(2);
            let n_initial = if may_hold { random.below(n + 1) } else { 0 };
            Op::Row {
                n,
                is_cut: kind == 1,
                initial: (0..n_initial).map(|_| random.below(2) == 1).collect(),
            }
        }
    }
}

/// Generates a graph of 3 to 9 operations besides those that terminate it.
pub fn random_graph(random: &mut Random) -> Graph {
    loop {
        if let Some(graph) = closed_graph(random) {
            return graph;
        }
    }
}

/// Generates a graph, unless no open channel is left for a back edge.
fn closed_graph(random: &mut Random) -> Option<Graph> {
    let mut graph = Graph {
        n_channels: 3,
        ops: Vec::new(),
    };
    let mut open = vec![0, 1];
    // Back-edge channels: outputs of buffers whose inputs are chosen at the end.
    let n_back = random.below(3);
    let mut backs = Vec::new();
    for _ in 0..n_back {
        backs.push((graph.n_channels, buffer(random, true)));
        open.push(graph.n_channels);
        graph.n_channels += 1;
    }
    for _ in 0..3 + random.below(7 - n_back) {
        let mut take = |open: &mut Vec<usize>| match open.is_empty() {
            true => None,
            false => Some(open.swap_remove(random.below(open.len()))),
        };
        let (a, b, c) = (take(&mut open), take(&mut open), take(&mut open));
        let give_back = |open: &mut Vec<usize>, channels: &[Option<usize>]| {
            open.extend(channels.iter().flatten())
        };
        let Some(a) = a else {
            break;
        };
        let (op, inputs, n_outputs) = match (random.below(12), b, c) {
            (0..=2, Some(b), Some(c)) => (Op::Mux, vec![a, b, c], 1),
            (3..=4, Some(b), _) => {
                give_back(&mut open, &[c]);
                (Op::Branch, vec![a, b], 2)
            }
            (5, Some(b), _) => {
                give_back(&mut open, &[c]);
                (Op::And, vec![a, b], 1)
            }
            (6, Some(b), _) => {
                give_back(&mut open, &[c]);
                (Op::Compare, vec![a, b], 1)
            }
            (0..=9, _, _) => {
                give_back(&mut open, &[b, c]);
                (Op::Fork, vec![a], 2)
            }
            _ => {
                give_back(&mut open, &[b, c]);
                let may_hold = random.below(6) == 0;
                (buffer(random, may_hold), vec![a], 1)
            }
        };
        let outputs: Vec<usize> = (graph.n_channels..graph.n_channels + n_outputs).collect();
        graph.n_channels += n_outputs;
        open.extend(&outputs);
        graph.ops.push((op, inputs, outputs));
    }
    for (output, op) in backs {
        let at = open.iter().rposition(|channel| *channel != output)?;
        let input = open.remove(at);
        graph.ops.push((op, vec![input], vec![output]));
    }
    finish(&mut graph, open, random);
    Some(graph)
}

/// Adds sinks and the end for open channels.
fn finish(graph: &mut Graph, open: Vec<usize>, random: &mut Random) {
    let mut ends = vec![2];
    for channel in open {
        match random.below(2) {
            0 => graph.ops.push((Op::Sink, vec![channel], Vec::new())),
            _ => ends.push(channel),
        }
    }
    graph.ops.push((Op::End, ends, vec![graph.n_channels]));
    graph.n_channels += 1;
}

/// Generates a loop as the lowering does, with random changes: buffers, initial tokens, or two swapped inputs.
pub fn changed_loop(random: &mut Random) -> Graph {
    let any = |random: &mut Random| match random.below(6) {
        0 => Op::Fifo(1),
        1 => Op::Fifo(2),
        2 => Op::Row {
            n: 1,
            is_cut: true,
            initial: Vec::new(),
        },
        _ => Op::Row {
            n: 1,
            is_cut: false,
            initial: Vec::new(),
        },
    };
    let register = Op::Row {
        n: 1,
        is_cut: true,
        initial: vec![false; usize::from(random.below(8) > 0)],
    };
    // Channel 0 enters the loop; 1 is used after the loop; the condition depends on the carried value.
    let mut ops = vec![
        (Op::Fork, vec![3], vec![4, 5]),
        (Op::Mux, vec![4, 0, 6], vec![7]),
        (any(random), vec![7], vec![8]),
        (Op::Fork, vec![8], vec![9, 10]),
        (Op::Fork, vec![9], vec![11, 12]),
        (Op::Compare, vec![11, 12], vec![13]),
        (Op::Fork, vec![13], vec![14, 15]),
        (register, vec![14], vec![3]),
        (Op::Fork, vec![15], vec![16, 17]),
        (any(random), vec![10], vec![18]),
        (Op::Branch, vec![16, 18], vec![19, 20]),
        (any(random), vec![19], vec![6]),
        // A second loop value, from and to the outside.
        (Op::Mux, vec![5, 1, 21], vec![22]),
        (any(random), vec![22], vec![25]),
        (any(random), vec![25], vec![23]),
        (Op::Branch, vec![17, 23], vec![21, 24]),
    ];
    if random.below(3) == 0 {
        let (i, k) = (random.below(ops.len()), random.below(ops.len()));
        let (a, b) = (ops[i].1[0], ops[k].1[0]);
        ops[i].1[0] = b;
        ops[k].1[0] = a;
    }
    if random.below(3) == 0 {
        let k = random.below(ops.len());
        ops[k].2.reverse();
    }
    let mut graph = Graph {
        n_channels: 26,
        ops,
    };
    graph.ops.push((Op::End, vec![2, 20, 24], vec![26]));
    graph.n_channels += 1;
    graph
}

impl Graph {
    /// Returns the graph as text.
    pub fn text(&self) -> String {
        let mut text = "handshake.func @g(%c0: i1, %c1: i1, %c2: none, ...) -> (none) attributes {argNames = [\"a\", \"b\", \"start\"], resNames = [\"done\"]} {\n".to_owned();
        for (op, inputs, outputs) in &self.ops {
            let named = |channels: &[usize]| {
                channels
                    .iter()
                    .map(|c| format!("%c{c}"))
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            let (from, to) = (named(inputs), named(outputs));
            let line = match op {
                Op::Fork => format!("{to} = fork [2] {from} : i1"),
                Op::Mux => format!(
                    "{to} = mux %c{} [{}] : i1, i1",
                    inputs[0],
                    named(&inputs[1..])
                ),
                Op::Branch => format!("{to} = cond_br {from} : i1"),
                Op::And => format!("{to} = arith.andi {from} : i1"),
                Op::Compare => format!("{to} = arith.cmpi slt, {from} : i1"),
                Op::Fifo(n) => format!("{to} = buffer [{n}] fifo {from} : i1"),
                Op::Row { n, is_cut, initial } => {
                    let mut attributes = Vec::new();
                    if !initial.is_empty() {
                        let bits: Vec<String> = initial
                            .iter()
                            .map(|bit| u8::from(*bit).to_string())
                            .collect();
                        attributes.push(format!("initValues = [{}]", bits.join(", ")));
                    }
                    if *is_cut {
                        attributes.push("sluice.cut = \"data\"".to_owned());
                    }
                    let attributes = match attributes.is_empty() {
                        true => String::new(),
                        false => format!(" {{{}}}", attributes.join(", ")),
                    };
                    format!("{to} = buffer [{n}] seq {from}{attributes} : i1")
                }
                Op::Sink => format!("sink {from} : i1"),
                Op::End => {
                    let types: Vec<&str> = inputs
                        .iter()
                        .map(|c| if *c == 2 { "none" } else { "i1" })
                        .collect();
                    format!(
                        "{to} = join {from} : {}\n  return {to} : none",
                        types.join(", ")
                    )
                }
            };
            let _ = writeln!(text, "  {line}");
        }
        text + "}\n"
    }
}
