//! Scheduling problems, solvers, checker and certificates; no other crate uses good_lp.
//!
//! A [`problem::Problem`] is a plain value that prints as YAML and reads back ([`text`]). [`solve::solve`] finds a schedule with
//! the least II it can, then the least length, then few register bits. It checks the result with [`checker::verify`], which
//! shares no code with the solvers. It returns the result with a [`certificate::Certificate`] that says which optimality was
//! proved and which constraints prevent a better schedule.
//!
//! ```
//! use sluice_schedule::problem::Problem;
//! use sluice_schedule::solve::solve;
//! use sluice_schedule::options::SolverOptions;
//!
//! let problem: Problem = "
//! problem: two reads
//! clock_period_ns: 8
//! initiation: every
//! resources: {port: {count: 1, name: read port of `%A`}}
//! classes:
//!   load: {latency: 1, input_delay_ns: 1, output_delay_ns: 2, resource: port, width: 8}
//! operations:
//!   a: {class: load}
//!   b: {class: load}
//!   c: {class: add, input_delay_ns: 3, width: 8}
//! dependences: [a -> c, b -> c]
//! ".parse()?;
//! let solution = solve(&problem, &SolverOptions::default())?;
//! assert_eq!(solution.schedule.ii, Some(2));
//! assert!(solution.certificate.explain(&problem).starts_with(
//!     "II 2: read port of `%A` is used by 2 operations per iteration\none more read port of `%A`: II 2 -> 1\n"
//! ));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounds;
pub mod certificate;
pub mod checker;
mod constraints;
pub mod error;
mod exact;
mod heuristic;
mod input;
pub mod kernel;
mod linear;
pub mod linear_program;
mod longest_path;
mod naming;
mod optimal_face;
pub mod options;
mod pairwise;
mod paths_to_targets;
pub mod problem;
mod registers;
mod relaxation;
mod reservation;
mod sat;
mod sdc_modulo;
mod search;
mod slack;
mod solution_cache;
pub mod solve;
pub mod solver;
pub mod ssp;
pub mod task;
pub mod text;
mod unit_order;

pub use solution_cache::SolutionCache;
