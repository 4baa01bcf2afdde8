//! What an operation of `arith` computes: its declared meaning, over tokens.

use std::fmt;

use smallvec::SmallVec;

use sluice_ir::View;
use sluice_ir::algebra::Concrete;
use sluice_ir::bits::Bits;
use sluice_ir::definition::Meaning;

use super::words::{DEFINED, n_limbs};

/// An operation with a meaning, and what its tokens are.
pub(super) struct Evaluation<'a> {
    view: View<'a>,
    meaning: &'static Meaning,
    operand_widths_bits: SmallVec<[u32; 4]>,
    /// The number of its node, plus 1: what results are marked with that are not defined.
    mark: u64,
    is_select: bool,
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
        Some(Self {
            view,
            meaning,
            operand_widths_bits: widths.collect::<Option<_>>()?,
            mark: u64::try_from(node).ok()? + 1,
            is_select: view.name() == "arith.select",
        })
    }

    /// The operands that a token of words stands for, one behind the other.
    fn operands(&self, words: &[u64]) -> (SmallVec<[Bits; 4]>, SmallVec<[u64; 4]>) {
        let (mut operands, mut marks, mut at) = (SmallVec::new(), SmallVec::new(), 0);
        for width_bits in &self.operand_widths_bits {
            let end = at + 1 + n_limbs(*width_bits);
            marks.push(words[at]);
            operands.push(Bits::from_limbs(*width_bits, &words[at + 1..end]));
            at = end;
        }
        (operands, marks)
    }

    /// The result for operands, one behind the other, as words. Where the meaning is not defined, the result is marked.
    pub(super) fn result(&self, words: &[u64]) -> SmallVec<[u64; 4]> {
        let (operands, marks) = self.operands(words);
        let mut concrete = Concrete::new();
        let results = self
            .view
            .with_site(|site| (self.meaning.evaluate)(site, &mut concrete, &operands));
        let first_mark = || marks.iter().copied().find(|mark| *mark != DEFINED);
        let mut mark = match marks[..] {
            // A choice is as defined as what was chosen.
            [DEFINED, yes, no] if self.is_select => match operands[0].is_zero() {
                true => no,
                false => yes,
            },
            _ => first_mark().unwrap_or(DEFINED),
        };
        let result = results.and_then(|results| results.into_iter().next());
        if result.is_none() || concrete.undefined().is_some() && mark == DEFINED {
            mark = self.mark;
        }
        let mut token = SmallVec::new();
        token.push(mark);
        match result {
            Some(bits) => token.extend_from_slice(bits.limbs()),
            None => {
                let width_bits = self.view.ty(self.view.result(0));
                let width_bits = width_bits.width_bits(self.view.context).unwrap_or(1);
                token.extend(std::iter::repeat_n(0, n_limbs(width_bits)));
            }
        }
        token
    }
}
