//! `narrow` for dataflow graphs: each channel gets the width its tokens need, with conversions (wires) where widths differ.

use sluice_dialects::{arith, builtin, handshake, sluice};
use sluice_ir::bits::Bits;
use sluice_ir::{
    Attribute, BlockId, Body, Builder, Context, NewOperation, OperationId, Type, TypeKind, ValueId,
    View,
};

use super::{Kept, Narrow, Top, interface_type};
use crate::analysis::demand::facts;
use crate::analysis::graph_demand::{memory_of, port_bits};
use crate::analysis::graph_ranges::graph_ranges;

/// Rebuilds the body of a `handshake.func` at the required widths. Its arguments and results keep their widths, `index` as `i64`.
///
/// Conversions only change the values of tokens, so the synchronisation stays the same. Returns false and changes nothing for
/// graphs with types other than integers, `index`, `none`, memories and tuples.
pub fn narrow_graph(context: &Context, body: &mut Body) -> bool {
    if !has_known_types(context, body) {
        return false;
    }
    let Some(region) = body.top_regions().next() else {
        return false;
    };
    let old = std::mem::take(body);
    let facts = facts(context, &old, graph_ranges(context, &old));
    let mut narrow = Narrow::new(context, &old, facts);
    let block = old.blocks(region)[0];
    let mut new = Body::new();
    let new_region = new.add_top_region();
    let made = new.append_block(new_region);
    narrow.blocks.insert(block, made);
    for argument in old.arguments(block) {
        narrow.argument(&mut new, made, *argument, None);
    }
    for op in old.operations(block) {
        for result in old.results(op) {
            narrow.stand_in(&mut new, made, *result);
        }
    }
    for op in old.operations(block) {
        let mut builder = Builder::at_end(context, &mut new, made, old.location(op));
        narrow.graph_operation(&mut builder, op);
    }
    triggerless(context, &mut new);
    unused_constants(context, &mut new);
    *body = new;
    true
}

/// Returns the type of a channel for a source type: `index` becomes `i64`, also in tuples.
pub fn channel_type(context: &Context, ty: Type) -> Type {
    match ty.kind(context) {
        TypeKind::Tuple(parts) => {
            let parts: Box<[Type]> = parts.iter().map(|ty| channel_type(context, *ty)).collect();
            context.ty(TypeKind::Tuple(parts))
        }
        _ => interface_type(context, ty),
    }
}

fn has_known_types(context: &Context, body: &Body) -> bool {
    let is_known = |value: &ValueId| {
        matches!(
            body.ty(*value).kind(context),
            TypeKind::Integer { .. }
                | TypeKind::Index
                | TypeKind::None
                | TypeKind::MemRef { .. }
                | TypeKind::Tuple(_)
        )
    };
    let mut ops = body.walk_all().into_iter();
    ops.all(|op| body.results(op).iter().all(is_known))
}

/// Converts constants of `arith` to those of `handshake`.
fn triggerless(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        if context.operation_text(body.name(op)) != arith::Constant::NAME {
            continue;
        }
        let (constant, location) = (body.result(op, 0), body.location(op));
        let value = body.attribute_named(context, op, "value");
        let mut source =
            NewOperation::new(context.operation_name(handshake::Source::NAME), location);
        source.result_types = [context.none_type()].into_iter().collect();
        let source = body.create(context, source);
        body.insert_before(op, source);
        let name = context.operation_name(handshake::Constant::NAME);
        let mut new = NewOperation::new(name, location);
        new.operands = [body.result(source, 0)].into_iter().collect();
        new.result_types = [body.ty(constant)].into_iter().collect();
        new.attributes
            .extend(value.map(|value| (context.name("value"), value)));
        let new = body.create(context, new);
        body.insert_before(op, new);
        let result = body.result(new, 0);
        body.replace_all_uses(constant, result);
        body.erase(op);
    }
}

/// Erases unused constants without a trigger, which were rebuilt at another width for each use.
fn unused_constants(context: &Context, body: &mut Body) {
    loop {
        let mut is_changed = false;
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            let is_free = match view.name() {
                handshake::Source::NAME => true,
                handshake::Constant::NAME => {
                    crate::build::constant_of(context, body, view.result(0)).is_some()
                }
                _ => false,
            };
            if is_free && body.uses(body.result(op, 0)).next().is_none() {
                body.erase(op);
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
    }
}

impl Narrow<'_> {
    /// Creates a placeholder for a channel until its defining operation is rebuilt.
    fn stand_in(&mut self, new: &mut Body, block: BlockId, old: ValueId) {
        let ty = self.old.ty(old);
        let planned = self.width(old).map(|width| {
            let wired = self.wired(old, width);
            wired.map_or_else(|| self.plan(old), |width| (width, Top::Nothing))
        });
        let ty = match planned {
            Some((width, _)) => self.context.integer_type(width),
            None => channel_type(self.context, ty),
        };
        let location = self.old.value_location(old);
        let mut builder = Builder::at_end(self.context, new, block, location);
        let op = builder.operation(builtin::UnrealizedConversionCast::NAME, &[], &[ty], &[]);
        let value = builder.body.result(op, 0);
        self.wires.insert(old, value);
        match planned {
            Some((width, top)) => {
                self.kept.insert(old, Kept { value, width, top });
            }
            None => {
                self.other.insert(old, value);
            }
        }
    }

    /// Returns the width of a channel from an access to its memory, which allows no conversion between the two.
    fn wired(&self, old: ValueId, width: u32) -> Option<u32> {
        let op = self.old.defining_operation(old)?;
        let view = View::new(self.context, self.old, op);
        match view.name() {
            handshake::Store::NAME if view.result(0) == old => Some(width),
            handshake::Load::NAME if view.result(0) == old => None,
            handshake::Store::NAME | handshake::Load::NAME => {
                memory_of(self.context, self.old, old)
            }
            _ => None,
        }
    }

    /// Replaces the placeholder of a channel by a value.
    pub(super) fn connect(
        &mut self,
        new: &mut Body,
        old: ValueId,
        value: ValueId,
        width: u32,
        top: Top,
    ) {
        let (Some(wire), Some(kept)) = (self.wires.remove(&old), self.kept.get(&old).copied())
        else {
            return;
        };
        let value = self.now(value);
        let extension = match top {
            Top::Sign => arith::Extsi::NAME,
            Top::Zeros | Top::Nothing => arith::Extui::NAME,
        };
        let conversion = match width.cmp(&kept.width) {
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(arith::Trunci::NAME),
            std::cmp::Ordering::Less => Some(extension),
        };
        let made = match conversion {
            Some(name) => {
                let location = new.value_location(value);
                let block = self.blocks.values().next().copied();
                let block = block.expect("a graph has a block");
                let ty = self.context.integer_type(kept.width);
                let mut builder = Builder::at_end(self.context, new, block, location);
                crate::build::convert(&mut builder, name, value, ty)
            }
            None => value,
        };
        self.kept.insert(
            old,
            Kept {
                value: made,
                ..kept
            },
        );
        self.replace(new, wire, made);
    }

    fn connect_other(&mut self, new: &mut Body, old: ValueId, value: ValueId) {
        if let Some(wire) = self.wires.remove(&old) {
            new.set_value_name(value, self.old.value_name(old));
            self.other.insert(old, value);
            self.replace(new, wire, value);
        }
    }

    fn replace(&mut self, new: &mut Body, wire: ValueId, value: ValueId) {
        if wire == value {
            return;
        }
        self.replaced.insert(wire, value);
        new.replace_all_uses(wire, value);
        if let Some(op) = new.defining_operation(wire) {
            new.erase(op);
        }
    }

    fn graph_operation(&mut self, builder: &mut Builder<'_>, op: OperationId) {
        let view = View::new(self.context, self.old, op);
        let is_ours = |name: &str| name.starts_with("sluice.") && name != sluice::NAME;
        let context = self.context;
        let is_kept = view
            .attributes()
            .iter()
            .any(|(name, _)| is_ours(context.text(*name)));
        let name = view.name();
        if name.starts_with("arith.") && !is_kept {
            self.operation(builder, op);
            return;
        }
        let operands: Vec<ValueId> = view.operands().collect();
        // The widths of operands (`None`: as wide as they are kept) and of results.
        let own = |this: &Self, value: &ValueId| this.width(*value);
        let mut wanted: Vec<Option<u32>> = operands.iter().map(|v| own(self, v)).collect();
        let mut given: Vec<Option<u32>> = view.results().iter().map(|v| own(self, v)).collect();
        let plan = |this: &Self, value: &ValueId| this.width(*value).map(|_| this.plan(*value).0);
        let most =
            |this: &Self, values: &[ValueId]| values.iter().filter_map(|v| plan(this, v)).max();
        match name {
            _ if is_kept => {}
            handshake::Constant::NAME => given = vec![plan(self, &view.result(0))],
            handshake::Join::NAME => wanted.fill(None),
            handshake::Fork::NAME
            | handshake::LazyFork::NAME
            | handshake::Branch::NAME
            | handshake::Buffer::NAME
            | handshake::Merge::NAME => {
                let width = most(self, view.results());
                wanted.fill(width);
                given.fill(width);
            }
            handshake::ControlMerge::NAME => {
                let data = plan(self, &view.result(0));
                let index = self.width(view.result(1)).unwrap_or(1);
                given = vec![data, Some(index.min(number_bits(operands.len())))];
                wanted.fill(data);
            }
            handshake::Mux::NAME => {
                given = vec![plan(self, &view.result(0))];
                wanted.fill(given[0]);
                wanted[0] = Some(self.selecting(operands[0], operands.len() - 1));
            }
            handshake::ConditionalBranch::NAME => {
                let width = most(self, view.results());
                given.fill(width);
                wanted = vec![Some(1), width];
            }
            handshake::Sync::NAME => {
                given = view.results().iter().map(|v| plan(self, v)).collect();
                wanted.clone_from(&given);
            }
            handshake::Load::NAME | handshake::Store::NAME => {
                for (i, address) in view.results()[1..].iter().enumerate() {
                    if let Some(bits) = memory_of(self.context, self.old, *address) {
                        wanted[i] = Some(bits);
                        given[1 + i] = Some(bits);
                    }
                }
            }
            handshake::Memory::NAME | handshake::ExternalMemory::NAME => {
                let bits = port_bits(self.context, self.old, view);
                for (wanted, bits) in wanted
                    .iter_mut()
                    .zip(bits)
                    .filter(|(_, bits)| bits.is_some())
                {
                    *wanted = bits;
                }
            }
            _ => {}
        }
        let mut new = NewOperation::new(self.old.name(op), builder.location);
        for (operand, wanted) in operands.iter().zip(&wanted) {
            let value = match (self.kept.get(operand), wanted) {
                (Some(_), Some(width)) => self.fit(builder, *operand, *width),
                (Some(kept), None) => self.now(kept.value),
                (None, _) => self.now(self.other[operand]),
            };
            new.operands.push(value);
        }
        let types = view.result_types().zip(&given);
        let types = types.map(|(ty, width)| match width {
            Some(width) => self.context.integer_type(*width),
            None => channel_type(self.context, ty),
        });
        new.result_types = types.collect();
        new.attributes = view
            .attributes()
            .iter()
            .map(|(name, attribute)| {
                (
                    *name,
                    self.attribute(view, context.text(*name), *attribute, &given),
                )
            })
            .collect();
        let made = builder.create(new);
        for ((i, result), width) in view.results().iter().enumerate().zip(&given) {
            let value = builder.body.result(made, i);
            match width {
                Some(width) => {
                    let top = self.kept.get(result).map_or(Top::Nothing, |kept| kept.top);
                    self.define(builder.body, *result, value, *width, top);
                }
                None => self.connect_other(builder.body, *result, value),
            }
        }
    }

    /// Returns the required width of a select input for `n_inputs`: a value above the last index selects the last input, so all
    /// bits that may be set count.
    fn selecting(&self, select: ValueId, n_inputs: usize) -> u32 {
        let own = self.width(select).unwrap_or(1);
        match self.kept.get(&select) {
            Some(kept) if kept.top != Top::Sign => kept.width.max(number_bits(n_inputs)).min(own),
            _ => own,
        }
    }

    /// Adapts an attribute to the new widths of the results.
    fn attribute(
        &self,
        view: View<'_>,
        name: &str,
        attribute: Attribute,
        given: &[Option<u32>],
    ) -> Attribute {
        match (view.name(), name, given) {
            (handshake::Constant::NAME, "value", [Some(width)]) => {
                let number = attribute.integer(self.context);
                let number = number.map(|number| resized(number, *width));
                let ty = self.context.integer_type(*width);
                number.map_or(attribute, |n| self.context.integer_attribute(ty, n))
            }
            (handshake::Buffer::NAME, "initValues", [Some(width)]) => {
                let tokens = attribute.as_array(self.context).unwrap_or_default();
                let fit = |token: &Attribute| {
                    let number = token.as_i64(self.context)?;
                    let bits = Bits::from_i64(*width, number).to_i64()?;
                    Some(self.context.i64_attribute(bits))
                };
                let tokens: Option<Vec<Attribute>> = tokens.iter().map(fit).collect();
                tokens.map_or(attribute, |tokens| self.context.array_attribute(&tokens))
            }
            (handshake::Memory::NAME, "memRefType", _) => {
                let ty = attribute.as_type(self.context);
                let ty = ty.map(|ty| interface_type(self.context, ty));
                ty.map_or(attribute, |ty| self.context.type_attribute(ty))
            }
            _ => attribute,
        }
    }
}

/// Returns the number of bits of an index below `n`.
fn number_bits(n: usize) -> u32 {
    n.max(2).next_power_of_two().trailing_zeros()
}

/// Truncates a number, or sign-extends it.
fn resized(number: &Bits, width: u32) -> Bits {
    match width <= number.width() {
        true => number.trunc(width),
        false => number.sext(width),
    }
}
