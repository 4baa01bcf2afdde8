//! Comparison of the interpreter's results for the source and for the module after each pass.

use sluice_ir::limits::Limit;
use sluice_sim::interpreter::{Interpreter, Outcome};
use sluice_verify::check::difference;
use sluice_verify::data::Case;
use sluice_verify::stage_arguments::{arguments_of, memories_of};

use super::{Stages, Verdict, place};
use crate::passes::{BALANCE, REASSOCIATE};

pub(super) fn compare(kernel: &Stages, case: &Case, expected: &Outcome) -> Verdict {
    let compiled = &kernel.compiled;
    let (context, interface) = (&compiled.context, &compiled.interface);
    // Where the order of floats is free, passes up to the first one that changes it keep the results of the source.
    let position = |name: &str| kernel.stages.iter().position(|(pass, _)| pass == name);
    let changing = compiled
        .reordered
        .as_ref()
        .and_then(|_| Some(position(BALANCE)?..position(REASSOCIATE)?));
    let of_source = changing.as_ref().and_then(|_| {
        let mut interpreter = Interpreter::new(context, &compiled.source);
        interpreter.step_limit = context.limits.of(Limit::ReferenceOperations);
        interpreter.run(&compiled.top, &case.arguments).ok()
    });
    for (number, (pass, module)) in kernel.stages.iter().enumerate() {
        let expected = match &changing {
            Some(changing) if changing.contains(&number) => continue,
            Some(changing) if number < changing.start => match &of_source {
                Some(outcome) => outcome,
                None => continue,
            },
            _ => expected,
        };
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
    let n_passes = kernel.stages.len();
    Verdict::Agree(match changing {
        None => format!("the interpreter agrees with the source after each of {n_passes} passes"),
        Some(_) => format!(
            "the interpreter agrees after each of {n_passes} passes; from `{REASSOCIATE}` on, floats have another order than in the source"
        ),
    })
}
