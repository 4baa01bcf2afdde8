//! Accesses beyond load and store: atomic ones, prefetches, transfers; and scopes of allocation.

use sluice_ir::definition::{
    AttributeConstraint, AttributeSyntax, EnumDefinition, EnumStorage, TraitRule,
};
use sluice_ir::text::{
    Delimiter, OperationState, ParseResult, Parser, Printer, RegionPrinting, UnresolvedOperand,
    print_type,
};
use sluice_ir::{Diagnostics, Type, TypeKind, View};

use crate::constraints::{ANY_TYPE, BOOL, I32, I64, INDEX, MEMREF};

pub(crate) static KINDS: EnumDefinition = EnumDefinition {
    name: "AtomicRMWKind",
    storage: EnumStorage::Integer(64),
    cases: &[
        ("addf", 0),
        ("addi", 1),
        ("assign", 2),
        ("maximumf", 3),
        ("maxs", 4),
        ("maxu", 5),
        ("minimumf", 6),
        ("mins", 7),
        ("minu", 8),
        ("mulf", 9),
        ("muli", 10),
        ("ori", 11),
        ("andi", 12),
        ("maxnumf", 13),
        ("minnumf", 14),
    ],
    flags: false,
};

static KIND: AttributeConstraint = AttributeConstraint {
    summary: "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14",
    check: |context, a| KINDS.value(context, a).is_some(),
    syntax: AttributeSyntax::Enumeration(&KINDS),
};

sluice_ods::dialect! {
    group "memref";

    /// Combines a cell with a value, in one piece; the result is the value before.
    op AtomicRmw = "atomic_rmw" {
        operands: { value: ANY_TYPE, memref: MEMREF, indices: variadic INDEX },
        attributes: { kind: KIND },
        results: { result: ANY_TYPE },
        rules: [
            TraitRule::AllTypesMatch(&["value", "result"]),
            TraitRule::TypesMatchWith {
                summary: "value type matches element type of memref",
                from: "memref",
                to: "value",
                transform: |context, ty| ty.element_type(context),
            }
        ],
        effects: [Read(1), Write(1)],
        assembly: "$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) `)` `->` type($result)",
        verify: verify_atomic,
    }

    /// Replaces a cell by what its region makes of it, in one piece; the result is the value before.
    op GenericAtomicRmw = "generic_atomic_rmw" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS],
        operands: { memref: MEMREF, indices: variadic INDEX },
        results: { result: ANY_TYPE },
        regions: { atomic_body: any },
        rules: [
            TraitRule::TypesMatchWith {
                summary: "result type matches element type of memref",
                from: "memref",
                to: "result",
                transform: |context, ty| ty.element_type(context),
            },
            TraitRule::ImplicitTerminator("memref.atomic_yield")
        ],
        effects: [Read(0), Write(0)],
        assembly: custom(parse_generic_atomic, print_generic_atomic),
        verify: verify_generic_atomic,
    }

    /// The new value of the cell.
    op AtomicYield = "atomic_yield" {
        traits: [PURE, TERMINATOR],
        rules: [TraitRule::HasParent(&["memref.generic_atomic_rmw"])],
        operands: { result: ANY_TYPE },
        assembly: "$result attr-dict `:` type($result)",
        verify: verify_atomic_yield,
    }

    /// What is allocated inside lives until its end.
    op AllocaScope = "alloca_scope" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, NO_REGION_ARGUMENTS, AUTOMATIC_ALLOCATION_SCOPE],
        rules: [TraitRule::ImplicitTerminator("memref.alloca_scope.return")],
        results: { results: variadic ANY_TYPE },
        regions: { body_region: any },
        assembly: custom(parse_scope, print_scope),
    }

    /// Ends a scope with its results.
    op AllocaScopeReturn = "alloca_scope.return" {
        traits: [PURE, TERMINATOR, RETURN_LIKE],
        rules: [TraitRule::HasParent(&["memref.alloca_scope"])],
        operands: { results: variadic ANY_TYPE },
        assembly: "attr-dict ($results^ `:` type($results))?",
    }

    /// Changes the size of a memory of one dimension; what was in it stays.
    op Realloc = "realloc" {
        operands: { source: MEMREF, dynamic_result_size: optional INDEX },
        attributes: { alignment: optional I64 },
        results: { result: MEMREF },
        effects: [Free(0), Allocate(0)],
        assembly: "$source (`(` $dynamic_result_size^ `)`)? attr-dict `:` type($source) `to` type(results)",
        verify: verify_realloc,
    }

    /// Says that a cell will be needed.
    op Prefetch = "prefetch" {
        operands: { memref: MEMREF, indices: variadic INDEX },
        attributes: { is_write("isWrite"): BOOL, locality_hint("localityHint"): I32, is_data_cache("isDataCache"): BOOL },
        effects: [Unknown],
        assembly: custom(parse_prefetch, print_prefetch),
        verify: verify_prefetch,
    }

    /// Starts a transfer between memories.
    op DmaStart = "dma_start" {
        operands: { operands: variadic ANY_TYPE },
        effects: [Unknown],
        assembly: custom(parse_dma_start, print_dma_start),
        verify: verify_dma_start,
    }

    /// Waits for a transfer.
    op DmaWait = "dma_wait" {
        operands: { tag_mem_ref: MEMREF, tag_indices: variadic INDEX, num_elements: INDEX },
        effects: [Unknown],
        assembly: "$tag_mem_ref `[` $tag_indices `]` `,` $num_elements attr-dict `:` type($tag_mem_ref)",
        verify: verify_dma_wait,
    }
}

fn error(view: View<'_>, diagnostics: &mut Diagnostics, message: &str) {
    diagnostics.error(view.location(), format!("'{}' op {message}", view.name()));
}

fn rank(view: View<'_>, ty: Type) -> usize {
    match ty.kind(view.context) {
        TypeKind::MemRef { shape, .. } => shape.len(),
        _ => 0,
    }
}

fn verify_atomic(view: View<'_>, diagnostics: &mut Diagnostics) {
    if rank(view, view.ty(view.operand(1))) != view.operands().len() - 2 {
        let message = "expects the number of subscripts to be equal to memref rank";
        error(view, diagnostics, message);
        return;
    }
    let kind = view
        .attribute("kind")
        .and_then(|a| KINDS.value(view.context, a));
    let Some(kind) = kind else { return };
    let name = KINDS.keywords(kind).unwrap_or_default();
    let ty = view.ty(view.operand(0));
    let is_float = matches!(ty.kind(view.context), TypeKind::Float(_));
    let is_integer = matches!(ty.kind(view.context), TypeKind::Integer { .. });
    let wanted = match kind {
        0 | 3 | 6 | 9 | 13 | 14 if !is_float => "a floating-point type",
        1 | 4 | 5 | 7 | 8 | 10..=12 if !is_integer => "an integer type",
        _ => return,
    };
    error(
        view,
        diagnostics,
        &format!("with kind '{name}' expects {wanted}"),
    );
}

fn parse_generic_atomic(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let memref = parser.parse_operand()?;
    let indices = parser.parse_operand_list(Delimiter::Square)?;
    let ty = parser.parse_colon_type()?;
    parser.resolve_operand(memref, ty, state)?;
    parser.resolve_operands_of_type(&indices, context.index_type(), state)?;
    parser.parse_region(&[], state)?;
    parser.parse_attribute_dictionary(state)?;
    let element = ty.element_type(context).unwrap_or(ty);
    state.add_results(&[element]);
    Ok(())
}

fn print_generic_atomic(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text("[");
    printer.operands(view.operands().skip(1));
    printer.text("] : ");
    printer.ty(view.ty(view.operand(0)));
    printer.text(" ");
    printer.region(view, 0, RegionPrinting::default());
    printer.attribute_dictionary(view, &[]);
}

fn verify_generic_atomic(view: View<'_>, diagnostics: &mut Diagnostics) {
    let arguments = match view.entry_block(0) {
        Some(block) => view.inner().arguments(block),
        None => &[],
    };
    match arguments {
        [only] if view.inner().ty(*only) == view.ty(view.result(0)) => {}
        [_] => {
            let message = "expected block argument of the same type result type";
            error(view, diagnostics, message);
            return;
        }
        _ => {
            let message = "expected single number of entry block arguments";
            error(view, diagnostics, message);
            return;
        }
    }
    for op in view.body.walk(view.id).into_iter().skip(1) {
        let inner = view.at(op);
        let is_free = inner
            .definition()
            .is_some_and(|d| d.has(sluice_ir::definition::Traits::PURE));
        if !is_free {
            let message = "body of 'memref.generic_atomic_rmw' should contain only operations with no side effects";
            diagnostics.error(inner.location(), message);
            return;
        }
    }
}

fn verify_atomic_yield(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(parent) = view.body.parent_operation(view.id).map(|op| view.at(op)) else {
        return;
    };
    let (given, wanted) = (view.ty(view.operand(0)), view.ty(parent.result(0)));
    if given != wanted {
        let message = format!(
            "types mismatch between yield op: '{}' and its parent: '{}'",
            print_type(view.context, given),
            print_type(view.context, wanted)
        );
        error(view, diagnostics, &message);
    }
}

fn parse_scope(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let results = parser.parse_optional_arrow_types()?;
    state.add_results(&results);
    parser.parse_region(&[], state)?;
    parser.parse_attribute_dictionary(state)
}

fn print_scope(printer: &mut Printer<'_>, view: View<'_>) {
    let results: Vec<Type> = view.result_types().collect();
    if !results.is_empty() {
        printer.text(" -> (");
        printer.types(results.iter().copied());
        printer.text(")");
    }
    printer.text(" ");
    let printing = RegionPrinting {
        entry_arguments: false,
        terminators: !results.is_empty(),
        empty_block: false,
    };
    printer.region(view, 0, printing);
    printer.attribute_dictionary(view, &[]);
}

fn verify_realloc(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let (
        TypeKind::MemRef {
            layout: a,
            memory_space: m,
            ..
        },
        TypeKind::MemRef {
            layout: b,
            memory_space: n,
            shape,
            ..
        },
    ) = (from.kind(context), to.kind(context))
    else {
        return;
    };
    let names = || (print_type(context, from), print_type(context, to));
    if a.is_some() {
        let message = format!("unsupported layout for source memref type '{}'", names().0);
        error(view, diagnostics, &message);
    } else if b.is_some() {
        let message = format!("unsupported layout for result memref type '{}'", names().1);
        error(view, diagnostics, &message);
    } else if m != n {
        let (from, to) = names();
        let message = format!(
            "different memory spaces specified for source memref type '{from}' and result memref type '{to}'"
        );
        error(view, diagnostics, &message);
    } else if from.element_type(context) != to.element_type(context) {
        let (from, to) = names();
        let message = format!(
            "different element types specified for source memref type '{from}' and result memref type '{to}'"
        );
        error(view, diagnostics, &message);
    } else {
        let is_dynamic = shape.first().copied().flatten().is_none();
        let has_size = view.operands().len() > 1;
        if is_dynamic && !has_size {
            let message = format!("missing dimension operand for result type '{}'", names().1);
            error(view, diagnostics, &message);
        } else if !is_dynamic && has_size {
            let message = format!(
                "unnecessary dimension operand for result type '{}'",
                names().1
            );
            error(view, diagnostics, &message);
        }
    }
}

/// `read, locality<3>, data` as attributes.
pub(crate) fn parse_prefetch_kind(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let context = parser.context();
    parser.parse_punctuation(",")?;
    let position = parser.position();
    let is_write = match parser.parse_any_keyword()? {
        "read" => false,
        "write" => true,
        _ => return Err(parser.error(position, "rw specifier has to be 'read' or 'write'")),
    };
    parser.parse_punctuation(",")?;
    parser.parse_keyword("locality")?;
    parser.parse_punctuation("<")?;
    let locality = parser.parse_integer()?;
    parser.parse_punctuation(">")?;
    parser.parse_punctuation(",")?;
    let position = parser.position();
    let is_data = match parser.parse_any_keyword()? {
        "data" => true,
        "instr" => false,
        _ => return Err(parser.error(position, "cache type has to be 'data' or 'instr'")),
    };
    let locality = sluice_ir::bits::Bits::from_i64(32, locality);
    let locality = context.integer_attribute(context.integer_type(32), locality);
    state.set_attribute(context, "isWrite", context.bool_attribute(is_write));
    state.set_attribute(context, "localityHint", locality);
    state.set_attribute(context, "isDataCache", context.bool_attribute(is_data));
    Ok(())
}

/// `, read, locality<3>, data`
pub(crate) fn print_prefetch_kind(printer: &mut Printer<'_>, view: View<'_>) {
    let flag =
        |name: &str| view.attribute(name).and_then(|a| a.as_bool(view.context)) == Some(true);
    let locality = view
        .attribute("localityHint")
        .and_then(|a| a.as_i64(view.context));
    printer.text(&format!(
        ", {}, locality<{}>, {}",
        if flag("isWrite") { "write" } else { "read" },
        locality.unwrap_or_default(),
        if flag("isDataCache") { "data" } else { "instr" }
    ));
}

/// The names of the attributes of a prefetch.
pub(crate) const PREFETCH_ATTRIBUTES: [&str; 4] = ["isWrite", "localityHint", "isDataCache", "map"];

fn parse_prefetch(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let memref = parser.parse_operand()?;
    let indices = parser.parse_operand_list(Delimiter::Square)?;
    parse_prefetch_kind(parser, state)?;
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    parser.resolve_operand(memref, ty, state)?;
    super::strides::resolve_indices(parser, &indices, state)
}

fn print_prefetch(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text("[");
    printer.operands(view.operands().skip(1));
    printer.text("]");
    print_prefetch_kind(printer, view);
    printer.attribute_dictionary(view, &PREFETCH_ATTRIBUTES);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
}

fn verify_prefetch(view: View<'_>, diagnostics: &mut Diagnostics) {
    if view.operands().len() != 1 + rank(view, view.ty(view.operand(0))) {
        error(view, diagnostics, "too few indices");
    }
}

fn parse_dma_start(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let place =
        |parser: &mut Parser<'_>| -> ParseResult<(UnresolvedOperand, Vec<UnresolvedOperand>)> {
            Ok((
                parser.parse_operand()?,
                parser.parse_operand_list(Delimiter::Square)?,
            ))
        };
    let (source, source_indices) = place(parser)?;
    parser.parse_punctuation(",")?;
    let (target, target_indices) = place(parser)?;
    parser.parse_punctuation(",")?;
    let count = parser.parse_operand()?;
    parser.parse_punctuation(",")?;
    let (tag, tag_indices) = place(parser)?;
    let mut stride = Vec::new();
    while parser.parse_optional_punctuation(",") {
        stride.push(parser.parse_operand()?);
    }
    if !matches!(stride.len(), 0 | 2) {
        let message = "expected two stride related operands";
        return Err(parser.error_here(message));
    }
    let position = parser.position();
    let types = parser.parse_colon_type_list()?;
    let [source_type, target_type, tag_type] = types.as_slice() else {
        return Err(parser.error(position, "fewer/more types expected"));
    };
    parser.resolve_operand(source, *source_type, state)?;
    super::strides::resolve_indices(parser, &source_indices, state)?;
    parser.resolve_operand(target, *target_type, state)?;
    super::strides::resolve_indices(parser, &target_indices, state)?;
    super::strides::resolve_indices(parser, &[count], state)?;
    parser.resolve_operand(tag, *tag_type, state)?;
    super::strides::resolve_indices(parser, &tag_indices, state)?;
    super::strides::resolve_indices(parser, &stride, state)
}

/// Positions of the operands of a transfer: target, count, tag, the first after the indices of the tag.
fn dma_places(view: View<'_>) -> Option<[usize; 4]> {
    let types: Vec<Type> = view.operand_types().collect();
    let after = |at: usize| Some(at + 1 + rank(view, *types.get(at)?));
    let target = after(0)?;
    let count = after(target)?;
    let tag = count + 1;
    let end = after(tag)?;
    (end <= types.len()).then_some([target, count, tag, end])
}

fn print_dma_start(printer: &mut Printer<'_>, view: View<'_>) {
    let Some([target, count, tag, end]) = dma_places(view) else {
        return;
    };
    let operands: Vec<_> = view.operands().collect();
    let place = |printer: &mut Printer<'_>, from: usize, to: usize| {
        printer.operand(operands[from]);
        printer.text("[");
        printer.operands(operands[from + 1..to].iter().copied());
        printer.text("]");
    };
    printer.text(" ");
    place(printer, 0, target);
    printer.text(", ");
    place(printer, target, count);
    printer.text(", ");
    printer.operand(operands[count]);
    printer.text(", ");
    place(printer, tag, end);
    for value in &operands[end..] {
        printer.text(", ");
        printer.operand(*value);
    }
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    printer.types([0, target, tag].map(|at| view.ty(operands[at])));
}

fn verify_dma_start(view: View<'_>, diagnostics: &mut Diagnostics) {
    let types: Vec<Type> = view.operand_types().collect();
    if types.len() < 4 {
        error(view, diagnostics, "expected at least 4 operands");
        return;
    }
    let is_memref = |at: usize| {
        types
            .get(at)
            .is_some_and(|ty| matches!(ty.kind(view.context), TypeKind::MemRef { .. }))
    };
    let is_index = |at: usize| types.get(at).is_some_and(|ty| ty.is_index(view.context));
    if !is_memref(0) {
        error(view, diagnostics, "expected source to be of memref type");
        return;
    }
    let target = 1 + rank(view, types[0]);
    if types.len() < target + 3 {
        let message = format!("expected at least {} operands", target + 3);
        error(view, diagnostics, &message);
        return;
    }
    if !(1..target).all(is_index) {
        error(
            view,
            diagnostics,
            "expected source indices to be of index type",
        );
        return;
    }
    if !is_memref(target) {
        error(
            view,
            diagnostics,
            "expected destination to be of memref type",
        );
        return;
    }
    let count = target + 1 + rank(view, types[target]);
    if types.len() < count + 2 {
        let message = format!("expected at least {} operands", count + 2);
        error(view, diagnostics, &message);
        return;
    }
    if !(target + 1..count).all(is_index) {
        error(
            view,
            diagnostics,
            "expected destination indices to be of index type",
        );
        return;
    }
    if !is_index(count) {
        error(
            view,
            diagnostics,
            "expected num elements to be of index type",
        );
        return;
    }
    let tag = count + 1;
    if !is_memref(tag) {
        error(view, diagnostics, "expected tag to be of memref type");
        return;
    }
    let end = tag + 1 + rank(view, types[tag]);
    if types.len() < end {
        error(
            view,
            diagnostics,
            &format!("expected at least {end} operands"),
        );
        return;
    }
    if !(tag + 1..end).all(is_index) {
        error(
            view,
            diagnostics,
            "expected tag indices to be of index type",
        );
        return;
    }
    if !matches!(types.len() - end, 0 | 2) {
        error(view, diagnostics, "incorrect number of operands");
        return;
    }
    if !(end..types.len()).all(is_index) {
        let message = "expected stride and num elements per stride to be of type index";
        error(view, diagnostics, message);
    }
}

fn verify_dma_wait(view: View<'_>, diagnostics: &mut Diagnostics) {
    let indices = view.operand_group(1).len();
    let wanted = rank(view, view.ty(view.operand(0)));
    if indices != wanted {
        let message = format!(
            "expected tagIndices to have the same number of elements as the tagMemRef rank, expected {wanted}, but got {indices}"
        );
        error(view, diagnostics, &message);
    }
}
