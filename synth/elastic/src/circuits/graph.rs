//! The dataflow graph for circuit construction: operations by kind, channels with their producer and consumer.

use sluice_dialects::sluice::{CIRCUIT, CREDITS, SHARED};
use sluice_dialects::{
    Operation, arith, builtin, handshake, hw, interface::Interface, sluice,
    synthesis_form::is_division,
};
use sluice_ir::limits::Limit;
use sluice_ir::{AttributeKind, BlockId, Context, Diagnostics, Type, TypeKind, ValueId, View};
use sluice_netlist::source::number;

/// The data of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Payload {
    /// Data width in bits; 0 for a token without data.
    pub(crate) width_bits: u32,
}

impl Payload {
    /// Returns the payload of this type; `None` if no channel can have the type. `index` has 64 bits; the parts of a tuple are
    /// concatenated with the first one in the highest bits, like `hw` aggregates.
    pub(crate) fn of(context: &Context, ty: Type) -> Option<Self> {
        let width_bits = match ty.kind(context) {
            TypeKind::None => 0,
            TypeKind::Index => 64,
            TypeKind::Integer { width_bits, .. } => *width_bits,
            TypeKind::Tuple(parts) => parts.iter().try_fold(0u32, |sum, part| {
                sum.checked_add(Self::of(context, *part)?.width_bits)
            })?,
            TypeKind::MemRef { .. } => return None,
            _ => u32::try_from(hw::width_bits(context, ty)?).ok()?,
        };
        Some(Self { width_bits })
    }
}

/// The implementation of a `buffer`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BufferKind {
    /// Registers with a spare register each: cuts all paths.
    Full,
    /// Registers of one slot: `ready` passes through.
    Data,
    /// A transparent FIFO: `valid` and data pass through.
    Fifo,
}

/// The token behaviour of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// One output token per token of each input, in the same cycle: `join`, `pack`, `constant`, `br`, `arith` of latency 0.
    Join,
    /// As `Join`, `latency_cycles` later, through registers that advance together.
    Pipeline { latency_cycles: u32 },
    /// As `Join`, through an iterative divider.
    Division { latency_cycles: u32 },
    /// As `Join`, through a unit with this number that others share, with `credits` result slots.
    Shared {
        unit: u32,
        latency_cycles: u32,
        credits: u32,
    },
    /// `instance` of a scheduled circuit: one token at a time.
    Call,
    /// Tokens for several outputs, each taken independently: `fork`, `lazy_fork`, `sync`, `unpack`, `store`.
    Distribute,
    /// `source`
    Source,
    /// `never`
    Never,
    /// `sink`
    Sink,
    /// `mux`
    Mux,
    /// `cond_br`
    Branch,
    /// `merge`, and `control_merge`, which has a second result.
    Merge,
    /// `buffer`
    Buffer { slots: u32, kind: BufferKind },
    /// `load`
    Load,
    /// `memory` and `extmemory`
    Memory,
    /// `return`
    Return,
}

/// An end of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct End {
    /// Index of the operation in [`Graph::nodes`].
    pub(crate) node: usize,
    /// Index of its result or operand.
    pub(crate) index: usize,
}

/// An operation.
#[derive(Clone)]
pub(crate) struct Node<'a> {
    pub(crate) view: View<'a>,
    pub(crate) kind: Kind,
    /// The base name of its registers.
    pub(crate) name: String,
}

/// The graph of a function.
pub(crate) struct Graph<'a> {
    /// The module that contains the function and the circuits that it instantiates.
    module: View<'a>,
    /// The `handshake.func`.
    pub(crate) function: View<'a>,
    pub(crate) block: BlockId,
    /// Operations in text order.
    pub(crate) nodes: Vec<Node<'a>>,
    /// For each value index: the producer, `None` for arguments.
    givers: Vec<Option<End>>,
    /// For each value index: the consumer.
    takers: Vec<Option<End>>,
    payloads: Vec<Option<Payload>>,
}

impl<'a> Graph<'a> {
    /// Builds the graph of a function.
    ///
    /// # Errors
    /// Operations without a circuit, types that no channel can have, channels without or with several uses.
    pub(crate) fn read(module: View<'a>, function: View<'a>) -> Result<Self, Diagnostics> {
        let context = function.context;
        let mut found = Diagnostics::new();
        let Some(block) = function.entry_block(0) else {
            let message = "a function without a body has no circuit";
            found.error(function.location(), message);
            return Err(found);
        };
        let body = function.inner();
        let region = body.parent_region(block);
        if region.is_some_and(|region| body.blocks(region).len() > 1) {
            found.error(function.location(), "a dataflow graph is one block");
            return Err(found);
        }
        let n_values = body.value_capacity();
        let mut graph = Self {
            module,
            function,
            block,
            nodes: Vec::new(),
            givers: vec![None; n_values],
            takers: vec![None; n_values],
            payloads: vec![None; n_values],
        };
        for argument in body.arguments(block) {
            graph.payloads[argument.index()] = Payload::of(context, body.ty(*argument));
        }
        for op in body.operations(block) {
            let view = View::new(context, body, op);
            let node = graph.nodes.len();
            for (index, result) in view.results().iter().enumerate() {
                graph.givers[result.index()] = Some(End { node, index });
                graph.payloads[result.index()] = Payload::of(context, view.ty(*result));
            }
            for (index, operand) in view.operands().enumerate() {
                graph.takers[operand.index()] = Some(End { node, index });
            }
            match kind_of(view) {
                Ok(kind) => {
                    let name = name_of(view);
                    graph.nodes.push(Node { view, kind, name });
                }
                Err(message) => {
                    found.error(view.location(), format!("`{}`: {message}", view.name()));
                    return Err(found);
                }
            }
        }
        graph.check(&mut found);
        match found.has_errors() {
            true => Err(found),
            false => Ok(graph),
        }
    }

    fn check(&self, found: &mut Diagnostics) {
        let body = self.function.inner();
        let context = self.function.context;
        let arguments = body.arguments(self.block).iter();
        let results = self.nodes.iter().flat_map(|node| node.view.results());
        for value in arguments.chain(results) {
            let location = match self.givers[value.index()] {
                Some(end) => self.nodes[end.node].view.location(),
                None => body.value_location(*value),
            };
            let name = self.describe(*value);
            let is_memory = matches!(body.ty(*value).kind(context), TypeKind::MemRef { .. });
            if is_memory {
                let is_port = |(op, index)| {
                    View::new(context, body, op).name() == handshake::ExternalMemory::NAME
                        && index == 0
                };
                if body.uses(*value).count() > 1 || !body.uses(*value).all(is_port) {
                    let message = format!("{name}: a memory is used by one `handshake.extmemory`");
                    found.error(location, message);
                }
                continue;
            }
            if self.payloads[value.index()].is_none() {
                let message = format!(
                    "{name}: a channel holds integers, `index`, tuples or aggregates of `hw` of these, or nothing"
                );
                found.error(location, message);
            }
            let n_uses = body.uses(*value).count();
            if n_uses != 1 {
                let message = format!(
                    "{name} is used {n_uses} times: a channel has one use; `handshake.fork` copies and `handshake.sink` drops tokens"
                );
                found.error(location, message);
            }
        }
        let last = self.nodes.last().map(|node| node.kind);
        if last != Some(Kind::Return) {
            let message = "the last operation of a function is `handshake.return`";
            found.error(self.function.location(), message);
        }
    }

    /// Returns the operations that share a unit, in text order.
    pub(crate) fn sharers(&self, unit: u32) -> impl Iterator<Item = &Node<'a>> {
        let shares =
            move |kind: Kind| matches!(kind, Kind::Shared { unit: own, .. } if own == unit);
        self.nodes.iter().filter(move |node| shares(node.kind))
    }

    /// Returns the interface of the circuit that a node instantiates, if it is a scheduled circuit.
    pub(crate) fn interface(&self, instance: View<'_>) -> Option<Interface> {
        let context = self.module.context;
        let symbol = |view: View<'_>, name: &str| {
            let found = view.attribute(name)?.as_flat_symbol(context)?;
            let body = self.module.inner();
            let block = self.module.entry_block(0)?;
            let mut views = body
                .operations(block)
                .map(|op| View::new(context, body, op));
            views.find(|view| view.symbol_name() == Some(found))
        };
        let circuit = symbol(symbol(instance, "module")?, CIRCUIT)?;
        let name = circuit.symbol_name()?;
        Interface::from_attribute(context, name, circuit.attribute(sluice::INTERFACE)?)
    }

    /// Returns the producer of a value; `None` for an argument.
    pub(crate) fn giver(&self, value: ValueId) -> Option<End> {
        self.givers[value.index()]
    }

    /// Returns the consumer of a value.
    pub(crate) fn taker(&self, value: ValueId) -> End {
        self.takers[value.index()].expect("every channel has one use")
    }

    /// Returns whether all tokens of a channel are dropped.
    pub(crate) fn is_dropped(&self, value: ValueId) -> bool {
        self.nodes[self.taker(value).node].kind == Kind::Sink
    }

    /// Returns the data width of a channel in bits.
    pub(crate) fn width_bits(&self, value: ValueId) -> u32 {
        let payload = self.payloads[value.index()];
        payload.expect("every channel has a type").width_bits
    }

    /// Returns the arguments that are channels, with their positions.
    pub(crate) fn arguments(&self) -> Vec<(usize, ValueId)> {
        let all = self.function.inner().arguments(self.block);
        let all = all.iter().copied().enumerate();
        all.filter(|(_, value)| self.payloads[value.index()].is_some())
            .collect()
    }

    /// Returns the node that ends the function.
    pub(crate) fn last(&self) -> &Node<'a> {
        self.nodes.last().expect("a function ends in a return")
    }

    /// Returns whether tokens on these channels that arrive together are also taken together: all go to one join, or they are the
    /// address and the data of one store.
    pub(crate) fn are_taken_together(&self, values: &[ValueId]) -> bool {
        let ends: Vec<End> = values.iter().map(|value| self.taker(*value)).collect();
        let Some(first) = ends.first() else {
            return true;
        };
        if ends.iter().any(|end| end.node != first.node) {
            return false;
        }
        let view = self.nodes[first.node].view;
        match self.nodes[first.node].kind {
            Kind::Join
            | Kind::Pipeline { .. }
            | Kind::Division { .. }
            | Kind::Shared { .. }
            | Kind::Call
            | Kind::Distribute => true,
            Kind::Memory => {
                let is_external = view.name() == handshake::ExternalMemory::NAME;
                let port = |end: &End| end.index.saturating_sub(usize::from(is_external)) / 2;
                let n_stores = number(view, "stCount").unwrap_or(0) as usize;
                ends.iter()
                    .all(|end| port(end) == port(first) && port(end) < n_stores)
            }
            Kind::Source
            | Kind::Never
            | Kind::Sink
            | Kind::Mux
            | Kind::Branch
            | Kind::Merge
            | Kind::Buffer { .. }
            | Kind::Load
            | Kind::Return => false,
        }
    }

    /// Describes a channel for messages.
    pub(crate) fn describe(&self, value: ValueId) -> String {
        let body = self.function.inner();
        if let Some(name) = body.value_name(value) {
            return format!("`%{}`", self.function.context.text(name));
        }
        match self.givers[value.index()] {
            Some(End { node, index: 0 }) => format!("`{}`", self.nodes[node].view.name()),
            Some(End { node, index }) => {
                format!("result {index} of `{}`", self.nodes[node].view.name())
            }
            None => "an argument".to_owned(),
        }
    }
}

/// Returns the base name of the registers and nets of an operation.
fn name_of(view: View<'_>) -> String {
    let given = view.attribute(sluice::NAME);
    if let Some(name) = given.and_then(|a| a.as_str(view.context)) {
        return name.to_owned();
    }
    let mut results = view.results().iter();
    match results.find_map(|result| view.body.value_name(*result)) {
        Some(name) => view.context.text(name).to_owned(),
        None => {
            let mnemonic = view.name().rsplit('.').next();
            mnemonic.unwrap_or("operation").to_owned()
        }
    }
}

fn kind_of(view: View<'_>) -> Result<Kind, String> {
    let latency_cycles = number(view, sluice::LATENCY).unwrap_or(0);
    if latency_cycles > MAX_SLOTS {
        return Err(format!(
            "a latency of {latency_cycles} cycles; circuits have {MAX_SLOTS} at most"
        ));
    }
    let operation = Operation::of(view);
    let is_shared = number(view, SHARED).is_some();
    Ok(match operation {
        Some(Operation::Handshake(op)) => channel_kind(op, view)?,
        Some(Operation::Hw(hw::Op::StructCreate | hw::Op::StructExtract)) => Kind::Join,
        Some(Operation::Arith(_)) if is_division(view) && latency_cycles == 0 => {
            return Err("a division takes time: `sluice.latency` of at least 1".to_owned());
        }
        Some(Operation::Arith(op)) if (is_division(view) || op == arith::Op::Muli) && is_shared => {
            if latency_cycles == 0 {
                return Err(
                    "what shares a unit takes time: `sluice.latency` of at least 1".to_owned(),
                );
            }
            Kind::Shared {
                unit: number(view, SHARED).unwrap_or(0),
                latency_cycles,
                credits: number(view, CREDITS).unwrap_or(1).max(1),
            }
        }
        Some(Operation::Arith(_)) if is_division(view) => Kind::Division { latency_cycles },
        _ if is_shared => {
            return Err("products and divisions share units, and nothing else".to_owned());
        }
        Some(Operation::Builtin(builtin::Op::UnrealizedConversionCast))
        | Some(Operation::Arith(_)) => match latency_cycles {
            0 => Kind::Join,
            _ => Kind::Pipeline { latency_cycles },
        },
        _ => return Err("no circuit for this operation in a dataflow graph".to_owned()),
    })
}

/// Returns the kind of a handshake operation.
fn channel_kind(op: handshake::Op, view: View<'_>) -> Result<Kind, String> {
    Ok(match op {
        handshake::Op::Branch
        | handshake::Op::Constant
        | handshake::Op::Join
        | handshake::Op::Pack => Kind::Join,
        handshake::Op::Fork
        | handshake::Op::LazyFork
        | handshake::Op::Sync
        | handshake::Op::Unpack => Kind::Distribute,
        handshake::Op::Source => Kind::Source,
        handshake::Op::Never => Kind::Never,
        handshake::Op::Sink => Kind::Sink,
        handshake::Op::Mux => Kind::Mux,
        handshake::Op::ConditionalBranch => Kind::Branch,
        handshake::Op::Merge | handshake::Op::ControlMerge => Kind::Merge,
        handshake::Op::Buffer => buffer_kind(view)?,
        handshake::Op::Load | handshake::Op::Store if view.operands().len() != 3 => {
            return Err("an access has one address".to_owned());
        }
        handshake::Op::Load => Kind::Load,
        handshake::Op::Store => Kind::Distribute,
        handshake::Op::Memory | handshake::Op::ExternalMemory => Kind::Memory,
        handshake::Op::Return => Kind::Return,
        handshake::Op::Instance => Kind::Call,
        handshake::Op::Func => {
            return Err("no circuit for this operation in a dataflow graph".to_owned());
        }
    })
}

/// The number of `seq` among the buffer types.
const SEQUENTIAL: i64 = 0;

/// Maximum number of registers of a buffer, and of cycles of an operation, which needs as many registers in a row.
const MAX_SLOTS: u32 = 1 << 16;

fn buffer_kind(view: View<'_>) -> Result<Kind, String> {
    let slots = number(view, "slots").filter(|slots| *slots > 0);
    let slots = slots.ok_or("a buffer has at least one slot")?;
    let kind = view.attribute("bufferType");
    let kind = kind.and_then(|kind| match kind.kind(view.context) {
        AttributeKind::Dialect { parameters, .. } => parameters.first()?.as_i64(view.context),
        _ => None,
    });
    let kind = kind.map(|number| number == SEQUENTIAL);
    let cut = view.attribute(sluice::CUT);
    let kind = match (kind, cut.and_then(|a| a.as_str(view.context))) {
        (Some(true), None) if cut.is_none() => BufferKind::Full,
        (Some(true), Some("data")) => BufferKind::Data,
        (Some(false), None) if cut.is_none() => BufferKind::Fifo,
        (Some(false), _) => return Err("a `fifo` has no `sluice.cut`".to_owned()),
        (Some(true), _) => return Err("`sluice.cut` is \"data\"".to_owned()),
        (None, _) => return Err("a buffer is `seq` or `fifo`".to_owned()),
    };
    let limits = &view.context.limits;
    let (most, advice) = match kind {
        BufferKind::Fifo => {
            let hint = limits.excess(Limit::FifoSlots).hint();
            (limits.small(Limit::FifoSlots), hint)
        }
        BufferKind::Full | BufferKind::Data => (MAX_SLOTS, "a `fifo` may have more".to_owned()),
    };
    if slots > most {
        return Err(format!(
            "a buffer of {slots} slots; circuits have {most} at most in one; {advice}"
        ));
    }
    Ok(Kind::Buffer { slots, kind })
}
