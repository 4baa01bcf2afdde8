//! Substitution of parameters by their values.

use sluice_ir::{Attribute, AttributeKind, Body, Context, OperationId, Type, TypeKind, View};

use super::attributes::{parameter, parameter_attribute, parameters as parts};
use super::misc::evaluate;
use super::types::integer_type;

/// Names of parameters of a module with their values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ParameterValues(Vec<(String, Attribute)>);

impl ParameterValues {
    /// Returns the parameters of an instance, or the default parameters of a module.
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

    /// Returns names and values, in the order of their declaration.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Attribute)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// Returns the value of an expression; an expression without a known value stays.
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
        // The type of the whole expression is last.
        let operands = parts.iter().filter(|part| part.as_type(context).is_none());
        let operands: Vec<_> = operands.copied().collect();
        evaluate(context, operation, &operands).unwrap_or_else(|| {
            context.attribute(AttributeKind::Dialect {
                name: *name,
                parameters: parts.into(),
            })
        })
    }

    /// Returns a type with its parameters replaced by their values.
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

    /// Returns an attribute with its parameters replaced by their values.
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
        // The value that an instance gives to a parameter of its own module.
        if let Some(given) = parameter(context, part) {
            let ty = self.resolved(context, given.ty);
            let value = given.value.map(|value| self.evaluated(context, value));
            return parameter_attribute(context, &given.name, ty, value);
        }
        self.evaluated(context, part)
    }
}

/// Returns true if a type contains a parameter.
pub fn is_parametric(context: &Context, ty: Type) -> bool {
    match ty.kind(context) {
        TypeKind::Dialect { parameters, .. } => parameters
            .iter()
            .any(|part| mentions_parameter(context, *part)),
        _ => false,
    }
}

/// Returns true if an attribute contains a parameter.
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

/// Sets the default value of a module parameter.
pub fn set_parameter(
    context: &Context,
    body: &mut Body,
    module: OperationId,
    name: &str,
    value: Attribute,
) {
    let list = context.name("parameters");
    let all = body.attribute(module, list);
    let all = all.and_then(|a| a.as_array(context)).unwrap_or_default();
    let given = all.iter().map(|one| match parameter(context, *one) {
        Some(of) if of.name == name => parameter_attribute(context, name, of.ty, Some(value)),
        _ => *one,
    });
    let given: Vec<Attribute> = given.collect();
    body.set_attribute(module, list, context.array_attribute(&given));
}
