//! The outcomes of the interpreter, which say what is right, and the iterations that the data run of each loop.

use sluice_config::Step;
use sluice_kernel::compiled::Compiled;
use sluice_sim::interpreter::Outcome;
use sluice_verify::check::{against_answers, interpret_loops, loops_of_short_run};
use sluice_verify::data::Case;
use sluice_verify::exercise::LoopRun;

use super::kernel::Asked;
use super::outcomes::Log;
use crate::commands::task::{IdleData, Task};

/// The result of the interpreter on a data set.
pub(super) struct Reference {
    pub(super) outcome: Outcome,
    /// The loops of the kernel, with their iterations.
    pub(super) loops: Vec<LoopRun>,
}

/// A data set that is wrong: its number, the part of the data file that says otherwise, and why.
pub(super) struct WrongReference {
    pub(super) number: usize,
    pub(super) path: Option<Vec<Step>>,
    pub(super) why: String,
}

/// The reference outcome of each data set, checked against the answers of the file.
///
/// # Errors
/// The first data set that is wrong, and why.
pub(super) fn references(
    compiled: &Compiled,
    cases: &[Case],
) -> Result<Vec<Reference>, WrongReference> {
    let mut outcomes = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let found = interpret_loops(compiled, case);
        let (outcome, loops) = found.map_err(|why| WrongReference {
            number,
            path: None,
            why,
        })?;
        if let Some(difference) = against_answers(compiled, case, &outcome) {
            let mut path = vec!["cases".into(), number.into(), "outputs".into()];
            path.extend(difference.output.as_deref().map(Step::from));
            let message = difference.message;
            return Err(WrongReference {
                number,
                path: Some(path),
                why: format!("the interpreter disagrees with the data file: {message}"),
            });
        }
        outcomes.push(Reference { outcome, loops });
    }
    Ok(outcomes)
}

/// Warns of data sets that run no iteration of any loop; returns the error where all are such, and where that is one.
pub(super) fn idle_data(
    task: Task<'_>,
    compiled: &Compiled,
    asked: &Asked,
    references: Option<&[Reference]>,
    log: &mut Log,
) -> Option<String> {
    let runs: Vec<Option<Vec<LoopRun>>> = match references {
        Some(references) => references.iter().map(|of| Some(of.loops.clone())).collect(),
        None => {
            let cases = asked.cases.iter();
            cases
                .map(|case| loops_of_short_run(compiled, case))
                .collect()
        }
    };
    for (number, runs) in runs.iter().enumerate() {
        log.exercises(number, exercised(runs.as_deref().unwrap_or_default()));
    }
    let is_idle =
        |runs: &Vec<LoopRun>| !runs.is_empty() && runs.iter().all(|run| run.iterations == 0);
    let idle = runs.iter().enumerate();
    let idle: Vec<usize> = idle
        .filter(|(_, runs)| runs.as_ref().is_some_and(is_idle))
        .map(|(number, _)| number)
        .collect();
    let loops = idle.first().and_then(|number| runs[*number].as_deref())?;
    let named = named_loops(loops);
    let place = |path: &[Step]| {
        let place = asked.place(path);
        place.unwrap_or_else(|| task.kernel.kernel.display().to_string())
    };
    if idle.len() == runs.len() && task.idle_data == IdleData::Fails {
        let place = place(&["cases".into()]);
        let top = &compiled.top;
        return Some(format!(
            "{place}: error: no data set of kernel `@{top}` runs an iteration of any loop, so nothing of the loops is checked: {named}"
        ));
    }
    for number in &idle {
        let place = place(&["cases".into(), (*number).into()]);
        let warning =
            format!("{place}: warning: data set {number} runs no iteration of any loop: {named}");
        log.warn(Some(*number), warning);
    }
    None
}

/// The iterations of each loop, in a line; nothing without loops.
fn exercised(loops: &[LoopRun]) -> String {
    let named = loops.iter().take(MAX_NAMED_LOOPS);
    let named = named.map(|run| format!("{}: {}", run.name, run.iterations));
    match named.collect::<Vec<_>>()[..] {
        [] => String::new(),
        ref named => format!("iterations of {}\n", named.join(", ")),
    }
}

/// Loops that a message names.
const MAX_NAMED_LOOPS: usize = 6;

fn named_loops(loops: &[LoopRun]) -> String {
    let named = loops.iter().take(MAX_NAMED_LOOPS);
    let named: Vec<&str> = named.map(|run| run.name.as_str()).collect();
    match loops.len().saturating_sub(MAX_NAMED_LOOPS) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
