//! Definitions and uses of values, blocks and symbols, found in the text alone, so that files with errors have results too.

use std::collections::BTreeMap;

use sluice_dialects::{builtin, func, hw, memref};

/// The kind of a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
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
    /// The byte after the last one; `#n` is not included.
    pub(crate) end: usize,
    /// True if the name is defined here.
    pub(crate) is_definition: bool,
    /// True if it is defined here as an argument of a region or a block.
    pub(crate) is_argument: bool,
    /// Index of the region in which the name is visible (definitions) or used (uses).
    region: usize,
}

/// A part of the text in braces.
#[derive(Clone, Copy)]
struct Region {
    start: usize,
    /// The byte after the closing brace.
    end: usize,
    /// Index of the region around it; the whole text is around itself.
    around: usize,
}

/// Maximum number of characters of a list of induction variables: a longer list has operands.
const MAX_LIST: usize = 256;

/// The role of a value at one place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Use,
    Result,
    /// An argument of the next region.
    RegionArgument,
    BlockArgument,
}

/// All names of a text.
pub(crate) struct Names {
    /// Names in text order.
    pub(crate) all: Vec<Name>,
    /// Index of the definition of each name.
    definitions: Vec<Option<usize>>,
    regions: Vec<Region>,
}

/// An event in the text that matters for scopes.
enum Event {
    Open(usize),
    Close(usize),
    Name(usize),
}

impl Names {
    /// Collects the names of `text`.
    pub(crate) fn new(text: &str) -> Self {
        let mut scan = Scan::new(text);
        while scan.at < text.len() {
            scan.step();
        }
        let definitions = resolved(text, &scan.all, &scan.events);
        Self {
            all: scan.all,
            definitions,
            regions: scan.all_regions,
        }
    }

    /// Returns the definitions that a name at byte `at` may mean, innermost first.
    pub(crate) fn visible(&self, at: usize, kind: Kind) -> Vec<&Name> {
        let holds = |region: &&Region| region.start < at && at < region.end;
        // Of regions that contain a place, the innermost is the last one in the text.
        let innermost = self.regions.iter().rposition(|region| holds(&region));
        let innermost = innermost.unwrap_or(0);
        let definitions = self.all.iter().filter(|name| {
            name.is_definition
                && name.kind == kind
                && (kind == Kind::Symbol || self.is_around(name.region, innermost))
                && (kind != Kind::Value || name.end < at)
        });
        let mut found: Vec<&Name> = definitions.collect();
        found.reverse();
        found
    }

    /// Returns whether a name at the place of `place` may mean `definition`.
    pub(crate) fn sees(&self, place: &Name, definition: &Name) -> bool {
        self.is_around(definition.region, place.region)
    }

    fn is_around(&self, outer: usize, inner: usize) -> bool {
        let mut region = inner;
        loop {
            if region == outer {
                return true;
            }
            match self.regions.get(region) {
                Some(known) if known.around != region => region = known.around,
                _ => return false,
            }
        }
    }

    /// Returns the name at byte `at`.
    pub(crate) fn at(&self, at: usize) -> Option<&Name> {
        self.number(at).and_then(|number| self.all.get(number))
    }

    fn number(&self, at: usize) -> Option<usize> {
        let number = self.all.partition_point(|name| name.end < at);
        let name = self.all.get(number)?;
        (name.start <= at).then_some(number)
    }

    /// Returns the definition of the name at byte `at`: the one in the innermost enclosing region.
    pub(crate) fn definition(&self, at: usize) -> Option<&Name> {
        let number = self.number(at)?;
        let definition = *self.definitions.get(number)?;
        self.all.get(definition?)
    }

    /// Returns all names with the same definition as the name at byte `at`.
    pub(crate) fn references(&self, at: usize) -> Vec<&Name> {
        let known = |number: usize| self.definitions.get(number).copied().flatten();
        let Some(wanted) = self.number(at).and_then(known) else {
            return Vec::new();
        };
        let all = self.all.iter().zip(&self.definitions);
        let all = all.filter(|(_, definition)| **definition == Some(wanted));
        all.map(|(name, _)| name).collect()
    }
}

/// Returns a name without its sign, and without the quotes that a symbol may have.
pub(crate) fn bare(kind: Kind, name: &str) -> &str {
    let name = name.get(1..).unwrap_or_default();
    match kind {
        Kind::Symbol => {
            let inner = name
                .strip_prefix('"')
                .and_then(|name| name.strip_suffix('"'));
            inner.unwrap_or(name)
        }
        Kind::Value | Kind::Block => name,
    }
}

/// Finds the definition of each name.
fn resolved(text: &str, all: &[Name], events: &[Event]) -> Vec<Option<usize>> {
    let mut numbers: BTreeMap<(Kind, &str), usize> = BTreeMap::new();
    let key = |name: &Name| {
        let text = text.get(name.start..name.end).unwrap_or_default();
        (name.kind, bare(name.kind, text))
    };
    let mut keys = Vec::new();
    for name in all {
        let next = numbers.len();
        keys.push(*numbers.entry(key(name)).or_insert(next));
    }
    let mut of_region: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut symbols: BTreeMap<usize, usize> = BTreeMap::new();
    for (number, name) in all.iter().enumerate() {
        if !name.is_definition {
            continue;
        }
        match name.kind {
            // Symbols are visible everywhere.
            Kind::Symbol => {
                let known = symbols.entry(keys[number]).or_insert(number);
                if all[*known].region <= name.region {
                    *known = number;
                }
            }
            Kind::Value | Kind::Block => of_region.entry(name.region).or_default().push(number),
        }
    }
    // For each name, its definitions that are visible at the current event, innermost last.
    let mut visible: Vec<Vec<usize>> = vec![Vec::new(); numbers.len()];
    let of = |region: &usize| of_region.get(region).map_or(&[][..], Vec::as_slice);
    for number in of(&0) {
        visible[keys[*number]].push(*number);
    }
    let mut definitions = vec![None; all.len()];
    for event in events {
        match event {
            Event::Open(region) => {
                for number in of(region) {
                    visible[keys[*number]].push(*number);
                }
            }
            Event::Close(region) => {
                for number in of(region) {
                    visible[keys[*number]].pop();
                }
            }
            Event::Name(number) => {
                let name = &all[*number];
                definitions[*number] = match name.kind {
                    _ if name.is_definition => Some(*number),
                    Kind::Symbol => symbols.get(&keys[*number]).copied(),
                    Kind::Value | Kind::Block => visible[keys[*number]].last().copied(),
                };
            }
        }
    }
    definitions
}

/// A line, with the positions that show its definitions.
#[derive(Clone, Copy, Default)]
struct Line {
    start: usize,
    /// The byte after the last one.
    end: usize,
    /// The first byte that is not white space.
    first: usize,
    /// The end of the prefix that can be a list of results.
    list_end: usize,
    /// The last `=` of the line.
    last_equals: Option<usize>,
}

impl Line {
    fn new(text: &str, start: usize) -> Self {
        let rest = text.get(start..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        let is_listed = |c: char| {
            c.is_ascii_alphanumeric()
                || matches!(c, '%' | ',' | ' ' | '\t' | '_' | '$' | '.' | '-' | ':')
        };
        let first = line.find(|c: char| !c.is_whitespace());
        let list = line.find(|c| !is_listed(c));
        Self {
            start,
            end: start + line.len(),
            first: start + first.unwrap_or(line.len()),
            list_end: start + list.unwrap_or(line.len()),
            last_equals: line.rfind('=').map(|at| start + at),
        }
    }
}

/// A scan of a text.
struct Scan<'t> {
    text: &'t str,
    at: usize,
    line: Line,
    all: Vec<Name>,
    events: Vec<Event>,
    /// The enclosing regions.
    regions: Vec<usize>,
    all_regions: Vec<Region>,
    /// Arguments in the header of an operation, which belong to the next region.
    waiting: Vec<usize>,
    last_word: &'t str,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            line: Line::new(text, 0),
            all: Vec::new(),
            events: Vec::new(),
            regions: vec![0],
            all_regions: vec![Region {
                start: 0,
                end: text.len() + 1,
                around: 0,
            }],
            waiting: Vec::new(),
            last_word: "",
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn step(&mut self) {
        let Some(byte) = self.byte(self.at) else {
            return;
        };
        match byte {
            b'/' if self.byte(self.at + 1) == Some(b'/') => self.at = self.line.end,
            b'"' => self.at = self.end_of_string(self.at),
            b'{' => {
                let region = self.all_regions.len();
                self.all_regions.push(Region {
                    start: self.at,
                    end: self.text.len() + 1,
                    around: self.regions.last().copied().unwrap_or(0),
                });
                self.regions.push(region);
                if !self.is_dictionary() {
                    for number in self.waiting.drain(..) {
                        self.all[number].region = region;
                    }
                }
                self.events.push(Event::Open(region));
                self.at += 1;
            }
            b'}' => {
                if self.regions.len() > 1
                    && let Some(region) = self.regions.pop()
                {
                    self.events.push(Event::Close(region));
                    self.all_regions[region].end = self.at + 1;
                }
                self.at += 1;
            }
            b'%' | b'^' | b'@' => self.name(byte),
            b'\n' => {
                self.at += 1;
                self.line = Line::new(self.text, self.at);
            }
            _ if byte.is_ascii_alphabetic() || byte == b'_' => {
                let start = self.at;
                self.at = self.end_of_name(start);
                self.last_word = self.text.get(start..self.at).unwrap_or_default();
            }
            _ => self.at += 1,
        }
    }

    fn name(&mut self, sign: u8) {
        let start = self.at;
        self.at = match (sign, self.byte(start + 1)) {
            (b'@', Some(b'"')) => self.end_of_string(start + 1),
            _ => self.end_of_name(start + 1),
        };
        let end = self.at;
        if end == start + 1 {
            return;
        }
        let role = self.role(start, end);
        let (kind, is_definition) = match sign {
            b'%' => (Kind::Value, role != Role::Use),
            b'^' => (Kind::Block, self.line.first == start),
            _ => (Kind::Symbol, defines_symbol(self.last_word)),
        };
        let number = self.all.len();
        let role = if sign == b'%' { role } else { Role::Use };
        if role == Role::RegionArgument {
            self.waiting.push(number);
        }
        self.all.push(Name {
            kind,
            start,
            end,
            is_definition,
            is_argument: matches!(role, Role::RegionArgument | Role::BlockArgument),
            region: self.regions.last().copied().unwrap_or(0),
        });
        self.events.push(Event::Name(number));
    }

    /// Returns the byte after a string that starts at a quote.
    fn end_of_string(&self, start: usize) -> usize {
        let mut at = start + 1;
        while let Some(byte) = self.byte(at) {
            match byte {
                b'"' => return at + 1,
                b'\n' => return at,
                b'\\' if self.byte(at + 1) != Some(b'\n') => at += 2,
                _ => at += 1,
            }
        }
        self.text.len()
    }

    fn end_of_name(&self, from: usize) -> usize {
        let is_part =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'-');
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| is_part(byte)).count()
    }

    /// Returns whether the brace at the current place opens a dictionary of attributes: `{a}`, `{a, b}`, `{a = 1}`.
    fn is_dictionary(&self) -> bool {
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let first = rest.trim_start();
        let n_word = match first.starts_with('"') {
            true => {
                self.end_of_string(self.text.len() - first.len()) + first.len() - self.text.len()
            }
            false => {
                self.end_of_name(self.text.len() - first.len()) + first.len() - self.text.len()
            }
        };
        let after = first.get(n_word..).unwrap_or_default();
        n_word > 0
            && after
                .trim_start_matches([' ', '\t'])
                .starts_with(['=', ',', '}'])
    }

    /// Returns whether a value before an equals sign is the result of an operation in the middle of a line, not an argument as in
    /// `affine.for %i = 0` or `iter_args(%a = %b)`.
    fn begins_operation(&self, start: usize) -> bool {
        let before = self.text.get(self.line.start..start).unwrap_or_default();
        let before = before.trim_end_matches([' ', '\t']);
        let header = before.strip_suffix(self.last_word);
        // A type may end the operation before: `i8`, `!seq.clock`.
        let is_operation = |header: &str| {
            let is_word = self.last_word.contains('.') || self.last_word == "unsigned";
            is_word && !header.ends_with('!')
        };
        !before.ends_with(['(', ',']) && !header.is_some_and(is_operation)
    }

    /// Returns whether a list of values ends after `at`, and bounds follow it: `scf.parallel (%i, %j) = (...)`, `scf.forall (%i) in (4)`.
    fn is_followed_by_bounds(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let list = rest
            .char_indices()
            .take(MAX_LIST)
            .find(|(_, c)| !(c.is_ascii_alphanumeric() || "%,_$.- ".contains(*c)));
        let Some((end, ')')) = list else {
            return false;
        };
        let after = rest.get(end + 1..).unwrap_or_default();
        let after = after.trim_start_matches(' ');
        after.starts_with("= ") || after.starts_with("in (")
    }

    /// Returns the role of the value from `start` to `end`.
    fn role(&self, start: usize, end: usize) -> Role {
        let line = self.line;
        let next = self.text.get(end..).unwrap_or_default();
        let after = next.trim_start_matches([' ', '\t']);
        let is_set = after.starts_with('=') && !after.starts_with("==");
        // `%a, %b:2 = op`
        let is_first = line.first >= start;
        let is_list = self.byte(line.first) == Some(b'%') && line.list_end >= start;
        let count = after.strip_prefix(':').map(str::trim_start);
        let has_count = count.is_some_and(|count| count.starts_with(|c: char| c.is_ascii_digit()));
        if (is_first || is_list) && (is_set || has_count || after.starts_with(',')) {
            return match line.last_equals.is_some_and(|at| at >= end) {
                true => Role::Result,
                false => Role::Use,
            };
        }
        if is_set {
            return match self.begins_operation(start) {
                true => Role::Result,
                false => Role::RegionArgument,
            };
        }
        // `(%a: i32, %b: i32)` of a block or a function; a use has a blank before the colon, but not the word `in`.
        let before = self.text.get(line.start..start).unwrap_or_default();
        let before = before.trim_end_matches([' ', '\t']);
        let is_port = ["in", "inout"].contains(&self.last_word) && before.ends_with(self.last_word);
        let before = match is_port {
            true => before
                .trim_end_matches(self.last_word)
                .trim_end_matches([' ', '\t']),
            false => before,
        };
        if before.ends_with(['(', ',']) && self.is_followed_by_bounds(end) {
            return Role::RegionArgument;
        }
        let colon = if is_port { after } else { next };
        let opens = before.ends_with(['(', ',']) || before.is_empty() && colon.starts_with(':');
        if opens && colon.starts_with(':') && !colon.starts_with("::") {
            let in_block = self.byte(line.first) == Some(b'^');
            return match in_block {
                true => Role::BlockArgument,
                false => Role::RegionArgument,
            };
        }
        Role::Use
    }
}

/// Returns whether the word before a symbol introduces a definition.
fn defines_symbol(word: &str) -> bool {
    const WORDS: [&str; 12] = [
        func::Func::NAME,
        "func",
        "private",
        "public",
        "nested",
        "module",
        builtin::Module::NAME,
        memref::Global::NAME,
        "constant",
        hw::Module::NAME,
        hw::ModuleExtern::NAME,
        "extern",
    ];
    WORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "func.func @f(%a: i32) -> i32 {\n  %b = arith.addi %a, %a : i32\n  scf.for %i = %x to %y step %z {\n    \"t\"(%i, %b)\n  }\n  cf.br ^bb1\n^bb1:\n  return %b : i32\n}\nfunc.func @g(%a: i32) {\n  call @f(%a) : (i32) -> i32\n  return\n}\n";

    fn named(text: &str, nth: usize) -> usize {
        TEXT.match_indices(text).nth(nth).expect("it is there").0
    }

    #[test]
    fn definitions_and_references() {
        let names = Names::new(TEXT);
        let definition = |at: usize| names.definition(at + 1).map(|name| name.start);
        assert_eq!(definition(named("%a", 1)), Some(named("%a", 0)));
        assert_eq!(definition(named("%b", 1)), Some(named("%b", 0)));
        assert_eq!(definition(named("%i", 1)), Some(named("%i", 0)));
        assert_eq!(definition(named("^bb1", 0)), Some(named("^bb1", 1)));
        assert_eq!(definition(named("@f", 1)), Some(named("@f", 0)));
        assert_eq!(definition(named("%a", 4)), Some(named("%a", 3)));
        assert_eq!(definition(named("%x", 0)), None);
        assert_eq!(names.references(named("%b", 0) + 1).len(), 3);
    }

    /// Returns the line with the definition of the name at the `nth` occurrence of `word`.
    fn defined(text: &str, word: &str, nth: usize) -> Option<usize> {
        let (at, _) = text.match_indices(word).nth(nth).expect("it is there");
        let found = Names::new(text).definition(at + 1).map(|name| name.start);
        found.map(|start| text[..start].matches('\n').count())
    }

    #[test]
    fn ports_and_quoted_symbols_are_names() {
        let text = "hw.module @\"a b\"(in %x : i8,\n  in %y : i8, out z : i8) {\n                      %z = comb.add %x, %y : i8\n  hw.output %z : i8\n}\n                    hw.module @t(in %x : i8) {\n  hw.instance \"i\" @\"a b\"(x: %x: i8)\n}\n";
        assert_eq!(defined(text, "%x", 1), Some(0));
        assert_eq!(defined(text, "%y", 1), Some(1));
        assert_eq!(defined(text, "%x", 3), Some(5));
        assert_eq!(defined(text, "@\"a b\"", 1), Some(0));
    }

    #[test]
    fn dictionaries_take_no_arguments() {
        let text = "func.func @f(%a: i8 {x.y = 1}, %b: i8) -> i8\n  attributes {u} {\n  return %b : i8\n}\nfunc.func @g(%a: i8) {\n}\n";
        assert_eq!(defined(text, "%b", 1), Some(0));
        let names = Names::new(text);
        let at = text.find("return").expect("it is there");
        let visible: Vec<&str> = names
            .visible(at, Kind::Value)
            .iter()
            .map(|name| &text[name.start..name.end])
            .collect();
        assert_eq!(visible, ["%b", "%a"]);
    }

    #[test]
    fn arguments_on_a_line_of_their_own_are_definitions() {
        let text = "func.func @f(\n  %a: i8,\n  %b: i8) {\n  %c:2 = \"t\"(%a,\n    %b) : (i8, i8) -> (i8, i8)\n  \"u\"(%c#1)\n}\n";
        assert_eq!(defined(text, "%a", 1), Some(1));
        assert_eq!(defined(text, "%b", 1), Some(2));
        assert_eq!(defined(text, "%c", 1), Some(3));
    }

    #[test]
    fn variables_of_parallel_loops_are_definitions() {
        let text = "scf.parallel (%i, %j) = (%a, %a) to (%b, %b) step (%c, %c) {\n  \"u\"(%i, %j)\n}\nscf.forall (%i) in (4) {\n  \"u\"(%i)\n}\naffine.parallel (%j) = (0) to (4) {\n  \"u\"(%j)\n}\n";
        assert_eq!(defined(text, "%i", 1), Some(0));
        assert_eq!(defined(text, "%j", 1), Some(0));
        assert_eq!(defined(text, "%i", 3), Some(3));
        assert_eq!(defined(text, "%j", 3), Some(6));
        assert_eq!(defined(text, "%a", 0), None);
    }

    #[test]
    fn regions_in_one_line_have_their_own_names() {
        let text = "func.func @f(%i: i8, %c: !seq.clock) { %a = arith.addi %i, %i : i8 \"u\"(%a) : (i8) -> ()\n  scf.for %k = %i to %i step %i { %a = arith.subi %k, %i : i8 \"u\"(%a) : (i8) -> () }\n  \"u\"(%a) : (i8) -> ()\n  %r = scf.for unsigned %n = %i to %i step %i iter_args(%s = %a, %t = %a) -> (i8) { scf.yield %s, %t, %n : i8 }\n}\nfunc.func @g(%x: i8) { %a = seq.to_clock %x : !seq.clock %b = arith.addi %x, %x : i8 \"u\"(%a, %b) : (i8, i8) -> () }\n";
        // Results, and uses outside of the loop.
        assert_eq!(defined(text, "%a", 1), Some(0));
        assert_eq!(defined(text, "%a", 3), Some(1));
        assert_eq!(defined(text, "%a", 4), Some(0));
        assert_eq!(defined(text, "%k", 1), Some(1));
        for argument in ["%s", "%t", "%n"] {
            assert_eq!(defined(text, argument, 1), Some(3));
        }
        assert_eq!(defined(text, "%a", 8), Some(5));
        assert_eq!(defined(text, "%b", 1), Some(5));
        let names = Names::new(text);
        let at = text.find("%a").expect("it is there");
        assert_eq!(names.references(at + 1).len(), 5);
    }

    #[test]
    fn many_names_in_one_line_take_no_longer_than_in_many() {
        // If each name scanned its line again, this would take minutes.
        let text = "%a = \"f\"(%b) ".repeat(200_000);
        let names = Names::new(&text);
        assert_eq!(names.all.len(), 400_000);
    }

    proptest! {
        #[test]
        fn any_text_has_names_in_order(text in "([%@^\"{}()=:,/\\\\ \n\u{e9}a]|in ){0,60}") {
            let names = Names::new(&text);
            let mut last = 0;
            for name in &names.all {
                prop_assert!(last <= name.start && name.start < name.end);
                prop_assert!(text.get(name.start..name.end).is_some());
                last = name.end;
            }
            for at in 0..text.len() + 2 {
                let _ = names.definition(at);
                let _ = names.references(at);
            }
        }
    }
}
