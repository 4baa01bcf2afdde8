//! Wraps the module of a graph with streams in a module that contains its memory arguments, so that it can be run alone.

use sluice_dialects::hw::{Direction, Port, module_ports};
use sluice_dialects::sluice::OUTSIDE;
use sluice_ir::bits::Bits;
use sluice_ir::{Attribute, Context, Module, ValueId, View};
use sluice_netlist::circuit::{Circuit, MemoryNets, ReadNets, WriteNets};
use sluice_netlist::kernel::{MEMORY_SUFFIXES, add_module};

use super::boundary::Boundary;

/// Returns the attribute that lists the external memories of a module.
pub(super) fn note(context: &Context, boundary: &Boundary) -> Option<Attribute> {
    let all = &boundary.outside;
    let attributes = all.iter().flat_map(|(name, depth_words)| {
        let words = context.i64_attribute(i64::from(*depth_words));
        [context.string_attribute(name), words]
    });
    let attributes: Vec<_> = attributes.collect();
    (!attributes.is_empty()).then(|| context.array_attribute(&attributes))
}

/// Adds a module with an instance of `top` and its external memories, named after the arguments. Returns the name of the new
/// module, or `None` if there are no such memories. Its ports are the other ports of `top`.
pub fn surround(context: &Context, program: &mut Module, top: &str) -> Option<String> {
    let op = program.lookup_symbol(context, top)?;
    let view = View::new(context, program.inner(), op);
    let location = view.location();
    let outside = view.attribute(OUTSIDE)?.as_array(context)?;
    let outside: Vec<(String, u32)> = outside
        .chunks(2)
        .filter_map(|pair| {
            let words = u32::try_from(pair.get(1)?.as_i64(context)?).ok()?;
            Some((pair[0].as_str(context)?.to_owned(), words))
        })
        .collect();
    let all = module_ports(view);
    let belongs = |port: &str| {
        let mut names = outside.iter().map(|(name, _)| name.as_str());
        names.any(|name| {
            let suffix = port.strip_prefix(name);
            suffix.is_some_and(|suffix| MEMORY_SUFFIXES.contains(&suffix))
        })
    };
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for port in all.iter().filter(|port| !belongs(&port.name)) {
        match port.direction {
            Direction::Output => outputs.push(port.clone()),
            _ => inputs.push(port.clone()),
        }
    }
    let mut name = format!("{top}_and_memories");
    while program.lookup_symbol(context, &name).is_some() {
        name.push('_');
    }
    let (op, block, nets) = add_module(context, program, &name, &inputs, &outputs, location);
    let body = program.inner_mut().inner_mut(op);
    let mut circuit = Circuit::new(context, body, block, nets[0], nets[1], location);
    for port in inputs.iter().chain(&outputs) {
        circuit.unique_name(&port.name);
    }
    let width = |port: &Port| port.ty.integer_width_bits(context).unwrap_or(0);
    // The memories' answers are only known after the instance is created.
    let mut answers: Vec<(String, ValueId)> = Vec::new();
    let mut given: Vec<(String, ValueId)> = Vec::new();
    let mut taken: Vec<(String, u32)> = Vec::new();
    for port in &all {
        if port.direction == Direction::Output {
            taken.push((port.name.clone(), width(port)));
        } else if let Some(at) = inputs.iter().position(|input| input.name == port.name) {
            if at >= 2 {
                given.push((port.name.clone(), nets[at]));
            }
        } else {
            let wire = circuit.wire(width(port));
            answers.push((port.name.clone(), wire));
            given.push((port.name.clone(), wire));
        }
    }
    let results = circuit.instance(top, top, &given, &taken);
    let net = |wanted: &str| {
        let at = taken.iter().position(|(name, _)| name == wanted);
        at.map(|at| results[at])
    };
    for (memory, depth_words) in &outside {
        let port = |suffix: &str| net(&format!("{memory}_{suffix}"));
        let answer = answers
            .iter()
            .find(|(name, _)| *name == format!("{memory}_rdata"));
        let write = match (port("waddr"), port("wen"), port("wdata")) {
            (Some(address), Some(enable), Some(data)) => Some(WriteNets {
                address,
                enable,
                data,
            }),
            _ => None,
        };
        let read = port("raddr").zip(port("ren"));
        let read = read.map(|(address, enable)| ReadNets { address, enable });
        // A memory that is only read is filled from elsewhere.
        let write = write.or_else(|| {
            let (read, (_, answer)) = (read.as_ref()?, answer?);
            let width_bits = circuit.width(*answer);
            Some(WriteNets {
                address: read.address,
                enable: circuit.flag(false),
                data: circuit.constant(Bits::zero(width_bits)),
            })
        });
        let Some(write) = write else {
            continue;
        };
        let nets = MemoryNets {
            depth_words: *depth_words,
            reads: read.into_iter().collect(),
            writes: vec![write],
            read_latency_cycles: 1,
            storage: None,
            may_collide: true,
        };
        let words = circuit.memory(memory, &nets);
        if let (Some((_, wire)), Some(word)) = (answer, words.first()) {
            circuit.connect(*wire, *word);
        }
    }
    let driven: Vec<ValueId> = outputs.iter().filter_map(|port| net(&port.name)).collect();
    circuit.output(&driven);
    Some(name)
}
