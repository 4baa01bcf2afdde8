//! One `hw.module` as a Verilog module.

use std::collections::BTreeMap;
use std::fmt::Write;

use sluice_dialects::{comb, hw, names::Names, seq};
use sluice_ir::bits::Bits;
use sluice_ir::{Context, Diagnostics, OperationId, ValueId, View};

use crate::Options;
use crate::pins::Header;
use crate::registers::Register;

/// Amounts of shifts that are wider are cut: Verilator takes no more bits where it finds them to be constant.
const WIDEST_AMOUNT: u32 = 32;

/// How deep expressions are written into each other.
const DEPTH: u32 = 4;

/// An expression and whether it needs parentheses inside another.
#[derive(Clone)]
pub(crate) struct Expression {
    pub(crate) text: String,
    pub(crate) is_atom: bool,
}

impl Expression {
    pub(crate) fn atom(text: String) -> Self {
        Self {
            text,
            is_atom: true,
        }
    }

    pub(crate) fn plain(text: String) -> Self {
        Self {
            text,
            is_atom: false,
        }
    }
}

pub(crate) struct Emitter<'a> {
    pub(crate) context: &'a Context,
    pub(crate) module: View<'a>,
    pub(crate) names: Names,
    /// Name of each value that has one in the text.
    pub(crate) named: BTreeMap<ValueId, String>,
    pub(crate) declarations: String,
    pub(crate) statements: String,
    pub(crate) registers: Vec<Register>,
    /// What instances and memories are called.
    pub(crate) inner_names: BTreeMap<OperationId, String>,
    /// Names of parameters, by those that they are given.
    pub(crate) parameter_names: BTreeMap<String, String>,
    text: String,
    headers: &'a BTreeMap<String, Header>,
    pub(crate) options: Options,
    pub(crate) diagnostics: &'a mut Diagnostics,
}

/// A number of `width` bits.
pub(crate) fn literal(value: &Bits) -> String {
    if value.width() <= 32 || value.active_bits() <= 9 {
        format!("{}'d{}", value.width(), value.to_unsigned_string())
    } else {
        format!("{}'h{}", value.width(), value.to_hex_string())
    }
}

pub(crate) fn range(width: u32) -> String {
    if width <= 1 {
        String::new()
    } else {
        format!("[{}:0] ", width - 1)
    }
}

/// The text of a module.
pub(crate) fn emit(
    context: &Context,
    module: View<'_>,
    headers: &BTreeMap<String, Header>,
    options: Options,
    diagnostics: &mut Diagnostics,
) -> String {
    let mut emitter = emitter(context, module, headers, options, diagnostics);
    emitter.module();
    emitter.text
}

/// What instances and memories are called in the text of a module.
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
        declarations: String::new(),
        statements: String::new(),
        registers: Vec::new(),
        inner_names: BTreeMap::new(),
        parameter_names: BTreeMap::new(),
        text: String::new(),
        headers,
        options,
        diagnostics,
    }
}

impl<'a> Emitter<'a> {
    pub(crate) fn view(&self, op: OperationId) -> View<'a> {
        View::new(self.context, self.module.inner(), op)
    }

    /// Bits of a value; aggregates are words, a clock is one bit.
    pub(crate) fn width(&self, value: ValueId) -> u32 {
        let width = hw::width_bits(self.context, self.module.inner().ty(value));
        width
            .and_then(|width| u32::try_from(width).ok())
            .unwrap_or(1)
    }

    /// Says that an operation cannot be written.
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
            // What has no bits has no port.
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
                        self.named.insert(*argument, name);
                    }
                }
            }
        }
        let name = &header.name;
        // Nothing inside may hide the module's own name.
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
                let most = seq::MOST_STAGES;
                return self.refuse(
                    view,
                    &format!("`{name}` is {n}; at most {most} are written"),
                );
            }
        }
        // Names first: a graph uses values before they are made.
        for op in &ops {
            self.name_results(*op);
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

    /// Whether a value is written where it is used instead of getting a wire.
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

    /// A sliced value needs a name.
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
                // A wide amount is cut.
                comb::Shl::NAME | comb::Shru::NAME | comb::Shrs::NAME => is_wide && at == 1,
                _ => false,
            })
    }

    /// How deep the expression of an operation would be if everything that can be were inlined.
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

    fn name_results(&mut self, op: OperationId) {
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
                _ => given.or(attribute).unwrap_or_else(|| "w".to_owned()),
            };
            let name = self.names.unique(&wanted);
            self.named.insert(*result, name);
        }
    }

    pub(crate) fn expression(&mut self, value: ValueId) -> Expression {
        if let Some(name) = self.named.get(&value) {
            return Expression {
                text: name.clone(),
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

    /// The expression of a combinational operation.
    fn operation(&mut self, view: View<'a>) -> Expression {
        let operands: Vec<_> = view.operands().collect();
        let (plain, atom) = (Expression::plain, Expression::atom);
        if let Some(value) = self.constant(view.result(0)) {
            return atom(literal(&value));
        }
        let join = |emitter: &mut Self, operator: &str| {
            let parts: Vec<_> = operands.iter().map(|v| emitter.operand(*v)).collect();
            parts.join(&format!(" {operator} "))
        };
        match view.name() {
            hw::Wire::NAME => self.expression(operands[0]),
            comb::Add::NAME => plain(join(self, "+")),
            comb::Sub::NAME => plain(join(self, "-")),
            comb::Mul::NAME => plain(join(self, "*")),
            comb::And::NAME => plain(join(self, "&")),
            comb::Or::NAME => plain(join(self, "|")),
            comb::Xor::NAME => match self.complement(&operands) {
                Some(value) => {
                    let inner = self.operand(value);
                    // An operator is not an operand of another one without parentheses.
                    match inner.starts_with('~') {
                        true => atom(format!("~({inner})")),
                        false => atom(format!("~{inner}")),
                    }
                }
                None => plain(join(self, "^")),
            },
            comb::Shl::NAME | comb::Shru::NAME => {
                let operator = if view.name() == comb::Shl::NAME {
                    "<<"
                } else {
                    ">>"
                };
                let (a, b) = (self.operand(operands[0]), self.amount(operands[1]));
                plain(format!("{a} {operator} {b}"))
            }
            comb::Shrs::NAME => {
                let (a, b) = (self.top(operands[0]), self.amount(operands[1]));
                // The cast makes the shift arithmetic whatever stands around it.
                atom(format!("$unsigned($signed({a}) >>> {b})"))
            }
            comb::Divu::NAME | comb::Modu::NAME | comb::Divs::NAME | comb::Mods::NAME => {
                self.division(view, &operands)
            }
            comb::Icmp::NAME if self.width(operands[0]) == 0 => {
                let number = view.attribute("predicate");
                let number = number.and_then(|a| a.as_i64(self.context)).unwrap_or(0);
                let is_equal = [0, 3, 5, 7, 9, 10, 12].contains(&number);
                atom(literal(&Bits::from_u64(1, u64::from(is_equal))))
            }
            comb::Parity::NAME if self.width(operands[0]) == 0 => atom("1'b0".to_owned()),
            comb::Icmp::NAME => {
                let number = view
                    .attribute("predicate")
                    .and_then(|a| a.as_i64(self.context))
                    .unwrap_or(0);
                let operator = match number {
                    0 | 10 | 12 => "==",
                    1 | 11 | 13 => "!=",
                    2 | 6 => "<",
                    3 | 7 => "<=",
                    4 | 8 => ">",
                    _ => ">=",
                };
                if (2..=5).contains(&number) {
                    let (a, b) = (self.top(operands[0]), self.top(operands[1]));
                    plain(format!("$signed({a}) {operator} $signed({b})"))
                } else {
                    plain(join(self, operator))
                }
            }
            comb::Mux::NAME => {
                let (c, a, b) = (
                    self.operand(operands[0]),
                    self.operand(operands[1]),
                    self.operand(operands[2]),
                );
                plain(format!("{c} ? {a} : {b}"))
            }
            comb::Parity::NAME => {
                let a = self.operand(operands[0]);
                atom(format!("^{a}"))
            }
            comb::Concat::NAME
            | hw::StructCreate::NAME
            | hw::ArrayCreate::NAME
            | hw::ArrayConcat::NAME => atom(self.concatenation(&operands)),
            comb::Reverse::NAME => {
                let width = self.width(operands[0]);
                let bits = (0..width).map(|bit| self.part(operands[0], bit, 1));
                atom(format!("{{{}}}", bits.collect::<Vec<_>>().join(", ")))
            }
            comb::TruthTable::NAME => self.truth_table(view, &operands),
            hw::ParamValue::NAME => match view.attribute("value") {
                Some(value) => self.parameter(view, value),
                None => atom("1'b0".to_owned()),
            },
            hw::Bitcast::NAME | seq::FromClock::NAME | seq::ToClock::NAME => {
                self.expression(operands[0])
            }
            hw::EnumCmp::NAME => plain(join(self, "==")),
            hw::StructExtract::NAME
            | hw::UnionExtract::NAME
            | hw::StructInject::NAME
            | hw::UnionCreate::NAME
            | hw::ArrayGet::NAME
            | hw::ArraySlice::NAME
            | hw::ArrayInject::NAME => self.of_aggregate(view, &operands),
            seq::ClockInv::NAME => {
                let clock = self.operand(operands[0]);
                atom(format!("~{clock}"))
            }
            seq::ClockMux::NAME => {
                let parts: Vec<_> = operands.iter().map(|v| self.operand(*v)).collect();
                plain(format!("{} ? {} : {}", parts[0], parts[1], parts[2]))
            }
            seq::ConstClock::NAME => {
                let value = view.attribute("value");
                let is_high = value.is_some_and(|a| seq::is_high(self.context, a));
                atom(literal(&Bits::from_u64(1, u64::from(is_high))))
            }
            comb::Replicate::NAME => {
                let times = self.width(view.result(0)) / self.width(operands[0]).max(1);
                let a = self.top(operands[0]);
                atom(format!("{{{times}{{{a}}}}}"))
            }
            comb::Extract::NAME => {
                let low = view
                    .attribute("lowBit")
                    .and_then(|a| a.as_i64(self.context))
                    .unwrap_or(0);
                let low = u32::try_from(low).unwrap_or(0);
                let width = self.width(view.result(0));
                atom(self.part(operands[0], low, width))
            }
            name => {
                self.diagnostics
                    .error(view.location(), format!("`{name}` has no Verilog"));
                atom("1'b0".to_owned())
            }
        }
    }

    /// The constant a value is.
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

    /// Some bits of a value.
    pub(crate) fn part(&mut self, value: ValueId, low: u32, width: u32) -> String {
        if let Some(constant) = self.constant(value) {
            return literal(&constant.extract(low, width));
        }
        let name = self.operand(value);
        slice(&name, self.width(value), low, width)
    }

    /// Values above one another, those without bits left out.
    pub(crate) fn concatenation(&mut self, values: &[ValueId]) -> String {
        let values = values.iter().filter(|value| self.width(**value) > 0);
        let values: Vec<ValueId> = values.copied().collect();
        let parts: Vec<_> = values.iter().map(|v| self.top(*v)).collect();
        format!("{{{}}}", parts.join(", "))
    }

    fn truth_table(&mut self, view: View<'a>, operands: &[ValueId]) -> Expression {
        let table = view.attribute("lookupTable");
        let bits = table.and_then(|table| comb::table(self.context, table));
        // The bit of index 0 is the lowest.
        let bits = bits.unwrap_or_default().into_iter();
        let value = bits.fold(Bits::zero(0), |below, bit| {
            Bits::concat(&Bits::from_u64(1, u64::from(bit)), &below)
        });
        if operands.is_empty() {
            return Expression::atom(literal(&value));
        }
        let width = value.width();
        let name = self.wire("table", width, &literal(&value));
        let index = self.concatenation(operands);
        Expression::atom(format!("{name}[{index}]"))
    }

    /// A wire of its own for an expression.
    pub(crate) fn wire(&mut self, wanted: &str, width: u32, value: &str) -> String {
        let name = self.names.unique(wanted);
        let _ = writeln!(self.declarations, "  wire {}{name};", range(width));
        let _ = writeln!(self.statements, "  assign {name} = {value};");
        name
    }

    /// How far to shift: no constant beyond the width, which not every tool reads.
    fn amount(&mut self, value: ValueId) -> String {
        let width = self.width(value);
        match self.constant(value).map(|amount| amount.to_u64()) {
            Some(amount) if amount.is_none_or(|amount| amount > u64::from(width)) => {
                format!("32'd{width}")
            }
            None if width > WIDEST_AMOUNT => {
                let name = self.operand(value);
                format!("(|{name}[{}:32] ? 32'd{width} : {name}[31:0])", width - 1)
            }
            _ => self.operand(value),
        }
    }

    /// `x` of `x ^ 1...1`.
    fn complement(&self, operands: &[ValueId]) -> Option<ValueId> {
        let [value, mask] = operands else { return None };
        let op = self.module.inner().defining_operation(*mask)?;
        let mask = self.view(op);
        let all = mask.name() == hw::Constant::NAME
            && mask
                .attribute("value")?
                .integer(self.context)?
                .is_all_ones();
        all.then_some(*value)
    }

    /// Division with the value of the algebra for a divisor of 0.
    fn division(&mut self, view: View<'a>, operands: &[ValueId]) -> Expression {
        let width = self.width(view.result(0));
        let (a, b) = (self.operand(operands[0]), self.operand(operands[1]));
        let zero = literal(&Bits::zero(width));
        let text = match view.name() {
            comb::Divu::NAME => format!(
                "{b} == {zero} ? {} : {a} / {b}",
                literal(&Bits::ones(width))
            ),
            comb::Modu::NAME => format!("{b} == {zero} ? {a} : {a} % {b}"),
            comb::Divs::NAME => format!(
                "{b} == {zero} ? ($signed({a}) < $signed({zero}) ? {} : {}) : $unsigned($signed({a}) / $signed({b}))",
                literal(&Bits::from_u64(width, 1)),
                literal(&Bits::ones(width))
            ),
            _ => format!("{b} == {zero} ? {a} : $unsigned($signed({a}) % $signed({b}))"),
        };
        Expression {
            text,
            is_atom: false,
        }
    }

    fn statement(&mut self, op: OperationId, outputs: &[String]) {
        let view = self.view(op);
        let place = self.place(view);
        match view.name() {
            hw::Output::NAME => {
                for (name, value) in outputs.iter().zip(view.operands()) {
                    if self.width(value) > 0 {
                        let value = self.top(value);
                        let _ = writeln!(self.statements, "  assign {name} = {value};");
                    }
                }
            }
            hw::Instance::NAME => self.instance(view, &place),
            seq::Compreg::NAME | seq::CompregCe::NAME | seq::Firreg::NAME | seq::Shiftreg::NAME => {
                self.register(view, &place);
            }
            seq::Hlmem::NAME => self.memory(view, &place),
            seq::Firmem::NAME => self.masked_memory(view, &place),
            seq::Fifo::NAME => self.queue(view, &place),
            seq::ClockGate::NAME => self.clock_gate(view, &place),
            seq::ClockDiv::NAME => self.clock_divider(view, &place),
            seq::Read::NAME
            | seq::Write::NAME
            | hw::AggregateConstant::NAME
            | seq::Initial::NAME
            | seq::FirmemReadPort::NAME
            | seq::FirmemWritePort::NAME
            | seq::FirmemReadWritePort::NAME => {}
            hw::ArrayGet::NAME if self.is_table(view) => self.table(view, &place),
            hw::StructExplode::NAME => self.explode(view),
            hw::Triggered::NAME => self.refuse(view, "what it does is no circuit"),
            _ if self.is_inlined(view) || view.results().is_empty() => {}
            _ => {
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
        }
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

/// Some bits of a net.
pub(crate) fn slice(name: &str, whole: u32, low: u32, width: u32) -> String {
    if whole == 1 {
        name.to_owned()
    } else if width == 1 {
        format!("{name}[{low}]")
    } else {
        format!("{name}[{}:{low}]", low + width - 1)
    }
}
