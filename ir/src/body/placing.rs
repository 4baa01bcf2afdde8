//! Placement of operations in blocks: insertion, moves and erasure.

use super::Body;
use super::attributes::Attributes;
use crate::ids::{BlockId, OperationId, RegionId, UseId};

impl Body {
    /// Appends a detached `op` to `block`.
    pub fn append(&mut self, block: BlockId, op: OperationId) {
        self.insert_between(block, self.blocks[block.index()].last, None, op);
    }

    /// Inserts a detached `op` at the start of `block`.
    pub fn prepend(&mut self, block: BlockId, op: OperationId) {
        self.insert_between(block, None, self.blocks[block.index()].first, op);
    }

    /// Inserts a detached `op` before `anchor`.
    pub fn insert_before(&mut self, anchor: OperationId, op: OperationId) {
        let block = self.parent_block(anchor).expect("the anchor is in a block");
        self.insert_between(block, self.previous(anchor), Some(anchor), op);
    }

    /// Inserts a detached `op` after `anchor`.
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

    /// Removes `op` from its block; its operands and results stay.
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
        let results = data.rare.take().map(|rare| rare.results);
        if let Some(results) = results.filter(|results| !results.is_empty()) {
            data.rare_mut().results = results;
        }
        data.attributes = Attributes::default();
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
        self.erase_blocks(blocks);
    }

    fn erase_blocks(&mut self, blocks: Vec<BlockId>) {
        // Operands are removed first, so that operations may use each other in any order.
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

    /// Erases `block` and all operations in it; its values must have no uses outside.
    pub fn erase_block(&mut self, block: BlockId) {
        self.detach_block(block);
        self.erase_blocks(vec![block]);
    }
}
