//! Sections of an FST file with the changes of some cycles: for each variable a chain of its changes, packed by itself, and the times of all.
//!
//! The form is GTKWave's `VCDATA_DYN_ALIAS2` with LZ4. A library writes the beginning of the file; twenty million changes of a circuit whose
//! words change in every cycle took it a hundred nanoseconds each, by digits, and one thread.

use rayon::prelude::*;
use sluice_sim::cycle::push_digits;

/// The kind of block that a section is.
const BLOCK: u8 = 8;

/// Says that chains are packed with LZ4.
const LZ4: u8 = b'4';

/// Bytes of a chain from which on it is packed.
const LEAST_PACKED: usize = 32;

/// Level of the compression with zlib, of 10.
const ZLIB_LEVEL: u8 = 3;

/// The changes of one variable since the section began.
struct Chain {
    width_bits: u32,
    /// Number of the time of its last change.
    last: u32,
    /// For each change how many times later it is, and the value.
    bytes: Vec<u8>,
    /// Where in the bytes the last value is.
    value_at: usize,
    /// Most bytes that a section took so far: as many are made room for.
    expected: usize,
}

impl Chain {
    /// A change at the time of this number.
    fn begin(&mut self, now: u32) {
        let later = u64::from(now - self.last);
        self.last = now;
        // The lowest bit says that no digit is something else than 0 and 1.
        push_unsigned(&mut self.bytes, later << 1);
        self.value_at = self.bytes.len();
    }

    fn bit(&mut self, now: u32, value: bool) {
        let later = u64::from(now - self.last);
        self.last = now;
        self.value_at = self.bytes.len();
        push_unsigned(&mut self.bytes, later << 2 | u64::from(value) << 1);
    }

    /// The limbs of a value: bytes, the highest first, what is missing of the last one filled up below.
    fn limbs(&mut self, now: u32, limbs: &[u64]) {
        if self.width_bits == 1 {
            return self.bit(now, limbs.first().is_some_and(|limb| limb & 1 == 1));
        }
        self.begin(now);
        let n_bytes = self.width_bits.div_ceil(8) as usize;
        if let [limb] = limbs {
            // All eight bytes are faster than those that count.
            let highest_first = (limb << (64 - self.width_bits)).to_be_bytes();
            self.bytes.extend_from_slice(&highest_first);
            self.bytes.truncate(self.value_at + n_bytes);
            return;
        }
        let fill = n_bytes as u32 * 8 - self.width_bits;
        let mut below = 0;
        let start = self.bytes.len();
        self.bytes.resize(start + n_bytes, 0);
        let places = self.bytes[start..].iter_mut().rev();
        let bytes = limbs.iter().flat_map(|limb| limb.to_le_bytes());
        for (place, byte) in places.zip(bytes) {
            let both = u16::from(byte) << fill | below;
            *place = both.to_le_bytes()[0];
            below = both >> 8;
        }
    }

    /// The digits of the last value.
    fn write_digits(&self, digits: &mut [u8]) {
        if self.bytes.is_empty() {
            return;
        }
        let value = &self.bytes[self.value_at..];
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
    /// From time to time how much later it is; the first by itself.
    times: Vec<u8>,
    n_times: u32,
    /// The last time of the section before, and of this one.
    from: u64,
    now: u64,
}

/// The changes of some cycles, not packed yet.
pub(super) struct Section {
    chains: Vec<Vec<u8>>,
    frame: Vec<u8>,
    times: Vec<u8>,
    n_times: u32,
    from: u64,
    to: u64,
}

impl Sections {
    /// None yet, after a time at which the variables of these widths in bits had these digits.
    pub(super) fn new(widths_bits: &[u32], frame: Vec<u8>, time: u64) -> Self {
        let chain = |width_bits: &u32| Chain {
            width_bits: *width_bits,
            last: 0,
            bytes: Vec::new(),
            value_at: 0,
            expected: 0,
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

    /// What follows changes at this time, later than the last.
    pub(super) fn time(&mut self, time: u64) {
        let since = if self.n_times == 0 { 0 } else { self.now };
        push_unsigned(&mut self.times, time - since);
        self.n_times += 1;
        self.now = time;
    }

    fn number(&self) -> u32 {
        self.n_times - 1
    }

    /// A variable changes to a value of these limbs, the lowest first.
    pub(super) fn limbs(&mut self, variable: usize, limbs: &[u64]) {
        let now = self.number();
        self.chains[variable].limbs(now, limbs);
    }

    /// A variable of text changes, filled up with spaces.
    pub(super) fn text(&mut self, variable: usize, text: &str) {
        let now = self.number();
        let chain = &mut self.chains[variable];
        chain.begin(now);
        let n_bytes = chain.width_bits as usize / 8;
        chain.bytes.extend_from_slice(text.as_bytes());
        chain.bytes.resize(chain.value_at + n_bytes, b' ');
    }

    /// What was collected, and begins the next section.
    pub(super) fn take(&mut self) -> Section {
        let frame = self.frame.clone();
        let mut rest = &mut self.frame[..];
        let mut chains = Vec::with_capacity(self.chains.len());
        for chain in &mut self.chains {
            let (digits, after) = rest.split_at_mut(chain.width_bits as usize);
            chain.write_digits(digits);
            rest = after;
            chain.expected = chain.expected.max(chain.bytes.len());
            let empty = Vec::with_capacity(chain.expected);
            chains.push(std::mem::replace(&mut chain.bytes, empty));
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
    /// The block of the file.
    pub(super) fn packed(self) -> Vec<u8> {
        let n_bytes: usize = self.chains.iter().map(Vec::len).sum();
        let n_variables = self.chains.len() as u64;
        let mut block = Vec::with_capacity(n_bytes + self.frame.len() + self.times.len());
        block.push(BLOCK);
        // Its length comes when it is known.
        push_word(&mut block, 0);
        push_word(&mut block, self.from);
        push_word(&mut block, self.to);
        push_word(&mut block, n_bytes as u64);

        let frame = zipped(&self.frame);
        push_unsigned(&mut block, self.frame.len() as u64);
        push_unsigned(&mut block, frame.len() as u64);
        push_unsigned(&mut block, n_variables);
        block.extend_from_slice(&frame);

        push_unsigned(&mut block, n_variables);
        let mut before = block.len();
        block.push(LZ4);
        let chains: Vec<(u64, Vec<u8>)> = self.chains.into_par_iter().map(packed_chain).collect();
        let mut places = Vec::new();
        let mut n_idle = 0;
        for (n_bytes, chain) in &chains {
            if chain.is_empty() {
                n_idle += 1;
                continue;
            }
            push_idle(&mut places, &mut n_idle);
            let at = block.len();
            push_signed(&mut places, ((at - before) as i64) << 1 | 1);
            before = at;
            push_unsigned(&mut block, *n_bytes);
            block.extend_from_slice(chain);
        }
        push_idle(&mut places, &mut n_idle);
        block.extend_from_slice(&places);
        push_word(&mut block, places.len() as u64);

        let times = zipped(&self.times);
        block.extend_from_slice(&times);
        push_word(&mut block, self.times.len() as u64);
        push_word(&mut block, times.len() as u64);
        push_word(&mut block, u64::from(self.n_times));

        let length = block.len() as u64 - 1;
        block[1..9].copy_from_slice(&length.to_be_bytes());
        block
    }
}

/// A chain and its length before it was packed; 0 if it is as it was.
fn packed_chain(chain: Vec<u8>) -> (u64, Vec<u8>) {
    if chain.len() >= LEAST_PACKED {
        let packed = lz4_flex::compress(&chain);
        if packed.len() < chain.len() {
            return (chain.len() as u64, packed);
        }
    }
    (0, chain)
}

/// Bytes with zlib, or as they are where that is shorter.
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

/// So many variables that do not change.
fn push_idle(places: &mut Vec<u8>, n_idle: &mut u64) {
    if *n_idle > 0 {
        push_unsigned(places, *n_idle << 1);
        *n_idle = 0;
    }
}

/// Seven bits a byte, the lowest first; the highest bit of a byte says that more follow.
fn push_unsigned(bytes: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
}

/// The same of two's complement.
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

    /// A file whose variables are 0 until time 1, without other sections.
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

    /// The changes of each variable as a reader of others finds them.
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

    /// The limbs of all variables, what time passes before, and whether a section ends there.
    type Moment = (u64, bool, Vec<Vec<u64>>);

    /// Widths of variables in bits, and what becomes of them.
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
            let mut blocks = Vec::new();
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
                    blocks.extend(sections.take().packed());
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
