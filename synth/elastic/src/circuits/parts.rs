//! Data of several parts: each part is stored and selected separately, as if it had a net of its own.

use sluice_ir::bits::Bits;
use sluice_ir::{TypeKind, ValueId};
use sluice_netlist::circuit::RegisterOptions;

use super::builder::Builder;
use super::graph::Payload;

impl Builder<'_, '_> {
    /// Returns a placeholder for the data of a channel, with one for each part of a tuple; `None` if it has no data.
    pub(crate) fn data_wire(&mut self, channel: ValueId) -> Option<ValueId> {
        let inner = self.graph.function.inner();
        let widths: Vec<u32> = match inner.ty(channel).kind(self.circuit.context) {
            TypeKind::Tuple(parts) => {
                let payloads = parts.iter();
                let payloads = payloads.filter_map(|part| Payload::of(self.circuit.context, *part));
                payloads.map(|payload| payload.width_bits).collect()
            }
            _ => vec![self.graph.width_bits(channel)],
        };
        let widths = widths.into_iter().filter(|width_bits| *width_bits > 0);
        let wires: Vec<ValueId> = widths
            .map(|width_bits| self.circuit.wire(width_bits))
            .collect();
        (!wires.is_empty()).then(|| self.circuit.concat(&wires))
    }

    /// Replaces a placeholder by a register that loads with `enable`; without `initial`, it has no reset value and only carries
    /// data.
    pub(crate) fn keep(
        &mut self,
        wire: ValueId,
        next: ValueId,
        enable: Option<ValueId>,
        initial: Option<&Bits>,
        name: &str,
    ) {
        let wires = self.circuit.parts(wire).unwrap_or_else(|| vec![wire]);
        let mut low = self.circuit.width(wire);
        for wire in wires {
            let width_bits = self.circuit.width(wire);
            low -= width_bits;
            let options = RegisterOptions {
                enable,
                reset: initial.map(|bits| bits.extract(low, width_bits)),
                preset: None,
                name,
            };
            let next = self.part(next, low, width_bits);
            let net = self.circuit.register(next, options);
            self.circuit.connect(wire, net);
        }
    }

    /// Returns bits `low .. low + width_bits` of data; the part's own net if they are a part.
    pub(crate) fn part(&mut self, whole: ValueId, low: u32, width_bits: u32) -> ValueId {
        let mut end = self.circuit.width(whole);
        for part in self.circuit.parts(whole).unwrap_or_default() {
            end -= self.circuit.width(part);
            if end == low && self.circuit.width(part) == width_bits {
                return part;
            }
        }
        self.circuit.extract(whole, low, width_bits)
    }

    /// Selects one of two values, part by part if both have the same parts.
    pub(crate) fn choose(&mut self, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        let parts = (self.circuit.parts(yes), self.circuit.parts(no));
        let (Some(yes_parts), Some(no_parts)) = parts else {
            return self.circuit.mux(condition, yes, no);
        };
        let widths = |parts: &[ValueId]| -> Vec<u32> {
            parts.iter().map(|part| self.circuit.width(*part)).collect()
        };
        if widths(&yes_parts) != widths(&no_parts) {
            return self.circuit.mux(condition, yes, no);
        }
        let pairs = yes_parts.into_iter().zip(no_parts);
        let chosen: Vec<ValueId> = pairs
            .map(|(yes, no)| self.circuit.mux(condition, yes, no))
            .collect();
        self.circuit.concat(&chosen)
    }
}
