# SPDX-License-Identifier: Apache-2.0
# Runs one program and compares what it did: cmake -DPROGRAM=... -DARGUMENTS=... -DSTATUS=... [-DOUTPUT=REGEX]
# [-DERROR=REGEX] [-DGOLDEN=FILE] [-DINPUT=FILE] -P run_case.cmake
# A refused input (status 2) must print exactly one line, on the error stream.
if(NOT DEFINED INPUT)
  set(INPUT /dev/null)
endif()
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} INPUT_FILE ${INPUT}
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE error)

function(fail problem)
  message(FATAL_ERROR "${problem}\nstatus: ${status}\noutput: ${output}\nerror: ${error}")
endfunction()

if(NOT status STREQUAL STATUS)
  fail("expected status ${STATUS}")
endif()
if(DEFINED OUTPUT AND NOT output MATCHES "${OUTPUT}")
  fail("the output lacks: ${OUTPUT}")
endif()
if(DEFINED ERROR AND NOT error MATCHES "${ERROR}")
  fail("the error lacks: ${ERROR}")
endif()
if(STATUS EQUAL 2 AND NOT (output STREQUAL "" AND error MATCHES "^[^\n]+\n$"))
  fail("expected one line on the error stream and nothing else")
endif()
if(DEFINED GOLDEN)
  file(READ ${GOLDEN} expected)
  if(NOT output STREQUAL expected)
    fail("the output differs from ${GOLDEN}")
  endif()
endif()
