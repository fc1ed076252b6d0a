// SPDX-License-Identifier: Apache-2.0
#include "mutation.hpp"

namespace steelyard::model {
namespace {

/// The orders one step below `how` that the operation may have.
std::vector<order> weaker(operation what, order how) {
  const bool reads = what != operation::store;
  const bool writes = what != operation::load;
  switch (how) {
    case sync::seq_cst:
      if (reads && writes) return {sync::acq_rel};
      return {reads ? sync::acquire : sync::release};
    case sync::acq_rel:
      return {sync::acquire, sync::release};
    case sync::acquire:
    case sync::release:
      // A relaxed fence is none; that is the mutation `remove`.
      if (what == operation::fence) return {};
      return {sync::relaxed};
    default:
      return {};
  }
}

bool is_fence(operation what) noexcept {
  return what == operation::fence || what == operation::light_fence || what == operation::membarrier;
}

}  // namespace

const char* name_of(operation what) noexcept {
  static constexpr const char* names[] = {"construct",        "load",      "store",       "exchange",   "fetch_add",
                                          "compare_exchange", "fence",     "light_fence", "membarrier", "signal",
                                          "handler",          "data read", "data write",  "begin",      "end"};
  return names[static_cast<unsigned>(what)];
}

const char* name_of(order how) noexcept {
  switch (how) {
    case sync::relaxed:
      return "relaxed";
    case sync::acquire:
      return "acquire";
    case sync::release:
      return "release";
    case sync::acq_rel:
      return "acq_rel";
    case sync::seq_cst:
      return "seq_cst";
    default:
      return "?";
  }
}

order load_part(order how) noexcept {
  if (how == sync::acq_rel) return sync::acquire;
  return how == sync::release ? sync::relaxed : how;
}

order store_part(order how) noexcept {
  if (how == sync::acq_rel) return sync::release;
  return how == sync::acquire ? sync::relaxed : how;
}

std::string mutation::text() const {
  std::string result = name_of(where.what);
  result += '(';
  result += name_of(where.how);
  if (where.what == operation::compare_exchange) result += std::string(", ") + name_of(where.failure);
  result += "): ";
  switch (what) {
    case change::weaken:
      return result + "order -> " + name_of(to);
    case change::weaken_failure:
      return result + "failure order -> " + name_of(to);
    case change::remove:
      return result + "removed";
    case change::drop:
      return result + "dropped";
    case change::split:
      return result + "load, then store";
    case change::ignore_failure:
      return result + "failure ignored";
  }
  return result;
}

std::vector<mutation> mutations_of(const access& where) {
  std::vector<mutation> result;
  if (is_fence(where.what)) result.push_back({where, change::remove, {}});
  if (where.what == operation::light_fence || where.what == operation::membarrier) return result;
  for (const order to : weaker(where.what, where.how)) result.push_back({where, change::weaken, to});
  switch (where.what) {
    case operation::store:
      result.push_back({where, change::drop, {}});
      break;
    case operation::compare_exchange:
      for (const order to : weaker(operation::load, where.failure)) {
        result.push_back({where, change::weaken_failure, to});
      }
      result.push_back({where, change::ignore_failure, {}});
      [[fallthrough]];
    case operation::exchange:
    case operation::fetch_add:
      result.push_back({where, change::split, {}});
      break;
    default:
      break;
  }
  return result;
}

}  // namespace steelyard::model
