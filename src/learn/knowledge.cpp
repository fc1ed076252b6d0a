// SPDX-License-Identifier: Apache-2.0
#include "learn/knowledge.hpp"

#include <algorithm>

#include "learn/digits.hpp"
#include "schedules/registry.hpp"
#include "support/words.hpp"

namespace steelyard::learn {
namespace {

using std::string_view;

// A number below 4,096 is two of these.
constexpr string_view digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
constexpr string_view by_shares = "shares";
constexpr string_view handed_out = "chunks";
constexpr string_view no_costs = "no-costs";  ///< in their place, where none are known
constexpr std::size_t longest_word = 32;

bool is_word(string_view text) noexcept {
  return !text.empty() && text.size() <= longest_word &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

/// Words into memory that has room for them, with a blank between them.
class words {
 public:
  explicit words(char* into) noexcept : begin_(into), end_(into) {}
  words& operator<<(string_view text) noexcept {
    if (end_ != begin_) *end_++ = ' ';
    end_ = std::copy(text.begin(), text.end(), end_);
    return *this;
  }
  words& operator<<(std::uint64_t value) noexcept {
    room_for_digits room;
    return *this << digits_of(value, room);
  }
  words& operator<<(const std::array<std::uint16_t, density::bins>& costs) noexcept {
    *end_++ = ' ';
    for (const auto cost : costs) {
      *end_++ = digits[cost / 64 % 64];
      *end_++ = digits[cost % 64];
    }
    return *this;
  }
  std::size_t end(char last) noexcept {
    *end_++ = last;
    return static_cast<std::size_t>(end_ - begin_);
  }

 private:
  char* begin_;
  char* end_;
};

/// The words of a line, each of which is as it has to be, or nothing is right.
class reader {
 public:
  explicit reader(string_view line) noexcept : rest_(line) {}

  string_view word() noexcept { return support::take_first(rest_, ' '); }
  std::uint64_t number(std::uint64_t least, std::uint64_t most = ~std::uint64_t{0}) noexcept {
    const auto text = word();
    std::uint64_t value = 0;
    expect(!text.empty() && (text.size() == 1 || text.front() != '0'));
    for (const char c : text) {
      const auto digit = static_cast<std::uint64_t>(c - '0');
      expect(c >= '0' && c <= '9' && value <= (~std::uint64_t{0} - digit) / 10);
      if (right_) value = 10 * value + digit;
    }
    expect(value >= least && value <= most);
    return value;
  }
  void costs(std::array<std::uint16_t, density::bins>& into) noexcept {
    const auto text = word();
    expect(text.size() == std::size_t{2} * density::bins);
    for (std::size_t bin = 0; right_ && bin < density::bins; ++bin) {
      const auto high = digits.find(text[2 * bin]);
      const auto low = digits.find(text[2 * bin + 1]);
      expect(high != string_view::npos && low != string_view::npos);
      if (right_) into[bin] = static_cast<std::uint16_t>(high * 64 + low);
    }
  }
  void expect(bool holds) noexcept { right_ = right_ && holds; }
  [[nodiscard]] bool is_right() const noexcept { return right_ && rest_.empty(); }

 private:
  string_view rest_;
  bool right_ = true;
};

/// FNV-1a: who changes a file knows what he does, who cuts it short does not.
std::uint64_t sum_of(string_view text) noexcept {
  std::uint64_t sum = 0xcbf29ce484222325U;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return sum;
}

bool is_build_id(string_view text) noexcept {
  return text.size() >= 2 && text.size() <= 128 &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

std::size_t print_place(const known_loop& loop, char* into) noexcept {
  if (!is_word(loop.api)) return 0;
  words to(into);
  to << "loop" << loop.offset << loop.api << loop.granule;
  return to.end(' ');
}

std::size_t print(const known_loop& loop, char* into) noexcept {
  const auto& what = loop.what;
  const auto length = print_place(loop, into);
  if (length == 0) return 0;
  words to(into + length);
  to << what.iterations << std::uint64_t{what.members} << what.how.schedule->about.name << what.how.chunk
     << std::uint64_t{what.how.members};
  to << (what.how.by_shares ? by_shares : handed_out) << what.usual << what.work << what.deviation << what.hand_over;
  if (what.work != 0)
    to << what.costs;
  else
    to << no_costs;
  return length + to.end('\n');
}

bool parse(string_view line, known_loop& into) noexcept {
  constexpr std::uint64_t most_members = ~std::uint32_t{0};
  reader from(line);
  from.expect(from.word() == "loop");
  into.offset = from.number(0);
  into.api = from.word();
  from.expect(is_word(into.api));
  into.granule = from.number(1);
  auto& what = into.what;
  what.iterations = from.number(1);
  what.members = static_cast<std::uint32_t>(from.number(2, most_members));
  what.how.schedule = schedules::find(from.word());
  from.expect(what.how.schedule != nullptr);
  what.how.chunk = from.number(0);
  what.how.members = static_cast<std::uint32_t>(from.number(2, what.members));
  const auto kind = from.word();
  from.expect(kind == by_shares || kind == handed_out);
  what.how.by_shares = kind == by_shares;
  what.usual = from.number(1);
  what.work = from.number(0);
  what.deviation = from.number(0);
  what.hand_over = from.number(0);
  what.costs = {};
  if (what.work != 0)
    from.costs(what.costs);
  else
    from.expect(from.word() == no_costs);
  return from.is_right();
}

bool is_same_loop(const known_loop& one, const known_loop& other) noexcept {
  return one.offset == other.offset && one.api == other.api && one.granule == other.granule &&
         one.what.is_for(other.what.iterations, other.what.members);
}

bool is_among(string_view lines, const known_loop& loop) noexcept {
  char text[longest_known_loop];
  const string_view place(text, print_place(loop, text));
  known_loop other;
  while (!lines.empty()) {
    const auto line = take_line(lines);
    if (line.starts_with(place) && parse(line, other) && is_same_loop(other, loop)) return true;
  }
  return false;
}

void print_sum(string_view before, char* into) noexcept {
  constexpr string_view word = "sum ";
  into = std::copy(word.begin(), word.end(), into);
  const auto sum = sum_of(before);
  for (int digit = 0; digit < 16; ++digit) *into++ = "0123456789abcdef"[sum >> (60 - 4 * digit) & 15];
  *into = '\n';
}

knowledge_error parse(string_view text, knowledge& into) noexcept {
  constexpr string_view name = "steelyard knowledge ";
  if (!text.starts_with(name)) return knowledge_error::foreign;
  if (!text.starts_with(knowledge_heads[0]) || !text.substr(knowledge_heads[0].size()).starts_with('\n'))
    return text.find('\n') != string_view::npos ? knowledge_error::other_version : knowledge_error::damaged;
  if (text.size() < length_of_sum) return knowledge_error::damaged;
  const auto before = text.substr(0, text.size() - length_of_sum);
  char sum[length_of_sum];
  print_sum(before, sum);
  if (text.substr(before.size()) != string_view(sum, sizeof sum)) return knowledge_error::damaged;
  knowledge found;
  found.loops = before;
  static_cast<void>(take_line(found.loops));
  string_view* const heads[] = {&found.build_id, &found.host, &found.module};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto line = take_line(found.loops);
    if (!line.starts_with(knowledge_heads[i + 1])) return knowledge_error::damaged;
    *heads[i] = line.substr(knowledge_heads[i + 1].size());
  }
  if (!is_build_id(found.build_id)) return knowledge_error::damaged;
  into = found;
  return knowledge_error::none;
}

const char* explain(knowledge_error error) noexcept {
  switch (error) {
    case knowledge_error::none:
      return "is right";
    case knowledge_error::foreign:
      return "is no file of what Steelyard has learnt";
    case knowledge_error::other_version:
      return "was written by another version of Steelyard";
    case knowledge_error::damaged:
      break;
  }
  return "is damaged";
}

}  // namespace steelyard::learn
