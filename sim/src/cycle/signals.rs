//! The signals of a flattened circuit by the names of its source: what waves, coverage and questions are about.

use sluice_ir::algebra::TermId;
use sluice_ir::{Context, View};

/// What a signal is in its module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SignalKind {
    /// An input.
    Input,
    /// An output.
    Output,
    /// A register.
    Register,
    /// A combinational value that the source names.
    Wire,
}

/// A place in a source file; lines and columns count from one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SourcePlace {
    /// File name as the user gave it.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

impl std::fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl SourcePlace {
    /// Where an operation of a circuit comes from.
    pub(super) fn of(context: &Context, view: View<'_>) -> Option<Self> {
        let (file, line, column) = view.location().file_line_column(context)?;
        let file = file.to_owned();
        Some(Self { file, line, column })
    }
}

/// A register that is set in the cycles in which an iteration of a block is at a time of its schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// The module that the controller is in.
    pub module: String,
    /// The block, by the name of its controller.
    pub frame: String,
    /// Cycles since the iteration began, those of waiting left out.
    pub time: u32,
    /// The operation whose block it is, by its number in the scheduled function, outer before inner, in text order; none for a block of
    /// the function itself.
    pub operation: Option<usize>,
    /// The number of the block among those of the operation or function.
    pub block: usize,
}

/// A named value of a circuit.
#[derive(Clone, Debug)]
pub struct Signal {
    /// The instances around it, from the outside in.
    pub scope: Vec<String>,
    /// Its name there.
    pub name: String,
    /// Width in bits.
    pub width_bits: u32,
    /// What it is.
    pub kind: SignalKind,
    /// Where the source has it.
    pub place: Option<SourcePlace>,
    /// What a register of a controller says.
    pub token: Option<Token>,
    pub(super) term: TermId,
}

impl Signal {
    /// The name with the instances around it, a point between.
    pub fn path(&self) -> String {
        let mut path: Vec<&str> = self.scope.iter().map(String::as_str).collect();
        path.push(&self.name);
        path.join(".")
    }
}

/// Whether a path with instances and points between ends with a name, or with that and some of the instances around it.
pub fn ends_path(path: &str, name: &str) -> bool {
    let before = path.strip_suffix(name);
    before.is_some_and(|before| before.ends_with('.'))
}
