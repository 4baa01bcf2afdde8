//! How choices between forms of loops schedule their candidates.

use sluice_ir::{Context, Diagnostics, Module};

use crate::flattening::{Copies, try_out};
use crate::setting::{Setting, Step};

/// How a choice schedules its candidates.
pub struct Attempts<'a> {
    /// The setting of the compilation.
    pub setting: &'a Setting<'a>,
    /// The setting of a schedule that is only compared with others.
    pub trial: Setting<'a>,
    /// The passes from here to the scheduled form.
    pub steps: &'a [Step],
}

impl<'a> Attempts<'a> {
    /// Attempts from a place in the order of passes on.
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

    /// The same with copies of arrays where they pay.
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
