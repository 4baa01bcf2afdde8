//! Patterns of `canonicalize`: one that an operation owns, and one of the dialect as a whole.

use sluice_ir::OperationId;
use sluice_ir::patterns::{Pattern, Rewriter};
use sluice_ir::simplify::constant_of;

use crate::{First, Mul, Pack};

/// `x * 1` is `x`.
pub(crate) static MULTIPLY_BY_ONE: Pattern = Pattern {
    name: "fixed-multiply-by-one",
    roots: &[Mul::NAME],
    benefit: 1,
    rewrite: multiply_by_one,
};

fn multiply_by_one(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let Some(product) = Mul::cast(rewriter.view(op)) else {
        return false;
    };
    let (x, y, one) = (product.lhs(), product.rhs(), product.one());
    let value = constant_of(rewriter.context, rewriter.body(), y);
    let value = value.and_then(|value| value.as_i64(rewriter.context));
    if value != i64::try_from(one).ok() {
        return false;
    }
    rewriter.replace(op, &[x]);
    true
}

/// The first number of a stream that was just packed.
pub(crate) static FORWARD_PACK: Pattern = Pattern {
    name: "fixed-forward-pack",
    roots: &[First::NAME],
    benefit: 1,
    rewrite: forward_pack,
};

fn forward_pack(rewriter: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = rewriter.view(op);
    let Some(first) = First::cast(view) else {
        return false;
    };
    let maker = view.body.defining_operation(first.stream());
    let pack = maker.and_then(|maker| Pack::cast(view.at(maker)));
    let Some(number) = pack.and_then(|pack| pack.numbers().first().copied()) else {
        return false;
    };
    if view.ty(number) != view.ty(first.result()) {
        return false;
    }
    rewriter.replace(op, &[number]);
    true
}
