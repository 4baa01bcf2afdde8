//! Clocks without edges: constants, and clocks that depend only on data inputs.

use std::collections::BTreeMap;

use super::clocks::{ClockId, Source};
use crate::cycle::clocks::IdleClock;
use crate::cycle::elaborator::{Elaborator, Users};

impl Elaborator<'_> {
    /// Returns the clock from which the edges of another clock are derived.
    fn base(&self, mut clock: ClockId) -> ClockId {
        while let Source::Gated { of, .. } | Source::Inverted(of) | Source::Divided { of, .. } =
            self.source(clock)
        {
            clock = of;
        }
        clock
    }

    /// Returns the used clocks that have no edges of their own; the first `n_inputs` variables are inputs.
    pub(super) fn idle_clocks(&self, n_inputs: usize) -> Vec<IdleClock> {
        let mut by_base: BTreeMap<ClockId, Users> = BTreeMap::new();
        for (clock, users) in &self.clock_users {
            let known = by_base.entry(self.base(*clock)).or_insert(Users {
                n: 0,
                first: users.first,
            });
            known.n += users.n;
            known.first = known.first.min(users.first);
        }
        let standing = by_base.into_iter().filter_map(|(clock, users)| {
            let inputs = match self.source(clock) {
                Source::Level(level) => {
                    let variables = self.terms.variables_of(level).into_iter();
                    let numbers = variables.map(|variable| usize::try_from(variable).ok());
                    let inputs: Vec<usize> = numbers.collect::<Option<_>>()?;
                    // A clock that depends on registers has edges if their clocks have.
                    inputs
                        .iter()
                        .all(|input| *input < n_inputs)
                        .then_some(inputs)?
                }
                Source::Constant(_) => Vec::new(),
                Source::Root(_)
                | Source::Gated { .. }
                | Source::Inverted(_)
                | Source::Divided { .. } => return None,
            };
            Some(self.standing(inputs, users))
        });
        standing.collect()
    }

    fn standing(&self, inputs: Vec<usize>, users: Users) -> IdleClock {
        let (scope, op) = users.first;
        let scope = &self.scopes[scope];
        let view = scope.module.inner();
        let view = sluice_ir::View::new(self.context, view, op);
        let named = view
            .results()
            .first()
            .and_then(|value| view.body.value_name(*value));
        let name = match named.map(|name| self.context.text(name)) {
            // A number is not a name.
            Some(name) if !name.starts_with(|c: char| c.is_ascii_digit()) => name,
            _ => view.name(),
        };
        let place = view.location().file_line_column(self.context);
        IdleClock {
            inputs,
            n_users: users.n,
            user: format!("{}{name}", scope.path),
            place: place.map(|(file, line, column)| (file.to_owned(), line, column)),
        }
    }
}
