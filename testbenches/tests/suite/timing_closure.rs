//! Timing closure: circuits that would miss the clock are rescheduled for shorter paths. They meet the clock, give the same
//! results, and take the predicted cycles.

use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_kernel::compiled::Compiled;
use sluice_verify::check::{difference, interpret, predicted_cycles, simulate};
use sluice_verify::data::{Random, Ranges, random_case};

const LATE: &str = "more than the clock period";
const CLOSED: &str = "chosen: paths are scheduled for";

fn compiled(text: &str, config: &str) -> Compiled {
    let config = Config::from_yaml(config, "kernel.yaml").expect("the configuration is right");
    let compiled = compile(text, "kernel.mlir", &config).expect("it compiles");
    let mut random = Random::new(7);
    for _ in 0..3 {
        let case = random_case(&compiled.interface, &Ranges::new(), &mut random);
        let expected = interpret(&compiled, &case).expect("it has a meaning");
        let found = simulate(&compiled, &case).expect("it ends");
        let difference = difference(&compiled, &expected, &found.results, &found.memories);
        assert_eq!(difference, None);
        assert_eq!(Some(found.cycles), predicted_cycles(&compiled));
    }
    compiled
}

fn example(name: &str) -> String {
    let path = format!(
        "{}/../examples/{name}/kernel.mlir",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(path).expect("the example is there")
}

#[test]
fn the_clock_is_met_for_some_cycles_more() {
    for (text, config) in [
        (example("sobel"), "style: static\n"),
        (
            example("peers/gaussian_20"),
            "style: static\nclock_period_ns: 4\n",
        ),
        (example("polybench/fdtd-2d"), "style: static\n"),
    ] {
        let found = sluice_report::text(&compiled(&text, config));
        assert!(found.contains(CLOSED) && !found.contains(LATE), "{found}");
    }
}

#[test]
fn nothing_is_given_for_a_clock_that_is_met_or_cannot_be() {
    let met = sluice_report::text(&compiled(&example("gemm"), "style: static\n"));
    assert!(!met.contains(CLOSED) && !met.contains(LATE), "{met}");
    // The delay of the multiplier alone exceeds the period.
    let config = "style: static\nclock_period_ns: 3\n";
    let bound = sluice_report::text(&compiled(&example("gemm"), config));
    assert!(!bound.contains(CLOSED) && bound.contains(LATE), "{bound}");
}
