//! Assertions on what is in a circuit, with the place where each is written.

use sluice_config::ConfigError;
use sluice_dialects::interface::Interface;
use sluice_ir::limits::Limits;
use sluice_sim::cycle::CycleSimulator;
use sluice_sim::testbench::Watch;

pub use sluice_sim::properties::{Asserting, Property, PropertyError, Reset};

/// A property that must hold in every cycle but those of reset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// What must hold.
    pub property: Property,
    /// Where its text begins; nothing is wrong with it so far.
    pub place: ConfigError,
}

impl Assertion {
    /// An assertion whose text begins at `place`.
    ///
    /// # Errors
    /// What is no property, with its place.
    pub fn parse(text: &str, place: ConfigError, limits: &Limits) -> Result<Self, ConfigError> {
        match Property::parse_within(text, limits) {
            Ok(property) => Ok(Self { property, place }),
            Err(why) => Err(wrong(&place, text, &why)),
        }
    }
}

/// What is wrong with the property `text` that begins at `place`.
fn wrong(place: &ConfigError, text: &str, why: &PropertyError) -> ConfigError {
    // A text that is not in the line as it is, with escapes or over several lines, has its beginning for a place.
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

/// What asserts all of them on circuits like that of `simulator`, whose signals are observed, in cycles without a reset; the arrays of an `interface` are memories.
///
/// # Errors
/// Those that say nothing of this circuit, with their places.
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
