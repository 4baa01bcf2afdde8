//! How often a circuit loads from an argument of its kernel, and stores to it: by operations of the scheduled form or of the dataflow graph.

use std::collections::BTreeSet;

use sluice_dialects::{func, handshake, memref, sluice};
use sluice_ir::{BlockId, ValueId, View};
use sluice_kernel::compiled::Compiled;

use crate::number;

/// Loads and stores.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Accesses {
    pub(crate) loads: usize,
    pub(crate) stores: usize,
}

/// Accesses of each argument of the kernel in the form it was compiled from, in which banks are arguments of their own.
pub(crate) fn of_arguments(compiled: &Compiled) -> Vec<Accesses> {
    let Some((function, entry)) = function(compiled, &compiled.top) else {
        return Vec::new();
    };
    let arguments = function.inner().arguments(entry).iter();
    let of = |argument: &ValueId| {
        let mut counter = Counter {
            compiled,
            seen: BTreeSet::new(),
            found: Accesses::default(),
        };
        counter.count(function, *argument);
        counter.found
    };
    arguments.map(of).collect()
}

/// A function of the kernel, or a graph, with its first block.
fn function<'a>(compiled: &'a Compiled, name: &str) -> Option<(View<'a>, BlockId)> {
    let modules = std::iter::once(&compiled.scheduled).chain(&compiled.callees);
    let mut found = modules.filter_map(|module| {
        let op = module.lookup_symbol(&compiled.context, name)?;
        let view = View::new(&compiled.context, module.inner(), op);
        Some((view, view.entry_block(0)?))
    });
    found.next()
}

struct Counter<'a> {
    compiled: &'a Compiled,
    /// Functions with the number of the argument: a circuit that is called twice is there once.
    seen: BTreeSet<(String, usize)>,
    found: Accesses,
}

impl<'a> Counter<'a> {
    fn count(&mut self, function: View<'a>, memory: ValueId) {
        let body = function.inner();
        let users: Vec<_> = body.uses(memory).collect();
        for (user, at) in users {
            let user = View::new(function.context, body, user);
            match user.name() {
                memref::Load::NAME => self.found.loads += 1,
                memref::Store::NAME => self.found.stores += 1,
                func::Call::NAME => {
                    let callee = user.attribute("callee");
                    let callee = callee.and_then(|callee| callee.as_flat_symbol(user.context));
                    self.count_in(callee.unwrap_or_default(), at);
                }
                handshake::ExternalMemory::NAME => self.count_ports(function, user),
                _ => {}
            }
        }
    }

    /// The accesses of a function through one of its arguments.
    fn count_in(&mut self, callee: &str, argument: usize) {
        if !self.seen.insert((callee.to_owned(), argument)) {
            return;
        }
        if let Some((callee, entry)) = function(self.compiled, callee)
            && let Some(memory) = callee.inner().arguments(entry).get(argument)
        {
            self.count(callee, *memory);
        }
    }

    /// The ports of a memory of a graph, and those of the circuits that it is passed to.
    fn count_ports(&mut self, graph: View<'a>, memory: View<'a>) {
        let count = |name| usize::try_from(number(memory, name).unwrap_or(0)).unwrap_or(0);
        self.found.loads += count("ldCount");
        self.found.stores += count("stCount");
        let id = number(memory, "id");
        let body = graph.inner();
        for op in body.walk_all() {
            let call = View::new(graph.context, body, op);
            if call.name() != handshake::Instance::NAME {
                continue;
            }
            let passed = call.attribute(sluice::MEMORIES);
            let passed = passed.and_then(|passed| passed.as_array(call.context));
            let callee = call.attribute("module");
            let callee = callee.and_then(|callee| callee.as_flat_symbol(call.context));
            for (at, passed) in passed.unwrap_or_default().iter().enumerate() {
                if id.is_some() && passed.as_i64(call.context) == id {
                    self.count_nth_memory(callee.unwrap_or_default(), at);
                }
            }
        }
    }

    /// As [`Counter::count_in`], by the number of the memory among the memories that are arguments.
    fn count_nth_memory(&mut self, callee: &str, nth: usize) {
        let Some((view, entry)) = function(self.compiled, callee) else {
            return;
        };
        let body = view.inner();
        let arguments = body.arguments(entry).iter().enumerate();
        let is_memory = |value: ValueId| body.ty(value).integer_width_bits(view.context).is_none();
        let mut memories = arguments.filter(|(_, value)| is_memory(**value));
        if let Some((argument, _)) = memories.nth(nth) {
            self.count_in(callee, argument);
        }
    }
}
