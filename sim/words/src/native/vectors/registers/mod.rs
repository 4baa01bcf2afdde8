//! Register allocation: if no register is free, the value whose next use is farthest away is spilled.
//!
//! A value has at most one register of its kind; bits may also have a mask register. A value may also have a place in memory: the
//! slot it was loaded from, as long as that slot is not overwritten, or the place it was spilled to. Code after a skip may not be
//! executed. So a value from before the skip must keep its register, or have a place in memory. If such a value would have
//! neither, the allocation is repeated, and the value is spilled where it is defined.
//!
//! Source: L. Belady, A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 1966.

mod emission;

use rustc_hash::{FxHashMap, FxHashSet};

use super::InstructionSet;
use super::code::{Code, Instruction, Kind, Operand, Value};
use super::encoder::{Encoder, Jump, N_WORDS, Source};
use super::layout::{LINE_BYTES, Lanes, Layout};
use super::residents::{Resident, Residents};
use crate::rows::ROW;

/// The addresses for calls.
pub(in crate::native) struct Calls {
    /// The address of the function that takes the number of a call and the addresses of its operands and results.
    pub(in crate::native) function: u64,
    /// The number to pass for each call.
    pub(in crate::native) numbers: Vec<u64>,
}

/// The bytes of a function, and its constants.
pub(in crate::native) struct Function {
    pub(in crate::native) bytes: Vec<u8>,
    pub(in crate::native) constants: Vec<u64>,
    /// The number of the constant whose address the function expects as the base of the constants.
    pub(in crate::native) first_constant: usize,
    /// The position in the bytes where the address of the constants must be written.
    pub(in crate::native) constants_at: usize,
    /// Bytes of the state that it needs.
    pub(in crate::native) state_bytes: usize,
}

/// Returns a function that runs the instructions as many times as it is told.
///
/// With a place to stop at, it ends after a cycle that leaves that place other than 0.
pub(super) fn function(
    set: InstructionSet,
    code: &Code,
    residents: &Residents,
    layout: &Layout,
    calls: &Calls,
    stop_at: Option<usize>,
) -> Function {
    let mut saved = FxHashSet::default();
    let mut in_order: Vec<(usize, Resident)> = residents.iter().map(|(a, r)| (*a, *r)).collect();
    in_order.sort_unstable_by_key(|(at, _)| *at);
    loop {
        let mut attempt = Allocation::new(set, code, residents, layout, calls, &saved);
        let (constants_end, over, start) = attempt.encoder.begin(|encoder| {
            for (at, of) in &in_order {
                encoder.load(of.kind, of.register, *at);
            }
        });
        attempt.instructions();
        attempt.encoder.end(over, start, stop_at, |encoder| {
            for (at, of) in &in_order {
                encoder.store(of.kind, *at, of.register);
            }
        });
        if attempt.missing.is_empty() {
            let (bytes, constants, first) = attempt.encoder.finish();
            return Function {
                bytes,
                constants,
                first_constant: first,
                constants_at: constants_end - 8,
                state_bytes: attempt.room.end,
            };
        }
        saved.extend(attempt.missing);
    }
}

/// Register files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum File {
    Vectors,
    Words,
    Masks,
}

/// The values in the registers of a file, and the register of each value.
#[derive(Clone)]
struct Registers {
    values: Vec<Option<Value>>,
    of: FxHashMap<Value, u8>,
}

impl Registers {
    fn new(n: usize) -> Self {
        Self {
            values: vec![None; n],
            of: FxHashMap::default(),
        }
    }

    fn of(&self, value: Value) -> Option<u8> {
        self.of.get(&value).copied()
    }

    fn put(&mut self, register: u8, value: Value) {
        self.values[usize::from(register)] = Some(value);
        self.of.insert(value, register);
    }

    fn drop(&mut self, value: Value) {
        if let Some(register) = self.of.remove(&value) {
            self.values[usize::from(register)] = None;
        }
    }

    fn free(&self) -> Option<u8> {
        let free = self.values.iter().position(Option::is_none)?;
        u8::try_from(free).ok()
    }
}

/// An allocator of places in memory for spilled values.
struct Room {
    lanes: Lanes,
    free: [Vec<usize>; 5],
    end: usize,
}

impl Room {
    fn take(&mut self, kind: Kind) -> usize {
        if let Some(at) = self.free[kind as usize].pop() {
            return at;
        }
        let n_bytes = self.lanes.bytes(kind);
        let at = self.end.next_multiple_of(n_bytes);
        self.end = at + n_bytes;
        at
    }
}

/// The place of a value in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    Slot(usize),
    Saved(usize),
}

impl Home {
    fn at(self) -> usize {
        match self {
            Self::Slot(at) | Self::Saved(at) => at,
        }
    }
}

/// A constant value.
#[derive(Clone, Copy)]
enum Constant {
    Word(u64),
    Row([u64; ROW]),
}

/// The state before a skip.
struct Before {
    jump: Jump,
    files: [Registers; 3],
    /// Values from this one on are not defined if the skip is taken.
    first: Value,
}

struct Allocation<'a> {
    set: InstructionSet,
    code: &'a Code,
    calls: &'a Calls,
    encoder: Encoder,
    /// For each value, the instructions that read it, the last one first.
    reads: Vec<Vec<usize>>,
    files: [Registers; 3],
    /// Slots that stay in registers; these are the last vector registers.
    residents: &'a Residents,
    homes: FxHashMap<Value, Home>,
    constants: FxHashMap<Value, Constant>,
    has_rows: bool,
    /// Values that were loaded from a slot, by its place.
    loaded: FxHashMap<usize, Vec<Value>>,
    room: Room,
    /// Values to be spilled where they are defined.
    saved: &'a FxHashSet<Value>,
    /// Values that should have been spilled where they are defined.
    missing: Vec<Value>,
    before: Option<Before>,
    /// The place that unselected lanes of a scatter write to.
    nowhere: Option<usize>,
    /// Operands of the current instruction, whose registers must not be reused.
    pinned: Vec<Value>,
    /// Spill places whose last use is the current instruction.
    left: Vec<(Kind, usize)>,
    /// The next value to be defined.
    next: Value,
}

impl<'a> Allocation<'a> {
    fn new(
        set: InstructionSet,
        code: &'a Code,
        residents: &'a Residents,
        layout: &Layout,
        calls: &'a Calls,
        saved: &'a FxHashSet<Value>,
    ) -> Self {
        let mut reads = vec![Vec::new(); code.kinds.len()];
        for (at, instruction) in code.instructions.iter().enumerate().rev() {
            instruction.for_operands(|operand| reads[operand.at()].push(at));
        }
        let n_vectors = set.n_vectors() - residents.len();
        Self {
            set,
            code,
            calls,
            encoder: Encoder::new(set, layout.lanes),
            reads,
            files: [n_vectors, N_WORDS, set.n_masks()].map(Registers::new),
            residents,
            homes: FxHashMap::default(),
            constants: FxHashMap::default(),
            has_rows: code.kinds.contains(&Kind::Row),
            loaded: FxHashMap::default(),
            room: Room {
                lanes: layout.lanes,
                free: Default::default(),
                end: layout.end.next_multiple_of(LINE_BYTES),
            },
            saved,
            missing: Vec::new(),
            before: None,
            nowhere: None,
            pinned: Vec::new(),
            left: Vec::new(),
            next: Value(0),
        }
    }

    fn kind(&self, value: Value) -> Kind {
        self.code.kind(value)
    }

    fn own_file(&self, value: Value) -> File {
        match self.kind(value) {
            Kind::Bits => File::Words,
            Kind::Narrow | Kind::Wide | Kind::Row | Kind::Half => File::Vectors,
        }
    }

    fn file(&mut self, file: File) -> &mut Registers {
        &mut self.files[file as usize]
    }

    fn register(&self, file: File, value: Value) -> Option<u8> {
        self.files[file as usize].of(value)
    }

    /// Returns whether a value is also defined if the current skip is taken.
    fn is_from_before(&self, value: Value) -> bool {
        self.before
            .as_ref()
            .is_some_and(|before| value < before.first)
    }

    /// Returns whether a value is in the same register of a file whether or not the current skip is taken.
    fn stays_in(&self, file: File, value: Value) -> bool {
        let register = self.register(file, value);
        let was = match &self.before {
            Some(before) if value < before.first => before.files[file as usize].of(value),
            _ => register,
        };
        register.is_some() && register == was
    }

    fn is_in_memory(&self, value: Value) -> bool {
        self.homes.contains_key(&value) || self.constants.contains_key(&value)
    }

    /// Returns a free register of a file; frees one if necessary.
    fn take(&mut self, file: File) -> u8 {
        let known = &self.files[file as usize];
        if let Some(free) = known.free() {
            return free;
        }
        let all = (0..).zip(&known.values);
        let all = all.filter_map(|(register, value)| Some((register, (*value)?)));
        let open = all.filter(|(_, value)| !self.pinned.contains(value));
        // The value with the farthest next use is evicted. Among equals, it is one that needs no store, then the one in the first
        // register.
        let (register, value) = open
            .max_by_key(|(register, value)| {
                let next = self.reads[value.at()].last().copied();
                (
                    next,
                    self.is_in_memory(*value),
                    std::cmp::Reverse(*register),
                )
            })
            .expect("an instruction reads fewer values than there are registers");
        self.make_room(file, register, value);
        register
    }

    fn make_room(&mut self, file: File, register: u8, value: Value) {
        let is_elsewhere = match file {
            File::Vectors => false,
            File::Words => self.stays_in(File::Masks, value),
            File::Masks => self.stays_in(File::Words, value),
        };
        if !is_elsewhere && !self.is_in_memory(value) {
            self.save(file, register, value);
        }
        self.file(file).drop(value);
    }

    /// Spills a register to memory.
    fn save(&mut self, file: File, register: u8, value: Value) {
        let kind = self.kind(value);
        let at = self.room.take(kind);
        if self.is_from_before(value) {
            // If the skip is taken, this store is not executed.
            self.missing.push(value);
        }
        match file {
            File::Masks => self.encoder.store_mask(at, register),
            File::Vectors | File::Words => self.encoder.store(kind, at, register),
        }
        self.homes.insert(value, Home::Saved(at));
    }

    fn read_from(&mut self, value: Value, file: File, register: u8) {
        let kind = self.kind(value);
        match (self.constants.get(&value), self.homes.get(&value)) {
            (Some(Constant::Word(value)), _) => self.encoder.set(kind, register, *value),
            (Some(Constant::Row(values)), _) => self.encoder.set_row(register, *values),
            (None, Some(home)) => match file {
                File::Masks => self.encoder.load_mask(register, home.at()),
                File::Vectors | File::Words => self.encoder.load(kind, register, home.at()),
            },
            (None, None) => unreachable!("a value is in a register or in memory"),
        }
    }

    /// Returns the register of the slot that a value was loaded from, if the slot stays in one.
    fn resident(&self, value: Value) -> Option<u8> {
        match self.homes.get(&value) {
            Some(Home::Slot(at)) => self.residents.get(at).map(|of| of.register),
            _ => None,
        }
    }

    /// Returns the register of a vector or of bits; loads it if necessary.
    fn read(&mut self, value: Value) -> u8 {
        self.pinned.push(value);
        let file = self.own_file(value);
        let known = self.register(file, value);
        if let Some(register) = known.or_else(|| self.resident(value)) {
            return register;
        }
        let register = self.take(file);
        match self.register(File::Masks, value) {
            Some(mask) => self.encoder.word_of_mask(register, mask),
            None => self.read_from(value, file, register),
        }
        self.file(file).put(register, value);
        register
    }

    /// Returns the mask register of bits; loads it if necessary.
    fn mask(&mut self, value: Value) -> u8 {
        self.pinned.push(value);
        if let Some(register) = self.register(File::Masks, value) {
            return register;
        }
        if self.constants.contains_key(&value) {
            self.read(value);
        }
        let register = self.take(File::Masks);
        match self.register(File::Words, value) {
            Some(word) => self.encoder.mask_of_word(register, word),
            None => self.read_from(value, File::Masks, register),
        }
        self.file(File::Masks).put(register, value);
        register
    }

    /// Returns the second operand of a vector instruction; it stays in memory if this is its only remaining use.
    fn source(&mut self, operand: Operand) -> Source {
        match operand {
            Operand::Constant(value) => Source::Constant(value),
            Operand::Value(value) => {
                let is_last = self.reads[value.at()].len() == 1;
                let is_in_memory =
                    self.register(File::Vectors, value).is_none() && self.resident(value).is_none();
                if is_last && is_in_memory {
                    if let Some(home) = self.homes.get(&value) {
                        return Source::State(home.at());
                    }
                    if let Some(Constant::Row(values)) = self.constants.get(&value) {
                        return Source::Row(*values);
                    }
                }
                Source::Register(self.read(value))
            }
        }
    }

    /// Records the reads of an instruction; values without further uses are freed.
    fn have_read(&mut self, instruction: &Instruction) {
        instruction.for_operands(|operand| {
            self.reads[operand.at()].pop();
        });
        instruction.for_operands(|operand| {
            if self.reads[operand.at()].is_empty() {
                self.forget(operand);
            }
        });
        self.pinned.clear();
    }

    fn forget(&mut self, value: Value) {
        for file in [File::Vectors, File::Words, File::Masks] {
            self.file(file).drop(value);
        }
        if let Some(Home::Saved(at)) = self.homes.remove(&value) {
            // The current instruction may still read it there.
            self.left.push((self.kind(value), at));
        }
    }

    /// Allocates a register for a result.
    fn give(&mut self, file: File, value: Value) -> u8 {
        let register = self.take(file);
        self.file(file).put(register, value);
        register
    }

    /// Records that a value is defined; spills it if required.
    fn have_given(&mut self, value: Value) {
        self.next = self.next.max(Value(value.0 + 1));
        if !self.saved.contains(&value) || self.constants.contains_key(&value) {
            return;
        }
        let in_mask = self.register(File::Masks, value);
        let (file, register) = match in_mask {
            Some(mask) => (File::Masks, mask),
            None => (self.own_file(value), self.read(value)),
        };
        self.pinned.clear();
        self.homes.remove(&value);
        self.save(file, register, value);
    }

    /// Handles an overwritten slot: values that were loaded from it and are still needed must be in registers.
    fn overwrite(&mut self, at: usize, kind: Kind) {
        self.overwrite_at(at);
        if !self.has_rows {
            return;
        }
        for slot in (1..ROW).map(|slot| 8 * slot) {
            // A row covers several slots, and a slot may be part of a row.
            if kind == Kind::Row {
                self.overwrite_at(at + slot);
            }
            if let Some(before) = at.checked_sub(slot)
                && let Some(loaded) = self.loaded.get(&before)
                && loaded.iter().any(|value| self.kind(*value) == Kind::Row)
            {
                self.overwrite_at(before);
            }
        }
    }

    fn overwrite_at(&mut self, at: usize) {
        for value in self.loaded.remove(&at).unwrap_or_default() {
            if self.homes.get(&value) != Some(&Home::Slot(at)) {
                continue;
            }
            let stays = [File::Vectors, File::Words, File::Masks]
                .into_iter()
                .any(|file| self.stays_in(file, value));
            if !self.reads[value.at()].is_empty() && !stays {
                if self.is_from_before(value) {
                    self.missing.push(value);
                    continue;
                }
                match self.resident(value) {
                    Some(resident) => {
                        let kind = self.kind(value);
                        let register = self.give(File::Vectors, value);
                        self.encoder.copy(kind, register, resident);
                    }
                    None => {
                        self.read(value);
                    }
                }
            }
            self.homes.remove(&value);
        }
    }
}
