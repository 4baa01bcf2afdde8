//! Options for checks of the module and of diagnostics.

use clap::{ArgAction, Args};

/// The checks to make.
#[derive(Args)]
#[command(next_help_heading = "Checks")]
pub(super) struct Verifying {
    /// Check diagnostics against the `expected-error` comments of the file
    #[arg(long)]
    pub(super) verify_diagnostics: bool,
    /// Verify the module after each pass; with `false`, after the last pass only
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_value = "true",
        default_missing_value = "true",
        value_parser = flag,
        action = ArgAction::Set
    )]
    pub(super) verify_each: bool,
    /// Print the module as text and as bytecode before the passes, read it again, and compare
    #[arg(long)]
    pub(super) verify_roundtrip: bool,
    /// Add a note with the operation, in the generic form, to each diagnostic
    #[arg(
        long = "mlir-print-op-on-diagnostic",
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_value = "false",
        default_missing_value = "true",
        value_parser = flag,
        action = ArgAction::Set
    )]
    pub(super) print_op_on_diagnostic: bool,
}

/// Reads a truth value as mlir-opt does.
fn flag(text: &str) -> Result<bool, String> {
    match text {
        "true" | "TRUE" | "True" | "1" => Ok(true),
        "false" | "FALSE" | "False" | "0" => Ok(false),
        _ => Err("expected `true` or `false`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::flag;

    #[test]
    fn truth_values() {
        assert_eq!(flag("1"), Ok(true));
        assert_eq!(flag("False"), Ok(false));
        assert!(flag("yes").is_err());
    }
}
