//! Queries and changes of the parts of operations.

use super::Body;
use crate::context::Context;
use crate::definition::OperationDefinition;
use crate::ids::{
    Attribute, BlockId, Location, Name, OperationId, OperationName, RegionId, UseId, ValueId,
};

impl Body {
    /// Returns the name of `op`.
    #[inline]
    pub fn name(&self, op: OperationId) -> OperationName {
        self.operations[op.index()].name
    }

    /// Returns the definition of `op`, if its dialect is registered.
    #[inline]
    pub fn definition(
        &self,
        context: &Context,
        op: OperationId,
    ) -> Option<&'static OperationDefinition> {
        context.operation_name_data(self.name(op)).definition
    }

    /// Returns true if `op` is declared by `definition`.
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

    /// Returns the location of `op`.
    pub fn location(&self, op: OperationId) -> Location {
        self.operations[op.index()].location
    }

    /// Sets the location of `op`.
    pub fn set_location(&mut self, op: OperationId, location: Location) {
        self.operations[op.index()].location = location;
    }

    /// Returns the operands of `op`.
    pub fn operands(
        &self,
        op: OperationId,
    ) -> impl ExactSizeIterator<Item = ValueId> + DoubleEndedIterator + Clone + '_ {
        let (start, len) = self.operations[op.index()].operands;
        self.uses[start as usize..start as usize + len as usize]
            .iter()
            .map(|u| u.value)
    }

    /// Returns the number of operands of `op`.
    #[inline]
    pub fn n_operands(&self, op: OperationId) -> usize {
        self.operations[op.index()].operands.1 as usize
    }

    /// Returns operand `index` of `op`.
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

    /// Returns the results of `op`.
    #[inline]
    pub fn results(&self, op: OperationId) -> &[ValueId] {
        self.operations[op.index()].results()
    }

    /// Returns result `index` of `op`.
    #[inline]
    pub fn result(&self, op: OperationId, index: usize) -> ValueId {
        self.operations[op.index()].results()[index]
    }

    /// Returns all attributes of `op`, inherent and discardable, in the order in which they were set.
    pub fn attributes(&self, op: OperationId) -> &[(Name, Attribute)] {
        self.operations[op.index()].attributes.as_slice()
    }

    /// Returns the attribute `name` of `op`.
    pub fn attribute(&self, op: OperationId, name: Name) -> Option<Attribute> {
        self.attributes(op)
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, a)| *a)
    }

    /// Returns the attribute of `op` whose name has this text.
    pub fn attribute_named(
        &self,
        context: &Context,
        op: OperationId,
        name: &str,
    ) -> Option<Attribute> {
        // There are few attributes: comparing their names is faster than looking up the name.
        let attributes = self.attributes(op).iter();
        let mut named = attributes.filter(|(own, _)| context.text(*own) == name);
        named.next().map(|(_, attribute)| *attribute)
    }

    /// Returns declared attribute number `index` of `op`.
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
        self.operations[op.index()].attributes.set(name, attribute);
    }

    /// Removes the attribute `name` of `op`.
    pub fn remove_attribute(&mut self, op: OperationId, name: Name) -> Option<Attribute> {
        self.operations[op.index()].attributes.remove(name)
    }

    /// Returns the properties `<{...}>` of an operation without a definition, as a dictionary.
    pub fn unregistered_properties(&self, op: OperationId) -> Option<Attribute> {
        self.operations[op.index()].rare().properties
    }

    /// Sets the properties `<{...}>` of an operation without a definition.
    pub fn set_unregistered_properties(&mut self, op: OperationId, properties: Option<Attribute>) {
        self.operations[op.index()].rare_mut().properties = properties;
    }

    /// Returns the successor blocks of `op`.
    pub fn successors(&self, op: OperationId) -> &[BlockId] {
        &self.operations[op.index()].rare().successors
    }

    /// Replaces successor `index` of `op`.
    pub fn set_successor(&mut self, op: OperationId, index: usize, block: BlockId) {
        self.operations[op.index()].rare_mut().successors[index] = block;
    }

    /// Returns the regions of `op`; the ids belong to [`Body::inner`] of `op`.
    pub fn regions(&self, op: OperationId) -> &[RegionId] {
        &self.operations[op.index()].rare().regions
    }

    /// Returns the body that contains the regions of `op`: a separate one if `op` is isolated from above, otherwise this one.
    pub fn inner(&self, op: OperationId) -> &Body {
        self.operations[op.index()]
            .rare()
            .body
            .as_deref()
            .unwrap_or(self)
    }

    /// Returns the body as [`Body::inner`] does, mutable.
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

    /// Returns true if the regions of `op` are in a separate body.
    pub fn is_isolated(&self, op: OperationId) -> bool {
        self.operations[op.index()].rare().body.is_some()
    }

    /// Returns every live isolated operation directly in this body together with its body: the units of parallel work.
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

    /// Removes the body of an isolated operation and leaves an empty one, to be put back with [`Body::put_body`].
    pub fn take_body(&mut self, op: OperationId) -> Option<Box<Body>> {
        let rare = self.operations[op.index()].rare.as_mut()?;
        rare.body.as_mut().map(std::mem::take)
    }

    /// Puts back a body that [`Body::take_body`] removed.
    pub fn put_body(&mut self, op: OperationId, body: Box<Body>) {
        self.operations[op.index()].rare_mut().body = Some(body);
    }

    /// Returns the block that contains `op`.
    pub fn parent_block(&self, op: OperationId) -> Option<BlockId> {
        self.operations[op.index()].block
    }

    /// Returns the operation of this body whose region contains `op`; `None` at the top of the body.
    pub fn parent_operation(&self, op: OperationId) -> Option<OperationId> {
        self.block_parent_operation(self.parent_block(op)?)
    }

    /// Returns the operation after `op` in its block.
    pub fn next(&self, op: OperationId) -> Option<OperationId> {
        self.operations[op.index()].next
    }

    /// Returns the operation before `op` in its block.
    pub fn previous(&self, op: OperationId) -> Option<OperationId> {
        self.operations[op.index()].previous
    }

    /// Returns true if `op` was erased.
    pub fn is_erased(&self, op: OperationId) -> bool {
        self.operations[op.index()].erased
    }

    /// Returns one more than the largest operation index, for dense side tables.
    pub fn operation_capacity(&self) -> usize {
        self.operations.len()
    }

    /// Returns one more than the largest value index, for dense side tables.
    pub fn value_capacity(&self) -> usize {
        self.values.len()
    }

    /// Returns one more than the largest block index, for dense side tables.
    pub fn block_capacity(&self) -> usize {
        self.blocks.len()
    }

    /// Returns one more than the largest region index, for dense side tables.
    pub fn region_capacity(&self) -> usize {
        self.regions.len()
    }

    /// Returns the regions at the top of this body: the regions of the isolated operation that owns it.
    pub fn top_regions(&self) -> impl Iterator<Item = RegionId> + '_ {
        let regions = self
            .regions
            .iter()
            .enumerate()
            .filter(|(_, data)| data.parent.is_none());
        regions.map(|(i, _)| RegionId::from_index(i))
    }
}
