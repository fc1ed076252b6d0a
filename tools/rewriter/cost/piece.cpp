// SPDX-License-Identifier: Apache-2.0
#include "piece.hpp"

#include <algorithm>

namespace steelyard::rewriter::cost {

namespace {

constexpr double dearer = 8;  // what a trip of a slice's loop costs, about

using form = piece::form;

bool is_loop(const piece& part) { return part.is == form::closed_loop || part.is == form::real_loop; }

double typical_of(const piece& part) {
  switch (part.is) {
    case form::definition:
      return 0;
    case form::closed_loop:
    case form::real_loop:
      return part.usual_trips * (part.each_time.weight + part.body.typical());
    case form::branch:
    case form::maximum:
      return std::max(part.body.typical(), part.otherwise.typical());
    default:
      return part.body.typical();
  }
}

double price_of(const piece& part) {
  if (part.is == form::definition) return part.needed ? 3 : 0;
  const double inner = part.body.price() + part.otherwise.price();
  return part.is == form::real_loop ? part.usual_trips * (dearer / 2 + inner) : dearer + inner;
}

}  // namespace

bool block::varies() const {
  return std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part->is != form::definition; });
}

variables block::depends() const {
  variables all;
  for (const auto& part : parts) {
    if (part->is == form::definition && !part->needed) continue;
    all.insert(part->own_depends.begin(), part->own_depends.end());
    for (const auto* inner : {&part->body, &part->otherwise}) {
      for (const auto* each : inner->depends()) {
        if (!is_loop(*part) || each != part->variable) all.insert(each);
      }
    }
  }
  return all;
}

double block::typical() const {
  double all = fixed.weight;
  for (const auto& part : parts) all += typical_of(*part);
  return all;
}

double block::price() const {
  double all = 0;
  for (const auto& part : parts) all += price_of(*part);
  return all;
}

bool block::may_fault() const {
  return std::any_of(parts.begin(), parts.end(), [](const auto& part) {
    return (part->needed && part->faults) || part->body.may_fault() || part->otherwise.may_fault();
  });
}

std::string printer::factor(double weight) {
  seeds_.push_back(weight);
  return "steelyard_c[" + std::to_string(seeds_.size() - 1) + "]";
}

std::string printer::add(double weight) { return weight == 0 ? "" : "steelyard_w += " + factor(weight) + "; "; }

std::string printer::text_of(const block& whole) { return inside(whole); }

std::string printer::inside(const block& list) {
  // The constant is added first: in C89 no declaration may follow a statement of the same block, so what declares opens one.
  std::string text = add(list.fixed.weight);
  std::string closing;
  for (const auto& part : list.parts) {
    if (part->is == form::definition) {
      if (!part->needed) continue;
      text += "{ " + part->opening + " ";
      closing += "} ";
    } else {
      text += text_of(*part);
    }
  }
  return text + closing;
}

std::string printer::text_of(const piece& part) {
  const auto adds = [&] { return inside(part.body); };
  switch (part.is) {
    case form::closed_loop: {
      if (!part.body.varies()) {
        const double weight = part.each_time.weight + part.body.fixed.weight;
        if (weight == 0) return "";
        return "{ " + part.opening + "if (" + part.condition + ") steelyard_w += " + factor(weight) + " * " +
               part.trips + "; } ";
      }
      std::string text =
          "{ " + part.opening + "if (" + part.condition + ") { double const steelyard_before = steelyard_w; ";
      text += "steelyard_w = 0; " + add(part.each_time.weight) + adds();
      return text + "steelyard_w = steelyard_before + steelyard_w * " + part.trips + "; } } ";
    }
    case form::real_loop:
      return "{ " + part.opening + "for (" +
             (part.range.empty() ? "; " + part.condition + "; " + part.step : part.range) + ") { " +
             add(part.each_time.weight) + adds() + "} } ";
    case form::branch: {
      const auto text = "if (" + part.condition + ") { " + adds() + "} ";
      const auto other = inside(part.otherwise);
      return other.empty() ? text : text + "else { " + other + "} ";
    }
    case form::maximum:
      return "{ double const steelyard_before = steelyard_w; double steelyard_then; steelyard_w = 0; " + adds() +
             "steelyard_then = steelyard_w; steelyard_w = 0; " + inside(part.otherwise) +
             "steelyard_w = steelyard_before + (steelyard_then >= steelyard_w ? steelyard_then : steelyard_w); } ";
    default:
      return "{ " + part.opening + adds() + "} ";
  }
}

namespace {

void append(std::string& sum, const std::string& term) {
  if (term.empty()) return;
  sum += (sum.empty() ? "" : " + ") + term;
}

std::string term_of(const piece& part) {
  const auto body = formula_of(part.body);
  switch (part.is) {
    case form::definition:
      return "";
    case form::closed_loop:
    case form::real_loop: {
      std::string all = part.each_time.names.empty() ? "" : part.each_time.names.front();
      append(all, body);
      for (std::size_t i = 1; i < part.each_time.names.size(); ++i) append(all, part.each_time.names[i]);
      return (part.is == form::real_loop ? "sum over " : "") + part.bound + " * (" + all + ")";
    }
    case form::branch:
      return "(" + part.condition + " ? " + (body.empty() ? "0" : body) + " : " +
             (part.otherwise.varies() || !part.otherwise.fixed.names.empty() ? formula_of(part.otherwise) : "0") + ")";
    case form::maximum:
      return "MAX(" + (body.empty() ? "0" : body) + ", " +
             (formula_of(part.otherwise).empty() ? "0" : formula_of(part.otherwise)) + ")";
    default:
      return body;
  }
}

}  // namespace

std::string formula_of(const block& whole) {
  std::string sum;
  for (const auto& name : whole.fixed.names) append(sum, name);
  for (const auto& part : whole.parts) append(sum, term_of(*part));
  return sum;
}

}  // namespace steelyard::rewriter::cost
