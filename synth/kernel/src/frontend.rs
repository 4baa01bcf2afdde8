//! The front end: parses a kernel, selects the function to compile, and reads the ports of a circuit.

use sluice_config::Config;
use sluice_dialects::interface::{Formats, Interface};
use sluice_dialects::{func, handshake, hw, sluice};
use sluice_ir::passes::named;
use sluice_ir::printable::printable;
use sluice_ir::text::parse_module;
use sluice_ir::{Context, Diagnostics, Module, Type, TypeKind, View};
use sluice_passes::symbols::{Visibility, visibility};
use sluice_transform::is_named;

use crate::array_sizes::give_sizes;
use crate::compiled::{Failure, render};
use crate::index_ports::narrow_index_arguments;
use crate::printable_names::make_names_printable;
use crate::retype::signature;

/// Parses and verifies a file.
///
/// # Errors
/// All errors of the file, rendered.
pub fn read(context: &Context, source: &str, file: &str) -> Result<Module, Failure> {
    let mut diagnostics = Diagnostics::new();
    let module = parse_module(context, source, file, &mut diagnostics);
    let failed =
        |diagnostics: &Diagnostics| Failure::Input(render(context, diagnostics, source, file));
    let Some(mut module) = module.filter(|_| !diagnostics.has_errors()) else {
        return Err(failed(&diagnostics));
    };
    sluice_ir::verifier::verify(context, &module, &mut diagnostics);
    make_names_printable(context, &mut module, source);
    if diagnostics.has_errors() {
        Err(failed(&diagnostics))
    } else {
        Ok(module)
    }
}

/// A module with the function to compile.
pub struct Kernel {
    /// The module.
    pub module: Module,
    /// The name of the function.
    pub top: String,
    /// Warnings about the text and the configuration.
    pub warnings: Diagnostics,
}

/// Parses and verifies a file, and selects the function to compile. Returned memories become arguments of that function, and its
/// arrays get the sizes of the configuration.
///
/// # Errors
/// All errors of the file, rendered.
pub fn read_kernel(
    context: &Context,
    source: &str,
    file: &str,
    config: &Config,
) -> Result<Kernel, Failure> {
    let mut module = read(context, source, file)?;
    tensors_to_memories(context, &mut module, source, file)?;
    let top = choose_top(context, &module, config)
        .map_err(|message| Failure::Input(format!("{file}: error: {message}\n")))?;
    let mut warnings = Diagnostics::new();
    let misfits = give_sizes(context, &mut module, &top, config, &mut warnings);
    if !misfits.is_empty() || warnings.has_errors() {
        let text = sluice_config::render(&misfits) + &render(context, &warnings, source, file);
        return Err(Failure::Input(text));
    }
    sluice_transform::results_to_arguments(context, &mut module, &top);
    narrow_index_arguments(context, &mut module, &top, config);
    Ok(Kernel {
        module,
        top,
        warnings,
    })
}

/// Rewrites functions that compute with tensors: they compute with memories.
///
/// # Errors
/// All tensors that have no memory form, rendered.
pub fn tensors_to_memories(
    context: &Context,
    module: &mut Module,
    source: &str,
    file: &str,
) -> Result<(), Failure> {
    if !sluice_transform::has_tensors(context, module) {
        return Ok(());
    }
    let mut found = Diagnostics::new();
    sluice_transform::bufferize(context, module.inner_mut(), &mut found);
    match found.has_errors() {
        true => Err(Failure::Input(render(context, &found, source, file))),
        false => {
            sluice_ir::verifier::verify(context, module, &mut found);
            match found.has_errors() {
                true => Err(Failure::Internal(render(context, &found, source, file))),
                false => Ok(()),
            }
        }
    }
}

/// Selects the function to compile: the configured one, else the last public one, else the only private one without references.
pub fn choose_top(context: &Context, module: &Module, config: &Config) -> Result<String, String> {
    let inner = module.inner();
    let views: Vec<_> = named(context, module, func::Func::NAME)
        .into_iter()
        .map(|op| View::new(context, inner, op))
        .collect();
    let with_body = |v: &&View<'_>| v.entry_block(0).is_some();
    let names = || {
        views
            .iter()
            .filter_map(|v| v.symbol_name())
            .collect::<Vec<_>>()
            .join("`, `@")
    };
    if let Some(wanted) = &config.top {
        let wanted = printable(wanted);
        let found = views
            .iter()
            .filter(with_body)
            .any(|v| v.symbol_name() == Some(&*wanted));
        return if found {
            Ok(wanted.into_owned())
        } else {
            Err(format!(
                "there is no function `@{wanted}`; there is: `@{}`",
                names()
            ))
        };
    }
    let is_public = |v: &&View<'_>| visibility(**v) != Visibility::Private;
    let candidates: Vec<_> = views.iter().filter(with_body).filter(is_public).collect();
    let private = views.iter().filter(with_body).filter(|v| !is_public(v));
    let mut roots =
        private.filter(|v| !is_named(context, module, v.symbol_name().unwrap_or_default()));
    let only = roots.next().filter(|_| roots.next().is_none());
    let top = candidates.last().copied().or(only);
    let top = top.and_then(|v| v.symbol_name());
    top.map(str::to_owned).ok_or_else(|| {
        if views.iter().any(|v| with_body(&v)) {
            return format!(
                "no function is public: `top` in the configuration chooses one of `@{}`",
                names()
            );
        }
        let none = "the file holds no function with a body";
        let others = [
            (
                handshake::Func::NAME,
                "dataflow graphs, which `compile`, `report`, `sim`, `why` and `cosim` take",
            ),
            (
                hw::Module::NAME,
                "circuits, which `compile`, `sim`, `why` and `cosim` take",
            ),
        ];
        let holds = |kind: &str| !named(context, module, kind).is_empty();
        match others.iter().find(|(kind, _)| holds(kind)) {
            Some((_, what)) if views.is_empty() => format!("{none}, but {what}"),
            _ => none.to_owned(),
        }
    })
}

/// Reports a remark for each public function that is neither the kernel nor referenced, since it is not compiled.
pub fn remark_on_others(
    context: &Context,
    module: &Module,
    top: &str,
    diagnostics: &mut Diagnostics,
) {
    let views: Vec<_> = named(context, module, func::Func::NAME)
        .into_iter()
        .map(|op| View::new(context, module.inner(), op))
        .collect();
    for view in &views {
        let name = view.symbol_name().unwrap_or_default();
        let is_private = visibility(*view) == Visibility::Private;
        if name != top
            && !is_private
            && view.entry_block(0).is_some()
            && !is_named(context, module, name)
        {
            let message = format!(
                "`@{name}` is not compiled, the kernel is `@{top}`: `top: {name}` in the configuration chooses it"
            );
            diagnostics.remark(view.location(), message);
        }
    }
}

/// Returns the float formats of the arguments and results of a function.
pub fn formats_of(context: &Context, module: &Module, name: &str) -> Formats {
    let Some(op) = module.lookup_symbol(context, name) else {
        return Formats::default();
    };
    let format = |ty: &Type| {
        let element = ty.element_type(context).unwrap_or(*ty);
        match element.kind(context) {
            TypeKind::Float(format) => Some(*format),
            _ => None,
        }
    };
    let signature = signature(View::new(context, module.inner(), op));
    let formats = signature.map(|(arguments, results)| Formats {
        arguments: arguments.iter().map(format).collect(),
        results: results.iter().map(format).collect(),
    });
    formats.unwrap_or_default()
}

/// Returns the ports of the circuit `name`.
pub fn interface_of(context: &Context, circuit: &Module, name: &str) -> Option<Interface> {
    let op = circuit.lookup_symbol(context, name)?;
    let view = View::new(context, circuit.inner(), op);
    Interface::from_attribute(context, name, view.attribute(sluice::INTERFACE)?)
}
