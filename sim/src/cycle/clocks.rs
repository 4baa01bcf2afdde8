//! Clocks of a flattened module: when each rises and falls, as terms.
//!
//! A tick is a cycle of the machine, or two where falling edges or the level of a clock count: the first half has the edges of the tick,
//! the second those in its middle. Everything that rises in one cycle does so at once. A clock made of data rises in a cycle of its own
//! after the data has changed, so registers it drives see what the others hold then; so do Verilog's event regions.

use std::collections::BTreeMap;

use sluice_ir::algebra::TermId;

/// When a clock of the top module rises: every so many ticks, from a tick on. It is low at the start and falls half a period later.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockTiming {
    /// The input.
    pub name: String,
    /// Ticks from one rising edge to the next, at least 1.
    pub period: u32,
    /// The tick of the first rising edge, below the period.
    pub phase: u32,
}

/// Number of a clock in [`Clocks`].
pub(super) type ClockId = usize;

/// What a clock is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// An input of the top module, by its number in [`Clocks::roots`].
    Root(usize),
    /// Another one while a bit is set.
    Gated { of: ClockId, enable: TermId },
    /// Another one with its edges exchanged.
    Inverted(ClockId),
    /// Every so many rising edges of another one, as a power of two.
    Divided { of: ClockId, pow2: u32 },
    /// A bit.
    Level(TermId),
    /// It stands still.
    Constant(bool),
}

/// A clock that is an input of the top module.
pub(super) struct Root {
    pub(super) name: String,
    /// Period and phase, where they were said.
    pub(super) timing: Option<(u32, u32)>,
    pub(super) is_used: bool,
}

/// What the machine around the terms does in a tick.
#[derive(Clone, Debug, Default)]
pub struct Timing {
    /// Whether a tick is two cycles of the machine.
    pub has_halves: bool,
    /// The variable that is 1 where a cycle is one of time; without, each is.
    pub advance: Option<u32>,
    /// Whether edges of signals wait to take effect.
    pub pending: Option<TermId>,
    /// Whether that may be so after the edges of a tick, not only after inputs changed.
    pub settles_after_edges: bool,
}

/// The clocks of a module.
#[derive(Default)]
pub(super) struct Clocks {
    pub(super) sources: Vec<Source>,
    pub(super) roots: Vec<Root>,
    pub(super) rises: BTreeMap<ClockId, Option<TermId>>,
    pub(super) falls: BTreeMap<ClockId, TermId>,
    pub(super) levels: BTreeMap<ClockId, TermId>,
    /// Counters of ticks, by period in machine cycles.
    pub(super) counters: BTreeMap<u32, TermId>,
    /// What rising edges are looked for in, with what it was before.
    pub(super) watched: BTreeMap<TermId, TermId>,
    /// Enables of clocks that follow data, with what they were a cycle of the machine before.
    pub(super) sampled: BTreeMap<TermId, TermId>,
    /// Variables that hold whether a clock was high.
    pub(super) high: BTreeMap<ClockId, u32>,
    /// Enables of gated clocks as they were at the last rising edge.
    pub(super) latches: BTreeMap<(ClockId, TermId), TermId>,
    /// Counters of divided clocks.
    pub(super) divisions: BTreeMap<(ClockId, u32), TermId>,
    pub(super) has_halves: bool,
    pub(super) advance: Option<(u32, TermId)>,
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

/// Periods and phases in ticks of their greatest common divisor.
pub(super) fn reduced(timings: &[ClockTiming]) -> Vec<ClockTiming> {
    let all = timings
        .iter()
        .flat_map(|timing| [timing.period, timing.phase]);
    let tick = all.fold(0, greatest_common_divisor).max(1);
    let mut timings = timings.to_vec();
    for timing in &mut timings {
        timing.period = (timing.period / tick).max(1);
        timing.phase /= tick;
    }
    timings
}

/// A clock that stands still unless inputs that are no clocks change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StandingClock {
    /// Numbers of the inputs that it is made of; none where it is a constant.
    pub inputs: Vec<usize>,
    /// How many registers, memories and queues take over at its edges.
    pub n_users: usize,
    /// The first of them, with the instances around it.
    pub user: String,
    /// Where that is written: file, line and column.
    pub place: Option<(String, u32, u32)>,
}

impl StandingClock {
    /// What it does not drive and why, by the names of its inputs.
    pub fn why(&self, inputs: &[&str]) -> String {
        let others = match self.n_users {
            1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        let user = &self.user;
        match inputs {
            [] => format!(
                "the clock of `{user}`{others} is a constant: it holds what it holds at the start"
            ),
            [first, ..] => format!(
                "no clock drives `{user}`{others}: it takes over when `{}` rises, which is an input, no clock, and never changes here; \
                 say which input is a clock, as `{first}=1`, or give that input values",
                inputs.join("`, `")
            ),
        }
    }
}
