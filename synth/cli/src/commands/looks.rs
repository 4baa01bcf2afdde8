//! Additional outputs of a simulation: waves, coverage, answers, assertions.

use clap::Args;

use crate::commands::answers::Questions;
use crate::commands::waves::Waves;

/// What a run is looked at for, besides whether it is right.
#[derive(Args, Default)]
pub(crate) struct Looks {
    #[command(flatten)]
    pub(crate) waves: Waves,
    #[command(flatten)]
    pub(crate) questions: Questions,
}
