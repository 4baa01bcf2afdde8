//! Creates a dialect of the context from its definitions.
//!
//! A loaded dialect lives until the process ends, like a dialect declared in the source: its definitions are leaked, once per
//! load. The constraints hold types and attributes of the context they were loaded into and are valid only there.

mod kinds;
mod operations;
mod program;
mod read;

use std::collections::BTreeMap;

use sluice_ir::definition::{
    Arity, Assembly, AttributeDefinition, Dialect, OperandSpec, OperationDefinition, ParseHook,
    PrintHook, RegionConstraint, RegionSpec, Traits, TypeDefinition,
};
use sluice_ir::text::{ParseResult, Parser, Printer, print_attribute};
use sluice_ir::{Attribute, AttributeKind, Context, Diagnostics, Module};

use crate::constraints::ANY_TYPE;
use operations::Checks;
use program::{Constraint, Run};

/// The constraints on the parameters of a type or an attribute.
#[derive(Default)]
struct Parameters {
    constraints: Vec<Constraint>,
    variables: Vec<usize>,
}

/// The definitions of one dialect, by their full names.
#[derive(Default)]
struct Definitions {
    types: BTreeMap<String, Parameters>,
    attributes: BTreeMap<String, Parameters>,
    operations: BTreeMap<String, Checks>,
}

/// Adds the dialects that the operations of a verified module define to the context, which must be that of the module. Returns
/// true if they were added. Adds nothing if there is an error in the module.
///
/// Errors: all errors found, in `diagnostics`.
pub fn load(context: &mut Context, module: &Module, diagnostics: &mut Diagnostics) -> bool {
    let mut own = Diagnostics::new();
    let dialects = read::dialects(module.view(context), &mut own);
    diagnostics.append(own);
    let Some(dialects) = dialects else {
        return false;
    };
    for (name, definitions) in dialects {
        context.add_dialect(definitions.leak(name));
    }
    true
}

impl Definitions {
    /// Creates definitions that are never freed.
    fn leak(self, name: String) -> &'static Dialect {
        let types: Vec<&TypeDefinition> = (self.types.into_iter())
            .map(|(name, parameters)| leak_type(name.leak(), parameters))
            .collect();
        let attributes: Vec<&AttributeDefinition> = (self.attributes.into_iter())
            .map(|(name, parameters)| leak_attribute(name.leak(), parameters))
            .collect();
        let operations: Vec<&OperationDefinition> = (self.operations.into_iter())
            .map(|(name, checks)| leak_operation(name.leak(), checks))
            .collect();
        Box::leak(Box::new(Dialect {
            name: name.leak(),
            summary: "Loaded at run time",
            description: "",
            operations: vec![&*operations.leak()].leak(),
            types: types.leak(),
            attributes: attributes.leak(),
            keys: &[],
            materialize_constant: None,
            version: None,
            loaded: true,
            partial: false,
            extension: None,
        }))
    }
}

fn leak_type(name: &'static str, parameters: Parameters) -> &'static TypeDefinition {
    let parse = move |parser: &mut Parser<'_>| {
        let found = parameters.parse(parser)?;
        Ok(parser.context().dialect_type(name, &found))
    };
    let parse: &'static ParseHook<_> = Box::leak(Box::new(parse));
    Box::leak(Box::new(TypeDefinition {
        name,
        summary: "",
        parse,
        print: PRINT,
        extension: None,
    }))
}

fn leak_attribute(name: &'static str, parameters: Parameters) -> &'static AttributeDefinition {
    let parse = move |parser: &mut Parser<'_>| {
        let parameters = parameters.parse(parser)?.into();
        let context = parser.context();
        let name = context.name(name);
        Ok(context.attribute(AttributeKind::Dialect { name, parameters }))
    };
    let parse: &'static ParseHook<_> = Box::leak(Box::new(parse));
    Box::leak(Box::new(AttributeDefinition {
        typed: false,
        name,
        summary: "",
        parse,
        print: PRINT,
        extension: None,
    }))
}

/// Any number of operands or results: the verifier counts them.
static VALUES: OperandSpec = OperandSpec {
    name: "values",
    arity: Arity::Variadic,
    constraint: &ANY_TYPE,
};

/// Any number of regions: the verifier counts them.
static REGIONS: RegionSpec = RegionSpec {
    name: "regions",
    arity: Arity::Variadic,
    constraint: RegionConstraint::Any,
};

fn leak_operation(name: &'static str, checks: Checks) -> &'static OperationDefinition {
    let verify = move |view: sluice_ir::View<'_>, diagnostics: &mut Diagnostics| {
        checks.verify(view, diagnostics);
    };
    Box::leak(Box::new(OperationDefinition {
        names: None,
        custom_if: None,
        region_flow: None,
        successor: None,
        speculatable: None,
        name,
        summary: "",
        description: "",
        operands: std::slice::from_ref(&VALUES),
        results: std::slice::from_ref(&VALUES),
        attributes: &[],
        regions: std::slice::from_ref(&REGIONS),
        successors: &[],
        traits: Traits::NONE,
        rules: &[],
        effects: &[sluice_ir::definition::Effect::Unknown],
        assembly: Assembly::Generic,
        verify: Some(Box::leak(Box::new(verify))),
        verify_regions: None,
        verify_symbols: None,
        fold: None,
        infer: None,
        meaning: None,
        since: 0,
        extension: None,
    }))
}

/// Prints `<param, param>`, or nothing. As in upstream, without aliases inside.
static PRINT: &PrintHook = &|printer: &mut Printer<'_>, parameters: &[Attribute]| {
    if parameters.is_empty() {
        return;
    }
    printer.text("<");
    printer.comma_separated(parameters, |printer, one| {
        let text = print_attribute(printer.context(), *one);
        printer.text(&text);
    });
    printer.text(">");
};

impl Parameters {
    /// Parses parameters and checks their constraints.
    fn parse(&self, parser: &mut Parser<'_>) -> ParseResult<Vec<Attribute>> {
        let position = parser.symbol_position();
        let mut found = Vec::new();
        if parser.parse_optional_punctuation("<") && !parser.parse_optional_punctuation(">") {
            loop {
                found.push(parser.parse_attribute()?);
                if parser.parse_optional_punctuation(">") {
                    break;
                }
                parser.parse_punctuation(",")?;
            }
        }
        match self.check(parser.context(), &found) {
            Ok(()) => Ok(found),
            Err(message) => Err(parser.plain_error(position, message)),
        }
    }

    fn check(&self, context: &Context, found: &[Attribute]) -> Result<(), String> {
        if found.len() != self.variables.len() {
            return Err(format!(
                "expected {} type arguments, but had {}",
                self.variables.len(),
                found.len()
            ));
        }
        let mut run = Run::new(context, &self.constraints);
        let mut pairs = self.variables.iter().zip(found);
        pairs.try_for_each(|(variable, parameter)| run.check(*variable, *parameter))
    }
}
