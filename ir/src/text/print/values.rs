//! Names of values and blocks in printed text: numbered as upstream numbers them, or the source names made unique.

use crate::attributes::AttributeKind;
use crate::body::{Body, ValueDefinition};
use crate::context::Context;
use crate::ids::{BlockId, OperationId, RegionId, ValueId};
use crate::text::ValueNames;
use crate::text::conventions::ResultNames;
use crate::text::parser::Map;
use crate::text::printer::{Printer, print_type};
use crate::types::{Signedness, TypeKind};
use crate::view::View;

/// The printed name of one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ValueName {
    /// Not numbered.
    None,
    /// `%5`
    Number(u32),
    /// A name in the table.
    Named(u32),
    /// It shares the name of an earlier result of its operation.
    Shared,
}

/// Counters that a region passes to its nested regions.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Counters {
    value: u32,
    argument: u32,
    conflict: u32,
}

/// The names of all values.
#[derive(Default)]
pub(crate) struct ValueNaming<'a> {
    tables: Vec<(&'a Body, Names)>,
    /// The most recently used table.
    current: usize,
    strings: Vec<String>,
    used: Map<String, ()>,
    counters: Counters,
}

/// Names of the values in one body.
struct Names {
    values: Vec<ValueName>,
    blocks: Vec<u32>,
    /// Counters after the values of a region were numbered, and the range of the strings that it added.
    regions: Vec<Option<(Counters, (usize, usize))>>,
    /// Numbers of operations, for comments with users.
    operations: Map<OperationId, u32>,
}

const NO_BLOCK: u32 = u32::MAX;

impl<'a> ValueNaming<'a> {
    fn table(&mut self, body: &'a Body) -> &mut Names {
        let is_there = |(known, _): &(&Body, Names)| std::ptr::eq(*known, body);
        if self.tables.get(self.current).is_some_and(is_there) {
            return &mut self.tables[self.current].1;
        }
        let known = self.tables.iter().rposition(is_there);
        let index = known.unwrap_or_else(|| {
            let names = Names {
                values: vec![ValueName::None; body.value_capacity()],
                blocks: vec![NO_BLOCK; body.block_capacity()],
                regions: vec![None; body.region_capacity()],
                operations: Map::default(),
            };
            self.tables.push((body, names));
            self.tables.len() - 1
        });
        self.current = index;
        &mut self.tables[index].1
    }

    /// Returns the number of `block`, if its region is being printed.
    pub(crate) fn block_number(&mut self, body: &'a Body, block: BlockId) -> Option<u32> {
        Some(self.table(body).blocks[block.index()]).filter(|number| *number != NO_BLOCK)
    }

    /// Returns the number of an operation without results.
    pub(crate) fn operation_number(&mut self, body: &'a Body, op: OperationId) -> Option<u32> {
        self.table(body).operations.get(&op).copied()
    }

    fn named(&mut self, name: &str) -> ValueName {
        let mut name = sanitized(name);
        if self.used.contains_key(&name) {
            let length = name.len();
            loop {
                name.truncate(length);
                name.push_str(&format!("_{}", self.counters.conflict));
                self.counters.conflict += 1;
                if !self.used.contains_key(&name) {
                    break;
                }
            }
        }
        self.used.insert(name.clone(), ());
        self.strings.push(name);
        ValueName::Named(index_u32(self.strings.len() - 1))
    }

    fn numbered(&mut self) -> ValueName {
        self.counters.value += 1;
        ValueName::Number(self.counters.value - 1)
    }

    /// Frees the names of a region: other regions may use them.
    pub(crate) fn close_region(&mut self, body: &'a Body, region: RegionId) {
        let known = self.table(body).regions[region.index()];
        let Some((_, (start, end))) = known else {
            return;
        };
        for name in &self.strings[start..end] {
            self.used.remove(name);
        }
    }

    /// Frees the names of a body that was printed.
    pub(crate) fn close_body(&mut self, body: &'a Body) {
        if self
            .tables
            .last()
            .is_some_and(|(last, _)| std::ptr::eq(*last, body))
        {
            self.tables.pop();
        }
    }

    /// Creates an empty naming that continues from these counters.
    pub(crate) fn from_counters(counters: Counters) -> Self {
        Self {
            counters,
            ..Self::default()
        }
    }

    pub(crate) fn counters(&self) -> Counters {
        self.counters
    }

    /// Returns true if names are in use from which later names must differ.
    pub(crate) fn has_taken_names(&self) -> bool {
        !self.used.is_empty()
    }

    /// Clears all names, for a second pass.
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }
}

fn index_u32(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 names")
}

fn sanitized(name: &str) -> String {
    let mut clean = String::with_capacity(name.len());
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        clean.push('_');
    }
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | b'.' | b'-' => {
                clean.push(char::from(byte))
            }
            b' ' => clean.push('_'),
            _ => {
                // A name must not start like a number.
                let digits = format!("{byte:02X}");
                let is_number =
                    clean.is_empty() && digits.starts_with(|c: char| c.is_ascii_digit());
                clean.push_str(if is_number { "_" } else { "" });
                clean.push_str(&digits);
            }
        }
    }
    clean
}

impl<'a> Printer<'a> {
    /// Prints `%name` for a value that has no other name, with characters that are not allowed replaced. Returns true if that is
    /// the unchanged name.
    pub fn free_value_name(&mut self, name: &str, number: usize) -> bool {
        let written = match name {
            "" => format!("arg{number}"),
            name => sanitized(name),
        };
        self.text("%");
        self.text(&written);
        written == name
    }

    /// Assigns names to the results of `op`.
    fn number_results(&mut self, body: &'a Body, op: OperationId) {
        let results = body.results(op);
        if results.is_empty() {
            if self.options.value_users && body.n_operands(op) > 0 {
                let number = self.values.counters.value;
                self.values.counters.value += 1;
                self.values.table(body).operations.insert(op, number);
            }
            return;
        }
        let mut names = self.own_names(body, op);
        if self.options.value_users && names.iter().any(Option::is_some) {
            self.values.counters.value += 1;
        }
        if let ([only], []) = (results, &names[..]) {
            let name = self.values.numbered();
            self.values.table(body).values[only.index()] = name;
            return;
        }
        names.resize(results.len(), None);
        for (index, value) in results.iter().enumerate() {
            let name = match names[index].take() {
                Some(name) => self.values.named(&name),
                None if index == 0 => self.values.numbered(),
                None => ValueName::Shared,
            };
            self.values.table(body).values[value.index()] = name;
        }
    }

    /// Returns the names that the results of `op` request.
    fn own_names(&self, body: &'a Body, op: OperationId) -> Vec<Option<String>> {
        let context = self.context;
        if self.options.value_names == ValueNames::Source {
            let name = |value: &ValueId| {
                body.value_name(*value)
                    .map(|name| context.text(name).to_owned())
            };
            let names: Vec<_> = body.results(op).iter().map(name).collect();
            if names.iter().any(Option::is_some) {
                return names;
            }
        }
        if self.options.generic || body.definition(context, op).is_none() {
            return Vec::new();
        }
        if let Some(names) = body.definition(context, op).and_then(|d| d.names) {
            return names(View::new(context, body, op));
        }
        let name = context.operation_name_data(body.name(op));
        match name.conventions.result_names {
            None => Vec::new(),
            Some(ResultNames::Fixed(names)) => fixed_names(View::new(context, body, op), names),
            Some(ResultNames::Constant) => vec![Some(constant_name(View::new(context, body, op)))],
            Some(ResultNames::IndexConstant) => {
                vec![Some(index_constant_name(View::new(context, body, op)))]
            }
        }
    }

    /// Assigns names directly in `region` of `body`; nested regions come later, each from the counters of this region.
    ///
    /// `names` are those that the arguments of the entry block request.
    fn number_region(&mut self, body: &'a Body, region: RegionId, names: &[&str]) {
        if let Some((counters, _)) = self.values.table(body).regions[region.index()] {
            self.values.counters = counters;
            return;
        }
        let source_names = self.options.value_names == ValueNames::Source;
        let start = self.values.strings.len();
        for (number, block) in body.blocks(region).iter().enumerate() {
            self.values.table(body).blocks[block.index()] = index_u32(number);
            for (index, value) in body.arguments(*block).iter().enumerate() {
                let asked = names
                    .get(index)
                    .filter(|name| number == 0 && !name.is_empty());
                let source = body.value_name(*value).filter(|_| source_names);
                let name = match (asked, source, number) {
                    (Some(name), _, _) => self.values.named(name),
                    (None, Some(name), _) => self.values.named(self.context.text(name)),
                    (None, None, 0) => {
                        let argument = self.values.counters.argument;
                        self.values.counters.argument += 1;
                        self.values.named(&format!("arg{argument}"))
                    }
                    (None, None, _) => self.values.numbered(),
                };
                self.values.table(body).values[value.index()] = name;
            }
            for op in body.operations(*block) {
                self.number_results(body, op);
            }
        }
        let entry = (self.values.counters, (start, self.values.strings.len()));
        self.values.table(body).regions[region.index()] = Some(entry);
    }

    /// Assigns names to the results of the top-level operation; for a nested operation, assigns those of the enclosing regions
    /// first.
    pub(crate) fn number_top(&mut self, body: &'a Body, op: OperationId) {
        let mut around = Vec::new();
        let mut current = Some(op);
        while let Some(region) = current
            .and_then(|op| body.parent_block(op))
            .and_then(|block| body.parent_region(block))
        {
            around.push(region);
            current = body.region_parent(region);
        }
        if !around.is_empty() {
            for region in around.into_iter().rev() {
                self.number_region(body, region, &[]);
            }
            return;
        }
        self.number_results(body, op);
        if self.has_unique_names() {
            self.number_everything(body, op);
        } else {
            self.values.counters = Counters::default();
        }
    }

    /// Returns true if all value names must be unique in the whole text: always so in the generic form.
    fn has_unique_names(&self) -> bool {
        self.options.unique_names || self.options.generic
    }

    /// Assigns names in all regions of an operation, region after region, the last one first, as upstream does.
    fn number_everything(&mut self, body: &'a Body, op: OperationId) {
        let push = |todo: &mut Vec<_>, body: &'a Body, op, depth| {
            let inner = body.inner(op);
            todo.extend(
                body.regions(op)
                    .iter()
                    .map(|region| (inner, *region, depth)),
            );
        };
        let mut todo = Vec::new();
        // The enclosing regions, outermost first: only their names are in use.
        let mut around: Vec<(&'a Body, RegionId)> = Vec::new();
        push(&mut todo, body, op, 0);
        while let Some((body, region, depth)) = todo.pop() {
            for (body, region) in around.drain(depth..) {
                self.values.close_region(body, region);
            }
            self.number_region(body, region, &[]);
            around.push((body, region));
            for block in body.blocks(region) {
                for op in body.operations(*block) {
                    push(&mut todo, body, op, around.len());
                }
            }
        }
    }

    /// Assigns names to the arguments of the entry block of region `index`, as for ports; must be called before any part of the
    /// region is printed.
    pub fn name_region_arguments(&mut self, view: View<'_>, index: usize, names: &[&str]) {
        let body = self.body();
        let Some(region) = body.regions(view.id).get(index).copied() else {
            return;
        };
        let outer = self.values.counters;
        self.number_region(body.inner(view.id), region, names);
        self.values.counters = outer;
    }

    /// Runs `work` with the counters of a region, then restores those of the enclosing region.
    pub(crate) fn with_region_names(
        &mut self,
        body: &'a Body,
        region: RegionId,
        work: impl FnOnce(&mut Self),
    ) {
        let outer = self.values.counters;
        self.number_region(body, region, &[]);
        work(self);
        self.values.close_region(body, region);
        self.values.counters = outer;
    }

    /// Prints the name of argument number `argument` of the entry block of region `index`.
    pub fn region_argument_name(&mut self, view: View<'_>, index: usize, argument: usize) {
        let body = self.body();
        let Some(region) = body.regions(view.id).get(index).copied() else {
            return;
        };
        let inner = body.inner(view.id);
        let outer = self.values.counters;
        self.number_region(inner, region, &[]);
        self.values.counters = outer;
        let Some(block) = inner.blocks(region).first().copied() else {
            return;
        };
        if let Some(value) = inner.arguments(block).get(argument).copied() {
            self.value_in(inner, value, true);
        }
    }

    /// Returns the name of an argument of a region's entry block as it is printed, without the `%`.
    pub fn region_argument_text(
        &mut self,
        view: View<'_>,
        index: usize,
        argument: usize,
    ) -> String {
        let start = self.out.len();
        self.region_argument_name(view, index, argument);
        let name = self.out[start..].trim_start_matches('%').to_owned();
        self.out.truncate(start);
        name
    }

    /// Prints a value; `number` adds the result number if its operation has several.
    pub(crate) fn value(&mut self, value: ValueId, number: bool) {
        let body = self.body();
        self.value_in(body, value, number);
    }

    fn value_in(&mut self, body: &'a Body, value: ValueId, number: bool) {
        let mut group = (0, 1);
        let mut name = self.values.table(body).values[value.index()];
        if let ValueDefinition::Result { operation, index } = body.value_definition(value)
            && body.results(operation).len() > 1
        {
            let results = body.results(operation);
            let index = index as usize;
            let table = self.values.table(body);
            let starts = |i: &usize| table.values[results[*i].index()] != ValueName::Shared;
            let start = (0..=index).rev().find(starts).unwrap_or(0);
            let end = (index + 1..results.len())
                .find(starts)
                .unwrap_or(results.len());
            name = table.values[results[start].index()];
            group = (index - start, end - start);
        }
        self.out.push('%');
        match name {
            ValueName::Number(n) => self.index(n),
            ValueName::Named(index) => {
                let name = &self.values.strings[index as usize];
                self.out.push_str(name);
            }
            ValueName::None | ValueName::Shared => self.out.push_str("<<unknown>>"),
        }
        if number && group.1 > 1 {
            self.out.push('#');
            self.number(group.0);
        }
    }

    /// Returns the name of a value as it is printed, without the `%`.
    pub fn value_name(&mut self, value: ValueId) -> String {
        let start = self.out.len();
        self.value(value, false);
        let name = self.out[start..].trim_start_matches('%').to_owned();
        self.out.truncate(start);
        name
    }

    /// Prints `%0, %1:2 = `.
    pub(crate) fn result_names(&mut self, op: OperationId) {
        let body = self.body();
        let results = body.results(op);
        if let [only] = results {
            self.value_in(body, *only, false);
            self.text(" = ");
            return;
        }
        let mut start = 0;
        while start < results.len() {
            let table = self.values.table(body);
            let starts = |i: &usize| table.values[results[*i].index()] != ValueName::Shared;
            let end = (start + 1..results.len())
                .find(starts)
                .unwrap_or(results.len());
            if start > 0 {
                self.text(", ");
            }
            self.value(results[start], false);
            if end - start > 1 {
                self.text(":");
                self.number(end - start);
            }
            start = end;
        }
        if !results.is_empty() {
            self.text(" = ");
        }
    }
}

/// Returns one name for each declared result group.
fn fixed_names(view: View<'_>, names: &[&str]) -> Vec<Option<String>> {
    let mut all = vec![None; view.results().len()];
    for (group, name) in names.iter().enumerate() {
        if let Some((start, len)) = view.result_segment(group)
            && len > 0
        {
            all[start] = Some((*name).to_owned());
        }
    }
    all
}

fn constant_name(view: View<'_>) -> String {
    let context: &Context = view.context;
    let Some(AttributeKind::Integer { ty, value }) =
        view.attribute("value").map(|a| a.kind(context))
    else {
        return "cst".to_owned();
    };
    match ty.kind(context) {
        TypeKind::Integer {
            width_bits: 1,
            signedness: Signedness::Signless,
        } => {
            if value.is_zero() {
                "false".to_owned()
            } else {
                "true".to_owned()
            }
        }
        TypeKind::Integer { .. } => {
            format!("c{}_{}", value.to_signed_string(), print_type(context, *ty))
        }
        _ => format!("c{}", value.to_signed_string()),
    }
}

fn index_constant_name(view: View<'_>) -> String {
    match view.attribute("value").map(|a| a.kind(view.context)) {
        Some(AttributeKind::Integer { ty, value }) if ty.is_index(view.context) => {
            format!("idx{}", value.to_signed_string())
        }
        Some(AttributeKind::Integer { value, .. }) => {
            if value.is_zero() {
                "false".to_owned()
            } else {
                "true".to_owned()
            }
        }
        _ => "cst".to_owned(),
    }
}
