//! Value ranges by abstract interpretation, including values that loops carry and branches return.
//!
//! Interval analysis (P. Cousot, R. Cousot, POPL 1977). The ranges of carried values grow from the initial values until an
//! iteration changes nothing. At first they grow exactly, then they are widened to the next constant of the function, then to
//! unbounded. Two narrowing iterations then apply the conditions again. Conditions hold inside the code they guard
//! ([`crate::analysis::conditions`]). A sum accumulated in a counted loop is bounded by the trip count
//! ([`crate::analysis::offsets`]).
//!
//! Invariant: when the analysis ends, every value that occurs in an execution lies in its range.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{arith, handshake, scf};
use sluice_ir::algebra::{Ranges, RangesWord};
use sluice_ir::bits::Bits;
use sluice_ir::{BlockId, Body, Context, Exact, OperationId, ValueId, View};
use smallvec::SmallVec;

use crate::analysis::conditions::implied;
use crate::analysis::linear::{bounds, loop_of};
use crate::analysis::offsets::{Span, after_iterations, offset, trips};
use crate::build::{constant_of, yielded};

/// Number of iterations of a loop before widening starts.
const EXACT_ITERATIONS: u32 = 2;

/// Number of iterations after which a range that still grows becomes unbounded.
const MAX_ITERATIONS: u32 = 8;

/// Maximum number of narrowing iterations, which apply the conditions again.
const REFINING_ITERATIONS: u32 = 2;

/// Maximum number of operation evaluations, counting repetitions.
const MAX_OPERATIONS: usize = 400_000;

/// Maximum number of widening thresholds.
const MAX_THRESHOLDS: usize = 96;

/// The range of a value; `None` if every value is possible.
pub type Range = Option<RangesWord>;

/// Returns the ranges of all values of a body, indexed by value; `None` if every value is possible.
pub fn value_ranges(context: &Context, body: &Body) -> Vec<Range> {
    Analysis::of(context, body).into_ranges()
}

/// Returns the constants of a function and their neighbours in increasing order, as widening thresholds.
fn thresholds(context: &Context, body: &Body) -> Vec<i64> {
    let numbers = body.walk_all().into_iter().filter_map(|op| {
        let is_triggered = context.operation_text(body.name(op)) == handshake::Constant::NAME;
        match is_triggered {
            true => body.attribute_named(context, op, "value")?.as_i64(context),
            false => constant_of(context, body, *body.results(op).first()?)?.to_i64(),
        }
    });
    let around = numbers.flat_map(|n| [n.saturating_sub(1), n, n.saturating_add(1)]);
    let all: BTreeSet<i64> = around.collect();
    all.into_iter().take(MAX_THRESHOLDS).collect()
}

/// The state of the abstract interpretation.
pub(crate) struct Analysis<'a> {
    pub(crate) context: &'a Context,
    pub(crate) body: &'a Body,
    ranges: Vec<Range>,
    /// For each value, the total number of range changes at its own last change.
    changed: Vec<u32>,
    n_changes: u32,
    /// For each operation, the total number of range changes when its results were last computed without conditions.
    computed: Vec<Option<u32>>,
    /// The ranges implied by the enclosing conditions, in addition to the unconditional ranges.
    given: Vec<(ValueId, RangesWord)>,
    /// The ranges that inner loops carried in the previous iteration of the outer loop.
    carried: BTreeMap<OperationId, Vec<Range>>,
    thresholds: Vec<i64>,
    left: usize,
}

impl<'a> Analysis<'a> {
    pub(crate) fn new(context: &'a Context, body: &'a Body) -> Self {
        Self {
            context,
            body,
            ranges: vec![None; body.value_capacity()],
            changed: vec![0; body.value_capacity()],
            n_changes: 0,
            computed: Vec::new(),
            given: Vec::new(),
            carried: BTreeMap::new(),
            thresholds: thresholds(context, body),
            left: MAX_OPERATIONS,
        }
    }

    /// Analyses all values of a body.
    pub(crate) fn of(context: &'a Context, body: &'a Body) -> Self {
        let mut analysis = Self::new(context, body);
        for region in body.top_regions() {
            for block in body.blocks(region) {
                analysis.block(*block);
            }
        }
        analysis
    }

    pub(crate) fn into_ranges(self) -> Vec<Range> {
        self.ranges
    }

    /// Returns the range of a value without the enclosing conditions.
    pub(crate) fn own(&self, value: ValueId) -> &Range {
        &self.ranges[value.index()]
    }

    pub(crate) fn set_own(&mut self, value: ValueId, range: Range) {
        let known = &mut self.ranges[value.index()];
        if *known != range {
            *known = range;
            self.n_changes += 1;
            self.changed[value.index()] = self.n_changes;
        }
    }

    /// Returns the range of an integer at the current point.
    pub(crate) fn get(&self, value: ValueId) -> Range {
        let width = self.body.ty(value).width_bits(self.context)?;
        let known = self.ranges[value.index()].clone();
        let mut range = known.unwrap_or_else(|| RangesWord::full(width));
        for (_, given) in self.given.iter().filter(|(of, _)| *of == value) {
            // An empty intersection means the point is unreachable; the range is then kept.
            range = range.meet(given).map_or(range, RangesWord::tight);
        }
        Some(range)
    }

    fn all(&self, values: &[ValueId]) -> Vec<Range> {
        values.iter().map(|value| self.get(*value)).collect()
    }

    fn set(&mut self, values: &[ValueId], ranges: &[Range]) {
        for (value, range) in values.iter().zip(ranges) {
            self.set_own(*value, range.clone());
        }
    }

    /// Evaluates `ask` under the assumption that a condition has a truth value.
    fn where_it_is<T>(
        &mut self,
        condition: ValueId,
        truth: bool,
        ask: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let n_given = self.given.len();
        let implied = implied(self, condition, truth);
        self.given.extend(implied);
        let answer = ask(self);
        self.given.truncate(n_given);
        answer
    }

    fn block(&mut self, block: BlockId) {
        for op in self.body.operations(block) {
            self.operation(op);
        }
    }

    fn operation(&mut self, op: OperationId) {
        self.left = self.left.saturating_sub(1);
        let view = View::new(self.context, self.body, op);
        match view.name() {
            scf::For::NAME => self.for_loop(view),
            scf::While::NAME => self.while_loop(view),
            scf::If::NAME => self.conditional(view),
            arith::Select::NAME => {
                let [condition, yes, no] = [0, 1, 2].map(|i| view.operand(i));
                let yes = self.where_it_is(condition, true, |here| here.get(yes));
                let no = self.where_it_is(condition, false, |here| here.get(no));
                let range = match self.get(condition).as_ref().and_then(RangesWord::value) {
                    Some(known) if known.is_zero() => no,
                    Some(_) => yes,
                    None => join(&yes, &no),
                };
                self.set(view.results(), &[range]);
            }
            _ => {
                self.results(view);
                for region in view.regions() {
                    for block in self.body.blocks(*region) {
                        self.block(*block);
                    }
                }
            }
        }
    }

    /// Computes the ranges of results from the operation's meaning, and of `index` values also from their linear form.
    fn results(&mut self, view: View<'a>) {
        if self.is_computed(view) {
            return;
        }
        let computed = self.by_meaning(view);
        for (i, result) in view.results().iter().enumerate() {
            let mut range = computed.as_ref().and_then(|words| words.get(i).cloned());
            if self.body.ty(*result).is_index(self.context) {
                let exact = bounds(self.context, self.body, *result);
                let exact = exact.and_then(|range| self.word(*result, range));
                range = match (range, exact) {
                    (Some(a), Some(b)) => a.meet(&b).or(Some(b)),
                    (a, b) => a.or(b),
                };
            }
            self.set_own(*result, range.map(RangesWord::tight));
        }
    }

    /// Returns whether the results are up to date; if not, marks them as computed now.
    fn is_computed(&mut self, view: View<'a>) -> bool {
        let at = view.id.index();
        if self.computed.len() <= at {
            self.computed.resize(at + 1, None);
        }
        let is_given = |value: ValueId| self.given.iter().any(|(of, _)| *of == value);
        if view.operands().any(is_given) {
            // The conditional ranges may differ in the next iteration.
            self.computed[at] = None;
            return false;
        }
        let before = self.computed[at].replace(self.n_changes);
        let is_older = |value: ValueId, than: u32| self.changed[value.index()] <= than;
        before.is_some_and(|before| view.operands().all(|value| is_older(value, before)))
    }

    fn word(&self, value: ValueId, (low, high): (i64, i64)) -> Range {
        let width = self.body.ty(value).width_bits(self.context)?;
        let ends = [low, high].map(|end| Bits::from_i64(width, end));
        let fits = ends[0].to_i64() == Some(low) && ends[1].to_i64() == Some(high);
        let [low, high] = ends;
        fits.then(|| RangesWord::signed(low, high))
    }

    pub(crate) fn by_meaning(&self, view: View<'a>) -> Option<SmallVec<[RangesWord; 1]>> {
        if let [result] = view.results()
            && let Some(constant) = constant_of(self.context, self.body, *result)
        {
            return Some(SmallVec::from_elem(RangesWord::exact(&constant), 1));
        }
        let meaning = view.definition()?.meaning.as_ref()?;
        let is_integer = |value: ValueId| self.body.ty(value).width_bits(self.context).is_some();
        if !view.results().iter().all(|result| is_integer(*result)) {
            return None;
        }
        let operands: Option<Vec<RangesWord>> = view.operands().map(|v| self.get(v)).collect();
        let operands = operands?;
        view.with_site(|site| (meaning.ranges)(site, &mut Ranges::new(), &operands))
    }

    fn for_loop(&mut self, view: View<'a>) {
        let Some(block) = view.entry_block(0) else {
            return;
        };
        let arguments = self.body.arguments(block);
        let (counter, arguments) = (arguments[0], arguments[1..].to_vec());
        let around = loop_of(self.context, self.body, view.id);
        let known = around.and_then(|around| self.word(counter, around.range?));
        let between = self
            .get(view.operand(0))
            .zip(self.get(view.operand(1)))
            .and_then(|(first, end)| {
                let one = Bits::from_u64(end.width(), 1);
                let is_some = first.smin.slt(&end.smax);
                is_some.then(|| RangesWord::signed(first.smin, end.smax.sub(&one)))
            });
        let range = match (known, between) {
            (Some(a), Some(b)) => a.meet(&b).or(Some(a)),
            (a, b) => a.or(b),
        };
        self.set_own(counter, range);
        let inits: Vec<ValueId> = view.operands().skip(3).collect();
        let first = self.all(&inits);
        let given_back = yielded(self.body, view.id, 0);
        let n_iterations = trips(self, view).and_then(Exact::known);
        let within = |here: &Self, least: i128| -> Vec<Option<RangesWord>> {
            let all = first.iter().zip(&arguments).zip(&given_back);
            let bounded = all.map(|((first, argument), given_back)| {
                let n_iterations = n_iterations?.checked_sub(least)?.max(0);
                let by: Span = offset(here, *given_back, *argument)?;
                after_iterations(first.as_ref()?, by, n_iterations)
            });
            bounded.collect()
        };
        let last = self.fixpoint(
            view.id,
            &arguments,
            &first,
            &|here| {
                here.block(block);
                here.all(&given_back)
            },
            &|here| within(here, 1),
        );
        let results = first.iter().zip(&last).zip(within(self, 0));
        let results = results.map(|((first, last), within)| {
            let all = join(first, last);
            meet(&all, &within)
        });
        let results: Vec<Range> = results.collect();
        self.set(view.results(), &results);
    }

    fn while_loop(&mut self, view: View<'a>) {
        let (Some(before), Some(after)) = (view.entry_block(0), view.entry_block(1)) else {
            return;
        };
        let inits: Vec<ValueId> = view.operands().collect();
        let first = self.all(&inits);
        let passed_on = yielded(self.body, view.id, 0);
        let Some((condition, passed_on)) = passed_on.split_first() else {
            return;
        };
        let given_back = yielded(self.body, view.id, 1);
        let carried = self.body.arguments(before).to_vec();
        let inside = self.body.arguments(after).to_vec();
        self.fixpoint(
            view.id,
            &carried,
            &first,
            &|here| {
                here.block(before);
                let goes_on = here.where_it_is(*condition, true, |here| here.all(passed_on));
                let ends = here.where_it_is(*condition, false, |here| here.all(passed_on));
                here.set(&inside, &goes_on);
                here.set(view.results(), &ends);
                here.block(after);
                here.all(&given_back)
            },
            &|_| Vec::new(),
        );
    }

    /// Iterates a loop to the fixpoint of its carried ranges; returns the ranges yielded by the last iteration.
    fn fixpoint(
        &mut self,
        op: OperationId,
        arguments: &[ValueId],
        first: &[Range],
        iterate: &dyn Fn(&mut Self) -> Vec<Range>,
        within: &dyn Fn(&Self) -> Vec<Range>,
    ) -> Vec<Range> {
        let mut state: Vec<Range> = match self.carried.get(&op) {
            Some(before) => both(before, first, join),
            None => first.to_vec(),
        };
        let mut n_iterations = 0;
        let mut last = loop {
            if self.left == 0 {
                state.fill(None);
            }
            self.set(arguments, &state);
            let last = iterate(self);
            let next = both(&state, &last, join);
            if next == state {
                break last;
            }
            n_iterations += 1;
            state = if n_iterations <= EXACT_ITERATIONS {
                next
            } else if n_iterations <= MAX_ITERATIONS {
                both(&state, &next, |old, new| self.wider(old, new))
            } else {
                both(&state, &next, |old, new| old.clone().filter(|_| old == new))
            };
        };
        for _ in 0..REFINING_ITERATIONS {
            if self.left == 0 {
                break;
            }
            let reached = both(first, &last, join);
            let reached = both(&state, &reached, meet);
            let next = match within(self) {
                bounds if bounds.is_empty() => reached,
                bounds => both(&reached, &bounds, meet),
            };
            if next == state {
                break;
            }
            state = next;
            self.set(arguments, &state);
            last = iterate(self);
        }
        self.carried.insert(op, state);
        last
    }

    /// Widens a range that grew to the next threshold.
    pub(crate) fn wider(&self, old: &Range, new: &Range) -> Range {
        let (old, new) = (old.as_ref()?, new.as_ref()?);
        let width = new.width();
        let numbers = || {
            let numbers = self.thresholds.iter();
            numbers.filter_map(move |n| {
                let number = Bits::from_i64(width, *n);
                (number.to_i64() == Some(*n)).then_some(number)
            })
        };
        let not_negative = || numbers().filter(|number| !number.sign_bit());
        let full = RangesWord::full(width);
        let mut wide = new.clone();
        if old.umax != new.umax {
            let next = not_negative().find(|number| new.umax.ule(number));
            wide.umax = next.unwrap_or(full.umax);
        }
        if old.umin != new.umin {
            wide.umin = full.umin;
        }
        if old.smax != new.smax {
            let next = numbers().find(|number| new.smax.sle(number));
            wide.smax = next.unwrap_or(full.smax);
        }
        if old.smin != new.smin {
            let next = numbers().rfind(|number| number.sle(&new.smin));
            wide.smin = next.unwrap_or(full.smin);
        }
        Some(wide)
    }

    fn conditional(&mut self, view: View<'a>) {
        let condition = view.operand(0);
        let mut found: Option<Vec<Range>> = None;
        for region in 0..view.regions().len() {
            let Some(block) = view.entry_block(region) else {
                continue;
            };
            let given_back = yielded(self.body, view.id, region);
            let ranges = self.where_it_is(condition, region == 0, |here| {
                here.block(block);
                here.all(&given_back)
            });
            found = Some(match found {
                Some(before) => both(&before, &ranges, join),
                None => ranges,
            });
        }
        self.set(view.results(), &found.unwrap_or_default());
    }
}

fn both(a: &[Range], b: &[Range], of: impl Fn(&Range, &Range) -> Range) -> Vec<Range> {
    a.iter().zip(b).map(|(a, b)| of(a, b)).collect()
}

/// Returns the union of two ranges; unbounded if one is.
pub(crate) fn join(a: &Range, b: &Range) -> Range {
    Some(a.as_ref()?.join(b.as_ref()?))
}

/// Returns the intersection of two ranges.
fn meet(a: &Range, b: &Range) -> Range {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.meet(b).map_or_else(|| a.clone(), RangesWord::tight)),
        (a, b) => a.clone().or_else(|| b.clone()),
    }
}
