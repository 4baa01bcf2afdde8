//! The size of a module: every accepted edit makes it smaller, so the search terminates.

use sluice_ir::affine::AffineExpr;
use sluice_ir::definition::Traits;
use sluice_ir::{Attribute, AttributeKind, Body, Context, Module, TypeKind, ValueId};

/// Counts in lexicographic order: those that matter most to a reader come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Size {
    /// Functions and other symbols.
    symbols: u128,
    /// Operations other than constants, terminators included.
    operations: u128,
    /// Block arguments and operands of terminators.
    arguments: u128,
    /// Operands that are not constants.
    operands: u128,
    /// Dimensions of memories, then their number of words.
    dimensions: u128,
    words: u128,
    /// Bits of all values.
    bits: u128,
    constants: u128,
    /// Absolute values of constants, bounds and coefficients, and nodes of affine expressions.
    magnitude: u128,
    attributes: u128,
}

impl Size {
    pub(crate) fn of(context: &Context, module: &Module) -> Self {
        let mut size = Self::default();
        let inner = module.inner();
        for op in module.top_level_operations() {
            size.symbols += 1;
            for (_, attribute) in inner.attributes(op) {
                size.attribute(context, *attribute);
            }
            if inner.is_isolated(op) {
                size.body(context, inner.inner(op));
            }
        }
        size
    }

    fn body(&mut self, context: &Context, body: &Body) {
        let top: Vec<_> = body.top_regions().collect();
        for region in top {
            self.blocks(context, body, body.blocks(region));
        }
        for op in body.walk_all() {
            let definition = body.definition(context, op);
            let is_constant = definition.is_some_and(|d| d.has(Traits::CONSTANT_LIKE));
            if is_constant {
                self.constants += 1;
            } else {
                self.operations += 1;
            }
            if definition.is_some_and(|d| d.has(Traits::TERMINATOR)) {
                self.arguments += count(body.n_operands(op));
            }
            self.operands += count(
                body.operands(op)
                    .filter(|operand| !is_constant_value(context, body, *operand))
                    .count(),
            );
            for (_, attribute) in body.attributes(op) {
                self.attribute(context, *attribute);
            }
            for result in body.results(op) {
                self.value(context, body, *result);
            }
            for region in body.regions(op) {
                if !body.is_isolated(op) {
                    self.blocks(context, body, body.blocks(*region));
                }
            }
        }
    }

    fn blocks(&mut self, context: &Context, body: &Body, blocks: &[sluice_ir::BlockId]) {
        for block in blocks {
            self.arguments += count(body.arguments(*block).len());
            for argument in body.arguments(*block) {
                self.value(context, body, *argument);
            }
        }
    }

    fn value(&mut self, context: &Context, body: &Body, value: ValueId) {
        let ty = body.ty(value);
        match ty.kind(context) {
            TypeKind::MemRef { shape, element, .. } => {
                let words = shape.iter().map(|size| u128::from(size.unwrap_or(0)));
                self.dimensions += count(shape.len());
                self.words += words.fold(1, u128::saturating_mul);
                self.bits += u128::from(element.width_bits(context).unwrap_or(0));
            }
            _ => self.bits += u128::from(ty.width_bits(context).unwrap_or(0)),
        }
    }

    fn attribute(&mut self, context: &Context, attribute: Attribute) {
        self.attributes += 1;
        match attribute.kind(context) {
            AttributeKind::Integer { value, .. } => {
                let magnitude = value.to_i64().map_or(u64::MAX, i64::unsigned_abs);
                self.add(u128::from(magnitude));
            }
            AttributeKind::Float { bits, .. } => self.add(u128::from(bits.active_bits())),
            AttributeKind::Array(all) => {
                for one in all {
                    self.attribute(context, *one);
                }
            }
            AttributeKind::Dictionary(all) => {
                for (_, one) in all {
                    self.attribute(context, *one);
                }
            }
            AttributeKind::AffineMap(map) => {
                for result in &map.results {
                    self.expression(result);
                }
            }
            AttributeKind::IntegerSet(set) => {
                for (constraint, _) in &set.constraints {
                    self.expression(constraint);
                }
            }
            AttributeKind::DenseElements { values, .. } => {
                let is_set = |value: &&sluice_ir::bits::Bits| !value.is_zero();
                self.add(count(values.iter().filter(is_set).count()));
            }
            _ => {}
        }
    }

    fn expression(&mut self, expression: &AffineExpr) {
        match expression {
            AffineExpr::Dim(_) | AffineExpr::Symbol(_) => self.add(1),
            AffineExpr::Constant(value) => self.add(u128::from(value.unsigned_abs())),
            AffineExpr::Add(a, b)
            | AffineExpr::Mul(a, b)
            | AffineExpr::Mod(a, b)
            | AffineExpr::FloorDiv(a, b)
            | AffineExpr::CeilDiv(a, b) => {
                self.add(1);
                self.expression(a);
                self.expression(b);
            }
        }
    }

    fn add(&mut self, magnitude: u128) {
        self.magnitude = self.magnitude.saturating_add(magnitude);
    }
}

fn count(n: usize) -> u128 {
    u128::try_from(n).expect("128 bits hold any count")
}

/// Returns whether `value` is the result of a constant operation.
pub(crate) fn is_constant_value(context: &Context, body: &Body, value: ValueId) -> bool {
    let definition = body
        .defining_operation(value)
        .and_then(|op| body.definition(context, op));
    definition.is_some_and(|d| d.has(Traits::CONSTANT_LIKE))
}
