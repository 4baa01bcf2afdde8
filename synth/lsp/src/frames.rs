//! Messages in a stream of bytes: each has a header that says how long it is.

/// The longest message that is read.
const LONGEST_BYTES: usize = 256 << 20;

/// The longest header that is read.
const LONGEST_HEADER_BYTES: usize = 8 << 10;

/// The field that every header has.
const LENGTH: &[u8] = b"content-length:";

/// The next item of a stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Frame {
    /// The bytes of a message.
    Message(Vec<u8>),
    /// What is no message, and why; the next header is looked for after it.
    Broken(String),
}

/// A stream of messages, as far as it has come.
#[derive(Default)]
pub struct Frames {
    bytes: Vec<u8>,
    /// Bytes before this one are done with.
    at: usize,
    /// Whether a header is being looked for, after something that was none.
    is_lost: bool,
    /// Bytes of the message that is being waited for which no header starts in.
    n_scanned: usize,
}

/// A message with its header.
pub fn framed(message: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{message}", message.len())
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut windows = bytes.windows(wanted.len());
    windows.position(|window| window.eq_ignore_ascii_case(wanted))
}

/// Where a header starts inside what was taken for a message, looked for from a byte on: JSON has no such line.
fn header_inside(body: &[u8], from: usize) -> Option<usize> {
    let after = body.get(from..).unwrap_or_default().iter().enumerate();
    let mut ends = after.filter(|(_, byte)| **byte == b'\r');
    ends.find_map(|(at, _)| {
        let before = body.get(..from + at)?;
        let n_digits = before
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_digit() || **byte == b' ')
            .count();
        let name = before.get(..before.len() - n_digits)?;
        let start = name.len().checked_sub(LENGTH.len())?;
        let is_name = name.get(start..)?.eq_ignore_ascii_case(LENGTH);
        (n_digits > 0 && is_name).then_some(start)
    })
}

/// Where a header starts at the end of what was taken for a message, which has only a part of it.
fn header_at_end(body: &[u8]) -> Option<usize> {
    let start = body.iter().rposition(|byte| *byte == b'}')? + 1;
    let tail = body.get(start..)?;
    let n = tail.len().min(LENGTH.len());
    let is_part = tail.get(..n)?.eq_ignore_ascii_case(LENGTH.get(..n)?);
    (n > 0 && is_part).then_some(start)
}

impl Frames {
    /// Takes in more of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.at);
        self.at = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next item, if all of it is there.
    pub fn take(&mut self) -> Option<Frame> {
        if self.is_lost && !self.found() {
            return None;
        }
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let (header, n_header) = match header(rest) {
            Ok(found) => found?,
            Err(why) => return Some(self.lost(why)),
        };
        let length = match length(header) {
            Ok(length) => length,
            Err(why) => return Some(self.lost(why)),
        };
        let rest = rest.get(n_header..).unwrap_or_default();
        // A length that is too great would swallow the next message, or wait for it.
        let body = rest.get(..length);
        let whole = body.unwrap_or(rest);
        let inside = header_inside(whole, self.n_scanned).or_else(|| header_at_end(body?));
        self.n_scanned = 0;
        if let Some(inside) = inside {
            self.at += n_header + inside;
            return Some(Frame::Broken(format!(
                "the header says {length} bytes, and another header starts after {inside}"
            )));
        }
        let Some(body) = body else {
            self.n_scanned = whole.len();
            return None;
        };
        let body = body.to_vec();
        self.at += n_header + length;
        Some(Frame::Message(body))
    }

    /// Goes to the next header, if it is there.
    fn found(&mut self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match find(rest, LENGTH) {
            Some(found) => {
                self.at += found;
                self.is_lost = false;
                true
            }
            None => {
                // A part of the word may be there.
                self.at += rest.len().saturating_sub(LENGTH.len());
                false
            }
        }
    }

    fn lost(&mut self, why: String) -> Frame {
        self.is_lost = true;
        self.at += 1;
        Frame::Broken(why)
    }
}

/// The header at the start of some bytes, with its length and that of the empty line; nothing where more must come.
fn header(bytes: &[u8]) -> Result<Option<(&[u8], usize)>, String> {
    let mut at = 0;
    while let Some(length) = bytes
        .get(at..)
        .and_then(|rest| rest.iter().position(|byte| *byte == b'\n'))
    {
        let line = bytes.get(at..at + length).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            return Ok(Some((bytes.get(..at).unwrap_or_default(), at + length + 1)));
        }
        let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        if name.len() == line.len() || name.is_empty() || !name.iter().all(is_name) {
            return Err(format!(
                "a header `Content-Length: N` is expected, not `{}`",
                shown(line)
            ));
        }
        at += length + 1;
        if at > LONGEST_HEADER_BYTES {
            break;
        }
    }
    if bytes.len() > LONGEST_HEADER_BYTES {
        return Err(format!(
            "a header ends after {LONGEST_HEADER_BYTES} bytes at most"
        ));
    }
    Ok(None)
}

/// What a header says of the length of its message.
fn length(header: &[u8]) -> Result<usize, String> {
    let mut found = None;
    for line in header.split(|byte| *byte == b'\n') {
        let (name, value) = line.split_at(line.len().min(LENGTH.len()));
        if name.eq_ignore_ascii_case(LENGTH) {
            let text = std::str::from_utf8(value).unwrap_or_default().trim();
            let length: Option<usize> = text.parse().ok();
            let fits = length.filter(|length| *length <= LONGEST_BYTES);
            let Some(length) = fits else {
                return Err(format!(
                    "`Content-Length` is a number of bytes up to {LONGEST_BYTES}, not `{}`",
                    shown(text.as_bytes())
                ));
            };
            found = Some(length);
        }
    }
    found.ok_or_else(|| {
        format!(
            "a header has `Content-Length: N`; this one is `{}`",
            shown(header)
        )
    })
}

/// The beginning of some bytes for a message.
fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes.get(..60).unwrap_or(bytes));
    text.trim().escape_default().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What stands in a stream that comes in pieces of so many bytes.
    fn all(stream: &[u8], n_bytes: usize) -> Vec<Frame> {
        let mut frames = Frames::default();
        let mut found = Vec::new();
        for piece in stream.chunks(n_bytes) {
            frames.push(piece);
            while let Some(frame) = frames.take() {
                found.push(frame);
            }
        }
        found
    }

    fn message(text: &str) -> Frame {
        Frame::Message(text.as_bytes().to_vec())
    }

    #[test]
    fn messages_come_in_any_pieces() {
        let text = "content-type: x\r\ncontent-length:2\r\n\r\n{}".to_owned() + &framed("[1]");
        for n in 1..text.len() {
            assert_eq!(all(text.as_bytes(), n), [message("{}"), message("[1]")]);
        }
    }

    #[test]
    fn the_next_message_is_found_after_what_is_none() {
        let good = framed("{\"a\":1}");
        for (broken, n_before) in [
            ("Content-Length: 99999999999999999999\r\n\r\n", 1),
            ("Content-Length: -1\r\n\r\n{}", 1),
            ("Content-Length: x\r\n\r\n{}", 1),
            ("Content-Type: x\r\n\r\n", 1),
            ("{\"no\": \"header\"}\r\n", 1),
            // Too short: the message ends early.
            ("Content-Length: 5\r\n\r\n{\"b\":1}", 2),
            // Too long: it swallows what follows.
            ("Content-Length: 30\r\n\r\n{\"b\":1}", 1),
            ("Content-Length: 3000\r\n\r\n{\"b\":1}", 1),
        ] {
            let found = all((broken.to_owned() + &good).as_bytes(), 1);
            assert_eq!(found.last(), Some(&message("{\"a\":1}")), "{broken}");
            assert_eq!(found.len(), n_before + 1, "{broken}: {found:?}");
        }
    }

    #[test]
    fn headers_are_bounded() {
        let found = all(&b"a:".repeat(LONGEST_HEADER_BYTES), 4096);
        assert!(matches!(&found[..], [Frame::Broken(_)]), "{found:?}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_taken_in_any_pieces(
            before in prop::collection::vec(any::<u8>(), 0..60), n in 1usize..20,
        ) {
            // The message after them is found whatever they are.
            let mut stream = before.clone();
            stream.extend_from_slice(b"\r\n\r\n");
            let text = framed("[]").repeat(2);
            stream.extend_from_slice(text.as_bytes());
            let found = all(&stream, n);
            prop_assert_eq!(found.last(), Some(&message("[]")));
        }
    }
}
