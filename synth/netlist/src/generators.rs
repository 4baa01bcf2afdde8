//! Operator units that are separate modules: pipelined multipliers and iterative dividers.

use sluice_dialects::sluice;
use sluice_dialects::sluice::INTERLEAVE;
use sluice_dialects::synthesis_form::Multiplier;
use sluice_ir::bits::Bits;
use sluice_ir::{Attribute, Context, ValueId};
use sluice_oplib::class::OperatorClass;
use sluice_oplib::implementation::{
    LIMB_BITS, bits_per_cycle, division_steps, limb_products, tree_levels,
};

use crate::circuit::{Circuit, RegisterOptions};
use crate::divider::{Answer, Multiples, divider};
use crate::interleaved::interleaved;

/// The kind of a unit; operations of equal kinds may share a unit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UnitKind {
    /// The low `width_bits` of a product.
    Multiplier {
        /// Width of the operands and of the result.
        width_bits: u32,
        /// Cycles from operands to result; 0 is combinational.
        latency_cycles: u32,
        /// Width of the limbs into which the operands are split, see
        /// [`Structure::PartialProducts`](sluice_oplib::implementation::Structure::PartialProducts); `None` if they are not
        /// split.
        limb_bits: Option<u32>,
        /// Whether there is an input `enable`; while it is 0, all registers keep their values.
        stalls: bool,
    },
    /// A product of factors that are narrower than the result.
    Product {
        /// Widths of factors and result.
        multiplier: Multiplier,
        /// Cycles from operands to result; 0 is combinational.
        latency_cycles: u32,
        /// Whether there is an input `enable`; while it is 0, all registers keep their values.
        stalls: bool,
    },
    /// A quotient or a remainder.
    Divider {
        /// Width of the operands and of the result.
        width_bits: u32,
        /// Two's complement operands.
        signed: bool,
        /// Whether it computes the remainder instead of the quotient.
        remainder: bool,
        /// Cycles from operands to result: one to load the operands, then as many steps as [`bits_per_cycle`] needs for the
        /// width; the remaining ones are registers at the output.
        latency_cycles: u32,
        /// The number of dividers used in round-robin order.
        n_interleaved: u32,
        /// Whether all divisions in progress at the same time have the same divisor, so that interleaved dividers can share its
        /// register.
        one_divisor: bool,
        /// Whether there is an input `enable`; while it is 0, all registers keep their values.
        stalls: bool,
    },
    /// A float operation; the circuit is made from a scheduled function.
    Float {
        /// Name of the module, which that of the function is too.
        module: String,
        /// Class of the unit, such as `float_add`.
        class: String,
        /// Width of the first operand, and of the other operands together, the second above the third; 1 if there are none.
        operand_bits: [u32; 2],
        /// Width of the result.
        width_bits: u32,
        /// Cycles from operands to result; 0 is combinational.
        latency_cycles: u32,
    },
}

impl UnitKind {
    /// Returns whether the operands may be swapped.
    pub fn is_commutative(&self) -> bool {
        match self {
            Self::Multiplier { .. } => true,
            // Its inputs have their own widths.
            Self::Product { multiplier, .. } => {
                multiplier.factor_bits[0] == multiplier.factor_bits[1]
            }
            Self::Divider { .. } | Self::Float { .. } => false,
        }
    }

    /// Returns whether operands that are narrower than the unit must be sign-extended; a product needs only its low bits.
    pub fn is_signed(&self) -> bool {
        match self {
            Self::Multiplier { .. } | Self::Product { .. } | Self::Float { .. } => false,
            Self::Divider { signed, .. } => *signed,
        }
    }

    /// Returns the name of the module; `None` for a combinational unit, which has no module.
    pub(crate) fn module_name(&self) -> Option<String> {
        match self {
            Self::Float { module, .. } => Some(module.clone()),
            Self::Multiplier {
                latency_cycles: 0, ..
            } => None,
            Self::Multiplier {
                width_bits,
                latency_cycles,
                limb_bits,
                stalls,
            } => {
                let structure = match limb_bits {
                    None => String::new(),
                    Some(bits) if *bits == LIMB_BITS[0] => "p".to_owned(),
                    Some(bits) => format!("p{bits}"),
                };
                let stalls = stall_suffix(*stalls);
                Some(format!(
                    "sluice_mul{structure}_{width_bits}_l{latency_cycles}{stalls}"
                ))
            }
            Self::Product {
                latency_cycles: 0, ..
            } => None,
            Self::Product {
                multiplier,
                latency_cycles,
                stalls,
            } => {
                let sign = if multiplier.signed { "s" } else { "u" };
                let [left, right] = multiplier.factor_bits;
                let result = multiplier.result_bits;
                let stalls = stall_suffix(*stalls);
                Some(format!(
                    "sluice_mul{sign}_{left}x{right}_{result}_l{latency_cycles}{stalls}"
                ))
            }
            Self::Divider {
                width_bits,
                signed,
                remainder,
                latency_cycles,
                n_interleaved,
                one_divisor,
                stalls,
            } => {
                let sign = if *signed { "s" } else { "u" };
                let what = if *remainder { "rem" } else { "div" };
                let units = match n_interleaved {
                    1 => String::new(),
                    n if *one_divisor => format!("_x{n}_one"),
                    n => format!("_x{n}"),
                };
                let stalls = stall_suffix(*stalls);
                Some(format!(
                    "sluice_{what}{sign}_{width_bits}_l{latency_cycles}{units}{stalls}"
                ))
            }
        }
    }

    /// Returns the kind without interleaving: units with the same result here can execute one another's operations.
    pub fn alone(&self) -> Self {
        let mut kind = self.clone();
        match &mut kind {
            Self::Multiplier { .. } | Self::Product { .. } | Self::Float { .. } => {}
            Self::Divider {
                n_interleaved,
                one_divisor,
                ..
            } => (*n_interleaved, *one_divisor) = (1, false),
        }
        kind
    }

    /// Returns the unit that serves the operations of both kinds: it has the greater number of interleaved dividers. The divisor
    /// is shared if this is valid for every operation that uses interleaving.
    pub fn with_turns_of(&self, other: &Self) -> Self {
        let (few, many) = match self.turns() <= other.turns() {
            true => (self, other),
            false => (other, self),
        };
        let mut kind = many.clone();
        if let Self::Divider { one_divisor, .. } = &mut kind {
            *one_divisor = many.has_one_divisor() && (few.turns() == 1 || few.has_one_divisor());
        }
        kind
    }

    fn turns(&self) -> u32 {
        match self {
            Self::Multiplier { .. } | Self::Product { .. } | Self::Float { .. } => 1,
            Self::Divider { n_interleaved, .. } => *n_interleaved,
        }
    }

    /// Returns whether interleaved dividers share the register of the divisor.
    pub fn has_one_divisor(&self) -> bool {
        match self {
            Self::Multiplier { .. } | Self::Product { .. } | Self::Float { .. } => false,
            Self::Divider { one_divisor, .. } => *one_divisor,
        }
    }

    /// Returns the unit with or without an input `enable`; a combinational unit never has one.
    pub fn stalling(mut self, yes: bool) -> Self {
        match &mut self {
            Self::Multiplier {
                stalls,
                latency_cycles,
                ..
            }
            | Self::Product {
                stalls,
                latency_cycles,
                ..
            } => *stalls = yes && *latency_cycles > 0,
            Self::Divider { stalls, .. } => *stalls = yes,
            Self::Float { .. } => {}
        }
        self
    }

    fn stalls(&self) -> bool {
        match self {
            Self::Multiplier { stalls, .. }
            | Self::Product { stalls, .. }
            | Self::Divider { stalls, .. } => *stalls,
            Self::Float { .. } => false,
        }
    }

    /// Returns operator class, width and latency as attributes of the module, for reports.
    pub(crate) fn describe(&self, context: &Context) -> Vec<(&'static str, Attribute)> {
        let (class, latency_cycles) = match self {
            Self::Float {
                class,
                latency_cycles,
                width_bits,
                ..
            } => return describe_float(context, class, *width_bits, *latency_cycles),
            Self::Multiplier { latency_cycles, .. } | Self::Product { latency_cycles, .. } => {
                (OperatorClass::Multiply, latency_cycles)
            }
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
        let mut attributes = vec![
            (sluice::CLASS, context.string_attribute(class.name())),
            (
                sluice::WIDTH,
                number(self.operand_bits().into_iter().max().unwrap_or(1)),
            ),
            (sluice::LATENCY, number(*latency_cycles)),
        ];
        if let Self::Divider { n_interleaved, .. } = self
            && *n_interleaved > 1
        {
            attributes.push((INTERLEAVE, number(*n_interleaved)));
        }
        attributes
    }

    /// Returns the width of the result.
    pub fn width_bits(&self) -> u32 {
        match self {
            Self::Multiplier { width_bits, .. }
            | Self::Divider { width_bits, .. }
            | Self::Float { width_bits, .. } => *width_bits,
            Self::Product { multiplier, .. } => multiplier.result_bits,
        }
    }

    /// Returns the widths of the left and of the right operand.
    fn operand_bits(&self) -> [u32; 2] {
        match self {
            Self::Multiplier { width_bits, .. } | Self::Divider { width_bits, .. } => {
                [*width_bits; 2]
            }
            Self::Product { multiplier, .. } => multiplier.factor_bits,
            Self::Float { operand_bits, .. } => *operand_bits,
        }
    }

    /// Returns the nets of the operands of an operation at the widths of the inputs.
    pub fn operands(&self, circuit: &mut Circuit<'_>, operands: [ValueId; 2]) -> [ValueId; 2] {
        let mut fit = |net: ValueId, bits: u32| match circuit.width(net) {
            width if width >= bits => circuit.extract(net, 0, bits),
            _ if self.is_signed() => circuit.sext(net, bits),
            _ => circuit.zext(net, bits),
        };
        let [left, right] = self.operand_bits();
        [fit(operands[0], left), fit(operands[1], right)]
    }

    /// Whether the module has a reset: only dividers taken in turn count turns, all else that is held is loaded before it is used.
    pub(crate) fn has_reset(&self) -> bool {
        self.turns() > 1
    }

    /// Inputs of the module after the clock, and the reset if it has one.
    pub(crate) fn inputs(&self) -> Vec<(String, u32)> {
        let control = match self {
            Self::Multiplier { .. } | Self::Product { .. } | Self::Float { .. } => None,
            Self::Divider { .. } => Some(("start".to_owned(), 1)),
        };
        let stall = self.stalls().then(|| ("enable".to_owned(), 1));
        let operands = ["left", "right"].into_iter().zip(self.operand_bits());
        let operands = operands.map(|(name, bits)| (name.to_owned(), bits));
        stall.into_iter().chain(control).chain(operands).collect()
    }

    /// Instantiates the unit. `enable` is for units that stall, `start` is for dividers.
    pub fn instantiate(
        &self,
        circuit: &mut Circuit<'_>,
        enable: Option<ValueId>,
        start: Option<ValueId>,
        left: ValueId,
        right: ValueId,
    ) -> ValueId {
        let [left, right] = self.operands(circuit, [left, right]);
        let Some(module) = self.module_name() else {
            return match self {
                Self::Product { multiplier, .. } => product(circuit, *multiplier, left, right),
                Self::Multiplier { .. } | Self::Divider { .. } | Self::Float { .. } => {
                    circuit.comb("mul", &[left, right])
                }
            };
        };
        let enable = enable.filter(|_| self.stalls());
        let start = match self {
            Self::Multiplier { .. } | Self::Product { .. } | Self::Float { .. } => None,
            Self::Divider { .. } => start,
        };
        let control = enable.into_iter().chain(start);
        let nets: Vec<ValueId> = control.chain([left, right]).collect();
        let inputs: Vec<_> = self
            .inputs()
            .into_iter()
            .map(|(name, _)| name)
            .zip(nets)
            .collect();
        let instance = module.trim_start_matches("sluice_").to_owned();
        let result = [("result".to_owned(), self.width_bits())];
        match self.has_reset() {
            true => circuit.instance(&module, &instance, &inputs, &result)[0],
            false => circuit.clocked_instance(&module, &instance, &inputs, &result)[0],
        }
    }

    /// Builds the inside of the module; `inputs` are those of [`UnitKind::inputs`].
    pub(crate) fn generate(&self, circuit: &mut Circuit<'_>, inputs: &[ValueId]) -> ValueId {
        let inputs = match self.stalls() {
            true => {
                circuit.stall_enable = Some(inputs[0]);
                &inputs[1..]
            }
            false => inputs,
        };
        match self {
            Self::Float { .. } => unreachable!("made from its function"),
            Self::Multiplier {
                latency_cycles,
                limb_bits: Some(limb_bits),
                ..
            } => partial_products(circuit, inputs[0], inputs[1], *latency_cycles, *limb_bits),
            Self::Multiplier { latency_cycles, .. } => {
                let product = circuit.comb("mul", &inputs[..2]);
                registered(circuit, product, *latency_cycles)
            }
            Self::Product {
                multiplier,
                latency_cycles,
                ..
            } => {
                let product = product(circuit, *multiplier, inputs[0], inputs[1]);
                registered(circuit, product, *latency_cycles)
            }
            Self::Divider {
                signed,
                remainder,
                latency_cycles,
                width_bits,
                n_interleaved,
                one_divisor,
                ..
            } => {
                let digit_bits = bits_per_cycle(*width_bits, *latency_cycles);
                let answer = Answer {
                    signed: *signed,
                    remainder: *remainder,
                };
                let n_cycles = division_steps(*width_bits, digit_bits) + 1;
                let multiples = |circuit: &mut Circuit<'_>, start| {
                    Multiples::new(circuit, start, inputs[2], *signed, digit_bits)
                };
                let shared = one_divisor.then(|| multiples(circuit, inputs[0]));
                let one = |circuit: &mut Circuit<'_>, start| {
                    let operands = [start, inputs[1], inputs[2]];
                    let own = shared.is_none().then(|| multiples(circuit, start));
                    let multiples = shared.as_ref().or(own.as_ref());
                    let multiples = multiples.expect("what is not shared is its own");
                    let result = divider(circuit, operands, multiples, answer, digit_bits);
                    (n_cycles..*latency_cycles)
                        .fold(result, |data, _| register(circuit, data, "result_r"))
                };
                match n_interleaved {
                    1 => one(circuit, inputs[0]),
                    n => interleaved(circuit, inputs[0], *n, *latency_cycles, one),
                }
            }
        }
    }
}

/// Returns class, width and latency of the unit of a float operation as attributes.
fn describe_float(
    context: &Context,
    class: &str,
    width_bits: u32,
    latency_cycles: u32,
) -> Vec<(&'static str, Attribute)> {
    let number = |n: u32| context.i64_attribute(i64::from(n));
    vec![
        (sluice::CLASS, context.string_attribute(class)),
        (sluice::WIDTH, number(width_bits)),
        (sluice::LATENCY, number(latency_cycles)),
    ]
}

/// Returns the suffix of the module name.
fn stall_suffix(stalls: bool) -> &'static str {
    match stalls {
        true => "_stalls",
        false => "",
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

/// Builds the product of two factors at the width of the result.
fn product(
    circuit: &mut Circuit<'_>,
    multiplier: Multiplier,
    left: ValueId,
    right: ValueId,
) -> ValueId {
    let factors = [left, right].map(|factor| match multiplier.signed {
        true => circuit.sext(factor, multiplier.result_bits),
        false => circuit.zext(factor, multiplier.result_bits),
    });
    circuit.comb("mul", &factors)
}

/// Returns a value after `latency_cycles` registers.
fn registered(circuit: &mut Circuit<'_>, value: ValueId, latency_cycles: u32) -> ValueId {
    (0..latency_cycles).fold(value, |data, _| register(circuit, data, "product_r"))
}

/// Builds a multiplier from products of limbs in registers and a binary adder tree with registers after each stage. This is the
/// structure that [`Structure::PartialProducts`](sluice_oplib::implementation::Structure::PartialProducts) describes and for
/// which the device files have figures.
fn partial_products(
    circuit: &mut Circuit<'_>,
    left: ValueId,
    right: ValueId,
    latency_cycles: u32,
    limb_bits: u32,
) -> ValueId {
    let width = circuit.width(left);
    let bits_of = |i: u32| limb_bits.min(width - i * limb_bits);
    let mut terms = Vec::new();
    for (i, j) in limb_products(width, limb_bits) {
        let shift = (i + j) * limb_bits;
        let bits = (bits_of(i) + bits_of(j)).min(width - shift);
        let mut limb = |value, at: u32| {
            let limb = circuit.extract(value, at * limb_bits, bits_of(at).min(bits));
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
