//! Units that are modules of their own: pipelined multipliers and iterative dividers.

use sluice_ir::bits::Bits;
use sluice_ir::{Attribute, Context, ValueId};
use sluice_oplib::class::OperatorClass;
use sluice_oplib::implementation::{LIMB_BITS, bits_per_cycle, limb_products, tree_levels};

use crate::circuit::{Circuit, Predicate, RegisterOptions};

/// A kind of unit; equal kinds may share one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum UnitKind {
    /// The low `width_bits` of a product.
    Multiplier {
        /// Width of the operands and of the result.
        width_bits: u32,
        /// Cycles from operands to result; 0 is combinational.
        latency_cycles: u32,
        /// Cut into limbs, see [`Structure::PartialProducts`](sluice_oplib::implementation::Structure::PartialProducts).
        partial_products: bool,
    },
    /// Quotient or remainder.
    Divider {
        /// Width of the operands and of the result.
        width_bits: u32,
        /// Two's complement operands.
        signed: bool,
        /// The remainder rather than the quotient.
        remainder: bool,
        /// Cycles from operands to result: one to load, then those that [`bits_per_cycle`] makes of the width, the rest registers behind.
        latency_cycles: u32,
    },
}

impl UnitKind {
    /// The module's name; a combinational unit has no module.
    pub(crate) fn module_name(&self) -> Option<String> {
        match self {
            Self::Multiplier {
                latency_cycles: 0, ..
            } => None,
            Self::Multiplier {
                width_bits,
                latency_cycles,
                partial_products,
            } => {
                let structure = if *partial_products { "p" } else { "" };
                Some(format!(
                    "sluice_mul{structure}_{width_bits}_l{latency_cycles}"
                ))
            }
            Self::Divider {
                width_bits,
                signed,
                remainder,
                latency_cycles,
            } => {
                let sign = if *signed { "s" } else { "u" };
                let what = if *remainder { "rem" } else { "div" };
                Some(format!(
                    "sluice_{what}{sign}_{width_bits}_l{latency_cycles}"
                ))
            }
        }
    }

    /// What the unit is, for reports: operator class, width and latency, as attributes of its module.
    pub(crate) fn describe(&self, context: &Context) -> Vec<(&'static str, Attribute)> {
        let (class, latency_cycles) = match self {
            Self::Multiplier { latency_cycles, .. } => (OperatorClass::Multiply, latency_cycles),
            Self::Divider {
                signed,
                remainder,
                latency_cycles,
                ..
            } => {
                let class = match (signed, remainder) {
                    (false, false) => OperatorClass::DivideUnsigned,
                    (false, true) => OperatorClass::RemainderUnsigned,
                    (true, false) => OperatorClass::DivideSigned,
                    (true, true) => OperatorClass::RemainderSigned,
                };
                (class, latency_cycles)
            }
        };
        let number = |n: u32| context.i64_attribute(i64::from(n));
        vec![
            ("sluice.class", context.string_attribute(class.name())),
            ("sluice.width", number(self.width_bits())),
            ("sluice.latency", number(*latency_cycles)),
        ]
    }

    /// Width of operands and result.
    pub(crate) fn width_bits(&self) -> u32 {
        match self {
            Self::Multiplier { width_bits, .. } | Self::Divider { width_bits, .. } => *width_bits,
        }
    }

    /// Inputs of the module behind clock and reset.
    pub(crate) fn inputs(&self) -> Vec<(String, u32)> {
        let width_bits = self.width_bits();
        let operands = [
            ("left".to_owned(), width_bits),
            ("right".to_owned(), width_bits),
        ];
        match self {
            Self::Multiplier { .. } => operands.to_vec(),
            Self::Divider { .. } => [("start".to_owned(), 1)]
                .into_iter()
                .chain(operands)
                .collect(),
        }
    }

    /// The unit in a module that uses it.
    pub(crate) fn instantiate(
        &self,
        circuit: &mut Circuit<'_>,
        start: ValueId,
        left: ValueId,
        right: ValueId,
    ) -> ValueId {
        let Some(module) = self.module_name() else {
            return circuit.comb("mul", &[left, right]);
        };
        let nets: Vec<ValueId> = match self {
            Self::Multiplier { .. } => vec![left, right],
            Self::Divider { .. } => vec![start, left, right],
        };
        let inputs: Vec<_> = self
            .inputs()
            .into_iter()
            .map(|(name, _)| name)
            .zip(nets)
            .collect();
        let instance = module.trim_start_matches("sluice_").to_owned();
        circuit.instance(
            &module,
            &instance,
            &inputs,
            &[("result".to_owned(), self.width_bits())],
        )[0]
    }

    /// The inside of the module; `inputs` as in [`UnitKind::inputs`].
    pub(crate) fn generate(&self, circuit: &mut Circuit<'_>, inputs: &[ValueId]) -> ValueId {
        match self {
            Self::Multiplier {
                latency_cycles,
                partial_products: true,
                ..
            } => partial_products(circuit, inputs[0], inputs[1], *latency_cycles),
            Self::Multiplier { latency_cycles, .. } => {
                multiplier(circuit, inputs[0], inputs[1], *latency_cycles)
            }
            Self::Divider {
                signed,
                remainder,
                latency_cycles,
                width_bits,
            } => {
                let operands = [inputs[0], inputs[1], inputs[2]];
                let digit_bits = bits_per_cycle(*width_bits, *latency_cycles);
                let result = divider(circuit, operands, *signed, *remainder, digit_bits);
                (width_bits.div_ceil(digit_bits) + 1..*latency_cycles)
                    .fold(result, |data, _| register(circuit, data, "result_r"))
            }
        }
    }
}

fn register(circuit: &mut Circuit<'_>, data: ValueId, name: &str) -> ValueId {
    circuit.register(
        data,
        RegisterOptions {
            enable: None,
            reset: None,
            preset: None,
            name,
        },
    )
}

/// One product, then as many registers as there are cycles.
fn multiplier(
    circuit: &mut Circuit<'_>,
    left: ValueId,
    right: ValueId,
    latency_cycles: u32,
) -> ValueId {
    let product = circuit.comb("mul", &[left, right]);
    (0..latency_cycles).fold(product, |data, _| register(circuit, data, "product_r"))
}

/// Limb products in registers, then a binary tree of sums with registers after each stage: the structure that
/// [`Structure::PartialProducts`](sluice_oplib::implementation::Structure::PartialProducts) describes and the device files have figures for.
fn partial_products(
    circuit: &mut Circuit<'_>,
    left: ValueId,
    right: ValueId,
    latency_cycles: u32,
) -> ValueId {
    let width = circuit.width(left);
    let limb_bits = |i: u32| LIMB_BITS.min(width - i * LIMB_BITS);
    let mut terms = Vec::new();
    for (i, j) in limb_products(width) {
        let shift = (i + j) * LIMB_BITS;
        let bits = (limb_bits(i) + limb_bits(j)).min(width - shift);
        let mut limb = |value, at: u32| {
            let limb = circuit.extract(value, at * LIMB_BITS, limb_bits(at).min(bits));
            circuit.zext(limb, bits)
        };
        let (a, b) = (limb(left, i), limb(right, j));
        let product = circuit.comb("mul", &[a, b]);
        let product = register(circuit, product, "product_r");
        let wide = circuit.zext(product, width - shift);
        terms.push(if shift == 0 {
            wide
        } else {
            let zeros = circuit.constant(Bits::zero(shift));
            circuit.concat(&[wide, zeros])
        });
    }
    let n_products = u32::try_from(terms.len()).expect("a multiplier has few limbs");
    let n_stages = latency_cycles.saturating_sub(1);
    let levels = if n_stages == 0 {
        vec![n_products]
    } else {
        tree_levels(n_products, n_stages)
    };
    for n_levels in levels {
        for _ in 0..n_levels {
            if terms.len() > 1 {
                let pairs: Vec<Vec<ValueId>> = terms.chunks(2).map(<[ValueId]>::to_vec).collect();
                terms = pairs
                    .iter()
                    .map(|p| {
                        if p.len() == 2 {
                            circuit.comb("add", p)
                        } else {
                            p[0]
                        }
                    })
                    .collect();
            }
        }
        if n_stages > 0 {
            terms = terms
                .iter()
                .map(|t| register(circuit, *t, "sum_r"))
                .collect();
        }
    }
    terms[0]
}

/// Restoring division, `digit_bits` quotient bits a cycle: `start` loads the operands, every other cycle makes as many steps, so the
/// result stands `ceil(width / digit_bits) + 1` cycles after `start` and needs no counter. A dividend whose width is no multiple gets
/// zeros in front.
///
/// Invariant: `remainder < divisor` after every step unless the divisor is 0. A divisor of 0 gives a quotient of all ones
/// and the dividend as remainder (with the signs of signed division), as SMT-LIB defines.
fn divider(
    circuit: &mut Circuit<'_>,
    [start, left, right]: [ValueId; 3],
    signed: bool,
    remainder: bool,
    digit_bits: u32,
) -> ValueId {
    let width = circuit.width(left);
    let quotient_bits = width.next_multiple_of(digit_bits);
    let magnitude = |circuit: &mut Circuit<'_>, value: ValueId| {
        let sign = circuit.extract(value, width - 1, 1);
        let zero = circuit.constant(Bits::zero(width));
        let negated = circuit.comb("sub", &[zero, value]);
        (sign, circuit.mux(sign, negated, value))
    };
    let (dividend, divisor, negate) = if signed {
        let (left_sign, dividend) = magnitude(circuit, left);
        let (right_sign, divisor) = magnitude(circuit, right);
        let negate = if remainder {
            left_sign
        } else {
            circuit.comb("xor", &[left_sign, right_sign])
        };
        let options = RegisterOptions {
            enable: Some(start),
            reset: None,
            preset: None,
            name: "negate",
        };
        (dividend, divisor, Some(circuit.register(negate, options)))
    } else {
        (left, right, None)
    };
    let (rest, quotient) = (circuit.wire(width), circuit.wire(quotient_bits));
    let divisors = multiples(circuit, divisor, start, digit_bits);
    let (mut next_rest, mut next_quotient) = (rest, quotient);
    for _ in 0..digit_bits / step_bits(digit_bits) {
        (next_rest, next_quotient) = division_step(
            circuit,
            next_rest,
            next_quotient,
            &divisors,
            step_bits(digit_bits),
        );
    }
    let dividend = circuit.zext(dividend, quotient_bits);
    let zero = circuit.constant(Bits::zero(width));
    let next_rest = circuit.mux(start, zero, next_rest);
    let next_quotient = circuit.mux(start, dividend, next_quotient);
    let rest_register = register(circuit, next_rest, "rest");
    let quotient_register = register(circuit, next_quotient, "quotient");
    circuit.connect(rest, rest_register);
    circuit.connect(quotient, quotient_register);
    let result = if remainder {
        rest_register
    } else {
        circuit.extract(quotient_register, 0, width)
    };
    match negate {
        None => result,
        Some(negate) => {
            let negated = circuit.comb("sub", &[zero, result]);
            circuit.mux(negate, negated, result)
        }
    }
}

/// Quotient bits of one step: a step of two compares with three multiples of the divisor at once.
fn step_bits(digit_bits: u32) -> u32 {
    if digit_bits.is_multiple_of(2) { 2 } else { 1 }
}

/// The divisor and, for steps of two bits, twice and three times it, held from `start` on; each two bits wider than the divisor.
fn multiples(
    circuit: &mut Circuit<'_>,
    divisor: ValueId,
    start: ValueId,
    digit_bits: u32,
) -> Vec<ValueId> {
    let width = circuit.width(divisor);
    let hold = |circuit: &mut Circuit<'_>, data, name| {
        let options = RegisterOptions {
            enable: Some(start),
            reset: None,
            preset: None,
            name,
        };
        circuit.register(data, options)
    };
    let once = hold(circuit, divisor, "divisor");
    let single = circuit.zext(once, width + 2);
    if step_bits(digit_bits) == 1 {
        return vec![single];
    }
    let zero = circuit.constant(Bits::zero(1));
    let doubled = |circuit: &mut Circuit<'_>, value| {
        let twice = circuit.concat(&[value, zero]);
        circuit.zext(twice, width + 2)
    };
    let twice = doubled(circuit, once);
    let (wide, wide_twice) = (circuit.zext(divisor, width + 2), doubled(circuit, divisor));
    let thrice = circuit.comb("add", &[wide, wide_twice]);
    let thrice = hold(circuit, thrice, "divisor_thrice");
    vec![single, twice, thrice]
}

/// One step of a restoring division: shifts in the next bits of the dividend, subtracts the greatest multiple that fits.
fn division_step(
    circuit: &mut Circuit<'_>,
    rest: ValueId,
    quotient: ValueId,
    divisors: &[ValueId],
    step_bits: u32,
) -> (ValueId, ValueId) {
    let (width, quotient_bits) = (circuit.width(rest), circuit.width(quotient));
    let top = circuit.extract(quotient, quotient_bits - step_bits, step_bits);
    let shifted = circuit.concat(&[rest, top]);
    let shifted = circuit.zext(shifted, width + 2);
    let mut kept = shifted;
    let mut digit = circuit.constant(Bits::zero(step_bits));
    for (n, multiple) in divisors.iter().enumerate() {
        let fits = circuit.compare(Predicate::Uge, shifted, *multiple);
        let difference = circuit.comb("sub", &[shifted, *multiple]);
        kept = circuit.mux(fits, difference, kept);
        let n = u64::try_from(n + 1).expect("at most three multiples");
        let value = circuit.constant(Bits::from_u64(step_bits, n));
        digit = circuit.mux(fits, value, digit);
    }
    let next_rest = circuit.extract(kept, 0, width);
    let next_quotient = if quotient_bits == step_bits {
        digit
    } else {
        let low = circuit.extract(quotient, 0, quotient_bits - step_bits);
        circuit.concat(&[low, digit])
    };
    (next_rest, next_quotient)
}
