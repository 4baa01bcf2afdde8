//! A memory made of registers: one register per word, wires for constant addresses, multiplexers of words and writes for all
//! others.

use sluice_dialects::predicate::Predicate;
use sluice_ir::ValueId;
use sluice_ir::bits::Bits;
use sluice_netlist::circuit::{Circuit, RegisterOptions};
use sluice_netlist::source::address_bits;

use crate::memory::{Access, Memory, MemoryKind, Port, merge};

/// The words of a memory that is made of registers.
pub(crate) struct RegisterFile {
    /// Placeholders for the words, created at their first reads.
    words: Vec<Option<ValueId>>,
    /// Writes of each word at a constant address.
    constant_writes: Vec<Vec<Access>>,
}

impl RegisterFile {
    pub(crate) fn new(depth_words: u32) -> Self {
        let depth = depth_words as usize;
        Self {
            words: vec![None; depth],
            constant_writes: (0..depth).map(|_| Vec::new()).collect(),
        }
    }

    /// Returns the word at a constant address; the last one for an address beyond the end, which no valid program reads.
    pub(crate) fn word(&mut self, circuit: &mut Circuit<'_>, word: usize, width: u32) -> ValueId {
        let at = word.min(self.words.len() - 1);
        *self.words[at].get_or_insert_with(|| circuit.wire(width))
    }

    /// Records a write at a constant address; ignores addresses beyond the end.
    pub(crate) fn write(&mut self, word: usize, access: Access) {
        if let Some(writes) = self.constant_writes.get_mut(word) {
            writes.push(access);
        }
    }

    /// Builds the registers, their writes and the multiplexers of the read ports.
    pub(crate) fn finish(mut self, circuit: &mut Circuit<'_>, memory: &Memory) {
        let width_bits = memory.width_bits;
        for port in &memory.readers {
            let Some(wire) = port.read_data else { continue };
            let (enable, address, _) = merge(circuit, &port.reads, "read");
            let words: Vec<ValueId> = (0..self.words.len())
                .map(|word| self.word(circuit, word, width_bits))
                .collect();
            let mut data = select_word(circuit, words, address);
            if memory.read_latency_cycles > 0 {
                let options = RegisterOptions {
                    enable: Some(enable),
                    reset: None,
                    preset: None,
                    name: "word_data",
                };
                data = circuit.register(data, options);
            }
            circuit.connect(wire, data);
        }
        let name = match &memory.kind {
            MemoryKind::Local { name } => name.as_str(),
            MemoryKind::External { .. } | MemoryKind::Table { .. } => "memory",
        };
        let writes: Vec<_> = memory
            .writers
            .iter()
            .map(|port: &Port| merge(circuit, &port.writes, "write"))
            .collect();
        for (word, wire) in self.words.iter().enumerate() {
            let Some(wire) = wire else { continue };
            let mut terms: Vec<(ValueId, ValueId)> = Vec::new();
            for (enable, address, data) in &writes {
                let number = u64::try_from(word).expect("a word number fits 64 bits");
                let own = Bits::from_u64(address_bits(memory.depth_words), number);
                let own = circuit.constant(own);
                let here = circuit.compare(Predicate::Eq, *address, own);
                let here = circuit.and(*enable, here);
                terms.push((here, data.expect("a write has data")));
            }
            let constant = self.constant_writes[word].iter();
            terms.extend(constant.map(|a| (a.enable, a.data.expect("a write has data"))));
            let enables: Vec<ValueId> = terms.iter().map(|(enable, _)| *enable).collect();
            let Some((_, last)) = terms.last() else {
                // A word that is never written may have any value.
                let zero = circuit.constant(Bits::zero(width_bits));
                circuit.connect(*wire, zero);
                continue;
            };
            let rest = terms.iter().rev().skip(1);
            let data = rest.fold(*last, |rest, (enable, data)| {
                circuit.mux(*enable, *data, rest)
            });
            let enable = circuit.any(&enables);
            let options = RegisterOptions {
                enable: Some(enable),
                reset: None,
                preset: None,
                name: &format!("{name}_{word}"),
            };
            let held = circuit.register(data, options);
            circuit.connect(*wire, held);
        }
    }
}

/// Selects one of the words by address: a tree of multiplexers, lowest bit first. Returns any word for an address beyond the
/// last.
fn select_word(circuit: &mut Circuit<'_>, mut words: Vec<ValueId>, address: ValueId) -> ValueId {
    let mut bit = 0;
    while words.len() > 1 {
        let high = circuit.extract(address, bit, 1);
        words = words
            .chunks(2)
            .map(|pair| match pair {
                [even, odd] => circuit.mux(high, *odd, *even),
                _ => pair[0],
            })
            .collect();
        bit += 1;
    }
    words[0]
}
