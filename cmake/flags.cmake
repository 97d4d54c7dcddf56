# flags.cmake - how every file here is compiled

# a*b + c rounds twice everywhere, so that results keep their bits over compilers and levels of optimisation;
# callers get it too: their forces are part of the result
set(EPICYCLE_SAME_BITS -ffp-contract=off)

set(EPICYCLE_WARNINGS -Wall -Wextra -Wpedantic -Wshadow)
if(EPICYCLE_WERROR)
  list(APPEND EPICYCLE_WARNINGS -Werror)
endif()

# whose folder this is in may have no build type; the library is fast all the same
if(NOT CMAKE_BUILD_TYPE AND NOT PROJECT_IS_TOP_LEVEL)
  set(EPICYCLE_SPEED -O2)
elseif(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(EPICYCLE_SANITIZE)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=${EPICYCLE_SANITIZE})
  check_c_source_compiles("int main(void) { return 0; }" EPICYCLE_SANITIZER_WORKS)
  unset(CMAKE_REQUIRED_FLAGS)
  if(NOT EPICYCLE_SANITIZER_WORKS)
    message(FATAL_ERROR "${CMAKE_C_COMPILER} cannot link with -fsanitize=${EPICYCLE_SANITIZE}: "
      "use gcc, or install libclang-rt-14-dev for clang 14")
  endif()
  add_compile_options(-fsanitize=${EPICYCLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${EPICYCLE_SANITIZE})
endif()

# edges are counted everywhere; the fuzzer itself comes with the targets
if(EPICYCLE_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "EPICYCLE_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang, as make fuzz does")
  endif()
  set(EPICYCLE_FUZZ_CHECKS address,undefined,float-cast-overflow)
  add_compile_options(-fsanitize=fuzzer-no-link,${EPICYCLE_FUZZ_CHECKS} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${EPICYCLE_FUZZ_CHECKS})
endif()

function(epicycle_flags target)
  set_target_properties(${target} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
  # nobody here reads errno after a square root
  target_compile_options(${target} PRIVATE ${EPICYCLE_SAME_BITS} ${EPICYCLE_WARNINGS} ${EPICYCLE_SPEED} -fno-math-errno)
endfunction()
