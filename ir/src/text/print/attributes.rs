//! Prints attributes and locations.

use crate::attributes::AttributeKind;
use crate::bits::Bits;
use crate::ids::{Attribute, Location, Type};
use crate::location::LocationKind;
use crate::raw::pack;
use crate::text::numbers::print_float;
use crate::text::printer::Printer;
use crate::types::{FloatKind, Signedness, TypeKind};

/// Above this number, elements are printed as raw data in hexadecimal.
const MAX_LISTED_ELEMENTS: usize = 100;

impl<'a> Printer<'a> {
    /// Prints an attribute with its type.
    pub fn attribute(&mut self, attribute: Attribute) {
        if self.collecting {
            self.visit_attribute(attribute);
            return;
        }
        if !self.print_attribute_alias(attribute) {
            self.attribute_in_place(attribute, true);
        }
    }

    /// Prints an attribute without its type.
    pub fn attribute_without_type(&mut self, attribute: Attribute) {
        if self.collecting {
            self.visit_attribute(attribute);
            return;
        }
        if !self.print_attribute_alias(attribute) {
            self.attribute_in_place(attribute, false);
        }
    }

    /// Prints an attribute; omits the type of a number if it is the default type of numbers.
    pub(crate) fn attribute_eliding_type(&mut self, attribute: Attribute) {
        let context = self.context;
        let default = match attribute.kind(context) {
            AttributeKind::Integer { ty, .. } => *ty == context.integer_type(64),
            AttributeKind::Float { ty, .. } => *ty == context.float_type(FloatKind::F64),
            _ => false,
        };
        if default {
            self.attribute_without_type(attribute)
        } else {
            self.attribute(attribute)
        }
    }

    /// Prints an attribute without using its alias.
    pub(crate) fn attribute_in_place(&mut self, attribute: Attribute, with_type: bool) {
        let context = self.context;
        let mut ty_after = None;
        match attribute.kind(context) {
            AttributeKind::Unit => self.text("unit"),
            AttributeKind::Integer { ty, value } => {
                let boolean = matches!(
                    ty.kind(context),
                    TypeKind::Integer {
                        width_bits: 1,
                        signedness: Signedness::Signless
                    }
                );
                self.integer(*ty, value);
                ty_after = (!boolean).then_some(*ty);
            }
            AttributeKind::Float { ty, bits } => {
                self.scalar(*ty, bits);
                ty_after = Some(*ty);
            }
            AttributeKind::String { value, ty } => {
                self.quoted(value);
                ty_after = *ty;
            }
            AttributeKind::Array(elements) => {
                self.text("[");
                self.comma_separated(elements.iter(), |printer, element| {
                    printer.attribute_eliding_type(*element)
                });
                self.text("]");
            }
            AttributeKind::Dictionary(entries) => self.entries(entries),
            AttributeKind::Type(ty) => self.ty(*ty),
            AttributeKind::SymbolRef { root, nested } => {
                self.symbol_name(context.text(*root));
                for name in nested.iter() {
                    self.text("::");
                    self.symbol_name(context.text(*name));
                }
            }
            AttributeKind::AffineMap(map) => {
                self.text("affine_map<");
                self.number(map);
                self.text(">");
            }
            AttributeKind::IntegerSet(set) => {
                self.text("affine_set<");
                self.number(set);
                self.text(">");
            }
            AttributeKind::DenseElements { ty, values, splat }
                if !splat
                    && self
                        .options
                        .elide_elements_above
                        .is_some_and(|n| values.len() > n) =>
            {
                self.text("dense_resource<__elided__>");
                ty_after = Some(*ty);
            }
            AttributeKind::DenseElements { ty, values, splat } => {
                self.text("dense<");
                self.elements(*ty, values, *splat, true);
                self.text(">");
                ty_after = Some(*ty);
            }
            AttributeKind::DenseStrings { ty, values } => {
                self.text("dense<");
                self.string_elements(*ty, values);
                self.text(">");
                ty_after = Some(*ty);
            }
            AttributeKind::SparseElements {
                ty,
                indices,
                values,
            } => {
                self.text("sparse<");
                self.sparse(*indices, *values);
                self.text(">");
                ty_after = Some(*ty);
            }
            AttributeKind::DenseArray { element, values } => {
                self.text("array<");
                self.ty(*element);
                self.text(if values.is_empty() { "" } else { ": " });
                self.comma_separated(values.iter(), |printer, value| {
                    printer.scalar(*element, value)
                });
                self.text(">");
            }
            AttributeKind::DenseResource { key, ty } => {
                self.text("dense_resource<");
                self.keyword_or_string(context.text(*key));
                self.text(">");
                ty_after = Some(*ty);
            }
            AttributeKind::StridedLayout { offset, strides } => {
                self.text("strided<[");
                self.comma_separated(strides.iter(), |printer, stride| printer.stride(*stride));
                self.text("]");
                if *offset != Some(0) {
                    self.text(", offset: ");
                    self.stride(*offset);
                }
                self.text(">");
            }
            AttributeKind::Distinct { id, referenced } => {
                let next = self.distinct.len();
                let number = *self.distinct.entry(*id).or_insert(next);
                self.text("distinct[");
                self.number(number);
                self.text("]<");
                if !matches!(referenced.kind(context), AttributeKind::Unit) {
                    self.attribute(*referenced);
                }
                self.text(">");
            }
            AttributeKind::Location(location) => {
                self.text("loc(");
                self.location(*location);
                self.text(")");
            }
            AttributeKind::Dialect { name, parameters } => {
                self.text("#");
                self.text(context.text(*name));
                if let Some(definition) = context.attribute_definition(context.text(*name)) {
                    let start = self.out.len();
                    (definition.print)(self, parameters);
                    if definition.typed {
                        let ty = parameters.last().and_then(|ty| ty.as_type(context));
                        ty_after = ty.filter(|ty| *ty != context.none_type());
                    }
                    // A body without brackets gets those of the dialect.
                    let body = &self.out[start..];
                    if !body.is_empty() && !body.starts_with('<') {
                        let full = context.text(*name);
                        let (dialect, mnemonic) = full.split_once('.').unwrap_or((full, ""));
                        let wrapped = format!("{dialect}<{mnemonic}{body}>");
                        self.out.truncate(start - full.len());
                        self.out.push_str(&wrapped);
                    }
                }
            }
            AttributeKind::Opaque { dialect, text, ty } => {
                self.opaque("#", *dialect, *text);
                ty_after = *ty;
            }
        }
        if let (true, Some(ty)) = (with_type, ty_after) {
            self.text(" : ");
            self.ty(ty);
        }
    }

    fn stride(&mut self, value: Option<i64>) {
        match value {
            Some(value) => self.number(value),
            None => self.text("?"),
        }
    }

    fn integer(&mut self, ty: Type, value: &Bits) {
        match ty.kind(self.context) {
            TypeKind::Integer {
                width_bits: 1,
                signedness: Signedness::Signless,
            } => {
                self.text(if value.is_zero() { "false" } else { "true" });
            }
            TypeKind::Integer {
                signedness: Signedness::Unsigned,
                ..
            } => {
                self.text(&value.to_unsigned_string());
            }
            _ => self.text(&value.to_signed_string()),
        }
    }

    /// Prints a number of integer, index or float type, without the type.
    fn scalar(&mut self, ty: Type, value: &Bits) {
        match ty.kind(self.context) {
            TypeKind::Float(kind) => print_float(&mut self.out, *kind, value),
            _ => self.integer(ty, value),
        }
    }

    // Elements.

    fn elements(&mut self, ty: Type, values: &[Bits], splat: bool, allow_raw: bool) {
        let element = ty
            .element_type(self.context)
            .expect("elements attributes have shaped types");
        let (scalar, parts) = match element.kind(self.context) {
            TypeKind::Complex(part) => (*part, 2),
            _ => (element, 1),
        };
        if splat {
            self.element(scalar, values, parts);
        } else if allow_raw && values.len() / parts > MAX_LISTED_ELEMENTS {
            self.raw(scalar, values, parts);
        } else if !values.is_empty() {
            let shape = ty
                .static_shape(self.context)
                .expect("elements attributes have static shapes");
            self.nested_list(&shape, values.chunks(parts), |printer, value| {
                printer.element(scalar, value, parts);
            });
        }
    }

    fn element(&mut self, scalar: Type, parts: &[Bits], n_parts: usize) {
        if n_parts == 1 {
            self.scalar(scalar, &parts[0]);
            return;
        }
        self.text("(");
        self.scalar(scalar, &parts[0]);
        self.text(",");
        self.scalar(scalar, &parts[1]);
        self.text(")");
    }

    fn string_elements(&mut self, ty: Type, values: &[Box<[u8]>]) {
        let shape = ty
            .static_shape(self.context)
            .expect("elements attributes have static shapes");
        match values {
            [] => {}
            [only] => self.quoted(only),
            _ => self.nested_list(&shape, values.iter(), |printer, value| {
                printer.quoted(value)
            }),
        }
    }

    /// Prints `[[a, b], [c, d]]`.
    fn nested_list<T>(
        &mut self,
        shape: &[u64],
        values: impl Iterator<Item = T>,
        mut print: impl FnMut(&mut Self, T),
    ) {
        // Number of values in each level of brackets.
        let mut strides: Vec<u64> = Vec::with_capacity(shape.len());
        let mut stride = 1u64;
        for size in shape.iter().rev() {
            stride = stride.saturating_mul(*size);
            strides.push(stride);
        }
        let borders = |count: u64| {
            strides
                .iter()
                .filter(|stride| count.is_multiple_of(**stride))
                .count()
        };
        for (count, value) in (0u64..).zip(values) {
            if count > 0 {
                self.text(", ");
            }
            (0..borders(count)).for_each(|_| self.out.push('['));
            print(self, value);
            (0..borders(count + 1)).for_each(|_| self.out.push(']'));
        }
    }

    fn raw(&mut self, scalar: Type, values: &[Bits], parts: usize) {
        let width = scalar
            .width_bits(self.context)
            .expect("elements are numbers");
        self.text("\"0x");
        for byte in pack(values, width, parts) {
            self.out.push_str(&format!("{byte:02X}"));
        }
        self.text("\"");
    }

    fn sparse(&mut self, indices: Attribute, values: Attribute) {
        let context = self.context;
        let dense = |attribute: Attribute| match attribute.kind(context) {
            AttributeKind::DenseElements { ty, values, splat } => Some((*ty, values, *splat)),
            _ => None,
        };
        let (Some(indices), Some(values)) = (dense(indices), dense(values)) else {
            return;
        };
        if !values.1.is_empty() {
            self.elements(indices.0, indices.1, indices.2, false);
            self.text(", ");
            self.elements(values.0, values.1, values.2, true);
        }
    }

    // Locations.

    /// Prints the text between `loc(` and `)`.
    pub(crate) fn location(&mut self, location: Location) {
        if self.collecting {
            self.visit_location(location, true);
            return;
        }
        if !self.print_location_alias(location) {
            self.location_in_place(location);
        }
    }

    pub(crate) fn location_in_place(&mut self, location: Location) {
        if self.collecting {
            return;
        }
        let context = self.context;
        match &*location.kind(context) {
            LocationKind::Unknown => self.text("unknown"),
            LocationKind::File { file, line, column } => {
                self.quoted(context.text(*file).as_bytes());
                self.text(":");
                self.number(line);
                self.text(":");
                self.number(column);
            }
            LocationKind::Range {
                file,
                line,
                column,
                end_line,
                end_column,
            } => {
                self.quoted(context.text(*file).as_bytes());
                self.text(":");
                self.number(line);
                self.text(":");
                self.number(column);
                self.text(" to ");
                if end_line != line {
                    self.number(end_line);
                }
                self.text(":");
                self.number(end_column);
            }
            LocationKind::Name { name, child } => {
                self.quoted(context.text(*name).as_bytes());
                if *child != Location::UNKNOWN {
                    self.text("(");
                    self.location(*child);
                    self.text(")");
                }
            }
            LocationKind::CallSite { callee, caller } => {
                self.text("callsite(");
                self.location(*callee);
                self.text(" at ");
                self.location(*caller);
                self.text(")");
            }
            LocationKind::Fused { parts, metadata } => {
                self.text("fused");
                if let Some(metadata) = metadata {
                    self.text("<");
                    self.attribute(*metadata);
                    self.text(">");
                }
                self.text("[");
                self.comma_separated(parts.iter(), |printer, part| printer.location(*part));
                self.text("]");
            }
        }
    }
}
