//! Bounds on accumulation in counted loops: the amount added per iteration, and so by all iterations together.

use std::collections::BTreeMap;

use sluice_dialects::{arith, scf};
use sluice_ir::algebra::RangesWord;
use sluice_ir::bits::Bits;
use sluice_ir::exact::{self, Exact};
use sluice_ir::{ValueDefinition, ValueId, View};

use crate::analysis::linear::trip_count;
use crate::analysis::value_ranges::Analysis;
use crate::build::yielded;

/// The minimum and maximum amount added.
pub(crate) type Span = (i128, i128);

/// Returns an upper bound on the trip count of an `scf.for`.
pub(crate) fn trips(known: &Analysis<'_>, view: View<'_>) -> Option<Exact> {
    if let Some(exact) = trip_count(known.context, known.body, view.id) {
        return Some(exact);
    }
    let ends = [0, 1, 2].map(|i| known.get(view.operand(i)));
    let [Some(first), Some(end), Some(step)] = ends else {
        return None;
    };
    let step = Exact::signed(&step.smin).max(Exact::ONE);
    exact::trips(Exact::signed(&first.smin), Exact::signed(&end.smax), step)
}

/// Returns the range of `value - of` at the end of an iteration that carries `of`, derived through additions and selections.
///
/// The arithmetic is modulo two to the power of the width: intermediate wrapping does not change the sum.
pub(crate) fn offset(known: &Analysis<'_>, value: ValueId, of: ValueId) -> Option<Span> {
    let mut search = Search {
        known,
        of,
        found: BTreeMap::new(),
    };
    search.offset(value)
}

struct Search<'a, 'b> {
    known: &'a Analysis<'b>,
    of: ValueId,
    found: BTreeMap<ValueId, Option<Span>>,
}

fn plus(a: Span, b: Span) -> Option<Span> {
    Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))
}

fn hull(a: Span, b: Span) -> Span {
    (a.0.min(b.0), a.1.max(b.1))
}

/// Returns the total over at most `n_iterations` iterations, possibly none.
fn times((low, high): Span, n_iterations: i128) -> Option<Span> {
    let (low, high) = (
        low.checked_mul(n_iterations)?,
        high.checked_mul(n_iterations)?,
    );
    Some((low.min(0), high.max(0)))
}

impl Search<'_, '_> {
    fn offset(&mut self, value: ValueId) -> Option<Span> {
        if value == self.of {
            return Some((0, 0));
        }
        if let Some(found) = self.found.get(&value) {
            return *found;
        }
        // A value found while it is being computed is cyclic, so it has no offset.
        self.found.insert(value, None);
        let found = self.made(value);
        self.found.insert(value, found);
        found
    }

    fn made(&mut self, value: ValueId) -> Option<Span> {
        let body = self.known.body;
        let ValueDefinition::Result { operation, index } = body.value_definition(value) else {
            return None;
        };
        let index = usize::try_from(index).ok()?;
        let view = View::new(self.known.context, body, operation);
        match view.name() {
            arith::Addi::NAME => {
                let (a, b) = (view.operand(0), view.operand(1));
                match self.offset(a) {
                    Some(to) => plus(to, self.range(b)?),
                    None => plus(self.offset(b)?, self.range(a)?),
                }
            }
            arith::Subi::NAME => {
                let (low, high) = self.range(view.operand(1))?;
                plus(self.offset(view.operand(0))?, (-high, -low))
            }
            arith::Select::NAME => {
                let (a, b) = (self.offset(view.operand(1))?, self.offset(view.operand(2))?);
                Some(hull(a, b))
            }
            scf::If::NAME if view.regions().len() == 2 => {
                let sides = [0, 1].map(|region| yielded(body, operation, region)[index]);
                let (a, b) = (self.offset(sides[0])?, self.offset(sides[1])?);
                Some(hull(a, b))
            }
            scf::For::NAME => {
                let first = self.offset(view.operand(3 + index))?;
                let argument = *body.arguments(view.entry_block(0)?).get(1 + index)?;
                let per_iteration =
                    offset(self.known, yielded(body, operation, 0)[index], argument)?;
                plus(
                    first,
                    times(per_iteration, trips(self.known, view)?.known()?)?,
                )
            }
            _ => None,
        }
    }

    fn range(&self, value: ValueId) -> Option<Span> {
        let range = self.known.get(value)?;
        let (low, high) = (range.smin.to_i64()?, range.smax.to_i64()?);
        Some((i128::from(low), i128::from(high)))
    }
}

/// Returns the range of a value that starts in `first` and increases by `by` in each of at most `n_iterations` iterations; `None`
/// if it may wrap.
pub(crate) fn after_iterations(
    first: &RangesWord,
    by: Span,
    n_iterations: i128,
) -> Option<RangesWord> {
    let width = first.width();
    let by = times(by, n_iterations)?;
    let after = |low: i128, high: i128| plus((low, high), by);
    let bits = |end: i128| Bits::from_i128(width, end);
    let limit = 1i128
        .checked_shl(width)
        .filter(|_| (1..127).contains(&width))?;
    let signed = first.smin.to_i64().zip(first.smax.to_i64());
    if let Some((low, high)) = signed.and_then(|(low, high)| after(low.into(), high.into()))
        && -limit / 2 <= low
        && high < limit / 2
    {
        return Some(RangesWord::signed(bits(low), bits(high)));
    }
    let unsigned = first.umin.to_u64().zip(first.umax.to_u64());
    let (low, high) = unsigned.and_then(|(low, high)| after(low.into(), high.into()))?;
    let fits = 0 <= low && high < limit;
    fits.then(|| RangesWord::unsigned(bits(low), bits(high)))
}
