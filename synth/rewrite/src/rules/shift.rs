//! Rules for shifts, masks and concatenations.

use super::conditions::{
    always, amounts_add, amounts_exceed, amounts_saturate, down_and_high_mask, down_and_mask,
    low_mask, non_negative, sign_from_width, up_and_high_mask, up_and_mask,
};
use super::rule;
use super::sources::{CONCATENATION, KNOWN_BITS, SHIFTS};
use crate::pattern::Rule;

/// The rules of this family.
pub const RULES: &[Rule] = &[
    rule("shl-by-zero", "(shl ?x 0)", "?x", always, SHIFTS),
    rule("zero-shl", "(shl 0 ?x)", "0@x", always, SHIFTS),
    rule("lshr-by-zero", "(lshr ?x 0)", "?x", always, SHIFTS),
    rule("zero-lshr", "(lshr 0 ?x)", "0@x", always, SHIFTS),
    rule("ashr-by-zero", "(ashr ?x 0)", "?x", always, SHIFTS),
    rule("zero-ashr", "(ashr 0 ?x)", "0@x", always, SHIFTS),
    rule(
        "shl-twice",
        "(shl (shl ?x #c) #d)",
        "(shl ?x #e)",
        amounts_add,
        SHIFTS,
    ),
    rule(
        "lshr-twice",
        "(lshr (lshr ?x #c) #d)",
        "(lshr ?x #e)",
        amounts_add,
        SHIFTS,
    ),
    rule(
        "shl-out",
        "(shl (shl ?x #c) #d)",
        "0@x",
        amounts_exceed,
        SHIFTS,
    ),
    rule(
        "lshr-out",
        "(lshr (lshr ?x #c) #d)",
        "0@x",
        amounts_exceed,
        SHIFTS,
    ),
    rule(
        "ashr-twice",
        "(ashr (ashr ?x #c) #d)",
        "(ashr ?x #e)",
        amounts_saturate,
        SHIFTS,
    ),
    rule(
        "ashr-non-negative",
        "(ashr ?x ?y)",
        "(lshr ?x ?y)",
        |m| non_negative(m, "x"),
        KNOWN_BITS,
    ),
    rule(
        "shl-then-lshr",
        "(lshr (shl ?x #c) #d)",
        "(and (lshr ?x #e) #m)",
        down_and_mask,
        SHIFTS,
    ),
    rule(
        "shl-then-lshr-up",
        "(lshr (shl ?x #c) #d)",
        "(and (shl ?x #e) #m)",
        up_and_mask,
        SHIFTS,
    ),
    rule(
        "lshr-then-shl",
        "(shl (lshr ?x #c) #d)",
        "(and (shl ?x #e) #m)",
        up_and_high_mask,
        SHIFTS,
    ),
    rule(
        "lshr-then-shl-down",
        "(shl (lshr ?x #c) #d)",
        "(and (lshr ?x #e) #m)",
        down_and_high_mask,
        SHIFTS,
    ),
    rule(
        "shl-then-ashr",
        "(ashr (shl ?x #c) #c)",
        "(sext %r (trunc %n ?x))",
        sign_from_width,
        SHIFTS,
    ),
    rule(
        "low-mask-is-zext",
        "(and ?x #m)",
        "(zext %r (trunc %n ?x))",
        low_mask,
        CONCATENATION,
    ),
    rule(
        "lshr-of-and-constant",
        "(lshr (and ?x #c) #d)",
        "(and (lshr ?x #d) #e)",
        |m| m.set("e", m.constant("c").lshr(&m.constant("d"))),
        SHIFTS,
    ),
    rule(
        "shl-of-and-constant",
        "(shl (and ?x #c) #d)",
        "(and (shl ?x #d) #e)",
        |m| m.set("e", m.constant("c").shl(&m.constant("d"))),
        SHIFTS,
    ),
    rule(
        "and-of-shl",
        "(and (shl ?x ?c) (shl ?y ?c))",
        "(shl (and ?x ?y) ?c)",
        always,
        SHIFTS,
    ),
    rule(
        "and-of-lshr",
        "(and (lshr ?x ?c) (lshr ?y ?c))",
        "(lshr (and ?x ?y) ?c)",
        always,
        SHIFTS,
    ),
    rule(
        "lshr-of-or-constant",
        "(lshr (or ?x #c) #d)",
        "(or (lshr ?x #d) #e)",
        |m| m.set("e", m.constant("c").lshr(&m.constant("d"))),
        SHIFTS,
    ),
    rule(
        "shl-of-or-constant",
        "(shl (or ?x #c) #d)",
        "(or (shl ?x #d) #e)",
        |m| m.set("e", m.constant("c").shl(&m.constant("d"))),
        SHIFTS,
    ),
    rule(
        "or-of-shl",
        "(or (shl ?x ?c) (shl ?y ?c))",
        "(shl (or ?x ?y) ?c)",
        always,
        SHIFTS,
    ),
    rule(
        "or-of-lshr",
        "(or (lshr ?x ?c) (lshr ?y ?c))",
        "(lshr (or ?x ?y) ?c)",
        always,
        SHIFTS,
    ),
    rule(
        "lshr-of-xor-constant",
        "(lshr (xor ?x #c) #d)",
        "(xor (lshr ?x #d) #e)",
        |m| m.set("e", m.constant("c").lshr(&m.constant("d"))),
        SHIFTS,
    ),
    rule(
        "shl-of-xor-constant",
        "(shl (xor ?x #c) #d)",
        "(xor (shl ?x #d) #e)",
        |m| m.set("e", m.constant("c").shl(&m.constant("d"))),
        SHIFTS,
    ),
    rule(
        "xor-of-shl",
        "(xor (shl ?x ?c) (shl ?y ?c))",
        "(shl (xor ?x ?y) ?c)",
        always,
        SHIFTS,
    ),
    rule(
        "xor-of-lshr",
        "(xor (lshr ?x ?c) (lshr ?y ?c))",
        "(lshr (xor ?x ?y) ?c)",
        always,
        SHIFTS,
    ),
    rule(
        "lshr-of-zext",
        "(lshr (zext %m ?x) #c)",
        "(zext %r (lshr ?x #k))",
        |m| {
            m.amount("c")
                .is_some_and(|c| c < m.width("x") && m.set_number("k", "x", c))
        },
        CONCATENATION,
    ),
    rule(
        "trunc-of-high-part",
        "(trunc %r (lshr (shl ?x #c) #c))",
        "(trunc %r ?x)",
        |m| {
            m.amount("c")
                .is_some_and(|c| m.width("r") + c <= m.width("x"))
        },
        CONCATENATION,
    ),
    rule(
        "low-part-of-concat",
        "(trunc %r (or (shl ?x #c) ?y))",
        "(trunc %r ?y)",
        |m| m.amount("c").is_some_and(|c| m.width("r") <= c),
        CONCATENATION,
    ),
    rule(
        "high-part-of-concat",
        "(lshr (or (shl ?x #c) ?y) #c)",
        "(lshr (shl ?x #c) #c)",
        |m| {
            m.amount("c")
                .is_some_and(|c| m.known("y").zeros.not().active_bits() <= c)
        },
        CONCATENATION,
    ),
];
