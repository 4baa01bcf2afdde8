//! Splits a nest into statements: operations of one block that depend on each other, their loops, and their iteration points.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{memref, scf};
use sluice_ir::{Body, Context, OperationId, ValueDefinition, ValueId, View};

use super::super::nest::{carried, carries, computes, operations, place, statement};
use super::super::scan::{constraints, counters};
use crate::analysis::dependence_vectors::{Counter, Reference, references};
use crate::analysis::linear::{Linear, is_invariant};
use crate::build::{constant_i64, name};

/// Maximum number of statements of a nest.
pub(super) const MAX_STATEMENTS: usize = 12;

/// Connected operations of one block: stores and the operations they need.
pub(super) struct Statement {
    /// In text order.
    pub(super) operations: Vec<OperationId>,
    /// The enclosing loops, outermost first.
    pub(super) loops: Vec<OperationId>,
    /// The counters of these loops.
    pub(super) counters: Vec<Counter>,
    /// The constraints on the counters at the points where the statement runs: forms that are not negative.
    pub(super) constraints: Vec<Linear>,
    /// The accesses, each with its position in the text of the nest.
    pub(super) accesses: Vec<(usize, Reference)>,
}

impl Statement {
    /// Returns the values of the counters.
    pub(super) fn values(&self) -> Vec<ValueId> {
        self.counters.iter().map(|counter| counter.value).collect()
    }
}

/// Returns the statements of the nest with outermost loop `root`, in text order.
///
/// # Errors
/// A text that describes the obstacle.
pub(super) fn read(
    context: &Context,
    body: &Body,
    root: OperationId,
) -> Result<Vec<Statement>, String> {
    let text = body.walk(root).into_iter().enumerate();
    let mut reader = Reader {
        context,
        body,
        root,
        position: text.map(|(at, op)| (op, at)).collect(),
        recomputed: BTreeMap::new(),
        found: Vec::new(),
    };
    reader.nest(root, &mut Vec::new())?;
    let mut found = reader.found;
    found.sort_by_key(|(at, _)| *at);
    if found.len() > MAX_STATEMENTS {
        return Err(format!(
            "the nest has {} statements, more than {MAX_STATEMENTS}",
            found.len()
        ));
    }
    Ok(found.into_iter().map(|(_, statement)| statement).collect())
}

/// Returns whether a loop only computes its results, without memory accesses.
pub(super) fn only_computes(context: &Context, body: &Body, op: OperationId) -> bool {
    name(context, body, op) == scf::For::NAME
        && carries(body, op)
        && body.walk(op).into_iter().all(|inner| {
            matches!(
                name(context, body, inner),
                scf::For::NAME | scf::Yield::NAME
            ) || computes(View::new(context, body, inner))
        })
}

/// Returns whether a value depends only on `scf.for` counters, constants and values from outside of `root`, so that it can be
/// recomputed anywhere.
pub(super) fn is_recomputed(
    context: &Context,
    body: &Body,
    root: OperationId,
    value: ValueId,
    known: &mut BTreeMap<ValueId, bool>,
) -> bool {
    if let Some(known) = known.get(&value) {
        return *known;
    }
    let is = if is_invariant(body, root, value) {
        true
    } else if let ValueDefinition::Argument { block, index } = body.value_definition(value) {
        let owner = body.block_parent_operation(block);
        index == 0
            && owner.is_some_and(|op| {
                name(context, body, op) == scf::For::NAME && !only_computes(context, body, op)
            })
    } else {
        body.defining_operation(value).is_some_and(|op| {
            computes(View::new(context, body, op))
                && body
                    .operands(op)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .all(|operand| is_recomputed(context, body, root, operand, known))
        })
    };
    known.insert(value, is);
    is
}

struct Reader<'a> {
    context: &'a Context,
    body: &'a Body,
    root: OperationId,
    position: BTreeMap<OperationId, usize>,
    recomputed: BTreeMap<ValueId, bool>,
    found: Vec<(usize, Statement)>,
}

impl Reader<'_> {
    fn is_recomputed(&mut self, value: ValueId) -> bool {
        is_recomputed(
            self.context,
            self.body,
            self.root,
            value,
            &mut self.recomputed,
        )
    }

    fn nest(&mut self, op: OperationId, around: &mut Vec<OperationId>) -> Result<(), String> {
        let (context, body) = (self.context, self.body);
        if carries(body, op) {
            let what = carried(context, body, op);
            return Err(format!("{what}, and no cell of a memory can hold it"));
        }
        if constant_i64(context, body, body.operand(op, 2)) != Some(1) {
            return Err(format!(
                "{} does not have a step of 1",
                statement(context, body, op)
            ));
        }
        around.push(op);
        let mut own = Vec::new();
        for inner in operations(body, op) {
            let kind = name(context, body, inner);
            if kind == scf::For::NAME && !only_computes(context, body, inner) {
                self.nest(inner, around)?;
            } else if !body.results(inner).iter().all(|v| self.is_recomputed(*v))
                || body.results(inner).is_empty()
            {
                own.push(inner);
            }
        }
        for component in self.components(op, &own)? {
            let stores = |op: &OperationId| {
                let inside = body.walk(*op);
                inside
                    .into_iter()
                    .any(|op| name(context, body, op) == memref::Store::NAME)
            };
            if component.iter().any(stores) {
                let made = self.statement(component, around)?;
                self.found.push(made);
            }
        }
        around.pop();
        Ok(())
    }

    /// Groups the operations of a block that define or use values of each other.
    fn components(
        &mut self,
        around: OperationId,
        own: &[OperationId],
    ) -> Result<Vec<Vec<OperationId>>, String> {
        let (context, body) = (self.context, self.body);
        let mut component: Vec<usize> = (0..own.len()).collect();
        for (at, op) in own.iter().enumerate() {
            self.check(*op)?;
            let inside: BTreeSet<OperationId> = body.walk(*op).into_iter().collect();
            let operands = inside.iter().flat_map(|op| body.operands(*op));
            for value in operands.collect::<Vec<_>>() {
                let block = body.defining_block(value);
                let owner = block.and_then(|block| body.block_parent_operation(block));
                if owner.is_some_and(|owner| inside.contains(&owner)) || self.is_recomputed(value) {
                    continue;
                }
                let made = body.defining_operation(value);
                let Some(maker) = made.and_then(|made| own.iter().position(|op| *op == made))
                else {
                    return Err(format!(
                        "{} uses a value that is made outside of {}",
                        statement(context, body, *op),
                        statement(context, body, around)
                    ));
                };
                let (old, new) = (component[at], component[maker]);
                component
                    .iter_mut()
                    .filter(|c| **c == old)
                    .for_each(|c| *c = new);
            }
        }
        let mut found: BTreeMap<usize, Vec<OperationId>> = BTreeMap::new();
        for (op, component) in own.iter().zip(component) {
            found.entry(component).or_default().push(*op);
        }
        Ok(found.into_values().collect())
    }

    /// Checks that an operation may be part of a statement.
    fn check(&self, op: OperationId) -> Result<(), String> {
        let (context, body) = (self.context, self.body);
        let is_known = |op: OperationId| {
            let view = View::new(context, body, op);
            matches!(
                view.name(),
                memref::Load::NAME | memref::Store::NAME | scf::If::NAME | scf::Yield::NAME
            ) || computes(view)
                || only_computes(context, body, op)
        };
        let mut inside = body.walk(op).into_iter();
        if only_computes(context, body, op) || inside.all(is_known) {
            return Ok(());
        }
        Err(format!(
            "`{}` at {} cannot be moved between loops",
            name(context, body, op),
            place(context, body, op)
        ))
    }

    fn statement(
        &self,
        operations: Vec<OperationId>,
        loops: &[OperationId],
    ) -> Result<(usize, Statement), String> {
        let (context, body) = (self.context, self.body);
        let counters = counters(context, body, loops)?;
        let mut accesses = Vec::new();
        for op in &operations {
            for found in references(context, body, self.root, *op) {
                accesses.push((self.position[&found.op], found));
            }
        }
        let first = self.position[&operations[0]];
        let made = Statement {
            operations,
            loops: loops.to_vec(),
            constraints: counters.iter().flat_map(constraints).collect(),
            counters,
            accesses,
        };
        Ok((first, made))
    }
}
