//! Tests the generic passes against the output of mlir-opt 19 for the same files.
//!
//! The first line of `passes/<name>.mlir` gives the pipeline for its parts; `passes/<name>.out` holds the output of mlir-opt
//! (`record.sh` writes it). A second line `// options: --mlir-print-debuginfo` prints locations too. This test does not need mlir-opt.

use std::path::{Path, PathBuf};

use sluice_flow::opt::{Options, run};
use sluice_flow::pipeline::all_names;
use sluice_ir::text::PrintOptions;
use sluice_passes::pipeline::Pipeline;

const MARKER: &str = "// -----\n";

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes");
    let entries = std::fs::read_dir(folder).expect("the folder of the tests is there");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder can be read").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "mlir"))
        .collect();
    files.sort();
    files
}

#[test]
fn we_answer_as_mlir_opt_does() {
    let mut problems = Vec::new();
    let files = files();
    assert!(!files.is_empty(), "there are files");
    for path in files {
        let file = path.display().to_string();
        let (source, recorded) = (read(&path), read(&path.with_extension("out")));
        let pipeline = source.lines().next().unwrap_or_default();
        let pipeline = pipeline.strip_prefix("// pipeline: ");
        let pipeline = Pipeline::parse(
            pipeline.expect("the first line says which passes run"),
            &all_names(),
        );
        let locations = source.lines().nth(1) == Some("// options: --mlir-print-debuginfo");
        let options = Options {
            allow_unregistered: true,
            print: PrintOptions {
                locations,
                ..PrintOptions::default()
            },
            pipeline: pipeline.unwrap_or_else(|error| panic!("{file}: {error}")),
            ..Options::default()
        };
        let (sources, answers): (Vec<_>, Vec<_>) = (
            source.split(MARKER).collect(),
            recorded.split(MARKER).collect(),
        );
        assert_eq!(sources.len(), answers.len(), "{file}: run record.sh");
        for (number, (source, theirs)) in sources.iter().zip(answers).enumerate() {
            let answer = run(source.as_bytes().to_vec(), "part.mlir", &options);
            let ours = String::from_utf8_lossy(&answer.output);
            if answer.failed || ours.trim_end() != theirs.trim_end() {
                problems.push(format!(
                    "{file} {number}:\nours:\n{}{}\nmlir-opt:\n{}",
                    answer.messages,
                    ours.trim_end(),
                    theirs.trim_end()
                ));
            }
        }
    }
    assert!(
        problems.is_empty(),
        "{}\n{} problems\nrepeat: cargo test -p sluice-flow --test suite passes\naccept: synth/flow/tests/passes/record.sh",
        problems.join("\n\n"),
        problems.len()
    );
}

/// Version 19 of mlir-opt adds `%a` in each copy: it takes the values that the loop passes on from the first iteration.
#[test]
fn an_unrolled_loop_passes_values_on_from_one_iteration_to_the_next() {
    let source = "func.func @f(%a: i32, %b: i32) -> (i32, i32) {
  %r:2 = affine.for %i = 0 to 3 iter_args(%x = %a, %y = %b) -> (i32, i32) {
    %s = arith.subi %x, %y : i32
    affine.yield %y, %s : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
";
    let pipeline = "builtin.module(func.func(affine-loop-unroll{unroll-full}))";
    let options = Options {
        pipeline: Pipeline::parse(pipeline, &all_names()).expect("it is a pipeline"),
        ..Options::default()
    };
    let answer = run(source.as_bytes().to_vec(), "loop.mlir", &options);
    let ours = String::from_utf8_lossy(&answer.output).into_owned();
    let body = [
        "%0 = arith.subi %arg0, %arg1 : i32",
        "%1 = arith.subi %arg1, %0 : i32",
        "%2 = arith.subi %0, %1 : i32",
        "return %1, %2 : i32, i32",
    ];
    for line in body {
        assert!(ours.contains(line), "{line}:\n{ours}{}", answer.messages);
    }
}

#[test]
fn loops_and_shapes_that_a_pass_cannot_convert_are_errors() {
    let deep = nested_loops(20);
    for (pass, source, message) in [
        (
            "convert-scf-to-cf",
            "func.func @f(%p: i1) {
  affine.for %i = 0 to 10 {
    scf.if %p {
    }
  }
  return
}
",
            "`scf.if` would become several blocks, but a region of `affine.for` has one block only",
        ),
        (
            "scf-forall-to-for",
            "func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
    }
  }
  return %r : tensor<4xf32>
}
",
            "an `scf.forall` with results does not become another loop",
        ),
        (
            "arith-expand",
            "func.func @f(%a: tensor<?xi8>) -> tensor<?xi8> {
  %0 = arith.ceildivsi %a, %a : tensor<?xi8>
  return %0 : tensor<?xi8>
}
",
            "`arith.ceildivsi` is expanded with constants of its type, which needs a static shape",
        ),
        (
            "affine-loop-unroll{unroll-full}",
            "func.func @f(%m: memref<1xi8>, %v: i8) {
  affine.for %i = 0 to 1000000000000 {
    memref.store %v, %m[%i] : memref<1xi8>
  }
  return
}
",
            "iterations at once are",
        ),
        (
            "scf-for-loop-peeling{skip-partial=false}",
            deep.as_str(),
            "the copies of peeled loops are",
        ),
    ] {
        let pipeline = format!("builtin.module(func.func({pass}))");
        let options = Options {
            allow_unregistered: true,
            pipeline: Pipeline::parse(&pipeline, &all_names()).expect("it is a pipeline"),
            ..Options::default()
        };
        let answer = run(source.as_bytes().to_vec(), "part.mlir", &options);
        assert!(answer.failed, "{pass} accepts:\n{source}");
        assert!(answer.messages.contains(message), "{}", answer.messages);
    }
}

/// Version 19 of mlir-opt tiles this nest, so that an element is read before it is written.
#[test]
fn a_nest_whose_order_matters_is_not_tiled() {
    let source = "func.func @f(%a: memref<18x18xi32>) {
  affine.for %i = 1 to 17 {
    affine.for %j = 1 to 17 {
      %x = affine.load %a[%i - 1, %j + 1] : memref<18x18xi32>
      affine.store %x, %a[%i, %j] : memref<18x18xi32>
    }
  }
  return
}
";
    let options = Options {
        pipeline: Pipeline::parse("any(affine-loop-tile)", &all_names()).expect("it is a pipeline"),
        ..Options::default()
    };
    let answer = run(source.as_bytes().to_vec(), "nest.mlir", &options);
    let ours = String::from_utf8_lossy(&answer.output).into_owned();
    assert_eq!(ours.matches("affine.for").count(), 2, "{ours}");
    let warned = "the nest is not tiled: two accesses to one memory have different indices";
    assert!(answer.messages.contains(warned), "{}", answer.messages);
}

/// Version 19 of mlir-opt changes the meaning of each of these functions.
#[test]
fn what_would_change_its_meaning_stays() {
    for (pass, source) in [
        (
            // Two negative bounds have a positive product.
            "affine-loop-coalescing",
            "func.func @f(%m: index, %n: index, %a: memref<8xi32>, %x: i32) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.store %x, %a[0] : memref<8xi32>
    }
  }
  return
}
",
        ),
        (
            // The loop may have no iteration.
            "affine-loop-invariant-code-motion",
            "func.func @f(%n: index, %a: memref<8xi32>, %x: i32) {
  affine.for %i = 0 to %n {
    affine.store %x, %a[0] : memref<8xi32>
  }
  return
}
",
        ),
        (
            // The second store changes the element that the load reads.
            "affine-loop-invariant-code-motion",
            "func.func @f(%n: index, %a: memref<8xi32>, %b: memref<8xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    %v = affine.load %a[0] : memref<8xi32>
    affine.store %v, %b[%i] : memref<8xi32>
    memref.store %x, %a[%n] : memref<8xi32>
  }
  return
}
",
        ),
        (
            // Each row depends on the row before.
            "affine-loop-unroll-jam{unroll-jam-factor=2}",
            "func.func @f(%a: memref<9x9xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %v = affine.load %a[%i, %j + 1] : memref<9x9xi32>
      affine.store %v, %a[%i + 1, %j] : memref<9x9xi32>
    }
  }
  return
}
",
        ),
        (
            // Floats round at other places in another order.
            "affine-loop-unroll-jam{unroll-jam-factor=2}",
            "func.func @f(%a: memref<8x8xf32>, %x: f32) -> f32 {
  %r = affine.for %i = 0 to 8 iter_args(%s = %x) -> (f32) {
    %t = affine.for %j = 0 to 8 iter_args(%u = %s) -> (f32) {
      %v = affine.load %a[%i, %j] : memref<8x8xf32>
      %w = arith.addf %u, %v : f32
      affine.yield %w : f32
    }
    affine.yield %t : f32
  }
  return %r : f32
}
",
        ),
        (
            // All iterations write one element.
            "scf-parallel-loop-fusion",
            "func.func @f(%x: memref<8xi32>, %b: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = memref.load %x[%i] : memref<8xi32>
    memref.store %v, %a[%c0] : memref<8xi32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = memref.load %a[%c0] : memref<8xi32>
    memref.store %v, %b[%i] : memref<8xi32>
    scf.reduce
  }
  return
}
",
        ),
        (
            // All iterations write one element, each through its own view.
            "affine-parallelize",
            "func.func @f(%m: memref<20xindex>) {
  affine.for %i = 0 to 10 {
    %o = affine.apply affine_map<(d0) -> (-d0 + 10)>(%i)
    %v = memref.subview %m[%o] [10] [1] : memref<20xindex> to memref<10xindex, strided<[1], offset: ?>>
    affine.store %i, %v[%i] : memref<10xindex, strided<[1], offset: ?>>
  }
  return
}
",
        ),
        (
            // The indices of the load would be those of the layout.
            "normalize-memrefs",
            "func.func @f(%a: memref<4x8xi32, affine_map<(d0, d1) -> (d1, d0)>>, %i: index, %j: index) -> i32 {
  %v = memref.load %a[%i, %j] : memref<4x8xi32, affine_map<(d0, d1) -> (d1, d0)>>
  return %v : i32
}
",
        ),
    ] {
        let answer = |pipeline: &str| {
            let options = Options {
                pipeline: Pipeline::parse(pipeline, &all_names()).expect("it is a pipeline"),
                ..Options::default()
            };
            let answer = run(source.as_bytes().to_vec(), "part.mlir", &options);
            assert!(!answer.failed, "{}", answer.messages);
            String::from_utf8_lossy(&answer.output).into_owned()
        };
        let pipeline = format!("any({pass})");
        assert_eq!(answer(&pipeline), answer("any()"), "{pass}:\n{source}");
    }
}

/// Version 19 of mlir-opt writes a loop with the wrong number of operands.
#[test]
fn a_loop_carries_its_values_in_all_places_or_nowhere() {
    let source = "func.func @f(%n: index, %a: i32, %m: memref<4xi32>) -> i32 {
  %u:2 = affine.for %i = 0 to %n iter_args(%x = %a, %y = %a) -> (i32, i32) {
    %s = arith.addi %x, %x : i32
    %t = arith.muli %y, %y : i32
    memref.store %s, %m[%i] : memref<4xi32>
    affine.yield %s, %t : i32, i32
  }
  return %u#0 : i32
}
";
    let options = Options {
        pipeline: Pipeline::parse("any(remove-dead-values)", &all_names()).expect("it is one"),
        ..Options::default()
    };
    let answer = run(source.as_bytes().to_vec(), "loop.mlir", &options);
    let ours = String::from_utf8_lossy(&answer.output).into_owned();
    assert!(
        !answer.failed && !ours.contains("muli"),
        "{ours}{}",
        answer.messages
    );
}

/// Returns a function of loops inside of each other.
fn nested_loops(n_levels: usize) -> String {
    let open = (0..n_levels).map(|level| format!("scf.for %i{level} = %a to %b step %a {{\n"));
    let open: String = open.collect();
    let close = "}\n".repeat(n_levels);
    format!(
        "func.func @f(%a: index, %b: index) {{\n{open}\"demo.use\"() : () -> ()\n{close}return\n}}\n"
    )
}
