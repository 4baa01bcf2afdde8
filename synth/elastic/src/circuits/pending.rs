//! Stores whose addresses wait in a queue for their data, and what other accesses of the memory see of them.
//!
//! The order tokens of such a store say that its address is known, not that it is done: a later access of another cell passes it. Whoever
//! asks for a cell of which an address waits is held back until that is written; a load takes the word that is being written in its cycle.
//! It is the queue of stores of a load-store queue; what is not known to be younger is in it by the order tokens alone, so that no number
//! has to say who is older.

use sluice_dialects::{handshake, predicate::Predicate};
use sluice_ir::{ValueId, View};
use sluice_netlist::error::{Built, broken};
use sluice_netlist::source::number;

use super::builder::Builder;
use super::graph::Graph;
use crate::channels::{MOST_PENDING, is_pending, pending_queue};

/// The queue of a memory.
#[derive(Clone, Copy)]
pub(crate) struct Pending {
    /// The port that stores what waits.
    pub(crate) port: usize,
    /// The channel in front of the queue.
    pub(crate) input: ValueId,
    /// The channel behind it.
    pub(crate) output: ValueId,
}

/// What an access meets in the queue.
pub(crate) struct Met {
    /// Whether it has to wait.
    pub(crate) held: ValueId,
    /// Whether the word that is being written is what it asks for, if it does not have to wait.
    pub(crate) forwarded: ValueId,
}

/// The channels behind all such queues.
pub(crate) fn all(graph: &Graph<'_>) -> Vec<ValueId> {
    let queues = graph.nodes.iter().filter(|node| is_pending(node.view));
    queues.map(|node| node.view.result(0)).collect()
}

impl Pending {
    /// The queue in front of the store that gives an address to a port, if there is one.
    ///
    /// # Errors
    /// Something else than a `sync` in front of it, or than its store behind it, of which others would not know.
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
        if number(queue, "slots").is_some_and(|slots| slots > MOST_PENDING) {
            let message = format!("expected at most {MOST_PENDING} addresses that wait");
            return Err(broken(queue, message));
        }
        Ok(Some(Self {
            port,
            input,
            output: queue.result(0),
        }))
    }
}

/// What an access of `address` meets in the queues of a memory; each comes with whether its oldest address is written in this cycle.
pub(crate) fn meet(
    builder: &mut Builder<'_, '_>,
    queues: impl Iterator<Item = (Pending, ValueId)>,
    address: ValueId,
) -> Met {
    // Whether the address is the oldest one of a queue and is written, and whether it is there in another way.
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
    /// Whether an address is the oldest one of the queue, and whether it is each of the others.
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
