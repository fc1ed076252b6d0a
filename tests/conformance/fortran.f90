! SPDX-License-Identifier: Apache-2.0
! Fortran's loops under each schedule: every iteration exactly once, and what they leave behind.
module harness
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  integer :: passed = 0, failed = 0
  logical :: good = .true.
  character(len=40) :: current = '(none)'
  character(len=80) :: detail = ''
contains
  subroutine expect(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    if (condition) return
    !$omp critical (harness_detail)
    if (good) detail = what
    good = .false.
    !$omp end critical (harness_detail)
  end subroutine

  subroutine report(name)
    character(len=*), intent(in) :: name
    if (good) then
      passed = passed + 1
      print '(a)', 'ok '//name
    else
      failed = failed + 1
      print '(a)', 'FAIL '//name//': '//trim(detail)
    end if
    good = .true.
  end subroutine

  subroutine on_alarm()
    print '(a)', 'FAIL '//trim(current)//': hang (watchdog)'
    print '(i0,a,i0,a)', passed, ' passed, ', failed + 1, ' failed'
    call exit(1)
  end subroutine

  ! Whether the case was asked for; arms the watchdog when it was.
  logical function wanted(name)
    character(len=*), intent(in) :: name
    character(len=4096) :: argument
    integer :: a
    wanted = command_argument_count() == 0
    do a = 1, command_argument_count()
      call get_command_argument(a, argument)
      if (argument == '--list') print '(a)', name
      if (a == 1 .and. argument == '--skip') then
        call get_command_argument(2, argument)
        wanted = index(','//trim(argument)//',', ','//name//',') == 0
        exit
      end if
      wanted = wanted .or. argument == name
    end do
    if (wanted) then
      current = name
      call alarm(20, on_alarm)
    end if
  end function

  subroutine linger(steps)
    integer, intent(in) :: steps
    integer :: s
    real, volatile :: x
    x = 1.0
    do s = 1, steps
      x = x * 1.0001
    end do
  end subroutine
end module

module loops
  use harness
  use omp_lib
  implicit none
  integer, parameter :: n = 400
contains

#define CASE(x) x/**/_runtime
#define CLAUSE schedule(runtime)
#define LABEL '.runtime'
#include "fortran_loops.inc"
#undef CASE
#undef CLAUSE
#undef LABEL

#define CASE(x) x/**/_dynamic
#define CLAUSE schedule(dynamic)
#define LABEL '.dynamic'
#include "fortran_loops.inc"
#undef CASE
#undef CLAUSE
#undef LABEL

#define CASE(x) x/**/_dynamic_7
#define CLAUSE schedule(dynamic, 7)
#define LABEL '.dynamic_7'
#include "fortran_loops.inc"
#undef CASE
#undef CLAUSE
#undef LABEL

#define CASE(x) x/**/_guided
#define CLAUSE schedule(guided)
#define LABEL '.guided'
#include "fortran_loops.inc"
#undef CASE
#undef CLAUSE
#undef LABEL

#define CASE(x) x/**/_guided_3
#define CLAUSE schedule(guided, 3)
#define LABEL '.guided_3'
#include "fortran_loops.inc"
#undef CASE
#undef CLAUSE
#undef LABEL

#define CASE(x) x/**/_auto
#define CLAUSE schedule(auto)
#define LABEL '.auto'
#include "fortran_loops.inc"
#undef CASE
#undef CLAUSE
#undef LABEL

#define CASE(x) x/**/_monotonic_dynamic
#define CLAUSE schedule(monotonic: dynamic)
#define LABEL '.monotonic_dynamic'
#include "fortran_loops.inc"
#undef CASE
#undef CLAUSE
#undef LABEL

#define CASE(x) x/**/_static
#define CLAUSE schedule(static)
#define LABEL '.static'
#include "fortran_loops.inc"
#undef CASE
#undef CLAUSE
#undef LABEL

end module

program fortran
  use loops
  implicit none
  call all_runtime
  call all_dynamic
  call all_dynamic_7
  call all_guided
  call all_guided_3
  call all_auto
  call all_monotonic_dynamic
  call all_static
  call alarm(0, on_alarm)
  if (command_argument_count() == 1) then
    block
      character(len=16) :: argument
      call get_command_argument(1, argument)
      if (argument == '--list') stop
    end block
  end if
  print '(i0,a,i0,a)', passed, ' passed, ', failed, ' failed'
  if (failed > 0) call exit(1)
end program
