//! The computation of named operations on one point: the region that their text form leaves out.

use sluice_ir::algebra::{Concrete, FloatOp, expand};
use sluice_ir::bits::Bits;
use sluice_ir::types::FloatKind;
use sluice_ir::{AttributeKind, Builder, Type, TypeKind, ValueId};

use crate::{arith, math};

/// The computation of a named operation on one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Computation {
    /// `out + a * b`, all converted to the type of `out`.
    MultiplyAdd,
    /// `out + (a - zero of a) * (b - zero of b)`.
    QuantizedMultiplyAdd,
    /// A window of the first input is accumulated; the second input only gives the size of the window.
    Window(Binary),
    /// The first input.
    Copy,
    /// A function of the input.
    Unary(Unary),
    /// A function of both inputs.
    Binary(Binary),
    /// The second input if the first one is true, else the third.
    Select,
}

impl Computation {
    /// Returns the number of inputs.
    pub(super) fn n_inputs(self) -> usize {
        match self {
            Self::Copy | Self::Unary(_) => 1,
            Self::MultiplyAdd | Self::Window(_) | Self::Binary(_) => 2,
            Self::Select => 3,
            Self::QuantizedMultiplyAdd => 4,
        }
    }
}

/// A function of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Exp,
    Log,
    Abs,
    Ceil,
    Floor,
    Negate,
    Reciprocal,
    Round,
    Sqrt,
    Rsqrt,
    Square,
    Tanh,
    Erf,
}

impl Unary {
    /// In the order of the cases of `#linalg.unary_fn`.
    pub(super) const ALL: [Self; 13] = [
        Self::Exp,
        Self::Log,
        Self::Abs,
        Self::Ceil,
        Self::Floor,
        Self::Negate,
        Self::Reciprocal,
        Self::Round,
        Self::Sqrt,
        Self::Rsqrt,
        Self::Square,
        Self::Tanh,
        Self::Erf,
    ];
}

/// A function of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    DivUnsigned,
    Max,
    Min,
    MaxUnsigned,
    MinUnsigned,
    Powf,
}

impl Binary {
    /// In the order of the cases of `#linalg.binary_fn`.
    pub(super) const ALL: [Self; 10] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Div,
        Self::DivUnsigned,
        Self::Max,
        Self::Min,
        Self::MaxUnsigned,
        Self::MinUnsigned,
        Self::Powf,
    ];
}

/// The kinds of numbers that computations distinguish.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    Bool,
    Integer,
    Float,
}

/// Builds the computation of a point.
pub(super) struct Scalar<'b, 'a> {
    pub(super) builder: &'b mut Builder<'a>,
    /// Conversions of integers are without sign.
    pub(super) is_unsigned: bool,
}

impl Scalar<'_, '_> {
    fn number(&self, ty: Type) -> Option<Number> {
        match ty.kind(self.builder.context) {
            TypeKind::Integer { width_bits: 1, .. } => Some(Number::Bool),
            TypeKind::Integer { .. } | TypeKind::Index => Some(Number::Integer),
            TypeKind::Float(_) => Some(Number::Float),
            _ => None,
        }
    }

    fn operation(&mut self, name: &str, operands: &[ValueId], ty: Type) -> ValueId {
        let op = self.builder.operation(name, operands, &[ty], &[]);
        self.builder.body.result(op, 0)
    }

    fn ty(&self, value: ValueId) -> Type {
        self.builder.body.ty(value)
    }

    /// Returns the result of a computation: of `inputs`, and of `output`, the value to be replaced. `None` if there is none for
    /// their types.
    pub(super) fn compute(
        &mut self,
        computation: Computation,
        inputs: &[ValueId],
        output: ValueId,
    ) -> Option<ValueId> {
        let ty = self.ty(output);
        match (computation, inputs) {
            (Computation::MultiplyAdd, [a, b]) => {
                let (a, b) = (self.cast(*a, ty)?, self.cast(*b, ty)?);
                let product = self.binary(Binary::Mul, a, b)?;
                self.binary(Binary::Add, output, product)
            }
            (Computation::QuantizedMultiplyAdd, [a, b, zero_a, zero_b]) => {
                let mut differences = Vec::new();
                for (factor, zero) in [(a, zero_a), (b, zero_b)] {
                    let value = self.cast(*factor, ty)?;
                    let zero = self.cast(*zero, ty)?;
                    differences.push(self.binary(Binary::Sub, value, zero)?);
                }
                let product = self.binary(Binary::Mul, differences[0], differences[1])?;
                self.binary(Binary::Add, output, product)
            }
            (Computation::Window(combine), [value, _]) => {
                let value = self.cast(*value, ty)?;
                self.binary(combine, output, value)
            }
            (Computation::Copy, [value]) => self.cast(*value, ty),
            (Computation::Unary(function), [value]) => {
                let value = self.cast(*value, ty)?;
                self.unary(function, value)
            }
            (Computation::Binary(function), [a, b]) => {
                let (a, b) = (self.cast(*a, ty)?, self.cast(*b, ty)?);
                self.binary(function, a, b)
            }
            (Computation::Select, [condition, a, b]) => {
                let (a, b) = (self.cast(*a, ty)?, self.cast(*b, ty)?);
                Some(self.operation(arith::Select::NAME, &[*condition, a, b], ty))
            }
            _ => None,
        }
    }

    /// Converts a value to the type of the result.
    fn cast(&mut self, value: ValueId, to: Type) -> Option<ValueId> {
        let context = self.builder.context;
        let from = self.ty(value);
        if from == to {
            return Some(value);
        }
        let is_float = |ty: Type| matches!(ty.kind(context), TypeKind::Float(_));
        let (from_bits, to_bits) = (from.width_bits(context)?, to.width_bits(context)?);
        let unsigned = self.is_unsigned;
        let name = match (is_float(from), is_float(to)) {
            _ if from.is_index(context) || to.is_index(context) => arith::IndexCast::NAME,
            (false, false) if from_bits < to_bits && unsigned => arith::Extui::NAME,
            (false, false) if from_bits < to_bits => arith::Extsi::NAME,
            (false, false) => arith::Trunci::NAME,
            (false, true) if unsigned => arith::Uitofp::NAME,
            (false, true) => arith::Sitofp::NAME,
            (true, false) if unsigned => arith::Fptoui::NAME,
            (true, false) => arith::Fptosi::NAME,
            (true, true) if from_bits < to_bits => arith::Extf::NAME,
            (true, true) => arith::Truncf::NAME,
        };
        Some(self.operation(name, &[value], to))
    }

    fn unary(&mut self, function: Unary, value: ValueId) -> Option<ValueId> {
        let ty = self.ty(value);
        if self.number(ty)? != Number::Float {
            return None;
        }
        let name = match function {
            Unary::Exp => math::Exp::NAME,
            Unary::Log => math::Log::NAME,
            Unary::Abs => math::Absf::NAME,
            Unary::Ceil => math::Ceil::NAME,
            Unary::Floor => math::Floor::NAME,
            Unary::Negate => arith::Negf::NAME,
            Unary::Round => math::Round::NAME,
            Unary::Sqrt => math::Sqrt::NAME,
            Unary::Rsqrt => math::Rsqrt::NAME,
            Unary::Tanh => math::Tanh::NAME,
            Unary::Erf => math::Erf::NAME,
            Unary::Square => return self.binary(Binary::Mul, value, value),
            Unary::Reciprocal => {
                let one = self.one(ty)?;
                return Some(self.operation(arith::Divf::NAME, &[one, value], ty));
            }
        };
        Some(self.operation(name, &[value], ty))
    }

    /// Returns the float constant 1.
    fn one(&mut self, ty: Type) -> Option<ValueId> {
        let context = self.builder.context;
        let TypeKind::Float(kind) = ty.kind(context) else {
            return None;
        };
        let bits = one(*kind)?;
        let value = context.attribute(AttributeKind::Float { ty, bits });
        let constant = arith::Constant::NAME;
        let op = self
            .builder
            .operation(constant, &[], &[ty], &[("value", value)]);
        Some(self.builder.body.result(op, 0))
    }

    fn binary(&mut self, function: Binary, a: ValueId, b: ValueId) -> Option<ValueId> {
        use Number::{Bool, Float, Integer};
        let ty = self.ty(a);
        let name = match (function, self.number(ty)?) {
            (Binary::Add, Bool) => arith::Ori::NAME,
            (Binary::Add, Integer) => arith::Addi::NAME,
            (Binary::Add, Float) => arith::Addf::NAME,
            (Binary::Sub, Integer) => arith::Subi::NAME,
            (Binary::Sub, Float) => arith::Subf::NAME,
            (Binary::Mul, Bool) => arith::Andi::NAME,
            (Binary::Mul, Integer) => arith::Muli::NAME,
            (Binary::Mul, Float) => arith::Mulf::NAME,
            (Binary::Div, Integer) => arith::Divsi::NAME,
            (Binary::Div, Float) => arith::Divf::NAME,
            (Binary::DivUnsigned, Integer) => arith::Divui::NAME,
            (Binary::Max, Integer) => arith::Maxsi::NAME,
            (Binary::Max | Binary::MaxUnsigned, Float) => arith::Maximumf::NAME,
            (Binary::Min, Integer) => arith::Minsi::NAME,
            (Binary::Min | Binary::MinUnsigned, Float) => arith::Minimumf::NAME,
            (Binary::MaxUnsigned, Bool | Integer) => arith::Maxui::NAME,
            (Binary::MinUnsigned, Bool | Integer) => arith::Minui::NAME,
            (Binary::Powf, Float) => math::Powf::NAME,
            (Binary::Max, Bool) => arith::Maxsi::NAME,
            (Binary::Min, Bool) => arith::Minsi::NAME,
            (Binary::Sub | Binary::Div | Binary::DivUnsigned | Binary::Powf, _) => return None,
        };
        Some(self.operation(name, &[a, b], ty))
    }
}

/// Returns the bits of the number 1.
fn one(kind: FloatKind) -> Option<Bits> {
    let one = [Bits::from_u64(1, 1)];
    expand(&mut Concrete::new(), FloatOp::FromUnsigned, kind, &one)
}
