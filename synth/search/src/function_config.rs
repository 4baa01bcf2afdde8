//! The configuration for one function of a kernel, which is scheduled on its own.

use std::collections::BTreeMap;

use sluice_config::{Config, Speculate, Style, Use};

/// Returns the configuration for a static schedule of one function of a kernel, without directives: those are attributes of loops
/// and arrays already.
pub(crate) fn for_function(config: &Config, name: &str) -> Config {
    Config {
        top: Some(name.to_owned()),
        style: Style::Static,
        nests_apart: false,
        coarse_placing: None,
        loops: BTreeMap::new(),
        banks: BTreeMap::new(),
        storage: BTreeMap::new(),
        keep: Vec::new(),
        streams: Vec::new(),
        depths: BTreeMap::new(),
        speculate: Speculate::Never,
        predict: Use::Never,
        ..config.clone()
    }
}
