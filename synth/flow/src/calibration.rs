//! Access to device files and their calibration, for the command that measures devices.

use sluice_oplib::device::Device;

pub use sluice_oplib::calibration::{
    Case, Figures, Grid, PathFigures, TARGETS, Target, cases, device_file, sections_from_kernels,
};

/// Returns the text of a built-in device file.
pub fn built_in_text(device: &str) -> Option<&'static str> {
    Device::built_in_text(device)
}

/// Checks that a text is a valid device file.
///
/// # Errors
/// Every error of the text, one per line.
pub fn check(text: &str, origin: &str) -> Result<(), String> {
    Device::from_yaml(text, origin)
        .map(|_| ())
        .map_err(|errors| {
            errors
                .iter()
                .map(|error| format!("{error}\n"))
                .collect::<String>()
        })
}
