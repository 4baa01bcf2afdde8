//! Waves: the displayed values of a circuit, their changes from moment to moment, and the value change dump as text.

mod changes;
mod controllers;
mod variables;
mod vcd;

pub use changes::{Change, Changes};
pub use controllers::Controller;
pub use variables::{Variable, VariableKind, Variables};
pub use vcd::Vcd;

/// The binary digits of each byte, the highest bit first.
const DIGITS: [[u8; 8]; 256] = {
    let mut digits = [[b'0'; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                digits[byte][7 - bit] = b'1';
            }
            bit += 1;
        }
        byte += 1;
    }
    digits
};

/// Appends the binary digits of a value to `text`, the highest bit first.
pub fn push_digits(text: &mut Vec<u8>, width_bits: u32, limbs: &[u64]) {
    let n_bits = usize::try_from(width_bits).expect("widths are indices");
    // Bits above the width in the highest byte are skipped.
    let mut above = limbs.len() * 64 - n_bits;
    for byte in limbs.iter().rev().flat_map(|limb| limb.to_be_bytes()) {
        let digits = &DIGITS[usize::from(byte)];
        text.extend_from_slice(&digits[above.min(8)..]);
        above = above.saturating_sub(8);
    }
}

/// Time between two ticks, in time units of the file.
pub const TIME_PER_CYCLE: u64 = 10;

/// A time at which values may change in waves: the beginning or the middle of a cycle.
///
/// Values that the edges of a tick change are shown at the beginning of the next cycle. If there are edges in the middle of a
/// tick, the values that these change, and the inputs of the cycle, are shown in the middle of the cycle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment {
    /// The cycle.
    pub cycle: u64,
    /// Whether it is the middle of the cycle.
    pub is_middle: bool,
    /// Whether values other than clocks may change.
    pub has_values: bool,
}

impl Moment {
    /// Returns its time in time units of the file.
    pub fn time(self) -> u64 {
        self.cycle * TIME_PER_CYCLE
            + if self.is_middle {
                TIME_PER_CYCLE / 2
            } else {
                0
            }
    }
}

/// A step in the tree of scopes.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// Into an inner scope.
    Down(&'a str),
    /// Out of a scope.
    Up,
}

/// The current position of a writer in the tree of scopes.
#[derive(Default)]
pub struct ScopeTree {
    at: Vec<String>,
}

impl ScopeTree {
    /// Moves to a scope; calls `go` for each step.
    pub fn enter(&mut self, scope: &[String], mut go: impl FnMut(Step<'_>)) {
        let shared = self
            .at
            .iter()
            .zip(scope)
            .take_while(|(a, b)| a == b)
            .count();
        for _ in shared..self.at.len() {
            go(Step::Up);
        }
        for name in &scope[shared..] {
            go(Step::Down(name));
        }
        self.at = scope.to_vec();
    }
}
