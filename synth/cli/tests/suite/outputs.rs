//! Where `sluice opt -o` writes.

use std::process::Command;

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
