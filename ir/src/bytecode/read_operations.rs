//! Reads operations without recursion: the open regions are on a stack.

use smallvec::SmallVec;

use super::encoding::{Cursor, Decoded, Fault};
use super::read::Reader;
use super::write::Property;
use super::{mask, section, since};
use crate::body::{Body, NewOperation};
use crate::definition::{OperationDefinition, Presence};
use crate::ids::{Attribute, BlockId, Location, Name, OperationId, RegionId, Type, ValueId};
use crate::location::LocationKind;
use crate::module::Module;
use crate::text::{ParseOptions, single_operation, wrap_top_level};

/// The state of a value number of a scope.
#[derive(Clone, Copy)]
enum Value {
    /// Not yet used or defined.
    None,
    /// Used but not defined.
    Forward(ValueId, u32),
    /// Defined, in the body of this depth.
    Defined(ValueId, u32),
}

/// The values that operations may refer to: each isolated operation has a new scope.
#[derive(Default)]
struct Scope {
    values: Vec<Value>,
    /// Number of the next value to be defined, for each open region.
    next: Vec<usize>,
}

/// The regions of an operation that are being read.
struct Open<'a> {
    /// The operation, in the enclosing body.
    op: OperationId,
    /// True if its regions have a separate body.
    has_body: bool,
    /// True if its values have a separate scope.
    has_scope: bool,
    /// The read position, if its regions are a section.
    cursor: Option<Cursor<'a>>,
    regions: SmallVec<[RegionId; 1]>,
    /// The next region.
    region: usize,
    blocks: Vec<BlockId>,
    /// The next block.
    block: usize,
    /// Number of operations left in the current block.
    left: u64,
    n_values: usize,
}

/// An operation as it is stored.
struct Written {
    op: OperationId,
    regions: Option<(usize, bool)>,
}

struct Builder<'r, 'a> {
    reader: &'r mut Reader<'a>,
    bodies: Vec<Body>,
    scopes: Vec<Scope>,
    open: Vec<Open<'a>>,
    /// A block outside all regions for each body: its arguments are placeholders for values that are used before their
    /// definition.
    placeholders: Vec<Option<BlockId>>,
}

impl<'a> Reader<'a> {
    /// Reads the operations of the file.
    pub(super) fn operations(
        &mut self,
        mut cursor: Cursor<'a>,
        options: ParseOptions,
    ) -> Decoded<Module> {
        let mut body = Body::new();
        let context = self.context;
        let location = context.location(LocationKind::File {
            file: self.file,
            line: 0,
            column: 0,
        });
        let mut new = NewOperation::new(context.operation_name("builtin.module"), location);
        new.n_regions = 1;
        let module = body.create(context, new);
        let region = body.regions(module)[0];
        let inner = match body.take_body(module) {
            Some(inner) => *inner,
            None => return Err(cursor.fault("the builtin dialect is not registered")),
        };
        let mut builder = Builder {
            reader: self,
            bodies: vec![inner],
            scopes: vec![Scope::default()],
            open: Vec::new(),
            placeholders: vec![None],
        };
        let block = builder.bodies[0].append_block(region);
        builder.scopes[0].next.push(0);
        let (count, has_arguments) = cursor.number_with_flag()?;
        if has_arguments {
            return Err(cursor.fault("expected no arguments at the top level"));
        }
        for _ in 0..count {
            let written = builder.operation(&mut cursor, &[])?;
            builder.bodies[0].append(block, written.op);
            builder.enter(written, &mut cursor)?;
            builder.regions(&mut cursor)?;
        }
        if !cursor.is_empty() {
            return Err(cursor.fault("unexpected trailing bytes in the IR section"));
        }
        builder.check_forward(&cursor)?;
        let inner = builder.bodies.pop().unwrap_or_default();
        if !options.implicit_module {
            return single_operation(context, inner, block).map_err(|why| cursor.fault(why));
        }
        Ok(wrap_top_level(context, body, module, inner, block))
    }
}

impl<'a> Builder<'_, 'a> {
    fn body(&mut self) -> &mut Body {
        self.bodies.last_mut().expect("there is always a body")
    }

    fn depth(&self) -> u32 {
        u32::try_from(self.bodies.len()).unwrap_or(u32::MAX)
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("there is always a scope")
    }

    /// Reads until all open regions are closed.
    fn regions(&mut self, top: &mut Cursor<'a>) -> Decoded<()> {
        while !self.open.is_empty() {
            self.step(top)?;
        }
        Ok(())
    }

    /// Calls a function with the cursor of the innermost region that is a section, or with that of the top level.
    fn with_cursor<T>(
        &mut self,
        top: &mut Cursor<'a>,
        work: impl FnOnce(&mut Self, &mut Cursor<'a>) -> Decoded<T>,
    ) -> Decoded<T> {
        match self.open.iter().rposition(|open| open.cursor.is_some()) {
            None => work(self, top),
            Some(index) => {
                let mut cursor = self.open[index].cursor.expect("just found");
                let result = work(self, &mut cursor);
                if let Some(open) = self.open.get_mut(index) {
                    open.cursor = Some(cursor);
                }
                result
            }
        }
    }

    /// Reads one operation of the innermost region, or the data between operations.
    fn step(&mut self, top: &mut Cursor<'a>) -> Decoded<()> {
        let last = self.open.len() - 1;
        if self.open[last].left > 0 {
            self.open[last].left -= 1;
            return self.with_cursor(top, |builder, cursor| {
                let open = &builder.open[last];
                let block = open.blocks[open.block - 1];
                let blocks = std::mem::take(&mut builder.open[last].blocks);
                let written = builder.operation(cursor, &blocks);
                builder.open[last].blocks = blocks;
                let written = written?;
                builder.body().append(block, written.op);
                builder.enter(written, cursor)
            });
        }
        if self.open[last].block < self.open[last].blocks.len() {
            return self.with_cursor(top, |builder, cursor| {
                let open = &mut builder.open[last];
                let block = open.blocks[open.block];
                open.block += 1;
                builder.block(block, last, cursor)
            });
        }
        if self.open[last].region > 0 {
            self.close_region();
        }
        if self.open[last].region < self.open[last].regions.len() {
            return self.with_cursor(top, |builder, cursor| builder.region(last, cursor));
        }
        self.leave(top)
    }

    fn region(&mut self, last: usize, cursor: &mut Cursor<'a>) -> Decoded<()> {
        let n_blocks = cursor.count("blocks")?;
        let n_values = match n_blocks {
            0 => 0,
            _ => cursor.count("values")?,
        };
        let region = self.open[last].regions[self.open[last].region];
        let blocks: Vec<BlockId> = (0..n_blocks)
            .map(|_| self.body().append_block(region))
            .collect();
        let scope = self.scope();
        let first = scope.values.len();
        scope.next.push(first);
        scope.values.resize(first + n_values, Value::None);
        let open = &mut self.open[last];
        open.region += 1;
        open.blocks = blocks;
        open.block = 0;
        open.n_values = n_values;
        Ok(())
    }

    fn close_region(&mut self) {
        let last = self.open.len() - 1;
        let n_values = std::mem::take(&mut self.open[last].n_values);
        self.open[last].blocks.clear();
        self.open[last].block = 0;
        let scope = self.scope();
        scope.next.pop();
        let length = scope.values.len() - n_values;
        scope.values.truncate(length);
    }

    fn block(&mut self, block: BlockId, last: usize, cursor: &mut Cursor<'a>) -> Decoded<()> {
        let (left, has_arguments) = cursor.number_with_flag()?;
        self.open[last].left = cursor.checked_count(left, "operations", cursor.at)? as u64;
        if !has_arguments {
            return Ok(());
        }
        let version = self.reader.version;
        let count = cursor.count("block arguments")?;
        for _ in 0..count {
            let (ty, location) = if version >= since::ELIDED_LOCATIONS {
                let start = cursor.at;
                let (ty, has_location) = cursor.number_with_flag()?;
                let ty = self.reader.type_at(ty, cursor, start)?;
                let location = match has_location {
                    true => self.reader.location(cursor)?,
                    false => Location::UNKNOWN,
                };
                (ty, location)
            } else {
                (self.reader.ty(cursor)?, self.reader.location(cursor)?)
            };
            let value = self.body().add_argument(block, ty, location);
            self.define(value, ty, cursor)?;
        }
        if version >= since::USE_LIST_ORDERS && cursor.byte()? & mask::USE_LIST_ORDERS != 0 {
            use_list_orders(cursor, count)?;
        }
        Ok(())
    }

    /// Opens the regions of an operation that has been read.
    fn enter(&mut self, written: Written, cursor: &mut Cursor<'a>) -> Decoded<()> {
        let Some((n_regions, is_isolated)) = written.regions else {
            return Ok(());
        };
        let op = written.op;
        let regions: SmallVec<[RegionId; 1]> =
            (0..n_regions).map(|_| self.body().add_region(op)).collect();
        let mut inner = None;
        if is_isolated && self.reader.version >= since::LAZY_LOADING {
            let (number, section) = cursor.section()?;
            if number != section::IR {
                return Err(cursor.fault("expected IR section for region"));
            }
            inner = Some(section);
        }
        let has_body = self.body().is_isolated(op);
        if has_body {
            let body = self
                .body()
                .take_body(op)
                .expect("isolated operations have one");
            self.bodies.push(*body);
            self.placeholders.push(None);
        }
        if is_isolated {
            self.scopes.push(Scope::default());
        }
        self.open.push(Open {
            op,
            has_body,
            has_scope: is_isolated,
            cursor: inner,
            regions,
            region: 0,
            blocks: Vec::new(),
            block: 0,
            left: 0,
            n_values: 0,
        });
        Ok(())
    }

    /// Closes the innermost operation.
    fn leave(&mut self, top: &Cursor<'a>) -> Decoded<()> {
        let open = self.open.pop().expect("callers check that one is open");
        let cursor = open.cursor.unwrap_or(*top);
        if open.cursor.is_some_and(|cursor| !cursor.is_empty()) {
            return Err(cursor.fault("unexpected trailing bytes after the regions of an operation"));
        }
        if open.has_scope {
            self.check_forward(&cursor)?;
            self.scopes.pop();
        }
        if open.has_body {
            let mut body = self.bodies.pop().expect("pushed when it was entered");
            body.shrink();
            self.placeholders.pop();
            self.body().put_body(open.op, Box::new(body));
        }
        Ok(())
    }

    /// Checks that every value used in the innermost body is defined.
    fn check_forward(&mut self, cursor: &Cursor<'a>) -> Decoded<()> {
        let depth = self.bodies.len() - 1;
        let Some(block) = self.placeholders[depth] else {
            return Ok(());
        };
        let body = &self.bodies[depth];
        let is_open = |value: &&ValueId| !body.is_unused(**value);
        match body.arguments(block).iter().find(is_open) {
            Some(_) => Err(cursor.fault("not all forward unresolved forward operand references")),
            None => Ok(()),
        }
    }

    // Values.

    fn define(&mut self, value: ValueId, ty: Type, cursor: &Cursor<'a>) -> Decoded<()> {
        let depth = self.depth();
        let scope = self.scope();
        let Some(next) = scope.next.last_mut() else {
            return Err(cursor.fault("a value outside of regions"));
        };
        let index = *next;
        *next += 1;
        let Some(slot) = scope.values.get_mut(index) else {
            return Err(cursor.fault(
                "value index range was outside of the expected range for the parent region",
            ));
        };
        let before = std::mem::replace(slot, Value::Defined(value, depth));
        if let Value::Forward(placeholder, at) = before {
            if at != depth {
                return Err(cursor.fault("using value defined outside the region"));
            }
            self.body().set_type(placeholder, ty);
            self.body().replace_all_uses(placeholder, value);
        }
        Ok(())
    }

    fn operand(&mut self, cursor: &mut Cursor<'a>) -> Decoded<ValueId> {
        let depth = self.depth();
        let limit = self.scope().values.len();
        let index = cursor.index(limit, "value")?;
        match self.scope().values[index] {
            Value::Defined(value, at) | Value::Forward(value, at) if at == depth => Ok(value),
            Value::Defined(..) | Value::Forward(..) => {
                Err(cursor.fault("using value defined outside the region"))
            }
            Value::None => {
                let none = self.reader.context.none_type();
                let at = self.placeholders.len() - 1;
                let block = match self.placeholders[at] {
                    Some(block) => block,
                    None => {
                        let block = self.body().create_block();
                        self.placeholders[at] = Some(block);
                        block
                    }
                };
                let value = self.body().add_argument(block, none, Location::UNKNOWN);
                self.scope().values[index] = Value::Forward(value, depth);
                Ok(value)
            }
        }
    }

    // Operations.

    fn operation(&mut self, cursor: &mut Cursor<'a>, blocks: &[BlockId]) -> Decoded<Written> {
        let index_of_name = cursor.index(self.reader.names.len(), "operation name")?;
        let entry = &self.reader.names[index_of_name];
        let (name, is_registered) = (entry.name, entry.is_registered);
        let context = self.reader.context;
        let data = context.operation_name_data(name);
        if data.definition.is_none() && !context.allow_unregistered {
            let message = format!(
                "operation '{}' is of a dialect that is not registered; \
                 `--allow-unregistered-dialect` accepts it",
                context.operation_text(name)
            );
            return Err(cursor.fault(message));
        }
        let parts = cursor.byte()?;
        let location = self.reader.location(cursor)?;
        let mut new = NewOperation::new(name, location);
        if parts & mask::ATTRIBUTES != 0 {
            let dictionary = self.reader.attribute(cursor)?;
            let Some(entries) = dictionary.as_dictionary(context) else {
                return Err(cursor.fault("expected a dictionary of attributes"));
            };
            new.attributes = entries.to_vec();
        }
        let mut unregistered = None;
        if parts & mask::PROPERTIES != 0 {
            let index = cursor.index(self.reader.properties.len(), "properties")?;
            let (start, end) = self.reader.properties[index];
            let mut inner = Cursor::new(self.reader.data, start, end, section::PROPERTIES);
            let loaded = data.definition.filter(|d| context.is_loaded(d.dialect()));
            if let Some(definition) = loaded {
                let message = format!(
                    "has properties but missing BytecodeOpInterface for {}",
                    definition.name
                );
                return Err(inner.fault(message));
            }
            match data.definition.filter(|_| is_registered) {
                Some(definition) => {
                    self.properties(index_of_name, definition, &mut inner, &mut new.attributes)?;
                }
                None => unregistered = Some(self.reader.attribute(&mut inner)?),
            }
            if !inner.is_empty() {
                return Err(
                    inner.fault("unexpected trailing bytes in the properties of an operation")
                );
            }
        }
        if let Some(definition) = data.definition {
            drop_defaults(
                context,
                definition,
                &data.attribute_names,
                &mut new.attributes,
            );
        }
        if parts & mask::RESULTS != 0 {
            let count = cursor.count("results")?;
            for _ in 0..count {
                new.result_types.push(self.reader.ty(cursor)?);
            }
        }
        if parts & mask::OPERANDS != 0 {
            let count = cursor.count("operands")?;
            for _ in 0..count {
                new.operands.push(self.operand(cursor)?);
            }
        }
        if parts & mask::SUCCESSORS != 0 {
            let count = cursor.count("successors")?;
            for _ in 0..count {
                let index = cursor.index(blocks.len(), "successor")?;
                new.successors.push(blocks[index]);
            }
        }
        let n_results = new.result_types.len();
        if parts & mask::USE_LIST_ORDERS != 0 {
            use_list_orders(cursor, n_results)?;
        }
        let regions = match parts & mask::REGIONS {
            0 => None,
            _ => {
                let (count, is_isolated) = cursor.number_with_flag()?;
                Some((
                    cursor.checked_count(count, "regions", cursor.at)?,
                    is_isolated,
                ))
            }
        };
        let op = self.body().create(context, new);
        for index in 0..n_results {
            let value = self.body().result(op, index);
            let ty = self.body().ty(value);
            self.define(value, ty, cursor)?;
        }
        if unregistered.is_some() && data.definition.is_none() {
            self.body().set_unregistered_properties(op, unregistered);
        }
        Ok(Written { op, regions })
    }

    /// Reads the inherent attributes of a registered operation, in the order of their names, then the sizes of its groups. Which
    /// attributes there are depends on the version of MLIR that made the file: their number tells.
    fn properties(
        &mut self,
        index_of_name: usize,
        definition: &'static OperationDefinition,
        cursor: &mut Cursor<'a>,
        attributes: &mut Vec<(Name, Attribute)>,
    ) -> Decoded<()> {
        let context = self.reader.context;
        let versions = &self.reader.names[index_of_name].properties;
        let n_attributes = self.reader.attributes.len();
        let has_segments = self.reader.version >= since::SEGMENT_SIZES;
        let fits = |properties: &[Property]| {
            let segments = definition.segments().filter(|_| has_segments);
            properties_fit(*cursor, properties, segments.map(|(_, n)| n), n_attributes)
        };
        // Most operations have the same properties in all versions; their number is checked at the end.
        let chosen = match versions.len() {
            1 => Some(0),
            _ => versions.iter().position(|properties| fits(properties)),
        };
        let Some(chosen) = chosen else {
            return Err(self.unknown_properties(definition, cursor));
        };
        let n_properties = versions[chosen].len();
        for index in 0..n_properties {
            let property = &self.reader.names[index_of_name].properties[chosen][index];
            let name = property.name;
            if property.is_flag {
                if cursor.byte()? != 0 {
                    attributes.push((name, context.unit_attribute()));
                }
                continue;
            }
            let attribute = match property.is_required {
                true => Some(self.reader.attribute(cursor)?),
                false => self.reader.optional_attribute(cursor)?,
            };
            if let Some(attribute) = attribute {
                attributes.retain(|(known, _)| *known != name);
                attributes.push((name, attribute));
            }
        }
        if !has_segments {
            return Ok(());
        }
        for (name, groups) in definition.segments() {
            let sizes = sparse_array(cursor, groups)?;
            attributes.push((context.name(name), context.dense_i32_array(&sizes)));
        }
        match cursor.is_empty() {
            true => Ok(()),
            false => Err(self.unknown_properties(definition, cursor)),
        }
    }

    fn unknown_properties(&self, definition: &OperationDefinition, cursor: &Cursor<'a>) -> Fault {
        let message = format!(
            "properties of '{}' that are not known here{}",
            definition.name,
            self.reader.origin()
        );
        cursor.fault(message)
    }
}

/// Returns whether the properties of an operation, which are next, are these, with sizes of groups after them.
fn properties_fit(
    mut cursor: Cursor<'_>,
    properties: &[Property],
    segments: impl Iterator<Item = usize>,
    n_attributes: usize,
) -> bool {
    for property in properties {
        if property.is_flag {
            if !cursor.byte().is_ok_and(|byte| byte <= 1) {
                return false;
            }
            continue;
        }
        let index = match property.is_required {
            true => cursor.number().map(|index| (index, true)),
            false => cursor.number_with_flag(),
        };
        let is_valid = |(index, is_there): (u64, bool)| match is_there {
            true => usize::try_from(index).is_ok_and(|index| index < n_attributes),
            false => index == 0,
        };
        if !index.is_ok_and(is_valid) {
            return false;
        }
    }
    for groups in segments {
        if sparse_array(&mut cursor, groups).is_err() {
            return false;
        }
    }
    cursor.is_empty()
}

/// Removes the attributes that have their default value: the text form does not print them either.
fn drop_defaults(
    context: &crate::context::Context,
    definition: &'static OperationDefinition,
    names: &[Name],
    attributes: &mut Vec<(Name, Attribute)>,
) {
    for (spec, name) in definition.attributes.iter().zip(names) {
        if let Presence::Default(default) = &spec.presence {
            let default = default(context);
            attributes.retain(|entry| *entry != (*name, default));
        }
    }
}

/// Reads an array of known length: its elements, or only the non-zero ones.
fn sparse_array(cursor: &mut Cursor<'_>, length: usize) -> Decoded<Vec<i32>> {
    let small = |cursor: &Cursor<'_>, value: u64| {
        i32::try_from(value).map_err(|_| cursor.fault("expected a size below 2^31"))
    };
    let (count, is_sparse) = cursor.number_with_flag()?;
    let mut all = vec![0; length];
    if !is_sparse {
        if count != length as u64 {
            let message =
                format!("trying to read an array of {count} elements into one of {length}");
            return Err(cursor.fault(message));
        }
        for slot in &mut all {
            let value = cursor.number()?;
            *slot = small(cursor, value)?;
        }
        return Ok(all);
    }
    let count = cursor.checked_count(count, "elements", cursor.at)?;
    if count == 0 {
        return Ok(all);
    }
    let index_bits = cursor.number()?;
    if index_bits > 8 {
        return Err(cursor.fault("reading sparse array with invalid index bit width"));
    }
    for _ in 0..count {
        let pair = cursor.number()?;
        let index = (pair & ((1 << index_bits) - 1)) as usize;
        let value = small(cursor, pair >> index_bits)?;
        match all.get_mut(index) {
            Some(slot) => *slot = value,
            None => {
                return Err(cursor.fault("reading a sparse array found an index beyond its end"));
            }
        }
    }
    Ok(all)
}

/// Skips the use-list orders: the order of uses has no meaning here.
fn use_list_orders(cursor: &mut Cursor<'_>, n_values: usize) -> Decoded<()> {
    let count = match n_values {
        1 => 1,
        _ => cursor.count("use-list orders")?,
    };
    for _ in 0..count {
        if n_values != 1 {
            cursor.index(n_values, "result")?;
        }
        let (length, _) = cursor.number_with_flag()?;
        let length = cursor.checked_count(length, "uses", cursor.at)?;
        for _ in 0..length {
            cursor.number()?;
        }
    }
    Ok(())
}
