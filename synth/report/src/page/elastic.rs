//! The dataflow graph of an elastic circuit: operations, choices and buffers, with the tokens that were counted in the buffers.

use std::collections::BTreeMap;

use sluice_dialects::handshake;
use sluice_ir::{OperationId, ValueDefinition, ValueId, View};
use sluice_kernel::compiled::Compiled;
use sluice_oplib::class::OperatorClass;

use super::colour;
use super::graphs::{Arc, Graph, Node};
use crate::dataflow::{function, short_name};
use crate::markup::Origin;
use crate::traffic::{Occupancy, Traffic};
use crate::{line_of, number};

/// The drawing of a dataflow graph, not yet laid out.
#[derive(Default)]
pub struct Drawing {
    graph: Graph,
    is_counted: bool,
}

impl Drawing {
    /// Returns the drawing of a graph without runs.
    pub fn of(function: View<'_>) -> Self {
        Self::with_tokens(function, None)
    }

    fn with_tokens(function: View<'_>, traffic: Option<&Traffic>) -> Self {
        Self {
            graph: Builder::new(function, traffic).graph(),
            is_counted: traffic.is_some(),
        }
    }

    /// Returns the panel.
    pub(super) fn panel(&self) -> String {
        let (origin, counted) = match self.is_counted {
            true => (
                Origin::Measured.mark(),
                "the mean number of tokens in it, and its room. Fuller buffers are darker",
            ),
            false => ("", "its room"),
        };
        let mut page = format!(
            "<h2 id=\"graph\">Dataflow graph{origin}</h2>\n<p class=\"faint\">Forks, constants and memories are left out. A buffer shows {counted}.</p>\n"
        );
        self.graph.draw(&mut page, "dataflow graph of the circuit");
        page
    }
}

/// Returns the panel; nothing for a static schedule.
pub(super) fn panel(compiled: &Compiled, traffic: Option<&Traffic>) -> String {
    function(compiled).map_or_else(String::new, |function| {
        Drawing::with_tokens(function, traffic).panel()
    })
}

struct Builder<'a> {
    function: View<'a>,
    /// Tokens in the buffers, by their operation.
    tokens: BTreeMap<OperationId, (&'a Occupancy, f64)>,
    graph: Graph,
    /// Nodes of operations, and of arguments.
    of_operation: BTreeMap<OperationId, usize>,
    of_argument: BTreeMap<ValueId, usize>,
}

/// Returns whether an operation is not drawn; its operand is in its place, if it has one.
fn is_hidden(view: View<'_>) -> bool {
    matches!(
        view.name(),
        handshake::Fork::NAME
            | handshake::LazyFork::NAME
            | handshake::Branch::NAME
            | handshake::Sink::NAME
            | handshake::Source::NAME
            | handshake::Never::NAME
            | handshake::Constant::NAME
            | handshake::Memory::NAME
            | handshake::ExternalMemory::NAME
            | handshake::Join::NAME
            | handshake::Sync::NAME
    )
}

impl<'a> Builder<'a> {
    fn new(function: View<'a>, traffic: Option<&'a Traffic>) -> Self {
        let buffers = traffic.into_iter().flat_map(|traffic| {
            let buffers = traffic.buffers.iter();
            buffers.map(|buffer| (buffer.operation, (buffer, traffic.mean(buffer))))
        });
        Self {
            function,
            tokens: buffers.collect(),
            graph: Graph::default(),
            of_operation: BTreeMap::new(),
            of_argument: BTreeMap::new(),
        }
    }

    fn graph(mut self) -> Graph {
        let body = self.function.inner();
        let context = self.function.context;
        let ops = body.walk_all();
        for op in &ops {
            let view = View::new(context, body, *op);
            if !is_hidden(view) {
                self.of_operation.insert(*op, self.graph.nodes.len());
                let node = self.node(view);
                self.graph.nodes.push(node);
            }
        }
        for op in &ops {
            let Some(to) = self.of_operation.get(op).copied() else {
                continue;
            };
            let view = View::new(context, body, *op);
            for operand in view.operands() {
                let is_control = body.ty(operand).integer_width_bits(context).is_none();
                if let Some(from) = self.source(operand) {
                    self.graph.arcs.push(Arc {
                        from,
                        to,
                        class: if is_control { "order" } else { "" },
                    });
                }
            }
        }
        self.graph.arcs.sort_unstable();
        self.graph.arcs.dedup();
        self.graph
    }

    fn node(&self, view: View<'_>) -> Node {
        let name = short_name(view);
        let line = line_of(view);
        if view.name() != handshake::Buffer::NAME {
            let class = match view.name() {
                handshake::Load::NAME | handshake::Store::NAME => "memory",
                handshake::Mux::NAME
                | handshake::Merge::NAME
                | handshake::ControlMerge::NAME
                | handshake::ConditionalBranch::NAME => "choice",
                _ => OperatorClass::of(view).map_or("other", |class| colour(class.name())),
            };
            return Node {
                told: name.clone(),
                label: name,
                line,
                class: class.to_owned(),
            };
        }
        let slots = number(view, "slots").unwrap_or(1);
        let (label, told, full) = match self.tokens.get(&view.id) {
            Some((buffer, mean)) => {
                let share = mean / f64::from(u32::try_from(buffer.capacity).unwrap_or(1).max(1));
                let full = match share {
                    share if share >= 0.75 => " full3",
                    share if share >= 0.5 => " full2",
                    share if share >= 0.25 => " full1",
                    _ => "",
                };
                let told = format!(
                    "buffer after {} ({}): {mean:.2} tokens in the mean, {} at most, room for {}",
                    buffer.holds, buffer.reason, buffer.most_tokens, buffer.capacity
                );
                (format!("{mean:.1} / {}", buffer.capacity), told, full)
            }
            None => (
                format!("buffer {slots}"),
                format!("buffer with {slots} slots"),
                "",
            ),
        };
        Node {
            label,
            told,
            line,
            class: format!("buffer{full}"),
        }
    }

    /// Returns the node that a channel comes from, through operations that are not drawn.
    fn source(&mut self, channel: ValueId) -> Option<usize> {
        let body = self.function.inner();
        let mut at = channel;
        // A cycle of operations that are not drawn has no source, so the search is bounded.
        for _ in 0..body.value_capacity() {
            match body.value_definition(at) {
                ValueDefinition::Argument { .. } => return Some(self.argument(at)),
                ValueDefinition::Result { operation, .. } => {
                    if let Some(node) = self.of_operation.get(&operation) {
                        return Some(*node);
                    }
                    let view = View::new(self.function.context, body, operation);
                    let passes = matches!(
                        view.name(),
                        handshake::Fork::NAME | handshake::LazyFork::NAME | handshake::Branch::NAME
                    );
                    at = view.operands().next().filter(|_| passes)?;
                }
            }
        }
        None
    }

    fn argument(&mut self, value: ValueId) -> usize {
        if let Some(node) = self.of_argument.get(&value) {
            return *node;
        }
        let name = self.function.inner().value_name(value);
        let name = name.map_or_else(
            || "start".to_owned(),
            |name| format!("%{}", self.function.context.text(name)),
        );
        self.of_argument.insert(value, self.graph.nodes.len());
        self.graph.nodes.push(Node {
            told: format!("argument {name}"),
            label: name,
            line: None,
            class: "argument".to_owned(),
        });
        self.graph.nodes.len() - 1
    }
}
