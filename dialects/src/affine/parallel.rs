//! Nests of loops with affine bounds whose iterations may run in any order.

use sluice_ir::affine::AffineMap;
use sluice_ir::definition::{AttributeCheck, AttributeConstraint, AttributeSyntax};
use sluice_ir::text::{
    Argument, Delimiter, OperationState, ParseResult, Parser, Printer, UnresolvedOperand,
};
use sluice_ir::{
    Attribute, AttributeKind, BlockId, Context, Diagnostics, Type, TypeKind, ValueId, View,
};

use super::scope::check_bound;
use super::{map_of, n_inputs, op_error, printing};
use crate::arith::ATOMIC_KINDS;
use crate::constraints::{AFFINE_MAP, ANY_TYPE, INDEX, INTEGERS};
use crate::region_flow::argument_types;

sluice_ods::dialect! {
    group "affine";

    /// A nest of loops whose iterations may run in any order.
    op Parallel = "parallel" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, LOOP_LIKE, AUTOMATIC_ALLOCATION_SCOPE, SPECULATABLE],
        rules: [ImplicitTerminator("affine.yield")],
        operands: { map_operands: variadic INDEX },
        attributes: {
            reductions: REDUCTIONS,
            lower_bounds_map("lowerBoundsMap"): AFFINE_MAP,
            lower_bounds_groups("lowerBoundsGroups"): GROUPS,
            upper_bounds_map("upperBoundsMap"): AFFINE_MAP,
            upper_bounds_groups("upperBoundsGroups"): GROUPS,
            steps: INTEGERS,
        },
        results: { results: variadic ANY_TYPE },
        regions: { region: sized(1) },
        assembly: custom(parse_parallel, print_parallel),
        custom_if: counts_in_index,
        verify: verify_parallel,
    }
}

/// Kinds of reductions.
static REDUCTIONS: AttributeConstraint = AttributeConstraint {
    summary: "Reduction ops",
    check: AttributeCheck::Is(|context, attribute| {
        let is_kind = |a: &Attribute| ATOMIC_KINDS.value(context, *a).is_some();
        attribute
            .as_array(context)
            .is_some_and(|all| all.iter().all(is_kind))
    }),
    syntax: AttributeSyntax::Generic,
};

/// Number of results of a map for each dimension.
static GROUPS: AttributeConstraint = AttributeConstraint {
    summary: "32-bit signless integer elements attribute",
    check: AttributeCheck::Is(|context, attribute| {
        matches!(attribute.kind(context), AttributeKind::DenseElements { ty, .. }
            if ty.element_type(context) == Some(context.integer_type(32)))
    }),
    syntax: AttributeSyntax::Generic,
};

/// Parses the bounds of all dimensions, each an expression, `max(expressions)` or `min(expressions)`: one map for all, and the
/// number of its results for each dimension.
fn parse_bounds(
    parser: &mut Parser<'_>,
    extremum: &str,
    state: &mut OperationState,
) -> ParseResult<(AffineMap, Vec<i64>)> {
    let mut bounds: Vec<(AffineMap, Vec<UnresolvedOperand>)> = Vec::new();
    parser.parse_comma_separated(Delimiter::Paren, |parser| {
        bounds.push(if parser.parse_optional_keyword(extremum) {
            parser.parse_affine_map_of_operands(Delimiter::Paren)?
        } else {
            parser.parse_affine_expression_of_operands()?
        });
        Ok(())
    })?;
    // Dimensions and symbols of all bounds, each value once.
    let index = parser.context().index_type();
    let (mut dims, mut symbols): (Vec<ValueId>, Vec<ValueId>) = (Vec::new(), Vec::new());
    let mut places = Vec::new();
    for (map, operands) in &bounds {
        let mut place = Vec::new();
        for (i, operand) in operands.iter().enumerate() {
            let value = parser.resolve(*operand, index)?;
            let is_dim = u32::try_from(i).is_ok_and(|i| i < map.n_dims);
            let list = if is_dim { &mut dims } else { &mut symbols };
            let position = list.iter().position(|known| *known == value);
            let position = position.unwrap_or_else(|| {
                list.push(value);
                list.len() - 1
            });
            let position = u32::try_from(position).expect("fewer than 2^32 operands");
            place.push(match is_dim {
                true => sluice_ir::affine::AffineExpr::Dim(position),
                false => sluice_ir::affine::AffineExpr::Symbol(position),
            });
        }
        places.push(place);
    }
    let mut results = Vec::new();
    let mut groups = Vec::new();
    for ((map, _), place) in bounds.iter().zip(&places) {
        let (dims, symbols) = place.split_at(usize::try_from(map.n_dims).unwrap_or(0));
        groups.push(i64::try_from(map.results.len()).expect("fewer than 2^63 bounds"));
        results.extend(
            map.results
                .iter()
                .map(|result| result.substitute(dims, symbols)),
        );
    }
    let count = |list: &[ValueId]| u32::try_from(list.len()).expect("fewer than 2^32 operands");
    let map = AffineMap {
        n_dims: count(&dims),
        n_symbols: count(&symbols),
        results,
    };
    state.operands.extend(dims.into_iter().chain(symbols));
    Ok((map, groups))
}

fn print_bounds(
    printer: &mut Printer<'_>,
    map: &AffineMap,
    groups: &[i64],
    operands: &[ValueId],
    extremum: &str,
) {
    let mut results = map.results.iter();
    printer.comma_separated(groups, |printer, size| {
        let size = usize::try_from(*size).unwrap_or(0);
        let bound = AffineMap {
            n_dims: map.n_dims,
            n_symbols: map.n_symbols,
            results: results.by_ref().take(size).cloned().collect(),
        };
        if size == 1 {
            printer.affine_map_of_operands(&bound, operands);
        } else {
            printer.text(extremum);
            printer.text("(");
            printer.affine_map_of_operands(&bound, operands);
            printer.text(")");
        }
    });
}

/// Returns the attribute of the number of results of a map for each dimension.
pub fn groups_attribute(context: &Context, groups: &[i64]) -> Attribute {
    let i32_type = context.integer_type(32);
    let n = u64::try_from(groups.len()).unwrap_or(0);
    let ty = context.ty(TypeKind::RankedTensor {
        shape: [Some(n)].into(),
        element: i32_type,
        encoding: None,
    });
    let values: Vec<_> = groups
        .iter()
        .map(|g| sluice_ir::bits::Bits::from_i64(32, *g))
        .collect();
    let splat = !values.is_empty() && values.iter().all(|v| *v == values[0]);
    let values = if splat {
        values[..1].into()
    } else {
        values.into()
    };
    context.attribute(AttributeKind::DenseElements { ty, values, splat })
}

/// Returns the number of results of a map for each dimension.
pub fn groups(view: View<'_>, name: &str) -> Vec<i64> {
    let Some(AttributeKind::DenseElements { ty, values, splat }) =
        view.attribute(name).map(|a| a.kind(view.context))
    else {
        return Vec::new();
    };
    let numbers = values.iter().map(|value| value.to_i64().unwrap_or(0));
    if !*splat {
        return numbers.collect();
    }
    let n = ty.n_elements(view.context).unwrap_or_default();
    let one: Vec<_> = numbers.collect();
    vec![one[0]; n.to_usize().unwrap_or(0)]
}

fn parse_parallel(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let index = context.index_type();
    let names = parser.parse_argument_names(Delimiter::Paren)?;
    parser.parse_punctuation("=")?;
    let (lower, lower_groups) = parse_bounds(parser, "max", state)?;
    parser.parse_keyword("to")?;
    let (upper, upper_groups) = parse_bounds(parser, "min", state)?;
    let mut steps = vec![1; names.len()];
    if parser.parse_optional_keyword("step") {
        steps.clear();
        parser.parse_comma_separated(Delimiter::Paren, |p| {
            steps.push(p.parse_integer()?);
            Ok(())
        })?;
    }
    let mut reductions = Vec::new();
    if parser.parse_optional_keyword("reduce") {
        parser.parse_comma_separated(Delimiter::Paren, |parser| {
            let position = parser.position();
            let name = parser.parse_string()?;
            let kind = ATOMIC_KINDS.cases.iter().find(|(kind, _)| *kind == name);
            let Some((_, number)) = kind else {
                let message = format!("invalid reduction value: \"{name}\"");
                return Err(parser.error(position, message));
            };
            reductions.push(ATOMIC_KINDS.attribute(context, *number));
            Ok(())
        })?;
    }
    let types = parser.parse_optional_arrow_types()?;
    state.add_results(&types);
    state.set_attribute(context, "reductions", context.array_attribute(&reductions));
    state.set_attribute(
        context,
        "lowerBoundsMap",
        context.affine_map_attribute(lower),
    );
    state.set_attribute(
        context,
        "lowerBoundsGroups",
        groups_attribute(context, &lower_groups),
    );
    state.set_attribute(
        context,
        "upperBoundsMap",
        context.affine_map_attribute(upper),
    );
    state.set_attribute(
        context,
        "upperBoundsGroups",
        groups_attribute(context, &upper_groups),
    );
    let steps: Vec<_> = steps
        .into_iter()
        .map(|s| context.i64_attribute(s))
        .collect();
    state.set_attribute(context, "steps", context.array_attribute(&steps));
    let arguments: Vec<_> = names
        .into_iter()
        .map(|name| Argument::new(name, index))
        .collect();
    parser.parse_region(&arguments, state)?;
    parser.parse_attribute_dictionary(state)
}

/// Returns true if all loop variables are of type `index`: the custom form does not state their types.
fn counts_in_index(view: View<'_>) -> bool {
    let block = view.entry_block(0);
    let arguments = block.map(|block| argument_types(view, block));
    arguments.is_none_or(|types| types.iter().all(|ty| ty.is_index(view.context)))
}

fn print_parallel(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" (");
    let block: Option<BlockId> = view.entry_block(0);
    let n = block.map_or(0, |b| view.inner().arguments(b).len());
    for i in 0..n {
        if i > 0 {
            printer.text(", ");
        }
        printer.region_argument_name(view, 0, i);
    }
    let (lower, upper) = (
        map_of(view, "lowerBoundsMap"),
        map_of(view, "upperBoundsMap"),
    );
    let operands: Vec<_> = view.operands().collect();
    let (first, second) = operands.split_at(n_inputs(&lower).min(operands.len()));
    printer.text(") = (");
    print_bounds(
        printer,
        &lower,
        &groups(view, "lowerBoundsGroups"),
        first,
        "max",
    );
    printer.text(") to (");
    print_bounds(
        printer,
        &upper,
        &groups(view, "upperBoundsGroups"),
        second,
        "min",
    );
    printer.text(")");
    let integers = |name: &str| -> Vec<i64> {
        let array = view
            .attribute(name)
            .and_then(|a| a.as_array(view.context))
            .unwrap_or_default();
        array
            .iter()
            .filter_map(|a| a.as_i64(view.context))
            .collect()
    };
    let steps = integers("steps");
    if steps.iter().any(|s| *s != 1) {
        let steps: Vec<_> = steps.iter().map(i64::to_string).collect();
        printer.text(&format!(" step ({})", steps.join(", ")));
    }
    let reductions = integers("reductions");
    if !reductions.is_empty() {
        let names = reductions
            .iter()
            .filter_map(|number| ATOMIC_KINDS.keywords(u64::try_from(*number).ok()?));
        let names: Vec<_> = names.map(|name| format!("\"{name}\"")).collect();
        printer.text(&format!(" reduce ({}) -> (", names.join(", ")));
        printer.types(view.result_types());
        printer.text(")");
    }
    printer.text(" ");
    printer.region(view, 0, printing(view));
    let elided = [
        "reductions",
        "lowerBoundsMap",
        "lowerBoundsGroups",
        "upperBoundsMap",
        "upperBoundsGroups",
        "steps",
    ];
    printer.attribute_dictionary(view, &elided);
}

/// Returns true if values of a type can be reduced with this kind of reduction.
fn is_reducible(context: &Context, ty: Type, kind: u64) -> bool {
    let is_float = matches!(ty.kind(context), TypeKind::Float(_));
    let is_integer = matches!(ty.kind(context), TypeKind::Integer { .. });
    match ATOMIC_KINDS.keywords(kind).as_deref() {
        Some("addf" | "mulf" | "maximumf" | "minimumf") => is_float,
        Some("addi" | "muli" | "maxs" | "mins" | "maxu" | "minu" | "ori" | "andi") => is_integer,
        Some("assign") => true,
        _ => false,
    }
}

fn verify_parallel(view: View<'_>, diagnostics: &mut Diagnostics) {
    if let Err(message) = check_parallel(view) {
        return op_error(view, diagnostics, message);
    }
    let operands: Vec<_> = view.operands().collect();
    let n_lower = n_inputs(&map_of(view, "lowerBoundsMap")).min(operands.len());
    let (lower, upper) = operands.split_at(n_lower);
    if check_bound(view, "lowerBoundsMap", lower, diagnostics) {
        check_bound(view, "upperBoundsMap", upper, diagnostics);
    }
}

fn check_parallel(view: View<'_>) -> Result<(), String> {
    let context = view.context;
    let Some(block) = view.entry_block(0) else {
        return Ok(());
    };
    let array = |name: &str| {
        let array = view.attribute(name).and_then(|a| a.as_array(context));
        array.unwrap_or_default()
    };
    let n_arguments = argument_types(view, block).len();
    let (lower, upper) = (
        groups(view, "lowerBoundsGroups"),
        groups(view, "upperBoundsGroups"),
    );
    let n_steps = array("steps").len();
    if [n_arguments, lower.len(), upper.len()]
        .iter()
        .any(|n| *n != n_steps)
    {
        return Err(format!(
            "the number of region arguments ({n_arguments}) and the number of map groups for lower ({}) and upper bound \
             ({}), and the number of steps ({n_steps}) must all match",
            lower.len(),
            upper.len()
        ));
    }
    for (what, groups, name) in [
        ("lower", &lower, "lowerBoundsMap"),
        ("upper", &upper, "upperBoundsMap"),
    ] {
        let wanted: i128 = groups.iter().map(|n| i128::from(*n)).sum();
        if i128::try_from(map_of(view, name).results.len()) != Ok(wanted) {
            return Err(format!(
                "expected {what} bounds map to have {wanted} results"
            ));
        }
    }
    let reductions = array("reductions");
    if reductions.len() != view.results().len() {
        return Err("a reduction must be specified for each output".to_owned());
    }
    for (kind, ty) in reductions.iter().zip(view.result_types()) {
        let fits = ATOMIC_KINDS
            .value(context, *kind)
            .is_some_and(|kind| is_reducible(context, ty, kind));
        if !fits {
            return Err("result type cannot match reduction attribute".to_owned());
        }
    }
    Ok(())
}
