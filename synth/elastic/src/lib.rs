//! Dataflow graphs: circuits whose operations pass tokens over channels and wait for one another, see `docs/ELASTIC.md`.

mod circuits;
mod inline;

pub use circuits::circuits;
