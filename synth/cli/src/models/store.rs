//! Models on disk, each with the checksum of its program. They are replaced atomically, and removed when they were not used for a
//! long time.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest as _, Sha256};

use crate::files::{namesake, within};

/// Models that were not used for this time are removed when another one is built.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 3600);

/// The folder of the models whose keys begin with the same digits.
pub(super) struct Shelf {
    folder: PathBuf,
}

impl Shelf {
    /// Returns the shelf of a key in a cache, and the name of the model there.
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

    /// Returns the program of a model if it exists and is undamaged, and marks it as used now.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        let program = self.program(name);
        let wanted = fs::read_to_string(self.sum(name)).ok()?;
        let found = sha256(&fs::read(&program).ok()?);
        if wanted.trim_end() != found {
            return None;
        }
        // If the time cannot be set, the model is only removed earlier.
        let now = SystemTime::now();
        for path in [&program, &self.sum(name)] {
            let _ = File::open(path).and_then(|file| file.set_modified(now));
        }
        Some(program)
    }

    /// Returns whether there is anything at the path of a model.
    pub(super) fn has(&self, name: &str) -> bool {
        self.program(name).exists()
    }

    /// Locks the shelf: no other process builds its models until the file is dropped. The system releases the lock of a killed
    /// process.
    pub(super) fn lock(&self) -> std::io::Result<File> {
        fs::create_dir_all(&self.folder)?;
        let lock = File::create(self.folder.join("lock"))?;
        lock.lock()?;
        Ok(lock)
    }

    /// Stores the program of a model: it is written to disk before it gets its name, and the checksum comes last.
    pub(super) fn keep(&self, name: &str, built: &Path) -> std::io::Result<PathBuf> {
        let data = fs::read(built)?;
        let mut program = tempfile::NamedTempFile::new_in(&self.folder)?;
        program.write_all(&data)?;
        program
            .as_file()
            .set_permissions(fs::metadata(built)?.permissions())?;
        program.as_file().sync_all()?;
        // A folder at this path must be removed, because a file cannot replace it.
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

    /// Removes the remains of interrupted builds of a model; ignores those that cannot be removed.
    pub(super) fn remove_unfinished(&self, name: &str) {
        for entry in entries(&self.folder) {
            let is_build = entry.path().is_dir();
            if is_build && entry.file_name().to_string_lossy().starts_with(name) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Removes models that were not used for a long time; ignores those that cannot be removed.
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

/// Returns the objects of Verilator's own library in a folder, sorted by name.
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

/// Returns the objects of Verilator's own library that a cache folder keeps, if their checksums match; else none.
pub(super) fn kept_objects(folder: &Path) -> Vec<PathBuf> {
    let found = objects(folder);
    let wanted = fs::read_to_string(within(folder, SUMS)).ok();
    let sums = sums(&found).ok();
    match wanted.is_some() && wanted == sums {
        true => found,
        false => Vec::new(),
    }
}

/// Name of the file with the checksums of objects.
const SUMS: &str = "sums";

/// Formats a line for each file: its checksum and its name.
fn sums(files: &[PathBuf]) -> std::io::Result<String> {
    let lines = files.iter().map(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        Ok(format!("{} {name}\n", sha256(&fs::read(file)?)))
    });
    lines.collect()
}

/// Stores the objects of Verilator's own library for the next model. After a failure, the next model builds its own.
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
    // Store all objects or none. Existing objects stay, unless they are damaged.
    if library.exists() && kept_objects(library).is_empty() {
        let damaged = tempfile::tempdir_in(around)?;
        fs::rename(library, damaged.path().join("library"))?;
    }
    fs::rename(folder.path(), library)
}

fn entries(folder: &Path) -> impl Iterator<Item = fs::DirEntry> {
    fs::read_dir(folder).into_iter().flatten().flatten()
}

/// Returns the hash of bytes in hexadecimal.
pub(super) fn sha256(data: &[u8]) -> String {
    hexadecimal(Sha256::new_with_prefix(data))
}

/// Formats a hash in hexadecimal.
pub(super) fn hexadecimal(hash: Sha256) -> String {
    let bytes = hash.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
