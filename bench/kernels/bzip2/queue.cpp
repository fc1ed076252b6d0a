// SPDX-License-Identifier: Apache-2.0
// bzip2-queue: a master hands blocks to workers, through a queue with a lock, and writes what they have compressed, in order: the
// traditional way, and that of pbzip2. The master is a thread beside `--threads` workers, and sleeps most of the time.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "program.hpp"

namespace {

class workshop {
 public:
  workshop(const bzip2::source& from, std::vector<bzip2::piece>& window, long workers)
      : from_(from), window_(window), done_(window.size()) {
    for (long i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
  }
  ~workshop() {
    put(none);
    for (auto& each : workers_) each.join();
  }
  workshop(const workshop&) = delete;
  workshop& operator=(const workshop&) = delete;

  void lead(bzip2::writer& to) {
    std::size_t given = 0;
    for (std::size_t written = 0; written < from_.blocks(); ++written) {
      while (given < from_.blocks() && given < written + window_.size()) put(given++);
      const std::size_t at = written % window_.size();
      {
        std::unique_lock locked(lock_);
        any_done_.wait(locked, [&] { return done_[at]; });
        done_[at] = false;
      }
      to.write(window_[at]);
    }
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};  // stays in the queue

  void put(std::size_t block) {
    const std::lock_guard locked(lock_);
    queue_.push_back(block);
    more_.notify_one();
  }

  void work() {
    for (std::unique_lock locked(lock_);;) {
      more_.wait(locked, [this] { return !queue_.empty(); });
      const std::size_t block = queue_.front();
      if (block == none) return more_.notify_one();
      queue_.pop_front();
      locked.unlock();
      window_[block % window_.size()].compress(from_, block);
      locked.lock();
      done_[block % window_.size()] = true;
      any_done_.notify_one();
    }
  }

  const bzip2::source& from_;
  std::vector<bzip2::piece>& window_;
  std::mutex lock_;
  std::condition_variable more_, any_done_;
  std::deque<std::size_t> queue_;
  std::vector<bool> done_;
  std::vector<std::thread> workers_;
};

}  // namespace

int main(int argc, char** argv) {
  bzip2::request wanted;
  wanted.parse(argc, argv, "Compresses with a master and workers");
  std::vector<bzip2::piece> window(static_cast<std::size_t>(wanted.window));
  return measure(
      wanted, [&](const bzip2::source& from, bzip2::writer& to) { workshop(from, window, wanted.threads).lead(to); });
}
