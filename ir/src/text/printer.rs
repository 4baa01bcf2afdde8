//! The printer as custom assembly formats see it.

use std::marker::PhantomData;

use crate::affine::{AffineExpr, AffineMap, IntegerSet};
use crate::body::Body;
use crate::context::Context;
use crate::definition::EnumDefinition;
use crate::ids::{Attribute, BlockId, Location, Type, ValueId};
use crate::view::View;

/// How a region is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegionPrinting {
    /// Prints the label of the entry block if it has arguments.
    pub entry_arguments: bool,
    /// Prints terminators.
    pub terminators: bool,
    /// Prints the entry block even if it is empty.
    pub empty_block: bool,
}

/// The printer.
pub struct Printer<'a>(PhantomData<&'a ()>);

impl<'a> Printer<'a> {
    /// The context.
    pub fn context(&self) -> &'a Context {
        todo!()
    }

    /// The body of the operation that is being printed.
    pub fn body(&self) -> &'a Body {
        todo!()
    }

    /// Prints text as it is.
    pub fn text(&mut self, text: &str) {
        todo!()
    }

    /// Prints `text` with escapes and quotes.
    pub fn quoted(&mut self, text: &[u8]) {
        todo!()
    }

    /// Ends the line and indents the next one.
    pub fn newline(&mut self) {
        todo!()
    }

    /// Indents the following lines one level more.
    pub fn increase_indent(&mut self) {
        todo!()
    }

    /// Indents the following lines one level less.
    pub fn decrease_indent(&mut self) {
        todo!()
    }

    /// Prints a value.
    pub fn operand(&mut self, value: ValueId) {
        todo!()
    }

    /// Prints values, separated by commas.
    pub fn operands(&mut self, values: impl IntoIterator<Item = ValueId>) {
        todo!()
    }

    /// Prints a type.
    pub fn ty(&mut self, ty: Type) {
        todo!()
    }

    /// Prints types, separated by commas.
    pub fn types(&mut self, types: impl IntoIterator<Item = Type>) {
        todo!()
    }

    /// Prints ` -> type` or ` -> (types)`, nothing for no types.
    pub fn optional_arrow_types(&mut self, types: &[Type]) {
        todo!()
    }

    /// Prints `(types) -> type`.
    pub fn functional_type(&mut self, inputs: impl IntoIterator<Item = Type>, results: &[Type]) {
        todo!()
    }

    /// Prints a dimension list with the final `x`.
    pub fn dimension_list(&mut self, dimensions: &[Option<u64>]) {
        todo!()
    }

    /// Prints an attribute with its type.
    pub fn attribute(&mut self, attribute: Attribute) {
        todo!()
    }

    /// Prints an attribute without its type.
    pub fn attribute_without_type(&mut self, attribute: Attribute) {
        todo!()
    }

    /// Prints ` {...}` with the attributes that are not in `elided`; nothing if there are none.
    pub fn attribute_dictionary(&mut self, view: View<'_>, elided: &[&str]) {
        todo!()
    }

    /// Prints ` attributes {...}` with the attributes that are not in `elided`; nothing if there are none.
    pub fn attribute_dictionary_with_keyword(&mut self, view: View<'_>, elided: &[&str]) {
        todo!()
    }

    /// Prints a dictionary attribute as `{...}`, even if it is empty.
    pub fn dictionary(&mut self, dictionary: Attribute) {
        todo!()
    }

    /// Prints the keyword of an enumeration value, or `a, b` of a set of flags.
    pub fn enum_value(&mut self, definition: &EnumDefinition, value: u64) {
        todo!()
    }

    /// Prints an enumeration attribute as its keyword.
    pub fn enum_attribute(&mut self, definition: &EnumDefinition, attribute: Attribute) {
        todo!()
    }

    /// Prints region number `index` of the operation, from `{` to `}`.
    pub fn region(&mut self, view: View<'_>, index: usize, printing: RegionPrinting) {
        todo!()
    }

    /// Prints argument `%name: type` of a region that is printed next (with location if those are printed).
    pub fn region_argument(&mut self, view: View<'_>, index: usize, argument: usize, with_type: bool) {
        todo!()
    }

    /// Prints the name of argument number `argument` of the entry block of region `index`.
    pub fn region_argument_name(&mut self, view: View<'_>, index: usize, argument: usize) {
        todo!()
    }

    /// Prints `^name`.
    pub fn successor(&mut self, block: BlockId) {
        todo!()
    }

    /// Prints `^name` or `^name(%a : type)`.
    pub fn successor_and_operands(&mut self, block: BlockId, operands: &[ValueId]) {
        todo!()
    }

    /// Prints `@name`, quoted where it has to be.
    pub fn symbol_name(&mut self, name: &str) {
        todo!()
    }

    /// Prints a keyword, as a string where it is not a bare identifier.
    pub fn keyword_or_string(&mut self, text: &str) {
        todo!()
    }

    /// Prints the results of `map`, separated by commas, with `operands` in the place of dimensions and symbols.
    pub fn affine_map_of_operands(&mut self, map: &AffineMap, operands: &[ValueId]) {
        todo!()
    }

    /// Prints an expression with `operands` in the place of dimensions and symbols.
    pub fn affine_expression_of_operands(&mut self, expression: &AffineExpr, n_dims: u32, operands: &[ValueId]) {
        todo!()
    }

    /// Prints `(%dims)[%symbols]`.
    pub fn dimension_and_symbol_operands(&mut self, operands: &[ValueId], n_dims: usize) {
        todo!()
    }

    /// Prints an affine map attribute (as alias where there is one).
    pub fn affine_map(&mut self, map: &AffineMap) {
        todo!()
    }

    /// Prints an integer set attribute (as alias where there is one).
    pub fn integer_set(&mut self, set: &IntegerSet) {
        todo!()
    }

    /// Prints `(%a: i32 {attributes}, ...) -> (i32 {attributes})` of the function-like operation `view` with type `function_type`.
    pub fn function_signature(&mut self, view: View<'_>, function_type: Type, variadic: bool) {
        todo!()
    }

    /// Prints ` loc(...)` if locations are printed.
    pub fn optional_location(&mut self, location: Location) {
        todo!()
    }
}
