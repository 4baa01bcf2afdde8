//! A language server for `.mlir` files, without its streams, threads and clock.
//!
//! [`Frames`] finds the messages in a stream of bytes, [`Server`] takes them in and gives what is to be sent, and [`Job`] is the analysis
//! of a text, which its owner runs beside the messages.

mod analysis;
mod document;
mod frames;
mod guard;
mod hover;
mod messages;
mod names;
mod positions;
mod server;

pub use analysis::{Finished, Job};
pub use frames::{Frame, Frames, framed};
pub use positions::Encoding;
pub use server::Server;
