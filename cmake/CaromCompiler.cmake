# The C dialect, the arithmetic and the warnings of every target of the project.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# carom_compile_options(<target> [TEST]): TEST allows functions without prototype.
function(carom_compile_options target)
  cmake_parse_arguments(arg "TEST" "" "" ${ARGN})
  target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
  # no fused multiply-add behind the back of the source: the same bits whatever the optimiser does
  target_compile_options(${target} PRIVATE -ffp-contract=off
    -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes)
  # clang takes each NAN for a promoted float, and vectors of functions that are inlined for arguments of calls
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wdouble-promotion)
  else()
    target_compile_options(${target} PRIVATE -Wno-psabi)
  endif()
  if(NOT arg_TEST)
    target_compile_options(${target} PRIVATE -Wmissing-prototypes)
  endif()
  if(CAROM_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
