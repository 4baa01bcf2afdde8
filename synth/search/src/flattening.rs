//! Steps from the loops of the source to a schedule: choosing spacings, margins and copies, loop flattening, interleaving
//! dividers and timing closure.

use sluice_ir::{Context, Diagnostics, Exact, Module};

use crate::setting::{PathPeriods, Setting, Step, manager};
use crate::timing_closure::Spacings;
use crate::trial::trial;
use crate::trial_cache::Stage;

/// Returns the passes before `coalesce`, and the others.
fn at_coalesce(steps: &[Step]) -> (&[Step], &[Step]) {
    let coalesce = steps.iter().position(|step| step.name == "coalesce");
    steps.split_at(coalesce.expect("nests are flattened"))
}

/// Runs the remaining passes, `coalesce` among them, and schedules.
pub fn complete(
    context: &Context,
    module: &mut Module,
    setting: &Setting<'_>,
    steps: &[Step],
    diagnostics: &mut Diagnostics,
    after: &mut dyn FnMut(&str, &Module),
) {
    let (before, behind) = at_coalesce(steps);
    manager(before, setting).run(context, module, diagnostics, after);
    if diagnostics.has_errors() {
        return;
    }
    let space = |at: &Setting<'_>, module: &mut Module| {
        space(context, module, &at.trial(), behind);
    };
    let finish = |at: &Setting<'_>, module: &mut Module, found: &mut Diagnostics| {
        flatten_and_schedule(context, module, at, behind, found, &mut |_, _| {});
    };
    let mut setting = setting.clone();
    let without_margin = setting.paths;
    setting.paths = crate::margin::choose(context, module, &setting, space, finish);
    let at = setting.trial();
    let finish = |module: &mut Module, found: &mut Diagnostics| {
        flatten_only(context, module, &at, behind, found);
    };
    if crate::reuse::choose(context, module, &setting, &finish) {
        space_again(context, module, &at, behind);
        give_margin_back(context, module, &mut setting, without_margin, behind);
    }
    let spaced = module.clone();
    let mut found = Diagnostics::new();
    flatten_and_schedule(context, module, &setting, behind, &mut found, after);
    if !found.has_errors() {
        let schedule = |at: &Setting<'_>, spacings: Spacings| {
            let (mut module, mut found) = (spaced.clone(), Diagnostics::new());
            if spacings == Spacings::Own {
                respace(context, &mut module, &at.trial(), behind);
            }
            flatten_and_schedule(context, &mut module, at, behind, &mut found, &mut |_, _| {});
            (!found.has_errors()).then_some((module, found))
        };
        if let Some(closed) = crate::timing_closure::close(context, module, &setting, schedule) {
            (*module, found) = closed;
            after(setting.order.schedule[0].name, module);
        }
    }
    diagnostics.append(found);
}

/// Whether a trial copies arrays if that pays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Copies {
    /// It does not copy arrays.
    None,
    /// It copies arrays if that pays.
    WherePaying,
}

/// Does the same for a trial: paths use the clock period, and spacings are chosen once.
pub fn try_out(
    context: &Context,
    module: &mut Module,
    trial: &Setting<'_>,
    steps: &[Step],
    copies: Copies,
    found: &mut Diagnostics,
) {
    if context.limits.watch.cut("other forms of loops") {
        // A candidate that is not tried is not chosen.
        found.error(sluice_kernel::compiled::place(module), "the time is up");
        return;
    }
    let (before, behind) = at_coalesce(steps);
    manager(before, trial).run(context, module, found, &mut |_, _| {});
    if found.has_errors() {
        return;
    }
    space(context, module, &trial.sketch(), behind);
    if copies == Copies::WherePaying {
        let finish = |module: &mut Module, found: &mut Diagnostics| {
            flatten_only(context, module, trial, behind, found);
        };
        crate::reuse::choose(context, module, trial, &finish);
    }
    flatten_and_schedule(context, module, trial, behind, found, &mut |_, _| {});
}

/// Chooses the spacings between the groups of flattened nests.
fn space(context: &Context, module: &mut Module, trial: &Setting<'_>, behind: &[Step]) {
    if trial.config.flatten {
        crate::spacing::choose(context, module, |module, found| {
            flatten_only(context, module, trial, behind, found);
        });
    }
}

/// Chooses the spacings of nests again, and leaves the nests flattened or apart as they are.
fn respace(context: &Context, module: &mut Module, trial: &Setting<'_>, behind: &[Step]) {
    if trial.config.flatten {
        crate::spacing::choose_again(context, module, |module, found| {
            flatten_only(context, module, trial, behind, found);
        });
    }
}

/// Schedules a module whose spacings are chosen, and returns it with the cycles of the kernel.
fn scheduled(
    context: &Context,
    module: &Module,
    at: &Setting<'_>,
    behind: &[Step],
) -> Option<(Module, Exact)> {
    let finish = |module: &mut Module, found: &mut Diagnostics| {
        flatten_only(context, module, at, behind, found);
    };
    let trial = trial(context, module, at.top, finish)?;
    Some((trial.module, trial.cycles?))
}

/// Chooses spacings again for a module that now uses ports less than before, and keeps them if they are better.
fn space_again(context: &Context, module: &mut Module, at: &Setting<'_>, behind: &[Step]) {
    let mut spaced = module.clone();
    crate::spacing::forget_apart(context, &mut spaced);
    space(context, &mut spaced, &at.sketch(), behind);
    let scheduled = |module: &Module| scheduled(context, module, at, behind);
    if let (Some((_, before)), Some((_, after))) = (scheduled(module), scheduled(&spaced))
        && after < before
    {
        *module = spaced;
    }
}

/// Schedules paths for the full clock period again, with spacings for it, if the margin costs more cycles than it may now that
/// arrays are copied.
fn give_margin_back(
    context: &Context,
    module: &mut Module,
    setting: &mut Setting<'_>,
    without: PathPeriods,
    behind: &[Step],
) {
    if setting.paths == without {
        return;
    }
    let mut spaced = module.clone();
    crate::spacing::forget_apart(context, &mut spaced);
    let at = Setting {
        paths: without,
        ..setting.trial()
    };
    space(context, &mut spaced, &at, behind);
    let with = scheduled(context, module, &setting.trial(), behind);
    let plain = scheduled(context, &spaced, &at, behind);
    if let (Some((_, with)), Some((plain, cycles))) = (with, plain)
        && with.minus(cycles) > crate::margin::most_cycles(context, &plain, cycles, setting)
    {
        *module = spaced;
        setting.paths = without;
    }
}

/// Runs `coalesce` and the passes after it, and schedules once.
fn flatten_only(
    context: &Context,
    module: &mut Module,
    trial: &Setting<'_>,
    behind: &[Step],
    found: &mut Diagnostics,
) {
    flatten_for_trial(context, module, trial, behind, found);
    if !found.has_errors() {
        schedule_for_trial(context, module, trial, found);
    }
}

/// Runs `coalesce` and the passes after it with `run`. If no divider then fits the clock for some divisions under a condition,
/// runs it again with their nests apart: beside loops, these divisions become loops themselves.
fn flatten(
    context: &Context,
    module: &mut Module,
    setting: &Setting<'_>,
    found: &mut Diagnostics,
    run: &mut dyn FnMut(&mut Module, &mut Diagnostics),
) {
    let before = crate::wide::has_divisions(context, module).then(|| module.clone());
    let mut at_first = Diagnostics::new();
    run(module, &mut at_first);
    if let Some(mut apart) = before.filter(|_| !at_first.has_errors()) {
        let whole = crate::wide::whole_divisions(context, module, setting);
        if crate::wide::keep_apart(context, &mut apart, &whole) {
            *module = apart;
            run(module, found);
            return;
        }
    }
    found.append(at_first);
}

/// Runs `coalesce` and the passes after it, and then removes the requests for flattening. So nests that became equal compare as
/// equal.
fn flatten_for_trial(
    context: &Context,
    module: &mut Module,
    trial: &Setting<'_>,
    behind: &[Step],
    found: &mut Diagnostics,
) {
    flatten(context, module, trial, found, &mut |module, found| {
        flatten_once_for_trial(context, module, trial, behind, found);
    });
}

fn flatten_once_for_trial(
    context: &Context,
    module: &mut Module,
    trial: &Setting<'_>,
    behind: &[Step],
    found: &mut Diagnostics,
) {
    let (flatten, rest) = behind.split_at(1);
    let run = |steps: &[Step], module: &mut Module, found: &mut Diagnostics| {
        manager(steps, trial).run(context, module, found, &mut |_, _| {});
    };
    let known = &trial.known;
    known.run(Stage::Flatten, module, found, |module, found| {
        run(flatten, module, found);
        crate::spacing::forget_wishes(context, module);
    });
    if !found.has_errors() {
        let stage = match trial.is_sketch {
            true => Stage::Sketch,
            false => Stage::Prepare,
        };
        known.run(stage, module, found, |module, found| {
            run(rest, module, found);
        });
    }
}

/// Schedules once.
fn schedule_for_trial(
    context: &Context,
    module: &mut Module,
    trial: &Setting<'_>,
    found: &mut Diagnostics,
) {
    let stage = Stage::schedule([trial.paths.path_ns, trial.paths.choice_ns]);
    trial.known.run(stage, module, found, |module, found| {
        manager(trial.order.schedule, trial).run(context, module, found, &mut |_, _| {});
    });
}

/// Runs `coalesce` and the passes after it, and schedules, with as many interleaved dividers as pay.
fn flatten_and_schedule(
    context: &Context,
    module: &mut Module,
    setting: &Setting<'_>,
    behind: &[Step],
    diagnostics: &mut Diagnostics,
    after: &mut dyn FnMut(&str, &Module),
) {
    let shapes = crate::nest_shapes::shapes(context, module);
    if setting.is_trial {
        flatten_for_trial(context, module, setting, behind, diagnostics);
    } else {
        flatten(
            context,
            module,
            setting,
            diagnostics,
            &mut |module, found| {
                manager(behind, setting).run(context, module, found, after);
            },
        );
    }
    if diagnostics.has_errors() {
        return;
    }
    let trial = setting.trial();
    crate::interleave::choose(context, module, setting, |module, found| {
        schedule_for_trial(context, module, &trial, found);
    });
    if setting.is_trial {
        schedule_for_trial(context, module, setting, diagnostics);
    } else {
        manager(setting.order.schedule, setting).run(context, module, diagnostics, after);
    }
    if !diagnostics.has_errors() {
        crate::nest_shapes::write_shapes(context, module, &shapes);
    }
}
