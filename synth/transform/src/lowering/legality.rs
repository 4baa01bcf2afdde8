//! `legality`: reports operations and types that have no hardware, with the location and advice on what to write instead.

use std::collections::BTreeSet;

use sluice_dialects::arith::{self, ROUNDING_MODES};
use sluice_dialects::{
    Operation, affine, builtin, func,
    memref::{self, WINDOWS, window},
    scf,
};
use sluice_ir::algebra::{FloatOp, has_functions};
use sluice_ir::limits::Limit;
use sluice_ir::types::{Dimension, FloatKind, Signedness};
use sluice_ir::{AttributeKind, BlockId, Body, Context, Diagnostics, Module, Type, TypeKind, View};

use crate::build::constant_of;
use crate::lowering::expanded_size::{FUNCTIONS, check_expansion};
use crate::lowering::float_words::float_operation;
use crate::lowering::supported::has_hardware;

/// Checks the module before calls are inlined: the operations at top level, and that no function calls itself.
pub fn check_structure(context: &Context, module: &Module, diagnostics: &mut Diagnostics) {
    for op in module.top_level_operations() {
        let view = View::new(context, module.inner(), op);
        if !matches!(view.name(), func::Func::NAME | memref::Global::NAME) {
            let advice = "a kernel file holds `func.func` and `memref.global`";
            let message = format!("`{}` has no hardware: {advice}", view.name());
            diagnostics.error(view.location(), message);
        }
        function_values(view, diagnostics);
    }
    recursion(context, module, diagnostics);
    if !diagnostics.has_errors() {
        check_expansion(context, module, FUNCTIONS, diagnostics);
    }
}

/// Reports functions used as values: inlining follows symbol names only, and erases functions that no call names.
fn function_values(view: View<'_>, diagnostics: &mut Diagnostics) {
    let body = view.inner();
    if view.name() != func::Func::NAME {
        return;
    }
    for op in body.walk_all() {
        let inner = View::new(view.context, body, op);
        let name = inner.name();
        if matches!(name, func::Constant::NAME | func::CallIndirect::NAME) {
            let message = format!("`{name}` has no hardware yet{}", advice(name));
            diagnostics.error(inner.location(), message);
        }
    }
}

/// Checks the functions left after inlining and the globals they use; every finding is an error.
pub fn check_legality(context: &Context, module: &Module, diagnostics: &mut Diagnostics) {
    let tops = module.top_level_operations();
    let views = tops
        .into_iter()
        .map(|op| View::new(context, module.inner(), op));
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for view in views.filter(|view| view.name() == func::Func::NAME) {
        check_function(view, module, diagnostics);
        let body = view.inner();
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            if view.name() == memref::GetGlobal::NAME {
                used.extend(
                    view.attribute("name")
                        .and_then(|a| a.as_flat_symbol(context)),
                );
            }
        }
    }
    for symbol in used {
        if let Some(global) = module.lookup_symbol(context, symbol) {
            check_global(View::new(context, module.inner(), global), diagnostics);
        }
    }
}

fn check_function(view: View<'_>, module: &Module, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let Some(entry) = view.entry_block(0) else {
        return;
    };
    let body = view.inner();
    for value in body.arguments(entry) {
        if let Some(problem) = unsupported_type(context, body.ty(*value)) {
            let message = format!("argument of a kernel: {problem}");
            diagnostics.error(body.value_location(*value), message);
        }
    }
    let is_memref = |ty: &Type| matches!(ty.kind(context), TypeKind::MemRef { .. });
    let ty = view
        .attribute("function_type")
        .and_then(|a| a.as_type(context));
    if let Some(TypeKind::Function { results, .. }) = ty.map(|ty| ty.kind(context)) {
        for _ in results.iter().filter(|ty| is_memref(ty)) {
            let advice = "only a function that nothing calls may return one, of static shape; else pass the memory as an argument and store into it";
            let message = format!("a memref as a result has no port here: {advice}");
            diagnostics.error(view.location(), message);
        }
    }
    let region = body.parent_region(entry).expect("a block is in a region");
    for block in body.blocks(region).iter().filter(|block| **block != entry) {
        for argument in body.arguments(*block) {
            if is_memref(&body.ty(*argument)) {
                let advice = "choose between the values that are loaded or stored";
                let message =
                    format!("a memref as an argument of a block has no hardware: {advice}");
                diagnostics.error(body.value_location(*argument), message);
            }
        }
    }
    if !returns(body, entry) {
        diagnostics.error(
            view.location(),
            "the function never returns: no path leads to a `return`",
        );
    }
    check_body(context, module, body, diagnostics);
}

/// Returns whether a block without successors is reachable from the entry.
fn returns(body: &Body, entry: BlockId) -> bool {
    let mut reached = vec![entry];
    let mut next = 0;
    while let Some(block) = reached.get(next).copied() {
        next += 1;
        let last = body.last_operation(block);
        let successors = last.map(|last| body.successors(last)).unwrap_or_default();
        if successors.is_empty() {
            return true;
        }
        for successor in successors {
            if !reached.contains(successor) {
                reached.push(*successor);
            }
        }
    }
    false
}

/// Reports a global that is not a constant table: it needs an initial value and must never be written.
fn check_global(view: View<'_>, diagnostics: &mut Diagnostics) {
    let name = view.symbol_name().unwrap_or_default();
    let initial = view
        .attribute("initial_value")
        .map(|a| a.kind(view.context));
    let problem = match initial {
        Some(AttributeKind::DenseElements { .. }) => return,
        None => "is only declared",
        Some(AttributeKind::Unit) => "is uninitialized",
        Some(_) => "has a value that is not in this file",
    };
    let advice = "give it `dense` elements, or pass the memory as an argument";
    diagnostics.error(view.location(), format!("`@{name}` {problem}: {advice}"));
}

/// Returns an error text if a memory of this shape is too large.
fn too_many_words(context: &Context, shape: &[Dimension]) -> Option<String> {
    let extents = shape.iter().flatten().map(|extent| u128::from(*extent));
    let n_words = extents.fold(1, u128::saturating_mul);
    let excess = context.limits.check(Limit::MemoryWords, n_words).err()?;
    Some(format!("a memref of {excess}"))
}

/// Returns an error text if a type has no hardware.
fn unsupported_type(context: &Context, ty: Type) -> Option<String> {
    match ty.kind(context) {
        TypeKind::Integer { width_bits: 0, .. } => {
            Some("integers of width 0 carry nothing".to_owned())
        }
        TypeKind::Integer {
            signedness: Signedness::Signed | Signedness::Unsigned,
            width_bits,
        } => Some(format!(
            "integers with a sign of their own have no operations: use `i{width_bits}`, operations know the sign"
        )),
        TypeKind::Integer { width_bits, .. } => {
            let checked = context.limits.check(Limit::WidthBits, *width_bits);
            checked
                .err()
                .map(|excess| format!("an integer of {excess}"))
        }
        TypeKind::Index => None,
        TypeKind::Float(FloatKind::F80) => {
            Some("`f80` has no hardware: use `f64` or `f128`".to_owned())
        }
        TypeKind::Float(
            kind @ (FloatKind::F4E2M1FN
            | FloatKind::F6E2M3FN
            | FloatKind::F6E3M2FN
            | FloatKind::F8E8M0FNU),
        ) => Some(format!(
            "`{}` has no hardware: use a format of 8 bits with NaN, such as `f8E4M3FN`",
            kind.keyword()
        )),
        TypeKind::Float(_) => None,
        TypeKind::MemRef {
            shape,
            element,
            layout,
            ..
        } => {
            if shape.iter().any(Option::is_none) {
                Some("a memref with a dynamic size has no port: give every dimension a constant size".to_owned())
            } else if layout.is_some() {
                Some("a memref with a layout has no port: use the identity layout".to_owned())
            } else if shape.contains(&Some(0)) {
                Some("a memref without elements has no port".to_owned())
            } else if let Some(why) = too_many_words(context, shape) {
                Some(why)
            } else if matches!(element.kind(context), TypeKind::MemRef { .. }) {
                Some(
                    "a memref of memrefs has no hardware: pass each memory as an argument"
                        .to_owned(),
                )
            } else {
                unsupported_type(context, *element)
            }
        }
        TypeKind::None
        | TypeKind::Complex(_)
        | TypeKind::Function { .. }
        | TypeKind::Tuple(_)
        | TypeKind::Vector { .. }
        | TypeKind::RankedTensor { .. }
        | TypeKind::UnrankedTensor(_)
        | TypeKind::UnrankedMemRef { .. }
        | TypeKind::Dialect { .. }
        | TypeKind::Opaque { .. } => {
            Some("only integers, floats, `index` and memrefs of them have hardware".to_owned())
        }
    }
}

fn check_body(context: &Context, module: &Module, body: &Body, diagnostics: &mut Diagnostics) {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        if let Some(message) = problem_of(view, module) {
            diagnostics.error(view.location(), message);
        }
    }
}

/// Returns an error text for a mathematical function of a format that has none.
fn function_of_long_floats(view: View<'_>) -> Option<String> {
    let (op, format) = float_operation(view)?;
    if !matches!(op, FloatOp::Function(_)) || has_functions(format) {
        return None;
    }
    Some(format!(
        "`{}` of `{}` has no hardware: use a format of at most 64 bits",
        view.name(),
        format.keyword()
    ))
}

/// Returns an error text if an operation has no hardware.
fn problem_of(view: View<'_>, module: &Module) -> Option<String> {
    let (context, body, name) = (view.context, view.body, view.name());
    let no_hardware = || format!("`{name}` has no hardware yet{}", advice(name));
    if view.definition().is_none() {
        return Some(no_hardware());
    }
    // A memref is reported where it is defined, not at every use.
    let is_memref = |ty: &Type| matches!(ty.kind(context), TypeKind::MemRef { .. });
    let operands = view.operand_types().filter(|ty| !is_memref(ty));
    let types = view.result_types().chain(operands);
    let arguments = view
        .regions()
        .iter()
        .flat_map(|region| body.blocks(*region))
        .flat_map(|block| body.arguments(*block));
    // A view's type may have a layout; only the type of the underlying memory matters.
    let types = types.filter(|_| !WINDOWS.contains(&name));
    let types = types.chain(arguments.map(|argument| body.ty(*argument)));
    let behind = WINDOWS.contains(&name).then(|| view.ty(view.operand(0)));
    let mut types = types.chain(behind);
    if let Some(problem) = types.find_map(|ty| unsupported_type(context, ty)) {
        return Some(format!("`{name}`: {problem}"));
    }
    if WINDOWS.contains(&name) {
        return Some(view_that_is_left(view));
    }
    if !Operation::of(view).is_some_and(has_hardware) {
        return Some(no_hardware());
    }
    if let Some(problem) = function_of_long_floats(view) {
        return Some(problem);
    }
    if view.result_types().any(|ty| is_memref(&ty))
        && !name.starts_with("memref.")
        && name != scf::ExecuteRegion::NAME
    {
        return Some(format!(
            "`{name}` of memrefs has no hardware: choose between the values that are loaded or stored, or between memories that are arguments or made outside of everything else"
        ));
    }
    if let Some(problem) = empty_map(view) {
        return Some(problem);
    }
    match name {
        scf::For::NAME => {
            let step = constant_of(context, body, view.operand(2))?;
            (step.is_zero() || step.sign_bit()).then(|| {
                format!(
                    "a step of {} never ends: it is above 0",
                    step.to_i64().unwrap_or(0)
                )
            })
        }
        affine::For::NAME => {
            let step = view.attribute("step")?.as_i64(context)?;
            (step <= 0).then(|| format!("a step of {step} never ends: it is above 0"))
        }
        affine::Parallel::NAME => {
            let steps = view.attribute("steps")?.as_array(context)?;
            let step = steps
                .iter()
                .filter_map(|step| step.as_i64(context))
                .find(|step| *step <= 0)?;
            Some(format!("a step of {step} never ends: it is above 0"))
        }
        func::Call::NAME => {
            let callee = view.attribute("callee")?.as_flat_symbol(context)?;
            let function = module.lookup_symbol(context, callee)?;
            View::new(context, module.inner(), function)
                .entry_block(0)
                .is_none()
                .then(|| format!("`@{callee}` is only declared: give it a body"))
        }
        memref::Store::NAME | affine::Store::NAME | memref::Copy::NAME => {
            let target = body.defining_operation(view.operand(1))?;
            let target = view.at(target);
            let symbol = target.attribute("name")?.as_flat_symbol(context)?;
            (target.name() == memref::GetGlobal::NAME).then(|| {
                format!("`@{symbol}` would keep its value from one run to the next: pass the memory as an argument")
            })
        }
        builtin::UnrealizedConversionCast::NAME => conversion(view),
        arith::Addf::NAME
        | arith::Convertf::NAME
        | arith::Divf::NAME
        | arith::Mulf::NAME
        | arith::Subf::NAME
        | arith::Truncf::NAME => {
            let mode = view.attribute("roundingmode")?;
            let mode = ROUNDING_MODES.value(context, mode)?;
            (mode != 0).then(|| {
                format!("`{name}` rounds to the nearest, ties to even: leave out the rounding mode")
            })
        }
        memref::Dim::NAME => {
            let advice = "give it a constant dimension that the memref has";
            Some(format!(
                "`memref.dim` of a dimension that is not known: {advice}"
            ))
        }
        _ if name.starts_with("scf.") || name.starts_with("affine.") => {
            let several = view.regions().iter().any(|r| body.blocks(*r).len() > 1);
            several.then(|| {
                format!("`{name}` with several blocks in a region: use `cf` at the level of the function only")
            })
        }
        _ => None,
    }
}

/// Describes a view that a later pass cannot resolve: another operation than a load or store uses it, or its source is unknown.
fn view_that_is_left(view: View<'_>) -> String {
    let (body, name) = (view.body, view.name());
    if window(view).is_none() {
        let advice =
            "give the memory and the view constant sizes, and the memory the identity layout";
        return format!("it is not known what this `{name}` shows: {advice}");
    }
    let mut users = body
        .uses(view.result(0))
        .map(|(user, _)| view.at(user).name());
    let user = users.find(|user| !ACCESSES.contains(user)).unwrap_or(name);
    format!("`{user}` of what `{name}` shows has no hardware: load from it and store into it")
}

const ACCESSES: &[&str] = &[
    affine::Load::NAME,
    affine::Store::NAME,
    memref::Load::NAME,
    memref::Store::NAME,
];

/// Reports a minimum or maximum over no values: of an affine map, or of a loop bound.
fn empty_map(view: View<'_>) -> Option<String> {
    let (context, name) = (view.context, view.name());
    let is_empty = |attribute: &str| {
        let map = view.attribute(attribute)?.as_affine_map(context)?;
        Some(map.results.is_empty())
    };
    let groups_are_empty = |attribute: &str| match view.attribute(attribute)?.kind(context) {
        AttributeKind::DenseElements { values, .. } => Some(values.iter().any(|n| n.is_zero())),
        _ => None,
    };
    let found = match name {
        affine::Min::NAME | affine::Max::NAME => is_empty("map"),
        affine::For::NAME => Some(is_empty("lowerBoundMap")? || is_empty("upperBoundMap")?),
        affine::Parallel::NAME => {
            Some(groups_are_empty("lowerBoundsGroups")? || groups_are_empty("upperBoundsGroups")?)
        }
        _ => None,
    };
    found?.then(|| format!("`{name}` of a map without results has no value: give the map a result"))
}

/// Reports conversions between types of two lowering stages; only a conversion that changes nothing has a meaning here.
fn conversion(view: View<'_>) -> Option<String> {
    let context = view.context;
    let operands: Vec<Type> = view.operand_types().collect();
    let results: Vec<Type> = view.result_types().collect();
    if operands == results {
        return None;
    }
    let instead = match (operands.as_slice(), results.as_slice()) {
        ([from], [to]) => match (from.kind(context), to.kind(context)) {
            (TypeKind::Integer { width_bits: a, .. }, TypeKind::Integer { width_bits: b, .. }) => {
                if a > b {
                    "`arith.trunci`"
                } else {
                    "`arith.extsi` or `arith.extui`"
                }
            }
            (TypeKind::Index, _) | (_, TypeKind::Index) => {
                "`arith.index_cast` or `arith.index_castui`"
            }
            _ => "an operation of `arith`",
        },
        _ => "operations of `arith`",
    };
    Some(format!(
        "`{}` to another type says nothing of its value: use {instead}",
        view.name()
    ))
}

/// Returns advice on what to write instead.
fn advice(name: &str) -> String {
    let dialect = name.split_once('.').map_or(name, |(dialect, _)| dialect);
    match dialect {
        "arith" if name == arith::Remf::NAME => {
            ": a remainder of floats is `x - trunc(x / y) * y`".to_owned()
        }
        "arith" => ": use other operations of `arith` on floats".to_owned(),
        "ub" => ": let the function return somewhere".to_owned(),
        "math" => ": of float functions, `absf`, `atan`, `atan2`, `ceil`, `clampf`, `copysign`, `cos`, `erf`, `exp`, `exp2`, `floor`, `fma`, `isfinite`, `isinf`, `isnan`, `isnormal`, `log`, `log10`, `log2`, `powf`, `round`, `roundeven`, `rsqrt`, `sin`, `sincos`, `sqrt`, `tanh` and `trunc` have".to_owned(),
        "scf" => ": use `scf.for`, `scf.while`, `scf.if` or `scf.index_switch`".to_owned(),
        "memref" => ": use `memref.load`, `memref.store` and static `memref.alloc`".to_owned(),
        "affine" => ": use `affine.for`, `affine.parallel`, `affine.if`, `affine.apply`, `affine.load` and `affine.store`".to_owned(),
        "index" => ": use operations of `arith` on `index`".to_owned(),
        "cf" => ": use `cf.br` and `cf.cond_br`".to_owned(),
        "func" => ": call functions directly with `func.call`".to_owned(),
        _ => {
            format!(": lower the dialect `{dialect}` to func, arith, affine, scf and memref first")
        }
    }
}

/// Reports functions that call themselves, directly or indirectly.
fn recursion(context: &Context, module: &Module, diagnostics: &mut Diagnostics) {
    let inner = module.inner();
    let calls = |function: &str| -> Vec<(String, sluice_ir::Location)> {
        let Some(op) = module.lookup_symbol(context, function) else {
            return Vec::new();
        };
        let body = inner.inner(op);
        let calls = body
            .walk_all()
            .into_iter()
            .map(|op| View::new(context, body, op))
            .filter(|v| v.name() == func::Call::NAME);
        calls
            .filter_map(|v| {
                Some((
                    v.attribute("callee")?.as_flat_symbol(context)?.to_owned(),
                    v.location(),
                ))
            })
            .collect()
    };
    for op in module.top_level_operations() {
        let Some(name) = View::new(context, inner, op).symbol_name() else {
            continue;
        };
        let mut reached: Vec<String> = Vec::new();
        let mut open = calls(name);
        while let Some((callee, location)) = open.pop() {
            if callee == name {
                diagnostics.error(
                    location,
                    format!("`@{name}` calls itself: recursion has no hardware, write a loop"),
                );
                break;
            }
            if !reached.contains(&callee) {
                open.extend(calls(&callee));
                reached.push(callee);
            }
        }
    }
}
