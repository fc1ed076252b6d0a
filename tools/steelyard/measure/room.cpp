// SPDX-License-Identifier: Apache-2.0
#include "measure/room.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "text/failure.hpp"
#include "text/printable.hpp"

namespace steelyard::tool {
namespace {

/// While it lives, a file that outgrows the user's limit is an error of write alone.
class no_size_signal {
 public:
  no_size_signal() {
    sigemptyset(&size_);
    sigaddset(&size_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &size_, &before_);
  }
  ~no_size_signal() {
    const timespec at_once{};
    sigtimedwait(&size_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  no_size_signal(const no_size_signal&) = delete;
  no_size_signal& operator=(const no_size_signal&) = delete;

 private:
  sigset_t size_;
  sigset_t before_;
};

/// errno of a file that could not be written; 0: it could.
int try_to_write(const std::filesystem::path& file) {
  const no_size_signal held;
  const std::string text(64 * 1024, '\n');
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno;
  int error = 0;
  for (std::size_t done = 0; done < text.size() && error == 0;) {
    const auto written = write(descriptor, text.data() + done, text.size() - done);
    if (written <= 0) error = written < 0 ? errno : ENOSPC;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  if (close(descriptor) != 0 && error == 0) error = errno;
  unlink(file.c_str());
  return error;
}

}  // namespace

void require_room(const std::filesystem::path& folder) {
  const int error = try_to_write(folder / "room");
  if (error == 0) return;
  throw failure(bad_usage,
                fmt::format("{}: reports cannot be written there ({}); make room, or choose another folder by "
                            "TMPDIR or --keep",
                            printable(folder.native()), std::strerror(error)));
}

}  // namespace steelyard::tool
