//! `lower-arcs`: lowers circuits of the arc dialect to hw, comb and seq.
//!
//! A call of an arc function is replaced by its operations. An `arc.state` becomes the function followed by registers, an
//! `arc.memory` becomes a `seq.firmem`, and an `scf.if` becomes selections. Resets and out-of-range addresses behave as in
//! CIRCT's simulator arcilator: registers are 0 after a reset, a word beyond the end reads as 0, and writing it has no effect.

mod conditionals;
mod memories;
mod registers;
mod vectors;

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{arc, hw};
use sluice_ir::bits::Bits;
use sluice_ir::limits::Limit;
use sluice_ir::passes::named;
use sluice_ir::{BlockId, Body, Context, Diagnostics, Module, OperationId, ValueId, View};

use crate::circuits::maker::Maker;

/// Lowers the arc operations of a module to hw, comb and seq, and removes its arc functions.
///
/// # Errors
/// A recursive function, one that grows too large, a value defined only by itself, a memory used by other operations than its
/// ports, shift registers that are too long, initial values that are not constants, and vectors.
pub fn lower_arcs(context: &Context, module: &mut Module) -> Result<(), Diagnostics> {
    let arcs = named(context, module, arc::Define::NAME);
    let circuits = named(context, module, hw::Module::NAME);
    let mut lowering = Lowering {
        context,
        arcs: BTreeMap::new(),
        open: BTreeSet::new(),
        n_put: 0,
        found: Diagnostics::new(),
    };
    for op in &arcs {
        let view = View::new(context, module.inner(), *op);
        if let (Some(name), Some(block)) = (view.symbol_name(), view.entry_block(0)) {
            let body = view.inner().clone();
            let function = Function { body, block };
            lowering.arcs.insert(name.to_owned(), function);
            lowering.open.insert(name.to_owned());
        }
    }
    for op in circuits {
        let body = module.inner_mut().inner_mut(op);
        lowering.expand(body, &mut Vec::new());
        conditionals::convert_conditionals(context, body);
    }
    if lowering.found.has_errors() {
        return Err(lowering.found);
    }
    for op in arcs {
        module.inner_mut().erase(op);
    }
    Ok(())
}

/// The operations of an arc function.
#[derive(Clone)]
struct Function {
    body: Body,
    block: BlockId,
}

struct Lowering<'a> {
    context: &'a Context,
    arcs: BTreeMap<String, Function>,
    /// Functions that still contain arc operations.
    open: BTreeSet<String>,
    /// The number of operations inserted for calls: functions that each call others twice grow exponentially.
    n_put: u128,
    found: Diagnostics,
}

impl Lowering<'_> {
    /// Expands the arc operations of a body. `callers` is the stack of functions being expanded.
    fn expand(&mut self, body: &mut Body, callers: &mut Vec<String>) {
        let all = body.walk_all().into_iter();
        let is_arc = |op: &OperationId| {
            self.context
                .operation_text(body.name(*op))
                .starts_with("arc.")
        };
        let arcs: Vec<OperationId> = all.filter(is_arc).collect();
        // Memories first: their ports are lowered with them, and functions after them are expanded then.
        let name = |op: OperationId| self.context.operation_text(body.name(op)).to_owned();
        let (memories, rest): (Vec<_>, Vec<_>) = arcs
            .into_iter()
            .partition(|op| name(*op) == arc::MemoryOp::NAME);
        let rest: Vec<(OperationId, String)> = rest.into_iter().map(|op| (op, name(op))).collect();
        for memory in memories {
            self.memory(body, memory, callers);
        }
        for (op, name) in rest {
            match name.as_str() {
                arc::Call::NAME => {
                    let inputs: Vec<ValueId> = body.operands(op).collect();
                    if let Some(results) = self.called(body, op, &inputs, callers) {
                        self.replace(body, op, &results);
                    }
                }
                arc::Lut::NAME => {
                    let inputs: Vec<ValueId> = body.operands(op).collect();
                    if let Some(function) = self.inside(body, op, callers) {
                        let results = function.put(self.context, body, op, &inputs);
                        self.replace(body, op, &results);
                    }
                }
                arc::Vectorize::NAME => self.vectors(body, op, callers),
                arc::State::NAME => self.state(body, op, callers),
                arc::ZeroCount::NAME => zero_count(self.context, body, op),
                arc::Tap::NAME => tap(self.context, body, op),
                // Ports were lowered with their memory, and terminators belong to the inlined functions.
                _ => {}
            }
        }
    }

    /// Inlines the function that an operation calls before the operation; returns its results.
    fn called(
        &mut self,
        body: &mut Body,
        op: OperationId,
        inputs: &[ValueId],
        callers: &mut Vec<String>,
    ) -> Option<Vec<ValueId>> {
        let name = body.attribute_named(self.context, op, "arc");
        let name = name
            .and_then(|a| a.as_flat_symbol(self.context))?
            .to_owned();
        if callers.contains(&name) {
            let message = format!("`arc.define @{name}` calls itself");
            self.found.error(body.location(op), message);
            return None;
        }
        if self.open.remove(&name) {
            let mut function = self.arcs[&name].clone();
            callers.push(name.clone());
            self.expand(&mut function.body, callers);
            callers.pop();
            self.arcs.insert(name.clone(), function);
        }
        let function = &self.arcs[&name];
        self.n_put += function.body.walk_all().len() as u128;
        let checked = (self.context.limits).check(Limit::Operations, self.n_put);
        if let Err(excess) = checked {
            let message = format!("with `@{name}` in its place, calls have become {excess}");
            self.found.error(body.location(op), message);
            return None;
        }
        Some(function.put(self.context, body, op, inputs))
    }

    /// Returns the function in the region of an operation.
    fn inside(
        &mut self,
        body: &Body,
        op: OperationId,
        callers: &mut Vec<String>,
    ) -> Option<Function> {
        let block = body.entry_block(op, 0)?;
        let mut function = Function {
            body: body.inner(op).clone(),
            block,
        };
        self.expand(&mut function.body, callers);
        Some(function)
    }

    /// Replaces the results of an operation by values.
    fn replace(&mut self, body: &mut Body, op: OperationId, values: &[ValueId]) {
        let results = body.results(op).to_vec();
        // A value that is passed through may be another result of the same operation.
        let mut replaced: BTreeMap<ValueId, ValueId> = BTreeMap::new();
        for (result, value) in results.iter().zip(values) {
            let mut value = *value;
            while let Some(next) = replaced.get(&value) {
                value = *next;
            }
            if value == *result {
                let message = format!(
                    "`{}`: a result that is computed of nothing but itself",
                    self.context.operation_text(body.name(op))
                );
                self.found.error(body.location(op), message);
                return;
            }
            if body.value_name(value).is_none() {
                body.set_value_name(value, body.value_name(*result));
            }
            body.replace_all_uses(*result, value);
            replaced.insert(*result, value);
        }
        body.erase(op);
    }
}

impl Function {
    /// Copies the operations of the function before an operation of `target`; returns the results for the given inputs.
    fn put(
        &self,
        context: &Context,
        target: &mut Body,
        anchor: OperationId,
        inputs: &[ValueId],
    ) -> Vec<ValueId> {
        let arguments = self.body.arguments(self.block).iter().copied();
        let mut values: BTreeMap<ValueId, ValueId> =
            arguments.zip(inputs.iter().copied()).collect();
        let mut results = Vec::new();
        for op in self.body.operations(self.block) {
            let view = View::new(context, &self.body, op);
            if matches!(view.name(), arc::Output::NAME | arc::VectorizeReturn::NAME) {
                results = view.operands().map(|value| values[&value]).collect();
            } else {
                let made = target.copy_from(context, &self.body, op, &mut values);
                target.insert_before(anchor, made);
            }
        }
        results
    }
}

/// Lowers a zero count to a priority selection on the first set bit from one end.
fn zero_count(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let is_trailing = view.attribute("predicate").and_then(|a| a.as_i64(context)) == Some(1);
    let input = view.operand(0);
    let mut maker = Maker::before(context, body, op);
    let width = maker.width(input);
    let number = |n: u32| Bits::from_u64(width.min(64), u64::from(n)).zext(width);
    let mut count = maker.constant(number(width));
    for zeros in (0..width).rev() {
        let bit = if is_trailing {
            zeros
        } else {
            width - 1 - zeros
        };
        let (bit, zeros) = (maker.extract(input, bit, 1), maker.constant(number(zeros)));
        count = maker.mux(bit, zeros, count);
    }
    crate::build::replace(body, op, &[count]);
}

/// Lowers a tap to one wire per name.
fn tap(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let (value, names) = (view.operand(0), view.attribute("names"));
    let names = names.and_then(|a| a.as_array(context)).unwrap_or_default();
    let ty = body.ty(value);
    let mut maker = Maker::before(context, body, op);
    for name in names {
        maker.one(hw::Wire::NAME, &[value], ty, &[("name", *name)]);
    }
    body.erase(op);
}
