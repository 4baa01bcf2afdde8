//! Data sets of a kernel, and generation of random ones; `data_file` reads them from files.

use std::collections::BTreeMap;

use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_ir::bits::Bits;
use sluice_ir::limits::{Limit, Limits};
use sluice_sim::interpreter::Argument;

use crate::assertions::Assertion;

/// One data set in the order of the kernel's arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// The line of the data file on which it begins, if it has one of its own.
    pub line: Option<usize>,
    /// Arguments.
    pub arguments: Vec<Argument>,
    /// Expected outputs of the interpreter, by name; empty without an expectation.
    pub outputs: BTreeMap<String, Vec<Bits>>,
    /// Expected outputs of the circuit, by name.
    pub golden: BTreeMap<String, Vec<Bits>>,
    /// Expected cycles from `start` to `done`.
    pub latency_cycles: Option<u64>,
    /// Cycles after which the run is stopped.
    pub timeout_cycles: Option<u64>,
}

/// Smallest and largest value of an argument in random data sets.
pub type Ranges = BTreeMap<String, (i64, i64)>;

/// The contents of a data file.
#[derive(Clone, Debug)]
pub struct DataFile {
    /// Data sets.
    pub cases: Vec<Case>,
    /// Ranges for random data.
    pub ranges: Ranges,
    /// Expectations about the circuit.
    pub expect: Expect,
    /// Maximum idle cycles between data sets that run one after the other.
    pub idle_cycles: Option<u64>,
    /// True if the interpreter is the reference model.
    pub has_reference: bool,
}

impl Default for DataFile {
    fn default() -> Self {
        Self {
            cases: Vec::new(),
            ranges: Ranges::new(),
            expect: Expect::default(),
            idle_cycles: None,
            has_reference: true,
        }
    }
}

/// Idle cycles between the runs of a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idle {
    /// Maximum number of cycles between a `done` and the next `start`; 0 for both in the same cycle.
    pub most_cycles: u64,
    /// Seed of the random numbers of idle cycles.
    pub seed: u64,
}

/// Expectations of a data file about the circuit, besides its results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expect {
    /// Cycles from `start` to `done`, for every data set.
    pub latency_cycles: Option<u64>,
    /// Initiation intervals by the name of the loop.
    pub ii: BTreeMap<String, u64>,
    /// Cycles after which a run is stopped.
    pub timeout_cycles: Option<u64>,
    /// Assertions about the ports in every cycle.
    pub assertions: Vec<Assertion>,
}

/// A random number generator (splitmix64): a seed gives the same data on every machine.
///
/// Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 to `most`.
    pub fn up_to(&mut self, most: u64) -> u64 {
        match most.checked_add(1) {
            Some(n) => self.next_u64() % n,
            None => self.next_u64(),
        }
    }

    /// Returns a word: uniform in the range, or over all bits, with edge values more often.
    pub fn word(&mut self, width_bits: u32, range: Option<(i64, i64)>) -> Bits {
        if let Some((min, max)) = range {
            let span = u64::try_from(i128::from(max) - i128::from(min)).unwrap_or(u64::MAX);
            let offset = if span == u64::MAX {
                self.next_u64()
            } else {
                self.next_u64() % (span + 1)
            };
            return Bits::from_i64(width_bits, min.wrapping_add(offset.cast_signed()));
        }
        match self.next_u64() % 8 {
            0 => Bits::zero(width_bits),
            1 => Bits::ones(width_bits),
            2 => Bits::from_u64(width_bits, 1).shl_by(width_bits.saturating_sub(1)),
            _ => {
                let limbs: Vec<u64> = (0..width_bits.div_ceil(64).max(1))
                    .map(|_| self.next_u64())
                    .collect();
                Bits::from_limbs(width_bits, &limbs)
            }
        }
    }
}

/// Checks the memories of an interface against the limit of the simulation.
///
/// # Errors
/// The memories are larger.
pub fn check_room(interface: &Interface, limits: &Limits) -> Result<(), String> {
    let checked = limits.check(Limit::SimulatedWords, interface.n_words());
    checked.map_err(|excess| format!("the memories of the kernel have {excess}"))
}

/// Generates a random data set for a kernel.
pub fn random_case(interface: &Interface, ranges: &Ranges, random: &mut Random) -> Case {
    let arguments = interface
        .arguments
        .iter()
        .zip(&interface.sources)
        .map(|(argument, name)| match argument {
            ArgumentPorts::Scalar { width_bits, .. } => {
                Argument::Scalar(random.word(*width_bits, ranges.get(name).copied()))
            }
            ArgumentPorts::Memory {
                depth_words,
                width_bits,
                ..
            } => {
                let range = ranges.get(name).copied();
                Argument::Memory(
                    (0..*depth_words)
                        .map(|_| random.word(*width_bits, range))
                        .collect(),
                )
            }
        })
        .collect();
    Case {
        arguments,
        ..Case::default()
    }
}
