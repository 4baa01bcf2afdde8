//! Aliases such as `#map = affine_map<...>`, found by a first pass over everything that will be printed.

use std::sync::Arc;

use crate::attributes::AttributeKind;
use crate::body::Body;
use crate::context::Context;
use crate::ids::{Attribute, Location, OperationId, Type};
use crate::location::LocationKind;
use crate::text::parser::Map;
use crate::text::printer::Printer;
use crate::types::TypeKind;

/// Tuples with more elements than this get an alias.
const MAX_TUPLE_IN_PLACE: usize = 16;

/// A type, attribute or location that may have an alias.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Symbol {
    Type(Type),
    Attribute(Attribute),
    Location(Location),
}

/// A symbol that was visited.
#[derive(Debug)]
struct Visited {
    symbol: Symbol,
    /// The alias name without number; empty if there is none.
    base: &'static str,
    /// 0 without alias; an alias is deeper than those it uses.
    depth: usize,
    /// True if the definition may be at the end of the file.
    deferred: bool,
    children: Vec<usize>,
}

/// Aliases of a file.
#[derive(Default)]
pub(crate) struct Aliases {
    visited: Vec<Visited>,
    index: Map<Symbol, usize>,
    /// Children of the symbol that is being visited.
    children: Vec<usize>,
    names: Arc<Map<Symbol, String>>,
    /// Symbols in order of definition; true if the definition is at the end.
    order: Vec<(Symbol, bool)>,
}

impl Aliases {
    /// Returns only the names, for a printer that visits nothing.
    pub(crate) fn names_alone(&self) -> Self {
        Self {
            names: Arc::clone(&self.names),
            ..Self::default()
        }
    }

    /// Assigns names to the visited symbols, by depth and then name.
    pub(crate) fn finish(&mut self) {
        let mut named: Vec<&Visited> = self.visited.iter().filter(|v| !v.base.is_empty()).collect();
        named.sort_by_key(|v| (v.depth, !matches!(v.symbol, Symbol::Type(_)), v.base));
        let mut counts: Map<&str, usize> = Map::default();
        for visited in named {
            let count = counts.entry(visited.base).or_insert(0);
            let number = if *count == 0 {
                String::new()
            } else {
                count.to_string()
            };
            *count += 1;
            let name = format!("{}{number}", visited.base);
            Arc::make_mut(&mut self.names).insert(visited.symbol, name);
            self.order.push((visited.symbol, visited.deferred));
        }
    }

    fn make_undeferred(&mut self, index: usize) {
        if self.visited[index].deferred {
            self.visited[index].deferred = false;
            for child in self.visited[index].children.clone() {
                self.make_undeferred(child);
            }
        }
    }
}

fn attribute_alias(context: &Context, attribute: Attribute) -> &'static str {
    match attribute.kind(context) {
        AttributeKind::AffineMap(_) => "map",
        AttributeKind::IntegerSet(_) => "set",
        AttributeKind::Distinct { .. } => "distinct",
        AttributeKind::Location(_) => "loc",
        AttributeKind::Dialect { name, .. } => {
            let definition = context.attribute_definition(context.text(*name));
            let extension = definition.and_then(|definition| definition.extension);
            extension
                .and_then(|extension| extension.alias)
                .unwrap_or("")
        }
        _ => "",
    }
}

fn type_alias(context: &Context, ty: Type) -> &'static str {
    match ty.kind(context) {
        TypeKind::Tuple(types) if types.len() > MAX_TUPLE_IN_PLACE => "tuple",
        TypeKind::Dialect { name, .. } => {
            let definition = context.type_definition(context.text(*name));
            let extension = definition.and_then(|definition| definition.extension);
            extension
                .and_then(|extension| extension.alias)
                .unwrap_or("")
        }
        _ => "",
    }
}

impl<'a> Printer<'a> {
    /// Visits `symbol` and its contents; `children` visits the contents.
    fn visit(
        &mut self,
        symbol: Symbol,
        base: &'static str,
        deferred: bool,
        children: impl FnOnce(&mut Self),
    ) {
        let known = self.aliases.index.get(&symbol).copied();
        let index = match known {
            Some(index) => {
                if !deferred {
                    self.aliases.make_undeferred(index);
                }
                index
            }
            None => {
                let index = self.aliases.visited.len();
                let depth = usize::from(!base.is_empty());
                self.aliases.visited.push(Visited {
                    symbol,
                    base,
                    depth,
                    deferred,
                    children: Vec::new(),
                });
                self.aliases.index.insert(symbol, index);
                let outer = std::mem::take(&mut self.aliases.children);
                children(self);
                let children = std::mem::replace(&mut self.aliases.children, outer);
                let deepest = children
                    .iter()
                    .map(|child| self.aliases.visited[*child].depth)
                    .max()
                    .unwrap_or(0);
                let visited = &mut self.aliases.visited[index];
                visited.children = children;
                if deepest > 0 {
                    visited.depth = deepest + 1;
                }
                index
            }
        };
        self.aliases.children.push(index);
    }

    pub(crate) fn visit_type(&mut self, ty: Type) {
        let base = type_alias(self.context, ty);
        self.visit(Symbol::Type(ty), base, false, |printer| {
            printer.type_in_place(ty)
        });
    }

    pub(crate) fn visit_attribute(&mut self, attribute: Attribute) {
        if let AttributeKind::Location(location) = attribute.kind(self.context) {
            self.visit_location(*location, false);
            return;
        }
        let base = attribute_alias(self.context, attribute);
        self.visit(Symbol::Attribute(attribute), base, false, |printer| {
            printer.visit_parts(attribute);
        });
    }

    /// Visits the contents of an attribute. Numbers and lists of numbers are not printed for that.
    fn visit_parts(&mut self, attribute: Attribute) {
        match attribute.kind(self.context) {
            AttributeKind::DenseElements { ty, .. } | AttributeKind::DenseStrings { ty, .. } => {
                self.ty(*ty)
            }
            AttributeKind::SparseElements { ty, .. } => self.ty(*ty),
            AttributeKind::DenseArray { element, .. } => self.ty(*element),
            _ => self.attribute_in_place(attribute, true),
        }
    }

    pub(crate) fn visit_location(&mut self, location: Location, deferred: bool) {
        let context = self.context;
        self.visit(
            Symbol::Location(location),
            "loc",
            deferred,
            |printer| match &*location.kind(context) {
                LocationKind::Unknown | LocationKind::File { .. } | LocationKind::Range { .. } => {}
                LocationKind::Name { child, .. } => {
                    if *child != Location::UNKNOWN {
                        printer.visit_location(*child, deferred);
                    }
                }
                LocationKind::CallSite { callee, caller } => {
                    printer.visit_location(*callee, deferred);
                    printer.visit_location(*caller, deferred);
                }
                LocationKind::Fused { parts, metadata } => {
                    metadata
                        .iter()
                        .for_each(|metadata| printer.visit_attribute(*metadata));
                    parts
                        .iter()
                        .for_each(|part| printer.visit_location(*part, deferred));
                }
            },
        );
    }

    pub(crate) fn visit_argument_location(&mut self, location: Location) {
        if self.collecting {
            self.visit_location(location, false);
        }
    }

    pub(crate) fn print_type_alias(&mut self, ty: Type) -> bool {
        self.print_alias("!", Symbol::Type(ty))
    }

    pub(crate) fn print_attribute_alias(&mut self, attribute: Attribute) -> bool {
        match attribute.kind(self.context) {
            AttributeKind::Location(location) => self.print_alias("#", Symbol::Location(*location)),
            _ => self.print_alias("#", Symbol::Attribute(attribute)),
        }
    }

    pub(crate) fn print_location_alias(&mut self, location: Location) -> bool {
        self.print_alias("#", Symbol::Location(location))
    }

    fn print_alias(&mut self, prefix: &str, symbol: Symbol) -> bool {
        if self.aliases.names.is_empty() {
            return false;
        }
        let Some(name) = self.aliases.names.get(&symbol) else {
            return false;
        };
        self.out.push_str(prefix);
        self.out.push_str(name);
        true
    }

    /// Prints the definitions before (or, if deferred, after) the operations.
    pub(crate) fn alias_definitions(&mut self, deferred: bool) {
        let order = self.aliases.order.clone();
        for (symbol, _) in order.into_iter().filter(|(_, d)| *d == deferred) {
            let prefix = if matches!(symbol, Symbol::Type(_)) {
                "!"
            } else {
                "#"
            };
            self.print_alias(prefix, symbol);
            self.text(" = ");
            match symbol {
                Symbol::Type(ty) => self.type_in_place(ty),
                Symbol::Attribute(attribute) => self.attribute_in_place(attribute, true),
                Symbol::Location(location) => {
                    self.text("loc(");
                    self.location_in_place(location);
                    self.text(")");
                }
            }
            self.newline();
        }
    }
}

/// Returns true if anything in `op` may get an alias; otherwise the pass that searches for aliases is skipped.
pub(crate) fn may_need_aliases(context: &Context, body: &Body, op: OperationId) -> bool {
    let mut search = Search {
        context,
        attributes: Map::default(),
        types: Map::default(),
        plain: None,
    };
    search.with_inner(body, op)
}

struct Search<'a> {
    context: &'a Context,
    attributes: Map<Attribute, bool>,
    types: Map<Type, bool>,
    /// The last type without anything to name: most operations have the same type as the previous one.
    plain: Option<Type>,
}

impl Search<'_> {
    fn with_inner(&mut self, body: &Body, op: OperationId) -> bool {
        if self.operation(body, op) {
            return true;
        }
        let inner = body.inner(op);
        let mut blocks = (body.regions(op).iter()).flat_map(|region| inner.blocks(*region));
        blocks.any(|block| {
            let mut operations = inner.operations(*block);
            operations.any(|op| self.with_inner(inner, op))
        })
    }

    fn operation(&mut self, body: &Body, op: OperationId) -> bool {
        let attributes = body.attributes(op).iter().map(|(_, attribute)| *attribute);
        if attributes
            .chain(body.unregistered_properties(op))
            .any(|attribute| self.attribute(attribute))
        {
            return true;
        }
        let mut results = body.results(op).iter();
        if results.any(|value| self.ty(body.ty(*value))) {
            return true;
        }
        let inner = body.inner(op);
        let blocks = (body.regions(op).iter()).flat_map(|region| inner.blocks(*region));
        let mut arguments = blocks.flat_map(|block| inner.arguments(*block));
        arguments.any(|value| self.ty(inner.ty(*value)))
    }

    fn attribute(&mut self, attribute: Attribute) -> bool {
        if let Some(known) = self.attributes.get(&attribute) {
            return *known;
        }
        let context = self.context;
        let found = !attribute_alias(context, attribute).is_empty()
            || match attribute.kind(context) {
                AttributeKind::Array(elements) => {
                    elements.iter().any(|element| self.attribute(*element))
                }
                AttributeKind::Dictionary(entries) => {
                    entries.iter().any(|(_, value)| self.attribute(*value))
                }
                AttributeKind::Dialect { parameters, .. } => {
                    parameters.iter().any(|value| self.attribute(*value))
                }
                AttributeKind::Type(ty) => self.ty(*ty),
                _ => attribute.ty(context).is_some_and(|ty| self.ty(ty)),
            };
        self.attributes.insert(attribute, found);
        found
    }

    fn ty(&mut self, ty: Type) -> bool {
        if self.plain == Some(ty) {
            return false;
        }
        let found = self.type_within(ty);
        if !found {
            self.plain = Some(ty);
        }
        found
    }

    fn type_within(&mut self, ty: Type) -> bool {
        if let Some(known) = self.types.get(&ty) {
            return *known;
        }
        let context = self.context;
        let mut some = |types: &[Type]| types.iter().any(|ty| self.ty(*ty));
        let found = !type_alias(context, ty).is_empty()
            || match ty.kind(context) {
                TypeKind::Function { inputs, results } => some(inputs) || some(results),
                TypeKind::Tuple(types) => some(types),
                TypeKind::Dialect { parameters, .. } => {
                    parameters.iter().any(|value| self.attribute(*value))
                }
                TypeKind::MemRef {
                    layout,
                    memory_space,
                    element,
                    ..
                } => {
                    some(&[*element])
                        || [layout, memory_space]
                            .into_iter()
                            .flatten()
                            .any(|a| self.attribute(*a))
                }
                TypeKind::UnrankedMemRef {
                    memory_space,
                    element,
                } => some(&[*element]) || memory_space.iter().any(|a| self.attribute(*a)),
                TypeKind::RankedTensor {
                    encoding, element, ..
                } => some(&[*element]) || encoding.iter().any(|a| self.attribute(*a)),
                TypeKind::UnrankedTensor(element) | TypeKind::Complex(element) => some(&[*element]),
                TypeKind::Vector { .. }
                | TypeKind::Integer { .. }
                | TypeKind::Index
                | TypeKind::Float(_)
                | TypeKind::None
                | TypeKind::Opaque { .. } => false,
            };
        self.types.insert(ty, found);
        found
    }
}
