//! Products of extended values: the multiplier is as wide as the factors, and the results are those of the wide product.

use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_testbenches::random_check::{Prepared, run};
use sluice_testbenches::verilator;

/// A factor: its bits, and how it is extended.
type Factor = (u32, &'static str);

/// Two factors, and the width of their product.
type Form = (Factor, Factor, u32);

/// Signed, unsigned and mixed factors, at and below the width of a multiplier block of ECP5.
const FORMS: [Form; 9] = [
    ((16, "extsi"), (16, "extsi"), 32),
    ((16, "extui"), (16, "extui"), 32),
    ((16, "extui"), (16, "extsi"), 33),
    ((18, "extsi"), (18, "extsi"), 36),
    ((18, "extui"), (18, "extui"), 40),
    ((8, "extsi"), (16, "extsi"), 48),
    ((16, "extsi"), (3, "extui"), 20),
    ((1, "extsi"), (18, "extsi"), 19),
    ((17, "extui"), (18, "extsi"), 65),
];

/// Returns a kernel that multiplies the words of two arrays.
fn of_arrays(name: &str, ((l, left), (r, right), w): Form) -> String {
    format!(
        "func.func @{name}(%A: memref<64xi{l}>, %B: memref<64xi{r}>, %R: memref<64xi{w}>) {{
  affine.for %i = 0 to 64 {{
    %a = affine.load %A[%i] : memref<64xi{l}>
    %b = affine.load %B[%i] : memref<64xi{r}>
    %x = arith.{left} %a : i{l} to i{w}
    %y = arith.{right} %b : i{r} to i{w}
    %p = arith.muli %x, %y : i{w}
    affine.store %p, %R[%i] : memref<64xi{w}>
  }}
  return
}}
"
    )
}

/// Returns a kernel with all pairs of factors of few bits.
fn of_all_pairs(name: &str, ((l, left), (r, right), w): Form) -> String {
    let (rows, columns) = (1 << l, 1 << r);
    format!(
        "func.func @{name}(%R: memref<{rows}x{columns}xi{w}>) {{
  affine.for %i = 0 to {rows} {{
    affine.for %j = 0 to {columns} {{
      %m = arith.index_cast %i : index to i{l}
      %n = arith.index_cast %j : index to i{r}
      %x = arith.{left} %m : i{l} to i{w}
      %y = arith.{right} %n : i{r} to i{w}
      %p = arith.muli %x, %y : i{w}
      affine.store %p, %R[%i, %j] : memref<{rows}x{columns}xi{w}>
    }}
  }}
  return
}}
"
    )
}

/// Two products of different forms that share the only multiplier.
const SHARED: &str = "
func.func @shared(%A: memref<32xi16>, %B: memref<32xi12>, %R: memref<32xi33>) {
  affine.for %i = 0 to 32 {
    %a = affine.load %A[%i] : memref<32xi16>
    %b = affine.load %B[%i] : memref<32xi12>
    %x = arith.extsi %a : i16 to i33
    %y = arith.extui %b : i12 to i33
    %p = arith.muli %x, %x : i33
    %q = arith.muli %y, %x : i33
    %s = arith.subi %p, %q : i33
    affine.store %s, %R[%i] : memref<32xi33>
  }
  return
}
";

fn compiled(kernel: &str, more: &str) -> Compiled {
    let text = format!("device: ecp5\nclock_period_ns: 10\n{more}\n");
    let config = Config::from_yaml(&text, "kernel.yaml").expect("a configuration");
    match compile(kernel, "products.mlir", &config) {
        Ok(compiled) => compiled,
        Err(Failure::Input(why) | Failure::Internal(why)) => panic!("{text}{kernel}: {why}"),
    }
}

#[test]
fn multipliers_are_as_wide_as_the_factors() {
    let mut prepared = Vec::new();
    let mut add = |compiled: Compiled, seed: u64| match run(&compiled, seed) {
        Ok((cases, expected)) => prepared.push(Prepared {
            compiled,
            cases,
            expected,
        }),
        Err(why) => panic!("{}: {why:?}", compiled.source_text),
    };
    for (number, form) in (1..).zip(FORMS) {
        for style in ["static", "elastic"] {
            let kernel = of_arrays(&format!("{style}{number}"), form);
            let compiled = compiled(&kernel, &format!("style: {style}"));
            let verilog = &compiled.verilog;
            let is_signed = form.0.1 == "extsi" || form.1.1 == "extsi";
            assert_eq!(verilog.matches(" * ").count(), 1, "{kernel}{verilog}");
            assert_eq!(
                verilog.contains(") * $signed("),
                is_signed,
                "{kernel}{verilog}"
            );
            add(compiled, number);
        }
    }
    let small: [Form; 3] = [
        ((5, "extsi"), (4, "extsi"), 24),
        ((5, "extui"), (4, "extsi"), 24),
        ((4, "extui"), (5, "extui"), 24),
    ];
    for (number, form) in (1..).zip(small) {
        let kernel = of_all_pairs(&format!("pairs{number}"), form);
        add(compiled(&kernel, ""), number);
    }
    let shared = compiled(SHARED, "limits: {multiply: 1}");
    assert_eq!(
        shared.verilog.matches(" * ").count(),
        1,
        "{}",
        shared.verilog
    );
    add(shared, 1);
    let all: Vec<&Prepared> = prepared.iter().collect();
    if verilator::available_or_excused() {
        let findings = verilator::check(&all).expect("the kernels share a model");
        for (kernel, finding) in all.iter().zip(findings) {
            assert_eq!(
                finding.map(|found| found.fact),
                None,
                "{}",
                kernel.compiled.source_text
            );
        }
    }
}
