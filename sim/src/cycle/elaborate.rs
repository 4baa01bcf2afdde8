//! Elaboration: a hierarchy of hw modules flattened into terms.

use std::collections::BTreeMap;

use sluice_ir::algebra::{Algebra, TermId, Terms};
use sluice_ir::bits::Bits;
use sluice_ir::{AttributeKind, Body, Context, Diagnostics, Module, OperationId, TypeKind, ValueId, View};

use super::Port;

/// A register: its variable, what it takes over, and when.
pub(crate) struct Register {
    pub(crate) name: String,
    pub(crate) width_bits: u32,
    pub(crate) variable: u32,
    pub(crate) next: TermId,
    pub(crate) enable: Option<TermId>,
    pub(crate) reset: Option<(TermId, TermId)>,
}

/// A memory with its ports.
pub(crate) struct MemoryModel {
    pub(crate) words: Vec<Bits>,
    /// Variable of the data, address, enable.
    pub(crate) reads: Vec<(u32, TermId, Option<TermId>)>,
    /// Address, data, enable.
    pub(crate) writes: Vec<(TermId, TermId, TermId)>,
}

/// A combinational look-up: its variable, the words, the address.
pub(crate) struct Table {
    pub(crate) variable: u32,
    pub(crate) words: Vec<Bits>,
    pub(crate) address: TermId,
}

/// A flattened module.
pub(crate) struct Elaborated {
    pub(crate) terms: Terms,
    /// Inputs are the first variables, in this order.
    pub(crate) inputs: Vec<Port>,
    pub(crate) outputs: Vec<(Port, TermId)>,
    /// Width of each variable.
    pub(crate) variables: Vec<u32>,
    pub(crate) registers: Vec<Register>,
    pub(crate) memories: Vec<MemoryModel>,
    pub(crate) tables: Vec<Table>,
}

/// What a net of one instance is.
#[derive(Clone)]
enum Net {
    Term(TermId),
    Clock,
    Memory(usize),
    Array(Vec<Bits>),
}

/// A module instance that is being flattened.
struct Scope<'a> {
    body: &'a Body,
    path: String,
    nets: BTreeMap<ValueId, Net>,
}

struct Elaborator<'a> {
    context: &'a Context,
    modules: BTreeMap<&'a str, OperationId>,
    inner: &'a Body,
    terms: Terms,
    variables: Vec<u32>,
    registers: Vec<Register>,
    memories: Vec<MemoryModel>,
    tables: Vec<Table>,
    diagnostics: Diagnostics,
}

type Failed = ();

/// Flattens `top`.
pub(crate) fn elaborate(context: &Context, module: &Module, top: &str) -> Result<Elaborated, Diagnostics> {
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
        terms: Terms::new(),
        variables: Vec::new(),
        registers: Vec::new(),
        memories: Vec::new(),
        tables: Vec::new(),
        diagnostics: Diagnostics::new(),
    };
    let Some(op) = elaborator.modules.get(top).copied() else {
        let location = module.body.location(module.operation);
        elaborator.diagnostics.error(location, format!("there is no `hw.module @{top}` to simulate"));
        return Err(elaborator.diagnostics);
    };
    let view = View::new(context, inner, op);
    let body = view.inner();
    let block = view.entry_block(0).expect("the verifier requires a block");
    let mut scope = Scope { body, path: String::new(), nets: BTreeMap::new() };
    let mut inputs = Vec::new();
    for (i, argument) in body.arguments(block).iter().enumerate() {
        let name = body.value_name(*argument).map_or_else(|| format!("arg{i}"), |n| context.text(n).to_owned());
        match body.ty(*argument).integer_width_bits(context) {
            Some(width_bits) => {
                let variable = elaborator.variable(width_bits);
                scope.nets.insert(*argument, Net::Term(variable.1));
                inputs.push(Port { name, width_bits });
            }
            None => {
                scope.nets.insert(*argument, Net::Clock);
            }
        }
    }
    let outputs = elaborator.module(&mut scope, view).and_then(|nets| {
        let names = output_names(view);
        nets.into_iter()
            .enumerate()
            .map(|(i, net)| match net {
                Net::Term(term) => {
                    let width_bits = elaborator.terms.width(&term);
                    let name = names.get(i).cloned().unwrap_or_else(|| format!("out{i}"));
                    Ok((Port { name, width_bits }, term))
                }
                Net::Clock | Net::Memory(_) | Net::Array(_) => {
                    elaborator.diagnostics.error(view.location(), "an output of the top module is not an integer");
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
    fn variable(&mut self, width_bits: u32) -> (u32, TermId) {
        let index = u32::try_from(self.variables.len()).expect("fewer than 2^32 variables");
        self.variables.push(width_bits);
        (index, self.terms.variable(index, width_bits))
    }

    fn fail<T>(&mut self, view: View<'_>, message: impl Into<String>) -> Result<T, Failed> {
        let message = message.into();
        self.diagnostics.error(view.location(), format!("`{}`: {message}", view.name()));
        Err(())
    }

    /// Flattens the body of one instance and returns the nets of its outputs.
    fn module(&mut self, scope: &mut Scope<'a>, module: View<'a>) -> Result<Vec<Net>, Failed> {
        let block = module.entry_block(0).expect("the verifier requires a block");
        let ops: Vec<_> = scope.body.operations(block).collect();
        // What holds state comes first: it breaks every cycle.
        for op in &ops {
            self.declare_state(scope, View::new(self.context, scope.body, *op))?;
        }
        let mut outputs = Vec::new();
        for op in &ops {
            let view = View::new(self.context, scope.body, *op);
            if view.name() == "hw.output" {
                for operand in view.operands() {
                    outputs.push(self.net(scope, view, operand)?);
                }
            } else if !view.results().is_empty() {
                self.net(scope, view, view.result(0))?;
            }
        }
        for op in &ops {
            self.connect_state(scope, View::new(self.context, scope.body, *op))?;
        }
        Ok(outputs)
    }

    fn declare_state(&mut self, scope: &mut Scope<'a>, view: View<'a>) -> Result<(), Failed> {
        match view.name() {
            "seq.compreg" | "seq.compreg.ce" | "seq.read" => {
                let result = view.result(0);
                let Some(width_bits) = view.ty(result).integer_width_bits(self.context) else {
                    return self.fail(view, "only integers are held in registers");
                };
                let (_, term) = self.variable(width_bits);
                scope.nets.insert(result, Net::Term(term));
            }
            "seq.hlmem" => {
                let result = view.result(0);
                let Some((depth, width)) = memory_type(self.context, view) else {
                    return self.fail(view, "only memories of integers with one dimension are simulated");
                };
                let words = vec![Bits::zero(width); depth];
                scope.nets.insert(result, Net::Memory(self.memories.len()));
                self.memories.push(MemoryModel { words, reads: Vec::new(), writes: Vec::new() });
            }
            _ => {}
        }
        Ok(())
    }

    fn term(&mut self, scope: &mut Scope<'a>, view: View<'a>, value: ValueId) -> Result<TermId, Failed> {
        match self.net(scope, view, value)? {
            Net::Term(term) => Ok(term),
            Net::Clock | Net::Memory(_) | Net::Array(_) => self.fail(view, "an integer is expected"),
        }
    }

    fn variable_of(&self, term: TermId) -> u32 {
        match self.terms.node(term) {
            sluice_ir::algebra::TermNode::Variable { index, .. } => *index,
            _ => unreachable!("state is declared as a variable"),
        }
    }

    fn connect_state(&mut self, scope: &mut Scope<'a>, view: View<'a>) -> Result<(), Failed> {
        let groups = |view: View<'a>| -> Vec<Option<ValueId>> {
            let sizes = view.attribute("operandSegmentSizes").and_then(|a| a.as_dense_array_i64(self.context));
            let mut operands = view.operands();
            sizes.unwrap_or_default().into_iter().map(|n| (0..n).filter_map(|_| operands.next()).last()).collect()
        };
        match view.name() {
            "seq.compreg" | "seq.compreg.ce" => {
                let groups = groups(view);
                let with_enable = view.name() == "seq.compreg.ce";
                let get = |i: usize| groups.get(i).copied().flatten();
                let Some(input) = get(0) else { return self.fail(view, "a register has an input") };
                let result = self.term(scope, view, view.result(0))?;
                let next = self.term(scope, view, input)?;
                let enable = match get(2).filter(|_| with_enable) {
                    Some(enable) => Some(self.term(scope, view, enable)?),
                    None => None,
                };
                let first = 2 + usize::from(with_enable);
                let reset = match (get(first), get(first + 1)) {
                    (Some(reset), Some(value)) => {
                        Some((self.term(scope, view, reset)?, self.term(scope, view, value)?))
                    }
                    _ => None,
                };
                let name = view.attribute("name").and_then(|a| a.as_str(self.context)).unwrap_or("register");
                self.registers.push(Register {
                    name: format!("{}{name}", scope.path),
                    width_bits: self.terms.width(&result),
                    variable: self.variable_of(result),
                    next,
                    enable,
                    reset,
                });
            }
            "seq.read" | "seq.write" => {
                let operands: Vec<_> = view.operands().collect();
                let Net::Memory(memory) = self.net(scope, view, operands[0])? else {
                    return self.fail(view, "a memory is expected");
                };
                let latency = view.attribute("latency").and_then(|a| a.as_i64(self.context));
                if latency != Some(1) {
                    return self.fail(view, "only ports of latency 1 are simulated");
                }
                let address = self.term(scope, view, operands[1])?;
                if view.name() == "seq.read" {
                    let data = self.term(scope, view, view.result(0))?;
                    let enable = match operands.get(2) {
                        Some(enable) => Some(self.term(scope, view, *enable)?),
                        None => None,
                    };
                    let variable = self.variable_of(data);
                    self.memories[memory].reads.push((variable, address, enable));
                } else {
                    let data = self.term(scope, view, operands[2])?;
                    let enable = self.term(scope, view, operands[3])?;
                    self.memories[memory].writes.push((address, data, enable));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The net of a value; makes everything it needs first, without recursion in Rust.
    fn net(&mut self, scope: &mut Scope<'a>, reader: View<'a>, value: ValueId) -> Result<Net, Failed> {
        if let Some(net) = scope.nets.get(&value) {
            return Ok(net.clone());
        }
        let mut stack = vec![value];
        let mut open: BTreeMap<OperationId, bool> = BTreeMap::new();
        while let Some(value) = stack.last().copied() {
            if scope.nets.contains_key(&value) {
                stack.pop();
                continue;
            }
            let Some(op) = scope.body.defining_operation(value) else {
                return self.fail(reader, "a net that nothing drives");
            };
            let view = View::new(self.context, scope.body, op);
            let missing: Vec<_> = view.operands().filter(|v| !scope.nets.contains_key(v)).collect();
            if missing.is_empty() {
                self.make(scope, view)?;
                stack.pop();
                continue;
            }
            if open.insert(op, true).is_some() {
                return self.ring(scope, view, &stack);
            }
            stack.extend(missing);
        }
        Ok(scope.nets[&value].clone())
    }

    /// Reports a combinational cycle with the nets on it.
    fn ring<T>(&mut self, scope: &Scope<'a>, view: View<'a>, stack: &[ValueId]) -> Result<T, Failed> {
        let mut names: Vec<String> = Vec::new();
        for value in stack.iter().rev() {
            let name = scope.body.value_name(*value).map(|n| self.context.text(n).to_owned());
            let op = scope.body.defining_operation(*value);
            let op = op.map(|op| self.context.operation_text(scope.body.name(op)).to_owned());
            names.extend(name.or(op));
            if names.len() >= 12 {
                break;
            }
        }
        self.fail(view, format!("combinational cycle through {}", names.join(" <- ")))
    }

    fn make(&mut self, scope: &mut Scope<'a>, view: View<'a>) -> Result<(), Failed> {
        match view.name() {
            "hw.constant" => {
                let value = view.attribute("value").and_then(|a| a.integer(self.context)).cloned();
                let Some(value) = value else { return self.fail(view, "a constant has a value") };
                let term = self.terms.constant(value);
                scope.nets.insert(view.result(0), Net::Term(term));
            }
            "hw.wire" => {
                let net = scope.nets[&view.operand(0)].clone();
                scope.nets.insert(view.result(0), net);
            }
            "hw.aggregate_constant" => {
                let fields = view.attribute("fields").and_then(|a| a.as_array(self.context)).unwrap_or_default();
                // The element with the highest index comes first.
                let words: Option<Vec<_>> = fields.iter().rev().map(|f| f.integer(self.context).cloned()).collect();
                let Some(words) = words else { return self.fail(view, "only arrays of integers are simulated") };
                scope.nets.insert(view.result(0), Net::Array(words));
            }
            "hw.array_get" => {
                let Net::Array(words) = scope.nets[&view.operand(0)].clone() else {
                    return self.fail(view, "only constant arrays are simulated");
                };
                let address = self.term(scope, view, view.operand(1))?;
                let (variable, term) = self.variable(words[0].width());
                self.tables.push(Table { variable, words, address });
                scope.nets.insert(view.result(0), Net::Term(term));
            }
            "hw.instance" => self.instance(scope, view)?,
            _ => {
                let Some(meaning) = view.definition().and_then(|d| d.meaning.as_ref()) else {
                    return self.fail(view, "the simulator does not know this operation");
                };
                let mut operands = Vec::new();
                for operand in view.operands() {
                    operands.push(self.term(scope, view, operand)?);
                }
                let terms = &mut self.terms;
                let results = view.with_site(|site| (meaning.denote)(site, terms, &operands));
                let Some(results) = results else { return self.fail(view, "no meaning for these types") };
                for (result, term) in view.results().iter().zip(results) {
                    scope.nets.insert(*result, Net::Term(term));
                }
            }
        }
        Ok(())
    }

    fn instance(&mut self, scope: &mut Scope<'a>, view: View<'a>) -> Result<(), Failed> {
        let name = view.attribute("moduleName").and_then(|a| a.as_flat_symbol(self.context)).unwrap_or_default();
        let Some(module) = self.modules.get(name).copied() else {
            return self.fail(view, format!("there is no `hw.module @{name}`"));
        };
        let module = View::new(self.context, self.inner, module);
        let instance = view.attribute("instanceName").and_then(|a| a.as_str(self.context)).unwrap_or("instance");
        let block = module.entry_block(0).expect("the verifier requires a block");
        let arguments = module.inner().arguments(block);
        let nets = arguments.iter().copied().zip(view.operands().map(|v| scope.nets[&v].clone())).collect();
        let mut inside = Scope { body: module.inner(), path: format!("{}{instance}.", scope.path), nets };
        let outputs = self.module(&mut inside, module)?;
        for (result, net) in view.results().iter().zip(outputs) {
            scope.nets.insert(*result, net);
        }
        Ok(())
    }
}

/// Words and bits per word of the memory an `seq.hlmem` declares.
fn memory_type(context: &Context, view: View<'_>) -> Option<(usize, u32)> {
    let TypeKind::Dialect { parameters, .. } = view.ty(view.result(0)).kind(context) else { return None };
    let shape = parameters.first()?;
    let depth = match shape.kind(context) {
        AttributeKind::DenseArray { values, .. } if values.len() == 1 => usize::try_from(values[0].to_u64()?).ok()?,
        _ => return None,
    };
    let width = parameters.get(1)?.as_type(context)?.integer_width_bits(context)?;
    Some((depth, width))
}
