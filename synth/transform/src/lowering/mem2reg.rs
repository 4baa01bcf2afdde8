//! `mem2reg`: promotes the words of local memories to values if all accesses use constant indices.
//!
//! Kernels that come from C keep their variables in memories of one word. The pass follows the structured control flow: a
//! conditional returns the cells that it writes, and a loop carries them. Only live cells are passed, that is, cells that a load
//! may still read (a backward liveness analysis). A cell that is read before it is written has an arbitrary value.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::STORAGE;
use sluice_dialects::{memref, scf};
use sluice_ir::{BlockId, Body, Builder, Context, Name, OperationId, Type, TypeKind, ValueId};

use crate::build::{all_named, anything, end_with_more, grow, name};
use crate::lowering::widen_addresses::constant_index;

/// A memory and the constant indices of one of its words.
type Cell = (ValueId, Vec<i64>);

/// Maximum number of words of a memory that is promoted: above this, loops would carry more registers than a memory costs.
const MAX_WORDS: u64 = 64;

/// Operations with regions that the pass can follow; `func.func` has the body.
const STRUCTURE: &[&str] = &[scf::For::NAME, scf::If::NAME, scf::While::NAME];

/// Promotes all cells of local memories whose accesses all have constant indices.
pub fn mem2reg(context: &Context, body: &mut Body) {
    let Some(entry) = only_block(context, body) else {
        return;
    };
    // A promoted cell may turn an index of another memory into a constant, so the pass iterates.
    while run_iteration(context, body, entry) {}
}

/// Promotes all cells that are promotable now; returns whether there were any.
fn run_iteration(context: &Context, body: &mut Body, entry: BlockId) -> bool {
    let memories = promotable(context, body);
    if memories.is_empty() {
        return false;
    }
    let mut cells = Cells {
        context,
        body,
        memories,
        effects: BTreeMap::new(),
        written: BTreeMap::new(),
        live_behind: BTreeMap::new(),
        live_at_head: BTreeMap::new(),
        unset: BTreeMap::new(),
    };
    cells.effect(entry);
    cells.note_live(entry, &mut BTreeSet::new());
    cells.walk(entry, &mut BTreeMap::new());
    for memory in std::mem::take(&mut cells.memories) {
        let op = body.defining_operation(memory);
        body.erase(op.expect("a local memory is allocated"));
    }
    true
}

/// Returns the entry block if it and every nested region have a single block and all structured operations are known.
fn only_block(context: &Context, body: &Body) -> Option<BlockId> {
    let one_block = |region| match body.blocks(region) {
        [] => Some(None),
        [block] => Some(Some(*block)),
        _ => None,
    };
    for op in body.walk_all() {
        if !body.regions(op).is_empty() && !STRUCTURE.contains(&name(context, body, op)) {
            return None;
        }
        for region in body.regions(op) {
            one_block(*region)?;
        }
    }
    one_block(body.top_regions().next()?)?
}

/// Returns the local memories without directives whose accesses all name one word by constants.
fn promotable(context: &Context, body: &Body) -> BTreeSet<ValueId> {
    let allocations = [memref::Alloca::NAME, memref::Alloc::NAME].into_iter();
    let allocations = allocations.flat_map(|kind| all_named(context, body, kind));
    let is_free = |op: &OperationId| {
        let requests = [
            STORAGE,
            sluice_dialects::sluice::BANKS,
            sluice_dialects::sluice::ARRAY,
        ];
        let mut requests = requests.into_iter();
        !requests.any(|request| body.attribute_named(context, *op, request).is_some())
    };
    let memories = allocations.filter(is_free).map(|op| body.result(op, 0));
    let has_cells = |memory: &ValueId| {
        let ty = body.ty(*memory);
        let TypeKind::MemRef { shape, layout, .. } = ty.kind(context) else {
            return false;
        };
        let is_number = |ty: Type| ty.width_bits(context).is_some();
        let is_cell =
            |(op, _)| cell_of(context, body, op).is_some_and(|((of, _), _)| of == *memory);
        layout.is_none()
            && ty.element_type(context).is_some_and(is_number)
            && words(shape).is_some_and(|words| words <= MAX_WORDS)
            && body.uses(*memory).all(is_cell)
    };
    memories.filter(has_cells).collect()
}

/// Returns the number of words of a memory of static size.
fn words(shape: &[Option<u64>]) -> Option<u64> {
    shape
        .iter()
        .try_fold(1u64, |words, size| words.checked_mul((*size)?))
}

/// Returns the cell that an access with constant, in-bounds indices names, and the stored value if it is a store.
fn cell_of(context: &Context, body: &Body, op: OperationId) -> Option<(Cell, Option<ValueId>)> {
    let operands: Vec<ValueId> = body.operands(op).collect();
    let (memory, value, indices) = match (name(context, body, op), operands.as_slice()) {
        (memref::Load::NAME, [memory, indices @ ..]) => (memory, None, indices),
        (memref::Store::NAME, [value, memory, indices @ ..]) => (memory, Some(*value), indices),
        _ => return None,
    };
    let TypeKind::MemRef { shape, .. } = body.ty(*memory).kind(context) else {
        return None;
    };
    let inside = |(index, size): (&ValueId, &Option<u64>)| {
        let index = constant_index(context, body, *index)?;
        (u64::try_from(index).ok()? < (*size)?).then_some(index)
    };
    let indices: Option<Vec<i64>> = indices.iter().zip(shape).map(inside).collect();
    Some(((*memory, indices?), value))
}

/// Cells that a piece of the program reads and writes.
#[derive(Clone, Default)]
struct Effect {
    /// Cells that it may read before it writes them.
    read: BTreeSet<Cell>,
    /// Cells that it certainly writes.
    set: BTreeSet<Cell>,
    /// Cells that it may write.
    written: BTreeSet<Cell>,
}

impl Effect {
    /// Returns the cells that are live before this piece, from those live after it.
    fn live_before(&self, behind: &BTreeSet<Cell>) -> BTreeSet<Cell> {
        let kept = behind.difference(&self.set).cloned();
        kept.chain(self.read.iter().cloned()).collect()
    }

    /// Returns the effect of this piece followed by `next`.
    fn before(&self, next: &Self) -> Self {
        Self {
            read: self.live_before(&next.read),
            set: &self.set | &next.set,
            written: &self.written | &next.written,
        }
    }
}

/// Returns the effect of a structured operation, from the effects of its regions.
fn of_structure(name: &str, regions: &[Effect]) -> Effect {
    let written = regions
        .iter()
        .flat_map(|region| region.written.iter().cloned());
    let written = written.collect();
    match (name, regions) {
        (scf::For::NAME, [once]) => Effect {
            read: once.read.clone(),
            set: BTreeSet::new(),
            written,
        },
        (scf::While::NAME, [first, second]) => Effect {
            read: first.live_before(&second.read),
            set: first.set.clone(),
            written,
        },
        _ => {
            let sides = regions.iter();
            let read = sides.clone().flat_map(|side| side.read.iter().cloned());
            let set = sides.map(|side| side.set.clone());
            Effect {
                read: read.collect(),
                set: set.reduce(|a, b| &a & &b).unwrap_or_default(),
                written,
            }
        }
    }
}

struct Cells<'a> {
    context: &'a Context,
    body: &'a mut Body,
    memories: BTreeSet<ValueId>,
    /// The effects of the regions of each conditional or loop.
    effects: BTreeMap<OperationId, Vec<Effect>>,
    /// The cells that are written in each conditional or loop.
    written: BTreeMap<OperationId, BTreeSet<Cell>>,
    /// The cells that are live after each conditional or loop.
    live_behind: BTreeMap<OperationId, BTreeSet<Cell>>,
    /// The cells that are live at the start of the body of a `for`, or of each region of a `while`.
    live_at_head: BTreeMap<(OperationId, usize), BTreeSet<Cell>>,
    /// The value, by type, that stands for cells that were not written.
    unset: BTreeMap<Type, ValueId>,
}

impl Cells<'_> {
    fn access(&self, op: OperationId) -> Option<(Cell, Option<ValueId>)> {
        // Indices are examined only for accesses of these memories.
        let mut operands = self.body.operands(op).take(2);
        let is_ours = operands.any(|operand| self.memories.contains(&operand));
        is_ours.then(|| cell_of(self.context, self.body, op))?
    }

    /// Returns the operations of a block in reverse order.
    fn backwards(&self, block: BlockId) -> Vec<OperationId> {
        let mut operations: Vec<_> = self.body.operations(block).collect();
        operations.reverse();
        operations
    }

    /// Returns the effect of a block and records the effects of the regions inside.
    fn effect(&mut self, block: BlockId) -> Effect {
        let mut effect = Effect::default();
        for op in self.backwards(block) {
            match self.access(op) {
                Some((cell, Some(_))) => {
                    effect.read.remove(&cell);
                    effect.set.insert(cell.clone());
                    effect.written.insert(cell);
                }
                Some((cell, None)) => {
                    effect.set.remove(&cell);
                    effect.read.insert(cell);
                }
                None if self.body.regions(op).is_empty() => {}
                None => {
                    let mut inside = Vec::new();
                    for region in 0..self.body.regions(op).len() {
                        let block = self.body.entry_block(op, region);
                        inside.push(block.map(|block| self.effect(block)).unwrap_or_default());
                    }
                    let whole = of_structure(name(self.context, self.body, op), &inside);
                    effect = whole.before(&effect);
                    self.written.insert(op, whole.written);
                    self.effects.insert(op, inside);
                }
            }
        }
        effect
    }

    /// Records live cells for the structured operations of a block; `live` holds the cells live after the block on entry, and
    /// those live before it on return.
    fn note_live(&mut self, block: BlockId, live: &mut BTreeSet<Cell>) {
        for op in self.backwards(block) {
            match self.access(op) {
                Some((cell, Some(_))) => drop(live.remove(&cell)),
                Some((cell, None)) => drop(live.insert(cell)),
                None if self.body.regions(op).is_empty() => {}
                None => {
                    self.live_behind.insert(op, live.clone());
                    self.note_live_inside(op, live);
                }
            }
        }
    }

    fn note_live_inside(&mut self, op: OperationId, live: &mut BTreeSet<Cell>) {
        let effects = self.effects.remove(&op).unwrap_or_default();
        let behind: Vec<BTreeSet<Cell>> = match (name(self.context, self.body, op), &effects[..]) {
            (scf::For::NAME, [once]) => {
                live.extend(once.read.iter().cloned());
                self.live_at_head.insert((op, 0), live.clone());
                vec![live.clone()]
            }
            (scf::While::NAME, [first, second]) => {
                let mut at_test: BTreeSet<Cell> = live.union(&second.read).cloned().collect();
                let at_head = first.live_before(&at_test);
                at_test.extend(second.live_before(&at_head));
                self.live_at_head.insert((op, 0), at_head.clone());
                self.live_at_head.insert((op, 1), at_test.clone());
                *live = at_head.clone();
                vec![at_test, at_head]
            }
            _ => {
                let behind = vec![live.clone(); effects.len()];
                let before = effects.iter().map(|side| side.live_before(live));
                *live = before.reduce(|a, b| &a | &b).unwrap_or_default();
                behind
            }
        };
        for (region, mut live) in behind.into_iter().enumerate() {
            if let Some(block) = self.body.entry_block(op, region) {
                self.note_live(block, &mut live);
            }
        }
    }

    /// Returns the cells that are in both sets.
    fn both(a: &BTreeSet<Cell>, b: &BTreeSet<Cell>) -> Vec<Cell> {
        a.intersection(b).cloned().collect()
    }

    fn element(&self, cell: &Cell) -> Type {
        let ty = self.body.ty(cell.0);
        let element = ty.element_type(self.context);
        element.expect("a memory has elements")
    }

    /// Returns the value that a cell holds.
    fn value(&mut self, held: &BTreeMap<Cell, ValueId>, cell: &Cell) -> ValueId {
        if let Some(value) = held.get(cell) {
            return *value;
        }
        let ty = self.element(cell);
        if let Some(value) = self.unset.get(&ty) {
            return *value;
        }
        let first = self.body.defining_operation(cell.0);
        let first = first.expect("a local memory is allocated");
        let block = self.body.top_regions().next();
        let block = block.and_then(|region| self.body.blocks(region).first().copied());
        let front = block.and_then(|block| self.body.first_operation(block));
        let mut builder = Builder::before(self.context, self.body, front.unwrap_or(first));
        builder.location = builder.body.location(first);
        let value = anything(&mut builder, ty);
        self.unset.insert(ty, value);
        value
    }

    fn values(&mut self, held: &BTreeMap<Cell, ValueId>, cells: &[Cell]) -> Vec<ValueId> {
        let values = cells.iter().map(|cell| self.value(held, cell));
        values.collect()
    }

    fn types(&self, cells: &[Cell]) -> Vec<Type> {
        cells.iter().map(|cell| self.element(cell)).collect()
    }

    fn source_name(&self, cell: &Cell) -> Option<Name> {
        self.body.value_name(cell.0)
    }

    /// Records that the cells hold these values, and names the values after their memories.
    fn hold(&mut self, held: &mut BTreeMap<Cell, ValueId>, cells: &[Cell], values: &[ValueId]) {
        for (cell, value) in cells.iter().zip(values) {
            let name = self.source_name(cell);
            self.body.set_value_name(*value, name);
            held.insert(cell.clone(), *value);
        }
    }

    /// Adds block arguments for cells, which then hold them.
    fn arguments(&mut self, block: BlockId, cells: &[Cell], held: &mut BTreeMap<Cell, ValueId>) {
        let mut arguments = Vec::new();
        for cell in cells {
            let ty = self.element(cell);
            let owner = self.body.block_parent_operation(block);
            let location = self.body.location(owner.expect("a block of a loop"));
            arguments.push(self.body.add_argument(block, ty, location));
        }
        self.hold(held, cells, &arguments);
    }

    /// Removes the accesses from a block; `held` maps cells to their values before the block on entry, and after it on return.
    fn walk(&mut self, block: BlockId, held: &mut BTreeMap<Cell, ValueId>) {
        for op in self.body.operations(block).collect::<Vec<_>>() {
            match self.access(op) {
                Some((cell, Some(value))) => {
                    held.insert(cell, value);
                    self.body.erase(op);
                }
                Some((cell, None)) => {
                    let value = self.value(held, &cell);
                    crate::build::replace(self.body, op, &[value]);
                }
                None if self.body.regions(op).is_empty() => {}
                None => match name(self.context, self.body, op) {
                    scf::For::NAME => self.counting_loop(op, held),
                    scf::While::NAME => self.while_loop(op, held),
                    _ => self.conditional(op, held),
                },
            }
        }
    }

    fn conditional(&mut self, op: OperationId, held: &mut BTreeMap<Cell, ValueId>) {
        let given = Self::both(&self.written[&op], &self.live_behind[&op]);
        let types = self.types(&given);
        let op = self.grow(op, &[], &types);
        for region in 0..2 {
            let mut inside = held.clone();
            let block = match self.body.entry_block(op, region) {
                Some(block) => block,
                None if given.is_empty() => continue,
                None => {
                    let block = self.body.append_block(self.body.regions(op)[region]);
                    let location = self.body.location(op);
                    let mut builder = Builder::at_end(self.context, self.body, block, location);
                    builder.operation(scf::Yield::NAME, &[], &[], &[]);
                    block
                }
            };
            self.walk(block, &mut inside);
            let values = self.values(&inside, &given);
            end_with_more(self.body, block, &values);
        }
        self.hold_results(op, &given, held);
    }

    /// Rebuilds the operation with more operands and results; the existing results keep their names.
    fn grow(&mut self, op: OperationId, operands: &[ValueId], types: &[Type]) -> OperationId {
        let results = self.body.results(op).to_vec();
        let names: Vec<_> = results
            .into_iter()
            .map(|v| self.body.value_name(v))
            .collect();
        let grown = grow(self.context, self.body, op, operands, types);
        for (i, name) in names.into_iter().enumerate() {
            let result = self.body.result(grown, i);
            self.body.set_value_name(result, name);
        }
        grown
    }

    fn hold_results(
        &mut self,
        op: OperationId,
        cells: &[Cell],
        held: &mut BTreeMap<Cell, ValueId>,
    ) {
        let results = self.body.results(op);
        let results = results[results.len() - cells.len()..].to_vec();
        self.hold(held, cells, &results);
    }

    fn counting_loop(&mut self, op: OperationId, held: &mut BTreeMap<Cell, ValueId>) {
        let carried = Self::both(&self.written[&op], &self.live_at_head[&(op, 0)]);
        let (initial, types) = (self.values(held, &carried), self.types(&carried));
        let op = self.grow(op, &initial, &types);
        let block = self.body.entry_block(op, 0).expect("a loop has a body");
        let mut inside = held.clone();
        self.arguments(block, &carried, &mut inside);
        self.walk(block, &mut inside);
        let values = self.values(&inside, &carried);
        end_with_more(self.body, block, &values);
        self.hold_results(op, &carried, held);
    }

    fn while_loop(&mut self, op: OperationId, held: &mut BTreeMap<Cell, ValueId>) {
        let carried = Self::both(&self.written[&op], &self.live_at_head[&(op, 0)]);
        let passed = Self::both(&self.written[&op], &self.live_at_head[&(op, 1)]);
        let (initial, types) = (self.values(held, &carried), self.types(&passed));
        let op = self.grow(op, &initial, &types);
        let block = |cells: &Self, region| {
            let block = cells.body.entry_block(op, region);
            block.expect("a loop has two blocks")
        };
        let (first, second) = (block(self, 0), block(self, 1));
        let mut inside = held.clone();
        self.arguments(first, &carried, &mut inside);
        self.walk(first, &mut inside);
        let values = self.values(&inside, &passed);
        end_with_more(self.body, first, &values);
        self.arguments(second, &passed, &mut inside);
        self.walk(second, &mut inside);
        let values = self.values(&inside, &carried);
        end_with_more(self.body, second, &values);
        self.hold_results(op, &passed, held);
    }
}
