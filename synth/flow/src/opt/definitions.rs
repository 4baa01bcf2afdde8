//! Files that define dialects with operations of irdl.

use sluice_ir::text::parse_module;
use sluice_ir::{Context, Diagnostics, bytecode, verifier};

use super::{is_bytecode, text_of};

/// An `irdl` module, as text or bytecode.
#[derive(Clone)]
pub struct DefinitionFile {
    /// Name for messages.
    pub name: String,
    /// Contents of the file.
    pub source: Vec<u8>,
}

/// Adds the dialects that a file defines to the context, and returns the rendered warnings.
///
/// # Errors
/// The rendered errors of the file.
pub(super) fn load(context: &mut Context, file: &DefinitionFile) -> Result<String, String> {
    let mut diagnostics = Diagnostics::new();
    let (name, source) = (file.name.as_str(), file.source.clone());
    let (module, text) = if is_bytecode(&source) {
        let module = bytecode::read(context, &source, name, &mut diagnostics);
        (module, String::new())
    } else {
        let text = text_of(source, name)?;
        let module = parse_module(context, &text, name, &mut diagnostics);
        (module, text)
    };
    if let Some(module) = &module {
        verifier::verify(context, module, &mut diagnostics);
        if !diagnostics.has_errors() {
            sluice_dialects::irdl::load(context, module, &mut diagnostics);
        }
    }
    let messages = diagnostics.render(context, &[(name, &text)]);
    match diagnostics.has_errors() {
        true => Err(messages),
        false => Ok(messages),
    }
}
