/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <steelyard/steelyard.h>

int main(void) {
  size_t i;
  for (i = 0; i < steelyard_schedule_count(); i++) printf("%s ", steelyard_schedule_name(i));
  puts(steelyard_version());
  return i > 0 ? 0 : 1;
}
