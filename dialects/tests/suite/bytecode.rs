//! Bytecode round trip: a written module is read back unchanged, and invalid bytecode is an error, never a panic.

use std::path::{Path, PathBuf};

use sluice_ir::bytecode::{VERSION, WriteOptions, read, write};
use sluice_ir::text::{PrintOptions, parse_module, print_module};
use sluice_ir::{Context, Diagnostics, Module, verifier};

fn context() -> Context {
    let mut context = sluice_dialects::context();
    context.allow_unregistered = true;
    context
}

/// Returns the inputs of the conformance cases, and the examples.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["ir/tests/conformance/cases", "examples"] {
        for entry in std::fs::read_dir(root.join(folder)).expect("the folder is there") {
            let path = entry.expect("a readable folder").path();
            let path = if path.is_dir() {
                path.join("kernel.mlir")
            } else {
                path
            };
            if path
                .extension()
                .is_some_and(|extension| extension == "mlir")
                && path.exists()
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Returns the module in a file, if it has no error.
fn module(context: &Context, file: &Path) -> Option<Module> {
    let source = String::from_utf8(std::fs::read(file).expect("a readable file")).ok()?;
    let mut diagnostics = Diagnostics::new();
    let module = parse_module(context, &source, "input.mlir", &mut diagnostics)?;
    verifier::verify(context, &module, &mut diagnostics);
    (!diagnostics.has_errors()).then_some(module)
}

fn text(context: &Context, module: &Module) -> String {
    let options = PrintOptions {
        locations: true,
        ..PrintOptions::default()
    };
    print_module(context, module, &options)
}

#[test]
fn what_is_written_is_read_as_the_same() {
    let mut count = 0;
    for file in files() {
        let context = context();
        let Some(module) = module(&context, &file) else {
            continue;
        };
        count += 1;
        let wanted = text(&context, &module);
        let has_properties = wanted.contains("<{");
        for version in 0..=VERSION {
            if has_properties && version < 5 {
                // Properties of unregistered operations are attributes there.
                continue;
            }
            let options = WriteOptions {
                version,
                ..WriteOptions::default()
            };
            let data = write(&context, &module, &options).expect("the version exists");
            let fresh = self::context();
            let mut diagnostics = Diagnostics::new();
            let back = read(&fresh, &data, "input.mlir", &mut diagnostics);
            let back = back.unwrap_or_else(|| {
                panic!(
                    "{} v{version}: {}",
                    file.display(),
                    diagnostics.to_text(&fresh)
                )
            });
            let found = text(&fresh, &back);
            assert_eq!(found, wanted, "{} v{version}", file.display());
            let again = write(&fresh, &back, &options).expect("the version exists");
            assert_eq!(again.len(), data.len(), "{} v{version}", file.display());
        }
    }
    assert!(count > 120, "only {count} files are read");
}

/// Each `tests/newer/stored_NN.mlirbc` is what MLIR NN made of the `.mlir` file next to it.
#[test]
fn files_of_newer_versions_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/newer");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder is there") {
        let path = entry.expect("a readable folder").path();
        if path
            .extension()
            .is_none_or(|extension| extension != "mlirbc")
        {
            continue;
        }
        count += 1;
        let stored = std::fs::read(&path).expect("a readable file");
        let context = context();
        let source = path.with_extension("mlir");
        let name = source.file_name().and_then(std::ffi::OsStr::to_str);
        let name = format!("newer/{}", name.expect("a name in UTF-8"));
        let source = std::fs::read_to_string(&source).expect("a readable file");
        let mut diagnostics = Diagnostics::new();
        let wanted = parse_module(&context, &source, &name, &mut diagnostics);
        let wanted = text(&context, &wanted.expect("the text is valid"));
        let found = read(&context, &stored, "input.mlirbc", &mut diagnostics);
        let found = found
            .unwrap_or_else(|| panic!("{}: {}", path.display(), diagnostics.to_text(&context)));
        assert_eq!(text(&context, &found), wanted, "{}", path.display());
        for at in (0..stored.len()).step_by(3) {
            let mut damaged = stored.clone();
            damaged[at] = damaged[at].wrapping_add(2);
            try_all(&damaged);
        }
    }
    assert!(count >= 4, "only {count} files are read");
}

/// Returns the first message about `data`, which must be refused.
fn refusal(data: &[u8]) -> String {
    let context = context();
    let mut diagnostics = Diagnostics::new();
    let module = read(&context, data, "input.mlirbc", &mut diagnostics);
    assert!(module.is_none(), "the file is refused");
    diagnostics
        .to_text(&context)
        .lines()
        .next()
        .map(str::to_owned)
        .expect("a refusal says why")
}

/// A file of a version that is not known says who made it, and which part of it is new.
#[test]
fn an_unknown_version_is_named() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/newer");
    let stored = std::fs::read(folder.join("stored_22.mlirbc")).expect("a readable file");
    // The version is the first number after the four bytes of the magic number.
    let mut newer = stored.clone();
    newer[4] = (7 << 1) | 1;
    assert_eq!(
        refusal(&newer),
        "input.mlirbc: error: bytecode version 7 is newer than the current version 6 (MLIR22.0.0git made the file) \
         (section header, byte 19)"
    );
    // An operation that is not declared here.
    let at = stored
        .windows(7)
        .position(|part| part == b"clampf\0")
        .expect("the file names the operation");
    let mut unknown = stored.clone();
    unknown[at..at + 6].copy_from_slice(b"clampq");
    assert_eq!(
        refusal(&unknown),
        "input.mlirbc: error: operation 'math.clampq' was registered where the file was made (MLIR22.0.0git made the file), \
         but is not here (section Dialect, byte 49)"
    );
}

#[test]
fn a_version_that_does_not_exist_is_an_error() {
    let context = context();
    let mut diagnostics = Diagnostics::new();
    let module =
        parse_module(&context, "", "input.mlir", &mut diagnostics).expect("an empty module");
    let options = WriteOptions {
        version: VERSION + 1,
        ..WriteOptions::default()
    };
    let why = write(&context, &module, &options).expect_err("there is no such version");
    assert_eq!(
        why.to_string(),
        "unsupported version requested 7, must be in range [0, 6]"
    );
}

/// Reads, verifies and prints: each step may report an error, none may panic.
fn try_all(data: &[u8]) {
    let context = context();
    let mut diagnostics = Diagnostics::new();
    if let Some(module) = read(&context, data, "input", &mut diagnostics) {
        verifier::verify(&context, &module, &mut diagnostics);
        if !diagnostics.has_errors() {
            text(&context, &module);
        }
    } else {
        assert!(diagnostics.has_errors(), "a refusal says why");
    }
}

#[test]
fn damaged_files_are_errors() {
    let small: Vec<PathBuf> = files()
        .into_iter()
        .filter(|file| std::fs::metadata(file).is_ok_and(|data| data.len() < 700))
        .step_by(7)
        .collect();
    for file in small {
        let context = context();
        let Some(module) = module(&context, &file) else {
            continue;
        };
        let data = write(&context, &module, &WriteOptions::default()).expect("the version exists");
        for length in 0..data.len() {
            try_all(&data[..length]);
        }
        let mut damaged = data.clone();
        for at in 0..data.len() {
            for change in [0x01, 0x02, 0x80, 0xFF] {
                damaged[at] = data[at] ^ change;
                try_all(&damaged);
            }
            damaged[at] = data[at];
        }
    }
}
