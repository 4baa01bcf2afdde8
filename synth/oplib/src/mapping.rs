//! Device properties for estimating the LUT mapping of a whole circuit, and the accuracy of the estimates.

/// Cells and delays of a device for technology mapping.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapping {
    /// Inputs of a look-up table.
    pub lut_inputs: u32,
    /// Inputs of the widest function of look-up tables joined by dedicated multiplexers: each input more than `lut_inputs`
    /// doubles the tables; equal to `lut_inputs` if there are no dedicated multiplexers.
    pub joined_inputs: u32,
    /// The widest sum, in bits, that is made of look-up tables instead of a carry chain.
    pub unchained_bits: u32,
    /// Cells per look-up table of the cover: below 1 if synthesis shares more.
    pub cells_per_table: f64,
    /// Cells of a carry chain in addition to one for each bit.
    pub cells_per_chain: f64,
    /// Granularity of a carry chain in bits: sums are rounded up to multiples of it.
    pub chain_step_bits: u32,
    /// True if carry chains can complement their operands at no cost.
    pub chains_invert: bool,
    /// Width of the unsigned operands of a multiplier block, in bits; zeros if there are no blocks.
    pub multiplier_bits: [u32; 2],
    /// Least widths of comparisons for order that are written as the sign of a difference, because synthesis maps that to fewer
    /// cells: of two variables, and of a variable and a constant. 0 for none.
    pub difference_bits: [u32; 2],
    /// Delay from an input to the output of a look-up table, in ns.
    pub lut_delay_ns: f64,
    /// Delay of one dedicated multiplexer after look-up tables, in ns.
    pub choice_delay_ns: f64,
    /// Delay of a wire with one reader, in ns.
    pub wire_delay_ns: f64,
    /// Additional wire delay each time the number of readers doubles, in ns.
    pub wire_delay_per_doubling_ns: f64,
    /// Delay of a wire to a register that is not next to its driver, in ns.
    pub last_wire_delay_ns: f64,
    /// Delay from an operand into a carry chain, in ns.
    pub chain_input_delay_ns: f64,
    /// Delay from one bit of a carry chain to the next, in ns.
    pub carry_delay_ns: f64,
    /// Delay from a carry chain to a result, in ns.
    pub chain_output_delay_ns: f64,
    /// Delay of a multiplier block, in ns.
    pub multiplier_delay_ns: f64,
    /// Source of the figures.
    pub source: String,
}

impl Mapping {
    /// Returns the number of look-up tables for a function of `n_inputs` inputs.
    pub fn cells_of_lut(&self, n_inputs: u32) -> f64 {
        f64::from(1_u32 << n_inputs.saturating_sub(self.lut_inputs).min(8))
    }

    /// Returns the delay from input `pin` of a function of `n_inputs` to its output, in ns; input 0 is the fastest.
    pub fn pin_ns(&self, n_inputs: u32, pin: u32) -> f64 {
        let n_choices = n_inputs.saturating_sub(self.lut_inputs);
        let choices_ns = self.choice_delay_ns * f64::from(n_choices.min(pin + 1));
        if pin < n_choices {
            choices_ns
        } else {
            choices_ns + self.lut_delay_ns
        }
    }

    /// Returns the delay of the wire from a cell with `n_readers` readers, in ns.
    pub fn wire_ns(&self, n_readers: f64) -> f64 {
        self.wire_delay_ns + self.wire_delay_per_doubling_ns * n_readers.max(1.0).log2()
    }
}

/// Factor from the estimate of a model to the expected result, with an interval that contains nine of ten results.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// Expected result divided by the estimate.
    pub scale: f64,
    /// Least result divided by the expected result.
    pub low: f64,
    /// Greatest result divided by the expected result.
    pub high: f64,
    /// Source of the figures.
    pub source: String,
}

impl Factor {
    /// Returns the expected result for the estimate `figure`.
    pub fn expect(&self, figure: f64) -> Expected {
        let value = figure * self.scale;
        Expected {
            value,
            low: value * self.low,
            high: value * self.high,
        }
    }
}

/// The factors for each kind of figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Factors {
    /// Factor for look-up tables.
    pub lut: Factor,
    /// Factor for flip-flops.
    pub ff: Factor,
    /// Factor for multiplier blocks.
    pub dsp: Factor,
    /// Factor for block memories.
    pub bram: Factor,
    /// Factor for the clock period.
    pub period: Factor,
}

impl Factors {
    /// Returns the factors with their names in device files.
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

/// An expected result and the interval that contains nine of ten results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// The expected result.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Expected {
    /// Returns true if a result is in the interval; cells are integers, so each end is rounded outwards.
    pub fn holds_cells(&self, result: f64) -> bool {
        self.low.floor() <= result && result <= self.high.ceil()
    }

    /// Returns true if a result is in the interval.
    pub fn holds(&self, result: f64) -> bool {
        self.low <= result && result <= self.high
    }
}
