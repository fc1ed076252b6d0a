// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What a release does with an assertion whose condition, which is false, counts that it was evaluated.
void assert_where_it_is_off(int& evaluations);

/// Whether assertions are on in this build.
bool are_assertions_on();
