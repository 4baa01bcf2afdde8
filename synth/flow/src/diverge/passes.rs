//! Comparison of the interpreter's results for the source and for the module after each pass.

use sluice_ir::limits::Limit;
use sluice_sim::interpreter::{Interpreter, Outcome};
use sluice_verify::check::difference;
use sluice_verify::data::Case;
use sluice_verify::stage_arguments::{arguments_of, memories_of};

use super::{Stages, Verdict, place};
use crate::passes::REASSOCIATE;

pub(super) fn compare(kernel: &Stages, case: &Case, expected: &Outcome) -> Verdict {
    let compiled = &kernel.compiled;
    let (context, interface) = (&compiled.context, &compiled.interface);
    // Where the order of floats is free, the results may change up to the pass from which on it is fixed.
    let fixed = compiled.reordered.as_ref().and_then(|_| {
        let mut stages = kernel.stages.iter();
        stages.position(|(pass, _)| pass == REASSOCIATE)
    });
    let first = fixed.unwrap_or(0);
    for (number, (pass, module)) in kernel.stages.iter().enumerate().skip(first) {
        let mut interpreter = Interpreter::new(context, module);
        interpreter.step_limit = context.limits.of(Limit::ReferenceOperations);
        let arguments = arguments_of(context, module, interface, case);
        let found = match interpreter.run(&compiled.top, &arguments) {
            Ok(outcome) => {
                let memories = memories_of(interface, &outcome.memories);
                difference(compiled, expected, &outcome.results, &memories)
            }
            Err(error) => Some(format!(
                "the interpreter stops at {}: {}",
                place(context, error.location),
                error.message
            )),
        };
        if let Some(found) = found {
            let before = match number.checked_sub(1) {
                Some(before) => format!("it was right after `{}`", kernel.stages[before].0),
                None => "it is the first".to_owned(),
            };
            return Verdict::Part(format!(
                "pass {} of {}, `{pass}`, changed the meaning, {before}: {found}",
                number + 1,
                kernel.stages.len()
            ));
        }
    }
    let n_compared = kernel.stages.len() - first;
    Verdict::Agree(match fixed {
        None => format!("the interpreter agrees with the source after each of {n_compared} passes"),
        Some(_) => format!(
            "the interpreter agrees after each of {n_compared} passes, from `{REASSOCIATE}` on: floats have another order than in the source"
        ),
    })
}
