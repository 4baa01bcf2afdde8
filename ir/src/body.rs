//! Body arenas: the operations, blocks, regions and values under one isolated operation.
//!
//! Absent on purpose: `Rc`, `RefCell` and pointers. A body is a tree of dense vectors, so bodies of different functions
//! are processed in parallel with plain `&mut`.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::context::Context;
use crate::definition::{OperationDefinition, Traits};
use crate::ids::{
    Attribute, BlockId, Location, Name, OperationId, OperationName, RegionId, Type, UseId, ValueId,
};

/// Who makes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDefinition {
    /// Result `index` of an operation.
    Result {
        /// The operation.
        operation: OperationId,
        /// Position among its results.
        index: u32,
    },
    /// Argument `index` of a block.
    Argument {
        /// The block.
        block: BlockId,
        /// Position among its arguments.
        index: u32,
    },
}

#[derive(Clone, Debug)]
struct ValueData {
    ty: Type,
    definition: ValueDefinition,
    first_use: Option<UseId>,
    name: Option<Name>,
}

#[derive(Clone, Debug)]
struct UseData {
    value: ValueId,
    owner: OperationId,
    next: Option<UseId>,
    previous: Option<UseId>,
}

#[derive(Clone, Debug)]
struct OperationData {
    name: OperationName,
    location: Location,
    operands: (u32, u32),
    results: SmallVec<[ValueId; 1]>,
    attributes: Vec<(Name, Attribute)>,
    /// What few operations have.
    rare: Option<Box<Rare>>,
    block: Option<BlockId>,
    next: Option<OperationId>,
    previous: Option<OperationId>,
    erased: bool,
}

/// Parts that most operations do without.
#[derive(Clone, Default, Debug)]
struct Rare {
    /// `<{...}>` of an operation without a definition.
    properties: Option<Attribute>,
    successors: Vec<BlockId>,
    regions: Vec<RegionId>,
    /// The regions of an isolated operation live in a body of their own.
    body: Option<Box<Body>>,
}

static NOTHING_RARE: Rare = Rare {
    properties: None,
    successors: Vec::new(),
    regions: Vec::new(),
    body: None,
};

impl OperationData {
    fn rare(&self) -> &Rare {
        self.rare.as_deref().unwrap_or(&NOTHING_RARE)
    }

    fn rare_mut(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }
}

#[derive(Clone, Debug)]
struct BlockData {
    region: Option<RegionId>,
    arguments: Vec<ValueId>,
    first: Option<OperationId>,
    last: Option<OperationId>,
}

#[derive(Clone, Debug)]
struct RegionData {
    /// The operation that holds this region in this body; `None` for the regions of the isolated owner of the body.
    parent: Option<OperationId>,
    blocks: Vec<BlockId>,
}

/// What is needed to create an operation.
#[derive(Clone, Debug)]
pub struct NewOperation {
    /// Operation name.
    pub name: OperationName,
    /// Source location.
    pub location: Location,
    /// Operands.
    pub operands: SmallVec<[ValueId; 4]>,
    /// Result types.
    pub result_types: SmallVec<[Type; 2]>,
    /// Inherent and discardable attributes in one list.
    pub attributes: Vec<(Name, Attribute)>,
    /// Successor blocks.
    pub successors: SmallVec<[BlockId; 2]>,
    /// Number of (empty) regions to create.
    pub n_regions: usize,
}

impl NewOperation {
    /// An operation without operands, results, attributes, successors and regions.
    pub fn new(name: OperationName, location: Location) -> Self {
        Self {
            name,
            location,
            operands: SmallVec::new(),
            result_types: SmallVec::new(),
            attributes: Vec::new(),
            successors: SmallVec::new(),
            n_regions: 0,
        }
    }
}

/// An arena with the operations, blocks, regions and values of one isolated operation.
///
/// Invariants: a use is in the use list of exactly the value it names; an operation is in at most one block; ids of
/// erased operations are never handed out again.
#[derive(Clone, Debug, Default)]
pub struct Body {
    operations: Vec<OperationData>,
    blocks: Vec<BlockData>,
    regions: Vec<RegionData>,
    values: Vec<ValueData>,
    uses: Vec<UseData>,
    /// Where arguments come from; results come from where their operations do.
    argument_locations: FxHashMap<ValueId, Location>,
}

impl Body {
    /// An empty body.
    pub fn new() -> Self {
        Self::default()
    }

    // Creation.

    /// Creates a detached operation.
    ///
    /// The regions of an operation that is isolated from above are made in a new body of its own: see [`Body::inner`].
    pub fn create(&mut self, context: &Context, new: NewOperation) -> OperationId {
        let id = OperationId::from_index(self.operations.len());
        let definition = context.operation_name_data(new.name).definition;
        let isolated = definition.is_some_and(|d| d.has(Traits::ISOLATED_FROM_ABOVE));
        let start = u32::try_from(self.uses.len()).expect("fewer than 2^32 uses");
        let len = u32::try_from(new.operands.len()).expect("fewer than 2^32 operands");
        self.operations.push(OperationData {
            name: new.name,
            location: new.location,
            operands: (start, len),
            results: SmallVec::new(),
            attributes: new.attributes,
            rare: (isolated || !new.successors.is_empty()).then(|| {
                Box::new(Rare {
                    successors: new.successors.to_vec(),
                    body: isolated.then(|| Box::new(Body::new())),
                    ..Rare::default()
                })
            }),
            block: None,
            next: None,
            previous: None,
            erased: false,
        });
        for operand in new.operands {
            self.push_use(id, operand);
        }
        for ty in new.result_types {
            self.add_result(id, ty);
        }
        for _ in 0..new.n_regions {
            self.add_region(id);
        }
        id
    }

    /// Adds an empty region to `op`; the id belongs to [`Body::inner`] of `op`.
    pub fn add_region(&mut self, op: OperationId) -> RegionId {
        let data = &mut self.operations[op.index()];
        let region = match &mut data.rare_mut().body {
            Some(body) => body.new_region(None),
            None => self.new_region(Some(op)),
        };
        self.operations[op.index()].rare_mut().regions.push(region);
        region
    }

    /// Makes the last region of `op` its first one.
    pub fn move_last_region_first(&mut self, op: OperationId) {
        self.operations[op.index()]
            .rare_mut()
            .regions
            .rotate_right(1);
    }

    /// Adds a region at the top of this body: one of the isolated operation that will own it.
    pub fn add_top_region(&mut self) -> RegionId {
        self.new_region(None)
    }

    fn new_region(&mut self, parent: Option<OperationId>) -> RegionId {
        self.regions.push(RegionData {
            parent,
            blocks: Vec::new(),
        });
        RegionId::from_index(self.regions.len() - 1)
    }

    /// Adds a result to `op`.
    pub fn add_result(&mut self, op: OperationId, ty: Type) -> ValueId {
        let index = u32::try_from(self.operations[op.index()].results.len())
            .expect("fewer than 2^32 results");
        let definition = ValueDefinition::Result {
            operation: op,
            index,
        };
        let value = self.new_value(ty, definition);
        self.operations[op.index()].results.push(value);
        value
    }

    fn new_value(&mut self, ty: Type, definition: ValueDefinition) -> ValueId {
        self.values.push(ValueData {
            ty,
            definition,
            first_use: None,
            name: None,
        });
        ValueId::from_index(self.values.len() - 1)
    }

    /// Creates a block that is in no region yet.
    pub fn create_block(&mut self) -> BlockId {
        self.blocks.push(BlockData {
            region: None,
            arguments: Vec::new(),
            first: None,
            last: None,
        });
        BlockId::from_index(self.blocks.len() - 1)
    }

    /// Appends a new block to `region`.
    pub fn append_block(&mut self, region: RegionId) -> BlockId {
        let block = self.create_block();
        self.attach_block(region, block);
        block
    }

    /// Puts a detached block at the end of `region`.
    pub fn attach_block(&mut self, region: RegionId, block: BlockId) {
        debug_assert!(
            self.blocks[block.index()].region.is_none(),
            "the block is detached"
        );
        self.blocks[block.index()].region = Some(region);
        self.regions[region.index()].blocks.push(block);
    }

    /// Takes `block` out of its region.
    pub fn detach_block(&mut self, block: BlockId) {
        if let Some(region) = self.blocks[block.index()].region.take() {
            self.regions[region.index()].blocks.retain(|b| *b != block);
        }
    }

    /// Adds an argument to `block`.
    pub fn add_argument(&mut self, block: BlockId, ty: Type, location: Location) -> ValueId {
        let index = u32::try_from(self.blocks[block.index()].arguments.len())
            .expect("fewer than 2^32 arguments");
        let value = self.new_value(ty, ValueDefinition::Argument { block, index });
        if location != Location::UNKNOWN {
            self.argument_locations.insert(value, location);
        }
        self.blocks[block.index()].arguments.push(value);
        value
    }

    /// Removes argument `index` of `block`, which must have no uses.
    pub fn remove_argument(&mut self, block: BlockId, index: usize) {
        let removed = self.blocks[block.index()].arguments.remove(index);
        debug_assert!(
            self.values[removed.index()].first_use.is_none(),
            "a removed argument has no uses"
        );
        for position in index..self.blocks[block.index()].arguments.len() {
            let value = self.blocks[block.index()].arguments[position];
            let index = u32::try_from(position).expect("fewer than 2^32 arguments");
            self.values[value.index()].definition = ValueDefinition::Argument { block, index };
        }
    }

    // Operations.

    /// The name of `op`.
    #[inline]
    pub fn name(&self, op: OperationId) -> OperationName {
        self.operations[op.index()].name
    }

    /// The definition of `op`, if its dialect is registered.
    #[inline]
    pub fn definition(
        &self,
        context: &Context,
        op: OperationId,
    ) -> Option<&'static OperationDefinition> {
        context.operation_name_data(self.name(op)).definition
    }

    /// Whether `op` is declared by `definition`.
    #[inline]
    pub fn is(
        &self,
        context: &Context,
        op: OperationId,
        definition: &'static OperationDefinition,
    ) -> bool {
        self.definition(context, op)
            .is_some_and(|d| std::ptr::eq(d, definition))
    }

    /// Where `op` comes from.
    pub fn location(&self, op: OperationId) -> Location {
        self.operations[op.index()].location
    }

    /// Sets where `op` comes from.
    pub fn set_location(&mut self, op: OperationId, location: Location) {
        self.operations[op.index()].location = location;
    }

    /// The operands of `op`.
    pub fn operands(
        &self,
        op: OperationId,
    ) -> impl ExactSizeIterator<Item = ValueId> + DoubleEndedIterator + Clone + '_ {
        let (start, len) = self.operations[op.index()].operands;
        self.uses[start as usize..start as usize + len as usize]
            .iter()
            .map(|u| u.value)
    }

    /// The number of operands of `op`.
    #[inline]
    pub fn n_operands(&self, op: OperationId) -> usize {
        self.operations[op.index()].operands.1 as usize
    }

    /// Operand `index` of `op`.
    #[inline]
    pub fn operand(&self, op: OperationId, index: usize) -> ValueId {
        let (start, len) = self.operations[op.index()].operands;
        assert!(index < len as usize, "operand {index} of {len}");
        self.uses[start as usize + index].value
    }

    /// Replaces operand `index` of `op`.
    pub fn set_operand(&mut self, op: OperationId, index: usize, value: ValueId) {
        let (start, len) = self.operations[op.index()].operands;
        assert!(index < len as usize, "operand {index} of {len}");
        let id = UseId::from_index(start as usize + index);
        self.unlink_use(id);
        self.uses[id.index()].value = value;
        self.link_use(id);
    }

    /// Replaces all operands of `op`; their number may change.
    pub fn set_operands(&mut self, op: OperationId, operands: &[ValueId]) {
        let (start, len) = self.operations[op.index()].operands;
        if len as usize == operands.len() {
            for (index, value) in operands.iter().enumerate() {
                self.set_operand(op, index, *value);
            }
            return;
        }
        for position in start..start + len {
            self.unlink_use(UseId::from_index(position as usize));
        }
        let start = u32::try_from(self.uses.len()).expect("fewer than 2^32 uses");
        let len = u32::try_from(operands.len()).expect("fewer than 2^32 operands");
        for operand in operands {
            self.push_use(op, *operand);
        }
        self.operations[op.index()].operands = (start, len);
    }

    /// The results of `op`.
    #[inline]
    pub fn results(&self, op: OperationId) -> &[ValueId] {
        &self.operations[op.index()].results
    }

    /// Result `index` of `op`.
    #[inline]
    pub fn result(&self, op: OperationId, index: usize) -> ValueId {
        self.operations[op.index()].results[index]
    }

    /// All attributes of `op`, inherent and discardable, in the order in which they were set.
    pub fn attributes(&self, op: OperationId) -> &[(Name, Attribute)] {
        &self.operations[op.index()].attributes
    }

    /// The attribute `name` of `op`.
    pub fn attribute(&self, op: OperationId, name: Name) -> Option<Attribute> {
        self.operations[op.index()]
            .attributes
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, a)| *a)
    }

    /// The attribute of `op` whose name has this text.
    pub fn attribute_named(
        &self,
        context: &Context,
        op: OperationId,
        name: &str,
    ) -> Option<Attribute> {
        // There are few: comparing their names takes less than looking for the one.
        let attributes = self.attributes(op).iter();
        let mut named = attributes.filter(|(own, _)| context.text(*own) == name);
        named.next().map(|(_, attribute)| *attribute)
    }

    /// Declared attribute number `index` of `op`.
    pub fn inherent_attribute(
        &self,
        context: &Context,
        op: OperationId,
        index: usize,
    ) -> Option<Attribute> {
        self.attribute(
            op,
            context.operation_name_data(self.name(op)).attribute_names[index],
        )
    }

    /// Sets the attribute `name` of `op`.
    pub fn set_attribute(&mut self, op: OperationId, name: Name, attribute: Attribute) {
        let attributes = &mut self.operations[op.index()].attributes;
        match attributes.iter_mut().find(|(n, _)| *n == name) {
            Some(entry) => entry.1 = attribute,
            None => attributes.push((name, attribute)),
        }
    }

    /// Removes the attribute `name` of `op`.
    pub fn remove_attribute(&mut self, op: OperationId, name: Name) -> Option<Attribute> {
        let attributes = &mut self.operations[op.index()].attributes;
        let position = attributes.iter().position(|(n, _)| *n == name)?;
        Some(attributes.remove(position).1)
    }

    /// `<{...}>` of an operation without a definition, as a dictionary.
    pub fn unregistered_properties(&self, op: OperationId) -> Option<Attribute> {
        self.operations[op.index()].rare().properties
    }

    /// Sets `<{...}>` of an operation without a definition.
    pub fn set_unregistered_properties(&mut self, op: OperationId, properties: Option<Attribute>) {
        self.operations[op.index()].rare_mut().properties = properties;
    }

    /// The successor blocks of `op`.
    pub fn successors(&self, op: OperationId) -> &[BlockId] {
        &self.operations[op.index()].rare().successors
    }

    /// Replaces successor `index` of `op`.
    pub fn set_successor(&mut self, op: OperationId, index: usize, block: BlockId) {
        self.operations[op.index()].rare_mut().successors[index] = block;
    }

    /// The regions of `op`; the ids belong to [`Body::inner`] of `op`.
    pub fn regions(&self, op: OperationId) -> &[RegionId] {
        &self.operations[op.index()].rare().regions
    }

    /// The body in which the regions of `op` live: its own if it is isolated from above, else this one.
    pub fn inner(&self, op: OperationId) -> &Body {
        self.operations[op.index()]
            .rare()
            .body
            .as_deref()
            .unwrap_or(self)
    }

    /// As [`Body::inner`], to be changed.
    pub fn inner_mut(&mut self, op: OperationId) -> &mut Body {
        if self.operations[op.index()].rare().body.is_some() {
            return self.operations[op.index()]
                .rare_mut()
                .body
                .as_deref_mut()
                .expect("checked above");
        }
        self
    }

    /// Whether the regions of `op` live in a body of their own.
    pub fn is_isolated(&self, op: OperationId) -> bool {
        self.operations[op.index()].rare().body.is_some()
    }

    /// Every live isolated operation directly in this body together with its body: the units of parallel work.
    pub fn isolated_bodies_mut(&mut self) -> Vec<(OperationId, &mut Body)> {
        let ops = self
            .operations
            .iter_mut()
            .enumerate()
            .filter(|(_, data)| !data.erased);
        ops.filter_map(|(i, data)| {
            let body = data.rare.as_mut()?.body.as_deref_mut();
            body.map(|body| (OperationId::from_index(i), body))
        })
        .collect()
    }

    /// Takes the body of an isolated operation out (an empty one stays), to be put back with [`Body::put_body`].
    pub fn take_body(&mut self, op: OperationId) -> Option<Box<Body>> {
        let rare = self.operations[op.index()].rare.as_mut()?;
        rare.body.as_mut().map(std::mem::take)
    }

    /// Puts a body back that [`Body::take_body`] took.
    pub fn put_body(&mut self, op: OperationId, body: Box<Body>) {
        self.operations[op.index()].rare_mut().body = Some(body);
    }

    /// The block that holds `op`.
    pub fn parent_block(&self, op: OperationId) -> Option<BlockId> {
        self.operations[op.index()].block
    }

    /// The operation of this body whose region holds `op`; `None` at the top of the body.
    pub fn parent_operation(&self, op: OperationId) -> Option<OperationId> {
        self.block_parent_operation(self.parent_block(op)?)
    }

    /// The operation after `op` in its block.
    pub fn next(&self, op: OperationId) -> Option<OperationId> {
        self.operations[op.index()].next
    }

    /// The operation before `op` in its block.
    pub fn previous(&self, op: OperationId) -> Option<OperationId> {
        self.operations[op.index()].previous
    }

    /// Whether `op` was erased.
    pub fn is_erased(&self, op: OperationId) -> bool {
        self.operations[op.index()].erased
    }

    /// One more than the largest operation index, for dense side tables.
    pub fn operation_capacity(&self) -> usize {
        self.operations.len()
    }

    /// One more than the largest value index, for dense side tables.
    pub fn value_capacity(&self) -> usize {
        self.values.len()
    }

    /// One more than the largest block index, for dense side tables.
    pub fn block_capacity(&self) -> usize {
        self.blocks.len()
    }

    /// One more than the largest region index, for dense side tables.
    pub fn region_capacity(&self) -> usize {
        self.regions.len()
    }

    /// The regions at the top of this body: those of the isolated operation that owns it.
    pub fn top_regions(&self) -> impl Iterator<Item = RegionId> + '_ {
        let regions = self
            .regions
            .iter()
            .enumerate()
            .filter(|(_, data)| data.parent.is_none());
        regions.map(|(i, _)| RegionId::from_index(i))
    }

    // Placing operations.

    /// Puts a detached `op` at the end of `block`.
    pub fn append(&mut self, block: BlockId, op: OperationId) {
        self.insert_between(block, self.blocks[block.index()].last, None, op);
    }

    /// Puts a detached `op` at the start of `block`.
    pub fn prepend(&mut self, block: BlockId, op: OperationId) {
        self.insert_between(block, None, self.blocks[block.index()].first, op);
    }

    /// Puts a detached `op` before `anchor`.
    pub fn insert_before(&mut self, anchor: OperationId, op: OperationId) {
        let block = self.parent_block(anchor).expect("the anchor is in a block");
        self.insert_between(block, self.previous(anchor), Some(anchor), op);
    }

    /// Puts a detached `op` after `anchor`.
    pub fn insert_after(&mut self, anchor: OperationId, op: OperationId) {
        let block = self.parent_block(anchor).expect("the anchor is in a block");
        self.insert_between(block, Some(anchor), self.next(anchor), op);
    }

    fn insert_between(
        &mut self,
        block: BlockId,
        previous: Option<OperationId>,
        next: Option<OperationId>,
        op: OperationId,
    ) {
        let data = &mut self.operations[op.index()];
        debug_assert!(
            data.block.is_none() && !data.erased,
            "only detached operations are inserted"
        );
        data.block = Some(block);
        data.previous = previous;
        data.next = next;
        match previous {
            Some(previous) => self.operations[previous.index()].next = Some(op),
            None => self.blocks[block.index()].first = Some(op),
        }
        match next {
            Some(next) => self.operations[next.index()].previous = Some(op),
            None => self.blocks[block.index()].last = Some(op),
        }
    }

    /// Takes `op` out of its block; its uses and results stay.
    pub fn detach(&mut self, op: OperationId) {
        let data = &mut self.operations[op.index()];
        let Some(block) = data.block.take() else {
            return;
        };
        let (previous, next) = (data.previous.take(), data.next.take());
        match previous {
            Some(previous) => self.operations[previous.index()].next = next,
            None => self.blocks[block.index()].first = next,
        }
        match next {
            Some(next) => self.operations[next.index()].previous = previous,
            None => self.blocks[block.index()].last = previous,
        }
    }

    /// Moves `op` before `anchor`.
    pub fn move_before(&mut self, anchor: OperationId, op: OperationId) {
        self.detach(op);
        self.insert_before(anchor, op);
    }

    /// Moves `op` to the end of `block`.
    pub fn move_to_end(&mut self, block: BlockId, op: OperationId) {
        self.detach(op);
        self.append(block, op);
    }

    /// Erases `op`, whose results must have no uses, and everything in its regions.
    pub fn erase(&mut self, op: OperationId) {
        self.detach(op);
        self.erase_detached(op);
    }

    fn erase_detached(&mut self, op: OperationId) {
        if !self.is_isolated(op) {
            let rare = self.operations[op.index()].rare.as_mut();
            let regions = rare.map(|rare| std::mem::take(&mut rare.regions));
            for region in regions.unwrap_or_default() {
                self.erase_region_contents(region);
            }
        }
        let (start, len) = self.operations[op.index()].operands;
        for position in start..start + len {
            self.unlink_use(UseId::from_index(position as usize));
        }
        let data = &mut self.operations[op.index()];
        data.operands = (start, 0);
        data.rare = None;
        data.attributes = Vec::new();
        data.erased = true;
        debug_assert!(
            self.results(op)
                .iter()
                .all(|r| self.values[r.index()].first_use.is_none()),
            "an erased operation has no uses left"
        );
    }

    fn erase_region_contents(&mut self, region: RegionId) {
        let blocks = std::mem::take(&mut self.regions[region.index()].blocks);
        // Operands first, so that operations may use each other in any order.
        let mut all = Vec::new();
        for block in &blocks {
            let mut next = self.blocks[block.index()].first;
            while let Some(op) = next {
                next = self.operations[op.index()].next;
                all.push(op);
            }
        }
        for op in &all {
            self.drop_uses_within(*op);
        }
        for op in all {
            self.detach(op);
            self.erase_detached(op);
        }
        for block in blocks {
            self.blocks[block.index()].region = None;
        }
    }

    fn drop_uses_within(&mut self, op: OperationId) {
        let (start, len) = self.operations[op.index()].operands;
        for position in start..start + len {
            self.unlink_use(UseId::from_index(position as usize));
        }
        self.operations[op.index()].operands = (start, 0);
        if !self.is_isolated(op) {
            for region in self.operations[op.index()].rare().regions.clone() {
                for block in self.regions[region.index()].blocks.clone() {
                    let mut next = self.blocks[block.index()].first;
                    while let Some(inner) = next {
                        next = self.operations[inner.index()].next;
                        self.drop_uses_within(inner);
                    }
                }
            }
        }
    }

    /// Erases `block` and all operations in it; nothing outside may use what it defines.
    pub fn erase_block(&mut self, block: BlockId) {
        self.detach_block(block);
        let region = self.new_region(None);
        self.attach_block(region, block);
        self.erase_region_contents(region);
    }

    // Blocks and regions.

    /// The blocks of `region`, entry first.
    pub fn blocks(&self, region: RegionId) -> &[BlockId] {
        &self.regions[region.index()].blocks
    }

    /// The operation that holds `region` in this body; `None` for the regions of the isolated owner.
    pub fn region_parent(&self, region: RegionId) -> Option<OperationId> {
        self.regions[region.index()].parent
    }

    /// Moves all blocks of `from` to the end of `to`.
    pub fn move_blocks(&mut self, from: RegionId, to: RegionId) {
        let blocks = std::mem::take(&mut self.regions[from.index()].blocks);
        for block in &blocks {
            self.blocks[block.index()].region = Some(to);
        }
        self.regions[to.index()].blocks.extend(blocks);
    }

    /// Moves `block` right after `anchor` in the region of `anchor`.
    pub fn move_block_after(&mut self, anchor: BlockId, block: BlockId) {
        self.detach_block(block);
        let region = self
            .parent_region(anchor)
            .expect("the anchor is in a region");
        let blocks = &mut self.regions[region.index()].blocks;
        let position = blocks
            .iter()
            .position(|b| *b == anchor)
            .expect("the anchor is in its region");
        blocks.insert(position + 1, block);
        self.blocks[block.index()].region = Some(region);
    }

    /// The region that holds `block`.
    pub fn parent_region(&self, block: BlockId) -> Option<RegionId> {
        self.blocks[block.index()].region
    }

    /// The operation of this body whose region holds `block`.
    pub fn block_parent_operation(&self, block: BlockId) -> Option<OperationId> {
        self.region_parent(self.parent_region(block)?)
    }

    /// The arguments of `block`.
    pub fn arguments(&self, block: BlockId) -> &[ValueId] {
        &self.blocks[block.index()].arguments
    }

    /// The first operation of `block`.
    pub fn first_operation(&self, block: BlockId) -> Option<OperationId> {
        self.blocks[block.index()].first
    }

    /// The last operation of `block`.
    pub fn last_operation(&self, block: BlockId) -> Option<OperationId> {
        self.blocks[block.index()].last
    }

    /// The last operation of `block` if it is declared as a terminator.
    pub fn terminator(&self, context: &Context, block: BlockId) -> Option<OperationId> {
        let last = self.last_operation(block)?;
        self.definition(context, last)
            .is_some_and(|d| d.has(Traits::TERMINATOR))
            .then_some(last)
    }

    /// The operations of `block` in order.
    pub fn operations(&self, block: BlockId) -> impl Iterator<Item = OperationId> + Clone + '_ {
        std::iter::successors(self.blocks[block.index()].first, |op| {
            self.operations[op.index()].next
        })
    }

    /// The only block of region `index` of `op`, in [`Body::inner`] of `op`.
    pub fn entry_block(&self, op: OperationId, index: usize) -> Option<BlockId> {
        let region = *self.regions(op).get(index)?;
        self.inner(op).blocks(region).first().copied()
    }

    /// Every operation nested in `op` within this body (not in bodies of isolated operations below), outer before inner.
    pub fn walk(&self, op: OperationId) -> Vec<OperationId> {
        let mut found = vec![op];
        if !self.is_isolated(op) {
            self.walk_regions(self.regions(op), &mut found);
        }
        found
    }

    /// Every operation in this body, outer before inner, in text order.
    pub fn walk_all(&self) -> Vec<OperationId> {
        let mut found = Vec::new();
        let top: Vec<_> = self.top_regions().collect();
        self.walk_regions(&top, &mut found);
        found
    }

    fn walk_regions(&self, regions: &[RegionId], found: &mut Vec<OperationId>) {
        for region in regions {
            for block in self.blocks(*region) {
                for op in self.operations(*block) {
                    found.push(op);
                    if !self.is_isolated(op) {
                        self.walk_regions(self.regions(op), found);
                    }
                }
            }
        }
    }

    /// Whether `ancestor` holds `op` in one of its regions, or is `op`.
    pub fn is_ancestor(&self, ancestor: OperationId, op: OperationId) -> bool {
        let mut current = Some(op);
        while let Some(op) = current {
            if op == ancestor {
                return true;
            }
            current = self.parent_operation(op);
        }
        false
    }

    // Values.

    /// The type of `value`.
    #[inline]
    pub fn ty(&self, value: ValueId) -> Type {
        self.values[value.index()].ty
    }

    /// Changes the type of `value`; the caller answers for its uses.
    pub fn set_type(&mut self, value: ValueId, ty: Type) {
        self.values[value.index()].ty = ty;
    }

    /// Who makes `value`.
    #[inline]
    pub fn value_definition(&self, value: ValueId) -> ValueDefinition {
        self.values[value.index()].definition
    }

    /// The operation that makes `value`, if it is a result.
    pub fn defining_operation(&self, value: ValueId) -> Option<OperationId> {
        match self.value_definition(value) {
            ValueDefinition::Result { operation, .. } => Some(operation),
            ValueDefinition::Argument { .. } => None,
        }
    }

    /// The block in which `value` is defined.
    pub fn defining_block(&self, value: ValueId) -> Option<BlockId> {
        match self.value_definition(value) {
            ValueDefinition::Result { operation, .. } => self.parent_block(operation),
            ValueDefinition::Argument { block, .. } => Some(block),
        }
    }

    /// The name the source gave `value` (without `%`), kept for reports, waves and Verilog.
    pub fn value_name(&self, value: ValueId) -> Option<Name> {
        self.values[value.index()].name
    }

    /// Names `value`.
    pub fn set_value_name(&mut self, value: ValueId, name: Option<Name>) {
        self.values[value.index()].name = name;
    }

    /// Where `value` comes from.
    pub fn value_location(&self, value: ValueId) -> Location {
        match self.value_definition(value) {
            ValueDefinition::Result { operation, .. } => self.location(operation),
            ValueDefinition::Argument { .. } => {
                let known = self.argument_locations.get(&value);
                known.copied().unwrap_or(Location::UNKNOWN)
            }
        }
    }

    /// The uses of `value`: the operation and the operand index; the latest first.
    pub fn uses(&self, value: ValueId) -> impl Iterator<Item = (OperationId, usize)> + '_ {
        std::iter::successors(self.values[value.index()].first_use, |id| {
            self.uses[id.index()].next
        })
        .map(|id| {
            let owner = self.uses[id.index()].owner;
            (
                owner,
                id.index() - self.operations[owner.index()].operands.0 as usize,
            )
        })
    }

    /// Whether nothing uses `value`.
    pub fn is_unused(&self, value: ValueId) -> bool {
        self.values[value.index()].first_use.is_none()
    }

    /// Whether exactly one operand slot uses `value`.
    pub fn has_one_use(&self, value: ValueId) -> bool {
        let first = self.values[value.index()].first_use;
        first.is_some_and(|id| self.uses[id.index()].next.is_none())
    }

    /// Makes every use of `old` a use of `new`; `new` takes over the source name if it has none.
    pub fn replace_all_uses(&mut self, old: ValueId, new: ValueId) {
        if old == new {
            return;
        }
        while let Some(id) = self.values[old.index()].first_use {
            self.unlink_use(id);
            self.uses[id.index()].value = new;
            self.link_use(id);
        }
        if self.values[new.index()].name.is_none() {
            self.values[new.index()].name = self.values[old.index()].name;
        }
    }

    fn push_use(&mut self, owner: OperationId, value: ValueId) {
        self.uses.push(UseData {
            value,
            owner,
            next: None,
            previous: None,
        });
        self.link_use(UseId::from_index(self.uses.len() - 1));
    }

    fn link_use(&mut self, id: UseId) {
        let value = self.uses[id.index()].value;
        let head = self.values[value.index()].first_use.replace(id);
        self.uses[id.index()].next = head;
        self.uses[id.index()].previous = None;
        if let Some(head) = head {
            self.uses[head.index()].previous = Some(id);
        }
    }

    fn unlink_use(&mut self, id: UseId) {
        let UseData {
            value,
            next,
            previous,
            ..
        } = self.uses[id.index()];
        match previous {
            Some(previous) => self.uses[previous.index()].next = next,
            None => {
                if self.values[value.index()].first_use == Some(id) {
                    self.values[value.index()].first_use = next;
                }
            }
        }
        if let Some(next) = next {
            self.uses[next.index()].previous = previous;
        }
        self.uses[id.index()].next = None;
        self.uses[id.index()].previous = None;
    }
}
