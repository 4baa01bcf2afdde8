//! Derives value ranges that follow from a condition being true or false.

use sluice_dialects::{arith, handshake};
use sluice_ir::algebra::RangesWord;
use sluice_ir::bits::Bits;
use sluice_ir::{Body, Context, ValueId, View};

use crate::analysis::value_ranges::Analysis;

/// Maximum nesting depth of logical operations that are followed.
const MAX_DEPTH: u32 = 8;

/// Returns the value ranges implied by `condition` being true or false, in addition to what is known anyway.
pub(crate) fn implied(
    known: &Analysis<'_>,
    condition: ValueId,
    truth: bool,
) -> Vec<(ValueId, RangesWord)> {
    let mut found = Vec::new();
    collect(known, condition, truth, 0, &mut found);
    found
}

fn collect(
    known: &Analysis<'_>,
    condition: ValueId,
    truth: bool,
    depth: u32,
    found: &mut Vec<(ValueId, RangesWord)>,
) {
    let itself = Bits::from_u64(1, u64::from(truth));
    found.push((condition, RangesWord::exact(&itself)));
    let condition = origin(known.context, known.body, condition);
    let Some(op) = known.body.defining_operation(condition) else {
        return;
    };
    if depth == MAX_DEPTH {
        return;
    }
    let view = View::new(known.context, known.body, op);
    match view.name() {
        arith::Andi::NAME | arith::Ori::NAME if truth == (view.name() == arith::Andi::NAME) => {
            for operand in view.operands() {
                collect(known, operand, truth, depth + 1, found);
            }
        }
        arith::Xori::NAME => {
            let [a, b] = [0, 1].map(|i| view.operand(i));
            for (of, with) in [(a, b), (b, a)] {
                let with = known.get(with);
                if let Some(constant) = with.as_ref().and_then(RangesWord::value) {
                    collect(known, of, truth != constant.is_one(), depth + 1, found);
                    return;
                }
            }
        }
        arith::Cmpi::NAME => {
            let predicate = view.attribute("predicate");
            let Some(predicate) = predicate.and_then(|p| p.as_i64(known.context)) else {
                return;
            };
            let holds = if truth {
                predicate
            } else {
                otherwise(predicate)
            };
            let (a, b) = (view.operand(0), view.operand(1));
            for (of, predicate, with) in [(a, holds, b), (b, turned(holds), a)] {
                if let (Some(range), Some(with)) = (known.get(of), known.get(with))
                    && let Some(bound) = bound(predicate, &range, &with)
                {
                    through_casts(known, of, &bound, found);
                    found.push((of, bound));
                }
            }
        }
        _ => {}
    }
}

/// Returns the negated predicate of `arith.cmpi`.
fn otherwise(predicate: i64) -> i64 {
    match predicate {
        0 => 1,
        1 => 0,
        2 | 6 => predicate + 3,
        3 | 7 => predicate + 1,
        4 | 8 => predicate - 1,
        _ => predicate - 3,
    }
}

/// Returns the predicate for swapped operands.
fn turned(predicate: i64) -> i64 {
    match predicate {
        2 | 3 | 6 | 7 => predicate + 2,
        4 | 5 | 8 | 9 => predicate - 2,
        _ => predicate,
    }
}

/// Returns the range of the left side that a predicate implies, given its known range and that of the right side.
fn bound(predicate: i64, of: &RangesWord, with: &RangesWord) -> Option<RangesWord> {
    let width = of.width();
    let full = RangesWord::full(width);
    let one = Bits::from_u64(width, 1);
    match predicate {
        0 => Some(with.clone()),
        1 => {
            let other = with.value()?;
            let mut rest = of.clone();
            if rest.umin == *other {
                rest.umin = rest.umin.add(&one);
            }
            if rest.umax == *other {
                rest.umax = rest.umax.sub(&one);
            }
            if rest.smin == *other {
                rest.smin = rest.smin.add(&one);
            }
            if rest.smax == *other {
                rest.smax = rest.smax.sub(&one);
            }
            // If the range has a single value, excluding it would leave none.
            (of.umin != of.umax && of.smin != of.smax).then_some(rest)
        }
        2 => (with.smax != full.smin).then(|| RangesWord::signed(full.smin, with.smax.sub(&one))),
        3 => Some(RangesWord::signed(full.smin, with.smax.clone())),
        4 => (with.smin != full.smax).then(|| RangesWord::signed(with.smin.add(&one), full.smax)),
        5 => Some(RangesWord::signed(with.smin.clone(), full.smax)),
        6 => (!with.umax.is_zero()).then(|| RangesWord::unsigned(full.umin, with.umax.sub(&one))),
        7 => Some(RangesWord::unsigned(full.umin, with.umax.clone())),
        8 => {
            (!with.umin.is_all_ones()).then(|| RangesWord::unsigned(with.umin.add(&one), full.umax))
        }
        9 => Some(RangesWord::unsigned(with.umin.clone(), full.umax)),
        _ => None,
    }
}

/// Transfers a range to the operand of a conversion that preserves the number.
fn through_casts(
    known: &Analysis<'_>,
    value: ValueId,
    bound: &RangesWord,
    found: &mut Vec<(ValueId, RangesWord)>,
) {
    let Some(op) = known.body.defining_operation(value) else {
        return;
    };
    let view = View::new(known.context, known.body, op);
    let is_signed = match view.name() {
        arith::Extsi::NAME | arith::IndexCast::NAME => true,
        arith::Extui::NAME | arith::IndexCastui::NAME => false,
        _ => return,
    };
    let inner = view.operand(0);
    let Some((range, all)) = known.get(inner).zip(known.get(value)) else {
        return;
    };
    let (from, to) = (range.width(), all.width());
    let Some(all) = all.meet(bound).map(RangesWord::tight) else {
        return;
    };
    let bound = match is_signed {
        // A narrowing cast preserves the number if the dropped bits are redundant.
        true if from > to => {
            let fits = |end: &Bits| end.min_signed_bits() <= to;
            (fits(&range.smin) && fits(&range.smax))
                .then(|| RangesWord::signed(all.smin.sext(from), all.smax.sext(from)))
        }
        false if from > to => (range.umax.active_bits() <= to)
            .then(|| RangesWord::unsigned(all.umin.zext(from), all.umax.zext(from))),
        true => {
            let fits = |end: &Bits| end.min_signed_bits() <= from;
            (fits(&all.smin) && fits(&all.smax))
                .then(|| RangesWord::signed(all.smin.trunc(from), all.smax.trunc(from)))
        }
        false => (all.umax.active_bits() <= from)
            .then(|| RangesWord::unsigned(all.umin.trunc(from), all.umax.trunc(from))),
    };
    found.extend(bound.map(|bound| (inner, bound)));
}

/// Returns the earlier channel that carries the same tokens in the same order, by skipping wires, forks, and buffers that are
/// empty after reset.
pub(crate) fn origin(context: &Context, body: &Body, channel: ValueId) -> ValueId {
    let mut at = channel;
    // Bounded, because buffers may form a cycle.
    for _ in 0..body.value_capacity() {
        let Some(op) = body.defining_operation(at) else {
            break;
        };
        let view = View::new(context, body, op);
        let is_passed = match view.name() {
            handshake::Fork::NAME | handshake::Branch::NAME | handshake::LazyFork::NAME => true,
            handshake::Buffer::NAME => view.attribute("initValues").is_none(),
            handshake::Merge::NAME => view.operands().len() == 1,
            _ => false,
        };
        if !is_passed {
            break;
        }
        at = view.operand(0);
    }
    at
}
