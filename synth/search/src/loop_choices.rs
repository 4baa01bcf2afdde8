//! The ordered table of choices between loop forms: each choice schedules its candidates and keeps the best one.

use sluice_config::{Config, Reorder};
use sluice_ir::{Context, Module};

use crate::attempts::Attempts;
use crate::setting::{Setting, Step};
use crate::{chained_iterations, reordering, restructuring};

/// A choice between loop forms.
pub struct LoopChoice {
    /// Its name.
    pub name: &'static str,
    /// Reason for its position in the order.
    pub reason: &'static str,
    /// Returns whether the configuration leaves the choice open.
    applies: fn(&Config) -> bool,
    /// Makes the choice.
    apply: fn(&Context, &mut Module, &Attempts<'_>),
}

/// All choices, in order.
pub const LOOP_CHOICES: &[LoopChoice] = &[
    LoopChoice {
        name: "unroll-pure-loops",
        reason: "these loops depend on no other choice; the others are judged with the cycles that they then take",
        applies: |_| true,
        apply: chained_iterations::choose,
    },
    LoopChoice {
        name: "reorder-statements",
        reason: "what is fused or interchanged next follows from the order of statements",
        applies: may_reorder,
        apply: reordering::choose,
    },
    LoopChoice {
        name: "fuse-and-interchange",
        reason: "`loops: auto` asks for it",
        applies: |config| config.restructure,
        apply: restructuring::choose,
    },
    LoopChoice {
        name: "fuse-nests",
        reason: "without `loops: auto`, only nests that follow each other are fused, and cells count too",
        applies: |config| !config.restructure && may_reorder(config),
        apply: restructuring::fuse_nests,
    },
];

/// Returns whether nests may be reordered: `parallel` chooses copies of loops for the nests in their given order.
fn may_reorder(config: &Config) -> bool {
    config.reorder != Reorder::Never && !config.parallel
}

/// Makes all choices that the configuration leaves open; `steps` are the passes from this point to the scheduled form.
pub fn choose_loops(context: &Context, module: &mut Module, setting: &Setting<'_>, steps: &[Step]) {
    let attempts = Attempts::new(setting, steps);
    let open = LOOP_CHOICES.iter();
    for choice in open.filter(|choice| (choice.applies)(setting.config)) {
        (choice.apply)(context, module, &attempts);
    }
}
