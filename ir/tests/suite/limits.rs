//! The table of limits: its rows, its documentation page, and values that are set by name.

use std::collections::BTreeSet;
use std::path::Path;

use sluice_ir::limits::{Limit, Limits, TABLE, shortened};

#[test]
fn page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/LIMITS.md");
    let page = sluice_ir::limits::page();
    if std::fs::read_to_string(&path).unwrap_or_default() == page {
        return;
    }
    assert!(
        std::env::var_os("UPDATE_EXPECT").is_some(),
        "{} differs from the table\n\
         repeat: cargo test -p sluice-ir --test suite limits\n\
         accept: UPDATE_EXPECT=1 cargo test -p sluice-ir --test suite limits",
        path.display()
    );
    std::fs::write(&path, page).expect("the page can be written");
}

#[test]
fn rows_stand_in_order_and_have_their_own_names() {
    let mut names = BTreeSet::new();
    for (i, row) in TABLE.iter().enumerate() {
        assert_eq!(row.limit as usize, i, "{}", row.name);
        assert!(names.insert(row.name), "{} twice", row.name);
        assert!(row.default <= row.most, "{}", row.name);
        assert!(
            row.name.chars().all(|c| c.is_ascii_lowercase() || c == '_'),
            "{}",
            row.name
        );
        for text in [row.unit, row.what, row.met] {
            assert!(!text.is_empty() && !text.ends_with('.'), "{}", row.name);
        }
    }
}

#[test]
fn values_are_set_by_name() {
    let mut limits = Limits::default();
    assert_eq!(limits.set_text("operations=2_000"), Ok(()));
    assert_eq!(limits.of(Limit::Operations), 2000);
    assert_eq!(limits.check(Limit::Operations, 2000_u64), Ok(()));
    let excess = limits
        .check(Limit::Operations, 2001_u64)
        .expect_err("2001 are over 2000");
    assert_eq!(
        excess.to_string(),
        "2001 operations, but the limit `operations` is 2000: `--limit operations=N` raises it, up to 2147483648"
    );
    for (text, why) in [
        (
            "operation=1",
            "unknown limit `operation`; did you mean `operations`?",
        ),
        (
            "operations",
            "expected NAME=VALUE; `sluice limits` lists the names",
        ),
        (
            "operations=-1",
            "expected a whole number for `operations`, with or without `_`, not `-1`",
        ),
        (
            "operations=0",
            "the limit `operations` is a number from 1 to 2147483648",
        ),
    ] {
        assert_eq!(limits.set_text(text), Err(why.to_owned()), "{text}");
    }
}

#[test]
fn long_lines_lose_their_middle() {
    assert_eq!(shortened("abc", 3), "abc");
    assert_eq!(shortened("éééé", 4), "éééé");
    assert_eq!(
        shortened("abcdefghij", 8),
        "abcdef ... [2 characters] ... ij"
    );
}
