//! The number of units for sums and products of floats whose order is free.
//!
//! Such a loop is unrolled until its iteration takes as many cycles as an addition, and then one unit often does all of them. Without a
//! limit, a unit is shared only if that takes no cycle more; here the product of cycles and cells decides, as for the style of a kernel.

use sluice_config::Config;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_verify::check::predicted_cycles;

use crate::comparing::{cells, missed_clock, noted, ratio, weight_of_clock};

/// Classes of units of which there is one each in the second circuit.
const CLASSES: [&str; 3] = ["float_add", "float_fma", "float_mul"];

/// Returns the circuit with one unit of each class, if sums of floats are in another order, no limit is given, and it is better than
/// `plain`.
///
/// # Errors
/// Internal errors.
pub fn shared_or(
    plain: Compiled,
    config: &Config,
    compile: impl Fn(&Config) -> Result<Compiled, Failure>,
) -> Result<Compiled, Failure> {
    let is_limited = config
        .limits
        .keys()
        .any(|class| class.starts_with("float_"));
    let is_open = plain.reordered.is_some() && !is_limited && !config.parallel;
    let watch = &config.tool_limits.watch;
    if !is_open || watch.cut("units that sums of floats share") {
        return Ok(plain);
    }
    let mut limited = config.clone();
    for class in CLASSES {
        limited.limits.insert(class.to_owned(), 1);
    }
    let shared = match compile(&limited) {
        Ok(shared) => shared,
        Err(Failure::Input(_)) => return Ok(plain),
        Err(why @ Failure::Internal(_)) => return Err(why),
    };
    let cost = |compiled: &Compiled| {
        let cycles = ratio(predicted_cycles(compiled)?);
        Some(cycles * cells(compiled) * weight_of_clock(missed_clock(compiled)))
    };
    match cost(&plain).zip(cost(&shared)) {
        Some((before, after)) if after < before => Ok(noted(
            shared,
            "one unit each for sums and products of floats: cycles times cells are fewer than without a limit",
        )),
        _ => Ok(plain),
    }
}
