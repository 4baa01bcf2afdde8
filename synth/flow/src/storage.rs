//! Storage of memories: attaches the configuration's directives to the memories they name, and checks that they are possible.

use std::collections::BTreeSet;

use sluice_config::{Config, StorageDirective};
use sluice_dialects::sluice::STORAGE;
use sluice_dialects::{
    func, memref,
    storage::{Ports, Storage, StorageKind, TRUE_DUAL, accesses, storage},
};
use sluice_ir::passes::named;
use sluice_ir::suggestion::did_you_mean;
use sluice_ir::{Body, Context, Diagnostics, Exact, Module, OperationId, View};
use sluice_oplib::device::Device;
use sluice_oplib::memory::MemoryKind;

/// Maximum number of words held in registers. Each word is a register, and a read at a variable address selects among all of
/// them.
const MAX_REGISTERS: u64 = 256;

/// Attaches storage directives to local memories and constant tables; a name that none of them has is an error.
pub(crate) fn attach(
    context: &Context,
    module: &mut Module,
    config: &Config,
    diagnostics: &mut Diagnostics,
) {
    if config.storage.is_empty() {
        return;
    }
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut arguments: BTreeSet<String> = BTreeSet::new();
    for function in named(context, module, func::Func::NAME) {
        let Some(entry) = module.inner().entry_block(function, 0) else {
            continue;
        };
        let body = module.inner_mut().inner_mut(function);
        let of_value = |value| body.value_name(value).map(|name| context.text(name));
        let names = body.arguments(entry).iter().filter_map(|v| of_value(*v));
        arguments.extend(names.map(str::to_owned));
        for op in body.walk_all() {
            let names = memory_names(context, body, op);
            let wish = names.iter().find_map(|name| config.storage.get(name));
            if let Some(wish) = wish.and_then(asked) {
                let wish = wish.to_attribute(context);
                body.set_attribute(op, context.name(STORAGE), wish);
            }
            found.extend(names);
        }
    }
    for name in config.storage.keys().filter(|name| !found.contains(*name)) {
        let known: Vec<&str> = found.iter().map(String::as_str).collect();
        let shown: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        let what = if arguments.contains(name) {
            "is an argument, whose memory is outside of the circuit".to_owned()
        } else if known.is_empty() {
            "is not there".to_owned()
        } else {
            format!("is not there; {}", did_you_mean(name, &known))
        };
        let rest = if shown.is_empty() {
            "there is no local memory or table".to_owned()
        } else {
            format!("local memories and tables are {}", shown.join(", "))
        };
        let message = format!("storage for a memory `{name}`, which {what}: {rest}");
        diagnostics.error(module.body.location(module.operation), message);
    }
}

/// Returns the names of a memory: the name of its value, and for a table also that of its `memref.global`.
fn memory_names(context: &Context, body: &Body, op: OperationId) -> Vec<String> {
    let view = View::new(context, body, op);
    let symbol = match view.name() {
        memref::Alloc::NAME | memref::Alloca::NAME => None,
        memref::GetGlobal::NAME => view.attribute("name"),
        _ => return Vec::new(),
    };
    let symbol = symbol.and_then(|symbol| symbol.as_flat_symbol(context));
    let own = body.value_name(view.result(0));
    let own = own.map(|name| context.text(name));
    own.into_iter().chain(symbol).map(str::to_owned).collect()
}

fn asked(wish: &StorageDirective) -> Option<Storage> {
    let kind = StorageKind::of_name(&wish.kind)?;
    let ports = match (kind, wish.ports.as_deref()) {
        (StorageKind::Registers, _) => Ports::Each,
        (_, Some(TRUE_DUAL)) => Ports::TrueDual,
        _ => Ports::Separate {
            reads: wish.reads.unwrap_or(1),
        },
    };
    Some(Storage { kind, ports })
}

/// Reports memories that cannot be stored as requested, with an alternative that fits.
pub(crate) fn check(
    context: &Context,
    module: &Module,
    (device, clock_period_ns): (&Device, f64),
    streams: &[String],
    diagnostics: &mut Diagnostics,
) {
    for function in named(context, module, func::Func::NAME) {
        let body = module.inner().inner(function);
        let is_stream = |name: &str| streams.iter().any(|stream| stream == name);
        large_memories_outside(
            context,
            body,
            (device, clock_period_ns),
            &is_stream,
            diagnostics,
        );
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            if let Some(wish) = storage(view)
                && let Some(message) = refusal(view, wish, device)
            {
                diagnostics.error(view.location(), message);
            }
        }
    }
}

/// Warns about arguments so large that blocks of the device would deliver their words too late. Schedules assume that they keep
/// up with the clock.
fn large_memories_outside(
    context: &Context,
    body: &Body,
    (device, clock_period_ns): (&Device, f64),
    is_stream: &dyn Fn(&str) -> bool,
    diagnostics: &mut Diagnostics,
) {
    let region = body.top_regions().next();
    let entry = region.and_then(|region| body.blocks(region).first().copied());
    let Some(entry) = entry else { return };
    for argument in body.arguments(entry) {
        let name = body.value_name(*argument).map(|name| context.text(name));
        // The words of a stream are not held in a memory.
        if name.is_some_and(is_stream) {
            continue;
        }
        let ty = body.ty(*argument);
        let n_words = ty.n_elements(context);
        let width_bits = ty.element_type(context).and_then(|e| e.width_bits(context));
        let Some((n_words, width_bits)) = n_words.zip(width_bits) else {
            continue;
        };
        let memory = device.memory(n_words.to_u32().unwrap_or(u32::MAX), width_bits);
        let delay_ns = memory.map_or(0.0, |memory| {
            memory.read.input_delay_ns.max(memory.read.output_delay_ns)
        });
        if delay_ns > device.usable_period_ns(clock_period_ns) {
            let message = format!(
                "`{}` of {n_words} words is too large for blocks of `{}` at {clock_period_ns} ns: the memory outside must read a word in one cycle all the same",
                name.unwrap_or("memory"),
                device.name
            );
            diagnostics.warning(body.value_location(*argument), message);
        }
    }
}

/// Returns the reason why a memory cannot be stored that way.
fn refusal(view: View<'_>, wish: Storage, device: &Device) -> Option<String> {
    let (context, body) = (view.context, view.body);
    let memory = view.result(0);
    let name = memory_names(context, body, view.id).into_iter().next();
    let name = name.unwrap_or_else(|| "memory".to_owned());
    let kind = wish.kind.name();
    let is_table = view.name() == memref::GetGlobal::NAME;
    let words = view.ty(memory).n_elements(context).unwrap_or_default();
    let has_cells = |kind| device.memory_of_kind(kind, 1, 1).is_some();
    if is_table != (wish.kind == StorageKind::Rom) {
        return Some(if is_table {
            format!("`{name}` is a table of constants and cannot be `{kind}`: `rom` fits")
        } else {
            format!(
                "`{name}` is written and cannot be `rom`, which holds the constants of a `memref.global`: `registers`, `lut_ram` or `block_ram` fit"
            )
        });
    }
    let lacking = match wish.kind {
        StorageKind::LutRam if !has_cells(MemoryKind::Distributed) => Some("`block_ram`"),
        StorageKind::BlockRam if !has_cells(MemoryKind::Block) => Some("`lut_ram`"),
        _ => None,
    };
    if let Some(other) = lacking {
        let device = &device.name;
        return Some(format!(
            "device `{device}` has no cells for `{kind}`, which `{name}` should be: {other} or `registers` fit"
        ));
    }
    if wish.kind == StorageKind::Registers && words > Exact::from(MAX_REGISTERS) {
        return Some(format!(
            "`{name}` has {words} words, registers are for {MAX_REGISTERS} at most: `lut_ram` or `block_ram` fit, or banks of {MAX_REGISTERS} words"
        ));
    }
    let (.., others) = accesses(context, body, memory);
    let call = others.iter().map(|op| view.at(*op));
    let call = call.into_iter().find(|op| op.name() == func::Call::NAME)?;
    if !wish.reads_without_clock() && wish.ports != Ports::TrueDual {
        return None;
    }
    let callee = call.attribute("callee");
    let callee = callee.and_then(|callee| callee.as_flat_symbol(context));
    let callee = callee.unwrap_or("callee");
    Some(format!(
        "`{name}` is passed to `@{callee}`, a circuit of its own with one read port of a cycle and one write port: `block_ram` fits, or take `{callee}` out of `keep`"
    ))
}
