//! The hierarchy of instances: each instance is a scope with its own values.

use std::collections::BTreeMap;

use sluice_dialects::{hw, seq};
use sluice_ir::bits::Bits;
use sluice_ir::{Attribute, Context, Type, ValueDefinition, View};

use crate::cycle::elaborator::{Elaborator, Failed, Instance, Place, Scope};
use crate::cycle::model_calls::missing;

/// The most instances nested in one another.
const DEEPEST: usize = 64;

/// Returns the parameters of a module or an instance.
fn parameters_of(context: &Context, view: View<'_>) -> Vec<(String, Type, Option<Attribute>)> {
    let list = view.attribute("parameters");
    list.map_or_else(Vec::new, |list| hw::parameter_values(context, list))
}

impl<'a> Elaborator<'a> {
    pub(super) fn operations(&self, scope: usize) -> Vec<View<'a>> {
        let module = self.scopes[scope].module;
        let body = module.inner();
        let block = module
            .entry_block(0)
            .expect("the verifier requires a block");
        body.operations(block)
            .map(|op| View::new(self.context, body, op))
            .collect()
    }

    /// Creates the scope of an instance and those of the instances inside.
    pub(super) fn scope(
        &mut self,
        module: View<'a>,
        path: String,
        parent: Option<Instance>,
        mut parameters: BTreeMap<String, Bits>,
    ) -> Result<usize, Failed> {
        if path.matches('.').count() > DEEPEST {
            return self.fail(module, "instances are nested too deeply");
        }
        for (name, _, value) in parameters_of(self.context, module) {
            let value = value.and_then(|value| value.integer(self.context));
            if let (Some(value), false) = (value, parameters.contains_key(&name)) {
                parameters.insert(name, value.clone());
            }
        }
        let number = self.scopes.len();
        self.scopes.push(Scope {
            module,
            path: path.clone(),
            parent,
            children: BTreeMap::new(),
            parameters,
        });
        for view in self.operations(number) {
            let (inside, instance, parameters) = match view.name() {
                seq::Initial::NAME => (view, "initial", BTreeMap::new()),
                hw::Instance::NAME => {
                    let Some(inside) = self.instantiated(number, view)? else {
                        continue;
                    };
                    let name = view.attribute("instanceName");
                    let name = name.and_then(|a| a.as_str(self.context));
                    let parameters = self.given_parameters(number, view)?;
                    (inside, name.unwrap_or("instance"), parameters)
                }
                _ => continue,
            };
            let child = self.scope(
                inside,
                format!("{path}{instance}."),
                Some((number, view.id)),
                parameters,
            )?;
            self.scopes[number].children.insert(view.id, child);
        }
        Ok(number)
    }

    /// Returns the module of an instance; `None` if a model stands for it.
    fn instantiated(&mut self, scope: usize, view: View<'a>) -> Result<Option<View<'a>>, Failed> {
        let name = view
            .attribute("moduleName")
            .and_then(|a| a.as_flat_symbol(self.context))
            .unwrap_or_default();
        let Some(inside) = self.modules.get(name).copied() else {
            return self.fail(view, format!("there is no `hw.module @{name}`"));
        };
        let inside = View::new(self.context, self.inner, inside);
        if inside.name() == hw::Module::NAME {
            return Ok(Some(inside));
        }
        match self.models.get(name) {
            Some(model) => {
                self.bound.insert((scope, view.id), model.clone());
                Ok(None)
            }
            None => self.fail(view, missing(inside, name)),
        }
    }

    /// Returns the values that an instance gives to parameters.
    fn given_parameters(
        &mut self,
        scope: usize,
        view: View<'a>,
    ) -> Result<BTreeMap<String, Bits>, Failed> {
        let mut given = BTreeMap::new();
        for (name, _, value) in parameters_of(self.context, view) {
            let Some(value) = value.and_then(|value| self.parameter(scope, value)) else {
                return self.fail(view, format!("the parameter `{name}` has no number"));
            };
            given.insert(name, value);
        }
        Ok(given)
    }

    /// Evaluates an expression over the parameters of a module.
    pub(super) fn parameter(&self, scope: usize, value: Attribute) -> Option<Bits> {
        let known = &self.scopes[scope].parameters;
        hw::parameter_bits(self.context, value, &|name| known.get(name).cloned())
    }

    /// Returns the values from which a value is computed: the operands, or the other side of a port.
    pub(super) fn sources(&self, (scope, value): Place) -> Vec<Place> {
        let body = self.scopes[scope].module.inner();
        match body.value_definition(value) {
            ValueDefinition::Argument { index, .. } => match self.scopes[scope].parent {
                Some((around, instance)) => {
                    let around_body = self.scopes[around].module.inner();
                    vec![(around, around_body.operand(instance, index as usize))]
                }
                None => Vec::new(),
            },
            ValueDefinition::Result { operation, index } => {
                match self.scopes[scope].children.get(&operation) {
                    Some(child) => {
                        let output = self
                            .operations(*child)
                            .into_iter()
                            .find(|v| [hw::Output::NAME, seq::Yield::NAME].contains(&v.name()));
                        output
                            .and_then(|o| o.operands().nth(index as usize))
                            .map(|v| (*child, v))
                            .into_iter()
                            .collect()
                    }
                    None => body.operands(operation).map(|v| (scope, v)).collect(),
                }
            }
        }
    }
}
