//! The kernels and circuits below a folder.

use std::path::{Path, PathBuf};

use clap::Args;
use sha2::{Digest as _, Sha256};
use sluice_kernel::input::InputKind;

use super::kernel::{Data, Kernel};
use super::missing_data::similar_file;
use super::sequences::{Given, is_circuit};
use crate::commands::requests::asked;
use crate::output::{Done, input};

/// Endings of files that `sluice compile` writes: no kernels of their own.
const WRITTEN: [&str; 2] = [".scheduled.mlir", ".rtl.mlir"];

/// The kernel of a folder.
const KERNEL: &str = "kernel.mlir";

/// Which kernels of a folder are meant.
#[derive(Args, Clone)]
pub(super) struct Selection {
    /// Run only the kernels whose path contains this text
    #[arg(long, value_name = "TEXT")]
    pub(super) filter: Option<String>,
    /// Run only part K of N, such as `hash:2/8`; a hash of the path below the folder assigns each kernel to one part
    #[arg(long, value_name = "hash:K/N", value_parser = partition)]
    partition: Option<Partition>,
}

/// One of several parts of a folder.
#[derive(Clone, Copy)]
struct Partition {
    /// From zero.
    part: u64,
    n_parts: u64,
}

fn partition(text: &str) -> Result<Partition, String> {
    let form = || "`hash:K/N` is expected, as `hash:2/8`".to_owned();
    let (part, n_parts) = text
        .strip_prefix("hash:")
        .and_then(|rest| rest.split_once('/'))
        .ok_or_else(form)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| form());
    let (part, n_parts) = (number(part)?, number(n_parts)?);
    match part.checked_sub(1).filter(|part| *part < n_parts) {
        Some(part) => Ok(Partition { part, n_parts }),
        None => Err(format!(
            "part {part} of {n_parts}: parts are numbered from 1 to {n_parts}"
        )),
    }
}

impl Partition {
    /// Whether a file is in the part; the same on every machine.
    fn has(self, file: &str) -> bool {
        let hash = Sha256::digest(file.as_bytes());
        let mut first = [0; 8];
        first.copy_from_slice(&hash[..8]);
        u64::from_be_bytes(first) % self.n_parts == self.part
    }
}

impl Selection {
    /// Returns the given options.
    pub(super) fn asked(&self) -> Vec<&'static str> {
        asked(&[
            ("--filter", self.filter.is_some()),
            ("--partition", self.partition.is_some()),
        ])
    }

    /// Whether only a part of the kernels is meant, in which there may be none.
    pub(super) fn is_part(&self) -> bool {
        self.partition.is_some()
    }

    /// Whether a file is meant, by its path from the folder.
    pub(super) fn has(&self, file: &str) -> bool {
        let is_named = self
            .filter
            .as_ref()
            .is_none_or(|text| file.contains(text.as_str()));
        is_named && self.partition.is_none_or(|partition| partition.has(file))
    }
}

/// The path of a file from a folder, with `/` on every system.
pub(super) fn relative(file: &Path, folder: &Path) -> String {
    let path = file.strip_prefix(folder).unwrap_or(file);
    let steps = path
        .components()
        .map(|step| step.as_os_str().to_string_lossy());
    steps.collect::<Vec<_>>().join("/")
}

/// Files below a folder, in the order of their paths.
#[derive(Default)]
pub(super) struct Found {
    /// Kernels, and circuits with data.
    pub(super) runs: Vec<(PathBuf, Kind)>,
    /// Circuits without data, which are not run.
    pub(super) without_data: Vec<PathBuf>,
}

/// A file, as a run of the folder takes it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Kernel,
    Circuit,
    /// A circuit without data.
    Component,
    Other,
}

impl Found {
    /// Looks for kernels and circuits below a folder: for `kernel.mlir` in each, or for every file with a function where there is none.
    pub(super) fn below(folder: &Path, asked: &Kernel) -> Done<Self> {
        let mut found = Self::default();
        discover(folder, asked, &mut Vec::new(), &mut found)?;
        Ok(found)
    }
}

/// The kernels below a folder, in the order of their paths: `kernel.mlir` where there is one, else every file with a function, and circuits
/// with data beside them.
///
/// Folders are looked into that links name, but not those that they are in, which `around` has: these would come again for ever.
fn discover(
    folder: &Path,
    asked: &Kernel,
    around: &mut Vec<PathBuf>,
    found: &mut Found,
) -> Done<()> {
    let failed = |why: std::io::Error| input(format!("{}: error: {why}", folder.display()));
    let own = folder.canonicalize().map_err(failed)?;
    if around.contains(&own) {
        return Ok(());
    }
    around.push(own);
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(failed)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    entries.sort();
    // Where there is a `kernel.mlir`, the configuration and the data of the folder are its own.
    let has_kernel = entries.iter().any(|path| path.ends_with(KERNEL));
    for path in entries {
        let name = path.to_string_lossy();
        if path.is_dir() {
            discover(&path, asked, around, found)?;
        } else if name.ends_with(".mlir")
            && (!has_kernel || path.ends_with(KERNEL))
            && !WRITTEN.iter().any(|ending| name.ends_with(ending))
        {
            match kind(&path, asked)? {
                kind @ (Kind::Kernel | Kind::Circuit) => found.runs.push((path, kind)),
                Kind::Component => found.without_data.push(path),
                Kind::Other => {}
            }
        }
    }
    around.pop();
    Ok(())
}

/// The kind of a file in the run of a folder.
pub(super) fn kind(path: &Path, asked: &Kernel) -> Done<Kind> {
    let kernel = Kernel {
        kernel: path.to_owned(),
        ..asked.clone()
    };
    let source = kernel.source()?;
    if is_circuit(&source) {
        // Errors of its data, and a data file with a misspelt name, are reported when it runs.
        let given = Given::read(&Data::beside(), &kernel, &source, None);
        let is_run = given.map_or(true, |given| given.is_some()) || similar_file(path).is_some();
        return Ok(match is_run {
            true => Kind::Circuit,
            false => Kind::Component,
        });
    }
    // A file of this name is meant to be a kernel: where it is none, its run says why.
    let is_kernel = InputKind::of(&source, "") == InputKind::Kernel || path.ends_with(KERNEL);
    Ok(match is_kernel {
        true => Kind::Kernel,
        false => Kind::Other,
    })
}
