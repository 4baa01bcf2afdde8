//! Comparison, cycle by cycle, of the writes at the circuit's ports with the stores of the interpreter on the scheduled form. For
//! an elastic kernel, it runs on the last form before the dataflow graph.
//!
//! A schedule may reorder stores to different cells, so each cell is compared separately.

use std::collections::{BTreeMap, VecDeque};

use sluice_dialects::{affine, func, interface::MemoryPorts, scf};
use sluice_ir::bits::Bits;
use sluice_ir::limits::Limit;
use sluice_ir::{Context, Module, View};
use sluice_kernel::compiled::Compiled;
use sluice_sim::cycle::{CycleSimulator, Settings};
use sluice_sim::interpreter::{Argument, Interpreter, Outcome, Record, RunError};
use sluice_sim::testbench::begin;
use sluice_verify::check::{difference, enough_cycles, most_cycles, predicted_cycles};
use sluice_verify::data::Case;

use sluice_verify::stage_arguments::arguments_of;

use super::{Stages, Verdict, place};

/// A write at a port.
struct Write {
    cycle: u64,
    memory: usize,
    cell: usize,
    word: Bits,
}

/// The ports of one memory that show its writes.
struct Port {
    enable: usize,
    address: usize,
    data: usize,
}

pub(super) fn compare(kernel: &Stages, case: &Case) -> Verdict {
    let compiled = &kernel.compiled;
    let (context, interface) = (&compiled.context, &compiled.interface);
    let is_run = |module: &Module| {
        let op = module.lookup_symbol(context, &compiled.top);
        op.is_some_and(|op| View::new(context, module.inner(), op).name() == func::Func::NAME)
    };
    let last = kernel.stages.iter().map(|(_, module)| module);
    let (form, what) = match (is_run(&compiled.scheduled), last.rev().find(|m| is_run(m))) {
        (false, Some(form)) => (form, "last form before the graph"),
        _ => (&compiled.scheduled, "scheduled form"),
    };
    let arguments = arguments_of(context, form, interface, case);
    let Ran {
        record,
        outcome: expected,
        n_operations,
    } = match interpret(compiled, form, &arguments, None) {
        Ok(ran) => ran,
        Err(error) => {
            return Verdict::Unknown(format!(
                "the {what} does not run: {}: {}",
                place(context, error.location),
                error.message
            ));
        }
    };
    if record.is_cut {
        return Verdict::Unknown(format!("there are more than {} stores", Record::MOST));
    }
    let simulator =
        CycleSimulator::of_kernel(context, &compiled.circuit, interface, &Settings::default());
    let mut simulator = match simulator {
        Ok(simulator) => simulator,
        Err(found) => return Verdict::Unknown(found.to_text(context)),
    };
    let started = match begin(&mut simulator, interface, &case.arguments) {
        Ok(started) => started,
        Err(why) => return Verdict::Unknown(why.to_string()),
    };
    let memories: Vec<MemoryPorts> = interface
        .arguments
        .iter()
        .flat_map(|argument| argument.memories())
        .collect();
    let ports: Vec<Option<Port>> = memories
        .iter()
        .map(|memory| port(&simulator, &memory.name))
        .collect();
    let mut stores = Stores::new(&record, memories.len());
    let unpredicted = n_operations
        .saturating_mul(MAX_CYCLES_OF_OPERATION)
        .clamp(100_000, most_cycles(compiled).max(100_000));
    let limit = enough_cycles(compiled, unpredicted);
    let mut cycle = 0;
    let is_done = loop {
        for (memory, port) in ports.iter().enumerate() {
            let Some(write) = port
                .as_ref()
                .and_then(|port| seen(&simulator, port, cycle, memory))
            else {
                continue;
            };
            if let Some(fact) = stores.meet(&write) {
                let told = Told {
                    compiled,
                    form,
                    arguments: &arguments,
                    record: &record,
                    memories: &memories,
                };
                return Verdict::Part(told.describe(&write, fact));
            }
        }
        if cycle > 0 && started.is_done(&simulator) {
            break true;
        }
        if cycle >= limit {
            break false;
        }
        simulator.run_cycle();
        cycle += 1;
    };
    let told = Told {
        compiled,
        form,
        arguments: &arguments,
        record: &record,
        memories: &memories,
    };
    if let Some(missing) = stores.first_left() {
        let end = match is_done {
            true => format!("the circuit is done in cycle {cycle}"),
            false => format!("there is no `done` in {cycle} cycles"),
        };
        return Verdict::Part(format!("{} is never made: {end}", told.store(missing)));
    }
    if !is_done {
        return Verdict::Part(format!(
            "all writes are made, but there is no `done` in {cycle} cycles"
        ));
    }
    let results = started.results(&simulator);
    let memories = &expected.memories;
    if let Some(found) = difference(compiled, &expected, &results, memories) {
        return Verdict::Part(format!(
            "all {} writes agree, but in cycle {cycle}, when the circuit is done, {found}, which {} returns",
            stores.n_met,
            returned(context, form, &compiled.top)
        ));
    }
    if let Some(predicted) = predicted_cycles(compiled).filter(|p| *p != cycle) {
        return Verdict::Part(format!(
            "all writes and results agree, but the circuit takes {cycle} cycles, {predicted} were predicted"
        ));
    }
    Verdict::Agree(format!(
        "{} writes at the ports and {} results agree with the {what}, in {cycle} cycles",
        stores.n_met,
        results.len()
    ))
}

/// Upper bound on the circuit's cycles for one operation of the interpreter, including the widest divisions.
const MAX_CYCLES_OF_OPERATION: u64 = 10_000;

/// Result of a run of the scheduled form.
struct Ran {
    record: Record,
    outcome: Outcome,
    n_operations: u64,
}

/// Runs a form of the kernel; `wanted` is the store for which the loop counters are recorded.
fn interpret(
    compiled: &Compiled,
    form: &Module,
    arguments: &[Argument],
    wanted: Option<usize>,
) -> Result<Ran, RunError> {
    let mut interpreter = Interpreter::new(&compiled.context, form);
    interpreter.step_limit = compiled.context.limits.of(Limit::ReferenceOperations);
    interpreter.record = Some(Record {
        wanted,
        ..Record::default()
    });
    let outcome = interpreter.run(&compiled.top, arguments)?;
    Ok(Ran {
        record: interpreter.record.take().unwrap_or_default(),
        outcome,
        n_operations: interpreter.steps,
    })
}

fn port(simulator: &CycleSimulator, name: &str) -> Option<Port> {
    let output = |suffix: &str| simulator.output_index(&format!("{name}_{suffix}"));
    Some(Port {
        enable: output("wen")?,
        address: output("waddr")?,
        data: output("wdata")?,
    })
}

/// Returns the write in the last simulated cycle.
fn seen(simulator: &CycleSimulator, port: &Port, cycle: u64, memory: usize) -> Option<Write> {
    if simulator.output(port.enable).is_zero() {
        return None;
    }
    let cell = simulator.output(port.address).low_u64();
    Some(Write {
        cycle,
        memory,
        cell: usize::try_from(cell).ok()?,
        word: simulator.output(port.data),
    })
}

/// The stores that are still expected, by cell.
struct Stores<'r> {
    record: &'r Record,
    left: BTreeMap<(usize, usize), VecDeque<usize>>,
    n_met: usize,
}

/// Difference between a write and the expected store.
enum Fact {
    /// The word differs from that of the store with this index.
    Word(usize),
    /// No store to this cell is left. The index is that of the next store to the memory, or else of the last one.
    Surplus(Option<usize>),
}

impl<'r> Stores<'r> {
    /// Creates the stores to memories that have ports.
    fn new(record: &'r Record, n_memories: usize) -> Self {
        let mut left: BTreeMap<(usize, usize), VecDeque<usize>> = BTreeMap::new();
        for (number, store) in record.stores.iter().enumerate() {
            if store.memory < n_memories {
                let cell = (store.memory, store.cell);
                left.entry(cell).or_default().push_back(number);
            }
        }
        Self {
            record,
            left,
            n_met: 0,
        }
    }

    /// Removes the next store to the cell of a write, and returns how the write differs from it.
    fn meet(&mut self, write: &Write) -> Option<Fact> {
        let left = self.left.get_mut(&(write.memory, write.cell));
        let Some(number) = left.and_then(VecDeque::pop_front) else {
            return Some(Fact::Surplus(self.next_to(write.memory)));
        };
        if self.record.stores[number].word != write.word {
            return Some(Fact::Word(number));
        }
        self.n_met += 1;
        None
    }

    /// Returns the next expected store to a memory, or else the last one that was recorded.
    fn next_to(&self, memory: usize) -> Option<usize> {
        let of_memory = self.left.range((memory, 0)..=(memory, usize::MAX));
        let next = of_memory.filter_map(|(_, left)| left.front()).min();
        next.copied().or_else(|| {
            let mut all = self.record.stores.iter();
            all.rposition(|store| store.memory == memory)
        })
    }

    fn first_left(&self) -> Option<usize> {
        let fronts = self.left.values().filter_map(|left| left.front());
        fronts.min().copied()
    }
}

/// Data for messages that locate a store.
struct Told<'t> {
    compiled: &'t Compiled,
    /// The form of the kernel whose stores are compared.
    form: &'t Module,
    arguments: &'t [Argument],
    record: &'t Record,
    memories: &'t [MemoryPorts],
}

impl Told<'_> {
    fn describe(&self, write: &Write, fact: Fact) -> String {
        let name = &self.memories[write.memory].name;
        let (cycle, cell, word) = (write.cycle, write.cell, &write.word);
        match fact {
            Fact::Word(number) => format!(
                "in cycle {cycle}, {name}[{cell}] is written {word}, expected {}: {}",
                self.record.stores[number].word,
                self.store(number)
            ),
            Fact::Surplus(known) => {
                let known = known.map(|number| {
                    format!("; the nearest to that memory is {}", self.store(number))
                });
                format!(
                    "in cycle {cycle}, {name}[{cell}] is written {word}, but no store to that cell is left{}",
                    known.unwrap_or_default()
                )
            }
        }
    }

    /// Describes a store with its line and iteration.
    fn store(&self, number: usize) -> String {
        let context = &self.compiled.context;
        let store = &self.record.stores[number];
        let name = &self.memories[store.memory].name;
        let iteration = match interpret(self.compiled, self.form, self.arguments, Some(number)) {
            Ok(ran) => self.iteration(&ran.record),
            Err(_) => String::new(),
        };
        format!(
            "the store of {} to {name}[{}] at {}{iteration}",
            store.word,
            store.cell,
            place(context, store.location)
        )
    }

    /// Returns the known counters of source loops around a store; without any, the counters of the form's loops.
    fn iteration(&self, record: &Record) -> String {
        let context = &self.compiled.context;
        let known = counters_of_source(self.compiled);
        let text = |name: Option<sluice_ir::Name>| name.map(|name| context.text(name));
        let is_known = |name: Option<sluice_ir::Name>| {
            text(name).is_some_and(|name| known.iter().any(|known| known == name))
        };
        let named = record.counters.iter().filter(|c| is_known(c.name));
        let mut all: Vec<String> = named
            .map(|c| format!("%{} = {}", text(c.name).unwrap_or_default(), c.value))
            .collect();
        if all.is_empty() {
            let steps = record.counters.iter().filter(|c| c.is_variable);
            all = steps.map(|c| format!("step {}", c.value)).collect();
        }
        match all.is_empty() {
            true => String::new(),
            false => format!(", iteration {}", all.join(", ")),
        }
    }
}

/// Returns the names of the counters of the source's loops.
fn counters_of_source(compiled: &Compiled) -> Vec<String> {
    let (context, module) = (&compiled.context, &compiled.source);
    let mut found = Vec::new();
    for function in sluice_ir::passes::named(context, module, func::Func::NAME) {
        let body = module.inner().inner(function);
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            let n = match view.name() {
                scf::For::NAME | affine::For::NAME => 1,
                scf::Parallel::NAME | scf::Forall::NAME | affine::Parallel::NAME => usize::MAX,
                _ => 0,
            };
            let block = view.entry_block(0).filter(|_| n > 0);
            let arguments = block.map(|block| body.arguments(block)).unwrap_or_default();
            let names = arguments.iter().take(n).map(|v| body.value_name(*v));
            found.extend(names.flatten().map(|name| context.text(name).to_owned()));
        }
    }
    found
}

/// Returns the location at which a function returns.
fn returned(context: &Context, module: &Module, top: &str) -> String {
    let Some(function) = module.lookup_symbol(context, top) else {
        return "the kernel".to_owned();
    };
    let body = module.inner().inner(function);
    let last = body.walk_all().into_iter().rev().find(|op| {
        let view = View::new(context, body, *op);
        view.name() == func::Return::NAME
    });
    last.map_or_else(
        || "the kernel".to_owned(),
        |op| format!("`func.return` at {}", place(context, body.location(op))),
    )
}
