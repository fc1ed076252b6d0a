// SPDX-License-Identifier: Apache-2.0
#include "remember/known_module.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "learn/automatic.hpp"
#include "support/files.hpp"
#include "support/whole_file.hpp"

namespace steelyard::remember {
namespace {

using std::string_view;

struct name {
  char text[room_for_build_id + HOST_NAME_MAX + 32];
};

name name_of(const char* build_id, const char* host) noexcept {
  name made;
  std::snprintf(made.text, sizeof made.text, "%s@%s", build_id, host);
  return made;
}

/// Until it is whole.
name unfinished_name_of(const char* build_id, const char* host) noexcept {
  name made;
  std::snprintf(made.text, sizeof made.text, ".%s@%s.%ld", build_id, host, static_cast<long>(getpid()));
  return made;
}

/// The text of a file that is there and can be trusted; without data: there is none.
string_view read_text(const folder& from, const open_descriptor& opened, const char* file_name, pages& into) noexcept {
  const open_descriptor file(
      support::open_file_in(opened.get(), file_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open() && errno == ENOENT) return {};
  const char* why = file.is_open() ? why_not_trusted(file.get()) : strerror(errno);
  std::span<char> text;
  const auto take = [&](std::size_t bytes) {
    into = pages(bytes);
    return into.get();
  };
  if (why == nullptr) text = support::read_whole(file.get(), learn::largest_knowledge + 1, take, why);
  if (why != nullptr) say_once("%.300s/%.200s is not read (%s)", from.path, file_name, why);
  return {text.data(), text.size()};
}

/// Puts a text together in memory that has room for it.
class writer {
 public:
  explicit writer(const pages& into) noexcept : into_(into) {}
  void put(string_view piece) noexcept {
    if (piece.empty() || piece.size() > into_.size() - used_) return;
    std::memcpy(into_.get() + used_, piece.data(), piece.size());
    used_ += piece.size();
  }
  [[nodiscard]] string_view text() const noexcept { return {into_.get(), used_}; }

 private:
  const pages& into_;
  std::size_t used_ = 0;
};

}  // namespace

/// Unless it is another's or wrong.
learn::knowledge known_module::read_file(const folder& from, const open_descriptor& opened,
                                         pages& into) const noexcept {
  const name file = name_of(build_id_, host_);
  const auto text = read_text(from, opened, file.text, into);
  learn::knowledge found;
  if (text.data() == nullptr) return {};
  auto error = learn::parse(text, found);
  if (error == learn::knowledge_error::none && (found.build_id != build_id_ || found.host != host_))
    error = learn::knowledge_error::foreign;
  if (error == learn::knowledge_error::none) return found;
  say_once("%.300s/%.200s %s; it is ignored, and written anew", from.path, file.text, learn::explain(error));
  return {};
}

void known_module::read(const folder& from, std::uintptr_t address) noexcept {
  const int error = errno;
  reader_ = getpid();
  if (gethostname(host_, sizeof host_ - 1) == 0 && find_build_id(address, build_id_)) {
    const open_descriptor opened(open(from));
    if (opened.is_open()) what_ = read_file(from, opened, text_);
  }
  errno = error;
}

bool known_module::is_of_this_process() const noexcept { return has_name() && reader_ == getpid(); }

bool known_module::recall(learn::known_loop like, std::uint64_t granules, std::uint32_t members,
                          learn::automatic& chooser) const noexcept {
  char text[learn::longest_known_loop];
  const string_view here(text, learn::print_place(like, text));
  for (auto lines = what_.loops; !lines.empty();) {
    const auto line = learn::take_line(lines);
    if (!line.starts_with(here) || !learn::parse(line, like)) continue;
    if (like.what.is_for(granules, members) && chooser.learn(like.what)) return true;
  }
  return false;
}

void known_module::findings::add(const learn::known_loop& loop) noexcept {
  if (lines_.get() == nullptr || count_ == learn::most_known_loops) return;
  if (lines_.size() - used_ < learn::longest_known_loop) return;
  used_ += learn::print(loop, lines_.get() + used_);
  ++count_;
}

/// Returns why it could not (errno), or 0.
int known_module::write(const folder& in, const open_descriptor& opened, const char* path,
                        const findings& found) const noexcept {
  pages room_for_before;
  const auto before = read_file(in, opened, room_for_before);
  const auto lines = found.lines();
  const pages room(std::strlen(path) + before.loops.size() + lines.size() + 1024);
  if (room.get() == nullptr) return ENOMEM;
  writer whole(room);
  learn::print_head({build_id_, host_, path, {}}, [&](string_view piece) { whole.put(piece); });
  learn::each_older(before.loops, lines, found.count(), [&](string_view line) {
    whole.put(line);
    whole.put("\n");
  });
  whole.put(lines);
  char sum[learn::length_of_sum];
  learn::print_sum(whole.text(), sum);
  whole.put({sum, sizeof sum});
  return replace(opened, name_of(build_id_, host_).text, unfinished_name_of(build_id_, host_).text, whole.text().data(),
                 whole.text().size());
}

bool known_module::keep(const folder& in, const char* path, const findings& found) const noexcept {
  if (found.count() == 0) return true;
  const open_descriptor opened(open(in));
  if (!opened.is_open()) return false;
  const open_descriptor held(lock(opened));
  const int error = held.is_open() ? write(in, opened, path, found) : errno;
  if (error != 0) say_once("%.300s cannot be written (%s); what was learnt is lost", in.path, strerror(error));
  return error == 0;
}

}  // namespace steelyard::remember
