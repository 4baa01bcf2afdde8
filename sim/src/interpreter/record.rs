//! What a run stores, in the order of the program, and the counters of the loops around one of the stores.

use sluice_dialects::{affine, scf};
use sluice_ir::bits::Bits;
use sluice_ir::{Location, Name, View};

use super::{Frame, Value};

/// A store that was run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store {
    /// Where the operation comes from.
    pub location: Location,
    /// Number of the memory: arguments first, in their order.
    pub memory: usize,
    /// Position in it.
    pub cell: usize,
    /// What was stored.
    pub word: Bits,
}

/// A value that a loop around a store has in the iteration of the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counter {
    /// Its name in the source.
    pub name: Option<Name>,
    /// Whether it is what the loop counts; else it is carried from iteration to iteration.
    pub is_variable: bool,
    /// Its value.
    pub value: Bits,
}

/// The stores of a run.
#[derive(Clone, Default, Debug)]
pub struct Record {
    /// All of them, unless there are more than [`Record::MOST`].
    pub stores: Vec<Store>,
    /// The store whose counters are wanted, by its number.
    pub wanted: Option<usize>,
    /// The counters around that store, those of the outermost loop first.
    pub counters: Vec<Counter>,
    /// Whether there were more stores than are kept.
    pub is_cut: bool,
}

impl Record {
    /// Stores that are kept.
    pub const MOST: usize = 1 << 23;

    pub(super) fn store(
        &mut self,
        frame: &Frame<'_>,
        view: View<'_>,
        (memory, cell): (usize, usize),
        word: &Bits,
    ) {
        if self.stores.len() >= Self::MOST {
            self.is_cut = true;
            return;
        }
        if self.wanted == Some(self.stores.len()) {
            self.counters = counters(frame, view);
        }
        self.stores.push(Store {
            location: view.location(),
            memory,
            cell,
            word: word.clone(),
        });
    }
}

/// The arguments of the blocks around an operation.
fn counters(frame: &Frame<'_>, view: View<'_>) -> Vec<Counter> {
    let mut loops = Vec::new();
    let mut around = view.body.parent_operation(view.id);
    let mut block = view.body.parent_block(view.id);
    while let (Some(op), Some(inside)) = (around, block) {
        let is_counted = [scf::For::NAME, affine::For::NAME].contains(&view.at(op).name());
        let arguments = view.body.arguments(inside).iter().enumerate();
        let known = arguments.filter_map(|(i, argument)| match &frame.values[argument.index()] {
            Some(Value::Word(value)) => Some(Counter {
                name: view.body.value_name(*argument),
                is_variable: is_counted && i == 0,
                value: value.clone(),
            }),
            Some(Value::Memory(_) | Value::Undefined(_)) | None => None,
        });
        loops.push(known.collect::<Vec<_>>());
        around = view.body.parent_operation(op);
        block = view.body.parent_block(op);
    }
    loops.reverse();
    loops.concat()
}
