/**
 * Metrics of a process. This folder owns their registry and the metrics that every service has: calls, connections,
 * certificates, statements, caches, jobs. What is counted, and when, is decided where it happens.
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
  /**
   * Counts a call, also counted by `observe`, whose caller is gone: how long it waited in vain after its request was complete.
   */
  observeGone(call: { readonly listener: string; readonly waitedSeconds: number }): void;
}

/** The metrics of one process, in the Prometheus text format. */
export interface ProcessMetrics extends HttpMetrics {
  readonly registry: Registry;
  present(): Promise<{ readonly type: string; readonly body: string }>;
}

const LABELS = ["listener", "route", "method", "status"] as const;
/** Status of a call whose caller did not wait for its answer; it is never sent. */
export const CALLER_GONE = 499;
/**
 * A caller that leaves after this time counts as not replied to. EBA/GL/2018/07, guideline 2.4, says 30 s, but hardly any TPP
 * waits that long. By the limits of the services, a turn, auth and the core system together take at most 7.5 s, so a longer
 * wait means that something hangs.
 */
const REPLY_LIMIT_SECONDS = 8;

/** Creates the registry of a process with Node's own metrics, those of its log, and those of HTTP. */
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

/** Adds Node's own metrics. They concern the whole process and cannot be stopped, so several registries all report the same. */
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

/** Methods of callers that mean a route, or look for one; each label of the metrics is a closed list. */
const COUNTED_METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "OPTIONS",
]);

/** Groups any other HTTP method, because a stranger can send thirty of them to each listener. */
function countedMethod(method: string): string {
  return COUNTED_METHODS.has(method) ? method : "other";
}

/** Adds the metric of lost log lines; every process has a log, including the first of several. */
export function tellLostLines(registry: Registry): void {
  new Counter({
    registers: [registry],
    name: "log_lines_lost_total",
    help: "Log lines lost because 64 MiB waited unread: the reader stopped, or the disk was full.",
    collect() {
      this.reset();
      this.inc(lostLines());
    },
  });
}

/** Makes labels once per kind of call; there are as many kinds as routes have methods and statuses. */
function countCalls(registry: Registry): HttpMetrics["observe"] {
  const kinds = new Map<string, Durations>();
  new Counter({
    labelNames: LABELS,
    registers: [registry],
    name: "http_requests_total",
    help: "Finished calls, by status of the answer; 499 if the caller did not wait for it.",
    collect() {
      this.reset();
      for (const { labels, count } of kinds.values()) this.inc(labels, count);
    },
  });
  const durations = new DurationMetric({
    name: "http_request_duration_seconds",
    help: "Time of a call, from its complete header (once its turn on the connection has come) to the last byte of the answer.",
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
    help: "Calls sent completely, whose callers left after 8 s or more without an answer; http_requests_total counts them under status 499.",
  });
  return ({ listener, waitedSeconds }) => {
    if (waitedSeconds >= REPLY_LIMIT_SECONDS) givenUp.inc({ listener });
  };
}
