//! `sluice limits`

use clap::Args;

use crate::limiting::Limiting;
use crate::output::{Done, print};

/// Arguments of `limits`.
#[derive(Args)]
pub(crate) struct ShowLimits {
    #[command(flatten)]
    pub(super) limiting: Limiting,
}

impl ShowLimits {
    pub(crate) fn run(self) -> Done<()> {
        print(&self.limiting.limits().to_text());
        Ok(())
    }
}
