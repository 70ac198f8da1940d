import { Secret } from "../configuration/secret.ts";

/** Address of a Redis server. */
export interface RedisHost {
  readonly host: string;
  readonly port: number;
}

/** Members of every form: our credentials, and whether the connection is encrypted. */
interface RedisAccess {
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: Secret | undefined;
}

/** Which Redis a URL names: one server, a group that Sentinels watch, or a Cluster. */
export type RedisPlace = RedisAccess &
  (
    | { readonly form: "single"; readonly server: RedisHost; readonly database: number }
    | {
        readonly form: "sentinel";
        readonly sentinels: readonly RedisHost[];
        readonly group: string;
        readonly database: number;
      }
    | { readonly form: "cluster"; readonly nodes: readonly RedisHost[] }
  );

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;

const URL_FORM =
  /^(?<scheme>rediss?)(?:\+(?<form>sentinel|cluster))?:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?#@]+)(?<path>\/[^?#]*)?$/;
const HOST_FORM = /^(?<host>\[[0-9a-f:.]+\]|[^:[\]\s]+)(?::(?<port>\d{1,5}))?$/i;
const SHAPE =
  "must be redis://[user:password@]host[:port][/database], redis+sentinel://…@host,host/group[/database] or redis+cluster://…@host,host; with TLS rediss";

/**
 * Reads one of the forms `redis://`, `redis+sentinel://` and `redis+cluster://`, or with TLS `rediss…`. Throws an `Error` that
 * says what is wrong and repeats nothing of the URL.
 */
export function parseRedisPlace(text: string): RedisPlace {
  const found = URL_FORM.exec(text)?.groups;
  if (found === undefined) throw new Error(SHAPE);
  const password = decode(found.password);
  const access = {
    tls: found.scheme === "rediss",
    username: decode(found.user),
    password: password === undefined ? undefined : new Secret(password),
  };
  const names = (found.hosts ?? "").split(",");
  const path = (found.path ?? "").split("/").slice(1);
  switch (found.form) {
    case "sentinel":
      return { ...access, ...ofSentinels(names, path) };
    case "cluster":
      return { ...access, ...ofCluster(names, path) };
    default:
      return { ...access, ...ofServer(names, path) };
  }
}

function decode(part: string | undefined): string | undefined {
  if (part === undefined || part === "") return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error("user and password must be percent-encoded");
  }
}

function ofServer([name = "", ...others]: readonly string[], path: readonly string[]) {
  if (others.length > 0 || path.length > 1) throw new Error(SHAPE);
  return { form: "single" as const, server: parseHost(name, REDIS_PORT), database: parseDatabase(path[0]) };
}

function ofSentinels(names: readonly string[], [group = "", ...path]: readonly string[]) {
  if (group === "" || path.length > 1) throw new Error(SHAPE);
  const sentinels = names.map((name) => parseHost(name, SENTINEL_PORT));
  return { form: "sentinel" as const, sentinels, group, database: parseDatabase(path[0]) };
}

/** A Cluster has one database. */
function ofCluster(names: readonly string[], path: readonly string[]) {
  if (path.some((part) => part !== "")) throw new Error(SHAPE);
  return { form: "cluster" as const, nodes: names.map((name) => parseHost(name, REDIS_PORT)) };
}

function parseHost(text: string, usualPort: number): RedisHost {
  const found = HOST_FORM.exec(text)?.groups;
  const port = Number(found?.port ?? usualPort);
  if (found?.host === undefined || port < 1 || port > 65_535)
    throw new Error("has a host that cannot be read");
  return { host: found.host.replace(/^\[|\]$/g, ""), port };
}

function parseDatabase(text = ""): number {
  if (!/^\d{0,4}$/.test(text)) throw new Error("has a database that is not a number");
  return Number(text);
}
