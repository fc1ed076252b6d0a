# SPDX-License-Identifier: Apache-2.0
# A layer is src/<name> and its target steelyard_<name>. Every layer is seen under its own include root, so a target
# finds `#include "<name>/…"` only when it links steelyard_<name>; and a layer that links one which does not stand
# before it stops the configuration.

# steelyard_layer(<name> [AFTER <layers it may link>…])
function(steelyard_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "AFTER")
  add_subdirectory(src/${name} EXCLUDE_FROM_ALL)  # a layer is built where something is made of it
  set(target steelyard_${name})

  set(root ${PROJECT_BINARY_DIR}/layers/${name})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${name} ${root}/${name} SYMBOLIC)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL INTERFACE_LIBRARY)
    target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${root}>)
  else()
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${root}>)
    # Debug information and messages name the source, not the link.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:-ffile-prefix-map=${root}/=src/>)
  endif()

  # For tests that compile a layer's headers, without its code.
  add_library(${target}_headers INTERFACE)
  target_include_directories(${target}_headers INTERFACE ${root})
  foreach(lower IN LISTS arg_AFTER)
    target_link_libraries(${target}_headers INTERFACE steelyard_${lower}_headers)
  endforeach()

  foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(links ${target} ${property})
    foreach(link IN LISTS links)
      if(link MATCHES "steelyard_([a-z]+)" AND NOT CMAKE_MATCH_1 IN_LIST arg_AFTER)
        message(FATAL_ERROR "src/${name} links ${link}, a layer that does not stand before it (CMakeLists.txt)")
      endif()
    endforeach()
  endforeach()
endfunction()
