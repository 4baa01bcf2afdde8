//! Stall analysis: attributes each cycle of a run to an iteration that begins, an operation that runs, or the cause of a stall.

mod network;
mod schedule;

use std::fmt::Write as _;

use serde_json::{Value, json};
use sluice_kernel::compiled::Compiled;
use sluice_sim::cycle::CycleSimulator;
use sluice_verify::data::Case;

use crate::traffic::Traffic;

/// The use of a cycle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Use {
    /// An iteration of a pipelined loop begins.
    Begins,
    /// Operations of a block without pipelining begin.
    Runs,
    /// A pipelined loop waits for its next iteration: its II is above 1.
    Between,
    /// The last iterations of a pipelined loop finish.
    Drains,
    /// The block waits for an operation that began earlier.
    Waits,
    /// The controller goes from one block to another.
    Control,
    /// The cycle of `done`.
    Done,
    /// A loop of an elastic circuit waits for a value of the previous iteration.
    Recurs,
    /// It waits for a decision: whether there is another iteration, or which way a token takes.
    Decides,
    /// It waits for an operand.
    Lacks,
    /// It waits for a memory port that another access uses.
    Port,
    /// Its output is not accepted (back-pressure).
    Blocked,
    /// It waits for an inner loop.
    Nested,
    /// It is not active: no token has entered it, or its last iteration has begun.
    Outside,
}

impl Use {
    /// Returns whether the cycle was not stalled.
    pub fn is_work(self) -> bool {
        matches!(self, Self::Begins | Self::Runs)
    }
}

/// Cycles with the same use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    /// The loop, conditional or function.
    pub block: String,
    /// The use of the cycles.
    pub of: Use,
    /// Description of the use, with the cause of the stall.
    pub words: String,
    /// Number of cycles.
    pub n_cycles: u64,
}

/// Consecutive cycles with the same use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    share: usize,
    /// First cycle, from the start of the kernel.
    from: u64,
    n_cycles: u64,
}

/// The uses of cycles by one loop of an elastic circuit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopUse {
    /// Title of the loop.
    pub title: String,
    /// The shares, whose cycles add up to those of the runs.
    pub shares: Vec<Share>,
}

/// Consecutive cycles in which a block was active.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Activation {
    block: String,
    /// Displayed name.
    name: String,
    from: u64,
    n_cycles: u64,
}

const DONE: &str = "`done` is 1";

/// The stall analysis of runs of a kernel.
#[derive(Default)]
pub struct Stalls {
    /// The shares, whose cycles add up to those of the runs.
    pub shares: Vec<Share>,
    spans: Vec<Span>,
    /// The loops of an elastic circuit, which are active at the same time.
    pub loops: Vec<LoopUse>,
    /// The number of tokens in the buffers of an elastic circuit.
    pub traffic: Option<Traffic>,
    activations: Vec<Activation>,
    /// Cycles of all analysed runs.
    pub n_cycles: u64,
    /// Number of analysed runs.
    pub n_runs: u64,
}

impl Stalls {
    /// Analyses the last `n_cycles` of a recorded run of a data set.
    ///
    /// # Errors
    /// The reason why the graph of an elastic circuit behaves differently.
    pub fn look(
        &mut self,
        compiled: &Compiled,
        case: &Case,
        simulator: &mut CycleSimulator,
        n_cycles: u64,
    ) -> Result<(), String> {
        self.n_runs += 1;
        let Some(function) = crate::dataflow::function(compiled) else {
            self.look_at_schedule(compiled, simulator, n_cycles);
            return Ok(());
        };
        self.look_at_graph(compiled, function, case, n_cycles)
    }

    fn activate(&mut self, block: &str, from: u64, n_cycles: u64) {
        self.activations.push(Activation {
            block: block.to_owned(),
            name: block.to_owned(),
            from,
            n_cycles,
        });
    }

    /// Adds the next `n_cycles` to a share.
    fn add(&mut self, share: usize, n_cycles: u64) {
        self.shares[share].n_cycles += n_cycles;
        match self.spans.last_mut() {
            Some(last) if last.share == share => last.n_cycles += n_cycles,
            _ => self.spans.push(Span {
                share,
                from: self.n_cycles,
                n_cycles,
            }),
        }
        self.n_cycles += n_cycles;
    }

    /// Formats a table, the largest shares first; and one for each loop of an elastic circuit.
    pub fn text(&self) -> String {
        let mut text = String::from("    cycles   share  what they were spent on\n");
        text += &self.table(&self.shares, true);
        let works = worked(&self.shares);
        let (all, percent) = (self.n_cycles, self.percent(works));
        let _ = writeln!(
            text,
            "{all:>10} in all; in {percent:.1} % of them work begins"
        );
        for LoopUse { title, shares } in &self.loops {
            let _ = writeln!(text, "\n    cycles   share  {title}");
            text += &self.table(shares, false);
        }
        text + &self
            .traffic
            .as_ref()
            .map_or_else(String::new, Traffic::text)
    }

    /// Returns for each `n_cycles` in turn the shares with their numbers of cycles.
    pub(crate) fn over_time(&self, n_cycles: u64) -> Vec<Vec<(usize, u64)>> {
        let mut found: Vec<Vec<(usize, u64)>> = Vec::new();
        let mut room = 0;
        for span in &self.spans {
            let mut left = span.n_cycles;
            while left > 0 {
                if room == 0 {
                    found.push(Vec::new());
                    room = n_cycles.max(1);
                }
                let part = left.min(room);
                found
                    .last_mut()
                    .expect("one was just added")
                    .push((span.share, part));
                left -= part;
                room -= part;
            }
        }
        found
    }

    fn percent(&self, n: u64) -> f64 {
        100.0 * n as f64 / self.n_cycles.max(1) as f64
    }

    fn table(&self, shares: &[Share], with_block: bool) -> String {
        let mut text = String::new();
        let mut shares: Vec<&Share> = shares.iter().collect();
        shares.sort_by_key(|share| std::cmp::Reverse(share.n_cycles));
        for Share {
            block,
            words,
            n_cycles,
            ..
        } in shares
        {
            let percent = self.percent(*n_cycles);
            let _ = write!(text, "{n_cycles:>10} {percent:>5.1} %  ");
            let _ = match with_block {
                true => writeln!(text, "{block}: {words}"),
                false => writeln!(text, "{words}"),
            };
        }
        text
    }

    /// Returns the run as a trace for Perfetto and Chrome: 1 µs is a cycle.
    pub fn trace(&self, top: &str) -> Value {
        let mut names = vec!["cycles".to_owned()];
        let mut events = Vec::new();
        for span in &self.spans {
            let share = &self.shares[span.share];
            let name = format!("{}: {}", share.block, share.words);
            let (ts, dur) = (span.from, span.n_cycles);
            events.push(json!({"ph": "X", "pid": 1, "tid": 0, "name": name, "ts": ts, "dur": dur}));
        }
        for Activation {
            block,
            name,
            from,
            n_cycles,
        } in &self.activations
        {
            let known = names.iter().position(|name| name == block);
            let track = known.unwrap_or_else(|| {
                names.push(block.clone());
                names.len() - 1
            });
            events.push(json!({"ph": "X", "pid": 1, "tid": track, "name": name, "ts": from, "dur": n_cycles}));
        }
        let say = |what: &str, track: usize, name: &str| json!({"ph": "M", "pid": 1, "tid": track, "name": what, "args": {"name": name}});
        let mut all = vec![say("process_name", 0, top)];
        for (track, name) in names.iter().enumerate() {
            all.push(say("thread_name", track, name));
        }
        all.extend(events);
        json!({"displayTimeUnit": "ms", "traceEvents": all})
    }
}

/// Returns the cycles in which something begins.
fn worked(shares: &[Share]) -> u64 {
    let works = shares.iter().filter(|share| share.of.is_work());
    works.map(|share| share.n_cycles).sum()
}

/// Returns the index of a share, which is created if there is none.
fn share(shares: &mut Vec<Share>, block: &str, of: Use, words: String) -> usize {
    let mut known = shares.iter();
    let known = known.position(|s| s.block == block && s.of == of && s.words == words);
    known.unwrap_or_else(|| {
        shares.push(Share {
            block: block.to_owned(),
            of,
            words,
            n_cycles: 0,
        });
        shares.len() - 1
    })
}
