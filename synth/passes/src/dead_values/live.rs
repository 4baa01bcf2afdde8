//! The values that effects, results of public functions or other live values need.
//!
//! Source: MLIR, `LivenessAnalysis`.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::func;
use sluice_ir::definition::Traits;
use sluice_ir::{BlockId, Body, Context, OperationId, ValueId, View};

use super::is_free_of_effects;
use super::slots::Slots;
use crate::symbols::{Visibility, callee, references_of, visibility, walk};

/// A function with a body.
pub(super) struct Function {
    pub(super) number: usize,
    pub(super) op: OperationId,
    /// Its first block.
    pub(super) entry: BlockId,
    pub(super) arguments: Vec<ValueId>,
    n_results: usize,
    name: String,
    /// True if all uses of the function are calls in the module.
    pub(super) is_removable: bool,
}

impl Function {
    /// Returns the indices of the arguments that are not live.
    pub(super) fn dead_arguments(&self, live: &BTreeSet<ValueId>) -> Vec<usize> {
        let all = self.arguments.iter().enumerate();
        let dead = all.filter(|(_, value)| !live.contains(*value));
        dead.map(|(i, _)| i).collect()
    }
}

/// Returns the functions with bodies at the top of a module.
pub(super) fn functions(module: View<'_>) -> Vec<Function> {
    let (context, body) = (module.context, module.inner());
    let mut all = Vec::new();
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        let Some(entry) = view.entry_block(0) else {
            continue;
        };
        if view.name() != func::Func::NAME {
            continue;
        }
        let ty = view.attribute("function_type");
        let ty = ty.and_then(|ty| ty.as_type(context));
        let n_results = match ty.map(|ty| ty.kind(context)) {
            Some(sluice_ir::TypeKind::Function { results, .. }) => results.len(),
            _ => 0,
        };
        all.push(Function {
            number: all.len(),
            op,
            entry,
            arguments: view.inner().arguments(entry).to_vec(),
            n_results,
            name: view.symbol_name().unwrap_or_default().to_owned(),
            is_removable: visibility(view) == Visibility::Private,
        });
    }
    let owners: BTreeSet<OperationId> = all.iter().map(|function| function.op).collect();
    let mut others = BTreeSet::new();
    for op in body.walk_all() {
        let is_function = owners.contains(&op);
        walk(context, body, op, &mut |view| {
            let is_call = is_function && view.name() == func::Call::NAME;
            if !is_call {
                for (root, _) in references_of(view) {
                    others.insert(context.text(root).to_owned());
                }
            }
            true
        });
    }
    for function in &mut all {
        function.is_removable &= !others.contains(&function.name);
    }
    all
}

/// The live values of each function.
pub(super) struct Live {
    pub(super) values: Vec<BTreeSet<ValueId>>,
    /// The function that a call calls.
    callees: BTreeMap<(usize, OperationId), usize>,
    /// The live results of each function.
    results: Vec<BTreeSet<usize>>,
}

impl Live {
    pub(super) fn solve(context: &Context, module: &Body, all: &[Function]) -> Self {
        let mut callees = BTreeMap::new();
        for function in all {
            let body = module.inner(function.op);
            for op in body.walk_all() {
                let view = View::new(context, body, op);
                let name = callee(view).filter(|_| view.name() == func::Call::NAME);
                let known = all.iter().position(|other| Some(&other.name[..]) == name);
                if let Some(known) = known {
                    callees.insert((function.number, op), known);
                }
            }
        }
        let results = all.iter().map(|function| match function.is_removable {
            true => BTreeSet::new(),
            false => (0..function.n_results).collect(),
        });
        let mut live = Self {
            values: vec![BTreeSet::new(); all.len()],
            results: results.collect(),
            callees,
        };
        while live.step(context, module, all) {}
        live
    }

    /// Returns the function that a call calls.
    pub(super) fn callee(&self, function: usize, op: OperationId) -> Option<usize> {
        self.callees.get(&(function, op)).copied()
    }

    /// Returns the calls of a function, with the function around each.
    pub(super) fn calls_of(&self, function: usize) -> Vec<(usize, OperationId)> {
        let all = self.callees.iter();
        let own = all.filter(|(_, callee)| **callee == function);
        own.map(|(call, _)| *call).collect()
    }

    /// Returns the indices of the results of a function that no call needs.
    pub(super) fn dead_results(&self, function: &Function) -> Vec<usize> {
        let live = &self.results[function.number];
        (0..function.n_results)
            .filter(|i| !live.contains(i))
            .collect()
    }

    /// Marks what live values need. Returns true if that is more than before.
    fn step(&mut self, context: &Context, module: &Body, all: &[Function]) -> bool {
        let mut is_changed = false;
        for function in all {
            let body = module.inner(function.op);
            for op in body.walk_all().into_iter().rev() {
                let needed = self.needed(context, body, function, op, all);
                for value in needed {
                    is_changed |= self.values[function.number].insert(value);
                }
                if let Some(callee) = self.callee(function.number, op) {
                    let results = body.results(op).iter().enumerate();
                    let own = &self.values[function.number];
                    let live: Vec<usize> = results
                        .filter(|(_, value)| own.contains(*value))
                        .map(|(i, _)| i)
                        .collect();
                    for i in live {
                        is_changed |= self.results[callee].insert(i);
                    }
                }
            }
        }
        is_changed
    }

    /// Returns the operands that an operation needs.
    fn needed(
        &self,
        context: &Context,
        body: &Body,
        function: &Function,
        op: OperationId,
        all: &[Function],
    ) -> Vec<ValueId> {
        let view = View::new(context, body, op);
        let live = &self.values[function.number];
        if view.name() == func::Return::NAME {
            let results = &self.results[function.number];
            let operands = view.operands().enumerate();
            let needed = operands.filter(|(i, _)| results.contains(i));
            return needed.map(|(_, value)| value).collect();
        }
        if let Some(callee) = self.callee(function.number, op) {
            let callee = &all[callee];
            let pairs = view.operands().zip(&callee.arguments);
            let is_live = |argument: &ValueId| {
                !callee.is_removable || self.values[callee.number].contains(argument)
            };
            let needed = pairs.filter(|(_, argument)| is_live(argument));
            return needed.map(|(value, _)| value).collect();
        }
        if !is_kept(context, body, op, live) {
            return Vec::new();
        }
        if view.has(Traits::TERMINATOR) {
            let parent = body.parent_operation(op);
            let parent = parent.map(|parent| View::new(context, body, parent));
            return match parent {
                Some(parent) if Slots::of(parent).is_some() => Vec::new(),
                Some(_) | None => view.operands().collect(),
            };
        }
        match Slots::of(view) {
            Some(slots) => slots.needed(body, live),
            None => view.operands().collect(),
        }
    }
}

/// Returns true if an operation stays: it has effects or a live result, or it ends a block of one that stays.
pub(super) fn is_kept(
    context: &Context,
    body: &Body,
    op: OperationId,
    live: &BTreeSet<ValueId>,
) -> bool {
    let view = View::new(context, body, op);
    let around = std::iter::successors(body.parent_operation(op), |op| body.parent_operation(*op));
    let stays = |op: OperationId| {
        !is_free_of_effects(context, body, op)
            || body.results(op).iter().any(|result| live.contains(result))
    };
    if view.has(Traits::TERMINATOR) {
        let mut around = around;
        return around.all(stays);
    }
    stays(op)
}
