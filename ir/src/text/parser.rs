//! The parser as custom assembly formats see it.

use std::marker::PhantomData;

use crate::affine::{AffineMap, IntegerSet};
use crate::body::Body;
use crate::context::Context;
use crate::definition::EnumDefinition;
use crate::ids::{Attribute, BlockId, Location, Name, Type, ValueId};
use crate::text::{Argument, FunctionSignature, OperationState, ParseResult, Position, Reported, UnresolvedOperand};

/// What stands around a comma-separated list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delimiter {
    /// Nothing; the list has at least one element.
    None,
    /// Nothing; the list may be empty (operands only).
    NoneOrEmpty,
    /// `(...)`
    Paren,
    /// `[...]`
    Square,
    /// `{...}`
    Braces,
    /// `<...>`
    Angle,
    /// `(...)` or nothing at all
    OptionalParen,
    /// `[...]` or nothing at all
    OptionalSquare,
    /// `{...}` or nothing at all
    OptionalBraces,
    /// `<...>` or nothing at all
    OptionalAngle,
}

/// The parser: reads tokens, resolves names, makes operations.
pub struct Parser<'a>(PhantomData<&'a ()>);

impl<'a> Parser<'a> {
    /// The context.
    pub fn context(&self) -> &'a Context {
        todo!()
    }

    /// The body that receives the operations.
    pub fn body(&self) -> &Body {
        todo!()
    }

    /// The type of a resolved value.
    pub fn ty(&self, value: ValueId) -> Type {
        todo!()
    }

    /// Where the next token starts.
    pub fn position(&self) -> Position {
        todo!()
    }

    /// The location of a position.
    pub fn location_at(&mut self, position: Position) -> Location {
        todo!()
    }

    /// Records an error.
    pub fn error(&mut self, position: Position, message: impl Into<String>) -> Reported {
        todo!()
    }

    /// Records an error at the next token.
    pub fn error_here(&mut self, message: impl Into<String>) -> Reported {
        todo!()
    }

    /// Reads the keyword `keyword`.
    pub fn parse_keyword(&mut self, keyword: &str) -> ParseResult<()> {
        todo!()
    }

    /// Reads the keyword `keyword` if it is next.
    pub fn parse_optional_keyword(&mut self, keyword: &str) -> bool {
        todo!()
    }

    /// Reads any keyword (bare identifier).
    pub fn parse_any_keyword(&mut self) -> ParseResult<&'a str> {
        todo!()
    }

    /// Reads any keyword if one is next.
    pub fn parse_optional_any_keyword(&mut self) -> Option<&'a str> {
        todo!()
    }

    /// Reads one of `keywords` and returns its number.
    pub fn parse_keyword_of(&mut self, keywords: &[&str]) -> ParseResult<usize> {
        todo!()
    }

    /// Reads any keyword or a string.
    pub fn parse_keyword_or_string(&mut self) -> ParseResult<String> {
        todo!()
    }

    /// Whether `text` (keyword or punctuation) is next.
    pub fn peek(&self, text: &str) -> bool {
        todo!()
    }

    /// Reads punctuation: one of `( ) [ ] { } < > , : :: = -> ? * + - | ... / ;`.
    pub fn parse_punctuation(&mut self, punctuation: &str) -> ParseResult<()> {
        todo!()
    }

    /// Reads punctuation if it is next.
    pub fn parse_optional_punctuation(&mut self, punctuation: &str) -> bool {
        todo!()
    }

    /// Reads a keyword or punctuation, whichever `literal` is.
    pub fn parse_literal(&mut self, literal: &str) -> ParseResult<()> {
        todo!()
    }

    /// Reads a keyword or punctuation if it is next.
    pub fn parse_optional_literal(&mut self, literal: &str) -> bool {
        todo!()
    }

    /// Reads a string; must be UTF-8.
    pub fn parse_string(&mut self) -> ParseResult<String> {
        todo!()
    }

    /// Reads a string if one is next.
    pub fn parse_optional_string(&mut self) -> ParseResult<Option<String>> {
        todo!()
    }

    /// Reads an integer, with an optional minus.
    pub fn parse_integer(&mut self) -> ParseResult<i64> {
        todo!()
    }

    /// Reads an integer if one is next.
    pub fn parse_optional_integer(&mut self) -> ParseResult<Option<i64>> {
        todo!()
    }

    /// Reads an integer without sign.
    pub fn parse_unsigned(&mut self) -> ParseResult<u64> {
        todo!()
    }

    /// Reads a list; `element` reads one element.
    pub fn parse_comma_separated(&mut self, delimiter: Delimiter, element: impl FnMut(&mut Self) -> ParseResult<()>) -> ParseResult<()> {
        todo!()
    }

    /// Reads a type.
    pub fn parse_type(&mut self) -> ParseResult<Type> {
        todo!()
    }

    /// Reads a type if one is next.
    pub fn parse_optional_type(&mut self) -> ParseResult<Option<Type>> {
        todo!()
    }

    /// Reads `: type`.
    pub fn parse_colon_type(&mut self) -> ParseResult<Type> {
        todo!()
    }

    /// Reads types separated by commas, at least one.
    pub fn parse_type_list(&mut self) -> ParseResult<Vec<Type>> {
        todo!()
    }

    /// Reads `: type, type`.
    pub fn parse_colon_type_list(&mut self) -> ParseResult<Vec<Type>> {
        todo!()
    }

    /// Reads `-> type` or `-> (types)` if an arrow is next.
    pub fn parse_optional_arrow_types(&mut self) -> ParseResult<Vec<Type>> {
        todo!()
    }

    /// Reads `(types) -> type` or `(types) -> (types)`.
    pub fn parse_function_type(&mut self) -> ParseResult<(Vec<Type>, Vec<Type>)> {
        todo!()
    }

    /// Reads `4x?x8x`; `None` is dynamic.
    pub fn parse_dimension_list(&mut self) -> ParseResult<Vec<Option<u64>>> {
        todo!()
    }

    /// Reads an attribute, with its type.
    pub fn parse_attribute(&mut self) -> ParseResult<Attribute> {
        todo!()
    }

    /// Reads an attribute without its type, which is `ty`.
    pub fn parse_attribute_with_type(&mut self, ty: Type) -> ParseResult<Attribute> {
        todo!()
    }

    /// Reads an attribute if one is next.
    pub fn parse_optional_attribute(&mut self) -> ParseResult<Option<Attribute>> {
        todo!()
    }

    /// Reads `@name`.
    pub fn parse_symbol_name(&mut self) -> ParseResult<Name> {
        todo!()
    }

    /// Reads `@name` if it is next.
    pub fn parse_optional_symbol_name(&mut self) -> ParseResult<Option<Name>> {
        todo!()
    }

    /// Reads `@name` into the string attribute `attribute`.
    pub fn parse_symbol_name_attribute(&mut self, attribute: &str, state: &mut OperationState) -> ParseResult<()> {
        todo!()
    }

    /// Reads a keyword of an enumeration, or `a, b` of a set of flags.
    pub fn parse_enum_value(&mut self, definition: &EnumDefinition) -> ParseResult<u64> {
        todo!()
    }

    /// Reads a keyword of an enumeration as its attribute.
    pub fn parse_enum_attribute(&mut self, definition: &EnumDefinition) -> ParseResult<Attribute> {
        todo!()
    }

    /// Reads an affine map, inline `(d0) -> (d0)`, as `affine_map<...>` or as an alias.
    pub fn parse_affine_map(&mut self) -> ParseResult<AffineMap> {
        todo!()
    }

    /// Reads an integer set, inline `(d0) : (d0 >= 0)`, as `affine_set<...>` or as an alias.
    pub fn parse_integer_set(&mut self) -> ParseResult<IntegerSet> {
        todo!()
    }

    /// Reads affine expressions of SSA names between `delimiter`s: map, dimension operands, symbol operands (`symbol(%x)`).
    pub fn parse_affine_map_of_operands(&mut self, delimiter: Delimiter) -> ParseResult<(AffineMap, Vec<UnresolvedOperand>)> {
        todo!()
    }

    /// Reads `(%dims)[%symbols]`; the number of dimensions comes with the operands.
    pub fn parse_dimension_and_symbol_operands(&mut self) -> ParseResult<(usize, Vec<UnresolvedOperand>)> {
        todo!()
    }

    /// Reads `%name`.
    pub fn parse_operand(&mut self) -> ParseResult<UnresolvedOperand> {
        todo!()
    }

    /// Reads `%name` if it is next.
    pub fn parse_optional_operand(&mut self) -> ParseResult<Option<UnresolvedOperand>> {
        todo!()
    }

    /// Reads operands.
    pub fn parse_operand_list(&mut self, delimiter: Delimiter) -> ParseResult<Vec<UnresolvedOperand>> {
        todo!()
    }

    /// Reads `(%a = %b, ...)`.
    pub fn parse_assignment_list(&mut self) -> ParseResult<Vec<(UnresolvedOperand, UnresolvedOperand)>> {
        todo!()
    }

    /// The value that `operand` names, which must have type `ty`.
    pub fn resolve(&mut self, operand: UnresolvedOperand, ty: Type) -> ParseResult<ValueId> {
        todo!()
    }

    /// Adds the value that `operand` names to the operands.
    pub fn resolve_operand(&mut self, operand: UnresolvedOperand, ty: Type, state: &mut OperationState) -> ParseResult<()> {
        todo!()
    }

    /// Adds the values that `operands` name; `position` is for a message about their number.
    pub fn resolve_operands(&mut self, operands: &[UnresolvedOperand], types: &[Type], position: Position, state: &mut OperationState) -> ParseResult<()> {
        todo!()
    }

    /// Adds the values that `operands` name, all of one type.
    pub fn resolve_operands_of_type(&mut self, operands: &[UnresolvedOperand], ty: Type, state: &mut OperationState) -> ParseResult<()> {
        todo!()
    }

    /// The source name of an operand, without `%`.
    pub fn operand_name(&self, operand: UnresolvedOperand) -> &'a str {
        todo!()
    }

    /// Reads `{...}` if it is next.
    pub fn parse_attribute_dictionary(&mut self, state: &mut OperationState) -> ParseResult<()> {
        todo!()
    }

    /// Reads `attributes {...}` if it is next.
    pub fn parse_attribute_dictionary_with_keyword(&mut self, state: &mut OperationState) -> ParseResult<()> {
        todo!()
    }

    /// Reads `{...}` if it is next, as a dictionary attribute.
    pub fn parse_optional_dictionary(&mut self) -> ParseResult<Option<Attribute>> {
        todo!()
    }

    /// Reads `loc(...)` if it is next.
    pub fn parse_optional_location(&mut self) -> ParseResult<Option<Location>> {
        todo!()
    }

    /// Reads `%name`, `%name: type {attributes} loc(...)`; without a type where `with_type` is false, then it is `none`.
    pub fn parse_argument(&mut self, with_type: bool, with_attributes: bool) -> ParseResult<Argument> {
        todo!()
    }

    /// Reads arguments.
    pub fn parse_argument_list(&mut self, delimiter: Delimiter, with_type: bool, with_attributes: bool) -> ParseResult<Vec<Argument>> {
        todo!()
    }

    /// Reads `(%a: i32 {attributes} loc(...), ...) -> (i32 {attributes})`.
    pub fn parse_function_signature(&mut self, allow_variadic: bool) -> ParseResult<FunctionSignature> {
        todo!()
    }

    /// Sets `arg_attrs` and `res_attrs` where arguments or results have attributes.
    pub fn set_signature_attributes(&mut self, signature: &FunctionSignature, state: &mut OperationState) {
        todo!()
    }

    /// Reads a region into the next region of the operation; adds the implicit terminator the operation declares.
    pub fn parse_region(&mut self, arguments: &[Argument], state: &mut OperationState) -> ParseResult<()> {
        todo!()
    }

    /// Reads a region if `{` is next; says whether it was. Adds nothing otherwise.
    pub fn parse_optional_region(&mut self, arguments: &[Argument], state: &mut OperationState) -> ParseResult<bool> {
        todo!()
    }

    /// Reads a region in which no outer name is visible.
    pub fn parse_region_with_own_names(&mut self, arguments: &[Argument], state: &mut OperationState) -> ParseResult<()> {
        todo!()
    }

    /// Adds a region without blocks.
    pub fn add_empty_region(&mut self, state: &mut OperationState) {
        todo!()
    }

    /// Adds a region with one block that holds just the implicit terminator of the operation.
    pub fn add_region_with_terminator(&mut self, state: &mut OperationState) {
        todo!()
    }

    /// Reads `^name`.
    pub fn parse_successor(&mut self) -> ParseResult<BlockId> {
        todo!()
    }

    /// Reads `^name` if it is next.
    pub fn parse_optional_successor(&mut self) -> ParseResult<Option<BlockId>> {
        todo!()
    }

    /// Reads `^name` or `^name(%a, %b : types)`.
    pub fn parse_successor_and_operands(&mut self) -> ParseResult<(BlockId, Vec<ValueId>)> {
        todo!()
    }
}
