//! Compares, for small random loops, the intervals of the linear program, of the earliest times and of the rules with an
//! enumeration of all register placements.

use std::collections::BTreeSet;

use sluice_ir::passes::named;
use sluice_ir::text::parse_module;
use sluice_ir::{Context, Diagnostics, Module};
use sluice_oplib::device::Device;
use sluice_schedule::linear_program::{self, Budget, Column, Row};

use super::super::cycles::{self, at_once};
use super::super::delays::Delays;
use super::super::network::Network;
use super::super::pace::{Pace, Passages};
use super::super::{Placing, Target, Wanted, insert, place_buffers, timing};
use super::{Answer, LinearProgram, place_buffers_exactly};
use crate::channels::{Channels, Use};
use crate::graph::BufferKind;
use crate::units::choose_units;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        usize::try_from(self.0 >> 33).unwrap_or(0) % n
    }
}

/// Generates a loop that computes a value from the previous one by a few operations, and continues while the value is below a
/// limit.
fn graph(random: &mut Random) -> String {
    let width = [8, 16, 32][random.below(3)];
    let operations = ["arith.addi", "arith.subi", "arith.muli", "arith.xori"];
    let n_operations = 1 + random.below(2);
    let mut body = String::new();
    let mut value = "%f#0".to_owned();
    for i in 0..n_operations {
        let operation = operations[random.below(operations.len())];
        body += &format!(
            "    %s{i} = source\n    %k{i} = constant %s{i} {{value = 3 : i{width}}} : i{width}\n    %v{i} = {operation} {value}, %k{i} : i{width}\n"
        );
        value = format!("%v{i}");
    }
    format!(
        "module {{
  handshake.func @g(%start: none, ...) -> i{width} attributes {{argNames = [\"start\"], resNames = [\"out\"]}} {{
    %zero = constant %start {{value = 0 : i{width}}} : i{width}
    %x = mux %c [%zero, %back] : i1, i{width}
    %f:2 = fork [2] %x : i{width}
{body}    %s = source
    %most = constant %s {{value = 100 : i{width}}} : i{width}
    %less = arith.cmpi slt, %f#1, %most : i{width}
    %d:2 = fork [2] %less : i1
    %c = buffer [1] seq %d#0 {{initValues = [0], sluice.cut = \"data\"}} : i1
    %back, %out = cond_br %d#1, {value} : i{width}
    return %out : i{width}
  }}
}}
"
    )
}

fn solve(problem: &LinearProgram) -> Answer {
    let columns = problem.columns.iter().map(|column| Column {
        lower: column.lower,
        upper: column.upper,
        is_integer: column.is_integer,
        cost: column.cost,
    });
    let rows = problem.rows.iter().map(|row| Row {
        terms: row.terms.clone(),
        at_least: row.at_least,
    });
    let budget = Budget {
        nodes: 100_000,
        time_limit_s: None,
    };
    let (columns, rows): (Vec<Column>, Vec<Row>) = (columns.collect(), rows.collect());
    match linear_program::minimise(&columns, &rows, budget) {
        linear_program::Answer::Found { values, bound } => Answer::Found { values, bound },
        linear_program::Answer::Infeasible => Answer::Infeasible,
        linear_program::Answer::Unknown(why) => Answer::Unknown(why),
    }
}

/// Returns the interval of the only loop, if no cycle is without a register and nothing arrives late.
fn interval(context: &Context, module: &Module, target: &Target<'_>) -> Option<u32> {
    let function = named(context, module, "handshake.func")[0];
    let channels = Channels::new(context, module.inner().inner(function));
    let delays = Delays {
        device: target.device,
        clock_period_ns: target.clock_period_ns,
    };
    let mut done = BTreeSet::new();
    for channel in channels.in_order(&|channel| at_once(channels, channel)) {
        if !at_once(channels, channel)
            .iter()
            .all(|before| done.contains(before) || channels.maker(*before).is_none())
        {
            return None;
        }
        done.insert(channel);
    }
    if !timing::arrivals(channels, &delays, target.path_ns())
        .1
        .is_empty()
    {
        return None;
    }
    let passages = Passages::of(channels);
    Some(Pace::of(&passages, &passages.loops[0]).interval_cycles)
}

/// Returns the least interval over all sets of channels with registers; `None` if registers everywhere do not meet the clock
/// period.
fn by_trying_all(context: &Context, graph: &Module, target: &Target<'_>) -> Option<u32> {
    let mut graph = graph.clone();
    let function = named(context, &graph, "handshake.func")[0];
    let body = graph.inner_mut().inner_mut(function);
    choose_units(context, body, target.device, target.clock_period_ns);
    cycles::start_with_both(context, body);
    let places: Vec<Use> = {
        let network = Network::of(Channels::new(context, body));
        let wires = network.wires.iter();
        let wires = wires.filter(|wire| wire.is_free && wire.inside.is_some());
        wires.map(|wire| wire.user).collect()
    };
    let wanted = Wanted {
        kind: BufferKind::Chain,
        slots: 1,
        cut: None,
        reason: "ring",
    };
    let sets = 0..1_u32 << places.len();
    let times = {
        let network = Network::of(Channels::new(context, body));
        super::least(&network, target)
    };
    let tried = sets.filter_map(|set| {
        let mut module = graph.clone();
        let body = module.inner_mut().inner_mut(function);
        for (i, at) in places.iter().enumerate() {
            if set >> i & 1 == 1 {
                insert(context, body, *at, &wanted);
            }
        }
        interval(context, &module, target)
    });
    let least = tried.min()?;
    assert_eq!(times, [least], "the intervals of the earliest times");
    Some(least)
}

#[test]
fn intervals_of_random_loops_are_the_smallest_of_all_placings() {
    let device = Device::built_in("generic").expect("it is built in");
    let mut random = Random(7);
    let mut seen = BTreeSet::new();
    let mut n_compared = 0;
    for case in 0..60 {
        let text = graph(&mut random);
        let target = Target {
            device: &device,
            clock_period_ns: [2.5, 3.0, 4.0, 6.0][case % 4],
            placing: Placing {
                ready_share: 1000.0,
                ..Placing::default()
            },
        };
        let context = sluice_dialects::context();
        let mut diagnostics = Diagnostics::new();
        let module = parse_module(&context, &text, "graph.mlir", &mut diagnostics);
        let graph = module.unwrap_or_else(|| panic!("{}\n{text}", diagnostics.to_text(&context)));
        // An operation that is too slow by itself is late for any registers.
        let Some(least) = by_trying_all(&context, &graph, &target) else {
            continue;
        };
        let mut module = graph.clone();
        let runs = super::LoopRuns::new();
        let said = place_buffers_exactly(&context, &mut module, &target, &runs, &solve);
        assert!(
            said[0].sentence.starts_with("buffers: by a linear program"),
            "{}",
            said[0].sentence
        );
        // So is one that would need a register directly before it.
        if !said[0].too_slow.is_empty() {
            continue;
        }
        let found = interval(&context, &module, &target);
        assert_eq!(
            found,
            Some(least),
            "case {case}: {}\n{text}",
            said[0].sentence
        );
        let mut ruled = graph.clone();
        place_buffers(&context, &mut ruled, &target);
        let ruled = interval(&context, &ruled, &target);
        assert_eq!(ruled, Some(least), "case {case}, by rules:\n{text}");
        seen.insert(least);
        n_compared += 1;
    }
    assert!(n_compared > 30, "only {n_compared} cases keep the clock");
    assert!(seen.len() > 1, "all have the same interval: {seen:?}");
}
