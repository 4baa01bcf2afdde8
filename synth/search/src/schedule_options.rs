//! Options of the scheduler, derived from the setting.

use sluice_oplib::class::OperatorClass;
use sluice_schedule::kernel::ScheduleOptions;
use sluice_schedule::options::Objective;

use crate::setting::Setting;

/// Returns the cycles of a signed division of a width, which takes the longest.
pub fn division_cycles(setting: &Setting<'_>, width_bits: u32) -> u32 {
    let class = OperatorClass::DivideSigned;
    let width = width_bits.max(1);
    let way = setting
        .device
        .implementation(class, width, setting.clock_period_ns);
    way.map_or(width_bits, |way| way.latency_cycles)
}

/// Returns the options of the configuration for the scheduler.
pub fn schedule_options(setting: &Setting<'_>) -> ScheduleOptions {
    let mut options = ScheduleOptions::new(setting.clock_period_ns);
    options.path_period_ns = setting.paths.path_ns;
    options.choice_period_ns = setting.paths.choice_ns;
    options.limits.clone_from(&setting.config.limits);
    options.known = setting.solutions.clone();
    options.solver.exact_time_limit_s = setting.config.solver_time_limit_s;
    if setting.is_trial {
        options.solver.relaxations = false;
        options.solver.objective = Objective::Length;
        options.forwards = false;
    }
    options
}
