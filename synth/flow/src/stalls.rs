//! Where the cycles of a run went: each to an iteration that begins, to an operation that runs, or to what held it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};
use sluice_ir::{BlockId, OperationId, View};
use sluice_sim::cycle::{Controller, CycleSimulator, Token};

use crate::pipeline::Compiled;
use crate::report::{Row as Scheduled, number, place, rows};

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

/// A run of a kernel, cycle by cycle.
#[derive(Default)]
pub struct Stalls {
    /// The shares, whose cycles together are those of the runs.
    pub shares: Vec<Share>,
    spans: Vec<Span>,
    /// First cycle and number of the cycles in which a block was under way, by its name.
    activations: Vec<(String, u64, u64)>,
    /// Cycles of all runs that were looked at.
    pub n_cycles: u64,
}

/// A block with its tokens.
struct Frame {
    title: String,
    ii: Option<u64>,
    depth: u64,
    /// Why the II is what it is.
    bound: String,
    scheduled: Vec<Scheduled>,
    /// Times and signals.
    tokens: Vec<(u32, usize)>,
}

impl Frame {
    fn of(compiled: &Compiled, controller: Controller) -> Self {
        let Token {
            module,
            frame,
            operation,
            block,
            ..
        } = &controller.of;
        let mut made = Self {
            title: frame.clone(),
            ii: None,
            depth: 0,
            bound: String::new(),
            scheduled: Vec::new(),
            tokens: controller.tokens,
        };
        let symbol = compiled.scheduled.lookup_symbol(&compiled.context, module);
        if let Some(function) = symbol {
            let function = View::new(&compiled.context, compiled.scheduled.inner(), function);
            made.fill(function, *operation, *block);
        }
        if !controller.scope.is_empty() {
            made.title = format!("{} in {}", made.title, controller.scope.join("."));
        }
        made
    }

    /// Takes what the schedule says of the operation with that number, or of the function.
    fn fill(&mut self, function: View<'_>, operation: Option<usize>, block: usize) {
        let body = function.inner();
        let name = function.symbol_name().unwrap_or_default();
        let Some(op) = operation else {
            let top: Vec<BlockId> = body
                .top_regions()
                .flat_map(|region| body.blocks(region).to_vec())
                .collect();
            self.title = match top.len() {
                1 => format!("function @{name}"),
                _ => format!("block {block} of function @{name}"),
            };
            let inside = View::new(function.context, body, OperationId::from_index(0));
            self.scheduled = rows(inside, &top[block..=block], None);
            return;
        };
        let Some(op) = body.walk_all().get(op).copied() else {
            return;
        };
        let op = View::new(function.context, body, op);
        let blocks: Vec<BlockId> = op
            .regions()
            .iter()
            .flat_map(|region| body.blocks(*region).to_vec())
            .collect();
        let ii = number(op, "sluice.ii");
        let variable = blocks.first().and_then(|b| body.arguments(*b).first());
        let variable = variable
            .and_then(|value| body.value_name(*value))
            .map(|name| function.context.text(name));
        let what = match (op.name(), variable, block) {
            ("scf.for", Some(variable), _) => format!("loop %{variable}"),
            ("scf.for", None, _) => "loop".to_owned(),
            ("scf.if", _, 0) => "then".to_owned(),
            ("scf.if", _, _) => "else".to_owned(),
            ("scf.while", _, 0) if ii.is_none() => "condition of the loop".to_owned(),
            _ => "loop".to_owned(),
        };
        self.title = format!("{what} at {}", place(op));
        let unsigned = |n: i64| u64::try_from(n).unwrap_or_default();
        self.ii = ii.map(unsigned);
        self.depth = number(op, "sluice.depth").map_or(0, unsigned);
        let bound = op.attribute("sluice.bound");
        let bound = bound.and_then(|bound| bound.as_str(op.context));
        bound
            .and_then(|bound| bound.lines().next())
            .unwrap_or_default()
            .clone_into(&mut self.bound);
        let of = match ii {
            Some(_) => &blocks[..],
            None => &blocks[block..=block],
        };
        self.scheduled = rows(op, of, ii);
    }

    /// What a cycle at a time of a block that is not pipelined is spent on.
    fn at(&self, time: u32) -> (Use, String) {
        let time = i64::from(time);
        let begins = |row: &&Scheduled| row.start == time && row.class != "wire";
        if self
            .scheduled
            .iter()
            .any(|row| begins(&row) && !row.is_compound)
        {
            return (Use::Runs, "operations run".to_owned());
        }
        let waited = self.scheduled.iter().filter(|row| !row.is_compound);
        let waited = waited
            .filter(|row| row.start < time && time < row.start + row.latency)
            .max_by_key(|row| row.start + row.latency);
        match waited {
            Some(row) => {
                let (name, source, latency) = (&row.name, &row.source, row.latency);
                let words = format!("waits for {name} at {source}, {latency} cycles");
                (Use::Waits, words)
            }
            None => (Use::Control, MOVES_ON.to_owned()),
        }
    }
}

const MOVES_ON: &str = "the controller goes to another block";

/// Where a run is.
#[derive(Default)]
struct At {
    /// The block that the cycles belong to.
    frame: Option<usize>,
    /// Cycles since its last iteration began, and those of them that nobody has yet.
    since: u64,
    pending: u64,
}

impl Stalls {
    /// Looks at the last so many cycles of a run that was recorded.
    pub fn look(&mut self, compiled: &Compiled, simulator: &mut CycleSimulator, n_cycles: u64) {
        let frames: Vec<Frame> = Controller::all(simulator)
            .into_iter()
            .map(|controller| Frame::of(compiled, controller))
            .collect();
        let is_function = |frame: &Frame| frame.title.starts_with("function");
        let function = frames.iter().position(is_function).unwrap_or_default();
        let mut known: BTreeMap<(usize, Use, u32), usize> = BTreeMap::new();
        let mut under_way: Vec<Option<u64>> = vec![None; frames.len()];
        let mut at = At::default();
        let begin = simulator.cycle - n_cycles;
        let (end, before) = (simulator.cycle, self.n_cycles);
        let mut account = |stalls: &mut Self, frame: usize, of: Use, time: u32, n: u64| {
            let of_frame = &frames[frame];
            let share = *known.entry((frame, of, time)).or_insert_with(|| {
                let words = match of {
                    Use::Begins => "an iteration begins".to_owned(),
                    Use::Between => format!("until the next iteration, {}", of_frame.bound),
                    Use::Drains => format!("the last iterations end, depth {}", of_frame.depth),
                    Use::Done => "`done` is said".to_owned(),
                    Use::Control if time == u32::MAX => MOVES_ON.to_owned(),
                    Use::Runs | Use::Waits | Use::Control => of_frame.at(time).1,
                };
                stalls.share(&of_frame.title, of, words)
            });
            stalls.add(share, n);
        };
        let mut see = |stalls: &mut Self, simulator: &CycleSimulator| {
            let cycle = simulator.cycle;
            let is_set = |index: usize| simulator.limbs(index).first() != Some(&0);
            // Of the blocks under way, the one whose iteration began, or else the one that was entered last.
            let mut found: Option<(usize, u32, u64)> = None;
            for (number, frame) in frames.iter().enumerate() {
                let mut set = frame.tokens.iter().filter(|(_, index)| is_set(*index));
                let Some((time, _)) = set.next() else {
                    if let Some(from) = under_way[number].take() {
                        let from = before + from - begin;
                        stalls.activations.push((
                            frame.title.clone(),
                            from,
                            before + cycle - begin - from,
                        ));
                    }
                    continue;
                };
                let entered = *under_way[number].get_or_insert(cycle);
                let rank = match (*time, frame.ii) {
                    (0, Some(_)) => u64::MAX,
                    _ => entered,
                };
                if found.is_none_or(|(_, _, best)| rank >= best) {
                    found = Some((number, *time, rank));
                }
            }
            let drains = |at: &At| {
                at.frame
                    .filter(|frame| frames[*frame].ii.is_some() && at.since < frames[*frame].depth)
            };
            at.since += 1;
            let frame = found.map(|(frame, ..)| frame).or_else(|| drains(&at));
            if at.frame != frame {
                if let (Some(last), 1..) = (at.frame, at.pending) {
                    account(stalls, last, Use::Drains, 0, at.pending);
                }
                (at.frame, at.pending, at.since) = (frame.or(at.frame), 0, 0);
            }
            match (frame, found) {
                (Some(frame), Some((_, 0, _))) if frames[frame].ii.is_some() => {
                    if at.pending > 0 {
                        account(stalls, frame, Use::Between, 0, at.pending);
                    }
                    (at.pending, at.since) = (0, 0);
                    account(stalls, frame, Use::Begins, 0, 1);
                }
                (Some(frame), _) if frames[frame].ii.is_some() => at.pending += 1,
                (Some(frame), Some((_, time, _))) => {
                    let of = frames[frame].at(time).0;
                    account(stalls, frame, of, time, 1);
                }
                _ => {
                    let of = match cycle + 1 == end {
                        true => Use::Done,
                        false => Use::Control,
                    };
                    let last = at.frame.filter(|_| of == Use::Control);
                    account(stalls, last.unwrap_or(function), of, u32::MAX, 1);
                }
            }
        };
        simulator.replay(begin, end, |simulator| see(self, simulator));
        if let (Some(last), 1..) = (at.frame, at.pending) {
            account(self, last, Use::Drains, 0, at.pending);
        }
        for (frame, from) in frames.iter().zip(under_way) {
            if let Some(from) = from {
                let title = frame.title.clone();
                self.activations
                    .push((title, before + from - begin, end - from));
            }
        }
    }

    fn share(&mut self, block: &str, of: Use, words: String) -> usize {
        let mut shares = self.shares.iter();
        let known = shares.position(|s| s.block == block && s.of == of && s.words == words);
        known.unwrap_or_else(|| {
            self.shares.push(Share {
                block: block.to_owned(),
                of,
                words,
                n_cycles: 0,
            });
            self.shares.len() - 1
        })
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

    /// A table, the largest shares first.
    pub fn text(&self) -> String {
        let mut shares: Vec<&Share> = self.shares.iter().collect();
        shares.sort_by_key(|share| std::cmp::Reverse(share.n_cycles));
        let mut text = String::from("    cycles   share  what they were spent on\n");
        let share = |n: u64| 100.0 * n as f64 / self.n_cycles.max(1) as f64;
        for Share {
            block,
            words,
            n_cycles,
            ..
        } in shares
        {
            let percent = share(*n_cycles);
            let _ = writeln!(text, "{n_cycles:>10} {percent:>5.1} %  {block}: {words}");
        }
        let works = self.shares.iter().filter(|share| share.of.is_work());
        let works: u64 = works.map(|share| share.n_cycles).sum();
        let (all, percent) = (self.n_cycles, share(works));
        let _ = writeln!(
            text,
            "{all:>10} in all; in {percent:.1} % of them work begins"
        );
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
        for (title, from, n_cycles) in &self.activations {
            let known = names.iter().position(|name| name == title);
            let track = known.unwrap_or_else(|| {
                names.push(title.clone());
                names.len() - 1
            });
            let (ts, dur) = (*from, *n_cycles);
            events.push(
                json!({"ph": "X", "pid": 1, "tid": track, "name": title, "ts": ts, "dur": dur}),
            );
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
