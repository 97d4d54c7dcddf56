# sundials.cmake - the methods cvode and arkode, where SUNDIALS 6 is installed; without it they say how to get it
set(EPICYCLE_SUNDIALS AUTO CACHE STRING "the methods cvode and arkode by SUNDIALS 6: AUTO (where it is installed), ON or OFF")
set_property(CACHE EPICYCLE_SUNDIALS PROPERTY STRINGS AUTO ON OFF)
set(EPICYCLE_SUNDIALS_PRIVATE "")
set(EPICYCLE_SUNDIALS_PACKAGES "")

# a package that was installed or removed since is noticed by the next build
file(GLOB seen CONFIGURE_DEPENDS /usr/include/cvode/cvode.h /usr/local/include/cvode/cvode.h)
foreach(cached SUNDIALS_HEADER SUNDIALS_CVODE SUNDIALS_ARKODE)
  if(${cached} AND NOT EXISTS ${${cached}})
    unset(${cached} CACHE)
  endif()
endforeach()

set(found OFF)
if(EPICYCLE_SUNDIALS)
  find_file(SUNDIALS_HEADER cvode/cvode.h)
  find_library(SUNDIALS_CVODE sundials_cvode)
  find_library(SUNDIALS_ARKODE sundials_arkode)
  mark_as_advanced(SUNDIALS_HEADER SUNDIALS_CVODE SUNDIALS_ARKODE)
endif()
if(EPICYCLE_SUNDIALS AND SUNDIALS_HEADER AND SUNDIALS_CVODE AND SUNDIALS_ARKODE)
  include(CheckCSourceCompiles)
  string(REGEX REPLACE "/cvode/cvode.h$" "" sundials_include ${SUNDIALS_HEADER})
  set(CMAKE_REQUIRED_INCLUDES ${sundials_include})
  set(CMAKE_REQUIRED_LIBRARIES ${SUNDIALS_CVODE} ${SUNDIALS_ARKODE} m)
  # the headers fit the libraries, are of version 6 and have doubles
  check_c_source_compiles("
    #include <arkode/arkode_erkstep.h>
    #include <cvode/cvode.h>
    #include <sunlinsol/sunlinsol_dense.h>
    #include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
    #if SUNDIALS_VERSION_MAJOR != 6 || !defined(SUNDIALS_DOUBLE_PRECISION)
    #error
    #endif
    int main(void) { return !CVodeSetErrHandlerFn || !ERKStepEvolve || !SUNLinSol_Dense || !SUNNonlinSol_FixedPoint; }" SUNDIALS_6_WORKS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
  set(found ${SUNDIALS_6_WORKS})
endif()

if(found)
  message(STATUS "cvode and arkode: by SUNDIALS in ${SUNDIALS_CVODE}")
  set_source_files_properties(src/method/sundials.c PROPERTIES COMPILE_DEFINITIONS EPI_SUNDIALS)
  target_include_directories(epicycle_objects PRIVATE ${sundials_include})
  target_link_libraries(epicycle_shared PRIVATE ${SUNDIALS_CVODE} ${SUNDIALS_ARKODE})
  # where the linker can, what came out of archives is not handed on
  include(CheckLinkerFlag)
  check_linker_flag(C -Wl,--exclude-libs,ALL EPICYCLE_EXCLUDE_LIBS)
  if(EPICYCLE_EXCLUDE_LIBS)
    target_link_options(epicycle_shared PRIVATE -Wl,--exclude-libs,ALL)
  endif()
  # the command and the tests carry it in themselves where they can; who uses the static library elsewhere links it by name
  get_filename_component(folder ${SUNDIALS_CVODE} DIRECTORY)
  foreach(library ${SUNDIALS_CVODE} ${SUNDIALS_ARKODE})
    string(REGEX REPLACE "\\.so$" ".a" archive ${library})
    if(EXISTS ${archive})
      set(library ${archive})
    endif()
    target_link_libraries(epicycle_static PUBLIC $<BUILD_INTERFACE:${library}>)
  endforeach()
  target_link_libraries(epicycle_static PUBLIC $<INSTALL_INTERFACE:sundials_cvode> $<INSTALL_INTERFACE:sundials_arkode> m)
  set(EPICYCLE_SUNDIALS_PRIVATE "-lsundials_cvode -lsundials_arkode ")
  if(NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    target_link_directories(epicycle_static INTERFACE $<INSTALL_INTERFACE:${folder}>)
    set(EPICYCLE_SUNDIALS_PRIVATE "-L${folder} ${EPICYCLE_SUNDIALS_PRIVATE}")
  endif()
  # a Debian package depends on those that hold the libraries
  foreach(library ${SUNDIALS_CVODE} ${SUNDIALS_ARKODE})
    get_filename_component(file ${library} REALPATH)
    execute_process(COMMAND dpkg-query -S ${file} OUTPUT_VARIABLE owner ERROR_QUIET RESULT_VARIABLE unknown)
    if(NOT unknown)
      string(REGEX REPLACE ":.*" "" owner ${owner})
      string(APPEND EPICYCLE_SUNDIALS_PACKAGES ", ${owner}")
    endif()
  endforeach()
elseif(EPICYCLE_SUNDIALS STREQUAL ON)
  message(FATAL_ERROR "SUNDIALS 6 was asked for and not found: install libsundials-dev, or leave EPICYCLE_SUNDIALS at AUTO")
else()
  message(STATUS "cvode and arkode: not in this build (package libsundials-dev)")
endif()
