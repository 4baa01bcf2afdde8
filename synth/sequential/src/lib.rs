//! What the states of a circuit allow: nets that are equal, or inverse, in every cycle after a reset become one net.
//!
//! Source: van Eijk, "Sequential equivalence checking based on structural similarities" (IEEE TCAD 19(7), 2000); Mishchenko et al.,
//! "Scalable and scalably-verifiable sequential synthesis" (ICCAD 2008). That it takes the excess out of dataflow circuits: Xu et al.,
//! "Eliminating excessive dynamism of dataflow circuits using model checking" (FPGA 2023).
//!
//! Bits are looked at alone: whatever is computed of wider values may be anything as long as they change, and so may the inputs. Runs from the
//! reset on with random bits part what is different; what is left holds in the first state, and in every state behind one in which all
//! of it holds, or is parted as well. Most of it only follows from what else no state is: that is found on the way, and proved with it.

mod classes;
mod fold;
mod frames;
mod induction;
mod logic;
mod predicates;
mod proved;
mod reached;
mod replace;
mod simulation;
mod stable;

pub use proved::Proved;
use sluice_dialects::hw;
use sluice_ir::{Attribute, Body, Context, Module, Name, OperationId, ValueId, View};

/// Why nets are taken for equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// They are proved to be, by all means.
    Proof,
    /// They are proved to be by equalities alone, in less time.
    Equalities,
    /// No random run parts them: enough for an estimate, in a small part of the time. Never for a circuit that is kept.
    Runs,
}

/// Bits of registers of a module for which [`Evidence::Proof`] is looked for: in greater ones it was never found, and it takes long to see that.
pub const MOST_PROVED_BITS: usize = 800;

/// What was merged.
#[derive(Clone, Copy, Debug)]
pub struct Merged {
    /// The share of bits of registers that are merged of those that no random run parts; of several modules, the least.
    pub share: f64,
    /// Bits of registers before; of several modules, those of the greatest.
    pub n_bits: usize,
}

/// Merges equal nets of all modules of a circuit, and removes what nothing reads then.
///
/// `follow` names attributes with arrays that say something of a net: they go where the net goes. What is `proved` is not proved again.
/// Once the time of the run is up, nets are left as they are.
pub fn merge_equal_nets(
    context: &Context,
    circuit: &mut Module,
    follow: &[&str],
    evidence: Evidence,
    proved: &Proved,
) -> Merged {
    let mut all = Merged {
        share: 1.0,
        n_bits: 0,
    };
    for op in circuit.top_level_operations() {
        let view = View::new(context, circuit.inner(), op);
        if view.name() == hw::Module::NAME && !view.regions().is_empty() {
            let body = circuit.inner_mut().inner_mut(op);
            if let Some(merged) = merge(context, body, follow, evidence, proved) {
                all.share = all.share.min(merged.share);
                all.n_bits = all.n_bits.max(merged.n_bits);
            }
        }
    }
    all
}

fn merge(
    context: &Context,
    body: &mut Body,
    follow: &[&str],
    evidence: Evidence,
    proved: &Proved,
) -> Option<Merged> {
    let end = body.walk_all().last().copied()?;
    let n_outputs = body.n_operands(end);
    let said = take(context, body, end, follow);
    fold::fold(context, body);
    let logic = logic::Logic::of(context, body, reset(context, body));
    let watch = &context.limits.watch;
    let find = || induction::classes(&logic, evidence, watch);
    let (classes, share) = match evidence {
        // As fast as looking whether it is known.
        Evidence::Runs => find(),
        Evidence::Proof | Evidence::Equalities => proved.classes(&logic, evidence, watch, find),
    };
    replace::replace(context, body, &logic, &classes);
    fold::fold(context, body);
    let all: Vec<ValueId> = body.operands(end).collect();
    let (outputs, nets) = all.split_at(n_outputs);
    body.set_operands(end, outputs);
    replace::sweep(context, body);
    give(context, body, nets, said);
    Some(Merged {
        share,
        n_bits: logic.registers.len(),
    })
}

/// The input that resets registers.
fn reset(context: &Context, body: &Body) -> Option<ValueId> {
    let signals = body.walk_all().into_iter().filter_map(|op| {
        let inputs = logic::Inputs::of(View::new(context, body, op))?;
        let (signal, _) = inputs.reset?;
        body.defining_operation(signal).is_none().then_some(signal)
    });
    signals.min()
}

/// What is said of nets becomes operands behind the outputs.
fn take(
    context: &Context,
    body: &mut Body,
    end: OperationId,
    follow: &[&str],
) -> Vec<(Name, Attribute)> {
    let mut operands: Vec<ValueId> = body.operands(end).collect();
    let mut said = Vec::new();
    for op in body.walk_all() {
        for name in follow {
            let name = context.name(name);
            let [net] = body.results(op) else {
                continue;
            };
            let net = *net;
            if let Some(attribute) = body.remove_attribute(op, name) {
                operands.push(net);
                said.push((name, attribute));
            }
        }
    }
    body.set_operands(end, &operands);
    said
}

/// Says it again of the nets that are left, together with what is said of the same net.
fn give(context: &Context, body: &mut Body, nets: &[ValueId], said: Vec<(Name, Attribute)>) {
    let left: std::collections::BTreeSet<OperationId> = body.walk_all().into_iter().collect();
    for (net, (name, attribute)) in nets.iter().zip(said) {
        let Some(op) = body.defining_operation(*net).filter(|op| left.contains(op)) else {
            continue;
        };
        let mut all: Vec<Attribute> = Vec::new();
        for known in [body.attribute(op, name), Some(attribute)]
            .into_iter()
            .flatten()
        {
            all.extend(known.as_array(context).unwrap_or_default());
        }
        body.set_attribute(op, name, context.array_attribute(&all));
    }
}
