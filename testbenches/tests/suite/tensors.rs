//! Kernels with structured operations and tensors: interpreter, cycle simulator and mlir-cpu-runner agree on random data.
//!
//! `tests/tensors` holds kernels whose tensors come from memories and go to memories, so that both sides have the same ports. The
//! named operations on memories are those of `dialects/tests/linalg/named.mlir`: every fifth in the gate, all in a sweep.

use std::path::{Path, PathBuf};
use std::process::Command;

use rayon::prelude::*;
use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_ir::bits::Bits;
use sluice_ir::text::parse_module;
use sluice_ir::{Context, Diagnostics, Type, TypeKind, View};
use sluice_kernel::compiled::Failure;
use sluice_sim::interpreter;
use sluice_testbenches::oracle::{self, Argument, Element, Limbs, Signature};
use sluice_testbenches::random_check::run;
use sluice_testbenches::sweep;

/// Passes of mlir-opt from tensors to memories.
const TO_MEMORIES: [&str; 4] = [
    "--inline",
    "--convert-elementwise-to-linalg",
    "--one-shot-bufferize=allow-return-allocs-from-loops",
    "--scf-forall-to-for",
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn has_oracle() -> bool {
    let has = oracle::available();
    assert!(
        has || !oracle::required(),
        "MLIR is missing: install `mlir-19-tools`"
    );
    has
}

fn element(context: &Context, ty: Type) -> Element {
    match ty.kind(context) {
        TypeKind::Index => Element::Index,
        TypeKind::Float(kind) => Element::Float {
            width_bits: kind.width_bits(),
        },
        _ => Element::Integer {
            width_bits: ty.width_bits(context).expect("a scalar has a width"),
        },
    }
}

/// Returns the name and the types of the last function of a text.
fn signature(text: &str) -> (String, Signature) {
    let context = sluice_dialects::context();
    let mut found = Diagnostics::new();
    let module = parse_module(&context, text, "kernel.mlir", &mut found);
    let module = module.unwrap_or_else(|| panic!("{}\n{text}", found.to_text(&context)));
    let functions = module.top_level_operations();
    let function = *functions.last().expect("a kernel is a function");
    let view = View::new(&context, module.inner(), function);
    let ty = view
        .attribute("function_type")
        .and_then(|ty| ty.as_type(&context));
    let Some(TypeKind::Function { inputs, results }) = ty.map(|ty| ty.kind(&context)) else {
        panic!("no function in {text}");
    };
    let argument = |ty: &Type| match ty.kind(&context) {
        TypeKind::MemRef { element: of, .. } => Argument::Memref {
            shape: ty.static_shape(&context).expect("sizes are known"),
            element: element(&context, *of),
        },
        _ => Argument::Scalar(element(&context, *ty)),
    };
    let signature = Signature {
        arguments: inputs.iter().map(argument).collect(),
        results: results.iter().map(|ty| element(&context, *ty)).collect(),
    };
    let name = view.symbol_name().expect("a function has a name");
    (name.to_owned(), signature)
}

/// Returns the kernel with memories in place of tensors, as mlir-opt makes it. Copies are loops there, because a copy of a part of a
/// memory needs a library.
fn with_memories(text: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join("kernel.mlir");
    std::fs::write(&path, text).map_err(|error| error.to_string())?;
    let output = Command::new("mlir-opt-19")
        .arg(&path)
        .args(TO_MEMORIES)
        .output();
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = |line: &str| match line.trim_start().strip_prefix("memref.copy ") {
        None => line.to_owned(),
        Some(rest) => {
            let (values, types) = rest.split_once(" : ").expect("a copy has types");
            let (from, to) = values.split_once(", ").expect("a copy has two memories");
            let (from_type, to_type) = types.split_once(" to ").expect("a copy has two types");
            format!("linalg.copy ins({from} : {from_type}) outs({to} : {to_type})")
        }
    };
    let lines: Vec<String> = text.lines().map(line).collect();
    // Aliases of attributes are before the module; several kernels in one text have functions only.
    Ok(lines.join("\n"))
}

fn limbs(words: &[Bits]) -> Vec<Limbs> {
    words.iter().map(|word| vec![word.low_u64()]).collect()
}

/// Compares the interpreter, the cycle simulator and the oracle on a kernel.
fn check(text: &str, seed: u64) -> Result<(), String> {
    let (name, signature) = signature(text);
    let config = Config::from_yaml("clock_period_ns: 8\n", "kernel.yaml");
    let config = config.map_err(|all| all[0].to_string())?;
    let compiled = compile(text, "kernel.mlir", &config)
        .map_err(|(Failure::Input(message) | Failure::Internal(message))| message)?;
    let found = run(&compiled, seed);
    let (cases, expected) = found.map_err(|found| format!("{:?}: {}", found.kind, found.fact))?;
    if !has_oracle() {
        return Ok(());
    }
    let inputs = cases.iter().map(|case| oracle::Case {
        arguments: case
            .arguments
            .iter()
            .map(|argument| match argument {
                interpreter::Argument::Memory(words) => limbs(words),
                interpreter::Argument::Scalar(word) => limbs(std::slice::from_ref(word)),
            })
            .collect(),
    });
    let inputs: Vec<oracle::Case> = inputs.collect();
    let is_of_floats = signature
        .arguments
        .iter()
        .any(|argument| matches!(argument.element(), Element::Float { .. }));
    let answers = oracle::run(&with_memories(text)?, &name, &signature, &inputs)?;
    for (answer, outcome) in answers.iter().zip(&expected) {
        let memories: Vec<_> = outcome.memories.iter().map(|words| limbs(words)).collect();
        let is_same = match is_of_floats {
            false => answer.memories == memories,
            true => same_floats(&answer.memories, &memories),
        };
        if answer.results != limbs(&outcome.results) || !is_same {
            return Err(format!(
                "{memories:x?}, the oracle has {:x?}",
                answer.memories
            ));
        }
    }
    Ok(())
}

/// Returns true if all `f32` are equal. NaNs of a processor have other fraction bits.
fn same_floats(a: &[Vec<Limbs>], b: &[Vec<Limbs>]) -> bool {
    let word = |limbs: &Limbs| {
        let bits = u32::try_from(limbs[0]).expect("words have 32 bits");
        if f32::from_bits(bits).is_nan() {
            u32::MAX
        } else {
            bits
        }
    };
    a.iter()
        .zip(b)
        .all(|(a, b)| a.iter().map(word).eq(b.iter().map(word)))
}

fn check_all(kernels: &[String]) {
    let wrong: Vec<String> = kernels
        .par_iter()
        .enumerate()
        .filter_map(|(seed, text)| {
            let checked = check(text, seed as u64);
            checked.err().map(|why| format!("{why}\n{text}"))
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{}\n{} kernels",
        wrong.join("\n"),
        wrong.len()
    );
}

#[test]
fn kernels_with_tensors_agree_everywhere() {
    let folder = workspace().join("testbenches/tests/tensors");
    let files = std::fs::read_dir(&folder).expect("the kernels are there");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    let texts = files.iter().map(|file| read(file));
    let kernels = texts.flat_map(|text| {
        let parts = text.split("// -----").map(str::to_owned);
        parts.collect::<Vec<_>>()
    });
    let kernels: Vec<String> = kernels.collect();
    assert!(kernels.len() > 10, "only {} kernels", kernels.len());
    check_all(&kernels);
}

/// Functions of libraries, which the oracle computes with other last bits; `functions` of `random_floats` tests them.
const OF_LIBRARIES: [&str; 7] = ["exp", "log", "rsqrt", "tanh", "erf", "powf", "round"];

#[test]
fn named_operations_agree_everywhere() {
    let all = read(&workspace().join("dialects/tests/linalg/named.mlir"));
    let functions = all
        .split("\nfunc.func ")
        .filter(|text| !text.contains("tensor<3") && !text.contains(" -> tensor"));
    let kernels = functions.filter(|text| {
        let name = text.split_once("linalg.").map_or("", |(_, rest)| rest);
        let name = name.split([' ', '(']).next().unwrap_or_default();
        // Quotients by zero have no result.
        !(OF_LIBRARIES.contains(&name) || name.starts_with("div") && text.contains("xi32"))
    });
    let kernels: Vec<String> = kernels
        .map(|text| format!("func.func {}", text.trim_start_matches("func.func ")))
        .collect();
    assert!(kernels.len() > 150, "only {} kernels", kernels.len());
    let kernels: Vec<String> = sweep::every_nth(5, &kernels).into_iter().cloned().collect();
    check_all(&kernels);
}
