//! Buffer placement with `buffers: exact`: the solver, its budget, and the iteration counts of the loops that weight the
//! objective.

use std::collections::BTreeMap;

use sluice_config::Buffers;
use sluice_dialects::handshake;
use sluice_elastic::{Exactness, LinearProgram, LoopRuns, Target};
use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Module, OperationId, View};
use sluice_kernel::choices;
use sluice_kernel::compiled::place;
use sluice_schedule::linear_program::Budget;
use sluice_sim::tokens::TokenSimulator;

use crate::setting::Setting;

/// Maximum number of nodes of the search for one integer program.
const MAX_NODES: u32 = 20_000;

/// Maximum number of cycles of a run that only counts iterations.
const MAX_CYCLES: u64 = 1 << 17;

/// Places buffers as the configuration requests.
pub fn place_buffers(
    context: &Context,
    module: &mut Module,
    target: &Target<'_>,
    setting: &Setting<'_>,
) -> Vec<Exactness> {
    match setting.config.buffers {
        Buffers::Rules => {
            sluice_elastic::place_buffers(context, module, target);
            Vec::new()
        }
        Buffers::Exact => {
            let budget = Budget {
                nodes: MAX_NODES,
                time_limit_s: setting.config.solver_time_limit_s,
            };
            let solve = |program: &LinearProgram| setting.answered.answer(program, budget);
            let runs = &setting.loop_runs;
            sluice_elastic::place_buffers_exactly(context, module, target, runs, &solve)
        }
    }
}

/// Adds the result of an integer program to the notes.
pub fn note(
    context: &Context,
    module: &mut Module,
    placed: &[Exactness],
    diagnostics: &mut Diagnostics,
) {
    let at = place(module);
    for exactness in placed {
        choices::note(context, module, exactness.function, &exactness.sentence);
        for slow in &exactness.too_slow {
            diagnostics.warning(at, slow.clone());
        }
    }
}

/// Counts how often the loops of the kernel run with the data of the profile. The counts are empty if there are no data, or if a
/// run does not finish.
pub(crate) fn loop_runs(context: &Context, graph: &Module, setting: &Setting<'_>) -> LoopRuns {
    let mut module = graph.clone();
    let target = setting.target();
    sluice_elastic::place_buffers(context, &mut module, &target);
    let data = crate::depths::usual(context, &module, setting);
    crate::depths::shorten(context, &mut module, setting.top);
    let mut runs = BTreeMap::new();
    let functions = named(context, &module, handshake::Func::NAME).into_iter();
    let mut functions = functions.filter(|op| {
        let view = View::new(context, module.inner(), *op);
        view.symbol_name() == Some(setting.top)
    });
    let (Some(function), Ok(mut simulator)) = (
        functions.next(),
        TokenSimulator::new(context, &module, setting.top),
    ) else {
        return runs;
    };
    let body = module.inner().inner(function);
    let starts = |op: OperationId| {
        let view = View::new(context, body, op);
        view.name() == handshake::Buffer::NAME && view.attribute("initValues").is_some()
    };
    for arguments in data {
        if simulator.run(&arguments, MAX_CYCLES).is_err() {
            continue;
        }
        for (i, channel) in simulator.channels().iter().enumerate() {
            let starter = body.defining_operation(channel.value);
            if let Some(starter) = starter.filter(|op| starts(*op)) {
                let counted = simulator.statistics().channels[i].n_tokens;
                let counted = u32::try_from(counted).unwrap_or(u32::MAX);
                *runs.entry((function, starter)).or_insert(0.0) += f64::from(counted);
            }
        }
    }
    runs
}
