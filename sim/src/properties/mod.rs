//! Properties of signals over cycles: what must hold in every cycle of a run, as assertions of SystemVerilog say it.
//!
//! A property is `expression`, or `expression |-> expression`: in every cycle in which the left side is true the right one is too. `|=>` asks
//! for the right side in the cycle behind, `|-> ##N` N cycles later, `|-> ##[M:N]` in one of the cycles M to N later, and `|-> ##[M:$]` in
//! one before the run ends. A name with a `:` may stand in front, and behind that `disable iff (expression)`: in a cycle in which that is
//! true nothing is asked for, and what was asked for before is dropped.
//!
//! Values are whole numbers: sums, differences and products have as many bits as they need, so that `count + 1 > count` always holds. A
//! signal is a number from 0 up, `signed(x)` one in two's complement. What needs bits, `~x`, `x[3]`, `x[7:0]`, `{x, y}` and `signed(x)`,
//! takes signals, literals with a width (`8'hff`) and what is made of them by these and by `&`, `|`, `^`.
//!
//! A name is that of a port, of a memory, or of a signal inside, with the instances around it (`fifo.count`) or as much of them as is
//! needed for there to be one only. A name with other characters than letters, digits, `_` and `.` stands behind `\` and ends with a space.
//!
//! | form | meaning |
//! |---|---|
//! | `m[i]`, `m[i][j]` | a word of a memory as it is before the edge; 0 where an index that is computed is outside |
//! | `12`, `0xff`, `0b101`, `8'hff` | numbers, the last one with eight bits |
//! | `!x`, `x && y`, `x \|\| y`, `x -> y` | truth: everything but 0 is true; 0 or 1 |
//! | `==`, `!=`, `<`, `<=`, `>`, `>=` | of numbers |
//! | `+`, `-`, `*`, `<<`, `>>` | of numbers; shifts by constants |
//! | `x / y`, `x % y` | the quotient without its fraction, and what is left, with the sign of `x`; by 0 they are 0 and `x` |
//! | `~`, `&`, `\|`, `^`, `{x, y}`, `{4{x}}`, `x[7:0]`, `x[0]` | of bits |
//! | `&x`, `\|x`, `^x` | whether all bits are 1, one is, an odd number is |
//! | `c ? x : y` | a choice |
//! | `past(x)`, `past(x, N)` | as it was one cycle before, N cycles |
//! | `stable(x)`, `changed(x)`, `rose(x)`, `fell(x)` | against the cycle before; of the lowest bit where it rose or fell |
//! | `onehot(x)`, `onehot0(x)`, `countones(x)` | bits that are 1 |
//!
//! Functions may have a `$` before their names. From weak to strong bind `->`, `?:`, `||`, `&&`, `|`, `^`, `&`, `==`, `<`, `<<`, `+`, `*`; `/` and
//! `%` as `*`.
//!
//! A cycle is looked at from the first on that has all the past a property speaks of; one of reset has none. Source: IEEE Std 1800-2017,
//! clause 16, of which this is a small part with other widths.
//!
//! ```
//! use sluice_sim::properties::{NamedValue, Property, Subjects};
//!
//! let ports = [("valid", 1), ("ready", 1), ("data", 8)];
//! let ports = ports.map(|(name, width_bits)| NamedValue::new(name, width_bits)).into();
//! let mut subjects = Subjects { ports, ..Subjects::default() };
//! let property = Property::parse("valid & !ready |=> valid & stable(data)")?;
//! assert!(property.resolve(&subjects).is_ok());
//! subjects.ports.pop();
//! assert!(property.resolve(&subjects).is_err_and(|why| why.message.contains("`data`")));
//! # Ok::<(), sluice_sim::properties::PropertyError>(())
//! ```

mod monitor;
mod resolve;
mod seen;
mod subjects;
mod syntax;
mod tokens;
mod watching;

use sluice_ir::limits::Limits;

use thiserror::Error;

pub use monitor::{Monitor, Verdict};
pub use subjects::{NamedMemory, NamedValue, Subjects, Values};
pub use watching::{Asserting, Reset};

use syntax::Expression;

/// What is wrong with the text of a property.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: {message}")]
pub struct PropertyError {
    /// The column in the text, from 1.
    pub column: usize,
    /// What, and what would fit.
    pub message: String,
}

/// When the right side must hold, in cycles after the left one did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) first: u64,
    /// Nothing where it is only the end of the run that ends it.
    pub(crate) last: Option<u64>,
}

/// A property as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    text: String,
    name: Option<String>,
    /// When it is not looked at.
    disabled: Option<Expression>,
    left: Option<Expression>,
    window: Window,
    right: Expression,
}

impl Property {
    /// Reads a property.
    ///
    /// # Errors
    /// What is no property, with its column.
    pub fn parse(text: &str) -> Result<Self, PropertyError> {
        Self::parse_within(text, &Limits::default())
    }

    /// The same with other limits.
    ///
    /// # Errors
    /// As [`Property::parse`].
    pub fn parse_within(text: &str, limits: &Limits) -> Result<Self, PropertyError> {
        syntax::parse(text, limits)
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its name, where it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Finds what it speaks of.
    ///
    /// # Errors
    /// Names that stand for nothing, operations on what has no bits, values that are too wide.
    pub fn resolve(&self, subjects: &Subjects) -> Result<Monitor, PropertyError> {
        resolve::resolve(self, subjects)
    }
}
