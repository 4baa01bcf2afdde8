//! Device files from measured modules, for the command line that measures them.

use sluice_oplib::device::Device;

pub use sluice_oplib::calibration::{
    Case, Figures, Grid, PathFigures, TARGETS, Target, cases, device_file, sections_from_kernels,
};

/// The text of a built-in device file.
pub fn built_in_text(device: &str) -> Option<&'static str> {
    Device::built_in_text(device)
}

/// Whether a text is a device file.
///
/// # Errors
/// Everything that is wrong with it, a line each.
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
