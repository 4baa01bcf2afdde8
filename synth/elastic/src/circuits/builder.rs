//! Nets of channels while a circuit is made, and the state that operations keep.

use std::collections::{BTreeMap, BTreeSet};

use sluice_ir::ValueId;
use sluice_ir::bits::Bits;
use sluice_netlist::circuit::{Circuit, RegisterOptions};
use sluice_netlist::error::Built;
use sluice_netlist::generators::UnitKind;

use super::facts::Facts;
use super::graph::Graph;
use crate::circuits::graph::Node;

/// What goes forward on a channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forward {
    pub(crate) valid: ValueId,
    /// `None` where tokens have no data.
    pub(crate) data: Option<ValueId>,
}

/// A circuit of channels under construction.
pub(crate) struct Builder<'g, 'c> {
    pub(crate) circuit: Circuit<'c>,
    pub(crate) graph: &'g Graph<'g>,
    pub(crate) facts: Facts,
    forward: Vec<Option<Forward>>,
    ready: Vec<Option<ValueId>>,
    /// Inputs of the module by name.
    pub(crate) inputs: BTreeMap<String, ValueId>,
    /// What drives the outputs of the module, by name.
    pub(crate) outputs: BTreeMap<String, ValueId>,
    /// Names of the ports of each memory among the arguments.
    pub(crate) memory_names: BTreeMap<ValueId, String>,
    /// What waits in queues of addresses.
    pub(crate) pending: Slots,
    /// What calls and memories ask of each other.
    pub(crate) called: CalledPorts,
    /// Units that take turns, by number.
    pub(crate) shared: BTreeMap<u32, SharedUnit>,
    /// Units that need a module.
    pub(crate) units: BTreeSet<UnitKind>,
}

impl<'g, 'c> Builder<'g, 'c> {
    pub(crate) fn new(circuit: Circuit<'c>, graph: &'g Graph<'g>, facts: Facts) -> Self {
        let n_values = graph.function.inner().value_capacity();
        Self {
            circuit,
            graph,
            facts,
            forward: vec![None; n_values],
            ready: vec![None; n_values],
            inputs: BTreeMap::new(),
            outputs: BTreeMap::new(),
            memory_names: BTreeMap::new(),
            pending: Slots::new(),
            called: CalledPorts::default(),
            shared: BTreeMap::new(),
            units: BTreeSet::new(),
        }
    }

    /// Says what goes forward on a channel.
    pub(crate) fn set_forward(&mut self, channel: ValueId, forward: Forward) {
        if let Some(name) = self.channel_name(channel) {
            self.name(forward.valid, &format!("{name}_valid"));
            if let Some(data) = forward.data {
                self.name(data, &name);
            }
        }
        self.forward[channel.index()] = Some(forward);
    }

    /// Says the net of `ready` of a channel.
    pub(crate) fn set_ready(&mut self, channel: ValueId, ready: ValueId) {
        if let Some(name) = self.channel_name(channel) {
            self.name(ready, &format!("{name}_ready"));
        }
        self.ready[channel.index()] = Some(ready);
    }

    /// Names a net; constants belong to nobody.
    fn name(&mut self, net: ValueId, name: &str) {
        if self.circuit.constant_of(net).is_none() {
            self.circuit.name(net, name);
        }
    }

    /// The name of a value in the source.
    fn channel_name(&self, channel: ValueId) -> Option<String> {
        let function = self.graph.function;
        let name = function.inner().value_name(channel)?;
        Some(function.context.text(name).to_owned())
    }

    /// What goes forward on a channel, once the order says that it was made.
    pub(crate) fn forward(&self, channel: ValueId) -> Forward {
        self.forward[channel.index()].expect("signals are made in their order")
    }

    /// The net of `valid`.
    pub(crate) fn valid(&self, channel: ValueId) -> ValueId {
        self.forward(channel).valid
    }

    /// The net of `ready`.
    pub(crate) fn ready(&self, channel: ValueId) -> ValueId {
        self.ready[channel.index()].expect("signals are made in their order")
    }

    /// Nets of the data of channels that have some.
    pub(crate) fn data(&self, channels: &[ValueId]) -> Vec<ValueId> {
        channels
            .iter()
            .filter_map(|channel| self.forward(*channel).data)
            .collect()
    }

    /// Whether all channels have a token.
    pub(crate) fn all_valid(&mut self, channels: &[ValueId]) -> ValueId {
        let nets: Vec<ValueId> = channels
            .iter()
            .map(|channel| self.valid(*channel))
            .collect();
        self.circuit.all(&nets)
    }

    /// Whether all channels but that at `index` have a token.
    pub(crate) fn others_valid(&mut self, channels: &[ValueId], index: usize) -> ValueId {
        let others = channels.iter().enumerate();
        let others: Vec<ValueId> = others
            .filter(|(i, _)| *i != index)
            .map(|(_, channel)| *channel)
            .collect();
        self.all_valid(&others)
    }

    /// Puts a bit that is kept in the place of a stand-in: `next` at the end of every cycle, `initial` after reset. A bit that never
    /// changes is a constant.
    pub(crate) fn keep_bit(&mut self, wire: ValueId, next: ValueId, initial: bool, name: &str) {
        let initial = Bits::from_u64(1, u64::from(initial));
        let net = match self.circuit.constant_of(next) == Some(&initial) {
            true => next,
            false => self.circuit.register(
                next,
                RegisterOptions {
                    reset: Some(initial),
                    name,
                    ..RegisterOptions::default()
                },
            ),
        };
        self.circuit.connect(wire, net);
    }
}

/// The circuit of one operation.
pub(crate) trait Element {
    /// `valid` and data of a result; what they need in the same cycle is there.
    fn forward(
        &self,
        builder: &mut Builder<'_, '_>,
        node: &Node<'_>,
        result: usize,
    ) -> Built<Forward>;

    /// `ready` of an operand; what it needs in the same cycle is there.
    fn ready(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, operand: usize) -> ValueId;

    /// Makes the registers, once all signals are there.
    ///
    /// # Errors
    /// Whatever the operation promises in vain.
    fn finish(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<()>;
}

/// What the circuit of a call asks of a memory: stand-ins until the instance is made. It waits for nobody.
pub(crate) struct CalledPort {
    pub(crate) read: Option<(ValueId, ValueId)>,
    pub(crate) write: Option<(ValueId, ValueId, ValueId)>,
}

/// The nets between the circuits of calls and memories, by the `id` of the memory.
#[derive(Default)]
pub(crate) struct CalledPorts {
    pub(crate) ports: BTreeMap<u32, Vec<CalledPort>>,
    /// What each memory gives: stand-ins until the memory is made.
    pub(crate) words: BTreeMap<u32, ValueId>,
}

/// The registers of queues of addresses, by the channel behind the queue: whether there is one, and it, the oldest first.
pub(crate) type Slots = BTreeMap<ValueId, Vec<(ValueId, ValueId)>>;

/// A unit that takes turns. All nets are stand-ins until its first operation is finished.
#[derive(Clone)]
pub(crate) struct SharedUnit {
    pub(crate) result: ValueId,
    /// Of a divider: whether its answer is there, and whether it is on its way.
    pub(crate) divider: Option<(ValueId, ValueId)>,
    /// The operations, in text order.
    pub(crate) sharers: Vec<Sharer>,
}

/// What others have to know of an operation.
#[derive(Clone)]
pub(crate) struct Sharer {
    pub(crate) operands: Vec<ValueId>,
    /// Stand-ins: whether more than so many credits are spent.
    pub(crate) spent: Vec<ValueId>,
}
