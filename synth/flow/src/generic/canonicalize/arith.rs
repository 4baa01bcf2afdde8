//! Patterns.
use sluice_ir::patterns::Pattern;
pub(super) const PATTERNS: &[&Pattern] = &[];
