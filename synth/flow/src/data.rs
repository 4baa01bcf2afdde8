//! Data sets: the arguments and expected answers of `data.yaml`, and random ones.

use std::collections::BTreeMap;

use serde_yaml::Value;
use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_ir::bits::Bits;
use sluice_sim::interpreter::Argument;

/// One data set in the order of the kernel's arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Arguments.
    pub arguments: Vec<Argument>,
    /// Expected outputs by name; empty if nothing is expected.
    pub outputs: BTreeMap<String, Vec<Bits>>,
}

/// Smallest and largest value of an argument in random data sets.
pub type Ranges = BTreeMap<String, (i64, i64)>;

/// What a data file holds.
#[derive(Clone, Debug, Default)]
pub struct DataFile {
    /// Data sets.
    pub cases: Vec<Case>,
    /// Ranges for random data.
    pub ranges: Ranges,
}

fn words(value: &Value, width_bits: u32) -> Result<Vec<Bits>, String> {
    match value {
        Value::Sequence(all) => all.iter().map(|v| word(v, width_bits)).collect(),
        one => Ok(vec![word(one, width_bits)?]),
    }
}

fn word(value: &Value, width_bits: u32) -> Result<Bits, String> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Bool(bit) => u8::from(*bit).to_string(),
        _ => return Err("expected a number".to_owned()),
    };
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.as_str()),
    };
    Bits::parse_decimal(digits, negative, width_bits)
        .ok_or_else(|| format!("`{text}` does not fit {width_bits} bits"))
}

fn width_of(interface: &Interface, name: &str) -> Option<u32> {
    if let Some(index) = name
        .strip_prefix("result")
        .and_then(|n| n.parse::<usize>().ok())
        && let Some(width) = interface.result_width_bits.get(index)
    {
        return Some(*width);
    }
    interface
        .arguments
        .iter()
        .find_map(|argument| match argument {
            ArgumentPorts::Scalar {
                name: n,
                width_bits,
            }
            | ArgumentPorts::Memory {
                name: n,
                width_bits,
                ..
            } => (n == name).then_some(*width_bits),
        })
}

impl DataFile {
    /// Reads a data file for a kernel.
    ///
    /// # Errors
    /// What does not fit, with the number of the data set and the name of the argument.
    pub fn from_yaml(text: &str, interface: &Interface) -> Result<Self, String> {
        let value: Value = serde_yaml::from_str(text).map_err(|e| e.to_string())?;
        let mut file = Self::default();
        for (i, case) in value
            .get("cases")
            .and_then(Value::as_sequence)
            .into_iter()
            .flatten()
            .enumerate()
        {
            file.cases
                .push(read_case(case, interface).map_err(|why| format!("data set {i}: {why}"))?);
        }
        for (name, range) in value
            .get("random")
            .and_then(Value::as_mapping)
            .into_iter()
            .flatten()
        {
            let name = name.as_str().unwrap_or_default();
            let bound = |key: &str| range.get(key).and_then(Value::as_i64);
            if let (Some(min), Some(max)) = (bound("min"), bound("max")) {
                file.ranges.insert(name.to_owned(), (min, max));
            }
        }
        Ok(file)
    }
}

fn read_case(case: &Value, interface: &Interface) -> Result<Case, String> {
    let inputs = case
        .get("inputs")
        .and_then(Value::as_mapping)
        .ok_or("expected `inputs`")?;
    for name in inputs.keys().filter_map(Value::as_str) {
        width_of(interface, name).ok_or_else(|| format!("the kernel has no argument `{name}`"))?;
    }
    let mut arguments = Vec::new();
    for argument in &interface.arguments {
        match argument {
            ArgumentPorts::Scalar { name, width_bits } => {
                let value = inputs
                    .get(name.as_str())
                    .ok_or_else(|| format!("no value for `{name}`"))?;
                arguments.push(Argument::Scalar(
                    word(value, *width_bits).map_err(|why| format!("`{name}`: {why}"))?,
                ));
            }
            ArgumentPorts::Memory {
                name,
                depth_words,
                width_bits,
                ..
            } => {
                let value = inputs
                    .get(name.as_str())
                    .ok_or_else(|| format!("no contents for `{name}`"))?;
                let mut cells =
                    words(value, *width_bits).map_err(|why| format!("`{name}`: {why}"))?;
                if let ([one], Value::Number(_)) = (&cells[..], value) {
                    cells = vec![one.clone(); *depth_words as usize];
                }
                if cells.len() != *depth_words as usize {
                    return Err(format!(
                        "`{name}` has {depth_words} words, not {}",
                        cells.len()
                    ));
                }
                arguments.push(Argument::Memory(cells));
            }
        }
    }
    let mut outputs = BTreeMap::new();
    for (name, value) in case
        .get("outputs")
        .and_then(Value::as_mapping)
        .into_iter()
        .flatten()
    {
        let name = name.as_str().unwrap_or_default();
        let width = width_of(interface, name)
            .ok_or_else(|| format!("the kernel has no output `{name}`"))?;
        outputs.insert(
            name.to_owned(),
            words(value, width).map_err(|why| format!("`{name}`: {why}"))?,
        );
    }
    Ok(Case { arguments, outputs })
}

/// A generator of random numbers: splitmix64, so that a seed gives the same data everywhere.
///
/// Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A word: uniform in the range, or over all bits, with edges more often.
    fn word(&mut self, width_bits: u32, range: Option<(i64, i64)>) -> Bits {
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

/// A random data set for a kernel.
pub fn random_case(interface: &Interface, ranges: &Ranges, random: &mut Random) -> Case {
    let arguments = interface
        .arguments
        .iter()
        .map(|argument| match argument {
            ArgumentPorts::Scalar { name, width_bits } => {
                Argument::Scalar(random.word(*width_bits, ranges.get(name).copied()))
            }
            ArgumentPorts::Memory {
                name,
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
        outputs: BTreeMap::new(),
    }
}
