//! Outlining of split operations in elastic circuits, where a static schedule executes the pieces.

use sluice_dialects::sluice::STYLE;
use sluice_dialects::{scf, sluice};
use sluice_ir::{Builder, NewOperation, OperationId, Type, ValueId};

use super::Pieces;
use crate::build::{move_all_but_last, replace};
use crate::lowering::outline::STATIC;

impl Pieces<'_, '_> {
    /// Emits an operation of type `ty` by `make`. The result is enclosed in a region called `name`, marked for static scheduling,
    /// if it is a loop that a schedule can begin or has more than `most` operations.
    pub(super) fn outline(
        &mut self,
        name: &str,
        ty: Type,
        most: usize,
        make: impl FnOnce(&mut Pieces<'_, '_>) -> Option<ValueId>,
    ) -> Option<ValueId> {
        let context = self.builder.context;
        let kind = context.operation_name(scf::ExecuteRegion::NAME);
        let mut new = NewOperation::new(kind, self.builder.location);
        new.result_types.push(ty);
        new.n_regions = 1;
        let region = self.builder.create(new);
        let body = &mut *self.builder.body;
        let block = body.append_block(body.regions(region)[0]);
        let location = self.builder.location;
        let mut inner = Pieces {
            builder: Builder::at_end(context, body, block, location),
            splitting: self.splitting,
            joined: &mut *self.joined,
        };
        let Some(made) = make(&mut inner) else {
            self.builder.body.erase(region);
            return None;
        };
        inner.builder.operation(scf::Yield::NAME, &[made], &[], &[]);
        let body = &mut *self.builder.body;
        let inside = body.walk(region);
        let is_loop = |op: &OperationId| !body.regions(*op).is_empty() && *op != region;
        let stays = match inside.iter().any(is_loop) {
            true => !ty
                .integer_width_bits(context)
                .is_some_and(self.splitting.begins),
            false => inside.len() <= most,
        };
        if stays {
            move_all_but_last(body, block, region);
            replace(body, region, &[made]);
            return Some(made);
        }
        for (attribute, text) in [(STYLE, STATIC), (sluice::NAME, name)] {
            let text = context.string_attribute(text);
            body.set_attribute(region, context.name(attribute), text);
        }
        Some(body.result(region, 0))
    }
}
