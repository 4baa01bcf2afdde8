//! `sluice report`

use clap::Args;

use super::kernel::Kernel;
use crate::output::{Done, print};

/// Arguments of `report`.
#[derive(Args)]
pub(crate) struct Report {
    #[command(flatten)]
    kernel: Kernel,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

impl Report {
    pub(crate) fn run(self) -> Done<()> {
        let compiled = self.kernel.compile()?;
        if self.json {
            let json = sluice_flow::report::to_json(&compiled);
            print(&(serde_json::to_string_pretty(&json).unwrap_or_default() + "\n"));
        } else {
            print(&sluice_flow::report::text(&compiled));
        }
        Ok(())
    }
}
