//! Trip counts, sizes, strides and latencies are [`sluice_ir::exact::Exact`], which never wraps: no other arithmetic on them is
//! allowed.

use std::fs;
use std::path::{Path, PathBuf};

/// Parts of the names of numbers that may have more than 64 bits.
const SUBJECTS: &[&str] = &[
    "trip_count",
    "trips",
    "stride",
    "n_elements",
    "n_cells",
    "total_cycles",
];

/// Folders of the crates in which such numbers are computed.
const ROOMS: &[&str] = &["ir", "dialects", "synth", "sim", "rtl-out"];

/// Lines that are not arithmetic on such a number, each with the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "ir/src/text/print/attributes.rs",
        "stride = stride.saturating_mul(*size);",
        "printed values are counted in the process, and never reach it",
    ),
    (
        "ir/src/text/attributes.rs",
        "fn stride(&mut self)",
        "a stride as it is written",
    ),
    (
        "dialects/src/memref/window.rs",
        "index * stride + offset",
        "an affine expression, not a number",
    ),
    (
        "synth/oplib/src/device.rs",
        "lut: lut * n_cells,",
        "an area, with a fraction",
    ),
    (
        "synth/search/src/placing/trials.rs",
        "let cost = cycles * n_cells.max(1.0).powf(CELLS);",
        "a cost, with a fraction",
    ),
    (
        "synth/transform/src/memory/reuse/window.rs",
        "ahead / stride",
        "quotients and remainders of 64 bits fit",
    ),
    (
        "synth/transform/src/memory/reuse/window.rs",
        "ahead % stride",
        "quotients and remainders of 64 bits fit",
    ),
];

fn root() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    folder.expect("the workspace").to_owned()
}

/// Collects sources without tests.
fn sources(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.unwrap_or_default().to_owned();
        if path.is_dir() {
            // Words of the simulator wrap as those of the circuit do.
            if name != "tests" && !path.ends_with("sim/words") {
                sources(&path, found);
            }
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            let text = fs::read_to_string(&path).expect("a source");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            found.push((path, code.to_owned()));
        }
    }
}

/// Returns whether a name is that of a number that may have more than 64 bits.
fn is_subject(name: &str) -> bool {
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name && SUBJECTS.iter().any(|subject| name.contains(subject))
}

/// Returns the last name of an operand that ends here, with or without `()`.
fn name_before(code: &str) -> &str {
    let code = code.trim_end();
    let code = code.strip_suffix("()").unwrap_or(code);
    code.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .next()
        .unwrap_or_default()
}

/// Returns the last name in the path of an operand that begins here.
fn name_after(code: &str) -> &str {
    let code = code.trim_start_matches(['&', '*', ' ']);
    let end = code.find(|c: char| !c.is_ascii_alphanumeric() && !"_.".contains(c));
    let path = &code[..end.unwrap_or(code.len())];
    path.rsplit('.').next().unwrap_or_default()
}

/// Returns the violation in a line of code, if there is one.
fn fault(line: &str) -> Option<&'static str> {
    let code = line.split("//").next().unwrap_or_default();
    let code = code.trim();
    if code.contains(".product()") || code.contains(".product::<") {
        return Some("a product of integers wraps: `Exact::product`");
    }
    for operator in [
        " * ", " + ", " - ", " / ", " % ", " << ", " *= ", " += ", " -= ",
    ] {
        for (at, _) in code.match_indices(operator) {
            let (before, after) = (&code[..at], &code[at + operator.len()..]);
            let is_text = before.matches('"').count() % 2 == 1;
            // A type, a trait bound, or a range of text.
            let is_type = before.ends_with('>') || after.starts_with(['\'', '?']);
            if !is_text
                && !is_type
                && (is_subject(name_before(before)) || is_subject(name_after(after)))
            {
                return Some("arithmetic that may wrap on a number that may be long: `Exact`");
            }
        }
    }
    for method in ["wrapping_", "saturating_", "overflowing_"] {
        for (at, _) in code.match_indices(&format!(".{method}")) {
            if is_subject(name_before(&code[..at])) {
                return Some("a result that is not exact: `Exact`");
            }
        }
    }
    if let Some((_, function)) = code.split_once("fn ") {
        let name = function.split(['(', '<']).next().unwrap_or_default();
        let given = function.rsplit_once("->").map_or("", |(_, given)| given);
        let plain = ["i64", "u64", "i32", "i128", "u128"];
        if is_subject(name) && plain.iter().any(|plain| given.contains(plain)) {
            return Some("such a number is an `Exact`");
        }
    }
    None
}

#[test]
fn the_test_finds_raw_arithmetic() {
    let wrong = [
        "let all = shape.iter().product();",
        "let n: u64 = sizes.iter().product::<u64>();",
        "let last = lower + (trip_count - 1) * step;",
        "let all = outer * inner_trips;",
        "let cell = index * self.stride;",
        "total += known.trip_count;",
        "trip_count.wrapping_mul(step)",
        "fn trips(lower: i64, upper: i64) -> i64 {",
        "pub fn trip_count(context: &Context) -> Option<u64> {",
    ];
    for line in wrong {
        assert!(fault(line).is_some(), "not found: {line}");
    }
    let right = [
        "let all = Exact::product(shape);",
        "// trip_count * step",
        "let n = trip_count.times(step);",
        "fn trips(lower: Exact, upper: Exact, step: Exact) -> Option<Exact> {",
        "if n_rows * 2 > limit {",
    ];
    for line in right {
        assert_eq!(fault(line), None, "{line}");
    }
}

#[test]
fn trip_counts_and_sizes_are_exact() {
    let mut found = Vec::new();
    for room in ROOMS {
        sources(&root().join(room), &mut found);
    }
    let mut wrong = Vec::new();
    for (path, code) in found {
        let path = path.strip_prefix(root()).expect("in the workspace");
        let path = path.display().to_string();
        for (number, line) in (1..).zip(code.lines()) {
            let is_known = EXCEPTIONS
                .iter()
                .any(|(file, part, _)| path == *file && line.contains(part));
            if let Some(why) = fault(line).filter(|_| !is_known) {
                wrong.push(format!("{path}:{number}: {why}\n  {}", line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn exact_numbers_hide_what_they_are_made_of() {
    let text = fs::read_to_string(root().join("ir/src/exact.rs")).expect("the module");
    assert!(
        text.contains("pub struct Exact(i128);"),
        "the number is private"
    );
    for operator in [
        "Add", "Sub", "Mul", "Div", "Rem", "Neg", "Shl", "Deref", "Sum", "Product",
    ] {
        for form in [
            format!("impl {operator}"),
            format!("ops::{operator}"),
            format!("{operator} for Exact"),
        ] {
            assert!(!text.contains(&form), "`Exact` has no operators: {form}");
        }
    }
}
