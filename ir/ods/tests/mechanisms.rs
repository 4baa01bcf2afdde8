//! The page that lists the mechanisms of operation definitions names, for each, a text of a file that shows it.

use std::path::Path;

#[test]
fn every_mechanism_is_shown_by_a_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = root.join("docs/reference/op-definitions.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let mut n_rows = 0;
    let mut faults = Vec::new();
    for row in page.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let shown = cells.last().copied().unwrap_or_default().trim();
        if shown == "shown by" {
            continue;
        }
        n_rows += 1;
        let parts: Vec<&str> = shown.split('`').collect();
        let ["", file, ": ", text, ""] = parts[..] else {
            faults.push(format!("expected `file`: `text` in the last cell: {row}"));
            continue;
        };
        let text = text.replace("\\|", "|");
        let found = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        if !found.contains(&text) {
            faults.push(format!("{file} does not contain `{text}`"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(n_rows >= 70, "only {n_rows} mechanisms are listed");
}
