//! Runs batches of random programs on all engines.

use sluice_config::Style;
use sluice_ir::bits::Bits;
use sluice_sim::interpreter::Argument;
use sluice_verify::data::{Case, Random};

use crate::oracle::{self, Kernel, Limbs, Signature};
use crate::random_check::{Finding, Kind, Prepared, Verdict, check};
use crate::random_program::{Program, program, shrink::shrink};
use crate::verilator;

/// The optional engines.
#[derive(Clone, Copy, Debug)]
pub struct Engines {
    /// Verilator.
    pub verilator: bool,
    /// `mlir-opt-19` and `mlir-cpu-runner-19`.
    pub oracle: bool,
    /// Compile programs to elastic circuits.
    pub elastic: bool,
}

/// The results of some programs.
#[derive(Debug, Default)]
pub struct Report {
    /// Programs generated.
    pub n_programs: u64,
    /// Programs on which interpreter and cycle simulator agree.
    pub n_simulated: u64,
    /// Programs that were run under Verilator.
    pub n_verilated: u64,
    /// Programs that were run by the oracle.
    pub n_oracle: u64,
    /// Programs whose latency was predicted.
    pub n_predicted: u64,
    /// Seeds of programs whose configuration is infeasible, with the messages.
    pub infeasible: Vec<(u64, String)>,
    /// Programs with faults.
    pub wrong: Vec<(Program, Finding)>,
    /// The reasons why an external engine could not run a whole batch.
    pub errors: Vec<String>,
}

impl Report {
    /// Adds another report.
    pub fn add(&mut self, other: Self) {
        self.n_programs += other.n_programs;
        self.n_simulated += other.n_simulated;
        self.n_verilated += other.n_verilated;
        self.n_oracle += other.n_oracle;
        self.n_predicted += other.n_predicted;
        self.infeasible.extend(other.infeasible);
        self.wrong.extend(other.wrong);
        self.errors.extend(other.errors);
    }
}

/// Runs the programs of these seeds on interpreter and cycle simulator, and then in one batch on the external engines. `before`
/// is called before each program, and with `None` after the last one.
pub fn run(seeds: &[u64], engines: Engines, before: &mut dyn FnMut(Option<u64>)) -> Report {
    let mut report = Report::default();
    let mut ready: Vec<(Program, Box<Prepared>)> = Vec::new();
    for seed in seeds {
        before(Some(*seed));
        report.n_programs += 1;
        let program = engines.program(*seed);
        match check(&program) {
            Verdict::Agrees(prepared) => ready.push((program, prepared)),
            Verdict::Infeasible(message) => report.infeasible.push((*seed, message)),
            Verdict::Wrong(finding) => report.wrong.push((program, finding)),
        }
    }
    before(None);
    report.n_simulated = count(ready.len());
    report.n_predicted = count(
        ready
            .iter()
            .filter(|(_, p)| sluice_verify::check::predicted_cycles(&p.compiled).is_some())
            .count(),
    );
    if engines.verilator && !ready.is_empty() {
        let kernels: Vec<&Prepared> = ready.iter().map(|(_, prepared)| &**prepared).collect();
        match verilator::check(&kernels) {
            Ok(findings) => {
                report.n_verilated = count(kernels.len());
                report.note(&ready, findings);
            }
            Err(why) => report.errors.push(why),
        }
    }
    ready.retain(|(program, _)| program.suits_oracle());
    if engines.oracle && !ready.is_empty() {
        let (findings, errors) = check_oracle(&ready);
        report.n_oracle = count(ready.len() - errors.len());
        report.errors.extend(errors);
        report.note(&ready, findings);
    }
    report
}

impl Engines {
    /// Returns the program of a seed, with the configuration of these engines.
    pub fn program(&self, seed: u64) -> Program {
        let mut program = program(seed);
        if self.elastic {
            program.config.style = Style::Elastic;
            schedule_some(&mut program);
        }
        program
    }
}

/// Requests a static schedule for a third of the loops, in half of the elastic programs.
fn schedule_some(program: &mut Program) {
    let mut random = Random::new(program.seed ^ 0x0057_a71c);
    if random.next_u64().is_multiple_of(2) {
        return;
    }
    let text = program.text();
    let counters = text.lines().filter_map(|line| {
        let heads = ["affine.for %", "scf.for %", "scf.while (%"];
        let found = heads.iter().find_map(|head| line.split_once(head))?.1;
        found.split([' ', ',', ')']).next()
    });
    for counter in counters {
        if random.next_u64().is_multiple_of(3) {
            let directives = program.config.loops.entry(counter.to_owned());
            directives.or_default().style = Some(Style::Static);
        }
    }
}

fn count(n: usize) -> u64 {
    u64::try_from(n).expect("a count of programs fits")
}

impl Report {
    fn note(&mut self, ready: &[(Program, Box<Prepared>)], findings: Vec<Option<Finding>>) {
        for ((program, _), finding) in ready.iter().zip(findings) {
            if let Some(finding) = finding {
                self.wrong.push((program.clone(), finding));
            }
        }
    }
}

/// Runs all programs at once; if that fails, runs them one by one to find the faulty one.
fn check_oracle(ready: &[(Program, Box<Prepared>)]) -> (Vec<Option<Finding>>, Vec<String>) {
    match oracle_answers(ready) {
        Ok(findings) => (findings, Vec::new()),
        Err(_) => {
            let (mut findings, mut errors) = (Vec::new(), Vec::new());
            for one in ready {
                match oracle_answers(std::slice::from_ref(one)) {
                    Ok(finding) => findings.extend(finding),
                    Err(why) => {
                        errors.push(format!("seed {}: {why}", one.0.seed));
                        findings.push(None);
                    }
                }
            }
            (findings, errors)
        }
    }
}

fn oracle_answers(ready: &[(Program, Box<Prepared>)]) -> Result<Vec<Option<Finding>>, String> {
    let texts: Vec<String> = ready.iter().map(|(program, _)| program.text()).collect();
    let signatures: Vec<Signature> = ready
        .iter()
        .map(|(program, _)| program.signature())
        .collect();
    let cases: Vec<Vec<oracle::Case>> = ready
        .iter()
        .map(|(_, prepared)| prepared.cases.iter().map(oracle_case).collect())
        .collect();
    let kernels: Vec<Kernel<'_>> = (0..ready.len())
        .map(|k| Kernel {
            text: &texts[k],
            function: &ready[k].0.kernel().name,
            signature: &signatures[k],
            cases: &cases[k],
        })
        .collect();
    let answers = oracle::run_several(&kernels)?;
    let findings = ready.iter().zip(answers).map(|((_, prepared), answers)| {
        let all = prepared.expected.iter().zip(answers);
        all.enumerate().find_map(|(case, (expected, answer))| {
            let limbs = |words: &[Bits]| -> Vec<Limbs> { words.iter().map(limbs).collect() };
            let memories: Vec<Vec<Limbs>> = expected.memories.iter().map(|m| limbs(m)).collect();
            if limbs(&expected.results) == answer.results && memories == answer.memories {
                return None;
            }
            let fact = format!(
                "data set {case}: the oracle has results {:x?}, the interpreter {:x?}; memories are {}",
                answer.results,
                limbs(&expected.results),
                if memories == answer.memories { "equal" } else { "different" }
            );
            Some(Finding::new(Kind::Oracle, fact))
        })
    });
    Ok(findings.collect())
}

pub(crate) fn limbs(word: &Bits) -> Limbs {
    let n = usize::try_from(word.width().div_ceil(64)).expect("small");
    (0..n).map(|i| word.limb(i)).collect()
}

pub(crate) fn oracle_case(case: &Case) -> oracle::Case {
    let arguments = case.arguments.iter().map(|argument| match argument {
        Argument::Scalar(word) => vec![limbs(word)],
        Argument::Memory(cells) => cells.iter().map(limbs).collect(),
    });
    oracle::Case {
        arguments: arguments.collect(),
    }
}

/// Returns a smaller program with a similar fault; the search ends when `go_on` returns false.
pub fn smaller(program: &Program, finding: &Finding, go_on: &mut dyn FnMut() -> bool) -> Program {
    shrink(program, &mut |candidate| {
        go_on() && fault(candidate, finding.kind).is_some_and(|found| finding.is_like(&found))
    })
}

/// Returns the fault of a program; runs the engines only up to the one that found this kind.
fn fault(program: &Program, kind: Kind) -> Option<Finding> {
    let prepared = match check(program) {
        Verdict::Wrong(found) => return Some(found),
        Verdict::Infeasible(_) => return None,
        Verdict::Agrees(prepared) => prepared,
    };
    match kind {
        Kind::Lint | Kind::Verilator => verilator::check(&[&prepared]).ok()?.pop()?,
        Kind::Oracle if !program.suits_oracle() => None,
        Kind::Oracle => oracle_answers(&[(program.clone(), prepared)]).ok()?.pop()?,
        Kind::Panic
        | Kind::Rejected
        | Kind::Internal
        | Kind::Interpreter
        | Kind::Simulator
        | Kind::Answers
        | Kind::Cycles
        | Kind::Idle
        | Kind::Units
        | Kind::Tokens => None,
    }
}
