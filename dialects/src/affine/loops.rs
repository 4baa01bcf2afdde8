//! Loops with affine bounds.

use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::definition::RegionPoint;
use sluice_ir::exact::{Exact, trips};
use sluice_ir::text::{Argument, OperationState, ParseResult, Parser, Printer};
use sluice_ir::{Attribute, AttributeKind, Diagnostics, ValueId, View};

use super::{map_of, op_error, printing, resolve_indices};
use crate::affine::scope::check_bound;
use crate::constraints::{AFFINE_MAP, ANY_TYPE, INDEX, INDEX_ATTRIBUTE};
use crate::region_flow::{Edges, argument_types, check_edge, edge, passed_types};
use crate::scf::check_carried;

sluice_ods::dialect! {
    group "affine";

    /// A loop with affine bounds.
    op For = "for" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, LOOP_LIKE, ATTR_SIZED_OPERAND_SEGMENTS, AUTOMATIC_ALLOCATION_SCOPE],
        rules: [ImplicitTerminator("affine.yield")],
        operands: { lower_bound_operands: variadic INDEX, upper_bound_operands: variadic INDEX, inits: variadic ANY_TYPE },
        attributes: {
            lower_bound_map("lowerBoundMap"): AFFINE_MAP,
            upper_bound_map("upperBoundMap"): AFFINE_MAP,
            step: INDEX_ATTRIBUTE,
        },
        results: { results: variadic ANY_TYPE },
        regions: { region: sized(1) },
        assembly: custom(parse_for, print_for),
        verify_regions: verify_for,
        region_flow: for_flow,
        speculatable: goes_by_one,
    }
}

/// Returns true if the step is 1, so the loop certainly ends: a larger step may overflow at the largest number.
fn goes_by_one(view: View<'_>) -> bool {
    let step = view
        .attribute("step")
        .and_then(|step| step.as_i64(view.context));
    step == Some(1)
}

/// Returns the trip count of an `affine.for` with constant bounds.
pub fn constant_trip_count(view: View<'_>) -> Option<Exact> {
    let constant = |name: &str| {
        view.attribute(name)?
            .as_affine_map(view.context)?
            .single_constant()
    };
    let (lower, upper) = (constant("lowerBoundMap")?, constant("upperBoundMap")?);
    let step = view.attribute("step")?.as_exact(view.context)?;
    trips(lower.into(), upper.into(), step.max(Exact::ONE))
}

/// Returns the control flow edges of a loop. A known trip count decides if the loop is entered, and if it is left after one
/// iteration.
fn for_flow(
    view: View<'_>,
    from: RegionPoint,
    terminator: Option<View<'_>>,
    _: &[Option<Attribute>],
) -> Edges {
    let trip_count = constant_trip_count(view);
    let (source, first, repeats, leaves) = match (from, terminator) {
        (RegionPoint::Region(_), Some(last)) => (last, 0, trip_count != Some(Exact::ONE), true),
        _ => {
            let first = view.operand_segment(2).map_or(0, |(first, _)| first);
            let known = trip_count.map(Exact::is_positive);
            (view, first, known != Some(false), known != Some(true))
        }
    };
    let mut edges = Edges::new();
    if repeats {
        edges.push(edge(source, RegionPoint::Region(0), first, 1));
    }
    if leaves {
        edges.push(edge(source, RegionPoint::Parent, first, 0));
    }
    edges
}

/// Parses a bound: a constant, an SSA name, or `max`/`min` of a map of operands.
fn parse_bound(
    parser: &mut Parser<'_>,
    lower: bool,
    state: &mut OperationState,
) -> ParseResult<(AffineMap, usize)> {
    let extremum = parser.parse_optional_keyword(if lower { "max" } else { "min" });
    if !extremum && let Some(operand) = parser.parse_optional_operand()? {
        resolve_indices(parser, &[operand], state)?;
        let map = AffineMap {
            n_dims: 0,
            n_symbols: 1,
            results: vec![AffineExpr::Symbol(0)],
        };
        return Ok((map, 1));
    }
    let position = parser.position();
    let context = parser.context();
    let attribute = parser.parse_attribute_with_type(context.index_type())?;
    let map = match attribute.kind(context) {
        AttributeKind::AffineMap(map) => map.clone(),
        AttributeKind::Integer { value, .. } if !extremum => {
            let value = value.to_i64().unwrap_or_default();
            let map = AffineMap {
                n_dims: 0,
                n_symbols: 0,
                results: vec![AffineExpr::Constant(value)],
            };
            return Ok((map, 0));
        }
        _ => {
            let message = "expected valid affine map representation for loop bounds";
            return Err(parser.error(position, message));
        }
    };
    let (n_dims, operands) = parser.parse_dimension_and_symbol_operands()?;
    if n_dims != map.n_dims as usize {
        return Err(parser.error(
            state.position,
            "dim operand count and affine map dim count must match",
        ));
    }
    if operands.len() - n_dims != map.n_symbols as usize {
        return Err(parser.error(
            state.position,
            "symbol operand count and affine map symbol count must match",
        ));
    }
    if map.results.len() > 1 && !extremum {
        let message = if lower {
            "lower loop bound affine map with multiple results requires 'max' prefix"
        } else {
            "upper loop bound affine map with multiple results requires 'min' prefix"
        };
        return Err(parser.error(position, message));
    }
    resolve_indices(parser, &operands, state)?;
    Ok((map, operands.len()))
}

fn parse_for(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let index = context.index_type();
    let variable = parser.parse_argument_name()?;
    let variable_location = parser.parse_optional_location()?;
    parser.parse_punctuation("=")?;
    let (lower, n_lower) = parse_bound(parser, true, state)?;
    parser.parse_keyword("to")?;
    let (upper, n_upper) = parse_bound(parser, false, state)?;
    let mut step = 1;
    if parser.parse_optional_keyword("step") {
        let position = parser.position();
        let attribute = parser.parse_attribute_with_type(index)?;
        let value = attribute.as_i64(context);
        step =
            value.ok_or_else(|| parser.error(position, "invalid kind of attribute specified"))?;
        if step < 0 {
            return Err(parser.error(
                position,
                "expected step to be representable as a positive signed integer",
            ));
        }
    }
    let mut arguments = vec![Argument {
        location: variable_location,
        ..Argument::new(variable, index)
    }];
    let mut types = Vec::new();
    let mut n_inits = 0;
    if parser.parse_optional_keyword("iter_args") {
        let carried = parser.parse_assignment_list()?;
        types = parser.parse_optional_arrow_types()?;
        if types.len() != carried.len() {
            return Err(parser.error(
                state.position,
                "mismatch between the number of loop-carried values and results",
            ));
        }
        for ((name, init), ty) in carried.into_iter().zip(&types) {
            parser.resolve_operand(init, *ty, state)?;
            arguments.push(Argument::new(name, *ty));
            n_inits += 1;
        }
    }
    state.set_operand_segment_sizes(context, &[n_lower, n_upper, n_inits]);
    state.set_attribute(
        context,
        "lowerBoundMap",
        context.affine_map_attribute(lower),
    );
    state.set_attribute(
        context,
        "upperBoundMap",
        context.affine_map_attribute(upper),
    );
    state.set_attribute(context, "step", context.index_attribute(step));
    state.add_results(&types);
    parser.parse_region(&arguments, state)?;
    parser.parse_attribute_dictionary(state)
}

fn print_bound(printer: &mut Printer<'_>, map: &AffineMap, operands: &[ValueId], prefix: &str) {
    if let [one] = map.results.as_slice() {
        match one {
            AffineExpr::Constant(value) if map.n_dims == 0 && map.n_symbols == 0 => {
                printer.text(&value.to_string());
                return;
            }
            AffineExpr::Symbol(0)
                if map.n_dims == 0 && map.n_symbols == 1 && !operands.is_empty() =>
            {
                printer.operand(operands[0]);
                return;
            }
            _ => {}
        }
    } else {
        printer.text(prefix);
        printer.text(" ");
    }
    printer.affine_map(map);
    printer.dimension_and_symbol_operands(operands, map.n_dims as usize);
}

fn print_for(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.region_argument_name(view, 0, 0);
    printer.text(" = ");
    print_bound(
        printer,
        &map_of(view, "lowerBoundMap"),
        &view.operand_group(0),
        "max",
    );
    printer.text(" to ");
    print_bound(
        printer,
        &map_of(view, "upperBoundMap"),
        &view.operand_group(1),
        "min",
    );
    let step = view
        .attribute("step")
        .and_then(|a| a.as_i64(view.context))
        .unwrap_or(1);
    if step != 1 {
        printer.text(&format!(" step {step}"));
    }
    let inits = view.operand_group(2);
    if !inits.is_empty() {
        printer.text(" iter_args(");
        for (i, init) in inits.iter().enumerate() {
            if i > 0 {
                printer.text(", ");
            }
            printer.region_argument_name(view, 0, 1 + i);
            printer.text(" = ");
            printer.operand(*init);
        }
        printer.text(") -> (");
        printer.types(view.result_types());
        printer.text(")");
    }
    printer.text(" ");
    printer.region(view, 0, printing(view));
    printer.attribute_dictionary(
        view,
        &[
            "lowerBoundMap",
            "upperBoundMap",
            "step",
            "operandSegmentSizes",
        ],
    );
}

fn verify_for(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(block) = view.entry_block(0) else {
        return;
    };
    let all = argument_types(view, block);
    let types = |values: &[ValueId]| values.iter().map(|v| view.ty(*v)).collect::<Vec<_>>();
    let inits = types(&view.operand_group(2));
    let results: Vec<_> = view.result_types().collect();
    let yielded = passed_types(view, block, 0);
    // Upstream subtracts the induction variable from an unsigned number, which wraps.
    let carried = all.get(1..).ok_or("18446744073709551615");
    if let Some(message) = check_carried(view, &inits, carried, &yielded) {
        return op_error(view, diagnostics, message);
    }
    let carried = carried.unwrap_or_default();
    let region = ("Region #0", yielded.as_slice());
    if !check_edge(view, region, ("Region #0", carried), diagnostics)
        || !check_edge(view, region, ("parent results", &results), diagnostics)
    {
        return;
    }
    if all.first().is_none_or(|ty| !ty.is_index(view.context)) {
        let message = "expected body to have a single index argument for the induction variable";
        return op_error(view, diagnostics, message);
    }
    for (group, name) in ["lowerBoundMap", "upperBoundMap"].into_iter().enumerate() {
        if !check_bound(view, name, &view.operand_group(group), diagnostics) {
            return;
        }
    }
    if !results.is_empty() && inits.len() != results.len() {
        let message = "mismatch between the number of loop-carried values and results";
        op_error(view, diagnostics, message);
    }
}
