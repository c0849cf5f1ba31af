# The libraries Carom stands on, found by header and library. Also installed with the package: a program that links a
# static libcarom finds the same libraries with the same code.

set(carom_missing "" CACHE INTERNAL "Dependencies that were not found")

# Finds one library and makes the imported target carom::<name>.
#   PACKAGE    the Debian package that brings it
#   HEADER     a header that proves it is there
#   SUFFIXES   folders below an include or library folder in which to look, too
#   LIBRARIES  its link libraries; alternatives of one library are separated by '|'
function(carom_find_library_of name)
  cmake_parse_arguments(arg "" "PACKAGE;HEADER" "SUFFIXES;LIBRARIES" ${ARGN})
  if(TARGET carom::${name})
    return()
  endif()
  find_path(CAROM_${name}_INCLUDE_DIR NAMES ${arg_HEADER} PATH_SUFFIXES ${arg_SUFFIXES})
  mark_as_advanced(CAROM_${name}_INCLUDE_DIR)
  set(found TRUE)
  if(NOT CAROM_${name}_INCLUDE_DIR)
    set(found FALSE)
  endif()
  set(files "")
  foreach(library IN LISTS arg_LIBRARIES)
    string(REPLACE "|" ";" alternatives "${library}")
    list(GET alternatives 0 first)
    find_library(CAROM_${first}_LIBRARY NAMES ${alternatives} PATH_SUFFIXES ${arg_SUFFIXES})
    mark_as_advanced(CAROM_${first}_LIBRARY)
    if(CAROM_${first}_LIBRARY)
      list(APPEND files "${CAROM_${first}_LIBRARY}")
    else()
      set(found FALSE)
    endif()
  endforeach()
  if(NOT found)
    set(carom_missing ${carom_missing} "${name} (${arg_PACKAGE})" CACHE INTERNAL "")
    return()
  endif()
  add_library(carom::${name} INTERFACE IMPORTED)
  set_target_properties(carom::${name} PROPERTIES INTERFACE_LINK_LIBRARIES "${files}")
  # a folder that the compiler searches by itself must not be named: -isystem would change the order of the search
  if(NOT CAROM_${name}_INCLUDE_DIR IN_LIST CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES)
    set_target_properties(carom::${name} PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${CAROM_${name}_INCLUDE_DIR}"
      INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${CAROM_${name}_INCLUDE_DIR}")
  endif()
endfunction()

# Finds what libcarom stands on and makes carom::dependencies. Call carom_report_missing() afterwards.
macro(carom_find_dependencies)
  carom_find_library_of(sundials PACKAGE libsundials-dev HEADER sundials/sundials_config.h LIBRARIES
    sundials_cvode sundials_arkode sundials_nvecserial sundials_sunnonlinsolfixedpoint
    sundials_sunnonlinsolnewton sundials_kinsol sundials_ida sundials_sunmatrixdense sundials_sunlinsoldense)
  carom_find_library_of(suitesparse PACKAGE libsuitesparse-dev HEADER klu.h SUFFIXES suitesparse
    LIBRARIES klu amd colamd btf suitesparseconfig)
  carom_find_library_of(lapacke PACKAGE liblapacke-dev HEADER lapacke.h LIBRARIES lapacke)
  carom_find_library_of(openblas PACKAGE libopenblas-serial-dev HEADER openblas_config.h
    SUFFIXES openblas-serial openblas openblas-pthread openblas-openmp LIBRARIES openblas)
  carom_find_library_of(yaml PACKAGE libyaml-dev HEADER yaml.h LIBRARIES yaml)
  carom_find_library_of(expat PACKAGE libexpat1-dev HEADER expat.h LIBRARIES expat)
  carom_find_library_of(cminpack PACKAGE libcminpack-dev HEADER cminpack.h SUFFIXES cminpack-1 LIBRARIES cminpack)
  carom_find_library_of(nlopt PACKAGE libnlopt-dev HEADER nlopt.h LIBRARIES nlopt)
  carom_check_sundials()
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
  if(NOT carom_missing AND NOT TARGET carom::dependencies)
    add_library(carom::dependencies INTERFACE IMPORTED)
    set_target_properties(carom::dependencies PROPERTIES INTERFACE_LINK_LIBRARIES
      "carom::sundials;carom::suitesparse;carom::lapacke;carom::openblas;carom::yaml;carom::expat;carom::cminpack;carom::nlopt;Threads::Threads;m")
  endif()
endmacro()

# The same for libcarom-io: carom::io_dependencies.
macro(carom_find_io_dependencies)
  carom_find_library_of(hdf5 PACKAGE libhdf5-dev HEADER hdf5.h SUFFIXES hdf5/serial LIBRARIES hdf5_serial|hdf5)
  carom_find_library_of(cairo PACKAGE libcairo2-dev HEADER cairo.h SUFFIXES cairo LIBRARIES cairo)
  carom_find_library_of(zlib PACKAGE zlib1g-dev HEADER zlib.h LIBRARIES z)
  carom_find_library_of(sqlite PACKAGE libsqlite3-dev HEADER sqlite3.h LIBRARIES sqlite3)
  if(NOT carom_missing AND NOT TARGET carom::io_dependencies)
    add_library(carom::io_dependencies INTERFACE IMPORTED)
    set_target_properties(carom::io_dependencies PROPERTIES INTERFACE_LINK_LIBRARIES
      "carom::hdf5;carom::cairo;carom::zlib;carom::sqlite;Threads::Threads;m")
  endif()
endmacro()

# SUNDIALS changes its interface with the major version; Carom is written for 6.
function(carom_check_sundials)
  if(NOT CAROM_sundials_INCLUDE_DIR)
    return()
  endif()
  file(STRINGS "${CAROM_sundials_INCLUDE_DIR}/sundials/sundials_config.h" line REGEX "define SUNDIALS_VERSION_MAJOR")
  string(REGEX MATCH "[0-9]+" major "${line}")
  if(NOT major EQUAL 6)
    set(carom_missing ${carom_missing} "sundials 6, found ${major} (libsundials-dev)" CACHE INTERNAL "")
  endif()
endfunction()

# One message for all that is missing.
function(carom_report_missing)
  if(carom_missing)
    string(REPLACE ";" ", " text "${carom_missing}")
    message(FATAL_ERROR "Carom: not found: ${text}.\nIn brackets: the Debian package. "
      "`make deps` installs all that is missing (tools/packages.txt is the list).")
  endif()
endfunction()

# The link flags of some of the libraries as text for pkg-config.
function(carom_pkgconfig_flags out)
  set(flags "")
  foreach(name ${ARGN})
    get_target_property(files carom::${name} INTERFACE_LINK_LIBRARIES)
    foreach(file IN LISTS files)
      get_filename_component(dir "${file}" DIRECTORY)
      get_filename_component(base "${file}" NAME_WE)
      string(REGEX REPLACE "^lib" "" base "${base}")
      if(NOT dir IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
        list(APPEND flags "-L${dir}")
      endif()
      list(APPEND flags "-l${base}")
    endforeach()
  endforeach()
  list(APPEND flags -lpthread -lm)
  string(REPLACE ";" " " flags "${flags}")
  set(${out} "${flags}" PARENT_SCOPE)
endfunction()
