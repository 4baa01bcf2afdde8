//! Dataflow graphs of others, to the form in which ours are made: choices by conditions instead of by what comes first, constants where
//! they are used, and nothing that nobody needs.

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

/// Simplifies every graph of a module whose channels have domains, as the proof of deadlock freedom finds them: in those, every operand of
/// an operation has as many tokens as the others, so that none of them waits for one that does not come.
///
/// * A `merge` or `control_merge` to which tokens come in the order of runs is a `mux` on the condition, or on the register of a loop; so are
///   the multiplexers that its index selects. What has one input passes it on.
/// * A value that is the same constant in every token is one where it is used, without a trigger.
/// * What both sides of a conditional pass on unchanged passes by it, and what nobody needs goes.
/// * Buffers that are empty after reset go, if not `keep_buffers`.
///
/// A graph to which that does not apply is a remark in `found`, with the reason.
///
/// Behind it a channel may have any number of uses; other graphs stay as they are, and so do those of kernels.
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
        // What was made was put behind it.
        let end = body
            .operations(block)
            .find(|op| context.operation_text(body.name(*op)) == handshake::Return::NAME);
        if let Some(end) = end {
            body.move_to_end(block, end);
        }
    }
}

/// The buffers of a graph without which it would do the same: those that hold nothing after reset.
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

/// Takes away what has one input and passes it on.
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

/// Lets bits select that were made numbers for it.
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
        // What is above the last input selects the last: a 1 does, with or without its sign.
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
    /// What a bit is not.
    fn opposite(&mut self, bit: ValueId) -> ValueId {
        let source = self.source();
        let one = self.constant(Bits::from_u64(1, 1), source);
        let ty = self.body.ty(bit);
        let op = self.operation(arith::Xori::NAME, &[bit, one], &[ty], &[]);
        self.body.result(op, 0)
    }

    /// A number of a type, `index` too, for each token of `trigger`.
    fn number(&mut self, number: u64, ty: Type, trigger: ValueId) -> ValueId {
        let width = ty.width_bits(self.context).unwrap_or(1);
        self.constant_of_type(Bits::from_u64(width, number), ty, trigger)
    }

    /// Looks for the values that always have a token, in a graph that was made elsewhere.
    fn find_sourced(&mut self) {
        let sourced = Channels::new(self.context, self.body).sourced();
        self.set_sourced(sourced);
    }
}
