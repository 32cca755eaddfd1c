# An emulated device in the place of a GPU (docs/rooms/cuda.md): kernels are compiled as C++, and take the
# headers here for CUDA's.
if(PLIANT_INSTALL)
  message(FATAL_ERROR "PLIANT_CUDA=EMULATED is for tests and not installed: -DPLIANT_INSTALL=OFF")
endif()
message(STATUS "CUDA backend: emulated by the processor, for tests")
enable_language(CXX)
set(EMULATED_DEVICE ${PROJECT_SOURCE_DIR}/test/emulated)
set(CUDAToolkit_INCLUDE_DIRS ${EMULATED_DEVICE})

function(add_device_kernels name source)
  set_source_files_properties(${source} PROPERTIES LANGUAGE CXX)
  add_library(${name} OBJECT ${source})
  target_compile_definitions(${name} PRIVATE KERNELS=${name} LANES=1 __CUDACC__ EMULATED_DEVICE ${ARGN})
  target_include_directories(${name} BEFORE PRIVATE ${EMULATED_DEVICE})
  target_compile_options(${name} PRIVATE -include cuda_runtime.h -std=gnu++17 -O1 -g1
                         -ffp-contract=off -fno-math-errno -fno-trapping-math
                         -fno-exceptions -fno-rtti -fno-threadsafe-statics)
  if(FAST_ARITHMETIC IN_LIST ARGN)
    target_compile_options(${name} PRIVATE -freciprocal-math) # other bits than the exact one
  endif()
  if(PLIANT_SANITIZE)
    target_compile_options(${name} PRIVATE -fsanitize=${PLIANT_SANITIZE} -fno-sanitize-recover=all
                           -fno-omit-frame-pointer)
  endif()
  set(CORE_OBJECTS ${CORE_OBJECTS} ${name} PARENT_SCOPE)
endfunction()

add_library(emulated_device OBJECT ${EMULATED_DEVICE}/fiber.c ${EMULATED_DEVICE}/runtime.c ${EMULATED_DEVICE}/threads.c)
target_compile_definitions(emulated_device PRIVATE _GNU_SOURCE)
target_compile_options(emulated_device PRIVATE -O2)
list(APPEND CORE_OBJECTS emulated_device)
