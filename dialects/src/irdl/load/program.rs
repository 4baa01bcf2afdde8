//! Constraints of a definition as a program over numbered variables, one variable for each constraint.
//!
//! A variable is bound to the first type or attribute that satisfies its constraint; every later use of the variable must be
//! equal to it. As in upstream, a binding stays even if an alternative fails after it.

use sluice_ir::text::print_attribute;
use sluice_ir::{Attribute, AttributeKind, Context, Name, TypeKind};

use super::kinds::{attribute_kind, type_kind};

/// One constraint; its variables are indices of earlier constraints.
pub(super) enum Constraint {
    /// Equal to this attribute.
    Is(Attribute),
    /// A type of this kind.
    TypeOf(Name),
    /// An attribute of this kind.
    AttributeOf(Name),
    /// A type of this loaded definition with parameters.
    Type(Name, Vec<usize>),
    /// An attribute of this loaded definition with parameters.
    Attribute(Name, Vec<usize>),
    /// Any type or attribute.
    Any,
    /// One of the variables.
    AnyOf(Vec<usize>),
    /// All of the variables.
    AllOf(Vec<usize>),
}

impl Constraint {
    /// Returns the variables that the constraint uses.
    pub(super) fn uses(&self) -> &[usize] {
        match self {
            Self::Is(_) | Self::TypeOf(_) | Self::AttributeOf(_) | Self::Any => &[],
            Self::Type(_, uses)
            | Self::Attribute(_, uses)
            | Self::AnyOf(uses)
            | Self::AllOf(uses) => uses,
        }
    }
}

/// The reason why a type or attribute does not match.
enum Mismatch {
    NotEqual {
        wanted: Attribute,
    },
    NoType,
    Kind {
        what: &'static str,
        wanted: Name,
        found: String,
    },
    NoAlternative,
    ParameterCount {
        name: Name,
        n_found: usize,
        n_wanted: usize,
    },
    OtherDefinition {
        what: &'static str,
        wanted: String,
    },
    /// One of the parameters does not match.
    Within(String),
}

/// One evaluation of a program, with the current bindings of its variables.
pub(super) struct Run<'a> {
    context: &'a Context,
    constraints: &'a [Constraint],
    bound: Vec<Option<Attribute>>,
    n_bound: usize,
    /// The last attribute that failed to match each variable, and the number of bindings then: with the same number it fails
    /// again.
    failed: Vec<Option<(Attribute, usize)>>,
}

impl<'a> Run<'a> {
    pub(super) fn new(context: &'a Context, constraints: &'a [Constraint]) -> Self {
        Self {
            context,
            constraints,
            bound: vec![None; constraints.len()],
            n_bound: 0,
            failed: vec![None; constraints.len()],
        }
    }

    /// Checks that `found` matches `variable`, and binds the variable to it.
    ///
    /// # Errors
    /// The mismatch, in upstream's words.
    pub(super) fn check(&mut self, variable: usize, found: Attribute) -> Result<(), String> {
        self.fits(variable, found)
            .map_err(|mismatch| self.message(mismatch, found))
    }

    fn fits(&mut self, variable: usize, found: Attribute) -> Result<(), Mismatch> {
        if let Some(wanted) = self.bound[variable] {
            let same = wanted == found;
            return same.then_some(()).ok_or(Mismatch::NotEqual { wanted });
        }
        self.fulfils(variable, found)?;
        if self.bound[variable].replace(found).is_none() {
            self.n_bound += 1;
        }
        Ok(())
    }

    /// Returns true if `found` matches as in [`Run::fits`], without the reason.
    fn may_fit(&mut self, variable: usize, found: Attribute) -> bool {
        if self.failed[variable] == Some((found, self.n_bound)) {
            return false;
        }
        let fits = self.fits(variable, found).is_ok();
        if !fits {
            self.failed[variable] = Some((found, self.n_bound));
        }
        fits
    }

    fn fulfils(&mut self, variable: usize, found: Attribute) -> Result<(), Mismatch> {
        let (context, constraints) = (self.context, self.constraints);
        match &constraints[variable] {
            Constraint::Is(wanted) if *wanted == found => Ok(()),
            Constraint::Is(wanted) => Err(Mismatch::NotEqual { wanted: *wanted }),
            Constraint::Any => Ok(()),
            Constraint::TypeOf(wanted) => {
                let ty = found.as_type(context).ok_or(Mismatch::NoType)?;
                let kind = type_kind(context, ty);
                same_kind(context, "type", *wanted, kind)
            }
            Constraint::AttributeOf(wanted) => {
                let kind = attribute_kind(context, found);
                same_kind(context, "attribute", *wanted, kind)
            }
            Constraint::Type(wanted, uses) => {
                let ty = found.as_type(context).ok_or(Mismatch::NoType)?;
                match ty.kind(context) {
                    TypeKind::Dialect { name, parameters } if name == wanted => {
                        self.parameters(*wanted, uses, parameters)
                    }
                    _ => Err(Mismatch::OtherDefinition {
                        what: "type",
                        wanted: context.text(*wanted).to_owned(),
                    }),
                }
            }
            Constraint::Attribute(wanted, uses) => match found.kind(context) {
                AttributeKind::Dialect { name, parameters } if name == wanted => {
                    self.parameters(*wanted, uses, parameters)
                }
                _ => {
                    // Upstream prints the dialect name last here.
                    let text = context.text(*wanted);
                    let (dialect, name) = text.split_once('.').unwrap_or((text, ""));
                    Err(Mismatch::OtherDefinition {
                        what: "attribute",
                        wanted: format!("{name}.{dialect}"),
                    })
                }
            },
            Constraint::AnyOf(uses) => {
                let fits = uses.iter().any(|used| self.may_fit(*used, found));
                fits.then_some(()).ok_or(Mismatch::NoAlternative)
            }
            Constraint::AllOf(uses) => uses.iter().try_for_each(|used| self.fits(*used, found)),
        }
    }

    fn parameters(
        &mut self,
        name: Name,
        uses: &[usize],
        found: &[Attribute],
    ) -> Result<(), Mismatch> {
        if found.len() != uses.len() {
            return Err(Mismatch::ParameterCount {
                name,
                n_found: found.len(),
                n_wanted: uses.len(),
            });
        }
        for (used, parameter) in uses.iter().zip(found) {
            self.fits(*used, *parameter)
                .map_err(|mismatch| Mismatch::Within(self.message(mismatch, *parameter)))?;
        }
        Ok(())
    }

    fn message(&self, mismatch: Mismatch, found: Attribute) -> String {
        let text = |attribute| print_attribute(self.context, attribute);
        match mismatch {
            Mismatch::NotEqual { wanted } => {
                format!("expected '{}' but got '{}'", text(wanted), text(found))
            }
            Mismatch::NoType => format!("expected type, got attribute '{}", text(found)),
            Mismatch::Kind {
                what,
                wanted,
                found,
            } => {
                let wanted = self.context.text(wanted);
                format!("expected base {what} '{wanted}' but got '{found}'")
            }
            Mismatch::NoAlternative => format!("'{}' does not satisfy the constraint", text(found)),
            Mismatch::ParameterCount {
                name,
                n_found,
                n_wanted,
            } => {
                let name = self.context.text(name);
                format!("attribute '{name}' expects {n_found} parameters but got {n_wanted}")
            }
            Mismatch::OtherDefinition { what, wanted } => {
                format!("expected base {what} '{wanted}' but got '{}'", text(found))
            }
            Mismatch::Within(message) => message,
        }
    }
}

fn same_kind(
    context: &Context,
    what: &'static str,
    wanted: Name,
    found: &str,
) -> Result<(), Mismatch> {
    if context.text(wanted) == found {
        return Ok(());
    }
    Err(Mismatch::Kind {
        what,
        wanted,
        found: found.to_owned(),
    })
}
