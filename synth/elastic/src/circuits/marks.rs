//! Marks the nets of channel signals by attributes on their operations, so that the circuit can be compared with its graph.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice;
use sluice_ir::{Attribute, Body, Context, OperationId, ValueId};

use super::builder::Builder;
use super::graph::Kind;

/// Attributes with channel numbers: first the non-memory arguments, then results, in text order.
pub const SIGNALS: [&str; 3] = [sluice::VALID, sluice::READY, sluice::DATA];

/// The nets of all channel signals. While operations are being merged, they are kept alive as additional outputs of the module.
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
            // A dropped output has no bit that records that it was taken.
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

    /// Returns the outputs followed by all signal nets.
    pub(crate) fn outputs_and_signals(&self, outputs: &[ValueId]) -> Vec<ValueId> {
        [outputs, &self.nets].concat()
    }

    /// Removes the outputs that were added for the marks; nets that only marks used are unused then. Records the marks on the
    /// operations that remain.
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
            // A module port has no operation; with several results, the mark would be ambiguous.
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
