//! One way to build an operator: its timing, its area and its hardware structure.

use crate::area::Area;

/// Timing and area of one operator at one width on one device.
///
/// Latency 0 is combinational: the result is available `input_delay_ns` after the latest operand, in the same cycle. With latency
/// L >= 1 and start cycle s, operands are captured at the end of s, `input_delay_ns` after they arrive; the result is available
/// in cycle s + L, `output_delay_ns` after its registers. Register times (clock to output, set-up) are in neither delay: see
/// [`Device::usable_period_ns`](crate::device::Device::usable_period_ns).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Implementation {
    /// The hardware for which the figures hold, and which must be emitted.
    pub structure: Structure,
    /// Cycles from start to result.
    pub latency_cycles: u32,
    /// Successive cycles during which the operator accepts no further operands; 1 is fully pipelined or combinational.
    pub occupancy_cycles: u32,
    /// From the operands to the first register, or the whole delay if there is none, in ns.
    pub input_delay_ns: f64,
    /// The longest internal path from register to register, in ns; 0 if there is none.
    pub stage_delay_ns: f64,
    /// From the last register to the result in ns; 0 for a combinational operator.
    pub output_delay_ns: f64,
    /// The cells it takes, its own registers included.
    pub area: Area,
}

impl Implementation {
    /// Wires only.
    pub const FREE: Self = Self {
        structure: Structure::Combinational,
        latency_cycles: 0,
        occupancy_cycles: 1,
        input_delay_ns: 0.0,
        stage_delay_ns: 0.0,
        output_delay_ns: 0.0,
        area: Area::ZERO,
    };

    /// Returns the least usable clock period that this operator meets, alone between registers, in ns.
    pub fn min_usable_period_ns(&self) -> f64 {
        self.input_delay_ns
            .max(self.stage_delay_ns)
            .max(self.output_delay_ns)
    }
}

/// The hardware on which the figures of a row were measured or modelled; the emitter must build exactly this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Structure {
    /// One expression without registers.
    Combinational,
    /// One expression, then as many result registers as there are cycles of latency.
    OutputRegisters,
    /// A multiplier divided into limbs of one of [`LIMB_BITS`]; see [`limb_products`] for the exact division.
    ///
    /// The limb products, unsigned, each truncated to its relevant bits, are registered first. A balanced binary tree adds them,
    /// each shifted to its weight, at the full width; at every level neighbours in the order of [`limb_products`] are added and
    /// an odd one at the end is passed on. Latency 1: the tree is combinational, after the registers. Latency L >= 2:
    /// [`tree_levels`] distributes the levels over the L - 1 further cycles, with registers after each cycle.
    PartialProducts {
        /// Width of a limb, one of [`LIMB_BITS`].
        limb_bits: u32,
    },
    /// A divider that computes some bits of the quotient per cycle ([`bits_per_cycle`]), most significant first, in 1 +
    /// [`division_steps`] cycles: restoring for remainders, non-restoring for quotients.
    ///
    /// Cycle 0 registers the magnitude of the dividend and the odd multiples of the divisor (3, 5, 7 times it as the bits of a
    /// step need). It also divides the leading bits that fill no whole step, at most [`LEAD_BITS`]. Every further cycle makes one
    /// step or two. For remainders, a step subtracts every multiple of the divisor at once from the remainder with the next bits
    /// of the dividend; the least difference that is not negative is kept. For quotients, it subtracts every odd multiple; the
    /// nearest is kept, inverted if it is negative, with its sign in a register. After the registers the sign is applied, as an
    /// increment of digits that entered inverted.
    IterativeRestoring,
    /// A port of a memory.
    MemoryPort,
    /// A register.
    Register,
}

/// Bits of the quotient that iterative dividers find per cycle; 4 and 6 are two steps of 2 and of 3.
pub const QUOTIENT_BITS_PER_CYCLE: [u32; 5] = [1, 2, 3, 4, 6];

/// Greatest number of leading quotient bits that iterative dividers find while they load.
pub const LEAD_BITS: u32 = 2;

/// Returns the quotient bits of one step of a divider that finds `bits_per_cycle`.
pub fn step_bits(bits_per_cycle: u32) -> u32 {
    if bits_per_cycle > 3 {
        bits_per_cycle / 2
    } else {
        bits_per_cycle
    }
}

/// Returns the number of cycles with steps of an iterative divider of a width; one cycle to load comes first.
pub fn division_steps(width_bits: u32, bits_per_cycle: u32) -> u32 {
    width_bits
        .saturating_sub(LEAD_BITS)
        .div_ceil(bits_per_cycle)
}

/// Returns the quotient bits per cycle of an iterative divider of a width, from its latency: the least number b of
/// [`QUOTIENT_BITS_PER_CYCLE`] with [`division_steps`] + 1 <= latency, or the greatest if none is fast enough.
pub fn bits_per_cycle(width_bits: u32, latency_cycles: u32) -> u32 {
    let greatest = QUOTIENT_BITS_PER_CYCLE[QUOTIENT_BITS_PER_CYCLE.len() - 1];
    QUOTIENT_BITS_PER_CYCLE
        .into_iter()
        .find(|bits| division_steps(width_bits, *bits) < latency_cycles)
        .unwrap_or(greatest)
}

/// Widths of a limb in [`Structure::PartialProducts`]: the unsigned operands of multiplier blocks of 18 by 18 and of 16 by 16
/// bits, and for devices without blocks the width that look-up tables multiply in about the time of a wide addition.
pub const LIMB_BITS: [u32; 3] = [18, 16, 8];

/// Returns the limb products that the low `width_bits` bits of a product need, as pairs of limb indices (left, right), in order
/// of their weight and then of the left index; product (i, j) has the weight 2^(limb_bits * (i + j)).
pub fn limb_products(width_bits: u32, limb_bits: u32) -> Vec<(u32, u32)> {
    let n_limbs = width_bits.div_ceil(limb_bits);
    (0..n_limbs)
        .flat_map(|weight| (0..=weight).map(move |left| (left, weight - left)))
        .collect()
}

/// Returns how many levels of the binary tree that adds `n_products` are in each of `n_stages` cycles (at least one): as even as
/// possible, earlier cycles take one more.
pub fn tree_levels(n_products: u32, n_stages: u32) -> Vec<u32> {
    let n_levels = n_products.max(1).next_power_of_two().trailing_zeros();
    (0..n_stages)
        .map(|stage| n_levels / n_stages + u32::from(stage < n_levels % n_stages))
        .collect()
}

impl Structure {
    /// Every structure that a row under `operators` may name.
    pub const OF_ROWS: [Self; 6] = [
        Self::Combinational,
        Self::OutputRegisters,
        Self::PartialProducts {
            limb_bits: LIMB_BITS[0],
        },
        Self::PartialProducts {
            limb_bits: LIMB_BITS[1],
        },
        Self::PartialProducts {
            limb_bits: LIMB_BITS[2],
        },
        Self::IterativeRestoring,
    ];

    /// Returns the name in device files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Combinational => "combinational",
            Self::OutputRegisters => "output_registers",
            Self::PartialProducts { limb_bits: 16 } => "partial_products_of_16",
            Self::PartialProducts { limb_bits: 8 } => "partial_products_of_8",
            Self::PartialProducts { .. } => "partial_products",
            Self::IterativeRestoring => "iterative_restoring",
            Self::MemoryPort => "memory_port",
            Self::Register => "register",
        }
    }

    /// Returns the structure with this name, if a row may name it.
    pub fn of_row_name(name: &str) -> Option<Self> {
        Self::OF_ROWS
            .into_iter()
            .find(|structure| structure.name() == name)
    }
}

/// The kind of a multiplexer with several inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Selection {
    /// One condition for each input but the last; the first true condition wins: a chain of two-input multiplexers.
    FirstThatHolds,
    /// One condition for each input, at most one of which is true: each input is masked by its condition, then all are or-ed. 0
    /// if no condition is true.
    OneHot,
}

impl Selection {
    /// Every kind of selection, in the order in which device files list them.
    pub const ALL: [Self; 2] = [Self::FirstThatHolds, Self::OneHot];

    /// Greatest number of inputs for which a chain is smaller than masked inputs, where at most one condition is true.
    ///
    /// Words of 32 bits on ECP5, in LUT: 64 chained or 128 masked for 3 inputs, 240 or 203 for 4, 608 or 203 for 8, 2,464 or 672 for
    /// 32; in ns for 32 inputs: 11.5 or 4.3 (`sluice calibrate --device ecp5`). Other measured devices agree.
    pub const MAX_CHAINED: u32 = 3;

    /// Returns the selection among inputs of which at most one condition is true.
    pub fn among(n_inputs: u32) -> Self {
        match n_inputs > Self::MAX_CHAINED {
            true => Self::OneHot,
            false => Self::FirstThatHolds,
        }
    }

    /// Returns the name in device files.
    pub fn name(self) -> &'static str {
        match self {
            Self::FirstThatHolds => "first_that_holds",
            Self::OneHot => "one_hot",
        }
    }

    /// Returns the selection with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|selection| selection.name() == name)
    }
}
