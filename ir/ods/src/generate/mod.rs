//! Generates Rust from the tree of a declaration: static tables, accessors, builders.

mod accessors;
mod builders;
mod enumerations;
mod extension;
mod parameters;
mod symbols;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;

use crate::names::snake_case;
use crate::parse::{
    Arity, Assembly, AttributeField, Declaration, Dialect, Head, Meaning, Operation, Presence,
    Region, RegionSize, SymbolKind, Value, error,
};

/// Names of `sluice_ir::definition::Traits` constants; the compiler checks that they exist.
const TRAITS: &[&str] = &[
    "PURE",
    "COMMUTATIVE",
    "IDEMPOTENT",
    "INVOLUTION",
    "CONSTANT_LIKE",
    "TERMINATOR",
    "NO_TERMINATOR",
    "SINGLE_BLOCK",
    "ISOLATED_FROM_ABOVE",
    "SYMBOL_TABLE",
    "SYMBOL",
    "GRAPH_REGION",
    "AFFINE_SCOPE",
    "SAME_OPERANDS_AND_RESULT_TYPE",
    "SAME_TYPE_OPERANDS",
    "SAME_OPERANDS_AND_RESULT_SHAPE",
    "SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE",
    "ATTR_SIZED_OPERAND_SEGMENTS",
    "ATTR_SIZED_RESULT_SEGMENTS",
    "SAME_VARIADIC_OPERAND_SIZE",
    "RETURN_LIKE",
    "RECURSIVE_MEMORY_EFFECTS",
    "LOOP_LIKE",
    "NO_REGION_ARGUMENTS",
    "AUTOMATIC_ALLOCATION_SCOPE",
    "ELEMENTWISE",
    "FUNCTION_LIKE",
    "CALL_LIKE",
    "BRANCH_LIKE",
    "DISCARDABLE_ATTRIBUTES",
    "SPECULATABLE",
    "VIEW_LIKE",
    "SAME_VARIADIC_RESULT_SIZE",
];

pub(crate) fn expand(declaration: &Declaration) -> TokenStream {
    let dialect_name = match &declaration.head {
        Head::Dialect(dialect) => dialect
            .name
            .as_ref()
            .map(syn::LitStr::value)
            .unwrap_or_default(),
        Head::Group { name } => name.value(),
    };
    let operations = declaration
        .operations
        .iter()
        .map(|op| operation(&dialect_name, op));
    let statics = declaration
        .operations
        .iter()
        .map(|op| static_name(&op.name));
    let entries: Vec<TokenStream> = declaration
        .operations
        .iter()
        .map(|op| {
            let (name, full_name) = (&op.name, format!("{dialect_name}.{}", op.mnemonic.value()));
            quote!(#name = #full_name,)
        })
        .collect();
    let mut types = Vec::new();
    let mut attributes = Vec::new();
    let symbols = declaration.symbols.iter().map(|symbol| {
        let name = symbols::static_name(symbol);
        match symbol.kind {
            SymbolKind::Type => types.push(name),
            SymbolKind::Attribute => attributes.push(name),
        }
        symbols::symbol(&dialect_name, symbol)
    });
    let symbols: Vec<_> = symbols.collect();
    let enumerations = declaration.enumerations.iter().map(|one| {
        attributes.extend(enumerations::attribute_name(one));
        enumerations::enumeration(&dialect_name, one)
    });
    let enumerations: Vec<_> = enumerations.collect();
    if let (Head::Group { name }, false) =
        (&declaration.head, types.is_empty() && attributes.is_empty())
    {
        let message = "types, attributes and enumerations stored as attributes are declared with the dialect, not in a group";
        return error(name.span(), message);
    }
    let dialect = match &declaration.head {
        Head::Dialect(dialect) => {
            let dialect_part = expand_dialect(dialect, &types, &attributes);
            let kinds = kinds(dialect, &dialect_name, &entries);
            quote!(#dialect_part #kinds)
        }
        Head::Group { .. } => hand_on(&entries),
    };
    let list_doc = format!("The operations of `{dialect_name}` that are declared here.");
    quote! {
        #(#symbols)*
        #(#enumerations)*
        #(#operations)*

        #[doc = #list_doc]
        pub static OPERATIONS: &[&::sluice_ir::definition::OperationDefinition] = &[#(&#statics),*];

        #dialect
    }
}

/// Returns the macro of a group: it adds its operations to those collected so far, and calls the next group or `operations!`.
fn hand_on(entries: &[TokenStream]) -> TokenStream {
    quote! {
        #[doc(hidden)]
        macro_rules! with_operations {
            ({ $($before:tt)* } []) => { ::sluice_ods::operations! { $($before)* #(#entries)* } };
            ({ $($before:tt)* } [ $($step:ident)::+; $($rest:tt)* ]) => {
                $($step)::+! { { $($before)* #(#entries)* } [ $($rest)* ] }
            };
        }
        #[allow(unused_imports)]
        pub(crate) use with_operations;
    }
}

/// Returns the enum of all operations of a dialect, including those of its groups.
fn kinds(dialect: &Dialect, name: &str, entries: &[TokenStream]) -> TokenStream {
    if dialect.name.is_none() {
        return TokenStream::new();
    }
    let mut steps = dialect.groups.iter().map(|group| {
        let mut path = group.clone();
        if let Some(last) = path.segments.last_mut() {
            last.ident = format_ident!("with_operations");
        }
        path
    });
    match steps.next() {
        None => quote!(::sluice_ods::operations! { #name; #(#entries)* }),
        Some(first) => quote! {
            #first! { { #name; #(#entries)* } [ #(#steps;)* ] }
        },
    }
}

/// Returns the enum of the operations of a dialect, from their Rust names and full names.
pub(crate) fn expand_operations(name: &str, all: &[(Ident, syn::LitStr)]) -> TokenStream {
    let doc = format!("The operations of `{name}`, to be told apart.");
    let variants = all.iter().map(|(variant, full_name)| {
        let doc = format!("`{}`.", full_name.value());
        quote!(#[doc = #doc] #variant)
    });
    let (names, full_names): (Vec<_>, Vec<_>) = all.iter().cloned().unzip();
    quote! {
        #[doc = #doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Op { #(#variants),* }

        impl Op {
            /// All of them.
            pub const ALL: &'static [Self] = &[#(Self::#names),*];

            /// Returns the operation of a full name.
            pub fn from_name(name: &str) -> ::core::option::Option<Self> {
                match name {
                    #(#full_names => ::core::option::Option::Some(Self::#names),)*
                    _ => ::core::option::Option::None,
                }
            }

            /// Returns the operation that a view shows, if it is one of these.
            pub fn of(view: ::sluice_ir::View<'_>) -> ::core::option::Option<Self> {
                Self::from_name(view.name())
            }

            /// Returns the full name.
            pub fn name(self) -> &'static str {
                match self {
                    #(Self::#names => #full_names,)*
                }
            }
        }
    }
}

fn expand_dialect(dialect: &Dialect, own_types: &[Ident], own_attributes: &[Ident]) -> TokenStream {
    let Some(name) = &dialect.name else {
        return TokenStream::new();
    };
    let Some(summary) = &dialect.summary else {
        return error(name.span(), "a dialect has a `summary`");
    };
    let description = dialect
        .description
        .as_ref()
        .map(syn::LitStr::value)
        .unwrap_or_default();
    let (types, attributes, groups) = (&dialect.types, &dialect.attributes, &dialect.groups);
    let materialize = optional(dialect.materialize_constant.as_ref());
    let version = match &dialect.version {
        Some(version) => quote!(::core::option::Option::Some(&#version)),
        None => quote!(::core::option::Option::None),
    };
    let partial = dialect.partial;
    let extension = extension::of_dialect(dialect);
    let doc = format!("The dialect `{}`.", name.value());
    quote! {
        #[doc = #doc]
        pub static DIALECT: ::sluice_ir::definition::Dialect = ::sluice_ir::definition::Dialect {
            name: #name,
            summary: #summary,
            description: #description,
            operations: &[OPERATIONS, #(#groups),*],
            types: &[#(&#types,)* #(&#own_types),*],
            attributes: &[#(&#attributes,)* #(&#own_attributes),*],
            keys: &[],
            materialize_constant: #materialize,
            version: #version,
            loaded: false,
            partial: #partial,
            extension: #extension,
        };
    }
}

fn optional<T: quote::ToTokens>(value: Option<&T>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// Returns the name of the static of an operation. A name without a lower-case letter, such as `X`, is that of the view already.
fn static_name(name: &Ident) -> Ident {
    let text = name.unraw().to_string();
    let upper = snake_case(&text).to_uppercase();
    match upper == text {
        true => format_ident!("{upper}_OPERATION", span = name.span()),
        false => format_ident!("{upper}", span = name.span()),
    }
}

fn arity(arity: Arity) -> TokenStream {
    match arity {
        Arity::Single => quote!(Arity::Single),
        Arity::Optional => quote!(Arity::Optional),
        Arity::Variadic => quote!(Arity::Variadic),
    }
}

fn specs(values: &[Value]) -> TokenStream {
    let specs = values.iter().map(|value| {
        let (name, arity, constraint) = (&value.text, arity(value.arity), &value.constraint);
        quote!(OperandSpec { name: #name, arity: #arity, constraint: &#constraint })
    });
    quote!(&[#(#specs),*])
}

fn attribute_specs(fields: &[AttributeField]) -> TokenStream {
    let specs = fields.iter().map(|field| {
        let (name, constraint) = (&field.text, &field.constraint);
        let presence = match &field.presence {
            Presence::Required => quote!(Presence::Required),
            Presence::Optional => quote!(Presence::Optional),
            Presence::Default(default) => quote!(Presence::Default(#default)),
            Presence::Elided(default) => quote!(Presence::Elided(#default)),
            Presence::Flag => quote!(Presence::Flag),
        };
        let since = since(field.since.as_ref());
        quote!(AttributeSpec { name: #name, constraint: &#constraint, presence: #presence, since: #since })
    });
    quote!(&[#(#specs),*])
}

/// Returns the presence of an attribute for accessors and builders: what a later version requires may be absent.
fn accessible(field: &AttributeField) -> &Presence {
    match (&field.presence, &field.since) {
        (Presence::Required, Some(_)) => &Presence::Optional,
        (presence, _) => presence,
    }
}

/// Returns the version of MLIR in which something came; 0 if it was always there.
fn since(version: Option<&syn::LitInt>) -> TokenStream {
    match version {
        Some(version) => quote!(#version),
        None => quote!(0),
    }
}

fn region_spec(region: &Region) -> TokenStream {
    let name = &region.text;
    let arity = arity(if region.variadic {
        Arity::Variadic
    } else {
        Arity::Single
    });
    let constraint = match &region.size {
        RegionSize::Any => quote!(RegionConstraint::Any),
        RegionSize::Sized(n) => quote!(RegionConstraint::Sized(#n)),
        RegionSize::MaxSized(n) => quote!(RegionConstraint::MaxSized(#n)),
    };
    quote!(RegionSpec { name: #name, arity: #arity, constraint: #constraint })
}

/// Returns the assembly of an operation, and conditions on its constraints that the compiler checks.
fn assembly(op: &Operation) -> Result<(TokenStream, TokenStream), TokenStream> {
    match &op.assembly {
        Assembly::Generic => Ok((quote!(Assembly::Generic), TokenStream::new())),
        Assembly::Custom(parse, print) => {
            let code = quote!(Assembly::Custom { parse: #parse, print: #print });
            Ok((code, TokenStream::new()))
        }
        Assembly::Format(text) => match crate::format::compile(op, text) {
            Ok(code) => {
                let table = code.table;
                Ok((quote!(Assembly::Format(#table)), code.assertions))
            }
            Err(faults) => {
                let faults = faults
                    .into_iter()
                    .map(|(span, message)| error(span, message));
                Err(faults.collect())
            }
        },
    }
}

fn traits(op: &Operation) -> Result<TokenStream, TokenStream> {
    let mut all = quote!(Traits::NONE);
    for name in &op.traits {
        if !TRAITS.contains(&name.to_string().as_str()) {
            return Err(error(
                name.span(),
                format!("unknown trait `{name}`; there is: {}", TRAITS.join(", ")),
            ));
        }
        all = quote!(#all.union(Traits::#name));
    }
    Ok(all)
}

fn meaning(op: &Operation) -> Result<(TokenStream, TokenStream), TokenStream> {
    let (closure, body) = match &op.meaning {
        Some(Meaning::Results(closure)) => {
            let body = &closure.body;
            (closure, quote!(#body))
        }
        Some(Meaning::Value(closure)) => {
            let body = &closure.body;
            let results = quote!(::core::option::Option::Some(::smallvec::smallvec![#body]));
            (closure, results)
        }
        None => return Ok((TokenStream::new(), quote!(::core::option::Option::None))),
    };
    let inputs: Vec<_> = closure.inputs.iter().collect();
    let [site, algebra, x] = inputs[..] else {
        return Err(syn::Error::new_spanned(
            closure.or1_token,
            "a meaning and a value are `|site, algebra, x| ...`",
        )
        .to_compile_error());
    };
    // A hygienic name that cannot collide with names in the closure.
    let place = Ident::new("place", Span::mixed_site());
    let guard = op.defined_if.as_ref().map(|is_defined| {
        quote! {
            if !#is_defined(#place) {
                return ::core::option::Option::None;
            }
        }
    });
    let function = quote! {
        #[allow(unused_variables)]
        fn meaning<A: ::sluice_ir::algebra::Algebra>(
            #place: ::sluice_ir::definition::Site<'_>,
            #algebra: &mut A,
            #x: &[A::Word],
        ) -> ::sluice_ir::definition::MeaningResults<A::Word> {
            #[allow(unused_imports)]
            use ::sluice_ir::algebra::Algebra as _;
            #guard
            let #site = #place;
            #body
        }
    };
    let value = quote! {
        ::core::option::Option::Some(::sluice_ir::definition::Meaning {
            evaluate: meaning::<::sluice_ir::algebra::Concrete>,
            denote: meaning::<::sluice_ir::algebra::Terms>,
            known_bits: meaning::<::sluice_ir::algebra::KnownBits>,
            ranges: meaning::<::sluice_ir::algebra::Ranges>,
        })
    };
    Ok((function, value))
}

/// Names of functions that every operation has.
const RESERVED: &[&str] = &["build", "build_generic", "build_typed", "cast"];

/// Returns the errors of names and groups.
fn faults(op: &Operation) -> Option<TokenStream> {
    let mut seen: Vec<String> = Vec::new();
    let mut faults = TokenStream::new();
    let names = op.operands.iter().chain(&op.results).map(|v| &v.name);
    let names = names.chain(op.attributes.iter().map(|a| &a.name));
    let names = names.chain(op.regions.iter().map(|r| &r.name));
    let names = names.chain(op.successors.iter().map(|s| &s.name));
    let names = names.chain(op.derived.iter().map(|one| &one.name));
    for name in names.chain(op.builders.iter().map(|one| &one.name)) {
        let text = name.to_string();
        if RESERVED.contains(&text.as_str()) {
            let message = format!(
                "`{text}` is a function of every operation; write `{text}_(\"{text}\")` to keep the name in texts"
            );
            faults.extend(error(name.span(), message));
        }
        if seen.contains(&text) {
            faults.extend(error(name.span(), format!("`{name}` is declared twice")));
        }
        seen.push(text);
    }
    faults.extend(groups(op));
    (!faults.is_empty()).then_some(faults)
}

/// Checks that the sizes of groups can be found.
fn groups(op: &Operation) -> TokenStream {
    let mut faults = TokenStream::new();
    let kinds = [
        (
            "operand",
            &op.operands,
            ["ATTR_SIZED_OPERAND_SEGMENTS", "SAME_VARIADIC_OPERAND_SIZE"],
        ),
        (
            "result",
            &op.results,
            ["ATTR_SIZED_RESULT_SEGMENTS", "SAME_VARIADIC_RESULT_SIZE"],
        ),
    ];
    for (what, values, traits) in kinds {
        let mut flexible = values.iter().filter(|value| value.arity != Arity::Single);
        let is_sized = traits.iter().any(|one| op.has_trait(one));
        if let (Some(_), Some(second), false) = (flexible.next(), flexible.next(), is_sized) {
            let message = format!(
                "more than one optional or variadic {what} needs a trait that gives their sizes: `{}` or `{}`",
                traits[0], traits[1]
            );
            faults.extend(error(second.name.span(), message));
        }
    }
    for value in op.operands.iter().chain(&op.results) {
        let Some(sizes) = &value.nested else { continue };
        let declared = op
            .attributes
            .iter()
            .any(|field| field.text == sizes.value());
        if !declared {
            let message = format!(
                "the sizes of the groups are in an attribute: declare `{}: DENSE_I32_ARRAY`",
                sizes.value()
            );
            faults.extend(error(sizes.span(), message));
        }
    }
    if let Some(value) = op.results.iter().find(|value| value.nested.is_some()) {
        let message = "only operands form groups of groups";
        faults.extend(error(value.name.span(), message));
    }
    let regions = op
        .regions
        .iter()
        .map(|region| (&region.name, region.variadic));
    let successors = op.successors.iter().map(|one| (&one.name, one.variadic));
    let lists: [(&str, Vec<(&Ident, bool)>); 2] = [
        ("region", regions.collect()),
        ("successor", successors.collect()),
    ];
    for (what, list) in lists {
        for (name, is_variadic) in list.iter().rev().skip(1) {
            if *is_variadic {
                let message = format!("only the last {what} is variadic");
                faults.extend(error(name.span(), message));
            }
        }
    }
    faults
}

fn operation(dialect: &str, op: &Operation) -> TokenStream {
    if let Some(error) = faults(op) {
        return error;
    }
    let ((assembly, assertions), traits, (meaning_function, meaning)) =
        match (assembly(op), traits(op), meaning(op)) {
            (Ok(assembly), Ok(traits), Ok(meaning)) => (assembly, traits, meaning),
            (Err(error), _, _) | (_, Err(error), _) | (_, _, Err(error)) => return error,
        };
    let name = &op.name;
    let static_name = static_name(name);
    let full_name = format!("{dialect}.{}", op.mnemonic.value());
    let summary_end = op
        .documentation
        .iter()
        .position(String::is_empty)
        .unwrap_or(op.documentation.len());
    let summary = op.documentation[..summary_end].join(" ");
    let description = op
        .documentation
        .get(summary_end + 1..)
        .unwrap_or_default()
        .join("\n");
    let (operands, results, attributes) = (
        specs(&op.operands),
        specs(&op.results),
        attribute_specs(&op.attributes),
    );
    let regions = op.regions.iter().map(region_spec);
    let successors = op.successors.iter().map(|successor| {
        let name = &successor.text;
        let arity = arity(if successor.variadic {
            Arity::Variadic
        } else {
            Arity::Single
        });
        quote!(SuccessorSpec { name: #name, arity: #arity })
    });
    let nested = op.operands.iter().enumerate().filter_map(|(group, value)| {
        let sizes = value.nested.as_ref()?;
        Some(quote!(NestedSizes { group: #group, sizes: #sizes }))
    });
    let own_rules = op.rules.iter().map(|rule| quote!(#rule));
    let rules: Vec<_> = own_rules.chain(nested).collect();
    let effects = &op.effects;
    let verify = optional(op.verify.as_ref().map(|verify| quote!(&#verify)).as_ref());
    let verify_regions = optional(op.verify_regions.as_ref());
    let verify_symbols = optional(op.verify_symbols.as_ref());
    let names = optional(op.names.as_ref());
    let (fold, infer) = (optional(op.fold.as_ref()), optional(op.infer.as_ref()));
    let custom_if = optional(op.custom_if.as_ref());
    let region_flow = optional(op.region_flow.as_ref());
    let successor = optional(op.successor.as_ref());
    let speculatable = optional(op.speculatable.as_ref());
    let since = since(op.since.as_ref());
    let static_doc = format!("The declaration of `{full_name}`.");
    let struct_doc = format!("`{full_name}`: {summary}");
    let extension = extension::of_operation(op);
    let accessors = accessors::accessors(op);
    let build = builders::builders(op);
    quote! {
        #assertions

        #[doc = #static_doc]
        pub static #static_name: ::sluice_ir::definition::OperationDefinition = {
            #[allow(unused_imports)]
            use ::sluice_ir::definition::{
                Arity, Assembly, AttributeSpec, Effect::*, FormatElement, OperandSpec, Presence, RegionConstraint, RegionSpec,
                SuccessorSpec, TraitRule::*, Traits, TypesOf,
            };
            #meaning_function
            ::sluice_ir::definition::OperationDefinition {
                name: #full_name,
                summary: #summary,
                description: #description,
                operands: #operands,
                results: #results,
                attributes: #attributes,
                regions: &[#(#regions),*],
                successors: &[#(#successors),*],
                traits: #traits,
                rules: &[#(#rules),*],
                effects: &[#(#effects),*],
                speculatable: #speculatable,
                assembly: #assembly,
                verify: #verify,
                verify_regions: #verify_regions,
                verify_symbols: #verify_symbols,
                names: #names,
                fold: #fold,
                infer: #infer,
                custom_if: #custom_if,
                region_flow: #region_flow,
                successor: #successor,
                meaning: #meaning,
                since: #since,
                extension: #extension,
            }
        };

        #[doc = #struct_doc]
        #[derive(Clone, Copy)]
        pub struct #name<'a>(pub ::sluice_ir::View<'a>);

        // The operation itself may be called `cast`.
        #[allow(clippy::self_named_constructors)]
        impl<'a> #name<'a> {
            /// The declaration.
            pub const DEFINITION: &'static ::sluice_ir::definition::OperationDefinition = &#static_name;

            /// The full name.
            pub const NAME: &'static str = #full_name;

            /// Returns the view as this operation, if it is one.
            pub fn cast(view: ::sluice_ir::View<'a>) -> ::core::option::Option<Self> {
                view.is(Self::DEFINITION).then_some(Self(view))
            }

            #accessors
            #build
        }
    }
}
