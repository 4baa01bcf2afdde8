//! Reads attributes and types, each when it is first needed.

use super::builtin::{DYNAMIC, FLOATS, LATER_FLOATS, attribute as code, ty as type_code};
use super::encoding::{Cursor, Decoded, Fault};
use super::read::{Reader, State};
use super::read_affine::strided_layout;
use crate::attributes::AttributeKind;
use crate::bits::Bits;
use crate::exact::n_elements;
use crate::ids::{Attribute, Location, Name, Type};
use crate::limits::Limit;
use crate::location::LocationKind;
use crate::raw;
use crate::text::{parse_attribute, parse_type};
use crate::types::{Dimension, MAX_INTEGER_WIDTH_BITS, Signedness, TypeKind};

const BUILTIN: &str = "builtin";

impl<'a> Reader<'a> {
    /// Reads an attribute by its index, which is next.
    pub(super) fn attribute(&mut self, cursor: &mut Cursor<'a>) -> Decoded<Attribute> {
        let start = cursor.at;
        let index = cursor.number()?;
        self.attribute_at(index, cursor, start)
    }

    /// Reads an attribute that may be missing, as one number: twice its index plus 1, or 0.
    pub(super) fn optional_attribute(
        &mut self,
        cursor: &mut Cursor<'a>,
    ) -> Decoded<Option<Attribute>> {
        let start = cursor.at;
        match cursor.number_with_flag()? {
            (_, false) => Ok(None),
            (index, true) => self.attribute_at(index, cursor, start).map(Some),
        }
    }

    fn attribute_at(
        &mut self,
        index: u64,
        cursor: &Cursor<'a>,
        start: usize,
    ) -> Decoded<Attribute> {
        let index = cursor.checked_index(index, self.attributes.len(), "Attribute", start)?;
        let slot = self.attributes[index];
        match slot.state {
            State::Done(attribute) => return Ok(attribute),
            State::Busy => return Err(cursor.fault("an attribute that needs itself")),
            State::New => {}
        }
        self.enter(cursor)?;
        self.attributes[index].state = State::Busy;
        let mut inner = slot.cursor(self.data);
        let attribute = if slot.is_encoded {
            self.expect_builtin(slot.dialect as usize, &inner)?;
            self.encoded_attribute(&mut inner)?
        } else {
            let text = self.text(&mut inner)?;
            parse_attribute(self.context, text).map_err(|why| self.bad_text(&inner, &why))?
        };
        if !inner.is_empty() {
            return Err(inner.fault("unexpected trailing bytes after Attribute entry"));
        }
        self.depth -= 1;
        self.attributes[index].state = State::Done(attribute);
        Ok(attribute)
    }

    /// Reads a type by its index, which is next.
    pub(super) fn ty(&mut self, cursor: &mut Cursor<'a>) -> Decoded<Type> {
        let start = cursor.at;
        let index = cursor.number()?;
        self.type_at(index, cursor, start)
    }

    pub(super) fn type_at(
        &mut self,
        index: u64,
        cursor: &Cursor<'a>,
        start: usize,
    ) -> Decoded<Type> {
        let index = cursor.checked_index(index, self.types.len(), "Type", start)?;
        let slot = self.types[index];
        match slot.state {
            State::Done(ty) => return Ok(ty),
            State::Busy => return Err(cursor.fault("a type that needs itself")),
            State::New => {}
        }
        self.enter(cursor)?;
        self.types[index].state = State::Busy;
        let mut inner = slot.cursor(self.data);
        let ty = if slot.is_encoded {
            self.expect_builtin(slot.dialect as usize, &inner)?;
            self.encoded_type(&mut inner)?
        } else {
            let text = self.text(&mut inner)?;
            parse_type(self.context, text).map_err(|why| self.bad_text(&inner, &why))?
        };
        if !inner.is_empty() {
            return Err(inner.fault("unexpected trailing bytes after Type entry"));
        }
        self.depth -= 1;
        self.types[index].state = State::Done(ty);
        Ok(ty)
    }

    pub(super) fn enter(&mut self, cursor: &Cursor<'a>) -> Decoded<()> {
        self.depth += 1;
        let checked = (self.context.limits).check(Limit::NestingLevels, self.depth);
        checked.map_err(|excess| cursor.fault(format!("attributes and types nested {excess}")))
    }

    fn expect_builtin(&self, dialect: usize, cursor: &Cursor<'a>) -> Decoded<()> {
        let name = self.dialects[dialect].name;
        if name == BUILTIN {
            return Ok(());
        }
        let message = format!(
            "dialect '{name}' has an encoding of its own that is not known here{}",
            self.origin()
        );
        Err(cursor.fault(message))
    }

    fn text(&self, cursor: &mut Cursor<'a>) -> Decoded<&'a str> {
        let text = cursor.text()?;
        std::str::from_utf8(text).map_err(|_| cursor.fault("expected UTF-8 text"))
    }

    fn bad_text(&self, cursor: &Cursor<'a>, why: &crate::diagnostics::Diagnostics) -> Fault {
        let first = why.all.first().map(|found| found.message.clone());
        cursor.fault(first.unwrap_or_else(|| "expected an attribute or a type".to_owned()))
    }

    // Attributes of the builtin dialect.

    fn encoded_attribute(&mut self, cursor: &mut Cursor<'a>) -> Decoded<Attribute> {
        let context = self.context;
        let start = cursor.at;
        let kind = match cursor.number()? {
            code::ARRAY => AttributeKind::Array(self.attribute_list(cursor)?.into()),
            code::DICTIONARY => return self.dictionary(cursor),
            code::STRING => AttributeKind::String {
                value: self.string(cursor)?.into(),
                ty: None,
            },
            code::TYPED_STRING => AttributeKind::String {
                value: self.string(cursor)?.into(),
                ty: Some(self.ty(cursor)?),
            },
            code::FLAT_SYMBOL => AttributeKind::SymbolRef {
                root: self.name(cursor)?,
                nested: Box::default(),
            },
            code::SYMBOL => {
                let root = self.name(cursor)?;
                let mut nested = Vec::new();
                for part in self.attribute_list(cursor)? {
                    let text = part.as_flat_symbol(context);
                    let text = text.ok_or_else(|| cursor.fault("expected a symbol reference"))?;
                    nested.push(context.name(text));
                }
                AttributeKind::SymbolRef {
                    root,
                    nested: nested.into(),
                }
            }
            code::TYPE => AttributeKind::Type(self.ty(cursor)?),
            code::UNIT => AttributeKind::Unit,
            code::INTEGER => {
                let ty = self.ty(cursor)?;
                let width = match ty.kind(context) {
                    TypeKind::Integer { width_bits, .. } => *width_bits,
                    TypeKind::Index => crate::types::INDEX_WIDTH_BITS,
                    _ => return Err(cursor.fault("expected integer or index type for IntegerAttr")),
                };
                let value = bits(cursor, width)?;
                AttributeKind::Integer { ty, value }
            }
            code::FLOAT => {
                let ty = self.ty(cursor)?;
                let TypeKind::Float(kind) = ty.kind(context) else {
                    return Err(cursor.fault("expected a float type for FloatAttr"));
                };
                let bits = bits(cursor, kind.width_bits())?;
                AttributeKind::Float { ty, bits }
            }
            code::CALL_SITE => {
                let callee = self.location(cursor)?;
                let caller = self.location(cursor)?;
                return Ok(self.place(LocationKind::CallSite { callee, caller }));
            }
            code::FILE => {
                let file = self.name(cursor)?;
                let (line, column) = line_and_column(cursor)?;
                return Ok(self.place(LocationKind::File { file, line, column }));
            }
            code::FILE_RANGE => {
                let kind = self.file_range(cursor)?;
                return Ok(self.place(kind));
            }
            code::FUSED => {
                let parts = self.locations(cursor)?;
                return Ok(self.place(LocationKind::Fused {
                    parts: parts.into(),
                    metadata: None,
                }));
            }
            code::FUSED_WITH_METADATA => {
                let parts = self.locations(cursor)?;
                let metadata = Some(self.attribute(cursor)?);
                return Ok(self.place(LocationKind::Fused {
                    parts: parts.into(),
                    metadata,
                }));
            }
            code::NAME => {
                let name = self.name(cursor)?;
                let child = self.location(cursor)?;
                return Ok(self.place(LocationKind::Name { name, child }));
            }
            code::UNKNOWN => AttributeKind::Location(Location::UNKNOWN),
            code::DENSE_RESOURCE => {
                let ty = self.ty(cursor)?;
                let index = cursor.index(self.resource_keys.len(), "dialect resource")?;
                AttributeKind::DenseResource {
                    key: context.name(self.resource_keys[index]),
                    ty,
                }
            }
            code::DENSE_ARRAY => self.dense_array(cursor)?,
            code::DENSE => return self.dense(cursor),
            code::DENSE_STRINGS => {
                let ty = self.shaped(cursor)?;
                let is_splat = cursor.number()? != 0;
                let count = match is_splat {
                    true => 1,
                    false => cursor.checked_count(
                        n_elements(&ty.1).to_u64().unwrap_or(u64::MAX),
                        "strings",
                        cursor.at,
                    )?,
                };
                let mut values: Vec<Box<[u8]>> = Vec::with_capacity(count);
                for _ in 0..count {
                    values.push(self.string(cursor)?.into());
                }
                AttributeKind::DenseStrings {
                    ty: ty.0,
                    values: values.into(),
                }
            }
            code::SPARSE => {
                let (ty, _) = self.shaped(cursor)?;
                AttributeKind::SparseElements {
                    ty,
                    indices: self.dense_part(cursor)?,
                    values: self.dense_part(cursor)?,
                }
            }
            code::DISTINCT => {
                let referenced = self.attribute(cursor)?;
                self.n_distinct += 1;
                AttributeKind::Distinct {
                    id: self.n_distinct - 1,
                    referenced,
                }
            }
            code::AFFINE_MAP => self.affine_map(cursor)?,
            code::INTEGER_SET => self.integer_set(cursor)?,
            code::STRIDED_LAYOUT => strided_layout(cursor)?,
            other => {
                cursor.at = start;
                let message = format!("unknown builtin attribute code: {other}{}", self.origin());
                return Err(cursor.fault(message));
            }
        };
        Ok(context.attribute(kind))
    }

    fn attribute_list(&mut self, cursor: &mut Cursor<'a>) -> Decoded<Vec<Attribute>> {
        let count = cursor.count("attributes")?;
        (0..count).map(|_| self.attribute(cursor)).collect()
    }

    fn dictionary(&mut self, cursor: &mut Cursor<'a>) -> Decoded<Attribute> {
        let count = cursor.count("entries")?;
        let mut entries = Vec::with_capacity(count);
        for _ in 0..count {
            let name = self.name(cursor)?;
            entries.push((name, self.attribute(cursor)?));
        }
        entries.sort_by(|a, b| self.context.text(a.0).cmp(self.context.text(b.0)));
        if entries.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(cursor.fault("a name twice in a dictionary"));
        }
        Ok(self
            .context
            .attribute(AttributeKind::Dictionary(entries.into())))
    }

    /// Returns the text of a string attribute as a name.
    fn name(&mut self, cursor: &mut Cursor<'a>) -> Decoded<Name> {
        let attribute = self.attribute(cursor)?;
        if let Some((_, name)) = self.last_name.filter(|(known, _)| *known == attribute) {
            return Ok(name);
        }
        match attribute.as_str(self.context) {
            Some(text) => {
                let name = self.context.name(text);
                self.last_name = Some((attribute, name));
                Ok(name)
            }
            None => Err(cursor.fault("expected a string attribute")),
        }
    }

    /// Reads a location by the index of its attribute, which is next.
    pub(super) fn location(&mut self, cursor: &mut Cursor<'a>) -> Decoded<Location> {
        let start = cursor.at;
        let index = cursor.number()?;
        let index = cursor.checked_index(index, self.attributes.len(), "Attribute", start)?;
        if let Some(location) = self.file_location(index)? {
            return Ok(location);
        }
        let attribute = self.attribute_at(index as u64, cursor, start)?;
        match attribute.kind(self.context) {
            AttributeKind::Location(location) => Ok(*location),
            _ => Err(cursor.fault("expected a location")),
        }
    }

    /// Returns the location in slot `index` if it is a file location, as most are: no attribute is created for it.
    fn file_location(&mut self, index: usize) -> Decoded<Option<Location>> {
        let slot = self.attributes[index];
        if !slot.is_encoded || self.dialects[slot.dialect as usize].name != BUILTIN {
            return Ok(None);
        }
        let mut cursor = slot.cursor(self.data);
        if cursor.number()? != code::FILE {
            return Ok(None);
        }
        let file = self.name(&mut cursor)?;
        let (line, column) = line_and_column(&mut cursor)?;
        if !cursor.is_empty() {
            return Err(cursor.fault("unexpected trailing bytes after Attribute entry"));
        }
        let context = self.context;
        Ok(Some(context.location(LocationKind::File {
            file,
            line,
            column,
        })))
    }

    /// Reads the numbers of a range of a file: how many there are tells which are left out.
    fn file_range(&mut self, cursor: &mut Cursor<'a>) -> Decoded<LocationKind> {
        let file = self.name(cursor)?;
        let start = cursor.at;
        let count = cursor.count("numbers of a location")?;
        let mut all = [0; 4];
        let Some(numbers) = all.get_mut(..count) else {
            cursor.at = start;
            return Err(cursor.fault("a location with more than four numbers"));
        };
        for number in numbers {
            *number = line_or_column(cursor)?;
        }
        let [line, column, third, fourth] = all;
        let (end_line, end_column) = match count {
            0..=2 => (line, column),
            3 => (line, third),
            _ => (third, fourth),
        };
        Ok(LocationKind::Range {
            file,
            line,
            column,
            end_line,
            end_column,
        })
    }

    fn locations(&mut self, cursor: &mut Cursor<'a>) -> Decoded<Vec<Location>> {
        let count = cursor.count("locations")?;
        (0..count).map(|_| self.location(cursor)).collect()
    }

    fn place(&self, kind: LocationKind) -> Attribute {
        let location = self.context.location(kind);
        self.context.attribute(AttributeKind::Location(location))
    }

    /// Reads a vector or tensor type of static shape.
    fn shaped(&mut self, cursor: &mut Cursor<'a>) -> Decoded<(Type, Vec<u64>)> {
        let ty = self.ty(cursor)?;
        let is_shaped = matches!(
            ty.kind(self.context),
            TypeKind::Vector { .. } | TypeKind::RankedTensor { .. }
        );
        match ty.static_shape(self.context).filter(|_| is_shaped) {
            Some(shape) => Ok((ty, shape)),
            None => Err(cursor.fault("expected a vector or tensor type of static shape")),
        }
    }

    fn dense_part(&mut self, cursor: &mut Cursor<'a>) -> Decoded<Attribute> {
        let attribute = self.attribute(cursor)?;
        let is_dense = matches!(
            attribute.kind(self.context),
            AttributeKind::DenseElements { .. }
        );
        match is_dense {
            true => Ok(attribute),
            false => Err(cursor.fault("expected dense elements")),
        }
    }

    fn dense(&mut self, cursor: &mut Cursor<'a>) -> Decoded<Attribute> {
        let context = self.context;
        let (ty, shape) = self.shaped(cursor)?;
        let size = cursor.count("bytes of elements")?;
        let data = cursor.bytes(size)?;
        let element = ty.element_type(context).unwrap_or(ty);
        let (scalar, parts) = match element.kind(context) {
            TypeKind::Complex(part) => (*part, 2),
            _ => (element, 1),
        };
        let values = scalar.width_bits(context).and_then(|width| {
            let count = n_elements(&shape).times(parts).to_u64().unwrap_or(u64::MAX);
            raw::unpack(data, width, count, parts)
        });
        match values {
            Some(values) => Ok(context.dense_attribute(ty, values, parts)),
            None => Err(cursor.fault("the data of dense elements does not fit their type")),
        }
    }

    fn dense_array(&mut self, cursor: &mut Cursor<'a>) -> Decoded<AttributeKind> {
        let element = self.ty(cursor)?;
        let count = cursor.number()?;
        let size = cursor.count("bytes of elements")?;
        let data = cursor.bytes(size)?;
        let width = match element.kind(self.context) {
            TypeKind::Integer { width_bits, .. } => Some(*width_bits),
            TypeKind::Float(kind) => Some(kind.width_bits()),
            _ => None,
        };
        let width = width.filter(|width| *width == 1 || width % 8 == 0 && *width > 0);
        let Some(width) = width else {
            return Err(cursor.fault("expected an integer of whole bytes or a float type"));
        };
        let bytes = raw::storage_bytes(width);
        if count.checked_mul(bytes as u64) != Some(size as u64) {
            return Err(cursor.fault("the data of a dense array does not fit its size"));
        }
        let chunks = data.chunks_exact(bytes);
        Ok(AttributeKind::DenseArray {
            element,
            values: chunks.map(|chunk| raw::value(chunk, width)).collect(),
        })
    }

    // Types of the builtin dialect.

    fn encoded_type(&mut self, cursor: &mut Cursor<'a>) -> Decoded<Type> {
        let start = cursor.at;
        let kind = match cursor.number()? {
            type_code::INTEGER => {
                let coded = cursor.number()?;
                let signedness = match coded & 3 {
                    0 => Signedness::Signless,
                    1 => Signedness::Signed,
                    2 => Signedness::Unsigned,
                    _ => return Err(cursor.fault("invalid signedness")),
                };
                match u32::try_from(coded >> 2) {
                    Ok(width_bits) if width_bits <= MAX_INTEGER_WIDTH_BITS => TypeKind::Integer {
                        width_bits,
                        signedness,
                    },
                    _ => {
                        let message =
                            format!("integer bitwidth is limited to {MAX_INTEGER_WIDTH_BITS} bits");
                        return Err(cursor.fault(message));
                    }
                }
            }
            type_code::INDEX => TypeKind::Index,
            type_code::FUNCTION => TypeKind::Function {
                inputs: self.types(cursor)?.into(),
                results: self.types(cursor)?.into(),
            },
            type_code::COMPLEX => {
                let part = self.ty(cursor)?;
                let fits = matches!(
                    part.kind(self.context),
                    TypeKind::Integer { .. } | TypeKind::Float(_)
                );
                if !fits {
                    return Err(cursor.fault("invalid element type for complex"));
                }
                TypeKind::Complex(part)
            }
            type_code::MEMREF => self.memref(cursor, None)?,
            type_code::MEMREF_IN_SPACE => {
                let space = self.attribute(cursor)?;
                self.memref(cursor, Some(space))?
            }
            type_code::NONE => TypeKind::None,
            type_code::TENSOR => self.tensor(cursor, None)?,
            type_code::ENCODED_TENSOR => {
                let encoding = self.attribute(cursor)?;
                self.tensor(cursor, Some(encoding))?
            }
            type_code::TUPLE => TypeKind::Tuple(self.types(cursor)?.into()),
            type_code::UNRANKED_MEMREF => TypeKind::UnrankedMemRef {
                element: self.ty(cursor)?,
                memory_space: None,
            },
            type_code::UNRANKED_MEMREF_IN_SPACE => {
                let memory_space = Some(self.attribute(cursor)?);
                TypeKind::UnrankedMemRef {
                    element: self.ty(cursor)?,
                    memory_space,
                }
            }
            type_code::UNRANKED_TENSOR => TypeKind::UnrankedTensor(self.ty(cursor)?),
            type_code::VECTOR => self.vector(cursor, Vec::new())?,
            type_code::SCALABLE_VECTOR => {
                let count = cursor.count("dimensions")?;
                let mut scalable = Vec::with_capacity(count);
                for _ in 0..count {
                    scalable.push(cursor.byte()? != 0);
                }
                self.vector(cursor, scalable)?
            }
            other => match (FLOATS.iter().chain(&LATER_FLOATS)).find(|(code, _)| *code == other) {
                Some((_, kind)) => TypeKind::Float(*kind),
                None => {
                    cursor.at = start;
                    let message = format!("unknown builtin type code: {other}{}", self.origin());
                    return Err(cursor.fault(message));
                }
            },
        };
        Ok(self.context.ty(kind))
    }

    fn types(&mut self, cursor: &mut Cursor<'a>) -> Decoded<Vec<Type>> {
        let count = cursor.count("types")?;
        (0..count).map(|_| self.ty(cursor)).collect()
    }

    fn shape(&mut self, cursor: &mut Cursor<'a>) -> Decoded<Vec<Dimension>> {
        let count = cursor.count("dimensions")?;
        let mut shape = Vec::with_capacity(count);
        for _ in 0..count {
            let size = cursor.signed()?;
            shape.push(match size {
                DYNAMIC => None,
                size => match u64::try_from(size) {
                    Ok(size) => Some(size),
                    Err(_) => return Err(cursor.fault("expected a size that is not negative")),
                },
            });
        }
        Ok(shape)
    }

    fn memref(
        &mut self,
        cursor: &mut Cursor<'a>,
        memory_space: Option<Attribute>,
    ) -> Decoded<TypeKind> {
        let shape = self.shape(cursor)?;
        let element = self.ty(cursor)?;
        let layout = self.attribute(cursor)?;
        let rank = shape.len();
        let layout = match layout.kind(self.context) {
            AttributeKind::AffineMap(map) if map.n_dims as usize != rank => {
                return Err(cursor.fault("memref layout mismatch between rank and affine map"));
            }
            AttributeKind::AffineMap(map) => (!map.is_identity()).then_some(layout),
            AttributeKind::StridedLayout { strides, .. } if strides.len() == rank => Some(layout),
            _ => return Err(cursor.fault("expected a memref layout")),
        };
        Ok(TypeKind::MemRef {
            shape: shape.into(),
            element,
            layout,
            memory_space,
        })
    }

    fn tensor(
        &mut self,
        cursor: &mut Cursor<'a>,
        encoding: Option<Attribute>,
    ) -> Decoded<TypeKind> {
        Ok(TypeKind::RankedTensor {
            shape: self.shape(cursor)?.into(),
            element: self.ty(cursor)?,
            encoding,
        })
    }

    fn vector(&mut self, cursor: &mut Cursor<'a>, mut scalable: Vec<bool>) -> Decoded<TypeKind> {
        let mut shape = Vec::new();
        for size in self.shape(cursor)? {
            match size {
                Some(size) if size > 0 => shape.push(size),
                _ => return Err(cursor.fault("vector types must have positive constant sizes")),
            }
        }
        if scalable.is_empty() {
            scalable = vec![false; shape.len()];
        }
        if scalable.len() != shape.len() {
            return Err(cursor.fault("expected one scalable flag for each dimension"));
        }
        Ok(TypeKind::Vector {
            shape: shape.into(),
            scalable: scalable.into(),
            element: self.ty(cursor)?,
        })
    }
}

/// Reads a value of known width: a byte, a signed number, or words.
fn bits(cursor: &mut Cursor<'_>, width: u32) -> Decoded<Bits> {
    if width <= 8 {
        return Ok(Bits::from_u64(width, u64::from(cursor.byte()?)));
    }
    if width <= 64 {
        let value = cursor.signed()?;
        return Ok(Bits::from_u64(width, value.cast_unsigned()));
    }
    let count = cursor.count("words")?;
    if count > (width as usize).div_ceil(64) {
        return Err(cursor.fault("more words than the width has"));
    }
    let mut limbs = Vec::with_capacity(count);
    for _ in 0..count {
        limbs.push(cursor.signed()?.cast_unsigned());
    }
    Ok(Bits::from_limbs(width, &limbs))
}

fn line_and_column(cursor: &mut Cursor<'_>) -> Decoded<(u32, u32)> {
    Ok((line_or_column(cursor)?, line_or_column(cursor)?))
}

fn line_or_column(cursor: &mut Cursor<'_>) -> Decoded<u32> {
    let value = cursor.number()?;
    u32::try_from(value).map_err(|_| cursor.fault("expected a number below 2^32"))
}
