//! `legality`: what Sluice cannot make hardware of, said with the place and with what to do instead.

use sluice_ir::{Body, Context, Diagnostics, Module, Type, TypeKind, View};

/// Checks a whole module before anything is changed; every finding is an error.
pub fn check(context: &Context, module: &Module, diagnostics: &mut Diagnostics) {
    let inner = module.inner();
    for op in module.top_level_operations() {
        let view = View::new(context, inner, op);
        match view.name() {
            "func.func" => {
                check_body(context, view.inner(), diagnostics);
                for value in view
                    .entry_block(0)
                    .map(|b| view.inner().arguments(b).to_vec())
                    .unwrap_or_default()
                {
                    if let Some(problem) = unsupported_type(context, view.inner().ty(value)) {
                        diagnostics.error(
                            view.inner().value_location(value),
                            format!("argument of a kernel: {problem}"),
                        );
                    }
                }
            }
            "memref.global" => {}
            name => {
                diagnostics.error(
                    view.location(),
                    format!("`{name}` has no hardware: a kernel file holds `func.func` and `memref.global`"),
                );
            }
        }
    }
    recursion(context, module, diagnostics);
}

/// Why a type has no hardware.
fn unsupported_type(context: &Context, ty: Type) -> Option<String> {
    match ty.kind(context) {
        TypeKind::Integer { width_bits: 0, .. } => {
            Some("integers of width 0 carry nothing".to_owned())
        }
        TypeKind::Integer { .. } | TypeKind::Index => None,
        TypeKind::Float(kind) => Some(format!(
            "floating-point type `{}` is not supported yet: use integers, for example fixed point",
            kind.keyword()
        )),
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
            } else if shape.iter().flatten().product::<u64>() == 0 {
                Some("a memref without elements has no port".to_owned())
            } else if shape.iter().flatten().product::<u64>() > 1 << 31 {
                Some("a memref of more than 2^31 elements is too large".to_owned())
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
            Some("only integers, `index` and memrefs of them have hardware".to_owned())
        }
    }
}

const SUPPORTED: &[&str] = &[
    "affine.apply",
    "affine.for",
    "affine.if",
    "affine.load",
    "affine.max",
    "affine.min",
    "affine.parallel",
    "affine.store",
    "affine.yield",
    "arith.addi",
    "arith.addui_extended",
    "arith.andi",
    "arith.ceildivsi",
    "arith.ceildivui",
    "arith.cmpi",
    "arith.constant",
    "arith.divsi",
    "arith.divui",
    "arith.extsi",
    "arith.extui",
    "arith.floordivsi",
    "arith.index_cast",
    "arith.index_castui",
    "arith.maxsi",
    "arith.maxui",
    "arith.minsi",
    "arith.minui",
    "arith.muli",
    "arith.mulsi_extended",
    "arith.mului_extended",
    "arith.ori",
    "arith.remsi",
    "arith.remui",
    "arith.select",
    "arith.shli",
    "arith.shrsi",
    "arith.shrui",
    "arith.subi",
    "arith.trunci",
    "arith.xori",
    "builtin.unrealized_conversion_cast",
    "cf.br",
    "cf.cond_br",
    "func.call",
    "func.return",
    "index.add",
    "index.and",
    "index.bool.constant",
    "index.casts",
    "index.castu",
    "index.ceildivs",
    "index.ceildivu",
    "index.constant",
    "index.divs",
    "index.divu",
    "index.floordivs",
    "index.maxs",
    "index.maxu",
    "index.mins",
    "index.minu",
    "index.mul",
    "index.or",
    "index.rems",
    "index.remu",
    "index.shl",
    "index.shrs",
    "index.shru",
    "index.sub",
    "index.xor",
    "math.absi",
    "memref.alloc",
    "memref.alloca",
    "memref.cast",
    "memref.copy",
    "memref.dealloc",
    "memref.dim",
    "memref.get_global",
    "memref.load",
    "memref.store",
    "scf.condition",
    "scf.execute_region",
    "scf.for",
    "scf.if",
    "scf.while",
    "scf.yield",
];

fn check_body(context: &Context, body: &Body, diagnostics: &mut Diagnostics) {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        let name = view.name();
        let bad_type = view
            .result_types()
            .chain(view.operand_types())
            .find_map(|ty| unsupported_type(context, ty));
        if let Some(problem) = bad_type {
            diagnostics.error(view.location(), format!("`{name}`: {problem}"));
        } else if SUPPORTED.binary_search(&name).is_err() {
            diagnostics.error(
                view.location(),
                format!("`{name}` has no hardware yet{}", advice(name)),
            );
        } else if name.starts_with("scf.") || name.starts_with("affine.") {
            let several = view.regions().iter().any(|r| body.blocks(*r).len() > 1);
            if several {
                diagnostics.error(
                    view.location(),
                    format!("`{name}` with several blocks in a region: use `cf` at the level of the function only"),
                );
            }
        }
    }
}

/// What to do instead.
fn advice(name: &str) -> String {
    let dialect = name.split_once('.').map_or(name, |(dialect, _)| dialect);
    match dialect {
        "arith" | "math" => ": use integer operations of `arith`".to_owned(),
        "scf" => ": use `scf.for`, `scf.while` or `scf.if`".to_owned(),
        "memref" => ": use `memref.load`, `memref.store` and static `memref.alloc`".to_owned(),
        "cf" => ": use `cf.br` and `cf.cond_br`".to_owned(),
        "func" => ": call functions directly with `func.call`".to_owned(),
        _ => {
            format!(": lower the dialect `{dialect}` to func, arith, affine, scf and memref first")
        }
    }
}

/// A function that calls itself, directly or not.
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
            .filter(|v| v.name() == "func.call");
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

#[cfg(test)]
mod tests {
    #[test]
    fn supported_is_sorted() {
        assert!(super::SUPPORTED.is_sorted());
    }
}
