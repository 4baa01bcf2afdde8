"stream.nothing"() : () -> ()
"stream.nothing"() {anything = 1, at = "all"} : () -> ()
func.func @types(%a: !stream.token, %b: !stream.channel<i32, 4 : i8>, %c: !stream.pair<"x", "x">, %d: !stream.pair<i1, i1>) {
  return
}
func.func @lists(%a: !stream.list<!stream.token>, %b: !stream.list<!stream.list<!stream.token>>) {
  return
}
"test.holds"() {a = #stream.mark, b = #stream.rate<2 : i8>, c = #stream<rate<1 : i8>>} : () -> ()
%0 = "test.makes"() : () -> !stream.token<>
"user.take"(%0, %0) : (!stream.token, !stream.token) -> ()
"user.take"() : () -> ()
// -----
func.func @values(%c: !stream.channel<f32, 2 : i8>, %x: f32) -> f32 {
  "stream.push"(%c, %x) : (!stream.channel<f32, 2 : i8>, f32) -> ()
  %0 = "stream.pop"(%c) : (!stream.channel<f32, 2 : i8>) -> f32
  "stream.rated"() {rate = #stream.rate<1 : i8>, mark = #stream.mark, "a name" = "b", more} : () -> ()
  %1:2 = "stream.kinds"() : () -> (vector<4xi1>, f32)
  %2:3 = "stream.kinds"() : () -> (!stream.channel<i1, 1 : i1>, vector<4xi1>, f32)
  return %0 : f32
}
func.func @groups(%a: i1, %b: i2, %c: i64) {
  %0 = "stream.wide"(%c, %c) : (i64, i64) -> i64
  %1 = "stream.many"(%a) {result_segment_sizes = array<i32: 0, 0, 1>} : (i1) -> i2
  %2:4 = "stream.many"(%a, %b, %b) {result_segment_sizes = array<i32: 2, 1, 1>} : (i1, i2, i2) -> (i2, i2, i1, i2)
  "stream.count"() {unit} : () -> ()
  return
}
func.func @regions(%a: i1) {
  "stream.scope"(%a) ({
  }, {
  ^bb0(%b: i1):
    "test.end"() : () -> ()
  }, {
    "test.goes"()[^next] : () -> ()
  ^next:
    "test.end"() : () -> ()
  }) : (i1) -> ()
  return
}
// -----
%0 = "test.makes"() : () -> !stream.channel<i32>
// -----
%0 = "test.makes"() : () -> !stream.channel
// -----
%0 = "test.makes"() : () -> !stream.token<i32>
// -----
%0 = "test.makes"() : () -> !stream.channel<i32, f32>
// -----
%0 = "test.makes"() : () -> !stream.channel<i32, "x">
// -----
%0 = "test.makes"() : () -> !stream.pair<i32, i64>
// -----
func.func @in_a_custom_form(%a: i32, %b: !stream.pair<i32, i64>) {
  return
}
// -----
%0 = "test.makes"() : () -> !stream.list<i32>
// -----
%0 = "test.makes"() : () -> !stream.list<!stream.list<i32>>
// -----
%0 = "test.makes"() : () -> !stream.channel<i32 4>
// -----
%0 = "test.makes"() : () -> !stream.channel<i32,>
// -----
%0 = "test.makes"() : () -> !stream.unknown
// -----
%0 = "test.makes"() : () -> !stream.token.more
// -----
"test.holds"() {a = #stream.unknown<4>} : () -> ()
// -----
"test.holds"() {a = #stream.rate<3 : i8>} : () -> ()
// -----
"test.holds"() {a = #stream.rate} : () -> ()
// -----
"stream.unknown"() : () -> ()
// -----
"stream.nothing"() <{a = 1}> : () -> ()
// -----
"stream.nothing"() <{}> : () -> ()
// -----
%0 = "stream.nothing"() : () -> i32
// -----
%0 = "test.makes"() : () -> i32
"stream.nothing"(%0) : (i32) -> ()
// -----
"stream.nothing"() ({}) : () -> ()
// -----
"stream.nothing"()[^next] : () -> ()
^next:
"stream.nothing"() : () -> ()
// -----
func.func @no_terminator() {
  "stream.nothing"() : () -> ()
}
// -----
func.func @f(%c: !stream.channel<f32, 2 : i8>, %x: f64) {
  "stream.push"(%c, %x) : (!stream.channel<f32, 2 : i8>, f64) -> ()
  return
}
// -----
func.func @f(%x: f64) {
  "stream.push"(%x, %x) : (f64, f64) -> ()
  return
}
// -----
func.func @f(%c: !stream.channel<f32, 2 : i8>) {
  %0 = "stream.pop"(%c) : (!stream.channel<f32, 2 : i8>) -> i1
  return
}
// -----
func.func @f(%c: !stream.channel<f32, 2 : i8>) {
  "stream.pop"(%c) : (!stream.channel<f32, 2 : i8>) -> ()
  return
}
// -----
"stream.count"() {unit = 4 : i32} : () -> ()
// -----
"stream.count"() {unit = #stream.mark} : () -> ()
// -----
"stream.count"() {unit = affine_map<(d0) -> (d0)>} : () -> ()
// -----
"stream.count"() {unit = [1]} : () -> ()
// -----
"stream.count"() {unit = {a}} : () -> ()
// -----
"stream.count"() {unit = array<i32: 1>} : () -> ()
// -----
"stream.count"() {unit = dense<1> : tensor<2xi32>} : () -> ()
// -----
"stream.count"() {unit = dense<"a"> : tensor<2x!stream.token>} : () -> ()
// -----
"stream.count"() {unit = @symbol} : () -> ()
// -----
"stream.count"() {unit = loc("f":1:2)} : () -> ()
// -----
"stream.count"() {unit = loc(fused["f":1:2, unknown])} : () -> ()
// -----
"stream.count"() {unit = loc("name")} : () -> ()
// -----
"stream.count"() {unit = strided<[1]>} : () -> ()
// -----
"stream.count"() {unit = distinct[0]<unit>} : () -> ()
// -----
"stream.count"() {unit = sparse<[[0]], [1]> : tensor<4xi32>} : () -> ()
// -----
"stream.count"() {unit = affine_set<(d0) : (d0 >= 0)>} : () -> ()
// -----
"stream.count"() {unit = 1.5 : f32} : () -> ()
// -----
"stream.count"() {unit = "text"} : () -> ()
// -----
"stream.count"() {unit = #other.thing} : () -> ()
// -----
"stream.count"() : () -> ()
// -----
%0:2 = "stream.kinds"() : () -> (tensor<4xi1>, f32)
// -----
%0:2 = "stream.kinds"() : () -> (tensor<*xi1>, f32)
// -----
%0:2 = "stream.kinds"() : () -> (memref<4xi1>, f32)
// -----
%0:2 = "stream.kinds"() : () -> (memref<*xi1>, f32)
// -----
%0:2 = "stream.kinds"() : () -> (index, f32)
// -----
%0:2 = "stream.kinds"() : () -> (none, f32)
// -----
%0:2 = "stream.kinds"() : () -> (complex<f32>, f32)
// -----
%0:2 = "stream.kinds"() : () -> (tuple<i1>, f32)
// -----
%0:2 = "stream.kinds"() : () -> ((i1) -> i1, f32)
// -----
%0:2 = "stream.kinds"() : () -> (!other.type, f32)
// -----
%0:2 = "stream.kinds"() : () -> (!stream.token, f32)
// -----
%0:2 = "stream.kinds"() : () -> (vector<1xi1>, bf16)
// -----
%0:2 = "stream.kinds"() : () -> (vector<1xi1>, f8E4M3FN)
// -----
%0:3 = "stream.kinds"() : () -> (!stream.token, vector<1xi1>, f32)
// -----
%0:4 = "stream.kinds"() : () -> (!stream.token, !stream.token, vector<1xi1>, f32)
// -----
%0 = "stream.kinds"() : () -> f32
// -----
%0 = "test.makes"() : () -> i32
%1 = "stream.wide"(%0, %0) : (i32, i32) -> i32
// -----
%0 = "test.makes"() : () -> i32
%1 = "stream.wide"(%0, %0) : (i32, i32) -> i64
// -----
%0:2 = "test.makes"() : () -> (i32, i64)
%1 = "stream.wide"(%0#0, %0#1) : (i32, i64) -> i64
// -----
%0 = "test.makes"() : () -> i8
%1 = "stream.wide"(%0, %0) : (i8, i8) -> i64
// -----
%0 = "test.makes"() : () -> i1
%1 = "stream.many"(%0) : (i1) -> i2
// -----
%0 = "test.makes"() : () -> i1
%1 = "stream.many"(%0) {result_segment_sizes = 4 : i32} : (i1) -> i2
// -----
%0 = "test.makes"() : () -> i1
%1 = "stream.many"(%0) {result_segment_sizes = array<i64: 0, 0, 1>} : (i1) -> i2
// -----
%0 = "test.makes"() : () -> i1
%1 = "stream.many"(%0) {result_segment_sizes = array<i32: 0, 1>} : (i1) -> i2
// -----
%0 = "test.makes"() : () -> i1
%1 = "stream.many"(%0) {result_segment_sizes = array<i32: -1, 1, 1>} : (i1) -> i2
// -----
%0 = "test.makes"() : () -> i1
%1 = "stream.many"(%0) {result_segment_sizes = array<i32: 0, 2, 1>} : (i1) -> i2
// -----
%0 = "test.makes"() : () -> i1
%1 = "stream.many"(%0) {result_segment_sizes = array<i32: 0, 1, 0>} : (i1) -> i2
// -----
%0 = "test.makes"() : () -> i1
%1 = "stream.many"(%0) {result_segment_sizes = array<i32: 0, 1, 1>} : (i1) -> i2
// -----
%0 = "test.makes"() : () -> i1
%1 = "stream.many"(%0, %0) {result_segment_sizes = array<i32: 0, 0, 1>} : (i1, i1) -> i2
// -----
"stream.many"() : () -> ()
// -----
"stream.rated"() {mark = #stream.mark, "a name" = "b"} : () -> ()
// -----
%0 = "test.makes"() : () -> i1
"stream.scope"(%0) ({}, {}) : (i1) -> ()
// -----
%0 = "test.makes"() : () -> i1
"stream.scope"(%0) ({}, {}, {}) : (i1) -> ()
// -----
%0 = "test.makes"() : () -> i1
"stream.scope"(%0) ({}, {
^bb0(%a: i2):
  "test.end"() : () -> ()
}, {}) : (i1) -> ()
// -----
%0 = "test.makes"() : () -> i1
"stream.scope"(%0) ({}, {
^bb0(%a: i1, %b: i1):
  "test.end"() : () -> ()
}, {}) : (i1) -> ()
// -----
%0 = "test.makes"() : () -> i1
"stream.scope"(%0) ({}, {
^bb0(%a: i1):
  "test.end"() : () -> ()
}, {
  "test.end"() : () -> ()
}) : (i1) -> ()
// -----
%0 = "test.makes"() : () -> i1
"stream.scope"(%0) ({}, {
^bb0(%a: i1):
  "test.end"() : () -> ()
}, {
^bb0(%a: i1):
  "test.goes"()[^next] : () -> ()
^next:
  "test.end"() : () -> ()
}) : (i1) -> ()
// -----
%0 = "test.makes"() : () -> i32
"user.take"(%0) : (i32) -> ()
// -----
"test.holds"() {a = #stream.mark : i32, b = [#stream.rate<1 : i8> : f32, 4]} : () -> ()
// -----
%0 = "test.makes"() : () -> tensor<2x!stream.token>
%1 = "test.makes"() : () -> memref<2xi32, #stream.mark>
%2 = "test.makes"() : () -> tensor<2xi32, #stream.rate<2 : i8>>
%3:2 = "test.makes"() : () -> (tuple<!stream.token>, (!stream.token) -> !stream.token)
// -----
%0 = "test.makes"() : () -> memref<2x!stream.token>
// -----
%0 = "test.makes"() : () -> vector<2x!stream.token>
// -----
!channel = !stream.channel<i32, 5 : i8>
#rate = #stream.rate<1 : i8>
#map = affine_map<(d0, d1) -> (d1, d0)>
func.func @aliases(%a: !channel, %b: !stream.pair<#map, #map>) -> !channel attributes {test.map = #map, test.rate = #rate} {
  return %a : !channel
}
// -----
%0 = "test.makes"() : () -> !stream<channel<i32, 5 : i8>>
%1 = "test.makes"() : () -> !stream<token>
%2 = "test.makes"() : () -> !stream.channel< i32 , 5:i8 >
%3 = "test.makes"() : () -> !stream.channel<!stream.channel<{a, b = [1]}, true>, 0x10 : i8>
// -----
%0 = "test.makes"() : () -> !stream<token i32>
// -----
%0 = "test.makes"() : () -> !stream.token<
// -----
func.func @f() {
  stream.unknown
  return
}
