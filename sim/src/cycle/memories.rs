//! The memories around the circuit of a kernel, as part of the simulated circuit.

use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_ir::Location;
use sluice_ir::algebra::{Algebra, TermId};
use sluice_ir::bits::Bits;

use super::flat::{Elaborated, MemoryModel, Register, UnclockedRead};
use super::streams::Streams;

/// The read data in a cycle without a read: the circuit must not depend on them.
pub(super) const NOISE: u64 = 0x5a5a_5a5a_5a5a_5a5a;

/// Connects a memory to the ports of each memory argument, or of each of its banks; returns their names and numbers.
///
/// Inputs that a memory drives stay in the list of inputs.
pub(super) fn attach(
    flat: &mut Elaborated,
    interface: &Interface,
    place: Location,
    stream_seed: Option<u64>,
) -> Vec<(String, u32)> {
    let mut found = Vec::new();
    let is_stream = |argument: &ArgumentPorts| argument.memories().iter().any(|m| m.stream);
    let mut streams = interface
        .arguments
        .iter()
        .any(is_stream)
        .then(|| Streams::new(flat, stream_seed));
    for argument in &interface.arguments {
        for ports in argument.memories() {
            let number = flat.memories.len();
            let name = ports.name.clone();
            if let Some(streams) = streams.as_mut().filter(|_| ports.stream) {
                streams.attach(flat, &ports, place);
                found.push((name, u32::try_from(number).expect("few memories")));
                continue;
            }
            let output = |flat: &Elaborated, suffix: &str| -> Option<TermId> {
                let port = format!("{name}_{suffix}");
                let found = flat.outputs.iter().find(|(output, _)| output.name == port);
                found.map(|(_, term)| *term)
            };
            let depth = usize::try_from(ports.depth_words).expect("32 bits are an index");
            let mut memory = MemoryModel {
                name: name.clone(),
                place,
                storage: None,
                shape: vec![u64::from(ports.depth_words)],
                words: vec![Bits::zero(ports.width_bits); depth],
                is_filled: false,
                reads: Vec::new(),
                writes: Vec::new(),
            };
            if let (Some(address), Some(data), Some(enable)) = (
                output(flat, "waddr"),
                output(flat, "wdata"),
                output(flat, "wen"),
            ) {
                memory.writes.push((address, data, enable));
            }
            flat.memories.push(memory);
            let data = format!("{name}_rdata");
            let data = flat.inputs.iter().position(|input| input.name == data);
            if let (Some(address), Some(enable), Some(data)) =
                (output(flat, "raddr"), output(flat, "ren"), data)
            {
                read(flat, number, address, enable, data);
            }
            found.push((name, u32::try_from(number).expect("few memories")));
        }
    }
    found
}

/// Drives an input one cycle later with the word that was read, or with noise.
fn read(flat: &mut Elaborated, memory: usize, address: TermId, enable: TermId, input: usize) {
    let width_bits = flat.inputs[input].width_bits;
    let number = |n: usize| u32::try_from(n).expect("fewer than 2^32 variables");
    let word = number(flat.variables.len());
    flat.variables.push(width_bits);
    flat.unclocked_reads.push(UnclockedRead {
        variable: word,
        memory,
        address,
    });
    let word = flat.terms.variable(word, width_bits);
    let noise = Bits::from_u64(width_bits.min(64), NOISE).zext(width_bits);
    let noise = flat.terms.constant(noise);
    let next = flat.terms.ite(&enable, &word, &noise);
    flat.registers.push(Register::hidden(
        number(input),
        next,
        None,
        Bits::zero(width_bits),
    ));
}
