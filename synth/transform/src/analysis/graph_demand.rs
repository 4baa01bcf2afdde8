//! Demanded low bits of the channels of a dataflow graph.

use sluice_dialects::handshake;
use sluice_ir::{Body, Context, ValueId, View};

use crate::analysis::demand::{Facts, address_bits_of};

/// Returns the address width in bits of the memory whose port this address feeds.
pub(crate) fn memory_of(context: &Context, body: &Body, address: ValueId) -> Option<u32> {
    let (user, _) = body.uses(address).next()?;
    let view = View::new(context, body, user);
    let ty = match view.name() {
        handshake::Memory::NAME => view.attribute("memRefType")?.as_type(context)?,
        handshake::ExternalMemory::NAME => body.ty(view.operand(0)),
        _ => return None,
    };
    Some(address_bits_of(context, ty))
}

/// Returns for each operand of a memory the address width in bits if it is an address, else `None`.
pub(crate) fn port_bits(context: &Context, body: &Body, view: View<'_>) -> Vec<Option<u32>> {
    let count = view.attribute("stCount").and_then(|n| n.as_i64(context));
    let n_stores = count.and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let (first, ty) = match view.name() {
        handshake::ExternalMemory::NAME => (1, Some(body.ty(view.operand(0)))),
        _ => (
            0,
            view.attribute("memRefType")
                .and_then(|a| a.as_type(context)),
        ),
    };
    let bits = ty.map(|ty| address_bits_of(context, ty));
    let is_address = |i: usize| i >= first && ((i - first) % 2 == 1 || i - first >= 2 * n_stores);
    let operands = 0..view.operands().len();
    operands.map(|i| bits.filter(|_| is_address(i))).collect()
}

impl Facts {
    /// Propagates the demanded bits of the results of a graph operation to its operands.
    pub(crate) fn demand_in_graph(
        &mut self,
        context: &Context,
        body: &Body,
        view: View<'_>,
    ) -> bool {
        let width = |v: ValueId| body.ty(v).width_bits(context).unwrap_or(0);
        let operands: Vec<ValueId> = view.operands().collect();
        let asked: Vec<u32> = view
            .results()
            .iter()
            .map(|r| self.demanded[r.index()])
            .collect();
        let most = asked.iter().copied().max().unwrap_or(0);
        let mut changed = false;
        let mut want = |value: ValueId, bits: u32| {
            changed |= self.want(value, bits.min(width(value)));
        };
        match view.name() {
            // Only the token is needed, not its value.
            handshake::Join::NAME | handshake::Sink::NAME | handshake::Constant::NAME => {}
            handshake::Fork::NAME
            | handshake::LazyFork::NAME
            | handshake::Branch::NAME
            | handshake::Buffer::NAME
            | handshake::Merge::NAME => {
                for operand in operands {
                    want(operand, most);
                }
            }
            handshake::ControlMerge::NAME => {
                for operand in operands {
                    want(operand, asked[0]);
                }
            }
            handshake::Mux::NAME => {
                want(operands[0], u32::MAX);
                for operand in &operands[1..] {
                    want(*operand, most);
                }
            }
            handshake::ConditionalBranch::NAME => {
                want(operands[0], 1);
                want(operands[1], most);
            }
            handshake::Sync::NAME => {
                for (operand, bits) in operands.iter().zip(&asked) {
                    want(*operand, *bits);
                }
            }
            handshake::Load::NAME | handshake::Store::NAME => {
                let n_addresses = view.results().len() - 1;
                for (i, operand) in operands.iter().enumerate() {
                    let bits = match i < n_addresses {
                        true => memory_of(context, body, view.results()[1 + i]),
                        false => None,
                    };
                    want(*operand, bits.unwrap_or(u32::MAX));
                }
            }
            handshake::Memory::NAME | handshake::ExternalMemory::NAME => {
                for (operand, bits) in operands.iter().zip(port_bits(context, body, view)) {
                    want(*operand, bits.unwrap_or(u32::MAX));
                }
            }
            _ => {
                for operand in operands {
                    want(operand, u32::MAX);
                }
            }
        }
        changed
    }
}
