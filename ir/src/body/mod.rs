//! Body arenas: the operations, blocks, regions and values under one isolated operation.
//!
//! There is deliberately no `Rc`, `RefCell` or pointer. A body is a tree of dense vectors, so bodies of different functions are
//! processed in parallel with plain `&mut`.

mod attributes;
mod blocks;
mod copying;
mod definitions;
mod operations;
mod placing;
mod values;

pub use self::copying::ValueMap;
pub use self::definitions::ValueDefinition;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use self::attributes::Attributes;
use self::definitions::PackedDefinition;
use crate::context::Context;
use crate::definition::Traits;
use crate::ids::{
    Attribute, BlockId, Location, Name, OperationId, OperationName, RegionId, Type, UseId, ValueId,
};

/// One value.
#[derive(Clone, Debug)]
struct ValueData {
    ty: Type,
    definition: PackedDefinition,
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

/// One operation.
#[derive(Clone, Debug)]
struct OperationData {
    name: OperationName,
    location: Location,
    operands: (u32, u32),
    /// The result, if there is exactly one.
    result: Option<ValueId>,
    attributes: Attributes,
    /// Parts that few operations have.
    rare: Option<Box<Rare>>,
    block: Option<BlockId>,
    next: Option<OperationId>,
    previous: Option<OperationId>,
    erased: bool,
}

/// Parts that most operations lack.
#[derive(Clone, Default, Debug)]
struct Rare {
    /// The properties `<{...}>` of an operation without a definition.
    properties: Option<Attribute>,
    /// The results, if there are several.
    results: Vec<ValueId>,
    successors: Vec<BlockId>,
    regions: Vec<RegionId>,
    /// The separate body for the regions of an isolated operation.
    body: Option<Box<Body>>,
}

static NOTHING_RARE: Rare = Rare {
    properties: None,
    results: Vec::new(),
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

    #[inline]
    fn results(&self) -> &[ValueId] {
        match &self.result {
            Some(only) => std::slice::from_ref(only),
            None => &self.rare().results,
        }
    }

    fn push_result(&mut self, value: ValueId) {
        if self.results().is_empty() {
            self.result = Some(value);
            return;
        }
        let first = self.result.take();
        let several = &mut self.rare_mut().results;
        several.extend(first);
        several.push(value);
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
    /// The operation that contains this region in this body; `None` for the regions of the isolated owner of the body.
    parent: Option<OperationId>,
    blocks: Vec<BlockId>,
}

/// The description of an operation to create.
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

/// The description of an operation to create without regions and attributes.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub(crate) name: OperationName,
    pub(crate) location: Location,
    pub(crate) operands: &'a [ValueId],
    pub(crate) result_types: &'a [Type],
    pub(crate) successors: &'a [BlockId],
}

impl NewOperation {
    /// Creates an operation without operands, results, attributes, successors and regions.
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
/// Invariants: a use is in the use list of exactly the value it names; an operation is in at most one block; ids of erased
/// operations are never reused.
#[derive(Clone, Debug, Default)]
pub struct Body {
    operations: Vec<OperationData>,
    blocks: Vec<BlockData>,
    regions: Vec<RegionData>,
    values: Vec<ValueData>,
    uses: Vec<UseData>,
    /// Locations of arguments; results have the locations of their operations.
    argument_locations: FxHashMap<ValueId, Location>,
}

impl Body {
    /// Creates an empty body.
    pub fn new() -> Self {
        Self::default()
    }

    /// Frees memory that was reserved beyond the current size.
    pub(crate) fn shrink(&mut self) {
        self.operations.shrink_to_fit();
        self.values.shrink_to_fit();
        self.uses.shrink_to_fit();
    }

    /// Creates a detached operation.
    ///
    /// The regions of an operation that is isolated from above are created in a new separate body: see [`Body::inner`].
    pub fn create(&mut self, context: &Context, new: NewOperation) -> OperationId {
        let parts = Parts {
            name: new.name,
            location: new.location,
            operands: &new.operands,
            result_types: &new.result_types,
            successors: &new.successors,
        };
        let id = self.create_of(context, parts, new.attributes);
        for _ in 0..new.n_regions {
            self.add_region(id);
        }
        id
    }

    /// Creates an operation as [`Body::create`] does, without regions.
    pub(crate) fn create_of(
        &mut self,
        context: &Context,
        parts: Parts<'_>,
        attributes: Vec<(Name, Attribute)>,
    ) -> OperationId {
        let id = OperationId::from_index(self.operations.len());
        let definition = context.operation_name_data(parts.name).definition;
        let isolated = definition.is_some_and(|d| d.has(Traits::ISOLATED_FROM_ABOVE));
        let start = u32::try_from(self.uses.len()).expect("fewer than 2^32 uses");
        let len = u32::try_from(parts.operands.len()).expect("fewer than 2^32 operands");
        self.operations.push(OperationData {
            name: parts.name,
            location: parts.location,
            operands: (start, len),
            result: None,
            attributes: attributes.into(),
            rare: (isolated || !parts.successors.is_empty()).then(|| {
                Box::new(Rare {
                    successors: parts.successors.to_vec(),
                    body: isolated.then(|| Box::new(Body::new())),
                    ..Rare::default()
                })
            }),
            block: None,
            next: None,
            previous: None,
            erased: false,
        });
        for operand in parts.operands {
            self.push_use(id, *operand);
        }
        match parts.result_types {
            [] => {}
            [only] => {
                let definition = ValueDefinition::Result {
                    operation: id,
                    index: 0,
                };
                let value = self.new_value(*only, definition);
                self.operations[id.index()].result = Some(value);
            }
            several => {
                for ty in several {
                    self.add_result(id, *ty);
                }
            }
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

    /// Adds a region at the top of this body: a region of the isolated operation that will own it.
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
        let index = u32::try_from(self.operations[op.index()].results().len())
            .expect("fewer than 2^32 results");
        let definition = ValueDefinition::Result {
            operation: op,
            index,
        };
        let value = self.new_value(ty, definition);
        self.operations[op.index()].push_result(value);
        value
    }

    fn new_value(&mut self, ty: Type, definition: ValueDefinition) -> ValueId {
        self.values.push(ValueData {
            ty,
            definition: definition.into(),
            first_use: None,
            name: None,
        });
        ValueId::from_index(self.values.len() - 1)
    }

    /// Creates a block that is not yet in a region.
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

    /// Appends a detached block to `region`.
    pub fn attach_block(&mut self, region: RegionId, block: BlockId) {
        debug_assert!(
            self.blocks[block.index()].region.is_none(),
            "the block is detached"
        );
        self.blocks[block.index()].region = Some(region);
        self.regions[region.index()].blocks.push(block);
    }

    /// Removes `block` from its region.
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
            self.values[value.index()].definition =
                ValueDefinition::Argument { block, index }.into();
        }
    }
}

/// Modules have millions of these: a larger size must be a deliberate decision.
const _: () = assert!(size_of::<OperationData>() == 64);
const _: () = assert!(size_of::<ValueData>() == 20);
const _: () = assert!(size_of::<UseData>() == 16);
