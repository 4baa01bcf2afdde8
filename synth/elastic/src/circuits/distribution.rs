//! Eager distribution of a token to several outputs, each taken independently; one bit per output records whether it was taken.

use sluice_ir::ValueId;

use super::builder::Builder;

/// The outputs of a `fork`, `sync`, `unpack`, `store` or `control_merge`.
///
/// Invariant: each output is offered until it is taken, and not again before all are taken.
pub(crate) struct Distribution {
    outputs: Vec<ValueId>,
    /// Placeholder for the bit of each output, if it needs one.
    taken: Vec<Option<ValueId>>,
}

impl Distribution {
    /// Creates the outputs; `is_steady` tells that there is always a token, with constant data.
    ///
    /// A bit is needed if an output may be taken while another one is not.
    pub(crate) fn new(builder: &mut Builder<'_, '_>, outputs: &[ValueId], is_steady: bool) -> Self {
        let is_free = is_steady || builder.graph.are_taken_together(outputs);
        let eager = |builder: &Builder<'_, '_>, i: usize| builder.facts.is_eager(outputs[i]);
        let mut taken = Vec::new();
        for i in 0..outputs.len() {
            let mut others = (0..outputs.len()).filter(|j| *j != i);
            let is_dropped = builder.graph.is_dropped(outputs[i]);
            let waits = !is_free && !is_dropped && others.any(|j| !eager(builder, j));
            taken.push(waits.then(|| builder.circuit.wire(1)));
        }
        Self {
            outputs: outputs.to_vec(),
            taken,
        }
    }

    /// Returns `valid` of an output, given `valid` of the token.
    pub(crate) fn offered(
        &self,
        builder: &mut Builder<'_, '_>,
        output: usize,
        valid: ValueId,
    ) -> ValueId {
        match self.taken[output] {
            Some(taken) => {
                let open = builder.circuit.not(taken);
                builder.circuit.and(valid, open)
            }
            None => valid,
        }
    }

    /// Emits the test whether an output was taken or is ready now.
    fn settled(&self, builder: &mut Builder<'_, '_>, output: usize) -> ValueId {
        let ready = builder.ready(self.outputs[output]);
        match self.taken[output] {
            Some(taken) => builder.circuit.any(&[taken, ready]),
            None => ready,
        }
    }

    /// Emits the test whether all remaining outputs are taken in this cycle, if there is a token.
    pub(crate) fn all_settled(&self, builder: &mut Builder<'_, '_>) -> ValueId {
        let settled: Vec<ValueId> = (0..self.outputs.len())
            .map(|output| self.settled(builder, output))
            .collect();
        builder.circuit.all(&settled)
    }

    /// Creates the register bits.
    pub(crate) fn finish(&self, builder: &mut Builder<'_, '_>, valid: ValueId, name: &str) {
        if self.taken.iter().all(Option::is_none) {
            return;
        }
        let all = self.all_settled(builder);
        let waits = builder.circuit.not(all);
        let waits = builder.circuit.and(valid, waits);
        for (i, taken) in self.taken.iter().enumerate() {
            if let Some(wire) = taken {
                let settled = self.settled(builder, i);
                let next = builder.circuit.and(waits, settled);
                builder.keep_bit(*wire, next, false, &format!("{name}_taken{i}"));
            }
        }
    }
}
