// A function that stays a module of its own has an array of open dimensions, whose sizes are those of its calls.
func.func private @scale(%x: memref<?x?xi32>, %f: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.dim %x, %c0 : memref<?x?xi32>
  %w = memref.dim %x, %c1 : memref<?x?xi32>
  scf.for %i = %c0 to %h step %c1 {
    scf.for %j = %c0 to %w step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x?xi32>
      %s = arith.muli %v, %f : i32
      memref.store %s, %x[%i, %j] : memref<?x?xi32>
    }
  }
  return
}
func.func @top(%A: memref<?x4xi32>, %B: memref<?x?xi32>, %f: i32) {
  %a = memref.cast %A : memref<?x4xi32> to memref<?x?xi32>
  func.call @scale(%a, %f) : (memref<?x?xi32>, i32) -> ()
  func.call @scale(%B, %f) : (memref<?x?xi32>, i32) -> ()
  return
}
