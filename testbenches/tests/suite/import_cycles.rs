//! Cycles of imports between files: files in a cycle must be read together, so only small cycles and the listed ones are allowed.
//!
//! A folder is one unit: imports of its files from the file of the folder itself do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A known cycle: its crate, the common path of its files, their number, and the reason.
type Known = (&'static str, &'static str, usize, &'static str);

/// Known cycles of more than [`MAX_FILES`] files.
const KNOWN: &[Known] = &[(
    "ir",
    "",
    52,
    "a context holds definitions of operations, whose functions read, print and verify bodies in that context",
)];

/// The most files of a cycle that is not listed.
const MAX_FILES: usize = 3;

fn root() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    folder.expect("the workspace").to_owned()
}

/// A module, by the segments of its path from the root of the crate.
type Module = Vec<String>;

/// Collects the modules of a crate with their texts, without tests.
fn modules(source: &Path, folder: &Path, found: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.unwrap_or_default();
        if path.is_dir() {
            if name != "tests" {
                modules(source, &path, found);
            }
            continue;
        }
        if !name.ends_with(".rs") || name.ends_with("tests.rs") {
            continue;
        }
        let below = path.strip_prefix(source).expect("it is in the folder");
        let below = below.with_extension("");
        let mut module: Module = below
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        if module
            .last()
            .is_some_and(|last| ["lib", "main", "mod"].contains(&last.as_str()))
        {
            module.pop();
        }
        let text = fs::read_to_string(&path).expect("a source");
        let text = text.split("#[cfg(test)]\nmod tests").next();
        let lines = text.unwrap_or_default().lines();
        let code: Vec<&str> = lines
            .map(|line| line.split("//").next().unwrap_or_default())
            .collect();
        found.insert(module, code.join("\n"));
    }
}

/// Returns the paths in a text that begin with `crate`, `super`, `self`, or a child module; a list in braces gives several paths.
fn paths(text: &str, children: &[&str]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    while let Some(at) = rest.find(is_word) {
        let begins = rest[..at].ends_with("::");
        rest = &rest[at..];
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let word = &rest[..end];
        let is_path = rest[end..].starts_with("::")
            && !begins
            && (["crate", "super", "self"].contains(&word) || children.contains(&word));
        if !is_path {
            rest = &rest[end..];
            continue;
        }
        let mut prefix = vec![word.to_owned()];
        rest = &rest[end..];
        while let Some(next) = rest.strip_prefix("::") {
            let end = next.find(|c| !is_word(c)).unwrap_or(next.len());
            if end == 0 {
                rest = next;
                break;
            }
            prefix.push(next[..end].to_owned());
            rest = &next[end..];
        }
        match rest.strip_prefix('{') {
            Some(list) => {
                let list = list.split('}').next().unwrap_or_default();
                for item in list.split(',') {
                    let mut path = prefix.clone();
                    path.extend(item.trim().split("::").map(str::to_owned));
                    found.push(path);
                }
            }
            None => found.push(prefix),
        }
    }
    found
}

/// Returns the modules from which each module imports.
fn imports(all: &BTreeMap<Module, String>) -> BTreeMap<&Module, BTreeSet<&Module>> {
    let resolve = |own: &Module, path: Vec<String>| {
        let mut base = own.clone();
        let mut parts = path.into_iter().peekable();
        if parts.next_if(|part| part == "crate").is_some() {
            base.clear();
        }
        while let Some(part) = parts.next_if(|part| part == "super" || part == "self") {
            if part == "super" {
                base.pop();
            }
        }
        base.extend(parts);
        (0..=base.len())
            .rev()
            .find_map(|n| all.get_key_value(&base[..n]).map(|(module, _)| module))
    };
    all.iter()
        .map(|(module, text)| {
            let children = all.keys().filter(|other| {
                other.len() == module.len() + 1 && other.starts_with(module.as_slice())
            });
            let children: Vec<&str> = children
                .filter_map(|child| Some(child.last()?.as_str()))
                .collect();
            let imported = paths(text, &children).into_iter();
            let imported = imported.filter_map(|path| resolve(module, path));
            (
                module,
                imported
                    .filter(|other| !module.starts_with(other))
                    .collect(),
            )
        })
        .collect()
}

/// Returns the modules that are reachable from a module.
fn reached<'a>(
    from: &'a Module,
    imports: &BTreeMap<&'a Module, BTreeSet<&'a Module>>,
) -> BTreeSet<&'a Module> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for next in imports[module].iter().copied() {
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen
}

/// Returns the cycles of a crate with more than [`MAX_FILES`] files, each with the common path of its files.
fn cycles(folder: &Path) -> Vec<(String, Vec<String>)> {
    let mut all = BTreeMap::new();
    modules(folder, folder, &mut all);
    let imports = imports(&all);
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = all
        .keys()
        .map(|module| (module, reached(module, &imports)))
        .collect();
    let cycle = |module: &Module| -> Vec<&Module> {
        let others = reached[module].iter().copied();
        others
            .filter(|other| reached[other].contains(module))
            .collect()
    };
    let found: BTreeSet<Vec<&Module>> = all.keys().map(cycle).collect();
    let large = found.into_iter().filter(|cycle| cycle.len() > MAX_FILES);
    large
        .map(|cycle| {
            let first = cycle[0];
            let is_shared = |n: &usize| cycle.iter().all(|other| other.starts_with(&first[..*n]));
            let n_shared = (0..=first.len()).rev().find(is_shared).unwrap_or(0);
            let names = cycle.iter().map(|module| match module.is_empty() {
                true => "the root".to_owned(),
                false => module.join("::"),
            });
            (first[..n_shared].join("::"), names.collect())
        })
        .collect()
}

#[test]
fn cycles_of_imports_are_small_or_listed() {
    let folders = [
        "ir",
        "ir/ods",
        "dialects",
        "rtl-out",
        "sim",
        "sim/words",
        "testbenches",
    ];
    let mut folders: Vec<String> = folders.map(str::to_owned).into();
    let crates = fs::read_dir(root().join("synth")).expect("the folder of crates");
    let crates = crates.map(|entry| entry.expect("an entry").file_name());
    folders.extend(crates.map(|name| format!("synth/{}", name.to_string_lossy())));
    folders.sort();
    let mut wrong = Vec::new();
    let mut listed: Vec<(&str, &str, usize)> = Vec::new();
    for folder in &folders {
        for (shared, files) in cycles(&root().join(folder).join("src")) {
            let is_this = |(known, path, n_files, _): &&Known| {
                known == folder && *path == shared && *n_files == files.len()
            };
            match KNOWN.iter().find(is_this) {
                Some((known, path, n_files, _)) => listed.push((known, path, *n_files)),
                None => wrong.push(format!(
                    "{folder}: a circle of {} files in `{shared}`: {}",
                    files.len(),
                    files.join(", ")
                )),
            }
        }
    }
    let is_gone = |(known, path, n_files, _): &&Known| !listed.contains(&(*known, *path, *n_files));
    for (known, path, n_files, _) in KNOWN.iter().filter(is_gone) {
        wrong.push(format!(
            "{known}: there is no circle of {n_files} files in `{path}` any more"
        ));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn paths_are_found() {
    let text = "use crate::a::{b, c::d};\nfn f(x: super::g::H) { sub::k(); a::sub::no() }";
    let found: Vec<String> = paths(text, &["sub"])
        .iter()
        .map(|path| path.join("::"))
        .collect();
    assert_eq!(
        found,
        ["crate::a::b", "crate::a::c::d", "super::g::H", "sub::k"]
    );
}
