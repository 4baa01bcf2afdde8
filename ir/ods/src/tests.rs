//! Declarations with faults, and the messages that the compiler shows.

use std::fmt::Write as _;

use proc_macro2::{TokenStream, TokenTree};

use crate::generate;
use crate::parse::Declaration;

/// Adds the messages of the compile errors in generated code.
fn errors(code: TokenStream, all: &mut Vec<String>) {
    let mut is_error = false;
    for token in code {
        match token {
            TokenTree::Ident(name) => is_error = name == "compile_error",
            TokenTree::Group(group) => {
                match syn::parse2::<syn::LitStr>(group.stream()) {
                    Ok(message) if is_error => all.push(message.value()),
                    _ => errors(group.stream(), all),
                }
                is_error = false;
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Returns the messages for the text of a declaration, one a line.
fn messages(text: &str) -> String {
    let code = match syn::parse_str::<Declaration>(text) {
        Ok(declaration) => generate::expand(&declaration),
        Err(error) => error.to_compile_error(),
    };
    let (mut all, mut found) = (String::new(), Vec::new());
    errors(code, &mut found);
    for message in found {
        let _ = writeln!(all, "// {message}");
    }
    if all.is_empty() {
        all += "// accepted\n";
    }
    all
}

#[test]
fn faults_of_declarations_have_messages() {
    let mut found = String::new();
    for (i, code) in include_str!("../tests/faults.txt")
        .split("\n=====\n")
        .enumerate()
    {
        // An operation alone gets a dialect around it.
        let is_whole = ["dialect ", "group "]
            .iter()
            .any(|head| code.starts_with(head));
        let whole = match is_whole {
            true => code.to_owned(),
            false => format!("dialect \"t\" {{ summary: \"T\" }}\n{code}"),
        };
        found += if i > 0 { "\n" } else { "" };
        found += &messages(&whole);
        found += code.trim_end();
        found += "\n";
    }
    insta::assert_snapshot!(found);
}
