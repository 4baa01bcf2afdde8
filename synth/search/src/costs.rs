//! Cost model of operations for the rewriter, from the device's tables.

use sluice_dialects::arith;
use sluice_oplib::class::OperatorClass;
use sluice_oplib::device::Device;
use sluice_rewrite::{Cost, CostModel};

/// Costs of a device at a clock period.
pub struct Costs<'a> {
    device: &'a Device,
    clock_period_ns: f64,
}

impl<'a> Costs<'a> {
    /// Creates the cost model of `device`.
    pub fn new(device: &'a Device, clock_period_ns: f64) -> Self {
        Self {
            device,
            clock_period_ns,
        }
    }
}

/// Number of look-up tables that count as much as one multiplier block.
pub(crate) const LUT_PER_DSP: f64 = 100.0;

impl CostModel for Costs<'_> {
    fn cost(&self, op: &str, width_bits: u32, operand_constant: bool) -> Cost {
        // The predicate is not known here; an ordered comparison is the more expensive one.
        let predicate = (op == arith::Cmpi::NAME).then_some("slt");
        let Some(mut class) = OperatorClass::of_operation(op, predicate) else {
            return Cost::default();
        };
        if operand_constant {
            class = class.with_constant_operand();
        }
        let way = self
            .device
            .implementation(class, width_bits, self.clock_period_ns)
            .ok();
        let way = way.or_else(|| {
            self.device
                .implementations(class, width_bits)
                .into_iter()
                .next()
        });
        way.map_or_else(Cost::default, |way| Cost {
            area: way.area.lut + way.area.ff * 0.5 + way.area.dsp * LUT_PER_DSP,
            delay_ns: f64::from(way.latency_cycles) * self.clock_period_ns
                + way.input_delay_ns
                + way.output_delay_ns,
        })
    }
}
