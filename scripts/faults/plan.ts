import { EXPIRY } from "./cases/expiry.ts";
import { MEMBERS } from "./cases/members.ts";
import { NETWORK } from "./cases/network.ts";
import { planPgBouncer } from "./cases/pgbouncer.ts";
import { POSTGRES } from "./cases/postgres.ts";
import { REDIS, REDIS_BEHIND_SENTINELS } from "./cases/redis.ts";
import { SEVERAL } from "./cases/several.ts";
import { SUITES } from "./cases/suites.ts";
import type { PlannedGroup } from "./fault-case.ts";

/** Every fault that is tried out, in the order in which it runs. */
export function planFaults({
  pgbouncer,
}: {
  readonly pgbouncer?: string | undefined;
}): readonly PlannedGroup[] {
  return [
    POSTGRES,
    ...(pgbouncer === undefined ? [] : [planPgBouncer(pgbouncer)]),
    REDIS,
    REDIS_BEHIND_SENTINELS,
    NETWORK,
    SEVERAL,
    EXPIRY,
    MEMBERS,
    SUITES,
  ];
}
