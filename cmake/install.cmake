# install.cmake - what `make install` leaves: header, libraries, a CMake package, a pkg-config file; and a Debian package
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Epicycle)

install(TARGETS epicycle_shared epicycle_static EXPORT EpicycleTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/epicycle.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT EpicycleTargets NAMESPACE Epicycle:: DESTINATION ${package})
configure_package_config_file(cmake/EpicycleConfig.cmake.in EpicycleConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(EpicycleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/EpicycleConfig.cmake ${PROJECT_BINARY_DIR}/EpicycleConfigVersion.cmake DESTINATION ${package})

# paths relative to the file itself, so that an installed tree may be moved
string(REPLACE ";" " " EPICYCLE_CFLAGS "${EPICYCLE_SAME_BITS}")
file(RELATIVE_PATH EPICYCLE_UP ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/epicycle.pc.in epicycle.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/epicycle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME epicycle)
set(CPACK_PACKAGE_CONTACT "Epicycle contributors")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6${EPICYCLE_SUNDIALS_PACKAGES}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_STRIP_FILES ON)
include(CPack)
