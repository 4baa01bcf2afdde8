//! Binds one function: its frames, values, memories and units, from the scheduled form to nets.

use std::collections::BTreeMap;

use sluice_dialects::sluice::{REGISTERED_OPERANDS, UNIT_WIDTH};
use sluice_dialects::{
    arith, memref, sluice,
    storage::{constant_address, storage},
    synthesis_form::{guarded_division, is_any, stale, unchanged},
};
use sluice_ir::bits::Bits;
use sluice_ir::{BlockId, Body, Context, OperationId, ValueId, View};
use sluice_netlist::circuit::{Circuit, RegisterOptions};
use sluice_netlist::error::{Built, broken};
use sluice_netlist::generators::UnitKind;
use sluice_netlist::operators;
use sluice_netlist::source::{integer_width, memory_shape, number, table_words, value_name};

use crate::frame::{Frame, FrameId, Origin};
use crate::memory::{Access, Memory, MemoryKind, Slot};
use crate::scheduled::{
    guarded_access, is_compound, is_free, is_guard, latency, start, terminator_operands,
};
use crate::units::{UnitUse, Units};
use crate::values::{Definition, Values};

/// Error for a schedule with too many accesses in one cycle.
const NO_PORT: &str = "all ports of the memory are taken in its cycle";

/// Returns the index of the word that an access with a constant address touches.
fn constant_word(view: View<'_>) -> Option<usize> {
    usize::try_from(constant_address(view)?).ok()
}

/// Index of a memory of the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MemoryId(pub(crate) usize);

/// Binds one function.
pub(crate) struct FunctionBinder<'a, 'c> {
    pub(crate) source: &'a Body,
    pub(crate) context: &'a Context,
    /// The module that contains the function, for callees and tables.
    pub(crate) module: View<'a>,
    pub(crate) circuit: Circuit<'c>,
    pub(crate) values: Values,
    pub(crate) memories: Vec<Memory>,
    pub(crate) memory_of: BTreeMap<ValueId, MemoryId>,
    pub(crate) units: Units,
    /// Call sites by callee; all sites of one callee share an instance.
    pub(crate) calls: BTreeMap<String, Vec<crate::calls::Call>>,
}

impl<'a, 'c> FunctionBinder<'a, 'c> {
    /// Creates a binder of the function `view` of `module`, which builds `circuit`.
    pub(crate) fn new(view: View<'a>, module: View<'a>, circuit: Circuit<'c>) -> Self {
        let source = view.inner();
        Self {
            source,
            context: view.context,
            module,
            circuit,
            values: Values::new(source.value_capacity()),
            memories: Vec::new(),
            memory_of: BTreeMap::new(),
            units: Units::default(),
            calls: BTreeMap::new(),
        }
    }
}

impl<'a> FunctionBinder<'a, '_> {
    pub(crate) fn view(&self, op: OperationId) -> View<'a> {
        View::new(self.context, self.source, op)
    }

    pub(crate) fn token(&mut self, frame: FrameId, t: u32) -> ValueId {
        self.values.frames[frame.0].token(&mut self.circuit, t)
    }

    pub(crate) fn source_of_token(&mut self, frame: FrameId, t: u32) -> ValueId {
        self.values.frames[frame.0].source(&mut self.circuit, t)
    }

    pub(crate) fn read(
        &mut self,
        view: View<'_>,
        value: ValueId,
        frame: FrameId,
        u: u32,
    ) -> Built<ValueId> {
        self.values.read(&mut self.circuit, view, value, frame, u)
    }

    /// Opens a frame for `blocks`, and defines the times of their values.
    pub(crate) fn open_frame(
        &mut self,
        name: &str,
        parent: Option<(FrameId, u32)>,
        ii: Option<u32>,
        blocks: &[BlockId],
    ) -> Built<FrameId> {
        let mut starts = Vec::new();
        for block in blocks {
            for op in self.source.operations(*block) {
                if is_compound(self.view(op)) {
                    starts.push(start(self.view(op))?);
                }
            }
        }
        let unique = self.circuit.unique_name(name);
        let first = blocks.first().copied();
        let around = first.and_then(|block| self.source.block_parent_operation(block));
        let regions: Vec<_> = match around {
            Some(op) => self.source.regions(op).to_vec(),
            None => self.source.top_regions().collect(),
        };
        let mut beside = regions
            .iter()
            .flat_map(|region| self.source.blocks(*region));
        let origin = Origin {
            name: unique,
            location: around.map_or(self.circuit.location, |op| self.view(op).location()),
            operation: around.and_then(|op| {
                let all = self.source.walk_all();
                all.iter().position(|other| *other == op)
            }),
            block: beside
                .position(|block| Some(*block) == first)
                .unwrap_or_default(),
        };
        let frame = Frame::new(&mut self.circuit, origin, parent, ii, &starts);
        let id = FrameId(self.values.frames.len());
        self.values.frames.push(frame);
        for block in blocks {
            for op in self.source.operations(*block) {
                self.place_results(id, op)?;
            }
        }
        Ok(id)
    }

    /// Defines the times of the results of a simple operation.
    fn place_results(&mut self, frame: FrameId, op: OperationId) -> Built<()> {
        let view = self.view(op);
        if view.name() == arith::Constant::NAME {
            let value = view
                .attribute("value")
                .and_then(|a| a.integer(self.context));
            let value =
                value.ok_or_else(|| broken(view, "only integer constants have hardware"))?;
            self.values
                .define(view.result(0), Definition::Constant(value.clone()));
            return Ok(());
        }
        if is_free(view) || is_compound(view) || view.results().is_empty() {
            return Ok(());
        }
        let available = start(view)? + latency(view);
        for result in view.results() {
            self.values.define(
                *result,
                Definition::Timed {
                    frame,
                    first: available,
                    last: available,
                },
            );
        }
        Ok(())
    }

    /// Lowers every operation of `block` except the terminator. `predicate` gates the stores.
    pub(crate) fn lower_block(
        &mut self,
        block: BlockId,
        frame: FrameId,
        predicate: Option<ValueId>,
    ) -> Built<()> {
        let ops: Vec<_> = self.source.operations(block).collect();
        for op in ops {
            let view = self.view(op);
            self.circuit.location = view.location();
            if view.name() == memref::Alloca::NAME || view.name() == memref::GetGlobal::NAME {
                self.declare_memory(view)?;
            } else if is_free(view) {
                continue;
            } else if is_compound(view) {
                if predicate.is_some() {
                    return Err(broken(view, "a pipelined loop holds no compound operation"));
                }
                self.lower_compound(view, frame)?;
            } else if is_guard(view) {
                self.lower_guard(view, frame, predicate)?;
            } else {
                self.lower_simple(view, frame, predicate, None)?;
            }
        }
        Ok(())
    }

    /// Lowers a store, a load or an operator in its cycle.
    fn lower_simple(
        &mut self,
        view: View<'a>,
        frame: FrameId,
        predicate: Option<ValueId>,
        guard: Option<(View<'a>, ValueId)>,
    ) -> Built<()> {
        // If there is a guard, it has the attributes of the schedule.
        let timed = guard.map_or(view, |(guard, _)| guard);
        let time = start(timed)?;
        match view.name() {
            memref::Load::NAME => {
                let memory = self.memory(view, view.operand(0))?;
                let address = self.address(view, memory, view.operand(1), frame, time)?;
                let enable = self.access_enable(view, frame, time, guard, None)?;
                let cycles = latency(timed);
                let data =
                    self.read_memory(view, memory, (frame, time), (enable, address), cycles)?;
                let (result, data) = match guard {
                    None => (view.result(0), data),
                    Some((guard, _)) if is_any(guard) => (guard.result(0), data),
                    Some((guard, condition)) => {
                        let condition = self.read(guard, condition, frame, time + cycles)?;
                        let zero = self
                            .circuit
                            .constant(Bits::zero(self.memories[memory.0].width_bits));
                        (guard.result(0), self.circuit.mux(condition, data, zero))
                    }
                };
                self.values.drive(&mut self.circuit, result, data);
            }
            memref::Store::NAME => {
                let memory = self.memory(view, view.operand(1))?;
                let address = self.address(view, memory, view.operand(2), frame, time)?;
                let data = self.read(view, view.operand(0), frame, time)?;
                let enable = self.access_enable(view, frame, time, guard, predicate)?;
                let slot = self.slot(frame, time);
                let access = Access {
                    enable,
                    address,
                    data: Some(data),
                };
                let memory = &mut self.memories[memory.0];
                if let (Some(words), Some(word)) = (&mut memory.words, constant_word(view)) {
                    words.write(word, access);
                } else if !memory.write(Some(slot), access) {
                    return Err(broken(view, NO_PORT));
                }
            }
            _ => {
                let mut operands = Vec::new();
                let iterations = unchanged(view);
                let is_stale = stale(view).is_some();
                for operand in view.operands() {
                    let values = &mut self.values;
                    if is_stale {
                        let circuit = &mut self.circuit;
                        operands.push(values.read_stale(circuit, view, operand, frame, time)?);
                        continue;
                    }
                    operands.push(values.read_unchanged(
                        &mut self.circuit,
                        view,
                        operand,
                        frame,
                        time,
                        iterations,
                    )?);
                }
                let constant_operand = operands
                    .iter()
                    .any(|o| self.circuit.constant_of(*o).is_some());
                let registered = timed.attribute(REGISTERED_OPERANDS).is_some();
                let unit_latency = latency(timed) - u32::from(registered);
                let wider_bits = number(timed, UNIT_WIDTH);
                let kind = operators::unit_kind(view, wider_bits, unit_latency, constant_operand)?;
                let net = match kind {
                    Some(kind) => {
                        let width_bits = integer_width(view, view.result(0))?;
                        let result = self.circuit.wire(kind.width_bits());
                        let sides = match &kind {
                            UnitKind::Float { .. } => {
                                operators::float_operands(&mut self.circuit, view, &operands)
                            }
                            _ => [operands[0], operands[1]],
                        };
                        let [left, right] = kind.operands(&mut self.circuit, sides);
                        let occupancy = number(timed, sluice::OCCUPANCY).unwrap_or(1);
                        let token = self.access_enable(view, frame, time, guard, None)?;
                        let new = UnitUse {
                            token,
                            left,
                            right,
                            result,
                            frame,
                            start: time,
                            ii: self.values.frames[frame.0].ii,
                            occupancy_cycles: occupancy.max(1),
                            registered,
                            max_sharers: number(timed, sluice::MAX_SHARERS),
                            alone: guard.is_some(),
                            location: view.location(),
                        };
                        self.units.bind(kind, new);
                        self.circuit.extract(result, 0, width_bits)
                    }
                    None => {
                        let net = operators::combinational(&mut self.circuit, view, &operands)?;
                        let name = value_name(view, view.result(0));
                        if view.body.value_name(view.result(0)).is_some() {
                            self.circuit.name(net, &name);
                        }
                        net
                    }
                };
                let result = timed.result(0);
                self.values.drive(&mut self.circuit, result, net);
            }
        }
        Ok(())
    }

    /// Returns the data of a load that starts at a time of a frame, with its enable and its address.
    fn read_memory(
        &mut self,
        view: View<'a>,
        memory: MemoryId,
        (frame, time): (FrameId, u32),
        (enable, address): (ValueId, ValueId),
        latency_cycles: u32,
    ) -> Built<ValueId> {
        let slot = self.slot(frame, time);
        let access = Access {
            enable,
            address,
            data: None,
        };
        let memory = &mut self.memories[memory.0];
        if let (Some(words), Some(word)) = (&mut memory.words, constant_word(view))
            && latency_cycles == 0
        {
            return Ok(words.word(&mut self.circuit, word, memory.width_bits));
        }
        if memory.readers.is_empty() {
            memory.read_latency_cycles = latency_cycles;
        }
        if memory.read_latency_cycles != latency_cycles {
            return Err(broken(view, "reads of one memory have different latencies"));
        }
        memory
            .read(&mut self.circuit, Some(slot), access)
            .ok_or_else(|| broken(view, NO_PORT))
    }

    /// Returns the slot of a frame in which an access that starts at `time` uses its port.
    fn slot(&self, frame: FrameId, time: u32) -> Slot {
        let ii = self.values.frames[frame.0].ii;
        (frame, ii.map_or(time, |ii| time % ii))
    }

    fn lower_guard(
        &mut self,
        view: View<'a>,
        frame: FrameId,
        predicate: Option<ValueId>,
    ) -> Built<()> {
        let access = match guarded_division(view) {
            Some(division) => division,
            None => guarded_access(view)?,
        };
        let access = self.view(access);
        self.lower_simple(access, frame, predicate, Some((view, view.operand(0))))
    }

    fn access_enable(
        &mut self,
        view: View<'a>,
        frame: FrameId,
        time: u32,
        guard: Option<(View<'a>, ValueId)>,
        predicate: Option<ValueId>,
    ) -> Built<ValueId> {
        let mut enable = self.token(frame, time);
        for condition in guard
            .map(|(_, condition)| condition)
            .into_iter()
            .chain(predicate)
        {
            let condition = self.read(view, condition, frame, time)?;
            enable = self.circuit.and(enable, condition);
        }
        Ok(enable)
    }

    /// Returns the address before its `arith.index_castui`, or a constant address.
    fn address(
        &mut self,
        view: View<'a>,
        memory: MemoryId,
        index: ValueId,
        frame: FrameId,
        time: u32,
    ) -> Built<ValueId> {
        let made = self
            .source
            .defining_operation(index)
            .map(|op| self.view(op));
        match made {
            Some(cast) if cast.name() == arith::IndexCastui::NAME => {
                self.read(view, cast.operand(0), frame, time)
            }
            Some(constant) if constant.name() == arith::Constant::NAME => {
                let value = constant
                    .attribute("value")
                    .and_then(|a| a.integer(self.context));
                let value = value.ok_or_else(|| broken(view, "the index is not a number"))?;
                let bits = self.memories[memory.0].address_bits();
                Ok(self.circuit.constant(value.trunc(bits.min(value.width()))))
            }
            _ => Err(broken(view, "the index is not an `arith.index_castui`")),
        }
    }

    /// Returns the memory of a memref value.
    pub(crate) fn memory(&self, view: View<'_>, value: ValueId) -> Built<MemoryId> {
        self.memory_of
            .get(&value)
            .copied()
            .ok_or_else(|| broken(view, "an access to an undeclared memory"))
    }

    /// Adds the memory of an argument, an allocation or a constant table.
    pub(crate) fn add_memory(&mut self, value: ValueId, memory: Memory) {
        self.memory_of.insert(value, MemoryId(self.memories.len()));
        self.memories.push(memory);
    }

    fn declare_memory(&mut self, view: View<'a>) -> Built<()> {
        let value = view.result(0);
        let (depth_words, width_bits) = memory_shape(view, value)?;
        let kind = if view.name() == memref::Alloca::NAME {
            MemoryKind::Local {
                name: value_name(view, value),
            }
        } else {
            MemoryKind::Table {
                values: table_words(view, self.module, depth_words)?,
            }
        };
        let memory = Memory::new(kind, depth_words, width_bits).held(storage(view));
        self.add_memory(value, memory);
        Ok(())
    }

    /// Returns the net of `value` in the last cycle of `frame`, which has depth `depth`, where a terminator reads it.
    pub(crate) fn read_passed_on(
        &mut self,
        view: View<'_>,
        value: ValueId,
        frame: FrameId,
        depth: u32,
    ) -> Built<ValueId> {
        self.read(view, value, frame, depth - 1)
    }

    /// Returns a register that captures `data` when `enable` is set.
    pub(crate) fn capture(&mut self, data: ValueId, enable: ValueId, name: &str) -> ValueId {
        self.circuit.register(
            data,
            RegisterOptions {
                enable: Some(enable),
                reset: None,
                preset: None,
                name,
            },
        )
    }

    /// Returns the operands of the terminator of `block`.
    pub(crate) fn passed_on(&self, view: View<'_>, block: BlockId) -> Vec<ValueId> {
        terminator_operands(View::new(self.context, self.source, view.id), block)
    }

    /// Returns the width of an integer value of the source.
    pub(crate) fn width(&self, view: View<'_>, value: ValueId) -> Built<u32> {
        integer_width(view, value)
    }
}
