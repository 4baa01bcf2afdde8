//! Splits wide products.

use sluice_dialects::arith;
use sluice_ir::{ValueId, View};
use sluice_oplib::class::OperatorClass;

use super::{Pieces, Splitting};
use crate::build::{binary, select};

/// An addend: the lowest bit of the sum that it affects, and the value up to the highest bit.
type Row = (u32, ValueId);

impl Pieces<'_, '_> {
    /// Emits `arith.muli` as the sum of all products of a piece of each operand.
    pub(super) fn product(&mut self, a: ValueId, b: ValueId) -> Option<ValueId> {
        let width = self.width(a);
        if (self.splitting.fits)(OperatorClass::Multiply, width) {
            return Some(binary(&mut self.builder, arith::Muli::NAME, a, b));
        }
        let (left, right) = (self.core(a), self.core(b));
        if left.is_some() || right.is_some() {
            return self.signed(a, b, left, right);
        }
        self.unsigned(a, b)
    }

    /// Returns the value of which another one is the sign extension.
    fn core(&self, value: ValueId) -> Option<ValueId> {
        let (context, body) = (self.builder.context, &*self.builder.body);
        let view = View::new(context, body, body.defining_operation(value)?);
        (view.name() == arith::Extsi::NAME).then(|| view.operand(0))
    }

    /// Emits a product of sign-extended operands: with the bits of `x` and `y` as unsigned numbers, x y minus 2^width(x) y if x
    /// is negative, and vice versa.
    fn signed(
        &mut self,
        a: ValueId,
        b: ValueId,
        left: Option<ValueId>,
        right: Option<ValueId>,
    ) -> Option<ValueId> {
        let width = self.width(a);
        let mut plain = |value: ValueId, core: Option<ValueId>| match core {
            Some(core) => self.zext(core, width),
            None => value,
        };
        let (x, y) = (plain(a, left), plain(b, right));
        let mut product = self.unsigned(x, y)?;
        for (core, other) in [(left, y), (right, x)] {
            let Some(core) = core else { continue };
            let narrow = self.width(core);
            let sign = self.piece(core, narrow - 1, 1);
            let n_above = width - narrow;
            let other = self.piece(other, 0, n_above);
            let zero = self.number(n_above, 0);
            let less = select(&mut self.builder, sign, other, zero);
            let above = self.piece(product, narrow, n_above);
            let above = self.sum(arith::Subi::NAME, above, less)?;
            let below = self.piece(product, 0, narrow);
            product = self.join(&[below, above]);
        }
        Some(product)
    }

    fn unsigned(&mut self, a: ValueId, b: ValueId) -> Option<ValueId> {
        let width = self.width(a);
        let fitting = (2..width).rev();
        let mut fitting =
            fitting.filter(|bits| (self.splitting.fits)(OperatorClass::Multiply, 2 * bits));
        let fitting = fitting.next();
        let [of_a, of_b] = [a, b].map(|value| self.n_bits(value));
        let (longer, shorter, n_bits) = match of_b <= of_a {
            true => (a, b, of_b),
            false => (b, a, of_a),
        };
        let n_parts = match fitting {
            Some(most) => {
                let n_pieces = usize::try_from(width.div_ceil(most)).unwrap_or(usize::MAX);
                n_pieces.saturating_mul(n_pieces.saturating_add(1)) / 2
            }
            None => self.n_adders(a, n_bits),
        };
        let is_known = [a, b].map(|value| self.known(value).is_some());
        let Splitting {
            begins,
            max_adders,
            max_tokens,
            ..
        } = self.splitting;
        let can_loop = begins(width) || max_tokens.is_some();
        if n_parts > max_adders && can_loop && n_bits > 1 && is_known == [false; 2] {
            return self.bit_by_bit(longer, shorter, n_bits);
        }
        let rows = match fitting {
            Some(most) => self.products_of_pieces(a, b, most),
            None => self.multiples(longer, shorter),
        };
        let zero = self.number(width, 0);
        if rows.is_empty() {
            return Some(zero);
        }
        let mut add = |pieces: &mut Self, low: Row, high: Row| pieces.add_rows(low, high);
        let (low, value) = self.tree(rows, &mut add)?;
        let below = self.piece(zero, 0, low.max(1));
        Some(match low {
            0 => value,
            _ => self.join(&[below, value]),
        })
    }

    /// Returns the products of pieces of at most `most` bits; products that do not overlap share a row.
    fn products_of_pieces(&mut self, a: ValueId, b: ValueId, most: u32) -> Vec<Row> {
        let width = self.width(a);
        let even = Self::even(width, most);
        let bits = match (self.splitting.fits)(OperatorClass::Multiply, 2 * even) {
            true => even,
            false => most,
        };
        let n_pieces = width.div_ceil(bits);
        let mut rows: Vec<Vec<Row>> = Vec::new();
        for weight in 0..n_pieces {
            for i in 0..=weight {
                let low = weight * bits;
                let n = (2 * bits).min(width - low);
                let mut part = |value: ValueId, piece: u32| {
                    let from = piece * bits;
                    let part = self.piece(value, from, bits.min(width - from).min(n));
                    self.zext(part, n)
                };
                let (left, right) = (part(a, i), part(b, weight - i));
                if self.is_zero(left) || self.is_zero(right) {
                    continue;
                }
                let product = binary(&mut self.builder, arith::Muli::NAME, left, right);
                let ends_before = |row: &&mut Vec<Row>| {
                    let end = row.last().map(|(from, value)| from + self.width(*value));
                    end.is_some_and(|end| end <= low)
                };
                match rows.iter_mut().find(ends_before) {
                    Some(row) => row.push((low, product)),
                    None => rows.push(vec![(low, product)]),
                }
            }
        }
        rows.into_iter()
            .map(|row| self.one_row(&row, width))
            .collect()
    }

    fn one_row(&mut self, parts: &[Row], width: u32) -> Row {
        let first = parts[0].0;
        let (mut all, mut end) = (Vec::new(), first);
        for (low, value) in parts {
            if *low > end {
                all.push(self.number(low - end, 0));
            }
            all.push(*value);
            end = low + self.width(*value);
        }
        let row = self.join(&all);
        (first, self.zext(row, width - first))
    }

    /// Returns the number of bits up to the highest one that may be set.
    fn n_bits(&mut self, value: ValueId) -> u32 {
        let highest = (0..self.width(value)).rev().find(|at| {
            let bit = self.piece(value, *at, 1);
            !self.is_zero(bit)
        });
        highest.map_or(0, |at| at + 1)
    }

    /// Returns the number of adders for a sum of `n_multiples` multiples of a value, counting each piece of a split adder.
    fn n_adders(&mut self, a: ValueId, n_multiples: u32) -> usize {
        let width = self.width(a);
        let Some(most) = self.widest(&[OperatorClass::Add], width) else {
            return 0;
        };
        let adders = (1..n_multiples).map(|low| width.saturating_sub(low).div_ceil(most));
        usize::try_from(adders.sum::<u32>()).unwrap_or(usize::MAX)
    }

    /// Emits the product with the low bits of `b`, at least two, as a shift-and-add loop from the highest bit down.
    fn bit_by_bit(&mut self, a: ValueId, b: ValueId, n_bits: u32) -> Option<ValueId> {
        let width = self.width(a);
        let zero = self.number(width, 0);
        let digits = self.piece(b, 0, n_bits);
        let step = |inner: &mut Pieces<'_, '_>, [so_far, digits]: [ValueId; 2]| {
            let none = inner.number(1, 0);
            let (digit, left) = (
                inner.piece(digits, n_bits - 1, 1),
                inner.piece(digits, 0, n_bits - 1),
            );
            let doubled = inner.piece(so_far, 0, width - 1);
            let doubled = inner.join(&[none, doubled]);
            let zero = inner.number(width, 0);
            let multiple = select(&mut inner.builder, digit, a, zero);
            let sum = inner.sum(arith::Addi::NAME, doubled, multiple)?;
            Some([sum, inner.join(&[none, left])])
        };
        let [product, _] = self.repeat(n_bits, [zero, digits], step)?;
        Some(product)
    }

    /// Returns one multiple for each bit of `b`, or of `a` if only `a` is constant.
    fn multiples(&mut self, a: ValueId, b: ValueId) -> Vec<Row> {
        let (a, b) = match self.known(a) {
            Some(_) => (b, a),
            None => (a, b),
        };
        let width = self.width(a);
        let mut rows = Vec::new();
        for low in 0..width {
            let bit = self.piece(b, low, 1);
            if self.is_zero(bit) {
                continue;
            }
            let multiple = self.piece(a, 0, width - low);
            if self.known(bit).is_some() {
                rows.push((low, multiple));
                continue;
            }
            let zero = self.number(width - low, 0);
            rows.push((low, select(&mut self.builder, bit, multiple, zero)));
        }
        rows
    }

    fn add_rows(&mut self, one: Row, other: Row) -> Option<Row> {
        let (low, high) = if one.0 <= other.0 {
            (one, other)
        } else {
            (other, one)
        };
        let n_below = high.0 - low.0;
        let n = self.width(high.1);
        let above = self.piece(low.1, n_below, n);
        let sum = self.sum(arith::Addi::NAME, above, high.1)?;
        if n_below == 0 {
            return Some((low.0, sum));
        }
        let below = self.piece(low.1, 0, n_below);
        Some((low.0, self.join(&[below, sum])))
    }
}
