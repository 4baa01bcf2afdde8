//! Lowers streams and FIFOs, which replace memories whose words are read in the order in which they are written.
//!
//! A store to a FIFO sends a token on a channel; a load takes that token in the domain of its loop. Only the token orders the
//! two, so both loops run at the same time. A stream is an external memory whose port ignores addresses. If several accesses read
//! it, the first one reads the port and passes the words on.

use sluice_dialects::sluice::{CHANNEL, DEPTH_WANTED};
use sluice_dialects::{handshake, sluice};
use sluice_ir::{Attribute, ValueId, View};

use super::domains::DomainId;
use super::memories::Holder;
use super::{Lowered, Lowering, refused};
use crate::graph::{BufferKind, set_buffer};

/// The state of a memory that is a FIFO, or of the words of a stream that are passed on.
#[derive(Clone, Debug, Default)]
pub(super) struct Fifo {
    /// Number of words that pass through it.
    n_words: u32,
    /// Number of slots that the user requests.
    depth: Option<Attribute>,
    /// The channel with the words.
    words: Option<ValueId>,
    /// Number of loads lowered so far.
    n_readers: usize,
}

impl<'a> Lowering<'a, '_> {
    /// Returns the FIFO that replaces a local memory, if there is one.
    pub(super) fn fifo_of(&self, view: View<'a>) -> Option<Fifo> {
        let words = view.attribute(CHANNEL)?;
        Some(Fifo {
            n_words: u32::try_from(words.as_i64(self.context)?).ok()?,
            depth: view.attribute(DEPTH_WANTED),
            ..Fifo::default()
        })
    }

    /// Returns the state for passing on the words of an argument, if it is a stream.
    pub(super) fn stream_of(&self, function: View<'a>, argument: usize) -> Option<Fifo> {
        let described = function.attribute(sluice::ARGUMENTS)?;
        let described = described.as_array(self.context)?.get(argument)?;
        let mut entries = described.as_dictionary(self.context)?.iter();
        entries.find(|(name, _)| self.context.text(*name) == "stream")?;
        let block = function.entry_block(0)?;
        let memory = *self.source.arguments(block).get(argument)?;
        let n_words = self.source.ty(memory).n_elements(self.context)?;
        Some(Fifo {
            n_words: n_words.to_u32()?,
            ..Fifo::default()
        })
    }

    /// Returns whether a memory's accesses use no memory port.
    pub(super) fn passes_by(&self, memory: ValueId) -> bool {
        matches!(self.memories[&memory].holder, Holder::Fifo(_))
    }

    /// Lowers a store to a FIFO in a domain.
    pub(super) fn give(&mut self, domain: DomainId, view: View<'a>) {
        let words = self.real(domain, view.operand(0));
        let memory = view.operand(1);
        if let Some(Holder::Fifo(fifo)) = self.memories.get_mut(&memory).map(|m| &mut m.holder) {
            fifo.words = Some(words);
        }
    }

    /// Lowers a load from a FIFO in a domain.
    ///
    /// # Errors
    /// A load before the store.
    pub(super) fn take(&mut self, domain: DomainId, view: View<'a>) -> Lowered<()> {
        let memory = view.operand(0);
        let word = self.handed_on(domain, memory);
        let word = word.ok_or_else(|| refused(view, "a queue is read before it is written"))?;
        self.define(domain, view.result(0), word);
        Ok(())
    }

    /// Returns the words of a FIFO, or of a stream that was read before, in a domain.
    pub(super) fn handed_on(&mut self, domain: DomainId, memory: ValueId) -> Option<ValueId> {
        let known = self.memories.get_mut(&memory)?;
        let name = known.name.map(|name| self.context.text(name));
        let fifo = known.fifo()?;
        let words = fifo.words?;
        let (number, n_words, depth) = (fifo.n_readers, fifo.n_words, fifo.depth);
        fifo.n_readers += 1;
        let name = match number {
            0 => name.unwrap_or("queue").to_owned(),
            _ => format!("{}_{number}", name.unwrap_or("queue")),
        };
        let name = self.context.string_attribute(&name);
        let ty = self.graph.body.ty(words);
        let op = self
            .graph
            .operation(handshake::Buffer::NAME, &[words], &[ty], &[]);
        let body = &mut *self.graph.body;
        set_buffer(self.context, body, op, BufferKind::Fifo, n_words, None);
        for (attribute, value) in [
            (CHANNEL, Some(name)),
            (sluice::NAME, Some(name)),
            (DEPTH_WANTED, depth),
        ] {
            if let Some(value) = value {
                body.set_attribute(op, self.context.name(attribute), value);
            }
        }
        let word = body.result(op, 0);
        // The word belongs to an iteration, so values computed from it are in the domain of the loop.
        let trigger = self.trigger(domain);
        Some(self.graph.with(word, trigger))
    }

    /// Keeps the words of the first load of a stream for other loads.
    pub(super) fn keep_words(&mut self, memory: ValueId, words: ValueId) {
        let fifo = self.memories.get_mut(&memory).and_then(|m| m.fifo());
        if let Some(fifo) = fifo {
            fifo.words = Some(words);
            fifo.n_readers = 1;
        }
    }
}
