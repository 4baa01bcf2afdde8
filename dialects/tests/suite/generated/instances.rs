//! Random operations generated from a declaration.

use std::fmt::Write as _;

use sluice_ir::definition::{
    Arity, AttributeConstraint, AttributeSpec, OperandSpec, OperationDefinition, Presence,
    RegionConstraint, Site, TraitRule, Traits,
};
use sluice_ir::text::{parse_attribute, parse_type, print_attribute, print_type};
use sluice_ir::{Attribute, Context, Name, Type};

use super::{ATTRIBUTES, NAMES, Numbers, TYPES};

/// The types and attributes from which constraints are satisfied.
pub(super) struct Pool<'c> {
    context: &'c Context,
    types: Vec<Type>,
    attributes: Vec<Attribute>,
}

impl<'c> Pool<'c> {
    pub(super) fn new(context: &'c Context) -> Self {
        let types = TYPES.iter().map(|text| {
            parse_type(context, text)
                .unwrap_or_else(|errors| panic!("{text}: {}", errors.to_text(context)))
        });
        let attributes = ATTRIBUTES.iter().map(|text| {
            parse_attribute(context, text)
                .unwrap_or_else(|errors| panic!("{text}: {}", errors.to_text(context)))
        });
        Self {
            context,
            types: types.collect(),
            attributes: attributes.collect(),
        }
    }
}

/// Returns the number of values of a group.
fn count(numbers: &mut Numbers, arity: Arity) -> usize {
    match arity {
        Arity::Single => 1,
        Arity::Optional => numbers.below(2),
        Arity::Variadic => [0, 1, 1, 2, 3][numbers.below(5)],
    }
}

/// Returns a type for each value of the groups, and the sizes of the groups. Prefers types that were used before.
fn values(
    numbers: &mut Numbers,
    pool: &Pool<'_>,
    specs: &[OperandSpec],
    used: &mut Vec<Type>,
) -> (Vec<Type>, Vec<usize>) {
    let (mut types, mut sizes) = (Vec::new(), Vec::new());
    for spec in specs {
        let n = count(numbers, spec.arity);
        sizes.push(n);
        for _ in 0..n {
            let fits = |ty: &&Type| spec.constraint.accepts(pool.context, **ty);
            let before: Vec<Type> = used.iter().filter(fits).copied().collect();
            let all: Vec<Type> = pool.types.iter().filter(fits).copied().collect();
            let chosen = if numbers.percent(75) {
                numbers.one_of(&before)
            } else {
                None
            };
            let chosen = chosen
                .or_else(|| numbers.one_of(&all))
                .or(pool.types.first());
            let ty = *chosen.expect("the pool is not empty");
            used.push(ty);
            types.push(ty);
        }
    }
    (types, sizes)
}

fn attribute(
    numbers: &mut Numbers,
    pool: &Pool<'_>,
    constraint: &AttributeConstraint,
) -> Option<Attribute> {
    let all: Vec<Attribute> = pool
        .attributes
        .iter()
        .filter(|attribute| constraint.accepts(pool.context, **attribute))
        .copied()
        .collect();
    numbers.one_of(&all).copied()
}

fn list(context: &Context, types: &[Type]) -> String {
    let all: Vec<String> = types.iter().map(|ty| print_type(context, *ty)).collect();
    format!("({})", all.join(", "))
}

/// Returns a region whose blocks end as the declaration requires.
fn region(
    numbers: &mut Numbers,
    pool: &Pool<'_>,
    definition: &OperationDefinition,
    constraint: RegionConstraint,
    used: &[Type],
) -> String {
    let n_blocks = match constraint {
        RegionConstraint::Sized(n) => n,
        RegionConstraint::Any | RegionConstraint::MaxSized(_) => numbers.below(2),
    };
    let mut text = String::from("{");
    for block in 0..n_blocks {
        let mut arguments = Vec::new();
        if !definition.has(Traits::NO_REGION_ARGUMENTS) && numbers.percent(40) {
            for i in 0..=numbers.below(2) {
                let ty = numbers
                    .one_of(used)
                    .or(pool.types.first())
                    .expect("the pool is not empty");
                arguments.push(format!("%b{block}_{i}: {}", print_type(pool.context, *ty)));
            }
        }
        let _ = write!(text, "\n^r{block}({}):\n", arguments.join(", "));
        match definition.implicit_terminator() {
            Some(name) => {
                let _ = write!(text, "\"{name}\"() : () -> ()");
            }
            None if definition.has(Traits::NO_TERMINATOR) && numbers.percent(50) => {}
            None => text.push_str("\"u.end\"() : () -> ()"),
        }
    }
    text + "\n}"
}

/// Returns true if the custom form omits this value: a default, or empty attributes of arguments or results.
fn is_left_out(context: &Context, spec: &AttributeSpec, attribute: Attribute) -> bool {
    let is_empty = |a: &Attribute| a.as_dictionary(context).is_some_and(<[_]>::is_empty);
    let all = attribute.as_array(context).unwrap_or_default();
    matches!(spec.presence, Presence::Elided(default) if default(context) == attribute)
        || matches!(spec.name, "arg_attrs" | "res_attrs") && all.iter().all(is_empty)
}

/// Returns one operation in the generic form, valid or not.
pub(super) fn instance(
    numbers: &mut Numbers,
    pool: &Pool<'_>,
    definition: &OperationDefinition,
) -> String {
    let context = pool.context;
    let mut used = Vec::new();
    let (operands, operand_sizes) = values(numbers, pool, definition.operands, &mut used);
    let mut attributes: Vec<(Name, Attribute)> = Vec::new();
    for spec in definition.attributes {
        let wanted = match spec.presence {
            Presence::Required => true,
            _ => numbers.percent(50),
        };
        if wanted
            && let Some(attribute) = attribute(numbers, pool, spec.constraint)
            && !is_left_out(context, spec, attribute)
        {
            attributes.push((context.name(spec.name), attribute));
        }
    }
    let (mut results, result_sizes) = values(numbers, pool, definition.results, &mut used);
    if let Some(infer) = definition.infer {
        let site = Site {
            context,
            operand_types: &operands,
            result_types: &[],
            attributes: &attributes,
        };
        if let Ok(inferred) = infer(site) {
            results = inferred.to_vec();
        }
    }
    let sizes = [
        (
            "operandSegmentSizes",
            Traits::ATTR_SIZED_OPERAND_SEGMENTS,
            operand_sizes,
        ),
        (
            "resultSegmentSizes",
            Traits::ATTR_SIZED_RESULT_SEGMENTS,
            result_sizes,
        ),
    ];
    let mut properties: Vec<String> = attributes
        .iter()
        .map(|(name, attribute)| {
            format!(
                "\"{}\" = {}",
                context.text(*name),
                print_attribute(context, *attribute)
            )
        })
        .collect();
    for (name, traits, sizes) in sizes {
        if definition.has(traits) {
            let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
            let numbers = if sizes.is_empty() {
                String::new()
            } else {
                format!(": {}", sizes.join(", "))
            };
            properties.push(format!("{name} = array<i32{numbers}>"));
        }
    }
    let mut text = String::new();
    if !operands.is_empty() {
        let _ = writeln!(
            text,
            "%a:{} = \"u.source\"() : () -> {}",
            operands.len(),
            list(context, &operands)
        );
    }
    if !results.is_empty() {
        let _ = write!(text, "%r:{} = ", results.len());
    }
    let names: Vec<String> = (0..operands.len()).map(|i| format!("%a#{i}")).collect();
    let _ = write!(text, "\"{}\"({})", definition.name, names.join(", "));
    let n_successors: usize = definition
        .successors
        .iter()
        .map(|spec| count(numbers, spec.arity))
        .sum();
    if n_successors > 0 {
        let blocks: Vec<String> = (0..n_successors).map(|i| format!("^s{i}")).collect();
        let _ = write!(text, "[{}]", blocks.join(", "));
    }
    if !properties.is_empty() {
        let _ = write!(text, " <{{{}}}>", properties.join(", "));
    }
    let mut regions = Vec::new();
    for spec in definition.regions {
        for _ in 0..count(numbers, spec.arity) {
            regions.push(region(numbers, pool, definition, spec.constraint, &used));
        }
    }
    if !regions.is_empty() {
        let _ = write!(text, " ({})", regions.join(", "));
    }
    if numbers.percent(30) {
        let name = numbers.one_of(&NAMES[1..]).expect("there are names");
        let value = numbers.one_of(ATTRIBUTES).expect("there are attributes");
        let _ = write!(text, " {{\"{name}\" = {value}, u.x}}");
    }
    let _ = writeln!(
        text,
        " : {} -> {}",
        list(context, &operands),
        list(context, &results)
    );
    let parents = definition.rules.iter().find_map(|rule| match rule {
        TraitRule::HasParent(parents) => Some(*parents),
        _ => None,
    });
    let parent = parents
        .and_then(|parents| numbers.one_of(parents))
        .copied()
        .unwrap_or("u.parent");
    let mut blocks = String::new();
    for block in 0..n_successors {
        let _ = write!(blocks, "^s{block}:\n\"u.end\"() : () -> ()\n");
    }
    if n_successors > 0 || definition.has(Traits::TERMINATOR) || parents.is_some() {
        return format!("\"{parent}\"() ({{\n{text}{blocks}}}) : () -> ()\n");
    }
    text
}
