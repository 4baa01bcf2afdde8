//! Tests of `--junit`: a suite for each file and a case for each data set, checked against the schema of Jenkins' xUnit plug-in.

use std::collections::BTreeMap;
use std::path::Path;

use super::assertions::{folder, sluice};
use super::circuits::COUNTER;

/// An element of an XML text.
#[derive(Debug)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    children: Vec<Element>,
    text: String,
}

/// Replaces the XML escapes in a text.
fn unescaped(text: &str) -> String {
    assert!(!text.contains(['<', '>', '"']), "{text}");
    let parts = text.split('&').enumerate().map(|(i, part)| {
        if i == 0 {
            return part.to_owned();
        }
        let (entity, rest) = part.split_once(';').expect("an entity ends");
        let c = match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            other => panic!("`{other}` is no entity"),
        };
        format!("{c}{rest}")
    });
    let text: String = parts.collect();
    let is_legal = |c: char| c == '\n' || c == '\t' || !c.is_control();
    assert!(text.chars().all(is_legal), "{text:?}");
    text
}

/// Parses the element at the start of `text`, and returns it with the rest.
fn element(text: &str) -> (Element, &str) {
    let inner = text.strip_prefix('<').expect("an element begins");
    let (tag, mut rest) = inner.split_once('>').expect("a tag ends");
    let (tag, is_empty) = match tag.strip_suffix('/') {
        Some(tag) => (tag, true),
        None => (tag, false),
    };
    let (name, mut left) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut found = Element {
        name: name.to_owned(),
        attributes: BTreeMap::new(),
        children: Vec::new(),
        text: String::new(),
    };
    while !left.trim().is_empty() {
        let (key, value) = left.trim_start().split_once("=\"").expect("a value");
        let (value, behind) = value.split_once('"').expect("a value ends");
        assert!(!value.contains('\n'), "{value}");
        let before = found.attributes.insert(key.to_owned(), unescaped(value));
        assert!(before.is_none(), "{key} occurs twice");
        left = behind;
    }
    if is_empty {
        return (found, rest);
    }
    loop {
        let (text, _) = rest.split_once('<').expect("the element ends");
        found.text += &unescaped(text);
        rest = &rest[text.len()..];
        if let Some(behind) = rest.strip_prefix(&format!("</{name}>")) {
            return (found, behind);
        }
        let (child, behind) = element(rest);
        found.children.push(child);
        rest = behind;
    }
}

/// The allowed contents of an element.
struct Row {
    name: &'static str,
    /// Required attributes; the next field has the optional ones.
    required: &'static [&'static str],
    optional: &'static [&'static str],
    children: &'static [&'static str],
}

const fn row(
    name: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
    children: &'static [&'static str],
) -> Row {
    Row {
        name,
        required,
        optional,
        children,
    }
}

const SCHEMA: [Row; 7] = [
    row("testsuites", &[], &[], &["testsuite"]),
    row(
        "testsuite",
        &[
            "name",
            "file",
            "tests",
            "failures",
            "errors",
            "timestamp",
            "time",
        ],
        &["skipped"],
        &["testcase"],
    ),
    row(
        "testcase",
        &["name", "classname", "time"],
        &[],
        &["skipped", "failure", "error", "system-out"],
    ),
    row("skipped", &[], &["message"], &[]),
    row("failure", &["message", "type"], &[], &[]),
    row("error", &["message", "type"], &[], &[]),
    row("system-out", &[], &[], &[]),
];

fn is_valid(element: &Element) {
    let row = SCHEMA.iter().find(|row| row.name == element.name);
    let row = row.expect("the element is known");
    let (required, optional, children) = (row.required, row.optional, row.children);
    for name in required {
        assert!(element.attributes.contains_key(*name), "{element:?}");
    }
    for (name, value) in &element.attributes {
        let is_known = required.contains(&name.as_str()) || optional.contains(&name.as_str());
        assert!(is_known, "{name} of {element:?}");
        let is_count = ["tests", "failures", "errors", "skipped"].contains(&name.as_str());
        assert!(!is_count || value.parse::<u32>().is_ok(), "{value}");
        assert!(name != "time" || value.parse::<f64>().is_ok(), "{value}");
    }
    for child in &element.children {
        assert!(children.contains(&child.name.as_str()), "{child:?}");
        is_valid(child);
    }
    assert!(
        children.is_empty() || element.text.trim().is_empty(),
        "{element:?}"
    );
}

/// Returns the cases of a file, which must be valid: class, name, position (or the file of the suite), and the name of the
/// failure element with the first line of its text.
pub(crate) fn cases(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("it was written");
    let text = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let (root, rest) = element(text.expect("it says what it is"));
    assert_eq!((root.name.as_str(), rest), ("testsuites", "\n"));
    is_valid(&root);
    root.children.iter().flat_map(cases_of).collect()
}

fn cases_of(suite: &Element) -> Vec<String> {
    let timestamp = &suite.attributes["timestamp"];
    let form: String = timestamp
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    assert_eq!(form, "0000-00-00T00:00:00");
    let with = |name: &str| {
        let has = |case: &&Element| case.children.iter().any(|child| child.name == name);
        suite.children.iter().filter(has).count().to_string()
    };
    for (count, of) in [
        ("tests", suite.children.len().to_string()),
        ("failures", with("failure")),
        ("errors", with("error")),
        ("skipped", with("skipped")),
    ] {
        assert_eq!(suite.attributes[count], of, "{count}");
    }
    let line = |case: &Element| {
        let of = |name: &str| case.attributes.get(name).map_or("", String::as_str);
        assert!(suite.attributes["name"].starts_with(of("classname")));
        let verdict = case
            .children
            .iter()
            .find(|child| child.name != "system-out");
        let said = verdict.map_or("", |child| child.text.as_str());
        let place = said.lines().find_map(|line| line.strip_prefix("at "));
        let place = place.unwrap_or(&suite.attributes["file"]);
        let verdict = verdict.map_or_else(String::new, |child| {
            let message = child.attributes.get("message");
            let message = message.map_or_else(String::new, |why| format!(": {why}"));
            format!(" {}{message}", child.name)
        });
        format!("{} | {} | {place} |{verdict}", of("classname"), of("name"))
    };
    suite.children.iter().map(line).collect()
}

const KERNEL: &str = "func.func @add(%a: i8, %b: i8) -> i8 {
  %x = arith.addi %a, %b : i8
  return %x : i8
}
";

#[test]
fn every_data_set_is_a_case_and_what_cannot_be_run_an_error() {
    let folder = folder(&[
        ("add.mlir", KERNEL),
        (
            "add.data.yaml",
            "cases:\n  - inputs: {a: 1, b: 2}\n  - inputs: {a: 1, b: 2}\n    expect: {result: 4}\n  - inputs: {a: 0, b: 0}\n",
        ),
        (
            "broken.mlir",
            "func.func @f(%a: i8) -> i8 {\n  return %b : i8\n}\n",
        ),
        ("count.mlir", COUNTER),
        (
            "count.data.yaml",
            "module: top\nreset: reset\ncases:\n  - {name: 'a \"b\" <&>', inputs: {by: 1}, outputs: {full: 1}}\n  - inputs: {by: [1, 2]}\n",
        ),
        ("slow.mlir", KERNEL),
        (
            "slow.data.yaml",
            "cases:\n  - inputs: {a: 1, b: 2}\nexpect: {ii: {j: 1}}\n",
        ),
    ]);
    let path = folder.path();
    let (code, said, _) = sluice(path, &["sim", ".", "--junit", "j.xml"]);
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(
        cases(&path.join("j.xml")),
        [
            "add.mlir | data set 0 | ./add.mlir |",
            "add.mlir | data set 1 | ./add.data.yaml:4:14 | failure: the circuit disagrees with `expect`: result0 is 3, expected 4",
            "add.mlir | data set 2 | ./add.mlir | skipped",
            "broken.mlir | broken.mlir | ./broken.mlir | error: ./broken.mlir:2:10: error: use of undeclared SSA value name",
            "count.mlir | a \"b\" <&> | ./count.data.yaml:4:52 | failure: cycle 2, 0 after the reset: `full` is 0x0, expected 0x1",
            "count.mlir | data set 1 | ./count.mlir |",
            "slow.mlir | data set 0 | ./slow.mlir |",
            "slow.mlir | expect | ./slow.mlir | failure: ./slow.data.yaml:3:15: error: expect: II 1 of loop `j`, which is not pipelined; no loop is",
        ]
    );
    let arguments = ["sim", "--junit", "j.xml", "."];
    let once = [
        "--filter",
        "add",
        "--repeat",
        "2",
        "--fail-fast",
        "--jobs",
        "1",
    ];
    let (code, _, _) = sluice(path, &[&arguments[..], &once[..]].concat());
    assert_eq!(code, Some(1));
    let found = cases(&path.join("j.xml"));
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found[1].starts_with("add.mlir | data set 1 (seed 1) |"));
    assert_eq!(
        found[3],
        "add.mlir | add.mlir (seed 2) | ./add.mlir | skipped"
    );
}

#[test]
fn files_have_outcomes_too() {
    let folder = folder(&[("add.mlir", KERNEL), ("count.mlir", COUNTER)]);
    let path = folder.path();
    let outcome = |arguments: &[&str]| {
        let (code, _, error) = sluice(path, &[arguments, &["--junit", "j.xml"]].concat());
        (code, error, cases(&path.join("j.xml")))
    };
    let (code, error, found) = outcome(&["sim", "add.mlir", "--random", "2"]);
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(
        found,
        [
            "add.mlir | data set 0 | add.mlir |",
            "add.mlir | data set 1 | add.mlir |"
        ]
    );
    let (code, _, found) = outcome(&["sim", "count.mlir", "--assert", "full"]);
    assert_eq!(code, Some(1));
    assert_eq!(
        found,
        [
            "count.mlir | @top | count.mlir | failure: cycle 0: assertion `full` does not hold: full = 0x0"
        ]
    );
    let (code, _, found) = outcome(&["sim", "none.mlir"]);
    assert_eq!(code, Some(1));
    assert!(
        found[0].starts_with("none.mlir | none.mlir | none.mlir | error: none.mlir: error: "),
        "{found:?}"
    );
}
