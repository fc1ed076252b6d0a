# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: the library and its headers, the drop-in, the command, and how other builds find them. Three components:
# runtime (what programs need that were built with the library), development, and tools. `cpack` in the build directory makes
# a Debian package of each.
include(CMakePackageConfigHelpers)

install(TARGETS steelyard_library EXPORT steelyard
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(DIRECTORY include/steelyard DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES include/IDWS.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/include/steelyard/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/steelyard)
install(DIRECTORY examples/loop examples/task examples/dataflow DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(FILES cmake/valgrind.supp DESTINATION ${CMAKE_INSTALL_DATADIR}/steelyard)

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

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME tools)
if(STEELYARD_OPENMP)
  install(TARGETS steelyard_shim LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(STEELYARD_TOOL)
  install(TARGETS steelyard_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  set(manual ${PROJECT_BINARY_DIR}/tools/steelyard)
  install(FILES ${manual}/steelyard.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${manual}/steelyard DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${manual}/_steelyard DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${manual}/steelyard.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(FILES README.md CHANGELOG.md LICENSE THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN reference EXCLUDE)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME steelyard)
set(CPACK_PACKAGE_VENDOR "Steelyard")
set(CPACK_PACKAGE_CONTACT "Steelyard <steelyard@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime development tools)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libsteelyard${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsteelyard-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME steelyard)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS runtime)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "The library that programs built with Steelyard need.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Headers, examples, and what CMake and pkg-config look for.")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "The command steelyard, and the drop-in that it loads into OpenMP programs.")
include(CPack)
