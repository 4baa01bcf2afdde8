//! `--assert`: properties of ports, signals and memories, in addition to those of data files.

use clap::Args;
use sluice_config::{ConfigError, render};
use sluice_ir::limits::Limits;
use sluice_kernel::compiled::Compiled;
use sluice_sim::testbench::Watch;
use sluice_verify::assertions::{Asserting, Assertion, Reset, asserting};
use sluice_verify::circuit::{CycleSimulator, Observe};

use crate::commands::requests::asked;
use crate::output::{Done, input};

/// The assertions of a run.
#[derive(Args, Default)]
pub(super) struct Assertions {
    /// Check in every cycle that a property of ports, signals and memories holds, such as `a_valid & !a_ready |=> stable(a)`; the option can be repeated
    #[arg(long = "assert", value_name = "PROPERTY")]
    texts: Vec<String>,
}

impl Assertions {
    /// Returns the given options.
    pub(super) fn asked(&self) -> Vec<&'static str> {
        asked(&[("--assert", !self.texts.is_empty())])
    }

    /// Parses the properties.
    pub(super) fn read(&self, limits: &Limits) -> Done<Vec<Assertion>> {
        let (mut read, mut errors) = (Vec::new(), Vec::new());
        for text in &self.texts {
            let place = ConfigError {
                file: "--assert".to_owned(),
                line: 1,
                column: 1,
                message: String::new(),
                excerpt: text.clone(),
            };
            match Assertion::parse(text, place, limits) {
                Ok(assertion) => read.push(assertion),
                Err(why) => errors.push(why),
            }
        }
        match errors[..] {
            [] => Ok(read),
            _ => Err(input(render(&errors))),
        }
    }
}

/// Returns the signals that a simulator must observe for these assertions.
pub(super) fn observed(assertions: &[Assertion]) -> Observe {
    match assertions {
        [] => Observe::Ports,
        _ => Observe::Signals,
    }
}

/// Creates a watch that checks all assertions on circuits like that of `simulator`, which observes [`observed`]. The arrays of a
/// kernel are memories.
pub(super) fn asserted<'a>(
    assertions: &[Assertion],
    resets: &[Reset],
    simulator: &CycleSimulator,
    kernel: Option<&Compiled>,
    within: &'a mut dyn Watch,
) -> Done<Asserting<'a>> {
    let interface = kernel.map(|kernel| &kernel.interface);
    asserting(assertions, resets, simulator, interface, within)
        .map_err(|errors| input(render(&errors)))
}

/// Describes the assertions of a run without failures, with a line for each vacuous one.
pub(super) fn held(asserting: &Asserting<'_>, n_assertions: usize) -> String {
    let (s, verb) = match n_assertions {
        1 => ("", "holds"),
        _ => ("s", "hold"),
    };
    let n_cycles = asserting.n_cycles();
    let mut text = format!("{n_assertions} assertion{s} {verb} in {n_cycles} cycles\n");
    for (property, depth_cycles) in asserting.vacuous() {
        let cycle = match depth_cycles {
            0 => "cycle".to_owned(),
            1 => "cycle with one of the past".to_owned(),
            n => format!("cycle with {n} of the past"),
        };
        text += &format!("note: the left side of assertion `{property}` was true in no {cycle}\n");
    }
    text
}
