# compile.cmake - a source that is compiled otherwise says so below its first comment, as in /* compile: hot */. One that has
# such a line is read again when it changes; one that gets its first is when cmake runs the next time
# long vectors gain a third from -O3 in the steppers; packing pairs around a callback costs small systems a fifth
set(compile_hot $<$<CONFIG:Release>:-O3> -fno-tree-slp-vectorize)
# these work on two numbers at a time by themselves, and gcc 12 on aarch64 fails where it makes vectors of them; clang has no such option
set(compile_hot-pairs ${compile_hot})
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
  list(APPEND compile_hot-pairs -fno-tree-loop-vectorize)
endif()
# loops of a few rounds are written out
set(compile_unrolled $<$<CONFIG:Release>:-O3>)

function(epicycle_compile)
  foreach(source ${ARGN})
    file(STRINGS ${source} head LIMIT_INPUT 2000 REGEX "^/[*] compile: ")
    if(NOT head)
      continue()
    endif()
    string(REGEX REPLACE "^/[*] compile: ([^ ]*) [*]/$" "\\1" way "${head}")
    if(DEFINED compile_${way})
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${compile_${way}}")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    else()
      message(FATAL_ERROR "${source}: '${head}' is no way to compile: write /* compile: hot */, hot-pairs or unrolled")
    endif()
  endforeach()
endfunction()
