//! Attaching of the configuration's directives to the loops and arrays they name.

use std::collections::{BTreeMap, BTreeSet};

use sluice_config::{BankDirective, Config, LoopDirectives, Style};
use sluice_dialects::{affine, func, memref, scf, sluice};
use sluice_ir::suggestion::did_you_mean;
use sluice_ir::{
    Attribute, Body, Context, Diagnostics, Location, Module, OperationId, ValueId, View,
};
use sluice_transform::KeptApart;

/// Returns the directives for the pass `restructure`, as attributes.
fn restructuring(context: &Context, directives: &LoopDirectives) -> Vec<(&'static str, Attribute)> {
    let mut found = Vec::new();
    let switches = [
        (sluice_dialects::sluice::DISTRIBUTE, directives.distribute),
        (sluice_dialects::sluice::FUSE, directives.fuse),
    ];
    for (name, value) in switches {
        found.extend(value.map(|value| (name, context.bool_attribute(value))));
    }
    if !directives.interchange.is_empty() {
        let order = directives.interchange.iter();
        let order: Vec<Attribute> = order.map(|n| context.string_attribute(n)).collect();
        found.push((
            sluice_dialects::sluice::INTERCHANGE,
            context.array_attribute(&order),
        ));
    }
    if !directives.reorder.is_empty() {
        let places = directives.reorder.iter();
        let places: Vec<Attribute> = places
            .map(|place| context.string_attribute(place))
            .collect();
        found.push((
            sluice_dialects::sluice::REORDER,
            context.array_attribute(&places),
        ));
    }
    let counts = [
        (sluice_dialects::sluice::TILE, directives.tile),
        (sluice_dialects::sluice::PEEL_FIRST, directives.peel_first),
        (sluice_dialects::sluice::PEEL_LAST, directives.peel_last),
    ];
    for (name, count) in counts {
        found.extend(count.map(|count| (name, context.i64_attribute(i64::from(count)))));
    }
    found
}

/// Locations of the loops that share a name.
#[derive(Default)]
struct Kinds {
    /// A counted loop.
    counting: Option<Location>,
    /// An `scf.while`, named after the first value that it carries.
    repeating: Option<Location>,
}

impl Kinds {
    /// Reports the directives that no loop of this name supports.
    fn judge(&self, name: &str, directives: &LoopDirectives, diagnostics: &mut Diagnostics) {
        if let (Some(at), None) = (self.counting, self.repeating)
            && directives.speculate.is_some()
        {
            let message = format!(
                "`speculate` is for `while` loops, whose condition may come late; the loop `{name}` counts"
            );
            diagnostics.error(at, message);
        }
        let (None, Some(at)) = (self.counting, self.repeating) else {
            return;
        };
        for key in directives.only_counting() {
            let message = format!(
                "`{key}` is for loops that count; for the `while` loop `{name}` there are `pipeline`, `ii` and `speculate`"
            );
            diagnostics.error(at, message);
        }
    }
}

/// Attaches the directives. A name that no loop or array has is an error. Banks apply to the arguments of `top` and to local
/// memories.
pub(crate) fn attach(
    context: &Context,
    module: &mut Module,
    config: &Config,
    top: &str,
    diagnostics: &mut Diagnostics,
) {
    attach_banks(context, module, config, top, diagnostics);
    crate::storage::attach(context, module, config, diagnostics);
    let mut found: BTreeMap<String, Kinds> = BTreeMap::new();
    let mut blocks: BTreeMap<String, Location> = BTreeMap::new();
    let mut functions: BTreeSet<String> = BTreeSet::new();
    for op in module.top_level_operations() {
        let view = View::new(context, module.inner(), op);
        let name = view.symbol_name().unwrap_or_default().to_owned();
        if view.name() != func::Func::NAME {
            continue;
        }
        functions.insert(name.clone());
        if config.keep.contains(&name) {
            module.inner_mut().set_attribute(
                op,
                context.name(sluice::NO_INLINE),
                context.unit_attribute(),
            );
        }
        let body = module.inner_mut().inner_mut(op);
        for op in body.walk_all() {
            attach_to_loop(context, body, op, &config.loops, &mut found);
        }
        arguments_of_blocks(context, body, &mut blocks);
    }
    for name in config.keep.iter().filter(|name| !functions.contains(*name)) {
        let known: Vec<&str> = functions.iter().map(String::as_str).collect();
        let message = format!(
            "`keep` names a function `{name}` that is not there; {}",
            did_you_mean(name, &known)
        );
        diagnostics.error(module.body.location(module.operation), message);
    }
    for (name, directives) in &config.loops {
        if let Some(kinds) = found.get(name) {
            kinds.judge(name, directives, diagnostics);
        }
    }
    for name in config
        .loops
        .keys()
        .filter(|name| !found.contains_key(*name))
    {
        if let Some(at) = blocks.get(name) {
            let message = format!(
                "`{name}` is an argument of a block: {NAMED_LOOPS} take directives, loops of blocks do not"
            );
            diagnostics.error(*at, message);
            continue;
        }
        let known: Vec<_> = found.keys().map(|f| format!("`{f}`")).collect();
        let message = match known.is_empty() {
            true => format!(
                "directives for a loop `{name}`, but no loop has a name: {NAMED_LOOPS} have that of the first value of their body"
            ),
            false => format!(
                "directives for a loop `{name}`, but the loops are called {}",
                known.join(", ")
            ),
        };
        diagnostics.error(module.body.location(module.operation), message);
    }
}

/// The loops that can have directives.
const NAMED_LOOPS: &str =
    "`affine.for`, `affine.parallel`, `scf.for`, `scf.parallel`, `scf.forall` and `scf.while`";

/// Attaches the directives to an operation, if it is a loop that they name.
fn attach_to_loop(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    all: &BTreeMap<String, LoopDirectives>,
    found: &mut BTreeMap<String, Kinds>,
) {
    let view = View::new(context, body, op);
    let location = view.location();
    let arguments = view.entry_block(0).map(|block| body.arguments(block));
    let arguments = arguments.unwrap_or_default();
    let name_of = |variable: &ValueId| {
        let name = body.value_name(*variable)?;
        Some(context.text(name).to_owned())
    };
    match view.name() {
        kind @ (affine::For::NAME | scf::For::NAME | scf::While::NAME) => {
            let Some(name) = arguments.first().and_then(name_of) else {
                return;
            };
            let is_while = kind == scf::While::NAME;
            let kinds = found.entry(name.clone()).or_default();
            match is_while {
                true => kinds.repeating = Some(location),
                false => kinds.counting = Some(location),
            }
            let directives = all.get(&name);
            for (name, attribute) in attributes(context, directives, is_while) {
                body.set_attribute(op, context.name(name), attribute);
            }
        }
        // Each dimension becomes a loop of its own later.
        kind @ (affine::Parallel::NAME | scf::Parallel::NAME | scf::Forall::NAME) => {
            let n_dimensions = match kind {
                scf::Forall::NAME => {
                    sluice_dialects::scf::forall_bounds(view).map_or(0, |b| b[0].len())
                }
                scf::Parallel::NAME => view.operand_group(0).len(),
                _ => arguments.len(),
            };
            let names: Vec<Option<String>> =
                arguments.iter().take(n_dimensions).map(name_of).collect();
            let mut of_dimensions = Vec::new();
            for name in &names {
                if let Some(name) = name {
                    found.entry(name.clone()).or_default().counting = Some(location);
                }
                let directives = name.as_ref().and_then(|name| all.get(name));
                let own = attributes(context, directives, false).into_iter();
                let own: Vec<_> = own
                    .map(|(name, attribute)| (context.name(name), attribute))
                    .collect();
                of_dimensions.push(own);
            }
            if of_dimensions.iter().any(|own| !own.is_empty()) {
                let all = of_dimensions.iter();
                let all: Vec<Attribute> =
                    all.map(|own| context.dictionary_attribute(own)).collect();
                let all = context.array_attribute(&all);
                body.set_attribute(
                    op,
                    context.name(sluice_dialects::sluice::OF_DIMENSIONS),
                    all,
                );
            }
        }
        _ => {}
    }
}

/// Returns the directives of a loop as attributes.
fn attributes(
    context: &Context,
    directives: Option<&LoopDirectives>,
    is_while: bool,
) -> Vec<(&'static str, Attribute)> {
    let Some(directives) = directives else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let number = |value: u32| context.i64_attribute(i64::from(value));
    if let Some(style) = directives.style {
        let style = match style {
            Style::Elastic => sluice_transform::ELASTIC,
            Style::Static | Style::Auto => sluice_transform::STATIC,
        };
        found.push((
            sluice_dialects::sluice::STYLE,
            context.string_attribute(style),
        ));
    }
    let pipeline = directives.pipeline;
    found.extend(pipeline.map(|yes| (sluice::PIPELINE, context.bool_attribute(yes))));
    let ii = directives.ii.map(|ii| (sluice::FIXED_II, number(ii)));
    if is_while {
        let rounds = directives.speculate;
        found.extend(rounds.map(|rounds| (sluice_dialects::sluice::SPECULATE, number(rounds))));
        found.extend(ii);
        return found;
    }
    let flatten = directives.flatten;
    found.extend(flatten.map(|yes| {
        (
            sluice_dialects::sluice::FLATTEN,
            context.bool_attribute(yes),
        )
    }));
    found.extend(ii);
    found.extend(directives.unroll.map(|n| (sluice::UNROLL, number(n))));
    found.extend(
        directives
            .jam
            .map(|n| (sluice_dialects::sluice::JAM, number(n))),
    );
    found.extend(restructuring(context, directives));
    found
}

/// Collects the named arguments of branch targets, with their locations.
fn arguments_of_blocks(context: &Context, body: &Body, found: &mut BTreeMap<String, Location>) {
    for op in body.walk_all() {
        for successor in body.successors(op) {
            for argument in body.arguments(*successor) {
                if let Some(name) = body.value_name(*argument) {
                    let at = body.value_location(*argument);
                    found.insert(context.text(name).to_owned(), at);
                }
            }
        }
    }
}

/// Attaches bank directives to the arguments of `top` and the local memories that they name.
fn attach_banks(
    context: &Context,
    module: &mut Module,
    config: &Config,
    top: &str,
    diagnostics: &mut Diagnostics,
) {
    if config.banks.is_empty() {
        return;
    }
    let mut found: BTreeSet<String> = BTreeSet::new();
    for op in module.top_level_operations() {
        let view = View::new(context, module.inner(), op);
        if view.name() != func::Func::NAME {
            continue;
        }
        if view.symbol_name() == Some(top) {
            attach_to_arguments(context, module.inner_mut(), op, config, &mut found);
        }
        let body = module.inner_mut().inner_mut(op);
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            if !matches!(view.name(), memref::Alloc::NAME | memref::Alloca::NAME) {
                continue;
            }
            let Some(name) = body.value_name(view.result(0)) else {
                continue;
            };
            let name = context.text(name).to_owned();
            if let Some(wishes) = config.banks.get(&name) {
                let wishes = bank_attribute(context, wishes);
                body.set_attribute(op, context.name(sluice_dialects::sluice::BANKS), wishes);
                let array = context.string_attribute(&name);
                body.set_attribute(op, context.name(sluice_dialects::sluice::ARRAY), array);
            }
            found.insert(name);
        }
    }
    for name in config.banks.keys().filter(|name| !found.contains(*name)) {
        let known: Vec<_> = found.iter().map(|f| format!("`{f}`")).collect();
        let message = format!(
            "banks for an array `{name}`, but the arrays are called {}",
            known.join(", ")
        );
        diagnostics.error(module.body.location(module.operation), message);
    }
}

fn attach_to_arguments(
    context: &Context,
    inner: &mut Body,
    function: OperationId,
    config: &Config,
    found: &mut BTreeSet<String>,
) {
    let Some(entry) = inner.entry_block(function, 0) else {
        return;
    };
    let body = inner.inner(function);
    let arrays = body.arguments(entry).iter();
    let arrays = arrays.filter(|value| body.ty(**value).static_shape(context).is_some());
    let names = arrays.filter_map(|value| body.value_name(*value));
    found.extend(names.map(|name| context.text(name).to_owned()));
    sluice_kernel::banks::banks_of_arguments(context, inner, function, &|body, value| {
        let name = context.text(body.value_name(value)?);
        body.ty(value).static_shape(context)?;
        Some(bank_attribute(context, config.banks.get(name)?))
    });
}

fn bank_attribute(context: &Context, wishes: &[BankDirective]) -> Attribute {
    let wishes: Vec<Attribute> = wishes
        .iter()
        .map(|wish| {
            let number = |n: u32| context.i64_attribute(i64::from(n));
            let mut entries = Vec::new();
            let numbers = [
                ("dim", wish.dim),
                ("factor", wish.factor),
                ("block", wish.block),
            ];
            for (name, value) in numbers {
                entries.extend(value.map(|value| (context.name(name), number(value))));
            }
            let kind = wish.kind.as_deref().unwrap_or("cyclic");
            entries.push((context.name("kind"), context.string_attribute(kind)));
            context.dictionary_attribute(&entries)
        })
        .collect();
    context.array_attribute(&wishes)
}

/// Warns about loops that stay separate from their inner loops although a directive requests flattening.
pub(crate) fn warn_of_apart(all: &[KeptApart], found: &mut Diagnostics) {
    for apart in all {
        let reason = apart.reason;
        let message = format!("`flatten: true` of this loop has no effect: {reason}");
        let warning = found.warning(apart.root, message);
        if apart.place != apart.root {
            warning.note(apart.place, "this operation");
        }
    }
}

/// Returns the loops with a directive to flatten them in a configuration that flattens no loops.
pub(crate) fn wished_in_vain(context: &Context, body: &Body) -> Vec<KeptApart> {
    let mut all = sluice_search::loops::loops_in(context, body);
    all.retain(|op| {
        let wish = body.attribute_named(context, *op, sluice_dialects::sluice::FLATTEN);
        wish.and_then(|wish| wish.as_bool(context)) == Some(true)
    });
    let apart = all.into_iter().map(|op| KeptApart {
        root: body.location(op),
        place: body.location(op),
        reason: "`flatten: false` keeps all loops apart",
    });
    apart.collect()
}
