//! The lexer: splits bytes into tokens, each a kind and a range of byte offsets.

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// The end of the source.
    End,
    /// Not a token; the message is in [`Lexer::error`].
    Error,
    /// `foo.bar`
    Bare,
    /// `@foo` or `@"foo"`
    At,
    /// `#foo`
    Hash,
    /// `!foo`
    Exclamation,
    /// `%foo`
    Percent,
    /// `^foo`
    Caret,
    /// `12` or `0x1F`
    Integer,
    /// `1.5e3`
    Float,
    /// `"text"`
    String,
    /// `->`
    Arrow,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// `...`
    Ellipsis,
    /// `=`
    Equal,
    /// `>`
    Greater,
    /// `<`
    Less,
    /// `{`
    LeftBrace,
    /// `(`
    LeftParen,
    /// `[`
    LeftSquare,
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `?`
    Question,
    /// `}`
    RightBrace,
    /// `)`
    RightParen,
    /// `]`
    RightSquare,
    /// `*`
    Star,
    /// `|`
    Bar,
    /// `{-#`
    MetadataBegin,
    /// `#-}`
    MetadataEnd,
}

impl TokenKind {
    /// Returns the kind of the punctuation `text`.
    #[inline]
    pub(crate) fn of_punctuation(text: &str) -> Option<Self> {
        Some(match text.as_bytes() {
            [byte] => match byte {
                b':' => Self::Colon,
                b',' => Self::Comma,
                b'=' => Self::Equal,
                b'>' => Self::Greater,
                b'<' => Self::Less,
                b'{' => Self::LeftBrace,
                b'(' => Self::LeftParen,
                b'[' => Self::LeftSquare,
                b'-' => Self::Minus,
                b'+' => Self::Plus,
                b'?' => Self::Question,
                b'}' => Self::RightBrace,
                b')' => Self::RightParen,
                b']' => Self::RightSquare,
                b'*' => Self::Star,
                b'|' => Self::Bar,
                _ => return None,
            },
            b"->" => Self::Arrow,
            b"..." => Self::Ellipsis,
            _ => return None,
        })
    }
}

/// A token: a kind and the range of its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// A line of the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Offset of its start.
    pub(crate) start: u32,
    /// Its number, from 1.
    pub(crate) number: u32,
}

/// Splits a source into tokens, one at a time.
#[derive(Clone, Copy)]
pub(crate) struct Lexer<'a> {
    source: &'a [u8],
    position: usize,
    /// The line of the position; `None` after a jump to another line, until [`Lexer::set_line`].
    line: Option<Line>,
    /// Offset and message of the last error token.
    pub(crate) error: (u32, &'static str),
}

const BARE: u8 = 1;
const SUFFIX: u8 = 2;
const DIGIT: u8 = 4;
const HEX: u8 = 8;

/// Kinds of identifiers that a byte may continue.
const CLASS: [u8; 256] = {
    let mut table = [0u8; 256];
    let mut byte = 0usize;
    while byte < 256 {
        let c = byte as u8;
        let mut class = 0;
        if c.is_ascii_alphanumeric() || c == b'_' || c == b'$' || c == b'.' {
            class |= BARE | SUFFIX;
        }
        if c == b'-' {
            class |= SUFFIX;
        }
        if c.is_ascii_digit() {
            class |= DIGIT;
        }
        if c.is_ascii_hexdigit() {
            class |= HEX;
        }
        table[byte] = class;
        byte += 1;
    }
    table
};

impl<'a> Lexer<'a> {
    pub(crate) fn new(source: &'a [u8]) -> Self {
        Self {
            source,
            position: 0,
            line: Some(Line {
                start: 0,
                number: 1,
            }),
            error: (0, ""),
        }
    }

    /// Continues at `offset`.
    pub(crate) fn seek(&mut self, offset: u32) {
        let to = offset as usize;
        let is_same_line = self.line.is_some_and(|line| line.start <= offset)
            && (to <= self.position || !self.source[self.position..to].contains(&b'\n'));
        if !is_same_line {
            self.line = None;
        }
        self.position = to;
    }

    /// Continues at `offset`, which is in `line`.
    pub(crate) fn jump(&mut self, offset: u32, line: Line) {
        self.position = offset as usize;
        self.line = Some(line);
    }

    /// Returns the line of the position, if it is known.
    #[inline]
    pub(crate) fn line(&self) -> Option<Line> {
        self.line
    }

    /// Sets the line of `offset`, which is not after the position.
    pub(crate) fn set_line(&mut self, line: Line, offset: u32) {
        let passed = self.source.get(offset as usize..self.position);
        // Far from the position, counting lines would cost more than it saves.
        if passed.is_some_and(|passed| passed.len() < 256 && !passed.contains(&b'\n')) {
            self.line = Some(line);
        }
    }

    #[inline]
    fn peek(&self, ahead: usize) -> u8 {
        self.source.get(self.position + ahead).copied().unwrap_or(0)
    }

    #[inline]
    fn skip_class(&mut self, class: u8) {
        let rest = &self.source[self.position..];
        let is_other = |byte: &u8| CLASS[usize::from(*byte)] & class == 0;
        self.position += rest.iter().position(is_other).unwrap_or(rest.len());
    }

    #[inline]
    fn token(&self, kind: TokenKind, start: usize) -> Token {
        Token {
            kind,
            start: offset(start),
            end: offset(self.position),
        }
    }

    fn fail(&mut self, start: usize, at: usize, message: &'static str) -> Token {
        self.error = (offset(at), message);
        self.token(TokenKind::Error, start)
    }

    /// Returns the next token.
    pub(crate) fn next(&mut self) -> Token {
        use TokenKind as T;
        loop {
            let start = self.position;
            let Some(&byte) = self.source.get(start) else {
                return self.token(T::End, start);
            };
            self.position += 1;
            let kind = match byte {
                b' ' | b'\t' | b'\r' => continue,
                b'\n' => {
                    self.end_line();
                    continue;
                }
                b'/' if self.peek(0) == b'/' => {
                    let rest = &self.source[self.position..];
                    self.position += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                    continue;
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                    self.skip_class(BARE);
                    T::Bare
                }
                b'0'..=b'9' => self.number(byte),
                b'%' => return self.prefixed(start, T::Percent, "invalid SSA name"),
                b'^' => return self.prefixed(start, T::Caret, "invalid block name"),
                b'!' => return self.prefixed(start, T::Exclamation, "invalid type identifier"),
                b'#' => {
                    if self.peek(0) == b'-' && self.peek(1) == b'}' {
                        self.position += 2;
                        T::MetadataEnd
                    } else {
                        return self.prefixed(start, T::Hash, "invalid attribute name");
                    }
                }
                b'@' => return self.at(start),
                b'"' => return self.string(start, T::String),
                b':' => T::Colon,
                b',' => T::Comma,
                b'=' => T::Equal,
                b'(' => T::LeftParen,
                b')' => T::RightParen,
                b'[' => T::LeftSquare,
                b']' => T::RightSquare,
                b'<' => T::Less,
                b'>' => T::Greater,
                b'{' => {
                    if self.peek(0) == b'-' && self.peek(1) == b'#' {
                        self.position += 2;
                        T::MetadataBegin
                    } else {
                        T::LeftBrace
                    }
                }
                b'}' => T::RightBrace,
                b'-' => {
                    if self.peek(0) == b'>' {
                        self.position += 1;
                        T::Arrow
                    } else {
                        T::Minus
                    }
                }
                b'+' => T::Plus,
                b'?' => T::Question,
                b'*' => T::Star,
                b'|' => T::Bar,
                b'.' => {
                    if self.peek(0) == b'.' && self.peek(1) == b'.' {
                        self.position += 2;
                        T::Ellipsis
                    } else {
                        let message = "expected three consecutive dots for an ellipsis";
                        return self.fail(start, start, message);
                    }
                }
                0 if start + 1 == self.source.len() => T::End,
                // As in upstream's lexer: a zero byte is white space.
                0 => continue,
                _ => {
                    // The other bytes of one character are not further errors.
                    while self.peek(0) & 0xC0 == 0x80 {
                        self.position += 1;
                    }
                    return self.fail(start, start, "unexpected character");
                }
            };
            return self.token(kind, start);
        }
    }

    /// Starts a new line at the position, and skips the spaces at its start.
    #[inline]
    fn end_line(&mut self) {
        if let Some(line) = &mut self.line {
            line.start = offset(self.position);
            line.number += 1;
        }
        while self.source.get(self.position) == Some(&b' ') {
            self.position += 1;
        }
    }

    fn number(&mut self, first: u8) -> TokenKind {
        if first == b'0' && self.peek(0) == b'x' && self.peek(1).is_ascii_hexdigit() {
            self.position += 2;
            self.skip_class(HEX);
            return TokenKind::Integer;
        }
        self.skip_class(DIGIT);
        if self.peek(0) != b'.' {
            return TokenKind::Integer;
        }
        self.position += 1;
        self.skip_class(DIGIT);
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'-' | b'+'));
            if self.peek(1 + sign).is_ascii_digit() {
                self.position += 1 + sign;
                self.skip_class(DIGIT);
            }
        }
        TokenKind::Float
    }

    #[inline]
    fn prefixed(&mut self, start: usize, kind: TokenKind, message: &'static str) -> Token {
        let first = self.peek(0);
        if first.is_ascii_digit() {
            self.skip_class(DIGIT);
        } else if CLASS[usize::from(first)] & SUFFIX != 0 {
            self.skip_class(SUFFIX);
        } else {
            return self.fail(start, start, message);
        }
        self.token(kind, start)
    }

    fn at(&mut self, start: usize) -> Token {
        let first = self.peek(0);
        if first == b'"' {
            self.position += 1;
            return self.string(start, TokenKind::At);
        }
        if !first.is_ascii_alphabetic() && first != b'_' {
            return self.fail(
                start,
                start,
                "@ identifier expected to start with letter or '_'",
            );
        }
        self.skip_class(BARE);
        self.token(TokenKind::At, start)
    }

    /// Reads the rest of a string whose opening quote was just read.
    fn string(&mut self, start: usize, kind: TokenKind) -> Token {
        loop {
            let at = self.position;
            match self.source.get(at) {
                Some(b'"') => {
                    self.position += 1;
                    return self.token(kind, start);
                }
                None | Some(b'\n' | 0x0B | 0x0C) => {
                    return self.fail(start, at, "expected '\"' in string literal");
                }
                Some(b'\\') => match (self.peek(1), self.peek(2)) {
                    (b'"' | b'\\' | b'n' | b't', _) => self.position += 2,
                    (a, b) if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => self.position += 3,
                    _ => {
                        // The rest of the line has no reliable meaning.
                        let rest = &self.source[at..];
                        self.position +=
                            rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                        return self.fail(start, at, "unknown escape in string literal");
                    }
                },
                Some(_) => self.position += 1,
            }
        }
    }
}

/// Converts a position to an offset.
#[inline]
pub(crate) fn offset(position: usize) -> u32 {
    u32::try_from(position).expect("sources are smaller than 4 GiB: checked when parsing starts")
}

/// Returns the bytes of a quoted string (given with its quotes).
pub(crate) fn unescape(quoted: &str) -> Vec<u8> {
    let inner = &quoted.as_bytes()[1..quoted.len() - 1];
    if !inner.contains(&b'\\') {
        return inner.to_vec();
    }
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first != b'\\' {
            bytes.push(first);
            continue;
        }
        let (&escape, tail) = rest.split_first().expect("the lexer checked escapes");
        rest = tail;
        match escape {
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            b'"' | b'\\' => bytes.push(escape),
            _ => {
                let (&low, tail) = rest.split_first().expect("the lexer checked escapes");
                rest = tail;
                bytes.push(hex_digit(escape) << 4 | hex_digit(low));
            }
        }
    }
    bytes
}

/// Returns the value of a hexadecimal digit; 0 for anything else.
pub(crate) fn hex_digit(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'f' => byte - b'a' + 10,
        b'A'..=b'F' => byte - b'A' + 10,
        _ => 0,
    }
}

/// Returns true if `text` is a bare identifier, which needs no quotes as a name.
pub(crate) fn is_bare(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes
        .first()
        .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
        && bytes.iter().all(|b| CLASS[usize::from(*b)] & BARE != 0)
}
