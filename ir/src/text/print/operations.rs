//! Prints operations, regions and blocks.

use crate::attributes::AttributeKind;
use crate::body::Body;
use crate::definition::{Assembly, AttributeSyntax, OperationDefinition, Presence, Traits};
use crate::ids::{Attribute, BlockId, Name, OperationId};
use crate::text::RegionPrinting;
use crate::text::operations::is_inherent;
use crate::text::parser::Map;
use crate::text::print::aliases::may_need_aliases;
use crate::text::printer::Printer;
use crate::view::View;

impl<'a> Printer<'a> {
    /// Prints an operation with the definitions of the aliases it needs.
    pub(crate) fn top_level(&mut self, body: &'a Body, op: OperationId) {
        self.body = Some(body);
        let aliases = !self.options.local_scope
            && (self.options.locations || may_need_aliases(self.context, body, op));
        if aliases {
            self.collecting = true;
            self.number_top(body, op);
            self.operation(op);
            self.collecting = false;
            self.out.clear();
            self.values.reset();
            self.distinct.clear();
            self.indent = 0;
            self.body = Some(body);
            self.aliases.finish();
            self.alias_definitions(false);
        }
        self.number_top(body, op);
        self.operation(op);
        if aliases {
            let end = self.out.len();
            self.newline();
            self.alias_definitions(true);
            if self.out.len() == end + 1 {
                self.out.truncate(end);
            }
        }
    }

    /// Prints an operation with its results and its location.
    pub(crate) fn operation(&mut self, op: OperationId) {
        let view = self.view(op);
        if self.collecting && self.options.locations {
            self.visit_location(view.location(), true);
        }
        self.result_names(op);
        let custom = if self.options.generic {
            None
        } else {
            view.definition()
        };
        match custom {
            Some(definition) if says_everything(view, definition) => {
                self.custom_operation(view, definition);
            }
            _ => self.generic_operation(view),
        }
        if !self.collecting {
            self.optional_location(view.location());
            if self.options.value_users {
                self.users_comment(view);
            }
        }
    }

    fn custom_operation(&mut self, view: View<'a>, definition: &'static OperationDefinition) {
        let default = self.default_dialects.last().copied().unwrap_or("");
        let name = self.context.operation_name_data(view.body.name(view.id));
        let short = (name.conventions.short).filter(|(dialect, _)| *dialect == default);
        self.text(short.map_or(definition.name, |(_, rest)| rest));
        self.default_dialects.push(name.conventions.default_dialect);
        match &definition.assembly {
            Assembly::Format(elements) => self.format(view, definition, elements),
            Assembly::Custom { print, .. } => print(self, view),
            Assembly::Generic => {}
        }
        self.default_dialects.pop();
    }

    fn generic_operation(&mut self, view: View<'a>) {
        self.quoted(view.name().as_bytes());
        self.text("(");
        self.operands(view.operands());
        self.text(")");
        if !view.successors().is_empty() {
            self.text("[");
            self.comma_separated(view.successors(), |printer, block| {
                printer.successor(*block)
            });
            self.text("]");
        }
        if self.collecting {
            // As in upstream: regions first, then types, then attributes.
            self.generic_regions(view);
            self.types(view.operand_types());
            self.types(view.result_types());
            self.entries(&self.sorted_attributes(view.attributes(), &[]));
            if let Some(properties) = view.body.unregistered_properties(view.id) {
                self.attribute(properties);
            }
            return;
        }
        let (inherent, discardable) = self.split_attributes(view);
        if let Some(properties) = view.body.unregistered_properties(view.id) {
            self.text(" <");
            match properties.kind(self.context) {
                AttributeKind::Dictionary(entries) => self.entries(entries),
                _ => self.attribute(properties),
            }
            self.text(">");
        } else if !inherent.is_empty() {
            self.text(" <");
            self.entries(&inherent);
            self.text(">");
        }
        if !view.regions().is_empty() {
            self.text(" (");
            self.generic_regions(view);
            self.text(")");
        }
        self.optional_entries(&discardable, " ");
        self.text(" : ");
        let results: Vec<_> = view.result_types().collect();
        self.functional_type(view.operand_types(), &results);
    }

    fn generic_regions(&mut self, view: View<'a>) {
        self.default_dialects.push("");
        self.comma_separated(0..view.regions().len(), |printer, index| {
            let printing = RegionPrinting {
                entry_arguments: true,
                terminators: true,
                empty_block: true,
            };
            printer.region(view, index, printing);
        });
        self.default_dialects.pop();
    }

    /// Splits the attributes into inherent and discardable ones, each sorted.
    #[allow(clippy::type_complexity)]
    fn split_attributes(&self, view: View<'a>) -> (Vec<(Name, Attribute)>, Vec<(Name, Attribute)>) {
        let Some(definition) = view.definition() else {
            let all = self.sorted_attributes(view.attributes(), &[]);
            return (Vec::new(), all);
        };
        // Attributes with their default value are printed too.
        let mut all = view.attributes().to_vec();
        for (index, spec) in definition.attributes.iter().enumerate() {
            if let Presence::Default(default) = spec.presence
                && view.inherent_attribute(index).is_none()
            {
                all.push((self.context.name(spec.name), default(self.context)));
            }
        }
        self.sorted_attributes(&all, &[])
            .into_iter()
            .partition(|(name, _)| is_inherent(definition, self.context.text(*name)))
    }

    /// Prints region number `index` of the operation, from `{` to `}`.
    pub fn region(&mut self, view: View<'_>, index: usize, printing: RegionPrinting) {
        let outer = self.body();
        let region = outer.regions(view.id)[index];
        let inner = outer.inner(view.id);
        if self.options.skip_regions {
            self.text("{...}");
            return;
        }
        self.text("{");
        let sink = match self.keeps_nothing(view) {
            true => None,
            false => self.sink.take(),
        };
        self.increase_indent();
        self.body = Some(inner);
        self.with_region_names(inner, region, |printer| {
            let blocks = inner.blocks(region);
            let predecessors = predecessors(inner, blocks);
            for (number, block) in blocks.iter().enumerate() {
                let entry = number == 0;
                let has_arguments = !inner.arguments(*block).is_empty();
                let empty = inner.first_operation(*block).is_none();
                let labelled = !entry
                    || (printing.entry_arguments && has_arguments)
                    || (printing.empty_block && empty);
                let terminators = printing.terminators || blocks.len() > 1;
                let predecessors =
                    (!entry || blocks.len() > 1).then(|| predecessors[number].as_slice());
                printer.block(*block, labelled, terminators, predecessors);
            }
        });
        if outer.is_isolated(view.id) {
            self.values.close_body(inner);
        }
        self.body = Some(outer);
        self.decrease_indent();
        if sink.is_some() {
            self.sink = sink;
        }
        self.newline();
        self.text("}");
    }

    fn block(
        &mut self,
        block: BlockId,
        labelled: bool,
        terminators: bool,
        predecessors: Option<&[usize]>,
    ) {
        let body = self.body();
        if labelled {
            self.decrease_indent();
            self.newline();
            self.increase_indent();
            self.successor(block);
            let arguments = body.arguments(block);
            if !arguments.is_empty() {
                self.text("(");
                self.comma_separated(arguments, |printer, value| {
                    printer.operand(*value);
                    printer.text(": ");
                    printer.ty(body.ty(*value));
                    printer.argument_location(body.value_location(*value));
                });
                self.text(")");
            }
            self.text(":");
            self.text(&self.predecessors_comment(block, predecessors));
        } else if self.collecting {
            for value in body.arguments(block) {
                self.ty(body.ty(*value));
            }
        }
        if self.options.value_users {
            self.argument_users(block);
        }
        let says_nothing = |last: &OperationId| {
            body.n_operands(*last) == 0
                && body.attributes(*last).is_empty()
                && body.results(*last).is_empty()
        };
        let skipped = if terminators {
            None
        } else {
            body.terminator(self.context, block).filter(says_nothing)
        };
        if self.may_print_in_pieces() {
            self.operations_in_pieces(block, skipped);
            return;
        }
        for op in body.operations(block) {
            if Some(op) != skipped {
                self.newline();
                self.operation(op);
            }
        }
    }

    /// Returns a comment with the predecessors of a block.
    fn predecessors_comment(&self, block: BlockId, predecessors: Option<&[usize]>) -> String {
        let body = self.body();
        let entry = body
            .parent_region(block)
            .is_some_and(|region| body.blocks(region).first() == Some(&block));
        match predecessors {
            None => String::new(),
            Some([]) if entry => String::new(),
            Some([]) => "  // no predecessors".to_owned(),
            Some([only]) => format!("  // pred: ^bb{only}"),
            Some(several) => {
                let names: Vec<_> = several
                    .iter()
                    .map(|number| format!("^bb{number}"))
                    .collect();
                format!("  // {} preds: {}", several.len(), names.join(", "))
            }
        }
    }

    /// Returns true if the terminators in the regions of an operation with an implicit terminator must be printed.
    pub(crate) fn shows_terminator(&self, view: View<'_>, index: usize) -> bool {
        let body = self.body();
        let Some(definition) = view.definition() else {
            return true;
        };
        if definition.implicit_terminator().is_none() {
            return true;
        }
        let inner = body.inner(view.id);
        let Some(block) = body.entry_block(view.id, index) else {
            return true;
        };
        let Some(last) = inner.terminator(self.context, block) else {
            return true;
        };
        inner.n_operands(last) > 0
            || !inner.attributes(last).is_empty()
            || !inner.results(last).is_empty()
    }
}

/// Returns true if the custom form of an operation is parsed back to the same operation.
fn says_everything(view: View<'_>, definition: &OperationDefinition) -> bool {
    match definition.assembly {
        Assembly::Generic => return false,
        Assembly::Format(_) if definition.has(Traits::SAME_OPERANDS_AND_RESULT_TYPE) => {
            // All operands and results have the same type.
            let mut types = view.operand_types().chain(view.result_types());
            let first = types.next();
            if types.any(|ty| Some(ty) != first) {
                return false;
            }
        }
        Assembly::Format(_) | Assembly::Custom { .. } => {}
    }
    // Strings are written without their types, unless they use the generic attribute syntax.
    let is_typed_string = |attribute: &(Name, Attribute)| {
        let kind = attribute.1.kind(view.context);
        matches!(kind, AttributeKind::String { ty: Some(_), .. })
            && definition
                .attribute_index(view.context.text(attribute.0))
                .is_some_and(|index| {
                    let syntax = &definition.attributes[index].constraint.syntax;
                    !matches!(syntax, AttributeSyntax::Generic)
                })
    };
    !view.attributes().iter().any(is_typed_string)
        && definition.custom_if.is_none_or(|custom_if| custom_if(view))
}

/// Returns the predecessors of each block by index, once for each edge.
fn predecessors(body: &Body, blocks: &[BlockId]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new(); blocks.len()];
    if blocks.len() < 2 {
        return all;
    }
    let numbers: Map<BlockId, usize> = blocks
        .iter()
        .enumerate()
        .map(|(number, block)| (*block, number))
        .collect();
    for (number, block) in blocks.iter().enumerate() {
        let Some(last) = body.last_operation(*block) else {
            continue;
        };
        for successor in body.successors(last) {
            if let Some(to) = numbers.get(successor) {
                all[*to].push(number);
            }
        }
    }
    all
}
