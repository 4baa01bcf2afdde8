//! Checks that the given options apply to the kind of file.

use std::path::Path;

use crate::output::{Done, input};

/// Reports all options that do not apply to the file, in one error. Each list has a description of the files it is for, and its
/// given options.
pub(crate) fn only_for(path: &Path, lists: &[(&str, &[&'static str])]) -> Done<()> {
    let wrong = lists.iter().filter(|(_, options)| !options.is_empty());
    let lines: Vec<String> = wrong
        .map(|(what, options)| {
            let verb = if options.len() == 1 { "is" } else { "are" };
            let options = options.join(", ");
            format!(
                "error: {} is not {what}, which {options} {verb} for",
                path.display()
            )
        })
        .collect();
    match lines[..] {
        [] => Ok(()),
        _ => Err(input(lines.join("\n"))),
    }
}

/// Returns the given options.
pub(crate) fn asked(options: &[(&'static str, bool)]) -> Vec<&'static str> {
    let given = options.iter().filter(|(_, is_given)| *is_given);
    given.map(|(name, _)| *name).collect()
}
