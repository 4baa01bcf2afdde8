//! Bit logic in look-up tables: a delay is counted once per table on a path, not once per operation.
//!
//! Every operation gets a level: the least number of tables of [`TABLE_INPUTS`] inputs between it and values that are not bit
//! logic. An operation with the same level as one of its operands shares a table with it and adds no delay.
//!
//! Source: J. Cong, Y. Ding, "FlowMap", IEEE TCAD 1994 (levels by cuts). Differs: only a few cuts of least level are kept per
//! operation, so a level may be higher than the optimum, never lower.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{arith, scf};
use sluice_ir::{Body, Context, OperationId, ValueId, View};

use super::extract::is_constant;

/// Number of inputs that the look-up tables of every FPGA have at least.
const TABLE_INPUTS: usize = 4;

/// Cuts that are kept per operation.
const KEPT_CUTS: usize = 12;

type Cut = BTreeSet<ValueId>;

/// Levels and cuts of the bit logic of a block.
#[derive(Default)]
struct Levels {
    level: BTreeMap<ValueId, u32>,
    cuts: BTreeMap<ValueId, Vec<Cut>>,
}

impl Levels {
    fn of(&self, value: ValueId) -> u32 {
        self.level.get(&value).copied().unwrap_or(0)
    }

    /// Returns the level of a table with these inputs.
    fn level_after(&self, cut: &Cut) -> u32 {
        cut.iter().map(|v| self.of(*v)).max().unwrap_or(0) + 1
    }

    /// Returns the cuts of a value for an operation that reads it: the value itself, or the cuts of its own logic.
    fn seen(&self, value: ValueId) -> Vec<Cut> {
        let own = self.cuts.get(&value).into_iter().flatten().cloned();
        std::iter::once(Cut::from([value])).chain(own).collect()
    }
}

/// Returns the operations of `order` (one block, values before their uses) that add no table to the paths through them.
pub(crate) fn inside_tables(
    context: &Context,
    body: &Body,
    order: &[OperationId],
) -> BTreeSet<OperationId> {
    let mut levels = Levels::default();
    let mut inside = BTreeSet::new();
    for op in order {
        let view = View::new(context, body, *op);
        if !is_bit_logic(view) {
            continue;
        }
        let operands: Vec<ValueId> = view
            .operands()
            .filter(|v| !is_constant(context, body, *v))
            .collect();
        let mut cuts = vec![Cut::new()];
        for operand in &operands {
            let seen = levels.seen(*operand);
            let joined = cuts.iter().flat_map(|cut| {
                seen.iter()
                    .map(|more| cut.union(more).copied().collect::<Cut>())
            });
            let mut joined: Vec<Cut> = joined.filter(|cut| cut.len() <= TABLE_INPUTS).collect();
            joined.sort_by_key(|cut| (levels.level_after(cut), cut.len()));
            joined.dedup();
            joined.truncate(KEPT_CUTS);
            cuts = joined;
        }
        let level = cuts
            .iter()
            .map(|cut| levels.level_after(cut))
            .min()
            .unwrap_or(1);
        let latest = operands.iter().map(|v| levels.of(*v)).max().unwrap_or(0);
        if level == latest {
            inside.insert(*op);
        }
        let result = view.result(0);
        levels.level.insert(result, level);
        levels.cuts.insert(result, cuts);
    }
    // An inverted condition is the same selection with swapped operands.
    let inverts_only = |op: &OperationId| {
        let view = View::new(context, body, *op);
        let inverts = is_bit_logic(view) && view.operands().any(|v| is_constant(context, body, v));
        let mut uses = body.uses(view.result(0)).peekable();
        let chooses = |(user, index): (OperationId, usize)| {
            index == 0
                && matches!(
                    View::new(context, body, user).name(),
                    arith::Select::NAME | scf::If::NAME
                )
        };
        inverts && uses.peek().is_some() && uses.all(chooses)
    };
    let inverters = order.iter().filter(|op| !body.results(**op).is_empty());
    inside.extend(inverters.filter(|op| inverts_only(op)));
    inside
}

fn is_bit_logic(view: View<'_>) -> bool {
    let logic = matches!(
        view.name(),
        arith::Andi::NAME | arith::Ori::NAME | arith::Xori::NAME | arith::Select::NAME
    );
    logic && view.ty(view.result(0)).integer_width_bits(view.context) == Some(1)
}
