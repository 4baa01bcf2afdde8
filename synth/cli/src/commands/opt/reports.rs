//! Options for dumps of the module between passes, and for reports about passes. All of them go to the standard error.

use clap::{Args, ValueEnum};
use sluice_flow::opt::{Arrangement, Dumps, Selection};
use sluice_flow::pipeline::all_names;
use sluice_ir::suggestion::did_you_mean;

/// The dumps and the reports to print.
#[derive(Args)]
#[command(next_help_heading = "Dumps and reports, to the standard error")]
pub(super) struct Reports {
    /// Print the module before these passes
    #[arg(
        long = "mlir-print-ir-before",
        value_name = "PASS",
        value_delimiter = ',',
        value_parser = pass_name
    )]
    before: Vec<&'static str>,
    /// Print the module after these passes
    #[arg(
        long = "mlir-print-ir-after",
        value_name = "PASS",
        value_delimiter = ',',
        value_parser = pass_name
    )]
    after: Vec<&'static str>,
    /// Print the module before each pass
    #[arg(long = "mlir-print-ir-before-all")]
    before_all: bool,
    /// Print the module after each pass
    #[arg(long = "mlir-print-ir-after-all")]
    after_all: bool,
    /// After a pass, print only the operations that the pass has changed
    #[arg(long = "mlir-print-ir-after-change")]
    after_change: bool,
    /// Print the module after a pass that fails, and after no other one
    #[arg(long = "mlir-print-ir-after-failure")]
    after_failure: bool,
    /// Print the whole module, also for a pass that runs on operations inside it
    #[arg(long = "mlir-print-ir-module-scope")]
    module_scope: bool,
    /// Print the time of each pass, with the time of its verification
    #[arg(long = "mlir-timing")]
    timing: bool,
    /// Order of the times: longest first and equal names added up, or as in the pipeline
    #[arg(
        long = "mlir-timing-display",
        value_name = "ORDER",
        value_enum,
        default_value = "tree"
    )]
    timing_display: TimingDisplay,
    /// Print how many operations each pass ran on, how many of them changed, and the size of the module before and after
    #[arg(long = "mlir-pass-statistics")]
    statistics: bool,
    /// Order of the statistics: by name and equal names added up, or as in the pipeline
    #[arg(
        long = "mlir-pass-statistics-display",
        value_name = "ORDER",
        value_enum,
        default_value = "pipeline"
    )]
    statistics_display: StatisticsDisplay,
}

/// Order of times.
#[derive(Clone, Copy, ValueEnum)]
enum TimingDisplay {
    List,
    Tree,
}

/// Order of statistics.
#[derive(Clone, Copy, ValueEnum)]
enum StatisticsDisplay {
    List,
    Pipeline,
}

impl Reports {
    /// Returns the passes before and after which the module is printed.
    pub(super) fn dumps(&self) -> Dumps {
        let selection = |all: bool, names: &[&'static str]| match (all, names) {
            (true, _) => Selection::All,
            (false, []) => Selection::None,
            (false, names) => Selection::Passes(names.to_vec()),
        };
        Dumps {
            before: selection(self.before_all, &self.before),
            after: selection(self.after_all, &self.after),
            only_changed: self.after_change,
            only_failed: self.after_failure,
            module_scope: self.module_scope,
        }
    }

    /// Returns the order of the times, if they are printed.
    pub(super) fn timing(&self) -> Option<Arrangement> {
        self.timing.then_some(match self.timing_display {
            TimingDisplay::List => Arrangement::List,
            TimingDisplay::Tree => Arrangement::Pipeline,
        })
    }

    /// Returns the order of the statistics, if they are printed.
    pub(super) fn statistics(&self) -> Option<Arrangement> {
        self.statistics.then_some(match self.statistics_display {
            StatisticsDisplay::List => Arrangement::List,
            StatisticsDisplay::Pipeline => Arrangement::Pipeline,
        })
    }
}

fn pass_name(text: &str) -> Result<&'static str, String> {
    let names = all_names();
    let found = names.iter().copied().find(|name| *name == text);
    found.ok_or_else(|| format!("there is no such pass; {}", did_you_mean(text, &names)))
}
