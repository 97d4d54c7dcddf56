# file.cmake - the second library: model files and pages, on top of the first one; it needs libyaml
find_package(PkgConfig REQUIRED)
pkg_check_modules(yaml REQUIRED IMPORTED_TARGET yaml-0.1)
file(GLOB file_sources CONFIGURE_DEPENDS src/file/*.c src/file/yaml/*.c src/file/quantity/*.c src/file/world/*.c
  src/file/runs/*.c src/robot/*.c src/page/*.c src/request/*.c src/handle/*.c)
# the script of a report is built where npm is; without it reports have static pictures
set(EPICYCLE_PAGE ${PROJECT_BINARY_DIR}/page.js)
include(cmake/page.cmake OPTIONAL)
add_custom_command(OUTPUT page.c DEPENDS web/page.css ${EPICYCLE_PAGE_DEPENDS} cmake/embed.cmake VERBATIM
  COMMAND ${CMAKE_COMMAND} -DOUT=page.c "-DFILES=epi_page_style;${PROJECT_SOURCE_DIR}/web/page.css;epi_page_script;${EPICYCLE_PAGE}"
    -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
add_library(epicycle_file_objects OBJECT ${file_sources} ${PROJECT_BINARY_DIR}/page.c)
epicycle_compile(${file_sources})
epicycle_flags(epicycle_file_objects)
set_target_properties(epicycle_file_objects PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_include_directories(epicycle_file_objects PRIVATE include src src/core src/page)
target_compile_definitions(epicycle_file_objects PRIVATE _XOPEN_SOURCE=700)
target_link_libraries(epicycle_file_objects PRIVATE PkgConfig::yaml)

add_library(epicycle_file_shared SHARED $<TARGET_OBJECTS:epicycle_file_objects>)
add_library(epicycle_file_static STATIC $<TARGET_OBJECTS:epicycle_file_objects>)
set_target_properties(epicycle_file_shared PROPERTIES EXPORT_NAME file VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
set_target_properties(epicycle_file_static PROPERTIES EXPORT_NAME file_static)
foreach(library epicycle_file_shared epicycle_file_static)
  set_target_properties(${library} PROPERTIES OUTPUT_NAME epicycle-file LINKER_LANGUAGE C)
endforeach()
# who links the shared one by name need not know of libyaml; with the static one it has to be found again
target_link_libraries(epicycle_file_shared PUBLIC epicycle_shared PRIVATE $<BUILD_INTERFACE:PkgConfig::yaml> m)
target_link_libraries(epicycle_file_static PUBLIC epicycle_static $<BUILD_INTERFACE:PkgConfig::yaml> $<INSTALL_INTERFACE:yaml> m)
add_library(Epicycle::file ALIAS epicycle_file_shared)
add_library(Epicycle::file_static ALIAS epicycle_file_static)
