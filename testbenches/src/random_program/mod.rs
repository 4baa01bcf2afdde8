//! Random programs of the input dialects without undefined behaviour, stored as trees so that they can be reduced.
//!
//! A statement is a template with holes. Everything that avoids undefined behaviour (a divisor that is not zero, an index in
//! range, a loop that terminates) is inside the template or in the types of its operands. Therefore statements can be deleted,
//! and operands replaced by constants, without making a program undefined.
//!
//! Not here: floating point, of which the test `random_floats` has kernels; dynamic shapes, recursion.

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

/// The type of a value, with its known range.
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
        /// The type of its elements.
        element: Element,
        /// Whether it may be written.
        writable: bool,
    },
}

/// An operation template with holes.
///
/// In the template, `%o0` is an operand, `%r0` a result, `%l0` a local value, `^l0` a local block, `%a0.1` argument 1 of region
/// 0, and `%y0.1` the value that region 0 yields at position 1. A line `&0` is replaced by the operations of region 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// A number that is unique in the program; it is part of the names of local values and blocks.
    pub tag: u32,
    /// The text with holes.
    pub template: String,
    /// Values for `%o`.
    pub operands: Vec<ValueId>,
    /// Values for `%r`.
    pub results: Vec<ValueId>,
    /// The regions.
    pub regions: Vec<Region>,
}

/// A region.
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
    /// The returned values.
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
    /// The seed.
    pub seed: u64,
    /// Constant tables.
    pub globals: Vec<Global>,
    /// Callees first.
    pub functions: Vec<Function>,
    /// Type of each value.
    pub types: Vec<Type>,
    /// The configuration: clock, device, directives.
    pub config: Config,
}

/// Returns the program of this seed; equal seeds give equal programs.
pub fn program(seed: u64) -> Program {
    generator::generate(seed)
}

impl Program {
    /// Returns the kernel.
    pub fn kernel(&self) -> &Function {
        self.functions.last().expect("a program has a kernel")
    }

    /// Returns the type of a value.
    pub fn ty(&self, value: ValueId) -> &Type {
        &self.types[usize::try_from(value.0).expect("few values")]
    }

    /// Returns the configuration as the text of a `kernel.yaml`.
    pub fn configuration(&self) -> String {
        text::configuration(&self.config)
    }

    /// Returns whether MLIR computes the program correctly: its expansion of rounded signed divisions uses a constant -1 that is
    /// not sign-extended beyond 64 bits.
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

    /// Returns the signature of the kernel for the oracle.
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
    /// Returns its MLIR text.
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

    /// Returns whether a value of this type can be used where `wanted` is needed.
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

/// Returns the type of the elements of a memory.
fn element_type(element: Element) -> Type {
    match element {
        Element::Integer { width_bits } | Element::Float { width_bits } => {
            Type::Integer(width_bits)
        }
        Element::Index => Type::Index { below: None },
    }
}
