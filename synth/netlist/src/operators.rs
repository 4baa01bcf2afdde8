//! Combinational operations: one match arm for each `arith` operation.

use sluice_dialects::{
    arith, builtin,
    predicate::Predicate,
    scf, sluice,
    synthesis_form::{interleaved_units, multiplier},
};
use sluice_ir::bits::Bits;
use sluice_ir::{ValueId, View};
use sluice_oplib::implementation::Structure;

use crate::circuit::Circuit;
use crate::error::{Built, broken};
use crate::generators::UnitKind;
use crate::source::integer_width;

/// Returns the unit that an operation needs; `None` if it needs no separate unit. If it must also serve wider operations,
/// `wider_bits` is its width.
pub fn unit_kind(
    view: View<'_>,
    wider_bits: Option<u32>,
    latency_cycles: u32,
    constant_operand: bool,
) -> Built<Option<UnitKind>> {
    let width_bits = || wider_bits.map_or_else(|| integer_width(view, view.result(0)), Ok);
    let divider = |signed, remainder| {
        if latency_cycles < 1 {
            return Err(broken(view, "a divider takes at least 1 cycle"));
        }
        Ok(Some(UnitKind::Divider {
            width_bits: width_bits()?,
            signed,
            remainder,
            latency_cycles,
            n_interleaved: interleaved_units(view),
            one_divisor: interleaved_units(view) > 1 && divisor_is_from_outside(view),
            stalls: false,
        }))
    };
    match view.name() {
        sluice::Float::NAME => Ok(Some(float_unit(view, latency_cycles)?)),
        arith::Muli::NAME if constant_operand && latency_cycles == 0 => Ok(None),
        arith::Muli::NAME if wider_bits.is_none() && multiplier(view).is_some() => {
            let made = multiplier(view).expect("it was just there");
            Ok(Some(UnitKind::Product {
                multiplier: made,
                latency_cycles,
                stalls: false,
            }))
        }
        arith::Muli::NAME => {
            let structure = view
                .attribute(sluice::STRUCTURE)
                .and_then(|s| s.as_str(view.context))
                .and_then(Structure::of_row_name);
            Ok(Some(UnitKind::Multiplier {
                width_bits: width_bits()?,
                latency_cycles,
                limb_bits: match structure {
                    Some(Structure::PartialProducts { limb_bits }) => Some(limb_bits),
                    _ => None,
                },
                stalls: false,
            }))
        }
        arith::Divui::NAME => divider(false, false),
        arith::Remui::NAME => divider(false, true),
        arith::Divsi::NAME => divider(true, false),
        arith::Remsi::NAME => divider(true, true),
        _ => Ok(None),
    }
}

/// Returns the unit of a float operation, whose constant operands are inside.
fn float_unit(view: View<'_>, latency_cycles: u32) -> Built<UnitKind> {
    let module = view.attribute(sluice::UNIT);
    let module = module.and_then(|unit| unit.as_flat_symbol(view.context));
    let module = module.ok_or_else(|| broken(view, "a float operation has a unit"))?;
    let mut widths = Vec::new();
    for operand in view.operands() {
        if sluice::constant_word(view, operand).is_none() {
            widths.push(integer_width(view, operand)?);
        }
    }
    let first = widths.first().copied().unwrap_or(1);
    let others: u32 = widths.iter().skip(1).sum();
    Ok(UnitKind::Float {
        module: module.to_owned(),
        class: sluice::float_class(view).unwrap_or_default(),
        operand_bits: [first, others.max(1)],
        width_bits: integer_width(view, view.result(0))?,
        latency_cycles,
    })
}

/// Returns the two operands of the unit of a float operation: the first one, and all others in one word.
pub fn float_operands(
    circuit: &mut Circuit<'_>,
    view: View<'_>,
    operands: &[ValueId],
) -> [ValueId; 2] {
    let named = view.operands().zip(operands);
    let variable: Vec<ValueId> = named
        .filter(|(operand, _)| sluice::constant_word(view, *operand).is_none())
        .map(|(_, net)| *net)
        .collect();
    let first = match variable.first() {
        Some(first) => *first,
        None => circuit.flag(false),
    };
    let others = match variable.get(1..).unwrap_or_default() {
        [] => circuit.flag(false),
        [one] => *one,
        several => circuit.concat(several),
    };
    [first, others]
}

/// Returns whether the divisor does not change while the loop runs whose body contains the division directly.
fn divisor_is_from_outside(view: View<'_>) -> bool {
    let here = view.body.parent_block(view.id);
    let is_in_loop = here
        .and_then(|block| view.body.block_parent_operation(block))
        .is_some_and(|around| matches!(view.at(around).name(), scf::For::NAME | scf::While::NAME));
    is_in_loop && view.body.defining_block(view.operand(1)) != here
}

/// Returns the net of the result of a combinational operation.
pub fn combinational(circuit: &mut Circuit<'_>, view: View<'_>, x: &[ValueId]) -> Built<ValueId> {
    let width_bits = integer_width(view, view.result(0))?;
    let select = |circuit: &mut Circuit<'_>, predicate| {
        let condition = circuit.compare(predicate, x[0], x[1]);
        circuit.mux(condition, x[0], x[1])
    };
    Ok(match view.name() {
        arith::Addi::NAME => circuit.comb("add", x),
        arith::Subi::NAME => circuit.comb("sub", x),
        arith::Muli::NAME => circuit.comb("mul", x),
        arith::Andi::NAME => circuit.comb("and", x),
        arith::Ori::NAME => circuit.comb("or", x),
        arith::Xori::NAME => circuit.comb("xor", x),
        arith::Shli::NAME => shift(circuit, "shl", x),
        arith::Shrui::NAME => shift(circuit, "shru", x),
        arith::Shrsi::NAME => shift(circuit, "shrs", x),
        arith::Extui::NAME => circuit.zext(x[0], width_bits),
        arith::Extsi::NAME => circuit.sext(x[0], width_bits),
        arith::Trunci::NAME => circuit.extract(x[0], 0, width_bits),
        arith::Select::NAME => circuit.mux(x[0], x[1], x[2]),
        arith::Maxsi::NAME => select(circuit, Predicate::Sgt),
        arith::Minsi::NAME => select(circuit, Predicate::Slt),
        arith::Maxui::NAME => select(circuit, Predicate::Ugt),
        arith::Minui::NAME => select(circuit, Predicate::Ult),
        arith::Cmpi::NAME => {
            let predicate = Predicate::of(view)
                .ok_or_else(|| broken(view, "a comparison with an unknown predicate"))?;
            circuit.compare(predicate, x[0], x[1])
        }
        builtin::UnrealizedConversionCast::NAME => x[0],
        _ => return Err(broken(view, "no hardware for this operation")),
    })
}

/// Builds a shift; a shift by a constant is only wiring.
fn shift(circuit: &mut Circuit<'_>, mnemonic: &str, x: &[ValueId]) -> ValueId {
    let width = circuit.width(x[0]);
    let Some(amount) = circuit.constant_of(x[1]) else {
        // An amount of at least the width is undefined, so its higher bits are ignored.
        let bits = width.next_power_of_two().trailing_zeros().clamp(1, width);
        let amount = circuit.extract(x[1], 0, bits);
        let amount = circuit.zext(amount, width);
        return circuit.comb(mnemonic, &[x[0], amount]);
    };
    let amount = amount
        .to_u64()
        .and_then(|a| u32::try_from(a).ok())
        .unwrap_or(width)
        .min(width);
    if amount == 0 {
        return x[0];
    }
    match mnemonic {
        "shl" if amount == width => circuit.constant(Bits::zero(width)),
        "shl" => {
            let kept = circuit.extract(x[0], 0, width - amount);
            let zeros = circuit.constant(Bits::zero(amount));
            circuit.concat(&[kept, zeros])
        }
        "shru" if amount == width => circuit.constant(Bits::zero(width)),
        "shru" => {
            let kept = circuit.extract(x[0], amount, width - amount);
            circuit.zext(kept, width)
        }
        _ => {
            let amount = amount.min(width - 1);
            let kept = circuit.extract(x[0], amount, width - amount);
            circuit.sext(kept, width)
        }
    }
}
