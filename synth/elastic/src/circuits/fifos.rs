//! Transparent FIFOs, which tokens pass without delay if they are empty.

use sluice_dialects::{
    predicate::Predicate,
    storage::{Ports, Storage, StorageKind},
};
use sluice_ir::ValueId;
use sluice_ir::bits::Bits;
use sluice_netlist::circuit::{MemoryNets, ReadNets, WriteNets};
use sluice_netlist::error::Built;

use super::builder::{Builder, Forward};
use super::graph::Node;
use crate::channels::is_pending;
use crate::circuits::builder::Element;

/// Maximum number of slots of a FIFO made of registers, each of which selects between its neighbour and the input. A longer one
/// is an asynchronously read memory with two counters. Source: at 4 slots, the smallest look-up table memory of current devices
/// (16 or 32 words) is half empty at best.
const MAX_REGISTERS: u32 = 4;

/// Maximum number of slots of a FIFO in look-up table memory; a longer one uses block RAM, whose words arrive one cycle after
/// their address. Source: two thirds of the look-up tables of a small device are memory for 65,536 words of one bit.
const MAX_IN_TABLES: u32 = 1 << 16;

/// A FIFO. All nets are placeholders until the end.
pub(crate) struct Fifo {
    slots: u32,
    /// Bit `i` tells whether there are more than `i` tokens. A FIFO in memory has only the first and the last of these.
    more_than: Vec<ValueId>,
    /// The next token to leave, if there is one.
    head: Option<ValueId>,
    /// The tokens after it, if they are in registers and have data.
    behind: Vec<ValueId>,
    /// True if every token has a register instead of a memory word.
    in_registers: bool,
    /// True if every token is taken immediately, so that none ever waits.
    is_wire: bool,
}

impl Fifo {
    pub(crate) fn new(builder: &mut Builder<'_, '_>, node: &Node<'_>, slots: u32) -> Self {
        Self::in_front_of(builder, node.view.result(0), slots, is_pending(node.view))
    }

    /// Creates a FIFO before a channel; `is_compared` tells that its contents are compared with addresses.
    pub(crate) fn in_front_of(
        builder: &mut Builder<'_, '_>,
        output: ValueId,
        slots: u32,
        is_compared: bool,
    ) -> Self {
        let is_wire = builder.facts.is_eager(output);
        let in_registers = is_compared || slots <= MAX_REGISTERS;
        let n_bits = match is_wire {
            true => 0,
            false if in_registers => slots,
            false => 2,
        };
        let more_than: Vec<ValueId> = (0..n_bits).map(|_| builder.circuit.wire(1)).collect();
        let mut words = (0..n_bits).filter_map(|i| match in_registers || i == 0 {
            true => builder.data_wire(output),
            false => None,
        });
        let (head, behind) = (words.next(), words.collect::<Vec<_>>());
        if is_compared {
            let words = head.iter().chain(&behind);
            let slots = more_than.iter().copied().zip(words.copied());
            builder.pending.insert(output, slots.collect());
        }
        Self {
            slots,
            more_than,
            head,
            behind,
            in_registers,
            is_wire,
        }
    }

    /// Returns whether a token waits.
    fn waiting(&self) -> ValueId {
        self.more_than[0]
    }

    fn full(&self) -> ValueId {
        *self.more_than.last().expect("a queue has a slot")
    }
}

impl Element for Fifo {
    fn forward(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, _: usize) -> Built<Forward> {
        let input = builder.forward(node.view.operand(0));
        Ok(self.passed(builder, input))
    }

    fn ready(&self, builder: &mut Builder<'_, '_>, _: &Node<'_>, _: usize) -> ValueId {
        match self.is_wire {
            true => builder.circuit.flag(true),
            false => builder.circuit.not(self.full()),
        }
    }

    fn finish(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>) -> Built<()> {
        let input = builder.forward(node.view.operand(0));
        self.keep(builder, node, input);
        Ok(())
    }
}

impl Fifo {
    /// Returns the output for a given input.
    pub(crate) fn passed(&self, builder: &mut Builder<'_, '_>, input: Forward) -> Forward {
        if self.is_wire {
            return input;
        }
        let valid = builder.circuit.any(&[input.valid, self.waiting()]);
        let data = self.head.zip(input.data);
        let data = data.map(|(head, new)| builder.choose(self.waiting(), head, new));
        Forward { valid, data }
    }

    /// Creates the registers of the FIFO before the only result of a node.
    pub(crate) fn keep(&self, builder: &mut Builder<'_, '_>, node: &Node<'_>, input: Forward) {
        if self.is_wire {
            return;
        }
        let ready = builder.ready(node.view.result(0));
        if self.in_registers {
            self.registers(builder, node, input, ready);
        } else {
            self.memory(builder, node, input, ready);
        }
    }

    /// Creates the shift registers, of which the first is the head; all advance when a token leaves.
    fn registers(
        &self,
        builder: &mut Builder<'_, '_>,
        node: &Node<'_>,
        input: Forward,
        ready: ValueId,
    ) {
        let n = self.more_than.len();
        let blocked = builder.circuit.not(ready);
        let slots: Vec<ValueId> = self.head.iter().chain(&self.behind).copied().collect();
        let no = builder.circuit.flag(false);
        let yes = builder.circuit.flag(true);
        for i in 0..n {
            let mine = self.more_than[i];
            // If no token leaves: there are more than `i` if there were before, or one arrives when there were exactly `i`.
            let below = if i == 0 { yes } else { self.more_than[i - 1] };
            let above = self.more_than.get(i + 1).copied().unwrap_or(no);
            let comes = builder.circuit.and(input.valid, below);
            let kept = builder.circuit.any(&[mine, comes]);
            let kept = builder.circuit.and(blocked, kept);
            // If a token leaves: there was one more, or one arrives when there were exactly `i + 1`.
            let open = builder.circuit.not(self.full());
            let comes = match i + 1 == n {
                true => no,
                false => builder.circuit.all(&[input.valid, mine, open]),
            };
            let left = builder.circuit.any(&[above, comes]);
            let left = builder.circuit.and(ready, left);
            let next = builder.circuit.any(&[kept, left]);
            if let (Some(wire), Some(new)) = (slots.get(i).copied(), input.data) {
                // The neighbour's data if it has a token, else the input.
                let next_data = slots.get(i + 1).copied();
                let from = next_data.map(|data| builder.choose(above, data, new));
                let from = from.unwrap_or(new);
                let empty = builder.circuit.not(mine);
                let enable = builder.circuit.any(&[ready, empty]);
                let name = format!("{}_slot{i}", node.name);
                builder.keep(wire, from, Some(enable), None, &name);
            }
            let name = format!("{}_more_than{i}", node.name);
            builder.keep_bit(mine, next, false, &name);
        }
    }

    /// Creates a circular buffer with a read pointer and a write pointer.
    fn memory(
        &self,
        builder: &mut Builder<'_, '_>,
        node: &Node<'_>,
        input: Forward,
        ready: ValueId,
    ) {
        let name = node.name.clone();
        let (waiting, full) = (self.waiting(), self.full());
        let bits = sluice_netlist::source::address_bits(self.slots);
        let (first, free) = (builder.circuit.wire(bits), builder.circuit.wire(bits));
        let leaves = builder.circuit.and(waiting, ready);
        let passes = {
            let empty = builder.circuit.not(waiting);
            builder.circuit.and(empty, ready)
        };
        let stays = builder.circuit.not(passes);
        let open = builder.circuit.not(full);
        let enters = builder.circuit.all(&[input.valid, stays, open]);
        let next_first = self.after(builder, first, bits);
        let next_free = self.after(builder, free, bits);
        if let (Some(head), Some(new)) = (self.head, input.data) {
            let write = WriteNets {
                address: free,
                enable: enters,
                data: new,
            };
            let data = match self.slots > MAX_IN_TABLES {
                true => {
                    let next = builder.circuit.mux(leaves, next_first, first);
                    self.in_blocks(builder, &name, (next, write))
                }
                false => {
                    let read = ReadNets {
                        address: first,
                        enable: leaves,
                    };
                    let nets = self.words(read, write, StorageKind::LutRam);
                    builder.circuit.memory(&format!("{name}_queue"), &nets)[0]
                }
            };
            builder.circuit.connect(head, data);
        }
        // Empties: the last token leaves and none arrives. Fills: the last slot is filled and none leaves.
        let is_last = builder.circuit.compare(Predicate::Eq, next_first, free);
        let is_most = builder.circuit.compare(Predicate::Eq, next_free, first);
        let none_enters = builder.circuit.not(enters);
        let none_leaves = builder.circuit.not(leaves);
        let empties = builder.circuit.all(&[leaves, is_last, none_enters]);
        let keeps = builder.circuit.not(empties);
        let kept = builder.circuit.and(waiting, keeps);
        let next_waiting = builder.circuit.any(&[enters, kept]);
        let fills = builder.circuit.all(&[enters, is_most, none_leaves]);
        let still = builder.circuit.and(full, none_leaves);
        let next_full = builder.circuit.any(&[fills, still]);
        let zero = || Some(Bits::zero(bits));
        builder.keep(
            first,
            next_first,
            Some(leaves),
            zero().as_ref(),
            &format!("{name}_first"),
        );
        builder.keep(
            free,
            next_free,
            Some(enters),
            zero().as_ref(),
            &format!("{name}_free"),
        );
        builder.keep_bit(waiting, next_waiting, false, &format!("{name}_waiting"));
        builder.keep_bit(full, next_full, false, &format!("{name}_queue_full"));
    }

    /// Returns the memory of the waiting tokens.
    fn words(&self, read: ReadNets, write: WriteNets, kind: StorageKind) -> MemoryNets {
        MemoryNets {
            depth_words: self.slots,
            reads: vec![read],
            writes: vec![write],
            read_latency_cycles: u32::from(kind == StorageKind::BlockRam),
            storage: Some(Storage {
                kind,
                ports: Ports::Separate { reads: 1 },
            }),
            may_collide: true,
        }
    }

    /// Returns the first waiting token from a memory that is read one cycle ahead, at the address that it will have. A token
    /// written to that address in the same cycle is kept beside the memory for one cycle.
    fn in_blocks(
        &self,
        builder: &mut Builder<'_, '_>,
        name: &str,
        (next, write): (ValueId, WriteNets),
    ) -> ValueId {
        let (new, enters) = (write.data, write.enable);
        let is_there = builder.circuit.compare(Predicate::Eq, write.address, next);
        let comes = builder.circuit.and(enters, is_there);
        let read = ReadNets {
            address: next,
            enable: builder.circuit.flag(true),
        };
        let nets = self.words(read, write, StorageKind::BlockRam);
        let read = builder.circuit.memory(&format!("{name}_queue"), &nets)[0];
        let width_bits = builder.circuit.width(new);
        let (is_new, kept) = (builder.circuit.wire(1), builder.circuit.wire(width_bits));
        builder.keep(kept, new, Some(comes), None, &format!("{name}_new_data"));
        builder.keep_bit(is_new, comes, false, &format!("{name}_is_new"));
        builder.choose(is_new, kept, read)
    }

    /// Returns the next address.
    fn after(&self, builder: &mut Builder<'_, '_>, place: ValueId, bits: u32) -> ValueId {
        let one = builder.circuit.constant(Bits::from_u64(bits, 1));
        let next = builder.circuit.comb("add", &[place, one]);
        if self.slots.is_power_of_two() {
            return next;
        }
        let last = Bits::from_u64(bits, u64::from(self.slots - 1));
        let last = builder.circuit.constant(last);
        let is_last = builder.circuit.compare(Predicate::Eq, place, last);
        let zero = builder.circuit.constant(Bits::zero(bits));
        builder.circuit.mux(is_last, zero, next)
    }
}
