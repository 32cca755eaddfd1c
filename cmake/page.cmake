# The page of pliant view as a C file (PAGE): web/ bundled with three.js by esbuild, both fetched from the
# npm registry by web/package-lock.json, which has their hashes. Where that cannot be done the program has
# no page, and says so.
set(PAGE ${CMAKE_CURRENT_BINARY_DIR}/page.c)
set(PAGE_PACKAGES ${PROJECT_BINARY_DIR}/packages)
set(PLIANT_PAGE_STATE "switched off (PLIANT_PAGE)")
set(PAGE_WANTED OFF)
if(PLIANT_PAGE)
  find_program(PLIANT_NODE node)
  find_program(PLIANT_NPM npm)
  if(NOT PLIANT_NODE OR NOT PLIANT_NPM)
    set(PLIANT_PAGE_STATE "without: node and npm are needed")
  else()
    execute_process(COMMAND ${PLIANT_NODE} ${PROJECT_SOURCE_DIR}/web/fetch.mjs ${PLIANT_NPM} ${PAGE_PACKAGES}
                    RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(status EQUAL 0)
      set(PAGE_WANTED ON)
      set(PLIANT_PAGE_STATE "built in")
    else()
      string(STRIP "${said}" said)
      set(PLIANT_PAGE_STATE "without: ${said}")
    endif()
  endif()
endif()
message(STATUS "Page of pliant view: ${PLIANT_PAGE_STATE}")

if(PAGE_WANTED)
  file(GLOB PAGE_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/page/*)
  add_custom_command(OUTPUT ${PAGE} VERBATIM
    COMMAND ${PLIANT_NODE} ${PROJECT_SOURCE_DIR}/web/bundle.mjs ${PAGE_PACKAGES} ${PAGE}
    DEPENDS ${PAGE_SOURCES} ${PROJECT_SOURCE_DIR}/web/bundle.mjs ${PROJECT_SOURCE_DIR}/web/pack.mjs ${PROJECT_SOURCE_DIR}/web/package-lock.json)
else()
  file(GENERATE OUTPUT ${PAGE} CONTENT "#include \"serve/page.h\"\nconst unsigned char page_html[] = {0};\nconst size_t page_bytes = 0;\n")
endif()
