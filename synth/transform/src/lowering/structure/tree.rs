//! The structured form of a control flow graph: sequences of steps, conditionals and loops over mutable variables.
//!
//! Variables stand for block arguments and for values used outside their blocks; further variables record which edge is taken.
//! The emission turns them into values again.

use std::borrow::Cow;

use sluice_ir::bits::Bits;
use sluice_ir::{BlockId, Location, Type, ValueId};

use super::set::Set;

/// The index of a variable of the region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Variable(u32);

impl Variable {
    pub(super) fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 variables"))
    }

    pub(super) fn index(self) -> usize {
        usize::try_from(self.0).expect("`usize` has 32 bits at least")
    }
}

/// The type and origin of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct VariableInfo {
    pub(super) ty: Type,
    /// The value of the source that the variable stands for.
    pub(super) value: Option<ValueId>,
}

/// All variables of a region.
#[derive(Debug, Default)]
pub(super) struct Variables {
    all: Vec<VariableInfo>,
}

impl Variables {
    pub(super) fn add(&mut self, ty: Type, value: Option<ValueId>) -> Variable {
        let variable = Variable::from_index(self.all.len());
        self.all.push(VariableInfo { ty, value });
        variable
    }

    pub(super) fn of(&self, variable: Variable) -> VariableInfo {
        self.all[variable.index()]
    }

    pub(super) fn all(&self) -> impl Iterator<Item = Variable> + use<> {
        (0..self.all.len()).map(Variable::from_index)
    }
}

/// The source of an assignment or a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Variable(Variable),
    /// A value that is defined for the whole region.
    Value(ValueId),
    /// A number that records which edge is taken.
    Number(i64),
    /// An arbitrary value: the variable is dead from here on.
    Nothing,
}

/// `variable = source`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Assignment {
    pub(super) variable: Variable,
    pub(super) source: Source,
}

/// The condition under which a conditional takes its first branch.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// The bit is set.
    Holds(Source),
    /// The value is one of these.
    OneOf(Source, Vec<Bits>),
}

impl Test {
    pub(super) fn source(&self) -> Source {
        match self {
            Self::Holds(source) | Self::OneOf(source, _) => *source,
        }
    }
}

pub(super) type Sequence = Vec<Step>;

/// A step of a sequence.
#[derive(Debug)]
pub(super) enum Step {
    /// The operations of a block except its terminator.
    Block(BlockId, Facts),
    /// Parallel assignments.
    Assign(Vec<Assignment>),
    /// Drops values that are not live here.
    Keep(Box<Keep>),
    If(Box<If>),
    Switch(Box<Switch>),
    Loop(Box<Loop>),
}

/// The step at the entry of a block that drops variables which are not live there.
#[derive(Debug)]
pub(super) struct Keep {
    /// The dead variables are killed.
    pub(super) facts: Facts,
}

#[derive(Debug)]
pub(super) struct If {
    pub(super) test: Test,
    pub(super) then: Sequence,
    pub(super) otherwise: Sequence,
    pub(super) location: Location,
    pub(super) facts: Facts,
}

/// A selection of one of several sequences by the value of an integer or index.
#[derive(Debug)]
pub(super) struct Switch {
    pub(super) flag: Source,
    pub(super) cases: Vec<Case>,
    pub(super) default: Sequence,
    pub(super) location: Location,
    pub(super) facts: Facts,
}

/// The steps for some values of the flag.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) values: Vec<Bits>,
    pub(super) steps: Sequence,
}

/// A loop: `before` runs; while `again` then holds, `after` and `before` run.
#[derive(Debug)]
pub(super) struct Loop {
    pub(super) before: Sequence,
    pub(super) again: Source,
    pub(super) after: Sequence,
    pub(super) location: Location,
    pub(super) facts: Facts,
}

/// The effect of a step on variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Variables that are read before they are assigned, on some path.
    pub(super) reads: Set,
    /// Variables that are assigned or dead, on every path.
    pub(super) kills: Set,
    /// Variables that are assigned, on some path.
    pub(super) assigns: Set,
    /// Nesting depth of conditionals and loops.
    pub(super) levels: u32,
}

impl Facts {
    fn read(&mut self, source: Source) {
        if let Source::Variable(variable) = source
            && !self.kills.contains(variable)
        {
            self.reads.insert(variable);
        }
    }

    /// Appends the effect of a step that follows.
    fn then(&mut self, next: &Self) {
        self.reads.add_all(&next.reads.without(&self.kills));
        self.kills.add_all(&next.kills);
        self.assigns.add_all(&next.assigns);
        self.levels = self.levels.max(next.levels);
    }

    /// Appends the effect of a step that may follow.
    fn then_perhaps(&mut self, next: &Self) {
        self.reads.add_all(&next.reads.without(&self.kills));
        self.assigns.add_all(&next.assigns);
        self.levels = self.levels.max(next.levels);
    }

    fn of_one_of<'a>(branches: impl Iterator<Item = &'a Sequence>) -> Self {
        let mut found: Option<Self> = None;
        for facts in branches.map(of_sequence) {
            found = Some(match found {
                None => facts,
                Some(mut all) => {
                    all.reads.add_all(&facts.reads);
                    all.kills.keep_common(&facts.kills);
                    all.assigns.add_all(&facts.assigns);
                    all.levels = all.levels.max(facts.levels);
                    all
                }
            });
        }
        found.unwrap_or_default()
    }

    /// Returns the variables live before a step, if `behind` is live after it.
    pub(super) fn live_before(&self, behind: &Set) -> Set {
        let mut live = behind.without(&self.kills);
        live.add_all(&self.reads);
        live
    }
}

impl Keep {
    /// Builds the step for a set of live variables; `values` are all variables that stand for values.
    pub(super) fn step(live: &Set, values: &Set) -> Step {
        let kills = values.without(live);
        let facts = Facts {
            kills,
            ..Facts::default()
        };
        Step::Keep(Box::new(Self { facts }))
    }
}

impl If {
    pub(super) fn step(
        test: Test,
        then: Sequence,
        otherwise: Sequence,
        location: Location,
    ) -> Step {
        let mut facts = Facts::default();
        facts.read(test.source());
        facts.then(&Facts::of_one_of([&then, &otherwise].into_iter()));
        facts.levels += 1;
        Step::If(Box::new(Self {
            test,
            then,
            otherwise,
            location,
            facts,
        }))
    }
}

impl Switch {
    pub(super) fn step(
        flag: Source,
        cases: Vec<Case>,
        default: Sequence,
        location: Location,
    ) -> Step {
        let mut facts = Facts::default();
        facts.read(flag);
        let branches = cases.iter().map(|case| &case.steps);
        facts.then(&Facts::of_one_of(branches.chain([&default])));
        facts.levels += 1;
        Step::Switch(Box::new(Self {
            flag,
            cases,
            default,
            location,
            facts,
        }))
    }
}

impl Loop {
    pub(super) fn step(
        before: Sequence,
        again: Source,
        after: Sequence,
        location: Location,
    ) -> Step {
        let mut facts = of_sequence(&before);
        facts.read(again);
        facts.then_perhaps(&of_sequence(&after));
        facts.levels += 1;
        Step::Loop(Box::new(Self {
            before,
            again,
            after,
            location,
            facts,
        }))
    }
}

impl Step {
    fn facts(&self) -> Cow<'_, Facts> {
        Cow::Borrowed(match self {
            Self::Block(_, facts) => facts,
            Self::Keep(step) => &step.facts,
            Self::If(step) => &step.facts,
            Self::Switch(step) => &step.facts,
            Self::Loop(step) => &step.facts,
            Self::Assign(assignments) => return Cow::Owned(of_assignments(assignments)),
        })
    }
}

pub(super) fn of_assignments(assignments: &[Assignment]) -> Facts {
    let mut facts = Facts::default();
    for assignment in assignments {
        facts.read(assignment.source);
    }
    for assignment in assignments {
        facts.kills.insert(assignment.variable);
        facts.assigns.insert(assignment.variable);
    }
    facts
}

/// Returns the combined effect of the steps of a sequence.
pub(super) fn of_sequence(sequence: &Sequence) -> Facts {
    let mut facts = Facts::default();
    for step in sequence {
        facts.then(&step.facts());
    }
    facts
}

/// Returns what is live after each conditional and loop of a sequence, if `behind` is live after the last step; empty sets for
/// other steps.
pub(super) fn live_behind(sequence: &Sequence, behind: &Set) -> Vec<Set> {
    let mut live = behind.clone();
    let mut found = Vec::with_capacity(sequence.len());
    for step in sequence.iter().rev() {
        found.push(match step {
            Step::Block(..) | Step::Assign(_) | Step::Keep(_) => Set::default(),
            Step::If(_) | Step::Switch(_) | Step::Loop(_) => live.clone(),
        });
        live = step.facts().live_before(&live);
    }
    found.reverse();
    found
}
