//! The spelling of options in mlir-opt.

use std::cell::OnceCell;
use std::ffi::OsString;

use clap::Args as _;
use sluice_flow::pipeline::all_names;

use super::Opt;

/// Converts the arguments of `sluice opt` from the spelling of mlir-opt: a pass can be an option of its own name, and one dash is
/// allowed instead of two.
pub(crate) fn from_mlir_spelling(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_none_or(|command| command != "opt") {
        return arguments;
    }
    let command = OnceCell::new();
    let is_long = |name: &str| {
        let command = command.get_or_init(|| Opt::augment_args(clap::Command::new("opt")));
        let mut known = command.get_arguments();
        known.any(|argument| argument.get_long() == Some(name))
    };
    let passes = all_names();
    for argument in arguments.iter_mut().skip(2) {
        let Some((dashes, rest)) = argument.to_str().and_then(|text| {
            let rest = text.strip_prefix("--").or_else(|| text.strip_prefix('-'))?;
            Some((text.len() - rest.len(), rest))
        }) else {
            continue;
        };
        if dashes == 2 && rest.is_empty() {
            break;
        }
        let (name, value) = match rest.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (rest, None),
        };
        if passes.contains(&name) && !is_long(name) {
            let options = value.map(|value| format!("{{{value}}}"));
            *argument = format!("--pass={name}{}", options.unwrap_or_default()).into();
        } else if dashes == 1 && is_long(name) {
            *argument = format!("--{rest}").into();
        }
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::from_mlir_spelling;

    fn spelled(text: &str) -> String {
        let words = text.split(' ').map(Into::into);
        let words = from_mlir_spelling(words).into_iter();
        let words: Vec<_> = words.filter_map(|word| word.into_string().ok()).collect();
        words.join(" ")
    }

    #[test]
    fn passes_and_single_dashes() {
        for (theirs, ours) in [
            (
                "sluice opt -inline --canonicalize -sccp a.mlir",
                "sluice opt --pass=inline --pass=canonicalize --pass=sccp a.mlir",
            ),
            (
                "sluice opt - -split-input-file -pass-pipeline=x(cse) -o b.mlir",
                "sluice opt - --split-input-file --pass-pipeline=x(cse) -o b.mlir",
            ),
            (
                "sluice opt --lower-affine -mem2reg",
                "sluice opt --pass=lower-affine --pass=mem2reg",
            ),
            (
                "sluice opt --inline=default-pipeline=",
                "sluice opt --pass=inline{default-pipeline=}",
            ),
            ("sluice opt -- --cse", "sluice opt -- --cse"),
            ("sluice sim --cse", "sluice sim --cse"),
            ("sluice", "sluice"),
        ] {
            assert_eq!(spelled(theirs), ours);
        }
    }
}
