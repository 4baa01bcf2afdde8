//! `promote`: scalar replacement of a word that a loop reads and writes at one fixed address by a carried value.
//!
//! `C[i][j] += ...` in a loop over `k` then needs no memory access per iteration: the word is loaded before the loop, carried in
//! an `iter_arg`, and stored after it.

use sluice_dialects::{aliases, arith, memref, scf};
use sluice_ir::effects::Effects;
use sluice_ir::{Body, Builder, Context, Exact, OperationId, ValueId};

use crate::analysis::dependence::{MemoryAccess, access_of, stays_inside};
use crate::analysis::linear::{Linear, is_invariant, loop_of, range_of};
use crate::build::{carry, constant_of, name, yield_more};

/// Promotes words in every `scf.for`, innermost loops first.
pub fn promote(context: &Context, body: &mut Body) {
    let loops: Vec<_> = body.walk_all().into_iter().rev().collect();
    for op in loops {
        if body.is_erased(op) || name(context, body, op) != scf::For::NAME {
            continue;
        }
        let mut current = op;
        while let Some(cell) = promotable(context, body, current) {
            current = carry_cell(context, body, current, &cell);
        }
    }
}

/// The accesses of one word, in text order.
struct Cell {
    accesses: Vec<MemoryAccess>,
}

fn disjoint(context: &Context, body: &Body, a: &Linear, b: &Linear) -> bool {
    let Some(difference) = a.minus(b) else {
        return false;
    };
    match difference.as_constant() {
        Some(constant) => constant != 0,
        None => {
            let gcd = difference
                .terms
                .values()
                .fold(0u64, |g, c| gcd(g, c.unsigned_abs()));
            if gcd != 0 && difference.constant.unsigned_abs() % gcd != 0 {
                return true;
            }
            range_of(context, body, &difference, 0).is_some_and(|(low, high)| low > 0 || high < 0)
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns a word of which every access is directly in the body, at an invariant address, and that no other access touches.
fn promotable(context: &Context, body: &Body, loop_op: OperationId) -> Option<Cell> {
    let runs = loop_of(context, body, loop_op)?
        .trip_count
        .is_some_and(Exact::is_positive);
    let block = body.entry_block(loop_op, 0)?;
    let (mut all, mut others) = (Vec::new(), Vec::new());
    for op in body.walk(loop_op) {
        match access_of(context, body, op) {
            Some(access) => all.push(access),
            None => others.push(Effects::own(context, body, op)),
        }
    }
    others.retain(Effects::touches);
    let touched_otherwise = |memory: ValueId| {
        let mut others = others
            .iter()
            .flat_map(|other| [&other.reads, &other.writes]);
        others.any(|memories| aliases::may_hold(context, body, memories, memory))
    };
    let here = |a: &&MemoryAccess| body.parent_block(a.op) == Some(block);
    let fixed = |a: &&MemoryAccess| {
        is_invariant(body, loop_op, a.memory)
            && a.address
                .terms
                .keys()
                .all(|v| is_invariant(body, loop_op, *v))
    };
    for candidate in all.iter().filter(here).filter(fixed).filter(|a| a.writes) {
        let same =
            |a: &MemoryAccess| a.memory == candidate.memory && a.address == candidate.address;
        let others_apart = all.iter().all(|a| {
            if same(a) {
                here(&a)
            } else if a.memory == candidate.memory {
                disjoint(context, body, &a.address, &candidate.address)
            } else {
                !aliases::may_alias(context, body, a.memory, candidate.memory)
            }
        });
        let others_apart = others_apart && !touched_otherwise(candidate.memory);
        // The load before the loop and the store after it must be in bounds even if the body never runs.
        let allowed = runs || stays_inside(context, body, candidate);
        if others_apart && allowed {
            let accesses: Vec<_> = all.iter().filter(|a| same(a)).cloned().collect();
            return Some(Cell { accesses });
        }
    }
    None
}

/// Emits an `index` with this linear form before `op`.
pub(crate) fn materialise(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    form: &Linear,
) -> ValueId {
    let index = context.index_type();
    let mut builder = Builder::before(context, body, op);
    let mut sum: Option<ValueId> = None;
    for (value, coefficient) in &form.terms {
        let term = if *coefficient == 1 {
            *value
        } else {
            let factor = crate::build::constant(&mut builder, index, *coefficient);
            crate::build::binary(&mut builder, arith::Muli::NAME, *value, factor)
        };
        sum = Some(match sum {
            None => term,
            Some(before) => crate::build::binary(&mut builder, arith::Addi::NAME, before, term),
        });
    }
    match sum {
        None => crate::build::constant(&mut builder, index, form.constant),
        Some(sum) if form.constant == 0 => sum,
        Some(sum) => {
            let constant = crate::build::constant(&mut builder, index, form.constant);
            crate::build::binary(&mut builder, arith::Addi::NAME, sum, constant)
        }
    }
}

/// Carries the word through the loop; returns the new loop.
fn carry_cell(
    context: &Context,
    body: &mut Body,
    loop_op: OperationId,
    cell: &Cell,
) -> OperationId {
    let first = &cell.accesses[0];
    let element = body
        .ty(first.memory)
        .element_type(context)
        .expect("a memref has an element type");
    let index = materialise(context, body, loop_op, &first.address);
    let mut builder = Builder::before(context, body, loop_op);
    builder.location = builder.body.location(first.op);
    let load = builder.operation(memref::Load::NAME, &[first.memory, index], &[element], &[]);
    let init = builder.body.result(load, 0);
    let (carried, arguments) = carry(context, body, loop_op, &[init]);

    let argument = arguments[0];
    let mut value = argument;
    for access in &cell.accesses {
        if access.writes {
            value = body.operand(access.op, 0);
            body.erase(access.op);
        } else {
            let result = body.result(access.op, 0);
            if let Some(name) = body
                .value_name(result)
                .filter(|_| body.value_name(argument).is_none())
            {
                body.set_value_name(argument, Some(name));
            }
            body.replace_all_uses(result, value);
            body.erase(access.op);
        }
    }
    yield_more(body, carried, &[value]);

    let result = *body
        .results(carried)
        .last()
        .expect("the carried value is a result");
    let behind = body.next(carried).expect("a block ends in a terminator");
    let mut builder = Builder::before(context, body, behind);
    builder.location = builder
        .body
        .location(cell.accesses.last().expect("a cell has accesses").op);
    builder.operation(
        memref::Store::NAME,
        &[result, first.memory, index],
        &[],
        &[],
    );
    debug_assert!(
        constant_of(context, body, result).is_none(),
        "a loop result is no constant"
    );
    carried
}
