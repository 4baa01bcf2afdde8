//! Random acyclic graphs: every output gives the tokens that the operations compute from the input tokens.

use std::fmt::Write as _;

use sluice_testbenches::streams::{Random, Streams, Traffic};
use sluice_testbenches::sweep;

use crate::elastic_circuits::compiled;

const N_TOKENS: usize = 30;
const N_OPERATIONS: u64 = 25;
const N_GRAPHS: u64 = 12;

/// A channel of `i8` without a consumer, and its tokens.
type Open = (String, Vec<u64>);

/// A graph under construction.
struct Graph {
    random: Random,
    text: String,
    open: Vec<Open>,
    n_values: usize,
}

impl Graph {
    fn take(&mut self) -> Open {
        let n = self.open.len() as u64;
        let at = usize::try_from(self.random.below(n)).expect("there are few");
        self.open.swap_remove(at)
    }

    fn name(&mut self) -> String {
        self.n_values += 1;
        format!("%v{}", self.n_values)
    }

    fn fork(&mut self) {
        let (x, tokens) = self.take();
        let y = self.name();
        let _ = writeln!(self.text, "{y}:2 = fork [2] {x} : i8");
        self.open.push((format!("{y}#0"), tokens.clone()));
        self.open.push((format!("{y}#1"), tokens));
    }

    fn buffered(&mut self, x: &str) -> String {
        let y = self.name();
        let slots = 1 + self.random.below(6);
        let (kind, cut) = match self.random.below(3) {
            0 => ("seq", ""),
            1 => ("seq", " {sluice.cut = \"data\"}"),
            _ => ("fifo", ""),
        };
        let _ = writeln!(self.text, "{y} = buffer [{slots}] {kind} {x}{cut} : i8");
        y
    }

    fn operation(&mut self) {
        let ((a, left), (b, right)) = (self.take(), self.take());
        let y = self.name();
        let (name, latency, of): (_, _, fn(u64, u64) -> u64) = match self.random.below(4) {
            0 => ("addi", self.random.below(3), |a, b| a + b),
            1 => ("xori", 0, |a, b| a ^ b),
            2 => ("muli", self.random.below(4), |a, b| a * b),
            _ => ("divui", 9, |a, b| a.checked_div(b).unwrap_or(255)),
        };
        let unit = match (name, latency) {
            ("muli", 3) => Some(self.random.below(2)),
            ("divui", _) if self.random.below(2) == 0 => Some(2),
            _ => None,
        };
        let turns = unit.map_or_else(String::new, |unit| {
            let credits = 1 + self.random.below(4);
            format!(", sluice.shared = {unit} : i64, sluice.credits = {credits} : i64")
        });
        let _ = writeln!(
            self.text,
            "{y} = arith.{name} {a}, {b} {{sluice.latency = {latency} : i64{turns}}} : i8"
        );
        let both = left.iter().zip(&right);
        self.open
            .push((y, both.map(|(a, b)| of(*a, *b) & 255).collect()));
    }

    /// Adds a conditional: each token takes one of two paths, and one of them adds 5.
    fn diamond(&mut self) {
        let ((c, conditions), (x, tokens)) = (self.take(), self.take());
        let [bit, bits, yes, no, always, five, more, y] = [0; 8].map(|_| self.name());
        let _ = writeln!(
            self.text,
            "{bit} = arith.trunci {c} : i8 to i1\n{bits}:2 = fork [2] {bit} : i1\n{yes}, {no} = cond_br {bits}#0, {x} : i8"
        );
        let yes = match self.random.below(2) {
            0 => self.buffered(&yes),
            _ => yes,
        };
        let _ = writeln!(
            self.text,
            "{always} = source\n{five} = constant {always} {{value = 5 : i8}} : i8\n{more} = arith.addi {no}, {five} : i8\n\
             {y} = mux {bits}#1 [{more}, {yes}] : i1, i8"
        );
        let both = conditions.iter().zip(&tokens);
        let result = both.map(|(c, x)| if c & 1 == 1 { *x } else { (x + 5) & 255 });
        self.open.push((y, result.collect()));
    }

    fn step(&mut self) {
        match (self.random.below(8), self.open.len()) {
            (0..=1, _) | (_, 1) => self.fork(),
            (2..=3, _) => {
                let (x, tokens) = self.take();
                let y = self.buffered(&x);
                self.open.push((y, tokens));
            }
            (4..=5, _) => self.operation(),
            _ => self.diamond(),
        }
    }
}

#[test]
fn random_graphs_give_the_tokens_they_mean() {
    for seed in 0..sweep::cases(N_GRAPHS) {
        let mut random = Random::new(seed);
        let inputs = [0; 3].map(|_| (0..N_TOKENS).map(|_| random.below(256)).collect());
        let names = ["a", "b", "c"];
        let open = names.iter().zip(&inputs);
        let mut graph = Graph {
            text: String::new(),
            open: open
                .map(|(name, tokens): (_, &Vec<u64>)| (format!("%{name}"), tokens.clone()))
                .collect(),
            n_values: 0,
            random,
        };
        for _ in 0..N_OPERATIONS {
            graph.step();
        }
        let results: Vec<&str> = graph.open.iter().map(|(name, _)| name.as_str()).collect();
        let types = vec!["i8"; results.len()].join(", ");
        let text = format!(
            "handshake.func @t(%a: i8, %b: i8, %c: i8) -> ({types}) {{\n{}return {} : {types}\n}}\n",
            graph.text,
            results.join(", ")
        );
        let (context, circuits) = compiled(&text).unwrap_or_else(|why| panic!("{text}\n{why}"));
        let mut streams = Streams::new(&context, &circuits, "t").expect("it is simulated");
        for (offer, take) in [(16, 16), (9, 9), (16, 5)] {
            let traffic = Traffic { offer, take, seed };
            let tokens: Vec<(&str, &[u64])> = names
                .iter()
                .copied()
                .zip(inputs.iter().map(Vec::as_slice))
                .collect();
            let seen = streams.run(&tokens, &[], traffic, 3000);
            let seen = seen.unwrap_or_else(|why| panic!("{text}\n{traffic:?}: {why}"));
            for (i, (_, expected)) in graph.open.iter().enumerate() {
                let found = seen.data(&format!("out{i}"));
                assert_eq!(found, *expected, "{text}\nout{i}, {traffic:?}");
            }
        }
    }
}
