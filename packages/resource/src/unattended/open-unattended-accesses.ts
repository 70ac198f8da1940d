import { type ServiceParts, startForgetting, trustingDatabaseClock } from "@cobs/service-edge";
import { countAccessesIn } from "./access-counts-postgres.ts";
import type { AccessLimits } from "./access-limits.ts";
import { rememberAccesses } from "./remembered-accesses.ts";
import { createUnattendedAccesses, type UnattendedAccesses } from "./unattended-accesses.ts";

/** Opens the accesses of a process, counted in its database; the lifecycle stops the deletion of old ones. */
export function openUnattendedAccesses(
  { database, clock, log, lifecycle, countCache, countJob }: ServiceParts,
  limits: AccessLimits,
): UnattendedAccesses {
  const counts = countAccessesIn(database);
  const again = trustingDatabaseClock({ database, clock }, countJob("accesses_forgetting"));
  const forgetting = startForgetting(counts.forgetOld, {
    log,
    failure: "old accesses could not be deleted",
    again,
  });
  lifecycle.onStop("deletion of old accesses", forgetting.stop);
  return createUnattendedAccesses({ counts, limits, remembered: rememberAccesses({ clock, countCache }) });
}
