//! Affine expressions: simplification keeps every value, printed text parses back, composition is application.

use proptest::prelude::*;
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::text::parse_attribute;
use sluice_ir::{AttributeKind, Context};

/// The construction of an expression, without simplification.
#[derive(Clone, Debug)]
enum Recipe {
    Dim(u32),
    Symbol(u32),
    Constant(i64),
    Add(Box<Recipe>, Box<Recipe>),
    Sub(Box<Recipe>, Box<Recipe>),
    Scale(Box<Recipe>, i64),
    Mod(Box<Recipe>, i64),
    FloorDiv(Box<Recipe>, i64),
    CeilDiv(Box<Recipe>, i64),
}

impl Recipe {
    fn build(&self) -> AffineExpr {
        match self {
            Self::Dim(index) => AffineExpr::Dim(*index),
            Self::Symbol(index) => AffineExpr::Symbol(*index),
            Self::Constant(value) => AffineExpr::Constant(*value),
            Self::Add(a, b) => a.build() + b.build(),
            Self::Sub(a, b) => a.build() - b.build(),
            Self::Scale(a, factor) => a.build() * AffineExpr::Constant(*factor),
            Self::Mod(a, by) => a.build().modulo((*by).into()),
            Self::FloorDiv(a, by) => a.build().floor_div((*by).into()),
            Self::CeilDiv(a, by) => a.build().ceil_div((*by).into()),
        }
    }

    /// Returns the value by definition, in numbers that cannot overflow here.
    fn value(&self, dims: &[i64], symbols: &[i64]) -> i128 {
        let at = |e: &Recipe| e.value(dims, symbols);
        match self {
            Self::Dim(index) => i128::from(dims[*index as usize]),
            Self::Symbol(index) => i128::from(symbols[*index as usize]),
            Self::Constant(value) => i128::from(*value),
            Self::Add(a, b) => at(a) + at(b),
            Self::Sub(a, b) => at(a) - at(b),
            Self::Scale(a, factor) => at(a) * i128::from(*factor),
            Self::Mod(a, by) => at(a).rem_euclid(i128::from(*by)),
            Self::FloorDiv(a, by) => at(a).div_euclid(i128::from(*by)),
            Self::CeilDiv(a, by) => -(-at(a)).div_euclid(i128::from(*by)),
        }
    }
}

fn recipe() -> impl Strategy<Value = Recipe> {
    let leaf = prop_oneof![
        (0..3u32).prop_map(Recipe::Dim),
        (0..2u32).prop_map(Recipe::Symbol),
        (-9..10i64).prop_map(Recipe::Constant),
    ];
    leaf.prop_recursive(5, 24, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        let by = 1..9i64;
        prop_oneof![
            two.clone()
                .prop_map(|(a, b)| Recipe::Add(Box::new(a), Box::new(b))),
            two.prop_map(|(a, b)| Recipe::Sub(Box::new(a), Box::new(b))),
            (inner.clone(), -9..10i64).prop_map(|(a, factor)| Recipe::Scale(Box::new(a), factor)),
            (inner.clone(), by.clone()).prop_map(|(a, by)| Recipe::Mod(Box::new(a), by)),
            (inner.clone(), by.clone()).prop_map(|(a, by)| Recipe::FloorDiv(Box::new(a), by)),
            (inner, by).prop_map(|(a, by)| Recipe::CeilDiv(Box::new(a), by)),
        ]
    })
}

fn point() -> impl Strategy<Value = (Vec<i64>, Vec<i64>)> {
    (
        prop::collection::vec(-50..50i64, 3),
        prop::collection::vec(-50..50i64, 2),
    )
}

proptest! {
    #[test]
    fn simplification_keeps_the_value(recipe in recipe(), (dims, symbols) in point()) {
        let expected = recipe.value(&dims, &symbols);
        let value = recipe.build().evaluate(&dims, &symbols);
        prop_assert_eq!(value.map(i128::from), Some(expected), "{}", recipe.build());
    }

    #[test]
    fn text_parses_back(recipe in recipe()) {
        let context = Context::new(&[]);
        let map = AffineMap { n_dims: 3, n_symbols: 2, results: vec![recipe.build()] };
        let attribute = parse_attribute(&context, &format!("affine_map<{map}>"));
        let attribute = attribute.map_err(|errors| TestCaseError::fail(errors.to_text(&context)))?;
        let AttributeKind::AffineMap(back) = attribute.kind(&context) else { unreachable!("a map was written") };
        // Building a sum again may merge terms that became neighbours only through an earlier simplification.
        let again = parse_attribute(&context, &format!("affine_map<{back}>"));
        let again = again.map_err(|errors| TestCaseError::fail(errors.to_text(&context)))?;
        for point in [[1, 2, 3, 4, 5], [-7, 0, 13, 2, -1]] {
            prop_assert_eq!(map.evaluate(&point), back.evaluate(&point));
            prop_assert_eq!(again.as_affine_map(&context).and_then(|map| map.evaluate(&point)), map.evaluate(&point));
        }
    }

    #[test]
    fn composition_is_application(outer in recipe(), inner in prop::collection::vec(recipe(), 3), (dims, symbols) in point()) {
        let outer = AffineMap { n_dims: 3, n_symbols: 2, results: vec![outer.build()] };
        let inner = AffineMap { n_dims: 3, n_symbols: 2, results: inner.iter().map(Recipe::build).collect() };
        let both: Vec<i64> = dims.iter().chain(&symbols).copied().collect();
        let between = inner.evaluate(&both).expect("small numbers do not overflow");
        let outer_operands: Vec<i64> = between.iter().chain(&symbols).copied().collect();
        let all: Vec<i64> = dims.iter().chain(&symbols).chain(&symbols).copied().collect();
        prop_assert_eq!(outer.compose(&inner).evaluate(&all), outer.evaluate(&outer_operands));
    }
}

#[test]
fn what_has_no_value_evaluates_to_none() {
    let by_zero = AffineExpr::Dim(0).floor_div(AffineExpr::Constant(0));
    assert_eq!(by_zero.to_string(), "d0 floordiv 0");
    assert_eq!(by_zero.evaluate(&[5], &[]), None);
    assert_eq!(AffineExpr::Dim(3).evaluate(&[1], &[]), None);
    let large = AffineExpr::Constant(i64::MAX) + AffineExpr::Constant(1);
    assert_eq!(large.evaluate(&[], &[]), None);
    assert_eq!(
        AffineExpr::Dim(0).modulo((-3).into()).evaluate(&[5], &[]),
        None
    );
}
