//! Configurations: faults, completion and hover, all from the table of keys in `sluice_config`.

mod completion;
mod diagnostics;
mod folding;
mod hover;
mod kernel_names;
mod keys;
mod outline;

pub(crate) use completion::completions;
pub(crate) use diagnostics::diagnostics;
pub(crate) use folding::folds;
pub(crate) use hover::hover;

use lsp_types::Range;
use outline::entries;
use sluice_config::kernel_keys;

use crate::document::Snapshot;

/// The name that a configuration usually has.
const USUAL_NAME: &str = "kernel.yaml";

/// Returns whether a YAML file is a configuration. `has_kernel` tells whether a kernel with the same name is beside it.
pub(crate) fn is_configuration(path: &str, text: &str, has_kernel: bool) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if stem == "data" || stem.ends_with(".data") {
        return false;
    }
    let all = entries(text);
    let outermost = all.iter().filter(|entry| entry.path.is_empty());
    let keys = kernel_keys();
    let (known, unknown): (Vec<_>, Vec<_>) =
        outermost.partition(|entry| keys.iter().any(|about| about.name == entry.key));
    // Other tools have files with one of these words too.
    name == USUAL_NAME || has_kernel || !known.is_empty() && known.len() >= unknown.len()
}

/// Returns the range of the first key with a name.
pub(crate) fn range_of_key(snapshot: &Snapshot, name: &str) -> Option<Range> {
    let all = entries(&snapshot.text).into_iter();
    let mut named = all.filter(|entry| entry.key == name);
    named
        .next()
        .map(|entry| snapshot.range(entry.start, entry.end))
}

/// Returns whether a text defines a function.
pub(crate) fn has_function(text: &str) -> bool {
    !kernel_names::names_in(text, &[kernel_names::Group::Functions]).is_empty()
}
