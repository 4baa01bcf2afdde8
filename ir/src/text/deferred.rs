//! Parses the bodies of functions later, on all threads.
//!
//! The parser skips such a body by matching its brackets, and parses it after the text around it. This is only for modules
//! without errors: as soon as there is an error anywhere, the whole file is parsed again sequentially, so that messages and their
//! order do not depend on the number of threads.

use rayon::prelude::*;

use crate::body::Body;
use crate::ids::{Location, OperationId, RegionId};
use crate::text::lexer::Line;
use crate::text::names::Frame;
use crate::text::parser::Parser;
use crate::text::{Argument, OperationState, ParseResult};

/// Minimum size for parallel parsing: there is little to gain for shorter sources.
pub(crate) const MIN_BYTES: usize = 1 << 18;

/// Limit of the nesting depth of a deferred body: the threads have stacks of the default size.
const MAX_DEPTH: u32 = 40;

/// A body that is parsed later.
pub(crate) struct Deferred {
    op: OperationId,
    region: RegionId,
    /// The offset of the `{`, and its line.
    start: u32,
    line: Line,
    /// The offset of the token after the `}`.
    next: u32,
    arguments: Vec<Argument>,
    default_dialect: &'static str,
    state: OperationState,
}

impl<'a> Parser<'a> {
    /// Reads the only region of an operation, which must have blocks.
    ///
    /// The contents of the region must not be queried while the operation is being parsed: it may be parsed later.
    pub fn parse_body(
        &mut self,
        arguments: &[Argument],
        state: &mut OperationState,
        no_blocks: &str,
    ) -> ParseResult<()> {
        if self.defers && self.defer(arguments, state) {
            return Ok(());
        }
        let position = self.position();
        self.parse_region(arguments, state)?;
        if self.region_is_empty(state, 0) {
            return Err(self.error(position, no_blocks));
        }
        Ok(())
    }

    /// Skips a body, to parse it later; returns false without any effect if the body depends on the text around it.
    fn defer(&mut self, arguments: &[Argument], state: &mut OperationState) -> bool {
        let start = self.token.start;
        let Some(line) = self.lexer.line() else {
            return false;
        };
        if self.has_names() || line.start > start || state.n_regions > 0 {
            return false;
        }
        let Some((end, last_line)) = end_of_braces(self.source.as_bytes(), start, line) else {
            return false;
        };
        let op = self.ensure_operation(state);
        if !self.body().is_isolated(op) {
            return false;
        }
        let region = self.body_mut().add_region(op);
        state.n_regions += 1;
        self.lexer.jump(end, last_line);
        self.advance();
        let name = self.context.operation_name_data(state.name);
        let deferred = Deferred {
            op,
            region,
            start,
            line,
            next: self.token.start,
            arguments: arguments.to_vec(),
            default_dialect: name.conventions.default_dialect,
            state: OperationState::new(state.name, state.position, state.location),
        };
        let frame = self.frames.last_mut().expect("there is always a frame");
        frame.deferred.push(deferred);
        true
    }

    /// Parses all deferred bodies of the body that is being parsed.
    pub(crate) fn read_deferred(&mut self) {
        let frame = self.frames.last_mut().expect("there is always a frame");
        if frame.deferred.is_empty() {
            return;
        }
        let deferred = std::mem::take(&mut frame.deferred);
        let bytes: usize = deferred.iter().map(Deferred::n_bytes).sum();
        // Several groups per thread balance the load.
        let wanted = (bytes / (8 * rayon::current_num_threads())).max(1 << 15);
        let mut groups: Vec<Vec<(Deferred, Box<Body>)>> = Vec::new();
        let mut room = 0;
        for deferred in deferred {
            let body = frame.body.take_body(deferred.op);
            let body = body.expect("only bodies of isolated operations are read later");
            if room == 0 {
                groups.push(Vec::new());
                room = wanted;
            }
            room = room.saturating_sub(deferred.n_bytes());
            let group = groups.last_mut().expect("one was just added");
            group.push((deferred, body));
        }
        let shared = Shared {
            context: self.context,
            source: self.source,
            file: self.context.text(self.file),
            type_aliases: &self.type_aliases,
            attribute_aliases: &self.attribute_aliases,
            alias_offsets: &self.alias_offsets,
        };
        let read: Vec<_> = groups
            .into_par_iter()
            .map(|group| shared.read(group))
            .collect();
        let frame = self.frames.last_mut().expect("there is always a frame");
        let mut failed = false;
        for group in read {
            failed |= group.is_none();
            for (op, body) in group.into_iter().flatten() {
                frame.body.put_body(op, body);
            }
        }
        if failed {
            // Never shown, because the file is parsed again.
            let message = "a body needs to be read with what is around it";
            self.diagnostics.error(Location::UNKNOWN, message);
        }
    }
}

impl Deferred {
    fn n_bytes(&self) -> usize {
        (self.next - self.start) as usize
    }
}

/// Data that the parsers of bodies share.
struct Shared<'p, 'a> {
    context: &'a crate::Context,
    source: &'a str,
    file: &'a str,
    type_aliases: &'p super::parser::Aliases<'a, crate::Type>,
    attribute_aliases: &'p super::parser::Aliases<'a, crate::Attribute>,
    alias_offsets: &'p super::parser::AliasOffsets,
}

impl Shared<'_, '_> {
    /// Parses bodies; `None` if there is an error or they depend on the text around them.
    fn read(&self, group: Vec<(Deferred, Box<Body>)>) -> Option<Vec<(OperationId, Box<Body>)>> {
        let mut diagnostics = crate::Diagnostics::new();
        let mut parser = Parser::new(self.context, self.source, self.file, &mut diagnostics);
        parser.max_depth = MAX_DEPTH.min(parser.max_depth);
        parser.type_aliases = self.type_aliases.clone();
        parser.attribute_aliases = self.attribute_aliases.clone();
        parser.alias_offsets = self.alias_offsets.clone();
        let mut read = Vec::with_capacity(group.len());
        for (deferred, body) in group {
            parser.frames = vec![Frame::new(*body, 0)];
            parser.default_dialects = vec![deferred.default_dialect];
            parser.operation = None;
            parser.lexer.jump(deferred.start, deferred.line);
            parser.advance();
            parser.enter().ok()?;
            parser.advance();
            let Deferred {
                region, arguments, ..
            } = &deferred;
            let within = parser.region_within(*region, arguments, &deferred.state, true);
            within.ok()?;
            parser.depth -= 1;
            let body = parser.pop_frame();
            let is_right = parser.token.start == deferred.next
                && !body.blocks(*region).is_empty()
                && parser.distinct.is_empty()
                && !parser.has_names();
            if !is_right {
                return None;
            }
            read.push((deferred.op, Box::new(body)));
        }
        drop(parser);
        diagnostics.all.is_empty().then_some(read)
    }
}

/// Returns the end of the text in braces that starts at `start`, and the line it is in.
fn end_of_braces(source: &[u8], start: u32, line: Line) -> Option<(u32, Line)> {
    let (mut at, mut line, mut depth) = (start as usize, line, 0usize);
    loop {
        let rest = source.get(at..)?;
        at += rest.iter().position(|byte| IS_MARK[usize::from(*byte)])? + 1;
        match source[at - 1] {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some((super::lexer::offset(at), line));
                }
            }
            b'\n' => {
                line.start = super::lexer::offset(at);
                line.number += 1;
            }
            b'"' => loop {
                match source.get(at)? {
                    b'"' => {
                        at += 1;
                        break;
                    }
                    b'\n' => return None,
                    b'\\' => at += 2,
                    _ => at += 1,
                }
            },
            // A comment ends with its line.
            _ if source.get(at) == Some(&b'/') => {
                at += source[at..].iter().position(|byte| *byte == b'\n')?;
            }
            _ => {}
        }
    }
}

/// The bytes that [`end_of_braces`] must examine.
const IS_MARK: [bool; 256] = {
    let mut table = [false; 256];
    let marks = b"{}\n\"/";
    let mut index = 0;
    while index < marks.len() {
        table[marks[index] as usize] = true;
        index += 1;
    }
    table
};
