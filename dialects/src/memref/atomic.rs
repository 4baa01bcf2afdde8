//! Atomic read-modify-write operations.

use sluice_ir::definition::Traits;
use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer, RegionPrinting};
use sluice_ir::{Diagnostics, TypeKind, View};

use super::strided::parts;
use super::{op_error, quoted};
use crate::arith::{ATOMIC_KIND, ATOMIC_KINDS};
use crate::constraints::{ANY_TYPE, INDEX, MEMREF_OF_NUMBERS, NUMBER};
use crate::region_flow::argument_types;

sluice_ods::dialect! {
    group "memref";

    /// Combines a cell with a value; the result is the old value of the cell.
    op AtomicRmw = "atomic_rmw" {
        operands: { value: NUMBER, memref: MEMREF_OF_NUMBERS, indices: variadic INDEX },
        attributes: { kind: ATOMIC_KIND },
        results: { result: NUMBER },
        effects: [Read(1), Write(1)],
        rules: [
            AllTypesMatch(&["value", "result"]),
            TypesMatchWith {
                summary: "value type matches element type of memref",
                from: "memref",
                to: "value",
                transform: |context, ty| ty.element_type(context),
            }
        ],
        assembly: "$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) `)` `->` \
                   type($result)",
        verify: verify_atomic_rmw,
    }

    /// Computes the new value of a cell from the old one, which is the result.
    op GenericAtomicRmw = "generic_atomic_rmw" {
        traits: [SINGLE_BLOCK],
        operands: { memref: MEMREF_OF_NUMBERS, indices: variadic INDEX },
        results: { result: NUMBER },
        regions: { atomic_body: any },
        effects: [Read(0), Write(0)],
        rules: [TypesMatchWith {
            summary: "result type matches element type of memref",
            from: "memref",
            to: "result",
            transform: |context, ty| ty.element_type(context),
        }],
        assembly: custom(parse_generic, print_generic),
        verify: verify_generic,
        verify_regions: verify_generic_body,
    }

    /// The new content of a cell.
    op AtomicYield = "atomic_yield" {
        traits: [PURE, TERMINATOR],
        rules: [HasParent(&["memref.generic_atomic_rmw"])],
        operands: { result: ANY_TYPE },
        assembly: "$result attr-dict `:` type($result)",
        verify: verify_atomic_yield,
    }
}

fn verify_atomic_rmw(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let rank = parts(context, view.ty(view.operand(1))).map_or(0, |memref| memref.rank());
    if rank != view.operands().len() - 2 {
        let message = "expects the number of subscripts to be equal to memref rank";
        return op_error(view, diagnostics, message);
    }
    let kind = view.attribute("kind");
    let Some(kind) = kind.and_then(|a| ATOMIC_KINDS.value(context, a)) else {
        return;
    };
    let name = ATOMIC_KINDS.keywords(kind).unwrap_or_default();
    let is_float = matches!(view.ty(view.operand(0)).kind(context), TypeKind::Float(_));
    let wanted = match name.as_str() {
        "addf" | "maximumf" | "minimumf" | "mulf" if !is_float => "a floating-point type",
        "addi" | "maxs" | "maxu" | "mins" | "minu" | "muli" | "ori" | "andi" | "xori"
            if is_float =>
        {
            "an integer type"
        }
        _ => return,
    };
    op_error(
        view,
        diagnostics,
        format!("with kind '{name}' expects {wanted}"),
    );
}

fn parse_generic(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let memref = parser.parse_operand()?;
    let indices = parser.parse_operand_list(Delimiter::Square)?;
    let position = parser.position();
    let ty = parser.parse_colon_type()?;
    let Some(memref_parts) = parts(context, ty) else {
        return Err(parser.error(position, "invalid kind of type specified"));
    };
    parser.resolve_operand(memref, ty, state)?;
    parser.resolve_operands_of_type(&indices, context.index_type(), state)?;
    parser.parse_region(&[], state)?;
    parser.parse_attribute_dictionary(state)?;
    state.add_results(&[memref_parts.element]);
    Ok(())
}

fn print_generic(printer: &mut Printer<'_>, view: View<'_>) {
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

fn verify_generic(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(block) = view.entry_block(0) else {
        return op_error(
            view,
            diagnostics,
            "expected single number of entry block arguments",
        );
    };
    let arguments = argument_types(view, block);
    let [argument] = arguments.as_slice() else {
        return op_error(
            view,
            diagnostics,
            "expected single number of entry block arguments",
        );
    };
    if *argument != view.ty(view.result(0)) {
        let message = "expected block argument of the same type result type";
        return op_error(view, diagnostics, message);
    }
    let body = view.inner();
    for op in body.walk(view.id).into_iter().filter(|op| *op != view.id) {
        let inner = View::new(view.context, body, op);
        let harmless = inner
            .definition()
            .is_some_and(|d| d.has(Traits::PURE) || d.effects.is_empty());
        if !harmless {
            let message = "body of 'memref.generic_atomic_rmw' should contain only operations with no side effects";
            diagnostics.error(inner.location(), message);
            return;
        }
    }
}

fn verify_generic_body(view: View<'_>, diagnostics: &mut Diagnostics) {
    let body = view.inner();
    let last = view
        .entry_block(0)
        .and_then(|block| body.last_operation(block))
        .map(|op| View::new(view.context, body, op));
    if let Some(last) = last.filter(|last| last.name() != "memref.atomic_yield") {
        let message = format!(
            "expects regions to end with 'memref.atomic_yield', found '{}'",
            last.name()
        );
        op_error(view, diagnostics, message);
    }
}

fn verify_atomic_yield(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(parent) = view.body.parent_operation(view.id) else {
        return;
    };
    let parent = view.at(parent);
    let (given, wanted) = (view.ty(view.operand(0)), parent.result_types().next());
    if let Some(wanted) = wanted.filter(|wanted| *wanted != given) {
        let message = format!(
            "types mismatch between yield op: {} and its parent: {}",
            quoted(view, given),
            quoted(view, wanted)
        );
        op_error(view, diagnostics, message);
    }
}
