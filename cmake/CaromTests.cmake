# Tests. A new one needs no line here:
#   tests/<group>/test_<name>.c   a cmocka program, linked with libcarom; ctest name <group>.<name>
#   tests/<group>/test_<name>.sh  a shell script; ctest name <group>.<name>; exit status 77 means skipped
#   tests/viewer/package.json     packages of npm; a script that names CAROM_NODE_MODULES runs after they are fetched
#   tests/support/*.c             helpers linked into every test program; #include "support/<name>.h"
# Every program of examples/ is run without arguments as examples.<name>.

# The C library's exp, sin, pow have variants for processors with fused multiply-add, which round otherwise: tests take the
# common ones, so that a test has the same numbers on every machine.
set(carom_test_environment
  "GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2"
  "OPENBLAS_NUM_THREADS=1"
  "LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_SOURCE_DIR}/tests/support/lsan.supp:print_suppressions=0"
  "UBSAN_OPTIONS=print_stacktrace=1"
  "CAROM_SOURCE_DIR=${CMAKE_CURRENT_SOURCE_DIR}"
  "CAROM_BUILD_DIR=${CMAKE_CURRENT_BINARY_DIR}"
  "CAROM_C_FLAGS=${CMAKE_C_FLAGS}"
  "CAROM_MODELS=${CMAKE_CURRENT_SOURCE_DIR}/models"
  "CAROM_TEST_DATA=${CMAKE_CURRENT_SOURCE_DIR}/tests/data"
  "CAROM_NODE_MODULES=${CMAKE_CURRENT_BINARY_DIR}/tests/node/node_modules"
  "CC=${CMAKE_C_COMPILER}")
if(TARGET carom_cli)
  set(carom_executable "${CMAKE_CURRENT_BINARY_DIR}/carom")
  list(APPEND carom_test_environment "CAROM_EXECUTABLE=${carom_executable}")
else()
  set(carom_executable "")
endif()

# Seconds a test may take; the asan preset multiplies it.
set(CAROM_TEST_TIMEOUT 300 CACHE STRING "Seconds a test may take")

function(carom_test_properties name)
  set_tests_properties(${name} PROPERTIES TIMEOUT ${CAROM_TEST_TIMEOUT} SKIP_RETURN_CODE 77
    ENVIRONMENT "${carom_test_environment}")
endfunction()

function(carom_test_program target)
  carom_compile_options(${target} TEST)
  target_include_directories(${target} PRIVATE
    "${CMAKE_CURRENT_SOURCE_DIR}/src" "${CMAKE_CURRENT_SOURCE_DIR}/tests")
  target_compile_definitions(${target} PRIVATE
    CAROM_VERSION="${PROJECT_VERSION}"
    CAROM_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/tests/data"
    CAROM_MODELS="${CMAKE_CURRENT_SOURCE_DIR}/models"
    CAROM_EXECUTABLE="${carom_executable}")
  target_link_libraries(${target} PRIVATE carom_io carom carom::dependencies carom::io_dependencies carom::cmocka)
endfunction()

# ---- C tests ----

file(GLOB support_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/support/*.c")
if(support_sources)
  add_library(carom_test_support STATIC ${support_sources})
  carom_test_program(carom_test_support)
endif()

file(GLOB test_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/*/test_*.c")
foreach(source IN LISTS test_sources)
  get_filename_component(folder "${source}" DIRECTORY)
  get_filename_component(group "${folder}" NAME)
  get_filename_component(name "${source}" NAME_WE)
  string(REGEX REPLACE "^test_" "" name "${name}")
  set(target test_${group}_${name})
  add_executable(${target} "${source}")
  carom_test_program(${target})
  if(TARGET carom_test_support)
    target_link_libraries(${target} PRIVATE carom_test_support carom_io carom)
  endif()
  if(TARGET carom_cli)
    add_dependencies(${target} carom_cli)
  endif()
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/tests/${group}")
  # run in a folder of its own, by hand as well, so that tests that write files may run at the same time
  set(work "${CMAKE_CURRENT_BINARY_DIR}/tests/work/${group}.${name}")
  file(MAKE_DIRECTORY "${work}")
  configure_file("${CMAKE_CURRENT_SOURCE_DIR}/tests/own_folder.c.in" "${work}.c" @ONLY)
  target_sources(${target} PRIVATE "${work}.c")
  add_test(NAME ${group}.${name} COMMAND ${target} WORKING_DIRECTORY "${work}")
  carom_test_properties(${group}.${name})
endforeach()

# what runs threads: the label `threads`, and a target that builds no more than that (preset tsan)
add_custom_target(thread_tests)
foreach(name threads.threads threads.sets unit.dense_threads)
  set_tests_properties(${name} PROPERTIES LABELS threads)
  string(REPLACE "." "_" target "test_${name}")
  add_dependencies(thread_tests ${target})
endforeach()

# ---- shell tests ----

add_test(NAME viewer.packages COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/tests/viewer/packages.sh"
  WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
carom_test_properties(viewer.packages)
set_tests_properties(viewer.packages PROPERTIES FIXTURES_SETUP node_packages)

file(GLOB test_scripts CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/*/test_*.sh")
foreach(script IN LISTS test_scripts)
  get_filename_component(folder "${script}" DIRECTORY)
  get_filename_component(group "${folder}" NAME)
  get_filename_component(name "${script}" NAME_WE)
  string(REGEX REPLACE "^test_" "" name "${name}")
  set(work "${CMAKE_CURRENT_BINARY_DIR}/tests/work/${group}.${name}")
  file(MAKE_DIRECTORY "${work}")
  add_test(NAME ${group}.${name} COMMAND sh "${script}" WORKING_DIRECTORY "${work}")
  carom_test_properties(${group}.${name})
  file(STRINGS "${script}" node_lines REGEX CAROM_NODE_MODULES LIMIT_COUNT 1)
  if(node_lines)
    set_tests_properties(${group}.${name} PROPERTIES FIXTURES_REQUIRED node_packages)
  endif()
endforeach()
# two visits in a browser to the page of each model, each of some seconds
set_tests_properties(viewer.browser PROPERTIES TIMEOUT 900 COST 1000)
# the longest ones begin first, so that none is left alone at the end
set_tests_properties(golden.energy_balance PROPERTIES COST 900)

# ---- examples and the rules of the source tree ----

if(CAROM_BUILD_EXAMPLES)
  foreach(source IN LISTS example_sources)
    get_filename_component(name "${source}" NAME_WE)
    set(work "${CMAKE_CURRENT_BINARY_DIR}/tests/work/examples.${name}")
    file(MAKE_DIRECTORY "${work}")
    add_test(NAME examples.${name} COMMAND example_${name} WORKING_DIRECTORY "${work}")
    carom_test_properties(examples.${name})
  endforeach()
endif()

foreach(check layers kinds)
  add_test(NAME tools.${check} COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/tools/check_${check}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  carom_test_properties(tools.${check})
endforeach()
