/**
 * Traces: which part of a call took how long, across both services and the core system. This folder owns W3C Trace Context,
 * spans at the seams of a service (routes, statements, calls of the other service, Redis) and sending them. What is told of
 * a span are names of the code, statuses and our own request id; never a path, a query, a value or anybody's name. What a caller
 * writes into `tracestate` goes with its spans all the same, as the proxy of a bank may need it there (W3C Trace Context 3.3). Without
 * the switch nothing of it is loaded, nothing is wrapped, and only the headers of a caller's trace are handed on.
 */
import type { PrivateClient } from "../client/private-client.ts";
import type { Database } from "../database/database-postgres.ts";
import type { HandedOverRoute, Route } from "../http/call.ts";
import type { Redis } from "../redis/open-redis.ts";

/** What is told of a span beside its name and its time. */
export type SpanFacts = Readonly<Record<string, string | number>>;

/** The seams at which a service is traced. Each gives the same thing, which tells spans while a call is traced. */
export interface Tracing {
  /** Each call of these routes is a span, under that of its caller where there is one; its log line has the id of the trace. */
  routes<R extends Route | HandedOverRoute>(routes: readonly R[]): readonly R[];
  database(database: Database): Database;
  redis(redis: Redis): Redis;
  /** `name` is the other service's. */
  peer(client: PrivateClient, name: string): PrivateClient;
  /** Any other question to somebody else, while it is under way. */
  asking<T>(name: string, facts: SpanFacts, question: () => Promise<T>): Promise<T>;
  /** Headers that tell somebody else where it stands in the trace; none outside of one. */
  headers(): Readonly<Record<string, string>>;
}

/** Where traces are not asked for: everything is as it was given. */
export const NO_TRACING: Tracing = {
  routes: (routes) => routes,
  database: (database) => database,
  redis: (redis) => redis,
  peer: (client) => client,
  asking: (_name, _facts, question) => question(),
  headers: () => ({}),
};
