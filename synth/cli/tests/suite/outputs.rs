//! Tests of output files: where commands write, and that they write a complete result or nothing.

use std::process::Command;

use crate::assertions::{folder, sluice};

#[cfg(unix)]
#[test]
fn a_device_stays_a_device() {
    use std::os::unix::fs::FileTypeExt as _;
    let kernel = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/dot/kernel.mlir"
    );
    let done = Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(["opt", kernel, "-o", "/dev/null"])
        .status()
        .expect("the command starts");
    assert!(done.success());
    let kind = std::fs::metadata("/dev/null")
        .expect("it is there")
        .file_type();
    assert!(kind.is_char_device());
}

#[test]
fn all_files_of_a_circuit_are_written_or_none() {
    let kernel = "func.func @k(%a: i8) -> i8 { return %a : i8 }\n";
    for name in ["k.v", "k.report.json", "k.rtl.mlir"] {
        let folder = folder(&[("k.mlir", kernel)]);
        let out = folder.path().join("out");
        std::fs::create_dir_all(out.join(name)).expect("a folder can be made");
        let (code, _, said) = sluice(folder.path(), &["compile", "k.mlir", "-o", "out"]);
        assert_eq!(code, Some(1), "{said}");
        assert!(
            said.contains("a folder has the name of this file"),
            "{said}"
        );
        let left = std::fs::read_dir(&out).expect("it is there").count();
        assert_eq!(left, 1, "{name}: only what was there before");
    }
    let folder = folder(&[("k.mlir", kernel)]);
    let (code, _, said) = sluice(folder.path(), &["compile", "k.mlir", "-o", "k.mlir"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("k.mlir: error: this is no folder"), "{said}");
}
