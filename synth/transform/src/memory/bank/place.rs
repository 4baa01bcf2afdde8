//! Determines the bank of an index: known from its linear form, or computed at run time.

use std::collections::BTreeSet;

use sluice_dialects::partition::Split;
use sluice_ir::{Body, Context, Exact, ValueId};

use crate::analysis::linear::{Linear, linear, range_of};

/// The location of an index of a split dimension.
pub(super) enum Place {
    /// In one bank for all counter values, at this index of it.
    Straight {
        /// Bank along the dimension.
        bank: u64,
        /// Index within the bank.
        index: Linear,
    },
    /// In one of several banks.
    Chosen {
        /// The possible banks, in ascending order.
        banks: Vec<u64>,
        /// The part that determines the bank: the index minus its multiples of `factor * block`.
        low: Linear,
        /// These multiples, divided by `factor * block`.
        high: Linear,
    },
}

/// Returns the location of an index.
///
/// With the period `factor * block`, the index is `period * high + low`, where `high` contains the counters whose coefficients
/// the period divides. The bank is known if `low` stays within one block.
pub(super) fn place(context: &Context, body: &Body, split: Split, index: ValueId) -> Option<Place> {
    place_of(context, body, split, &linear(context, body, index))
}

/// Returns the location of an index with this linear form.
pub(super) fn place_of(
    context: &Context,
    body: &Body,
    split: Split,
    form: &Linear,
) -> Option<Place> {
    let (factor, block) = (
        i64::try_from(split.factor).ok()?,
        i64::try_from(split.block).ok()?,
    );
    let period = factor.checked_mul(block)?;
    let (mut high, mut low) = (Linear::default(), Linear::default());
    low.constant = form.constant;
    for (value, coefficient) in &form.terms {
        if coefficient % period == 0 {
            high.terms.insert(*value, coefficient / period);
        } else {
            low.terms.insert(*value, *coefficient);
        }
    }
    let range = match low.as_constant() {
        Some(constant) => Some((constant, constant)),
        None => range_of(context, body, &low, 0),
    };
    if let Some((first, last)) = range
        && first.div_euclid(block) == last.div_euclid(block)
    {
        let number = first.div_euclid(block);
        let (bank, round) = (number.rem_euclid(factor), number.div_euclid(factor));
        // index in the bank = (high + round) * block + low - number * block
        let mut local = low.plus(&high, block)?;
        let moved = Exact::from(round).minus(number).times(block);
        local.constant = moved.plus(local.constant).to_i64()?;
        return Some(Place::Straight {
            bank: u64::try_from(bank).ok()?,
            index: local,
        });
    }
    let stride = low
        .terms
        .values()
        .fold(period, |g, c| gcd(g, c.checked_abs().unwrap_or(1)));
    // The banks of the values of `low` repeat after one period.
    let first = Exact::from(range.map_or(0, |(first, _)| first));
    let behind = Exact::from(low.constant).minus(first).remainder(stride)?;
    let first = first.plus(behind);
    let n_values = match range {
        Some((_, last)) => Exact::from(last).minus(first).divided_down(stride)?.plus(1),
        None => period.into(),
    };
    let most = Exact::from(period).divided_down(stride)?.to_i64()?;
    // Code that never runs has no value, but still needs a bank.
    let n_values = n_values.min(most.into()).to_i64()?.max(1);
    let bank = |n: i64| {
        let cell = first.plus(Exact::from(n).times(stride));
        cell.divided_down(block)?.remainder(factor)?.to_i64()
    };
    let banks: BTreeSet<i64> = (0..n_values).filter_map(bank).collect();
    Some(Place::Chosen {
        banks: banks
            .into_iter()
            .filter_map(|bank| u64::try_from(bank).ok())
            .collect(),
        low,
        high,
    })
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
