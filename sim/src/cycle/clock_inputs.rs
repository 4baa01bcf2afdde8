//! Detection of the clock inputs of a module: inputs of clock type, and bits that are used only as clocks.
//!
//! The analysis follows a bit from an input to its uses, through instances, words, arrays, structures and unions, while it is one
//! bit at a known position. Where logic combines the bit with others, the analysis follows the result, because it may be a gated
//! clock.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{comb, hw, seq};
use sluice_ir::{Body, Context, Module, OperationId, ValueId, View};

use super::aggregates;

/// The most copies of a bit that are followed.
const MAX_COPIES: u32 = 64;

/// The uses that a bit of an input reaches.
#[derive(Clone, Default)]
struct Reached {
    /// Whether it becomes a clock without logic on the path.
    is_clock: bool,
    /// Whether it is used other than for clocks.
    is_data: bool,
    /// Whether its value is needed as a bit: by logic, or in a word.
    is_level: bool,
    outputs: BTreeSet<Spot>,
}

/// A bit of an output.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    output: usize,
    bit: u32,
    /// Whether logic combines it with other bits on the path.
    is_mixed: bool,
}

/// A bit of a value on the path from an input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    value: ValueId,
    bit: u32,
    is_mixed: bool,
}

/// The analysis, with the results so far.
pub(super) struct ClockInputs<'a> {
    context: &'a Context,
    inner: &'a Body,
    modules: BTreeMap<&'a str, OperationId>,
    /// Results by module, number of the input and bit; `None` while a result is being computed.
    known: BTreeMap<(OperationId, usize, u32), Option<Reached>>,
}

/// An input that is a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClockInput {
    /// Whether its level is used, not only its edges.
    pub(super) has_level: bool,
}

/// Returns the names of the clock inputs of the module `top`.
pub fn clock_inputs(context: &Context, module: &Module, top: &str) -> Vec<String> {
    let mut finder = ClockInputs::new(context, module);
    let Some(view) = finder.modules.get(top).copied() else {
        return Vec::new();
    };
    let view = View::new(context, module.inner(), view);
    let ports = hw::module_ports(view).into_iter();
    let inputs = ports.filter(|port| port.direction != hw::Direction::Output);
    inputs
        .enumerate()
        .filter(|(number, _)| finder.input(view, *number).is_some())
        .map(|(_, port)| port.name)
        .collect()
}

impl<'a> ClockInputs<'a> {
    pub(super) fn new(context: &'a Context, module: &'a Module) -> Self {
        let inner = module.inner();
        let all = module.top_level_operations().into_iter();
        let modules = all.filter_map(|op| {
            let view = View::new(context, inner, op);
            let name = view.symbol_name()?;
            (view.name() == hw::Module::NAME).then_some((name, op))
        });
        Self {
            context,
            inner,
            modules: modules.collect(),
            known: BTreeMap::new(),
        }
    }

    /// Returns how an input is used as a clock; `None` if it is not a clock.
    pub(super) fn input(&mut self, module: View<'a>, number: usize) -> Option<ClockInput> {
        let block = module.entry_block(0)?;
        let argument = *module.inner().arguments(block).get(number)?;
        let ty = module.inner().ty(argument);
        if aggregates::width_bits(self.context, ty).is_none() {
            let is_clock = hw::width_bits(self.context, ty) == Some(1);
            return is_clock.then_some(ClockInput { has_level: false });
        }
        if aggregates::width_bits(self.context, ty) != Some(1) {
            return None;
        }
        let reached = self.reached(module.id, number, 0);
        let is_clock = reached.is_clock && !reached.is_data && reached.outputs.is_empty();
        is_clock.then_some(ClockInput {
            has_level: reached.is_level,
        })
    }

    /// Returns the uses that a bit of an input reaches.
    fn reached(&mut self, module: OperationId, number: usize, bit: u32) -> Reached {
        let key = (module, number, bit);
        match self.known.get(&key) {
            Some(Some(known)) => return known.clone(),
            // Another check rejects modules that instantiate themselves.
            Some(None) => return Reached::default(),
            None => {}
        }
        self.known.insert(key, None);
        let (context, inner) = (self.context, self.inner);
        let view = View::new(context, inner, module);
        let body = view.inner();
        let block = view.entry_block(0);
        let argument = block.and_then(|block| body.arguments(block).get(number).copied());
        let mut found = Reached::default();
        let mut open: Vec<Step> = argument
            .map(|value| Step {
                value,
                bit,
                is_mixed: false,
            })
            .into_iter()
            .collect();
        let mut seen: BTreeSet<Step> = open.iter().copied().collect();
        while let Some(step) = open.pop() {
            if found.is_data {
                break;
            }
            for (user, at) in body.uses(step.value) {
                let user = View::new(context, body, user);
                let next = self.through(user, at, step, &mut found);
                let Some(next) = next else {
                    found.is_data = true;
                    break;
                };
                open.extend(next.into_iter().filter(|next| seen.insert(*next)));
            }
        }
        self.known.insert(key, Some(found.clone()));
        found
    }

    /// Returns the bits that a bit of an operand becomes; `None` if it is used as data.
    fn through(
        &mut self,
        user: View<'a>,
        at: usize,
        step: Step,
        found: &mut Reached,
    ) -> Option<Vec<Step>> {
        let to = |result: usize, bit: u32| {
            let value = *user.results().get(result)?;
            Some(Step {
                value,
                bit,
                is_mixed: step.is_mixed,
            })
        };
        match user.name() {
            seq::ToClock::NAME => {
                found.is_clock |= !step.is_mixed;
                return Some(Vec::new());
            }
            hw::Output::NAME => {
                found.outputs.insert(Spot {
                    output: at,
                    bit: step.bit,
                    is_mixed: step.is_mixed,
                });
                return Some(Vec::new());
            }
            hw::Wire::NAME => return Some(vec![to(0, step.bit)?]),
            hw::Instance::NAME => {
                let name = user.attribute("moduleName")?.as_flat_symbol(self.context)?;
                let inside = *self.modules.get(name)?;
                let reached = self.reached(inside, at, step.bit);
                found.is_clock |= reached.is_clock && !step.is_mixed;
                found.is_data |= reached.is_data;
                found.is_level |= reached.is_level;
                let outputs = reached.outputs.into_iter();
                let outputs = outputs.map(|spot| {
                    let step = to(spot.output, spot.bit)?;
                    Some(Step {
                        is_mixed: step.is_mixed || spot.is_mixed,
                        ..step
                    })
                });
                return outputs.collect();
            }
            _ => {}
        }
        found.is_level = true;
        let places = self.places(user, at, step.bit)?;
        let steps = places.into_iter().map(|(result, bit, is_mixed)| {
            let step = to(result, bit)?;
            Some(Step {
                is_mixed: step.is_mixed || is_mixed,
                ..step
            })
        });
        steps.collect()
    }

    fn width(&self, user: View<'a>, value: ValueId) -> Option<u32> {
        let width = hw::width_bits(self.context, user.ty(value))?;
        u32::try_from(width).ok()
    }

    /// Returns the bits of results that depend on a bit of an operand: result, bit, and whether other bits are combined with it.
    /// `None` if this is not known.
    fn places(&self, user: View<'a>, at: usize, bit: u32) -> Option<Vec<(usize, u32, bool)>> {
        let context = self.context;
        let number = |name: &str| {
            let number = user.attribute(name)?.as_i64(context)?;
            u32::try_from(number).ok()
        };
        let field = |value: ValueId| -> Option<(u32, u32)> {
            let places = hw::field_places(context, user.ty(value))?;
            places
                .get(usize::try_from(number("fieldIndex")?).ok()?)
                .copied()
        };
        // Maps the bit into the part of the word that begins at `low`.
        let part = |(low, width): (u32, u32)| {
            let inside = bit.checked_sub(low).filter(|bit| *bit < width);
            Some(inside.map(|bit| (0, bit, false)).into_iter().collect())
        };
        let whole = |bit: u32| Some(vec![(0, bit, false)]);
        match user.name() {
            hw::Bitcast::NAME => whole(bit),
            comb::Extract::NAME => part((number("lowBit")?, self.width(user, user.result(0))?)),
            // The first operand is in the highest bits.
            comb::Concat::NAME
            | hw::ArrayCreate::NAME
            | hw::ArrayConcat::NAME
            | hw::StructCreate::NAME => {
                let below = user.operands().skip(at + 1);
                let below = below.map(|operand| self.width(user, operand));
                let below: u32 = below.sum::<Option<u32>>()?;
                whole(below.checked_add(bit)?)
            }
            comb::Replicate::NAME => {
                let width = self.width(user, user.operand(0))?;
                let n = self.width(user, user.result(0))?.checked_div(width)?;
                let copies = (0..n).map(|copy| (0, copy * width + bit, false));
                (n <= MAX_COPIES).then(|| copies.collect())
            }
            hw::StructExtract::NAME | hw::UnionExtract::NAME => part(field(user.operand(0))?),
            hw::StructExplode::NAME => {
                let places = hw::field_places(context, user.ty(user.operand(0)))?;
                let places = places.into_iter().enumerate();
                let inside = places.filter_map(|(result, (low, width))| {
                    let bit = bit.checked_sub(low).filter(|bit| *bit < width)?;
                    Some((result, bit, false))
                });
                Some(inside.collect())
            }
            hw::StructInject::NAME => {
                let (low, width) = field(user.operand(0))?;
                match at {
                    0 if (low..low + width).contains(&bit) => Some(Vec::new()),
                    0 => whole(bit),
                    _ => whole(low.checked_add(bit)?),
                }
            }
            hw::UnionCreate::NAME => {
                let (low, _) = field(user.result(0))?;
                whole(low.checked_add(bit)?)
            }
            hw::ArrayGet::NAME if at == 0 => {
                let width = self.width(user, user.result(0))?;
                let element = bit.checked_div(width)?;
                match self.constant(user, user.operand(1)) {
                    Some(index) if index == u64::from(element) => whole(bit % width),
                    Some(_) => Some(Vec::new()),
                    None => Some(vec![(0, bit % width, true)]),
                }
            }
            comb::And::NAME | comb::Or::NAME | comb::Xor::NAME => Some(vec![(0, bit, true)]),
            comb::Mux::NAME if at > 0 => Some(vec![(0, bit, true)]),
            comb::Mux::NAME | comb::Icmp::NAME | comb::Parity::NAME
                if self.width(user, user.result(0)) == Some(1) =>
            {
                Some(vec![(0, 0, true)])
            }
            _ => None,
        }
    }

    fn constant(&self, user: View<'a>, value: ValueId) -> Option<u64> {
        let made = user.body.defining_operation(value)?;
        let made = View::new(self.context, user.body, made);
        let value = made
            .attribute("value")
            .filter(|_| made.name() == hw::Constant::NAME)?;
        value.integer(self.context)?.to_u64()
    }
}
