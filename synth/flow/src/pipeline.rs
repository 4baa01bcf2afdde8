//! The compilation of a kernel: text and options in, results out. No files, clocks or environment.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use sluice_config::{Config, Regions, Style, Use};
use sluice_dialects::func;
use sluice_ir::checksum::checksum;
use sluice_ir::limits::Limit;
use sluice_ir::passes::named;
use sluice_ir::text::{PrintOptions, ValueNames, print_module};
use sluice_ir::{Context, Diagnostics, Module, View};
use sluice_kernel::banks::banked_arrays;
use sluice_kernel::compiled::{Compiled, Failure, FloatUnit, context, render};
use sluice_kernel::frontend::{
    Kernel, formats_of, interface_of, read, read_kernel, remark_on_others,
};
use sluice_kernel::index_ports::warn_of_index_ports;
use sluice_kernel::own_names::own_names;
use sluice_kernel::renames::{warn_of_arguments, warn_of_verilog_names};
use sluice_passes::pipeline::Pipeline;
use sluice_schedule::kernel::UnitTiming;
use sluice_search::float_units::timings_of_schedule;
use sluice_search::kernel_text::KernelText;
use sluice_search::prepare::prepare;
use sluice_search::setting::{OUTLINE, Setting, Step, manager};
use sluice_search::speculation::compile_scheduled;
use sluice_search::style::{compile_elastic, compile_faster};
use sluice_sequential::Evidence;

use crate::passes::{
    BIND, CIRCUIT, GIVEN_CIRCUIT, GIVEN_GRAPH, GRAPH, ORDER, PASSES, PLACING, PREDICT, PROOF,
    QUEUE_STORES, REASSOCIATE, SCHEDULE,
};
use crate::run_passes::{AfterEach, Passes};

/// Compiles a kernel in each of the ways that the configuration leaves open, and returns the best circuit.
///
/// # Errors
/// Errors of the input, and internal errors.
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

/// Does the same as [`compile`], but does not check the Verilog text. For callers that only run the circuit.
///
/// # Errors
/// As for [`compile`].
pub fn compile_circuit(source: &str, file: &str, config: &Config) -> Result<Compiled, Failure> {
    let kernel = KernelText {
        source,
        file,
        order: &ORDER,
        compile_once: |source, file, config| compile_once(source, file, config, &mut |_, _, _| {}),
    };
    let compiled = match config.style {
        Style::Static => compile_scheduled(kernel, config),
        Style::Elastic => compile_elastic(kernel, config),
        Style::Auto => compile_faster(kernel, config),
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

/// Does the same as [`compile`], and then calls `after` with the module after each pass of the chosen way.
///
/// # Errors
/// As for [`compile`].
pub fn compile_watched(
    source: &str,
    file: &str,
    config: &Config,
    after: &mut dyn FnMut(&str, &Module, &Context),
) -> Result<Compiled, Failure> {
    let chosen = compile(source, file, config)?.config;
    compile_once(source, file, &chosen, after)
}

/// Compiles a kernel in one way, without trying the choices that the configuration leaves open. Calls `after` with the module
/// after each pass.
///
/// # Errors
/// As for [`compile`].
pub(crate) fn compile_once(
    source: &str,
    file: &str,
    config: &Config,
    after: &mut dyn FnMut(&str, &Module, &Context),
) -> Result<Compiled, Failure> {
    let context = context(&config.tool_limits);
    let Kernel {
        module,
        top,
        warnings: mut diagnostics,
    } = read_kernel(&context, source, file, config)?;
    let input = |message: String| Failure::Input(format!("{file}: error: {message}\n"));
    let device = config.device().map_err(|why| input(why.to_string()))?;
    let mut scheduled = module.clone();
    remark_on_others(&context, &module, &top, &mut diagnostics);
    let mut setting = Setting::new(config, &top, &device, &ORDER);
    let (mut can_queue_stores, mut can_predict) = (false, false);
    let mut has_regular_loops = false;
    let mut reordered = None;
    let mut after = |name: &str, module: &Module| {
        if name == OUTLINE && config.style != Style::Static && config.regions == Regions::Said {
            has_regular_loops = module.lookup_symbol(&context, &top).is_some_and(|op| {
                let body = module.inner().inner(op);
                !sluice_transform::regular_loops(&context, body).is_empty()
            });
        }
        if name == REASSOCIATE && sluice_transform::has_free_order(&context, module) {
            reordered = Some(module.clone());
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
            prepare(&context, &mut scheduled, &setting, found, &mut after);
            BIND
        }
        Style::Elastic | Style::Auto => {
            let made = sluice_search::elastic::prepare(
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
            CIRCUIT
        }
    };
    let failed =
        |diagnostics: &Diagnostics| Failure::Input(render(&context, diagnostics, source, file));
    if diagnostics.has_errors() {
        return Err(failed(&diagnostics));
    }
    sluice_search::elastic::check_depths(&context, &scheduled, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(failed(&diagnostics));
    }
    let clock_period_ns = setting.clock_period_ns;
    let mut circuit = scheduled.clone();
    let to_circuit = manager(to_circuit, &setting);
    to_circuit.run(&context, &mut circuit, &mut diagnostics, &mut after);
    drop(to_circuit);
    own_names(&context, &mut circuit, &top, config.prefix.as_deref());
    let mapped = OnceLock::new();
    if config.style != Style::Static && !diagnostics.has_errors() {
        let map = || sluice_techmap::map(&context, &circuit, &top, &device).ok();
        if let Some(mapped) = mapped.get_or_init(map) {
            sluice_search::elastic::warn_of_clock(&circuit, mapped, &setting, &mut diagnostics);
        }
    }
    let float_units = std::iter::once(&scheduled)
        .chain(&callees)
        .flat_map(|module| timings_of_schedule(&context, module, &setting))
        .map(|(key, timing)| (key, float_unit(timing)))
        .collect();
    drop(setting);
    let internal =
        |diagnostics: &Diagnostics| Failure::Internal(render(&context, diagnostics, source, file));
    if diagnostics.has_errors() {
        return Err(internal(&diagnostics));
    }
    let mut interface = interface_of(&context, &circuit, &top)
        .ok_or_else(|| Failure::Internal(format!("the kernel `{top}` has no circuit\n")))?;
    interface.open_arrays = config.sizes.keys().cloned().collect();
    interface.formats = formats_of(&context, &module, &top);
    if let Some(function) = module.lookup_symbol(&context, &top) {
        let function = View::new(&context, module.inner(), function);
        let found = &mut diagnostics;
        warn_of_verilog_names(&context, &circuit, &top, function.location(), found);
        warn_of_arguments(&context, &interface, function, found);
        warn_of_index_ports(function, config, found);
    }
    let mut header = header(source, config);
    for array in banked_arrays(&context, &scheduled, &top) {
        header += &format!("\n// {}", array.partition.describe(&array.name));
    }
    let [variable_bits, constant_bits] = device.mapping.difference_bits;
    let options = sluice_rtl_out::Options {
        differences: sluice_rtl_out::Differences {
            variable_bits,
            constant_bits,
        },
        ..sluice_rtl_out::Options::default()
    };
    let verilog = sluice_rtl_out::write(&context, &circuit, &header, options)
        .map_err(|found| internal(&found))?;
    let warnings = render(&context, &diagnostics, source, file);
    Ok(Compiled {
        source: module,
        reordered,
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
        float_units,
        mapped,
    })
}

fn float_unit(timing: UnitTiming) -> FloatUnit {
    let UnitTiming {
        latency_cycles,
        input_delay_ns,
        output_delay_ns,
    } = timing;
    FloatUnit {
        latency_cycles,
        input_delay_ns,
        output_delay_ns,
    }
}

/// Returns a line with the version and a hash of input and options.
fn header(source: &str, config: &Config) -> String {
    // The profile data only influence choices, and the configuration here contains the chosen values.
    let config = Config {
        profile: None,
        ..config.clone()
    };
    // Limits decide nothing until they are met, and neither do keys that were left out: of these a new one changes no header.
    let mut config = format!("{config:?}");
    for silent in [
        ", tool_limits: {}",
        ", given_device: None",
        ", prefix: None",
        ", index_width_bits: None",
        ", sizes: {}",
        ", reassociate_floats: false",
    ] {
        config = config.replacen(silent, "", 1);
    }
    let hash = checksum(source.bytes().chain(config.bytes()));
    format!("Sluice {} {hash:016x}", env!("CARGO_PKG_VERSION"))
}

/// Returns the names and reasons of all passes, in order.
pub fn pass_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let synthesis = synthesis_steps().map(|step| (step.name, step.reason));
    let generic = sluice_passes::all();
    let mut seen = BTreeSet::new();
    synthesis
        .chain(generic.map(|pass| (pass.name, pass.reason)))
        .filter(move |(name, _)| seen.insert(*name))
}

/// Returns the names of all passes, in order.
pub fn all_names() -> Vec<&'static str> {
    pass_names().map(|(name, _)| name).collect()
}

/// Returns the passes of the synthesis side.
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

/// Runs passes by name and returns the text of the module; calls `after` with the text after each pass.
///
/// # Errors
/// Errors of the input, internal errors, and unknown passes.
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
    let pipeline = Pipeline::of_passes(passes, &all_names()).map_err(Failure::Input)?;
    crate::run_passes::run(
        &context,
        &mut module,
        Passes {
            pipeline: &pipeline,
            verifies_each: true,
        },
        config,
        &mut diagnostics,
        &mut AfterEach(&mut |name, module| after(name, &print_module(&context, module, &options))),
    )
    .map_err(Failure::Input)?;
    if diagnostics.has_errors() {
        return Err(Failure::Input(render(&context, &diagnostics, source, file)));
    }
    Ok(print_module(&context, &module, &options))
}
