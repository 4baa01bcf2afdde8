//! Properties of signals over cycles: assertions, similar to those of SystemVerilog, that must hold in every cycle of a run.
//!
//! A property is `expression`, or an implication `expression |-> expression`: in every cycle in which the left side is true, the
//! right side is true too. `|=>` requires the right side in the next cycle, `|-> ##N` N cycles later, `|-> ##[M:N]` in one of the
//! cycles M to N later, and `|-> ##[M:$]` M or more cycles later but before the run ends. A property may begin with a name and
//! `:`, followed by an optional `disable iff (expression)`: a cycle in which that expression is true starts no check and cancels
//! all pending ones.
//!
//! Values are whole numbers. Sums, differences and products have as many bits as they need, so `count + 1 > count` always holds.
//! A signal is an unsigned number; `signed(x)` is its value in two's complement. The operations `~x`, `x[3]`, `x[7:0]`, `{x, y}`
//! and `signed(x)` need operands made of bits. Those are signals, literals with a width (`8'hff`), and results of these
//! operations and of `&`, `|`, `^`.
//!
//! A name is that of a port, of a memory, or of a signal inside. The name of a signal has the instances around it as a prefix
//! (`fifo.count`); a suffix of this path is enough where it is unique. A name with other characters than letters, digits, `_` and
//! `.` begins with `\` and ends with a space.
//!
//! | form | meaning |
//! |---|---|
//! | `m[i]`, `m[i][j]` | a word of a memory as it is before the edge; 0 where a computed index is outside of it |
//! | `12`, `0xff`, `0b101`, `8'hff` | numbers, the last one with eight bits |
//! | `!x`, `x && y`, `x \|\| y`, `x -> y` | logical operators: everything but 0 is true; the result is 0 or 1 |
//! | `==`, `!=`, `<`, `<=`, `>`, `>=` | comparisons of numbers |
//! | `+`, `-`, `*`, `<<`, `>>` | arithmetic of numbers; shifts by constants only |
//! | `x / y`, `x % y` | quotient rounded towards zero, remainder with the sign of `x`; division by 0 gives 0 and `x` |
//! | `~`, `&`, `\|`, `^`, `{x, y}`, `{4{x}}`, `x[7:0]`, `x[0]` | operations on bits, as in Verilog |
//! | `&x`, `\|x`, `^x` | reductions: whether all bits are 1, at least one is, an odd number is |
//! | `c ? x : y` | `x` if `c` is true, else `y` |
//! | `past(x)`, `past(x, N)` | the value one cycle before, N cycles before |
//! | `stable(x)`, `changed(x)`, `rose(x)`, `fell(x)` | comparison with the cycle before; `rose`, `fell`: of the lowest bit |
//! | `onehot(x)`, `onehot0(x)`, `countones(x)` | whether exactly one bit is 1; at most one; the number of 1 bits |
//!
//! Functions may have a `$` before their names. Operators from lowest to highest precedence: `->`, `?:`, `||`, `&&`, `|`, `^`,
//! `&`, `==`, `<`, `<<`, `+`, `*`; `/` and `%` bind as `*`.
//!
//! A property is checked from the first cycle on that has as many past cycles as the property refers to. A reset cycle clears the
//! past. Source: IEEE Std 1800-2017, clause 16, of which this is a small part with different widths.
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

/// An error in the text of a property.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: {message}")]
pub struct PropertyError {
    /// The column in the text, counted from 1.
    pub column: usize,
    /// The error, and a suggestion.
    pub message: String,
}

/// The cycles in which the right side must hold, counted from the cycle of the left side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) first: u64,
    /// `None` where only the end of the run is the limit.
    pub(crate) last: Option<u64>,
}

/// A property as it is written, before its names are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    text: String,
    name: Option<String>,
    /// The condition of `disable iff`.
    disabled: Option<Expression>,
    left: Option<Expression>,
    window: Window,
    right: Expression,
}

impl Property {
    /// Parses a property.
    ///
    /// # Errors
    /// The syntax error, with its column.
    pub fn parse(text: &str) -> Result<Self, PropertyError> {
        Self::parse_within(text, &Limits::default())
    }

    /// Parses a property within other limits.
    ///
    /// # Errors
    /// As [`Property::parse`].
    pub fn parse_within(text: &str, limits: &Limits) -> Result<Self, PropertyError> {
        syntax::parse(text, limits)
    }

    /// Returns its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns its name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Resolves the names in the property.
    ///
    /// # Errors
    /// Unknown names, operations that need bits on values without them, values that are too wide.
    pub fn resolve(&self, subjects: &Subjects) -> Result<Monitor, PropertyError> {
        resolve::resolve(self, subjects)
    }
}
