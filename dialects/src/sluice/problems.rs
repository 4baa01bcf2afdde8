//! Properties of scheduling problems that `ssp` cannot express.

use super::{ANYWHERE, keys};

keys! {
    /// For each operand, true if its value may be used in the cycle in which it is made.
    CHAINED = "sluice.chained": LIST, on ANYWHERE, by "`sluice schedule`";
    /// For each operand, true if its value goes to the next iteration without a register.
    FORWARDED = "sluice.forwarded": LIST, on ANYWHERE, by "`sluice schedule`";
    /// The earliest start time.
    EARLIEST = "sluice.earliest": NUMBER in "cycles", on ANYWHERE, by "`sluice schedule`";
    /// The latest start time.
    LATEST = "sluice.latest": NUMBER in "cycles", on ANYWHERE, by "`sluice schedule`";
    /// Least and greatest initiation interval, and the interval that is forced.
    INITIATION = "sluice.initiation": ANYTHING, on ANYWHERE, by "`sluice schedule`";
    /// Orders between operations without a value: source, distance and least gap in cycles.
    ORDERS = "sluice.orders": LIST, on ANYWHERE, by "`sluice schedule`";
}
