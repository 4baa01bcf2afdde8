//! Reading, solving, checking and printing of scheduling problems in files: YAML, or instances of `ssp`.

use std::fmt::Write as _;

use serde_json::json;
use sluice_config::{Config, excerpt_below};
use sluice_ir::text::{PrintOptions, parse_module, print_module};
use sluice_ir::{Context, Diagnostics, Module};
use sluice_kernel::compiled::{Failure, context};
use sluice_kernel::frontend;
use sluice_kernel::input::{InputKind, is_yaml};
use sluice_schedule::checker::{Violation, give_units, verify, verify_in_cycle};
use sluice_schedule::kernel::schedule_seen;
use sluice_schedule::problem::{OperationId, Problem, Schedule};
use sluice_schedule::solve::{Solution, solve};
use sluice_schedule::ssp::{SspInstance, SspOptions, annotate, instances, module_text};
use sluice_schedule::text;
use sluice_search::schedule_options::schedule_options;
use sluice_search::setting::{Setting, manager};

use crate::passes::{ORDER, PASSES};

pub use sluice_schedule::options::{Deadline, Objective, SolverOptions};
pub use sluice_schedule::task::Method;

/// The problems of one file.
pub struct ProblemFile {
    name: String,
    source: String,
    /// The problems in the order of the file.
    pub problems: Vec<Instance>,
    ssp: Option<(Context, Module, Vec<SspInstance>)>,
}

/// One problem of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The problem.
    pub problem: Problem,
    /// Number of the problem's operations that are in the file. The operations after them occupy additional units for these.
    pub n_operations: usize,
    /// The schedule in the file.
    pub schedule: Option<Schedule>,
    /// Start times within the cycle in ns, by operation, as the file gives them; empty if the file format has no such times.
    pub in_cycle_ns: Vec<Option<f64>>,
    /// Line and column.
    pub place: (usize, usize),
}

/// The result of solving one problem.
pub type Outcome = Result<Solution, String>;

/// Output format of the results of one file. [`json_document`] formats those of all files as one JSON document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Text for people.
    Text,
    /// `ssp` instances of the problems, with their solutions.
    Ssp,
}

/// The kind of an input file.
pub enum Given {
    /// A file of problems.
    Problems(Box<ProblemFile>),
    /// A kernel; [`read_kernel`] extracts its problems.
    Kernel,
}

/// Reads a file: YAML, or MLIR with `ssp` instances or functions.
///
/// # Errors
/// Every error with its location; also a file with nothing to schedule.
pub fn read(source: &str, file: &str, cycle_time_ns: Option<f64>) -> Result<Given, Failure> {
    let is_named_yaml = [".yaml", ".yml"].iter().any(|end| file.ends_with(end));
    let is_empty = source.trim().is_empty();
    if is_yaml(source)
        || (is_named_yaml && !is_empty && InputKind::of(source, file) == InputKind::Other)
    {
        return read_yaml(source, file, cycle_time_ns)
            .map(Box::new)
            .map(Given::Problems);
    }
    let context = sluice_dialects::context();
    let mut diagnostics = Diagnostics::new();
    let module = parse_module(&context, source, file, &mut diagnostics);
    let kind = match &module {
        Some(module) => InputKind::of_module(&context, module),
        // A kernel may have unregistered operations.
        None => InputKind::of(source, file),
    };
    let nothing = |what: &str| {
        let message = format!(
            "{file}: error: {what}; `schedule` takes problems as YAML or as instances of `ssp`, and kernels\n"
        );
        Err(Failure::Input(message))
    };
    match (kind, module) {
        (InputKind::Kernel, _) => Ok(Given::Kernel),
        (InputKind::Problems, Some(module)) => {
            sluice_ir::verifier::verify(&context, &module, &mut diagnostics);
            match diagnostics.has_errors() {
                true => Err(Failure::Input(
                    diagnostics.render(&context, &[(file, source)]),
                )),
                false => of_ssp(context, module, source, file, cycle_time_ns)
                    .map(Box::new)
                    .map(Given::Problems),
            }
        }
        (InputKind::Graph, Some(_)) => {
            nothing("dataflow graphs have no schedule, `report` says what is known of them")
        }
        (InputKind::Circuit, Some(_)) => nothing("in circuits nothing is to schedule"),
        (_, Some(_)) => nothing("there is no `ssp.instance` and no function"),
        (_, None) => Err(Failure::Input(
            diagnostics.render(&context, &[(file, source)]),
        )),
    }
}

fn read_yaml(source: &str, file: &str, cycle_time_ns: Option<f64>) -> Result<ProblemFile, Failure> {
    let found = text::read(source).map_err(|faults| {
        let lines = faults.0.iter().map(|fault| {
            let (line, column) = (fault.line, fault.column);
            render(source, file, (line, column), &fault.message)
        });
        let mut text: String = lines.collect();
        if faults.0.len() > 1 {
            let _ = writeln!(text, "{} errors", faults.0.len());
        }
        Failure::Input(text)
    })?;
    let problems = found.into_iter().map(|instance| {
        let mut problem = instance.problem;
        problem.clock_period_ns = cycle_time_ns.unwrap_or(problem.clock_period_ns);
        Instance {
            n_operations: problem.operations.len(),
            problem,
            schedule: instance.schedule,
            in_cycle_ns: Vec::new(),
            place: instance.place,
        }
    });
    Ok(ProblemFile {
        name: file.to_owned(),
        source: source.to_owned(),
        problems: problems.collect(),
        ssp: None,
    })
}

fn of_ssp(
    context: Context,
    module: Module,
    source: &str,
    file: &str,
    cycle_time_ns: Option<f64>,
) -> Result<ProblemFile, Failure> {
    let options = SspOptions {
        clock_period_ns: cycle_time_ns,
    };
    let found = instances(&context, &module, options).map_err(|errors| {
        let mut diagnostics = Diagnostics::new();
        for error in errors {
            diagnostics.error(error.location, error.message);
        }
        Failure::Input(diagnostics.render(&context, &[(file, source)]))
    })?;
    let problems = found
        .iter()
        .map(|instance| Instance {
            problem: instance.problem.clone(),
            n_operations: instance.n_operations,
            schedule: instance.schedule.clone(),
            in_cycle_ns: instance.in_cycle_ns.clone(),
            place: instance
                .location
                .file_line_column(&context)
                .map_or((1, 1), |(_, line, column)| {
                    (usize_of(line), usize_of(column))
                }),
        })
        .collect();
    Ok(ProblemFile {
        name: file.to_owned(),
        source: source.to_owned(),
        problems,
        ssp: Some((context, module, found)),
    })
}

fn usize_of(number: u32) -> usize {
    usize::try_from(number).unwrap_or(1)
}

/// Formats `file:line:column: error: message` with the source line below it.
fn render(source: &str, file: &str, (line, column): (usize, usize), message: &str) -> String {
    let excerpt = source.lines().nth(line.saturating_sub(1)).unwrap_or("");
    let excerpt: String = excerpt.chars().take(120).collect();
    let message = format!("{file}:{line}:{column}: error: {message}");
    excerpt_below(&message, &excerpt, column.min(121))
}

impl Instance {
    /// Solves the problem.
    ///
    /// # Errors
    /// The reason why there is no schedule.
    pub fn solve(&self, options: &SolverOptions) -> Outcome {
        solve(&self.problem, options).map_err(|error| error.to_string())
    }

    /// Checks the schedule in the file.
    ///
    /// # Errors
    /// Every violated constraint.
    pub fn check(&self) -> Result<(), Vec<String>> {
        let Some(schedule) = &self.schedule else {
            return Err(vec!["there are no start times to check".to_owned()]);
        };
        let mut schedule = schedule.clone();
        give_units(&self.problem, &mut schedule);
        let checked = verify(&self.problem, &schedule)
            .and_then(|()| verify_in_cycle(&self.problem, &schedule, &self.in_cycle_ns));
        checked.map_err(|violations| {
            violations
                .iter()
                .map(|violation| self.describe(violation))
                .collect()
        })
    }

    /// Describes a violation with the names of the operations.
    fn describe(&self, violation: &Violation) -> String {
        let name = |id: OperationId| format!("`{}`", self.problem.operation(id).short_name());
        match violation {
            Violation::Dependence {
                from,
                to,
                needed,
                found,
            } => format!(
                "{} -> {} needs a gap of {needed} cycles and has {found}",
                name(*from),
                name(*to)
            ),
            Violation::Window { operation, start } => {
                format!(
                    "{} starts in cycle {start}, outside its window",
                    name(*operation)
                )
            }
            Violation::Timing {
                operation,
                arrival_ns,
                clock_period_ns,
            } => format!(
                "the path ending in {} takes {arrival_ns:.3} ns, more than the clock period of {clock_period_ns:.3} ns",
                name(*operation)
            ),
            Violation::CombinationalCycle { operation } => {
                format!("{} is part of a combinational cycle", name(*operation))
            }
            Violation::Unit {
                operation,
                unit: None,
            } => match self.problem.operation(*operation).resource {
                Some(resource) => format!(
                    "no unit is left for {}: {} has {}",
                    name(*operation),
                    self.problem.resource(resource).name,
                    self.problem.resource(resource).count
                ),
                None => violation.to_string(),
            },
            Violation::Conflict {
                first,
                second,
                resource,
                unit,
                slot,
            } => format!(
                "{} and {} both hold unit {unit} of {} in slot {slot}",
                name(*first),
                name(*second),
                self.problem.resource(*resource).name
            ),
            Violation::InCycleMissing { operation } => format!(
                "{} has no start time within its cycle, which others have",
                name(*operation)
            ),
            Violation::InCycle {
                operation,
                start_ns,
                latest_ns,
            } => format!(
                "{} starts {start_ns:.3} ns into its cycle; from 0 to {latest_ns:.3} ns fit into the clock period of {:.3} ns",
                name(*operation),
                self.problem.clock_period_ns
            ),
            Violation::InCycleOrder {
                from,
                to,
                needed_ns,
                found_ns,
            } => format!(
                "{} -> {}: the result is there {needed_ns:.3} ns into the cycle, and is taken {found_ns:.3} ns into it",
                name(*from),
                name(*to)
            ),
            Violation::Shape { .. }
            | Violation::Ii { .. }
            | Violation::Unit { .. }
            | Violation::Length { .. } => violation.to_string(),
        }
    }
}

impl ProblemFile {
    /// Formats a message about one of the problems, with its location.
    pub fn message(&self, problem: usize, message: &str) -> String {
        let instance = &self.problems[problem];
        let name = &instance.problem.name;
        let message = message.replace('\n', "; ");
        let message = match name.is_empty() {
            true => message,
            false => format!("`{name}`: {message}"),
        };
        render(&self.source, &self.name, instance.place, &message)
    }

    /// Formats the results. Omits failed problems, except for `ssp`, which shows them without a solution.
    pub fn show(&mut self, outcomes: &[Outcome], form: Form) -> String {
        match form {
            Form::Text => {
                let shown = self.problems.iter().zip(outcomes);
                shown
                    .filter_map(|(instance, outcome)| {
                        Some(text_of(instance, outcome.as_ref().ok()?))
                    })
                    .collect::<Vec<_>>()
                    .join("\n")
            }
            Form::Ssp => match &mut self.ssp {
                Some((context, module, found)) => {
                    for (instance, outcome) in found.iter().zip(outcomes) {
                        if let Ok(solution) = outcome {
                            annotate(context, module, instance, &solution.schedule);
                        }
                    }
                    print_module(context, module, &PrintOptions::default())
                }
                None => {
                    let shown = self.problems.iter().zip(outcomes);
                    shown
                        .map(|(instance, outcome)| {
                            let schedule = outcome.as_ref().ok().map(|found| &found.schedule);
                            module_text(&instance.problem, schedule)
                        })
                        .collect()
                }
            },
        }
    }
}

/// Formats the results of files as one JSON document: a list with an entry for each problem, which names its file.
pub fn json_document(files: &[(&ProblemFile, &[Outcome])]) -> String {
    let all = files.iter().flat_map(|(file, outcomes)| {
        let problems = file.problems.iter().zip(*outcomes);
        problems.map(|(instance, outcome)| json_of(&file.name, instance, outcome))
    });
    let all: Vec<_> = all.collect();
    serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
}

fn text_of(instance: &Instance, solution: &Solution) -> String {
    let problem = &instance.problem;
    let schedule = &solution.schedule;
    let mut text = format!(
        "{}: {} operations\n{}",
        problem.name,
        instance.n_operations,
        solution.certificate.explain(problem)
    );
    let mut order: Vec<usize> = (0..instance.n_operations).collect();
    order.sort_by_key(|&index| (schedule.start[index], index));
    for index in order {
        let id = OperationId::from_index(index);
        let operation = problem.operation(id);
        let _ = write!(text, "  cycle {:>3}", schedule.start_of(id));
        if schedule.ii.is_some() {
            let (stage, slot) = (schedule.stage_of(id), schedule.slot_of(id));
            let _ = write!(text, "  stage {stage} slot {slot}");
        }
        let _ = write!(text, "  {}", operation.name);
        if let (Some(resource), Some(unit)) = (operation.resource, schedule.unit[index]) {
            let _ = write!(text, "  on {} {unit}", problem.resource(resource).name);
        }
        text.push('\n');
    }
    text
}

fn json_of(file: &str, instance: &Instance, outcome: &Outcome) -> serde_json::Value {
    let problem = &instance.problem;
    let solution = match outcome {
        Ok(solution) => solution,
        Err(error) => return json!({"file": file, "name": problem.name, "error": error}),
    };
    let schedule = &solution.schedule;
    let certificate = &solution.certificate;
    let operations: Vec<_> = problem.operations[..instance.n_operations]
        .iter()
        .enumerate()
        .map(|(index, operation)| {
            let unit = schedule.unit[index];
            json!({"name": operation.name, "start": schedule.start[index], "unit": unit})
        })
        .collect();
    let ii = certificate.ii.as_ref();
    json!({
        "file": file,
        "name": problem.name,
        "ii": ii.map(|ii| ii.ii),
        "ii_lower_bound": ii.map(|ii| ii.lower_bound),
        "rec_mii": ii.map(|ii| ii.rec_mii),
        "res_mii": ii.map(|ii| ii.res_mii),
        "ii_proved_optimal": ii.map(|ii| ii.proved_optimal),
        "length": certificate.length.cycles,
        "length_lower_bound": certificate.length.lower_bound,
        "length_proved_optimal": certificate.length.proved_optimal,
        "register_bits": certificate.registers.bits,
        "register_bits_proved_optimal": certificate.registers.proved_optimal,
        "explanation": certificate.explain(problem).lines().collect::<Vec<_>>(),
        "operations": operations,
    })
}

/// Returns the scheduling problems of a kernel with their solutions, as `ssp` instances or as YAML.
///
/// # Errors
/// Errors of the kernel.
pub fn of_kernel(
    source: &str,
    file: &str,
    config: &Config,
    as_yaml: bool,
) -> Result<String, Failure> {
    let mut texts = Vec::new();
    kernel_problems(source, file, config, &mut |problem, schedule| {
        texts.push(match as_yaml {
            true => format!("{problem}{schedule}"),
            false => module_text(problem, Some(schedule)),
        });
    })?;
    Ok(texts.join(if as_yaml { "---\n" } else { "" }))
}

/// Returns the scheduling problems of a kernel, with the schedules that its compilation finds.
///
/// # Errors
/// Errors of the kernel; also a kernel with nothing to schedule.
pub fn read_kernel(source: &str, file: &str, config: &Config) -> Result<ProblemFile, Failure> {
    let mut problems = Vec::new();
    kernel_problems(source, file, config, &mut |problem, schedule| {
        problems.push(Instance {
            n_operations: problem.operations.len(),
            problem: problem.clone(),
            schedule: Some(schedule.clone()),
            in_cycle_ns: Vec::new(),
            place: (1, 1),
        });
    })?;
    if problems.is_empty() {
        let message = "the kernel has no operation that is to be scheduled";
        return Err(Failure::Input(format!("{file}: error: {message}\n")));
    }
    Ok(ProblemFile {
        name: file.to_owned(),
        source: source.to_owned(),
        problems,
        ssp: None,
    })
}

/// Compiles a kernel up to its schedules; calls `seen` with every problem and its solution.
fn kernel_problems(
    source: &str,
    file: &str,
    config: &Config,
    seen: &mut dyn FnMut(&Problem, &Schedule),
) -> Result<(), Failure> {
    let context = context(&config.tool_limits);
    let frontend::Kernel {
        mut module,
        top,
        warnings: mut diagnostics,
    } = frontend::read_kernel(&context, source, file, config)?;
    let wrong = |message: String| Failure::Input(format!("{file}: error: {message}\n"));
    let device = config.device().map_err(|why| wrong(why.to_string()))?;
    let setting = Setting::new(config, &top, &device, &ORDER);
    sluice_transform::check_structure(&context, &module, &mut diagnostics);
    if !diagnostics.has_errors() {
        let passes = manager(PASSES, &setting);
        passes.run(&context, &mut module, &mut diagnostics, &mut |_, _| {});
    }
    if !diagnostics.has_errors() {
        let mut options = schedule_options(&setting);
        options.float_units = sluice_search::float_units::timings(&context, &module, &setting);
        let done = schedule_seen(&context, &mut module, &device, &options, seen);
        if let Err(errors) = done {
            diagnostics.append(errors);
        }
    }
    if diagnostics.has_errors() {
        return Err(Failure::Input(
            diagnostics.render(&context, &[(file, source)]),
        ));
    }
    Ok(())
}

/// Totals over the problems of a summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Number of problems.
    pub problems: usize,
    /// Number of solved problems.
    pub solved: usize,
    /// Number of problems proved optimal: with the smallest II, or the smallest length if the problem has no II.
    pub proved: usize,
    /// Sum of IIs (lengths, for problems without an II).
    pub objective: u64,
    /// Sum of the proved lower bounds of these.
    pub lower_bound: u64,
}

impl Figures {
    /// Adds the result of one problem.
    pub fn add(&mut self, outcome: &Outcome) {
        self.problems += 1;
        let Ok(solution) = outcome else { return };
        self.solved += 1;
        let certificate = &solution.certificate;
        let (found, bound) = match &certificate.ii {
            Some(ii) => (ii.ii, ii.lower_bound),
            None => (certificate.length.cycles, certificate.length.lower_bound),
        };
        self.proved += usize::from(found == bound);
        self.objective += u64::from(found);
        self.lower_bound += u64::from(bound);
    }

    /// Formats the totals as one line.
    pub fn line(&self) -> String {
        format!(
            "{} problems: {} solved, {} proved optimal; sum of II {}, sum of lower bounds {}",
            self.problems, self.solved, self.proved, self.objective, self.lower_bound
        )
    }
}

/// Formats one line of a summary.
pub fn summary_line(instance: &Instance, outcome: &Outcome) -> String {
    let name = &instance.problem.name;
    let n_operations = instance.n_operations;
    match outcome {
        Err(error) => format!(
            "{name}: {n_operations} operations, {}",
            error.replace('\n', "; ")
        ),
        Ok(solution) => {
            let certificate = &solution.certificate;
            let length = &certificate.length;
            let shown = |what: &str, found: u32, bound: u32| match found == bound {
                true => format!("{what} {found} proved"),
                false => format!("{what} {found}, at least {bound}"),
            };
            let ii = certificate.ii.as_ref();
            let ii = ii.map(|ii| shown("II", ii.ii, ii.lower_bound) + "; ");
            format!(
                "{name}: {n_operations} operations, {}{}",
                ii.unwrap_or_default(),
                shown("length", length.cycles, length.lower_bound)
            )
        }
    }
}
