// A window, its sums and the place of the greatest, as a compiler of C begins with it: variables in memories, loops as blocks.
func.func @cells_and_blocks_that_count(%a: memref<32xi16>, %n: i32, %out: memref<32xi32>) -> i32 {
  %at = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %mask = arith.constant 31 : i32
  %i = memref.alloca() : memref<1xi32>
  %k = memref.alloca() : memref<i8>
  %sum = memref.alloca() : memref<1xi32>
  %best = memref.alloca() : memref<2xi32>
  %place = arith.constant 1 : index
  %zero8 = arith.constant 0 : i8
  %limit = arith.andi %n, %mask : i32
  memref.store %zero, %best[%at] : memref<2xi32>
  memref.store %zero, %best[%place] : memref<2xi32>
  memref.store %zero, %i[%at] : memref<1xi32>
  cf.br ^test
^test:
  %i0 = memref.load %i[%at] : memref<1xi32>
  %more = arith.cmpi ult, %i0, %limit : i32
  cf.cond_br %more, ^window, ^end
^window:
  memref.store %zero, %sum[%at] : memref<1xi32>
  memref.store %zero8, %k[] : memref<i8>
  cf.br ^inner
^inner:
  %k0 = memref.load %k[] : memref<i8>
  %wide = arith.extsi %k0 : i8 to i32
  %i1 = memref.load %i[%at] : memref<1xi32>
  %cell = arith.addi %i1, %wide : i32
  %inside = arith.andi %cell, %mask : i32
  %cell_at = arith.index_castui %inside : i32 to index
  %x = memref.load %a[%cell_at] : memref<32xi16>
  %x32 = arith.extsi %x : i16 to i32
  %old = memref.load %sum[%at] : memref<1xi32>
  %new = arith.addi %old, %x32 : i32
  memref.store %new, %sum[%at] : memref<1xi32>
  %next_wide = arith.addi %wide, %one : i32
  %next = arith.trunci %next_wide : i32 to i8
  memref.store %next, %k[] : memref<i8>
  %again = arith.cmpi slt, %next_wide, %three : i32
  cf.cond_br %again, ^inner, ^compare
^compare:
  %got = memref.load %sum[%at] : memref<1xi32>
  %i2 = memref.load %i[%at] : memref<1xi32>
  %out_at = arith.index_castui %i2 : i32 to index
  memref.store %got, %out[%out_at] : memref<32xi32>
  %so_far = memref.load %best[%at] : memref<2xi32>
  %is_greater = arith.cmpi sgt, %got, %so_far : i32
  cf.cond_br %is_greater, ^keep, ^step
^keep:
  memref.store %got, %best[%at] : memref<2xi32>
  memref.store %i2, %best[%place] : memref<2xi32>
  cf.br ^step
^step:
  %i3 = arith.addi %i2, %one : i32
  memref.store %i3, %i[%at] : memref<1xi32>
  cf.br ^test
^end:
  %result = memref.load %best[%place] : memref<2xi32>
  return %result : i32
}
