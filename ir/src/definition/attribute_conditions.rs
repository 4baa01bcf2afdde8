//! Conditions that confine an attribute: numbers in a range, arrays of a size.

use std::borrow::Cow;

use crate::context::Context;
use crate::ids::Attribute;

/// A condition on an attribute whose kind another constraint decides.
///
/// Source: MLIR, `CommonAttrConstraints.td`; the descriptions are those of upstream.
#[derive(Clone, Copy)]
pub enum AttributeCondition {
    /// An integer that is at least this.
    IntMinValue(i64),
    /// An integer that is at most this.
    IntMaxValue(i64),
    /// An integer that is not this.
    IntNotValue(i64),
    /// An integer of at least 0.
    IntNonNegative,
    /// An integer above 0.
    IntPositive,
    /// A power of two.
    IntPowerOf2,
    /// At least this many elements.
    ArrayMinCount(usize),
    /// At most this many elements.
    ArrayMaxCount(usize),
    /// Exactly this many elements.
    ArrayCount(usize),
    /// The element of this index has this value.
    ArrayElement(usize, i64),
    /// The element of this index has at least this value.
    ArrayElementMin(usize, i64),
    /// The element of this index has at most this value.
    ArrayElementMax(usize, i64),
    /// Elements do not get smaller.
    ArraySorted,
    /// Elements get larger.
    ArrayStrictlySorted,
    /// A string that is not empty.
    StringNonEmpty,
    /// All of these; the description joins theirs with "and". Source: `AllAttrOf`.
    AllOf(&'static [AttributeCondition]),
    /// A condition of the user's own: its description, and the check.
    Own(&'static str, fn(&Context, Attribute) -> bool),
}

impl AttributeCondition {
    /// Returns true if an attribute fulfils the condition. An attribute of another kind does not.
    pub fn holds(self, context: &Context, attribute: Attribute) -> bool {
        let integer = |fits: &dyn Fn(i64) -> bool| attribute.as_i64(context).is_some_and(fits);
        let count = |fits: &dyn Fn(usize) -> bool| {
            let list = attribute.as_array(context).map(<[_]>::len);
            let count = list.or_else(|| Some(attribute.as_dense_array_i64(context)?.len()));
            count.is_some_and(fits)
        };
        let element = |index: usize, fits: &dyn Fn(i64) -> bool| {
            let value = numbers(context, attribute).and_then(|all| all.get(index).copied());
            value.is_some_and(fits)
        };
        let neighbours = |fits: &dyn Fn(i64, i64) -> bool| {
            let all = numbers(context, attribute);
            all.is_some_and(|all| all.windows(2).all(|pair| fits(pair[0], pair[1])))
        };
        match self {
            Self::IntMinValue(least) => integer(&|value| value >= least),
            Self::IntMaxValue(most) => integer(&|value| value <= most),
            Self::IntNotValue(other) => integer(&|value| value != other),
            Self::IntNonNegative => integer(&|value| value >= 0),
            Self::IntPositive => integer(&|value| value > 0),
            Self::IntPowerOf2 => integer(&|value| value > 0 && value.count_ones() == 1),
            Self::ArrayMinCount(least) => count(&|n| n >= least),
            Self::ArrayMaxCount(most) => count(&|n| n <= most),
            Self::ArrayCount(exactly) => count(&|n| n == exactly),
            Self::ArrayElement(index, wanted) => element(index, &|value| value == wanted),
            Self::ArrayElementMin(index, least) => element(index, &|value| value >= least),
            Self::ArrayElementMax(index, most) => element(index, &|value| value <= most),
            Self::ArraySorted => neighbours(&|a, b| a <= b),
            Self::ArrayStrictlySorted => neighbours(&|a, b| a < b),
            Self::StringNonEmpty => attribute
                .as_str(context)
                .is_some_and(|text| !text.is_empty()),
            Self::AllOf(all) => all.iter().all(|one| one.holds(context, attribute)),
            Self::Own(_, check) => check(context, attribute),
        }
    }

    /// Returns the description: "whose minimum value is 1".
    pub fn description(self) -> Cow<'static, str> {
        Cow::Owned(match self {
            Self::IntMinValue(least) => format!("whose minimum value is {least}"),
            Self::IntMaxValue(most) => format!("whose maximum value is {most}"),
            Self::IntNotValue(other) => format!("whose value is not {other}"),
            Self::IntNonNegative => return Cow::Borrowed("whose value is non-negative"),
            Self::IntPositive => return Cow::Borrowed("whose value is positive"),
            Self::IntPowerOf2 => return Cow::Borrowed("whose value is a power of two > 0"),
            Self::ArrayMinCount(least) => format!("with at least {least} elements"),
            Self::ArrayMaxCount(most) => format!("with at most {most} elements"),
            Self::ArrayCount(exactly) => format!("with exactly {exactly} elements"),
            Self::ArrayElement(index, value) => format!("whose {index}-th element must be {value}"),
            Self::ArrayElementMin(index, least) => {
                format!("whose {index}-th element must be at least {least}")
            }
            Self::ArrayElementMax(index, most) => {
                format!("whose {index}-th element must be at most {most}")
            }
            Self::ArraySorted => return Cow::Borrowed("should be in non-decreasing order"),
            Self::ArrayStrictlySorted => return Cow::Borrowed("should be in increasing order"),
            Self::StringNonEmpty => return Cow::Borrowed("that is not empty"),
            Self::AllOf(all) => {
                let all: Vec<_> = all.iter().map(|one| one.description()).collect();
                all.join(" and ")
            }
            Self::Own(summary, _) => return Cow::Borrowed(summary),
        })
    }
}

/// Returns the elements of an array of integers.
fn numbers(context: &Context, attribute: Attribute) -> Option<Vec<i64>> {
    if let Some(all) = attribute.as_dense_array_i64(context) {
        return Some(all.into_iter().collect());
    }
    let all = attribute.as_array(context)?.iter();
    all.map(|one| one.as_i64(context)).collect()
}
