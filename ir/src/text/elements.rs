//! Elements attributes: `dense`, `sparse` and `dense_resource`.

use crate::attributes::AttributeKind;
use crate::bits::Bits;
use crate::ids::{Attribute, Type};
use crate::raw::unpack;
use crate::text::lexer::{TokenKind, hex_digit, unescape};
use crate::text::parser::Parser;
use crate::text::printer::print_type;
use crate::text::{ParseResult, Position};
use crate::types::TypeKind;

/// One literal of a `dense` list, before its type is known.
#[derive(Clone, Debug)]
enum Literal<'a> {
    Number { negative: bool, text: &'a str },
    Bool(bool),
    Text(Box<[u8]>),
}

/// The contents of `dense<...>`, before the type is known.
#[derive(Default)]
struct Contents<'a> {
    literals: Vec<(Position, Literal<'a>)>,
    /// Sizes of the nested lists; empty for a splat.
    shape: Vec<u64>,
    is_list: bool,
    /// A string that holds raw data in hexadecimal.
    raw: Option<(Position, &'a str)>,
    /// Position of the first element that is a single literal, and of the first pair `(real, imaginary)`.
    single: Option<Position>,
    pair: Option<Position>,
}

impl<'a> Parser<'a> {
    pub(crate) fn dense_elements(&mut self, ty: Option<Type>) -> ParseResult<Attribute> {
        let start = self.position();
        self.advance();
        self.expect(TokenKind::Less, "expected '<' after 'dense'")?;
        let mut contents = Contents::default();
        if !self.is(TokenKind::Greater) {
            self.dense_contents(&mut contents)?;
        } else {
            contents.is_list = true;
            contents.shape = vec![0];
        }
        self.expect(TokenKind::Greater, "expected '>'")?;
        let position = match ty {
            Some(_) => start,
            None => self.position(),
        };
        let ty = self.elements_type(ty)?;
        self.make_dense(ty, contents, position)
    }

    fn elements_type(&mut self, ty: Option<Type>) -> ParseResult<Type> {
        let ty = match ty {
            Some(ty) => ty,
            None => {
                self.expect(TokenKind::Colon, "expected ':'")?;
                self.parse_type()?
            }
        };
        let shaped = matches!(
            ty.kind(self.context),
            TypeKind::Vector { .. } | TypeKind::RankedTensor { .. }
        );
        if !shaped {
            return Err(self.wrong_token("elements literal must be a shaped type"));
        }
        if ty.static_shape(self.context).is_none() {
            return Err(self.wrong_token("elements literal type must have static shape"));
        }
        Ok(ty)
    }

    fn dense_contents(&mut self, contents: &mut Contents<'a>) -> ParseResult<()> {
        if self.is(TokenKind::LeftSquare) {
            contents.is_list = true;
            return self.dense_list(contents, 0);
        }
        if self.is(TokenKind::String) && self.spelling().starts_with("\"0x") {
            contents.raw = Some((self.position(), self.spelling()));
        }
        self.dense_element(contents)
    }

    /// Parses `[...]` at nesting `depth`; checks that all lists at one depth have one length.
    fn dense_list(&mut self, contents: &mut Contents<'a>, depth: usize) -> ParseResult<()> {
        self.enter()?;
        let result = self.dense_list_inner(contents, depth);
        self.depth -= 1;
        result
    }

    fn dense_list_inner(&mut self, contents: &mut Contents<'a>, depth: usize) -> ParseResult<()> {
        let position = self.position();
        self.advance();
        let first_here = contents.shape.len() <= depth;
        if first_here {
            contents.shape.push(0);
        }
        let mut count = 0u64;
        if !self.accept(TokenKind::RightSquare) {
            loop {
                if self.is(TokenKind::LeftSquare) {
                    if count > 0 && contents.shape.len() == depth + 1 {
                        return Err(self.tensor_mismatch(position));
                    }
                    self.dense_list(contents, depth + 1)?;
                } else {
                    if contents.shape.len() > depth + 1 {
                        return Err(self.tensor_mismatch(position));
                    }
                    self.dense_element(contents)?;
                }
                count += 1;
                if !self.accept(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RightSquare, "expected ']'")?;
        }
        if first_here {
            contents.shape[depth] = count;
        } else if contents.shape[depth] != count {
            return Err(self.tensor_mismatch(position));
        }
        Ok(())
    }

    fn tensor_mismatch(&mut self, position: Position) -> crate::text::Reported {
        self.plain_error(
            position,
            "tensor literal is invalid; ranks are not consistent between elements",
        )
    }

    fn dense_element(&mut self, contents: &mut Contents<'a>) -> ParseResult<()> {
        let position = self.position();
        // A complex number: real and imaginary part.
        if self.accept(TokenKind::LeftParen) {
            contents.pair.get_or_insert(position);
            self.dense_literal(contents)?;
            self.expect(TokenKind::Comma, "expected ',' between complex elements")?;
            self.dense_literal(contents)?;
            return self.expect(TokenKind::RightParen, "expected ')' after complex elements");
        }
        contents.single.get_or_insert(position);
        self.dense_literal(contents)
    }

    fn dense_literal(&mut self, contents: &mut Contents<'a>) -> ParseResult<()> {
        let position = self.position();
        let negative = self.accept(TokenKind::Minus);
        let text = self.spelling();
        let literal = match self.token.kind {
            TokenKind::Integer | TokenKind::Float => Literal::Number { negative, text },
            TokenKind::Bare if !negative && matches!(text, "true" | "false") => {
                Literal::Bool(text == "true")
            }
            TokenKind::String if !negative => Literal::Text(unescape(text).into()),
            _ if negative => {
                return Err(self.wrong_token("expected integer or floating point literal"));
            }
            _ => return Err(self.wrong_token("expected element literal of primitive type")),
        };
        self.advance();
        contents.literals.push((position, literal));
        Ok(())
    }

    fn make_dense(
        &mut self,
        ty: Type,
        contents: Contents<'a>,
        position: Position,
    ) -> ParseResult<Attribute> {
        let context = self.context;
        let element = ty
            .element_type(context)
            .expect("callers check that the type is shaped");
        let shape = ty
            .static_shape(context)
            .expect("callers check that the shape is static");
        let (scalar, parts) = match element.kind(context) {
            TypeKind::Complex(part) => (*part, 2),
            _ => (element, 1),
        };
        let numeric = scalar.width_bits(context).is_some();
        if let (Some((at, text)), true) = (contents.raw, numeric) {
            return self.raw_elements((ty, scalar, parts), text, at, position);
        }
        if let (Some(at), 2) = (contents.single, parts) {
            let text = print_type(context, element);
            let message = format!("expected '(real, imaginary)' as element of type '{text}'");
            return Err(self.plain_error(at, message));
        }
        if let (Some(at), 1) = (contents.pair, parts) {
            let text = print_type(context, element);
            let message = format!("expected one literal as element of type '{text}', but got two");
            return Err(self.plain_error(at, message));
        }
        if contents.is_list
            && !(contents.literals.is_empty() && shape.contains(&0))
            && contents.shape != shape
        {
            let list = |sizes: &[u64]| {
                let sizes: Vec<_> = sizes.iter().map(u64::to_string).collect();
                sizes.join(", ")
            };
            let message = format!(
                "inferred shape of elements literal ([{}]) does not match type ([{}])",
                list(&contents.shape),
                list(&shape)
            );
            return Err(self.plain_error(position, message));
        }
        if !numeric {
            return self.dense_strings(ty, contents, position);
        }
        let mut values = Vec::with_capacity(contents.literals.len());
        for (at, literal) in &contents.literals {
            values.push(self.dense_value(scalar, literal, *at)?);
        }
        if !contents.is_list && shape.contains(&0) {
            values.clear();
        }
        Ok(context.dense_attribute(ty, values, parts))
    }

    fn dense_strings(
        &mut self,
        ty: Type,
        contents: Contents<'a>,
        position: Position,
    ) -> ParseResult<Attribute> {
        let mut values: Vec<Box<[u8]>> = Vec::with_capacity(contents.literals.len());
        for (_, literal) in contents.literals {
            match literal {
                Literal::Text(text) => values.push(text),
                Literal::Number { .. } | Literal::Bool(_) => {
                    let element = ty.element_type(self.context).unwrap_or(ty);
                    let text = print_type(self.context, element);
                    let message = format!(
                        "expected element type to be an integer, floating point or complex type, but got '{text}'"
                    );
                    return Err(self.plain_error(position, message));
                }
            }
        }
        if values.len() > 1 && values.iter().all(|value| *value == values[0]) {
            values.truncate(1);
        }
        Ok(self.context.attribute(AttributeKind::DenseStrings {
            ty,
            values: values.into(),
        }))
    }

    fn dense_value(
        &mut self,
        scalar: Type,
        literal: &Literal<'a>,
        position: Position,
    ) -> ParseResult<Bits> {
        let context = self.context;
        match (scalar.kind(context), literal) {
            (TypeKind::Float(kind), Literal::Number { negative, text }) => {
                if !text.contains('.') && !text.starts_with("0x") {
                    let message = "expected floating-point elements, but parsed integer";
                    Err(self.plain_error(position, message))
                } else if text.contains('.') {
                    self.float_bits(*kind, text, *negative, position)
                } else {
                    self.hex_float_bits(*kind, text, *negative, position)
                }
            }
            (TypeKind::Integer { width_bits: 1, .. }, Literal::Bool(value)) => {
                Ok(Bits::from_u64(1, u64::from(*value)))
            }
            (TypeKind::Integer { .. } | TypeKind::Index, Literal::Number { negative, text })
                if !text.contains('.') =>
            {
                self.integer_bits(scalar, text, *negative, position)
            }
            (TypeKind::Integer { .. } | TypeKind::Index, Literal::Bool(_)) => {
                Err(self.plain_error(position, "expected i1 type for 'true' or 'false' values"))
            }
            (TypeKind::Integer { .. } | TypeKind::Index, _) => Err(self.plain_error(
                position,
                "expected integer elements, but parsed floating-point",
            )),
            _ => Err(self.plain_error(
                position,
                "expected floating-point elements, but parsed integer",
            )),
        }
    }

    // Raw data.

    fn raw_elements(
        &mut self,
        (ty, scalar, parts): (Type, Type, usize),
        quoted: &str,
        position: Position,
        after: Position,
    ) -> ParseResult<Attribute> {
        let digits = &quoted.as_bytes()[3..quoted.len() - 1];
        if !digits.len().is_multiple_of(2) || !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(self.plain_error(
                position,
                "elements hex string should only contain hex digits",
            ));
        }
        let data: Vec<u8> = digits
            .chunks_exact(2)
            .map(|pair| hex_digit(pair[0]) << 4 | hex_digit(pair[1]))
            .collect();
        let context = self.context;
        let width = scalar
            .width_bits(context)
            .expect("callers check that the elements are numbers");
        let n_elements = ty
            .n_elements(context)
            .expect("callers check that the shape is static");
        // The data never has this many words.
        let count = n_elements.times(parts).to_u64().unwrap_or(u64::MAX);
        match unpack(&data, width, count, parts) {
            Some(values) => Ok(context.dense_attribute(ty, values, parts)),
            None => {
                let text = print_type(context, ty);
                let message =
                    format!("elements hex data size is invalid for provided type: '{text}'");
                Err(self.plain_error(after, message))
            }
        }
    }

    pub(crate) fn dense_resource(&mut self, ty: Option<Type>) -> ParseResult<Attribute> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' after 'dense_resource'")?;
        let key = self.parse_keyword_or_string()?;
        self.expect(TokenKind::Greater, "expected '>'")?;
        let position = self.position();
        let ty = match ty {
            Some(ty) => ty,
            None => {
                self.expect(TokenKind::Colon, "expected ':'")?;
                self.parse_type()?
            }
        };
        if ty.element_type(self.context).is_none() {
            return Err(self.plain_error(position, "`dense_resource` expected a shaped type"));
        }
        Ok(self.context.attribute(AttributeKind::DenseResource {
            key: self.context.name(&key),
            ty,
        }))
    }

    pub(crate) fn sparse_elements(&mut self, ty: Option<Type>) -> ParseResult<Attribute> {
        let start = self.position();
        self.advance();
        self.expect(TokenKind::Less, "expected '<' after 'sparse'")?;
        let (mut indices, mut values) = (Contents::default(), Contents::default());
        let empty = self.accept(TokenKind::Greater);
        let position = self.position();
        if !empty {
            self.dense_contents(&mut indices)?;
            self.expect(TokenKind::Comma, "expected ','")?;
            self.dense_contents(&mut values)?;
            self.expect(TokenKind::Greater, "expected '>'")?;
        }
        let ty = self.elements_type(ty)?;
        let context = self.context;
        let element = ty
            .element_type(context)
            .expect("callers check that the type is shaped");
        let shape = ty
            .static_shape(context)
            .expect("callers check that the shape is static");
        let rank = shape.len() as u64;
        let n_values = if values.is_list {
            values.shape.first().copied().unwrap_or(0)
        } else {
            u64::from(!empty)
        };
        let tensor = |shape: &[u64], element: Type| {
            let shape = shape.iter().map(|size| Some(*size)).collect();
            context.ty(TypeKind::RankedTensor {
                shape,
                element,
                encoding: None,
            })
        };
        let indices_type = match (indices.is_list, indices.shape.len()) {
            (true, 1) if rank == 1 => tensor(&indices.shape.clone(), context.integer_type(64)),
            _ => tensor(&[n_values, rank], context.integer_type(64)),
        };
        let indices = self.make_dense(indices_type, indices, position)?;
        let values = self.make_dense(tensor(&[n_values], element), values, position)?;
        if let Some(number) = index_outside(context, indices, &shape) {
            let message = format!(
                "sparse index #{number} is not contained within the value shape of '{}'",
                print_type(context, ty)
            );
            return Err(self.plain_error(start, message));
        }
        Ok(context.attribute(AttributeKind::SparseElements {
            ty,
            indices,
            values,
        }))
    }
}

/// Returns the position of the first of the `indices` that is outside `shape`.
fn index_outside(
    context: &crate::context::Context,
    indices: Attribute,
    shape: &[u64],
) -> Option<usize> {
    let AttributeKind::DenseElements { values, splat, .. } = indices.kind(context) else {
        return None;
    };
    let is_outside =
        |(value, size): (&crate::bits::Bits, &u64)| value.to_u64().is_none_or(|v| v >= *size);
    if *splat {
        let value = values.first()?;
        let outside = shape.iter().any(|size| is_outside((value, size)));
        return outside.then_some(0);
    }
    let mut rows = values.chunks(shape.len().max(1));
    rows.position(|row| row.iter().zip(shape).any(is_outside))
}

impl crate::context::Context {
    /// Returns a `dense<...>` attribute of numbers: one value for each part of each element, or those of a single element for
    /// all.
    ///
    /// `parts` is 2 for complex elements, else 1. Equal elements become a splat.
    pub fn dense_attribute(&self, ty: Type, mut values: Vec<Bits>, parts: usize) -> Attribute {
        let splat = !values.is_empty()
            && values
                .chunks(parts)
                .all(|element| element == &values[..parts]);
        if splat {
            values.truncate(parts);
        }
        self.attribute(AttributeKind::DenseElements {
            ty,
            values: values.into(),
            splat,
        })
    }
}
