//! Files that define dialects with operations of irdl.

use sluice_ir::text::parse_module;
use sluice_ir::{Context, Diagnostics, bytecode, verifier};

/// An `irdl` module, as text or bytecode.
#[derive(Clone)]
pub struct DefinitionFile {
    /// Name for messages.
    pub name: String,
    /// Contents of the file.
    pub source: Vec<u8>,
}

impl DefinitionFile {
    /// Adds the dialects that the file defines to the context, and returns the rendered warnings.
    ///
    /// # Errors
    /// The rendered errors of the file.
    pub fn load(&self, context: &mut Context) -> Result<String, String> {
        let mut diagnostics = Diagnostics::new();
        let name = self.name.as_str();
        let (module, text) = if bytecode::is_bytecode(&self.source) {
            let module = bytecode::read(context, &self.source, name, &mut diagnostics);
            (module, String::new())
        } else {
            let text = String::from_utf8(self.source.clone()).map_err(|why| {
                let at = why.utf8_error().valid_up_to();
                format!("{name}: error: expected UTF-8 text or bytecode, byte {at} is neither\n")
            })?;
            let module = parse_module(context, &text, name, &mut diagnostics);
            (module, text)
        };
        if let Some(module) = &module {
            verifier::verify(context, module, &mut diagnostics);
            if !diagnostics.has_errors() {
                super::load(context, module, &mut diagnostics);
            }
        }
        let messages = diagnostics.render(context, &[(name, &text)]);
        match diagnostics.has_errors() {
            true => Err(messages),
            false => Ok(messages),
        }
    }
}
