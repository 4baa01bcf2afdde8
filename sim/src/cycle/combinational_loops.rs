//! Detection of combinational loops in a hierarchy of modules: finds all of them, and reports each once in the module in which it
//! closes.
//!
//! Each module is analysed once, after the modules that it instantiates. The only result that its users need is the set of inputs
//! on which each output depends combinationally. Differs from an analysis after flattening: a loop inside a module is reported
//! once, however many instances there are.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use sluice_dialects::{hw, seq};
use sluice_ir::{
    Body, Context, Diagnostics, Location, Module, OperationId, ValueDefinition, ValueId, View,
};
use smallvec::SmallVec;

use super::models::Models;

/// The most values of a loop that a message names.
const MAX_NAMED: usize = 16;

/// The values on which a value depends combinationally.
type Sources = SmallVec<[ValueId; 4]>;

/// A set of inputs of a module, one bit for each.
type Inputs = SmallVec<[u64; 1]>;

/// A value of a loop, with its name and location.
struct Step {
    name: String,
    location: Location,
    /// The operation that defines it.
    operation: String,
}

struct LoopFinder<'a> {
    context: &'a Context,
    inner: &'a Body,
    modules: BTreeMap<&'a str, OperationId>,
    models: &'a Models,
    /// For each analysed module, the inputs on which each output depends.
    outputs: FxHashMap<OperationId, Vec<Vec<usize>>>,
    /// Modules whose analysis has begun.
    open: FxHashSet<OperationId>,
    /// Location and names of the loops that were reported. A parametric module is elaborated for each set of parameters, and each
    /// copy has the same loops.
    said: FxHashSet<(Location, String)>,
    found: Diagnostics,
}

/// Returns an error for each combinational loop in the module called `top` and those below it. Loops that share values are one
/// error, which shows the shortest loop through the first of their values.
///
/// Complexity: linear in the operations of the modules, and in their inputs.
pub fn find_combinational_loops(
    context: &Context,
    module: &Module,
    top: &str,
    models: &Models,
) -> Diagnostics {
    let inner = module.inner();
    let mut modules = BTreeMap::new();
    for op in module.top_level_operations() {
        let view = View::new(context, inner, op);
        if let (hw::Module::NAME, Some(name)) = (view.name(), view.symbol_name()) {
            modules.insert(name, op);
        }
    }
    let found = modules.get(top).copied();
    let mut finder = LoopFinder {
        context,
        inner,
        modules,
        models,
        outputs: FxHashMap::default(),
        open: FxHashSet::default(),
        said: FxHashSet::default(),
        found: Diagnostics::new(),
    };
    if let Some(top) = found {
        finder.module(top);
    }
    let place = |location: Location| location.file_line_column(context);
    finder.found.all.sort_by_key(|error| place(error.location));
    finder.found
}

impl<'a> LoopFinder<'a> {
    /// Returns the operations of a module in text order.
    fn operations(&self, module: OperationId) -> impl Iterator<Item = View<'a>> + use<'a> {
        let (context, body) = (self.context, self.inner.inner(module));
        let view = View::new(context, self.inner, module);
        let block = view.entry_block(0).expect("the verifier requires a block");
        body.operations(block)
            .map(move |op| View::new(context, body, op))
    }

    /// Analyses a module, after those that it instantiates.
    fn module(&mut self, module: OperationId) {
        if self.outputs.contains_key(&module) || !self.open.insert(module) {
            return;
        }
        for view in self.operations(module) {
            if let Some(inside) = self.instantiated(view) {
                self.module(inside);
            }
        }
        self.open.remove(&module);
        let components = self.components(module);
        for component in &components {
            if self.is_loop(module, component) {
                self.report(module, component);
            }
        }
        let outputs = self.outputs_of(module, &components);
        self.outputs.insert(module, outputs);
    }

    /// Returns the module of an instance.
    fn instantiated(&self, view: View<'a>) -> Option<OperationId> {
        if view.name() != hw::Instance::NAME {
            return None;
        }
        let name = view.attribute("moduleName")?.as_flat_symbol(self.context)?;
        self.modules.get(name).copied()
    }

    /// Returns the values of a module on which a value depends combinationally; none for the output of a register.
    fn sources(&self, module: OperationId, value: ValueId) -> Sources {
        let body = self.inner.inner(module);
        let ValueDefinition::Result { operation, index } = body.value_definition(value) else {
            return Sources::new();
        };
        let view = View::new(self.context, body, operation);
        let number = |name| view.attribute(name).and_then(|a| a.as_i64(self.context));
        match view.name() {
            name if seq::is_state(name) => Sources::new(),
            seq::Read::NAME if number("latency") != Some(0) => Sources::new(),
            seq::FirmemReadPort::NAME | seq::FirmemReadWritePort::NAME => {
                let memory = body.defining_operation(view.operand(0));
                let memory = memory.and_then(|memory| seq::masked_memory(view.at(memory)));
                match memory.is_some_and(|memory| memory.read_latency > 0) {
                    true => Sources::new(),
                    false => view.operands().collect(),
                }
            }
            hw::Instance::NAME => match self.instantiated(view) {
                Some(inside) => {
                    let outputs = self.outputs.get(&inside);
                    let inputs = outputs.and_then(|outputs| outputs.get(index as usize));
                    let inputs = inputs.into_iter().flatten();
                    inputs.map(|input| view.operand(*input)).collect()
                }
                None => {
                    let name = view.attribute("moduleName");
                    let name = name.and_then(|name| name.as_flat_symbol(self.context));
                    let model = name.and_then(|name| self.models.get(name));
                    match model.is_some_and(|model| !model.follows_from_state()) {
                        true => view.operands().collect(),
                        false => Sources::new(),
                    }
                }
            },
            _ => view.operands().collect(),
        }
    }

    /// Returns the strongly connected components of the values of a module, sources first.
    ///
    /// Source: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1972. Differs: an explicit stack
    /// instead of recursion.
    fn components(&self, module: OperationId) -> Vec<Vec<ValueId>> {
        const UNSEEN: u32 = u32::MAX;
        struct Open {
            value: ValueId,
            sources: Sources,
            /// The next source to visit.
            next: usize,
        }
        let n_values = self.inner.inner(module).value_capacity();
        let (mut numbers, mut low) = (vec![UNSEEN; n_values], vec![UNSEEN; n_values]);
        let mut is_waiting = vec![false; n_values];
        let (mut waiting, mut open) = (Vec::new(), Vec::<Open>::new());
        let (mut components, mut number) = (Vec::new(), 0);
        let roots = self.operations(module).flat_map(|view| view.results());
        for root in roots {
            let mut enter = (numbers[root.index()] == UNSEEN).then_some(*root);
            while enter.is_some() || !open.is_empty() {
                if let Some(value) = enter.take() {
                    numbers[value.index()] = number;
                    low[value.index()] = number;
                    number += 1;
                    waiting.push(value);
                    is_waiting[value.index()] = true;
                    let sources = self.sources(module, value);
                    open.push(Open {
                        value,
                        sources,
                        next: 0,
                    });
                }
                let top = open.last_mut().expect("one is under way");
                let at = top.value.index();
                if let Some(source) = top.sources.get(top.next).copied() {
                    top.next += 1;
                    if numbers[source.index()] == UNSEEN {
                        enter = Some(source);
                    } else if is_waiting[source.index()] {
                        low[at] = low[at].min(numbers[source.index()]);
                    }
                    continue;
                }
                let done = open.pop().expect("it is the one at hand").value;
                if let Some(reader) = open.last() {
                    let reader = reader.value.index();
                    low[reader] = low[reader].min(low[done.index()]);
                }
                if low[done.index()] == numbers[done.index()] {
                    let from = waiting.iter().rposition(|value| *value == done);
                    let component = waiting.split_off(from.expect("it was put there"));
                    for value in &component {
                        is_waiting[value.index()] = false;
                    }
                    components.push(component);
                }
            }
        }
        components
    }

    fn is_loop(&self, module: OperationId, component: &[ValueId]) -> bool {
        match component {
            [value] => self.sources(module, *value).contains(value),
            _ => true,
        }
    }

    /// Returns the inputs on which each output depends; `components` are in topological order, sources first.
    fn outputs_of(&self, module: OperationId, components: &[Vec<ValueId>]) -> Vec<Vec<usize>> {
        let body = self.inner.inner(module);
        let view = View::new(self.context, self.inner, module);
        let block = view.entry_block(0).expect("the verifier requires a block");
        let inputs = body.arguments(block);
        let none: Inputs = SmallVec::from_elem(0, inputs.len().div_ceil(64));
        let mut of: Vec<Inputs> = vec![none.clone(); body.value_capacity()];
        for (at, input) in inputs.iter().enumerate() {
            of[input.index()][at / 64] |= 1 << (at % 64);
        }
        for component in components {
            // An input is a component of its own.
            let mut all = of[component[0].index()].clone();
            for value in component {
                for source in self.sources(module, *value) {
                    for (all, part) in all.iter_mut().zip(&of[source.index()]) {
                        *all |= part;
                    }
                }
            }
            for value in component {
                of[value.index()].clone_from(&all);
            }
        }
        let output = self
            .operations(module)
            .find(|v| v.name() == hw::Output::NAME);
        let operands = output.into_iter().flat_map(|output| output.operands());
        let numbers = operands.map(|operand| {
            let of = &of[operand.index()];
            let is_set = |at: &usize| of[at / 64] >> (at % 64) & 1 != 0;
            (0..inputs.len()).filter(is_set).collect()
        });
        numbers.collect()
    }

    /// Adds the error for a component that has a loop.
    fn report(&mut self, module: OperationId, component: &[ValueId]) {
        let among: FxHashSet<ValueId> = component.iter().copied().collect();
        let results = self.operations(module).flat_map(|view| view.results());
        let mut results = results.copied();
        let first = results.find(|value| among.contains(value));
        let first = first.expect("a loop consists of operations");
        let loop_path = self.path(module, first, first, Some(&among));
        let mut steps = self.steps(module, &loop_path[..loop_path.len() - 1]);
        // The first value begins and ends the loop.
        steps.rotate_right(1);
        let n_more = component.len() - (loop_path.len() - 1);
        let mut names: Vec<&str> = steps.iter().map(|step| step.name.as_str()).collect();
        let left_out = names.len().saturating_sub(MAX_NAMED);
        names.truncate(MAX_NAMED);
        let left_out = match left_out {
            0 => String::new(),
            n => format!(" -> {n} more"),
        };
        let whole = format!("{}{left_out}", names.join(" -> "));
        let place = steps[0].location;
        if place != Location::UNKNOWN && !self.said.insert((place, whole.clone())) {
            return;
        }
        let around = View::new(self.context, self.inner, module);
        let around = around.symbol_name().unwrap_or_default();
        let mut message = format!(
            "`{}`: combinational loop in @{around}: {whole} -> {}",
            steps[0].operation, names[0],
        );
        if n_more > 0 {
            message += &format!("; {n_more} more of its values are in loops with these");
        }
        let error = self.found.error(place, message);
        for step in steps.iter().take(MAX_NAMED).skip(1) {
            error.note(step.location, format!("`{}` is made here", step.name));
        }
        error.hint("a register in the loop breaks it");
    }

    /// Returns a shortest path from a value to one that depends on it, at least one step long, through the values in `among`
    /// only. Both ends are included.
    ///
    /// Precondition: there is such a path.
    fn path(
        &self,
        module: OperationId,
        from: ValueId,
        to: ValueId,
        among: Option<&FxHashSet<ValueId>>,
    ) -> Vec<ValueId> {
        // For each value, the next value on the path to `to`; the search goes from `to` back to its sources.
        let mut readers: FxHashMap<ValueId, ValueId> = FxHashMap::default();
        let mut level = vec![to];
        while !level.is_empty() && !readers.contains_key(&from) {
            let mut next = Vec::new();
            for reader in level {
                for source in self.sources(module, reader) {
                    let is_meant = among.is_none_or(|among| among.contains(&source));
                    if is_meant && !readers.contains_key(&source) {
                        readers.insert(source, reader);
                        next.push(source);
                    }
                }
            }
            level = next;
        }
        let mut path = vec![from];
        loop {
            let last = path.last().expect("it begins with a value");
            let Some(reader) = readers.get(last).copied() else {
                return path;
            };
            path.push(reader);
            if reader == to {
                return path;
            }
        }
    }

    /// Returns the values of a loop, from the second one to the first, with the values inside the instances on it.
    fn steps(&self, module: OperationId, loop_path: &[ValueId]) -> Vec<Step> {
        let mut steps = Vec::new();
        for (at, value) in loop_path.iter().enumerate() {
            let next = loop_path[(at + 1) % loop_path.len()];
            self.step(module, *value, next, "", &mut steps);
        }
        steps
    }

    /// Adds the values between `from` and the dependent value `to`, and `to` itself.
    fn step(
        &self,
        module: OperationId,
        from: ValueId,
        to: ValueId,
        prefix: &str,
        steps: &mut Vec<Step>,
    ) {
        let body = self.inner.inner(module);
        let ValueDefinition::Result { operation, index } = body.value_definition(to) else {
            return;
        };
        let view = View::new(self.context, body, operation);
        if let Some(inside) = self.instantiated(view) {
            let name = view.attribute("instanceName");
            let name = name.and_then(|name| name.as_str(self.context));
            let prefix = format!("{prefix}{}.", name.unwrap_or("instance"));
            self.through(inside, (view, from, index as usize), &prefix, steps);
        }
        let name = body.value_name(to).map(|name| self.context.text(name));
        let name = match name {
            // A number is not a name.
            Some(name) if name.starts_with(|first: char| first.is_ascii_digit()) => {
                format!("{prefix}%{name}")
            }
            name => format!("{prefix}{}", name.unwrap_or(view.name())),
        };
        // An output of an instance may have the same name as the value inside that drives it.
        let is_output = view.name() == hw::Instance::NAME;
        if is_output && steps.last().is_some_and(|step| step.name == name) {
            steps.pop();
        }
        steps.push(Step {
            name,
            location: view.location(),
            operation: view.name().to_owned(),
        });
    }

    /// Adds the values inside an instance, from the input that `from` drives to an output.
    fn through(
        &self,
        inside: OperationId,
        (instance, from, output): (View<'a>, ValueId, usize),
        prefix: &str,
        steps: &mut Vec<Step>,
    ) {
        let followed = &self.outputs[&inside][output];
        let is_from = |input: &&usize| instance.operand(**input) == from;
        let input = followed.iter().find(is_from);
        let operation = self
            .operations(inside)
            .find(|v| v.name() == hw::Output::NAME);
        let (Some(input), Some(operation)) = (input, operation) else {
            return;
        };
        let block = View::new(self.context, self.inner, inside).entry_block(0);
        let block = block.expect("the verifier requires a block");
        let input = self.inner.inner(inside).arguments(block)[*input];
        let output = operation.operand(output);
        if input == output {
            return;
        }
        let path = self.path(inside, input, output, None);
        for pair in path.windows(2) {
            self.step(inside, pair[0], pair[1], prefix, steps);
        }
    }
}
