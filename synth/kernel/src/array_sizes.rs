//! Sizes of the kernel's array arguments whose types leave a dimension open, as C front ends emit them: `memref<?x30xi32>`.
//!
//! The configuration gives the sizes, or the accesses do where they reach known indices only. The kernel with static types is
//! compiled, interpreted, simulated and checked.

use std::collections::BTreeMap;

use sluice_config::{Config, ConfigError, SizeWish};
use sluice_ir::suggestion::nearest;
use sluice_ir::text::print_type;
use sluice_ir::types::Dimension;
use sluice_ir::{Context, Diagnostics, Location, Module, OperationId, Type, TypeKind, View};
use sluice_transform::accessed_extents;

use crate::retype::{is_open, retype, retype_kept};

/// The size in examples of messages.
const EXAMPLE: u64 = 64;

/// An argument of the kernel.
struct Argument {
    name: String,
    ty: Type,
    place: Location,
}

/// Gives the arrays of the function `top` the sizes of the configuration. An array without sizes gets those that its accesses
/// need, with a warning in `found`, or is an error in `found`.
///
/// Returns what is wrong with the sizes of the configuration.
pub(crate) fn give_sizes(
    context: &Context,
    module: &mut Module,
    top: &str,
    config: &Config,
    found: &mut Diagnostics,
) -> Vec<ConfigError> {
    let Some(function) = module.lookup_symbol(context, top) else {
        return Vec::new();
    };
    let arguments = arguments(View::new(context, module.inner(), function));
    let mut misfits = unknown_arrays(context, config, &arguments);
    let mut types = BTreeMap::new();
    for (number, argument) in arguments.iter().enumerate() {
        let ty = match config.sizes.get(&argument.name) {
            Some(sizes) => match wished_type(context, argument, &sizes.wish) {
                Ok(ty) => Some(ty),
                Err(message) => {
                    misfits.push(sizes.error(message));
                    continue;
                }
            },
            None if is_open(context, argument.ty) => {
                type_of_accesses(context, module, (function, number), argument, found)
            }
            None => None,
        };
        types.extend(ty.map(|ty| (number, ty)));
    }
    if misfits.is_empty() && !found.has_errors() {
        if !types.is_empty() {
            retype(context, module, function, &types);
        }
        retype_kept(context, module, &config.keep);
    }
    misfits
}

fn arguments(function: View<'_>) -> Vec<Argument> {
    let (context, body) = (function.context, function.inner());
    let entry = function.entry_block(0);
    let values = entry.map_or(&[][..], |entry| body.arguments(entry));
    let argument = |(number, value)| {
        let name = body.value_name(value).map(|name| context.text(name));
        let place = body.value_location(value);
        let has_place = place.file_line_column(context).is_some();
        Argument {
            name: name.map_or_else(|| format!("arg{number}"), str::to_owned),
            ty: body.ty(value),
            place: match has_place {
                true => place,
                false => function.location(),
            },
        }
    };
    values.iter().copied().enumerate().map(argument).collect()
}

/// Returns an error for each array of the configuration that the kernel does not have.
fn unknown_arrays(context: &Context, config: &Config, arguments: &[Argument]) -> Vec<ConfigError> {
    let open = arguments.iter().filter(|one| is_open(context, one.ty));
    let open: Vec<&str> = open.map(|one| one.name.as_str()).collect();
    let is_argument = |name: &String| arguments.iter().any(|argument| argument.name == *name);
    let unknown = config.sizes.iter().filter(|(name, _)| !is_argument(name));
    let unknown = unknown.map(|(name, sizes)| {
        let listed: Vec<String> = open.iter().map(|name| format!("`{name}`")).collect();
        let advice = match nearest(name, open.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if open.is_empty() => "no array of the kernel has an open dimension".to_owned(),
            None => format!("arrays with open dimensions are {}", listed.join(", ")),
        };
        sizes.error(format!(
            "no array of the kernel is called `{name}`; {advice}"
        ))
    });
    unknown.collect()
}

/// Returns the type of an argument with the sizes of the configuration.
///
/// # Errors
/// Why the sizes do not fit the type.
fn wished_type(context: &Context, argument: &Argument, wish: &SizeWish) -> Result<Type, String> {
    let name = &argument.name;
    let text = print_type(context, argument.ty);
    let TypeKind::MemRef { shape, .. } = argument.ty.kind(context) else {
        return Err(format!("`{name}` is no array, it has the type {text}"));
    };
    let n_open = shape.iter().filter(|size| size.is_none()).count();
    if n_open == 0 {
        return Err(format!(
            "`{name}` has a size for every dimension already: {text}"
        ));
    }
    let sizes: Vec<u64> = match wish {
        SizeWish::Open(size) if n_open == 1 => {
            let sizes = shape.iter().map(|known| known.unwrap_or((*size).into()));
            sizes.collect()
        }
        SizeWish::Open(_) => {
            return Err(format!(
                "`{name}` has {n_open} dimensions without sizes ({text}): give the sizes of all dimensions, for example `{name}: {}`",
                example(shape)
            ));
        }
        SizeWish::All(sizes) => sizes.iter().copied().map(u64::from).collect(),
    };
    if sizes.len() != shape.len() {
        let (wanted, given) = (shape.len(), sizes.len());
        return Err(format!(
            "`{name}` has {} ({text}), not {given}: for example `{name}: {}`",
            count(wanted, "dimension"),
            example(shape)
        ));
    }
    let pairs = shape.iter().zip(&sizes).enumerate();
    let differs = |(_, (known, size)): &(usize, (&Dimension, &u64))| {
        known.is_some_and(|known| known != **size)
    };
    if let Some((dimension, (Some(known), size))) = pairs.into_iter().find(differs) {
        return Err(format!(
            "dimension {dimension} of `{name}` has the size {known} ({text}), not {size}"
        ));
    }
    Ok(with_sizes(context, argument.ty, &sizes))
}

/// Returns the type of an array without sizes in the configuration: its accesses give them, or it is an error.
fn type_of_accesses(
    context: &Context,
    module: &Module,
    (function, number): (OperationId, usize),
    argument: &Argument,
    found: &mut Diagnostics,
) -> Option<Type> {
    let TypeKind::MemRef { shape, .. } = argument.ty.kind(context) else {
        return None;
    };
    let (name, text) = (&argument.name, print_type(context, argument.ty));
    let n_open = shape.iter().filter(|size| size.is_none()).count();
    let (lacks, gives) = match n_open {
        1 => ("a dimension without a size".to_owned(), "its largest size"),
        _ => (
            format!("{n_open} dimensions without sizes"),
            "the largest sizes",
        ),
    };
    let reached = accessed_extents(context, module, function, number);
    let Some(reached) = reached.filter(|reached| reached.len() == shape.len()) else {
        let example = match n_open {
            1 => EXAMPLE.to_string(),
            _ => example(shape),
        };
        let message = format!(
            "`{name}` has {lacks} ({text}): give {gives} in the configuration, for example `sizes: {{{name}: {example}}}`"
        );
        found.error(argument.place, message);
        return None;
    };
    let sizes = shape.iter().zip(&reached);
    let sizes: Vec<u64> = sizes.map(|(known, size)| known.unwrap_or(*size)).collect();
    let written = match n_open {
        1 => {
            let mut open = shape
                .iter()
                .zip(&sizes)
                .filter(|(known, _)| known.is_none());
            open.next().map(|(_, size)| size.to_string())
        }
        _ => None,
    };
    let written = written.unwrap_or_else(|| format!("{sizes:?}"));
    let message = format!(
        "`{name}` has {lacks} ({text}): it gets {sizes:?}, as its accesses need; `sizes: {{{name}: {written}}}` in the configuration gives others",
    );
    found.warning(argument.place, message);
    Some(with_sizes(context, argument.ty, &sizes))
}

/// Returns the type with these sizes.
fn with_sizes(context: &Context, ty: Type, sizes: &[u64]) -> Type {
    let mut kind = ty.kind(context).clone();
    if let TypeKind::MemRef { shape, .. } = &mut kind {
        *shape = sizes.iter().copied().map(Some).collect();
    }
    context.ty(kind)
}

/// Returns sizes of all dimensions as they may be written in the configuration.
fn example(shape: &[Dimension]) -> String {
    let sizes: Vec<u64> = shape.iter().map(|size| size.unwrap_or(EXAMPLE)).collect();
    format!("{sizes:?}")
}

fn count(n: usize, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}
