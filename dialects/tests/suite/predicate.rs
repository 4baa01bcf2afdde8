//! Predicates of comparisons.

use sluice_dialects::predicate::Predicate;
use sluice_ir::bits::Bits;

#[test]
fn numbers_survive_a_round_trip() {
    for predicate in Predicate::ALL {
        assert_eq!(Predicate::from_number(predicate as i64), Some(predicate));
    }
    for number in [-1, 14, i64::MAX, i64::MIN] {
        assert_eq!(Predicate::from_number(number), None);
    }
}

#[test]
fn equal_operands_are_answered_as_by_comparing_them() {
    let x = Bits::from_u64(3, 5);
    let answers = [
        (Predicate::Sle, x.sle(&x)),
        (Predicate::Slt, x.slt(&x)),
        (Predicate::Ule, x.ule(&x)),
        (Predicate::Ult, x.ult(&x)),
    ];
    for (predicate, answer) in answers {
        assert_eq!(predicate.holds_if_equal(), answer, "{predicate:?}");
    }
}
