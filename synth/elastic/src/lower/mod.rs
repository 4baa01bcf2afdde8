//! `lower-to-handshake`: structured control flow to a dataflow graph with fast token delivery.
//!
//! Tokens go straight from producer to consumer, after Elakhras et al., "Unleashing Parallelism in Elastic Circuits with Faster
//! Token Delivery" (FPL 2022), over the gated form of single assignment. Blocks are in *domains*: all values of a domain have
//! as many tokens as it is run. A value goes from a domain into one inside of it by a gate: into a branch by `cond_br`, which
//! takes away the tokens of the other side, into a loop by a `mux` and a `cond_br`, which repeat a token for every iteration.
//! Out of a domain it goes as a result, by `mux` from a conditional and by `cond_br` from a loop.
//!
//! Everything is deterministic: there is no operation whose result depends on when tokens come, so that buffers may be put
//! on any channel without changing a value. What orders accesses to memory are tokens too, see [`order`].

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

/// Why something has no elastic circuit.
fn refused(view: View<'_>, message: impl Into<String>) -> CircuitError {
    CircuitError {
        location: view.location(),
        message: message.into(),
    }
}

/// The lowering of one function.
struct Lowering<'a, 'g> {
    context: &'a Context,
    /// The module, for tables.
    module: &'a Module,
    source: &'a Body,
    graph: Graph<'g>,
    domains: Vec<Domain>,
    /// Memories by the value that they are in the source; in the order of the text.
    memories: BTreeMap<ValueId, Memory>,
    /// What compound operations touch.
    touched: BTreeMap<sluice_ir::OperationId, Touched>,
}

impl<'a> Lowering<'a, '_> {
    fn view(&self, op: sluice_ir::OperationId) -> View<'a> {
        View::new(self.context, self.source, op)
    }

    /// The channel of a value of the source in a domain.
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
