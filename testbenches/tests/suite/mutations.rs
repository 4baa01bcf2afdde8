//! The seeded bugs in `testbenches/mutations` still apply to the sources: each text to find occurs exactly once in its file.

use std::path::{Path, PathBuf};

/// The least number of bugs.
const LEAST: usize = 12;

fn root() -> PathBuf {
    let parent = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    parent.expect("the workspace").to_owned()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// Returns the value of a line `key: value`.
fn value<'t>(head: &'t str, key: &str) -> Option<&'t str> {
    let mut lines = head.lines();
    lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(": "))
}

/// Returns the fault of a mutation file, if there is one.
fn wrong(text: &str) -> Option<String> {
    let Some((head, rest)) = text.split_once("--- find\n") else {
        return Some("there is no line `--- find`".to_owned());
    };
    let Some((find, replace)) = rest.split_once("\n--- replace\n") else {
        return Some("there is no line `--- replace`".to_owned());
    };
    let (Some(file), Some(broken)) = (value(head, "file"), value(head, "broken")) else {
        return Some("`file: PATH` and `broken: SENTENCE` are expected in front".to_owned());
    };
    if broken.trim().is_empty() || find == replace.trim_end_matches('\n') {
        return Some("nothing is broken".to_owned());
    }
    match read(&root().join(file)).matches(find).count() {
        1 => None,
        n => Some(format!("the text to find occurs {n} times in `{file}`")),
    }
}

#[test]
fn every_mutation_fits_the_sources() {
    let folder = root().join("testbenches/mutations");
    let entries = std::fs::read_dir(&folder).expect("the folder of the mutations is there");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "mutation"))
        .collect();
    paths.sort();
    assert!(paths.len() >= LEAST, "{} mutations", paths.len());
    let found: Vec<String> = paths
        .iter()
        .filter_map(|path| Some(format!("{}: {}", path.display(), wrong(&read(path))?)))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
