# What the code needs of a compiler: vector extensions, which gcc and clang have. Older ones than
# those below may work; nobody has tried.
set(LEAST_GNU 11)
set(LEAST_Clang 13)

if(CMAKE_C_COMPILER_ID STREQUAL "AppleClang")
  # Numbered its own way.
elseif(NOT CMAKE_C_COMPILER_ID MATCHES "^(GNU|Clang)$")
  message(WARNING "Pliant is written for gcc and clang; ${CMAKE_C_COMPILER_ID} is untried.")
elseif(CMAKE_C_COMPILER_VERSION VERSION_LESS LEAST_${CMAKE_C_COMPILER_ID})
  message(WARNING "Pliant is tested with ${CMAKE_C_COMPILER_ID} ${LEAST_${CMAKE_C_COMPILER_ID}} and "
                  "newer; this one is ${CMAKE_C_COMPILER_VERSION}.")
endif()
