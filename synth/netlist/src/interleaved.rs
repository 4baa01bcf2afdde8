//! Interleaving of iterative units: while one computes, the next accepts operands.

use sluice_ir::ValueId;
use sluice_ir::bits::Bits;

use crate::circuit::{Circuit, RegisterOptions};

/// Creates `n_units` units with `unit`, which gets a start signal, and uses them in round-robin order. The result is valid
/// `latency_cycles` after `start`.
///
/// A unit is used again after `n_units` starts, so starts must be at least `ceil(latency / n_units)` cycles apart.
pub(crate) fn interleaved(
    circuit: &mut Circuit<'_>,
    start: ValueId,
    n_units: u32,
    latency_cycles: u32,
    mut unit: impl FnMut(&mut Circuit<'_>, ValueId) -> ValueId,
) -> ValueId {
    let takes = turns(circuit, start, n_units, "takes");
    let ends = (0..latency_cycles).fold(start, |token, _| {
        let options = RegisterOptions {
            reset: Some(Bits::zero(1)),
            name: "works",
            ..RegisterOptions::default()
        };
        circuit.register(token, options)
    });
    let gives = turns(circuit, ends, n_units, "gives");
    let terms: Vec<ValueId> = takes
        .into_iter()
        .zip(gives)
        .map(|(takes, gives)| {
            let start = circuit.and(start, takes);
            let result = unit(circuit, start);
            let mask = circuit.sext(gives, circuit.width(result));
            circuit.comb("and", &[mask, result])
        })
        .collect();
    circuit.comb("or", &terms)
}

/// Returns a one-hot ring counter with one signal for each unit; it advances after every cycle with `step`.
fn turns(circuit: &mut Circuit<'_>, step: ValueId, n_units: u32, name: &str) -> Vec<ValueId> {
    let wires: Vec<ValueId> = (0..n_units).map(|_| circuit.wire(1)).collect();
    let last = wires[wires.len() - 1];
    let before = [last].into_iter().chain(wires.iter().copied());
    let mut first = true;
    let registers: Vec<ValueId> = before
        .take(wires.len())
        .map(|data| {
            let reset = Some(Bits::from_u64(1, u64::from(first)));
            first = false;
            let options = RegisterOptions {
                enable: Some(step),
                reset,
                preset: None,
                name,
            };
            circuit.register(data, options)
        })
        .collect();
    for (wire, register) in wires.iter().zip(&registers) {
        circuit.connect(*wire, *register);
    }
    registers
}
