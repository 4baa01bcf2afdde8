//! Demanded low bits and ranges of values, on which narrowing is based.

use sluice_dialects::{arith, builtin, cf, memref, scf};
use smallvec::SmallVec;

use sluice_ir::algebra::RangesWord;
use sluice_ir::{Body, Context, OperationId, Type, ValueId, View};

use crate::analysis::value_ranges::Range;
use crate::build::{constant_of, name, yielded};

/// For each value of a body, the number of demanded low bits, and the range.
pub(crate) struct Facts {
    pub(crate) demanded: Vec<u32>,
    pub(crate) ranges: Vec<Range>,
}

/// Returns the address width in bits of a memory.
pub(crate) fn address_bits(context: &Context, body: &Body, memory: ValueId) -> u32 {
    address_bits_of(context, body.ty(memory))
}

/// Returns the address width in bits of a memory type.
pub(crate) fn address_bits_of(context: &Context, memory: Type) -> u32 {
    memory.n_elements(context).unwrap_or_default().index_bits()
}

/// Computes the demanded bits of a body and combines them with the ranges of its values.
pub(crate) fn facts(context: &Context, body: &Body, ranges: Vec<Range>) -> Facts {
    let ops = body.walk_all();
    let mut facts = Facts {
        demanded: vec![0; body.value_capacity()],
        ranges,
    };
    loop {
        let mut changed = false;
        for op in ops.iter().rev() {
            changed |= facts.demand_of_operands(context, body, *op);
        }
        if !changed {
            return facts;
        }
    }
}

impl Facts {
    /// Returns the range of a value; the full range if nothing is known.
    pub(crate) fn range(&self, context: &Context, body: &Body, value: ValueId) -> RangesWord {
        let width = body.ty(value).width_bits(context).unwrap_or(1);
        self.ranges[value.index()]
            .clone()
            .unwrap_or_else(|| RangesWord::full(width))
    }

    pub(crate) fn want(&mut self, value: ValueId, bits: u32) -> bool {
        let entry = &mut self.demanded[value.index()];
        let grew = bits > *entry;
        *entry = bits.max(*entry);
        grew
    }

    fn demand_of_operands(&mut self, context: &Context, body: &Body, op: OperationId) -> bool {
        let view = View::new(context, body, op);
        let width = |v: ValueId| body.ty(v).width_bits(context).unwrap_or(0);
        let d = view
            .results()
            .first()
            .map_or(0, |r| self.demanded[r.index()]);
        let operands: SmallVec<[ValueId; 4]> = view.operands().collect();
        let shift = || {
            operands
                .get(1)
                .and_then(|a| constant_of(context, body, *a))
                .and_then(|a| a.to_u64())
        };
        let shift = || shift().and_then(|a| u32::try_from(a).ok());
        let mut changed = false;
        match name(context, body, op) {
            arith::Addi::NAME
            | arith::Subi::NAME
            | arith::Muli::NAME
            | arith::Andi::NAME
            | arith::Ori::NAME
            | arith::Xori::NAME => {
                for operand in operands {
                    changed |= self.want(operand, d);
                }
            }
            arith::Shli::NAME => {
                changed |= self.want(operands[0], shift().map_or(d, |c| d.saturating_sub(c)));
                changed |= d > 0 && self.want(operands[1], width(operands[1]));
            }
            arith::Shrui::NAME | arith::Shrsi::NAME if d > 0 => {
                let full = width(operands[0]);
                changed |= self.want(
                    operands[0],
                    shift().map_or(full, |c| d.saturating_add(c).min(full)),
                );
                changed |= self.want(operands[1], width(operands[1]));
            }
            arith::Trunci::NAME => changed |= self.want(operands[0], d),
            arith::Extui::NAME
            | arith::Extsi::NAME
            | arith::IndexCast::NAME
            | arith::IndexCastui::NAME
            | builtin::UnrealizedConversionCast::NAME => {
                changed |= self.want(operands[0], d.min(width(operands[0])))
            }
            arith::Select::NAME => {
                changed |= d > 0 && self.want(operands[0], 1);
                changed |= self.want(operands[1], d) | self.want(operands[2], d);
            }
            memref::Load::NAME => {
                changed |= self.want(operands[1], address_bits(context, body, operands[0]))
            }
            memref::Store::NAME => {
                changed |= self.want(operands[0], width(operands[0]));
                changed |= self.want(operands[2], address_bits(context, body, operands[1]));
            }
            scf::For::NAME => changed |= self.demand_of_for(context, body, view),
            scf::While::NAME => changed |= self.demand_of_while(body, view),
            scf::If::NAME => {
                changed |= self.want(operands[0], 1);
                for region in 0..view.regions().len() {
                    for (result, value) in view.results().iter().zip(yielded(body, op, region)) {
                        let bits = self.demanded[result.index()];
                        changed |= self.want(value, bits);
                    }
                }
            }
            scf::Yield::NAME => {}
            name if name.starts_with("handshake.") => {
                changed |= self.demand_in_graph(context, body, view)
            }
            scf::Condition::NAME => changed |= self.want(operands[0], 1),
            cf::Br::NAME | cf::CondBr::NAME => {
                let mut position = usize::from(view.name() == cf::CondBr::NAME);
                if position == 1 {
                    changed |= self.want(operands[0], 1);
                }
                for successor in view.successors() {
                    for argument in body.arguments(*successor) {
                        let bits = self.demanded[argument.index()];
                        changed |= self.want(operands[position], bits);
                        position += 1;
                    }
                }
            }
            other => {
                // A pure operation without demanded results demands nothing; any other operation demands all bits.
                let pure = other.starts_with("arith.");
                if !pure || d > 0 {
                    for operand in operands {
                        changed |= self.want(operand, width(operand));
                    }
                }
            }
        }
        changed
    }

    fn demand_of_for(&mut self, context: &Context, body: &Body, view: View<'_>) -> bool {
        let mut changed = false;
        for bound in view.operands().take(3) {
            changed |= self.want(bound, body.ty(bound).width_bits(context).unwrap_or(0));
        }
        let Some(block) = view.entry_block(0) else {
            return changed;
        };
        let arguments = body.arguments(block)[1..].to_vec();
        let yields = yielded(body, view.id, 0);
        for (((argument, init), value), result) in arguments
            .iter()
            .zip(view.operands().skip(3))
            .zip(yields)
            .zip(view.results())
        {
            let bits = self.demanded[argument.index()].max(self.demanded[result.index()]);
            changed |= self.want(*argument, bits)
                | self.want(init, bits)
                | self.want(value, bits)
                | self.want(*result, bits);
        }
        changed
    }

    fn demand_of_while(&mut self, body: &Body, view: View<'_>) -> bool {
        let mut changed = false;
        let (Some(before), Some(after)) = (view.entry_block(0), view.entry_block(1)) else {
            return false;
        };
        for ((argument, init), value) in body
            .arguments(before)
            .iter()
            .zip(view.operands())
            .zip(yielded(body, view.id, 1))
        {
            let bits = self.demanded[argument.index()];
            changed |= self.want(init, bits) | self.want(value, bits);
        }
        let forwarded = yielded(body, view.id, 0);
        for ((argument, value), result) in body
            .arguments(after)
            .iter()
            .zip(&forwarded[1..])
            .zip(view.results())
        {
            let bits = self.demanded[argument.index()].max(self.demanded[result.index()]);
            changed |=
                self.want(*argument, bits) | self.want(*value, bits) | self.want(*result, bits);
        }
        changed
    }
}
