//! The text form: files that parse, print and parse back, files with errors, and damaged files.
//!
//! `text/round_trip/*.mlir` are printed and compared with the `.out` file next to them (`UPDATE_EXPECT=1` rewrites it); the first
//! line gives the options. The printed text, in any form, parses back to the same text. `text/errors/*.mlir` mark each error with
//! `//~ error: message` on its line.

mod text_dialect;

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use sluice_ir::text::{PrintOptions, ValueNames, parse_module, print_module};
use sluice_ir::{Context, Diagnostics};

fn context() -> Context {
    let mut dialects = sluice_dialects::all().to_vec();
    dialects.push(&text_dialect::DIALECT);
    let mut context = Context::new(&dialects);
    context.allow_unregistered = true;
    context
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/text")
        .join(folder);
    let entries = std::fs::read_dir(&folder).expect("the folder of test files is there");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "mlir")
    });
    files.sort();
    assert!(!files.is_empty(), "no test files in {}", folder.display());
    files
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn print(source: &str, file: &Path, options: &PrintOptions) -> String {
    let context = context();
    let mut diagnostics = Diagnostics::new();
    let name = file
        .file_name()
        .expect("a file has a name")
        .to_string_lossy();
    let module = parse_module(&context, source, &name, &mut diagnostics);
    let module =
        module.unwrap_or_else(|| panic!("{}: {}", file.display(), diagnostics.to_text(&context)));
    print_module(&context, &module, options)
}

fn options(header: &str) -> PrintOptions {
    let mut options = PrintOptions::default();
    for word in header.trim_start_matches("// options:").split_whitespace() {
        match word {
            "generic" => options.generic = true,
            "locations" => options.locations = true,
            "source" => options.value_names = ValueNames::Source,
            "local" => options.local_scope = true,
            "default" => {}
            _ => panic!("unknown option `{word}` in `{header}`"),
        }
    }
    options
}

#[test]
fn files_print_as_expected() {
    for file in files("round_trip") {
        let source = read(&file);
        let header = source.lines().next().unwrap_or_default();
        assert!(
            header.starts_with("// options:"),
            "{}:1: no options in the first line",
            file.display()
        );
        let printed = print(&source, &file, &options(header));
        let expected = file.with_extension("out");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&expected, &printed).expect("the folder is writable");
        }
        let expected = read(&expected);
        let difference = expected
            .lines()
            .zip(printed.lines())
            .position(|(a, b)| a != b);
        assert!(
            expected == printed,
            "{}: line {:?} differs\n{printed}\nrepeat: cargo test -p sluice-ir --test suite text\naccept: UPDATE_EXPECT=1",
            file.display(),
            difference.map(|line| line + 1)
        );
    }
}

#[test]
fn what_is_printed_parses_back() {
    for file in files("round_trip") {
        let source = read(&file);
        for generic in [false, true] {
            for value_names in [ValueNames::Numbered, ValueNames::Source] {
                for (locations, local_scope) in [(false, false), (true, false), (true, true)] {
                    let options = PrintOptions {
                        generic,
                        value_names,
                        locations,
                        local_scope,
                        ..PrintOptions::default()
                    };
                    let first = print(&source, &file, &options);
                    let second = print(&first, &file, &options);
                    assert_eq!(first, second, "{} with {options:?}", file.display());
                }
            }
        }
    }
}

#[test]
fn generic_and_custom_forms_mean_the_same() {
    for file in files("round_trip") {
        let source = read(&file);
        let custom = PrintOptions::default();
        let generic = PrintOptions {
            generic: true,
            ..custom
        };
        let direct = print(&source, &file, &custom);
        let around = print(&print(&source, &file, &generic), &file, &custom);
        assert_eq!(direct, around, "{}", file.display());
    }
}

#[test]
fn errors_stand_where_they_are_marked() {
    for file in files("errors") {
        let source = read(&file);
        let context = context();
        let mut diagnostics = Diagnostics::new();
        let module = parse_module(&context, &source, "t", &mut diagnostics);
        assert!(module.is_none(), "{}: no error", file.display());
        let mut found: Vec<(u32, String)> = Vec::new();
        for diagnostic in &diagnostics.all {
            let (_, line, _) = diagnostic
                .location
                .file_line_column(&context)
                .expect("errors have a place");
            found.push((line, diagnostic.message.clone()));
        }
        found.sort();
        let mut expected: Vec<(u32, String)> = Vec::new();
        for (number, line) in (1..).zip(source.lines()) {
            for message in line.split("//~ error: ").skip(1) {
                expected.push((number, message.trim().to_owned()));
            }
        }
        expected.sort();
        let fits = |(a, b): (&(u32, String), &(u32, String))| a.0 == b.0 && b.1.contains(&a.1);
        let all_fit = expected.len() == found.len() && expected.iter().zip(&found).all(fits);
        assert!(
            all_fit,
            "{}:\nexpected {expected:#?}\nfound {found:#?}",
            file.display()
        );
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let context = context();
    let deep = |open: &str, close: &str, n: usize| format!("{}{}", open.repeat(n), close.repeat(n));
    let n = 100_000;
    let sources = [
        format!("\"t.a\"() {{a = {}}} : () -> ()", deep("[", "]", n)),
        format!("\"t.a\"() {{a = {}}} : () -> ()", deep("{a = ", "}", n)),
        format!(
            "\"t.a\"() {{a = affine_map<() -> ({})>}} : () -> ()",
            deep("(", ")", n)
        ),
        format!(
            "\"t.a\"() {{a = affine_map<() -> ({}1)>}} : () -> ()",
            "-".repeat(n)
        ),
        format!(
            "\"t.a\"() {{a = affine_map<(d0)[s0] -> (d0{})>}} : () -> ()",
            " mod s0".repeat(n)
        ),
        format!(
            "\"t.a\"() {{a = dense<{}> : tensor<1xi8>}} : () -> ()",
            deep("[", "]", n)
        ),
        format!("\"t.a\"() : () -> {}", "tuple<".repeat(n)),
        format!("\"t.a\"() : () -> {}", "(".repeat(n)),
        format!("\"t.a\"() : () -> {}", "memref<".repeat(n)),
        format!("\"t.a\"() : () -> () loc({}", "fused[".repeat(n)),
        "\"t.a\"() ({\n".repeat(n),
        "module {\n".repeat(n),
    ];
    for source in sources {
        let mut diagnostics = Diagnostics::new();
        assert!(
            parse_module(&context, &source, "t", &mut diagnostics).is_none(),
            "{}",
            &source[..60]
        );
        assert!(diagnostics.has_errors());
    }
}

#[test]
fn types_and_attributes_parse_alone() {
    let context = context();
    for text in [
        "i32",
        "memref<4x?xi8, 2>",
        "(i1) -> ()",
        "!test.box<f32>",
        "tensor<2x!t.foo<[a]>>",
    ] {
        let ty = sluice_ir::text::parse_type(&context, text).expect("a type");
        assert_eq!(sluice_ir::text::print_type(&context, ty), text);
    }
    for text in [
        "5 : i8",
        "[1, true]",
        "#test.modes<fast, small>",
        "dense<[1, 2]> : vector<2xi4>",
    ] {
        let attribute = sluice_ir::text::parse_attribute(&context, text).expect("an attribute");
        assert_eq!(sluice_ir::text::print_attribute(&context, attribute), text);
    }
    assert!(sluice_ir::text::parse_type(&context, "i32 i32").is_err());
    assert!(sluice_ir::text::parse_attribute(&context, "").is_err());
}

/// Returns all test files one after the other.
fn corpus() -> Vec<Vec<u8>> {
    files("round_trip")
        .into_iter()
        .chain(files("errors"))
        .map(|file| read(&file).into_bytes())
        .collect()
}

/// One change of a file: the position (as a part of its length), the kind, and a byte or a distance.
type Change = (prop::sample::Index, u8, u8);

fn damage(mut text: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    const PIECES: [&str; 16] = [
        "{", "}", "(", ")", "[", "]", "<", ">", "%0", "^bb0", "#map", "!a", "\"", ":", "->", "loc(",
    ];
    for (at, kind, byte) in changes {
        if text.is_empty() {
            return text;
        }
        let at = at.index(text.len());
        match kind % 5 {
            0 => text[at] = *byte,
            1 => {
                text.remove(at);
            }
            2 => text.insert(at, *byte),
            3 => {
                let piece = PIECES[usize::from(*byte) % PIECES.len()].bytes();
                text.splice(at..at, piece);
            }
            _ => {
                let end = (at + usize::from(*byte)).min(text.len());
                text.drain(at..end);
            }
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Damaged files are parsed, or rejected with an error; accepted files print without panic.
    #[test]
    fn damaged_files_never_panic(
        file in any::<prop::sample::Index>(),
        changes in prop::collection::vec(any::<Change>(), 1..6),
    ) {
        let corpus = corpus();
        let damaged = damage(corpus[file.index(corpus.len())].clone(), &changes);
        let source = String::from_utf8_lossy(&damaged);
        let context = context();
        let mut diagnostics = Diagnostics::new();
        match parse_module(&context, &source, "t", &mut diagnostics) {
            Some(module) => {
                print_module(&context, &module, &PrintOptions { generic: true, ..PrintOptions::default() });
            }
            None => prop_assert!(diagnostics.has_errors()),
        }
    }
}
