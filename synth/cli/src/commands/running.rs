//! Options for running a circuit on the cycle simulator: stimulus, clocks, backend.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use sluice_sim::testbench::{Unwatched, Watch as _};
use sluice_verify::assertions::Assertion;
use sluice_verify::circuit::{Backend, Circuit, CycleSimulator, Observe, Settings};

use super::asserting::{asserted, held, observed};
use super::drive::{Drive, Prepared};
use crate::commands::requests::asked;
use crate::output::{Done, input};

/// Options of such a run.
#[derive(Args, Default)]
pub(super) struct Running {
    #[command(flatten)]
    pub(super) drive: Drive,
    /// Engine of the simulator; `auto` starts with bytecode and changes to machine code in long runs
    #[arg(long, value_enum)]
    backend: Option<How>,
}

/// Backends on the command line.
#[derive(Clone, Copy, ValueEnum)]
enum How {
    Auto,
    Bytecode,
    Native,
    Words,
    Vectors,
}

impl From<How> for Backend {
    fn from(how: How) -> Self {
        match how {
            How::Auto => Self::Auto,
            How::Bytecode => Self::Bytecode,
            How::Native => Self::Native,
            How::Words => Self::Words,
            How::Vectors => Self::Vectors,
        }
    }
}

/// Returns the time since the first call.
fn since_first() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

impl Running {
    /// Returns the given options.
    pub(super) fn asked(&self) -> Vec<&'static str> {
        let mut all = self.drive.asked();
        all.extend(self.of_one_run());
        all
    }

    /// Returns the given options that affect how cycles are computed, not what is run.
    pub(super) fn of_one_run(&self) -> Vec<&'static str> {
        asked(&[("--backend", self.backend.is_some())])
    }

    /// Returns the settings of a simulator that observes the given signals.
    pub(super) fn settings(&self, observe: Observe) -> Done<Settings> {
        Ok(Settings {
            backend: self.backend.unwrap_or(How::Auto).into(),
            clock: Some(since_first),
            observe,
            surroundings: self.drive.surroundings()?,
            uninitialised: false,
            ..Settings::default()
        })
    }

    /// Runs a circuit with the options; records every cycle if something is observed.
    pub(super) fn run(
        &self,
        circuit: &Circuit,
        settings: &Settings,
        assertions: &[Assertion],
        start: Instant,
    ) -> Done<Driven> {
        let records = settings.observe != Observe::Ports;
        let settings = Settings {
            observe: if records {
                settings.observe
            } else {
                observed(assertions)
            },
            ..settings.clone()
        };
        let mut prepared = self.drive.prepared(circuit, &settings, records, false)?;
        if !assertions.is_empty() {
            return self.watched(prepared, assertions, start);
        }
        prepared.reset(|simulator| {
            simulator.run_cycles(1);
            Ok(())
        })?;
        let Prepared {
            mut simulator,
            n_cycles,
            until,
            ..
        } = prepared;
        // The first cycle is timed separately: it includes the initialisation.
        let mut done = 0;
        if n_cycles > 0 {
            simulator.run_cycle();
            done = 1;
        }
        let first = start.elapsed();
        let is_met = |simulator: &CycleSimulator| {
            until.is_some_and(|until| !simulator.output(until).is_zero())
        };
        let begin = Instant::now();
        if done < n_cycles && !is_met(&simulator) {
            match until {
                Some(until) => done += simulator.run_until(until, n_cycles - done),
                None => {
                    // Outputs are computed by the last cycle.
                    simulator.run_cycles(n_cycles - done - 1);
                    simulator.run_cycle();
                    done = n_cycles;
                }
            }
        }
        Ok(Driven {
            is_met: is_met(&simulator),
            simulator,
            done,
            first,
            seconds: begin.elapsed().as_secs_f64(),
            asserted: Ok(String::new()),
        })
    }

    /// Runs the circuit cycle by cycle, with the assertions checked.
    fn watched(
        &self,
        mut prepared: Prepared,
        assertions: &[Assertion],
        start: Instant,
    ) -> Done<Driven> {
        let resets = self.drive.resets();
        let mut within = Unwatched;
        let mut asserting = asserted(assertions, &resets, &prepared.simulator, None, &mut within)?;
        let begin = Instant::now();
        let mut first = None;
        let (mut done, mut is_met) = (0, false);
        let found = prepared
            .reset(|simulator| asserting.cycle(simulator).map_err(input))
            .and_then(|()| {
                while done < prepared.n_cycles && !is_met {
                    let cycle = asserting.cycle(&mut prepared.simulator);
                    first.get_or_insert_with(|| start.elapsed());
                    done += 1;
                    cycle.map_err(input)?;
                    let output = prepared.until.map(|until| prepared.simulator.output(until));
                    is_met = output.is_some_and(|output| !output.is_zero());
                }
                asserting.over().map_err(input)
            });
        Ok(Driven {
            asserted: match found {
                Ok(()) => Ok(held(&asserting, assertions.len())),
                Err(stop) => Err(stop.message),
            },
            simulator: prepared.simulator,
            done,
            is_met,
            first: first.unwrap_or_else(|| start.elapsed()),
            seconds: begin.elapsed().as_secs_f64(),
        })
    }
}

/// The result of running a circuit.
pub(super) struct Driven {
    pub(super) simulator: CycleSimulator,
    /// Number of cycles without those of the reset.
    pub(super) done: u64,
    /// True if the output of `--until` was not 0 at the end.
    pub(super) is_met: bool,
    /// A description of the assertions, or the failure of one.
    pub(super) asserted: Result<String, String>,
    /// Time until the end of the first cycle; the next field is the time of the rest, in seconds.
    pub(super) first: Duration,
    pub(super) seconds: f64,
}
