irdl.dialect @d {
  irdl.type @t
  irdl.operation @o {
    %0 = irdl.base "!builtin.integer"
    %1 = irdl.base "#builtin.unit"
    %2 = irdl.base "!irdl.attribute"
    irdl.results(%0, %2)
    irdl.attributes {"a" = %1}
  }
}
// -----
irdl.dialect @d {
  irdl.type @t {
    %0 = irdl.base "!other.type"
    irdl.parameters(%0)
  }
}
// -----
irdl.dialect @d {
  irdl.type @t {
    %0 = irdl.base "#builtin.no_such"
    irdl.parameters(%0)
  }
}
// -----
irdl.dialect @d {
  irdl.type @t
  irdl.operation @o {
    %0 = irdl.base "!d.t"
    irdl.results(%0)
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.any
    %1 = irdl.is i32
    %2 = irdl.any_of(%1, %0)
    irdl.results(%2)
  }
}
// -----
irdl.dialect @d {
  irdl.type @t {
    %0 = irdl.any
    irdl.parameters(%0)
  }
  irdl.operation @o {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.parametric @d::@t<%0>
    %3 = irdl.parametric @d::@t<%1>
    %4 = irdl.any_of(%2, %3)
    irdl.results(%4)
  }
}
// -----
irdl.dialect @d {
  irdl.type @t {
    %0 = irdl.any
    irdl.parameters(%0)
  }
  irdl.operation @o {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.parametric @d::@t<%0>
    %3 = irdl.parametric @d::@t<%1>
    %4 = irdl.any_of(%0, %2)
    %5 = irdl.any_of(%1, %4)
    %6 = irdl.all_of(%5, %3)
    irdl.results(%6)
  }
}
// -----
irdl.dialect @d {
  irdl.operation @o {
    %0 = irdl.c_pred "true"
    irdl.attributes {"x" = %0}
  }
}
// -----
module {
  irdl.dialect @d {
    irdl.type @t
  }
}
module {
  irdl.dialect @d {
    irdl.type @u
  }
}
// -----
irdl.dialect @d {
  irdl.type @t {
    %0 = irdl.base @d::@missing
    irdl.parameters(%0)
  }
}
