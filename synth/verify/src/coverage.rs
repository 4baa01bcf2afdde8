//! Coverage of a kernel by its data: branches, selections and loops of the source, states of the controllers, toggled bits of the
//! circuit.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sluice_dialects::{affine, affine::constant_trip_count, arith, cf, func, scf};
use sluice_ir::{Exact, View};
use sluice_kernel::compiled::Compiled;
use sluice_sim::cycle::{Controller, CycleSimulator, Toggles};
use sluice_sim::interpreter::{Interpreter, Outcomes};
use sluice_transform::trip_count;

use crate::data::Case;

/// One possible outcome of a branch, selection or loop.
struct Outcome {
    /// The operation, with its location.
    of: String,
    /// The outcome.
    way: String,
    /// Number of times that it occurred.
    count: u64,
}

/// The coverage of any number of runs.
#[derive(Default)]
pub struct Coverage {
    outcomes: Outcomes,
    toggles: Toggles,
    n_runs: usize,
}

/// Maximum number of signals with untoggled bits that a text lists.
const MAX_SIGNALS: usize = 20;

/// The coverage of one kind of item: covered items, all items, and the names of those not covered.
struct Part {
    name: &'static str,
    done: usize,
    all: usize,
    missing: Vec<String>,
}

impl Coverage {
    /// Adds a recorded run of a kernel.
    pub fn look(&mut self, compiled: &Compiled, case: &Case, simulator: &mut CycleSimulator) {
        let mut interpreter = Interpreter::new(&compiled.context, &compiled.source);
        interpreter.outcomes = Some(std::mem::take(&mut self.outcomes));
        // A run that ends with an error also covers something.
        let _ = interpreter.run(&compiled.top, &case.arguments);
        self.outcomes = interpreter.outcomes.take().unwrap_or_default();
        self.look_at_circuit(simulator);
    }

    /// Adds a recorded run of a circuit.
    pub fn look_at_circuit(&mut self, simulator: &mut CycleSimulator) {
        self.toggles.look(simulator, 0);
        self.n_runs += 1;
    }

    fn parts(&self, compiled: Option<&Compiled>, simulator: &CycleSimulator) -> Vec<Part> {
        let mut parts = Vec::new();
        if let Some(compiled) = compiled {
            let (branches, loops) = outcomes(compiled, &self.outcomes);
            parts.push(part("branches", branches));
            parts.push(part("loops", loops));
        }
        let mut times = Vec::new();
        for controller in Controller::all(simulator) {
            for (time, signal) in controller.tokens {
                times.push(Outcome {
                    of: controller.name.clone(),
                    way: format!("time {time}"),
                    count: u64::from(self.toggles.is_ever_set(signal, 0)),
                });
            }
        }
        if !times.is_empty() {
            parts.push(part("controllers", times));
        }
        parts.push(self.bits(simulator));
        parts
    }

    fn bits(&self, simulator: &CycleSimulator) -> Part {
        let (mut done, mut all, mut missing) = (0, 0, Vec::new());
        for (index, signal) in simulator.signals().enumerate() {
            let toggles = |bit: &u32| self.toggles.toggles(index, *bit);
            let n_bits = signal.width_bits as usize;
            let n = (0..signal.width_bits).filter(toggles).count();
            all += n_bits;
            done += n;
            if n < n_bits {
                let still: Vec<u32> = (0..signal.width_bits).filter(|b| !toggles(b)).collect();
                missing.push(match n_bits {
                    1 => signal.path(),
                    _ => format!("{}[{}]", signal.path(), ranges(&still)),
                });
            }
        }
        Part {
            name: "bits",
            done,
            all,
            missing,
        }
    }

    /// Formats the coverage, and the names of uncovered items.
    pub fn text(&self, compiled: Option<&Compiled>, simulator: &CycleSimulator) -> String {
        let mut text = format!("coverage of {} runs\n", self.n_runs);
        for part in self.parts(compiled, simulator) {
            let Part {
                name, done, all, ..
            } = part;
            let percent = 100.0 * done as f64 / all.max(1) as f64;
            let _ = writeln!(text, "  {name:<12} {done:>6} of {all:>6}  {percent:>5.1} %");
            for missing in part.missing.iter().take(MAX_SIGNALS) {
                let _ = writeln!(text, "    not: {missing}");
            }
            if let Some(more) = part.missing.len().checked_sub(MAX_SIGNALS)
                && more > 0
            {
                let _ = writeln!(text, "    and {more} more");
            }
        }
        text
    }

    /// Returns the complete coverage as JSON.
    pub fn to_json(&self, compiled: Option<&Compiled>, simulator: &CycleSimulator) -> Value {
        let parts = self.parts(compiled, simulator).into_iter();
        let parts = parts.map(|part| {
            let Part {
                name,
                done,
                all,
                missing,
            } = part;
            (
                name.to_owned(),
                json!({"done": done, "all": all, "missing": missing}),
            )
        });
        json!({"runs": self.n_runs, "coverage": parts.collect::<serde_json::Map<_, _>>()})
    }
}

fn part(name: &'static str, outcomes: Vec<Outcome>) -> Part {
    let missing = outcomes.iter().filter(|outcome| outcome.count == 0);
    let missing: Vec<String> = missing
        .map(|Outcome { of, way, .. }| format!("{of}: {way}"))
        .collect();
    Part {
        name,
        done: outcomes.len() - missing.len(),
        all: outcomes.len(),
        missing,
    }
}

/// Formats numbers, with consecutive ones as a range, the highest first, as in Verilog.
fn ranges(numbers: &[u32]) -> String {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for number in numbers.iter().rev() {
        match found.last_mut() {
            Some((_, low)) if *low == number + 1 => *low = *number,
            _ => found.push((*number, *number)),
        }
    }
    let texts = found.iter().map(|(high, low)| match high == low {
        true => high.to_string(),
        false => format!("{high}:{low}"),
    });
    texts.collect::<Vec<_>>().join(",")
}

/// Returns every possible outcome of branches and selections, and of loops of the source.
fn outcomes(compiled: &Compiled, seen: &Outcomes) -> (Vec<Outcome>, Vec<Outcome>) {
    let (mut branches, mut loops) = (Vec::new(), Vec::new());
    let inner = compiled.source.inner();
    for function in compiled.source.top_level_operations() {
        let function = View::new(&compiled.context, inner, function);
        if function.name() != func::Func::NAME {
            continue;
        }
        let body = function.inner();
        for op in body.walk_all() {
            let op = View::new(&compiled.context, body, op);
            let place = match op.location().file_line_column(op.context) {
                Some((file, line, column)) => format!("{file}:{line}:{column}"),
                None => "unknown place".to_owned(),
            };
            let of = format!("{place}: {}", op.name());
            let add = |list: &mut Vec<Outcome>, ways: &[&str], first: usize| {
                for (at, way) in ways.iter().enumerate() {
                    list.push(Outcome {
                        of: of.clone(),
                        way: (*way).to_owned(),
                        count: seen.count(op, first + at),
                    });
                }
            };
            match op.name() {
                scf::If::NAME | affine::If::NAME | cf::CondBr::NAME => {
                    add(
                        &mut branches,
                        &["the condition holds", "it does not hold"],
                        0,
                    );
                }
                arith::Select::NAME => {
                    let ways = ["the first is chosen", "the second is chosen"];
                    add(&mut branches, &ways, 0);
                }
                cf::Switch::NAME | scf::IndexSwitch::NAME => {
                    let n_cases = match op.name() {
                        cf::Switch::NAME => op.successors().len(),
                        _ => op.regions().len(),
                    };
                    let names: Vec<String> = (1..n_cases).map(|n| format!("case {n}")).collect();
                    let mut ways = vec!["the default"];
                    ways.extend(names.iter().map(String::as_str));
                    add(&mut branches, &ways, 0);
                }
                scf::For::NAME | affine::For::NAME | scf::While::NAME => {
                    let ways = ["no iteration", "one iteration", "several iterations"];
                    match known_trip_count(op) {
                        Some(n) => {
                            let at = n.min(2);
                            add(&mut loops, &ways[at..=at], at);
                        }
                        None => add(&mut loops, &ways, 0),
                    }
                }
                _ => {}
            }
        }
    }
    (branches, loops)
}

/// Iterations of a loop whose bounds are constants, at most 2.
pub(crate) fn known_trip_count(op: View<'_>) -> Option<usize> {
    let found = match op.name() {
        affine::For::NAME => constant_trip_count(op),
        _ => trip_count(op.context, op.body, op.id),
    };
    found?.min(Exact::from(2)).to_usize()
}
