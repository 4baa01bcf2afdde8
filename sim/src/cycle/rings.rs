//! Rings of values without a register between them, in a hierarchy of modules: all of them, each once for the module in which it closes.
//!
//! A module is looked at once, after those that it has instances of: what its outputs follow from in the same moment is all that the
//! modules around it need to know. Differs from flattening: a ring inside a module is one, however many instances there are.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use sluice_dialects::{hw, seq};
use sluice_ir::{
    Body, Context, Diagnostics, Location, Module, OperationId, ValueDefinition, ValueId, View,
};
use smallvec::SmallVec;

use super::models::Models;

/// Most values of a ring that are named.
const MOST_NAMED: usize = 16;

/// The values that a value is made of in the same moment.
type Sources = SmallVec<[ValueId; 4]>;

/// Inputs of a module by number, a bit for each.
type Inputs = SmallVec<[u64; 1]>;

/// A value of a ring: what it is called, and where it is made.
struct Step {
    name: String,
    location: Location,
    /// The operation that makes it.
    operation: String,
}

struct Rings<'a> {
    context: &'a Context,
    inner: &'a Body,
    modules: BTreeMap<&'a str, OperationId>,
    models: &'a Models,
    /// Of the modules that were looked at, the inputs that each output follows from.
    outputs: FxHashMap<OperationId, Vec<Vec<usize>>>,
    /// Modules under way.
    open: FxHashSet<OperationId>,
    /// Where rings that were said begin, and their names: a module that was made for several values of parameters has each of them again.
    said: FxHashSet<(Location, String)>,
    found: Diagnostics,
}

/// An error for each ring in the module called `top` and those below it. Several rings that meet are one error with the shortest through the
/// first of their values.
///
/// Complexity: linear in the operations of the modules, and in their inputs.
pub fn rings(context: &Context, module: &Module, top: &str, models: &Models) -> Diagnostics {
    let inner = module.inner();
    let mut modules = BTreeMap::new();
    for op in module.top_level_operations() {
        let view = View::new(context, inner, op);
        if let (hw::Module::NAME, Some(name)) = (view.name(), view.symbol_name()) {
            modules.insert(name, op);
        }
    }
    let found = modules.get(top).copied();
    let mut rings = Rings {
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
        rings.module(top);
    }
    let place = |location: Location| location.file_line_column(context);
    rings.found.all.sort_by_key(|error| place(error.location));
    rings.found
}

impl<'a> Rings<'a> {
    /// The operations of a module in text order.
    fn operations(&self, module: OperationId) -> impl Iterator<Item = View<'a>> + use<'a> {
        let (context, body) = (self.context, self.inner.inner(module));
        let view = View::new(context, self.inner, module);
        let block = view.entry_block(0).expect("the verifier requires a block");
        body.operations(block)
            .map(move |op| View::new(context, body, op))
    }

    /// Looks at a module, behind those inside it.
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
            if self.is_ring(module, component) {
                self.report(module, component);
            }
        }
        let outputs = self.outputs_of(module, &components);
        self.outputs.insert(module, outputs);
    }

    /// The module that an operation is an instance of.
    fn instantiated(&self, view: View<'a>) -> Option<OperationId> {
        if view.name() != hw::Instance::NAME {
            return None;
        }
        let name = view.attribute("moduleName")?.as_flat_symbol(self.context)?;
        self.modules.get(name).copied()
    }

    /// The values that one of a module is made of in the same moment: none where it is held until an edge.
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

    /// The strongly connected components of the values of a module, sources first.
    ///
    /// Source: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1972. Differs: a list of what is under way
    /// instead of recursion.
    fn components(&self, module: OperationId) -> Vec<Vec<ValueId>> {
        const UNSEEN: u32 = u32::MAX;
        struct Open {
            value: ValueId,
            sources: Sources,
            /// The next of them to look at.
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

    fn is_ring(&self, module: OperationId, component: &[ValueId]) -> bool {
        match component {
            [value] => self.sources(module, *value).contains(value),
            _ => true,
        }
    }

    /// The inputs that each output follows from, components of the values given with sources first.
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
            // An input is a component without anything else.
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

    /// Adds the error for a component with a ring.
    fn report(&mut self, module: OperationId, component: &[ValueId]) {
        let among: FxHashSet<ValueId> = component.iter().copied().collect();
        let results = self.operations(module).flat_map(|view| view.results());
        let mut results = results.copied();
        let first = results.find(|value| among.contains(value));
        let first = first.expect("a ring is made by operations");
        let ring = self.path(module, first, first, Some(&among));
        let mut steps = self.steps(module, &ring[..ring.len() - 1]);
        // The first value is the one that the ring begins and ends with.
        steps.rotate_right(1);
        let n_more = component.len() - (ring.len() - 1);
        let mut names: Vec<&str> = steps.iter().map(|step| step.name.as_str()).collect();
        let left_out = names.len().saturating_sub(MOST_NAMED);
        names.truncate(MOST_NAMED);
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
            "`{}`: combinational ring in @{around}: {whole} -> {}",
            steps[0].operation, names[0],
        );
        if n_more > 0 {
            message += &format!("; {n_more} more of its values are in rings with these");
        }
        let error = self.found.error(place, message);
        for step in steps.iter().take(MOST_NAMED).skip(1) {
            error.note(step.location, format!("`{}` is made here", step.name));
        }
        error.hint("a register in the ring breaks it");
    }

    /// A shortest way from a value to one that is made of it, both with it and at least one step long, through some values only.
    ///
    /// It is there: who asks knows that one follows from the other.
    fn path(
        &self,
        module: OperationId,
        from: ValueId,
        to: ValueId,
        among: Option<&FxHashSet<ValueId>>,
    ) -> Vec<ValueId> {
        // From where each value was come to, going from `to` to what it is made of.
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

    /// The values on a way round behind its first one, up to that again, with those inside the instances on it.
    fn steps(&self, module: OperationId, ring: &[ValueId]) -> Vec<Step> {
        let mut steps = Vec::new();
        for (at, value) in ring.iter().enumerate() {
            let next = ring[(at + 1) % ring.len()];
            self.step(module, *value, next, "", &mut steps);
        }
        steps
    }

    /// Adds what is between a value and one that is made of it, and that one.
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
            // Numbers are no names.
            Some(name) if name.starts_with(|first: char| first.is_ascii_digit()) => {
                format!("{prefix}%{name}")
            }
            name => format!("{prefix}{}", name.unwrap_or(view.name())),
        };
        // An output of an instance may be called as the value inside that it is.
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

    /// Adds the values of an instance between the input that a value goes to and an output by its number.
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
