//! Comparison of several circuits of one kernel by simulation on the available data.

use sluice_ir::View;
use sluice_kernel::choices;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_sim::interpreter::Interpreter;
use sluice_verify::check::simulate_within;
use sluice_verify::data::{Case, DataFile, Random, Ranges, check_room, random_case};
use sluice_verify::drawing::narrow_scalars;

/// Maximum number of data sets that are run.
const MAX_CASES: usize = 6;

/// Bits of the scalars of random data sets, used if there are no others. `None` uses the full width, for scalars that are values;
/// few bits suit scalars that count iterations.
const RANDOM_BITS: [Option<u32>; 4] = [None, None, Some(6), Some(8)];

/// Operations of the reference model after which a data set is skipped because it takes too long. For random data sets the limit
/// is for all together, since a random bound may cause any number of iterations.
const MAX_OPERATIONS: u64 = 3_000_000;

/// Cycles after which the simulation of a circuit is stopped.
const MAX_CYCLES: u64 = 3_000_000;

/// Operations of a circuit, summed over all cycles, after which its simulation is stopped: some seconds of the simulator.
const MAX_SIMULATED: u64 = 3_000_000_000;

/// Operations of both circuits, summed over all cycles of the data sets so far, after which no further data set is run: about a
/// second of the simulator.
const ENOUGH_SIMULATED: u64 = 1_000_000_000;

/// Cycles of two circuits for the compared data sets, and a description of these data sets.
pub struct Runs {
    cycles: Vec<(u64, u64)>,
    what: &'static str,
}

impl Runs {
    /// Runs both circuits. Skips data sets for which the kernel's result is undefined or takes too long, and all remaining data
    /// sets once the time limit of the compilation is reached.
    pub fn of(one: &Compiled, other: &Compiled, profile: Option<&str>) -> Self {
        let (cases, what) = cases(one, profile);
        let is_random = what == RANDOM;
        let mut most_operations = MAX_OPERATIONS;
        let mut all = Vec::new();
        for_enough(&cases, [one, other], |case| {
            let (cycles, n_operations) = run(one, other, case, most_operations);
            if is_random {
                most_operations = most_operations.saturating_sub(n_operations);
            }
            all.extend(cycles);
            cycles.map(|(one, other)| [one, other])
        });
        Self { cycles: all, what }
    }

    /// Returns whether no data set was run.
    pub fn is_empty(&self) -> bool {
        self.cycles.is_empty()
    }

    /// Returns the cycles of the second circuit as a share of those of the first one.
    pub fn share(&self) -> f64 {
        let (one, other) = self.sums();
        ratio(other) / ratio(one.max(1))
    }

    /// Returns the time of the second circuit as a share of that of the first one, with a penalty for a missed clock.
    pub(crate) fn weighed(&self, one: &Compiled, other: &Compiled) -> f64 {
        self.share() * missed_clock(other) / missed_clock(one)
    }

    /// Returns the total cycles of the first circuit and of the second one.
    pub fn sums(&self) -> (u64, u64) {
        let runs = self.cycles.iter();
        runs.fold((0, 0), |sum, run| (sum.0 + run.0, sum.1 + run.1))
    }

    /// Returns the number of data sets that were run, and their kind.
    pub fn describe(&self) -> String {
        match self.cycles.len() {
            1 => format!("1 data set ({})", self.what),
            n => format!("{n} data sets ({})", self.what),
        }
    }
}

/// Converts a number of cycles to a float for ratios.
pub fn ratio(cycles: u64) -> f64 {
    f64::from(u32::try_from(cycles).unwrap_or(u32::MAX))
}

/// Returns the expected clock period of the circuit as a multiple of the requested one.
pub fn missed_clock(compiled: &Compiled) -> f64 {
    let Some(mapped) = compiled.mapped() else {
        return 1.0;
    };
    let period = compiled.device.factors.period.expect(mapped.period_ns);
    (period.value / compiled.clock_period_ns).max(1.0)
}

/// Exponent of a missed clock: above 1, because the user asked for the clock, and not only for the time.
const MISSED_CLOCK: i32 = 2;

/// Minimum penalty factor of a missed clock.
const MISSES: f64 = 1.1;

/// Returns the cost factor of a cycle, where `missed` is the needed clock period as a multiple of the requested one.
pub(crate) fn weight_of_clock(missed: f64) -> f64 {
    match missed > 1.0 {
        true => missed.powi(MISSED_CLOCK) * MISSES,
        false => 1.0,
    }
}

/// Returns the expected number of look-up tables and registers.
pub fn cells(compiled: &Compiled) -> f64 {
    let mapped = compiled.mapped();
    mapped.map_or(f64::INFINITY, |mapped| mapped.area.lut + mapped.area.ff)
}

/// Calls `run` for the data sets in order, until [`ENOUGH_SIMULATED`] or the time limit of the compilation is reached. `run`
/// returns the cycles of both circuits. Runs that fail return `None` and do not count.
pub(crate) fn for_enough(
    cases: &[Case],
    circuits: [&Compiled; 2],
    mut run: impl FnMut(&Case) -> Option<[u64; 2]>,
) {
    let watch = &circuits[0].context.limits.watch;
    let sizes = circuits.map(n_circuit_operations);
    let mut n_simulated = 0u64;
    for case in cases {
        if n_simulated >= ENOUGH_SIMULATED || watch.cut("runs on data to compare circuits") {
            break;
        }
        for (cycles, size) in run(case).into_iter().flatten().zip(sizes) {
            n_simulated = n_simulated.saturating_add(cycles.saturating_mul(size));
        }
    }
}

/// Returns the cycles of both circuits for a data set, and the operations of the reference model; `None` unless both circuits
/// finish and the kernel's result is defined.
fn run(
    one: &Compiled,
    other: &Compiled,
    case: &Case,
    most_operations: u64,
) -> (Option<(u64, u64)>, u64) {
    let mut reference = Interpreter::new(&one.context, &one.source);
    reference.step_limit = most_operations;
    let is_over = reference.run(&one.top, &case.arguments).is_ok();
    let n_operations = reference.steps;
    let cycles = |compiled: &Compiled| {
        let most_cycles = MAX_CYCLES.min(MAX_SIMULATED / n_circuit_operations(compiled));
        simulate_within(compiled, case, most_cycles)
            .ok()
            .map(|found| found.cycles)
    };
    let both = is_over.then(|| cycles(one).zip(cycles(other))).flatten();
    (both, n_operations)
}

/// Returns the number of operations of a circuit, at least 1.
fn n_circuit_operations(compiled: &Compiled) -> u64 {
    let circuit = &compiled.circuit;
    let modules = circuit.top_level_operations().into_iter();
    let all = modules.map(|op| circuit.inner().inner(op).walk_all().len());
    u64::try_from(all.sum::<usize>()).unwrap_or(u64::MAX).max(1)
}

/// Name of the generated random data sets in reports.
const RANDOM: &str = "random";

/// Returns the data sets for the comparison, and a description of them.
pub fn cases(compiled: &Compiled, profile: Option<&str>) -> (Vec<Case>, &'static str) {
    if check_room(&compiled.interface, &compiled.context.limits).is_err() {
        return (Vec::new(), "none, its memories are too large");
    }
    let mut no_files = |_: &str| Err("a profile names no files".to_owned());
    let data = profile.and_then(|text| {
        DataFile::read(
            text,
            "profile",
            &compiled.interface,
            &mut no_files,
            &compiled.context.limits,
        )
        .ok()
    });
    match data.filter(|data| !data.cases.is_empty()) {
        Some(mut data) => {
            data.cases.truncate(MAX_CASES);
            (data.cases, "those beside the kernel")
        }
        None => {
            let mut random = Random::new(1);
            let (interface, ranges) = (&compiled.interface, Ranges::new());
            let mut cases = RANDOM_BITS.map(|bits| {
                let mut case = random_case(interface, &ranges, &mut random);
                if let Some(bits) = bits {
                    narrow_scalars(&mut case, interface, &ranges, bits);
                }
                case
            });
            // The shortest ones run first, until the time is used up.
            cases.reverse();
            (cases.into(), RANDOM)
        }
    }
}

/// Exponent of the cells in the cost: 10 % more cells count like 1 % more time.
pub const CELLS: f64 = 0.1;

/// Maximum share of the smaller circuit's time at which a larger circuit is chosen.
pub(crate) const WORTH_WHILE: f64 = 0.97;

/// Returns the second circuit of a kernel if it can be compiled and takes less time on the available data; else the first one.
/// Notes the choice, in which `what` names the second circuit.
///
/// # Errors
/// An internal error of either circuit, also of one that would not be kept.
pub(crate) fn faster_or_plain(
    plain: Compiled,
    other: Result<Compiled, Failure>,
    what: &str,
    profile: Option<&str>,
) -> Result<Compiled, Failure> {
    let other = match other {
        Ok(other) => other,
        Err(why @ Failure::Internal(_)) => return Err(why),
        Err(Failure::Input(_)) => return Ok(plain),
    };
    let runs = Runs::of(&plain, &other, profile);
    let share = runs.weighed(&plain, &other);
    if runs.is_empty() || share >= WORTH_WHILE {
        return Ok(plain);
    }
    let (before, after) = runs.sums();
    let why = format!(
        "{what}: {after} cycles instead of {before} on {}",
        runs.describe()
    );
    Ok(noted(other, &why))
}

/// Adds the reason for a choice to the notes that the report prints.
pub fn noted(mut compiled: Compiled, sentence: &str) -> Compiled {
    let function = compiled
        .scheduled
        .lookup_symbol(&compiled.context, &compiled.top);
    if let Some(function) = function {
        choices::note(
            &compiled.context,
            &mut compiled.scheduled,
            function,
            sentence,
        );
    }
    compiled
}

/// Appends to a circuit the notes on comparisons of another circuit, which differs only in the placement of its buffers.
pub(crate) fn with_choices_of(other: &Compiled, compiled: Compiled) -> Compiled {
    let of = |compiled: &Compiled| {
        let function = compiled
            .scheduled
            .lookup_symbol(&compiled.context, &compiled.top);
        function.map_or_else(Vec::new, |function| {
            let view = View::new(&compiled.context, compiled.scheduled.inner(), function);
            choices::noted(view)
        })
    };
    let own = of(&compiled).len();
    let more = of(other).into_iter().skip(own);
    more.fold(compiled, |compiled, sentence| noted(compiled, &sentence))
}
