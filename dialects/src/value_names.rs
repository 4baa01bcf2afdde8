//! Names for values that have none in the source: the operation with the names of its operands, as in `i_plus_1`.

use sluice_ir::bits::Bits;
use sluice_ir::{Body, Context, ValueId, View};

use crate::{arith, comb, hw, predicate::Predicate};

/// The most characters of a name with operands. Longer names consist of the word for the operation alone.
const MAX_CHARACTERS: usize = 32;

/// Constants above this are called `constant`, because their digits tell little.
const MAX_NAMED_CONSTANT: u64 = 9999;

/// Casts and shifts by constants between a value and the operand that gives it its name, at most.
const MAX_PASSED: u32 = 8;

/// How an operation is named.
enum Form {
    /// Between two operands (`plus`), and alone (`sum`).
    Between(&'static str, &'static str),
    /// After the first operand (`wide`). Its own operands are named after that operand too, as if the operation were not there.
    After(&'static str),
    /// Alone.
    Alone(&'static str),
}

/// Returns the form of an operation; `None` if its mnemonic has to do.
fn form(view: View<'_>) -> Option<Form> {
    use Form::{After, Alone, Between};
    Some(match view.name() {
        arith::Addi::NAME | comb::Add::NAME => Between("plus", "sum"),
        arith::Subi::NAME | comb::Sub::NAME => Between("minus", "difference"),
        arith::Muli::NAME | comb::Mul::NAME => Between("times", "product"),
        arith::Andi::NAME | comb::And::NAME => Between("and", "all"),
        arith::Ori::NAME | comb::Or::NAME => Between("or", "any"),
        arith::Xori::NAME | comb::Xor::NAME => Between("xor", "parity"),
        arith::Divui::NAME | arith::Divsi::NAME | comb::Divu::NAME | comb::Divs::NAME => {
            Between("divided_by", "quotient")
        }
        arith::Remui::NAME | arith::Remsi::NAME | comb::Modu::NAME | comb::Mods::NAME => {
            Between("modulo", "remainder")
        }
        arith::Maxsi::NAME | arith::Maxui::NAME => Between("max", "maximum"),
        arith::Minsi::NAME | arith::Minui::NAME => Between("min", "minimum"),
        arith::Cmpi::NAME | comb::Icmp::NAME => match Predicate::of(view)? {
            Predicate::Eq => Between("is", "is_equal"),
            Predicate::Ne => Between("is_not", "is_different"),
            Predicate::Slt | Predicate::Ult => Between("below", "is_below"),
            Predicate::Sle | Predicate::Ule => Between("up_to", "is_up_to"),
            Predicate::Sgt | Predicate::Ugt => Between("above", "is_above"),
            Predicate::Sge | Predicate::Uge => Between("from", "is_from"),
        },
        arith::Select::NAME | comb::Mux::NAME => Between("else", "chosen"),
        arith::Shli::NAME | comb::Shl::NAME => After("shifted_left"),
        arith::Shrui::NAME | arith::Shrsi::NAME | comb::Shru::NAME | comb::Shrs::NAME => {
            After("shifted_right")
        }
        arith::Extui::NAME | arith::Extsi::NAME => After("wide"),
        arith::Trunci::NAME | comb::Extract::NAME => After("part"),
        comb::Replicate::NAME => After("copies"),
        comb::Reverse::NAME => After("reversed"),
        comb::Parity::NAME => After("parity"),
        arith::IndexCast::NAME
        | arith::IndexCastui::NAME
        | arith::Bitcast::NAME
        | hw::Bitcast::NAME
        | "builtin.unrealized_conversion_cast" => After(""),
        comb::Concat::NAME => match other_than_constants(view)?.as_slice() {
            [last] if view.operands().last() == Some(*last) => After("padded"),
            [_] => After("shifted"),
            _ => Alone("joined"),
        },
        hw::ArrayGet::NAME => Alone("element"),
        hw::ArrayCreate::NAME => Alone("table"),
        "seq.read" => Alone("word"),
        _ => return None,
    })
}

/// Returns the value of a constant.
fn constant(context: &Context, body: &Body, value: ValueId) -> Option<Bits> {
    let view = View::new(context, body, body.defining_operation(value)?);
    match view.name() {
        arith::Constant::NAME | hw::Constant::NAME => {
            view.attribute("value")?.integer(context).cloned()
        }
        _ => None,
    }
}

/// Returns the operands of a concatenation that are neither constants nor copies of a sign bit.
fn other_than_constants(view: View<'_>) -> Option<Vec<ValueId>> {
    let is_copy = |value| {
        let op = view.body.defining_operation(value);
        op.is_some_and(|op| view.at(op).name() == comb::Replicate::NAME)
    };
    let others = view
        .operands()
        .filter(|value| constant(view.context, view.body, *value).is_none() && !is_copy(*value));
    Some(others.collect())
}

/// Returns the operands that name the result: without the condition of a choice.
fn naming_operands(view: View<'_>) -> Vec<ValueId> {
    match view.name() {
        arith::Select::NAME | comb::Mux::NAME => view.operands().skip(1).collect(),
        comb::Concat::NAME => other_than_constants(view).unwrap_or_default(),
        _ => view.operands().collect(),
    }
}

/// Returns whether an operation inverts its first operand.
fn is_complement(view: View<'_>) -> bool {
    let name = view.name();
    (name == arith::Xori::NAME || name == comb::Xor::NAME)
        && view.operands().count() == 2
        && constant(view.context, view.body, view.operand(1)).is_some_and(|c| c.is_all_ones())
}

/// Returns the name of an operand inside a name: a number, its own name, or the word for its operation.
fn operand_name(
    view: View<'_>,
    value: ValueId,
    given: &dyn Fn(ValueId) -> Option<String>,
    passed: u32,
) -> Option<String> {
    if let Some(number) = constant(view.context, view.body, value) {
        let number = number
            .to_u64()
            .filter(|number| *number <= MAX_NAMED_CONSTANT);
        return Some(number.map_or_else(|| "constant".to_owned(), |number| number.to_string()));
    }
    if let Some(name) = given(value) {
        return Some(name);
    }
    let inner = view.at(view.body.defining_operation(value)?);
    match form(inner)? {
        Form::After(_) if passed < MAX_PASSED => {
            let of = naming_operands(inner).first().copied()?;
            operand_name(inner, of, given, passed + 1)
        }
        _ if is_complement(inner) => {
            let of = given(inner.operand(0));
            Some(of.map_or_else(|| "inverse".to_owned(), |of| format!("not_{of}")))
        }
        Form::Between(_, alone) | Form::After(alone) | Form::Alone(alone) => Some(alone.to_owned()),
    }
}

/// Returns a name for the result of an operation; `given` returns the name of a value that has one. `None` if the operation says
/// nothing that a reader understands.
///
/// # Example
/// A sum of `%i` and 1 is `i_plus_1`. A sum of a product and `%j` is `product_plus_j`.
pub fn derived_name(view: View<'_>, given: &dyn Fn(ValueId) -> Option<String>) -> Option<String> {
    let form = form(view)?;
    let operands = naming_operands(view);
    let name = |at: usize| operand_name(view, *operands.get(at)?, given, 0);
    let (long, short) = match form {
        _ if is_complement(view) => (name(0).map(|of| format!("not_{of}")), "inverse"),
        Form::Between(word, alone) if operands.len() == 2 => {
            let both = name(0).zip(name(1));
            (both.map(|(a, b)| format!("{a}_{word}_{b}")), alone)
        }
        Form::After("") => return name(0),
        Form::After(word) => (name(0).map(|of| format!("{of}_{word}")), word),
        Form::Between(_, alone) | Form::Alone(alone) => (None, alone),
    };
    let long = long.filter(|name| name.len() <= MAX_CHARACTERS);
    Some(long.unwrap_or_else(|| short.to_owned()))
}
