//! Edits that make an integer type narrower in the whole module.

use sluice_dialects::arith;
use sluice_ir::{Body, Context, Module, NewOperation, OperationId, View};

use super::Edit;
use super::place::substitute;
use super::types::{all_types, change_all};

/// Widths that are tried, the smallest first.
const NARROW: [u32; 6] = [2, 4, 8, 16, 32, 64];

/// Returns edits that replace each integer type of more than one bit by narrower ones.
pub(super) fn widths(context: &Context, module: &Module) -> Vec<Edit> {
    let mut wide: Vec<u32> = all_types(module)
        .into_iter()
        .map(|ty| ty.element_type(context).unwrap_or(ty))
        .filter(|ty| ty.is_signless_integer(context))
        .filter_map(|ty| ty.integer_width_bits(context))
        .filter(|width| *width > 1)
        .collect();
    wide.sort_unstable();
    wide.dedup();
    let mut edits: Vec<Edit> = Vec::new();
    for width in wide.into_iter().rev() {
        let narrower = NARROW.into_iter().filter(|narrow| *narrow < width);
        for narrow in narrower.chain([width / 2, width - 1]) {
            if narrow < 1 {
                continue;
            }
            edits.push(Box::new(move |context, module| {
                let wide = context.integer_type(width);
                if !all_types(module)
                    .iter()
                    .any(|ty| *ty == wide || ty.element_type(context) == Some(wide))
                {
                    return false;
                }
                change_all(context, module, &|context, ty| match ty == wide {
                    true => context.integer_type(narrow),
                    false => ty,
                });
                for op in module.top_level_operations() {
                    let inner = module.inner_mut();
                    if inner.is_isolated(op) {
                        mend_casts(context, inner.inner_mut(op));
                    }
                }
                true
            }));
        }
    }
    edits
}

/// Corrects extensions and truncations that have become the identity or the opposite.
fn mend_casts(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        let name = view.name();
        if ![arith::Extsi::NAME, arith::Extui::NAME, arith::Trunci::NAME].contains(&name) {
            continue;
        }
        let (operand, result) = (view.operand(0), view.result(0));
        let width = |value| body.ty(value).integer_width_bits(context).unwrap_or(0);
        let (from, to) = (width(operand), width(result));
        if from == to {
            substitute(body, result, operand);
            body.erase(op);
        } else if from > to && name != arith::Trunci::NAME {
            rename(context, body, op, arith::Trunci::NAME);
        } else if from < to && name == arith::Trunci::NAME {
            rename(context, body, op, arith::Extui::NAME);
        }
    }
}

fn rename(context: &Context, body: &mut Body, op: OperationId, name: &str) {
    let mut new = NewOperation::new(context.operation_name(name), body.location(op));
    new.operands = body.operands(op).collect();
    let result = body.result(op, 0);
    new.result_types.push(body.ty(result));
    let made = body.create(context, new);
    body.insert_before(op, made);
    let new = body.result(made, 0);
    body.replace_all_uses(result, new);
    body.erase(op);
}
