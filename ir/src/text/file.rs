//! Whole files: operations and alias definitions at the top level, and file metadata.

use std::sync::Arc;

use crate::body::{Body, NewOperation};
use crate::ids::OperationId;
use crate::location::LocationKind;
use crate::module::Module;
use crate::text::lexer::TokenKind;
use crate::text::parser::Parser;
use crate::text::{ParseOptions, ParseResult};

impl<'a> Parser<'a> {
    /// Parses the whole source. Errors are in the diagnostics; `None` if there is no operation to return.
    pub(crate) fn file(mut self, options: ParseOptions) -> Option<Module> {
        let mut module = self.operations_of_file(options)?;
        module.resources = self.resources;
        Some(module)
    }

    fn operations_of_file(&mut self, options: ParseOptions) -> Option<Module> {
        let mut body = Body::new();
        let context = self.context;
        let location = context.location(LocationKind::File {
            file: self.file,
            line: 0,
            column: 0,
        });
        let module = body.create(
            context,
            NewOperation::new(context.operation_name("builtin.module"), location),
        );
        let region = body.add_region(module);
        let isolated = body.is_isolated(module);
        if isolated {
            let inner = body.take_body(module).expect("the module is isolated");
            self.frames[0].body = *inner;
        } else {
            std::mem::swap(&mut self.frames[0].body, &mut body);
        }
        let block = self.body_mut().append_block(region);
        self.push_names();
        self.default_dialects = vec![crate::text::conventions::default_dialect("builtin.module")];
        while !self.is(TokenKind::End) {
            let start = self.token;
            let result = match start.kind {
                TokenKind::Hash => self.attribute_alias(),
                TokenKind::Exclamation => self.type_alias(),
                TokenKind::MetadataBegin => self.metadata(),
                _ => match self.operation() {
                    Ok(op) => {
                        self.body_mut().append(block, op);
                        Ok(())
                    }
                    Err(reported) => Err(reported),
                },
            };
            if result.is_err() {
                self.recover(start);
                // A closing brace without an opening one.
                if self.is(TokenKind::RightBrace) && self.token == start {
                    self.advance();
                }
            }
        }
        self.read_deferred();
        self.report_undeclared();
        let inner = std::mem::take(&mut self.frames[0].body);
        if !options.implicit_module {
            return single_operation(context, inner, block)
                .map_err(|message| self.diagnostics.error(location, message))
                .ok();
        }
        if isolated {
            return Some(wrap_top_level(context, body, module, inner, block));
        }
        Some(Module::new(inner, module))
    }

    /// Parses `#name = attribute`.
    fn attribute_alias(&mut self) -> ParseResult<()> {
        self.read_deferred();
        let (name, position) = (&self.spelling()[1..], self.position());
        if self.attribute_aliases.contains_key(name) {
            return Err(self.plain_error(
                position,
                format!("redefinition of attribute alias id '{name}'"),
            ));
        }
        if name.contains('.') {
            let message = "attribute names with a '.' are reserved for dialect-defined names";
            return Err(self.plain_error(position, message));
        }
        self.advance();
        self.expect(
            TokenKind::Equal,
            "expected '=' in attribute alias definition",
        )?;
        let attribute = self.aliased(('#', name), Self::parse_attribute)?;
        Arc::make_mut(&mut self.attribute_aliases).insert(name, attribute);
        Ok(())
    }

    /// Parses `!name = type`.
    fn type_alias(&mut self) -> ParseResult<()> {
        self.read_deferred();
        let (name, position) = (&self.spelling()[1..], self.position());
        if self.type_aliases.contains_key(name) {
            return Err(
                self.plain_error(position, format!("redefinition of type alias id '{name}'"))
            );
        }
        if name.contains('.') {
            let message = "type names with a '.' are reserved for dialect-defined names";
            return Err(self.plain_error(position, message));
        }
        self.advance();
        self.expect(TokenKind::Equal, "expected '=' in type alias definition")?;
        self.parse_optional_keyword("type");
        let ty = self.aliased(('!', name), Self::parse_type)?;
        Arc::make_mut(&mut self.type_aliases).insert(name, ty);
        Ok(())
    }
}

/// Returns the module of a file whose top level is `block` of `inner`: the only module in it, or `module` in `body`, which
/// receives all its operations.
pub(crate) fn wrap_top_level(
    context: &crate::context::Context,
    mut body: Body,
    module: OperationId,
    mut inner: Body,
    block: crate::ids::BlockId,
) -> Module {
    let operations: Vec<_> = inner.operations(block).take(2).collect();
    if let [only] = operations.as_slice()
        && context.operation_text(inner.name(*only)) == "builtin.module"
    {
        return alone(context, &mut inner, *only);
    }
    body.put_body(module, Box::new(inner));
    Module::new(body, module)
}

/// Returns the only operation of `block` of `inner` as the top-level operation.
///
/// # Errors
/// There is another number of operations.
pub(crate) fn single_operation(
    context: &crate::context::Context,
    mut inner: Body,
    block: crate::ids::BlockId,
) -> Result<Module, String> {
    let operations: Vec<_> = inner.operations(block).take(2).collect();
    let [only] = operations.as_slice() else {
        let found = inner.operations(block).count();
        return Err(format!(
            "source must contain a single top-level operation, found: {found}"
        ));
    };
    match inner.is_isolated(*only) {
        true => Ok(alone(context, &mut inner, *only)),
        false => Ok(Module::new(inner, *only)),
    }
}

/// Returns a module that is written in the source, moved out of the body it was parsed into.
fn alone(context: &crate::context::Context, from: &mut Body, op: OperationId) -> Module {
    let mut body = Body::new();
    let mut new = NewOperation::new(from.name(op), from.location(op));
    new.attributes = from.attributes(op).to_vec();
    new.n_regions = from.regions(op).len();
    let operation = body.create(context, new);
    let inner = from.take_body(op).expect("modules are isolated");
    debug_assert!(
        body.regions(operation) == from.regions(op),
        "the regions of a body are numbered in order"
    );
    body.put_body(operation, inner);
    Module::new(body, operation)
}
