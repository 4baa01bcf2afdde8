//! Finds text that could not be read back: what may be absent is told from what follows it by its first token.

use std::collections::BTreeSet;
use std::ops::Range;

use super::element::{Element, Kind, Of};
use super::lex::Fault;
use crate::parse::{Arity, Operation};

/// The tokens that may come next: literals as written, and these for the others.
type First = BTreeSet<String>;

const VALUE: &str = "an operand (`%`)";
const SUCCESSOR: &str = "a successor (`^`)";
const TYPE: &str = "a type";
const ATTRIBUTE: &str = "an attribute";

/// Reports elements that cannot be told from what follows them.
pub(super) fn check(operation: &Operation, elements: &[Element], faults: &mut Vec<Fault>) {
    let mut search = Search { operation, faults };
    // The next operation may begin with its results; after a terminator comes the label of a block.
    let next = match operation.has_trait("TERMINATOR") {
        true => SUCCESSOR,
        false => VALUE,
    };
    search.sequence(elements, &set(&[next]));
}

struct Search<'a> {
    operation: &'a Operation,
    faults: &'a mut Vec<Fault>,
}

fn set(tokens: &[&str]) -> First {
    tokens.iter().map(|token| (*token).to_owned()).collect()
}

/// Returns true if a literal is a word that begins a type, or an attribute.
fn begins(kind: &str, literal: &str) -> bool {
    let digits = |prefix: &str| {
        let rest = literal.strip_prefix(prefix);
        rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_type = matches!(
        literal,
        "(" | "index"
            | "none"
            | "memref"
            | "tensor"
            | "vector"
            | "complex"
            | "tuple"
            | "bf16"
            | "tf32"
    ) || digits("i")
        || digits("si")
        || digits("ui")
        || digits("f");
    let is_attribute = matches!(
        literal,
        "[" | "-"
            | "true"
            | "false"
            | "unit"
            | "dense"
            | "dense_resource"
            | "array"
            | "affine_map"
            | "affine_set"
            | "sparse"
            | "loc"
            | "opaque"
            | "distinct"
            | "strided"
    );
    match kind {
        TYPE => is_type,
        ATTRIBUTE => is_type || is_attribute || literal == TYPE,
        _ => false,
    }
}

/// Returns a token that may be of both sets.
fn common(a: &First, b: &First) -> Option<String> {
    let same = a.intersection(b).next().cloned();
    let begun = |a: &First, b: &First| {
        let kinds = a
            .iter()
            .filter(|kind| matches!(kind.as_str(), TYPE | ATTRIBUTE));
        let mut pairs = kinds.flat_map(|kind| b.iter().map(move |other| (kind, other)));
        let found = pairs.find(|(kind, other)| begins(kind, other));
        found.map(|(_, other)| other.clone())
    };
    same.or_else(|| begun(a, b)).or_else(|| begun(b, a))
}

impl Search<'_> {
    fn fault(&mut self, place: &Range<usize>, message: String) {
        self.faults.push(Fault {
            place: place.clone(),
            message,
        });
    }

    /// Checks a sequence that `follow` comes after; returns its first tokens, with those of `follow` if it may be empty.
    fn sequence(&mut self, elements: &[Element], follow: &First) -> First {
        self.with_anchor(elements, None, follow)
    }

    /// Checks a sequence in which the element of this index is there whenever the sequence is.
    fn with_anchor(
        &mut self,
        elements: &[Element],
        anchor: Option<usize>,
        follow: &First,
    ) -> First {
        let mut next = follow.clone();
        for (i, element) in elements.iter().enumerate().rev() {
            next = match anchor == Some(i) {
                false => self.element(element, next),
                true => {
                    // It may not be absent, so what follows can begin as it does; but a list needs another end than a comma.
                    let after = match next.contains(",") {
                        true => set(&[","]),
                        false => First::new(),
                    };
                    let first = self.element(element, after.clone());
                    first.difference(&after).cloned().collect()
                }
            };
        }
        next
    }

    fn element(&mut self, element: &Element, follow: First) -> First {
        let place = &element.place;
        // A symbol or a number may well be followed by it, so attributes are not refused.
        if matches!(element.kind, Kind::Type { .. }) && follow.contains("<") {
            let message =
                "what follows begins with `<`, which continues a name: write another literal";
            self.fault(place, message.to_owned());
        }
        match &element.kind {
            Kind::Whitespace(_) => follow,
            Kind::Literal(text) => set(&[text]),
            Kind::Operand(i) => {
                let value = &self.operation.operands[*i];
                if value.nested.is_some() {
                    return self.list(place, "(", follow);
                }
                match value.arity {
                    Arity::Single => set(&[VALUE]),
                    Arity::Optional => self.maybe(place, VALUE, follow),
                    Arity::Variadic => self.list(place, VALUE, follow),
                }
            }
            Kind::Operands => self.list(place, VALUE, follow),
            Kind::Type { of, .. } => {
                let arity = match of {
                    Of::Operand(i) => {
                        let value = &self.operation.operands[*i];
                        if value.nested.is_some() {
                            return self.list(place, "(", follow);
                        }
                        value.arity
                    }
                    Of::Result(i) => self.operation.results[*i].arity,
                    Of::Operands | Of::Results => Arity::Variadic,
                };
                match arity {
                    Arity::Single => set(&[TYPE]),
                    Arity::Optional => self.maybe(place, TYPE, follow),
                    Arity::Variadic => self.list(place, TYPE, follow),
                }
            }
            Kind::FunctionalType(..) => set(&["("]),
            // Outside of a group an attribute with a default value is always written.
            Kind::Attribute { .. } => set(&[ATTRIBUTE]),
            Kind::Region(i) => match self.operation.regions[*i].variadic {
                true => self.list(place, "{", follow),
                false => set(&["{"]),
            },
            Kind::Regions => self.list(place, "{", follow),
            Kind::Successor(i) => match self.operation.successors[*i].variadic {
                true => self.list(place, SUCCESSOR, follow),
                false => set(&[SUCCESSOR]),
            },
            Kind::Successors => self.list(place, SUCCESSOR, follow),
            Kind::AttrDict { keyword: true } => self.maybe(place, "attributes", follow),
            Kind::AttrDict { keyword: false } => {
                if follow.contains("{") {
                    let message = "what follows begins with `{`, as the dictionary does: write `attr-dict-with-keyword`";
                    self.fault(place, message.to_owned());
                    return follow;
                }
                if follow.contains("<") {
                    let message = "what follows begins with `<`, as properties in front of the dictionary do: write another literal";
                    self.fault(place, message.to_owned());
                }
                self.maybe(place, "{", follow)
            }
            Kind::PropDict => self.maybe(place, "<", follow),
            // Its hooks decide what they read.
            Kind::Custom { .. } => First::new(),
            Kind::Optional {
                anchor,
                then,
                otherwise,
            } => {
                let in_then = Some(*anchor).filter(|i| *i < then.len());
                let in_other = anchor.checked_sub(then.len());
                let then_first = self.with_anchor(then, in_then, &follow);
                let other_first = self.with_anchor(otherwise, in_other, &follow);
                if let Some(token) = common(&then_first, &other_first) {
                    let message = format!(
                        "the optional group and what comes in its absence both begin with {}",
                        shown(&token)
                    );
                    self.fault(place, message);
                }
                then_first.union(&other_first).cloned().collect()
            }
            Kind::Clauses(clauses) => {
                let keywords: First = clauses.iter().map(|(keyword, _)| keyword.clone()).collect();
                if let Some(token) = common(&keywords, &follow) {
                    let message = format!(
                        "a clause begins with {}, as what follows does",
                        shown(&token)
                    );
                    self.fault(place, message);
                }
                if keywords.len() < clauses.len() {
                    self.fault(place, "two clauses have one keyword".to_owned());
                }
                let after: First = keywords.union(&follow).cloned().collect();
                for (_, elements) in clauses {
                    // A clause is there if a part of it is: the only one that may be absent.
                    let is_list = |one: &Element| match &one.kind {
                        Kind::Operand(i) => self.operation.operands[*i].arity != Arity::Single,
                        Kind::Operands | Kind::Type { .. } => true,
                        _ => false,
                    };
                    let anchor = elements.iter().position(is_list);
                    self.with_anchor(elements, anchor, &after);
                }
                after
            }
        }
    }

    /// Checks one value that may be absent.
    fn maybe(&mut self, place: &Range<usize>, first: &str, follow: First) -> First {
        let own = set(&[first]);
        if let Some(token) = common(&own, &follow) {
            let message = format!(
                "this may be absent, and what follows begins with {}, too: write a literal between them",
                shown(&token)
            );
            self.fault(place, message);
        }
        own.union(&follow).cloned().collect()
    }

    /// Checks a list with commas.
    fn list(&mut self, place: &Range<usize>, first: &str, follow: First) -> First {
        if follow.contains(",") {
            let message = "a list with commas is followed by a comma: write another literal";
            self.fault(place, message.to_owned());
        }
        self.maybe(place, first, follow)
    }
}

fn shown(token: &str) -> String {
    match token {
        VALUE | SUCCESSOR | TYPE | ATTRIBUTE => token.to_owned(),
        _ => format!("`{token}`"),
    }
}
