//! Simplifies dataflow graphs from other tools to the form of our own: choices by conditions instead of by arrival, constants
//! where they are used, no dead operations.

mod choices;
mod constants;
mod waits;

use sluice_dialects::sluice::{CHANNEL, PENDING};
use sluice_dialects::{arith, handshake, sluice};
use sluice_ir::bits::Bits;
use sluice_ir::passes::named;
use sluice_ir::{Body, Context, Diagnostics, Module, OperationId, Type, ValueId, View};

use crate::channels::Channels;
use crate::fan_out::{fan_in, fan_out};
use crate::graph::Graph;
use crate::inline::FUNCTION;
use crate::live::remove_dead;
use crate::proof::orders;
use crate::simplify::simplify;
use choices::choices;
use constants::constants;
use waits::Waits;

/// Simplifies every graph of a module for whose channels the deadlock proof finds domains. In such a graph, all operands of an
/// operation have the same number of tokens, so none waits for a token that never arrives.
///
/// * A `merge` or `control_merge` whose tokens arrive in program order becomes a `mux` on the condition, or on the
///   first-iteration register of a loop, and so do the multiplexers that its index controls. One with a single input is removed.
/// * A value that is the same constant in every token becomes a constant without a trigger at each use.
/// * A value that both sides of a conditional pass on unchanged bypasses it, and dead operations are removed.
/// * Buffers that are empty after reset are removed, unless `keep_buffers`.
///
/// For a graph without domains, `found` receives a remark with the reason.
///
/// Afterwards a channel of such a graph may have any number of uses. Other graphs, and graphs made from kernels, are unchanged.
pub fn simplify_graphs(
    context: &Context,
    module: &mut Module,
    keep_buffers: bool,
    found: &mut Diagnostics,
) {
    for function in named(context, module, FUNCTION) {
        let view = View::new(context, module.inner(), function);
        let Some(block) = view.entry_block(0) else {
            continue;
        };
        if view.attribute(sluice::ARGUMENTS).is_some() {
            continue;
        }
        let location = view.location();
        let body = module.inner_mut().inner_mut(function);
        fan_in(context, body);
        bits_select(context, body);
        fan_out(context, body);
        let orders = match orders(context, body) {
            Ok(orders) => orders,
            Err(why) => {
                found.remark(location, format!("the graph is not simplified: {why}"));
                continue;
            }
        };
        fan_in(context, body);
        let buffers = removable(context, body);
        if !keep_buffers {
            for buffer in buffers {
                let (result, value) = (body.result(buffer, 0), body.operand(buffer, 0));
                body.replace_all_uses(result, value);
                body.erase(buffer);
            }
        } else if !buffers.is_empty() {
            let stay = match buffers.len() {
                1 => "a buffer stays as it is".to_owned(),
                n => format!("{n} buffers stay as they are"),
            };
            let message = format!(
                "{stay} given; `keep_buffers: false` in the configuration lets others be placed"
            );
            found.remark(location, message);
        }
        let mut graph = Graph::new(context, body, block, location);
        let waits = Waits::find(&graph);
        if let Some((merge, _)) = orders.iter().find(|(merge, _)| !waits.may_choose(*merge)) {
            let name = graph.body.value_name(*merge).map(|name| context.text(name));
            let message = format!(
                "the graph is not simplified: accesses of a memory may be in order since they wait for `{}`",
                name.unwrap_or("merge")
            );
            found.remark(location, message);
            continue;
        }
        choices(&mut graph, orders);
        pass_on(&mut graph, &waits);
        graph.find_sourced();
        constants(&mut graph, &waits);
        graph.find_sourced();
        simplify(&mut graph, &|select, chosen| {
            waits.may_go(&[select], chosen)
        });
        remove_dead(context, body);
        // New operations were appended after the return, which must be last.
        let end = body
            .operations(block)
            .find(|op| context.operation_text(body.name(*op)) == handshake::Return::NAME);
        if let Some(end) = end {
            body.move_to_end(block, end);
        }
    }
}

/// Returns the buffers that hold nothing after reset; removing them does not change the function.
fn removable(context: &Context, body: &Body) -> Vec<OperationId> {
    let mut ops = body.walk_all();
    ops.retain(|op| {
        let view = View::new(context, body, *op);
        let holds = ["initValues", CHANNEL, PENDING];
        view.name() == handshake::Buffer::NAME
            && holds.iter().all(|name| view.attribute(name).is_none())
    });
    ops
}

/// Removes operations with one input that only pass it on.
fn pass_on(graph: &mut Graph<'_>, waits: &Waits) {
    for op in graph.body.walk_all() {
        let view = View::new(graph.context, graph.body, op);
        let operands: Vec<ValueId> = view.operands().collect();
        let passed = match (view.name(), &operands[..]) {
            (handshake::Merge::NAME | handshake::Branch::NAME, [only]) => *only,
            (handshake::ControlMerge::NAME, [only]) => {
                let (only, index) = (*only, view.result(1));
                if graph.body.uses(index).next().is_some() {
                    graph.location = graph.body.location(op);
                    let ty = graph.body.ty(index);
                    let trigger = graph.join(&[only]);
                    let zero = graph.number(0, ty, trigger);
                    graph.body.replace_all_uses(index, zero);
                }
                only
            }
            (handshake::Mux::NAME, [select, only]) if waits.may_go(&[*select], view.result(0)) => {
                *only
            }
            _ => continue,
        };
        let result = graph.body.result(op, 0);
        graph.body.replace_all_uses(result, passed);
        graph.body.erase(op);
    }
}

/// Uses a bit directly as select input, if it was only converted to a number for this.
fn bits_select(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        if view.name() != handshake::Mux::NAME || view.operands().len() != 3 {
            continue;
        }
        let made = body.defining_operation(view.operand(0));
        let Some(cast) = made.map(|op| View::new(context, body, op)) else {
            continue;
        };
        // A select value above the last input selects the last, so a 1 works with either extension.
        let is_cast = matches!(
            cast.name(),
            arith::IndexCast::NAME
                | arith::IndexCastui::NAME
                | arith::Extui::NAME
                | arith::Extsi::NAME
        );
        let bit = cast.operands().next();
        if let Some(bit) = bit.filter(|_| is_cast)
            && body.ty(bit).width_bits(context) == Some(1)
        {
            body.set_operand(op, 0, bit);
        }
    }
}

impl Graph<'_> {
    /// Emits the complement of a bit.
    fn opposite(&mut self, bit: ValueId) -> ValueId {
        let source = self.source();
        let one = self.constant(Bits::from_u64(1, 1), source);
        let ty = self.body.ty(bit);
        let op = self.operation(arith::Xori::NAME, &[bit, one], &[ty], &[]);
        self.body.result(op, 0)
    }

    /// Emits a number of a type, possibly `index`, for each token of `trigger`.
    fn number(&mut self, number: u64, ty: Type, trigger: ValueId) -> ValueId {
        let width = ty.width_bits(self.context).unwrap_or(1);
        self.constant_of_type(Bits::from_u64(width, number), ty, trigger)
    }

    /// Finds the values that always have a token, in a graph that was created elsewhere.
    fn find_sourced(&mut self) {
        let sourced = Channels::new(self.context, self.body).sourced();
        self.set_sourced(sourced);
    }
}
