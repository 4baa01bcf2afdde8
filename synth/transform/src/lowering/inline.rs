//! `inline`: replaces calls of single-block functions by their bodies and erases functions that are no longer called.

use sluice_dialects::{func, sluice};
use sluice_ir::{BlockId, Body, Context, Module, OperationId, ValueMap, View};

use crate::build::replace;
use crate::lowering::aliased_arguments::merge_aliases;

/// Inlines every call it can, in all functions. Keeps callees marked `sluice.no_inline`; calls of these then pass different
/// memories for different arguments. Never removes `top`.
pub fn inline(context: &Context, module: &mut Module, top: &str) {
    // Every iteration inlines one level; recursion was rejected before.
    for _ in 0..64 {
        if !inline_once(context, module) {
            break;
        }
    }
    merge_aliases(context, module);
    loop {
        let unused = module.top_level_operations().into_iter().find(|op| {
            let view = View::new(context, module.inner(), *op);
            let name = view.symbol_name().unwrap_or_default();
            view.name() == func::Func::NAME && name != top && !is_called(context, module, name)
        });
        match unused {
            Some(op) => module.inner_mut().erase(op),
            None => return,
        }
    }
}

fn callee_name<'a>(view: View<'a>) -> Option<&'a str> {
    (view.name() == func::Call::NAME)
        .then(|| view.attribute("callee")?.as_flat_symbol(view.context))
        .flatten()
}

fn is_called(context: &Context, module: &Module, name: &str) -> bool {
    module.top_level_operations().into_iter().any(|op| {
        let body = module.inner().inner(op);
        body.walk_all()
            .into_iter()
            .any(|op| callee_name(View::new(context, body, op)) == Some(name))
    })
}

fn inline_once(context: &Context, module: &mut Module) -> bool {
    let mut changed = false;
    for caller in module.top_level_operations() {
        if View::new(context, module.inner(), caller).name() != func::Func::NAME {
            continue;
        }
        let body = module.inner().inner(caller);
        let calls: Vec<(OperationId, String)> = body
            .walk_all()
            .into_iter()
            .filter_map(|op| Some((op, callee_name(View::new(context, body, op))?.to_owned())))
            .collect();
        for (call, callee) in calls {
            let Some(function) = module
                .lookup_symbol(context, &callee)
                .filter(|f| *f != caller)
            else {
                continue;
            };
            let view = View::new(context, module.inner(), function);
            let single = view
                .regions()
                .first()
                .is_some_and(|r| view.inner().blocks(*r).len() == 1);
            if !single || view.attribute(sluice::NO_INLINE).is_some() {
                continue;
            }
            let source = view.inner().clone();
            let block = view.entry_block(0).expect("checked above");
            let target = module.inner_mut().inner_mut(caller);
            splice(context, &source, block, target, call);
            changed = true;
        }
    }
    changed
}

/// Copies the operations of `block` to the place of `call`.
fn splice(context: &Context, source: &Body, block: BlockId, target: &mut Body, call: OperationId) {
    let mut values: ValueMap = ValueMap::new();
    values.extend(
        source
            .arguments(block)
            .iter()
            .copied()
            .zip(target.operands(call).collect::<Vec<_>>()),
    );
    let mut results = Vec::new();
    for op in source.operations(block) {
        let view = View::new(context, source, op);
        if view.name() == func::Return::NAME {
            results = view.operands().map(|v| values[&v]).collect();
        } else {
            let made = target.copy_from(context, source, op, &mut values);
            target.insert_before(call, made);
        }
    }
    replace(target, call, &results);
}
