//! Models on disk: each with the checksum of its program beside it, replaced as a whole, removed when it is not run for long.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest as _, Sha256};

use crate::files::{namesake, within};

/// Models that were not run for so long are removed when another one is built.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 3600);

/// Where models with the same first digits of their keys are.
pub(super) struct Shelf {
    folder: PathBuf,
}

impl Shelf {
    /// That of a key in a cache, and what the model is called there.
    pub(super) fn of<'k>(cache: &Path, key: &'k str) -> (Self, &'k str) {
        let (shelf, name) = key.split_at(2);
        let folder = within(cache, shelf);
        (Self { folder }, name)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn program(&self, name: &str) -> PathBuf {
        within(&self.folder, name)
    }

    fn sum(&self, name: &str) -> PathBuf {
        within(&self.folder, &format!("{name}.sha256"))
    }

    /// The program of a model that is there and whole; it is used now.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        let program = self.program(name);
        let wanted = fs::read_to_string(self.sum(name)).ok()?;
        let found = sha256(&fs::read(&program).ok()?);
        if wanted.trim_end() != found {
            return None;
        }
        // A time that cannot be set shortens the model's life, no more.
        let now = SystemTime::now();
        for path in [&program, &self.sum(name)] {
            let _ = File::open(path).and_then(|file| file.set_modified(now));
        }
        Some(program)
    }

    /// Whether there is something in the place of a model.
    pub(super) fn has(&self, name: &str) -> bool {
        self.program(name).exists()
    }

    /// No other process builds models of the shelf until the file is dropped. The system opens the lock of one that was stopped.
    pub(super) fn lock(&self) -> std::io::Result<File> {
        fs::create_dir_all(&self.folder)?;
        let lock = File::create(self.folder.join("lock"))?;
        lock.lock()?;
        Ok(lock)
    }

    /// Keeps the program of a model: on disk before it has its name, the checksum last.
    pub(super) fn keep(&self, name: &str, built: &Path) -> std::io::Result<PathBuf> {
        let data = fs::read(built)?;
        let mut program = tempfile::NamedTempFile::new_in(&self.folder)?;
        program.write_all(&data)?;
        program
            .as_file()
            .set_permissions(fs::metadata(built)?.permissions())?;
        program.as_file().sync_all()?;
        // What is there may be a folder, in which no file can take its place.
        let path = self.program(name);
        if path.is_dir() {
            fs::remove_dir_all(&path)?;
        }
        program.into_temp_path().persist(&path)?;
        let mut sum = tempfile::NamedTempFile::new_in(&self.folder)?;
        sum.write_all(format!("{}\n", sha256(&data)).as_bytes())?;
        sum.as_file().sync_all()?;
        sum.persist(self.sum(name))?;
        if cfg!(unix) {
            File::open(&self.folder)?.sync_all()?;
        }
        Ok(path)
    }

    /// Removes what builds of a model left behind that were stopped. What cannot be removed does no harm.
    pub(super) fn remove_unfinished(&self, name: &str) {
        for entry in entries(&self.folder) {
            let is_build = entry.path().is_dir();
            if is_build && entry.file_name().to_string_lossy().starts_with(name) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Removes models that were not run for long. One that cannot be removed stays.
    pub(super) fn remove_unused(&self) {
        for entry in entries(&self.folder) {
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
}

/// The objects in a folder of Verilator's own library, all of which are whole; none where one is not.
pub(super) fn objects(folder: &Path) -> Vec<PathBuf> {
    let is_object = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("verilated") && name.ends_with(".o")
    };
    let mut found: Vec<PathBuf> = entries(folder).map(|entry| entry.path()).collect();
    found.retain(is_object);
    found.sort();
    found
}

/// The objects of Verilator's own library that a folder of the cache keeps, where they are what was put there.
pub(super) fn kept_objects(folder: &Path) -> Vec<PathBuf> {
    let found = objects(folder);
    let wanted = fs::read_to_string(within(folder, SUMS)).ok();
    let sums = sums(&found).ok();
    match wanted.is_some() && wanted == sums {
        true => found,
        false => Vec::new(),
    }
}

/// The file with the checksums of objects.
const SUMS: &str = "sums";

/// A line for each file: its checksum and its name.
fn sums(files: &[PathBuf]) -> std::io::Result<String> {
    let lines = files.iter().map(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        Ok(format!("{} {name}\n", sha256(&fs::read(file)?)))
    });
    lines.collect()
}

/// Keeps the objects of Verilator's own library for the next model. Where that fails, the next one is built with its own.
pub(super) fn keep_objects(built: &Path, library: &Path) -> std::io::Result<()> {
    let Some(around) = library.parent() else {
        return Ok(());
    };
    fs::create_dir_all(around)?;
    let folder = tempfile::tempdir_in(around)?;
    for object in objects(built) {
        if let Some(copy) = namesake(folder.path(), &object) {
            fs::copy(&object, &copy)?;
            File::open(copy)?.sync_all()?;
        }
    }
    let mut file = File::create(within(folder.path(), SUMS))?;
    file.write_all(sums(&objects(folder.path()))?.as_bytes())?;
    file.sync_all()?;
    // Whole or not at all; the first one stays, but for objects that are damaged.
    if library.exists() && kept_objects(library).is_empty() {
        let damaged = tempfile::tempdir_in(around)?;
        fs::rename(library, damaged.path().join("library"))?;
    }
    fs::rename(folder.path(), library)
}

fn entries(folder: &Path) -> impl Iterator<Item = fs::DirEntry> {
    fs::read_dir(folder).into_iter().flatten().flatten()
}

/// The hash of bytes in hexadecimal.
pub(super) fn sha256(data: &[u8]) -> String {
    hexadecimal(Sha256::new_with_prefix(data))
}

/// The hash in hexadecimal.
pub(super) fn hexadecimal(hash: Sha256) -> String {
    let bytes = hash.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
