//! Folding of gates, muxes and registers with constant or equal operands.

use sluice_dialects::{comb, hw, predicate::Predicate, seq};
use sluice_ir::bits::Bits;
use sluice_ir::{Body, Builder, Context, NewOperation, OperationId, ValueId, View};

use crate::logic::{Inputs, clock};

/// Folds until a fixpoint is reached.
pub(crate) fn fold(context: &Context, body: &mut Body) {
    let clock = clock(context, body);
    loop {
        let mut is_new = false;
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            let Some(folded) = folded(view, clock) else {
                continue;
            };
            is_new = true;
            apply(context, body, op, folded);
        }
        if !is_new {
            return;
        }
    }
}

/// The replacement of an operation.
enum Folded {
    Value(ValueId),
    Constant(Bits),
    /// The same operation with fewer operands.
    Operands(Vec<ValueId>),
    Gate(&'static str, Vec<ValueId>),
    Inverse(ValueId),
    /// The register without its enable.
    Enabled,
}

fn constant_of(view: View<'_>, value: ValueId) -> Option<Bits> {
    let op = view.body.defining_operation(value)?;
    let maker = view.at(op);
    if maker.name() != hw::Constant::NAME {
        return None;
    }
    let value = maker.attribute("value")?;
    value.integer(view.context).cloned()
}

/// Returns the operand if a net is an inverter.
fn inverted(view: View<'_>, value: ValueId) -> Option<ValueId> {
    let op = view.body.defining_operation(value)?;
    let maker = view.at(op);
    let operands: Vec<ValueId> = maker.operands().collect();
    match (maker.name(), operands.as_slice()) {
        (comb::Xor::NAME, [a, b]) if constant_of(view, *b).is_some_and(|b| b.is_all_ones()) => {
            Some(*a)
        }
        (comb::Xor::NAME, [a, b]) if constant_of(view, *a).is_some_and(|a| a.is_all_ones()) => {
            Some(*b)
        }
        _ => None,
    }
}

fn are_inverse(view: View<'_>, a: ValueId, b: ValueId) -> bool {
    inverted(view, a) == Some(b) || inverted(view, b) == Some(a)
}

fn folded(view: View<'_>, clock: Option<ValueId>) -> Option<Folded> {
    let x: Vec<ValueId> = view.operands().collect();
    match view.name() {
        comb::And::NAME => gate(view, &x, true),
        comb::Or::NAME => gate(view, &x, false),
        comb::Xor::NAME => parity(view, &x),
        comb::Mux::NAME => choice(view, x[0], x[1], x[2]),
        seq::Compreg::NAME | seq::CompregCe::NAME => register(view, clock),
        comb::Icmp::NAME => comparison(view, x[0], x[1]),
        _ => None,
    }
}

/// Folds a `comb.icmp` of constants, of a value with itself, or with the smallest or greatest value.
fn comparison(view: View<'_>, a: ValueId, b: ValueId) -> Option<Folded> {
    let predicate = Predicate::of(view)?;
    let width_bits = view.ty(a).integer_width_bits(view.context)?;
    let least = |is_signed: bool| Bits::high_ones(width_bits, u32::from(is_signed));
    let most = |is_signed: bool| {
        Bits::low_ones(width_bits, width_bits.saturating_sub(u32::from(is_signed)))
    };
    let is = |value: &Option<Bits>, wanted: Bits| value.as_ref() == Some(&wanted);
    let (x, y) = (constant_of(view, a), constant_of(view, b));
    let holds = if let (Some(x), Some(y)) = (&x, &y) {
        let results = sluice_ir::simplify::results_for(view, &[x.clone(), y.clone()])?;
        !results.first()?.is_zero()
    } else if a == b {
        predicate.holds_if_equal()
    } else {
        let is_signed = predicate.is_signed();
        // `is_up`: `a` is the smallest or `b` the greatest value, so a <= b. `is_down`: the opposite.
        let is_up = is(&x, least(is_signed)) || is(&y, most(is_signed));
        let is_down = is(&x, most(is_signed)) || is(&y, least(is_signed));
        match predicate {
            Predicate::Sle | Predicate::Ule if is_up => true,
            Predicate::Sgt | Predicate::Ugt if is_up => false,
            Predicate::Sge | Predicate::Uge if is_down => true,
            Predicate::Slt | Predicate::Ult if is_down => false,
            _ => return None,
        }
    };
    Some(Folded::Constant(Bits::from_u64(1, u64::from(holds))))
}

/// Folds a `comb.and` or `comb.or`: removes neutral operands; a dominating one decides the result.
fn gate(view: View<'_>, x: &[ValueId], is_and: bool) -> Option<Folded> {
    let width_bits = view.ty(x[0]).integer_width_bits(view.context)?;
    let (neutral, strong) = match is_and {
        true => (Bits::ones(width_bits), Bits::from_u64(width_bits, 0)),
        false => (Bits::from_u64(width_bits, 0), Bits::ones(width_bits)),
    };
    let mut left: Vec<ValueId> = Vec::new();
    for operand in x {
        match constant_of(view, *operand) {
            Some(value) if value == strong => return Some(Folded::Constant(strong)),
            Some(value) if value == neutral => continue,
            _ => {}
        }
        if left.iter().any(|other| are_inverse(view, *operand, *other)) {
            return Some(Folded::Constant(strong));
        }
        if !left.contains(operand) {
            left.push(*operand);
        }
    }
    match left.as_slice() {
        [] => Some(Folded::Constant(neutral)),
        [one] => Some(Folded::Value(*one)),
        _ if left.len() < x.len() => Some(Folded::Operands(left)),
        _ => None,
    }
}

fn parity(view: View<'_>, x: &[ValueId]) -> Option<Folded> {
    let [a, b] = x else {
        return None;
    };
    let width_bits = view.ty(*a).integer_width_bits(view.context)?;
    let zero = Bits::from_u64(width_bits, 0);
    if a == b {
        return Some(Folded::Constant(zero));
    }
    let constants = [constant_of(view, *a), constant_of(view, *b)];
    match constants {
        [Some(a), Some(b)] => Some(Folded::Constant(a.xor(&b))),
        [Some(zero), None] if zero.is_zero() => Some(Folded::Value(*b)),
        [None, Some(zero)] if zero.is_zero() => Some(Folded::Value(*a)),
        [Some(ones), None] if ones.is_all_ones() => inverted(view, *b).map(Folded::Value),
        [None, Some(ones)] if ones.is_all_ones() => inverted(view, *a).map(Folded::Value),
        _ => None,
    }
}

fn choice(view: View<'_>, choice: ValueId, yes: ValueId, no: ValueId) -> Option<Folded> {
    if yes == no {
        return Some(Folded::Value(yes));
    }
    if let Some(choice) = constant_of(view, choice) {
        return Some(Folded::Value(if choice.is_zero() { no } else { yes }));
    }
    if let Some(choice) = inverted(view, choice) {
        return Some(Folded::Operands(vec![choice, no, yes]));
    }
    if view.ty(yes).integer_width_bits(view.context) != Some(1) {
        return None;
    }
    let is = |value: ValueId, wanted: bool| {
        let constant = constant_of(view, value);
        constant.is_some_and(|bits| bits.is_zero() != wanted)
    };
    match () {
        () if is(yes, true) && is(no, false) => Some(Folded::Value(choice)),
        () if is(yes, false) && is(no, true) => Some(Folded::Inverse(choice)),
        () if is(yes, true) || yes == choice => {
            Some(Folded::Gate(comb::Or::NAME, vec![choice, no]))
        }
        () if is(no, false) || no == choice => {
            Some(Folded::Gate(comb::And::NAME, vec![choice, yes]))
        }
        () => None,
    }
}

fn register(view: View<'_>, clock: Option<ValueId>) -> Option<Folded> {
    let inputs = Inputs::of(view).filter(|inputs| Some(inputs.clock) == clock)?;
    let own = view.result(0);
    let enable = inputs.enable.map(|enable| constant_of(view, enable));
    let is_never = enable.as_ref().is_some_and(|enable| {
        let enable = enable.as_ref();
        enable.is_some_and(Bits::is_zero)
    });
    // A register that another signal sets can have two values.
    let is_kept = (is_never || inputs.next == own) && !inputs.is_set_within_runs(view.body);
    if is_kept {
        let width_bits = view.ty(own).integer_width_bits(view.context)?;
        return match inputs.reset {
            Some((_, value)) => constant_of(view, value).map(Folded::Constant),
            // It never loads a value and has no reset value, so any value is allowed.
            None => Some(Folded::Constant(Bits::from_u64(width_bits, 0))),
        };
    }
    let enable = enable.flatten()?;
    (!enable.is_zero()).then_some(Folded::Enabled)
}

fn apply(context: &Context, body: &mut Body, op: OperationId, folded: Folded) {
    let result = body.result(op, 0);
    let ty = body.ty(result);
    let mut before = |name: &str, operands: &[ValueId], attributes: &[_]| {
        let mut builder = Builder::before(context, body, op);
        let new = builder.operation(name, operands, &[ty], attributes);
        body.result(new, 0)
    };
    let new = match folded {
        Folded::Value(value) => value,
        Folded::Constant(value) => {
            let value = context.integer_attribute(ty, value);
            before(hw::Constant::NAME, &[], &[("value", value)])
        }
        Folded::Operands(operands) => return body.set_operands(op, &operands),
        Folded::Gate(name, operands) => before(name, &operands, &[]),
        Folded::Inverse(value) => {
            let ones = context.integer_attribute(ty, Bits::ones(1));
            let ones = before(hw::Constant::NAME, &[], &[("value", ones)]);
            before(comb::Xor::NAME, &[value, ones], &[])
        }
        Folded::Enabled => always_enabled(context, body, op),
    };
    let maker = body.defining_operation(new);
    let is_net = maker.is_some_and(|op| View::new(context, body, op).name() != hw::Constant::NAME);
    if is_net && body.value_name(new).is_none() {
        body.set_value_name(new, body.value_name(result));
    }
    body.replace_all_uses(result, new);
    body.erase(op);
}

/// Replaces a register by one without an enable.
fn always_enabled(context: &Context, body: &mut Body, op: OperationId) -> ValueId {
    let view = View::new(context, body, op);
    let groups: Vec<Vec<ValueId>> = [0, 1, 3, 4, 5]
        .map(|group| view.operand_group(group).to_vec())
        .into();
    let sizes: Vec<i32> = groups
        .iter()
        .map(|group| i32::from(!group.is_empty()))
        .collect();
    let operands = groups.concat();
    let ty = view.ty(view.result(0));
    let mut new = NewOperation::new(context.operation_name(seq::Compreg::NAME), view.location());
    new.operands = operands.into();
    new.result_types = [ty].into_iter().collect();
    new.attributes = view.attributes().to_vec();
    let segments = context.name("operandSegmentSizes");
    let new = Builder::before(context, body, op).create(new);
    body.set_attribute(new, segments, context.dense_i32_array(&sizes));
    body.result(new, 0)
}
