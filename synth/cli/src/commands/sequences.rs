//! Runs circuits on the sequences of a data file: inputs cycle by cycle, and expected outputs.

use std::path::{Path, PathBuf};
use std::time::Instant;

use sluice_config::{Step, nearest_place, place_of, render};
use sluice_ir::limits::Limits;
use sluice_kernel::input::InputKind;
use sluice_sim::testbench::{Unwatched, Watch};
use sluice_verify::assertions::Assertion;
use sluice_verify::circuit::{Circuit, CycleSimulator, Observe, Settings, Surroundings};
use sluice_verify::stimulus::{Head, Pauses, Stimulus};

use super::answers::Answers;
use super::asserting::{asserted, held, observed};
use super::check::{Showing, agreement};
use super::kernel::{Data, Kernel, Top, own_data_files};
use super::outcomes::Log;
use crate::commands::looks::Looks;
use crate::commands::task::{Checked, Task, With};
use crate::companion::Companion;
use crate::limiting::data_files;
use crate::output::{Done, Stop, input, read, read_config};

/// A data file of a circuit.
pub(super) struct Given {
    path: PathBuf,
    text: String,
    pub(super) head: Head,
    limits: Limits,
}

impl Given {
    /// Returns the top module of the file.
    pub(super) fn top(&self) -> Top<'_> {
        Top {
            name: Some(&self.head.module),
            parameters: &self.head.parameters,
        }
    }

    /// Reads the given data file, or the one beside the circuit `source` if it is for a module of the circuit, and for `top` if
    /// that is given. Returns `None` if there is no such file.
    ///
    /// # Errors
    /// Errors of the file; a given file that is not for a circuit.
    pub(super) fn read(
        data: &Data,
        kernel: &Kernel,
        source: &str,
        top: Option<&str>,
    ) -> Done<Option<Self>> {
        let (circuit, limits) = (&*kernel.kernel, kernel.limits());
        let is_said = data.data.is_some();
        let Some(path) = data.file(circuit)? else {
            return Ok(None);
        };
        let text = read_config(&path, &limits)?;
        let file = path.display().to_string();
        let is_own = |name: &String| path.file_name().is_some_and(|file| *file == **name);
        let is_said = is_said || own_data_files(circuit).iter().any(is_own);
        // A file beside it may belong to a kernel, with any contents.
        if !is_said && !text.contains("module") && has_kernels(circuit, &limits) {
            return Ok(None);
        }
        let head = Head::read(&text, &file).map_err(|errors| input(render(&errors)))?;
        let is_for = |head: &Head| {
            top.is_none_or(|top| top == head.module) && has_module(source, &head.module)
        };
        match head {
            Some(head) if is_said && !has_module(source, &head.module) => {
                let why = format!("{} has no `@{}`", circuit.display(), head.module);
                Err(input(Head::refused(&text, &file, &why)))
            }
            Some(head) if is_said || is_for(&head) => Ok(Some(Self {
                path,
                text,
                head,
                limits,
            })),
            // It may be for another circuit in the folder.
            Some(head) if top.is_none() && !is_for_neighbour(circuit, &head.module, &limits) => {
                let why = format!("no file in this folder has `@{}`", head.module);
                Err(input(Head::refused(&text, &file, &why)))
            }
            None if is_said || !has_kernels(circuit, &limits) => Err(input(format!(
                "{file}:1:1: error: `module` is expected, which names the module of the circuit that the data are for"
            ))),
            _ => Ok(None),
        }
    }

    /// Returns settings with the clocks of the file.
    fn settings(&self, settings: Settings) -> Settings {
        Settings {
            surroundings: Surroundings {
                clocks: self.head.clocks.clone(),
                ..Surroundings::default()
            },
            // Only streams can deadlock.
            foresight: self.text.contains("streams"),
            ..settings
        }
    }

    /// Reads the stimulus in the file for the circuit of a simulator.
    fn stimulus(&self, circuit: &Circuit, simulator: &CycleSimulator) -> Done<Stimulus> {
        let mut head = self.head.clone();
        if head.resets.is_empty() {
            head.resets = circuit.own_resets();
        }
        let file = self.path.display().to_string();
        let mut files = data_files(&self.limits);
        let stimulus = Stimulus::read(&self.text, &file, head, simulator, &mut files, &self.limits);
        stimulus.map_err(|errors| input(render(&errors)))
    }
}

/// Returns the texts of all MLIR files in the folder of a circuit.
fn neighbours<'a>(circuit: &Path, limits: &'a Limits) -> impl Iterator<Item = String> + use<'a> {
    let folder = circuit.parent().filter(|folder| *folder != Path::new(""));
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter();
    let paths = entries.flatten().flatten().map(|entry| entry.path());
    let paths = paths.filter(|path| path.extension().is_some_and(|ending| ending == "mlir"));
    paths.filter_map(|path| read(&path, limits).ok())
}

/// Returns whether there are kernels in the folder of a circuit.
fn has_kernels(circuit: &Path, limits: &Limits) -> bool {
    neighbours(circuit, limits).any(|text| InputKind::of(&text, "") == InputKind::Kernel)
}

/// Returns whether a circuit in the same folder has this module.
fn is_for_neighbour(circuit: &Path, name: &str, limits: &Limits) -> bool {
    neighbours(circuit, limits).any(|text| has_module(&text, name))
}

/// Sets the seeds of random inputs, and of random stream pauses: of those that use the seed of the run, or of all.
fn seeded(stimulus: &mut Stimulus, all: bool, seed: u64) {
    for (number, sequence) in (0..).zip(&mut stimulus.sequences) {
        sequence.seed = seed.wrapping_add(number);
        if all || sequence.pauses == Pauses::OfRun {
            sequence.pauses = Pauses::Seed(seed.wrapping_add(number));
        }
    }
}

/// Runs sequence number `number`; returns the recorded simulator, and the failure if there is one.
pub(super) fn sequence_seen(
    circuit: &Circuit,
    given: &Given,
    settings: Settings,
    number: usize,
    seed: u64,
) -> Done<(CycleSimulator, Option<String>)> {
    let settings = given.settings(settings);
    let mut simulator = circuit.simulator(&settings)?;
    simulator.record();
    let mut stimulus = given.stimulus(circuit, &simulator)?;
    seeded(&mut stimulus, false, seed);
    let Some(sequence) = stimulus.sequences.get(number) else {
        return Err(input(format!(
            "error: there is no data set {number}; there are {}",
            stimulus.sequences.len()
        )));
    };
    let resets = &stimulus.head.resets;
    let mut unwatched = Unwatched;
    let mut watch = asserted(
        &stimulus.assertions,
        resets,
        &simulator,
        None,
        &mut unwatched,
    )?;
    let ran = sequence.run(&stimulus.head, &mut simulator, &mut watch);
    Ok((simulator, ran.err().map(|wrong| wrong.message)))
}

/// Returns whether a text is a circuit or a dataflow graph, and not a kernel.
pub(super) fn is_circuit(source: &str) -> bool {
    matches!(
        InputKind::of(source, ""),
        InputKind::Circuit | InputKind::Graph
    )
}

/// Returns whether a text has a symbol of this name.
fn has_module(source: &str, name: &str) -> bool {
    let symbol = format!("@{name}");
    let mut found = source.match_indices(&symbol);
    found.any(|(at, _)| {
        let behind = source[at + symbol.len()..].chars().next();
        !behind.is_some_and(|c| c.is_alphanumeric() || "_$.-".contains(c))
    })
}

/// Runs a circuit on the sequences of a data file; notes the result of each in `log`.
pub(super) fn check_sequences(
    task: Task<'_>,
    circuit: &Circuit,
    given: &Given,
    settings: Settings,
    log: &mut Log,
) -> Done<Checked> {
    let settings = given.settings(settings);
    let simulator = circuit.simulator(&settings)?;
    let file = given.path.display().to_string();
    let mut stimulus = given.stimulus(circuit, &simulator)?;
    let has_streams = stimulus.sequences.iter().any(|all| !all.streams.is_empty());
    if task.runs.pauses && !has_streams {
        return Err(input(format!(
            "{file}: error: `--pauses` is for streams, and no data set has any"
        )));
    }
    seeded(&mut stimulus, task.runs.pauses, task.data.seed);
    let mut assertions = stimulus.assertions.clone();
    assertions.extend_from_slice(task.assertions);
    let seen = match assertions[..] {
        [] => None,
        _ => Some(circuit.simulator(&Settings {
            observe: observed(&assertions),
            ..settings.clone()
        })?),
    };
    let sets = stimulus.sequences.iter();
    log.begin(
        Some(&given.path),
        sets.map(|sequence| (sequence.name.clone(), sequence.line)),
    );
    let bench = Bench {
        circuit,
        given,
        seen: seen.as_ref().unwrap_or(&simulator),
        stimulus: &stimulus,
        assertions: &assertions,
        settings,
    };
    let mut witnesses = vec!["expected outputs", "cycle simulation"];
    let (cycles, said) = match task.with {
        With::Looks(looks) => bench.looked_at(looks, log)?,
        With::Verilator(models) => {
            let mut companion =
                Companion::of_circuit(models, circuit, &simulator, &stimulus.images())?;
            let ran = bench.run(&mut companion, None, log);
            // If the companion stopped the simulation, it has the reason.
            companion.finish().map_err(|parted| log.parted(parted))?;
            witnesses.push("Verilator");
            ran?.map_err(|wrong| bench.wrong(&wrong, log))?
        }
    };
    log.passed_before(cycles.len());
    Ok(Checked {
        text: agreement(&circuit.top, &witnesses, &cycles, None) + &said,
        reference: witnesses[0],
        n_cases: cycles.len(),
        n_cycles: cycles.iter().sum(),
        own_cycles: Vec::new(),
    })
}

/// The index of a failed data set, and the reason.
type Wrong = (usize, String);

/// Cycles of the data sets, and the description of their assertions.
type Ran = (Vec<u64>, String);

/// Failures whose exact places are looked for, each in all of the data file.
const MAX_PLACES: usize = 20;

/// A circuit and what is run on it.
struct Bench<'a> {
    circuit: &'a Circuit,
    given: &'a Given,
    /// The names that assertions can use.
    seen: &'a CycleSimulator,
    stimulus: &'a Stimulus,
    assertions: &'a [Assertion],
    settings: Settings,
}

impl Bench<'_> {
    /// Runs all sequences, also after a failure; passes the simulator of each to `look`, if that is given.
    fn run(
        &self,
        within: &mut dyn Watch,
        mut look: Option<&mut dyn FnMut(CycleSimulator)>,
        log: &mut Log,
    ) -> Done<Result<Ran, Vec<Wrong>>> {
        let resets = &self.stimulus.head.resets;
        let mut watch = asserted(self.assertions, resets, self.seen, None, within)?;
        let (mut cycles, mut wrong, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
        for (number, sequence) in self.stimulus.sequences.iter().enumerate() {
            let begin = Instant::now();
            if let Err(why) = watch.data_set(number) {
                wrong.push((number, why));
                break;
            }
            let mut simulator = match look {
                Some(_) if watch.observe() == Observe::Waves => {
                    self.simulator(Observe::Waves, true)?
                }
                Some(_) => self.simulator(Observe::Signals, true)?,
                None => self.simulator(watch.observe(), watch.records())?,
            };
            match sequence.run(&self.stimulus.head, &mut simulator, &mut watch) {
                Ok(n_cycles) => cycles.push(n_cycles),
                Err(why) if why.is_deadlock && simulator.signals().len() == 0 => {
                    // Repeat the run to find the channels with waiting tokens.
                    let mut seen = self.simulator(Observe::Signals, false)?;
                    let again = sequence.run(&self.stimulus.head, &mut seen, &mut Unwatched);
                    wrong.push((number, again.err().unwrap_or(why).message));
                }
                Err(why) => wrong.push((number, why.message)),
            }
            if let Some(look) = &mut look {
                look(simulator);
            }
            seconds.push(begin.elapsed().as_secs_f64());
        }
        log.took(&seconds);
        if !wrong.is_empty() {
            return Ok(Err(wrong));
        }
        let said = match self.assertions {
            [] => String::new(),
            all => held(&watch, all.len()),
        };
        Ok(Ok((cycles, said)))
    }

    /// Creates a simulator that observes the given signals; `records` tells whether its cycles are recorded.
    fn simulator(&self, observe: Observe, records: bool) -> Done<CycleSimulator> {
        let settings = Settings {
            observe,
            ..self.settings.clone()
        };
        let mut simulator = self.circuit.simulator(&settings)?;
        if records {
            simulator.record();
        }
        Ok(simulator)
    }

    /// Does the same as [`Bench::run`], with the requested waves and answers.
    fn looked_at(&self, looks: &Looks, log: &mut Log) -> Done<Ran> {
        let top = &self.circuit.top;
        let mut answers = Answers::default();
        let is_asked = !looks.questions.asked().is_empty();
        let mut look = |simulator| looks.questions.look_at_circuit(&mut answers, simulator);
        let look: Option<&mut dyn FnMut(CycleSimulator)> = match is_asked {
            true => Some(&mut look),
            false => None,
        };
        let with_waves = looks.waves.is_wanted()?;
        let ran = if with_waves {
            let mut showing = Showing::new(&looks.waves, top, 0);
            let ran = self.run(&mut showing, look, log);
            showing.stopped()?;
            ran?
        } else {
            self.run(&mut Unwatched, look, log)?
        };
        if let (Err(wrong), true) = (&ran, with_waves)
            && let Some((number, _)) = wrong.first().filter(|(number, _)| *number > 0)
        {
            // Run the sequence alone, with its waves.
            let mut simulator = self.simulator(Observe::Waves, true)?;
            let sequence = &self.stimulus.sequences[*number];
            let mut showing = Showing::new(&looks.waves, top, 0);
            let mut watch = asserted(
                self.assertions,
                &self.stimulus.head.resets,
                &simulator,
                None,
                &mut showing,
            )?;
            // It fails as before.
            let _ = sequence.run(&self.stimulus.head, &mut simulator, &mut watch);
            showing.stopped()?;
        }
        let (cycles, mut said) = ran.map_err(|wrong| self.wrong(&wrong, log))?;
        if is_asked {
            said += &looks.questions.answer(&answers, None, top)?;
        }
        Ok((cycles, said))
    }

    /// Describes the failed data sets, a line for each, and notes that the others passed.
    fn wrong(&self, wrong: &[Wrong], log: &mut Log) -> Stop {
        let mut lines = Vec::new();
        for (number, why) in wrong {
            let place = match (
                lines.len() < MAX_PLACES,
                self.stimulus.sequences[*number].line,
            ) {
                (false, Some(line)) => format!("{}:{line}:1", self.given.path.display()),
                _ => self.place(*number, why),
            };
            log.failed_at(*number, Some(&place), why);
            let name = self.stimulus.sequences[*number].name.as_ref();
            let name = name.map_or_else(String::new, |name| format!(" ({name})"));
            lines.push(format!("{place}: error: data set {number}{name}: {why}"));
        }
        log.passed_before(self.stimulus.sequences.len());
        input(lines.join("\n"))
    }

    /// `file:line:column` of what a data set does not meet: of the assertion, output, stream or memory that the failure names, or else of the
    /// data set.
    fn place(&self, number: usize, why: &str) -> String {
        let asserted = self.assertions.iter().find(|assertion| {
            why.contains(&format!(
                "assertion `{}` does not hold",
                assertion.property.text()
            ))
        });
        let file = self.given.path.display().to_string();
        if let Some(place) = asserted.map(|assertion| &assertion.place)
            && place.file == file
        {
            return format!("{file}:{}:{}", place.line, place.column);
        }
        let case: [Step; 2] = ["cases".into(), number.into()];
        let path = |steps: &[&str]| -> Vec<Step> {
            let steps = steps.iter().map(|step| Step::from(*step));
            case.iter().cloned().chain(steps).collect()
        };
        let mut paths = Vec::new();
        if why.contains("expect: latency") {
            paths.push(path(&["expect", "latency"]));
        }
        // Every other word between backquotes is a name.
        for name in why.split('`').skip(1).step_by(2) {
            let name = name.split('[').next().unwrap_or_default();
            if let Some((stream, field)) = name.split_once('.') {
                paths.push(path(&["streams", stream, field]));
            }
            paths.push(path(&["outputs", name]));
            paths.push(path(&["streams", name]));
            paths.push(path(&["expect", "memories", name]));
        }
        let text = &self.given.text;
        let found = paths.iter().find_map(|path| place_of(text, path));
        let (line, column) = found.unwrap_or_else(|| nearest_place(text, &case));
        format!("{file}:{line}:{column}")
    }
}
