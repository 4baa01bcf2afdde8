//! Memories: port arbitration, with one read and one write per cycle, and completion tokens.

use sluice_dialects::sluice::STREAM;
use sluice_dialects::{handshake, sluice, storage::storage};
use sluice_ir::bits::Bits;
use sluice_ir::{TypeKind, ValueId, View};
use sluice_netlist::circuit::{MemoryNets, ReadNets, RegisterOptions, WriteNets};
use sluice_netlist::error::{Built, broken};
use sluice_netlist::source::{address_bits, number};

use super::builder::{Builder, Forward};
use super::calls::{collect_called_requests, memory_ids};
use super::graph::{Kind, Node};
use super::order::Signal;
use super::pending::{Met, Pending, meet};
use crate::circuits::builder::Element;

/// The channels of a memory, by port. Operands: data and address of each store, then the address of each load. Results: data of
/// each load, a token for each store, a token for each load.
pub(crate) struct Ports<'a> {
    view: View<'a>,
    /// Number of leading operands: the memory itself.
    skipped: usize,
    n_loads: usize,
    n_stores: usize,
}

/// The port of a memory operand.
#[derive(Clone, Copy)]
enum Port {
    Store(usize),
    Load(usize),
    /// The memory itself.
    None,
}

impl<'a> Ports<'a> {
    pub(crate) fn of(view: View<'a>) -> Self {
        let count = |name| number(view, name).unwrap_or(0) as usize;
        Self {
            view,
            skipped: usize::from(view.name() == handshake::ExternalMemory::NAME),
            n_loads: count("ldCount"),
            n_stores: count("stCount"),
        }
    }

    fn are_complete(&self) -> bool {
        let n_operands = self.skipped + 2 * self.n_stores + self.n_loads;
        let n_results = self.n_stores + 2 * self.n_loads;
        self.view.operands().len() == n_operands && self.view.results().len() == n_results
    }

    fn port(&self, operand: usize) -> Port {
        match operand.checked_sub(self.skipped) {
            None => Port::None,
            Some(at) if at < 2 * self.n_stores => Port::Store(at / 2),
            Some(at) => Port::Load(at - 2 * self.n_stores),
        }
    }

    fn store_data(&self, port: usize) -> ValueId {
        self.view.operand(self.skipped + 2 * port)
    }

    fn store_address(&self, port: usize) -> ValueId {
        self.view.operand(self.skipped + 2 * port + 1)
    }

    fn load_address(&self, port: usize) -> ValueId {
        self.view.operand(self.skipped + 2 * self.n_stores + port)
    }

    fn load_data(&self, port: usize) -> ValueId {
        self.view.result(port)
    }

    fn store_done(&self, port: usize) -> ValueId {
        self.view.result(self.n_loads + port)
    }

    fn load_done(&self, port: usize) -> ValueId {
        self.view.result(self.n_loads + self.n_stores + port)
    }

    /// Returns the store address queues, in the order of their ports.
    ///
    /// # Errors
    /// A queue at a port that is followed by a store port without a queue.
    fn pending(&self) -> Built<Vec<Pending>> {
        let mut found = Vec::new();
        for port in 0..self.n_stores {
            let pending = Pending::of(self.view, port, self.store_address(port))?;
            if pending.is_none() && !found.is_empty() {
                let message = "expected addresses that wait at the last ports that store alone";
                return Err(broken(self.view, message));
            }
            found.extend(pending);
        }
        Ok(found)
    }

    /// Returns the signals that tell whether an access of a port matches a pending address; none for a store with an address
    /// queue.
    fn pending_needs(&self, port: Port) -> Vec<Signal> {
        let pending = self.pending().unwrap_or_default();
        let looks = match port {
            Port::Load(_) => true,
            Port::Store(port) => pending.iter().all(|pending| pending.port != port),
            Port::None => false,
        };
        if !looks {
            return Vec::new();
        }
        let needs = pending.iter().flat_map(|pending| {
            [
                Signal::Valid(pending.input),
                Signal::Ready(self.store_done(pending.port)),
                Signal::Valid(self.store_data(pending.port)),
                Signal::Valid(self.store_address(pending.port)),
            ]
        });
        needs.collect()
    }

    /// Returns the signals on which `ready` of an operand depends: a later port has priority if it has a request and a free
    /// slot for the answer.
    pub(crate) fn ready_needs(&self, operand: usize) -> Vec<Signal> {
        let mut needs = self.pending_needs(self.port(operand));
        match self.port(operand) {
            Port::None => {}
            Port::Store(port) => {
                for p in port..self.n_stores {
                    needs.push(Signal::Ready(self.store_done(p)));
                    needs.push(Signal::Valid(self.store_data(p)));
                    needs.push(Signal::Valid(self.store_address(p)));
                }
            }
            Port::Load(port) => {
                for p in port..self.n_loads {
                    needs.push(Signal::Ready(self.load_data(p)));
                    needs.push(Signal::Ready(self.load_done(p)));
                    needs.push(Signal::Valid(self.load_address(p)));
                }
            }
        }
        needs
    }
}

/// The state of a load port. All nets are placeholders until the end.
struct LoadState {
    /// True if an answer is available.
    answers: ValueId,
    /// True if the answer arrived in this cycle.
    fresh: ValueId,
    /// The answer, if it arrived earlier; `None` if the memory itself holds it.
    held: Option<ValueId>,
    done: ValueId,
}

/// The storage of the words.
enum Store {
    /// An external memory, at module ports with this name.
    External(String),
    /// A stream with this name: words are transferred in order, when both sides are ready.
    Stream(String),
    /// An array.
    Local,
    /// A constant table.
    Table(Vec<Bits>),
}

/// A memory with its ports.
pub(crate) struct Memory {
    store: Store,
    depth_words: u32,
    width_bits: u32,
    /// Placeholder for the word that was read.
    word: ValueId,
    loads: Vec<LoadState>,
    /// Placeholders for the completion tokens of stores.
    stored: Vec<ValueId>,
    /// The store address queues, by store port.
    pending: Vec<Pending>,
}

impl Memory {
    /// # Errors
    /// Not one-dimensional, not integers, a port count that does not match the operands, or a table with other values.
    pub(crate) fn new(builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<Self> {
        let view = node.view;
        let ports = Ports::of(view);
        if !ports.are_complete() {
            let message = "expected data and address for each store and an address for each load";
            return Err(broken(view, message));
        }
        let is_external = ports.skipped == 1;
        let ty = match is_external {
            true => Some(view.ty(view.operand(0))),
            false => view
                .attribute("memRefType")
                .and_then(|a| a.as_type(view.context)),
        };
        let shape = ty.and_then(|ty| match ty.kind(view.context) {
            TypeKind::MemRef { shape, element, .. } => match shape.as_ref() {
                [Some(depth)] => Some((
                    u32::try_from(*depth).ok().filter(|depth| *depth > 0)?,
                    element.integer_width_bits(view.context)?,
                )),
                _ => None,
            },
            _ => None,
        });
        let (depth_words, width_bits) = shape.filter(|(_, width)| *width > 0).ok_or_else(|| {
            broken(
                view,
                "expected a memory of one dimension, of static size, of integers",
            )
        })?;
        let are_words = |channels: Vec<ValueId>| {
            let mut widths = channels.iter().map(|c| builder.graph.width_bits(*c));
            widths.all(|width| width == width_bits)
        };
        let stores = (0..ports.n_stores).map(|p| ports.store_data(p)).collect();
        let loads = (0..ports.n_loads).map(|p| ports.load_data(p)).collect();
        if !are_words(stores) || !are_words(loads) {
            let message = format!("expected data of {width_bits} bits, as the memory has");
            return Err(broken(view, message));
        }
        let store = if is_external {
            let name = builder.memory_names.get(&view.operand(0));
            let name = name.ok_or_else(|| broken(view, "expected an argument of the function"))?;
            match view.attribute(STREAM) {
                Some(_) => Store::Stream(name.clone()),
                None => Store::External(name.clone()),
            }
        } else if let Some(values) = table(view, depth_words, width_bits)? {
            if ports.n_stores > 0 {
                return Err(broken(view, "a table of constants has no stores"));
            }
            Store::Table(values)
        } else {
            Store::Local
        };
        // The last word of a stream is kept in a register here.
        let is_stream = matches!(store, Store::Stream(_));
        if is_stream && ports.n_loads + ports.n_stores > 1 {
            return Err(broken(view, "a stream has one port"));
        }
        let is_read_by_call = is_called(builder, view);
        let holds_word = (!is_external || is_stream) && ports.n_loads == 1 && !is_read_by_call;
        let mut loads = Vec::new();
        for port in 0..ports.n_loads {
            let is_eager = builder.facts.is_eager(ports.load_data(port));
            let is_held = !holds_word && !is_eager;
            loads.push(LoadState {
                answers: builder.circuit.wire(1),
                fresh: builder.circuit.wire(1),
                held: is_held.then(|| builder.circuit.wire(width_bits)),
                done: builder.circuit.wire(1),
            });
        }
        let stored = (0..ports.n_stores)
            .map(|_| builder.circuit.wire(1))
            .collect();
        let word = builder.circuit.wire(width_bits);
        if let Some(id) = number(view, "id") {
            builder.called.words.insert(id, word);
        }
        Ok(Self {
            store,
            depth_words,
            width_bits,
            stored,
            pending: ports.pending()?,
            word,
            loads,
        })
    }

    /// Emits the test whether the token in `full` is not taken in this cycle.
    fn is_stuck(builder: &mut Builder<'_, '_>, full: ValueId, channel: ValueId) -> ValueId {
        let ready = builder.ready(channel);
        let blocked = builder.circuit.not(ready);
        builder.circuit.and(full, blocked)
    }

    /// Emits the test whether a load port has a free slot for an answer.
    fn load_room(&self, builder: &mut Builder<'_, '_>, ports: &Ports<'_>, port: usize) -> ValueId {
        let state = &self.loads[port];
        let data = Self::is_stuck(builder, state.answers, ports.load_data(port));
        let done = Self::is_stuck(builder, state.done, ports.load_done(port));
        let stuck = builder.circuit.any(&[data, done]);
        builder.circuit.not(stuck)
    }

    fn store_room(&self, builder: &mut Builder<'_, '_>, ports: &Ports<'_>, port: usize) -> ValueId {
        let stuck = Self::is_stuck(builder, self.stored[port], ports.store_done(port));
        builder.circuit.not(stuck)
    }

    fn load_request(
        &self,
        builder: &mut Builder<'_, '_>,
        ports: &Ports<'_>,
        port: usize,
    ) -> ValueId {
        let room = self.load_room(builder, ports, port);
        let valid = builder.valid(ports.load_address(port));
        let free = self.is_free(builder, ports, Port::Load(port));
        builder.circuit.all(&[valid, room, free])
    }

    fn store_request(
        &self,
        builder: &mut Builder<'_, '_>,
        ports: &Ports<'_>,
        port: usize,
    ) -> ValueId {
        let room = self.store_room(builder, ports, port);
        let both = [ports.store_data(port), ports.store_address(port)];
        let valid = builder.all_valid(&both);
        let free = self.is_free(builder, ports, Port::Store(port));
        builder.circuit.all(&[valid, room, free])
    }

    /// Returns the matches of a port's address in the store address queues; `None` without queues, and for the ports of such
    /// queues.
    fn met(&self, builder: &mut Builder<'_, '_>, ports: &Ports<'_>, port: Port) -> Option<Met> {
        let first = self.pending.first()?;
        let (channel, is_load) = match port {
            Port::Load(port) => (ports.load_address(port), true),
            Port::Store(port) if port < first.port => (ports.store_address(port), false),
            Port::Store(_) | Port::None => return None,
        };
        let address = self.address(builder, channel);
        // A word that is written in this cycle can be forwarded to a load, but a store to it must wait.
        let written = match is_load {
            true => self.written(builder, ports),
            false => vec![builder.circuit.flag(false); self.pending.len()],
        };
        let queues = self.pending.iter().copied().zip(written);
        Some(meet(builder, queues, address))
    }

    /// Returns for each store with an address queue whether it writes in this cycle; a later one has priority.
    fn written(&self, builder: &mut Builder<'_, '_>, ports: &Ports<'_>) -> Vec<ValueId> {
        let requests: Vec<ValueId> = self
            .pending
            .iter()
            .map(|pending| self.store_request(builder, ports, pending.port))
            .collect();
        let choices = requests.iter().enumerate().map(|(i, request)| {
            let later = requests[i + 1..].to_vec();
            let is_first = Self::is_first(builder, &later);
            builder.circuit.and(*request, is_first)
        });
        choices.collect()
    }

    /// Emits the test whether no pending store to the address of a port blocks it.
    fn is_free(&self, builder: &mut Builder<'_, '_>, ports: &Ports<'_>, port: Port) -> ValueId {
        match self.met(builder, ports, port) {
            Some(met) => builder.circuit.not(met.held),
            None => builder.circuit.flag(true),
        }
    }

    /// Emits the test whether the other side of a stream is ready: it offers a word, or accepts one.
    fn is_met(&self, builder: &mut Builder<'_, '_>) -> ValueId {
        match &self.store {
            Store::Stream(name) => match self.loads.is_empty() {
                true => builder.inputs[&format!("{name}_ready")],
                false => builder.inputs[&format!("{name}_valid")],
            },
            Store::External(_) | Store::Local | Store::Table(_) => builder.circuit.flag(true),
        }
    }

    /// Emits the test whether no port with priority uses the cycle.
    fn is_first(builder: &mut Builder<'_, '_>, requests: &[ValueId]) -> ValueId {
        let others = builder.circuit.any(requests);
        builder.circuit.not(others)
    }

    /// Returns an address at the width that the memory needs.
    fn address(&self, builder: &mut Builder<'_, '_>, channel: ValueId) -> ValueId {
        let bits = address_bits(self.depth_words);
        let net = builder.forward(channel).data;
        let net = net.unwrap_or_else(|| builder.circuit.constant(Bits::zero(bits)));
        match builder.circuit.width(net) < bits {
            true => builder.circuit.zext(net, bits),
            false => builder.circuit.extract(net, 0, bits),
        }
    }
}

/// Returns whether a memory is passed to a called circuit.
fn is_called(builder: &Builder<'_, '_>, memory: View<'_>) -> bool {
    let id = number(memory, "id");
    let mut calls = builder.graph.nodes.iter();
    calls.any(|node| {
        let is_passed = |passed: &u32| Some(*passed) == id;
        node.kind == Kind::Call && memory_ids(node.view).iter().any(is_passed)
    })
}

/// Returns the words in `sluice.values`.
fn table(view: View<'_>, depth_words: u32, width_bits: u32) -> Built<Option<Vec<Bits>>> {
    let Some(values) = view.attribute(sluice::VALUES) else {
        return Ok(None);
    };
    let values = values.as_array(view.context).unwrap_or_default().iter();
    let words: Option<Vec<Bits>> = values
        .map(|value| value.integer(view.context).cloned())
        .collect();
    let fits = |words: &Vec<Bits>| {
        words.len() == depth_words as usize && words.iter().all(|w| w.width() == width_bits)
    };
    let message =
        format!("expected {depth_words} integers of {width_bits} bits in `sluice.values`");
    words
        .filter(fits)
        .map(Some)
        .ok_or_else(|| broken(view, message))
}

/// Selects the net whose choice bit is set; at most one is.
pub(crate) fn select(
    builder: &mut Builder<'_, '_>,
    nets: &[ValueId],
    choices: &[ValueId],
) -> ValueId {
    let pairs: Vec<_> = choices.iter().copied().zip(nets.iter().copied()).collect();
    builder.circuit.select(&pairs)
}

impl Element for Memory {
    fn forward(
        &self,
        builder: &mut Builder<'_, '_>,
        node: &Node<'_>,
        result: usize,
    ) -> Built<Forward> {
        let ports = Ports::of(node.view);
        if let Some(load) = self.loads.get(result) {
            let data = match load.held {
                Some(held) => builder.circuit.mux(load.fresh, self.word, held),
                None => self.word,
            };
            return Ok(Forward {
                valid: load.answers,
                data: Some(data),
            });
        }
        let at = result - ports.n_loads;
        let valid = match self.stored.get(at) {
            Some(stored) => *stored,
            None => self.loads[at - ports.n_stores].done,
        };
        Ok(Forward { valid, data: None })
    }

    fn ready(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, operand: usize) -> ValueId {
        let ports = Ports::of(node.view);
        match ports.port(operand) {
            Port::None => builder.circuit.flag(true),
            Port::Load(port) => {
                let mut later: Vec<ValueId> = (port + 1..ports.n_loads)
                    .map(|p| self.load_request(builder, &ports, p))
                    .collect();
                later.extend(
                    collect_called_requests(builder, node.view)
                        .reads
                        .iter()
                        .map(|(_, read)| *read),
                );
                let room = self.load_room(builder, &ports, port);
                let first = Self::is_first(builder, &later);
                let met = self.is_met(builder);
                let free = self.is_free(builder, &ports, Port::Load(port));
                builder.circuit.all(&[room, first, met, free])
            }
            Port::Store(port) => {
                let mut later: Vec<ValueId> = (port + 1..ports.n_stores)
                    .map(|p| self.store_request(builder, &ports, p))
                    .collect();
                let called_requests = collect_called_requests(builder, node.view).writes;
                later.extend(called_requests.iter().map(|write| write.enable));
                let room = self.store_room(builder, &ports, port);
                let first = Self::is_first(builder, &later);
                let (data, address) = (ports.store_data(port), ports.store_address(port));
                let other = match node.view.operand(operand) == data {
                    true => builder.valid(address),
                    false => builder.valid(data),
                };
                let met = self.is_met(builder);
                let free = self.is_free(builder, &ports, Port::Store(port));
                builder.circuit.all(&[room, first, other, met, free])
            }
        }
    }

    fn finish(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<()> {
        let ports = Ports::of(node.view);
        let name = &node.name;
        builder.circuit.location = node.view.location();
        let called_requests = collect_called_requests(builder, node.view);
        let mut reads = Vec::new();
        let mut requests: Vec<ValueId> = called_requests
            .reads
            .iter()
            .map(|(_, read)| *read)
            .collect();
        for port in (0..ports.n_loads).rev() {
            let request = self.load_request(builder, &ports, port);
            let first = Self::is_first(builder, &requests);
            let met = self.is_met(builder);
            reads.insert(0, builder.circuit.all(&[request, first, met]));
            requests.push(request);
        }
        let mut writes = Vec::new();
        let mut requests: Vec<ValueId> = called_requests
            .writes
            .iter()
            .map(|write| write.enable)
            .collect();
        for port in (0..ports.n_stores).rev() {
            let request = self.store_request(builder, &ports, port);
            let first = Self::is_first(builder, &requests);
            let met = self.is_met(builder);
            if let Store::Stream(name) = &self.store {
                // A word is offered independently of whether it is accepted.
                builder.outputs.insert(format!("{name}_valid"), request);
            }
            writes.insert(0, builder.circuit.all(&[request, first, met]));
            requests.push(request);
        }
        let read = (ports.n_loads + called_requests.reads.len() > 0).then(|| {
            let all = (0..ports.n_loads).map(|p| self.address(builder, ports.load_address(p)));
            let mut all: Vec<ValueId> = all.collect();
            all.extend(called_requests.reads.iter().map(|(address, _)| *address));
            let mut choices = reads.clone();
            choices.extend(called_requests.reads.iter().map(|(_, read)| *read));
            let address = select(builder, &all, &choices);
            let enable = builder.circuit.any(&choices);
            builder.circuit.name(enable, &format!("{name}_reads"));
            ReadNets { address, enable }
        });
        let write = (ports.n_stores + called_requests.writes.len() > 0).then(|| {
            let all = (0..ports.n_stores).map(|p| self.address(builder, ports.store_address(p)));
            let mut all: Vec<ValueId> = all.collect();
            all.extend(called_requests.writes.iter().map(|write| write.address));
            let mut choices = writes.clone();
            choices.extend(called_requests.writes.iter().map(|write| write.enable));
            let address = select(builder, &all, &choices);
            let data: Vec<ValueId> = (0..ports.n_stores).map(|p| ports.store_data(p)).collect();
            let mut data = builder.data(&data);
            data.extend(called_requests.writes.iter().map(|write| write.data));
            let data = select(builder, &data, &choices);
            let enable = builder.circuit.any(&choices);
            builder.circuit.name(enable, &format!("{name}_writes"));
            WriteNets {
                address,
                enable,
                data,
            }
        });
        self.tokens(builder, &ports, &reads, &writes, name);
        let passed = self.passed(builder, &ports, &reads, write.as_ref(), name);
        self.words(builder, node, read, write, passed);
        Ok(())
    }
}

/// A forwarded word: whether there is one, and the word.
type Passed = Option<(ValueId, ValueId)>;

impl Memory {
    /// Creates the registers of the answers.
    fn tokens(
        &self,
        builder: &mut Builder<'_, '_>,
        ports: &Ports<'_>,
        reads: &[ValueId],
        writes: &[ValueId],
        name: &str,
    ) {
        for (port, state) in self.loads.iter().enumerate() {
            let read = reads[port];
            let stuck = Self::is_stuck(builder, state.answers, ports.load_data(port));
            let answers = builder.circuit.any(&[read, stuck]);
            if let Some(wire) = state.held {
                let held = format!("{name}_load{port}_held");
                builder.keep(wire, self.word, Some(state.fresh), None, &held);
            }
            let fresh = format!("{name}_load{port}_fresh");
            builder.keep_bit(state.fresh, read, false, &fresh);
            let full = format!("{name}_load{port}_full");
            builder.keep_bit(state.answers, answers, false, &full);
            let stuck = Self::is_stuck(builder, state.done, ports.load_done(port));
            let done = builder.circuit.any(&[read, stuck]);
            builder.keep_bit(state.done, done, false, &format!("{name}_load{port}_done"));
        }
        for (port, wire) in self.stored.iter().enumerate() {
            let stuck = Self::is_stuck(builder, *wire, ports.store_done(port));
            let done = builder.circuit.any(&[writes[port], stuck]);
            builder.keep_bit(*wire, done, false, &format!("{name}_store{port}_done"));
        }
    }

    /// Creates the register for a word that is read while it is written.
    fn passed(
        &self,
        builder: &mut Builder<'_, '_>,
        ports: &Ports<'_>,
        reads: &[ValueId],
        write: Option<&WriteNets>,
        name: &str,
    ) -> Passed {
        let write = write.filter(|_| !self.pending.is_empty())?;
        let mut passes = Vec::new();
        for (port, read) in reads.iter().enumerate() {
            let met = self.met(builder, ports, Port::Load(port))?;
            passes.push(builder.circuit.and(*read, met.forwarded));
        }
        let passes = builder.circuit.any(&passes);
        let options = |enable, name| RegisterOptions {
            enable: Some(enable),
            name,
            ..RegisterOptions::default()
        };
        let read = builder.circuit.any(reads);
        let names = [format!("{name}_passes"), format!("{name}_passed")];
        let flag = builder.circuit.register(passes, options(read, &names[0]));
        let word = builder
            .circuit
            .register(write.data, options(passes, &names[1]));
        Some((flag, word))
    }

    /// Connects the read data: the output of the memory, or the forwarded word.
    fn connect_word(&self, builder: &mut Builder<'_, '_>, word: ValueId, passed: Passed) {
        let word = match passed {
            Some((flag, passed)) => builder.circuit.mux(flag, passed, word),
            None => word,
        };
        builder.circuit.connect(self.word, word);
    }

    /// Creates the storage.
    fn words(
        &self,
        builder: &mut Builder<'_, '_>,
        node: &Node<'_>,
        read: Option<ReadNets>,
        write: Option<WriteNets>,
        passed: Passed,
    ) {
        match (&self.store, read) {
            (Store::External(name), read) => {
                if let Some(read) = read {
                    builder
                        .outputs
                        .insert(format!("{name}_raddr"), read.address);
                    builder.outputs.insert(format!("{name}_ren"), read.enable);
                    let word = builder.inputs[&format!("{name}_rdata")];
                    self.connect_word(builder, word, passed);
                }
                if let Some(write) = write {
                    builder
                        .outputs
                        .insert(format!("{name}_waddr"), write.address);
                    builder.outputs.insert(format!("{name}_wen"), write.enable);
                    builder.outputs.insert(format!("{name}_wdata"), write.data);
                }
            }
            (Store::Stream(name), Some(read)) => {
                // True if a word would be accepted if there is one.
                let ready = self.load_request(builder, &Ports::of(node.view), 0);
                builder.outputs.insert(format!("{name}_ready"), ready);
                let word = builder.inputs[name];
                let held = format!("{name}_word");
                builder.keep(self.word, word, Some(read.enable), None, &held);
            }
            (Store::Stream(name), None) => {
                if let Some(write) = write {
                    builder.outputs.insert(name.clone(), write.data);
                }
            }
            // It is never read.
            (Store::Local | Store::Table(_), None) => {}
            (Store::Table(values), Some(read)) => {
                let word = builder.circuit.table(values, read.address);
                let name = format!("{}_data", node.name);
                builder.keep(self.word, word, Some(read.enable), None, &name);
            }
            (Store::Local, Some(read)) => {
                let write = write.unwrap_or_else(|| {
                    let address = Bits::zero(address_bits(self.depth_words));
                    WriteNets {
                        address: builder.circuit.constant(address),
                        enable: builder.circuit.flag(false),
                        data: builder.circuit.constant(Bits::zero(self.width_bits)),
                    }
                });
                let nets = MemoryNets {
                    depth_words: self.depth_words,
                    reads: vec![read],
                    writes: vec![write],
                    read_latency_cycles: 1,
                    storage: storage(node.view),
                    may_collide: true,
                };
                let word = builder.circuit.memory(&node.name, &nets)[0];
                self.connect_word(builder, word, passed);
            }
        }
    }
}
