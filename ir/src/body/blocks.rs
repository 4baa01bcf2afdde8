//! Blocks and regions, and walks through them.

use super::Body;
use crate::context::Context;
use crate::definition::Traits;
use crate::ids::{BlockId, OperationId, RegionId, ValueId};

impl Body {
    /// Returns the blocks of `region`, entry first.
    pub fn blocks(&self, region: RegionId) -> &[BlockId] {
        &self.regions[region.index()].blocks
    }

    /// Returns the operation of this body that contains `region`; `None` for the regions of the isolated owner.
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

    /// Returns the region that contains `block`.
    pub fn parent_region(&self, block: BlockId) -> Option<RegionId> {
        self.blocks[block.index()].region
    }

    /// Returns the operation of this body whose region contains `block`.
    pub fn block_parent_operation(&self, block: BlockId) -> Option<OperationId> {
        self.region_parent(self.parent_region(block)?)
    }

    /// Returns the arguments of `block`.
    pub fn arguments(&self, block: BlockId) -> &[ValueId] {
        &self.blocks[block.index()].arguments
    }

    /// Returns the first operation of `block`.
    pub fn first_operation(&self, block: BlockId) -> Option<OperationId> {
        self.blocks[block.index()].first
    }

    /// Returns the last operation of `block`.
    pub fn last_operation(&self, block: BlockId) -> Option<OperationId> {
        self.blocks[block.index()].last
    }

    /// Returns the last operation of `block` if it is declared as a terminator.
    pub fn terminator(&self, context: &Context, block: BlockId) -> Option<OperationId> {
        let last = self.last_operation(block)?;
        self.definition(context, last)
            .is_some_and(|d| d.has(Traits::TERMINATOR))
            .then_some(last)
    }

    /// Returns the operations of `block` in order.
    pub fn operations(&self, block: BlockId) -> impl Iterator<Item = OperationId> + Clone + '_ {
        std::iter::successors(self.blocks[block.index()].first, |op| {
            self.operations[op.index()].next
        })
    }

    /// Returns the only block of region `index` of `op`, in [`Body::inner`] of `op`.
    pub fn entry_block(&self, op: OperationId, index: usize) -> Option<BlockId> {
        let region = *self.regions(op).get(index)?;
        self.inner(op).blocks(region).first().copied()
    }

    /// Returns every operation nested in `op` within this body (not in bodies of isolated operations below), outer before inner.
    pub fn walk(&self, op: OperationId) -> Vec<OperationId> {
        let mut found = vec![op];
        if !self.is_isolated(op) {
            self.walk_regions(self.regions(op), &mut found);
        }
        found
    }

    /// Returns every operation in this body, outer before inner, in text order.
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

    /// Returns true if one of the regions of `ancestor` contains `op`, or if they are the same operation.
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
}
