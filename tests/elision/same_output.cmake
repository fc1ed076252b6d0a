# SPDX-License-Identifier: Apache-2.0
# ONE and OTHER, two programs, print the same line, on 1, 2 and 5 threads.
execute_process(COMMAND ${OTHER} OUTPUT_VARIABLE expected COMMAND_ERROR_IS_FATAL ANY)
if(expected STREQUAL "")
  message(FATAL_ERROR "${OTHER} printed nothing")
endif()
foreach(threads 1 2 5)
  set(ENV{STEELYARD_NUM_THREADS} ${threads})
  execute_process(COMMAND ${ONE} OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "${ONE} on ${threads} threads printed\n${found}and with calls for tasks\n${expected}")
  endif()
endforeach()
