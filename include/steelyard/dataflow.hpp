// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include <steelyard/detail/dataflow_core.h>
#include <steelyard/access.hpp>
#include <steelyard/detail/hand_over.hpp>
#include <steelyard/detail/task_fault.hpp>
#include <steelyard/detail/young_end.hpp>
#include <steelyard/recording.hpp>
#include <steelyard/sync_tasks.hpp>

/// Tasks that are ordered by what they access.
namespace steelyard {
inline namespace v1 {
namespace detail {

template <class P>
concept accesses = requires(const P& p) {
  typename P::accessed;
  { p.access() } -> std::same_as<steelyard_access>;
};

template <class... P>
constexpr std::uint32_t count_accesses(const std::tuple<P...>*) noexcept {
  return (0U + ... + (accesses<P> ? 1U : 0U));
}

/// A task and its arguments.
template <class F, class Values>
struct bound {
  [[no_unique_address]] F f;
  Values values;
};

template <class... P>
void list_accesses(const std::tuple<P...>& values, steelyard_access* into) noexcept {
  const auto add = [&into](const auto& value) {
    if constexpr (accesses<std::remove_cvref_t<decltype(value)>>) *into++ = value.access();
  };
  std::apply([&add](const auto&... each) { (add(each), ...); }, values);
}

/// Where it is too large for a record: its address, and what it accesses, which is asked for when it has gone, too.
template <class What, std::size_t Count>
struct bound_elsewhere {
  explicit bound_elsewhere(std::unique_ptr<What> given) noexcept : what(std::move(given)) {
    list_accesses(what->values, its.data());
  }
  std::unique_ptr<What> what;
  std::array<steelyard_access, Count> its;
};

/// A record with that. `Running` tells those compiled with NDEBUG from others, whose functions differ.
template <class F, class Values, class Running = running_task>
struct forked : steelyard_record {
  using what = bound<F, Values>;
  static constexpr std::size_t most = STEELYARD_MOST_BYTES - 64;
  static constexpr bool is_near =
      sizeof(what) <= most && alignof(what) <= 16 && std::is_nothrow_move_constructible_v<what>;
  static constexpr std::uint32_t count = count_accesses(static_cast<const Values*>(nullptr));
  using held = std::conditional_t<is_near, what, bound_elsewhere<what, count>>;

  held it;

  static void* run(steelyard_record* self) noexcept {
    [[maybe_unused]] const Running now;
    auto& here = static_cast<forked*>(self)->it;
    held mine(std::move(here));
    here.~held();
    try {
      if constexpr (is_near) {
        std::apply(mine.f, std::move(mine.values));
      } else {
        std::apply(mine.what->f, std::move(mine.what->values));
      }
      hand_over(steelyard_spawned);
      return nullptr;
    } catch (...) {
      auto* const thrown = new std::exception_ptr(std::current_exception());
      hand_over(steelyard_spawned);
      return thrown;
    }
  }
  static void drop(steelyard_record* self) noexcept { static_cast<forked*>(self)->it.~held(); }
  static void list(const steelyard_record* self, steelyard_access* into) noexcept {
    const auto& here = static_cast<const forked*>(self)->it;
    if constexpr (is_near) {
      list_accesses(here.values, into);
    } else {
      std::copy(here.its.begin(), here.its.end(), into);
    }
  }
  static constexpr std::uint32_t bytes = (sizeof(steelyard_record) + sizeof(held) + 31) / 16 * 16;
  static constexpr bool is_repeatable = std::is_copy_constructible_v<F> && std::is_copy_constructible_v<Values>;
  static void* run_again(const steelyard_record* self) noexcept {
    if constexpr (is_repeatable) {
      [[maybe_unused]] const Running now;
      try {
        const auto& here = static_cast<const forked*>(self)->it;
        const auto call = [](what mine) { std::apply(mine.f, std::move(mine.values)); };
        if constexpr (is_near) {
          call(here);
        } else {
          call(*here.what);
        }
        hand_over(steelyard_spawned);
      } catch (...) {
        auto* const thrown = new std::exception_ptr(std::current_exception());
        hand_over(steelyard_spawned);
        return thrown;
      }
    }
    return nullptr;
  }
  static constexpr steelyard_task_kind kind{run, drop, is_repeatable ? run_again : nullptr, list, bytes, count};
};

/// The frame of the running task; nullptr: tasks are called.
inline steelyard_frame* frame_here() noexcept {
  steelyard_frame* const here = steelyard_frame_here;
  return __builtin_expect(here != nullptr && here->tail != nullptr, 1) ? here : steelyard_frame_open();
}

template <class Forked, class... A>
[[gnu::always_inline]] inline void push(steelyard_frame* here, const steelyard_task_kind* kind, A&&... held) {
  steelyard_record* const at = here->tail;
  auto* const record = static_cast<Forked*>(at);
  ::new (static_cast<void*>(&record->it)) typename Forked::held(std::forward<A>(held)...);
  at->kind = kind;
  hand_over(steelyard_spawned);
  auto* const end = reinterpret_cast<steelyard_record*>(reinterpret_cast<std::byte*>(at) + kind->bytes);
  steelyard_forks = nullptr;
  if (__builtin_expect(!push_to(frame_words{here}, end), 0)) steelyard_frame_look();
}

/// Whether a task with that parameter writes that argument, and does not read it: it may get another object.
template <class P, class A>
inline constexpr bool may_renew = false;
template <class T>
inline constexpr bool may_renew<w<T>, shared<T>> = true;
template <class T>
inline constexpr bool may_renew<wp<T>, shared<T>> = true;

template <class P, class A>
void renew(P& writer, A& of) {
  if constexpr (may_renew<P, A>) {
    if (of.renew()) writer.rebind(of.handle());
  }
}
/// Behind the fork: objects that have been replaced end; or, if there was none, they are what they were.
template <class P, class A>
void retire(A& of, bool forked) noexcept {
  if constexpr (may_renew<P, A>) of.retire(forked);
}

template <class... P, class... A>
void retire_all(const std::tuple<P...>*, [[maybe_unused]] bool forked, A&... args) noexcept {
  (retire<P>(args, forked), ...);
}

template <class... P, class... A>
void renew_all(std::tuple<P...>& values, A&... args) {
  if constexpr ((... || may_renew<P, A>)) {
    // Who gets an object twice gets one.
    const auto comes_once = [&](const void* object) {
      return (0 + ... + (std::addressof(args) == object ? 1 : 0)) == 1;
    };
    try {
      std::apply([&](P&... value) { ((comes_once(std::addressof(args)) ? renew(value, args) : void()), ...); }, values);
    } catch (...) {
      retire_all(&values, false, args...);
      throw;
    }
  }
}

/// Behind the fork: what the task that has forked must not use until it has waited.
template <class P, class A>
void note([[maybe_unused]] const A& of) noexcept {
  if constexpr (accesses<P> && (is_shared<A> || accesses<A>)) {
    constexpr auto its = P::its_right;
    if constexpr (accesses<A>) {
      if constexpr (A::its_right == right::write || A::its_right == right::both) note_pending(of.access());
    } else if constexpr (its != right::read && its != right::pass_read) {
      note_pending(reference<typename P::accessed>::access(of.handle(), STEELYARD_WRITE));
    }
  }
}
template <class... P, class... A>
void note_all(const std::tuple<P...>*, const A&... args) noexcept {
  (note<P>(args), ...);
}

/// What the record's contents are made of is `it`, or leads to it. Its copies may have used tasks, so the frame is looked for
/// behind them.
template <class Record, class Held, class... A>
[[gnu::always_inline]] inline void fork_or_call(typename Record::what& it, Held&& held, A&... args) {
  steelyard_frame* const here = frame_here();
  if (__builtin_expect(here == nullptr, 0)) {
    std::apply(it.f, std::move(it.values));
  } else {
    renew_all(it.values, args...);
    push<Record>(here, &Record::kind, std::forward<Held>(held));
    retire_all(static_cast<const decltype(it.values)*>(nullptr), true, args...);
    note_all(static_cast<const decltype(it.values)*>(nullptr), args...);
  }
}

}  // namespace detail

/// Calls task(args…) some time before the next sync_tasks() of the running task returns, or before the running task has ended,
/// on any thread of the pool; with the result that a call here would have: a task that reads something sees what the last one
/// before it, in the order of the program, has written there. What tasks access their parameter types tell:
///
/// r<T>, w<T>, rw<T>, cw<T, Op>   it reads, writes, does both, or adds in any order; the argument is a shared<T>; where T is a
///                                range or a block, one of these
/// rp<T>, wp<T>, rwp<T>, cwp…     only the tasks that it forks do
/// anything else                  a value of its own
///
/// `task` is a function or an object with one operator(), no template. A task may pass on what it gets: r to r, cw to cw, w to w,
/// rw to any, and each to those that only pass it on. It may use that before it does, and after sync_tasks(), but not between.
/// Nobody else may touch what a pending task accesses: until sync_tasks(). Where NDEBUG is not defined, a task that uses what it
/// has passed on, or a shared object that a task may still write, ends the process with a line on standard error.
///
/// O(1): some 20 instructions beside the copies, no memory is allocated; who runs its own tasks in order looks at no dependency.
/// A join, a task that is spawned into a group, and a loop that is shared come after what the running task has forked before:
/// they wait for it, so let no task want a lock that is held there; to run a loop beside tasks, fork the loop. What a half of a
/// join, a task of a group or a loop's body forks on another thread has ended when that has; what it forks on the caller's, at
/// the next sync_tasks(). Where the pool has no room the task is called at once.
///
/// The copies may use tasks themselves, and what they throw is thrown. What tasks throw comes with sync_tasks(), or with the
/// join, the group's wait or the loop whose function has forked them; a loop may also throw what came of tasks that were forked
/// before.
///
/// Stack: a task that forks takes some 110 bytes beside its own for each level of tasks of tasks; a chain in which each task forks
/// the next as its last takes none.
template <class F, class... A>
void fork_task(F&& task, A&&... args) {
  using detail::task_fault;
  constexpr auto fault = detail::task_fault_of<F, A...>();
  static_assert(fault != task_fault::no_task,
                "a task is a function, or an object with one operator() that is no template: a lambda without auto");
  static_assert(fault != task_fault::object, "a task gets r<T>, w<T> or the like, not the object itself");
  static_assert(fault != task_fault::result, "a task returns nothing: let it write to a parameter of type w<T>");
  static_assert(fault != task_fault::reference, "a task's parameters are values: w<T> or rw<T> is what it changes");
  static_assert(fault != task_fault::accesses, "a task has at most 32 parameters r<T>, w<T> and the like");
  static_assert(fault != task_fault::task_copy, "the task cannot be copied: write std::move(task), and fork it once");
  static_assert(fault != task_fault::count, "a task gets as many arguments as it has parameters");
  static_assert(fault != task_fault::argument_copy, "an argument cannot be copied: write std::move(argument)");
  static_assert(
      fault != task_fault::argument,
      "a parameter of the task is not made of its argument: r, w, rw, cw and rp, wp, rwp, cwp take a shared<T> that is "
      "not const and no temporary, or a right of this task that includes theirs: r for r, w for w, cw for cw, rw for "
      "any");
  if constexpr (fault == task_fault::none) {
    using values = typename detail::parameters_of<F>::values;
    using record = detail::forked<std::decay_t<F>, values>;
    using what = typename record::what;
    if constexpr (record::is_near) {
      what it{std::forward<F>(task), values(std::forward<A>(args)...)};
      detail::fork_or_call<record>(it, std::move(it), args...);
    } else {
      std::unique_ptr<what> it(new what{std::forward<F>(task), values(std::forward<A>(args)...)});
      detail::fork_or_call<record>(*it, std::move(it), args...);
    }
  }
}

/// While it exists, fork_task calls on this thread: the sequential program.
class sequential {
 public:
  /// Waits first, as sync_tasks does.
  sequential() : before_((sync_tasks(), steelyard_frame_call())) {}
  ~sequential() { steelyard_frame_here = before_; }
  sequential(const sequential&) = delete;
  sequential& operator=(const sequential&) = delete;

 private:
  steelyard_frame* before_;
};

/// See shared.
struct renaming_t {};
inline constexpr renaming_t renaming{};

/// An object that tasks share. It may go when tasks that use it are pending: the object lives on until they have ended.
/// Shared objects inside it go when it does: tasks that use those have to have ended by then.
template <class T>
class shared {
 public:
  template <class... A>
  requires std::constructible_from<T, A...>
  explicit shared(A&&... args) : value_(new T(std::forward<A>(args)...)) {
    detail::forget_pending(value_);  // of one that lay there
  }
  /// The same, and a task that writes it, and does not read it (w, wp), gets a new object, T(), which uses no tasks: it need
  /// not wait for those that read the last one. Such a task has to write all of it. Results are the same, unless a task throws:
  /// then the value may be T(). There may be as many objects as such tasks are pending.
  template <class... A>
  requires std::constructible_from<T, A...> && std::default_initializable<T>
  explicit shared(renaming_t, A&&... args) : shared(std::forward<A>(args)...) {
    make_ = []() { return new T(); };
  }
  ~shared() {
    detail::forget_pending(value_);
    end_of(value_);
  }
  shared(shared&& other) noexcept : value_(std::exchange(other.value_, nullptr)), make_(other.make_) {
    detail::forget_pending(value_);
  }
  shared& operator=(shared&& other) noexcept {
    shared(std::move(other)).swap(*this);
    return *this;
  }
  shared(const shared&) = delete;
  shared& operator=(const shared&) = delete;
  void swap(shared& other) noexcept {
    std::swap(value_, other.value_);
    std::swap(make_, other.make_);
  }

  /// While no task that uses it is pending.
  [[nodiscard]] T& operator*() const noexcept {
    detail::expect_not_pending(detail::reference<T>::access(value_, STEELYARD_WRITE),
                               "a shared object is used before sync_tasks(), and a task that may write it is pending");
    return *value_;
  }
  [[nodiscard]] T* operator->() const noexcept { return std::addressof(**this); }
  /// Where it is; also while tasks are pending.
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
  T* (*make_)() = nullptr;  ///< with renaming
  T* before_ = nullptr;     ///< what the task that is being forked replaces
};

namespace detail {
template <class T, right Right, class Op>
accessor<T, Right, Op>::accessor(shared<T>& of) noexcept requires(!is_part<T>) : at_(of.handle()) {}
}  // namespace detail

}  // namespace v1
}  // namespace steelyard
