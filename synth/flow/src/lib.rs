//! The order of passes: text and options in, artefacts out.
//!
//! Absent: files, clocks, the environment, processes and printing. `cli` has those.

pub mod area;
pub mod banks;
pub mod calibration;
pub mod check;
mod choices;
pub mod circuit;
pub mod config;
mod costs;
pub mod data;
mod data_file;
mod directives;
pub mod diverge;
pub mod estimate;
mod expected;
pub mod explore;
pub mod failing;
mod flattening;
mod forms;
pub mod generic;
mod interleave;
mod known;
pub mod latency;
mod loops;
mod mapping;
mod margin;
mod objective;
pub mod opt;
mod parallel;
pub mod passes;
pub mod pipeline;
pub mod reduction;
mod reordering;
pub mod report;
mod restructuring;
mod reuse;
mod rounds;
pub mod schedule_problem;
mod spacing;
pub mod storage;
mod tidy;
mod trial;
mod unit_count;
