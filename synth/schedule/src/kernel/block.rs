//! Builds the scheduling problem of one block: operations, dependences, ports and units.

mod forwarding;
mod units;

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{
    arith, memref, scf, sluice,
    storage::{Ports, Storage, StorageKind, storage_of},
    synthesis_form::{guarded_division, is_any, stale, unchanged},
};
use sluice_ir::{
    Attribute, BlockId, Body, Context, Diagnostics, OperationId, ValueDefinition, ValueId, View,
};
use sluice_oplib::class::OperatorClass;
use sluice_oplib::device::Device;
use sluice_oplib::memory::{Memory, MemoryKind};

use super::ScheduleOptions;
use super::extract::{
    guarded_access, has_constant_address, is_access, is_compound, is_constant, is_free, is_guard,
    memory_shape, title,
};
use crate::problem::{
    Dependence, DependenceKind, Initiation, Operation, OperationId as ProblemId, Problem, Resource,
    ResourceId,
};

pub(crate) use forwarding::{Forwarded, forwarding};
use units::Alike;
pub(crate) use units::{Forms, UnitNeeds};

/// The way in which a block runs.
pub(crate) enum BlockKind {
    /// Once each time it is entered.
    Sequential {
        /// The entries of `sluice.dependences` that concern this block.
        dependences: Option<Attribute>,
    },
    /// Pipelined: again every II cycles.
    Pipelined {
        loop_op: OperationId,
        dependences: Option<Attribute>,
        initiation: Initiation,
        is_while: bool,
    },
}

/// The target of a problem: device, options and unit forms.
#[derive(Clone, Copy)]
pub(crate) struct Hardware<'a> {
    pub(crate) device: &'a Device,
    pub(crate) options: &'a ScheduleOptions,
    /// The unit forms of the function.
    pub(crate) forms: &'a Forms,
}

/// A problem with the IR operations of its problem operations.
pub(crate) struct Extraction {
    pub(crate) problem: Problem,
    /// The IR operation of each problem operation; `None` for those that only represent a timing condition.
    pub(crate) operations: Vec<Option<OperationId>>,
    /// The structure of multi-cycle operators, by name.
    pub(crate) structures: Vec<Option<&'static str>>,
    /// The unit requirements of operations on units that are worth sharing.
    pub(crate) units: BTreeMap<OperationId, UnitNeeds>,
    /// The pairs that may be forwarded.
    forwardable: Forwarded,
}

struct Builder<'a> {
    context: &'a Context,
    body: &'a Body,
    device: &'a Device,
    options: &'a ScheduleOptions,
    forms: &'a Forms,
    problem: Problem,
    operations: Vec<Option<OperationId>>,
    structures: Vec<Option<&'static str>>,
    units: BTreeMap<OperationId, UnitNeeds>,
    of_operation: BTreeMap<OperationId, ProblemId>,
    resources: BTreeMap<String, ResourceId>,
    /// Name of each memory for its ports; no two memories have the same name.
    memories: BTreeMap<ValueId, String>,
    /// Number of operations that use a unit of a class and width, once counted.
    per_unit: BTreeMap<(OperatorClass, u32), Alike>,
    /// In a pipelined loop: the value of each body argument, and its distance in iterations (1 or 0).
    arguments: BTreeMap<ValueId, (ValueId, u32)>,
    /// Arguments whose first value is a constant, which becomes the initial value of a register.
    preset: BTreeSet<ValueId>,
    /// Pairs of operations between which values of the previous iteration may be forwarded.
    forwarded: &'a Forwarded,
    /// The data dependences of the problem, to add each only once.
    data_dependences: BTreeSet<Dependence>,
    diagnostics: Diagnostics,
}

/// Returns the problem of `blocks`, which run together.
pub(crate) fn extract(
    context: &Context,
    body: &Body,
    blocks: &[BlockId],
    kind: &BlockKind,
    name: String,
    hardware: &Hardware<'_>,
    forwarded: &Forwarded,
) -> Result<Extraction, Diagnostics> {
    let Hardware {
        device,
        options,
        forms,
    } = *hardware;
    let initiation = match kind {
        BlockKind::Sequential { .. } => Initiation::Once,
        BlockKind::Pipelined { initiation, .. } => *initiation,
    };
    let problem = Problem {
        name,
        clock_period_ns: device.usable_period_ns(options.path_period_ns),
        operations: Vec::new(),
        dependences: Vec::new(),
        resources: Vec::new(),
        initiation,
    };
    let mut builder = Builder {
        context,
        body,
        device,
        options,
        problem,
        operations: Vec::new(),
        structures: Vec::new(),
        units: BTreeMap::new(),
        forms,
        per_unit: BTreeMap::new(),
        of_operation: BTreeMap::new(),
        resources: BTreeMap::new(),
        memories: BTreeMap::new(),
        arguments: BTreeMap::new(),
        preset: BTreeSet::new(),
        forwarded,
        data_dependences: BTreeSet::new(),
        diagnostics: Diagnostics::new(),
    };
    let order: Vec<OperationId> = blocks
        .iter()
        .flat_map(|b| body.operations(*b).collect::<Vec<_>>())
        .collect();
    if let BlockKind::Pipelined {
        loop_op, is_while, ..
    } = kind
    {
        builder.arguments_of(*loop_op, blocks, *is_while);
    }
    for op in &order {
        builder.add(*op);
    }
    builder.select_initial_values(&order);
    for op in super::cones::inside_tables(context, body, &order) {
        if let Some(id) = builder.of_operation.get(&op) {
            builder.problem.operations[id.index()].input_delay_ns = 0.0;
        }
    }
    for op in &order {
        builder.data(*op);
    }
    for block in blocks {
        builder.sink(*block);
    }
    builder.barriers(&order);
    let dependences = match kind {
        BlockKind::Sequential { dependences } | BlockKind::Pipelined { dependences, .. } => {
            *dependences
        }
    };
    let carried = matches!(kind, BlockKind::Pipelined { .. });
    builder.memory(&order, dependences, carried);
    if let BlockKind::Pipelined { is_while: true, .. } = kind {
        builder.while_condition(blocks);
    }
    if builder.diagnostics.has_errors() {
        return Err(builder.diagnostics);
    }
    Ok(Extraction {
        forwardable: builder.forwardable(),
        problem: builder.problem,
        operations: builder.operations,
        structures: builder.structures,
        units: builder.units,
    })
}

impl<'a> Builder<'a> {
    fn view(&self, op: OperationId) -> View<'a> {
        View::new(self.context, self.body, op)
    }

    fn arguments_of(&mut self, loop_op: OperationId, blocks: &[BlockId], is_while: bool) {
        let last = |block: BlockId| -> Vec<ValueId> {
            self.body
                .last_operation(block)
                .map(|op| self.body.operands(op).collect())
                .unwrap_or_default()
        };
        if is_while {
            let (before, after) = (blocks[0], blocks[1]);
            let forwarded = last(before);
            for (argument, value) in self.body.arguments(before).iter().zip(last(after)) {
                self.arguments.insert(*argument, (value, 1));
            }
            for (argument, value) in self.body.arguments(after).iter().zip(&forwarded[1..]) {
                self.arguments.insert(*argument, (*value, 0));
            }
        } else {
            for (argument, value) in self.body.arguments(blocks[0])[1..]
                .iter()
                .zip(last(blocks[0]))
            {
                self.arguments.insert(*argument, (value, 1));
            }
        }
        let n_bounds = if is_while { 0 } else { 3 };
        let inits = self.body.operands(loop_op).skip(n_bounds);
        let arguments = self.body.arguments(blocks[0]).iter();
        for (argument, init) in arguments.skip(usize::from(!is_while)).zip(inits) {
            if is_constant(self.context, self.body, init) {
                self.preset.insert(*argument);
            }
        }
    }

    /// Returns true if a reader of `value` selects between it and an initial value.
    fn selects_initial(&self, value: ValueId) -> bool {
        let Some((behind, distance)) = self.arguments.get(&value) else {
            return false;
        };
        let in_register = || {
            self.producer(*behind)
                .is_some_and(|(id, _)| self.problem.operations[id.index()].latency_cycles == 0)
        };
        *distance > 0 && !(self.preset.contains(&value) && in_register())
    }

    fn push(
        &mut self,
        operation: Operation,
        op: Option<OperationId>,
        structure: Option<&'static str>,
    ) -> ProblemId {
        let id = ProblemId::from_index(self.problem.operations.len());
        self.problem.operations.push(operation);
        self.operations.push(op);
        self.structures.push(structure);
        if let Some(op) = op {
            self.of_operation.insert(op, id);
        }
        id
    }

    fn resource(&mut self, name: String, count: u32) -> ResourceId {
        if let Some(id) = self.resources.get(&name) {
            return *id;
        }
        let id = ResourceId::from_index(self.problem.resources.len());
        self.problem.resources.push(Resource {
            name: name.clone(),
            count,
        });
        self.resources.insert(name, id);
        id
    }

    /// Returns the source name of a memory, with a number if another memory has the same name: a callee that is inlined twice
    /// causes this.
    fn memory_name(&mut self, memory: ValueId) -> String {
        if let Some(name) = self.memories.get(&memory) {
            return name.clone();
        }
        let named = self.body.value_name(memory);
        let wanted = named.map_or_else(
            || format!("memory{}", memory.index()),
            |name| self.context.text(name).to_owned(),
        );
        let numbered = (2..).map(|n| format!("{wanted}_{n}"));
        let name = std::iter::once(wanted.clone())
            .chain(numbered)
            .find(|name| !self.memories.values().any(|taken| taken == name))
            .expect("there are more numbers than memories");
        self.memories.insert(memory, name.clone());
        name
    }

    fn add(&mut self, op: OperationId) {
        let view = self.view(op);
        if is_free(view) {
            return;
        }
        let name = title(self.context, self.body, op);
        if is_compound(view) {
            let mut operation = Operation::combinational(name, view.name(), 0.0);
            operation.latency_cycles = 1;
            operation.width_bits = 0;
            operation.input_delay_ns = self.entry_delay_ns(view);
            self.push(operation, Some(op), None);
            return;
        }
        let access = guarded_access(view).unwrap_or(op);
        let accessed = self.view(access);
        match accessed.name() {
            memref::Load::NAME => self.add_access(op, accessed, accessed.operand(0), true, name),
            memref::Store::NAME => self.add_access(op, accessed, accessed.operand(1), false, name),
            _ => match guarded_division(view) {
                Some(division) => self.add_operator(op, self.view(division), name),
                None => self.add_operator(op, view, name),
            },
        }
    }

    /// Returns the delay in ns that follows the bounds of a loop in its start cycle: the comparison that decides if there is an
    /// iteration.
    fn entry_delay_ns(&self, view: View<'a>) -> f64 {
        let is_fixed = |i: usize| is_constant(self.context, self.body, view.operand(i));
        if view.name() != scf::For::NAME || is_fixed(0) && is_fixed(1) {
            return 0.0;
        }
        let width = view.ty(view.operand(0)).integer_width_bits(self.context);
        let comparison = width.map(|width| self.implementation(OperatorClass::CompareOrder, width));
        comparison
            .and_then(Result::ok)
            .map_or(0.0, |unit| unit.input_delay_ns)
    }

    fn add_access(
        &mut self,
        op: OperationId,
        access: View<'a>,
        memory: ValueId,
        reads: bool,
        name: String,
    ) {
        let (words, width_bits) = memory_shape(self.context, self.body, memory);
        let storage = storage_of(self.context, self.body, memory);
        let Some(costs) = self.memory_costs(storage, words, width_bits) else {
            let message = format!("device `{}` has no such memories", self.device.name);
            self.diagnostics.error(access.location(), message);
            return;
        };
        let port = if reads { "read" } else { "write" };
        let named = self.memory_name(memory);
        let ports = storage.map_or(Ports::Separate { reads: 1 }, |storage| storage.ports);
        let resource = match ports {
            Ports::Separate { reads: n_reads } => {
                let count = if reads { n_reads } else { 1 };
                Some(self.resource(format!("{port} port of `%{named}`"), count))
            }
            Ports::TrueDual => Some(self.resource(format!("port of `%{named}`"), 2)),
            Ports::Each => None,
        };
        let costs = if reads { costs.read } else { costs.write };
        let mut operation = Operation::combinational(
            name,
            if reads { "memory_read" } else { "memory_write" },
            0.0,
        );
        operation.resource = resource;
        operation.input_delay_ns = costs.input_delay_ns;
        if reads {
            operation.latency_cycles = 1;
            operation.output_delay_ns = costs.output_delay_ns;
            operation.width_bits = width_bits;
            let is_register = storage.is_some_and(|s| s.kind == StorageKind::Registers);
            if is_register && has_constant_address(access) {
                operation.input_delay_ns = 0.0;
            }
            let guard = self.view(op);
            let choice_ns = if is_guard(guard) && !is_any(guard) {
                self.device.choice_delay_ns(width_bits)
            } else {
                0.0
            };
            // The implementation of a memory outside is unknown: assume block memory of its size, but no slower than the clock.
            if self.body.defining_operation(memory).is_none() {
                let max_ns = (self.problem.clock_period_ns - choice_ns).max(0.0);
                operation.input_delay_ns = operation.input_delay_ns.min(max_ns);
                operation.output_delay_ns = operation.output_delay_ns.min(max_ns);
            }
            // An unclocked read delivers its data in the same cycle, if the delay fits.
            let together_ns = operation.input_delay_ns + choice_ns;
            let unclocked = storage.is_some_and(Storage::reads_without_clock);
            if unclocked && together_ns <= self.problem.clock_period_ns {
                operation.latency_cycles = 0;
                operation.input_delay_ns = together_ns;
                operation.output_delay_ns = 0.0;
            } else {
                operation.output_delay_ns += choice_ns;
            }
        } else {
            operation.width_bits = 0;
        }
        self.push(operation, Some(op), None);
    }

    /// Returns the costs of the ports of a memory: by its size if its storage is not specified.
    fn memory_costs(
        &self,
        storage: Option<Storage>,
        words: u32,
        width_bits: u32,
    ) -> Option<Memory> {
        let device = self.device;
        let of_size = || device.memory(words, width_bits);
        let of_kind = |kind| device.memory_of_kind(kind, words, width_bits);
        match storage.map(|storage| storage.kind) {
            None | Some(StorageKind::Rom) => of_size(),
            Some(StorageKind::LutRam) => of_kind(MemoryKind::Distributed),
            Some(StorageKind::BlockRam) => match storage.map(|storage| storage.ports) {
                Some(Ports::TrueDual) => device.true_dual_memory(words, width_bits),
                _ => of_kind(MemoryKind::Block),
            },
            Some(StorageKind::Registers) => {
                let mut held = of_kind(MemoryKind::Distributed).or_else(of_size)?;
                held.read = device.word_choice(words, width_bits);
                Some(held)
            }
        }
    }

    /// Returns true if `from` is the result of a shared combinational unit or an unclocked read, or depends on one in the same
    /// cycle. The address of an unclocked read and a forwarded value must not depend on these: ports and units are shared over
    /// time, so the wires between them could form a combinational loop.
    fn depends_on_shared_unit(&self, from: ProblemId) -> bool {
        let mut open = vec![from];
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            let operation = &self.problem.operations[id.index()];
            if operation.latency_cycles > 0 || !seen.insert(id) {
                continue;
            }
            let Some(op) = self.operations[id.index()] else {
                continue;
            };
            let is_unit = OperatorClass::of_name(&operation.class)
                .is_some_and(OperatorClass::is_worth_sharing);
            if is_unit || self.reads_unclocked(id) {
                return true;
            }
            let operands = self.body.operands(op).map(|value| self.through_cast(value));
            let producers = operands.filter_map(|value| self.producer(value));
            let together = producers
                .filter(|(from, distance)| *distance == 0 || self.forwarded.contains(&(*from, id)));
            open.extend(together.map(|(from, _)| from));
        }
        false
    }

    /// Returns true if an operation is an unclocked read at an address that is not constant.
    fn reads_unclocked(&self, id: ProblemId) -> bool {
        let Some(op) = self.operations[id.index()] else {
            return false;
        };
        let access = self.view(guarded_access(self.view(op)).unwrap_or(op));
        access.name() == memref::Load::NAME
            && self.problem.operations[id.index()].latency_cycles == 0
            && !has_constant_address(access)
    }

    /// Returns the problem operation that makes `value` in these blocks, and the distance in iterations.
    fn producer(&self, value: ValueId) -> Option<(ProblemId, u32)> {
        let (mut value, mut distance) = (value, 0);
        // An argument is a value of this or the previous iteration; a chain of arguments is short.
        for _ in 0..64 {
            match self.body.value_definition(value) {
                ValueDefinition::Argument { .. } => {
                    let (behind, more) = self.arguments.get(&value)?;
                    (value, distance) = (*behind, distance + more);
                }
                ValueDefinition::Result { operation, .. } => {
                    return self.of_operation.get(&operation).map(|id| (*id, distance));
                }
            }
        }
        None
    }

    fn reads(&mut self, value: ValueId, reader: ProblemId) {
        self.reads_back(value, reader, 1);
    }

    /// Adds the dependence as [`Builder::reads`] does, for a reader that may take the value of `iterations` earlier instead of
    /// one earlier.
    fn reads_back(&mut self, value: ValueId, reader: ProblemId, iterations: u32) {
        let value = self.through_cast(value);
        if let Some((from, distance)) = self.producer(value) {
            let unchanged = distance == 1 && iterations > 1;
            let distance = if unchanged { iterations } else { distance };
            let chained = !(distance == 0
                && self.reads_unclocked(reader)
                && self.depends_on_shared_unit(from));
            let kind = DependenceKind::Data { chained };
            let dependence = Dependence {
                from,
                to: reader,
                distance,
                kind,
                unchanged,
                forwarded: distance == 1 && self.forwarded.contains(&(from, reader)),
            };
            if self.data_dependences.insert(dependence) {
                self.problem.dependences.push(dependence);
            }
        }
    }

    /// Returns the integer under an index cast, or the value itself.
    fn through_cast(&self, value: ValueId) -> ValueId {
        match self.body.defining_operation(value) {
            Some(op) if self.view(op).name() == arith::IndexCastui::NAME => {
                self.body.operand(op, 0)
            }
            _ => value,
        }
    }

    fn data(&mut self, op: OperationId) {
        let Some(reader) = self.of_operation.get(&op).copied() else {
            return;
        };
        let view = self.view(op);
        let mut values: Vec<ValueId> = view.operands().collect();
        if let Some(access) = guarded_access(view).or_else(|| guarded_division(view)) {
            values.extend(self.body.operands(access));
        } else if is_compound(view) {
            for inner in self.body.walk(op) {
                values.extend(self.body.operands(inner));
            }
        }
        let iterations = stale(view).unwrap_or_else(|| unchanged(view));
        for value in values {
            self.reads_back(value, reader, iterations);
        }
    }

    /// Adds a sink: the operands of the terminator must be available in the last cycle.
    fn sink(&mut self, block: BlockId) {
        let Some(last) = self.body.last_operation(block) else {
            return;
        };
        let mut values: Vec<ValueId> = self.body.operands(last).collect();
        values.extend(self.used_in_other_blocks(block));
        if values.is_empty() || !is_free(self.view(last)) {
            return;
        }
        let mut operation = Operation::combinational(
            format!("end {}", title(self.context, self.body, last)),
            "wire",
            0.0,
        );
        operation.width_bits = 0;
        let sink = self.push(operation, None, None);
        for value in values {
            let value = self.through_cast(value);
            // Only values of this iteration: carried values stay in their registers.
            if let Some((from, 0)) = self.producer(value) {
                self.problem.dependences.push(Dependence::data(from, sink));
            }
        }
        let compounds: Vec<ProblemId> = self.compounds();
        for compound in compounds {
            self.problem
                .dependences
                .push(Dependence::order(compound, sink, 0, 1));
        }
    }

    /// Returns the values of a function's block that another block of the function uses: registers must hold them when the block
    /// is left.
    fn used_in_other_blocks(&self, block: BlockId) -> Vec<ValueId> {
        if self.body.block_parent_operation(block).is_some() {
            return Vec::new();
        }
        let outermost = |op: OperationId| {
            let mut current = op;
            while let Some(parent) = self.body.parent_operation(current) {
                current = parent;
            }
            self.body.parent_block(current)
        };
        let results = self
            .body
            .operations(block)
            .flat_map(|op| self.body.results(op).to_vec());
        results
            .filter(|value| {
                self.body
                    .uses(*value)
                    .any(|(user, _)| outermost(user) != Some(block))
            })
            .collect()
    }

    fn compounds(&self) -> Vec<ProblemId> {
        let all = self
            .of_operation
            .iter()
            .filter(|(op, _)| is_compound(self.view(**op)));
        all.map(|(_, id)| *id).collect()
    }

    /// Keeps the order between a compound operation and multi-cycle operations, and between it and memory accesses.
    fn barriers(&mut self, order: &[OperationId]) {
        let positions: Vec<OperationId> = order
            .iter()
            .copied()
            .filter(|op| self.of_operation.contains_key(op))
            .collect();
        for (at, compound) in positions.iter().enumerate() {
            if !is_compound(self.view(*compound)) {
                continue;
            }
            let compound_id = self.of_operation[compound];
            for (other_at, other) in positions.iter().enumerate() {
                if other_at == at {
                    continue;
                }
                let other_id = self.of_operation[other];
                let operation = &self.problem.operations[other_id.index()];
                let (latency, has_resource) =
                    (operation.latency_cycles, operation.resource.is_some());
                if latency == 0 && !has_resource && !self.touches_memory(*other) {
                    continue;
                }
                let both_compound = is_compound(self.view(*other));
                let dependence = match (other_at < at, both_compound) {
                    (true, true) => continue,
                    (true, false) => {
                        Dependence::order(other_id, compound_id, 0, i64::from(latency))
                    }
                    (false, _) => Dependence::order(compound_id, other_id, 0, 1),
                };
                self.problem.dependences.push(dependence);
            }
        }
    }

    /// Returns true if an operation is an access, or a guard that contains one.
    fn touches_memory(&self, op: OperationId) -> bool {
        let view = self.view(op);
        is_access(view) || guarded_access(view).is_some()
    }

    fn memory(&mut self, order: &[OperationId], dependences: Option<Attribute>, carried: bool) {
        let mut accesses: BTreeMap<i64, (ProblemId, bool)> = BTreeMap::new();
        for op in order {
            let view = self.view(*op);
            let access = self.view(guarded_access(view).unwrap_or(*op));
            let number = access
                .attribute(sluice::ACCESS)
                .and_then(|a| a.as_i64(self.context));
            if let (Some(number), Some(id)) = (number, self.of_operation.get(op)) {
                accesses.insert(number, (*id, access.name() == memref::Store::NAME));
            }
        }
        let listed = dependences
            .and_then(|a| a.as_array(self.context))
            .unwrap_or_default();
        for entry in listed {
            let Some([source, sink, distance]) = entry
                .as_dense_array_i64(self.context)
                .as_deref()
                .map(|v| match v {
                    [a, b, c] => [*a, *b, *c],
                    _ => [-1, -1, 0],
                })
            else {
                continue;
            };
            let (Some((from, _)), Some((to, _))) = (accesses.get(&source), accesses.get(&sink))
            else {
                continue;
            };
            if distance > 0 && !carried {
                continue;
            }
            let distance = u32::try_from(distance.clamp(0, 1_000_000)).unwrap_or(0);
            self.problem
                .dependences
                .push(Dependence::order(*from, *to, distance, 1));
        }
    }

    /// Issues the next iteration only after the condition of this one is known; stores also wait for the condition.
    fn while_condition(&mut self, blocks: &[BlockId]) {
        let Some(last) = self.body.last_operation(blocks[0]) else {
            return;
        };
        let condition = self.body.operand(last, 0);
        let Some((from, distance)) = self.producer(condition) else {
            return;
        };
        let mut issue = Operation::combinational("issue of the next iteration", "wire", 0.0);
        issue.width_bits = 0;
        issue.earliest = Some(0);
        issue.latest = Some(0);
        let issue = self.push(issue, None, None);
        let latency = i64::from(self.problem.operations[from.index()].latency_cycles);
        self.problem
            .dependences
            .push(Dependence::order(from, issue, distance + 1, latency + 1));
        for op in self.body.operations(blocks[1]).collect::<Vec<_>>() {
            let view = self.view(op);
            let access = self.view(guarded_access(view).unwrap_or(op));
            if access.name() == memref::Store::NAME
                && let Some(store) = self.of_operation.get(&op).copied()
            {
                self.reads(condition, store);
            }
        }
    }
}
