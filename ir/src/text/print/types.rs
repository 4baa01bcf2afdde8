//! Prints types.

use crate::ids::{Attribute, Name, Type};
use crate::text::printer::Printer;
use crate::types::{Signedness, TypeKind};

impl<'a> Printer<'a> {
    /// Prints a type.
    pub fn ty(&mut self, ty: Type) {
        if self.collecting {
            self.visit_type(ty);
            return;
        }
        if !self.print_type_alias(ty) {
            self.type_in_place(ty);
        }
    }

    /// Prints a type without using its alias.
    pub(crate) fn type_in_place(&mut self, ty: Type) {
        let context = self.context;
        match ty.kind(context) {
            TypeKind::Integer {
                width_bits,
                signedness,
            } => {
                self.text(match signedness {
                    Signedness::Signless => "i",
                    Signedness::Signed => "si",
                    Signedness::Unsigned => "ui",
                });
                self.index(*width_bits);
            }
            TypeKind::Index => self.text("index"),
            TypeKind::Float(kind) => self.text(kind.keyword()),
            TypeKind::None => self.text("none"),
            TypeKind::Complex(element) => {
                self.text("complex<");
                self.ty(*element);
                self.text(">");
            }
            TypeKind::Function { inputs, results } => {
                self.functional_type(inputs.iter().copied(), results);
            }
            TypeKind::Tuple(types) => {
                self.text("tuple<");
                self.types(types.iter().copied());
                self.text(">");
            }
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => {
                self.text("vector<");
                for (size, scales) in shape.iter().zip(scalable.iter()) {
                    self.text(if *scales { "[" } else { "" });
                    self.number(size);
                    self.text(if *scales { "]x" } else { "x" });
                }
                self.ty(*element);
                self.text(">");
            }
            TypeKind::RankedTensor {
                shape,
                element,
                encoding,
            } => {
                self.text("tensor<");
                self.dimension_list(shape);
                self.ty(*element);
                self.optional_parameter(*encoding);
                self.text(">");
            }
            TypeKind::UnrankedTensor(element) => {
                self.text("tensor<*x");
                self.ty(*element);
                self.text(">");
            }
            TypeKind::MemRef {
                shape,
                element,
                layout,
                memory_space,
            } => {
                self.text("memref<");
                self.dimension_list(shape);
                self.ty(*element);
                self.optional_parameter(*layout);
                self.memory_space(*memory_space);
                self.text(">");
            }
            TypeKind::UnrankedMemRef {
                element,
                memory_space,
            } => {
                self.text("memref<*x");
                self.ty(*element);
                self.memory_space(*memory_space);
                self.text(">");
            }
            TypeKind::Dialect { name, parameters } => {
                self.text("!");
                self.text(context.text(*name));
                if let Some(definition) = context.type_definition(context.text(*name)) {
                    (definition.print)(self, parameters);
                }
            }
            TypeKind::Opaque { dialect, text } => self.opaque("!", *dialect, *text),
        }
    }

    fn optional_parameter(&mut self, attribute: Option<Attribute>) {
        if let Some(attribute) = attribute {
            self.text(", ");
            self.attribute(attribute);
        }
    }

    /// Prints a memory space; omits the type of a plain number.
    fn memory_space(&mut self, space: Option<Attribute>) {
        if let Some(space) = space {
            self.text(", ");
            self.attribute_eliding_type(space);
        }
    }

    pub(crate) fn opaque(&mut self, prefix: &str, dialect: Name, text: Name) {
        let context = self.context;
        let text = context.text(text);
        self.text(prefix);
        self.text(context.text(dialect));
        if is_pretty(text) {
            self.text(".");
            self.text(text);
        } else {
            self.text("<");
            self.text(text);
            self.text(">");
        }
    }
}

/// Returns true if the body of a dialect symbol may follow the dialect name after a dot.
fn is_pretty(text: &str) -> bool {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return false;
    }
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_');
    rest.is_empty() || (rest.starts_with('<') && rest.ends_with('>'))
}
