//! `sluice keys`

use clap::Args;

use crate::limiting::Limiting;
use crate::output::{Done, print};

/// Arguments of `keys`.
#[derive(Args)]
pub(crate) struct ShowKeys {
    /// Print a JSON schema of `kernel.yaml`, for editors
    #[arg(long)]
    schema: bool,
    #[command(flatten)]
    pub(super) limiting: Limiting,
}

impl ShowKeys {
    pub(crate) fn run(self) -> Done<()> {
        match self.schema {
            true => print(&sluice_config::schema()),
            false => print(&sluice_config::to_text()),
        }
        Ok(())
    }
}
