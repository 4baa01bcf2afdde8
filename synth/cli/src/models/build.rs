//! Builds one model with Verilator, in a folder whose path `make` accepts.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use sluice_rtl_out::lockstep::Lockstep;
use tempfile::TempDir;

use super::store::{keep_objects, kept_objects};
use crate::files::{FileName, write_all};
use crate::output::{Done, input};
use crate::processes::run_well;

/// Options of all models: build on all cores, with `-O1` for C++ instead of the `-Os` of Verilator's makefile. `-Os` takes
/// several times as long for large circuits, and comes after all `-CFLAGS`, so it cannot be overridden there.
pub(super) const FLAGS: [&str; 10] = [
    "--cc",
    "--exe",
    "--build",
    "-j",
    "0",
    "-O1",
    "-MAKEFLAGS",
    "OPT_FAST=-O1",
    "--x-initial",
    "0",
];

/// Advice if Verilator does not start.
const ADVICE: &str = "; install Verilator (Debian: apt-get install verilator)";

/// Returns the version of Verilator.
pub(super) fn version(patience: Duration) -> Done<String> {
    run_well(Command::new("verilator").arg("--version"), patience, ADVICE)
}

/// Returns whether `make` and the shell accept a path without quoting.
pub(super) fn is_plain(path: &Path) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/\\:._-+@,=".contains(c);
    path.to_str()
        .is_some_and(|path| !path.is_empty() && path.chars().all(is_plain))
}

/// Creates a folder to build in: in one of `wanted`, else in a usual folder for temporary files. `make` does not accept paths
/// with a space.
pub(super) fn build_folder(prefix: &str, wanted: &[&Path]) -> Done<TempDir> {
    let usual = [std::env::temp_dir(), "/tmp".into(), "/var/tmp".into()];
    let all = wanted.iter().map(|path| path.to_path_buf()).chain(usual);
    let mut why = String::from("their paths hold characters that make cannot read");
    for place in all {
        let Ok(place) = std::path::absolute(place) else {
            continue;
        };
        let real = place.canonicalize().unwrap_or(place);
        if !is_plain(&real) {
            continue;
        }
        match tempfile::Builder::new().prefix(prefix).tempdir_in(&real) {
            Ok(folder) => return Ok(folder),
            Err(failed) => why = format!("{}: {failed}", real.display()),
        }
    }
    Err(input(format!(
        "error: there is no folder in which Verilator can build: {why}; TMPDIR can name one"
    )))
}

/// Returns the program of a model that was built in a folder.
pub(super) fn program_in(folder: &Path) -> PathBuf {
    folder.join("obj_dir").join("Vdut")
}

/// A circuit, and the options for building its model.
#[derive(Clone, Copy)]
pub(super) struct Recipe<'a> {
    pub(super) verilog: &'a str,
    pub(super) around: &'a Lockstep,
    /// Options for Verilator.
    pub(super) manner: &'a [&'a str],
    pub(super) patience: Duration,
}

impl Recipe<'_> {
    /// Builds the model in a folder and returns its program. Links the objects of Verilator's own library in `library`, or stores
    /// them there if there are none.
    pub(super) fn build(self, folder: &Path, library: Option<&Path>) -> Done<PathBuf> {
        let around = self.around;
        write_all(
            folder,
            &[
                (FileName::fixed("dut.v"), self.verilog.to_owned()),
                (FileName::fixed("lockstep.v"), around.wrapper.clone()),
                (FileName::fixed("main.cpp"), around.program.clone()),
            ],
        )?;
        let verilate = |more: &[&str]| {
            let mut command = Command::new("verilator");
            command
                .args(FLAGS)
                .args(self.manner)
                .args(["--top-module", &around.top, "--prefix", "Vdut"])
                .args(more)
                .args(["dut.v", "lockstep.v", "main.cpp"])
                .current_dir(folder);
            run_well(&mut command, self.patience, ADVICE)
        };
        let output = folder.join("obj_dir");
        let linked: Vec<String> = library
            .map(kept_objects)
            .unwrap_or_default()
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        if linked.is_empty() {
            verilate(&[])?;
            if let Some(library) = library {
                let _ = keep_objects(&output, library);
            }
        } else {
            let linked = linked.join(" ");
            let with = ["-MAKEFLAGS", "VM_GLOBAL_FAST=", "-LDFLAGS", &linked];
            // If the stored objects do not fit, build without them.
            verilate(&with).or_else(|_| verilate(&[]))?;
        }
        let program = program_in(folder);
        let is_made =
            std::fs::metadata(&program).is_ok_and(|found| found.is_file() && found.len() > 0);
        match is_made {
            true => Ok(program),
            false => Err(input(
                "error: `verilator` ended well and made no program; is it Verilator, with a C++ compiler and make?",
            )),
        }
    }
}
