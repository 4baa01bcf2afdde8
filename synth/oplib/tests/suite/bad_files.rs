//! Every file under `tests/bad` fails with exactly the errors marked in it.
//!
//! A mark is on the line of its error: `#~ error: key: message`; several marks may follow one another. A mark without a known
//! line is on the first line as `#~ error without line:`.

use std::fs;
use std::path::Path;

use sluice_oplib::device::Device;

const MARK: &str = "#~ error: ";
const MARK_WITHOUT_LINE: &str = "#~ error without line: ";

fn expected(text: &str) -> Vec<String> {
    let mut errors = Vec::new();
    for (line_idx, line) in text.lines().enumerate() {
        for mark in line.split(MARK_WITHOUT_LINE).skip(1) {
            errors.push(format!("bad.yaml: {}", mark.trim()));
        }
        for mark in line.split(MARK).skip(1) {
            errors.push(format!("bad.yaml:{}: {}", line_idx + 1, mark.trim()));
        }
    }
    errors
}

#[test]
fn bad_files_fail_as_marked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it is readable").path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 5, "{} holds the cases", folder.display());
    let mut differences = String::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("it is readable");
        let found = match Device::from_yaml(&text, "bad.yaml") {
            Ok(_) => Vec::new(),
            Err(errors) => errors.iter().map(ToString::to_string).collect(),
        };
        let expected = expected(&text);
        if expected.is_empty() || found != expected {
            differences += &format!(
                "{}:\n  marked:\n    {}\n  found:\n    {}\n",
                path.display(),
                expected.join("\n    "),
                found.join("\n    ")
            );
        }
    }
    assert!(differences.is_empty(), "{differences}");
}
