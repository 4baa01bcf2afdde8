//! Inserts the buffers that a linear program chose.

use sluice_ir::{Body, Context};

use crate::channels::Use;
use crate::graph::BufferKind;

use super::super::{Wanted, insert};

/// The buffers of one channel.
pub(super) struct Buffer {
    pub(super) at: Use,
    /// Number of registers in a row.
    pub(super) registers: u32,
    /// Number of slots of a FIFO after them.
    pub(super) slots: u32,
}

/// The reason of these buffers.
const REASON: &str = "linear_program";

/// Inserts buffers on channels. A register and a slot together become a register of two slots.
pub(super) fn place(context: &Context, body: &mut Body, buffers: &[Buffer]) {
    for buffer in buffers {
        let mut put = |kind, slots, cut| {
            let wanted = Wanted {
                kind,
                slots,
                cut,
                reason: REASON,
            };
            insert(context, body, buffer.at, &wanted);
        };
        match (buffer.registers, buffer.slots) {
            (1, 1) => put(BufferKind::Chain, 1, None),
            (registers, slots) => {
                if registers > 0 {
                    put(BufferKind::Chain, registers, Some("data"));
                }
                if slots > 0 {
                    put(BufferKind::Fifo, slots, None);
                }
            }
        }
    }
}
