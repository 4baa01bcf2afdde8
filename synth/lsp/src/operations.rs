//! The declared operations, types and attributes of all dialects, by name.

use std::collections::BTreeMap;

use sluice_ir::definition::{
    AttributeDefinition, KeyDefinition, OperationDefinition, TypeDefinition,
};

use crate::analysis::context;

/// Dialects whose names may be left out before the names of their operations.
const DEFAULT_DIALECTS: [&str; 2] = ["func", "builtin"];

/// All declarations.
pub(crate) struct Operations {
    by_name: BTreeMap<&'static str, &'static OperationDefinition>,
    pub(crate) types: Vec<&'static TypeDefinition>,
    pub(crate) attributes: Vec<&'static AttributeDefinition>,
    pub(crate) keys: Vec<&'static KeyDefinition>,
}

impl Operations {
    /// Collects the declarations of all dialects.
    pub(crate) fn new() -> Self {
        let context = context();
        let mut all = Self {
            by_name: BTreeMap::new(),
            types: Vec::new(),
            attributes: Vec::new(),
            keys: context.keys().values().copied().collect(),
        };
        for dialect in context.dialects() {
            let groups = dialect.operations.iter().flat_map(|group| group.iter());
            all.by_name
                .extend(groups.map(|operation| (operation.name, *operation)));
            all.types.extend(dialect.types);
            all.attributes.extend(dialect.attributes);
        }
        all
    }

    /// Returns the declaration of an operation; a default dialect may be left out.
    pub(crate) fn find(&self, word: &str) -> Option<&'static OperationDefinition> {
        if word.contains('.') {
            return self.by_name.get(word).copied();
        }
        let mut full = DEFAULT_DIALECTS
            .iter()
            .map(|dialect| format!("{dialect}.{word}"));
        full.find_map(|name| self.by_name.get(name.as_str()).copied())
    }

    /// Returns the operations by name.
    pub(crate) fn all(&self) -> impl Iterator<Item = &'static OperationDefinition> {
        self.by_name.values().copied()
    }

    /// Returns the name of an operation without a default dialect.
    pub(crate) fn short(name: &'static str) -> Option<&'static str> {
        let (dialect, word) = name.split_once('.')?;
        DEFAULT_DIALECTS.contains(&dialect).then_some(word)
    }
}
