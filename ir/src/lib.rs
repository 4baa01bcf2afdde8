//! The IR: context, operations in body arenas, text form, verifier, passes and patterns.
