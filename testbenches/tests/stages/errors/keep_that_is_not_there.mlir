// config: {keep: [helpr]}
//~ error without a place: `keep` names a function `helpr` that is not there; did you mean `helper`?
func.func private @helper(%x: i8) -> i8 {
  return %x : i8
}
func.func @kernel(%x: i8) -> i8 {
  %y = func.call @helper(%x) : (i8) -> i8
  return %y : i8
}
