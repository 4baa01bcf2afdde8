//! Structured operations of linalg: the computation of the region at each point of the loops.

use sluice_dialects::linalg::Structured;
use sluice_ir::affine::AffineMap;
use sluice_ir::bits::Bits;
use sluice_ir::{ValueId, View};

use super::control::evaluate;
use super::{Frame, Interpreter, Next, Run, Value};

impl<'a> Interpreter<'a> {
    /// Runs a structured operation on memories. The last loop is the innermost one.
    pub(super) fn structured(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let Some(structured) = Structured::of(view) else {
            return self.fail(view, "its loops are not known");
        };
        if !view.results().is_empty() {
            return self.fail(view, "operations on tensors are not run");
        }
        let extents = self.extents(frame, view, &structured)?;
        let operands: Vec<ValueId> = view.operands().collect();
        let block = view.entry_block(0);
        let n_arguments = block.map_or(0, |block| frame.body.arguments(block).len());
        let mut at = vec![0; extents.len()];
        let mut is_running = extents.iter().all(|extent| *extent > 0);
        let mut n_iterations = 0;
        let outer = std::mem::take(&mut frame.point);
        while is_running {
            n_iterations += 1;
            self.steps += 1;
            frame.point.clone_from(&at);
            let mut arguments = Vec::with_capacity(n_arguments);
            for (operand, map) in operands.iter().zip(&structured.maps).take(n_arguments) {
                arguments.push(self.word_at(frame, view, *operand, map)?);
            }
            let values = self.region(frame, view.regions()[0], arguments)?;
            let outputs = operands.iter().zip(&structured.maps);
            for ((operand, map), value) in outputs.skip(structured.n_inputs).zip(values) {
                let word = match value {
                    Value::Word(word) => word,
                    Value::Memory(_) => return self.fail(view, "a scalar is expected"),
                    Value::Undefined(why) => return Err(*why),
                };
                let cell = self.cell_at(frame, view, *operand, map)?;
                self.write(frame, view, cell, word);
            }
            is_running = false;
            for dim in (0..at.len()).rev() {
                at[dim] += 1;
                if at[dim] < extents[dim] {
                    is_running = true;
                    break;
                }
                at[dim] = 0;
            }
        }
        frame.point = outer;
        self.note_loop(view, n_iterations);
        Ok(Next::Continue)
    }

    /// Returns the number of iterations of each loop.
    fn extents(&self, frame: &Frame<'a>, view: View<'a>, structured: &Structured) -> Run<Vec<i64>> {
        let mut extents = Vec::new();
        for extent in structured.extents(view) {
            let Some((operand, dim, _)) = extent else {
                return self.fail(view, "a loop has no size");
            };
            let memory = self.memory(frame, view, view.operand(operand))?;
            let size = self.memories[memory].shape.get(dim).copied();
            extents.push(i64::try_from(size.unwrap_or(0)).unwrap_or(i64::MAX));
        }
        Ok(extents)
    }

    /// Returns a scalar operand, or the word of a memory at the current point.
    fn word_at(
        &self,
        frame: &Frame<'a>,
        view: View<'a>,
        operand: ValueId,
        map: &AffineMap,
    ) -> Run<Value> {
        match self.value(frame, view, operand)? {
            Value::Memory(_) => {
                let (memory, cell) = self.cell_at(frame, view, operand, map)?;
                Ok(Value::Word(self.memories[memory].cells[cell].clone()))
            }
            scalar => Ok(scalar),
        }
    }

    fn cell_at(
        &self,
        frame: &Frame<'a>,
        view: View<'a>,
        operand: ValueId,
        map: &AffineMap,
    ) -> Run<(usize, usize)> {
        let memory = self.memory(frame, view, operand)?;
        let indices = map.results.iter().map(|e| evaluate(e, &frame.point, &[]));
        match indices.collect() {
            Some(indices) => self.place(view, memory, indices),
            None => self.fail(view, "a map has no value: division by zero or overflow"),
        }
    }

    /// Runs `linalg.index`.
    pub(super) fn point(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let dim = view
            .attribute("dim")
            .and_then(|dim| dim.as_i64(self.context));
        let dim = dim.and_then(|dim| usize::try_from(dim).ok());
        let Some(number) = dim.and_then(|dim| frame.point.get(dim).copied()) else {
            return self.fail(view, "there is no such loop");
        };
        let word = Bits::from_i64(64, number);
        self.set(frame, view.result(0), Value::Word(word));
        Ok(Next::Continue)
    }
}
