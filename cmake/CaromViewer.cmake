# The result page (viewer/): bundled with node and npm into <build>/viewer/page.html, which libcarom carries within itself.
# All that is made lies in the build folder. Without it, reports are static pages.

option(CAROM_VIEWER "Build the result page with scene and plots (needs node and npm)" ON)

if(NOT CAROM_VIEWER)
  return()
endif()

# A release archive has the page as a file, and needs neither.
set(carom_page "${CMAKE_CURRENT_SOURCE_DIR}/viewer/page.html")

# carom_page_of_library(): puts the page into the library, by the assembler, or as an array of its bytes.
function(carom_page_of_library)
  set(define "CAROM_PAGE_FILE=\"${carom_page}\"")
  set(needed "${carom_page}")
  if(CAROM_PORTABLE)
    set(needed "${CMAKE_CURRENT_BINARY_DIR}/page.inc")
    set(define "CAROM_PAGE_ARRAY=\"${needed}\"")
    add_custom_command(OUTPUT "${needed}" DEPENDS "${carom_page}" VERBATIM
      COMMAND "${CMAKE_COMMAND}" "-DFROM=${carom_page}" "-DTO=${needed}" -P "${CMAKE_CURRENT_SOURCE_DIR}/cmake/CaromArray.cmake")
  endif()
  set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/src/report/page.c" PROPERTIES
    COMPILE_DEFINITIONS "${define}" OBJECT_DEPENDS "${needed}")
endfunction()

if(EXISTS "${carom_page}")
  carom_page_of_library()
  return()
endif()

# ---- node and npm ----

find_program(CAROM_NODE NAMES node nodejs DOC "node, for the result page")
find_program(CAROM_NPM NAMES npm DOC "npm, for the result page")
mark_as_advanced(CAROM_NODE CAROM_NPM)
set(viewer_missing "")
if(NOT CAROM_NODE)
  list(APPEND viewer_missing "node (nodejs)")
else()
  execute_process(COMMAND "${CAROM_NODE}" --version OUTPUT_VARIABLE node_version OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(node_version MATCHES "^v([0-9]+)" AND CMAKE_MATCH_1 LESS 18)
    list(APPEND viewer_missing "node 18 or later, found ${node_version} (nodejs)")
  endif()
endif()
if(NOT CAROM_NPM)
  list(APPEND viewer_missing "npm (npm)")
endif()
if(viewer_missing)
  string(REPLACE ";" ", " viewer_missing "${viewer_missing}")
  message(FATAL_ERROR "The result page needs ${viewer_missing}.\nIn brackets: the Debian package. "
    "`make deps` installs what is missing; -DCAROM_VIEWER=OFF builds without the page, and reports are then static.")
endif()

# ---- packages, then the page ----

set(viewer_source "${CMAKE_CURRENT_SOURCE_DIR}/viewer")
set(viewer_build "${CMAKE_CURRENT_BINARY_DIR}/viewer")
set(carom_page "${viewer_build}/page.html")
file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS "${viewer_source}/src/*.js" "${viewer_source}/src/*.css")

add_custom_command(OUTPUT "${viewer_build}/packages.stamp"
  COMMAND "${CMAKE_COMMAND}" "-DNPM=${CAROM_NPM}" "-DSOURCE=${viewer_source}" "-DFOLDER=${viewer_build}"
    -P "${CMAKE_CURRENT_LIST_DIR}/CaromViewerPackages.cmake"
  DEPENDS "${viewer_source}/package.json" "${viewer_source}/package-lock.json"
    "${CMAKE_CURRENT_LIST_DIR}/CaromViewerPackages.cmake"
  COMMENT "Fetching the packages of the result page"
  VERBATIM)

add_custom_command(OUTPUT "${carom_page}"
  COMMAND "${CAROM_NODE}" "${viewer_source}/assemble.mjs" "${viewer_build}" "${carom_page}"
  DEPENDS "${viewer_build}/packages.stamp" "${viewer_source}/assemble.mjs" "${viewer_source}/index.html" ${viewer_sources}
  COMMENT "Assembling the result page"
  VERBATIM)

add_custom_target(carom_page DEPENDS "${carom_page}")
carom_page_of_library()
