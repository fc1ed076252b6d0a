/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the schedules through the C interface and shows that bad input is told. */
#include <stdio.h>
#include <steelyard/steelyard.h>
#include <string.h>

int main(void) {
  const size_t count = steelyard_schedule_count();
  steelyard_choice choice = {count, 7};
  for (size_t i = 0; i < count; i++) puts(steelyard_schedule_name(i));
  if (count == 0 || strcmp(steelyard_version(), STEELYARD_VERSION) != 0) return 1;
  if (steelyard_schedule_name(count) != NULL || steelyard_schedule_summary(count) != NULL) return 1;
  if (steelyard_schedule_find("no-such-schedule") != count || steelyard_schedule_find(NULL) != count) return 1;
  if (steelyard_schedule_parse("no-such-schedule", &choice) == NULL || choice.chunk != 7) return 1;
  if (steelyard_schedule_parse(" Dynamic , 64 ", &choice) != NULL || choice.chunk != 64) return 1;
  return choice.schedule == steelyard_schedule_find("DYNAMIC") ? 0 : 1;
}
