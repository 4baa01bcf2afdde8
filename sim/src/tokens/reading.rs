//! The reader of dataflow graphs: turns a `handshake.func` in graph form into tables, and reports everything that is not of that
//! form.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::PENDING;
use sluice_dialects::{Operation, handshake, sluice, synthesis_form::is_division};
use sluice_ir::bits::Bits;
use sluice_ir::{
    AttributeKind, BlockId, Context, Diagnostics, Location, Module, Type, TypeKind, ValueId, View,
};

use super::evaluation::Evaluation;
use super::graph::{Channel, Data, Graph, Kind, Node, Parameter, Turns};
use super::words::Layout;

/// Reads the function `name` of a verified module.
///
/// # Errors
/// Everything in it that the graph form of docs/ELASTIC.md does not allow, with its location.
pub(super) fn read<'a>(
    context: &'a Context,
    module: &'a Module,
    name: &str,
) -> Result<Graph<'a>, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let function = module
        .lookup_symbol(context, name)
        .map(|op| View::new(context, module.inner(), op))
        .filter(|view| view.name() == handshake::Func::NAME);
    let Some(function) = function else {
        diagnostics.error(
            Location::UNKNOWN,
            format!("there is no `handshake.func @{name}`"),
        );
        return Err(diagnostics);
    };
    let Some(block) = function.entry_block(0) else {
        diagnostics.error(function.location(), format!("`@{name}` has no body"));
        return Err(diagnostics);
    };
    let mut reader = Reader {
        context,
        module,
        function,
        channel_of: vec![None; function.inner().value_capacity()],
        names: BTreeSet::new(),
        n_of: BTreeMap::new(),
        node_names: Vec::new(),
        calls: Vec::new(),
        graph: Graph {
            location: function.location(),
            channels: Vec::new(),
            layouts: Vec::new(),
            producers: Vec::new(),
            consumers: Vec::new(),
            nodes: Vec::new(),
            memories: Vec::new(),
            callees: Vec::new(),
            parameters: Vec::new(),
            pending: Vec::new(),
            sharers: Vec::new(),
            end: usize::MAX,
        },
        units: BTreeMap::new(),
        diagnostics,
    };
    reader.channels(block);
    reader.arguments(block);
    for op in function.inner().operations(block) {
        reader.operation(View::new(context, function.inner(), op));
    }
    reader.finish()
}

pub(super) struct Reader<'a> {
    pub(super) context: &'a Context,
    pub(super) module: &'a Module,
    pub(super) function: View<'a>,
    /// The channel of each value.
    channel_of: Vec<Option<usize>>,
    names: BTreeSet<String>,
    /// Number of operations so far with a mnemonic.
    n_of: BTreeMap<&'a str, usize>,
    /// The names of the operations to come, in reverse order.
    node_names: Vec<String>,
    /// Instances, with their nodes.
    pub(super) calls: Vec<(View<'a>, usize)>,
    pub(super) graph: Graph<'a>,
    /// Shared units by their number in the text: their number in the graph, the operation, and its latency in cycles.
    units: BTreeMap<i64, (usize, &'a str, usize)>,
    diagnostics: Diagnostics,
}

impl<'a> Reader<'a> {
    pub(super) fn error(&mut self, location: Location, message: impl Into<String>) {
        self.diagnostics.error(location, message);
    }

    /// Makes a name unique.
    fn unique(&mut self, wanted: String) -> String {
        if self.names.insert(wanted.clone()) {
            return wanted;
        }
        let name = (2..)
            .map(|n| format!("{wanted}_{n}"))
            .find(|name| !self.names.contains(name));
        let name = name.expect("there are more numbers than names");
        self.names.insert(name.clone());
        name
    }

    /// Returns the name of an operation: its `sluice.name`, else that of its first result, else its mnemonic with a number.
    fn name_of(&mut self, view: View<'a>) -> String {
        let said = view.attribute(sluice::NAME);
        if let Some(name) = said.and_then(|a| a.as_str(self.context)) {
            return self.unique(name.to_owned());
        }
        if let Some(name) = self.source_name(view, view.results().first().copied()) {
            return self.unique(name);
        }
        let mnemonic = view.name();
        let mnemonic = mnemonic.rsplit('.').next().unwrap_or(mnemonic);
        let n = self.n_of.entry(mnemonic).or_insert(0);
        *n += 1;
        let wanted = format!("{mnemonic}{}", *n - 1);
        self.unique(wanted)
    }

    /// Returns the name of a value in the text, if that is not a number.
    fn source_name(&self, view: View<'a>, value: Option<ValueId>) -> Option<String> {
        let name = self.context.text(view.body.value_name(value?)?);
        let is_name = !name.starts_with(|c: char| c.is_ascii_digit());
        is_name.then(|| name.to_owned())
    }

    /// Returns the names of several results, if each result has its own name and the operation has none.
    fn own_names(&self, view: View<'a>) -> Vec<String> {
        let results = view.results().iter();
        let names = results.map(|result| self.source_name(view, Some(*result)));
        let names: Vec<String> = names.collect::<Option<_>>().unwrap_or_default();
        let different: BTreeSet<&String> = names.iter().collect();
        match different.len() == names.len() && view.attribute(sluice::NAME).is_none() {
            true => names,
            false => Vec::new(),
        }
    }

    /// Creates all channels, and names the operations.
    fn channels(&mut self, block: BlockId) {
        let body = self.function.inner();
        let names = self.function.attribute("argNames");
        let names = names.and_then(|a| a.as_array(self.context)).unwrap_or(&[]);
        for (i, argument) in body.arguments(block).iter().enumerate() {
            if is_memory(self.context, body.ty(*argument)) {
                continue;
            }
            let name = names.get(i).and_then(|name| name.as_str(self.context));
            let name = name.map_or_else(|| format!("in{i}"), str::to_owned);
            let name = self.unique(name);
            self.channel(
                *argument,
                name.clone(),
                name,
                body.value_location(*argument),
            );
        }
        let mut node_names = Vec::new();
        for op in body.operations(block) {
            let view = View::new(self.context, body, op);
            let from = self.name_of(view);
            let own = self.own_names(view);
            for (i, result) in view.results().iter().enumerate() {
                let name = match (i, own.get(i)) {
                    _ if view.results().len() == 1 => from.clone(),
                    (0, Some(_)) => from.clone(),
                    (_, Some(own)) => self.unique(own.clone()),
                    (_, None) => format!("{from}#{i}"),
                };
                self.channel(*result, name, from.clone(), view.location());
            }
            node_names.push(from);
        }
        node_names.reverse();
        self.node_names = node_names;
    }

    fn channel(&mut self, value: ValueId, name: String, from: String, location: Location) {
        let body = self.function.inner();
        let Some(layout) = Layout::of(self.context, body.ty(value)) else {
            return self.error(
                location,
                "a channel holds signless integers, a tuple of them, or nothing",
            );
        };
        let n_uses = body.uses(value).count();
        if n_uses != 1 {
            self.error(
                location,
                format!("channel `{name}` has {n_uses} uses, and must have exactly one"),
            );
        }
        self.channel_of[value.index()] = Some(self.graph.channels.len());
        self.graph.channels.push(Channel {
            name,
            value,
            from,
            to: String::new(),
            location,
            widths_bits: layout.widths_bits.clone(),
        });
        self.graph.layouts.push(layout);
        self.graph.producers.push(usize::MAX);
        self.graph.consumers.push(usize::MAX);
    }

    /// Returns the channels of values; `None` if one of them has no channel, which has been reported already.
    pub(super) fn known(&self, values: impl Iterator<Item = ValueId>) -> Option<Vec<usize>> {
        values.map(|value| self.channel_of[value.index()]).collect()
    }

    pub(super) fn node(
        &mut self,
        name: &str,
        location: Location,
        kind: Kind<'a>,
        inputs: Vec<usize>,
        outputs: Vec<usize>,
    ) {
        let number = self.graph.nodes.len();
        for input in &inputs {
            self.graph.consumers[*input] = number;
            name.clone_into(&mut self.graph.channels[*input].to);
        }
        for output in &outputs {
            self.graph.producers[*output] = number;
        }
        self.graph.nodes.push(Node {
            name: name.to_owned(),
            location,
            kind,
            inputs,
            outputs,
        });
    }

    fn arguments(&mut self, block: BlockId) {
        let body = self.function.inner();
        let arguments = body.arguments(block);
        let location = self.function.location();
        let none = self.context.none_type();
        if arguments.last().map(|last| body.ty(*last)) != Some(none) {
            self.error(location, "the last argument is the start token, a `none`");
        }
        for (i, argument) in arguments.iter().enumerate() {
            let ty = body.ty(*argument);
            if let TypeKind::MemRef { .. } = ty.kind(self.context) {
                if let Some((n_words, width_bits)) = self.memory_type(ty, location) {
                    self.graph.parameters.push(Parameter::Memory {
                        n_words,
                        width_bits,
                        memory: None,
                    });
                }
                continue;
            }
            let Some(channel) = self.channel_of[argument.index()] else {
                continue;
            };
            let node = self.graph.nodes.len();
            let name = self.graph.channels[channel].name.clone();
            let at = body.value_location(*argument);
            self.node(&name, at, Kind::Argument, Vec::new(), vec![channel]);
            if i + 1 == arguments.len() {
                continue;
            }
            match self.graph.layouts[channel].width_bits() {
                Some(width_bits) => self
                    .graph
                    .parameters
                    .push(Parameter::Scalar { node, width_bits }),
                None => self.error(at, "an argument is an integer or a memory"),
            }
        }
    }

    fn operation(&mut self, view: View<'a>) {
        let name = self.node_names.pop().expect("each operation has a name");
        let name = name.as_str();
        let location = view.location();
        if let handshake::Memory::NAME | handshake::ExternalMemory::NAME = view.name() {
            return self.memory(view, name);
        }
        let channels = (
            self.known(view.operands()),
            self.known(view.results().iter().copied()),
        );
        let (Some(inputs), Some(outputs)) = channels else {
            return;
        };
        let n_least = match view.name() {
            handshake::Source::NAME | handshake::Never::NAME | handshake::Return::NAME => 0,
            handshake::Mux::NAME => 2,
            _ => 1,
        };
        if inputs.len() < n_least {
            return self.error(
                location,
                format!("`{}` has nothing to wait for", view.name()),
            );
        }
        let copies = |inputs: &[usize]| Kind::Join(Data::Copies((0..inputs.len()).collect()));
        let not_known = format!("`{}` is not of the graph form", view.name());
        let kind = match Operation::of(view) {
            Some(Operation::Handshake(op)) => match op {
                handshake::Op::Return => {
                    self.graph.end = self.graph.nodes.len();
                    self.check_return(view, &inputs);
                    Kind::Return
                }
                handshake::Op::Join => Kind::Join(Data::Nothing),
                handshake::Op::Branch => copies(&inputs),
                handshake::Op::Pack => Kind::Join(Data::Pack),
                handshake::Op::Unpack => Kind::Unpack,
                handshake::Op::Constant => {
                    match view.attribute("value").map(|a| a.kind(self.context)) {
                        Some(AttributeKind::Integer { value, .. }) => {
                            Kind::Join(Data::Constant(Layout::token(value)))
                        }
                        _ => return self.error(location, "a constant is an integer"),
                    }
                }
                handshake::Op::Sync => Kind::Sync,
                handshake::Op::Fork => Kind::Fork,
                handshake::Op::LazyFork => Kind::LazyFork,
                handshake::Op::Sink => Kind::Sink,
                handshake::Op::Source => Kind::Source,
                handshake::Op::Never => Kind::Never,
                handshake::Op::Mux => Kind::Mux,
                handshake::Op::ConditionalBranch => Kind::Branch,
                handshake::Op::Merge | handshake::Op::ControlMerge => Kind::Merge,
                handshake::Op::Buffer => match self.buffer(view, outputs[0]) {
                    Some(kind) => kind,
                    None => return,
                },
                handshake::Op::Instance => {
                    self.calls.push((view, self.graph.nodes.len()));
                    Kind::Call(self.calls.len() - 1)
                }
                handshake::Op::Load => return self.load(view, name, &inputs, &outputs),
                handshake::Op::Store => return self.store(view, name, &inputs, &outputs),
                handshake::Op::ExternalMemory | handshake::Op::Func | handshake::Op::Memory => {
                    return self.error(location, not_known);
                }
            },
            Some(Operation::Arith(_)) => match self.arithmetic(view) {
                Some(kind) => kind,
                None => return,
            },
            _ => return self.error(location, not_known),
        };
        self.node(name, location, kind, inputs, outputs);
    }

    fn check_return(&mut self, view: View<'a>, inputs: &[usize]) {
        let mut layouts = inputs.iter().map(|input| &self.graph.layouts[*input]);
        let is_done = layouts.next_back().is_some_and(|done| done.n_words == 0);
        if !is_done || layouts.any(|layout| layout.width_bits().is_none()) {
            self.error(
                view.location(),
                "results are integers, and last a `none` that says that all stores are done",
            );
        }
    }

    fn arithmetic(&mut self, view: View<'a>) -> Option<Kind<'a>> {
        let evaluation = Evaluation::new(view, self.graph.nodes.len());
        let evaluation =
            evaluation.filter(|_| view.results().len() == 1 && view.operands().len() > 0);
        let Some(evaluation) = evaluation else {
            let message = format!(
                "`{}` has no meaning as a join of its operands with one result",
                view.name()
            );
            self.error(view.location(), message);
            return None;
        };
        let latency = match view.attribute(sluice::LATENCY) {
            None => Some(0),
            Some(latency) => latency
                .as_i64(self.context)
                .and_then(|n| usize::try_from(n).ok())
                .filter(|n| *n <= 1 << 16),
        };
        let Some(latency) = latency else {
            self.error(view.location(), "`sluice.latency` is a number of cycles");
            return None;
        };
        if let Some(unit) = view.attribute(sluice::SHARED) {
            return self.shared(view, evaluation, latency, unit.as_i64(self.context)?);
        }
        Some(match latency {
            0 => Kind::Join(Data::Value(evaluation)),
            _ if is_division(view) => Kind::Iterative(evaluation, latency),
            _ => Kind::Pipeline(evaluation, latency),
        })
    }

    fn shared(
        &mut self,
        view: View<'a>,
        evaluation: Evaluation<'a>,
        latency: usize,
        number: i64,
    ) -> Option<Kind<'a>> {
        let credits = view.attribute(sluice::CREDITS);
        let credits = credits.and_then(|credits| credits.as_i64(self.context));
        let credits = usize::try_from(credits.unwrap_or(1)).unwrap_or(0);
        if latency == 0 || !(1..=1 << 16).contains(&credits) {
            let message =
                "what shares a unit has a `sluice.latency` and `sluice.credits` of at least 1";
            self.error(view.location(), message);
            return None;
        }
        let n_units = self.units.len();
        let own = (n_units, view.name(), latency);
        let (unit, name, of_unit) = *self.units.entry(number).or_insert(own);
        if (name, of_unit) != (view.name(), latency) {
            let message = format!(
                "what shares a unit is one operation with one `sluice.latency`, here `{name}` with {of_unit}"
            );
            self.error(view.location(), message);
            return None;
        }
        let turns = Turns {
            unit,
            latency,
            credits,
            is_iterative: is_division(view),
        };
        self.graph.sharers.push(self.graph.nodes.len());
        Some(Kind::Shared(evaluation, turns))
    }

    fn buffer(&mut self, view: View<'a>, output: usize) -> Option<Kind<'a>> {
        let kind = view.attribute("bufferType").map(|a| a.kind(self.context));
        let is_fifo = match kind {
            Some(AttributeKind::Dialect { parameters, .. }) => {
                parameters
                    .first()
                    .and_then(|kind| kind.as_i64(self.context))
                    == Some(1)
            }
            _ => false,
        };
        let slots = view.attribute("slots");
        let slots = slots.and_then(|a| a.as_i64(self.context)).unwrap_or(0);
        let Some(slots) = usize::try_from(slots)
            .ok()
            .filter(|n| (1..=1 << 24).contains(n))
        else {
            self.error(view.location(), "a buffer has from 1 to 2^24 slots");
            return None;
        };
        let cut = view.attribute(sluice::CUT);
        let cut = cut.map(|cut| cut.as_str(self.context).unwrap_or_default());
        if cut.is_some_and(|cut| cut != "data" || is_fifo) {
            let message = "`sluice.cut` is \"data\", on a `seq` buffer";
            self.error(view.location(), message);
            return None;
        }
        let is_pending = view.attribute(PENDING).is_some();
        if is_fifo {
            self.graph.pending.extend(is_pending.then_some(output));
            return Some(Kind::Fifo(slots));
        }
        if is_pending {
            self.error(view.location(), "addresses of stores wait in a `fifo`");
            return None;
        }
        let initial = self.initial_tokens(view, output)?;
        if initial.len() > slots {
            let message = "a buffer has at most as many tokens after reset as registers";
            self.error(view.location(), message);
            return None;
        }
        Some(match cut {
            Some(_) => Kind::Cells(slots, initial),
            None => Kind::Registers(slots, initial),
        })
    }

    fn initial_tokens(&mut self, view: View<'a>, output: usize) -> Option<Vec<Vec<u64>>> {
        let values = view.attribute("initValues");
        let values = values.and_then(|a| a.as_array(self.context)).unwrap_or(&[]);
        let layout = self.graph.layouts[output].clone();
        let token = |value: &sluice_ir::Attribute| match (
            value.kind(self.context),
            &layout.widths_bits[..],
        ) {
            (_, []) => Some(Vec::new()),
            (AttributeKind::Integer { value, .. }, [width_bits]) => {
                resized(value, *width_bits).map(|value| Layout::token(&value))
            }
            _ => None,
        };
        let tokens: Option<Vec<_>> = values.iter().map(token).collect();
        if tokens.is_none() {
            let message = "`initValues` are integers of the channel's width";
            self.error(view.location(), message);
        }
        tokens
    }

    /// Returns the graph, if there were no errors.
    fn finish(mut self) -> Result<Graph<'a>, Diagnostics> {
        if self.diagnostics.has_errors() {
            return Err(self.diagnostics);
        }
        if self.graph.end == usize::MAX {
            self.error(
                self.graph.location,
                "the function has no `handshake.return`",
            );
        }
        self.check_ports();
        self.find_callees();
        if !self.diagnostics.has_errors() {
            self.find_pending();
        }
        match self.diagnostics.has_errors() {
            true => Err(self.diagnostics),
            false => Ok(self.graph),
        }
    }
}

fn is_memory(context: &Context, ty: Type) -> bool {
    matches!(ty.kind(context), TypeKind::MemRef { .. })
}

/// Converts a value to another width, if it fits as a signed or an unsigned number.
pub(super) fn resized(value: &Bits, width_bits: u32) -> Option<Bits> {
    if width_bits >= value.width() {
        return Some(value.sext(width_bits));
    }
    let low = value.trunc(width_bits);
    let is_same = low.sext(value.width()) == *value || low.zext(value.width()) == *value;
    is_same.then_some(low)
}
