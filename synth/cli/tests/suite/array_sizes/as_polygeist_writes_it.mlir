// As a C front end writes it: attributes of llvm and dlti, sizes as arguments, outer dimensions unknown.
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<!llvm.ptr<270>, dense<32> : vector<4xi32>>, #dlti.dl_entry<"dlti.endianness", "little">>, llvm.target_triple = "x86_64-unknown-linux-gnu"} {
  func.func @kernel_mvt(%arg0: i32, %arg1: memref<?xi32>, %arg2: memref<?xi32>, %arg3: memref<?x40xi32>) attributes {llvm.linkage = #llvm.linkage<external>} {
    %0 = arith.index_cast %arg0 : i32 to index
    affine.for %arg4 = 0 to %0 {
      affine.for %arg5 = 0 to %0 {
        %1 = affine.load %arg1[%arg4] : memref<?xi32>
        %2 = affine.load %arg3[%arg4, %arg5] : memref<?x40xi32>
        %3 = affine.load %arg2[%arg5] : memref<?xi32>
        %4 = arith.muli %2, %3 : i32
        %5 = arith.addi %1, %4 : i32
        affine.store %5, %arg1[%arg4] : memref<?xi32>
      }
    }
    return
  }
}
