# SPDX-License-Identifier: Apache-2.0
# The programs of bench/kernels/jit: each kernel small, on every runtime that it is built for, by this build's compiler and by Clang,
# whose static loops the drop-in takes; and the paper's figures in virtual time.
if(NOT TARGET bench_jit)
  return()
endif()

set(drop_in "")
if(TARGET steelyard_shim AND NOT STEELYARD_SANITIZE)
  set(drop_in $<TARGET_FILE:steelyard_shim>)
endif()

# jit_kernels(SUFFIX PROGRAMS PROPERTY…): a test of each kernel.
function(jit_kernels suffix programs)
  foreach(kernel IN ITEMS matmul gauss-jordan adjoint adjoint-increasing lattice-boltzmann multigrid n-body triangular-solve
          arrowhead power-law)
    set(test bench.jit.${kernel}${suffix})
    add_test(NAME ${test}
      COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/jit_kernels_test.py ${programs} ${kernel} ${drop_in})
    if(ARGN)
      set_tests_properties(${test} PROPERTIES ${ARGN})
    endif()
  endforeach()
endfunction()

jit_kernels("" $<TARGET_FILE_DIR:bench_jit_matmul_serial>)
find_program(clang19 clang-19)
find_program(clangxx19 clang++-19)
if(clang19 AND clangxx19 AND NOT STEELYARD_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(clang ${CMAKE_CURRENT_BINARY_DIR}/jit-clang)
  add_test(NAME bench.jit.clang
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${PROJECT_SOURCE_DIR}/bench/kernels/jit ${clang} --build-noclean
      --build-generator ${CMAKE_GENERATOR} --build-options -DCMAKE_C_COMPILER=${clang19} -DCMAKE_CXX_COMPILER=${clangxx19}
      -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON)
  set_tests_properties(bench.jit.clang PROPERTIES FIXTURES_SETUP jit_clang)
  jit_kernels(.clang ${clang}/programs FIXTURES_REQUIRED jit_clang)
endif()

# refuses(NAME TARGET ERROR ARGUMENT…): one line that begins with the program's name, status 2.
function(jit_refuses name target error)
  add_test(NAME bench.jit.refuses_${name}
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:bench_jit_${target}> "-DARGUMENTS=${ARGN}" -DSTATUS=2 "-DERROR=: ${error}"
      -P ${PROJECT_SOURCE_DIR}/examples/openmp/tests/run_case.cmake)
endfunction()

jit_refuses(size adjoint_static "--size 0: out of range" --size 0)
jit_refuses(matrix matvec_serial "--matrix band: no such matrix: there are arrowhead, power-law" --matrix band)
jit_refuses(cube lattice_boltzmann_serial "--size 2: at least 3" --size 2)
jit_refuses(grid multigrid_serial "--size 15: at most 14" --size 15)

add_executable(bench_jit_tests jit_costs_test.cpp)
target_include_directories(bench_jit_tests PRIVATE ${PROJECT_SOURCE_DIR}/bench/kernels/jit)
target_link_libraries(bench_jit_tests PRIVATE GTest::gtest_main)
gtest_discover_tests(bench_jit_tests TEST_PREFIX bench.)
if(TARGET bench_jit_replay)
  add_test(NAME bench.jit.replay COMMAND bench_jit_replay --members 4)
  set_tests_properties(bench.jit.replay PROPERTIES
    PASS_REGULAR_EXPRESSION "shares 13.4 15.9 20.7 50.0\nstatic makespan 123.*\nnustatic makespan 70.*\ndynamic ")
  jit_refuses(cost replay "--kernel sor: not known: there are matmul," --kernel sor)
  jit_refuses(schedule replay "--schedules fastest: no such schedule" --schedules fastest)
endif()
