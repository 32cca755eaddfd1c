# nvcc for the kernels and CUDA's runtime, or the reason WITHOUT_CUDA.
set(LEAST_NVCC 12.3) # the first that reads and writes 16 bytes at once
option(PLIANT_CUDA_RACECHECK "Kernels whose barriers compute-sanitizer's racecheck understands" OFF)
set(PLIANT_CUDA_ARCHITECTURES AUTO CACHE STRING "GPUs to make code for: AUTO (this machine's, or PTX \
for any where there is none), ALL (machine code for 7.5, 8.x, 9.0, PTX for what comes after), or CMake's numbers")

# Machine code takes long to make. A GPU that is here needs its own only; where there is none, the driver
# of whatever GPU it will be can translate the code of 7.5 when it is first used.
function(choose_gpus out_numbers)
  set(chosen ${PLIANT_CUDA_ARCHITECTURES})
  if(chosen STREQUAL ALL)
    set(chosen 75-real 80-real 90)
  elseif(chosen STREQUAL AUTO)
    set(chosen)
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE said RESULT_VARIABLE failed ERROR_QUIET)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]+" said "${said}")
    foreach(number ${said})
      string(REPLACE "." "" number ${number})
      if(NOT failed)
        list(APPEND chosen ${number}-real)
      endif()
    endforeach()
    list(REMOVE_DUPLICATES chosen)
    if(NOT chosen)
      set(chosen 75-virtual)
    endif()
  endif()
  set(${out_numbers} ${chosen} PARENT_SCOPE)
endfunction()

# out_why: the reason why there can be no CUDA here; empty when there is none.
function(look_for_nvcc out_why)
  set(${out_why} "" PARENT_SCOPE)
  if(NOT PLIANT_NVCC)
    set(${out_why} "no nvcc was found" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND ${PLIANT_NVCC} --version OUTPUT_VARIABLE said ERROR_QUIET)
  string(REGEX MATCH "release ([0-9.]+)" matched "${said}")
  if(NOT matched OR CMAKE_MATCH_1 VERSION_LESS LEAST_NVCC)
    set(${out_why} "${PLIANT_NVCC} is older than ${LEAST_NVCC}" PARENT_SCOPE)
    return()
  endif()
  # nvcc needs a C++ compiler that it knows.
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/cuda_probe)
  file(WRITE ${probe}.cu "__global__ void nothing() {}\n")
  execute_process(COMMAND ${PLIANT_NVCC} -arch=sm_80 -c ${probe}.cu -o ${probe}.o
                  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    set(${out_why} "${PLIANT_NVCC} compiles nothing: is there a C++ compiler?" PARENT_SCOPE)
  endif()
endfunction()

if(CMAKE_CUDA_COMPILER)
  set(PLIANT_NVCC ${CMAKE_CUDA_COMPILER}) # of the project around this one, or the user's choice
endif()
find_program(PLIANT_NVCC nvcc HINTS $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin /usr/local/cuda/bin)
if(NOT PLIANT_CUDA)
  set(WITHOUT_CUDA "switched off")
elseif(PLIANT_CUDA STREQUAL AUTO AND (PLIANT_SANITIZE OR PLIANT_FUZZ))
  set(WITHOUT_CUDA "not beside sanitizers, unless PLIANT_CUDA is ON")
elseif(PLIANT_CUDA STREQUAL AUTO AND CMAKE_CROSSCOMPILING)
  set(WITHOUT_CUDA "not for another machine, unless PLIANT_CUDA is ON")
else()
  look_for_nvcc(WITHOUT_CUDA)
  if(WITHOUT_CUDA AND NOT PLIANT_CUDA STREQUAL AUTO)
    message(FATAL_ERROR "PLIANT_CUDA is on, but ${WITHOUT_CUDA}")
  endif()
endif()
if(WITHOUT_CUDA)
  return()
endif()

set(CMAKE_CUDA_COMPILER ${PLIANT_NVCC})
choose_gpus(CMAKE_CUDA_ARCHITECTURES)
enable_language(CUDA)
# What is needed of CUDA is named below; a C compiler links.
set(CMAKE_CUDA_RUNTIME_LIBRARY None)
set(CMAKE_CUDA_IMPLICIT_LINK_LIBRARIES "")
set(CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES "")
find_package(CUDAToolkit REQUIRED)
message(STATUS "CUDA backend: ${PLIANT_NVCC}, for ${CMAKE_CUDA_ARCHITECTURES}")

# What is compiled only to see that it compiles; older nvcc have no such option.
set(DRAFT)
if(PLIANT_DRAFT AND CMAKE_CUDA_ARCHITECTURES STREQUAL 75-virtual)
  execute_process(COMMAND ${PLIANT_NVCC} --help OUTPUT_VARIABLE said ERROR_QUIET)
  if(said MATCHES "--Ofast-compile")
    set(DRAFT --Ofast-compile=max)
  endif()
endif()

# The same bits as on the processor: no contraction, and denormals as IEEE 754 has them. With
# FAST_ARITHMETIC, what is shorter.
function(add_device_kernels name source)
  if(FAST_ARITHMETIC IN_LIST ARGN)
    set(arithmetic -fmad=true -prec-div=false -prec-sqrt=false -ftz=true)
  else()
    set(arithmetic -fmad=false -prec-div=true -prec-sqrt=true -ftz=false)
  endif()
  add_library(${name} OBJECT ${source})
  target_compile_definitions(${name} PRIVATE KERNELS=${name} LANES=1 ${ARGN})
  target_compile_options(${name} PRIVATE ${arithmetic} ${DRAFT}
                         --threads=4 # GPUs at once
                         # nothing of the C++ runtime: the library is linked by C compilers
                         "SHELL:-Xcompiler -fno-threadsafe-statics,-fno-exceptions,-fno-rtti")
  set_target_properties(${name} PROPERTIES CUDA_VISIBILITY_PRESET hidden)
  if(PLIANT_CUDA_RACECHECK)
    target_compile_definitions(${name} PRIVATE PLIANT_RACECHECK)
  endif()
  set(CORE_OBJECTS ${CORE_OBJECTS} ${name} PARENT_SCOPE)
endfunction()
# CUDA's runtime becomes a part of the libraries: they are linked as before, on machines that have
# no CUDA, and start there too. It looks for the driver when a GPU is asked for.
function(unpack archive out_objects)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/cudart)
  file(REMOVE_RECURSE ${folder})
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${CMAKE_AR} t ${archive} OUTPUT_VARIABLE members)
  # with their dates, so that what they are part of is not made again
  execute_process(COMMAND ${CMAKE_AR} xo ${archive} WORKING_DIRECTORY ${folder})
  string(REGEX MATCHALL "[^\n]+" members "${members}")
  file(GLOB objects ${folder}/*)
  list(LENGTH members expected)
  list(LENGTH objects found)
  if(found EQUAL 0 OR NOT found EQUAL expected)
    message(FATAL_ERROR "${archive} gave ${found} of its ${expected} members")
  endif()
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON)
  set(${out_objects} ${objects} PARENT_SCOPE)
endfunction()
get_target_property(CUDART CUDA::cudart_static IMPORTED_LOCATION)
unpack(${CUDART} CUDART_OBJECTS)

# Newer C libraries have all that it needs in one.
include(CheckFunctionExists)
check_function_exists(dlopen PLIANT_DLOPEN_IS_IN_LIBC)
if(NOT PLIANT_DLOPEN_IS_IN_LIBC)
  set(CUDART_NEEDS ${CMAKE_DL_LIBS} rt)
endif()
