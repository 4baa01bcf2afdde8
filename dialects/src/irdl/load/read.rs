//! Reads definitions from the operations of a module.

use std::collections::{BTreeMap, BTreeSet};

use sluice_ir::definition::Traits;
use sluice_ir::symbols::SymbolTable;
use sluice_ir::{Attribute, AttributeKind, Diagnostics, Name, ValueId, View};

use super::kinds::{is_attribute_kind, is_type_kind};
use super::operations::{Checks, Region, Values};
use super::program::Constraint;
use super::{Definitions, Parameters};
use crate::irdl::children;
use crate::irdl::symbols::{referenced, resolve};
use crate::irdl::variadicity::arities;

/// Limit of the nesting depth of constraints.
const MAX_DEPTH: usize = 200;

/// A dialect with the symbol table around it.
struct Found<'a> {
    dialect: View<'a>,
    table: View<'a>,
}

/// Reads the dialects that a module defines; `None` if there is an error in one of them.
pub(super) fn dialects(
    module: View<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<BTreeMap<String, Definitions>> {
    let mut found = Vec::new();
    find(module, module, &mut found);
    let mut dialects: BTreeMap<String, Definitions> = BTreeMap::new();
    for Found { dialect, table } in found {
        let name = dialect.symbol_name().unwrap_or_default();
        if dialect.context.dialect(name).is_some() {
            let message = format!("a dialect called '{name}' is there already");
            diagnostics.error(dialect.location(), message);
            continue;
        }
        // The verifier has already reported duplicate symbols.
        let table = SymbolTable::new(table, &mut Diagnostics::new());
        let definitions = dialects.entry(name.to_owned()).or_default();
        for definition in children(dialect) {
            definitions.add(name, definition, &table, diagnostics);
        }
    }
    (!diagnostics.has_errors()).then_some(dialects)
}

fn find<'a>(view: View<'a>, table: View<'a>, found: &mut Vec<Found<'a>>) {
    let inner = view.inner();
    let table = if view.has(Traits::SYMBOL_TABLE) {
        view
    } else {
        table
    };
    for block in view.regions().iter().flat_map(|r| inner.blocks(*r)) {
        for op in inner.operations(*block) {
            let dialect = View::new(view.context, inner, op);
            if dialect.name() == "irdl.dialect" {
                found.push(Found { dialect, table });
            }
            if !dialect.regions().is_empty() {
                find(dialect, table, found);
            }
        }
    }
}

impl Definitions {
    fn add(
        &mut self,
        dialect: &str,
        definition: View<'_>,
        table: &SymbolTable<'_>,
        diagnostics: &mut Diagnostics,
    ) {
        let name = format!("{dialect}.{}", definition.symbol_name().unwrap_or_default());
        let message = format!("'{name}' is defined already");
        let before = diagnostics.all.len();
        let is_new = match definition.name() {
            "irdl.type" => {
                let parameters = parameters(definition, table, diagnostics);
                self.types.insert(name, parameters).is_none()
            }
            "irdl.attribute" => {
                let parameters = parameters(definition, table, diagnostics);
                self.attributes.insert(name, parameters).is_none()
            }
            "irdl.operation" => {
                let checks = checks(definition, table, diagnostics);
                self.operations.insert(name, checks).is_none()
            }
            _ => return,
        };
        if !is_new && diagnostics.all.len() == before {
            diagnostics.error(definition.location(), message);
        }
    }
}

/// The constraints of one definition, and the variables that refer to them.
#[derive(Default)]
struct Variables {
    constraints: Vec<Constraint>,
    by_value: BTreeMap<ValueId, usize>,
    /// Nesting depth of each constraint.
    depths: Vec<usize>,
    /// Set of types and attributes that can satisfy each constraint.
    bases: Vec<Bases>,
}

/// The types and attributes that can satisfy a constraint; the sets of alternatives must be disjoint.
#[derive(Default)]
struct Bases {
    /// True if every type and attribute can.
    any: bool,
    /// Types (`true`) and attributes with parameters.
    definitions: BTreeSet<(bool, Name)>,
}

impl Variables {
    fn read(definition: View<'_>, table: &SymbolTable<'_>, diagnostics: &mut Diagnostics) -> Self {
        let mut variables = Self::default();
        for view in children(definition) {
            let Some(constraint) = variables.constraint(view, table, diagnostics) else {
                continue;
            };
            let below = constraint.uses().iter().map(|used| variables.depths[*used]);
            let depth = below.max().map_or(0, |depth| depth + 1);
            if depth > MAX_DEPTH {
                let message = format!("constraints use each other more than {MAX_DEPTH} deep");
                diagnostics.error(view.location(), message);
                break;
            }
            let Some(bases) = variables.bases_of(&constraint) else {
                let message = "any_of constraints are not in the correct form";
                diagnostics.error(view.location(), message);
                continue;
            };
            let variable = variables.constraints.len();
            variables.by_value.insert(view.result(0), variable);
            variables.constraints.push(constraint);
            variables.depths.push(depth);
            variables.bases.push(bases);
        }
        variables
    }

    /// Reads the constraint that an operation defines; `None` if it defines none, or one that cannot be checked.
    fn constraint(
        &self,
        view: View<'_>,
        table: &SymbolTable<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Constraint> {
        match view.name() {
            "irdl.is" => Some(Constraint::Is(view.attribute("expected")?)),
            "irdl.any" => Some(Constraint::Any),
            "irdl.any_of" => Some(Constraint::AnyOf(self.uses(view, diagnostics))),
            "irdl.all_of" => Some(Constraint::AllOf(self.uses(view, diagnostics))),
            "irdl.base" | "irdl.parametric" => match referenced(view) {
                Some(symbol) => self.reference(view, symbol, table, diagnostics),
                None => named_base(view, diagnostics),
            },
            "irdl.c_pred" => {
                let message =
                    "expected a constraint that can be checked at run time, found one in C++";
                diagnostics.error(view.location(), message);
                None
            }
            _ => None,
        }
    }

    /// Reads a constraint that refers to a definition by its symbol.
    fn reference(
        &self,
        view: View<'_>,
        symbol: Attribute,
        table: &SymbolTable<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Constraint> {
        let context = view.context;
        let definition = resolve(table, symbol)?;
        let AttributeKind::SymbolRef { root, nested } = symbol.kind(context) else {
            return None;
        };
        let dialect = match nested.as_ref() {
            [] => table.owner().symbol_name()?,
            [_] => context.text(*root),
            [.., dialect, _] => context.text(*dialect),
        };
        let name = context.name(&format!("{dialect}.{}", definition.symbol_name()?));
        let is_type = definition.name() == "irdl.type";
        Some(match (view.name(), is_type) {
            ("irdl.base", true) => Constraint::TypeOf(name),
            ("irdl.base", false) => Constraint::AttributeOf(name),
            (_, true) => Constraint::Type(name, self.uses(view, diagnostics)),
            (_, false) => Constraint::Attribute(name, self.uses(view, diagnostics)),
        })
    }

    /// Returns the variables of the operands of `view`.
    fn uses(&self, view: View<'_>, diagnostics: &mut Diagnostics) -> Vec<usize> {
        let mut uses = Vec::new();
        for value in view.operands() {
            if let Some(variable) = self.by_value.get(&value) {
                uses.push(*variable);
            } else if !diagnostics.has_errors() {
                // An invalid constraint has already been reported; this operand is not a constraint at all.
                let message = "expected operands that are constraints of irdl";
                diagnostics.error(view.location(), message);
            }
        }
        uses
    }

    /// Returns the types and attributes that can satisfy a constraint; `None` for alternatives that upstream cannot tell apart.
    fn bases_of(&self, constraint: &Constraint) -> Option<Bases> {
        let mut bases = Bases::default();
        match constraint {
            Constraint::Is(_) | Constraint::TypeOf(_) | Constraint::AttributeOf(_) => {}
            Constraint::Any => bases.any = true,
            Constraint::Type(name, _) => {
                bases.definitions.insert((true, *name));
            }
            Constraint::Attribute(name, _) => {
                bases.definitions.insert((false, *name));
            }
            Constraint::AnyOf(uses) => {
                for used in uses.iter().map(|used| &self.bases[*used]) {
                    if used.any || !bases.definitions.is_disjoint(&used.definitions) {
                        return None;
                    }
                    bases.definitions.extend(&used.definitions);
                }
            }
            // As in upstream: the set of the first constraint.
            Constraint::AllOf(uses) => {
                if let Some(first) = uses.first().map(|used| &self.bases[*used]) {
                    bases.any = first.any;
                    bases.definitions.clone_from(&first.definitions);
                }
            }
        }
        Some(bases)
    }
}

/// Reads an `irdl.base "!builtin.integer"`.
fn named_base(view: View<'_>, diagnostics: &mut Diagnostics) -> Option<Constraint> {
    let context = view.context;
    let name = view.attribute("base_name")?.as_str(context)?;
    let (what, constraint) = if let Some(kind) = name.strip_prefix('!') {
        let known = is_type_kind(context, kind);
        let constraint = known.then(|| Constraint::TypeOf(context.name(kind)));
        ("type", constraint)
    } else {
        let kind = name.strip_prefix('#')?;
        let known = is_attribute_kind(context, kind);
        let constraint = known.then(|| Constraint::AttributeOf(context.name(kind)));
        ("attribute", constraint)
    };
    if constraint.is_none() {
        let message = format!("no registered {what} with name {name}");
        diagnostics.error(view.location(), message);
    }
    constraint
}

fn parameters(
    definition: View<'_>,
    table: &SymbolTable<'_>,
    diagnostics: &mut Diagnostics,
) -> Parameters {
    let variables = Variables::read(definition, table, diagnostics);
    let mut list = children(definition).filter(|child| child.name() == "irdl.parameters");
    let used = list.next().map(|list| variables.uses(list, diagnostics));
    Parameters {
        constraints: variables.constraints,
        variables: used.unwrap_or_default(),
    }
}

fn checks(definition: View<'_>, table: &SymbolTable<'_>, diagnostics: &mut Diagnostics) -> Checks {
    let context = definition.context;
    let variables = Variables::read(definition, table, diagnostics);
    let mut checks = Checks::default();
    for child in children(definition) {
        let mut values = || Values {
            arities: (child.attribute("variadicity"))
                .and_then(|known| arities(context, known))
                .unwrap_or_default(),
            variables: variables.uses(child, diagnostics),
        };
        match child.name() {
            "irdl.operands" => checks.operands = values(),
            "irdl.results" => checks.results = values(),
            "irdl.attributes" => {
                let names = child.attribute("attributeValueNames");
                let names = names.and_then(|names| names.as_array(context));
                let names = names.unwrap_or_default().iter();
                let names = names.filter_map(|name| name.as_str(context).map(str::to_owned));
                let uses = variables.uses(child, diagnostics);
                checks.attributes = names.zip(uses).collect();
            }
            // As in upstream: all regions that are defined, in this order, not those that `irdl.regions` names.
            "irdl.region" => {
                let constrained = child.attribute("constrainedArguments").is_some();
                let n_blocks = child.attribute("numberOfBlocks");
                let n_blocks = n_blocks.and_then(|number| number.as_i64(context));
                checks.regions.push(Region {
                    arguments: constrained.then(|| variables.uses(child, diagnostics)),
                    n_blocks: n_blocks.and_then(|number| usize::try_from(number).ok()),
                });
            }
            _ => {}
        }
    }
    checks.constraints = variables.constraints;
    checks
}
