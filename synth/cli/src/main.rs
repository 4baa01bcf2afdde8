//! The `sluice` command: the only room with input and output.
fn main() {}
