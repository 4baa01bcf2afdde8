//! Everything that looks at a module between passes: dumps, times, statistics, and the reproducer of a single pass.

use sluice_ir::checksum::checksum;
use sluice_ir::passes::Outcome;
use sluice_ir::text::{PrintOptions, print_module, print_operation};
use sluice_ir::{Context, Diagnostics, Module, View};
use sluice_passes::op_stats;

use crate::run_passes::{Placed, Watcher};

use super::reproducer::{self, Settings};
use super::statistics::{Counts, Statistics};
use super::timing::Times;
use super::{Options, Outside};

/// The state of an operation before its pass.
struct Seen {
    fingerprint: u64,
    n_operations: usize,
}

/// The instruments of a run of a pipeline.
pub(super) struct Instruments<'a, 'o> {
    context: &'a Context,
    options: &'a Options,
    settings: Settings,
    outside: &'a mut Outside<'o>,
    times: &'a mut Times,
    statistics: Statistics,
    /// The operations of the current pass, if they will be compared.
    seen: Vec<Seen>,
    began: f64,
    /// The texts of `print_after_each`.
    pub(super) stages: String,
    /// Name of the first pass that failed, also in an earlier part of the file.
    pub(super) failed: Option<&'static str>,
}

impl<'a, 'o> Instruments<'a, 'o> {
    pub(super) fn new(
        context: &'a Context,
        options: &'a Options,
        settings: Settings,
        outside: &'a mut Outside<'o>,
        times: &'a mut Times,
        failed: Option<&'static str>,
    ) -> Self {
        Self {
            context,
            options,
            settings,
            outside,
            times,
            statistics: Statistics::default(),
            seen: Vec::new(),
            began: 0.0,
            stages: String::new(),
            failed,
        }
    }

    /// Prints the statistics, if they are asked for.
    pub(super) fn finish(&mut self) {
        if let Some(arrangement) = self.options.statistics {
            (self.outside.log)(&self.statistics.report(arrangement));
        }
    }

    fn compares(&self, pass: &Placed<'_>) -> bool {
        self.options.statistics.is_some() || self.options.dumps.compares(pass)
    }

    fn look(&self, pass: &Placed<'_>, module: &Module) -> Vec<Seen> {
        let operations = pass.path.operations(self.context, module).into_iter();
        let seen = operations.map(|view| Seen {
            fingerprint: fingerprint(view),
            n_operations: n_operations(view),
        });
        seen.collect()
    }
}

impl Watcher for Instruments<'_, '_> {
    fn before(&mut self, pass: &Placed<'_>, module: &Module) {
        let options = self.options;
        if options.reproducer == Some(super::Reproducer::LastPass) && self.failed.is_none() {
            let text = reproducer::of_pass(self.context, module, pass, self.settings);
            (self.outside.reproducer)(&text);
        }
        let dump = options
            .dumps
            .text_before(self.context, pass, module, &options.print);
        if let Some(text) = dump {
            (self.outside.log)(&text);
        }
        if self.compares(pass) {
            self.seen = self.look(pass, module);
        }
        self.began = (self.outside.seconds)();
    }

    fn after(
        &mut self,
        pass: &Placed<'_>,
        module: &Module,
        outcome: Outcome,
        diagnostics: &Diagnostics,
    ) {
        let seconds = (self.outside.seconds)() - self.began;
        self.times.add(pass, seconds);
        let options = self.options;
        let mut changed = None;
        if self.compares(pass) {
            let now = self.look(pass, module);
            let pairs = self.seen.iter().zip(&now);
            let flags: Vec<bool> = pairs.map(|(a, b)| a.fingerprint != b.fingerprint).collect();
            let sum = |all: &[Seen]| all.iter().map(|one| one.n_operations).sum();
            let counts = Counts {
                runs: self.seen.len(),
                changes: flags.iter().filter(|changed| **changed).count(),
                operations_before: sum(&self.seen),
                operations_after: sum(&now),
            };
            self.statistics.add(pass, counts);
            changed = Some(flags).filter(|_| options.dumps.compares(pass));
        }
        let dump = options.dumps.text_after(
            (pass, outcome),
            (self.context, module),
            diagnostics,
            changed.as_deref(),
            &options.print,
        );
        if let Some(text) = dump {
            (self.outside.log)(&text);
        }
        if pass.call.name == op_stats::NAME && outcome == Outcome::Done {
            for view in pass.path.operations(self.context, module) {
                (self.outside.log)(&op_stats::report(pass.call, view));
            }
        }
        match outcome {
            Outcome::Failed | Outcome::Invalid => {
                self.failed = self.failed.or(Some(pass.call.name));
            }
            Outcome::Done | Outcome::Skipped => {}
        }
        if options.print_after_each && outcome != Outcome::Failed {
            let text = print_module(self.context, module, &options.print);
            self.stages += &format!("// after {}\n{text}\n", pass.call.name);
        }
    }
}

/// Returns a hash of an operation with everything in it, also locations.
fn fingerprint(view: View<'_>) -> u64 {
    let options = PrintOptions {
        generic: true,
        locations: true,
        local_scope: true,
        ..PrintOptions::default()
    };
    let text = print_operation(view.context, view.body, view.id, &options);
    checksum(text.bytes())
}

/// Counts an operation and those in it.
fn n_operations(view: View<'_>) -> usize {
    let inner = view.inner();
    let blocks = view.regions().iter().flat_map(|r| inner.blocks(*r));
    let ops = blocks.flat_map(|block| inner.operations(*block));
    1 + ops
        .map(|op| n_operations(View::new(view.context, inner, op)))
        .sum::<usize>()
}
