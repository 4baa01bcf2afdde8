//! affine: loops, conditionals and accesses with affine bounds, conditions and subscripts.

mod access;
mod parallel;
mod valid;

use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::text::{
    Argument, Delimiter, OperationState, ParseResult, Parser, Printer, RegionPrinting,
    UnresolvedOperand,
};
use sluice_ir::{TypeKind, ValueId, View};

use crate::constraints::{
    AFFINE_MAP, ANY_ATTRIBUTE, ANY_TYPE, ARRAY, INDEX, INDEX_ATTRIBUTE, INTEGER_SET, MEMREF,
};

sluice_ods::dialect! {
    dialect "affine" { summary: "Affine loops and accesses", groups: [access::OPERATIONS] }

    /// The value of an affine map.
    op Apply = "apply" {
        traits: [PURE],
        operands: { map_operands: variadic INDEX },
        attributes: { map: AFFINE_MAP },
        results: { result: INDEX },
        assembly: custom(parse_map_op, print_map_op),
        verify: valid::verify_map,
    }

    /// The smallest value of an affine map.
    op Min = "min" {
        traits: [PURE],
        operands: { operands: variadic INDEX },
        attributes: { map: AFFINE_MAP },
        results: { result: INDEX },
        assembly: custom(parse_map_op, print_map_op),
        verify: valid::verify_map,
    }

    /// The largest value of an affine map.
    op Max = "max" {
        traits: [PURE],
        operands: { operands: variadic INDEX },
        attributes: { map: AFFINE_MAP },
        results: { result: INDEX },
        assembly: custom(parse_map_op, print_map_op),
        verify: valid::verify_map,
    }

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
        verify: valid::verify_for,
    }

    /// One of two regions, by an integer set.
    op If = "if" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, NO_REGION_ARGUMENTS, DISCARDABLE_ATTRIBUTES],
        rules: [ImplicitTerminator("affine.yield")],
        operands: { operands: variadic ANY_TYPE },
        attributes: { condition: INTEGER_SET },
        results: { results: variadic ANY_TYPE },
        regions: { then_region: sized(1), else_region: max_sized(1) },
        assembly: custom(parse_if, print_if),
        verify: valid::verify_if,
    }

    /// Reads a cell at affine subscripts.
    op Load = "load" {
        operands: { memref: MEMREF, indices: variadic INDEX },
        attributes: { map: AFFINE_MAP },
        results: { result: ANY_TYPE },
        effects: [Read(0)],
        assembly: custom(parse_load, print_load),
        verify: valid::verify_load,
    }

    /// Writes a cell at affine subscripts.
    op Store = "store" {
        operands: { value: ANY_TYPE, memref: MEMREF, indices: variadic INDEX },
        attributes: { map: AFFINE_MAP },
        effects: [Write(1)],
        assembly: custom(parse_store, print_store),
        verify: valid::verify_store,
    }

    /// A nest of loops in any order.
    op Parallel = "parallel" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, LOOP_LIKE],
        rules: [ImplicitTerminator("affine.yield")],
        operands: { map_operands: variadic INDEX },
        attributes: {
            reductions: ARRAY,
            lower_bounds_map("lowerBoundsMap"): AFFINE_MAP,
            lower_bounds_groups("lowerBoundsGroups"): ANY_ATTRIBUTE,
            upper_bounds_map("upperBoundsMap"): AFFINE_MAP,
            upper_bounds_groups("upperBoundsGroups"): ANY_ATTRIBUTE,
            steps: ARRAY,
        },
        results: { results: variadic ANY_TYPE },
        regions: { region: sized(1) },
        assembly: custom(parallel::parse_parallel, parallel::print_parallel),
        verify: parallel::verify_parallel,
    }

    /// Passes values on to the loop or conditional around.
    op Yield = "yield" {
        traits: [PURE, TERMINATOR, RETURN_LIKE],
        operands: { operands: variadic ANY_TYPE },
        assembly: "attr-dict ($operands^ `:` type($operands))?",
    }
}

fn resolve_indices(
    parser: &mut Parser<'_>,
    operands: &[UnresolvedOperand],
    state: &mut OperationState,
) -> ParseResult<()> {
    let index = parser.context().index_type();
    parser.resolve_operands_of_type(operands, index, state)
}

fn parse_map_op(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let map = parser.parse_affine_map()?;
    let position = parser.position();
    let (n_dims, operands) = parser.parse_dimension_and_symbol_operands()?;
    if n_dims != map.n_dims as usize || operands.len() != (map.n_dims + map.n_symbols) as usize {
        return Err(parser.error(position, "dimension or symbol index mismatch"));
    }
    resolve_indices(parser, &operands, state)?;
    state.set_attribute(context, "map", context.affine_map_attribute(map));
    parser.parse_attribute_dictionary(state)?;
    state.add_results(&[context.index_type()]);
    Ok(())
}

fn map_of(view: View<'_>, name: &str) -> AffineMap {
    let map = view
        .attribute(name)
        .and_then(|a| a.as_affine_map(view.context))
        .cloned();
    map.unwrap_or(AffineMap {
        n_dims: 0,
        n_symbols: 0,
        results: Vec::new(),
    })
}

fn print_map_op(printer: &mut Printer<'_>, view: View<'_>) {
    let map = map_of(view, "map");
    printer.text(" ");
    printer.affine_map(&map);
    let operands: Vec<_> = view.operands().collect();
    printer.dimension_and_symbol_operands(&operands, map.n_dims as usize);
    printer.attribute_dictionary(view, &["map"]);
}

/// A bound: a constant, an SSA name, or `max`/`min` of a map of operands.
fn parse_bound(
    parser: &mut Parser<'_>,
    lower: bool,
    state: &mut OperationState,
) -> ParseResult<(AffineMap, usize)> {
    let extremum = parser.parse_optional_keyword(if lower { "max" } else { "min" });
    if !extremum {
        if let Some(operand) = parser.parse_optional_operand()? {
            resolve_indices(parser, &[operand], state)?;
            return Ok((
                AffineMap {
                    n_dims: 0,
                    n_symbols: 1,
                    results: vec![AffineExpr::Symbol(0)],
                },
                1,
            ));
        }
        if let Some(value) = parser.parse_optional_integer()? {
            return Ok((
                AffineMap {
                    n_dims: 0,
                    n_symbols: 0,
                    results: vec![AffineExpr::Constant(value)],
                },
                0,
            ));
        }
    }
    let position = parser.position();
    let map = parser.parse_affine_map()?;
    let (n_dims, operands) = parser.parse_dimension_and_symbol_operands()?;
    if n_dims != map.n_dims as usize {
        return Err(parser.error(
            position,
            "dim operand count and affine map dim count must match",
        ));
    }
    if operands.len() - n_dims != map.n_symbols as usize {
        return Err(parser.error(
            position,
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
    let variable = parser.parse_operand()?;
    let variable_location = parser.parse_optional_location()?;
    parser.parse_punctuation("=")?;
    let (lower, n_lower) = parse_bound(parser, true, state)?;
    parser.parse_keyword("to")?;
    let (upper, n_upper) = parse_bound(parser, false, state)?;
    let mut step = 1;
    if parser.parse_optional_keyword("step") {
        let position = parser.position();
        step = parser.parse_integer()?;
        if step <= 0 {
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
        let position = parser.position();
        let carried = parser.parse_assignment_list()?;
        types = parser.parse_optional_arrow_types()?;
        if types.len() != carried.len() {
            return Err(parser.error(
                position,
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
            AffineExpr::Symbol(0) if map.n_dims == 0 && map.n_symbols == 1 => {
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

fn printing(view: View<'_>) -> RegionPrinting {
    RegionPrinting {
        entry_arguments: false,
        terminators: !view.results().is_empty(),
        empty_block: false,
    }
}

fn parse_if(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let set = parser.parse_integer_set()?;
    let position = parser.position();
    let (n_dims, operands) = parser.parse_dimension_and_symbol_operands()?;
    if n_dims != set.n_dims as usize {
        let message = "dim operand count and integer set dim count must match";
        return Err(parser.error(position, message));
    }
    if operands.len() != (set.n_dims + set.n_symbols) as usize {
        return Err(parser.error(
            position,
            "symbol operand count and integer set symbol count must match",
        ));
    }
    resolve_indices(parser, &operands, state)?;
    state.set_attribute(context, "condition", context.integer_set_attribute(set));
    let types = parser.parse_optional_arrow_types()?;
    state.add_results(&types);
    parser.parse_region(&[], state)?;
    if parser.parse_optional_keyword("else") {
        parser.parse_region(&[], state)?;
    } else {
        parser.add_empty_region(state);
    }
    parser.parse_attribute_dictionary(state)
}

fn print_if(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    let n_dims = view
        .attribute("condition")
        .and_then(|a| a.as_integer_set(view.context))
        .map(|set| {
            printer.integer_set(set);
            set.n_dims as usize
        });
    let operands: Vec<_> = view.operands().collect();
    printer.dimension_and_symbol_operands(&operands, n_dims.unwrap_or(0));
    let results: Vec<_> = view.result_types().collect();
    printer.optional_arrow_types(&results);
    printer.text(" ");
    printer.region(view, 0, printing(view));
    if view.entry_block(1).is_some() {
        printer.text(" else ");
        printer.region(view, 1, printing(view));
    }
    printer.attribute_dictionary(view, &["condition"]);
}

/// `%memref[subscripts]`, then attributes and the type.
fn parse_access(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<(UnresolvedOperand, Vec<UnresolvedOperand>)> {
    let context = parser.context();
    let memref = parser.parse_operand()?;
    let (map, operands) = parser.parse_affine_map_of_operands(Delimiter::Square)?;
    state.set_attribute(context, "map", context.affine_map_attribute(map));
    parser.parse_attribute_dictionary(state)?;
    Ok((memref, operands))
}

fn element_of(parser: &mut Parser<'_>, ty: sluice_ir::Type) -> ParseResult<sluice_ir::Type> {
    let context = parser.context();
    let position = parser.position();
    let TypeKind::MemRef { element, .. } = ty.kind(context) else {
        return Err(parser.error(position, "expected a memref type"));
    };
    Ok(*element)
}

fn parse_load(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let (memref, operands) = parse_access(parser, state)?;
    let ty = parser.parse_colon_type()?;
    let element = element_of(parser, ty)?;
    parser.resolve_operand(memref, ty, state)?;
    resolve_indices(parser, &operands, state)?;
    state.add_results(&[element]);
    Ok(())
}

fn parse_store(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let value = parser.parse_operand()?;
    parser.parse_punctuation(",")?;
    let (memref, operands) = parse_access(parser, state)?;
    let ty = parser.parse_colon_type()?;
    let element = element_of(parser, ty)?;
    parser.resolve_operand(value, element, state)?;
    parser.resolve_operand(memref, ty, state)?;
    resolve_indices(parser, &operands, state)
}

fn print_access(printer: &mut Printer<'_>, view: View<'_>, memref: usize) {
    printer.operand(view.operand(memref));
    printer.text("[");
    let operands: Vec<_> = view.operands().skip(memref + 1).collect();
    printer.affine_map_of_operands(&map_of(view, "map"), &operands);
    printer.text("]");
    printer.attribute_dictionary(view, &["map"]);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(memref)));
}

fn print_load(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    print_access(printer, view, 0);
}

fn print_store(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text(", ");
    print_access(printer, view, 1);
}
