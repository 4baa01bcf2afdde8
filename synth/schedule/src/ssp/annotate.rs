//! Writes start times and II of a solution into its `ssp` instance.

use sluice_ir::types::FloatKind;
use sluice_ir::{Attribute, AttributeKind, Context, Module, OperationId as IrOperation};

use super::SspInstance;
use crate::problem::{DependenceKind, OperationId, Problem, Schedule};

/// Replaces II and start times by those of `schedule`; also the start times within cycles, if there are delays.
pub fn annotate(
    context: &Context,
    module: &mut Module,
    instance: &SspInstance,
    schedule: &Schedule,
) {
    let Some((operation, around)) = instance.path.split_last() else {
        return;
    };
    let mut body = module.inner_mut();
    for module in around {
        body = body.inner_mut(*module);
    }
    let name = context.name("sspProperties");
    let changed = |old: Option<Attribute>, new: Vec<Attribute>| {
        let stale = ["ssp.II", "ssp.t", "ssp.z"];
        let kept = old.and_then(|old| old.as_array(context));
        let kept = kept.into_iter().flatten().filter(|property| {
            !matches!(property.kind(context), AttributeKind::Dialect { name, .. }
                if stale.contains(&context.text(*name)))
        });
        context.array_attribute(&kept.copied().chain(new).collect::<Vec<_>>())
    };
    let number = |name: &str, value: u32| {
        context.attribute(AttributeKind::Dialect {
            name: context.name(name),
            parameters: [context.i64_attribute(i64::from(value))].into(),
        })
    };
    if let Some(ii) = schedule.ii {
        let old = body.attribute(*operation, name);
        body.set_attribute(*operation, name, changed(old, vec![number("ssp.II", ii)]));
    }
    let arrivals = arrivals_ns(&instance.problem, schedule);
    let has_delays = instance
        .problem
        .operations
        .iter()
        .any(|operation| operation.input_delay_ns + operation.output_delay_ns > 0.0);
    let inner = body.inner_mut(*operation);
    let graph: &[IrOperation] = &instance.graph;
    for (index, operation) in graph.iter().enumerate() {
        let id = OperationId::from_index(index);
        let mut new = vec![number("ssp.t", schedule.start_of(id))];
        if has_delays {
            new.push(context.attribute(AttributeKind::Dialect {
                name: context.name("ssp.z"),
                parameters: [float(context, arrivals[index])].into(),
            }));
        }
        let old = inner.attribute(*operation, name);
        inner.set_attribute(*operation, name, changed(old, new));
    }
}

fn float(context: &Context, value: f64) -> Attribute {
    // The dialect stores single precision.
    let bits = (value as f32).to_bits();
    context.attribute(AttributeKind::Float {
        ty: context.float_type(FloatKind::F32),
        bits: sluice_ir::bits::Bits::from_u64(32, u64::from(bits)),
    })
}

/// Computes the time within its start cycle at which the operands of each operation arrive.
fn arrivals_ns(problem: &Problem, schedule: &Schedule) -> Vec<f64> {
    let count = problem.operations.len();
    let mut arrival_ns = vec![0.0f64; count];
    // Values propagate within a cycle over at most as many operations as there are.
    for _ in 0..count {
        let mut changed = false;
        for dependence in &problem.dependences {
            if dependence.kind != (DependenceKind::Data { chained: true }) {
                continue;
            }
            let (from, to) = (dependence.from.index(), dependence.to.index());
            let producer = &problem.operations[from];
            let crosses = dependence.distance > 0;
            if crosses && producer.latency_cycles == 0 && !dependence.forwarded {
                // A register holds the value between the iterations.
                continue;
            }
            let period = u64::from(schedule.ii.unwrap_or(0));
            let taken = u64::from(schedule.start[to]) + period * u64::from(dependence.distance);
            let given = u64::from(schedule.start[from]) + u64::from(producer.latency_cycles);
            if given != taken {
                continue;
            }
            let leaves_ns = match producer.latency_cycles {
                0 => arrival_ns[from] + producer.input_delay_ns,
                _ => producer.output_delay_ns,
            };
            if leaves_ns > arrival_ns[to] {
                arrival_ns[to] = leaves_ns;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    arrival_ns
}
