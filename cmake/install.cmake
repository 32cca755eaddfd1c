# What `cmake --install` leaves: libraries, header, a CMake package, a pkg-config file, the program.
# Everything finds its neighbors relative to itself, so that the tree may be moved.
include(CMakePackageConfigHelpers)

set(LIBRARIES)
if(PLIANT_SHARED)
  list(APPEND LIBRARIES pliant_shared)
endif()
if(PLIANT_STATIC)
  list(APPEND LIBRARIES pliant_static)
endif()

set(PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
if(LIBRARIES)
  install(TARGETS ${LIBRARIES} EXPORT pliant
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/include/pliant.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

  install(EXPORT pliant NAMESPACE pliant:: FILE pliant-targets.cmake DESTINATION ${PACKAGE_DIR})
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/pliant-config.cmake.in
                                ${PROJECT_BINARY_DIR}/pliant-config.cmake
                                INSTALL_DESTINATION ${PACKAGE_DIR})
  # Before 1.0 a new minor number may change the interface.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/pliant-config-version.cmake
                                   COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/pliant-config.cmake
                ${PROJECT_BINARY_DIR}/pliant-config-version.cmake DESTINATION ${PACKAGE_DIR})

  # pkg-config: from the folder of the .pc file back to the prefix. Absolute folders stay absolute.
  set(PC_PREFIX ${CMAKE_INSTALL_PREFIX})
  if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    file(RELATIVE_PATH UP /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x)
    string(REGEX REPLACE "/$" "" UP "${UP}")
    set(PC_PREFIX "\${pcfiledir}/${UP}")
  endif()
  foreach(folder LIBDIR INCLUDEDIR)
    set(PC_${folder} "\${prefix}/${CMAKE_INSTALL_${folder}}")
    if(IS_ABSOLUTE ${CMAKE_INSTALL_${folder}})
      set(PC_${folder} ${CMAKE_INSTALL_${folder}})
    endif()
  endforeach()
  # A static library alone asks its users for what it needs.
  set(PC_LIBS "")
  list(TRANSFORM CUDART_NEEDS PREPEND " -l")
  list(JOIN CUDART_NEEDS "" PC_CUDART_NEEDS)
  set(PC_LIBS_PRIVATE "-lm -lpthread${PC_CUDART_NEEDS}")
  if(NOT PLIANT_SHARED)
    set(PC_LIBS " ${PC_LIBS_PRIVATE}")
    set(PC_LIBS_PRIVATE "")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/pliant.pc.in ${PROJECT_BINARY_DIR}/pliant.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/pliant.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

if(TARGET pliant)
  install(TARGETS pliant RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  file(GLOB MAN_PAGES ${PROJECT_SOURCE_DIR}/docs/*.1)
  install(FILES ${MAN_PAGES} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
