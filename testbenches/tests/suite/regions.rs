//! Kernels in which some loops are static and the others elastic: `regions/*.mlir`, each with its configurations in lines `//
//! config: ...`. Graph and circuit agree in every cycle, also with random stalls, and Verilator agrees with both.

use std::fs;
use std::path::Path;

use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_ir::View;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_testbenches::random_check::{Prepared, run};
use sluice_testbenches::{sweep, verilator};

/// Returns every kernel with every configuration: a title, the kernel and the configuration.
fn subjects() -> Vec<(String, String, Config)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regions");
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let source = fs::read_to_string(&file).expect("a kernel");
        let name = file
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let configs = source
            .lines()
            .filter_map(|line| line.strip_prefix("// config: "));
        let configs: Vec<String> = configs.map(str::to_owned).collect();
        assert!(!configs.is_empty(), "{name} says no configuration");
        for text in configs {
            // All kernels are in one Verilator model, so their names must differ.
            let prefix = format!("k{}_", found.len());
            let own = text.replace("keep: [", &format!("keep: [{prefix}"));
            let config = Config::from_yaml(&own, "header").expect("a configuration");
            let source = source.replace('@', &format!("@{prefix}"));
            found.push((format!("{name}: {text}"), source, config));
        }
    }
    found
}

fn compiled(source: &str, config: &Config) -> Compiled {
    match compile(source, "kernel.mlir", config) {
        Ok(compiled) => compiled,
        Err(Failure::Input(why) | Failure::Internal(why)) => panic!("{why}"),
    }
}

/// Returns the number of calls in the graph of the kernel.
fn n_calls(compiled: &Compiled) -> usize {
    let context = &compiled.context;
    let op = compiled.scheduled.lookup_symbol(context, &compiled.top);
    let graph = View::new(context, compiled.scheduled.inner(), op.expect("the kernel"));
    let ops = graph.inner().walk_all().into_iter();
    ops.filter(|op| View::new(context, graph.inner(), *op).name() == "handshake.instance")
        .count()
}

#[test]
fn loops_of_a_schedule_and_loops_of_tokens_are_one_kernel() {
    let (mut titles, mut ready) = (Vec::new(), Vec::new());
    for (title, source, config) in sweep::every_nth(2, subjects()) {
        let compiled = compiled(&source, &config);
        assert!(n_calls(&compiled) > 0, "{title}: no schedule runs anything");
        let graph = compiled
            .scheduled
            .lookup_symbol(&compiled.context, &compiled.top);
        let graph = View::new(
            &compiled.context,
            compiled.scheduled.inner(),
            graph.expect("it"),
        );
        assert!(
            graph.attribute("sluice.deadlock_free").is_some(),
            "{title}: not proved: {}",
            compiled.warnings
        );
        let ran = |seed| {
            let ran = run(&compiled, seed);
            ran.unwrap_or_else(|found| panic!("{title}: {:?}: {}", found.kind, found.fact))
        };
        let (cases, expected) = ran(1);
        ran(2);
        titles.push(title);
        ready.push(Prepared {
            compiled,
            cases,
            expected,
        });
    }
    if verilator::available_or_excused() {
        let all: Vec<&Prepared> = ready.iter().collect();
        let findings = verilator::check(&all).expect("the kernels share a model");
        for (title, finding) in titles.iter().zip(findings) {
            assert!(finding.is_none(), "{title}: {finding:?}");
        }
    }
}

#[test]
fn a_schedule_runs_regular_loops_where_that_takes_fewer_cells() {
    let all = subjects();
    let (_, source, _) = all
        .iter()
        .find(|(title, ..)| title.starts_with("product_and_steps"))
        .expect("it");
    let config = Config::from_yaml("style: auto", "header").expect("a configuration");
    let compiled = compiled(source, &config);
    assert_eq!(n_calls(&compiled), 1);
    let text = sluice_report::text(&compiled);
    assert!(
        text.contains("chosen: regions: a schedule runs regular loops"),
        "{text}"
    );
    // The report contains the schedule of the loop.
    assert!(text.contains("_mixed_i\n"), "{text}");
    assert!(text.contains("II 1 (lower bound 1)"), "{text}");
}
