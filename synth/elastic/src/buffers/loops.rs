//! Loops of a graph: the multiplexers that one register with a token from the start selects.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::handshake;
use sluice_dialects::sluice::CHANNEL;
use sluice_ir::{OperationId, ValueId, View};

use crate::channels::{Channels, Use, is_memory};

/// A loop.
pub(crate) struct Loop {
    /// The register with a token from the start.
    pub(crate) starter: OperationId,
    /// Where it begins: `mux` operations whose first operand comes from outside.
    pub(crate) heads: Vec<OperationId>,
    /// Its operations, those of loops in it too.
    pub(crate) operations: BTreeSet<OperationId>,
}

impl Loop {
    /// The operands by which tokens come back.
    pub(super) fn backs(&self, channels: Channels<'_>) -> Vec<Use> {
        let heads = self.heads.iter();
        heads
            .flat_map(|head| (2..channels.view(*head).operands().len()).map(|i| (*head, i)))
            .collect()
    }
}

/// The loops of a graph, in the order of the text.
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

/// What follows from the heads without leaving the loop, which is on the side where `again` does not hold.
fn inside(channels: Channels<'_>, heads: &[OperationId], again: ValueId) -> BTreeSet<OperationId> {
    let mut found: BTreeSet<OperationId> = heads.iter().copied().collect();
    let mut open: Vec<OperationId> = heads.to_vec();
    // A queue between loops is in neither.
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
                // What comes out of a memory is led back by the port that asked.
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
