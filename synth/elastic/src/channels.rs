//! Queries on the channels of a finished graph: definitions, uses, latencies, memory ports.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::{CREDITS, LATENCY, MEMORIES, PENDING, SHARED};
use sluice_dialects::{handshake, sluice, synthesis_form::is_division};
use sluice_ir::{Body, Context, OperationId, ValueDefinition, ValueId, View};

/// A use of a channel: an operation and the index of its operand.
pub(crate) type Use = (OperationId, usize);

/// Maximum number of slots of a store address queue: each slot is compared with the address of every other access of the memory.
pub(crate) const MAX_PENDING: u32 = 16;

/// Query interface for the channels of one graph.
#[derive(Clone, Copy)]
pub(crate) struct Channels<'a> {
    pub(crate) context: &'a Context,
    pub(crate) body: &'a Body,
}

/// A path from an operand to a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Passage {
    /// The index of the operand.
    pub(crate) operand: usize,
    /// Latency in cycles; 0 is a path without a register.
    pub(crate) latency_cycles: u32,
}

/// A dense map from channels to values.
#[derive(Clone, Debug)]
pub(crate) struct ChannelMap<T>(Vec<Option<T>>);

impl<T> Default for ChannelMap<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ChannelMap<T> {
    pub(crate) fn get(&self, channel: ValueId) -> Option<&T> {
        self.0.get(channel.index())?.as_ref()
    }

    /// Inserts a value; returns whether there was none before.
    pub(crate) fn insert(&mut self, channel: ValueId, value: T) -> bool {
        let index = channel.index();
        if index >= self.0.len() {
            self.0.resize_with(index + 1, || None);
        }
        self.0[index].replace(value).is_none()
    }

    pub(crate) fn take(&mut self, channel: ValueId) -> Option<T> {
        self.0.get_mut(channel.index())?.take()
    }
}

impl<'a> Channels<'a> {
    pub(crate) fn new(context: &'a Context, body: &'a Body) -> Self {
        Self { context, body }
    }

    pub(crate) fn view(self, op: OperationId) -> View<'a> {
        View::new(self.context, self.body, op)
    }

    /// Returns the operations of the graph.
    pub(crate) fn operations(self) -> Vec<OperationId> {
        self.body.walk_all()
    }

    /// Returns the operation that defines a channel, and the index of its result; `None` for arguments.
    pub(crate) fn maker(self, channel: ValueId) -> Option<(OperationId, usize)> {
        match self.body.value_definition(channel) {
            ValueDefinition::Result { operation, index } => Some((operation, index as usize)),
            ValueDefinition::Argument { .. } => None,
        }
    }

    /// Returns the earlier channel that carries the same tokens in the same order, by skipping forks, wires and buffers that are
    /// empty after reset.
    pub(crate) fn root(self, channel: ValueId) -> ValueId {
        let mut root = channel;
        // Bounded, because buffers may form a cycle.
        for _ in 0..self.body.value_capacity() {
            let Some((op, _)) = self.maker(root) else {
                break;
            };
            let view = self.view(op);
            let is_passed = match view.name() {
                handshake::Fork::NAME | handshake::LazyFork::NAME | handshake::Branch::NAME => true,
                handshake::Buffer::NAME => view.attribute("initValues").is_none(),
                _ => false,
            };
            if !is_passed {
                break;
            }
            root = view.operand(0);
        }
        root
    }

    /// Returns the use of a channel.
    pub(crate) fn user(self, channel: ValueId) -> Option<Use> {
        self.body.uses(channel).next()
    }

    /// Returns the width of a channel in bits.
    pub(crate) fn width_bits(self, channel: ValueId) -> u32 {
        self.body
            .ty(channel)
            .integer_width_bits(self.context)
            .unwrap_or(0)
    }

    pub(crate) fn number(self, op: OperationId, name: &str) -> Option<u32> {
        let value = self.body.attribute_named(self.context, op, name)?;
        u32::try_from(value.as_i64(self.context)?).ok()
    }

    /// Returns whether a buffer is a FIFO, which tokens can pass without delay.
    pub(crate) fn is_fifo(self, op: OperationId) -> bool {
        let kind = self.body.attribute_named(self.context, op, "bufferType");
        kind.and_then(|a| sluice_dialects::handshake::BUFFER_KINDS.value(self.context, a))
            == Some(1)
    }

    /// Returns whether an operation is a store address queue, in which addresses of a store wait for their data.
    pub(crate) fn is_pending(self, op: OperationId) -> bool {
        is_pending(self.view(op))
    }

    /// Returns the store address queues that an operand of a memory is compared with, each with its store port; none for operands
    /// of these store ports.
    pub(crate) fn compared(self, memory: View<'_>, operand: usize) -> Vec<(OperationId, Port)> {
        let ports = Port::all(self, memory).into_iter();
        let stores = ports.filter(|port| port.stores);
        let queues: Vec<(OperationId, Port)> = stores
            .filter_map(|port| {
                let queue = pending_queue(memory, memory.operand(port.address()))?;
                Some((queue.id, port))
            })
            .collect();
        match queues
            .iter()
            .any(|(_, port)| port.operands.contains(&operand))
        {
            true => Vec::new(),
            false => queues,
        }
    }

    /// Returns whether a channel is next to a store address queue. Loads must see all pending addresses, so no other buffer may
    /// hold one.
    pub(crate) fn is_watched(self, channel: ValueId) -> bool {
        let ends = [
            self.maker(channel).map(|(op, _)| op),
            self.user(channel).map(|(op, _)| op),
        ];
        ends.into_iter().flatten().any(|op| self.is_pending(op))
    }

    /// Returns whether a channel must not get a buffer: those between an access and its port, and those next to store address
    /// queues.
    pub(crate) fn is_wired(self, channel: ValueId) -> bool {
        let ends = [
            self.maker(channel).map(|(op, _)| op),
            self.user(channel).map(|(op, _)| op),
        ];
        let mut ends = ends.into_iter().flatten();
        self.is_watched(channel) || ends.any(|op| is_memory(self.view(op)))
    }

    /// Returns the number of the unit that an operation shares with others.
    pub(crate) fn shared(self, op: OperationId) -> Option<u32> {
        let is_computed = self.view(op).name().starts_with("arith.");
        is_computed.then(|| self.number(op, SHARED)).flatten()
    }

    /// Returns the operations that share a unit with this one, and itself, in text order; later ones have priority.
    pub(crate) fn sharers(self, op: OperationId) -> Vec<OperationId> {
        let Some(unit) = self.shared(op) else {
            return Vec::new();
        };
        let mut all = self.operations();
        all.retain(|op| self.shared(*op) == Some(unit));
        all
    }

    /// Returns whether `ready` of an operation's inputs does not depend combinationally on `ready` of its outputs: buffers that
    /// register it, and operations with credits.
    pub(crate) fn holds_ready(self, op: OperationId) -> bool {
        let view = self.view(op);
        match view.name() {
            handshake::Buffer::NAME => self.is_fifo(op) || view.attribute(sluice::CUT).is_none(),
            _ => self.shared(op).is_some(),
        }
    }

    /// Returns whether an operation is a buffer with tokens after reset.
    pub(crate) fn has_tokens(self, op: OperationId) -> bool {
        self.view(op).name() == handshake::Buffer::NAME
            && self
                .body
                .attribute_named(self.context, op, "initValues")
                .is_some()
    }

    /// Returns the number of cycles for which a unit accepts no further operands.
    fn occupancy_cycles(self, op: OperationId) -> u32 {
        let view = self.view(op);
        match is_division(view) || is_call(view) {
            true => self.number(op, LATENCY).unwrap_or(1),
            false => 1,
        }
    }

    /// Returns the cycles for which units and credits are busy with one token of each of these operations: a lower bound of the
    /// interval of a loop that contains them.
    pub(crate) fn busy_cycles(self, operations: &BTreeSet<OperationId>) -> u32 {
        self.busiest(operations).0
    }

    /// Returns the same bound with the operations that cause it: one operation, or those at one unit.
    pub(crate) fn busiest(self, operations: &BTreeSet<OperationId>) -> (u32, Vec<OperationId>) {
        let mut most = (1, Vec::new());
        let mut of_units: BTreeMap<u32, (u32, Vec<OperationId>)> = BTreeMap::new();
        let mut offer = |cycles: u32, who: &[OperationId]| {
            if cycles > most.0 {
                most = (cycles, who.to_vec());
            }
        };
        for op in operations {
            let busy = self.occupancy_cycles(*op);
            let Some(unit) = self.shared(*op) else {
                offer(busy, &[*op]);
                continue;
            };
            let turns = of_units.entry(unit).or_default();
            turns.0 += busy;
            turns.1.push(*op);
            offer(turns.0, &turns.1);
            let latency_cycles = self.number(*op, LATENCY).unwrap_or(1);
            let credits = self.number(*op, CREDITS).unwrap_or(1).max(1);
            // A credit returns in the cycle after the result is taken.
            offer((latency_cycles + 1).div_ceil(credits), &[*op]);
        }
        most
    }

    /// Returns the operands that a result depends on, each with the latency.
    pub(crate) fn passages(self, op: OperationId, result: usize) -> Vec<Passage> {
        let view = self.view(op);
        let all = |latency_cycles: u32| {
            let operands = 0..view.operands().len();
            let passage = |operand| Passage {
                operand,
                latency_cycles,
            };
            operands.map(passage).collect::<Vec<_>>()
        };
        match view.name() {
            handshake::Buffer::NAME if self.is_fifo(op) => all(0),
            handshake::Buffer::NAME => all(self.number(op, "slots").unwrap_or(1)),
            handshake::Load::NAME => {
                let n_addresses = view.operand_group(0).len();
                let is_data = |operand: usize| operand == n_addresses;
                let mut passages = all(0);
                passages.retain(|p| is_data(p.operand) == (result == 0));
                passages
            }
            handshake::Memory::NAME | handshake::ExternalMemory::NAME => {
                self.port_passages(view, result)
            }
            name if name.starts_with("arith.") => all(self.number(op, LATENCY).unwrap_or(0)),
            _ if is_call(view) => all(self.number(op, LATENCY).unwrap_or(1).max(1)),
            _ => all(0),
        }
    }

    /// Returns all results in topological order of `before`; a cycle starts at the result that is reached first.
    pub(crate) fn in_order(self, before: &dyn Fn(ValueId) -> Vec<ValueId>) -> Vec<ValueId> {
        let mut order = Vec::new();
        let mut seen = ChannelMap::default();
        for op in self.operations() {
            for start in self.body.results(op) {
                let mut stack = vec![(*start, false)];
                while let Some((channel, is_done)) = stack.pop() {
                    if is_done {
                        order.push(channel);
                    } else if seen.insert(channel, ()) {
                        stack.push((channel, true));
                        stack.extend(before(channel).into_iter().map(|c| (c, false)));
                    }
                }
            }
        }
        order
    }

    /// Returns the channels that always have a token, in topological order: constants without a trigger, and values computed only
    /// from these.
    pub(crate) fn sourced(self) -> Vec<ValueId> {
        let operands = |channel| -> Vec<ValueId> {
            let maker = self.maker(channel);
            maker.map_or_else(Vec::new, |(op, _)| self.view(op).operands().collect())
        };
        let mut order = Vec::new();
        let mut found = BTreeSet::new();
        for channel in self.in_order(&operands) {
            let Some((op, _)) = self.maker(channel) else {
                continue;
            };
            let view = self.view(op);
            let passes_on = !matches!(view.name(), handshake::Buffer::NAME | handshake::Load::NAME)
                && !is_memory(view)
                && self.shared(op).is_none()
                && !is_call(view);
            let operands = operands(channel);
            let always = operands.iter().all(|x| found.contains(x));
            if view.name() == handshake::Source::NAME || passes_on && !operands.is_empty() && always
            {
                found.insert(channel);
                order.push(channel);
            }
        }
        order
    }

    /// Returns the channels with which a memory answers a load or a store.
    pub(crate) fn answers(self, access: OperationId) -> Vec<ValueId> {
        let request = self.body.results(access).last();
        let Some((memory, index)) = request.and_then(|request| self.user(*request)) else {
            return Vec::new();
        };
        let view = self.view(memory);
        if !is_memory(view) {
            return Vec::new();
        }
        let port = Port::all(self, view);
        let port = port.into_iter().find(|port| port.operands.contains(&index));
        let results = port.map(|port| port.results).unwrap_or_default();
        results.into_iter().map(|i| view.result(i)).collect()
    }

    /// Returns the requests of the port that a result of a memory belongs to.
    fn port_passages(self, view: View<'_>, result: usize) -> Vec<Passage> {
        let port = Port::all(self, view);
        let port = port.into_iter().find(|port| port.results.contains(&result));
        let operands = port.map(|port| port.operands).unwrap_or_default();
        let passage = |operand| Passage {
            operand,
            latency_cycles: 1,
        };
        operands.into_iter().map(passage).collect()
    }
}

/// Returns whether an operation is a store address queue, in which addresses of a store wait for their data.
pub(crate) fn is_pending(view: View<'_>) -> bool {
    view.name() == handshake::Buffer::NAME && view.attribute(PENDING).is_some()
}

/// Returns the store address queue before the store that drives a memory port with this address, if there is one.
pub(crate) fn pending_queue<'a>(memory: View<'a>, address: ValueId) -> Option<View<'a>> {
    let maker = |value| Some(memory.at(memory.body.defining_operation(value)?));
    let store = maker(address).filter(|op| op.name() == handshake::Store::NAME)?;
    maker(store.operand(0)).filter(|queue| is_pending(*queue))
}

/// Returns whether an operation calls a statically scheduled circuit; instances of graphs are inlined instead.
pub(crate) fn is_call(view: View<'_>) -> bool {
    view.name() == handshake::Instance::NAME && view.attribute(MEMORIES).is_some()
}

/// Returns whether an operation is a memory.
pub(crate) fn is_memory(view: View<'_>) -> bool {
    matches!(
        view.name(),
        handshake::Memory::NAME | handshake::ExternalMemory::NAME
    )
}

/// A port of a memory, as operand and result indices.
pub(crate) struct Port {
    /// The address; for stores, the data and then the address.
    pub(crate) operands: Vec<usize>,
    /// The word, for loads, and the completion token.
    pub(crate) results: Vec<usize>,
    /// True if the port stores.
    pub(crate) stores: bool,
}

impl Port {
    /// Returns the index of the address operand.
    pub(crate) fn address(&self) -> usize {
        *self.operands.last().expect("a port has an address")
    }

    /// Returns the ports of a memory: load ports, then store ports.
    pub(crate) fn all(channels: Channels<'_>, memory: View<'_>) -> Vec<Self> {
        let count = |name: &str| channels.number(memory.id, name).map_or(0, |n| n as usize);
        let (n_loads, n_stores) = (count("ldCount"), count("stCount"));
        let first = usize::from(memory.name() == handshake::ExternalMemory::NAME);
        let loads = (0..n_loads).map(|i| Self {
            operands: vec![first + 2 * n_stores + i],
            results: vec![i, n_loads + n_stores + i],
            stores: false,
        });
        let stores = (0..n_stores).map(|i| Self {
            operands: vec![first + 2 * i, first + 2 * i + 1],
            results: vec![n_loads + i],
            stores: true,
        });
        loads.chain(stores).collect()
    }
}
