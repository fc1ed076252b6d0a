// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "dataflow/frame_state.hpp"

namespace steelyard::dataflow {

/// Tasks that are noted once and run many times. They run from a frame like others, but stay; what they wait for is found out
/// for all of them when the first visitor comes, and only looked up from then on.
class recording {
 public:
  recording() noexcept;
  ~recording();
  recording(const recording&) = delete;
  recording& operator=(const recording&) = delete;

  /// False: there is no memory. From now on, until `end`, the calling thread's tasks are noted.
  bool begin() noexcept;
  /// False: one cannot run again, or there was no room for all.
  bool end() noexcept;
  /// There was no room for all.
  [[nodiscard]] bool is_full() const noexcept { return is_full_; }
  /// Something has been done that cannot be noted: `end` will say so.
  void refuse() noexcept { is_refused_ = true; }
  /// A task has been noted for which there is no room.
  void refuse_last() noexcept;

  [[nodiscard]] void* run(bool (*enter)()) noexcept;

  /// Under the lock of `all`, which runs this: as graph::add.
  [[nodiscard]] graph::verdict add(const frame& in, record& task) noexcept;

 private:
  [[nodiscard]] record* first() const noexcept { return reinterpret_cast<record*>(memory_.all().data()); }
  [[nodiscard]] void* run_one_by_one() noexcept;
  [[nodiscard]] void* run_in(frame& in) noexcept;
  bool find_dependencies() noexcept;

  arena memory_;
  frame notes_;
  steelyard_frame* here_before_ = nullptr;
  bool hidden_before_ = false;
  record* end_ = nullptr;
  bool is_full_ = false;
  bool is_refused_ = false;
  // Of each task, by its number: whom it waits for, from where on in one list for all.
  std::vector<std::size_t> begins_;
  std::vector<task_node*> waits_for_;
  std::unique_ptr<std::byte[]> links_;
};

}  // namespace steelyard::dataflow
