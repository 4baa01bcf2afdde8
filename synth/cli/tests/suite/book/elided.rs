//! Comparison of text with an expectation in which `...` leaves something out: lines, or a part of a line.

/// The first line of `expected` that `found` does not have at its place; nothing if all are there.
pub(super) fn difference(expected: &str, found: &str) -> Option<String> {
    let found: Vec<&str> = found.lines().collect();
    let mut position = 0;
    let mut may_skip = false;
    for line in expected.lines() {
        if line.trim() == "..." {
            may_skip = true;
            continue;
        }
        let last = if may_skip { found.len() } else { position + 1 };
        let candidates = position..last.min(found.len());
        let Some(at) = candidates.into_iter().find(|i| fits(line, found[*i])) else {
            let there = found.get(position).copied().unwrap_or("nothing");
            return Some(format!("expected `{line}`, found `{there}`"));
        };
        position = at + 1;
        may_skip = false;
    }
    let rest = found.get(position).filter(|_| !may_skip)?;
    Some(format!("expected the end, found `{rest}`"))
}

/// Whether a text has the lines somewhere in it, whatever their indentation.
pub(super) fn contains(expected: &str, text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut rest = &lines[..];
    for part in expected.split("\n...\n") {
        let part: Vec<&str> = part.lines().map(str::trim).collect();
        let fits_at = |window: &[&str]| {
            window
                .iter()
                .zip(&part)
                .all(|(line, wanted)| fits(wanted, line))
        };
        let Some(at) = rest.windows(part.len()).position(fits_at) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    true
}

fn fits(expected: &str, found: &str) -> bool {
    let (expected, mut rest) = (expected.trim_end(), found.trim_end());
    if expected == rest {
        return true;
    }
    let parts: Vec<&str> = expected.split("...").collect();
    let Some((last, others)) = parts.split_last().filter(|(_, others)| !others.is_empty()) else {
        return false;
    };
    for (i, part) in others.iter().enumerate() {
        match rest.find(part) {
            Some(at) if i > 0 || at == 0 => rest = &rest[at + part.len()..],
            _ => return false,
        }
    }
    rest.ends_with(last)
}

#[test]
fn dots_leave_lines_and_parts_of_lines_out() {
    let found = "one\ntwo 2.5 s\nthree\n";
    for fitting in [
        "one\n...\n",
        "...\nthree\n",
        "one\ntwo ... s\nthree\n",
        "...\n",
    ] {
        assert_eq!(difference(fitting, found), None, "{fitting}");
    }
    for wrong in [
        "one\n",
        "two\n...\n",
        "one\nthree\n",
        "one\n...\ntwo ... ms\n...\n",
        "...\none\n",
    ] {
        assert!(difference(wrong, found).is_some(), "{wrong}");
    }
    assert!(contains("one\n...\n  three", found));
    assert!(!contains("three\n...\none", found));
}
