//! Elaboration: a hierarchy of hw modules flattened into terms.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::storage::Storage;
use sluice_ir::algebra::{Algebra, TermId, Terms};
use sluice_ir::bits::Bits;
use sluice_ir::{Body, Context, Diagnostics, Module, OperationId, ValueDefinition, ValueId, View};

use super::{Port, aggregates};

/// A register: its variable, what it takes over, and when.
pub struct Register {
    /// Name, with the instances around it; empty for what is not part of the module.
    pub name: String,
    /// Width in bits.
    pub width_bits: u32,
    /// Number of its variable.
    pub variable: u32,
    /// What it takes over.
    pub next: TermId,
    /// When it takes that over, always without.
    pub enable: Option<TermId>,
    /// When it is reset, and to what.
    pub reset: Option<(TermId, TermId)>,
}

/// A memory with its ports.
pub struct MemoryModel {
    /// What is said of how it is held.
    pub storage: Option<Storage>,
    /// First contents.
    pub words: Vec<Bits>,
    /// Variable of the data, address, enable.
    pub reads: Vec<(u32, TermId, Option<TermId>)>,
    /// Address, data, enable.
    pub writes: Vec<(TermId, TermId, TermId)>,
}

/// A combinational look-up: its variable, the words, the address.
pub struct Table {
    /// Number of its variable.
    pub variable: u32,
    /// The words.
    pub words: Vec<Bits>,
    /// Which word.
    pub address: TermId,
}

/// A combinational read of a memory: its variable, the memory, the address.
pub struct UnclockedRead {
    /// Number of its variable.
    pub variable: u32,
    /// Number of the memory.
    pub memory: usize,
    /// Which word.
    pub address: TermId,
}

/// A flattened module.
pub struct Elaborated {
    /// Every value.
    pub terms: Terms,
    /// Inputs are the first variables, in this order.
    pub inputs: Vec<Port>,
    /// Outputs and what drives them.
    pub outputs: Vec<(Port, TermId)>,
    /// Width of each variable.
    pub variables: Vec<u32>,
    /// Registers.
    pub registers: Vec<Register>,
    /// Memories.
    pub memories: Vec<MemoryModel>,
    /// Constant tables.
    pub tables: Vec<Table>,
    /// Reads of memories without a clock.
    pub unclocked_reads: Vec<UnclockedRead>,
}

/// What a net of one instance is.
#[derive(Clone)]
pub(super) enum Net {
    Term(TermId),
    Clock(Clock),
    Memory(usize),
    Array(Vec<Bits>),
}

/// A clock: the input of the top module it comes from, and when it runs, always without.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    pub(super) root: usize,
    pub(super) gate: Option<TermId>,
}

/// A value of one module instance.
pub(super) type Place = (usize, ValueId);

/// One module instance.
pub(super) struct Scope<'a> {
    pub(super) module: View<'a>,
    pub(super) path: String,
    /// The scope around and the instance operation there.
    parent: Option<(usize, OperationId)>,
    /// Scopes of the instances inside.
    children: BTreeMap<OperationId, usize>,
}

pub(super) struct Elaborator<'a> {
    pub(super) context: &'a Context,
    modules: BTreeMap<&'a str, OperationId>,
    inner: &'a Body,
    pub(super) scopes: Vec<Scope<'a>>,
    pub(super) nets: BTreeMap<Place, Net>,
    pub(super) terms: Terms,
    variables: Vec<u32>,
    pub(super) registers: Vec<Register>,
    pub(super) memories: Vec<MemoryModel>,
    tables: Vec<Table>,
    pub(super) unclocked_reads: Vec<UnclockedRead>,
    /// The clock of the first register.
    pub(super) clock_root: Option<usize>,
    diagnostics: Diagnostics,
}

pub(super) type Failed = ();

/// Flattens `top`.
///
/// # Errors
/// Combinational cycles, undriven nets, operations without a meaning.
pub fn elaborate(context: &Context, module: &Module, top: &str) -> Result<Elaborated, Diagnostics> {
    let inner = module.inner();
    let mut modules = BTreeMap::new();
    for op in module.top_level_operations() {
        let view = View::new(context, inner, op);
        if let (true, Some(name)) = (view.name() == "hw.module", view.symbol_name()) {
            modules.insert(name, op);
        }
    }
    let mut elaborator = Elaborator {
        context,
        modules,
        inner,
        scopes: Vec::new(),
        nets: BTreeMap::new(),
        terms: Terms::new(),
        variables: Vec::new(),
        registers: Vec::new(),
        memories: Vec::new(),
        tables: Vec::new(),
        unclocked_reads: Vec::new(),
        clock_root: None,
        diagnostics: Diagnostics::new(),
    };
    let Some(op) = elaborator.modules.get(top).copied() else {
        let location = module.body.location(module.operation);
        elaborator.diagnostics.error(
            location,
            format!("there is no `hw.module @{top}` to simulate"),
        );
        return Err(elaborator.diagnostics);
    };
    let view = View::new(context, inner, op);
    let body = view.inner();
    let block = view.entry_block(0).expect("the verifier requires a block");
    let mut inputs = Vec::new();
    for (i, argument) in body.arguments(block).iter().enumerate() {
        let name = body
            .value_name(*argument)
            .map_or_else(|| format!("arg{i}"), |n| context.text(n).to_owned());
        match aggregates::width_bits(context, body.ty(*argument)) {
            Some(width_bits) => {
                let variable = elaborator.variable(width_bits);
                elaborator
                    .nets
                    .insert((0, *argument), Net::Term(variable.1));
                inputs.push(Port { name, width_bits });
            }
            None => {
                let clock = Clock {
                    root: i,
                    gate: None,
                };
                elaborator.nets.insert((0, *argument), Net::Clock(clock));
            }
        }
    }
    let outputs = elaborator.top(view).and_then(|nets| {
        let names = output_names(view);
        nets.into_iter()
            .enumerate()
            .map(|(i, net)| match net {
                Net::Term(term) => {
                    let width_bits = elaborator.terms.width(&term);
                    let name = names.get(i).cloned().unwrap_or_else(|| format!("out{i}"));
                    Ok((Port { name, width_bits }, term))
                }
                Net::Clock(_) | Net::Memory(_) | Net::Array(_) => {
                    elaborator.diagnostics.error(
                        view.location(),
                        "an output of the top module is not an integer",
                    );
                    Err(())
                }
            })
            .collect::<Result<Vec<_>, Failed>>()
    });
    match outputs {
        Ok(outputs) if !elaborator.diagnostics.has_errors() => Ok(Elaborated {
            terms: elaborator.terms,
            inputs,
            outputs,
            variables: elaborator.variables,
            registers: elaborator.registers,
            memories: elaborator.memories,
            tables: elaborator.tables,
            unclocked_reads: elaborator.unclocked_reads,
        }),
        _ => Err(elaborator.diagnostics),
    }
}

/// The names of the outputs, from the module type.
fn output_names(view: View<'_>) -> Vec<String> {
    sluice_dialects::hw::module_ports(view)
        .into_iter()
        .filter(|port| port.direction == sluice_dialects::hw::Direction::Output)
        .map(|port| port.name)
        .collect()
}

impl<'a> Elaborator<'a> {
    pub(super) fn variable(&mut self, width_bits: u32) -> (u32, TermId) {
        let index = u32::try_from(self.variables.len()).expect("fewer than 2^32 variables");
        self.variables.push(width_bits);
        (index, self.terms.variable(index, width_bits))
    }

    pub(super) fn fail<T>(
        &mut self,
        view: View<'_>,
        message: impl Into<String>,
    ) -> Result<T, Failed> {
        let message = message.into();
        self.diagnostics
            .error(view.location(), format!("`{}`: {message}", view.name()));
        Err(())
    }

    /// Flattens the hierarchy below `module` and returns the nets of its outputs.
    fn top(&mut self, module: View<'a>) -> Result<Vec<Net>, Failed> {
        self.scope(module, String::new(), None)?;
        // What holds state comes first: it breaks every cycle.
        for scope in 0..self.scopes.len() {
            for op in self.operations(scope) {
                self.declare_state(scope, op)?;
            }
        }
        let mut outputs = Vec::new();
        for scope in 0..self.scopes.len() {
            for view in self.operations(scope) {
                if view.name() == "hw.output" {
                    for operand in view.operands() {
                        let net = self.net(view, (scope, operand))?;
                        if scope == 0 {
                            outputs.push(net);
                        }
                    }
                }
                self.connect_state(scope, view)?;
            }
        }
        Ok(outputs)
    }

    fn operations(&self, scope: usize) -> Vec<View<'a>> {
        let module = self.scopes[scope].module;
        let body = module.inner();
        let block = module
            .entry_block(0)
            .expect("the verifier requires a block");
        body.operations(block)
            .map(|op| View::new(self.context, body, op))
            .collect()
    }

    /// Opens the scope of an instance and those inside it.
    fn scope(
        &mut self,
        module: View<'a>,
        path: String,
        parent: Option<(usize, OperationId)>,
    ) -> Result<usize, Failed> {
        if path.matches('.').count() > 64 {
            return self.fail(module, "instances are nested too deeply");
        }
        let number = self.scopes.len();
        self.scopes.push(Scope {
            module,
            path: path.clone(),
            parent,
            children: BTreeMap::new(),
        });
        for view in self.operations(number) {
            if view.name() != "hw.instance" {
                continue;
            }
            let name = view
                .attribute("moduleName")
                .and_then(|a| a.as_flat_symbol(self.context))
                .unwrap_or_default();
            let Some(inside) = self.modules.get(name).copied() else {
                return self.fail(view, format!("there is no `hw.module @{name}`"));
            };
            let inside = View::new(self.context, self.inner, inside);
            let instance = view
                .attribute("instanceName")
                .and_then(|a| a.as_str(self.context))
                .unwrap_or("instance");
            let child = self.scope(
                inside,
                format!("{path}{instance}."),
                Some((number, view.id)),
            )?;
            self.scopes[number].children.insert(view.id, child);
        }
        Ok(number)
    }

    fn declare_state(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        match view.name() {
            // It is made of its address, as an operator of its operands.
            "seq.read" if self.latency(view) == Some(0) => Ok(()),
            "seq.compreg" | "seq.compreg.ce" | "seq.firreg" | "seq.read" => {
                self.declare_register(scope, view)
            }
            "seq.hlmem" => self.declare_memory(scope, view),
            _ => Ok(()),
        }
    }

    fn connect_state(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        match view.name() {
            "seq.compreg" | "seq.compreg.ce" | "seq.firreg" => self.connect_register(scope, view),
            "seq.read" | "seq.write" => self.connect_port(scope, view),
            _ => Ok(()),
        }
    }

    pub(super) fn term(
        &mut self,
        scope: usize,
        view: View<'a>,
        value: ValueId,
    ) -> Result<TermId, Failed> {
        match self.net(view, (scope, value))? {
            Net::Term(term) => Ok(term),
            Net::Array(words) => {
                let words = words.into_iter().rev();
                let whole = words.reduce(|high, low| Bits::concat(&high, &low));
                Ok(self.terms.constant(whole.unwrap_or_else(|| Bits::zero(0))))
            }
            Net::Clock(_) | Net::Memory(_) => self.fail(view, "a value is expected"),
        }
    }

    pub(super) fn variable_of(&self, term: TermId) -> u32 {
        match self.terms.node(term) {
            sluice_ir::algebra::TermNode::Variable { index, .. } => *index,
            _ => unreachable!("state is declared as a variable"),
        }
    }

    /// The values that a value is made of: operands, or the other side of a port.
    fn sources(&self, (scope, value): Place) -> Vec<Place> {
        let body = self.scopes[scope].module.inner();
        match body.value_definition(value) {
            ValueDefinition::Argument { index, .. } => match self.scopes[scope].parent {
                Some((around, instance)) => {
                    let around_body = self.scopes[around].module.inner();
                    vec![(around, around_body.operand(instance, index as usize))]
                }
                None => Vec::new(),
            },
            ValueDefinition::Result { operation, index } => {
                match self.scopes[scope].children.get(&operation) {
                    Some(child) => {
                        let output = self
                            .operations(*child)
                            .into_iter()
                            .find(|v| v.name() == "hw.output");
                        output
                            .and_then(|o| o.operands().nth(index as usize))
                            .map(|v| (*child, v))
                            .into_iter()
                            .collect()
                    }
                    None => body.operands(operation).map(|v| (scope, v)).collect(),
                }
            }
        }
    }

    /// The net of a value; makes everything it needs first, without recursion in Rust.
    pub(super) fn net(&mut self, reader: View<'a>, place: Place) -> Result<Net, Failed> {
        let mut stack = vec![place];
        let mut open: BTreeSet<Place> = BTreeSet::new();
        while let Some(top) = stack.last().copied() {
            if self.nets.contains_key(&top) {
                stack.pop();
                continue;
            }
            let sources = self.sources(top);
            let missing: Vec<_> = sources
                .iter()
                .copied()
                .filter(|p| !self.nets.contains_key(p))
                .collect();
            if !missing.is_empty() {
                if !open.insert(top) {
                    return self.ring(reader, &stack);
                }
                stack.extend(missing);
                continue;
            }
            let (scope, value) = top;
            let body = self.scopes[scope].module.inner();
            match body.defining_operation(value) {
                Some(op) if !self.scopes[scope].children.contains_key(&op) => {
                    self.make(scope, View::new(self.context, body, op))?;
                }
                // A port: the net on its other side.
                _ => match sources.first() {
                    Some(source) => {
                        let net = self.nets[source].clone();
                        self.nets.insert(top, net);
                    }
                    None => return self.fail(reader, "a net that nothing drives"),
                },
            }
            stack.pop();
        }
        Ok(self.nets[&place].clone())
    }

    /// Reports a combinational cycle with the nets on it.
    fn ring<T>(&mut self, view: View<'a>, stack: &[Place]) -> Result<T, Failed> {
        let mut names: Vec<String> = Vec::new();
        for (scope, value) in stack.iter().rev() {
            let body = self.scopes[*scope].module.inner();
            let name = body
                .value_name(*value)
                .map(|n| self.context.text(n).to_owned());
            let op = body.defining_operation(*value);
            let op = op.map(|op| self.context.operation_text(body.name(op)).to_owned());
            names.extend(name.or(op));
            if names.len() >= 12 {
                break;
            }
        }
        self.fail(
            view,
            format!("combinational cycle through {}", names.join(" <- ")),
        )
    }

    fn make(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        match view.name() {
            "hw.constant" => {
                let value = view
                    .attribute("value")
                    .and_then(|a| a.integer(self.context))
                    .cloned();
                let Some(value) = value else {
                    return self.fail(view, "a constant has a value");
                };
                let term = self.terms.constant(value);
                self.nets.insert((scope, view.result(0)), Net::Term(term));
            }
            "hw.wire" => {
                let net = self.nets[&(scope, view.operand(0))].clone();
                self.nets.insert((scope, view.result(0)), net);
            }
            "hw.aggregate_constant" => {
                let fields = view
                    .attribute("fields")
                    .and_then(|a| a.as_array(self.context))
                    .unwrap_or_default();
                // The element with the highest index comes first.
                let words: Option<Vec<_>> = fields
                    .iter()
                    .rev()
                    .map(|f| f.integer(self.context).cloned())
                    .collect();
                let Some(words) = words else {
                    return self.fail(view, "only arrays of integers are simulated");
                };
                self.nets.insert((scope, view.result(0)), Net::Array(words));
            }
            "seq.clock_gate" => {
                let Net::Clock(clock) = self.nets[&(scope, view.operand(0))].clone() else {
                    return self.fail(view, "a clock is expected");
                };
                let operands: Vec<_> = view.operands().collect();
                let mut enable = self.term(scope, view, operands[1])?;
                if let Some(test) = operands.get(2) {
                    let test = self.term(scope, view, *test)?;
                    enable = self.terms.or(&enable, &test);
                }
                let gate = Some(self.gated(enable, clock.gate));
                let clock = Clock { gate, ..clock };
                self.nets.insert((scope, view.result(0)), Net::Clock(clock));
            }
            "hw.array_get" if matches!(self.nets[&(scope, view.operand(0))], Net::Array(_)) => {
                let Net::Array(words) = self.nets[&(scope, view.operand(0))].clone() else {
                    unreachable!("checked above");
                };
                let address = self.term(scope, view, view.operand(1))?;
                let (variable, term) = self.variable(words[0].width());
                self.tables.push(Table {
                    variable,
                    words,
                    address,
                });
                self.nets.insert((scope, view.result(0)), Net::Term(term));
            }
            "seq.read" => {
                let Net::Memory(memory) = self.nets[&(scope, view.operand(0))].clone() else {
                    return self.fail(view, "a memory is expected");
                };
                let address = self.term(scope, view, view.operand(1))?;
                let width_bits = self.memories[memory].words[0].width();
                let (variable, term) = self.variable(width_bits);
                self.unclocked_reads.push(UnclockedRead {
                    variable,
                    memory,
                    address,
                });
                self.nets.insert((scope, view.result(0)), Net::Term(term));
            }
            _ => {
                let meaning = view.definition().and_then(|d| d.meaning.as_ref());
                if meaning.is_none() && !aggregates::is_known(view) {
                    return self.fail(view, "the simulator does not know this operation");
                }
                let mut operands = Vec::new();
                for operand in view.operands() {
                    operands.push(self.term(scope, view, operand)?);
                }
                let terms = &mut self.terms;
                let results = match meaning {
                    Some(meaning) => view
                        .with_site(|site| (meaning.denote)(site, terms, &operands))
                        .map(|results| results.into_vec()),
                    None => aggregates::results(self.context, terms, view, &operands),
                };
                let Some(results) = results else {
                    return self.fail(view, "no meaning for these types");
                };
                for (result, term) in view.results().iter().zip(results) {
                    self.nets.insert((scope, *result), Net::Term(term));
                }
            }
        }
        Ok(())
    }
}
