//! Which signals of which channels a net is, said on the operation that makes it: so a circuit is compared with its graph.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice;
use sluice_ir::{Attribute, Body, Context, OperationId, ValueId};

use super::builder::Builder;
use super::graph::Kind;

/// Attributes with the numbers of channels: arguments that are no memories first, then results, in the order of the text.
pub const SIGNALS: [&str; 3] = [sluice::VALID, sluice::READY, sluice::DATA];

/// The signals of all channels while operations are still merged: behind the outputs of the module.
pub(crate) struct Marks {
    nets: Vec<ValueId>,
    /// Signal and channel of each net.
    of: Vec<(usize, i64)>,
}

impl Marks {
    pub(crate) fn find(builder: &Builder<'_, '_>) -> Self {
        let arguments = builder
            .graph
            .arguments()
            .into_iter()
            .map(|(_, value)| value);
        let results = builder.graph.nodes.iter();
        let results = results.flat_map(|node| node.view.results().iter().copied());
        let mut found = Self {
            nets: Vec::new(),
            of: Vec::new(),
        };
        for (number, channel) in (0..).zip(arguments.chain(results)) {
            let forward = builder.forward(channel);
            // Of a dropped output nobody keeps in mind that it was taken.
            let giver = builder.graph.giver(channel);
            let is_distributed =
                giver.is_some_and(|end| builder.graph.nodes[end.node].kind == Kind::Distribute);
            let is_vague = is_distributed && builder.graph.is_dropped(channel);
            let signals = [
                (!is_vague).then_some(forward.valid),
                Some(builder.ready(channel)),
                forward.data,
            ];
            for (signal, net) in signals.into_iter().enumerate() {
                if let Some(net) = net {
                    found.nets.push(net);
                    found.of.push((signal, number));
                }
            }
        }
        found
    }

    /// The outputs with all signals behind them.
    pub(crate) fn behind(&self, outputs: &[ValueId]) -> Vec<ValueId> {
        [outputs, &self.nets].concat()
    }

    /// Leaves the first outputs to the module, and what only marks were about to nobody; says the rest on operations.
    pub(crate) fn put(&self, context: &Context, body: &mut Body, n_outputs: usize) {
        let all = body.walk_all();
        let Some(end) = all.last().copied() else {
            return;
        };
        let operands: Vec<ValueId> = body.operands(end).collect();
        let (outputs, nets) = operands.split_at(n_outputs.min(operands.len()));
        body.set_operands(end, outputs);
        let mut channels: BTreeMap<(OperationId, usize), Vec<Attribute>> = BTreeMap::new();
        for (net, (signal, channel)) in nets.iter().zip(&self.of) {
            // A port of the module has no operation; of several results nobody could say which is meant.
            let op = body.defining_operation(*net);
            if let Some(op) = op.filter(|op| body.results(*op).len() == 1) {
                let entry = channels.entry((op, *signal)).or_default();
                entry.push(context.i64_attribute(*channel));
            }
        }
        sluice_ir::simplify::cse(context, body);
        let left: BTreeSet<OperationId> = body.walk_all().into_iter().collect();
        for ((op, signal), channels) in channels {
            if left.contains(&op) {
                let value = context.array_attribute(&channels);
                body.set_attribute(op, context.name(SIGNALS[signal]), value);
            }
        }
    }
}
