//! Modules with their ports: with a body, external, and generated.

use sluice_ir::definition::{AttributeCheck, AttributeConstraint, AttributeSyntax, TypeDefinition};
use sluice_ir::symbols::SymbolTable;
use sluice_ir::text::{
    Argument, Delimiter, OperationState, ParseResult, Parser, Printer, RegionPrinting,
    print_attribute,
};
use sluice_ir::{
    Attribute, AttributeKind, BlockId, Body, Context, Diagnostics, Location, Module as Program,
    NewOperation, OperationId, Type, TypeKind, View,
};

use super::attributes::{parameter, parameter_references, parse_parameters, print_parameters};
use super::types::inout_type;
use super::{op_error, quoted};
use crate::constraints::{ANY_TYPE, ARRAY, DICTIONARIES, FLAT_SYMBOL, STRING, SYMBOL_NAME};
use crate::func::parse_visibility;

/// Direction of a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Into the module.
    Input,
    /// Out of the module.
    Output,
    /// In both directions.
    InOut,
}

impl Direction {
    const ALL: [Self; 3] = [Self::Input, Self::Output, Self::InOut];

    fn number(self) -> i64 {
        match self {
            Self::Input => 0,
            Self::Output => 1,
            Self::InOut => 2,
        }
    }

    /// Returns the keyword in the port list of a module.
    fn short(self) -> &'static str {
        match self {
            Self::Input => "in",
            Self::Output => "out",
            Self::InOut => "inout",
        }
    }

    /// Returns the keyword in the type of a module.
    fn long(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::InOut => "inout",
        }
    }
}

/// A port of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Port {
    /// Name.
    pub name: String,
    /// Direction.
    pub direction: Direction,
    /// Type.
    pub ty: Type,
}

/// The type of a module: `!hw.modty<input a : i1, output r : i1>`; one parameter per port, `[direction, name, type]`.
pub(super) static MODULE_TYPE: TypeDefinition = TypeDefinition {
    name: "hw.modty",
    summary: "Ports of a module",
    parse: &|parser| {
        let mut ports = Vec::new();
        parser.parse_comma_separated(Delimiter::Angle, |p| {
            let direction = p.parse_keyword_of(&["input", "output", "inout"])?;
            let name = p.parse_keyword_or_string()?;
            let ty = p.parse_colon_type()?;
            ports.push(Port {
                name,
                direction: Direction::ALL[direction],
                ty,
            });
            Ok(())
        })?;
        Ok(module_type(parser.context(), &ports))
    },
    print: &|printer, parameters| {
        let context = printer.context();
        printer.text("<");
        let ports = parameters.iter().filter_map(|p| port_of(context, *p));
        printer.comma_separated(ports, |printer, port| {
            printer.text(port.direction.long());
            printer.text(" ");
            printer.keyword_or_string(&port.name);
            printer.text(" : ");
            printer.ty(port.ty);
        });
        printer.text(">");
    },
    extension: None,
};

/// Returns the module type with these ports.
pub fn module_type(context: &Context, ports: &[Port]) -> Type {
    let parameters: Vec<_> = ports
        .iter()
        .map(|port| {
            context.array_attribute(&[
                context.i64_attribute(port.direction.number()),
                context.string_attribute(&port.name),
                context.type_attribute(port.ty),
            ])
        })
        .collect();
    context.dialect_type("hw.modty", &parameters)
}

static MODULE_TYPE_ATTRIBUTE: AttributeConstraint = AttributeConstraint {
    summary: "type attribute of module type",
    check: AttributeCheck::Is(|context, a| {
        let kind = a.as_type(context).map(|ty| ty.kind(context));
        matches!(kind, Some(TypeKind::Dialect { name, parameters })
            if context.text(*name) == "hw.modty" && parameters.iter().all(|p| port_of(context, *p).is_some()))
    }),
    syntax: AttributeSyntax::Type,
};

/// Declarations of parameters.
static PARAMETERS: AttributeConstraint = AttributeConstraint {
    summary: "parameter array attribute",
    check: AttributeCheck::Is(|context, a| {
        let all = a.as_array(context);
        all.is_some_and(|all| all.iter().all(|one| parameter(context, *one).is_some()))
    }),
    syntax: AttributeSyntax::Generic,
};

fn port_of(context: &Context, attribute: Attribute) -> Option<Port> {
    let [direction, name, ty] = attribute.as_array(context)? else {
        return None;
    };
    let direction = usize::try_from(direction.as_i64(context)?).ok()?;
    Some(Port {
        name: name.as_str(context)?.to_owned(),
        direction: *Direction::ALL.get(direction)?,
        ty: ty.as_type(context)?,
    })
}

/// Returns the ports of a module of any kind, in order.
pub fn module_ports(view: View<'_>) -> Vec<Port> {
    let ty = view
        .attribute("module_type")
        .and_then(|a| a.as_type(view.context));
    match ty.map(|ty| ty.kind(view.context)) {
        Some(TypeKind::Dialect { parameters, .. }) => parameters
            .iter()
            .filter_map(|p| port_of(view.context, *p))
            .collect(),
        _ => Vec::new(),
    }
}

/// Creates a program without modules.
pub fn empty_module(context: &Context, location: Location) -> Program {
    let mut body = Body::new();
    let mut new = NewOperation::new(context.operation_name("builtin.module"), location);
    new.n_regions = 1;
    let operation = body.create(context, new);
    let block = body.create_block();
    body.append(block, operation);
    let region = body.regions(operation)[0];
    body.inner_mut(operation).append_block(region);
    Program::new(body, operation)
}

/// Adds an `hw.module` with an empty entry block, whose arguments are the inputs.
pub fn build_module(
    context: &Context,
    body: &mut Body,
    block: BlockId,
    name: &str,
    ports: &[Port],
    location: Location,
) -> OperationId {
    let mut new = NewOperation::new(context.operation_name("hw.module"), location);
    new.attributes = vec![
        (context.name("sym_name"), context.string_attribute(name)),
        (
            context.name("module_type"),
            context.type_attribute(module_type(context, ports)),
        ),
        (context.name("parameters"), context.array_attribute(&[])),
    ];
    new.n_regions = 1;
    let op = body.create(context, new);
    body.append(block, op);
    let region = body.regions(op)[0];
    let inner = body.inner_mut(op);
    let entry = inner.append_block(region);
    for port in ports.iter().filter(|p| p.direction != Direction::Output) {
        let value = inner.add_argument(entry, argument_type(context, port), location);
        inner.set_value_name(value, Some(context.name(&port.name)));
    }
    op
}

/// Adds a copy of a module of another program.
pub fn copy_module(context: &Context, from: &Program, op: OperationId, to: &mut Program) {
    let source = from.inner();
    let block = to.body.entry_block(to.operation, 0);
    let block = block.expect("a module has a block");
    let mut new = NewOperation::new(source.name(op), source.location(op));
    new.attributes = source.attributes(op).to_vec();
    new.n_regions = 1;
    let inner = to.inner_mut();
    let made = inner.create(context, new);
    inner.append(block, made);
    inner.put_body(made, Box::new(source.inner(op).clone()));
}

/// Returns the type of a port's argument in the body.
fn argument_type(context: &Context, port: &Port) -> Type {
    match port.direction {
        Direction::InOut => inout_type(context, port.ty),
        _ => port.ty,
    }
}

sluice_ods::dialect! {
    group "hw";

    /// A module: a graph of operations between input and output ports.
    op Module = "module" {
        traits: [ISOLATED_FROM_ABOVE, SYMBOL, GRAPH_REGION, SINGLE_BLOCK],
        rules: [HasParent(&["builtin.module"]), ImplicitTerminator("hw.output")],
        attributes: {
            sym_name: SYMBOL_NAME, module_type: MODULE_TYPE_ATTRIBUTE, per_port_attrs: optional DICTIONARIES, result_locs: optional ARRAY,
            parameters: PARAMETERS, comment: optional STRING, sym_visibility: optional STRING,
        },
        regions: { body: sized(1) },
        assembly: custom(parse_with_body, print_module),
        verify: verify_declaration,
        verify_regions: verify_module,
    }

    /// A module that is defined elsewhere.
    op ModuleExtern = "module.extern" {
        traits: [SYMBOL],
        rules: [HasParent(&["builtin.module"])],
        attributes: {
            sym_name: SYMBOL_NAME, module_type: MODULE_TYPE_ATTRIBUTE, per_port_attrs: optional DICTIONARIES, port_locs: optional ARRAY,
            parameters: PARAMETERS, verilog_name("verilogName"): optional STRING, sym_visibility: optional STRING,
        },
        regions: { body: any },
        assembly: custom(parse_extern, print_module),
        verify: verify_declaration,
    }

    /// A module that a generator makes.
    op ModuleGenerated = "module.generated" {
        traits: [ISOLATED_FROM_ABOVE, SYMBOL],
        rules: [HasParent(&["builtin.module"])],
        attributes: {
            sym_name: SYMBOL_NAME, generator_kind("generatorKind"): FLAT_SYMBOL, module_type: MODULE_TYPE_ATTRIBUTE,
            per_port_attrs: optional DICTIONARIES, port_locs: optional ARRAY, parameters: PARAMETERS,
            verilog_name("verilogName"): optional STRING, sym_visibility: optional STRING,
        },
        regions: { body: any },
        assembly: custom(parse_generated, print_module),
        verify: verify_declaration,
        verify_symbols: verify_generated,
    }

    /// The name of a generator and the attributes of its modules.
    op GeneratorSchema = "generator.schema" {
        traits: [SYMBOL],
        rules: [HasParent(&["builtin.module"])],
        attributes: { sym_name: SYMBOL_NAME, descriptor: STRING, required_attrs("requiredAttrs"): ARRAY, sym_visibility: optional STRING },
        assembly: "$sym_name `,` $descriptor `,` $requiredAttrs attr-dict",
    }

    /// The values of a module's outputs.
    op Output = "output" {
        traits: [PURE, TERMINATOR, RETURN_LIKE],
        rules: [HasParent(&["hw.module"])],
        operands: { outputs: variadic ANY_TYPE },
        assembly: "attr-dict ($outputs^ `:` type($outputs))?",
    }
}

fn parse_with_body(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    parse_module(parser, state, "hw.module")
}

fn parse_extern(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    parse_module(parser, state, "hw.module.extern")
}

fn parse_generated(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    parse_module(parser, state, "hw.module.generated")
}

/// The parsed parts of a port list.
#[derive(Default)]
struct Ports {
    ports: Vec<Port>,
    attributes: Vec<Attribute>,
    arguments: Vec<Argument>,
    locations: Vec<Location>,
}

fn parse_port(p: &mut Parser<'_>, all: &mut Ports) -> ParseResult<()> {
    let context = p.context();
    let position = p.position();
    let keyword = p.parse_optional_any_keyword();
    let Some(keyword) = keyword else {
        return Err(p.error(position, "expected port direction"));
    };
    let direction = Direction::ALL.into_iter().find(|d| d.short() == keyword);
    let Some(direction) = direction else {
        return Err(p.error_here(format!("unknown port direction '{keyword}'")));
    };
    let position = p.position();
    let operand = match direction {
        Direction::Output => None,
        _ => Some(p.parse_operand()?),
    };
    let name = match operand {
        Some(operand) if p.peek(":") => p.operand_name(operand).to_owned(),
        _ => p.parse_keyword_or_string()?,
    };
    let ty = p.parse_colon_type()?;
    let port = Port {
        name,
        direction,
        ty,
    };
    let dictionary = p.parse_optional_dictionary()?;
    all.attributes
        .push(dictionary.unwrap_or_else(|| context.dictionary_attribute(&[])));
    let written = p.parse_optional_location()?;
    let location = written.unwrap_or_else(|| p.location_at(position));
    if let Some(operand) = operand {
        all.arguments.push(Argument {
            location: Some(location),
            ..Argument::new(operand, argument_type(context, &port))
        });
    }
    all.locations.push(location);
    all.ports.push(port);
    Ok(())
}

fn parse_module(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    kind: &str,
) -> ParseResult<()> {
    let context = parser.context();
    parse_visibility(parser, state);
    let position = parser.position();
    parser.parse_symbol_name_attribute("sym_name", state)?;
    if kind == "hw.module.generated" {
        parser.parse_punctuation(",")?;
        let generator = parser.parse_symbol_name()?;
        let generator = context.symbol_attribute(context.text(generator));
        state.set_attribute(context, "generatorKind", generator);
    }
    let parameters = parse_parameters(parser)?;
    let mut all = Ports::default();
    parser.parse_comma_separated(Delimiter::Paren, |p| parse_port(p, &mut all))?;
    parser.parse_attribute_dictionary_with_keyword(state)?;
    if state.attribute(context, "parameters").is_some() {
        return Err(parser.error(position, "explicit `parameters` attributes not allowed"));
    }
    let ty = context.type_attribute(module_type(context, &all.ports));
    state.set_attribute(context, "module_type", ty);
    state.set_attribute(context, "parameters", parameters);
    let is_empty = |a: &Attribute| a.as_dictionary(context).is_some_and(<[_]>::is_empty);
    if !all.attributes.iter().all(is_empty) {
        let attributes = context.array_attribute(&all.attributes);
        state.set_attribute(context, "per_port_attrs", attributes);
    }
    let has_body = kind == "hw.module";
    let outputs = all.ports.iter().map(|p| p.direction == Direction::Output);
    let locations: Vec<_> = all
        .locations
        .iter()
        .zip(outputs)
        .filter(|(_, is_output)| !has_body || *is_output)
        .map(|(location, _)| context.attribute(AttributeKind::Location(*location)))
        .collect();
    if !locations.is_empty() {
        let name = if has_body { "result_locs" } else { "port_locs" };
        state.set_attribute(context, name, context.array_attribute(&locations));
    }
    if has_body {
        parser.parse_region(&all.arguments, state)
    } else {
        parser.add_empty_region(state);
        Ok(())
    }
}

fn print_module(printer: &mut Printer<'_>, view: View<'_>) {
    let context = view.context;
    let text = |name: &str| view.attribute(name).and_then(|a| a.as_str(context));
    printer.text(" ");
    if let Some(visibility) = text("sym_visibility") {
        printer.text(visibility);
        printer.text(" ");
    }
    printer.symbol_name(view.symbol_name().unwrap_or_default());
    let generator = view.attribute("generatorKind");
    if let Some(generator) = generator.and_then(|a| a.as_flat_symbol(context)) {
        printer.text(", ");
        printer.symbol_name(generator);
    }
    print_parameters(printer, view);
    print_ports(printer, view);
    let mut elided = vec![
        "sym_name",
        "sym_visibility",
        "generatorKind",
        "module_type",
        "per_port_attrs",
        "parameters",
        "result_locs",
        "port_locs",
    ];
    if text("comment") == Some("") {
        elided.push("comment");
    }
    printer.attribute_dictionary_with_keyword(view, &elided);
    if view.entry_block(0).is_some() {
        printer.text(" ");
        let printing = RegionPrinting {
            entry_arguments: false,
            terminators: true,
            empty_block: true,
        };
        printer.region(view, 0, printing);
    }
}

fn print_ports(printer: &mut Printer<'_>, view: View<'_>) {
    let context = view.context;
    let ports = module_ports(view);
    let attributes = view.attribute("per_port_attrs");
    let attributes = attributes
        .and_then(|a| a.as_array(context))
        .unwrap_or_default();
    let block = view.entry_block(0);
    let inputs = ports.iter().filter(|p| p.direction != Direction::Output);
    let names: Vec<_> = inputs.map(|port| port.name.as_str()).collect();
    if block.is_some() {
        printer.name_region_arguments(view, 0, &names);
    }
    let n_arguments = block.map_or(0, |block| view.inner().arguments(block).len());
    let mut input = 0;
    printer.text("(");
    printer.comma_separated(ports.iter().enumerate(), |printer, (i, port)| {
        printer.text(port.direction.short());
        printer.text(" ");
        if port.direction == Direction::Output {
            printer.keyword_or_string(&port.name);
        } else if block.is_some() && input < n_arguments {
            let written = printer.region_argument_text(view, 0, input);
            printer.text("%");
            printer.text(&written);
            if written != port.name {
                printer.text(" ");
                printer.keyword_or_string(&port.name);
            }
            input += 1;
        } else if !printer.free_value_name(&port.name, i) {
            printer.text(" ");
            printer.keyword_or_string(&port.name);
        }
        printer.text(" : ");
        printer.ty(port.ty);
        if let Some(dictionary) = attributes.get(i).filter(|a| {
            a.as_dictionary(context)
                .is_some_and(|entries| !entries.is_empty())
        }) {
            printer.text(" ");
            printer.dictionary(*dictionary);
        }
    });
    printer.text(")");
}

/// Checks that parameter names are unique, that their values have their types, and that there is a location for each port.
fn verify_declaration(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let array = |name: &str| view.attribute(name).and_then(|a| a.as_array(context));
    let ports = module_ports(view);
    if let Some(locations) = array("port_locs").filter(|all| !all.is_empty())
        && locations.len() != ports.len()
    {
        let message = format!(
            "requires {} port locations but got {}",
            ports.len(),
            locations.len()
        );
        return op_error(view, diagnostics, message);
    }
    let mut names = Vec::new();
    for declared in array("parameters").unwrap_or_default() {
        let Some(parameter) = parameter(context, *declared) else {
            continue;
        };
        let text = print_attribute(context, *declared);
        if names.contains(&parameter.name) {
            let message = format!("parameter {text} has the same name as a previous parameter");
            return op_error(view, diagnostics, message);
        }
        names.push(parameter.name);
        let Some(value) = parameter.value else {
            continue;
        };
        let found = value.ty(context).unwrap_or_else(|| context.none_type());
        if found != parameter.ty {
            let message = format!(
                "parameter {text} should have type {}; has type {}",
                quoted(context, parameter.ty),
                quoted(context, found)
            );
            return op_error(view, diagnostics, message);
        }
        let mut references = Vec::new();
        parameter_references(context, value, &mut references);
        if let Some((name, _)) = references.first() {
            let message =
                format!("parameter {name:?} cannot be used as a default value for a parameter");
            return op_error(view, diagnostics, message);
        }
    }
}

fn verify_module(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let Some(block) = view.entry_block(0) else {
        return;
    };
    let body = view.inner();
    let ports = module_ports(view);
    let n_inputs = ports
        .iter()
        .filter(|p| p.direction != Direction::Output)
        .count();
    if body.arguments(block).len() != n_inputs {
        let message =
            format!("entry block must have {n_inputs} arguments to match module signature");
        return op_error(view, diagnostics, message);
    }
    let inputs = ports.iter().filter(|p| p.direction != Direction::Output);
    let types = inputs.map(|port| argument_type(context, port));
    if !types.eq(body.arguments(block).iter().map(|v| body.ty(*v))) {
        let message = "entry block must have the argument types of the module signature";
        return op_error(view, diagnostics, message);
    }
    let wanted = ports.iter().filter(|p| p.direction == Direction::Output);
    let wanted: Vec<_> = wanted.map(|p| p.ty).collect();
    let last = body
        .last_operation(block)
        .map(|op| View::new(context, body, op));
    let Some(last) = last.filter(|v| v.name() == "hw.output") else {
        let message = "expects a block that ends in 'hw.output'";
        return op_error(view, diagnostics, message);
    };
    let given: Vec<_> = last.operand_types().collect();
    if given.len() != wanted.len() {
        let message = "must have same number of operands as region results.";
        return op_error(last, diagnostics, message);
    }
    for (i, (wanted, given)) in wanted.iter().zip(&given).enumerate() {
        if wanted != given {
            let message = format!(
                "output types must match module. In operand {i}, expected {}, but got {}.",
                quoted(context, *wanted),
                quoted(context, *given)
            );
            return op_error(last, diagnostics, message);
        }
    }
    let declared = view.attribute("parameters");
    let declared = declared
        .and_then(|a| a.as_array(context))
        .unwrap_or_default();
    for op in body.walk_all() {
        let op = View::new(context, body, op);
        if op.name() == "hw.param.value" || op.name() == "hw.instance" {
            super::instances::check_parameters(op, declared, diagnostics);
        }
    }
}

fn verify_generated(view: View<'_>, symbols: &SymbolTable<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let name = view.attribute("generatorKind");
    let Some(name) = name.and_then(|a| a.as_flat_symbol(context)) else {
        return;
    };
    let Some(schema) = symbols.lookup(name) else {
        let message = format!("Cannot find generator definition '{name}'");
        diagnostics.error(view.location(), message);
        return;
    };
    if schema.name() != "hw.generator.schema" {
        let message = format!(
            "Symbol resolved to '{}' which is not a HWGeneratorSchemaOp",
            schema.name()
        );
        diagnostics.error(view.location(), message);
        return;
    }
    let required = schema.attribute("requiredAttrs");
    let required = required
        .and_then(|a| a.as_array(context))
        .unwrap_or_default();
    for name in required.iter().filter_map(|name| name.as_str(context)) {
        if view.attribute(name).is_none() {
            let message = format!("Missing attribute '{name}'");
            diagnostics.error(view.location(), message);
            return;
        }
    }
}

/// Returns true if an operation declares a module.
pub(super) fn is_module(view: View<'_>) -> bool {
    matches!(
        view.name(),
        "hw.module" | "hw.module.extern" | "hw.module.generated"
    )
}
