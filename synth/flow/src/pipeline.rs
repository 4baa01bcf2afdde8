//! The order of passes: text and options in, artefacts out. Nothing here touches a file, a clock or the environment.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use sluice_dialects::{func, handshake, hw, interface::Interface};
use sluice_ir::checksum::checksum;
use sluice_ir::limits::{Limit, Limits};
use sluice_ir::passes::{PassManager, named};
use sluice_ir::printable::printable;
use sluice_ir::text::{PrintOptions, ValueNames, parse_module, print_module};
use sluice_ir::{Context, Diagnostics, Location, Module, View};
use sluice_oplib::device::Device;
use sluice_transform::is_named;
use thiserror::Error;

use crate::config::{CoarsePlacing, Config, Regions, Reorder, Style, Use};
use crate::flattening::{Copies, complete, try_out};
use crate::generic::symbols::{Visibility, visibility};
use crate::mapping::Mapped;
use crate::pass_pipeline::Pipeline;
use crate::passes::{
    BIND, CIRCUIT, GIVEN_CIRCUIT, GIVEN_GRAPH, GRAPH, OUTLINE, PASSES, PLACING, PREDICT, PROOF,
    QUEUE_STORES, SCHEDULE, STRUCTURE, Setting, Step,
};
use crate::printable_names::make_names_printable;
use sluice_sequential::Evidence;

/// What went wrong.
#[derive(Clone, Debug, Error)]
pub enum Failure {
    /// The user's input; rendered, with places and excerpts.
    #[error("{0}")]
    Input(String),
    /// A fault of Sluice; rendered.
    #[error("{0}")]
    Internal(String),
}

/// One function ready to be checked and written.
pub struct Compiled {
    /// The context of all modules.
    pub context: Context,
    /// The kernel as it was read: the reference.
    pub source: Module,
    /// The text it was read from.
    pub source_text: String,
    /// The scheduled form, or the dataflow graph.
    pub scheduled: Module,
    /// The scheduled forms of what a dataflow graph calls.
    pub callees: Vec<Module>,
    /// The circuit.
    pub circuit: Module,
    /// Name of the kernel.
    pub top: String,
    /// Ports of the kernel.
    pub interface: Interface,
    /// Verilog text.
    pub verilog: String,
    /// Device.
    pub device: Device,
    /// Clock period in ns.
    pub clock_period_ns: f64,
    /// Warnings, rendered.
    pub warnings: String,
    /// The configuration with every choice made that looks at data.
    pub config: Config,
    /// Whether stores could wait in a queue, which was left open.
    pub(crate) can_queue_stores: bool,
    /// Whether loops could run at every value of an index, which was left open.
    pub(crate) can_predict: bool,
    /// Whether an elastic circuit has loops beside others that a schedule could run, which was left open.
    pub(crate) has_regular_loops: bool,
    /// How buffers of an elastic circuit were placed, where looking for others may find a better placing.
    pub(crate) coarse_placing: Option<CoarsePlacing>,
    /// The circuit mapped to the device, once somebody asked; `None` where it cannot be.
    mapped: OnceLock<Option<Mapped>>,
}

impl Compiled {
    /// What synthesis is expected to make of the circuit, before the factors of the device's fit.
    pub(crate) fn mapped(&self) -> Option<&Mapped> {
        let map =
            || crate::mapping::map(&self.context, &self.circuit, &self.top, &self.device).ok();
        self.mapped.get_or_init(map).as_ref()
    }

    /// The name that the kernel has in its Verilog.
    pub fn verilog_name(&self) -> String {
        let name = sluice_rtl_out::module_name(&self.context, &self.circuit, &self.top);
        name.unwrap_or_else(|| self.top.clone())
    }
}

/// Renders diagnostics with excerpts of the source.
pub(crate) fn render(
    context: &Context,
    diagnostics: &Diagnostics,
    source: &str,
    file: &str,
) -> String {
    diagnostics.render(context, &[(file, source)])
}

/// All dialects; what is registered nowhere is read too, so that legality can say what it thinks of it.
pub(crate) fn context(limits: &Limits) -> Context {
    let mut context = sluice_dialects::context();
    context.limits.clone_from(limits);
    context.allow_unregistered = true;
    context.affine_restrictions = false;
    context
}

/// Reads and verifies a file.
///
/// # Errors
/// Everything that is wrong with it, rendered.
pub fn read(context: &Context, source: &str, file: &str) -> Result<Module, Failure> {
    let mut diagnostics = Diagnostics::new();
    let module = parse_module(context, source, file, &mut diagnostics);
    let failed =
        |diagnostics: &Diagnostics| Failure::Input(render(context, diagnostics, source, file));
    let Some(mut module) = module.filter(|_| !diagnostics.has_errors()) else {
        return Err(failed(&diagnostics));
    };
    crate::tidy::verify(context, &module, &mut diagnostics);
    make_names_printable(context, &mut module, source);
    if diagnostics.has_errors() {
        Err(failed(&diagnostics))
    } else {
        Ok(module)
    }
}

/// Reads and verifies a file, and finds the function to compile; what it returns as memories are arguments.
///
/// # Errors
/// Everything that is wrong with it, rendered.
pub(crate) fn read_kernel(
    context: &Context,
    source: &str,
    file: &str,
    config: &Config,
) -> Result<(Module, String), Failure> {
    let mut module = read(context, source, file)?;
    let top = choose_top(context, &module, config)
        .map_err(|message| Failure::Input(format!("{file}: error: {message}\n")))?;
    sluice_transform::results_to_arguments(context, &mut module, &top);
    Ok((module, top))
}

/// The function to compile: the one named, or the last that is not private, or the only one that nothing calls.
pub(crate) fn choose_top(
    context: &Context,
    module: &Module,
    config: &Config,
) -> Result<String, String> {
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

/// A remark on each public function that neither is the kernel nor called by anything: it is left out.
fn remark_on_others(context: &Context, module: &Module, top: &str, diagnostics: &mut Diagnostics) {
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

/// Brings a module into scheduled form. `after` sees the module after each pass.
///
/// # Errors
/// Unsupported constructs, all of them.
pub fn prepare(
    context: &Context,
    module: &mut Module,
    config: &Config,
    top: &str,
    device: &Device,
    diagnostics: &mut Diagnostics,
    after: &mut dyn FnMut(&str, &Module),
) {
    sluice_transform::legality::check_structure(context, module, diagnostics);
    if diagnostics.has_errors() {
        return;
    }
    let setting = Setting::new(config, top, device);
    if let Some(structured) = structured(context, module, &setting) {
        *module = structured;
        after(STRUCTURE[0].name, module);
    }
    let (first, rest) = PASSES.split_at(position_of("restructure"));
    manager(first, &setting).run(context, module, diagnostics, after);
    if diagnostics.has_errors() {
        return;
    }
    let trial = setting.trial();
    crate::rounds::choose(context, module, &setting, |module, found| {
        try_out(context, module, &trial, rest, Copies::None, found);
    });
    if config.reorder != Reorder::Never && !config.parallel {
        let finish = |module: &mut Module, found: &mut Diagnostics, copies: Copies| {
            try_out(context, module, &trial, rest, copies, found);
        };
        crate::reordering::choose(context, module, &setting, finish);
    }
    if config.restructure {
        crate::restructuring::choose(context, module, top, |module, found| {
            try_out(context, module, &trial, rest, Copies::None, found);
        });
    } else if config.reorder != Reorder::Never && !config.parallel {
        crate::restructuring::fuse_nests(context, module, &trial, |module, found| {
            try_out(context, module, &trial, rest, Copies::None, found);
        });
    }
    let (first, rest) = rest.split_at(position_of("jam") - first.len());
    manager(first, &setting).run(context, module, diagnostics, after);
    if diagnostics.has_errors() {
        return;
    }
    if config.parallel {
        let unflattened = |module: &mut Module, found: &mut Diagnostics| {
            let steps = &PASSES[position_of("jam")..position_of("coalesce")];
            manager(steps, &trial).run(context, module, found, &mut |_, _| {});
        };
        let finish = |module: &mut Module, found: &mut Diagnostics| {
            try_out(context, module, &trial, rest, Copies::None, found);
        };
        crate::parallel::choose(context, module, &setting, &unflattened, &finish);
    }
    complete(context, module, &setting, rest, diagnostics, after);
}

/// The module with conditionals and loops in the place of blocks and branches, where it has such and what comes of them is compiled:
/// loops of blocks are not pipelined.
fn structured(context: &Context, module: &Module, setting: &Setting<'_>) -> Option<Module> {
    let inner = module.inner();
    let functions = named(context, module, func::Func::NAME).into_iter();
    let mut regions = functions.flat_map(|op| {
        View::new(context, inner, op)
            .regions()
            .to_vec()
            .into_iter()
            .map(move |r| (op, r))
    });
    if !regions.any(|(op, region)| inner.inner(op).blocks(region).len() > 1) {
        return None;
    }
    let mut lifted = module.clone();
    let mut found = Diagnostics::new();
    manager(STRUCTURE, setting).run(context, &mut lifted, &mut found, &mut |_, _| {});
    let mut tried = lifted.clone();
    if !found.has_errors() {
        let judged = &PASSES[..=position_of("legality")];
        manager(judged, setting).run(context, &mut tried, &mut found, &mut |_, _| {});
    }
    (!found.has_errors()).then_some(lifted)
}

fn position_of(pass: &str) -> usize {
    PASSES
        .iter()
        .position(|step| step.name == pass)
        .expect("the pass is in the list")
}

/// Compiles a kernel, in each of the ways that the configuration leaves open, and keeps the best.
///
/// # Errors
/// What is wrong with the input, or with Sluice.
pub fn compile(source: &str, file: &str, config: &Config) -> Result<Compiled, Failure> {
    let compiled = compile_circuit(source, file, config)?;
    config.tool_limits.watch.enter("checking the Verilog");
    match sluice_rtl_out::check(&compiled.circuit, &compiled.verilog) {
        Ok(()) => Ok(compiled),
        Err(found) => {
            let why = render(&compiled.context, &found, source, file);
            Err(Failure::Internal(why))
        }
    }
}

/// As [`compile`] for those who run the circuit and let no Verilog out: its text was not parsed.
///
/// # Errors
/// As [`compile`].
pub fn compile_circuit(source: &str, file: &str, config: &Config) -> Result<Compiled, Failure> {
    let compiled = match config.style {
        Style::Static => crate::ahead::compile_scheduled(source, file, config),
        Style::Elastic => crate::style::compile_elastic(source, file, config),
        Style::Auto => crate::style::compile_faster(source, file, config),
    };
    compiled.map(|mut compiled| {
        let cuts = config.tool_limits.watch.cuts();
        if !cuts.is_empty() {
            let hint = config.tool_limits.excess(Limit::CompileSeconds).hint();
            compiled.warnings += &format!(
                "{file}: warning: the time for compiling was up, and the best circuit so far is kept; not tried to the end: {}; {hint}\n",
                cuts.join(", ")
            );
        }
        compiled
    })
}

/// As [`compile`]; once the choices are made, `after` sees the module behind each pass of the way that was chosen.
///
/// # Errors
/// As [`compile`].
pub fn compile_watched(
    source: &str,
    file: &str,
    config: &Config,
    after: &mut dyn FnMut(&str, &Module, &Context),
) -> Result<Compiled, Failure> {
    let chosen = compile(source, file, config)?.config;
    compile_once(source, file, &chosen, after)
}

/// Compiles a kernel in one way: what a configuration leaves open is not looked at. `after` sees the module behind each pass.
///
/// # Errors
/// As [`compile`].
pub(crate) fn compile_once(
    source: &str,
    file: &str,
    config: &Config,
    after: &mut dyn FnMut(&str, &Module, &Context),
) -> Result<Compiled, Failure> {
    let context = context(&config.tool_limits);
    let (module, top) = read_kernel(&context, source, file, config)?;
    let input = |message: String| Failure::Input(format!("{file}: error: {message}\n"));
    let device = Device::built_in(&config.device).map_err(|why| input(why.to_string()))?;
    let mut scheduled = module.clone();
    let mut diagnostics = Diagnostics::new();
    remark_on_others(&context, &module, &top, &mut diagnostics);
    let mut setting = Setting::new(config, &top, &device);
    let (mut can_queue_stores, mut can_predict) = (false, false);
    let mut has_regular_loops = false;
    let mut after = |name: &str, module: &Module| {
        if name == OUTLINE && config.style != Style::Static && config.regions == Regions::Said {
            has_regular_loops = module.lookup_symbol(&context, &top).is_some_and(|op| {
                let body = module.inner().inner(op);
                !sluice_transform::regular_loops(&context, body).is_empty()
            });
        }
        if name == PREDICT && config.predict == Use::WhereFaster {
            can_predict = named(&context, module, func::Func::NAME)
                .into_iter()
                .any(|op| {
                    let body = module.inner().inner(op);
                    !sluice_transform::predictable_loops(&context, body).is_empty()
                });
        }
        if name == QUEUE_STORES && config.lsq == Use::WhereFaster {
            can_queue_stores = sluice_elastic::queue_stores(&context, &mut module.clone()) > 0;
        }
        after(name, module, &context);
    };
    let mut callees = Vec::new();
    let mut coarse_placing = None;
    let to_circuit = match config.style {
        Style::Static => {
            let found = &mut diagnostics;
            prepare(
                &context,
                &mut scheduled,
                config,
                &top,
                &device,
                found,
                &mut after,
            );
            BIND
        }
        Style::Elastic | Style::Auto => {
            let made = crate::elastic::prepare(
                &context,
                &mut scheduled,
                &setting,
                &mut diagnostics,
                &mut after,
            );
            coarse_placing = made.coarse;
            if !made.has_proved_nets {
                setting.evidence = Evidence::Equalities;
            }
            callees.extend(made.callees.values().map(|made| made.scheduled.clone()));
            crate::elastic::CIRCUIT
        }
    };
    let failed =
        |diagnostics: &Diagnostics| Failure::Input(render(&context, diagnostics, source, file));
    if diagnostics.has_errors() {
        return Err(failed(&diagnostics));
    }
    crate::elastic::check_depths(&context, &scheduled, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(failed(&diagnostics));
    }
    let clock_period_ns = setting.clock_period_ns;
    let mut circuit = scheduled.clone();
    let to_circuit = manager(to_circuit, &setting);
    to_circuit.run(&context, &mut circuit, &mut diagnostics, &mut after);
    drop(to_circuit);
    crate::own_names::own_names(&context, &mut circuit, Some(&module), &top);
    let mapped = OnceLock::new();
    if config.style != Style::Static && !diagnostics.has_errors() {
        let map = || crate::mapping::map(&context, &circuit, &top, &device).ok();
        if let Some(mapped) = mapped.get_or_init(map) {
            crate::elastic::warn_of_clock(&circuit, mapped, &setting, &mut diagnostics);
        }
    }
    drop(setting);
    let internal =
        |diagnostics: &Diagnostics| Failure::Internal(render(&context, diagnostics, source, file));
    if diagnostics.has_errors() {
        return Err(internal(&diagnostics));
    }
    let interface = interface_of(&context, &circuit, &top)
        .ok_or_else(|| Failure::Internal(format!("the kernel `{top}` has no circuit\n")))?;
    let mut header = header(source, config);
    for array in crate::banks::banked_arrays(&context, &scheduled, &top) {
        header += &format!("\n// {}", array.partition.describe(&array.name));
    }
    let verilog = sluice_rtl_out::write(
        &context,
        &circuit,
        &header,
        sluice_rtl_out::Options::default(),
    )
    .map_err(|found| internal(&found))?;
    let warnings = render(&context, &diagnostics, source, file);
    Ok(Compiled {
        source: module,
        source_text: source.to_owned(),
        scheduled,
        callees,
        circuit,
        top,
        interface,
        verilog,
        device,
        clock_period_ns,
        warnings,
        context,
        config: config.clone(),
        can_queue_stores,
        can_predict,
        has_regular_loops,
        coarse_placing,
        mapped,
    })
}

pub(crate) fn manager<'a>(steps: &[Step], setting: &'a Setting<'a>) -> PassManager<'a> {
    let mut manager = PassManager::new();
    for step in steps {
        manager.add(step.with(setting));
    }
    if setting.is_trial {
        manager.verify_last_only();
    }
    manager
}

/// The ports of the circuit called `name`.
pub(crate) fn interface_of(context: &Context, circuit: &Module, name: &str) -> Option<Interface> {
    let op = circuit.lookup_symbol(context, name)?;
    let view = View::new(context, circuit.inner(), op);
    Interface::from_attribute(context, name, view.attribute("sluice.interface")?)
}

/// One line with the version and a hash of input and options.
fn header(source: &str, config: &Config) -> String {
    // Data decide what is chosen, and what was chosen is in the configuration.
    let config = Config {
        profile: None,
        ..config.clone()
    };
    // Limits decide nothing until they are met.
    let config = format!("{config:?}").replace(", tool_limits: {}", "");
    let hash = checksum(source.bytes().chain(config.bytes()));
    format!("Sluice {} {hash:016x}", env!("CARGO_PKG_VERSION"))
}

/// The text of a module with the names of the source.
pub fn text(context: &Context, module: &Module) -> String {
    let options = PrintOptions {
        value_names: ValueNames::Source,
        ..PrintOptions::default()
    };
    print_module(context, module, &options)
}

/// The location of a module.
pub fn place(module: &Module) -> Location {
    module.body.location(module.operation)
}

/// Names and reasons of all passes, in order.
pub fn pass_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let synthesis = synthesis_steps().map(|step| (step.name, step.reason));
    let generic = crate::generic::GENERIC.iter();
    let mut seen = BTreeSet::new();
    synthesis
        .chain(generic.map(|pass| (pass.name, pass.reason)))
        .filter(move |(name, _)| seen.insert(*name))
}

/// The passes of the synthesis side.
pub(crate) fn synthesis_steps() -> impl Iterator<Item = &'static Step> {
    let kernels = PASSES.iter().chain(SCHEDULE).chain(BIND);
    kernels
        .chain(GRAPH)
        .chain(GIVEN_GRAPH)
        .chain(PLACING)
        .chain(PROOF)
        .chain(CIRCUIT)
        .chain(GIVEN_CIRCUIT)
}

/// Runs passes by name and returns the text of the module; `after` gets the text after each.
///
/// # Errors
/// What is wrong with the input, or a pass nobody knows.
pub fn optimise(
    source: &str,
    file: &str,
    passes: &[String],
    config: &Config,
    generic: bool,
    source_names: bool,
    after: &mut dyn FnMut(&str, &str),
) -> Result<String, Failure> {
    let context = context(&config.tool_limits);
    let mut module = read(&context, source, file)?;
    let options = PrintOptions {
        generic,
        value_names: if source_names {
            ValueNames::Source
        } else {
            ValueNames::Numbered
        },
        ..PrintOptions::default()
    };
    let mut diagnostics = Diagnostics::new();
    let pipeline = Pipeline::of_passes(passes).map_err(Failure::Input)?;
    crate::pass_pipeline::run(
        &context,
        &mut module,
        &pipeline,
        config,
        &mut diagnostics,
        &mut |name, module| after(name, &print_module(&context, module, &options)),
    )
    .map_err(Failure::Input)?;
    if diagnostics.has_errors() {
        return Err(Failure::Input(render(&context, &diagnostics, source, file)));
    }
    Ok(print_module(&context, &module, &options))
}
