//! Generates the documentation of a dialect from its declarations, as Markdown.

use std::fmt::Write as _;

use crate::context::Context;
use crate::definition::{
    Arity, Assembly, AttributeSpec, AttributeSyntax, Dialect, FormatElement, Implementation,
    KeyPlaces, OperandSpec, OperationDefinition, Presence, SymbolExtension, TraitRule, TypesOf,
};
use crate::text::print_attribute;

/// Returns the page of a dialect: the dialect, then its operations sorted by name.
pub fn page(dialect: &'static Dialect) -> String {
    let context = Context::new(&[dialect]);
    let mut text = format!("# `{}`: {}\n", dialect.name, dialect.summary);
    if !dialect.description.is_empty() {
        let _ = write!(text, "\n{}\n", dialect.description.trim());
    }
    if !dialect.types.is_empty() || !dialect.attributes.is_empty() {
        text += "\n| types and attributes | |\n|--|--|\n";
        for ty in dialect.types {
            let more = symbol(ty.extension);
            let _ = writeln!(text, "| `!{}` | {}{more} |", ty.name, ty.summary);
        }
        for attribute in dialect.attributes {
            let more = symbol(attribute.extension);
            let _ = writeln!(
                text,
                "| `#{}` | {}{more} |",
                attribute.name, attribute.summary
            );
        }
    }
    keys(&mut text, dialect);
    let extension = dialect.extension;
    let interfaces = extension.map_or(&[][..], |extension| extension.interfaces);
    if !interfaces.is_empty() {
        let _ = write!(text, "\nInterfaces: {}\n", names_of(interfaces));
    }
    let external = extension.map_or(&[][..], |extension| extension.external);
    for (operation, implementation) in external {
        let name = implementation.name;
        let _ = write!(
            text,
            "\n`{operation}` implements `{name}` with this dialect.\n"
        );
    }
    let groups = dialect.operations.iter().flat_map(|group| group.iter());
    let mut operations: Vec<&OperationDefinition> = groups.copied().collect();
    operations.sort_by_key(|operation| operation.name);
    for definition in operations {
        operation(&mut text, definition, &context);
    }
    text
}

/// Returns the format, parameters and interfaces of a declared type or attribute.
fn symbol(extension: Option<&SymbolExtension>) -> String {
    let Some(extension) = extension else {
        return String::new();
    };
    let mut text = String::new();
    if !extension.assembly.is_empty() {
        let _ = write!(text, "; ``` {} ```", extension.assembly.replace('|', "\\|"));
    }
    for (name, ty) in extension.parameters {
        let _ = write!(text, "; `{name}`: `{ty}`");
    }
    if !extension.interfaces.is_empty() {
        let _ = write!(text, "; implements {}", names_of(extension.interfaces));
    }
    if let Some(alias) = extension.alias {
        let _ = write!(text, "; alias `{alias}`");
    }
    text
}

fn names_of(implementations: &[Implementation]) -> String {
    let names = implementations.iter().map(|one| format!("`{}`", one.name));
    names.collect::<Vec<_>>().join(" ")
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
            let (name, value, writer) = (key.name, key.value.description(), key.writer);
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
    operation(&mut text, definition, &Context::new(&[]));
    text
}

/// Returns the presence of an attribute and its valid cases, after its description.
fn attribute_notes(spec: &AttributeSpec, context: &Context) -> String {
    let mut text = match spec.presence {
        Presence::Required => String::new(),
        Presence::Optional | Presence::Flag => ", optional".to_owned(),
        Presence::Default(default) | Presence::Elided(default) => {
            let value = default(context);
            // An enumeration is shown by its keyword.
            let keyword = match &spec.constraint.syntax {
                AttributeSyntax::Enumeration(cases) => {
                    (cases.value(context, value)).and_then(|value| cases.keywords(value))
                }
                _ => None,
            };
            let value = keyword.unwrap_or_else(|| print_attribute(context, value));
            format!(", default `{value}`")
        }
    };
    if let AttributeSyntax::Enumeration(cases) = &spec.constraint.syntax {
        let keywords = cases
            .cases
            .iter()
            .map(|(keyword, _)| format!("`{keyword}`"));
        let word = if cases.flags { "any of" } else { "one of" };
        let _ = write!(text, "; {word} {}", keywords.collect::<Vec<_>>().join(" "));
    }
    if spec.since > 0 {
        let _ = write!(text, ", since MLIR {}", spec.since);
    }
    text
}

fn operation(text: &mut String, definition: &OperationDefinition, context: &Context) {
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
        let notes = attribute_notes(spec, context);
        let description = spec.constraint.description();
        rows.push((
            "attribute",
            format!("`{}`: {description}{notes}", spec.name),
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
    if let Some(extension) = definition.extension {
        for derived in extension.derived {
            let (name, ty) = (derived.name, derived.ty);
            rows.push(("derived attribute", format!("`{name}`: `{ty}`")));
        }
        if !extension.interfaces.is_empty() {
            rows.push(("interfaces", names_of(extension.interfaces)));
        }
        for pattern in extension.patterns {
            rows.push(("pattern", format!("`{}`", pattern.name)));
        }
        if let Some(instead) = extension.deprecated {
            rows.push(("deprecated", instead.to_owned()));
        }
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
        Assembly::Format(elements) => format!("``` {} ```", format_text(definition, elements)),
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
            spec.constraint.description(),
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
        TraitRule::AllElementTypesMatch(names) => {
            format!("`{}` have one element type", names.join("`, `"))
        }
        TraitRule::AllShapesMatch(names) => format!("`{}` have one shape", names.join("`, `")),
        TraitRule::AllRanksMatch(names) => format!("`{}` have one rank", names.join("`, `")),
        TraitRule::AllElementCountsMatch(names) => {
            format!("`{}` have as many elements", names.join("`, `"))
        }
        TraitRule::NestedSizes { sizes, .. } => {
            format!("`{sizes}` divides operands into groups")
        }
        TraitRule::Own(one) => format!("{}: {}", one.name, one.summary),
        TraitRule::TypesMatchWith { summary, .. } => (*summary).to_owned(),
        TraitRule::Predicate { summary, .. } => (*summary).to_owned(),
    }
}

/// Returns the declarative format as declared, except for spacing.
fn format_text(definition: &OperationDefinition, elements: &[FormatElement]) -> String {
    let one = |element: &FormatElement| element_text(definition, element);
    elements.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn element_text(definition: &OperationDefinition, element: &FormatElement) -> String {
    let types_of = |of: &TypesOf| match of {
        TypesOf::Operand(i) => format!("${}", definition.operands[*i].name),
        TypesOf::Result(i) => format!("${}", definition.results[*i].name),
        TypesOf::Operands => "operands".to_owned(),
        TypesOf::Results => "results".to_owned(),
    };
    match element {
        FormatElement::Literal(literal) => format!("`{literal}`"),
        FormatElement::Operand(i) | FormatElement::NestedOperands { group: i, .. } => {
            format!("${}", definition.operands[*i].name)
        }
        FormatElement::NestedTypes { group, .. } => {
            format!("type(${})", definition.operands[*group].name)
        }
        FormatElement::Attribute { index, qualified } => {
            let name = definition.attributes[*index].name;
            match qualified {
                true => format!("qualified(${name})"),
                false => format!("${name}"),
            }
        }
        FormatElement::Region(i) => format!("${}", definition.regions[*i].name),
        FormatElement::Successor(i) => format!("${}", definition.successors[*i].name),
        FormatElement::AttrDict { keyword: true } => "attr-dict-with-keyword".to_owned(),
        FormatElement::AttrDict { keyword: false } => "attr-dict".to_owned(),
        FormatElement::PropDict => "prop-dict".to_owned(),
        FormatElement::Type(of) => format!("type({})", types_of(of)),
        FormatElement::QualifiedType(of) => format!("qualified(type({}))", types_of(of)),
        FormatElement::Operands => "operands".to_owned(),
        FormatElement::Regions => "regions".to_owned(),
        FormatElement::Successors => "successors".to_owned(),
        FormatElement::FunctionalType(inputs, results) => {
            format!(
                "functional-type({}, {})",
                types_of(inputs),
                types_of(results)
            )
        }
        FormatElement::Custom {
            name, arguments, ..
        } => format!("custom<{name}>({arguments})"),
        FormatElement::Optional {
            anchor,
            then,
            otherwise,
        } => {
            let group = |elements: &[FormatElement], first: usize| {
                let all = elements.iter().enumerate().map(|(i, element)| {
                    let mark = if first + i == *anchor { "^" } else { "" };
                    format!("{}{mark}", element_text(definition, element))
                });
                format!("({})", all.collect::<Vec<_>>().join(" "))
            };
            match otherwise {
                [] => format!("{}?", group(then, 0)),
                _ => format!("{} : {}?", group(then, 0), group(otherwise, then.len())),
            }
        }
        FormatElement::Clauses(clauses) => {
            let all = clauses.iter().map(|(keyword, elements)| {
                let rest = format_text(definition, elements);
                format!("`{keyword}` {rest}").trim_end().to_owned()
            });
            format!("oilist({})", all.collect::<Vec<_>>().join(" | "))
        }
        FormatElement::Whitespace("\n") => "`\\n`".to_owned(),
        FormatElement::Whitespace(text) => format!("`{text}`"),
    }
}
