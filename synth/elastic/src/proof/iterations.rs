//! Exports the loops of a graph, and the loop of each channel, for the analysis of simulation runs.

use std::collections::BTreeMap;

use sluice_dialects::handshake;
use sluice_ir::{ValueId, View};

use super::domains::Domains;
use super::network::Network;

/// A loop of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iterated {
    /// The output of the loop's first-iteration register; taking its token starts an iteration.
    pub starts: ValueId,
    /// The index of the enclosing loop.
    pub around: Option<usize>,
}

/// The loops of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iterations {
    /// The loops, in text order.
    pub loops: Vec<Iterated>,
    /// The innermost loop of each channel that is in one.
    pub of: BTreeMap<ValueId, usize>,
}

/// Finds the loops of a `handshake.func`.
///
/// # Errors
/// A text that tells why a channel has no domain.
pub fn iterations(function: View<'_>) -> Result<Iterations, String> {
    let body = function.inner();
    let network = Network::read(function.context, body)?;
    let domains = Domains::find(&network)?;
    let mut of = BTreeMap::new();
    for (channel, domain) in network.channels.iter().zip(&domains.of) {
        if let Some(number) = domains.nearest_loop(*domain) {
            of.insert(channel.value, number);
        }
    }
    // The address channel of a store represents its data channel too.
    for op in body.walk_all() {
        let view = View::new(function.context, body, op);
        if let (handshake::Store::NAME, [data, address]) = (view.name(), view.results()) {
            let known = of.get(address).copied();
            of.extend(known.map(|number| (*data, number)));
        }
    }
    let loops = (0..domains.loops.len()).map(|number| Iterated {
        starts: network.channels[network.nodes[domains.loops[number].header.node].outputs[0]].value,
        around: domains.outer(number),
    });
    Ok(Iterations {
        loops: loops.collect(),
        of,
    })
}
