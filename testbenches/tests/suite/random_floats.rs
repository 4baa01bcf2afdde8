//! Random kernels with floats: interpreter, cycle simulator, Verilator and mlir-cpu-runner agree bit for bit.
//!
//! A kernel is a loop with random operations on two arrays of one format, values of the iteration before, and integers. The oracle
//! computes `f32` and `f64` only. NaNs of a processor have other fraction bits, so a kernel makes every NaN it stores canonical.

use std::fmt::Write as _;

use rayon::prelude::*;
use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_ir::bits::Bits;
use sluice_kernel::compiled::Failure;
use sluice_sim::interpreter::{Argument, Outcome};
use sluice_testbenches::oracle::{self, Element, Signature};
use sluice_testbenches::random_check::{Prepared, run};
use sluice_testbenches::{sweep, verilator};
use sluice_verify::data::{Case, Random};

/// Kernels of the gate, and how many of them go through Verilator.
const N_KERNELS: u64 = 8;
const N_VERILATOR: usize = 2;

const TRIP_COUNT: u64 = 6;

const UNARY: &[&str] = &["arith.negf", "math.absf", "math.sqrt"];

/// Roundings, which the oracle has without a library.
const WHOLE: &[&str] = &["math.ceil", "math.floor", "math.trunc"];

/// Operations that occur often, and some that occur less often.
const BINARY: &[&str] = &[
    "arith.addf",
    "arith.addf",
    "arith.subf",
    "arith.mulf",
    "arith.mulf",
    "arith.divf",
];

/// Functions of one operand; the oracle's differ in the last place.
const FUNCTIONS: &[&str] = &[
    "math.atan",
    "math.cos",
    "math.erf",
    "math.exp",
    "math.exp2",
    "math.log",
    "math.log10",
    "math.log2",
    "math.rsqrt",
    "math.sin",
    "math.tanh",
];

const FUNCTIONS_OF_TWO: &[&str] = &["math.atan2", "math.powf"];

const PREDICATES: &[&str] = &[
    "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une",
    "uno",
];

const CONSTANTS: &[&str] = &["0.5", "2.0", "-1.0", "0.2", "3.0", "1.0e+3", "0.0"];

fn one_of<T: Copy>(random: &mut Random, all: &[T]) -> T {
    let last = all.len() as u64 - 1;
    all[usize::try_from(random.up_to(last)).expect("few items")]
}

/// A kernel with its configuration.
struct Kernel {
    text: String,
    config: String,
    width_bits: u32,
    has_oracle: bool,
}

fn kernel(seed: u64) -> Kernel {
    let random = &mut Random::new(seed);
    let (format, width_bits) = one_of(
        random,
        &[
            ("f32", 32),
            ("f32", 32),
            ("f64", 64),
            ("f16", 16),
            ("bf16", 16),
            ("f8E5M2", 8),
        ],
    );
    let has_oracle = width_bits >= 32 && random.up_to(3) > 0;
    let array = format!("memref<{TRIP_COUNT}x{format}>");
    let mut body =
        format!("%a = affine.load %x[%i] : {array}\n%b = affine.load %y[%i] : {array}\n");
    let mut values = vec!["%a".to_owned(), "%b".to_owned(), "%carried".to_owned()];
    for number in 0..2 + random.up_to(5) {
        let pick = |random: &mut Random| {
            let all: Vec<&str> = values.iter().rev().take(4).map(String::as_str).collect();
            one_of(random, &all).to_owned()
        };
        let (one, other) = (pick(random), pick(random));
        let r = format!("%v{number}");
        let line = match random.up_to(12) {
            0 => format!("{r} = {} {one} : {format}", one_of(random, UNARY)),
            1 => format!("{r} = {} {one} : {format}", one_of(random, WHOLE)),
            2 => {
                let predicate = one_of(random, PREDICATES);
                format!(
                    "%c{number} = arith.cmpf {predicate}, {one}, {other} : {format}\n{r} = arith.select %c{number}, {one}, {other} : {format}"
                )
            }
            3 => format!(
                "%k{number} = arith.constant {} : {format}\n{r} = arith.mulf {one}, %k{number} : {format}",
                one_of(random, CONSTANTS)
            ),
            4 => {
                let bits = one_of(random, &[8, 16, 32]);
                let kind = one_of(random, &["s", "u"]);
                format!(
                    "%t{number} = arith.index_cast %i : index to i{bits}\n{r} = arith.{kind}itofp %t{number} : i{bits} to {format}"
                )
            }
            5 if width_bits == 32 => format!(
                "%w{number} = arith.extf {one} : f32 to f64\n%q{number} = arith.addf %w{number}, %w{number} : f64\n{r} = arith.truncf %q{number} : f64 to f32"
            ),
            6 => format!("{r} = math.fma {one}, {other}, %b : {format}"),
            7 if !has_oracle => {
                // The oracle mistakes the sign of zeros in extremes, and its NaNs have signs, which `copysign` shows.
                let extreme = one_of(
                    random,
                    &[
                        "arith.maximumf",
                        "arith.minimumf",
                        "arith.maxnumf",
                        "arith.minnumf",
                        "math.copysign",
                    ],
                );
                format!("{r} = {extreme} {one}, {other} : {format}")
            }
            8 if !has_oracle => match random.up_to(3) {
                0 => format!(
                    "{r} = {} {one}, {other} : {format}",
                    one_of(random, FUNCTIONS_OF_TWO)
                ),
                _ => format!("{r} = {} {one} : {format}", one_of(random, FUNCTIONS)),
            },
            _ => format!("{r} = {} {one}, {other} : {format}", one_of(random, BINARY)),
        };
        body += &line;
        body.push('\n');
        values.push(r);
    }
    let last = values.last().cloned().unwrap_or_default();
    let _ = write!(
        body,
        "%is_nan = arith.cmpf uno, {last}, {last} : {format}
%out = arith.select %is_nan, %nan, {last} : {format}
affine.store %out, %z[%i] : {array}
affine.yield %out : {format}"
    );
    let nan = match format {
        "f64" => "0x7FF8000000000000",
        "f32" => "0x7FC00000",
        "bf16" => "0x7FC0",
        "f16" => "0x7E00",
        _ => "0x7E",
    };
    let text = format!(
        "func.func @f{seed}(%x: {array}, %y: {array}, %z: {array}) -> {format} {{
%nan = arith.constant {nan} : {format}
%zero = arith.constant 0.0 : {format}
%r = affine.for %i = 0 to {TRIP_COUNT} iter_args(%carried = %zero) -> ({format}) {{
{body}
}}
return %r : {format}
}}
"
    );
    let config = config(random);
    Kernel {
        text,
        width_bits,
        // The oracle keeps the order of the source.
        has_oracle: has_oracle && !config.contains("reassoc"),
        config,
    }
}

fn config(random: &mut Random) -> String {
    let period = one_of(random, &["4", "5", "8", "20"]);
    let device = one_of(random, &["generic", "generic", "ecp5", "ultrascale_plus"]);
    let mut config = format!("clock_period_ns: {period}\ndevice: {device}\n");
    match random.up_to(9) {
        0..4 => config += "limits: {float_add: 1, float_fma: 1, float_mul: 1}\n",
        4 => config += "style: elastic\n",
        5 => config += "loops: {i: {unroll: 2}}\n",
        6 => config += "float: {reductions: reassoc}\n",
        _ => {}
    }
    config
}

/// Returns a kernel that applies one function to an array, or to two.
fn kernel_of(function: &str, format: &str) -> Kernel {
    let name = format!("{}_{format}", function.trim_start_matches("math."));
    let array = format!("memref<{TRIP_COUNT}x{format}>");
    let operands = if FUNCTIONS_OF_TWO.contains(&function) {
        "%a, %b"
    } else {
        "%a"
    };
    let text = format!(
        "func.func @{name}(%x: {array}, %y: {array}, %z: {array}) {{
affine.for %i = 0 to {TRIP_COUNT} {{
%a = affine.load %x[%i] : {array}
%b = affine.load %y[%i] : {array}
%out = {function} {operands} : {format}
affine.store %out, %z[%i] : {array}
}}
return
}}
"
    );
    Kernel {
        text,
        config: "clock_period_ns: 8\n".to_owned(),
        width_bits: 32,
        has_oracle: false,
    }
}

fn check(seed: u64) -> Result<(Prepared, Kernel), String> {
    let checked = std::panic::catch_unwind(|| check_kernel(kernel(seed), seed));
    checked.unwrap_or_else(|_| Err("it panics".to_owned()))
}

fn check_kernel(kernel: Kernel, seed: u64) -> Result<(Prepared, Kernel), String> {
    let config =
        Config::from_yaml(&kernel.config, "kernel.yaml").map_err(|all| all[0].to_string())?;
    let compiled = compile(&kernel.text, "kernel.mlir", &config)
        .map_err(|(Failure::Input(message) | Failure::Internal(message))| message)?;
    let found = run(&compiled, seed);
    let (cases, expected) = found.map_err(|found| format!("{:?}: {}", found.kind, found.fact))?;
    let prepared = Prepared {
        compiled,
        cases,
        expected,
    };
    Ok((prepared, kernel))
}

fn limbs(words: &[Bits]) -> Vec<oracle::Limbs> {
    words.iter().map(|word| vec![word.low_u64()]).collect()
}

/// Returns how the oracle differs.
fn against_oracle(
    kernel: &Kernel,
    name: &str,
    cases: &[Case],
    expected: &[Outcome],
) -> Option<String> {
    let element = Element::Float {
        width_bits: kernel.width_bits,
    };
    let memory = oracle::Argument::Memref {
        shape: vec![TRIP_COUNT],
        element,
    };
    let signature = Signature {
        arguments: vec![memory.clone(), memory.clone(), memory],
        results: vec![element],
    };
    let inputs = cases.iter().map(|case| {
        let words = case.arguments.iter().map(|argument| match argument {
            Argument::Memory(words) => limbs(words),
            Argument::Scalar(word) => limbs(std::slice::from_ref(word)),
        });
        oracle::Case {
            arguments: words.collect(),
        }
    });
    let inputs: Vec<oracle::Case> = inputs.collect();
    let answers = match oracle::run(&kernel.text, name, &signature, &inputs) {
        Ok(answers) => answers,
        Err(why) => return Some(why),
    };
    for (answer, outcome) in answers.iter().zip(expected) {
        let results = limbs(&outcome.results);
        if answer.results != results {
            return Some(format!(
                "result {:x?}, the oracle has {:x?}",
                results, answer.results
            ));
        }
        // Inputs hold NaNs of any bits; only what the kernel stores is canonical.
        let stored = outcome.memories.last().map(|words| limbs(words));
        if answer.memories.last() != stored.as_ref() {
            return Some(format!(
                "memory {stored:x?}, the oracle has {:x?}",
                answer.memories.last()
            ));
        }
    }
    None
}

#[test]
fn random_float_kernels_agree_everywhere() {
    let seeds: Vec<u64> = (0..sweep::cases(N_KERNELS)).collect();
    let checked: Vec<_> = seeds.par_iter().map(|seed| (*seed, check(*seed))).collect();
    let (mut wrong, mut names, mut prepared) = (Vec::new(), Vec::new(), Vec::new());
    let has_oracle = oracle::available();
    assert!(
        has_oracle || !oracle::required(),
        "MLIR is missing: install `mlir-19-tools`"
    );
    for (seed, result) in checked {
        let said = |why: String| {
            let kernel = kernel(seed);
            format!("seed {seed}: {why}\n{}{}", kernel.config, kernel.text)
        };
        match result {
            Ok((made, kernel)) => {
                let name = format!("f{seed}");
                if has_oracle && kernel.has_oracle {
                    let found = against_oracle(&kernel, &name, &made.cases, &made.expected);
                    wrong.extend(found.map(said));
                }
                names.push(seed);
                prepared.push(made);
            }
            Err(why) => wrong.push(said(why)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let most = N_VERILATOR * usize::try_from(sweep::factor()).expect("small");
    let wrong = verilator::wrong(&names, &prepared, most);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_function_is_a_circuit() {
    let functions: Vec<&str> = FUNCTIONS.iter().chain(FUNCTIONS_OF_TWO).copied().collect();
    let checked: Vec<_> = functions
        .par_iter()
        .flat_map(|function| ["bf16", "f32"].map(|format| (*function, format)))
        .map(|(function, format)| {
            let made = check_kernel(kernel_of(function, format), 1);
            made.map_err(|why| format!("{function} of {format}: {why}"))
        })
        .collect();
    let mut prepared = Vec::new();
    let mut wrong = Vec::new();
    for result in checked {
        match result {
            Ok((made, _)) => prepared.push(made),
            Err(why) => wrong.push(why),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let seeds: Vec<u64> = (0..prepared.len() as u64).collect();
    let wrong = verilator::wrong(&seeds, &prepared, N_VERILATOR);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
