//! The pages of the project: all are listed, links resolve, quoted sources exist, and commands print what the pages show.
//!
//! Blocks of the README, the tutorial and the guides are marked after their language:
//! - `file=NAME` writes the block to a file in the folder of the page before the next command.
//! - `sh`: lines that begin with `sluice` or `cargo run --release --` are run with exit code 0; with `fails` it is 1.
//!   With `tools` they need other programs and are not run.
//! - A block without a language after an `sh` block is what its commands print; `...` leaves lines or parts of a line out.
//! - `output=PATH` is what a command wrote to a file.
//! - `source=PATH`, in every page: these lines are in a file of the project.

mod elided;
mod page;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use page::{Block, Page};

/// The most lines of the README, and the most columns.
const README: (usize, usize) = (80, 130);

/// The most words of a cell in a table.
const MAX_WORDS: usize = 20;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every Markdown file below a folder of the project, relative to its root, sorted.
fn markdown(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder of the project");
    for entry in entries.map(|entry| entry.expect("a folder can be read")) {
        let name = entry.file_name();
        let path = folder.join(&name);
        let is_hidden = name.to_string_lossy().starts_with('.') || name == "target";
        match entry.file_type().expect("an entry has a type") {
            kind if kind.is_dir() && !is_hidden => found.extend(markdown(&path)),
            _ if path.extension().is_some_and(|end| end == "md") => found.push(path),
            _ => {}
        }
    }
    found.sort();
    found
}

/// The pages of a user: README, tutorial and guides.
fn user_pages() -> Vec<Page> {
    let mut paths = vec![PathBuf::from("README.md")];
    for folder in ["docs/tutorial", "docs/guides"] {
        paths.extend(markdown(Path::new(folder)));
    }
    paths.iter().map(|path| Page::read(&root(), path)).collect()
}

fn assert_none(wrong: &[String]) {
    assert!(
        wrong.is_empty(),
        "\n{}\nrepeat: cargo test -p sluice-cli --test suite book",
        wrong.join("\n")
    );
}

#[test]
fn the_summary_lists_every_page_once() {
    let summary = Page::read(&root(), Path::new("docs/SUMMARY.md"));
    let listed = summary.links().into_iter().map(|(_, target)| target);
    let mut all = BTreeSet::new();
    let mut wrong: Vec<String> = listed
        .map(|target| Path::new("docs").join(target))
        .filter(|path| !all.insert(path.clone()))
        .map(|path| format!("docs/SUMMARY.md: {} is listed twice", path.display()))
        .collect();
    let pages: BTreeSet<PathBuf> = markdown(Path::new("docs")).into_iter().collect();
    let pages: BTreeSet<PathBuf> = pages.into_iter().filter(|p| *p != summary.path).collect();
    let text = |path: &PathBuf, what: &str| format!("docs/SUMMARY.md: {} {what}", path.display());
    wrong.extend(pages.difference(&all).map(|path| text(path, "is missing")));
    wrong.extend(
        all.difference(&pages)
            .map(|path| text(path, "does not exist")),
    );
    assert!(all.len() > 30, "{} pages", all.len());
    assert_none(&wrong);
}

#[test]
fn links_and_anchors_resolve() {
    let mut wrong = Vec::new();
    let mut n_links = 0;
    for path in markdown(Path::new("")) {
        let page = Page::read(&root(), &path);
        for (line, target) in page.links() {
            if target.contains("://") {
                continue;
            }
            n_links += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let beside = path.parent().expect("a page is in a folder").join(file);
            let file = if file.is_empty() { &path } else { &beside };
            if !root().join(file).exists() {
                wrong.push(format!("{}: `{target}` does not exist", page.place(line)));
            } else if !anchor.is_empty()
                && !Page::read(&root(), file)
                    .anchors()
                    .iter()
                    .any(|found| found == anchor)
            {
                wrong.push(format!(
                    "{}: `{target}` has no such heading",
                    page.place(line)
                ));
            }
        }
    }
    assert!(n_links > 50, "{n_links} links");
    assert_none(&wrong);
}

#[test]
fn the_readme_and_the_cells_of_tables_are_short() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let mut wrong = Vec::new();
    let n_lines = text.lines().count();
    if n_lines > README.0 {
        wrong.push(format!(
            "README.md has {n_lines} lines, at most {} fit",
            README.0
        ));
    }
    for (i, line) in text.lines().enumerate() {
        let n_columns = line.chars().count();
        if n_columns > README.1 {
            wrong.push(format!(
                "README.md:{}: {n_columns} columns, at most {} fit",
                i + 1,
                README.1
            ));
        }
    }
    for page in user_pages() {
        for (line, cell) in page.cells() {
            let n_words = cell.split_whitespace().count();
            if n_words > MAX_WORDS {
                wrong.push(format!(
                    "{}: a cell of {n_words} words, at most {MAX_WORDS} fit",
                    page.place(line)
                ));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn quoted_sources_exist() {
    let mut wrong = Vec::new();
    let mut n_quotes = 0;
    for path in markdown(Path::new("")) {
        let page = Page::read(&root(), &path);
        for block in &page.blocks {
            let Some(source) = block.value("source") else {
                continue;
            };
            n_quotes += 1;
            let text = std::fs::read_to_string(root().join(source)).unwrap_or_default();
            if !elided::contains(block.text.trim_end(), &text) {
                wrong.push(format!(
                    "{}: these lines are not in {source}",
                    page.place(block.line)
                ));
            }
        }
    }
    assert!(n_quotes > 10, "{n_quotes} quotes");
    assert_none(&wrong);
}

/// The command of a line for the shell, where the line calls Sluice.
fn command_of(line: &str) -> Option<String> {
    let arguments = line.strip_prefix("sluice ");
    let arguments = arguments.or_else(|| line.strip_prefix("cargo run --release -- "))?;
    Some(format!("'{}' {arguments}", env!("CARGO_BIN_EXE_sluice")))
}

/// Runs the commands of a block; what they print, and what went wrong.
fn run(page: &Page, block: &Block, folder: &Path, wrong: &mut Vec<String>) -> Option<String> {
    let mut printed = None;
    for line in block.text.replace("\\\n", " ").lines() {
        let Some(command) = command_of(line) else {
            continue;
        };
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(folder)
            .env("NO_COLOR", "1")
            .output()
            .expect("there is a shell");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let found = text(&output.stdout) + &text(&output.stderr);
        if output.status.code() != Some(i32::from(block.has("fails"))) {
            wrong.push(format!(
                "{}: `{line}`: {}\n{found}",
                page.place(block.line),
                output.status
            ));
        }
        *printed.get_or_insert_with(String::new) += &found;
    }
    printed
}

/// Copies the folder of the examples.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder can be made");
    for entry in std::fs::read_dir(from).expect("a folder of the examples") {
        let path = entry.expect("a folder can be read").path();
        let copied = to.join(path.file_name().expect("an entry has a name"));
        match path.is_dir() {
            true => copy(&path, &copied),
            false => drop(std::fs::copy(&path, copied).expect("a file can be copied")),
        }
    }
}

/// Follows a page from top to bottom, as its reader does.
fn follow(page: &Page, wrong: &mut Vec<String>) -> usize {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path();
    copy(&root().join("examples"), &folder.join("examples"));
    let mut n_compared = 0;
    let mut printed = None;
    for block in &page.blocks {
        let before = printed.take();
        let differs = |what: &str, found: &str| {
            let difference = elided::difference(&block.text, found)?;
            Some(format!("{}: {what}: {difference}", page.place(block.line)))
        };
        if let Some(name) = block.value("file") {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a folder");
            std::fs::write(path, &block.text).expect("a file can be written");
        } else if let Some(name) = block.value("output") {
            let found = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
            let quoted = format!("...\n{}", block.text);
            n_compared += 1;
            wrong.extend(
                elided::difference(&quoted, &found)
                    .map(|why| format!("{}: {name}: {why}", page.place(block.line))),
            );
        } else if block.language == "sh" && !block.has("tools") {
            printed = run(page, block, folder, wrong);
        } else if let Some(found) = before.filter(|_| block.language.is_empty()) {
            n_compared += 1;
            wrong.extend(differs("the commands above print something else", &found));
        }
    }
    n_compared
}

#[test]
fn commands_do_what_the_pages_show() {
    let mut wrong = Vec::new();
    let pages = user_pages();
    let n_compared: usize = pages.iter().map(|page| follow(page, &mut wrong)).sum();
    assert!(n_compared > 5, "{n_compared} outputs are shown");
    assert_none(&wrong);
}

fn help(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(arguments)
        .output()
        .expect("the command that was built can be run");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_page_of_commands_is_what_the_commands_say() {
    let all = help(&["--help"]);
    let names = all.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = names.take_while(|line| !line.is_empty());
    // A summary that needs another line is indented further.
    let names = names.filter_map(|line| {
        line.strip_prefix("  ")?
            .split(' ')
            .next()
            .filter(|n| !n.is_empty())
    });
    let mut page = format!(
        "# Commands\n\nThis page is the output of `--help`. A test writes and checks it.\n\n```text\n{all}```\n"
    );
    for name in names {
        page += &format!(
            "\n## `sluice {name}`\n\n```text\n{}```\n",
            help(&[name, "--help"])
        );
    }
    let path = root().join("docs/reference/commands.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == page,
        "docs/reference/commands.md is out of date\n\
         accept: UPDATE_EXPECT=1 cargo test -p sluice-cli --test suite book"
    );
}
