/**
 * What a process tells of itself in figures. This folder owns their registry and the figures of what every service has: calls,
 * connections, certificates, statements, caches, jobs. What is counted, and when, is decided where it happens.
 */
import { Counter, collectDefaultMetrics, Registry } from "prom-client";
import { lostLines } from "../log/lost-lines.ts";
import { DurationMetric, type Durations } from "./duration-metric.ts";

/** One finished call, as the metrics see it. */
export interface ObservedCall {
  readonly listener: string;
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** Rate, errors and duration per route. */
export interface HttpMetrics {
  observe(call: ObservedCall): void;
  /** Is told of a call, observed too, whose caller has gone: how long it had waited, since its request was whole, for nothing. */
  observeGone(call: { readonly listener: string; readonly waitedSeconds: number }): void;
}

/** The metrics of one process, in the Prometheus text format. */
export interface ProcessMetrics extends HttpMetrics {
  readonly registry: Registry;
  present(): Promise<{ readonly type: string; readonly body: string }>;
}

const LABELS = ["listener", "route", "method", "status"] as const;
/** The status of a call whose caller did not wait for its answer; it is never sent. */
export const CALLER_GONE = 499;
/**
 * Who goes after so long counts as not replied to. EBA/GL/2018/07, guideline 2.4, says 30 s, and hardly a TPP waits so long: a
 * turn, auth and the core system together take 7.5 s by the limits of the services, so that in more something hangs.
 */
const REPLY_LIMIT_SECONDS = 8;

/** Creates the registry of a process with Node's own figures, that of its log, and those of HTTP. */
export function createMetrics(service: string): ProcessMetrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  tellOfNode(registry);
  tellLostLines(registry);
  return {
    registry,
    observe: countCalls(registry),
    observeGone: countGivenUp(registry),
    present: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  };
}

let ofNode: Registry | undefined;

/** Node's own figures are of the process, and what measures them cannot be stopped: of several registries all tell the same. */
function tellOfNode(registry: Registry): void {
  if (ofNode === undefined) {
    ofNode = new Registry();
    collectDefaultMetrics({ register: ofNode });
  }
  for (const { name } of ofNode.getMetricsAsArray()) {
    const metric = ofNode.getSingleMetric(name);
    if (metric !== undefined) registry.registerMetric(metric);
  }
}

/** What callers use who mean a route, or look for one; each label of the metrics is a closed list. */
const COUNTED_METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "OPTIONS",
]);

/** Any other method of HTTP is counted with its kind: a stranger has thirty to send to each listener. */
function countedMethod(method: string): string {
  return COUNTED_METHODS.has(method) ? method : "other";
}

/** Adds the figure of the log of this process; every one has a log, also the first of several. */
export function tellLostLines(registry: Registry): void {
  new Counter({
    registers: [registry],
    name: "log_lines_lost_total",
    help: "Lines of the log that were lost: nobody read it, or its disk was full, until 64 MiB of it waited.",
    collect() {
      this.reset();
      this.inc(lostLines());
    },
  });
}

/** Labels are made once for each kind of call; of these there are as many as routes have methods and statuses. */
function countCalls(registry: Registry): HttpMetrics["observe"] {
  const kinds = new Map<string, Durations>();
  new Counter({
    labelNames: LABELS,
    registers: [registry],
    name: "http_requests_total",
    help: "Calls that have ended, by the status of their answer; 499 where the caller did not wait for it.",
    collect() {
      this.reset();
      for (const { labels, count } of kinds.values()) this.inc(labels, count);
    },
  });
  const durations = new DurationMetric({
    name: "http_request_duration_seconds",
    help: "Time of a call, from its whole header, once its turn on its connection has come, to the last byte of its answer.",
    labelNames: LABELS,
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registry,
  });
  return (call) => {
    const { listener, route, status } = call;
    const method = countedMethod(call.method);
    const name = `${listener} ${route} ${method} ${status}`;
    const known = kinds.get(name);
    const kind = known ?? durations.kind({ listener, route, method, status: String(status) });
    if (known === undefined) kinds.set(name, kind);
    durations.add(kind, call.seconds);
  };
}

function countGivenUp(registry: Registry): HttpMetrics["observeGone"] {
  const givenUp = new Counter({
    labelNames: ["listener"] as const,
    registers: [registry],
    name: "http_requests_given_up_total",
    help: "Calls whose callers had sent them whole and went after 8 s or more without an answer; http_requests_total has them under status 499.",
  });
  return ({ listener, waitedSeconds }) => {
    if (waitedSeconds >= REPLY_LIMIT_SECONDS) givenUp.inc({ listener });
  };
}
