//! States for every operation of the input dialects whether it has hardware.

use sluice_dialects::{
    Operation, affine, arith, builtin, cf, func, index, llvm, math, memref, scf, sluice, ub,
};

/// Returns whether later stages implement an operation inside a function. `legality` checks views of memories itself.
pub(crate) fn has_hardware(op: Operation) -> bool {
    match op {
        Operation::Affine(op) => affine_has(op),
        Operation::Arith(op) => arith_has(op),
        Operation::Builtin(op) => builtin_has(op),
        Operation::Cf(op) => cf_has(op),
        Operation::Func(op) => func_has(op),
        Operation::Index(op) => index_has(op),
        Operation::Llvm(op) => llvm_has(op),
        Operation::Math(op) => math_has(op),
        Operation::Memref(op) => memref_has(op),
        Operation::Scf(op) => scf_has(op),
        Operation::Sluice(op) => sluice_has(op),
        Operation::Ub(op) => ub_has(op),
        Operation::Arc(_)
        | Operation::Bufferization(_)
        | Operation::Comb(_)
        | Operation::Fsm(_)
        | Operation::Handshake(_)
        | Operation::Hw(_)
        | Operation::Irdl(_)
        | Operation::Linalg(_)
        | Operation::Seq(_)
        | Operation::Ssp(_)
        | Operation::Tensor(_) => false,
    }
}

fn affine_has(op: affine::Op) -> bool {
    match op {
        affine::Op::Apply
        | affine::Op::DelinearizeIndex
        | affine::Op::For
        | affine::Op::If
        | affine::Op::LinearizeIndex
        | affine::Op::Load
        | affine::Op::Max
        | affine::Op::Min
        | affine::Op::Parallel
        | affine::Op::Store
        | affine::Op::Yield => true,
        affine::Op::DmaStart
        | affine::Op::DmaWait
        | affine::Op::Prefetch
        | affine::Op::VectorLoad
        | affine::Op::VectorStore => false,
    }
}

fn arith_has(op: arith::Op) -> bool {
    match op {
        arith::Op::Addi
        | arith::Op::AdduiExtended
        | arith::Op::Andi
        | arith::Op::Ceildivsi
        | arith::Op::Ceildivui
        | arith::Op::Cmpi
        | arith::Op::Constant
        | arith::Op::Divsi
        | arith::Op::Divui
        | arith::Op::Extsi
        | arith::Op::Extui
        | arith::Op::Floordivsi
        | arith::Op::IndexCast
        | arith::Op::IndexCastui
        | arith::Op::Maxsi
        | arith::Op::Maxui
        | arith::Op::Minsi
        | arith::Op::Minui
        | arith::Op::Muli
        | arith::Op::MulsiExtended
        | arith::Op::MuluiExtended
        | arith::Op::Ori
        | arith::Op::Remsi
        | arith::Op::Remui
        | arith::Op::Select
        | arith::Op::Shli
        | arith::Op::Shrsi
        | arith::Op::Shrui
        | arith::Op::Subi
        | arith::Op::Trunci
        | arith::Op::Xori
        | arith::Op::Addf
        | arith::Op::Bitcast
        | arith::Op::Cmpf
        | arith::Op::Divf
        | arith::Op::Extf
        | arith::Op::Fptosi
        | arith::Op::Fptoui
        | arith::Op::Maximumf
        | arith::Op::Convertf
        | arith::Op::Maximumnumf
        | arith::Op::Minimumnumf
        | arith::Op::SubuiExtended
        | arith::Op::Maxnumf
        | arith::Op::Minimumf
        | arith::Op::Minnumf
        | arith::Op::Mulf
        | arith::Op::Negf
        | arith::Op::Sitofp
        | arith::Op::Subf
        | arith::Op::Truncf
        | arith::Op::Uitofp => true,
        arith::Op::FlushDenormals
        | arith::Op::Remf
        | arith::Op::ScalingExtf
        | arith::Op::ScalingTruncf => false,
    }
}

fn builtin_has(op: builtin::Op) -> bool {
    match op {
        builtin::Op::UnrealizedConversionCast => true,
        builtin::Op::Module => false,
    }
}

fn cf_has(op: cf::Op) -> bool {
    match op {
        cf::Op::Assert | cf::Op::Br | cf::Op::CondBr | cf::Op::Switch => true,
    }
}

fn func_has(op: func::Op) -> bool {
    match op {
        func::Op::Call | func::Op::Return => true,
        func::Op::CallIndirect | func::Op::Constant | func::Op::Func => false,
    }
}

fn index_has(op: index::Op) -> bool {
    match op {
        index::Op::Add
        | index::Op::And
        | index::Op::BoolConstant
        | index::Op::Casts
        | index::Op::Castu
        | index::Op::Ceildivs
        | index::Op::Ceildivu
        | index::Op::Cmp
        | index::Op::Constant
        | index::Op::Divs
        | index::Op::Divu
        | index::Op::Floordivs
        | index::Op::Maxs
        | index::Op::Maxu
        | index::Op::Mins
        | index::Op::Minu
        | index::Op::Mul
        | index::Op::Or
        | index::Op::Rems
        | index::Op::Remu
        | index::Op::Shl
        | index::Op::Shrs
        | index::Op::Shru
        | index::Op::Sizeof
        | index::Op::Sub
        | index::Op::Xor => true,
    }
}

fn math_has(op: math::Op) -> bool {
    match op {
        math::Op::Absf
        | math::Op::Absi
        | math::Op::Atan
        | math::Op::Atan2
        | math::Op::Ceil
        | math::Op::Clampf
        | math::Op::Copysign
        | math::Op::Cos
        | math::Op::Ctlz
        | math::Op::Ctpop
        | math::Op::Cttz
        | math::Op::Erf
        | math::Op::Exp
        | math::Op::Exp2
        | math::Op::Floor
        | math::Op::Fma
        | math::Op::Isfinite
        | math::Op::Isinf
        | math::Op::Isnan
        | math::Op::Isnormal
        | math::Op::Log
        | math::Op::Log10
        | math::Op::Log2
        | math::Op::Powf
        | math::Op::Round
        | math::Op::Roundeven
        | math::Op::Rsqrt
        | math::Op::Sin
        | math::Op::Sincos
        | math::Op::Sqrt
        | math::Op::Tanh
        | math::Op::Trunc => true,
        math::Op::Acos
        | math::Op::Acosh
        | math::Op::Asin
        | math::Op::Asinh
        | math::Op::Atanh
        | math::Op::Cbrt
        | math::Op::Cosh
        | math::Op::Erfc
        | math::Op::Expm1
        | math::Op::Fpowi
        | math::Op::Ipowi
        | math::Op::Log1p
        | math::Op::Sinh
        | math::Op::Tan => false,
    }
}

fn memref_has(op: memref::Op) -> bool {
    match op {
        memref::Op::Alloc
        | memref::Op::Alloca
        | memref::Op::AssumeAlignment
        | memref::Op::Cast
        | memref::Op::Copy
        | memref::Op::Dealloc
        | memref::Op::Dim
        | memref::Op::DistinctObjects
        | memref::Op::GetGlobal
        | memref::Op::Load
        | memref::Op::Store => true,
        memref::Op::AllocaScope
        | memref::Op::AllocaScopeReturn
        | memref::Op::AtomicRmw
        | memref::Op::AtomicYield
        | memref::Op::CollapseShape
        | memref::Op::DmaStart
        | memref::Op::DmaWait
        | memref::Op::ExpandShape
        | memref::Op::ExtractAlignedPointerAsIndex
        | memref::Op::ExtractStridedMetadata
        | memref::Op::GenericAtomicRmw
        | memref::Op::Global
        | memref::Op::MemorySpaceCast
        | memref::Op::Prefetch
        | memref::Op::Rank
        | memref::Op::Realloc
        | memref::Op::ReinterpretCast
        | memref::Op::Reshape
        | memref::Op::Subview
        | memref::Op::Transpose
        | memref::Op::ViewOp => false,
    }
}

fn scf_has(op: scf::Op) -> bool {
    match op {
        scf::Op::Condition
        | scf::Op::ExecuteRegion
        | scf::Op::For
        | scf::Op::If
        | scf::Op::IndexSwitch
        | scf::Op::Parallel
        | scf::Op::Reduce
        | scf::Op::ReduceReturn
        | scf::Op::While
        | scf::Op::Yield => true,
        scf::Op::Forall | scf::Op::InParallel => false,
    }
}

fn llvm_has(op: llvm::Op) -> bool {
    match op {
        llvm::Op::Undef | llvm::Op::Poison => true,
    }
}

fn sluice_has(op: sluice::Op) -> bool {
    match op {
        sluice::Op::Float => true,
    }
}

fn ub_has(op: ub::Op) -> bool {
    match op {
        ub::Op::Poison => true,
        ub::Op::Unreachable => false,
    }
}
