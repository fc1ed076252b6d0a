// SPDX-License-Identifier: Apache-2.0
// What tasks access, as kernels tell it to any runtime. A kernel forks by
//   flow.fork(f, a...)     calls f(…), an object without a state, with what each of a... stands for:
//     read(x)              a part of an array (steelyard::range, block), to read; or a const T& to what a Flow::shared<T> has
//     change(x)            the same, not const
//     anything else        itself
// and what parts of arrays overlap is the same part.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include <steelyard/access.hpp>

namespace dataflow_kernels {

using tile = steelyard::block<double>;
using tile_read = steelyard::block<const double>;

template <class T>
concept part = requires(const T& all) {
  all.as_const();
};

// Of parts; or of a Flow::shared, by its address.
template <class T>
struct reads {
  T what;
};
template <class T>
struct changes {
  T what;
};

template <class T>
auto read(T& what) {
  return reads<T*>{&what};
}
template <part T>
auto read(T what) {
  return reads<T>{what};
}
template <class T>
auto change(T& what) {
  return changes<T*>{&what};
}
template <part T>
auto change(T what) {
  return changes<T>{what};
}

// For runtimes that know objects by their address.

template <class A>
inline constexpr bool is_read = false;
template <class T>
inline constexpr bool is_read<reads<T>> = true;
template <class A>
inline constexpr bool is_change = false;
template <class T>
inline constexpr bool is_change<changes<T>> = true;

// An object that tasks share.
template <class T>
class object {
 public:
  template <class... A>
  explicit object(A&&... its) : value_(new T(std::forward<A>(its)...)) {}
  T& operator*() const noexcept { return *value_; }
  T* operator->() const noexcept { return value_.get(); }

 private:
  std::unique_ptr<T> value_;
};

template <class A>
const void* address_of(const A& access) {
  if constexpr (part<decltype(access.what)>) {
    return access.what.data();
  } else {
    return &**access.what;
  }
}

// What f gets.
template <class A>
decltype(auto) value_of(const A& access) {
  if constexpr (is_read<A>) {
    if constexpr (part<decltype(access.what)>) {
      return access.what.as_const();
    } else {
      return std::as_const(**access.what);
    }
  } else if constexpr (is_change<A>) {
    if constexpr (part<decltype(access.what)>) {
      return decltype(access.what)(access.what);
    } else {
      return (**access.what);
    }
  } else {
    return A(access);
  }
}

// The task, with what it needs: copied byte by byte.
template <class F, class... A>
auto task_of(F, const A&... accesses) {
  const auto task = [accesses...] { F{}(value_of(accesses)...); };
  static_assert(std::is_trivially_copyable_v<decltype(task)>);
  return task;
}

}  // namespace dataflow_kernels
