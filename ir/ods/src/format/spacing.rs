//! Finds elements that become one token because there is no space between them.

use super::element::{Element, Kind, Of};
use super::lex::Fault;
use crate::parse::{Arity, Operation, Presence};

/// The elements that may be printed last before a place; `None` is the name of the operation.
type Before<'e> = Vec<Option<&'e Element>>;

/// Reports elements that grow together. Returns the attributes right after a word: what they print must not begin with a letter or
/// a digit.
pub(super) fn check(
    operation: &Operation,
    elements: &[Element],
    faults: &mut Vec<Fault>,
) -> Vec<usize> {
    let mut search = Search {
        operation,
        faults,
        is_tight: false,
        after_words: Vec::new(),
    };
    search.sequence(elements, vec![None]);
    search.after_words
}

struct Search<'a> {
    operation: &'a Operation,
    faults: &'a mut Vec<Fault>,
    /// True if an empty white space is right before the next element.
    is_tight: bool,
    after_words: Vec<usize>,
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

impl Search<'_> {
    fn sequence<'e>(&mut self, elements: &'e [Element], before: Before<'e>) -> Before<'e> {
        let mut before = before;
        for element in elements {
            before = self.element(element, before);
        }
        before
    }

    fn element<'e>(&mut self, element: &'e Element, before: Before<'e>) -> Before<'e> {
        match &element.kind {
            Kind::Whitespace(text) if text.is_empty() => {
                self.is_tight = true;
                before
            }
            Kind::Whitespace(_) => Vec::new(),
            Kind::Optional {
                then, otherwise, ..
            } => {
                let is_tight = self.is_tight;
                let mut after = self.sequence(then, before.clone());
                self.is_tight = is_tight;
                after.extend(self.sequence(otherwise, before));
                self.is_tight = false;
                after
            }
            Kind::Clauses(clauses) => {
                self.is_tight = false;
                let mut after = before;
                for (_, elements) in clauses {
                    after.extend(self.sequence(elements, Vec::new()));
                }
                after
            }
            // Where the dictionary is empty, the white space is before what follows.
            Kind::AttrDict { .. } | Kind::PropDict => {
                before.into_iter().chain([Some(element)]).collect()
            }
            _ => {
                self.pair(element, &before);
                match self.may_be_empty(element) {
                    true => before.into_iter().chain([Some(element)]).collect(),
                    false => vec![Some(element)],
                }
            }
        }
    }

    /// Checks an element against those that may be before it.
    fn pair(&mut self, element: &Element, before: &Before<'_>) {
        let is_tight = std::mem::replace(&mut self.is_tight, false);
        let is_after_word = |one: &Option<&Element>| match one.map(|one| &one.kind) {
            None => true,
            Some(Kind::Literal(text)) => is_word(text),
            _ => false,
        };
        if let Kind::Attribute { index, .. } = element.kind
            && is_tight
            && before.iter().any(is_after_word)
        {
            self.after_words.push(index);
        }
        if is_tight && before.iter().any(|one| self.grows(*one, element)) {
            self.faults.push(Fault {
                place: element.place.clone(),
                message:
                    "this grows together with what comes before it: there is no space between them"
                        .to_owned(),
            });
        }
    }

    /// Returns true if an element may print nothing.
    fn may_be_empty(&self, element: &Element) -> bool {
        let op = self.operation;
        match &element.kind {
            Kind::Operand(i) => op.operands[*i].arity != Arity::Single,
            Kind::Type { of, .. } => match of {
                Of::Operand(i) => op.operands[*i].arity != Arity::Single,
                Of::Result(i) => op.results[*i].arity != Arity::Single,
                Of::Operands | Of::Results => true,
            },
            Kind::Attribute { index, .. } => {
                !matches!(op.attributes[*index].presence, Presence::Required)
            }
            Kind::Region(i) => op.regions[*i].variadic,
            Kind::Successor(i) => op.successors[*i].variadic,
            Kind::AttrDict { .. }
            | Kind::PropDict
            | Kind::Operands
            | Kind::Regions
            | Kind::Successors
            | Kind::Custom { .. } => true,
            _ => false,
        }
    }

    /// Returns true if two elements without a space between them may become one token.
    fn grows(&self, before: Option<&Element>, after: &Element) -> bool {
        let is_attribute = matches!(after.kind, Kind::Attribute { .. });
        let is_property = match &after.kind {
            Kind::Attribute { index, .. } => self.operation.attributes[*index].property.is_some(),
            _ => false,
        };
        let next_is_word = match &after.kind {
            Kind::Literal(text) => is_word(text),
            Kind::Type { .. } => true,
            _ => false,
        };
        let Some(before) = before else {
            return next_is_word || is_property;
        };
        match &before.kind {
            // An attribute may print nothing, or begin with a bracket.
            Kind::Literal(text) => is_word(text) && (next_is_word || is_property),
            // Names may contain a minus, and types and attributes continue after `<`.
            _ if matches!(&after.kind, Kind::Literal(text) if text.starts_with(['-', '<'])) => true,
            Kind::Operand(_)
            | Kind::Operands
            | Kind::Type { .. }
            | Kind::Attribute { .. }
            | Kind::Successor(_)
            | Kind::Successors => next_is_word || is_attribute,
            _ => false,
        }
    }
}
