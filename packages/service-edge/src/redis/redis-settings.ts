import { readCertificates } from "../configuration/key-files.ts";
import type { ConfigurationReader } from "../configuration/read-configuration.ts";
import type { Variable } from "../configuration/variable.ts";
import type { RedisSettings } from "./connect-redis.ts";
import { parseRedisPlace } from "./redis-place.ts";

/** Rows about Redis in the table of variables. */
export const REDIS_VARIABLES: readonly Variable[] = [
  {
    name: "REDIS_URL",
    meaning:
      "Redis for short-lived data that may be lost: `redis://user:password@host:6379/0`, `redis+sentinel://…@host,host/group/0`, `redis+cluster://…@host,host`; with TLS, `rediss…`. Or `REDIS_URL_FILE`, a file that contains it. Absent: PostgreSQL keeps that data",
    optional: true,
    secret: true,
  },
  {
    name: "REDIS_AUTHORITY_FILE",
    meaning: "PEM of the CA that certifies Redis. Absent: the system's CAs",
    optional: true,
  },
];

/** Reads the variables about Redis; undefined if there is none. */
export function readRedisSettings(read: ConfigurationReader): RedisSettings | undefined {
  const url = read.optionalSecret("REDIS_URL", parseRedisPlace);
  const hasAuthority = read.optionalText("REDIS_AUTHORITY_FILE") !== undefined;
  const authority = hasAuthority ? readCertificates(read, "REDIS_AUTHORITY_FILE") : undefined;
  if (hasAuthority && url?.tls !== true)
    read.fault("REDIS_AUTHORITY_FILE is set, but REDIS_URL is not rediss");
  return url === undefined ? undefined : { place: url, authority };
}
