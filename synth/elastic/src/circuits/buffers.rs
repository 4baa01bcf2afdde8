//! Register buffers, in which tokens take one cycle per register.

use sluice_ir::ValueId;
use sluice_ir::bits::Bits;
use sluice_netlist::error::{Built, broken};

use super::builder::{Builder, Forward};
use super::graph::{BufferKind, Node};
use crate::circuits::builder::Element;

/// A register, with or without a spare one. All nets are placeholders until the end.
struct Stage {
    /// True if there is a token.
    valid: ValueId,
    data: Option<ValueId>,
    /// True if a second token waits in the spare register; `None` without a spare register.
    spare: Option<ValueId>,
    spare_data: Option<ValueId>,
    /// The initial token after reset; the inner value is `None` if the channel has no data.
    initial: Option<Option<Bits>>,
}

/// Registers in a row.
pub(crate) struct Chain {
    /// Stages from the input to the output.
    stages: Vec<Stage>,
}

impl Chain {
    /// Creates `slots` registers, each of two slots if `kind` cuts all paths.
    ///
    /// # Errors
    /// More initial tokens than registers, or tokens of another type.
    pub(crate) fn new(
        builder: &mut Builder<'_, '_>,
        node: &Node<'_>,
        slots: u32,
        kind: BufferKind,
    ) -> Built<Self> {
        let (input, output) = (node.view.operand(0), node.view.result(0));
        let initial = initial_tokens(builder, node)?;
        if initial.len() > slots as usize {
            let message = format!(
                "{} initial tokens; expected at most {slots}, one for each slot",
                initial.len()
            );
            return Err(broken(node.view, message));
        }
        let has_spare = kind == BufferKind::Full && !builder.facts.is_eager(output);
        let mut stages = Vec::new();
        for stage in 0..slots {
            // The first token is nearest to the output.
            let from_output = (slots - 1 - stage) as usize;
            let spare = has_spare.then(|| builder.circuit.wire(1));
            let spare_data = spare.and_then(|_| builder.data_wire(input));
            stages.push(Stage {
                valid: builder.circuit.wire(1),
                data: builder.data_wire(input),
                spare,
                spare_data,
                initial: initial.get(from_output).cloned(),
            });
        }
        Ok(Self { stages })
    }

    /// Returns `ready` of each stage.
    fn readies(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Vec<ValueId> {
        let mut found = Vec::new();
        for (i, stage) in self.stages.iter().enumerate().rev() {
            let ready = match stage.spare {
                Some(spare) => builder.circuit.not(spare),
                None => {
                    let next = found.last().copied();
                    let next = next.unwrap_or_else(|| builder.ready(node.view.result(0)));
                    let empty = builder.circuit.not(self.stages[i].valid);
                    builder.circuit.any(&[empty, next])
                }
            };
            found.push(ready);
        }
        found.reverse();
        found
    }
}

/// Returns the tokens in `initValues`; those of a channel without data are `None`.
fn initial_tokens(builder: &Builder<'_, '_>, node: &Node<'_>) -> Built<Vec<Option<Bits>>> {
    let context = node.view.context;
    let width_bits = builder.graph.width_bits(node.view.result(0));
    let values = node.view.attribute("initValues");
    let values = values
        .and_then(|a| a.as_array(context))
        .unwrap_or_default()
        .iter();
    values
        .map(|value| {
            if width_bits == 0 {
                return Ok(None);
            }
            let bits = value.integer(context).ok_or_else(|| {
                broken(node.view, "initial tokens are numbers: expected integers")
            })?;
            Some(fitted(bits, width_bits))
                .filter(Option::is_some)
                .ok_or_else(|| {
                    let message = format!("an initial token does not fit {width_bits} bits");
                    broken(node.view, message)
                })
        })
        .collect()
}

/// Returns the number at another width, if its signed or unsigned value stays the same.
fn fitted(bits: &Bits, width_bits: u32) -> Option<Bits> {
    if width_bits >= bits.width() {
        return Some(bits.sext(width_bits));
    }
    let low = bits.extract(0, width_bits);
    let is_same = low.sext(bits.width()) == *bits || low.zext(bits.width()) == *bits;
    is_same.then_some(low)
}

impl Element for Chain {
    fn forward(&self, _: &mut Builder<'_, '_>, _: &Node<'_>, _: usize) -> Built<Forward> {
        let last = self.stages.last().expect("a buffer has a slot");
        Ok(Forward {
            valid: last.valid,
            data: last.data,
        })
    }

    fn ready(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, _: usize) -> ValueId {
        self.readies(builder, node)[0]
    }

    fn finish(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<()> {
        let readies = self.readies(builder, node);
        let mut input = builder.forward(node.view.operand(0));
        let name = &node.name;
        for (i, stage) in self.stages.iter().enumerate() {
            let next_ready = match readies.get(i + 1) {
                Some(ready) => *ready,
                None => builder.ready(node.view.result(0)),
            };
            // The token stays in this stage.
            let blocked = builder.circuit.not(next_ready);
            let stays = builder.circuit.and(stage.valid, blocked);
            let moves = builder.circuit.not(stays);
            let mut arrives = vec![input.valid, stays];
            let mut data = input.data;
            if let Some(spare) = stage.spare {
                arrives.push(spare);
                let waits = builder.circuit.any(&[input.valid, spare]);
                let spare_next = builder.circuit.and(stays, waits);
                if let (Some(wire), Some(new)) = (stage.spare_data, input.data) {
                    data = Some(builder.choose(spare, wire, new));
                    let enable = Some(readies[i]);
                    builder.keep(wire, new, enable, None, &format!("{name}_spare_data"));
                }
                builder.keep_bit(spare, spare_next, false, &format!("{name}_spare"));
            }
            let valid_next = builder.circuit.any(&arrives);
            let forward = Forward {
                valid: stage.valid,
                data: stage.data,
            };
            if let (Some(wire), Some(data)) = (stage.data, data) {
                let initial = stage.initial.clone().flatten();
                builder.keep(
                    wire,
                    data,
                    Some(moves),
                    initial.as_ref(),
                    &format!("{name}_data"),
                );
            }
            let has_initial = stage.initial.is_some();
            builder.keep_bit(
                stage.valid,
                valid_next,
                has_initial,
                &format!("{name}_full"),
            );
            input = forward;
        }
        Ok(())
    }
}
