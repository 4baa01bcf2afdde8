//! `streams`: finds arguments whose words are transferred sequentially, and local memories that can become FIFOs because they are
//! read in the order in which one loop writes them.
//!
//! All relevant iterations are simulated at compile time, so any address that is a function of counters is decided exactly. The
//! n-th read of a FIFO must read the word of the n-th write. Then the FIFO returns the same values as the memory, however far its
//! reader lags.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::{CHANNEL, DEPTH_WANTED};
use sluice_dialects::{func, memref, scf, sluice};
use sluice_ir::bits::Bits;
use sluice_ir::limits::Limit;
use sluice_ir::suggestion::did_you_mean;
use sluice_ir::{
    Attribute, Body, Context, Diagnostics, Exact, Location, Module, OperationId, ValueId, View,
};

use crate::analysis::evaluate::evaluate;

/// The user's requests for streams.
#[derive(Clone, Copy, Debug)]
pub struct StreamRequests<'a> {
    /// The arguments that become streams.
    pub streams: &'a [String],
    /// True if local memories become FIFOs if possible.
    pub queues: bool,
    /// The number of slots of FIFOs, by name of the local memory or argument.
    pub depths: &'a BTreeMap<String, u32>,
}

/// Marks the arguments and local memories of `top` that become streams and FIFOs.
///
/// # Errors
/// To `diagnostics`: a request that cannot be met, with the access and a request that would fit.
pub fn streams(
    context: &Context,
    module: &mut Module,
    top: &str,
    requests: &StreamRequests<'_>,
    diagnostics: &mut Diagnostics,
) {
    let Some(function) = module.lookup_symbol(context, top) else {
        return;
    };
    let place = View::new(context, module.inner(), function).location();
    let body = module.inner().inner(function);
    let arguments = arguments(context, module, function);
    let mut of_arguments = Vec::new();
    for request in requests.streams {
        let known: Vec<&str> = arguments.iter().map(|(name, ..)| name.as_str()).collect();
        let Some(argument) = arguments.iter().find(|(name, ..)| name == request) else {
            let message = format!(
                "`streams` names an argument `{request}` that is not there, or is in banks; {}",
                did_you_mean(request, &known)
            );
            diagnostics.error(place, message);
            continue;
        };
        let (name, shape, value) = argument;
        if shape.is_empty() {
            let message =
                format!("`{name}` is one number: it comes with `start`, and is no stream");
            diagnostics.error(place, message);
            continue;
        }
        match argument_stream(context, body, name, shape, *value) {
            Ok(direction) => of_arguments.push((name.clone(), direction)),
            Err(misfit) => {
                diagnostics.error(misfit.location.unwrap_or(place), misfit.why);
            }
        }
    }
    let max_slots = context.limits.small(Limit::FifoSlots);
    let mut queues: Vec<(OperationId, i64, Option<u32>)> = Vec::new();
    let mut named: BTreeSet<String> = BTreeSet::new();
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        if !matches!(view.name(), memref::Alloca::NAME | memref::Alloc::NAME) {
            continue;
        }
        let memory = view.result(0);
        let name = body.value_name(memory).map(|name| context.text(name));
        let depth = name.and_then(|name| requests.depths.get(name)).copied();
        named.extend(name.map(str::to_owned));
        let is_free = requests.queues && view.attribute(sluice::STORAGE).is_none();
        let found = match is_free {
            true => queue(context, body, memory),
            false => Err(Misfit {
                location: None,
                why: "the configuration wants a memory".to_owned(),
            }),
        };
        match (found, depth) {
            (Ok(n_words), Some(depth)) if depth > max_slots => {
                let message = format!(
                    "`depths` wants {depth} slots of `{}`; a FIFO has {max_slots} at most, and {n_words} hold all its words",
                    name.unwrap_or_default()
                );
                diagnostics.error(view.location(), message);
            }
            // A longer one stays a memory.
            (Ok(n_words), None) if n_words > i64::from(max_slots) => {}
            (Ok(n_words), depth) => queues.push((op, n_words, depth)),
            (Err(misfit), Some(_)) => {
                let name = name.unwrap_or_default();
                let message = format!(
                    "`{name}` is a memory and no queue, so it has no depth: {}",
                    misfit.why
                );
                diagnostics.error(misfit.location.unwrap_or(view.location()), message);
            }
            (Err(_), None) => {}
        }
    }
    for request in requests
        .depths
        .keys()
        .filter(|request| !named.contains(*request))
    {
        let known: Vec<&str> = named.iter().map(String::as_str).collect();
        let hint = did_you_mean(request, &known);
        let message =
            format!("`depths` names a local memory `{request}` that is not there; {hint}");
        diagnostics.error(place, message);
    }
    describe(context, module, function, &of_arguments);
    let body = module.inner_mut().inner_mut(function);
    for (op, n_words, depth) in queues {
        body.set_attribute(op, context.name(CHANNEL), context.i64_attribute(n_words));
        if let Some(depth) = depth {
            let depth = context.i64_attribute(i64::from(depth));
            body.set_attribute(op, context.name(DEPTH_WANTED), depth);
        }
    }
}

/// The reason why a memory is no stream, at the access or loop that prevents it.
struct Misfit {
    location: Option<Location>,
    why: String,
}

impl Misfit {
    fn at(location: Location, why: impl Into<String>) -> Self {
        Self {
            location: Some(location),
            why: why.into(),
        }
    }
}

/// Returns name, shape (empty for a scalar) and value of each argument.
fn arguments(
    context: &Context,
    module: &Module,
    function: OperationId,
) -> Vec<(String, Vec<i64>, ValueId)> {
    let view = View::new(context, module.inner(), function);
    let values = view
        .entry_block(0)
        .map_or(&[][..], |block| view.inner().arguments(block));
    let described = view
        .attribute(sluice::ARGUMENTS)
        .and_then(|a| a.as_array(context))
        .unwrap_or_default();
    let one = |(entry, value): (&Attribute, &ValueId)| {
        let entries = entry.as_dictionary(context)?;
        let get = |wanted: &str| {
            let mut found = entries.iter().filter(|(n, _)| context.text(*n) == wanted);
            found.next().map(|(_, value)| *value)
        };
        let name = get("name")?.as_str(context)?.to_owned();
        let shape = get("shape").and_then(|a| a.as_dense_array_i64(context));
        Some((name, shape.unwrap_or_default(), *value))
    };
    described.iter().zip(values).filter_map(one).collect()
}

/// Adds `stream` to the entries of stream arguments in `sluice.arguments`.
fn describe(
    context: &Context,
    module: &mut Module,
    function: OperationId,
    streams: &[(String, &'static str)],
) {
    if streams.is_empty() {
        return;
    }
    let view = View::new(context, module.inner(), function);
    let described = view
        .attribute(sluice::ARGUMENTS)
        .and_then(|a| a.as_array(context))
        .unwrap_or_default();
    let one = |entry: &Attribute| {
        let Some(entries) = entry.as_dictionary(context) else {
            return *entry;
        };
        let mut names = entries.iter().filter(|(n, _)| context.text(*n) == "name");
        let name = names.next().and_then(|(_, name)| name.as_str(context));
        let Some((_, direction)) = streams.iter().find(|(of, _)| Some(of.as_str()) == name) else {
            return *entry;
        };
        let mut entries = entries.to_vec();
        entries.push((context.name("stream"), context.string_attribute(direction)));
        context.dictionary_attribute(&entries)
    };
    let described: Vec<Attribute> = described.iter().map(one).collect();
    let described = context.array_attribute(&described);
    let name = context.name(sluice::ARGUMENTS);
    module.inner_mut().set_attribute(function, name, described);
}

/// An access to a memory.
struct Access {
    op: OperationId,
    writes: bool,
    index: ValueId,
}

fn accesses(context: &Context, body: &Body, memory: ValueId) -> Result<Vec<Access>, Misfit> {
    let mut found = Vec::new();
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        if !view.operands().any(|operand| operand == memory) {
            continue;
        }
        found.push(match view.name() {
            memref::Load::NAME => Access {
                op,
                writes: false,
                index: view.operand(1),
            },
            memref::Store::NAME if view.operand(1) == memory => Access {
                op,
                writes: true,
                index: view.operand(2),
            },
            name => {
                let why = match name {
                    func::Call::NAME => {
                        "a circuit of its own (`style: static` of a loop, or `keep`) is passed all of it".to_owned()
                    }
                    _ => format!("`{name}` uses it as a whole"),
                };
                return Err(Misfit::at(view.location(), why));
            }
        });
    }
    Ok(found)
}

/// Returns the direction of an argument that is a stream.
fn argument_stream(
    context: &Context,
    body: &Body,
    name: &str,
    shape: &[i64],
    memory: ValueId,
) -> Result<&'static str, Misfit> {
    let no_stream = |why: String| format!("`{name}` cannot be a stream: {why}");
    let of_this = |misfit: Misfit| Misfit {
        why: no_stream(misfit.why),
        ..misfit
    };
    let all = accesses(context, body, memory).map_err(of_this)?;
    let location = |access: &Access| body.location(access.op);
    let Some(first) = all.first() else {
        let why = no_stream("nothing reads or writes it; leave it out of `streams`".to_owned());
        return Err(Misfit {
            location: None,
            why,
        });
    };
    if let Some(other) = all.iter().find(|access| access.writes != first.writes) {
        let why = no_stream(
            "it is both read and written, or one cell of it again and again; reading one argument and writing another one, cell by cell, would fit".to_owned(),
        );
        return Err(Misfit::at(location(other), why));
    }
    if let (true, Some(second)) = (first.writes, all.get(1)) {
        let why = no_stream("two accesses write it; one store in one loop would fit".to_owned());
        return Err(Misfit::at(location(second), why));
    }
    let n_words = Exact::product(shape).to_usize().unwrap_or(usize::MAX);
    let trace = Trace::of(context, body, &all).map_err(of_this)?;
    let verb = match first.writes {
        true => "write",
        false => "read",
    };
    for (number, access) in all.iter().enumerate() {
        let own = trace.events.iter().filter(|event| event.access == number);
        let mut n_done = 0;
        for event in own {
            if event.address != n_done || n_done >= n_words {
                let next = match n_done < n_words {
                    true => format!("`{name}{}` is next", subscripts(shape, n_done)),
                    false => format!("all {n_words} words were there already"),
                };
                let why = no_stream(format!(
                    "{verb} number {n_done} (from 0) is of `{name}{}`, where {next}; a loop over all words in row-major order, each once, would fit",
                    subscripts(shape, event.address)
                ));
                return Err(Misfit::at(location(access), why));
            }
            n_done += 1;
        }
        if n_done < n_words {
            let why = no_stream(format!(
                "{n_done} of its {n_words} words are {}; a loop over all of them, or a smaller memref, would fit",
                match first.writes {
                    true => "written",
                    false => "read",
                }
            ));
            return Err(Misfit::at(location(access), why));
        }
    }
    Ok(match first.writes {
        true => "out",
        false => "in",
    })
}

/// Formats the subscripts of a word, such as `[1, 2]`.
fn subscripts(shape: &[i64], word: usize) -> String {
    let mut rest = i64::try_from(word).unwrap_or(i64::MAX);
    let mut all = Vec::new();
    for (number, size) in shape.iter().enumerate().rev() {
        // For an address beyond the end, the first subscript is too large.
        let size = match number {
            0 => i64::MAX,
            _ => (*size).max(1),
        };
        all.insert(0, (rest % size).to_string());
        rest /= size;
    }
    format!("[{}]", all.join(", "))
}

/// Returns the number of words that pass through a local memory that can become a FIFO.
fn queue(context: &Context, body: &Body, memory: ValueId) -> Result<i64, Misfit> {
    let all = accesses(context, body, memory)?;
    let location = |number: usize| body.location(all[number].op);
    let mut writers = (0..all.len()).filter(|number| all[*number].writes);
    let (Some(writer), second) = (writers.next(), writers.next()) else {
        return Err(Misfit {
            location: None,
            why: "nothing writes it".to_owned(),
        });
    };
    if let Some(second) = second {
        let why = "two accesses write it; one store would fit";
        return Err(Misfit::at(location(second), why));
    }
    if all.len() == 1 {
        let why = "nothing reads it";
        return Err(Misfit::at(location(writer), why));
    }
    let trace = Trace::of(context, body, &all)?;
    let mut written: BTreeMap<usize, u64> = BTreeMap::new();
    let mut n_done = vec![0_u64; all.len()];
    for event in &trace.events {
        let number = n_done[event.access];
        if event.access == writer {
            written.insert(event.address, number);
        } else if written.get(&event.address) != Some(&number) {
            let why = format!(
                "read number {number} (from 0) is of word {}, which {}; words that are read once each, in the order in which they are written, would fit",
                event.address,
                match written.get(&event.address) {
                    Some(write) => format!("write number {write} wrote"),
                    None => "was not written before".to_owned(),
                }
            );
            return Err(Misfit::at(location(event.access), why));
        }
        n_done[event.access] += 1;
    }
    let n_words = n_done[writer];
    if let Some(short) = (0..all.len()).find(|number| n_done[*number] != n_words) {
        let why = format!(
            "it reads {} of {n_words} words that are written; reading all would fit",
            n_done[short]
        );
        return Err(Misfit::at(location(short), why));
    }
    match n_words {
        0 => Err(Misfit::at(location(writer), "nothing is ever written")),
        n => Ok(i64::try_from(n).unwrap_or(i64::MAX)),
    }
}

/// An executed access.
struct Event {
    access: usize,
    address: usize,
}

/// All accesses to a memory in the order in which they execute.
struct Trace<'a> {
    context: &'a Context,
    body: &'a Body,
    accesses: &'a [Access],
    /// The accesses and the operations around them.
    relevant: BTreeSet<OperationId>,
    counters: BTreeMap<ValueId, Bits>,
    /// For each loop, the number of iterations so far.
    n_iterations: BTreeMap<OperationId, u64>,
    events: Vec<Event>,
}

impl<'a> Trace<'a> {
    fn of(context: &'a Context, body: &'a Body, accesses: &'a [Access]) -> Result<Self, Misfit> {
        let mut relevant = BTreeSet::new();
        for access in accesses {
            let mut at = Some(access.op);
            while let Some(op) = at {
                relevant.insert(op);
                at = body.parent_operation(op);
            }
        }
        let mut trace = Self {
            context,
            body,
            accesses,
            relevant,
            counters: BTreeMap::new(),
            n_iterations: BTreeMap::new(),
            events: Vec::new(),
        };
        let regions = body.top_regions();
        for block in regions.flat_map(|region| body.blocks(region)) {
            trace.block(*block)?;
        }
        Ok(trace)
    }

    fn block(&mut self, block: sluice_ir::BlockId) -> Result<(), Misfit> {
        let ops = self.body.operations(block);
        let ops: Vec<OperationId> = ops.filter(|op| self.relevant.contains(op)).collect();
        for op in ops {
            self.operation(op)?;
        }
        Ok(())
    }

    fn operation(&mut self, op: OperationId) -> Result<(), Misfit> {
        let view = View::new(self.context, self.body, op);
        if let Some(access) = self.accesses.iter().position(|access| access.op == op) {
            let address = self.evaluate(self.accesses[access].index);
            let address = address.and_then(|address| usize::try_from(address.low_u64()).ok());
            let Some(address) = address else {
                let why = "its address depends on more than counters of loops";
                return Err(Misfit::at(view.location(), why));
            };
            self.events.push(Event { access, address });
            return Ok(());
        }
        match view.name() {
            scf::For::NAME => self.for_loop(view),
            scf::If::NAME => Err(Misfit::at(
                self.first_inside(op),
                "it runs under a condition; an access in every iteration would fit",
            )),
            _ => Err(Misfit::at(
                self.first_inside(op),
                "it runs in a loop with an unknown number of iterations; a loop with constant bounds would fit",
            )),
        }
    }

    /// Returns the location of the first access in an operation.
    fn first_inside(&self, op: OperationId) -> Location {
        let inside = self.body.walk(op);
        let mut all = self.accesses.iter();
        let first = all.find(|access| inside.contains(&access.op));
        self.body.location(first.map_or(op, |access| access.op))
    }

    fn iteration(&mut self, view: View<'_>) -> Result<(), Misfit> {
        let n_iterations = self.n_iterations.entry(view.id).or_insert(0);
        *n_iterations += 1;
        let limits = &self.context.limits;
        let most = limits.of(Limit::StreamIterations);
        match *n_iterations > most {
            true => {
                let hint = limits.excess(Limit::StreamIterations).hint();
                let why = format!("there are more than {most} iterations to look at; {hint}");
                Err(Misfit::at(view.location(), why))
            }
            false => Ok(()),
        }
    }

    fn for_loop(&mut self, view: View<'_>) -> Result<(), Misfit> {
        let bounds: Option<Vec<Bits>> = (0..3).map(|i| self.evaluate(view.operand(i))).collect();
        let bounds = bounds.filter(|bounds| !bounds[2].is_zero());
        let (Some(bounds), Some(block)) = (bounds, view.entry_block(0)) else {
            let why = "the bounds of the loop around it depend on more than counters of loops; constant ones would fit";
            return Err(Misfit::at(view.location(), why));
        };
        let Some(counter) = self.body.arguments(block).first().copied() else {
            return Ok(());
        };
        let mut value = bounds[0].clone();
        while value.slt(&bounds[1]) {
            self.iteration(view)?;
            self.counters.insert(counter, value.clone());
            self.block(block)?;
            let next = value.add(&bounds[2]);
            if next.slt(&value) {
                break;
            }
            value = next;
        }
        self.counters.remove(&counter);
        Ok(())
    }

    /// Evaluates a value that depends on constants and on the current counters.
    fn evaluate(&self, value: ValueId) -> Option<Bits> {
        let counter = |value| self.counters.get(&value).cloned();
        evaluate(self.context, self.body, value, &counter)
    }
}
