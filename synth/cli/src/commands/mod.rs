//! The commands of `sluice`, one file each.

mod answers;
mod asserting;
mod batch;
mod calibrate;
mod check;
mod compile;
mod completions;
mod cosim;
mod discover;
mod diverge;
mod drive;
mod expectations;
mod explore;
mod formats;
mod junit;
mod junit_merge;
mod kernel;
mod keys;
mod limits;
mod lock;
mod looks;
mod lsp;
mod man;
mod missing_data;
mod opt;
mod outcomes;
mod reduce;
mod references;
mod report;
mod requests;
mod running;
mod schedule;
mod sequences;
mod sim;
mod suite;
mod task;
mod waves;
mod why;

use std::path::PathBuf;

use clap::Subcommand;

use crate::limiting::Limiting;
use crate::output::Done;

pub(crate) use opt::from_mlir_spelling;

/// The command.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Compile a kernel to Verilog, with reports and the forms in between
    Compile(compile::Compile),
    /// Simulate the circuit cycle by cycle and compare it with the interpreter
    Sim(Box<sim::Sim>),
    /// Say why a signal has its value in a cycle: the operations, registers and source lines that made it
    Why(why::Why),
    /// As `sim`, with Verilator running the Verilog: every port is compared in every cycle
    Cosim(cosim::Cosim),
    /// Find the first point where interpreter, simulator and Verilator differ: pass, write or register
    Diverge(diverge::Diverge),
    /// Make a kernel that fails smaller while it fails in the same way
    Reduce(reduce::Reduce),
    /// Keep the figures of kernels in `sluice.lock`, or compare with it: latency, intervals, cells, clock, Verilog
    Lock(lock::Lock),
    /// Compile a kernel at many points and show which are worth having
    Explore(Box<explore::Explore>),
    /// Compile the points of one task of a job array
    #[command(hide = true)]
    ExploreTask(explore::ExploreTask),
    /// Print the schedule, latency and area of a kernel
    Report(report::Report),
    /// Work on JUnit XML files
    Junit(junit_merge::Junit),
    /// Solve or check scheduling problems given as text
    Schedule(schedule::Schedule),
    /// Measure a device with the open tools and write its device file
    Calibrate(calibrate::Calibrate),
    /// Run passes by name and print the module
    Opt(opt::Opt),
    /// List the keys of a configuration, or print their JSON schema
    Keys(keys::ShowKeys),
    /// List how much of each thing Sluice takes before it stops
    Limits(limits::ShowLimits),
    /// Serve an editor: diagnostics, completion, names, formatting, figures of loops
    Lsp(lsp::Lsp),
    /// Print a script that completes commands and options in a shell
    Completions(completions::Completions),
    /// Print a man page, as `sluice man compile | man -l -`
    Man(man::ManPage),
}

impl Command {
    pub(crate) fn run(self) -> Done<()> {
        match self {
            Self::Compile(command) => command.run(),
            Self::Sim(command) => command.run(),
            Self::Why(command) => command.run(),
            Self::Cosim(command) => command.run(),
            Self::Diverge(command) => command.run(),
            Self::Reduce(command) => command.run(),
            Self::Lock(command) => command.run(),
            Self::Explore(command) => command.run(),
            Self::ExploreTask(command) => command.run(),
            Self::Report(command) => command.run(),
            Self::Junit(command) => command.run(),
            Self::Schedule(command) => command.run(),
            Self::Calibrate(command) => command.run(),
            Self::Opt(command) => command.run(),
            Self::Keys(command) => command.run(),
            Self::Limits(command) => command.run(),
            Self::Lsp(command) => command.run(),
            Self::Completions(command) => command.run(),
            Self::Man(command) => command.run(),
        }
    }

    /// Returns the number of threads that run passes, if the user chooses it.
    pub(crate) fn n_threads(&self) -> Option<usize> {
        match self {
            Self::Opt(command) => command.n_threads(),
            Self::Compile(_)
            | Self::Sim(_)
            | Self::Why(_)
            | Self::Cosim(_)
            | Self::Diverge(_)
            | Self::Reduce(_)
            | Self::Lock(_)
            | Self::Explore(_)
            | Self::ExploreTask(_)
            | Self::Report(_)
            | Self::Junit(_)
            | Self::Schedule(_)
            | Self::Calibrate(_)
            | Self::Keys(_)
            | Self::Limits(_)
            | Self::Lsp(_)
            | Self::Completions(_)
            | Self::Man(_) => None,
        }
    }

    /// Returns the files that define dialects for the run. `opt` loads its own, and reports their warnings.
    pub(crate) fn definitions(&self) -> &[PathBuf] {
        match self {
            Self::Compile(command) => &command.kernel.irdl_file,
            Self::Sim(command) => &command.kernel.irdl_file,
            Self::Why(command) => &command.kernel.irdl_file,
            Self::Cosim(command) => &command.kernel.irdl_file,
            Self::Diverge(command) => &command.kernel.irdl_file,
            Self::Reduce(command) => &command.kernel.irdl_file,
            Self::Report(command) => &command.kernel.irdl_file,
            Self::Lock(command) => &command.kernel.irdl_file,
            Self::Lsp(command) => &command.irdl_file,
            Self::Explore(_)
            | Self::ExploreTask(_)
            | Self::Junit(_)
            | Self::Schedule(_)
            | Self::Calibrate(_)
            | Self::Opt(_)
            | Self::Keys(_)
            | Self::Limits(_)
            | Self::Completions(_)
            | Self::Man(_) => &[],
        }
    }

    /// Returns the limits of the run.
    pub(crate) fn limiting(&self) -> &Limiting {
        match self {
            Self::Compile(command) => &command.kernel.limiting,
            Self::Sim(command) => &command.kernel.limiting,
            Self::Why(command) => &command.kernel.limiting,
            Self::Cosim(command) => &command.kernel.limiting,
            Self::Diverge(command) => &command.kernel.limiting,
            Self::Reduce(command) => &command.kernel.limiting,
            Self::Report(command) => &command.kernel.limiting,
            Self::Lock(command) => &command.kernel.limiting,
            Self::Explore(command) => &command.limiting,
            Self::ExploreTask(command) => &command.limiting,
            Self::Junit(command) => &command.limiting,
            Self::Schedule(command) => &command.limiting,
            Self::Calibrate(command) => &command.limiting,
            Self::Opt(command) => &command.limiting,
            Self::Keys(command) => &command.limiting,
            Self::Limits(command) => &command.limiting,
            Self::Lsp(command) => &command.limiting,
            Self::Completions(command) => &command.limiting,
            Self::Man(command) => &command.limiting,
        }
    }
}
