//! The clocks of a flattened circuit by the names of its source: what waves show of them.

use sluice_dialects::seq;
use sluice_ir::algebra::TermId;

use super::clocks::Source;
use super::elaborate::{Elaborator, Net};
use super::hierarchy::Scope;
use super::signals::{SignalKind, named};

/// What a clock is shown by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shown {
    /// The time, as a clock of the top module with this number.
    Root(usize),
    /// Whether it is high.
    Level(TermId),
}

/// A clock that has a name.
#[derive(Clone, Debug)]
pub(super) struct ClockSignal {
    pub(super) scope: Vec<String>,
    pub(super) name: String,
    pub(super) kind: SignalKind,
    pub(super) shown: Shown,
}

impl ClockSignal {
    /// What says whether it is high, where that is no input of the top.
    pub(super) fn level(&self) -> Option<TermId> {
        match self.shown {
            Shown::Root(_) => None,
            Shown::Level(level) => Some(level),
        }
    }
}

/// Operations whose clocks rise and fall at other times than the one that goes in.
pub(super) const DERIVED: [&str; 4] = [
    seq::ClockGate::NAME,
    seq::ClockInv::NAME,
    seq::ClockDiv::NAME,
    seq::ClockMux::NAME,
];

impl Elaborator<'_> {
    /// Every clock that has a name, instance after instance, those of a kind together.
    pub(super) fn clock_signals(&mut self) -> Vec<ClockSignal> {
        let clocks = self.nets.iter().filter_map(|(place, net)| match net {
            Net::Clock(clock) => Some((*place, *clock)),
            Net::Term(_) | Net::Memory(_) | Net::Array(_) => None,
        });
        let clocks: Vec<_> = clocks.collect();
        let mut found = Vec::new();
        for ((scope, value), clock) in clocks {
            let Scope {
                module,
                path,
                children,
                ..
            } = &self.scopes[scope];
            let Some(named) = named(self.context, *module, path, children, value) else {
                continue;
            };
            let shown = match self.source(clock) {
                Source::Root(number) => Shown::Root(number),
                // A clock that drives nothing takes part in nothing.
                _ if !self.is_driven(clock) => continue,
                _ => Shown::Level(self.level(clock)),
            };
            found.push(ClockSignal {
                scope: named.scope,
                name: named.name,
                kind: named.kind,
                shown,
            });
        }
        found.sort_by(|a, b| (&a.scope, a.kind).cmp(&(&b.scope, b.kind)));
        // An output of an instance is called as the value inside that it is.
        found.dedup_by(|a, b| (&a.scope, &a.name) == (&b.scope, &b.name));
        found
    }
}
