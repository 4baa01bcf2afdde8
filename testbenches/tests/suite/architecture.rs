//! The architecture rules: allowed dependences between crates, and what crates must not contain. They are checked on manifests
//! and sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each crate with its folder and the workspace crates that it may depend on.
const LAYERS: &[(&str, &str, &[&str])] = &[
    ("sluice-ods", "ir/ods", &[]),
    ("sluice-ir", "ir", &[]),
    ("sluice-dialects", "dialects", &["sluice-ir", "sluice-ods"]),
    (
        "sluice-oplib",
        "synth/oplib",
        &["sluice-ir", "sluice-dialects"],
    ),
    ("sluice-transform", "synth/transform", STAGE),
    ("sluice-rewrite", "synth/rewrite", STAGE),
    ("sluice-sat", "synth/sat", &[]),
    (
        "sluice-sequential",
        "synth/sequential",
        &["sluice-ir", "sluice-dialects", "sluice-sat"],
    ),
    ("sluice-schedule", "synth/schedule", SOLVED),
    ("sluice-netlist", "synth/netlist", STAGE),
    ("sluice-bind", "synth/bind", CIRCUITS),
    ("sluice-elastic", "synth/elastic", PROVED),
    (
        "sluice-reduce",
        "synth/reduce",
        &["sluice-ir", "sluice-dialects"],
    ),
    (
        "sluice-sim",
        "sim",
        &[
            "sluice-ir",
            "sluice-dialects",
            "sluice-oplib",
            "sluice-words",
        ],
    ),
    ("sluice-words", "sim/words", &[]),
    ("sluice-rtl-out", "rtl-out", STAGE),
    (
        "sluice-lsp",
        "synth/lsp",
        &["sluice-ir", "sluice-dialects", "sluice-config"],
    ),
    (
        "sluice-config",
        "synth/config",
        &[
            "sluice-ir",
            "sluice-dialects",
            "sluice-oplib",
            "sluice-elastic",
            "sluice-sequential",
        ],
    ),
    (
        "sluice-passes",
        "synth/passes",
        &["sluice-ir", "sluice-dialects", "sluice-transform"],
    ),
    (
        "sluice-techmap",
        "synth/techmap",
        &["sluice-ir", "sluice-dialects", "sluice-oplib", "sluice-sim"],
    ),
    ("sluice-kernel", "synth/kernel", KERNEL),
    ("sluice-verify", "synth/verify", VERIFY),
    ("sluice-report", "synth/report", REPORT),
    ("sluice-search", "synth/search", SEARCH),
];

/// Crates for reading a kernel, and for the data that a compiled kernel holds.
const KERNEL: &[&str] = &[
    "sluice-ir",
    "sluice-dialects",
    "sluice-oplib",
    "sluice-config",
    "sluice-passes",
    "sluice-techmap",
    "sluice-transform",
    "sluice-rtl-out",
];

/// Crates for running a kernel: no scheduler, no search.
const VERIFY: &[&str] = &[
    "sluice-ir",
    "sluice-dialects",
    "sluice-config",
    "sluice-transform",
    "sluice-elastic",
    "sluice-sim",
    "sluice-rtl-out",
    "sluice-kernel",
];

/// Crates for a report: it is made from attributes of a kernel's modules, from the problems of its scheduled blocks, and from runs.
const REPORT: &[&str] = &[
    "sluice-ir",
    "sluice-dialects",
    "sluice-oplib",
    "sluice-techmap",
    "sluice-transform",
    "sluice-schedule",
    "sluice-elastic",
    "sluice-sim",
    "sluice-kernel",
    "sluice-verify",
];

/// Crates that the search may use: everything but the tables of passes, which `flow` passes to it.
const SEARCH: &[&str] = &[
    "sluice-ir",
    "sluice-dialects",
    "sluice-oplib",
    "sluice-config",
    "sluice-techmap",
    "sluice-transform",
    "sluice-rewrite",
    "sluice-schedule",
    "sluice-elastic",
    "sluice-sequential",
    "sluice-sim",
    "sluice-kernel",
    "sluice-verify",
];

const STAGE: &[&str] = &["sluice-ir", "sluice-dialects", "sluice-oplib"];

/// Crates that a stage may use if it builds circuits.
const CIRCUITS: &[&str] = &[
    "sluice-ir",
    "sluice-dialects",
    "sluice-oplib",
    "sluice-netlist",
];

/// Crates that a stage may use if it searches with the SAT solver.
const SOLVED: &[&str] = &["sluice-ir", "sluice-dialects", "sluice-oplib", "sluice-sat"];

/// Crates that a stage may use if it builds circuits and proves properties of them.
const PROVED: &[&str] = &[
    "sluice-ir",
    "sluice-dialects",
    "sluice-oplib",
    "sluice-netlist",
    "sluice-sat",
];

/// External libraries, each with the only crate that may use it.
const CONFINED: &[(&str, &str)] = &[
    ("egg", "synth/rewrite"),
    ("quanta", "synth/rewrite"),
    ("batsat", "synth/sat"),
    ("good_lp", "synth/schedule"),
    ("microlp", "synth/schedule"),
    ("sv-parser", "rtl-out"),
    ("cranelift-codegen", "sim/words"),
    ("cranelift-frontend", "sim/words"),
    ("cranelift-jit", "sim/words"),
    ("cranelift-module", "sim/words"),
    ("cranelift-native", "sim/words"),
    ("iced-x86", "sim/words"),
    ("clap", "synth/cli"),
    ("clap_complete", "synth/cli"),
    ("clap_mangen", "synth/cli"),
    ("fst-writer", "synth/cli"),
    ("lz4_flex", "synth/cli"),
    ("miniz_oxide", "synth/cli"),
    ("indicatif", "synth/cli"),
    ("mimalloc", "synth/cli"),
    ("lsp-types", "synth/lsp"),
    ("regex", "synth/flow"),
    ("astro-float-num", "ir"),
    ("rust-sugiyama", "synth/report"),
    ("treemap", "synth/report"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
        .to_owned()
}

/// Returns the names under `[dependencies]` of a manifest.
fn dependencies(folder: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("a manifest");
    let section = text
        .split("[dependencies]")
        .nth(1)
        .expect("a list of dependencies");
    let section = section
        .split("\n[")
        .next()
        .expect("text before the next section");
    let names = section
        .lines()
        .filter_map(|line| line.split(['.', '=', ' ']).next());
    names
        .filter(|name| !name.is_empty() && !name.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

fn sources(folder: &Path, found: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&path).expect("a source");
            found.insert(path, text);
        }
    }
}

#[test]
fn crates_depend_only_on_lower_layers() {
    let mut wrong = Vec::new();
    for (name, folder, allowed) in LAYERS {
        for dependency in dependencies(folder) {
            if dependency.starts_with("sluice-") && !allowed.contains(&dependency.as_str()) {
                wrong.push(format!("{name} depends on {dependency}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn libraries_stay_in_their_rooms() {
    let mut wrong = Vec::new();
    let rest = ["synth/flow", "synth/cli", "testbenches"];
    for folder in LAYERS.iter().map(|(_, folder, _)| *folder).chain(rest) {
        for dependency in dependencies(folder) {
            for (library, room) in CONFINED {
                if dependency == *library && folder != *room {
                    wrong.push(format!("{folder} uses {library}, which belongs to {room}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Some crates do not build their own unit tests, to save a compilation; these must contain none.
#[test]
fn tests_are_where_they_are_run() {
    let mut wrong = Vec::new();
    let rest = ["synth/flow", "synth/cli", "testbenches"];
    for folder in LAYERS.iter().map(|(_, folder, _)| *folder).chain(rest) {
        let folder = root().join(folder);
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        if !manifest.contains("[lib]\ntest = false") {
            continue;
        }
        let mut found = BTreeMap::new();
        sources(&folder.join("src"), &mut found);
        let with_tests = found.iter().filter(|(_, text)| text.contains("#[test]"));
        wrong.extend(with_tests.map(|(path, _)| path.display().to_string()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_below_the_command_line_does_input_or_output() {
    const FORBIDDEN: &[&str] = &[
        "std::fs",
        "std::process",
        "std::env::",
        "std::io::",
        "std::net",
        "std::time::Instant",
        "Instant::now",
        "SystemTime",
        "println!(",
        "eprintln!(",
        "print!(",
        "std::collections::HashMap",
        "std::collections::HashSet",
        "#[ignore",
        "todo!(",
        "unimplemented!(",
    ];
    let mut wrong = Vec::new();
    for folder in LAYERS
        .iter()
        .map(|(_, folder, _)| *folder)
        .chain(["synth/flow"])
    {
        let mut found = BTreeMap::new();
        sources(&root().join(folder).join("src"), &mut found);
        for (path, text) in found {
            for (i, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                for word in FORBIDDEN.iter().filter(|word| code.contains(**word)) {
                    wrong.push(format!("{}:{}: `{word}`", path.display(), i + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files of the command line that read input directly, each with the reason.
const READERS: &[(&str, &str)] = &[
    ("limiting.rs", "reads up to a limit, and a file of /proc"),
    ("clock.rs", "reads files of /proc"),
    ("commands/lsp/mod.rs", "reads the messages of an editor"),
    ("identity.rs", "reads the running program for its hash"),
    ("models/store.rs", "reads models for their checksums"),
    ("processes.rs", "reads what a program has printed"),
    ("tools/mod.rs", "reads what its tools write"),
    ("tools/flow.rs", "reads what its tools write"),
];

#[test]
fn every_file_of_a_user_is_read_up_to_a_limit() {
    let folder = root().join("synth/cli/src");
    let mut found = BTreeMap::new();
    sources(&folder, &mut found);
    let mut wrong = Vec::new();
    let mut readers = Vec::new();
    for (path, text) in found {
        let name = path.strip_prefix(&folder).expect("it is in the folder");
        let name = name.display().to_string();
        let reads = [
            "fs::read(",
            "read_to_string(",
            "File::open(",
            "read_to_end(",
            "stdin()",
        ];
        let has_reads = reads.iter().any(|read| text.contains(read));
        match READERS.iter().any(|(known, _)| *known == name) {
            true if has_reads => readers.push(name),
            true => wrong.push(format!("{name} reads nothing any more")),
            false if has_reads => wrong.push(format!(
                "{name} reads a file without a limit: `limiting::read_at_most` has one"
            )),
            false => {}
        }
    }
    assert_eq!(readers.len(), READERS.len(), "{readers:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Outside of its declaration, an operation's name must be written as the constant `NAME` of the declaration, so that a misspelt
/// name does not compile.
#[test]
fn operations_are_named_by_their_declarations() {
    let dialects = sluice_dialects::all().iter();
    let groups = dialects.flat_map(|dialect| dialect.operations.iter());
    let declared: BTreeSet<&str> = groups
        .flat_map(|group| group.iter())
        .map(|op| op.name)
        .collect();
    assert!(declared.len() > 300, "{} operations", declared.len());
    let mut found = BTreeMap::new();
    for folder in ["synth", "sim", "rtl-out"] {
        sources(&root().join(folder), &mut found);
    }
    let mut wrong = Vec::new();
    for (path, text) in found {
        let is_test =
            path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs");
        if is_test {
            continue;
        }
        let code = text
            .split("#[cfg(test)]\nmod tests")
            .next()
            .unwrap_or_default();
        for (i, line) in code.lines().enumerate() {
            let line = line.split("//").next().unwrap_or_default();
            let strings = line.split('"').skip(1).step_by(2);
            for name in strings.filter(|name| declared.contains(name)) {
                wrong.push(format!("{}:{}: \"{name}\"", path.display(), i + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every limit must be compared with something, otherwise it has no effect.
#[test]
fn every_limit_is_asked_for() {
    let mut found = BTreeMap::new();
    for folder in ["ir/src", "dialects/src", "synth", "sim/src", "rtl-out/src"] {
        sources(&root().join(folder), &mut found);
    }
    let table = found
        .remove(&root().join("ir/src/limits.rs"))
        .expect("the table of the limits");
    let rows: Vec<&str> = table
        .lines()
        .filter_map(|line| line.trim().strip_prefix("limit: Limit::"))
        .map(|row| row.trim_end_matches(','))
        .collect();
    assert!(rows.len() > 20, "the rows of the table: {rows:?}");
    let asks = |text: &String, row: &str| {
        let name = format!("Limit::{row}");
        let mut behind = text.split(&name).skip(1);
        behind.any(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    };
    let silent: Vec<_> = rows
        .into_iter()
        .filter(|row| !found.values().any(|text| asks(text, row)))
        .collect();
    assert!(silent.is_empty(), "nothing compares with {silent:?}");
}

/// The command line may write files and print only through the files that clean names and texts.
#[test]
fn files_and_terminals_have_one_door() {
    /// Functions that create, rename or fill files, and the files that may use them.
    const WRITES: (&[&str], &[&str]) = (
        &[
            "fs::write",
            "fs::rename",
            "fs::copy",
            "fs::create_dir",
            "fs::hard_link",
            "File::create",
            "OpenOptions",
            "persist(",
        ],
        &["files.rs", "models/store.rs", "models/mod.rs"],
    );
    /// Functions that print, and the files that may use them.
    const PRINTS: (&[&str], &[&str]) = (
        &["println!(", "print!(", "io::stdout()", "io::stderr()"],
        &["output.rs", "clock.rs", "commands/lsp/mod.rs"],
    );
    let folder = root().join("synth/cli/src");
    let mut found = BTreeMap::new();
    sources(&folder, &mut found);
    let mut wrong = Vec::new();
    for (path, text) in found {
        let name = path.strip_prefix(&folder).expect("a file of the folder");
        let name = name.to_string_lossy();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (i, line) in code.lines().enumerate() {
            let line = line.split("//").next().unwrap_or_default();
            let mut say =
                |what: &str| wrong.push(format!("synth/cli/src/{name}:{}: {what}", i + 1));
            for (words, rooms) in [WRITES, PRINTS] {
                for word in words {
                    if line.contains(word) && !rooms.contains(&&*name) {
                        say(&format!("`{word}` belongs into {}", rooms.join(", ")));
                    }
                }
            }
            if name != "files.rs" && joins_a_name(line) {
                say(
                    "a path is joined with a name that is not written there: `files::within` does that",
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns whether a line calls `join` with an argument that is not a literal. Joining a thread has no argument.
fn joins_a_name(line: &str) -> bool {
    let mut joins = line.split(".join(").skip(1);
    joins.any(|rest| !rest.starts_with(['"', '\'', ')']))
}

#[test]
fn joins_are_distinguished() {
    for (line, expected) in [
        ("folder.join(name)", true),
        ("folder.join(format!(\"{name}.v\"))", true),
        ("folder.join(\"points\").join(top)", true),
        ("folder.join(\"points\")", false),
        ("lines.join(\"; \")", false),
        ("thread.join()", false),
    ] {
        assert_eq!(joins_a_name(line), expected, "{line}");
    }
}
