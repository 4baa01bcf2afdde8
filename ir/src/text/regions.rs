//! Parses regions and blocks into the body of the operation that contains them.

use crate::body::NewOperation;
use crate::builder::Builder;
use crate::definition::{Arity, Traits};
use crate::ids::{BlockId, OperationId, RegionId, Type, ValueId};
use crate::text::lexer::TokenKind;
use crate::text::parser::Parser;
use crate::text::{Argument, OperationState, ParseResult};

impl<'a> Parser<'a> {
    /// Reads a region into the next region of the operation; adds the implicit terminator that the operation declares.
    pub fn parse_region(
        &mut self,
        arguments: &[Argument],
        state: &mut OperationState,
    ) -> ParseResult<()> {
        self.region(arguments, state, true)
    }

    /// Reads a region if `{` is next, and returns true. Otherwise adds nothing.
    pub fn parse_optional_region(
        &mut self,
        arguments: &[Argument],
        state: &mut OperationState,
    ) -> ParseResult<bool> {
        if !self.is(TokenKind::LeftBrace) {
            return Ok(false);
        }
        self.region(arguments, state, true)?;
        Ok(true)
    }

    /// Reads a region in which no outer name is visible.
    pub fn parse_region_with_own_names(
        &mut self,
        arguments: &[Argument],
        state: &mut OperationState,
    ) -> ParseResult<()> {
        let names = self.take_names();
        let result = self.region(arguments, state, true);
        self.restore_names(names);
        result
    }

    /// Reads a region as written, as in the generic form: adds nothing to it.
    pub fn parse_region_as_written(&mut self, state: &mut OperationState) -> ParseResult<()> {
        self.region(&[], state, false)
    }

    /// Adds a region without blocks.
    pub fn add_empty_region(&mut self, state: &mut OperationState) {
        let op = self.ensure_operation(state);
        self.body_mut().add_region(op);
        state.n_regions += 1;
    }

    /// Moves the last parsed region to the front of the operation.
    pub fn move_last_region_first(&mut self, state: &mut OperationState) {
        let op = self.ensure_operation(state);
        self.body_mut().move_last_region_first(op);
    }

    /// Adds a region with one block that contains only the implicit terminator of the operation.
    pub fn add_region_with_terminator(&mut self, state: &mut OperationState) {
        let op = self.ensure_operation(state);
        let region = self.body_mut().add_region(op);
        state.n_regions += 1;
        self.inside(op, |parser| {
            parser.body_mut().append_block(region);
            parser.add_implicit_terminator(state, region);
        });
    }

    /// Adds a region with one block, whose arguments have these types; `build` gets them and fills the block.
    pub fn add_built_region(
        &mut self,
        state: &mut OperationState,
        arguments: &[Type],
        build: impl FnOnce(&mut Builder<'_>, &[ValueId]),
    ) {
        let context = self.context;
        let location = state.location;
        let op = self.ensure_operation(state);
        let region = self.body_mut().add_region(op);
        state.n_regions += 1;
        self.inside(op, |parser| {
            let body = parser.body_mut();
            let block = body.append_block(region);
            let types = arguments.iter();
            let values: Vec<ValueId> = types
                .map(|ty| body.add_argument(block, *ty, location))
                .collect();
            let mut builder = Builder::at_end(context, body, block, location);
            build(&mut builder, &values);
        });
    }

    /// Returns true if region number `index` of the operation has no blocks so far.
    pub fn region_is_empty(&self, state: &OperationState, index: usize) -> bool {
        let Some(op) = state.operation else {
            return true;
        };
        let body = self.body();
        body.regions(op)
            .get(index)
            .is_none_or(|region| body.inner(op).blocks(*region).is_empty())
    }

    /// Returns the types of the arguments of the entry block of region number `index` of the operation.
    pub fn region_argument_types(&self, state: &OperationState, index: usize) -> Vec<Type> {
        let Some(op) = state.operation else {
            return Vec::new();
        };
        let body = self.body();
        let Some(block) = body.entry_block(op, index) else {
            return Vec::new();
        };
        body.inner(op)
            .arguments(block)
            .iter()
            .map(|value| body.inner(op).ty(*value))
            .collect()
    }

    /// Returns the operation of the state; creates it if necessary, so that it can hold regions.
    pub(crate) fn ensure_operation(&mut self, state: &mut OperationState) -> OperationId {
        if let Some(op) = state.operation {
            return op;
        }
        let mut new = NewOperation::new(state.name, state.location);
        new.successors = std::mem::take(&mut state.successors);
        let context = self.context;
        let op = self.body_mut().create(context, new);
        state.operation = Some(op);
        op
    }

    /// Runs `work` in the body that contains the regions of `op`.
    fn inside<R>(&mut self, op: OperationId, work: impl FnOnce(&mut Self) -> R) -> R {
        if !self.body().is_isolated(op) {
            return work(self);
        }
        let body = self
            .body_mut()
            .take_body(op)
            .expect("the operation is isolated");
        self.push_frame(*body);
        let result = work(self);
        self.read_deferred();
        let body = self.pop_frame();
        self.body_mut().put_body(op, Box::new(body));
        result
    }

    fn region(
        &mut self,
        arguments: &[Argument],
        state: &mut OperationState,
        custom: bool,
    ) -> ParseResult<()> {
        if !self.is(TokenKind::LeftBrace) {
            return Err(self.wrong_token("expected '{' to begin a region"));
        }
        self.enter()?;
        self.advance();
        let op = self.ensure_operation(state);
        let region = self.body_mut().add_region(op);
        state.n_regions += 1;
        let default = if custom {
            let data = self.context.operation_name_data(state.name);
            data.conventions.default_dialect
        } else {
            ""
        };
        self.default_dialects.push(default);
        let operation = self.operation.take();
        let result = self.inside(op, |parser| {
            parser.region_within(region, arguments, state, custom)
        });
        self.operation = operation;
        self.default_dialects.pop();
        self.depth -= 1;
        result
    }

    /// Parses the contents of a region, up to its `}`, into the current body.
    pub(crate) fn region_within(
        &mut self,
        region: RegionId,
        arguments: &[Argument],
        state: &OperationState,
        custom: bool,
    ) -> ParseResult<()> {
        self.push_names();
        self.push_blocks();
        let result = self.region_body(region, arguments);
        let undefined = self.pop_blocks();
        self.pop_names();
        if custom && result.is_ok() {
            self.add_single_block(state, region);
            self.add_implicit_terminator(state, region);
        }
        result.and(undefined)
    }

    /// Adds the block of an empty region, if the operation declares a single block and needs no terminator.
    fn add_single_block(&mut self, state: &OperationState, region: RegionId) {
        let definition = self.context.operation_name_data(state.name).definition;
        let single =
            definition.is_some_and(|d| d.has(Traits::SINGLE_BLOCK | Traits::NO_TERMINATOR));
        if single && self.body().blocks(region).is_empty() {
            self.body_mut().append_block(region);
        }
    }

    fn region_body(&mut self, region: RegionId, arguments: &[Argument]) -> ParseResult<()> {
        if arguments.is_empty() && self.accept(TokenKind::RightBrace) {
            return Ok(());
        }
        // The label of the first block declares arguments without names; without a label there are none.
        let are_named = arguments
            .first()
            .is_some_and(|argument| argument.name.is_some());
        if !are_named && self.is(TokenKind::Caret) {
            self.labelled_block(region)?;
        } else {
            if self.is(TokenKind::Caret) {
                let message = "invalid block name in region with named arguments";
                return Err(self.plain_error(self.position(), message));
            }
            let entry = self.body_mut().append_block(region);
            for argument in arguments.iter().filter(|_| are_named) {
                self.add_block_argument(entry, argument, "region entry argument")?;
            }
            self.block_body(entry);
        }
        while !self.accept(TokenKind::RightBrace) {
            if self.is(TokenKind::End) {
                return Err(self.wrong_token("expected operation name in quotes"));
            }
            self.labelled_block(region)?;
        }
        Ok(())
    }

    fn add_block_argument(
        &mut self,
        block: BlockId,
        argument: &Argument,
        in_use: &str,
    ) -> ParseResult<()> {
        let location = match (argument.location, argument.name) {
            (Some(location), _) => location,
            (None, Some(name)) => self.location_at(name.position),
            (None, None) => self.location_at(self.position()),
        };
        let value = self.body_mut().add_argument(block, argument.ty, location);
        match argument.name {
            Some(name) => self.define(name.position, name.length, value, 1, in_use),
            None => Ok(()),
        }
    }

    /// Parses `^name(arguments): operations`.
    fn labelled_block(&mut self, region: RegionId) -> ParseResult<()> {
        let (name, position) = (self.spelling(), self.position());
        if !self.accept(TokenKind::Caret) {
            return Err(self.wrong_token("expected block name"));
        }
        let (block, known) = self.block_named(name, position, true);
        if let Some((previous, true)) = known {
            let reported = self.plain_error(position, format!("redefinition of block '{name}'"));
            let location = self.location_at(previous);
            if let Some((_, line, _)) = location.file_line_column(self.context) {
                self.hint(format!("it is defined in line {line} already"));
            }
            return Err(reported);
        }
        self.body_mut().attach_block(region, block);
        if self.accept(TokenKind::LeftParen) && !self.accept(TokenKind::RightParen) {
            loop {
                let argument = self.parse_block_argument()?;
                self.add_block_argument(block, &argument, "")?;
                if !self.accept(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RightParen, "expected ')'")?;
        }
        self.expect(TokenKind::Colon, "expected ':' after block name")?;
        self.block_body(block);
        Ok(())
    }

    fn parse_block_argument(&mut self) -> ParseResult<Argument> {
        let name = self.parse_operand()?;
        self.expect(TokenKind::Colon, "expected ':' and type for SSA operand")?;
        let ty = self.parse_type()?;
        let location = self.parse_optional_location()?;
        Ok(Argument {
            name: Some(name),
            ty,
            attributes: None,
            location,
        })
    }

    /// Parses operations up to a label or the end of the region; errors in them are recorded and skipped.
    fn block_body(&mut self, block: BlockId) {
        while !matches!(
            self.token.kind,
            TokenKind::Caret | TokenKind::RightBrace | TokenKind::End
        ) {
            let start = self.token;
            match self.operation() {
                Ok(op) => self.body_mut().append(block, op),
                Err(_) => self.recover(start),
            }
        }
    }

    fn add_implicit_terminator(&mut self, state: &OperationState, region: RegionId) {
        let definition = self.context.operation_name_data(state.name).definition;
        let Some(name) = definition.and_then(|definition| definition.implicit_terminator()) else {
            return;
        };
        let context = self.context;
        let body = self.body_mut();
        let block = match body.blocks(region).last() {
            Some(block) => *block,
            None => body.append_block(region),
        };
        if body.terminator(context, block).is_none() {
            let name = context.operation_name(name);
            let op = body.create(context, NewOperation::new(name, state.location));
            body.append(block, op);
            // A terminator may have regions itself: these are empty.
            let definition = context.operation_name_data(name).definition;
            let regions = definition.map(|d| d.regions).unwrap_or_default();
            for _ in regions.iter().filter(|r| r.arity == Arity::Single) {
                let region = body.add_region(op);
                body.append_block(region);
            }
        }
    }
}
