//! `seq.firmem`: memories whose ports have their own clocks, latencies and masks.
//!
//! A read accesses the memory at the end of its latency, after the writes of earlier edges. If `ruw` is `old`, it does so one
//! edge earlier, before the writes of that edge. A disabled port reads 0. Writes are applied in the order of the ports, whatever
//! `wuw` says.

use sluice_dialects::seq;
use sluice_ir::algebra::{Algebra, TermId};
use sluice_ir::bits::Bits;
use sluice_ir::{ValueId, View};

use super::clocks::ClockId;
use super::flat::Register;
use crate::cycle::elaborator::{Elaborator, Failed, Net, ReadPort};

/// The operands of a port.
struct Port {
    address: ValueId,
    clock: ValueId,
    enable: Option<ValueId>,
    /// Data, mode and mask of a write.
    data: Option<ValueId>,
    mode: Option<ValueId>,
    mask: Option<ValueId>,
}

fn port(view: View<'_>) -> Port {
    let group = |number: usize| view.operand_group(number).first().copied();
    let (is_write, is_both) = (
        view.name() == seq::FirmemWritePort::NAME,
        view.name() == seq::FirmemReadWritePort::NAME,
    );
    Port {
        address: view.operand(1),
        clock: view.operand(2),
        enable: group(3),
        data: (is_write || is_both).then(|| group(4)).flatten(),
        mode: is_both.then(|| group(5)).flatten(),
        mask: match (is_write, is_both) {
            (true, _) => group(5),
            (_, true) => group(6),
            _ => None,
        },
    }
}

impl<'a> Elaborator<'a> {
    /// Creates the memory of a `seq.firmem`.
    pub(super) fn declare_masked(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let result = view.result(0);
        let Some(parts) = seq::masked_memory(view) else {
            return self.fail(view, "depth and width are expected to be numbers");
        };
        let name = self.memory_name(scope, view);
        let memory = self.memory(view, name, parts.depth, parts.width_bits)?;
        if let Some(image) = seq::image(view) {
            let Some(words) = self.images.get(&image) else {
                let message = format!("its first words, in `{}`, were not read", image.file);
                return self.fail(view, &message);
            };
            self.memories[memory].words.clone_from(words);
            self.memories[memory].is_filled = true;
        }
        self.nets.insert((scope, result), Net::Memory(memory));
        Ok(())
    }

    fn masked_memory(&mut self, view: View<'a>) -> Result<seq::MaskedMemory, Failed> {
        let memory = view.body.defining_operation(view.operand(0));
        match memory.and_then(|memory| seq::masked_memory(view.at(memory))) {
            Some(memory) => Ok(memory),
            None => self.fail(view, "a memory is expected"),
        }
    }

    /// Creates the registers of a read port, and the net of its data.
    pub(super) fn declare_read_port(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let memory = self.masked_memory(view)?;
        if memory.read_latency == 0 {
            return Ok(());
        }
        let operands = port(view);
        let n_stages = memory.read_latency - u32::from(memory.reads_old);
        let mut registers = ReadPort::default();
        let width = memory.address_bits();
        registers.addresses = (0..n_stages).map(|_| self.variable(width).0).collect();
        let has_enable = operands.enable.is_some() || operands.mode.is_some();
        if has_enable {
            registers.enables = (0..n_stages).map(|_| self.variable(1).0).collect();
        }
        let term = if memory.reads_old {
            let (variable, term) = self.variable(memory.width_bits);
            registers.data = Some(variable);
            term
        } else {
            let number = self.memory_of(scope, view)?;
            let last = *registers.addresses.last().expect("there is a stage");
            let address = self.terms.variable(last, width);
            let enable = registers.enables.last().copied();
            let enable = enable.map(|enable| self.terms.variable(enable, 1));
            self.enabled_word(number, address, enable)
        };
        self.nets.insert((scope, view.result(0)), Net::Term(term));
        self.read_ports.insert((scope, view.id), registers);
        Ok(())
    }

    /// Returns a word, or 0 if the port is disabled.
    fn enabled_word(&mut self, memory: usize, address: TermId, enable: Option<TermId>) -> TermId {
        self.probe(memory, address, enable);
        let word = self.word_at(memory, address);
        let Some(enable) = enable else {
            return word;
        };
        let width = self.terms.width(&word);
        let zero = self.terms.constant(Bits::zero(width));
        self.terms.ite(&enable, &word, &zero)
    }

    /// Returns the condition under which a port reads; `None` if it always reads.
    fn reads_when(
        &mut self,
        scope: usize,
        view: View<'a>,
        operands: &Port,
    ) -> Result<Option<TermId>, Failed> {
        let enable = match operands.enable {
            Some(enable) => Some(self.term(scope, view, enable)?),
            None => None,
        };
        let Some(mode) = operands.mode else {
            return Ok(enable);
        };
        let mode = self.term(scope, view, mode)?;
        let reads = self.terms.not(&mode);
        Ok(Some(self.gated(reads, enable)))
    }

    /// Connects a read port of latency 0.
    pub(super) fn unclocked_read_port(
        &mut self,
        scope: usize,
        view: View<'a>,
    ) -> Result<(), Failed> {
        let memory = self.memory_of(scope, view)?;
        let operands = port(view);
        let address = self.term(scope, view, operands.address)?;
        let enable = self.reads_when(scope, view, &operands)?;
        let term = self.enabled_word(memory, address, enable);
        self.nets.insert((scope, view.result(0)), Net::Term(term));
        Ok(())
    }

    /// Connects the registers of a port and its write.
    pub(super) fn connect_masked_port(
        &mut self,
        scope: usize,
        view: View<'a>,
    ) -> Result<(), Failed> {
        let operands = port(view);
        let clock = self.clock_net(scope, view, operands.clock)?;
        if let Some(registers) = self.read_ports.remove(&(scope, view.id)) {
            let address = self.term(scope, view, operands.address)?;
            let enable = self.reads_when(scope, view, &operands)?;
            let address = self.through(&registers.addresses, address, clock);
            let enable = enable.map(|enable| self.through(&registers.enables, enable, clock));
            if let Some(variable) = registers.data {
                let memory = self.memory_of(scope, view)?;
                let word = self.enabled_word(memory, address, enable);
                self.through(&[variable], word, clock);
            }
        }
        if operands.data.is_some() {
            self.connect_write(scope, view, &operands, clock)?;
        }
        Ok(())
    }

    /// Adds a chain of registers for a value; returns the output of the last one.
    fn through(&mut self, variables: &[u32], mut next: TermId, clock: ClockId) -> TermId {
        let width_bits = self.terms.width(&next);
        let enable = self.rise(clock);
        for variable in variables {
            self.registers.push(Register::hidden(
                *variable,
                next,
                enable,
                Bits::zero(width_bits),
            ));
            next = self.terms.variable(*variable, width_bits);
        }
        next
    }

    fn connect_write(
        &mut self,
        scope: usize,
        view: View<'a>,
        operands: &Port,
        clock: ClockId,
    ) -> Result<(), Failed> {
        let parts = self.masked_memory(view)?;
        let memory = self.memory_of(scope, view)?;
        let Some(n_stages) = parts.write_latency.checked_sub(1) else {
            return self.fail(view, "a write takes a cycle at least");
        };
        let optional = |elaborator: &mut Self, value: Option<ValueId>| match value {
            Some(value) => {
                let term = elaborator.term(scope, view, value)?;
                Ok(Some(elaborator.after(term, n_stages, clock)))
            }
            None => Ok(None),
        };
        let address = optional(self, Some(operands.address))?;
        let data = optional(self, operands.data)?;
        let enable = optional(self, operands.enable)?;
        let mode = optional(self, operands.mode)?;
        let mask = optional(self, operands.mask)?;
        let (Some(address), Some(mut data)) = (address, data) else {
            return self.fail(view, "an address and data are expected");
        };
        let enable = match (enable, mode) {
            (Some(enable), Some(mode)) => self.terms.and(&enable, &mode),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => self.bit(true),
        };
        if let Some(mask) = mask {
            let n_bits = self.terms.width(&mask);
            let width = self.terms.width(&data);
            if n_bits == 0 || width % n_bits != 0 {
                let message = format!("a word of {width} bits has no {n_bits} equal parts");
                return self.fail(view, message);
            }
            let old = self.word_after_writes(memory, address);
            data = self.merged(old, data, mask, width / n_bits);
        }
        let rise = self.rise(clock);
        let enable = self.gated(enable, rise);
        self.memories[memory].writes.push((address, data, enable));
        Ok(())
    }

    /// Returns a word after the writes of earlier ports in this cycle.
    fn word_after_writes(&mut self, memory: usize, address: TermId) -> TermId {
        let mut word = self.word_at(memory, address);
        for (other, data, enable) in self.memories[memory].writes.clone() {
            let is_here = self.terms.eq(&other, &address);
            let is_written = self.terms.and(&enable, &is_here);
            word = self.terms.ite(&is_written, &data, &word);
        }
        word
    }

    /// Returns a word in which the parts are replaced whose bit in the mask is set.
    fn merged(&mut self, old: TermId, data: TermId, mask: TermId, part_bits: u32) -> TermId {
        let n = self.terms.width(&mask);
        let mut whole = None;
        for at in 0..n {
            let bit = self.terms.extract(&mask, at, 1);
            let new = self.terms.extract(&data, at * part_bits, part_bits);
            let kept = self.terms.extract(&old, at * part_bits, part_bits);
            let part = self.terms.ite(&bit, &new, &kept);
            whole = Some(match whole {
                Some(below) => self.terms.concat(&part, &below),
                None => part,
            });
        }
        whole.unwrap_or(data)
    }
}
