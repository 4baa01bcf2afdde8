//! Names for values that have none in the source: the operation with the names of its operands, as in `i_plus_1`.

use sluice_ir::bits::Bits;
use sluice_ir::simplify::constant_of;
use sluice_ir::{ValueId, View};

use crate::{arith, builtin, comb, hw, predicate::Predicate, seq};

/// Maximum number of characters of a name with operands. A longer name is replaced by the word for the operation alone.
const MAX_CHARACTERS: usize = 32;

/// Constants above this are called `constant`, because their digits tell little.
const MAX_NAMED_CONSTANT: u64 = 9999;

/// Maximum number of casts and shifts by constants between a value and the operand that names it.
const MAX_PASSED: u32 = 8;

/// How an operation is named.
enum Form {
    /// By a word between the names of two operands (`plus`). The second word names the operation alone (`sum`).
    Between(&'static str, &'static str),
    /// By the name of the first operand and a word (`wide`). Inside another name, the operation is called by the name of that operand.
    After(&'static str),
    /// By a word without operands.
    Alone(&'static str),
}

/// Returns the form of an operation; `None` if it is named by its mnemonic.
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
        arith::Shli::NAME | comb::Shl::NAME => match constant(view, view.operand(1)) {
            Some(_) => After("shifted_left"),
            None => Between("shifted_left_by", "shifted_left"),
        },
        arith::Shrui::NAME | arith::Shrsi::NAME | comb::Shru::NAME | comb::Shrs::NAME => {
            match constant(view, view.operand(1)) {
                Some(_) => After("shifted_right"),
                None => Between("shifted_right_by", "shifted_right"),
            }
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
        | builtin::UnrealizedConversionCast::NAME => After(""),
        comb::Concat::NAME => match other_than_constants(view).as_slice() {
            [last] if view.operands().last() == Some(*last) => After("padded"),
            [_] => After("shifted"),
            _ => Alone("joined"),
        },
        hw::ArrayGet::NAME => Alone("element"),
        hw::ArrayCreate::NAME => Alone("table"),
        seq::Read::NAME => Alone("word"),
        _ => return None,
    })
}

/// Returns the value of an integer constant.
fn constant(view: View<'_>, value: ValueId) -> Option<Bits> {
    let constant = constant_of(view.context, view.body, value)?;
    constant.integer(view.context).cloned()
}

/// Returns the operands of a concatenation that are neither constants nor copies of a sign bit.
fn other_than_constants(view: View<'_>) -> Vec<ValueId> {
    let is_copy = |value| {
        let op = view.body.defining_operation(value);
        op.is_some_and(|op| view.at(op).name() == comb::Replicate::NAME)
    };
    let operands = view.operands();
    operands
        .filter(|value| constant(view, *value).is_none() && !is_copy(*value))
        .collect()
}

/// Returns the operands that name the result: without the condition of a choice.
fn naming_operands(view: View<'_>) -> Vec<ValueId> {
    match view.name() {
        arith::Select::NAME | comb::Mux::NAME => view.operands().skip(1).collect(),
        comb::Concat::NAME => other_than_constants(view),
        _ => view.operands().collect(),
    }
}

/// Returns whether an operation inverts its first operand.
fn is_complement(view: View<'_>) -> bool {
    let name = view.name();
    (name == arith::Xori::NAME || name == comb::Xor::NAME)
        && view.operands().count() == 2
        && constant(view, view.operand(1)).is_some_and(|ones| ones.is_all_ones())
}

/// Returns the name of an operand inside a name: a number, its own name, or the word for its operation.
fn operand_name(
    view: View<'_>,
    value: ValueId,
    given: &dyn Fn(ValueId) -> Option<String>,
    passed: u32,
) -> Option<String> {
    if let Some(number) = constant(view, value) {
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

/// Returns a name for the result of an operation: the operation with its operands, or its mnemonic. `given` returns the name of a
/// value that has one.
///
/// # Example
/// A sum of `%i` and 1 is `i_plus_1`. A sum of a product and `%j` is `product_plus_j`.
pub fn derived_name(view: View<'_>, given: &dyn Fn(ValueId) -> Option<String>) -> String {
    let mnemonic = view.name().rsplit('.').next().unwrap_or_default();
    let operands = naming_operands(view);
    let name = |at: usize| operand_name(view, *operands.get(at)?, given, 0);
    let (long, short) = match form(view) {
        _ if is_complement(view) => (name(0).map(|of| format!("not_{of}")), "inverse"),
        Some(Form::Between(word, alone)) if operands.len() == 2 => {
            let both = name(0).zip(name(1));
            (both.map(|(a, b)| format!("{a}_{word}_{b}")), alone)
        }
        Some(Form::After("")) => (name(0), mnemonic),
        Some(Form::After(word)) => (name(0).map(|of| format!("{of}_{word}")), word),
        Some(Form::Between(_, alone) | Form::Alone(alone)) => (None, alone),
        None => (None, mnemonic),
    };
    let long = long.filter(|name| name.len() <= MAX_CHARACTERS);
    long.unwrap_or_else(|| short.to_owned())
}
