//! Additional outputs of a simulation: waves, coverage, answers, assertions.

use clap::Args;

use crate::commands::answers::Questions;
use crate::commands::waves::Waves;

/// Observations of a run, besides its correctness.
#[derive(Args, Default)]
pub(crate) struct Looks {
    #[command(flatten)]
    pub(crate) waves: Waves,
    #[command(flatten)]
    pub(crate) questions: Questions,
}
