//! Comparison of the interpreter's results for the source and for the module after each pass.

use sluice_ir::limits::Limit;
use sluice_sim::interpreter::{Interpreter, Outcome};
use sluice_verify::check::difference;
use sluice_verify::data::Case;

use super::{Stages, Verdict, arguments_of, memories_of, place};

pub(super) fn compare(kernel: &Stages, case: &Case, expected: &Outcome) -> Verdict {
    let compiled = &kernel.compiled;
    let (context, interface) = (&compiled.context, &compiled.interface);
    for (number, (pass, module)) in kernel.stages.iter().enumerate() {
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
    Verdict::Agree(format!(
        "the interpreter agrees with the source after each of {} passes",
        kernel.stages.len()
    ))
}
