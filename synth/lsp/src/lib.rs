//! A language server for `.mlir` files, without streams, threads or clock.
//!
//! [`Frames`] splits a byte stream into messages, [`Server`] processes them and returns the messages to send, and [`Job`] is the
//! analysis of a text. The owner of the server runs the jobs concurrently with the messages.

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
