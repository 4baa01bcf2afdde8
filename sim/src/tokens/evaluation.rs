//! What an operation of `arith` computes: its declared meaning, over tokens.

use std::fmt;

use sluice_dialects::arith;
use smallvec::SmallVec;

use sluice_ir::View;
use sluice_ir::algebra::Concrete;
use sluice_ir::bits::Bits;
use sluice_ir::definition::Meaning;

use super::formula::Formula;
use super::words::{DEFINED, n_limbs};

/// An operation with a meaning, and what its tokens are.
pub(super) struct Evaluation<'a> {
    view: View<'a>,
    meaning: &'static Meaning,
    /// The same meaning, where all words are small.
    formula: Option<Formula>,
    operand_widths_bits: SmallVec<[u32; 4]>,
    /// Where each operand begins in a token of words.
    operand_offsets: SmallVec<[usize; 4]>,
    result_width_bits: u32,
    /// The number of its node, plus 1: what results are marked with that are not defined.
    mark: u64,
    is_select: bool,
    /// What decides the result alone: no bit set (`Some(false)`) or all bits.
    absorbs: Option<bool>,
}

impl fmt::Debug for Evaluation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.view.name())
    }
}

impl<'a> Evaluation<'a> {
    /// The meaning of an operation on integers with one result, if it has one.
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

    /// The result for operands, one behind the other, as words. Where the meaning is not defined, the result is marked.
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

    /// Whether all bits of an operand are ones, or zeros.
    fn is_all(&self, ones: bool, operand: usize, words: &[u64]) -> bool {
        let begin = self.operand_offsets[operand] + 1;
        let value = Bits::from_limbs(self.operand_widths_bits[operand], &words[begin..]);
        if ones {
            value.is_all_ones()
        } else {
            value.is_zero()
        }
    }

    /// The mark of a result because of its operands: a choice is as defined as what was chosen, and an operand that decides alone leaves the
    /// other without meaning.
    fn mark_of(&self, words: &[u64]) -> u64 {
        let mark = |operand: usize| words[self.operand_offsets[operand]];
        let n_operands = self.operand_offsets.len();
        if self.is_select && n_operands == 3 && mark(0) == DEFINED {
            // The condition has one word.
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
