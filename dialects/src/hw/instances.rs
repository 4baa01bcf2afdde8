//! Instances of modules, and paths through them.

use sluice_ir::definition::{AttributeCheck, AttributeConstraint, AttributeSyntax};
use sluice_ir::symbols::SymbolTable;
use sluice_ir::text::{
    Delimiter, OperationState, ParseResult, Parser, Printer, UnresolvedOperand, print_attribute,
};
use sluice_ir::{Attribute, AttributeKind, Diagnostics, Type, View};

use super::attributes::{
    INNER_SYMBOL, inner_reference, parameter, parameter_references, parameters as parts,
    parse_inner_symbol, parse_parameters, print_inner_symbol, print_parameters,
};
use super::modules::{Direction, Port, is_module, module_ports};
use super::parameters::ParameterValues;
use super::types::inout_type;
use super::{op_error, quoted};
use crate::constraints::{ANY_TYPE, ARRAY, FLAT_SYMBOL, STRING, SYMBOL_NAME, UNIT};
use crate::func::parse_visibility;

sluice_ods::dialect! {
    group "hw";

    /// An instance of a module.
    op Instance = "instance" {
        operands: { inputs: variadic ANY_TYPE },
        attributes: {
            instance_name("instanceName"): STRING,
            module_name("moduleName"): FLAT_SYMBOL,
            arg_names("argNames"): ARRAY,
            result_names("resultNames"): ARRAY,
            parameters: ARRAY,
            inner_sym: optional INNER_SYMBOL,
            do_not_print("doNotPrint"): optional UNIT,
        },
        results: { results: variadic ANY_TYPE },
        assembly: custom(parse_instance, print_instance),
        names: instance_names,
        verify_symbols: verify_instance,
    }

    /// A path through instances to an object inside.
    op Hierpath = "hierpath" {
        traits: [SYMBOL],
        attributes: { sym_name: SYMBOL_NAME, namepath: PATH, sym_visibility: optional STRING },
        assembly: custom(parse_path, print_path),
    }
}

/// Parses the name of the instance and its symbol.
fn parse_head(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let name = parser.parse_string()?;
    state.set_attribute(context, "instanceName", context.string_attribute(&name));
    if parser.parse_optional_keyword("sym") {
        let symbol = parse_inner_symbol(parser)?;
        state.set_attribute(context, "inner_sym", symbol);
    }
    Ok(())
}

fn parse_ports(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let parameters = parse_parameters(parser)?;
    let (mut names, mut operands) = (Vec::new(), Vec::<(UnresolvedOperand, Type)>::new());
    parser.parse_comma_separated(Delimiter::Paren, |p| {
        let name = p.parse_keyword_or_string()?;
        names.push(context.string_attribute(&name));
        p.parse_punctuation(":")?;
        let operand = p.parse_operand()?;
        operands.push((operand, p.parse_colon_type()?));
        Ok(())
    })?;
    for (operand, ty) in operands {
        parser.resolve_operand(operand, ty, state)?;
    }
    let arguments = context.array_attribute(&names);
    parser.parse_punctuation("->")?;
    let (mut names, mut types) = (Vec::new(), Vec::new());
    parser.parse_comma_separated(Delimiter::Paren, |p| {
        let name = p.parse_keyword_or_string()?;
        names.push(context.string_attribute(&name));
        types.push(p.parse_colon_type()?);
        Ok(())
    })?;
    state.add_results(&types);
    parser.parse_attribute_dictionary(state)?;
    state.set_attribute(context, "argNames", arguments);
    state.set_attribute(context, "resultNames", context.array_attribute(&names));
    state.set_attribute(context, "parameters", parameters);
    Ok(())
}

fn parse_instance(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    parse_head(parser, state)?;
    let module = parser.parse_symbol_name()?;
    let module = context.symbol_attribute(context.text(module));
    state.set_attribute(context, "moduleName", module);
    parse_ports(parser, state)
}

fn names(view: View<'_>, attribute: &str) -> Vec<String> {
    let array = view
        .attribute(attribute)
        .and_then(|a| a.as_array(view.context))
        .unwrap_or_default();
    array
        .iter()
        .map(|n| n.as_str(view.context).unwrap_or_default().to_owned())
        .collect()
}

/// Returns the names of an instance's inputs.
pub fn instance_inputs(view: View<'_>) -> Vec<String> {
    names(view, "argNames")
}

/// Returns the names of an instance's outputs.
pub fn instance_outputs(view: View<'_>) -> Vec<String> {
    names(view, "resultNames")
}

/// Returns `instance.output` for each output.
fn instance_names(view: View<'_>) -> Vec<Option<String>> {
    let instance = view.attribute("instanceName");
    let instance = instance
        .and_then(|a| a.as_str(view.context))
        .unwrap_or_default();
    let outputs = instance_outputs(view);
    let name = |(i, _): (usize, _)| match outputs.get(i) {
        Some(output) if !output.is_empty() => Some(format!("{instance}.{output}")),
        _ => Some(format!("{instance}.{i}")),
    };
    view.results().iter().enumerate().map(name).collect()
}

const ELIDED: [&str; 6] = [
    "instanceName",
    "moduleName",
    "argNames",
    "resultNames",
    "parameters",
    "inner_sym",
];

fn print_head(printer: &mut Printer<'_>, view: View<'_>) {
    let name = view.attribute("instanceName");
    let name = name
        .and_then(|a| a.as_str(view.context))
        .unwrap_or_default();
    printer.text(" ");
    printer.quoted(name.as_bytes());
    if let Some(symbol) = view.attribute("inner_sym") {
        printer.text(" sym ");
        print_inner_symbol(printer, symbol);
    }
    printer.text(" ");
}

fn print_ports(printer: &mut Printer<'_>, view: View<'_>) {
    print_parameters(printer, view);
    let (inputs, outputs) = (instance_inputs(view), instance_outputs(view));
    printer.text("(");
    printer.comma_separated(
        inputs.iter().zip(view.operands()),
        |printer, (name, operand)| {
            printer.keyword_or_string(name);
            printer.text(": ");
            printer.operand(operand);
            printer.text(": ");
            printer.ty(view.ty(operand));
        },
    );
    printer.text(") -> (");
    printer.comma_separated(
        outputs.iter().zip(view.results()),
        |printer, (name, result)| {
            printer.keyword_or_string(name);
            printer.text(": ");
            printer.ty(view.ty(*result));
        },
    );
    printer.text(")");
    printer.attribute_dictionary(view, &ELIDED);
}

fn print_instance(printer: &mut Printer<'_>, view: View<'_>) {
    print_head(printer, view);
    let module = view.attribute("moduleName");
    let module = module.and_then(|a| a.as_flat_symbol(view.context));
    printer.symbol_name(module.unwrap_or_default());
    print_ports(printer, view);
}

fn verify_instance(view: View<'_>, symbols: &SymbolTable<'_>, diagnostics: &mut Diagnostics) {
    let name = view.attribute("moduleName");
    let name = name.and_then(|a| a.as_flat_symbol(view.context));
    check_instance(view, name.unwrap_or_default(), symbols, diagnostics);
}

/// Checks that ports and parameters of an instance match the module.
fn check_instance(
    view: View<'_>,
    name: &str,
    symbols: &SymbolTable<'_>,
    diagnostics: &mut Diagnostics,
) {
    let Some(module) = symbols.lookup(name) else {
        let message = format!("Cannot find module definition '{name}'");
        diagnostics.error(view.location(), message);
        return;
    };
    if !is_module(module) {
        let message = format!("symbol reference '{name}' isn't a module");
        diagnostics.error(view.location(), message);
        return;
    }
    if let Err(message) = check_against(view, module) {
        let message = format!("'{}' op {message}", view.name());
        diagnostics
            .error(view.location(), message)
            .note(module.location(), "module declared here");
    }
}

/// The inputs or the outputs of an instance, compared with the ports of its module.
struct Side<'a> {
    kind: &'static str,
    label: &'static str,
    plural: &'static str,
    types: Vec<Type>,
    names: Vec<String>,
    wanted: Vec<&'a Port>,
}

fn check_against(view: View<'_>, module: View<'_>) -> Result<(), String> {
    let context = view.context;
    let ports = module_ports(module);
    let (outputs, inputs): (Vec<&Port>, Vec<_>) = ports
        .iter()
        .partition(|port| port.direction == Direction::Output);
    let values = ParameterValues::of(view);
    let sides = [
        Side {
            kind: "operand",
            label: "input",
            plural: "operand",
            types: view.operand_types().collect(),
            names: instance_inputs(view),
            wanted: inputs,
        },
        Side {
            kind: "result",
            label: "result",
            plural: "result",
            types: view.result_types().collect(),
            names: instance_outputs(view),
            wanted: outputs,
        },
    ];
    for side in sides {
        let (wanted, found) = (side.wanted.len(), side.types.len());
        if wanted != found {
            return Err(format!(
                "has a wrong number of {}s; expected {wanted} but got {found}",
                side.plural
            ));
        }
        if side.names.len() != wanted {
            return Err(format!(
                "has a wrong number of {} port names; expected {wanted} but got {}",
                if side.kind == "operand" {
                    "input"
                } else {
                    "result"
                },
                side.names.len()
            ));
        }
        for (i, port) in side.wanted.iter().enumerate() {
            let ty = values.resolved(context, port.ty);
            let ty = match port.direction {
                Direction::InOut => inout_type(context, ty),
                _ => ty,
            };
            if side.types[i] != ty {
                return Err(format!(
                    "{} type #{i} must be {}, but got {}",
                    side.kind,
                    quoted(context, ty),
                    quoted(context, side.types[i])
                ));
            }
            if side.names[i] != port.name {
                return Err(format!(
                    "{} label #{i} must be {:?}, but got {:?}",
                    side.label, port.name, side.names[i]
                ));
            }
        }
    }
    let array = |view: View<'_>| {
        let all = view.attribute("parameters");
        all.and_then(|a| a.as_array(context))
            .unwrap_or_default()
            .to_vec()
    };
    let (given, wanted) = (array(view), array(module));
    if given.len() != wanted.len() {
        return Err(format!(
            "expected {} parameters but had {}",
            wanted.len(),
            given.len()
        ));
    }
    for (i, (given, wanted)) in given.iter().zip(&wanted).enumerate() {
        let (Some(given), Some(wanted)) = (parameter(context, *given), parameter(context, *wanted))
        else {
            continue;
        };
        if given.name != wanted.name {
            return Err(format!(
                "parameter #{i} should have name {:?} but has name {:?}",
                wanted.name, given.name
            ));
        }
        if given.ty != values.resolved(context, wanted.ty) {
            return Err(format!(
                "parameter {:?} should have type {} but has type {}",
                given.name,
                quoted(context, wanted.ty),
                quoted(context, given.ty)
            ));
        }
        if given.value.is_none() {
            return Err(format!("parameter {:?} must have a value", given.name));
        }
    }
    Ok(())
}

/// Checks that the enclosing module declares the parameters that an operation refers to.
pub(super) fn check_parameters(
    view: View<'_>,
    declared: &[Attribute],
    diagnostics: &mut Diagnostics,
) {
    let context = view.context;
    let mut references = Vec::new();
    if let Some(value) = view.attribute("value") {
        parameter_references(context, value, &mut references);
    }
    let array = view
        .attribute("parameters")
        .and_then(|a| a.as_array(context));
    for one in array.unwrap_or_default() {
        if let Some(parameter) = parameter(context, *one)
            && let Some(value) = parameter.value
        {
            let text = print_attribute(context, *one);
            if matches!(value.kind(context), AttributeKind::SymbolRef { .. }) {
                let value = print_attribute(context, value);
                let message =
                    format!("parameter {text} should have a typed value; has value {value}");
                return op_error(view, diagnostics, message);
            }
            let found = value.ty(context).unwrap_or_else(|| context.none_type());
            if found != parameter.ty {
                let message = format!(
                    "parameter {text} should have type {}; has type {}",
                    quoted(context, parameter.ty),
                    quoted(context, found)
                );
                return op_error(view, diagnostics, message);
            }
            parameter_references(context, value, &mut references);
        }
    }
    for (name, ty) in references {
        let mut declared = declared.iter().filter_map(|one| parameter(context, *one));
        let declared = declared.find(|parameter| parameter.name == name);
        let message = match (declared, ty) {
            (None, _) => format!("use of unknown parameter {name:?}"),
            (Some(declared), Some(ty)) if declared.ty != ty => format!(
                "parameter {name:?} used with type {}; should have type {}",
                quoted(context, ty),
                quoted(context, declared.ty)
            ),
            _ => continue,
        };
        return op_error(view, diagnostics, message);
    }
}

/// Names of modules, and of operations in them.
static PATH: AttributeConstraint = AttributeConstraint {
    summary: "name reference array attribute",
    check: AttributeCheck::Is(|context, a| {
        let is_name = |part: &Attribute| {
            part.as_flat_symbol(context).is_some()
                || parts(context, *part, "hw.innerNameRef")
                    .is_some_and(|names| names.iter().all(|name| name.as_str(context).is_some()))
        };
        a.as_array(context)
            .is_some_and(|all| all.iter().all(is_name))
    }),
    syntax: AttributeSyntax::Generic,
};

fn parse_path(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    parse_visibility(parser, state);
    parser.parse_symbol_name_attribute("sym_name", state)?;
    let mut path = Vec::new();
    parser.parse_comma_separated(Delimiter::Square, |p| {
        let position = p.position();
        let part = p.parse_attribute()?;
        match part.kind(context) {
            AttributeKind::SymbolRef { nested, .. } if nested.is_empty() => path.push(part),
            AttributeKind::SymbolRef { root, nested } if nested.len() == 1 => {
                let (module, name) = (context.text(*root), context.text(nested[0]));
                path.push(inner_reference(context, module, name));
            }
            _ => {
                let message = "only one nested reference is allowed";
                return Err(p.error(position, message));
            }
        }
        Ok(())
    })?;
    state.set_attribute(context, "namepath", context.array_attribute(&path));
    parser.parse_attribute_dictionary(state)
}

fn print_path(printer: &mut Printer<'_>, view: View<'_>) {
    let context = view.context;
    let visibility = view.attribute("sym_visibility");
    printer.text(" ");
    if let Some(visibility) = visibility.and_then(|a| a.as_str(context)) {
        printer.text(visibility);
        printer.text(" ");
    }
    printer.symbol_name(view.symbol_name().unwrap_or_default());
    printer.text(" [");
    let path = view.attribute("namepath").and_then(|a| a.as_array(context));
    printer.comma_separated(
        path.unwrap_or_default().iter(),
        |printer, part| match parts(context, *part, "hw.innerNameRef") {
            Some([module, name]) => {
                printer.symbol_name(module.as_str(context).unwrap_or_default());
                printer.text("::");
                printer.symbol_name(name.as_str(context).unwrap_or_default());
            }
            _ => printer.symbol_name(part.as_flat_symbol(context).unwrap_or_default()),
        },
    );
    printer.text("]");
    printer.attribute_dictionary(view, &["sym_name", "sym_visibility", "namepath"]);
}
