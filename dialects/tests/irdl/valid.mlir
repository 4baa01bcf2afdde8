irdl.dialect @empty
// -----
irdl.dialect @also_empty {}
// -----
irdl.dialect @with_attributes attributes {author = "nobody"} {
  irdl.type @plain
  irdl.type @noted attributes {note = 4 : i8}
  irdl.attribute @tag {
  }
}
// -----
irdl.dialect @stream {
  irdl.type @channel {
    %element = irdl.any
    %depth = irdl.base "#builtin.integer"
    irdl.parameters(%element, %depth)
  }
  irdl.attribute @rate {
    %n = irdl.base "#builtin.integer" {why = "per cycle"}
    irdl.parameters(%n) {unit}
  }
  irdl.operation @push {
    %element = irdl.any {free}
    %depth = irdl.any
    %channel = irdl.parametric @stream::@channel<%element, %depth>
    irdl.operands(%channel, single %element, optional %depth, variadic %element)
    irdl.results()
    irdl.attributes {"rate" = %depth}
  }
  irdl.operation @loop {
    %i32 = irdl.is i32
    %i64 = irdl.is i64 {wide}
    %either = irdl.any_of(%i32, %i64) {of = 2 : i32}
    %both = irdl.all_of(%either, %i64)
    %channel = irdl.base @stream::@channel
    %rate = irdl.parametric @stream::@rate<%either> {k}
    %none = irdl.parametric @stream::@rate<>
    %c = irdl.c_pred "$_self != nullptr"
    %a = irdl.region
    %b = irdl.region()
    %d = irdl.region(%i32, %i64) with size 2 {deep}
    %e = irdl.region with size 0x3
    irdl.operands(optional %both) {one}
    irdl.results(variadic %either, variadic %channel)
    irdl.regions(%a, %b, %d, %e) {all}
    irdl.attributes {"first" = %rate, "second one" = %c} {k}
  }
  irdl.operation @bare {
    irdl.attributes
    irdl.regions()
    irdl.operands()
  }
}
// -----
"irdl.dialect"() <{sym_name = "generic"}> ({
  "irdl.operation"() <{sym_name = "op"}> ({
    %0 = "irdl.is"() <{expected = "text"}> : () -> !irdl.attribute
    "irdl.operands"(%0, %0) <{variadicity = #irdl<variadicity_array[single, optional]>}> : (!irdl.attribute, !irdl.attribute) -> ()
    "irdl.results"() <{variadicity = #irdl<variadicity_array[]>}> : () -> ()
    "irdl.attributes"(%0) <{attributeValueNames = ["x"]}> : (!irdl.attribute) -> ()
    %1 = "irdl.region"(%0) <{constrainedArguments, numberOfBlocks = 4 : i32}> : (!irdl.attribute) -> !irdl.region
    "irdl.regions"(%1) : (!irdl.region) -> ()
  }) {extra} : () -> ()
}) : () -> ()
// -----
"test.holds"() {one = #irdl<variadicity optional>, all = #irdl<variadicity_array[variadic, single]>, none = #irdl<variadicity_array[]>} : () -> ()
// -----
irdl.dialect @outer {
  irdl.dialect @inner {
    irdl.type @t
    irdl.type @u {
      %0 = irdl.base @inner::@t
      irdl.parameters(%0)
    }
  }
}
// -----
module @first {
  irdl.dialect @a {
    irdl.type @t
  }
  irdl.dialect @b {
    irdl.operation @o {
      %0 = irdl.base @a::@t
      irdl.results(%0)
    }
  }
}
