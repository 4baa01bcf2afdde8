//! The beginning of an FST file, which a library writes: the tree of scopes with its variables and the first cycle.

use std::io::Cursor;
use std::ops::Range;

use fst_writer::{
    FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};
use sluice_flow::circuit::CycleSimulator;
use sluice_sim::cycle::{
    Change, Changes, Controller, ScopeTree, Signal, SignalKind, Step, TIME_PER_CYCLE, push_digits,
};

/// The variables of a file by their numbers, and which stand for what.
pub(super) struct Variables {
    /// Widths, at least 1; those of texts are eight times their characters.
    pub(super) widths_bits: Vec<u32>,
    pub(super) clock: usize,
    pub(super) signals: Vec<usize>,
    pub(super) controllers: Vec<usize>,
}

/// A file with one section, that of the first cycle.
pub(super) struct Beginning {
    pub(super) bytes: Vec<u8>,
    pub(super) variables: Variables,
    /// The digits of all variables at its end.
    pub(super) digits: Vec<u8>,
}

/// Where the header says the last time, and where the number of sections.
const END_TIME: Range<usize> = 17..25;
const N_SECTIONS: Range<usize> = 65..73;

/// When the clock falls in a cycle.
pub(super) fn fall(cycle: u64) -> u64 {
    cycle * TIME_PER_CYCLE + TIME_PER_CYCLE / 2
}

/// Says in the header of a file with one section when it will end and how many other sections it will have.
pub(super) fn set_rest(bytes: &mut [u8], end_time: u64, n_sections: u64) {
    bytes[END_TIME].copy_from_slice(&end_time.to_be_bytes());
    bytes[N_SECTIONS].copy_from_slice(&(1 + n_sections).to_be_bytes());
}

/// The beginning, with the cycle in which the simulator is.
pub(super) fn beginning(
    simulator: &CycleSimulator,
    changes: &mut Changes,
    top: &str,
) -> Result<Beginning, FstWriteError> {
    let time = simulator.cycle * TIME_PER_CYCLE;
    let (header, variables, ids) = header(simulator, changes, top, time)?;
    let mut places = Vec::new();
    let mut n_digits = 0;
    for width_bits in &variables.widths_bits {
        let from = n_digits;
        n_digits += *width_bits as usize;
        places.push(from..n_digits);
    }
    let mut digits = vec![b'0'; n_digits];
    digits[places[variables.clock].start] = b'1';
    let mut of_one = Vec::new();
    changes.sample(simulator, |change| {
        of_one.clear();
        let variable = match change {
            Change::Value(index, limbs) => {
                let variable = variables.signals[index];
                push_digits(&mut of_one, variables.widths_bits[variable], limbs);
                variable
            }
            Change::Text(index, text) => {
                let variable = variables.controllers[index];
                let n_characters = variables.widths_bits[variable] as usize / 8;
                let filled = text.bytes().chain(std::iter::repeat(b' '));
                for character in filled.take(n_characters) {
                    push_digits(&mut of_one, 8, &[u64::from(character)]);
                }
                variable
            }
        };
        digits[places[variable].clone()].copy_from_slice(&of_one);
    });
    let mut body = header.finish()?;
    body.time_change(time)?;
    for (id, place) in ids.iter().zip(&places) {
        body.signal_change(*id, &digits[place.clone()])?;
    }
    body.time_change(fall(simulator.cycle))?;
    body.signal_change(ids[variables.clock], b"0")?;
    digits[places[variables.clock].start] = b'0';
    Ok(Beginning {
        bytes: body.finish()?.into_inner(),
        variables,
        digits,
    })
}

type Header = FstHeaderWriter<Cursor<Vec<u8>>>;

/// The tree of scopes with its variables, in a file that begins at a time.
fn header(
    simulator: &CycleSimulator,
    changes: &Changes,
    top: &str,
    time: u64,
) -> Result<(Header, Variables, Vec<FstSignalId>), FstWriteError> {
    let info = FstInfo {
        start_time: time,
        timescale_exponent: -9,
        version: "Sluice".to_owned(),
        // The same run gives the same bytes.
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut header = FstHeaderWriter::write_to_mem(&info)?;
    header.scope(top, "", FstScopeType::Module)?;
    let all: Vec<&Signal> = simulator.signals().collect();
    let mut variables = Variables {
        widths_bits: vec![1],
        clock: 0,
        signals: vec![0; all.len()],
        controllers: vec![0; changes.controllers().len()],
    };
    let wire = FstVarType::Wire;
    let bit = FstSignalType::bit_vec(1);
    let mut ids = vec![header.var("clock", bit, wire, FstVarDirection::Input, None)?];
    let signals = (0..all.len()).map(|index| (&all[index].scope[..], What::Signal(index)));
    let controllers = changes.controllers().iter().enumerate();
    let controllers = controllers.map(|(index, of)| (&of.scope[..], What::Controller(index)));
    let mut order: Vec<(&[String], What)> = signals.chain(controllers).collect();
    // The variables of a scope stand together.
    order.sort_by(|a, b| a.0.cmp(b.0));
    let mut tree = ScopeTree::default();
    for (scope, what) in order {
        enter(&mut tree, &mut header, scope)?;
        let number = variables.widths_bits.len();
        let variable = match what {
            What::Signal(index) => {
                variables.signals[index] = number;
                of_signal(all[index])
            }
            What::Controller(index) => {
                variables.controllers[index] = number;
                of_controller(&changes.controllers()[index])
            }
        };
        variables.widths_bits.push(variable.width_bits);
        let of = FstSignalType::bit_vec(variable.width_bits);
        ids.push(header.var(variable.name, of, variable.kind, variable.direction, None)?);
    }
    enter(&mut tree, &mut header, &[])?;
    header.up_scope()?;
    Ok((header, variables, ids))
}

/// What a variable stands for, by its number among its like.
enum What {
    Signal(usize),
    Controller(usize),
}

/// What is said of a variable.
struct Variable {
    name: String,
    width_bits: u32,
    kind: FstVarType,
    direction: FstVarDirection,
}

fn of_signal(signal: &Signal) -> Variable {
    let (kind, direction) = match signal.kind {
        SignalKind::Input => (FstVarType::Wire, FstVarDirection::Input),
        SignalKind::Output => (FstVarType::Wire, FstVarDirection::Output),
        SignalKind::Register => (FstVarType::Reg, FstVarDirection::Implicit),
        SignalKind::Wire => (FstVarType::Wire, FstVarDirection::Implicit),
    };
    let width_bits = signal.width_bits.max(1);
    Variable {
        name: match width_bits {
            1 => signal.name.clone(),
            _ => format!("{} [{}:0]", signal.name, width_bits - 1),
        },
        width_bits,
        kind,
        direction,
    }
}

fn of_controller(controller: &Controller) -> Variable {
    let n_characters = u32::try_from(controller.most_characters()).expect("few characters");
    Variable {
        name: format!("{}_times", controller.name),
        width_bits: 8 * n_characters,
        kind: FstVarType::Reg,
        direction: FstVarDirection::Implicit,
    }
}

/// Opens and closes scopes until the writer is in one.
fn enter(tree: &mut ScopeTree, header: &mut Header, scope: &[String]) -> Result<(), FstWriteError> {
    let mut outcome = Ok(());
    tree.enter(scope, |step| {
        let went = match step {
            Step::Down(name) => header.scope(name, "", FstScopeType::Module),
            Step::Up => header.up_scope(),
        };
        if outcome.is_ok() {
            outcome = went;
        }
    });
    outcome
}
