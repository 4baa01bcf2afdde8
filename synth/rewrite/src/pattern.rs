//! Patterns: parsing the two sides of a rule, matching with conditions, and building the right side.
//!
//! `?x` is any value, `#c` a constant, `%n` a width; `0`, `1` and `-1` are the constant of that value at any width. On the right,
//! `#c` may be a constant and `%n` a width that the condition computed. A literal there names the value whose width it has
//! (`0@x`); `%r` and `@r` are the width of the root.

use std::collections::BTreeMap;

use egg::{
    Applier, EGraph, ENodeOrVar, Id, Pattern, PatternAst, RecExpr, Rewrite, Subst, Symbol, Var,
};
use sluice_ir::algebra::KnownBitsWord;
use sluice_ir::bits::Bits;

use crate::facts::{DataPath, Facts};
use crate::language::{Node, Op};

/// One row of a rule table.
pub struct Rule {
    /// Unique name.
    pub name: &'static str,
    /// The pattern to match.
    pub left: &'static str,
    /// The equal term.
    pub right: &'static str,
    /// The condition; it may compute constants and widths for the right side.
    pub condition: fn(&mut Match<'_>) -> bool,
    /// The source of the law.
    pub source: &'static str,
}

/// The kind of a pattern variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Any value: `?x`.
    Value,
    /// A constant: `#c`.
    Constant,
    /// A width: `%n`.
    Width,
    /// A literal of this value.
    Literal(i64),
}

/// One side of a rule, or a part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// A variable of the left side, by number.
    Variable(usize),
    /// A constant that the condition computed.
    Constant(&'static str),
    /// A width that the condition computed, or `r`.
    Width(&'static str),
    /// A literal with the width of the named value.
    Literal(i64, &'static str),
    /// An operator on operands.
    Apply(Op, Vec<Term>),
}

/// A parsed rule.
#[derive(Clone)]
pub struct RuleForm {
    /// The row of the rule table.
    pub rule: &'static Rule,
    /// The variables of the left side, literals included.
    pub variables: Vec<(&'static str, Kind)>,
    /// Left side.
    pub left: Term,
    /// Right side.
    pub right: Term,
}

/// A match of a left side: the values that the condition reads and writes.
pub struct Match<'a> {
    variables: &'a [(&'static str, Kind)],
    facts: Vec<&'a Facts>,
    root_width: u32,
    constants: BTreeMap<&'static str, Bits>,
    widths: BTreeMap<&'static str, u32>,
}

impl<'a> Match<'a> {
    fn new(variables: &'a [(&'static str, Kind)], facts: Vec<&'a Facts>, root_width: u32) -> Self {
        Self {
            variables,
            facts,
            root_width,
            constants: BTreeMap::new(),
            widths: BTreeMap::new(),
        }
    }

    fn find(&self, name: &str) -> Option<&'a Facts> {
        let position = self
            .variables
            .iter()
            .position(|(variable, _)| *variable == name)?;
        Some(self.facts[position])
    }

    /// Returns the width of a variable, of the root (`r`), or a computed width.
    pub fn width(&self, name: &str) -> u32 {
        let bound = self
            .find(name)
            .map(|facts| facts.width)
            .or_else(|| self.widths.get(name).copied());
        bound
            .or((name == "r").then_some(self.root_width))
            .expect("the rule binds every width it uses")
    }

    /// Returns the value of the constant `#name` or a computed constant.
    pub fn constant(&self, name: &str) -> Bits {
        let bound = self.find(name).and_then(|facts| facts.constant());
        bound
            .or_else(|| self.constants.get(name))
            .expect("the rule binds every constant it uses")
            .clone()
    }

    /// Returns the known bits of a variable.
    pub fn known(&self, name: &str) -> &'a KnownBitsWord {
        &self
            .find(name)
            .expect("the rule binds every value it uses")
            .known
    }

    /// Returns the constant as a shift amount, if it is less than its width.
    pub fn amount(&self, name: &str) -> Option<u32> {
        let value = self.constant(name);
        u32::try_from(value.to_u64()?)
            .ok()
            .filter(|amount| *amount < value.width())
    }

    /// Sets a constant for the right side.
    pub fn set(&mut self, name: &'static str, value: Bits) -> bool {
        self.constants.insert(name, value);
        true
    }

    /// Sets a constant with the width of the variable `like`; returns false if it does not fit.
    pub fn set_number(&mut self, name: &'static str, like: &str, value: u32) -> bool {
        let bits = Bits::from_u64(self.width(like), u64::from(value));
        let fits = bits.to_u64() == Some(u64::from(value));
        self.set(name, bits) && fits
    }

    /// Sets a width for the right side.
    pub fn set_width(&mut self, name: &'static str, width: u32) -> bool {
        self.widths.insert(name, width);
        true
    }
}

impl RuleForm {
    /// Parses a row.
    ///
    /// Panics on a row that is not well formed: rows are constants of this crate.
    pub fn new(rule: &'static Rule) -> Self {
        let mut variables = Vec::new();
        let left = Reader::new(rule.left).whole(Some(&mut variables), &[]);
        let right = Reader::new(rule.right).whole(None, &variables);
        Self {
            rule,
            variables,
            left,
            right,
        }
    }

    /// Checks constants, literals and the condition; returns the match with the constants and widths that the condition computed.
    pub fn accept<'a>(&'a self, facts: Vec<&'a Facts>, root_width: u32) -> Option<Match<'a>> {
        for ((_, kind), facts) in self.variables.iter().zip(&facts) {
            let fits = match kind {
                Kind::Value | Kind::Width => true,
                Kind::Constant => facts.constant().is_some(),
                Kind::Literal(value) => {
                    facts.constant() == Some(&Bits::from_i64(facts.width, *value))
                }
            };
            if !fits {
                return None;
            }
        }
        let mut found = Match::new(&self.variables, facts, root_width);
        (self.rule.condition)(&mut found).then_some(found)
    }

    /// Builds the right side; `ids` are the classes of the variables.
    pub fn build(&self, found: &Match<'_>, ids: &[Id], add: &mut dyn FnMut(Node) -> Id) -> Id {
        build_term(&self.right, found, ids, add)
    }

    /// Returns the rule in the form that egg needs.
    pub fn compile(self) -> Rewrite<Node, DataPath> {
        let mut ast = RecExpr::default();
        push_pattern(&self.left, &mut ast);
        let searcher = Pattern::new(ast);
        Rewrite::new(self.rule.name, searcher, self)
            .expect("the applier asks for no variables by name")
    }
}

fn variable(number: usize) -> Var {
    Var::from_u32(u32::try_from(number).expect("a rule has few variables"))
}

fn push_pattern(term: &Term, ast: &mut PatternAst<Node>) -> Id {
    match term {
        Term::Variable(number) => ast.add(ENodeOrVar::Var(variable(*number))),
        Term::Apply(op, operands) => {
            let children = operands
                .iter()
                .map(|operand| push_pattern(operand, ast))
                .collect();
            ast.add(ENodeOrVar::ENode(Node {
                op: op.clone(),
                children,
            }))
        }
        Term::Constant(_) | Term::Width(_) | Term::Literal(..) => {
            unreachable!("left sides hold variables only")
        }
    }
}

fn build_term(term: &Term, found: &Match<'_>, ids: &[Id], add: &mut dyn FnMut(Node) -> Id) -> Id {
    match term {
        Term::Variable(number) => ids[*number],
        Term::Constant(name) => add(Node::atom(Op::Constant(found.constant(name)))),
        Term::Width(name) => add(Node::atom(Op::Width(found.width(name)))),
        Term::Literal(value, like) => add(Node::atom(Op::Constant(Bits::from_i64(
            found.width(like),
            *value,
        )))),
        Term::Apply(op, operands) => {
            let children = operands
                .iter()
                .map(|operand| build_term(operand, found, ids, add))
                .collect();
            add(Node {
                op: op.clone(),
                children,
            })
        }
    }
}

impl Applier<Node, DataPath> for RuleForm {
    fn apply_one(
        &self,
        egraph: &mut EGraph<Node, DataPath>,
        class: Id,
        subst: &Subst,
        _ast: Option<&PatternAst<Node>>,
        rule_name: Symbol,
    ) -> Vec<Id> {
        let ids: Vec<Id> = (0..self.variables.len())
            .map(|number| subst[variable(number)])
            .collect();
        let facts: Vec<Facts> = ids.iter().map(|id| egraph[*id].data.clone()).collect();
        let Some(found) = self.accept(facts.iter().collect(), egraph[class].data.width) else {
            return Vec::new();
        };
        let built = self.build(&found, &ids, &mut |node| egraph.add(node));
        if egraph.union_trusted(class, built, rule_name) {
            vec![class]
        } else {
            Vec::new()
        }
    }
}

/// Parser for the text of a side.
struct Reader {
    tokens: Vec<&'static str>,
    position: usize,
}

impl Reader {
    fn new(text: &'static str) -> Self {
        let mut tokens = Vec::new();
        for word in text.split_whitespace() {
            let name = word.trim_start_matches('(');
            let opened = word.len() - name.len();
            let body = name.trim_end_matches(')');
            tokens.extend(std::iter::repeat_n("(", opened));
            if !body.is_empty() {
                tokens.push(body);
            }
            tokens.extend(std::iter::repeat_n(")", name.len() - body.len()));
        }
        Self {
            tokens,
            position: 0,
        }
    }

    fn next(&mut self) -> &'static str {
        self.position += 1;
        self.tokens
            .get(self.position - 1)
            .copied()
            .expect("a pattern is complete")
    }

    fn whole(
        mut self,
        mut bind: Option<&mut Vec<(&'static str, Kind)>>,
        bound: &[(&'static str, Kind)],
    ) -> Term {
        let term = self.term(&mut bind, bound);
        assert_eq!(
            self.position,
            self.tokens.len(),
            "nothing follows a pattern"
        );
        term
    }

    fn term(
        &mut self,
        bind: &mut Option<&mut Vec<(&'static str, Kind)>>,
        bound: &[(&'static str, Kind)],
    ) -> Term {
        let token = self.next();
        if token == "(" {
            let name = self.next();
            let op = Op::from_pattern_name(name).expect("an operator of the language");
            let operands = (0..op.arity()).map(|_| self.term(bind, bound)).collect();
            assert_eq!(self.next(), ")", "`{name}` takes {} operands", op.arity());
            return Term::Apply(op, operands);
        }
        let (name, kind) = match token.split_at(1) {
            ("?", name) => (name, Kind::Value),
            ("#", name) => (name, Kind::Constant),
            ("%", name) => (name, Kind::Width),
            _ => return literal(token, bind),
        };
        let known = bind.as_deref().map_or(bound, Vec::as_slice);
        if let Some(number) = known.iter().position(|(other, _)| *other == name) {
            return Term::Variable(number);
        }
        match (bind, kind) {
            (Some(variables), _) => {
                variables.push((name, kind));
                Term::Variable(variables.len() - 1)
            }
            (None, Kind::Constant) => Term::Constant(name),
            (None, Kind::Width) => Term::Width(name),
            (None, Kind::Value | Kind::Literal(_)) => {
                panic!("the right side uses `{token}`, which the left does not bind")
            }
        }
    }
}

fn literal(token: &'static str, bind: &mut Option<&mut Vec<(&'static str, Kind)>>) -> Term {
    match bind {
        Some(variables) => {
            let value = token.parse().expect("a literal is a number");
            variables.push(("", Kind::Literal(value)));
            Term::Variable(variables.len() - 1)
        }
        None => {
            let (value, like) = token
                .split_once('@')
                .expect("a literal on the right names its width");
            Term::Literal(value.parse().expect("a literal is a number"), like)
        }
    }
}
