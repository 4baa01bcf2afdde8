//! Scheduling problems, solvers, checker and certificates; good_lp lives here and nowhere else.
//!
//! A [`problem::Problem`] is a plain value that prints as text and reads back ([`text`]). [`solve::solve`] finds a schedule
//! with the least II it can, then the least length, then few register bits; it checks the result with
//! [`checker::verify`], which shares nothing with the solvers, and returns it with a [`certificate::Certificate`] that says
//! what was proved and what stands in the way.
//!
//! ```
//! use sluice_schedule::problem::Problem;
//! use sluice_schedule::solve::{SolverOptions, solve};
//!
//! let problem: Problem = "
//!     problem two reads
//!     clock_period_ns 8
//!     initiation every
//!     resource r0 count=1 name=read port of `%A`
//!     operation o0 class=load latency=1 input_delay=1 output_delay=2 resource=r0 width=8 name=%a = memref.load k.mlir:3
//!     operation o1 class=load latency=1 input_delay=1 output_delay=2 resource=r0 width=8 name=%b = memref.load k.mlir:4
//!     operation o2 class=add input_delay=3 width=8 name=%c = arith.addi k.mlir:5
//!     data o0 -> o2
//!     data o1 -> o2
//! ".parse()?;
//! let solution = solve(&problem, &SolverOptions::default())?;
//! assert_eq!(solution.schedule.ii, Some(2));
//! assert!(solution.certificate.explain(&problem).starts_with(
//!     "II 2: read port of `%A` is used by 2 operations per iteration\none more read port of `%A`: II 2 -> 1\n"
//! ));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod certificate;
pub mod checker;
pub mod error;
pub mod kernel;
pub mod problem;
pub mod solve;
pub mod text;

mod bounds;
mod constraints;
mod exact;
mod heuristic;
mod input;
mod linear;
mod longest_path;
mod registers;
mod relaxation;
mod reservation;
mod search;
mod unit_order;
