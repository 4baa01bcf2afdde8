//! Patterns for indirect calls: a call of a constant function becomes a direct call.

use sluice_dialects::func;
use sluice_ir::patterns::{Pattern, Rewriter};
use sluice_ir::simplify::constant_of;
use sluice_ir::{NewOperation, OperationId};

pub(super) const PATTERNS: &[&Pattern] = &[&Pattern {
    name: "indirect-call-of-known-function",
    roots: &[func::CallIndirect::NAME],
    benefit: 1,
    rewrite: of_known_function,
}];

fn of_known_function(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let callee = constant_of(r.context, view.body, view.operand(0));
    let Some(callee) = callee.filter(|callee| callee.as_flat_symbol(r.context).is_some()) else {
        return false;
    };
    let mut new = NewOperation::new(r.context.operation_name(func::Call::NAME), view.location());
    new.operands = view.operands().skip(1).collect();
    new.result_types = view.result_types().collect();
    new.attributes.push((r.context.name("callee"), callee));
    let made = r.create(op, new);
    let results = r.body().results(made).to_vec();
    r.replace(op, &results);
    true
}
