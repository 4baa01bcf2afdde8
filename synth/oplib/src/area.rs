//! The area that an operator occupies on a device, by kind of cell.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};

/// Counts of the four kinds of cell; fractions come from interpolation between measured widths.
///
/// Areas have no order: the scarce kind of cell depends on the design. [`Area::fits_in`] compares each kind, [`Area::share_of`]
/// returns the largest share of a capacity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    /// Look-up tables, with the number of inputs that the device has.
    pub lut: f64,
    /// Flip-flops.
    pub ff: f64,
    /// Multiplier blocks.
    pub dsp: f64,
    /// Block memories.
    pub bram: f64,
}

impl Area {
    /// No area.
    pub const ZERO: Self = Self {
        lut: 0.0,
        ff: 0.0,
        dsp: 0.0,
        bram: 0.0,
    };

    /// Returns true if the capacity of no kind of cell is exceeded.
    pub fn fits_in(self, capacity: Self) -> bool {
        self.lut <= capacity.lut
            && self.ff <= capacity.ff
            && self.dsp <= capacity.dsp
            && self.bram <= capacity.bram
    }

    /// Returns the largest used share over all kinds of cell, 1.0 for all cells of a kind; infinite if a kind is used that the
    /// device lacks.
    pub fn share_of(self, capacity: Self) -> f64 {
        let share = |used: f64, available: f64| if used == 0.0 { 0.0 } else { used / available };
        share(self.lut, capacity.lut)
            .max(share(self.ff, capacity.ff))
            .max(share(self.dsp, capacity.dsp))
            .max(share(self.bram, capacity.bram))
    }

    /// Combines two areas kind by kind.
    pub(crate) fn zip(self, other: Self, combine: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            lut: combine(self.lut, other.lut),
            ff: combine(self.ff, other.ff),
            dsp: combine(self.dsp, other.dsp),
            bram: combine(self.bram, other.bram),
        }
    }
}

impl Add for Area {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.zip(other, |left, right| left + right)
    }
}

impl AddAssign for Area {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<f64> for Area {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        self.zip(Self::ZERO, |cells, _| cells * factor)
    }
}

impl Sum for Area {
    fn sum<I: Iterator<Item = Self>>(areas: I) -> Self {
        areas.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:.0} LUT, {:.0} FF, {:.0} DSP, {:.0} BRAM",
            self.lut, self.ff, self.dsp, self.bram
        )
    }
}
