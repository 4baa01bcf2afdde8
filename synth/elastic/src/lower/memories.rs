//! Lowers memories and their ports.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::{PENDING, STREAM};
use sluice_dialects::{func, handshake, memref, sluice};
use sluice_ir::bits::Bits;
use sluice_ir::{OperationId, Type, TypeKind, ValueId, View};
use sluice_netlist::source::{address_bits, memory_shape, table_words};

use super::channels::Fifo;
use super::domains::DomainId;
use super::order::{Touched, Track};
use super::{Lowered, Lowering, refused};
use crate::graph::{BufferKind, set_buffer};

/// The reason for a store address queue, for reports.
const PENDING_REASON: &str = "store";

/// The storage of the words.
#[derive(Clone, Debug)]
pub(super) enum Holder {
    /// An argument of the function: its channel.
    External(ValueId),
    /// A memory of the function itself.
    Local,
    /// A constant table.
    Table(Vec<Bits>),
    /// A FIFO instead of a memory: words are read in the order in which they are written.
    Fifo(Fifo),
}

/// A load port.
struct LoadPort {
    address: ValueId,
    /// Placeholder for the data from the memory; `done` is that for the completion token.
    data: ValueId,
    done: ValueId,
}

/// A store port.
struct StorePort {
    data: ValueId,
    address: ValueId,
    /// Placeholder for the completion token from the memory.
    done: ValueId,
    /// True if its addresses wait in a store address queue.
    is_pending: bool,
}

/// A memory with the ports created so far.
pub(super) struct Memory {
    pub(super) holder: Holder,
    ty: Type,
    pub(super) name: Option<sluice_ir::Name>,
    location: sluice_ir::Location,
    storage: Option<sluice_ir::Attribute>,
    /// True if anything stores to it; otherwise its accesses need no order.
    pub(super) is_written: bool,
    /// For a stream: the words of its first load, for other loads.
    pub(super) stream: Option<Fifo>,
    /// True if statically scheduled circuits have ports of it.
    is_passed: bool,
    loads: Vec<LoadPort>,
    stores: Vec<StorePort>,
}

impl Memory {
    /// Returns the FIFO state through which words are passed on without a port.
    pub(super) fn fifo(&mut self) -> Option<&mut Fifo> {
        match &mut self.holder {
            Holder::Fifo(fifo) => Some(fifo),
            Holder::External(_) | Holder::Local | Holder::Table(_) => self.stream.as_mut(),
        }
    }
}

impl<'a> Lowering<'a, '_> {
    /// Finds the memories of the function, and which memories every operation touches.
    pub(super) fn find_memories(&mut self) -> Lowered<()> {
        for op in self.source.walk_all() {
            let view = self.view(op);
            let holder = match view.name() {
                memref::Alloca::NAME | memref::Alloc::NAME => {
                    self.fifo_of(view).map_or(Holder::Local, Holder::Fifo)
                }
                memref::GetGlobal::NAME => Holder::Table(self.table(view)?),
                _ => continue,
            };
            let memory = view.result(0);
            self.add_memory(view, memory, holder);
        }
        let mut calls: BTreeSet<ValueId> = BTreeSet::new();
        for op in self.source.walk_all() {
            let view = self.view(op);
            let touched = match view.name() {
                memref::Load::NAME => vec![(view.operand(0), true, false)],
                memref::Store::NAME => vec![(view.operand(1), false, true)],
                func::Call::NAME => self.passed(view)?,
                _ => continue,
            };
            for (memory, reads, writes) in touched {
                let Some(known) = self.memories.get_mut(&memory) else {
                    return Err(refused(
                        view,
                        "an access to a memory that is neither an argument nor made here",
                    ));
                };
                if matches!(known.holder, Holder::Fifo(_)) {
                    continue;
                }
                if view.name() == func::Call::NAME {
                    known.is_passed = true;
                    calls.insert(memory);
                }
                known.is_written |= writes;
                self.touch(op, Track::Cells(memory), reads, writes);
            }
        }
        self.take_turns(&calls);
        self.find_writes();
        Ok(())
    }

    /// Records an access on a track for the operation and all operations that contain it.
    fn touch(&mut self, access: OperationId, track: Track, reads: bool, writes: bool) {
        let mut holder = Some(access);
        while let Some(op) = holder {
            let entry: &mut Touched = self.touched.entry(op).or_default();
            let entry = entry.entry(track).or_default();
            entry.0 |= reads;
            entry.1 |= writes;
            holder = self.source.parent_operation(op);
        }
    }

    /// If several stores of a memory use address queues, each waits until the previous one is done.
    fn find_writes(&mut self) {
        let mut pending: BTreeMap<ValueId, Vec<OperationId>> = BTreeMap::new();
        for op in self.source.walk_all() {
            let view = self.view(op);
            if view.name() == memref::Store::NAME && view.attribute(PENDING).is_some() {
                pending.entry(view.operand(1)).or_default().push(op);
            }
        }
        for (memory, stores) in pending.into_iter().filter(|(_, stores)| stores.len() > 1) {
            for store in stores {
                self.touch(store, Track::Writes(memory), false, true);
            }
        }
    }

    /// Scheduled circuits cannot wait for a port, so calls that share a memory run one at a time, as if each wrote it. The end
    /// therefore waits for them too, and none continues to run after it.
    fn take_turns(&mut self, calls: &BTreeSet<ValueId>) {
        let shared = |memory: &ValueId| calls.contains(memory);
        for op in self.source.walk_all() {
            if self.view(op).name() != func::Call::NAME {
                continue;
            }
            let mut holder = Some(op);
            while let Some(op) = holder {
                for (track, entry) in self.touched.entry(op).or_default() {
                    entry.1 |= shared(&track.memory());
                }
                holder = self.source.parent_operation(op);
            }
        }
        for (memory, known) in &mut self.memories {
            known.is_written |= shared(memory);
        }
    }

    pub(super) fn add_memory(&mut self, view: View<'_>, memory: ValueId, holder: Holder) {
        let new = Memory {
            holder,
            ty: self.source.ty(memory),
            name: self.source.value_name(memory),
            location: view.location(),
            storage: view.attribute(sluice::STORAGE),
            is_written: false,
            stream: None,
            is_passed: false,
            loads: Vec::new(),
            stores: Vec::new(),
        };
        self.memories.insert(memory, new);
    }

    fn table(&self, view: View<'_>) -> Lowered<Vec<Bits>> {
        let (depth_words, _) = memory_shape(view, view.result(0))?;
        table_words(view, self.module.view(self.context), depth_words)
    }

    /// Emits a load for each token of `order`, or of the address if there is none; returns the word and the completion token.
    pub(super) fn load(
        &mut self,
        domain: DomainId,
        memory: ValueId,
        address: ValueId,
        order: Option<ValueId>,
    ) -> (ValueId, ValueId) {
        let order = match order {
            Some(order) => order,
            None if self.graph.is_sourced(address) => self.trigger(domain),
            None => self.graph.source(),
        };
        let element = self.element(memory);
        let none = self.context.none_type();
        let (data, done) = (self.graph.wire(element), self.graph.wire(none));
        let types = [element, self.graph.body.ty(address)];
        let op = self
            .graph
            .operation(handshake::Load::NAME, &[address, data, order], &types, &[]);
        let (word, address) = (self.graph.body.result(op, 0), self.graph.body.result(op, 1));
        let port = LoadPort {
            address,
            data,
            done,
        };
        self.memory(memory).loads.push(port);
        (word, done)
    }

    /// Emits a store for each token of `order`; returns the completion token.
    pub(super) fn store(
        &mut self,
        memory: ValueId,
        address: ValueId,
        data: ValueId,
        order: ValueId,
    ) -> ValueId {
        let none = self.context.none_type();
        let done = self.graph.wire(none);
        let types = [self.graph.body.ty(data), self.graph.body.ty(address)];
        let op = self
            .graph
            .operation(handshake::Store::NAME, &[address, data, order], &types, &[]);
        let (data, address) = (self.graph.body.result(op, 0), self.graph.body.result(op, 1));
        let port = StorePort {
            data,
            address,
            done,
            is_pending: false,
        };
        self.memory(memory).stores.push(port);
        done
    }

    /// Emits a store whose address precedes its data and waits for it in an address queue; `last` is the completion token of the
    /// previous such store. Returns the token that the address is in the queue, which is all that later accesses need, since
    /// loads compare with the queue; and the completion token.
    pub(super) fn pending_store(
        &mut self,
        memory: ValueId,
        address: ValueId,
        data: ValueId,
        order: ValueId,
        last: Option<ValueId>,
    ) -> (ValueId, ValueId) {
        let ty = self.graph.body.ty(address);
        let none = self.context.none_type();
        let op = self
            .graph
            .operation(handshake::Sync::NAME, &[address, order], &[ty, none], &[]);
        let (address, known) = (self.graph.body.result(op, 0), self.graph.body.result(op, 1));
        let fifo = self
            .graph
            .operation(handshake::Buffer::NAME, &[address], &[ty], &[]);
        let body = &mut *self.graph.body;
        set_buffer(self.context, body, fifo, BufferKind::Fifo, 1, None);
        body.set_attribute(
            fifo,
            self.context.name(PENDING),
            self.context.unit_attribute(),
        );
        let reason = self.context.string_attribute(PENDING_REASON);
        body.set_attribute(fifo, self.context.name(sluice::REASON), reason);
        let address = body.result(fifo, 0);
        let last = last.unwrap_or_else(|| self.graph.source());
        let done = self.store(memory, address, data, last);
        let port = self.memory(memory).stores.last_mut();
        port.expect("it was just made").is_pending = true;
        (known, done)
    }

    /// Returns the channel of a subscript; a constant one becomes a constant.
    pub(super) fn address(&mut self, domain: DomainId, memory: ValueId, index: ValueId) -> ValueId {
        // A stream ignores addresses.
        let is_stream = self.memories[&memory].stream.is_some();
        let number = match is_stream {
            true => Some(Bits::zero(64)),
            false => self.constant_of(index),
        };
        let Some(number) = number else {
            return self.value(domain, index);
        };
        let words = self.source.ty(memory).n_elements(self.context);
        let words = words.unwrap_or_default().to_u32().unwrap_or(u32::MAX);
        let width_bits = address_bits(words);
        let always = self.graph.source();
        self.graph
            .constant(number.zext(64).trunc(width_bits), always)
    }

    fn memory(&mut self, memory: ValueId) -> &mut Memory {
        let found = self.memories.get_mut(&memory);
        found.expect("every memory was found before")
    }

    fn element(&self, memory: ValueId) -> Type {
        match self.source.ty(memory).kind(self.context) {
            TypeKind::MemRef { element, .. } => *element,
            _ => unreachable!("a memory is a memref"),
        }
    }

    /// Creates the memories, after all their ports are known.
    pub(super) fn make_memories(&mut self) {
        let memories = std::mem::take(&mut self.memories);
        let none = self.context.none_type();
        for (number, mut memory) in memories.into_values().enumerate() {
            // The last port has the highest priority: a store that waited must not wait again.
            memory.stores.sort_by_key(|store| store.is_pending);
            // CIRCT requires an operation for every memory argument.
            let is_external = matches!(memory.holder, Holder::External(_));
            if matches!(memory.holder, Holder::Fifo(_)) {
                continue;
            }
            let is_used = !memory.loads.is_empty() || !memory.stores.is_empty() || memory.is_passed;
            if !is_used && !is_external {
                continue;
            }
            let mut operands = Vec::new();
            for store in &memory.stores {
                operands.extend([store.data, store.address]);
            }
            operands.extend(memory.loads.iter().map(|load| load.address));
            let element = match memory.ty.kind(self.context) {
                TypeKind::MemRef { element, .. } => *element,
                _ => unreachable!("a memory is a memref"),
            };
            let (n_loads, n_stores) = (memory.loads.len(), memory.stores.len());
            let mut types = vec![element; n_loads];
            types.extend(vec![none; n_stores + n_loads]);
            let int = |n: usize| {
                let n = Bits::from_u64(32, n as u64);
                self.context
                    .integer_attribute(self.context.integer_type(32), n)
            };
            let mut attributes = vec![
                ("ldCount", int(n_loads)),
                ("stCount", int(n_stores)),
                ("id", int(number)),
            ];
            let mut name = handshake::ExternalMemory::NAME;
            match &memory.holder {
                Holder::External(channel) => operands.insert(0, *channel),
                Holder::Local | Holder::Table(_) | Holder::Fifo(_) => {
                    name = handshake::Memory::NAME;
                    attributes.push(("memRefType", self.context.type_attribute(memory.ty)));
                    let is_pending = memory.stores.iter().any(|store| store.is_pending);
                    attributes.push(("lsq", self.context.bool_attribute(is_pending)));
                }
            }
            if let Holder::Table(words) = &memory.holder {
                let words: Vec<_> = words
                    .iter()
                    .map(|word| self.context.integer_attribute(element, word.clone()))
                    .collect();
                attributes.push((sluice::VALUES, self.context.array_attribute(&words)));
            }
            if memory.stream.is_some() {
                attributes.push((STREAM, self.context.unit_attribute()));
            }
            if let Some(text) = memory.name {
                let text = self.context.string_attribute(self.context.text(text));
                attributes.push((sluice::NAME, text));
            }
            attributes.extend(memory.storage.map(|storage| (sluice::STORAGE, storage)));
            self.graph.location = memory.location;
            let op = self.graph.operation(name, &operands, &types, &attributes);
            let results = self.graph.body.results(op).to_vec();
            let (data, dones) = results.split_at(n_loads);
            let (stored, loaded) = dones.split_at(n_stores);
            for (port, done) in memory.stores.iter().zip(stored) {
                self.graph.connect(port.done, *done);
            }
            for (port, (word, done)) in memory.loads.iter().zip(data.iter().zip(loaded)) {
                self.graph.connect(port.data, *word);
                self.graph.connect(port.done, *done);
            }
        }
    }
}
