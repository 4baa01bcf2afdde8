//! A dataflow graph as plain tables of channels and nodes, without data except for bits that select a path.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::{CHANNEL, CREDITS, LATENCY, WORDS};
use sluice_dialects::{Operation, arith, handshake, sluice, synthesis_form::is_division};
use sluice_ir::{Body, Context, Location, OperationId, TypeKind, ValueId, View};

use crate::channels::{Channels, Port, is_call, is_memory};

/// A channel; channels that always have a token are not included.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) value: ValueId,
    pub(super) name: String,
    pub(super) location: Location,
    pub(super) from: usize,
    pub(super) to: usize,
    /// True if its tokens are single bits.
    pub(super) is_bit: bool,
}

/// An input of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Input {
    Channel(usize),
    /// Always has a token, with this bit if known.
    Always(Option<bool>),
}

impl Input {
    pub(super) fn channel(self) -> Option<usize> {
        match self {
            Self::Channel(channel) => Some(channel),
            Self::Always(_) => None,
        }
    }
}

/// An operation, or one half of a load.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) inputs: Vec<Input>,
    pub(super) outputs: Vec<usize>,
}

/// A store whose address waits in a queue for its data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pending {
    /// The token that tells that the address is known.
    pub(super) known: usize,
    /// The request of the store.
    pub(super) request: usize,
    /// The requests of the loads of the memory.
    pub(super) loads: Vec<usize>,
}

/// How the bit of a join's output depends on those of the inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bit {
    /// Unconstrained.
    Free,
    Constant(bool),
    /// Equal to that of the first input.
    Copy,
    And,
    Or,
    Xor,
}

/// The behaviour of a node, as in docs/ELASTIC.md.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Offers one token after every start.
    Argument,
    Return,
    /// One output, in the same cycle.
    Join(Bit),
    /// One output, after this number of registers, which advance together.
    Pipeline(usize),
    /// Joins all inputs, and forks to all outputs; the bit of an output is that of the input with its index, or of the only
    /// input, or unconstrained.
    Fork(Bit),
    Sink,
    Mux,
    /// `cond_br`: the first output is taken if the condition holds.
    Branch,
    /// `merge` and `control_merge` of several inputs: takes the token that arrives first; the second output, if any, tells which
    /// it was.
    Merge,
    /// A buffer with limited capacity.
    Buffer(Buffer),
    /// A port of a memory: one request, an answer to each output.
    Port,
}

/// The properties of a buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Buffer {
    pub(super) capacity: usize,
    /// True if a token passes without delay if it is empty.
    pub(super) is_fifo: bool,
    /// True if it accepts a token while full, if another leaves in the same cycle.
    pub(super) takes_when_full: bool,
    /// The bits of the initial tokens, the first nearest to the output; `None` if the channel is no bit.
    pub(super) initial: Vec<Option<bool>>,
    /// True if it passes words from one loop to another, so that input and output are in different domains.
    pub(super) is_between_loops: bool,
    /// The number of words passed in a call, if known.
    pub(super) n_words: Option<usize>,
}

/// The dataflow graph as tables of channels and nodes.
///
/// Invariant: every channel is an output of its `from` and an input of its `to`.
#[derive(Clone, Debug, Default)]
pub(super) struct Network {
    pub(super) channels: Vec<Channel>,
    pub(super) nodes: Vec<Node>,
    pub(super) pending: Vec<Pending>,
}

impl Network {
    /// Builds the network of a graph.
    ///
    /// # Errors
    /// A text about what is not supported.
    pub(super) fn read(context: &Context, body: &Body) -> Result<Self, String> {
        let channels = Channels::new(context, body);
        let mut reader = Reader {
            channels,
            always: channels.sourced().into_iter().collect(),
            channel_of: BTreeMap::new(),
            n_of: BTreeMap::new(),
            network: Self::default(),
        };
        reader.read()?;
        Ok(reader.network)
    }

    /// Returns the earlier channel that carries the same tokens in the same order, by skipping forks, wires and buffers that are
    /// empty after reset.
    pub(super) fn root(&self, channel: usize) -> usize {
        let mut root = channel;
        // Bounded, because wires may form a cycle.
        for _ in 0..self.channels.len() {
            let node = &self.nodes[self.channels[root].from];
            let is_passed = match &node.kind {
                Kind::Fork(Bit::Copy) | Kind::Join(Bit::Copy) => node.inputs.len() == 1,
                Kind::Buffer(buffer) => buffer.initial.is_empty() && !buffer.is_between_loops,
                _ => false,
            };
            match node.inputs.first() {
                Some(Input::Channel(input)) if is_passed => root = *input,
                _ => break,
            }
        }
        root
    }
}

struct Reader<'a> {
    channels: Channels<'a>,
    always: BTreeSet<ValueId>,
    channel_of: BTreeMap<ValueId, usize>,
    /// The number of operations with each name so far.
    n_of: BTreeMap<&'a str, usize>,
    network: Network,
}

impl<'a> Reader<'a> {
    fn read(&mut self) -> Result<(), String> {
        let body = self.channels.body;
        let region = body
            .top_regions()
            .next()
            .ok_or("the function has no body")?;
        let block = *body
            .blocks(region)
            .first()
            .ok_or("the function has no body")?;
        for argument in body.arguments(block) {
            if let TypeKind::MemRef { .. } = body.ty(*argument).kind(self.channels.context) {
                continue;
            }
            let name = body
                .value_name(*argument)
                .map_or("argument", |name| self.channels.context.text(name));
            let channel = self.channel(*argument, name.to_owned(), body.value_location(*argument));
            self.node(name.to_owned(), Kind::Argument, Vec::new(), vec![channel]);
        }
        let ops: Vec<View<'a>> = body
            .operations(block)
            .map(|op| self.channels.view(op))
            .collect();
        let mut names = Vec::new();
        for view in &ops {
            let name = self.name(*view);
            for (i, result) in view.results().iter().enumerate() {
                // Data and address of a store go to its port together, so one channel represents both.
                let is_double =
                    i == 0 && view.name() == handshake::Store::NAME && self.is_wired(*view);
                if is_double || self.always.contains(result) {
                    continue;
                }
                let name = match view.results().len() {
                    1 => name.clone(),
                    _ => format!("{name}#{i}"),
                };
                self.channel(*result, name, view.location());
            }
            names.push(name);
        }
        for (view, name) in ops.into_iter().zip(names) {
            self.operation(view, name)?;
        }
        self.pending(&body.operations(block).collect::<Vec<_>>())?;
        for channel in &self.network.channels {
            if channel.from == usize::MAX || channel.to == usize::MAX {
                return Err(format!("channel `{}` does not have one use", channel.name));
            }
        }
        Ok(())
    }

    /// Finds the stores with address queues.
    fn pending(&mut self, ops: &[OperationId]) -> Result<(), String> {
        for op in ops
            .iter()
            .copied()
            .filter(|op| self.channels.is_pending(*op))
        {
            let view = self.channels.view(op);
            let known = self.channels.maker(view.operand(0)).and_then(|(sync, _)| {
                let token = *self.channels.view(sync).results().get(1)?;
                self.channel_of.get(&token).copied()
            });
            let address = self.channels.user(view.result(0)).and_then(|(store, _)| {
                let address = *self.channels.view(store).results().get(1)?;
                Some((address, *self.channel_of.get(&address)?))
            });
            let pair = known.zip(address);
            let (known, (address, request)) = pair.ok_or("addresses wait for no store")?;
            let memory = self.channels.user(address);
            let memory = memory.map(|(memory, _)| self.channels.view(memory));
            let memory = memory.filter(|memory| is_memory(*memory));
            let memory = memory.ok_or("addresses wait for no memory")?;
            let ports = Port::all(self.channels, memory).into_iter();
            let loads = ports.filter(|port| !port.stores);
            let loads = loads.filter_map(|port| {
                let address = memory.operand(port.address());
                self.channel_of.get(&address).copied()
            });
            let loads = loads.collect();
            self.network.pending.push(Pending {
                known,
                request,
                loads,
            });
        }
        Ok(())
    }

    /// Returns the name of an operation: its `sluice.name`, else the name of its first result, else its mnemonic with a number.
    fn name(&mut self, view: View<'a>) -> String {
        let said = view
            .attribute(sluice::NAME)
            .and_then(|a| a.as_str(self.channels.context));
        let named = view
            .results()
            .first()
            .and_then(|result| view.body.value_name(*result));
        let named = named.map(|name| self.channels.context.text(name));
        if let Some(name) =
            said.or(named.filter(|name| !name.starts_with(|c: char| c.is_ascii_digit())))
        {
            return name.to_owned();
        }
        let mnemonic = view.name();
        let mnemonic = mnemonic.rsplit('.').next().unwrap_or(mnemonic);
        let n = self.n_of.entry(mnemonic).or_insert(0);
        *n += 1;
        format!("{mnemonic}{}", *n - 1)
    }

    fn channel(&mut self, value: ValueId, name: String, location: Location) -> usize {
        let number = self.network.channels.len();
        self.channel_of.insert(value, number);
        self.network.channels.push(Channel {
            value,
            name,
            location,
            from: usize::MAX,
            to: usize::MAX,
            is_bit: self.channels.width_bits(value) == 1,
        });
        number
    }

    fn node(&mut self, name: String, kind: Kind, inputs: Vec<Input>, outputs: Vec<usize>) {
        let number = self.network.nodes.len();
        for input in inputs.iter().filter_map(|input| input.channel()) {
            self.network.channels[input].to = number;
        }
        for output in &outputs {
            self.network.channels[*output].from = number;
        }
        self.network.nodes.push(Node {
            name,
            kind,
            inputs,
            outputs,
        });
    }

    fn input(&self, value: ValueId) -> Result<Input, String> {
        if self.always.contains(&value) {
            return Ok(Input::Always(self.constant(value)));
        }
        let known = self
            .channel_of
            .get(&value)
            .map(|channel| Input::Channel(*channel));
        known.ok_or_else(|| "a memory is used as a channel".to_owned())
    }

    /// Returns whether a channel carries the index of a merge.
    fn is_index(&self, channel: ValueId) -> bool {
        let mut at = channel;
        for _ in 0..self.network.channels.len() {
            let Some((op, result)) = self.channels.maker(at) else {
                break;
            };
            let view = self.channels.view(op);
            match view.name() {
                handshake::ControlMerge::NAME => return result == 1 && view.operands().len() > 1,
                handshake::Fork::NAME | handshake::Buffer::NAME | handshake::Branch::NAME => {
                    at = view.operand(0)
                }
                _ => break,
            }
        }
        false
    }

    /// Returns the bit of a constant.
    fn constant(&self, value: ValueId) -> Option<bool> {
        let (op, _) = self.channels.maker(value)?;
        let view = self.channels.view(op);
        let is_constant =
            view.name() == handshake::Constant::NAME && self.channels.width_bits(value) == 1;
        let number = view.attribute("value").filter(|_| is_constant)?;
        Some(!number.integer(self.channels.context)?.is_zero())
    }

    fn operation(&mut self, view: View<'a>, name: String) -> Result<(), String> {
        let results = view.results();
        if !results.is_empty() && results.iter().all(|result| self.always.contains(result)) {
            return Ok(());
        }
        let refused = |what: &str| Err(format!("`{}` {what}", view.name()));
        if is_memory(view) {
            return self.memory(view, &name);
        }
        let inputs: Vec<Input> = view
            .operands()
            .map(|value| self.input(value))
            .collect::<Result<_, _>>()?;
        let outputs: Vec<usize> = results
            .iter()
            .filter_map(|value| self.channel_of.get(value).copied())
            .collect();
        let kind = match Operation::of(view) {
            Some(Operation::Handshake(op)) => match op {
                handshake::Op::Return => Kind::Return,
                handshake::Op::Sink => Kind::Sink,
                handshake::Op::Join | handshake::Op::Pack => Kind::Join(Bit::Free),
                handshake::Op::Branch => Kind::Join(Bit::Copy),
                handshake::Op::Merge if inputs.len() == 1 => Kind::Join(Bit::Copy),
                handshake::Op::ControlMerge if inputs.len() == 1 => Kind::Fork(Bit::Free),
                handshake::Op::Merge | handshake::Op::ControlMerge => Kind::Merge,
                // It still waits for the select token, although there is nothing to select.
                handshake::Op::Mux if inputs.len() == 2 => Kind::Join(Bit::Free),
                handshake::Op::Constant => Kind::Join(
                    results
                        .first()
                        .and_then(|value| self.constant(*value))
                        .map_or(Bit::Free, Bit::Constant),
                ),
                handshake::Op::Fork | handshake::Op::Sync => Kind::Fork(Bit::Copy),
                handshake::Op::Unpack => Kind::Fork(Bit::Free),
                handshake::Op::Mux | handshake::Op::ConditionalBranch => {
                    let condition = view.operand(0);
                    let is_always = self.always.contains(&condition);
                    if is_always
                        || self.channels.width_bits(condition) != 1 && !self.is_index(condition)
                    {
                        return refused(
                            "is chosen by something else than a bit that comes with a token",
                        );
                    }
                    match op {
                        handshake::Op::Mux if inputs.len() != 3 && !self.is_index(condition) => {
                            return refused("chooses between other than two");
                        }
                        handshake::Op::Mux => Kind::Mux,
                        _ => Kind::Branch,
                    }
                }
                handshake::Op::Buffer => Kind::Buffer(self.buffer(view)?),
                handshake::Op::Load => return self.load(view, name, &inputs),
                handshake::Op::Store => return self.store(view, name, inputs),
                // A scheduled circuit always completes: it waits for no tokens.
                handshake::Op::Instance if is_call(view) && outputs.len() == 1 => Kind::Pipeline(1),
                handshake::Op::Instance
                | handshake::Op::ExternalMemory
                | handshake::Op::Func
                | handshake::Op::LazyFork
                | handshake::Op::Memory
                | handshake::Op::Never
                | handshake::Op::Source => {
                    return refused("is not understood");
                }
            },
            Some(Operation::Arith(_)) if outputs.len() == 1 => {
                let latency = self.channels.number(view.id, LATENCY).unwrap_or(0);
                let latency = usize::try_from(latency).map_err(|why| why.to_string())?;
                match latency {
                    0 => Kind::Join(self.bit(view)),
                    _ if self.channels.shared(view.id).is_some() => {
                        self.shared(view, name, inputs, outputs[0]);
                        return Ok(());
                    }
                    // A division holds one token until it is taken.
                    _ if is_division(view) => Kind::Pipeline(1),
                    _ => Kind::Pipeline(latency),
                }
            }
            _ => return refused("is not understood"),
        };
        self.node(name, kind, inputs, outputs);
        Ok(())
    }

    /// Models a shared unit as a join for its turn, and a buffer with a slot per credit: nothing else can keep a token from being
    /// taken forever.
    fn shared(&mut self, view: View<'a>, name: String, inputs: Vec<Input>, output: usize) {
        let credits = self.channels.number(view.id, CREDITS).unwrap_or(1);
        let turn = self.network.channels.len();
        let mut channel = self.network.channels[output].clone();
        channel.name = format!("{name} (its turn)");
        self.network.channels.push(channel);
        self.node(name.clone(), Kind::Join(Bit::Free), inputs, vec![turn]);
        let slots = Buffer {
            capacity: usize::try_from(credits.max(1)).unwrap_or(1),
            is_fifo: false,
            takes_when_full: false,
            initial: Vec::new(),
            is_between_loops: false,
            n_words: None,
        };
        let turn = vec![Input::Channel(turn)];
        self.node(name, Kind::Buffer(slots), turn, vec![output]);
    }

    /// Returns the function that an operation computes on single bits.
    fn bit(&self, view: View<'a>) -> Bit {
        let is_bit = |value: ValueId| self.channels.width_bits(value) == 1;
        if !view.operands().all(is_bit) || !view.results().iter().all(|value| is_bit(*value)) {
            return Bit::Free;
        }
        match view.name() {
            arith::Andi::NAME => Bit::And,
            arith::Ori::NAME => Bit::Or,
            arith::Xori::NAME => Bit::Xor,
            _ => Bit::Free,
        }
    }

    fn buffer(&self, view: View<'a>) -> Result<Buffer, String> {
        let slots = self
            .channels
            .number(view.id, "slots")
            .filter(|slots| *slots > 0);
        let slots = slots
            .and_then(|slots| usize::try_from(slots).ok())
            .ok_or("a buffer has no slots")?;
        let is_fifo = self.channels.is_fifo(view.id);
        let is_cut = view.attribute(sluice::CUT).is_some();
        let values = view
            .attribute("initValues")
            .and_then(|a| a.as_array(self.channels.context));
        let is_bit = self.channels.width_bits(view.result(0)) == 1;
        let bit = |value: &sluice_ir::Attribute| {
            is_bit
                .then(|| value.as_i64(self.channels.context).map(|n| n & 1 == 1))
                .flatten()
        };
        let initial: Vec<Option<bool>> = values.unwrap_or_default().iter().map(bit).collect();
        if initial.len() > slots || is_fifo && !initial.is_empty() {
            return Err("a buffer has more tokens after reset than registers".to_owned());
        }
        Ok(Buffer {
            capacity: match is_fifo || is_cut {
                true => slots,
                false => 2 * slots,
            },
            is_fifo,
            takes_when_full: !is_fifo && is_cut,
            is_between_loops: view.attribute(CHANNEL).is_some(),
            n_words: self
                .channels
                .number(view.id, WORDS)
                .and_then(|n_words| usize::try_from(n_words).ok()),
            initial,
        })
    }

    /// Splits a load: address and order form the request; the answer is passed on.
    fn load(&mut self, view: View<'a>, name: String, inputs: &[Input]) -> Result<(), String> {
        let n_addresses = view.operand_group(0).len();
        let (word, requests) = view
            .results()
            .split_first()
            .ok_or("a load has no results")?;
        let known = |value: &ValueId| self.channel_of.get(value).copied();
        let (Some(word), Some(request), [answer, ..]) = (
            known(word),
            requests.first().and_then(known),
            &inputs[n_addresses..],
        ) else {
            return Err("a load has no memory".to_owned());
        };
        if requests.len() != 1 {
            return Err("a load has more than one address".to_owned());
        }
        let asked = [&inputs[..n_addresses], &inputs[n_addresses + 1..]].concat();
        self.node(name.clone(), Kind::Join(Bit::Free), asked, vec![request]);
        self.node(name, Kind::Join(Bit::Free), vec![*answer], vec![word]);
        Ok(())
    }

    /// Returns whether address and data of a store go directly to one memory port.
    fn is_wired(&self, view: View<'a>) -> bool {
        let [data, address] = view.results() else {
            return false;
        };
        let ends = [data, address].map(|value| self.channels.user(*value));
        let [Some((memory, data_index)), Some((same, address_index))] = ends else {
            return false;
        };
        let view_of_memory = self.channels.view(memory);
        let is_port = |port: &Port| port.operands == [data_index, address_index];
        memory == same
            && is_memory(view_of_memory)
            && Port::all(self.channels, view_of_memory).iter().any(is_port)
    }

    /// If address and data go to one port together, the address represents both; otherwise they are forked.
    fn store(&mut self, view: View<'a>, name: String, inputs: Vec<Input>) -> Result<(), String> {
        if view.results().len() != 2 {
            return Err("a store has more than one address".to_owned());
        }
        let known = |value: &ValueId| self.channel_of.get(value).copied();
        let outputs: Vec<usize> = view.results().iter().filter_map(known).collect();
        let kind = match outputs.len() {
            0 => return Err("a store has no order".to_owned()),
            1 => Kind::Join(Bit::Free),
            _ => Kind::Fork(Bit::Free),
        };
        self.node(name, kind, inputs, outputs);
        Ok(())
    }

    fn memory(&mut self, view: View<'a>, name: &str) -> Result<(), String> {
        for port in Port::all(self.channels, view) {
            let channels = port.operands.iter();
            let channels = channels.map(|i| self.channel_of.get(&view.operand(*i)).copied());
            let requests: Vec<usize> = channels.flatten().collect();
            let mut request = *requests.last().ok_or("a port of a memory has no access")?;
            let answers = port
                .results
                .iter()
                .filter_map(|i| self.channel_of.get(&view.result(*i)).copied());
            let answers: Vec<usize> = answers.collect();
            // A port takes the tokens of its two channels together.
            if requests.len() > 1 {
                let both = self.network.channels.len();
                let channel = self.network.channels[request].clone();
                self.network.channels.push(channel);
                let name = self.network.channels[request].name.clone();
                let inputs = requests.into_iter().map(Input::Channel).collect();
                self.node(name, Kind::Join(Bit::Free), inputs, vec![both]);
                request = both;
            }
            let access = self.network.channels[request].name.clone();
            self.node(
                format!("{name} ({access})"),
                Kind::Port,
                vec![Input::Channel(request)],
                answers,
            );
        }
        Ok(())
    }
}
