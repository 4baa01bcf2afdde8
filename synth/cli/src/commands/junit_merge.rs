//! `sluice junit merge`: the JUnit XML of several runs in one file.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use sluice_ir::limits::Limit;

use crate::files::write_file;
use crate::limiting::{Limiting, read_at_most};
use crate::output::{Done, input};

/// Arguments of `junit`.
#[derive(Args)]
pub(crate) struct Junit {
    #[command(subcommand)]
    what: What,
    #[command(flatten)]
    pub(super) limiting: Limiting,
}

#[derive(Subcommand)]
enum What {
    /// Write the suites of several files to one, in the order of the files
    Merge(Merge),
}

#[derive(Args)]
struct Merge {
    /// Files with JUnit XML, as `--junit` writes them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Junit {
    pub(crate) fn run(self) -> Done<()> {
        let What::Merge(merge) = self.what;
        let limits = self.limiting.limits();
        let mut merged = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned();
        let mut errors = Vec::new();
        for path in &merge.files {
            let shown = path.display();
            let data = read_at_most(path, &limits, Limit::FileBytes);
            let text = data.and_then(|data| String::from_utf8(data).map_err(|why| why.to_string()));
            match text {
                Err(why) => errors.push(format!("{shown}: error: {why}")),
                Ok(text) => match suites(&text) {
                    Ok(suites) => {
                        for suite in suites {
                            merged += &format!("  {suite}\n");
                        }
                    }
                    Err((at, why)) => {
                        let (line, column) = place(&text, at);
                        errors.push(format!("{shown}:{line}:{column}: error: {why}"));
                    }
                },
            }
        }
        if !errors.is_empty() {
            return Err(input(errors.join("\n")));
        }
        write_file(&merge.output, (merged + "</testsuites>\n").as_bytes())
    }
}

/// Line and column, from one, of a byte of a text.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (line, before[start..].chars().count() + 1)
}

/// An error at a byte of the text.
type Wrong = (usize, String);

/// The `testsuite` elements of a file: those of its root `testsuites`, or the root itself.
fn suites(text: &str) -> Result<Vec<&str>, Wrong> {
    let mut found = Vec::new();
    // The elements around, each with the place where it begins.
    let mut around: Vec<(&str, usize)> = Vec::new();
    let mut at = 0;
    while let Some(begin) = text[at..].find('<').map(|offset| at + offset) {
        let rest = &text[begin..];
        let skipped = [
            ("<!--", "-->"),
            ("<![CDATA[", "]]>"),
            ("<?", "?>"),
            ("<!", ">"),
        ];
        if let Some((_, end)) = skipped.iter().find(|(start, _)| rest.starts_with(start)) {
            let length = rest
                .find(end)
                .ok_or((begin, format!("`{end}` is missing")))?;
            at = begin + length + end.len();
            continue;
        }
        let length = tag_length(rest).ok_or((begin, "the tag has no end".to_owned()))?;
        let tag = &rest[1..length - 1];
        at = begin + length;
        if let Some(name) = tag.strip_prefix('/') {
            let (open, start) = around
                .pop()
                .filter(|(open, _)| *open == name.trim())
                .ok_or((begin, format!("`</{name}>` closes nothing that is open")))?;
            if open == "testsuite" && is_root(&around) {
                found.push(&text[start..at]);
            }
            continue;
        }
        let name = tag.split([' ', '\t', '\n', '\r', '/']).next();
        let name = name.unwrap_or_default();
        if around.is_empty() && !["testsuites", "testsuite"].contains(&name) {
            let why = format!("`<testsuites>` or `<testsuite>` is expected, not `<{name}>`");
            return Err((begin, why));
        }
        if !tag.ends_with('/') {
            around.push((name, begin));
        } else if name == "testsuite" && is_root(&around) {
            found.push(&text[begin..at]);
        }
    }
    match around.last() {
        Some((name, begin)) => Err((*begin, format!("`<{name}>` is not closed"))),
        None if at == 0 => Err((0, "`<testsuites>` is expected".to_owned())),
        None => Ok(found),
    }
}

/// Whether an element inside of these is the root or one of its own elements.
fn is_root(around: &[(&str, usize)]) -> bool {
    matches!(around, [] | [("testsuites", _)])
}

/// The bytes of the tag that a text begins with; `>` in quotes does not end it.
fn tag_length(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_are_those_of_the_root() {
        let text = "<?xml version=\"1.0\"?>\n<testsuites>\n  <testsuite name=\"a > b\">\n<testcase/></testsuite>\n<testsuite name='c'/></testsuites>\n";
        let found = suites(text).expect("it is well formed");
        assert_eq!(
            found,
            [
                "<testsuite name=\"a > b\">\n<testcase/></testsuite>",
                "<testsuite name='c'/>"
            ]
        );
        assert_eq!(
            suites("<testsuite></testsuite>").map(|all| all.len()),
            Ok(1)
        );
    }

    #[test]
    fn texts_that_are_no_junit_are_refused_with_their_place() {
        for (text, place_of_it) in [
            ("", (1, 1)),
            ("\n<html></html>", (2, 1)),
            ("<testsuites>\n <testsuite>\n</testsuites>", (3, 1)),
            ("<testsuites><testsuite>", (1, 13)),
            ("<testsuites", (1, 1)),
        ] {
            let (at, _) = suites(text).expect_err("it is wrong");
            assert_eq!(place(text, at), place_of_it, "{text}");
        }
    }
}
