//! The order of passes: text and options in, artefacts out. Nothing here touches a file, a clock or the environment.

use sluice_bind::bind;
use sluice_dialects::interface::Interface;
use sluice_ir::diagnostics::Severity;
use sluice_ir::text::{PrintOptions, ValueNames, parse_module, print_module};
use sluice_ir::{Context, Diagnostics, Location, Module, OperationId, View};
use sluice_oplib::device::Device;
use sluice_schedule::kernel::{ScheduleOptions, schedule};

use crate::config::Config;

/// What went wrong.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The user's input; rendered, with places and excerpts.
    Input(String),
    /// A fault of Sluice; rendered.
    Internal(String),
}

/// One function ready to be checked and written.
pub struct Compiled {
    /// The context of all modules.
    pub context: Context,
    /// The kernel as it was read: the reference.
    pub source: Module,
    /// The scheduled form.
    pub scheduled: Module,
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
}

/// A pass over the synthesis side, by name; the list is the order in which `compile` runs them.
pub struct Pass {
    /// Name on the command line.
    pub name: &'static str,
    /// Why it stands where it stands.
    pub reason: &'static str,
    run: fn(&mut State<'_>),
}

struct State<'a> {
    context: &'a Context,
    module: &'a mut Module,
    config: &'a Config,
    top: &'a str,
    device: &'a Device,
    clock_period_ns: f64,
    diagnostics: &'a mut Diagnostics,
}

impl State<'_> {
    /// Runs `pass` on the body of every function.
    fn each_function(
        &mut self,
        mut pass: impl FnMut(&Context, &mut sluice_ir::Body, &mut Diagnostics),
    ) {
        for op in functions(self.context, self.module) {
            pass(
                self.context,
                self.module.inner_mut().inner_mut(op),
                self.diagnostics,
            );
        }
    }
}

fn functions(context: &Context, module: &Module) -> Vec<OperationId> {
    let inner = module.inner();
    let ops = module.top_level_operations();
    ops.into_iter()
        .filter(|op| View::new(context, inner, *op).name() == "func.func")
        .collect()
}

fn cleanup(state: &mut State<'_>) {
    state.each_function(|context, body, _| crate::tidy::tidy(context, body));
}

/// Every pass, in order.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "directives",
        reason: "loops are found by the names of the source, so before anything moves",
        run: |state| {
            crate::directives::attach(state.context, state.module, state.config, state.diagnostics)
        },
    },
    Pass {
        name: "inline",
        reason: "everything later sees one function, unless the user keeps callees apart",
        run: |state| sluice_transform::inline(state.context, state.module, state.top),
    },
    Pass {
        name: "normalise",
        reason: "fewer forms for all that follows",
        run: |state| state.each_function(sluice_transform::normalise),
    },
    Pass {
        name: "lower-affine",
        reason: "one way to write loops and addresses; dependence analysis reads linear forms of both",
        run: |state| state.each_function(sluice_transform::lower_affine),
    },
    Pass {
        name: "unroll",
        reason: "copies of a body are optimised like everything else",
        run: |state| state.each_function(sluice_transform::unroll),
    },
    Pass {
        name: "flatten-memrefs",
        reason: "addresses become one number before they are analysed",
        run: |state| {
            sluice_transform::flatten_memrefs(state.context, state.module, state.diagnostics)
        },
    },
    Pass {
        name: "tidy",
        reason: "constants are where the next passes look for them",
        run: cleanup,
    },
    Pass {
        name: "expand",
        reason: "divisions by constants become shifts while the ranges of loops are at hand",
        run: |state| {
            state.each_function(|context, body, _| sluice_transform::expand(context, body))
        },
    },
    Pass {
        name: "licm",
        reason: "a cell must have an invariant address to be promoted",
        run: |state| state.each_function(|context, body, _| sluice_transform::licm(context, body)),
    },
    Pass {
        name: "forward",
        reason: "a load after a store needs no port",
        run: |state| {
            state.each_function(|context, body, _| sluice_transform::forward(context, body))
        },
    },
    Pass {
        name: "promote",
        reason: "accumulators leave the memory before the loop is scheduled",
        run: |state| {
            state.each_function(|context, body, _| sluice_transform::promote(context, body))
        },
    },
    Pass {
        name: "if-convert",
        reason: "a loop with a conditional inside is pipelined only without it",
        run: |state| {
            state.each_function(|context, body, _| sluice_transform::if_convert(context, body))
        },
    },
    Pass {
        name: "licm",
        reason: "selects and promoted cells left invariant operations behind",
        run: |state| state.each_function(|context, body, _| sluice_transform::licm(context, body)),
    },
    Pass {
        name: "forward",
        reason: "promotion put loads behind stores of the same cell",
        run: |state| {
            state.each_function(|context, body, _| sluice_transform::forward(context, body))
        },
    },
    Pass {
        name: "tidy",
        reason: "what is dead would only cost ports and dependences",
        run: cleanup,
    },
    Pass {
        name: "annotate",
        reason: "dependences need addresses as `index` arithmetic, which narrowing takes away",
        run: |state| {
            for op in functions(state.context, state.module) {
                let body = state.module.inner_mut().inner_mut(op);
                let dependences = sluice_transform::annotate(state.context, body);
                let name = state.context.name("sluice.dependences");
                state
                    .module
                    .inner_mut()
                    .set_attribute(op, name, dependences);
            }
        },
    },
    Pass {
        name: "narrow",
        reason: "costs and rewrites depend on widths",
        run: |state| {
            state.each_function(|context, body, _| sluice_transform::narrow(context, body));
            crate::tidy::interface_types(state.context, state.module);
        },
    },
    Pass {
        name: "tidy",
        reason: "narrowing leaves extensions of truncations",
        run: cleanup,
    },
    Pass {
        name: "rewrite",
        reason: "data paths are final in width, and the schedule profits from what gets shorter",
        run: |state| {
            if state.config.rewrite {
                let model = crate::costs::Costs::new(state.device, state.clock_period_ns);
                let options = sluice_rewrite::RewriteOptions::default();
                state.each_function(|context, body, _| {
                    sluice_rewrite::rewrite(context, body, &model, &options);
                });
            }
        },
    },
    Pass {
        name: "tidy",
        reason: "rewriting leaves dead operations",
        run: cleanup,
    },
    Pass {
        name: "hoist-from-guards",
        reason: "narrowing put conversions beside predicated accesses, where nothing is scheduled",
        run: |state| {
            state.each_function(|context, body, _| {
                sluice_transform::hoist_from_guards(context, body);
            });
        },
    },
    Pass {
        name: "copies",
        reason: "last, since a copy looks like nothing to every other pass",
        run: |state| {
            state.each_function(|context, body, _| sluice_transform::copies(context, body))
        },
    },
];

/// Renders diagnostics with excerpts of the source.
pub(crate) fn render(
    context: &Context,
    diagnostics: &Diagnostics,
    source: &str,
    file: &str,
) -> String {
    let mut text = String::new();
    for diagnostic in &diagnostics.all {
        let mut one = Diagnostics::new();
        one.all.push(diagnostic.clone());
        text += &one.to_text(context);
        if let Some((at, line, column)) = diagnostic.location.file_line_column(context) {
            let excerpt = source
                .lines()
                .nth(line.saturating_sub(1) as usize)
                .filter(|_| at == file);
            if let Some(excerpt) = excerpt {
                let pad = " ".repeat(column.saturating_sub(1) as usize);
                text += &format!("    {excerpt}\n    {pad}^\n");
            }
        }
    }
    let errors = diagnostics
        .all
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .count();
    if errors > 1 {
        text += &format!("{errors} errors\n");
    }
    text
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
    let Some(module) = module.filter(|_| !diagnostics.has_errors()) else {
        return Err(failed(&diagnostics));
    };
    crate::tidy::verify(context, &module, &mut diagnostics);
    if diagnostics.has_errors() {
        Err(failed(&diagnostics))
    } else {
        Ok(module)
    }
}

/// The function to compile: the one named, or the last that is not private.
fn choose_top(context: &Context, module: &Module, config: &Config) -> Result<String, String> {
    let inner = module.inner();
    let views: Vec<_> = functions(context, module)
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
        let found = views
            .iter()
            .filter(with_body)
            .any(|v| v.symbol_name() == Some(wanted));
        return if found {
            Ok(wanted.clone())
        } else {
            Err(format!(
                "there is no function `@{wanted}`; there is: `@{}`",
                names()
            ))
        };
    }
    let is_public = |v: &&View<'_>| {
        v.attribute("sym_visibility")
            .is_none_or(|a| a.as_str(context) != Some("private"))
    };
    let top = views
        .iter()
        .filter(with_body)
        .rfind(is_public)
        .and_then(|v| v.symbol_name());
    top.map(str::to_owned)
        .ok_or_else(|| "the file holds no public function with a body".to_owned())
}

/// Brings a module into synthesis form. `after` sees the module after each pass.
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
    let clock_period_ns = config
        .clock_period_ns
        .unwrap_or(device.default_clock_period_ns);
    sluice_transform::legality::check(context, module, diagnostics);
    if diagnostics.has_errors() {
        return;
    }
    for pass in PASSES {
        let mut state = State {
            context,
            module,
            config,
            top,
            device,
            clock_period_ns,
            diagnostics,
        };
        (pass.run)(&mut state);
        if diagnostics.has_errors() {
            return;
        }
        crate::tidy::verify(context, module, diagnostics);
        after(pass.name, module);
        if diagnostics.has_errors() {
            let location = module.body.location(module.operation);
            diagnostics.error(
                location,
                format!("internal: pass `{}` left an invalid module", pass.name),
            );
            return;
        }
    }
}

/// Compiles a kernel.
///
/// # Errors
/// What is wrong with the input, or with Sluice.
pub fn compile(
    source: &str,
    file: &str,
    config: &Config,
    after: &mut dyn FnMut(&str, &Module, &Context),
) -> Result<Compiled, Failure> {
    let context = sluice_dialects::context();
    let module = read(&context, source, file)?;
    let input = |message: String| Failure::Input(format!("{file}: error: {message}\n"));
    let top = choose_top(&context, &module, config).map_err(input)?;
    let device = Device::built_in(&config.device).map_err(|why| input(why.to_string()))?;
    let clock_period_ns = config
        .clock_period_ns
        .unwrap_or(device.default_clock_period_ns);
    let mut scheduled = module.clone();
    let mut diagnostics = Diagnostics::new();
    prepare(
        &context,
        &mut scheduled,
        config,
        &top,
        &device,
        &mut diagnostics,
        &mut |name, module| {
            after(name, module, &context);
        },
    );
    let failed =
        |diagnostics: &Diagnostics| Failure::Input(render(&context, diagnostics, source, file));
    if diagnostics.has_errors() {
        return Err(failed(&diagnostics));
    }
    let mut options = ScheduleOptions::new(clock_period_ns);
    options.limits.clone_from(&config.limits);
    options.solver.exact_time_limit_s = config.solver_time_limit_s;
    if let Err(found) = schedule(&context, &mut scheduled, &device, &options) {
        return Err(failed(&found));
    }
    after("schedule", &scheduled, &context);
    let (circuit, interfaces) = bind(&context, &scheduled).map_err(|error| {
        let mut found = Diagnostics::new();
        found.error(error.location, error.message);
        Failure::Internal(render(&context, &found, source, file))
    })?;
    let mut circuit = circuit;
    crate::tidy::tidy_circuit(&context, &mut circuit);
    after("bind", &circuit, &context);
    let mut found = Diagnostics::new();
    crate::tidy::verify(&context, &circuit, &mut found);
    if found.has_errors() {
        return Err(Failure::Internal(render(&context, &found, source, file)));
    }
    let header = header(source, config);
    let verilog = crate::tidy::emit(&context, &circuit, &header)
        .map_err(|found| Failure::Internal(render(&context, &found, source, file)))?;
    let interface = interfaces.into_iter().find(|i| i.module == top);
    let interface = interface
        .ok_or_else(|| Failure::Internal(format!("the kernel `{top}` has no circuit\n")))?;
    let warnings = render(&context, &diagnostics, source, file);
    Ok(Compiled {
        source: module,
        scheduled,
        circuit,
        top,
        interface,
        verilog,
        device,
        clock_period_ns,
        warnings,
        context,
    })
}

/// One line with the version and a hash of input and options.
fn header(source: &str, config: &Config) -> String {
    // FNV-1a, 64 bits: enough to see that two files differ.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in source.bytes().chain(format!("{config:?}").bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
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
    PASSES.iter().map(|pass| (pass.name, pass.reason))
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
    after: &mut dyn FnMut(&str, &str),
) -> Result<String, Failure> {
    let context = sluice_dialects::context();
    let mut module = read(&context, source, file)?;
    let print = |module: &Module| {
        print_module(
            &context,
            module,
            &PrintOptions {
                generic,
                ..PrintOptions::default()
            },
        )
    };
    let top = choose_top(&context, &module, config).unwrap_or_default();
    let device = Device::built_in(&config.device)
        .map_err(|why| Failure::Input(format!("error: {why}\n")))?;
    let mut diagnostics = Diagnostics::new();
    for name in passes {
        let Some(pass) = PASSES.iter().find(|pass| pass.name == name) else {
            let known: Vec<_> = pass_names().map(|(name, _)| name).collect();
            return Err(Failure::Input(format!(
                "error: unknown pass `{name}`; there is: {}\n",
                known.join(", ")
            )));
        };
        let mut state = State {
            context: &context,
            module: &mut module,
            config,
            top: &top,
            device: &device,
            clock_period_ns: config
                .clock_period_ns
                .unwrap_or(device.default_clock_period_ns),
            diagnostics: &mut diagnostics,
        };
        (pass.run)(&mut state);
        if diagnostics.has_errors() {
            return Err(Failure::Input(render(&context, &diagnostics, source, file)));
        }
        after(name, &print(&module));
    }
    Ok(print(&module))
}
