//! Clocks of a flattened module: when each rises and falls, as terms.
//!
//! A tick is a cycle of the machine, or two where falling edges or the level of a clock count: the first half has the edges of the tick,
//! the second those in its middle. Everything that rises in one cycle does so at once. A clock made of data rises in a cycle of its own
//! after the data has changed, so registers it drives see what the others hold then; so do Verilog's event regions.

use std::collections::BTreeMap;

use sluice_ir::algebra::{Algebra, TermId};
use sluice_ir::bits::Bits;

use super::elaborate::Elaborator;
use super::flat::Register;

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
    timing: Option<(u32, u32)>,
    is_used: bool,
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
    sources: Vec<Source>,
    pub(super) roots: Vec<Root>,
    rises: BTreeMap<ClockId, Option<TermId>>,
    falls: BTreeMap<ClockId, TermId>,
    levels: BTreeMap<ClockId, TermId>,
    /// Counters of ticks, by period in machine cycles.
    counters: BTreeMap<u32, TermId>,
    /// What rising edges are looked for in, with what it was before.
    watched: BTreeMap<TermId, TermId>,
    /// Enables of clocks that follow data, with what they were a cycle of the machine before.
    sampled: BTreeMap<TermId, TermId>,
    /// Variables that hold whether a clock was high.
    high: BTreeMap<ClockId, u32>,
    /// Enables of gated clocks as they were at the last rising edge.
    latches: BTreeMap<(ClockId, TermId), TermId>,
    /// Counters of divided clocks.
    divisions: BTreeMap<(ClockId, u32), TermId>,
    has_halves: bool,
    advance: Option<(u32, TermId)>,
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

impl Elaborator<'_> {
    /// Says what later terms may ask for: levels of clocks, edges of signals.
    pub(super) fn prepare_clocks(&mut self, has_levels: bool, has_edges: bool) {
        self.clocks.has_halves = has_levels;
        if has_levels || has_edges {
            self.clocks.advance = Some(self.variable(1));
        }
    }

    /// A clock that is an input of the top module.
    pub(super) fn root_clock(&mut self, name: &str, timings: &[ClockTiming]) -> ClockId {
        let timing = timings.iter().find(|timing| timing.name == name);
        self.clocks.roots.push(Root {
            name: name.to_owned(),
            timing: timing.map(|timing| (timing.period, timing.phase)),
            is_used: false,
        });
        self.clock(Source::Root(self.clocks.roots.len() - 1))
    }

    /// When each clock of the top module rises, in ticks; one of which nothing was said in every tick.
    pub(super) fn root_timings(&self) -> Vec<ClockTiming> {
        let timing = |root: &Root| {
            let (period, phase) = root.timing.unwrap_or((1, 0));
            ClockTiming {
                name: root.name.clone(),
                period,
                phase,
            }
        };
        self.clocks.roots.iter().map(timing).collect()
    }

    /// The clock that is made so.
    pub(super) fn clock(&mut self, source: Source) -> ClockId {
        let known = self
            .clocks
            .sources
            .iter()
            .position(|known| *known == source);
        known.unwrap_or_else(|| {
            self.clocks.sources.push(source);
            self.clocks.sources.len() - 1
        })
    }

    /// What a clock is made of.
    pub(super) fn source(&self, clock: ClockId) -> Source {
        self.clocks.sources[clock]
    }

    /// Whether the clocks from outside that one is made of drive anything.
    pub(super) fn is_driven(&self, clock: ClockId) -> bool {
        match self.clocks.sources[clock] {
            Source::Root(root) => self.clocks.roots[root].is_used,
            Source::Gated { of, .. } | Source::Inverted(of) | Source::Divided { of, .. } => {
                self.is_driven(of)
            }
            Source::Level(_) | Source::Constant(_) => true,
        }
    }

    /// A bit as a clock.
    pub(super) fn clock_of_level(&mut self, level: TermId) -> ClockId {
        let known = self
            .clocks
            .levels
            .iter()
            .find(|(_, known)| **known == level);
        if let Some((clock, _)) = known {
            return *clock;
        }
        match self.constant_of(level) {
            Some(value) => self.clock(Source::Constant(!value.is_zero())),
            None => self.clock(Source::Level(level)),
        }
    }

    /// The names of clocks that are used and of which nothing was said, where there are others.
    pub(super) fn untimed_clocks(&self) -> Option<Vec<&str>> {
        let used = self.clocks.roots.iter().filter(|root| root.is_used);
        let names = |root: &Root| root.timing.is_none();
        let is_alone = used.clone().count() < 2;
        let all: Vec<&str> = used
            .filter(|root| names(root))
            .map(|root| root.name.as_str())
            .collect();
        (!is_alone && !all.is_empty()).then_some(all)
    }

    /// When registers of a clock take over, always without.
    pub(super) fn rise(&mut self, clock: ClockId) -> Option<TermId> {
        if let Some(known) = self.clocks.rises.get(&clock) {
            return *known;
        }
        let rise = match self.clocks.sources[clock] {
            Source::Root(root) => {
                self.clocks.roots[root].is_used = true;
                let (period, phase) = self.clocks.roots[root].timing.unwrap_or((1, 0));
                let n = 1 + u32::from(self.clocks.has_halves);
                self.at_tick(period * n, phase * n)
            }
            Source::Gated { of, enable } => {
                let enable = self.enable_at_rise(of, enable);
                let rise = self.rise(of);
                Some(self.gated(enable, rise))
            }
            Source::Inverted(of) => Some(self.fall(of)),
            Source::Divided { of, pow2 } => match self.division(of, pow2) {
                None => self.rise(of),
                Some(counter) => {
                    let first = self.terms.is_zero(&counter);
                    let rise = self.rise(of);
                    Some(self.gated(first, rise))
                }
            },
            Source::Level(level) => Some(self.rising(level)),
            Source::Constant(_) => Some(self.bit(false)),
        };
        self.clocks.rises.insert(clock, rise);
        rise
    }

    fn fall(&mut self, clock: ClockId) -> TermId {
        if let Some(known) = self.clocks.falls.get(&clock) {
            return *known;
        }
        let fall = match self.clocks.sources[clock] {
            Source::Root(root) => {
                self.clocks.roots[root].is_used = true;
                let (period, phase) = self.clocks.roots[root].timing.unwrap_or((1, 0));
                let half = (2 * phase + period) % (2 * period);
                let is_due = self.at_tick(2 * period, half);
                let was_high = self.was_high(clock);
                self.gated(was_high, is_due)
            }
            Source::Gated { of, enable } => {
                let latch = self.latch(of, enable);
                let fall = self.fall(of);
                self.terms.and(&fall, &latch)
            }
            Source::Inverted(of) => match self.rise(of) {
                Some(rise) => rise,
                None => self.bit(true),
            },
            Source::Divided { of, pow2 } => match self.division(of, pow2) {
                None => self.fall(of),
                Some(counter) => {
                    let width = self.terms.width(&counter);
                    let middle = self.terms.constant(Bits::from_u64(width, 1 << (pow2 - 1)));
                    let is_middle = self.terms.eq(&counter, &middle);
                    let rise = self.rise(of);
                    self.gated(is_middle, rise)
                }
            },
            Source::Level(level) => {
                let before = self.before(level);
                let is_low = self.terms.not(&level);
                self.terms.and(&is_low, &before)
            }
            Source::Constant(_) => self.bit(false),
        };
        self.clocks.falls.insert(clock, fall);
        fall
    }

    /// Whether a clock is high, after its edges of this machine cycle.
    pub(super) fn level(&mut self, clock: ClockId) -> TermId {
        if let Some(known) = self.clocks.levels.get(&clock) {
            return *known;
        }
        let level = match self.clocks.sources[clock] {
            Source::Root(_) | Source::Divided { .. } => {
                // A register that follows the edges; `was_high` is what it holds.
                let was_high = self.was_high(clock);
                let rise = match self.rise(clock) {
                    Some(rise) => rise,
                    None => self.bit(true),
                };
                let fall = self.fall(clock);
                let stays = self.terms.not(&fall);
                let stays = self.terms.and(&was_high, &stays);
                self.terms.or(&rise, &stays)
            }
            Source::Gated { of, enable } => {
                let latch = self.latch(of, enable);
                let enable = self.enable_at_rise(of, enable);
                let rise = self.rise(of);
                let open = match rise {
                    Some(rise) => self.terms.ite(&rise, &enable, &latch),
                    None => enable,
                };
                let level = self.level(of);
                self.terms.and(&level, &open)
            }
            Source::Inverted(of) => {
                let level = self.level(of);
                self.terms.not(&level)
            }
            Source::Level(level) => level,
            Source::Constant(value) => self.bit(value),
        };
        self.clocks.levels.insert(clock, level);
        let was_high = self.clocks.high.get(&clock).copied();
        if let Some(variable) = was_high {
            self.hidden_register(variable, level, None, Bits::zero(1));
        }
        level
    }

    /// Whether a root or divided clock was high before this machine cycle.
    fn was_high(&mut self, clock: ClockId) -> TermId {
        let known = self.clocks.high.get(&clock).copied();
        let variable = known.unwrap_or_else(|| {
            let (variable, _) = self.variable(1);
            self.clocks.high.insert(clock, variable);
            variable
        });
        self.terms.variable(variable, 1)
    }

    /// Makes the levels that registers of this file follow.
    pub(super) fn finish_clocks(&mut self) {
        while let Some(clock) = self
            .clocks
            .high
            .keys()
            .copied()
            .find(|clock| !self.clocks.levels.contains_key(clock))
        {
            self.level(clock);
        }
    }

    /// In the machine cycles with a number, counted modulo a period; always without.
    fn at_tick(&mut self, period: u32, number: u32) -> Option<TermId> {
        let advance = self.clocks.advance.map(|(_, term)| term);
        if period == 1 {
            return advance;
        }
        let width = u32::BITS - (period - 1).leading_zeros();
        let counter = match self.clocks.counters.get(&period) {
            Some(counter) => *counter,
            None => {
                let (variable, counter) = self.variable(width);
                self.clocks.counters.insert(period, counter);
                let last = self.number(width, period - 1);
                let is_last = self.terms.eq(&counter, &last);
                let one = self.number(width, 1);
                let next = self.terms.add(&counter, &one);
                let zero = self.number(width, 0);
                let next = self.terms.ite(&is_last, &zero, &next);
                self.hidden_register(variable, next, advance, Bits::zero(width));
                counter
            }
        };
        let number = self.number(width, number);
        let is_due = self.terms.eq(&counter, &number);
        Some(self.gated(is_due, advance))
    }

    /// The enable of a gated clock as it was at the last rising edge.
    fn latch(&mut self, of: ClockId, enable: TermId) -> TermId {
        if let Some(known) = self.clocks.latches.get(&(of, enable)) {
            return *known;
        }
        let (variable, latch) = self.variable(1);
        self.clocks.latches.insert((of, enable), latch);
        let enable = self.enable_at_rise(of, enable);
        let rise = self.rise(of);
        self.hidden_register(variable, enable, rise, Bits::zero(1));
        latch
    }

    /// What the latch of a gated clock holds when the clock rises: the enable as it was while the clock was low. Where the clock is made of
    /// data, that data may have changed the enable too, but in the same moment, so the latch was closed by then.
    fn enable_at_rise(&mut self, of: ClockId, enable: TermId) -> TermId {
        let Some((_, advance)) = self.clocks.advance.filter(|_| self.follows_data(of)) else {
            return enable;
        };
        let before = match self.clocks.sampled.get(&enable) {
            Some(before) => *before,
            None => {
                let (variable, before) = self.variable(1);
                self.clocks.sampled.insert(enable, before);
                self.hidden_register(variable, enable, None, Bits::zero(1));
                before
            }
        };
        // Edges of time come when all has settled.
        self.terms.ite(&advance, &enable, &before)
    }

    /// Whether a clock may rise because data changed.
    fn follows_data(&self, clock: ClockId) -> bool {
        match self.clocks.sources[clock] {
            Source::Level(_) => true,
            Source::Gated { of, .. } | Source::Inverted(of) | Source::Divided { of, .. } => {
                self.follows_data(of)
            }
            Source::Root(_) | Source::Constant(_) => false,
        }
    }

    /// The counter of a divided clock: 0 before a rising edge.
    fn division(&mut self, of: ClockId, pow2: u32) -> Option<TermId> {
        if pow2 == 0 {
            return None;
        }
        if let Some(known) = self.clocks.divisions.get(&(of, pow2)) {
            return Some(*known);
        }
        let (variable, counter) = self.variable(pow2);
        self.clocks.divisions.insert((of, pow2), counter);
        let one = self.number(pow2, 1);
        let next = self.terms.add(&counter, &one);
        let rise = self.rise(of);
        self.hidden_register(variable, next, rise, Bits::zero(pow2));
        Some(counter)
    }

    /// What a bit was in the machine cycle before.
    fn before(&mut self, level: TermId) -> TermId {
        if let Some(known) = self.clocks.watched.get(&level) {
            return *known;
        }
        let (variable, before) = self.variable(1);
        self.clocks.watched.insert(level, before);
        self.hidden_register(variable, level, None, Bits::zero(1));
        before
    }

    /// The machine cycle after a bit was set.
    pub(super) fn rising(&mut self, level: TermId) -> TermId {
        let before = self.before(level);
        let was_low = self.terms.not(&before);
        self.terms.and(&level, &was_low)
    }

    /// What the machine has to do around the terms; told is how many variables are inputs.
    pub(super) fn timing(&mut self, n_inputs: usize) -> Timing {
        let watched: Vec<(TermId, TermId)> =
            self.clocks.watched.iter().map(|(a, b)| (*a, *b)).collect();
        let mut pending = None;
        let mut settles_after_edges = false;
        for (level, before) in watched {
            let differs = self.terms.xor(&level, &before);
            pending = Some(match pending {
                Some(pending) => self.terms.or(&pending, &differs),
                None => differs,
            });
            let mut variables = self.terms.variables_of(level).into_iter();
            let is_input = |variable: u32| usize::try_from(variable).is_ok_and(|v| v < n_inputs);
            settles_after_edges |= !variables.all(is_input);
        }
        Timing {
            has_halves: self.clocks.has_halves,
            advance: self.clocks.advance.map(|(variable, _)| variable),
            pending,
            settles_after_edges,
        }
    }

    /// A register that is not part of the module.
    fn hidden_register(
        &mut self,
        variable: u32,
        next: TermId,
        enable: Option<TermId>,
        first: Bits,
    ) {
        self.registers
            .push(Register::hidden(variable, next, enable, first));
    }

    /// A number of so many bits.
    pub(super) fn number(&mut self, width: u32, value: u32) -> TermId {
        let value = Bits::from_u64(width.min(64), u64::from(value)).zext(width);
        self.terms.constant(value)
    }

    /// A bit.
    pub(super) fn bit(&mut self, value: bool) -> TermId {
        self.terms.constant(Bits::from_u64(1, u64::from(value)))
    }
}
