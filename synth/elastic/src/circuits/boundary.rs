//! The interface of a module: the ports of a kernel with `start` and `done`, or a stream for each channel.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::hw::{Direction, Port};
use sluice_dialects::interface::{ArgumentPorts, Formats, Interface};
use sluice_dialects::names::legal;
use sluice_dialects::sluice;
use sluice_ir::{Type, TypeKind, ValueId, View};
use sluice_netlist::circuit::RegisterOptions;
use sluice_netlist::error::{Built, broken};
use sluice_netlist::kernel::{
    Activity, MEMORY_SUFFIXES, STREAM_SUFFIXES, Signature, interface_of, port_name, ports,
};
use sluice_netlist::source::{memory_shape, number};

use super::builder::{Builder, Forward};
use super::calls::memory_ids;
use super::graph::{Graph, Kind};
use super::pending;

/// Returns whether a function has the form of a kernel: its arguments are described.
pub(crate) fn is_kernel(function: View<'_>) -> bool {
    function.attribute(sluice::ARGUMENTS).is_some()
}

/// The ports of a module, before the module is created.
pub(crate) struct Boundary {
    pub(crate) module: String,
    /// The interface in `sluice.interface`; `None` for a graph with streams.
    pub(crate) interface: Option<Interface>,
    /// Clock and reset first.
    pub(crate) inputs: Vec<Port>,
    pub(crate) outputs: Vec<Port>,
    /// Port names of each memory argument.
    pub(crate) memory_names: BTreeMap<ValueId, String>,
    /// For a graph with streams, the memory arguments in order, with their numbers of words.
    pub(crate) outside: Vec<(String, u32)>,
    /// Port names of each argument and each result that is a channel.
    arguments: Vec<(ValueId, String)>,
    results: Vec<String>,
}

/// The state of the boundary while the circuit is built.
pub(crate) enum Opened {
    Kernel {
        activity: Activity,
        /// Arguments with placeholders for `valid`.
        waiting: Vec<(ValueId, ValueId, String)>,
    },
    Streams,
}

impl Boundary {
    /// Returns the ports of a function.
    ///
    /// # Errors
    /// A kernel whose last argument and result are not `none`, or one with values other than integers and memories.
    pub(crate) fn of(graph: &Graph<'_>) -> Built<Self> {
        match is_kernel(graph.function) {
            true => Self::kernel(graph),
            false => Self::streams(graph),
        }
    }

    fn kernel(graph: &Graph<'_>) -> Built<Self> {
        let view = graph.function;
        let context = view.context;
        let arguments = view.inner().arguments(graph.block);
        let results: Vec<Type> = graph.last().view.operand_types().collect();
        let none = context.none_type();
        let (Some((start, arguments)), Some((end, results))) =
            (arguments.split_last(), results.split_last())
        else {
            return Err(broken(view, "expected a start token and an end token"));
        };
        if view.inner().ty(*start) != none || *end != none {
            let message = "the last argument of a kernel and its last result are `none`";
            return Err(broken(view, message));
        }
        let signature = Signature { arguments, results };
        let interface = interface_of(view, &signature, |memory| used_ports(graph, memory))?;
        let (inputs, outputs) = ports(context, &interface);
        let mut memory_names = BTreeMap::new();
        let mut channels = Vec::new();
        for (argument, described) in arguments.iter().zip(&interface.arguments) {
            match described {
                ArgumentPorts::Scalar { name, .. } => channels.push((*argument, name.clone())),
                ArgumentPorts::Memory { name, .. } => {
                    memory_names.insert(*argument, name.clone());
                }
            }
        }
        channels.push((*start, "start".to_owned()));
        Ok(Self {
            module: interface.module.clone(),
            interface: Some(interface),
            inputs,
            outputs,
            memory_names,
            outside: Vec::new(),
            arguments: channels,
            results: Vec::new(),
        })
    }

    fn streams(graph: &Graph<'_>) -> Built<Self> {
        let view = graph.function;
        let context = view.context;
        let module = view
            .symbol_name()
            .ok_or_else(|| broken(view, "a function has a name"))?;
        let mut taken: BTreeSet<String> = ["clock", "reset"].map(str::to_owned).into();
        taken.insert(legal(module));
        let clock = context.dialect_type("seq.clock", &[]);
        let mut made = Self {
            module: module.to_owned(),
            interface: None,
            inputs: vec![
                port("clock", Direction::Input, clock),
                port("reset", Direction::Input, context.integer_type(1)),
            ],
            outputs: Vec::new(),
            memory_names: BTreeMap::new(),
            outside: Vec::new(),
            arguments: Vec::new(),
            results: Vec::new(),
        };
        let names = |attribute: &str, index: usize, prefix: &str| {
            let names = view.attribute(attribute).and_then(|a| a.as_array(context));
            let name = names.and_then(|names| names.get(index)?.as_str(context));
            name.map_or_else(|| format!("{prefix}{index}"), str::to_owned)
        };
        let body = view.inner();
        for (i, argument) in body.arguments(graph.block).iter().enumerate() {
            let wanted = names("argNames", i, "in");
            if matches!(body.ty(*argument).kind(context), TypeKind::MemRef { .. }) {
                let name = port_name(&wanted, &MEMORY_SUFFIXES, &mut taken);
                made.memory_ports(graph, *argument, &name)?;
                made.memory_names.insert(*argument, name);
                continue;
            }
            let name = port_name(&wanted, &STREAM_SUFFIXES, &mut taken);
            made.stream(
                context,
                &name,
                graph.width_bits(*argument),
                Direction::Input,
            );
            made.arguments.push((*argument, name));
        }
        for (i, operand) in graph.last().view.operands().enumerate() {
            let name = port_name(&names("resNames", i, "out"), &STREAM_SUFFIXES, &mut taken);
            made.stream(context, &name, graph.width_bits(operand), Direction::Output);
            made.results.push(name);
        }
        Ok(made)
    }

    /// Adds the ports of a stream: data, if any, and `_valid` in one direction, `_ready` in the other.
    fn stream(
        &mut self,
        context: &sluice_ir::Context,
        name: &str,
        width_bits: u32,
        direction: Direction,
    ) {
        let is_input = direction == Direction::Input;
        let back = match is_input {
            true => Direction::Output,
            false => Direction::Input,
        };
        let bit = context.integer_type(1);
        let mut forward = Vec::new();
        if width_bits > 0 {
            forward.push(port(name, direction, context.integer_type(width_bits)));
        }
        forward.push(port(&format!("{name}_valid"), direction, bit));
        let ready = port(&format!("{name}_ready"), back, bit);
        match is_input {
            true => {
                self.inputs.extend(forward);
                self.outputs.push(ready);
            }
            false => {
                self.outputs.extend(forward);
                self.inputs.push(ready);
            }
        }
    }

    fn memory_ports(&mut self, graph: &Graph<'_>, memory: ValueId, name: &str) -> Built<()> {
        let view = graph.function;
        let context = view.context;
        let inside = View::new(context, view.inner(), view.id);
        let (depth_words, width_bits) = memory_shape(inside, memory)?;
        self.outside.push((name.to_owned(), depth_words));
        let (read, write) = used_ports(graph, memory);
        let described = Interface {
            module: String::new(),
            arguments: vec![ArgumentPorts::Memory {
                name: name.to_owned(),
                depth_words,
                width_bits,
                shape: vec![i64::from(depth_words)],
                read,
                write,
                stream: false,
                banks: None,
            }],
            sources: vec![name.to_owned()],
            result_width_bits: Vec::new(),
            open_arrays: Vec::new(),
            formats: Formats::default(),
        };
        let (inputs, outputs) = ports(context, &described);
        let is_its = |port: &Port| port.name.starts_with(&format!("{name}_"));
        self.inputs.extend(inputs.into_iter().filter(is_its));
        self.outputs.extend(outputs.into_iter().filter(is_its));
        Ok(())
    }

    /// Drives the signals of arguments and, for streams, `ready` of the results.
    pub(crate) fn open(&self, builder: &mut Builder<'_, '_>) -> Opened {
        if self.interface.is_none() {
            for (argument, name) in &self.arguments {
                let valid = builder.inputs[&format!("{name}_valid")];
                let data = builder.inputs.get(name).copied();
                builder.set_forward(*argument, Forward { valid, data });
            }
            return Opened::Streams;
        }
        let start = builder.inputs["start"];
        let full: Vec<ValueId> = self
            .arguments
            .iter()
            .map(|_| builder.circuit.wire(1))
            .collect();
        // A leftover operation of the previous run may still wait for the argument's token.
        let activity = Activity::open(&mut builder.circuit, start, &full);
        let mut waiting = Vec::new();
        for ((argument, name), valid) in self.arguments.iter().zip(full) {
            let data = (builder.graph.width_bits(*argument) > 0).then(|| {
                let options = RegisterOptions {
                    enable: Some(activity.accepted),
                    name: &format!("{name}_r"),
                    ..RegisterOptions::default()
                };
                builder.circuit.register(builder.inputs[name], options)
            });
            builder.set_forward(*argument, Forward { valid, data });
            waiting.push((*argument, valid, name.clone()));
        }
        Opened::Kernel { activity, waiting }
    }

    /// Returns `ready` of a result.
    pub(crate) fn ready(&self, builder: &mut Builder<'_, '_>, result: usize) -> ValueId {
        match self.results.get(result) {
            Some(name) => builder.inputs[&format!("{name}_ready")],
            None => {
                let operands: Vec<ValueId> = builder.graph.last().view.operands().collect();
                let others = builder.others_valid(&operands, result);
                let drained = drained(builder);
                builder.circuit.and(others, drained)
            }
        }
    }

    /// Drives the outputs of the module, after all signals are built.
    pub(crate) fn close(&self, builder: &mut Builder<'_, '_>, opened: Opened) {
        let results: Vec<ValueId> = builder.graph.last().view.operands().collect();
        let (activity, waiting) = match opened {
            Opened::Kernel { activity, waiting } => (activity, waiting),
            Opened::Streams => {
                for (argument, name) in &self.arguments {
                    let ready = builder.ready(*argument);
                    builder.outputs.insert(format!("{name}_ready"), ready);
                }
                for (result, name) in results.iter().zip(&self.results) {
                    let forward = builder.forward(*result);
                    let valid = format!("{name}_valid");
                    builder.outputs.insert(valid, forward.valid);
                    if let Some(data) = forward.data {
                        builder.outputs.insert(name.clone(), data);
                    }
                }
                return;
            }
        };
        let leave = builder.all_valid(&results);
        let drained = drained(builder);
        let leave = builder.circuit.and(leave, drained);
        for (i, result) in results.iter().enumerate() {
            if let Some(data) = builder.forward(*result).data {
                let options = RegisterOptions {
                    enable: Some(leave),
                    name: &format!("result{i}_r"),
                    ..RegisterOptions::default()
                };
                let held = builder.circuit.register(data, options);
                builder.outputs.insert(format!("result{i}"), held);
            }
        }
        for (argument, valid, name) in waiting {
            let ready = builder.ready(argument);
            let blocked = builder.circuit.not(ready);
            let stays = builder.circuit.and(valid, blocked);
            let next = builder.circuit.any(&[activity.accepted, stays]);
            builder.keep_bit(valid, next, false, &format!("{name}_full"));
        }
        let ready = activity.ready;
        let done = activity.close(&mut builder.circuit, leave);
        builder.outputs.insert("ready".to_owned(), ready);
        builder.outputs.insert("done".to_owned(), done);
    }
}

fn port(name: &str, direction: Direction, ty: Type) -> Port {
    Port {
        name: name.to_owned(),
        direction,
        ty,
    }
}

/// Returns whether no store address waits for its data.
fn drained(builder: &mut Builder<'_, '_>) -> ValueId {
    let queues = pending::all(builder.graph);
    if queues.is_empty() {
        return builder.circuit.flag(true);
    }
    let waiting: Vec<ValueId> = queues.iter().map(|queue| builder.valid(*queue)).collect();
    let waits = builder.circuit.any(&waiting);
    builder.circuit.not(waits)
}

/// Returns whether a memory is read and whether it is written, including by calls.
fn used_ports(graph: &Graph<'_>, memory: ValueId) -> (bool, bool) {
    let function = graph.function;
    let body = function.inner();
    let (mut read, mut write) = (false, false);
    for (user, _) in body.uses(memory) {
        let user = View::new(function.context, body, user);
        read |= number(user, "ldCount").unwrap_or(0) > 0;
        write |= number(user, "stCount").unwrap_or(0) > 0;
        let id = number(user, "id");
        for call in graph.nodes.iter().filter(|node| node.kind == Kind::Call) {
            let interface = graph.interface(call.view);
            let ports = interface.map_or_else(Vec::new, |interface| interface.arguments);
            let passed = ports.iter().flat_map(ArgumentPorts::memories);
            for (passed, ports) in memory_ids(call.view).into_iter().zip(passed) {
                read |= ports.read && Some(passed) == id;
                write |= ports.write && Some(passed) == id;
            }
        }
    }
    (read, write)
}
