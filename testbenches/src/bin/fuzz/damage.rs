//! Mutation of inputs: seeded random changes of bytes, words and lines.

/// A random number generator, xorshift64*. Source: Vigna, "An experimental exploration of Marsaglia's xorshift generators,
/// scrambled".
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number below `limit`; 0 if `limit` is 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap_or(0)
    }
}

/// Words that readers of numbers, names and YAML may mistake for others.
const WORDS: &[&str] = &[
    "0",
    "-0",
    "-1",
    "1",
    "2",
    "3",
    "16",
    "63",
    "64",
    "65",
    "1000",
    "65535",
    "65536",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "1e300",
    "1e-300",
    "1e999",
    ".inf",
    "-.inf",
    ".nan",
    "0.1",
    "1.5",
    "0x10",
    "0b1",
    "0o7",
    "1_000",
    "true",
    "false",
    "null",
    "~",
    "''",
    "\"\"",
    "[]",
    "{}",
    "[[]]",
    "{a: 1}",
    "[1, 2, 3]",
    "auto",
    "none",
    "static",
    "elastic",
    "é",
    "\u{1f600}",
    "\"a\\n\\e[31m\"",
    "&a",
    "*a",
    "<<: *a",
    "!!int 3",
    "|",
    ">",
    "---",
    "...",
    "- ",
    "? ",
    ": ",
    "# ",
    "%",
    "@",
    "`",
    "\t",
    "\r\n",
    "\0",
    "\u{feff}",
];

/// Makes one to eight changes of a file; parts of other files in `corpus` may be inserted.
pub(crate) fn damaged(random: &mut Random, data: &[u8], corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut data = data.to_vec();
    for _ in 0..=random.below(8) {
        if data.is_empty() {
            break;
        }
        let at = random.below(data.len());
        let length = 1 + random.below(16).min(data.len() - at - 1);
        match random.below(7) {
            0 => data[at] ^= 1 << random.below(8),
            1 => data[at] = u8::try_from(random.below(256)).unwrap_or(0),
            2 => drop(data.drain(at..at + length)),
            3 => {
                let part = data[at..at + length].to_vec();
                let to = random.below(data.len());
                data.splice(to..to, part);
            }
            4 => {
                let other = crate::corpus::any(random, corpus);
                let from = random.below(other.len());
                let end = (from + 1 + random.below(40)).min(other.len());
                data.splice(at..at, other[from.min(end)..end].iter().copied());
            }
            5 => {
                let to = random.below(data.len());
                data.swap(at, to);
            }
            _ => data.truncate(at),
        }
    }
    data
}

/// Makes up to four changes of whole words and lines, so that most files stay YAML; sometimes bytes are changed too.
pub(crate) fn damaged_lines(random: &mut Random, data: &[u8], corpus: &[Vec<u8>]) -> Vec<u8> {
    let text = String::from_utf8_lossy(data).into_owned();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=random.below(4) {
        if lines.is_empty() {
            lines.push(String::new());
        }
        let at = random.below(lines.len());
        match random.below(8) {
            0..=3 => replace_word(random, &mut lines[at], corpus),
            4 => drop(lines.remove(at)),
            5 => {
                let line = lines[at].clone();
                let to = random.below(lines.len() + 1);
                lines.insert(to, line);
            }
            6 => {
                let other =
                    String::from_utf8_lossy(crate::corpus::any(random, corpus)).into_owned();
                let others: Vec<&str> = other.lines().collect();
                if let Some(line) = others.get(random.below(others.len())) {
                    lines.insert(at, (*line).to_owned());
                }
            }
            _ => {
                let indent = " ".repeat(random.below(6));
                lines[at] = format!("{indent}{}", lines[at].trim_start());
            }
        }
    }
    let data = (lines.join("\n") + "\n").into_bytes();
    if random.below(8) == 0 {
        damaged(random, &data, corpus)
    } else {
        data
    }
}

/// Replaces a random word by another one.
fn replace_word(random: &mut Random, line: &mut String, corpus: &[Vec<u8>]) {
    let is_word = |c: char| c.is_alphanumeric() || "_.%-".contains(c);
    let mut words: Vec<(usize, usize)> = Vec::new();
    let mut start = None;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (is_word(c), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                words.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    let Some(&(from, to)) = words.get(random.below(words.len())) else {
        return line.push_str(WORDS[random.below(WORDS.len())]);
    };
    let word = if random.below(4) == 0 {
        let other = String::from_utf8_lossy(crate::corpus::any(random, corpus)).into_owned();
        let others: Vec<&str> = other.split_whitespace().collect();
        let word = others.get(random.below(others.len())).copied();
        word.unwrap_or_default().to_owned()
    } else {
        WORDS[random.below(WORDS.len())].to_owned()
    };
    line.replace_range(from..to, &word);
}
