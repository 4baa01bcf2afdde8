//! The `dialect!` macro: operations declared once, everything else derived.
//!
//! A declaration becomes static tables (`sluice_ir::definition`), typed accessors and a builder per operation. `sluice_ir`
//! interprets the tables: parser, printer, verifier, folder and documentation need no code for a single operation. The enum `Op`
//! of a dialect has a variant for each of its operations, including those of its groups.
//!
//! ```text
//! dialect! {
//!     dialect "toy" { summary: "Two operations" }
//!
//!     /// Sum of two integers.
//!     op Add = "add" {
//!         traits: [PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT_TYPE],
//!         operands: { lhs: INTEGER, rhs: INTEGER },
//!         results: { result: INTEGER },
//!         assembly: "$lhs `,` $rhs attr-dict `:` type($result)",
//!         meaning: |site, algebra, x| Some(smallvec![algebra.add(&x[0], &x[1])]),
//!     }
//! }
//! ```
//!
//! `since: 21` states the version of MLIR that brought an operation, and `exact: optional UNIT since 22` that of an attribute; without
//! it, MLIR 19 has them. `flag` in place of `optional` is a unit attribute that bytecode stores as a byte.
//!
//! A dialect has types, attributes and enumerations, too; each becomes a Rust type:
//!
//! ```text
//!     /// A direction of rounding.
//!     enum Rounding = "rounding": attribute { Down, Nearest("to_nearest") }
//!
//!     /// The width of a number, and the digits of its fraction.
//!     attribute Format = "format" {
//!         parameters: { width: u32, fraction: u32, rounding: Rounding = Rounding::Down },
//!         assembly: "`<` $width `,` $fraction (`,` $rounding^)? `>`",
//!     }
//! ```
//!
//! `docs/reference/op-definitions.md` lists all entries of all declarations.
//!
//! Similar operations, and classes, name a class. The class supplies the entries that they omit: traits of both are combined, any
//! other entry of the operation replaces that of the class. `value` is short for a `meaning` with one result, and `defined_if` is
//! the condition under which an operation has a meaning.
//!
//! ```text
//!     /// Two integers of a type, and a third one.
//!     class Binary {
//!         traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
//!         operands: { lhs: INTEGER, rhs: INTEGER },
//!         results: { result: INTEGER },
//!         assembly: "$lhs `,` $rhs attr-dict `:` type($result)",
//!         defined_if: is_scalar,
//!     }
//!
//!     /// Difference of two integers.
//!     op Sub = "sub": Binary { value: |_, algebra, x| algebra.sub(&x[0], &x[1]) }
//! ```

mod format;
mod generate;
mod names;
mod parse;
mod sample;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use syn::Token;
use syn::parse::{Parse, ParseStream};

/// Declares a dialect, or a group of its operations.
#[proc_macro]
pub fn dialect(input: TokenStream) -> TokenStream {
    match syn::parse::<parse::Declaration>(input) {
        Ok(declaration) => generate::expand(&declaration).into(),
        Err(error) => error.to_compile_error().into(),
    }
}

/// Declares a dialect of random operations, for tests: `random_dialect!(name, seed, n)`. All formats are accepted ones.
#[doc(hidden)]
#[proc_macro]
pub fn random_dialect(input: TokenStream) -> TokenStream {
    match syn::parse::<sample::Request>(input) {
        Ok(request) => sample::dialect(&request).into(),
        Err(error) => error.to_compile_error().into(),
    }
}

/// The operations of a dialect: its name, then for each a Rust name and the full name.
struct Operations {
    name: syn::LitStr,
    all: Vec<(syn::Ident, syn::LitStr)>,
}

impl Parse for Operations {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![;]>()?;
        let mut all = Vec::new();
        while !input.is_empty() {
            let variant = input.parse()?;
            input.parse::<Token![=]>()?;
            all.push((variant, input.parse()?));
            input.parse::<Token![,]>()?;
        }
        Ok(Self { name, all })
    }
}

/// Declares the enum `Op` of a dialect. `dialect!` calls this macro with the operations of the dialect and of its groups.
#[doc(hidden)]
#[proc_macro]
pub fn operations(input: TokenStream) -> TokenStream {
    match syn::parse::<Operations>(input) {
        Ok(found) => generate::expand_operations(&found.name.value(), &found.all).into(),
        Err(error) => error.to_compile_error().into(),
    }
}
