//! Arrays, structures, unions and enumerations as words. As in `hw.bitcast`, element 0 of an array and the last field of a
//! structure are at the low end.

use sluice_dialects::{hw, seq};
use sluice_ir::algebra::{Algebra, TermId, Terms};
use sluice_ir::bits::Bits;
use sluice_ir::{Context, Type, View};

/// Returns the width of a type whose values are words; `None` for clocks and other types.
pub(super) fn width_bits(context: &Context, ty: Type) -> Option<u32> {
    if seq::is_clock(context, ty) {
        return None;
    }
    u32::try_from(hw::width_bits(context, ty)?).ok()
}

/// Returns the elements of an array, element 0 first.
fn elements(terms: &mut Terms, array: TermId, n: u32, width: u32) -> Vec<TermId> {
    (0..n)
        .map(|at| terms.extract(&array, at * width, width))
        .collect()
}

/// Concatenates words, the first one in the highest bits. It splits the list in halves, so a long list does not become a long
/// chain of wide words.
fn concat(terms: &mut Terms, parts: &[TermId]) -> Option<TermId> {
    match parts {
        [] => None,
        [one] => Some(*one),
        _ => {
            let (high, low) = parts.split_at(parts.len() / 2);
            let (high, low) = (concat(terms, high)?, concat(terms, low)?);
            Some(terms.concat(&high, &low))
        }
    }
}

/// Selects one of several words by an index; 0 for an index beyond the end.
fn select_element(terms: &mut Terms, mut list: Vec<TermId>, index: TermId) -> Option<TermId> {
    let width = terms.width(list.first()?);
    let n_named = 1usize.checked_shl(terms.width(&index))?;
    list.resize(
        n_named.min(list.len().next_power_of_two()),
        terms.constant(Bits::zero(width)),
    );
    let mut bit = 0;
    while list.len() > 1 {
        let select = terms.extract(&index, bit, 1);
        let pairs: Vec<Vec<TermId>> = list.chunks(2).map(<[TermId]>::to_vec).collect();
        list = pairs
            .iter()
            .map(|pair| match pair.as_slice() {
                [low, high] => terms.ite(&select, high, low),
                one => one[0],
            })
            .collect();
        bit += 1;
    }
    list.first().copied()
}

/// Returns whether [`results`] handles an operation.
pub(super) fn is_known(view: View<'_>) -> bool {
    [
        hw::ArrayCreate::NAME,
        hw::ArrayConcat::NAME,
        hw::ArrayGet::NAME,
        hw::ArraySlice::NAME,
        hw::ArrayInject::NAME,
        hw::StructCreate::NAME,
        hw::StructExtract::NAME,
        hw::StructExplode::NAME,
        hw::StructInject::NAME,
        hw::Bitcast::NAME,
        hw::UnionCreate::NAME,
        hw::UnionExtract::NAME,
        hw::EnumCmp::NAME,
    ]
    .contains(&view.name())
}

/// Returns the results of an operation on aggregates; `None` for types without a width.
pub(super) fn results(
    context: &Context,
    terms: &mut Terms,
    view: View<'_>,
    operands: &[TermId],
) -> Option<Vec<TermId>> {
    let index_of = |terms: &mut Terms, at: u32, width: u32| {
        terms.constant(Bits::from_u64(width.min(64), u64::from(at)).zext(width))
    };
    let field = || {
        let number = view.attribute("fieldIndex")?.as_i64(context)?;
        usize::try_from(number).ok()
    };
    // The lowest bit and the width of each field of the first operand.
    let fields = || hw::field_places(context, view.ty(view.operand(0)));
    let array = |value| -> Option<(u32, u32)> {
        let (n, element) = hw::array_parts(context, view.ty(value))?;
        let width = hw::width_bits(context, element)?;
        Some((u32::try_from(n).ok()?, u32::try_from(width).ok()?))
    };
    Some(match view.name() {
        hw::ArrayCreate::NAME | hw::ArrayConcat::NAME | hw::StructCreate::NAME => {
            vec![concat(terms, operands)?]
        }
        hw::Bitcast::NAME => vec![operands[0]],
        hw::ArrayGet::NAME => {
            let (n, width) = array(view.operand(0))?;
            let list = elements(terms, operands[0], n, width);
            vec![select_element(terms, list, operands[1])?]
        }
        hw::ArraySlice::NAME => {
            let (n, width) = array(view.operand(0))?;
            let (kept, _) = array(view.result(0))?;
            let all = elements(terms, operands[0], n, width);
            let zero = terms.constant(Bits::zero(width));
            // The slices for each start index.
            let from: Option<Vec<TermId>> = (0..n)
                .map(|low| {
                    let at = |at: u32| all.get(at as usize).copied().unwrap_or(zero);
                    let parts: Vec<TermId> = (low..low + kept).rev().map(at).collect();
                    concat(terms, &parts)
                })
                .collect();
            vec![select_element(terms, from?, operands[1])?]
        }
        hw::ArrayInject::NAME => {
            let (n, width) = array(view.operand(0))?;
            let of_index = terms.width(&operands[1]);
            let mut all = elements(terms, operands[0], n, width);
            for (at, element) in (0..).zip(&mut all) {
                let here = index_of(terms, at, of_index);
                let is_here = terms.eq(&operands[1], &here);
                *element = terms.ite(&is_here, &operands[2], element);
            }
            all.reverse();
            vec![concat(terms, &all)?]
        }
        hw::UnionCreate::NAME => {
            let places = hw::field_places(context, view.ty(view.result(0)))?;
            let (low, _) = *places.get(field()?)?;
            let whole = width_bits(context, view.ty(view.result(0)))?;
            let value = terms.zext(&operands[0], whole);
            let low = index_of(terms, low, whole);
            vec![terms.shl(&value, &low)]
        }
        hw::EnumCmp::NAME => vec![terms.eq(&operands[0], &operands[1])],
        hw::StructExtract::NAME | hw::UnionExtract::NAME => {
            let (low, width) = *fields()?.get(field()?)?;
            vec![terms.extract(&operands[0], low, width)]
        }
        hw::StructExplode::NAME => fields()?
            .into_iter()
            .map(|(low, width)| terms.extract(&operands[0], low, width))
            .collect(),
        hw::StructInject::NAME => {
            let wanted = field()?;
            let mut parts: Vec<TermId> = fields()?
                .into_iter()
                .map(|(low, width)| terms.extract(&operands[0], low, width))
                .collect();
            *parts.get_mut(wanted)? = operands[1];
            vec![concat(terms, &parts)?]
        }
        _ => return None,
    })
}
