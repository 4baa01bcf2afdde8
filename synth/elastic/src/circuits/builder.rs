//! Circuit construction: the nets of channels, and the state shared between operations.

use std::collections::{BTreeMap, BTreeSet};

use sluice_ir::ValueId;
use sluice_ir::bits::Bits;
use sluice_netlist::circuit::{Circuit, RegisterOptions};
use sluice_netlist::error::Built;
use sluice_netlist::generators::UnitKind;

use super::facts::Facts;
use super::graph::Graph;
use crate::circuits::graph::Node;

/// The forward signals of a channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forward {
    pub(crate) valid: ValueId,
    /// `None` if tokens have no data.
    pub(crate) data: Option<ValueId>,
}

/// A circuit of channels under construction.
pub(crate) struct Builder<'g, 'c> {
    pub(crate) circuit: Circuit<'c>,
    pub(crate) graph: &'g Graph<'g>,
    pub(crate) facts: Facts,
    forward: Vec<Option<Forward>>,
    ready: Vec<Option<ValueId>>,
    /// Inputs of the module, by name.
    pub(crate) inputs: BTreeMap<String, ValueId>,
    /// Nets that drive the outputs of the module, by name.
    pub(crate) outputs: BTreeMap<String, ValueId>,
    /// Port names of each memory argument.
    pub(crate) memory_names: BTreeMap<ValueId, String>,
    /// The contents of store address queues.
    pub(crate) pending: Slots,
    /// The nets between calls and memories.
    pub(crate) called: CalledPorts,
    /// Shared units, by number.
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

    /// Sets the forward signals of a channel.
    pub(crate) fn set_forward(&mut self, channel: ValueId, forward: Forward) {
        if let Some(name) = self.channel_name(channel) {
            self.name(forward.valid, &format!("{name}_valid"));
            if let Some(data) = forward.data {
                self.name(data, &name);
            }
        }
        self.forward[channel.index()] = Some(forward);
    }

    /// Sets the `ready` net of a channel.
    pub(crate) fn set_ready(&mut self, channel: ValueId, ready: ValueId) {
        if let Some(name) = self.channel_name(channel) {
            self.name(ready, &format!("{name}_ready"));
        }
        self.ready[channel.index()] = Some(ready);
    }

    /// Names a net, unless it is a constant, which may be shared.
    fn name(&mut self, net: ValueId, name: &str) {
        if self.circuit.constant_of(net).is_none() {
            self.circuit.name(net, name);
        }
    }

    /// Returns the source name of a channel.
    fn channel_name(&self, channel: ValueId) -> Option<String> {
        let function = self.graph.function;
        let name = function.inner().value_name(channel)?;
        Some(function.context.text(name).to_owned())
    }

    /// Returns the forward signals of a channel; the signal order ensures that they exist.
    pub(crate) fn forward(&self, channel: ValueId) -> Forward {
        self.forward[channel.index()].expect("signals are made in their order")
    }

    /// Returns the `valid` net.
    pub(crate) fn valid(&self, channel: ValueId) -> ValueId {
        self.forward(channel).valid
    }

    /// Returns the `ready` net.
    pub(crate) fn ready(&self, channel: ValueId) -> ValueId {
        self.ready[channel.index()].expect("signals are made in their order")
    }

    /// Returns the data nets of those channels that have data.
    pub(crate) fn data(&self, channels: &[ValueId]) -> Vec<ValueId> {
        channels
            .iter()
            .filter_map(|channel| self.forward(*channel).data)
            .collect()
    }

    /// Emits the test whether all channels have a token.
    pub(crate) fn all_valid(&mut self, channels: &[ValueId]) -> ValueId {
        let nets: Vec<ValueId> = channels
            .iter()
            .map(|channel| self.valid(*channel))
            .collect();
        self.circuit.all(&nets)
    }

    /// Emits the test whether all channels except the one at `index` have a token.
    pub(crate) fn others_valid(&mut self, channels: &[ValueId], index: usize) -> ValueId {
        let others = channels.iter().enumerate();
        let others: Vec<ValueId> = others
            .filter(|(i, _)| *i != index)
            .map(|(_, channel)| *channel)
            .collect();
        self.all_valid(&others)
    }

    /// Replaces a placeholder by a register bit: `next` is loaded at the end of every cycle, `initial` at reset. A bit that never
    /// changes becomes a constant.
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
    /// Returns `valid` and data of a result; the signals that they depend on combinationally already exist.
    fn forward(
        &self,
        builder: &mut Builder<'_, '_>,
        node: &Node<'_>,
        result: usize,
    ) -> Built<Forward>;

    /// Returns `ready` of an operand; the signals that it depends on combinationally already exist.
    fn ready(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, operand: usize) -> ValueId;

    /// Creates the registers, after all signals are built.
    ///
    /// # Errors
    /// Invalid attributes or operands that are only detected here.
    fn finish(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<()>;
}

/// The requests of a called circuit to a memory: placeholders until the instance is created. It cannot wait.
pub(crate) struct CalledPort {
    pub(crate) read: Option<(ValueId, ValueId)>,
    pub(crate) write: Option<(ValueId, ValueId, ValueId)>,
}

/// The nets between called circuits and memories, by the `id` of the memory.
#[derive(Default)]
pub(crate) struct CalledPorts {
    pub(crate) ports: BTreeMap<u32, Vec<CalledPort>>,
    /// The read data of each memory: placeholders until the memory is created.
    pub(crate) words: BTreeMap<u32, ValueId>,
}

/// The registers of store address queues, by the output channel of the queue: `valid` and address, oldest first.
pub(crate) type Slots = BTreeMap<ValueId, Vec<(ValueId, ValueId)>>;

/// A shared unit. All nets are placeholders until its first operation is finished.
#[derive(Clone)]
pub(crate) struct SharedUnit {
    pub(crate) result: ValueId,
    /// For a divider: whether its result is available, and whether a division is in progress.
    pub(crate) divider: Option<(ValueId, ValueId)>,
    /// The operations that share the unit, in text order.
    pub(crate) sharers: Vec<Sharer>,
}

/// The signals of a sharer that the others need.
#[derive(Clone)]
pub(crate) struct Sharer {
    pub(crate) operands: Vec<ValueId>,
    /// Placeholders: bit `i` tells whether more than `i` credits are in use.
    pub(crate) spent: Vec<ValueId>,
}
