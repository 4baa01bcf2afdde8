irdl.dialect @"not a name"
// -----
irdl.type @alone
// -----
irdl.attribute @alone {}
// -----
irdl.operation @alone
// -----
irdl.dialect @d {
  irdl.type @t
  irdl.operation @t
}
// -----
irdl.dialect @d {
  irdl.type @t {
  ^bb0(%x: i32):
  }
}
// -----
irdl.dialect @d {
  irdl.type @t {
    %0 = irdl.any
  ^next:
    %1 = irdl.any
  }
}
// -----
"irdl.dialect"() <{sym_name = "d"}> ({}) : () -> ()
// -----
irdl.dialect @d {
  irdl.operation @o {
    irdl.parameters()
  }
}
// -----
irdl.dialect @d {
  irdl.attribute @a {
    irdl.operands()
  }
}
// -----
irdl.dialect @d {
  irdl.attribute @a {
    %0 = irdl.region
  }
}
// -----
irdl.any
// -----
irdl.dialect @d {
  irdl.attribute @a {
    irdl.parameters()
    irdl.parameters()
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    irdl.results()
    irdl.regions()
    irdl.results()
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.any
    "irdl.operands"(%0) <{variadicity = #irdl<variadicity_array[]>}> : (!irdl.attribute) -> ()
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    "irdl.results"() <{variadicity = #irdl<variadicity_array[optional]>}> : () -> ()
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    "irdl.results"() {variadicity = 5 : i32} : () -> ()
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    "irdl.attributes"() <{attributeValueNames = ["a", "b"]}> : () -> ()
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.any
    irdl.attributes {5 : i32 = %0}
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.region with size 0
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.region with size
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.region
    irdl.operands(%0)
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.any
    irdl.regions(%0)
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.any
    irdl.operands(many %0)
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.any
    irdl.operands %0
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.any
    irdl.attributes {"a" %0}
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    irdl.attributes {}
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.base
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.base @d "!builtin.integer"
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.base "integer"
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.base ""
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.base 7
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.base @o
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.base @d::@x
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.parametric @d::@o<>
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.parametric @d<>
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.parametric "d"<>
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.all_of()
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.is
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.c_pred 5
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.any_of(%1)
    %1 = irdl.any
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.no_such
  }
}
// -----
"test.holds"() {one = #irdl<variadicity sometimes>} : () -> ()
// -----
"test.holds"() {all = #irdl.variadicity_array<single>} : () -> ()
// -----
%0 = "test.makes"() : () -> !irdl.constraint
