//! Rewrites one access of an array in banks: to its bank if the bank is known, else to all banks that it may go to.

use sluice_dialects::partition::Split;
use sluice_dialects::{arith, memref, scf};
use sluice_ir::{Body, Builder, Context, NewOperation, OperationId, Type, ValueId, View};

use super::Array;
use super::place::{Place, place};
use crate::analysis::linear::Linear;
use crate::build::{binary, compare, constant, name, replace, select};
use crate::memory::promote::materialise;

/// The banks that an access may go to.
pub(super) struct Choice {
    /// Bank numbers, in ascending order.
    pub(super) banks: Vec<u64>,
    /// The computed bank number, if there are several banks.
    number: Option<ValueId>,
    /// The indices within the bank.
    indices: Vec<ValueId>,
}

/// Determines the bank of an access; computations are emitted before the access.
pub(super) fn choice_of(
    context: &Context,
    body: &mut Body,
    array: &Array,
    access: OperationId,
) -> Choice {
    let first = if name(context, body, access) == memref::Load::NAME {
        1
    } else {
        2
    };
    let mut indices: Vec<ValueId> = body.operands(access).skip(first).collect();
    let mut banks = vec![0];
    let mut number: Option<ValueId> = None;
    let index = context.index_type();
    for split in &array.partition.splits {
        let at = indices[split.dim];
        let (own, dynamic) = match place(context, body, *split, at) {
            Some(Place::Straight { bank, index }) => {
                indices[split.dim] = materialise(context, body, access, &index);
                (vec![bank], None)
            }
            Some(Place::Chosen { banks, low, high }) => {
                let low = materialise(context, body, access, &low);
                let (bank, local) = compute(context, body, access, *split, low, Some(&high));
                indices[split.dim] = local;
                (banks, Some(bank))
            }
            None => {
                let (bank, local) = compute(context, body, access, *split, at, None);
                indices[split.dim] = local;
                ((0..split.factor).collect(), Some(bank))
            }
        };
        let before = banks;
        banks = before
            .iter()
            .flat_map(|high| own.iter().map(move |own| high * split.factor + own))
            .collect();
        // number = number * factor + bank; a known part is a constant.
        if number.is_some() || dynamic.is_some() {
            let mut builder = Builder::before(context, body, access);
            let own = match (dynamic, own.first()) {
                (Some(bank), _) => bank,
                (None, known) => constant(&mut builder, index, to_i64(*known.unwrap_or(&0))),
            };
            let high = number.unwrap_or_else(|| constant(&mut builder, index, to_i64(before[0])));
            let factor = constant(&mut builder, index, to_i64(split.factor));
            let scaled = binary(&mut builder, arith::Muli::NAME, high, factor);
            number = Some(binary(&mut builder, arith::Addi::NAME, scaled, own));
        }
    }
    Choice {
        banks,
        number,
        indices,
    }
}

pub(super) fn to_i64(n: u64) -> i64 {
    i64::try_from(n).expect("sizes of memories are small")
}

/// Emits the bank along a dimension and the index in it: `low / block % factor`, and `(low / (block * factor) + high) * block +
/// low % block`.
pub(super) fn compute(
    context: &Context,
    body: &mut Body,
    access: OperationId,
    split: Split,
    low: ValueId,
    high: Option<&Linear>,
) -> (ValueId, ValueId) {
    let high = high
        .filter(|high| !high.terms.is_empty())
        .map(|high| materialise(context, body, access, high));
    let index = context.index_type();
    let mut builder = Builder::before(context, body, access);
    let divide = |builder: &mut Builder<'_>, value: ValueId, divisor: u64| {
        if divisor == 1 {
            let zero = constant(builder, index, 0);
            return (value, zero);
        }
        let divisor = constant(builder, index, to_i64(divisor));
        let quotient = binary(builder, arith::Floordivsi::NAME, value, divisor);
        let multiple = binary(builder, arith::Muli::NAME, quotient, divisor);
        let remainder = binary(builder, arith::Subi::NAME, value, multiple);
        (quotient, remainder)
    };
    let (number, within) = divide(&mut builder, low, split.block);
    let (mut round, bank) = divide(&mut builder, number, split.factor);
    if let Some(high) = high {
        round = binary(&mut builder, arith::Addi::NAME, round, high);
    }
    if split.block == 1 {
        return (bank, round);
    }
    let block = constant(&mut builder, index, to_i64(split.block));
    let start = binary(&mut builder, arith::Muli::NAME, round, block);
    (bank, binary(&mut builder, arith::Addi::NAME, start, within))
}

/// Replaces an access by accesses of its banks.
pub(super) fn rewrite(
    context: &Context,
    body: &mut Body,
    access: OperationId,
    choice: &Choice,
    banks: &[ValueId],
) {
    let memory = |bank: u64| banks[usize::try_from(bank).expect("few banks")];
    let view = View::new(context, body, access);
    let attributes = view.attributes().to_vec();
    let types: Vec<Type> = view.result_types().collect();
    let is_load = view.name() == memref::Load::NAME;
    let stored = view.operands().next();
    let source_name = view.results().first().and_then(|r| body.value_name(*r));
    let make = |builder: &mut Builder<'_>, bank: u64| {
        let mut new = NewOperation::new(builder.body.name(access), builder.body.location(access));
        if !is_load {
            new.operands.extend(stored);
        }
        new.operands.push(memory(bank));
        new.operands.extend(choice.indices.iter().copied());
        new.result_types = types.clone().into();
        new.attributes.clone_from(&attributes);
        builder.create(new)
    };
    let mut builder = Builder::before(context, body, access);
    let Some(number) = choice.number.filter(|_| choice.banks.len() > 1) else {
        let made = make(&mut builder, choice.banks[0]);
        let values = body.results(made).to_vec();
        if let Some(value) = values.first() {
            body.set_value_name(*value, source_name);
        }
        return replace(body, access, &values);
    };
    let index = context.index_type();
    let is_bank = |builder: &mut Builder<'_>, bank: u64| {
        let bank = constant(builder, index, to_i64(bank));
        compare(builder, 0, number, bank)
    };
    if is_load {
        let mut value: Option<ValueId> = None;
        for bank in choice.banks.iter().rev() {
            let made = make(&mut builder, *bank);
            let own = builder.body.result(made, 0);
            value = Some(match value {
                None => own,
                Some(rest) => {
                    let condition = is_bank(&mut builder, *bank);
                    select(&mut builder, condition, own, rest)
                }
            });
        }
        return replace(body, access, &value.map_or_else(Vec::new, |v| vec![v]));
    }
    for bank in &choice.banks {
        let condition = is_bank(&mut builder, *bank);
        let mut new = NewOperation::new(context.operation_name(scf::If::NAME), builder.location);
        new.operands.push(condition);
        new.n_regions = 2;
        let conditional = builder.create(new);
        let region = builder.body.regions(conditional)[0];
        let block = builder.body.append_block(region);
        let outside = std::mem::replace(&mut builder.point, sluice_ir::InsertionPoint::End(block));
        make(&mut builder, *bank);
        builder.operation(scf::Yield::NAME, &[], &[], &[]);
        builder.point = outside;
    }
    body.erase(access);
}
