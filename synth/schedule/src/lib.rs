//! Scheduling problems, solvers, checker and certificates; good_lp lives here and nowhere else.
//!
//! A [`problem::Problem`] is a plain value that prints as text and reads back ([`text`]). [`solve::solve`] finds a schedule
//! with the least II it can, then the least length, then few register bits; it checks the result with
//! [`checker::verify`], which shares nothing with the solvers, and returns it with a [`certificate::Certificate`] that says
//! what was proved and what stands in the way.

pub mod certificate;
pub mod checker;
pub mod error;
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
