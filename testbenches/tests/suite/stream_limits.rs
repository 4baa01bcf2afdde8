//! Kernels with streams at their limits: deep FIFOs, long streams, data that cause a deadlock, and the proofs for them.

use std::fs;
use std::path::Path;

use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_ir::View;
use sluice_ir::limits::{Limit, Limits};
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_sim::testbench::Unwatched;
use sluice_verify::check::{Manner, difference, interpret, simulate_all};
use sluice_verify::data::{Case, DataFile, Random, Ranges, random_case};

fn compiled(text: &str, configuration: &str) -> Result<Compiled, String> {
    let config = Config::from_yaml(configuration, "kernel.yaml").expect("a configuration");
    compile(text, "kernel.mlir", &config).map_err(|why| match why {
        Failure::Input(text) => text,
        Failure::Internal(text) => panic!("a fault of Sluice: {text}"),
    })
}

fn random_cases(compiled: &Compiled, n: usize) -> Vec<Case> {
    let mut random = Random::new(3);
    let case = |_| random_case(&compiled.interface, &Ranges::new(), &mut random);
    (0..n).map(case).collect()
}

/// Checks that interpreter and circuit agree, also if streams stall.
fn agrees(compiled: &Compiled, cases: &[Case]) {
    for stream_seed in [None, Some(1)] {
        let manner = Manner {
            stream_seed,
            ..Manner::default()
        };
        let found = simulate_all(compiled, cases, &manner, &mut Unwatched);
        let found = found.unwrap_or_else(|(case, why)| panic!("data set {case}: {why}"));
        for (case, found) in cases.iter().zip(found) {
            let expected = interpret(compiled, case).expect("it has a meaning");
            let wrong = difference(compiled, &expected, &found.results, &found.memories);
            assert_eq!(wrong, None);
        }
    }
}

fn proof(compiled: &Compiled) -> Option<String> {
    let context = &compiled.context;
    let function = compiled.scheduled.lookup_symbol(context, &compiled.top)?;
    let view = View::new(context, compiled.scheduled.inner(), function);
    let proved = view.attribute("sluice.deadlock_free")?;
    proved.as_str(context).map(str::to_owned)
}

/// Returns a kernel in which all words wait until their exclusive or is known.
fn two_passes(n_words: u64) -> String {
    format!(
        "func.func @two(%x: memref<{n_words}xi8>, %y: memref<{n_words}xi8>) {{
  %t0 = memref.alloc() : memref<{n_words}xi8>
  %zero = arith.constant 0 : i8
  %s = affine.for %i = 0 to {n_words} iter_args(%s = %zero) -> (i8) {{
    %a = affine.load %x[%i] : memref<{n_words}xi8>
    affine.store %a, %t0[%i] : memref<{n_words}xi8>
    %n = arith.xori %s, %a : i8
    affine.yield %n : i8
  }}
  affine.for %i = 0 to {n_words} {{
    %a = affine.load %t0[%i] : memref<{n_words}xi8>
    %b = arith.addi %a, %s : i8
    affine.store %b, %y[%i] : memref<{n_words}xi8>
  }}
  return
}}"
    )
}

const STREAMS: &str = "style: elastic\nstreams: [x, y]\n";

#[test]
fn a_fifo_of_more_than_65536_slots_is_a_memory() {
    let compiled = compiled(&two_passes(70_000), STREAMS).expect("it compiles");
    // The words of a stream are not in an outside memory.
    assert_eq!(compiled.warnings, "");
    assert!(proof(&compiled).is_some());
    let memory = "(* ram_style = \"block\" *) reg  [7:0] ";
    let declared = compiled.verilog.split(memory).nth(1);
    let last = declared.and_then(|rest| rest.split_once(" [0:"));
    let last = last.and_then(|(_, rest)| rest.split_once(']'));
    let last: u32 = last.map_or(0, |(last, _)| last.parse().unwrap_or(0));
    assert!(last >= 65_536, "{declared:?}");
    agrees(&compiled, &random_cases(&compiled, 1));
}

#[test]
fn a_depth_above_the_limit_is_an_error() {
    let most = Limits::default().of(Limit::FifoSlots);
    let keys = format!("{STREAMS}depths: {{t0: {}}}\n", most + 1);
    let why = compiled(&two_passes(16), &keys).err().expect("an error");
    assert!(
        why.starts_with("kernel.mlir:2:9: error: `depths` wants 2097153 slots of `t0`; a FIFO has 2097152 at most, and 16 hold all its words"),
        "{why}"
    );
}

/// Parser, documentation and compiler have the same limit for the iterations of a stream.
#[test]
fn streams_are_recognised_up_to_the_limit() {
    let copy = |n_words: u64| {
        let text = format!(
            "func.func @copy(%x: memref<{n_words}xi8>, %y: memref<{n_words}xi8>) {{
  affine.for %i = 0 to {n_words} {{
    %a = affine.load %x[%i] : memref<{n_words}xi8>
    affine.store %a, %y[%i] : memref<{n_words}xi8>
  }}
  return
}}"
        );
        compiled(&text, STREAMS)
    };
    let limits = Limits::default();
    let n_iterations = limits.of(Limit::StreamIterations);
    let most = copy(n_iterations).expect("it compiles");
    assert_eq!(most.warnings, "");
    let why = copy(n_iterations + 1).err().expect("an error");
    assert!(
        why.contains("there are more than 2097152 iterations to look at"),
        "{why}"
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = root
        .parent()
        .expect("the workspace")
        .join("docs/ELASTIC.md");
    let page = fs::read_to_string(page).expect("the page");
    assert_eq!(n_iterations, limits.of(Limit::FifoSlots));
    assert_eq!(page.matches("2,097,152").count(), 2, "both limits");
}

#[test]
fn data_files_need_no_words_for_streams_that_go_out() {
    let compiled = compiled(&two_passes(4), STREAMS).expect("it compiles");
    let mut no_files = |_: &str| Err("no files".to_owned());
    let mut read = |inputs: &str| {
        let text = format!(
            "function: two\ncases:\n  - inputs: {{{inputs}}}\n    outputs: {{y: [5, 6, 7, 0]}}\n"
        );
        DataFile::read(
            &text,
            "data.yaml",
            &compiled.interface,
            &mut no_files,
            &sluice_ir::limits::Limits::default(),
        )
    };
    let data = read("x: [1, 2, 3, 4]").expect("it is whole");
    agrees(&compiled, &data.cases);
    assert!(read("y: [1, 2, 3, 4]").is_err(), "words of `x` are missing");
}

/// Returns a kernel in which the words of `b` wait until all of `a` are available, for which there is no room. Loops of unknown
/// length keep the compiler from seeing this.
fn late(n_words: u64) -> String {
    format!(
        "func.func @late(%x: memref<{n_words}xi8>, %y: memref<{n_words}xi8>) {{
  %a = memref.alloc() : memref<{n_words}xi8>
  %b = memref.alloc() : memref<{n_words}xi8>
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  affine.for %i = 0 to {n_words} {{
    %v = affine.load %x[%i] : memref<{n_words}xi8>
    %n:2 = scf.while (%u = %v, %n = %zero) : (i8, i8) -> (i8, i8) {{
      %more = arith.cmpi ne, %u, %zero : i8
      scf.condition(%more) %u, %n : i8, i8
    }} do {{
    ^bb0(%u: i8, %n: i8):
      %w = arith.shrui %u, %one : i8
      %m = arith.addi %n, %one : i8
      scf.yield %w, %m : i8, i8
    }}
    affine.store %n#1, %a[%i] : memref<{n_words}xi8>
    affine.store %v, %b[%i] : memref<{n_words}xi8>
  }}
  %s = affine.for %i = 0 to {n_words} iter_args(%s = %zero) -> (i8) {{
    %v = affine.load %a[%i] : memref<{n_words}xi8>
    %n = arith.addi %s, %v : i8
    affine.yield %n : i8
  }}
  affine.for %i = 0 to {n_words} {{
    %v = affine.load %b[%i] : memref<{n_words}xi8>
    %n = arith.xori %s, %v : i8
    affine.store %n, %y[%i] : memref<{n_words}xi8>
  }}
  return
}}"
    )
}

/// The runs during compilation are too short to reach the end of this kernel, so it has no proof; the simulator detects the
/// deadlock early.
#[test]
fn a_kernel_that_comes_to_a_deadlock_is_stopped() {
    let keys = format!("{STREAMS}depths: {{b: 2}}\n");
    let compiled = compiled(&late(200_000), &keys).expect("it compiles");
    assert_eq!(proof(&compiled), None);
    assert!(
        compiled.warnings.contains("it is not known whether"),
        "{}",
        compiled.warnings
    );
    let cases = random_cases(&compiled, 1);
    for stream_seed in [None, Some(7)] {
        let manner = Manner {
            stream_seed,
            ..Manner::default()
        };
        let found = simulate_all(&compiled, &cases, &manner, &mut Unwatched);
        let (number, why) = found.expect_err("a deadlock");
        assert_eq!(number, 0);
        let rest = why.strip_prefix("deadlock: `done` cannot come any more, ");
        let cycles = rest.and_then(|rest| rest.split_once(' '));
        let cycles: u64 = cycles.map_or(0, |(cycles, _)| cycles.parse().unwrap_or(0));
        assert!((1..2000).contains(&cycles), "{why}");
        assert!(why.contains("; tokens wait on `"), "{why}");
    }
}

#[test]
fn a_kernel_with_room_for_all_words_is_proved_and_ends() {
    let compiled = compiled(&late(40), &format!("{STREAMS}depths: {{b: 40}}\n"));
    let compiled = compiled.expect("it compiles");
    assert!(proof(&compiled).is_some(), "{}", compiled.warnings);
    agrees(&compiled, &random_cases(&compiled, 5));
}

/// Two consecutive loops of conditionals; the second counts the results of the first.
const PATHS: &str = "func.func @paths(%x: memref<64xi8>, %count: memref<16xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = memref.alloc() : memref<64xi8>
  affine.for %i = 0 to 64 {
    %a = affine.load %x[%i] : memref<64xi8>
    %z = arith.constant 0 : i8
    %p = arith.cmpi slt, %a, %z : i8
    %path = scf.if %p -> (i8) {
      %k = arith.constant 3 : i8
      %m = arith.muli %a, %k : i8
      scf.yield %m : i8
    } else {
      %k = arith.constant 7 : i8
      %m = arith.remui %a, %k : i8
      scf.yield %m : i8
    }
    affine.store %path, %t[%i] : memref<64xi8>
  }
  %s = affine.for %i = 0 to 64 iter_args(%sum = %c0) -> (i32) {
    %a = affine.load %t[%i] : memref<64xi8>
    %k15 = arith.constant 15 : i8
    %low = arith.andi %a, %k15 : i8
    %ix = arith.index_castui %low : i8 to index
    %old = memref.load %count[%ix] : memref<16xi32>
    %odd = arith.trunci %a : i8 to i1
    %new = scf.if %odd -> (i32) {
      %n = arith.addi %old, %one : i32
      memref.store %n, %count[%ix] : memref<16xi32>
      scf.yield %n : i32
    } else {
      scf.yield %old : i32
    }
    %r = arith.addi %sum, %new : i32
    affine.yield %r : i32
  }
  return %s : i32
}";

/// Greatest common divisors, computed between two loops.
const DIVISORS: &str =
    "func.func @gcd(%x: memref<32xi16>, %y: memref<32xi16>, %g: memref<32xi16>) {
  %zero = arith.constant 0 : i16
  %t = memref.alloc() : memref<32xi16>
  affine.for %i = 0 to 32 {
    %a = affine.load %x[%i] : memref<32xi16>
    %b = affine.load %y[%i] : memref<32xi16>
    %r:2 = scf.while (%u = %a, %v = %b) : (i16, i16) -> (i16, i16) {
      %c = arith.cmpi ne, %v, %zero : i16
      scf.condition(%c) %u, %v : i16, i16
    } do {
    ^bb0(%u: i16, %v: i16):
      %m = arith.remui %u, %v : i16
      scf.yield %v, %m : i16, i16
    }
    affine.store %r#0, %t[%i] : memref<32xi16>
  }
  affine.for %i = 0 to 32 {
    %a = affine.load %t[%i] : memref<32xi16>
    %k = arith.constant 3 : i16
    %m = arith.muli %a, %k : i16
    affine.store %m, %g[%i] : memref<32xi16>
  }
  return
}";

#[test]
fn loops_that_hand_words_on_are_proved_where_conditions_depend_on_data() {
    for (text, configuration) in [
        (PATHS, "style: elastic\n"),
        (PATHS, "style: elastic\nstreams: [x]\n"),
        (DIVISORS, "style: elastic\n"),
        (DIVISORS, "style: elastic\nstreams: [x, y, g]\n"),
    ] {
        let compiled = compiled(text, configuration).expect("it compiles");
        let proof = proof(&compiled);
        assert!(
            proof.is_some_and(|proof| proof.starts_with("proved: no cycle in ")),
            "{}",
            compiled.warnings
        );
        agrees(&compiled, &random_cases(&compiled, 10));
    }
}
