//! A language server for kernels (`.mlir`) and their configurations (`.yaml`), without streams, threads or clock.
//!
//! [`Frames`] splits a byte stream into messages, [`Server`] processes them and returns the messages to send, and [`Job`] is the
//! analysis of a text. The owner of the server runs the jobs concurrently with the messages. An [`Errand`] is work that needs files.

mod analysis;
mod compilation;
mod completion;
mod document;
mod fixes;
mod frames;
mod guard;
mod hover;
mod language;
mod messages;
mod mlir;
mod names;
mod operations;
mod positions;
mod rendered;
mod server;
mod yaml;

pub use lsp_types::Uri;

pub use analysis::{Finished, Job};
pub use compilation::{Compilation, Compiled, Figures, LoopFigures};
pub use frames::{Frame, Frames, framed};
pub use positions::Encoding;
pub use server::Server;
pub use server::errands::{Errand, Report};
