//! Kernels with streams, and loops that pass words through FIFOs: interpreter, graphs and circuits agree under all stalls. One
//! slot less costs cycles or causes a deadlock.

use std::fs;
use std::path::{Path, PathBuf};

use sluice_config::{Config, render};
use sluice_flow::pipeline::compile;
use sluice_ir::bits::Bits;
use sluice_ir::{Module, OperationId, View};
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_sim::testbench::Unwatched;
use sluice_sim::tokens::{TokenError, TokenSimulator};
use sluice_testbenches::random_check::Prepared;
use sluice_testbenches::token_check::{Tokens, compare};
use sluice_testbenches::verilator;
use sluice_verify::check::{Manner, difference, interpret, simulate_all};
use sluice_verify::data::{Case, Random, Ranges, random_case};

use crate::elastic_graphs::shipped;

const NAMES: [&str; 3] = ["block_mean", "pipeline", "smooth"];

fn folder(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = root.parent().expect("the workspace");
    root.join("examples/streams").join(name)
}

fn compile_with(name: &str, more: &str) -> Result<Compiled, String> {
    let read = |file: &str| fs::read_to_string(folder(name).join(file)).expect("a file");
    let config = Config::from_yaml(&(read("kernel.yaml") + more), "kernel.yaml");
    let config = config.map_err(|errors| render(&errors))?;
    let compiled = compile(&read("kernel.mlir"), "kernel.mlir", &config);
    compiled.map_err(|why| match why {
        Failure::Input(text) | Failure::Internal(text) => text,
    })
}

fn cases(name: &str, compiled: &Compiled) -> Vec<Case> {
    let mut cases = shipped(&folder(name), compiled).expect("data").cases;
    let mut random = Random::new(5);
    cases.push(random_case(
        &compiled.interface,
        &Ranges::new(),
        &mut random,
    ));
    cases
}

#[test]
fn graphs_and_circuits_give_what_the_interpreter_gives() {
    for name in NAMES {
        let compiled = compile_with(name, "").expect("it compiles");
        assert_eq!(compiled.warnings, "", "{name}");
        let cases = cases(name, &compiled);
        for case in &cases {
            let expected = interpret(&compiled, case).expect("it has a meaning");
            let compared = compare(&compiled, case, 1000);
            let compared = compared.unwrap_or_else(|why| panic!("{name}: {why}"));
            let found = &compared.outcome;
            let wrong = difference(&compiled, &expected, &found.results, &found.memories);
            assert_eq!(wrong, None, "{name}");
            let mut tokens = Tokens::new(&compiled, case).expect("it can be run");
            tokens.without_time(None, found).expect("any order");
            tokens.without_time(Some(1), found).expect("any order");
            for seed in 0..4 {
                tokens.stalled(seed, found).expect("ports may wait");
            }
        }
        // Consecutive runs, with streams that stall at random.
        for seed in 0..4 {
            let manner = Manner {
                stream_seed: Some(seed),
                idle: Some(sluice_verify::data::Idle {
                    most_cycles: 3,
                    seed,
                }),
                ..Manner::default()
            };
            let found = simulate_all(&compiled, &cases, &manner, &mut Unwatched);
            for (case, found) in cases.iter().zip(found.expect("it ends")) {
                let expected = interpret(&compiled, case).expect("it has a meaning");
                let wrong = difference(&compiled, &expected, &found.results, &found.memories);
                assert_eq!(wrong, None, "{name} with seed {seed}");
            }
        }
    }
}

/// Returns the FIFOs of a graph, with their names and numbers of slots.
fn queues(compiled: &Compiled) -> Vec<(OperationId, String, u64)> {
    let context = &compiled.context;
    let function = compiled.scheduled.lookup_symbol(context, &compiled.top);
    let body = compiled.scheduled.inner().inner(function.expect("a graph"));
    let of = |op| {
        let view = View::new(context, body, op);
        let name = view
            .attribute("sluice.channel")?
            .as_str(context)?
            .to_owned();
        let slots = view.attribute("slots")?.as_i64(context)?;
        Some((op, name, u64::try_from(slots).ok()?))
    };
    body.walk_all().into_iter().filter_map(of).collect()
}

fn with_slots(compiled: &Compiled, queue: OperationId, slots: u64) -> Module {
    let context = &compiled.context;
    let mut module = compiled.scheduled.clone();
    let function = module
        .lookup_symbol(context, &compiled.top)
        .expect("a graph");
    let slots = Bits::from_u64(32, slots);
    let slots = context.integer_attribute(context.integer_type(32), slots);
    let body = module.inner_mut().inner_mut(function);
    body.set_attribute(queue, context.name("slots"), slots);
    module
}

fn cycles(compiled: &Compiled, module: &Module, case: &Case) -> Result<u64, TokenError> {
    let simulator = TokenSimulator::new(&compiled.context, module, &compiled.top);
    let mut simulator = simulator.expect("it can be run");
    let ran = simulator.run(&case.arguments, 100_000)?;
    Ok(ran.outcome.cycles)
}

#[test]
fn one_slot_less_costs_cycles_or_comes_to_a_deadlock() {
    let mut n_less = 0;
    for name in ["block_mean", "pipeline"] {
        let compiled = compile_with(name, "").expect("it compiles");
        let case = &cases(name, &compiled)[0];
        let best = cycles(&compiled, &compiled.scheduled, case).expect("it ends");
        let all = queues(&compiled);
        assert!(all.len() >= 2, "{name} has queues");
        for (queue, of, slots) in all {
            let more = with_slots(&compiled, queue, 1024);
            assert_eq!(cycles(&compiled, &more, case), Ok(best), "{name}: {of}");
            if slots == 1 {
                continue;
            }
            n_less += 1;
            let less = with_slots(&compiled, queue, slots - 1);
            match cycles(&compiled, &less, case) {
                Ok(found) => assert!(found > best, "{name}: {of} has a slot too many"),
                Err(TokenError::Deadlock(_)) => {}
                Err(why) => panic!("{name}: {of}: {why}"),
            }
        }
    }
    assert!(n_less > 0, "some queue has more than a slot");
}

#[test]
fn a_depth_that_deadlocks_is_an_error_that_names_what_waits_and_the_least() {
    let why = compile_with("block_mean", "depths: {direct: 1}\n").err();
    let why = why.expect("a deadlock");
    assert!(
        why.contains("error: deadlock: with 1 slot of `direct`"),
        "{why}"
    );
    let least = why.split("`depths: {direct: ").nth(1).expect("the least");
    let least: u32 = least
        .split('}')
        .next()
        .unwrap_or_default()
        .parse()
        .expect("a number");
    // It is the least depth: with it the kernel compiles, with one slot less it does not.
    let with_depth =
        |depth: u32| compile_with("block_mean", &format!("depths: {{direct: {depth}}}\n"));
    assert!(with_depth(least).is_ok());
    assert!(
        with_depth(least - 1)
            .err()
            .is_some_and(|why| why.contains("deadlock"))
    );
}

#[test]
fn verilog_gives_the_same_in_the_same_cycles() {
    if !verilator::available_or_excused() {
        println!("SKIPPED: Verilator is missing");
        return;
    }
    let prepared = NAMES.map(|name| {
        let compiled = compile_with(name, "").expect("it compiles");
        let cases = cases(name, &compiled);
        let expected = cases.iter().map(|case| interpret(&compiled, case));
        let expected = expected.collect::<Result<_, _>>();
        Prepared {
            expected: expected.expect("it has a meaning"),
            cases,
            compiled,
        }
    });
    let findings = verilator::check(&prepared.each_ref()).expect("the model runs");
    for (name, finding) in NAMES.iter().zip(findings) {
        assert!(finding.is_none(), "{name}: {finding:?}");
    }
}

/// A kernel with frames: the words of a block wait for the last word of another loop, and a condition depends on data.
const CHOSEN: &str = "func.func @chosen(%x: memref<4x6xi32>, %y: memref<24xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %mask = arith.constant 15 : i32
  %kept = memref.alloc() : memref<6xi32>
  %lengths = memref.alloc() : memref<6xi32>
  affine.for %f = 0 to 4 {
    affine.for %i = 0 to 6 {
      %a = affine.load %x[%f, %i] : memref<4x6xi32>
      affine.store %a, %kept[5 - %i] : memref<6xi32>
      %low = arith.andi %a, %mask : i32
      %n:2 = scf.while (%v = %low, %n = %zero) : (i32, i32) -> (i32, i32) {
        %more = arith.cmpi sgt, %v, %zero : i32
        scf.condition(%more) %v, %n : i32, i32
      } do {
      ^bb0(%v: i32, %n: i32):
        %w = arith.shrui %v, %one : i32
        %m = arith.addi %n, %one : i32
        scf.yield %w, %m : i32, i32
      }
      affine.store %n#1, %lengths[%i] : memref<6xi32>
    }
    affine.for %i = 0 to 6 {
      %a = affine.load %kept[5 - %i] : memref<6xi32>
      %n = affine.load %lengths[%i] : memref<6xi32>
      %b = arith.muli %a, %n : i32
      affine.store %b, %y[%f * 6 + %i] : memref<24xi32>
    }
  }
  return
}";

#[test]
fn where_conditions_depend_on_data_a_warning_says_what_is_not_known() {
    let config = Config::from_yaml("style: elastic\nstreams: [x, y]\n", "kernel.yaml");
    let config = config.expect("a configuration");
    let compiled = compile(CHOSEN, "chosen.mlir", &config);
    let compiled = compiled.expect("it compiles");
    assert!(
        compiled.warnings.contains("it is not known whether"),
        "{}",
        compiled.warnings
    );
    assert_eq!(queues(&compiled).len(), 2);
    let mut random = Random::new(3);
    let case = |_| random_case(&compiled.interface, &Ranges::new(), &mut random);
    let cases: Vec<Case> = (0..20).map(case).collect();
    for stream_seed in [None, Some(1), Some(2)] {
        let manner = Manner {
            stream_seed,
            ..Manner::default()
        };
        let found = simulate_all(&compiled, &cases, &manner, &mut Unwatched);
        for (case, found) in cases.iter().zip(found.expect("it ends")) {
            let expected = interpret(&compiled, case).expect("it has a meaning");
            let wrong = difference(&compiled, &expected, &found.results, &found.memories);
            assert_eq!(wrong, None);
        }
    }
}

#[test]
fn words_that_wait_in_memories_take_longer() {
    let queues = compile_with("pipeline", "").expect("it compiles");
    let memories = compile_with("pipeline", "queues: false\n").expect("it compiles");
    let case = &cases("pipeline", &queues)[0];
    let with_queues = cycles(&queues, &queues.scheduled, case).expect("it ends");
    let with_memories = cycles(&memories, &memories.scheduled, case).expect("it ends");
    assert!(
        2 * with_queues < with_memories,
        "{with_queues} and {with_memories} cycles"
    );
}
