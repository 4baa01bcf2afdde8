//! Arguments and signatures of functions and of function-like operations.

use crate::ids::Attribute;
use crate::text::lexer::TokenKind;
use crate::text::parser::Parser;
use crate::text::{Argument, Delimiter, FunctionSignature, OperationState, ParseResult};

impl<'a> Parser<'a> {
    /// Reads `%name`, `%name: type {attributes} loc(...)`; without a type if `with_type` is false, then the type is `none`.
    pub fn parse_argument(
        &mut self,
        with_type: bool,
        with_attributes: bool,
    ) -> ParseResult<Argument> {
        let name = self.parse_argument_name()?;
        let mut argument = Argument::new(name, self.context.none_type());
        if with_type {
            argument.ty = self.parse_colon_type()?;
        }
        if with_attributes {
            argument.attributes = self.optional_attributes()?;
        }
        argument.location = self.parse_optional_location()?;
        Ok(argument)
    }

    /// Reads arguments.
    pub fn parse_argument_list(
        &mut self,
        delimiter: Delimiter,
        with_type: bool,
        with_attributes: bool,
    ) -> ParseResult<Vec<Argument>> {
        let mut arguments = Vec::new();
        if delimiter == Delimiter::NoneOrEmpty && !self.is(TokenKind::Percent) {
            return Ok(arguments);
        }
        self.parse_comma_separated(delimiter, |parser| {
            arguments.push(parser.parse_argument(with_type, with_attributes)?);
            Ok(())
        })?;
        Ok(arguments)
    }

    /// Reads a dictionary, `None` for an empty or absent one.
    fn optional_attributes(&mut self) -> ParseResult<Option<Attribute>> {
        let dictionary = self.parse_optional_dictionary()?;
        Ok(dictionary.filter(|d| {
            d.as_dictionary(self.context)
                .is_some_and(|entries| !entries.is_empty())
        }))
    }

    /// Reads `(%a: i32 {attributes} loc(...), ...) -> (i32 {attributes})`.
    pub fn parse_function_signature(
        &mut self,
        allow_variadic: bool,
    ) -> ParseResult<FunctionSignature> {
        let mut signature = FunctionSignature::default();
        self.parse_comma_separated(Delimiter::Paren, |parser| {
            parser.signature_argument(&mut signature, allow_variadic)
        })?;
        if !self.accept(TokenKind::Arrow) {
            return Ok(signature);
        }
        if !self.is(TokenKind::LeftParen) {
            signature.result_types.push(self.parse_type()?);
            signature.result_attributes.push(None);
            return Ok(signature);
        }
        self.parse_comma_separated(Delimiter::Paren, |parser| {
            signature.result_types.push(parser.parse_type()?);
            signature
                .result_attributes
                .push(parser.optional_attributes()?);
            Ok(())
        })?;
        Ok(signature)
    }

    fn signature_argument(
        &mut self,
        signature: &mut FunctionSignature,
        allow_variadic: bool,
    ) -> ParseResult<()> {
        if signature.variadic {
            return Err(
                self.error_here("variadic arguments must be in the end of the argument list")
            );
        }
        if allow_variadic && self.accept(TokenKind::Ellipsis) {
            signature.variadic = true;
            return Ok(());
        }
        let named = self.is(TokenKind::Percent);
        if let Some(first) = signature.arguments.first() {
            match (first.name.is_some(), named) {
                (true, false) => return Err(self.error_here("expected SSA identifier")),
                (false, true) => {
                    return Err(self.error_here("expected type instead of SSA identifier"));
                }
                _ => {}
            }
        }
        let argument = if named {
            self.parse_argument(true, true)?
        } else {
            let ty = self.parse_type()?;
            let attributes = self.optional_attributes()?;
            Argument {
                name: None,
                ty,
                attributes,
                location: self.parse_optional_location()?,
            }
        };
        signature.arguments.push(argument);
        Ok(())
    }

    /// Sets `arg_attrs` and `res_attrs` if arguments or results have attributes.
    pub fn set_signature_attributes(
        &mut self,
        signature: &FunctionSignature,
        state: &mut OperationState,
    ) {
        let context = self.context;
        let mut set = |name: &str, all: Vec<Option<Attribute>>| {
            if all.iter().any(Option::is_some) {
                let empty = context.dictionary_attribute(&[]);
                let all: Vec<_> = all
                    .into_iter()
                    .map(|attributes| attributes.unwrap_or(empty))
                    .collect();
                state.set_attribute(context, name, context.array_attribute(&all));
            }
        };
        set(
            "arg_attrs",
            signature
                .arguments
                .iter()
                .map(|argument| argument.attributes)
                .collect(),
        );
        set("res_attrs", signature.result_attributes.clone());
    }
}
