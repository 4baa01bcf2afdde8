//! `lower-to-handshake`: structured control flow to a dataflow graph with fast token delivery.
//!
//! Tokens go directly from producer to consumer, after Elakhras et al., "Unleashing Parallelism in Elastic Circuits with Faster
//! Token Delivery" (FPL 2022), over gated single assignment form. Blocks are in *domains*: all values of a domain have one token
//! per execution of the domain. A value enters an inner domain through a gate. The gate of a branch is a `cond_br`, which
//! discards the tokens of the other side. The gate of a loop is a `mux` and a `cond_br`, which repeat a token for every
//! iteration. A value leaves a conditional by a `mux`, and a loop by a `cond_br`.
//!
//! The graph is deterministic: no operation's result depends on the arrival time of tokens, so buffers may be added to any
//! channel without changing a value. Tokens also order the accesses to memory, see [`order`].

mod blocks;
mod calls;
mod channels;
mod conditionals;
mod domains;
mod function;
mod loops;
mod memories;
mod order;
mod starts;

use std::collections::BTreeMap;

use sluice_dialects::arith;
use sluice_ir::{Body, Context, Module, ValueId, View};
use sluice_netlist::error::{Built, CircuitError};

use crate::graph::Graph;
use domains::{Domain, DomainId};
use memories::Memory;
use order::Touched;

pub use function::lower_to_handshake;
pub(crate) use order::dependences;

type Lowered<T> = Built<T>;

/// Builds the error that an operation has no elastic circuit.
fn refused(view: View<'_>, message: impl Into<String>) -> CircuitError {
    CircuitError {
        location: view.location(),
        message: message.into(),
    }
}

/// The state of lowering one function.
struct Lowering<'a, 'g> {
    context: &'a Context,
    /// The module, for constant tables.
    module: &'a Module,
    source: &'a Body,
    graph: Graph<'g>,
    domains: Vec<Domain>,
    /// Memories by their value in the source, in text order.
    memories: BTreeMap<ValueId, Memory>,
    /// The memories that each operation touches, including compound operations.
    touched: BTreeMap<sluice_ir::OperationId, Touched>,
}

impl<'a> Lowering<'a, '_> {
    fn view(&self, op: sluice_ir::OperationId) -> View<'a> {
        View::new(self.context, self.source, op)
    }

    /// Returns the channel of a source value in a domain.
    fn value(&mut self, domain: DomainId, value: ValueId) -> ValueId {
        if let Some(known) = self.domains[domain.0].values.get(&value) {
            return *known;
        }
        let found = match self.constant_of(value) {
            Some(number) => {
                let always = self.graph.source();
                self.graph.constant(number, always)
            }
            None => {
                let parent = self.domains[domain.0].parent;
                let parent = parent.expect("a value is defined in a domain around its uses");
                let outer = self.value(parent, value);
                self.enter(domain, outer)
            }
        };
        self.domains[domain.0].values.insert(value, found);
        found
    }

    fn values(&mut self, domain: DomainId, values: &[ValueId]) -> Vec<ValueId> {
        values.iter().map(|v| self.value(domain, *v)).collect()
    }

    fn define(&mut self, domain: DomainId, value: ValueId, channel: ValueId) {
        if let Some(name) = self.source.value_name(value)
            && self.graph.body.value_name(channel).is_none()
        {
            self.graph.body.set_value_name(channel, Some(name));
        }
        self.domains[domain.0].values.insert(value, channel);
    }

    fn constant_of(&self, value: ValueId) -> Option<sluice_ir::bits::Bits> {
        let op = self.source.defining_operation(value)?;
        let view = self.view(op);
        if view.name() != arith::Constant::NAME {
            return None;
        }
        view.attribute("value")?.integer(self.context).cloned()
    }
}
