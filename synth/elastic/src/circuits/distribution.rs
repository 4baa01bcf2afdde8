//! One token for several outputs, each taken when its taker is ready: the bits that say which were.

use sluice_ir::ValueId;

use super::builder::Builder;

/// The outputs of a `fork`, `sync`, `unpack`, `store` or `control_merge`.
///
/// Invariant: an output is offered until it was taken, and never again before the last one is.
pub(crate) struct Distribution {
    outputs: Vec<ValueId>,
    /// Stand-in for the bit of each output, where it needs one.
    taken: Vec<Option<ValueId>>,
}

impl Distribution {
    /// Outputs of tokens that may wait; `is_steady` says that there always is a token, always the same.
    ///
    /// A bit is needed where somebody may take the output while another one is not taken.
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

    /// `valid` of an output, where `valid` says that there is a token.
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

    /// Whether an output was taken or is ready now.
    fn settled(&self, builder: &mut Builder<'_, '_>, output: usize) -> ValueId {
        let ready = builder.ready(self.outputs[output]);
        match self.taken[output] {
            Some(taken) => builder.circuit.any(&[taken, ready]),
            None => ready,
        }
    }

    /// Whether the last outputs are taken in this cycle if there is a token.
    pub(crate) fn all_settled(&self, builder: &mut Builder<'_, '_>) -> ValueId {
        let settled: Vec<ValueId> = (0..self.outputs.len())
            .map(|output| self.settled(builder, output))
            .collect();
        builder.circuit.all(&settled)
    }

    /// Makes the bits.
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
