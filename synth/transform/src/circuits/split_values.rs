//! `split-values`: readers of a part of a composed word, array or structure read the source of that part directly.
//!
//! This removes false combinational cycles, in which the whole value depends on itself but no individual part does: bits of a
//! carry, fields of a structure, elements of an array. Only readers on such cycles are changed.
//!
//! Complexity: linear in the operations of a module and in the parts, each of which is created once.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use sluice_dialects::{comb, hw, seq};
use sluice_ir::bits::Bits;
use sluice_ir::passes::named;
use sluice_ir::{Body, Context, Module, OperationId, Type, ValueDefinition, ValueId, View};

use crate::circuits::maker::Maker;

/// Maximum recursion depth of parts of parts.
const DEEPEST: u32 = 500;

/// Maximum number of parts per cycle; further parts are extracted from the whole value.
const MAX_PARTS: usize = 1 << 20;

/// A range of bits of a value, starting at bit `low`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    value: ValueId,
    low: u32,
    width: u32,
}

/// A piece of a concatenation.
#[derive(PartialEq, Eq)]
enum Piece {
    Of(Part),
    /// A number of zero bits.
    Zeros(u32),
}

/// The source of a part.
enum Source {
    /// A concatenation, the highest piece first.
    Pieces(Vec<Piece>),
    /// A bitwise operation on the same parts of its operands.
    Bitwise(String, Vec<Part>),
    /// A selection of one of two parts.
    Choice(ValueId, [Part; 2]),
    /// Bits of the result of an operation on the low bits of its operands.
    Low(String, Vec<Part>),
}

/// Splits values on combinational cycles, in all circuits.
pub fn split_values(context: &Context, module: &mut Module) {
    for op in named(context, module, hw::Module::NAME) {
        let body = module.inner_mut().inner_mut(op);
        for among in combinational_loops(context, body) {
            let mut parts = Parts {
                context,
                body,
                among,
                known: BTreeMap::new(),
            };
            parts.split();
        }
    }
}

/// Returns the values that depend combinationally on themselves, as one set per strongly connected component.
pub(crate) fn combinational_loops(context: &Context, body: &Body) -> Vec<BTreeSet<ValueId>> {
    let mut graph = DiGraph::<ValueId, ()>::new();
    let all = body.walk_all();
    let mut nodes = BTreeMap::new();
    for op in &all {
        for result in body.results(*op) {
            nodes.insert(*result, graph.add_node(*result));
        }
    }
    for op in all {
        if seq::is_state(View::new(context, body, op).name()) {
            continue;
        }
        for operand in body.operands(op) {
            if let Some(from) = nodes.get(&operand) {
                for result in body.results(op) {
                    graph.add_edge(*from, nodes[result], ());
                }
            }
        }
    }
    let components = kosaraju_scc(&graph).into_iter();
    let several = components.filter(|component| component.len() > 1);
    several
        .map(|component| component.into_iter().map(|node| graph[node]).collect())
        .collect()
}

/// Returns the final replacement of a value; on a cycle of replacements, one of its members.
fn last(replaced: &mut BTreeMap<ValueId, ValueId>, value: ValueId) -> ValueId {
    let (mut end, mut way) = (value, BTreeSet::new());
    while let Some(next) = replaced.get(&end).copied()
        && way.insert(end)
    {
        end = next;
    }
    // Path compression.
    for one in way {
        if one != end {
            replaced.insert(one, end);
        }
    }
    end
}

struct Parts<'a> {
    context: &'a Context,
    body: &'a mut Body,
    /// The values of one combinational cycle.
    among: BTreeSet<ValueId>,
    /// The created parts; `None` while a part is being created.
    known: BTreeMap<Part, Option<ValueId>>,
}

impl Parts<'_> {
    /// Replaces the results of operations that read parts by the sources of these parts.
    fn split(&mut self) {
        let mut replaced: BTreeMap<ValueId, ValueId> = BTreeMap::new();
        for op in self.body.walk_all() {
            for (result, part) in self.read_by(op) {
                if !self.among.contains(&result) || !self.among.contains(&part.value) {
                    continue;
                }
                let new = self.made(op, part, 0);
                let new = self.as_type(op, new, self.body.ty(result));
                if new != result {
                    replaced.insert(result, new);
                }
            }
        }
        let all: Vec<ValueId> = replaced.keys().copied().collect();
        for result in all {
            let new = last(&mut replaced, result);
            if new != result {
                self.body.replace_all_uses(result, new);
            }
        }
    }

    fn width(&self, value: ValueId) -> Option<u32> {
        self.width_of(self.body.ty(value))
    }

    fn width_of(&self, ty: Type) -> Option<u32> {
        u32::try_from(hw::width_bits(self.context, ty)?).ok()
    }

    /// Returns the value of a constant operand.
    fn constant(&self, value: ValueId) -> Option<u32> {
        let op = self.body.defining_operation(value)?;
        let view = View::new(self.context, self.body, op);
        let value = (view.name() == hw::Constant::NAME)
            .then(|| view.attribute("value")?.integer(self.context))
            .flatten()?;
        u32::try_from(value.to_u64()?).ok()
    }

    /// Returns the parts of its first operand that an operation reads, with the results that hold them.
    fn read_by(&self, op: OperationId) -> Vec<(ValueId, Part)> {
        let view = View::new(self.context, self.body, op);
        let places = match view.name() {
            comb::Extract::NAME
            | hw::StructExtract::NAME
            | hw::ArrayGet::NAME
            | hw::ArraySlice::NAME => self.place(view).map(|place| vec![place]),
            hw::StructExplode::NAME => hw::field_places(self.context, view.ty(view.operand(0))),
            _ => None,
        };
        let Some(places) = places else {
            return Vec::new();
        };
        let value = view.operand(0);
        let all = view.results().iter().zip(places);
        all.filter(|(_, (_, width))| *width > 0)
            .map(|(result, (low, width))| (*result, Part { value, low, width }))
            .collect()
    }

    /// Returns the lowest bit and the width of the part of its first operand that an operation with one result reads.
    fn place(&self, view: View<'_>) -> Option<(u32, u32)> {
        let width = self.width(view.result(0))?;
        let whole = self.width(view.operand(0))?;
        let low = match view.name() {
            comb::Extract::NAME => {
                let low = view.attribute("lowBit")?.as_i64(self.context)?;
                u32::try_from(low).ok()?
            }
            hw::StructExtract::NAME => {
                let number = view.attribute("fieldIndex")?.as_i64(self.context)?;
                let places = hw::field_places(self.context, view.ty(view.operand(0)))?;
                places.get(usize::try_from(number).ok()?)?.0
            }
            _ => {
                let (_, element) = hw::array_parts(self.context, view.ty(view.operand(0)))?;
                let index = self.constant(view.operand(1))?;
                index.checked_mul(self.width_of(element)?)?
            }
        };
        // An index beyond the end of an array is not a part of it.
        (low.checked_add(width)? <= whole).then_some((low, width))
    }

    /// Returns the source of a part, if known.
    fn source(&self, part: Part) -> Option<Source> {
        let Part { value, low, width } = part;
        if !self.among.contains(&value) {
            return None;
        }
        let ValueDefinition::Result { operation, .. } = self.body.value_definition(value) else {
            return None;
        };
        let view = View::new(self.context, self.body, operation);
        let inside = |value: ValueId| Part { value, low, width };
        let lowest = |value: ValueId| Part {
            value,
            low: 0,
            width: low + width,
        };
        let name = view.name();
        Some(match name {
            comb::Concat::NAME
            | hw::ArrayCreate::NAME
            | hw::ArrayConcat::NAME
            | hw::StructCreate::NAME => {
                let all: Vec<ValueId> = view.operands().collect();
                Source::Pieces(self.side_by_side(&all, part)?)
            }
            hw::Bitcast::NAME | hw::Wire::NAME => {
                Source::Pieces(vec![Piece::Of(inside(view.operand(0)))])
            }
            comb::And::NAME | comb::Or::NAME | comb::Xor::NAME => {
                Source::Bitwise(name.to_owned(), view.operands().map(inside).collect())
            }
            comb::Mux::NAME => {
                let of = [view.operand(1), view.operand(2)].map(inside);
                Source::Choice(view.operand(0), of)
            }
            comb::Add::NAME | comb::Sub::NAME | comb::Mul::NAME
                if low + width < self.width(value)? =>
            {
                Source::Low(name.to_owned(), view.operands().map(lowest).collect())
            }
            comb::Shl::NAME | comb::Shru::NAME => self.shifted(view, part)?,
            comb::Replicate::NAME => {
                let of = self.width(view.operand(0))?;
                let at = low.checked_rem(of)?;
                if at + width > of {
                    return None;
                }
                Source::Pieces(vec![Piece::Of(Part {
                    value: view.operand(0),
                    low: at,
                    width,
                })])
            }
            hw::StructInject::NAME => {
                let number = view.attribute("fieldIndex")?.as_i64(self.context)?;
                let places = hw::field_places(self.context, view.ty(value))?;
                let place = *places.get(usize::try_from(number).ok()?)?;
                Source::Pieces(injected(view, part, place))
            }
            hw::ArrayInject::NAME => {
                let of = self.width(view.operand(2))?;
                let at = self.constant(view.operand(1))?.checked_mul(of)?;
                Source::Pieces(injected(view, part, (at, of)))
            }
            _ => {
                let places = self.read_by(operation);
                let (_, of) = places.into_iter().find(|(result, _)| *result == value)?;
                Source::Pieces(vec![Piece::Of(Part {
                    value: of.value,
                    low: of.low + low,
                    width,
                })])
            }
        })
    }

    /// Returns the pieces of a part of a concatenation whose first operand is the highest.
    fn side_by_side(&self, all: &[ValueId], part: Part) -> Option<Vec<Piece>> {
        let end = part.low + part.width;
        let mut parts = Vec::new();
        let mut below = 0;
        for value in all.iter().rev() {
            let above = below + self.width(*value)?;
            let (low, high) = (part.low.max(below), end.min(above));
            if low < high {
                parts.push(Piece::Of(Part {
                    value: *value,
                    low: low - below,
                    width: high - low,
                }));
            }
            below = above;
        }
        parts.reverse();
        Some(parts)
    }

    /// Returns the source of a part of a shift by a constant.
    fn shifted(&self, view: View<'_>, part: Part) -> Option<Source> {
        let (of, by) = (view.operand(0), self.constant(view.operand(1))?);
        let whole = self.width(of)?;
        let by = by.min(whole);
        let end = part.low + part.width;
        let is_left = view.name() == comb::Shl::NAME;
        // The range of result bits that come from the operand; the rest of the part is above or below it.
        let (first, last) = if is_left {
            (by, whole)
        } else {
            (0, whole - by)
        };
        let (low, high) = (part.low.max(first), end.min(last));
        if low >= high {
            return Some(Source::Pieces(vec![Piece::Zeros(part.width)]));
        }
        let kept = Part {
            value: of,
            low: if is_left { low - by } else { low + by },
            width: high - low,
        };
        let [above, below] = [end - high, low - part.low].map(Piece::Zeros);
        let all = [above, Piece::Of(kept), below].into_iter();
        let all = all.filter(|piece| *piece != Piece::Zeros(0)).collect();
        Some(Source::Pieces(all))
    }

    /// Emits a part as an integer, before an operation.
    fn made(&mut self, at: OperationId, part: Part, depth: u32) -> ValueId {
        if part.low == 0 && self.width(part.value) == Some(part.width) {
            let ty = self.context.integer_type(part.width);
            return self.as_type(at, part.value, ty);
        }
        match self.known.get(&part) {
            Some(Some(made)) => return *made,
            // The part depends on itself: a true combinational cycle.
            Some(None) => return self.taken(at, part),
            None => {}
        }
        let is_little = depth < DEEPEST && self.known.len() < MAX_PARTS;
        let source = is_little.then(|| self.source(part)).flatten();
        let Some(source) = source else {
            let made = self.taken(at, part);
            self.known.insert(part, Some(made));
            return made;
        };
        self.known.insert(part, None);
        let all = |parts: &mut Self, of: &[Part]| -> Vec<ValueId> {
            of.iter().map(|of| parts.made(at, *of, depth + 1)).collect()
        };
        let made = match source {
            Source::Pieces(of) => {
                let mut made = Vec::new();
                for one in of {
                    made.push(match one {
                        Piece::Of(one) => self.made(at, one, depth + 1),
                        Piece::Zeros(width) => self.maker(at).constant(Bits::zero(width)),
                    });
                }
                match made[..] {
                    [one] => one,
                    _ => self.maker(at).concat(&made),
                }
            }
            Source::Bitwise(name, of) => {
                let operands = all(self, &of);
                self.maker(at).comb(&name, &operands)
            }
            Source::Choice(when, of) => {
                let of = all(self, &of);
                self.maker(at).mux(when, of[0], of[1])
            }
            Source::Low(name, of) => {
                let operands = all(self, &of);
                let low = self.maker(at).comb(&name, &operands);
                self.maker(at).extract(low, part.low, part.width)
            }
        };
        self.known.insert(part, Some(made));
        made
    }

    fn maker(&mut self, at: OperationId) -> Maker<'_> {
        Maker::before(self.context, self.body, at)
    }

    /// Extracts a part from the whole value.
    fn taken(&mut self, at: OperationId, part: Part) -> ValueId {
        let whole = self.width(part.value).unwrap_or(part.low + part.width);
        let ty = self.context.integer_type(whole);
        let value = self.as_type(at, part.value, ty);
        self.maker(at).extract(value, part.low, part.width)
    }

    /// Converts a value bitwise to another type.
    fn as_type(&mut self, at: OperationId, value: ValueId, ty: Type) -> ValueId {
        if self.body.ty(value) == ty {
            return value;
        }
        self.maker(at).one(hw::Bitcast::NAME, &[value], ty, &[])
    }
}

/// Returns the pieces of a part of an injection: a value with one field or element, at a given position, replaced.
fn injected(view: View<'_>, part: Part, (at, of): (u32, u32)) -> Vec<Piece> {
    let index = view.operands().count() - 1;
    let (old, new) = (view.operand(0), view.operand(index));
    let end = part.low + part.width;
    let old = |low: u32, high: u32| (low < high).then_some((old, low, high));
    let (from, to) = (part.low.max(at), end.min(at + of));
    let inner = (from < to).then(|| (new, from - at, to - at));
    let parts = match inner {
        None => vec![old(part.low, end)],
        inner => vec![old(part.low.max(to), end), inner, old(part.low, from)],
    };
    let parts = parts.into_iter().flatten();
    parts
        .map(|(value, low, high)| {
            let width = high - low;
            Piece::Of(Part { value, low, width })
        })
        .collect()
}
