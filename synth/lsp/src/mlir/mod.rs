//! Answers about modules from their text: completion, folding, tokens, formatting and renaming.

pub(crate) mod completion;
pub(crate) mod folding;
pub(crate) mod format;
pub(crate) mod rename;
pub(crate) mod semantic;
pub(crate) mod tokens;
