//! The latency of a kernel as text.

use sluice_dialects::scf;
use sluice_dialects::sluice::UNCOUNTED;
use sluice_ir::{Exact, View};
use sluice_kernel::compiled::Compiled;
use sluice_verify::check::latency_cycles;

/// Knowledge about the cycles from `start` to `done`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TotalLatency {
    /// The schedule determines the number.
    Known(Exact),
    /// The number is the same for all data, but a nest with varying bounds has too many iterations to count them.
    Uncounted,
    /// They depend on the data.
    Varies,
}

impl TotalLatency {
    pub(super) fn of(compiled: &Compiled) -> Self {
        if let Some(cycles) = latency_cycles(compiled) {
            return Self::Known(cycles);
        }
        let (context, module) = (&compiled.context, &compiled.scheduled);
        let function = module.lookup_symbol(context, &compiled.top);
        let ops = function.map(|function| {
            let body = module.inner().inner(function);
            let ops = body.walk_all().into_iter();
            ops.map(|op| View::new(context, body, op))
                .collect::<Vec<_>>()
        });
        let ops = ops.unwrap_or_default();
        let varies = |op: &View<'_>| op.name() == scf::While::NAME;
        let is_uncounted = |op: &View<'_>| op.attribute(UNCOUNTED).is_some();
        match ops.iter().any(is_uncounted) && !ops.iter().any(varies) {
            true => Self::Uncounted,
            false => Self::Varies,
        }
    }

    /// Formats a sentence for a line of the report.
    pub(super) fn sentence(self) -> String {
        match self {
            Self::Known(cycles) if cycles.known().is_none() => {
                format!("{cycles} cycles from start to done")
            }
            Self::Known(cycles) => format!("{cycles} cycles from start to done, exact"),
            Self::Uncounted | Self::Varies => self.words(),
        }
    }

    /// Formats a phrase for the middle of a line.
    pub(super) fn words(self) -> String {
        match self {
            Self::Known(cycles) => format!("{cycles} cycles"),
            Self::Uncounted => "not counted: a nest has too many iterations".to_owned(),
            Self::Varies => "depends on the data".to_owned(),
        }
    }
}
