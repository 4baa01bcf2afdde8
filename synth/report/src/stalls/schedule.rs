//! Stall analysis of static schedules from the tokens of their controllers.

use std::collections::BTreeMap;

use sluice_dialects::{scf, sluice};
use sluice_ir::{BlockId, OperationId, View};
use sluice_kernel::compiled::Compiled;
use sluice_sim::cycle::{Controller, CycleSimulator, Token};

use super::{DONE, Stalls, Use, share};
use crate::{Row as Scheduled, number, place, rows};

/// A block with the tokens of its controller.
struct Frame {
    title: String,
    ii: Option<u64>,
    depth: u64,
    /// Reason for the II.
    bound: String,
    scheduled: Vec<Scheduled>,
    /// Token times and signals.
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

    /// Reads the schedule of the operation with that number, or of the function.
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
        let ii = number(op, sluice::II);
        let variable = blocks.first().and_then(|b| body.arguments(*b).first());
        let variable = variable
            .and_then(|value| body.value_name(*value))
            .map(|name| function.context.text(name));
        let what = match (op.name(), variable, block) {
            (scf::For::NAME, Some(variable), _) => format!("loop %{variable}"),
            (scf::For::NAME, None, _) => "loop".to_owned(),
            (scf::If::NAME, _, 0) => "then".to_owned(),
            (scf::If::NAME, _, _) => "else".to_owned(),
            (scf::While::NAME, _, 0) if ii.is_none() => "condition of the loop".to_owned(),
            _ => "loop".to_owned(),
        };
        self.title = format!("{what} at {}", place(op));
        let unsigned = |n: i64| u64::try_from(n).unwrap_or_default();
        self.ii = ii.map(unsigned);
        self.depth = number(op, sluice::DEPTH).map_or(0, unsigned);
        let bound = op.attribute(sluice::BOUND);
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

    /// Returns the use of a cycle at a given time of a block without pipelining.
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

/// The position of a run.
#[derive(Default)]
struct At {
    /// The block to which the cycles belong.
    frame: Option<usize>,
    /// Cycles since its last iteration began; the next field counts those of them without a use yet.
    since: u64,
    pending: u64,
}

impl Stalls {
    /// Analyses the last `n_cycles` of a recorded run.
    pub(super) fn look_at_schedule(
        &mut self,
        compiled: &Compiled,
        simulator: &mut CycleSimulator,
        n_cycles: u64,
    ) {
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
                    Use::Done => DONE.to_owned(),
                    Use::Control if time == u32::MAX => MOVES_ON.to_owned(),
                    Use::Runs | Use::Waits | Use::Control => of_frame.at(time).1,
                    // Only in elastic circuits.
                    Use::Recurs
                    | Use::Decides
                    | Use::Lacks
                    | Use::Port
                    | Use::Blocked
                    | Use::Nested
                    | Use::Outside => String::new(),
                };
                share(&mut stalls.shares, &of_frame.title, of, words)
            });
            stalls.add(share, n);
        };
        let mut see = |stalls: &mut Self, simulator: &CycleSimulator| {
            let cycle = simulator.cycle;
            let is_set = |index: usize| simulator.limbs(index).first() != Some(&0);
            // Of the active blocks, the one whose iteration began, or else the one that was entered last.
            let mut found: Option<(usize, u32, u64)> = None;
            for (number, frame) in frames.iter().enumerate() {
                let mut set = frame.tokens.iter().filter(|(_, index)| is_set(*index));
                let Some((time, _)) = set.next() else {
                    if let Some(from) = under_way[number].take() {
                        let from = before + from - begin;
                        let n_cycles = before + cycle - begin - from;
                        stalls.activate(&frame.title, from, n_cycles);
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
                self.activate(&frame.title, before + from - begin, end - from);
            }
        }
    }
}
