//! The `dialect!` macro: operations declared once, everything else derived.
