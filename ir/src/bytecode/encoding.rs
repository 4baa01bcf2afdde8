//! Numbers of variable length, and a cursor that never leaves its section.

use super::section;

/// An error in a file, with its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    /// Section number.
    pub(super) section: u8,
    /// Offset in the file, in bytes.
    pub(super) offset: usize,
    /// The expected contents.
    pub(super) message: String,
}

pub(super) type Decoded<T> = Result<T, Fault>;

/// A read position in a section.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    data: &'a [u8],
    /// The next byte.
    pub(super) at: usize,
    /// The end of the section.
    pub(super) end: usize,
    /// Section number, for messages.
    pub(super) section: u8,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor from `at` to `end` of the file `data`.
    pub(super) fn new(data: &'a [u8], at: usize, end: usize, section: u8) -> Self {
        Self {
            data,
            at,
            end,
            section,
        }
    }

    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        Fault {
            section: self.section,
            offset: self.at,
            message: message.into(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.at >= self.end
    }

    /// Returns the number of bytes left.
    pub(super) fn left(&self) -> usize {
        self.end - self.at
    }

    #[inline]
    pub(super) fn byte(&mut self) -> Decoded<u8> {
        if self.at < self.end {
            self.at += 1;
            return Ok(self.data[self.at - 1]);
        }
        let byte = self.bytes(1)?;
        Ok(byte[0])
    }

    pub(super) fn bytes(&mut self, count: usize) -> Decoded<&'a [u8]> {
        if count > self.left() {
            let message = format!(
                "attempting to read {count} bytes when only {} are left",
                self.left()
            );
            return Err(self.fault(message));
        }
        let bytes = &self.data[self.at..self.at + count];
        self.at += count;
        Ok(bytes)
    }

    /// Reads a number: the trailing zeros of its first byte give the number of following bytes.
    #[inline]
    pub(super) fn number(&mut self) -> Decoded<u64> {
        let first = self.byte()?;
        if first & 1 == 1 {
            return Ok(u64::from(first >> 1));
        }
        self.long_number(first)
    }

    fn long_number(&mut self, first: u8) -> Decoded<u64> {
        let more = first.trailing_zeros() as usize;
        let mut all = [0; 8];
        if more == 8 {
            all.copy_from_slice(self.bytes(8)?);
            return Ok(u64::from_le_bytes(all));
        }
        all[0] = first;
        all[1..=more].copy_from_slice(self.bytes(more)?);
        Ok(u64::from_le_bytes(all) >> (more + 1))
    }

    /// Reads a signed number in zigzag encoding.
    pub(super) fn signed(&mut self) -> Decoded<i64> {
        let value = self.number()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    /// Reads a number and, in its lowest bit, a flag.
    pub(super) fn number_with_flag(&mut self) -> Decoded<(u64, bool)> {
        let value = self.number()?;
        Ok((value >> 1, value & 1 == 1))
    }

    /// Reads a count of elements that take at least one byte each: a count above the number of bytes left is an error.
    pub(super) fn count(&mut self, what: &str) -> Decoded<usize> {
        let start = self.at;
        let count = self.number()?;
        self.checked_count(count, what, start)
    }

    pub(super) fn checked_count(&self, count: u64, what: &str, start: usize) -> Decoded<usize> {
        match usize::try_from(count) {
            Ok(count) if count <= self.left() => Ok(count),
            _ => Err(Fault {
                section: self.section,
                offset: start,
                message: format!("{count} {what} do not fit the {} bytes left", self.left()),
            }),
        }
    }

    /// Reads an index below `limit`.
    pub(super) fn index(&mut self, limit: usize, what: &str) -> Decoded<usize> {
        let start = self.at;
        let index = self.number()?;
        self.checked_index(index, limit, what, start)
    }

    pub(super) fn checked_index(
        &self,
        index: u64,
        limit: usize,
        what: &str,
        start: usize,
    ) -> Decoded<usize> {
        match usize::try_from(index) {
            Ok(index) if index < limit => Ok(index),
            _ => Err(Fault {
                section: self.section,
                offset: start,
                message: format!("invalid {what} index: {index}"),
            }),
        }
    }

    /// Returns the text up to the next zero byte.
    pub(super) fn text(&mut self) -> Decoded<&'a [u8]> {
        let rest = &self.data[self.at..self.end];
        match rest.iter().position(|byte| *byte == 0) {
            Some(length) => {
                self.at += length + 1;
                Ok(&rest[..length])
            }
            None => Err(self.fault("malformed null-terminated string, no null character found")),
        }
    }

    /// Skips the padding up to an offset that is a multiple of `alignment`.
    pub(super) fn align(&mut self, alignment: u64) -> Decoded<()> {
        if !alignment.is_power_of_two() {
            return Err(self.fault("expected alignment to be a power-of-two"));
        }
        while !(self.at as u64).is_multiple_of(alignment) {
            if self.byte()? != 0xCB {
                return Err(self.fault("expected alignment byte (0xCB)"));
            }
        }
        Ok(())
    }

    /// Reads a section: its number and a cursor over its data.
    pub(super) fn section(&mut self) -> Decoded<(u8, Cursor<'a>)> {
        let start = self.at;
        let first = self.byte()?;
        let (number, is_aligned) = (first & 0x7F, first & 0x80 != 0);
        if number >= section::COUNT {
            self.at = start;
            return Err(self.fault(format!("invalid section ID: {number}")));
        }
        let length = self.number()?;
        if is_aligned {
            let alignment = self.number()?;
            self.align(alignment)?;
        }
        let length = self.checked_count(length, "bytes of a section", start)?;
        let inner = Cursor::new(self.data, self.at, self.at + length, number);
        self.at += length;
        Ok((number, inner))
    }
}

/// Appends a number.
#[inline]
pub(super) fn put_number(out: &mut Vec<u8>, value: u64) {
    if value < 1 << 7 {
        out.push((value << 1 | 1) as u8);
        return;
    }
    let bits = 64 - value.leading_zeros() as usize;
    let count = bits.div_ceil(7);
    if count > 8 {
        out.push(0);
        out.extend_from_slice(&value.to_le_bytes());
        return;
    }
    let coded = (value << 1 | 1) << (count - 1);
    out.extend_from_slice(&coded.to_le_bytes()[..count]);
}

/// Appends a signed number.
pub(super) fn put_signed(out: &mut Vec<u8>, value: i64) {
    put_number(out, ((value << 1) ^ (value >> 63)).cast_unsigned());
}

/// Appends a number with a flag.
pub(super) fn put_with_flag(out: &mut Vec<u8>, value: u64, flag: bool) {
    put_number(out, value << 1 | u64::from(flag));
}

/// Appends a section.
pub(super) fn put_section(out: &mut Vec<u8>, number: u8, data: &[u8]) {
    out.push(number);
    put_number(out, data.len() as u64);
    out.extend_from_slice(data);
}
