//! Reduction of failing kernels: the edits of `sluice-reduce`, combined with passes of the front end.

use rustc_hash::FxHashSet;
use sluice_config::Config;
use sluice_dialects::func;
use sluice_ir::passes::named;
use sluice_ir::{Context, Module};
use sluice_kernel::compiled::{Failure, context, text};
use sluice_kernel::frontend::{choose_top, read};
use sluice_reduce::{Step, reduce};

pub use sluice_reduce::Answer;

/// Returns the smallest text found that `ask` accepts; asks at most once for each text.
///
/// # Errors
/// Errors of the text.
pub fn smaller(
    source: &str,
    file: &str,
    config: &Config,
    ask: &mut dyn FnMut(&str) -> Answer,
) -> Result<String, Failure> {
    let context = context(&config.tool_limits);
    let module = read(&context, source, file)?;
    // Texts that were already passed to `ask`; their order does not matter.
    let mut asked: FxHashSet<String> = FxHashSet::default();
    let mut judge = |candidate: &Module| {
        let text = printed(&context, candidate);
        match asked.contains(&text) {
            true => Answer::Lost,
            false => {
                let answer = ask(&text);
                asked.insert(text);
                answer
            }
        }
    };
    let inline = |context: &Context, module: &mut Module| {
        if let Ok(top) = choose_top(context, module, config) {
            sluice_transform::inline(context, module, &top);
        }
    };
    let simplify = |context: &Context, module: &mut Module| {
        for op in named(context, module, func::Func::NAME) {
            let body = module.inner_mut().inner_mut(op);
            sluice_ir::simplify::simplify(context, body);
        }
    };
    let steps = [Step { run: &inline }, Step { run: &simplify }];
    let smallest = reduce(&context, &module, &steps, &mut judge);
    Ok(printed(&context, &smallest))
}

fn printed(context: &Context, module: &Module) -> String {
    let mut text = text(context, module);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
