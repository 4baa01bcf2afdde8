//! Framing of messages in a byte stream: each message has a header with its length.

/// Maximum number of bytes of a message.
const LONGEST_BYTES: usize = 256 << 20;

/// Maximum number of bytes of a header.
const LONGEST_HEADER_BYTES: usize = 8 << 10;

/// The header field with the length, which is required.
const LENGTH: &[u8] = b"content-length:";

/// The next item of a stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Frame {
    /// The bytes of a message.
    Message(Vec<u8>),
    /// Bytes that are not a message, with the reason. The reader then searches for the next header.
    Broken(String),
}

/// A stream of messages, with the bytes received so far.
#[derive(Default)]
pub struct Frames {
    bytes: Vec<u8>,
    /// Bytes before this offset are consumed.
    at: usize,
    /// True while the reader searches for a header, after invalid bytes.
    is_lost: bool,
    /// Bytes of the incomplete message that were already searched for an inner header.
    n_scanned: usize,
}

/// Formats a message with its header.
pub fn framed(message: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{message}", message.len())
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut windows = bytes.windows(wanted.len());
    windows.position(|window| window.eq_ignore_ascii_case(wanted))
}

/// Returns the offset of a header inside the bytes of a message, which then has a wrong length: JSON cannot contain such a line.
/// The search begins at `from`.
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

/// Returns the offset of a partial header at the end of the bytes of a message, which then has a wrong length.
fn header_at_end(body: &[u8]) -> Option<usize> {
    let start = body.iter().rposition(|byte| *byte == b'}')? + 1;
    let tail = body.get(start..)?;
    let n = tail.len().min(LENGTH.len());
    let is_part = tail.get(..n)?.eq_ignore_ascii_case(LENGTH.get(..n)?);
    (n > 0 && is_part).then_some(start)
}

impl Frames {
    /// Appends received bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.at);
        self.at = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the next item, if it is complete.
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
        // With a length that is too large, the message would swallow the next one, or wait for it.
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

    /// Moves to the next header, and returns whether one was found.
    fn found(&mut self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match find(rest, LENGTH) {
            Some(found) => {
                self.at += found;
                self.is_lost = false;
                true
            }
            None => {
                // The last bytes may be the beginning of the field name.
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

/// Returns the first header in the bytes, with its length including the empty line; `None` if it is not complete.
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

/// Returns the message length that a header states.
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

/// Returns the first bytes for a message to the user.
fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes.get(..60).unwrap_or(bytes));
    text.trim().escape_default().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns all items of a stream that arrives in pieces of `n_bytes`.
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
            // Too long: the message swallows the next one.
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
            // The next message is found after any bytes.
            let mut stream = before.clone();
            stream.extend_from_slice(b"\r\n\r\n");
            let text = framed("[]").repeat(2);
            stream.extend_from_slice(text.as_bytes());
            let found = all(&stream, n);
            prop_assert_eq!(found.last(), Some(&message("[]")));
        }
    }
}
