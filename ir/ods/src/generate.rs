//! Generates Rust from the tree of a declaration: static tables, accessors, builders.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use crate::format::{snake_case, table};
use crate::parse::{
    Arity, Assembly, AttributeField, Declaration, Dialect, Head, Meaning, Operation, Presence,
    Region, RegionSize, Value, error,
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
    let dialect = match &declaration.head {
        Head::Dialect(dialect) => {
            let dialect_part = expand_dialect(dialect);
            let kinds = kinds(dialect, &dialect_name, &entries);
            quote!(#dialect_part #kinds)
        }
        Head::Group { .. } => hand_on(&entries),
    };
    let list_doc = format!("The operations of `{dialect_name}` that are declared here.");
    quote! {
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

fn expand_dialect(dialect: &Dialect) -> TokenStream {
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
    let doc = format!("The dialect `{}`.", name.value());
    quote! {
        #[doc = #doc]
        pub static DIALECT: ::sluice_ir::definition::Dialect = ::sluice_ir::definition::Dialect {
            name: #name,
            summary: #summary,
            description: #description,
            operations: &[OPERATIONS, #(#groups),*],
            types: &[#(&#types),*],
            attributes: &[#(&#attributes),*],
            keys: &[],
            materialize_constant: #materialize,
            version: #version,
            loaded: false,
            partial: #partial,
        };
    }
}

fn optional<T: quote::ToTokens>(value: Option<&T>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

fn static_name(name: &Ident) -> Ident {
    format_ident!(
        "{}",
        snake_case(&name.to_string()).to_uppercase(),
        span = name.span()
    )
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
        let (name, arity, constraint) = (
            value.name.to_string(),
            arity(value.arity),
            &value.constraint,
        );
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

fn assembly(op: &Operation) -> Result<TokenStream, TokenStream> {
    match &op.assembly {
        Assembly::Generic => Ok(quote!(Assembly::Generic)),
        Assembly::Custom(parse, print) => {
            Ok(quote!(Assembly::Custom { parse: #parse, print: #print }))
        }
        Assembly::Format(text) => {
            let table = table(op, text).map_err(|(span, message)| error(span, message))?;
            Ok(quote!(Assembly::Format(#table)))
        }
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

fn duplicates(op: &Operation) -> Option<TokenStream> {
    let mut seen: Vec<String> = Vec::new();
    let names = op.operands.iter().chain(&op.results).map(|v| &v.name);
    let names = names.chain(op.attributes.iter().map(|a| &a.name));
    let names = names.chain(op.regions.iter().map(|r| &r.name));
    for name in names.chain(op.successors.iter().map(|s| &s.name)) {
        if seen.contains(&name.to_string()) {
            return Some(error(name.span(), format!("`{name}` is declared twice")));
        }
        seen.push(name.to_string());
    }
    None
}

fn operation(dialect: &str, op: &Operation) -> TokenStream {
    if let Some(error) = duplicates(op) {
        return error;
    }
    let (assembly, traits, (meaning_function, meaning)) =
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
        let name = successor.name.to_string();
        let arity = arity(if successor.variadic {
            Arity::Variadic
        } else {
            Arity::Single
        });
        quote!(SuccessorSpec { name: #name, arity: #arity })
    });
    let (rules, effects) = (&op.rules, &op.effects);
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
    let accessors = accessors(op);
    let build = builder(op);
    quote! {
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

fn accessors(op: &Operation) -> TokenStream {
    let operands = op.operands.iter().enumerate().map(|(i, value)| {
        let name = &value.name;
        let doc = format!("Operand `{name}`.");
        match value.arity {
            Arity::Single => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::sluice_ir::ValueId { self.0.operand_group(#i)[0] }
            },
            Arity::Optional => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::core::option::Option<::sluice_ir::ValueId> {
                    self.0.operand_group(#i).first().copied()
                }
            },
            Arity::Variadic => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::smallvec::SmallVec<[::sluice_ir::ValueId; 4]> { self.0.operand_group(#i) }
            },
        }
    });
    let results = op.results.iter().enumerate().map(|(i, value)| {
        let name = &value.name;
        let doc = format!("Result `{name}`.");
        match value.arity {
            Arity::Single => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::sluice_ir::ValueId { self.0.result_group(#i)[0] }
            },
            Arity::Optional => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::core::option::Option<::sluice_ir::ValueId> {
                    self.0.result_group(#i).first().copied()
                }
            },
            Arity::Variadic => quote! {
                #[doc = #doc]
                pub fn #name(self) -> &'a [::sluice_ir::ValueId] { self.0.result_group(#i) }
            },
        }
    });
    let attributes = op.attributes.iter().enumerate().map(|(i, field)| {
        let name = &field.name;
        let doc = format!("Attribute `{}`.", field.text);
        match accessible(field) {
            Presence::Optional | Presence::Elided(_) | Presence::Flag => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::core::option::Option<::sluice_ir::Attribute> { self.0.inherent_attribute(#i) }
            },
            Presence::Default(default) => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::sluice_ir::Attribute {
                    self.0.inherent_attribute(#i).unwrap_or_else(|| (#default)(self.0.context))
                }
            },
            Presence::Required => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::sluice_ir::Attribute {
                    self.0.inherent_attribute(#i).expect("the verifier requires this attribute")
                }
            },
        }
    });
    let regions = op.regions.iter().enumerate().map(|(i, region)| {
        let name = &region.name;
        let doc = format!("Region `{name}`.");
        if region.variadic {
            quote! {
                #[doc = #doc]
                pub fn #name(self) -> &'a [::sluice_ir::RegionId] { &self.0.regions()[#i..] }
            }
        } else {
            quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::sluice_ir::RegionId { self.0.regions()[#i] }
            }
        }
    });
    let successors = op.successors.iter().enumerate().map(|(i, successor)| {
        let name = &successor.name;
        let doc = format!("Successor `{name}`.");
        if successor.variadic {
            quote! {
                #[doc = #doc]
                pub fn #name(self) -> &'a [::sluice_ir::BlockId] { &self.0.successors()[#i..] }
            }
        } else {
            quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::sluice_ir::BlockId { self.0.successors()[#i] }
            }
        }
    });
    quote!(#(#operands)* #(#results)* #(#attributes)* #(#regions)* #(#successors)*)
}

/// Returns true if the builder infers the result types.
fn infers(op: &Operation) -> bool {
    op.results.is_empty()
        || op.infer.is_some()
        || (op.has_trait("SAME_OPERANDS_AND_RESULT_TYPE") && op.results.len() == 1)
}

fn builder(op: &Operation) -> TokenStream {
    let mut parameters = Vec::new();
    let mut operand_groups = Vec::new();
    for value in &op.operands {
        let name = &value.name;
        let (ty, group) = match value.arity {
            Arity::Single => (quote!(::sluice_ir::ValueId), quote!(&[#name])),
            Arity::Optional => (
                quote!(::core::option::Option<::sluice_ir::ValueId>),
                quote!(#name.as_slice()),
            ),
            Arity::Variadic => (quote!(&[::sluice_ir::ValueId]), quote!(#name)),
        };
        parameters.push(quote!(#name: #ty));
        operand_groups.push(group);
    }
    let mut attributes = Vec::new();
    for field in &op.attributes {
        let (name, text) = (&field.name, &field.text);
        match accessible(field) {
            Presence::Required => {
                parameters.push(quote!(#name: ::sluice_ir::Attribute));
                attributes.push(quote!((#text, ::core::option::Option::Some(#name))));
            }
            Presence::Optional | Presence::Default(_) | Presence::Elided(_) | Presence::Flag => {
                parameters.push(quote!(#name: ::core::option::Option<::sluice_ir::Attribute>));
                attributes.push(quote!((#text, #name)));
            }
        }
    }
    let mut result_groups = Vec::new();
    if !infers(op) {
        for value in &op.results {
            let name = format_ident!("{}_type", value.name);
            let (ty, group) = match value.arity {
                Arity::Single => (quote!(::sluice_ir::Type), quote!(&[#name])),
                Arity::Optional => (
                    quote!(::core::option::Option<::sluice_ir::Type>),
                    quote!(#name.as_slice()),
                ),
                Arity::Variadic => (quote!(&[::sluice_ir::Type]), quote!(#name)),
            };
            parameters.push(quote!(#name: #ty));
            result_groups.push(group);
        }
    }
    let results = if infers(op) && !op.results.is_empty() {
        quote!(::core::option::Option::None)
    } else {
        quote!(::core::option::Option::Some(&[#(#result_groups),*]))
    };
    let mut successors = Vec::new();
    for successor in &op.successors {
        let name = &successor.name;
        if successor.variadic {
            parameters.push(quote!(#name: &[::sluice_ir::BlockId]));
            successors.push(quote!(#name));
        } else {
            parameters.push(quote!(#name: ::sluice_ir::BlockId));
            successors.push(quote!(&[#name]));
        }
    }
    let n_regions = if op.regions.iter().any(|r| r.variadic) {
        parameters.push(quote!(n_regions: usize));
        quote!(n_regions)
    } else {
        let n = op.regions.len();
        quote!(#n)
    };
    quote! {
        /// Creates the operation at the insertion point; its regions are empty.
        #[allow(clippy::too_many_arguments)]
        pub fn build(builder: &mut ::sluice_ir::Builder<'_>, #(#parameters),*) -> ::sluice_ir::OperationId {
            ::sluice_ir::declared::build(
                builder,
                Self::DEFINITION,
                &[#(#operand_groups),*],
                &[#(#attributes),*],
                #results,
                &[#(#successors),*],
                #n_regions,
            )
        }
    }
}
