//! Name resolution of properties: expressions become terms whose widths hold every possible value.

use sluice_ir::bits::Bits;

use super::monitor::{Monitor, constant};
use super::subjects::{Subject, Subjects};
use super::syntax::{Binary, Change, Expression, Form, Unary, bit};
use super::tokens::MAX_BITS;
use super::{Property, PropertyError, Window};

/// An expression with resolved names; its value is in two's complement.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) form: Computed,
    /// Bits of its value, the sign bit included.
    pub(super) width: u32,
    /// The number of bits where the term is a bit vector; the value is then not negative, and `width` is one more.
    bits: Option<u32>,
}

#[derive(Clone, Debug)]
pub(super) enum Computed {
    /// A port or a signal, by number.
    Value(usize),
    /// A word of a memory.
    Word(Word),
    Constant(Bits),
    /// A past value, by the number of its `Memory`.
    Past(usize),
    Unary(Unary, Box<Term>),
    Binary(Binary, Box<Term>, Box<Term>),
    Choice(Box<[Term; 3]>),
    /// Bits from this one on; the width of the term is their number.
    Slice(Box<Term>, u32),
    Concat(Vec<Term>),
    /// The same bits, repeated this many times.
    Repeat(u32, Box<Term>),
}

/// A word of a memory; 0 where an index is outside.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// The number and the name of the memory.
    pub(super) memory: usize,
    pub(super) name: String,
    pub(super) width_bits: u32,
    /// The index in each dimension, and the size of the dimension.
    pub(super) indices: Vec<(Term, u64)>,
}

/// A term whose past values are kept.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub(super) of: Term,
    pub(super) cycles: u64,
    /// How many past cycles are needed to know the past value.
    pub(super) depth: u64,
}

type Found<T> = Result<T, PropertyError>;

pub(super) fn resolve(property: &Property, subjects: &Subjects) -> Found<Monitor> {
    let mut resolver = Resolver {
        subjects,
        memories: Vec::new(),
        used: Vec::new(),
        words: Vec::new(),
    };
    let disabled = property.disabled.as_ref();
    let disabled = disabled.map(|when| resolver.term(when)).transpose()?;
    let left = property.left.as_ref();
    let left = left.map(|left| resolver.term(left)).transpose()?;
    let right = resolver.term(&property.right)?;
    let window: Window = property.window;
    // The cycles between the left and the right side count as past cycles of the right side.
    let of_left = left.as_ref().map_or(0, |left| resolver.depth(left));
    let of_right = resolver.depth(&right).saturating_sub(window.first);
    let of_disabled = disabled.as_ref().map_or(0, |when| resolver.depth(when));
    let depth = of_left.max(of_right).max(of_disabled);
    let (memories, used, words) = (resolver.memories, resolver.used, resolver.words);
    let used: Vec<(usize, String)> = used
        .into_iter()
        .map(|number| (number, subjects.value(number).name.clone()))
        .collect();
    Ok(Monitor::new(
        disabled,
        (left, window, right),
        memories,
        (used, words),
        depth,
    ))
}

struct Resolver<'a> {
    subjects: &'a Subjects,
    /// A memory whose term refers to other memories comes after them.
    memories: Vec<Memory>,
    /// The ports and signals that are read, each of them once.
    used: Vec<usize>,
    /// The words of memories that are read.
    words: Vec<Word>,
}

fn error<T>(at: &Expression, message: impl Into<String>) -> Found<T> {
    Err(PropertyError {
        column: at.column,
        message: message.into(),
    })
}

/// Returns a term that is a vector of `bits` bits.
fn of_bits(form: Computed, bits: u32) -> Term {
    Term {
        form,
        width: bits + 1,
        bits: Some(bits),
    }
}

impl Resolver<'_> {
    fn term(&mut self, expression: &Expression) -> Found<Term> {
        let found = match &expression.form {
            Form::Name(name) => match self.find(expression, name)? {
                Subject::Value(number) => self.value(number),
                Subject::Memory(memory) => self.word(expression, memory, &[])?,
            },
            Form::Number(value, bits) => {
                let width = bits.unwrap_or(value.active_bits());
                Term {
                    bits: *bits,
                    ..of_bits(
                        Computed::Constant(Bits::from_limbs(width + 1, value.limbs())),
                        width,
                    )
                }
            }
            Form::Unary(unary, operand) => self.unary(expression, *unary, operand)?,
            Form::Binary(binary, left, right) => self.binary(expression, *binary, left, right)?,
            Form::Choice(parts) => {
                let [condition, yes, no] = parts.as_ref();
                let all = [self.term(condition)?, self.term(yes)?, self.term(no)?];
                let width = all[1].width.max(all[2].width);
                let bits = all[1].bits.zip(all[2].bits).map(|(a, b)| a.max(b));
                Term {
                    form: Computed::Choice(Box::new(all)),
                    width,
                    bits,
                }
            }
            Form::Slice(of, low, high) => self.slice(expression, of, *low, *high)?,
            Form::Index(of, index) => match self.indexed(expression)? {
                Some((memory, indices)) => self.word(expression, memory, &indices)?,
                None => {
                    let bit = bit(index)?;
                    self.slice(expression, of, bit, bit)?
                }
            },
            Form::Concat(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.push(self.bits(part, "`{...}`")?);
                }
                let bits = all.iter().filter_map(|part| part.bits);
                let bits = bits.fold(0u32, u32::saturating_add);
                if bits > MAX_BITS {
                    return error(expression, format!("more than {MAX_BITS} bits"));
                }
                of_bits(Computed::Concat(all), bits)
            }
            Form::Repeat(times, of) => {
                let of = self.bits(of, "`{...}`")?;
                let bits = of.bits.unwrap_or(0).saturating_mul(*times);
                if bits > MAX_BITS {
                    return error(expression, format!("more than {MAX_BITS} bits"));
                }
                of_bits(Computed::Repeat(*times, Box::new(of)), bits)
            }
            Form::Past(of, cycles) => {
                let of = self.term(of)?;
                match cycles {
                    0 => of,
                    _ => self.past(of, *cycles),
                }
            }
            Form::Change(change, of) => self.change(*change, of)?,
        };
        match found.width > MAX_BITS + 1 {
            true => error(expression, format!("a value of more than {MAX_BITS} bits")),
            false => Ok(found),
        }
    }

    fn find(&self, at: &Expression, name: &str) -> Found<Subject> {
        self.subjects.find(name).or_else(|why| error(at, why))
    }

    fn value(&mut self, number: usize) -> Term {
        if !self.used.contains(&number) {
            self.used.push(number);
        }
        let width_bits = self.subjects.value(number).width_bits;
        of_bits(Computed::Value(number), width_bits)
    }

    fn slice(&mut self, at: &Expression, of: &Expression, low: u32, high: u32) -> Found<Term> {
        let of = self.bits(of, "a slice")?;
        let bits = of.bits.unwrap_or(0);
        if high >= bits {
            return error(
                at,
                format!("bit {high} does not exist: there are {bits} bits"),
            );
        }
        Ok(of_bits(Computed::Slice(Box::new(of), low), high - low + 1))
    }

    /// Returns the memory and the indices, the outermost first, if the expression is a word of a memory or an incomplete index of
    /// one.
    fn indexed<'e>(
        &self,
        expression: &'e Expression,
    ) -> Found<Option<(usize, Vec<&'e Expression>)>> {
        let (mut at, mut indices) = (expression, Vec::new());
        while let Form::Index(of, index) = &at.form {
            indices.push(index.as_ref());
            at = of;
        }
        let Form::Name(name) = &at.form else {
            return Ok(None);
        };
        let Subject::Memory(memory) = self.find(at, name)? else {
            return Ok(None);
        };
        indices.reverse();
        // An index beyond the dimensions selects a bit of the word.
        let is_word = indices.len() <= self.subjects.memories[memory].shape.len();
        Ok(is_word.then_some((memory, indices)))
    }

    fn word(&mut self, at: &Expression, memory: usize, indices: &[&Expression]) -> Found<Term> {
        let of = &self.subjects.memories[memory];
        if indices.len() != of.shape.len() {
            let word = format!("{}{}", of.name, "[0]".repeat(of.shape.len()));
            return error(at, format!("`{}` is a memory; `{word}` is a word", of.name));
        }
        let (name, width_bits) = (of.name.clone(), of.width_bits);
        let mut found = Vec::new();
        for (index, size) in indices.iter().zip(&of.shape) {
            let term = self.term(index)?;
            let is_outside = |number: &Bits| {
                number.sign_bit() || number.to_u64().is_none_or(|number| number >= *size)
            };
            if let Some(number) = constant(&term).filter(is_outside) {
                let number = number.to_signed_string();
                let message =
                    format!("`{name}` has {size} words here, from 0 on: none is number {number}");
                return error(index, message);
            }
            found.push((term, *size));
        }
        let word = Word {
            memory,
            name,
            width_bits,
            indices: found,
        };
        self.words.push(word.clone());
        Ok(of_bits(Computed::Word(word), width_bits))
    }

    /// Resolves an expression that must be a bit vector.
    fn bits(&mut self, of: &Expression, what: &str) -> Found<Term> {
        let term = self.term(of)?;
        match (term.bits, &of.form) {
            (Some(_), _) => Ok(term),
            (None, Form::Number(..)) => error(
                of,
                format!("{what} takes a number with a width, as `8'hff`"),
            ),
            (None, _) => error(
                of,
                format!(
                    "{what} takes bits, of signals and literals with a width, and this is a number"
                ),
            ),
        }
    }

    fn unary(&mut self, at: &Expression, unary: Unary, operand: &Expression) -> Found<Term> {
        let of = match unary {
            Unary::Complement => self.bits(operand, "`~`")?,
            Unary::Signed => self.bits(operand, "`signed`")?,
            Unary::OneHot | Unary::OneHotOrZero | Unary::CountOnes => {
                self.bits(operand, "counting of ones")?
            }
            Unary::All => self.bits(operand, "`&` before a value")?,
            Unary::Any => self.bits(operand, "`|` before a value")?,
            Unary::Odd => self.bits(operand, "`^` before a value")?,
            Unary::Not | Unary::Minus => self.term(operand)?,
        };
        let (width, bits) = match unary {
            Unary::Not
            | Unary::OneHot
            | Unary::OneHotOrZero
            | Unary::All
            | Unary::Any
            | Unary::Odd => (2, Some(1)),
            Unary::Complement => (of.width, of.bits),
            Unary::Minus => (of.width + 1, None),
            Unary::Signed if of.bits == Some(0) => return error(at, "there are no bits"),
            Unary::Signed => (of.bits.unwrap_or(1), None),
            Unary::CountOnes => (34, None),
        };
        Ok(Term {
            form: Computed::Unary(unary, Box::new(of)),
            width,
            bits,
        })
    }

    fn binary(
        &mut self,
        at: &Expression,
        binary: Binary,
        left: &Expression,
        right: &Expression,
    ) -> Found<Term> {
        let (l, r) = (self.term(left)?, self.term(right)?);
        let widest = l.width.max(r.width);
        let (width, bits) = match binary {
            Binary::Implies
            | Binary::LogicOr
            | Binary::LogicAnd
            | Binary::Equal
            | Binary::Unequal
            | Binary::Less
            | Binary::LessOrEqual
            | Binary::Greater
            | Binary::GreaterOrEqual => (2, Some(1)),
            Binary::Or | Binary::Xor | Binary::And => {
                // A literal without a width takes the width of the other operand.
                let fits = |number: &Term, bits: u32| number.width <= bits + 1;
                let bits = match (l.bits, r.bits) {
                    (Some(a), Some(b)) => Some(a.max(b)),
                    (Some(a), None) if fits(&r, a) && is_literal(right) => Some(a),
                    (None, Some(b)) if fits(&l, b) && is_literal(left) => Some(b),
                    _ => None,
                };
                (widest, bits)
            }
            Binary::Add | Binary::Subtract => (widest + 1, None),
            Binary::Multiply => (l.width.saturating_add(r.width), None),
            Binary::Divide | Binary::Remainder => {
                if let Computed::Constant(divisor) = &r.form
                    && divisor.is_zero()
                {
                    return error(right, "the divisor is 0");
                }
                // The smallest number divided by -1 needs one bit more.
                let more = u32::from(binary == Binary::Divide);
                (l.width + more, None)
            }
            Binary::ShiftLeft | Binary::ShiftRight => {
                let amount = match &r.form {
                    Computed::Constant(amount) => amount.to_u64(),
                    _ => None,
                };
                let amount = amount.and_then(|amount| u32::try_from(amount).ok());
                match amount.filter(|amount| *amount <= MAX_BITS) {
                    Some(amount) if binary == Binary::ShiftLeft => (l.width + amount, None),
                    Some(_) => (l.width, None),
                    None => {
                        return error(
                            at,
                            format!("an amount of a shift is a number from 0 to {MAX_BITS}"),
                        );
                    }
                }
            }
        };
        Ok(Term {
            form: Computed::Binary(binary, Box::new(l), Box::new(r)),
            width,
            bits,
        })
    }

    fn past(&mut self, of: Term, cycles: u64) -> Term {
        let (width, bits) = (of.width, of.bits);
        // The memories that `of` refers to are already in the list.
        let depth = self.depth(&of) + cycles;
        self.memories.push(Memory { of, cycles, depth });
        Term {
            form: Computed::Past(self.memories.len() - 1),
            width,
            bits,
        }
    }

    /// Returns how many past cycles a term needs.
    fn depth(&self, term: &Term) -> u64 {
        match &term.form {
            Computed::Value(_) | Computed::Constant(_) => 0,
            Computed::Word(word) => {
                let indices = word.indices.iter();
                let depths = indices.map(|(index, _)| self.depth(index));
                depths.max().unwrap_or(0)
            }
            Computed::Past(memory) => self.memories[*memory].depth,
            Computed::Unary(_, of) | Computed::Slice(of, _) | Computed::Repeat(_, of) => {
                self.depth(of)
            }
            Computed::Binary(_, left, right) => self.depth(left).max(self.depth(right)),
            Computed::Choice(all) => all.iter().map(|part| self.depth(part)).max().unwrap_or(0),
            Computed::Concat(all) => all.iter().map(|part| self.depth(part)).max().unwrap_or(0),
        }
    }

    fn change(&mut self, change: Change, of: &Expression) -> Found<Term> {
        let now = match change {
            Change::Stable | Change::Changed => self.term(of)?,
            Change::Rose | Change::Fell => {
                let bits = self.bits(of, "`rose` and `fell`")?;
                if bits.bits == Some(0) {
                    return error(of, "there are no bits");
                }
                of_bits(Computed::Slice(Box::new(bits), 0), 1)
            }
        };
        let before = self.past(now.clone(), 1);
        // For one bit, a rise is an increase of the value.
        let binary = match change {
            Change::Stable => Binary::Equal,
            Change::Changed => Binary::Unequal,
            Change::Rose => Binary::Greater,
            Change::Fell => Binary::Less,
        };
        Ok(of_bits(
            Computed::Binary(binary, Box::new(now), Box::new(before)),
            1,
        ))
    }
}

fn is_literal(expression: &Expression) -> bool {
    matches!(expression.form, Form::Number(..))
}
