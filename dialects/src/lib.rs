//! The dialects Sluice knows, each operation declared once.
