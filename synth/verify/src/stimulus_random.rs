//! Random inputs of circuits, with a new value in every cycle, from the seed of the run: `{random: any}`, `{random: -8..200}`.

use serde_yaml::{Mapping, Value};
use sluice_config::Reader;
use sluice_ir::bits::Bits;

use crate::data::Random;

/// The distribution of a random input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomInput {
    /// Bits of the input.
    pub width_bits: u32,
    /// The minimum and the maximum value. Without it, every word may occur, edge values more often.
    pub range: Option<(i128, i128)>,
}

/// The sequence of random words of one input.
pub struct Drawing<'a> {
    input: usize,
    of: &'a RandomInput,
    random: Random,
}

impl<'a> Drawing<'a> {
    /// Creates the sequence for input number `input`; it does not depend on the other inputs.
    pub fn new(input: usize, of: &'a RandomInput, seed: u64) -> Self {
        let own = u64::try_from(input).unwrap_or(0);
        let mut first = Random::new(seed);
        let seed = first.next_u64() ^ Random::new(own).next_u64();
        Self {
            input,
            of,
            random: Random::new(seed),
        }
    }

    /// Returns the index of the input, and its value in the next cycle.
    pub fn draw(&mut self) -> (usize, Bits) {
        let width_bits = self.of.width_bits;
        let word = match self.of.range {
            None => self.random.word(width_bits, None),
            Some((low, high)) => {
                let most = u64::try_from(high - low).unwrap_or(u64::MAX);
                let value = low + i128::from(self.random.up_to(most));
                match u64::try_from(value) {
                    Ok(value) => Bits::from_u64(width_bits.min(64), value).zext(width_bits),
                    Err(_) => Bits::from_i64(width_bits, i64::try_from(value).unwrap_or(i64::MIN)),
                }
            }
        };
        (self.input, word)
    }
}

/// Reads `{random: ...}` of an input.
pub(crate) fn random_input(
    reader: &mut Reader<'_>,
    name: &str,
    mapping: &Mapping,
    width_bits: u32,
) -> Option<RandomInput> {
    let before = reader.errors.len();
    reader.unknown_keys(mapping, &["random"]);
    let found = mapping.get("random").map(|value| range(value, width_bits));
    match found? {
        Ok(range) if reader.errors.len() == before => Some(RandomInput { width_bits, range }),
        Ok(_) => None,
        Err(why) => {
            reader.error(name, format!("`{name}`: {why}"));
            None
        }
    }
}

/// Reads `any`, or a range of two whole numbers that fit.
fn range(value: &Value, width_bits: u32) -> Result<Option<(i128, i128)>, String> {
    let form = || "`random` is `any`, or a range as `8..200` or `-5..5`".to_owned();
    let text = value.as_str().ok_or_else(form)?;
    if text.trim() == "any" {
        return Ok(None);
    }
    let (low, high) = text.split_once("..").ok_or_else(form)?;
    let (low, high) = (
        number(low).ok_or_else(form)?,
        number(high).ok_or_else(form)?,
    );
    if low > high {
        return Err(format!("the range `{text}` ends before it begins"));
    }
    // A range has at most 64 bits; only `any` gives wider random numbers.
    let bits = width_bits.min(64);
    let (least, most) = match low < 0 {
        true => (-(1 << bits) / 2, ((1_i128 << bits) / 2 - 1).max(0)),
        false => (0, (1 << bits) - 1),
    };
    if low < least || high > most {
        let kind = if low < 0 { "signed" } else { "unsigned" };
        return Err(format!(
            "the range `{text}` does not fit: {kind} values of {width_bits} bits go from {least} to {most}{}",
            if width_bits > 64 { " in ranges" } else { "" }
        ));
    }
    Ok(Some((low, high)))
}

fn number(text: &str) -> Option<i128> {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
