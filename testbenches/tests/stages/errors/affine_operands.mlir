// The operands of a bound are the inputs of its map.
func.func @f(%n: index) {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<()[s0] -> (s0)>}> ({ //~ error: operand count and affine map dimension and symbol count must match
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<()[s0] -> (s0)>}> ({ //~ error: operand count and affine map dimension and symbol count must match
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}
