//! Compilation of dataflow graphs that are the input: `handshake.func`s from other tools or written by hand. The circuit has a
//! stream for each argument and result.

use std::fmt::Write;

use serde_json::{Value, json};
use sluice_config::Config;
use sluice_dialects::sluice::{DEADLOCK_FREE, WORDS};
use sluice_dialects::{context, func, handshake};
use sluice_ir::passes::named;
use sluice_ir::printable::printable;
use sluice_ir::suggestion::did_you_mean;
use sluice_ir::{Context, Diagnostics, Location, Module, OperationId, Severity, View};
use sluice_kernel::compiled::{Failure, render, text};
use sluice_kernel::frontend::read;
use sluice_kernel::own_names::own_names;
use sluice_kernel::renames::warn_of_verilog_names;
use sluice_passes::symbols::{Visibility, visibility};
use sluice_report::comparison::Comparison;
use sluice_report::network::Network;
use sluice_report::page::{Drawing, of_graph};
use sluice_search::setting::{Setting, manager};
use sluice_techmap::estimate::{self, Estimate};
use sluice_techmap::map;
use sluice_transform::{GRAPHS, check_expansion};
use sluice_verify::circuit::Circuit;

use crate::passes::{CIRCUIT, GIVEN_GRAPH, ORDER, PROOF};

/// A graph and its circuit.
pub struct Graph {
    /// The graph with its buffers, as text.
    pub graph: String,
    /// The circuit.
    pub circuit: Circuit,
    /// The expected synthesis result; `None` if the circuit cannot be flattened.
    pub estimate: Option<Estimate>,
    /// Rendered warnings and remarks.
    pub warnings: String,
    /// Its loops and buffers.
    network: Network,
    drawing: Drawing,
    device: String,
    clock_period_ns: f64,
}

impl Graph {
    /// Compiles the graph of a text; `None` if the text has kernel functions, or no `handshake.func` with a body.
    ///
    /// The graph is the one with the configured name, or else the last one of which no other graph has an instance. A private
    /// graph is used only if there is no other.
    ///
    /// # Errors
    /// Errors of the text, an unknown top, and graphs without a circuit.
    pub fn read(source: &str, file: &str, config: &Config) -> Result<Option<Self>, Failure> {
        let mut context = context();
        context.limits.clone_from(&config.tool_limits);
        let mut module = read(&context, source, file)?;
        if !named(&context, &module, func::Func::NAME).is_empty()
            || functions(&context, &module).is_empty()
        {
            return Ok(None);
        }
        let input = |message: String| Failure::Input(format!("{file}: error: {message}\n"));
        let top = top(&context, &module, config).map_err(input)?;
        let device = config.device().map_err(|why| input(why.to_string()))?;
        let mut setting = Setting::new(config, &top, &device, &ORDER);
        let mut found = Diagnostics::new();
        let failed = |found: &Diagnostics| Failure::Input(render(&context, found, source, file));
        let after = &mut |_: &str, _: &Module| {};
        let is_said = config.top.is_some();
        leave_out_others(&context, &mut module, (&top, is_said), &mut found);
        // Claims of the input are not trusted: each property is proved again.
        for function in functions(&context, &module) {
            let inner = module.inner_mut();
            inner.remove_attribute(function, context.name(DEADLOCK_FREE));
            let body = inner.inner_mut(function);
            for op in body.walk_all() {
                body.remove_attribute(op, context.name(WORDS));
            }
        }
        check_expansion(&context, &module, GRAPHS, &mut found);
        if found.has_errors() {
            return Err(failed(&found));
        }
        manager(GIVEN_GRAPH, &setting).run(&context, &mut module, &mut found, after);
        if found.has_errors() {
            return Err(failed(&found));
        }
        sluice_search::elastic::place_buffers(
            &context,
            &mut module,
            &mut setting,
            &mut found,
            after,
        );
        if found.has_errors() {
            return Err(failed(&found));
        }
        prove(&context, &mut module, &setting, &mut found);
        let graph = text(&context, &module);
        let of_top = module.lookup_symbol(&context, &top);
        let of_top = of_top.map(|op| View::new(&context, module.inner(), op));
        let drawing = of_top.map(Drawing::of).unwrap_or_default();
        let functions = functions(&context, &module).into_iter();
        let network =
            Network::of_given(functions.map(|op| View::new(&context, module.inner(), op)));
        manager(CIRCUIT, &setting).run(&context, &mut module, &mut found, after);
        if found.has_errors() {
            return Err(failed(&found));
        }
        own_names(&context, &mut module, &top, config.prefix.as_deref());
        let place = module.lookup_symbol(&context, &top);
        let place = place.map_or(Location::UNKNOWN, |op| module.inner().location(op));
        warn_of_verilog_names(&context, &module, &top, place, &mut found);
        let mapped = map(&context, &module, &top, &device).ok();
        if let Some(mapped) = &mapped {
            sluice_search::elastic::warn_of_clock(&module, mapped, &setting, &mut found);
        }
        let clock_period_ns = setting.clock_period_ns;
        drop(setting);
        let estimate = mapped.map(|mapped| estimate::of_mapped(&mapped, &device));
        let warnings = render(&context, &found, source, file);
        Ok(Some(Self {
            graph,
            circuit: Circuit::of_graph(context, module, source, file, top),
            estimate,
            warnings,
            network,
            drawing,
            device: device.name.clone(),
            clock_period_ns,
        }))
    }

    /// Returns how deadlock freedom was proved. If it was not, the reason is among the warnings.
    pub fn proof(&self) -> Option<&str> {
        self.network.proof()
    }

    /// Returns a few lines for the end of a compilation.
    pub fn summary(&self) -> String {
        format!("{}  {}", self.title(), self.network.deadlock_freedom())
    }

    fn title(&self) -> String {
        let mut text = format!(
            "@{} on `{}` at {} ns: a dataflow graph",
            self.circuit.top, self.device, self.clock_period_ns
        );
        if let Some(estimate) = &self.estimate {
            let _ = write!(text, "; {}", estimate::brief(estimate));
        }
        text + "\n"
    }

    /// Returns the summary with loops, buffers and the expected synthesis result.
    pub fn report(&self) -> String {
        let estimate = self.estimate.as_ref().map(estimate::text);
        self.title() + &self.network.text() + &estimate.unwrap_or_default()
    }

    /// Returns the report as JSON, with the same keys as reports of kernels.
    pub fn report_json(&self) -> Value {
        json!({
            "graph": self.circuit.top,
            "device": self.device,
            "clock_period_ns": self.clock_period_ns,
            "network": self.network.to_json(),
            "estimate": self.estimate.as_ref().map(estimate::to_json),
        })
    }

    /// Returns the report as one self-contained HTML page.
    pub fn report_html(&self, comparison: Option<&Comparison>) -> String {
        let device = (self.device.as_str(), self.clock_period_ns);
        of_graph(
            &self.circuit.top,
            device,
            self.estimate.as_ref(),
            (&self.network, &self.drawing),
            comparison,
        )
    }
}

/// Returns the graphs of a module that have a body.
fn functions(context: &Context, module: &Module) -> Vec<OperationId> {
    let mut all = named(context, module, handshake::Func::NAME);
    all.retain(|op| {
        let view = View::new(context, module.inner(), *op);
        view.entry_block(0).is_some()
    });
    all
}

fn top(context: &Context, module: &Module, config: &Config) -> Result<String, String> {
    let inner = module.inner();
    let functions = functions(context, module);
    let views = functions.iter().map(|op| View::new(context, inner, *op));
    let names: Vec<&str> = views
        .clone()
        .filter_map(|view| view.symbol_name())
        .collect();
    if let Some(wanted) = &config.top {
        let wanted = printable(wanted);
        return match names.contains(&&*wanted) {
            true => Ok(wanted.into_owned()),
            false => Err(format!(
                "there is no `handshake.func @{wanted}` with a body; {}",
                did_you_mean(&wanted, &names)
            )),
        };
    }
    let used: Vec<&str> = views.clone().flat_map(callees).collect();
    let public = views
        .filter(|view| visibility(*view) != Visibility::Private)
        .filter_map(|view| view.symbol_name());
    let public: Vec<&str> = public.collect();
    let is_free = |name: &&&str| !used.contains(name);
    let last = public.iter().rfind(is_free).or(public.last());
    let last = last.or_else(|| names.iter().rfind(is_free));
    let last = last.or(names.last());
    last.map(|name| (*name).to_owned())
        .ok_or_else(|| "the graph has no name".to_owned())
}

/// Returns the graphs of which a function has instances.
fn callees(function: View<'_>) -> impl Iterator<Item = &str> {
    let (context, body) = (function.context, function.inner());
    let instances = body.walk_all().into_iter();
    instances.filter_map(move |op| {
        let callee = View::new(context, body, op).attribute("module")?;
        callee.as_flat_symbol(context)
    })
}

/// Removes the graphs that the top graph does not need. If the user did not name the top, adds a remark for each removed public
/// graph.
fn leave_out_others(
    context: &Context,
    module: &mut Module,
    (top, is_said): (&str, bool),
    found: &mut Diagnostics,
) {
    let mut needed = vec![top.to_owned()];
    let mut at = 0;
    while let Some(function) = needed.get(at) {
        at += 1;
        let Some(op) = module.lookup_symbol(context, function) else {
            continue;
        };
        for callee in callees(View::new(context, module.inner(), op)) {
            if needed.iter().all(|known| known != callee) {
                needed.push(callee.to_owned());
            }
        }
    }
    for op in functions(context, module) {
        let view = View::new(context, module.inner(), op);
        let name = view.symbol_name().unwrap_or_default();
        if needed.iter().any(|needed| needed == name) {
            continue;
        }
        if !is_said && visibility(view) != Visibility::Private {
            let message = format!(
                "`@{name}` is not compiled, the graph is `@{top}`: `top: {name}` in the configuration chooses it"
            );
            found.remark(view.location(), message);
        }
        module.inner_mut().erase(op);
    }
}

/// Proves that the graph has no deadlock. A possible deadlock is only a warning: the author of the graph may know that the tokens
/// that cause it never arrive.
fn prove(context: &Context, module: &mut Module, setting: &Setting<'_>, found: &mut Diagnostics) {
    let mut of_proof = Diagnostics::new();
    manager(PROOF, setting).run(context, module, &mut of_proof, &mut |_, _| {});
    for diagnostic in &mut of_proof.all {
        if diagnostic.severity == Severity::Error {
            diagnostic.severity = Severity::Warning;
        }
    }
    found.append(of_proof);
}
