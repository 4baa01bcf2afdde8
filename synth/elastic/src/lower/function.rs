//! Lowers a function: its arguments, its body, its results.

use std::collections::BTreeMap;

use sluice_dialects::sluice::CIRCUIT;
use sluice_dialects::{func, handshake, memref, sluice};
use sluice_ir::passes::named;
use sluice_ir::{
    Context, Diagnostics, Location, Module, NewOperation, OperationId, TypeKind, ValueId, View,
};

use super::calls::declare_circuit;
use super::domains::Gate;
use super::memories::Holder;
use super::order::{Entries, Track};
use super::{Lowered, Lowering, refused};
use crate::bundle::bundle;
use crate::fan_out::fan_out;
use crate::graph::Graph;
use crate::live::remove_dead;
use crate::simplify::simplify;

/// Converts every function with a body to a `handshake.func`: from the synthesis form to the graph form (docs/ELASTIC.md),
/// without buffers except the first-iteration registers of loops.
///
/// # Errors
/// To `diagnostics`, with the location: every function that calls one without a circuit ([`CIRCUIT`]), or whose control flow is
/// not structured.
pub fn lower_to_handshake(context: &Context, module: &mut Module, diagnostics: &mut Diagnostics) {
    for function in named(context, module, func::Func::NAME) {
        let view = View::new(context, module.inner(), function);
        if view.entry_block(0).is_none() {
            continue;
        }
        if view.attribute(CIRCUIT).is_some() {
            if let Err(error) = declare_circuit(context, module, function) {
                diagnostics.error(error.location, error.message);
            }
            continue;
        }
        match lower(context, module, function) {
            Ok(graph) => {
                let inner = module.inner_mut();
                inner.insert_before(function, graph.0);
                inner.erase(function);
            }
            Err(error) => {
                diagnostics.error(error.location, error.message);
            }
        }
    }
    if diagnostics.has_errors() {
        return;
    }
    for global in named(context, module, memref::Global::NAME) {
        module.inner_mut().erase(global);
    }
}

/// A detached `handshake.func`.
struct Function(OperationId);

fn lower(context: &Context, module: &mut Module, function: OperationId) -> Lowered<Function> {
    let made = declare(context, module, function)?;
    let mut body = module
        .inner_mut()
        .take_body(made)
        .expect("a handshake.func holds a body");
    let entry = body.blocks(body.top_regions().next().expect("a region"))[0];
    let lowered = {
        let view = View::new(context, module.inner(), function);
        let mut lowering = Lowering {
            context,
            module,
            source: view.inner(),
            graph: Graph::new(context, &mut body, entry, view.location()),
            domains: Vec::new(),
            memories: BTreeMap::new(),
            touched: BTreeMap::new(),
        };
        let lowered = lowering.function(view);
        if lowered.is_ok() {
            simplify(&mut lowering.graph, &|_, _| true);
            remove_dead(context, lowering.graph.body);
            bundle(&mut lowering.graph);
        }
        lowered
    };
    remove_dead(context, &mut body);
    fan_out(context, &mut body);
    module.inner_mut().put_body(made, body);
    match lowered {
        Ok(()) => Ok(Function(made)),
        Err(error) => {
            module.inner_mut().erase(made);
            Err(error)
        }
    }
}

/// Creates the `handshake.func` without operations.
fn declare(context: &Context, module: &mut Module, function: OperationId) -> Lowered<OperationId> {
    let view = View::new(context, module.inner(), function);
    let ty = view
        .attribute("function_type")
        .and_then(|a| a.as_type(context));
    let Some(TypeKind::Function { inputs, results }) = ty.map(|ty| ty.kind(context)) else {
        return Err(refused(view, "a function has a function type"));
    };
    let none = context.none_type();
    let (mut inputs, mut results) = (inputs.to_vec(), results.to_vec());
    inputs.push(none);
    let names = argument_names(view, inputs.len() - 1);
    let result_names: Vec<String> = (0..results.len()).map(|i| format!("result{i}")).collect();
    results.push(none);
    let texts = |names: &[String], last: &str| {
        let all = names.iter().map(String::as_str).chain([last]);
        let all: Vec<_> = all.map(|name| context.string_attribute(name)).collect();
        context.array_attribute(&all)
    };
    let mut attributes = vec![
        (
            context.name("function_type"),
            context.type_attribute(context.function_type(&inputs, &results)),
        ),
        (context.name("argNames"), texts(&names, "start")),
        (context.name("resNames"), texts(&result_names, "done")),
    ];
    for (name, value) in view.attributes() {
        let text = context.text(*name);
        let is_kept = matches!(text, "sym_name" | "sym_visibility")
            || (text.starts_with("sluice.") && text != sluice::DEPENDENCES);
        if is_kept {
            attributes.push((*name, *value));
        }
    }
    let locations: Vec<Location> = vec![view.location(); inputs.len()];
    let mut new = NewOperation::new(
        context.operation_name(handshake::Func::NAME),
        view.location(),
    );
    new.attributes = attributes;
    new.n_regions = 1;
    let inner = module.inner_mut();
    let made = inner.create(context, new);
    let body = inner.inner_mut(made);
    let region = body.top_regions().next().expect("a function has a region");
    let block = body.append_block(region);
    for ((ty, location), name) in inputs
        .iter()
        .zip(locations)
        .zip(names.iter().map(String::as_str).chain(["start"]))
    {
        let argument = body.add_argument(block, *ty, location);
        body.set_value_name(argument, Some(context.name(name)));
    }
    Ok(made)
}

/// Returns the names of the arguments in the source.
fn argument_names(view: View<'_>, n_arguments: usize) -> Vec<String> {
    let context = view.context;
    let described = view.attribute(sluice::ARGUMENTS);
    let described = described
        .and_then(|a| a.as_array(context))
        .unwrap_or_default();
    let name = |i: usize| {
        let entries = described.get(i)?.as_dictionary(context)?;
        let mut names = entries.iter().filter(|(n, _)| context.text(*n) == "name");
        names.next()?.1.as_str(context).map(str::to_owned)
    };
    (0..n_arguments)
        .map(|i| name(i).unwrap_or_else(|| format!("arg{i}")))
        .collect()
}

impl<'a> Lowering<'a, '_> {
    fn function(&mut self, view: View<'a>) -> Lowered<()> {
        let region = self.source.top_regions().next();
        let blocks = region.map_or(&[][..], |region| self.source.blocks(region));
        let [block] = blocks else {
            let message = "control flow between blocks has no elastic circuit; `scf` operations have, and `style: static` compiles both";
            return Err(refused(view, message));
        };
        let domain = self.open(None, Gate::Function);
        let channels = self.graph.body.arguments(self.graph.block).to_vec();
        let start = *channels
            .last()
            .expect("the start token is the last argument");
        self.domains[domain.0].trigger = Some(start);
        let arguments = self.source.arguments(*block).to_vec();
        for (number, (argument, channel)) in arguments.iter().zip(&channels).enumerate() {
            match self.source.ty(*argument).kind(self.context) {
                TypeKind::MemRef { .. } => {
                    self.add_memory(view, *argument, Holder::External(*channel));
                    let stream = self.stream_of(view, number);
                    if let Some(memory) = self.memories.get_mut(argument) {
                        memory.stream = stream;
                    }
                }
                _ => self.define(domain, *argument, *channel),
            }
        }
        self.find_memories()?;
        let tracks = self.touched.values().flat_map(BTreeMap::keys);
        let written = tracks.filter(|track| self.memories[&track.memory()].is_written);
        let entries: Entries = written.map(|track| (*track, (start, domain))).collect();
        let mut scope = self.scope(view, &[(*block, domain)], None, entries);
        let end = self.block(domain, *block, &mut scope)?;
        let returned: Vec<ValueId> = end.map_or_else(Vec::new, |end| end.operands().collect());
        let mut results = self.values(domain, &returned);
        // The circuit of the end waits for store address queues itself.
        let mut tokens = self.finished(&scope, domain);
        tokens.retain(|track, _| matches!(track, Track::Cells(_)));
        let tokens: Vec<ValueId> = tokens.into_values().collect();
        self.graph.location = end.map_or(view.location(), View::location);
        let done = match tokens.is_empty() {
            true => start,
            false => self.graph.join(&tokens),
        };
        results.push(done);
        // The memories replace placeholders, also those used by the results, so the return is created first.
        let end = self
            .graph
            .operation(handshake::Return::NAME, &results, &[], &[]);
        self.make_memories();
        self.graph.body.move_to_end(self.graph.block, end);
        Ok(())
    }
}
