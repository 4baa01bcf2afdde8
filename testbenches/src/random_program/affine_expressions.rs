//! Random affine expressions with known ranges, for subscripts, bounds and sets.

use super::generator::{AffineUse, Generator};
use super::{Type, ValueId};

/// An affine expression over values, with its range.
pub(super) struct Expression {
    /// Its text, with `d0`, `d1`, ... for the values in the order of their first use.
    pub(super) text: String,
    pub(super) min: i64,
    pub(super) max: i64,
}

/// The values of one map or access, in order.
#[derive(Default)]
pub(super) struct Dimensions {
    pub(super) values: Vec<ValueId>,
}

impl Dimensions {
    fn position(&mut self, value: ValueId) -> usize {
        match self.values.iter().position(|v| *v == value) {
            Some(at) => at,
            None => {
                self.values.push(value);
                self.values.len() - 1
            }
        }
    }

    /// Returns `(d0, d1)`.
    pub(super) fn names(&self) -> String {
        let all: Vec<String> = (0..self.values.len()).map(|i| format!("d{i}")).collect();
        format!("({})", all.join(", "))
    }

    /// Returns the text with operand holes, numbered from `first` on, in place of the dimensions.
    pub(super) fn inline(&self, text: &str, first: usize) -> String {
        let mut text = text.to_owned();
        for i in (0..self.values.len()).rev() {
            text = text.replace(&format!("d{i}"), &format!("%o{}", first + i));
        }
        // The keywords `mod`, `floordiv` and `ceildiv` contain a `d`, but it is never followed by a digit.
        text
    }
}

impl Generator {
    /// Returns affine values with a small known range.
    fn affine_values(&self) -> Vec<ValueId> {
        self.visible
            .iter()
            .filter(|v| v.affine_use != AffineUse::None)
            .map(|v| v.value)
            .filter(|v| self.below(*v).is_some_and(|n| n <= 64))
            .collect()
    }

    fn leaf(&mut self, dimensions: &mut Dimensions) -> Expression {
        let values = self.affine_values();
        if values.is_empty() || self.once_in(6) {
            let value = i64::try_from(self.choose(8)).expect("small");
            return Expression {
                text: value.to_string(),
                min: value,
                max: value,
            };
        }
        // Loop variables are the newest values.
        let newest = values.len().min(4);
        let value = if self.once_in(3) {
            values[self.choose(values.len())]
        } else {
            values[values.len() - 1 - self.choose(newest)]
        };
        let below = self.below(value).expect("filtered by it");
        Expression {
            text: format!("d{}", dimensions.position(value)),
            min: 0,
            max: i64::try_from(below).expect("small") - 1,
        }
    }

    pub(super) fn expression(&mut self, dimensions: &mut Dimensions, depth: u32) -> Expression {
        let a = self.leaf(dimensions);
        if depth == 0 || self.once_in(3) {
            return a;
        }
        let c = i64::try_from(1 + self.choose(5)).expect("small");
        match self.choose(8) {
            0 | 1 => Expression {
                text: format!("{} + {c}", a.text),
                min: a.min + c,
                max: a.max + c,
            },
            2 => Expression {
                text: format!("{} - {c}", a.text),
                min: a.min - c,
                max: a.max - c,
            },
            3 => {
                let b = self.expression(dimensions, depth - 1);
                Expression {
                    text: format!("{} + ({})", a.text, b.text),
                    min: a.min + b.min,
                    max: a.max + b.max,
                }
            }
            4 => {
                let b = self.expression(dimensions, depth - 1);
                Expression {
                    text: format!("{} - ({})", a.text, b.text),
                    min: a.min - b.max,
                    max: a.max - b.min,
                }
            }
            5 => Expression {
                text: format!("({}) * {c}", a.text),
                min: a.min * c,
                max: a.max * c,
            },
            6 => {
                let b = self.expression(dimensions, depth - 1);
                Expression {
                    text: format!("({}) mod {c}", b.text),
                    min: 0,
                    max: c - 1,
                }
            }
            _ => {
                let b = self.expression(dimensions, depth - 1);
                let up = self.once_in(2);
                let operation = if up { "ceildiv" } else { "floordiv" };
                let divide = |n: i64| {
                    if up {
                        -((-n).div_euclid(c))
                    } else {
                        n.div_euclid(c)
                    }
                };
                Expression {
                    text: format!("({}) {operation} {c}", b.text),
                    min: divide(b.min),
                    max: divide(b.max),
                }
            }
        }
    }

    /// Returns an expression from 0 to `extent - 1`.
    pub(super) fn subscript(&mut self, dimensions: &mut Dimensions, extent: u64) -> String {
        let made = self.expression(dimensions, 2);
        let extent = i64::try_from(extent).expect("small");
        if made.min >= 0 && made.max < extent {
            made.text
        } else {
            format!("({}) mod {extent}", made.text)
        }
    }

    /// Creates an `affine.apply`, `affine.min` or `affine.max`.
    pub(super) fn affine_value(&mut self) {
        let mut dimensions = Dimensions::default();
        let n = [1, 1, 2, 3][self.choose(4)];
        let all: Vec<Expression> = (0..n)
            .map(|_| self.expression(&mut dimensions, 2))
            .collect();
        let (operation, min, max) = if n == 1 {
            ("apply", all[0].min, all[0].max)
        } else if self.once_in(2) {
            (
                "min",
                all.iter().map(|e| e.min).min().expect("not empty"),
                all.iter().map(|e| e.max).min().expect("not empty"),
            )
        } else {
            (
                "max",
                all.iter().map(|e| e.min).max().expect("not empty"),
                all.iter().map(|e| e.max).max().expect("not empty"),
            )
        };
        let below = if min >= 0 {
            u64::try_from(max + 1).ok()
        } else {
            None
        };
        let texts: Vec<&str> = all.iter().map(|e| e.text.as_str()).collect();
        let operands: Vec<String> = (0..dimensions.values.len())
            .map(|i| format!("%o{i}"))
            .collect();
        let template = format!(
            "%r0 = affine.{operation} affine_map<{} -> ({})>({})",
            dimensions.names(),
            texts.join(", "),
            operands.join(", ")
        );
        self.emit(template, &dimensions.values, &[Type::Index { below }]);
        if operation == "apply" {
            self.last_is_dimension();
        }
    }
}
