//! Where names of values, blocks and symbols are defined and used: found in the text alone, so that a file with errors
//! has answers too.

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// `%x`
    Value,
    /// `^bb`
    Block,
    /// `@f`
    Symbol,
}

/// One name in the text.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) kind: Kind,
    /// First byte.
    pub(crate) start: usize,
    /// The byte after the last; `#n` does not belong to it.
    pub(crate) end: usize,
    /// Whether it is defined here.
    pub(crate) is_definition: bool,
    /// Number of the region it is visible in (definitions) or stands in (uses).
    region: usize,
}

/// All names of a text.
pub(crate) struct Names {
    pub(crate) all: Vec<Name>,
    /// The region around each region.
    parents: Vec<usize>,
}

impl Names {
    /// Collects the names of `text`.
    pub(crate) fn new(text: &str) -> Self {
        let mut names = Self {
            all: Vec::new(),
            parents: vec![0],
        };
        let bytes = text.as_bytes();
        let mut regions = vec![0];
        // Arguments in the header of an operation belong to the region that opens next.
        let mut waiting: Vec<usize> = Vec::new();
        let mut last_word = "";
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            match bytes[at] {
                b'/' if bytes.get(at + 1) == Some(&b'/') => {
                    at += text[at..].find('\n').unwrap_or(text.len() - at);
                }
                b'"' => {
                    at += 1;
                    while at < bytes.len() && bytes[at] != b'"' && bytes[at] != b'\n' {
                        at += if bytes[at] == b'\\' { 2 } else { 1 };
                    }
                    at = (at + 1).min(bytes.len());
                }
                b'{' => {
                    names.parents.push(*regions.last().unwrap_or(&0));
                    let region = names.parents.len() - 1;
                    regions.push(region);
                    for index in waiting.drain(..) {
                        names.all[index].region = region;
                    }
                    at += 1;
                }
                b'}' => {
                    if regions.len() > 1 {
                        regions.pop();
                    }
                    at += 1;
                }
                b'%' | b'^' | b'@' => {
                    at = end_of_name(bytes, at + 1);
                    if at == start + 1 {
                        continue;
                    }
                    let kind = match bytes[start] {
                        b'%' => Kind::Value,
                        b'^' => Kind::Block,
                        _ => Kind::Symbol,
                    };
                    let (is_definition, is_argument) = match kind {
                        Kind::Value => defines_value(text, start, at),
                        Kind::Block => (first_of_line(text, start), false),
                        Kind::Symbol => (defines_symbol(last_word), false),
                    };
                    if is_argument {
                        waiting.push(names.all.len());
                    }
                    names.all.push(Name {
                        kind,
                        start,
                        end: at,
                        is_definition,
                        region: *regions.last().unwrap_or(&0),
                    });
                }
                b'\n' => {
                    at += 1;
                }
                c if c.is_ascii_alphabetic() || c == b'_' => {
                    at = end_of_name(bytes, at);
                    last_word = &text[start..at];
                }
                _ => at += 1,
            }
        }
        names
    }

    /// The name at byte `at`.
    pub(crate) fn at(&self, at: usize) -> Option<&Name> {
        let index = self.all.partition_point(|name| name.end < at);
        self.all.get(index).filter(|name| name.start <= at)
    }

    /// Whether region `inner` is `outer` or inside of it.
    fn is_inside(&self, inner: usize, outer: usize) -> bool {
        let mut region = inner;
        while region != outer {
            if region == 0 {
                return false;
            }
            region = self.parents[region];
        }
        true
    }

    /// Where the name `name` is defined: in the innermost region around it.
    pub(crate) fn definition(&self, text: &str, name: &Name) -> Option<&Name> {
        if name.is_definition {
            return self.all.iter().find(|other| other.start == name.start);
        }
        let same = |other: &&Name| {
            other.is_definition
                && other.kind == name.kind
                && text[other.start..other.end] == text[name.start..name.end]
                && (name.kind == Kind::Symbol || self.is_inside(name.region, other.region))
        };
        self.all
            .iter()
            .filter(same)
            .max_by_key(|other| other.region)
    }

    /// All places of what `name` stands for.
    pub(crate) fn references(&self, text: &str, name: &Name) -> Vec<&Name> {
        let Some(definition) = self.definition(text, name) else {
            return Vec::new();
        };
        let start = definition.start;
        let same = |other: &&Name| {
            other.kind == name.kind
                && text[other.start..other.end] == text[name.start..name.end]
                && self
                    .definition(text, other)
                    .is_some_and(|found| found.start == start)
        };
        self.all.iter().filter(same).collect()
    }
}

fn end_of_name(bytes: &[u8], from: usize) -> usize {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'-');
    let length = bytes[from..].iter().position(|byte| !is_part(byte));
    from + length.unwrap_or(bytes.len() - from)
}

fn first_of_line(text: &str, start: usize) -> bool {
    let line = text[..start].rsplit('\n').next().unwrap_or_default();
    line.trim().is_empty()
}

/// Whether the value from `start` to `end` is defined there, and whether it is an argument of the region that follows.
fn defines_value(text: &str, start: usize, end: usize) -> (bool, bool) {
    let line = text[..start].rsplit('\n').next().unwrap_or_default();
    let after = text[end..].trim_start_matches([' ', '\t']);
    // `%a, %b:2 = op`
    let before = line.trim_start();
    let is_list = before.chars().all(|c| {
        c.is_ascii_alphanumeric() || matches!(c, '%' | ',' | ' ' | '_' | '$' | '.' | '-' | ':')
    });
    if (before.is_empty() || before.starts_with('%') && is_list)
        && (after.starts_with(['=', ',', ':']) && !after.starts_with("=="))
    {
        let rest = text[end..].split('\n').next().unwrap_or_default();
        return (rest.contains('='), false);
    }
    // `affine.for %i = ...`, `iter_args(%a = %b)`
    if after.starts_with('=') && !after.starts_with("==") {
        return (true, true);
    }
    // `(%a: i32, %b: i32)` of a block or a function; a use has a blank in front of the colon.
    let after = &text[end..];
    let opens =
        line.trim_end().ends_with(['(', ',']) || line.trim().is_empty() && after.starts_with(':');
    if opens && after.starts_with(':') && !after.starts_with("::") {
        let in_block = before.starts_with('^');
        return (true, !in_block);
    }
    (false, false)
}

/// Whether the word in front of a symbol says that it is defined there.
fn defines_symbol(word: &str) -> bool {
    const WORDS: [&str; 12] = [
        "func.func",
        "func",
        "private",
        "public",
        "nested",
        "module",
        "builtin.module",
        "memref.global",
        "constant",
        "hw.module",
        "hw.module.extern",
        "extern",
    ];
    WORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "func.func @f(%a: i32) -> i32 {\n  %b = arith.addi %a, %a : i32\n  scf.for %i = %x to %y step %z {\n    \"t\"(%i, %b)\n  }\n  cf.br ^bb1\n^bb1:\n  return %b : i32\n}\nfunc.func @g(%a: i32) {\n  call @f(%a) : (i32) -> i32\n  return\n}\n";

    fn named(text: &str, nth: usize) -> usize {
        TEXT.match_indices(text).nth(nth).expect("it is there").0
    }

    #[test]
    fn definitions_and_references() {
        let names = Names::new(TEXT);
        let definition = |at: usize| {
            let name = names.at(at + 1).expect("a name");
            names.definition(TEXT, name).map(|name| name.start)
        };
        assert_eq!(definition(named("%a", 1)), Some(named("%a", 0)));
        assert_eq!(definition(named("%b", 1)), Some(named("%b", 0)));
        assert_eq!(definition(named("%i", 1)), Some(named("%i", 0)));
        assert_eq!(definition(named("^bb1", 0)), Some(named("^bb1", 1)));
        assert_eq!(definition(named("@f", 1)), Some(named("@f", 0)));
        assert_eq!(definition(named("%a", 4)), Some(named("%a", 3)));
        assert_eq!(definition(named("%x", 0)), None);
        let b = names.at(named("%b", 0) + 1).expect("a name");
        assert_eq!(names.references(TEXT, b).len(), 3);
    }
}
