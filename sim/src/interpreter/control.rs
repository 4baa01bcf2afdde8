//! The operations that the interpreter handles by name: control flow, memory accesses, affine loops.

use sluice_dialects::sluice::SPECULATED;
use sluice_dialects::{
    affine, arith, builtin, cf, func, index, linalg, llvm, memref,
    memref::{Extent, WINDOWS, window},
    scf,
    scf::forall_bounds,
    ub,
};
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::bits::Bits;
use sluice_ir::{AttributeKind, OperationId, ValueId, View};

use super::memory::Behind;
use super::{Frame, Interpreter, Memory, Next, Run, Value};

/// Evaluates an affine expression; `None` for a division by zero or an overflow.
pub(crate) fn evaluate(expr: &AffineExpr, dims: &[i64], symbols: &[i64]) -> Option<i64> {
    let two = |a: &AffineExpr, b: &AffineExpr| {
        Some((evaluate(a, dims, symbols)?, evaluate(b, dims, symbols)?))
    };
    match expr {
        AffineExpr::Dim(i) => dims.get(*i as usize).copied(),
        AffineExpr::Symbol(i) => symbols.get(*i as usize).copied(),
        AffineExpr::Constant(value) => Some(*value),
        AffineExpr::Add(a, b) => two(a, b).and_then(|(a, b)| a.checked_add(b)),
        AffineExpr::Mul(a, b) => two(a, b).and_then(|(a, b)| a.checked_mul(b)),
        AffineExpr::Mod(a, b) => {
            two(a, b).and_then(|(a, b)| if b > 0 { Some(a.rem_euclid(b)) } else { None })
        }
        AffineExpr::FloorDiv(a, b) => {
            two(a, b).and_then(|(a, b)| if b > 0 { Some(a.div_euclid(b)) } else { None })
        }
        AffineExpr::CeilDiv(a, b) => two(a, b).and_then(|(a, b)| {
            if b > 0 {
                Some(-(a.checked_neg()?.div_euclid(b)))
            } else {
                None
            }
        }),
    }
}

impl<'a> Interpreter<'a> {
    pub(super) fn operation(&mut self, frame: &mut Frame<'a>, op: OperationId) -> Run<Next> {
        let view = View::new(self.context, frame.body, op);
        self.steps += 1;
        if self.steps > self.step_limit {
            return self.fail(
                view,
                format!("gave up after {} operations", self.step_limit),
            );
        }
        match view.name() {
            arith::Constant::NAME
            | index::Constant::NAME
            | index::BoolConstant::NAME
            | func::Constant::NAME => {
                let word = match view.attribute("value").map(|a| a.kind(self.context)) {
                    Some(AttributeKind::Integer { value, .. }) => value.clone(),
                    Some(AttributeKind::Float { bits, .. }) => bits.clone(),
                    _ => return self.fail(view, "only scalar constants are run"),
                };
                self.set(frame, view.result(0), Value::Word(word));
                Ok(Next::Continue)
            }
            cf::Switch::NAME => self.switch(frame, view),
            scf::IndexSwitch::NAME => self.index_switch(frame, view),
            scf::Parallel::NAME => self.scf_parallel(frame, view),
            scf::Forall::NAME => self.scf_forall(frame, view),
            memref::AssumeAlignment::NAME | memref::DistinctObjects::NAME => {
                for (result, operand) in view.results().iter().zip(view.operands()) {
                    let value = self.value(frame, view, operand)?;
                    self.set(frame, *result, value);
                }
                Ok(Next::Continue)
            }
            ub::Unreachable::NAME => self.fail(view, "the program gets here"),
            ub::Poison::NAME | llvm::Undef::NAME | llvm::Poison::NAME => {
                let why = self.fail::<Next>(view, "the value is not defined").err();
                let why = why.expect("`fail` gives an error");
                self.set(frame, view.result(0), Value::Undefined(Box::new(why)));
                Ok(Next::Continue)
            }
            func::Return::NAME
            | scf::Yield::NAME
            | affine::Yield::NAME
            | linalg::Yield::NAME
            | scf::Condition::NAME
            | scf::Reduce::NAME
            | scf::InParallel::NAME
            | memref::AtomicYield::NAME
            | memref::AllocaScopeReturn::NAME
            | scf::ReduceReturn::NAME => {
                let values = view
                    .operands()
                    .map(|v| self.value(frame, view, v))
                    .collect::<Run<Vec<_>>>()?;
                Ok(Next::Leave(values))
            }
            func::Call::NAME => self.call_operation(frame, view),
            cf::Br::NAME | cf::CondBr::NAME => self.branch(frame, view),
            cf::Assert::NAME => match self.word(frame, view, view.operand(0))?.is_zero() {
                false => Ok(Next::Continue),
                true => self.fail(view, "the assertion does not hold"),
            },
            linalg::Index::NAME => self.point(frame, view),
            _ if linalg::is_structured(view) => self.structured(frame, view),
            scf::For::NAME => self.scf_for(frame, view),
            affine::For::NAME => self.affine_for(frame, view),
            scf::While::NAME => self.scf_while(frame, view),
            scf::If::NAME => {
                let taken = !self.word(frame, view, view.operand(0))?.is_zero();
                self.take_branch(frame, view, taken)
            }
            affine::If::NAME => self.affine_if(frame, view),
            scf::ExecuteRegion::NAME | memref::AllocaScope::NAME => {
                let values = self.region(frame, view.regions()[0], Vec::new())?;
                self.finish(frame, view, values)
            }
            affine::DelinearizeIndex::NAME | affine::LinearizeIndex::NAME => {
                let (map, operands) = affine::index_map(view).expect("these have one");
                let operands = operands.into_iter().map(|v| self.index(frame, view, v));
                let operands = operands.collect::<Run<Vec<_>>>()?;
                let (dims, symbols) = operands.split_at(map.n_dims as usize);
                let values = map.results.iter().map(|e| evaluate(e, dims, symbols));
                let Some(values) = values.collect::<Option<Vec<_>>>() else {
                    return self.fail(view, "a base is not positive, or a value too large");
                };
                let words = values
                    .into_iter()
                    .map(|value| Value::Word(Bits::from_i64(64, value)));
                self.finish(frame, view, words.collect())
            }
            affine::Apply::NAME | affine::Min::NAME | affine::Max::NAME => {
                let values = self.map(frame, view, "map", view.operands().collect())?;
                let value = match view.name() {
                    affine::Min::NAME => values.into_iter().min(),
                    affine::Max::NAME => values.into_iter().max(),
                    _ => values.into_iter().next(),
                };
                let Some(value) = value else {
                    return self.fail(view, "a map without results");
                };
                self.set(
                    frame,
                    view.result(0),
                    Value::Word(Bits::from_i64(64, value)),
                );
                Ok(Next::Continue)
            }
            name if name.starts_with("memref.")
                || name == affine::Load::NAME
                || name == affine::Store::NAME =>
            {
                self.memory_operation(frame, view)
            }
            affine::Prefetch::NAME => Ok(Next::Continue),
            affine::Parallel::NAME => self.affine_parallel(frame, view),
            builtin::UnrealizedConversionCast::NAME
                if view.operands().len() == 1 && view.results().len() == 1 =>
            {
                let value = self.value(frame, view, view.operand(0))?;
                self.set(frame, view.result(0), value);
                Ok(Next::Continue)
            }
            _ => {
                if view.name() == arith::Select::NAME && self.outcomes.is_some() {
                    let condition = self.value(frame, view, view.operand(0))?;
                    if let Value::Word(condition) = condition {
                        self.note(view, usize::from(condition.is_zero()));
                    }
                }
                self.pure(frame, view)
            }
        }
    }

    pub(super) fn finish(
        &mut self,
        frame: &mut Frame<'a>,
        view: View<'a>,
        values: Vec<Value>,
    ) -> Run<Next> {
        for (result, value) in view.results().iter().zip(values) {
            self.set(frame, *result, value);
        }
        Ok(Next::Continue)
    }

    fn call_operation(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let callee = view
            .attribute("callee")
            .and_then(|a| a.as_flat_symbol(self.context))
            .unwrap_or_default();
        let Some(function) = self.module.lookup_symbol(self.context, callee) else {
            return self.fail(view, format!("there is no function `@{callee}`"));
        };
        let arguments = view
            .operands()
            .map(|v| self.value(frame, view, v))
            .collect::<Run<Vec<_>>>()?;
        let results = self.call(function, arguments)?;
        self.finish(frame, view, results)
    }

    fn branch(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let conditional = view.name() == cf::CondBr::NAME;
        let values = view
            .operands()
            .map(|v| self.value(frame, view, v))
            .collect::<Run<Vec<_>>>()?;
        let which = if conditional {
            usize::from(self.word(frame, view, view.operand(0))?.is_zero())
        } else {
            0
        };
        self.note(view, which);
        let target = view.successors()[which];
        let first_target = view.successors()[0];
        let skip = usize::from(conditional)
            + if which == 1 {
                frame.body.arguments(first_target).len()
            } else {
                0
            };
        let arguments = values
            .into_iter()
            .skip(skip)
            .take(frame.body.arguments(target).len())
            .collect();
        Ok(Next::Branch(target, arguments))
    }

    fn scf_for(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let lower = self.word(frame, view, view.operand(0))?;
        let upper = self.word(frame, view, view.operand(1))?;
        let step = self.word(frame, view, view.operand(2))?;
        let is_unsigned = scf::is_unsigned(view);
        if step.is_zero() || step.sign_bit() && !is_unsigned {
            return self.fail(view, "the step is not positive");
        }
        let is_below = |a: &Bits, b: &Bits| match is_unsigned {
            true => a.ult(b),
            false => a.slt(b),
        };
        let mut carried = view
            .operands()
            .skip(3)
            .map(|v| self.value(frame, view, v))
            .collect::<Run<Vec<_>>>()?;
        let mut variable = lower;
        let mut n_iterations = 0;
        while is_below(&variable, &upper) {
            n_iterations += 1;
            let mut arguments = vec![Value::Word(variable.clone())];
            arguments.append(&mut carried);
            carried = self.region(frame, view.regions()[0], arguments)?;
            let next = variable.add(&step);
            if is_below(&next, &variable) {
                break;
            }
            variable = next;
        }
        self.note_loop(view, n_iterations);
        self.finish(frame, view, carried)
    }

    fn affine_for(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let lower = self.map(frame, view, "lowerBoundMap", view.operand_group(0).to_vec())?;
        let upper = self.map(frame, view, "upperBoundMap", view.operand_group(1).to_vec())?;
        let (Some(lower), Some(upper)) = (lower.into_iter().max(), upper.into_iter().min()) else {
            return self.fail(view, "a bound without results");
        };
        let step = view
            .attribute("step")
            .and_then(|a| a.as_i64(self.context))
            .unwrap_or(1);
        let inits = view.operand_group(2);
        let mut carried = inits
            .iter()
            .map(|v| self.value(frame, view, *v))
            .collect::<Run<Vec<_>>>()?;
        let mut variable = lower;
        let mut n_iterations = 0;
        while variable < upper {
            n_iterations += 1;
            let mut arguments = vec![Value::Word(Bits::from_i64(64, variable))];
            arguments.append(&mut carried);
            carried = self.region(frame, view.regions()[0], arguments)?;
            // Beyond the greatest number there is no further iteration.
            let Some(next) = variable.checked_add(step.max(1)) else {
                break;
            };
            variable = next;
        }
        self.note_loop(view, n_iterations);
        self.finish(frame, view, carried)
    }

    fn switch(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let flag = self.word(frame, view, view.operand(0))?;
        let cases = sluice_dialects::cf::switch_cases(view);
        let mut all = cases.iter();
        let taken = all.position(|case| case.value.as_ref() == Some(&flag));
        self.note(view, taken.unwrap_or(0));
        let taken = &cases[taken.unwrap_or(0)];
        let values = taken.operands.iter().map(|v| self.value(frame, view, *v));
        let values = values.collect::<Run<Vec<_>>>()?;
        Ok(Next::Branch(taken.block, values))
    }

    fn index_switch(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let flag = self.index(frame, view, view.operand(0))?;
        let cases = sluice_dialects::scf::index_switch_cases(view);
        let taken = cases.iter().position(|case| *case == flag);
        self.note(view, taken.map_or(0, |case| case + 1));
        let region = view.regions()[taken.map_or(0, |case| case + 1)];
        let values = self.region(frame, region, Vec::new())?;
        self.finish(frame, view, values)
    }

    fn scf_parallel(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let mut bounds: [Vec<i64>; 3] = Default::default();
        for (group, bound) in bounds.iter_mut().enumerate() {
            for operand in view.operand_group(group) {
                bound.push(self.index(frame, view, operand)?);
            }
        }
        let mut carried = Vec::new();
        for init in view.operand_group(3) {
            carried.push(self.value(frame, view, init)?);
        }
        self.nest(frame, view, bounds, carried)
    }

    /// Runs an `scf.forall` without tensors.
    fn scf_forall(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        if !view.operand_group(3).is_empty() {
            return self.fail(view, "`scf.forall` that makes tensors is not run");
        }
        let mut bounds: [Vec<i64>; 3] = Default::default();
        let extents = forall_bounds(view).unwrap_or_default();
        for (bound, extents) in bounds.iter_mut().zip(extents) {
            for extent in extents {
                bound.push(match extent {
                    Extent::Known(number) => number,
                    Extent::Value(value) => self.index(frame, view, value)?,
                });
            }
        }
        self.nest(frame, view, bounds, Vec::new())
    }

    /// Runs a nest of loops with these lower bounds, upper bounds and steps. The terminator of the body holds the regions that
    /// combine the values of the iterations.
    fn nest(
        &mut self,
        frame: &mut Frame<'a>,
        view: View<'a>,
        [lower, upper, step]: [Vec<i64>; 3],
        mut carried: Vec<Value>,
    ) -> Run<Next> {
        if step.iter().any(|step| *step <= 0) {
            return self.fail(view, "the step is not positive");
        }
        let block = view.entry_block(0);
        let reduce = block.and_then(|block| frame.body.last_operation(block));
        let Some(reduce) = reduce.map(|op| view.at(op)) else {
            return self.fail(view, "a loop has a body");
        };
        let mut at = lower.clone();
        let mut running = at.iter().zip(&upper).all(|(a, b)| a < b);
        let mut n_iterations = 0;
        while running {
            n_iterations += 1;
            let arguments = at.iter().map(|i| Value::Word(Bits::from_i64(64, *i)));
            let values = self.region(frame, view.regions()[0], arguments.collect())?;
            for (i, value) in values.into_iter().enumerate() {
                let pair = vec![carried[i].clone(), value];
                carried[i] = self.region(frame, reduce.regions()[i], pair)?.remove(0);
            }
            // The last dimension is the innermost loop.
            running = false;
            for dim in (0..at.len()).rev() {
                at[dim] = at[dim].saturating_add(step[dim]);
                if at[dim] < upper[dim] {
                    running = true;
                    break;
                }
                at[dim] = lower[dim];
            }
        }
        self.note_loop(view, n_iterations);
        self.finish(frame, view, carried)
    }

    fn scf_while(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let mut carried = view
            .operands()
            .map(|v| self.value(frame, view, v))
            .collect::<Run<Vec<_>>>()?;
        let mut n_iterations = 0;
        loop {
            let mut forwarded = self.region(frame, view.regions()[0], carried)?;
            let condition = forwarded.remove(0);
            match condition {
                Value::Word(bit) if bit.is_zero() => {
                    self.note_loop(view, n_iterations);
                    return self.finish(frame, view, forwarded);
                }
                Value::Word(_) => {
                    n_iterations += 1;
                    carried = self.region(frame, view.regions()[1], forwarded)?;
                }
                Value::Memory(_) => return self.fail(view, "a condition is one bit"),
                Value::Undefined(why) => return Err(*why),
            }
        }
    }

    fn take_branch(&mut self, frame: &mut Frame<'a>, view: View<'a>, taken: bool) -> Run<Next> {
        self.note(view, usize::from(!taken));
        let region = view
            .regions()
            .get(usize::from(!taken))
            .filter(|r| !frame.body.blocks(**r).is_empty());
        let values = match region {
            Some(region) => self.region(frame, *region, Vec::new())?,
            None => Vec::new(),
        };
        self.finish(frame, view, values)
    }

    fn affine_if(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let set = view
            .attribute("condition")
            .and_then(|a| a.as_integer_set(self.context));
        let Some(set) = set else {
            return self.fail(view, "a condition is an integer set");
        };
        let operands = view
            .operands()
            .map(|v| self.index(frame, view, v))
            .collect::<Run<Vec<_>>>()?;
        let (dims, symbols) = operands.split_at(set.n_dims as usize);
        let mut holds = true;
        for (expr, is_equality) in &set.constraints {
            let Some(value) = evaluate(expr, dims, symbols) else {
                return self.fail(view, "the condition has no value");
            };
            holds &= if *is_equality { value == 0 } else { value >= 0 };
        }
        self.take_branch(frame, view, holds)
    }

    /// Returns the results of a map attribute for these operands.
    pub(super) fn map(
        &self,
        frame: &Frame<'a>,
        view: View<'a>,
        attribute: &str,
        operands: Vec<ValueId>,
    ) -> Run<Vec<i64>> {
        let map: Option<&AffineMap> = view
            .attribute(attribute)
            .and_then(|a| a.as_affine_map(self.context));
        let Some(map) = map else {
            return self.fail(view, format!("there is no `{attribute}`"));
        };
        let operands = operands
            .into_iter()
            .map(|v| self.index(frame, view, v))
            .collect::<Run<Vec<_>>>()?;
        let (dims, symbols) = operands.split_at(map.n_dims as usize);
        let values: Option<Vec<i64>> = map
            .results
            .iter()
            .map(|e| evaluate(e, dims, symbols))
            .collect();
        match values {
            Some(values) => Ok(values),
            None => self.fail(view, "a map has no value: division by zero or overflow"),
        }
    }

    pub(super) fn memory(&self, frame: &Frame<'a>, view: View<'a>, value: ValueId) -> Run<usize> {
        match self.value(frame, view, value)? {
            Value::Memory(number) => Ok(number),
            Value::Word(_) => self.fail(view, "a memory is expected"),
            Value::Undefined(why) => Err(*why),
        }
    }

    /// Returns the memory and the cell that an access refers to.
    pub(super) fn cell(
        &self,
        frame: &Frame<'a>,
        view: View<'a>,
        memory: usize,
        first: usize,
    ) -> Run<(usize, usize)> {
        let operands: Vec<_> = view.operands().skip(first).collect();
        let indices = if view.name().starts_with("affine.") {
            self.map(frame, view, "map", operands)?
        } else {
            operands
                .into_iter()
                .map(|v| self.index(frame, view, v))
                .collect::<Run<Vec<_>>>()?
        };
        self.place(view, memory, indices)
    }

    /// Returns the cell at these indices and the memory that holds it, found by following all views to the memory below them.
    pub(super) fn place(
        &self,
        view: View<'a>,
        memory: usize,
        indices: Vec<i64>,
    ) -> Run<(usize, usize)> {
        let (mut number, mut indices) = (memory, indices);
        loop {
            let memory = &self.memories[number];
            let Some(position) = memory.position(&indices) else {
                let shape = &memory.shape;
                let message =
                    format!("index {indices:?} is outside of a memory of shape {shape:?}");
                return self.fail(view, message);
            };
            let Some(behind) = &memory.behind else {
                return Ok((number, position));
            };
            let results = behind.map.results.iter();
            let inside = results.map(|e| e.evaluate(&indices, &behind.symbols));
            let Some(inside) = inside.collect() else {
                return self.fail(view, "a map has no value: division by zero or overflow");
            };
            (number, indices) = (behind.memory, inside);
        }
    }

    /// Creates a view: a memory that shows cells of another one.
    fn look(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let Some(window) = window(view) else {
            return self.fail(view, "views with sizes that are not known are not run");
        };
        let memory = self.memory(frame, view, window.source)?;
        let symbols = window.symbols.iter().map(|v| self.index(frame, view, *v));
        let symbols = symbols.collect::<Run<Vec<_>>>()?;
        let mut shape = Vec::new();
        for size in &window.sizes {
            let size = match size {
                Extent::Known(size) => *size,
                Extent::Value(value) => self.index(frame, view, *value)?,
            };
            match u64::try_from(size) {
                Ok(size) => shape.push(size),
                Err(_) => return self.fail(view, "a size is negative"),
            }
        }
        let shown = Memory {
            shape,
            cells: Vec::new(),
            behind: Some(Behind {
                memory,
                map: window.map,
                symbols,
            }),
        };
        self.allocate(frame, view, Some(shown))
    }

    fn copy(&mut self, frame: &Frame<'a>, view: View<'a>) -> Run<()> {
        let source = self.memory(frame, view, view.operand(0))?;
        let target = self.memory(frame, view, view.operand(1))?;
        if self.memories[source].shape != self.memories[target].shape {
            return self.fail(view, "the shapes differ");
        }
        let is_whole = |memory: usize| self.memories[memory].behind.is_none();
        if is_whole(source) && is_whole(target) {
            self.memories[target].cells = self.memories[source].cells.clone();
            return Ok(());
        }
        for indices in self.memories[source].all_indices() {
            let (from, read) = self.place(view, source, indices.clone())?;
            let (to, written) = self.place(view, target, indices)?;
            self.memories[to].cells[written] = self.memories[from].cells[read].clone();
        }
        Ok(())
    }

    fn allocate(
        &mut self,
        frame: &mut Frame<'a>,
        view: View<'a>,
        memory: Option<Memory>,
    ) -> Run<Next> {
        let Some(memory) = memory else {
            return self.fail(view, "this memref type is not run");
        };
        self.set(frame, view.result(0), Value::Memory(self.memories.len()));
        self.memories.push(memory);
        Ok(Next::Continue)
    }

    /// Stores a word in a cell of a memory.
    pub(super) fn write(
        &mut self,
        frame: &Frame<'a>,
        view: View<'a>,
        (memory, cell): (usize, usize),
        word: Bits,
    ) {
        if let Some(record) = &mut self.record {
            record.store(frame, view, (memory, cell), &word);
        }
        self.memories[memory].cells[cell] = word;
    }

    fn memory_operation(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        match view.name() {
            memref::Load::NAME | affine::Load::NAME => {
                let memory = self.memory(frame, view, view.operand(0))?;
                let read = match self.cell(frame, view, memory, 1) {
                    Ok((memory, cell)) => Value::Word(self.memories[memory].cells[cell].clone()),
                    Err(why) if view.attribute(SPECULATED).is_some() => {
                        Value::Undefined(Box::new(why))
                    }
                    Err(why) => return Err(why),
                };
                self.set(frame, view.result(0), read);
            }
            memref::Store::NAME | affine::Store::NAME => {
                let word = self.word(frame, view, view.operand(0))?;
                let memory = self.memory(frame, view, view.operand(1))?;
                let (memory, cell) = self.cell(frame, view, memory, 2)?;
                self.write(frame, view, (memory, cell), word);
            }
            memref::AtomicRmw::NAME => return self.atomic(frame, view),
            memref::GenericAtomicRmw::NAME => return self.generic_atomic(frame, view),
            memref::Alloc::NAME | memref::Alloca::NAME => {
                let mut sizes = Vec::new();
                for operand in view.operands() {
                    match u64::try_from(self.index(frame, view, operand)?) {
                        Ok(size) => sizes.push(size),
                        Err(_) => return self.fail(view, "a size is negative"),
                    }
                }
                let memory = Memory::of_type(self.context, view.ty(view.result(0)), &sizes);
                return self.allocate(frame, view, memory);
            }
            memref::Dealloc::NAME | memref::Prefetch::NAME => {}
            memref::Cast::NAME | memref::MemorySpaceCast::NAME => {
                let value = self.value(frame, view, view.operand(0))?;
                self.set(frame, view.result(0), value);
            }
            memref::Dim::NAME => {
                let memory = self.memory(frame, view, view.operand(0))?;
                let dim = usize::try_from(self.index(frame, view, view.operand(1))?).ok();
                let Some(size) = dim.and_then(|dim| self.memories[memory].shape.get(dim).copied())
                else {
                    return self.fail(view, "there is no such dimension");
                };
                self.set(frame, view.result(0), Value::Word(Bits::from_u64(64, size)));
            }
            memref::Rank::NAME => {
                let memory = self.memory(frame, view, view.operand(0))?;
                let rank = self.memories[memory].shape.len();
                let rank = Bits::from_u64(64, u64::try_from(rank).unwrap_or(u64::MAX));
                self.set(frame, view.result(0), Value::Word(rank));
            }
            memref::Copy::NAME => self.copy(frame, view)?,
            memref::GetGlobal::NAME => return self.get_global(frame, view),
            name if WINDOWS.contains(&name) => return self.look(frame, view),
            _ => return self.fail(view, "the interpreter does not know this operation"),
        }
        Ok(Next::Continue)
    }

    fn get_global(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let symbol = view
            .attribute("name")
            .and_then(|a| a.as_flat_symbol(self.context))
            .unwrap_or_default();
        if let Some(number) = self.globals.get(symbol) {
            self.set(frame, view.result(0), Value::Memory(*number));
            return Ok(Next::Continue);
        }
        let Some(global) = self.module.lookup_symbol(self.context, symbol) else {
            return self.fail(view, format!("there is no global `@{symbol}`"));
        };
        let Some(mut memory) = Memory::of_type(self.context, view.ty(view.result(0)), &[]) else {
            return self.fail(view, "this memref type is not run");
        };
        let global = View::new(self.context, self.module.inner(), global);
        if let Some(AttributeKind::DenseElements { values, splat, .. }) = global
            .attribute("initial_value")
            .map(|a| a.kind(self.context))
        {
            for (i, cell) in memory.cells.iter_mut().enumerate() {
                *cell = values[if *splat { 0 } else { i }].clone();
            }
        }
        self.globals.insert(symbol.to_owned(), self.memories.len());
        self.allocate(frame, view, Some(memory))
    }
}
