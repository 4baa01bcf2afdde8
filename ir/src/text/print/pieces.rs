//! Prints in pieces: the text of a whole module is never in memory, and all threads print its functions.

use rayon::prelude::*;

use crate::body::Body;
use crate::context::Context;
use crate::ids::{BlockId, OperationId};
use crate::text::PrintOptions;
use crate::text::print::aliases::Aliases;
use crate::text::print::values::{Counters, ValueNaming};
use crate::text::printer::Printer;
use crate::view::View;

/// Minimum number of bytes of a piece of text.
const PIECE_BYTES: usize = 1 << 16;

/// Number of operations that one thread prints at a time.
const GROUP_OPERATIONS: usize = 2048;

/// Number of groups per thread that are printed before their text goes to the sink.
const GROUPS_A_THREAD: usize = 4;

/// The operations whose printers do not look back at the text before their regions.
const KEEPING_NOTHING: [&str; 2] = ["builtin.module", "func.func"];

impl<'a> Printer<'a> {
    /// Returns true if text may go to the sink while the regions of an operation are printed.
    pub(crate) fn keeps_nothing(&self, view: View<'_>) -> bool {
        self.sink.is_none() || KEEPING_NOTHING.contains(&view.name())
    }

    pub(crate) fn may_print_in_pieces(&self) -> bool {
        self.sink.is_some() && !self.collecting
    }

    /// Prints the operations of a block.
    pub(crate) fn operations_in_pieces(&mut self, block: BlockId, skipped: Option<OperationId>) {
        let body = self.body();
        let n_threads = rayon::current_num_threads();
        let is_parallel = n_threads > 1 && self.is_independent();
        let mut groups = Groups::default();
        for op in body.operations(block).filter(|op| Some(*op) != skipped) {
            if is_parallel && stands_alone(body, op) {
                groups.push(op, body.inner(op).operation_capacity());
                if groups.groups.len() < n_threads * GROUPS_A_THREAD || groups.room > 0 {
                    continue;
                }
            }
            self.print_groups(std::mem::take(&mut groups));
            if !(is_parallel && stands_alone(body, op)) {
                self.newline();
                self.operation(op);
                self.hand_on(PIECE_BYTES);
            }
        }
        self.print_groups(groups);
    }

    /// Passes the printed text to the sink if it has at least `least` bytes.
    fn hand_on(&mut self, least: usize) {
        if self.out.len() >= least
            && let Some(sink) = &mut self.sink
        {
            sink(&self.out);
            self.out.clear();
        }
    }

    /// Returns true if independent operations are printed the same, whatever was printed before.
    fn is_independent(&self) -> bool {
        !self.options.value_users
            && !self.options.unique_names
            && !self.options.generic
            && !self.values.has_taken_names()
    }

    fn print_groups(&mut self, groups: Groups) {
        let groups = groups.groups;
        if groups.len() < 2 {
            self.print_one_by_one(groups.iter().flatten());
            return;
        }
        let start = Start {
            context: self.context,
            options: self.options,
            body: self.body(),
            indent: self.indent,
            counters: self.values.counters(),
            default_dialects: &self.default_dialects,
            aliases: &self.aliases,
        };
        let printed: Vec<Option<String>> = groups.par_iter().map(|ops| start.print(ops)).collect();
        for (ops, text) in groups.iter().zip(printed) {
            match text {
                Some(text) if self.distinct.is_empty() => {
                    self.hand_on(0);
                    if let Some(sink) = &mut self.sink {
                        sink(&text);
                    }
                }
                _ => self.print_one_by_one(ops),
            }
        }
    }

    fn print_one_by_one<'o>(&mut self, ops: impl IntoIterator<Item = &'o OperationId>) {
        for op in ops {
            self.newline();
            self.operation(*op);
            self.hand_on(PIECE_BYTES);
        }
    }
}

/// Returns true if an operation uses no value outside of its regions.
fn stands_alone(body: &Body, op: OperationId) -> bool {
    body.is_isolated(op) && body.n_operands(op) == 0 && body.results(op).is_empty()
}

/// Operations that are printed in parallel, in groups.
#[derive(Default)]
struct Groups {
    groups: Vec<Vec<OperationId>>,
    /// Number of operations that still fit the last group.
    room: usize,
}

impl Groups {
    fn push(&mut self, op: OperationId, n_operations: usize) {
        if self.room == 0 {
            self.groups.push(Vec::new());
            self.room = GROUP_OPERATIONS;
        }
        self.room = self.room.saturating_sub(n_operations.max(1));
        let group = self.groups.last_mut().expect("one was just added");
        group.push(op);
    }
}

/// The state at which the printing of a group begins.
struct Start<'p, 'a> {
    context: &'a Context,
    options: PrintOptions,
    body: &'a Body,
    indent: usize,
    counters: Counters,
    default_dialects: &'p [&'static str],
    aliases: &'p Aliases,
}

impl Start<'_, '_> {
    /// Returns the text of operations; `None` if it depends on previously printed text.
    fn print(&self, ops: &[OperationId]) -> Option<String> {
        let mut printer = Printer::new(self.context, self.options);
        printer.body = Some(self.body);
        printer.indent = self.indent;
        printer.values = ValueNaming::from_counters(self.counters);
        printer.default_dialects = self.default_dialects.to_vec();
        printer.aliases = self.aliases.names_alone();
        for op in ops {
            printer.newline();
            printer.operation(*op);
        }
        printer.distinct.is_empty().then_some(printer.out)
    }
}
