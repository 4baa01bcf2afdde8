//! Attributes: builtin ones, those of declared dialects, opaque ones, aliases, dictionaries and symbols.

use crate::attributes::AttributeKind;
use crate::bits::Bits;
use crate::definition::{EnumDefinition, EnumStorage};
use crate::ids::{Attribute, Name, Type};
use crate::limits::Limit;
use crate::text::lexer::{TokenKind, unescape};
use crate::text::numbers::parse_float;
use crate::text::parser::Parser;
use crate::text::types::{Extended, Symbol, is_type_keyword};
use crate::text::{Delimiter, OperationState, ParseResult, Position};
use crate::types::{FloatKind, Signedness, TypeKind};

impl<'a> Parser<'a> {
    /// Reads an attribute, with its type.
    pub fn parse_attribute(&mut self) -> ParseResult<Attribute> {
        self.enter()?;
        let result = self.attribute(None);
        self.depth -= 1;
        result
    }

    /// Reads a string attribute without a type if one is next.
    pub fn parse_optional_string_attribute(&mut self) -> Option<Attribute> {
        if !self.is(TokenKind::String) {
            return None;
        }
        let value = crate::text::lexer::unescape(self.spelling());
        self.advance();
        let kind = AttributeKind::String {
            value: value.into(),
            ty: None,
        };
        Some(self.context.attribute(kind))
    }

    /// Reads an attribute without its type, which is `ty`.
    pub fn parse_attribute_with_type(&mut self, ty: Type) -> ParseResult<Attribute> {
        self.enter()?;
        let result = self.attribute(Some(ty));
        self.depth -= 1;
        result
    }

    /// Reads an attribute if one is next.
    pub fn parse_optional_attribute(&mut self) -> ParseResult<Option<Attribute>> {
        let starts = match self.token.kind {
            TokenKind::At
            | TokenKind::Float
            | TokenKind::Integer
            | TokenKind::Hash
            | TokenKind::LeftBrace
            | TokenKind::LeftSquare
            | TokenKind::Minus
            | TokenKind::String
            | TokenKind::Exclamation => true,
            TokenKind::Bare => {
                let text = self.spelling();
                is_type_keyword(text) || is_attribute_keyword(text)
            }
            _ => false,
        };
        if starts {
            self.parse_attribute().map(Some)
        } else {
            Ok(None)
        }
    }

    fn attribute(&mut self, ty: Option<Type>) -> ParseResult<Attribute> {
        let context = self.context;
        match self.token.kind {
            TokenKind::At => self.symbol_reference(),
            TokenKind::Float => self.float(ty, false),
            TokenKind::Integer => self.number(ty, false),
            TokenKind::Minus => {
                self.advance();
                match self.token.kind {
                    TokenKind::Integer => self.number(ty, true),
                    TokenKind::Float => self.float(ty, true),
                    _ => Err(self.wrong_token("expected constant integer or floating point value")),
                }
            }
            TokenKind::Hash => self.extended_attribute(ty),
            TokenKind::LeftBrace => {
                let entries = self.dictionary_entries()?;
                Ok(context.dictionary_attribute(&entries))
            }
            TokenKind::LeftSquare => {
                self.advance();
                let mut elements = Vec::new();
                if !self.accept(TokenKind::RightSquare) {
                    loop {
                        elements.push(self.parse_attribute()?);
                        if !self.accept(TokenKind::Comma) {
                            break;
                        }
                    }
                    self.expect(TokenKind::RightSquare, "expected ']'")?;
                }
                Ok(context.array_attribute(&elements))
            }
            TokenKind::String => {
                let value = unescape(self.spelling()).into_boxed_slice();
                self.advance();
                let ty = match ty {
                    None if self.accept(TokenKind::Colon) => Some(self.parse_type()?),
                    ty => ty.filter(|ty| !matches!(ty.kind(context), TypeKind::None)),
                };
                Ok(context.attribute(AttributeKind::String { value, ty }))
            }
            TokenKind::Bare => self.keyword_attribute(ty),
            TokenKind::Exclamation | TokenKind::LeftParen => {
                let ty = self.parse_type()?;
                Ok(context.type_attribute(ty))
            }
            _ => Err(self.wrong_token("expected attribute value")),
        }
    }

    fn keyword_attribute(&mut self, ty: Option<Type>) -> ParseResult<Attribute> {
        let context = self.context;
        match self.spelling() {
            "true" | "false" => {
                let value = self.spelling() == "true";
                self.advance();
                if ty.is_some_and(|ty| ty != context.integer_type(1)) {
                    let position = self.position();
                    return Err(
                        self.plain_error(position, "expected integer value, but got a boolean")
                    );
                }
                Ok(context.bool_attribute(value))
            }
            "unit" => {
                self.advance();
                Ok(context.unit_attribute())
            }
            "affine_map" => {
                self.advance();
                self.expect(TokenKind::Less, "expected '<' in affine map")?;
                let map = self.affine_map_body()?;
                self.expect(TokenKind::Greater, "expected '>' in affine map")?;
                Ok(context.affine_map_attribute(map))
            }
            "affine_set" => {
                self.advance();
                self.expect(TokenKind::Less, "expected '<' in integer set")?;
                let set = self.integer_set_body()?;
                self.expect(TokenKind::Greater, "expected '>' in integer set")?;
                Ok(context.integer_set_attribute(set))
            }
            "dense" => self.dense_elements(ty),
            "dense_resource" => self.dense_resource(ty),
            "sparse" => self.sparse_elements(ty),
            "array" => self.dense_array(),
            "strided" => self.strided_layout(),
            "distinct" => self.distinct(),
            "loc" => {
                let location = self
                    .parse_optional_location()?
                    .unwrap_or(crate::ids::Location::UNKNOWN);
                Ok(context.attribute(AttributeKind::Location(location)))
            }
            text if is_type_keyword(text) => {
                let ty = self.parse_type()?;
                Ok(context.type_attribute(ty))
            }
            _ => Err(self.wrong_token("expected attribute value")),
        }
    }

    // Numbers.

    fn float(&mut self, ty: Option<Type>, negative: bool) -> ParseResult<Attribute> {
        let (text, position) = (self.spelling(), self.position());
        self.advance();
        let ty = match ty {
            Some(ty) => ty,
            None if self.accept(TokenKind::Colon) => self.parse_type()?,
            None => self.context.float_type(FloatKind::F64),
        };
        let TypeKind::Float(kind) = ty.kind(self.context) else {
            return Err(self.plain_error(
                self.position(),
                "floating point value not valid for specified type",
            ));
        };
        let bits = self.float_bits(*kind, text, negative, position)?;
        Ok(self.context.attribute(AttributeKind::Float { ty, bits }))
    }

    /// Returns the bits of a float literal.
    pub(crate) fn float_bits(
        &mut self,
        kind: FloatKind,
        text: &str,
        negative: bool,
        position: Position,
    ) -> ParseResult<Bits> {
        self.check_digits(text, position)?;
        if negative && kind == FloatKind::F8E8M0FNU {
            let message =
                "negative floating point literal for a type with no signed representation";
            return Err(self.plain_error(position, message));
        }
        let bits = match negative {
            true => parse_float(kind, &format!("-{text}")),
            false => parse_float(kind, text),
        };
        bits.ok_or_else(|| {
            self.plain_error(position, "floating point value too large for attribute")
        })
    }

    fn number(&mut self, ty: Option<Type>, negative: bool) -> ParseResult<Attribute> {
        let (text, position) = (self.spelling(), self.position());
        self.advance();
        let ty = match ty {
            Some(ty) => ty,
            None if self.accept(TokenKind::Colon) => self.parse_type()?,
            None => self.context.integer_type(64),
        };
        let context = self.context;
        match ty.kind(context) {
            TypeKind::Float(kind) => {
                let bits = self.hex_float_bits(*kind, text, negative, position)?;
                Ok(context.attribute(AttributeKind::Float { ty, bits }))
            }
            TypeKind::Integer { .. } | TypeKind::Index => {
                let value = self.integer_bits(ty, text, negative, position)?;
                Ok(context.attribute(AttributeKind::Integer { ty, value }))
            }
            _ => Err(self.plain_error(position, "integer literal not valid for specified type")),
        }
    }

    /// Returns the bits of a float that is written as `0x...`.
    pub(crate) fn hex_float_bits(
        &mut self,
        kind: FloatKind,
        text: &str,
        negative: bool,
        position: Position,
    ) -> ParseResult<Bits> {
        let Some(digits) = text.strip_prefix("0x") else {
            let message = "unexpected decimal integer literal for a floating point value";
            let reported = self.plain_error(position, message);
            self.note(position, "add a trailing dot to make the literal a float");
            return Err(reported);
        };
        if negative {
            let message = "hexadecimal float literal should not have a leading minus";
            return Err(self.plain_error(position, message));
        }
        let bits = Bits::parse_hex(digits, kind.width_bits());
        bits.ok_or_else(|| {
            self.plain_error(position, "hexadecimal float constant out of range for type")
        })
    }

    fn check_digits(&mut self, text: &str, position: Position) -> ParseResult<()> {
        let checked = (self.context.limits).check(Limit::NumberDigits, text.len() as u128);
        checked.map_err(|excess| self.plain_error(position, format!("number of {excess}")))
    }

    /// Returns the bits of an integer literal in the integer or index type `ty`.
    pub(crate) fn integer_bits(
        &mut self,
        ty: Type,
        text: &str,
        negative: bool,
        position: Position,
    ) -> ParseResult<Bits> {
        let width = ty
            .width_bits(self.context)
            .expect("callers check that the type is an integer or index");
        let signedness = match ty.kind(self.context) {
            TypeKind::Integer { signedness, .. } => *signedness,
            _ => Signedness::Signless,
        };
        if negative && signedness == Signedness::Unsigned {
            let message = "negative integer literal not valid for unsigned integer type";
            return Err(self.plain_error(position, message));
        }
        self.check_digits(text, position)?;
        let bits = match text.strip_prefix("0x") {
            Some(digits) => {
                Bits::parse_hex(digits, width).map(|bits| if negative { bits.neg() } else { bits })
            }
            None => Bits::parse_decimal(text, negative, width),
        };
        let fits = |bits: &Bits| match signedness {
            // Either a minus must lead to a negative number, or the literal has too many bits.
            _ if negative => bits.sign_bit(),
            Signedness::Signed => !bits.sign_bit(),
            // An index is read as a signed number.
            Signedness::Signless if ty.is_index(self.context) => !bits.sign_bit(),
            Signedness::Signless | Signedness::Unsigned => true,
        };
        let bits = bits.filter(fits);
        bits.ok_or_else(|| {
            self.plain_error(position, "integer constant out of range for attribute")
        })
    }

    // Symbols.

    /// Reads `@name`.
    pub fn parse_symbol_name(&mut self) -> ParseResult<Name> {
        match self.parse_optional_symbol_name()? {
            Some(name) => Ok(name),
            None => Err(self.error_here("expected valid '@'-identifier for symbol name")),
        }
    }

    /// Reads `@name` if it is next.
    pub fn parse_optional_symbol_name(&mut self) -> ParseResult<Option<Name>> {
        if !self.is(TokenKind::At) {
            return Ok(None);
        }
        let text = self.spelling();
        let name = if text.as_bytes().get(1) == Some(&b'"') {
            match String::from_utf8(unescape(&text[1..])) {
                Ok(text) => self.context.name(&text),
                Err(_) => return Err(self.error_here("expected UTF-8 text in a symbol name")),
            }
        } else {
            self.context.name(&text[1..])
        };
        self.advance();
        Ok(Some(name))
    }

    /// Reads `@name` into the string attribute `attribute`.
    pub fn parse_symbol_name_attribute(
        &mut self,
        attribute: &str,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        let name = self.parse_symbol_name()?;
        let value = self.context.string_attribute(self.context.text(name));
        state.set_attribute(self.context, attribute, value);
        Ok(())
    }

    fn symbol_reference(&mut self) -> ParseResult<Attribute> {
        let root = self.parse_symbol_name()?;
        let mut nested = Vec::new();
        while self.peek("::") {
            self.parse_optional_double_colon();
            if !self.is(TokenKind::At) {
                return Err(self.wrong_token("expected nested symbol reference identifier"));
            }
            nested.push(self.parse_symbol_name()?);
        }
        Ok(self.context.attribute(AttributeKind::SymbolRef {
            root,
            nested: nested.into(),
        }))
    }

    // Dictionaries.

    /// Reads `{...}` if it is next.
    pub fn parse_attribute_dictionary(&mut self, state: &mut OperationState) -> ParseResult<()> {
        self.attributes_before_dictionary(state)?;
        let start = self.position();
        self.attribute_dictionary_from(start, state)
    }

    fn attribute_dictionary_from(
        &mut self,
        start: Position,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        if !self.is(TokenKind::LeftBrace) {
            return Ok(());
        }
        self.advance();
        if self.accept(TokenKind::RightBrace) {
            return Ok(());
        }
        let known = state.attributes.len();
        loop {
            let position = self.position();
            let (name, attribute) = self.dictionary_entry()?;
            if state.attributes[known..].iter().any(|(n, _)| *n == name) {
                return Err(self.duplicate_key(name, position));
            }
            if !Self::push_attribute(state, name, attribute) {
                let name = self.context.text(name);
                let message = format!(
                    "'{name}' is an inferred attribute and should not be specified in the explicit attribute dictionary"
                );
                return Err(self.error(start, message));
            }
            if !self.accept(TokenKind::Comma) {
                return self.expect(
                    TokenKind::RightBrace,
                    "expected '}' in attribute dictionary",
                );
            }
        }
    }

    /// Reads `attributes {...}` if it is next.
    pub fn parse_attribute_dictionary_with_keyword(
        &mut self,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        let start = self.position();
        if !self.parse_optional_keyword("attributes") {
            return Ok(());
        }
        if !self.is(TokenKind::LeftBrace) {
            return Err(self.wrong_token("expected '{' in attribute dictionary"));
        }
        self.attribute_dictionary_from(start, state)
    }

    /// Reads `{...}` if it is next, as a dictionary attribute.
    pub fn parse_optional_dictionary(&mut self) -> ParseResult<Option<Attribute>> {
        if !self.is(TokenKind::LeftBrace) {
            return Ok(None);
        }
        let entries = self.dictionary_entries()?;
        Ok(Some(self.context.dictionary_attribute(&entries)))
    }

    fn dictionary_entries(&mut self) -> ParseResult<Vec<(Name, Attribute)>> {
        self.expect(TokenKind::LeftBrace, "expected '{' in attribute dictionary")?;
        let mut entries: Vec<(Name, Attribute)> = Vec::new();
        if self.accept(TokenKind::RightBrace) {
            return Ok(entries);
        }
        loop {
            let position = self.position();
            let (name, attribute) = self.dictionary_entry()?;
            if entries.iter().any(|(n, _)| *n == name) {
                return Err(self.duplicate_key(name, position));
            }
            entries.push((name, attribute));
            if !self.accept(TokenKind::Comma) {
                self.expect(
                    TokenKind::RightBrace,
                    "expected '}' in attribute dictionary",
                )?;
                return Ok(entries);
            }
        }
    }

    fn duplicate_key(&mut self, name: Name, position: Position) -> crate::text::Reported {
        let name = self.context.text(name);
        self.plain_error(
            position,
            format!("duplicate key '{name}' in dictionary attribute"),
        )
    }

    fn dictionary_entry(&mut self) -> ParseResult<(Name, Attribute)> {
        let name = match self.token.kind {
            TokenKind::String => match String::from_utf8(unescape(self.spelling())) {
                Ok(text) if text.is_empty() => {
                    return Err(self.wrong_token("expected valid attribute name"));
                }
                Ok(text) => self.context.name(&text),
                Err(_) => return Err(self.wrong_token("expected UTF-8 text in an attribute name")),
            },
            TokenKind::Bare => self.context.name(self.spelling()),
            _ => return Err(self.wrong_token("expected attribute name")),
        };
        self.advance();
        if !self.accept(TokenKind::Equal) {
            return Ok((name, self.context.unit_attribute()));
        }
        Ok((name, self.parse_attribute()?))
    }

    // Dialect attributes.

    fn extended_attribute(&mut self, ty: Option<Type>) -> ParseResult<Attribute> {
        let symbol = self.extended_symbol()?;
        let context = self.context;
        let Extended {
            dialect,
            body,
            position,
        } = match symbol {
            Symbol::Alias(name) => {
                let Some(attribute) = self.attribute_aliases.get(name).copied() else {
                    return Err(self.wrong_token(format!("undefined symbol alias id '{name}'")));
                };
                self.use_alias(('#', name));
                return Ok(attribute);
            }
            Symbol::Extended(extended) => extended,
        };
        if !context.declares_symbols_of(dialect) {
            let ty = match ty {
                None if self.accept(TokenKind::Colon) => Some(self.parse_type()?),
                ty => ty,
            };
            if !context.allow_unregistered {
                return Err(self.unregistered_symbol(
                    &format!("#{dialect}"),
                    body,
                    position,
                    "attribute",
                ));
            }
            let (dialect, text) = (context.name(dialect), context.name(body));
            return Ok(context.attribute(AttributeKind::Opaque { dialect, text, ty }));
        }
        // Any attribute may be followed by a type. The type determines how the parameters of a typed attribute are parsed.
        let own_type = match self.accept(TokenKind::Colon) {
            true => Some(self.parse_type()?),
            false => ty,
        };
        let resume = self.token.start;
        self.seek(position.0);
        let (definition, name) =
            self.symbol_name_in(dialect, |context, name| context.attribute_definition(name));
        let Some(definition) = definition else {
            let message = match dialect {
                "builtin" => "dialect 'builtin' provides no attribute parsing hook".to_owned(),
                _ if context.is_loaded(dialect) => "expected dynamic attribute".to_owned(),
                _ => format!("unknown attribute `{name}` in dialect `{dialect}`"),
            };
            return Err(self.plain_error(position, message));
        };
        let outer = std::mem::replace(&mut self.own_type, own_type);
        self.symbol = position;
        let attribute = (definition.parse)(self);
        self.own_type = outer;
        let attribute = attribute?;
        self.end_of_symbol(resume, body, position)?;
        if !definition.typed {
            return Ok(attribute);
        }
        let ty = own_type.unwrap_or_else(|| context.none_type());
        let AttributeKind::Dialect { name, parameters } = attribute.kind(context) else {
            return Ok(attribute);
        };
        // A hook that knows the type has already added it.
        if parameters
            .last()
            .is_some_and(|last| last.as_type(context).is_some())
        {
            return Ok(attribute);
        }
        let ty = context.type_attribute(ty);
        let parameters = parameters.iter().copied().chain([ty]).collect();
        Ok(context.attribute(AttributeKind::Dialect {
            name: *name,
            parameters,
        }))
    }

    // Enumerations.

    /// Reads a keyword of an enumeration, or `a, b` of a set of flags.
    pub fn parse_enum_value(&mut self, definition: &EnumDefinition) -> ParseResult<u64> {
        self.enum_value(definition, definition.name)
    }

    /// Reads an enumeration that attribute `name` holds.
    fn enum_value(&mut self, definition: &EnumDefinition, name: &str) -> ParseResult<u64> {
        let mut value = self.enum_case(definition, name)?;
        while definition.flags && self.accept(TokenKind::Comma) {
            value |= self.enum_case(definition, name)?;
        }
        Ok(value)
    }

    fn enum_case(&mut self, definition: &EnumDefinition, name: &str) -> ParseResult<u64> {
        let found = match self.token.kind {
            TokenKind::Bare => Some(self.spelling()),
            TokenKind::String => Some(self.spelling().trim_matches('"')),
            _ => None,
        };
        let case = found.and_then(|text| {
            definition
                .cases
                .iter()
                .find(|(keyword, _)| *keyword == text)
        });
        match case {
            Some((_, value)) => {
                self.advance();
                Ok(*value)
            }
            None => {
                let keywords: Vec<_> = definition
                    .cases
                    .iter()
                    .map(|(keyword, _)| *keyword)
                    .collect();
                if let EnumStorage::Dialect(attribute) = definition.storage {
                    // Upstream reads these as parameters of an attribute, with other messages.
                    if found.is_none() {
                        return Err(self.error_here("expected valid keyword"));
                    }
                    let dialect = attribute.split('.').next().unwrap_or_default();
                    let message = format!(
                        "expected ::mlir::{dialect}::{} to be one of: {}",
                        definition.name,
                        keywords.join(", ")
                    );
                    return Err(self.error_here(message));
                }
                let message = format!(
                    "expected string or keyword containing one of the following enum values for attribute '{name}' [{}]",
                    keywords.join(", ")
                );
                Err(self.error_here(message))
            }
        }
    }

    /// Reads a keyword of an enumeration as its attribute; `<a, b>` is read as well.
    pub fn parse_enum_attribute(&mut self, definition: &EnumDefinition) -> ParseResult<Attribute> {
        self.enum_attribute(definition, definition.name)
    }

    /// Reads the enumeration attribute called `name`.
    pub(crate) fn enum_attribute(
        &mut self,
        definition: &EnumDefinition,
        name: &str,
    ) -> ParseResult<Attribute> {
        let in_dialect = matches!(definition.storage, EnumStorage::Dialect(_));
        let bracketed = match in_dialect && definition.flags {
            true => {
                self.expect(TokenKind::Less, "expected '<'")?;
                true
            }
            false => in_dialect && self.accept(TokenKind::Less),
        };
        let value = self.enum_value(definition, name)?;
        if bracketed {
            self.expect(TokenKind::Greater, "expected '>'")?;
        }
        Ok(definition.attribute(self.context, value))
    }

    // Arrays, layouts, distinct attributes.

    fn dense_array(&mut self) -> ParseResult<Attribute> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' after 'array'")?;
        let position = self.position();
        let element = self.parse_type()?;
        let width = match element.kind(self.context) {
            TypeKind::Integer { width_bits, .. } => *width_bits,
            TypeKind::Float(kind) => kind.width_bits(),
            _ => return Err(self.plain_error(position, "expected integer or float type")),
        };
        if width != 1 && width % 8 != 0 {
            return Err(self.plain_error(position, "element type bitwidth must be a multiple of 8"));
        }
        let mut values = Vec::new();
        if !self.is(TokenKind::Greater) {
            self.expect(TokenKind::Colon, "expected ':' after dense array type")?;
            self.parse_comma_separated(Delimiter::None, |parser| {
                let position = parser.position();
                let attribute = parser.parse_attribute_with_type(element)?;
                match attribute.kind(parser.context) {
                    AttributeKind::Integer { value, .. } => values.push(value.clone()),
                    AttributeKind::Float { bits, .. } => values.push(bits.clone()),
                    _ => {
                        return Err(
                            parser.plain_error(position, "expected a number in a dense array")
                        );
                    }
                }
                Ok(())
            })?;
        }
        self.expect(
            TokenKind::Greater,
            "expected '>' to close an array attribute",
        )?;
        Ok(self.context.attribute(AttributeKind::DenseArray {
            element,
            values: values.into(),
        }))
    }

    fn strided_layout(&mut self) -> ParseResult<Attribute> {
        let start = self.position();
        self.advance();
        self.expect(TokenKind::Less, "expected '<' after 'strided'")?;
        let mut strides = Vec::new();
        self.parse_comma_separated(Delimiter::Square, |parser| {
            strides.push(parser.stride()?);
            Ok(())
        })?;
        let has_zero = strides.contains(&Some(0));
        let mut offset = Some(0);
        if self.accept(TokenKind::Comma) {
            if !self.parse_optional_keyword("offset") {
                return Err(self.wrong_token("expected 'offset' after comma"));
            }
            self.expect(TokenKind::Colon, "expected ':' after 'offset'")?;
            offset = self.stride()?;
        }
        self.expect(TokenKind::Greater, "expected '>'")?;
        if has_zero {
            return Err(self.plain_error(start, "strides must not be zero"));
        }
        Ok(self.context.attribute(AttributeKind::StridedLayout {
            offset,
            strides: strides.into(),
        }))
    }

    fn stride(&mut self) -> ParseResult<Option<i64>> {
        if self.accept(TokenKind::Question) {
            return Ok(None);
        }
        let position = self.position();
        let message = "expected a 64-bit signed integer or '?'";
        match self.parse_optional_integer()? {
            // Upstream uses this number for an unknown size.
            Some(i64::MIN) => Err(self.plain_error(position, message)),
            Some(value) => Ok(Some(value)),
            None => Err(self.wrong_token(message)),
        }
    }

    fn distinct(&mut self) -> ParseResult<Attribute> {
        let start = self.position();
        self.advance();
        self.expect(TokenKind::LeftSquare, "expected '[' after 'distinct'")?;
        let id = self.parse_unsigned()?;
        self.expect(TokenKind::RightSquare, "expected ']' to close distinct ID")?;
        self.expect(TokenKind::Less, "expected '<' after distinct ID")?;
        let referenced = if self.is(TokenKind::Greater) {
            self.context.unit_attribute()
        } else {
            self.parse_attribute()?
        };
        self.expect(
            TokenKind::Greater,
            "expected '>' to close distinct attribute",
        )?;
        if let Some(known) = self.distinct.get(&id)
            && *known != referenced
        {
            let message =
                format!("referenced attribute does not match previous definition of distinct {id}");
            return Err(self.plain_error(start, message));
        }
        self.distinct.insert(id, referenced);
        Ok(self
            .context
            .attribute(AttributeKind::Distinct { id, referenced }))
    }
}

fn is_attribute_keyword(text: &str) -> bool {
    matches!(
        text,
        "true"
            | "false"
            | "unit"
            | "affine_map"
            | "affine_set"
            | "dense"
            | "dense_resource"
            | "sparse"
            | "array"
            | "strided"
            | "distinct"
            | "loc"
    )
}

impl EnumDefinition {
    /// Returns the attribute that stores `value`.
    pub fn attribute(&self, context: &crate::context::Context, value: u64) -> Attribute {
        match self.storage {
            EnumStorage::Integer(width) => {
                context.integer_attribute(context.integer_type(width), Bits::from_u64(width, value))
            }
            EnumStorage::Dialect(name) => {
                let parameter =
                    context.integer_attribute(context.integer_type(64), Bits::from_u64(64, value));
                let name = context.name(name);
                context.attribute(AttributeKind::Dialect {
                    name,
                    parameters: Box::new([parameter]),
                })
            }
        }
    }

    /// Returns the value that `attribute` stores, if it is of this enumeration.
    pub fn value(&self, context: &crate::context::Context, attribute: Attribute) -> Option<u64> {
        match (self.storage, attribute.kind(context)) {
            (EnumStorage::Integer(width), AttributeKind::Integer { ty, value })
                if ty.is_signless_integer(context) && value.width() == width =>
            {
                value.to_u64()
            }
            (
                EnumStorage::Dialect(name),
                AttributeKind::Dialect {
                    name: found,
                    parameters,
                },
            ) => {
                let same = context.text(*found) == name;
                parameters
                    .first()
                    .filter(|_| same)?
                    .integer(context)?
                    .to_u64()
            }
            _ => None,
        }
    }

    /// Returns true if `attribute` stores one of the cases.
    pub fn is_case(&self, context: &crate::context::Context, attribute: Attribute) -> bool {
        let value = self.value(context, attribute);
        value.is_some_and(|value| self.cases.iter().any(|(_, case)| *case == value))
    }

    /// Returns the text of `value`: a keyword, or keywords of flags separated by commas; `None` if it has none.
    pub fn keywords(&self, value: u64) -> Option<String> {
        if let Some((keyword, _)) = self.cases.iter().find(|(_, case)| *case == value) {
            return Some((*keyword).to_owned());
        }
        if !self.flags {
            return None;
        }
        let mut rest = value;
        let mut keywords = Vec::new();
        let groups_first = |bits: &u64| std::cmp::Reverse(bits.count_ones());
        let mut cases: Vec<_> = self.cases.iter().filter(|(_, bits)| *bits != 0).collect();
        cases.sort_by_key(|(_, bits)| groups_first(bits));
        let mut taken = Vec::new();
        for case in cases {
            if rest & case.1 == case.1 {
                rest &= !case.1;
                taken.push(case);
            }
        }
        for (keyword, bits) in self.cases {
            if taken.iter().any(|(_, t)| t == bits) {
                keywords.push(*keyword);
            }
        }
        let separator = crate::text::conventions::flag_separator(self.name);
        (rest == 0).then(|| keywords.join(separator))
    }
}

/// Returns true if a bare word starts an attribute value.
pub(crate) fn starts_attribute_value(text: &str) -> bool {
    is_attribute_keyword(text) || is_type_keyword(text)
}
