//! hw: modules, instances and constants of circuits, as graph regions, in CIRCT's syntax.

use smallvec::smallvec;

use sluice_ir::definition::{TypeConstraint, TypeDefinition};
use sluice_ir::text::{
    Argument, Delimiter, OperationState, ParseResult, Parser, Printer, RegionPrinting,
};
use sluice_ir::{
    Attribute, AttributeKind, BlockId, Body, Context, Diagnostics, Location, Module as Program,
    NewOperation, OperationId, Type, TypeKind, View,
};

use crate::constraints::{ANY_TYPE, ARRAY, FLAT_SYMBOL, INTEGER, STRING, SYMBOL_NAME, TYPE};

static ANY_INTEGER: TypeConstraint = TypeConstraint {
    summary: "a signless integer bitvector",
    check: |context, ty| ty.is_signless_integer(context),
    only: None,
    class: None,
};

static ARRAY_VALUE: TypeConstraint = TypeConstraint {
    summary: "an ArrayType",
    check: |context, ty| array_parts(context, ty).is_some(),
    only: None,
    class: None,
};

/// Size and element type of `!hw.array<NxT>`.
pub fn array_parts(context: &Context, ty: Type) -> Option<(u64, Type)> {
    let TypeKind::Dialect { name, parameters } = ty.kind(context) else {
        return None;
    };
    if context.text(*name) != "hw.array" {
        return None;
    }
    let size = parameters.first()?.as_i64(context)?;
    Some((
        u64::try_from(size).ok()?,
        parameters.get(1)?.as_type(context)?,
    ))
}

static ARRAY_TYPE: TypeDefinition = TypeDefinition {
    name: "hw.array",
    summary: "An array of a fixed size",
    parse: &|parser| {
        let context = parser.context();
        parser.parse_punctuation("<")?;
        let position = parser.position();
        let dimensions = parser.parse_dimension_list()?;
        let element = parser.parse_type()?;
        parser.parse_punctuation(">")?;
        let [Some(size)] = dimensions[..] else {
            return Err(parser.error(position, "expected one size in an array type"));
        };
        let size = context.i64_attribute(i64::try_from(size).unwrap_or(i64::MAX));
        Ok(context.dialect_type("hw.array", &[size, context.type_attribute(element)]))
    },
    print: &|printer, parameters| {
        let context = printer.context();
        let size = parameters[0].as_i64(context).unwrap_or(0);
        printer.text(&format!("<{size}x"));
        if let Some(element) = parameters[1].as_type(context) {
            printer.ty(element);
        }
        printer.text(">");
    },
};

/// The type of a module: `!hw.modty<input a : i1, output r : i1>`; one parameter per port, `[direction, name, type]`.
static MODULE_TYPE: TypeDefinition = TypeDefinition {
    name: "hw.modty",
    summary: "Ports of a module",
    parse: &|parser| {
        let mut ports = Vec::new();
        parser.parse_comma_separated(Delimiter::Angle, |p| {
            let direction = match p.parse_keyword_of(&["input", "output", "inout"])? {
                0 => Direction::Input,
                1 => Direction::Output,
                _ => return Err(p.error_here("ports in both directions are not supported")),
            };
            let name = p.parse_keyword_or_string()?;
            let ty = p.parse_colon_type()?;
            ports.push(Port {
                name,
                direction,
                ty,
            });
            Ok(())
        })?;
        Ok(module_type(parser.context(), &ports))
    },
    print: &|printer, parameters| {
        let context = printer.context();
        printer.text("<");
        for (i, port) in parameters
            .iter()
            .filter_map(|p| port_of(context, *p))
            .enumerate()
        {
            if i > 0 {
                printer.text(", ");
            }
            printer.text(if port.direction == Direction::Input {
                "input "
            } else {
                "output "
            });
            printer.keyword_or_string(&port.name);
            printer.text(" : ");
            printer.ty(port.ty);
        }
        printer.text(">");
    },
};

/// Direction of a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Into the module.
    Input,
    /// Out of the module.
    Output,
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

/// The module type with these ports.
pub fn module_type(context: &Context, ports: &[Port]) -> Type {
    let parameters: Vec<_> = ports
        .iter()
        .map(|port| {
            context.array_attribute(&[
                context.bool_attribute(port.direction == Direction::Output),
                context.string_attribute(&port.name),
                context.type_attribute(port.ty),
            ])
        })
        .collect();
    context.dialect_type("hw.modty", &parameters)
}

fn port_of(context: &Context, attribute: Attribute) -> Option<Port> {
    let [direction, name, ty] = attribute.as_array(context)? else {
        return None;
    };
    let direction = if direction.as_bool(context)? {
        Direction::Output
    } else {
        Direction::Input
    };
    Some(Port {
        name: name.as_str(context)?.to_owned(),
        direction,
        ty: ty.as_type(context)?,
    })
}

/// The ports of an `hw.module` or `hw.module.extern`, in order.
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

/// A program without modules.
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
    for port in ports.iter().filter(|p| p.direction == Direction::Input) {
        let value = inner.add_argument(entry, port.ty, location);
        inner.set_value_name(value, Some(context.name(&port.name)));
    }
    op
}

sluice_ods::dialect! {
    dialect "hw" {
        summary: "Modules, instances and constants of circuits",
        types: [ARRAY_TYPE, MODULE_TYPE],
    }

    /// A module: a graph of operations between input and output ports.
    op Module = "module" {
        traits: [ISOLATED_FROM_ABOVE, SYMBOL, GRAPH_REGION, SINGLE_BLOCK],
        rules: [HasParent(&["builtin.module"])],
        attributes: { sym_name: SYMBOL_NAME, module_type: TYPE, parameters: optional ARRAY },
        regions: { body: sized(1) },
        assembly: custom(parse_module, print_module),
        verify_regions: verify_module,
    }

    /// The values of a module's outputs.
    op Output = "output" {
        traits: [PURE, TERMINATOR, RETURN_LIKE],
        rules: [HasParent(&["hw.module"])],
        operands: { outputs: variadic ANY_TYPE },
        assembly: "attr-dict ($outputs^ `:` type($outputs))?",
    }

    /// A copy of another module.
    op Instance = "instance" {
        operands: { inputs: variadic ANY_TYPE },
        attributes: {
            instance_name("instanceName"): STRING,
            module_name("moduleName"): FLAT_SYMBOL,
            arg_names("argNames"): ARRAY,
            result_names("resultNames"): ARRAY,
            parameters: optional ARRAY,
        },
        results: { results: variadic ANY_TYPE },
        assembly: custom(parse_instance, print_instance),
    }

    /// A constant.
    op Constant = "constant" {
        traits: [PURE, CONSTANT_LIKE],
        attributes: { value: INTEGER },
        results: { result: ANY_INTEGER },
        assembly: custom(parse_constant, print_constant),
    }

    /// A constant array.
    op AggregateConstant = "aggregate_constant" {
        traits: [PURE],
        attributes: { fields: ARRAY },
        results: { result: ANY_TYPE },
        assembly: "$fields `:` type($result) attr-dict",
    }

    /// One element of an array.
    op ArrayGet = "array_get" {
        traits: [PURE],
        operands: { input: ARRAY_VALUE, index: ANY_INTEGER },
        results: { result: ANY_TYPE },
        rules: [TypesMatchWith {
            summary: "result must have the element type of the array",
            from: "input",
            to: "result",
            transform: |context, ty| array_parts(context, ty).map(|(_, element)| element),
        }],
        assembly: "$input `[` $index `]` attr-dict `:` type($input) `,` type($index)",
    }

    /// A named net.
    op Wire = "wire" {
        traits: [SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { input: ANY_TYPE },
        attributes: { name: optional STRING },
        results: { result: ANY_TYPE },
        assembly: "$input attr-dict `:` type($input)",
        meaning: |site, algebra, x| Some(smallvec![x[0].clone()]),
    }
}

fn parse_module(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let _ = parser.parse_optional_keyword("private");
    parser.parse_symbol_name_attribute("sym_name", state)?;
    let mut ports = Vec::new();
    let mut arguments = Vec::new();
    parser.parse_comma_separated(Delimiter::Paren, |p| {
        if p.parse_keyword_of(&["in", "out"])? == 0 {
            let operand = p.parse_operand()?;
            let ty = p.parse_colon_type()?;
            ports.push(Port {
                name: p.operand_name(operand).to_owned(),
                direction: Direction::Input,
                ty,
            });
            arguments.push(Argument::new(operand, ty));
        } else {
            let name = p.parse_keyword_or_string()?;
            let ty = p.parse_colon_type()?;
            ports.push(Port {
                name,
                direction: Direction::Output,
                ty,
            });
        }
        Ok(())
    })?;
    let ty = context.type_attribute(module_type(context, &ports));
    state.set_attribute(context, "module_type", ty);
    state.set_attribute(context, "parameters", context.array_attribute(&[]));
    parser.parse_attribute_dictionary_with_keyword(state)?;
    parser.parse_region(&arguments, state)
}

fn print_module(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.symbol_name(view.symbol_name().unwrap_or_default());
    printer.text("(");
    let ports = module_ports(view);
    let inputs = ports
        .iter()
        .filter(|port| port.direction == Direction::Input);
    let names: Vec<_> = inputs.map(|port| port.name.as_str()).collect();
    printer.name_region_arguments(view, 0, &names);
    let mut input = 0;
    for (i, port) in ports.iter().enumerate() {
        if i > 0 {
            printer.text(", ");
        }
        if port.direction == Direction::Input {
            printer.text("in ");
            printer.region_argument_name(view, 0, input);
            input += 1;
        } else {
            printer.text("out ");
            printer.keyword_or_string(&port.name);
        }
        printer.text(" : ");
        printer.ty(port.ty);
    }
    printer.text(")");
    printer.attribute_dictionary_with_keyword(view, &["sym_name", "module_type", "parameters"]);
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

fn verify_module(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(block) = view.entry_block(0) else {
        return;
    };
    let body = view.inner();
    let ports = module_ports(view);
    let wanted: Vec<_> = ports
        .iter()
        .filter(|p| p.direction == Direction::Output)
        .map(|p| p.ty)
        .collect();
    let last = body
        .last_operation(block)
        .map(|op| View::new(view.context, body, op));
    let Some(last) = last.filter(|v| v.name() == "hw.output") else {
        diagnostics.error(
            view.location(),
            "'hw.module' op expects a block that ends in 'hw.output'",
        );
        return;
    };
    let given: Vec<_> = last.operand_types().collect();
    if given != wanted {
        let message = format!(
            "'hw.output' op must have the types of the module's {} outputs",
            wanted.len()
        );
        diagnostics.error(last.location(), message);
    }
}

fn parse_instance(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let name = parser.parse_string()?;
    state.set_attribute(context, "instanceName", context.string_attribute(&name));
    let module = parser.parse_symbol_name()?;
    state.set_attribute(
        context,
        "moduleName",
        context.symbol_attribute(context.text(module)),
    );
    let (mut names, mut operands) = (Vec::new(), Vec::new());
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
    state.set_attribute(context, "argNames", context.array_attribute(&names));
    parser.parse_punctuation("->")?;
    let (mut names, mut types) = (Vec::new(), Vec::new());
    parser.parse_comma_separated(Delimiter::Paren, |p| {
        let name = p.parse_keyword_or_string()?;
        names.push(context.string_attribute(&name));
        types.push(p.parse_colon_type()?);
        Ok(())
    })?;
    state.add_results(&types);
    state.set_attribute(context, "resultNames", context.array_attribute(&names));
    state.set_attribute(context, "parameters", context.array_attribute(&[]));
    parser.parse_attribute_dictionary(state)
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

/// Names of an instance's inputs.
pub fn instance_inputs(view: View<'_>) -> Vec<String> {
    names(view, "argNames")
}

/// Names of an instance's outputs.
pub fn instance_outputs(view: View<'_>) -> Vec<String> {
    names(view, "resultNames")
}

fn print_instance(printer: &mut Printer<'_>, view: View<'_>) {
    let text = |name: &str| {
        view.attribute(name)
            .and_then(|a| a.as_str(view.context))
            .unwrap_or_default()
            .to_owned()
    };
    printer.text(" ");
    printer.quoted(text("instanceName").as_bytes());
    printer.text(" ");
    let module = view
        .attribute("moduleName")
        .and_then(|a| a.as_flat_symbol(view.context))
        .unwrap_or_default();
    printer.symbol_name(module);
    printer.text("(");
    for (i, (name, operand)) in names(view, "argNames")
        .iter()
        .zip(view.operands())
        .enumerate()
    {
        if i > 0 {
            printer.text(", ");
        }
        printer.keyword_or_string(name);
        printer.text(": ");
        printer.operand(operand);
        printer.text(": ");
        printer.ty(view.ty(operand));
    }
    printer.text(") -> (");
    for (i, (name, result)) in names(view, "resultNames")
        .iter()
        .zip(view.results())
        .enumerate()
    {
        if i > 0 {
            printer.text(", ");
        }
        printer.keyword_or_string(name);
        printer.text(": ");
        printer.ty(view.ty(*result));
    }
    printer.text(")");
    let elided = [
        "instanceName",
        "moduleName",
        "argNames",
        "resultNames",
        "parameters",
    ];
    printer.attribute_dictionary(view, &elided);
}

fn parse_constant(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let value = parser.parse_attribute()?;
    let ty = match value.kind(context) {
        AttributeKind::Integer { ty, .. } => *ty,
        _ => return Err(parser.error_here("expected an integer constant")),
    };
    state.set_attribute(context, "value", value);
    state.add_results(&[ty]);
    parser.parse_attribute_dictionary(state)
}

fn print_constant(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    if let Some(value) = view.attribute("value") {
        printer.attribute(value);
    }
    printer.attribute_dictionary(view, &["value"]);
}
