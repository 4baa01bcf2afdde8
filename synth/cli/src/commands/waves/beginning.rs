//! The first part of an FST file, written with a library: the tree of scopes with its variables, and the first cycle.

use std::io::Cursor;
use std::ops::Range;

use fst_writer::{
    FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};
use sluice_sim::cycle::{
    Change, Changes, Moment, ScopeTree, SignalKind, Step, TIME_PER_CYCLE, Variable, VariableKind,
    Variables, push_digits,
};
use sluice_verify::circuit::CycleSimulator;

/// The values in a file, in file order.
pub(super) struct Values {
    /// Widths, at least 1.
    pub(super) widths_bits: Vec<u32>,
    /// For each displayed value, its index in the file.
    pub(super) numbers: Vec<usize>,
}

/// A file with one section, which holds the first cycle.
pub(super) struct Beginning {
    pub(super) bytes: Vec<u8>,
    pub(super) values: Values,
    /// The digits of all values at the end of the section.
    pub(super) digits: Vec<u8>,
}

/// Positions in the header of the end time, and of the number of sections.
const END_TIME: Range<usize> = 17..25;
const N_SECTIONS: Range<usize> = 65..73;

/// Returns the time of the middle of a cycle.
pub(super) fn middle(cycle: u64) -> u64 {
    cycle * TIME_PER_CYCLE + TIME_PER_CYCLE / 2
}

/// Sets the end time and the number of additional sections in the header of a file with one section.
pub(super) fn set_rest(bytes: &mut [u8], end_time: u64, n_sections: u64) {
    bytes[END_TIME].copy_from_slice(&end_time.to_be_bytes());
    bytes[N_SECTIONS].copy_from_slice(&(1 + n_sections).to_be_bytes());
}

/// Writes the first part, with the current cycle of the simulator.
pub(super) fn beginning(
    simulator: &CycleSimulator,
    (variables, changes): (&Variables, &mut Changes),
    top: &str,
) -> Result<Beginning, FstWriteError> {
    let moment = |is_middle| Moment {
        cycle: simulator.cycle,
        is_middle,
        has_values: !is_middle,
    };
    let (begin, middle) = (moment(false), moment(true));
    let (header, values, ids) = header(variables, top, begin.time())?;
    let mut places = Vec::new();
    let mut n_digits = 0;
    for width_bits in &values.widths_bits {
        let from = n_digits;
        n_digits += *width_bits as usize;
        places.push(from..n_digits);
    }
    let mut digits = vec![b'0'; n_digits];
    let mut of_one = Vec::new();
    changes.sample(simulator, begin, |change| {
        of_one.clear();
        let number = match change {
            Change::Value(value, limbs) => {
                let number = values.numbers[value];
                push_digits(&mut of_one, values.widths_bits[number], limbs);
                number
            }
            Change::Text(value, text) => {
                let number = values.numbers[value];
                let n_characters = values.widths_bits[number] as usize / 8;
                let filled = text.bytes().chain(std::iter::repeat(b' '));
                for character in filled.take(n_characters) {
                    push_digits(&mut of_one, 8, &[u64::from(character)]);
                }
                number
            }
        };
        digits[places[number].clone()].copy_from_slice(&of_one);
    });
    let mut body = header.finish()?;
    body.time_change(begin.time())?;
    for (id, place) in ids.iter().zip(&places) {
        body.signal_change(*id, &digits[place.clone()])?;
    }
    body.time_change(middle.time())?;
    // Only clocks change in the middle of a cycle.
    let mut edges = Vec::new();
    changes.sample(simulator, middle, |change| {
        if let Change::Value(value, limbs) = change {
            edges.push((values.numbers[value], limbs[0]));
        }
    });
    for (number, level) in edges {
        let digit = &mut digits[places[number].clone()];
        digit.fill(if level == 1 { b'1' } else { b'0' });
        body.signal_change(ids[number], digit)?;
    }
    Ok(Beginning {
        bytes: body.finish()?.into_inner(),
        values,
        digits,
    })
}

type Header = FstHeaderWriter<Cursor<Vec<u8>>>;

/// Writes the tree of scopes with its variables, for a file that begins at the given time.
fn header(
    variables: &Variables,
    top: &str,
    time: u64,
) -> Result<(Header, Values, Vec<FstSignalId>), FstWriteError> {
    let info = FstInfo {
        start_time: time,
        timescale_exponent: -9,
        version: "Sluice".to_owned(),
        // No date, so that the same run gives the same bytes.
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut header = FstHeaderWriter::write_to_mem(&info)?;
    header.scope(top, "", FstScopeType::Module)?;
    let mut known: Vec<Option<FstSignalId>> = vec![None; variables.widths_bits.len()];
    let mut values = Values {
        widths_bits: Vec::new(),
        numbers: vec![0; known.len()],
    };
    let mut ids = Vec::new();
    let mut tree = ScopeTree::default();
    for variable in &variables.names {
        enter(&mut tree, &mut header, &variable.scope)?;
        let width_bits = variable.width_bits.max(1);
        let (kind, direction) = kind(variable);
        let name = variable.name.clone() + &variable.range();
        let of = FstSignalType::bit_vec(width_bits);
        // If the value already has a variable, the new name is an alias of it.
        let before = known[variable.value];
        let id = header.var(name, of, kind, direction, before)?;
        if before.is_none() {
            known[variable.value] = Some(id);
            values.numbers[variable.value] = ids.len();
            values.widths_bits.push(width_bits);
            ids.push(id);
        }
    }
    enter(&mut tree, &mut header, &[])?;
    header.up_scope()?;
    Ok((header, values, ids))
}

fn kind(variable: &Variable) -> (FstVarType, FstVarDirection) {
    match variable.kind {
        VariableKind::Signal(SignalKind::Input) => (FstVarType::Wire, FstVarDirection::Input),
        VariableKind::Signal(SignalKind::Output) => (FstVarType::Wire, FstVarDirection::Output),
        VariableKind::Signal(SignalKind::Register) | VariableKind::Word | VariableKind::Text => {
            (FstVarType::Reg, FstVarDirection::Implicit)
        }
        VariableKind::Signal(SignalKind::Wire) => (FstVarType::Wire, FstVarDirection::Implicit),
    }
}

/// Opens and closes scopes until the writer is in the given scope.
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
