//! Mathematical functions of floats: exponentials, logarithms, trigonometric functions and others, as integer operations.
//!
//! A function is the same data path in folding, interpreter and circuits, so all of them give the same bits. An argument is reduced to
//! a short range, where tables of polynomials approximate the function. Tables are made for the format when they are first needed.
//! Results differ from the exact ones by less than one unit in the last place, which tests check against functions of the platform.
//!
//! Source of the methods: F. de Dinechin, M. Kumm, "Application-Specific Arithmetic", Springer 2024, chapters 17 to 20; J.-M. Muller,
//! "Elementary Functions", third edition, chapters 4 and 11.

mod arctangent;
mod exponential;
mod logarithm;
mod polynomials;
mod power;
mod ratios;
mod real;
mod roots;
mod trigonometric;

use super::super::Algebra;
use super::FloatFormat;
use super::expand::order;
use super::layout::Layout;

/// Bits of the largest format that has these functions: in longer ones, tables are too large for circuits.
const MAX_WIDTH_BITS: u32 = 64;

/// Returns whether a format has mathematical functions.
pub fn has_functions(format: FloatFormat) -> bool {
    Layout::of(format).is_some_and(|layout| layout.width_bits() <= MAX_WIDTH_BITS)
}

/// A mathematical function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatFunction {
    /// Arc tangent, in radians.
    Atan,
    /// Angle in radians of the point whose second coordinate is the first operand, and whose first is the second operand.
    Atan2,
    /// Cosine of an angle in radians.
    Cos,
    /// Error function.
    Erf,
    /// Power of e.
    Exp,
    /// Power of 2.
    Exp2,
    /// Natural logarithm.
    Log,
    /// Logarithm to base 10.
    Log10,
    /// Logarithm to base 2.
    Log2,
    /// Power: the first operand to the second.
    Pow,
    /// Inverse of the square root.
    Rsqrt,
    /// Sine of an angle in radians.
    Sin,
    /// Hyperbolic tangent.
    Tanh,
}

impl FloatFunction {
    /// All functions with their names.
    pub const ALL: [(&'static str, Self); 13] = [
        ("atan", Self::Atan),
        ("atan2", Self::Atan2),
        ("cos", Self::Cos),
        ("erf", Self::Erf),
        ("exp", Self::Exp),
        ("exp2", Self::Exp2),
        ("log", Self::Log),
        ("log10", Self::Log10),
        ("log2", Self::Log2),
        ("pow", Self::Pow),
        ("rsqrt", Self::Rsqrt),
        ("sin", Self::Sin),
        ("tanh", Self::Tanh),
    ];

    /// Returns the number of operands.
    pub fn n_operands(self) -> usize {
        match self {
            Self::Atan2 | Self::Pow => 2,
            Self::Atan
            | Self::Cos
            | Self::Erf
            | Self::Exp
            | Self::Exp2
            | Self::Log
            | Self::Log10
            | Self::Log2
            | Self::Rsqrt
            | Self::Sin
            | Self::Tanh => 1,
        }
    }
}

/// Returns the value of a function.
pub(super) fn value<A: Algebra>(
    a: &mut A,
    function: FloatFunction,
    layout: Layout,
    x: &[A::Word],
) -> A::Word {
    match function {
        FloatFunction::Atan => {
            let one = a.constant(layout.one());
            let sign = order::sign_of(a, &x[0]);
            let no = a.number(1, 0);
            let magnitude = order::with_sign(a, layout, &x[0], &no);
            let angle = arctangent::angle(a, layout, &magnitude, &one);
            order::with_sign(a, layout, &angle, &sign)
        }
        FloatFunction::Atan2 => arctangent::angle(a, layout, &x[0], &x[1]),
        FloatFunction::Cos => trigonometric::cosine(a, layout, &x[0]),
        FloatFunction::Sin => trigonometric::sine(a, layout, &x[0]),
        FloatFunction::Erf => ratios::error_function(a, layout, &x[0]),
        FloatFunction::Tanh => ratios::hyperbolic_tangent(a, layout, &x[0]),
        FloatFunction::Exp => exponential::power_of_e(a, layout, &x[0]),
        FloatFunction::Exp2 => exponential::power_of_two(a, layout, &x[0]),
        FloatFunction::Log => logarithm::logarithm(a, layout, logarithm::Base::E, &x[0]),
        FloatFunction::Log2 => logarithm::logarithm(a, layout, logarithm::Base::Two, &x[0]),
        FloatFunction::Log10 => logarithm::logarithm(a, layout, logarithm::Base::Ten, &x[0]),
        FloatFunction::Pow => power::power(a, layout, &x[0], &x[1]),
        FloatFunction::Rsqrt => roots::inverse_square_root(a, layout, &x[0]),
    }
}
