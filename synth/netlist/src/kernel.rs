//! The parts of every kernel's circuit: ports, their description as an interface, and the logic of `start`, `ready` and `done`.
//! Also the creation of modules.

use std::collections::BTreeSet;

use sluice_dialects::{
    builtin, hw,
    interface::{ArgumentPorts, Formats, Interface},
    names::{bounded, is_reserved, legal},
    sluice,
};
use sluice_ir::bits::Bits;
use sluice_ir::{BlockId, Body, Context, Location, Module, OperationId, Type, ValueId, View};

use crate::circuit::{Circuit, RegisterOptions};
use crate::error::{Built, broken};
use crate::generators::UnitKind;
use crate::source::{address_bits, integer_width, memory_shape};

/// Suffixes of the port names of a memory or a scalar.
pub const MEMORY_SUFFIXES: [&str; 7] = ["", "_raddr", "_ren", "_rdata", "_waddr", "_wen", "_wdata"];

/// Suffixes of the port names of a stream.
pub const STREAM_SUFFIXES: [&str; 3] = ["", "_valid", "_ready"];

/// The entry of `sluice.arguments` that marks a stream.
const STREAM: &str = "stream";

/// The most characters of a port name without its suffix.
const MAX_OF_PORT: usize = 160;

/// Returns a legal port name that, with each of `suffixes`, is not in use yet; marks these names as used.
pub fn port_name(wanted: &str, suffixes: &[&str], taken: &mut BTreeSet<String>) -> String {
    let mut name = bounded(wanted, MAX_OF_PORT);
    while is_reserved(&name)
        || suffixes
            .iter()
            .any(|s| taken.contains(&format!("{name}{s}")))
    {
        name.push('_');
    }
    taken.extend(suffixes.iter().map(|s| format!("{name}{s}")));
    name
}

/// The parts of a function that become ports.
pub struct Signature<'a> {
    /// The arguments: integers and memories.
    pub arguments: &'a [ValueId],
    /// Types of the results: integers.
    pub results: &'a [Type],
}

/// Returns the interface of a function's circuit, from its arguments and their entries in `sluice.arguments`. `uses` tells of a
/// memory whether it is read and whether it is written.
///
/// # Errors
/// An argument or result of an unsupported type.
pub fn interface_of(
    view: View<'_>,
    signature: &Signature<'_>,
    uses: impl Fn(ValueId) -> (bool, bool),
) -> Built<Interface> {
    let context = view.context;
    let body = view.inner();
    let mut taken: BTreeSet<String> = ["clock", "reset", "start", "ready", "done"]
        .into_iter()
        .map(str::to_owned)
        .collect();
    taken.extend(view.symbol_name().map(legal));
    let described = view
        .attribute(sluice::ARGUMENTS)
        .and_then(|a| a.as_array(context))
        .unwrap_or_default();
    taken.extend((0..signature.results.len()).map(|i| format!("result{i}")));
    let (mut arguments, mut sources) = (Vec::new(), Vec::new());
    for (i, argument) in signature.arguments.iter().enumerate() {
        let entries = described
            .get(i)
            .and_then(|a| a.as_dictionary(context))
            .unwrap_or_default();
        let get = |name: &str| {
            entries
                .iter()
                .find(|(n, _)| context.text(*n) == name)
                .map(|(_, a)| *a)
        };
        let source_name = get("name")
            .and_then(|a| a.as_str(context))
            .map(str::to_owned);
        let source_name = source_name
            .or_else(|| {
                body.value_name(*argument)
                    .map(|n| context.text(n).to_owned())
            })
            .unwrap_or_else(|| format!("arg{i}"));
        let suffixes = match get(STREAM) {
            Some(_) => &STREAM_SUFFIXES[..],
            None => &MEMORY_SUFFIXES[..],
        };
        let name = port_name(&source_name, suffixes, &mut taken);
        sources.push(source_name);
        let inner_view = View::new(context, body, view.id);
        let is_memory = body.ty(*argument).integer_width_bits(context).is_none();
        arguments.push(if is_memory {
            let (depth_words, width_bits) = memory_shape(inner_view, *argument)?;
            let shape = get("shape").and_then(|a| a.as_dense_array_i64(context));
            let shape = shape.unwrap_or_else(|| vec![i64::from(depth_words)]);
            let (read, write) = uses(*argument);
            ArgumentPorts::Memory {
                name,
                depth_words,
                width_bits,
                shape,
                read,
                write,
                stream: get(STREAM).is_some(),
                banks: None,
            }
        } else {
            ArgumentPorts::Scalar {
                name,
                width_bits: integer_width(inner_view, *argument)?,
            }
        });
    }
    let widths: Option<Vec<_>> = signature
        .results
        .iter()
        .map(|t| t.integer_width_bits(context))
        .collect();
    let result_width_bits = widths.ok_or_else(|| broken(view, "results are integers here"))?;
    let module = view
        .symbol_name()
        .ok_or_else(|| broken(view, "a function has a name"))?
        .to_owned();
    Ok(Interface {
        module,
        arguments,
        sources,
        result_width_bits,
        open_arrays: Vec::new(),
        formats: Formats::default(),
    })
}

/// Returns the inputs and outputs of the circuit with this interface, in port order; clock and reset come first.
pub fn ports(context: &Context, interface: &Interface) -> (Vec<hw::Port>, Vec<hw::Port>) {
    let port = |name: &str, direction, ty| hw::Port {
        name: name.to_owned(),
        direction,
        ty,
    };
    let int = |width_bits| context.integer_type(width_bits);
    let input = |name: &str, width_bits| port(name, hw::Direction::Input, int(width_bits));
    let output = |name: &str, width_bits| port(name, hw::Direction::Output, int(width_bits));
    let mut inputs = vec![
        port(
            "clock",
            hw::Direction::Input,
            context.dialect_type("seq.clock", &[]),
        ),
        input("reset", 1),
        input("start", 1),
    ];
    let mut outputs = vec![output("ready", 1), output("done", 1)];
    outputs.extend(
        interface
            .result_width_bits
            .iter()
            .enumerate()
            .map(|(i, w)| output(&format!("result{i}"), *w)),
    );
    for argument in &interface.arguments {
        match argument {
            ArgumentPorts::Scalar { name, width_bits } => inputs.push(input(name, *width_bits)),
            ArgumentPorts::Memory {
                name,
                width_bits,
                read,
                write,
                stream: true,
                ..
            } => {
                let (valid, ready) = (format!("{name}_valid"), format!("{name}_ready"));
                if *read {
                    inputs.push(input(name, *width_bits));
                    inputs.push(input(&valid, 1));
                    outputs.push(output(&ready, 1));
                } else if *write {
                    outputs.push(output(name, *width_bits));
                    outputs.push(output(&valid, 1));
                    inputs.push(input(&ready, 1));
                }
            }
            // Each bank is a separate argument here.
            ArgumentPorts::Memory {
                name,
                depth_words,
                width_bits,
                read,
                write,
                ..
            } => {
                let address = address_bits(*depth_words);
                if *read {
                    outputs.push(output(&format!("{name}_raddr"), address));
                    outputs.push(output(&format!("{name}_ren"), 1));
                    inputs.push(input(&format!("{name}_rdata"), *width_bits));
                }
                if *write {
                    outputs.push(output(&format!("{name}_waddr"), address));
                    outputs.push(output(&format!("{name}_wen"), 1));
                    outputs.push(output(&format!("{name}_wdata"), *width_bits));
                }
            }
        }
    }
    (inputs, outputs)
}

/// Adds an `hw.module` to the program and returns it with its entry block and input values.
pub fn add_module(
    context: &Context,
    program: &mut Module,
    name: &str,
    inputs: &[hw::Port],
    outputs: &[hw::Port],
    location: Location,
) -> (OperationId, BlockId, Vec<ValueId>) {
    let block = program
        .body
        .entry_block(program.operation, 0)
        .expect("a module has a block");
    let all: Vec<_> = inputs.iter().chain(outputs).cloned().collect();
    let inner = program.inner_mut();
    let op = hw::build_module(context, inner, block, name, &all, location);
    let entry = inner.entry_block(op, 0).expect("an hw.module has a block");
    let arguments = inner.inner(op).arguments(entry).to_vec();
    (op, entry, arguments)
}

/// Adds the module of a unit, if it has one and it does not exist yet.
pub fn generate_unit(context: &Context, program: &mut Module, kind: &UnitKind) {
    let inside = |mut circuit: Circuit<'_>, inputs: &[ValueId]| {
        let result = kind.generate(&mut circuit, inputs);
        circuit.output(&[result]);
        Ok(())
    };
    generate_unit_with(context, program, kind, inside)
        .expect("units of these kinds are always made");
}

/// Does the same as [`generate_unit`]; `inside` makes the circuit from the inputs of the unit, with its output.
///
/// # Errors
/// Those of `inside`.
pub fn generate_unit_with(
    context: &Context,
    program: &mut Module,
    kind: &UnitKind,
    inside: impl FnOnce(Circuit<'_>, &[ValueId]) -> Built<()>,
) -> Built<()> {
    let Some(name) = kind.module_name() else {
        return Ok(());
    };
    if program.lookup_symbol(context, &name).is_some() {
        return Ok(());
    }
    let port = |name: &str, direction, ty| hw::Port {
        name: name.to_owned(),
        direction,
        ty,
    };
    let has_reset = kind.has_reset();
    let mut inputs = vec![port(
        "clock",
        hw::Direction::Input,
        context.dialect_type("seq.clock", &[]),
    )];
    if has_reset {
        inputs.push(port("reset", hw::Direction::Input, context.integer_type(1)));
    }
    let n_control = inputs.len();
    inputs.extend(
        kind.inputs()
            .iter()
            .map(|(n, w)| port(n, hw::Direction::Input, context.integer_type(*w))),
    );
    let result = port(
        "result",
        hw::Direction::Output,
        context.integer_type(kind.width_bits()),
    );
    let (op, block, nets) = add_module(
        context,
        program,
        &name,
        &inputs,
        &[result],
        Location::UNKNOWN,
    );
    for (name, attribute) in kind.describe(context) {
        program
            .inner_mut()
            .set_attribute(op, context.name(name), attribute);
    }
    let body = program.inner_mut().inner_mut(op);
    let (control, data) = nets.split_at(n_control);
    let reset = control.get(1).copied();
    let circuit = Circuit::new(context, body, block, nets[0], reset, Location::UNKNOWN);
    inside(circuit, data)
}

/// The state of a kernel: idle until `start`, then busy until the kernel ends.
pub struct Activity {
    /// Whether a start is accepted in this cycle.
    pub accepted: ValueId,
    /// Whether a start would be accepted.
    pub ready: ValueId,
    busy: ValueId,
}

impl Activity {
    /// Creates the state for a module with the input `start`. While one of `held` is set, no start is accepted either.
    pub fn open(circuit: &mut Circuit<'_>, start: ValueId, held: &[ValueId]) -> Self {
        let busy = circuit.wire(1);
        let waits: Vec<ValueId> = held.iter().copied().chain([busy]).collect();
        let waits = circuit.any(&waits);
        let ready = circuit.not(waits);
        let accepted = circuit.and(start, ready);
        Self {
            accepted,
            ready,
            busy,
        }
    }

    /// Ends the run in the cycle in which `leave` is set; returns the net of `done`.
    pub fn close(self, circuit: &mut Circuit<'_>, leave: ValueId) -> ValueId {
        let unused = circuit.not(leave);
        let still = circuit.and(self.busy, unused);
        let busy_next = circuit.any(&[self.accepted, still]);
        let control = |name| RegisterOptions {
            enable: None,
            reset: Some(Bits::zero(1)),
            preset: None,
            name,
        };
        let busy = circuit.register(busy_next, control("busy"));
        circuit.connect(self.busy, busy);
        circuit.register(leave, control("done_r"))
    }
}

/// Checks that every placeholder has been connected; the error is at `view`.
pub fn no_stand_in_left(view: View<'_>, body: &Body) -> Built<()> {
    for op in body.walk_all() {
        let op = View::new(view.context, body, op);
        if op.name() == builtin::UnrealizedConversionCast::NAME && op.operands().len() == 0 {
            if op.body.is_unused(op.result(0)) {
                continue;
            }
            return Err(broken(
                view,
                "a net was used before it was made and never made",
            ));
        }
    }
    Ok(())
}
