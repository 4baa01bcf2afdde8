//! Folds of float functions.
//!
//! A function that has a circuit folds to the value that the circuit gives. Others are computed with the functions of the platform, as
//! upstream does.

use smallvec::{SmallVec, smallvec};

use sluice_ir::algebra::{Algebra, Concrete, FloatFunction, FloatOp};
use sluice_ir::bits::Bits;
use sluice_ir::definition::FoldResult;
use sluice_ir::types::FloatKind;
use sluice_ir::{Attribute, AttributeKind, TypeKind, View};

/// A function in single and in double precision.
enum Function {
    Unary(fn(f32) -> f32, fn(f64) -> f64),
    Binary(fn(f32, f32) -> f32, fn(f64, f64) -> f64),
}

fn platform_function(name: &str) -> Option<Function> {
    use Function::{Binary, Unary};
    Some(match name {
        "math.absf" => Unary(f32::abs, f64::abs),
        "math.ceil" => Unary(f32::ceil, f64::ceil),
        "math.expm1" => Unary(f32::exp_m1, f64::exp_m1),
        "math.floor" => Unary(f32::floor, f64::floor),
        "math.log1p" => Unary(f32::ln_1p, f64::ln_1p),
        "math.round" => Unary(f32::round, f64::round),
        "math.roundeven" => Unary(f32::round_ties_even, f64::round_ties_even),
        "math.sqrt" => Unary(f32::sqrt, f64::sqrt),
        "math.tan" => Unary(f32::tan, f64::tan),
        "math.trunc" => Unary(f32::trunc, f64::trunc),
        "math.copysign" => Binary(f32::copysign, f64::copysign),
        _ => return None,
    })
}

/// Returns true if upstream folds the function for this operand.
fn is_defined(name: &str, x: f64) -> bool {
    match name {
        "math.log" | "math.log2" | "math.log10" | "math.sqrt" => !x.is_sign_negative(),
        "math.log1p" => !(x + 1.0).is_sign_negative(),
        _ => true,
    }
}

/// Returns the function that an operation has as a circuit.
fn circuit_function(name: &str) -> Option<FloatFunction> {
    let name = name.strip_prefix("math.")?;
    let name = if name == "powf" { "pow" } else { name };
    let mut all = FloatFunction::ALL.into_iter();
    all.find_map(|(own, function)| (own == name).then_some(function))
}

fn compute(name: &str, kind: FloatKind, x: &[&Bits]) -> Option<Bits> {
    if let Some(function) = circuit_function(name) {
        let first = match kind {
            FloatKind::F32 => f64::from(f32::from_bits(u32::try_from(x.first()?.low_u64()).ok()?)),
            FloatKind::F64 => f64::from_bits(x.first()?.low_u64()),
            _ => return None,
        };
        is_defined(name, first).then_some(())?;
        let operands: Vec<Bits> = x.iter().map(|word| (*word).clone()).collect();
        return Some(Concrete::new().float(FloatOp::Function(function), kind, &operands));
    }
    let function = &platform_function(name)?;
    let single = |bits: &Bits| Some(f32::from_bits(u32::try_from(bits.low_u64()).ok()?));
    let double = |bits: &Bits| f64::from_bits(bits.low_u64());
    match kind {
        FloatKind::F32 => {
            let a = single(x.first()?)?;
            let value = match function {
                _ if !is_defined(name, f64::from(a)) => return None,
                Function::Unary(f, _) => f(a),
                Function::Binary(f, _) => f(a, single(x.get(1)?)?),
            };
            Some(Bits::from_u64(32, u64::from(value.to_bits())))
        }
        FloatKind::F64 => {
            let a = double(x.first()?);
            let value = match function {
                _ if !is_defined(name, a) => return None,
                Function::Unary(_, f) => f(a),
                Function::Binary(_, f) => f(a, double(x.get(1)?)),
            };
            Some(Bits::from_u64(64, value.to_bits()))
        }
        _ => None,
    }
}

/// Returns the value or the elements of a constant, and true if it has one value for all elements.
fn values(view: View<'_>, constant: Attribute) -> Option<(&[Bits], bool)> {
    match constant.kind(view.context) {
        AttributeKind::Float { bits, .. } => Some((std::slice::from_ref(bits), true)),
        AttributeKind::DenseElements { values, splat, .. } => Some((values, *splat)),
        _ => None,
    }
}

/// Folds functions of constant floats, and of constant vectors and tensors of them.
pub(crate) fn fold(
    view: View<'_>,
    constants: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    let (context, ty) = (view.context, view.ty(view.result(0)));
    let element = ty.element_type(context).unwrap_or(ty);
    let TypeKind::Float(kind) = element.kind(context) else {
        return None;
    };
    let operands: Option<Vec<_>> = constants.iter().map(|c| values(view, (*c)?)).collect();
    let operands = operands?;
    let splat = operands.iter().all(|(_, splat)| *splat);
    let n = operands.iter().map(|(values, _)| values.len()).max()?;
    let mut found = Vec::with_capacity(n);
    for i in 0..n {
        let x: Option<Vec<&Bits>> = operands
            .iter()
            .map(|(values, splat)| values.get(if *splat { 0 } else { i }))
            .collect();
        found.push(compute(view.name(), *kind, &x?)?);
    }
    let constant = if ty.element_type(context).is_some() {
        let values = found.into_boxed_slice();
        context.attribute(AttributeKind::DenseElements { ty, values, splat })
    } else {
        let bits = found.pop()?;
        context.attribute(AttributeKind::Float { ty, bits })
    };
    Some(smallvec![FoldResult::Constant(constant)])
}
