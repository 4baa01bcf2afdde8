// Twelve branches, in each other, of which at most one reads and writes the memory.
func.func @many_branches_on_one_memory(%code: memref<64xi32>, %regs: memref<256xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %m = arith.constant 255 : i32
  %s8 = arith.constant 8 : i32
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %k2 = arith.constant 2 : i32
  %k3 = arith.constant 3 : i32
  %k4 = arith.constant 4 : i32
  %k5 = arith.constant 5 : i32
  %k6 = arith.constant 6 : i32
  %k7 = arith.constant 7 : i32
  %k8 = arith.constant 8 : i32
  %k9 = arith.constant 9 : i32
  %k10 = arith.constant 10 : i32
  %k11 = arith.constant 11 : i32
  scf.for %pc = %c0 to %c64 step %c1 {
    %w = memref.load %code[%pc] : memref<64xi32>
    %op = arith.andi %w, %m : i32
    %f = arith.shrui %w, %s8 : i32
    %fm = arith.andi %f, %m : i32
    %is0 = arith.cmpi eq, %op, %k0 : i32
    scf.if %is0 {
      %t0 = arith.xori %fm, %k0 : i32
      %a0 = arith.index_castui %t0 : i32 to index
      %x0 = memref.load %regs[%a0] : memref<256xi32>
      %y0 = arith.addi %x0, %k0 : i32
      memref.store %y0, %regs[%a0] : memref<256xi32>
    } else {
      %is1 = arith.cmpi eq, %op, %k1 : i32
      scf.if %is1 {
        %t1 = arith.xori %fm, %k1 : i32
        %a1 = arith.index_castui %t1 : i32 to index
        %x1 = memref.load %regs[%a1] : memref<256xi32>
        %y1 = arith.addi %x1, %k1 : i32
        memref.store %y1, %regs[%a1] : memref<256xi32>
      } else {
        %is2 = arith.cmpi eq, %op, %k2 : i32
        scf.if %is2 {
          %t2 = arith.xori %fm, %k2 : i32
          %a2 = arith.index_castui %t2 : i32 to index
          %x2 = memref.load %regs[%a2] : memref<256xi32>
          %y2 = arith.addi %x2, %k2 : i32
          memref.store %y2, %regs[%a2] : memref<256xi32>
        } else {
          %is3 = arith.cmpi eq, %op, %k3 : i32
          scf.if %is3 {
            %t3 = arith.xori %fm, %k3 : i32
            %a3 = arith.index_castui %t3 : i32 to index
            %x3 = memref.load %regs[%a3] : memref<256xi32>
            %y3 = arith.addi %x3, %k3 : i32
            memref.store %y3, %regs[%a3] : memref<256xi32>
          } else {
            %is4 = arith.cmpi eq, %op, %k4 : i32
            scf.if %is4 {
              %t4 = arith.xori %fm, %k4 : i32
              %a4 = arith.index_castui %t4 : i32 to index
              %x4 = memref.load %regs[%a4] : memref<256xi32>
              %y4 = arith.addi %x4, %k4 : i32
              memref.store %y4, %regs[%a4] : memref<256xi32>
            } else {
              %is5 = arith.cmpi eq, %op, %k5 : i32
              scf.if %is5 {
                %t5 = arith.xori %fm, %k5 : i32
                %a5 = arith.index_castui %t5 : i32 to index
                %x5 = memref.load %regs[%a5] : memref<256xi32>
                %y5 = arith.addi %x5, %k5 : i32
                memref.store %y5, %regs[%a5] : memref<256xi32>
              } else {
                %is6 = arith.cmpi eq, %op, %k6 : i32
                scf.if %is6 {
                  %t6 = arith.xori %fm, %k6 : i32
                  %a6 = arith.index_castui %t6 : i32 to index
                  %x6 = memref.load %regs[%a6] : memref<256xi32>
                  %y6 = arith.addi %x6, %k6 : i32
                  memref.store %y6, %regs[%a6] : memref<256xi32>
                } else {
                  %is7 = arith.cmpi eq, %op, %k7 : i32
                  scf.if %is7 {
                    %t7 = arith.xori %fm, %k7 : i32
                    %a7 = arith.index_castui %t7 : i32 to index
                    %x7 = memref.load %regs[%a7] : memref<256xi32>
                    %y7 = arith.addi %x7, %k7 : i32
                    memref.store %y7, %regs[%a7] : memref<256xi32>
                  } else {
                    %is8 = arith.cmpi eq, %op, %k8 : i32
                    scf.if %is8 {
                      %t8 = arith.xori %fm, %k8 : i32
                      %a8 = arith.index_castui %t8 : i32 to index
                      %x8 = memref.load %regs[%a8] : memref<256xi32>
                      %y8 = arith.addi %x8, %k8 : i32
                      memref.store %y8, %regs[%a8] : memref<256xi32>
                    } else {
                      %is9 = arith.cmpi eq, %op, %k9 : i32
                      scf.if %is9 {
                        %t9 = arith.xori %fm, %k9 : i32
                        %a9 = arith.index_castui %t9 : i32 to index
                        %x9 = memref.load %regs[%a9] : memref<256xi32>
                        %y9 = arith.addi %x9, %k9 : i32
                        memref.store %y9, %regs[%a9] : memref<256xi32>
                      } else {
                        %is10 = arith.cmpi eq, %op, %k10 : i32
                        scf.if %is10 {
                          %t10 = arith.xori %fm, %k10 : i32
                          %a10 = arith.index_castui %t10 : i32 to index
                          %x10 = memref.load %regs[%a10] : memref<256xi32>
                          %y10 = arith.addi %x10, %k10 : i32
                          memref.store %y10, %regs[%a10] : memref<256xi32>
                        } else {
                          %is11 = arith.cmpi eq, %op, %k11 : i32
                          scf.if %is11 {
                            %t11 = arith.xori %fm, %k11 : i32
                            %a11 = arith.index_castui %t11 : i32 to index
                            %x11 = memref.load %regs[%a11] : memref<256xi32>
                            %y11 = arith.addi %x11, %k11 : i32
                            memref.store %y11, %regs[%a11] : memref<256xi32>
                          }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
  }
  return
}
