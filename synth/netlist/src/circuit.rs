//! A netlist under construction: hw, comb and seq operations, with the folding that keeps the circuit readable.

use std::collections::BTreeMap;

use sluice_dialects::sluice::{NO_COLLISION, STORAGE};
use sluice_dialects::{builtin, comb, hw, predicate::Predicate, seq, storage::Storage};
use sluice_ir::bits::Bits;
use sluice_ir::{Attribute, BlockId, Body, Context, Location, NewOperation, Type, ValueId};
use sluice_oplib::implementation::Selection;

/// Builds the graph region of one `hw.module`.
///
/// Absent: scheduling knowledge. This is the only file that names hw, comb and seq operations.
pub struct Circuit<'a> {
    /// Interns types, names and attributes.
    pub context: &'a Context,
    /// The body of the module.
    pub body: &'a mut Body,
    block: BlockId,
    clock: ValueId,
    reset: Option<ValueId>,
    /// Location of the operations made from now on.
    pub location: Location,
    /// A bit that enables all registers created from now on.
    pub stall_enable: Option<ValueId>,
    constants: BTreeMap<Bits, ValueId>,
    names: BTreeMap<String, u32>,
    /// The drivers of connected placeholders: nets stored elsewhere may still refer to a placeholder.
    replaced: BTreeMap<ValueId, ValueId>,
}

/// Greatest number of values that one operation ors: a look-up table takes them. The cover of the estimates keeps the order of an
/// operation with more, which is then a chain.
const MAX_ORED: usize = 4;

/// The options of a register.
#[derive(Default)]
pub struct RegisterOptions<'n> {
    /// The register loads its input only in cycles in which this bit is set; always if absent.
    pub enable: Option<ValueId>,
    /// Value after a synchronous reset; a register that only carries data has none.
    pub reset: Option<Bits>,
    /// A signal that loads this value at the end of the cycle; it replaces the reset.
    pub preset: Option<(ValueId, Bits)>,
    /// The preferred name in the Verilog.
    pub name: &'n str,
}

impl<'a> Circuit<'a> {
    /// An empty netlist in `block` of `body`, whose arguments `clock` and `reset` are. Without a reset no register has a value after one.
    pub fn new(
        context: &'a Context,
        body: &'a mut Body,
        block: BlockId,
        clock: ValueId,
        reset: impl Into<Option<ValueId>>,
        location: Location,
    ) -> Self {
        Self {
            context,
            body,
            block,
            clock,
            reset: reset.into(),
            location,
            stall_enable: None,
            constants: BTreeMap::new(),
            names: BTreeMap::new(),
            replaced: BTreeMap::new(),
        }
    }

    /// Returns the net, or the net that replaces it if it is a connected placeholder.
    fn current(&self, mut net: ValueId) -> ValueId {
        while let Some(next) = self.replaced.get(&net) {
            net = *next;
        }
        net
    }

    /// Returns the width of a value in bits.
    pub fn width(&self, value: ValueId) -> u32 {
        self.body
            .ty(value)
            .integer_width_bits(self.context)
            .expect("every net but the clock is an integer")
    }

    fn int(&self, width_bits: u32) -> Type {
        self.context.integer_type(width_bits)
    }

    /// Appends an operation.
    pub fn operation(
        &mut self,
        name: &str,
        operands: &[ValueId],
        results: &[Type],
        attributes: &[(&str, Attribute)],
    ) -> Vec<ValueId> {
        let mut new = NewOperation::new(self.context.operation_name(name), self.location);
        new.operands = operands.iter().map(|net| self.current(*net)).collect();
        new.result_types = results.into();
        new.attributes = attributes
            .iter()
            .map(|(name, a)| (self.context.name(name), *a))
            .collect();
        let op = self.body.create(self.context, new);
        self.body.append(self.block, op);
        self.body.results(op).to_vec()
    }

    fn one(
        &mut self,
        name: &str,
        operands: &[ValueId],
        width_bits: u32,
        attributes: &[(&str, Attribute)],
    ) -> ValueId {
        let ty = self.int(width_bits);
        self.operation(name, operands, &[ty], attributes)[0]
    }

    /// Returns the value of a constant; `None` for other nets.
    pub fn constant_of(&self, value: ValueId) -> Option<&Bits> {
        let op = self.body.defining_operation(self.current(value))?;
        if self.context.operation_text(self.body.name(op)) != hw::Constant::NAME {
            return None;
        }
        self.body
            .attribute_named(self.context, op, "value")?
            .integer(self.context)
    }

    /// Returns a constant; equal constants are shared.
    pub fn constant(&mut self, value: Bits) -> ValueId {
        if let Some(known) = self.constants.get(&value) {
            return *known;
        }
        let location = std::mem::replace(&mut self.location, Location::UNKNOWN);
        let ty = self.int(value.width());
        let attribute = self.context.integer_attribute(ty, value.clone());
        let net = self.operation(hw::Constant::NAME, &[], &[ty], &[("value", attribute)])[0];
        self.location = location;
        self.constants.insert(value, net);
        net
    }

    /// Returns a one-bit constant.
    pub fn flag(&mut self, value: bool) -> ValueId {
        self.constant(Bits::from_u64(1, u64::from(value)))
    }

    fn is_flag(&self, value: ValueId, flag: bool) -> bool {
        self.width(value) == 1 && self.constant_of(value).is_some_and(|c| c.is_zero() != flag)
    }

    /// Appends a comb operation whose operands and result have the same width.
    pub fn comb(&mut self, mnemonic: &str, operands: &[ValueId]) -> ValueId {
        let width_bits = self.width(operands[0]);
        self.one(&format!("comb.{mnemonic}"), operands, width_bits, &[])
    }

    /// Returns `a & b` on one bit, folded.
    pub fn and(&mut self, a: ValueId, b: ValueId) -> ValueId {
        if self.is_flag(a, true) || a == b || self.is_flag(b, false) {
            return b;
        }
        if self.is_flag(b, true) || self.is_flag(a, false) {
            return a;
        }
        self.comb("and", &[a, b])
    }

    /// Returns the conjunction of one-bit values, folded; true if there are none.
    pub fn all(&mut self, terms: &[ValueId]) -> ValueId {
        let mut kept: Vec<ValueId> = Vec::new();
        for term in terms {
            if self.is_flag(*term, false) {
                return *term;
            }
            if !self.is_flag(*term, true) && !kept.contains(term) {
                kept.push(*term);
            }
        }
        match kept.as_slice() {
            [] => self.flag(true),
            [one] => *one,
            _ => self.comb("and", &kept),
        }
    }

    /// Returns the disjunction of one-bit values, folded; false if there are none.
    pub fn any(&mut self, terms: &[ValueId]) -> ValueId {
        let mut kept: Vec<ValueId> = Vec::new();
        for term in terms {
            if self.is_flag(*term, true) {
                return *term;
            }
            if !self.is_flag(*term, false) && !kept.contains(term) {
                kept.push(*term);
            }
        }
        match kept.as_slice() {
            [] => self.flag(false),
            [one] => *one,
            _ => self.or(kept),
        }
    }

    /// Returns the disjunction of at least one value; of many, as a tree.
    fn or(&mut self, mut terms: Vec<ValueId>) -> ValueId {
        while terms.len() > MAX_ORED {
            let pairs = terms.chunks(2);
            terms = pairs
                .map(|pair| match pair {
                    [one] => *one,
                    _ => self.comb("or", pair),
                })
                .collect();
        }
        match terms[..] {
            [one] => one,
            _ => self.comb("or", &terms),
        }
    }

    /// Returns `!a`, folded.
    pub fn not(&mut self, a: ValueId) -> ValueId {
        if let Some(constant) = self.constant_of(a) {
            let flipped = constant.not();
            return self.constant(flipped);
        }
        if let Some(inner) = self.inverted(a) {
            return inner;
        }
        let ones = Bits::ones(self.width(a));
        let ones = self.constant(ones);
        self.comb("xor", &[a, ones])
    }

    /// Returns the operand if a net is an inverter.
    fn inverted(&self, net: ValueId) -> Option<ValueId> {
        let op = self.body.defining_operation(self.current(net))?;
        let is_xor = self.context.operation_text(self.body.name(op)) == comb::Xor::NAME;
        let [a, b] = self.body.operands(op).collect::<Vec<_>>()[..] else {
            return None;
        };
        let ones = self.constant_of(b).filter(|_| is_xor)?;
        ones.is_all_ones().then_some(a)
    }

    /// Returns a comparison, folded.
    pub fn compare(&mut self, predicate: Predicate, a: ValueId, b: ValueId) -> ValueId {
        if let Some(known) = self.decided(predicate, a, b) {
            return self.flag(known);
        }
        let number = self.context.i64_attribute(predicate as i64);
        self.one(comb::Icmp::NAME, &[a, b], 1, &[("predicate", number)])
    }

    /// Returns the constant result of a comparison with the least or the greatest unsigned number, if it has one.
    fn decided(&self, predicate: Predicate, a: ValueId, b: ValueId) -> Option<bool> {
        let is = |value, test: fn(&Bits) -> bool| self.constant_of(value).is_some_and(test);
        let (least, greatest) = (Bits::is_zero, Bits::is_all_ones);
        match predicate {
            Predicate::Ult if is(b, least) || is(a, greatest) => Some(false),
            Predicate::Ugt if is(b, greatest) || is(a, least) => Some(false),
            Predicate::Uge if is(b, least) || is(a, greatest) => Some(true),
            Predicate::Ule if is(b, greatest) || is(a, least) => Some(true),
            Predicate::Ult | Predicate::Ugt | Predicate::Uge | Predicate::Ule => None,
            Predicate::Eq | Predicate::Ne => None,
            Predicate::Slt | Predicate::Sle | Predicate::Sgt | Predicate::Sge => None,
        }
    }

    /// Returns `condition ? a : b`, folded.
    pub fn mux(&mut self, condition: ValueId, a: ValueId, b: ValueId) -> ValueId {
        if a == b || self.is_flag(condition, true) {
            return a;
        }
        if self.is_flag(condition, false) {
            return b;
        }
        let width_bits = self.width(a);
        self.one(comb::Mux::NAME, &[condition, a, b], width_bits, &[])
    }

    /// Returns the value whose condition is true, of choices (condition, value) of which at most one condition is true. If none is,
    /// the result is one of the values, or 0.
    ///
    /// # Panics
    /// Without choices.
    pub fn select(&mut self, choices: &[(ValueId, ValueId)]) -> ValueId {
        let mut distinct: Vec<(Vec<ValueId>, ValueId)> = Vec::new();
        for (condition, value) in choices {
            match distinct.iter_mut().find(|(_, known)| known == value) {
                Some((conditions, _)) => conditions.push(*condition),
                None => distinct.push((vec![*condition], *value)),
            }
        }
        let n_inputs = u32::try_from(distinct.len()).unwrap_or(u32::MAX);
        if Selection::among(n_inputs) == Selection::FirstThatHolds {
            let (_, last) = distinct.pop().expect("a selection has choices");
            return distinct
                .iter()
                .rev()
                .fold(last, |rest, (conditions, value)| {
                    let holds = self.any(conditions);
                    self.mux(holds, *value, rest)
                });
        }
        let masked: Vec<ValueId> = distinct
            .iter()
            .map(|(conditions, value)| {
                let holds = self.any(conditions);
                self.masked(*value, holds)
            })
            .collect();
        self.or(masked)
    }

    /// Returns a value where a bit is set, else 0.
    fn masked(&mut self, value: ValueId, bit: ValueId) -> ValueId {
        let width_bits = self.width(value);
        if width_bits == 1 {
            return self.and(bit, value);
        }
        if self.is_flag(bit, true) || self.constant_of(value).is_some_and(Bits::is_zero) {
            return value;
        }
        let mask = self.one(comb::Replicate::NAME, &[bit], width_bits, &[]);
        match self.constant_of(value) {
            Some(constant) if constant.not().is_zero() => mask,
            _ => self.comb("and", &[mask, value]),
        }
    }

    /// Returns bits `low .. low + width_bits` of a value, folded.
    pub fn extract(&mut self, value: ValueId, low: u32, width_bits: u32) -> ValueId {
        if low == 0 && width_bits == self.width(value) {
            return value;
        }
        if let Some(constant) = self.constant_of(value) {
            let part = constant.extract(low, width_bits);
            return self.constant(part);
        }
        let low = self
            .context
            .integer_attribute(self.int(32), Bits::from_u64(32, u64::from(low)));
        self.one(
            comb::Extract::NAME,
            &[value],
            width_bits,
            &[("lowBit", low)],
        )
    }

    /// Returns `{high, ..., low}`.
    pub fn concat(&mut self, parts: &[ValueId]) -> ValueId {
        if let [one] = parts {
            return *one;
        }
        let width_bits = parts.iter().map(|p| self.width(*p)).sum();
        self.one(comb::Concat::NAME, parts, width_bits, &[])
    }

    /// Returns the operands of a concatenation, the highest bits first; `None` for other nets.
    pub fn parts(&self, value: ValueId) -> Option<Vec<ValueId>> {
        let op = self.body.defining_operation(self.current(value))?;
        let is_concat = self.context.operation_text(self.body.name(op)) == comb::Concat::NAME;
        is_concat.then(|| self.body.operands(op).collect())
    }

    /// Returns the zero extension of a value.
    pub fn zext(&mut self, value: ValueId, width_bits: u32) -> ValueId {
        let extra = width_bits - self.width(value);
        if extra == 0 {
            return value;
        }
        if let Some(constant) = self.constant_of(value) {
            let wide = constant.zext(width_bits);
            return self.constant(wide);
        }
        let zeros = self.constant(Bits::zero(extra));
        self.concat(&[zeros, value])
    }

    /// Returns the sign extension of a value.
    pub fn sext(&mut self, value: ValueId, width_bits: u32) -> ValueId {
        let narrow = self.width(value);
        if width_bits == narrow {
            return value;
        }
        if let Some(constant) = self.constant_of(value) {
            let wide = constant.sext(width_bits);
            return self.constant(wide);
        }
        let sign = self.extract(value, narrow - 1, 1);
        let signs = self.one(comb::Replicate::NAME, &[sign], width_bits - narrow, &[]);
        self.concat(&[signs, value])
    }

    /// Creates a placeholder for a net that is created later, see [`Circuit::connect`].
    pub fn wire(&mut self, width_bits: u32) -> ValueId {
        self.one(
            builtin::UnrealizedConversionCast::NAME,
            &[],
            width_bits,
            &[],
        )
    }

    /// Replaces a placeholder by its driver.
    pub fn connect(&mut self, wire: ValueId, value: ValueId) {
        debug_assert_eq!(
            self.width(wire),
            self.width(value),
            "a stand-in has the width of what it stands for"
        );
        let op = self
            .body
            .defining_operation(wire)
            .expect("a stand-in is an operation's result");
        let value = self.current(value);
        self.body.replace_all_uses(wire, value);
        self.body.erase(op);
        self.replaced.insert(wire, value);
    }

    /// Returns a name that no other register or instance of this module has.
    pub fn unique_name(&mut self, wanted: &str) -> String {
        let count = self.names.entry(wanted.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 {
            wanted.to_owned()
        } else {
            format!("{wanted}_{}", *count - 1)
        }
    }

    /// Returns whether the module has a port for the reset of its registers.
    pub fn has_reset(&self) -> bool {
        self.reset.is_some()
    }

    /// Appends a register.
    pub fn register(&mut self, data: ValueId, mut options: RegisterOptions<'_>) -> ValueId {
        if let Some(enable) = self.stall_enable {
            options.enable = Some(match options.enable {
                Some(own) => self.and(enable, own),
                None => enable,
            });
        }
        if options
            .enable
            .is_some_and(|enable| self.is_flag(enable, true))
        {
            return self.register(
                data,
                RegisterOptions {
                    enable: None,
                    ..options
                },
            );
        }
        let name = self.unique_name(options.name);
        let ty = self.body.ty(data);
        let mut operands = vec![data, self.clock];
        operands.extend(options.enable);
        let reset = options.reset.map(|value| {
            let reset = self
                .reset
                .expect("a module whose registers have a reset has the port");
            (reset, value)
        });
        let n_reset = if let Some((signal, value)) = options.preset.or(reset) {
            let value = self.constant(value);
            operands.extend([signal, value]);
            1
        } else {
            0
        };
        let mut attributes = vec![("name", self.context.string_attribute(&name))];
        let mnemonic = if options.enable.is_some() {
            seq::CompregCe::NAME
        } else {
            seq::Compreg::NAME
        };
        let mut sizes = vec![1, 1];
        if options.enable.is_some() {
            sizes.push(1);
        }
        sizes.extend([n_reset, n_reset, 0]);
        attributes.push(("operandSegmentSizes", self.context.dense_i32_array(&sizes)));
        let net = self.operation(mnemonic, &operands, &[ty], &attributes)[0];
        self.body
            .set_value_name(net, Some(self.context.name(&name)));
        net
    }

    /// Sets a string attribute on the operation that drives a net.
    pub fn note_text(&mut self, net: ValueId, name: &str, text: &str) {
        let attribute = self.context.string_attribute(text);
        self.note(net, name, attribute);
    }

    /// Sets an integer attribute on the operation that drives a net.
    pub fn note_number(&mut self, net: ValueId, name: &str, number: usize) {
        let number = i64::try_from(number).expect("a number of something in memory");
        let attribute = self.context.i64_attribute(number);
        self.note(net, name, attribute);
    }

    fn note(&mut self, net: ValueId, name: &str, attribute: Attribute) {
        if let Some(op) = self.body.defining_operation(net) {
            let name = self.context.name(name);
            self.body.set_attribute(op, name, attribute);
        }
    }

    /// Sets the preferred name of a net in the Verilog, if it has no name yet.
    pub fn name(&mut self, net: ValueId, name: &str) {
        if self.body.value_name(net).is_none() && self.body.defining_operation(net).is_some() {
            self.body.set_value_name(net, Some(self.context.name(name)));
        }
    }

    /// An instance of the module `module`, which has a clock and a reset: inputs and outputs as (port name, net) and (port name, width).
    pub fn instance(
        &mut self,
        module: &str,
        name: &str,
        inputs: &[(String, ValueId)],
        outputs: &[(String, u32)],
    ) -> Vec<ValueId> {
        let reset = self
            .reset
            .expect("a module that resets others has a reset itself");
        let reset = ("reset".to_owned(), reset);
        let inputs: Vec<_> = [reset].into_iter().chain(inputs.iter().cloned()).collect();
        self.clocked_instance(module, name, &inputs, outputs)
    }

    /// The same of a module that has a clock, and a reset only where it is among the inputs.
    pub fn clocked_instance(
        &mut self,
        module: &str,
        name: &str,
        inputs: &[(String, ValueId)],
        outputs: &[(String, u32)],
    ) -> Vec<ValueId> {
        let context = self.context;
        let name = self.unique_name(name);
        let names = |names: Vec<&String>| {
            let names: Vec<_> = names
                .into_iter()
                .map(|n| context.string_attribute(n))
                .collect();
            context.array_attribute(&names)
        };
        let mut operands = vec![self.clock];
        operands.extend(inputs.iter().map(|(_, net)| *net));
        let clock = "clock".to_owned();
        let mut input_names = vec![&clock];
        input_names.extend(inputs.iter().map(|(name, _)| name));
        let results: Vec<Type> = outputs
            .iter()
            .map(|(_, width_bits)| self.int(*width_bits))
            .collect();
        let attributes = [
            ("instanceName", context.string_attribute(&name)),
            ("moduleName", context.symbol_attribute(module)),
            ("argNames", names(input_names)),
            (
                "resultNames",
                names(outputs.iter().map(|(name, _)| name).collect()),
            ),
            ("parameters", context.array_attribute(&[])),
        ];
        self.operation(hw::Instance::NAME, &operands, &results, &attributes)
    }

    /// Appends a memory with its ports; writes have latency 1. Returns the data of each read port.
    pub fn memory(&mut self, name: &str, memory: &MemoryNets) -> Vec<ValueId> {
        let context = self.context;
        let name = self.unique_name(name);
        let element = self.int(self.width(memory.writes[0].data));
        let shape = context.dense_i64_array(&[i64::from(memory.depth_words)]);
        let ty = context.dialect_type(seq::Hlmem::NAME, &[shape, context.type_attribute(element)]);
        let mut attributes = vec![("name", context.string_attribute(&name))];
        if let Some(storage) = memory.storage {
            attributes.push((STORAGE, storage.to_attribute(context)));
        }
        if !memory.may_collide {
            attributes.push((NO_COLLISION, context.unit_attribute()));
        }
        // A reset would disable writes, which costs a gate for each enable. It is not needed: the logic that drives the enables
        // is reset.
        let never = self.flag(false);
        let handle = self.operation(seq::Hlmem::NAME, &[self.clock, never], &[ty], &attributes)[0];
        let latency = |cycles: u32| ("latency", context.i64_attribute(i64::from(cycles)));
        // A memory of one word has an address without bits.
        let only = (memory.depth_words == 1).then(|| self.constant(Bits::zero(0)));
        let mut found = Vec::new();
        for read in &memory.reads {
            let cycles = memory.read_latency_cycles;
            let with_enable = usize::from(cycles > 0);
            let operands = [handle, only.unwrap_or(read.address), read.enable];
            let sizes = if cycles > 0 { [1, 1, 1] } else { [1, 1, 0] };
            let sizes = ("operandSegmentSizes", context.dense_i32_array(&sizes));
            let operands = &operands[..2 + with_enable];
            let attributes = [latency(cycles), sizes];
            found.push(self.operation(seq::Read::NAME, operands, &[element], &attributes)[0]);
        }
        for write in &memory.writes {
            let address = only.unwrap_or(write.address);
            let operands = [handle, address, write.data, write.enable];
            self.operation(seq::Write::NAME, &operands, &[], &[latency(1)]);
        }
        found
    }

    /// Appends a table of constants with a combinational read.
    pub fn table(&mut self, values: &[Bits], address: ValueId) -> ValueId {
        let context = self.context;
        let element = self.int(values[0].width());
        let size = context
            .i64_attribute(i64::try_from(values.len()).expect("a table fits the address space"));
        let ty = context.dialect_type("hw.array", &[size, context.type_attribute(element)]);
        // CIRCT lists the element with the highest index first.
        let fields: Vec<_> = values
            .iter()
            .rev()
            .map(|v| context.integer_attribute(element, v.clone()))
            .collect();
        let fields = context.array_attribute(&fields);
        let array = self.operation(
            hw::AggregateConstant::NAME,
            &[],
            &[ty],
            &[("fields", fields)],
        )[0];
        self.operation(hw::ArrayGet::NAME, &[array, address], &[element], &[])[0]
    }

    /// Appends `hw.output`, which ends the module.
    pub fn output(&mut self, values: &[ValueId]) {
        self.operation(hw::Output::NAME, values, &[], &[]);
    }
}

/// The nets connected to a memory.
pub struct MemoryNets {
    /// Number of words.
    pub depth_words: u32,
    /// Read ports.
    pub reads: Vec<ReadNets>,
    /// Write ports, at least one.
    pub writes: Vec<WriteNets>,
    /// Cycles from address to data, 0 or 1.
    pub read_latency_cycles: u32,
    /// The storage kind that the source requests.
    pub storage: Option<Storage>,
    /// Whether a word may be read and written in the same cycle; the read then returns the old word.
    pub may_collide: bool,
}

/// The nets of a read port.
pub struct ReadNets {
    /// The address of the word.
    pub address: ValueId,
    /// Whether the port reads; ignored for combinational reads.
    pub enable: ValueId,
}

/// The nets of a write port.
pub struct WriteNets {
    /// The address of the word.
    pub address: ValueId,
    /// Whether the port writes.
    pub enable: ValueId,
    /// The word to write.
    pub data: ValueId,
}
