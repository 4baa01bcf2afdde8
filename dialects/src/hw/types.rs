//! Types of hw: arrays, structures, unions, enumerations, aliases and the types of modules.

use sluice_ir::definition::{TypeCheck, TypeConstraint, TypeDefinition};
use sluice_ir::text::{Delimiter, ParseResult, Parser, Printer};
use sluice_ir::types::MAX_INTEGER_WIDTH_BITS;
use sluice_ir::{Attribute, AttributeKind, Context, Type, TypeKind};

/// Returns the parameters of the dialect type called `wanted`.
pub(crate) fn parameters<'c>(
    context: &'c Context,
    ty: Type,
    wanted: &str,
) -> Option<&'c [Attribute]> {
    match ty.kind(context) {
        TypeKind::Dialect { name, parameters } if context.text(*name) == wanted => Some(parameters),
        _ => None,
    }
}

/// Returns the type that an alias names, or the type itself.
pub fn canonical(context: &Context, ty: Type) -> Type {
    let mut ty = ty;
    while let Some([_, inner]) = parameters(context, ty, "hw.typealias") {
        match inner.as_type(context) {
            Some(inner) => ty = inner,
            None => break,
        }
    }
    ty
}

/// Returns true if a type, with aliases resolved, is the dialect type called `wanted`.
pub(crate) fn is(context: &Context, ty: Type, wanted: &str) -> bool {
    parameters(context, canonical(context, ty), wanted).is_some()
}

/// Returns size and element type of `!hw.array<NxT>`; `None` for any other type and for a size that is a parameter.
pub fn array_parts(context: &Context, ty: Type) -> Option<(u64, Type)> {
    let [size, element] = parameters(context, canonical(context, ty), "hw.array")? else {
        return None;
    };
    let size = size.as_i64(context)?;
    Some((u64::try_from(size).ok()?, element.as_type(context)?))
}

/// Returns the element type of an array, an unpacked array or an inout type.
pub(crate) fn element(context: &Context, ty: Type) -> Option<Type> {
    let ty = canonical(context, ty);
    let last = ["hw.array", "hw.uarray", "hw.inout"]
        .iter()
        .find_map(|name| parameters(context, ty, name))?
        .last()?;
    last.as_type(context)
}

/// Returns `!hw.array<NxT>`.
pub fn array_type(context: &Context, size: u64, element: Type) -> Type {
    let size = context.i64_attribute(i64::try_from(size).unwrap_or(i64::MAX));
    context.dialect_type("hw.array", &[size, context.type_attribute(element)])
}

/// Returns the integer type of this width; `None` if the width is not valid.
pub(crate) fn integer_type(context: &Context, width_bits: i64) -> Option<Type> {
    let width = u32::try_from(width_bits).ok()?;
    (width <= MAX_INTEGER_WIDTH_BITS).then(|| context.integer_type(width))
}

/// A field of a structure or a union.
pub struct Field {
    /// Name.
    pub name: String,
    /// Type.
    pub ty: Type,
    /// Lowest bit in a union, as written.
    pub offset: i64,
}

/// Returns the fields of a structure or a union, with aliases resolved.
pub fn fields(context: &Context, ty: Type) -> Option<Vec<Field>> {
    let ty = canonical(context, ty);
    let all = parameters(context, ty, "hw.struct").or(parameters(context, ty, "hw.union"))?;
    all.iter()
        .map(|field| {
            let field = field.as_array(context)?;
            Some(Field {
                name: field.first()?.as_str(context)?.to_owned(),
                ty: field.get(1)?.as_type(context)?,
                offset: field.get(2)?.as_i64(context)?,
            })
        })
        .collect()
}

/// Returns the width of a type in bits; `None` if it is unknown.
pub fn width_bits(context: &Context, ty: Type) -> Option<u64> {
    let ty = canonical(context, ty);
    if let TypeKind::Integer { width_bits, .. } = ty.kind(context) {
        return Some(u64::from(*width_bits));
    }
    if let Some([size, element]) =
        parameters(context, ty, "hw.array").or(parameters(context, ty, "hw.uarray"))
    {
        let size = u64::try_from(size.as_i64(context)?).ok()?;
        return width_bits(context, element.as_type(context)?)?.checked_mul(size);
    }
    if let Some(cases) = parameters(context, ty, "hw.enum") {
        let n_cases = u64::try_from(cases.len()).ok()?;
        return Some(u64::from(
            n_cases.next_power_of_two().trailing_zeros().max(1),
        ));
    }
    if parameters(context, ty, "seq.clock").is_some() {
        return Some(1);
    }
    let is_union = parameters(context, ty, "hw.union").is_some();
    let mut total = 0u64;
    for field in fields(context, ty)? {
        let width = width_bits(context, field.ty)?;
        total = match is_union {
            true => total.max(width.checked_add(u64::try_from(field.offset).ok()?)?),
            false => total.checked_add(width)?,
        };
    }
    Some(total)
}

macro_rules! constraint {
    ($(#[$doc:meta] $name:ident = $summary:literal, $check:expr;)*) => {
        $(
            #[$doc]
            pub(crate) static $name: TypeConstraint = TypeConstraint {
                summary: $summary,
                check: TypeCheck::Is($check),
                only: None,
                class: None,
                unqualified: None,
            };
        )*
    };
}

constraint! {
    /// Signless integers, including those whose width is a parameter.
    INTEGER_TYPE = "a signless integer bitvector", is_integer;
    /// Arrays.
    ARRAY_VALUE = "an ArrayType", |context, ty| is(context, ty, "hw.array");
    /// Structures.
    STRUCT_VALUE = "a StructType", |context, ty| is(context, ty, "hw.struct");
    /// Unions.
    UNION_VALUE = "a UnionType", |context, ty| is(context, ty, "hw.union");
    /// Enumerations.
    ENUM_VALUE = "a EnumType", |context, ty| is(context, ty, "hw.enum");
    /// Types without `inout`.
    NOT_INOUT = "a type without inout", |context, ty| !has_inout(context, ty);
    /// Types of hardware values.
    VALUE = "a known primitive element", is_value;
    /// Arrays and structures.
    AGGREGATE = "an Aggregate type", |context, ty| {
        ["hw.array", "hw.uarray", "hw.struct"].iter().any(|name| is(context, ty, name))
    };
    /// Types of known width.
    OF_KNOWN_WIDTH = "Type wherein the bitwidth in hardware is known",
        |context, ty| width_bits(context, ty).is_some();
}

fn is_integer(context: &Context, ty: Type) -> bool {
    let ty = canonical(context, ty);
    ty.is_signless_integer(context) || is(context, ty, "hw.int")
}

fn has_inout(context: &Context, ty: Type) -> bool {
    if is(context, ty, "hw.inout") {
        return true;
    }
    let inner = element(context, ty);
    let fields = fields(context, ty).unwrap_or_default();
    inner.is_some_and(|ty| has_inout(context, ty))
        || fields.iter().any(|field| has_inout(context, field.ty))
}

fn is_value(context: &Context, ty: Type) -> bool {
    let ty = canonical(context, ty);
    if matches!(ty.kind(context), TypeKind::Integer { .. })
        || is(context, ty, "hw.int")
        || is(context, ty, "hw.enum")
    {
        return true;
    }
    if is(context, ty, "hw.inout") {
        return false;
    }
    match (element(context, ty), fields(context, ty)) {
        (Some(element), _) => is_value(context, element),
        (_, Some(fields)) => fields.iter().all(|field| is_value(context, field.ty)),
        _ => false,
    }
}

const NAMES: [&str; 8] = [
    "array",
    "uarray",
    "inout",
    "struct",
    "union",
    "enum",
    "typealias",
    "int",
];

/// Parses an element type; types of hw have no prefix there.
fn parse_element(parser: &mut Parser<'_>) -> ParseResult<Type> {
    for name in NAMES {
        if parser.parse_optional_keyword(name) {
            let definition = parser.context().type_definition(&format!("hw.{name}"));
            return (definition.expect("hw declares its types").parse)(parser);
        }
    }
    parser.parse_type()
}

fn print_element(printer: &mut Printer<'_>, element: Attribute) {
    let context = printer.context();
    let Some(ty) = element.as_type(context) else {
        return;
    };
    if let TypeKind::Dialect { name, parameters } = ty.kind(context)
        && let Some(mnemonic) = context.text(*name).strip_prefix("hw.")
        && let Some(definition) = context.type_definition(context.text(*name))
    {
        printer.text(mnemonic);
        return (definition.print)(printer, parameters);
    }
    printer.ty(ty);
}

fn parse_sized(parser: &mut Parser<'_>, name: &'static str) -> ParseResult<Type> {
    let context = parser.context();
    parser.parse_punctuation("<")?;
    let position = parser.position();
    let size = match parser.parse_optional_dimension()? {
        Some(size) => context.i64_attribute(i64::try_from(size).unwrap_or(i64::MAX)),
        None => parser.parse_attribute_with_type(context.integer_type(64))?,
    };
    let is_parameter = matches!(size.kind(context), AttributeKind::Dialect { name, .. }
        if context.text(*name).starts_with("hw.param."));
    if !is_parameter && size.as_i64(context).is_none() {
        return Err(parser.error(position, "unsupported dimension kind in hw.array"));
    }
    parser.parse_dimension_separator()?;
    let element_position = parser.position();
    let element = parse_element(parser)?;
    if has_inout(context, element) {
        let message = format!("invalid element for {name} type");
        return Err(parser.error(element_position, message));
    }
    parser.parse_punctuation(">")?;
    Ok(context.dialect_type(name, &[size, context.type_attribute(element)]))
}

fn print_sized(printer: &mut Printer<'_>, parameters: &[Attribute]) {
    printer.text("<");
    printer.attribute_without_type(parameters[0]);
    printer.text("x");
    print_element(printer, parameters[1]);
    printer.text(">");
}

pub(super) static ARRAY_TYPE: TypeDefinition = TypeDefinition {
    name: "hw.array",
    summary: "An array of a fixed size",
    parse: &|parser| parse_sized(parser, "hw.array"),
    print: &print_sized,
    extension: None,
};

pub(super) static UNPACKED_ARRAY_TYPE: TypeDefinition = TypeDefinition {
    name: "hw.uarray",
    summary: "An unpacked array of a fixed size",
    parse: &|parser| parse_sized(parser, "hw.uarray"),
    print: &print_sized,
    extension: None,
};

pub(super) static INOUT_TYPE: TypeDefinition = TypeDefinition {
    name: "hw.inout",
    summary: "Something that is driven as well as read",
    parse: &|parser| {
        let context = parser.context();
        parser.parse_punctuation("<")?;
        let position = parser.position();
        let element = parse_element(parser)?;
        parser.parse_punctuation(">")?;
        if !is_value(context, element) {
            return Err(parser.error(position, "invalid element for hw.inout type"));
        }
        Ok(inout_type(context, element))
    },
    print: &|printer, parameters| {
        printer.text("<");
        print_element(printer, parameters[0]);
        printer.text(">");
    },
    extension: None,
};

/// Returns `!hw.inout<T>`.
pub fn inout_type(context: &Context, element: Type) -> Type {
    context.dialect_type("hw.inout", &[context.type_attribute(element)])
}

fn parse_fields(parser: &mut Parser<'_>, name: &'static str) -> ParseResult<Type> {
    let context = parser.context();
    let (mut names, mut fields) = (Vec::<String>::new(), Vec::new());
    let mut repeated = Vec::new();
    parser.parse_comma_separated(Delimiter::Angle, |p| {
        let position = p.position();
        let field = match name {
            "hw.struct" => p.parse_keyword_or_string()?,
            _ => p.parse_any_keyword()?.to_owned(),
        };
        let ty = p.parse_colon_type()?;
        let mut offset = 0;
        if name == "hw.union" && p.parse_optional_keyword("offset") {
            offset = p.parse_integer()?;
        }
        if names.contains(&field) {
            repeated.push((position, field.clone()));
        }
        fields.push(context.array_attribute(&[
            context.string_attribute(&field),
            context.type_attribute(ty),
            context.i64_attribute(offset),
        ]));
        names.push(field);
        Ok(())
    })?;
    let mut result = Ok(context.dialect_type(name, &fields));
    for (position, field) in repeated {
        let message = format!("duplicate field name '{field}' in {name} type");
        result = Err(parser.error(position, message));
    }
    result
}

fn print_fields(printer: &mut Printer<'_>, parameters: &[Attribute]) {
    let context = printer.context();
    printer.text("<");
    printer.comma_separated(parameters.iter(), |printer, field| {
        let Some([name, ty, offset]) = field.as_array(context) else {
            return;
        };
        printer.keyword_or_string(name.as_str(context).unwrap_or_default());
        printer.text(": ");
        if let Some(ty) = ty.as_type(context) {
            printer.ty(ty);
        }
        match offset.as_i64(context) {
            None | Some(0) => {}
            Some(offset) => printer.text(&format!(" offset {offset}")),
        }
    });
    printer.text(">");
}

pub(super) static STRUCT_TYPE: TypeDefinition = TypeDefinition {
    name: "hw.struct",
    summary: "Fields side by side, the first one on top",
    parse: &|parser| parse_fields(parser, "hw.struct"),
    print: &print_fields,
    extension: None,
};

pub(super) static UNION_TYPE: TypeDefinition = TypeDefinition {
    name: "hw.union",
    summary: "Fields over the same bits",
    parse: &|parser| parse_fields(parser, "hw.union"),
    print: &print_fields,
    extension: None,
};

pub(super) static ENUM_TYPE: TypeDefinition = TypeDefinition {
    name: "hw.enum",
    summary: "One of some named values, whose encoding is left to synthesis",
    parse: &|parser| {
        let context = parser.context();
        let mut cases = Vec::new();
        parser.parse_comma_separated(Delimiter::Angle, |p| {
            cases.push(context.string_attribute(p.parse_any_keyword()?));
            Ok(())
        })?;
        Ok(context.dialect_type("hw.enum", &cases))
    },
    print: &|printer, parameters| {
        let context = printer.context();
        printer.text("<");
        printer.comma_separated(parameters.iter(), |printer, case| {
            printer.text(case.as_str(context).unwrap_or_default());
        });
        printer.text(">");
    },
    extension: None,
};

pub(super) static ALIAS_TYPE: TypeDefinition = TypeDefinition {
    name: "hw.typealias",
    summary: "A name that `hw.typedecl` gives a type",
    parse: &|parser| {
        let context = parser.context();
        parser.parse_punctuation("<")?;
        let name = parser.parse_attribute()?;
        parser.parse_punctuation(",")?;
        let ty = parser.parse_type()?;
        parser.parse_punctuation(">")?;
        Ok(context.dialect_type("hw.typealias", &[name, context.type_attribute(ty)]))
    },
    print: &|printer, parameters| {
        printer.text("<");
        printer.comma_separated(parameters.iter(), |printer, part| printer.attribute(*part));
        printer.text(">");
    },
    extension: None,
};

pub(super) static INT_TYPE: TypeDefinition = TypeDefinition {
    name: "hw.int",
    summary: "An integer whose width is a parameter",
    parse: &|parser| {
        let context = parser.context();
        parser.parse_punctuation("<")?;
        let position = parser.position();
        let width = parser.parse_attribute_with_type(context.integer_type(32))?;
        parser.parse_punctuation(">")?;
        // With a known width the type is an ordinary integer type.
        let Some(known) = width.as_i64(context) else {
            return Ok(context.dialect_type("hw.int", &[width]));
        };
        match integer_type(context, known) {
            Some(ty) => Ok(ty),
            None => {
                let message = format!("expected a width of 0 to {MAX_INTEGER_WIDTH_BITS} bits");
                Err(parser.error(position, message))
            }
        }
    },
    print: &|printer, parameters| {
        printer.text("<");
        printer.attribute_without_type(parameters[0]);
        printer.text(">");
    },
    extension: None,
};

pub(super) static STRING_TYPE: TypeDefinition = TypeDefinition {
    name: "hw.string",
    summary: "Text",
    parse: &|parser| Ok(parser.context().dialect_type("hw.string", &[])),
    print: &|_, _| {},
    extension: None,
};
