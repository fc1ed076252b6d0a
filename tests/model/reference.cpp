// SPDX-License-Identifier: Apache-2.0
#include "reference.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

namespace steelyard::model::reference {
namespace {

constexpr std::size_t most = 16;

/// A relation on events.
class relation {
 public:
  bool operator()(std::size_t a, std::size_t b) const { return rows_[a][b]; }
  void add(std::size_t a, std::size_t b) { rows_[a][b] = true; }
  void close(std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) rows_[i][j] = rows_[i][j] || (rows_[i][k] && rows_[k][j]);
      }
    }
  }
  [[nodiscard]] bool irreflexive(std::size_t n) const {
    for (std::size_t i = 0; i < n; ++i) {
      if (rows_[i][i]) return false;
    }
    return true;
  }

 private:
  std::array<std::array<bool, most>, most> rows_{};
};

struct node {
  instruction made;
  std::size_t thread = 0;
  bool initial = false;
  bool reads = false;
  bool writes = false;  ///< of a compare_exchange: this time
  sync::order how = sync::relaxed;
  int read = 0;
  int written = 0;
  bool valued = false;
  [[nodiscard]] bool fence() const { return made.what == operation::fence; }
  [[nodiscard]] bool sc() const { return !initial && how == sync::seq_cst; }
};

class candidate {
 public:
  candidate(const program& threads, std::set<std::string>& found) : found_(found) {
    for (int w = 0; w < words; ++w) {
      node n;
      n.made = {operation::store, w, sync::relaxed, sync::relaxed, 0, 0};
      n.initial = true;
      nodes_.push_back(n);
    }
    for (std::size_t t = 0; t < threads.size(); ++t) {
      for (const auto& i : threads[t]) {
        node n;
        n.made = i;
        n.thread = t;
        nodes_.push_back(n);
      }
    }
    for (std::size_t a = 0; a < size(); ++a) {
      for (std::size_t b = a + 1; b < size(); ++b) {
        if (nodes_[b].initial) continue;
        if (nodes_[a].initial || nodes_[a].thread == nodes_[b].thread) before_.add(a, b);
      }
    }
    source_.assign(size(), 0);
  }

  void try_all() { choose_kind(0); }

 private:
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  /// Every compare_exchange succeeds or fails.
  void choose_kind(std::size_t i) {
    if (i == size()) return choose_source(0);
    auto& n = nodes_[i];
    n.how = n.made.how;
    n.reads = !n.initial && n.made.what != operation::store && !n.fence();
    n.writes = n.made.what == operation::store || n.made.what == operation::fetch_add;
    if (n.made.what != operation::compare_exchange) return choose_kind(i + 1);
    n.writes = true;
    choose_kind(i + 1);
    nodes_[i].writes = false;
    nodes_[i].how = nodes_[i].made.failure;
    choose_kind(i + 1);
  }

  void choose_source(std::size_t i) {
    if (i == size()) {
      if (values_hold()) choose_modification_order(0);
      return;
    }
    if (!nodes_[i].reads) return choose_source(i + 1);
    for (std::size_t w = 0; w < size(); ++w) {
      if (w == i || !nodes_[w].writes || nodes_[w].made.word != nodes_[i].made.word) continue;
      source_[i] = w;
      choose_source(i + 1);
    }
  }

  /// Computes the values along reads-from; false where that goes in a circle or a compare_exchange contradicts itself.
  bool values_hold() {
    relation leads = before_;
    for (std::size_t r = 0; r < size(); ++r) {
      if (nodes_[r].reads) leads.add(source_[r], r);
    }
    leads.close(size());
    if (!leads.irreflexive(size())) return false;
    for (auto& n : nodes_) n.valued = false;
    for (std::size_t i = 0; i < size(); ++i) evaluate(i);
    return std::all_of(nodes_.begin(), nodes_.end(), [](const node& n) {
      return n.made.what != operation::compare_exchange || (n.read == n.made.expected) == n.writes;
    });
  }

  void evaluate(std::size_t i) {
    auto& n = nodes_[i];
    if (n.valued) return;
    n.valued = true;
    if (n.reads) {
      evaluate(source_[i]);
      n.read = nodes_[source_[i]].written;
    }
    n.written = n.made.what == operation::fetch_add ? n.read + n.made.value : n.made.value;
  }

  void choose_modification_order(int word) {
    if (word == words) return check();
    auto& order = modified_[static_cast<std::size_t>(word)];
    order.clear();
    for (std::size_t i = 0; i < size(); ++i) {
      if (nodes_[i].writes && nodes_[i].made.word == word) order.push_back(i);
    }
    // The initial value is first.
    do {
      choose_modification_order(word + 1);
    } while (std::next_permutation(order.begin() + 1, order.end()));
  }

  [[nodiscard]] bool same_word(std::size_t a, std::size_t b) const {
    return !nodes_[a].fence() && !nodes_[b].fence() && nodes_[a].made.word == nodes_[b].made.word;
  }

  void check() {
    order_ = {};
    for (const auto& writes : modified_) {
      for (std::size_t i = 0; i < writes.size(); ++i) {
        for (std::size_t j = i + 1; j < writes.size(); ++j) order_.add(writes[i], writes[j]);
      }
    }
    if (!updates_are_atomic()) return;
    happens_before();
    if (!happens_.irreflexive(size()) || !coherent() || !sequentially_consistent()) return;
    found_.insert(outcome());
  }

  [[nodiscard]] bool updates_are_atomic() const {
    for (std::size_t u = 0; u < size(); ++u) {
      if (!nodes_[u].reads || !nodes_[u].writes) continue;
      const auto& writes = modified_[static_cast<std::size_t>(nodes_[u].made.word)];
      const auto at = std::find(writes.begin(), writes.end(), u);
      if (at == writes.begin() || *(at - 1) != source_[u]) return false;
    }
    return true;
  }

  /// w is in the release sequence headed by a: a, then read-modify-writes only.
  [[nodiscard]] bool in_release_sequence(std::size_t a, std::size_t w) const {
    if (a == w) return true;
    const auto& writes = modified_[static_cast<std::size_t>(nodes_[a].made.word)];
    auto at = std::find(writes.begin(), writes.end(), a);
    for (++at; at != writes.end() && nodes_[*at].reads; ++at) {
      if (*at == w) return true;
    }
    return false;
  }

  /// [atomics.order]/2 and [atomics.fences]: b reads from the release sequence of a; the two ends are the operations
  /// themselves or fences around them.
  void synchronise(std::size_t a, std::size_t b) {
    for (std::size_t x = 0; x < size(); ++x) {
      const bool from = (x == a && releases(nodes_[a].how) && !nodes_[a].initial) ||
                        (nodes_[x].fence() && releases(nodes_[x].how) && before_(x, a));
      if (!from) continue;
      for (std::size_t y = 0; y < size(); ++y) {
        const bool to =
            (y == b && acquires(nodes_[b].how)) || (nodes_[y].fence() && acquires(nodes_[y].how) && before_(b, y));
        if (to) synchronises_.add(x, y);
      }
    }
  }

  void happens_before() {
    synchronises_ = {};
    for (std::size_t b = 0; b < size(); ++b) {
      if (!nodes_[b].reads) continue;
      for (const auto a : modified_[static_cast<std::size_t>(nodes_[b].made.word)]) {
        if (a != b && in_release_sequence(a, source_[b])) synchronise(a, b);
      }
    }
    happens_ = before_;
    for (std::size_t a = 0; a < size(); ++a) {
      for (std::size_t b = 0; b < size(); ++b) {
        if (synchronises_(a, b)) happens_.add(a, b);
      }
    }
    happens_.close(size());
  }

  /// The write that a read, or the read half of an update, sees; a write itself.
  [[nodiscard]] bool coherent() const {
    for (std::size_t a = 0; a < size(); ++a) {
      for (std::size_t b = 0; b < size(); ++b) {
        if (!happens_(a, b) || !same_word(a, b)) continue;
        const auto& x = nodes_[a];
        const auto& y = nodes_[b];
        if (x.writes && y.writes && !order_(a, b)) return false;
        if (x.reads && y.reads && order_(source_[b], source_[a])) return false;
        if (x.reads && y.writes && (source_[a] == b || order_(b, source_[a]))) return false;
        if (x.writes && y.reads && source_[b] != a && order_(source_[b], a)) return false;
      }
    }
    return true;
  }

  [[nodiscard]] relation coherence_order() const {
    relation result = order_;
    for (std::size_t r = 0; r < size(); ++r) {
      if (!nodes_[r].reads) continue;
      result.add(source_[r], r);
      for (std::size_t w = 0; w < size(); ++w) {
        if (w != r && order_(source_[r], w)) result.add(r, w);
      }
    }
    result.close(size());
    return result;
  }

  [[nodiscard]] relation strongly_happens_before() const {
    relation result = before_;
    for (std::size_t a = 0; a < size(); ++a) {
      for (std::size_t d = 0; d < size(); ++d) {
        if (synchronises_(a, d) && nodes_[a].sc() && nodes_[d].sc()) result.add(a, d);
        for (std::size_t b = 0; b < size(); ++b) {
          for (std::size_t c = 0; c < size(); ++c) {
            if (before_(a, b) && happens_(b, c) && before_(c, d)) result.add(a, d);
          }
        }
      }
    }
    result.close(size());
    return result;
  }

  [[nodiscard]] bool is_sc_fence(std::size_t x) const { return nodes_[x].fence() && nodes_[x].sc(); }

  /// Is there a total order S as [atomics.order]/4 demands?
  [[nodiscard]] bool sequentially_consistent() const {
    const auto coherence = coherence_order();
    const auto strongly = strongly_happens_before();
    relation demanded;
    for (std::size_t x = 0; x < size(); ++x) {
      for (std::size_t y = 0; y < size(); ++y) {
        if (x == y || !nodes_[x].sc() || !nodes_[y].sc()) continue;
        if (strongly(x, y)) demanded.add(x, y);
      }
    }
    for (std::size_t a = 0; a < size(); ++a) {
      for (std::size_t b = 0; b < size(); ++b) {
        if (!coherence(a, b)) continue;
        for (std::size_t x = 0; x < size(); ++x) {
          if (!(x == a && nodes_[a].sc()) && !(is_sc_fence(x) && happens_(x, a))) continue;
          for (std::size_t y = 0; y < size(); ++y) {
            if ((y == b && nodes_[b].sc()) || (is_sc_fence(y) && happens_(b, y))) demanded.add(x, y);
          }
        }
      }
    }
    demanded.close(size());
    return demanded.irreflexive(size());
  }

  [[nodiscard]] std::string outcome() const {
    std::string text;
    for (const auto& n : nodes_) {
      if (n.reads) text += std::to_string(n.read) + " ";
    }
    text += "|";
    for (const auto& writes : modified_) text.append(" ").append(std::to_string(nodes_[writes.back()].written));
    return text;
  }

  std::vector<node> nodes_;
  std::vector<std::size_t> source_;
  std::array<std::vector<std::size_t>, words> modified_;
  relation before_, order_, synchronises_, happens_;
  std::set<std::string>& found_;
};

}  // namespace

std::string text_of(const program& threads) {
  std::string text;
  for (const auto& thread : threads) {
    for (const auto& i : thread) {
      text += name_of(i.what);
      text += i.word == 0 ? " x " : " y ";
      text += name_of(i.how);
      if (i.what == operation::compare_exchange) text.append("/").append(name_of(i.failure));
      if (i.what == operation::compare_exchange) text.append(" ").append(std::to_string(i.expected)).append(" ->");
      text.append(" ").append(std::to_string(i.value)).append("; ");
    }
    text += "\n";
  }
  return text;
}

std::set<std::string> outcomes_of(const program& threads) {
  std::set<std::string> found;
  candidate(threads, found).try_all();
  return found;
}

}  // namespace steelyard::model::reference
