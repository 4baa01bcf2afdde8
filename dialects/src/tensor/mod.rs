//! Dialect tensor: whole arrays as values. A kernel that computes with them is rewritten to memories before anything else.

mod slices;
mod values;
mod verify;

use crate::constraints::{
    ANY_TYPE, I64_ARRAY, I64_NOT_NEGATIVE, INDEX, INDEX_LISTS, RANKED_TENSOR, TENSOR, UNIT,
};
use slices::{
    parse_expand_shape, parse_extract_slice, parse_insert_slice, parse_pad, print_expand_shape,
    print_extract_slice, print_insert_slice, print_pad, result_name, verify_expand_shape,
    verify_pad, verify_slice,
};
use values::{verify_elements, verify_extents, verify_extract, verify_insert};
use verify::{verify_cast, verify_collapse_shape, verify_concat, verify_generate, verify_reshape};

sluice_ods::dialect! {
    dialect "tensor" { summary: "Arrays as values" }

    /// A tensor whose elements are arbitrary.
    op Empty = "empty" {
        traits: [PURE],
        operands: { dynamic_sizes: variadic INDEX },
        results: { result: RANKED_TENSOR },
        assembly: "`(` $dynamic_sizes `)` attr-dict `:` type($result)",
        verify: verify_extents,
    }

    /// The same tensor with sizes that are known in another way.
    op Cast = "cast" {
        traits: [PURE],
        operands: { source: TENSOR },
        results: { dest: TENSOR },
        assembly: "$source attr-dict `:` type($source) `to` type($dest)",
        names: result_name,
        verify: verify_cast,
    }

    /// A tensor with other elements of the same bits.
    op Bitcast = "bitcast" {
        traits: [PURE],
        operands: { source: TENSOR },
        results: { dest: TENSOR },
        assembly: "$source attr-dict `:` type($source) `to` type($dest)",
        verify: verify_cast,
    }

    /// The size of a dimension.
    op Dim = "dim" {
        traits: [PURE],
        operands: { source: TENSOR, index: INDEX },
        results: { result: INDEX },
        assembly: "attr-dict $source `,` $index `:` type($source)",
        names: result_name,
    }

    /// The number of dimensions.
    op Rank = "rank" {
        traits: [PURE],
        operands: { tensor: TENSOR },
        results: { result: INDEX },
        assembly: "$tensor attr-dict `:` type($tensor)",
        names: result_name,
    }

    /// One element.
    op Extract = "extract" {
        traits: [PURE],
        operands: { tensor: RANKED_TENSOR, indices: variadic INDEX },
        results: { result: ANY_TYPE },
        rules: [TypesMatchWith {
            summary: "result type matches element type of tensor",
            from: "tensor",
            to: "result",
            transform: |context, ty| ty.element_type(context),
        }],
        assembly: "$tensor `[` $indices `]` attr-dict `:` type($tensor)",
        names: result_name,
        verify: verify_extract,
    }

    /// The tensor with another element at one place.
    op Insert = "insert" {
        traits: [PURE],
        operands: { scalar: ANY_TYPE, dest: RANKED_TENSOR, indices: variadic INDEX },
        results: { result: RANKED_TENSOR },
        rules: [
            TypesMatchWith {
                summary: "expected result type to match dest type",
                from: "dest",
                to: "result",
                transform: |_, ty| Some(ty),
            },
            TypesMatchWith {
                summary: "scalar type matches element type of dest",
                from: "dest",
                to: "scalar",
                transform: |context, ty| ty.element_type(context),
            }
        ],
        assembly: "$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)",
        names: result_name,
        verify: verify_insert,
    }

    /// A tensor of these elements, row by row.
    op FromElements = "from_elements" {
        traits: [PURE],
        operands: { elements: variadic ANY_TYPE },
        results: { result: RANKED_TENSOR },
        rules: [TypesMatchWith {
            summary: "operand types match result element type",
            from: "result",
            to: "elements",
            transform: |context, ty| ty.element_type(context),
        }],
        assembly: "$elements attr-dict `:` type($result)",
        names: result_name,
        verify: verify_elements,
    }

    /// A tensor of one element, repeated.
    op Splat = "splat" {
        traits: [PURE],
        operands: { input: ANY_TYPE, dynamic_sizes: variadic INDEX },
        results: { aggregate: RANKED_TENSOR },
        rules: [TypesMatchWith {
            summary: "operand type matches element type of result",
            from: "aggregate",
            to: "input",
            transform: |context, ty| ty.element_type(context),
        }],
        assembly: "$input (`[` $dynamic_sizes^ `]`)? attr-dict `:` type($aggregate)",
        names: result_name,
        verify: verify_extents,
    }

    /// A tensor whose elements are computed from their subscripts.
    op Generate = "generate" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS],
        operands: { dynamic_extents: variadic INDEX },
        results: { result: RANKED_TENSOR },
        regions: { body: sized(1) },
        assembly: "$dynamic_extents $body attr-dict `:` type($result)",
        names: result_name,
        verify: verify_generate,
    }

    /// The tensor with more elements on its sides.
    op Pad = "pad" {
        traits: [SINGLE_BLOCK, ATTR_SIZED_OPERAND_SEGMENTS, RECURSIVE_MEMORY_EFFECTS],
        operands: { source: RANKED_TENSOR, low: variadic INDEX, high: variadic INDEX },
        attributes: { static_low: I64_ARRAY, static_high: I64_ARRAY, nofold: optional UNIT },
        results: { result: RANKED_TENSOR },
        regions: { region: sized(1) },
        assembly: custom(parse_pad, print_pad),
        names: result_name,
        verify: verify_pad,
    }

    /// The element of `generate` or `pad`.
    op Yield = "yield" {
        traits: [PURE, TERMINATOR, RETURN_LIKE],
        rules: [HasParent(&["tensor.generate", "tensor.pad"])],
        operands: { value: ANY_TYPE },
        assembly: "$value attr-dict `:` type($value)",
    }

    /// A part of a tensor.
    op ExtractSlice = "extract_slice" {
        traits: [PURE, ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { source: RANKED_TENSOR, offsets: variadic INDEX, sizes: variadic INDEX, strides: variadic INDEX },
        attributes: { static_offsets: I64_ARRAY, static_sizes: I64_ARRAY, static_strides: I64_ARRAY },
        results: { result: RANKED_TENSOR },
        assembly: custom(parse_extract_slice, print_extract_slice),
        names: result_name,
        verify: verify_slice,
    }

    /// The tensor with another tensor in place of a part.
    op InsertSlice = "insert_slice" {
        traits: [PURE, ATTR_SIZED_OPERAND_SEGMENTS],
        operands: {
            source: RANKED_TENSOR, dest: RANKED_TENSOR,
            offsets: variadic INDEX, sizes: variadic INDEX, strides: variadic INDEX
        },
        attributes: { static_offsets: I64_ARRAY, static_sizes: I64_ARRAY, static_strides: I64_ARRAY },
        results: { result: RANKED_TENSOR },
        assembly: custom(parse_insert_slice, print_insert_slice),
        names: result_name,
        verify: verify_slice,
    }

    /// A part of a result of `scf.forall`.
    op ParallelInsertSlice = "parallel_insert_slice" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        rules: [HasParent(&["scf.forall.in_parallel"])],
        operands: {
            source: RANKED_TENSOR, dest: RANKED_TENSOR,
            offsets: variadic INDEX, sizes: variadic INDEX, strides: variadic INDEX
        },
        attributes: { static_offsets: I64_ARRAY, static_sizes: I64_ARRAY, static_strides: I64_ARRAY },
        assembly: custom(parse_insert_slice, print_insert_slice),
        verify: verify_slice,
    }

    /// The same tensor with dimensions expanded into groups.
    op ExpandShape = "expand_shape" {
        traits: [PURE],
        operands: { src: RANKED_TENSOR, output_shape: variadic INDEX },
        attributes: { reassociation: INDEX_LISTS, static_output_shape: I64_ARRAY },
        results: { result: RANKED_TENSOR },
        assembly: custom(parse_expand_shape, print_expand_shape),
        names: result_name,
        verify: verify_expand_shape,
    }

    /// The same tensor with groups of dimensions joined.
    op CollapseShape = "collapse_shape" {
        traits: [PURE],
        operands: { src: RANKED_TENSOR },
        attributes: { reassociation: INDEX_LISTS },
        results: { result: RANKED_TENSOR },
        assembly: "$src $reassociation attr-dict `:` type($src) `into` type($result)",
        names: result_name,
        verify: verify_collapse_shape,
    }

    /// The same elements, row by row, in another shape.
    op Reshape = "reshape" {
        traits: [PURE],
        operands: { source: TENSOR, shape: RANKED_TENSOR },
        results: { result: TENSOR },
        assembly: "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)",
        names: result_name,
        verify: verify_reshape,
    }

    /// Tensors one after another along a dimension.
    op Concat = "concat" {
        traits: [PURE],
        operands: { inputs: variadic RANKED_TENSOR },
        attributes: { dim: I64_NOT_NEGATIVE },
        results: { result: RANKED_TENSOR },
        assembly: "`dim` `(` $dim `)` $inputs attr-dict `:` functional-type(operands, results)",
        names: result_name,
        verify: verify_concat,
    }
}
