//! Devices that a file describes, named by its path.

use std::path::Path;

use sluice_oplib::device::Device;
use sluice_oplib::error::DeviceError;

use crate::reader::ConfigError;

/// Whether a text is the path of a device file, such as `./mine.yaml`, and not the name of a device.
pub fn is_path(device: &str) -> bool {
    let path = Path::new(device);
    let ending = path.extension();
    device.contains(['/', '\\']) || ending.is_some_and(|ending| ending == "yaml" || ending == "yml")
}

/// Reads the text of a device file; `path` is its name in messages.
///
/// # Errors
/// Everything that is wrong with it, each at its line.
pub fn read_device(text: &str, path: &str) -> Result<Device, Vec<ConfigError>> {
    let read = Device::from_yaml(text, path);
    read.map_err(|errors| {
        errors
            .into_iter()
            .map(|error| at_line(error, text))
            .collect()
    })
}

/// An error with its line, at the key if that line has it.
fn at_line(error: DeviceError, text: &str) -> ConfigError {
    let line = error.line.unwrap_or(1);
    let excerpt = text.lines().nth(line - 1).unwrap_or_default();
    let key = error.key.rsplit(['.', '[']).next().unwrap_or_default();
    let at = excerpt.find(key).filter(|_| !key.is_empty());
    let at = at.unwrap_or(excerpt.len() - excerpt.trim_start().len());
    ConfigError {
        file: error.origin,
        line,
        column: excerpt[..at].chars().count() + 1,
        message: match error.key.is_empty() {
            true => error.message,
            false => format!("`{}`: {}", error.key, error.message),
        },
        excerpt: excerpt.to_owned(),
    }
}
