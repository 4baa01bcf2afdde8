//! Dialect linalg: loops over all points of operands, with a computation at each point.
//!
//! Operands are memrefs, tensors or scalars. The region of an operation holds the computation; the text form of a named operation
//! leaves it out, since the name and the types of the operands give it.

mod enums;
mod implied;
mod named;
mod scalar;
mod structured;
mod text;
mod verify;

use crate::constraints::{ANY_TYPE, I64_ARRAY, I64_NOT_NEGATIVE, INDEX as INDEX_TYPE};

use enums::{
    BINARY_FUNCTION, BINARY_FUNCTION_ATTRIBUTE, DISTANCES, INDEXING_MAPS, ITERATOR_TYPE_ATTRIBUTE,
    ITERATORS, TEXT, TYPE_FUNCTION, TYPE_FUNCTION_ATTRIBUTE, UNARY_FUNCTION,
    UNARY_FUNCTION_ATTRIBUTE,
};
pub use enums::{BINARY_FUNCTIONS, ITERATOR_TYPES, TYPE_FUNCTIONS, UNARY_FUNCTIONS};
use implied::has_implied_region;
pub(crate) use structured::shape;
pub use structured::sizes;
pub use structured::{Structured, is_structured, word_type};
use text::{
    parse_broadcast, parse_generic, parse_map, parse_named, parse_reduce, parse_transpose,
    print_broadcast, print_generic, print_map, print_named, print_reduce, print_transpose,
    result_names,
};
use verify::{verify_index, verify_structured, verify_yield};

sluice_ods::dialect! {
    dialect "linalg" {
        summary: "Operations on whole memrefs and tensors: products of matrices, convolutions, element by element",
        attributes: [
            ITERATOR_TYPE_ATTRIBUTE, UNARY_FUNCTION_ATTRIBUTE, BINARY_FUNCTION_ATTRIBUTE, TYPE_FUNCTION_ATTRIBUTE
        ],
    }

    /// An operation with loops over its operands.
    class Structured {
        traits: [SINGLE_BLOCK, ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { inputs: variadic ANY_TYPE, outputs: variadic ANY_TYPE },
        results: { result_tensors: variadic ANY_TYPE },
        regions: { region: sized(1) },
        effects: [Read(0), Read(1), Write(1)],
        verify: verify_structured,
    }

    /// An operation whose name gives loops and computation.
    class Named: Structured {
        assembly: custom(parse_named, print_named),
        custom_if: has_implied_region,
    }

    /// A named operation that converts its inputs to the type of the output.
    class Contraction: Named {
        attributes: { indexing_maps: optional INDEXING_MAPS, conversion("cast"): optional TYPE_FUNCTION },
    }

    /// A named operation with windows.
    class Convolution: Named {
        attributes: { strides: optional DISTANCES, dilations: optional DISTANCES },
    }

    /// Loops and a computation of one's own.
    op Generic = "generic": Structured {
        attributes: {
            indexing_maps: INDEXING_MAPS,
            iterator_types: ITERATORS,
            doc: optional TEXT,
            library_call: optional TEXT,
        },
        assembly: custom(parse_generic, print_generic),
    }

    /// A computation of one's own for each element.
    op Map = "map" {
        traits: [SINGLE_BLOCK],
        operands: { inputs: variadic ANY_TYPE, init: ANY_TYPE },
        results: { result: variadic ANY_TYPE },
        regions: { mapper: sized(1) },
        effects: [Read(0), Write(1)],
        assembly: custom(parse_map, print_map),
        names: result_names,
        verify: verify_structured,
    }

    /// A reduction of one's own along some dimensions.
    op Reduce = "reduce" {
        traits: [SINGLE_BLOCK, SAME_VARIADIC_OPERAND_SIZE],
        operands: { inputs: variadic ANY_TYPE, inits: variadic ANY_TYPE },
        attributes: { dimensions: I64_ARRAY },
        results: { results: variadic ANY_TYPE },
        regions: { combiner: sized(1) },
        effects: [Read(0), Read(1), Write(1)],
        assembly: custom(parse_reduce, print_reduce),
        names: result_names,
        verify: verify_structured,
    }

    /// The dimensions of the input in another order.
    op Transpose = "transpose" {
        traits: [SINGLE_BLOCK],
        operands: { input: ANY_TYPE, init: ANY_TYPE },
        attributes: { permutation: I64_ARRAY },
        results: { result: variadic ANY_TYPE },
        regions: { region: sized(1) },
        effects: [Read(0), Write(1)],
        assembly: custom(parse_transpose, print_transpose),
        custom_if: has_implied_region,
        names: result_names,
        verify: verify_structured,
    }

    /// The input, repeated along more dimensions.
    op Broadcast = "broadcast" {
        traits: [SINGLE_BLOCK],
        operands: { input: ANY_TYPE, init: ANY_TYPE },
        attributes: { dimensions: I64_ARRAY },
        results: { result: variadic ANY_TYPE },
        regions: { region: sized(1) },
        effects: [Read(0), Write(1)],
        assembly: custom(parse_broadcast, print_broadcast),
        custom_if: has_implied_region,
        names: result_names,
        verify: verify_structured,
    }

    /// The values of one point.
    op Yield = "yield" {
        traits: [PURE, TERMINATOR, RETURN_LIKE],
        operands: { values: variadic ANY_TYPE },
        assembly: "attr-dict ($values^ `:` type($values))?",
        verify: verify_yield,
    }

    /// The number of the current iteration of a loop.
    op Index = "index" {
        traits: [PURE],
        attributes: { dim: I64_NOT_NEGATIVE },
        results: { result: INDEX_TYPE },
        assembly: "$dim attr-dict `:` type($result)",
        verify: verify_index,
    }

    /// A function of one operand, for each element.
    op ElemwiseUnary = "elemwise_unary": Named {
        attributes: { fun: optional UNARY_FUNCTION, conversion("cast"): optional TYPE_FUNCTION },
    }

    /// A function of two operands, for each pair of elements.
    op ElemwiseBinary = "elemwise_binary": Named {
        attributes: { fun: optional BINARY_FUNCTION, conversion("cast"): optional TYPE_FUNCTION },
    }

    /// Product of two matrices, added to the output.
    op Matmul = "matmul": Contraction {}

    /// Product of two quantized matrices, added to the output.
    op QuantizedMatmul = "quantized_matmul": Named {}

    /// Product of a transposed matrix and a matrix, added to the output.
    op MatmulTransposeA = "matmul_transpose_a": Contraction {}

    /// Product of a matrix and a transposed matrix, added to the output.
    op MatmulTransposeB = "matmul_transpose_b": Contraction {}

    /// Product of a matrix and a transposed matrix, both in tiles, added to the output.
    op Mmt4d = "mmt4d": Named {}

    /// Products of matrices and transposed matrices, both in tiles, added to the output.
    op BatchMmt4d = "batch_mmt4d": Named {}

    /// Products of matrices, added to the output.
    op BatchMatmul = "batch_matmul": Named {}

    /// Products of transposed matrices and matrices, added to the output.
    op BatchMatmulTransposeA = "batch_matmul_transpose_a": Named {}

    /// Products of matrices and transposed matrices, added to the output.
    op BatchMatmulTransposeB = "batch_matmul_transpose_b": Named {}

    /// Products of quantized matrices, added to the output.
    op QuantizedBatchMatmul = "quantized_batch_matmul": Named {}

    /// Sum of products of matrices, added to the output.
    op BatchReduceMatmul = "batch_reduce_matmul": Named {}

    /// Product of a matrix and a vector, added to the output.
    op Matvec = "matvec": Named {}

    /// Product of a vector and a matrix, added to the output.
    op Vecmat = "vecmat": Named {}

    /// Products of matrices and vectors, added to the output.
    op BatchMatvec = "batch_matvec": Named {}

    /// Products of vectors and matrices, added to the output.
    op BatchVecmat = "batch_vecmat": Named {}

    /// Inner product of two vectors, added to the output.
    op Dot = "dot": Named {}

    /// Convolution in one dimension.
    op Conv1d = "conv_1d": Named {}

    /// Convolution in two dimensions.
    op Conv2d = "conv_2d": Named {}

    /// Convolution in three dimensions.
    op Conv3d = "conv_3d": Named {}

    /// Convolution in one dimension with channels.
    op Conv1dNwcWcf = "conv_1d_nwc_wcf": Convolution {}

    /// Convolution in one dimension with channels before the width.
    op Conv1dNcwFcw = "conv_1d_ncw_fcw": Convolution {}

    /// Convolution in two dimensions with channels.
    op Conv2dNhwcHwcf = "conv_2d_nhwc_hwcf": Convolution {}

    /// Convolution in two dimensions with channels, filters first in the kernel.
    op Conv2dNhwcFhwc = "conv_2d_nhwc_fhwc": Convolution {}

    /// Quantized convolution in two dimensions with channels.
    op Conv2dNhwcHwcfQ = "conv_2d_nhwc_hwcf_q": Convolution {}

    /// Quantized convolution in two dimensions with channels, filters first in the kernel.
    op Conv2dNhwcFhwcQ = "conv_2d_nhwc_fhwc_q": Convolution {}

    /// Convolution in two dimensions with channels before height and width.
    op Conv2dNchwFchw = "conv_2d_nchw_fchw": Convolution {}

    /// Quantized convolution in two dimensions with channels before height and width.
    op Conv2dNchwFchwQ = "conv_2d_nchw_fchw_q": Convolution {}

    /// Grouped convolution in two dimensions, filters before groups in the kernel.
    op Conv2dNgchwFgchw = "conv_2d_ngchw_fgchw": Convolution {}

    /// Grouped convolution in two dimensions, groups before filters in the kernel.
    op Conv2dNgchwGfchw = "conv_2d_ngchw_gfchw": Convolution {}

    /// Quantized grouped convolution in two dimensions.
    op Conv2dNgchwGfchwQ = "conv_2d_ngchw_gfchw_q": Convolution {}

    /// Convolution in three dimensions with channels.
    op Conv3dNdhwcDhwcf = "conv_3d_ndhwc_dhwcf": Convolution {}

    /// Quantized convolution in three dimensions with channels.
    op Conv3dNdhwcDhwcfQ = "conv_3d_ndhwc_dhwcf_q": Convolution {}

    /// Convolution in three dimensions with channels before depth, height and width.
    op Conv3dNcdhwFcdhw = "conv_3d_ncdhw_fcdhw": Convolution {}

    /// Convolution of each channel in one dimension, channels before the width.
    op DepthwiseConv1dNcwCw = "depthwise_conv_1d_ncw_cw": Convolution {}

    /// Convolution of each channel in one dimension.
    op DepthwiseConv1dNwcWc = "depthwise_conv_1d_nwc_wc": Convolution {}

    /// Convolution of each channel in one dimension, with several results a channel.
    op DepthwiseConv1dNwcWcm = "depthwise_conv_1d_nwc_wcm": Convolution {}

    /// Convolution of each channel in two dimensions.
    op DepthwiseConv2dNhwcHwc = "depthwise_conv_2d_nhwc_hwc": Convolution {}

    /// Convolution of each channel in two dimensions, channels before height and width.
    op DepthwiseConv2dNchwChw = "depthwise_conv_2d_nchw_chw": Convolution {}

    /// Quantized convolution of each channel in two dimensions.
    op DepthwiseConv2dNhwcHwcQ = "depthwise_conv_2d_nhwc_hwc_q": Convolution {}

    /// Convolution of each channel in two dimensions, with several results a channel.
    op DepthwiseConv2dNhwcHwcm = "depthwise_conv_2d_nhwc_hwcm": Convolution {}

    /// Quantized convolution of each channel in two dimensions, with several results a channel.
    op DepthwiseConv2dNhwcHwcmQ = "depthwise_conv_2d_nhwc_hwcm_q": Convolution {}

    /// Convolution of each channel in three dimensions.
    op DepthwiseConv3dNdhwcDhwc = "depthwise_conv_3d_ndhwc_dhwc": Convolution {}

    /// Convolution of each channel in three dimensions, channels before depth, height and width.
    op DepthwiseConv3dNcdhwCdhw = "depthwise_conv_3d_ncdhw_cdhw": Convolution {}

    /// Convolution of each channel in three dimensions, with several results a channel.
    op DepthwiseConv3dNdhwcDhwcm = "depthwise_conv_3d_ndhwc_dhwcm": Convolution {}

    /// Sum over windows in two dimensions.
    op PoolingNhwcSum = "pooling_nhwc_sum": Convolution {}

    /// Maximum over windows in two dimensions.
    op PoolingNhwcMax = "pooling_nhwc_max": Convolution {}

    /// Maximum of unsigned numbers over windows in two dimensions.
    op PoolingNhwcMaxUnsigned = "pooling_nhwc_max_unsigned": Convolution {}

    /// Minimum over windows in two dimensions.
    op PoolingNhwcMin = "pooling_nhwc_min": Convolution {}

    /// Minimum of unsigned numbers over windows in two dimensions.
    op PoolingNhwcMinUnsigned = "pooling_nhwc_min_unsigned": Convolution {}

    /// Sum over windows in two dimensions, channels before height and width.
    op PoolingNchwSum = "pooling_nchw_sum": Convolution {}

    /// Maximum over windows in two dimensions, channels before height and width.
    op PoolingNchwMax = "pooling_nchw_max": Convolution {}

    /// Sum over windows in one dimension.
    op PoolingNwcSum = "pooling_nwc_sum": Convolution {}

    /// Maximum over windows in one dimension.
    op PoolingNwcMax = "pooling_nwc_max": Convolution {}

    /// Maximum of unsigned numbers over windows in one dimension.
    op PoolingNwcMaxUnsigned = "pooling_nwc_max_unsigned": Convolution {}

    /// Minimum over windows in one dimension.
    op PoolingNwcMin = "pooling_nwc_min": Convolution {}

    /// Minimum of unsigned numbers over windows in one dimension.
    op PoolingNwcMinUnsigned = "pooling_nwc_min_unsigned": Convolution {}

    /// Sum over windows in one dimension, channels before the width.
    op PoolingNcwSum = "pooling_ncw_sum": Convolution {}

    /// Maximum over windows in one dimension, channels before the width.
    op PoolingNcwMax = "pooling_ncw_max": Convolution {}

    /// Sum over windows in three dimensions.
    op PoolingNdhwcSum = "pooling_ndhwc_sum": Convolution {}

    /// Maximum over windows in three dimensions.
    op PoolingNdhwcMax = "pooling_ndhwc_max": Convolution {}

    /// Minimum over windows in three dimensions.
    op PoolingNdhwcMin = "pooling_ndhwc_min": Convolution {}

    /// Copy of the input.
    op Copy = "copy": Contraction {}

    /// The scalar, in each place.
    op Fill = "fill": Named {}

    /// Exponential function of each element.
    op Exp = "exp": Named {}

    /// Natural logarithm of each element.
    op Log = "log": Named {}

    /// Absolute value of each element.
    op Abs = "abs": Named {}

    /// Next whole number above of each element.
    op Ceil = "ceil": Named {}

    /// Next whole number below of each element.
    op Floor = "floor": Named {}

    /// Negation of each element.
    op Negf = "negf": Named {}

    /// Reciprocal of each element.
    op Reciprocal = "reciprocal": Named {}

    /// Nearest whole number, ties away from 0 of each element.
    op Round = "round": Named {}

    /// Square root of each element.
    op Sqrt = "sqrt": Named {}

    /// Reciprocal of the square root of each element.
    op Rsqrt = "rsqrt": Named {}

    /// Square of each element.
    op Square = "square": Named {}

    /// Hyperbolic tangent of each element.
    op Tanh = "tanh": Named {}

    /// Error function of each element.
    op Erf = "erf": Named {}

    /// Sum of two elements each.
    op Add = "add": Named {}

    /// Difference of two elements each.
    op Sub = "sub": Named {}

    /// Product of two elements each.
    op Mul = "mul": Named {}

    /// Quotient of two elements each.
    op Div = "div": Named {}

    /// Quotient of unsigned numbers of two elements each.
    op DivUnsigned = "div_unsigned": Named {}

    /// Maximum of two elements each.
    op Max = "max": Named {}

    /// Minimum of two elements each.
    op Min = "min": Named {}

    /// Power of two elements each.
    op Powf = "powf": Named {}

    /// One of two elements each, by a condition.
    op Select = "select": Named {}
}
