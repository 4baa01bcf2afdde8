//! Prints with declarative assembly formats.

use smallvec::SmallVec;

use crate::context::Context;
use crate::definition::{
    Arity, AttributeSyntax, FormatElement, OperandSpec, OperationDefinition, Presence, Traits,
    TypesOf,
};
use crate::ids::{Attribute, Name, Type, ValueId};
use crate::text::RegionPrinting;
use crate::text::printer::Printer;
use crate::types::TypeKind;
use crate::view::View;

/// Spacing between elements: a state that depends only on the elements, not on whether they are printed.
#[derive(Clone, Copy)]
struct Spacing {
    /// True if the previous element needs a space after it.
    space: bool,
    after_punctuation: bool,
}

impl Spacing {
    fn before_literal(&mut self, literal: &str) -> bool {
        let bytes = literal.as_bytes();
        let first = bytes.first().copied().unwrap_or(b' ');
        let wanted = if bytes.len() != 1 && bytes != b"->" {
            true
        } else if self.after_punctuation {
            !matches!(first, b'>' | b')' | b'}' | b']' | b',')
        } else {
            let brackets = matches!(first, b'(' | b')' | b'{' | b'}' | b'[' | b']');
            !brackets && !matches!(first, b'<' | b'>' | b',')
        };
        let result = self.space && wanted;
        self.space = bytes.len() != 1 || !matches!(first, b'<' | b'(' | b'{' | b'[');
        self.after_punctuation = first != b'_' && !first.is_ascii_alphabetic();
        result
    }

    fn before_element(&mut self) -> bool {
        let result = self.space || !self.after_punctuation;
        self.space = true;
        self.after_punctuation = false;
        result
    }
}

impl<'a> Printer<'a> {
    /// Prints the text after the name of an operation with a declarative format.
    pub(crate) fn format(
        &mut self,
        view: View<'a>,
        definition: &'static OperationDefinition,
        elements: &'static [FormatElement],
    ) {
        let mut spacing = Spacing {
            space: true,
            after_punctuation: false,
        };
        let format = Format {
            view,
            definition,
            elements,
        };
        self.format_elements(&format, elements, None, true, &mut spacing);
    }

    fn format_elements(
        &mut self,
        format: &Format<'a>,
        elements: &'static [FormatElement],
        elided: Option<usize>,
        emit: bool,
        spacing: &mut Spacing,
    ) {
        for (index, element) in elements.iter().enumerate() {
            if Some(index) != elided {
                self.format_element(format, element, emit, spacing);
            }
        }
    }

    fn format_element(
        &mut self,
        format: &Format<'a>,
        element: &'static FormatElement,
        emit: bool,
        spacing: &mut Spacing,
    ) {
        match element {
            FormatElement::Literal(text) => {
                let space = spacing.before_literal(text);
                if emit {
                    if space {
                        self.out.push(' ');
                    }
                    self.text(text);
                }
                return;
            }
            FormatElement::Whitespace(text) => {
                spacing.space = false;
                spacing.after_punctuation = text.is_empty();
                if emit {
                    match *text {
                        "" => {}
                        "\n" => self.newline(),
                        text => self.text(text),
                    }
                }
                return;
            }
            FormatElement::AttrDict { keyword } => {
                spacing.after_punctuation = false;
                if emit {
                    self.format_dictionary(format, *keyword);
                }
                return;
            }
            FormatElement::PropDict => {
                spacing.after_punctuation = false;
                if emit {
                    self.format_properties(format);
                }
                return;
            }
            FormatElement::Optional {
                anchor,
                then,
                otherwise,
            } => {
                self.format_optional(format, *anchor, then, otherwise, emit, spacing);
                return;
            }
            FormatElement::Clauses(clauses) => {
                for (keyword, elements) in clauses.iter() {
                    let emit = emit
                        && elements
                            .iter()
                            .any(|element| self.is_present(format, element));
                    let space = spacing.before_literal(keyword);
                    if emit {
                        self.text(if space { " " } else { "" });
                        self.text(keyword);
                    }
                    // The keyword of a unit attribute is its complete text.
                    let unit = elements.iter().position(|element| format.is_unit(element));
                    self.format_elements(format, elements, unit, emit, spacing);
                }
                return;
            }
            FormatElement::Operand(_)
            | FormatElement::Attribute { .. }
            | FormatElement::Region(_)
            | FormatElement::Successor(_)
            | FormatElement::Type(_)
            | FormatElement::QualifiedType(_)
            | FormatElement::NestedOperands { .. }
            | FormatElement::NestedTypes { .. }
            | FormatElement::Operands
            | FormatElement::Regions
            | FormatElement::Successors
            | FormatElement::FunctionalType(..)
            | FormatElement::Custom { .. } => {}
        }
        let space = spacing.before_element();
        if emit {
            if space {
                self.out.push(' ');
            }
            self.format_variable(format, element);
        }
    }

    fn format_variable(&mut self, format: &Format<'a>, element: &'static FormatElement) {
        let (view, definition) = (format.view, format.definition);
        match element {
            FormatElement::Operand(index) => match format.single_operand(*index) {
                Some(value) => self.operand(value),
                None => self.operands(view.operand_group(*index)),
            },
            FormatElement::NestedOperands { group, sizes } => {
                let parts = view.nested_operand_group(*group, definition.attributes[*sizes].name);
                self.comma_separated(parts, |printer, part| {
                    printer.text("(");
                    printer.operands(part);
                    printer.text(")");
                });
            }
            FormatElement::NestedTypes { group, sizes } => {
                let parts = view.nested_operand_group(*group, definition.attributes[*sizes].name);
                self.comma_separated(parts, |printer, part| {
                    printer.text("(");
                    printer.types(part.iter().map(|value| view.ty(*value)));
                    printer.text(")");
                });
            }
            FormatElement::Operands => self.operands(view.operands()),
            FormatElement::Attribute { index, qualified } => {
                if let Some(attribute) = format.attribute_or_default(*index) {
                    let syntax = &definition.attributes[*index].constraint.syntax;
                    self.attribute_with_syntax(syntax, attribute, *qualified);
                }
            }
            FormatElement::Region(index) => {
                let single = definition.regions[*index].arity == Arity::Single;
                let end = if single {
                    index + 1
                } else {
                    view.regions().len()
                };
                self.format_regions(view, *index..end.min(view.regions().len()));
            }
            FormatElement::Regions => self.format_regions(view, 0..view.regions().len()),
            FormatElement::Successor(index) => {
                let single = definition.successors[*index].arity == Arity::Single;
                let rest = view.successors().get(*index..).unwrap_or_default();
                let count = if single {
                    rest.len().min(1)
                } else {
                    rest.len()
                };
                self.comma_separated(&rest[..count], |printer, block| printer.successor(*block));
            }
            FormatElement::Successors => {
                self.comma_separated(view.successors(), |printer, block| {
                    printer.successor(*block)
                });
            }
            FormatElement::Type(of) => self.format_types(format, *of),
            FormatElement::QualifiedType(of) => self.types(format.types(*of)),
            FormatElement::FunctionalType(inputs, results) => {
                self.functional_type(format.types(*inputs), &format.types(*results));
            }
            FormatElement::Custom { print, .. } => print(self, view),
            FormatElement::Literal(_)
            | FormatElement::Whitespace(_)
            | FormatElement::AttrDict { .. }
            | FormatElement::PropDict
            | FormatElement::Optional { .. }
            | FormatElement::Clauses(_) => {}
        }
    }

    /// Prints types, without the name of a dialect type if the constraint allows only that type.
    fn format_types(&mut self, format: &Format<'a>, of: TypesOf) {
        if let Some(ty) = format.plain_type(of) {
            self.ty(ty);
            return;
        }
        let types = format.types(of);
        let constraint = match of {
            TypesOf::Operand(index) => Some(&format.definition.operands[index]),
            TypesOf::Result(index) => Some(&format.definition.results[index]),
            TypesOf::Operands | TypesOf::Results => None,
        };
        let unqualified = constraint
            .filter(|spec| spec.arity == Arity::Single)
            .and_then(|spec| spec.constraint.unqualified);
        match (unqualified, &types[..]) {
            (Some(definition), [ty]) => match ty.kind(self.context) {
                TypeKind::Dialect { parameters, .. } => (definition.print)(self, parameters),
                _ => self.ty(*ty),
            },
            _ => self.types(types),
        }
    }

    fn format_regions(&mut self, view: View<'a>, regions: std::ops::Range<usize>) {
        self.comma_separated(regions, |printer, index| {
            let terminators = printer.shows_terminator(view, index);
            printer.region(
                view,
                index,
                RegionPrinting {
                    terminators,
                    ..RegionPrinting::default()
                },
            );
        });
    }

    fn attribute_with_syntax(
        &mut self,
        syntax: &AttributeSyntax,
        attribute: Attribute,
        qualified: bool,
    ) {
        let _ = qualified;
        match syntax {
            AttributeSyntax::Generic => self.attribute(attribute),
            AttributeSyntax::Untyped(_) => self.attribute_without_type(attribute),
            AttributeSyntax::Enumeration(definition) => self.enum_attribute(definition, attribute),
            AttributeSyntax::SymbolName => match attribute.as_str(self.context) {
                Some(name) => self.symbol_name(name),
                None => self.attribute(attribute),
            },
            AttributeSyntax::Type => match attribute.as_type(self.context) {
                Some(ty) => self.ty(ty),
                None => self.attribute(attribute),
            },
            AttributeSyntax::Unit => self.text("unit"),
            AttributeSyntax::Custom { print, .. } => print(self, attribute),
        }
    }

    fn format_optional(
        &mut self,
        format: &Format<'a>,
        anchor: usize,
        then: &'static [FormatElement],
        otherwise: &'static [FormatElement],
        emit: bool,
        spacing: &mut Spacing,
    ) {
        let in_then = anchor < then.len();
        let anchored = if in_then {
            &then[anchor]
        } else {
            &otherwise[anchor - then.len()]
        };
        let present = emit && self.is_present(format, anchored) == in_then;
        let unit =
            |elements: &'static [FormatElement]| elements.iter().position(|e| format.is_unit(e));
        self.format_elements(format, then, unit(then), present, spacing);
        self.format_elements(
            format,
            otherwise,
            unit(otherwise),
            emit && !present,
            spacing,
        );
    }

    fn is_present(&mut self, format: &Format<'a>, element: &'static FormatElement) -> bool {
        let view = format.view;
        match element {
            FormatElement::Operand(index) => {
                view.operand_segment(*index).is_some_and(|(_, len)| len > 0)
            }
            FormatElement::NestedOperands { sizes, .. }
            | FormatElement::NestedTypes { sizes, .. } => {
                let sizes = view.inherent_attribute(*sizes);
                let sizes = sizes.and_then(|sizes| sizes.as_dense_array_i64(self.context));
                sizes.is_some_and(|sizes| !sizes.is_empty())
            }
            FormatElement::Operands => view.operands().len() > 0,
            FormatElement::Attribute { index, .. } => format.attribute(*index).is_some(),
            FormatElement::Region(index) => {
                let region = view.regions().get(*index);
                region.is_some_and(|region| !view.inner().blocks(*region).is_empty())
            }
            FormatElement::Regions => !view.regions().is_empty(),
            FormatElement::Successor(index) => view.successors().len() > *index,
            FormatElement::Successors => !view.successors().is_empty(),
            FormatElement::Type(of) | FormatElement::QualifiedType(of) => {
                !format.types(*of).is_empty()
            }
            FormatElement::FunctionalType(inputs, results) => {
                !format.types(*inputs).is_empty() || !format.types(*results).is_empty()
            }
            FormatElement::Custom { print, .. } => {
                // A directive is present if it prints something.
                let start = self.out.len();
                print(self, view);
                let printed = self.out.len() > start;
                self.out.truncate(start);
                printed
            }
            FormatElement::Optional {
                anchor,
                then,
                otherwise,
            } => {
                let nested = then.iter().chain(otherwise.iter()).nth(*anchor);
                nested.is_some_and(|nested| self.is_present(format, nested))
            }
            FormatElement::Clauses(clauses) => clauses
                .iter()
                .any(|(_, elements)| elements.iter().any(|e| self.is_present(format, e))),
            FormatElement::AttrDict { .. } | FormatElement::PropDict => {
                !self.shown_attributes(format).is_empty()
            }
            FormatElement::Literal(_) | FormatElement::Whitespace(_) => false,
        }
    }

    fn format_dictionary(&mut self, format: &Format<'a>, keyword: bool) {
        let mut entries = self.shown_attributes(format);
        let has_properties = |element: &FormatElement| matches!(element, FormatElement::PropDict);
        if format.elements.iter().any(has_properties) {
            entries.retain(|(name, _)| !format.declares(self.context, *name));
        }
        self.optional_entries(&entries, if keyword { " attributes " } else { " " });
    }

    fn format_properties(&mut self, format: &Format<'a>) {
        let mut inherent = self.shown_attributes(format);
        inherent.retain(|(name, _)| format.declares(self.context, *name));
        if !inherent.is_empty() {
            self.text(" <");
            self.entries(&inherent);
            self.text(">");
        }
    }

    /// Returns the attributes that no other element of the format prints.
    fn shown_attributes(&self, format: &Format<'a>) -> Vec<(Name, Attribute)> {
        if format.view.attributes().is_empty() {
            return Vec::new();
        }
        let definition = format.definition;
        let mut elided: SmallVec<[&str; 8]> = SmallVec::new();
        format.used_attributes(format.elements, &mut elided);
        if definition.has(Traits::ATTR_SIZED_OPERAND_SEGMENTS) {
            elided.push("operandSegmentSizes");
        }
        if definition.has(Traits::ATTR_SIZED_RESULT_SEGMENTS) {
            elided.push("resultSegmentSizes");
        }
        for (index, spec) in definition.attributes.iter().enumerate() {
            if format.attribute(index).is_none() {
                elided.push(spec.name);
            }
        }
        self.sorted_attributes(format.view.attributes(), &elided)
    }
}

/// An operation that is printed with a format.
struct Format<'a> {
    view: View<'a>,
    definition: &'static OperationDefinition,
    elements: &'static [FormatElement],
}

impl Format<'_> {
    /// Returns true if the operation declares an attribute of this name.
    fn declares(&self, context: &Context, name: Name) -> bool {
        let name = context.text(name);
        self.definition.attribute_index(name).is_some()
    }

    /// Returns attribute number `index`; `None` if it has its default value.
    fn attribute(&self, index: usize) -> Option<Attribute> {
        let attribute = self.view.inherent_attribute(index)?;
        match self.definition.attributes[index].presence {
            Presence::Default(default) | Presence::Elided(default)
                if default(self.view.context) == attribute =>
            {
                None
            }
            _ => Some(attribute),
        }
    }

    fn attribute_or_default(&self, index: usize) -> Option<Attribute> {
        let given = self.view.inherent_attribute(index);
        given.or_else(|| match self.definition.attributes[index].presence {
            Presence::Default(default) => Some(default(self.view.context)),
            _ => None,
        })
    }

    /// Returns the operand of group `index` of an operation whose groups all have size one.
    fn single_operand(&self, index: usize) -> Option<ValueId> {
        let view = self.view;
        let is_single = |spec: &OperandSpec| spec.arity == Arity::Single;
        let plain = view.body.n_operands(view.id) == self.definition.operands.len()
            && self.definition.operands.iter().all(is_single);
        plain.then(|| view.operand(index))
    }

    /// Returns the type of a group of one value, if it is printed like any type.
    fn plain_type(&self, of: TypesOf) -> Option<Type> {
        let (specs, values, index) = match of {
            TypesOf::Result(index) => (self.definition.results, self.view.results(), index),
            TypesOf::Operand(index) => {
                let value = self.single_operand(index)?;
                let unqualified = self.definition.operands[index].constraint.unqualified;
                return unqualified.is_none().then(|| self.view.ty(value));
            }
            TypesOf::Operands | TypesOf::Results => return None,
        };
        let is_single = |spec: &OperandSpec| spec.arity == Arity::Single;
        let plain = values.len() == specs.len()
            && specs.iter().all(is_single)
            && specs[index].constraint.unqualified.is_none();
        plain.then(|| self.view.ty(values[index]))
    }

    fn is_unit(&self, element: &FormatElement) -> bool {
        match element {
            FormatElement::Attribute { index, .. } => {
                matches!(
                    self.definition.attributes[*index].constraint.syntax,
                    AttributeSyntax::Unit
                )
            }
            _ => false,
        }
    }

    fn types(&self, of: TypesOf) -> SmallVec<[Type; 4]> {
        let view = self.view;
        match of {
            TypesOf::Operand(index) => view
                .operand_group(index)
                .iter()
                .map(|v| view.ty(*v))
                .collect(),
            TypesOf::Result(index) => view
                .result_group(index)
                .iter()
                .map(|v| view.ty(*v))
                .collect(),
            TypesOf::Operands => view.operand_types().collect(),
            TypesOf::Results => view.result_types().collect(),
        }
    }

    fn used_attributes(&self, elements: &'static [FormatElement], used: &mut SmallVec<[&str; 8]>) {
        for element in elements {
            match element {
                FormatElement::Attribute { index, .. }
                | FormatElement::NestedOperands { sizes: index, .. } => {
                    used.push(self.definition.attributes[*index].name)
                }
                FormatElement::Custom { attributes, .. } => {
                    let names = attributes
                        .iter()
                        .map(|i| self.definition.attributes[*i].name);
                    used.extend(names);
                }
                FormatElement::Optional {
                    then, otherwise, ..
                } => {
                    self.used_attributes(then, used);
                    self.used_attributes(otherwise, used);
                }
                FormatElement::Clauses(clauses) => {
                    clauses
                        .iter()
                        .for_each(|(_, elements)| self.used_attributes(elements, used));
                }
                _ => {}
            }
        }
    }
}
