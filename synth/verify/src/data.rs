//! Data sets of a kernel, and generation of random ones; `data_file` reads them from files.

use std::collections::BTreeMap;

use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_ir::algebra::{Algebra, Concrete, FloatFormat, FloatOp};
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
    /// Units in the last place by which floats may differ from expected outputs.
    pub tolerance_ulp: u64,
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
        self.any_word(width_bits)
    }

    /// Returns a float: uniform in the range; or one near 1 in most cases, with special values and any exponent at times.
    pub fn float(&mut self, format: FloatFormat, range: Option<(i64, i64)>) -> Bits {
        let to_format = |value: f64| {
            let word = Bits::from_u64(64, value.to_bits());
            Concrete::new().float(FloatOp::Convert(format), FloatFormat::F64, &[word])
        };
        // 53 bits, as a number from 0 to 1.
        let unit = |bits: u64| (bits >> 11) as f64 / (1_u64 << 53) as f64;
        if let Some((min, max)) = range {
            let share = unit(self.next_u64());
            return to_format(min as f64 + share * (max as f64 - min as f64));
        }
        match self.next_u64() % 32 {
            0 => to_format(0.0),
            1 => to_format(-0.0),
            2 => to_format(f64::INFINITY),
            3 => to_format(f64::NAN),
            4..=6 => self.any_word(format.width_bits()),
            _ => {
                let exponent = i32::try_from(self.next_u64() % 16).unwrap_or(0) - 8;
                let magnitude = (1.0 + unit(self.next_u64())) * f64::from(exponent).exp2();
                let is_negative = self.next_u64() % 2 == 1;
                to_format(if is_negative { -magnitude } else { magnitude })
            }
        }
    }

    fn any_word(&mut self, width_bits: u32) -> Bits {
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
        .enumerate()
        .map(|(position, (argument, name))| {
            let range = ranges.get(name).copied();
            let format = interface.argument_format(position);
            let mut word = |width_bits: u32| match format {
                Some(format) => random.float(format, range),
                None => random.word(width_bits, range),
            };
            match argument {
                ArgumentPorts::Scalar { width_bits, .. } => Argument::Scalar(word(*width_bits)),
                ArgumentPorts::Memory {
                    depth_words,
                    width_bits,
                    ..
                } => Argument::Memory((0..*depth_words).map(|_| word(*width_bits)).collect()),
            }
        })
        .collect();
    Case {
        arguments,
        ..Case::default()
    }
}
