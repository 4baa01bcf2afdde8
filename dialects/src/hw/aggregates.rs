//! Operations that create, access and change arrays, structures and unions.

use smallvec::{SmallVec, smallvec};

use sluice_ir::bits::Bits;
use sluice_ir::definition::Site;
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer};
use sluice_ir::types::TypeKind;
use sluice_ir::{Attribute, Context, Diagnostics, Type, View};

use super::types::{
    AGGREGATE, ARRAY_VALUE, INTEGER_TYPE, NOT_INOUT, STRUCT_VALUE, UNION_VALUE, array_parts,
    array_type, canonical, element, fields, is,
};
use super::{op_error, quoted};
use crate::constraints::{ANY_TYPE, ARRAY, I32};

sluice_ods::dialect! {
    group "hw";

    /// A constant array or structure.
    op AggregateConstant = "aggregate_constant" {
        traits: [PURE, CONSTANT_LIKE],
        attributes: { fields: ARRAY },
        results: { result: AGGREGATE },
        assembly: "$fields attr-dict `:` type($result)",
        verify: verify_constant,
    }

    /// An array of values, the first one at the highest index.
    op ArrayCreate = "array_create" {
        traits: [PURE, SAME_TYPE_OPERANDS],
        operands: { inputs: variadic NOT_INOUT },
        results: { result: ARRAY_VALUE },
        assembly: custom(parse_array_create, print_array_create),
        verify: verify_array_create,
    }

    /// Concatenation of arrays, the first at the highest indices.
    op ArrayConcat = "array_concat" {
        traits: [PURE],
        operands: { inputs: variadic ARRAY_VALUE },
        results: { result: ARRAY_VALUE },
        assembly: custom(parse_array_concat, print_array_concat),
        rules: [Predicate { summary: "the result has all elements of the inputs", check: concat_fits }],
    }

    /// Some elements from an index on.
    op ArraySlice = "array_slice" {
        traits: [PURE],
        operands: { input: ARRAY_VALUE, low_index: INTEGER_TYPE },
        results: { dst: ARRAY_VALUE },
        assembly: custom(parse_array_slice, print_array_slice),
        verify: verify_array_slice,
    }

    /// One element of an array.
    op ArrayGet = "array_get" {
        traits: [PURE],
        operands: { input: ARRAY_VALUE, index: INTEGER_TYPE },
        results: { result: NOT_INOUT },
        rules: [TypesMatchWith {
            summary: "must match array element type",
            from: "input",
            to: "result",
            transform: |context, ty| element(context, ty),
        }],
        assembly: "$input `[` $index `]` attr-dict `:` type($input) `,` type($index)",
        verify: verify_index,
    }

    /// An array with one element replaced.
    op ArrayInject = "array_inject" {
        traits: [PURE],
        operands: { input: ARRAY_VALUE, index: INTEGER_TYPE, element: ANY_TYPE },
        results: { result: ARRAY_VALUE },
        rules: [
            AllTypesMatch(&["input", "result"]),
            TypesMatchWith {
                summary: "must match array element type",
                from: "input",
                to: "element",
                transform: |context, ty| element(context, ty),
            }
        ],
        assembly: "$input `[` $index `]` `,` $element attr-dict `:` type($input) `,` type($index)",
        verify: verify_index,
    }

    /// A structure of values.
    op StructCreate = "struct_create" {
        traits: [PURE],
        operands: { input: variadic NOT_INOUT },
        results: { result: STRUCT_VALUE },
        assembly: custom(parse_struct_create, print_struct_create),
        verify: verify_struct_create,
    }

    /// A field of a structure.
    op StructExtract = "struct_extract" {
        traits: [PURE],
        operands: { input: STRUCT_VALUE },
        attributes: { field_index("fieldIndex"): I32 },
        results: { result: NOT_INOUT },
        assembly: custom(parse_extract, print_extract),
        names: field_name_of,
        verify: verify_extract,
    }

    /// A structure with one field replaced.
    op StructInject = "struct_inject" {
        traits: [PURE],
        operands: { input: STRUCT_VALUE, new_value: NOT_INOUT },
        attributes: { field_index("fieldIndex"): I32 },
        results: { result: STRUCT_VALUE },
        rules: [AllTypesMatch(&["input", "result"])],
        assembly: custom(parse_struct_inject, print_struct_inject),
        verify: verify_inject,
    }

    /// All fields of a structure.
    op StructExplode = "struct_explode" {
        traits: [PURE],
        operands: { input: STRUCT_VALUE },
        results: { result: variadic NOT_INOUT },
        assembly: custom(parse_struct_explode, print_struct_explode),
        rules: [Predicate { summary: "the results are the fields of the struct", check: explode_fits }],
        names: field_names,
    }

    /// A union with a value in one of its fields.
    op UnionCreate = "union_create" {
        traits: [PURE],
        operands: { input: NOT_INOUT },
        attributes: { field_index("fieldIndex"): I32 },
        results: { result: UNION_VALUE },
        assembly: custom(parse_union_create, print_union_create),
        verify: verify_union_create,
    }

    /// A field of a union.
    op UnionExtract = "union_extract" {
        traits: [PURE],
        operands: { input: UNION_VALUE },
        attributes: { field_index("fieldIndex"): I32 },
        results: { result: NOT_INOUT },
        assembly: custom(parse_extract, print_extract),
        infer: union_field_type,
        verify: verify_extract,
    }
}

/// Returns the width of an index into an array of `size` elements.
pub(super) fn index_width_bits(size: u64) -> u32 {
    match size {
        // As in CIRCT: the logarithm of zero.
        0 => 64,
        size => size.next_power_of_two().trailing_zeros(),
    }
}

fn verify_index(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let Some((size, _)) = array_parts(context, view.ty(view.operand(0))) else {
        return;
    };
    let width = canonical(context, view.ty(view.operand(1))).width_bits(context);
    let wanted = index_width_bits(size);
    let fits = width == Some(wanted) || size == 1 && matches!(width, Some(0 | 1));
    if !fits {
        let message = "failed to verify that index bit width equals ceil(log2(length(input))), or 0 or 1 if input \
                       contains only one element";
        op_error(view, diagnostics, message);
    }
}

fn verify_constant(view: View<'_>, diagnostics: &mut Diagnostics) {
    let fields = view.attribute("fields");
    if let Some(value) = fields
        && let Err(message) = check_constant(view.context, view.ty(view.result(0)), value)
    {
        op_error(view, diagnostics, message);
    }
}

fn check_constant(context: &Context, ty: Type, value: Attribute) -> Result<(), String> {
    let ty = canonical(context, ty);
    if let Some(parts) = fields(context, ty).filter(|_| is(context, ty, "hw.struct")) {
        let values = value.as_array(context);
        let values = values.filter(|values| values.len() == parts.len());
        let values = values.ok_or_else(|| {
            let found = value.as_array(context).map_or(0, <[_]>::len);
            format!(
                "array attribute ({found}) has wrong size for struct constant ({})",
                parts.len()
            )
        })?;
        return parts
            .iter()
            .zip(values)
            .try_for_each(|(field, value)| check_constant(context, field.ty, *value));
    }
    let array = super::types::parameters(context, ty, "hw.array").or(super::types::parameters(
        context,
        ty,
        "hw.uarray",
    ));
    if let Some([size, element]) = array {
        let size = size.as_i64(context).unwrap_or(0);
        let values = value.as_array(context).unwrap_or_default();
        if i64::try_from(values.len()) != Ok(size) {
            return Err(format!(
                "array attribute ({}) has wrong size for array constant ({size})",
                values.len()
            ));
        }
        let element = element.as_type(context).unwrap_or(ty);
        return values
            .iter()
            .try_for_each(|value| check_constant(context, element, *value));
    }
    if is(context, ty, "hw.enum") {
        return match value.as_str(context) {
            Some(_) => Ok(()),
            None => Err(format!("expected a case of {}", quoted(context, ty))),
        };
    }
    match (ty.kind(context), value.integer(context)) {
        (TypeKind::Integer { .. }, Some(_)) if value.ty(context) == Some(ty) => Ok(()),
        (TypeKind::Integer { .. }, _) => Err(format!(
            "typed attribute doesn't match the return type {}",
            quoted(context, ty)
        )),
        _ => Err(format!("unknown element type {}", quoted(context, ty))),
    }
}

fn parse_array_create(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let position = parser.position();
    let operands = parser.parse_operand_list(sluice_ir::text::Delimiter::NoneOrEmpty)?;
    parser.parse_attribute_dictionary(state)?;
    let element = parser.parse_colon_type()?;
    if operands.is_empty() {
        return Err(parser.error(position, "Cannot construct an array of length 0"));
    }
    let ty = match parser.parse_optional_punctuation("->") {
        true => parser.parse_type()?,
        false => array_type(context, operands.len() as u64, element),
    };
    state.add_results(&[ty]);
    parser.resolve_operands_of_type(&operands, element, state)
}

fn print_array_create(printer: &mut Printer<'_>, view: View<'_>) {
    let context = view.context;
    let element = view.operands().next().map(|operand| view.ty(operand));
    let Some(element) = element else {
        return;
    };
    printer.text(" ");
    printer.operands(view.operands());
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    printer.ty(element);
    let plain = array_type(context, view.operands().len() as u64, element);
    let ty = view.ty(view.result(0));
    if ty != plain {
        printer.text(" -> ");
        printer.ty(ty);
    }
}

fn verify_array_create(view: View<'_>, diagnostics: &mut Diagnostics) {
    let parts = array_parts(view.context, view.ty(view.result(0)));
    let found = view.operands().len();
    if let Some((size, _)) = parts
        && size != found as u64
    {
        let message =
            format!("expected {size} operands, as the array has elements, but got {found}");
        op_error(view, diagnostics, message);
    }
}

/// Returns true if the size of the result fits: arrays of parametric size may be joined to any size.
fn concat_fits(view: View<'_>) -> bool {
    let context = view.context;
    let (mut total, mut first) = (0u64, None);
    for ty in view.operand_types() {
        let Some((size, element)) = array_parts(context, ty) else {
            return true;
        };
        if first.is_some_and(|first| first != element) {
            return false;
        }
        first = Some(element);
        total = total.saturating_add(size);
    }
    first.is_some_and(|element| {
        let result = canonical(context, view.ty(view.result(0)));
        result == array_type(context, total, element)
    })
}

fn explode_fits(view: View<'_>) -> bool {
    let parts = fields(view.context, view.ty(view.operand(0)));
    let parts = parts.unwrap_or_default();
    view.result_types().eq(parts.iter().map(|field| field.ty))
}

fn parse_array_concat(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let position = parser.position();
    let operands = parser.parse_operand_list(sluice_ir::text::Delimiter::None)?;
    parser.parse_attribute_dictionary(state)?;
    parser.parse_punctuation(":")?;
    let mut types = Vec::new();
    let (mut total, mut first) = (0u64, None);
    loop {
        let ty = parser.parse_type()?;
        let here = parser.position();
        let Some((size, element)) = array_parts(context, ty) else {
            return Err(parser.error(here, "Expected !hw.array type"));
        };
        if let Some(first) = first.filter(|first| *first != element) {
            let message = format!("Expected array element type {}", quoted(context, first));
            return Err(parser.error(here, message));
        }
        first = Some(element);
        total = total.saturating_add(size);
        types.push(ty);
        if !parser.parse_optional_punctuation(",") {
            break;
        }
    }
    if let Some(element) = first {
        state.add_results(&[array_type(context, total, element)]);
    }
    parser.resolve_operands(&operands, &types, position, state)
}

fn print_array_concat(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operands(view.operands());
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    printer.types(view.operand_types());
}

fn parse_array_slice(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let input = parser.parse_operand()?;
    parser.parse_punctuation("[")?;
    let index = parser.parse_operand()?;
    parser.parse_punctuation("]")?;
    parser.parse_attribute_dictionary(state)?;
    parser.parse_punctuation(":")?;
    parser.parse_punctuation("(")?;
    let ty = parser.parse_type()?;
    let Some((size, _)) = array_parts(context, ty) else {
        return Err(parser.error_here("Expected !hw.array type"));
    };
    parser.parse_punctuation(")")?;
    parser.parse_punctuation("->")?;
    let result = parser.parse_type()?;
    state.add_results(&[result]);
    parser.resolve_operand(input, ty, state)?;
    let index_type = context.integer_type(index_width_bits(size));
    parser.resolve_operand(index, index_type, state)
}

fn print_array_slice(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text("[");
    printer.operand(view.operand(1));
    printer.text("]");
    printer.attribute_dictionary(view, &[]);
    printer.text(" : (");
    printer.ty(view.ty(view.operand(0)));
    printer.text(") -> ");
    printer.ty(view.ty(view.result(0)));
}

fn verify_array_slice(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let (Some((size, element)), Some((_, part_element))) =
        (array_parts(context, from), array_parts(context, to))
    else {
        return;
    };
    let width = canonical(context, view.ty(view.operand(1))).width_bits(context);
    let message = if element != part_element {
        "input array element types must match"
    } else if width != Some(index_width_bits(size)) {
        "ArraySlice: index width must match clog2 of array size"
    } else {
        return;
    };
    op_error(view, diagnostics, message);
}

fn parse_struct_create(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let position = parser.position();
    let operands = parser.parse_operand_list(sluice_ir::text::Delimiter::Paren)?;
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    let parts = fields(context, ty).filter(|_| is(context, ty, "hw.struct"));
    let Some(parts) = parts else {
        return Err(parser.error(state.position, "expected !hw.struct type or alias"));
    };
    let types: Vec<_> = parts.iter().map(|field| field.ty).collect();
    state.add_results(&[ty]);
    parser.resolve_operands(&operands, &types, position, state)
}

fn print_struct_create(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" (");
    printer.operands(view.operands());
    printer.text(")");
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    printer.ty(view.ty(view.result(0)));
}

fn verify_struct_create(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let parts = fields(context, view.ty(view.result(0))).unwrap_or_default();
    if parts.len() != view.operands().len() {
        return op_error(view, diagnostics, "structure field count mismatch");
    }
    for (field, ty) in parts.iter().zip(view.operand_types()) {
        if field.ty != ty {
            let message = format!("structure field `{}` type does not match", field.name);
            return op_error(view, diagnostics, message);
        }
    }
}

/// Parses `["name"]` of a field; sets the index of the field as an attribute.
fn parse_field(parser: &mut Parser<'_>) -> ParseResult<String> {
    parser.parse_punctuation("[")?;
    let name = parser.parse_string()?;
    parser.parse_punctuation("]")?;
    Ok(name)
}

fn set_field(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    name: &str,
    ty: Type,
) -> ParseResult<Type> {
    let context = parser.context();
    let parts = fields(context, ty).unwrap_or_default();
    let Some(index) = parts.iter().position(|field| field.name == name) else {
        let message = format!("field name '{name}' not found in aggregate type");
        return Err(parser.error(state.position, message));
    };
    let value = Bits::from_u64(32, index as u64);
    let value = context.integer_attribute(context.integer_type(32), value);
    state.set_attribute(context, "fieldIndex", value);
    Ok(parts[index].ty)
}

fn parse_extract(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let operand = parser.parse_operand()?;
    let name = parse_field(parser)?;
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    let wanted = match context.operation_text(state.name) {
        "hw.union_extract" => "hw.union",
        _ => "hw.struct",
    };
    if !is(context, ty, wanted) {
        return Err(parser.error(state.position, "invalid kind of type specified"));
    }
    let result = set_field(parser, state, &name, ty)?;
    state.add_results(&[result]);
    parser.resolve_operand(operand, ty, state)
}

/// Returns the name of the field of type `ty` whose index is attribute `fieldIndex`.
fn field_name(view: View<'_>, ty: Type) -> String {
    let index = view.attribute("fieldIndex");
    let index = index.and_then(|a| a.as_i64(view.context));
    let index = index.and_then(|index| usize::try_from(index).ok());
    let mut all = fields(view.context, ty).unwrap_or_default();
    match index.filter(|index| *index < all.len()) {
        Some(index) => all.swap_remove(index).name,
        None => String::new(),
    }
}

fn field_name_of(view: View<'_>) -> Vec<Option<String>> {
    let name = field_name(view, view.ty(view.operand(0)));
    vec![Some(name).filter(|name| !name.is_empty())]
}

fn field_names(view: View<'_>) -> Vec<Option<String>> {
    let all = fields(view.context, view.ty(view.operand(0))).unwrap_or_default();
    all.into_iter().map(|field| Some(field.name)).collect()
}

fn print_extract(printer: &mut Printer<'_>, view: View<'_>) {
    let ty = view.ty(view.operand(0));
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text("[");
    printer.quoted(field_name(view, ty).as_bytes());
    printer.text("]");
    printer.attribute_dictionary(view, &["fieldIndex"]);
    printer.text(" : ");
    printer.ty(ty);
}

/// Checks the type of the indexed field; returns an error if there is no such field.
fn check_field(view: View<'_>, aggregate: Type, accessed: Type) -> Result<(), String> {
    let context = view.context;
    let index = view.attribute("fieldIndex");
    let index = index.and_then(|a| a.as_i64(context)).unwrap_or(0);
    let all = fields(context, aggregate).unwrap_or_default();
    let field = usize::try_from(index).ok().and_then(|index| all.get(index));
    let Some(field) = field else {
        return Err(format!(
            "field index {index} exceeds element count of aggregate type"
        ));
    };
    if canonical(context, field.ty) != canonical(context, accessed) {
        return Err(format!(
            "type {} of accessed field in aggregate at index {index} does not match expected type {}",
            quoted(context, field.ty),
            quoted(context, accessed)
        ));
    }
    Ok(())
}

fn verify_extract(view: View<'_>, diagnostics: &mut Diagnostics) {
    let (aggregate, field) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    if let Err(message) = check_field(view, aggregate, field) {
        op_error(view, diagnostics, message);
    }
}

fn verify_inject(view: View<'_>, diagnostics: &mut Diagnostics) {
    let (aggregate, field) = (view.ty(view.operand(0)), view.ty(view.operand(1)));
    if let Err(message) = check_field(view, aggregate, field) {
        op_error(view, diagnostics, message);
    }
}

fn verify_union_create(view: View<'_>, diagnostics: &mut Diagnostics) {
    let (aggregate, field) = (view.ty(view.result(0)), view.ty(view.operand(0)));
    if let Err(message) = check_field(view, aggregate, field) {
        op_error(view, diagnostics, message);
    }
}

fn union_field_type(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    let context = site.context;
    let index = site.attribute("fieldIndex");
    let index = index.and_then(|a| a.as_i64(context)).unwrap_or(0);
    let ty = site.operand_types.first().ok_or("a union is needed")?;
    let all = fields(context, *ty).unwrap_or_default();
    let field = usize::try_from(index).ok().and_then(|index| all.get(index));
    match field {
        Some(field) => Ok(smallvec![field.ty]),
        None => Err(format!(
            "field index {index} exceeds element count of aggregate type"
        )),
    }
}

fn parse_struct_inject(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let position = parser.position();
    let operand = parser.parse_operand()?;
    let name = parse_field(parser)?;
    parser.parse_punctuation(",")?;
    let value = parser.parse_operand()?;
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    if !is(context, ty, "hw.struct") {
        return Err(parser.error(position, "invalid kind of type specified"));
    }
    let field = set_field(parser, state, &name, ty)?;
    state.add_results(&[ty]);
    parser.resolve_operand(operand, ty, state)?;
    parser.resolve_operand(value, field, state)
}

fn print_struct_inject(printer: &mut Printer<'_>, view: View<'_>) {
    let ty = view.ty(view.operand(0));
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text("[");
    printer.quoted(field_name(view, ty).as_bytes());
    printer.text("], ");
    printer.operand(view.operand(1));
    printer.attribute_dictionary(view, &["fieldIndex"]);
    printer.text(" : ");
    printer.ty(ty);
}

fn parse_struct_explode(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let operand = parser.parse_operand()?;
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    let parts = fields(context, ty).filter(|_| is(context, ty, "hw.struct"));
    let Some(parts) = parts else {
        return Err(parser.error(state.position, "invalid kind of type specified"));
    };
    let types: Vec<_> = parts.iter().map(|field| field.ty).collect();
    state.add_results(&types);
    parser.resolve_operand(operand, ty, state)
}

fn print_struct_explode(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
}

fn parse_union_create(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let position = parser.position();
    let name = parser.parse_string()?;
    parser.parse_punctuation(",")?;
    let operand = parser.parse_operand()?;
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    if !is(context, ty, "hw.union") {
        return Err(parser.error(state.position, "expected !hw.union type or alias"));
    }
    let all = fields(context, ty).unwrap_or_default();
    if all.iter().all(|field| field.name != name) {
        return Err(parser.error(position, format!("cannot find union field '{name}'")));
    }
    let field = set_field(parser, state, &name, ty)?;
    state.add_results(&[ty]);
    parser.resolve_operand(operand, field, state)
}

fn print_union_create(printer: &mut Printer<'_>, view: View<'_>) {
    let ty = view.ty(view.result(0));
    printer.text(" ");
    printer.quoted(field_name(view, ty).as_bytes());
    printer.text(", ");
    printer.operand(view.operand(0));
    printer.attribute_dictionary(view, &["fieldIndex"]);
    printer.text(" : ");
    printer.ty(ty);
}
