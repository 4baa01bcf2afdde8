//! Comparison of bytecode and machine code of one circuit: all registers and outputs after every cycle.

use sluice_kernel::compiled::Compiled;
use sluice_sim::cycle::{Backend, CycleSimulator, Settings};
use sluice_sim::testbench::begin;
use sluice_verify::check::enough_cycles;
use sluice_verify::data::Case;

use super::Verdict;

/// Length of the comparison.
#[derive(Clone, Copy, Debug)]
pub struct Backends {
    /// Maximum number of cycles.
    pub most_cycles: u64,
}

pub(super) fn compare(compiled: &Compiled, case: &Case, how: Backends) -> Verdict {
    let (context, interface) = (&compiled.context, &compiled.interface);
    let mut both = Vec::new();
    for backend in [Backend::Bytecode, Backend::Native] {
        let settings = Settings {
            backend,
            ..Settings::default()
        };
        let made = CycleSimulator::of_kernel(context, &compiled.circuit, interface, &settings);
        let mut simulator = match made {
            Ok(simulator) => simulator,
            Err(found) => return Verdict::Unknown(found.to_text(context)),
        };
        match begin(&mut simulator, interface, &case.arguments) {
            Ok(started) => both.push((simulator, started)),
            Err(why) => return Verdict::Unknown(why.to_string()),
        }
    }
    let [(bytecode, started), (native, _)] = &mut both[..] else {
        return Verdict::Unknown("there are two backends".to_owned());
    };
    if let Some(why) = native.why_not_native() {
        return Verdict::Unknown(format!("there is no machine code: {why}"));
    }
    let limit = enough_cycles(compiled, how.most_cycles);
    let n_registers = bytecode.registers().count();
    let mut cycle = 0;
    loop {
        if let Some(found) = first_difference(bytecode, native) {
            return Verdict::Part(format!("after cycle {cycle}, {found}"));
        }
        let is_done = cycle > 0 && started.is_done(bytecode);
        if is_done || cycle >= limit.min(how.most_cycles) {
            break;
        }
        bytecode.run_cycle();
        native.run_cycle();
        cycle += 1;
    }
    Verdict::Agree(format!(
        "{n_registers} registers are the same in bytecode and machine code after each of {cycle} cycles"
    ))
}

/// Describes the first register, or else output, whose values differ.
fn first_difference(bytecode: &CycleSimulator, native: &CycleSimulator) -> Option<String> {
    let told = |what: &str, name: &str, a: String, b: String| {
        format!("{what} `{name}` is {a} in bytecode, {b} in machine code")
    };
    let registers = bytecode.registers().zip(native.registers());
    for ((name, a), (_, b)) in registers {
        if a != b {
            return Some(told("register", name, a.to_string(), b.to_string()));
        }
    }
    for (index, port) in bytecode.outputs().enumerate() {
        let (a, b) = (bytecode.output(index), native.output(index));
        if a != b {
            return Some(told("output", &port.name, a.to_string(), b.to_string()));
        }
    }
    None
}
