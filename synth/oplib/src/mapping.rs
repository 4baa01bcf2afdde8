//! What a cover of a whole circuit by look-up tables needs to know of a device, and how far its figures may be off.

/// Cells and times of a device as a technology mapper sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapping {
    /// Inputs of a look-up table.
    pub lut_inputs: u32,
    /// Inputs of the widest function that look-up tables joined by fixed choices make, twice as many for each input more than
    /// `lut_inputs`; `lut_inputs` where there are no such choices.
    pub joined_inputs: u32,
    /// The widest sum that is made of look-up tables instead of a carry chain, in bits.
    pub unchained_bits: u32,
    /// Cells that come of each look-up table of the cover: below 1 where synthesis finds more to share.
    pub cells_per_table: f64,
    /// Cells of a carry chain beyond one for each bit.
    pub cells_per_chain: f64,
    /// Bits of a carry chain that a step of it takes at least: sums are rounded up to multiples of it.
    pub chain_step_bits: u32,
    /// True if chains take complements of their operands for nothing.
    pub chains_invert: bool,
    /// Width of the unsigned operands of a multiplier block, in bits; zeros where there are no blocks.
    pub multiplier_bits: [u32; 2],
    /// From an input to the output of a look-up table, in ns.
    pub lut_delay_ns: f64,
    /// Through one of the fixed choices behind look-up tables, in ns.
    pub choice_delay_ns: f64,
    /// A wire with one reader, in ns.
    pub wire_delay_ns: f64,
    /// What a wire takes more each time its readers double, in ns.
    pub wire_delay_per_doubling_ns: f64,
    /// A wire to a register that is not beside its driver, in ns.
    pub last_wire_delay_ns: f64,
    /// From an operand into a carry chain, in ns.
    pub chain_input_delay_ns: f64,
    /// From one bit of a carry chain to the next, in ns.
    pub carry_delay_ns: f64,
    /// From a carry chain to a result, in ns.
    pub chain_output_delay_ns: f64,
    /// Through a multiplier block, in ns.
    pub multiplier_delay_ns: f64,
    /// Where the figures come from.
    pub source: String,
}

impl Mapping {
    /// Look-up tables that a function of so many inputs takes.
    pub fn cells_of_lut(&self, n_inputs: u32) -> f64 {
        f64::from(1_u32 << n_inputs.saturating_sub(self.lut_inputs).min(8))
    }

    /// From an input of a function of so many to its output, the fastest input being number 0, in ns.
    pub fn pin_ns(&self, n_inputs: u32, pin: u32) -> f64 {
        let n_choices = n_inputs.saturating_sub(self.lut_inputs);
        let choices_ns = self.choice_delay_ns * f64::from(n_choices.min(pin + 1));
        if pin < n_choices {
            choices_ns
        } else {
            choices_ns + self.lut_delay_ns
        }
    }

    /// Returns the wire from a cell that so many others read, in ns.
    pub fn wire_ns(&self, n_readers: f64) -> f64 {
        self.wire_delay_ns + self.wire_delay_per_doubling_ns * n_readers.max(1.0).log2()
    }
}

/// From the figure of a model to what is expected, with an interval that holds nine results in ten.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// The expected result by the model's figure.
    pub scale: f64,
    /// The least result by the expected one.
    pub low: f64,
    /// The greatest result by the expected one.
    pub high: f64,
    /// Where the figures come from.
    pub source: String,
}

impl Factor {
    /// What is expected where the model says `figure`.
    pub fn expect(&self, figure: f64) -> Expected {
        let value = figure * self.scale;
        Expected {
            value,
            low: value * self.low,
            high: value * self.high,
        }
    }
}

/// The factors of each figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Factors {
    /// Of look-up tables.
    pub lut: Factor,
    /// Of flip-flops.
    pub ff: Factor,
    /// Of multiplier blocks.
    pub dsp: Factor,
    /// Of block memories.
    pub bram: Factor,
    /// Of the clock period.
    pub period: Factor,
}

impl Factors {
    /// Names in device files with their factors.
    pub fn named(&self) -> [(&'static str, &Factor); 5] {
        [
            ("lut", &self.lut),
            ("ff", &self.ff),
            ("dsp", &self.dsp),
            ("bram", &self.bram),
            ("period", &self.period),
        ]
    }
}

/// An expected figure and the interval that holds nine results in ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// The figure.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Expected {
    /// Returns true if a result lies in the interval; whole cells count, so each end is rounded outwards.
    pub fn holds_cells(&self, result: f64) -> bool {
        self.low.floor() <= result && result <= self.high.ceil()
    }

    /// Returns true if a result lies in the interval.
    pub fn holds(&self, result: f64) -> bool {
        self.low <= result && result <= self.high
    }
}
