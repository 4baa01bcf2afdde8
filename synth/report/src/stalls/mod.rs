//! Where the cycles of a run went: each to an iteration that begins, to an operation that runs, or to what held it.

mod network;
mod schedule;

use std::fmt::Write as _;

use serde_json::{Value, json};
use sluice_kernel::compiled::Compiled;
use sluice_sim::cycle::CycleSimulator;
use sluice_verify::data::Case;

use crate::traffic::Traffic;

/// What a cycle is spent on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Use {
    /// An iteration of a pipelined loop begins.
    Begins,
    /// Operations of a block that is not pipelined begin.
    Runs,
    /// A pipelined loop waits for its next iteration: its II is above 1.
    Between,
    /// The last iterations of a pipelined loop end.
    Drains,
    /// An operation that began earlier is waited for.
    Waits,
    /// The controller goes from one block to another.
    Control,
    /// `done` is said.
    Done,
    /// A loop of an elastic circuit waits for what an iteration gives the next one.
    Recurs,
    /// It waits for a choice: whether there is another iteration, or which way a token goes.
    Decides,
    /// It waits for an operand.
    Lacks,
    /// It waits for a port of a memory that another access has.
    Port,
    /// What it gives is not taken.
    Blocked,
    /// It waits for a loop in it.
    Nested,
    /// It is not under way: nothing has entered it, or its last iteration has begun.
    Outside,
}

impl Use {
    /// Whether the cycle was not held by anything.
    pub fn is_work(self) -> bool {
        matches!(self, Self::Begins | Self::Runs)
    }
}

/// Cycles that were spent on the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    /// The loop, conditional or function.
    pub block: String,
    /// What on.
    pub of: Use,
    /// The same in words, with what it was held by.
    pub words: String,
    /// How many.
    pub n_cycles: u64,
}

/// Cycles in a row that were spent on the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    share: usize,
    /// First cycle, from the start of the kernel.
    from: u64,
    n_cycles: u64,
}

/// What the cycles were for one loop of an elastic circuit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopUse {
    /// The loop.
    pub title: String,
    /// The shares, whose cycles together are those of the runs.
    pub shares: Vec<Share>,
}

/// Cycles in a row in which a block was under way.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Activation {
    block: String,
    /// What is shown.
    name: String,
    from: u64,
    n_cycles: u64,
}

const DONE: &str = "`done` is said";

/// A run of a kernel, cycle by cycle.
#[derive(Default)]
pub struct Stalls {
    /// The shares, whose cycles together are those of the runs.
    pub shares: Vec<Share>,
    spans: Vec<Span>,
    /// The loops of an elastic circuit, which are under way at the same time.
    pub loops: Vec<LoopUse>,
    /// How full the buffers of an elastic circuit were.
    pub traffic: Option<Traffic>,
    activations: Vec<Activation>,
    /// Cycles of all runs that were looked at.
    pub n_cycles: u64,
}

impl Stalls {
    /// Looks at a run of a data set that was recorded, at its last so many cycles.
    ///
    /// # Errors
    /// Why the graph of an elastic circuit does not do the same.
    pub fn look(
        &mut self,
        compiled: &Compiled,
        case: &Case,
        simulator: &mut CycleSimulator,
        n_cycles: u64,
    ) -> Result<(), String> {
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

    /// The next so many cycles belong to a share.
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

    /// A table, the largest shares first; and one for each loop of an elastic circuit.
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

    /// The run as a trace that Perfetto and Chrome open: 1 µs is a cycle.
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

/// Cycles in which something begins.
fn worked(shares: &[Share]) -> u64 {
    let works = shares.iter().filter(|share| share.of.is_work());
    works.map(|share| share.n_cycles).sum()
}

/// The number of a share, which is made if there is none.
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
