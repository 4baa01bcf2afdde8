//! Compile-time evaluation of values that depend only on constants and on given values.

use std::collections::BTreeMap;

use sluice_dialects::{arith, builtin};
use sluice_ir::bits::Bits;
use sluice_ir::simplify::results_for;
use sluice_ir::{Body, Context, ValueId, View};

use crate::build::constant_of;

/// Maximum length of a chain of operations; each step is a recursive call.
const MAX_DEPTH: u32 = 64;

/// Evaluates `value`, with `known` giving the bits of some values. Returns `None` if it depends on anything else, or takes more
/// than [`MAX_DEPTH`] steps.
pub(crate) fn evaluate(
    context: &Context,
    body: &Body,
    value: ValueId,
    known: &dyn Fn(ValueId) -> Option<Bits>,
) -> Option<Bits> {
    let mut evaluation = Evaluation {
        context,
        body,
        known,
        found: BTreeMap::new(),
    };
    evaluation.value(value, 0)
}

struct Evaluation<'a> {
    context: &'a Context,
    body: &'a Body,
    known: &'a dyn Fn(ValueId) -> Option<Bits>,
    /// Memoised results, so that shared values are computed once.
    found: BTreeMap<ValueId, Option<Bits>>,
}

impl Evaluation<'_> {
    fn value(&mut self, value: ValueId, depth: u32) -> Option<Bits> {
        if let Some(bits) =
            (self.known)(value).or_else(|| constant_of(self.context, self.body, value))
        {
            return Some(bits);
        }
        if let Some(found) = self.found.get(&value) {
            return found.clone();
        }
        let made = self.result(value, depth);
        self.found.insert(value, made.clone());
        made
    }

    fn result(&mut self, value: ValueId, depth: u32) -> Option<Bits> {
        if depth > MAX_DEPTH {
            return None;
        }
        let op = self.body.defining_operation(value)?;
        let view = View::new(self.context, self.body, op);
        let operands: Option<Vec<Bits>> = view
            .operands()
            .map(|operand| self.value(operand, depth + 1))
            .collect();
        let operands = operands?;
        match view.name() {
            arith::IndexCastui::NAME => {
                let number = operands.first()?;
                return Some(number.zext(64.max(number.width())));
            }
            builtin::UnrealizedConversionCast::NAME => return operands.into_iter().next(),
            _ => {}
        }
        let results = results_for(view, &operands)?;
        let position = view.results().iter().position(|result| *result == value)?;
        results.get(position).cloned()
    }
}
