//! The named signals of a flattened circuit, for waves, coverage and queries.

use sluice_ir::algebra::TermId;
use sluice_ir::{Context, View};

/// The kind of a signal in its module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SignalKind {
    /// An input.
    Input,
    /// An output.
    Output,
    /// A register.
    Register,
    /// A combinational value with a name in the source.
    Wire,
}

/// A location in a source file; lines and columns count from one.
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
    /// Returns the source location of an operation.
    pub(super) fn of(context: &Context, view: View<'_>) -> Option<Self> {
        let (file, line, column) = view.location().file_line_column(context)?;
        let file = file.to_owned();
        Some(Self { file, line, column })
    }
}

/// A register of a controller that is set when an iteration of a block is at a given time of its schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// The module of the controller.
    pub module: String,
    /// The name of the block's controller.
    pub frame: String,
    /// Cycles since the iteration began, without stalled cycles.
    pub time: u32,
    /// The operation that owns the block, by its number in the scheduled function (outer before inner, in text order); `None` for
    /// a block of the function itself.
    pub operation: Option<usize>,
    /// The number of the block among those of the operation or function.
    pub block: usize,
}

/// A named value of a circuit.
#[derive(Clone, Debug)]
pub struct Signal {
    /// The instances around it, from the outside in.
    pub scope: Vec<String>,
    /// Its name in its scope.
    pub name: String,
    /// Width in bits.
    pub width_bits: u32,
    /// Its kind.
    pub kind: SignalKind,
    /// Its source location.
    pub place: Option<SourcePlace>,
    /// For a register of a controller, the schedule time that it stands for.
    pub token: Option<Token>,
    pub(super) term: TermId,
}

impl Signal {
    /// Returns the name with the instances around it, separated by points.
    pub fn path(&self) -> String {
        let mut path: Vec<&str> = self.scope.iter().map(String::as_str).collect();
        path.push(&self.name);
        path.join(".")
    }
}

/// Returns whether a path ends with a name, or with a name and some of the instances around it.
pub fn ends_path(path: &str, name: &str) -> bool {
    let before = path.strip_suffix(name);
    before.is_some_and(|before| before.ends_with('.'))
}
