//! The table in `ARCHITECTURE.md` of the path of a kernel is correct: its files exist, and a compilation runs its passes in that
//! order.

use std::path::{Path, PathBuf};

use sluice_config::Config;
use sluice_flow::pipeline::compile_watched;

fn root() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    folder.expect("the workspace").to_owned()
}

/// Returns the texts in backquotes in one cell of a table.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Returns the rows of the table: the file, and the passes.
fn rows(page: &str) -> Vec<(&str, Vec<&str>)> {
    let section = page.split("## The path of a kernel").nth(1);
    let section = section.expect("the page has the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| stage"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        let file = quoted(cells[2]);
        (*file.first().expect("a file"), quoted(cells[3]))
    })
    .collect()
}

#[test]
fn files_exist_and_passes_run_in_the_order_of_the_page() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page");
    let rows = rows(&page);
    assert!(rows.len() > 10, "{} rows", rows.len());
    let missing: Vec<&str> = rows
        .iter()
        .map(|(file, _)| *file)
        .filter(|file| !root().join(file).is_file())
        .collect();
    assert!(missing.is_empty(), "no such file: {missing:?}");

    let kernel = root().join("examples/gemm/kernel.mlir");
    let source = std::fs::read_to_string(kernel).expect("the example");
    let mut trace: Vec<String> = Vec::new();
    let compiled = compile_watched(
        &source,
        "kernel.mlir",
        &Config::default(),
        &mut |pass, _, _| trace.push(pass.to_owned()),
    );
    compiled.expect("the example compiles");
    let mut rest = trace.iter();
    for pass in rows.iter().flat_map(|(_, passes)| passes) {
        assert!(
            rest.any(|run| run == pass),
            "`{pass}` does not run after the passes before it in ARCHITECTURE.md; what runs: {trace:?}"
        );
    }
}

/// Checks files that other pages refer to by path.
#[test]
fn files_in_the_pages_exist() {
    let mut missing = Vec::new();
    for page in ["ARCHITECTURE.md", "docs/INVARIANTS.md"] {
        let text = std::fs::read_to_string(root().join(page)).expect("a page");
        let roots = [
            "synth/",
            "ir/",
            "sim/",
            "rtl-out/",
            "dialects/",
            "testbenches/",
        ];
        for (i, line) in text.lines().enumerate() {
            let names = quoted(line).into_iter();
            for name in names.filter(|name| roots.iter().any(|root| name.starts_with(root))) {
                let path = name.split([' ', '*']).next().unwrap_or_default();
                if !root().join(path).exists() {
                    missing.push(format!("{page}:{}: {name}", i + 1));
                }
            }
        }
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}
