//! A record of the stores of a run in program order, and the loop counters around one chosen store.

use sluice_dialects::{affine, scf};
use sluice_ir::bits::Bits;
use sluice_ir::{Location, Name, View};

use super::{Frame, Value};

/// One executed store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store {
    /// Location of the operation.
    pub location: Location,
    /// Number of the memory: arguments first, in argument order.
    pub memory: usize,
    /// Position of the cell in the memory.
    pub cell: usize,
    /// The stored word.
    pub word: Bits,
}

/// A value that a loop around a store has in the iteration of the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counter {
    /// Its name in the source.
    pub name: Option<Name>,
    /// Whether it is the induction variable; otherwise it is carried from iteration to iteration.
    pub is_variable: bool,
    /// Its value.
    pub value: Bits,
}

/// The stores of a run.
#[derive(Clone, Default, Debug)]
pub struct Record {
    /// All stores, or the first [`Record::MOST`] of them.
    pub stores: Vec<Store>,
    /// The number of the store whose loop counters are recorded.
    pub wanted: Option<usize>,
    /// The counters around that store, the outermost loop first.
    pub counters: Vec<Counter>,
    /// Whether there were more stores than are kept.
    pub is_cut: bool,
}

impl Record {
    /// The most stores that are kept.
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

/// Returns the arguments of the blocks around an operation, the outermost block first.
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
