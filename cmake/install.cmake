# install.cmake - what `make install` leaves: header, libraries, a CMake package, a pkg-config file
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Epicycle)

# without the command model files are not read either
set(libraries epicycle_shared epicycle_static)
if(TARGET epicycle_file_shared)
  list(APPEND libraries epicycle_file_shared epicycle_file_static)
endif()
install(TARGETS ${libraries} EXPORT EpicycleTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/epicycle.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/epicycle)
install(FILES LICENSE THIRD-PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT EpicycleTargets NAMESPACE Epicycle:: DESTINATION ${package})
configure_package_config_file(cmake/EpicycleConfig.cmake.in EpicycleConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(EpicycleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/EpicycleConfig.cmake ${PROJECT_BINARY_DIR}/EpicycleConfigVersion.cmake DESTINATION ${package})

# paths relative to the file itself, so that an installed tree may be moved
string(REPLACE ";" " " EPICYCLE_CFLAGS "${EPICYCLE_SAME_BITS}")
file(RELATIVE_PATH EPICYCLE_UP ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(name epicycle epicycle-file)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/epicycle.pc ${PROJECT_BINARY_DIR}/epicycle-file.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# the command writes its manual page and its completions itself, where what was built runs here
if(TARGET epicycle AND NOT CMAKE_CROSSCOMPILING)
  add_custom_command(TARGET epicycle POST_BUILD BYPRODUCTS epicycle.1 completion/epicycle completion/_epicycle completion/epicycle.fish
    COMMAND ${CMAKE_COMMAND} -E make_directory completion
    COMMAND epicycle man > epicycle.1
    COMMAND epicycle completion bash > completion/epicycle
    COMMAND epicycle completion zsh > completion/_epicycle
    COMMAND epicycle completion fish > completion/epicycle.fish)
  install(FILES ${PROJECT_BINARY_DIR}/epicycle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_BINARY_DIR}/completion/epicycle DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${PROJECT_BINARY_DIR}/completion/_epicycle DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${PROJECT_BINARY_DIR}/completion/epicycle.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
