//! Float operations on bit patterns: the form between the passes `float-words` and `expand-floats`.

use sluice_ir::algebra::{FloatFormat, FloatFunction, FloatOp, FloatPredicate, Rounding};
use sluice_ir::bits::Bits;
use sluice_ir::definition::{AttributeCheck, AttributeConstraint, AttributeSyntax, Site};
use sluice_ir::{AttributeKind, Context, Diagnostics, TypeKind, View};

use crate::constraints::{SIGNLESS_INTEGER, STRING, UNIT};

sluice_ods::dialect! {
    dialect "sluice" { summary: "Float operations on integers" }

    /// A float operation on integers that hold the bits of floats. `function` is its name, with the predicate of a comparison or the
    /// format of a conversion after a space: `add`, `compare olt`, `convert f64`. With `whole`, the unit takes constant operands as
    /// inputs, so that others can use it too. With `reassoc`, sums and products may be formed in another order.
    op Float = "float" {
        traits: [PURE],
        operands: { inputs: variadic SIGNLESS_INTEGER },
        attributes: { function: STRING, format: FLOAT_FORMAT, whole: optional UNIT, reassoc: optional UNIT },
        results: { result: SIGNLESS_INTEGER },
        assembly: "$function $format `(` $inputs `)` attr-dict `:` functional-type($inputs, $result)",
        verify: verify_float,
        value: |site, algebra, x| {
            let (op, format) = float_operation(site)?;
            algebra.float(op, format, x)
        },
    }
}

/// A float type.
static FLOAT_FORMAT: AttributeConstraint = AttributeConstraint {
    summary: "float type attribute",
    check: AttributeCheck::Is(|context, attribute| {
        let ty = attribute.as_type(context);
        ty.is_some_and(|ty| matches!(ty.kind(context), TypeKind::Float(_)))
    }),
    syntax: AttributeSyntax::Generic,
};

/// Operations whose name is all there is to say.
const SIMPLE: &[(&str, FloatOp)] = &[
    ("abs", FloatOp::Abs),
    ("add", FloatOp::Add),
    ("ceil", FloatOp::ToWhole(Rounding::Up)),
    ("copysign", FloatOp::CopySign),
    ("div", FloatOp::Div),
    ("floor", FloatOp::ToWhole(Rounding::Down)),
    ("fma", FloatOp::Fma),
    ("from_signed", FloatOp::FromSigned),
    ("from_unsigned", FloatOp::FromUnsigned),
    ("maximum", FloatOp::Maximum),
    ("maxnum", FloatOp::MaxNum),
    ("minimum", FloatOp::Minimum),
    ("minnum", FloatOp::MinNum),
    ("mul", FloatOp::Mul),
    ("neg", FloatOp::Neg),
    ("rem", FloatOp::Rem),
    ("round", FloatOp::ToWhole(Rounding::NearestAway)),
    ("roundeven", FloatOp::ToWhole(Rounding::NearestEven)),
    ("sqrt", FloatOp::Sqrt),
    ("sub", FloatOp::Sub),
    ("trunc", FloatOp::ToWhole(Rounding::ToZero)),
];

/// Names of the predicates of comparisons, in the order of their numbers.
const PREDICATES: [&str; 16] = [
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",
    "une", "uno", "true",
];

/// Returns the text of the attribute `function` for an operation. The width of an integer result is in its type.
pub fn function_name(op: FloatOp) -> String {
    if let Some((name, _)) = SIMPLE.iter().find(|(_, simple)| *simple == op) {
        return (*name).to_owned();
    }
    match op {
        FloatOp::Function(function) => {
            let mut all = FloatFunction::ALL.into_iter();
            let named = all.find(|(_, one)| *one == function);
            named.map_or_else(String::new, |(name, _)| name.to_owned())
        }
        FloatOp::Compare(predicate) => {
            let number = FloatPredicate::ALL.iter().position(|p| *p == predicate);
            format!("compare {}", PREDICATES[number.unwrap_or(0)])
        }
        FloatOp::Convert(to) => format!("convert {}", to.keyword()),
        FloatOp::ToSigned(_) => "to_signed".to_owned(),
        FloatOp::ToUnsigned(_) => "to_unsigned".to_owned(),
        _ => unreachable!("all others are in the table"),
    }
}

/// Returns the operation that a text of the attribute `function` names.
fn function(name: &str, result_width_bits: u32) -> Option<FloatOp> {
    if let Some((_, op)) = SIMPLE.iter().find(|(simple, _)| *simple == name) {
        return Some(*op);
    }
    let mut functions = FloatFunction::ALL.into_iter();
    if let Some((_, function)) = functions.find(|(one, _)| *one == name) {
        return Some(FloatOp::Function(function));
    }
    match name.split_once(' ') {
        Some(("compare", predicate)) => {
            let number = PREDICATES.iter().position(|p| *p == predicate)?;
            Some(FloatOp::Compare(FloatPredicate::ALL[number]))
        }
        Some(("convert", format)) => {
            let format = FloatFormat::ALL
                .into_iter()
                .find(|f| f.keyword() == format)?;
            Some(FloatOp::Convert(format))
        }
        None if name == "to_signed" => Some(FloatOp::ToSigned(result_width_bits)),
        None if name == "to_unsigned" => Some(FloatOp::ToUnsigned(result_width_bits)),
        _ => None,
    }
}

/// Returns operation and format of a `sluice.float`.
pub fn float_operation(site: Site<'_>) -> Option<(FloatOp, FloatFormat)> {
    let context = site.context;
    let name = site.attribute("function")?;
    let op = function(name.as_str(context)?, site.result_width_bits(0))?;
    let format = site.attribute("format")?.as_type(context)?;
    match format.kind(context) {
        TypeKind::Float(format) => Some((op, *format)),
        _ => None,
    }
}

/// Returns the text of function, format and constant operands of a `sluice.float`: operations with equal texts have equal circuits.
pub fn float_key(view: View<'_>) -> Option<String> {
    let (op, format) = view.with_site(float_operation)?;
    let mut key = format!("{} {}", function_name(op), format.keyword());
    for operand in view.operands() {
        let width = view.ty(operand).integer_width_bits(view.context)?;
        match constant_word(view, operand) {
            Some(word) => key += &format!(" {width}:0x{}", word.to_hex_string()),
            None => key += &format!(" {width}"),
        }
    }
    Some(key)
}

/// Returns the class of the units of a float operation, as `limits` names it, such as `float_add`.
pub fn float_class(view: View<'_>) -> Option<String> {
    if view.name() != Float::NAME {
        return None;
    }
    let (op, _) = view.with_site(float_operation)?;
    let name = function_name(op);
    let function = name.split(' ').next().unwrap_or_default();
    Some(format!("float_{function}"))
}

/// The classes of units of float operations that `limits` may name.
pub const LIMITED_CLASSES: [&str; 18] = [
    "float_add",
    "float_mul",
    "float_div",
    "float_fma",
    "float_sqrt",
    "float_atan",
    "float_atan2",
    "float_cos",
    "float_erf",
    "float_exp",
    "float_exp2",
    "float_log",
    "float_log10",
    "float_log2",
    "float_pow",
    "float_rsqrt",
    "float_sin",
    "float_tanh",
];

/// Returns an operand that is a constant inside the unit.
pub fn constant_word<'a>(view: View<'a>, operand: sluice_ir::ValueId) -> Option<&'a Bits> {
    let made = view.at(view.body.defining_operation(operand)?);
    let is_inside = view.attribute("whole").is_none();
    let is_constant = is_inside && made.name() == crate::arith::Constant::NAME;
    made.attribute("value")
        .filter(|_| is_constant)?
        .integer(view.context)
}

/// Returns whether a float operation is small enough to be part of every path: wires, comparisons and choices.
pub fn is_small(op: FloatOp) -> bool {
    match op {
        FloatOp::Neg
        | FloatOp::Abs
        | FloatOp::CopySign
        | FloatOp::Compare(_)
        | FloatOp::Minimum
        | FloatOp::Maximum
        | FloatOp::MinNum
        | FloatOp::MaxNum => true,
        FloatOp::Add
        | FloatOp::Sub
        | FloatOp::Mul
        | FloatOp::Div
        | FloatOp::Rem
        | FloatOp::Sqrt
        | FloatOp::Fma
        | FloatOp::Function(_)
        | FloatOp::ToWhole(_)
        | FloatOp::Convert(_)
        | FloatOp::FromSigned
        | FloatOp::FromUnsigned
        | FloatOp::ToSigned(_)
        | FloatOp::ToUnsigned(_) => false,
    }
}

/// Returns the attribute for a float type.
pub fn format_attribute(context: &Context, format: FloatFormat) -> sluice_ir::Attribute {
    context.attribute(AttributeKind::Type(context.ty(TypeKind::Float(format))))
}

/// Checks that the function is known, and the widths of operands and result.
fn verify_float(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some((op, format)) = view.with_site(float_operation) else {
        diagnostics.error(view.location(), "`sluice.float` has an unknown function");
        return;
    };
    let width = format.width_bits();
    let widths: Vec<u32> = view
        .operand_types()
        .filter_map(|ty| ty.integer_width_bits(view.context))
        .collect();
    let n_operands = match op {
        FloatOp::Fma => 3,
        FloatOp::Function(function) => function.n_operands(),
        FloatOp::Neg
        | FloatOp::Abs
        | FloatOp::Sqrt
        | FloatOp::ToWhole(_)
        | FloatOp::Convert(_)
        | FloatOp::FromSigned
        | FloatOp::FromUnsigned
        | FloatOp::ToSigned(_)
        | FloatOp::ToUnsigned(_) => 1,
        FloatOp::Add
        | FloatOp::Sub
        | FloatOp::Mul
        | FloatOp::Div
        | FloatOp::Rem
        | FloatOp::CopySign
        | FloatOp::Minimum
        | FloatOp::Maximum
        | FloatOp::MinNum
        | FloatOp::MaxNum
        | FloatOp::Compare(_) => 2,
    };
    let of_integers = matches!(op, FloatOp::FromSigned | FloatOp::FromUnsigned);
    let fits = widths.len() == n_operands && (of_integers || widths.iter().all(|w| *w == width));
    let result = view.ty(view.result(0)).integer_width_bits(view.context);
    if !fits || result != Some(op.result_width(format)) {
        diagnostics.error(
            view.location(),
            format!(
                "`{}` of {} has {n_operands} operands of {width} bits and a result of {} bits",
                function_name(op),
                format.keyword(),
                op.result_width(format)
            ),
        );
    }
}
