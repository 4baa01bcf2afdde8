//! Options for printing a module.

use clap::Args;
use sluice_ir::text::{PrintOptions, ValueNames};

/// How the module is printed.
#[derive(Args)]
#[command(next_help_heading = "Printing")]
pub(super) struct Printing {
    /// Print the generic form
    #[arg(long = "mlir-print-op-generic", alias = "generic")]
    generic: bool,
    /// Print locations
    #[arg(long = "mlir-print-debuginfo")]
    locations: bool,
    /// Print attributes, types and locations in place instead of as aliases
    #[arg(long = "mlir-print-local-scope")]
    local_scope: bool,
    /// Print `{...}` for regions
    #[arg(long = "mlir-print-skip-regions")]
    skip_regions: bool,
    /// Print the users of its results after each operation
    #[arg(long = "mlir-print-value-users")]
    value_users: bool,
    /// Number values through the whole file
    #[arg(long = "mlir-print-unique-ssa-ids")]
    unique_names: bool,
    /// Accepted because mlir-opt has it; it has no effect, since the output is always verified
    #[arg(long = "mlir-print-assume-verified")]
    assume_verified: bool,
    /// Leave out the elements of dense attributes that have more than N elements
    #[arg(long = "mlir-elide-elementsattrs-if-larger", value_name = "N")]
    elide_above: Option<usize>,
    /// Print the names of values in the source; mlir-opt prints numbers
    #[arg(long)]
    source_names: bool,
}

impl Printing {
    /// Returns the options of the printer.
    pub(super) fn options(&self) -> PrintOptions {
        PrintOptions {
            generic: self.generic,
            value_names: if self.source_names {
                ValueNames::Source
            } else {
                ValueNames::Numbered
            },
            locations: self.locations,
            local_scope: self.local_scope,
            skip_regions: self.skip_regions,
            value_users: self.value_users,
            unique_names: self.unique_names,
            elide_elements_above: self.elide_above,
        }
    }
}
