//! The printer interface for custom assembly formats: text, operands, types, attributes, lists.

use std::sync::LazyLock;

use crate::affine::{AffineExpr, AffineMap, IntegerSet};
use crate::body::Body;
use crate::context::Context;
use crate::definition::EnumDefinition;
use crate::ids::{Attribute, BlockId, Location, Name, OperationId, Type, ValueId};
use crate::text::PrintOptions;
use crate::text::lexer::is_bare;
use crate::text::parser::Map;
use crate::text::print::aliases::Aliases;
use crate::text::print::values::ValueNaming;
use crate::view::View;

/// Options for printing a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegionPrinting {
    /// Prints the label of the entry block if it has arguments.
    pub entry_arguments: bool,
    /// Prints terminators.
    pub terminators: bool,
    /// Prints the entry block even if it is empty.
    pub empty_block: bool,
}

impl Default for RegionPrinting {
    fn default() -> Self {
        Self {
            entry_arguments: true,
            terminators: true,
            empty_block: false,
        }
    }
}

/// The printer.
pub struct Printer<'a> {
    pub(crate) context: &'a Context,
    pub(crate) options: PrintOptions,
    pub(crate) out: String,
    pub(crate) indent: usize,
    pub(crate) body: Option<&'a Body>,
    pub(crate) values: ValueNaming<'a>,
    pub(crate) aliases: Aliases,
    /// True in the first of two passes: attributes, types and locations are visited for aliases, the text is discarded.
    pub(crate) collecting: bool,
    pub(crate) default_dialects: Vec<&'static str>,
    pub(crate) distinct: Map<u64, usize>,
    /// Receiver of finished text, as long as no printer looks back at it.
    pub(crate) sink: Option<Sink<'a>>,
}

/// Receives text in pieces.
pub(crate) type Sink<'a> = &'a mut (dyn FnMut(&str) + 'a);

impl<'a> Printer<'a> {
    pub(crate) fn new(context: &'a Context, options: PrintOptions) -> Self {
        Self {
            context,
            options,
            out: String::new(),
            indent: 0,
            body: None,
            values: ValueNaming::default(),
            aliases: Aliases::default(),
            collecting: false,
            default_dialects: vec!["builtin"],
            distinct: Map::default(),
            sink: None,
        }
    }

    /// Returns the context.
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// Returns the body of the operation that is being printed.
    pub fn body(&self) -> &'a Body {
        self.body
            .expect("hooks of operations run while an operation is printed")
    }

    /// Returns the options for printing.
    pub fn options(&self) -> PrintOptions {
        self.options
    }

    /// Prints text unchanged.
    pub fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Prints `text` with escapes and quotes.
    pub fn quoted(&mut self, text: &[u8]) {
        self.out.push('"');
        for byte in text {
            match byte {
                b'\\' => self.out.push_str("\\\\"),
                b'"' => self.out.push_str("\\22"),
                0x20..=0x7E => self.out.push(char::from(*byte)),
                _ => self.out.push_str(&format!("\\{byte:02X}")),
            }
        }
        self.out.push('"');
    }

    /// Ends the line and indents the next one.
    pub fn newline(&mut self) {
        const LINE: &str = "\n                                ";
        match LINE.get(..1 + 2 * self.indent) {
            Some(line) => self.out.push_str(line),
            None => {
                self.out.push('\n');
                (0..self.indent).for_each(|_| self.out.push_str("  "));
            }
        }
    }

    /// Indents the following lines one level more.
    pub fn increase_indent(&mut self) {
        self.indent += 1;
    }

    /// Indents the following lines one level less.
    pub fn decrease_indent(&mut self) {
        self.indent = self.indent.saturating_sub(1);
    }

    pub(crate) fn number(&mut self, number: impl std::fmt::Display) {
        use std::fmt::Write;
        write!(self.out, "{number}").expect("strings accept text");
    }

    /// Prints the digits of an index, which is the most frequently printed text.
    pub(crate) fn index(&mut self, index: u32) {
        let (thousands, rest) = (index / 1000, index % 1000);
        let three = 3 * rest as usize;
        let start = if thousands > 0 {
            self.index(thousands);
            three
        } else {
            three + usize::from(rest < 100) + usize::from(rest < 10)
        };
        self.out.push_str(&DIGITS[start..three + 3]);
    }

    /// Calls `print` for each item, with commas between them.
    pub fn comma_separated<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut print: impl FnMut(&mut Self, T),
    ) {
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            print(self, item);
        }
    }

    // Values.

    /// Prints a value.
    pub fn operand(&mut self, value: ValueId) {
        self.value(value, true);
    }

    /// Prints values, separated by commas.
    pub fn operands(&mut self, values: impl IntoIterator<Item = ValueId>) {
        self.comma_separated(values, |printer, value| printer.operand(value));
    }

    // Types.

    /// Prints types, separated by commas.
    pub fn types(&mut self, types: impl IntoIterator<Item = Type>) {
        self.comma_separated(types, |printer, ty| printer.ty(ty));
    }

    /// Prints ` -> type` or ` -> (types)`, nothing for no types.
    pub fn optional_arrow_types(&mut self, types: &[Type]) {
        if !types.is_empty() {
            self.text(" -> ");
            self.function_results(types);
        }
    }

    /// Prints `(types) -> type`.
    pub fn functional_type(&mut self, inputs: impl IntoIterator<Item = Type>, results: &[Type]) {
        self.text("(");
        self.types(inputs);
        self.text(") -> ");
        self.function_results(results);
    }

    /// Prints `type` or `(types)`.
    pub(crate) fn function_results(&mut self, results: &[Type]) {
        use crate::types::TypeKind;
        match results {
            [only] if !matches!(only.kind(self.context), TypeKind::Function { .. }) => {
                self.ty(*only)
            }
            _ => {
                self.text("(");
                self.types(results.iter().copied());
                self.text(")");
            }
        }
    }

    /// Prints a dimension list with the final `x`.
    pub fn dimension_list(&mut self, dimensions: &[Option<u64>]) {
        for dimension in dimensions {
            match dimension {
                Some(size) => self.number(size),
                None => self.text("?"),
            }
            self.text("x");
        }
    }

    // Attributes.

    /// Prints ` {...}` with the attributes that are not in `elided`; nothing if there are none.
    pub fn attribute_dictionary(&mut self, view: View<'_>, elided: &[&str]) {
        let entries = self.sorted_attributes(view.attributes(), elided);
        self.optional_entries(&entries, " ");
    }

    /// Prints ` attributes {...}` with the attributes that are not in `elided`; nothing if there are none.
    pub fn attribute_dictionary_with_keyword(&mut self, view: View<'_>, elided: &[&str]) {
        let entries = self.sorted_attributes(view.attributes(), elided);
        self.optional_entries(&entries, " attributes ");
    }

    pub(crate) fn sorted_attributes(
        &self,
        attributes: &[(Name, Attribute)],
        elided: &[&str],
    ) -> Vec<(Name, Attribute)> {
        let kept = attributes
            .iter()
            .filter(|(name, _)| !elided.contains(&self.context.text(*name)));
        let mut kept: Vec<_> = kept.copied().collect();
        kept.sort_by(|a, b| self.context.text(a.0).cmp(self.context.text(b.0)));
        kept
    }

    pub(crate) fn optional_entries(&mut self, entries: &[(Name, Attribute)], before: &str) {
        if !entries.is_empty() {
            self.text(before);
            self.entries(entries);
        }
    }

    /// Prints a dictionary attribute as `{...}`, even if it is empty.
    pub fn dictionary(&mut self, dictionary: Attribute) {
        let context = self.context;
        self.entries(dictionary.as_dictionary(context).unwrap_or_default());
    }

    pub(crate) fn entries(&mut self, entries: &[(Name, Attribute)]) {
        self.text("{");
        self.comma_separated(entries, |printer, (name, attribute)| {
            let context = printer.context;
            printer.keyword_or_string(context.text(*name));
            if !matches!(attribute.kind(context), crate::AttributeKind::Unit) {
                printer.text(" = ");
                printer.attribute(*attribute);
            }
        });
        self.text("}");
    }

    /// Prints the keyword of an enumeration value, or `a, b` of a set of flags.
    pub fn enum_value(&mut self, definition: &EnumDefinition, value: u64) {
        match definition.keywords(value) {
            Some(keywords) => self.text(&keywords),
            None => self.number(value),
        }
    }

    /// Prints an enumeration attribute as its keyword; flags of a dialect in `<...>`.
    pub fn enum_attribute(&mut self, definition: &EnumDefinition, attribute: Attribute) {
        use crate::definition::EnumStorage;
        let Some(value) = definition.value(self.context, attribute) else {
            self.attribute(attribute);
            return;
        };
        if definition.flags && matches!(definition.storage, EnumStorage::Dialect(_)) {
            self.text("<");
            self.enum_value(definition, value);
            self.text(">");
        } else {
            self.enum_value(definition, value);
        }
    }

    /// Prints `@name`, quoted if necessary.
    pub fn symbol_name(&mut self, name: &str) {
        self.text("@");
        self.keyword_or_string(name);
    }

    /// Prints a keyword, as a string if it is not a bare identifier.
    pub fn keyword_or_string(&mut self, text: &str) {
        if is_bare(text) {
            self.text(text)
        } else {
            self.quoted(text.as_bytes())
        }
    }

    // Regions and successors.

    /// Prints argument `%name: type` of a region that is printed next (with location if those are printed).
    pub fn region_argument(
        &mut self,
        view: View<'_>,
        index: usize,
        argument: usize,
        with_type: bool,
    ) {
        self.region_argument_name(view, index, argument);
        let inner = self.body().inner(view.id);
        let Some(block) = self.body().entry_block(view.id, index) else {
            return;
        };
        let Some(value) = inner.arguments(block).get(argument).copied() else {
            return;
        };
        if with_type {
            self.text(": ");
            self.ty(inner.ty(value));
        }
        self.argument_location(inner.value_location(value));
    }

    /// Prints ` loc(...)` of an argument if locations are printed; never as an alias.
    pub(crate) fn argument_location(&mut self, location: Location) {
        if self.options.locations {
            self.visit_argument_location(location);
            self.text(" loc(");
            self.location_in_place(location);
            self.text(")");
        }
    }

    /// Prints `^name`.
    pub fn successor(&mut self, block: BlockId) {
        let number = self.values.block_number(self.body(), block);
        self.text("^bb");
        match number {
            Some(number) => self.number(number),
            None => self.text("_detached"),
        }
    }

    /// Prints `^name` or `^name(%a : type)`.
    pub fn successor_and_operands(&mut self, block: BlockId, operands: &[ValueId]) {
        self.successor(block);
        if operands.is_empty() {
            return;
        }
        self.text("(");
        self.operands(operands.iter().copied());
        self.text(" : ");
        let body = self.body();
        self.types(operands.iter().map(|value| body.ty(*value)));
        self.text(")");
    }

    // Affine.

    /// Prints the results of `map`, separated by commas, with `operands` in place of dimensions and symbols.
    pub fn affine_map_of_operands(&mut self, map: &AffineMap, operands: &[ValueId]) {
        self.comma_separated(&map.results, |printer, result| {
            printer.affine_expression_of_operands(result, map.n_dims, operands);
        });
    }

    /// Prints an expression with `operands` in place of dimensions and symbols.
    pub fn affine_expression_of_operands(
        &mut self,
        expression: &AffineExpr,
        n_dims: u32,
        operands: &[ValueId],
    ) {
        let mut text = String::new();
        let mut name = |out: &mut dyn std::fmt::Write, index: u32, symbol: bool| {
            let position = if symbol { n_dims + index } else { index };
            let start = self.out.len();
            match operands.get(position as usize) {
                Some(value) => self.operand(*value),
                None => self.out.push_str("<<missing operand>>"),
            }
            let operand = self.out.split_off(start);
            if symbol {
                write!(out, "symbol({operand})")
            } else {
                out.write_str(&operand)
            }
        };
        expression
            .write(&mut text, &mut name, false)
            .expect("strings accept text");
        self.text(&text);
    }

    /// Prints `(%dims)[%symbols]`.
    pub fn dimension_and_symbol_operands(&mut self, operands: &[ValueId], n_dims: usize) {
        let (dims, symbols) = operands.split_at(n_dims.min(operands.len()));
        self.text("(");
        self.operands(dims.iter().copied());
        self.text(")");
        if !symbols.is_empty() {
            self.text("[");
            self.operands(symbols.iter().copied());
            self.text("]");
        }
    }

    /// Prints an affine map attribute (as an alias if there is one).
    pub fn affine_map(&mut self, map: &AffineMap) {
        let attribute = self.context.affine_map_attribute(map.clone());
        self.attribute(attribute);
    }

    /// Prints an integer set attribute (as an alias if there is one).
    pub fn integer_set(&mut self, set: &IntegerSet) {
        let attribute = self.context.integer_set_attribute(set.clone());
        self.attribute(attribute);
    }

    // Functions.

    /// Prints `(%a: i32 {attributes}, ...) -> (i32 {attributes})` of the function-like operation `view` with type
    /// `function_type`; the arguments are those of its first region, if that has blocks.
    pub fn function_signature(&mut self, view: View<'_>, function_type: Type, variadic: bool) {
        let context = self.context;
        let crate::types::TypeKind::Function { inputs, results } = function_type.kind(context)
        else {
            return;
        };
        let list = |name: &str| {
            view.attribute(name)
                .and_then(|a| a.as_array(context))
                .unwrap_or_default()
        };
        let (argument_attributes, result_attributes) = (list("arg_attrs"), list("res_attrs"));
        let dictionary = |all: &[Attribute], index: usize| {
            let dictionary = all.get(index).copied()?;
            dictionary
                .as_dictionary(context)
                .filter(|entries| !entries.is_empty())
                .map(|_| dictionary)
        };
        let block = self.body().entry_block(view.id, 0);
        self.text("(");
        self.comma_separated(inputs.iter().enumerate(), |printer, (index, ty)| {
            if block.is_some() {
                printer.region_argument_name(view, 0, index);
                printer.text(": ");
            }
            printer.ty(*ty);
            if let Some(dictionary) = dictionary(argument_attributes, index) {
                printer.text(" ");
                printer.dictionary(dictionary);
            }
            if let Some(block) = block {
                let inner = printer.body().inner(view.id);
                if let Some(value) = inner.arguments(block).get(index) {
                    printer.argument_location(inner.value_location(*value));
                }
            }
        });
        if variadic {
            self.text(if inputs.is_empty() { "..." } else { ", ..." });
        }
        self.text(")");
        if results.is_empty() {
            return;
        }
        self.text(" -> ");
        if result_attributes.is_empty() {
            self.function_results(results);
            return;
        }
        let single = results.len() == 1 && dictionary(result_attributes, 0).is_none();
        if single {
            self.function_results(results);
            return;
        }
        self.text("(");
        self.comma_separated(results.iter().enumerate(), |printer, (index, ty)| {
            printer.ty(*ty);
            if let Some(dictionary) = dictionary(result_attributes, index) {
                printer.text(" ");
                printer.dictionary(dictionary);
            }
        });
        self.text(")");
    }

    /// Prints ` loc(...)` if locations are printed.
    pub fn optional_location(&mut self, location: Location) {
        if self.options.locations {
            self.text(" loc(");
            self.location(location);
            self.text(")");
        }
    }

    /// Returns a view of `op` in the current body.
    pub(crate) fn view(&self, op: OperationId) -> View<'a> {
        View::new(self.context, self.body(), op)
    }
}

/// The texts `000` to `999`, concatenated.
static DIGITS: LazyLock<String> = LazyLock::new(|| {
    let numbers = (0..1000).map(|number| format!("{number:03}"));
    numbers.collect()
});

/// Prints a type.
pub fn print_type(context: &Context, ty: Type) -> String {
    let mut printer = Printer::new(context, PrintOptions::default());
    printer.ty(ty);
    printer.out
}

/// Prints an attribute.
pub fn print_attribute(context: &Context, attribute: Attribute) -> String {
    let mut printer = Printer::new(context, PrintOptions::default());
    printer.attribute(attribute);
    printer.out
}
