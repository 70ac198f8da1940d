import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as a collector receives it, with its service. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A trace collector that speaks OTLP over HTTP, in JSON. */
export interface TraceCollector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Every body as received. */
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Starts a collector on a random port of loopback. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    if (request.url === "/v1/traces" && request.method === "POST") {
      bodies.push(body);
      spans.push(...readSpans(JSON.parse(body)));
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port }: Pick<AddressInfo, "port"> = Object(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function readSpans({ resourceSpans }: { readonly resourceSpans: readonly object[] }): CollectedSpan[] {
  return resourceSpans.flatMap((each) => {
    const { resource, scopeSpans } = Object(each);
    const service = String(valuesOf(resource.attributes)["service.name"]);
    return scopeSpans.flatMap(({ spans }: { readonly spans: readonly object[] }) =>
      spans.map((span) => readSpan(service, span)),
    );
  });
}

function readSpan(service: string, span: object): CollectedSpan {
  const { name, traceId, spanId, parentSpanId, attributes } = Object(span);
  return {
    service,
    name,
    traceId,
    spanId,
    parentSpanId: parentSpanId || undefined,
    attributes: valuesOf(attributes),
  };
}

function valuesOf(attributes: readonly OtlpAttribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
