//! Which of several circuits of one kernel takes less time for the data at hand.

use sluice_ir::View;
use sluice_kernel::choices;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_sim::interpreter::Interpreter;
use sluice_verify::check::simulate_within;
use sluice_verify::data::{Case, DataFile, Random, Ranges, check_room, random_case};
use sluice_verify::drawing::narrow_scalars;

/// Data sets that are run at most.
const MOST_CASES: usize = 6;

/// Bits of scalars of random data sets, where no others are at hand; with all they are values, with few they may count iterations.
const RANDOM_BITS: [Option<u32>; 4] = [None, None, Some(6), Some(8)];

/// Operations of the reference after which a data set is left out: it takes too long to decide anything by. Of random data sets, those of
/// all together: a random bound may ask for any number of iterations.
const MOST_OPERATIONS: u64 = 3_000_000;

/// Cycles after which a circuit is given up.
const MOST_CYCLES: u64 = 3_000_000;

/// Operations of a circuit, in all cycles together, after which it is given up: some seconds of the simulator.
const MOST_SIMULATED: u64 = 3_000_000_000;

/// Operations of both circuits, in all cycles of the data sets so far, after which no further data set is run: about a second of the simulator.
const ENOUGH_SIMULATED: u64 = 1_000_000_000;

/// Cycles of two circuits for the data sets that decide, and what these are.
pub struct Runs {
    cycles: Vec<(u64, u64)>,
    what: &'static str,
}

impl Runs {
    /// Runs both circuits. Data sets for which the kernel has no meaning, or takes too long, are left out; all that are left once the time of
    /// the compilation is up.
    pub fn of(one: &Compiled, other: &Compiled, profile: Option<&str>) -> Self {
        let (cases, what) = cases(one, profile);
        let is_random = what == RANDOM;
        let mut most_operations = MOST_OPERATIONS;
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

    /// Whether there was nothing to run.
    pub fn is_empty(&self) -> bool {
        self.cycles.is_empty()
    }

    /// The share of all cycles of the first circuit that the second one takes.
    pub fn share(&self) -> f64 {
        let (one, other) = self.sums();
        ratio(other) / ratio(one.max(1))
    }

    /// The share of all time of the first circuit that the second one takes, where a clock that is missed is a longer one.
    pub(crate) fn weighed(&self, one: &Compiled, other: &Compiled) -> f64 {
        self.share() * missed_clock(other) / missed_clock(one)
    }

    /// All cycles of the first circuit, and of the second.
    pub fn sums(&self) -> (u64, u64) {
        let runs = self.cycles.iter();
        runs.fold((0, 0), |sum, run| (sum.0 + run.0, sum.1 + run.1))
    }

    /// How many data sets were run, and what they are.
    pub fn describe(&self) -> String {
        match self.cycles.len() {
            1 => format!("1 data set ({})", self.what),
            n => format!("{n} data sets ({})", self.what),
        }
    }
}

/// A number of cycles as a factor of a share.
pub fn ratio(cycles: u64) -> f64 {
    f64::from(u32::try_from(cycles).unwrap_or(u32::MAX))
}

/// By what factor the circuit is expected to be slower than its clock.
pub fn missed_clock(compiled: &Compiled) -> f64 {
    let Some(mapped) = compiled.mapped() else {
        return 1.0;
    };
    let period = compiled.device.factors.period.expect(mapped.period_ns);
    (period.value / compiled.clock_period_ns).max(1.0)
}

/// The power to which a missed clock counts: more than the time it loses, since it was asked for.
const MISSED_CLOCK: i32 = 2;

/// What a missed clock costs at least.
const MISSES: f64 = 1.1;

/// How many times as much a cycle costs where the circuit needs so many times the clock period.
pub(crate) fn weight_of_clock(missed: f64) -> f64 {
    match missed > 1.0 {
        true => missed.powi(MISSED_CLOCK) * MISSES,
        false => 1.0,
    }
}

/// Look-up tables and registers that are expected.
pub fn cells(compiled: &Compiled) -> f64 {
    let mapped = compiled.mapped();
    mapped.map_or(f64::INFINITY, |mapped| mapped.area.lut + mapped.area.ff)
}

/// Calls `run` for one data set after the other, until [`ENOUGH_SIMULATED`] is reached or the time of the compilation is up. `run` returns the
/// cycles of both circuits; runs that fail return `None` and do not count.
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

/// Cycles of both circuits for a data set, where both come to an end and the kernel has a meaning; and the operations of the reference.
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
        let most_cycles = MOST_CYCLES.min(MOST_SIMULATED / n_circuit_operations(compiled));
        simulate_within(compiled, case, most_cycles)
            .ok()
            .map(|found| found.cycles)
    };
    let both = is_over.then(|| cycles(one).zip(cycles(other))).flatten();
    (both, n_operations)
}

/// Operations of a circuit, at least one.
fn n_circuit_operations(compiled: &Compiled) -> u64 {
    let circuit = &compiled.circuit;
    let modules = circuit.top_level_operations().into_iter();
    let all = modules.map(|op| circuit.inner().inner(op).walk_all().len());
    u64::try_from(all.sum::<usize>()).unwrap_or(u64::MAX).max(1)
}

/// What reports call the data sets that are drawn here.
const RANDOM: &str = "random";

/// The data sets that decide, and what they are.
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
            data.cases.truncate(MOST_CASES);
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
            // The shortest ones first, for as long as there is time.
            cases.reverse();
            (cases.into(), RANDOM)
        }
    }
}

/// The power to which cells count beside time: a tenth more of them is as bad as a hundredth more time.
pub const CELLS: f64 = 0.1;

/// A larger circuit takes at most this share of the time of a smaller one where it is chosen.
pub(crate) const WORTH_WHILE: f64 = 0.97;

/// The second circuit of a kernel, if it can be compiled and takes less time on the data at hand, with `what` it is in its notes; else the first.
///
/// # Errors
/// A fault of Sluice, whichever circuit would have been kept.
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

/// Notes a choice with its reason, which the report says.
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

/// A circuit with the notes of another way to place its buffers: those of comparisons, which come behind its own.
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
