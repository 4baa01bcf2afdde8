//! `affine.parallel`: runs all points in the order of a loop nest, and reduces the values that they yield.

use sluice_dialects::arith::ATOMIC_KINDS;
use sluice_ir::bits::Bits;
use sluice_ir::{AttributeKind, View};

use super::{Frame, Interpreter, Next, Run, Value};

/// Operation and identity element of a reduction of integers.
type Reduction = (fn(&Bits, &Bits) -> Bits, Bits);

/// Returns the reduction that an element of `reductions` names, for words of `width_bits`.
pub(super) fn reduction(kind: &str, width_bits: u32) -> Option<Reduction> {
    let lowest = Bits::from_u64(width_bits, 1).shl_by(width_bits.saturating_sub(1));
    Some(match kind {
        "addi" => (|a, b| a.add(b), Bits::zero(width_bits)),
        "muli" => (|a, b| a.mul(b), Bits::from_u64(width_bits, 1)),
        "ori" => (|a, b| a.or(b), Bits::zero(width_bits)),
        "xori" => (|a, b| a.xor(b), Bits::zero(width_bits)),
        "andi" => (|a, b| a.and(b), Bits::ones(width_bits)),
        "maxs" => (|a, b| if a.slt(b) { b } else { a }.clone(), lowest),
        "mins" => (|a, b| if b.slt(a) { b } else { a }.clone(), lowest.not()),
        "maxu" => (
            |a, b| if a.ult(b) { b } else { a }.clone(),
            Bits::zero(width_bits),
        ),
        "minu" => (
            |a, b| if b.ult(a) { b } else { a }.clone(),
            Bits::ones(width_bits),
        ),
        _ => return None,
    })
}

impl<'a> Interpreter<'a> {
    pub(super) fn affine_parallel(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let reductions = self.reductions(view)?;
        let [lower, upper] = self.parallel_bounds(frame, view)?;
        let steps = view.attribute("steps");
        let steps = steps
            .and_then(|a| a.as_array(self.context))
            .unwrap_or_default();
        let steps: Vec<i64> = steps
            .iter()
            .map(|s| s.as_i64(self.context).unwrap_or(1).max(1))
            .collect();
        let mut reduced: Vec<Value> = reductions
            .iter()
            .map(|(_, identity)| Value::Word(identity.clone()))
            .collect();
        let mut at = lower.clone();
        let mut is_running = at.iter().zip(&upper).all(|(a, b)| a < b);
        let mut n_iterations = 0;
        while is_running {
            n_iterations += 1;
            let arguments = at.iter().map(|i| Value::Word(Bits::from_i64(64, *i)));
            let values = self.region(frame, view.regions()[0], arguments.collect())?;
            for (((combine, _), before), value) in reductions.iter().zip(&mut reduced).zip(values) {
                match (&*before, value) {
                    (Value::Word(a), Value::Word(b)) => *before = Value::Word(combine(a, &b)),
                    (Value::Undefined(_), _) => {}
                    (_, value) => *before = value,
                }
            }
            // The last dimension is the innermost loop.
            is_running = false;
            for dim in (0..at.len()).rev() {
                at[dim] = at[dim].saturating_add(steps.get(dim).copied().unwrap_or(1));
                if at[dim] < upper[dim] {
                    is_running = true;
                    break;
                }
                at[dim] = lower[dim];
            }
        }
        self.note_loop(view, n_iterations);
        self.finish(frame, view, reduced)
    }

    /// Returns the reductions, one for each result.
    fn reductions(&self, view: View<'a>) -> Run<Vec<Reduction>> {
        let kinds = view.attribute("reductions");
        let kinds = kinds
            .and_then(|a| a.as_array(self.context))
            .unwrap_or_default();
        let mut found = Vec::new();
        for (kind, ty) in kinds.iter().zip(view.result_types()) {
            let kind = ATOMIC_KINDS.value(self.context, *kind);
            let kind = kind.and_then(|kind| ATOMIC_KINDS.keywords(kind));
            let width_bits = ty.width_bits(self.context);
            let made = kind
                .as_deref()
                .zip(width_bits)
                .and_then(|(kind, width_bits)| reduction(kind, width_bits));
            let Some(made) = made else {
                let kind = kind.unwrap_or_default();
                return self.fail(
                    view,
                    format!("a reduction by `{kind}` is not run; those of integers are"),
                );
            };
            found.push(made);
        }
        Ok(found)
    }

    /// Returns the bounds of the dimensions. Where a dimension has several, this is the greatest lower and the least upper bound.
    fn parallel_bounds(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<[Vec<i64>; 2]> {
        let lower = view.attribute("lowerBoundsMap");
        let Some(map) = lower.and_then(|a| a.as_affine_map(self.context)) else {
            return self.fail(view, "a parallel loop has bounds");
        };
        let n_lower = (map.n_dims + map.n_symbols) as usize;
        let operands: Vec<_> = view.operands().collect();
        let n_lower = n_lower.min(operands.len());
        let block = view.entry_block(0);
        let n_dims = block.map_or(0, |block| frame.body.arguments(block).len());
        let mut bounds = [Vec::new(), Vec::new()];
        for (bound, (map, groups, operands)) in bounds.iter_mut().zip([
            ("lowerBoundsMap", "lowerBoundsGroups", &operands[..n_lower]),
            ("upperBoundsMap", "upperBoundsGroups", &operands[n_lower..]),
        ]) {
            let values = self.map(frame, view, map, operands.to_vec())?;
            let mut values = values.into_iter();
            for dim in 0..n_dims {
                let n = self.group(view, groups, dim).unwrap_or(1);
                let own: Vec<i64> = values.by_ref().take(n).collect();
                let one = match map {
                    "lowerBoundsMap" => own.into_iter().max(),
                    _ => own.into_iter().min(),
                };
                match one {
                    Some(one) => bound.push(one),
                    None => return self.fail(view, "a bound without results"),
                }
            }
        }
        Ok(bounds)
    }

    /// Returns how many results of a map belong to a dimension.
    fn group(&self, view: View<'a>, name: &str, dim: usize) -> Option<usize> {
        match view.attribute(name)?.kind(self.context) {
            AttributeKind::DenseElements { values, splat, .. } => {
                let value = values.get(if *splat { 0 } else { dim })?;
                usize::try_from(value.to_i64()?).ok()
            }
            _ => None,
        }
    }
}
