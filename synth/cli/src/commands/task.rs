//! What is run on a kernel or circuit, and what comes of it.

use sluice_verify::assertions::Assertion;

use crate::commands::kernel::{Data, Kernel, Runs};
use crate::commands::looks::Looks;
use crate::models::Models;

/// What every kernel is run with.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    /// The command of the user, for failures to be repeated.
    pub(crate) command: &'static str,
    /// The folder, and how kernels are compiled.
    pub(crate) kernel: &'a Kernel,
    pub(crate) data: &'a Data,
    pub(crate) runs: &'a Runs,
    /// What is asserted besides what the data file says.
    pub(crate) assertions: &'a [Assertion],
    pub(crate) with: With<'a>,
}

/// What is done besides the cycle simulation.
#[derive(Clone, Copy)]
pub(crate) enum With<'a> {
    /// Waves, and questions about the run, if any are asked.
    Looks(&'a Looks),
    /// Verilator runs too, and every port is compared in every cycle.
    Verilator(&'a Models),
}

/// A kernel whose circuit agreed with what says what is right on all its data.
pub(crate) struct Checked {
    /// What to say.
    pub(crate) text: String,
    /// What said what is right.
    pub(crate) reference: &'static str,
    pub(crate) n_cases: usize,
    /// Cycles of all data sets together.
    pub(crate) n_cycles: u64,
}
