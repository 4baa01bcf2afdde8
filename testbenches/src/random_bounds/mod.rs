//! Random loops with few iterations, whose bounds, ranges and steps are near powers of two, up to the limits of their types.
//!
//! Each seed gives a kernel with one or two loops: `scf.for`, `affine.for`, `scf.while`, or blocks. They test first or run first,
//! count up or down, compare signed or unsigned, in 8 to 65 bits or `index`. Bounds are constants or arguments.

mod check;
mod text;

use sluice_ir::bits::Bits;
use sluice_verify::data::Random;

pub use check::{Engines, Report, run};

/// The type of an induction variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// `index`, 64 bits wide.
    Index,
    /// A signless integer of this width.
    Integer(u32),
}

impl Counter {
    fn width_bits(self) -> u32 {
        match self {
            Self::Index => 64,
            Self::Integer(width_bits) => width_bits,
        }
    }

    fn name(self) -> String {
        match self {
            Self::Index => "index".to_owned(),
            Self::Integer(width_bits) => format!("i{width_bits}"),
        }
    }

    /// Returns the smallest and the greatest number.
    fn ends(self, is_signed: bool) -> (i128, i128) {
        let width = self.width_bits();
        match is_signed {
            true => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
            false => (0, (1 << width) - 1),
        }
    }

    fn bits(self, number: i128) -> Bits {
        Bits::from_i128(self.width_bits(), number)
    }
}

/// The form of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    For,
    AffineFor,
    While { runs_first: bool },
    Blocks { runs_first: bool },
}

/// A bound or step of a loop.
#[derive(Clone, Debug)]
struct Number {
    bits: Bits,
    /// Whether it is an argument of the kernel.
    is_argument: bool,
}

/// One loop.
#[derive(Clone, Debug)]
struct Loop {
    form: Form,
    counter: Counter,
    predicate: &'static str,
    first: Number,
    limit: Number,
    step: Number,
    /// The offset that is added to the counter before the test.
    offset: i64,
    /// Where present: the bounds are the counter of the outer loop, and that plus this number.
    from_outer: Option<i128>,
}

/// A kernel and its only data set.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The seed.
    pub seed: u64,
    loops: Vec<Loop>,
    has_memory: bool,
    /// The initial carried value.
    initial: u64,
}

const COUNTERS: [Counter; 8] = [
    Counter::Integer(8),
    Counter::Integer(16),
    Counter::Integer(32),
    Counter::Integer(63),
    Counter::Integer(64),
    Counter::Integer(65),
    Counter::Index,
    Counter::Index,
];

const PREDICATES: [&str; 9] = ["ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];

fn pick<T: Copy>(random: &mut Random, all: &[T]) -> T {
    let last = u64::try_from(all.len() - 1).expect("short lists");
    all[usize::try_from(random.up_to(last)).expect("short lists")]
}

fn small(random: &mut Random, most: u64) -> i128 {
    i128::from(random.up_to(most))
}

/// Returns a number near a power of two, within these limits.
fn near_power(random: &mut Random, counter: Counter, (least, greatest): (i128, i128)) -> i128 {
    let highest = u64::from(counter.width_bits().min(64));
    let power = 1i128 << (7 + random.up_to(highest - 7));
    let near = power + small(random, 8) - 4;
    let near = match random.up_to(5) {
        0 | 1 => -near,
        2 => least + small(random, 4),
        3 => greatest - small(random, 4),
        _ => near,
    };
    near.clamp(least, greatest)
}

/// Returns the size of a step: small, or near a power of two, or a fraction of the whole range.
fn step(random: &mut Random, counter: Counter) -> i128 {
    let (_, most) = counter.ends(true);
    let power = 1i128 << random.up_to(u64::from(counter.width_bits() - 2));
    let step = match random.up_to(6) {
        0 | 1 => 1 + small(random, 3),
        2 => most / (1 + small(random, 6)),
        3 => most - small(random, 3),
        4 => power,
        _ => power + small(random, 4) - 2,
    };
    step.clamp(1, most)
}

impl Loop {
    fn random(random: &mut Random, is_nested: bool) -> Self {
        let counter = pick(random, &COUNTERS);
        let runs_first = pick(random, &[false, true]);
        let form = match random.up_to(8) {
            0..=2 => Form::For,
            3 if !is_nested => Form::Blocks { runs_first },
            4 | 5 if counter == Counter::Index => Form::AffineFor,
            _ => Form::While { runs_first },
        };
        let is_for = matches!(form, Form::For | Form::AffineFor);
        let predicate = match is_for {
            true => "slt",
            false => pick(random, &PREDICATES),
        };
        let is_up = is_for || !matches!(predicate, "sgt" | "sge" | "ugt" | "uge");
        let is_up = is_up && (predicate != "ne" || pick(random, &[false, true]));
        let ends = counter.ends(!predicate.starts_with('u'));
        let size = step(random, counter);
        let n = small(random, 4);
        // The range need not be a multiple of the step.
        let rest = match predicate {
            "ne" => 0,
            _ => pick(random, &[0, 0, 1, size - 1, size / 2]).min(size - 1),
        };
        let way = n * size - rest;
        let way = match random.up_to(9) {
            0 => -way,
            _ => way,
        };
        let signed = if is_up { way } else { -way };
        let (mut first, mut limit) = match random.up_to(2) {
            0 => {
                let limit = near_power(random, counter, ends);
                (limit - signed, limit)
            }
            _ => {
                let first = near_power(random, counter, ends);
                (first, first + signed)
            }
        };
        if is_for || random.up_to(7) > 0 {
            (first, limit) = (first.clamp(ends.0, ends.1), limit.clamp(ends.0, ends.1));
        }
        let offset = match is_for {
            true => 0,
            false => pick(random, &[0, 0, 0, 1, -1]),
        };
        let mut number = |number: i128| Number {
            bits: counter.bits(number),
            is_argument: form != Form::AffineFor && random.up_to(2) == 0,
        };
        Self {
            form,
            counter,
            predicate,
            first: number(first),
            limit: number(limit),
            step: number(if is_up { size } else { -size }),
            offset,
            from_outer: None,
        }
    }
}

impl Kernel {
    /// Returns the kernel of a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x00b0_04d5);
        let mut loops = vec![Loop::random(&mut random, false)];
        let is_structured = !matches!(loops[0].form, Form::Blocks { .. });
        if is_structured && random.up_to(2) == 0 {
            let mut inner = Loop::random(&mut random, true);
            let can_follow = inner.form == Form::For && loops[0].form == Form::For;
            if can_follow && pick(&mut random, &[false, true]) {
                inner.counter = loops[0].counter;
                inner.from_outer = Some(small(&mut random, 5) - 1);
                let counter = inner.counter;
                let constant = |number: i128| Number {
                    bits: counter.bits(number),
                    is_argument: false,
                };
                let size = 1 + small(&mut random, 2);
                // These bounds are not used.
                (inner.first, inner.limit) = (constant(0), constant(0));
                inner.step = constant(size);
            }
            loops.push(inner);
        }
        Self {
            seed,
            loops,
            has_memory: random.up_to(2) == 0,
            initial: random.up_to(u64::from(u32::MAX)),
        }
    }
}
