//! Choices between forms of the loops of a kernel, in the order in which they are made: each tries candidates by a schedule and keeps the
//! best one.

use sluice_config::{Config, Reorder};
use sluice_ir::{Context, Module};

use crate::attempts::Attempts;
use crate::setting::{Setting, Step};
use crate::{reordering, restructuring, rounds};

/// A choice.
pub struct LoopChoice {
    /// Its name.
    pub name: &'static str,
    /// Why it is made at this place.
    pub reason: &'static str,
    /// Whether a configuration leaves it open.
    applies: fn(&Config) -> bool,
    /// Makes it.
    apply: fn(&Context, &mut Module, &Attempts<'_>),
}

/// All choices, in order.
pub const LOOP_CHOICES: &[LoopChoice] = &[
    LoopChoice {
        name: "unroll-pure-loops",
        reason: "these loops depend on no other choice; the others are judged with the cycles that they then take",
        applies: |_| true,
        apply: rounds::choose,
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

/// Copies for a number of multipliers are chosen for nests as they are.
fn may_reorder(config: &Config) -> bool {
    config.reorder != Reorder::Never && !config.parallel
}

/// Makes all choices that the configuration leaves open; `steps` are the passes from here to the scheduled form.
pub fn choose_loops(context: &Context, module: &mut Module, setting: &Setting<'_>, steps: &[Step]) {
    let attempts = Attempts::new(setting, steps);
    let open = LOOP_CHOICES.iter();
    for choice in open.filter(|choice| (choice.applies)(setting.config)) {
        (choice.apply)(context, module, &attempts);
    }
}
