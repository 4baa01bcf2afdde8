//! `split-values`: who reads a part of a word, an array or a structure that is put together of others reads what that part is.
//!
//! Parts may be made of one another where the whole is in a ring with itself: bits of a carry, fields of a structure, elements of an array.
//! Only readers in such rings are changed.
//!
//! Complexity: linear in the operations of a module and in the parts that are made, each once.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use sluice_dialects::{comb, hw, seq};
use sluice_ir::bits::Bits;
use sluice_ir::passes::named;
use sluice_ir::{Body, Context, Module, OperationId, Type, ValueDefinition, ValueId, View};

use crate::circuits::maker::Maker;

/// Parts of parts at most: they are made one inside the other.
const DEEPEST: u32 = 500;

/// Parts of the values of a ring at most; others are taken out of the whole.
const MOST_PARTS: usize = 1 << 20;

/// Some bits of a value, from the lowest one on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    value: ValueId,
    low: u32,
    width: u32,
}

/// What stands beside others in a part.
#[derive(PartialEq, Eq)]
enum Piece {
    Of(Part),
    /// So many of them.
    Zeros(u32),
}

/// What a part is made of.
enum Source {
    /// Pieces side by side, the highest first.
    Pieces(Vec<Piece>),
    /// The same operation on parts of its operands.
    Bitwise(String, Vec<Part>),
    /// One of two parts.
    Choice(ValueId, [Part; 2]),
    /// Bits of what an operation gives for the low bits of its operands.
    Low(String, Vec<Part>),
}

/// Splits values that are in rings as wholes, in all circuits.
pub fn split_values(context: &Context, module: &mut Module) {
    for op in named(context, module, hw::Module::NAME) {
        let body = module.inner_mut().inner_mut(op);
        for among in rings(context, body) {
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

/// The values that follow from themselves as wholes, ring by ring.
pub(crate) fn rings(context: &Context, body: &Body) -> Vec<BTreeSet<ValueId>> {
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

/// What stands in the place of a value in the end; where that leads back to it, one of those on the way.
fn last(replaced: &mut BTreeMap<ValueId, ValueId>, value: ValueId) -> ValueId {
    let (mut end, mut way) = (value, BTreeSet::new());
    while let Some(next) = replaced.get(&end).copied()
        && way.insert(end)
    {
        end = next;
    }
    // Those on the way need not go it again.
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
    /// The values of a ring.
    among: BTreeSet<ValueId>,
    /// Parts that were made; nothing for those under way.
    known: BTreeMap<Part, Option<ValueId>>,
}

impl Parts<'_> {
    /// Lets readers of parts read what these are.
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

    /// The number that an operand always is.
    fn constant(&self, value: ValueId) -> Option<u32> {
        let op = self.body.defining_operation(value)?;
        let view = View::new(self.context, self.body, op);
        let value = (view.name() == hw::Constant::NAME)
            .then(|| view.attribute("value")?.integer(self.context))
            .flatten()?;
        u32::try_from(value.to_u64()?).ok()
    }

    /// The parts that an operation reads of its first operand, by its results.
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

    /// Lowest bit and width of what an operation with one result reads of its first operand.
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
        // Beyond the end of an array there is something else.
        (low.checked_add(width)? <= whole).then_some((low, width))
    }

    /// What a part is made of, where that is known.
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

    /// A part of values side by side, the first one the highest.
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

    /// A part of what is shifted by a constant.
    fn shifted(&self, view: View<'_>, part: Part) -> Option<Source> {
        let (of, by) = (view.operand(0), self.constant(view.operand(1))?);
        let whole = self.width(of)?;
        let by = by.min(whole);
        let end = part.low + part.width;
        let is_left = view.name() == comb::Shl::NAME;
        // Bits of the result that come of the operand, and the rest of the part above and below them.
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

    /// The integer that a part is, made in front of an operation.
    fn made(&mut self, at: OperationId, part: Part, depth: u32) -> ValueId {
        if part.low == 0 && self.width(part.value) == Some(part.width) {
            let ty = self.context.integer_type(part.width);
            return self.as_type(at, part.value, ty);
        }
        match self.known.get(&part) {
            Some(Some(made)) => return *made,
            // It is made of itself: that is a ring.
            Some(None) => return self.taken(at, part),
            None => {}
        }
        let is_little = depth < DEEPEST && self.known.len() < MOST_PARTS;
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

    /// A part taken out of the whole.
    fn taken(&mut self, at: OperationId, part: Part) -> ValueId {
        let whole = self.width(part.value).unwrap_or(part.low + part.width);
        let ty = self.context.integer_type(whole);
        let value = self.as_type(at, part.value, ty);
        self.maker(at).extract(value, part.low, part.width)
    }

    /// The same bits as another type.
    fn as_type(&mut self, at: OperationId, value: ValueId, ty: Type) -> ValueId {
        if self.body.ty(value) == ty {
            return value;
        }
        self.maker(at).one(hw::Bitcast::NAME, &[value], ty, &[])
    }
}

/// A part of a value of which one field or element, at a place, is another one.
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
