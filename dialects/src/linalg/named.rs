//! The named structured operations: their loops, subscripts and computations as rows of a table.
//!
//! Source: MLIR, "Linalg Dialect", the operations that `LinalgNamedStructuredOps.yaml` defines.

use sluice_ir::View;
use sluice_ir::affine::{AffineExpr, AffineMap};

use super::scalar::Binary::{
    Add, Div, DivUnsigned, Max, MaxUnsigned, Min, MinUnsigned, Mul, Powf, Sub,
};
use super::scalar::Computation::{
    self, Binary, Copy, MultiplyAdd, QuantizedMultiplyAdd, Select, Unary, Window,
};
use super::scalar::Unary::{
    Abs, Ceil, Erf, Exp, Floor, Log, Negate, Reciprocal, Round, Rsqrt, Sqrt, Square, Tanh,
};
use super::scalar::{self};
use super::structured::{distances, listed_maps, map_of, parallel, rank};
use super::{ElemwiseBinary, ElemwiseUnary};

/// A named operation.
pub(super) struct Row {
    name: &'static str,
    /// The loops from the outermost; `!` marks reductions. Empty: one parallel loop for each dimension of the output.
    loops: &'static str,
    /// The subscripts of each operand, separated by commas. `oh:kh` is the window `oh * stride + kh * dilation`, with the strides and
    /// dilations of the operation in order.
    operands: &'static str,
    /// The computation.
    pub(super) computation: Computation,
}

const fn row(
    name: &'static str,
    loops: &'static str,
    operands: &'static str,
    computation: Computation,
) -> Row {
    Row {
        name,
        loops,
        operands,
        computation,
    }
}

const fn elementwise(name: &'static str, computation: Computation) -> Row {
    row(name, "", "", computation)
}

const ROWS: &[Row] = &[
    row("matmul", "m n k!", "m k, k n, m n", MultiplyAdd),
    row(
        "quantized_matmul",
        "m n k!",
        "m k, k n, , , m n",
        QuantizedMultiplyAdd,
    ),
    row("matmul_transpose_a", "m n k!", "k m, k n, m n", MultiplyAdd),
    row("matmul_transpose_b", "m n k!", "m k, n k, m n", MultiplyAdd),
    row(
        "mmt4d",
        "m n k! m0 n0 k0!",
        "m k m0 k0, n k n0 k0, m n m0 n0",
        MultiplyAdd,
    ),
    row(
        "batch_mmt4d",
        "b m n k! m0 n0 k0!",
        "b m k m0 k0, b n k n0 k0, b m n m0 n0",
        MultiplyAdd,
    ),
    row(
        "batch_matmul",
        "b m n k!",
        "b m k, b k n, b m n",
        MultiplyAdd,
    ),
    row(
        "batch_matmul_transpose_a",
        "b m n k!",
        "b k m, b k n, b m n",
        MultiplyAdd,
    ),
    row(
        "batch_matmul_transpose_b",
        "b m n k!",
        "b m k, b n k, b m n",
        MultiplyAdd,
    ),
    row(
        "quantized_batch_matmul",
        "b m n k!",
        "b m k, b k n, , , b m n",
        QuantizedMultiplyAdd,
    ),
    row(
        "batch_reduce_matmul",
        "b! m n k!",
        "b m k, b k n, m n",
        MultiplyAdd,
    ),
    row("matvec", "m n!", "m n, n, m", MultiplyAdd),
    row("vecmat", "n m!", "m, m n, n", MultiplyAdd),
    row("batch_matvec", "b m k!", "b m k, b k, b m", MultiplyAdd),
    row("batch_vecmat", "b n k!", "b k, b k n, b n", MultiplyAdd),
    row("dot", "m!", "m, m, ", MultiplyAdd),
    row("conv_1d", "ow kw!", "ow:kw, kw, ow", MultiplyAdd),
    row(
        "conv_2d",
        "oh ow kh! kw!",
        "oh:kh ow:kw, kh kw, oh ow",
        MultiplyAdd,
    ),
    row(
        "conv_3d",
        "od oh ow kd! kh! kw!",
        "od:kd oh:kh ow:kw, kd kh kw, od oh ow",
        MultiplyAdd,
    ),
    row(
        "conv_1d_nwc_wcf",
        "n ow f kw! c!",
        "n ow:kw c, kw c f, n ow f",
        MultiplyAdd,
    ),
    row(
        "conv_1d_ncw_fcw",
        "n f ow c! kw!",
        "n c ow:kw, f c kw, n f ow",
        MultiplyAdd,
    ),
    row(
        "conv_2d_nhwc_hwcf",
        "n oh ow f kh! kw! c!",
        "n oh:kh ow:kw c, kh kw c f, n oh ow f",
        MultiplyAdd,
    ),
    row(
        "conv_2d_nhwc_fhwc",
        "n oh ow f kh! kw! c!",
        "n oh:kh ow:kw c, f kh kw c, n oh ow f",
        MultiplyAdd,
    ),
    row(
        "conv_2d_nhwc_hwcf_q",
        "n oh ow f kh! kw! c!",
        "n oh:kh ow:kw c, kh kw c f, , , n oh ow f",
        QuantizedMultiplyAdd,
    ),
    row(
        "conv_2d_nhwc_fhwc_q",
        "n oh ow f kh! kw! c!",
        "n oh:kh ow:kw c, f kh kw c, , , n oh ow f",
        QuantizedMultiplyAdd,
    ),
    row(
        "conv_2d_nchw_fchw",
        "n f oh ow c! kh! kw!",
        "n c oh:kh ow:kw, f c kh kw, n f oh ow",
        MultiplyAdd,
    ),
    row(
        "conv_2d_nchw_fchw_q",
        "n f oh ow c! kh! kw!",
        "n c oh:kh ow:kw, f c kh kw, , , n f oh ow",
        QuantizedMultiplyAdd,
    ),
    row(
        "conv_2d_ngchw_fgchw",
        "n g fg oh ow c! kh! kw!",
        "n g c oh:kh ow:kw, fg g c kh kw, n g fg oh ow",
        MultiplyAdd,
    ),
    row(
        "conv_2d_ngchw_gfchw",
        "n g fg oh ow c! kh! kw!",
        "n g c oh:kh ow:kw, g fg c kh kw, n g fg oh ow",
        MultiplyAdd,
    ),
    row(
        "conv_2d_ngchw_gfchw_q",
        "n g fg oh ow c! kh! kw!",
        "n g c oh:kh ow:kw, g fg c kh kw, , , n g fg oh ow",
        QuantizedMultiplyAdd,
    ),
    row(
        "conv_3d_ndhwc_dhwcf",
        "n od oh ow f kd! kh! kw! c!",
        "n od:kd oh:kh ow:kw c, kd kh kw c f, n od oh ow f",
        MultiplyAdd,
    ),
    row(
        "conv_3d_ndhwc_dhwcf_q",
        "n od oh ow f kd! kh! kw! c!",
        "n od:kd oh:kh ow:kw c, kd kh kw c f, , , n od oh ow f",
        QuantizedMultiplyAdd,
    ),
    row(
        "conv_3d_ncdhw_fcdhw",
        "n od oh ow f kd! kh! kw! c!",
        "n c od:kd oh:kh ow:kw, f c kd kh kw, n f od oh ow",
        MultiplyAdd,
    ),
    row(
        "depthwise_conv_1d_ncw_cw",
        "n ow ic kw!",
        "n ic ow:kw, ic kw, n ic ow",
        MultiplyAdd,
    ),
    row(
        "depthwise_conv_1d_nwc_wc",
        "n ow ic kw!",
        "n ow:kw ic, kw ic, n ow ic",
        MultiplyAdd,
    ),
    row(
        "depthwise_conv_1d_nwc_wcm",
        "n ow ic cm kw!",
        "n ow:kw ic, kw ic cm, n ow ic cm",
        MultiplyAdd,
    ),
    row(
        "depthwise_conv_2d_nhwc_hwc",
        "n oh ow ic kh! kw!",
        "n oh:kh ow:kw ic, kh kw ic, n oh ow ic",
        MultiplyAdd,
    ),
    row(
        "depthwise_conv_2d_nchw_chw",
        "n oh ow ic kh! kw!",
        "n ic oh:kh ow:kw, ic kh kw, n ic oh ow",
        MultiplyAdd,
    ),
    row(
        "depthwise_conv_2d_nhwc_hwc_q",
        "n oh ow ic kh! kw!",
        "n oh:kh ow:kw ic, kh kw ic, , , n oh ow ic",
        QuantizedMultiplyAdd,
    ),
    row(
        "depthwise_conv_2d_nhwc_hwcm",
        "n oh ow ic cm kh! kw!",
        "n oh:kh ow:kw ic, kh kw ic cm, n oh ow ic cm",
        MultiplyAdd,
    ),
    row(
        "depthwise_conv_2d_nhwc_hwcm_q",
        "n oh ow ic cm kh! kw!",
        "n oh:kh ow:kw ic, kh kw ic cm, , , n oh ow ic cm",
        QuantizedMultiplyAdd,
    ),
    row(
        "depthwise_conv_3d_ndhwc_dhwc",
        "n od oh ow kd! kh! kw! ic",
        "n od:kd oh:kh ow:kw ic, kd kh kw ic, n od oh ow ic",
        MultiplyAdd,
    ),
    row(
        "depthwise_conv_3d_ncdhw_cdhw",
        "n od oh ow kd! kh! kw! ic",
        "n ic od:kd oh:kh ow:kw, ic kd kh kw, n ic od oh ow",
        MultiplyAdd,
    ),
    row(
        "depthwise_conv_3d_ndhwc_dhwcm",
        "n od oh ow cm kd! kh! kw! ic",
        "n od:kd oh:kh ow:kw ic, kd kh kw ic cm, n od oh ow ic cm",
        MultiplyAdd,
    ),
    row(
        "pooling_nhwc_sum",
        "n oh ow c kh! kw!",
        "n oh:kh ow:kw c, kh kw, n oh ow c",
        Window(Add),
    ),
    row(
        "pooling_nhwc_max",
        "n oh ow c kh! kw!",
        "n oh:kh ow:kw c, kh kw, n oh ow c",
        Window(Max),
    ),
    row(
        "pooling_nhwc_max_unsigned",
        "n oh ow c kh! kw!",
        "n oh:kh ow:kw c, kh kw, n oh ow c",
        Window(MaxUnsigned),
    ),
    row(
        "pooling_nhwc_min",
        "n oh ow c kh! kw!",
        "n oh:kh ow:kw c, kh kw, n oh ow c",
        Window(Min),
    ),
    row(
        "pooling_nhwc_min_unsigned",
        "n oh ow c kh! kw!",
        "n oh:kh ow:kw c, kh kw, n oh ow c",
        Window(MinUnsigned),
    ),
    row(
        "pooling_nchw_sum",
        "n c oh ow kh! kw!",
        "n c oh:kh ow:kw, kh kw, n c oh ow",
        Window(Add),
    ),
    row(
        "pooling_nchw_max",
        "n c oh ow kh! kw!",
        "n c oh:kh ow:kw, kh kw, n c oh ow",
        Window(Max),
    ),
    row(
        "pooling_nwc_sum",
        "n ow c kw!",
        "n ow:kw c, kw, n ow c",
        Window(Add),
    ),
    row(
        "pooling_nwc_max",
        "n ow c kw!",
        "n ow:kw c, kw, n ow c",
        Window(Max),
    ),
    row(
        "pooling_nwc_max_unsigned",
        "n ow c kw!",
        "n ow:kw c, kw, n ow c",
        Window(MaxUnsigned),
    ),
    row(
        "pooling_nwc_min",
        "n ow c kw!",
        "n ow:kw c, kw, n ow c",
        Window(Min),
    ),
    row(
        "pooling_nwc_min_unsigned",
        "n ow c kw!",
        "n ow:kw c, kw, n ow c",
        Window(MinUnsigned),
    ),
    row(
        "pooling_ncw_sum",
        "n c ow kw!",
        "n c ow:kw, kw, n c ow",
        Window(Add),
    ),
    row(
        "pooling_ncw_max",
        "n c ow kw!",
        "n c ow:kw, kw, n c ow",
        Window(Max),
    ),
    row(
        "pooling_ndhwc_sum",
        "n od oh ow c kd! kh! kw!",
        "n od:kd oh:kh ow:kw c, kd kh kw, n od oh ow c",
        Window(Add),
    ),
    row(
        "pooling_ndhwc_max",
        "n od oh ow c kd! kh! kw!",
        "n od:kd oh:kh ow:kw c, kd kh kw, n od oh ow c",
        Window(Max),
    ),
    row(
        "pooling_ndhwc_min",
        "n od oh ow c kd! kh! kw!",
        "n od:kd oh:kh ow:kw c, kd kh kw, n od oh ow c",
        Window(Min),
    ),
    elementwise("copy", Copy),
    elementwise("fill", Copy),
    elementwise("exp", Unary(Exp)),
    elementwise("log", Unary(Log)),
    elementwise("abs", Unary(Abs)),
    elementwise("ceil", Unary(Ceil)),
    elementwise("floor", Unary(Floor)),
    elementwise("negf", Unary(Negate)),
    elementwise("reciprocal", Unary(Reciprocal)),
    elementwise("round", Unary(Round)),
    elementwise("sqrt", Unary(Sqrt)),
    elementwise("rsqrt", Unary(Rsqrt)),
    elementwise("square", Unary(Square)),
    elementwise("tanh", Unary(Tanh)),
    elementwise("erf", Unary(Erf)),
    elementwise("add", Binary(Add)),
    elementwise("sub", Binary(Sub)),
    elementwise("mul", Binary(Mul)),
    elementwise("div", Binary(Div)),
    elementwise("div_unsigned", Binary(DivUnsigned)),
    elementwise("max", Binary(Max)),
    elementwise("min", Binary(Min)),
    elementwise("powf", Binary(Powf)),
    elementwise("select", Select),
];

/// Returns the row of a named operation; of `linalg.elemwise_unary` and `linalg.elemwise_binary`, none.
pub(super) fn named(name: &str) -> Option<&'static Row> {
    let name = name.strip_prefix("linalg.")?;
    ROWS.iter().find(|row| row.name == name)
}

/// Returns the computation of an operation with this full name, whose attribute `fun` has this value.
pub(super) fn computation(name: &str, function: Option<u64>) -> Option<Computation> {
    let function = || usize::try_from(function.unwrap_or(0)).ok();
    match name {
        ElemwiseUnary::NAME => scalar::Unary::ALL.get(function()?).copied().map(Unary),
        ElemwiseBinary::NAME => {
            let function = match function() {
                None => Add,
                Some(function) => *scalar::Binary::ALL.get(function)?,
            };
            Some(Binary(function))
        }
        _ => Some(named(name)?.computation),
    }
}

/// Returns the names of the loops of an operation.
pub(super) fn loop_names(operation: &str, n_loops: usize) -> Vec<String> {
    let row = named(operation).filter(|row| !row.loops.is_empty());
    match row {
        Some(row) => {
            let names = row.loops.split(' ');
            names
                .map(|name| name.trim_end_matches('!').to_owned())
                .collect()
        }
        None => (0..n_loops).map(|number| format!("d{number}")).collect(),
    }
}

/// Returns the maps of the operands of a named operation, and for each loop whether it is a reduction.
pub(super) fn loops(view: View<'_>) -> Option<(Vec<AffineMap>, Vec<bool>)> {
    let context = view.context;
    let row = match view.name() {
        ElemwiseUnary::NAME | ElemwiseBinary::NAME => None,
        name => Some(named(name)?),
    };
    let Some(row) = row.filter(|row| !row.loops.is_empty()) else {
        let n_loops = rank(context, view.operand_types().last()?)?;
        let maps = view.operand_types().map(|ty| match rank(context, ty) {
            Some(0) => map_of(n_loops, Vec::new()),
            _ => AffineMap::identity(n_loops),
        });
        return Some((maps.collect(), parallel(n_loops)));
    };
    let names: Vec<&str> = row.loops.split(' ').collect();
    let reductions = names.iter().map(|name| name.ends_with('!')).collect();
    let n_loops = u32::try_from(names.len()).ok()?;
    if let Some(maps) = listed_maps(view) {
        return Some((maps, reductions));
    }
    let dim = |wanted: &str| {
        let position = names
            .iter()
            .position(|name| name.trim_end_matches('!') == wanted)?;
        Some(AffineExpr::Dim(u32::try_from(position).ok()?))
    };
    let n_windows = row.operands.matches(':').count();
    let strides = distances(view, "strides", n_windows)?;
    let dilations = distances(view, "dilations", n_windows)?;
    let mut windows = strides.into_iter().zip(dilations);
    let mut maps = Vec::new();
    for operand in row.operands.split(',') {
        let mut subscripts = Vec::new();
        for subscript in operand.split_whitespace() {
            subscripts.push(match subscript.split_once(':') {
                None => dim(subscript)?,
                Some((outer, inner)) => {
                    let (stride, dilation) = windows.next()?;
                    dim(outer)? * stride.into() + dim(inner)? * dilation.into()
                }
            });
        }
        maps.push(map_of(n_loops, subscripts));
    }
    Some((maps, reductions))
}
