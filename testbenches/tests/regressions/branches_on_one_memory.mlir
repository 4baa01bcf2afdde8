// A machine of four instructions on a file of registers and a memory: at most one branch reads or writes them.
func.func @branches_on_one_memory(%code: memref<64xi32>, %regs: memref<16xi32>, %mem: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c15 = arith.constant 15 : i32
  %c63 = arith.constant 63 : i32
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %k2 = arith.constant 2 : i32
  %k3 = arith.constant 3 : i32
  %s4 = arith.constant 4 : i32
  %s8 = arith.constant 8 : i32
  %s12 = arith.constant 12 : i32
  scf.for %pc = %c0 to %c64 step %c1 {
    %word = memref.load %code[%pc] : memref<64xi32>
    %op = arith.andi %word, %k3 : i32
    %f1 = arith.shrui %word, %s4 : i32
    %f1m = arith.andi %f1, %c15 : i32
    %ra = arith.index_castui %f1m : i32 to index
    %f2 = arith.shrui %word, %s8 : i32
    %f2m = arith.andi %f2, %c15 : i32
    %rb = arith.index_castui %f2m : i32 to index
    %f3 = arith.shrui %word, %s12 : i32
    %f3m = arith.andi %f3, %c63 : i32
    %at = arith.index_castui %f3m : i32 to index
    %is0 = arith.cmpi eq, %op, %k0 : i32
    scf.if %is0 {
      %x = memref.load %regs[%ra] : memref<16xi32>
      %y = memref.load %regs[%rb] : memref<16xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %regs[%ra] : memref<16xi32>
    } else {
      %is1 = arith.cmpi eq, %op, %k1 : i32
      scf.if %is1 {
        %x = memref.load %mem[%at] : memref<64xi32>
        memref.store %x, %regs[%ra] : memref<16xi32>
      } else {
        %is2 = arith.cmpi eq, %op, %k2 : i32
        scf.if %is2 {
          %x = memref.load %regs[%rb] : memref<16xi32>
          memref.store %x, %mem[%at] : memref<64xi32>
        } else {
          %x = memref.load %regs[%rb] : memref<16xi32>
          %y = memref.load %regs[%ra] : memref<16xi32>
          %s = arith.xori %x, %y : i32
          memref.store %s, %regs[%rb] : memref<16xi32>
        }
      }
    }
  }
  return
}
