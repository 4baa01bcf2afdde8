//! `seq.fifo`: a memory with two pointers and a count, as in CIRCT's lowering.
//!
//! `full` and `empty` depend on the count. A read and a write in the same cycle leave the count unchanged. A write alone
//! increments it unless the FIFO is full; a read alone decrements it unless the FIFO is empty. A pointer moves at a read from a
//! FIFO that is not empty, or at a write to one that is not full. A write to a full FIFO replaces its oldest word. With a read
//! latency of 0, the output is the oldest word. Otherwise the output is a word that many cycles after its read, and is held until
//! the next one.

use sluice_ir::View;
use sluice_ir::algebra::{Algebra, TermId};
use sluice_ir::bits::Bits;

use super::aggregates;
use super::clocks::ClockId;
use super::flat::Register;
use crate::cycle::elaborator::{Elaborator, Failed, Fifo, Net};

/// Returns the width of numbers up to `greatest`, at least 1.
fn bits_of(greatest: u32) -> u32 {
    (u32::BITS - greatest.leading_zeros()).max(1)
}

/// A register of a FIFO, with its next value and the condition of its reset to 0.
struct Part {
    variable: u32,
    next: TermId,
    reset: TermId,
}

impl<'a> Elaborator<'a> {
    fn cycles(&self, view: View<'a>, name: &str) -> Option<u32> {
        u32::try_from(view.attribute(name)?.as_i64(self.context)?).ok()
    }

    /// Creates the state of a FIFO, and the outputs that depend on it alone.
    pub(super) fn declare_fifo(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let width = aggregates::width_bits(self.context, view.ty(view.result(0)));
        let (Some(width_bits), Some(depth)) = (width, self.cycles(view, "depth")) else {
            return self.fail(view, "a queue of words with a depth is simulated");
        };
        let latency = self.cycles(view, "rdLatency").unwrap_or(0);
        let given = view.body.value_name(view.result(0));
        let given = given.map_or("fifo", |name| self.context.text(name));
        let name = format!("{}{given}", self.scopes[scope].path);
        let memory = self.memory(view, name, u64::from(depth), width_bits)?;
        let (count, count_term) = self.variable(bits_of(depth));
        let (read_at, read_term) = self.variable(bits_of(depth - 1));
        let (write_at, _) = self.variable(bits_of(depth - 1));
        let mut data = None;
        let output = if latency == 0 {
            self.word_at(memory, read_term)
        } else {
            let (variable, term) = self.variable(width_bits);
            data = Some(variable);
            term
        };
        let is_full = self.count_is(count_term, depth);
        let is_empty = self.terms.is_zero(&count_term);
        let mut results = vec![output, is_full, is_empty];
        if let Some(threshold) = self.cycles(view, "almostFullThreshold") {
            let threshold = self.number(bits_of(depth), threshold);
            results.push(self.terms.uge(&count_term, &threshold));
        }
        if let Some(threshold) = self.cycles(view, "almostEmptyThreshold") {
            let threshold = self.number(bits_of(depth), threshold);
            results.push(self.terms.ule(&count_term, &threshold));
        }
        for (result, term) in view.results().iter().zip(results) {
            self.nets.insert((scope, *result), Net::Term(term));
        }
        let fifo = Fifo {
            memory,
            depth,
            latency,
            count,
            read_at,
            write_at,
            data,
        };
        self.fifos.insert((scope, view.id), fifo);
        Ok(())
    }

    fn count_is(&mut self, count: TermId, number: u32) -> TermId {
        let width = self.terms.width(&count);
        let number = self.number(width, number);
        self.terms.eq(&count, &number)
    }

    /// Connects the next values of a FIFO.
    pub(super) fn connect_fifo(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let Some(fifo) = self.fifos.remove(&(scope, view.id)) else {
            return Ok(());
        };
        let operands: Vec<_> = view.operands().collect();
        let clock = self.clock_net(scope, view, operands[3])?;
        let input = self.term(scope, view, operands[0])?;
        let reads = self.term(scope, view, operands[1])?;
        let writes = self.term(scope, view, operands[2])?;
        let reset = self.term(scope, view, operands[4])?;
        let count = self.terms.variable(fifo.count, bits_of(fifo.depth));
        let is_full = self.count_is(count, fifo.depth);
        let is_empty = self.terms.is_zero(&count);
        let (is_not_full, is_not_empty) = (self.terms.not(&is_full), self.terms.not(&is_empty));

        let one = self.number(bits_of(fifo.depth), 1);
        let (more, fewer) = (self.terms.add(&count, &one), self.terms.sub(&count, &one));
        let (no_read, no_write) = (self.terms.not(&reads), self.terms.not(&writes));
        let grows = self.terms.and(&writes, &no_read);
        let grows = self.terms.and(&grows, &is_not_full);
        let shrinks = self.terms.and(&reads, &no_write);
        let shrinks = self.terms.and(&shrinks, &is_not_empty);
        let next = self.terms.ite(&shrinks, &fewer, &count);
        let next = self.terms.ite(&grows, &more, &next);
        let count = Part {
            variable: fifo.count,
            next,
            reset,
        };
        self.fifo_register(&count, clock);

        let (read_at, write_at) = (fifo.read_at, fifo.write_at);
        for (variable, moves, may) in [
            (read_at, reads, is_not_empty),
            (write_at, writes, is_not_full),
        ] {
            let moves = self.terms.and(&moves, &may);
            let next = self.pointer_after(variable, fifo.depth, moves);
            let part = Part {
                variable,
                next,
                reset,
            };
            self.fifo_register(&part, clock);
        }

        let width = bits_of(fifo.depth - 1);
        let write_at = self.terms.variable(write_at, width);
        let rise = self.rise(clock);
        let enable = self.gated(writes, rise);
        let writes = &mut self.memories[fifo.memory].writes;
        writes.push((write_at, input, enable));
        if let Some(variable) = fifo.data {
            let address = self.terms.variable(read_at, width);
            let address = self.after(address, fifo.latency - 1, clock);
            let enable = self.after(reads, fifo.latency - 1, clock);
            let enable = self.gated(enable, rise);
            let reads = &mut self.memories[fifo.memory].reads;
            reads.push((variable, address, Some(enable)));
        }
        Ok(())
    }

    /// Returns the next value of a pointer, which wraps from the last word to the first.
    fn pointer_after(&mut self, variable: u32, depth: u32, moves: TermId) -> TermId {
        let width = bits_of(depth - 1);
        let pointer = self.terms.variable(variable, width);
        let is_last = self.count_is(pointer, depth - 1);
        let one = self.number(width, 1);
        let next = self.terms.add(&pointer, &one);
        let first = self.number(width, 0);
        let next = self.terms.ite(&is_last, &first, &next);
        self.terms.ite(&moves, &next, &pointer)
    }

    fn fifo_register(&mut self, part: &Part, clock: ClockId) {
        let width_bits = self.terms.width(&part.next);
        let rise = self.rise(clock);
        let when = self.gated(part.reset, rise);
        let zero = self.number(width_bits, 0);
        self.registers.push(Register {
            name: String::new(),
            width_bits,
            variable: part.variable,
            next: part.next,
            enable: rise,
            reset: Some((when, zero)),
            first: Bits::zero(width_bits),
        });
    }
}
