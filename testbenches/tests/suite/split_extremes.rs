//! Minima and maxima that are too slow for the clock are split into a comparison and a select, and the circuit is correct.

use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_ir::View;
use sluice_ir::passes::named;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_verify::check::{difference, interpret, simulate};
use sluice_verify::data::{Random, Ranges, random_case};

const LEAST: &str = "
func.func @least(%A: memref<32xi32>, %B: memref<32xi32>) {
  affine.for %i = 0 to 32 {
    %a = affine.load %A[%i] : memref<32xi32>
    %b = affine.load %B[%i] : memref<32xi32>
    %low = arith.minsi %a, %b : i32
    %top = arith.maxui %low, %b : i32
    affine.store %top, %B[%i] : memref<32xi32>
  }
  return
}
";

fn compiled(period_ns: &str) -> Compiled {
    let text = format!("device: ecp5\nclock_period_ns: {period_ns}\n");
    let config = Config::from_yaml(&text, "kernel.yaml").expect("a configuration");
    match compile(LEAST, "least.mlir", &config) {
        Ok(compiled) => compiled,
        Err(Failure::Input(why) | Failure::Internal(why)) => panic!("{why}"),
    }
}

#[test]
fn slow_extremes_are_compared_and_chosen_in_cycles_of_their_own() {
    for (period_ns, is_split) in [("12", false), ("8", true), ("6", true)] {
        let compiled = compiled(period_ns);
        let (context, inner) = (&compiled.context, compiled.scheduled.inner());
        let extremes = named(context, &compiled.scheduled, "func.func")
            .into_iter()
            .flat_map(|op| {
                let body = View::new(context, inner, op).inner();
                let names = body.walk_all().into_iter();
                names.map(|op| View::new(context, body, op).name())
            })
            .filter(|name| ["arith.minsi", "arith.maxui"].contains(name));
        assert_eq!(extremes.count() == 0, is_split, "{period_ns} ns");
        let mut random = Random::new(7);
        for _ in 0..3 {
            let case = random_case(&compiled.interface, &Ranges::default(), &mut random);
            let expected = interpret(&compiled, &case).expect("it is defined");
            let found = simulate(&compiled, &case).expect("it runs");
            let wrong = difference(&compiled, &expected, &found.results, &found.memories);
            assert_eq!(wrong, None, "{period_ns} ns");
        }
    }
}
