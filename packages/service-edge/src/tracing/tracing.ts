/**
 * Traces show how long each part of a call took, across both services and the core system. This folder owns W3C Trace Context,
 * spans at the seams of a service (routes, statements, calls of the other service, Redis) and sending them.
 *
 * A span reports names of the code, statuses and our own request id; never a path, a query, a value or anybody's name. A
 * caller's `tracestate` is passed on with its spans nevertheless, because a proxy of the bank may need it there (W3C Trace
 * Context 3.3). If tracing is off, no library is loaded, nothing is wrapped, and only the headers of a caller's trace are
 * passed on.
 */
import type { PrivateClient } from "../client/private-client.ts";
import type { Database } from "../database/database-postgres.ts";
import type { HandedOverRoute, Route } from "../http/call.ts";
import type { Redis } from "../redis/open-redis.ts";

/** Facts of a span besides its name and its time. */
export type SpanFacts = Readonly<Record<string, string | number>>;

/** The seams at which a service is traced. Each method returns an equivalent value that makes spans while a call is traced. */
export interface Tracing {
  /** Makes each call of these routes a span, under that of its caller if there is one; its log line has the id of the trace. */
  routes<R extends Route | HandedOverRoute>(routes: readonly R[]): readonly R[];
  database(database: Database): Database;
  redis(redis: Redis): Redis;
  /** `name` is the other service's. */
  peer(client: PrivateClient, name: string): PrivateClient;
  /** Traces any other outgoing question, while it is under way. */
  asking<T>(name: string, facts: SpanFacts, question: () => Promise<T>): Promise<T>;
  /** Headers that tell another service its position in the trace; none outside a trace. */
  headers(): Readonly<Record<string, string>>;
}

/** Tracing that is off: returns everything as it was given. */
export const NO_TRACING: Tracing = {
  routes: (routes) => routes,
  database: (database) => database,
  redis: (redis) => redis,
  peer: (client) => client,
  asking: (_name, _facts, question) => question(),
  headers: () => ({}),
};
