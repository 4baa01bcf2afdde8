//! Verilator models: built once for each text, kept in a folder under the hash of everything that they are made of.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use clap::Args;
use sha2::{Digest as _, Sha256};
use sluice_rtl_out::lockstep::Lockstep;
use tempfile::TempDir;

use crate::output::{Done, error, input, write_all};

/// How models are built, besides the names of files and modules: on all cores, and with `-O1` for C++ in place of the `-Os` of
/// Verilator's makefile, which takes several times as long on great circuits and stands behind all `-CFLAGS`.
const FLAGS: [&str; 10] = [
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

/// What leaves out Verilator's own optimisations that are wrong in some of its versions: in 5.006 those of some signed comparisons. With `-O0`
/// an inverted clock rises at the very start.
const UNOPTIMISED: [&str; 3] = ["-fno-const", "-fno-expand", "-fno-dfg"];

/// Models that nobody ran for so long are removed when another one is built.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 3600);

/// Where models are kept.
#[derive(Args, Clone)]
pub(crate) struct Cache {
    /// Folder of built models, instead of `sluice` in $XDG_CACHE_HOME or ~/.cache
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
    /// Build every model anew and keep none
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,
    /// Build in this folder, and keep what was built
    #[arg(long, value_name = "DIR", conflicts_with_all = ["cache", "no_cache"])]
    pub(crate) keep: Option<PathBuf>,
    /// Leave out Verilator's own optimisations of constants, wide words and graphs, of which some are wrong in some of its versions
    #[arg(long)]
    unoptimised: bool,
}

/// Builds models, or finds them.
pub(crate) struct Models {
    cache: Option<PathBuf>,
    keep: Option<PathBuf>,
    version: String,
    is_optimised: bool,
}

/// A model that can be run.
pub(crate) struct Model {
    pub(crate) program: PathBuf,
    /// Whether it was made with Verilator's own optimisations.
    pub(crate) is_optimised: bool,
    /// Where it is, if nobody wants it afterwards.
    _folder: Option<TempDir>,
}

impl Cache {
    /// The models of this cache.
    pub(crate) fn open(&self) -> Done<Models> {
        self.of_version(run(Command::new("verilator").arg("--version"))?)
    }

    /// The same where Verilator can be run.
    pub(crate) fn open_if_installed(&self) -> Done<Option<Models>> {
        let version = run(Command::new("verilator").arg("--version")).ok();
        version.map(|version| self.of_version(version)).transpose()
    }

    fn of_version(&self, version: String) -> Done<Models> {
        let cache = if self.no_cache || self.keep.is_some() {
            None
        } else if let Some(folder) = &self.cache {
            fs::create_dir_all(folder)
                .map_err(|why| input(format!("{}: error: {why}", folder.display())))?;
            Some(folder.clone())
        } else {
            usual_folder()
        };
        Ok(Models {
            cache,
            keep: self.keep.clone(),
            version,
            is_optimised: !self.unoptimised,
        })
    }
}

/// The folder of the user, where one can be made; what is not kept is said.
fn usual_folder() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let folder = std::env::var_os(name).map(PathBuf::from);
        folder.filter(|folder| folder.is_absolute())
    };
    let of_home = || absolute("HOME").map(|home| home.join(".cache"));
    let Some(folder) = absolute("XDG_CACHE_HOME").or_else(of_home) else {
        error(
            "note: the model is not kept: neither XDG_CACHE_HOME nor HOME is set; --cache FOLDER says where",
        );
        return None;
    };
    let folder = folder.join("sluice");
    match fs::create_dir_all(&folder) {
        Ok(()) => Some(folder),
        Err(why) => {
            error(&format!(
                "note: the model is not kept: {}: {why}; --cache FOLDER says where",
                folder.display()
            ));
            None
        }
    }
}

impl Models {
    /// The model of a circuit; lint messages are errors where it `is_clean`.
    pub(crate) fn model(&self, verilog: &str, around: &Lockstep, is_clean: bool) -> Done<Model> {
        let strictness = if is_clean { "-Wall" } else { "-Wno-fatal" };
        let mut manner = vec![strictness];
        if !self.is_optimised {
            manner.extend(UNOPTIMISED);
        }
        let manner = &manner[..];
        let is_optimised = self.is_optimised;
        if let Some(folder) = &self.keep {
            let program = build(folder, verilog, around, manner, None)?;
            let program = std::path::absolute(&program).unwrap_or(program);
            return Ok(Model {
                program,
                is_optimised,
                _folder: None,
            });
        }
        let Some(cache) = &self.cache else {
            let folder = tempfile::tempdir()
                .map_err(|why| input(format!("error: no temporary folder: {why}")))?;
            return Ok(Model {
                program: build(folder.path(), verilog, around, manner, None)?,
                is_optimised,
                _folder: Some(folder),
            });
        };
        let program = self.cached(cache, verilog, around, manner)?;
        Ok(Model {
            program: std::path::absolute(&program).unwrap_or(program),
            is_optimised,
            _folder: None,
        })
    }

    fn cached(
        &self,
        cache: &Path,
        verilog: &str,
        around: &Lockstep,
        manner: &[&str],
    ) -> Done<PathBuf> {
        let key = self.key(verilog, around, manner);
        let (shelf, name) = key.split_at(2);
        let shelf = cache.join(shelf);
        let program = shelf.join(name);
        if is_used(&program) {
            return Ok(program);
        }
        let failed = |why: std::io::Error| {
            input(format!(
                "{}: error: {why}; --no-cache keeps no models",
                shelf.display()
            ))
        };
        fs::create_dir_all(&shelf).map_err(failed)?;
        // Whoever comes second finds what the first one has built. The system opens the lock of one that was stopped.
        let lock = File::create(shelf.join("lock")).map_err(failed)?;
        lock.lock().map_err(failed)?;
        if is_used(&program) {
            return Ok(program);
        }
        remove_unfinished(&shelf, name);
        let folder = tempfile::Builder::new()
            .prefix(&format!("{name}."))
            .tempdir_in(&shelf)
            .map_err(failed)?;
        let library = self.library(cache);
        let built = build(folder.path(), verilog, around, manner, library.as_deref())?;
        fs::rename(built, &program).map_err(failed)?;
        remove_unused(&shelf);
        Ok(program)
    }

    /// The hash of everything that a model is made of.
    fn key(&self, verilog: &str, around: &Lockstep, manner: &[&str]) -> String {
        let mut parts = vec![verilog, &around.wrapper, &around.program];
        parts.extend(manner);
        self.hash(&parts)
    }

    /// Where the objects of Verilator's own library are that every model links, or will be.
    fn library(&self, cache: &Path) -> Option<PathBuf> {
        let folder = std::path::absolute(cache.join("library").join(self.hash(&[]))).ok()?;
        // It goes through a makefile.
        let is_plain =
            |text: &str| !text.contains(|c: char| c.is_whitespace() || "$#:\\'\"".contains(c));
        folder.to_str().is_some_and(is_plain).then_some(folder)
    }

    /// The hash of texts, and of Verilator and how it is called.
    fn hash(&self, parts: &[&str]) -> String {
        let environment = ["CXX", "CXXFLAGS", "VERILATOR_ROOT"]
            .map(|name| std::env::var(name).unwrap_or_default());
        let parts = parts.iter().copied();
        let parts = parts.chain([self.version.as_str(), std::env::consts::ARCH]);
        let parts = parts.chain(FLAGS);
        let parts = parts.chain(environment.iter().map(String::as_str));
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        let bytes = hash.finalize();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The objects in a folder of Verilator's own library.
fn objects(folder: &Path) -> Vec<PathBuf> {
    let is_object = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("verilated") && name.ends_with(".o")
    };
    let mut found: Vec<PathBuf> = entries(folder).map(|entry| entry.path()).collect();
    found.retain(is_object);
    found.sort();
    found
}

/// Keeps the objects of Verilator's own library for the next model. Where that fails, the next one is built with its own.
fn keep_library(built: &Path, library: &Path) -> std::io::Result<()> {
    let Some(around) = library.parent() else {
        return Ok(());
    };
    fs::create_dir_all(around)?;
    let folder = tempfile::tempdir_in(around)?;
    for object in objects(built) {
        if let Some(name) = object.file_name() {
            fs::copy(&object, folder.path().join(name))?;
        }
    }
    // Whole or not at all; whoever was first stays.
    fs::rename(folder.path(), library)
}

/// Whether a model is there; if so, it is used now.
fn is_used(program: &Path) -> bool {
    let Ok(file) = File::open(program) else {
        return false;
    };
    // A time that cannot be set shortens the model's life, no more.
    let _ = file.set_modified(SystemTime::now());
    true
}

/// Removes what builds of a model left behind that were stopped. What cannot be removed is in nobody's way.
fn remove_unfinished(shelf: &Path, name: &str) {
    for entry in entries(shelf) {
        let is_build = entry.path().is_dir();
        if is_build && entry.file_name().to_string_lossy().starts_with(name) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Removes models that nobody ran for long. One that cannot be removed stays.
fn remove_unused(shelf: &Path) {
    for entry in entries(shelf) {
        let age = entry.metadata().and_then(|known| known.modified());
        let age = age.ok().and_then(|time| time.elapsed().ok());
        if age.is_some_and(|age| age > UNUSED) && entry.file_name() != "lock" {
            let path = entry.path();
            let _ = if path.is_dir() {
                fs::remove_dir_all(path)
            } else {
                fs::remove_file(path)
            };
        }
    }
}

fn entries(folder: &Path) -> impl Iterator<Item = fs::DirEntry> {
    fs::read_dir(folder).into_iter().flatten().flatten()
}

/// Builds a model in a folder, with what is in the folder of Verilator's own library or else fills that; says where its program is.
fn build(
    folder: &Path,
    verilog: &str,
    around: &Lockstep,
    manner: &[&str],
    library: Option<&Path>,
) -> Done<PathBuf> {
    write_all(
        folder,
        &[
            ("dut.v".to_owned(), verilog.to_owned()),
            ("lockstep.v".to_owned(), around.wrapper.clone()),
            ("main.cpp".to_owned(), around.program.clone()),
        ],
    )?;
    let verilate = |more: &[&str]| {
        run(Command::new("verilator")
            .args(FLAGS)
            .args(manner)
            .args(["--top-module", &around.top, "--prefix", "Vdut"])
            .args(more)
            .args(["dut.v", "lockstep.v", "main.cpp"])
            .current_dir(folder))
    };
    let output = folder.join("obj_dir");
    let linked: Vec<String> = library
        .map(objects)
        .unwrap_or_default()
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    if linked.is_empty() {
        verilate(&[])?;
        if let Some(library) = library {
            let _ = keep_library(&output, library);
        }
    } else {
        let linked = linked.join(" ");
        let with = ["-MAKEFLAGS", "VM_GLOBAL_FAST=", "-LDFLAGS", &linked];
        // Objects that do not fit are no reason to fail.
        verilate(&with).or_else(|_| verilate(&[]))?;
    }
    Ok(output.join("Vdut"))
}

/// Runs a program to its end; gives what it printed.
fn run(command: &mut Command) -> Done<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|why| {
        input(format!(
            "error: `{program}` does not run: {why}; install Verilator (Debian: apt-get install verilator)"
        ))
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    Err(input(format!("error: `{program}` failed:\n{text}")))
}
