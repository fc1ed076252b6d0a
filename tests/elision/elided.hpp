// SPDX-License-Identifier: Apache-2.0
// What the examples are compiled with once more: fork_task(f, x…) is f(x…), in every example's own words.
#pragma once

#include <steelyard/dataflow.hpp>

namespace steelyard {

template <class F, class... A>
void call_task(F&& task, A&&... args) {
  using values = typename detail::parameters_of<F>::values;
  std::apply(task, values(std::forward<A>(args)...));
}

}  // namespace steelyard

#define fork_task call_task
