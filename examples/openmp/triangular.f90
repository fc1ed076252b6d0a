! SPDX-License-Identifier: Apache-2.0
! A triangular matrix times a vector, row by row, in whole numbers. Upper triangle: rows get shorter, schedule(runtime);
! lower triangle: rows get longer, schedule(dynamic). `triangular [ROWS [REPEATS]]`
program triangular
  use, intrinsic :: iso_fortran_env, only: int64, real64, error_unit
  use omp_lib, only: omp_get_max_threads, omp_get_wtime
  implicit none
  integer :: rows, repeats, run
  integer(int64), allocatable :: x(:), upper(:), lower(:)
  real(real64) :: start, best

  if (command_argument_count() > 2) call refuse('too many arguments: write triangular [ROWS [REPEATS]]')
  rows = argument(1, 'ROWS', 20000, 1000000)
  repeats = argument(2, 'REPEATS', 3, 1000)
  allocate (x(rows), upper(rows), lower(rows))
  call fill(x)
  print '(a, i0, a, i0, a)', 'triangular: ', rows, ' rows, ', repeats, ' runs'

  best = huge(best)
  do run = 1, repeats
    upper = 0
    lower = 0
    start = omp_get_wtime()
    call multiply_upper(x, upper)
    call multiply_lower(x, lower)
    best = min(best, omp_get_wtime() - start)
    call check(x, upper, lower)
  end do
  print '(a, f9.6, a, i0, a)', 'kernel: best ', best, ' s, ', omp_get_max_threads(), ' threads'
  print '(a)', 'verified'

contains

  integer function argument(position, name, default, most)
    integer, intent(in) :: position, default, most
    character(*), intent(in) :: name
    character(64) :: text
    integer :: status
    argument = default
    if (command_argument_count() < position) return
    call get_command_argument(position, text)
    status = verify(trim(text), '0123456789') ! reading alone would take signs and blanks as well
    if (status == 0) read (text, '(i64)', iostat=status) argument
    if (status == 0 .and. argument >= 1 .and. argument <= most) return
    write (text(33:), '(i0)') most
    call refuse(name//' '//trim(text(:32))//': give a whole number from 1 to '//trim(text(33:)))
  end function argument

  subroutine refuse(problem)
    character(*), intent(in) :: problem
    write (error_unit, '(2a)') 'triangular: ', problem
    stop 2, quiet=.true.
  end subroutine refuse

  subroutine fill(vector)
    integer(int64), intent(out) :: vector(:)
    integer :: i
    do i = 1, size(vector)
      vector(i) = mod(7 * int(i, int64), 13_int64)
    end do
  end subroutine fill

  ! Element (i, j) of both triangles.
  pure integer(int64) function element(i, j)
    integer, intent(in) :: i, j
    element = iand(i, 7) + iand(j, 15)
  end function element

  ! Adds to its result, so that a row computed twice shows.
  subroutine multiply_upper(vector, product)
    integer(int64), intent(in) :: vector(:)
    integer(int64), intent(inout) :: product(:)
    integer(int64) :: total
    integer :: i, j
    !$omp parallel do schedule(runtime) private(j, total)
    do i = 1, size(vector)
      total = 0
      do j = i, size(vector)
        total = total + element(i, j) * vector(j)
      end do
      product(i) = product(i) + total
    end do
    !$omp end parallel do
  end subroutine multiply_upper

  subroutine multiply_lower(vector, product)
    integer(int64), intent(in) :: vector(:)
    integer(int64), intent(inout) :: product(:)
    integer(int64) :: total
    integer :: i, j
    !$omp parallel do schedule(dynamic) private(j, total)
    do i = 1, size(vector)
      total = 0
      do j = 1, i
        total = total + element(i, j) * vector(j)
      end do
      product(i) = product(i) + total
    end do
    !$omp end parallel do
  end subroutine multiply_lower

  ! element(i, j) is a sum of a part of i and a part of j, so two running sums over j give every row at once.
  subroutine check(vector, upper_product, lower_product)
    integer(int64), intent(in) :: vector(:), upper_product(:), lower_product(:)
    integer(int64) :: sum_x, sum_weighted, all_x, all_weighted, own
    integer :: i
    all_x = sum(vector)
    all_weighted = sum([(iand(i, 15) * vector(i), i = 1, size(vector))])
    sum_x = 0
    sum_weighted = 0
    do i = 1, size(vector)
      own = iand(i, 15) * vector(i)
      if (upper_product(i) /= iand(i, 7) * (all_x - sum_x) + all_weighted - sum_weighted) call wrong('upper', i)
      sum_x = sum_x + vector(i)
      sum_weighted = sum_weighted + own
      if (lower_product(i) /= iand(i, 7) * sum_x + sum_weighted) call wrong('lower', i)
    end do
  end subroutine check

  subroutine wrong(triangle, row)
    character(*), intent(in) :: triangle
    integer, intent(in) :: row
    write (error_unit, '(3a, i0, a)') 'WRONG: ', triangle, ' triangle, row ', row, ' differs from the closed form'
    stop 1, quiet=.true.
  end subroutine wrong

end program triangular
