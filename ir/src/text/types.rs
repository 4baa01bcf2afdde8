//! Parses types: builtin ones, those of declared dialects, opaque ones and aliases.

use smallvec::SmallVec;

use crate::attributes::AttributeKind;
use crate::ids::{Attribute, Type};
use crate::text::lexer::TokenKind;
use crate::text::parser::Parser;
use crate::text::{Delimiter, ParseResult, Position, Reported};
use crate::types::{Dimension, FloatKind, MAX_INTEGER_WIDTH_BITS, Signedness, TypeKind};

impl<'a> Parser<'a> {
    /// Reads a type.
    pub fn parse_type(&mut self) -> ParseResult<Type> {
        if self.is(TokenKind::LeftParen) {
            let (inputs, results) = self.parse_function_type()?;
            return Ok(self.context.function_type(&inputs, &results));
        }
        self.parse_non_function_type()
    }

    /// Reads a type if one is next.
    pub fn parse_optional_type(&mut self) -> ParseResult<Option<Type>> {
        let starts = match self.token.kind {
            TokenKind::LeftParen | TokenKind::Exclamation => true,
            TokenKind::Bare => is_type_keyword(self.spelling()),
            _ => false,
        };
        if starts {
            self.parse_type().map(Some)
        } else {
            Ok(None)
        }
    }

    /// Reads `: type`.
    pub fn parse_colon_type(&mut self) -> ParseResult<Type> {
        self.parse_punctuation(":")?;
        self.parse_type()
    }

    /// Reads types separated by commas, at least one.
    pub fn parse_type_list(&mut self) -> ParseResult<Vec<Type>> {
        let mut types = vec![self.parse_type()?];
        while self.accept(TokenKind::Comma) {
            types.push(self.parse_type()?);
        }
        Ok(types)
    }

    /// Reads `: type, type`.
    pub fn parse_colon_type_list(&mut self) -> ParseResult<Vec<Type>> {
        self.parse_punctuation(":")?;
        self.parse_type_list()
    }

    /// Reads `-> type` or `-> (types)` if an arrow is next.
    pub fn parse_optional_arrow_types(&mut self) -> ParseResult<Vec<Type>> {
        let mut types: SmallVec<[Type; 4]> = SmallVec::new();
        if self.accept(TokenKind::Arrow) {
            self.function_results(&mut types)?;
        }
        Ok(types.into_vec())
    }

    /// Reads `(types) -> type` or `(types) -> (types)`.
    pub fn parse_function_type(&mut self) -> ParseResult<(Vec<Type>, Vec<Type>)> {
        let (mut inputs, mut results) =
            (SmallVec::<[Type; 4]>::new(), SmallVec::<[Type; 4]>::new());
        self.function_types(&mut inputs, &mut results)?;
        Ok((inputs.into_vec(), results.into_vec()))
    }

    pub(crate) fn function_types(
        &mut self,
        inputs: &mut impl Extend<Type>,
        results: &mut impl Extend<Type>,
    ) -> ParseResult<()> {
        self.expect(TokenKind::LeftParen, "expected '('")?;
        self.types_to_paren(inputs)?;
        self.expect(TokenKind::Arrow, "expected '->' in function type")?;
        self.function_results(results)
    }

    fn function_results(&mut self, results: &mut impl Extend<Type>) -> ParseResult<()> {
        if self.accept(TokenKind::LeftParen) {
            return self.types_to_paren(results);
        }
        let ty = self.parse_non_function_type()?;
        results.extend([ty]);
        Ok(())
    }

    /// Reads types up to the closing parenthesis, whose opening one was read.
    fn types_to_paren(&mut self, types: &mut impl Extend<Type>) -> ParseResult<()> {
        self.enter()?;
        let result = self.types_to_paren_inner(types);
        self.depth -= 1;
        result
    }

    fn types_to_paren_inner(&mut self, types: &mut impl Extend<Type>) -> ParseResult<()> {
        if self.accept(TokenKind::RightParen) {
            return Ok(());
        }
        loop {
            let ty = self.parse_type()?;
            types.extend([ty]);
            if !self.accept(TokenKind::Comma) {
                return self.expect(TokenKind::RightParen, "expected ')'");
            }
        }
    }

    fn parse_non_function_type(&mut self) -> ParseResult<Type> {
        match self.token.kind {
            TokenKind::Bare => {
                let text = self.spelling();
                if let Some(ty) = self.keyword_types.get(text) {
                    let ty = *ty;
                    self.advance();
                    return Ok(ty);
                }
                self.enter()?;
                let result = self.keyword_type(text);
                self.depth -= 1;
                result
            }
            TokenKind::Exclamation => {
                self.enter()?;
                let result = self.extended_type();
                self.depth -= 1;
                result
            }
            _ => Err(self.wrong_token("expected non-function type")),
        }
    }

    fn keyword_type(&mut self, text: &'a str) -> ParseResult<Type> {
        let simple = match text {
            "index" => Some(TypeKind::Index),
            "none" => Some(TypeKind::None),
            _ => match FloatKind::ALL.iter().find(|kind| kind.keyword() == text) {
                Some(kind) => Some(TypeKind::Float(*kind)),
                None => self.integer_type(text)?,
            },
        };
        if let Some(kind) = simple {
            let ty = self.context.ty(kind);
            self.keyword_types.insert(text, ty);
            self.advance();
            return Ok(ty);
        }
        match text {
            "memref" => self.memref(),
            "tensor" => self.tensor(),
            "vector" => self.vector(),
            "complex" => self.complex(),
            "tuple" => self.tuple(),
            _ => Err(self.wrong_token("expected non-function type")),
        }
    }

    fn integer_type(&mut self, text: &str) -> ParseResult<Option<TypeKind>> {
        let Some((signedness, digits)) = split_integer_type(text) else {
            return Ok(None);
        };
        let width = digits
            .parse::<u32>()
            .ok()
            .filter(|width| *width <= MAX_INTEGER_WIDTH_BITS);
        match width {
            Some(width_bits) => Ok(Some(TypeKind::Integer {
                width_bits,
                signedness,
            })),
            None => {
                let message =
                    format!("integer bitwidth is limited to {MAX_INTEGER_WIDTH_BITS} bits");
                Err(self.plain_error(self.position(), message))
            }
        }
    }

    fn complex(&mut self) -> ParseResult<Type> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' in complex type")?;
        let position = self.position();
        let element = self.parse_type()?;
        self.expect(TokenKind::Greater, "expected '>' in complex type")?;
        match element.kind(self.context) {
            TypeKind::Integer { .. } | TypeKind::Float(_) => {
                Ok(self.context.ty(TypeKind::Complex(element)))
            }
            _ => Err(self.plain_error(position, "invalid element type for complex")),
        }
    }

    fn tuple(&mut self) -> ParseResult<Type> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' in tuple type")?;
        let mut types = Vec::new();
        if !self.accept(TokenKind::Greater) {
            types = self.parse_type_list()?;
            self.expect(TokenKind::Greater, "expected '>' in tuple type")?;
        }
        Ok(self.context.ty(TypeKind::Tuple(types.into())))
    }

    // Shaped types.

    fn vector(&mut self) -> ParseResult<Type> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' in vector type")?;
        let (mut shape, mut scalable) = (Vec::new(), Vec::new());
        loop {
            let scales = self.accept(TokenKind::LeftSquare);
            if !scales && !self.is(TokenKind::Integer) {
                break;
            }
            let size = self.dimension_size()?;
            if scales {
                self.expect(
                    TokenKind::RightSquare,
                    "missing ']' closing scalable dimension",
                )?;
            }
            shape.push(size);
            scalable.push(scales);
            self.dimension_separator()?;
        }
        if self.is(TokenKind::Question) || self.is(TokenKind::Minus) {
            return Err(self.wrong_token("expected dimension size in vector type"));
        }
        let position = self.position();
        if shape.contains(&0) {
            return Err(
                self.plain_error(position, "vector types must have positive constant sizes")
            );
        }
        let element = self.parse_type()?;
        self.expect(TokenKind::Greater, "expected '>' in vector type")?;
        match element.kind(self.context) {
            TypeKind::Integer { .. } | TypeKind::Float(_) | TypeKind::Index => {}
            _ => {
                let message = "vector elements must be int/index/float type";
                return Err(self.plain_error(position, message));
            }
        }
        let kind = TypeKind::Vector {
            shape: shape.into(),
            scalable: scalable.into(),
            element,
        };
        Ok(self.context.ty(kind))
    }

    fn tensor(&mut self) -> ParseResult<Type> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' in tensor type")?;
        let unranked = self.accept(TokenKind::Star);
        let mut shape = Vec::new();
        if unranked {
            self.dimension_separator()?;
        } else {
            shape = self.parse_dimension_list()?;
        }
        let position = self.position();
        let element = self.parse_type()?;
        let mut encoding = None;
        if self.accept(TokenKind::Comma) {
            encoding = Some(self.parse_attribute()?);
            if unranked {
                return Err(self.plain_error(position, "cannot apply encoding to unranked tensor"));
            }
        }
        self.expect(TokenKind::Greater, "expected '>' in tensor type")?;
        let valid = match element.kind(self.context) {
            TypeKind::Complex(_)
            | TypeKind::Float(_)
            | TypeKind::Integer { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Index
            | TypeKind::Dialect { .. }
            | TypeKind::Opaque { .. } => true,
            TypeKind::None
            | TypeKind::Function { .. }
            | TypeKind::Tuple(_)
            | TypeKind::RankedTensor { .. }
            | TypeKind::UnrankedTensor(_)
            | TypeKind::MemRef { .. }
            | TypeKind::UnrankedMemRef { .. } => false,
        };
        if !valid {
            return Err(self.plain_error(position, "invalid tensor element type"));
        }
        Ok(self.context.ty(match unranked {
            true => TypeKind::UnrankedTensor(element),
            false => TypeKind::RankedTensor {
                shape: shape.into(),
                element,
                encoding,
            },
        }))
    }

    fn memref(&mut self) -> ParseResult<Type> {
        let start = self.position();
        self.advance();
        self.expect(TokenKind::Less, "expected '<' in memref type")?;
        let unranked = self.accept(TokenKind::Star);
        let mut shape = Vec::new();
        if unranked {
            self.dimension_separator()?;
        } else {
            shape = self.parse_dimension_list()?;
        }
        let position = self.position();
        let element = self.parse_type()?;
        let (mut layout, mut memory_space) = (None, None);
        while self.accept(TokenKind::Comma) {
            let attribute = self.parse_attribute()?;
            match attribute.kind(self.context) {
                AttributeKind::AffineMap(_) | AttributeKind::StridedLayout { .. } => {
                    if unranked {
                        return Err(self.plain_error(
                            start,
                            "cannot have affine map for unranked memref type",
                        ));
                    }
                    layout = Some(attribute);
                }
                _ if memory_space.is_some() => {
                    return Err(
                        self.plain_error(start, "multiple memory spaces specified in memref type")
                    );
                }
                _ => memory_space = Some(attribute),
            }
        }
        self.expect(TokenKind::Greater, "expected '>' in memref type")?;
        let valid = match element.kind(self.context) {
            TypeKind::Integer { .. }
            | TypeKind::Index
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::Vector { .. }
            | TypeKind::MemRef { .. }
            | TypeKind::UnrankedMemRef { .. } => true,
            // Types created at run time or of an unknown dialect cannot declare that they can be stored.
            TypeKind::Dialect { name, .. } => {
                let name = self.context.text(*name);
                let dialect = name.split_once('.').map_or(name, |(dialect, _)| dialect);
                !self.context.is_loaded(dialect)
            }
            TypeKind::None
            | TypeKind::Function { .. }
            | TypeKind::Tuple(_)
            | TypeKind::RankedTensor { .. }
            | TypeKind::UnrankedTensor(_)
            | TypeKind::Opaque { .. } => false,
        };
        if !valid {
            return Err(self.plain_error(position, "invalid memref element type"));
        }
        let memory_space = memory_space.filter(|space| !self.is_default_memory_space(*space));
        if unranked {
            return Ok(self.context.ty(TypeKind::UnrankedMemRef {
                element,
                memory_space,
            }));
        }
        let layout = self.check_layout(layout, shape.len(), start)?;
        Ok(self.context.ty(TypeKind::MemRef {
            shape: shape.into(),
            element,
            layout,
            memory_space,
        }))
    }

    fn is_default_memory_space(&self, space: Attribute) -> bool {
        space
            .integer(self.context)
            .is_some_and(crate::bits::Bits::is_zero)
    }

    /// Returns the layout unless it is the identity.
    fn check_layout(
        &mut self,
        layout: Option<Attribute>,
        rank: usize,
        start: Position,
    ) -> ParseResult<Option<Attribute>> {
        let Some(attribute) = layout else {
            return Ok(None);
        };
        match attribute.kind(self.context) {
            AttributeKind::AffineMap(map) => {
                if map.n_dims as usize != rank {
                    let message = format!(
                        "memref layout mismatch between rank and affine map: {rank} != {}",
                        map.n_dims
                    );
                    return Err(self.plain_error(start, message));
                }
                Ok((!map.is_identity()).then_some(attribute))
            }
            AttributeKind::StridedLayout { strides, .. } if strides.len() != rank => {
                let message = "expected the number of strides to match the rank";
                Err(self.plain_error(start, message))
            }
            _ => Ok(Some(attribute)),
        }
    }

    /// Reads `4x?x8x`; `None` is dynamic.
    pub fn parse_dimension_list(&mut self) -> ParseResult<Vec<Dimension>> {
        let mut shape = Vec::new();
        loop {
            if self.accept(TokenKind::Question) {
                shape.push(None);
            } else if self.is(TokenKind::Integer) {
                shape.push(Some(self.dimension_size()?));
            } else {
                return Ok(shape);
            }
            self.dimension_separator()?;
        }
    }

    /// Reads one size.
    pub fn parse_dimension(&mut self) -> ParseResult<u64> {
        self.dimension_size()
    }

    /// Reads one size if an integer is next.
    pub fn parse_optional_dimension(&mut self) -> ParseResult<Option<u64>> {
        match self.is(TokenKind::Integer) {
            true => self.dimension_size().map(Some),
            false => Ok(None),
        }
    }

    /// Reads the `x` between sizes and types.
    pub fn parse_dimension_separator(&mut self) -> ParseResult<()> {
        self.dimension_separator()
    }

    /// Reads `4x?x8` without a final `x`.
    pub fn parse_bare_dimension_list(&mut self) -> ParseResult<Vec<Dimension>> {
        let mut shape = Vec::new();
        loop {
            if self.accept(TokenKind::Question) {
                shape.push(None);
            } else {
                shape.push(Some(self.dimension_size()?));
            }
            if !self.is(TokenKind::Bare) || !self.spelling().starts_with('x') {
                return Ok(shape);
            }
            self.dimension_separator()?;
        }
    }

    /// Reads a size; `0x4` is the size 0, an `x` and another size.
    fn dimension_size(&mut self) -> ParseResult<u64> {
        if !self.is(TokenKind::Integer) {
            return Err(self.wrong_token("expected integer dimension"));
        }
        if self.spelling().starts_with("0x") {
            self.seek(self.token.start + 1);
            return Ok(0);
        }
        match self.spelling().parse::<u64>() {
            Ok(size) if i64::try_from(size).is_ok() => {
                self.advance();
                Ok(size)
            }
            _ => Err(self.wrong_token("invalid dimension")),
        }
    }

    fn dimension_separator(&mut self) -> ParseResult<()> {
        if !self.is(TokenKind::Bare) || !self.spelling().starts_with('x') {
            return Err(self.wrong_token("expected 'x' in dimension list"));
        }
        self.seek(self.token.start + 1);
        Ok(())
    }

    // Dialect types.

    fn extended_type(&mut self) -> ParseResult<Type> {
        let symbol = self.extended_symbol()?;
        let context = self.context;
        let Extended {
            dialect,
            body,
            position,
            ..
        } = match symbol {
            Symbol::Alias(name) => {
                let Some(ty) = self.type_aliases.get(name).copied() else {
                    return Err(self.wrong_token(format!("undefined symbol alias id '{name}'")));
                };
                self.use_alias(('!', name));
                return Ok(ty);
            }
            Symbol::Extended(extended) => extended,
        };
        if !context.declares_symbols_of(dialect) {
            if !context.allow_unregistered {
                return Err(self.unregistered_symbol(
                    &format!("!{dialect}"),
                    body,
                    position,
                    "type",
                ));
            }
            let kind = TypeKind::Opaque {
                dialect: context.name(dialect),
                text: context.name(body),
            };
            return Ok(context.ty(kind));
        }
        let (resume, name_end) = (self.token.start, position.0);
        self.seek(name_end);
        let (definition, name) =
            self.symbol_name_in(dialect, |context, name| context.type_definition(name));
        let Some(definition) = definition else {
            let message = match (dialect, name) {
                ("builtin", _) => "dialect 'builtin' provides no type parsing hook".to_owned(),
                _ if context.is_loaded(dialect) => "expected dynamic type".to_owned(),
                (_, name) => format!("unknown  type `{name}` in dialect `{dialect}`"),
            };
            return Err(self.plain_error(position, message));
        };
        self.symbol = position;
        let ty = (definition.parse)(self)?;
        self.end_of_symbol(resume, body, position)?;
        Ok(ty)
    }

    /// Reads the (dotted) mnemonic of a dialect type or attribute: the longest that is declared.
    pub(crate) fn symbol_name_in<D>(
        &mut self,
        dialect: &str,
        find: impl Fn(&crate::context::Context, &str) -> Option<D>,
    ) -> (Option<D>, &'a str) {
        if !self.is(TokenKind::Bare) {
            return (None, self.spelling());
        }
        let written = self.spelling();
        let mut name = written;
        // In a dialect created at run time only exact names match.
        let exact = self.context.is_loaded(dialect);
        loop {
            if let Some(definition) = find(self.context, &format!("{dialect}.{name}")) {
                let end = self.token.start + crate::text::lexer::offset(name.len());
                self.seek(end);
                return (Some(definition), name);
            }
            match name.rsplit_once('.') {
                Some((shorter, _)) if !exact => name = shorter,
                _ => return (None, written),
            }
        }
    }

    /// Checks that a hook has read a dialect symbol to its end.
    pub(crate) fn end_of_symbol(
        &mut self,
        resume: u32,
        body: &str,
        position: Position,
    ) -> ParseResult<()> {
        let end = position.0 + crate::text::lexer::offset(body.len());
        if self.token.start < end && !self.is(TokenKind::End) {
            return Err(self.wrong_token("unexpected text at the end of a dialect symbol"));
        }
        if self.token.start != resume {
            self.seek(resume);
        }
        Ok(())
    }

    pub(crate) fn unregistered_symbol(
        &mut self,
        prefix: &str,
        body: &str,
        position: Position,
        what: &str,
    ) -> Reported {
        let hint = "If this is intended, please call allowUnregisteredDialects() on the MLIRContext, or use \
                    -allow-unregistered-dialect with the MLIR opt tool used";
        let message =
            format!("{prefix}<\"{body}\"> : {what} created with unregistered dialect. {hint}");
        self.plain_error(position, message)
    }

    /// Parses `!name`, `!dialect.name<...>` or `!dialect<...>` (the same with `#`): an alias or the parts of a dialect symbol.
    pub(crate) fn extended_symbol(&mut self) -> ParseResult<Symbol<'a>> {
        let token = self.token;
        let identifier = self.slice(token.start + 1, token.end);
        let trailing = self.source[token.end as usize..].starts_with('<');
        let Some((dialect, rest)) = identifier.split_once('.') else {
            if !trailing {
                self.advance();
                return Ok(Symbol::Alias(identifier));
            }
            let end = self.symbol_body_end(token.end)?;
            let body = self.slice(token.end + 1, end - 1);
            self.seek(end);
            let position = Position(token.end + 1);
            return Ok(Symbol::Extended(Extended {
                dialect: identifier,
                body,
                position,
            }));
        };
        let start = token.end - crate::text::lexer::offset(rest.len());
        let end = if trailing {
            self.symbol_body_end(token.end)?
        } else {
            token.end
        };
        let body = self.slice(start, end);
        self.seek(end);
        Ok(Symbol::Extended(Extended {
            dialect,
            body,
            position: Position(start),
        }))
    }

    /// Returns the end of the balanced text that starts with the `<` at `start`.
    fn symbol_body_end(&mut self, start: u32) -> ParseResult<u32> {
        let bytes = self.source.as_bytes();
        let mut at = start as usize;
        let mut open: Vec<u8> = Vec::new();
        loop {
            let Some(byte) = bytes.get(at).copied() else {
                let end = Position(start);
                return Err(match open.last() {
                    Some(open) => {
                        let message = format!(
                            "unbalanced '{}' character in pretty dialect name",
                            char::from(*open)
                        );
                        self.plain_error(end, message)
                    }
                    None => self.plain_error(end, "unexpected nul or EOF in pretty dialect name"),
                });
            };
            at += 1;
            let closes = match byte {
                b'<' | b'[' | b'(' | b'{' => {
                    open.push(byte);
                    continue;
                }
                b'-' if bytes.get(at) == Some(&b'>') => {
                    at += 1;
                    continue;
                }
                b'"' => {
                    let mut lexer = self.lexer;
                    lexer.seek(crate::text::lexer::offset(at - 1));
                    let token = lexer.next();
                    if token.kind == TokenKind::Error {
                        self.lexer = lexer;
                        self.token = token;
                        return Err(self.plain_error(self.position(), ""));
                    }
                    at = token.end as usize;
                    continue;
                }
                b'>' => b'<',
                b']' => b'[',
                b')' => b'(',
                b'}' => b'{',
                _ => continue,
            };
            let last = open.pop();
            if last != Some(closes) {
                let character = char::from(last.unwrap_or(byte));
                let message = format!("unbalanced '{character}' character in pretty dialect name");
                return Err(self.plain_error(Position(start), message));
            }
            if open.is_empty() {
                return Ok(crate::text::lexer::offset(at));
            }
        }
    }

    /// Reads attributes of a dialect type or attribute between `<` and `>`; types are wrapped.
    pub fn parse_parameters(&mut self) -> ParseResult<Vec<Attribute>> {
        let mut parameters = Vec::new();
        self.parse_comma_separated(Delimiter::OptionalAngle, |parser| {
            parameters.push(parser.parse_attribute()?);
            Ok(())
        })?;
        Ok(parameters)
    }
}

/// The form of `!...` or `#...`.
pub(crate) enum Symbol<'a> {
    /// `!name`
    Alias(&'a str),
    /// `!dialect.name<...>` or `!dialect<...>`
    Extended(Extended<'a>),
}

/// The parts of a dialect symbol.
pub(crate) struct Extended<'a> {
    pub(crate) dialect: &'a str,
    pub(crate) body: &'a str,
    /// Position of the body.
    pub(crate) position: Position,
}

fn split_integer_type(text: &str) -> Option<(Signedness, &str)> {
    let (signedness, digits) = match text.as_bytes() {
        [b'i', ..] => (Signedness::Signless, &text[1..]),
        [b's', b'i', ..] => (Signedness::Signed, &text[2..]),
        [b'u', b'i', ..] => (Signedness::Unsigned, &text[2..]),
        _ => return None,
    };
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
        .then_some((signedness, digits))
}

/// Returns true if `text` starts a builtin type.
pub(crate) fn is_type_keyword(text: &str) -> bool {
    matches!(
        text,
        "index" | "none" | "memref" | "tensor" | "vector" | "complex" | "tuple"
    ) || split_integer_type(text).is_some()
        || FloatKind::ALL.iter().any(|kind| kind.keyword() == text)
}
