//! The named clocks of a flattened circuit, for waves.

use sluice_dialects::seq;

use super::clocks::Source;
use crate::cycle::elaborator::{Elaborator, Net, Scope};
use crate::cycle::flat::{ClockSignal, Shown};
use crate::cycle::named_signals::named;

/// Operations whose result has edges at other times than the input clock.
pub(super) const DERIVED: [&str; 4] = [
    seq::ClockGate::NAME,
    seq::ClockInv::NAME,
    seq::ClockDiv::NAME,
    seq::ClockMux::NAME,
];

impl Elaborator<'_> {
    /// Returns every clock with a name, instance after instance, sorted by kind.
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
                // A clock whose root drives nothing is not simulated.
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
        // An output of an instance has the same name as the value inside that drives it.
        found.dedup_by(|a, b| (&a.scope, &a.name) == (&b.scope, &b.name));
        found
    }
}
