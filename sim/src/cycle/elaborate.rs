//! Elaboration: flattens a hierarchy of hw modules into terms.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use sluice_dialects::{
    comb, hw,
    seq::{self, Image},
};
use sluice_ir::algebra::{Algebra, TermId, TermNode, Terms};
use sluice_ir::bits::Bits;
use sluice_ir::{Context, Diagnostics, Module, View};

use super::clock_inputs::ClockInputs;
use super::clock_signals::DERIVED;
use super::clocks::{self, ClockTiming, Clocks};
use super::combinational_loops::find_combinational_loops;
use super::flat::Elaborated;
use super::models::Models;
use super::{Observe, Port, aggregates};
use crate::cycle::elaborator::{Elaborator, Failed, Net, Place};

/// The inputs of elaboration besides the modules.
#[derive(Clone, Default)]
pub struct Surroundings {
    /// The timing of clocks; a single clock without a given timing rises in every tick.
    pub clocks: Vec<ClockTiming>,
    /// The models of extern modules.
    pub models: Models,
    /// The initial contents of memories from files, one entry for each word of a memory.
    pub images: Arc<BTreeMap<Image, Vec<Bits>>>,
}

/// The ports of a flattened module: its inputs, and its outputs with the terms that drive them.
type Ports = (Vec<Port>, Vec<(Port, TermId)>);

/// Flattens `top`.
///
/// # Errors
/// All combinational loops; undriven nets, operations without a meaning, clocks and models that do not fit.
pub fn elaborate(
    context: &Context,
    module: &Module,
    top: &str,
    surroundings: &Surroundings,
    observe: Observe,
) -> Result<Elaborated, Diagnostics> {
    let inner = module.inner();
    let mut modules = BTreeMap::new();
    for op in module.top_level_operations() {
        let view = View::new(context, inner, op);
        let is_module = view.name().starts_with(hw::Module::NAME);
        if let (true, Some(name)) = (is_module, view.symbol_name()) {
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
        calls: Vec::new(),
        probes: Vec::new(),
        clocks: Clocks::default(),
        models: &surroundings.models,
        images: &surroundings.images,
        rows: BTreeMap::new(),
        read_ports: BTreeMap::new(),
        fifos: BTreeMap::new(),
        bound: BTreeMap::new(),
        model_states: BTreeMap::new(),
        clock_users: BTreeMap::new(),
        observe,
        clock_signals: Vec::new(),
        diagnostics: Diagnostics::new(),
    };
    let found = elaborator.modules.get(top).copied();
    let view = found.map(|op| View::new(context, inner, op));
    let Some(view) = view.filter(|view| view.name() == hw::Module::NAME) else {
        let location = module.body.location(module.operation);
        elaborator.diagnostics.error(
            location,
            format!("there is no `hw.module @{top}` to simulate"),
        );
        return Err(elaborator.diagnostics);
    };
    let found = find_combinational_loops(context, module, top, &surroundings.models);
    if found.has_errors() {
        return Err(found);
    }
    let mut finder = ClockInputs::new(context, module);
    match elaborator.whole(view, &surroundings.clocks, &mut finder) {
        Ok((inputs, outputs)) if !elaborator.diagnostics.has_errors() => {
            let timing = elaborator.timing(inputs.len());
            let idle_clocks = elaborator.idle_clocks(inputs.len());
            let signals = match observe {
                Observe::Signals | Observe::Waves | Observe::Everything => {
                    elaborator.signals(&outputs)
                }
                Observe::Ports => Vec::new(),
            };
            let origins = match observe {
                Observe::Everything => elaborator.origins(&signals),
                Observe::Ports | Observe::Signals | Observe::Waves => FxHashMap::default(),
            };
            Ok(Elaborated {
                clocks: elaborator.root_timings(),
                terms: elaborator.terms,
                inputs,
                outputs,
                variables: elaborator.variables,
                registers: elaborator.registers,
                memories: elaborator.memories,
                tables: elaborator.tables,
                unclocked_reads: elaborator.unclocked_reads,
                calls: elaborator.calls,
                probes: elaborator.probes,
                timing,
                signals,
                clock_signals: elaborator.clock_signals,
                idle_clocks,
                origins,
            })
        }
        _ => Err(elaborator.diagnostics),
    }
}

/// Returns the input ports of a module, in the order of its arguments.
fn inputs(view: View<'_>) -> impl Iterator<Item = hw::Port> {
    let ports = hw::module_ports(view).into_iter();
    ports.filter(|port| port.direction != hw::Direction::Output)
}

/// Returns the names of the outputs, from the module type.
fn output_names(view: View<'_>) -> Vec<String> {
    hw::module_ports(view)
        .into_iter()
        .filter(|port| port.direction == hw::Direction::Output)
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

    pub(super) fn constant_of(&self, term: TermId) -> Option<&Bits> {
        match self.terms.node(term) {
            TermNode::Constant(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn variable_of(&self, term: TermId) -> u32 {
        match self.terms.node(term) {
            TermNode::Variable { index, .. } => *index,
            _ => unreachable!("state is declared as a variable"),
        }
    }

    pub(super) fn variable_width(&self, variable: u32) -> u32 {
        self.variables[variable as usize]
    }

    /// Elaborates the top module and everything below it; returns its ports.
    fn whole(
        &mut self,
        view: View<'a>,
        timings: &[ClockTiming],
        finder: &mut ClockInputs<'a>,
    ) -> Result<Ports, Failed> {
        self.scope(view, String::new(), None, BTreeMap::new())?;
        let inputs = self.top_inputs(view, timings, finder)?;
        let nets = self.connect()?;
        let names = output_names(view);
        let mut outputs = Vec::new();
        for (i, net) in nets.into_iter().enumerate() {
            let name = names.get(i).cloned().unwrap_or_else(|| format!("out{i}"));
            let term = match net {
                Net::Term(term) => term,
                Net::Clock(clock) => self.level(clock),
                Net::Array(words) => self.whole_array(words),
                Net::Memory(_) => return self.fail(view, format!("`{name}` is no word")),
            };
            let width_bits = self.terms.width(&term);
            outputs.push((Port { name, width_bits }, term));
        }
        if self.observe != Observe::Ports {
            self.make_unread();
        }
        if self.observe == Observe::Waves {
            self.clock_signals = self.clock_signals();
        }
        self.finish_clocks();
        if let Some(untimed) = self.untimed_clocks() {
            let example: Vec<String> = untimed.iter().map(|name| format!("{name}=1")).collect();
            let message = format!(
                "several clocks drive it: say the period of each in ticks, as `{}`",
                example.join("`, `")
            );
            return self.fail(view, message);
        }
        Ok((inputs, outputs))
    }

    /// Creates variables and clocks for the inputs of the top module. A bit is a clock if it is used only as one, or if it has a
    /// given timing.
    fn top_inputs(
        &mut self,
        view: View<'a>,
        timings: &[ClockTiming],
        finder: &mut ClockInputs<'a>,
    ) -> Result<Vec<Port>, Failed> {
        let body = view.inner();
        let block = view.entry_block(0).expect("the verifier requires a block");
        let timings = clocks::reduced(timings);
        let (mut words, mut clocks) = (Vec::new(), Vec::new());
        let mut has_levels = false;
        let arguments = body.arguments(block).iter().zip(inputs(view));
        for (number, (argument, port)) in arguments.enumerate() {
            let name = port.name;
            let ty = body.ty(*argument);
            let word = aggregates::width_bits(self.context, ty);
            let is_named = timings.iter().any(|timing| timing.name == name);
            let clock = finder.input(view, number);
            if clock.is_some() || word == Some(1) && is_named {
                has_levels |= clock.is_none_or(|clock| clock.has_level);
                let clock = self.root_clock(&name, &timings);
                self.nets.insert((0, *argument), Net::Clock(clock));
                clocks.push(name);
                continue;
            }
            let Some(width_bits) = word else {
                let ty = sluice_ir::text::print_type(self.context, ty);
                return self.fail(view, format!("the input `{name}` is no word but `{ty}`"));
            };
            let (_, term) = self.variable(width_bits);
            self.nets.insert((0, *argument), Net::Term(term));
            words.push(Port { name, width_bits });
        }
        for timing in &timings {
            if !clocks.contains(&timing.name) {
                let message = format!(
                    "there is no clock `{}`; there is: `{}`",
                    timing.name,
                    clocks.join("`, `")
                );
                return self.fail(view, message);
            }
        }
        let has_edges = self.has_edges(&mut has_levels);
        self.prepare_clocks(has_levels, has_edges);
        Ok(words)
    }

    /// Returns whether a value is a clock input of the top module, reached only through instances and wires.
    fn is_clock_input(&self, mut place: Place) -> bool {
        loop {
            if let Some(net) = self.nets.get(&place) {
                return matches!(net, Net::Clock(_));
            }
            let (scope, value) = place;
            let body = self.scopes[scope].module.inner();
            let made = body.defining_operation(value);
            let is_passed = made.is_none_or(|op| {
                let name = View::new(self.context, body, op).name();
                name == hw::Wire::NAME || self.scopes[scope].children.contains_key(&op)
            });
            match self.sources(place).first() {
                Some(source) if is_passed => place = *source,
                _ => return false,
            }
        }
    }

    /// Returns whether edges of data signals are needed; sets `has_levels` if levels of clocks are.
    fn has_edges(&self, has_levels: &mut bool) -> bool {
        let mut has_edges = false;
        for scope in 0..self.scopes.len() {
            let of_clock = |value| self.is_clock_input((scope, value));
            for view in self.operations(scope) {
                let is_clock = |ty| aggregates::width_bits(self.context, ty).is_none();
                match view.name() {
                    // Waves show when these clocks are high.
                    name if self.observe == Observe::Waves && DERIVED.contains(&name) => {
                        *has_levels = true;
                    }
                    seq::FromClock::NAME | seq::ClockInv::NAME | seq::ClockMux::NAME => {
                        *has_levels = true
                    }
                    seq::ToClock::NAME => has_edges |= !of_clock(view.operand(0)),
                    // These operations may turn clocks into bits of words, or bits into clocks.
                    name if name == comb::Mux::NAME || aggregates::is_known(view) => {
                        *has_levels |= view.operand_types().any(is_clock);
                        let mut results = view.results().iter();
                        has_edges |= results.any(|result| is_clock(view.ty(*result)));
                    }
                    seq::Firreg::NAME => has_edges |= view.attribute("isAsync").is_some(),
                    hw::Output::NAME if scope == 0 => {
                        *has_levels |= view.operand_types().any(is_clock);
                    }
                    _ => {}
                }
            }
        }
        has_edges
    }

    /// Connects all nets, and returns those of the outputs of the top module.
    fn connect(&mut self) -> Result<Vec<Net>, Failed> {
        for scope in 0..self.scopes.len() {
            for view in self.operations(scope) {
                if let Some((name, n)) = seq::excess(view) {
                    let most = seq::MAX_STAGES;
                    let message = format!("`{name}` is {n}, and {most} at most are simulated");
                    return self.fail(view, &message);
                }
            }
        }
        // Operations with state come first, because they break all cycles. Memories come before their ports.
        for declare in [Self::declare_memories, Self::declare_state] {
            for scope in 0..self.scopes.len() {
                for view in self.operations(scope) {
                    declare(self, scope, view)?;
                }
            }
        }
        let mut outputs = Vec::new();
        for scope in 0..self.scopes.len() {
            for view in self.operations(scope) {
                if view.name() == hw::Output::NAME {
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

    /// Creates the nets of values that have a name but no use; those that cannot be created are left out.
    fn make_unread(&mut self) {
        for scope in 0..self.scopes.len() {
            for view in self.operations(scope) {
                for result in view.results() {
                    let is_named = view.body.value_name(*result).is_some();
                    if !is_named || self.nets.contains_key(&(scope, *result)) {
                        continue;
                    }
                    let n_errors = self.diagnostics.all.len();
                    if self.net(view, (scope, *result)).is_err() {
                        self.diagnostics.all.truncate(n_errors);
                    }
                }
            }
        }
    }

    fn declare_memories(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        match view.name() {
            seq::Hlmem::NAME => self.declare_memory(scope, view),
            seq::Firmem::NAME => self.declare_masked(scope, view),
            _ => Ok(()),
        }
    }

    fn declare_state(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        match view.name() {
            // It is combinational in its address, so it is created like an operator.
            seq::Read::NAME if self.latency(view) == Some(0) => Ok(()),
            seq::Compreg::NAME
            | seq::CompregCe::NAME
            | seq::Firreg::NAME
            | seq::Shiftreg::NAME
            | seq::Read::NAME => self.declare_registers(scope, view),
            seq::FirmemReadPort::NAME | seq::FirmemReadWritePort::NAME => {
                self.declare_read_port(scope, view)
            }
            seq::Fifo::NAME => self.declare_fifo(scope, view),
            hw::Instance::NAME => self.declare_model(scope, view),
            _ => Ok(()),
        }
    }

    fn connect_state(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        match view.name() {
            seq::Compreg::NAME | seq::CompregCe::NAME | seq::Firreg::NAME | seq::Shiftreg::NAME => {
                self.connect_registers(scope, view)
            }
            seq::Read::NAME | seq::Write::NAME => self.connect_port(scope, view),
            seq::FirmemReadPort::NAME
            | seq::FirmemReadWritePort::NAME
            | seq::FirmemWritePort::NAME => self.connect_masked_port(scope, view),
            seq::Fifo::NAME => self.connect_fifo(scope, view),
            hw::Instance::NAME => self.connect_model(scope, view),
            hw::Triggered::NAME => self.fail(view, super::nets::UNKNOWN),
            _ => Ok(()),
        }
    }
}
