//! Clocks of a flattened module: when each rises and falls, as terms.
//!
//! A tick is one machine cycle, or two where falling edges or levels of clocks are needed. Then the first half has the edges at
//! the beginning of the tick, and the second half those in its middle. All edges in one machine cycle happen at once. A clock
//! that depends on data rises in a machine cycle of its own, after the data have changed. So the registers that it drives see the
//! new values of the other registers, as in Verilog's event regions.

use std::collections::BTreeMap;

use sluice_ir::algebra::TermId;

/// The timing of a clock input: its period and phase in ticks. It is low at the start and falls half a period after each rising
/// edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockTiming {
    /// The name of the input.
    pub name: String,
    /// Ticks from one rising edge to the next, at least 1.
    pub period: u32,
    /// The tick of the first rising edge; less than the period.
    pub phase: u32,
}

/// Number of a clock in [`Clocks`].
pub(super) type ClockId = usize;

/// The source of a clock.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// An input of the top module, by its number in [`Clocks::roots`].
    Root(usize),
    /// A clock gate: another clock while the enable is 1.
    Gated { of: ClockId, enable: TermId },
    /// The inverse of another clock.
    Inverted(ClockId),
    /// Another clock divided by a power of two.
    Divided { of: ClockId, pow2: u32 },
    /// The value of a data bit.
    Level(TermId),
    /// A constant level without edges.
    Constant(bool),
}

/// A clock that is an input of the top module.
pub(super) struct Root {
    pub(super) name: String,
    /// Period and phase, where they were given.
    pub(super) timing: Option<(u32, u32)>,
    pub(super) is_used: bool,
}

/// The control data for the stepping of the machine in a tick.
#[derive(Clone, Debug, Default)]
pub struct Timing {
    /// Whether a tick is two machine cycles.
    pub has_halves: bool,
    /// The variable that is 1 in machine cycles in which time advances; without it, time advances in every cycle.
    pub advance: Option<u32>,
    /// Whether there are edges of data signals that have not taken effect yet.
    pub pending: Option<TermId>,
    /// Whether such edges can also follow from the edges of a tick, not only from changes of inputs.
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
    /// Counters of ticks, by their period in machine cycles.
    pub(super) counters: BTreeMap<u32, TermId>,
    /// Bits whose edges are needed, with their value in the machine cycle before.
    pub(super) watched: BTreeMap<TermId, TermId>,
    /// Enables of clock gates whose clock depends on data, with their value in the machine cycle before.
    pub(super) sampled: BTreeMap<TermId, TermId>,
    /// Variables that tell whether a clock was high.
    pub(super) high: BTreeMap<ClockId, u32>,
    /// Enables of clock gates at the last rising edge.
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

/// Returns periods and phases divided by their greatest common divisor.
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

/// A clock without edges, unless data inputs change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdleClock {
    /// Numbers of the inputs that it depends on; empty for a constant.
    pub inputs: Vec<usize>,
    /// The number of registers, memories and FIFOs that it clocks.
    pub n_users: usize,
    /// The name of the first of them, with the instances around it.
    pub user: String,
    /// The source location of that one: file, line and column.
    pub place: Option<(String, u32, u32)>,
}

impl IdleClock {
    /// Describes the affected operations and the reason; `inputs` are the names of its inputs.
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
