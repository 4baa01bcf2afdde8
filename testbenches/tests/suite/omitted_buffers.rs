//! Buffers for throughput that the placement omits, because the waiting tokens have room elsewhere: no graph is slower without
//! these buffers.

use std::path::Path;

use sluice_elastic::{Backs, Placing, Room, Target, place_buffers, place_buffers_for_rooms};
use sluice_ir::limits::Limit;
use sluice_ir::text::{PrintOptions, print_module};
use sluice_ir::{Module, OperationId, View};
use sluice_kernel::compiled::Compiled;
use sluice_sim::testbench::banked;
use sluice_sim::tokens::TokenSimulator;
use sluice_verify::data::Case;

use crate::elastic_graphs::{elastic, shipped};

/// Cycles after which a run fails.
const MAX_CYCLES: u64 = Limit::SimulatedCycles.row().default;

/// Graphs with one loop and with nested loops, without choices that depend on data from memories.
const GRAPHS: &[&str] = &[
    "chain",
    "conv3x3",
    "crc32",
    "dot",
    "fir",
    "gcd",
    "gemm",
    "irregular/collatz",
    "irregular/linked_list",
    "matvec_i27",
    "matvec_i96",
    "peers/fir_8_taps",
    "peers/stencil_2d",
    "vector_add",
];

const BACKS: [Backs; 3] = [Backs::Registers, Backs::Slots, Backs::EarlySlots];

/// Removes the placed buffers from a graph.
fn unplaced(compiled: &Compiled) -> Module {
    let context = &compiled.context;
    let mut module = compiled.scheduled.clone();
    let function = module.lookup_symbol(context, &compiled.top).expect("a top");
    let body = module.inner_mut().inner_mut(function);
    let is_placed = |op: &OperationId| {
        let reason = View::new(context, body, *op).attribute("sluice.reason");
        let reason = reason.and_then(|reason| reason.as_str(context));
        reason.is_some_and(|reason| {
            matches!(reason, "ring" | "throughput") || reason.starts_with("clock")
        })
    };
    let buffers: Vec<OperationId> = body.walk_all().into_iter().filter(is_placed).collect();
    for buffer in buffers {
        let (channel, before) = (body.result(buffer, 0), body.operand(buffer, 0));
        body.replace_all_uses(channel, before);
        body.erase(buffer);
    }
    module
}

/// Returns the number of buffers of a graph, and its cycles.
fn placed(compiled: &Compiled, graph: &Module, case: &Case, placing: Placing) -> (usize, u64) {
    let context = &compiled.context;
    let target = Target {
        device: &compiled.device,
        clock_period_ns: compiled.clock_period_ns,
        placing,
    };
    let mut module = graph.clone();
    place_buffers(context, &mut module, &target);
    let function = module.lookup_symbol(context, &compiled.top).expect("a top");
    let body = module.inner().inner(function);
    let all = body.walk_all().into_iter();
    let n_buffers = all.filter(|op| context.operation_text(body.name(*op)) == "handshake.buffer");
    let simulator = TokenSimulator::new(context, &module, &compiled.top);
    let mut simulator = simulator.unwrap_or_else(|found| panic!("{}", found.to_text(context)));
    let ran = simulator.run(&banked(&compiled.interface, &case.arguments), MAX_CYCLES);
    let ran = ran.unwrap_or_else(|why| panic!("{why}"));
    (n_buffers.count(), ran.outcome.cycles)
}

#[test]
fn graphs_without_buffers_that_are_not_needed_are_as_fast() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let examples = root.expect("the workspace").join("examples");
    let (mut n_kept, mut n_all) = (0, 0);
    let mut wrong = Vec::new();
    for name in GRAPHS {
        let folder = examples.join(name);
        let compiled = elastic(&folder).unwrap_or_else(|why| panic!("{name}: {why}"));
        let data = shipped(&folder, compiled).unwrap_or_else(|why| panic!("{name}: {why}"));
        let graph = unplaced(compiled);
        let case = data.cases.first().expect("data beside the kernel");
        for backs in BACKS {
            let placing = |room| Placing {
                backs,
                room,
                ..Placing::default()
            };
            let (all, most) = placed(compiled, &graph, case, placing(Room::Kept));
            let (kept, cycles) = placed(compiled, &graph, case, placing(Room::Least));
            println!("{name}, {backs:?}: {kept} of {all} buffers, {cycles} cycles for {most}");
            if cycles > most {
                wrong.push(format!("{name}, {backs:?}: {cycles} cycles for {most}"));
            }
            n_kept += kept;
            n_all += all;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_kept < n_all, "{n_kept} of {n_all} buffers are kept");
}

#[test]
fn rooms_together_are_those_one_by_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let examples = root.expect("the workspace").join("examples");
    let rooms = [Room::Kept, Room::Least, Room::Registers];
    let mut n_different = 0;
    for name in ["conv3x3", "irregular/bfs", "irregular/gcd_many"] {
        let compiled = elastic(&examples.join(name)).unwrap_or_else(|why| panic!("{name}: {why}"));
        let context = &compiled.context;
        let graph = unplaced(compiled);
        let text = |module: &Module| print_module(context, module, &PrintOptions::default());
        for backs in BACKS {
            let target = |room| Target {
                device: &compiled.device,
                clock_period_ns: compiled.clock_period_ns,
                placing: Placing {
                    backs,
                    room,
                    ..Placing::default()
                },
            };
            let kept = target(Room::Kept);
            let all = place_buffers_for_rooms(context, graph.clone(), &kept, &rooms);
            for (room, together) in rooms.into_iter().zip(&all) {
                let mut alone = graph.clone();
                place_buffers(context, &mut alone, &target(room));
                assert!(
                    text(&alone) == text(together),
                    "{name}, {backs:?}, {room:?}"
                );
            }
            n_different += usize::from(text(&all[0]) != text(&all[1]));
        }
    }
    assert!(n_different > 0, "no room is different");
}
