//! Checks every rule: it holds for all small values and for samples of wide ones, it fires, and it occurs only once.
#![allow(clippy::unwrap_used)] // A test may panic.

use std::collections::BTreeSet;
use std::time::Duration;

use egg::{EGraph, Id, Rewrite, Runner, SimpleScheduler, StopReason};
use sluice_ir::algebra::{Concrete, KnownBitsWord};
use sluice_ir::bits::Bits;
use sluice_rewrite::{DataPath, Facts, Kind, Match, Node, Op, RuleForm, Term, rules};

/// Evaluations per rule at small widths; above that only every n-th instance is tested.
const SAMPLES: u32 = 6000;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u32) -> u32 {
        u32::try_from(self.next() % u64::from(bound)).unwrap()
    }

    /// Returns random numbers, with numbers near the edges more often than others.
    fn bits(&mut self, width: u32) -> Bits {
        let anything = Bits::from_limbs(width, &[self.next(), self.next()]);
        let one = Bits::from_u64(width, 1);
        match self.below(9) {
            0 => Bits::zero(width),
            1 => Bits::ones(width),
            2 => one.shl_by(self.below(width)),
            3 => Bits::ones(width).lshr_by(self.below(width)),
            4 => Bits::from_u64(width, u64::from(self.below(width))),
            5 => one
                .shl_by(width - 1)
                .sub(&Bits::from_u64(width, self.next() % 2)),
            6 => Bits::from_u64(width, self.next() % 16),
            _ => anything,
        }
    }

    fn facts(&mut self, value: &Bits) -> KnownBitsWord {
        let width = value.width();
        let mask = match self.below(6) {
            0 => Bits::zero(width),
            1 => Bits::ones(width).shl_by(self.below(width + 1)),
            2 => Bits::ones(width).lshr_by(self.below(width + 1)),
            3 => Bits::ones(width),
            4 => Bits::from_u64(width, 1).shl_by(width - 1),
            _ => self.bits(width),
        };
        KnownBitsWord {
            zeros: value.not().and(&mask),
            ones: value.and(&mask),
        }
    }
}

/// One choice of widths: for each variable, and for the whole left side.
struct Widths {
    variables: Vec<u32>,
    root: u32,
}

/// Returns the width of a term, if the widths of its variables are compatible.
fn width_of(term: &Term, widths: &[u32]) -> Option<u32> {
    let Term::Apply(op, operands) = term else {
        let Term::Variable(number) = term else {
            unreachable!("left sides hold variables only")
        };
        return Some(widths[*number]);
    };
    let operands: Vec<u32> = operands
        .iter()
        .map(|term| width_of(term, widths))
        .collect::<Option<_>>()?;
    match (op, operands.as_slice()) {
        (Op::Zext | Op::Sext, [to, from]) => (to > from).then_some(*to),
        (Op::Trunc, [to, from]) => (to < from).then_some(*to),
        (Op::Select, [condition, a, b]) => (*condition == 1 && a == b).then_some(*a),
        (op, [a, b]) => (a == b).then_some(if op.is_compare() { 1 } else { *a }),
        (op, operands) => panic!("{op:?} does not take {} operands", operands.len()),
    }
}

/// Returns true if the variable `%r`, if there is one, is the width of the left side.
fn root_agrees(form: &RuleForm, widths: &[u32], root: u32) -> bool {
    form.variables
        .iter()
        .zip(widths)
        .all(|((name, _), width)| *name != "r" || *width == root)
}

fn all_widths(form: &RuleForm, largest: u32) -> Vec<Widths> {
    let count = form.variables.len();
    let mut found = Vec::new();
    let mut widths = vec![1; count];
    loop {
        if let Some(root) = width_of(&form.left, &widths)
            && root_agrees(form, &widths, root)
        {
            found.push(Widths {
                variables: widths.clone(),
                root,
            });
        }
        let Some(position) = widths.iter().position(|width| *width < largest) else {
            return found;
        };
        widths[..position].fill(1);
        widths[position] += 1;
    }
}

/// Maps the widths of a small choice to larger ones in the same order.
fn stretch(small: &Widths, random: &mut Random, largest_small: u32) -> Widths {
    let mut sizes: Vec<u32> = (1..=largest_small).map(|_| 2 + random.below(63)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    while sizes.len() < usize::try_from(largest_small).unwrap() {
        let next = sizes.last().unwrap() + 1 + random.below(3);
        sizes.push(next);
    }
    let map = |width: u32| {
        if width == 1 {
            1
        } else {
            sizes[usize::try_from(width).unwrap() - 1]
        }
    };
    Widths {
        variables: small.variables.iter().map(|width| map(*width)).collect(),
        root: map(small.root),
    }
}

/// Returns the value of the last node, and true if no shift was by the width or more.
fn evaluate(nodes: &[Node], values: &[Option<Bits>]) -> (Bits, bool) {
    let mut defined = true;
    let mut results: Vec<Option<Bits>> = Vec::new();
    for (number, node) in nodes.iter().enumerate() {
        if let Some(Some(value)) = values.get(number) {
            results.push(Some(value.clone()));
            continue;
        }
        if let Op::Width(_) = node.op {
            results.push(None);
            continue;
        }
        let width = match node.children.first().map(|id| &nodes[usize::from(*id)].op) {
            Some(Op::Width(width)) => *width,
            _ => 0,
        };
        let operands: Vec<&Bits> = node
            .value_children()
            .iter()
            .map(|id| results[usize::from(*id)].as_ref().unwrap())
            .collect();
        match node.op {
            Op::Zext | Op::Sext => assert!(operands[0].width() < width, "an extension widens"),
            Op::Trunc => assert!(
                operands[0].width() > width && width > 0,
                "a truncation narrows"
            ),
            Op::Shl | Op::Lshr | Op::Ashr => {
                let width = u64::from(operands[0].width());
                defined &= operands[1].to_u64().is_some_and(|amount| amount < width);
            }
            Op::Select => assert_eq!(
                operands[1].width(),
                operands[2].width(),
                "both values have one width"
            ),
            _ => assert!(
                operands
                    .iter()
                    .all(|word| word.width() == operands[0].width()),
                "operands have one width"
            ),
        }
        results.push(Some(
            node.op
                .meaning(&mut Concrete::new(), width, &operands)
                .unwrap(),
        ));
    }
    (results.pop().unwrap().unwrap(), defined)
}

fn left_nodes(term: &Term, nodes: &mut Vec<Node>) -> Id {
    match term {
        Term::Variable(number) => Id::from(*number),
        Term::Apply(op, operands) => {
            let children = operands
                .iter()
                .map(|operand| left_nodes(operand, nodes))
                .collect();
            nodes.push(Node {
                op: op.clone(),
                children,
            });
            Id::from(nodes.len() - 1)
        }
        _ => unreachable!("left sides hold variables only"),
    }
}

/// Checks one instance; returns true if the rule fired.
fn holds(form: &RuleForm, widths: &Widths, values: &[Bits], known: &[KnownBitsWord]) -> bool {
    let facts: Vec<Facts> = form
        .variables
        .iter()
        .enumerate()
        .map(|(i, (_, kind))| match kind {
            Kind::Width => Facts::number(widths.variables[i]),
            _ => Facts::value(known[i].clone()),
        })
        .collect();
    let found: Option<Match<'_>> = form.accept(facts.iter().collect(), widths.root);
    let Some(found) = found else { return false };
    let leaves: Vec<Node> = form
        .variables
        .iter()
        .enumerate()
        .map(|(i, (_, kind))| match kind {
            Kind::Width => Node::atom(Op::Width(widths.variables[i])),
            Kind::Constant | Kind::Literal(_) => Node::atom(Op::Constant(values[i].clone())),
            Kind::Value => Node::atom(Op::Leaf(u32::try_from(i).unwrap())),
        })
        .collect();
    let given: Vec<Option<Bits>> = form
        .variables
        .iter()
        .zip(values)
        .map(|((_, kind), value)| (*kind != Kind::Width).then(|| value.clone()))
        .collect();
    let ids: Vec<Id> = (0..leaves.len()).map(Id::from).collect();
    let mut left = leaves.clone();
    left_nodes(&form.left, &mut left);
    let mut right = leaves;
    let root = form.build(&found, &ids, &mut |node| {
        right.push(node);
        Id::from(right.len() - 1)
    });
    right.truncate(usize::from(root) + 1);
    let (expected, left_defined) = evaluate(&left, &given);
    let (actual, right_defined) = evaluate(&right, &given[..given.len().min(right.len())]);
    assert_eq!(
        expected, actual,
        "rule `{}`: {} = {} for {:?} = {values:?}, known {known:?}",
        form.rule.name, form.rule.left, form.rule.right, form.variables
    );
    assert!(
        right_defined || !left_defined,
        "rule `{}` makes a shift by the width or more: {values:?}",
        form.rule.name
    );
    true
}

fn fixed_value(kind: Kind, width: u32) -> Option<Bits> {
    match kind {
        Kind::Literal(value) => Some(Bits::from_i64(width, value)),
        Kind::Width => Some(Bits::zero(width)),
        Kind::Value | Kind::Constant => None,
    }
}

fn constant_in_pattern(kind: Kind) -> bool {
    !matches!(kind, Kind::Value)
}

/// Tests every assignment at these widths, without known bits; returns how often the rule fired.
fn exhaust(form: &RuleForm, widths: &Widths, stride: u64) -> u32 {
    let free: Vec<usize> = (0..form.variables.len())
        .filter(|i| fixed_value(form.variables[*i].1, widths.variables[*i]).is_none())
        .collect();
    let total_bits: u32 = free.iter().map(|i| widths.variables[*i]).sum();
    let mut fired = 0;
    let mut code = 0u64;
    while code < 1 << total_bits {
        let mut rest = code;
        let mut values: Vec<Bits> = (0..form.variables.len())
            .map(|i| {
                fixed_value(form.variables[i].1, widths.variables[i])
                    .unwrap_or_else(|| Bits::zero(1))
            })
            .collect();
        for i in &free {
            let width = widths.variables[*i];
            values[*i] = Bits::from_u64(width, rest);
            rest >>= width;
        }
        let known: Vec<KnownBitsWord> = values
            .iter()
            .zip(&form.variables)
            .map(|(value, (_, kind))| match constant_in_pattern(*kind) {
                true => KnownBitsWord::known(value),
                false => KnownBitsWord::unknown(value.width()),
            })
            .collect();
        fired += u32::from(holds(form, widths, &values, &known));
        code += stride;
    }
    fired
}

fn sample(form: &RuleForm, widths: &Widths, random: &mut Random) -> bool {
    let values: Vec<Bits> = form
        .variables
        .iter()
        .zip(&widths.variables)
        .map(|((_, kind), width)| fixed_value(*kind, *width).unwrap_or_else(|| random.bits(*width)))
        .collect();
    let known: Vec<KnownBitsWord> = values
        .iter()
        .zip(&form.variables)
        .map(|(value, (_, kind))| match constant_in_pattern(*kind) {
            true => KnownBitsWord::known(value),
            false => random.facts(value),
        })
        .collect();
    holds(form, widths, &values, &known)
}

#[test]
fn every_rule_holds_and_fires() {
    let mut silent = Vec::new();
    for rule in rules::all() {
        let form = RuleForm::new(rule);
        let largest = 4;
        let mut choices = all_widths(&form, largest);
        if choices.is_empty() {
            panic!("rule `{}` fits no widths up to {largest}", rule.name);
        }
        let mut fired = 0u32;
        for widths in &choices {
            // All values if they are few; otherwise a stride that is coprime to powers of two.
            let bits: u32 = widths.variables.iter().sum();
            let stride = if bits <= 12 {
                1
            } else {
                (1u64 << (bits - 12)) | 1
            };
            fired += exhaust(&form, widths, stride);
        }
        let mut random = Random(0x5eed);
        // Rules that narrow need widths above four.
        choices.extend(
            all_widths(&form, 5)
                .into_iter()
                .filter(|w| w.variables.contains(&5)),
        );
        for _ in 0..SAMPLES {
            let index =
                usize::try_from(random.below(u32::try_from(choices.len()).unwrap())).unwrap();
            fired += u32::from(sample(&form, &choices[index], &mut random));
            let wide = stretch(&choices[index], &mut random, 5);
            fired += u32::from(sample(&form, &wide, &mut random));
        }
        if fired == 0 {
            silent.push(rule.name);
        }
    }
    assert!(silent.is_empty(), "rules that never fire: {silent:?}");
}

/// Returns the left side of `form` in an e-graph, with values for which the rule fires.
fn firing_instance(form: &RuleForm, random: &mut Random) -> EGraph<Node, DataPath> {
    let choices = all_widths(form, 5);
    for attempt in 0..20_000 {
        let index = usize::try_from(random.below(u32::try_from(choices.len()).unwrap())).unwrap();
        let widths = &choices[index];
        let values: Vec<Bits> = form
            .variables
            .iter()
            .zip(&widths.variables)
            .map(|((_, kind), width)| {
                fixed_value(*kind, *width).unwrap_or_else(|| random.bits(*width))
            })
            .collect();
        let known: Vec<KnownBitsWord> = values
            .iter()
            .zip(&form.variables)
            .map(|(value, (_, kind))| match constant_in_pattern(*kind) {
                true => KnownBitsWord::known(value),
                // Known bits only if the rule needs them, because they collapse classes.
                false if attempt < 10_000 => KnownBitsWord::unknown(value.width()),
                false => random.facts(value),
            })
            .collect();
        if !holds(form, widths, &values, &known) {
            continue;
        }
        let mut egraph = EGraph::new(DataPath { leaves: known });
        let mut ids: Vec<Id> = form
            .variables
            .iter()
            .enumerate()
            .map(|(i, (_, kind))| {
                egraph.add(Node::atom(match kind {
                    Kind::Width => Op::Width(widths.variables[i]),
                    Kind::Constant | Kind::Literal(_) => Op::Constant(values[i].clone()),
                    Kind::Value => Op::Leaf(u32::try_from(i).unwrap()),
                }))
            })
            .collect();
        let mut nodes: Vec<Node> = ids.iter().map(|_| Node::atom(Op::Width(0))).collect();
        let n_leaves = nodes.len();
        left_nodes(&form.left, &mut nodes);
        for node in nodes.drain(n_leaves..) {
            let id = egraph.add(Node {
                op: node.op,
                children: node.children.iter().map(|c| ids[usize::from(*c)]).collect(),
            });
            ids.push(id);
        }
        egraph.rebuild();
        return egraph;
    }
    panic!("rule `{}` does not fire", form.rule.name);
}

#[test]
fn each_rule_alone_comes_to_an_end_and_all_together_stay_small() {
    for (rule, compiled) in rules::all().zip(rules::compiled()) {
        let egraph = firing_instance(&RuleForm::new(rule), &mut Random(7));
        let run = |rules: &[Rewrite<Node, DataPath>], iterations: usize| {
            Runner::<Node, DataPath>::new(DataPath::default())
                .with_egraph(egraph.clone())
                .with_scheduler(SimpleScheduler)
                .with_time_limit(Duration::MAX)
                .with_node_limit(20_000)
                .with_iter_limit(iterations)
                .run(rules)
        };
        let alone = run(std::slice::from_ref(compiled), 12);
        assert!(
            matches!(alone.stop_reason, Some(StopReason::Saturated)),
            "rule `{}` never ends",
            rule.name
        );
        let together = run(rules::compiled(), 6);
        let n_nodes = together.egraph.total_number_of_nodes();
        assert!(
            n_nodes < 4_000,
            "the left side of `{}` grows to {n_nodes} nodes",
            rule.name
        );
    }
}

#[test]
fn names_and_sides_are_unique_and_rows_complete() {
    let mut names = BTreeSet::new();
    let mut sides = BTreeSet::new();
    for rule in rules::all() {
        assert!(names.insert(rule.name), "rule `{}` occurs twice", rule.name);
        let form = RuleForm::new(rule);
        // Variables are numbers in terms, so two rules that differ only in variable names are equal here.
        let kinds: Vec<Kind> = form.variables.iter().map(|(_, kind)| *kind).collect();
        let key = format!("{:?} {:?} {:?}", form.left, form.right, kinds);
        assert!(sides.insert(key), "rule `{}` repeats another", rule.name);
        assert_ne!(form.left, form.right, "rule `{}` says nothing", rule.name);
        assert!(
            !rule.source.is_empty(),
            "rule `{}` has no source",
            rule.name
        );
    }
    assert!(names.len() >= 40, "the table has {} rows", names.len());
}

fn check_row(rule: &'static sluice_rewrite::Rule) {
    let form = RuleForm::new(rule);
    for widths in all_widths(&form, 3) {
        exhaust(&form, &widths, 1);
    }
}

static WRONG_VALUE: sluice_rewrite::Rule = sluice_rewrite::Rule {
    name: "wrong-value",
    left: "(trunc %r (lshr ?x ?y))",
    right: "(lshr (trunc %r ?x) (trunc %r ?y))",
    condition: |_| true,
    source: "nowhere",
};

static WRONG_SHIFT: sluice_rewrite::Rule = sluice_rewrite::Rule {
    name: "wrong-shift",
    left: "(and ?x 0)",
    right: "(and 0@x (shl ?x -1@x))",
    condition: |m| m.width("x") > 1,
    source: "nowhere",
};

#[test]
#[should_panic(expected = "rule `wrong-value`")]
fn a_row_with_another_value_is_caught() {
    check_row(&WRONG_VALUE);
}

#[test]
#[should_panic(expected = "rule `wrong-shift` makes a shift")]
fn a_row_that_makes_a_bad_shift_is_caught() {
    check_row(&WRONG_SHIFT);
}
