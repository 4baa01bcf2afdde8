//! Waves as FST: cycles are computed again while those before are packed and written.

use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;

use sluice_flow::circuit::CycleSimulator;
use sluice_sim::cycle::{Change, Changes, TIME_PER_CYCLE};

use super::beginning::{Beginning, Variables, beginning, fall, set_rest};
use super::sections::{Section, Sections};
use crate::output::{Done, Growing, input};

/// Bytes of changes in a section where everything changes in every cycle.
const SECTION_BYTES: u64 = 1 << 22;

/// Least cycles of a section.
const LEAST_CYCLES: u64 = 256;

/// Writes the cycles from `from` up to, but not with, `to` of a run that was recorded; there is one at least.
pub(super) fn write(
    path: &Path,
    simulator: &mut CycleSimulator,
    top: &str,
    from: u64,
    to: u64,
) -> Done<()> {
    let mut changes = Changes::new(simulator);
    let mut first = None;
    simulator.replay(from, from + 1, |simulator| {
        first = Some(beginning(simulator, &mut changes, top));
    });
    let Beginning {
        mut bytes,
        variables,
        digits,
    } = first
        .expect("the cycle was recorded")
        .map_err(|why| input(format!("error: {}: {why}", path.display())))?;
    let n_cycles = cycles_of_a_section(&variables);
    set_rest(&mut bytes, fall(to - 1), (to - from - 1).div_ceil(n_cycles));

    let mut output = Growing::new(path)?;
    output.append(&bytes)?;
    let mut sections = Sections::new(&variables.widths_bits, digits, fall(from));
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel::<Section>(1);
        let written = scope.spawn(move || {
            for section in receiver {
                output.append(&section.packed())?;
            }
            output.finish()
        });
        simulator.replay(from + 1, to, |simulator| {
            let cycle = simulator.cycle;
            sections.time(cycle * TIME_PER_CYCLE);
            sections.bit(variables.clock, true);
            changes.sample(simulator, |change| match change {
                Change::Value(index, limbs) => sections.limbs(variables.signals[index], limbs),
                Change::Text(index, text) => sections.text(variables.controllers[index], text),
            });
            sections.time(fall(cycle));
            sections.bit(variables.clock, false);
            // Where nobody takes sections any more, what kept them from being written is told in the end.
            if (cycle - from).is_multiple_of(n_cycles) || cycle + 1 == to {
                let _ = sender.send(sections.take());
            }
        });
        drop(sender);
        written.join().expect("packing does not panic")
    })
}

fn cycles_of_a_section(variables: &Variables) -> u64 {
    let widths = variables.widths_bits.iter();
    let bytes = widths.map(|bits| u64::from(bits.div_ceil(8)) + 1);
    (SECTION_BYTES / bytes.sum::<u64>()).max(LEAST_CYCLES)
}
