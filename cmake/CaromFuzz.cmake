# Fuzzers: each tests/fuzz/fuzz_<name>.c is one, see tests/fuzz/fuzz.h. With CAROM_FUZZ (preset fuzz) libFuzzer drives it,
# build/fuzz/fuzz_<name>; with the tests a program replays its seeds, ctest name fuzz.<name>.

file(GLOB fuzz_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/fuzz/fuzz_*.c")

# What else is a seed, beside tests/fuzz/corpus/<name>: folders of models.
set(carom_seeds_model models tests/designer tests/wrong cli/new/models)
set(carom_seeds_run tests/designer)

# What a fuzzer needs beside libcarom: sources of the command line, or the second library.
set(carom_sources_command cli/support/colours.c cli/support/options.c cli/support/session.c cli/support/terminal.c
    cli/support/visible.c)
set(carom_libraries_result carom_io carom::io_dependencies)
file(GLOB carom_sources_unfinished CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}"
  "${CMAKE_CURRENT_SOURCE_DIR}/cli/run/*.c" "${CMAKE_CURRENT_SOURCE_DIR}/cli/support/*.c")
set(carom_libraries_unfinished carom_io carom::io_dependencies)

function(carom_fuzzer target source)
  add_executable(${target} "${source}" tests/fuzz/fuzz.c ${ARGN})
  carom_compile_options(${target} TEST)
  target_include_directories(${target} PRIVATE
    "${CMAKE_CURRENT_SOURCE_DIR}/src" "${CMAKE_CURRENT_SOURCE_DIR}/tests/fuzz" "${CMAKE_CURRENT_SOURCE_DIR}/cli")
  string(REGEX REPLACE "^fuzz_" "" name "${target}")
  list(TRANSFORM carom_sources_${name} PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE more)
  target_sources(${target} PRIVATE ${more})
  target_link_libraries(${target} PRIVATE ${carom_libraries_${name}} carom carom::dependencies)
endfunction()

foreach(source IN LISTS fuzz_sources)
  get_filename_component(target "${source}" NAME_WE)
  string(REGEX REPLACE "^fuzz_" "" name "${target}")
  set(seeds ${carom_seeds_${name}} tests/fuzz/corpus/${name})
  list(TRANSFORM seeds PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  if(carom_libraries_${name} AND NOT TARGET carom_io)
    continue()
  endif()
  if(CAROM_FUZZ)
    carom_fuzzer(${target} "${source}")
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    list(APPEND fuzz_targets ${target})
  elseif(CAROM_BUILD_TESTS)
    carom_fuzzer(${target} "${source}" tests/fuzz/replay.c)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/tests")
    add_test(NAME fuzz.${name} COMMAND ${target} ${seeds} WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/tests")
    carom_test_properties(fuzz.${name})
  endif()
endforeach()
if(CAROM_FUZZ)
  add_custom_target(fuzzers DEPENDS ${fuzz_targets})
endif()
