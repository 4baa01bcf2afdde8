//! Output files: the only module that creates, names and replaces files.
//!
//! File names of the user are used as they are. Names that Sluice chooses are a [`FileName`], which cannot leave its folder.

use std::io::Write as _;
use std::path::{Component, Path, PathBuf};

use sluice_dialects::names::file_stem;

use crate::output::{Done, Stop, input};

/// The name of a file in a result folder: one path component, legal on every file system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FileName(String);

impl FileName {
    /// Creates a name from a text in the source code.
    pub(crate) fn fixed(name: &'static str) -> Self {
        Self(name.to_owned())
    }

    /// Creates the file name for `symbol`, which may have any characters, with this suffix.
    pub(crate) fn of(symbol: &str, ending: &'static str) -> Self {
        Self(file_stem(symbol) + ending)
    }

    /// Creates the file name for something with a hash and no name, with this suffix.
    pub(crate) fn of_digest(digest: &[u8], ending: &'static str) -> Self {
        let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Self(digits + ending)
    }

    /// Returns the name as text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Creates the name of one of several numbered files.
    pub(crate) fn numbered(name: &'static str, number: usize, ending: &'static str) -> Self {
        Self(format!("{name}{number}{ending}"))
    }

    /// Returns the path of the file in a folder.
    pub(crate) fn within(&self, folder: &Path) -> PathBuf {
        within(folder, &self.0)
    }
}

/// Returns the path of a file or folder inside a folder. A name with several components, or with `..`, becomes one legal
/// component.
pub(crate) fn within(folder: &Path, name: &str) -> PathBuf {
    let mut steps = Path::new(name).components();
    match (steps.next(), steps.next()) {
        (Some(Component::Normal(step)), None) if step == name => folder.join(name),
        _ => folder.join(file_stem(name)),
    }
}

/// Returns the path in a folder of a file with the same name as another file.
pub(crate) fn namesake(folder: &Path, of: &Path) -> Option<PathBuf> {
    of.file_name().map(|name| folder.join(name))
}

/// Copies a folder with all its contents into another one.
pub(crate) fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_all(&entry.path(), &target)?,
            false => {
                std::fs::copy(entry.path(), target)?;
            }
        }
    }
    Ok(())
}

/// Creates a folder, with its parents.
pub(crate) fn make_folder(folder: &Path) -> Done<()> {
    if std::fs::symlink_metadata(folder).is_ok() && !folder.is_dir() {
        let folder = folder.display();
        return Err(input(format!(
            "{folder}: error: this is no folder; results are several files, in a folder that is made where it is missing"
        )));
    }
    std::fs::create_dir_all(folder)
        .map_err(|why| input(format!("{}: error: {why}", folder.display())))
}

/// Creates a folder with the first free number after `name`: `job-1`, `job-2`. Processes that do so at the same time get different ones.
pub(crate) fn make_numbered_folder(parent: &Path, name: &'static str) -> Done<PathBuf> {
    make_folder(parent)?;
    let folders = (1_usize..).map(|n| FileName::numbered(name, n, "").within(parent));
    for folder in folders {
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(why) if why.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(why) => return Err(input(format!("{}: error: {why}", folder.display()))),
        }
    }
    Err(input(format!(
        "{}: error: no number is free",
        parent.display()
    )))
}

/// Returns the folders in a folder, ordered by their paths; none where there is no such folder.
pub(crate) fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    all.retain(|path| path.is_dir());
    all.sort();
    all
}

/// Removes a folder that Sluice made, with its files, unless another process did so.
pub(crate) fn remove_folder(folder: &Path) -> Done<()> {
    // A file that another process removes meanwhile ends the first attempt.
    for _ in 0..3 {
        match std::fs::remove_dir_all(folder) {
            Err(why) if why.kind() != std::io::ErrorKind::NotFound => {
                return Err(input(format!("{}: error: {why}", folder.display())));
            }
            Ok(()) | Err(_) if !folder.exists() => break,
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// Writes one file, first under a temporary name. A path that is not a regular file, such as `/dev/null`, is written directly.
pub(crate) fn write_file(path: &Path, data: &[u8]) -> Done<()> {
    let failed = |why: std::io::Error| input(format!("{}: error: {why}", path.display()));
    if std::fs::metadata(path).is_ok_and(|known| !known.is_file()) {
        return std::fs::write(path, data).map_err(failed);
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut file = temporary(folder.unwrap_or(Path::new("."))).map_err(failed)?;
    file.write_all(data).map_err(failed)?;
    file.persist(path).map_err(|why| failed(why.error))?;
    Ok(())
}

/// A file that is written piece by piece, under a temporary name until it is complete. A path that is not a regular file is
/// written directly.
pub(crate) struct Growing {
    path: PathBuf,
    file: File,
}

enum File {
    Temporary(tempfile::NamedTempFile),
    AsItIs(std::fs::File),
}

impl Growing {
    /// Creates an empty file.
    pub(crate) fn new(path: &Path) -> Done<Self> {
        let is_special = std::fs::metadata(path).is_ok_and(|known| !known.is_file());
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let file = match is_special {
            true => std::fs::File::create(path).map(File::AsItIs),
            false => temporary(folder.unwrap_or(Path::new("."))).map(File::Temporary),
        };
        Ok(Self {
            file: file.map_err(|why| input(format!("{}: error: {why}", path.display())))?,
            path: path.to_owned(),
        })
    }

    fn failed(&self, why: &std::io::Error) -> Stop {
        input(format!("{}: error: {why}", self.path.display()))
    }

    /// Appends data.
    pub(crate) fn append(&mut self, data: &[u8]) -> Done<()> {
        let outcome = match &mut self.file {
            File::Temporary(file) => file.write_all(data),
            File::AsItIs(file) => file.write_all(data),
        };
        outcome.map_err(|why| self.failed(&why))
    }

    /// Renames the file to its final name.
    pub(crate) fn finish(self) -> Done<()> {
        match self.file {
            File::Temporary(file) => {
                let named = file.persist(&self.path);
                let failed = |why: tempfile::PersistError| {
                    input(format!("{}: error: {}", self.path.display(), why.error))
                };
                named.map(|_| ()).map_err(failed)
            }
            File::AsItIs(_) => Ok(()),
        }
    }
}

/// Writes files into a folder: all under temporary names first, then all are renamed, so that a failure leaves the old files.
pub(crate) fn write_all(folder: &Path, files: &[(FileName, String)]) -> Done<()> {
    let failed =
        |what: &Path, why: std::io::Error| input(format!("{}: error: {why}", what.display()));
    make_folder(folder)?;
    let mut written = Vec::new();
    for (name, text) in files {
        let path = name.within(folder);
        let mut file = temporary(folder).map_err(|why| failed(&path, why))?;
        file.write_all(text.as_bytes())
            .map_err(|why| failed(&path, why))?;
        written.push((file, path));
    }
    // Check for obstacles to renaming before the first file is renamed.
    if let Some((_, path)) = written.iter().find(|(_, path)| path.is_dir()) {
        let path = path.display();
        return Err(input(format!(
            "{path}: error: a folder has the name of this file; remove it, or give another folder for the results"
        )));
    }
    for (file, path) in written {
        file.persist(&path)
            .map_err(|why| failed(&path, why.error))?;
    }
    Ok(())
}

/// Creates a temporary file that others may read as far as the user's mask allows, because it becomes a result.
fn temporary(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn names_are_one_step_whatever_the_symbol(symbol in any::<String>(), dots in "[./\\\\~:\0\n -]{0,12}") {
            for symbol in [symbol.clone(), dots.clone() + &symbol, dots] {
                let name = FileName::of(&symbol, ".scheduled.mlir");
                let path = PathBuf::from(name.as_str());
                let steps: Vec<_> = path.components().collect();
                prop_assert!(matches!(steps[..], [Component::Normal(_)]), "{name:?}");
                prop_assert!(name.as_str().len() <= 255);
                let legal = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
                prop_assert!(name.as_str().bytes().all(legal), "{name:?}");
                prop_assert!(!name.as_str().starts_with('.'));
                let folder = Path::new("a");
                let path = within(folder, &symbol);
                let steps: Vec<_> = path.components().collect();
                prop_assert!(matches!(steps[..], [Component::Normal(_), Component::Normal(_)]), "{path:?}");
            }
        }
    }
}
