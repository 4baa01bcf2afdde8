// What a guarded load gives where its condition does not hold is a constant of the loop's body, which is not moved along.
func.func @guarded(%flag: memref<i1>, %last: memref<i1>) {
  %true = arith.constant true
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      memref.store %true, %flag[] : memref<i1>
    }
    scf.index_switch %i
    case 1 {
      scf.yield
    }
    case 3 {
      %x = memref.load %flag[] : memref<i1>
      memref.store %x, %last[] : memref<i1>
      scf.yield
    }
    default {
      %y = memref.load %last[] : memref<i1>
      affine.store %y, %last[] : memref<i1>
    }
  }
  return
}
