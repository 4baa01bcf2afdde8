//! A netlist under construction: hw, comb and seq operations with the foldings that keep the circuit readable.

use std::collections::BTreeMap;

use sluice_dialects::sluice::{NO_COLLISION, STORAGE};
use sluice_dialects::{builtin, comb, hw, predicate::Predicate, seq, storage::Storage};
use sluice_ir::bits::Bits;
use sluice_ir::{Attribute, BlockId, Body, Context, Location, NewOperation, Type, ValueId};

/// Builds the graph region of one `hw.module`.
///
/// Absent: scheduling knowledge. This is the only file that names hw, comb and seq operations.
pub struct Circuit<'a> {
    /// Where types, names and attributes are interned.
    pub context: &'a Context,
    /// The inside of the module.
    pub body: &'a mut Body,
    block: BlockId,
    clock: ValueId,
    reset: ValueId,
    /// Location of the operations made from now on.
    pub location: Location,
    /// A bit without which no register that is made from now on captures anything.
    pub stall_enable: Option<ValueId>,
    constants: BTreeMap<Bits, ValueId>,
    names: BTreeMap<String, u32>,
    /// What took the place of a stand-in: nets kept elsewhere may still name it.
    replaced: BTreeMap<ValueId, ValueId>,
}

/// How a register is made.
#[derive(Default)]
pub struct RegisterOptions<'n> {
    /// Captures only in cycles where this bit is set.
    pub enable: Option<ValueId>,
    /// Value after a synchronous reset; a register that only carries data has none.
    pub reset: Option<Bits>,
    /// A signal that sets the register to a value at the end of its cycle, instead of the reset.
    pub preset: Option<(ValueId, Bits)>,
    /// Name wanted in the Verilog.
    pub name: &'n str,
}

impl<'a> Circuit<'a> {
    /// An empty netlist in `block` of `body`, whose arguments `clock` and `reset` are.
    pub fn new(
        context: &'a Context,
        body: &'a mut Body,
        block: BlockId,
        clock: ValueId,
        reset: ValueId,
        location: Location,
    ) -> Self {
        Self {
            context,
            body,
            block,
            clock,
            reset,
            location,
            stall_enable: None,
            constants: BTreeMap::new(),
            names: BTreeMap::new(),
            replaced: BTreeMap::new(),
        }
    }

    /// The net itself, or what took its place.
    fn current(&self, mut net: ValueId) -> ValueId {
        while let Some(next) = self.replaced.get(&net) {
            net = *next;
        }
        net
    }

    /// The width of a value in bits.
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

    /// The constant a value is, if it is one.
    pub fn constant_of(&self, value: ValueId) -> Option<&Bits> {
        let op = self.body.defining_operation(self.current(value))?;
        if self.context.operation_text(self.body.name(op)) != hw::Constant::NAME {
            return None;
        }
        self.body
            .attribute_named(self.context, op, "value")?
            .integer(self.context)
    }

    /// A constant; equal ones are shared.
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

    /// A one-bit constant.
    pub fn flag(&mut self, value: bool) -> ValueId {
        self.constant(Bits::from_u64(1, u64::from(value)))
    }

    fn is_flag(&self, value: ValueId, flag: bool) -> bool {
        self.width(value) == 1 && self.constant_of(value).is_some_and(|c| c.is_zero() != flag)
    }

    /// An n-ary or binary comb operation on values of one width.
    pub fn comb(&mut self, mnemonic: &str, operands: &[ValueId]) -> ValueId {
        let width_bits = self.width(operands[0]);
        self.one(&format!("comb.{mnemonic}"), operands, width_bits, &[])
    }

    /// `a & b` on one bit, folded.
    pub fn and(&mut self, a: ValueId, b: ValueId) -> ValueId {
        if self.is_flag(a, true) || a == b || self.is_flag(b, false) {
            return b;
        }
        if self.is_flag(b, true) || self.is_flag(a, false) {
            return a;
        }
        self.comb("and", &[a, b])
    }

    /// The conjunction of one-bit values, folded; true for none.
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

    /// The disjunction of one-bit values, folded; false for none.
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
            _ => self.comb("or", &kept),
        }
    }

    /// `!a` on one bit, folded.
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

    /// The value that a net is the inverse of.
    fn inverted(&self, net: ValueId) -> Option<ValueId> {
        let op = self.body.defining_operation(self.current(net))?;
        let is_xor = self.context.operation_text(self.body.name(op)) == comb::Xor::NAME;
        let [a, b] = self.body.operands(op).collect::<Vec<_>>()[..] else {
            return None;
        };
        let ones = self.constant_of(b).filter(|_| is_xor)?;
        ones.is_all_ones().then_some(a)
    }

    /// A comparison.
    pub fn compare(&mut self, predicate: Predicate, a: ValueId, b: ValueId) -> ValueId {
        if let Some(known) = self.decided(predicate, a, b) {
            return self.flag(known);
        }
        let number = self.context.i64_attribute(predicate as i64);
        self.one(comb::Icmp::NAME, &[a, b], 1, &[("predicate", number)])
    }

    /// What a comparison with the least or greatest unsigned number always gives.
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

    /// `condition ? a : b`, folded.
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

    /// Bits `low .. low + width_bits` of a value, folded.
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

    /// `{high, ..., low}`
    pub fn concat(&mut self, parts: &[ValueId]) -> ValueId {
        if let [one] = parts {
            return *one;
        }
        let width_bits = parts.iter().map(|p| self.width(*p)).sum();
        self.one(comb::Concat::NAME, parts, width_bits, &[])
    }

    /// The nets of which a value is put together, the highest bits first, if it is.
    pub fn parts(&self, value: ValueId) -> Option<Vec<ValueId>> {
        let op = self.body.defining_operation(self.current(value))?;
        let is_concat = self.context.operation_text(self.body.name(op)) == comb::Concat::NAME;
        is_concat.then(|| self.body.operands(op).collect())
    }

    /// Zero extension.
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

    /// Sign extension.
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

    /// A stand-in for a value that is made later, see [`Circuit::connect`].
    pub fn wire(&mut self, width_bits: u32) -> ValueId {
        self.one(
            builtin::UnrealizedConversionCast::NAME,
            &[],
            width_bits,
            &[],
        )
    }

    /// Puts `value` in the place of a stand-in.
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

    /// A name that no other register or instance of this module has.
    pub fn unique_name(&mut self, wanted: &str) -> String {
        let count = self.names.entry(wanted.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 {
            wanted.to_owned()
        } else {
            format!("{wanted}_{}", *count - 1)
        }
    }

    /// A register.
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
        let reset = options.reset.map(|value| (self.reset, value));
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

    /// Says a text of the operation behind a net.
    pub fn note_text(&mut self, net: ValueId, name: &str, text: &str) {
        let attribute = self.context.string_attribute(text);
        self.note(net, name, attribute);
    }

    /// Says a number of the operation behind a net.
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

    /// Gives a net the name wanted for it in the Verilog.
    pub fn name(&mut self, net: ValueId, name: &str) {
        if self.body.value_name(net).is_none() && self.body.defining_operation(net).is_some() {
            self.body.set_value_name(net, Some(self.context.name(name)));
        }
    }

    /// An instance of the module `module`: inputs and outputs as (port name, net) and (port name, width).
    pub fn instance(
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
        let mut operands = vec![self.clock, self.reset];
        operands.extend(inputs.iter().map(|(_, net)| *net));
        let (clock, reset) = ("clock".to_owned(), "reset".to_owned());
        let mut input_names = vec![&clock, &reset];
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

    /// A memory with its ports, writes of latency 1; returns the data of each read port.
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
        // A reset would keep it from being written, at a gate for each enable: who writes is reset already.
        let never = self.flag(false);
        let handle = self.operation(seq::Hlmem::NAME, &[self.clock, never], &[ty], &attributes)[0];
        let latency = |cycles: u32| ("latency", context.i64_attribute(i64::from(cycles)));
        // The only word has an address without bits.
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

    /// A table of constants, read combinationally.
    pub fn table(&mut self, values: &[Bits], address: ValueId) -> ValueId {
        let context = self.context;
        let element = self.int(values[0].width());
        let size = context
            .i64_attribute(i64::try_from(values.len()).expect("a table fits the address space"));
        let ty = context.dialect_type("hw.array", &[size, context.type_attribute(element)]);
        // Upstream writes the element with the highest index first.
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

    /// Ends the module.
    pub fn output(&mut self, values: &[ValueId]) {
        self.operation(hw::Output::NAME, values, &[], &[]);
    }
}

/// The nets around a memory.
pub struct MemoryNets {
    /// Words.
    pub depth_words: u32,
    /// Read ports.
    pub reads: Vec<ReadNets>,
    /// At least one.
    pub writes: Vec<WriteNets>,
    /// Cycles from address to data, 0 or 1.
    pub read_latency_cycles: u32,
    /// What is said of how it is held.
    pub storage: Option<Storage>,
    /// Whether a word may be read and written in one cycle; the read gives the old one then.
    pub may_collide: bool,
}

/// The nets of a read port.
pub struct ReadNets {
    /// Which word.
    pub address: ValueId,
    /// Whether it is read; ignored where reads take no cycle.
    pub enable: ValueId,
}

/// The nets of a write port.
pub struct WriteNets {
    /// Which word.
    pub address: ValueId,
    /// Whether it is written.
    pub enable: ValueId,
    /// What is written.
    pub data: ValueId,
}
