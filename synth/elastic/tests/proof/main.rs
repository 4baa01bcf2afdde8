//! Compares the answers of the deadlock prover for small random graphs with an exploration of all reachable states.

mod graph;
mod oracle;

use graph::{Graph, Random, changed_loop, random_graph};
use sluice_elastic::{Verdict, prove};
use sluice_ir::text::parse_module;
use sluice_ir::{Diagnostics, View};

fn verdict(text: &str) -> Verdict {
    let context = sluice_dialects::context();
    let mut diagnostics = Diagnostics::new();
    let module = parse_module(&context, text, "graph.mlir", &mut diagnostics);
    let module = module.unwrap_or_else(|| panic!("{}\n{text}", diagnostics.to_text(&context)));
    let function = module.lookup_symbol(&context, "g").expect("the function");
    prove(View::new(&context, module.inner(), function))
}

/// Returns how many graphs were proved by structure, proved by states, deadlocks, or unknown.
fn compare(make: &dyn Fn(&mut Random) -> Graph, n_graphs: u64) -> [usize; 4] {
    let mut counts = [0; 4];
    for seed in 1..=n_graphs {
        let graph = make(&mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        let text = graph.text();
        let verdict = verdict(&text);
        let Some(ends) = oracle::always_ends(&graph) else {
            continue;
        };
        match &verdict {
            Verdict::Proved { method } => {
                assert!(
                    ends,
                    "seed {seed}: proved ({method}), but it can stand still:\n{text}"
                );
                counts[usize::from(method.contains("states"))] += 1;
            }
            Verdict::Deadlock {
                waiting_channels, ..
            } => {
                assert!(
                    !ends,
                    "seed {seed}: it always ends, but a deadlock was found: {waiting_channels:#?}\n{text}"
                );
                assert!(
                    !waiting_channels.is_empty(),
                    "seed {seed}: nothing waits:\n{text}"
                );
                counts[2] += 1;
            }
            Verdict::Unknown { .. } => counts[3] += 1,
        }
    }
    counts
}

#[test]
fn random_graphs_are_judged_as_their_states_say() {
    let counts = compare(&random_graph, 400);
    println!("by structure, by states, deadlocks, unknown: {counts:?}");
    assert!(counts[0] + counts[1] >= 60 && counts[2] >= 60, "{counts:?}");
}

#[test]
fn changed_loops_are_judged_as_their_states_say() {
    let counts = compare(&changed_loop, 400);
    println!("by structure, by states, deadlocks, unknown: {counts:?}");
    assert!(counts[0] >= 30 && counts[2] >= 30, "{counts:?}");
}
