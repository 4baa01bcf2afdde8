//! Parses operations: statements with results, the generic form, custom forms, and recovery after an error.

use smallvec::SmallVec;

use crate::attributes::AttributeKind;
use crate::body::Parts;
use crate::definition::{Assembly, AttributeSyntax, OperationDefinition, Presence, Traits};
use crate::ids::{Attribute, Name, OperationId, OperationName, Type};
use crate::suggestion::did_you_mean;
use crate::text::lexer::{Token, TokenKind, unescape};
use crate::text::parser::{CurrentOperation, KnownOperation, Parser};
use crate::text::{OperationState, ParseResult, Position, UnresolvedOperand};

/// A name with the number of its results.
type ResultName = (Position, u32, u32);

impl<'a> Parser<'a> {
    /// Reads an operation with its results, not yet in a block.
    pub(crate) fn operation(&mut self) -> ParseResult<OperationId> {
        let start = self.position();
        let mut names: SmallVec<[ResultName; 1]> = SmallVec::new();
        if self.is(TokenKind::Percent) {
            self.result_names(&mut names)?;
        }
        self.result_name = names.first().map_or((0, 0), |(position, length, _)| {
            (position.0 as usize, *length as usize)
        });
        self.n_results = names
            .iter()
            .map(|(_, _, count)| *count as usize)
            .fold(0, usize::saturating_add);
        let outer = self.operation;
        let result = match self.token.kind {
            TokenKind::String => self.generic_operation(),
            TokenKind::Bare => self.custom_operation(),
            _ => Err(self.wrong_token("expected operation name in quotes")),
        };
        self.operation = outer;
        let op = result?;
        self.define_results(start, op, &names)?;
        Ok(op)
    }

    fn result_names(&mut self, names: &mut SmallVec<[ResultName; 1]>) -> ParseResult<()> {
        loop {
            let token = self.token;
            self.expect(TokenKind::Percent, "expected SSA operand")?;
            let mut count = 1;
            if self.accept(TokenKind::Colon) {
                if !self.is(TokenKind::Integer) {
                    return Err(self.wrong_token("expected integer number of results"));
                }
                count = match self.spelling().parse() {
                    Ok(count) if count > 0 => count,
                    _ => {
                        return Err(self.plain_error(
                            Position(token.end + 1),
                            "expected named operation to have at least 1 result",
                        ));
                    }
                };
                self.advance();
            }
            names.push((Position(token.start), token.end - token.start, count));
            if !self.accept(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Equal, "expected '=' after SSA name")
    }

    fn define_results(
        &mut self,
        start: Position,
        op: OperationId,
        names: &[ResultName],
    ) -> ParseResult<()> {
        if names.is_empty() {
            return Ok(());
        }
        let results = self.body().results(op).len();
        if results == 0 {
            return Err(self.plain_error(start, "cannot name an operation with no results"));
        }
        let named = names
            .iter()
            .map(|(_, _, count)| *count as usize)
            .fold(0usize, usize::saturating_add);
        if named != results {
            let message =
                format!("operation defines {results} results but was provided {named} to bind");
            return Err(self.plain_error(start, message));
        }
        let mut index = 0;
        for (position, length, count) in names {
            let value = self.body().result(op, index);
            self.define(*position, *length, value, *count, "")?;
            index += *count as usize;
        }
        Ok(())
    }

    fn state(&mut self, name: OperationName, position: Position, custom: bool) -> OperationState {
        self.operation = Some(CurrentOperation {
            name,
            position,
            custom,
        });
        let definition = self.context.operation_name_data(name).definition;
        let extension = definition.and_then(|definition| definition.extension);
        if let Some(instead) = extension.and_then(|extension| extension.deprecated) {
            let message = format!(
                "'{}' op is deprecated: {instead}",
                self.context.operation_text(name)
            );
            let location = self.location_at(position);
            self.diagnostics.warning(location, message);
        }
        OperationState::new(name, position, self.location_at(position))
    }

    // Generic form.

    fn generic_operation(&mut self) -> ParseResult<OperationId> {
        let position = self.position();
        let bytes = unescape(self.spelling());
        let Ok(name) = std::str::from_utf8(&bytes) else {
            return Err(self.plain_error(position, "expected UTF-8 text in an operation name"));
        };
        if name.is_empty() {
            return Err(self.plain_error(position, "empty operation name is invalid"));
        }
        if name.contains('\0') {
            return Err(self.plain_error(position, "null character not allowed in operation name"));
        }
        let name = self.context.operation_name(name);
        self.advance();
        let definition = self.context.operation_name_data(name).definition;
        if definition.is_none() {
            self.check_unregistered(name, position)?;
        }
        let mut state = self.state(name, position, false);
        let mut operands: SmallVec<[UnresolvedOperand; 4]> = SmallVec::new();
        self.expect(TokenKind::LeftParen, "expected '(' to start operand list")?;
        if !self.accept(TokenKind::RightParen) {
            loop {
                operands.push(self.parse_operand()?);
                if !self.accept(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RightParen, "expected ')' to end operand list")?;
        }
        if self.is(TokenKind::LeftSquare) {
            if definition.is_some_and(|d| !d.has(Traits::TERMINATOR)) {
                return Err(self.plain_error(self.position(), "successors in non-terminator"));
            }
            self.advance();
            loop {
                let block = self.parse_successor()?;
                state.successors.push(block);
                if !self.accept(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RightSquare, "expected ']'")?;
        }
        let mut properties = None;
        if self.accept(TokenKind::Less) {
            properties = self.parse_optional_dictionary()?;
            if properties.is_none() {
                return Err(self.wrong_token("expected '{' in properties"));
            }
            self.expect(TokenKind::Greater, "expected '>' to close properties")?;
        }
        if self.accept(TokenKind::LeftParen) {
            loop {
                self.parse_region_as_written(&mut state)?;
                if !self.accept(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RightParen, "expected ')' to end region list")?;
        }
        if self.is(TokenKind::LeftBrace) {
            self.parse_attribute_dictionary(&mut state)?;
        }
        self.expect(TokenKind::Colon, "expected ':' followed by operation type")?;
        self.generic_types(&operands, &mut state)?;
        let properties = self.apply_properties(definition, properties, &mut state)?;
        if let Some(definition) = definition {
            self.add_missing_segments(definition, &mut state);
        }
        let op = self.finish(&mut state)?;
        if properties.is_some() {
            self.body_mut().set_unregistered_properties(op, properties);
        }
        Ok(op)
    }

    fn generic_types(
        &mut self,
        operands: &[UnresolvedOperand],
        state: &mut OperationState,
    ) -> ParseResult<()> {
        let position = self.position();
        let mut inputs: SmallVec<[Type; 4]> = SmallVec::new();
        if self.is(TokenKind::LeftParen) {
            self.function_types(&mut inputs, &mut state.result_types)?;
        } else {
            // An alias may be a function type.
            let ty = self.parse_type()?;
            let crate::types::TypeKind::Function {
                inputs: from,
                results,
            } = ty.kind(self.context)
            else {
                return Err(self.plain_error(position, "expected function type"));
            };
            inputs.extend_from_slice(from);
            state.result_types.extend_from_slice(results);
        }
        if operands.len() != inputs.len() {
            let plural = if operands.len() == 1 { "" } else { "s" };
            let message = format!(
                "expected {} operand type{plural} but had {}",
                operands.len(),
                inputs.len()
            );
            return Err(self.plain_error(position, message));
        }
        for (operand, ty) in operands.iter().zip(inputs) {
            let value = self.resolve(*operand, ty)?;
            state.operands.push(value);
        }
        Ok(())
    }

    /// Sets the sizes of groups that are not written to zero.
    fn add_missing_segments(
        &mut self,
        definition: &'static OperationDefinition,
        state: &mut OperationState,
    ) {
        for (name, n_groups) in definition.segments() {
            let name = self.context.name(name);
            if state.attributes.iter().all(|(known, _)| *known != name) {
                let sizes = self.context.dense_i32_array(&vec![0; n_groups]);
                state.attributes.push((name, sizes));
            }
        }
    }

    /// Moves `<{...}>` of a registered operation to its attributes, where it takes precedence; returns that of any other
    /// operation.
    fn apply_properties(
        &mut self,
        definition: Option<&'static OperationDefinition>,
        properties: Option<Attribute>,
        state: &mut OperationState,
    ) -> ParseResult<Option<Attribute>> {
        let (Some(definition), Some(properties)) = (definition, properties) else {
            return Ok(properties);
        };
        let context = self.context;
        let AttributeKind::Dictionary(entries) = properties.kind(context) else {
            return Ok(None);
        };
        if context.is_loaded(definition.dialect()) {
            let message = format!(
                "invalid properties {} for op {}: extensible Dialects don't support properties",
                crate::text::print_attribute(context, properties),
                definition.name
            );
            return Err(self.plain_error(state.position, message));
        }
        for (name, attribute) in entries.iter() {
            let name = context.text(*name);
            let spec = definition.attributes.iter().find(|spec| spec.name == name);
            // An enumeration is stored as its value, so an invalid value cannot be stored.
            let is_enumeration = spec.is_some_and(|spec| {
                matches!(spec.constraint.syntax, AttributeSyntax::Enumeration(_))
                    && !spec.constraint.accepts(context, *attribute)
            });
            if is_enumeration {
                let text = |attribute| crate::text::print_attribute(context, attribute);
                let message = format!(
                    "invalid properties {} for op {}: Invalid attribute `{name}` in property conversion: {}",
                    text(properties),
                    definition.name,
                    text(*attribute)
                );
                return Err(self.plain_error(state.position, message));
            }
        }
        for (name, attribute) in entries.iter() {
            if !is_inherent(definition, self.context.text(*name)) {
                continue;
            }
            let spec = definition
                .attributes
                .iter()
                .find(|spec| spec.name == context.text(*name));
            if let Some(Presence::Default(default)) = spec.map(|spec| &spec.presence)
                && default(context) == *attribute
            {
                // An attribute with its default value is omitted.
                state.attributes.retain(|(known, _)| known != name);
                continue;
            }
            match state.attributes.iter_mut().find(|(n, _)| n == name) {
                Some(entry) => entry.1 = *attribute,
                None => state.attributes.push((*name, *attribute)),
            }
        }
        Ok(None)
    }

    fn check_unregistered(&mut self, name: OperationName, position: Position) -> ParseResult<()> {
        let text = self.context.operation_text(name);
        let dialect = text.split_once('.').map_or("", |(dialect, _)| dialect);
        if self.context.dialect(dialect).is_some() {
            let message = format!(
                "unregistered operation '{text}' found in dialect ('{dialect}') that does not allow unknown operations"
            );
            return Err(self.plain_error(position, message));
        }
        if self.context.allow_unregistered {
            return Ok(());
        }
        let message = "operation being parsed with an unregistered dialect. If this is intended, please use \
                       -allow-unregistered-dialect with the MLIR tool used";
        Err(self.plain_error(self.position(), message))
    }

    // Custom forms.

    fn custom_operation(&mut self) -> ParseResult<OperationId> {
        let (written, position) = (self.spelling(), self.position());
        let (name, definition) = self.known_operation(written)?;
        self.advance();
        let mut state = self.state(name, position, true);
        match &definition.assembly {
            Assembly::Format(elements) => self.parse_format(definition, elements, &mut state)?,
            Assembly::Custom { parse, .. } => parse(self, &mut state)?,
            Assembly::Generic => return Err(self.error(position, "has no custom assembly form")),
        }
        self.finish(&mut state)
    }

    /// Returns the operation whose name is `written` without quotes.
    fn known_operation(&mut self, written: &'a str) -> ParseResult<KnownOperation> {
        let default = self.default_dialects.last().copied().unwrap_or("");
        if let Some(known) = self.known_operations.get(&(default, written)) {
            return Ok(*known);
        }
        let name = match written.contains('.') {
            true => self.context.operation_name(written),
            false => self.context.operation_name(&format!("{default}.{written}")),
        };
        let Some(definition) = self.context.operation_name_data(name).definition else {
            return Err(self.unknown_custom(written, name));
        };
        let known = (name, definition);
        self.known_operations.insert((default, written), known);
        Ok(known)
    }

    fn unknown_custom(&mut self, written: &str, name: OperationName) -> crate::text::Reported {
        let full = self.context.operation_text(name);
        let dialect = full.split_once('.').map_or("", |(dialect, _)| dialect);
        let position = self.position();
        let message =
            if dialect.is_empty() || (written != full && self.context.dialect(dialect).is_none()) {
                "expected operation name in quotes".to_owned()
            } else if self.context.dialect(dialect).is_none() {
                format!("Dialect `{dialect}' not found for custom op '{full}' ")
            } else if written == full {
                format!("custom op '{full}' is unknown")
            } else {
                format!("custom op '{written}' is unknown (tried '{full}' as well)")
            };
        let reported = self.plain_error(position, message);
        let known: Vec<&'static str> = match self.context.dialect(dialect) {
            Some(dialect) => {
                let groups = dialect.operations.iter().flat_map(|group| group.iter());
                groups.map(|definition| definition.name).collect()
            }
            None => self
                .context
                .dialects()
                .map(|dialect| dialect.name)
                .collect(),
        };
        let word = if self.context.dialect(dialect).is_some() {
            full
        } else {
            dialect
        };
        if !word.is_empty() {
            self.hint(did_you_mean(word, &known));
        }
        reported
    }

    /// Reads a trailing location and creates the operation.
    fn finish(&mut self, state: &mut OperationState) -> ParseResult<OperationId> {
        if let Some(operation) = &mut self.operation {
            operation.custom = false;
        }
        if let Some(location) = self.parse_optional_location()? {
            state.location = location;
        }
        let context = self.context;
        let body = self.body_mut();
        let Some(op) = state.operation else {
            let parts = Parts {
                name: state.name,
                location: state.location,
                operands: &state.operands,
                result_types: &state.result_types,
                successors: &state.successors,
            };
            let attributes = std::mem::take(&mut state.attributes);
            return Ok(body.create_of(context, parts, attributes));
        };
        body.set_location(op, state.location);
        body.set_operands(op, &state.operands);
        for ty in &state.result_types {
            body.add_result(op, *ty);
        }
        for (name, attribute) in &state.attributes {
            body.set_attribute(op, *name, *attribute);
        }
        if !state.successors.is_empty() {
            let message = "the successors of an operation with regions stand before the regions";
            return Err(self.error(state.position, message));
        }
        Ok(op)
    }

    /// Adds an attribute from a dictionary; the caller must report a duplicate name.
    pub(crate) fn push_attribute(
        state: &mut OperationState,
        name: Name,
        attribute: Attribute,
    ) -> bool {
        let known = state.attributes.iter().any(|(n, _)| *n == name);
        if !known {
            state.attributes.push((name, attribute));
        }
        !known
    }

    // Recovery.

    /// Skips to the next statement after an error in the statement that starts with `start`; later uses of the names it should
    /// have defined are accepted.
    pub(crate) fn recover(&mut self, start: Token) {
        let failed = self.token.start.max(start.end);
        self.seek(start.start);
        self.poison_results();
        self.seek(start.start);
        let mut depth = 0usize;
        loop {
            match self.token.kind {
                TokenKind::End => return,
                // An unterminated string may have contained the closing brackets.
                TokenKind::Error if self.spelling().contains('"') => depth = 0,
                // Only braces count, because the error may be an unclosed bracket.
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace if depth == 0 => return,
                TokenKind::RightBrace => depth -= 1,
                _ if depth == 0 && self.token.start >= failed && self.starts_statement() => return,
                _ => {}
            }
            self.advance();
        }
    }

    fn poison_results(&mut self) {
        while self.is(TokenKind::Percent) {
            let token = self.token;
            self.advance();
            self.poison(Position(token.start), token.end - token.start);
            if self.accept(TokenKind::Colon) {
                self.accept(TokenKind::Integer);
            }
            if !self.accept(TokenKind::Comma) {
                return;
            }
        }
    }

    /// Returns true if the next token is the first of its line and may start a statement or a block.
    fn starts_statement(&self) -> bool {
        // Only blanks are skipped; otherwise every token would scan its whole line.
        let before = self.source.as_bytes()[..self.token.start as usize].iter();
        let last = (before.rev()).find(|b| !matches!(b, b' ' | b'\t' | b'\r'));
        if last.is_some_and(|b| *b != b'\n') {
            return false;
        }
        match self.token.kind {
            TokenKind::Caret | TokenKind::Percent | TokenKind::String => true,
            TokenKind::Hash | TokenKind::Exclamation => self.block_scopes.is_empty(),
            TokenKind::Bare => {
                let name = self.spelling();
                let default = self.default_dialects.last().copied().unwrap_or("");
                let full = format!("{default}.{name}");
                name.contains('.')
                    || self
                        .context
                        .operation_name_data(self.context.operation_name(&full))
                        .definition
                        .is_some()
            }
            _ => false,
        }
    }
}

/// Returns true if the declaration of an operation has attribute `name`.
pub(crate) fn is_inherent(definition: &OperationDefinition, name: &str) -> bool {
    match name {
        "operandSegmentSizes" => definition.has(Traits::ATTR_SIZED_OPERAND_SEGMENTS),
        "resultSegmentSizes" => definition.has(Traits::ATTR_SIZED_RESULT_SEGMENTS),
        _ => {
            definition.attribute_index(name).is_some()
                && !definition.has(Traits::DISCARDABLE_ATTRIBUTES)
        }
    }
}
