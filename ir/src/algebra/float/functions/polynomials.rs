//! Functions of one fixed-point argument as tables of polynomials.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::super::super::Algebra;
use super::super::expand::words::{append_zeros, below, bit, bits_for, top};
use super::super::layout::Layout;
use super::real::Real;
use crate::bits::Bits;

/// The argument of a table: `low + range * z` for an unsigned fraction `z` of `bits` bits.
pub(super) struct Domain {
    pub low: Real,
    pub range: Real,
    pub bits: u32,
    /// Number of times that the lower half of the range is divided again: the upper half, the upper half of the lower half and so on
    /// each have as many segments as the lowest part.
    pub n_halvings: u32,
}

impl Domain {
    /// Returns the largest number of bits of the number of a segment: at least one bit is left for the position in it.
    fn most_index_bits(&self) -> u32 {
        MAX_INDEX_BITS.min(self.bits.saturating_sub(self.n_halvings + 1))
    }
}

/// A table of polynomials for the segments of a domain.
pub(super) struct Table {
    /// Bits of the argument.
    bits: u32,
    n_halvings: u32,
    /// Bits of the number of a segment in its part of the domain.
    index_bits: u32,
    /// For each power of the local argument, one word for each segment: signed, with `fraction_bits` bits below the point.
    coefficients: Vec<Vec<Bits>>,
    /// Upper bound of the bits of the value that the polynomial has from each power on, with a sign.
    value_bits: Vec<u32>,
    /// Bits of results below the point. The error of a result is less than `2^-accuracy_bits`.
    pub fraction_bits: u32,
}

/// Names of tables with the format that they are for.
type Key = (&'static str, u32, u32);

/// Returns the table of a name for a format, which is made when it is first needed.
pub(super) fn table(
    name: &'static str,
    layout: Layout,
    make: impl FnOnce() -> Table,
) -> Arc<Table> {
    static TABLES: OnceLock<Mutex<BTreeMap<Key, Arc<Table>>>> = OnceLock::new();
    let mut tables = TABLES
        .get_or_init(Mutex::default)
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let key = (name, layout.exponent_bits, layout.fraction_bits);
    Arc::clone(tables.entry(key).or_insert_with(|| Arc::new(make())))
}

/// Largest degree of polynomials: the steps of more would round by more than the bits in [`Table::new`] allow.
const MAX_DEGREE: usize = 9;

/// Bits of a value below those that count.
const GUARD_BITS: u32 = 5;

/// Points of a segment from which its polynomial is made: more than coefficients, so that the left-out ones tell the error.
const N_POINTS: u32 = 18;

/// Bits of a segment number at which the errors of all degrees are estimated.
const TRIAL_INDEX_BITS: u32 = 2;

/// Area of a multiplier block in look-up tables, as `docs/BENCHMARKS.md` weighs it.
const BLOCK_LUTS: u32 = 100;

/// Bits of the factors of a multiplier block.
const BLOCK_BITS: u32 = 18;

/// Entries of a table of one bit that a look-up table of four inputs holds.
const ENTRIES_PER_LUT: u32 = 16;

impl Table {
    /// Approximates `f` with an error below `2^-accuracy_bits`.
    pub fn new(domain: &Domain, accuracy_bits: u32, f: impl Fn(&Real) -> Real) -> Self {
        // A quarter of the error is for the polynomial. The error of a step is at most 2.5 units, half of one in its coefficient: at the largest
        // degree these are less than the other three quarters.
        let fraction_bits = accuracy_bits + GUARD_BITS;
        let target = i64::from(accuracy_bits) + 2;
        let trial = Segments::new(domain, TRIAL_INDEX_BITS.min(domain.most_index_bits()));
        let series: Vec<Vec<Real>> = trial.all().map(|s| chebyshev(&s, &f)).collect();
        let mut best: Option<(u64, usize, u32)> = None;
        for degree in 1..=MAX_DEGREE {
            // Halving the segments divides the error by 2^(degree + 1).
            let bits = series.iter().map(|s| error_exponent(s, degree)).max();
            let missing = bits.unwrap_or(0) + target;
            let per_bit = i64::try_from(degree).unwrap_or(1) + 1;
            let more = (missing.max(0) + per_bit - 1) / per_bit;
            let less = if missing < 0 { (-missing) / per_bit } else { 0 };
            let index_bits = i64::from(trial.index_bits) + more - less;
            let index_bits = u32::try_from(index_bits.max(0)).unwrap_or(0);
            if index_bits > domain.most_index_bits() {
                continue;
            }
            let cost = cost(degree, index_bits, domain, accuracy_bits);
            if best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, degree, index_bits));
            }
        }
        let (_, degree, estimate) = best.unwrap_or((0, MAX_DEGREE, domain.most_index_bits()));
        // The estimate may be one bit too large.
        let mut index_bits = estimate.saturating_sub(1);
        loop {
            let segments = Segments::new(domain, index_bits);
            let series: Vec<Vec<Real>> = segments.all().map(|s| chebyshev(&s, &f)).collect();
            let error = series.iter().map(|s| error_exponent(s, degree)).max();
            let has_room = index_bits < domain.most_index_bits();
            if error.is_some_and(|error| error > -target) && has_room {
                index_bits += 1;
                continue;
            }
            debug_assert!(
                error.is_some_and(|error| error <= -target),
                "a table of the largest size is exact enough"
            );
            return Self::of(domain, index_bits, fraction_bits, degree, &series);
        }
    }

    fn of(
        domain: &Domain,
        index_bits: u32,
        fraction_bits: u32,
        degree: usize,
        series: &[Vec<Real>],
    ) -> Self {
        let polynomials: Vec<Vec<Real>> = series.iter().map(|s| powers(&s[..=degree])).collect();
        let mut bound = Real::from(0_u32);
        let mut coefficients = Vec::new();
        let mut value_bits = vec![0; degree + 1];
        let unit = Real::power_of_two(-i32::try_from(fraction_bits).unwrap_or(0));
        for power in (0..=degree).rev() {
            let mut largest = Real::from(0_u32);
            for polynomial in &polynomials {
                let magnitude = polynomial[power].abs();
                if largest.is_less(&magnitude) {
                    largest = magnitude;
                }
            }
            // Rounding adds at most three units.
            bound = &(&bound + &largest) + &(&unit * &Real::from(3_u32));
            let bits = bound.exponent() + i64::from(fraction_bits) + 1;
            let width = u32::try_from(bits).unwrap_or(1).max(2);
            value_bits[power] = width;
            let own_bits = largest.exponent() + i64::from(fraction_bits) + 2;
            let own = u32::try_from(own_bits).unwrap_or(1).clamp(2, width);
            let words = polynomials.iter();
            let words: Vec<Bits> = words.map(|p| p[power].fixed(own, fraction_bits)).collect();
            coefficients.push(words);
        }
        coefficients.reverse();
        Self {
            bits: domain.bits,
            n_halvings: domain.n_halvings,
            index_bits,
            coefficients,
            value_bits,
            fraction_bits,
        }
    }

    /// Returns the value of the function for an argument `z`: signed, with [`Table::fraction_bits`] bits below the point.
    pub fn value<A: Algebra>(&self, a: &mut A, z: &A::Word) -> A::Word {
        let (index, local) = self.segment(a, z);
        self.polynomial(a, &index, &local)
    }

    /// Returns the value of a function from 0 to below 2: unsigned, with one bit before the point and [`Table::fraction_bits`] below.
    pub fn positive_value<A: Algebra>(&self, a: &mut A, z: &A::Word) -> A::Word {
        let value = self.value(a, z);
        a.extract(&value, 0, self.fraction_bits + 1)
    }

    /// Returns the number of the segment of an argument, and the signed position in it, from -1 to below 1.
    fn segment<A: Algebra>(&self, a: &mut A, z: &A::Word) -> (A::Word, A::Word) {
        debug_assert_eq!(a.width(z), self.bits, "the argument of the table");
        let (part, inner) = if self.n_halvings == 0 {
            (None, z.clone())
        } else {
            let n_parts = self.n_halvings;
            let part_bits = bits_for(n_parts);
            // The lowest part first; a leading bit above it chooses another one.
            let low = below(a, z, n_parts);
            let mut inner = append_zeros(a, &low, n_parts - 1);
            let mut part = a.number(part_bits, u64::from(n_parts));
            for i in (0..n_parts).rev() {
                let leading = bit(a, z, self.bits - 1 - i);
                let rest = below(a, z, i + 1);
                let rest = append_zeros(a, &rest, i);
                inner = a.ite(&leading, &rest, &inner);
                let number = a.number(part_bits, u64::from(i));
                part = a.ite(&leading, &number, &part);
            }
            (Some(part), inner)
        };
        let segment = (self.index_bits > 0).then(|| top(a, &inner, self.index_bits));
        let index = match (part, segment) {
            (Some(part), Some(segment)) => a.concat(&part, &segment),
            (Some(part), None) => part,
            (None, Some(segment)) => segment,
            (None, None) => a.number(1, 0),
        };
        let local = below(a, &inner, self.index_bits);
        let sign = top(a, &local, 1);
        let sign = a.not(&sign);
        let local = match a.width(&local) {
            1 => sign,
            _ => {
                let rest = below(a, &local, 1);
                a.concat(&sign, &rest)
            }
        };
        (index, local)
    }

    /// Evaluates the polynomial of a segment by Horner's rule.
    fn polynomial<A: Algebra>(&self, a: &mut A, index: &A::Word, local: &A::Word) -> A::Word {
        let degree = self.coefficients.len() - 1;
        let mut value = a.table(index, &self.coefficients[degree]);
        for power in (0..degree).rev() {
            let width = self.value_bits[power];
            let coefficient = a.table(index, &self.coefficients[power]);
            let coefficient = a.sext(&coefficient, width);
            // Digits of the position that are worth less than one unit of the product are dropped.
            let n_local = a.width(local).min(a.width(&value) + 1);
            let position = top(a, local, n_local);
            let whole = a.width(&value) + n_local;
            let [left, right] = [&value, &position].map(|factor| a.sext(factor, whole));
            let product = a.mul(&left, &right);
            let product = a.extract(&product, n_local - 1, whole - n_local + 1);
            let product = if a.width(&product) < width {
                a.sext(&product, width)
            } else {
                a.extract(&product, 0, width)
            };
            value = a.add(&coefficient, &product);
        }
        value
    }
}

/// Largest number of bits of the number of a segment.
const MAX_INDEX_BITS: u32 = 10;

/// Returns the estimated area of a table in look-up tables.
fn cost(degree: usize, index_bits: u32, domain: &Domain, accuracy_bits: u32) -> u64 {
    let n_segments = (domain.n_halvings + 1) << index_bits;
    let n_degree = u32::try_from(degree).unwrap_or(1);
    let mut luts = 0_u64;
    for power in 0..=n_degree {
        // Each power of the position is smaller by the width of a segment.
        let bits = (accuracy_bits + 5)
            .saturating_sub(power * (index_bits + 1))
            .max(2);
        let per_bit = n_segments.div_ceil(ENTRIES_PER_LUT).max(1);
        luts += u64::from(bits * per_bit);
        if power > 0 {
            let position = domain.bits.saturating_sub(index_bits).min(bits + 1);
            let blocks = bits.div_ceil(BLOCK_BITS) * position.div_ceil(BLOCK_BITS);
            // A small product is cheaper in look-up tables than in a block.
            luts += u64::from((blocks * BLOCK_LUTS).min(bits * position));
        }
    }
    luts
}

/// The segments of a domain.
struct Segments<'a> {
    domain: &'a Domain,
    index_bits: u32,
}

/// Middle and half of the width of a segment.
struct Segment {
    middle: Real,
    half: Real,
}

impl<'a> Segments<'a> {
    fn new(domain: &'a Domain, index_bits: u32) -> Self {
        Self { domain, index_bits }
    }

    /// Returns the segments in the order of the entries of a table: the upper half first.
    fn all(&self) -> impl Iterator<Item = Segment> + '_ {
        let n = self.domain.n_halvings;
        (0..=n).flat_map(move |part| {
            let power = |exponent: u32| Real::power_of_two(-i32::try_from(exponent).unwrap_or(0));
            let (base, range) = if part < n {
                (power(part + 1), power(part + 1))
            } else {
                (Real::from(0_u32), power(n))
            };
            let width = &range * &power(self.index_bits);
            (0..1_u32 << self.index_bits).map(move |i| {
                let low = &base + &(&width * &Real::from(i));
                let half = &width * &Real::from(0.5);
                let middle = &low + &half;
                Segment {
                    middle: &self.domain.low + &(&middle * &self.domain.range),
                    half: &half * &self.domain.range,
                }
            })
        })
    }
}

/// Returns the coefficients of the Chebyshev polynomials of a function in a segment, by interpolation at their roots.
fn chebyshev(segment: &Segment, f: &impl Fn(&Real) -> Real) -> Vec<Real> {
    let cosines = cosines();
    let n = N_POINTS;
    let values: Vec<Real> = (0..n)
        .map(|k| {
            let position = cosine(cosines, 2 * k + 1);
            f(&(&segment.middle + &(&segment.half * &position)))
        })
        .collect();
    let scale = |j: u32| if j == 0 { 1.0 } else { 2.0 };
    (0..n)
        .map(|j| {
            let mut sum = Real::from(0_u32);
            for (k, value) in (0..n).zip(&values) {
                sum = &sum + &(value * &cosine(cosines, j * (2 * k + 1)));
            }
            &(&sum * &Real::from(scale(j))) / &Real::from(n)
        })
        .collect()
}

/// Returns the cosines of the multiples of pi / (2 `N_POINTS`) in a circle.
fn cosines() -> &'static [Real] {
    static COSINES: OnceLock<Vec<Real>> = OnceLock::new();
    COSINES.get_or_init(|| {
        let step = &Real::pi() / &Real::from(2 * N_POINTS);
        let angles = 0..4 * N_POINTS;
        angles.map(|i| (&step * &Real::from(i)).cos()).collect()
    })
}

fn cosine(cosines: &[Real], multiple: u32) -> Real {
    cosines[(multiple % (4 * N_POINTS)) as usize].clone()
}

/// Returns the exponent of a power of two that is larger than the error of a series that ends with a degree: the sum of what is left
/// out.
fn error_exponent(series: &[Real], degree: usize) -> i64 {
    let mut error = Real::from(0_u32);
    for left_out in &series[degree + 1..] {
        error = &error + &left_out.abs();
    }
    error.exponent()
}

/// Returns the coefficients of the powers of the argument for a sum of Chebyshev polynomials.
fn powers(series: &[Real]) -> Vec<Real> {
    let n = series.len();
    let zero = Real::from(0_u32);
    let mut result = vec![zero.clone(); n];
    // T(0) = 1, T(1) = u, T(k + 1) = 2 u T(k) - T(k - 1).
    let (mut before, mut current) = (vec![zero.clone(); n], vec![zero.clone(); n]);
    current[0] = Real::from(1_u32);
    for (k, factor) in series.iter().enumerate() {
        for (sum, coefficient) in result.iter_mut().zip(&current) {
            *sum = &*sum + &(factor * coefficient);
        }
        let mut next = vec![zero.clone(); n];
        let times = Real::from(if k == 0 { 1.0 } else { 2.0 });
        for i in 0..n {
            let shifted = if i > 0 {
                current[i - 1].clone()
            } else {
                zero.clone()
            };
            next[i] = &(&times * &shifted) - &before[i];
        }
        before = current;
        current = next;
    }
    result
}
