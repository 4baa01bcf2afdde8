//! Functions as dataflow graphs, their results, and instances of them.

use sluice_ir::symbols::SymbolTable;
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer};
use sluice_ir::{Attribute, Context, Diagnostics, Type, TypeKind, View};

use super::op_error;
use crate::constraints::{ANY_TYPE, DICTIONARIES, FLAT_SYMBOL, FUNCTION_TYPE, STRING};
use crate::func::{parse_function_body, parse_function_head, print_function, result_types};
use crate::messages::quoted;

sluice_ods::dialect! {
    group "handshake";

    /// A dataflow graph with arguments and results.
    op Func = "func" {
        traits: [ISOLATED_FROM_ABOVE, SYMBOL, GRAPH_REGION],
        attributes: {
            sym_name: STRING, function_type: FUNCTION_TYPE, sym_visibility: optional STRING,
            arg_attrs: optional DICTIONARIES, res_attrs: optional DICTIONARIES,
        },
        regions: { body: any },
        assembly: custom(parse_func, print_func),
        custom_if: names_ports,
        verify: verify_func,
        verify_regions: verify_return,
    }

    /// The results of the function.
    op Return = "return" {
        traits: [TERMINATOR],
        rules: [HasParent(&["handshake.func"])],
        operands: { operands: variadic ANY_TYPE },
        assembly: "attr-dict ($operands^ `:` type($operands))?",
    }

    /// An instance of another function.
    op Instance = "instance" {
        traits: [CALL_LIKE],
        rules: [HasParent(&["handshake.func"])],
        operands: { operands: variadic ANY_TYPE },
        attributes: { module: FLAT_SYMBOL },
        results: { results: variadic ANY_TYPE },
        effects: [Unknown],
        assembly: "$module `(` $operands `)` attr-dict `:` functional-type($operands, $results)",
        verify_symbols: verify_instance,
    }
}

/// Returns the names `in0, in1, ...` with this prefix.
fn numbered(context: &Context, prefix: &str, count: usize) -> Attribute {
    let names: Vec<_> = (0..count)
        .map(|i| context.string_attribute(&format!("{prefix}{i}")))
        .collect();
    context.array_attribute(&names)
}

fn parse_func(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let signature = parse_function_head(parser, state, true)?;
    if state.attribute(context, "argNames").is_none() {
        let names: Option<Vec<_>> = signature
            .arguments
            .iter()
            .map(|argument| Some(context.string_attribute(parser.operand_name(argument.name?))))
            .collect();
        let names = match names {
            Some(names) => context.array_attribute(&names),
            None => numbered(context, "in", signature.arguments.len()),
        };
        state.set_attribute(context, "argNames", names);
    }
    if state.attribute(context, "resNames").is_none() {
        let names = numbered(context, "out", signature.result_types.len());
        state.set_attribute(context, "resNames", names);
    }
    parse_function_body(parser, state, &signature)
}

/// Returns true if the custom form can be parsed: it needs names for all ports.
/// Upstream ends the arguments of all functions with `...`.
fn names_ports(view: View<'_>) -> bool {
    view.attribute("argNames").is_some() && view.attribute("resNames").is_some()
}

fn print_func(printer: &mut Printer<'_>, view: View<'_>) {
    print_function(printer, view, true);
}

fn function_type(view: View<'_>) -> Option<(&[Type], &[Type])> {
    let ty = view.attribute("function_type")?.as_type(view.context)?;
    match ty.kind(view.context) {
        TypeKind::Function { inputs, results } => Some((inputs, results)),
        _ => None,
    }
}

fn verify_func(view: View<'_>, diagnostics: &mut Diagnostics) {
    if let Err(message) = check_func(view) {
        op_error(view, diagnostics, message);
    }
}

fn check_func(view: View<'_>) -> Result<(), String> {
    let context = view.context;
    let (Some(block), Some((inputs, results))) = (view.entry_block(0), function_type(view)) else {
        return Ok(());
    };
    let body = view.inner();
    let arguments = body.arguments(block);
    if arguments.len() != inputs.len() {
        return Err(format!(
            "entry block must have {} arguments to match function signature",
            inputs.len()
        ));
    }
    for (i, (argument, wanted)) in arguments.iter().zip(inputs).enumerate() {
        if body.ty(*argument) != *wanted {
            return Err(format!(
                "type of entry block argument #{i}({}) must match the type of the corresponding argument in function \
                 signature({})",
                quoted(view, body.ty(*argument)),
                quoted(view, *wanted)
            ));
        }
    }
    for (name, wanted) in [("argNames", inputs.len()), ("resNames", results.len())] {
        let names = view.attribute(name).and_then(|a| a.as_array(context));
        let names = names.ok_or_else(|| format!("expected attribute '{name}'."))?;
        if names.len() != wanted {
            return Err(format!(
                "attribute '{name}' has {} entries but is expected to have {wanted}.",
                names.len()
            ));
        }
        if names.iter().any(|name| name.as_str(context).is_none()) {
            return Err(format!(
                "expected all entries in attribute '{name}' to be strings."
            ));
        }
    }
    for (i, argument) in arguments.iter().enumerate() {
        if !matches!(body.ty(*argument).kind(context), TypeKind::MemRef { .. }) {
            continue;
        }
        // Uses are checked from the last one to the first.
        let user = body.uses(*argument).last().map(|(op, _)| op);
        let name = user.map(|op| View::new(context, body, op).name());
        if name != Some("handshake.extmemory") {
            return Err(format!(
                "expected that block argument #{i} is used by an 'extmemory' operation"
            ));
        }
    }
    Ok(())
}

fn verify_return(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(block) = view.entry_block(0) else {
        return;
    };
    let body = view.inner();
    let results = result_types(view);
    let last = body
        .last_operation(block)
        .map(|op| View::new(view.context, body, op));
    let Some(last) = last.filter(|op| op.name() == "handshake.return") else {
        return;
    };
    let given: Vec<_> = last.operand_types().collect();
    if given.len() != results.len() {
        let message = format!(
            "has {} operands, but enclosing function returns {}",
            given.len(),
            results.len()
        );
        return op_error(last, diagnostics, message);
    }
    if let Some(i) = (0..given.len()).find(|i| given[*i] != results[*i]) {
        let message = format!(
            "type of return operand {i} ({}) doesn't match function result type ({})",
            quoted(view, given[i]),
            quoted(view, results[i])
        );
        diagnostics.error(last.location(), message);
    }
}

fn verify_instance(view: View<'_>, symbols: &SymbolTable<'_>, diagnostics: &mut Diagnostics) {
    if let Err(message) = check_instance(view, symbols) {
        op_error(view, diagnostics, message);
    }
}

fn check_instance(view: View<'_>, symbols: &SymbolTable<'_>) -> Result<(), String> {
    let name = view.attribute("module");
    let name = name
        .and_then(|a| a.as_flat_symbol(view.context))
        .unwrap_or_default();
    let function = symbols
        .lookup(name)
        .filter(|op| op.name() == "handshake.func");
    let Some((inputs, results)) = function.and_then(function_type) else {
        return Err(format!(
            "'{name}' does not reference a valid handshake function"
        ));
    };
    let operands: Vec<_> = view.operand_types().collect();
    let outputs: Vec<_> = view.result_types().collect();
    for (what, found, wanted) in [("operand", operands, inputs), ("result", outputs, results)] {
        if found.len() != wanted.len() {
            return Err(format!(
                "incorrect number of {what}s for the referenced handshake function"
            ));
        }
        if let Some(i) = (0..found.len()).find(|i| found[*i] != wanted[*i]) {
            return Err(format!(
                "{what} type mismatch: expected {what} type {}, but provided {} for {what} number {i}",
                quoted(view, wanted[i]),
                quoted(view, found[i])
            ));
        }
    }
    Ok(())
}
