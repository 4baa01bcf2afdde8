//! `affine.parallel`: bounds in groups, reductions.

use sluice_ir::affine::AffineMap;
use sluice_ir::text::{Argument, Delimiter, OperationState, ParseResult, Parser, Printer};
use sluice_ir::{Attribute, AttributeKind, BlockId, Context, Diagnostics, TypeKind, ValueId, View};

use super::{map_of, printing, resolve_indices};
use crate::memref::access::KINDS;

fn groups_attribute(context: &Context, groups: &[i64]) -> Attribute {
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

pub(super) fn parse_parallel(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let context = parser.context();
    let index = context.index_type();
    let names = parser.parse_operand_list(Delimiter::Paren)?;
    parser.parse_punctuation("=")?;
    let (lower, lower_groups, lower_operands) = parser.parse_affine_groups_of_operands("max")?;
    parser.parse_keyword("to")?;
    let (upper, upper_groups, upper_operands) = parser.parse_affine_groups_of_operands("min")?;
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
        parser.parse_comma_separated(Delimiter::Paren, |p| {
            let position = p.position();
            let name = p.parse_string()?;
            let kind = KINDS.cases.iter().find(|(known, _)| *known == name);
            match kind {
                Some((_, number)) => {
                    reductions.push(KINDS.attribute(context, *number));
                    Ok(())
                }
                None => Err(p.error(position, format!("invalid reduction value: \"{name}\""))),
            }
        })?;
    }
    resolve_indices(parser, &lower_operands, state)?;
    resolve_indices(parser, &upper_operands, state)?;
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

pub(super) fn print_parallel(printer: &mut Printer<'_>, view: View<'_>) {
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
    let n_lower = (lower.n_dims + lower.n_symbols) as usize;
    printer.text(") = (");
    print_bounds(
        printer,
        view,
        &lower,
        ("max", "lowerBoundsGroups"),
        &operands[..n_lower],
    );
    printer.text(") to (");
    print_bounds(
        printer,
        view,
        &upper,
        ("min", "upperBoundsGroups"),
        &operands[n_lower..],
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
            .filter_map(|r| KINDS.keywords(u64::try_from(*r).ok()?));
        let names: Vec<_> = names.map(|n| format!("\"{n}\"")).collect();
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

/// The sizes of the groups of bounds.
fn group_sizes(view: View<'_>, name: &str) -> Vec<usize> {
    let Some(AttributeKind::DenseElements { ty, values, splat }) =
        view.attribute(name).map(|a| a.kind(view.context))
    else {
        return Vec::new();
    };
    let count = ty
        .static_shape(view.context)
        .and_then(|shape| shape.first().copied());
    let count = usize::try_from(count.unwrap_or(0)).unwrap_or(0);
    let size = |i: usize| {
        let value = values.get(if *splat { 0 } else { i })?;
        usize::try_from(value.to_i64()?).ok()
    };
    (0..count).filter_map(size).collect()
}

/// `expr, max(expr, expr)`
fn print_bounds(
    printer: &mut Printer<'_>,
    view: View<'_>,
    map: &AffineMap,
    (keyword, groups): (&str, &str),
    operands: &[ValueId],
) {
    let mut start = 0;
    printer.comma_separated(group_sizes(view, groups), |printer, size| {
        let end = (start + size).min(map.results.len());
        let group = AffineMap {
            n_dims: map.n_dims,
            n_symbols: map.n_symbols,
            results: map.results[start.min(end)..end].to_vec(),
        };
        start = end;
        if size != 1 {
            printer.text(keyword);
            printer.text("(");
        }
        printer.affine_map_of_operands(&group, operands);
        if size != 1 {
            printer.text(")");
        }
    });
}

pub(super) fn verify_parallel(view: View<'_>, diagnostics: &mut Diagnostics) {
    let mut error = |message: &str| {
        diagnostics.error(view.location(), format!("'affine.parallel' op {message}"));
    };
    let context = view.context;
    let n_loops = view
        .entry_block(0)
        .map_or(0, |b| view.inner().arguments(b).len());
    let steps = view.attribute("steps").and_then(|a| a.as_array(context));
    let counts = [
        group_sizes(view, "lowerBoundsGroups"),
        group_sizes(view, "upperBoundsGroups"),
    ];
    if counts.iter().any(|groups| groups.len() != n_loops) || steps.map(<[_]>::len) != Some(n_loops)
    {
        error(
            "the number of region arguments and the number of map groups for lower bounds, upper bounds and steps must match",
        );
        return;
    }
    for (groups, name) in counts.iter().zip(["lowerBoundsMap", "upperBoundsMap"]) {
        if groups.iter().sum::<usize>() != map_of(view, name).results.len() {
            error("expected map groups to cover all the results of the bounds map");
            return;
        }
    }
    let n_inputs: u32 = ["lowerBoundsMap", "upperBoundsMap"]
        .map(|name| map_of(view, name))
        .iter()
        .map(|map| map.n_dims + map.n_symbols)
        .sum();
    if view.operands().len() != n_inputs as usize {
        error("operand count and affine map dimension and symbol count must match");
        return;
    }
    let reductions = view
        .attribute("reductions")
        .and_then(|a| a.as_array(context))
        .unwrap_or_default();
    if reductions.len() != view.results().len() {
        error("a reduction must be specified for each output");
        return;
    }
    for (reduction, ty) in reductions.iter().zip(view.result_types()) {
        let Some(kind) = KINDS.value(context, *reduction) else {
            error("invalid reduction attribute");
            return;
        };
        let is_float = matches!(ty.kind(context), TypeKind::Float(_));
        let is_integer = matches!(ty.kind(context), TypeKind::Integer { .. });
        let fits = match kind {
            0 | 3 | 6 | 9 | 13 | 14 => is_float,
            2 => true,
            // Only where there is a neutral element for the sign: signless integers have none for an order.
            4 | 5 | 7 | 8 => is_integer && !ty.is_signless_integer(context),
            _ => is_integer || ty.is_index(context),
        };
        if !fits {
            error("result type cannot match reduction attribute");
            return;
        }
    }
}
