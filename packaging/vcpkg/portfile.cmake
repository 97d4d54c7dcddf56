vcpkg_download_distfile(archive URLS https://example.org/epicycle-${VERSION}.tar.gz FILENAME epicycle-${VERSION}.tar.gz
  SHA512 0)  # of the release
vcpkg_extract_source_archive(source ARCHIVE ${archive})
vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES command EPICYCLE_COMMAND)
vcpkg_cmake_configure(SOURCE_PATH ${source} OPTIONS ${options} -DEPICYCLE_TESTS=OFF -DEPICYCLE_SUNDIALS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME Epicycle CONFIG_PATH lib/cmake/Epicycle)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/debug/include ${CURRENT_PACKAGES_DIR}/debug/share)
vcpkg_install_copyright(FILE_LIST ${source}/LICENSE ${source}/THIRD-PARTY.md)
