//! Store address queues: stores whose addresses wait for their data, and how other accesses of the memory see them.
//!
//! The order token of such a store tells that its address is known, not that the store is done, so later accesses of other words
//! can overtake it. An access to a word with a pending address waits until the word is written; a load takes the word that is
//! written in the same cycle. This is the store queue of a load-store queue. The order tokens alone ensure that the queue only
//! holds stores that are older than a load, so no age information is needed.

use sluice_dialects::{handshake, predicate::Predicate};
use sluice_ir::{ValueId, View};
use sluice_netlist::error::{Built, broken};
use sluice_netlist::source::number;

use super::builder::Builder;
use super::graph::Graph;
use crate::channels::{MAX_PENDING, is_pending, pending_queue};

/// A store address queue of a memory.
#[derive(Clone, Copy)]
pub(crate) struct Pending {
    /// The store port of the pending stores.
    pub(crate) port: usize,
    /// The channel before the queue.
    pub(crate) input: ValueId,
    /// The channel after the queue.
    pub(crate) output: ValueId,
}

/// The match of an access with the queues.
pub(crate) struct Met {
    /// True if the access has to wait.
    pub(crate) held: ValueId,
    /// True if the word that is being written is the requested one, if the access need not wait.
    pub(crate) forwarded: ValueId,
}

/// Returns the channels after all store address queues.
pub(crate) fn all(graph: &Graph<'_>) -> Vec<ValueId> {
    let queues = graph.nodes.iter().filter(|node| is_pending(node.view));
    queues.map(|node| node.view.result(0)).collect()
}

impl Pending {
    /// Returns the queue before the store that drives a port with this address, if there is one.
    ///
    /// # Errors
    /// An operation other than a `sync` before the queue, or too many slots.
    pub(crate) fn of(view: View<'_>, port: usize, address: ValueId) -> Built<Option<Self>> {
        let Some(queue) = pending_queue(view, address) else {
            return Ok(None);
        };
        let input = queue.operand(0);
        let maker = view.body.defining_operation(input);
        if maker.is_none_or(|op| view.at(op).name() != handshake::Sync::NAME) {
            let message = "expected a `handshake.sync` in front of addresses that wait";
            return Err(broken(queue, message));
        }
        if number(queue, "slots").is_some_and(|slots| slots > MAX_PENDING) {
            let message = format!("expected at most {MAX_PENDING} addresses that wait");
            return Err(broken(queue, message));
        }
        Ok(Some(Self {
            port,
            input,
            output: queue.result(0),
        }))
    }
}

/// Matches `address` with the queues of a memory; each queue comes with whether its oldest address is written in this cycle.
pub(crate) fn meet(
    builder: &mut Builder<'_, '_>,
    queues: impl Iterator<Item = (Pending, ValueId)>,
    address: ValueId,
) -> Met {
    // Matches of the oldest address while it is written, and all other matches.
    let (mut passing, mut holding) = (Vec::new(), Vec::new());
    for (queue, written) in queues {
        let (oldest, others) = queue.same(builder, address);
        let stays = builder.circuit.not(written);
        passing.push(builder.circuit.and(oldest, written));
        holding.extend(others);
        holding.push(builder.circuit.and(oldest, stays));
    }
    // At most one store writes in a cycle.
    Met {
        held: builder.circuit.any(&holding),
        forwarded: builder.circuit.any(&passing),
    }
}

impl Pending {
    /// Returns whether an address equals the oldest one of the queue, and whether it equals each of the others.
    fn same(self, builder: &mut Builder<'_, '_>, address: ValueId) -> (ValueId, Vec<ValueId>) {
        let slots = builder.pending.get(&self.output).cloned();
        let slots = slots.unwrap_or_default();
        let input = builder.forward(self.input);
        let input = input.data.map(|data| (input.valid, data));
        let mut same = |(valid, pending): (ValueId, ValueId)| {
            let is_same = builder.circuit.compare(Predicate::Eq, pending, address);
            builder.circuit.and(valid, is_same)
        };
        let waiting: Vec<ValueId> = slots.iter().map(|slot| same(*slot)).collect();
        let coming = input.map(&mut same);
        let no = builder.circuit.flag(false);
        let coming = coming.unwrap_or(no);
        match (slots.first(), waiting.split_first()) {
            (Some((is_there, _)), Some((first, rest))) => {
                let is_empty = builder.circuit.not(*is_there);
                let passes = builder.circuit.and(coming, is_empty);
                let oldest = builder.circuit.any(&[*first, passes]);
                let mut others = rest.to_vec();
                others.push(builder.circuit.and(coming, *is_there));
                (oldest, others)
            }
            _ => (coming, Vec::new()),
        }
    }
}
