//! Clocks that no edge ever comes to: constants, and what inputs alone make that nothing drives.

use std::collections::BTreeMap;

use super::clocks::{ClockId, Source};
use super::elaborate::{Elaborator, Instance};

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

/// What takes over at the edges of a clock: how many, and the first.
#[derive(Clone, Copy)]
pub(super) struct Users {
    pub(super) n: usize,
    pub(super) first: Instance,
}

impl Elaborator<'_> {
    /// The clock that the edges of another come from.
    fn base(&self, mut clock: ClockId) -> ClockId {
        while let Source::Gated { of, .. } | Source::Inverted(of) | Source::Divided { of, .. } =
            self.source(clock)
        {
            clock = of;
        }
        clock
    }

    /// The clocks in use that no edge comes to by itself; `n_inputs` variables are inputs.
    pub(super) fn standing_clocks(&self, n_inputs: usize) -> Vec<StandingClock> {
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
                    // What registers make has edges when these have.
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

    fn standing(&self, inputs: Vec<usize>, users: Users) -> StandingClock {
        let (scope, op) = users.first;
        let scope = &self.scopes[scope];
        let view = scope.module.inner();
        let view = sluice_ir::View::new(self.context, view, op);
        let named = view
            .results()
            .first()
            .and_then(|value| view.body.value_name(*value));
        let name = match named.map(|name| self.context.text(name)) {
            // Numbers are no names.
            Some(name) if !name.starts_with(|c: char| c.is_ascii_digit()) => name,
            _ => view.name(),
        };
        let place = view.location().file_line_column(self.context);
        StandingClock {
            inputs,
            n_users: users.n,
            user: format!("{}{name}", scope.path),
            place: place.map(|(file, line, column)| (file.to_owned(), line, column)),
        }
    }
}
