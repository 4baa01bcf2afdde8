//! A device: the costs of operators on it, and queries for them.

use std::sync::OnceLock;

use crate::area::Area;
use crate::class::{CostOrigin, OperatorClass};
use crate::curve::{Curve, blend};
use crate::error::{DeviceError, MissingOrTooSlow, UnknownDevice};
use crate::implementation::{
    Implementation, QUOTIENT_BITS_PER_CYCLE, Selection, Structure, bits_per_cycle, division_steps,
    step_bits,
};
use crate::mapping::{Factors, Mapping};
use crate::memory::{Memory, MemoryCells, MemoryKind, MemoryRow};
use crate::text;
use sluice_ir::suggestion::did_you_mean;

/// The built-in devices: name and text.
const BUILT_IN: [(&str, &str); 5] = [
    ("generic", include_str!("../devices/generic.yaml")),
    ("ecp5", include_str!("../devices/ecp5.yaml")),
    ("ice40", include_str!("../devices/ice40.yaml")),
    ("xilinx7", include_str!("../devices/xilinx7.yaml")),
    (
        "ultrascale_plus",
        include_str!("../devices/ultrascale_plus.yaml"),
    ),
];

/// The parsed built-in devices, each read at its first use.
static READ: [OnceLock<Device>; BUILT_IN.len()] = [const { OnceLock::new() }; BUILT_IN.len()];

/// One device with all its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// Name in configurations and reports.
    pub name: String,
    /// Description of the device, one sentence.
    pub description: String,
    /// Clock period used if the user gives none, in ns.
    pub default_clock_period_ns: f64,
    /// Reserve of each clock period for jitter and for delays that the rows do not cover, in ns.
    pub clock_uncertainty_ns: f64,
    /// The share of the clock period by which paths should be shorter than required, if that costs almost no cycles: routes of
    /// whole circuits may be longer than those in the rows.
    pub path_margin: f64,
    /// Clock-to-output time of a register, in ns.
    pub clock_to_output_ns: f64,
    /// Set-up time of a register, in ns.
    pub setup_ns: f64,
    /// The number of cells of each kind.
    pub capacity: Area,
    /// Properties for technology mapping.
    pub mapping: Mapping,
    /// Accuracy of the estimates.
    pub factors: Factors,
    pub(crate) operators: Vec<OperatorRow>,
    pub(crate) multiplexers: Vec<MultiplexerRow>,
    pub(crate) memories: Vec<MemoryRow>,
    pub(crate) section_sources: Vec<(&'static str, String)>,
}

/// One row under `operators`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OperatorRow {
    pub class: OperatorClass,
    pub structure: Structure,
    /// Cycles from start to result; for dividers only the cycles before the steps.
    pub latency_cycles: u32,
    /// Quotient bits of one step of a divider, 0 for other structures.
    pub quotient_bits_per_cycle: u32,
    pub curve: Curve,
    pub source: String,
}

/// One row under `multiplexers`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MultiplexerRow {
    pub selection: Selection,
    pub n_inputs: u32,
    pub curve: Curve,
    pub source: String,
}

/// Longest clock period, in ns.
pub const MAX_CLOCK_PERIOD_NS: f64 = 1e6;

/// Returns a clock period in ns if it is valid: positive and at most `MAX_CLOCK_PERIOD_NS`.
pub fn clock_period_ns(value: f64) -> Option<f64> {
    (value > 0.0 && value <= MAX_CLOCK_PERIOD_NS).then_some(value)
}

impl Device {
    /// Returns the built-in device with this name.
    pub fn built_in(name: &str) -> Result<Self, UnknownDevice> {
        let place = BUILT_IN
            .iter()
            .position(|(known, _)| *known == name)
            .ok_or_else(|| UnknownDevice {
                name: name.to_owned(),
                advice: did_you_mean(name, &Self::built_in_names().collect::<Vec<_>>()),
            })?;
        let read = || {
            let (_, text) = BUILT_IN[place];
            Self::from_yaml(text, name).expect("the tests read every built-in device")
        };
        Ok(READ[place].get_or_init(read).clone())
    }

    /// Returns the text of the built-in device with this name.
    pub fn built_in_text(name: &str) -> Option<&'static str> {
        BUILT_IN
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, text)| *text)
    }

    /// Returns the names of the built-in devices; the first is the default.
    pub fn built_in_names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// Reads a device; `origin` names the text in errors.
    ///
    /// # Errors
    /// All errors, in the order of the text; then there is no device.
    pub fn from_yaml(text: &str, origin: &str) -> Result<Self, Vec<DeviceError>> {
        text::read(text, origin)
    }

    /// Returns the part of a clock period that is left for logic, in ns: register times and clock uncertainty are subtracted. It
    /// is rounded to the femtosecond, so that a difference of decimal numbers is a short decimal again. May be negative.
    pub fn usable_period_ns(&self, clock_period_ns: f64) -> f64 {
        ((clock_period_ns - self.register_overhead_ns()) * 1e6).round() / 1e6
    }

    /// Returns the clock period that leaves `usable_period_ns` for logic, in ns: the inverse of [`Device::usable_period_ns`].
    pub fn clock_period_for_ns(&self, usable_period_ns: f64) -> f64 {
        usable_period_ns + self.register_overhead_ns()
    }

    fn register_overhead_ns(&self) -> f64 {
        self.clock_to_output_ns + self.setup_ns + self.clock_uncertainty_ns
    }

    /// Returns every way to build an operator of a class at a width, by latency, then by input delay, then in the order of the
    /// file.
    ///
    /// A row is valid for widths from its first point up. Empty if the device has no row.
    pub fn implementations(&self, class: OperatorClass, width_bits: u32) -> Vec<Implementation> {
        match class.cost_origin() {
            CostOrigin::Free => vec![Implementation::FREE],
            CostOrigin::Register => vec![self.register(width_bits)],
            CostOrigin::Memories => self.memory_port(class).into_iter().collect(),
            CostOrigin::Operators => {
                let mut found: Vec<Implementation> = self
                    .operators
                    .iter()
                    .filter(|row| row.class == class && row.curve.first_width_bits() <= width_bits)
                    .flat_map(|row| row.at(width_bits))
                    .collect();
                found.sort_by(|left, right| {
                    left.latency_cycles
                        .cmp(&right.latency_cycles)
                        .then(left.input_delay_ns.total_cmp(&right.input_delay_ns))
                });
                found
            }
        }
    }

    /// Returns the implementation of least latency that fits the clock; among those, the one of least input delay.
    pub fn implementation(
        &self,
        class: OperatorClass,
        width_bits: u32,
        clock_period_ns: f64,
    ) -> Result<Implementation, MissingOrTooSlow> {
        let usable_period_ns = self.usable_period_ns(clock_period_ns);
        let found = self.implementations(class, width_bits);
        if let Some(fitting) = found
            .iter()
            .find(|way| way.min_usable_period_ns() <= usable_period_ns)
        {
            return Ok(*fitting);
        }
        let least = found
            .iter()
            .map(Implementation::min_usable_period_ns)
            .min_by(f64::total_cmp);
        Err(match least {
            None => MissingOrTooSlow::Missing {
                device: self.name.clone(),
                class,
                width_bits,
            },
            Some(min_usable_period_ns) => MissingOrTooSlow::TooSlow {
                device: self.name.clone(),
                class,
                width_bits,
                clock_period_ns,
                min_clock_period_ns: self.clock_period_for_ns(min_usable_period_ns),
            },
        })
    }

    /// Returns a register of a width, with clock enable and reset.
    pub fn register(&self, width_bits: u32) -> Implementation {
        Implementation {
            structure: Structure::Register,
            latency_cycles: 1,
            area: Area {
                ff: f64::from(width_bits),
                ..Area::ZERO
            },
            ..Implementation::FREE
        }
    }

    /// Returns the delay in ns of a multiplexer with two inputs and one condition; 0 if the device does not state it.
    pub fn choice_delay_ns(&self, width_bits: u32) -> f64 {
        let mux = self.mux(Selection::FirstThatHolds, 2, width_bits);
        mux.map_or(0.0, |mux| mux.input_delay_ns)
    }

    /// Returns a multiplexer with several inputs; one input or none is wiring.
    ///
    /// Between the numbers of inputs in the rows, figures are interpolated linearly, as for widths; beyond the last they grow in
    /// proportion to the number of inputs.
    ///
    /// # Errors
    /// The device has no row for this kind of selection.
    pub fn mux(
        &self,
        selection: Selection,
        n_inputs: u32,
        width_bits: u32,
    ) -> Result<Implementation, MissingOrTooSlow> {
        if n_inputs < 2 {
            return Ok(Implementation::FREE);
        }
        let rows: Vec<&MultiplexerRow> = self
            .multiplexers
            .iter()
            .filter(|row| row.selection == selection)
            .collect();
        let after = rows.partition_point(|row| row.n_inputs < n_inputs);
        let upper = after.min(rows.len().saturating_sub(1));
        // Beyond the last width the lines of two rows may cross: a multiplexer costs no less than one with fewer inputs.
        let figures = |idx: usize| {
            let (first, more) = rows.get(..=idx).and_then(<[_]>::split_first)?;
            let least = first.curve.at(width_bits);
            Some(more.iter().fold(least, |least, row| {
                least.greatest(&row.curve.at(width_bits))
            }))
        };
        let Some(high) = figures(upper) else {
            let device = self.name.clone();
            return Err(MissingOrTooSlow::Missing {
                device,
                class: OperatorClass::Mux,
                width_bits,
            });
        };
        let inputs_of = |idx: usize| f64::from(rows[idx].n_inputs);
        let point = if rows[upper].n_inputs < n_inputs {
            high.scaled(f64::from(n_inputs) / inputs_of(upper))
        } else if let Some(low) = upper.checked_sub(1).and_then(figures) {
            let (from, to) = (inputs_of(upper - 1), inputs_of(upper));
            blend(
                &low,
                &high,
                (f64::from(n_inputs) - from) / (to - from),
                width_bits,
            )
        } else {
            high
        };
        Ok(Implementation {
            input_delay_ns: point.input_delay_ns,
            area: point.area,
            ..Implementation::FREE
        })
    }

    /// Returns a memory of `words` of `width_bits`, in the kind of cell that suits its size.
    ///
    /// Distributed memory is used up to the size that its row allows, block memory above; if the device has only one kind, that
    /// kind.
    pub fn memory(&self, words: u32, width_bits: u32) -> Option<Memory> {
        let size_bits = u64::from(words) * u64::from(width_bits);
        let small = self.memories.iter().find(|row| match row.cells {
            MemoryCells::Distributed { up_to_bits, .. } => size_bits <= up_to_bits,
            MemoryCells::Block { .. } => false,
        });
        let large = self
            .memories
            .iter()
            .find(|row| row.kind() == MemoryKind::Block);
        let row = small.or(large).or(self.memories.first())?;
        Some(self.memory_in(row, words, width_bits))
    }

    /// Returns a memory of `words` of `width_bits` in cells of `kind`; `None` if the device has no cells of this kind.
    pub fn memory_of_kind(&self, kind: MemoryKind, words: u32, width_bits: u32) -> Option<Memory> {
        let row = self.memories.iter().find(|row| row.kind() == kind)?;
        Some(self.memory_in(row, words, width_bits))
    }

    /// Returns a block memory with two read/write ports; `None` if the device has no block memories.
    pub fn true_dual_memory(&self, words: u32, width_bits: u32) -> Option<Memory> {
        let mut rows = self.memories.iter();
        let row = rows.find(|row| row.kind() == MemoryKind::Block)?;
        Some(self.memory_in(&row.true_dual(), words, width_bits))
    }

    /// Returns the bits of all block memories of the device.
    pub fn block_memory_bits(&self) -> u64 {
        let mut bits_per_block = 0;
        for row in &self.memories {
            if let MemoryCells::Block { shapes } = &row.cells {
                let bits = shapes
                    .iter()
                    .map(|(words, width)| u64::from(*words) * u64::from(*width));
                bits_per_block = bits.max().unwrap_or(0).max(bits_per_block);
            }
        }
        // Capacities are whole numbers of cells, far below 2^53.
        self.capacity.bram as u64 * bits_per_block
    }

    /// Returns the multiplexer that selects one of `words` words of `width_bits` by an address.
    pub fn word_choice(&self, words: u32, width_bits: u32) -> Implementation {
        self.read_data_choice(words, width_bits)
    }

    fn memory_in(&self, row: &MemoryRow, words: u32, width_bits: u32) -> Memory {
        let (deep, wide) = row.cell_grid(words, width_bits);
        let n_cells = f64::from(deep) * f64::from(wide);
        let joining = self.read_data_choice(deep, width_bits);
        let (mut read, write) = row.ports();
        let area = match row.cells {
            MemoryCells::Distributed { lut, .. } => {
                read.input_delay_ns += joining.input_delay_ns;
                Area {
                    lut: lut * n_cells,
                    ff: f64::from(width_bits),
                    ..Area::ZERO
                }
            }
            MemoryCells::Block { .. } => {
                read.output_delay_ns += joining.input_delay_ns;
                Area {
                    bram: n_cells,
                    ..Area::ZERO
                }
            }
        };
        Memory {
            kind: row.kind(),
            read,
            write,
            area: area + joining.area,
        }
    }

    /// Returns the multiplexer that joins the read data of cells in depth: the cheaper kind, or wiring if the device has no row
    /// for multiplexers at all, which the device reader rejects.
    fn read_data_choice(&self, n_cells: u32, width_bits: u32) -> Implementation {
        Selection::ALL
            .into_iter()
            .filter_map(|selection| self.mux(selection, n_cells, width_bits).ok())
            .min_by(|left, right| left.input_delay_ns.total_cmp(&right.input_delay_ns))
            .unwrap_or(Implementation::FREE)
    }

    /// Returns a port of a memory whose implementation is unknown, such as one outside the kernel: that of a block memory, if
    /// there is one.
    fn memory_port(&self, class: OperatorClass) -> Option<Implementation> {
        let row = self
            .memories
            .iter()
            .find(|row| row.kind() == MemoryKind::Block)
            .or(self.memories.first())?;
        let (read, write) = row.ports();
        Some(if class == OperatorClass::MemoryWrite {
            write
        } else {
            read
        })
    }

    /// Returns every row with its name and its source, for reports and documentation.
    pub fn sources(&self) -> Vec<(String, &str)> {
        let sections = self
            .section_sources
            .iter()
            .map(|(name, source)| ((*name).to_owned(), source.as_str()));
        let operators = self.operators.iter().map(|row| {
            (
                format!(
                    "{}, {}, latency {}",
                    row.class,
                    row.structure.name(),
                    row.latency_cycles
                ),
                row.source.as_str(),
            )
        });
        let multiplexers = self.multiplexers.iter().map(|row| {
            (
                format!("multiplexer of {}, {}", row.n_inputs, row.selection.name()),
                row.source.as_str(),
            )
        });
        let memories = self.memories.iter().map(|row| {
            (
                format!("memory, {}", row.kind().name()),
                row.source.as_str(),
            )
        });
        let factors = self
            .factors
            .named()
            .map(|(name, factor)| (format!("estimate of {name}"), factor.source.as_str()));
        sections
            .chain([("mapping".to_owned(), self.mapping.source.as_str())])
            .chain(factors)
            .chain(operators)
            .chain(multiplexers)
            .chain(memories)
            .collect()
    }

    /// Returns the widths at which the device has points for a class, increasing, each once.
    pub fn measured_widths_bits(&self, class: OperatorClass) -> Vec<u32> {
        let mut widths: Vec<u32> = self
            .operators
            .iter()
            .filter(|row| row.class == class)
            .flat_map(|row| row.curve.widths_bits())
            .collect();
        widths.sort_unstable();
        widths.dedup();
        widths
    }
}

impl OperatorRow {
    fn at(&self, width_bits: u32) -> Vec<Implementation> {
        let point = self.curve.at(width_bits);
        let way = Implementation {
            structure: self.structure,
            latency_cycles: self.latency_cycles,
            occupancy_cycles: 1,
            input_delay_ns: point.input_delay_ns,
            stage_delay_ns: point.stage_delay_ns,
            output_delay_ns: point.output_delay_ns,
            area: point.area,
        };
        if self.structure != Structure::IterativeRestoring {
            return vec![way];
        }
        // Two steps in one cycle are in series: the second takes as long, and at most as many look-up tables, as the first.
        let bits = self.quotient_bits_per_cycle;
        let twice = QUOTIENT_BITS_PER_CYCLE
            .into_iter()
            .filter(|both| *both == 2 * bits && step_bits(*both) == bits);
        let mut ways: Vec<Implementation> = Vec::new();
        for bits_of_cycle in [bits].into_iter().chain(twice) {
            let latency_cycles = self.latency_cycles + division_steps(width_bits, bits_of_cycle);
            if bits_per_cycle(width_bits, latency_cycles) != bits_of_cycle {
                continue;
            }
            let n_steps = f64::from(bits_of_cycle / bits);
            ways.push(Implementation {
                latency_cycles,
                occupancy_cycles: latency_cycles,
                stage_delay_ns: way.stage_delay_ns * n_steps,
                area: Area {
                    lut: way.area.lut * n_steps,
                    ..way.area
                },
                ..way
            });
        }
        ways
    }
}

impl MemoryRow {
    /// Returns the read and the write port of one cell, without area.
    fn ports(&self) -> (Implementation, Implementation) {
        let port = Implementation {
            structure: Structure::MemoryPort,
            latency_cycles: 1,
            ..Implementation::FREE
        };
        let read = Implementation {
            input_delay_ns: self.read_input_delay_ns,
            output_delay_ns: self.read_output_delay_ns,
            ..port
        };
        (
            read,
            Implementation {
                input_delay_ns: self.write_input_delay_ns,
                ..port
            },
        )
    }
}
