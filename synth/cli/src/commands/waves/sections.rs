//! Sections of an FST file with the changes of some cycles: a chain of changes for each variable, compressed separately, and the
//! times of all changes.
//!
//! The format is GTKWave's `VCDATA_DYN_ALIAS2` with LZ4. A library writes the first part of the file only, because it is slow:
//! for twenty million changes of a circuit whose words change in every cycle, it needed a hundred nanoseconds for each, digit by
//! digit in one thread.

use rayon::prelude::*;
use sluice_sim::cycle::push_digits;

/// The block type of a section.
const BLOCK: u8 = 8;

/// The marker for chains compressed with LZ4.
const LZ4: u8 = b'4';

/// Minimum bytes of a chain that is compressed.
const MIN_PACKED: usize = 32;

/// The zlib compression level, of 10.
const ZLIB_LEVEL: u8 = 3;

/// The changes of one variable since the beginning of the section.
struct Chain {
    width_bits: u32,
    /// Bytes of a value.
    n_bytes: usize,
    /// Time index of its last change.
    last: u32,
    /// For each change, the increase of the time index and the value; after these, spare capacity.
    bytes: Buffer,
    /// Position of the last value in the bytes.
    value_at: usize,
}

/// Bytes, and the number of valid ones. Buffers are reused, because the system must clear every page of new memory.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    n: usize,
}

impl Buffer {
    /// Reserves capacity for `more` bytes.
    fn reserve(&mut self, more: usize) {
        let least = self.n + more;
        if least > self.bytes.len() {
            self.bytes.resize(least.max(2 * self.bytes.len()), 0);
        }
    }

    fn push(&mut self, byte: u8) {
        self.reserve(1);
        self.bytes[self.n] = byte;
        self.n += 1;
    }

    fn extend(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        self.bytes[self.n..self.n + bytes.len()].copy_from_slice(bytes);
        self.n += bytes.len();
    }

    /// Appends a variable-length number: seven bits per byte, the lowest first; the highest bit of a byte marks that more follow.
    fn push_unsigned(&mut self, mut value: u64) {
        while value > 0x7f {
            self.push(value.to_le_bytes()[0] | 0x80);
            value >>= 7;
        }
        self.push(value.to_le_bytes()[0]);
    }

    fn all(&self) -> &[u8] {
        &self.bytes[..self.n]
    }
}

/// Number of bytes that are written at once for a value of one limb and its time.
const WINDOW: usize = 16;

impl Chain {
    /// Begins a change at a time index.
    fn begin(&mut self, now: u32) {
        let later = u64::from(now - self.last);
        self.last = now;
        // The lowest bit is 0 if all digits are 0 or 1.
        self.bytes.push_unsigned(later << 1);
        self.value_at = self.bytes.n;
    }

    fn bit(&mut self, now: u32, value: bool) {
        let later = u64::from(now - self.last);
        self.last = now;
        self.value_at = self.bytes.n;
        self.bytes.push_unsigned(later << 2 | u64::from(value) << 1);
    }

    /// Adds a change to a value given as limbs. It is stored as bytes, the highest first; the last byte is padded at its low end.
    #[inline]
    fn limbs(&mut self, now: u32, limbs: &[u64]) {
        if self.width_bits == 1 {
            return self.bit(now, limbs.first().is_some_and(|limb| limb & 1 == 1));
        }
        if let [limb] = limbs {
            return self.limb(now, *limb);
        }
        self.begin(now);
        let fill = self.n_bytes as u32 * 8 - self.width_bits;
        let mut below = 0;
        self.bytes.reserve(self.n_bytes);
        let start = self.bytes.n;
        self.bytes.n += self.n_bytes;
        let places = self.bytes.bytes[start..self.bytes.n].iter_mut().rev();
        let bytes = limbs.iter().flat_map(|limb| limb.to_le_bytes());
        for (place, byte) in places.zip(bytes) {
            let both = u16::from(byte) << fill | below;
            *place = both.to_le_bytes()[0];
            below = both >> 8;
        }
    }

    /// Adds a change to a value of one limb, written at once with its time.
    #[inline]
    fn limb(&mut self, now: u32, limb: u64) {
        let later = now - self.last;
        let highest_first = (limb << (64 - self.width_bits)).to_be_bytes();
        if later > 0x3f {
            self.begin(now);
            return self.bytes.extend(&highest_first[..self.n_bytes]);
        }
        self.last = now;
        self.bytes.reserve(WINDOW);
        let at = self.bytes.n;
        let value = u128::from(u64::from_le_bytes(highest_first));
        let both = value << 8 | u128::from(later << 1);
        self.bytes.bytes[at..at + WINDOW].copy_from_slice(&both.to_le_bytes());
        self.value_at = at + 1;
        self.bytes.n = at + 1 + self.n_bytes;
    }

    /// Writes the digits of the last value.
    fn write_digits(&self, digits: &mut [u8]) {
        if self.bytes.n == 0 {
            return;
        }
        let value = &self.bytes.all()[self.value_at..];
        if self.width_bits == 1 {
            digits[0] = b'0' + (value[0] >> 1 & 1);
            return;
        }
        let mut all = Vec::with_capacity(8 * value.len());
        for byte in value {
            push_digits(&mut all, 8, &[u64::from(*byte)]);
        }
        digits.copy_from_slice(&all[..digits.len()]);
    }
}

/// Collects changes, section by section.
pub(super) struct Sections {
    chains: Vec<Chain>,
    /// The digits of all variables before the section.
    frame: Vec<u8>,
    /// The differences between consecutive times; the first time is absolute.
    times: Vec<u8>,
    n_times: u32,
    /// The last time of the previous section; the next field is that of this section.
    from: u64,
    now: u64,
}

/// The changes of some cycles, not yet compressed.
pub(super) struct Section {
    chains: Vec<Buffer>,
    frame: Vec<u8>,
    times: Vec<u8>,
    n_times: u32,
    from: u64,
    to: u64,
}

impl Sections {
    /// Creates an empty collection after a time at which the variables of these widths in bits have these digits.
    pub(super) fn new(widths_bits: &[u32], frame: Vec<u8>, time: u64) -> Self {
        let chain = |width_bits: &u32| Chain {
            width_bits: *width_bits,
            n_bytes: width_bits.div_ceil(8) as usize,
            last: 0,
            bytes: Buffer::default(),
            value_at: 0,
        };
        Self {
            chains: widths_bits.iter().map(chain).collect(),
            frame,
            times: Vec::new(),
            n_times: 0,
            from: time,
            now: time,
        }
    }

    /// Starts a new time, later than the last one, for the following changes.
    pub(super) fn time(&mut self, time: u64) {
        let since = if self.n_times == 0 { 0 } else { self.now };
        push_unsigned(&mut self.times, time - since);
        self.n_times += 1;
        self.now = time;
    }

    fn number(&self) -> u32 {
        self.n_times - 1
    }

    /// Adds the change of a variable to the value of these limbs, the lowest first.
    #[inline]
    pub(super) fn limbs(&mut self, variable: usize, limbs: &[u64]) {
        let now = self.number();
        self.chains[variable].limbs(now, limbs);
    }

    /// Adds the change of a text variable, padded with spaces.
    pub(super) fn text(&mut self, variable: usize, text: &str) {
        let now = self.number();
        let chain = &mut self.chains[variable];
        chain.begin(now);
        chain.bytes.extend(text.as_bytes());
        for _ in text.len()..chain.n_bytes {
            chain.bytes.push(b' ');
        }
    }

    /// Returns the collected section, and begins the next one in the buffers of a written section, or in new ones.
    pub(super) fn take(&mut self, used: Option<Vec<Buffer>>) -> Section {
        let frame = self.frame.clone();
        let mut rest = &mut self.frame[..];
        let mut chains = used.unwrap_or_default();
        chains.resize_with(self.chains.len(), Buffer::default);
        for (chain, buffer) in self.chains.iter_mut().zip(&mut chains) {
            let (digits, after) = rest.split_at_mut(chain.width_bits as usize);
            chain.write_digits(digits);
            rest = after;
            buffer.n = 0;
            std::mem::swap(&mut chain.bytes, buffer);
            chain.last = 0;
        }
        let section = Section {
            chains,
            frame,
            times: std::mem::take(&mut self.times),
            n_times: std::mem::take(&mut self.n_times),
            from: self.from,
            to: self.now,
        };
        self.from = self.now;
        section
    }
}

impl Section {
    /// Writes the compressed block of the section into a buffer, replacing its contents.
    pub(super) fn pack(&self, block: &mut Vec<u8>) {
        let n_bytes: usize = self.chains.iter().map(|chain| chain.n).sum();
        let n_variables = self.chains.len() as u64;
        block.clear();
        block.push(BLOCK);
        // The length is filled in at the end.
        push_word(block, 0);
        push_word(block, self.from);
        push_word(block, self.to);
        push_word(block, n_bytes as u64);

        let frame = zipped(&self.frame);
        push_unsigned(block, self.frame.len() as u64);
        push_unsigned(block, frame.len() as u64);
        push_unsigned(block, n_variables);
        block.extend_from_slice(&frame);

        push_unsigned(block, n_variables);
        let mut before = block.len();
        block.push(LZ4);
        let packed: Vec<Option<Vec<u8>>> = self.chains.par_iter().map(packed_chain).collect();
        let mut places = Vec::new();
        let mut n_idle = 0;
        for (chain, packed) in self.chains.iter().zip(packed) {
            if chain.n == 0 {
                n_idle += 1;
                continue;
            }
            push_idle(&mut places, &mut n_idle);
            let at = block.len();
            push_signed(&mut places, ((at - before) as i64) << 1 | 1);
            before = at;
            match packed {
                Some(packed) => {
                    push_unsigned(block, chain.n as u64);
                    block.extend_from_slice(&packed);
                }
                None => {
                    push_unsigned(block, 0);
                    block.extend_from_slice(chain.all());
                }
            }
        }
        push_idle(&mut places, &mut n_idle);
        block.extend_from_slice(&places);
        push_word(block, places.len() as u64);

        let times = zipped(&self.times);
        block.extend_from_slice(&times);
        push_word(block, self.times.len() as u64);
        push_word(block, times.len() as u64);
        push_word(block, u64::from(self.n_times));

        let length = block.len() as u64 - 1;
        block[1..9].copy_from_slice(&length.to_be_bytes());
    }

    /// Returns its buffers for reuse.
    pub(super) fn into_buffers(self) -> Vec<Buffer> {
        self.chains
    }
}

/// Bytes of a chain that are compressed to estimate whether compression pays.
const SAMPLE: usize = 4096;

/// Compresses a chain with LZ4; `None` if the result is not shorter, or if a sample at its beginning suggests so.
fn packed_chain(chain: &Buffer) -> Option<Vec<u8>> {
    let bytes = chain.all();
    if bytes.len() < MIN_PACKED {
        return None;
    }
    if bytes.len() > 2 * SAMPLE && lz4_flex::compress(&bytes[..SAMPLE]).len() >= SAMPLE {
        return None;
    }
    let packed = lz4_flex::compress(bytes);
    (packed.len() < bytes.len()).then_some(packed)
}

/// Compresses bytes with zlib, or returns them unchanged if that is shorter.
fn zipped(bytes: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(bytes, ZLIB_LEVEL);
    match packed.len() < bytes.len() {
        true => packed.into(),
        false => bytes.into(),
    }
}

fn push_word(bytes: &mut Vec<u8>, word: u64) {
    bytes.extend_from_slice(&word.to_be_bytes());
}

/// Writes the number of consecutive variables without changes.
fn push_idle(places: &mut Vec<u8>, n_idle: &mut u64) {
    if *n_idle > 0 {
        push_unsigned(places, *n_idle << 1);
        *n_idle = 0;
    }
}

/// Appends a variable-length number: seven bits per byte, the lowest first; the highest bit of a byte marks that more follow.
fn push_unsigned(bytes: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
}

/// Appends a variable-length number in two's complement.
fn push_signed(bytes: &mut Vec<u8>, mut value: i64) {
    while !(-64..64).contains(&value) {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0] & 0x7f);
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use fst_writer::{
        FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalType, FstVarDirection,
        FstVarType,
    };
    use proptest::prelude::*;

    use super::super::beginning::set_rest;
    use super::*;

    /// Time and digits of each change.
    type Changes = Vec<(u64, String)>;

    /// Returns a file whose variables are 0 until time 1, without other sections.
    fn beginning(widths_bits: &[u32]) -> Vec<u8> {
        let info = FstInfo {
            start_time: 0,
            timescale_exponent: -9,
            version: String::new(),
            date: String::new(),
            file_type: FstFileType::Verilog,
        };
        let mut header = FstHeaderWriter::write_to_mem(&info).expect("memory takes it");
        let module = FstScopeType::Module;
        header.scope("top", "", module).expect("memory takes it");
        let ids = (0..).zip(widths_bits).map(|(number, width_bits)| {
            let of = FstSignalType::bit_vec(*width_bits);
            let (kind, direction) = (FstVarType::Wire, FstVarDirection::Implicit);
            let id = header.var(format!("v{number}"), of, kind, direction, None);
            id.expect("memory takes it")
        });
        let ids: Vec<_> = ids.collect();
        header.up_scope().expect("memory takes it");
        let mut body = header.finish().expect("memory takes it");
        body.time_change(0).expect("it is the first");
        for (id, width_bits) in ids.into_iter().zip(widths_bits) {
            let digits = vec![b'0'; *width_bits as usize];
            body.signal_change(id, &digits).expect("it has the width");
        }
        body.time_change(1).expect("it is later");
        body.finish().expect("memory takes it").into_inner()
    }

    /// Reads the changes of each variable with an independent reader.
    fn read(file: Vec<u8>, n_variables: usize) -> Vec<Changes> {
        let mut waves = wellen::simple::read_from_reader(Cursor::new(file)).expect("it is a file");
        let named = (0..n_variables).map(|number| {
            let hierarchy = waves.hierarchy();
            let name = format!("v{number}");
            let var = hierarchy
                .lookup_var(&["top"], &name)
                .expect("it was declared");
            hierarchy[var].signal_ref()
        });
        let named: Vec<_> = named.collect();
        waves.load_signals(&named);
        let changes = named.iter().map(|signal| {
            let of = waves.get_signal(*signal).expect("it was loaded");
            let changes = of.iter_changes();
            let changes =
                changes.map(|(at, value)| (waves.time_table()[at as usize], value.to_string()));
            changes.collect()
        });
        changes.collect()
    }

    /// Time since the previous moment, whether a section ends there, and the limbs of all variables.
    type Moment = (u64, bool, Vec<Vec<u64>>);

    /// Generates widths of variables in bits, and their changes.
    fn history() -> impl Strategy<Value = (Vec<u32>, Vec<Moment>)> {
        let widths_bits =
            proptest::collection::vec(prop_oneof![Just(1u32), Just(64), 1..70u32, 1..300u32], 1..6);
        widths_bits.prop_flat_map(|widths_bits| {
            let value = |width_bits: &u32| {
                let n_limbs = width_bits.div_ceil(64) as usize;
                let above = n_limbs as u32 * 64 - width_bits;
                let limbs = proptest::collection::vec(prop_oneof![Just(0), any::<u64>()], n_limbs);
                limbs.prop_map(move |mut limbs| {
                    let highest = limbs.last_mut().expect("one at least");
                    *highest = *highest << above >> above;
                    limbs
                })
            };
            let values: Vec<_> = widths_bits.iter().map(value).collect();
            let step = (prop_oneof![1..4u64, 1..1000u64], any::<bool>(), values);
            (Just(widths_bits), proptest::collection::vec(step, 1..80))
        })
    }

    proptest! {
        #[test]
        fn a_reader_finds_what_was_written((widths_bits, steps) in history()) {
            let digits = |width_bits: u32, limbs: &[u64]| {
                let mut digits = Vec::new();
                push_digits(&mut digits, width_bits, limbs);
                digits
            };
            let zeros: Vec<u8> = vec![b'0'; widths_bits.iter().sum::<u32>() as usize];
            let mut sections = Sections::new(&widths_bits, zeros, 1);
            let mut expected: Vec<Changes> = widths_bits
                .iter()
                .map(|width_bits| vec![(0, "0".repeat(*width_bits as usize))])
                .collect();
            let (mut time, mut n_sections) = (1, 0);
            let (mut blocks, mut block, mut used) = (Vec::new(), Vec::new(), None);
            let last = steps.len() - 1;
            for (number, (later, is_end, values)) in steps.iter().enumerate() {
                time += later;
                sections.time(time);
                for (variable, limbs) in values.iter().enumerate() {
                    let digits = digits(widths_bits[variable], limbs);
                    let text = String::from_utf8(digits).expect("digits");
                    if expected[variable].last().is_none_or(|(_, last)| *last != text) {
                        sections.limbs(variable, limbs);
                        expected[variable].push((time, text));
                    }
                }
                if *is_end || number == last {
                    let section = sections.take(used.take());
                    section.pack(&mut block);
                    blocks.extend_from_slice(&block);
                    used = Some(section.into_buffers());
                    n_sections += 1;
                }
            }
            let mut file = beginning(&widths_bits);
            set_rest(&mut file, time, n_sections);
            file.extend(blocks);
            prop_assert_eq!(read(file, widths_bits.len()), expected);
        }
    }
}
