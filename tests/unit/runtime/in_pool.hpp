// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "runtime/pool.hpp"

namespace runtime_tests {

/// The thread of the test runs tasks in a pool of its own.
class in_pool : public testing::Test {
 protected:
  explicit in_pool(unsigned workers) : pool_(workers), entered_(pool_.enter_tasks()) {}
  ~in_pool() override {
    if (entered_) steelyard::runtime::seats::leave();
  }
  steelyard::runtime::pool pool_;

 private:
  bool entered_;
};

}  // namespace runtime_tests
