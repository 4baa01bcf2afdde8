//! Atomic read-modify-write accesses; the result is the old contents of the cell, as in the LLVM instructions to which MLIR
//! lowers them.

use sluice_dialects::arith::ATOMIC_KINDS;
use sluice_ir::View;

use super::parallel::reduction;
use super::{Frame, Interpreter, Next, Run, Value};

impl<'a> Interpreter<'a> {
    /// Runs `memref.atomic_rmw`.
    pub(super) fn atomic(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let memory = self.memory(frame, view, view.operand(1))?;
        let (memory, cell) = self.cell(frame, view, memory, 2)?;
        let word = self.word(frame, view, view.operand(0))?;
        let before = self.memories[memory].cells[cell].clone();
        let kind = view.attribute("kind");
        let kind = kind.and_then(|kind| ATOMIC_KINDS.value(self.context, kind));
        let kind = kind.and_then(|kind| ATOMIC_KINDS.keywords(kind));
        let after = match kind.as_deref() {
            Some("assign") => word,
            Some(kind) => match reduction(kind, word.width()) {
                Some((combine, _)) => combine(&before, &word),
                None => return self.fail(view, format!("`{kind}` is not run")),
            },
            None => return self.fail(view, "an unknown kind is not run"),
        };
        self.write(frame, view, (memory, cell), after);
        self.set(frame, view.result(0), Value::Word(before));
        Ok(Next::Continue)
    }

    /// Runs `memref.generic_atomic_rmw`.
    pub(super) fn generic_atomic(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let memory = self.memory(frame, view, view.operand(0))?;
        let (memory, cell) = self.cell(frame, view, memory, 1)?;
        let before = Value::Word(self.memories[memory].cells[cell].clone());
        let values = self.region(frame, view.regions()[0], vec![before.clone()])?;
        match values.into_iter().next() {
            Some(Value::Word(after)) => self.write(frame, view, (memory, cell), after),
            Some(Value::Undefined(why)) => return Err(*why),
            _ => return self.fail(view, "a scalar is expected"),
        }
        self.set(frame, view.result(0), before);
        Ok(Next::Continue)
    }
}
