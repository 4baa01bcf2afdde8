//! One `hw.module` as a Verilog module.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sluice_dialects::{Operation, comb, hw, names::Names, seq, value_names::derived_name};
use sluice_ir::bits::Bits;
use sluice_ir::{Context, Diagnostics, OperationId, ValueId, View};

use crate::Options;
use crate::emitter::{Emitter, Expression, literal, range, slice};
use crate::expressions::WIDEST_AMOUNT;
use crate::lint::Reads;
use crate::pins::Header;
use crate::registers::Register;

/// Maximum depth of nested expressions.
const DEPTH: u32 = 4;

/// Which results are named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// Those with a name in the source.
    Given,
    /// Those that are named after their operation.
    Derived,
}

/// Returns the text of a module.
pub(crate) fn emit(
    context: &Context,
    module: View<'_>,
    headers: &BTreeMap<String, Header>,
    options: Options,
    diagnostics: &mut Diagnostics,
) -> String {
    let mut emitter = emitter(context, module, headers, options, diagnostics);
    emitter.module();
    emitter.reads.with_pragmas(&emitter.text)
}

/// Returns the names of instances and memories in the text of a module.
pub(crate) fn inner_names(
    context: &Context,
    module: View<'_>,
    headers: &BTreeMap<String, Header>,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<OperationId, String> {
    let mut emitter = emitter(context, module, headers, Options::default(), diagnostics);
    emitter.module();
    emitter.inner_names
}

fn emitter<'a>(
    context: &'a Context,
    module: View<'a>,
    headers: &'a BTreeMap<String, Header>,
    options: Options,
    diagnostics: &'a mut Diagnostics,
) -> Emitter<'a> {
    Emitter {
        context,
        module,
        names: Names::default(),
        named: BTreeMap::new(),
        derived: BTreeSet::new(),
        declarations: String::new(),
        statements: String::new(),
        registers: Vec::new(),
        inner_names: BTreeMap::new(),
        parameter_names: BTreeMap::new(),
        text: String::new(),
        reads: Reads::default(),
        headers,
        options,
        diagnostics,
    }
}

impl<'a> Emitter<'a> {
    pub(crate) fn view(&self, op: OperationId) -> View<'a> {
        View::new(self.context, self.module.inner(), op)
    }

    /// Returns the width of a value in bits; an aggregate is one word, a clock is one bit.
    pub(crate) fn width(&self, value: ValueId) -> u32 {
        let width = hw::width_bits(self.context, self.module.inner().ty(value));
        width
            .and_then(|width| u32::try_from(width).ok())
            .unwrap_or(1)
    }

    /// Reports that an operation cannot be written.
    pub(crate) fn refuse(&mut self, view: View<'_>, why: &str) {
        let message = format!("`{}` has no Verilog: {why}", view.name());
        self.diagnostics.error(view.location(), message);
    }

    pub(crate) fn place(&self, view: View<'_>) -> String {
        match view.location().file_line_column(self.context) {
            Some((file, line, _)) => {
                let file = file.rsplit('/').next().unwrap_or(file);
                format!(" // {file}:{line}")
            }
            None => String::new(),
        }
    }

    fn module(&mut self) {
        let body = self.module.inner();
        let Some(block) = self.module.entry_block(0) else {
            return;
        };
        let ports = hw::module_ports(self.module);
        let symbol = self.module.symbol_name().unwrap_or_default();
        let Some(header) = self.headers.get(symbol) else {
            return;
        };
        let mut arguments = body.arguments(block).iter();
        let mut outputs = Vec::new();
        let mut lines = Vec::new();
        for (port, name) in ports.iter().zip(header.ports.clone()) {
            self.names.take(&name);
            let width = hw::width_bits(self.context, port.ty);
            let Some(width) = width.and_then(|width| u32::try_from(width).ok()) else {
                let message = format!("the port `{}` is no word of known width", port.name);
                self.diagnostics.error(self.module.location(), message);
                continue;
            };
            // A port of width 0 does not exist in Verilog.
            let is_there = width > 0;
            let width = range(width);
            let direction = match port.direction {
                hw::Direction::Input => "input ",
                hw::Direction::Output => "output",
                hw::Direction::InOut => "inout ",
            };
            if is_there {
                lines.push(format!("  {direction} wire {width}{name}"));
            }
            match port.direction {
                hw::Direction::Output => outputs.push(name),
                hw::Direction::Input | hw::Direction::InOut => {
                    if let Some(argument) = arguments.next() {
                        self.reads.declare(&name, self.width(*argument));
                        self.named.insert(*argument, name);
                    }
                }
            }
        }
        let name = &header.name;
        // No inner name may hide the module's own name.
        self.names.take(name);
        self.parameter_names = header.parameters.clone();
        for name in self.parameter_names.values() {
            self.names.take(name);
        }
        let place = self.place(self.module);
        let parameters = self.parameters();
        let _ = writeln!(
            self.text,
            "module {name} {parameters}({place}\n{}\n);",
            lines.join(",\n")
        );
        let ops: Vec<_> = body.operations(block).collect();
        for op in &ops {
            let view = self.view(*op);
            if let Some((name, n)) = seq::excess(view) {
                let most = seq::MAX_STAGES;
                return self.refuse(
                    view,
                    &format!("`{name}` is {n}; at most {most} are written"),
                );
            }
        }
        // Names first: a graph region may use values before their definition. Those of the source come before those that are
        // derived from them.
        for op in &ops {
            self.name_results(*op, Naming::Given);
        }
        for op in &ops {
            self.name_results(*op, Naming::Derived);
        }
        for op in &ops {
            self.statement(*op, &outputs);
        }
        self.text.push_str(&self.declarations.clone());
        self.text.push('\n');
        self.text.push_str(&self.statements.clone());
        let mut registers = std::mem::take(&mut self.registers);
        if self.options.zeros_at_start {
            let open =
                |register: &&mut Register| register.first.is_none() && register.reset.is_none();
            for register in registers.iter_mut().filter(open) {
                register.first = Some(Bits::zero(register.width));
            }
        }
        crate::registers::write(&mut self.text, &registers);
        self.text.push_str("endmodule\n");
    }

    /// Returns whether the expression of a value is written at its use, without a wire.
    fn is_inlined(&self, view: View<'a>) -> bool {
        let [result] = view.results() else {
            return false;
        };
        let body = self.module.inner();
        match view.name() {
            hw::Constant::NAME | hw::EnumConstant::NAME => true,
            comb::Extract::NAME => {
                let source = body.defining_operation(view.operand(0));
                let plain = source.is_none_or(|op| !self.is_inlined(self.view(op)));
                plain && !self.feeds_slice(*result) && self.depth_of(view) <= DEPTH
            }
            comb::And::NAME
            | comb::Or::NAME
            | comb::Xor::NAME
            | comb::Icmp::NAME
            | comb::Mux::NAME => {
                body.has_one_use(*result)
                    && body.value_name(*result).is_none()
                    && self.depth_of(view) <= DEPTH
                    && !self.feeds_slice(*result)
            }
            _ => false,
        }
    }

    /// Returns whether an operation slices the value, which then needs a name.
    fn feeds_slice(&self, value: ValueId) -> bool {
        let body = self.module.inner();
        let is_wide = self.width(value) > WIDEST_AMOUNT;
        body.uses(value)
            .any(|(user, at)| match self.view(user).name() {
                comb::Extract::NAME
                | comb::Reverse::NAME
                | hw::StructExtract::NAME
                | hw::StructExplode::NAME
                | hw::StructInject::NAME
                | hw::UnionExtract::NAME
                | hw::ArrayGet::NAME
                | hw::ArraySlice::NAME
                | hw::ArrayInject::NAME
                | seq::FirmemWritePort::NAME
                | seq::FirmemReadWritePort::NAME => true,
                // A wide shift amount is cut.
                comb::Shl::NAME | comb::Shru::NAME | comb::Shrs::NAME => is_wide && at == 1,
                _ => false,
            })
    }

    /// Returns the depth of an operation's expression if all operands that can be inlined are inlined.
    fn depth_of(&self, view: View<'a>) -> u32 {
        fn depth(emitter: &Emitter<'_>, view: View<'_>, left: u32) -> u32 {
            if left == 0 {
                return DEPTH + 1;
            }
            let body = emitter.module.inner();
            let inner = view.operands().map(|v| match body.defining_operation(v) {
                Some(op) => {
                    let inner = View::new(emitter.context, body, op);
                    let single = matches!(
                        inner.name(),
                        comb::And::NAME
                            | comb::Or::NAME
                            | comb::Xor::NAME
                            | comb::Icmp::NAME
                            | comb::Mux::NAME
                    ) && body.has_one_use(v)
                        && body.value_name(v).is_none();
                    if single {
                        depth(emitter, inner, left - 1)
                    } else {
                        0
                    }
                }
                None => 0,
            });
            1 + inner.max().unwrap_or(0)
        }
        depth(self, view, DEPTH + 2)
    }

    /// Names the results of an operation that have a name, or those that have none.
    fn name_results(&mut self, op: OperationId, naming: Naming) {
        let view = self.view(op);
        let has_no_value = [
            hw::AggregateConstant::NAME,
            seq::Hlmem::NAME,
            seq::Firmem::NAME,
            seq::Initial::NAME,
        ];
        if self.is_inlined(view) || has_no_value.contains(&view.name()) {
            return;
        }
        for (i, result) in view.results().iter().enumerate() {
            let given = view
                .body
                .value_name(*result)
                .map(|n| self.context.text(n).to_owned());
            let attribute = view
                .attribute("name")
                .and_then(|a| a.as_str(self.context))
                .map(str::to_owned);
            let wanted = match view.name() {
                hw::Instance::NAME => {
                    let instance = view
                        .attribute("instanceName")
                        .and_then(|a| a.as_str(self.context))
                        .unwrap_or("u");
                    format!(
                        "{instance}_{}",
                        hw::instance_outputs(view)
                            .get(i)
                            .cloned()
                            .unwrap_or_default()
                    )
                }
                _ => given.or(attribute).unwrap_or_default(),
            };
            let is_derived = wanted.is_empty();
            if is_derived != (naming == Naming::Derived) {
                continue;
            }
            let wanted = match is_derived {
                true => self.derived_name(view),
                false => wanted,
            };
            if is_derived {
                self.derived.insert(*result);
            }
            let name = self.names.unique(&wanted);
            self.reads.declare(&name, self.width(*result));
            self.named.insert(*result, name);
        }
    }

    /// Returns a name for an operation whose result has none.
    fn derived_name(&self, view: View<'a>) -> String {
        let given = |value: ValueId| {
            let name = self.named.get(&value)?;
            (!self.derived.contains(&value)).then(|| without_stage(name).to_owned())
        };
        derived_name(view, &given)
    }

    pub(crate) fn expression(&mut self, value: ValueId) -> Expression {
        if let Some(name) = self.named.get(&value) {
            let text = name.clone();
            self.reads.mark(&text, 0, self.width(value));
            return Expression {
                text,
                is_atom: true,
            };
        }
        match self.module.inner().defining_operation(value) {
            Some(op) => self.operation(self.view(op)),
            None => Expression {
                text: "1'b0".to_owned(),
                is_atom: true,
            },
        }
    }

    pub(crate) fn operand(&mut self, value: ValueId) -> String {
        let expression = self.expression(value);
        if expression.is_atom {
            expression.text
        } else {
            format!("({})", expression.text)
        }
    }

    pub(crate) fn top(&mut self, value: ValueId) -> String {
        self.expression(value).text
    }

    /// Returns the value of a constant.
    pub(crate) fn constant(&self, value: ValueId) -> Option<Bits> {
        let op = self.module.inner().defining_operation(value)?;
        let view = self.view(op);
        let attribute = match view.name() {
            hw::Constant::NAME => "value",
            hw::EnumConstant::NAME => "field",
            hw::AggregateConstant::NAME => "fields",
            seq::FromImmutable::NAME => {
                return crate::initial::value(view.body, view.operand(0), self.context);
            }
            _ => return None,
        };
        hw::constant_bits(self.context, view.attribute(attribute)?, view.ty(value))
    }

    /// Returns some bits of a value.
    pub(crate) fn part(&mut self, value: ValueId, low: u32, width: u32) -> String {
        if let Some(constant) = self.constant(value) {
            return literal(&constant.extract(low, width));
        }
        let name = match self.named.get(&value) {
            Some(name) => name.clone(),
            None => self.operand(value),
        };
        self.reads.mark(&name, low, width);
        slice(&name, self.width(value), low, width)
    }

    /// Concatenates values, and omits those of width 0.
    pub(crate) fn concatenation(&mut self, values: &[ValueId]) -> String {
        let values = values.iter().filter(|value| self.width(**value) > 0);
        let values: Vec<ValueId> = values.copied().collect();
        let parts: Vec<_> = values.iter().map(|v| self.top(*v)).collect();
        format!("{{{}}}", parts.join(", "))
    }

    /// Declares a wire for an expression.
    pub(crate) fn wire(&mut self, wanted: &str, width: u32, value: &str) -> String {
        let name = self.names.unique(wanted);
        let _ = writeln!(self.declarations, "  wire {}{name};", range(width));
        let _ = writeln!(self.statements, "  assign {name} = {value};");
        name
    }

    fn statement(&mut self, op: OperationId, outputs: &[String]) {
        let view = self.view(op);
        let place = self.place(view);
        match Operation::of(view) {
            Some(Operation::Hw(op)) => match op {
                hw::Op::Output => {
                    for (name, value) in outputs.iter().zip(view.operands()) {
                        if self.width(value) > 0 {
                            let value = self.top(value);
                            let _ = writeln!(self.statements, "  assign {name} = {value};");
                        }
                    }
                }
                hw::Op::Instance => self.instance(view, &place),
                hw::Op::AggregateConstant => {}
                hw::Op::ArrayGet if self.is_table(view) => self.table(view, &place),
                hw::Op::StructExplode => self.explode(view),
                hw::Op::Triggered => self.refuse(view, "what it does is no circuit"),
                hw::Op::ArrayConcat
                | hw::Op::ArrayCreate
                | hw::Op::ArrayGet
                | hw::Op::ArrayInject
                | hw::Op::ArraySlice
                | hw::Op::Bitcast
                | hw::Op::Constant
                | hw::Op::EnumCmp
                | hw::Op::EnumConstant
                | hw::Op::GeneratorSchema
                | hw::Op::Hierpath
                | hw::Op::Module
                | hw::Op::ModuleExtern
                | hw::Op::ModuleGenerated
                | hw::Op::ParamValue
                | hw::Op::StructCreate
                | hw::Op::StructExtract
                | hw::Op::StructInject
                | hw::Op::TypeScope
                | hw::Op::Typedecl
                | hw::Op::UnionCreate
                | hw::Op::UnionExtract
                | hw::Op::Wire => self.assignment(view, &place),
            },
            Some(Operation::Seq(op)) => match op {
                seq::Op::Compreg | seq::Op::CompregCe | seq::Op::Firreg | seq::Op::Shiftreg => {
                    self.register(view, &place);
                }
                seq::Op::Hlmem => self.memory(view, &place),
                seq::Op::Firmem => self.masked_memory(view, &place),
                seq::Op::Fifo => self.queue(view, &place),
                seq::Op::ClockGate => self.clock_gate(view, &place),
                seq::Op::ClockDiv => self.clock_divider(view, &place),
                seq::Op::Read
                | seq::Op::Write
                | seq::Op::Initial
                | seq::Op::FirmemReadPort
                | seq::Op::FirmemWritePort
                | seq::Op::FirmemReadWritePort => {}
                seq::Op::ClockInv
                | seq::Op::ClockMux
                | seq::Op::ConstClock
                | seq::Op::FromClock
                | seq::Op::FromImmutable
                | seq::Op::ToClock
                | seq::Op::Yield => self.assignment(view, &place),
            },
            _ => self.assignment(view, &place),
        }
    }

    /// Writes the wire of an operation with one result, unless the expression is inlined.
    fn assignment(&mut self, view: View<'a>, place: &str) {
        if self.is_inlined(view) || view.results().is_empty() {
            return;
        }
        let Some(name) = self.named.get(&view.result(0)).cloned() else {
            return;
        };
        if self.width(view.result(0)) == 0 {
            return;
        }
        let width = range(self.width(view.result(0)));
        let value = self.operation(view).text;
        let _ = writeln!(self.declarations, "  wire {width}{name};");
        let _ = writeln!(self.statements, "  assign {name} = {value};{place}");
    }

    fn instance(&mut self, view: View<'a>, place: &str) {
        let text = |name: &str| {
            view.attribute(name)
                .and_then(|a| a.as_str(self.context))
                .unwrap_or("u")
                .to_owned()
        };
        let module = view
            .attribute("moduleName")
            .and_then(|a| a.as_flat_symbol(self.context))
            .unwrap_or("unknown");
        let Some(header) = self.headers.get(module) else {
            return self.refuse(view, "there is no such module");
        };
        let name = self.names.unique(&text("instanceName"));
        self.inner_names.insert(view.id, name.clone());
        let mut pins = Vec::new();
        for (port, operand) in header.inputs.iter().zip(view.operands()) {
            if self.width(operand) > 0 {
                let value = self.top(operand);
                pins.push(format!("    .{port}({value})"));
            }
        }
        for (port, result) in header.outputs.iter().zip(view.results()) {
            let Some(net) = self.named.get(result).cloned() else {
                continue;
            };
            if self.width(*result) == 0 {
                continue;
            }
            let width = range(self.width(*result));
            let _ = writeln!(self.declarations, "  wire {width}{net};");
            pins.push(format!("    .{port}({net})"));
        }
        let given = self.given_parameters(view, header);
        let _ = writeln!(
            self.statements,
            "  {} {given}{name} ({place}\n{}\n  );",
            header.name,
            pins.join(",\n")
        );
    }
}

/// Returns the name of the value in a register: `i` for `i_r0` and `i_r0_1`.
fn without_stage(name: &str) -> &str {
    let number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let (first, last) = name.rsplit_once('_').unwrap_or((name, ""));
    let whole = match number(last) && first.contains("_r") {
        true => first,
        false => name,
    };
    match whole.rsplit_once("_r") {
        Some((value, stage)) if !value.is_empty() && number(stage) => value,
        _ => name,
    }
}
