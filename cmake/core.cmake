# The core alone, for those who embed it: without scenes and files, and so without HDF5, libyaml and
# zlib. Static and shared, both called scree_core; <scree/core.h> is their header.
add_library(scree_core_static STATIC src/api/capabilities.c $<TARGET_OBJECTS:scree_core>)
add_library(scree_core_shared SHARED src/api/capabilities.c $<TARGET_OBJECTS:scree_core>)
target_link_libraries(scree_core_static PUBLIC Threads::Threads ${SCREE_LINEAR} m)
target_link_libraries(scree_core_shared PRIVATE Threads::Threads ${SCREE_LINEAR} m)
set_target_properties(scree_core_static scree_core_shared PROPERTIES OUTPUT_NAME scree_core)
set_target_properties(scree_core_shared PROPERTIES VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}${SCREE_SANITIZED})

foreach(library scree scree_shared scree_core_static scree_core_shared)
  target_include_directories(${library} PRIVATE include src)
endforeach()
foreach(library scree scree_shared)
  target_compile_definitions(${library} PRIVATE SCREE_WITH_FILES)
endforeach()
