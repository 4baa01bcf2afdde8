//! Sequential redundancy removal: nets that are equal, or inverse, in every reachable cycle after a reset become one net.
//!
//! Source: van Eijk, "Sequential equivalence checking based on structural similarities" (IEEE TCAD 19(7), 2000); Mishchenko et
//! al., "Scalable and scalably-verifiable sequential synthesis" (ICCAD 2008). That it removes the overhead of dataflow circuits:
//! Xu et al., "Eliminating excessive dynamism of dataflow circuits using model checking" (FPGA 2023).
//!
//! The analysis is on single bits. Bits computed from wider values are free variables that change only if these values change;
//! inputs are free variables. Simulation from the reset with random inputs separates nets that differ. The remaining equivalence
//! classes are then proved by induction: they hold in the first state, and in every successor of a state in which all of them
//! hold. Classes that fail are split. Most equalities need further invariants on the states; these are found during the proof and
//! proved with it.

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

/// The evidence that nets are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// A proof, with additional invariants where they are needed.
    Proof,
    /// A proof by induction on the equalities alone, which takes less time.
    Equalities,
    /// No random simulation separates the nets. This is enough for an estimate, in a small part of the time. Never use it for a
    /// circuit that is kept.
    Runs,
}

/// The most register bits of a module for which [`Evidence::Proof`] is tried. In larger modules no proof was ever found, and it
/// takes long to see that.
pub const MAX_PROVED_BITS: usize = 800;

/// The result of merging.
#[derive(Clone, Copy, Debug)]
pub struct Merged {
    /// The register bits that are merged, as a share of those that no random simulation separates; for several modules, the least
    /// share.
    pub share: f64,
    /// Register bits before merging; for several modules, the greatest number.
    pub n_bits: usize,
}

/// Merges equal nets of all modules of a circuit, and removes operations that are then unused.
///
/// `follow` names array attributes that describe a net: they move to the net that replaces it. Results in `proved` are not proved
/// again. After the time limit of the run, nets are left as they are.
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
        // A simulation is as fast as looking up its result.
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

/// Returns the input that resets registers.
fn reset(context: &Context, body: &Body) -> Option<ValueId> {
    let signals = body.walk_all().into_iter().filter_map(|op| {
        let inputs = logic::Inputs::of(View::new(context, body, op))?;
        let (signal, _) = inputs.reset?;
        body.defining_operation(signal).is_none().then_some(signal)
    });
    signals.min()
}

/// Removes the descriptions of nets, and appends these nets to the operands of the output, so that replacements update them.
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

/// Attaches the descriptions to the nets that remain; descriptions of the same net are concatenated.
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
