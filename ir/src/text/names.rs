//! Names during parsing: values and blocks by name, forward references, and the bodies they belong to.

use smallvec::SmallVec;

use crate::body::Body;
use crate::ids::{BlockId, Location, OperationName, Type, ValueId};
use crate::text::deferred::Deferred;
use crate::text::lexer::TokenKind;
use crate::text::parser::{Map, Parser};
use crate::text::printer::print_type;
use crate::text::{Delimiter, OperationState, ParseResult, Position, UnresolvedOperand};

/// The body of an isolated operation that is being parsed.
pub(crate) struct Frame {
    pub(crate) body: Body,
    /// Identifies the body; never reused.
    number: u32,
    /// A block outside all regions: its arguments are placeholders for values that are used before their definition.
    placeholders: Option<BlockId>,
    /// Bodies of operations in this body that are still to be parsed.
    pub(crate) deferred: Vec<Deferred>,
}

impl Frame {
    pub(crate) fn new(body: Body, number: u32) -> Self {
        Self {
            body,
            number,
            placeholders: None,
            deferred: Vec::new(),
        }
    }
}

/// A defined name: results of one operation (their ids are consecutive) or an argument.
#[derive(Clone, Copy)]
struct Definition {
    first: ValueId,
    /// Number of values; 0 if the statement that should define the name has an error: uses are then accepted without another
    /// message.
    count: u32,
    frame: u32,
    position: Position,
}

impl Definition {
    fn is_poisoned(self) -> bool {
        self.count == 0
    }
}

/// A use before the definition.
#[derive(Clone, Copy)]
struct Forward {
    placeholder: ValueId,
    frame: u32,
    position: Position,
    user: Option<(OperationName, Position)>,
}

/// All value names.
#[derive(Default)]
pub(crate) struct Names<'a> {
    defined: Definitions<'a>,
    /// Names in order of definition, and the position in this list where each scope starts.
    order: Vec<&'a str>,
    scopes: Vec<usize>,
    forward: Map<(&'a str, u32), Forward>,
}

/// Definitions by name: `%12` by its number, as long as the numbers are dense; all others by a hash.
#[derive(Default)]
struct Definitions<'a> {
    numbered: Vec<Option<Definition>>,
    named: Map<&'a str, Definition>,
}

/// Returns the number `n` of a name that is written `%n` without leading zeros.
#[inline]
fn number_of(name: &str) -> Option<usize> {
    let digits = name.as_bytes().get(1..)?;
    if digits.len() > 8 || digits.len() != 1 && digits.first() == Some(&b'0') {
        return None;
    }
    let mut number = 0;
    for digit in digits {
        let value = digit.wrapping_sub(b'0');
        if value > 9 {
            return None;
        }
        number = 10 * number + usize::from(value);
    }
    (!digits.is_empty()).then_some(number)
}

impl<'a> Definitions<'a> {
    #[inline]
    fn get(&self, name: &str) -> Option<Definition> {
        if let Some(number) = number_of(name)
            && let Some(Some(definition)) = self.numbered.get(number)
        {
            return Some(*definition);
        }
        match self.named.is_empty() {
            true => None,
            false => self.named.get(name).copied(),
        }
    }

    /// Adds a name that is not yet defined.
    #[inline]
    fn insert(&mut self, name: &'a str, definition: Definition) {
        match number_of(name) {
            // A sparse numbering would waste memory for the missing numbers.
            Some(number) if number < 2 * self.numbered.len() + 64 => {
                if number < self.numbered.len() {
                    self.numbered[number] = Some(definition);
                    return;
                }
                if number > self.numbered.len() {
                    self.numbered.resize(number, None);
                }
                self.numbered.push(Some(definition));
            }
            _ => {
                self.named.insert(name, definition);
            }
        }
    }

    fn remove(&mut self, name: &str) {
        let number = number_of(name);
        let slot = number.and_then(|number| self.numbered.get_mut(number));
        if slot.is_none_or(|slot| slot.take().is_none()) {
            self.named.remove(name);
        }
    }
}

/// Blocks of one region by name.
#[derive(Default)]
pub(crate) struct BlockScope<'a> {
    blocks: Map<&'a str, (BlockId, Position, bool)>,
}

impl<'a> Parser<'a> {
    fn frame_number(&self) -> u32 {
        self.frames.last().expect("there is always a frame").number
    }

    pub(crate) fn push_frame(&mut self, body: Body) {
        self.frames.push(Frame::new(body, self.n_frames));
        self.n_frames += 1;
    }

    pub(crate) fn pop_frame(&mut self) -> Body {
        let frame = self.frames.pop();
        let mut body = frame.expect("frames are pushed and popped in pairs").body;
        body.shrink();
        body
    }

    /// Returns true if a value can be named here, or if one is used before its definition.
    pub(crate) fn has_names(&self) -> bool {
        !self.names.order.is_empty() || !self.names.forward.is_empty()
    }

    pub(crate) fn push_names(&mut self) {
        self.names.scopes.push(self.names.order.len());
    }

    pub(crate) fn pop_names(&mut self) {
        let start = self
            .names
            .scopes
            .pop()
            .expect("scopes are pushed and popped in pairs");
        for name in self.names.order.drain(start..) {
            self.names.defined.remove(name);
        }
    }

    /// Hides all names; the returned value restores them.
    pub(crate) fn take_names(&mut self) -> Names<'a> {
        std::mem::take(&mut self.names)
    }

    /// Restores names, and keeps the open forward references that were added since.
    pub(crate) fn restore_names(&mut self, names: Names<'a>) {
        let inner = std::mem::replace(&mut self.names, names);
        self.report_forward(inner);
    }

    // Operands.

    /// Reads `%name`.
    pub fn parse_operand(&mut self) -> ParseResult<UnresolvedOperand> {
        match self.parse_optional_operand()? {
            Some(operand) => Ok(operand),
            None => Err(self.wrong_token("expected SSA operand")),
        }
    }

    /// Reads the `%name` of a new argument, without a number after it.
    pub fn parse_argument_name(&mut self) -> ParseResult<UnresolvedOperand> {
        if !self.is(TokenKind::Percent) {
            return Err(self.wrong_token("expected SSA operand"));
        }
        let token = self.token;
        self.advance();
        if self.is(TokenKind::Hash) {
            let position = self.position();
            let message = "result number not allowed in argument list";
            return Err(self.plain_error(position, message));
        }
        Ok(UnresolvedOperand {
            position: Position(token.start),
            length: token.end - token.start,
            number: 0,
        })
    }

    /// Reads the names of new arguments.
    pub fn parse_argument_names(
        &mut self,
        delimiter: Delimiter,
    ) -> ParseResult<Vec<UnresolvedOperand>> {
        let mut names = Vec::new();
        self.parse_comma_separated(delimiter, |parser| {
            names.push(parser.parse_argument_name()?);
            Ok(())
        })?;
        Ok(names)
    }

    /// Reads `%name` if it is next.
    pub fn parse_optional_operand(&mut self) -> ParseResult<Option<UnresolvedOperand>> {
        if !self.is(TokenKind::Percent) {
            return Ok(None);
        }
        let token = self.token;
        self.advance();
        let mut number = 0;
        // `#1` lexes as an attribute name.
        if self.is(TokenKind::Hash) {
            let digits = &self.spelling()[1..];
            match digits.parse() {
                Ok(value) if digits.bytes().all(|b| b.is_ascii_digit()) => number = value,
                _ => return Err(self.wrong_token("expected valid value number")),
            }
            self.advance();
        }
        Ok(Some(UnresolvedOperand {
            position: Position(token.start),
            length: token.end - token.start,
            number,
        }))
    }

    /// Reads operands.
    pub fn parse_operand_list(
        &mut self,
        delimiter: Delimiter,
    ) -> ParseResult<Vec<UnresolvedOperand>> {
        let mut operands = Vec::new();
        if delimiter == Delimiter::NoneOrEmpty && !self.is(TokenKind::Percent) {
            return Ok(operands);
        }
        self.parse_comma_separated(delimiter, |parser| {
            operands.push(parser.parse_operand()?);
            Ok(())
        })?;
        Ok(operands)
    }

    /// Reads `(%a = %b, ...)`.
    pub fn parse_assignment_list(
        &mut self,
    ) -> ParseResult<Vec<(UnresolvedOperand, UnresolvedOperand)>> {
        let mut pairs = Vec::new();
        self.parse_comma_separated(Delimiter::Paren, |parser| {
            let to = parser.parse_argument_name()?;
            parser.parse_punctuation("=")?;
            pairs.push((to, parser.parse_operand()?));
            Ok(())
        })?;
        Ok(pairs)
    }

    /// Returns the source name of an operand, without `%`.
    pub fn operand_name(&self, operand: UnresolvedOperand) -> &'a str {
        &self.name_of(operand)[1..]
    }

    #[inline]
    fn name_of(&self, operand: UnresolvedOperand) -> &'a str {
        self.slice(operand.position.0, operand.position.0 + operand.length)
    }

    /// Returns the value that `operand` names, which must have type `ty`.
    pub fn resolve(&mut self, operand: UnresolvedOperand, ty: Type) -> ParseResult<ValueId> {
        let name = self.name_of(operand);
        match self.names.defined.get(name) {
            Some(definition) => self.resolve_defined(operand, ty, definition),
            None => self.resolve_forward(operand, ty),
        }
    }

    fn resolve_defined(
        &mut self,
        operand: UnresolvedOperand,
        ty: Type,
        definition: Definition,
    ) -> ParseResult<ValueId> {
        if definition.is_poisoned() {
            return Ok(self.placeholder(ty));
        }
        if operand.number >= definition.count {
            return Err(self.plain_error(operand.position, "reference to invalid result number"));
        }
        let value = ValueId::from_index(definition.first.index() + operand.number as usize);
        let of_definition = |frame: &&Frame| frame.number == definition.frame;
        let inside = self.frames.last().filter(of_definition);
        let frame = inside.or_else(|| self.frames.iter().rev().find(of_definition));
        let inside = inside.is_some();
        let actual = frame.map(|frame| frame.body.ty(value));
        if actual != Some(ty) {
            let name = self.name_of(operand);
            let actual = actual
                .map(|ty| print_type(self.context, ty))
                .unwrap_or_default();
            let expected = print_type(self.context, ty);
            let message = format!(
                "use of value '{name}' expects different type than prior uses: '{expected}' vs '{actual}'"
            );
            let reported = self.plain_error(operand.position, message);
            self.note(definition.position, "prior use here");
            return Err(reported);
        }
        if inside {
            return Ok(value);
        }
        let user = self
            .operation
            .map(|operation| (operation.name, operation.position));
        self.error_outside(operand.position, user);
        Ok(self.placeholder(ty))
    }

    fn error_outside(&mut self, position: Position, user: Option<(OperationName, Position)>) {
        let (name, at) = match user {
            Some((name, at)) => (self.context.operation_text(name), at),
            None => ("operation", position),
        };
        self.plain_error(
            at,
            format!("'{name}' op using value defined outside the region"),
        );
    }

    fn resolve_forward(&mut self, operand: UnresolvedOperand, ty: Type) -> ParseResult<ValueId> {
        let name = self.name_of(operand);
        let key = (name, operand.number);
        let frame = self.frame_number();
        let user = self
            .operation
            .map(|operation| (operation.name, operation.position));
        if let Some(forward) = self.names.forward.get(&key).copied() {
            if forward.frame != frame {
                return Ok(self.placeholder(ty));
            }
            let prior = self.body().ty(forward.placeholder);
            if prior == ty {
                return Ok(forward.placeholder);
            }
            let (expected, prior) = (
                print_type(self.context, ty),
                print_type(self.context, prior),
            );
            let message = format!(
                "use of value '{name}' expects different type than prior uses: '{expected}' vs '{prior}'"
            );
            let reported = self.plain_error(operand.position, message);
            self.note(forward.position, "prior use here");
            return Err(reported);
        }
        let placeholder = self.placeholder(ty);
        self.names.forward.insert(
            key,
            Forward {
                placeholder,
                frame,
                position: operand.position,
                user,
            },
        );
        Ok(placeholder)
    }

    fn placeholder(&mut self, ty: Type) -> ValueId {
        let frame = self.frames.last_mut().expect("there is always a frame");
        let block = *frame
            .placeholders
            .get_or_insert_with(|| frame.body.create_block());
        frame.body.add_argument(block, ty, Location::UNKNOWN)
    }

    /// Adds the value that `operand` names to the operands.
    pub fn resolve_operand(
        &mut self,
        operand: UnresolvedOperand,
        ty: Type,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        let value = self.resolve(operand, ty)?;
        state.operands.push(value);
        Ok(())
    }

    /// Adds the values that `operands` name; `position` is for a message about their number.
    pub fn resolve_operands(
        &mut self,
        operands: &[UnresolvedOperand],
        types: &[Type],
        position: Position,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        if operands.len() != types.len() {
            let message = format!(
                "{} operands present, but expected {}",
                operands.len(),
                types.len()
            );
            return Err(self.error(position, message));
        }
        for (operand, ty) in operands.iter().zip(types) {
            self.resolve_operand(*operand, *ty, state)?;
        }
        Ok(())
    }

    /// Adds the values that `operands` name, all of one type.
    pub fn resolve_operands_of_type(
        &mut self,
        operands: &[UnresolvedOperand],
        ty: Type,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        for operand in operands {
            self.resolve_operand(*operand, ty, state)?;
        }
        Ok(())
    }

    // Definitions.

    /// Defines `name` (at `position`, `length` bytes) as `count` values from `first`.
    pub(crate) fn define(
        &mut self,
        position: Position,
        length: u32,
        first: ValueId,
        count: u32,
        in_use: &str,
    ) -> ParseResult<()> {
        let name = self.slice(position.0, position.0 + length);
        let definition = Definition {
            first,
            count,
            frame: self.frame_number(),
            position,
        };
        if let Some(previous) = self.names.defined.get(name) {
            if previous.is_poisoned() {
                return Ok(());
            }
            let reported = match in_use {
                "" => self.plain_error(position, format!("redefinition of SSA value '{name}'")),
                what => self.plain_error(position, format!("{what} '{name}' is already in use")),
            };
            self.note(previous.position, "previously defined here");
            return Err(reported);
        }
        self.names.defined.insert(name, definition);
        self.names.order.push(name);
        if !self.names.forward.is_empty() {
            self.resolve_uses_before(name, definition)?;
        }
        if !name[1..].bytes().all(|b| b.is_ascii_digit()) {
            let name = self.context.name(&name[1..]);
            self.body_mut().set_value_name(first, Some(name));
        }
        Ok(())
    }

    fn resolve_uses_before(&mut self, name: &'a str, definition: Definition) -> ParseResult<()> {
        for number in 0..definition.count {
            let Some(forward) = self.names.forward.get(&(name, number)).copied() else {
                continue;
            };
            if forward.frame != definition.frame {
                // The use is in a nested isolated operation that has ended; or it is outside, and this is not its value.
                if forward.frame > definition.frame {
                    self.names.forward.remove(&(name, number));
                    self.error_outside(forward.position, forward.user);
                }
                continue;
            }
            self.names.forward.remove(&(name, number));
            let value = ValueId::from_index(definition.first.index() + number as usize);
            let (ty, used) = (self.body().ty(value), self.body().ty(forward.placeholder));
            if ty != used {
                let (ty, used) = (print_type(self.context, ty), print_type(self.context, used));
                let message = format!("definition of SSA value '{name}#{number}' has type '{ty}'");
                let reported = self.plain_error(definition.position, message);
                self.note(
                    forward.position,
                    format!("previously used here with type '{used}'"),
                );
                return Err(reported);
            }
            self.body_mut().replace_all_uses(forward.placeholder, value);
        }
        Ok(())
    }

    /// Accepts all uses of `name`, because its definition has an error.
    pub(crate) fn poison(&mut self, position: Position, length: u32) {
        let name = self.slice(position.0, position.0 + length);
        self.names.forward.retain(|(n, _), _| *n != name);
        let (first, frame) = (ValueId::from_index(0), self.frame_number());
        let definition = Definition {
            first,
            count: 0,
            frame,
            position,
        };
        if self.names.defined.get(name).is_none() {
            self.names.defined.insert(name, definition);
            self.names.order.push(name);
        }
    }

    /// Reports all names that were used but never defined.
    pub(crate) fn report_undeclared(&mut self) {
        let names = self.take_names();
        self.report_forward(names);
    }

    fn report_forward(&mut self, names: Names<'a>) {
        let mut open: Vec<_> = names.forward.into_values().collect();
        open.sort_by_key(|forward| forward.position);
        for forward in open {
            self.plain_error(forward.position, "use of undeclared SSA value name");
        }
    }

    // Blocks.

    /// Reads `^name`.
    pub fn parse_successor(&mut self) -> ParseResult<BlockId> {
        match self.parse_optional_successor()? {
            Some(block) => Ok(block),
            None => Err(self.wrong_token("expected block name")),
        }
    }

    /// Reads `^name` if it is next.
    pub fn parse_optional_successor(&mut self) -> ParseResult<Option<BlockId>> {
        if !self.is(TokenKind::Caret) {
            return Ok(None);
        }
        let (name, position) = (self.spelling(), self.position());
        if self.block_scopes.is_empty() {
            return Err(
                self.plain_error(position, "a successor needs a region around the operation")
            );
        }
        self.advance();
        Ok(Some(self.block_named(name, position, false).0))
    }

    /// Returns the block called `name`, and the position of its definition or first use if it was known before.
    pub(crate) fn block_named(
        &mut self,
        name: &'a str,
        position: Position,
        define: bool,
    ) -> (BlockId, Option<(Position, bool)>) {
        let scope = self
            .block_scopes
            .last_mut()
            .expect("callers check that there is a scope");
        if let Some(entry) = scope.blocks.get_mut(name) {
            let known = (entry.1, entry.2);
            if define && !entry.2 {
                *entry = (entry.0, position, true);
            }
            return (entry.0, Some(known));
        }
        let block = self.body_mut().create_block();
        let scope = self
            .block_scopes
            .last_mut()
            .expect("callers check that there is a scope");
        scope.blocks.insert(name, (block, position, define));
        (block, None)
    }

    pub(crate) fn push_blocks(&mut self) {
        self.block_scopes.push(BlockScope::default());
    }

    /// Ends the block names of a region; reports those that were never defined.
    pub(crate) fn pop_blocks(&mut self) -> ParseResult<()> {
        let scope = self
            .block_scopes
            .pop()
            .expect("scopes are pushed and popped in pairs");
        let mut undefined: SmallVec<[Position; 2]> = scope
            .blocks
            .into_values()
            .filter(|(_, _, defined)| !defined)
            .map(|(_, position, _)| position)
            .collect();
        undefined.sort();
        let mut result = Ok(());
        for position in undefined {
            result = Err(self.plain_error(position, "reference to an undefined block"));
        }
        result
    }

    /// Reads `^name` or `^name(%a, %b : types)`.
    pub fn parse_successor_and_operands(&mut self) -> ParseResult<(BlockId, Vec<ValueId>)> {
        let block = self.parse_successor()?;
        let mut values = Vec::new();
        if self.accept(TokenKind::LeftParen) {
            let position = self.position();
            let operands = self.parse_operand_list(Delimiter::NoneOrEmpty)?;
            let types = self.parse_colon_type_list()?;
            self.parse_punctuation(")")?;
            if operands.len() != types.len() {
                let (n, wanted) = (operands.len(), types.len());
                let message = format!("{n} operands present, but expected {wanted}");
                return Err(self.error(position, message));
            }
            for (operand, ty) in operands.into_iter().zip(types) {
                values.push(self.resolve(operand, ty)?);
            }
        }
        Ok((block, values))
    }
}
