//! Writer of waves as FST: one thread replays cycles while another one compresses and writes earlier cycles.

use std::path::Path;
use std::sync::mpsc::{channel, sync_channel};
use std::thread;

use sluice_sim::cycle::{Change, Changes, Variables};
use sluice_verify::circuit::CycleSimulator;

use super::beginning::{Beginning, Values, beginning, middle, set_rest};
use super::sections::{Buffer, Section, Sections};
use crate::files::Growing;
use crate::output::{Done, input};

/// Bytes of changes in a section, if everything changes in every cycle.
const SECTION_BYTES: u64 = 1 << 22;

/// Minimum number of cycles of a section.
const MIN_CYCLES: u64 = 256;

/// Writes the cycles from `from` up to, but not including, `to` of a recorded run; there is at least one.
pub(super) fn write(
    path: &Path,
    simulator: &mut CycleSimulator,
    variables: &Variables,
    top: &str,
    (from, to): (u64, u64),
) -> Done<()> {
    let mut changes = Changes::new(simulator, variables);
    let mut first = None;
    simulator.replay(from, from + 1, |simulator| {
        first = Some(beginning(simulator, (variables, &mut changes), top));
    });
    let Beginning {
        mut bytes,
        values,
        digits,
    } = first
        .expect("the cycle was recorded")
        .map_err(|why| input(format!("error: {}: {why}", path.display())))?;
    let n_cycles = cycles_of_a_section(&values);
    set_rest(
        &mut bytes,
        middle(to - 1),
        (to - from - 1).div_ceil(n_cycles),
    );

    let mut output = Growing::new(path)?;
    output.append(&bytes)?;
    let mut sections = Sections::new(&values.widths_bits, digits, middle(from));
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel::<Section>(1);
        let (give_back, used) = channel::<Vec<Buffer>>();
        let written = scope.spawn(move || {
            let mut block = Vec::new();
            for section in receiver {
                section.pack(&mut block);
                // The replaying thread may have ended.
                let _ = give_back.send(section.into_buffers());
                output.append(&block)?;
            }
            output.finish()
        });
        simulator.replay_moments(from, to, |simulator, moment| {
            // The first cycle is in the first part of the file.
            if moment.cycle == from {
                return;
            }
            sections.time(moment.time());
            changes.sample(simulator, moment, |change| match change {
                Change::Value(value, limbs) => sections.limbs(values.numbers[value], limbs),
                Change::Text(value, text) => sections.text(values.numbers[value], text),
            });
            // If the writing thread has ended, its error is returned at the end.
            let n_done = moment.cycle - from;
            if moment.is_middle && (n_done.is_multiple_of(n_cycles) || moment.cycle + 1 == to) {
                let _ = sender.send(sections.take(used.try_recv().ok()));
            }
        });
        drop(sender);
        written.join().expect("packing does not panic")
    })
}

fn cycles_of_a_section(values: &Values) -> u64 {
    let widths = values.widths_bits.iter();
    let bytes = widths.map(|bits| u64::from(bits.div_ceil(8)) + 1);
    (SECTION_BYTES / bytes.sum::<u64>().max(1)).max(MIN_CYCLES)
}
