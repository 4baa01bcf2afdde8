//! Comparison of diagnostics with those that a file expects: `// expected-error @+1 {{text}}`, as in tests for mlir-opt.
//!
//! Kinds: `error`, `warning`, `remark`, `note`; `-re` makes the `{{...}}` in the text regular expressions. Places: none for the
//! same line, `@+N`, `@-N`, `@above` and `@below` for the nearest line without a designator, `@unknown` for diagnostics without a
//! location.

use regex::Regex;
use sluice_ir::{Context, Diagnostics, Location, Severity};

/// The location of an expected diagnostic.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Line(u32),
    Unknown,
}

struct Expected {
    kind: String,
    place: Place,
    text: String,
    pattern: Option<Regex>,
    /// Line and column of the designator (the comment that states the expectation).
    written: (u32, u32),
    seen: bool,
}

/// Compares `found` with the expectations in `source`, and returns the differences.
///
/// Errors after the first one may be expected but need not be, because mlir-opt stops there. Hints do not count, because only
/// Sluice has them.
pub(crate) fn compare(
    context: &Context,
    source: &str,
    file: &str,
    found: &Diagnostics,
) -> Diagnostics {
    let mut wrong = Diagnostics::new();
    let name = context.name(file);
    let mut expected = designators(source, |line, column, message| {
        wrong.error(context.file_location(name, line, column), message);
    });
    // mlir-opt stops at the first error, but may find more errors in the same statement: those may be expected.
    let mut is_first = true;
    for diagnostic in &found.all {
        let kind = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
        };
        let notes = diagnostic
            .notes
            .iter()
            .map(|(at, text)| ("note", *at, text));
        let all = std::iter::once((kind, diagnostic.location, &diagnostic.message)).chain(notes);
        for (kind, location, message) in all {
            if !take(context, file, &mut expected, kind, location, message) && is_first {
                wrong.error(location, format!("unexpected {kind}: {message}"));
            }
        }
        is_first &= diagnostic.severity != Severity::Error;
    }
    for missing in expected.iter().filter(|e| !e.seen) {
        let (line, column) = missing.written;
        let message = format!(
            "expected {} \"{}\" was not produced",
            missing.kind, missing.text
        );
        wrong.error(context.file_location(name, line, column), message);
    }
    wrong
}

fn take(
    context: &Context,
    file: &str,
    expected: &mut [Expected],
    kind: &str,
    location: Location,
    message: &str,
) -> bool {
    let place = match location.file_line_column(context) {
        Some((at, line, _)) if at == file => Place::Line(line),
        _ => Place::Unknown,
    };
    let fits = |e: &&mut Expected| {
        !e.seen
            && e.kind == kind
            && e.place == place
            && match &e.pattern {
                Some(pattern) => pattern.is_match(message),
                None => message.contains(&e.text),
            }
    };
    match expected.iter_mut().find(fits) {
        Some(e) => {
            e.seen = true;
            true
        }
        None => false,
    }
}

/// Returns all designators of a source. `report` receives malformed ones, with line and column.
fn designators(source: &str, mut report: impl FnMut(u32, u32, String)) -> Vec<Expected> {
    let form = Regex::new(
        r"expected-(error|note|remark|warning)(-re)? *(@([+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\}$",
    )
    .expect("the pattern is well formed");
    let mut all: Vec<Expected> = Vec::new();
    // Indices of `@below` designators that wait for the next line without a designator.
    let mut below: Vec<usize> = Vec::new();
    let mut above = None;
    for (line, text) in (1u32..).zip(source.lines()) {
        let Some(parts) = form.captures(text.trim_end()) else {
            for index in below.drain(..) {
                all[index].place = Place::Line(line);
            }
            above = Some(line);
            continue;
        };
        let start = parts.get(0).map_or(0, |whole| whole.start());
        let written = (line, u32::try_from(start + 1).unwrap_or(u32::MAX));
        let text = parts[5].to_owned();
        let pattern = match parts.get(2).map(|_| pattern(&text)) {
            Some(Err(why)) => {
                report(
                    written.0,
                    written.1,
                    format!("invalid regular expression: {why}"),
                );
                continue;
            }
            Some(Ok(pattern)) => Some(pattern),
            None => None,
        };
        let place = match parts.get(4).map(|place| place.as_str()) {
            None => Place::Line(line),
            Some("unknown") => Place::Unknown,
            Some("below") => {
                below.push(all.len());
                Place::Unknown
            }
            Some("above") => match above {
                Some(line) => Place::Line(line),
                None => {
                    let message = "there is no line above without a designator".to_owned();
                    report(written.0, written.1, message);
                    continue;
                }
            },
            Some(offset) => {
                let offset: i64 = offset.parse().unwrap_or(i64::MAX / 2);
                let wanted = u32::try_from(i64::from(line) + offset);
                Place::Line(wanted.unwrap_or(u32::MAX))
            }
        };
        all.push(Expected {
            kind: parts[1].to_owned(),
            place,
            text,
            pattern,
            written,
            seen: false,
        });
    }
    all
}

/// Converts `text {{expression}} text` to a regular expression.
fn pattern(text: &str) -> Result<Regex, String> {
    let mut pattern = String::new();
    let mut rest = text;
    while let Some((before, from)) = rest.split_once("{{") {
        pattern += &regex::escape(before);
        let Some((expression, after)) = from.split_once("}}") else {
            return Err("found start of regex with no end '}}'".to_owned());
        };
        pattern += &format!("({expression})");
        rest = after;
    }
    pattern += &regex::escape(rest);
    Regex::new(&pattern).map_err(|why| why.to_string())
}
