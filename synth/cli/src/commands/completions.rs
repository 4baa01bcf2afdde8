//! `sluice completions`

use clap::Args;
use clap_complete::{Shell, generate};

use crate::limiting::Limiting;
use crate::output::{Done, print};

/// Arguments of `completions`.
#[derive(Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
    #[command(flatten)]
    pub(super) limiting: Limiting,
}

impl Completions {
    pub(crate) fn run(self) -> Done<()> {
        let mut script = Vec::new();
        generate(self.shell, &mut crate::command(), "sluice", &mut script);
        print(&String::from_utf8_lossy(&script));
        Ok(())
    }
}
