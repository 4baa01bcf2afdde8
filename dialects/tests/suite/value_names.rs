//! Names of values that have none in the source.

use sluice_dialects::context;
use sluice_dialects::value_names::derived_name;
use sluice_ir::text::parse_module;
use sluice_ir::{Diagnostics, View};

/// Kernels and circuits, with the derived names of their results in order.
const NAMES: &[(&str, &[&str])] = &[
    (
        "func.func @f(%i: i8, %j: i8, %c: i1) -> i16 {
          %one = arith.constant 1 : i8
          %0 = arith.addi %i, %one : i8
          %1 = arith.muli %0, %j : i8
          %2 = arith.cmpi slt, %1, %j : i8
          %3 = arith.select %2, %i, %1 : i8
          %4 = arith.extsi %3 : i8 to i16
          %5 = arith.shli %i, %j : i8
          %6 = arith.shli %i, %one : i8
          %7 = arith.addi %5, %6 : i8
          %8 = arith.ceildivui %i, %j : i8
          return %4 : i16
        }",
        &[
            "i_plus_1",
            "sum_times_j",
            "product_below_j",
            "i_else_product",
            "chosen_wide",
            "i_shifted_left_by_j",
            "i_shifted_left",
            "shifted_left_plus_i",
            "ceildivui",
        ],
    ),
    (
        "hw.module @m(in %row: i4, in %busy: i1, out o: i8) {
          %true = hw.constant true
          %zero = hw.constant 0 : i4
          %0 = comb.xor %busy, %true : i1
          %1 = comb.concat %row, %zero : i4, i4
          %2 = comb.concat %zero, %row : i4, i4
          %3 = comb.add %1, %2 : i8
          %4 = comb.mux %0, %3, %2 : i8
          %5 = comb.extract %4 from 3 : (i8) -> i4
          %6 = comb.add %1, %2, %3 : i8
          hw.output %4 : i8
        }",
        &[
            "not_busy",
            "row_shifted",
            "row_padded",
            "row_plus_row",
            "sum_else_row",
            "chosen_part",
            "sum",
        ],
    ),
    (
        "func.func @long(%the_first_of_the_counters: i8, %the_second_of_the_counters: i8) -> i8 {
          %0 = arith.addi %the_first_of_the_counters, %the_second_of_the_counters : i8
          return %0 : i8
        }",
        &["sum"],
    ),
];

#[test]
fn values_are_named_after_their_operation_and_its_operands() {
    for (text, expected) in NAMES {
        let context = context();
        let mut diagnostics = Diagnostics::default();
        let module = parse_module(&context, text, "k.mlir", &mut diagnostics);
        let module = module.expect("the text is correct");
        let symbol = text.split(['@', '(']).nth(1).expect("it has a name");
        let symbol = module.lookup_symbol(&context, symbol).expect("it is there");
        let body = View::new(&context, module.inner(), symbol).inner();
        let given = |value| {
            body.value_name(value)
                .map(|name| context.text(name).to_owned())
        };
        let mut names = Vec::new();
        for op in body.walk_all() {
            let view = View::new(&context, body, op);
            for result in view.results() {
                if given(*result).is_none_or(|name| name.starts_with(|c: char| c.is_ascii_digit()))
                {
                    names.push(derived_name(view, &given));
                }
            }
        }
        assert_eq!(names, *expected, "{text}");
    }
}
