//! Checks a format: everything is written once, types can be found, anchors decide something, literals are tokens.

use std::ops::Range;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Expr;

use super::element::{Argument, Element, Kind, Of};
use super::lex::Fault;
use crate::parse::{Arity, AttributeField, Operation, Presence};

/// The parts of an operation that a format writes.
#[derive(Default)]
struct Written {
    operands: Vec<bool>,
    attributes: Vec<bool>,
    regions: Vec<bool>,
    successors: Vec<bool>,
    operand_types: Vec<bool>,
    result_types: Vec<bool>,
    all_operands: bool,
    all_regions: bool,
    all_successors: bool,
    all_operand_types: bool,
    all_result_types: bool,
    attr_dict: bool,
    prop_dict: bool,
}

struct Checks<'a> {
    operation: &'a Operation,
    written: Written,
    faults: &'a mut Vec<Fault>,
    /// Attributes that must not be units: they would print nothing, or no text of their own.
    no_units: Vec<usize>,
}

/// Checks the elements of a format. `length` is the length of its text, `span` its place. Returns conditions on the values of
/// constraints, for the compiler to check.
pub(super) fn check(
    operation: &Operation,
    elements: &[Element],
    length: usize,
    span: Span,
    faults: &mut Vec<Fault>,
) -> TokenStream {
    let mut checks = Checks {
        operation,
        written: Written {
            operands: vec![false; operation.operands.len()],
            attributes: vec![false; operation.attributes.len()],
            regions: vec![false; operation.regions.len()],
            successors: vec![false; operation.successors.len()],
            operand_types: vec![false; operation.operands.len()],
            result_types: vec![false; operation.results.len()],
            ..Written::default()
        },
        faults,
        no_units: Vec::new(),
    };
    checks.elements(elements);
    checks.note_units(elements);
    checks.coverage(length);
    match checks.faults.is_empty() {
        true => {
            let types = checks.types(span);
            let units = checks.units(span);
            quote!(#types #units)
        }
        false => TokenStream::new(),
    }
}

/// Punctuation that the lexer reads as tokens of its own.
const PUNCTUATION: &[&str] = &[
    "->", ":", ",", "=", "<", ">", "(", ")", "{", "}", "[", "]", "?", "+", "*", "...", "|", "::",
    "-", "/", "{-#", "#-}",
];

impl Checks<'_> {
    fn fault(&mut self, place: &Range<usize>, message: impl Into<String>) {
        self.faults.push(Fault {
            place: place.clone(),
            message: message.into(),
        });
    }

    fn elements(&mut self, elements: &[Element]) {
        for element in elements {
            self.element(element);
        }
    }

    /// Notes that something is written; it is a fault if it was written before.
    fn once(&mut self, place: &Range<usize>, what: impl Fn(&mut Written) -> &mut bool, name: &str) {
        if std::mem::replace(what(&mut self.written), true) {
            self.fault(place, format!("{name} is written twice"));
        }
    }

    fn operand(&mut self, place: &Range<usize>, i: usize) {
        let name = format!("`${}`", self.operation.operands[i].text);
        self.once(place, |written| &mut written.operands[i], &name);
        if self.written.all_operands {
            self.fault(
                place,
                format!("{name} is among `operands`, which is written before"),
            );
        }
    }

    fn attribute(&mut self, place: &Range<usize>, i: usize) {
        let name = format!("`${}`", self.operation.attributes[i].text);
        self.once(place, |written| &mut written.attributes[i], &name);
    }

    fn region(&mut self, place: &Range<usize>, i: usize) {
        let name = format!("`${}`", self.operation.regions[i].name);
        if self.written.regions[i + 1..].contains(&true) {
            let message = format!(
                "{name} is written after a later one: regions are written in the order of their declaration"
            );
            self.fault(place, message);
        }
        self.once(place, |written| &mut written.regions[i], &name);
        if self.written.all_regions {
            self.fault(
                place,
                format!("{name} is among `regions`, which is written before"),
            );
        }
    }

    fn successor(&mut self, place: &Range<usize>, i: usize) {
        let name = format!("`${}`", self.operation.successors[i].text);
        if self.written.regions.contains(&true) || self.written.all_regions {
            let message =
                format!("{name} is written after a region: successors stand before regions");
            self.fault(place, message);
        }
        if self.written.successors[i + 1..].contains(&true) {
            let message = format!(
                "{name} is written after a later one: successors are written in the order of their declaration"
            );
            self.fault(place, message);
        }
        self.once(place, |written| &mut written.successors[i], &name);
        if self.written.all_successors {
            self.fault(
                place,
                format!("{name} is among `successors`, which is written before"),
            );
        }
    }

    fn types_of(&mut self, place: &Range<usize>, of: Of) {
        match of {
            Of::Operand(i) => {
                let name = format!("`type(${})`", self.operation.operands[i].text);
                self.once(place, |written| &mut written.operand_types[i], &name);
            }
            Of::Result(i) => {
                let name = format!("`type(${})`", self.operation.results[i].text);
                self.once(place, |written| &mut written.result_types[i], &name);
            }
            Of::Operands => {
                self.once(
                    place,
                    |written| &mut written.all_operand_types,
                    "`type(operands)`",
                );
            }
            Of::Results => {
                self.once(
                    place,
                    |written| &mut written.all_result_types,
                    "`type(results)`",
                );
            }
        }
    }

    fn element(&mut self, element: &Element) {
        let place = &element.place;
        match &element.kind {
            Kind::Literal(text) => self.literal(place, text),
            Kind::Whitespace(text) => {
                if !matches!(text.as_str(), "" | " " | "\n") {
                    self.fault(place, "white space is empty, one space or `\\n`");
                }
            }
            Kind::Operand(i) => self.operand(place, *i),
            Kind::Attribute { index, .. } => self.attribute(place, *index),
            Kind::Region(i) => self.region(place, *i),
            Kind::Successor(i) => self.successor(place, *i),
            Kind::AttrDict { .. } => {
                self.once(place, |written| &mut written.attr_dict, "`attr-dict`");
            }
            Kind::PropDict => self.once(place, |written| &mut written.prop_dict, "`prop-dict`"),
            Kind::Type { of, .. } => self.types_of(place, *of),
            Kind::Operands => {
                self.once(place, |written| &mut written.all_operands, "`operands`");
                if self.written.operands.contains(&true) {
                    self.fault(
                        place,
                        "`operands` contains an operand that is written before",
                    );
                }
            }
            Kind::Regions => {
                self.once(place, |written| &mut written.all_regions, "`regions`");
                if self.written.regions.contains(&true) {
                    self.fault(place, "`regions` contains a region that is written before");
                }
            }
            Kind::Successors => {
                self.once(place, |written| &mut written.all_successors, "`successors`");
                if self.written.successors.contains(&true) {
                    self.fault(place, "`successors` contains one that is written before");
                }
            }
            Kind::FunctionalType(inputs, results) => {
                self.types_of(place, *inputs);
                self.types_of(place, *results);
            }
            Kind::Custom { arguments, .. } => {
                for argument in arguments {
                    self.argument(place, argument);
                }
            }
            Kind::Optional {
                anchor,
                then,
                otherwise,
            } => {
                self.elements(then);
                self.elements(otherwise);
                self.group(*anchor, then, otherwise);
            }
            Kind::Clauses(clauses) => {
                for (keyword, elements) in clauses {
                    self.literal(place, keyword);
                    self.elements(elements);
                    let decides = elements.iter().any(|element| self.may_be_absent(element));
                    if !decides {
                        let message = format!(
                            "the clause `{keyword}` has nothing that may be absent, so it is always there"
                        );
                        self.fault(place, message);
                    }
                }
            }
        }
    }

    fn argument(&mut self, place: &Range<usize>, argument: &Argument) {
        match argument {
            Argument::Operand(i) => self.operand(place, *i),
            Argument::Attribute(i) => self.attribute(place, *i),
            Argument::Region(i) => self.region(place, *i),
            Argument::Successor(i) => self.successor(place, *i),
            Argument::Type(of) => self.types_of(place, *of),
            Argument::AttrDict => {
                self.once(place, |written| &mut written.attr_dict, "`attr-dict`");
            }
            Argument::Text(_) => {}
            Argument::Reference(inner) => {
                let (written, op) = (&self.written, self.operation);
                let (is_written, name) = match **inner {
                    Argument::Operand(i) => (written.operands[i], op.operands[i].text.clone()),
                    Argument::Attribute(i) => {
                        (written.attributes[i], op.attributes[i].text.clone())
                    }
                    Argument::Region(i) => (written.regions[i], op.regions[i].name.to_string()),
                    Argument::Successor(i) => {
                        (written.successors[i], op.successors[i].text.clone())
                    }
                    Argument::Type(Of::Operand(i)) => {
                        (written.operand_types[i], op.operands[i].text.clone())
                    }
                    Argument::Type(Of::Result(i)) => {
                        (written.result_types[i], op.results[i].text.clone())
                    }
                    _ => (true, String::new()),
                };
                if !is_written {
                    let message = format!("`ref` refers to `${name}`, which is not written before");
                    self.fault(place, message);
                }
            }
        }
    }

    fn literal(&mut self, place: &Range<usize>, text: &str) {
        let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.'));
        if !is_word && !PUNCTUATION.contains(&text) {
            let message = format!(
                "`{text}` is no token: a literal is a word of letters, digits, `_`, `$` and `.`, or one of {}",
                PUNCTUATION.join(" ")
            );
            self.fault(place, message);
        }
    }

    /// Returns true if an element may be absent, so that an anchor on it decides something.
    fn may_be_absent(&self, element: &Element) -> bool {
        let op = self.operation;
        match &element.kind {
            Kind::Operand(i) => op.operands[*i].arity != Arity::Single,
            Kind::Attribute { index, .. } => {
                let field = &op.attributes[*index];
                field.since.is_some() || !matches!(field.presence, Presence::Required)
            }
            // A region without blocks is absent.
            Kind::Region(_) | Kind::Operands | Kind::Regions | Kind::Successors => true,
            Kind::Successor(i) => op.successors[*i].variadic,
            Kind::Type { of, .. } => match of {
                Of::Operand(i) => op.operands[*i].arity != Arity::Single,
                Of::Result(i) => op.results[*i].arity != Arity::Single,
                Of::Operands | Of::Results => true,
            },
            Kind::FunctionalType(..) | Kind::Custom { .. } | Kind::Clauses(_) => true,
            Kind::Optional { .. } | Kind::AttrDict { .. } | Kind::PropDict => true,
            Kind::Literal(_) | Kind::Whitespace(_) => false,
        }
    }

    fn group(&mut self, anchor: usize, then: &[Element], otherwise: &[Element]) {
        let all: Vec<&Element> = then.iter().chain(otherwise).collect();
        let anchored = all[anchor];
        if !self.may_be_absent(anchored) {
            let message = "an anchor is on what may be absent: an optional or variadic operand, result or successor, an optional \
                 attribute or one with a default value, a region";
            self.fault(&anchored.place, message);
            return;
        }
        for element in &all {
            let always = match &element.kind {
                Kind::Operand(i) => self.operation.operands[*i].arity == Arity::Single,
                Kind::Attribute { index, .. } => {
                    let field = &self.operation.attributes[*index];
                    field.since.is_none() && matches!(field.presence, Presence::Required)
                }
                Kind::Successor(i) => !self.operation.successors[*i].variadic,
                _ => false,
            };
            if always && otherwise.is_empty() {
                let message =
                    "this is always there, but it is written only with the optional group";
                self.fault(&element.place, message);
            }
        }
        let first = then
            .iter()
            .find(|element| !matches!(element.kind, Kind::Whitespace(_)));
        match first.map(|first| &first.kind) {
            Some(Kind::Optional { .. } | Kind::AttrDict { keyword: false }) => {
                let place = first.map(|first| first.place.clone()).unwrap_or_default();
                let message = "an optional group begins with what shows that it is there: a literal, or what may be absent";
                self.fault(&place, message);
            }
            None => {
                let place = anchored.place.clone();
                self.fault(&place, "an optional group has more than white space");
            }
            Some(_) => {}
        }
    }

    /// Notes the attributes of a sequence outside of optional groups.
    fn note_units(&mut self, elements: &[Element]) {
        for element in elements {
            if let Kind::Attribute { index, .. } = element.kind {
                self.no_units.push(index);
            }
        }
    }

    /// Returns conditions: an attribute that is not alone decided by a literal is no unit.
    fn units(&self, span: Span) -> TokenStream {
        let one = |index: &usize| {
            let field = &self.operation.attributes[*index];
            let message = format!(
                "`${}` is a unit attribute, which has no text: write it in an optional group, after a literal",
                field.text
            );
            syntax_is_not(field, "Unit", &message, span)
        };
        self.no_units.iter().map(one).collect()
    }

    /// Checks that all parts of the operation are written.
    fn coverage(&mut self, length: usize) {
        let end = length..length;
        let op = self.operation;
        if !self.written.attr_dict && !self.written.prop_dict {
            self.fault(
                &end,
                "a format holds `attr-dict`, so that no attribute is lost",
            );
        }
        for (i, operand) in op.operands.iter().enumerate() {
            if !self.written.all_operands && !self.written.operands[i] {
                self.fault(
                    &end,
                    format!("operand `${}` is never written", operand.text),
                );
            }
        }
        for (i, region) in op.regions.iter().enumerate() {
            if !self.written.all_regions && !self.written.regions[i] {
                self.fault(&end, format!("region `${}` is never written", region.name));
            }
        }
        for (i, successor) in op.successors.iter().enumerate() {
            if !self.written.all_successors && !self.written.successors[i] {
                self.fault(
                    &end,
                    format!("successor `${}` is never written", successor.text),
                );
            }
        }
    }

    /// Checks that every type is written or follows from others; returns conditions for types that only a constraint can give.
    fn types(&mut self, span: Span) -> TokenStream {
        let op = self.operation;
        let written = &self.written;
        let known = |groups: &[bool], all: bool| -> Vec<bool> {
            groups.iter().map(|one| *one || all).collect()
        };
        let mut types = Types {
            operation: op,
            operands: known(&written.operand_types, written.all_operand_types),
            results: known(&written.result_types, written.all_result_types),
            is_opaque: false,
        };
        types.infer();
        if types.is_opaque {
            return TokenStream::new();
        }
        let mut assertions = TokenStream::new();
        let groups = [
            ("operand", &op.operands, &types.operands),
            ("result", &op.results, &types.results),
        ];
        for (what, values, known) in groups {
            for (value, is_known) in values.iter().zip(known) {
                if *is_known {
                    continue;
                }
                let sources = types.sources(&value.text);
                let constraints = std::iter::once(&value.constraint).chain(&sources);
                let message = format!(
                    "the type of the {what} `${}` is not written, and does not follow: write `type(${})`, or give it a constraint with \
                     one type, a trait or a rule",
                    value.text, value.text
                );
                let conditions = constraints.map(|constraint| {
                    quote!({ const KNOWN: bool = (#constraint).only.is_some(); KNOWN })
                });
                assertions.extend(quote_spanned! {span=>
                    const _: () = assert!(false #(|| #conditions)*, #message);
                });
            }
        }
        assertions
    }
}

/// Returns the condition that an attribute does not have the syntax of this name. A property has its own one.
pub(super) fn syntax_is_not(
    field: &AttributeField,
    syntax: &str,
    message: &str,
    span: Span,
) -> TokenStream {
    if field.property.is_some() {
        return TokenStream::new();
    }
    let constraint = &field.constraint;
    let syntax: TokenStream = syntax.parse().unwrap_or_default();
    quote_spanned! {span=>
        const _: () = assert!(
            !matches!((#constraint).syntax, ::sluice_ir::definition::AttributeSyntax::#syntax),
            #message
        );
    }
}

/// The types that are known while the text of an operation is read.
struct Types<'a> {
    operation: &'a Operation,
    operands: Vec<bool>,
    results: Vec<bool>,
    /// True if a rule is a Rust expression whose parts are not visible here.
    is_opaque: bool,
}

impl Types<'_> {
    fn is_known(&self, name: &str) -> bool {
        let op = self.operation;
        if let Some(i) = op.operands.iter().position(|value| value.text == name) {
            return self.operands[i];
        }
        if let Some(i) = op.results.iter().position(|value| value.text == name) {
            return self.results[i];
        }
        op.attributes.iter().any(|field| field.text == name)
    }

    fn learn(&mut self, name: &str) -> bool {
        let op = self.operation;
        let operand = op.operands.iter().position(|value| value.text == name);
        let result = op.results.iter().position(|value| value.text == name);
        let known = match (operand, result) {
            (Some(i), _) => &mut self.operands[i],
            (None, Some(i)) => &mut self.results[i],
            (None, None) => return false,
        };
        !std::mem::replace(known, true)
    }

    fn infer(&mut self) {
        let op = self.operation;
        let any = |known: &[bool]| known.contains(&true);
        if op.has_trait("SAME_OPERANDS_AND_RESULT_TYPE")
            && (any(&self.operands) || any(&self.results))
        {
            self.operands.fill(true);
            self.results.fill(true);
        }
        if op.has_trait("SAME_TYPE_OPERANDS") && any(&self.operands) {
            self.operands.fill(true);
        }
        if op.infer.is_some() {
            self.results.fill(true);
        }
        // Without operands or results of a variadic group there is no type to know.
        loop {
            let mut changed = false;
            for rule in &op.rules {
                match links(rule) {
                    Links::All(names) => {
                        if names.iter().any(|name| self.is_known(name)) {
                            for name in &names {
                                changed |= self.learn(name);
                            }
                        }
                    }
                    Links::From(from, to) => {
                        if self.is_known(&from) {
                            changed |= self.learn(&to);
                        }
                    }
                    Links::None => {}
                    Links::Opaque => self.is_opaque = true,
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Returns the constraints of other values from which the type of a value follows.
    fn sources(&self, name: &str) -> Vec<Expr> {
        let op = self.operation;
        let mut names: Vec<String> = Vec::new();
        for rule in &op.rules {
            match links(rule) {
                Links::All(all) if all.iter().any(|one| one == name) => names.extend(all),
                Links::From(from, to) if to == name => names.push(from),
                _ => {}
            }
        }
        let values = || op.operands.iter().chain(&op.results);
        if op.has_trait("SAME_OPERANDS_AND_RESULT_TYPE") {
            names.extend(values().map(|value| value.text.clone()));
        }
        if op.has_trait("SAME_TYPE_OPERANDS") {
            names.extend(op.operands.iter().map(|value| value.text.clone()));
        }
        let found = values().filter(|value| names.contains(&value.text));
        found.map(|value| value.constraint.clone()).collect()
    }
}

/// The types that a rule connects.
enum Links {
    /// These have one type.
    All(Vec<String>),
    /// The type of the second follows from that of the first.
    From(String, String),
    None,
    /// Anything: the rule is a Rust expression whose parts are not visible here.
    Opaque,
}

fn last_segment(path: &syn::ExprPath) -> String {
    let last = path.path.segments.last();
    last.map(|segment| segment.ident.to_string())
        .unwrap_or_default()
}

fn text_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    }
}

fn links(rule: &Expr) -> Links {
    match rule {
        Expr::Call(call) => {
            let Expr::Path(function) = &*call.func else {
                return Links::Opaque;
            };
            match last_segment(function).as_str() {
                "AllTypesMatch" => {
                    let Some(Expr::Reference(list)) = call.args.first() else {
                        return Links::Opaque;
                    };
                    let Expr::Array(list) = &*list.expr else {
                        return Links::Opaque;
                    };
                    Links::All(list.elems.iter().filter_map(text_of).collect())
                }
                "HasParent"
                | "ImplicitTerminator"
                | "Own"
                | "AllElementTypesMatch"
                | "AllShapesMatch"
                | "AllRanksMatch"
                | "AllElementCountsMatch" => Links::None,
                _ => Links::Opaque,
            }
        }
        Expr::Struct(rule) => {
            let name = rule.path.segments.last().map(|last| last.ident.to_string());
            if name.as_deref() != Some("TypesMatchWith") {
                return Links::None;
            }
            let field = |wanted: &str| {
                let mut fields = rule.fields.iter();
                let field = fields.find(
                    |field| matches!(&field.member, syn::Member::Named(name) if name == wanted),
                );
                field.and_then(|field| text_of(&field.expr))
            };
            match (field("from"), field("to")) {
                (Some(from), Some(to)) => Links::From(from, to),
                _ => Links::Opaque,
            }
        }
        _ => Links::Opaque,
    }
}
