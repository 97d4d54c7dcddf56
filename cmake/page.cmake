# page.cmake - the script of a report, from web/ and the packages of its lock file. Where they cannot be had the script is empty,
# one line says so, and the build goes on: reports then have still pictures. Included, it makes the rule; run, it does the work:
#   cmake -DWEB=web -DOUT=page.js -DWORK=folder -P page.cmake
if(NOT CMAKE_SCRIPT_MODE_FILE)
  file(GLOB page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*.js)
  list(APPEND page_sources ${PROJECT_SOURCE_DIR}/web/build.mjs ${PROJECT_SOURCE_DIR}/web/package-lock.json)
  # a source tarball has it
  if(EXISTS ${PROJECT_SOURCE_DIR}/web/page.js)
    set(EPICYCLE_PAGE ${PROJECT_SOURCE_DIR}/web/page.js)
    set(EPICYCLE_PAGE_DEPENDS ${EPICYCLE_PAGE})
    return()
  endif()
  # what could not be built is tried again when the build is configured again
  if(EXISTS ${EPICYCLE_PAGE})
    file(SIZE ${EPICYCLE_PAGE} size)
    if(size EQUAL 0)
      file(REMOVE ${EPICYCLE_PAGE})
    endif()
  endif()
  add_custom_command(OUTPUT ${EPICYCLE_PAGE} DEPENDS ${page_sources} ${CMAKE_CURRENT_LIST_FILE} VERBATIM COMMENT "The script of reports"
    COMMAND ${CMAKE_COMMAND} -DWEB=${PROJECT_SOURCE_DIR}/web -DOUT=${EPICYCLE_PAGE} -DWORK=${PROJECT_BINARY_DIR}/web
      -P ${CMAKE_CURRENT_LIST_FILE})
  set(EPICYCLE_PAGE_DEPENDS ${EPICYCLE_PAGE})
  return()
endif()

function(without why)
  message(STATUS "reports will have still pictures: ${why}")
  file(WRITE ${OUT} "")
endfunction()

find_program(NODE node)
find_program(NPM npm)
if(NOT NODE OR NOT NPM)
  without("node and npm are not installed")
  return()
endif()

# the packages stay while the lock file stays
file(MAKE_DIRECTORY ${WORK})
file(SHA256 ${WEB}/package-lock.json lock)
set(have "")
if(EXISTS ${WORK}/installed)
  file(READ ${WORK}/installed have)
endif()
if(NOT have STREQUAL lock)
  file(REMOVE ${WORK}/installed)
  file(COPY ${WEB}/package.json ${WEB}/package-lock.json DESTINATION ${WORK})
  execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline
    --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000 --fetch-timeout=30000
    WORKING_DIRECTORY ${WORK} TIMEOUT 180 RESULT_VARIABLE bad OUTPUT_FILE ${WORK}/npm.log ERROR_FILE ${WORK}/npm.log)
  if(bad)
    without("npm could not fetch the packages; ${WORK}/npm.log says why")
    return()
  endif()
  file(WRITE ${WORK}/installed ${lock})
endif()

execute_process(COMMAND ${NODE} ${WEB}/build.mjs --modules ${WORK} ${OUT} RESULT_VARIABLE bad OUTPUT_QUIET ERROR_VARIABLE why)
if(bad)
  string(REGEX REPLACE "\n.*" "" why "${why}")
  without("the script could not be built: ${why}")
endif()
