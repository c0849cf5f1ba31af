# Tests. A new one needs no line here:
#   tests/<group>/test_<name>.c   a cmocka program, linked with libcarom; ctest name <group>.<name>
#   tests/<group>/test_<name>.sh  a shell script; ctest name <group>.<name>; exit status 77 means skipped
#   tests/viewer/package.json     packages of npm; a script that names CAROM_NODE_MODULES runs after they are fetched
#   tests/support/*.c             helpers linked into every test program; #include "support/<name>.h"
# The C tests of a group are one program, which takes the name of a test: tests/test_<group> <name>.
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
  "CAROM_PYTHON=${CAROM_PYTHON_EXECUTABLE}"
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

# Tests are compiled often and calculate little themselves.
set(CAROM_TEST_OPTIMISATION "-O1" CACHE STRING "Optimisation of the tests' own code")
mark_as_advanced(CAROM_TEST_OPTIMISATION)

function(carom_test_program target)
  carom_compile_options(${target} TEST)
  target_compile_options(${target} PRIVATE ${CAROM_TEST_OPTIMISATION})
  target_include_directories(${target} PRIVATE
    "${CMAKE_CURRENT_SOURCE_DIR}/src" "${CMAKE_CURRENT_SOURCE_DIR}/tests")
  target_compile_definitions(${target} PRIVATE
    CAROM_VERSION="${PROJECT_VERSION}"
    CAROM_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/tests/data"
    CAROM_MODELS="${CMAKE_CURRENT_SOURCE_DIR}/models"
    CAROM_FAULTS_LIBRARY="${CMAKE_CURRENT_BINARY_DIR}/tests/carom_faults.so"
    CAROM_EXECUTABLE="${carom_executable}")
  target_link_libraries(${target} PRIVATE carom_io carom carom::dependencies carom::io_dependencies carom::cmocka)
endfunction()

# ---- C tests ----

file(GLOB support_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/support/*.c")
if(support_sources)
  add_library(carom_test_support STATIC ${support_sources})
  carom_test_program(carom_test_support)
endif()

# Programs of their own: these put functions of the C library in the place of its own (malloc, pwrite, posix_fallocate), or
# one of this library (carom_look).
set(carom_own_programs fault.damage fault.no_allocation fault.torn_writes unit.result_faults)

# carom_test_of(<source>): sets group, name, and work, the folder in which a test runs, so that tests that write files may run
# at the same time; by hand as well.
macro(carom_test_of source)
  get_filename_component(folder "${source}" DIRECTORY)
  get_filename_component(group "${folder}" NAME)
  get_filename_component(name "${source}" NAME_WE)
  string(REGEX REPLACE "^test_" "" name "${name}")
  set(work "${CMAKE_CURRENT_BINARY_DIR}/tests/work/${group}.${name}")
  file(MAKE_DIRECTORY "${work}")
endmacro()

# Under the address sanitizer, where all takes thrice the time, the tests of these groups take turns by the commit's hash
# (tests/support/turn.sh): one in 4, of cli one in 3, of contract one in 2. Sets `turn`, what stands before the command.
# The rules of the source tree, group tools, are the same with any compiler.
set(carom_turns 0)
macro(carom_turn_of)
  set(turn "")
  if(CMAKE_C_FLAGS MATCHES "-fsanitize=address" AND group MATCHES "^(analytic|golden|property|cli|contract)$")
    math(EXPR carom_turns "${carom_turns} + 1")
    set(carom_one_in 4)
    if(group STREQUAL "cli")
      set(carom_one_in 3)
    elseif(group STREQUAL "contract")
      set(carom_one_in 2)
    endif()
    set(turn sh "${CMAKE_CURRENT_SOURCE_DIR}/tests/support/turn.sh" ${carom_one_in} ${carom_turns})
  endif()
endmacro()

# What runs threads, the group `threads`, has that label and runs under the thread sanitizer as well (preset tsan).
macro(carom_label_threads)
  if(group STREQUAL "threads")
    set_tests_properties(${group}.${name} PROPERTIES LABELS threads)
  endif()
endmacro()

function(carom_add_test_program target)
  add_executable(${target} ${ARGN})
  carom_test_program(${target})
  if(TARGET carom_test_support)
    target_link_libraries(${target} PRIVATE carom_test_support carom_io carom)
  endif()
  if(TARGET carom_cli)
    add_dependencies(${target} carom_cli)
  endif()
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/tests")
endfunction()

# Faults in the C library for the program, by LD_PRELOAD (tests/fault/test_whole_process.c).
add_library(carom_faults MODULE tests/fault/faults/faults.c)
target_link_libraries(carom_faults PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(carom_faults PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/tests")

set(test_groups "")
file(GLOB test_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/*/test_*.c")
foreach(source IN LISTS test_sources)
  carom_test_of("${source}")
  if("${group}.${name}" IN_LIST carom_own_programs)
    configure_file("${CMAKE_CURRENT_SOURCE_DIR}/tests/own_folder.c.in" "${work}.c" @ONLY)
    carom_add_test_program(test_${group}_${name} "${source}" "${work}.c")
    add_test(NAME ${group}.${name} COMMAND test_${group}_${name} WORKING_DIRECTORY "${work}")
  else()
    list(APPEND test_groups ${group})
    list(APPEND sources_of_${group} "${source}")
    string(APPEND declarations_of_${group} "int main_${group}_${name}(void);\n")
    string(APPEND rows_of_${group} "    {\"${name}\", \"${work}\", main_${group}_${name}},\n")
    set_source_files_properties("${source}" PROPERTIES COMPILE_DEFINITIONS "main=main_${group}_${name}")
    carom_turn_of()
    add_test(NAME ${group}.${name} COMMAND ${turn} $<TARGET_FILE:test_${group}> ${name} WORKING_DIRECTORY "${work}")
  endif()
  carom_test_properties(${group}.${name})
  carom_label_threads()
endforeach()
list(REMOVE_DUPLICATES test_groups)
foreach(group IN LISTS test_groups)
  set(declarations "${declarations_of_${group}}")
  set(rows "${rows_of_${group}}")
  configure_file("${CMAKE_CURRENT_SOURCE_DIR}/tests/group.c.in" "${CMAKE_CURRENT_BINARY_DIR}/tests/work/${group}.c" @ONLY)
  carom_add_test_program(test_${group} ${sources_of_${group}} "${CMAKE_CURRENT_BINARY_DIR}/tests/work/${group}.c")
endforeach()

# ---- shell tests ----

add_test(NAME viewer.packages COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/tests/viewer/packages.sh"
  WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
carom_test_properties(viewer.packages)
set_tests_properties(viewer.packages PROPERTIES FIXTURES_SETUP node_packages)

file(GLOB test_scripts CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/*/test_*.sh")
foreach(script IN LISTS test_scripts)
  carom_test_of("${script}")
  if(group STREQUAL "tools" AND CMAKE_C_FLAGS MATCHES "-fsanitize")
    continue()
  endif()
  carom_turn_of()
  add_test(NAME ${group}.${name} COMMAND ${turn} sh "${script}" WORKING_DIRECTORY "${work}")
  carom_test_properties(${group}.${name})
  carom_label_threads()
  file(STRINGS "${script}" node_lines REGEX CAROM_NODE_MODULES LIMIT_COUNT 1)
  if(node_lines)
    set_tests_properties(${group}.${name} PROPERTIES FIXTURES_REQUIRED node_packages)
  endif()
endforeach()
# two visits in a browser to the page of each model, each of some seconds
set_tests_properties(viewer.browser PROPERTIES TIMEOUT 900 COST 1000)
if(TEST install.packages)
  # it builds Debian's packages
  set_tests_properties(install.packages PROPERTIES TIMEOUT 3600)
endif()
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

set(carom_checks layers kinds)
if(CMAKE_C_FLAGS MATCHES "-fsanitize")
  set(carom_checks "")
endif()
foreach(check IN LISTS carom_checks)
  add_test(NAME tools.${check} COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/tools/check_${check}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  carom_test_properties(tools.${check})
endforeach()
