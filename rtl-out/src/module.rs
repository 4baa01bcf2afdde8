//! One `hw.module` as a Verilog module.

use std::collections::BTreeMap;
use std::fmt::Write;

use sluice_dialects::hw;
use sluice_dialects::storage::{NO_COLLISION, StorageKind, storage};
use sluice_ir::bits::Bits;
use sluice_ir::{AttributeKind, Context, Diagnostics, OperationId, ValueId, View};

use sluice_dialects::names::Names;

/// Amounts of shifts that are wider are cut: Verilator takes no more bits where it finds them to be constant.
const WIDEST_AMOUNT: u32 = 32;

/// How deep expressions are written into each other.
const DEPTH: u32 = 4;

/// An expression and whether it needs parentheses inside another.
#[derive(Clone)]
struct Expression {
    text: String,
    is_atom: bool,
}

/// A register and what drives it.
struct Register {
    name: String,
    location: String,
    width: u32,
    input: String,
    enable: Option<String>,
    reset: Option<(String, String)>,
    clock: String,
}

struct Emitter<'a> {
    context: &'a Context,
    module: View<'a>,
    names: Names,
    /// Name of each value that has one in the text.
    named: BTreeMap<ValueId, String>,
    declarations: String,
    text: String,
    diagnostics: &'a mut Diagnostics,
}

/// A number of `width` bits.
fn literal(value: &Bits) -> String {
    if value.width() <= 32 || value.active_bits() <= 9 {
        format!("{}'d{}", value.width(), value.to_unsigned_string())
    } else {
        format!("{}'h{}", value.width(), value.to_hex_string())
    }
}

fn range(width: u32) -> String {
    if width == 1 {
        String::new()
    } else {
        format!("[{}:0] ", width - 1)
    }
}

/// The text of a module.
pub(crate) fn emit(context: &Context, module: View<'_>, diagnostics: &mut Diagnostics) -> String {
    let mut emitter = Emitter {
        context,
        module,
        names: Names::default(),
        named: BTreeMap::new(),
        declarations: String::new(),
        text: String::new(),
        diagnostics,
    };
    emitter.module();
    emitter.text
}

impl<'a> Emitter<'a> {
    fn view(&self, op: OperationId) -> View<'a> {
        View::new(self.context, self.module.inner(), op)
    }

    fn width(&self, value: ValueId) -> u32 {
        // A clock is one bit.
        self.module
            .inner()
            .ty(value)
            .integer_width_bits(self.context)
            .unwrap_or(1)
    }

    fn place(&self, view: View<'_>) -> String {
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
        let mut arguments = body.arguments(block).iter();
        let mut outputs = Vec::new();
        let mut lines = Vec::new();
        for port in &ports {
            let name = self.names.unique(&port.name);
            let width = range(port.ty.integer_width_bits(self.context).unwrap_or(1));
            if port.direction == hw::Direction::Input {
                lines.push(format!("  input  wire {width}{name}"));
                if let Some(argument) = arguments.next() {
                    self.named.insert(*argument, name);
                }
            } else {
                lines.push(format!("  output wire {width}{name}"));
                outputs.push(name);
            }
        }
        let name = crate::module_name(self.module.symbol_name().unwrap_or("top"));
        // Nothing inside may hide the module's own name.
        self.names.unique(&name);
        let place = self.place(self.module);
        let _ = writeln!(
            self.text,
            "module {name} ({place}\n{}\n);",
            lines.join(",\n")
        );
        let ops: Vec<_> = body.operations(block).collect();
        // Names first: a graph uses values before they are made.
        for op in &ops {
            self.name_results(*op);
        }
        let mut registers = Vec::new();
        let mut statements = String::new();
        for op in &ops {
            self.statement(*op, &outputs, &mut registers, &mut statements);
        }
        self.text.push_str(&self.declarations.clone());
        self.text.push('\n');
        self.text.push_str(&statements);
        self.registers(&registers);
        self.text.push_str("endmodule\n");
    }

    /// Whether a value is written where it is used instead of getting a wire.
    fn is_inlined(&self, view: View<'a>) -> bool {
        let [result] = view.results() else {
            return false;
        };
        let body = self.module.inner();
        match view.name() {
            "hw.constant" => true,
            "comb.extract" => {
                let source = body.defining_operation(view.operand(0));
                let plain = source.is_none_or(|op| !self.is_inlined(self.view(op)));
                plain && !self.feeds_slice(*result) && self.depth_of(view) <= DEPTH
            }
            "comb.and" | "comb.or" | "comb.xor" | "comb.icmp" | "comb.mux" => {
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
                "comb.extract" => true,
                // A wide amount is cut.
                "comb.shl" | "comb.shru" | "comb.shrs" => is_wide && at == 1,
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
                        "comb.and" | "comb.or" | "comb.xor" | "comb.icmp" | "comb.mux"
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
        if self.is_inlined(view)
            || view.name() == "hw.aggregate_constant"
            || view.name() == "seq.hlmem"
        {
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
                "hw.instance" => {
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

    fn expression(&mut self, value: ValueId) -> Expression {
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

    fn operand(&mut self, value: ValueId) -> String {
        let expression = self.expression(value);
        if expression.is_atom {
            expression.text
        } else {
            format!("({})", expression.text)
        }
    }

    fn top(&mut self, value: ValueId) -> String {
        self.expression(value).text
    }

    /// The expression of a combinational operation.
    fn operation(&mut self, view: View<'a>) -> Expression {
        let operands: Vec<_> = view.operands().collect();
        let plain = |text: String| Expression {
            text,
            is_atom: false,
        };
        let atom = |text: String| Expression {
            text,
            is_atom: true,
        };
        let join = |emitter: &mut Self, operator: &str| {
            let parts: Vec<_> = operands.iter().map(|v| emitter.operand(*v)).collect();
            parts.join(&format!(" {operator} "))
        };
        match view.name() {
            "hw.constant" => {
                let value = view
                    .attribute("value")
                    .and_then(|a| a.integer(self.context))
                    .cloned();
                atom(value.map_or_else(|| "1'b0".to_owned(), |v| literal(&v)))
            }
            "hw.wire" => self.expression(operands[0]),
            "comb.add" => plain(join(self, "+")),
            "comb.sub" => plain(join(self, "-")),
            "comb.mul" => plain(join(self, "*")),
            "comb.and" => plain(join(self, "&")),
            "comb.or" => plain(join(self, "|")),
            "comb.xor" => match self.complement(&operands) {
                Some(value) => {
                    let inner = self.operand(value);
                    atom(format!("~{inner}"))
                }
                None => plain(join(self, "^")),
            },
            "comb.shl" | "comb.shru" => {
                let operator = if view.name() == "comb.shl" {
                    "<<"
                } else {
                    ">>"
                };
                let (a, b) = (self.operand(operands[0]), self.amount(operands[1]));
                plain(format!("{a} {operator} {b}"))
            }
            "comb.shrs" => {
                let (a, b) = (self.top(operands[0]), self.amount(operands[1]));
                // The cast makes the shift arithmetic whatever stands around it.
                atom(format!("$unsigned($signed({a}) >>> {b})"))
            }
            "comb.divu" | "comb.modu" | "comb.divs" | "comb.mods" => self.division(view, &operands),
            "comb.icmp" => {
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
            "comb.mux" => {
                let (c, a, b) = (
                    self.operand(operands[0]),
                    self.operand(operands[1]),
                    self.operand(operands[2]),
                );
                plain(format!("{c} ? {a} : {b}"))
            }
            "comb.parity" => {
                let a = self.operand(operands[0]);
                atom(format!("^{a}"))
            }
            "comb.concat" => {
                let parts: Vec<_> = operands.iter().map(|v| self.top(*v)).collect();
                atom(format!("{{{}}}", parts.join(", ")))
            }
            "comb.replicate" => {
                let times = self.width(view.result(0)) / self.width(operands[0]).max(1);
                let a = self.top(operands[0]);
                atom(format!("{{{times}{{{a}}}}}"))
            }
            "comb.extract" => {
                let low = view
                    .attribute("lowBit")
                    .and_then(|a| a.as_i64(self.context))
                    .unwrap_or(0);
                let low = u32::try_from(low).unwrap_or(0);
                let width = self.width(view.result(0));
                let constant = self.constant(operands[0]).map(|c| c.extract(low, width));
                if let Some(constant) = constant {
                    return atom(literal(&constant));
                }
                let source = self.operand(operands[0]);
                if self.width(operands[0]) == 1 {
                    atom(source)
                } else if width == 1 {
                    atom(format!("{source}[{low}]"))
                } else {
                    atom(format!("{source}[{}:{low}]", low + width - 1))
                }
            }
            name => {
                self.diagnostics
                    .error(view.location(), format!("`{name}` has no Verilog"));
                atom("1'b0".to_owned())
            }
        }
    }

    /// The constant a value is.
    fn constant(&self, value: ValueId) -> Option<Bits> {
        let op = self.module.inner().defining_operation(value)?;
        let view = self.view(op);
        let is_constant = view.name() == "hw.constant";
        is_constant
            .then(|| view.attribute("value")?.integer(self.context).cloned())
            .flatten()
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
        let all = mask.name() == "hw.constant"
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
            "comb.divu" => format!(
                "{b} == {zero} ? {} : {a} / {b}",
                literal(&Bits::ones(width))
            ),
            "comb.modu" => format!("{b} == {zero} ? {a} : {a} % {b}"),
            "comb.divs" => format!(
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

    fn statement(
        &mut self,
        op: OperationId,
        outputs: &[String],
        registers: &mut Vec<Register>,
        statements: &mut String,
    ) {
        let view = self.view(op);
        let place = self.place(view);
        match view.name() {
            "hw.output" => {
                for (name, value) in outputs.iter().zip(view.operands()) {
                    let value = self.top(value);
                    let _ = writeln!(statements, "  assign {name} = {value};");
                }
            }
            "hw.instance" => self.instance(view, &place, statements),
            "seq.compreg" | "seq.compreg.ce" => self.register(view, &place, registers),
            "seq.hlmem" => self.memory(view, &place, statements),
            "seq.read" | "seq.write" | "hw.aggregate_constant" => {}
            "hw.array_get" => self.table(view, &place, statements),
            _ if self.is_inlined(view) || view.results().is_empty() => {}
            _ => {
                let Some(name) = self.named.get(&view.result(0)).cloned() else {
                    return;
                };
                let width = range(self.width(view.result(0)));
                let value = self.operation(view).text;
                let _ = writeln!(self.declarations, "  wire {width}{name};");
                let _ = writeln!(statements, "  assign {name} = {value};{place}");
            }
        }
    }

    fn instance(&mut self, view: View<'a>, place: &str, statements: &mut String) {
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
        let name = self.names.unique(&text("instanceName"));
        let mut pins = Vec::new();
        for (port, operand) in hw::instance_inputs(view).iter().zip(view.operands()) {
            let value = self.top(operand);
            pins.push(format!("    .{port}({value})"));
        }
        for (port, result) in hw::instance_outputs(view).iter().zip(view.results()) {
            let Some(net) = self.named.get(result).cloned() else {
                continue;
            };
            let width = range(self.width(*result));
            let _ = writeln!(self.declarations, "  wire {width}{net};");
            pins.push(format!("    .{port}({net})"));
        }
        let _ = writeln!(
            statements,
            "  {} {name} ({place}\n{}\n  );",
            crate::module_name(module),
            pins.join(",\n")
        );
    }

    fn register(&mut self, view: View<'a>, place: &str, registers: &mut Vec<Register>) {
        let with_enable = usize::from(view.name() == "seq.compreg.ce");
        let Some(name) = self.named.get(&view.result(0)).cloned() else {
            return;
        };
        let input = self.top(view.operand(0));
        let clock = self.top(view.operand(1));
        let enable = (with_enable == 1).then(|| self.top(view.operand(2)));
        let (reset, value) = (
            view.operand_group(2 + with_enable),
            view.operand_group(3 + with_enable),
        );
        let reset = match (&reset[..], &value[..]) {
            ([reset], [value]) => Some((self.top(*reset), self.top(*value))),
            _ => None,
        };
        registers.push(Register {
            name,
            location: place.to_owned(),
            width: self.width(view.result(0)),
            input,
            enable,
            reset,
            clock,
        });
    }

    /// Registers with one clock, reset and enable share a block.
    fn registers(&mut self, registers: &[Register]) {
        if registers.is_empty() {
            return;
        }
        let mut declarations = String::new();
        let mut groups: Vec<(&Register, Vec<&Register>)> = Vec::new();
        for register in registers {
            let _ = writeln!(
                declarations,
                "  reg  {}{};{}",
                range(register.width),
                register.name,
                register.location
            );
            let key = |r: &Register| {
                (
                    r.clock.clone(),
                    r.enable.clone(),
                    r.reset.as_ref().map(|(reset, _)| reset.clone()),
                )
            };
            match groups
                .iter_mut()
                .find(|(first, _)| key(first) == key(register))
            {
                Some((_, group)) => group.push(register),
                None => groups.push((register, vec![register])),
            }
        }
        // Declarations stand before every use.
        let header = self.text.find(");\n").map_or(0, |at| at + 3);
        self.text.insert_str(header, &declarations);
        for (first, group) in groups {
            let _ = writeln!(self.text, "\n  always @(posedge {}) begin", first.clock);
            let mut indent = "    ";
            if let Some((reset, _)) = &first.reset {
                let _ = writeln!(self.text, "    if ({reset}) begin");
                for register in &group {
                    if let Some((_, value)) = &register.reset {
                        let _ = writeln!(self.text, "      {} <= {value};", register.name);
                    }
                }
                let condition = first
                    .enable
                    .as_ref()
                    .map_or_else(String::new, |e| format!(" if ({e})"));
                let _ = writeln!(self.text, "    end else{condition} begin");
                indent = "      ";
            } else if let Some(enable) = &first.enable {
                let _ = writeln!(self.text, "    if ({enable}) begin");
                indent = "      ";
            }
            for register in &group {
                let _ = writeln!(
                    self.text,
                    "{indent}{} <= {};",
                    register.name, register.input
                );
            }
            if first.reset.is_some() || first.enable.is_some() {
                self.text.push_str("    end\n");
            }
            self.text.push_str("  end\n");
        }
    }

    /// An array with its ports. A read and a write of one word in one cycle give the old word, or anything where the memory says that
    /// there is no such cycle. Reads of latency 0 are assignments. Where several ports write, each has a block of its own, with the reads
    /// at its address: so tools find the ports of a memory with two.
    fn memory(&mut self, view: View<'a>, place: &str, statements: &mut String) {
        let handle = view.result(0);
        let Some((shape, element)) =
            sluice_dialects::seq::memory_parts(self.context, view.ty(handle))
        else {
            return;
        };
        let words: i64 = shape.iter().product();
        let width = element.integer_width_bits(self.context).unwrap_or(1);
        let wanted = view
            .attribute("name")
            .and_then(|a| a.as_str(self.context))
            .unwrap_or("memory");
        let name = self.names.unique(wanted);
        let clock = self.top(view.operand(0));
        let users: Vec<_> = view.body.uses(handle).map(|(user, _)| user).collect();
        let ports: Vec<View<'a>> = users.iter().rev().map(|op| self.view(*op)).collect();
        let is_clocked = |port: &View<'a>| {
            let latency = port.attribute("latency");
            latency.and_then(|a| a.as_i64(self.context)) != Some(0)
        };
        let (clocked, unclocked): (Vec<_>, Vec<_>) = ports.into_iter().partition(is_clocked);
        let wishes = wishes(view, clocked.iter().any(|port| port.name() == "seq.read"));
        let _ = writeln!(
            self.declarations,
            "  {wishes}reg  {}{name} [0:{}];{place}",
            range(width),
            words - 1
        );
        // Per block the address that its reads share with its write.
        let writes = clocked.iter().filter(|port| port.name() == "seq.write");
        let mut blocks: Vec<(ValueId, String)> = writes
            .map(|port| (port.operand(1), String::new()))
            .collect();
        let own_blocks = blocks.len() > 1;
        if !own_blocks {
            let any = clocked.first().map(|port| port.operand(1));
            blocks = any
                .map(|address| (address, String::new()))
                .into_iter()
                .collect();
        }
        let mut next_write = 0;
        for port in clocked {
            let operands: Vec<_> = port.operands().collect();
            let address = self.top(operands[1]);
            if port.name() == "seq.read" {
                let Some(data) = self.named.get(&port.result(0)).cloned() else {
                    continue;
                };
                let _ = writeln!(self.declarations, "  reg  {}{data};", range(width));
                let enable = operands
                    .get(2)
                    .map(|e| format!("if ({}) ", self.top(*e)))
                    .unwrap_or_default();
                let same = blocks.iter().position(|(at, _)| *at == operands[1]);
                let block = &mut blocks[same.filter(|_| own_blocks).unwrap_or(0)].1;
                let _ = writeln!(block, "    {enable}{data} <= {name}[{address}];");
            } else {
                let (data, enable) = (self.top(operands[2]), self.top(operands[3]));
                let block = &mut blocks[if own_blocks { next_write } else { 0 }].1;
                next_write += 1;
                let _ = writeln!(block, "    if ({enable}) {name}[{address}] <= {data};");
            }
        }
        for (_, block) in blocks {
            let _ = writeln!(
                statements,
                "  always @(posedge {clock}) begin\n{block}  end"
            );
        }
        for port in unclocked {
            let Some(data) = self.named.get(&port.result(0)).cloned() else {
                continue;
            };
            let address = self.top(port.operand(1));
            let _ = writeln!(self.declarations, "  wire {}{data};", range(width));
            let _ = writeln!(statements, "  assign {data} = {name}[{address}];");
        }
    }

    /// A look-up in a constant array as a case.
    fn table(&mut self, view: View<'a>, place: &str, statements: &mut String) {
        let array = self
            .module
            .inner()
            .defining_operation(view.operand(0))
            .map(|op| self.view(op));
        let fields = array
            .and_then(|a| a.attribute("fields"))
            .and_then(|a| a.as_array(self.context));
        let Some(fields) = fields else {
            self.diagnostics
                .error(view.location(), "only constant arrays have Verilog");
            return;
        };
        let Some(name) = self.named.get(&view.result(0)).cloned() else {
            return;
        };
        let width = self.width(view.result(0));
        let address_width = self.width(view.operand(1));
        let address = self.top(view.operand(1));
        let _ = writeln!(self.declarations, "  reg  {}{name};{place}", range(width));
        let _ = writeln!(statements, "  always @(*) begin\n    case ({address})");
        for (i, field) in fields.iter().rev().enumerate() {
            if let AttributeKind::Integer { value, .. } = field.kind(self.context) {
                let index = literal(&Bits::from_u64(address_width, i as u64));
                let _ = writeln!(statements, "      {index}: {name} = {};", literal(value));
            }
        }
        let _ = writeln!(
            statements,
            "      default: {name} = {};\n    endcase\n  end",
            literal(&Bits::zero(width))
        );
    }
}

/// What synthesis tools are told of a memory: the kind of cell that was asked for, and that nobody needs the old word where one is read
/// and written at once, so that a block memory needs no circuit beside it.
fn wishes(view: View<'_>, is_read_clocked: bool) -> String {
    let style = storage(view).and_then(|storage| match storage.kind {
        StorageKind::LutRam => Some("ram_style = \"distributed\""),
        StorageKind::BlockRam => Some("ram_style = \"block\""),
        StorageKind::Registers | StorageKind::Rom => None,
    });
    let free = is_read_clocked && view.attribute(NO_COLLISION).is_some();
    let all: Vec<&str> = style
        .into_iter()
        .chain(free.then_some("no_rw_check"))
        .collect();
    if all.is_empty() {
        return String::new();
    }
    format!("(* {} *) ", all.join(", "))
}
