//! Devices that a file describes: taken where a name is, checked as the built-in ones are.

use std::path::Path;

use sluice_config::is_path;

use crate::assertions::{folder, sluice};

const KERNEL: &str = "func.func @k(%a: memref<16xi32>, %b: memref<16xi32>, %d: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = affine.for %i = 0 to 16 iter_args(%acc = %zero) -> (i32) {
    %x = affine.load %a[%i] : memref<16xi32>
    %y = affine.load %b[%i] : memref<16xi32>
    %p = arith.muli %x, %y : i32
    %q = arith.divui %p, %d : i32
    %s = arith.addi %acc, %q : i32
    affine.yield %s : i32
  }
  return %sum : i32
}
";

const DEVICES: [&str; 5] = ["generic", "ecp5", "ice40", "xilinx7", "ultrascale_plus"];

fn text_of(device: &str) -> String {
    let path = format!(
        "{}/../oplib/devices/{device}.yaml",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(path).expect("the device file is there")
}

/// The files of a folder with their names.
fn files(folder: &Path) -> Vec<(String, String)> {
    let all = std::fs::read_dir(folder).expect("the folder is there");
    let mut all: Vec<_> = all
        .map(|entry| {
            let entry = entry.expect("an entry");
            let text = std::fs::read_to_string(entry.path()).expect("it is text");
            (entry.file_name().to_string_lossy().into_owned(), text)
        })
        .collect();
    all.sort();
    all
}

#[test]
fn a_built_in_device_from_a_file_is_the_same() {
    for device in DEVICES {
        let text = text_of(device);
        let folder = folder(&[("k.mlir", KERNEL), ("mine.yaml", &text)]);
        let of = |out: &str, arguments: &[&str]| {
            let mut all = vec!["compile", "k.mlir", "-o", out];
            all.extend(arguments);
            let (code, said, error) = sluice(folder.path(), &all);
            assert_eq!(code, Some(0), "{device}: {arguments:?}: {error}");
            let said = said.replace(out, "OUT");
            let mut files = files(&folder.path().join(out));
            for (_, text) in &mut files {
                // The only line that says where the device is from.
                let lines = text.split_inclusive('\n');
                *text = lines
                    .filter(|line| !line.starts_with("// To write this file again: "))
                    .collect();
            }
            (said, error, files)
        };
        let named = of("named", &["--device", device]);
        assert_eq!(named.2.len(), 5);
        assert!(
            of("path", &["--device", "./mine.yaml"]) == named,
            "{device}"
        );
        // A path in a configuration begins at the file that has it.
        std::fs::create_dir(folder.path().join("settings")).expect("it is new");
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).expect("it can be written");
        };
        write("settings/c.yaml", "device: ../mine.yaml\n");
        assert!(
            of("config", &["--config", "settings/c.yaml"]) == named,
            "{device}"
        );
        // Of another name it is another device with the same figures.
        let renamed = text.replacen(&format!("device: {device}\n"), "device: mine\n", 1);
        assert_ne!(renamed, text);
        write("mine.yaml", &renamed);
        let own = of("own", &["--device", "mine.yaml"]);
        assert!(own.0.starts_with("@k on `mine` at "), "{}", own.0);
        let verilog = |files: &[(String, String)]| {
            let (_, text) = files
                .iter()
                .find(|(name, _)| name == "k.v")
                .expect("Verilog");
            let lines = text.split_inclusive('\n');
            lines
                .filter(|line| !line.starts_with("//"))
                .collect::<String>()
        };
        assert_eq!(verilog(&own.2), verilog(&named.2), "{device}");
    }
}

#[test]
fn all_faults_of_a_device_file_are_said() {
    let text = text_of("generic");
    let wrong = text.replacen("setup_ns: ", "setup_ns: -", 1);
    let wrong = wrong.replacen("capacity:", "speed: 3\ncapacity:", 1);
    let wrong = wrong.replacen("- class: bit_count", "- class: absolute", 1);
    let folder = folder(&[
        ("k.mlir", KERNEL),
        ("mine.yaml", &wrong),
        ("c.yaml", "device: ./mine.yaml\nclock_period_ns: -1\n"),
        ("missing.yaml", "device: ./nothing.yaml\n"),
    ]);
    let (code, _, error) = sluice(
        folder.path(),
        &["compile", "k.mlir", "--device", "./mine.yaml"],
    );
    assert_eq!(code, Some(1));
    let line = |what: &str| {
        1 + wrong
            .lines()
            .take_while(|line| !line.contains(what))
            .count()
    };
    let expected = [
        format!(
            "./mine.yaml:{}:3: error: `register.setup_ns`: expected a number of at least 0\n",
            line("setup_ns: -")
        ),
        format!(
            "./mine.yaml:{}:1: error: `speed`: unknown key; ",
            line("speed: 3")
        ),
        format!(
            "./mine.yaml:{}:1: error: `operators`: expected rows from `width_bits: 1` on for every class; there are none for `bit_count`\n",
            line("operators:")
        ),
        " is already in `operators[".to_owned(),
        "4 errors\n".to_owned(),
    ];
    for expected in &expected {
        assert!(error.contains(expected), "{expected}: {error}");
    }
    // With those of the configuration that names it.
    let (code, _, error) = sluice(folder.path(), &["compile", "k.mlir", "--config", "c.yaml"]);
    assert_eq!(code, Some(1));
    assert!(
        error.contains("mine.yaml:") && error.contains("5 errors\n"),
        "{error}"
    );
    assert!(
        error.contains("c.yaml:2:1: error: `clock_period_ns` is"),
        "{error}"
    );
    let (code, _, error) = sluice(
        folder.path(),
        &["compile", "k.mlir", "--config", "missing.yaml"],
    );
    assert_eq!(code, Some(1));
    let expected = "missing.yaml:1:1: error: the device file `./nothing.yaml` cannot be read: ";
    assert!(error.contains(expected), "{error}");
    assert!(!folder.path().join("sluice-out").exists());
}

#[test]
fn exploration_takes_device_files() {
    let text = text_of("ecp5").replacen("device: ecp5\n", "device: mine\n", 1);
    let space = "device: [ecp5, ./mine.yaml]\n";
    let folder = folder(&[
        ("k.mlir", KERNEL),
        ("mine.yaml", &text),
        ("space.yaml", space),
    ]);
    let explore = ["explore", "k.mlir", "--config", "space.yaml"];
    let (code, said, error) = sluice(folder.path(), &explore);
    assert_eq!(code, Some(0), "{error}");
    let rows: Vec<Vec<&str>> = said
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|cells| cells.len() > 7 && cells.last() == Some(&"best"))
        .filter(|cells| cells[..2].iter().all(|cell| cell.parse::<u32>().is_ok()))
        .collect();
    // Each device has its own front. The first cell is the number of the row.
    assert_eq!(rows.len(), 2, "{said}");
    assert_eq!(rows[0][1..], rows[1][1..], "{said}");
    // A device with other figures is another point.
    let n_points = || {
        std::fs::read_dir(folder.path().join("sluice-explore/points"))
            .expect("points")
            .count()
    };
    assert_eq!(n_points(), 2);
    let slower = text.replacen("default_period_ns: ", "default_period_ns: 1", 1);
    std::fs::write(folder.path().join("mine.yaml"), slower).expect("it can be written");
    let (code, _, error) = sluice(folder.path(), &explore);
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(n_points(), 3);
}

/// A space that Sluice chooses has the device file of the configuration beside the kernel.
#[test]
fn a_chosen_space_takes_a_device_file() {
    let text = text_of("ecp5").replacen("device: ecp5\n", "device: mine\n", 1);
    let config = "device: ./mine.yaml\n";
    let folder = folder(&[("k.mlir", KERNEL), ("mine.yaml", &text), ("k.yaml", config)]);
    let explore = ["explore", "k.mlir", "--points", "2"];
    let (code, said, error) = sluice(folder.path(), &explore);
    assert_eq!(code, Some(0), "{error}");
    assert!(said.contains(" best"), "{said}");
}

#[test]
fn paths_are_told_from_names() {
    for (text, expected) in [
        ("ecp5", false),
        ("my.device", false),
        ("./ecp5", true),
        ("mine.yaml", true),
        ("mine.yml", true),
        ("C:\\mine", true),
    ] {
        assert_eq!(is_path(text), expected, "{text}");
    }
}
