//! The analysis of sparse conditional constant propagation: it finds constant values and reachable blocks together.
//!
//! Source: M. Wegman, F. Zadeck, "Constant Propagation with Conditional Branches". Calls and regions are handled as in MLIR's
//! `DeadCodeAnalysis` and `SparseConstantPropagation`.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use sluice_ir::definition::{FoldResult, RegionPoint, TraitRule, Traits};
use sluice_ir::simplify::fold_with;
use sluice_ir::{Attribute, BlockId, Body, Context, OperationId, ValueId, View};

use crate::symbols::{
    Visibility, callee, may_hold_unknown_symbols, references_of, uses_are_visible, visibility, walk,
};

/// The lattice value of an SSA value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Known {
    /// No value has reached it so far.
    #[default]
    Nothing,
    /// This constant, and the dialect that creates the constant operation.
    Constant(Attribute, &'static str),
    /// Not a constant.
    Anything,
}

impl Known {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, known) | (known, Self::Nothing) => known,
            (Self::Constant(a, _), Self::Constant(b, _)) if a == b => self,
            _ => Self::Anything,
        }
    }

    fn constant(self) -> Option<Attribute> {
        match self {
            Self::Constant(attribute, _) => Some(attribute),
            _ => None,
        }
    }
}

/// One body: that of the root operation of the pass, or of a nested isolated operation.
struct Unit<'a> {
    /// The isolated operation that owns the body.
    owner: View<'a>,
    /// The unit that contains the owner.
    outside: Option<usize>,
    body: &'a Body,
    /// Symbols of the owner, if it is a symbol table.
    symbols: BTreeMap<&'a str, OperationId>,
    values: Vec<Known>,
    live: Vec<bool>,
    queued: Vec<bool>,
    /// Operations that fold to a value which is not their operand, by that value. They are revisited when it changes.
    followers: FxHashMap<ValueId, Vec<OperationId>>,
    /// Calls that reach the owner.
    calls: BTreeSet<(usize, OperationId)>,
    /// True if there may be calls that are not in `calls`.
    unknown_calls: bool,
    /// Lattice values of the owner's results. Empty until a return is reached.
    returned: Vec<Known>,
    /// True if the owner may return in a way that the analysis cannot follow.
    unknown_return: bool,
}

/// The analysis of an operation and everything nested in it.
pub(super) struct Analysis<'a> {
    context: &'a Context,
    units: Vec<Unit<'a>>,
    inside: FxHashMap<(usize, OperationId), usize>,
    waiting: Vec<(usize, OperationId)>,
}

/// The result of the analysis, by unit.
pub(super) struct Facts {
    values: Vec<Vec<Known>>,
    inside: FxHashMap<(usize, OperationId), usize>,
}

impl Facts {
    /// Returns the lattice value of a value.
    pub(super) fn of(&self, unit: usize, value: ValueId) -> Known {
        let values = &self.values[unit];
        values.get(value.index()).copied().unwrap_or_default()
    }

    /// Returns the unit of the body of an isolated operation.
    pub(super) fn inside(&self, unit: usize, op: OperationId) -> Option<usize> {
        self.inside.get(&(unit, op)).copied()
    }
}

/// Analyses `root`, whose body is unit 0. `visible` is true if nothing outside can refer to its symbols.
pub(super) fn analyse(root: View<'_>, visible: bool) -> Facts {
    let mut analysis = Analysis {
        context: root.context,
        units: Vec::new(),
        inside: FxHashMap::default(),
        waiting: Vec::new(),
    };
    analysis.add_unit(root, None);
    analysis.find_unknown_calls(0, visible);
    for region in root.regions() {
        if let Some(entry) = root.inner().blocks(*region).first() {
            analysis.enter(0, *entry);
            analysis.arguments_are_anything(0, *entry);
        }
    }
    while let Some((unit, op)) = analysis.waiting.pop() {
        analysis.units[unit].queued[op.index()] = false;
        analysis.visit(unit, op);
    }
    Facts {
        values: analysis.units.into_iter().map(|unit| unit.values).collect(),
        inside: analysis.inside,
    }
}

impl<'a> Analysis<'a> {
    fn add_unit(&mut self, owner: View<'a>, outside: Option<usize>) {
        let (body, context) = (owner.inner(), owner.context);
        let number = self.units.len();
        let holds_symbols = owner.has(Traits::SYMBOL_TABLE);
        let mut symbols = BTreeMap::new();
        let blocks = owner.regions().iter().flat_map(|r| body.blocks(*r));
        for op in blocks.flat_map(|block| body.operations(*block)) {
            if let Some(name) = View::new(context, body, op).symbol_name()
                && holds_symbols
            {
                symbols.insert(name, op);
            }
        }
        self.units.push(Unit {
            owner,
            outside,
            body,
            symbols,
            values: vec![Known::Nothing; body.value_capacity()],
            live: vec![false; body.block_capacity()],
            queued: vec![false; body.operation_capacity()],
            followers: FxHashMap::default(),
            calls: BTreeSet::new(),
            unknown_calls: false,
            returned: Vec::new(),
            unknown_return: false,
        });
        for op in body.walk_all() {
            if body.is_isolated(op) {
                self.inside.insert((number, op), self.units.len());
                self.add_unit(View::new(context, body, op), Some(number));
            }
        }
    }

    fn view(&self, unit: usize, op: OperationId) -> View<'a> {
        View::new(self.context, self.units[unit].body, op)
    }

    /// Marks the functions that may have callers outside the analysed code.
    fn find_unknown_calls(&mut self, unit: usize, visible: bool) {
        let owner = self.units[unit].owner;
        let visible = uses_are_visible(owner, visible);
        let below: Vec<usize> = (0..self.units.len())
            .filter(|other| self.units[*other].outside == Some(unit))
            .collect();
        for other in &below {
            self.find_unknown_calls(*other, visible);
        }
        if !owner.has(Traits::SYMBOL_TABLE) {
            return;
        }
        let mut found = false;
        for other in below {
            let function = self.units[other].owner;
            if !function.has(Traits::FUNCTION_LIKE) {
                continue;
            }
            found = true;
            let is_seen = match visibility(function) {
                Visibility::Public => true,
                Visibility::Nested => !visible,
                Visibility::Private => false,
            };
            self.units[other].unknown_calls |= is_seen;
        }
        if found {
            self.find_uses_beside_calls(unit);
        }
    }

    /// Marks the functions that have uses other than calls. Marks all functions if some references cannot be resolved.
    fn find_uses_beside_calls(&mut self, unit: usize) {
        let owner = self.units[unit].owner;
        let (mut unclear, mut used) = (false, Vec::new());
        walk(self.context, owner.body, owner.id, &mut |view| {
            let is_owner = view.id == owner.id && std::ptr::eq(view.body, owner.body);
            if is_owner {
                return true;
            }
            unclear |= may_hold_unknown_symbols(view);
            if !view.has(Traits::CALL_LIKE) {
                used.extend(references_of(view));
            }
            !view.has(Traits::SYMBOL_TABLE)
        });
        if unclear {
            for unit in &mut self.units {
                unit.unknown_calls = true;
            }
            return;
        }
        for (root, nested) in used {
            let mut unit = Some(unit);
            for name in std::iter::once(root).chain(nested) {
                unit = unit.and_then(|unit| {
                    let op = self.units[unit].symbols.get(self.context.text(name))?;
                    self.inside.get(&(unit, *op)).copied()
                });
            }
            if let Some(unit) = unit {
                self.units[unit].unknown_calls = true;
            }
        }
    }

    // Changes of lattice values.

    fn again(&mut self, unit: usize, op: OperationId) {
        if !std::mem::replace(&mut self.units[unit].queued[op.index()], true) {
            self.waiting.push((unit, op));
        }
    }

    fn join(&mut self, unit: usize, value: ValueId, known: Known) {
        let old = self.units[unit].values[value.index()];
        let new = old.join(known);
        if old == new {
            return;
        }
        self.units[unit].values[value.index()] = new;
        let body = self.units[unit].body;
        for (user, _) in body.uses(value) {
            self.again(unit, user);
        }
        let followers = self.units[unit].followers.get(&value);
        for op in followers.cloned().unwrap_or_default() {
            self.again(unit, op);
        }
    }

    /// Marks a block as reachable.
    fn enter(&mut self, unit: usize, block: BlockId) {
        if !std::mem::replace(&mut self.units[unit].live[block.index()], true) {
            let body = self.units[unit].body;
            for op in body.operations(block) {
                self.again(unit, op);
            }
        }
    }

    fn arguments_are_anything(&mut self, unit: usize, block: BlockId) {
        let body = self.units[unit].body;
        for argument in body.arguments(block) {
            self.join(unit, *argument, Known::Anything);
        }
    }

    fn results_are_anything(&mut self, unit: usize, op: OperationId) {
        let body = self.units[unit].body;
        for result in body.results(op) {
            self.join(unit, *result, Known::Anything);
        }
    }

    // Transfer functions of operations.

    fn known_operands(&self, unit: usize, op: OperationId) -> Vec<Known> {
        let Unit { body, values, .. } = &self.units[unit];
        body.operands(op).map(|v| values[v.index()]).collect()
    }

    /// Returns the constants among the operands, once a value has reached each operand.
    fn constants(&self, unit: usize, op: OperationId) -> Option<Vec<Option<Attribute>>> {
        let known = self.known_operands(unit, op);
        let all = known.iter().all(|known| *known != Known::Nothing);
        all.then(|| known.into_iter().map(Known::constant).collect())
    }

    fn visit(&mut self, unit: usize, op: OperationId) {
        let view = self.view(unit, op);
        let is_live = view.body.parent_block(op);
        if !is_live.is_some_and(|block| self.units[unit].live[block.index()]) {
            return;
        }
        let flow = view.definition().and_then(|d| d.region_flow);
        if flow.is_some() {
            self.visit_flow(unit, view, RegionPoint::Parent, None);
        } else if !view.regions().is_empty() {
            self.visit_regions(unit, view);
        }
        if !view.successors().is_empty() {
            self.visit_branch(unit, view);
        } else if view.body.next(op).is_none() {
            self.visit_end(unit, view);
        }
        if view.has(Traits::CALL_LIKE) {
            self.visit_call(unit, view);
        } else if flow.is_none() && !view.results().is_empty() {
            self.visit_results(unit, view);
        }
    }

    /// Visits regions without declared control flow. A function's region runs if the function may be called; other regions always
    /// run.
    fn visit_regions(&mut self, unit: usize, view: View<'a>) {
        let inside = self.inside.get(&(unit, view.id)).copied();
        let is_function = view.has(Traits::FUNCTION_LIKE);
        if let Some(inside) = inside.filter(|_| is_function)
            && !self.units[inside].unknown_calls
        {
            return;
        }
        for region in view.regions() {
            if let Some(entry) = view.inner().blocks(*region).first() {
                self.enter(inside.unwrap_or(unit), *entry);
                self.arguments_are_anything(inside.unwrap_or(unit), *entry);
            }
        }
    }

    /// Follows the declared region edges that start at `from`.
    fn visit_flow(
        &mut self,
        unit: usize,
        view: View<'a>,
        from: RegionPoint,
        terminator: Option<View<'a>>,
    ) {
        let Some(flow) = view.definition().and_then(|d| d.region_flow) else {
            return;
        };
        let source = terminator.unwrap_or(view);
        let Some(constants) = self.constants(unit, source.id) else {
            return;
        };
        // Only the operands of a return-like terminator, or of one declared for this parent, are known to be forwarded.
        let is_clear = terminator.is_none_or(|last| {
            let parents = |rule: &TraitRule| matches!(rule, TraitRule::HasParent(names) if names.contains(&view.name()));
            last.has(Traits::RETURN_LIKE)
                || last.definition().is_some_and(|d| d.rules.iter().any(parents))
        });
        for edge in flow(view, from, terminator, &constants) {
            let inputs: Vec<ValueId> = match edge.to {
                RegionPoint::Parent => view.results().to_vec(),
                RegionPoint::Region(region) => {
                    let Some(entry) = view.entry_block(region) else {
                        continue;
                    };
                    self.enter(unit, entry);
                    view.body.arguments(entry).to_vec()
                }
            };
            let passed = self.known_operands(unit, source.id);
            for (i, input) in inputs.into_iter().enumerate() {
                let known = i
                    .checked_sub(edge.first_input)
                    .filter(|i| is_clear && *i < edge.n_operands)
                    .and_then(|i| passed.get(edge.first_operand + i));
                self.join(unit, input, known.copied().unwrap_or(Known::Anything));
            }
        }
    }

    fn visit_branch(&mut self, unit: usize, view: View<'a>) {
        let taken = view.definition().and_then(|d| d.successor);
        let is_branch = view.has(Traits::BRANCH_LIKE);
        let taken = if is_branch {
            let Some(constants) = self.constants(unit, view.id) else {
                return;
            };
            taken.and_then(|taken| taken(view, &constants))
        } else {
            None
        };
        for (i, block) in view.successors().iter().enumerate() {
            // As upstream, all edges between two blocks are treated as one.
            if taken.is_some_and(|taken| view.successors()[taken] != *block) {
                continue;
            }
            self.enter(unit, *block);
            let passed = is_branch.then(|| view.successor_operands(i)).flatten();
            let arguments = view.body.arguments(*block);
            for (i, argument) in arguments.iter().enumerate() {
                let known = passed.as_ref().and_then(|passed| passed.get(i));
                let known = known.map(|value| self.units[unit].values[value.index()]);
                self.join(unit, *argument, known.unwrap_or(Known::Anything));
            }
        }
    }

    /// Propagates the operands of a region's last operation to the parent operation, or to the callers of the function.
    fn visit_end(&mut self, unit: usize, view: View<'a>) {
        let region = view.body.parent_block(view.id);
        let Some(region) = region.and_then(|block| view.body.parent_region(block)) else {
            return;
        };
        if let Some(parent) = view.body.region_parent(region) {
            let parent = view.at(parent);
            if let Some(number) = parent.regions().iter().position(|r| *r == region) {
                self.visit_flow(unit, parent, RegionPoint::Region(number), Some(view));
            }
            return;
        }
        if !self.units[unit].owner.has(Traits::FUNCTION_LIKE) {
            return;
        }
        let known = self.known_operands(unit, view.id);
        let Unit {
            returned,
            unknown_return,
            ..
        } = &mut self.units[unit];
        let before = (returned.clone(), *unknown_return);
        *unknown_return |= !view.has(Traits::RETURN_LIKE);
        returned.resize(returned.len().max(known.len()), Known::Nothing);
        for (returned, known) in returned.iter_mut().zip(known) {
            *returned = returned.join(known);
        }
        if before == (returned.clone(), *unknown_return) {
            return;
        }
        for (unit, op) in self.units[unit].calls.clone() {
            self.again(unit, op);
        }
    }

    /// Returns the unit of the function that a call reaches, if it is in the analysed code.
    fn resolve(&self, unit: usize, view: View<'a>) -> Option<usize> {
        let name = callee(view)?;
        let mut current = Some(unit);
        while let Some(unit) = current {
            let owner = self.units[unit].owner;
            if owner.has(Traits::SYMBOL_TABLE) {
                let op = self.units[unit].symbols.get(name)?;
                return self.inside.get(&(unit, *op)).copied();
            }
            current = self.units[unit].outside;
        }
        (self.units[0].owner.symbol_name() == Some(name)).then_some(0)
    }

    fn visit_call(&mut self, unit: usize, view: View<'a>) {
        let function = self.resolve(unit, view).filter(|function| {
            let owner = self.units[*function].owner;
            owner.has(Traits::FUNCTION_LIKE) && owner.entry_block(0).is_some()
        });
        let Some(function) = function else {
            return self.results_are_anything(unit, view.id);
        };
        let call = (unit, view.id);
        self.units[function].calls.insert(call);
        if let Some(entry) = self.units[function].owner.entry_block(0) {
            self.enter(function, entry);
            let arguments = self.units[function].body.arguments(entry);
            let known = self.known_operands(unit, view.id);
            for (argument, known) in arguments.iter().zip(known) {
                self.join(function, *argument, known);
            }
        }
        if self.units[function].unknown_return {
            return self.results_are_anything(unit, view.id);
        }
        let returned = self.units[function].returned.clone();
        for (result, known) in view.results().iter().zip(returned) {
            self.join(unit, *result, known);
        }
    }

    fn visit_results(&mut self, unit: usize, view: View<'a>) {
        let Some(definition) = view.definition().filter(|_| view.regions().is_empty()) else {
            return self.results_are_anything(unit, view.id);
        };
        if definition.has(Traits::CONSTANT_LIKE) {
            let value = view.attribute("value");
            let known = value.map(|value| Known::Constant(value, definition.dialect()));
            return self.join(unit, view.result(0), known.unwrap_or(Known::Anything));
        }
        let Some(constants) = self.constants(unit, view.id) else {
            return;
        };
        let Some(folded) = fold_with(view, &constants) else {
            return self.results_are_anything(unit, view.id);
        };
        for (result, folded) in view.results().iter().zip(folded) {
            let known = match folded {
                FoldResult::Constant(attribute) => Known::Constant(attribute, definition.dialect()),
                FoldResult::Value(value) => {
                    if !view.operands().any(|operand| operand == value) {
                        let followers = &mut self.units[unit].followers;
                        followers.entry(value).or_default().push(view.id);
                    }
                    self.units[unit].values[value.index()]
                }
            };
            self.join(unit, *result, known);
        }
    }
}
