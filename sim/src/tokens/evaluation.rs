//! Evaluation of the operations of `arith` on tokens, by their declared meaning.

use std::fmt;

use sluice_dialects::arith;
use smallvec::SmallVec;

use sluice_ir::View;
use sluice_ir::algebra::Concrete;
use sluice_ir::bits::Bits;
use sluice_ir::definition::Meaning;

use super::formula::Formula;
use super::words::{DEFINED, n_limbs};

/// An operation with a declared meaning, and the layout of its tokens.
pub(super) struct Evaluation<'a> {
    view: View<'a>,
    meaning: &'static Meaning,
    /// The same meaning as a formula on machine words, where all widths are at most 64 bits.
    formula: Option<Formula>,
    operand_widths_bits: SmallVec<[u32; 4]>,
    /// The position of each operand in the words of all operands.
    operand_offsets: SmallVec<[usize; 4]>,
    result_width_bits: u32,
    /// The mark of undefined results of this operation: the number of its node, plus 1.
    mark: u64,
    is_select: bool,
    /// The value of an operand that decides the result alone: all bits 0 (`Some(false)`) or all bits 1 (`Some(true)`).
    absorbs: Option<bool>,
}

impl fmt::Debug for Evaluation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.view.name())
    }
}

impl<'a> Evaluation<'a> {
    /// Creates the evaluation of an operation on integers with one result; `None` if it has no declared meaning.
    pub(super) fn new(view: View<'a>, node: usize) -> Option<Self> {
        let meaning = view.definition()?.meaning.as_ref()?;
        let widths = view.operand_types().map(|ty| ty.width_bits(view.context));
        let operand_widths_bits: SmallVec<[u32; 4]> = widths.collect::<Option<_>>()?;
        let mut end = 0;
        let offsets = operand_widths_bits.iter().map(|width_bits| {
            let begin = end;
            end += 1 + n_limbs(*width_bits);
            begin
        });
        Some(Self {
            view,
            meaning,
            formula: Formula::new(view, meaning, &operand_widths_bits),
            operand_offsets: offsets.collect(),
            operand_widths_bits,
            result_width_bits: view.result_types().next()?.width_bits(view.context)?,
            mark: u64::try_from(node).ok()? + 1,
            is_select: view.name() == arith::Select::NAME,
            absorbs: match view.name() {
                arith::Andi::NAME => Some(false),
                arith::Ori::NAME => Some(true),
                _ => None,
            },
        })
    }

    /// Returns the result for the words of the operands. An undefined result has a mark.
    pub(super) fn result(&self, words: &[u64]) -> SmallVec<[u64; 4]> {
        let mark = self.mark_of(words);
        if let Some(formula) = &self.formula {
            let (value, is_defined) = formula.value(words);
            let mark = if is_defined {
                mark
            } else {
                mark.max(self.mark)
            };
            return SmallVec::from_slice(&[mark, value]);
        }
        let operands: SmallVec<[Bits; 4]> = self
            .operand_widths_bits
            .iter()
            .zip(&self.operand_offsets)
            .map(|(width_bits, begin)| Bits::from_limbs(*width_bits, &words[begin + 1..]))
            .collect();
        let mut concrete = Concrete::new();
        let results = self
            .view
            .with_site(|site| (self.meaning.evaluate)(site, &mut concrete, &operands));
        let result = results.and_then(|results| results.into_iter().next());
        let is_defined = result.is_some() && concrete.undefined().is_none();
        let mut token = SmallVec::new();
        token.push(if is_defined {
            mark
        } else {
            mark.max(self.mark)
        });
        let result = result.unwrap_or_else(|| Bits::zero(self.result_width_bits));
        token.extend_from_slice(result.limbs());
        token
    }

    /// Returns whether all bits of an operand are 1, or all are 0.
    fn is_all(&self, ones: bool, operand: usize, words: &[u64]) -> bool {
        let begin = self.operand_offsets[operand] + 1;
        let value = Bits::from_limbs(self.operand_widths_bits[operand], &words[begin..]);
        if ones {
            value.is_all_ones()
        } else {
            value.is_zero()
        }
    }

    /// Returns the mark that the result inherits from the operands. A select inherits only the mark of the selected value. If a
    /// defined operand decides the result alone, the mark of the other operand is ignored.
    fn mark_of(&self, words: &[u64]) -> u64 {
        let mark = |operand: usize| words[self.operand_offsets[operand]];
        let n_operands = self.operand_offsets.len();
        if self.is_select && n_operands == 3 && mark(0) == DEFINED {
            // The condition has a single word of data.
            return mark(if words[1] == 0 { 2 } else { 1 });
        }
        let decides = |ones: bool| {
            let alone = |i: usize| mark(i) == DEFINED && self.is_all(ones, i, words);
            (0..n_operands).any(alone)
        };
        if self.absorbs.is_some_and(decides) {
            return DEFINED;
        }
        let marks = (0..n_operands).map(mark);
        marks.max().unwrap_or(DEFINED)
    }
}
