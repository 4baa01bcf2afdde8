//! Dialect func: functions and calls.

use sluice_ir::symbols::SymbolTable;
use sluice_ir::text::{
    Delimiter, FunctionSignature, OperationState, ParseResult, Parser, Printer, RegionPrinting,
    print_type,
};
use sluice_ir::{Attribute, Context, Diagnostics, Location, NewOperation, Type, TypeKind, View};

use crate::constraints::{
    ANY_TYPE, DICTIONARIES, FLAT_SYMBOL, FUNCTION, FUNCTION_TYPE, STRING, UNIT,
};

sluice_ods::dialect! {
    dialect "func" { summary: "Functions and calls", materialize_constant: materialize }

    /// A function with a body, or a declaration without one.
    op Func = "func" {
        traits: [ISOLATED_FROM_ABOVE, SYMBOL, AFFINE_SCOPE, AUTOMATIC_ALLOCATION_SCOPE, FUNCTION_LIKE],
        attributes: {
            sym_name: STRING,
            function_type: FUNCTION_TYPE,
            sym_visibility: optional STRING,
            arg_attrs: optional DICTIONARIES,
            res_attrs: optional DICTIONARIES,
            no_inline: optional UNIT since 20,
        },
        regions: { body: any },
        assembly: custom(parse_func, print_func),
        verify: verify_func,
    }

    /// Calls a function by its symbol.
    op Call = "call" {
        traits: [CALL_LIKE],
        operands: { operands: variadic ANY_TYPE },
        attributes: {
            callee: FLAT_SYMBOL,
            arg_attrs: optional DICTIONARIES since 21,
            res_attrs: optional DICTIONARIES since 21,
            no_inline: optional UNIT since 20,
        },
        results: { results: variadic ANY_TYPE },
        effects: [Unknown],
        assembly: "$callee `(` $operands `)` attr-dict `:` functional-type($operands, $results)",
        verify_symbols: verify_call,
    }

    /// Calls a function that is a value.
    op CallIndirect = "call_indirect" {
        traits: [CALL_LIKE],
        operands: { callee: FUNCTION, callee_operands: variadic ANY_TYPE },
        attributes: {
            arg_attrs: optional DICTIONARIES since 21,
            res_attrs: optional DICTIONARIES since 21,
        },
        results: { results: variadic ANY_TYPE },
        effects: [Unknown],
        rules: [
            Predicate { summary: "callee input types match argument types", check: arguments_fit },
            Predicate { summary: "callee result types match result types", check: results_fit }
        ],
        assembly: custom(parse_call_indirect, print_call_indirect),
    }

    /// A function as a value.
    op Constant = "constant" {
        traits: [PURE, CONSTANT_LIKE],
        attributes: { value: FLAT_SYMBOL },
        results: { result: ANY_TYPE },
        assembly: "attr-dict $value `:` type($result)",
        verify_symbols: verify_constant,
    }

    /// Ends a function with its results.
    op Return = "return" {
        traits: [PURE, TERMINATOR, RETURN_LIKE],
        rules: [HasParent(&["func.func"])],
        operands: { operands: variadic ANY_TYPE },
        assembly: "attr-dict ($operands^ `:` type($operands))?",
    }
}

/// Returns the operation that holds a function as a value.
fn materialize(
    context: &Context,
    value: Attribute,
    ty: Type,
    location: Location,
) -> Option<NewOperation> {
    value.as_flat_symbol(context)?;
    let mut new = NewOperation::new(context.operation_name("func.constant"), location);
    new.result_types.push(ty);
    new.attributes.push((context.name("value"), value));
    Some(new)
}

/// Returns inputs and results of the callee's type in an indirect call.
fn callee_types(view: View<'_>) -> (&[Type], &[Type]) {
    match view.ty(view.operand(0)).kind(view.context) {
        TypeKind::Function { inputs, results } => (inputs, results),
        _ => (&[], &[]),
    }
}

fn arguments_fit(view: View<'_>) -> bool {
    let (inputs, _) = callee_types(view);
    view.operand_types().skip(1).eq(inputs.iter().copied())
}

fn results_fit(view: View<'_>) -> bool {
    let (_, results) = callee_types(view);
    view.result_types().eq(results.iter().copied())
}

fn parse_call_indirect(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let callee = parser.parse_operand()?;
    parser.parse_punctuation("(")?;
    let position = parser.position();
    let operands = parser.parse_operand_list(Delimiter::NoneOrEmpty)?;
    parser.parse_punctuation(")")?;
    parser.parse_attribute_dictionary(state)?;
    parser.parse_punctuation(":")?;
    let type_position = parser.position();
    let ty = parser.parse_type()?;
    let TypeKind::Function { inputs, results } = ty.kind(context) else {
        return Err(parser.error(type_position, "invalid kind of type specified"));
    };
    parser.resolve_operand(callee, ty, state)?;
    parser.resolve_operands(&operands, inputs, position, state)?;
    state.add_results(results);
    Ok(())
}

fn print_call_indirect(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text("(");
    printer.operands(view.operands().skip(1));
    printer.text(")");
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
}

/// Checks that the constant is a function of this type.
fn verify_constant(view: View<'_>, symbols: &SymbolTable<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let name = view
        .attribute("value")
        .and_then(|a| a.as_flat_symbol(context));
    let Some(name) = name else { return };
    let function = symbols.lookup(name).filter(|f| f.name() == "func.func");
    let ty = function.map(|f| {
        f.attribute("function_type")
            .and_then(|a| a.as_type(context))
    });
    let message = match ty {
        None => format!("reference to undefined function '{name}'"),
        Some(ty) if ty != Some(view.ty(view.result(0))) => {
            "reference to function with mismatched type".to_owned()
        }
        Some(_) => return,
    };
    diagnostics.error(view.location(), format!("'func.constant' op {message}"));
}

/// Checks that the callee is a function of this signature.
fn verify_call(view: View<'_>, symbols: &SymbolTable<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let callee = view
        .attribute("callee")
        .and_then(|a| a.as_flat_symbol(context));
    let Some(callee) = callee else { return };
    let function = symbols.lookup(callee).filter(|f| f.name() == "func.func");
    let Some(function) = function else {
        let message = format!("'func.call' op '{callee}' does not reference a valid function");
        diagnostics.error(view.location(), message);
        return;
    };
    let ty = function
        .attribute("function_type")
        .and_then(|a| a.as_type(context));
    let Some(TypeKind::Function { inputs, results }) = ty.map(|ty| ty.kind(context)) else {
        return;
    };
    let operands: Vec<Type> = view.operand_types().collect();
    let found: Vec<Type> = view.result_types().collect();
    let text = |ty: Type| print_type(context, ty);
    let list = |types: &[Type]| {
        let all: Vec<String> = types.iter().map(|ty| format!("'{}'", text(*ty))).collect();
        all.join(", ")
    };
    let mut wrong = |message: String, hint: String| {
        let found = diagnostics.error(view.location(), format!("'func.call' op {message}"));
        if !hint.is_empty() {
            found.hint(hint);
        }
    };
    let count = |expected: usize, provided: usize| {
        format!("`@{callee}` has {expected}, the call has {provided}")
    };
    if operands.len() != inputs.len() {
        let message = "incorrect number of operands for callee".to_owned();
        wrong(message, count(inputs.len(), operands.len()));
        return;
    }
    if let Some(i) = (0..inputs.len()).find(|i| inputs[*i] != operands[*i]) {
        let message = format!(
            "operand type mismatch: expected operand type '{}', but provided '{}' for operand number {i}",
            text(inputs[i]),
            text(operands[i])
        );
        wrong(message, String::new());
        return;
    }
    if found.len() != results.len() {
        let message = "incorrect number of results for callee".to_owned();
        wrong(message, count(results.len(), found.len()));
        return;
    }
    if let Some(i) = (0..results.len()).find(|i| results[*i] != found[*i]) {
        diagnostics
            .error(
                view.location(),
                format!("'func.call' op result type mismatch at index {i}"),
            )
            .note(
                view.location(),
                format!("      op result types: {}", list(&found)),
            )
            .note(
                view.location(),
                format!("function result types: {}", list(results)),
            );
    }
}

pub(crate) fn parse_func(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let signature = parse_function_head(parser, state, false)?;
    parse_function_body(parser, state, &signature)
}

/// Parses `private`, `public` or `nested`, if one of them is next.
pub(crate) fn parse_visibility(parser: &mut Parser<'_>, state: &mut OperationState) {
    let context = parser.context();
    for visibility in ["private", "public", "nested"] {
        if parser.parse_optional_keyword(visibility) {
            let visibility = context.string_attribute(visibility);
            return state.set_attribute(context, "sym_visibility", visibility);
        }
    }
}

/// Parses `private @name(arguments) -> (results) attributes {...}` of a function-like operation.
pub(crate) fn parse_function_head(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    variadic: bool,
) -> ParseResult<FunctionSignature> {
    let context = parser.context();
    parse_visibility(parser, state);
    parser.parse_symbol_name_attribute("sym_name", state)?;
    let signature = parser.parse_function_signature(variadic)?;
    let ty = context.type_attribute(signature.function_type(context));
    state.set_attribute(context, "function_type", ty);
    parser.set_signature_attributes(&signature, state);
    let position = parser.position();
    let known = state.attributes.len();
    parser.parse_attribute_dictionary_with_keyword(state)?;
    // The visibility must be a keyword: a dictionary may not give it, with or without a keyword.
    let mut written = state.attributes[known..].iter();
    if written.any(|(name, _)| context.text(*name) == "sym_visibility") {
        let message = "'sym_visibility' is an inferred attribute and should not be specified in the explicit attribute dictionary";
        return Err(parser.error(position, message));
    }
    Ok(signature)
}

/// Returns the body, if there is one.
pub(crate) fn parse_function_body(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    signature: &FunctionSignature,
) -> ParseResult<()> {
    if !parser.peek("{") {
        parser.add_empty_region(state);
        return Ok(());
    }
    let no_blocks = "expected non-empty function body";
    parser.parse_body(&signature.arguments, state, no_blocks)
}

pub(crate) fn print_func(printer: &mut Printer<'_>, view: View<'_>) {
    print_function(printer, view, false);
}

/// Prints a function-like operation, with `...` after its arguments if it is `variadic`.
pub(crate) fn print_function(printer: &mut Printer<'_>, view: View<'_>, variadic: bool) {
    printer.text(" ");
    if let Some(visibility) = view
        .attribute("sym_visibility")
        .and_then(|a| a.as_str(view.context))
    {
        printer.text(visibility);
        printer.text(" ");
    }
    printer.symbol_name(view.symbol_name().unwrap_or_default());
    if let Some(ty) = view
        .attribute("function_type")
        .and_then(|a| a.as_type(view.context))
    {
        printer.function_signature(view, ty, variadic);
    }
    let elided = [
        "sym_name",
        "function_type",
        "sym_visibility",
        "arg_attrs",
        "res_attrs",
    ];
    printer.attribute_dictionary_with_keyword(view, &elided);
    if view.entry_block(0).is_some() {
        printer.text(" ");
        printer.region(
            view,
            0,
            RegionPrinting {
                entry_arguments: false,
                terminators: true,
                empty_block: true,
            },
        );
    }
}

/// Returns the result types of a function.
pub fn result_types(view: View<'_>) -> Vec<sluice_ir::Type> {
    function_types(view).1
}

/// Returns the types of the arguments and of the results of a function-like operation.
pub(crate) fn function_types(view: View<'_>) -> (Vec<sluice_ir::Type>, Vec<sluice_ir::Type>) {
    match view
        .attribute("function_type")
        .and_then(|a| a.as_type(view.context))
        .map(|t| t.kind(view.context))
    {
        Some(TypeKind::Function { inputs, results }) => (inputs.to_vec(), results.to_vec()),
        _ => (Vec::new(), Vec::new()),
    }
}

/// Returns the error in the attributes of arguments or results, if there is one.
pub(crate) fn wrong_value_attributes(
    view: View<'_>,
    name: &str,
    what: &str,
    wanted: usize,
) -> Option<String> {
    let context = view.context;
    let all = view.attribute(name)?.as_array(context)?;
    if all.len() != wanted {
        return Some(format!(
            "expects {what} attribute array to have the same number of elements as the number of function {what}s, got {}, \
             but expected {wanted}",
            all.len()
        ));
    }
    let entries = all
        .iter()
        .filter_map(|dictionary| dictionary.as_dictionary(context));
    let plain = entries
        .flatten()
        .any(|(name, _)| !context.text(*name).contains('.'));
    plain.then(|| format!("{what}s may only have dialect attributes"))
}

fn verify_func(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(TypeKind::Function { inputs, results }) = view
        .attribute("function_type")
        .and_then(|a| a.as_type(view.context))
        .map(|t| t.kind(view.context))
    else {
        return;
    };
    let checks = [
        ("arg_attrs", "argument", inputs.len()),
        ("res_attrs", "result", results.len()),
    ];
    for (name, what, wanted) in checks {
        if let Some(message) = wrong_value_attributes(view, name, what, wanted) {
            diagnostics.error(view.location(), format!("'func.func' op {message}"));
            return;
        }
    }
    let Some(entry) = view.entry_block(0) else {
        return;
    };
    let body = view.inner();
    let types: Vec<_> = body.arguments(entry).iter().map(|v| body.ty(*v)).collect();
    if types.len() != inputs.len() {
        let message = format!(
            "'func.func' op entry block must have {} arguments to match function signature",
            inputs.len()
        );
        diagnostics.error(view.location(), message);
        return;
    }
    if let Some(i) = (0..types.len()).find(|i| types[*i] != inputs[*i]) {
        let message = format!(
            "'func.func' op type of entry block argument #{i}('{}') must match the type of the corresponding argument in \
             function signature('{}')",
            print_type(view.context, types[i]),
            print_type(view.context, inputs[i])
        );
        diagnostics.error(view.location(), message);
        return;
    }
    // Returns are checked here, where the type is known: they are in a separate body.
    let results = result_types(view);
    for op in body.walk_all() {
        let inner = View::new(view.context, body, op);
        if inner.name() != "func.return" {
            continue;
        }
        let given: Vec<_> = inner.operand_types().collect();
        let name = view.symbol_name().unwrap_or_default();
        if given.len() != results.len() {
            let message = format!(
                "'func.return' op has {} operands, but enclosing function (@{name}) returns {}",
                given.len(),
                results.len()
            );
            diagnostics.error(inner.location(), message);
        } else if let Some(i) = (0..given.len()).find(|i| given[*i] != results[*i]) {
            let text = |ty| sluice_ir::text::print_type(view.context, ty);
            let message = format!(
                "type of return operand {i} ('{}') doesn't match function result type ('{}') in \
                 function @{name}",
                text(given[i]),
                text(results[i])
            );
            diagnostics.error(inner.location(), message);
        }
    }
}
