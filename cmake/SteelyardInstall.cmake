# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: the library and its headers, the drop-in, the command, and how other builds find them.
include(CMakePackageConfigHelpers)

install(TARGETS steelyard_library EXPORT steelyard
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/steelyard DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES include/IDWS.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/include/steelyard/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/steelyard)

if(STEELYARD_OPENMP)
  install(TARGETS steelyard_shim LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(STEELYARD_TOOL)
  install(TARGETS steelyard_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/steelyard)
install(EXPORT steelyard NAMESPACE steelyard:: FILE steelyardTargets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/steelyardConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/steelyardConfig.cmake
  INSTALL_DESTINATION ${package_dir})
# While the major version is 0, a minor version may break what an earlier one promised.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/steelyardConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/steelyardConfig.cmake ${PROJECT_BINARY_DIR}/cmake/steelyardConfigVersion.cmake
  DESTINATION ${package_dir})

file(RELATIVE_PATH include_from_lib ${CMAKE_INSTALL_FULL_LIBDIR} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/steelyard.pc.in ${PROJECT_BINARY_DIR}/cmake/steelyard.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/steelyard.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES cmake/valgrind.supp DESTINATION ${CMAKE_INSTALL_DATADIR}/steelyard)
install(FILES README.md CHANGELOG.md LICENSE THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
