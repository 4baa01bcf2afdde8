//! Errors of a device file, and of a request for an operator of a device.

use crate::class::OperatorClass;

/// One error in a device file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{origin}{}: {}{message}", line.map(|line| format!(":{line}")).unwrap_or_default(), if key.is_empty() { String::new() } else { format!("`{key}`: ") })]
pub struct DeviceError {
    /// The file, as the caller named it.
    pub origin: String,
    /// The line, counted from 1, where it is known.
    pub line: Option<usize>,
    /// The path of keys, such as `operators[3].points[0].delay_ns`; empty for the whole file.
    pub key: String,
    /// The error, and the values that would be valid.
    pub message: String,
}

/// The reason why a device offers no operator.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MissingOrTooSlow {
    /// The device has no row for this class at this width.
    #[error("device `{device}` has no row for `{class}` at {width_bits} bits")]
    Missing {
        /// The requested device.
        device: String,
        /// The requested class.
        class: OperatorClass,
        /// The requested width.
        width_bits: u32,
    },
    /// Every row is slower than the clock.
    #[error(
        "`{class}` at {width_bits} bits does not fit a clock period of {clock_period_ns} ns on device `{device}`: its \
         fastest structure needs {min_clock_period_ns:.3} ns"
    )]
    TooSlow {
        /// The requested device.
        device: String,
        /// The requested class.
        class: OperatorClass,
        /// The requested width.
        width_bits: u32,
        /// The requested clock period.
        clock_period_ns: f64,
        /// The least clock period that some structure of the class meets.
        min_clock_period_ns: f64,
    },
}

/// A device that is not built in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no built-in device `{name}`; {advice}")]
pub struct UnknownDevice {
    /// The requested name.
    pub name: String,
    /// The nearest built-in device, or all of them.
    pub advice: String,
}
