//! Verilog: naming, tree, printer and the sv-parser check.
