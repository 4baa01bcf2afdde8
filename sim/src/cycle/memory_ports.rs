//! Memories of a flattened module and the ports of `seq.hlmem`.

use sluice_dialects::{seq, storage::storage};
use sluice_ir::algebra::{Algebra, TermId};
use sluice_ir::bits::Bits;
use sluice_ir::limits::Limit;
use sluice_ir::{ValueId, View};

use super::aggregates;
use super::clocks::ClockId;
use super::flat::{MemoryModel, Probe, UnclockedRead};
use crate::cycle::elaborator::{Elaborator, Failed, Net};

fn n_limbs(word: Option<&Bits>) -> u128 {
    word.map_or(1, |word| u128::from(word.width().div_ceil(64)))
}

impl<'a> Elaborator<'a> {
    /// Adds a memory without ports.
    pub(super) fn memory(
        &mut self,
        view: View<'a>,
        name: String,
        depth: u64,
        width_bits: u32,
    ) -> Result<usize, Failed> {
        // A wide word takes several words of 64 bits.
        let others = self.memories.iter();
        let others =
            others.map(|memory| memory.words.len() as u128 * n_limbs(memory.words.first()));
        let own = u128::from(depth) * n_limbs(Some(&Bits::zero(width_bits)));
        let all = others.fold(own, u128::saturating_add);
        if let Err(excess) = self.context.limits.check(Limit::SimulatedWords, all) {
            let message = format!("the memories of the circuit have {excess}");
            return self.fail(view, message);
        }
        let n_words = usize::try_from(depth).expect("checked above");
        self.memories.push(MemoryModel {
            name,
            place: view.location(),
            storage: storage(view),
            shape: vec![depth],
            words: vec![Bits::zero(width_bits); n_words],
            is_filled: false,
            reads: Vec::new(),
            writes: Vec::new(),
        });
        Ok(self.memories.len() - 1)
    }

    /// Returns the name of a memory with the instances around it.
    pub(super) fn memory_name(&self, scope: usize, view: View<'a>) -> String {
        let name = view.attribute("name").and_then(|a| a.as_str(self.context));
        let given = view.body.value_name(view.result(0));
        let given = given.map(|name| self.context.text(name));
        let name = name.or(given).unwrap_or("memory");
        format!("{}{name}", self.scopes[scope].path)
    }

    /// Creates the memory of a `seq.hlmem`.
    pub(super) fn declare_memory(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let result = view.result(0);
        let parts = seq::memory_parts(self.context, view.ty(result));
        let parts = parts.and_then(|(shape, element)| {
            let sizes = shape.iter().map(|size| u64::try_from(*size).ok());
            let shape = sizes.collect::<Option<Vec<u64>>>()?;
            let words = shape.iter().try_fold(1u64, |n, size| n.checked_mul(*size));
            let width_bits = aggregates::width_bits(self.context, element)?;
            Some((shape, words?, width_bits))
        });
        let Some((shape, depth, width_bits)) = parts else {
            return self.fail(view, "a memory of a static shape of words is simulated");
        };
        let name = self.memory_name(scope, view);
        let memory = self.memory(view, name, depth, width_bits)?;
        self.memories[memory].shape = shape;
        self.nets.insert((scope, result), Net::Memory(memory));
        Ok(())
    }

    /// Returns the memory that a port belongs to.
    pub(super) fn memory_of(&mut self, scope: usize, view: View<'a>) -> Result<usize, Failed> {
        match self.net(view, (scope, view.operand(0)))? {
            Net::Memory(memory) => Ok(memory),
            Net::Term(_) | Net::Clock(_) | Net::Array(_) => self.fail(view, "a memory is expected"),
        }
    }

    /// Returns the clock of the memory that a port of `seq.hlmem` belongs to.
    fn memory_clock(&mut self, scope: usize, view: View<'a>) -> Result<ClockId, Failed> {
        let body = self.scopes[scope].module.inner();
        match body.defining_operation(view.operand(0)) {
            Some(memory) => self.clock_net(scope, view, body.operand(memory, 0)),
            None => self.fail(view, "a memory is expected"),
        }
    }

    /// Returns the reset of the memory that a port of `seq.hlmem` belongs to; it disables writes. `None` if it is never active.
    fn memory_reset(&mut self, scope: usize, view: View<'a>) -> Result<Option<TermId>, Failed> {
        let body = self.scopes[scope].module.inner();
        let Some(memory) = body.defining_operation(view.operand(0)) else {
            return self.fail(view, "a memory is expected");
        };
        let reset = self.term(scope, view, body.operand(memory, 1))?;
        let is_never = self.constant_of(reset).is_some_and(Bits::is_zero);
        Ok((!is_never).then_some(reset))
    }

    /// Returns the latency of a port of `seq.hlmem` in cycles.
    pub(super) fn latency(&self, view: View<'a>) -> Option<u32> {
        u32::try_from(view.attribute("latency")?.as_i64(self.context)?).ok()
    }

    /// Returns the number of a word, the last dimension varying fastest. If an index is too large, the number is beyond the end
    /// of the memory.
    fn address(
        &mut self,
        scope: usize,
        view: View<'a>,
        addresses: &[ValueId],
    ) -> Result<TermId, Failed> {
        let parts = seq::memory_parts(self.context, view.ty(view.operand(0)));
        let shape = parts.map(|(shape, _)| shape).unwrap_or_default();
        let [address] = addresses else {
            let mut whole = self.number(seq::FLAT_ADDRESS_BITS, 0);
            let mut is_beyond: Option<TermId> = None;
            for (address, size) in addresses.iter().zip(shape) {
                let size = u32::try_from(size).unwrap_or(u32::MAX);
                let size = self.number(seq::FLAT_ADDRESS_BITS, size);
                let address = self.term(scope, view, *address)?;
                let address = self.terms.zext(&address, seq::FLAT_ADDRESS_BITS);
                let is_out = self.terms.uge(&address, &size);
                is_beyond = Some(match is_beyond {
                    Some(before) => self.terms.or(&before, &is_out),
                    None => is_out,
                });
                whole = self.terms.mul(&whole, &size);
                whole = self.terms.add(&whole, &address);
            }
            let beyond = self.terms.constant(Bits::ones(seq::FLAT_ADDRESS_BITS));
            return Ok(match is_beyond {
                Some(is_beyond) => self.terms.ite(&is_beyond, &beyond, &whole),
                None => whole,
            });
        };
        self.term(scope, view, *address)
    }

    /// Delays a value by `n_cycles` cycles of a clock.
    pub(super) fn after(&mut self, term: TermId, n_cycles: u32, clock: ClockId) -> TermId {
        (0..n_cycles).fold(term, |term, _| {
            self.delayed(String::new(), term, None, clock)
        })
    }

    /// Connects a clocked port of `seq.hlmem`.
    pub(super) fn connect_port(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let memory = self.memory_of(scope, view)?;
        let is_read = view.name() == seq::Read::NAME;
        let latency = match self.latency(view) {
            Some(0) if is_read => return Ok(()),
            Some(latency) if latency > 0 => latency,
            _ => return self.fail(view, "a write takes a cycle at least"),
        };
        let clock = self.memory_clock(scope, view)?;
        let rise = self.rise(clock);
        let operands: Vec<_> = view.operands().collect();
        if is_read {
            let address = self.address(scope, view, &view.operand_group(1))?;
            let address = self.after(address, latency - 1, clock);
            let data = self.term(scope, view, view.result(0))?;
            let enable = match view.operand_group(2).first() {
                Some(enable) => {
                    let enable = self.term(scope, view, *enable)?;
                    let enable = self.after(enable, latency - 1, clock);
                    Some(self.gated(enable, rise))
                }
                None => rise,
            };
            let variable = self.variable_of(data);
            self.probe(memory, address, enable);
            self.memories[memory]
                .reads
                .push((variable, address, enable));
            return Ok(());
        }
        let n = operands.len();
        let address = self.address(scope, view, &operands[1..n - 2])?;
        let address = self.after(address, latency - 1, clock);
        let data = self.term(scope, view, operands[n - 2])?;
        let data = self.after(data, latency - 1, clock);
        let enable = self.term(scope, view, operands[n - 1])?;
        let enable = self.after(enable, latency - 1, clock);
        let enable = match self.memory_reset(scope, view)? {
            Some(reset) => {
                let runs = self.terms.not(&reset);
                self.terms.and(&enable, &runs)
            }
            None => enable,
        };
        let enable = self.gated(enable, rise);
        self.memories[memory].writes.push((address, data, enable));
        Ok(())
    }

    /// Connects a combinational read of `seq.hlmem`.
    pub(super) fn unclocked_port(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let memory = self.memory_of(scope, view)?;
        let address = self.address(scope, view, &view.operand_group(1))?;
        let enable = match view.operand_group(2).first() {
            Some(enable) => Some(self.term(scope, view, *enable)?),
            None => None,
        };
        self.probe(memory, address, enable);
        let term = self.word_at(memory, address);
        self.nets.insert((scope, view.result(0)), Net::Term(term));
        Ok(())
    }

    /// Returns a word of a memory as it is in this cycle.
    pub(super) fn word_at(&mut self, memory: usize, address: TermId) -> TermId {
        let width_bits = self.memories[memory].words.first().map_or(1, Bits::width);
        let (variable, term) = self.variable(width_bits);
        self.unclocked_reads.push(UnclockedRead {
            variable,
            memory,
            address,
        });
        term
    }

    /// Records a read of a word under a condition.
    pub(super) fn probe(&mut self, memory: usize, address: TermId, when: Option<TermId>) {
        self.probes.push(Probe {
            memory,
            address,
            when,
        });
    }
}
