// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <cstddef>
#include <cstdint>

#include <steelyard/detail/dataflow_core.h>

/// @file
/// Parts of arrays and matrices, for tasks that access them.
namespace steelyard {
inline namespace v1 {

/// @addtogroup dataflow
/// @{

/// Elements of an array, in a row. Parts of one array are made from one `range` of it all, by `part`: that is how they are known
/// to overlap. Does not own them; indices are not checked.
template <class T>
class range {
 public:
  /// A whole array.
  /// @param data its first element.
  /// @param size how many it has.
  range(T* data, std::size_t size) noexcept : of_(data), size_(size) {}
  /// Some of its elements, of the same array.
  /// @param first counted from the first of this range.
  /// @param size how many.
  /// @return the part.
  [[nodiscard]] range part(std::size_t first, std::size_t size) const noexcept {
    range it = *this;
    it.first_ += first;
    it.size_ = size;
    return it;
  }

  /// @return the address of its first element.
  [[nodiscard]] T* data() const noexcept { return of_ + first_; }
  /// @return how many elements it has.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// @return where it begins.
  [[nodiscard]] T* begin() const noexcept { return data(); }
  /// @return behind its last element.
  [[nodiscard]] T* end() const noexcept { return data() + size_; }
  /// @param i counted from its first element.
  /// @return the element.
  [[nodiscard]] T& operator[](std::size_t i) const noexcept { return data()[i]; }

  /// @return the same elements of the same array, not to be written.
  [[nodiscard]] range<const T> as_const() const noexcept { return range<const T>(of_, 0).part(first_, size_); }
  /// @private
  [[nodiscard]] steelyard_access access(std::uintptr_t how) const noexcept { return {of_, how, 0, first_, 1, size_}; }

 private:
  T* of_;
  std::size_t first_ = 0;
  std::size_t size_;
};

/// Elements of a matrix that lie in a rectangle, row by row, `stride` elements from one row to the next. Parts of one matrix are
/// made from one `block` of it all. Does not own them; indices are not checked. (For matrices that lie column by column, read row
/// as column.)
template <class T>
class block {
 public:
  /// A whole matrix, or a rectangle that is never seen as a part of a larger one.
  /// @param data its first element.
  /// @param rows how many.
  /// @param columns how many.
  /// @param stride elements from one row to the next; `columns` if not given.
  block(T* data, std::size_t rows, std::size_t columns, std::size_t stride) noexcept
      : of_(data), stride_(stride), rows_(rows), columns_(columns) {}
  /// The same, row behind row.
  /// @param data its first element.
  /// @param rows how many.
  /// @param columns how many.
  block(T* data, std::size_t rows, std::size_t columns) noexcept : block(data, rows, columns, columns) {}
  /// A rectangle in it, of the same matrix.
  /// @param row its first row, counted from the first of this block.
  /// @param column its first column, likewise.
  /// @param rows how many.
  /// @param columns how many.
  /// @return the part.
  [[nodiscard]] block part(std::size_t row, std::size_t column, std::size_t rows, std::size_t columns) const noexcept {
    block it = *this;
    it.row_ += row;
    it.column_ += column;
    it.rows_ = rows;
    it.columns_ = columns;
    return it;
  }

  /// @return the address of its first element.
  [[nodiscard]] T* data() const noexcept { return of_ + row_ * stride_ + column_; }
  /// @return how many rows it has.
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  /// @return how many columns it has.
  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
  /// @return how many elements lie from one row to the next.
  [[nodiscard]] std::size_t stride() const noexcept { return stride_; }
  /// @param row counted from its first row.
  /// @param column counted from its first column.
  /// @return the element.
  [[nodiscard]] T& operator()(std::size_t row, std::size_t column) const noexcept {
    return data()[row * stride_ + column];
  }

  /// @return the same elements of the same matrix, not to be written.
  [[nodiscard]] block<const T> as_const() const noexcept {
    return block<const T>(of_, 0, 0, stride_).part(row_, column_, rows_, columns_);
  }
  /// @private
  [[nodiscard]] steelyard_access access(std::uintptr_t how) const noexcept {
    return {of_, how, row_, column_, rows_, columns_};
  }

 private:
  T* of_;
  std::size_t stride_;
  std::size_t row_ = 0;
  std::size_t column_ = 0;
  std::size_t rows_;
  std::size_t columns_;
};

/// @}

}  // namespace v1
}  // namespace steelyard
