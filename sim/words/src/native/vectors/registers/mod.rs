//! Registers for values: whatever is read last of all makes room.
//!
//! A value has at most one register of its kind, bits a mask beside it, and a place in memory: where it was loaded from as long as that is
//! as it was, or where it was saved. What stands behind a skip is not done where it is skipped: what came in front of it keeps its
//! registers, or has a place in memory. Where such a value would have none, it is saved from the start in another go.
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

/// What calls go to.
pub(in crate::native) struct Calls {
    /// Takes the number of a call and where its operands and results are.
    pub(in crate::native) function: u64,
    /// By call.
    pub(in crate::native) numbers: Vec<u64>,
}

/// The bytes of a function, and what it reads beside the state.
pub(in crate::native) struct Function {
    pub(in crate::native) bytes: Vec<u8>,
    pub(in crate::native) constants: Vec<u64>,
    /// The number of the one whose address it is told.
    pub(in crate::native) first_constant: usize,
    /// Where in the bytes the address of the constants is to be.
    pub(in crate::native) constants_at: usize,
    /// Bytes of the state that it needs.
    pub(in crate::native) state_bytes: usize,
}

/// A function that does the instructions as often as it is told.
///
/// With a place to stop at, it ends after a cycle that leaves something else than 0 there.
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

/// Kinds of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum File {
    Vectors,
    Words,
    Masks,
}

/// What is in the registers of a file, and the other way round.
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

/// Places in memory for values.
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

/// Where a value is in memory.
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

/// A value that is always the same.
#[derive(Clone, Copy)]
enum Constant {
    Word(u64),
    Row([u64; ROW]),
}

/// What was so in front of what is skipped.
struct Before {
    jump: Jump,
    files: [Registers; 3],
    /// Values from this one on are not there where it is skipped.
    first: Value,
}

struct Allocation<'a> {
    set: InstructionSet,
    code: &'a Code,
    calls: &'a Calls,
    encoder: Encoder,
    /// By value: where it is read, the last time first.
    reads: Vec<Vec<usize>>,
    files: [Registers; 3],
    /// The last vectors are theirs.
    residents: &'a Residents,
    homes: FxHashMap<Value, Home>,
    constants: FxHashMap<Value, Constant>,
    has_rows: bool,
    /// Values that were loaded from a slot, by its place.
    loaded: FxHashMap<usize, Vec<Value>>,
    room: Room,
    /// Values to be saved as soon as they are there.
    saved: &'a FxHashSet<Value>,
    /// Values that should have been.
    missing: Vec<Value>,
    before: Option<Before>,
    /// Where machines write for which a write does not hold.
    nowhere: Option<usize>,
    /// What the instruction at hand reads: it keeps its registers.
    pinned: Vec<Value>,
    /// Places in memory that the instruction at hand is the last to read.
    left: Vec<(Kind, usize)>,
    /// The next value that nothing has given yet.
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

    /// Whether a value is there where what is at hand is skipped.
    fn is_from_before(&self, value: Value) -> bool {
        self.before
            .as_ref()
            .is_some_and(|before| value < before.first)
    }

    /// Whether a value has a register of a file that it keeps where what is at hand is skipped.
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

    /// A register of a file for something new.
    fn take(&mut self, file: File) -> u8 {
        let known = &self.files[file as usize];
        if let Some(free) = known.free() {
            return free;
        }
        let all = (0..).zip(&known.values);
        let all = all.filter_map(|(register, value)| Some((register, (*value)?)));
        let open = all.filter(|(_, value)| !self.pinned.contains(value));
        // What is read last makes room; of several the one that need not be saved, then the first.
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

    /// Saves what is in a register.
    fn save(&mut self, file: File, register: u8, value: Value) {
        let kind = self.kind(value);
        let at = self.room.take(kind);
        if self.is_from_before(value) {
            // Where this is skipped nothing is saved.
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

    /// The register of the slot that a value was loaded from, if it has one.
    fn resident(&self, value: Value) -> Option<u8> {
        match self.homes.get(&value) {
            Some(Home::Slot(at)) => self.residents.get(at).map(|of| of.register),
            _ => None,
        }
    }

    /// The register of a vector, or of bits.
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

    /// The mask of bits.
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

    /// The second operand of vectors: of memory, if it is read this once.
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

    /// Takes note of what was read; what nobody reads again makes room.
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
            // The instruction at hand may read it there.
            self.left.push((self.kind(value), at));
        }
    }

    /// A register for what an instruction gives.
    fn give(&mut self, file: File, value: Value) -> u8 {
        let register = self.take(file);
        self.file(file).put(register, value);
        register
    }

    /// Takes note of a value that is there now.
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

    /// A slot is overwritten: what was loaded from it and is read again is in registers alone.
    fn overwrite(&mut self, at: usize, kind: Kind) {
        self.overwrite_at(at);
        if !self.has_rows {
            return;
        }
        for slot in (1..ROW).map(|slot| 8 * slot) {
            // A row is of several slots, and a slot may be of a row.
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
