# What 'make install' and 'cmake --install' put where. No path is absolute: the tree may be moved,
# or staged by DESTDIR. The rules of the Python package, the manual page and completions are in
# python/ and cli/.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# For other CMake projects the shared library is scree::scree, the static one scree::static; of the
# core alone scree::core and scree::core_static.
foreach(library scree scree_shared scree_core_static scree_core_shared)
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
set_target_properties(scree_shared PROPERTIES EXPORT_NAME scree)
set_target_properties(scree PROPERTIES EXPORT_NAME static)
set_target_properties(scree_core_shared PROPERTIES EXPORT_NAME core)
set_target_properties(scree_core_static PROPERTIES EXPORT_NAME core_static)

install(TARGETS scree_program)
install(TARGETS scree_shared EXPORT scree-shared)
install(TARGETS scree EXPORT scree-static)
install(TARGETS scree_core_shared EXPORT scree-core)
install(TARGETS scree_core_static EXPORT scree-core_static)
install(DIRECTORY include/scree DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
  FILES_MATCHING PATTERN "*.yaml" PATTERN "*.csv" PATTERN "*.c")
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(SCREE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
foreach(set shared static core core_static)
  install(EXPORT scree-${set} NAMESPACE scree:: DESTINATION ${SCREE_CMAKE_DIR} FILE scree-${set}.cmake)
endforeach()
configure_package_config_file(cmake/scree-config.cmake.in ${CMAKE_BINARY_DIR}/scree-config.cmake
  INSTALL_DESTINATION ${SCREE_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/scree-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/scree-config.cmake ${CMAKE_BINARY_DIR}/scree-config-version.cmake
  DESTINATION ${SCREE_CMAKE_DIR})

# pkg-config: the prefix is found from where the file lies.
file(RELATIVE_PATH SCREE_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" SCREE_PREFIX_FROM_PC "${SCREE_PREFIX_FROM_PC}")
set(SCREE_LINEAR_FLAGS "")
if(SCREE_CHOLMOD)
  set(SCREE_LINEAR_FLAGS " -lcholmod")
endif()
foreach(name scree scree-core)
  configure_file(cmake/${name}.pc.in ${CMAKE_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
