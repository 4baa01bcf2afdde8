//! Exploration: the points of a space, what each costs, and which are worth having.
//!
//! [`Space`] reads which settings vary and what is minimised, [`evaluate`] compiles one point, [`fronts`] compares all of them, and
//! [`table()`], [`csv()`], [`json()`] and [`page()`] show what came of it.

mod exploration;
mod export;
mod figures;
mod front;
mod goals;
mod inputs;
mod names;
mod page;
mod plot;
mod point;
mod result;
mod slurm;
mod space;
mod suggest;
mod table;

pub use exploration::Exploration;
pub use export::{csv, json};
pub use figures::{Cycles, Figures};
pub use front::{DeviceFront, Row, Standing, fronts};
pub use goals::{Constraint, Goals, Objective};
pub use inputs::Inputs;
pub use names::KernelNames;
pub use page::page;
pub use point::Point;
pub use result::{Outcome, PointResult, Task, compile_point, evaluate};
pub use slurm::Slurm;
pub use space::Space;
pub use suggest::{Suggestion, suggest};
pub use table::table;
