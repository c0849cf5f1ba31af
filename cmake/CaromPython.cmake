# The Python package: the extension module carom._carom, made by cffi from the public headers, beside the modules of
# python/carom in the folder python of the build. The static libraries are in it, so that it needs no installed ones.

set(carom_python_candidate python3)
if(EXISTS /usr/bin/python3)
  set(carom_python_candidate /usr/bin/python3)  # what Debian's packages are for, whatever else is on the PATH
endif()
set(CAROM_PYTHON_EXECUTABLE "${carom_python_candidate}" CACHE STRING "Python that the package is built for")
execute_process(
  COMMAND "${CAROM_PYTHON_EXECUTABLE}" -c "import cffi, numpy, sysconfig; print(sysconfig.get_path('include'))"
  OUTPUT_VARIABLE carom_python_include OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE carom_python_failed)
if(carom_python_failed OR NOT EXISTS "${carom_python_include}/Python.h")
  message(STATUS "The Python package is not built: it needs python3-dev, python3-cffi and python3-numpy")
  return()
endif()

set(carom_python_folder "${CMAKE_CURRENT_BINARY_DIR}/python/carom")
file(GLOB carom_python_modules CONFIGURE_DEPENDS
  "${CMAKE_CURRENT_SOURCE_DIR}/python/carom/*.py" "${CMAKE_CURRENT_SOURCE_DIR}/python/carom/*.pyi"
  "${CMAKE_CURRENT_SOURCE_DIR}/python/carom/py.typed")
set(carom_python_copies "")
foreach(module IN LISTS carom_python_modules)
  get_filename_component(name "${module}" NAME)
  add_custom_command(OUTPUT "${carom_python_folder}/${name}" DEPENDS "${module}"
    COMMAND "${CMAKE_COMMAND}" -E copy "${module}" "${carom_python_folder}/${name}")
  list(APPEND carom_python_copies "${carom_python_folder}/${name}")
endforeach()

file(GLOB carom_headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/include/carom/*.h")
set(carom_python_source "${CMAKE_CURRENT_BINARY_DIR}/python/_carom.c")
add_custom_command(OUTPUT "${carom_python_source}"
  DEPENDS ${carom_headers} python/build_carom.py python/glue.h python/glue.c
  COMMAND "${CMAKE_COMMAND}" -E env "CC=${CMAKE_C_COMPILER}" "${CAROM_PYTHON_EXECUTABLE}"
    "${CMAKE_CURRENT_SOURCE_DIR}/python/build_carom.py" "${CMAKE_CURRENT_SOURCE_DIR}/include" "${carom_python_source}")
add_library(carom_python MODULE "${carom_python_source}")
add_custom_target(carom_python_modules ALL DEPENDS ${carom_python_copies})
add_dependencies(carom_python carom_python_modules)
target_compile_definitions(carom_python PRIVATE _POSIX_C_SOURCE=200809L)
target_include_directories(carom_python SYSTEM PRIVATE "${carom_python_include}")
target_link_libraries(carom_python PRIVATE carom_io carom)
set_target_properties(carom_python PROPERTIES
  PREFIX "" OUTPUT_NAME _carom SUFFIX .abi3.so LIBRARY_OUTPUT_DIRECTORY "${carom_python_folder}")

# `cmake --install BUILD --component python`, for wheels (python/backend.py) and Debian's package (tools/make_deb)
set(CAROM_PYTHON_INSTALL_DIR lib/python3/dist-packages CACHE STRING "Where the component python installs the package")
install(TARGETS carom_python LIBRARY DESTINATION "${CAROM_PYTHON_INSTALL_DIR}/carom" COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${carom_python_modules} DESTINATION "${CAROM_PYTHON_INSTALL_DIR}/carom" COMPONENT python EXCLUDE_FROM_ALL)
