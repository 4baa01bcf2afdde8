//! Generates the documentation of a dialect from its declarations, as Markdown.

use std::fmt::Write as _;

use crate::definition::{
    Arity, Assembly, Dialect, FormatElement, KeyPlaces, OperandSpec, OperationDefinition, Presence,
    TraitRule,
};

/// Returns the page of a dialect: the dialect, then its operations sorted by name.
pub fn page(dialect: &Dialect) -> String {
    let mut text = format!("# `{}`: {}\n", dialect.name, dialect.summary);
    if !dialect.description.is_empty() {
        let _ = write!(text, "\n{}\n", dialect.description.trim());
    }
    if !dialect.types.is_empty() || !dialect.attributes.is_empty() {
        text += "\n| types and attributes | |\n|--|--|\n";
        for ty in dialect.types {
            let _ = writeln!(text, "| `!{}` | {} |", ty.name, ty.summary);
        }
        for attribute in dialect.attributes {
            let _ = writeln!(text, "| `#{}` | {} |", attribute.name, attribute.summary);
        }
    }
    keys(&mut text, dialect);
    let groups = dialect.operations.iter().flat_map(|group| group.iter());
    let mut operations: Vec<&OperationDefinition> = groups.copied().collect();
    operations.sort_by_key(|operation| operation.name);
    for definition in operations {
        operation(&mut text, definition);
    }
    text
}

/// Writes the attributes that a dialect declares for operations of other dialects.
fn keys(text: &mut String, dialect: &Dialect) {
    for group in dialect.keys {
        *text += "\n| attribute | value | on | written by | meaning |\n|--|--|--|--|--|\n";
        for key in *group {
            let places = match key.places {
                KeyPlaces::Anywhere => "any operation".to_owned(),
                KeyPlaces::Operations { kind, .. } => kind.to_owned(),
            };
            let unit = match key.unit {
                "" => String::new(),
                unit => format!(", in {unit}"),
            };
            let (name, value, writer) = (key.name, key.value.summary, key.writer);
            let summary = key.summary.replace('|', "\\|");
            let _ = writeln!(
                text,
                "| `{name}` | {value}{unit} | {places} | {writer} | {summary} |"
            );
        }
    }
}

/// Returns the documentation of one operation.
pub fn operation_page(definition: &OperationDefinition) -> String {
    let mut text = String::new();
    operation(&mut text, definition);
    text
}

fn operation(text: &mut String, definition: &OperationDefinition) {
    let _ = write!(
        text,
        "\n## `{}`\n\n{}\n",
        definition.name, definition.summary
    );
    if !definition.description.is_empty() && definition.description != definition.summary {
        let _ = write!(text, "\n{}\n", definition.description.trim());
    }
    let mut rows: Vec<(&str, String)> = Vec::new();
    rows.extend(values("operand", definition.operands));
    rows.extend(values("result", definition.results));
    for spec in definition.attributes {
        let presence = match spec.presence {
            Presence::Required => "",
            Presence::Optional | Presence::Elided(_) | Presence::Flag => ", optional",
            Presence::Default(_) => ", with a default",
        };
        let since = match spec.since {
            0 => String::new(),
            version => format!(", since MLIR {version}"),
        };
        rows.push((
            "attribute",
            format!(
                "`{}`: {}{presence}{since}",
                spec.name, spec.constraint.summary
            ),
        ));
    }
    for spec in definition.regions {
        rows.push(("region", format!("`{}`{}", spec.name, many(spec.arity))));
    }
    for spec in definition.successors {
        rows.push(("successor", format!("`{}`{}", spec.name, many(spec.arity))));
    }
    let traits: Vec<String> = definition
        .traits
        .names()
        .map(|name| format!("`{name}`"))
        .collect();
    if !traits.is_empty() {
        rows.push(("traits", traits.join(" ")));
    }
    for rule in definition.rules {
        rows.push(("rule", rule_text(rule)));
    }
    let mut known = Vec::new();
    known.extend(definition.meaning.is_some().then_some("a meaning"));
    known.extend(definition.fold.is_some().then_some("folds"));
    known.extend(
        definition
            .infer
            .is_some()
            .then_some("inferred result types"),
    );
    known.extend(definition.verify.is_some().then_some("checks of its own"));
    if !known.is_empty() {
        rows.push(("has", known.join(", ")));
    }
    let assembly = match definition.assembly {
        Assembly::Generic => "the generic form only".to_owned(),
        Assembly::Custom { .. } => "written by hand".to_owned(),
        Assembly::Format(elements) => format!("`{}`", format_text(definition, elements).trim()),
    };
    rows.push(("text", assembly));
    if definition.since > 0 {
        rows.push(("since", format!("MLIR {}", definition.since)));
    }
    text.push_str("\n| | |\n|--|--|\n");
    for (key, value) in rows {
        let _ = writeln!(text, "| {key} | {} |", value.replace('|', "\\|"));
    }
}

fn values(
    kind: &'static str,
    specs: &'static [OperandSpec],
) -> impl Iterator<Item = (&'static str, String)> {
    specs.iter().map(move |spec| {
        let row = format!(
            "`{}`: {}{}",
            spec.name,
            spec.constraint.summary,
            many(spec.arity)
        );
        (kind, row)
    })
}

fn many(arity: Arity) -> &'static str {
    match arity {
        Arity::Single => "",
        Arity::Optional => ", none or one",
        Arity::Variadic => ", any number",
    }
}

fn rule_text(rule: &TraitRule) -> String {
    match rule {
        TraitRule::HasParent(parents) => format!("directly inside `{}`", parents.join("`, `")),
        TraitRule::ImplicitTerminator(name) => format!("a region without terminator gets `{name}`"),
        TraitRule::AllTypesMatch(names) => format!("`{}` have one type", names.join("`, `")),
        TraitRule::TypesMatchWith { summary, .. } => (*summary).to_owned(),
        TraitRule::Predicate { summary, .. } => (*summary).to_owned(),
    }
}

/// Returns the declarative format as declared, except for spacing.
fn format_text(definition: &OperationDefinition, elements: &[FormatElement]) -> String {
    let mut text = String::new();
    for element in elements {
        let piece = match element {
            FormatElement::Literal(literal) => (*literal).to_owned(),
            FormatElement::Operand(i) => format!("${}", definition.operands[*i].name),
            FormatElement::Attribute { index, .. } => {
                format!("${}", definition.attributes[*index].name)
            }
            FormatElement::Region(i) => format!("${}", definition.regions[*i].name),
            FormatElement::Successor(i) => format!("${}", definition.successors[*i].name),
            FormatElement::AttrDict { .. } => "attr-dict".to_owned(),
            FormatElement::PropDict => "prop-dict".to_owned(),
            FormatElement::Type(_) | FormatElement::QualifiedType(_) => "type".to_owned(),
            FormatElement::Operands => "operands".to_owned(),
            FormatElement::Regions => "regions".to_owned(),
            FormatElement::Successors => "successors".to_owned(),
            FormatElement::FunctionalType(..) => "functional-type".to_owned(),
            FormatElement::Custom { name, .. } => format!("<{name}>"),
            FormatElement::Optional { then, .. } => {
                format!("[{}]", format_text(definition, then).trim())
            }
            FormatElement::Clauses(clauses) => {
                let names: Vec<&str> = clauses.iter().map(|(name, _)| *name).collect();
                format!("[{}]", names.join(" | "))
            }
            FormatElement::Whitespace(_) => continue,
        };
        text.push_str(&piece);
        text.push(' ');
    }
    text
}
