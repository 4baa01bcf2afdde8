//! Tests the search for the first difference on kernels in which one stage was changed by hand.

use sluice_config::Config;
use sluice_flow::diverge::{Backends, Stages, Verdict, compare, stages};
use sluice_ir::text::parse_module;
use sluice_ir::{Context, Diagnostics, Module};
use sluice_kernel::compiled::text;
use sluice_verify::check::interpret;
use sluice_verify::data::{Case, Random, Ranges, random_case};

const KERNEL: &str = "func.func @f(%A: memref<4x4xi32>, %B: memref<16xi32>) -> i32 {
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %sum = affine.for %i = 0 to 4 iter_args(%s = %zero) -> (i32) {
    %inner = affine.for %j = 0 to 4 iter_args(%t = %s) -> (i32) {
      %a = affine.load %A[%i, %j] : memref<4x4xi32>
      %b = arith.addi %a, %three : i32
      affine.store %b, %B[%i * 4 + %j] : memref<16xi32>
      %u = arith.addi %t, %a : i32
      affine.yield %u : i32
    }
    affine.yield %inner : i32
  }
  return %sum : i32
}
";

fn kernel() -> Stages {
    match stages(KERNEL, "f.mlir", &Config::default()) {
        Ok(stages) => stages,
        Err(why) => panic!("{why:?}"),
    }
}

/// Returns the module with a text replaced; the text must occur.
fn altered(context: &Context, module: &Module, from: &str, to: &str) -> Module {
    let before = text(context, module);
    assert!(before.contains(from), "`{from}` is not in\n{before}");
    let mut found = Diagnostics::new();
    parse_module(
        context,
        &before.replace(from, to),
        "altered.mlir",
        &mut found,
    )
    .unwrap_or_else(|| panic!("{}", found.to_text(context)))
}

fn data(kernel: &Stages) -> Case {
    random_case(
        &kernel.compiled.interface,
        &Ranges::new(),
        &mut Random::new(3),
    )
}

/// Returns the results of the three pairs.
fn verdicts(kernel: &Stages) -> Vec<Verdict> {
    let case = data(kernel);
    let expected = interpret(&kernel.compiled, &case).expect("the kernel is defined for all data");
    let backends = Backends { most_cycles: 1000 };
    compare(kernel, &case, &expected, backends)
        .into_iter()
        .map(|(_, verdict)| verdict)
        .collect()
}

fn parted(verdict: &Verdict) -> &str {
    match verdict {
        Verdict::Part(fact) => fact,
        Verdict::Agree(what) => panic!("they agree: {what}"),
        Verdict::Unknown(why) => panic!("not compared: {why}"),
    }
}

fn agrees(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Agree(_))
}

#[test]
fn witnesses_of_a_sound_kernel_agree() {
    let verdicts = verdicts(&kernel());
    assert!(verdicts.iter().all(agrees), "{verdicts:?}");
}

#[test]
fn the_first_pass_that_changed_the_meaning_is_named() {
    let mut kernel = kernel();
    let at = kernel
        .stages
        .iter()
        .position(|(pass, _)| pass == "licm")
        .expect("the pass runs");
    let (context, rest) = (&kernel.compiled.context, &kernel.stages[at..]);
    let wrong: Vec<(String, Module)> = rest
        .iter()
        .map(|(pass, module)| {
            let module = altered(context, module, "constant 3 :", "constant 2 :");
            (pass.clone(), module)
        })
        .collect();
    kernel.stages.splice(at.., wrong);
    let verdicts = verdicts(&kernel);
    let fact = parted(&verdicts[0]);
    assert!(fact.contains(", `licm`, changed the meaning"), "{fact}");
    assert!(
        fact.contains("it was right after `expand`: B[0] is "),
        "{fact}"
    );
    assert!(agrees(&verdicts[1]) && agrees(&verdicts[2]), "{verdicts:?}");
}

#[test]
fn the_first_write_that_differs_is_named() {
    let mut kernel = kernel();
    let compiled = &mut kernel.compiled;
    compiled.circuit = altered(
        &compiled.context,
        &compiled.circuit,
        "hw.constant 3 : i32",
        "hw.constant 5 : i32",
    );
    let verdicts = verdicts(&kernel);
    let fact = parted(&verdicts[1]);
    assert!(fact.starts_with("in cycle "), "{fact}");
    assert!(fact.contains(", B[0] is written "), "{fact}");
    let place = "to B[0] at f.mlir:8:7, iteration %i = 0, %j = 0";
    assert!(fact.ends_with(place), "{fact}");
    assert!(agrees(&verdicts[0]) && agrees(&verdicts[2]), "{verdicts:?}");
}
