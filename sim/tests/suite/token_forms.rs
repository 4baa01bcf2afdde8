//! Everything that is not in graph form is an error with a location.

use sluice_sim::tokens::TokenSimulator;

use crate::token_files::parsed;

/// Functions, each with its error.
const WRONG: &[(&str, &str)] = &[
    (
        "handshake.func @f(%a: i8, %start: none) -> none { return %start : none }",
        "channel `a` has 0 uses, and must have exactly one",
    ),
    (
        "handshake.func @f(%a: f32, %start: none) -> none { sink %a : f32 return %start : none }",
        "a channel holds signless integers, a tuple of them, or nothing",
    ),
    (
        "handshake.func @f(%a: i8) -> none { %done = join %a : i8 return %done : none }",
        "the last argument is the start token, a `none`",
    ),
    (
        "handshake.func @f(%a: i8, %start: none) -> (none, i8) { return %start, %a : none, i8 }",
        "results are integers, and last a `none` that says that all stores are done",
    ),
    (
        "handshake.func private @g(%a: none) -> none
         handshake.func @f(%start: none) -> none { %0 = instance @g(%start) : (none) -> none return %0 : none }",
        "`handshake.instance` is not of the graph form, but for circuits of schedules",
    ),
    (
        "handshake.func @f(%a: i8, %start: none) -> (i8, i1, none) {
           %fork:2 = fork [2] %a : i8
           %sum, %carry = arith.addui_extended %fork#0, %fork#1 : i8, i1
           return %sum, %carry, %start : i8, i1, none
         }",
        "`arith.addui_extended` has no meaning as a join of its operands with one result",
    ),
    (
        "handshake.func @f(%a: i8, %b: i8, %start: none) -> (i8, none) {
           %c = arith.muli %a, %b {sluice.shared = 0 : i64} : i8
           return %c, %start : i8, none
         }",
        "what shares a unit has a `sluice.latency` and `sluice.credits` of at least 1",
    ),
    (
        "handshake.func @f(%a: i8, %b: i8, %c: i8, %d: i8, %start: none) -> (i8, i8, none) {
           %e = arith.muli %a, %b {sluice.shared = 0 : i64, sluice.latency = 1 : i64} : i8
           %f = arith.muli %c, %d {sluice.shared = 0 : i64, sluice.latency = 2 : i64} : i8
           return %e, %f, %start : i8, i8, none
         }",
        "what shares a unit is one operation with one `sluice.latency`, here `arith.muli` with 1",
    ),
    (
        "handshake.func @f(%m: memref<4xi8>, %a: i3, %start: none) -> (i8, none) {
           %data, %at = load [%a] %port#0, %start : i3, i8
           %port:2 = extmemory[ld = 1, st = 0] (%m : memref<4xi8>) (%at) {id = 0 : i32} : (i3) -> (i8, none)
           return %data, %port#1 : i8, none
         }",
        "the ports of a memory of 4 words of 8 bits have addresses of 2 bits",
    ),
    (
        "handshake.func @f(%m: memref<4xi8>, %a: i2, %start: none) -> (i8, none) {
           sink %start : none
           %port:2 = extmemory[ld = 1, st = 0] (%m : memref<4xi8>) (%a) {id = 0 : i32} : (i2) -> (i8, none)
           return %port#0, %port#1 : i8, none
         }",
        "port `port.load0` does not belong to one `load` or `store`",
    ),
    (
        "handshake.func @f(%a: i8, %start: none) -> (i8, none) {
           %b = buffer [1] fifo %a {sluice.cut = \"data\"} : i8
           return %b, %start : i8, none
         }",
        "`sluice.cut` is \"data\", on a `seq` buffer",
    ),
    (
        "handshake.func @f(%a: i2, %start: none) -> (i2, none) {
           %b = buffer [1] seq %a {initValues = [9]} : i2
           return %b, %start : i2, none
         }",
        "`initValues` are integers of the channel's width",
    ),
];

#[test]
fn what_is_not_of_the_form_is_said() {
    for (text, message) in WRONG {
        let context = sluice_dialects::context();
        let module = parsed(&context, text, "f.mlir");
        let found = TokenSimulator::new(&context, &module, "f").expect_err(text);
        let messages: Vec<_> = found
            .all
            .iter()
            .map(|found| found.message.as_str())
            .collect();
        assert_eq!(messages, [*message], "{text}");
    }
    let context = sluice_dialects::context();
    let module = parsed(&context, "module {}", "f.mlir");
    let found = TokenSimulator::new(&context, &module, "f").expect_err("no function");
    assert_eq!(found.all[0].message, "there is no `handshake.func @f`");
}
