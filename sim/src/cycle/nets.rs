//! Creation of the nets of a flattened module from their operands.

use std::collections::BTreeSet;

use sluice_dialects::{comb, hw, seq};
use sluice_ir::algebra::{Algebra, TermId};
use sluice_ir::bits::Bits;
use sluice_ir::{ValueId, View};

use super::aggregates;
use super::clocks::ClockId;
use super::flat::Table;
use crate::cycle::elaborator::{Elaborator, Failed, Net, Place, Users};

/// Operations without state that make a clock, or convert a clock to a bit.
const DERIVING: [&str; 5] = [
    seq::ClockGate::NAME,
    seq::ClockInv::NAME,
    seq::ClockDiv::NAME,
    seq::ClockMux::NAME,
    seq::FromClock::NAME,
];

pub(super) const UNKNOWN: &str = "the simulator does not know this operation";

impl<'a> Elaborator<'a> {
    /// Returns a value as a word.
    pub(super) fn term(
        &mut self,
        scope: usize,
        view: View<'a>,
        value: ValueId,
    ) -> Result<TermId, Failed> {
        match self.net(view, (scope, value))? {
            Net::Term(term) => Ok(term),
            Net::Array(words) => Ok(self.whole_array(words)),
            Net::Clock(clock) => Ok(self.level(clock)),
            Net::Memory(_) => self.fail(view, "a value is expected"),
        }
    }

    /// Returns a value as a clock; a clock that comes from a structure, an array or a mux is a bit there.
    pub(super) fn clock_net(
        &mut self,
        scope: usize,
        view: View<'a>,
        value: ValueId,
    ) -> Result<ClockId, Failed> {
        let clock = match self.net(view, (scope, value))? {
            Net::Clock(clock) => clock,
            Net::Term(level) if self.terms.width(&level) == 1 => self.clock_of_level(level),
            Net::Term(_) | Net::Memory(_) | Net::Array(_) => {
                return self.fail(view, "a clock is expected");
            }
        };
        if !DERIVING.contains(&view.name()) {
            let user = (scope, view.id);
            let users = self.clock_users.entry(clock);
            users.or_insert(Users { n: 0, first: user }).n += 1;
        }
        Ok(clock)
    }

    pub(super) fn whole_array(&mut self, words: Vec<Bits>) -> TermId {
        let words = words.into_iter().rev();
        let whole = words.reduce(|high, low| Bits::concat(&high, &low));
        self.terms.constant(whole.unwrap_or_else(|| Bits::zero(0)))
    }

    /// Returns the net of a value; creates the nets it depends on first, without recursion in Rust.
    pub(super) fn net(&mut self, reader: View<'a>, place: Place) -> Result<Net, Failed> {
        let mut stack = vec![place];
        let mut open: BTreeSet<Place> = BTreeSet::new();
        while let Some(top) = stack.last().copied() {
            if self.nets.contains_key(&top) {
                stack.pop();
                continue;
            }
            let sources = self.sources(top);
            let missing: Vec<_> = sources
                .iter()
                .copied()
                .filter(|p| !self.nets.contains_key(p))
                .collect();
            if !missing.is_empty() {
                if !open.insert(top) {
                    return self.fail(
                        reader,
                        "internal: a combinational loop that was not found before",
                    );
                }
                stack.extend(missing);
                continue;
            }
            let (scope, value) = top;
            let body = self.scopes[scope].module.inner();
            match body.defining_operation(value) {
                Some(op) if !self.scopes[scope].children.contains_key(&op) => {
                    self.make(scope, View::new(self.context, body, op))?;
                }
                // A port: its net is that of its other side.
                _ => match sources.first() {
                    Some(source) => {
                        let net = self.nets[source].clone();
                        self.nets.insert(top, net);
                    }
                    None => return self.fail(reader, "a net that nothing drives"),
                },
            }
            stack.pop();
        }
        Ok(self.nets[&place].clone())
    }

    fn make(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        match view.name() {
            hw::Constant::NAME => {
                let value = view
                    .attribute("value")
                    .and_then(|a| a.integer(self.context))
                    .cloned();
                let Some(value) = value else {
                    return self.fail(view, "a constant has a value");
                };
                let term = self.terms.constant(value);
                self.nets.insert((scope, view.result(0)), Net::Term(term));
            }
            hw::Wire::NAME | seq::FromImmutable::NAME => {
                let net = self.nets[&(scope, view.operand(0))].clone();
                self.nets.insert((scope, view.result(0)), net);
            }
            hw::AggregateConstant::NAME => self.make_constant(scope, view, "fields")?,
            hw::EnumConstant::NAME => self.make_constant(scope, view, "field")?,
            hw::ParamValue::NAME => {
                let value = view.attribute("value");
                let value = value.and_then(|value| self.parameter(scope, value));
                let Some(value) = value else {
                    return self.fail(view, "a parameter has no number");
                };
                let term = self.terms.constant(value);
                self.nets.insert((scope, view.result(0)), Net::Term(term));
            }
            seq::ClockGate::NAME
            | seq::ClockMux::NAME
            | seq::ClockInv::NAME
            | seq::ClockDiv::NAME
            | seq::ConstClock::NAME
            | seq::ToClock::NAME
            | seq::FromClock::NAME => {
                self.make_clock(scope, view)?;
            }
            hw::Instance::NAME => self.make_model(scope, view)?,
            seq::FirmemReadPort::NAME | seq::FirmemReadWritePort::NAME => {
                self.unclocked_read_port(scope, view)?;
            }
            seq::Read::NAME => self.unclocked_port(scope, view)?,
            hw::ArrayGet::NAME if matches!(self.nets[&(scope, view.operand(0))], Net::Array(_)) => {
                let Net::Array(words) = self.nets[&(scope, view.operand(0))].clone() else {
                    unreachable!("checked above");
                };
                let address = self.term(scope, view, view.operand(1))?;
                let (variable, term) = self.variable(words[0].width());
                self.tables.push(Table {
                    variable,
                    words,
                    address,
                });
                self.nets.insert((scope, view.result(0)), Net::Term(term));
            }
            _ => {
                let meaning = view.definition().and_then(|d| d.meaning.as_ref());
                if meaning.is_none() && !aggregates::is_known(view) {
                    return self.fail(view, UNKNOWN);
                }
                let is_empty = |value: &ValueId| {
                    aggregates::width_bits(self.context, view.ty(*value)) == Some(0)
                };
                if view.results().iter().all(is_empty) {
                    let nothing = self.number(0, 0);
                    for result in view.results() {
                        self.nets.insert((scope, *result), Net::Term(nothing));
                    }
                    return Ok(());
                }
                let mut operands = Vec::new();
                for operand in view.operands() {
                    let term = self.term(scope, view, operand)?;
                    // Values without bits compare as equal and have even parity, as a zero does.
                    let is_compared = [comb::Icmp::NAME, comb::Parity::NAME].contains(&view.name());
                    operands.push(match is_compared && self.terms.width(&term) == 0 {
                        true => self.bit(false),
                        false => term,
                    });
                }
                let terms = &mut self.terms;
                let results = match meaning {
                    Some(meaning) => view
                        .with_site(|site| (meaning.denote)(site, terms, &operands))
                        .map(|results| results.into_vec()),
                    None => aggregates::results(self.context, terms, view, &operands),
                };
                let Some(results) = results else {
                    return self.fail(view, "no meaning for these types");
                };
                for (result, term) in view.results().iter().zip(results) {
                    self.nets.insert((scope, *result), Net::Term(term));
                }
            }
        }
        Ok(())
    }

    /// Creates a constant of any type.
    fn make_constant(&mut self, scope: usize, view: View<'a>, name: &str) -> Result<(), Failed> {
        let ty = view.ty(view.result(0));
        let value = view.attribute(name);
        let elements = || {
            let (_, element) = hw::array_parts(self.context, ty)?;
            // The element with the highest index comes first.
            let all = value?.as_array(self.context)?.iter().rev();
            all.map(|one| hw::constant_bits(self.context, *one, element))
                .collect::<Option<Vec<_>>>()
        };
        if let Some(words) = elements() {
            self.nets.insert((scope, view.result(0)), Net::Array(words));
            return Ok(());
        }
        let value = value.and_then(|value| hw::constant_bits(self.context, value, ty));
        let Some(value) = value else {
            return self.fail(view, "no constant of this type is simulated");
        };
        let term = self.terms.constant(value);
        self.nets.insert((scope, view.result(0)), Net::Term(term));
        Ok(())
    }
}
