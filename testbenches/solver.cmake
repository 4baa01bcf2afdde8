# HiGHS for `testbenches/highs`, whose tests solve only small linear programs: less optimised, many sources in one unit, without
# its own tests. With -O0 it builds in half of the time, and one test takes minutes. All sources in one unit do not compile.
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG" CACHE STRING "")
set(CMAKE_C_FLAGS_RELEASE "-O1 -DNDEBUG" CACHE STRING "")
set(CMAKE_UNITY_BUILD ON CACHE BOOL "")
set(CMAKE_UNITY_BUILD_BATCH_SIZE 64 CACHE STRING "")
set(BUILD_TESTING OFF CACHE BOOL "")
