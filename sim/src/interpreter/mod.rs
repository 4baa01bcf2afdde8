//! The untimed interpreter: runs a function of func, arith, index, math, affine, scf, cf and memref on given data.
//!
//! It is the reference model: the results of everything that is scheduled, bound or emitted are compared with its results.
//! Operations without control flow or memory accesses are run through their declared meaning.

mod atomics;
mod control;
mod coverage;
mod memory;
mod parallel;
mod record;
mod structured;

use std::collections::BTreeMap;
use std::fmt;

use sluice_dialects::arith;
use sluice_ir::bits::Bits;
use sluice_ir::limits::Limit;
use sluice_ir::{Body, Context, Exact, Location, Module, OperationId, ValueId, View};

pub use coverage::Outcomes;
pub use memory::Memory;
pub use record::{Counter, Record, Store};

/// A value at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// An integer, an index (64 bits) or the bit pattern of a float.
    Word(Bits),
    /// A memory, by its number.
    Memory(usize),
    /// The result of an operation whose meaning is undefined, with the reason; it is an error only where the value is needed.
    Undefined(Box<RunError>),
}

/// An argument of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A scalar.
    Scalar(Bits),
    /// The initial contents of a memref, row-major.
    Memory(Vec<Bits>),
}

/// The results of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Results of the function.
    pub results: Vec<Bits>,
    /// Final contents of the memref arguments, in argument order.
    pub memories: Vec<Vec<Bits>>,
}

/// The reason why a run stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunError {
    /// The operation at which it stopped.
    pub location: Location,
    /// The reason.
    pub message: String,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

pub(crate) type Run<T> = Result<T, RunError>;

/// The continuation after an operation.
enum Next {
    /// Continue with the next operation.
    Continue,
    /// Leave the region with these values.
    Leave(Vec<Value>),
    /// Jump to a block with these arguments.
    Branch(sluice_ir::BlockId, Vec<Value>),
}

/// Runs functions of one module.
pub struct Interpreter<'a> {
    context: &'a Context,
    module: &'a Module,
    memories: Vec<Memory>,
    globals: BTreeMap<String, usize>,
    /// Number of operations run so far.
    pub steps: u64,
    /// Number of operations after which a run fails.
    pub step_limit: u64,
    /// Counts of outcomes for coverage, if they are recorded.
    pub outcomes: Option<Outcomes>,
    /// The stores of the run, if they are recorded.
    pub record: Option<Record>,
    call_depth: u32,
}

/// The values of one call of a function.
struct Frame<'a> {
    body: &'a Body,
    values: Vec<Option<Value>>,
    /// The counters of the loops of the structured operation that runs.
    point: Vec<i64>,
}

impl<'a> Interpreter<'a> {
    /// Creates an interpreter for `module`, which must be verified.
    pub fn new(context: &'a Context, module: &'a Module) -> Self {
        Self {
            context,
            module,
            memories: Vec::new(),
            globals: BTreeMap::new(),
            steps: 0,
            step_limit: 1 << 40,
            outcomes: None,
            record: None,
            call_depth: 0,
        }
    }

    /// Runs `function`.
    ///
    /// # Errors
    /// An undefined operation (division by zero, a shift by too much), an access outside of a memory, an operation that the
    /// interpreter does not know, too many steps, or arguments that do not fit.
    pub fn run(&mut self, function: &str, arguments: &[Argument]) -> Run<Outcome> {
        let unknown = |message: String| RunError {
            location: Location::UNKNOWN,
            message,
        };
        let op = self.module.lookup_symbol(self.context, function);
        let op = op.ok_or_else(|| unknown(format!("there is no function `@{function}`")))?;
        let inner = self.module.inner();
        let view = View::new(self.context, inner, op);
        let block = view
            .entry_block(0)
            .ok_or_else(|| unknown(format!("`@{function}` has no body")))?;
        let parameters = view.inner().arguments(block);
        if parameters.len() != arguments.len() {
            let message = format!(
                "`@{function}` takes {} arguments, not {}",
                parameters.len(),
                arguments.len()
            );
            return Err(RunError {
                location: view.location(),
                message,
            });
        }
        let mut values = Vec::new();
        let mut passed = Vec::new();
        for (i, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
            let ty = view.inner().ty(*parameter);
            let misfit = |what: String| RunError {
                location: view.location(),
                message: format!("argument {i}: {what}"),
            };
            match argument {
                Argument::Scalar(word) => {
                    let width = ty
                        .width_bits(self.context)
                        .ok_or_else(|| misfit("a memory is expected".to_owned()))?;
                    if width != word.width() {
                        return Err(misfit(format!(
                            "{width} bits are expected, not {}",
                            word.width()
                        )));
                    }
                    values.push(Value::Word(word.clone()));
                }
                Argument::Memory(cells) => {
                    let memory = Memory::of_type(self.context, ty, &[]).ok_or_else(|| {
                        let words = ty.n_elements(self.context).and_then(Exact::to_u64);
                        let excess = words.and_then(|words| {
                            let limits = &self.context.limits;
                            limits.check(Limit::SimulatedWords, words).err()
                        });
                        misfit(match excess {
                            Some(excess) => format!("its memory has {excess}"),
                            None => "a scalar is expected".to_owned(),
                        })
                    })?;
                    if memory.cells.len() != cells.len() {
                        return Err(misfit(format!(
                            "{} words are expected, not {}",
                            memory.cells.len(),
                            cells.len()
                        )));
                    }
                    passed.push(self.memories.len());
                    values.push(Value::Memory(self.memories.len()));
                    self.memories.push(Memory {
                        cells: cells.clone(),
                        ..memory
                    });
                }
            }
        }
        let results = self.call(op, values)?;
        let results = results
            .into_iter()
            .map(|value| match value {
                Value::Word(word) => Ok(word),
                Value::Memory(_) => Err(RunError {
                    location: view.location(),
                    message: "a function under test returns scalars only".to_owned(),
                }),
                Value::Undefined(why) => Err(*why),
            })
            .collect::<Run<Vec<_>>>()?;
        let memories = passed
            .into_iter()
            .map(|number| self.memories[number].cells.clone())
            .collect();
        Ok(Outcome { results, memories })
    }

    fn call(&mut self, function: OperationId, arguments: Vec<Value>) -> Run<Vec<Value>> {
        let inner = self.module.inner();
        let view = View::new(self.context, inner, function);
        let fail = |message: &str| RunError {
            location: view.location(),
            message: message.to_owned(),
        };
        let body = view.inner();
        let region = *view
            .regions()
            .first()
            .ok_or_else(|| fail("a function has a region"))?;
        if body.blocks(region).is_empty() {
            return Err(fail("a function without a body cannot be run"));
        }
        self.call_depth += 1;
        if self.call_depth > 200 {
            return Err(fail("calls are nested too deeply"));
        }
        let mut frame = Frame {
            body,
            values: vec![None; body.value_capacity()],
            point: Vec::new(),
        };
        let results = self.region(&mut frame, region, arguments);
        self.call_depth -= 1;
        results
    }

    /// Runs a region from its entry block until a terminator leaves it.
    fn region(
        &mut self,
        frame: &mut Frame<'a>,
        region: sluice_ir::RegionId,
        arguments: Vec<Value>,
    ) -> Run<Vec<Value>> {
        let mut block = frame.body.blocks(region)[0];
        let mut arguments = arguments;
        loop {
            for (parameter, argument) in frame.body.arguments(block).iter().zip(arguments) {
                frame.values[parameter.index()] = Some(argument);
            }
            let mut next = frame.body.first_operation(block);
            let mut branch = None;
            while let Some(op) = next {
                match self.operation(frame, op)? {
                    Next::Continue => next = frame.body.next(op),
                    Next::Leave(values) => return Ok(values),
                    Next::Branch(target, values) => {
                        branch = Some((target, values));
                        break;
                    }
                }
            }
            match branch {
                Some((target, values)) => (block, arguments) = (target, values),
                None => return Ok(Vec::new()),
            }
        }
    }

    fn fail<T>(&self, view: View<'_>, message: impl Into<String>) -> Run<T> {
        Err(RunError {
            location: view.location(),
            message: format!("`{}`: {}", view.name(), message.into()),
        })
    }

    fn value(&self, frame: &Frame<'a>, view: View<'_>, value: ValueId) -> Run<Value> {
        match &frame.values[value.index()] {
            Some(value) => Ok(value.clone()),
            None => self.fail(view, "uses a value that was not computed"),
        }
    }

    fn word(&self, frame: &Frame<'a>, view: View<'_>, value: ValueId) -> Run<Bits> {
        match self.value(frame, view, value)? {
            Value::Word(word) => Ok(word),
            Value::Memory(_) => self.fail(view, "a scalar is expected"),
            Value::Undefined(why) => Err(*why),
        }
    }

    fn index(&self, frame: &Frame<'a>, view: View<'_>, value: ValueId) -> Run<i64> {
        match self.word(frame, view, value)?.to_i64() {
            Some(index) => Ok(index),
            None => self.fail(view, "an index does not fit 64 bits"),
        }
    }

    fn set(&self, frame: &mut Frame<'a>, value: ValueId, to: Value) {
        frame.values[value.index()] = Some(to);
    }

    /// Runs an operation through its declared meaning.
    fn pure(&mut self, frame: &mut Frame<'a>, view: View<'a>) -> Run<Next> {
        let Some(meaning) = view.definition().and_then(|d| d.meaning.as_ref()) else {
            return self.fail(view, "the interpreter does not know this operation");
        };
        let mut operands: smallvec::SmallVec<[Bits; 4]> = smallvec::SmallVec::new();
        for operand in view.operands() {
            match self.value(frame, view, operand)? {
                Value::Word(word) => operands.push(word),
                Value::Memory(_) if view.name() == arith::Select::NAME => {
                    return self.select(frame, view, !operands[0].is_zero());
                }
                Value::Memory(_) => return self.fail(view, "a scalar is expected"),
                Value::Undefined(why) => return self.leave_undefined(frame, view, why),
            }
        }
        let mut concrete = sluice_ir::algebra::Concrete::new();
        let results = view.with_site(|site| (meaning.evaluate)(site, &mut concrete, &operands));
        if let Some(reason) = concrete.undefined() {
            let why = self.fail::<Next>(view, reason).err();
            let why = why.expect("`fail` gives an error");
            return self.leave_undefined(frame, view, Box::new(why));
        }
        let Some(results) = results else {
            return self.fail(view, "the operation has no meaning for these types");
        };
        for (result, word) in view.results().iter().zip(results) {
            self.set(frame, *result, Value::Word(word));
        }
        Ok(Next::Continue)
    }

    /// Runs `arith.select`: returns the first of the two values, or the second.
    fn select(&mut self, frame: &mut Frame<'a>, view: View<'a>, is_first: bool) -> Run<Next> {
        let chosen = view.operand(if is_first { 1 } else { 2 });
        let value = self.value(frame, view, chosen)?;
        self.set(frame, view.result(0), value);
        Ok(Next::Continue)
    }

    /// Runs an operation that has an undefined operand or meaning. Its results are undefined, with two exceptions: `arith.select`
    /// may select the defined operand, and in `andi` and `ori` the other operand may decide the result alone.
    fn leave_undefined(
        &mut self,
        frame: &mut Frame<'a>,
        view: View<'a>,
        why: Box<RunError>,
    ) -> Run<Next> {
        if view.name() == arith::Select::NAME
            && let Value::Word(condition) = self.value(frame, view, view.operand(0))?
        {
            return self.select(frame, view, !condition.is_zero());
        }
        // Where this holds of one operand, the result does not depend on the other operand.
        let decides: fn(&Bits) -> bool = match view.name() {
            arith::Andi::NAME => Bits::is_zero,
            arith::Ori::NAME => Bits::is_all_ones,
            _ => |_| false,
        };
        for operand in view.operands() {
            if let Value::Word(word) = self.value(frame, view, operand)?
                && decides(&word)
            {
                self.set(frame, view.result(0), Value::Word(word));
                return Ok(Next::Continue);
            }
        }
        for result in view.results() {
            self.set(frame, *result, Value::Undefined(why.clone()));
        }
        Ok(Next::Continue)
    }
}
