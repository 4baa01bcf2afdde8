//! A kernel without data sets: what was looked for, and what would fit.

use std::path::Path;

use sluice_config::nearest_place;
use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_ir::suggestion::nearest;
use sluice_kernel::compiled::Compiled;

use crate::commands::kernel::{DataText, own_data_files};

/// Why a kernel has no data sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// There is no data file.
    NoFile,
    /// The data file has no `cases`.
    NoCases,
    /// `cases` has no data set.
    EmptyCases,
}

/// A kernel that runs on a random data set because it has none of its own.
pub(super) struct MissingData {
    why: Why,
    kernel: String,
    /// `file:line:column` of the data file, or the kernel.
    place: String,
    /// A file whose name is near that of a data file, and the right name.
    similar: Option<(String, String)>,
    /// The names that were looked for.
    looked_for: Vec<String>,
    /// A data file with one data set.
    minimal: String,
}

/// The names of a data file that is for every kernel of a folder.
const OF_FOLDER: [&str; 2] = ["data.yaml", "data.json"];

impl MissingData {
    /// Of a kernel in the file `path`, with a data file or none.
    pub(super) fn of(compiled: &Compiled, path: &Path, file: Option<&DataText>) -> Self {
        let (why, place) = match file {
            None => (Why::NoFile, path.display().to_string()),
            Some(file) => {
                let (line, column) = nearest_place(&file.text, &["cases".into()]);
                let has_key = sluice_config::place_of(&file.text, &["cases".into()]).is_some();
                let why = match has_key {
                    true => Why::EmptyCases,
                    false => Why::NoCases,
                };
                let file = file.path.display();
                (why, format!("{file}:{line}:{column}"))
            }
        };
        Self {
            why,
            kernel: compiled.top.clone(),
            place,
            similar: file.is_none().then(|| similar_file(path)).flatten(),
            looked_for: data_file_names(path),
            minimal: minimal(&compiled.interface),
        }
    }

    fn what(&self) -> String {
        let list = |names: &[String]| {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        };
        let mut what = match self.why {
            Why::NoFile => format!("there is no {} beside it", list(&self.looked_for[..1])),
            Why::NoCases => "the data file has no `cases`".to_owned(),
            Why::EmptyCases => "`cases` is empty".to_owned(),
        };
        if self.why == Why::NoFile {
            what += &format!(" (nor {})", list(&self.looked_for[1..]));
        }
        if let Some((similar, right)) = &self.similar {
            what += &format!("; there is `{similar}`: did you mean `{right}`?");
        }
        what
    }

    /// The error of a suite.
    pub(super) fn error(&self) -> String {
        let Self {
            kernel,
            place,
            minimal,
            ..
        } = self;
        format!(
            "{place}: error: kernel `@{kernel}` has no data sets: {}\nwrite a data file, for example\n{minimal}or run N random data sets: `--random N`",
            self.what()
        )
    }

    /// The warning of a run of one file, on random data.
    pub(super) fn warning(&self, seed: u64) -> String {
        let (place, kernel) = (&self.place, &self.kernel);
        format!(
            "{place}: warning: kernel `@{kernel}` has no data sets: {}; ran 1 random data set, seed {seed}",
            self.what()
        )
    }
}

/// The names under which the data of a kernel are looked for.
fn data_file_names(kernel: &Path) -> Vec<String> {
    let of_folder = OF_FOLDER.map(str::to_owned);
    of_folder
        .into_iter()
        .chain(own_data_files(kernel))
        .collect()
}

/// A file beside a kernel whose name is nearly that of a data file, and the name that is meant.
pub(super) fn similar_file(kernel: &Path) -> Option<(String, String)> {
    let folder = kernel.parent().filter(|folder| *folder != Path::new(""));
    let names = data_file_names(kernel);
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let mut files: Vec<String> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        // `NAME.yaml` is the configuration of `NAME.mlir`.
        .filter(|path| !path.with_extension("mlir").exists())
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
        // Data files of other kernels of the folder are meant as they are.
        .filter(|name| !name.ends_with(".data.yaml") && !name.ends_with(".data.json"))
        .filter(|name| !name.ends_with(".mlir") && !names.contains(name))
        .collect();
    files.sort();
    files.iter().find_map(|file| {
        let lower = file.to_lowercase();
        let right = nearest(&lower, names.iter().map(String::as_str))?;
        Some((file.clone(), right.to_owned()))
    })
}

/// The error of a circuit in a folder that has no data, though a file beside it seems to be meant as such.
pub(super) fn circuit_without_data(path: &Path) -> String {
    let shown = path.display();
    let similar = similar_file(path).map_or_else(String::new, |(similar, right)| {
        format!("; there is `{similar}`: did you mean `{right}`?")
    });
    format!("{shown}: error: no data file was found for any module of this circuit{similar}")
}

/// A data file with one data set, every word of which is 1.
fn minimal(interface: &Interface) -> String {
    let arguments = interface.arguments.iter().zip(&interface.sources);
    let values: Vec<String> = arguments
        .filter(|(argument, _)| {
            let is_output_stream = matches!(
                argument,
                ArgumentPorts::Memory {
                    stream: true,
                    write: true,
                    ..
                }
            );
            !is_output_stream
        })
        .map(|(_, name)| format!("{name}: 1"))
        .collect();
    format!("  cases:\n    - inputs: {{{}}}\n", values.join(", "))
}
