func.func @vector(%a: vector<4xi8>) -> vector<4xi8> { //~ error: argument of a kernel: only integers, floats, `index` and memrefs of them have hardware
  return %a : vector<4xi8> //~ error: `func.return`: only integers, floats, `index` and memrefs of them have hardware
}
