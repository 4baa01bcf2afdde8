//! What restructuring makes of a graph: steps in sequence, conditionals and loops over variables that are assigned to.
//!
//! Variables stand for the block arguments and for the values that leave their blocks; further ones say which way is taken. Only
//! the emission makes values of them again.

use std::borrow::Cow;

use sluice_ir::bits::Bits;
use sluice_ir::{BlockId, Location, Type, ValueId};

use super::set::Set;

/// A variable of the region, by its number.
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

/// What is known of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct VariableInfo {
    pub(super) ty: Type,
    /// The value of the source that it stands for.
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

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Variable(Variable),
    /// A value that is the same everywhere in the region.
    Value(ValueId),
    /// A number that says which way is taken.
    Number(i64),
    /// Anything: nobody reads the variable from here on.
    Nothing,
}

/// `variable = source`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Assignment {
    pub(super) variable: Variable,
    pub(super) source: Source,
}

/// Whether a conditional takes its first branch.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// The bit is set.
    Holds(Source),
    /// It is one of these.
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

/// One step.
#[derive(Debug)]
pub(super) enum Step {
    /// The operations of a block but the last.
    Block(BlockId, Facts),
    /// Assignments at the same time.
    Assign(Vec<Assignment>),
    /// Values that are not live here are forgotten.
    Keep(Box<Keep>),
    If(Box<If>),
    Switch(Box<Switch>),
    Loop(Box<Loop>),
}

/// On the way into a block: what is not live there is forgotten.
#[derive(Debug)]
pub(super) struct Keep {
    /// What is not live is killed.
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

/// One of several sequences by the value of an integer or index.
#[derive(Debug)]
pub(super) struct Switch {
    pub(super) flag: Source,
    pub(super) cases: Vec<Case>,
    pub(super) default: Sequence,
    pub(super) location: Location,
    pub(super) facts: Facts,
}

/// The steps for some values of a flag.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) values: Vec<Bits>,
    pub(super) steps: Sequence,
}

/// `before` runs; as long as `again` holds then, `after` and `before` run.
#[derive(Debug)]
pub(super) struct Loop {
    pub(super) before: Sequence,
    pub(super) again: Source,
    pub(super) after: Sequence,
    pub(super) location: Location,
    pub(super) facts: Facts,
}

/// What a step does to variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Read before they are assigned to, on some path.
    pub(super) reads: Set,
    /// Assigned to, or dead, on every path.
    pub(super) kills: Set,
    /// Assigned to on some path.
    pub(super) assigns: Set,
    /// Conditionals and loops in each other.
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

    /// `next` happens behind this.
    fn then(&mut self, next: &Self) {
        self.reads.add_all(&next.reads.without(&self.kills));
        self.kills.add_all(&next.kills);
        self.assigns.add_all(&next.assigns);
        self.levels = self.levels.max(next.levels);
    }

    /// `next` may happen behind this.
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

    /// What is live in front of a step, where `behind` is behind it.
    pub(super) fn live_before(&self, behind: &Set) -> Set {
        let mut live = behind.without(&self.kills);
        live.add_all(&self.reads);
        live
    }
}

impl Keep {
    /// `values` are all variables that stand for values.
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

/// What the steps of a sequence do one after the other.
pub(super) fn of_sequence(sequence: &Sequence) -> Facts {
    let mut facts = Facts::default();
    for step in sequence {
        facts.then(&step.facts());
    }
    facts
}

/// What is live behind each conditional and loop of a sequence, where `behind` is live behind the last step; nothing for the others.
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
