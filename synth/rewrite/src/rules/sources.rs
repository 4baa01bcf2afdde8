//! The mathematical laws and papers that the rules come from.

/// Integers modulo 2^w.
pub const RING: &str = "ring of integers modulo 2^w";
/// Bitwise logic.
pub const BOOLEAN: &str = "Boolean algebra, bit by bit";
/// Two's complement.
pub const TWOS_COMPLEMENT: &str = "two's complement: -x = ~x + 1";
/// Canonical signed digits.
pub const SIGNED_DIGITS: &str =
    "Avizienis, Signed-Digit Number Representations, IRE Trans. 1961: non-adjacent form";
/// Warren's book.
pub const HACKERS_DELIGHT: &str = "Warren, Hacker's Delight, 2nd edition 2012, chapter 2";
/// Known bits.
pub const KNOWN_BITS: &str = "case analysis of each bit over known bits";
/// Shifts.
pub const SHIFTS: &str = "shift by a constant as a move of bits";
/// Concatenation.
pub const CONCATENATION: &str = "bits of a concatenation";
/// Extensions.
pub const EXTENSIONS: &str = "zero and sign extension keep the value";
/// Truncation.
pub const TRUNC_MORPHISM: &str = "truncation is a ring morphism modulo 2^k";
/// No wrap.
pub const NO_WRAP: &str = "Coward et al., Automatic Datapath Optimization using E-Graphs, ARITH 2022: widths without wrap";
/// Orders.
pub const ORDER: &str = "total orders on bit vectors";
/// Case distinction.
pub const CASES: &str = "case distinction on the condition";
/// Lattices.
pub const LATTICE: &str = "minimum and maximum of a total order form a distributive lattice";
