// SPDX-License-Identifier: Apache-2.0
// What only worlds use: signals, and data that is not atomic.
#include "execution.hpp"

namespace steelyard::model {

void execution::on_signal(std::function<void()> handler) {
  needs_interleavings();
  me().handler = std::move(handler);
}

void execution::signal(unsigned thread) {
  needs_interleavings();
  step();
  auto e = make(operation::signal, sync::relaxed, "signal", -1);
  e.written = thread;
  const int id = memory_.note(e);
  members_[thread].sent.push_back(id);
}

/// Runs the handler here, for the signal `which` of those sent. Sending does not synchronise with the handler.
void execution::deliver(std::size_t which) {
  auto& m = me();
  auto e = make(operation::handle, sync::relaxed, "handler", -1);
  e.source = m.sent[which];
  m.sent.erase(m.sent.begin() + static_cast<std::ptrdiff_t>(which));
  memory_.note(e);
  m.in_handler = true;
  m.handler();
  me().in_handler = false;
}

/// Between two operations of the thread each signal that was sent may arrive; it may also be lost.
void execution::deliver_signals() {
  auto& m = me();
  if (!m.handler || m.in_handler) return;
  const auto chosen = answers_->choose(1 + static_cast<unsigned>(m.sent.size()));
  if (chosen != 0) deliver(chosen - 1);
}

int execution::construct_data(const void* address, unsigned bytes) {
  const auto* first = static_cast<const char*>(address);
  for (auto& old : cells_) {
    if (!old.live || old.address + old.bytes <= first || first + bytes <= old.address) continue;
    old.live = false;
    for (const int read : old.reads) {
      if (!before(memory_.at(read), memory_.now(running_)))
        fail("data race: storage is used again after " + describe(read));
    }
    if (!before(memory_.at(old.write), memory_.now(running_)))
      fail("data race: storage is used again after " + describe(old.write));
  }
  const int id = memory_.note(make(operation::data_write, sync::relaxed, "constructor", -1));
  cells_.push_back({first, bytes, true, id, {}});
  return static_cast<int>(cells_.size()) - 1;
}

void execution::access_data(int number, const void* address, bool write) {
  if (number < 0 || number >= static_cast<int>(cells_.size()) ||
      cells_[static_cast<std::size_t>(number)].address != address || !cells_[static_cast<std::size_t>(number)].live) {
    fail("data is used that was not constructed in this execution");
  }
  auto& c = cells_[static_cast<std::size_t>(number)];
  const auto& now = memory_.now(running_);
  if (!before(memory_.at(c.write), now)) fail("data race with " + describe(c.write));
  if (write) {
    for (const int read : c.reads) {
      if (!before(memory_.at(read), now)) fail("data race with " + describe(read));
    }
    c.reads.clear();
  }
  const int id = memory_.note(make(write ? operation::data_write : operation::data_read, sync::relaxed, "data", -1));
  if (write) {
    c.write = id;
  } else {
    c.reads.push_back(id);
  }
}

}  // namespace steelyard::model
