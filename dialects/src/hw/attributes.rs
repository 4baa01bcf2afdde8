//! Attributes of hw: inner symbols, parameters and their expressions, fields of enumerations.

use sluice_ir::definition::{
    AttributeCheck, AttributeConstraint, AttributeDefinition, AttributeSyntax,
};
use sluice_ir::text::{Delimiter, ParseResult, Parser, Printer};
use sluice_ir::{Attribute, AttributeKind, Context, Type, View};

use super::types::{canonical, parameters as type_parameters};

/// Returns the parameters of the dialect attribute called `wanted`.
pub(crate) fn parameters<'c>(
    context: &'c Context,
    attribute: Attribute,
    wanted: &str,
) -> Option<&'c [Attribute]> {
    match attribute.kind(context) {
        AttributeKind::Dialect { name, parameters } if context.text(*name) == wanted => {
            Some(parameters)
        }
        _ => None,
    }
}

fn dialect_attribute(context: &Context, name: &str, parameters: &[Attribute]) -> Attribute {
    context.attribute(AttributeKind::Dialect {
        name: context.name(name),
        parameters: parameters.into(),
    })
}

// Inner symbols.

/// An inner symbol, on an operation or on fields of its result.
pub(crate) static INNER_SYMBOL: AttributeConstraint = AttributeConstraint {
    summary: "Inner symbol definition",
    check: AttributeCheck::Is(|context, a| parameters(context, a, "hw.innerSym").is_some()),
    syntax: AttributeSyntax::Custom {
        parse: parse_inner_symbol,
        print: print_inner_symbol,
    },
};

/// Parses `@name`, or `[<@name,field,visibility>, ...]`; each parameter is `[name, field, visibility]`.
pub(crate) fn parse_inner_symbol(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let context = parser.context();
    let symbol = |name: &str, field: i64, visibility: &str| {
        context.array_attribute(&[
            context.string_attribute(name),
            context.i64_attribute(field),
            context.string_attribute(visibility),
        ])
    };
    let position = parser.position();
    if let Some(name) = parser.parse_optional_symbol_name()? {
        let name = context.text(name);
        if name.is_empty() {
            return Err(parser.error(position, "inner symbol cannot have empty name"));
        }
        let all = [symbol(name, 0, "public")];
        return Ok(dialect_attribute(context, "hw.innerSym", &all));
    }
    let mut all = Vec::new();
    parser.parse_comma_separated(Delimiter::Square, |p| {
        p.parse_punctuation("<")?;
        let name = p.parse_symbol_name()?;
        p.parse_punctuation(",")?;
        let field = p.parse_integer()?;
        p.parse_punctuation(",")?;
        let position = p.position();
        let visibility = p.parse_optional_any_keyword().unwrap_or_default();
        if !matches!(visibility, "public" | "private" | "nested") {
            return Err(p.error(position, "expected 'public', 'private', or 'nested'"));
        }
        p.parse_punctuation(">")?;
        all.push((field, symbol(context.text(name), field, visibility)));
        Ok(())
    })?;
    all.sort_by_key(|(field, _)| *field);
    let all: Vec<_> = all.into_iter().map(|(_, symbol)| symbol).collect();
    Ok(dialect_attribute(context, "hw.innerSym", &all))
}

fn print_inner_symbols(printer: &mut Printer<'_>, all: &[Attribute]) {
    let context = printer.context();
    let parts = |symbol: &Attribute| {
        let parts = symbol.as_array(context).unwrap_or_default();
        let text = |i: usize| parts.get(i).and_then(|a| a.as_str(context));
        let field = parts.get(1).and_then(|a| a.as_i64(context)).unwrap_or(0);
        (
            text(0).unwrap_or_default(),
            field,
            text(2).unwrap_or("public"),
        )
    };
    if let [only] = all
        && let (name, 0, "public") = parts(only)
    {
        return printer.symbol_name(name);
    }
    printer.text("[");
    printer.comma_separated(all.iter(), |printer, symbol| {
        let (name, field, visibility) = parts(symbol);
        printer.text("<");
        printer.symbol_name(name);
        printer.text(&format!(",{field},{visibility}>"));
    });
    printer.text("]");
}

/// Prints an inner symbol without the dialect prefix.
pub(crate) fn print_inner_symbol(printer: &mut Printer<'_>, attribute: Attribute) {
    let all = parameters(printer.context(), attribute, "hw.innerSym");
    print_inner_symbols(printer, all.unwrap_or_default());
}

pub(super) static INNER_SYMBOL_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    name: "hw.innerSym",
    summary: "Symbols inside a module: of an operation or of fields of its result",
    parse: &parse_inner_symbol,
    print: &print_inner_symbols,
    typed: false,
    extension: None,
};

pub(super) static INNER_REFERENCE_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    name: "hw.innerNameRef",
    summary: "A module and an inner symbol in it",
    parse: &|parser| {
        let context = parser.context();
        parser.parse_punctuation("<")?;
        let position = parser.position();
        let reference = parser.parse_attribute()?;
        parser.parse_punctuation(">")?;
        let AttributeKind::SymbolRef { root, nested } = reference.kind(context) else {
            return Err(parser.error(position, "expected a module and an inner symbol"));
        };
        let [inner] = nested[..] else {
            return Err(parser.error(position, "expected a module and an inner symbol"));
        };
        Ok(inner_reference(
            context,
            context.text(*root),
            context.text(inner),
        ))
    },
    print: &|printer, parameters| {
        let context = printer.context();
        printer.text("<");
        for (i, part) in parameters.iter().enumerate() {
            printer.text(if i > 0 { "::" } else { "" });
            printer.symbol_name(part.as_str(context).unwrap_or_default());
        }
        printer.text(">");
    },
    typed: false,
    extension: None,
};

/// Returns `#hw.innerNameRef<@module::@name>`.
pub(crate) fn inner_reference(context: &Context, module: &str, name: &str) -> Attribute {
    let parts = [
        context.string_attribute(module),
        context.string_attribute(name),
    ];
    dialect_attribute(context, "hw.innerNameRef", &parts)
}

// Parameters.

/// A parameter of a module, or the value that an instance gives it.
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) value: Option<Attribute>,
}

/// Returns the parameter in a `#hw.param.decl`.
pub(crate) fn parameter(context: &Context, attribute: Attribute) -> Option<Parameter> {
    let all = parameters(context, attribute, "hw.param.decl")?;
    Some(Parameter {
        name: all.first()?.as_str(context)?.to_owned(),
        ty: all.last()?.as_type(context)?,
        value: (all.len() > 2).then(|| all[1]),
    })
}

pub(crate) fn parameter_attribute(
    context: &Context,
    name: &str,
    ty: Type,
    value: Option<Attribute>,
) -> Attribute {
    let mut all = vec![context.string_attribute(name)];
    all.extend(value);
    all.push(context.type_attribute(ty));
    dialect_attribute(context, "hw.param.decl", &all)
}

/// Parses `<name: type = value, ...>`, if it is there.
pub(super) fn parse_parameters(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let context = parser.context();
    let mut all = Vec::new();
    if parser.peek("<") {
        parser.parse_comma_separated(Delimiter::Angle, |p| {
            let name = p.parse_keyword_or_string()?;
            let ty = p.parse_colon_type()?;
            let mut value = None;
            if p.parse_optional_punctuation("=") {
                value = Some(p.parse_attribute_with_type(ty)?);
            }
            all.push(parameter_attribute(context, &name, ty, value));
            Ok(())
        })?;
    }
    Ok(context.array_attribute(&all))
}

pub(super) fn print_parameters(printer: &mut Printer<'_>, view: View<'_>) {
    let context = view.context;
    let all = view
        .attribute("parameters")
        .and_then(|a| a.as_array(context));
    let all = all.unwrap_or_default();
    if all.is_empty() {
        return;
    }
    printer.text("<");
    printer.comma_separated(all.iter(), |printer, one| {
        if let Some(parameter) = parameter(context, *one) {
            printer.keyword_or_string(&parameter.name);
            print_declaration(printer, &parameter);
        }
    });
    printer.text(">");
}

fn print_declaration(printer: &mut Printer<'_>, parameter: &Parameter) {
    printer.text(": ");
    printer.ty(parameter.ty);
    if let Some(value) = parameter.value {
        printer.text(" = ");
        printer.attribute_without_type(value);
    }
}

pub(super) static PARAMETER_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    name: "hw.param.decl",
    summary: "A parameter of a module with its type, and perhaps a value",
    parse: &|parser| {
        let context = parser.context();
        parser.parse_punctuation("<")?;
        let name = parser.parse_string()?;
        let ty = parser.parse_colon_type()?;
        let mut value = None;
        if parser.parse_optional_punctuation("=") {
            value = Some(parser.parse_attribute_with_type(ty)?);
        }
        parser.parse_punctuation(">")?;
        Ok(parameter_attribute(context, &name, ty, value))
    },
    print: &|printer, parameters| {
        let context = printer.context();
        let name = context.name("hw.param.decl");
        let kind = AttributeKind::Dialect {
            name,
            parameters: parameters.into(),
        };
        if let Some(parameter) = parameter(context, context.attribute(kind)) {
            printer.text("<");
            printer.quoted(parameter.name.as_bytes());
            print_declaration(printer, &parameter);
            printer.text(">");
        }
    },
    typed: true,
    extension: None,
};

fn parse_quoted(parser: &mut Parser<'_>, name: &str) -> ParseResult<Attribute> {
    let context = parser.context();
    parser.parse_punctuation("<")?;
    let text = parser.parse_string()?;
    parser.parse_punctuation(">")?;
    Ok(dialect_attribute(
        context,
        name,
        &[context.string_attribute(&text)],
    ))
}

fn print_quoted(printer: &mut Printer<'_>, parameters: &[Attribute]) {
    let text = parameters[0].as_str(printer.context()).unwrap_or_default();
    printer.text("<");
    printer.quoted(text.as_bytes());
    printer.text(">");
}

pub(super) static PARAMETER_REFERENCE_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    name: "hw.param.decl.ref",
    summary: "The value of a parameter of the module around",
    parse: &|parser| parse_quoted(parser, "hw.param.decl.ref"),
    print: &print_quoted,
    typed: true,
    extension: None,
};

pub(super) static VERBATIM_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    name: "hw.param.verbatim",
    summary: "SystemVerilog text that is the value of a parameter",
    parse: &|parser| parse_quoted(parser, "hw.param.verbatim"),
    print: &print_quoted,
    typed: true,
    extension: None,
};

/// Returns names and types of the parameters that an attribute refers to, in order.
pub(crate) fn parameter_references(
    context: &Context,
    attribute: Attribute,
    all: &mut Vec<(String, Option<Type>)>,
) {
    let AttributeKind::Dialect { name, parameters } = attribute.kind(context) else {
        return;
    };
    let name = context.text(*name);
    if name == "hw.param.decl.ref" {
        let ty = attribute.ty(context);
        all.extend(
            parameters[0]
                .as_str(context)
                .map(|name| (name.to_owned(), ty)),
        );
    } else if name.starts_with("hw.param.expr.") {
        for part in parameters {
            parameter_references(context, *part, all);
        }
    }
}

macro_rules! expressions {
    ($($name:ident = $text:literal,)*) => {
        $(
            pub(super) static $name: AttributeDefinition = AttributeDefinition {
                name: concat!("hw.param.expr.", $text),
                summary: "An operation on values of parameters",
                parse: &|parser| parse_expression(parser, concat!("hw.param.expr.", $text)),
                print: &print_expression,
                typed: true, extension: None, };
        )*
    };
}

expressions! {
    ADD = "add",
    MUL = "mul",
    AND = "and",
    OR = "or",
    XOR = "xor",
    SHL = "shl",
    SHRU = "shru",
    SHRS = "shrs",
    DIVU = "divu",
    DIVS = "divs",
    MODU = "modu",
    MODS = "mods",
    CLOG2 = "clog2",
    CONCAT = "str.concat",
}

/// Parses `<operand, ...>`. The operands have the type that follows the expression, so the type is parsed first.
fn parse_expression(parser: &mut Parser<'_>, name: &str) -> ParseResult<Attribute> {
    let context = parser.context();
    let ty = parser.attribute_type();
    let mut operands = Vec::new();
    parser.parse_comma_separated(Delimiter::Angle, |p| {
        operands.push(match ty {
            Some(ty) => p.parse_attribute_with_type(ty)?,
            None => p.parse_attribute()?,
        });
        Ok(())
    })?;
    Ok(dialect_attribute(context, name, &operands))
}

fn print_expression(printer: &mut Printer<'_>, parameters: &[Attribute]) {
    printer.text("<");
    let operands = &parameters[..parameters.len().saturating_sub(1)];
    printer.comma_separated(operands.iter(), |printer, operand| {
        printer.attribute_without_type(*operand)
    });
    printer.text(">");
}

// Enumerations and files.

/// A case of an enumeration.
pub(crate) static ENUM_FIELD: AttributeConstraint = AttributeConstraint {
    summary: "Enumeration field attribute",
    check: AttributeCheck::Is(|context, a| parameters(context, a, "hw.enum.field").is_some()),
    syntax: AttributeSyntax::Generic,
};

/// Returns `#hw.enum.field<case, type>`, or an error message if the type has no such case.
pub(super) fn enum_field(context: &Context, case: &str, ty: Type) -> Result<Attribute, String> {
    let cases = type_parameters(context, canonical(context, ty), "hw.enum");
    let Some(cases) = cases else {
        return Err("expected enum type".to_owned());
    };
    if !cases
        .iter()
        .any(|known| known.as_str(context) == Some(case))
    {
        let text = sluice_ir::text::print_type(context, ty);
        return Err(format!(
            "enum value '{case}' is not a member of enum type {text}"
        ));
    }
    let parts = [context.string_attribute(case), context.type_attribute(ty)];
    Ok(dialect_attribute(context, "hw.enum.field", &parts))
}

pub(super) static ENUM_FIELD_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    name: "hw.enum.field",
    summary: "A case of an enumeration",
    parse: &|parser| {
        let context = parser.context();
        parser.parse_punctuation("<")?;
        let position = parser.position();
        let case = parser.parse_any_keyword()?;
        parser.parse_punctuation(",")?;
        let ty = parser.parse_type()?;
        parser.parse_punctuation(">")?;
        enum_field(context, case, ty).map_err(|message| parser.error(position, message))
    },
    print: &|printer, parameters| {
        let context = printer.context();
        printer.text("<");
        printer.text(parameters[0].as_str(context).unwrap_or_default());
        printer.text(", ");
        printer.attribute(parameters[1]);
        printer.text(">");
    },
    typed: false,
    extension: None,
};

pub(super) static OUTPUT_FILE_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    name: "hw.output_file",
    summary: "The file that something is written to",
    parse: &|parser| {
        let context = parser.context();
        parser.parse_punctuation("<")?;
        let file = parser.parse_string()?;
        let (mut exclude, mut replicate) = (false, false);
        while parser.parse_optional_punctuation(",") {
            match parser.parse_keyword_of(&["excludeFromFileList", "includeReplicatedOps"])? {
                0 => exclude = true,
                _ => replicate = true,
            }
        }
        parser.parse_punctuation(">")?;
        let parts = [
            context.string_attribute(&file),
            context.bool_attribute(exclude),
            context.bool_attribute(replicate),
        ];
        Ok(dialect_attribute(context, "hw.output_file", &parts))
    },
    print: &|printer, parameters| {
        let context = printer.context();
        printer.text("<");
        printer.quoted(parameters[0].as_str(context).unwrap_or_default().as_bytes());
        let flags = ["excludeFromFileList", "includeReplicatedOps"];
        for (flag, is_set) in flags.iter().zip(&parameters[1..]) {
            if is_set.as_bool(context) == Some(true) {
                printer.text(&format!(", {flag}"));
            }
        }
        printer.text(">");
    },
    typed: false,
    extension: None,
};
