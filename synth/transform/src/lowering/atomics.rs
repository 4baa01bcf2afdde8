//! Lowers atomic read-modify-write accesses to a load and a store; a kernel has one thread, so no other access comes between.

use sluice_dialects::{arith, arith::ATOMIC_KINDS, memref};
use sluice_ir::{Body, Builder, Context, OperationId, ValueId, View};

use crate::build::{all_named, binary, move_all_but_last, replace, yielded};

/// Splits `memref.atomic_rmw` and `memref.generic_atomic_rmw` into a load and a store.
pub(crate) fn lower_atomics(context: &Context, body: &mut Body) {
    for op in all_named(context, body, memref::AtomicRmw::NAME) {
        let view = View::new(context, body, op);
        let kind = view.attribute("kind");
        let kind = kind.and_then(|kind| ATOMIC_KINDS.value(context, kind));
        let kind = kind.and_then(|kind| ATOMIC_KINDS.keywords(kind));
        let combine = match kind.as_deref() {
            Some("addi") => arith::Addi::NAME,
            Some("muli") => arith::Muli::NAME,
            Some("andi") => arith::Andi::NAME,
            Some("ori") => arith::Ori::NAME,
            Some("xori") => arith::Xori::NAME,
            Some("maxs") => arith::Maxsi::NAME,
            Some("maxu") => arith::Maxui::NAME,
            Some("mins") => arith::Minsi::NAME,
            Some("minu") => arith::Minui::NAME,
            Some("addf") => arith::Addf::NAME,
            Some("mulf") => arith::Mulf::NAME,
            Some("maximumf") => arith::Maximumf::NAME,
            Some("maxnumf") => arith::Maxnumf::NAME,
            Some("minimumf") => arith::Minimumf::NAME,
            Some("minnumf") => arith::Minnumf::NAME,
            Some("assign") => "",
            _ => continue,
        };
        let operands: Vec<ValueId> = view.operands().collect();
        let (word, place) = (operands[0], &operands[1..]);
        let before = load(context, body, op, place);
        let mut builder = Builder::before(context, body, op);
        let after = match combine {
            "" => word,
            combine => binary(&mut builder, combine, before, word),
        };
        store(&mut builder, after, place);
        replace(body, op, &[before]);
    }
    for op in all_named(context, body, memref::GenericAtomicRmw::NAME) {
        let place: Vec<ValueId> = body.operands(op).collect();
        let Some(block) = body.entry_block(op, 0) else {
            continue;
        };
        let before = load(context, body, op, &place);
        let argument = body.arguments(block)[0];
        body.replace_all_uses(argument, before);
        let after = yielded(body, op, 0)[0];
        move_all_but_last(body, block, op);
        store(&mut Builder::before(context, body, op), after, &place);
        replace(body, op, &[before]);
    }
}

fn load(context: &Context, body: &mut Body, op: OperationId, place: &[ValueId]) -> ValueId {
    let ty = body.ty(body.result(op, 0));
    let mut builder = Builder::before(context, body, op);
    let made = builder.operation(memref::Load::NAME, place, &[ty], &[]);
    builder.body.result(made, 0)
}

fn store(builder: &mut Builder<'_>, word: ValueId, place: &[ValueId]) {
    let operands = [&[word], place].concat();
    builder.operation(memref::Store::NAME, &operands, &[], &[]);
}
