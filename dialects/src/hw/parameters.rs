//! Values of parameters, put in place of them.

use sluice_ir::bits::Bits;
use sluice_ir::suggestion::did_you_mean;
use sluice_ir::{Attribute, AttributeKind, Context, Module, Type, TypeKind, View};

use super::attributes::{parameter, parameter_attribute, parameters as parts};
use super::misc::evaluate;
use super::types::integer_type;

/// Names of parameters of a module with their values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ParameterValues(Vec<(String, Attribute)>);

impl ParameterValues {
    /// Those that an instance gives to its module, or that a module has by itself.
    pub fn of(view: View<'_>) -> Self {
        let all = view.attribute("parameters");
        let all = all
            .and_then(|a| a.as_array(view.context))
            .unwrap_or_default();
        let values = all.iter().filter_map(|one| {
            let parameter = parameter(view.context, *one)?;
            Some((parameter.name, parameter.value?))
        });
        Self(values.collect())
    }

    /// Names and values, in the order in which they are declared.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Attribute)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// The value of an expression; what has none stays.
    pub fn evaluated(&self, context: &Context, value: Attribute) -> Attribute {
        let reference = parts(context, value, "hw.param.decl.ref");
        let name = reference.and_then(|parts| parts[0].as_str(context));
        let found = name.and_then(|name| self.0.iter().find(|(known, _)| known == name));
        if let Some((_, found)) = found {
            return *found;
        }
        let AttributeKind::Dialect { name, parameters } = value.kind(context) else {
            return value;
        };
        let Some(operation) = context.text(*name).strip_prefix("hw.param.expr.") else {
            return value;
        };
        let parts: Vec<_> = parameters
            .iter()
            .map(|operand| self.evaluated(context, *operand))
            .collect();
        // The type of the whole stands last.
        let operands = parts.iter().filter(|part| part.as_type(context).is_none());
        let operands: Vec<_> = operands.copied().collect();
        evaluate(context, operation, &operands).unwrap_or_else(|| {
            context.attribute(AttributeKind::Dialect {
                name: *name,
                parameters: parts.into(),
            })
        })
    }

    /// What an instance gives to a parameter, as `#hw.param.decl`, without those of the module around it.
    pub fn declared(&self, context: &Context, declaration: Attribute) -> Attribute {
        let Some(given) = parameter(context, declaration) else {
            return declaration;
        };
        let ty = self.resolved(context, given.ty);
        let value = given.value.map(|value| self.evaluated(context, value));
        parameter_attribute(context, &given.name, ty, value)
    }

    /// A type in which parameters have their values.
    pub fn resolved(&self, context: &Context, ty: Type) -> Type {
        let TypeKind::Dialect { name, parameters } = ty.kind(context) else {
            return ty;
        };
        let kind = context.text(*name);
        let parts = parameters
            .iter()
            .map(|part| self.resolved_part(context, *part));
        let parts: Vec<_> = parts.collect();
        match (kind, parts.first().and_then(|a| a.as_i64(context))) {
            ("hw.array" | "hw.uarray", Some(size)) => {
                context.dialect_type(kind, &[context.i64_attribute(size), parts[1]])
            }
            ("hw.int", Some(width)) => integer_type(context, width).unwrap_or(ty),
            _ => context.dialect_type(kind, &parts),
        }
    }

    /// An attribute in which parameters have their values.
    pub fn resolved_part(&self, context: &Context, part: Attribute) -> Attribute {
        if let Some(ty) = part.as_type(context) {
            return context.type_attribute(self.resolved(context, ty));
        }
        if let Some(all) = part.as_array(context) {
            let all: Vec<_> = all
                .iter()
                .map(|part| self.resolved_part(context, *part))
                .collect();
            return context.array_attribute(&all);
        }
        self.evaluated(context, part)
    }
}

/// Whether a type has a parameter in it.
pub fn is_parametric(context: &Context, ty: Type) -> bool {
    match ty.kind(context) {
        TypeKind::Dialect { parameters, .. } => parameters
            .iter()
            .any(|part| mentions_parameter(context, *part)),
        _ => false,
    }
}

/// Whether an attribute has a parameter in it.
pub fn mentions_parameter(context: &Context, attribute: Attribute) -> bool {
    match attribute.kind(context) {
        AttributeKind::Dialect { name, parameters } => {
            context.text(*name) == "hw.param.decl.ref"
                || parameters
                    .iter()
                    .any(|part| mentions_parameter(context, *part))
        }
        AttributeKind::Array(all) => all.iter().any(|part| mentions_parameter(context, *part)),
        AttributeKind::Type(ty) => is_parametric(context, *ty),
        _ => false,
    }
}

/// Gives parameters of a module numbers, as if it said them itself.
///
/// # Errors
/// A parameter that it does not have, or whose type does not hold what is a number or none.
pub fn give_parameters(
    context: &Context,
    module: &mut Module,
    name: &str,
    given: &[(String, String)],
) -> Result<(), String> {
    let (Some(op), false) = (module.lookup_symbol(context, name), given.is_empty()) else {
        return Ok(());
    };
    let inner = module.inner_mut();
    let list = context.name("parameters");
    let declared = inner.attribute(op, list).and_then(|a| a.as_array(context));
    let mut all = declared.unwrap_or_default().to_vec();
    for (wanted, text) in given {
        let known: Vec<_> = all
            .iter()
            .filter_map(|one| parameter(context, *one))
            .collect();
        let at = known.iter().position(|one| one.name == *wanted);
        let Some(at) = at else {
            let names: Vec<&str> = known.iter().map(|one| one.name.as_str()).collect();
            return Err(match names.is_empty() {
                true => format!("there is no parameter `{wanted}`: it has none"),
                false => format!(
                    "there is no parameter `{wanted}`; {}",
                    did_you_mean(wanted, &names)
                ),
            });
        };
        let ty = known[at].ty;
        let value = ty.width_bits(context).and_then(|width| {
            if let Some(digits) = text.strip_prefix("0x") {
                return Bits::parse_hex(digits, width);
            }
            let digits = text.strip_prefix('-').unwrap_or(text);
            Bits::parse_decimal(digits, digits.len() < text.len(), width)
        });
        let Some(value) = value else {
            let ty = sluice_ir::text::print_type(context, ty);
            return Err(format!(
                "the parameter `{wanted}` is {ty}, which does not hold `{text}`"
            ));
        };
        let value = context.integer_attribute(ty, value);
        all[at] = parameter_attribute(context, wanted, ty, Some(value));
    }
    inner.set_attribute(op, list, context.array_attribute(&all));
    Ok(())
}
