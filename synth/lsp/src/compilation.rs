//! Compilation of a kernel for its editor: the work that the owner of the server does, and its result.

use lsp_types::Uri;

/// A kernel to compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compilation {
    /// The kernel's document.
    pub uri: Uri,
    /// Its text.
    pub text: String,
    /// The text of its configuration, if that is open; otherwise the configuration is the file beside the kernel.
    pub configuration: Option<String>,
    /// Number of the kernel's and the configuration's text.
    pub(crate) ticket: u64,
}

/// The result of a compilation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compiled {
    /// The work.
    pub compilation: Compilation,
    /// The name of the kernel's file in the messages.
    pub file: String,
    /// Errors and warnings as `compile` prints them.
    pub messages: String,
    /// The figures, unless there is an error.
    pub figures: Option<Figures>,
}

/// Figures of a compiled kernel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// The name of the kernel's function.
    pub top: String,
    /// Latency, cells and clock in one line.
    pub summary: String,
    /// The loops.
    pub loops: Vec<LoopFigures>,
}

/// Figures of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopFigures {
    /// The line of the loop in the kernel's text, from one.
    pub line: u32,
    /// II, iterations and cycles.
    pub label: String,
    /// Why the II is no smaller.
    pub detail: String,
}
