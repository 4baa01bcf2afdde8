//! Operations that select: `mux`, `cond_br`, `merge` and `control_merge`.

use sluice_dialects::predicate::Predicate;
use sluice_ir::ValueId;
use sluice_ir::bits::Bits;
use sluice_netlist::error::Built;

use super::builder::{Builder, Forward};
use super::distribution::Distribution;
use super::graph::Node;
use crate::circuits::builder::Element;

/// Returns the data of the first chosen channel, or of the last channel if none is chosen; `None` if channels have no data.
fn chosen(
    builder: &mut Builder<'_, '_>,
    channels: &[ValueId],
    choices: &[ValueId],
) -> Option<ValueId> {
    let (last, others) = channels.split_last()?;
    let last = builder.forward(*last).data?;
    let others = others.iter().zip(choices).rev();
    Some(others.fold(last, |rest, (channel, choice)| {
        let data = builder.forward(*channel).data.unwrap_or(rest);
        builder.choose(*choice, data, rest)
    }))
}

/// Passes on the input whose index the select token gives, and takes both tokens together.
pub(crate) struct Mux;

impl Mux {
    /// Returns for each input whether the select token chooses it. A number above the last input chooses the last.
    fn choices(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Vec<ValueId> {
        let n_inputs = node.view.operands().len() - 1;
        let select = builder.forward(node.view.operand(0)).data;
        let Some(select) = select.filter(|_| n_inputs > 1) else {
            return vec![builder.circuit.flag(true); n_inputs];
        };
        let width_bits = builder.circuit.width(select);
        (0..n_inputs)
            .map(|input| {
                if width_bits == 1 {
                    return match input {
                        0 => builder.circuit.not(select),
                        _ => select,
                    };
                }
                let number = Bits::from_u64(width_bits, input as u64);
                let number = builder.circuit.constant(number);
                let predicate = match input + 1 == n_inputs {
                    true => Predicate::Uge,
                    false => Predicate::Eq,
                };
                builder.circuit.compare(predicate, select, number)
            })
            .collect()
    }

    /// Emits the test whether the chosen input has a token.
    fn input_valid(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> ValueId {
        let choices = self.choices(builder, node);
        let valids: Vec<ValueId> = node
            .view
            .operands()
            .skip(1)
            .map(|o| builder.valid(o))
            .collect();
        let (last, others) = valids.split_last().expect("a mux has inputs");
        let others = others.iter().zip(choices).rev();
        others.fold(*last, |rest, (valid, choice)| {
            builder.circuit.mux(choice, *valid, rest)
        })
    }
}

impl Element for Mux {
    fn forward(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, _: usize) -> Built<Forward> {
        let input_valid = self.input_valid(builder, node);
        let select_valid = builder.valid(node.view.operand(0));
        let valid = builder.circuit.and(select_valid, input_valid);
        let choices = self.choices(builder, node);
        let inputs: Vec<ValueId> = node.view.operands().skip(1).collect();
        let data = chosen(builder, &inputs, &choices);
        Ok(Forward { valid, data })
    }

    fn ready(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, operand: usize) -> ValueId {
        let ready = builder.ready(node.view.result(0));
        let valid = match operand {
            0 => self.input_valid(builder, node),
            _ => {
                let choice = self.choices(builder, node)[operand - 1];
                let select_valid = builder.valid(node.view.operand(0));
                builder.circuit.and(select_valid, choice)
            }
        };
        builder.circuit.and(ready, valid)
    }

    fn finish(&self, _: &mut Builder<'_, '_>, _: &Node<'_>) -> Built<()> {
        Ok(())
    }
}

/// Sends a token to the first output if the condition token is 1, else to the second.
pub(crate) struct Branch;

impl Element for Branch {
    fn forward(
        &self,
        builder: &mut Builder<'_, '_>,
        node: &Node<'_>,
        result: usize,
    ) -> Built<Forward> {
        let [condition, data] = [0, 1].map(|i| node.view.operand(i));
        let both = builder.all_valid(&[condition, data]);
        let taken = builder.forward(condition).data;
        let taken = taken.unwrap_or_else(|| builder.circuit.flag(true));
        let here = match result {
            0 => taken,
            _ => builder.circuit.not(taken),
        };
        let valid = builder.circuit.and(both, here);
        let data = builder.forward(data).data;
        Ok(Forward { valid, data })
    }

    fn ready(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, operand: usize) -> ValueId {
        let taken = builder.forward(node.view.operand(0)).data;
        let taken = taken.unwrap_or_else(|| builder.circuit.flag(true));
        let [yes, no] = [0, 1].map(|i| builder.ready(node.view.result(i)));
        let ready = builder.circuit.mux(taken, yes, no);
        let other = builder.valid(node.view.operand(1 - operand));
        builder.circuit.and(ready, other)
    }

    fn finish(&self, _: &mut Builder<'_, '_>, _: &Node<'_>) -> Built<()> {
        Ok(())
    }
}

/// Passes on whichever token is available; of several, the one of the first input. A second result gives the input's index.
///
/// Invariant: a token that was offered stays offered until it is taken. A bit for every input except the first records that this
/// input was offered and not yet taken.
pub(crate) struct Merge {
    /// Placeholders for these bits, from the second input on; empty if every token is taken immediately.
    turns: Vec<ValueId>,
    outputs: Distribution,
}

impl Merge {
    pub(crate) fn new(builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Self {
        let results = node.view.results();
        let is_eager = results.iter().all(|r| builder.facts.is_eager(*r));
        let n_turns = match is_eager {
            true => 0,
            false => node.view.operands().len().saturating_sub(1),
        };
        Self {
            turns: (0..n_turns).map(|_| builder.circuit.wire(1)).collect(),
            outputs: Distribution::new(builder, results, false),
        }
    }

    /// Emits the test whether an input is selected if it has a token.
    fn turn(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, input: usize) -> ValueId {
        let earlier: Vec<ValueId> = node
            .view
            .operands()
            .take(input)
            .map(|o| builder.valid(o))
            .collect();
        let earlier = builder.circuit.any(&earlier);
        let is_first = builder.circuit.not(earlier);
        let mine = match input {
            0 => None,
            _ => self.turns.get(input - 1).copied(),
        };
        let others: Vec<ValueId> = self
            .turns
            .iter()
            .copied()
            .filter(|turn| Some(*turn) != mine)
            .collect();
        let others = builder.circuit.any(&others);
        let nobody = builder.circuit.not(others);
        let free = builder.circuit.and(nobody, is_first);
        match mine {
            Some(mine) => builder.circuit.any(&[mine, free]),
            None => free,
        }
    }

    fn any_valid(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> ValueId {
        let valids: Vec<ValueId> = node.view.operands().map(|o| builder.valid(o)).collect();
        builder.circuit.any(&valids)
    }

    /// Emits for each input the test whether its token is passed on.
    fn grants(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Vec<ValueId> {
        let operands: Vec<ValueId> = node.view.operands().collect();
        let grant = |(input, operand): (usize, &ValueId)| {
            let turn = self.turn(builder, node, input);
            let valid = builder.valid(*operand);
            builder.circuit.and(valid, turn)
        };
        operands.iter().enumerate().map(grant).collect()
    }
}

impl Element for Merge {
    fn forward(
        &self,
        builder: &mut Builder<'_, '_>,
        node: &Node<'_>,
        result: usize,
    ) -> Built<Forward> {
        let any = self.any_valid(builder, node);
        let valid = self.outputs.offered(builder, result, any);
        let inputs: Vec<ValueId> = node.view.operands().collect();
        let width_bits = builder.graph.width_bits(node.view.result(result));
        if width_bits == 0 {
            return Ok(Forward { valid, data: None });
        }
        let grants = self.grants(builder, node);
        let data = if result == 0 {
            chosen(builder, &inputs, &grants)
        } else {
            let numbers: Vec<ValueId> = (0..inputs.len())
                .map(|i| {
                    let number = Bits::from_u64(width_bits, i as u64);
                    builder.circuit.constant(number)
                })
                .collect();
            let (last, others) = numbers.split_last().expect("a merge has inputs");
            let others = others.iter().zip(grants).rev();
            Some(others.fold(*last, |rest, (number, grant)| {
                builder.circuit.mux(grant, *number, rest)
            }))
        };
        Ok(Forward { valid, data })
    }

    fn ready(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, operand: usize) -> ValueId {
        let settled = self.outputs.all_settled(builder);
        let turn = self.turn(builder, node, operand);
        builder.circuit.and(settled, turn)
    }

    fn finish(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<()> {
        let any = self.any_valid(builder, node);
        self.outputs.finish(builder, any, &node.name);
        let settled = self.outputs.all_settled(builder);
        let waits = builder.circuit.not(settled);
        // All of them before any placeholder is replaced.
        let grants = self.grants(builder, node);
        for (i, wire) in self.turns.iter().enumerate() {
            let next = builder.circuit.and(grants[i + 1], waits);
            builder.keep_bit(*wire, next, false, &format!("{}_turn{}", node.name, i + 1));
        }
        Ok(())
    }
}
