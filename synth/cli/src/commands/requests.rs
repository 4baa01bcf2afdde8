//! Options that were given, and files that they are not for.

use std::path::Path;

use crate::output::{Done, input};

/// Options that say nothing of what is run are errors, all of them at once: what each list is for, and the options.
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

/// The options that were given.
pub(crate) fn asked(options: &[(&'static str, bool)]) -> Vec<&'static str> {
    let given = options.iter().filter(|(_, is_given)| *is_given);
    given.map(|(name, _)| *name).collect()
}
