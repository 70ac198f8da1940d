import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Log } from "../log/log.ts";
import { presentTraceContext, type TraceContext } from "./trace-context.ts";
import type { SpanFacts } from "./tracing.ts";
import { parseCollectorHeaders, type TracingSettings } from "./tracing-settings.ts";

/** A span of a call, until it ends. */
export interface CallSpan {
  readonly traceId: string;
  /** Runs `work` so that all spans it begins are under this one. */
  run<T>(work: () => Promise<T>): Promise<T>;
  end(status: number): void;
}

/** Spans of one process, sent to a collector in batches. */
export interface Spans {
  beginCall(name: string, facts: SpanFacts, caller: TraceContext | undefined): CallSpan;
  /** Runs `work` in a span under the current one; outside any span, runs `work` alone. */
  within<T>(name: string, facts: SpanFacts, work: () => Promise<T>): Promise<T>;
  /** Headers that name the current span. */
  headers(): Readonly<Record<string, string>>;
  /** Sends the last spans. */
  close(): Promise<void>;
}

const EXPORT_MILLISECONDS = 5_000;
/** Most milliseconds by which a silent collector delays the end of the process. */
const CLOSE_MILLISECONDS = 2_000;
const FIRST_ERROR_STATUS = 500;

export function openSpans(settings: TracingSettings, log: Log): Spans {
  const processor = new BatchSpanProcessor({ exporter: createExporter(settings, log) });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": settings.serviceName ?? "unknown" }),
    sampler: samplerOf(settings),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("cobs");
  const current = new AsyncLocalStorage<Span>();
  return {
    beginCall: (name, facts, caller) => {
      const options = { kind: SpanKind.SERVER, attributes: facts };
      return callSpan(tracer.startSpan(name, options, contextOf(caller)), current);
    },
    within: (name, facts, work) => {
      const parent = current.getStore();
      return parent === undefined ? work() : runWithin({ tracer, parent, current }, { name, facts }, work);
    },
    headers: () => headersOf(current.getStore()),
    // The exporter reports it if the last spans were lost.
    close: () => Promise.race([provider.shutdown().catch(() => undefined), expiry()]),
  };
}

function callSpan(span: Span, current: AsyncLocalStorage<Span>): CallSpan {
  return {
    traceId: span.spanContext().traceId,
    run: (work) => current.run(span, work),
    end: (status) => {
      span.setAttribute("http.response.status_code", status);
      if (status >= FIRST_ERROR_STATUS) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

async function runWithin<T>(
  {
    tracer,
    parent,
    current,
  }: { readonly tracer: Tracer; readonly parent: Span; readonly current: AsyncLocalStorage<Span> },
  { name, facts }: { readonly name: string; readonly facts: SpanFacts },
  work: () => Promise<T>,
): Promise<T> {
  const options = { kind: SpanKind.CLIENT, attributes: facts };
  const span = tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent));
  try {
    return await current.run(span, work);
  } catch (error) {
    // Only its class: a message may repeat what came with a call.
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
    throw error;
  } finally {
    span.end();
  }
}

/** Context of a caller's span, from headers that `readTraceContext` has accepted. */
function contextOf(caller: TraceContext | undefined): Context {
  if (caller === undefined) return ROOT_CONTEXT;
  const [, traceId = "", spanId = "", flags = "00"] = caller.traceparent.split("-");
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
    ...(caller.tracestate !== undefined && { traceState: createTraceState(caller.tracestate) }),
  });
}

function headersOf(span: Span | undefined): Readonly<Record<string, string>> {
  if (span === undefined) return {};
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const flags = traceFlags.toString(16).padStart(2, "0");
  const tracestate = traceState?.serialize();
  return presentTraceContext({
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    tracestate: tracestate || undefined,
  });
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  switch (sampler) {
    case "always_on":
      return new AlwaysOnSampler();
    case "always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
      return new TraceIdRatioBasedSampler(ratio);
    case "parentbased_always_on":
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case "parentbased_always_off":
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case "parentbased_traceidratio":
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
}

/** Creates an exporter that logs once when spans are lost, and once when they arrive again. */
function createExporter({ endpoint, headers }: TracingSettings, log: Log): SpanExporter {
  const url = new URL(`${endpoint.pathname.replace(/\/$/, "")}/v1/traces`, endpoint);
  const exporter = new OTLPTraceExporter({
    url: url.href,
    timeoutMillis: EXPORT_MILLISECONDS,
    ...(headers && { headers: parseCollectorHeaders(headers.reveal()) }),
  });
  let isLost = false;
  return {
    export: (spans, told) =>
      exporter.export(spans, (result) => {
        const { error } = result;
        const facts = error && { spans: spans.length, reason: reasonOf(error) };
        if (facts && !isLost) log.warn(facts, "the trace collector does not accept spans");
        if (!facts && isLost) log.info("the trace collector accepts spans again");
        isLost = facts !== undefined;
        told(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
}

/** Why spans were lost; for an answer only its status. */
function reasonOf(error: Error): string {
  return "code" in error && typeof error.code === "number" ? `status ${error.code}` : error.message;
}

function expiry(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, CLOSE_MILLISECONDS).unref());
}
