//! Finds the loops of a graph: the multiplexers that share one first-iteration register as select input.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::handshake;
use sluice_dialects::sluice::CHANNEL;
use sluice_ir::{OperationId, ValueId, View};

use crate::channels::{Channels, Use, is_memory};

/// A loop of a dataflow graph.
pub(crate) struct Loop {
    /// The first-iteration register, which has a token after reset.
    pub(crate) starter: OperationId,
    /// The heads: `mux` operations whose first data operand comes from outside.
    pub(crate) heads: Vec<OperationId>,
    /// The operations of the loop, including inner loops.
    pub(crate) operations: BTreeSet<OperationId>,
}

impl Loop {
    /// Returns the operands through which tokens come back.
    pub(super) fn backs(&self, channels: Channels<'_>) -> Vec<Use> {
        let heads = self.heads.iter();
        heads
            .flat_map(|head| (2..channels.view(*head).operands().len()).map(|i| (*head, i)))
            .collect()
    }
}

/// Returns the loops of a graph, in text order.
pub(crate) fn loops(channels: Channels<'_>) -> Vec<Loop> {
    let mut heads: BTreeMap<OperationId, Vec<OperationId>> = BTreeMap::new();
    for op in channels.operations() {
        let view = channels.view(op);
        if view.name() != handshake::Mux::NAME {
            continue;
        }
        let maker = channels.maker(channels.root(view.operand(0)));
        let starter = maker.map(|(op, _)| op).filter(|op| {
            let view = channels.view(*op);
            view.name() == handshake::Buffer::NAME && view.attribute("initValues").is_some()
        });
        if let Some(starter) = starter {
            heads.entry(starter).or_default().push(op);
        }
    }
    let found = heads.into_iter().map(|(starter, heads)| {
        let again = channels.root(channels.view(starter).operand(0));
        Loop {
            starter,
            operations: inside(channels, &heads, again),
            heads,
        }
    });
    found.collect()
}

/// Returns the operations reachable from the heads without leaving the loop; it is left on the side where `again` does not hold.
fn inside(channels: Channels<'_>, heads: &[OperationId], again: ValueId) -> BTreeSet<OperationId> {
    let mut found: BTreeSet<OperationId> = heads.iter().copied().collect();
    let mut open: Vec<OperationId> = heads.to_vec();
    // A FIFO between loops belongs to neither.
    let is_left = |view: View<'_>| is_memory(view) || view.attribute(CHANNEL).is_some();
    while let Some(op) = open.pop() {
        let view = channels.view(op);
        let is_exit = view.name() == handshake::ConditionalBranch::NAME
            && channels.root(view.operand(0)) == again;
        let n_followed = match is_exit {
            true => 1,
            false => view.results().len(),
        };
        for result in &view.results()[..n_followed] {
            for (user, _) in channels.body.uses(*result) {
                // Answers of a memory belong to the loop of the access that requested them.
                if !is_left(channels.view(user)) && found.insert(user) {
                    open.push(user);
                }
            }
        }
        if matches!(view.name(), handshake::Load::NAME | handshake::Store::NAME) {
            for answer in channels.answers(op) {
                for (user, _) in channels.body.uses(answer) {
                    if found.insert(user) {
                        open.push(user);
                    }
                }
            }
        }
    }
    found
}
