import { validateHeaderName, validateHeaderValue } from "node:http";
import type { ConfigurationReader } from "../configuration/read-configuration.ts";
import { Secret } from "../configuration/secret.ts";
import type { Variable } from "../configuration/variable.ts";

/** Whether a call that is not traced yet gets traced, and whether its caller decides. */
const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** Where spans go, and which. */
export interface TracingSettings {
  /** Base URL of the collector; spans go to `v1/traces` below it. */
  readonly endpoint: URL;
  readonly headers: Secret | undefined;
  /** Undefined means the service's own name. */
  readonly serviceName: string | undefined;
  readonly sampler: (typeof SAMPLERS)[number];
  /** From 0 to 1. */
  readonly ratio: number;
}

/** Rows about traces in the table of variables, with the names of OpenTelemetry. */
export const TRACING_VARIABLES: readonly Variable[] = [
  {
    name: "OTEL_TRACES_EXPORTER",
    meaning: "`none`, or `otlp`: spans are sent to a collector (OTLP over HTTP, JSON)",
    default: "none",
  },
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    meaning: "URL of the collector; spans go to `/v1/traces` below it",
    default: "http://localhost:4318",
  },
  {
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    meaning: "Headers for the collector: `name=value,name=value`; or `OTEL_EXPORTER_OTLP_HEADERS_FILE`",
    optional: true,
    secret: true,
  },
  {
    name: "OTEL_SERVICE_NAME",
    meaning: "Name of the service in traces. Absent: `auth` or `resource`",
    optional: true,
  },
  {
    name: "OTEL_TRACES_SAMPLER",
    meaning:
      "Which calls are traced: `always_on`, `always_off`, `traceidratio`; with the prefix `parentbased_`, the caller's decision takes precedence",
    default: "parentbased_always_on",
  },
  {
    name: "OTEL_TRACES_SAMPLER_ARG",
    meaning: "Fraction of calls that `traceidratio` traces, from 0 to 1",
    default: "1",
  },
];

/** Reads the variables about traces; undefined if none are wanted. */
export function readTracingSettings(read: ConfigurationReader): TracingSettings | undefined {
  const exporter = read.choice("OTEL_TRACES_EXPORTER", ["none", "otlp"]);
  const settings = read.together<TracingSettings>({
    endpoint: () => read.url("OTEL_EXPORTER_OTLP_ENDPOINT", ["http:", "https:"]),
    headers: () => read.optionalSecret("OTEL_EXPORTER_OTLP_HEADERS", readHeaders),
    serviceName: () => read.optionalText("OTEL_SERVICE_NAME"),
    sampler: () => read.choice("OTEL_TRACES_SAMPLER", SAMPLERS),
    ratio: () => read.parsed("OTEL_TRACES_SAMPLER_ARG", parseRatio),
  });
  return exporter === "none" ? undefined : settings;
}

/** Refuses now what could not be sent, instead of when the process starts. */
function readHeaders(text: string): Secret {
  parseCollectorHeaders(text);
  return new Secret(text);
}

/** Parses `name=value` pairs, percent-encoded, as OpenTelemetry writes them. Throws an `Error` that repeats nothing of them. */
export function parseCollectorHeaders(text: string): Record<string, string> {
  try {
    const parts = text.split(",").filter((part) => part.trim() !== "");
    const pairs = parts.map((part): [string, string] => {
      const [name = "", ...value] = part.split("=");
      if (value.length === 0) throw new Error("no value");
      return [name.trim(), decodeURIComponent(value.join("=").trim())];
    });
    for (const [name, value] of pairs) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return Object.fromEntries(pairs);
  } catch {
    throw new Error("must be name=value,name=value with percent-encoded values that a header may have");
  }
}

function parseRatio(text: string): number {
  const ratio = Number(text);
  if (!/^\d(\.\d+)?$/.test(text) || ratio > 1) throw new Error("must be a number from 0 to 1");
  return ratio;
}
