//! Descriptions of the channels in the dataflow graph of an elastic kernel.

use sluice_dialects::{affine, handshake, scf, sluice};
use sluice_ir::passes::named;
use sluice_ir::{ValueId, View};
use sluice_kernel::compiled::Compiled;
use sluice_sim::tokens::TokenSimulator;

use crate::place;

/// Returns the graph of the kernel; `None` if the kernel has a static schedule.
pub fn function(compiled: &Compiled) -> Option<View<'_>> {
    let context = &compiled.context;
    let inner = compiled.scheduled.inner();
    let functions = named(context, &compiled.scheduled, handshake::Func::NAME).into_iter();
    let mut functions = functions.map(|op| View::new(context, inner, op));
    functions.find(|view| view.symbol_name() == Some(&compiled.top))
}

/// Creates a simulator of the kernel's graph.
///
/// # Errors
/// The reason why the graph cannot be run.
pub fn simulator(compiled: &Compiled) -> Result<TokenSimulator<'_>, String> {
    let context = &compiled.context;
    TokenSimulator::new(context, &compiled.scheduled, &compiled.top)
        .map_err(|found| found.to_text(context))
}

/// Returns the operation that produces the tokens of a channel; `None` for arguments.
pub fn maker(function: View<'_>, channel: ValueId) -> Option<View<'_>> {
    let body = function.inner();
    let op = body.defining_operation(channel)?;
    Some(View::new(function.context, body, op))
}

/// Describes the value on a channel by its source name and location.
///
/// Follows forks, buffers and branches back to the first operation that has a name or computes something.
pub fn described(function: View<'_>, channel: ValueId) -> String {
    let body = function.inner();
    let mut at = channel;
    // A cycle of buffers has no such operation, so the search is bounded.
    for _ in 0..body.value_capacity() {
        let Some(view) = maker(function, at) else {
            break;
        };
        let name = own_name(view, at);
        let operation = view.name().trim_start_matches("handshake.");
        let source = place(view);
        if operation == "instance" {
            let name = view.attribute(sluice::NAME);
            let name = name.and_then(|name| name.as_str(view.context));
            return format!("the circuit `{}` at {source}", name.unwrap_or("instance"));
        }
        let before = match operation {
            "fork" | "buffer" | "br" => view.operands().next(),
            "cond_br" => view.operands().nth(1),
            _ => None,
        };
        match (name, before, memory(view)) {
            (Some(name), _, Some(memory)) => {
                return format!("`%{name} = {operation}` of `{memory}` at {source}");
            }
            (None, _, Some(memory)) if operation == "store" => {
                return format!("`store` to `{memory}` at {source}");
            }
            (None, _, Some(memory)) if operation == "load" => {
                return format!("`load` of `{memory}` at {source}");
            }
            (None, _, Some(memory)) => return format!("the order of accesses to `{memory}`"),
            (Some(name), ..) => return format!("`%{name} = {operation}` at {source}"),
            (None, Some(before), None) => at = before,
            (None, None, None) => return format!("`{operation}` at {source}"),
        }
    }
    match body.value_name(at) {
        Some(name) => format!("argument `%{}`", function.context.text(name)),
        None => "an argument".to_owned(),
    }
}

/// Returns a short name of an operation: its result, what it does, and the memory of a load or store.
pub(crate) fn short_name(view: View<'_>) -> String {
    let operation = match view.name() {
        handshake::ConditionalBranch::NAME => "branch",
        name => name.rsplit('.').next().unwrap_or(name),
    };
    let result = view.results().first();
    let name = result.and_then(|result| own_name(view, *result));
    let is_choice = matches!(
        view.name(),
        handshake::ConditionalBranch::NAME | handshake::Buffer::NAME
    );
    let name = name.filter(|_| !is_choice);
    match (name, memory(view)) {
        (Some(name), Some(memory)) => format!("%{name} = {operation} {memory}"),
        (Some(name), None) => format!("%{name} = {operation}"),
        (None, Some(memory)) => format!("{operation} {memory}"),
        (None, None) => operation.to_owned(),
    }
}

/// Returns the name of a value in the text, unless it is a number.
fn own_name<'a>(view: View<'a>, value: ValueId) -> Option<&'a str> {
    let first = view.results().first().copied();
    let named = view.body.value_name(value);
    let named = named.or_else(|| view.body.value_name(first?))?;
    let name = view.context.text(named);
    (!name.starts_with(|c: char| c.is_ascii_digit())).then_some(name)
}

/// Returns the memory that an access uses, or that the operation is.
fn memory(view: View<'_>) -> Option<&str> {
    let body = view.body;
    let op = match view.name() {
        handshake::Load::NAME => body.defining_operation(view.operands().nth(1)?)?,
        handshake::Store::NAME => body.uses(*view.results().first()?).next()?.0,
        handshake::Memory::NAME | handshake::ExternalMemory::NAME => view.id,
        _ => return None,
    };
    let name = view.at(op).attribute(sluice::NAME)?;
    name.as_str(view.context)
}

/// Returns the reason for a buffer; empty if it has none.
pub fn reason<'a>(function: View<'a>, channel: ValueId) -> &'a str {
    let reason = maker(function, channel).and_then(|view| view.attribute(sluice::REASON));
    reason
        .and_then(|reason| reason.as_str(function.context))
        .unwrap_or_default()
}

/// Returns the title of a source loop by its location: `loop %i at kernel.mlir:4`.
pub(crate) fn loop_title(compiled: &Compiled, register: View<'_>) -> String {
    let source = place(register);
    let context = &compiled.context;
    let mut name = None;
    for op in compiled.source.top_level_operations() {
        let function = View::new(context, compiled.source.inner(), op);
        let body = function.inner();
        let views = body
            .walk_all()
            .into_iter()
            .map(|op| View::new(context, body, op));
        let mut loops =
            views.filter(|view| matches!(view.name(), scf::For::NAME | affine::For::NAME));
        if let Some(found) = loops.find(|view| place(*view) == source) {
            let block = found.entry_block(0);
            let counter = block.and_then(|block| body.arguments(block).first().copied());
            name = counter.and_then(|counter| body.value_name(counter));
        }
    }
    match name {
        Some(name) => format!("loop %{} at {source}", context.text(name)),
        None => format!("loop at {source}"),
    }
}
