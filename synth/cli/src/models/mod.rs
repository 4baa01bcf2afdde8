//! Verilator models, each built once and cached in a folder under the hash of all its inputs.

mod build;
mod store;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use sha2::{Digest as _, Sha256};
use sluice_rtl_out::lockstep::Lockstep;
use tempfile::TempDir;

use crate::files::{copy_all, make_folder, within};
use crate::output::{Done, error, input};
use crate::processes::Patience;
use build::{FLAGS, Recipe, build_folder, is_plain, program_in, version};
use store::{Shelf, hexadecimal};

/// Options that disable optimisations of Verilator that are wrong in some versions: in 5.006 those of some signed comparisons.
/// `-O0` is not used, because it makes an inverted clock rise at time 0.
const UNOPTIMISED: [&str; 3] = ["-fno-const", "-fno-expand", "-fno-dfg"];

/// Where models are kept.
#[derive(Args, Clone)]
pub(crate) struct Cache {
    /// Folder that keeps built models; default: `sluice` in $XDG_CACHE_HOME or ~/.cache
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
    /// Build each model again, and do not keep it
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,
    /// Build the model in this folder, and keep all files there
    #[arg(long, value_name = "DIR", conflicts_with_all = ["cache", "no_cache"])]
    pub(crate) keep: Option<PathBuf>,
    /// Turn off Verilator's optimisations of constants, wide words and graphs; some of them are wrong in some versions of Verilator
    #[arg(long)]
    unoptimised: bool,
    #[command(flatten)]
    patience: Patience,
}

/// Builds models, or finds them in the cache.
pub(crate) struct Models {
    cache: Option<PathBuf>,
    keep: Option<PathBuf>,
    version: String,
    is_optimised: bool,
    patience: Patience,
}

/// A built model.
pub(crate) struct Model {
    pub(crate) program: PathBuf,
    /// True if it was built with Verilator's own optimisations.
    pub(crate) is_optimised: bool,
    /// Maximum time for an answer.
    pub(crate) answers_within: Duration,
    /// Its folder, if it is deleted afterwards.
    _folder: Option<TempDir>,
}

impl Cache {
    /// Opens the cache.
    pub(crate) fn open(&self) -> Done<Models> {
        self.of_version(version(self.patience.of_tool())?)
    }

    /// Opens the cache if Verilator can be run, else returns `None`.
    pub(crate) fn open_if_installed(&self) -> Done<Option<Models>> {
        let version = version(self.patience.of_tool()).ok();
        version.map(|version| self.of_version(version)).transpose()
    }

    fn of_version(&self, version: String) -> Done<Models> {
        let cache = if self.no_cache || self.keep.is_some() {
            None
        } else if let Some(folder) = &self.cache {
            make_folder(folder)?;
            Some(folder.clone())
        } else {
            usual_folder()
        };
        Ok(Models {
            cache,
            keep: self.keep.clone(),
            version,
            is_optimised: !self.unoptimised,
            patience: self.patience,
        })
    }
}

/// Returns the user's cache folder, and creates it if possible. Prints a note if models are not kept.
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
    /// Returns the model of a circuit. If it `is_clean`, lint messages are errors.
    pub(crate) fn model(&self, verilog: &str, around: &Lockstep, is_clean: bool) -> Done<Model> {
        // The file of the circuit is not called as its top here.
        let mut manner = match is_clean {
            true => vec!["-Wall", "-Wno-DECLFILENAME"],
            false => vec!["-Wno-fatal"],
        };
        if !self.is_optimised {
            manner.extend(UNOPTIMISED);
        }
        let recipe = Recipe {
            verilog,
            around,
            manner: &manner,
            patience: self.patience.of_tool(),
        };
        let model = |program: PathBuf, folder: Option<TempDir>| Model {
            program: std::path::absolute(&program).unwrap_or(program),
            is_optimised: self.is_optimised,
            answers_within: self.patience.of_answer(),
            _folder: folder,
        };
        if let Some(folder) = &self.keep {
            return Ok(model(kept(folder, recipe)?, None));
        }
        let Some(cache) = &self.cache else {
            let folder = build_folder("", &[])?;
            return Ok(model(recipe.build(folder.path(), None)?, Some(folder)));
        };
        Ok(model(self.cached(cache, recipe)?, None))
    }

    /// Returns the model from a cache; builds it if it is missing or damaged.
    fn cached(&self, cache: &Path, recipe: Recipe<'_>) -> Done<PathBuf> {
        let key = self.key(recipe);
        let (shelf, name) = Shelf::of(cache, &key);
        if let Some(program) = shelf.find(name) {
            return Ok(program);
        }
        let failed = |why: std::io::Error| {
            let shelf = shelf.folder().display();
            input(format!("{shelf}: error: {why}; --no-cache keeps no models"))
        };
        // A second process waits here, and then finds the model of the first one.
        let _lock = shelf.lock().map_err(failed)?;
        if let Some(program) = shelf.find(name) {
            return Ok(program);
        }
        if shelf.has(name) {
            error(&format!(
                "note: the kept model is damaged and is built again: {}",
                within(shelf.folder(), name).display()
            ));
        }
        shelf.remove_unfinished(name);
        let folder = build_folder(&format!("{name}."), &[shelf.folder()])?;
        let library = self.library(cache);
        let built = recipe.build(folder.path(), library.as_deref())?;
        let program = shelf.keep(name, &built).map_err(failed)?;
        shelf.remove_unused();
        Ok(program)
    }

    /// Returns the hash of all inputs of a model.
    fn key(&self, recipe: Recipe<'_>) -> String {
        let around = recipe.around;
        let mut parts = vec![recipe.verilog, &around.wrapper, &around.program];
        parts.extend(recipe.manner);
        self.hash(&parts)
    }

    /// Returns the folder with the objects of Verilator's own library, which every model links.
    fn library(&self, cache: &Path) -> Option<PathBuf> {
        let folder = cache.join("library");
        let folder = std::path::absolute(within(&folder, &self.hash(&[]))).ok()?;
        // The path is used in a makefile.
        is_plain(&folder).then_some(folder)
    }

    /// Returns the hash of texts, of the version of Verilator and of its options.
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
        hexadecimal(hash)
    }
}

/// Builds a model in a folder that keeps all files. If `make` does not accept its path, builds elsewhere and copies the files.
fn kept(folder: &Path, recipe: Recipe<'_>) -> Done<PathBuf> {
    let failed = |why: std::io::Error| input(format!("{}: error: {why}", folder.display()));
    make_folder(folder)?;
    if is_plain(&folder.canonicalize().map_err(failed)?) {
        return recipe.build(folder, None);
    }
    let elsewhere = build_folder("", &[])?;
    recipe.build(elsewhere.path(), None)?;
    copy_all(elsewhere.path(), folder).map_err(failed)?;
    Ok(program_in(folder))
}
