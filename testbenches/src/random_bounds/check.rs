//! Runs kernels on the interpreter, on the cycle simulator in every style, under Verilator and on mlir-cpu-runner.

use std::collections::BTreeMap;

use sluice_config::{Config, Style};
use sluice_flow::pipeline::compile;
use sluice_ir::bits::Bits;
use sluice_kernel::compiled::Failure;
use sluice_sim::interpreter::{Interpreter, Outcome};
use sluice_verify::check::{difference, predicted_cycles, simulate};
use sluice_verify::data::Case;

use super::Kernel;
use crate::oracle;
use crate::passes::parsed;
use crate::random_batch::{limbs, oracle_case};
use crate::random_check::{Prepared, guarded};
use crate::verilator;

/// Operations after which a loop counts as endless.
const MAX_OPERATIONS: u64 = 4_000;

/// The engines besides interpreter and cycle simulator.
#[derive(Clone, Copy, Debug, Default)]
pub struct Engines {
    /// One in this many kernels is run under Verilator; none if 0.
    pub verilator: u64,
    /// Whether mlir-cpu-runner is used.
    pub oracle: bool,
}

/// The results of some seeds.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Kernels that terminate and were compared.
    pub n_compared: usize,
    /// Kernels that do not terminate.
    pub n_endless: usize,
    /// Circuits that were simulated.
    pub n_simulated: usize,
    /// Kernels that mlir-cpu-runner ran.
    pub n_oracle: usize,
    /// Circuits that Verilator ran.
    pub n_verilated: usize,
    /// Seeds with faults, and their descriptions.
    pub wrong: Vec<(u64, String)>,
}

impl Report {
    /// Adds another report.
    pub fn add(&mut self, other: Self) {
        self.n_compared += other.n_compared;
        self.n_endless += other.n_endless;
        self.n_simulated += other.n_simulated;
        self.n_oracle += other.n_oracle;
        self.n_verilated += other.n_verilated;
        self.wrong.extend(other.wrong);
    }
}

/// A kernel that terminates, with its reference results.
struct Ending {
    kernel: Kernel,
    case: Case,
    expected: Outcome,
}

/// Runs the kernels of these seeds.
pub fn run(seeds: impl IntoIterator<Item = u64>, engines: Engines) -> Report {
    let mut report = Report::default();
    let mut ending = Vec::new();
    // The circuits of one kernel have one name, so circuits of different styles are in different models.
    let mut prepared: BTreeMap<usize, Vec<(u64, Prepared)>> = BTreeMap::new();
    for seed in seeds {
        let kernel = Kernel::new(seed);
        let Some(one) = answer(kernel) else {
            report.n_endless += 1;
            continue;
        };
        report.n_compared += 1;
        let styles: &[Style] = match seed % 4 {
            0 => &[Style::Static, Style::Elastic, Style::Auto],
            _ => &[Style::Static, Style::Elastic],
        };
        for (number, style) in styles.iter().enumerate() {
            let found = guarded(|| circuit(&one, *style));
            match found.unwrap_or_else(|panic| Err(panic.fact)) {
                Ok(made) => {
                    report.n_simulated += 1;
                    if engines.verilator > 0 && seed.is_multiple_of(engines.verilator) {
                        prepared.entry(number).or_default().push((seed, made));
                    }
                }
                Err(why) => report.wrong.push((seed, format!("{style:?}: {why}"))),
            }
        }
        ending.push(one);
    }
    if engines.oracle {
        ending.retain(|one| one.kernel.suits_oracle());
        report.n_oracle = ending.len();
        match by_oracle(&ending) {
            Ok(found) => report.wrong.extend(found),
            Err(why) => report.wrong.push((0, why)),
        }
    }
    for part in prepared.values().flat_map(|of_style| of_style.chunks(40)) {
        let circuits: Vec<&Prepared> = part.iter().map(|(_, made)| made).collect();
        report.n_verilated += part.len();
        match verilator::check(&circuits) {
            Ok(findings) => {
                for ((seed, _), finding) in part.iter().zip(findings) {
                    let wrong = finding.map(|found| (*seed, format!("Verilator: {}", found.fact)));
                    report.wrong.extend(wrong);
                }
            }
            Err(why) => report.wrong.push((part[0].0, why)),
        }
    }
    report
}

/// Runs the interpreter; `None` if the kernel does not terminate.
fn answer(kernel: Kernel) -> Option<Ending> {
    let context = sluice_dialects::context();
    let module = parsed(&context, &kernel.text());
    let mut interpreter = Interpreter::new(&context, &module);
    interpreter.step_limit = MAX_OPERATIONS;
    let case = Case {
        arguments: kernel.data(),
        ..Case::default()
    };
    let expected = interpreter.run(&kernel.name(), &case.arguments).ok()?;
    Some(Ending {
        kernel,
        case,
        expected,
    })
}

/// Compiles and simulates a kernel in a style.
///
/// # Errors
/// The description of the fault.
fn circuit(one: &Ending, style: Style) -> Result<Prepared, String> {
    let config = Config {
        style,
        ..Config::default()
    };
    let compiled = match compile(&one.kernel.text(), "bounds.mlir", &config) {
        Ok(compiled) => compiled,
        Err(Failure::Input(message) | Failure::Internal(message)) => return Err(message),
    };
    let found = simulate(&compiled, &one.case)?;
    if let Some(found) = difference(&compiled, &one.expected, &found.results, &found.memories) {
        return Err(found);
    }
    if let Some(predicted) = predicted_cycles(&compiled).filter(|cycles| *cycles != found.cycles) {
        return Err(format!("{} cycles, {predicted} predicted", found.cycles));
    }
    Ok(Prepared {
        compiled,
        cases: vec![one.case.clone()],
        expected: vec![one.expected.clone()],
    })
}

/// Runs the kernels on mlir-cpu-runner; returns those with different results.
///
/// # Errors
/// The reason why it cannot run.
fn by_oracle(ending: &[Ending]) -> Result<Vec<(u64, String)>, String> {
    if ending.is_empty() {
        return Ok(Vec::new());
    }
    let texts: Vec<String> = ending.iter().map(|one| one.kernel.text()).collect();
    let names: Vec<String> = ending.iter().map(|one| one.kernel.name()).collect();
    let signatures: Vec<_> = ending.iter().map(|one| one.kernel.signature()).collect();
    let cases: Vec<_> = ending.iter().map(|one| [oracle_case(&one.case)]).collect();
    let kernels: Vec<oracle::Kernel<'_>> = (0..ending.len())
        .map(|k| oracle::Kernel {
            text: &texts[k],
            function: &names[k],
            signature: &signatures[k],
            cases: &cases[k],
        })
        .collect();
    let answers = oracle::run_several(&kernels)?;
    let found = ending.iter().zip(answers).filter_map(|(one, answers)| {
        let words = |words: &[Bits]| words.iter().map(limbs).collect::<Vec<_>>();
        let results = words(&one.expected.results);
        let memories: Vec<_> = one.expected.memories.iter().map(|m| words(m)).collect();
        let is_same = answers[0].results == results && answers[0].memories == memories;
        let fact = || {
            let found = &answers[0].results;
            format!("mlir-cpu-runner gives {found:x?}, the interpreter {results:x?}")
        };
        (!is_same).then(|| (one.kernel.seed, fact()))
    });
    Ok(found.collect())
}
