//! Tests of Verilator models that are damaged, hang or cannot be built, and of folders whose names have spaces.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::cosim::{folder, has_verilator, models, said, verilator_after};

fn cosim(folder: &Path, path: Option<&str>, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sluice"));
    command.arg("cosim").args(arguments).current_dir(folder);
    if let Some(path) = path {
        command.env("PATH", path);
    }
    command.output().expect("the command starts")
}

const AGREE: &str =
    "@scale: interpreter = cycle simulation = Verilator on 1 data set, 7 cycles, as predicted\n";

/// Returns the only model of a cache.
fn only_model(cache: &Path) -> PathBuf {
    let found = models(cache);
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}

#[test]
fn a_damaged_model_is_built_again_once() {
    if !has_verilator() {
        return;
    }
    let folder = folder();
    let counted = verilator_after(
        folder.path(),
        "test -f dut.v && echo built >> ../../../builds",
    );
    let run = || {
        cosim(
            folder.path(),
            Some(&counted),
            &["kernel.mlir", "--cache", "cache"],
        )
    };
    let builds = || {
        let text = std::fs::read_to_string(folder.path().join("builds"));
        text.expect("it was counted").lines().count()
    };
    assert_eq!(said(&run()).0, AGREE);
    let model = only_model(&folder.path().join("cache"));
    let whole = std::fs::read(&model).expect("it is a file");
    let half = whole.len() / 2;
    let damages: [&dyn Fn(); 5] = [
        &|| std::fs::write(&model, &whole[..half]).expect("it can be written"),
        &|| std::fs::write(&model, "").expect("it can be written"),
        &|| std::fs::write(&model, "#!/bin/sh\nexec sleep 1000\n").expect("it can be written"),
        &|| {
            let mut other = whole.clone();
            other[half] ^= 1;
            std::fs::write(&model, other).expect("it can be written");
        },
        &|| std::fs::remove_file(model.with_extension("sha256")).expect("it is there"),
    ];
    for (number, damage) in damages.iter().enumerate() {
        damage();
        for again in [1, 0] {
            let (out, error) = said(&run());
            assert_eq!(out, AGREE, "{number}: {error}");
            assert_eq!(
                error.contains("built again"),
                again == 1,
                "{number}: {error}"
            );
            assert_eq!(builds(), number + 2, "{number}");
        }
    }
    assert_eq!(models(&folder.path().join("cache")), [model]);
}

#[test]
fn a_verilator_that_fails_is_named_with_its_status() {
    if !has_verilator() {
        return;
    }
    for (line, expected) in [
        (
            "test -f dut.v && exit 3",
            "error: `verilator` failed, exit status: 3; it said nothing",
        ),
        (
            "test -f dut.v && { echo '%Error: no disk' >&2; exit 1; }",
            "error: `verilator` failed, exit status: 1:\n%Error: no disk",
        ),
        (
            "test -f dut.v && kill -SEGV $$",
            "error: `verilator` failed, signal: 11 (SIGSEGV)",
        ),
        (
            "test -f dut.v && exit 0",
            "error: `verilator` ended well and made no program",
        ),
        (
            "exit 4",
            "error: `verilator` failed, exit status: 4; it said nothing",
        ),
    ] {
        let folder = folder();
        let path = verilator_after(folder.path(), line);
        let output = cosim(
            folder.path(),
            Some(&path),
            &["kernel.mlir", "--cache", "cache"],
        );
        let (_, error) = said(&output);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.starts_with(expected), "{line}: {error}");
    }
}

#[test]
fn what_hangs_is_stopped() {
    if !has_verilator() {
        return;
    }
    // A model that does not answer, one that ends at once, and a Verilator that hangs together with its child processes.
    let model = |line: &str| {
        format!(
            "test -f dut.v && {{ mkdir obj_dir; printf '#!/bin/sh\\n{line}\\n' > obj_dir/Vdut; chmod +x obj_dir/Vdut; exit 0; }}"
        )
    };
    let (hangs, ends) = (model("exec sleep 1000"), model("kill -ABRT $$"));
    let waits = "test -f dut.v && { sleep 1000 & sleep 1000; }";
    for (line, expected) in [
        (
            hangs.as_str(),
            "error: Verilator's model gave no answer within 5 s and was stopped; `--tool-timeout SECONDS` gives it more",
        ),
        (
            &ends,
            "error: Verilator's model ended early, signal: 6 (SIGABRT)",
        ),
        (
            waits,
            "error: `verilator` was stopped after 5 s; `--tool-timeout SECONDS` gives it more; it said nothing",
        ),
    ] {
        let folder = folder();
        let path = verilator_after(folder.path(), line);
        let arguments = ["kernel.mlir", "--cache", "cache", "--tool-timeout", "5"];
        let begin = Instant::now();
        let output = cosim(folder.path(), Some(&path), &arguments);
        let (_, error) = said(&output);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(expected), "{line}: {error}");
        assert!(begin.elapsed() < Duration::from_secs(120), "{line}");
    }
}

#[test]
fn folders_have_spaces() {
    if !has_verilator() {
        return;
    }
    let folder = folder();
    let spaced = folder.path().join("a b");
    std::fs::create_dir(&spaced).expect("it is not there");
    for file in ["kernel.mlir", "data.yaml"] {
        std::fs::copy(folder.path().join(file), spaced.join(file)).expect("it can be copied");
    }
    for arguments in [
        &["a b/kernel.mlir", "--cache", "a b/c d"][..],
        &["a b/kernel.mlir", "--cache", "a b/c d"],
        &["a b/kernel.mlir", "--keep", "a b/k p"],
        &["a b/kernel.mlir", "--no-cache"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
            .arg("cosim")
            .args(arguments)
            .current_dir(folder.path())
            .env("TMPDIR", &spaced)
            .output()
            .expect("the command starts");
        let (out, error) = said(&output);
        assert_eq!(out, AGREE, "{arguments:?}: {error}");
    }
    only_model(&spaced.join("c d"));
    let kept = spaced.join("k p").join("obj_dir").join("Vdut");
    assert!(kept.is_file(), "{}", kept.display());
}

#[test]
fn a_damaged_point_of_an_exploration_is_compiled_again() {
    let folder = folder();
    let space = "clock_period_ns: [5, 10]\n";
    std::fs::write(folder.path().join("space.yaml"), space).expect("it can be written");
    let explore = || {
        let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
            .args([
                "explore",
                "kernel.mlir",
                "--config",
                "space.yaml",
                "-o",
                "out",
            ])
            .current_dir(folder.path())
            .output()
            .expect("the command starts");
        said(&output).0
    };
    let first = explore();
    let points = folder.path().join("out").join("points");
    let files = || {
        let entries = std::fs::read_dir(&points).expect("it is a folder");
        let mut files: Vec<PathBuf> = entries
            .map(|entry| entry.expect("an entry").path())
            .collect();
        files.sort();
        files
    };
    assert_eq!(files().len(), 2);
    let path = files()[0].clone();
    let whole = std::fs::read_to_string(&path).expect("it is text");
    assert!(whole.starts_with("{\n  \"checksum\": \""), "{whole}");
    let number = whole.find("\"lut\": ").expect("it has cells") + 7;
    let mut other = whole.clone();
    other.insert(number, '9');
    for damaged in [other.as_str(), &whole[..whole.len() / 2], "", "{}", "null"] {
        std::fs::write(&path, damaged).expect("it can be written");
        assert_eq!(explore(), first, "{damaged}");
        let again = std::fs::read_to_string(&path).expect("it is text");
        assert_eq!(again, whole, "{damaged}");
    }
}
