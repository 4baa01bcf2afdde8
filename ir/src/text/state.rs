//! Data of parse hooks: positions, unresolved operands, arguments, and the operation that is being parsed.

use smallvec::SmallVec;

use crate::context::Context;
use crate::ids::{Attribute, BlockId, Location, Name, OperationId, OperationName, Type, ValueId};

/// A position in the source, as a byte offset; cheap, and converted to a [`Location`] only when needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position(pub(crate) u32);

/// An operand that has been read but whose type is not yet known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnresolvedOperand {
    /// Its position.
    pub position: Position,
    /// Length of the name with its `%`, in bytes.
    pub(crate) length: u32,
    /// `n` in `%name#n`.
    pub(crate) number: u32,
}

/// An argument of a region or of a function.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Its name, if it has one.
    pub name: Option<UnresolvedOperand>,
    /// Its type.
    pub ty: Type,
    /// Dictionary of attributes, if there are any.
    pub attributes: Option<Attribute>,
    /// The location, if it is written.
    pub location: Option<Location>,
}

impl Argument {
    /// Creates a named argument without attributes.
    pub fn new(name: UnresolvedOperand, ty: Type) -> Self {
        Self {
            name: Some(name),
            ty,
            attributes: None,
            location: None,
        }
    }
}

/// Arguments and results of a function as written.
#[derive(Clone, Debug, Default)]
pub struct FunctionSignature {
    /// Arguments; those of a declaration have no names.
    pub arguments: Vec<Argument>,
    /// Result types.
    pub result_types: Vec<Type>,
    /// Dictionary of attributes of each result, if there are any.
    pub result_attributes: Vec<Option<Attribute>>,
    /// True if `...` ended the arguments.
    pub variadic: bool,
}

impl FunctionSignature {
    /// Returns the function type.
    pub fn function_type(&self, context: &Context) -> Type {
        let inputs: Vec<_> = self.arguments.iter().map(|argument| argument.ty).collect();
        context.function_type(&inputs, &self.result_types)
    }
}

/// The operation that is being parsed: hooks fill it, the parser creates the operation from it.
#[derive(Debug)]
pub struct OperationState {
    /// Operation name.
    pub name: OperationName,
    /// Position of the operation name.
    pub position: Position,
    /// Location of the operation, before a trailing `loc(...)` is read.
    pub location: Location,
    /// Operands, in the order of the declared groups.
    pub operands: SmallVec<[ValueId; 4]>,
    /// Result types.
    pub result_types: SmallVec<[Type; 2]>,
    /// Inherent and discardable attributes.
    pub attributes: Vec<(Name, Attribute)>,
    /// Successors.
    pub successors: SmallVec<[BlockId; 2]>,
    /// Number of regions parsed or added so far.
    pub n_regions: usize,
    /// The operation, once it was created for a region.
    pub(crate) operation: Option<OperationId>,
}

impl OperationState {
    pub(crate) fn new(name: OperationName, position: Position, location: Location) -> Self {
        Self {
            name,
            position,
            location,
            operands: SmallVec::new(),
            result_types: SmallVec::new(),
            attributes: Vec::new(),
            successors: SmallVec::new(),
            n_regions: 0,
            operation: None,
        }
    }

    /// Sets an attribute.
    pub fn set_attribute(&mut self, context: &Context, name: &str, attribute: Attribute) {
        let name = context.name(name);
        match self.attributes.iter_mut().find(|(n, _)| *n == name) {
            Some(entry) => entry.1 = attribute,
            None => self.attributes.push((name, attribute)),
        }
    }

    /// Returns the attribute called `name`, if it was set.
    pub fn attribute(&self, context: &Context, name: &str) -> Option<Attribute> {
        let name = context.find_name(name)?;
        self.attributes
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, attribute)| *attribute)
    }

    /// Adds result types.
    pub fn add_results(&mut self, types: &[Type]) {
        self.result_types.extend_from_slice(types);
    }

    /// Sets `operandSegmentSizes`, for operations with several variadic or optional operand groups.
    pub fn set_operand_segment_sizes(&mut self, context: &Context, sizes: &[usize]) {
        let sizes: Vec<i32> = sizes
            .iter()
            .map(|size| i32::try_from(*size).expect("fewer than 2^31 operands"))
            .collect();
        self.set_attribute(
            context,
            "operandSegmentSizes",
            context.dense_i32_array(&sizes),
        );
    }
}
