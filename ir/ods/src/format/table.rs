//! Writes the table of `FormatElement`s.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::element::{Argument, Element, Kind, Of};
use crate::names::snake_case;
use crate::parse::{Arity, Operation, Presence};

/// Returns the table of the elements.
pub(super) fn table(operation: &Operation, elements: &[Element]) -> TokenStream {
    let elements = elements.iter().map(|element| one(operation, element));
    quote!(&[#(#elements),*])
}

fn types_of(of: Of) -> TokenStream {
    match of {
        Of::Operand(i) => quote!(TypesOf::Operand(#i)),
        Of::Result(i) => quote!(TypesOf::Result(#i)),
        Of::Operands => quote!(TypesOf::Operands),
        Of::Results => quote!(TypesOf::Results),
    }
}

/// Returns the index of the attribute that holds the sizes of an operand group, if it is a group of groups.
pub(super) fn sizes_of(operation: &Operation, operand: usize) -> Option<usize> {
    let sizes = operation.operands[operand].nested.as_ref()?.value();
    operation
        .attributes
        .iter()
        .position(|field| field.text == sizes)
}

fn one(operation: &Operation, element: &Element) -> TokenStream {
    match &element.kind {
        Kind::Literal(text) => quote!(FormatElement::Literal(#text)),
        Kind::Whitespace(text) => quote!(FormatElement::Whitespace(#text)),
        Kind::Operand(i) => match sizes_of(operation, *i) {
            Some(sizes) => quote!(FormatElement::NestedOperands { group: #i, sizes: #sizes }),
            None => quote!(FormatElement::Operand(#i)),
        },
        Kind::Attribute { index, qualified } => {
            quote!(FormatElement::Attribute { index: #index, qualified: #qualified })
        }
        Kind::Region(i) => quote!(FormatElement::Region(#i)),
        Kind::Successor(i) => quote!(FormatElement::Successor(#i)),
        Kind::AttrDict { keyword } => quote!(FormatElement::AttrDict { keyword: #keyword }),
        Kind::PropDict => quote!(FormatElement::PropDict),
        Kind::Type { of, qualified } => {
            if let Of::Operand(i) = of
                && let Some(sizes) = sizes_of(operation, *i)
            {
                return quote!(FormatElement::NestedTypes { group: #i, sizes: #sizes });
            }
            let of = types_of(*of);
            match qualified {
                true => quote!(FormatElement::QualifiedType(#of)),
                false => quote!(FormatElement::Type(#of)),
            }
        }
        Kind::Operands => quote!(FormatElement::Operands),
        Kind::Regions => quote!(FormatElement::Regions),
        Kind::Successors => quote!(FormatElement::Successors),
        Kind::FunctionalType(inputs, results) => {
            let (inputs, results) = (types_of(*inputs), types_of(*results));
            quote!(FormatElement::FunctionalType(#inputs, #results))
        }
        Kind::Custom {
            name,
            text,
            arguments,
        } => custom(operation, name, text, arguments),
        Kind::Optional {
            anchor,
            then,
            otherwise,
        } => {
            let (then, otherwise) = (table(operation, then), table(operation, otherwise));
            quote! {
                FormatElement::Optional { anchor: #anchor, then: #then, otherwise: #otherwise }
            }
        }
        Kind::Clauses(clauses) => {
            let clauses = clauses.iter().map(|(keyword, elements)| {
                let elements = table(operation, elements);
                quote!((#keyword, #elements))
            });
            quote!(FormatElement::Clauses(&[#(#clauses),*]))
        }
    }
}

/// Returns the element of a custom directive: `parse_name` returns its operands, types, attributes and successors, `print_name` gets
/// them. The state of the operation is passed if the directive has regions or the dictionary of attributes.
fn custom(operation: &Operation, name: &str, text: &str, arguments: &[Argument]) -> TokenStream {
    let snake = snake_case(name);
    let (parse, print) = (
        format_ident!("parse_{snake}"),
        format_ident!("print_{snake}"),
    );
    let mut inputs = Vec::new();
    let mut outputs = Vec::new();
    let mut stores = Vec::new();
    let mut printed = Vec::new();
    let mut attributes = Vec::new();
    let mut needs_state = false;
    for (i, argument) in arguments.iter().enumerate() {
        let output = format_ident!("output_{i}");
        let mut store = |code: TokenStream| {
            outputs.push(output.clone());
            stores.push(code);
        };
        match argument {
            Argument::Operand(index) => store(match operation.operands[*index].arity {
                Arity::Single => quote!(parts.set_operands(#index, &[#output], position);),
                Arity::Optional | Arity::Variadic => {
                    quote!(parts.set_operands(#index, #output.as_slice(), position);)
                }
            }),
            Argument::Type(of) => {
                let types = types_of(*of);
                store(match is_single(operation, *of) {
                    true => quote!(parts.set_types(#types, &[#output], position);),
                    false => quote!(parts.set_types(#types, #output.as_slice(), position);),
                });
            }
            Argument::Attribute(index) => {
                attributes.push(*index);
                let field = &operation.attributes[*index];
                let name = &field.text;
                let value = match &field.property {
                    Some(_) => quote!(::sluice_ir::Parameter::to_attribute(&output, context)),
                    None => quote!(output),
                };
                store(match field.presence {
                    Presence::Required => quote! {{
                        let output = #output;
                        let context = parser.context();
                        state.set_attribute(context, #name, #value);
                    }},
                    _ => quote! {
                        if let ::core::option::Option::Some(output) = #output {
                            let context = parser.context();
                            state.set_attribute(context, #name, #value);
                        }
                    },
                });
            }
            Argument::Successor(index) => store(match operation.successors[*index].variadic {
                true => quote!(state.successors.extend(#output);),
                false => quote!(state.successors.push(#output);),
            }),
            Argument::Region(_) | Argument::AttrDict => needs_state = true,
            Argument::Text(text) => inputs.push(quote!(#text)),
            Argument::Reference(inner) => inputs.push(read_before(operation, inner)),
        }
        printed.extend(shown(operation, argument));
    }
    let state = needs_state.then(|| quote!(state,));
    let outputs = match &outputs[..] {
        [one] => quote!(#one),
        many => quote!((#(#many),*)),
    };
    quote! {
        FormatElement::Custom {
            name: #name,
            arguments: #text,
            parse: |parser, state, parts| {
                #[allow(unused_variables)]
                let position = parser.position();
                #[allow(clippy::let_unit_value)]
                let #outputs = #parse(parser, #state #(#inputs),*)?;
                #(#stores)*
                let _ = (state, parts);
                ::core::result::Result::Ok(())
            },
            print: |printer, view| #print(printer, view, #(#printed),*),
            attributes: &[#(#attributes),*],
        }
    }
}

fn is_single(operation: &Operation, of: Of) -> bool {
    match of {
        Of::Operand(i) => operation.operands[i].arity == Arity::Single,
        Of::Result(i) => operation.results[i].arity == Arity::Single,
        Of::Operands | Of::Results => false,
    }
}

/// Returns the value that another element has read: an input of the parse function.
fn read_before(operation: &Operation, argument: &Argument) -> TokenStream {
    match argument {
        Argument::Operand(index) => match operation.operands[*index].arity {
            Arity::Single => quote!(parts.operands_of(#index)[0]),
            Arity::Optional => quote!(parts.operands_of(#index).first().copied()),
            Arity::Variadic => quote!(parts.operands_of(#index).to_vec()),
        },
        Argument::Type(of) => {
            let types = types_of(*of);
            match is_single(operation, *of) {
                true => quote!(parts.types_of(#types)[0]),
                false => quote!(parts.types_of(#types).to_vec()),
            }
        }
        Argument::Attribute(index) => {
            let field = &operation.attributes[*index];
            let name = &field.text;
            let found = quote!(state.attribute(parser.context(), #name));
            match &field.property {
                Some(ty) => quote! {
                    #found.and_then(|found| {
                        <#ty as ::sluice_ir::Parameter>::from_attribute(parser.context(), found)
                    })
                },
                None => found,
            }
        }
        Argument::Successor(_) => quote!(state.successors.to_vec()),
        Argument::Region(_) => quote!(state.n_regions),
        Argument::AttrDict | Argument::Reference(_) | Argument::Text(_) => quote!(()),
    }
}

/// Returns the values that the print function gets.
fn shown(operation: &Operation, argument: &Argument) -> Option<TokenStream> {
    Some(match argument {
        Argument::Operand(index) => match operation.operands[*index].arity {
            Arity::Single => quote!(view.operand_group(#index)[0]),
            Arity::Optional => quote!(view.operand_group(#index).first().copied()),
            Arity::Variadic => quote!(view.operand_group(#index).to_vec()),
        },
        Argument::Type(of) => match of {
            Of::Operand(i) if is_single(operation, *of) => {
                quote!(view.ty(view.operand_group(#i)[0]))
            }
            Of::Result(i) if is_single(operation, *of) => {
                quote!(view.ty(view.result_group(#i)[0]))
            }
            Of::Operand(i) => quote! {
                view.operand_group(#i).iter().map(|value| view.ty(*value)).collect::<::std::vec::Vec<_>>()
            },
            Of::Result(i) => quote! {
                view.result_group(#i).iter().map(|value| view.ty(*value)).collect::<::std::vec::Vec<_>>()
            },
            Of::Operands => quote!(view.operand_types().collect::<::std::vec::Vec<_>>()),
            Of::Results => quote!(view.result_types().collect::<::std::vec::Vec<_>>()),
        },
        Argument::Attribute(index) => {
            let field = &operation.attributes[*index];
            let found = match &field.property {
                Some(ty) => quote! {
                    view.inherent_attribute(#index).and_then(|found| {
                        <#ty as ::sluice_ir::Parameter>::from_attribute(view.context, found)
                    })
                },
                None => quote!(view.inherent_attribute(#index)),
            };
            match field.presence {
                Presence::Required => {
                    quote!(#found.expect("the verifier requires this attribute"))
                }
                _ => found,
            }
        }
        Argument::Region(index) => quote!(view.regions()[#index]),
        Argument::Successor(index) => match operation.successors[*index].variadic {
            true => quote!(view.successors()[#index..].to_vec()),
            false => quote!(view.successors()[#index]),
        },
        Argument::AttrDict => return None,
        Argument::Text(text) => quote!(#text),
        Argument::Reference(inner) => return shown(operation, inner),
    })
}
