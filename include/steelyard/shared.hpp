// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>

#include <steelyard/detail/dataflow_core.h>
#include <steelyard/access.hpp>
#include <steelyard/detail/pending.hpp>
#include <steelyard/detail/task_record.hpp>

/// @file
/// Objects that tasks of dataflow share.
namespace steelyard {
inline namespace v1 {

namespace detail {
template <class P, class A>
void renew(P& writer, A& of);
template <class P, class A>
void retire(A& of, bool forked) noexcept;
}  // namespace detail

/// @addtogroup dataflow
/// @{

/// The type of `renaming`.
struct renaming_t {};
/// Asks for a shared object of which each task that only writes it gets a new one: `shared<T> x(renaming)`.
inline constexpr renaming_t renaming{};

/// An object that tasks share. It may go when tasks that use it are pending: the object lives on until they have ended.
/// Shared objects inside it go when it does: tasks that use those have to have ended by then.
template <class T>
class shared {
 public:
  /// A new object, T(args…). What that throws is thrown.
  /// @param args what it is made of.
  template <class... A>
  requires std::constructible_from<T, A...>
  explicit shared(A&&... args) : value_(new T(std::forward<A>(args)...)) {
    detail::forget_pending(value_);  // of one that lay there
  }
  /// The same, and a task that writes it, and does not read it (w, wp), gets a new object, T(), which uses no tasks: it need
  /// not wait for those that read the last one. Such a task has to write all of it. Results are the same, unless a task throws:
  /// then the value may be T(). There may be as many objects as such tasks are pending.
  /// @param args what the first is made of.
  template <class... A>
  requires std::constructible_from<T, A...> && std::default_initializable<T>
  explicit shared(renaming_t, A&&... args) : shared(std::forward<A>(args)...) {
    make_ = []() { return new T(); };
  }
  /// The object goes when all tasks that use it have ended; does not wait for them. On another thread than that which has forked them it goes at
  /// once, so that has to be behind `sync_tasks()`.
  ~shared() {
    detail::forget_pending(value_);
    end_of(value_);
  }
  /// Takes the object over, also while tasks that use it are pending.
  /// @param other has none afterwards.
  shared(shared&& other) noexcept : value_(std::exchange(other.value_, nullptr)), make_(other.make_) {
    detail::forget_pending(value_);
  }
  /// Takes the object over; that which was here goes as if destroyed.
  /// @param other has none afterwards.
  /// @return this.
  shared& operator=(shared&& other) noexcept {
    shared(std::move(other)).swap(*this);
    return *this;
  }
  shared(const shared&) = delete;
  shared& operator=(const shared&) = delete;
  /// Exchanges the objects.
  /// @param other the other one.
  void swap(shared& other) noexcept {
    std::swap(value_, other.value_);
    std::swap(make_, other.make_);
  }

  /// The object, while no task that uses it is pending. (Where NDEBUG is not defined, a use too early ends the process with a line on
  /// standard error, as a rule.)
  /// @return the object.
  [[nodiscard]] T& operator*() const noexcept {
    detail::expect_not_pending(detail::reference<T>::access(value_, STEELYARD_WRITE),
                               "a shared object is used before sync_tasks(), and a task that may write it is pending");
    return *value_;
  }
  /// As `*`.
  /// @return its address.
  [[nodiscard]] T* operator->() const noexcept { return std::addressof(**this); }
  /// Where it is; also while tasks are pending.
  /// @return its address.
  [[nodiscard]] T* handle() const noexcept { return value_; }

 private:
  struct end : steelyard_record {
    using held = T*;
    static constexpr std::uint32_t bytes = sizeof(steelyard_record) + 16;
    held it;

    static void* run(steelyard_record* self) noexcept {
      drop(self);
      return nullptr;
    }
    static void drop(steelyard_record* self) noexcept { delete static_cast<end*>(self)->it; }
    static void list(const steelyard_record* self, steelyard_access* into) noexcept {
      *into = detail::reference<T>::access(static_cast<const end*>(self)->it, STEELYARD_WRITE);
    }
    static constexpr steelyard_task_kind kind{run, drop, nullptr, list, bytes, 1};
  };

  template <class P, class A>
  friend void detail::renew(P& writer, A& of);
  template <class P, class A>
  friend void detail::retire(A& of, bool forked) noexcept;

  /// When all tasks that use it have ended: where a task that writes it would run.
  static void end_of(T* value) noexcept {
    if (value == nullptr || steelyard_frame_here == nullptr || steelyard_frame_here->tail == nullptr) {
      delete value;
    } else {
      detail::push<end>(steelyard_frame_here, &end::kind, value);
    }
  }
  bool renew() {
    if (make_ == nullptr) return false;
    T* const fresh = make_();
    detail::forget_pending(fresh);
    before_ = std::exchange(value_, fresh);
    return true;
  }
  void retire(bool forked) noexcept {
    if (before_ == nullptr) return;
    T* const before = std::exchange(before_, nullptr);
    end_of(forked ? before : std::exchange(value_, before));
  }

  T* value_;
  T* (*make_)() = nullptr;  ///< with `renaming`
  T* before_ = nullptr;     ///< what the task that is being forked replaces
};

namespace detail {
template <class T, right Right, class Op>
accessor<T, Right, Op>::accessor(shared<T>& of) noexcept requires(!is_part<T>) : at_(of.handle()) {}
}  // namespace detail

/// @}

}  // namespace v1
}  // namespace steelyard
