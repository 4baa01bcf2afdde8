//! Operations that give another view of the same memory.

use sluice_ir::definition::{AttributeConstraint, AttributeSyntax};
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer, print_type};
use sluice_ir::{Attribute, AttributeKind, Context, Diagnostics, Type, TypeKind, View};

use super::strides::{
    Layout, check_mixed, layout_of, memref_type, parse_mixed, plus, print_mixed, resolve_indices,
    signed, static_list, times,
};
use crate::constraints::{AFFINE_MAP, ANY_MEMREF, INDEX, MEMREF};

static I64_ARRAY: AttributeConstraint = AttributeConstraint {
    summary: "i64 dense array attribute",
    check: |context, a| {
        matches!(a.kind(context), AttributeKind::DenseArray { element, .. }
            if element.integer_width_bits(context) == Some(64))
    },
    syntax: AttributeSyntax::Generic,
};

static REASSOCIATION: AttributeConstraint = AttributeConstraint {
    summary: "Array of 64-bit integer array attributes",
    check: |context, a| {
        let is_group = |a: &Attribute| {
            a.as_array(context)
                .is_some_and(|all| all.iter().all(|i| i.as_i64(context).is_some()))
        };
        a.as_array(context)
            .is_some_and(|all| all.iter().all(is_group))
    },
    syntax: AttributeSyntax::Custom {
        parse: parse_reassociation,
        print: print_reassociation,
    },
};

sluice_ods::dialect! {
    group "memref";

    /// A part of a memory: offsets, sizes and strides for each dimension.
    op Subview = "subview" {
        traits: [PURE, ATTR_SIZED_OPERAND_SEGMENTS],
        operands: {
            source: MEMREF, offsets: variadic INDEX, sizes: variadic INDEX, strides: variadic INDEX,
        },
        attributes: { static_offsets: I64_ARRAY, static_sizes: I64_ARRAY, static_strides: I64_ARRAY },
        results: { result: MEMREF },
        assembly: custom(parse_subview, print_subview),
        verify: verify_subview,
    }

    /// The same memory with another offset, sizes and strides.
    op ReinterpretCast = "reinterpret_cast" {
        traits: [PURE, ATTR_SIZED_OPERAND_SEGMENTS],
        operands: {
            source: ANY_MEMREF, offsets: variadic INDEX, sizes: variadic INDEX, strides: variadic INDEX,
        },
        attributes: { static_offsets: I64_ARRAY, static_sizes: I64_ARRAY, static_strides: I64_ARRAY },
        results: { result: MEMREF },
        assembly: custom(parse_reinterpret, print_reinterpret),
        verify: verify_reinterpret,
    }

    /// A memory of bytes seen as one of another shape and element type.
    op ViewOp = "view" {
        traits: [PURE],
        operands: { source: MEMREF, byte_shift: INDEX, sizes: variadic INDEX },
        results: { result: MEMREF },
        assembly: "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type($result)",
        verify: verify_view,
    }

    /// The same elements in a shape that is known at run time.
    op Reshape = "reshape" {
        operands: { source: ANY_MEMREF, shape: MEMREF },
        results: { result: ANY_MEMREF },
        effects: [Read(1)],
        assembly: "$source `(` $shape `)` attr-dict `:` `(` type($source) `,` type($shape) `)` `->` type($result)",
        verify: verify_reshape,
    }

    /// Splits dimensions.
    op ExpandShape = "expand_shape" {
        traits: [PURE],
        operands: { src: MEMREF, output_shape: variadic INDEX },
        attributes: { reassociation: REASSOCIATION, static_output_shape: I64_ARRAY },
        results: { result: MEMREF },
        assembly: custom(parse_expand, print_expand),
        verify: verify_expand,
    }

    /// Merges dimensions.
    op CollapseShape = "collapse_shape" {
        traits: [PURE],
        operands: { src: MEMREF },
        attributes: { reassociation: REASSOCIATION },
        results: { result: MEMREF },
        assembly: "$src $reassociation attr-dict `:` type($src) `into` type($result)",
        verify: verify_collapse,
    }

    /// Dimensions in another order.
    op Transpose = "transpose" {
        traits: [PURE],
        operands: { input: MEMREF },
        attributes: { permutation: AFFINE_MAP },
        results: { result: MEMREF },
        assembly: custom(parse_transpose, print_transpose),
        verify: verify_transpose,
    }

    /// Base, offset, sizes and strides of a memory.
    op ExtractStridedMetadata = "extract_strided_metadata" {
        traits: [PURE],
        operands: { source: MEMREF },
        results: { base_buffer: MEMREF, offset: INDEX, sizes: variadic INDEX, strides: variadic INDEX },
        assembly: "$source `:` type($source) `->` type(results) attr-dict",
    }

    /// The address of the first element as a number.
    op ExtractAlignedPointerAsIndex = "extract_aligned_pointer_as_index" {
        traits: [PURE],
        operands: { source: ANY_MEMREF },
        results: { aligned_pointer: INDEX },
        assembly: "$source `:` type($source) `->` type(results) attr-dict",
    }

    /// The same memory in another memory space.
    op MemorySpaceCast = "memory_space_cast" {
        traits: [PURE],
        operands: { source: ANY_MEMREF },
        results: { dest: ANY_MEMREF },
        assembly: "$source attr-dict `:` type($source) `to` type($dest)",
    }

    /// The number of dimensions.
    op Rank = "rank" {
        traits: [PURE],
        operands: { memref: ANY_MEMREF },
        results: { result: INDEX },
        assembly: "$memref attr-dict `:` type($memref)",
    }
}

fn error(view: View<'_>, diagnostics: &mut Diagnostics, message: &str) {
    diagnostics.error(view.location(), format!("'{}' op {message}", view.name()));
}

fn memref_parts(
    context: &Context,
    ty: Type,
) -> (Vec<Option<i64>>, Option<Type>, Option<Attribute>) {
    match ty.kind(context) {
        TypeKind::MemRef {
            shape,
            element,
            memory_space,
            ..
        } => (signed(shape), Some(*element), *memory_space),
        TypeKind::UnrankedMemRef {
            element,
            memory_space,
        } => (Vec::new(), Some(*element), *memory_space),
        _ => (Vec::new(), None, None),
    }
}

// Subviews.

const OFFSETS: (&str, &str) = ("static_offsets", "offset");
const SIZES: (&str, &str) = ("static_sizes", "size");
const STRIDES: (&str, &str) = ("static_strides", "stride");

fn parse_subview(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let source = parser.parse_operand()?;
    let lists = [
        parse_mixed(parser)?,
        parse_mixed(parser)?,
        parse_mixed(parser)?,
    ];
    finish_mixed(parser, source, lists, state)
}

fn finish_mixed(
    parser: &mut Parser<'_>,
    source: sluice_ir::text::UnresolvedOperand,
    lists: [(Attribute, Vec<sluice_ir::text::UnresolvedOperand>); 3],
    state: &mut OperationState,
) -> ParseResult<()> {
    let context = parser.context();
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    parser.parse_keyword("to")?;
    let result = parser.parse_type()?;
    parser.resolve_operand(source, ty, state)?;
    let mut sizes = vec![1];
    for ((numbers, values), (name, _)) in lists.into_iter().zip([OFFSETS, SIZES, STRIDES]) {
        state.set_attribute(context, name, numbers);
        sizes.push(values.len());
        resolve_indices(parser, &values, state)?;
    }
    state.set_operand_segment_sizes(context, &sizes);
    state.add_results(&[result]);
    Ok(())
}

const HIDDEN: [&str; 4] = [
    "operandSegmentSizes",
    "static_offsets",
    "static_sizes",
    "static_strides",
];

fn print_subview(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    for (number, (name, _)) in [OFFSETS, SIZES, STRIDES].into_iter().enumerate() {
        printer.text(if number == 0 { "[" } else { " [" });
        print_mixed(printer, view, name, number + 1);
        printer.text("]");
    }
    print_types(printer, view, "to", &HIDDEN);
}

fn print_types(printer: &mut Printer<'_>, view: View<'_>, word: &str, hidden: &[&str]) {
    printer.attribute_dictionary(view, hidden);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
    printer.text(&format!(" {word} "));
    printer.ty(view.ty(view.result(0)));
}

fn check_lists(view: View<'_>, diagnostics: &mut Diagnostics) -> bool {
    for (number, (name, what)) in [OFFSETS, SIZES, STRIDES].into_iter().enumerate() {
        if let Some(message) = check_mixed(view, what, name, number + 1) {
            error(view, diagnostics, &message);
            return false;
        }
    }
    true
}

fn verify_subview(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    if !check_lists(view, diagnostics) {
        return;
    }
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let (shape, _, space) = memref_parts(context, from);
    let lists = [OFFSETS, SIZES, STRIDES].map(|(name, _)| static_list(view, name));
    for ((list, (_, what)), rank) in lists
        .iter()
        .zip([OFFSETS, SIZES, STRIDES])
        .zip([shape.len(); 3])
    {
        if list.len() != rank {
            let message = format!("expected {rank} {what} values, got {}", list.len());
            error(view, diagnostics, &message);
            return;
        }
    }
    let [offsets, sizes, steps] = lists;
    let (_, _, result_space) = memref_parts(context, to);
    if space != result_space {
        let message = format!(
            "different memory spaces specified for base memref type '{}' and subview memref type '{}'",
            print_type(context, from),
            print_type(context, to)
        );
        error(view, diagnostics, &message);
        return;
    }
    let Some(source) = layout_of(context, from) else {
        let message = format!("base type '{}' is not strided", print_type(context, from));
        error(view, diagnostics, &message);
        return;
    };
    let strides: Vec<_> = source
        .strides
        .iter()
        .zip(&steps)
        .map(|(a, b)| times(*a, *b))
        .collect();
    let offset = offsets
        .iter()
        .zip(&source.strides)
        .fold(source.offset, |all, (at, stride)| {
            plus(all, product_or_zero(*at, *stride))
        });
    let layout = Layout { strides, offset };
    let expected = memref_type(context, from, &sizes, &layout);
    if let Some(why) = reduced(context, expected, &sizes, &layout, to) {
        let message = format!(
            "expected result type to be '{}' or a rank-reduced version. (mismatch of result {why}) ",
            print_type(context, expected)
        );
        error(view, diagnostics, &message);
    }
}

/// A product in which zero wins over what is not known.
fn product_or_zero(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    match (a, b) {
        (Some(0), _) | (_, Some(0)) => Some(0),
        _ => times(a, b),
    }
}

/// What of `to` is not the expected type with some dimensions of size one left out.
fn reduced(
    context: &Context,
    expected: Type,
    sizes: &[Option<i64>],
    layout: &Layout,
    to: Type,
) -> Option<&'static str> {
    let (shape, element, _) = memref_parts(context, to);
    if memref_parts(context, expected).1 != element {
        return Some("element type");
    }
    if shape.len() > sizes.len() {
        return Some("rank");
    }
    let found = layout_of(context, to);
    // Dimensions are matched from the first on; those that do not fit must be of size one.
    let mut next = 0;
    let mut kept = Vec::new();
    for (i, size) in sizes.iter().enumerate() {
        let fits = next < shape.len()
            && shape[next] == *size
            && (found.as_ref())
                .is_none_or(|f| f.strides[next] == layout.strides[i] || *size != Some(1));
        if fits {
            kept.push(i);
            next += 1;
        } else if *size != Some(1) {
            return Some("size");
        }
    }
    if next != shape.len() {
        return Some("size");
    }
    let Some(found) = found else {
        return Some("layout");
    };
    let strides: Vec<_> = kept.iter().map(|i| layout.strides[*i]).collect();
    (found.strides != strides || found.offset != layout.offset).then_some("layout")
}

// Reinterpreting.

fn parse_reinterpret(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let source = parser.parse_operand()?;
    parser.parse_keyword("to")?;
    parser.parse_keyword("offset")?;
    parser.parse_punctuation(":")?;
    let offsets = parse_mixed(parser)?;
    parser.parse_punctuation(",")?;
    parser.parse_keyword("sizes")?;
    parser.parse_punctuation(":")?;
    let sizes = parse_mixed(parser)?;
    parser.parse_punctuation(",")?;
    parser.parse_keyword("strides")?;
    parser.parse_punctuation(":")?;
    let strides = parse_mixed(parser)?;
    finish_mixed(parser, source, [offsets, sizes, strides], state)
}

fn print_reinterpret(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text(" to ");
    let words = ["offset: [", ", sizes: [", ", strides: ["];
    for (number, (word, (name, _))) in words.into_iter().zip([OFFSETS, SIZES, STRIDES]).enumerate()
    {
        printer.text(word);
        print_mixed(printer, view, name, number + 1);
        printer.text("]");
    }
    print_types(printer, view, "to", &HIDDEN);
}

fn verify_reinterpret(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    if !check_lists(view, diagnostics) {
        return;
    }
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let (_, element, space) = memref_parts(context, from);
    let (shape, result_element, result_space) = memref_parts(context, to);
    if space != result_space {
        let message = format!(
            "different memory spaces specified for source type '{}' and result memref type '{}'",
            print_type(context, from),
            print_type(context, to)
        );
        error(view, diagnostics, &message);
        return;
    }
    if element != result_element {
        let message = format!(
            "different element types specified for source type '{}' and result memref type '{}'",
            print_type(context, from),
            print_type(context, to)
        );
        error(view, diagnostics, &message);
        return;
    }
    let sizes = static_list(view, SIZES.0);
    for (i, (found, size)) in shape.iter().zip(&sizes).enumerate() {
        if found.is_some() && found != size {
            let text = |n: Option<i64>| n.map_or("dynamic".to_owned(), |n| n.to_string());
            let message = format!(
                "expected result type with size = {} instead of {} in dim = {i}",
                text(*size),
                text(*found)
            );
            error(view, diagnostics, &message);
            return;
        }
    }
    let Some(layout) = layout_of(context, to) else {
        let message = format!(
            "expected result type to have strided layout but found '{}'",
            print_type(context, to)
        );
        error(view, diagnostics, &message);
        return;
    };
    let text = |n: Option<i64>| n.map_or("dynamic".to_owned(), |n| n.to_string());
    let offset = static_list(view, OFFSETS.0).first().copied().flatten();
    if layout.offset.is_some() && layout.offset != offset {
        let message = format!(
            "expected result type with offset = {} instead of {}",
            text(offset),
            text(layout.offset)
        );
        error(view, diagnostics, &message);
        return;
    }
    let strides = static_list(view, STRIDES.0);
    for (i, (found, stride)) in layout.strides.iter().zip(&strides).enumerate() {
        if found.is_some() && found != stride {
            let message = format!(
                "expected result type with stride = {} instead of {} in dim = {i}",
                text(*stride),
                text(*found)
            );
            error(view, diagnostics, &message);
            return;
        }
    }
}

// Shapes.

fn verify_view(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let identity = |ty: Type| matches!(ty.kind(context), TypeKind::MemRef { layout: None, .. });
    let (shape, element, _) = memref_parts(context, from);
    let is_bytes = element.is_some_and(|e| e.integer_width_bits(context) == Some(8));
    if shape.len() != 1 || !is_bytes {
        let message = "operand #0 must be 1D memref of 8-bit signless integer values, but got";
        error(
            view,
            diagnostics,
            &format!("{message} '{}'", print_type(context, from)),
        );
        return;
    }
    if !identity(from) {
        error(view, diagnostics, "unsupported map for base memref type");
        return;
    }
    if !identity(to) {
        error(view, diagnostics, "unsupported map for result memref type");
        return;
    }
    let (result_shape, _, space) = memref_parts(context, to);
    if memref_parts(context, from).2 != space {
        let message = format!(
            "different memory spaces specified for base memref type '{}' and view memref type '{}'",
            print_type(context, from),
            print_type(context, to)
        );
        error(view, diagnostics, &message);
        return;
    }
    let n_dynamic = result_shape.iter().filter(|size| size.is_none()).count();
    if view.operand_group(2).len() != n_dynamic {
        let message = format!(
            "incorrect number of size operands for type '{}'",
            print_type(context, to)
        );
        error(view, diagnostics, &message);
    }
}

fn verify_reshape(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    if memref_parts(context, from).1 != memref_parts(context, to).1 {
        let message = "element types of source and destination memref types should be the same";
        error(view, diagnostics, message);
        return;
    }
    let has_map = |ty: Type| {
        matches!(
            ty.kind(context),
            TypeKind::MemRef {
                layout: Some(_),
                ..
            }
        )
    };
    if has_map(from) {
        error(
            view,
            diagnostics,
            "source memref type should have identity affine map",
        );
        return;
    }
    let (shape, ..) = memref_parts(context, view.ty(view.operand(1)));
    if matches!(to.kind(context), TypeKind::MemRef { .. }) {
        if has_map(to) {
            error(
                view,
                diagnostics,
                "result memref type should have identity affine map",
            );
            return;
        }
        let rank = i64::try_from(memref_parts(context, to).0.len()).unwrap_or(i64::MAX);
        match shape.first().copied().flatten() {
            None => {
                let message = "cannot use shape operand with dynamic length to reshape to statically-ranked memref type";
                error(view, diagnostics, message);
            }
            Some(length) if length != rank => {
                let message = "length of shape operand differs from the result's memref rank";
                error(view, diagnostics, message);
            }
            Some(_) => {}
        }
    }
}

fn parse_reassociation(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let attribute = parser.parse_attribute()?;
    Ok(attribute)
}

fn print_reassociation(printer: &mut Printer<'_>, attribute: Attribute) {
    let context = printer.context();
    let groups = attribute.as_array(context).unwrap_or_default();
    printer.text("[");
    printer.comma_separated(groups, |printer, group| {
        printer.text("[");
        printer.comma_separated(group.as_array(context).unwrap_or_default(), |printer, i| {
            printer.text(&i.as_i64(context).unwrap_or_default().to_string());
        });
        printer.text("]");
    });
    printer.text("]");
}

fn groups(view: View<'_>) -> Vec<Vec<usize>> {
    let context = view.context;
    let all = view
        .attribute("reassociation")
        .and_then(|a| a.as_array(context));
    let group = |a: &Attribute| -> Vec<usize> {
        a.as_array(context)
            .unwrap_or_default()
            .iter()
            .filter_map(|i| usize::try_from(i.as_i64(context)?).ok())
            .collect()
    };
    all.unwrap_or_default().iter().map(group).collect()
}

fn parse_expand(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let source = parser.parse_operand()?;
    let reassociation = parser.parse_attribute()?;
    parser.parse_keyword("output_shape")?;
    let (numbers, values) = parse_mixed(parser)?;
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    parser.parse_keyword("into")?;
    let result = parser.parse_type()?;
    state.set_attribute(context, "reassociation", reassociation);
    state.set_attribute(context, "static_output_shape", numbers);
    parser.resolve_operand(source, ty, state)?;
    resolve_indices(parser, &values, state)?;
    state.add_results(&[result]);
    Ok(())
}

fn print_expand(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text(" ");
    if let Some(groups) = view.attribute("reassociation") {
        print_reassociation(printer, groups);
    }
    printer.text(" output_shape [");
    print_mixed(printer, view, "static_output_shape", 1);
    printer.text("]");
    print_types(
        printer,
        view,
        "into",
        &["reassociation", "static_output_shape"],
    );
}

/// The groups cover all dimensions of the longer shape in order, one group for each of the shorter; the message if not.
fn check_groups(groups: &[Vec<usize>], short: usize, long: usize) -> Option<String> {
    if groups.is_empty() && short == 0 {
        return None;
    }
    if groups.len() != short {
        let message = "invalid number of reassociation groups: found";
        return Some(format!("{message} {}, expected {short}", groups.len()));
    }
    let mut next = 0;
    for (number, group) in groups.iter().enumerate() {
        for i in group {
            if *i != next {
                return Some(format!(
                    "reassociation indices must be contiguous, at group {number}"
                ));
            }
            next += 1;
        }
    }
    (next != long).then(|| {
        format!("collapsed dim ({next}) must match the number of dimensions ({long}) of the larger shape")
    })
}

fn verify_expand(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let (short, ..) = memref_parts(context, from);
    let (long, ..) = memref_parts(context, to);
    if short.len() > long.len() {
        let message = format!(
            "expected rank expansion, but found source rank {} > result rank {}.",
            short.len(),
            long.len()
        );
        error(view, diagnostics, &message);
        return;
    }
    let groups = groups(view);
    if let Some(message) = check_groups(&groups, short.len(), long.len()) {
        error(view, diagnostics, &message);
        return;
    }
    if let Some(message) = check_mixed(view, "output shape", "static_output_shape", 1) {
        error(view, diagnostics, &message);
        return;
    }
    let Some(source) = layout_of(context, from) else {
        return;
    };
    let mut strides = match groups.is_empty() {
        true => vec![Some(1); long.len()],
        false => Vec::new(),
    };
    for (group, stride) in groups.iter().zip(&source.strides) {
        let sizes: Vec<_> = group.iter().map(|i| long[*i]).collect();
        strides.extend(
            super::strides::row_major(&sizes)
                .iter()
                .map(|s| times(*s, *stride)),
        );
    }
    let layout = Layout {
        strides,
        offset: source.offset,
    };
    let expected = memref_type(context, from, &long, &layout);
    if expected != to {
        let message = format!(
            "expected expanded type to be '{}' but found '{}'",
            print_type(context, expected),
            print_type(context, to)
        );
        error(view, diagnostics, &message);
    }
}

fn verify_collapse(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let (long, ..) = memref_parts(context, from);
    let (short, ..) = memref_parts(context, to);
    if long.len() < short.len() {
        let message = format!(
            "expected rank reduction, but found source rank {} < result rank {}.",
            long.len(),
            short.len()
        );
        error(view, diagnostics, &message);
        return;
    }
    let groups = groups(view);
    if let Some(message) = check_groups(&groups, short.len(), long.len()) {
        error(view, diagnostics, &message);
        return;
    }
    let Some(source) = layout_of(context, from) else {
        return;
    };
    let is_identity = matches!(from.kind(context), TypeKind::MemRef { layout: None, .. });
    let sizes: Vec<_> = groups
        .iter()
        .map(|group| {
            group
                .iter()
                .try_fold(1, |all, i| times(Some(all), long[*i]))
        })
        .collect();
    let strides: Vec<_> = groups
        .iter()
        .map(|group| {
            // Dimensions of size one do not count; one of a size that is not known might be one.
            let last = group.iter().rposition(|i| long[*i] != Some(1)).unwrap_or(0);
            match group.get(last) {
                Some(i) if long[*i].is_some() || last == 0 => source.strides[*i],
                Some(_) => None,
                None => Some(1),
            }
        })
        .collect();
    let layout = match is_identity {
        true => Layout {
            strides: super::strides::row_major(&sizes),
            offset: Some(0),
        },
        false => Layout {
            strides,
            offset: source.offset,
        },
    };
    let mut expected = memref_type(context, from, &sizes, &layout);
    if let (
        true,
        TypeKind::MemRef {
            shape,
            element,
            memory_space,
            ..
        },
    ) = (is_identity, expected.kind(context))
    {
        expected = context.ty(TypeKind::MemRef {
            shape: shape.clone(),
            element: *element,
            layout: None,
            memory_space: *memory_space,
        });
    }
    if expected != to {
        let message = format!(
            "expected collapsed type to be '{}' but found '{}'",
            print_type(context, expected),
            print_type(context, to)
        );
        error(view, diagnostics, &message);
    }
}

fn parse_transpose(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let source = parser.parse_operand()?;
    let map = parser.parse_affine_map()?;
    parser.parse_attribute_dictionary(state)?;
    let from = parser.parse_colon_type()?;
    parser.parse_keyword("to")?;
    let to = parser.parse_type()?;
    state.set_attribute(context, "permutation", context.affine_map_attribute(map));
    parser.resolve_operand(source, from, state)?;
    state.add_results(&[to]);
    Ok(())
}

fn print_transpose(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text(" ");
    if let Some(map) = view
        .attribute("permutation")
        .and_then(|a| a.as_affine_map(view.context))
    {
        printer.affine_map(map);
    }
    print_types(printer, view, "to", &["permutation"]);
}

fn verify_transpose(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let (shape, ..) = memref_parts(context, from);
    let Some(map) = view
        .attribute("permutation")
        .and_then(|a| a.as_affine_map(context))
    else {
        return;
    };
    let order: Option<Vec<usize>> = map
        .results
        .iter()
        .map(|e| match e {
            sluice_ir::affine::AffineExpr::Dim(i) => Some(*i as usize),
            _ => None,
        })
        .collect();
    let is_permutation = order.as_ref().is_some_and(|order| {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        sorted.iter().copied().eq(0..map.n_dims as usize)
    });
    let Some(order) = order.filter(|_| is_permutation) else {
        error(view, diagnostics, "expected a permutation map");
        return;
    };
    if order.len() != shape.len() {
        let message = "expected a permutation map of same rank as the input";
        error(view, diagnostics, message);
        return;
    }
    let Some(source) = layout_of(context, from) else {
        return;
    };
    let layout = Layout {
        strides: order.iter().map(|i| source.strides[*i]).collect(),
        offset: source.offset,
    };
    let sizes: Vec<_> = order.iter().map(|i| shape[*i]).collect();
    let expected = memref_type(context, from, &sizes, &layout);
    if layout_of(context, to) != Some(layout) || memref_parts(context, to).0 != sizes {
        let message = format!(
            "result type '{}' is not equivalent to the canonical transposed input type '{}'",
            print_type(context, to),
            print_type(context, expected)
        );
        error(view, diagnostics, &message);
    }
}
