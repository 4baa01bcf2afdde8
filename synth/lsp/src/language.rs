//! The languages of documents.

use lsp_types::Uri;

/// The language of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    /// A module in MLIR.
    Mlir,
    /// A YAML file: a configuration, or a file of another program.
    Yaml,
}

/// Endings of the names of YAML files.
const YAML_ENDINGS: [&str; 2] = [".yaml", ".yml"];

impl Language {
    /// Returns the language of a document with a name and the client's identifier of its language.
    pub(crate) fn of(uri: &Uri, identifier: &str) -> Self {
        let mut endings = YAML_ENDINGS.iter();
        match identifier == "yaml" || endings.any(|ending| uri.as_str().ends_with(ending)) {
            true => Self::Yaml,
            false => Self::Mlir,
        }
    }
}

/// Returns the file with the same name and the ending `.mlir`, for a YAML file.
pub(crate) fn kernel_of(uri: &Uri) -> Option<Uri> {
    let text = uri.as_str();
    let mut stems = YAML_ENDINGS
        .iter()
        .filter_map(|ending| text.strip_suffix(ending));
    format!("{}.mlir", stems.next()?).parse().ok()
}

/// Returns the configuration of a kernel: the file with the same name and the ending `.yaml`.
pub(crate) fn configuration_of(uri: &Uri) -> Option<Uri> {
    let stem = uri.as_str().strip_suffix(".mlir")?;
    format!("{stem}.yaml").parse().ok()
}
