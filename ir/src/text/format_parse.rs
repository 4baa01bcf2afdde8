//! Parsing with declarative assembly formats: tokens according to the elements of a format, types by inference.

use smallvec::SmallVec;

use crate::definition::{
    Arity, AttributeSpec, AttributeSyntax, FormatElement, OperandSpec, OperationDefinition, Site,
    TraitRule, Traits, TypesOf,
};
use crate::ids::{Attribute, Type};
use crate::text::format_parts::{FormatParts, Group, Span, add_type, fill};
use crate::text::lexer::TokenKind;
use crate::text::parser::Parser;
use crate::text::{Delimiter, OperationState, ParseResult, UnresolvedOperand};

/// Types of the values of a group.
type Types = SmallVec<[Type; 2]>;

impl<'a> Parser<'a> {
    /// Reads the text after the name of an operation with a declarative format.
    pub(crate) fn parse_format(
        &mut self,
        definition: &'static OperationDefinition,
        elements: &'static [FormatElement],
        state: &mut OperationState,
    ) -> ParseResult<()> {
        let mut parsed = FormatParts::new(definition);
        self.format_elements(definition, elements, &mut parsed, state)?;
        self.add_missing_regions(definition, state);
        self.resolve_format(definition, &mut parsed, state)
    }

    fn add_missing_regions(
        &mut self,
        definition: &OperationDefinition,
        state: &mut OperationState,
    ) {
        let declared = definition
            .regions
            .iter()
            .filter(|region| region.arity == Arity::Single)
            .count();
        while state.n_regions < declared {
            self.add_empty_region(state);
        }
    }

    fn format_elements(
        &mut self,
        definition: &'static OperationDefinition,
        elements: &'static [FormatElement],
        parsed: &mut FormatParts,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        for element in elements {
            self.format_element(definition, element, parsed, state)?;
        }
        Ok(())
    }

    fn format_element(
        &mut self,
        definition: &'static OperationDefinition,
        element: &'static FormatElement,
        parsed: &mut FormatParts,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        match element {
            FormatElement::Literal(text) => self.parse_literal(text),
            FormatElement::Whitespace(_) => Ok(()),
            FormatElement::Operand(index) => self.format_operands(definition, *index, parsed),
            FormatElement::Attribute { index, .. } => {
                self.format_attribute(definition, *index, state)
            }
            FormatElement::Region(index) => match definition.regions[*index].arity {
                Arity::Single => self.parse_region(&[], state),
                Arity::Optional => self.parse_optional_region(&[], state).map(|_| ()),
                Arity::Variadic => self.format_regions(state),
            },
            FormatElement::Regions => self.format_regions(state),
            FormatElement::Successor(index) => match definition.successors[*index].arity {
                Arity::Single => {
                    let block = self.parse_successor()?;
                    state.successors.push(block);
                    Ok(())
                }
                Arity::Optional | Arity::Variadic => self.format_successors(state),
            },
            FormatElement::Successors => self.format_successors(state),
            FormatElement::AttrDict { keyword } => {
                self.format_dictionary(definition, *keyword, state)
            }
            FormatElement::PropDict => self.format_properties(definition, state),
            FormatElement::Type(of) | FormatElement::QualifiedType(of) => {
                self.format_types(definition, *of, parsed)
            }
            FormatElement::NestedOperands { group, sizes } => {
                self.format_nested_operands(definition, (*group, *sizes), parsed, state)
            }
            FormatElement::NestedTypes { group, .. } => self.format_nested_types(*group, parsed),
            FormatElement::Operands => {
                parsed.all_operands =
                    Some(self.parse_operand_list(crate::text::Delimiter::NoneOrEmpty)?);
                Ok(())
            }
            FormatElement::FunctionalType(inputs, results) => {
                let position = self.position();
                let (input_types, result_types) = self.parse_function_type()?;
                parsed.set_types(*inputs, &input_types, position);
                parsed.set_types(*results, &result_types, position);
                Ok(())
            }
            FormatElement::Custom { parse, .. } => parse(self, state, parsed),
            FormatElement::Optional {
                then, otherwise, ..
            } => {
                let first = then
                    .iter()
                    .position(|element| !matches!(element, FormatElement::Whitespace(_)));
                let first = first.unwrap_or(0);
                let present = match then.get(first) {
                    Some(element) => self.format_first(definition, element, parsed, state)?,
                    None => false,
                };
                if present {
                    self.format_elements(definition, &then[first + 1..], parsed, state)
                } else {
                    // Regions have fixed positions: an omitted region exists without blocks.
                    for element in *then {
                        if let FormatElement::Region(index) = element
                            && definition.regions[*index].arity == Arity::Single
                        {
                            self.add_empty_region(state);
                        }
                    }
                    self.format_elements(definition, otherwise, parsed, state)
                }
            }
            FormatElement::Clauses(clauses) => {
                self.format_clauses(definition, clauses, parsed, state)
            }
        }
    }

    fn format_clauses(
        &mut self,
        definition: &'static OperationDefinition,
        clauses: &'static [(&'static str, &'static [FormatElement])],
        parsed: &mut FormatParts,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        let mut seen: SmallVec<[&str; 4]> = SmallVec::new();
        while let Some((keyword, elements)) = clauses.iter().find(|(keyword, _)| self.peek(keyword))
        {
            if seen.contains(keyword) {
                return Err(self.error_here(format!("`{keyword}` clause can appear at most once")));
            }
            seen.push(keyword);
            self.parse_literal(keyword)?;
            self.format_elements(definition, elements, parsed, state)?;
        }
        Ok(())
    }

    /// Reads the first element of an optional group if it is present.
    fn format_first(
        &mut self,
        definition: &'static OperationDefinition,
        element: &'static FormatElement,
        parsed: &mut FormatParts,
        state: &mut OperationState,
    ) -> ParseResult<bool> {
        let present = match element {
            FormatElement::Literal(text) => return Ok(self.parse_optional_literal(text)),
            FormatElement::Operand(_) | FormatElement::Operands => self.is(TokenKind::Percent),
            FormatElement::Attribute { index, .. } => self.starts_attribute(definition, *index),
            FormatElement::Region(_) | FormatElement::Regions => self.is(TokenKind::LeftBrace),
            FormatElement::Successor(_) | FormatElement::Successors => self.is(TokenKind::Caret),
            FormatElement::AttrDict { keyword: true } => self.peek("attributes"),
            FormatElement::AttrDict { keyword: false } => self.is(TokenKind::LeftBrace),
            FormatElement::PropDict => self.is(TokenKind::Less),
            FormatElement::FunctionalType(..)
            | FormatElement::NestedOperands { .. }
            | FormatElement::NestedTypes { .. } => self.is(TokenKind::LeftParen),
            FormatElement::Type(_) | FormatElement::QualifiedType(_) => match self.token.kind {
                TokenKind::LeftParen | TokenKind::Exclamation => true,
                TokenKind::Bare => crate::text::types::is_type_keyword(self.spelling()),
                _ => false,
            },
            FormatElement::Clauses(clauses) => {
                clauses.iter().any(|(keyword, _)| self.peek(keyword))
            }
            FormatElement::Custom { .. } => {
                // The hook parses its text if it is present; the position shows if it did.
                let before = self.position();
                self.format_element(definition, element, parsed, state)?;
                return Ok(self.position() != before);
            }
            FormatElement::Whitespace(_) | FormatElement::Optional { .. } => false,
        };
        if present {
            self.format_element(definition, element, parsed, state)?;
        }
        Ok(present)
    }

    fn starts_attribute(&self, definition: &OperationDefinition, index: usize) -> bool {
        let bare = self.is(TokenKind::Bare).then(|| self.spelling());
        match &definition.attributes[index].constraint.syntax {
            AttributeSyntax::Unit => false,
            AttributeSyntax::SymbolName => self.is(TokenKind::At),
            AttributeSyntax::Enumeration(cases) => {
                let keyword = bare
                    .is_some_and(|text| cases.cases.iter().any(|(keyword, _)| *keyword == text));
                keyword || self.is(TokenKind::Less)
            }
            AttributeSyntax::Type => {
                matches!(
                    self.token.kind,
                    TokenKind::Exclamation | TokenKind::LeftParen
                ) || bare.is_some_and(crate::text::types::is_type_keyword)
            }
            AttributeSyntax::Generic
            | AttributeSyntax::Untyped(_)
            | AttributeSyntax::Custom { .. } => {
                let literal = matches!(
                    self.token.kind,
                    TokenKind::At
                        | TokenKind::Float
                        | TokenKind::Integer
                        | TokenKind::Hash
                        | TokenKind::LeftSquare
                        | TokenKind::Minus
                        | TokenKind::String
                        | TokenKind::Exclamation
                );
                literal || bare.is_some_and(crate::text::attributes::starts_attribute_value)
            }
        }
    }

    fn format_attribute(
        &mut self,
        definition: &'static OperationDefinition,
        index: usize,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        let spec = &definition.attributes[index];
        let position = self.position();
        let attribute = self.parse_with_syntax(&spec.constraint.syntax, spec.name)?;
        if self.is_of_other_kind(spec, attribute) {
            return Err(self.error(position, "invalid kind of attribute specified"));
        }
        let name = self.context.operation_name_data(state.name).attribute_names[index];
        if !Self::push_attribute(state, name, attribute) {
            return Err(self.error_here(format!("attribute '{}' occurs more than once", spec.name)));
        }
        Ok(())
    }

    /// Returns true if an attribute is of another kind than declared. The verifier checks the value of an attribute of the right
    /// kind.
    fn is_of_other_kind(&self, spec: &AttributeSpec, attribute: Attribute) -> bool {
        if spec.constraint.accepts(self.context, attribute) {
            return false;
        }
        match spec.constraint.syntax {
            AttributeSyntax::Generic => attribute.as_array(self.context).is_none(),
            AttributeSyntax::Untyped(_) => attribute.integer(self.context).is_none(),
            _ => false,
        }
    }

    /// Reads an attribute in the syntax of a format element.
    fn parse_with_syntax(
        &mut self,
        syntax: &AttributeSyntax,
        name: &str,
    ) -> ParseResult<Attribute> {
        match syntax {
            AttributeSyntax::Generic => self.parse_attribute(),
            AttributeSyntax::Untyped(ty) => self.parse_attribute_with_type(ty(self.context)),
            AttributeSyntax::Enumeration(cases) => self.enum_attribute(cases, name),
            AttributeSyntax::SymbolName => {
                let name = self.parse_symbol_name()?;
                Ok(self.context.string_attribute(self.context.text(name)))
            }
            AttributeSyntax::Type => {
                let ty = self.parse_type()?;
                Ok(self.context.type_attribute(ty))
            }
            AttributeSyntax::Unit => Ok(self.context.unit_attribute()),
            AttributeSyntax::Custom { parse, .. } => parse(self),
        }
    }

    fn format_operands(
        &mut self,
        definition: &'static OperationDefinition,
        index: usize,
        parsed: &mut FormatParts,
    ) -> ParseResult<()> {
        let position = self.position();
        let start = parsed.operands.len();
        match definition.operands[index].arity {
            Arity::Single => parsed.operands.push(self.parse_operand()?),
            Arity::Optional => parsed.operands.extend(self.parse_optional_operand()?),
            Arity::Variadic => {
                while let Some(operand) = self.parse_optional_operand()? {
                    parsed.operands.push(operand);
                    if !self.accept(TokenKind::Comma) {
                        break;
                    }
                    if !self.is(TokenKind::Percent) {
                        return Err(self.wrong_token("expected SSA operand"));
                    }
                }
            }
        }
        let group = &mut parsed.operand_groups[index];
        group.seen = true;
        group.operands_position = Some(position);
        group.operands = Span {
            start,
            len: parsed.operands.len() - start,
        };
        Ok(())
    }

    /// Reads `(%a, %b), (%c)`, and sets the attribute that holds the sizes of the groups.
    fn format_nested_operands(
        &mut self,
        definition: &'static OperationDefinition,
        (group, sizes): (usize, usize),
        parsed: &mut FormatParts,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        let position = self.position();
        let mut all: SmallVec<[UnresolvedOperand; 4]> = SmallVec::new();
        let mut lengths: SmallVec<[i32; 4]> = SmallVec::new();
        while self.is(TokenKind::LeftParen) {
            let part = self.parse_operand_list(Delimiter::Paren)?;
            lengths.push(i32::try_from(part.len()).expect("fewer than 2^31 operands"));
            all.extend(part);
            if !self.accept(TokenKind::Comma) {
                break;
            }
        }
        parsed.set_operands(group, &all, position);
        let lengths = self.context.dense_i32_array(&lengths);
        state.set_attribute(self.context, definition.attributes[sizes].name, lengths);
        Ok(())
    }

    /// Reads `(i1, i2), (i1)`.
    fn format_nested_types(&mut self, group: usize, parsed: &mut FormatParts) -> ParseResult<()> {
        let position = self.position();
        let mut all = Types::new();
        while self.is(TokenKind::LeftParen) {
            self.parse_comma_separated_in(Delimiter::Paren, "", |parser| {
                all.push(parser.parse_type()?);
                Ok(())
            })?;
            if !self.accept(TokenKind::Comma) {
                break;
            }
        }
        parsed.set_types(TypesOf::Operand(group), &all, position);
        Ok(())
    }

    fn format_regions(&mut self, state: &mut OperationState) -> ParseResult<()> {
        while self.parse_optional_region(&[], state)? {
            if !self.accept(TokenKind::Comma) {
                break;
            }
        }
        Ok(())
    }

    fn format_successors(&mut self, state: &mut OperationState) -> ParseResult<()> {
        while let Some(block) = self.parse_optional_successor()? {
            state.successors.push(block);
            if !self.accept(TokenKind::Comma) {
                break;
            }
        }
        Ok(())
    }

    /// Reads a dictionary; declared attributes in it must satisfy their constraints here already.
    fn format_dictionary(
        &mut self,
        definition: &'static OperationDefinition,
        keyword: bool,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        if !keyword && self.is(TokenKind::Colon) {
            return Ok(());
        }
        let (position, known) = (self.position(), state.attributes.len());
        if keyword {
            self.parse_attribute_dictionary_with_keyword(state)?;
        } else {
            self.parse_attribute_dictionary(state)?;
        }
        for (name, attribute) in &state.attributes[known..] {
            let index = definition.attribute_index(self.context.text(*name));
            let Some(spec) = index.map(|index| &definition.attributes[index]) else {
                continue;
            };
            if !spec.constraint.accepts(self.context, *attribute) {
                let message = format!(
                    "'{}' op attribute '{}' failed to satisfy constraint: {}",
                    definition.name,
                    spec.name,
                    spec.constraint.description()
                );
                return Err(self.error(position, message));
            }
        }
        Ok(())
    }

    /// Parses inherent attributes in front of a dictionary, as MLIR 24 writes those that have no place of their own:
    /// `alignment = 16`, `alignment(16)`, or a list `<no_inline>`.
    pub(crate) fn attributes_before_dictionary(
        &mut self,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        if !self.is(TokenKind::Bare) && !self.is(TokenKind::Less) {
            return Ok(());
        }
        let data = self.context.operation_name_data(state.name);
        let Some(definition) = data.definition else {
            return Ok(());
        };
        while self.is(TokenKind::Bare) && self.attribute_with_value(definition, state)? {
            self.accept(TokenKind::Comma);
        }
        if definition.attributes.is_empty() || !self.accept(TokenKind::Less) {
            return Ok(());
        }
        loop {
            let position = self.position();
            if !self.attribute_with_value(definition, state)? {
                let name = self.spelling();
                let spec = definition.attributes.iter().find(|spec| spec.name == name);
                let Some(spec) = spec else {
                    return Err(self.error(position, format!("'{name}' is not a property")));
                };
                self.advance();
                let name = self.context.name(spec.name);
                Self::push_attribute(state, name, self.context.unit_attribute());
            }
            if !self.accept(TokenKind::Comma) {
                return self.expect(TokenKind::Greater, "expected '>' to close properties");
            }
        }
    }

    /// Parses `name = value` or `name(value)` if it is next, and is a declared attribute that is not given yet.
    fn attribute_with_value(
        &mut self,
        definition: &'static OperationDefinition,
        state: &mut OperationState,
    ) -> ParseResult<bool> {
        let word = self.spelling();
        let Some(spec) = definition.attributes.iter().find(|spec| spec.name == word) else {
            return Ok(false);
        };
        let name = self.context.name(spec.name);
        let (lexer, token) = (self.lexer, self.token);
        self.advance();
        let in_parentheses = self.is(TokenKind::LeftParen);
        let is_known = state.attributes.iter().any(|(known, _)| *known == name);
        if is_known || !in_parentheses && !self.is(TokenKind::Equal) {
            (self.lexer, self.token) = (lexer, token);
            return Ok(false);
        }
        self.advance();
        let attribute = self.parse_with_syntax(&spec.constraint.syntax, spec.name)?;
        if in_parentheses {
            self.expect(TokenKind::RightParen, "expected ')'")?;
        }
        Self::push_attribute(state, name, attribute);
        Ok(true)
    }

    fn format_properties(
        &mut self,
        definition: &'static OperationDefinition,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        if !self.accept(TokenKind::Less) {
            return Ok(());
        }
        let position = self.position();
        let known = state.attributes.len();
        self.parse_attribute_dictionary(state)?;
        let strange = state.attributes[known..]
            .iter()
            .map(|(name, _)| self.context.text(*name));
        let strange: Vec<_> = strange
            .filter(|name| definition.attribute_index(name).is_none())
            .collect();
        if let Some(name) = strange.first() {
            return Err(self.error(position, format!("'{name}' is not a property")));
        }
        self.expect(TokenKind::Greater, "expected '>' to close properties")
    }

    fn format_types(
        &mut self,
        definition: &'static OperationDefinition,
        of: TypesOf,
        parsed: &mut FormatParts,
    ) -> ParseResult<()> {
        let position = self.position();
        let arity = match of {
            TypesOf::Operand(index) => definition.operands[index].arity,
            TypesOf::Result(index) => definition.results[index].arity,
            TypesOf::Operands | TypesOf::Results => Arity::Variadic,
        };
        let class = match of {
            TypesOf::Operand(index) => definition.operands[index].constraint.class,
            TypesOf::Result(index) => definition.results[index].constraint.class,
            TypesOf::Operands | TypesOf::Results => None,
        };
        let unqualified = match of {
            TypesOf::Operand(index) => definition.operands[index].constraint.unqualified,
            TypesOf::Result(index) => definition.results[index].constraint.unqualified,
            TypesOf::Operands | TypesOf::Results => None,
        };
        let mut types = Types::new();
        match arity {
            Arity::Single => {
                let ty = match unqualified {
                    Some(unqualified) if !self.is(TokenKind::Exclamation) => {
                        (unqualified.parse)(self)?
                    }
                    _ => self.parse_type()?,
                };
                if class.is_some_and(|class| !class(self.context, ty)) {
                    return Err(self.error(position, "invalid kind of type specified"));
                }
                types.push(ty);
            }
            Arity::Optional => types.extend(self.parse_optional_type()?),
            Arity::Variadic => {
                if let Some(first) = self.parse_optional_type()? {
                    types.push(first);
                    while self.accept(TokenKind::Comma) {
                        types.push(self.parse_type()?);
                    }
                }
            }
        }
        parsed.set_types(of, &types, position);
        Ok(())
    }

    // Types.

    fn resolve_format(
        &mut self,
        definition: &'static OperationDefinition,
        parsed: &mut FormatParts,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        parsed.divide_operand_types();
        self.infer_types(definition, parsed, state);
        // Custom directives resolve their operands themselves: these belong to the groups that no element has read.
        let custom = std::mem::take(&mut state.operands);
        let mut custom = Some(custom).filter(|operands| !operands.is_empty());
        if let Some(operands) = parsed.all_operands.take() {
            let types = parsed.all_operand_types.take();
            let types = types.or_else(|| parsed.same_type_for(definition, operands.len()));
            let Some(types) = types else {
                return Err(self.error(state.position, "operand types are not known"));
            };
            let position = state.position;
            self.resolve_operands(&operands, &types, position, state)?;
        } else {
            let mut sizes: SmallVec<[usize; 4]> = SmallVec::new();
            for (index, group) in parsed.operand_groups.iter().enumerate() {
                if !group.seen {
                    let size = custom.as_ref().map_or(0, SmallVec::len);
                    sizes.push(size);
                    state.operands.extend(custom.take().into_iter().flatten());
                    continue;
                }
                sizes.push(group.operands.len);
                self.resolve_group(definition, index, parsed, state)?;
            }
            state.operands.extend(custom.into_iter().flatten());
            let sized = definition.has(Traits::ATTR_SIZED_OPERAND_SEGMENTS);
            if sized
                && state
                    .attribute(self.context, "operandSegmentSizes")
                    .is_none()
            {
                state.set_operand_segment_sizes(self.context, &sizes);
            }
        }
        self.resolve_results(definition, parsed, state)
    }

    fn resolve_group(
        &mut self,
        definition: &'static OperationDefinition,
        index: usize,
        parsed: &FormatParts,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        let group = &parsed.operand_groups[index];
        let operands = group.operands.of(&parsed.operands);
        let Some(types) = group.types else {
            if operands.is_empty() {
                return Ok(());
            }
            let name = definition.operands[index].name;
            return Err(self.error(state.position, format!("the type of `{name}` is not known")));
        };
        let types = types.of(&parsed.types);
        if group.position.is_none() && types.len() != operands.len() {
            // An inferred type is the type of every value of the group.
            let Some(first) = types.first().copied() else {
                return Err(self.error(state.position, "the type of an operand is not known"));
            };
            return self.resolve_operands_of_type(operands, first, state);
        }
        let position = group.operands_position.unwrap_or(state.position);
        self.resolve_operands(operands, types, position, state)
    }

    fn resolve_results(
        &mut self,
        definition: &'static OperationDefinition,
        parsed: &mut FormatParts,
        state: &mut OperationState,
    ) -> ParseResult<()> {
        if let Some(types) = parsed.all_result_types.take() {
            state.result_types.extend(types);
            return Ok(());
        }
        let known = |(group, spec): (&Group, &OperandSpec)| {
            group.types.is_some() || spec.arity != Arity::Single
        };
        let groups = || parsed.result_groups.iter();
        let all_known = groups().zip(definition.results).all(known);
        let some_known = groups().any(|group| group.types.is_some());
        if let Some(infer) = definition.infer
            && (!all_known || !some_known)
            && state.result_types.is_empty()
        {
            let operand_types: SmallVec<[Type; 4]> = state
                .operands
                .iter()
                .map(|value| self.body().ty(*value))
                .collect();
            let site = Site {
                context: self.context,
                operand_types: &operand_types,
                result_types: &[],
                attributes: &state.attributes,
            };
            return match infer(site) {
                Ok(types) => {
                    state.result_types = types;
                    Ok(())
                }
                Err(message) => Err(self.error(state.position, message)),
            };
        }
        // Custom directives may have added the types of the results themselves.
        if !state.result_types.is_empty() {
            return Ok(());
        }
        let mut sizes: SmallVec<[i32; 2]> = SmallVec::new();
        for (group, spec) in parsed.result_groups.iter().zip(definition.results) {
            let types = match group.types {
                Some(types) => types.of(&parsed.types),
                None if spec.arity == Arity::Single => {
                    let message = format!("the type of `{}` is not known", spec.name);
                    return Err(self.error(state.position, message));
                }
                None => &[],
            };
            sizes.push(i32::try_from(types.len()).expect("fewer than 2^31 results"));
            state.result_types.extend_from_slice(types);
        }
        if definition.has(Traits::ATTR_SIZED_RESULT_SEGMENTS) {
            let sizes = self.context.dense_i32_array(&sizes);
            state.set_attribute(self.context, "resultSegmentSizes", sizes);
        }
        Ok(())
    }

    /// Infers the types that the format omits, from constraints and traits, until a fixpoint.
    fn infer_types(
        &self,
        definition: &OperationDefinition,
        parsed: &mut FormatParts,
        state: &OperationState,
    ) {
        let FormatParts {
            operand_groups,
            result_groups,
            types,
            ..
        } = &mut *parsed;
        let mut only = |groups: &mut [Group], specs: &[OperandSpec]| {
            for (group, spec) in groups.iter_mut().zip(specs) {
                if let (None, Some(only), true) = (
                    group.types,
                    spec.constraint.only,
                    spec.arity == Arity::Single || group.seen,
                ) {
                    group.types = Some(add_type(types, only(self.context)));
                }
            }
        };
        only(operand_groups, definition.operands);
        only(result_groups, definition.results);
        let traits = definition.traits;
        if traits.contains(Traits::SAME_OPERANDS_AND_RESULT_TYPE)
            && let Some(known) = parsed.any_type()
        {
            let known = Some(add_type(&mut parsed.types, known));
            fill(&mut parsed.operand_groups, known);
            fill(&mut parsed.result_groups, known);
        }
        if traits.contains(Traits::SAME_TYPE_OPERANDS) {
            let mut groups = parsed.operand_groups.iter();
            if let Some(known) = groups.find_map(|group| parsed.first_type(group)) {
                let known = Some(add_type(&mut parsed.types, known));
                fill(&mut parsed.operand_groups, known);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for rule in definition.rules {
                changed |= self.apply_rule(definition, rule, parsed, state);
            }
        }
    }

    fn apply_rule(
        &self,
        definition: &OperationDefinition,
        rule: &TraitRule,
        parsed: &mut FormatParts,
        state: &OperationState,
    ) -> bool {
        match rule {
            TraitRule::AllTypesMatch(names) => {
                let known = names
                    .iter()
                    .find_map(|name| self.named_type(definition, name, parsed, state));
                let Some(known) = known else { return false };
                let mut changed = false;
                for name in names.iter() {
                    changed |= parsed.learn(definition, name, known);
                }
                changed
            }
            TraitRule::TypesMatchWith {
                from,
                to,
                transform,
                ..
            } => {
                let known = self.named_type(definition, from, parsed, state);
                let computed = known.and_then(|known| transform(self.context, known));
                computed.is_some_and(|computed| parsed.learn(definition, to, computed))
            }
            TraitRule::HasParent(_)
            | TraitRule::ImplicitTerminator(_)
            | TraitRule::AllElementTypesMatch(_)
            | TraitRule::AllShapesMatch(_)
            | TraitRule::AllRanksMatch(_)
            | TraitRule::AllElementCountsMatch(_)
            | TraitRule::NestedSizes { .. }
            | TraitRule::Own(_)
            | TraitRule::Predicate { .. } => false,
        }
    }

    fn named_type(
        &self,
        definition: &OperationDefinition,
        name: &str,
        parsed: &FormatParts,
        state: &OperationState,
    ) -> Option<Type> {
        if let Some(index) = definition
            .operands
            .iter()
            .position(|spec| spec.name == name)
        {
            return parsed.first_type(&parsed.operand_groups[index]);
        }
        if let Some(index) = definition.results.iter().position(|spec| spec.name == name) {
            return parsed.first_type(&parsed.result_groups[index]);
        }
        state.attribute(self.context, name)?.ty(self.context)
    }
}
