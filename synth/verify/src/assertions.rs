//! Assertions about the signals of a circuit, each with its position in the data file.

use sluice_config::ConfigError;
use sluice_dialects::interface::Interface;
use sluice_ir::limits::Limits;
use sluice_sim::cycle::CycleSimulator;
use sluice_sim::testbench::Watch;

pub use sluice_sim::properties::{Asserting, Property, PropertyError, Reset};

/// A property that must hold in every cycle except those of a reset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// The property.
    pub property: Property,
    /// The position of its text, as an error without a message.
    pub place: ConfigError,
}

impl Assertion {
    /// Parses an assertion whose text begins at `place`.
    ///
    /// # Errors
    /// An invalid property, with its position.
    pub fn parse(text: &str, place: ConfigError, limits: &Limits) -> Result<Self, ConfigError> {
        match Property::parse_within(text, limits) {
            Ok(property) => Ok(Self { property, place }),
            Err(why) => Err(wrong(&place, text, &why)),
        }
    }
}

/// Creates the error of the property `text` that begins at `place`.
fn wrong(place: &ConfigError, text: &str, why: &PropertyError) -> ConfigError {
    // If the line does not contain the text literally (it has escapes, or several lines), the error is at its beginning.
    let is_there = place.excerpt.contains(text);
    ConfigError {
        column: place.column + if is_there { why.column - 1 } else { 0 },
        message: match is_there {
            true => why.message.clone(),
            false => format!("assertion `{text}`, {why}"),
        },
        ..place.clone()
    }
}

/// Creates a watch that checks all assertions in every cycle without a reset, on circuits like that of `simulator` with observed
/// signals. The arrays of an `interface` are memories.
///
/// # Errors
/// Assertions that do not fit this circuit, with their positions.
pub fn asserting<'a>(
    assertions: &[Assertion],
    resets: &[Reset],
    simulator: &CycleSimulator,
    interface: Option<&Interface>,
    within: &'a mut dyn Watch,
) -> Result<Asserting<'a>, Vec<ConfigError>> {
    let properties: Vec<Property> = assertions.iter().map(|a| a.property.clone()).collect();
    Asserting::new(&properties, resets, simulator, interface, within).map_err(|errors| {
        let errors = errors.into_iter().map(|(number, why)| {
            let assertion = &assertions[number];
            wrong(&assertion.place, assertion.property.text(), &why)
        });
        errors.collect()
    })
}
