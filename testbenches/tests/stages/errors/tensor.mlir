func.func @tensor(%a: tensor<4xi8>) -> tensor<4xi8> { //~ error: argument of a kernel: only integers, floats, `index` and memrefs of them have hardware
  return %a : tensor<4xi8> //~ error: `func.return`: only integers, floats, `index` and memrefs of them have hardware
}
