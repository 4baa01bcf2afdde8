/ //~ error: unexpected character
"t.a"() {a = @1} : () -> () //~ error: @ identifier expected to start with letter or '_'
"t.a"() : () -> % //~ error: invalid SSA name
"t.a"() {a = ..} : () -> () //~ error: expected three consecutive dots for an ellipsis
"t.a"() {s = "a //~ error: in string literal
"t.ok"() : () -> ()
