//! Generation of random data sets for which a kernel is defined and finishes in reasonable time.

use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_ir::limits::Limit;
use sluice_kernel::compiled::Compiled;
use sluice_sim::interpreter::Argument;

use crate::check::{Stopped, interpret_within};
use crate::data::{Case, Random, Ranges, check_room, random_case};

/// Operations of the reference model after which a data set is replaced by another one.
const QUICK_OPERATIONS: u64 = 4_000_000;

/// Maximum bits of scalars without a range, used in turn when data are drawn again. Full-range scalars are rarely meant as trip
/// counts or indices.
const SCALAR_BITS: [Option<u32>; 8] = [None, None, None, None, Some(16), Some(8), Some(4), Some(2)];

/// Number of data sets on which a kernel that always runs for long is run up to the limit.
const LONG_TRIES: u32 = 3;

/// Generates random data sets for a kernel. Data for which it is undefined cannot test the circuit, and are drawn again.
pub struct Drawing<'a> {
    compiled: &'a Compiled,
    ranges: &'a Ranges,
    random: Random,
    has_scalars: bool,
    turn: usize,
    n_drawn: u32,
    n_again: u32,
    n_long: u32,
    last: String,
}

impl<'a> Drawing<'a> {
    /// Creates a generator. Words are in the ranges of their arguments; other words initially use their full width.
    pub fn new(compiled: &'a Compiled, ranges: &'a Ranges, seed: u64) -> Self {
        let arguments = compiled.interface.arguments.iter();
        let mut named = arguments.zip(&compiled.interface.sources);
        let has_scalars = named.any(|(argument, name)| {
            matches!(argument, ArgumentPorts::Scalar { .. }) && !ranges.contains_key(name)
        });
        Self {
            compiled,
            ranges,
            random: Random::new(seed),
            has_scalars,
            turn: 0,
            n_drawn: 0,
            n_again: 0,
            n_long: 0,
            last: String::new(),
        }
    }

    /// Returns the next data set.
    ///
    /// # Errors
    /// The reason why the kernel is undefined or does not finish for the last of many data sets.
    pub fn draw(&mut self) -> Result<Case, String> {
        check_room(&self.compiled.interface, &self.compiled.context.limits)?;
        loop {
            let in_turn = u32::try_from(SCALAR_BITS.len()).expect("a few");
            let is_quick = self.has_scalars && (self.n_drawn > 0 || self.n_again < in_turn);
            let most = match is_quick {
                true => QUICK_OPERATIONS,
                false => self.compiled.context.limits.of(Limit::ReferenceOperations),
            };
            let mut case = random_case(&self.compiled.interface, self.ranges, &mut self.random);
            if let Some(bits) = self.scalar_bits() {
                narrow_scalars(&mut case, &self.compiled.interface, self.ranges, bits);
            }
            match interpret_within(self.compiled, &case, most) {
                Ok(_) => {
                    self.n_drawn += 1;
                    return Ok(case);
                }
                Err(why) => {
                    self.turn += 1;
                    self.n_again += 1;
                    let is_long = matches!(why, Stopped::TooLong(_));
                    self.n_long += u32::from(!is_quick && is_long);
                    self.last = why.to_string();
                }
            }
            let nothing_is_drawn = self.compiled.interface.arguments.is_empty();
            if nothing_is_drawn
                || self.n_long >= LONG_TRIES
                || self.n_again >= 20 * (self.n_drawn + 5)
            {
                return Err(self.last.clone());
            }
        }
    }

    /// Returns the number of rejected data sets, and the reason for the last one.
    pub fn drawn_again(&self) -> (u32, &str) {
        (self.n_again, &self.last)
    }

    /// Returns the current maximum bits of scalars without a range, if they do not use their full width.
    pub fn scalar_bits(&self) -> Option<u32> {
        let bits = SCALAR_BITS[self.turn % SCALAR_BITS.len()];
        bits.filter(|_| self.has_scalars)
    }
}

/// Keeps only the given number of low bits of scalars without a range.
pub fn narrow_scalars(case: &mut Case, interface: &Interface, ranges: &Ranges, bits: u32) {
    let arguments = case.arguments.iter_mut().zip(&interface.sources);
    for (position, (argument, name)) in arguments.enumerate() {
        if let Argument::Scalar(word) = argument
            && interface.argument_format(position).is_none()
            && !ranges.contains_key(name)
            && bits < word.width()
        {
            *word = word.trunc(bits).zext(word.width());
        }
    }
}
