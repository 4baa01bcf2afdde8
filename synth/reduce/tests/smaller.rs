//! Tests of the reduction of kernels; the property is a condition on the text, so no compiler is needed.

use sluice_ir::text::{PrintOptions, ValueNames, parse_module, print_module};
use sluice_ir::{Diagnostics, Module};
use sluice_reduce::{Answer, reduce};

/// Returns the smallest text for which `holds` is true, without the line of the module, and the number of calls of `holds`.
fn smallest(text: &str, holds: impl Fn(&str) -> bool, most: usize) -> (String, usize) {
    let context = sluice_dialects::context();
    let mut found = Diagnostics::new();
    let module = parse_module(&context, text, "f.mlir", &mut found)
        .unwrap_or_else(|| panic!("{}", found.to_text(&context)));
    let options = PrintOptions {
        value_names: ValueNames::Source,
        ..PrintOptions::default()
    };
    let print = |module: &Module| print_module(&context, module, &options);
    let mut n_asked = 0;
    let mut ask = |candidate: &Module| {
        if n_asked == most {
            return Answer::Stop;
        }
        n_asked += 1;
        match holds(&print(candidate)) {
            true => Answer::Holds,
            false => Answer::Lost,
        }
    };
    let smallest = print(&reduce(&context, &module, &[], &mut ask));
    (smallest, n_asked)
}

fn check(text: &str, holds: impl Fn(&str) -> bool, expected: &str) {
    let (found, _) = smallest(text, holds, usize::MAX);
    let found: Vec<&str> = found.lines().map(str::trim).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).collect();
    assert_eq!(found, expected, "{}", found.join("\n"));
}

#[test]
fn branches_that_only_yield_become_a_selection() {
    let text = "func.func @chosen(%p: i1, %q: i1) -> i1 {
  %false = arith.constant false
  %both = scf.if %p -> (i1) {
    scf.yield %q : i1
  } else {
    scf.yield %false : i1
  }
  return %both : i1
}";
    let uses = |text: &str, name: &str| text.matches(name).count();
    let holds = |text: &str| uses(text, "%p") == 2 && uses(text, "%q") == 2;
    let expected = "module {
      func.func @chosen(%p: i1, %q: i1) {
        %false = arith.constant false
        %0 = arith.select %p, %q, %false : i1
        return
      }
    }";
    check(text, holds, expected);
}

const NEST: &str = "func.func private @twice(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}
func.func @nest(%A: memref<16x8xi32>, %B: memref<16xi32>, %n: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %sum, %last = affine.for %i = 0 to 16 iter_args(%s = %zero, %l = %n) -> (i32, i32) {
    %r = affine.for %j = 2 to 8 step 2 iter_args(%t = %s) -> (i32) {
      %a = affine.load %A[%i, %j - 1] : memref<16x8xi32>
      %b = affine.load %B[%i] : memref<16xi32>
      %c = func.call @twice(%b) : (i32) -> i32
      %p = arith.muli %a, %c overflow<nsw> : i32
      %u = arith.addi %t, %p : i32
      affine.yield %u : i32
    }
    %odd = arith.cmpi slt, %r, %n : i32
    %v = scf.if %odd -> (i32) {
      affine.store %r, %B[%i] : memref<16xi32>
      scf.yield %r : i32
    } else {
      scf.yield %zero : i32
    }
    affine.yield %v, %r : i32, i32
  }
  return %sum, %last : i32, i32
}
";

#[test]
fn one_operation_is_left() {
    check(
        NEST,
        |text| text.contains("arith.muli"),
        "module {
           func.func @nest() {
             %zero = arith.constant false
             %p = arith.muli %zero, %zero : i1
             return
           }
         }",
    );
}

#[test]
fn a_loop_that_is_needed_stays_with_one_iteration() {
    check(
        NEST,
        |text| text.contains("affine.for %j = ") && text.contains("affine.load %A["),
        "module {
           func.func @nest(%A: memref<i1>) {
             affine.for %j = 0 to 0 {
               %a = affine.load %A[] : memref<i1>
             }
             return
           }
         }",
    );
}

#[test]
fn an_access_in_a_loop_keeps_what_it_reads() {
    let inside = |text: &str| {
        let after = text.split("affine.for").nth(1);
        after.is_some_and(|after| after.contains("affine.load %A[%"))
    };
    check(
        NEST,
        inside,
        "module {
           func.func @nest(%A: memref<1xi1>) {
             %c0 = arith.constant 0 : index
             affine.for %j = 0 to 0 {
               %a = affine.load %A[%c0] : memref<1xi1>
             }
             return
           }
         }",
    );
}

#[test]
fn a_call_keeps_its_function() {
    check(
        NEST,
        |text| text.contains("call @twice"),
        "module {
           func.func @twice() {
             return
           }
           func.func @nest() {
             call @twice() : () -> ()
             return
           }
         }",
    );
}

#[test]
fn blocks_that_branch_are_merged() {
    check(
        "func.func @f(%c: i1, %x: i32) -> i32 {
           cf.cond_br %c, ^a(%x : i32), ^b
         ^a(%y: i32):
           %s = arith.addi %y, %x : i32
           cf.br ^c(%s : i32)
         ^b:
           %d = arith.subi %x, %x : i32
           cf.br ^c(%d : i32)
         ^c(%z: i32):
           return %z : i32
         }",
        |text| text.contains("arith.subi"),
        "module {
           func.func @f() {
             %false = arith.constant false
             %d = arith.subi %false, %false : i1
             return
           }
         }",
    );
}

#[test]
fn a_loop_with_a_condition_loses_what_it_carries() {
    check(
        "func.func @f(%x: i32, %y: i32) -> i32 {
           %one = arith.constant 1 : i32
           %r:2 = scf.while (%a = %x, %b = %y) : (i32, i32) -> (i32, i32) {
             %c = arith.cmpi ult, %a, %b : i32
             scf.condition(%c) %a, %b : i32, i32
           } do {
           ^bb0(%a: i32, %b: i32):
             %n = arith.addi %a, %one : i32
             scf.yield %n, %b : i32, i32
           }
           return %r#0 : i32
         }",
        |text| text.contains("scf.while"),
        "module {
           func.func @f() {
             %false = arith.constant false
             scf.while : () -> () {
               scf.condition(%false)
             } do {
               scf.yield
             }
             return
           }
         }",
    );
}

#[test]
fn tables_and_memories_shrink() {
    check(
        "memref.global \"private\" constant @t : memref<4x4xi16> = dense<7>
         func.func @f(%i: index) -> i16 {
           %t = memref.get_global @t : memref<4x4xi16>
           %m = memref.alloca() : memref<8xi16>
           %v = memref.load %t[%i, %i] : memref<4x4xi16>
           memref.store %v, %m[%i] : memref<8xi16>
           %w = memref.load %m[%i] : memref<8xi16>
           return %w : i16
         }",
        |text| text.contains("get_global") && text.contains("memref.alloca"),
        "module {
           memref.global @t : memref<1x1xi1>
           func.func @f() {
             %t = memref.get_global @t : memref<1x1xi1>
             %m = memref.alloca() : memref<i1>
             return
           }
         }",
    );
}

#[test]
fn what_holds_stays_where_nothing_else_does() {
    let (found, _) = smallest(NEST, |_| false, usize::MAX);
    assert!(found.contains("affine.for %j = 2 to 8 step 2"), "{found}");
}

#[test]
fn no_more_is_asked_than_allowed_and_twice_gives_the_same() {
    let holds = |text: &str| text.contains("arith.addi");
    let (first, n_asked) = smallest(NEST, holds, 5);
    assert_eq!(n_asked, 5);
    let (second, _) = smallest(NEST, holds, 5);
    assert_eq!(first, second);
}
