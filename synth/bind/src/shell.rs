//! Builds the whole program and the module around each function: ports, start and done, captured arguments, results.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{
    cf, func, hw,
    interface::{ArgumentPorts, Interface},
    memref, sluice,
};
use sluice_ir::{BlockId, Body, Context, Module, OperationId, TypeKind, ValueId, View};
use sluice_netlist::banks::with_banks;
use sluice_netlist::circuit::Circuit;
use sluice_netlist::error::{Built, CircuitError, broken};
use sluice_netlist::generators::UnitKind;
use sluice_netlist::kernel::{
    Activity, Signature, add_module, generate_unit, interface_of, no_stand_in_left, ports,
};
use sluice_netlist::source::{integer_width, value_name};

use crate::check;
use crate::frame::FrameId;
use crate::function::FunctionBinder;
use crate::memory::{Memory, MemoryKind, finish};
use crate::scheduled::required;
use crate::values::Definition;

/// Builds the circuit of every function of a scheduled module: one `hw.module` each, callees first, units last.
///
/// # Errors
/// The first violated invariant of the scheduled form; always a fault of an earlier stage.
pub fn bind(
    context: &Context,
    scheduled: &Module,
) -> Result<(Module, Vec<Interface>), CircuitError> {
    let mut circuit = hw::empty_module(context, scheduled.body.location(scheduled.operation));
    let functions = callees_first(context, scheduled)?;
    let mut interfaces: Vec<Interface> = Vec::new();
    let mut kinds = BTreeSet::new();
    for function in functions {
        let view = View::new(context, scheduled.inner(), function);
        let interface = bind_function(
            view,
            scheduled.view(context),
            &mut circuit,
            &interfaces,
            &mut kinds,
        )?;
        interfaces.push(interface);
    }
    let mut parts = BTreeSet::new();
    for kind in &kinds {
        match kind {
            UnitKind::Float { module, .. } => {
                let unit = scheduled.lookup_symbol(context, module);
                let unit = unit.map(|unit| View::new(context, scheduled.inner(), unit));
                let top = scheduled.view(context);
                let unit = unit.ok_or_else(|| broken(top, format!("no unit `{module}`")))?;
                crate::unit_circuit::bind_unit(unit, top, &mut circuit, kind, &mut parts)?;
            }
            _ => generate_unit(context, &mut circuit, kind),
        }
    }
    for kind in parts {
        generate_unit(context, &mut circuit, &kind);
    }
    Ok((circuit, interfaces))
}

/// Returns the functions with a body, each after the functions it calls.
fn callees_first(context: &Context, module: &Module) -> Built<Vec<OperationId>> {
    let inner = module.inner();
    let mut by_name: BTreeMap<&str, OperationId> = BTreeMap::new();
    let functions: Vec<_> = module
        .top_level_operations()
        .into_iter()
        .filter(|op| {
            let view = View::new(context, inner, *op);
            view.name() == func::Func::NAME && view.attribute(sluice::IS_UNIT).is_none()
        })
        .collect();
    for function in &functions {
        if let Some(name) = View::new(context, inner, *function).symbol_name() {
            by_name.insert(name, *function);
        }
    }
    let mut order = Vec::new();
    let mut open = BTreeSet::new();
    for function in &functions {
        visit(context, inner, *function, &by_name, &mut open, &mut order)?;
    }
    Ok(order)
}

fn visit(
    context: &Context,
    inner: &Body,
    function: OperationId,
    by_name: &BTreeMap<&str, OperationId>,
    open: &mut BTreeSet<OperationId>,
    order: &mut Vec<OperationId>,
) -> Built<()> {
    if order.contains(&function) {
        return Ok(());
    }
    let view = View::new(context, inner, function);
    if !open.insert(function) {
        return Err(broken(view, "a function that calls itself has no circuit"));
    }
    let body = view.inner();
    for op in body.walk_all() {
        let op = View::new(context, body, op);
        if op.name() == func::Call::NAME {
            let callee = op
                .attribute("callee")
                .and_then(|a| a.as_flat_symbol(context))
                .unwrap_or_default();
            let callee = by_name
                .get(callee)
                .ok_or_else(|| broken(op, format!("no function `{callee}` to call")))?;
            visit(context, inner, *callee, by_name, open, order)?;
        }
    }
    order.push(function);
    Ok(())
}

/// Returns true for read and for write if the argument is read or written, directly or by a callee.
fn used_ports(view: View<'_>, argument: ValueId, interfaces: &[Interface]) -> (bool, bool) {
    let body = view.inner();
    let (mut read, mut write) = (false, false);
    for (user, index) in body.uses(argument) {
        let user = View::new(view.context, body, user);
        match user.name() {
            memref::Load::NAME => read = true,
            memref::Store::NAME => write = true,
            func::Call::NAME => {
                let callee = user
                    .attribute("callee")
                    .and_then(|a| a.as_flat_symbol(view.context))
                    .unwrap_or_default();
                let callee = interfaces.iter().find(|i| i.module == callee);
                if let Some(ArgumentPorts::Memory {
                    read: r, write: w, ..
                }) = callee.and_then(|c| c.arguments.get(index))
                {
                    read |= *r;
                    write |= *w;
                }
            }
            _ => {}
        }
    }
    (read, write)
}

fn bind_function(
    view: View<'_>,
    module: View<'_>,
    program: &mut Module,
    interfaces: &[Interface],
    kinds: &mut BTreeSet<UnitKind>,
) -> Built<Interface> {
    let context = view.context;
    let source = view.inner();
    let region = *view
        .regions()
        .first()
        .ok_or_else(|| broken(view, "a function has a region"))?;
    let blocks = source.blocks(region).to_vec();
    let entry = *blocks
        .first()
        .ok_or_else(|| broken(view, "a declaration without a body has no circuit"))?;
    let types = view.attribute("function_type");
    let results = match types
        .and_then(|a| a.as_type(context))
        .map(|ty| ty.kind(context))
    {
        Some(TypeKind::Function { results, .. }) => results,
        _ => return Err(broken(view, "a function has a function type")),
    };
    let signature = Signature {
        arguments: source.arguments(entry),
        results,
    };
    let uses = |argument| used_ports(view, argument, interfaces);
    let interface = interface_of(view, &signature, uses)?;
    let (inputs, outputs) = ports(context, &interface);
    let (op, block, nets) = add_module(
        context,
        program,
        &interface.module,
        &inputs,
        &outputs,
        view.location(),
    );
    let attribute = with_banks(view, &interface)?.to_attribute(context);
    let inner = program.inner_mut();
    inner.set_attribute(op, context.name(sluice::INTERFACE), attribute);
    let input = |name: &str| inputs.iter().position(|p| p.name == name).map(|i| nets[i]);
    let body = inner.inner_mut(op);
    let circuit = Circuit::new(context, body, block, nets[0], nets[1], view.location());
    let mut binder = FunctionBinder::new(view, module, circuit);
    for name in outputs.iter().chain(&inputs).map(|p| &p.name) {
        binder.circuit.unique_name(name);
    }

    let start = input("start").expect("every function has `start`");
    let activity = Activity::open(&mut binder.circuit, start, &[]);
    let accepted = activity.accepted;
    for (ports, argument) in interface.arguments.iter().zip(source.arguments(entry)) {
        match ports {
            ArgumentPorts::Scalar { name, .. } => {
                let net = input(name).expect("every scalar has a port");
                let held = binder.capture(net, accepted, &format!("{name}_r"));
                binder.values.define(*argument, Definition::Held(held));
            }
            ArgumentPorts::Memory {
                name,
                depth_words,
                width_bits,
                ..
            } => {
                let kind = MemoryKind::External { name: name.clone() };
                binder.add_memory(*argument, Memory::new(kind, *depth_words, *width_bits));
            }
        }
    }
    let inside = View::new(context, source, view.id);
    let (leave, results) = bind_blocks(&mut binder, view, &blocks, accepted)?;
    let ready = activity.ready;
    let done = activity.close(&mut binder.circuit, leave);

    binder.finish_calls(inside, interfaces)?;
    check::units_do_not_collide(view, &binder.units)?;
    binder.units.finish(&mut binder.circuit);
    kinds.extend(binder.units.all().map(|u| u.kind.clone()));
    let mut by_name: BTreeMap<String, ValueId> = BTreeMap::new();
    by_name.insert("ready".to_owned(), ready);
    by_name.insert("done".to_owned(), done);
    for (i, result) in results.iter().enumerate() {
        by_name.insert(format!("result{i}"), *result);
    }
    let mut memories = std::mem::take(&mut binder.memories);
    for memory in &mut memories {
        let name = match &memory.kind {
            MemoryKind::External { name } => name.clone(),
            MemoryKind::Local { .. } | MemoryKind::Table { .. } => String::new(),
        };
        let external = finish(&mut binder.circuit, memory, input(&format!("{name}_rdata")));
        if let Some((address, enable)) = external.read {
            by_name.insert(format!("{name}_raddr"), address);
            by_name.insert(format!("{name}_ren"), enable);
        }
        if let Some((address, enable, data)) = external.write {
            by_name.insert(format!("{name}_waddr"), address);
            by_name.insert(format!("{name}_wen"), enable);
            by_name.insert(format!("{name}_wdata"), data);
        }
    }
    if let Some(value) = binder.values.undriven() {
        return Err(broken(
            inside,
            format!("`{}` is read but never made", value_name(inside, value)),
        ));
    }
    let driven: Option<Vec<ValueId>> = outputs
        .iter()
        .map(|port| by_name.get(&port.name).copied())
        .collect();
    let driven = driven.ok_or_else(|| broken(view, "an output that nothing drives"))?;
    for frame in &mut binder.values.frames {
        frame.count_long_waits(&mut binder.circuit, &driven);
    }
    binder.circuit.output(&driven);
    no_stand_in_left(view, binder.circuit.body)?;
    Ok(interface)
}

/// Binds the blocks of a function, one frame each. Returns the signal that the function is done, and its results.
fn bind_blocks<'a>(
    binder: &mut FunctionBinder<'a, '_>,
    view: View<'a>,
    blocks: &[BlockId],
    accepted: ValueId,
) -> Built<(ValueId, Vec<ValueId>)> {
    let context = view.context;
    let source = view.inner();
    let inside = View::new(context, source, view.id);
    let mut frames: Vec<FrameId> = Vec::new();
    for i in 0..blocks.len() {
        let name = if blocks.len() == 1 {
            "run".to_owned()
        } else {
            format!("bb{i}")
        };
        frames.push(binder.open_frame(&name, None, None, &[blocks[i]])?);
    }
    // Registers for block arguments, loaded by the branches.
    let mut loads: BTreeMap<ValueId, (ValueId, ValueId)> = BTreeMap::new();
    for block in &blocks[1..] {
        for argument in source.arguments(*block) {
            let width = integer_width(inside, *argument)?;
            let (data, enable) = (binder.circuit.wire(width), binder.circuit.wire(1));
            let name = value_name(inside, *argument);
            let held = binder.capture(data, enable, &name);
            binder.values.define(*argument, Definition::Held(held));
            loads.insert(*argument, (data, enable));
        }
    }
    let mut entries: BTreeMap<BlockId, Vec<ValueId>> =
        BTreeMap::from([(blocks[0], vec![accepted])]);
    let mut sources: BTreeMap<ValueId, Vec<(ValueId, ValueId)>> = BTreeMap::new();
    let mut returns: Vec<(ValueId, Vec<ValueId>)> = Vec::new();
    for (block, frame) in blocks.iter().zip(&frames) {
        binder.lower_block(*block, *frame, None)?;
        let last = source
            .last_operation(*block)
            .ok_or_else(|| broken(view, "a block ends in a terminator"))?;
        let last = View::new(context, source, last);
        let depth = match last.attribute(sluice::DEPTH) {
            Some(_) => required(last, sluice::DEPTH)?,
            None => required(view, sluice::DEPTH)?,
        };
        let leave = binder.source_of_token(*frame, depth);
        match last.name() {
            func::Return::NAME => {
                let mut results = Vec::new();
                for operand in last.operands() {
                    results.push(binder.read_passed_on(last, operand, *frame, depth)?);
                }
                returns.push((leave, results));
            }
            cf::Br::NAME | cf::CondBr::NAME => {
                let mut operand = usize::from(last.name() == cf::CondBr::NAME);
                let condition = match operand {
                    0 => None,
                    _ => Some(binder.read_passed_on(last, last.operand(0), *frame, depth)?),
                };
                for (i, successor) in last.successors().iter().enumerate() {
                    let taken = match (condition, i) {
                        (None, _) => leave,
                        (Some(condition), 0) => binder.circuit.and(leave, condition),
                        (Some(condition), _) => {
                            let not = binder.circuit.not(condition);
                            binder.circuit.and(leave, not)
                        }
                    };
                    entries.entry(*successor).or_default().push(taken);
                    for argument in source.arguments(*successor) {
                        let value = last.operand(operand);
                        operand += 1;
                        let data = binder.read_passed_on(last, value, *frame, depth)?;
                        sources.entry(*argument).or_default().push((taken, data));
                    }
                }
            }
            _ => return Err(broken(last, "no controller for this terminator")),
        }
    }
    for (block, frame) in blocks.iter().zip(&frames) {
        let terms = entries.remove(block).unwrap_or_default();
        let entry = binder.circuit.any(&terms);
        binder.values.frames[frame.0].connect_entry(&mut binder.circuit, entry);
    }
    for (argument, (data_wire, enable_wire)) in loads {
        let terms = sources.remove(&argument).unwrap_or_default();
        let enables: Vec<_> = terms.iter().map(|(enable, _)| *enable).collect();
        let enable = binder.circuit.any(&enables);
        let mut data = terms.last().map(|(_, data)| *data);
        for (taken, new) in terms.iter().rev().skip(1) {
            data = data.map(|rest| binder.circuit.mux(*taken, *new, rest));
        }
        let data =
            data.ok_or_else(|| broken(view, "a block with arguments and without a predecessor"))?;
        binder.circuit.connect(data_wire, data);
        binder.circuit.connect(enable_wire, enable);
    }
    let leaves: Vec<_> = returns.iter().map(|(leave, _)| *leave).collect();
    let leave = binder.circuit.any(&leaves);
    let n_results = returns.first().map_or(0, |(_, results)| results.len());
    let mut held = Vec::new();
    for i in 0..n_results {
        let mut data = returns.last().expect("there is a return").1[i];
        for (taken, results) in returns.iter().rev().skip(1) {
            data = binder.circuit.mux(*taken, results[i], data);
        }
        held.push(binder.capture(data, leave, &format!("result{i}_r")));
    }
    Ok((leave, held))
}
