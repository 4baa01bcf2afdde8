//! The parser of properties: a recursive descent parser with operator precedence.

use sluice_ir::bits::Bits;
use sluice_ir::limits::{Limit, Limits};

use super::tokens::{Kind, MAX_BITS, Token, tokens};
use super::{Property, PropertyError, Window};

/// An expression before its names are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expression {
    pub(super) form: Form,
    /// The column of its first token, or of its operator, counted from 1.
    pub(super) column: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A port, a signal or a memory by its name.
    Name(String),
    /// A number that is not negative, and its width in bits where it is written.
    Number(Bits, Option<u32>),
    Unary(Unary, Box<Expression>),
    Binary(Binary, Box<Expression>, Box<Expression>),
    Choice(Box<[Expression; 3]>),
    /// Bits from the lower number to the higher number.
    Slice(Box<Expression>, u32, u32),
    /// A bit of a value; for a memory, an index in one dimension.
    Index(Box<Expression>, Box<Expression>),
    /// A concatenation, the highest bits first.
    Concat(Vec<Expression>),
    /// The same bits, repeated this many times.
    Repeat(u32, Box<Expression>),
    /// The value this many cycles before.
    Past(Box<Expression>, u64),
    Change(Change, Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Not,
    Complement,
    Minus,
    Signed,
    OneHot,
    OneHotOrZero,
    CountOnes,
    /// Whether all bits are 1.
    All,
    /// Whether at least one bit is 1.
    Any,
    /// Whether an odd number of bits is 1.
    Odd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Implies,
    LogicOr,
    LogicAnd,
    Or,
    Xor,
    And,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// The kind of comparison with the cycle before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Stable,
    Changed,
    Rose,
    Fell,
}

/// Binary operators with their precedence; a higher number binds more tightly.
const OPERATORS: [(&str, Binary, u32); 19] = [
    ("->", Binary::Implies, 0),
    ("||", Binary::LogicOr, 2),
    ("&&", Binary::LogicAnd, 3),
    ("|", Binary::Or, 4),
    ("^", Binary::Xor, 5),
    ("&", Binary::And, 6),
    ("==", Binary::Equal, 7),
    ("!=", Binary::Unequal, 7),
    ("<", Binary::Less, 8),
    ("<=", Binary::LessOrEqual, 8),
    (">", Binary::Greater, 8),
    (">=", Binary::GreaterOrEqual, 8),
    ("<<", Binary::ShiftLeft, 9),
    (">>", Binary::ShiftRight, 9),
    ("+", Binary::Add, 10),
    ("-", Binary::Subtract, 10),
    ("*", Binary::Multiply, 11),
    ("/", Binary::Divide, 11),
    ("%", Binary::Remainder, 11),
];

/// Unary prefix operators.
const UNARY: [(&str, Unary); 6] = [
    ("!", Unary::Not),
    ("~", Unary::Complement),
    ("-", Unary::Minus),
    ("&", Unary::All),
    ("|", Unary::Any),
    ("^", Unary::Odd),
];

/// The precedence of `?`.
const CHOICE: u32 = 1;

const FUNCTIONS: &str =
    "`past`, `stable`, `changed`, `rose`, `fell`, `signed`, `onehot`, `onehot0`, `countones`";

type Found<T> = Result<T, PropertyError>;

pub(super) fn parse(text: &str, limits: &Limits) -> Found<Property> {
    let mut parser = Parser {
        limits,
        tokens: tokens(text)?,
        next: 0,
        depth: 0,
    };
    let name = parser.name();
    let disabled = parser.disabled()?;
    let first = parser.expression(0)?;
    let offset = match &parser.peek().kind {
        Kind::Sign("|->") => Some(0),
        Kind::Sign("|=>") => Some(1),
        _ => None,
    };
    let Some(offset) = offset else {
        parser.end("an operator, `|->`, `|=>`")?;
        return Ok(Property {
            text: text.to_owned(),
            name,
            disabled,
            left: None,
            window: Window {
                first: 0,
                last: Some(0),
            },
            right: first,
        });
    };
    parser.next += 1;
    let window = parser.window(offset)?;
    let right = parser.expression(0)?;
    parser.end("an operator")?;
    Ok(Property {
        text: text.to_owned(),
        name,
        disabled,
        left: Some(first),
        window,
        right,
    })
}

/// Returns the constant number of a bit.
pub(super) fn bit(of: &Expression) -> Found<u32> {
    let number = match &of.form {
        Form::Number(value, None) => value.to_u64().and_then(|bit| u32::try_from(bit).ok()),
        _ => None,
    };
    number.ok_or_else(|| PropertyError {
        column: of.column,
        message: format!("the number of a bit is a number from 0 to {}", u32::MAX),
    })
}

struct Parser<'a> {
    limits: &'a Limits,
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn error<T>(&self, message: impl Into<String>) -> Found<T> {
        Err(PropertyError {
            column: self.peek().column,
            message: message.into(),
        })
    }

    /// Describes the next token for a message.
    fn found(&self) -> String {
        match &self.peek().kind {
            Kind::Name(name) => format!("`{name}`"),
            Kind::Number(..) => "a number".to_owned(),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::End => "the end".to_owned(),
        }
    }

    fn unexpected<T>(&self, expected: &str) -> Found<T> {
        self.error(format!("{expected} is expected, not {}", self.found()))
    }

    fn is(&mut self, sign: &str) -> bool {
        let found = matches!(&self.peek().kind, Kind::Sign(here) if *here == sign);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Found<()> {
        match self.is(sign) {
            true => Ok(()),
            false => self.unexpected(&format!("`{sign}`")),
        }
    }

    fn end(&self, others: &str) -> Found<()> {
        match self.peek().kind {
            Kind::End => Ok(()),
            _ => self.unexpected(&format!("{others} or the end")),
        }
    }

    /// Parses the name of the property, before a `:`.
    fn name(&mut self) -> Option<String> {
        let [first, second, ..] = &self.tokens[..] else {
            return None;
        };
        let (Kind::Name(name), Kind::Sign(":")) = (&first.kind, &second.kind) else {
            return None;
        };
        self.next += 2;
        Some(name.clone())
    }

    /// Returns whether `disable` follows, and then a name or `(`: no expression begins with these.
    fn is_disable(&self) -> bool {
        let [first, second, ..] = &self.tokens[self.next..] else {
            return false;
        };
        let is_disable = matches!(&first.kind, Kind::Name(name) if name == "disable");
        is_disable && matches!(second.kind, Kind::Name(_) | Kind::Sign("("))
    }

    /// Parses `disable iff` and its condition, if it follows.
    fn disabled(&mut self) -> Found<Option<Expression>> {
        if !self.is_disable() {
            return Ok(None);
        }
        self.next += 1;
        match &self.peek().kind {
            Kind::Name(name) if name == "iff" => self.next += 1,
            _ => return self.unexpected("`iff`, as in `disable iff (reset)`,"),
        }
        self.expect("(")?;
        let condition = self.expression(0)?;
        self.expect(")")?;
        Ok(Some(condition))
    }

    /// Parses a number of cycles.
    fn cycles(&mut self, what: &str) -> Found<u64> {
        if let Kind::Number(value, None) = &self.peek().kind {
            let cycles = value.to_u64().unwrap_or(u64::MAX);
            let checked = self.limits.check(Limit::AssertionCycles, cycles);
            checked.or_else(|excess| self.error(excess.to_string()))?;
        }
        self.count(what, u64::MAX)
    }

    /// Enters one level of nesting.
    fn enter(&mut self) -> Found<()> {
        self.depth += 1;
        let checked = self
            .limits
            .check(Limit::AssertionLevels, self.depth as u128);
        checked.or_else(|excess| self.error(format!("expressions in each other have {excess}")))
    }

    /// Parses a number of cycles or bits.
    fn count(&mut self, what: &str, most: u64) -> Found<u64> {
        let Kind::Number(value, None) = &self.peek().kind else {
            return self.unexpected(what);
        };
        match value.to_u64().filter(|value| *value <= most) {
            Some(value) => {
                self.next += 1;
                Ok(value)
            }
            None => self.error(format!("{what} is at most {most}")),
        }
    }

    /// Parses the window after `##`; `offset` cycles are added to it.
    fn window(&mut self, offset: u64) -> Found<Window> {
        if !self.is("##") {
            return Ok(Window {
                first: offset,
                last: Some(offset),
            });
        }
        let what = "a number of cycles";
        if !self.is("[") {
            let after = self.cycles(what)? + offset;
            return Ok(Window {
                first: after,
                last: Some(after),
            });
        }
        let first = self.cycles(what)?;
        self.expect(":")?;
        let last = match self.is("$") {
            true => None,
            false => Some(self.cycles("a number of cycles, or `$`,")?),
        };
        if last.is_some_and(|last| last < first) {
            self.next -= 1;
            return self.error("the last cycle of a window is not before the first");
        }
        self.expect("]")?;
        Ok(Window {
            first: first + offset,
            last: last.map(|last| last + offset),
        })
    }

    /// Parses an expression whose operators have at least this precedence.
    fn expression(&mut self, least: u32) -> Found<Expression> {
        self.enter()?;
        let mut left = self.operand()?;
        loop {
            let column = self.peek().column;
            if CHOICE >= least && self.is("?") {
                let yes = self.expression(CHOICE)?;
                self.expect(":")?;
                let no = self.expression(CHOICE)?;
                let form = Form::Choice(Box::new([left, yes, no]));
                left = Expression { form, column };
                continue;
            }
            let Kind::Sign(sign) = self.peek().kind else {
                break;
            };
            let mut operators = OPERATORS.iter();
            let Some((_, binary, strength)) = operators.find(|(known, ..)| *known == sign) else {
                break;
            };
            if *strength < least {
                break;
            }
            self.next += 1;
            // Implications are right-associative, all other operators left-associative.
            let right_least = strength + u32::from(*binary != Binary::Implies);
            let right = self.expression(right_least)?;
            let form = Form::Binary(*binary, Box::new(left), Box::new(right));
            left = Expression { form, column };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Found<Expression> {
        let column = self.peek().column;
        let unary = match self.peek().kind {
            Kind::Sign(sign) => UNARY.iter().find(|(known, _)| *known == sign),
            _ => None,
        };
        let unary = unary.map(|(_, unary)| *unary);
        if let Some(unary) = unary {
            self.next += 1;
            self.enter()?;
            let operand = self.operand()?;
            self.depth -= 1;
            let form = Form::Unary(unary, Box::new(operand));
            return Ok(Expression { form, column });
        }
        let mut found = self.primary()?;
        loop {
            let column = self.peek().column;
            if !self.is("[") {
                return Ok(found);
            }
            let index = self.expression(0)?;
            let form = match self.is(":") {
                true => {
                    let high = bit(&index)?;
                    let last = self.expression(0)?;
                    let low = bit(&last)?;
                    if high < low {
                        return Err(PropertyError {
                            column: last.column,
                            message: format!(
                                "a slice names the higher bit first: `[{low}:{high}]`"
                            ),
                        });
                    }
                    Form::Slice(Box::new(found), low, high)
                }
                false => Form::Index(Box::new(found), Box::new(index)),
            };
            self.expect("]")?;
            found = Expression { form, column };
        }
    }

    fn primary(&mut self) -> Found<Expression> {
        let column = self.peek().column;
        let is_system = self.is("$");
        let form = match self.peek().kind.clone() {
            Kind::Name(_) if self.is_disable() && !is_system => {
                return self.error(
                    "`disable iff (...)` is allowed at the beginning, or after the name of the property",
                );
            }
            Kind::Name(name) => {
                self.next += 1;
                match self.is("(") {
                    true => self.call(&name)?,
                    false if is_system => return self.unexpected("`(`"),
                    false => Form::Name(name),
                }
            }
            _ if is_system => return self.unexpected("the name of a function"),
            Kind::Number(value, width) => {
                self.next += 1;
                Form::Number(value, width)
            }
            Kind::Sign("(") => {
                self.next += 1;
                let inner = self.expression(0)?;
                self.expect(")")?;
                return Ok(inner);
            }
            Kind::Sign("{") => {
                self.next += 1;
                self.braces()?
            }
            Kind::Sign(sign @ ("&&" | "||")) => {
                let one = &sign[..1];
                return self.error(format!(
                    "a value is expected, not `{sign}`; the {} of all bits of one is `{one}x`",
                    if one == "&" { "`and`" } else { "`or`" }
                ));
            }
            _ => return self.unexpected("a name, a number, a function or `(`"),
        };
        Ok(Expression { form, column })
    }

    /// Parses the rest after `{`: a concatenation or a replication.
    fn braces(&mut self) -> Found<Form> {
        let first = self.expression(0)?;
        if self.is("{") {
            let times = match &first.form {
                Form::Number(times, _) => times.to_u64().and_then(|n| u32::try_from(n).ok()),
                _ => None,
            };
            let times = times.filter(|times| (1..=MAX_BITS).contains(times));
            let Some(times) = times else {
                return Err(PropertyError {
                    column: first.column,
                    message: format!(
                        "how often bits are repeated, as in `{{4{{x}}}}`, is a number from 1 to {MAX_BITS}"
                    ),
                });
            };
            let column = self.peek().column;
            let form = self.braces()?;
            self.expect("}")?;
            return Ok(Form::Repeat(times, Box::new(Expression { form, column })));
        }
        let mut all = vec![first];
        while self.is(",") {
            all.push(self.expression(0)?);
        }
        self.expect("}")?;
        Ok(Form::Concat(all))
    }

    /// Parses the arguments of a function whose name and `(` have been read.
    fn call(&mut self, name: &str) -> Found<Form> {
        let before = self.next - 2;
        let unary = |unary| move |inner| Form::Unary(unary, inner);
        let change = |change| move |inner| Form::Change(change, inner);
        let made: Box<dyn Fn(Box<Expression>) -> Form> = match name {
            "past" => Box::new(|inner| Form::Past(inner, 1)),
            "stable" => Box::new(change(Change::Stable)),
            "changed" => Box::new(change(Change::Changed)),
            "rose" => Box::new(change(Change::Rose)),
            "fell" => Box::new(change(Change::Fell)),
            "signed" => Box::new(unary(Unary::Signed)),
            "onehot" => Box::new(unary(Unary::OneHot)),
            "onehot0" => Box::new(unary(Unary::OneHotOrZero)),
            "countones" => Box::new(unary(Unary::CountOnes)),
            _ => {
                self.next = before;
                return self.error(format!(
                    "there is no function `{name}`; there is: {FUNCTIONS}"
                ));
            }
        };
        let mut form = made(Box::new(self.expression(0)?));
        if let Form::Past(_, cycles) = &mut form
            && self.is(",")
        {
            *cycles = self.cycles("a number of cycles")?;
        }
        self.expect(")")?;
        Ok(form)
    }
}
