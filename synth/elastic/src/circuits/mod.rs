//! Converts dataflow graphs to hw, comb and seq: one flat module for each function, see `docs/ELASTIC.md`.
//!
//! Every channel gets nets for `valid`, data and `ready`, built in dependence order; registers are created last. Static facts
//! about channels are computed first, so that impossible cases need no circuit.

mod boundary;
mod buffers;
mod builder;
mod calls;
mod choices;
mod distribution;
mod element;
mod facts;
mod fifos;
mod graph;
mod marks;
mod memories;
mod operators;
mod order;
mod parts;
mod pending;
mod shared;
mod surround;

use std::collections::BTreeSet;

use sluice_dialects::sluice::CIRCUIT;
use sluice_dialects::{hw, sluice};
use sluice_ir::{Context, Diagnostics, Module, ValueId, View};
use sluice_netlist::banks::with_banks;
use sluice_netlist::circuit::Circuit;
use sluice_netlist::error::{Built, broken};
use sluice_netlist::generators::UnitKind;
use sluice_netlist::kernel::{add_module, generate_unit, no_stand_in_left};

use crate::inline::{FUNCTION, inline_instances};
use boundary::{Boundary, is_kernel};
use builder::Builder;
use element::element;
use facts::Facts;
use graph::Graph;
use marks::Marks;
use order::Signal;

pub use marks::SIGNALS;
pub use surround::surround;

/// Creates the circuit of every function of a module of dataflow graphs, with shared units last. A function that others
/// instantiate is inlined and gets no module.
///
/// # Errors
/// Violations of the graph form in any function: operations without a circuit, channels without or with several uses,
/// combinational cycles.
pub fn circuits(context: &Context, graphs: &Module) -> Result<Module, Diagnostics> {
    let mut graphs = graphs.clone();
    inline_instances(context, &mut graphs)?;
    without_index(context, &mut graphs);
    let mut program = hw::empty_module(context, graphs.body.location(graphs.operation));
    let mut found = Diagnostics::new();
    let mut units = BTreeSet::new();
    for op in graphs.top_level_operations() {
        let view = View::new(context, graphs.inner(), op);
        if view.name() == hw::Module::NAME {
            hw::copy_module(context, &graphs, op, &mut program);
            continue;
        }
        // A function that is only declared is defined elsewhere; instances of it were rejected before.
        if view.attribute(CIRCUIT).is_some() || view.entry_block(0).is_none() {
            continue;
        }
        if view.name() != FUNCTION {
            let message = format!(
                "`{}` beside dataflow graphs; expected `{FUNCTION}`",
                view.name()
            );
            found.error(view.location(), message);
            continue;
        }
        let result = Graph::read(graphs.view(context), view).and_then(|graph| {
            let order = order::order(&graph)?;
            build(&graph, &order, &mut program, &mut units).map_err(|error| {
                let mut found = Diagnostics::new();
                found.error(error.location, error.message);
                found
            })
        });
        if let Err(errors) = result {
            found.append(errors);
        }
    }
    if found.has_errors() {
        return Err(found);
    }
    for kind in units {
        generate_unit(context, &mut program, &kind);
    }
    Ok(program)
}

/// Replaces the type `index` by 64-bit integers.
fn without_index(context: &Context, graphs: &mut Module) {
    let (index, wide) = (context.index_type(), context.integer_type(64));
    for op in graphs.top_level_operations() {
        let Some(block) = View::new(context, graphs.inner(), op).entry_block(0) else {
            continue;
        };
        let body = graphs.inner_mut().inner_mut(op);
        let mut values = body.arguments(block).to_vec();
        for op in body.walk_all() {
            values.extend(body.results(op));
        }
        for value in values {
            if body.ty(value) == index {
                body.set_type(value, wide);
            }
        }
    }
}

/// Builds the module of one function.
fn build(
    graph: &Graph<'_>,
    order: &[Signal],
    program: &mut Module,
    units: &mut BTreeSet<UnitKind>,
) -> Built<()> {
    let function = graph.function;
    let context = function.context;
    let boundary = Boundary::of(graph)?;
    let location = function.location();
    let (op, block, nets) = add_module(
        context,
        program,
        &boundary.module,
        &boundary.inputs,
        &boundary.outputs,
        location,
    );
    let inner = program.inner_mut();
    if let Some(interface) = &boundary.interface {
        let interface = with_banks(function, interface)?;
        let attribute = interface.to_attribute(context);
        inner.set_attribute(op, context.name(sluice::INTERFACE), attribute);
    }
    if let Some(outside) = surround::note(context, &boundary) {
        inner.set_attribute(op, context.name(sluice_dialects::sluice::OUTSIDE), outside);
    }
    let body = inner.inner_mut(op);
    let mut circuit = Circuit::new(context, body, block, nets[0], nets[1], location);
    for port in boundary.inputs.iter().chain(&boundary.outputs) {
        circuit.unique_name(&port.name);
    }
    let facts = Facts::find(graph, is_kernel(function));
    let mut builder = Builder::new(circuit, graph, facts);
    builder.memory_names.clone_from(&boundary.memory_names);
    let names = boundary.inputs.iter().map(|port| port.name.clone());
    builder.inputs = names.zip(nets.iter().copied()).collect();

    let opened = boundary.open(&mut builder);
    let mut elements = Vec::new();
    for node in &graph.nodes {
        builder.circuit.location = node.view.location();
        elements.push(element(&mut builder, node)?);
    }
    for signal in order {
        match signal {
            Signal::Valid(channel) => {
                let Some(end) = graph.giver(*channel) else {
                    continue;
                };
                let node = &graph.nodes[end.node];
                builder.circuit.location = node.view.location();
                let element = elements[end.node].as_ref();
                let element = element.expect("a return has no results");
                let forward = element.forward(&mut builder, node, end.index)?;
                builder.set_forward(*channel, forward);
            }
            Signal::Ready(channel) => {
                let ready = ready(&mut builder, &boundary, &elements, *channel);
                builder.set_ready(*channel, ready);
            }
        }
    }
    for (node, element) in graph.nodes.iter().zip(&elements) {
        builder.circuit.location = node.view.location();
        if let Some(element) = element {
            element.finish(&mut builder, node)?;
        }
    }
    builder.circuit.location = location;
    boundary.close(&mut builder, opened);
    let driven = boundary.outputs.iter();
    let driven: Option<Vec<ValueId>> = driven
        .map(|port| builder.outputs.get(&port.name).copied())
        .collect();
    let driven = driven.ok_or_else(|| broken(function, "an output that nothing drives"))?;
    let marks = Marks::find(&builder);
    builder.circuit.output(&marks.outputs_and_signals(&driven));
    units.extend(std::mem::take(&mut builder.units));
    let body = program.inner_mut().inner_mut(op);
    sluice_ir::simplify::cse(context, body);
    marks.put(context, body, driven.len());
    no_stand_in_left(function, body)
}

fn ready(
    builder: &mut Builder<'_, '_>,
    boundary: &Boundary,
    elements: &[Option<Box<dyn crate::circuits::builder::Element>>],
    channel: ValueId,
) -> ValueId {
    if builder.facts.is_eager(channel) {
        return builder.circuit.flag(true);
    }
    let end = builder.graph.taker(channel);
    let node = &builder.graph.nodes[end.node];
    builder.circuit.location = node.view.location();
    match &elements[end.node] {
        Some(element) => element.ready(builder, node, end.index),
        None => boundary.ready(builder, end.index),
    }
}
