# HiGHS for tests, which solve only small linear programs: less optimised, many sources in one unit, without its own tests.
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG" CACHE STRING "")
set(CMAKE_C_FLAGS_RELEASE "-O1 -DNDEBUG" CACHE STRING "")
set(CMAKE_UNITY_BUILD ON CACHE BOOL "")
set(CMAKE_UNITY_BUILD_BATCH_SIZE 16 CACHE STRING "")
set(BUILD_TESTING OFF CACHE BOOL "")
