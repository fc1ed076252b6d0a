// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

#include <steelyard/task_group.hpp>

/// @file
/// What tasks of a group leave for others.
namespace steelyard {
inline namespace v1 {

namespace detail {

/// A task of a group that leaves something, until nobody needs that any more.
class job : public steelyard_node {
 public:
  explicit job(task_group& of) noexcept : steelyard_node{}, group_(of) { steelyard_node_begin(this); }
  virtual ~job() = default;
  job(const job&) = delete;
  job& operator=(const job&) = delete;

  void keep() noexcept { users_.fetch_add(1, std::memory_order_relaxed); }  // H3
  void release() noexcept {
    if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;  // H4
  }

  [[nodiscard]] bool has_ended() const noexcept { return steelyard_node_has_ended(this) != 0; }

  /// It waits for nothing, and is counted: any idle thread's.
  void go() noexcept {
    steelyard_tasks* const own = steelyard_spawned;
    if (steelyard_forks == nullptr) {
      steelyard_group* const core = &group_.core_;
      finish();
      return steelyard_group_end(core);
    }
    steelyard_task* const into = own->tail;
    ::new (static_cast<void*>(into->payload)) header{&group_.core_, this};
    into->run = [](steelyard_task* self) noexcept {
      in<header>(self).what->finish();
      return 0;
    };
    group_.push(own);
  }

 protected:
  /// Calls the task; keeps what it throws.
  virtual void run() = 0;
  /// What it came after is not needed any more.
  virtual void let_go() noexcept = 0;
  [[nodiscard]] bool is_dropped() const noexcept { return group_.has_failed(); }

  std::exception_ptr thrown_;

 private:
  struct header {
    steelyard_group* core;
    job* what;
  };

  void finish() noexcept {
    try {
      if (is_dropped()) throw std::future_error(std::future_errc::broken_promise);
      const own_task here;
      run();
      own_task::end();
    } catch (...) {
      thrown_ = std::current_exception();
      group_.failed_.keep();
    }
    let_go();
    steelyard_node_end(this, [](steelyard_node* next) { static_cast<job*>(next)->go(); });
    release();
  }

  task_group& group_;
  std::atomic<std::size_t> users_{2};  ///< a future, and the task itself until it has ended
};

template <class T>
class outcome : public job {
 public:
  using job::job;
  [[nodiscard]] const T& get() const {
    if (!has_ended()) throw std::logic_error("steelyard::future::get: wait for its group first");
    if (thrown_) std::rethrow_exception(thrown_);
    return *value_;
  }

 protected:
  std::optional<T> value_;
};

template <class F, class... T>
class calculation final : public outcome<std::remove_cvref_t<std::invoke_result_t<F&, const T&...>>> {
  using base = outcome<std::remove_cvref_t<std::invoke_result_t<F&, const T&...>>>;

 public:
  template <class G>
  calculation(task_group& of, G&& f, const future<T>&... inputs)
      : base(of), f_(std::in_place, std::forward<G>(f)), inputs_(inputs...) {}

  /// True: it need not wait for any input.
  [[nodiscard]] bool tie() noexcept {
    std::uint32_t waits_for = 0;
    std::apply(
        [&](const future<T>&... input) {
          const auto wait = [&](job& before) {
            links_[waits_for].to = this;
            if (steelyard_node_precede(&before, &links_[waits_for]) != 0) ++waits_for;
          };
          static_cast<void>(wait);
          (wait(*input.what_), ...);
        },
        inputs_);
    return steelyard_node_is_ready(this, waits_for) != 0;
  }

 private:
  void run() override {
    std::apply([this](const future<T>&... input) { this->value_.emplace((*f_)(input.get()...)); }, inputs_);
  }
  void let_go() noexcept override {
    inputs_ = {};
    f_.reset();
  }

  std::optional<F> f_;  ///< until it has run, or will not: what it holds may be large, and futures live on
  std::tuple<future<T>...> inputs_;
  std::array<steelyard_link, sizeof...(T)> links_{};
};

/// A task that returns nothing leaves `nothing`.
template <class F>
struct returning {
  F f;
  template <class... A>
  auto operator()(A&&... args) {
    if constexpr (std::is_void_v<std::invoke_result_t<F&, A...>>) {
      f(std::forward<A>(args)...);
      return nothing{};
    } else {
      return f(std::forward<A>(args)...);
    }
  }
};

}  // namespace detail

/// @addtogroup tasks
/// @{

/// What a task of a group leaves, a T: see task_group::async and task_group::after. Copies are the same one, and count its users.
/// It may outlive the group.
template <class T>
class future {
 public:
  /// Of no task.
  future() noexcept = default;
  /// The same one.
  /// @param other shares it from now on.
  future(const future& other) noexcept : what_(other.what_) {
    if (what_ != nullptr) what_->keep();
  }
  /// Takes it over.
  /// @param other is of no task afterwards.
  future(future&& other) noexcept : what_(std::exchange(other.what_, nullptr)) {}
  /// Becomes another one.
  /// @param other which.
  /// @return this.
  future& operator=(future other) noexcept {
    std::swap(what_, other.what_);
    return *this;
  }
  /// What the task has left goes with its last user.
  ~future() {
    if (what_ != nullptr) what_->release();
  }

  /// Whether its task has ended.
  /// @return true if it has.
  [[nodiscard]] bool is_ready() const noexcept { return what_ != nullptr && what_->has_ended(); }
  /// What its task returned, when that has ended: after a wait for its group, or in a task that came `after` it. Throws what the
  /// task has thrown; std::logic_error when it has not ended; std::future_error when it was dropped because another has thrown
  /// (broken_promise), or there is none (no_state).
  /// @return the value; task_group::async says what a task leaves that returns nothing.
  [[nodiscard]] const T& get() const {
    if (what_ == nullptr) throw std::future_error(std::future_errc::no_state);
    return what_->get();
  }

 private:
  friend class task_group;
  template <class, class...>
  friend class detail::calculation;
  explicit future(detail::outcome<T>* what) noexcept : what_(what) {}

  detail::outcome<T>* what_ = nullptr;
};

/// @}

/// @cond
template <class F, class... T>
auto task_group::after(F&& f, const future<T>&... inputs) {
  constexpr bool is_task = detail::is_task<F, const T&...>;
  static_assert(is_task,
                "after: the task cannot be called with the values of these futures, or not be copied or moved");
  if constexpr (is_task) return start(std::forward<F>(f), inputs...);
}

template <class F, class... T>
auto task_group::start(F&& f, const future<T>&... inputs) {
  using task = detail::calculation<detail::returning<std::decay_t<F>>, T...>;
  using value = std::remove_cvref_t<std::invoke_result_t<detail::returning<std::decay_t<F>>&, const T&...>>;
  if ((... || (inputs.what_ == nullptr))) throw std::future_error(std::future_errc::no_state);
  auto* const made = new task(*this, detail::returning<std::decay_t<F>>{std::forward<F>(f)}, inputs...);
  future<value> result(made);
  const detail::entered here(steelyard_forks == nullptr);
  count(steelyard_spawned);
  if (made->tie()) made->go();
  return result;
}
/// @endcond

}  // namespace v1
}  // namespace steelyard
