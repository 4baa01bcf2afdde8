//! Shared setup with which the choices between loop forms schedule their candidates.

use sluice_ir::{Context, Diagnostics, Module};

use crate::flattening::{Copies, try_out};
use crate::setting::{Setting, Step};

/// The settings and passes with which a choice schedules its candidates.
pub struct Attempts<'a> {
    /// The setting of the compilation.
    pub setting: &'a Setting<'a>,
    /// The setting of a trial schedule, which is only compared with others.
    pub trial: Setting<'a>,
    /// The passes from this point to the scheduled form.
    pub steps: &'a [Step],
}

impl<'a> Attempts<'a> {
    /// Creates attempts that run the given passes.
    pub fn new(setting: &'a Setting<'a>, steps: &'a [Step]) -> Self {
        Self {
            setting,
            trial: setting.trial(),
            steps,
        }
    }

    /// Brings a module into the scheduled form.
    pub fn finish(&self, context: &Context, module: &mut Module, found: &mut Diagnostics) {
        try_out(
            context,
            module,
            &self.trial,
            self.steps,
            Copies::None,
            found,
        );
    }

    /// Brings a module into the scheduled form, with copies of arrays if they pay.
    pub fn finish_with_copies(
        &self,
        context: &Context,
        module: &mut Module,
        found: &mut Diagnostics,
    ) {
        let copies = Copies::WherePaying;
        try_out(context, module, &self.trial, self.steps, copies, found);
    }
}
