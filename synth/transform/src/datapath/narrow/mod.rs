//! `narrow`: bit-width reduction of every value, and conversion of `index` to integers.
//!
//! A value of `w` bits is kept as its low `k` bits, together with how to restore the others: zero extension, sign extension, or
//! nothing if no user needs more. `k` is the smaller of the demanded bits and the bits its range needs. The low bits of sums,
//! differences, products and bitwise operations depend only on low bits, so these shrink to the demanded width. Comparisons and
//! divisions shrink to the widths of their operands' ranges.

mod graph;

use std::collections::BTreeMap;

use sluice_dialects::{arith, builtin, cf, memref, scf, sluice};
use sluice_ir::algebra::RangesWord;
use sluice_ir::bits::Bits;
use sluice_ir::{
    BlockId, Body, Builder, Context, NewOperation, OperationId, Type, TypeKind, ValueId, View,
};

use crate::analysis::demand::{Facts, address_bits, facts};
use crate::analysis::value_ranges::value_ranges;
use crate::build::{compare, constant_bits, constant_of, convert, unary};

pub use graph::{channel_type, narrow_graph};

/// How to restore the upper bits of a kept value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Top {
    Zeros,
    Sign,
    /// The upper bits are never used, or there are none.
    Nothing,
}

#[derive(Clone, Copy, Debug)]
struct Kept {
    value: ValueId,
    width: u32,
    top: Top,
}

struct Narrow<'a> {
    context: &'a Context,
    old: &'a Body,
    facts: Facts,
    kept: BTreeMap<ValueId, Kept>,
    /// Values that are not numbers.
    other: BTreeMap<ValueId, ValueId>,
    blocks: BTreeMap<BlockId, BlockId>,
    /// In a dataflow graph, the placeholders of channels that are not rebuilt yet.
    wires: BTreeMap<ValueId, ValueId>,
    /// The replacements of values that were rebuilt again.
    replaced: BTreeMap<ValueId, ValueId>,
}

/// Rebuilds a function body at the required widths. Function arguments and results keep their widths, `index` as `i64`.
pub fn narrow(context: &Context, body: &mut Body) {
    let old = std::mem::take(body);
    let Some(region) = old.top_regions().next() else {
        *body = old;
        return;
    };
    let facts = facts(context, &old, value_ranges(context, &old));
    let mut narrow = Narrow::new(context, &old, facts);
    let mut new = Body::new();
    // The region of the function itself is created like any function region.
    let new_region = new.add_top_region();
    let blocks = old.blocks(region).to_vec();
    for block in &blocks {
        let made = new.append_block(new_region);
        narrow.blocks.insert(*block, made);
        for argument in old.arguments(*block) {
            narrow.argument(&mut new, made, *argument, None);
        }
    }
    for block in &blocks {
        narrow.block(&mut new, *block);
    }
    *body = new;
}

/// Returns the interface type for a source type: `index` becomes `i64`.
pub fn interface_type(context: &Context, ty: Type) -> Type {
    match ty.kind(context) {
        TypeKind::Index => context.integer_type(64),
        TypeKind::MemRef {
            shape,
            element,
            layout,
            memory_space,
        } if element.is_index(context) => context.ty(TypeKind::MemRef {
            shape: shape.clone(),
            element: context.integer_type(64),
            layout: *layout,
            memory_space: *memory_space,
        }),
        _ => ty,
    }
}

fn keep_attributes(body: &mut Body, op: OperationId, from: View<'_>) {
    for (name, attribute) in from.attributes() {
        body.set_attribute(op, *name, *attribute);
    }
}

impl<'a> Narrow<'a> {
    fn new(context: &'a Context, old: &'a Body, facts: Facts) -> Self {
        Self {
            context,
            old,
            facts,
            kept: BTreeMap::new(),
            other: BTreeMap::new(),
            blocks: BTreeMap::new(),
            wires: BTreeMap::new(),
            replaced: BTreeMap::new(),
        }
    }
}

impl Narrow<'_> {
    /// Returns a value, or its replacement.
    fn now(&self, value: ValueId) -> ValueId {
        let mut at = value;
        while let Some(next) = self.replaced.get(&at) {
            at = *next;
        }
        at
    }

    fn width(&self, value: ValueId) -> Option<u32> {
        self.old.ty(value).width_bits(self.context)
    }

    /// Returns the width that values of a range need, and how to restore the upper bits.
    fn by_range(range: &RangesWord, width: u32) -> (u32, Top) {
        let unsigned = range.umax.active_bits().max(1);
        let signed = range
            .smin
            .min_signed_bits()
            .max(range.smax.min_signed_bits());
        match (unsigned <= signed, unsigned.min(signed) < width) {
            (_, false) => (width, Top::Nothing),
            (true, true) => (unsigned, Top::Zeros),
            (false, true) => (signed, Top::Sign),
        }
    }

    /// Returns the width at which a value is computed.
    fn plan(&self, value: ValueId) -> (u32, Top) {
        let width = self.width(value).unwrap_or(1);
        let demanded = self.facts.demanded[value.index()]
            .clamp(1, width.max(1))
            .min(width.max(1));
        let range = self.facts.range(self.context, self.old, value);
        Self::demanded_of(demanded, &range, width)
    }

    fn demanded_of(demanded: u32, range: &RangesWord, width: u32) -> (u32, Top) {
        let (by_range, top) = Self::by_range(range, width);
        if demanded < by_range {
            (demanded, Top::Nothing)
        } else {
            (by_range, top)
        }
    }

    /// Adds a block argument of the planned (or given) width.
    fn argument(
        &mut self,
        new: &mut Body,
        block: BlockId,
        argument: ValueId,
        planned: Option<(u32, Top)>,
    ) {
        let ty = self.old.ty(argument);
        let location = self.old.value_location(argument);
        let made = match (ty.width_bits(self.context), planned) {
            (Some(_), Some((width, top))) => {
                let made = new.add_argument(block, self.context.integer_type(width), location);
                self.kept.insert(
                    argument,
                    Kept {
                        value: made,
                        width,
                        top,
                    },
                );
                made
            }
            (Some(width), None) if !matches!(ty.kind(self.context), TypeKind::Float(_)) => {
                let made = new.add_argument(block, interface_type(self.context, ty), location);
                self.kept.insert(
                    argument,
                    Kept {
                        value: made,
                        width,
                        top: Top::Nothing,
                    },
                );
                made
            }
            _ => {
                let made = new.add_argument(block, channel_type(self.context, ty), location);
                self.other.insert(argument, made);
                made
            }
        };
        new.set_value_name(made, self.old.value_name(argument));
    }

    fn define(&mut self, new: &mut Body, old: ValueId, value: ValueId, width: u32, top: Top) {
        if new.value_name(value).is_none() {
            new.set_value_name(value, self.old.value_name(old));
        }
        if self.wires.contains_key(&old) {
            self.connect(new, old, value, width, top);
            return;
        }
        self.kept.insert(old, Kept { value, width, top });
    }

    /// Returns the low `width` bits of a value; bits that were not kept are restored as its range permits.
    fn fit(&self, builder: &mut Builder<'_>, value: ValueId, width: u32) -> ValueId {
        let ty = builder.context.integer_type(width);
        if let Some(constant) = constant_of(self.context, self.old, value) {
            let own = constant.width();
            let bits = if width <= own {
                constant.trunc(width)
            } else {
                constant.sext(width)
            };
            return constant_bits(builder, ty, bits);
        }
        let mut kept = self.kept[&value];
        kept.value = self.now(kept.value);
        if width == kept.width {
            kept.value
        } else if width < kept.width {
            convert(builder, arith::Trunci::NAME, kept.value, ty)
        } else if kept.top == Top::Sign {
            convert(builder, arith::Extsi::NAME, kept.value, ty)
        } else {
            convert(builder, arith::Extui::NAME, kept.value, ty)
        }
    }

    /// Returns the width at which the value is exact as a signed number.
    fn signed_bits(&self, value: ValueId) -> u32 {
        let width = self.width(value).unwrap_or(1);
        let range = self.facts.range(self.context, self.old, value);
        range
            .smin
            .min_signed_bits()
            .max(range.smax.min_signed_bits())
            .min(width)
    }

    /// Returns the width at which the value is exact as an unsigned number.
    fn unsigned_bits(&self, value: ValueId) -> u32 {
        self.facts
            .range(self.context, self.old, value)
            .umax
            .active_bits()
            .max(1)
    }

    /// Returns the value as a signed number of `width` bits; `width` is at least [`Narrow::signed_bits`].
    fn as_signed(&self, builder: &mut Builder<'_>, value: ValueId, width: u32) -> ValueId {
        let own = self.width(value).unwrap_or(1);
        if width > own {
            let exact = self.fit(builder, value, own);
            return convert(
                builder,
                arith::Extsi::NAME,
                exact,
                builder.context.integer_type(width),
            );
        }
        self.fit(builder, value, width)
    }

    fn block(&mut self, new: &mut Body, block: BlockId) {
        let target = self.blocks[&block];
        for op in self.old.operations(block) {
            let mut builder = Builder::at_end(self.context, new, target, self.old.location(op));
            self.operation(&mut builder, op);
        }
    }

    fn result_width(&self, op: OperationId) -> (ValueId, u32, Top) {
        let result = self.old.result(op, 0);
        let (width, top) = self.plan(result);
        (result, width, top)
    }

    fn operation(&mut self, builder: &mut Builder<'_>, op: OperationId) {
        let view = View::new(self.context, self.old, op);
        let name = view.name();
        let operands: Vec<_> = view.operands().collect();
        match name {
            arith::Constant::NAME if self.width(view.result(0)).is_some() => {
                let (result, width, top) = self.result_width(op);
                let value = self.fit(builder, result, width);
                self.define(builder.body, result, value, width, top);
            }
            arith::Addi::NAME
            | arith::Subi::NAME
            | arith::Muli::NAME
            | arith::Andi::NAME
            | arith::Ori::NAME
            | arith::Xori::NAME => {
                let (result, width, top) = self.result_width(op);
                let a = self.fit(builder, operands[0], width);
                let b = self.fit(builder, operands[1], width);
                let value = crate::build::binary(builder, name, a, b);
                self.define(builder.body, result, value, width, top);
            }
            arith::Select::NAME => {
                let (result, width, top) = self.result_width(op);
                let condition = self.fit(builder, operands[0], 1);
                let a = self.fit(builder, operands[1], width);
                let b = self.fit(builder, operands[2], width);
                let value = crate::build::select(builder, condition, a, b);
                self.define(builder.body, result, value, width, top);
            }
            arith::Shli::NAME | arith::Shrui::NAME | arith::Shrsi::NAME => self.shift(builder, op),
            arith::Extui::NAME
            | arith::Extsi::NAME
            | arith::Trunci::NAME
            | arith::IndexCast::NAME
            | arith::IndexCastui::NAME => {
                self.conversion(builder, op);
            }
            builtin::UnrealizedConversionCast::NAME if self.width(view.result(0)).is_some() => {
                let (result, width, top) = self.result_width(op);
                let a = self.fit(builder, operands[0], width);
                let ty = builder.context.integer_type(width);
                let value = unary(builder, name, a, ty);
                if let Some(made) = builder.body.defining_operation(value) {
                    keep_attributes(builder.body, made, view);
                }
                self.define(builder.body, result, value, width, top);
            }
            arith::Cmpi::NAME => self.comparison(builder, op),
            arith::Divui::NAME | arith::Remui::NAME => {
                let result = view.result(0);
                let own = self.width(result).unwrap_or(1);
                let width = self
                    .unsigned_bits(operands[0])
                    .max(self.unsigned_bits(operands[1]))
                    .min(own);
                let a = self.fit(builder, operands[0], width);
                let b = self.fit(builder, operands[1], width);
                let value = crate::build::binary(builder, name, a, b);
                let top = if width < own {
                    Top::Zeros
                } else {
                    Top::Nothing
                };
                self.define(builder.body, result, value, width, top);
            }
            arith::Divsi::NAME | arith::Remsi::NAME => {
                let result = view.result(0);
                let own = self.width(result).unwrap_or(1);
                // One additional bit, so that the lowest number divided by -1 fits.
                let width = (self
                    .signed_bits(operands[0])
                    .max(self.signed_bits(operands[1]))
                    + 1)
                .min(own);
                let a = self.as_signed(builder, operands[0], width);
                let b = self.as_signed(builder, operands[1], width);
                let value = crate::build::binary(builder, name, a, b);
                let top = if width < own { Top::Sign } else { Top::Nothing };
                self.define(builder.body, result, value, width, top);
            }
            arith::Maxsi::NAME | arith::Minsi::NAME | arith::Maxui::NAME | arith::Minui::NAME => {
                let result = view.result(0);
                let own = self.width(result).unwrap_or(1);
                let signed = name.ends_with("si");
                let bits = |v| {
                    if signed {
                        self.signed_bits(v)
                    } else {
                        self.unsigned_bits(v)
                    }
                };
                let width = bits(operands[0]).max(bits(operands[1])).min(own);
                let a = self.fit(builder, operands[0], width);
                let b = self.fit(builder, operands[1], width);
                let value = crate::build::binary(builder, name, a, b);
                let top = match (width < own, signed) {
                    (false, _) => Top::Nothing,
                    (true, true) => Top::Sign,
                    (true, false) => Top::Zeros,
                };
                self.define(builder.body, result, value, width, top);
            }
            memref::Load::NAME => {
                let memory = self.other[&operands[0]];
                let index = self.index(builder, operands[1], operands[0]);
                let element = interface_type(self.context, self.old.ty(view.result(0)));
                let load = builder.operation(name, &[memory, index], &[element], &[]);
                keep_attributes(builder.body, load, view);
                let value = builder.body.result(load, 0);
                let width = self.width(view.result(0)).unwrap_or(1);
                self.define(builder.body, view.result(0), value, width, Top::Nothing);
            }
            memref::Store::NAME => {
                let memory = self.other[&operands[1]];
                let width = self.width(operands[0]).unwrap_or(1);
                let value = self.fit(builder, operands[0], width);
                let index = self.index(builder, operands[2], operands[1]);
                let store = builder.operation(name, &[value, memory, index], &[], &[]);
                keep_attributes(builder.body, store, view);
            }
            scf::For::NAME => self.for_loop(builder, op),
            scf::While::NAME => self.while_loop(builder, op),
            scf::If::NAME => self.conditional(builder, op),
            _ => self.any(builder, op),
        }
    }

    /// Returns the address of an access, truncated to the address width of the memory, as an `index`.
    fn index(&self, builder: &mut Builder<'_>, index: ValueId, memory: ValueId) -> ValueId {
        let bits = address_bits(self.context, self.old, memory);
        let address = self.fit(builder, index, bits);
        let ty = builder.context.index_type();
        convert(builder, arith::IndexCastui::NAME, address, ty)
    }

    fn shift(&mut self, builder: &mut Builder<'_>, op: OperationId) {
        let view = View::new(self.context, self.old, op);
        let name = view.name();
        let (result, width, top) = self.result_width(op);
        let own = self.width(result).unwrap_or(1);
        let (a, amount) = (view.operand(0), view.operand(1));
        let by = constant_of(self.context, self.old, amount)
            .and_then(|c| c.to_u64())
            .and_then(|c| u32::try_from(c).ok());
        let Some(by) = by.filter(|by| *by < own) else {
            // A shift by an amount that varies (or does not fit) keeps the full width.
            let a = self.fit(builder, a, own);
            let amount = self.fit(builder, amount, own);
            let value = crate::build::binary(builder, name, a, amount);
            self.define(builder.body, result, value, own, Top::Nothing);
            return;
        };
        let at = match name {
            arith::Shli::NAME => width.max(by + 1),
            arith::Shrui::NAME => (width + by).min(own),
            _ if width + by <= own => width + by,
            _ => own,
        };
        let name = if name == arith::Shrsi::NAME && width + by <= own {
            arith::Shrui::NAME
        } else {
            name
        };
        let a = self.fit(builder, a, at);
        let ty = builder.context.integer_type(at);
        let amount = constant_bits(builder, ty, Bits::from_u64(at, u64::from(by)));
        let shifted = crate::build::binary(builder, name, a, amount);
        let value = if at > width {
            let narrow = builder.context.integer_type(width);
            convert(builder, arith::Trunci::NAME, shifted, narrow)
        } else {
            shifted
        };
        self.define(builder.body, result, value, width.min(at), top);
    }

    fn conversion(&mut self, builder: &mut Builder<'_>, op: OperationId) {
        let view = View::new(self.context, self.old, op);
        let (result, width, top) = self.result_width(op);
        let operand = view.operand(0);
        let from = self.width(operand).unwrap_or(1);
        let value = if width <= from {
            self.fit(builder, operand, width)
        } else {
            let exact = self.fit(builder, operand, from);
            let unsigned = matches!(view.name(), arith::Extui::NAME | arith::IndexCastui::NAME);
            let extension = if unsigned {
                arith::Extui::NAME
            } else {
                arith::Extsi::NAME
            };
            let ty = builder.context.integer_type(width);
            convert(builder, extension, exact, ty)
        };
        self.define(builder.body, result, value, width, top);
    }

    /// Rebuilds a comparison at the smallest width that preserves its result.
    fn comparison(&mut self, builder: &mut Builder<'_>, op: OperationId) {
        let view = View::new(self.context, self.old, op);
        let (a, b) = (view.operand(0), view.operand(1));
        let predicate = view
            .attribute("predicate")
            .and_then(|p| p.as_i64(self.context))
            .unwrap_or(0);
        let own = self.width(a).unwrap_or(1);
        let signed = self.signed_bits(a).max(self.signed_bits(b));
        let unsigned = self.unsigned_bits(a).max(self.unsigned_bits(b));
        // Non-negative numbers compare alike as signed and as unsigned.
        let non_negative = |v| !self.facts.range(self.context, self.old, v).smin.sign_bit();
        let (predicate, width) = match predicate {
            2..=5 if non_negative(a) && non_negative(b) => (predicate + 4, unsigned),
            2..=5 => (predicate, signed),
            _ => (predicate, signed.min(unsigned)),
        };
        let width = width.min(own);
        let a = self.fit(builder, a, width);
        let b = self.fit(builder, b, width);
        let value = compare(builder, predicate, a, b);
        self.define(builder.body, view.result(0), value, 1, Top::Nothing);
    }

    fn for_loop(&mut self, builder: &mut Builder<'_>, op: OperationId) {
        let view = View::new(self.context, self.old, op);
        let block = view.entry_block(0).expect("a loop has a body");
        let arguments = self.old.arguments(block).to_vec();
        let bounds: Vec<_> = view.operands().take(3).collect();
        let width = bounds
            .iter()
            .map(|b| self.signed_bits(*b))
            .max()
            .unwrap_or(1);
        let mut operands: Vec<_> = bounds
            .iter()
            .map(|b| self.as_signed(builder, *b, width))
            .collect();
        let plans: Vec<_> = arguments[1..]
            .iter()
            .zip(view.results())
            .map(|(argument, result)| self.plan_both(*argument, *result))
            .collect();
        for (init, (width, _)) in view.operands().skip(3).zip(&plans) {
            operands.push(self.fit(builder, init, *width));
        }
        let mut new = NewOperation::new(
            self.context.operation_name(scf::For::NAME),
            builder.location,
        );
        new.operands = operands.into();
        new.result_types = plans
            .iter()
            .map(|(width, _)| builder.context.integer_type(*width))
            .collect();
        new.attributes = view.attributes().to_vec();
        new.n_regions = 1;
        let made = builder.create(new);
        let inner = builder.body.append_block(builder.body.regions(made)[0]);
        self.blocks.insert(block, inner);
        self.argument(builder.body, inner, arguments[0], Some((width, Top::Sign)));
        for (argument, plan) in arguments[1..].iter().zip(&plans) {
            self.argument(builder.body, inner, *argument, Some(*plan));
        }
        self.block_with_yield(builder.body, block, &plans, 0);
        for ((result, (width, top)), i) in view.results().iter().zip(&plans).zip(0..) {
            let value = builder.body.result(made, i);
            self.define(builder.body, *result, value, *width, *top);
        }
    }

    /// Returns the common width of two values of one type that are merged.
    fn plan_both(&self, a: ValueId, b: ValueId) -> (u32, Top) {
        let width = self.width(a).unwrap_or(1);
        let [demanded_a, demanded_b] = [a, b].map(|value| self.facts.demanded[value.index()]);
        let demanded = demanded_a.max(demanded_b).clamp(1, width.max(1));
        let [a, b] = [a, b].map(|value| self.facts.range(self.context, self.old, value));
        Self::demanded_of(demanded, &a.join(&b), width)
    }

    /// Rebuilds a block whose terminator passes values at the given widths; its first `skip` operands are conditions.
    fn block_with_yield(
        &mut self,
        new: &mut Body,
        block: BlockId,
        plans: &[(u32, Top)],
        skip: usize,
    ) {
        let target = self.blocks[&block];
        let ops: Vec<_> = self.old.operations(block).collect();
        let (last, rest) = ops
            .split_last()
            .expect("a block in a loop ends in a terminator");
        for op in rest {
            let mut builder = Builder::at_end(self.context, new, target, self.old.location(*op));
            self.operation(&mut builder, *op);
        }
        let mut builder = Builder::at_end(self.context, new, target, self.old.location(*last));
        let view = View::new(self.context, self.old, *last);
        let mut operands = Vec::new();
        for (i, operand) in view.operands().enumerate() {
            let width = if i < skip { 1 } else { plans[i - skip].0 };
            operands.push(self.fit(&mut builder, operand, width));
        }
        builder.operation(view.name(), &operands, &[], &[]);
    }

    fn while_loop(&mut self, builder: &mut Builder<'_>, op: OperationId) {
        let view = View::new(self.context, self.old, op);
        let before = view.entry_block(0).expect("a loop has a body");
        let after = view.entry_block(1).expect("a loop has a body");
        let (before_arguments, after_arguments) = (
            self.old.arguments(before).to_vec(),
            self.old.arguments(after).to_vec(),
        );
        let carried: Vec<_> = before_arguments.iter().map(|a| self.plan(*a)).collect();
        let forwarded: Vec<_> = after_arguments
            .iter()
            .zip(view.results())
            .map(|(argument, result)| self.plan_both(*argument, *result))
            .collect();
        let mut operands = Vec::new();
        for (init, (width, _)) in view.operands().zip(&carried) {
            operands.push(self.fit(builder, init, *width));
        }
        let mut new = NewOperation::new(
            self.context.operation_name(scf::While::NAME),
            builder.location,
        );
        new.operands = operands.into();
        new.result_types = forwarded
            .iter()
            .map(|(width, _)| builder.context.integer_type(*width))
            .collect();
        new.attributes = view.attributes().to_vec();
        new.n_regions = 2;
        let made = builder.create(new);
        for (i, (block, arguments, plans)) in [
            (before, &before_arguments, &carried),
            (after, &after_arguments, &forwarded),
        ]
        .into_iter()
        .enumerate()
        {
            let inner = builder.body.append_block(builder.body.regions(made)[i]);
            self.blocks.insert(block, inner);
            for (argument, plan) in arguments.iter().zip(plans) {
                self.argument(builder.body, inner, *argument, Some(*plan));
            }
        }
        self.block_with_yield(builder.body, before, &forwarded, 1);
        self.block_with_yield(builder.body, after, &carried, 0);
        for ((result, (width, top)), i) in view.results().iter().zip(&forwarded).zip(0..) {
            let value = builder.body.result(made, i);
            self.define(builder.body, *result, value, *width, *top);
        }
    }

    fn conditional(&mut self, builder: &mut Builder<'_>, op: OperationId) {
        let view = View::new(self.context, self.old, op);
        let condition = self.fit(builder, view.operand(0), 1);
        // A predicated load keeps the width of its memory, since the form of a guard is fixed.
        let guard = view.attribute(sluice::GUARD).is_some();
        let full = |v: ValueId| (self.width(v).unwrap_or(1), Top::Nothing);
        let plans: Vec<_> = view
            .results()
            .iter()
            .map(|r| if guard { full(*r) } else { self.plan(*r) })
            .collect();
        let mut new =
            NewOperation::new(self.context.operation_name(scf::If::NAME), builder.location);
        new.operands.push(condition);
        new.result_types = plans
            .iter()
            .map(|(width, _)| builder.context.integer_type(*width))
            .collect();
        new.attributes = view.attributes().to_vec();
        new.n_regions = view.regions().len();
        let made = builder.create(new);
        for i in 0..view.regions().len() {
            let Some(block) = view.entry_block(i) else {
                continue;
            };
            let inner = builder.body.append_block(builder.body.regions(made)[i]);
            self.blocks.insert(block, inner);
            self.block_with_yield(builder.body, block, &plans, 0);
        }
        for ((result, (width, top)), i) in view.results().iter().zip(&plans).zip(0..) {
            let value = builder.body.result(made, i);
            self.define(builder.body, *result, value, *width, *top);
        }
    }

    /// Rebuilds any other operation with the interface types of its operands and results.
    fn any(&mut self, builder: &mut Builder<'_>, op: OperationId) {
        let view = View::new(self.context, self.old, op);
        let mut new = NewOperation::new(self.old.name(op), builder.location);
        let is_branch = matches!(view.name(), cf::Br::NAME | cf::CondBr::NAME);
        for operand in view.operands() {
            let value = match self.width(operand) {
                Some(width) if self.kept.contains_key(&operand) => {
                    self.fit(builder, operand, width)
                }
                _ => self.other[&operand],
            };
            new.operands.push(value);
        }
        new.result_types = view
            .result_types()
            .map(|ty| interface_type(self.context, ty))
            .collect();
        new.attributes = view.attributes().to_vec();
        new.successors = view.successors().iter().map(|b| self.blocks[b]).collect();
        let made = builder.create(new);
        debug_assert!(
            view.regions().is_empty() || !is_branch,
            "operations with regions have their own arm"
        );
        for (i, result) in view.results().iter().enumerate() {
            let value = builder.body.result(made, i);
            match self.width(*result) {
                Some(width) => self.define(builder.body, *result, value, width, Top::Nothing),
                None => {
                    builder
                        .body
                        .set_value_name(value, self.old.value_name(*result));
                    self.other.insert(*result, value);
                }
            }
        }
    }
}
