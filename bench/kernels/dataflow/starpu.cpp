// SPDX-License-Identifier: Apache-2.0
// dataflow-starpu: tasks with data handles, on its default scheduler; the thread that forks is none of its workers. Handles
// only stand for data, as nothing has to be moved.
#include <starpu.h>

#include <memory>
#include <unordered_map>

#include "kernels.hpp"

namespace {

using namespace dataflow_kernels;

struct handle {
  starpu_data_handle_t it = nullptr;
  handle() { starpu_void_data_register(&it); }
  ~handle() { starpu_data_unregister(it); }
  handle(const handle&) = delete;
  handle& operator=(const handle&) = delete;
};

template <class T>
class handled : public object<T> {
 public:
  handled() : object<T>() {}
  [[nodiscard]] starpu_data_handle_t handle_of() const { return handle_->it; }

 private:
  std::unique_ptr<handle> handle_ = std::make_unique<handle>();
};

class insertions {
 public:
  template <class T>
  using shared = handled<T>;
  static constexpr std::uint64_t most_in_flight = 0;
  static constexpr bool begins_in_run = true;

  template <class F>
  void run(F f) {
    f();
    starpu_task_wait_for_all();
  }
  template <class F, class... A>
  void fork(F f, const A&... accesses) {
    const auto task = task_of(f, accesses...);
    starpu_data_descr its[sizeof...(A)];
    starpu_data_descr* next = its;
    (put(accesses, next), ...);
    const int status = starpu_task_insert(codelet<decltype(task)>(), STARPU_VALUE, &task, sizeof task,
                                          STARPU_DATA_MODE_ARRAY, its, static_cast<int>(next - its), 0);
    if (status != 0) wrong("a task was refused");
  }

 private:
  template <class A>
  void put(const A& access, starpu_data_descr*& next) {
    if constexpr (is_read<A> || is_change<A>) *next++ = {find(access.what), is_read<A> ? STARPU_R : STARPU_RW};
  }
  template <class T>
  starpu_data_handle_t find(handled<T>* object) {
    return object->handle_of();
  }
  template <part T>
  starpu_data_handle_t find(const T& its) {
    auto& found = parts_[its.data()];
    if (!found) found = std::make_unique<handle>();
    return found->it;
  }
  template <class Task>
  static starpu_codelet* codelet() {
    static starpu_codelet all = [] {
      starpu_codelet made{};
      starpu_codelet_init(&made);
      made.cpu_funcs[0] = [](void**, void* arguments) {
        alignas(Task) char bytes[sizeof(Task)];
        starpu_codelet_unpack_args(arguments, bytes);
        (*reinterpret_cast<Task*>(bytes))();
      };
      made.nbuffers = STARPU_VARIABLE_NBUFFERS;
      return made;
    }();
    return &all;
  }

  std::unordered_map<const void*, std::unique_ptr<handle>> parts_;  // from their first task on
};

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  wanted.parse(argc, argv, "A dataflow kernel on StarPU");
  starpu_conf workers;
  starpu_conf_init(&workers);
  workers.ncpus = static_cast<int>(wanted.threads);
  workers.ncuda = workers.nopencl = 0;
  if (starpu_init(&workers) != 0) bad_input("StarPU does not start");
  int status = 0;
  {
    insertions flow;
    status = run(wanted, flow);
  }
  starpu_shutdown();
  return status;
}
