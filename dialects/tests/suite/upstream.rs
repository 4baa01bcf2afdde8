//! Operations of upstream's dialects, valid and invalid, compared with the output of mlir-opt 19.
//!
//! `<dialect>/<name>.mlir` holds parts separated by `// -----`. The `.out` file next to it holds the output of mlir-opt for each
//! part: the printed module, or `error at LINE:COLUMN: message`. `record.sh` writes these files; this test does not need
//! mlir-opt. For the dialects of circuits, `record_circt.py` uses CIRCT instead; its wheel lacks `ssp`, so the outputs for `ssp`
//! are written by hand from its documentation. The files in `newer` are recorded with opts of MLIR 20 and later. The parts of a file with an `.irdl` file next to it use the dialects that the
//! `.irdl` file defines; those in `definitions` are themselves definitions, which are loaded. `differences.txt` lists the parts
//! where Sluice differs, on purpose or not yet: file, number of the part, reason.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sluice_ir::bytecode;
use sluice_ir::text::{PrintOptions, parse_module, print_module};
use sluice_ir::{Context, Diagnostics, Module};

const MARKER: &str = "// -----\n";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the files `<dialect>/<name>.mlir`, sorted.
fn files() -> Vec<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).expect("the folder of the tests is there");
        entries
            .map(|entry| entry.expect("a folder can be read").path())
            .collect()
    };
    let mut files: Vec<PathBuf> = entries(&folder())
        .iter()
        .filter(|path| path.is_dir())
        .flat_map(|dialect| entries(dialect))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "mlir")
        })
        .collect();
    files.sort();
    files
}

/// Loads the dialects that `source` defines.
fn load(context: &mut Context, source: &str, diagnostics: &mut Diagnostics) {
    if let Some(module) = parse_module(context, source, "part.mlir", diagnostics) {
        sluice_ir::verifier::verify(context, &module, diagnostics);
        if !diagnostics.has_errors() {
            sluice_dialects::irdl::load(context, &module, diagnostics);
        }
    }
}

/// Returns the output of Sluice for one part of the file at `path`.
fn answer(path: &Path, source: &str) -> String {
    let mut context = sluice_dialects::context();
    let mut diagnostics = Diagnostics::new();
    let mut source = source;
    let definitions = path.with_extension("irdl");
    if definitions.exists() {
        load(&mut context, &read(&definitions), &mut diagnostics);
        assert!(
            !diagnostics.has_errors(),
            "{}",
            diagnostics.to_text(&context)
        );
    }
    if path
        .parent()
        .is_some_and(|folder| folder.ends_with("definitions"))
    {
        load(&mut context, source, &mut diagnostics);
        source = "";
    }
    context.allow_unregistered = true;
    let module = parse_module(&context, source, "part.mlir", &mut diagnostics);
    if let Some(module) = &module {
        sluice_ir::verifier::verify(&context, module, &mut diagnostics);
        returns_from_bytecode(&context, module, &diagnostics);
    }
    if diagnostics.has_errors() {
        let text = diagnostics.to_text(&context);
        let first = text.lines().next().unwrap_or_default();
        let first = first.strip_prefix("part.mlir:").unwrap_or(first);
        return format!("error at {}", first.replacen(": error: ", ": ", 1));
    }
    match module {
        Some(module) => print_module(&context, &module, &PrintOptions::default()),
        None => String::new(),
    }
}

/// Checks that a valid module is unchanged after a bytecode round trip.
fn returns_from_bytecode(context: &Context, module: &Module, diagnostics: &Diagnostics) {
    if diagnostics.has_errors() {
        return;
    }
    let bytes = bytecode::write(context, module, &bytecode::WriteOptions::default());
    let bytes = bytes.expect("the version is known");
    let mut diagnostics = Diagnostics::new();
    let back = bytecode::read(context, &bytes, "part.mlirbc", &mut diagnostics);
    let back = back.unwrap_or_else(|| panic!("{}", diagnostics.to_text(context)));
    let text = |module| print_module(context, module, &PrintOptions::default());
    assert_eq!(text(&back), text(module));
}

#[test]
fn we_answer_as_mlir_opt_does() {
    let listed = folder().join("differences.txt");
    let mut known: BTreeMap<(String, usize), String> = BTreeMap::new();
    for line in read(&listed).lines() {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().expect("file, number and reason").to_owned();
        let (file, number) = (word(), word());
        let number = number.parse().expect("a part has a number");
        known.insert((file, number), word());
    }
    let mut problems = Vec::new();
    for path in files() {
        let file = path.strip_prefix(folder()).expect("it is in the folder");
        let file = file.display().to_string();
        let (source, recorded) = (read(&path), read(&path.with_extension("out")));
        let (sources, answers): (Vec<_>, Vec<_>) = (
            source.split(MARKER).collect(),
            recorded.split(MARKER).collect(),
        );
        assert_eq!(sources.len(), answers.len(), "{file}: run record.sh");
        for (number, (source, theirs)) in sources.iter().zip(answers).enumerate() {
            let ours = answer(&path, source);
            let agrees = ours.trim_end() == theirs.trim_end();
            match (agrees, known.remove(&(file.clone(), number))) {
                (true, None) | (false, Some(_)) => {}
                (true, Some(_)) => {
                    problems.push(format!("{file} {number}: agrees now, take it off the list"))
                }
                (false, None) => problems.push(format!(
                    "{file} {number}:\n{}\nours:\n{}\nmlir-opt:\n{}",
                    source.trim_end(),
                    ours.trim_end(),
                    theirs.trim_end()
                )),
            }
        }
    }
    for ((file, number), _) in known {
        problems.push(format!("{file} {number}: there is no such part"));
    }
    assert!(
        problems.is_empty(),
        "{}\n{} problems\nrepeat: cargo test -p sluice-dialects --test suite upstream\naccept: dialects/tests/record.sh, or a line in {}",
        problems.join("\n\n"),
        problems.len(),
        listed.display()
    );
}

#[test]
fn every_operation_stands_in_a_file() {
    let all: String = files().iter().map(|path| read(path)).collect();
    let declared = sluice_dialects::all().iter();
    let upstream = [
        "affine",
        "arc",
        "arith",
        "builtin",
        "cf",
        "comb",
        "fsm",
        "func",
        "handshake",
        "hw",
        "index",
        "irdl",
        "llvm",
        "math",
        "memref",
        "scf",
        "seq",
        "ssp",
        "ub",
    ];
    let names = declared
        .filter(|dialect| upstream.contains(&dialect.name))
        .flat_map(|dialect| dialect.operations.iter().flat_map(|group| group.iter()))
        .map(|definition| definition.name);
    let short = |name: &str| match name.split_once('.') {
        Some(("func", rest)) => format!(" {rest} "),
        Some(("builtin", "module")) => "module".to_owned(),
        Some(("handshake", "memory" | "extmemory")) => "memory[".to_owned(),
        Some(("handshake", rest)) => format!(" {rest}"),
        Some(("ssp", rest)) => format!(" {rest}"),
        _ => name.to_owned(),
    };
    let missing: Vec<_> = names
        .filter(|name| !all.contains(name) && !all.contains(&short(name)))
        .collect();
    assert!(missing.is_empty(), "no file holds {missing:?}");
}
