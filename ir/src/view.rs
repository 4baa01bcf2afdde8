//! A read-only view of one operation, for typed accessors, verifiers, printers and analyses.

use smallvec::SmallVec;

use crate::body::Body;
use crate::context::Context;
use crate::definition::{Arity, OperationDefinition, Site, Traits};
use crate::ids::{Attribute, BlockId, Location, Name, OperationId, RegionId, Type, ValueId};

/// One operation in a body, read-only.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// Context of the body.
    pub context: &'a Context,
    /// Body that contains the operation (its regions may be in [`View::inner`]).
    pub body: &'a Body,
    /// The operation.
    pub id: OperationId,
}

impl<'a> View<'a> {
    /// Creates a view of `id`.
    pub fn new(context: &'a Context, body: &'a Body, id: OperationId) -> Self {
        Self { context, body, id }
    }

    /// Returns a view of another operation of the same body.
    pub fn at(self, id: OperationId) -> Self {
        Self { id, ..self }
    }

    /// Returns the definition, if the dialect is registered.
    pub fn definition(self) -> Option<&'static OperationDefinition> {
        self.body.definition(self.context, self.id)
    }

    /// Returns true if the operation is declared by `definition`.
    pub fn is(self, definition: &'static OperationDefinition) -> bool {
        self.body.is(self.context, self.id, definition)
    }

    /// Returns true if the operation is registered and has all of `traits`.
    pub fn has(self, traits: Traits) -> bool {
        self.definition().is_some_and(|d| d.has(traits))
    }

    /// Returns the implementation of the interface `I` for this operation.
    pub fn interface<I: ?Sized + Sync + 'static>(self) -> Option<&'static I> {
        self.context.interface(self.definition()?)
    }

    /// Returns the full name.
    pub fn name(self) -> &'a str {
        self.context.operation_text(self.body.name(self.id))
    }

    /// Returns the location.
    pub fn location(self) -> Location {
        self.body.location(self.id)
    }

    /// Returns the operands.
    pub fn operands(
        self,
    ) -> impl ExactSizeIterator<Item = ValueId> + DoubleEndedIterator + Clone + 'a {
        self.body.operands(self.id)
    }

    /// Returns operand `index`.
    pub fn operand(self, index: usize) -> ValueId {
        self.body.operand(self.id, index)
    }

    /// Returns the results.
    pub fn results(self) -> &'a [ValueId] {
        self.body.results(self.id)
    }

    /// Returns result `index`.
    pub fn result(self, index: usize) -> ValueId {
        self.body.result(self.id, index)
    }

    /// Returns the operand types.
    pub fn operand_types(self) -> impl ExactSizeIterator<Item = Type> + Clone + 'a {
        self.operands().map(move |v| self.body.ty(v))
    }

    /// Returns the result types.
    pub fn result_types(self) -> impl ExactSizeIterator<Item = Type> + Clone + 'a {
        self.results().iter().map(move |v| self.body.ty(*v))
    }

    /// Returns the type of a value of this body.
    pub fn ty(self, value: ValueId) -> Type {
        self.body.ty(value)
    }

    /// Returns the regions; ids belong to [`View::inner`].
    pub fn regions(self) -> &'a [RegionId] {
        self.body.regions(self.id)
    }

    /// Returns the body that contains the regions.
    pub fn inner(self) -> &'a Body {
        self.body.inner(self.id)
    }

    /// Returns the entry block of region `index`, in [`View::inner`].
    pub fn entry_block(self, index: usize) -> Option<BlockId> {
        self.body.entry_block(self.id, index)
    }

    /// Returns the successors.
    pub fn successors(self) -> &'a [BlockId] {
        self.body.successors(self.id)
    }

    /// Returns all attributes.
    pub fn attributes(self) -> &'a [(Name, Attribute)] {
        self.body.attributes(self.id)
    }

    /// Returns the attribute whose name has this text.
    pub fn attribute(self, name: &str) -> Option<Attribute> {
        self.body.attribute_named(self.context, self.id, name)
    }

    /// Returns declared attribute number `index`.
    pub fn inherent_attribute(self, index: usize) -> Option<Attribute> {
        self.body.inherent_attribute(self.context, self.id, index)
    }

    /// Returns the symbol name, if the operation has one.
    pub fn symbol_name(self) -> Option<&'a str> {
        self.attribute("sym_name")?.as_str(self.context)
    }

    /// Returns the first operand and the number of operands of declared group `group`.
    ///
    /// The sizes come from `operandSegmentSizes` if the operation has it; otherwise single groups take one and the variadic or
    /// optional ones share the rest evenly. `None` if the operands do not match the declaration.
    pub fn operand_segment(self, group: usize) -> Option<(usize, usize)> {
        let definition = self.definition()?;
        if definition
            .operands
            .iter()
            .all(|spec| spec.arity == Arity::Single)
        {
            let fits = self.body.n_operands(self.id) == definition.operands.len();
            return (fits && group < definition.operands.len()).then_some((group, 1));
        }
        let sizes = self.operand_group_sizes()?;
        Some((sizes[..group].iter().sum(), *sizes.get(group)?))
    }

    /// Returns the numbers of operands of all declared groups, as [`View::operand_segment`].
    pub fn operand_group_sizes(self) -> Option<SmallVec<[usize; 4]>> {
        let definition = self.definition()?;
        let sizes = if definition.has(Traits::ATTR_SIZED_OPERAND_SEGMENTS) {
            segment_attribute(self.attribute("operandSegmentSizes")?, self.context)?
        } else {
            let arities: SmallVec<[Arity; 4]> =
                definition.operands.iter().map(|spec| spec.arity).collect();
            segment_sizes(&arities, self.body.n_operands(self.id))?
        };
        (sizes.iter().sum::<usize>() == self.body.n_operands(self.id)).then_some(sizes)
    }

    /// Returns the first result and the number of results of declared group `group`; as [`View::operand_segment`].
    pub fn result_segment(self, group: usize) -> Option<(usize, usize)> {
        let definition = self.definition()?;
        if definition
            .results
            .iter()
            .all(|spec| spec.arity == Arity::Single)
        {
            let fits = self.results().len() == definition.results.len();
            return (fits && group < definition.results.len()).then_some((group, 1));
        }
        let sizes = if definition.has(Traits::ATTR_SIZED_RESULT_SEGMENTS) {
            segment_attribute(self.attribute("resultSegmentSizes")?, self.context)?
        } else {
            let arities: SmallVec<[Arity; 4]> =
                definition.results.iter().map(|spec| spec.arity).collect();
            segment_sizes(&arities, self.results().len())?
        };
        (sizes.iter().sum::<usize>() == self.results().len()).then_some(())?;
        Some((sizes[..group].iter().sum(), *sizes.get(group)?))
    }

    /// Returns the operands of declared group `group`; empty if the operands do not match the declaration.
    pub fn operand_group(self, group: usize) -> SmallVec<[ValueId; 4]> {
        let (start, len) = self.operand_segment(group).unwrap_or((0, 0));
        self.operands().skip(start).take(len).collect()
    }

    /// Returns the operands of declared group `group`, divided by the attribute called `sizes`; empty if they do not match it.
    ///
    /// Source: `VariadicOfVariadic` of the op definition specification.
    pub fn nested_operand_group(
        self,
        group: usize,
        sizes: &str,
    ) -> SmallVec<[SmallVec<[ValueId; 4]>; 2]> {
        let all = self.operand_group(group);
        let sizes = self.attribute(sizes);
        let sizes = sizes.and_then(|sizes| segment_attribute(sizes, self.context));
        let sizes = sizes.unwrap_or_default();
        if sizes.iter().sum::<usize>() != all.len() {
            return SmallVec::new();
        }
        let mut start = 0;
        let part = |size: &usize| {
            start += size;
            SmallVec::from_slice(&all[start - size..start])
        };
        sizes.iter().map(part).collect()
    }

    /// Returns the results of declared group `group`; empty if the results do not match the declaration.
    pub fn result_group(self, group: usize) -> &'a [ValueId] {
        let (start, len) = self.result_segment(group).unwrap_or((0, 0));
        &self.results()[start..start + len]
    }

    /// Returns the operands that a branch-like operation passes to successor `index`; `None` if the declaration does not define
    /// them.
    ///
    /// The variadic operand groups correspond to the successor groups, in order. The operands for a variadic successor group are
    /// divided by the attribute that upstream names after them: `case_operands`, `case_operand_segments`.
    pub fn successor_operands(self, index: usize) -> Option<SmallVec<[ValueId; 4]>> {
        let definition = self.definition()?;
        let mut groups = (0..definition.operands.len())
            .filter(|group| definition.operands[*group].arity == Arity::Variadic);
        let mut first = 0;
        for successor in definition.successors {
            let group = groups.next()?;
            if successor.arity == Arity::Single {
                if first == index {
                    return Some(self.operand_group(group));
                }
                first += 1;
                continue;
            }
            let name = definition.operands[group].name.trim_end_matches('s');
            let sizes = self.attribute(&format!("{name}_segments"))?;
            let sizes = segment_attribute(sizes, self.context)?;
            let position = index - first;
            let all = self.operand_group(group);
            let start: usize = sizes.get(..position)?.iter().sum();
            return all
                .get(start..start + sizes.get(position)?)
                .map(SmallVec::from_slice);
        }
        None
    }

    /// Calls `with` with everything that the meaning of this operation may depend on.
    pub fn with_site<R>(self, with: impl FnOnce(Site<'_>) -> R) -> R {
        let operand_types: SmallVec<[Type; 4]> = self.operand_types().collect();
        let result_types: SmallVec<[Type; 2]> = self.result_types().collect();
        with(Site {
            context: self.context,
            operand_types: &operand_types,
            result_types: &result_types,
            attributes: self.attributes(),
        })
    }
}

fn segment_attribute(attribute: Attribute, context: &Context) -> Option<SmallVec<[usize; 4]>> {
    attribute
        .as_dense_array_i64(context)?
        .into_iter()
        .map(|size| usize::try_from(size).ok())
        .collect()
}

/// Returns the sizes of declared groups for `total` values without segment sizes; `None` if they do not match.
pub fn segment_sizes(arities: &[Arity], total: usize) -> Option<SmallVec<[usize; 4]>> {
    let n_single = arities.iter().filter(|a| **a == Arity::Single).count();
    let n_flexible = arities.len() - n_single;
    let rest = total.checked_sub(n_single)?;
    let share = match n_flexible {
        0 => (rest == 0).then_some(0)?,
        n => (rest % n == 0).then_some(rest / n)?,
    };
    if share > 1 && arities.contains(&Arity::Optional) {
        return None;
    }
    Some(
        arities
            .iter()
            .map(|a| if *a == Arity::Single { 1 } else { share })
            .collect(),
    )
}
