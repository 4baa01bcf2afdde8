//! Splits operations that are too slow for one cycle at their width into narrower pieces; pipeline registers may separate the
//! pieces.
//!
//! Sums and differences pass a carry from piece to piece; comparisons pass the result of the lower pieces. Shifts become one
//! selection per bit of the amount, and products become sums of products of pieces. Divisions become loops with one subtraction
//! per quotient bit.

mod comparisons;
mod outline_pieces;
mod products;
mod quotients;
mod shifts;
mod sums;

use std::collections::BTreeMap;

use sluice_dialects::{
    arith, scf, sluice,
    synthesis_form::{is_division, is_guard},
};
use sluice_ir::bits::Bits;
use sluice_ir::{Body, Builder, Context, Location, NewOperation, Type, ValueId, View};
use sluice_oplib::class::OperatorClass;

use crate::build::{binary, constant, constant_bits, constant_of, convert, erase_dead, replace};

/// The options of the splitting.
#[derive(Clone, Copy)]
pub struct Splitting<'a> {
    /// Returns whether an operation of a class and a width in bits fits a cycle.
    pub fits: &'a dyn Fn(OperatorClass, u32) -> bool,
    /// Returns whether a schedule can begin a loop with carried values of a width, which its first iteration selects.
    pub begins: &'a dyn Fn(u32) -> bool,
    /// Maximum number of partial products (or of adders, if no multiplier fits) of a product that becomes a tree; larger products
    /// become a loop with one addition per bit.
    pub max_adders: usize,
    /// Maximum number of operations, in an elastic circuit, that replace one operation in place. More operations, and loops, form
    /// a region that [`outline`] makes a function for static scheduling.
    ///
    /// [`outline`]: crate::outline()
    pub max_tokens: Option<usize>,
}

impl Splitting<'_> {
    /// Returns the options for an operation in a guard: everything stays in place, as a tree.
    fn within_a_guard(&self) -> Self {
        Self {
            max_adders: usize::MAX,
            max_tokens: None,
            ..*self
        }
    }
}

/// Splits operations that do not fit a cycle.
///
/// An operation stays unchanged if no piece of it fits. Returns the location and width in bits of each product that uses no
/// multiplier, since none fits at any width.
pub fn split_wide(
    context: &Context,
    body: &mut Body,
    splitting: &Splitting<'_>,
) -> Vec<(Location, u32)> {
    let fits = splitting.fits;
    let mut in_tables = Vec::new();
    let mut joined = BTreeMap::new();
    let mut is_changed = false;
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        let measured = OperatorClass::measured(view, |_| false);
        let Some((class, measured)) = measured.filter(|_| view.name().starts_with("arith.")) else {
            continue;
        };
        let name = context.operation_text(body.name(op));
        let operands: Vec<ValueId> = view.operands().collect();
        let width = body.ty(measured).integer_width_bits(context);
        let Some(width) = width.filter(|width| !fits(class, *width)) else {
            continue;
        };
        // A guard is scheduled as the operation in it, so no loop is allowed there: products become trees, and the schedule
        // reports such divisions as errors.
        let around = body.parent_operation(op);
        let is_guarded = around.is_some_and(|around| is_guard(View::new(context, body, around)));
        if is_guarded && is_division(view) {
            continue;
        }
        let place = view.location();
        let predicate = view.attribute("predicate").and_then(|p| p.as_i64(context));
        let ty = body.ty(view.result(0));
        let mut pieces = Pieces {
            builder: Builder::before(context, body, op),
            splitting: match is_guarded {
                true => splitting.within_a_guard(),
                false => *splitting,
            },
            joined: &mut joined,
        };
        let make = |pieces: &mut Pieces<'_, '_>| pieces.taken_apart(name, predicate, &operands);
        let made = match pieces.splitting.max_tokens {
            Some(most) => {
                let short = name.trim_start_matches("arith.");
                pieces.outline(&format!("{short}_{width}"), ty, most, make)
            }
            None => make(&mut pieces),
        };
        if let Some(made) = made {
            let without_multiplier =
                || (2..=width).all(|bits| !fits(OperatorClass::Multiply, bits));
            let is_known = constant_of(context, body, made).is_some();
            if name == arith::Muli::NAME && !is_known && without_multiplier() {
                in_tables.push((place, width));
            }
            replace(body, op, &[made]);
        }
        is_changed = true;
    }
    if is_changed {
        // Removes the pieces of constants, and the remains of operations that could not be split.
        erase_dead(context, body);
    }
    in_tables
}

/// Emits operations that fit a cycle.
struct Pieces<'a, 'b> {
    builder: Builder<'b>,
    splitting: Splitting<'a>,
    /// The pieces that values were joined from, lowest bits first: a piece need not wait for the others.
    joined: &'a mut BTreeMap<ValueId, Vec<ValueId>>,
}

impl Pieces<'_, '_> {
    /// Emits the pieces of an operation; `predicate` is that of a comparison.
    fn taken_apart(
        &mut self,
        name: &str,
        predicate: Option<i64>,
        operands: &[ValueId],
    ) -> Option<ValueId> {
        let &[a, b] = operands else { return None };
        match name {
            arith::Addi::NAME | arith::Subi::NAME => self.sum(name, a, b),
            arith::Cmpi::NAME => self.comparison(predicate?, a, b),
            arith::Shli::NAME | arith::Shrui::NAME | arith::Shrsi::NAME
                if self.known(b).is_none() =>
            {
                self.shift(name, a, b)
            }
            arith::Muli::NAME => self.product(a, b),
            arith::Divui::NAME | arith::Divsi::NAME | arith::Remui::NAME | arith::Remsi::NAME => {
                self.division(name, a, b)
            }
            _ => None,
        }
    }

    fn width(&self, value: ValueId) -> u32 {
        let ty = self.builder.body.ty(value);
        ty.integer_width_bits(self.builder.context).unwrap_or(1)
    }

    fn ty(&self, width_bits: u32) -> Type {
        self.builder.context.integer_type(width_bits)
    }

    fn number(&mut self, width_bits: u32, value: i64) -> ValueId {
        let ty = self.ty(width_bits);
        constant(&mut self.builder, ty, value)
    }

    fn known(&self, value: ValueId) -> Option<Bits> {
        constant_of(self.builder.context, self.builder.body, value)
    }

    fn is_zero(&self, value: ValueId) -> bool {
        self.known(value).is_some_and(|bits| bits.is_zero())
    }

    /// Returns the largest width, up to `most` bits, at which all classes fit.
    fn widest(&self, classes: &[OperatorClass], most: u32) -> Option<u32> {
        let mut widths = (1..=most).rev();
        widths.find(|width| {
            classes
                .iter()
                .all(|class| (self.splitting.fits)(*class, *width))
        })
    }

    /// Returns the width of the pieces if `width` bits are divided evenly into as few pieces of at most `most` bits as possible;
    /// the last one may be narrower.
    fn even(width: u32, most: u32) -> u32 {
        width.div_ceil(width.div_ceil(most))
    }

    fn zext(&mut self, value: ValueId, width_bits: u32) -> ValueId {
        if let Some(known) = self.known(value) {
            let ty = self.ty(width_bits);
            return constant_bits(&mut self.builder, ty, known.zext(width_bits));
        }
        let ty = self.ty(width_bits);
        convert(&mut self.builder, arith::Extui::NAME, value, ty)
    }

    /// Emits a shift by a constant that is less than the width.
    fn shifted(&mut self, name: &str, value: ValueId, bits: u32) -> ValueId {
        if bits == 0 {
            return value;
        }
        let amount = self.number(self.width(value), i64::from(bits));
        binary(&mut self.builder, name, value, amount)
    }

    /// Returns bits `low .. low + width_bits` of a value.
    fn piece(&mut self, value: ValueId, low: u32, width_bits: u32) -> ValueId {
        let whole = self.width(value);
        if low == 0 && width_bits == whole {
            return value;
        }
        if let Some(parts) = self.joined.get(&value).cloned() {
            let (end, mut at) = (low + width_bits, 0);
            let mut found = Vec::new();
            for part in parts {
                let above = at + self.width(part);
                let (from, to) = (low.max(at), end.min(above));
                if from < to {
                    found.push(self.piece(part, from - at, to - from));
                }
                at = above;
            }
            return self.join(&found);
        }
        let (context, body) = (self.builder.context, &*self.builder.body);
        if let Some(known) = constant_of(context, body, value) {
            let ty = self.ty(width_bits);
            return constant_bits(&mut self.builder, ty, known.extract(low, width_bits));
        }
        let made = body
            .defining_operation(value)
            .map(|op| View::new(context, body, op));
        match made.map(|view| (view.name(), view)) {
            Some((arith::Trunci::NAME, view)) => {
                let from = view.operand(0);
                return self.piece(from, low, width_bits);
            }
            Some((arith::Extui::NAME, view)) => {
                let from = view.operand(0);
                let narrow = self.width(from);
                if low >= narrow {
                    return self.number(width_bits, 0);
                }
                let part = self.piece(from, low, width_bits.min(narrow - low));
                return self.zext(part, width_bits);
            }
            _ => {}
        }
        let moved = self.shifted(arith::Shrui::NAME, value, low);
        let ty = self.ty(width_bits);
        convert(&mut self.builder, arith::Trunci::NAME, moved, ty)
    }

    /// Concatenates values, the lowest bits first.
    fn join(&mut self, parts: &[ValueId]) -> ValueId {
        let (first, more) = parts.split_first().expect("a value has bits");
        let mut all = *first;
        for part in more {
            let low = self.width(all);
            let width = low + self.width(*part);
            all = self.zext(all, width);
            if self.is_zero(*part) {
                continue;
            }
            let high = self.zext(*part, width);
            let high = self.shifted(arith::Shli::NAME, high, low);
            all = match self.is_zero(all) {
                true => high,
                false => binary(&mut self.builder, arith::Ori::NAME, all, high),
            };
        }
        if self.known(all).is_none() && !more.is_empty() {
            self.joined.insert(all, parts.to_vec());
        }
        all
    }

    /// Emits a loop with `n_iterations` iterations that carries values; `None` if its body cannot be built.
    fn repeat<const N: usize>(
        &mut self,
        n_iterations: u32,
        initial: [ValueId; N],
        step: impl FnOnce(&mut Pieces<'_, '_>, [ValueId; N]) -> Option<[ValueId; N]>,
    ) -> Option<[ValueId; N]> {
        let context = self.builder.context;
        // Bounds are signed.
        let counter = self.ty(u32::BITS - n_iterations.leading_zeros() + 1);
        let bounds = [0, i64::from(n_iterations), 1];
        let bounds = bounds.map(|bound| constant(&mut self.builder, counter, bound));
        let types = initial.map(|value| self.builder.body.ty(value));
        let mut new = NewOperation::new(
            context.operation_name(scf::For::NAME),
            self.builder.location,
        );
        new.operands = bounds.into_iter().chain(initial).collect();
        new.result_types = types.into_iter().collect();
        new.n_regions = 1;
        let made = self.builder.create(new);
        let body = &mut *self.builder.body;
        let location = body.location(made);
        body.set_attribute(
            made,
            context.name(sluice::DEPENDENCES),
            context.array_attribute(&[]),
        );
        body.set_attribute(
            made,
            context.name(sluice::TRIP_COUNT),
            context.i64_attribute(i64::from(n_iterations)),
        );
        let region = body.regions(made)[0];
        let block = body.append_block(region);
        body.add_argument(block, counter, location);
        let carried = types.map(|ty| body.add_argument(block, ty, location));
        let mut inner = Pieces {
            builder: Builder::at_end(context, body, block, location),
            splitting: self.splitting,
            joined: &mut *self.joined,
        };
        let next = step(&mut inner, carried);
        let values = next.unwrap_or(carried);
        inner.builder.operation(scf::Yield::NAME, &values, &[], &[]);
        if next.is_none() {
            body.erase(made);
            return None;
        }
        let body = &self.builder.body;
        let mut numbers = 0..N;
        Some(types.map(|_| body.result(made, numbers.next().expect("as many as types"))))
    }

    fn negated_bit(&mut self, bit: ValueId) -> ValueId {
        let one = self.number(1, 1);
        binary(&mut self.builder, arith::Xori::NAME, bit, one)
    }
}
