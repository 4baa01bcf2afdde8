//! Random programs of the input dialects, free of undefined behaviour, kept as trees so that they can be made smaller.
//!
//! A statement is a template with holes: what keeps it defined (a divisor that is not zero, an index inside the memory, a
//! loop that ends) is inside the template or in the types of its operands, so that statements can be deleted and operands
//! replaced by constants without leaving what upstream defines.
//!
//! Not here: floating point, dynamic shapes, recursion: `compile` rejects them with a message of its own.

mod access;
mod affine_expressions;
mod blocks;
mod configuration;
mod control;
mod generator;
mod nests;
mod scalars;
pub mod shrink;
mod text;

use sluice_config::Config;

use crate::oracle::{Argument, Element, Signature};

/// A value of a program; its type is `Program::types[id]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// The type of a value, with what the generator knows of its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A signless integer of this width in bits.
    Integer(u32),
    /// An `index`; not negative and below the bound if there is one.
    Index {
        /// One more than the largest value.
        below: Option<u64>,
    },
    /// A memref of static shape.
    Memory {
        /// The extent of each dimension, outermost first.
        shape: Vec<u64>,
        /// What it holds.
        element: Element,
        /// Whether it may be written.
        writable: bool,
    },
}

/// Operations with holes.
///
/// In the template `%o0` is an operand, `%r0` a result, `%l0` a value of its own, `^l0` a block of its own, `%a0.1` argument 1
/// of region 0, `%y0.1` what region 0 passes on in position 1, and a line `&0` stands for the operations of region 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Unique in the program; names the statement's own values and blocks.
    pub tag: u32,
    /// Text with holes.
    pub template: String,
    /// Values for `%o`.
    pub operands: Vec<ValueId>,
    /// Values for `%r`.
    pub results: Vec<ValueId>,
    /// Bodies.
    pub regions: Vec<Region>,
}

/// A body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Values for `%a`.
    pub arguments: Vec<ValueId>,
    /// Statements in order.
    pub statements: Vec<Statement>,
    /// Values for `%y`.
    pub passed: Vec<ValueId>,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Symbol.
    pub name: String,
    /// In order.
    pub arguments: Vec<ValueId>,
    /// Statements in order.
    pub body: Vec<Statement>,
    /// What it returns.
    pub returned: Vec<ValueId>,
}

/// A constant table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Symbol.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The whole operation.
    pub text: String,
}

/// A program, with the configuration under which it is compiled. The kernel is the last function.
#[derive(Clone, Debug)]
pub struct Program {
    /// Where it comes from.
    pub seed: u64,
    /// Tables.
    pub globals: Vec<Global>,
    /// Callees first.
    pub functions: Vec<Function>,
    /// Type of each value.
    pub types: Vec<Type>,
    /// Clock, device, directives.
    pub config: Config,
}

/// The program of this seed; equal seeds give equal programs.
pub fn program(seed: u64) -> Program {
    generator::generate(seed)
}

impl Program {
    /// The kernel.
    pub fn kernel(&self) -> &Function {
        self.functions.last().expect("a program has a kernel")
    }

    /// The type of a value.
    pub fn ty(&self, value: ValueId) -> &Type {
        &self.types[usize::try_from(value.0).expect("few values")]
    }

    /// The configuration as `kernel.yaml` has it.
    pub fn configuration(&self) -> String {
        text::configuration(&self.config)
    }

    /// Whether upstream computes the program right: its expansion of rounded signed divisions holds a constant -1 that is not
    /// sign-extended beyond 64 bits.
    pub fn suits_oracle(&self) -> bool {
        let wide = |line: &str| {
            let width = line
                .rsplit_once(": i")
                .and_then(|(_, w)| w.parse::<u32>().ok());
            width.is_some_and(|w| w > 64)
        };
        let rounded = |line: &&str| line.contains("floordivsi") || line.contains("ceildivsi");
        !self.text().lines().filter(rounded).any(wide)
    }

    /// What the oracle has to know of the kernel.
    pub fn signature(&self) -> Signature {
        let kernel = self.kernel();
        let arguments = kernel
            .arguments
            .iter()
            .map(|value| match self.ty(*value) {
                Type::Integer(width_bits) => Argument::Scalar(Element::Integer {
                    width_bits: *width_bits,
                }),
                Type::Index { .. } => Argument::Scalar(Element::Index),
                Type::Memory { shape, element, .. } => Argument::Memref {
                    shape: shape.clone(),
                    element: *element,
                },
            })
            .collect();
        let results = kernel
            .returned
            .iter()
            .map(|value| match self.ty(*value) {
                Type::Integer(width_bits) => Element::Integer {
                    width_bits: *width_bits,
                },
                Type::Index { .. } => Element::Index,
                Type::Memory { element, .. } => *element,
            })
            .collect();
        Signature { arguments, results }
    }
}

impl Type {
    /// As in the text.
    pub fn text(&self) -> String {
        match self {
            Self::Integer(width_bits) => format!("i{width_bits}"),
            Self::Index { .. } => "index".to_owned(),
            Self::Memory { shape, element, .. } => {
                let extents: String = shape.iter().map(|extent| format!("{extent}x")).collect();
                format!("memref<{extents}{}>", element_type(*element).text())
            }
        }
    }

    /// Whether a value of this type can stand where `wanted` is asked for.
    pub fn fits(&self, wanted: &Self) -> bool {
        match (self, wanted) {
            (Self::Integer(a), Self::Integer(b)) => a == b,
            (Self::Index { .. }, Self::Index { below: None }) => true,
            (Self::Index { below: Some(a) }, Self::Index { below: Some(b) }) => a <= b,
            (
                Self::Memory {
                    shape: a,
                    element: x,
                    writable: can,
                },
                Self::Memory {
                    shape: b,
                    element: y,
                    writable: must,
                },
            ) => a == b && x == y && (*can || !must),
            (Self::Integer(_) | Self::Index { .. } | Self::Memory { .. }, _) => false,
        }
    }
}

/// The type of what a memory holds.
fn element_type(element: Element) -> Type {
    match element {
        Element::Integer { width_bits } | Element::Float { width_bits } => {
            Type::Integer(width_bits)
        }
        Element::Index => Type::Index { below: None },
    }
}
