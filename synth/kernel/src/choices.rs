//! The log of loop transformations chosen for a kernel: sentences in an attribute of the function, which the report prints.

use sluice_dialects::sluice::CHOICES;
use sluice_ir::{Body, Context, Module, OperationId, View};

/// Appends a sentence.
pub fn note(context: &Context, module: &mut Module, function: OperationId, sentence: &str) {
    let view = View::new(context, module.inner(), function);
    let known = view
        .attribute(CHOICES)
        .and_then(|all| all.as_array(context));
    let mut all = known.unwrap_or_default().to_vec();
    all.push(context.string_attribute(sentence));
    let all = context.array_attribute(&all);
    module
        .inner_mut()
        .set_attribute(function, context.name(CHOICES), all);
}

/// Returns the sentences of a function, in the order of the choices.
pub fn noted(function: View<'_>) -> Vec<String> {
    let all = function
        .attribute(CHOICES)
        .and_then(|all| all.as_array(function.context));
    let texts = all.unwrap_or_default().iter();
    texts
        .filter_map(|text| text.as_str(function.context))
        .map(str::to_owned)
        .collect()
}

/// Describes a loop by its counter and line, such as `%i, line 3`.
pub fn title(context: &Context, body: &Body, op: OperationId) -> String {
    let view = View::new(context, body, op);
    let counter = view.entry_block(0).and_then(|block| {
        let counter = body.arguments(block).first()?;
        body.value_name(*counter).map(|name| context.text(name))
    });
    let place = view.location().file_line_column(context);
    match (counter, place) {
        (Some(name), Some((_, line, _))) => format!("%{name}, line {line}"),
        (Some(name), None) => format!("%{name}"),
        (None, Some((_, line, _))) => format!("in line {line}"),
        (None, None) => "without a name".to_owned(),
    }
}
