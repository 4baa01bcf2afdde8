//! Clock edges and levels as terms of counters and data.

use sluice_ir::algebra::{Algebra, TermId};
use sluice_ir::bits::Bits;

use crate::cycle::clocks::{ClockId, ClockTiming, Root, Source, Timing};
use crate::cycle::elaborator::Elaborator;
use crate::cycle::flat::Register;

impl Elaborator<'_> {
    /// Prepares for later terms: `has_levels` if levels of clocks are needed, `has_edges` if edges of data signals are.
    pub(crate) fn prepare_clocks(&mut self, has_levels: bool, has_edges: bool) {
        self.clocks.has_halves = has_levels;
        if has_levels || has_edges {
            self.clocks.advance = Some(self.variable(1));
        }
    }

    /// Adds a clock that is an input of the top module.
    pub(crate) fn root_clock(&mut self, name: &str, timings: &[ClockTiming]) -> ClockId {
        let timing = timings.iter().find(|timing| timing.name == name);
        self.clocks.roots.push(Root {
            name: name.to_owned(),
            timing: timing.map(|timing| (timing.period, timing.phase)),
            is_used: false,
        });
        self.clock(Source::Root(self.clocks.roots.len() - 1))
    }

    /// Returns the timing of each clock of the top module, in ticks; a clock without a given timing rises in every tick.
    pub(crate) fn root_timings(&self) -> Vec<ClockTiming> {
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

    /// Returns the clock with this source; creates it if it is new.
    pub(crate) fn clock(&mut self, source: Source) -> ClockId {
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

    /// Returns the source of a clock.
    pub(crate) fn source(&self, clock: ClockId) -> Source {
        self.clocks.sources[clock]
    }

    /// Returns whether the root clock from which this clock is derived drives anything.
    pub(crate) fn is_driven(&self, clock: ClockId) -> bool {
        match self.clocks.sources[clock] {
            Source::Root(root) => self.clocks.roots[root].is_used,
            Source::Gated { of, .. } | Source::Inverted(of) | Source::Divided { of, .. } => {
                self.is_driven(of)
            }
            Source::Level(_) | Source::Constant(_) => true,
        }
    }

    /// Turns a bit into a clock.
    pub(crate) fn clock_of_level(&mut self, level: TermId) -> ClockId {
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

    /// Returns the names of the used clocks without a given timing; `None` if there are none, or if only one clock is used.
    pub(crate) fn untimed_clocks(&self) -> Option<Vec<&str>> {
        let used = self.clocks.roots.iter().filter(|root| root.is_used);
        let names = |root: &Root| root.timing.is_none();
        let is_alone = used.clone().count() < 2;
        let all: Vec<&str> = used
            .filter(|root| names(root))
            .map(|root| root.name.as_str())
            .collect();
        (!is_alone && !all.is_empty()).then_some(all)
    }

    /// Returns the condition of a rising edge; `None` if the clock rises in every machine cycle.
    pub(crate) fn rise(&mut self, clock: ClockId) -> Option<TermId> {
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

    pub(crate) fn fall(&mut self, clock: ClockId) -> TermId {
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

    /// Returns whether a clock is high after its edges of this machine cycle.
    pub(crate) fn level(&mut self, clock: ClockId) -> TermId {
        if let Some(known) = self.clocks.levels.get(&clock) {
            return *known;
        }
        let level = match self.clocks.sources[clock] {
            Source::Root(_) | Source::Divided { .. } => {
                // `was_high` is the value of a register that follows the edges.
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

    /// Returns whether a root clock or divided clock was high before this machine cycle.
    pub(crate) fn was_high(&mut self, clock: ClockId) -> TermId {
        let known = self.clocks.high.get(&clock).copied();
        let variable = known.unwrap_or_else(|| {
            let (variable, _) = self.variable(1);
            self.clocks.high.insert(clock, variable);
            variable
        });
        self.terms.variable(variable, 1)
    }

    /// Creates the levels that the `was_high` registers load.
    pub(crate) fn finish_clocks(&mut self) {
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

    /// Returns the condition of the machine cycles with a number modulo a period; `None` if it always holds.
    pub(crate) fn at_tick(&mut self, period: u32, number: u32) -> Option<TermId> {
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

    /// Returns the enable of a gated clock at its last rising edge.
    pub(crate) fn latch(&mut self, of: ClockId, enable: TermId) -> TermId {
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

    /// Returns the value of a clock gate's latch when the clock rises: the enable while the clock was low. If the clock depends
    /// on data, the same data may change the enable in the same moment. The latch must not see that change, so the enable of the
    /// machine cycle before is used.
    pub(crate) fn enable_at_rise(&mut self, of: ClockId, enable: TermId) -> TermId {
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
        // All signals have settled before an edge of a timed clock.
        self.terms.ite(&advance, &enable, &before)
    }

    /// Returns whether a clock may rise because data changed.
    pub(crate) fn follows_data(&self, clock: ClockId) -> bool {
        match self.clocks.sources[clock] {
            Source::Level(_) => true,
            Source::Gated { of, .. } | Source::Inverted(of) | Source::Divided { of, .. } => {
                self.follows_data(of)
            }
            Source::Root(_) | Source::Constant(_) => false,
        }
    }

    /// Returns the counter of a divided clock: it is 0 before a rising edge. `None` for a division by 1.
    pub(crate) fn division(&mut self, of: ClockId, pow2: u32) -> Option<TermId> {
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

    /// Returns the value of a bit in the machine cycle before.
    pub(crate) fn before(&mut self, level: TermId) -> TermId {
        if let Some(known) = self.clocks.watched.get(&level) {
            return *known;
        }
        let (variable, before) = self.variable(1);
        self.clocks.watched.insert(level, before);
        self.hidden_register(variable, level, None, Bits::zero(1));
        before
    }

    /// Returns whether a bit rises in this machine cycle.
    pub(crate) fn rising(&mut self, level: TermId) -> TermId {
        let before = self.before(level);
        let was_low = self.terms.not(&before);
        self.terms.and(&level, &was_low)
    }

    /// Returns the control data for the stepping of the machine; the first `n_inputs` variables are inputs.
    pub(crate) fn timing(&mut self, n_inputs: usize) -> Timing {
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

    /// Adds a register that is not part of the module.
    pub(crate) fn hidden_register(
        &mut self,
        variable: u32,
        next: TermId,
        enable: Option<TermId>,
        first: Bits,
    ) {
        self.registers
            .push(Register::hidden(variable, next, enable, first));
    }

    /// Returns a constant of this width.
    pub(crate) fn number(&mut self, width: u32, value: u32) -> TermId {
        let value = Bits::from_u64(width.min(64), u64::from(value)).zext(width);
        self.terms.constant(value)
    }

    /// Returns a constant bit.
    pub(crate) fn bit(&mut self, value: bool) -> TermId {
        self.terms.constant(Bits::from_u64(1, u64::from(value)))
    }
}
