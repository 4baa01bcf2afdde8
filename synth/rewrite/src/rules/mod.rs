//! The rewrite rules: tables of rows, one file for each family.
//!
//! Both sides of a row have the same value for all inputs that satisfy the condition, including shifts by the width or more:
//! these have the value that hardware gives them. No right side contains a shift by a constant that is too large.

mod compare;
mod conditions;
mod extremum;
mod logic;
mod ring;
mod select;
mod shift;
mod sources;
mod width;

use std::sync::LazyLock;

use egg::Rewrite;

use crate::facts::DataPath;
use crate::language::Node;
use crate::pattern::{Match, Rule, RuleForm};

/// The families with their rules.
pub const FAMILIES: &[(&str, &[Rule])] = &[
    ("ring", ring::RULES),
    ("logic", logic::RULES),
    ("shift", shift::RULES),
    ("width", width::RULES),
    ("compare", compare::RULES),
    ("select", select::RULES),
    ("extremum", extremum::RULES),
];

static COMPILED: LazyLock<Vec<Rewrite<Node, DataPath>>> =
    LazyLock::new(|| all().map(|rule| RuleForm::new(rule).compile()).collect());

/// Returns every rule.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().flat_map(|(_, rules)| rules.iter())
}

/// Returns every rule, ready for egg.
pub fn compiled() -> &'static [Rewrite<Node, DataPath>] {
    &COMPILED
}

const fn rule(
    name: &'static str,
    left: &'static str,
    right: &'static str,
    condition: fn(&mut Match<'_>) -> bool,
    source: &'static str,
) -> Rule {
    Rule {
        name,
        left,
        right,
        condition,
        source,
    }
}
