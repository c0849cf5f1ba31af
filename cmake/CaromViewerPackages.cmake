# Script: fetches the packages of SOURCE/package-lock.json into FOLDER/node_modules with NPM, and marks it with
# FOLDER/packages.stamp. Silent when it goes well.

file(MAKE_DIRECTORY "${FOLDER}")
file(REMOVE "${FOLDER}/packages.stamp")
file(COPY "${SOURCE}/package.json" "${SOURCE}/package-lock.json" DESTINATION "${FOLDER}")
execute_process(COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund
  WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "npm ci failed in ${FOLDER}:\n${text}\n"
    "Without access to an npm registry, build without the result page: -DCAROM_VIEWER=OFF.")
endif()
file(TOUCH "${FOLDER}/packages.stamp")
