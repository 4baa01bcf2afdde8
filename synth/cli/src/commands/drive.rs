//! Options that drive a circuit: inputs, reset, and the length of the run.

use clap::Args;
use sluice_ir::limits::{Limit, Limits};
use sluice_verify::assertions::Reset;
use sluice_verify::circuit::{
    Circuit, CycleSimulator, IdleClock, Settings, Surroundings, bits, parse_clock, parse_parameter,
    parse_value,
};

use super::kernel::Top;
use super::sequences::Given;
use crate::commands::requests::asked;
use crate::output::{Done, error_text, input};

/// Options of a run of a circuit.
#[derive(Args, Default)]
pub(super) struct Drive {
    /// Top module; default: the last module that no other module instantiates
    #[arg(long, value_name = "NAME")]
    pub(super) top: Option<String>,
    /// Set a parameter of the top module to a number; this replaces the default value of the parameter
    #[arg(long = "parameter", value_name = "NAME=NUMBER", value_parser = parse_parameter)]
    pub(super) parameters: Vec<(String, String)>,
    /// Number of cycles to simulate; default: 1, or at most 1000000 with `--until`
    #[arg(long, value_name = "N")]
    cycles: Option<u64>,
    /// Stop after the cycle in which this output is not 0
    #[arg(long, value_name = "OUTPUT")]
    pub(super) until: Option<String>,
    /// Set an input to a value, decimal or hexadecimal with the prefix `0x`; inputs that are not set are 0
    #[arg(long, value_name = "INPUT=VALUE")]
    set: Vec<String>,
    /// Reset input: it is 1 for two cycles before the run, then 0
    #[arg(long, value_name = "INPUT")]
    pub(super) reset: Option<String>,
    /// Period of a clock in ticks, such as `clk=4`; `clk=4:1` also gives the tick of the first rising edge, default 0
    #[arg(long, value_name = "CLOCK=PERIOD")]
    clock: Vec<String>,
}

/// A simulator with its inputs set.
pub(super) struct Prepared {
    pub(super) simulator: CycleSimulator,
    /// Number of cycles to run after the reset.
    pub(super) n_cycles: u64,
    /// The output that ends the run.
    pub(super) until: Option<usize>,
    /// Inputs with a fixed value: those of `--set` and `--reset`.
    pub(super) held: Vec<usize>,
    /// The input of `--reset`.
    pub(super) reset: Option<usize>,
}

impl Drive {
    /// Formats the error if the output of `--until` was 0 in all cycles.
    pub(super) fn never(&self, output: &str, n_cycles: u64, limits: &Limits) -> String {
        let why = format!("`{output}` was 0 in all of {n_cycles} cycles");
        match self.cycles {
            Some(_) => why,
            None => format!("{why}; {}", limits.excess(Limit::UntilCycles).hint()),
        }
    }

    /// Returns the given options.
    pub(super) fn asked(&self) -> Vec<&'static str> {
        asked(&[
            ("--top", self.top.is_some()),
            ("--parameter", !self.parameters.is_empty()),
            ("--cycles", self.cycles.is_some()),
            ("--until", self.until.is_some()),
            ("--set", !self.set.is_empty()),
            ("--reset", self.reset.is_some()),
            ("--clock", !self.clock.is_empty()),
        ])
    }

    /// Returns the top module: that of the options, or else that of the data file.
    pub(super) fn top<'a>(&'a self, given: Option<&'a Given>) -> Top<'a> {
        let of_file = given.map(Given::top).unwrap_or_default();
        Top {
            name: self.top.as_deref().or(of_file.name),
            parameters: match &self.parameters[..] {
                [] => of_file.parameters,
                own => own,
            },
        }
    }

    /// Returns the resets of the circuit.
    pub(super) fn resets(&self) -> Vec<Reset> {
        self.reset.iter().map(|input| Reset::high(input)).collect()
    }

    /// Returns the surroundings with the given clocks.
    pub(super) fn surroundings(&self) -> Done<Surroundings> {
        let (mut clocks, mut wrong) = (Vec::new(), Vec::new());
        for clock in &self.clock {
            match parse_clock(clock) {
                Ok(timing) => clocks.push(timing),
                Err(why) => wrong.push(format!("error: --clock {clock}: {why}")),
            }
        }
        if !wrong.is_empty() {
            return Err(input(wrong.join("\n")));
        }
        Ok(Surroundings {
            clocks,
            ..Surroundings::default()
        })
    }

    /// Creates a simulator of the circuit and sets its inputs. `records` tells whether every cycle is recorded, `is_driven`
    /// whether inputs without a value change too.
    ///
    /// # Errors
    /// Invalid values; clocks without edges.
    pub(super) fn prepared(
        &self,
        circuit: &Circuit,
        settings: &Settings,
        records: bool,
        is_driven: bool,
    ) -> Done<Prepared> {
        let mut simulator = circuit.simulator(settings)?;
        if records {
            simulator.record();
        }
        // All errors are reported together.
        let mut wrong = Vec::new();
        let no_port = |what: &str, name: &str, known: Vec<&str>| {
            format!(
                "error: @{} has no {what} `{name}`; there is: `{}`",
                circuit.top,
                known.join("`, `")
            )
        };
        let inputs: Vec<(String, u32)> = simulator
            .inputs()
            .map(|port| (port.name.clone(), port.width_bits))
            .collect();
        let input_named = |name: &str| {
            let found = inputs.iter().position(|(known, _)| known == name);
            let known = || inputs.iter().map(|(name, _)| name.as_str()).collect();
            found.ok_or_else(|| no_port("input", name, known()))
        };
        let mut held = Vec::new();
        for set in &self.set {
            let given = set
                .split_once('=')
                .ok_or_else(|| format!("error: --set {set}: INPUT=VALUE is expected"));
            let read = given.and_then(|(name, value)| {
                let index = input_named(name)?;
                let value = parse_value(value, inputs[index].1)
                    .map_err(|why| format!("error: --set {set}: {why}"))?;
                Ok((index, value))
            });
            match read {
                Ok((index, value)) => {
                    simulator.set_input(index, &value);
                    held.push(index);
                }
                Err(why) => wrong.push(why),
            }
        }
        let reset = match self.reset.as_deref().map(input_named) {
            Some(Err(why)) => {
                wrong.push(why);
                None
            }
            found => found.and_then(Result::ok),
        };
        held.extend(reset);
        let until = self.until.as_ref().and_then(|name| {
            let found = simulator.output_index(name);
            if found.is_none() {
                let known = simulator.outputs().map(|port| port.name.as_str());
                wrong.push(no_port("output", name, known.collect()));
            }
            found
        });
        if !wrong.is_empty() {
            return Err(input(wrong.join("\n")));
        }
        for clock in simulator.idle_clocks() {
            let names: Vec<&str> = clock
                .inputs
                .iter()
                .filter_map(|input| inputs.get(*input).map(|(name, _)| name.as_str()))
                .collect();
            if names.is_empty() {
                error_text(&standing(circuit, clock, &names));
            } else if !is_driven && !clock.inputs.iter().any(|input| held.contains(input)) {
                wrong.push(standing(circuit, clock, &names));
            }
        }
        if !wrong.is_empty() {
            return Err(input(wrong.join("\n")));
        }
        Ok(Prepared {
            simulator,
            n_cycles: self.cycles.unwrap_or(match until {
                Some(_) => circuit.limits().of(Limit::UntilCycles),
                None => 1,
            }),
            until,
            held,
            reset,
        })
    }
}

/// Formats the error about a clock without edges, which may be meant as a constant.
fn standing(circuit: &Circuit, clock: &IdleClock, inputs: &[&str]) -> String {
    let place = clock.place.as_ref();
    let place = place.map_or_else(String::new, |(file, line, column)| {
        format!("{file}:{line}:{column}: ")
    });
    let (kind, advice) = match inputs {
        [] => ("warning", String::new()),
        [first, ..] => (
            "error",
            format!(" (`--clock {first}=1`, `--set`, a data file)"),
        ),
    };
    let why = clock.why(inputs);
    format!("{place}{kind}: @{}: {why}{advice}", circuit.top)
}

impl Prepared {
    /// Runs two cycles of reset, if there is a reset, each with `cycle`.
    pub(super) fn reset(
        &mut self,
        mut cycle: impl FnMut(&mut CycleSimulator) -> Done<()>,
    ) -> Done<()> {
        let Some(reset) = self.reset else {
            return Ok(());
        };
        let ports = self.simulator.inputs().nth(reset);
        let width_bits = ports.map_or(1, |port| port.width_bits);
        self.simulator.set_input(reset, &bits(width_bits, u64::MAX));
        for _ in 0..2 {
            cycle(&mut self.simulator)?;
        }
        self.simulator.set_input(reset, &bits(width_bits, 0));
        Ok(())
    }
}
